"""How much one State may ask for: every number has a bound on both sides, and a reason. What a connection may do is
the server's to say (server/limits.py)."""

from regard.trace.edits import LARGEST as LARGEST  # what a cell may be set to

TEXT = 20_000  # characters: more than any model here reads
TOY = 20_000  # characters of a toy that comes with a state: more than twice what the largest of ours has
NAME = 300  # characters of a model, a word, a step
ADDRESS = 600  # characters of a cell's address
CHANGES = 500  # edits, moves, pins, hidden words and updates in one state
PINNED = 65_536  # numbers in one pin
UPDATES = 1_000  # of one change, and points of a loss curve
ALL_UPDATES = 10_000  # of one state
RATE = 1e6

RUN_WEIGHTS = 4_000_000  # layers · heads · tokens²: with every step around them, about 500 MB
LONG_WORK = 2e10  # the same times the width of a head, for a text whose weights are not kept: about ten seconds
RUN_CELLS = 150_000_000  # cells of a run with its changes and its backward pass, as if all were computed: 2 seconds
WORK = 1_500_000_000  # cells computed for one request, further runs included: about fifteen seconds
STEP_WORK = 1_000  # cells that could be computed in the time that a step takes besides its numbers
LEARNING = 12_000_000  # parameters of a model that is updated here: a state holds those before and after, 192 MB
WHOLE_TRACE = 400_000  # cells up to which a trace is sent or written as a whole: 7 MB of JSON
ANSWER = 262_144  # numbers in one answer
CANDIDATES = 50  # words of a large vocabulary that are sent
TOWARD = 16  # words that a word's nearness to is measured
POINTS = 100_000  # words on a map, the first of a table
POINTS_AT_ONCE = 25_000  # sent in one answer
NEIGHBOURS = 50
SIDE = 512  # of a tile, in cells
GENERATED = 64  # words written in one request
GENERATED_WORK = 3e10  # words · text · parameters: about ten seconds

# above the models, at most 512 MB are held: what is kept, what is being made, and what the machine needs for that
VALUES = 128 * 2**20  # bytes of large computed numbers; beyond, some are forgotten and computed again when asked for
CACHE = 192 * 2**20  # bytes of traces that are kept, besides those
MODELS = 3  # deep models that are loaded at a time
LONG = (
    128 * 2**20
)  # bytes of queries and keys of one long text, from which its maps are drawn while its run is not kept
KEPT_RUNS = 32
KEPT_STATES = 32  # of one run
STEP = 1_024  # bytes of a step besides its numbers

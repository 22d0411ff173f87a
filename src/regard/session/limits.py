"""How much one State may ask for: every number has a bound on both sides, and a reason. What a connection may do is
the server's to say (server/limits.py)."""

from regard.trace.edits import LARGEST as LARGEST  # what a cell may be set to

TEXT = 20_000  # characters: more than any model here reads
NAME = 300  # characters of a model, a word, a step
ADDRESS = 600  # characters of a cell's address
CHANGES = 500  # edits, moves, pins, hidden words and updates in one state
PINNED = 65_536  # numbers in one pin
UPDATES = 1_000  # of one change, and points of a loss curve
ALL_UPDATES = 10_000  # of one state
RATE = 1e6

RUN_WEIGHTS = 4_000_000  # layers · heads · tokens²: with every step around them, about 500 MB
LONG_WORK = 2e10  # the same times the width of a head, for a text whose weights are not kept: about ten seconds
RUN_CELLS = 150_000_000  # cells of all steps of a run, as if all were computed: 1.2 GB
UPDATE_CELLS = 1_500_000_000  # cells of a run times its updates: seconds
WHOLE_TRACE = 400_000  # cells up to which a trace is sent or written as a whole: 7 MB of JSON
ANSWER = 262_144  # numbers in one answer
CANDIDATES = 50  # words of a large vocabulary that are sent
SIDE = 512  # of a tile, in cells
GENERATED = 64  # words written in one request
GENERATED_WORK = 3e10  # words · text · parameters: about ten seconds

CACHE = 512 * 2**20  # bytes of traces that are kept
KEPT_RUNS = 32
KEPT_STATES = 32  # of one run
STEP = 1_024  # bytes of a step besides its numbers

"""Training as pressure, in cards: which way a score moves, and which matrix learns."""

from regard.lessons.cards.card import Card, Changes
from regard.lessons.cards.mistakes import Mistake
from regard.lessons.measures import MATRICES, angle, exchanged, gradient_size, loss, misfiring
from regard.trace import Trace

RATE = 0.1
UPDATE: Changes = ({"kind": "update", "rate": RATE},)
MANY: Changes = ({"kind": "update", "rate": RATE, "times": 100},)
GAP = 8.0
MORE, LESS = "more than before", "less than before"

UPHILL = Mistake(
    "went uphill",
    "That follows the gradient. An update goes against it, so that the loss falls.",
    lambda q: float(q.trace.update(-RATE)[q.address or ""]),
)


def farthest(run: Trace) -> str:
    """Of three matrices that began equal, the one that the others have moved away from most."""
    return max(MATRICES, key=lambda one: min(angle(run, one, other) for other in MATRICES if other != one))


def swapped_loss(run: Trace) -> str:
    """Which pair can change places without harm."""
    pairs = {"W_Q and W_K": ("W_Q", "W_K"), "W_K and W_V": ("W_K", "W_V"), "W_Q and W_V": ("W_Q", "W_V")}
    return min(pairs, key=lambda pair: loss(exchanged(run, *pairs[pair])))


def misfired(run: Trace) -> str:
    """Whether W_Q gets more gradient when attention looks at the wrong word with all its weight."""
    return MORE if gradient_size(misfiring(run, GAP), "W_Q") > gradient_size(run, "W_Q") else LESS


def _ratio(run: Trace) -> float:
    return float(run["blame.W_Q.ratio"])


CARDS = (
    Card(
        title="Attended more",
        place="000:77",
        stage=12,
        says="The model said {predicted}, and jumps follows. The score of fox for itself is {scores[fox,fox]|4}. Every "
        "learned number now moves a little against its gradient, at rate 0.1.",
        asks="What is that score after one update, to 4 decimals?",
        answer="scores[fox,fox]",
        hint="More attention to fox would lower the loss, if only slightly: the score grows by about a hundredth.",
        reveals="{scores[fox,fox]|4} → {after: scores[fox,fox]|4}. A score rises where its word should be attended to.",
        mistakes=("before", UPHILL),
        row="fox",
        decimals=4,
        changes=UPDATE,
    ),
    Card(
        title="Attended less",
        place="000:82",
        stage=12,
        says="The score of quick is {scores[fox,quick]|4}. Its gradient is positive: more of it, more loss.",
        asks="What is quick's score after one update, to 4 decimals?",
        answer="scores[fox,quick]",
        hint="It falls, by about 0.003.",
        reveals="{scores[fox,quick]|4} → {after: scores[fox,quick]|4}: the alignment with quick is reduced, that with "
        "fox "
        "is not. This is the pressure that the document speaks of.",
        mistakes=("before", UPHILL),
        row="fox",
        decimals=4,
        changes=UPDATE,
    ),
    Card(
        title="Which one drifts away?",
        place="000:159",
        stage=12,
        says="W_Q, W_K and W_V begin equal: all three leave vectors as they are. Then come 100 updates.",
        asks="Which matrix is farthest from the other two?",
        answer=farthest,
        choices=MATRICES,
        hint="Which of them carries content to the prediction, with no softmax in between?",
        reveals=lambda run: f"W_V: {angle(run, 'W_K', 'W_V'):.0f} degrees away. W_Q and W_K are "
        f"{angle(run, 'W_Q', 'W_K'):.1f} degrees apart: queries and keys have hardly become different things here, "
        "because one sentence gives them little reason to.",
        mistakes=(
            Mistake("a scoring matrix", "W_Q gets its gradient through softmax, and little of it.", lambda q: "W_Q"),
            Mistake("the other scoring matrix", "W_K gets as little gradient as W_Q.", lambda q: "W_K"),
        ),
        changes=MANY,
    ),
    Card(
        title="Change places",
        place="000:159",
        stage=12,
        says="After 100 updates the loss is {after: loss|4}. Exchange two of the matrices.",
        asks="Which two can change places with the least harm?",
        answer=swapped_loss,
        choices=("W_Q and W_K", "W_K and W_V", "W_Q and W_V"),
        hint="Which two are still nearly the same?",
        reveals=lambda run: f"W_Q and W_K: {loss(run):.4f} → {loss(exchanged(run, 'W_Q', 'W_K')):.4f}. W_K and W_V: → "
        f"{loss(exchanged(run, 'W_K', 'W_V')):.4f}. That is what it means to have specialised.",
        mistakes=(
            Mistake("a role that carries", "W_V has drifted away: in the wrong place it carries other content.",
                    lambda q: "W_K and W_V"),
        ),
        changes=MANY,
    ),
    Card(
        title="A confident misfire",
        place="004:311",
        stage=11,
        says="“If attention misfires, gradients flow into Wq and Wk.” Suppose fox looked at quick with 0.99 of its "
        "weight.",
        asks="How much gradient does W_Q get then?",
        answer=misfired,
        choices=(MORE, LESS),
        hint="A weight moves with its score by p · (1 − p).",
        reveals="Less, and nearly none: a softmax that is sure of itself passes nothing on. A mild misfire does send "
        "more "
        "gradient to W_Q and W_K, as the document says; a bad one does not.",
        mistakes=(
            Mistake("as the document says", "True of a mild misfire. Here softmax is nearly certain, and flat.",
                    lambda q: MORE),
        ),
        veils="W_Q.grad",
    ),
    Card(
        title="Two kinds of gradient",
        place="004:312",
        stage=11,
        says="W_V gets a gradient straight from the context; that of W_Q passes through softmax first. Their sizes are "
        "{blame.W_V|4} and {blame.W_Q|4}.",
        asks="How many times as much gradient does W_V get?",
        answer=_ratio,
        hint="Divide the one by the other.",
        reveals="{blame.W_Q.ratio|0} times. In this toy the content learns, and attention hardly does.",
        mistakes=(
            Mistake("compared W_Q with W_K", "Those two get the same amount; W_V gets more.",
                    lambda q: gradient_size(q.trace, "W_K") / gradient_size(q.trace, "W_Q")),
            Mistake("compared squares", "That is the ratio of the sums of squares; take the root.",
                    lambda q: _ratio(q.trace) ** 2),
        ),
        veils="W_Q.grad",
        decimals=0,
    ),
)  # fmt: skip

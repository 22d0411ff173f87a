"""The second example of the fox sentence's document: three words, weights .2/.3/.5, and a guess of pizza."""

from itertools import count

from regard.lessons.cards.three_words import CARDS
from regard.lessons.chains import dot_product
from regard.lessons.claim import Claim, Code, Row, Statement, cells
from regard.lessons.lesson import Lesson
from regard.lessons.reachable import VECTORS, WORD_ROWS
from regard.toys.shipped import shipped
from regard.trace import Trace

D = "004"
WORDS = ("The", "quick", "brown")
WEIGHTS = ("0.2", "0.3", "0.5")
NEXT = ("apple", "run", "fox", "pizza")
CHAINS = (
    ("0.145", "0.064", "0.209"),
    ("0.029", "0.192", "0.221"),
    ("0.203", "0.128", "0.331"),
    ("0.058", "0.288", "0.346"),
)
RATE = 0.1


def lesson() -> Lesson:
    return Lesson(
        name="three-words",
        title="The quick brown … pizza",
        documents=(D,),
        idea="The same recipe with three words and other weights: the guess is wrong, and learning turns it around.",
        make=make,
        shows=("x", "weights", "context", "logits", "probabilities", "loss"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    return shipped("three-words").run("The quick brown", next="fox").backward()


def claims() -> list[Claim]:
    found: list[Claim] = []
    products = (("0.02", "0.04"), ("0.12", "0.03"), ("0.15", "0.25"))
    for i, (word, printed) in enumerate(zip(WORDS, WEIGHTS)):
        vector = {f"x[{word},{d}]": f"{v:g}" for d, v in enumerate(VECTORS[i])}
        weight, value = {f"weights[brown,{word}]": printed}, {a.replace("x", "v", 1): v for a, v in vector.items()}
        found.append(cells(D, 175 + i, f"embedding of {word}", 1, vector))
        found.append(cells(D, 175 + i, f"weight of {word}", 5, weight))
        found.append(cells(D, 181 + i, f"weight · embedding of {word}", 6, weight | value))
        found.append(product(186, i, products[i]))
    for line in (187, 201):
        found.append(cells(D, line, "context", 6, {"context[brown,0]": "0.29", "context[brown,1]": "0.32"}))
    for first in (194, 243):
        found += [word_row(first + i, i) for i in range(4)]
    found += [dot_product(D, 205 + i, i, NEXT[i], ("0.29", "0.32"), results) for i, results in enumerate(CHAINS)]
    logits = dict(zip((f"logits[{w}]" for w in NEXT), ("0.209", "0.221", "0.331", "0.346")))
    found.append(cells(D, 213, "logits inside softmax", 8, logits))
    shares = dict(zip((f"probabilities[{w}]" for w in NEXT), ("0.23", "0.23", "0.26", "0.28")))
    found.append(cells(D, 213, "softmax of the logits", 9, shares))
    return found + code_and_statements()


def product(line: int, key: int, printed: tuple[str, str]) -> Row:
    return Row(
        D, line, f"from {WORDS[key]}", printed, lambda t: t.array("weights")[0, 2, key] * t.array("v")[0, key], 6
    )


def word_row(line: int, word: int) -> Row:
    printed = tuple(f"{v:g}" for v in WORD_ROWS[word])
    return Row(D, line, f"W_out row {NEXT[word]}", printed, lambda t: t.array("W_out")[word], 8)


def code_and_statements() -> list[Claim]:
    rows = WORD_ROWS.tolist()
    return [
        Code(D, 201, "[0.29, 0.32] @ Wout.T", lambda t: t.array("read") @ rows.T, 8, "Wout is written as a list"),  # pyright: ignore[reportAttributeAccessIssue]
        *(Statement(D, line, said, lambda t: t.predicted == "pizza", lambda t: t.predicted, 9)
          for line, said in ((215, "Predicted word = pizza (highest score)"), (219, "Model predicted = pizza"))),
        Statement(D, 218, "Ground truth = fox", lambda t: t.info["next"] == "fox", lambda t: t.info["next"], 10),
        Statement(D, 222, "Attention weights", lambda t: "layer0.weights" in t.parameters,
                  lambda t: f"parameters: {', '.join(n.rpartition('.')[2] for n in t.parameters)}", 12,
                  "listed under “Backprop updates”, as on line 167: weights are activations, recomputed every time"),
        Statement(D, 227, "this pushes the model to … point more toward the fox region",
                  lambda t: t.update(RATE)["probabilities[fox]"] > t["probabilities[fox]"], _after_learning, 12),
    ]  # fmt: skip


def _after_learning(trace: Trace) -> str:
    return f"updates at {RATE} until it says fox: {updates_until(trace, 'fox')}"


def updates_until(trace: Trace, word: str, rate: float = RATE, most: int = 1000) -> int:
    """How many updates it takes until the most probable next word is this one."""
    for updates in count():
        if trace.predicted == word:
            return updates
        if updates == most:
            break
        trace = trace.update(rate)
    raise ValueError(f"after {most:,} updates at {rate:g} the model still says {trace.predicted!r}, not {word!r}")


def remarks(trace: Trace) -> list[str]:
    needed = updates_until(trace, "fox")
    after = trace
    for _ in range(needed):
        after = after.update(RATE)
    W_Q = trace.array("W_Q")[0]
    return [
        "The document does not say where .2/.3/.5 come from. With W_K = I they are reachable without any bias:",
        f"W_Q = {W_Q.round(4).tolist()}.",
        f"It says {trace.predicted}, not fox: loss −ln {trace['probabilities[fox]']:.6f} = {trace.array('loss'):.6f}.",
        f"Updates at rate {RATE} until it says fox: {needed} (loss {after.array('loss'):.4f}, "
        f"fox {after['probabilities[fox]']:.3f}, pizza {after['probabilities[pizza]']:.3f}).",
    ]

"""*Deep Dive Q&A*, questions 1 and 2: a library and a filing cabinet. Labels are keys, contents are values."""

import numpy as np

from regard.lessons.cards.cabinet import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Lesson, begun
from regard.models.glass import Glass
from regard.ops.scaling import ROOT
from regard.trace import Trace

D = "002"
FOLDERS = ("Italian Cuisine", "French Cooking", "Car Repair", "Tax Returns 2023")
QUESTIONS = ("cooking Italian pasta", "Tax Returns 2023")
WANTED = (0, 3)  # the folder each question is about
# what a label or a question is about: cooking, Italian, cars, taxes
LABELS = np.array([[3.0, 3.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 4.0]])
ASKED = np.array([[3.0, 3.0, 0.0, 0.0], [0.0, 0.0, 0.0, 4.0]])
# what is inside: recipes, pictures, drawings, figures
CONTENTS = np.array([[4.0, 2.0, 0.0, 1.0], [3.0, 4.0, 0.0, 1.0], [0.0, 1.0, 4.0, 3.0], [1.0, 0.0, 0.0, 4.0]])


def lesson() -> Lesson:
    return Lesson(
        name="cabinet",
        title="The library and the filing cabinet",
        documents=(D,),
        idea="A question is compared with the labels, and what comes back is the contents: keys find, values tell.",
        make=make,
        shows=("q", "k", "v", "scores", "weights", "context"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    do = Glass()
    q, k, v = (
        do.given(n, a[None], axes) for n, a, axes in (("q", ASKED, "HQD"), ("k", LABELS, "HKD"), ("v", CONTENTS, "HKD"))
    )
    do.attend(q, k, v, np.ones((len(QUESTIONS), len(FOLDERS))), ROOT, None)
    return begun(
        "cabinet",
        "a filing cabinet with three books in it (after Attention Mechanism: Deep Dive Q&A)",
        do,
        {"Q": QUESTIONS, "K": FOLDERS},
        "ours: labels, questions and contents are four numbers each, set by hand; the document gives only names",
        "labels and questions: cooking, Italian, cars, taxes; contents: recipes, pictures, drawings, figures",
    )


def claims() -> list[Claim]:
    return [
        Statement(D, 18, "Keys (K) - The labels on each book: Italian Cuisine, French Cooking, Car Repair",
                  lambda t: t.labels.words["K"][:3] == FOLDERS[:3] and bool(np.array_equal(t.array("k")[0], LABELS)),
                  lambda t: f"k has {len(t.array('k')[0])} labels of {t.array('k').shape[-1]} numbers", 2),
        Statement(D, 23, "Italian Cuisine matches well → high score; Car Repair doesn't → low score",
                  lambda t: scores(t)[0] == scores(t).max() and scores(t)[2] == scores(t).min(),
                  lambda t: ", ".join(f"{f} {s:g}" for f, s in zip(FOLDERS[:3], scores(t))), 3),
        Statement(D, 24, "Retrieve values (actual content) weighted by those match scores",
                  lambda t: bool(np.allclose(t.array("context")[0], t.array("weights")[0] @ CONTENTS)),
                  lambda t: f"got {retrieved(t)[0].round(2).tolist()}; inside is {CONTENTS[0].tolist()}", 6,
                  "weighted by the weights: softmax stands between"),
        Statement(D, 53, "the model would have to compromise between being a good label and providing good content",
                  lambda t: min(compromises(t).values()) > error(t),
                  lambda t: f"off by {error(t):.3f} with labels and contents apart, "
                            f"by {min(compromises(t).values()):.3f} at best with one vector for both", 6),
        Statement(D, 58, "The tab on the folder (Key) says Tax Returns 2023 - optimized for finding",
                  lambda t: FOLDERS[int(t.array("weights")[0, 1].argmax())] == "Tax Returns 2023",
                  lambda t: f"its weight is {t.array('weights')[0, 1, 3]:.4f}", 5),
        Statement(D, 59, "The documents inside (Value) are the actual tax forms",
                  lambda t: distance(retrieved(t)[1], CONTENTS[3]) < 0.05,
                  lambda t: f"got {retrieved(t)[1].round(2).tolist()}; inside is {CONTENTS[3].tolist()}", 6),
        Statement(D, 61, "The tab doesn't contain the full tax return",
                  lambda t: distance(retrieved(t)[1], LABELS[3]) > distance(retrieved(t)[1], CONTENTS[3]),
                  lambda t: f"what comes back is {distance(retrieved(t)[1], CONTENTS[3]):.2f} from the contents, "
                            f"{distance(retrieved(t)[1], LABELS[3]):.2f} from the label", 6),
    ]  # fmt: skip


def scores(trace: Trace) -> np.ndarray:
    """How well each label matches the question about pasta."""
    return trace.array("scores")[0, 0]


def retrieved(trace: Trace) -> np.ndarray:
    """What each question brings back."""
    return trace.array("context")[0]


def distance(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(a - b))


def error(trace: Trace) -> float:
    """How far, on average, what comes back is from the contents that were wanted."""
    return float(np.mean([distance(got, CONTENTS[folder]) for got, folder in zip(retrieved(trace), WANTED)]))


def tied(trace: Trace, share: float) -> Trace:
    """One vector per folder for both: this share of the contents, the rest of the label."""
    both = ((1 - share) * LABELS + share * CONTENTS)[None]
    return trace.pin("k", both).pin("v", both)


def compromises(trace: Trace, steps: int = 20) -> dict[float, float]:
    """The error when keys and values are the same vectors, from all label (0) to all contents (1)."""
    return {share: error(tied(trace, share)) for share in np.linspace(0, 1, steps + 1).tolist()}


def remarks(trace: Trace) -> list[str]:
    found = compromises(trace)
    best = min(found, key=lambda share: found[share])
    weights = trace.array("weights")[0, 0]
    return [
        f"“{QUESTIONS[0]}” takes " + ", ".join(f"{w:.2%} from {f}" for f, w in zip(FOLDERS[:3], weights)) + ".",
        f"Labels and contents apart: what comes back is off by {error(trace):.3f}.",
        f"One vector for both: off by {found[0.0]:.3f} if it is the label, {found[1.0]:.3f} if it is the contents,",
        f"{found[best]:.3f} at the best mixture ({best:.0%} contents): the compromise the text speaks of, measured.",
        "The vectors are ours, four numbers set by hand for each folder and question; the text gives only their names.",
    ]

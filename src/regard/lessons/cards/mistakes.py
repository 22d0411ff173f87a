"""The usual mistakes, each as a rule: given what was asked, the number you would get by making it.

A rule reads the trace and returns a number, so it holds for every lesson that has the steps it names.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regard.trace import Trace
from regard.trace.step import Cell

Answer = float | str


@dataclass(frozen=True)
class Question:
    """What was asked: a cell of the run as it is, or of the run after the card's changes."""

    trace: Trace
    after: Trace
    address: str | None

    @property
    def cell(self) -> Cell:
        if self.address is None:
            raise ValueError("this mistake is about a cell, but the card asks for none")
        return self.trace.cell(self.address)

    def along(self, letter: str) -> int:
        """Where the cell stands along an axis."""
        return self.cell.at[self.cell.step.axes.index(letter)]

    @property
    def place(self) -> tuple[int, int, int]:
        """Head, query and key of a cell on the way to a weight."""
        return self.along("H"), self.along("Q"), self.along("K")

    def instead(self, step: str, value: np.ndarray) -> float:
        """The cell if a whole step had been something else."""
        assert self.address is not None
        return float(self.trace.pin(step, value)[self.address])


@dataclass(frozen=True)
class Mistake:
    """Its name, what to say to the person who made it, and what it gives."""

    name: str
    says: str
    gives: Callable[[Question], Answer]


def root_of_head_width(trace: Trace) -> float:
    """The number by which the scores were divided."""
    scores, scaled = trace.array("scores"), trace.array("scaled")
    place = np.unravel_index(np.abs(scaled).argmax(), scaled.shape)
    return float(scores[place] / scaled[place])


def softmax(row: np.ndarray) -> np.ndarray:
    exps = np.exp(row - row.max())
    return exps / exps.sum()


def _before_softmax(trace: Trace) -> str:
    """The scores that softmax sees, before words are hidden."""
    return "biased" if any(name.endswith("biased") for name in trace.steps) else "scaled"


# scores


def _one_product(q: Question) -> float:
    h, i, j = q.place
    return float(q.trace.array("q")[h, i, 0] * q.trace.array("k")[h, j, 0])


def _added(q: Question) -> float:
    h, i, j = q.place
    return float(q.trace.array("q")[h, i].sum() + q.trace.array("k")[h, j].sum())


def _cosine(q: Question) -> float:
    h, i, j = q.place
    lengths = np.linalg.norm(q.trace.array("q")[h, i]) * np.linalg.norm(q.trace.array("k")[h, j])
    return q.cell.value / float(lengths)


def _not_scaled(q: Question) -> float:
    return q.instead("scaled", q.trace.array("scores"))


def _by_width(q: Question) -> float:
    return q.instead("scaled", q.trace.array("scores") / root_of_head_width(q.trace) ** 2)


def _by_model_width(q: Question) -> float:
    return q.instead("scaled", q.trace.array("scores") / math.sqrt(q.trace.array("x").shape[-1]))


def _root_of_score(q: Question) -> float:
    return math.sqrt(abs(float(q.trace.array("scores")[q.place])))


# weights


def _over_the_column(q: Question) -> float:
    h, i, j = q.place
    exps = q.trace.array("exps")
    return float(exps[h, i, j] / exps[h, :, j].sum())


def _not_normalised(q: Question) -> float:
    return float(q.trace.array("exps")[q.place])


def _without_exp(q: Question) -> float:
    h, i, j = q.place
    row = q.trace.array(_before_softmax(q.trace))[h, i]
    return float(row[j] / row[q.trace.array("exps")[h, i] > 0].sum())


def _not_hidden(q: Question) -> float:
    h, i, j = q.place
    return float(softmax(q.trace.array(_before_softmax(q.trace))[h, i])[j])


def _hidden_as_zero(q: Question) -> float:
    h, i, j = q.place
    row = np.where(q.trace.array("visible")[i] > 0, q.trace.array(_before_softmax(q.trace))[h, i], 0.0)
    return float(softmax(row)[j])


def _without_bias(q: Question) -> float:
    return q.instead("biased", q.trace.array("scaled"))


def _equal_shares(q: Question) -> float:
    return 1 / q.cell.step.shape[-1]


def _column_not_row(q: Question) -> float:
    h, i, j = q.place
    asks, read = q.trace.labels.words["Q"], q.trace.labels.words["K"]
    return float(q.trace.array("weights")[h, asks.index(read[j]), read.index(asks[i])])


def _other_head(q: Question) -> float:
    h, i, j = q.place
    return float(q.trace.array("weights")[1 - h, i, j])


def _the_score(q: Question) -> float:
    return float(q.trace.array("scaled")[q.place])


# the mix


def _values(q: Question) -> np.ndarray:
    """Along the dimension asked for, the values that were read."""
    h, i, d = q.along("H"), q.along("Q"), q.along("D")
    return q.trace.array("v")[h, q.trace.array("weights")[h, i] > 0, d]


def _summed(q: Question) -> float:
    return float(_values(q).sum())


def _averaged(q: Question) -> float:
    return float(_values(q).mean())


def _most_attended(q: Question) -> float:
    h, i = q.along("H"), q.along("Q")
    return float(q.trace.array("v")[h, q.trace.array("weights")[h, i].argmax(), q.along("D")])


# heads, the stream


def _by_head(q: Question) -> np.ndarray:
    return q.trace.array("by_head")[:, q.along("Q"), q.along("C")]


def _side_by_side(q: Question) -> np.ndarray:
    return np.concatenate(list(q.trace.array("context")[:, q.along("Q")]))


# logits, probabilities, loss


def _word(q: Question) -> int:
    return q.along("V")


# name → the mistake; a card names those that its question invites
MISTAKES: dict[str, Mistake] = {
    "one product": Mistake(
        "only the first product", "A dot product adds up all products; this is only the first.", _one_product),
    "added": Mistake(
        "added instead of multiplied", "Numbers at the same place are multiplied, and the products are added.", _added),
    "cosine": Mistake(
        "a cosine", "That is the cosine: divided by both lengths. A score is the dot product as it is.", _cosine),
    "not scaled": Mistake(
        "forgot √d_k", "The scores were not divided by √d_k.", _not_scaled),
    "by width": Mistake(
        "divided by d_k, not by its root", "The scores are divided by the root of the head width, not by the width.",
        _by_width),
    "by model width": Mistake(
        "used the width of the stream", "√d_k takes the width of a head's keys, not the width of the word vectors.",
        _by_model_width),
    "root of score": Mistake(
        "took the root of the score", "The root is taken of d_k, not of the score.", _root_of_score),
    "over the column": Mistake(
        "softmax over the wrong axis",
        "That is a share of the column: among all that read this word. Shares are taken along a row, which is one "
        "word's own attention.", _over_the_column),
    "not normalised": Mistake(
        "forgot to normalise", "That is e^s alone. Divide it by the sum of the row, and the shares make one whole.",
        _not_normalised),
    "without exp": Mistake(
        "forgot e^s", "That is the score's share of the scores. Softmax takes shares of e^s, so that none is negative.",
        _without_exp),
    "not hidden": Mistake(
        "forgot the mask", "That row includes words that come later. They are hidden before softmax.", _not_hidden),
    "hidden as zero": Mistake(
        "hid words with 0", "A score of 0 still has e⁰ = 1. What is hidden needs a score of −∞.", _hidden_as_zero),
    "without bias": Mistake(
        "forgot the bias", "The bias by distance is added to the scaled scores before softmax.", _without_bias),
    "equal shares": Mistake(
        "equal shares", "That is one over the number of words: what all would get if their scores were the same.",
        _equal_shares),
    "column": Mistake(
        "read the column instead of the row",
        "Rows ask, columns are read. You have what the other word takes from this one.", _column_not_row),
    "other head": Mistake(
        "read the other head", "That is the other head's weight: each head has a distribution of its own.",
        _other_head),
    "the score": Mistake("a score, not a weight", "That is the scaled score; softmax makes a weight of it.",
                         _the_score),
    "summed": Mistake(
        "summed without weights", "That adds the values up as they are. Each is first multiplied by its weight.",
        _summed),
    "averaged": Mistake(
        "averaged", "That is the plain average, as if all weights were equal.", _averaged),
    "most attended": Mistake(
        "took only the most attended word", "Attention does not choose: every word gives its share.", _most_attended),
    "heads averaged": Mistake(
        "averaged the heads", "What the heads write is added up, not averaged.", lambda q: float(_by_head(q).mean())),
    "first head": Mistake(
        "only the first head", "That is what one head adds; the others write into the same vector.",
        lambda q: float(_by_head(q)[0])),
    "no W_O": Mistake(
        "stopped before W_O", "That is the number at this place of the heads laid side by side, before W_O.",
        lambda q: float(_side_by_side(q)[q.along("C")])),
    "not projected": Mistake(
        "stopped before W_O", "That is the head's own context at this place; W_O turns it into the stream's.",
        lambda q: float(q.trace.array("context")[q.along("H"), q.along("Q"), q.along("C")])),
    "nothing added": Mistake(
        "nothing was added", "That is the word's own vector, before anything was read.",
        lambda q: float(q.trace.array("x")[q.along("T"), q.along("C")])),
    "replaced": Mistake(
        "replaced instead of added", "That is what was read, alone. It is added to the word's own vector, which stays.",
        lambda q: float(q.trace.array("attended")[q.along("T"), q.along("C")])),
    "one logit product": Mistake(
        "only the first product", "A dot product adds up all products; this is only the first.",
        lambda q: float(q.trace.array("W_out")[_word(q), 0] * q.trace.array("read")[0])),
    "own vector": Mistake(
        "used the word's own vector", "That compares the word's static vector. It is the context that predicts.",
        lambda q: float(q.trace.array("W_out")[_word(q)] @ q.trace.array("x")[int(q.trace.array("query"))])),
    "odds": Mistake(
        "forgot to normalise", "That is e to the logit. Divide it by the sum over all words.",
        lambda q: math.exp(float(q.trace.array("logits")[_word(q)]))),
    "share of logits": Mistake(
        "forgot e^s", "That is the logit's share of the logits. Softmax takes shares of e^logit.",
        lambda q: float(q.trace.array("logits")[_word(q)] / q.trace.array("logits").sum())),
    "log of ten": Mistake(
        "the wrong logarithm", "That is the logarithm to base 10. The loss takes the natural one.",
        lambda q: -math.log10(_target_share(q))),
    "no minus": Mistake(
        "forgot the minus", "The logarithm of a probability is negative; the loss is minus that.",
        lambda q: math.log(_target_share(q))),
    "loss of the guess": Mistake(
        "took the predicted word", "That is the surprise at the word the model says. The loss is about the actual "
        "next word.", lambda q: -math.log(float(q.trace.array("probabilities").max()))),
    "missing share": Mistake(
        "subtracted instead of taking the logarithm", "That is what is missing from 1. The loss is −ln of the share.",
        lambda q: 1 - _target_share(q)),
    "target not subtracted": Mistake(
        "forgot to subtract the target", "That is the probability. For the word that should follow, 1 is subtracted.",
        lambda q: float(q.trace.array("probabilities")[_word(q)])),
    "sign": Mistake(
        "the sign", "The gradient is probability − target. A minus says that more of it lowers the loss.",
        lambda q: -q.cell.value),
    "before": Mistake(
        "as it was before", "That is the number before the change; everything after it is computed again.",
        lambda q: float(q.trace[q.address or ""])),
    "the target": Mistake(
        "what should follow", "That word should follow. What the model says is the word with the largest probability.",
        lambda q: str(q.trace.info["next"])),
    "the guess before": Mistake(
        "as it was before", "That is what it said before the change.", lambda q: q.trace.predicted),
}  # fmt: skip


def _target_share(q: Question) -> float:
    return float(q.trace.array("probabilities")[q.trace.labels.words["V"].index(q.trace.info["next"])])

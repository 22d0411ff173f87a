"""The goal of flow and contributions: by how much one word's logit exceeds another's."""

from collections.abc import Sequence

import numpy as np

from regard.ops import Given, Map, Pick
from regard.suggestions import NotFound, suggestion
from regard.trace import Step, Trace


def margin_steps(trace: Trace) -> list[Step]:
    """`margin` = logit(first) − logit(second), at the position that predicts (of several, the last).

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps")
    >>> print(trace.why("margin"))
    margin = -0.0675 = 0.6045 − 0.6720
    """
    words = _words(trace)
    if not words:
        return []
    logits = trace.steps["logits"]
    steps: list[Step] = []
    if len(logits.axes) > 1:
        place = Step("margin.place", Given(np.int64(logits.shape[0] - 1), "", "constant"))
        logits = Step("margin.logits", Pick(f"{logits.axes},->{logits.axes[1:]}"), (logits, place))
        steps += [place, logits]
    picked: list[Step] = []
    for name, word in zip(("first", "second"), compared(trace)):
        if word not in words:
            raise NotFound(f"this model does not write the word {word!r}; {suggestion(word, words)}")
        number = Step(f"margin.{name}.word", Given(np.int64(words.index(word)), "", "constant"))
        picked.append(Step(f"margin.{name}", Pick("V,->"), (logits, number)))
        steps += [number, picked[-1]]
    return [*steps, Step("margin", Map("subtract", ",->"), tuple(picked))]


def compared(trace: Trace) -> tuple[str, str]:
    """The two words to compare: those that were asked for, or the one that should follow and its rival.

    The rival is the most probable other word; if no word was given to follow, the two most probable are compared.
    """
    if trace.compared is not None:
        return trace.compared
    words = _words(trace)
    if not words:
        raise NotFound("this run predicts no word: it has no logits to compare")
    probabilities = trace.array("probabilities")
    probabilities = probabilities.reshape(-1, probabilities.shape[-1])[-1]
    ranked = np.argsort(-probabilities, kind="stable")
    target = int(trace.array("target").reshape(-1)[-1]) if "target" in trace.steps else int(ranked[0])
    rival = next((int(i) for i in ranked if i != target), target)
    return words[target], words[rival]


def _words(trace: Trace) -> Sequence[str]:
    """The words that the logits are of; none where a run predicts nothing."""
    return trace.labels.words.get("V", ()) if "logits" in trace.steps else ()

"""Numbers at eight bits, for files that must stay small: near enough to draw, and marked as rounded."""

import base64
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from regard.ops import Given
from regard.trace import Step, Trace
from regard.trace.names import without_layer

LEVELS = 254  # 255 stands for what is not finite: a hidden score
# what is looked at first is kept first
ORDER = ("weights", "probabilities", "x", "residual", "middle", "q", "k", "v", "context", "scores", "attended")


def rounded(array: np.ndarray) -> dict[str, Any]:
    """An array as levels from its least to its greatest number, deflated, as text.

    >>> found = rounded(np.array([[0.0, 0.5], [1.0, -np.inf]]))
    >>> found["shape"], found["least"], found["greatest"], restored(found).round(3).tolist()
    ([2, 2], 0.0, 1.0, [[0.0, 0.5], [1.0, -inf]])
    """
    values = np.asarray(array, dtype=np.float64)
    finite = np.isfinite(values)
    least, greatest = (float(f(values[finite])) for f in (np.min, np.max)) if finite.any() else (0.0, 0.0)
    span = greatest - least
    with np.errstate(invalid="ignore"):
        levels = np.where(finite, np.round((values - least) / span * LEVELS) if span else 0, LEVELS + 1)
    packed = base64.b64encode(zlib.compress(levels.astype(np.uint8).tobytes(), 9)).decode()
    return {"shape": list(values.shape), "least": least, "greatest": greatest, "levels": packed}


def restored(found: dict[str, Any]) -> np.ndarray:
    """What the page makes of it."""
    levels = np.frombuffer(zlib.decompress(base64.b64decode(found["levels"])), np.uint8).reshape(found["shape"])
    values = found["least"] + levels * ((found["greatest"] - found["least"]) / LEVELS)
    return np.where(levels > LEVELS, -np.inf, values)


def rounded_steps(trace: Trace, most: int) -> dict[str, dict[str, Any]]:
    """As many steps of the forward pass as fit into so many characters: the weights first."""
    found: dict[str, dict[str, Any]] = {}
    left = most
    for step in sorted(_numbers(trace.forward), key=_rank):
        if step.value.size > 4 * left:  # eight bits hardly ever deflate to a quarter of their text
            continue
        made = rounded(step.value)
        if len(made["levels"]) <= left:
            found[step.name] = made
            left -= len(made["levels"])
    return found


def _numbers(steps: Iterable[Step]) -> list[Step]:
    return [s for s in steps if not isinstance(s.op, Given) or without_layer(s.name) == "visible"]


def _rank(step: Step) -> int:
    name = without_layer(step.name)
    return ORDER.index(name) if name in ORDER else len(ORDER)

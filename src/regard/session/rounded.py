"""Numbers at eight bits, for files that must stay small: near enough to draw, and marked as rounded.

An array is rounded row by row: every number to a multiple of its row's largest divided by 254 (by 127 where numbers may
be negative). So 0 stays 0, small rows keep their digits, and the error is at most half of such a step.
"""

import base64
import zlib
from typing import Any

import numpy as np

from regard.trace import Step, Trace
from regard.trace.names import layer_of, without_layer

LEVELS, SIGNED_LEVELS = 254, 127
HIDDEN, SIGNED_HIDDEN = 255, -128  # what is not finite: a hidden score
STREAM = ("norm1.normed", "attended", "middle", "norm2.normed", "gate", "hidden", "activated", "mlp", "residual")


def rounded(array: np.ndarray) -> dict[str, Any]:
    """An array as text: the scales of its rows, then its levels, deflated.

    >>> found = rounded(np.array([[0.10, 0.05, 0.10, 0.75], [0.0, 0.0, -np.inf, 0.0]]))
    >>> found["shape"], found["signed"], restored(found).round(2).tolist()
    ([2, 4], False, [[0.1, 0.05, 0.1, 0.75], [0.0, 0.0, -inf, 0.0]])
    """
    values = np.asarray(array, dtype=np.float64)
    rows = values.reshape(-1, values.shape[-1] if values.ndim else 1)
    finite = np.isfinite(rows)
    numbers = np.where(finite, rows, 0.0)
    signed = bool((numbers < 0).any())
    most = SIGNED_LEVELS if signed else LEVELS
    # the scale as it will be read back, so that rounding starts from it
    scales = (np.abs(numbers).max(axis=1, initial=0.0) / most).astype("<f4")
    steps = np.divide(numbers, scales[:, None], out=np.zeros(rows.shape), where=scales[:, None] > 0)
    levels = np.where(finite, np.clip(np.rint(steps), -most, most), SIGNED_HIDDEN if signed else HIDDEN)
    written = scales.tobytes() + levels.astype(np.int8 if signed else np.uint8).tobytes()
    packed = base64.b64encode(zlib.compress(written, 9)).decode("ascii")
    return {"shape": list(values.shape), "signed": signed, "numbers": packed}


def restored(found: dict[str, Any]) -> np.ndarray:
    """What the page makes of it."""
    shape, signed = found["shape"], found["signed"]
    last = shape[-1] if shape else 1
    count = int(np.prod(shape, dtype=int)) // max(last, 1)
    written = zlib.decompress(base64.b64decode(found["numbers"]))
    scales = np.frombuffer(written, "<f4", count).astype(np.float64)
    levels = np.frombuffer(written, np.int8 if signed else np.uint8, offset=4 * count).reshape(count, last)
    values = np.where(levels == (SIGNED_HIDDEN if signed else HIDDEN), -np.inf, levels * scales[:, None])
    return values.reshape(shape)


def rounded_steps(trace: Trace, most: int) -> dict[str, dict[str, Any]]:
    """The weights of all heads; then, as far as the characters allow, what heads read, and the stream.

    A group is there for all layers or for none, so that no layer shows less than another.
    """
    weights = [s for s in trace.forward if s.name == f"{layer_of(s.name)}.weights"]
    found = {step.name: rounded(step.value) for step in weights}
    left = most - _size(found)
    for group in (_inside_heads(trace), _streams(trace)):
        if sum(step.value.size for step in group) > 4 * left:
            continue  # eight bits hardly ever deflate to a quarter of their text
        new = {step.name: rounded(step.value) for step in group if step.name not in found}
        if _size(new) <= left:
            found |= new
            left -= _size(new)
    return found


def _inside_heads(trace: Trace) -> list[Step]:
    """Scores with the queries and keys they multiply, values, and what results."""
    found: dict[Step, None] = {}
    for step in trace.forward:
        if layer_of(step.name) and without_layer(step.name) in ("scores", "context"):
            found |= dict.fromkeys((*step.inputs, step))
    return [step for step in found if step.value.dtype == np.float64]


def _streams(trace: Trace) -> list[Step]:
    return [s for s in trace.forward if layer_of(s.name) and without_layer(s.name) in STREAM and len(s.axes) == 2]


def _size(found: dict[str, dict[str, Any]]) -> int:
    return sum(len(array["numbers"]) for array in found.values())

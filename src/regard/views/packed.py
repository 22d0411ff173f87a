"""A deep run for an offline file: what was measured stands there exactly, its large arrays at 8 bits.

An array is rounded row by row: every number to a multiple of the row's largest divided by 255 (127 where numbers may be
negative), so 0 stays 0 and the error is at most half of that. The weights of all heads are always in the file; vectors
and the stream come along as far as there is room for them in all layers.
"""

import base64
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from regard.lens.explanation import explanation
from regard.lens.logit_lens import logit_lens
from regard.lens.overview import overview
from regard.trace import Step, Trace
from regard.trace.names import layer_of, without_layer
from regard.views.outline import outline, shortened

ROOM = 3_000_000  # bytes of rounded numbers: with the page around them, a file of less than 5 MB
MOST_WEIGHTS = 16_000_000  # of a file that browsers still open with ease, some 22 MB
LEFT_OUT = 200_000  # cells of a run up to which it is repeated without each of its words
TOP = 5  # candidates of each layer
STREAM = ("norm1.normed", "attended", "middle", "norm2.normed", "gate", "hidden", "activated", "mlp", "residual")


@dataclass(frozen=True, eq=False)
class Rounded:
    """An array in 8 bits: `codes` times the `scales` of their rows."""

    codes: np.ndarray
    scales: np.ndarray

    @property
    def bytes(self) -> bytes:
        return self.scales.astype("<f4").tobytes() + self.codes.tobytes()

    @property
    def array(self) -> np.ndarray:
        """What a reader of the file gets."""
        return self.codes * self.scales[..., None]


def rounded(array: np.ndarray) -> Rounded:
    """
    >>> found = rounded(np.array([[0.10, 0.05, 0.10, 0.75], [0.0, 0.0, 0.0, 0.0]]))
    >>> found.codes.tolist(), found.array.round(3).tolist()
    ([[34, 17, 34, 255], [0, 0, 0, 0]], [[0.1, 0.05, 0.1, 0.75], [0.0, 0.0, 0.0, 0.0]])
    """
    if not np.isfinite(array).all():
        raise ValueError("a file cannot hold this run: some of its numbers are not finite")
    signed = bool((array < 0).any())
    most = 127 if signed else 255
    # the scale as it will be read, so that rounding starts from there
    scales = (np.abs(array).max(axis=-1) / most).astype(np.float32).astype(np.float64)
    codes = np.divide(array, scales[..., None], out=np.zeros(array.shape), where=scales[..., None] > 0)
    return Rounded(np.clip(np.rint(codes), -most, most).astype(np.int8 if signed else np.uint8), scales)


def packed(trace: Trace, room: int = ROOM) -> dict[str, Any]:
    """Everything that a page shows of a deep run without asking anybody."""
    weights = [s for s in trace.forward if s.name == f"{layer_of(s.name)}.weights"]
    count = sum(s.value.size for s in weights)
    if count > MOST_WEIGHTS:
        raise ValueError(f"this run has {count:,} weights, a file holds at most {MOST_WEIGHTS:,}; pass a shorter text")
    cells = sum(s.value.size for s in trace.forward)
    words = len(trace.labels.words["K"])
    found = explanation(trace, check=False, leave_out=words if cells <= LEFT_OUT else 0)
    heads = overview(trace)
    patterns = np.array([head.pop("pattern") for head in heads["by_head"]])
    steps = [*weights, *_fitting(trace, weights, room)]
    arrays = {"patterns": rounded(patterns)} | {step.name: rounded(step.value) for step in steps}
    shown = outline(trace)
    kept = {step.name for step in steps}
    return {
        "explanation": shortened(found.data()),
        "overview": heads,
        "lenses": {"logit_lens": {"query": found.query, "layers": list(map(asdict, logit_lens(trace, TOP)))}},
        "outline": {**shown, "steps": [s for s in shown["steps"] if s["name"] in kept], "parameters": []},
        "arrays": [
            {"name": name, "shape": array.codes.shape, "signed": array.codes.dtype == np.int8}
            for name, array in arrays.items()
        ],
        "numbers": _written(array.bytes for array in arrays.values()),
    }


def _fitting(trace: Trace, weights: list[Step], room: int) -> list[Step]:
    """Further steps, a group of them for all layers or none: what a head reads, then the stream."""
    left = room - sum(_size(step) for step in weights)
    kept: list[Step] = []
    for group in (_inside_heads(trace), _streams(trace)):
        new = [step for step in dict.fromkeys(group) if step not in kept and np.isfinite(step.value).all()]
        needed = sum(_size(step) for step in new)
        if needed <= left:
            kept += new
            left -= needed
    return kept


def _inside_heads(trace: Trace) -> list[Step]:
    """Scores with the queries and keys they multiply, values, and what comes of them."""
    found: list[Step] = []
    for step in trace.forward:
        if layer_of(step.name) and without_layer(step.name) == "scores":
            found += [step, *step.inputs[:2]]
        if layer_of(step.name) and without_layer(step.name) == "context":
            found += [step, *(read for read in step.inputs if not read.name.endswith(".weights"))]
    return [step for step in found if step.value.dtype == np.float64]


def _streams(trace: Trace) -> list[Step]:
    return [s for s in trace.forward if layer_of(s.name) and without_layer(s.name) in STREAM and len(s.axes) == 2]


def _size(step: Step) -> int:
    return step.value.size + 4 * (step.value.size // max(1, step.shape[-1]))


def _written(parts: Iterable[bytes]) -> str:
    return base64.b64encode(zlib.compress(b"".join(parts), 9)).decode("ascii")

"""Runs the description of a transformer in plain NumPy and keeps only keys and values: for generation.

The same verbs as Glass (models/glass.py), on arrays of shape (tokens, …). What was read is remembered layer by layer,
so each further word costs one row and not the whole text.
"""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regard.attending.bias import ByDistance
from regard.attending.blockwise import attend_in_tiles
from regard.attending.masks import Rule, Visible, narrowed
from regard.attending.positions import RotaryPositions, sinusoids
from regard.ops.formulas import formula
from regard.ops.narrow import Numbers
from regard.ops.scaling import Scaling

Array = NDArray[Any]


class Rows:
    """Vectors of each head (G, K, D), to which more are appended without copying all of them each time."""

    def __init__(self) -> None:
        self.room = np.empty((0, 0, 0))
        self.count = 0

    def with_more(self, new: Array) -> Array:
        """All of them, the new ones last."""
        groups, added, width = new.shape
        end = self.count + added
        if end > self.room.shape[1]:
            larger = np.empty((groups, 2 * end, width), new.dtype)
            larger[:, : self.count] = self.room[:, : self.count] if self.count else 0
            self.room = larger
        self.room[:, self.count : end] = new
        self.count = end
        return self.room[:, :end]


class Memory:
    """The keys and values of the words that were read, by layer."""

    def __init__(self) -> None:
        self.layers: dict[str, tuple[Rows, Rows]] = {}

    def with_more(self, layer: str, k: Array, v: Array) -> tuple[Array, Array]:
        keys, values = self.layers.setdefault(layer, (Rows(), Rows()))
        return keys.with_more(k), values.with_more(v)


class Plain:
    """The verbs of models/transformer.py on arrays, for the words of one text from position `start` on."""

    def __init__(self, memory: Memory | None = None, start: int = 0, layer: str = ""):
        self.memory = Memory() if memory is None else memory
        self.start, self.layer = start, layer

    def within(self, name: str) -> "Plain":
        return Plain(self.memory, self.start, f"{self.layer}{name}.")

    def drop(self, x: Array) -> Array:
        return x

    # words and positions

    def embed(self, name: str, table: Array, ids: ArrayLike) -> Array:
        return table[np.asarray(ids, dtype=np.int64)]

    def add_segments(self, x: Array, table: Array, segments: ArrayLike | None) -> Array:
        return x + table[0 if segments is None else np.asarray(segments, dtype=np.int64)]

    def add_positions(self, x: Array, table: Array, offset: int) -> Array:
        end, most = self.start + len(x), len(table) - offset
        if end > most:
            raise ValueError(f"this model reads at most {most} tokens, got {end}; pass a shorter text")
        return x + table[self.start + offset : end + offset]

    def add_waves(self, x: Array) -> Array:
        tokens, width = x.shape
        return x + sinusoids(tokens, width, self.start).astype(x.dtype)

    def rotate(self, name: str, x: Array, by: RotaryPositions) -> Array:
        tokens, width = x.shape[-2:]
        angle, turned = by.angles(tokens, width, self.start), by.turned(width)
        half = turned // 2
        partner = np.concatenate([-x[..., half:turned], x[..., :half], x[..., turned:]], axis=-1)
        return x * np.cos(angle).astype(x.dtype) + partner * np.sin(angle).astype(x.dtype)

    # linear maps

    def heads(self, name: str, x: Array, W: Array, bias: Array | None, axes: str) -> Array:
        heads, width, head_width = W.shape
        flat = x @ W.transpose(1, 0, 2).reshape(width, heads * head_width)  # no copy: see `laid_out`
        result = flat.reshape(len(x), heads, head_width).swapaxes(0, 1)
        return result if bias is None else result + bias[:, None]

    def share(self, name: str, x: Array, heads: int) -> Array:
        return x  # attention itself lets query heads share key/value heads

    def linear(self, name: str, x: Array, W: Array, bias: Array | None = None) -> Array:
        return x @ W if bias is None else x @ W + bias

    def unembed(self, name: str, x: Array, W: Array, bias: Array | None = None, cap: float | None = None) -> Array:
        logits = self.linear(name, x, W.T, bias)
        return logits if cap is None else np.tanh(logits / cap) * cap

    # attention

    def attend(
        self,
        q: Array,
        k: Array,
        v: Array,
        visible: Visible | ArrayLike,
        scaling: Scaling,
        bias: ByDistance[Array] | None,
        window: int = 0,
        cap: float | None = None,
    ) -> Array:
        scale, visible = scaling.factor(q.shape[-1]), narrowed(visible, window)
        keys, values = self.memory.with_more(self.layer, k, v)
        if q.shape[1] > 1:
            return attend_in_tiles(q, keys, values, visible, scale, bias, cap)[0]
        return _one_row(q[:, 0] * q.dtype.type(scale), keys, values, visible, bias, cap)[:, None]

    def join(self, context: Array, W_O: Array | None, bias: Array | None) -> Array:
        side_by_side = context.swapaxes(0, 1).reshape(context.shape[1], -1)
        if W_O is None:
            return side_by_side
        return self.linear("attended", side_by_side, W_O.reshape(-1, W_O.shape[-1]), bias)

    def join_by_adding(self, context: Array, W_O: Array | None, bias: Array | None) -> Array:
        summed = context.sum(0)
        return summed if W_O is None else self.linear("attended", summed, W_O, bias)

    # the rest of a block

    def layer_norm(self, name: str, x: Array, gain: Array | None, bias: Array | None, epsilon: float) -> Array:
        normed = self.rms_norm(name, x - x.mean(-1, keepdims=True), gain, epsilon)
        return normed if bias is None else normed + bias

    def rms_norm(self, name: str, x: Array, gain: Array | None, epsilon: float) -> Array:
        normed = x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon)
        return normed if gain is None else normed * gain

    def activate(self, name: str, x: Array, curve: str) -> Array:
        return np.asarray(formula(curve)(x), x.dtype)

    def multiply(self, name: str, a: Array, b: Array) -> Array:
        return a * b

    def times(self, name: str, x: Array, number: float) -> Array:
        return x * x.dtype.type(number)

    def add(self, name: str, *terms: Array) -> Array:
        return reduce(np.add, terms)

    # prediction

    def read(self, name: str, x: Array, position: int) -> Array:
        return x[position]

    def read_several(self, name: str, x: Array, places: ArrayLike) -> Array:
        return x[np.asarray(places, dtype=np.int64)]

    def probabilities(self, logits: Array) -> Array:
        powers = np.exp(logits - logits.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True)

    def surprise(self, logits: Array, targets: ArrayLike) -> Array:
        """ln of the sum of all exponentials, minus the target's logit."""
        peak = logits.max(-1)
        whole = peak + np.log(np.exp(logits - peak[..., None]).sum(-1))
        return whole - np.take_along_axis(logits, np.asarray(targets, dtype=np.int64)[..., None], -1)[..., 0]

    def mean_surprise(
        self, name: str, x: Array, table: Array, bias: Array | None, targets: ArrayLike, cap: float | None = None
    ) -> Array:
        return self.surprise(self.unembed("logits", x, table, bias, cap), targets).mean()


def laid_out(arrays: Mapping[str, tuple[str, Numbers]], precision: type[np.floating[Any]]) -> dict[str, Array]:
    """Parameters for Plain, in the order in which it reads them: the maps to heads as one matrix of all heads."""
    return {
        name: np.array(np.asarray(array).swapaxes(0, 1), precision, order="C").swapaxes(0, 1)
        if axes in ("HCD", "GCD")
        else np.array(np.asarray(array), precision, order="C")
        for name, (axes, array) in arrays.items()
    }


def _one_row(
    q: Array,
    k: Array,
    v: Array,
    visible: Visible | ArrayLike,
    bias: ByDistance[Array] | None,
    cap: float | None,
) -> Array:
    """What the last word reads (H, D), for queries that are already scaled: a row of scores for each head."""
    groups, keys = k.shape[:2]
    scores = (q.reshape(groups, -1, q.shape[-1]) @ k.swapaxes(1, 2)).reshape(len(q), keys)
    if cap is not None:
        scores = np.tanh(scores / cap) * cap
    places = np.arange(keys, dtype=np.int64)
    last = places[-1:]
    if bias is not None:
        scores += bias.tile(last, places)[:, 0]
    if isinstance(visible, Rule):
        allowed = visible.tile(last, places)[0]
    else:
        allowed = np.asarray(visible(keys) if callable(visible) else visible, dtype=bool)[..., -1, :]
    peak = scores.max(-1, initial=-np.inf, where=allowed, keepdims=True)
    powers = np.exp(scores - peak, where=allowed, out=np.zeros_like(scores))
    total = powers.sum(-1, keepdims=True)
    weights = powers / np.where(total > 0, total, 1)  # a query that may see nothing reads nothing
    return (weights.reshape(groups, -1, keys) @ v).reshape(len(q), -1)

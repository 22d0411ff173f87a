"""The verbs that the transformer is described in (models/transformer.py), as a type: whoever knows them can run it.

They are generic over what they compute with, X (a Step for Glass, a tensor for Fast, an array for Plain), and over
what comes from outside, D: numbers of words, places, targets and masks, as arrays or as tensors. Names are those of
the steps that Glass records; others need not look at them.
"""

from collections.abc import Mapping
from typing import Protocol, TypeVar

from regard.attending.bias import ByDistance
from regard.attending.masks import Visible
from regard.attending.positions import Placing
from regard.ops.scaling import Scaling

X = TypeVar("X")
D = TypeVar("D", contravariant=True)

Parameters = Mapping[str, X]  # by name, as models/parameters.py lists them


class Verbs(Placing[X], Protocol[X, D]):
    """Everything that the description asks for, on the T words of a text, each a vector of width C."""

    def within(self, name: str) -> "Verbs[X, D]":
        """The same, for a part whose names begin with `name`."""
        ...

    def drop(self, x: X) -> X:
        """Dropout: numbers left out at random, in training."""
        ...

    # words

    def embed(self, name: str, table: X, ids: D) -> X:
        """(I, C) → (T, C): the vector of each word."""
        ...

    def add_segments(self, x: X, table: X, segments: D | None) -> X:
        """For each word, the vector of the segment it belongs to; by default the first."""
        ...

    # linear maps

    def heads(self, name: str, x: X, W: X, bias: X | None, axes: str) -> X:
        """(T, C) · (H, C, D) → (H, T, D); `axes` says what the result is for: HQD or GKD."""
        ...

    def share(self, name: str, x: X, heads: int) -> X:
        """(G, K, D) → (H, K, D): key/value heads for the query heads that share them, or as they are for `attend`."""
        ...

    def linear(self, name: str, x: X, W: X, bias: X | None = None) -> X:
        """x · W + bias, along the last axis."""
        ...

    def unembed(self, name: str, x: X, W: X, bias: X | None = None, cap: float | None = None) -> X:
        """(…, C) · (V, C)ᵀ → (…, V): a score for every word, between ±cap where there is one."""
        ...

    # attention

    def attend(
        self,
        q: X,
        k: X,
        v: X,
        visible: "Visible | D",
        scaling: Scaling,
        bias: ByDistance[X] | None,
        window: int = 0,
        cap: float | None = None,
    ) -> X:
        """(H, Q, D): softmax(q·kᵀ scaled + bias)·v over the keys that each query may see.

        Where there is a window, only within it; where there is a cap, scores stay between ±cap before they are biased.
        """
        ...

    def join(self, context: X, W_O: X | None, bias: X | None) -> X:
        """(H, Q, D) · (H, D, C) → (Q, C): heads side by side, through a map if there is one."""
        ...

    def join_by_adding(self, context: X, W_O: X | None, bias: X | None) -> X:
        """(H, Q, D) · (D, C) → (Q, C): heads added up, through a map if there is one."""
        ...

    # the rest of a block

    def layer_norm(self, name: str, x: X, gain: X | None, bias: X | None, epsilon: float) -> X: ...

    def rms_norm(self, name: str, x: X, gain: X | None, epsilon: float) -> X: ...

    def activate(self, name: str, x: X, curve: str) -> X:
        """Bent by a curve of models/parts.py."""
        ...

    def multiply(self, name: str, a: X, b: X) -> X: ...

    def times(self, name: str, x: X, number: float) -> X: ...

    def add(self, name: str, *terms: X) -> X: ...

    # prediction

    def read(self, name: str, x: X, position: int) -> X:
        """(T, C) → (C): the vector that predicts."""
        ...

    def read_several(self, name: str, x: X, places: D) -> X:
        """(T, C) → (M, C): the vectors that predict."""
        ...

    def probabilities(self, logits: X) -> X: ...

    def surprise(self, logits: X, targets: D) -> X:
        """−ln of the probability of the actual word, at each place that predicts."""
        ...

    def mean_surprise(self, name: str, x: X, table: X, bias: X | None, targets: D, cap: float | None = None) -> X: ...

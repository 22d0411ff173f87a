"""Layers that are alike, looked at as one: a GPU is asked once for many of them, and Python waits less."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

import torch

from regard.attending.arriving import Arriving
from regard.attending.kernels.looking import objection
from regard.attending.spans import Spans
from regard.watching.layer import Layer
from regard.watching.noting import MOST_PRODUCTS

AT_ONCE = 2**27  # bytes of queries and keys that are copied to lie side by side


def looked_at(layers: Sequence[Layer], question: Callable[[Layer], Any]) -> list[Any]:
    """What every layer answers, in their order: `question` has one row of answers for each text."""
    return [answer for alike in _alike(layers) for answer in _answers(alike, question)]


def _alike(layers: Sequence[Layer]) -> Iterator[list[Layer]]:
    for kind, some in groupby(layers, _kind):
        some = list(some)
        step = 1 if kind is None else max(1, AT_ONCE // (some[0].q.nbytes + some[0].k.nbytes))
        yield from (some[at : at + step] for at in range(0, len(some), step))


def _kind(layer: Layer) -> Any:
    """What layers have in common that can be one; None where there is no use in that."""
    q, k, visible = layer.q, layer.k, layer.visible
    is_shared = isinstance(visible, Spans) and visible.begin.size == visible.begin.shape[-1]
    is_long = q.numel() * k.shape[2] > MOST_PRODUCTS
    if objection(q, k) is not None or is_long or not is_shared or layer.bias is not None or layer.sinks is not None:
        return None
    return q.shape, k.shape, q.dtype, q.device, id(visible), layer.scale, layer.cap, layer.lse is None


def _answers(layers: Sequence[Layer], question: Callable[[Layer], Any]) -> list[Any]:
    if len(layers) == 1:
        return [question(layers[0])]
    first = layers[0]
    one, each = Layer(first.name, first.number), len(first.q)
    one.q, one.k = (torch.cat([getattr(layer, name) for layer in layers]) for name in ("q", "k"))
    one.lse = None if first.lse is None else torch.cat([layer.lse for layer in layers if layer.lse is not None])
    one.visible, one.bias, one.scale, one.cap, one.sinks = first.visible, None, first.scale, first.cap, None
    found = question(one)
    rows = [slice(at, at + each) for at in range(0, len(one.q), each)]
    if not isinstance(found, Arriving):
        return [found[own] for own in rows]
    answers: Any = found
    return [type(found)(lambda own=own: answers[own]) for own in rows]

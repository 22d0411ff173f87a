"""Axis letters: "HQD,HKD->HQK" says which axes of the inputs meet, and which stay.

The letters are those of the whole project: T tokens, Q queries, K keys, M tokens that predict, H heads, G key/value
heads, D head width, J all heads side by side (heads · head width), C width, E width where one side of a product is
summed over and the other is not, F width of the MLP, V words that can be written, I words that can be read, S segments,
P positions of a table, N distances, B batch.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=4096)
def parse(spec: str) -> tuple[tuple[str, ...], str]:
    """
    >>> parse("HQD,HKD->HQK")
    (('HQD', 'HKD'), 'HQK')
    """
    left, arrow, output = spec.partition("->")
    inputs = tuple(left.split(","))
    if not arrow or any(len(set(axes)) != len(axes) for axes in (*inputs, output)):
        raise ValueError(f'the spec "{spec}" is not of the form "QD,KD->QK" with each letter once per array')
    return inputs, output


def sizes_of(spec: str, shapes: Sequence[tuple[int, ...]], given: Mapping[str, int] | None = None) -> dict[str, int]:
    """How long each axis is; an error names the letter on which two inputs disagree."""
    inputs, _ = parse(spec)
    if len(inputs) != len(shapes):
        raise ValueError(f'"{spec}" expects {len(inputs)} inputs, got {len(shapes)}')
    sizes = dict(given or {})
    for axes, shape in zip(inputs, shapes):
        if len(axes) != len(shape):
            raise ValueError(f'"{spec}" expects an array with the axes {axes}, got shape {shape}')
        for letter, size in zip(axes, shape):
            if sizes.setdefault(letter, size) != size:
                raise ValueError(
                    f'"{spec}": the axis {letter} has {sizes[letter]} cells in one input, {size} in another'
                )
    return sizes


def aligned(array: np.ndarray, axes: str, output: str) -> np.ndarray:
    """A view of the array with its axes in the output's order, and length 1 where it has none."""
    if axes == output:
        return array
    order, index = _alignment(axes, output)
    return array.transpose(order)[index]


@lru_cache(maxsize=4096)
def _alignment(axes: str, output: str) -> tuple[tuple[int, ...], tuple[slice | None, ...]]:
    order = tuple(axes.index(letter) for letter in output if letter in axes)
    return order, tuple(slice(None) if letter in axes else None for letter in output)


def index_of(axes: str, at: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(at[letter] for letter in axes)

"""Multiply and add over named axes: linear maps, q·k, mixing, sums, means, and all their gradients."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import mul
from typing import ClassVar, TypeAlias

import numpy as np

from regard.ops.expression import Number, Sum, Tree
from regard.ops.narrow import Narrow
from regard.ops.operation import New, Node, Specified, register
from regard.ops.spec import aligned, index_of, parse, sizes_of

FEW = 16  # rows up to which a product is made in strips; above, several threads may share it
STRIPS = (32, 16, 8)  # columns of a strip: the widest that is small enough
UNPACKED = 10**6  # multiplications that OpenBLAS does without copying what it multiplies

OfOne: TypeAlias = Callable[[np.ndarray], np.ndarray]
OfTwo: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]


@register
@dataclass(frozen=True)
class Contract(Specified):
    """result[out] = factor · Σ of the products over every axis that the result does not have.

    An axis that only the result has is a repetition, and needs its size in `sizes`.
    >>> Contract("QD,KD->QK").forward(np.ones((2, 3)), np.ones((5, 3))).shape
    (2, 5)
    """

    kind: ClassVar[str] = "contract"
    spec: str
    factor: float = 1.0
    sizes: tuple[tuple[str, int], ...] = ()

    @property
    def own_sizes(self) -> dict[str, int]:
        return dict(self.sizes)

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        result = plan(self.spec)(*arrays)
        if self.sizes:
            result = np.broadcast_to(result, self.shape([a.shape for a in arrays]))
        return result if self.factor == 1.0 else result * self.factor

    def compute(self, inputs: Sequence[Node]) -> np.ndarray:
        """A parameter that is kept narrow is read block by block: widened, it may be larger than all else together."""
        letters, output = parse(self.spec)
        for i, axes in zip(inputs, letters):
            kept = [n for n, letter in enumerate(axes) if letter in output]
            if isinstance(numbers := i.stored, Narrow) and kept:
                axis = max(kept, key=lambda n: abs(numbers.strides[n]))  # what lies together is read together
                return self._by_blocks(inputs, axes[axis], numbers.blocks(axis, max(STRIPS)))
        return self.forward(*(i.value for i in inputs))

    def _by_blocks(self, inputs: Sequence[Node], letter: str, blocks: Iterable[slice]) -> np.ndarray:
        letters, output = parse(self.spec)
        result = np.empty(self.shape([i.shape for i in inputs]))
        for block in blocks:
            parts = (i.stored[_within(axes, letter, block)] for i, axes in zip(inputs, letters))
            result[_within(output, letter, block)] = self.forward(*parts)
        return result

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        """The gradient for one input contracts the blame with all the other inputs."""
        inputs, output = parse(self.spec)
        news: list[New | None] = []
        for position, axes in enumerate(inputs):
            others = [i for i in range(len(inputs)) if i != position]
            letters = [output, *(inputs[i] for i in others)]
            shape = step.inputs[position].shape
            lone = tuple((a, n) for a, n in zip(axes, shape) if not any(a in other for other in letters))
            spec = f"{','.join(letters)}->{axes}"
            operands = (gradient, *(step.inputs[i] for i in others))
            news.append(New(Contract(spec, self.factor, lone), operands))
        return news

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        letters, output = parse(self.spec)
        here = dict(zip(output, at))
        sizes = sizes_of(self.spec, [i.shape for i in inputs], dict(self.sizes))
        summed = "".join(a for a in sizes if a not in output)
        shape = tuple(sizes[a] for a in summed)

        def term(number: int) -> Tree:
            place = {**here, **dict(zip(summed, map(int, np.unravel_index(number, shape))))}
            factors: list[Tree] = [i.leaf(index_of(axes, place)) for i, axes in zip(inputs, letters)]
            return reduce(mul, factors)

        values = np.ones(shape)
        for i, axes in zip(inputs, letters):
            along = i.stored[tuple(here.get(a, slice(None)) for a in axes)]
            values = values * aligned(along, "".join(a for a in axes if a in summed), summed)
        expression = Sum(values.ravel(), term) if summed else term(0)
        return _times(expression, self.factor)


def _within(axes: str, letter: str, block: slice) -> tuple[slice, ...]:
    return tuple(block if a == letter else slice(None) for a in axes)


def _times(expression: Tree, factor: float) -> Tree:
    """A factor of 1/n reads as a division by n: that is what a mean is."""
    if factor == 1.0:
        return expression
    n = round(1 / factor) if 1e-9 < abs(factor) <= 1 else 0
    return expression / Number(float(n)) if n and 1 / n == factor else Number(factor) * expression


@lru_cache(maxsize=4096)
def plan(spec: str) -> OfOne | OfTwo:
    """The quickest NumPy call for this pattern of letters. Decided once per pattern, not per call."""
    inputs, output = parse(spec)
    if len(inputs) == 1:
        return _sum_plan(inputs[0], output)
    if len(inputs) != 2:
        raise ValueError(f'"{spec}": a contraction expects one or two inputs, got {len(inputs)}')
    return _product_plan(*inputs, output)


def _product_plan(a: str, b: str, output: str) -> OfTwo:
    repeated = [x for x in output if x not in a + b]
    if repeated:  # computed without the axes that only the result has, which `forward` then repeats
        kept = _kept(output, a + b)
        inner = _product_plan(a, b, kept)
        return lambda x, y: aligned(inner(x, y), kept, output)
    both = [x for x in a if x in b and x not in output]
    free_a = [x for x in output if x in a and x not in b]
    free_b = [x for x in output if x in b and x not in a]
    alone = [x for x in a + b if (x in a) != (x in b) and x not in output]
    if alone or (both and not free_a and not free_b):
        # einsum's own loop is right for row-by-row dot products and rare patterns
        return lambda x, y: np.einsum(f"{a},{b}->{output}", x, y)
    if not both:
        return lambda x, y: aligned(x, a, output) * aligned(y, b, output)
    return _direct_plan(a, b, output, both, free_a, free_b) or _reshaping_plan(a, b, output, both, free_a, free_b)


def _kept(output: str, letters: str) -> str:
    return "".join(x for x in output if x in letters)


def _sum_plan(a: str, output: str) -> OfOne:
    summed = tuple(i for i, x in enumerate(a) if x not in output)
    kept = "".join(x for x in a if x in output)

    def run(x: np.ndarray) -> np.ndarray:
        return aligned(np.add.reduce(x, axis=summed) if summed else x, kept, output)

    return run


def _direct_plan(a: str, b: str, output: str, both: list[str], free_a: list[str], free_b: list[str]) -> OfTwo | None:
    """One matmul on views, no copies: for one summed axis, where the last two axes come one from each side."""
    if len(both) != 1 or len(output) < 2:
        return None
    row, column = output[-2:]
    if row in free_a and column in free_b:
        left, right, swap = a, b, False
    elif row in free_b and column in free_a:
        left, right, swap = b, a, True
    else:
        return None
    loops = output[:-2]
    left_axes, right_axes = loops + row + both[0], loops + both[0] + column

    def run(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        if swap:
            x, y = y, x
        return _matmul(aligned(x, left, left_axes), aligned(y, right, right_axes))

    return run


def _matmul(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x · y. A few rows are multiplied strip by strip of the columns: each is small enough for BLAS to take as it lies.

    Otherwise it copies both sides first, which for a few rows takes as long as the product itself.
    """
    (rows, inner), columns = x.shape[-2:], y.shape[-1]
    width = next((n for n in STRIPS if rows * inner * n <= UNPACKED and not columns % n), 0)
    if x.ndim != 2 or y.ndim != 2 or not 1 < rows <= FEW or not width:
        return np.matmul(x, y)
    strips = y.reshape(inner, -1, width).transpose(1, 0, 2)
    return np.matmul(x, strips).transpose(1, 0, 2).reshape(rows, columns)


def _reshaping_plan(a: str, b: str, output: str, both: list[str], free_a: list[str], free_b: list[str]) -> OfTwo:
    """Axes that play the same part are merged into one, so that one matmul serves any pattern."""
    batch = [x for x in output if x in a and x in b]
    order_a = [a.index(x) for x in batch + free_a + both]
    order_b = [b.index(x) for x in batch + both + free_b]
    result = "".join(batch + free_a + free_b)
    back = [result.index(x) for x in output]

    def run(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        size = {**dict(zip(a, x.shape)), **dict(zip(b, y.shape))}

        def many(letters: list[str]) -> int:
            return int(np.prod([size[letter] for letter in letters], dtype=np.int64))

        lead = [size[letter] for letter in batch]
        x = x.transpose(order_a).reshape([*lead, many(free_a), many(both)])
        y = y.transpose(order_b).reshape([*lead, many(both), many(free_b)])
        return np.matmul(x, y).reshape([size[letter] for letter in result]).transpose(back)

    return run

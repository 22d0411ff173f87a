"""What every kind of operation knows: its value, its gradient as further steps, the arithmetic of one cell."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from regard.ops.expression import Leaf, Tree


class Node(Protocol):
    """What an operation may ask of a step it reads."""

    @property
    def axes(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def value(self) -> np.ndarray: ...
    @property
    def inputs(self) -> "tuple[Any, ...]": ...
    @property
    def op(self) -> "Operation": ...
    def leaf(self, at: tuple[int, ...]) -> Leaf: ...


@dataclass(frozen=True)
class New:
    """A step still without a name: an operation on steps, or on further new ones."""

    op: "Operation"
    inputs: "tuple[Node | New, ...]"
    name: str = "terms"  # what it is called when it stands inside another new one

    @property
    def axes(self) -> str:
        return self.op.axes

    @property
    def shape(self) -> tuple[int, ...]:
        return self.op.shape([i.shape for i in self.inputs])


class Operation:
    """One kind of operation, as data: equal data, equal arithmetic."""

    kind: ClassVar[str]

    @property
    def axes(self) -> str:
        """The letters of the result's axes."""
        raise TypeError(f"{type(self).__name__} must name its axes")

    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        raise TypeError(f"{type(self).__name__} must give its shape")

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        raise TypeError(f"{type(self).__name__} must compute")

    def backward(self, step: Node, gradient: Node) -> "list[New | None]":
        """For each input, the step that is its share of the blame; None where no gradient goes."""
        raise TypeError(f"{type(self).__name__} must pass gradients on")

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        """How the cell at this place came about."""
        raise TypeError(f"{type(self).__name__} must explain itself")

    def data(self) -> dict[str, Any]:
        """This operation for a file: names and numbers, never code."""
        raise TypeError(f"{type(self).__name__} must describe itself")


_readers: dict[str, Callable[..., Operation]] = {}


Kind = TypeVar("Kind", bound=type[Operation])


def register(kind: Kind) -> Kind:
    _readers[kind.kind] = kind
    return kind


def operation_from_data(data: dict[str, Any]) -> Operation:
    """The operation that a file names. Only registered kinds can come of it; nothing in a file is run."""
    fields = dict(data)
    kind = fields.pop("kind", None)
    if kind not in _readers:
        raise ValueError(f"unknown operation {kind!r}; this version knows {', '.join(sorted(_readers))}")
    fields = {name: _frozen(value) for name, value in fields.items()}
    try:
        return _readers[kind](**fields)
    except TypeError as error:
        raise ValueError(f"the operation {kind} does not take {', '.join(map(repr, fields))}") from error


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value

"""What every kind of operation knows: its value, its gradient as further steps, the arithmetic of one cell."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, TypeVar, cast

import numpy as np

from regard.ops.expression import Leaf, Tree
from regard.ops.narrow import Numbers
from regard.ops.spec import index_of, parse, sizes_of


class Node(Protocol):
    """What an operation may ask of a step it reads."""

    @property
    def axes(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def value(self) -> np.ndarray: ...
    @property
    def stored(self) -> Numbers: ...
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
    name: str = "terms"  # its name inside another new one

    @property
    def axes(self) -> str:
        return self.op.axes

    @property
    def shape(self) -> tuple[int, ...]:
        return self.op.shape([i.shape for i in self.inputs])


class Operation(ABC):
    """One kind of operation, as data: equal data, equal arithmetic."""

    kind: ClassVar[str]
    is_dear: ClassVar[bool] = False  # whether it takes whole runs to compute, so that its result is never forgotten

    @property
    @abstractmethod
    def axes(self) -> str:
        """The letters of the result's axes."""

    @abstractmethod
    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """The result's shape, from those of the inputs."""

    @abstractmethod
    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        """The result."""

    def compute(self, inputs: Sequence[Node]) -> Numbers:
        """The result, from the steps it reads; a kind that needs more than their numbers overrides this."""
        return self.forward(*(i.value for i in inputs))

    @abstractmethod
    def backward(self, step: Node, gradient: Node) -> "list[New | None]":
        """For each input, the step that is its share of the blame; None where no gradient flows."""

    def backward_holding_gates(self, step: Node, gradient: Node) -> "list[New | None]":
        """The same, with a curve counted as the share of its input that it lets through, held as it was."""
        return self.backward(step, gradient)

    @abstractmethod
    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        """How the cell at this place was computed."""

    def data(self) -> dict[str, Any]:
        """This operation for a file: names and numbers, never code; arrays are kept apart."""
        named = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "array"}  # pyright: ignore[reportArgumentType]
        return {"kind": self.kind, **named}


class Specified(Operation):
    """A kind whose axes are given by a spec such as "HQD,HKD->HQK"."""

    spec: str

    @property
    def axes(self) -> str:
        return parse(self.spec)[1]

    @property
    def own_sizes(self) -> dict[str, int]:
        """The sizes of axes that no input has."""
        return {}

    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return index_of(self.axes, sizes_of(self.spec, shapes, self.own_sizes))


_readers: dict[str, Callable[..., Operation]] = {}


Kind = TypeVar("Kind", bound=type[Operation])


def register(kind: Kind) -> Kind:
    _readers[kind.kind] = kind
    return kind


def operation_from_data(data: dict[str, Any]) -> Operation:
    """The operation that a file names. Only registered kinds can result; nothing in a file is run."""
    given = dict(data)
    kind = given.pop("kind", None)
    if kind not in _readers:
        raise ValueError(f"unknown operation {kind!r}; this version knows {', '.join(sorted(_readers))}")
    given = {name: _frozen(value) for name, value in given.items()}
    try:
        return _readers[kind](**given)
    except TypeError as error:
        raise ValueError(f"the operation {kind} does not take {', '.join(map(repr, given))}") from error


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, cast(list[Any], value))) if isinstance(value, list) else value

"""The tree of an expression: numbers as printed, names, vectors, operators and calls."""

from collections.abc import Iterator
from dataclasses import dataclass

from regard.audit.verdict import Printed


@dataclass(frozen=True)
class Number:
    """A printed number; `place` tells equal numbers apart."""

    text: str
    place: int
    percent: bool = False
    line: int = 0

    @property
    def printed(self) -> Printed:
        """Value and last digit, in the number's own unit (98 for 98 %)."""
        return Printed.read(self.text)

    @property
    def value(self) -> float:
        """What it is worth in arithmetic: 0.98 for 98 %."""
        return self.printed.value / (100 if self.percent else 1)


@dataclass(frozen=True)
class Name:
    """A name, known or not."""

    text: str


@dataclass(frozen=True)
class Vector:
    """Items in brackets; `round` remembers that they were parentheses, as shapes and tuples are."""

    items: tuple["Node", ...]
    round: bool = False


@dataclass(frozen=True)
class Unary:
    """A sign, a root, a factorial or a transpose."""

    operator: str
    operand: "Node"


@dataclass(frozen=True)
class Binary:
    """Two operands and what joins them."""

    operator: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Call:
    """A function by its plain name (`np.dot` is `dot`) and its arguments."""

    function: str
    arguments: tuple["Node", ...]


Node = Number | Name | Vector | Unary | Binary | Call


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, from left to right."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(children(part)))


def children(node: Node) -> tuple[Node, ...]:
    """The parts of a node, from left to right."""
    if isinstance(node, Number | Name):
        return ()
    if isinstance(node, Binary):
        return (node.left, node.right)
    if isinstance(node, Vector):
        return node.items
    return node.arguments if isinstance(node, Call) else (node.operand,)


def terms(node: Node) -> list[tuple[int, Node]]:
    """The summands of a sum, each with its sign; anything else is one summand."""
    if isinstance(node, Binary) and node.operator in ("+", "-"):
        sign = 1 if node.operator == "+" else -1
        return [*terms(node.left), *((sign * inner, term) for inner, term in terms(node.right))]
    return [(1, node)]


def literals(node: Node) -> list[tuple[int, Number]] | None:
    """The numbers of a plain number, vector or matrix with their signs; nothing if it is more than that."""
    match node:
        case Number():
            return [(1, node)]
        case Unary("-", Number() as number):
            return [(-1, number)]
        case Vector(items):
            inner = [literals(item) for item in items]
            return None if any(part is None for part in inner) else [pair for part in inner for pair in part or []]
        case Call("array" | "tensor" | "asarray", (argument,)):
            return literals(argument)
        case _:
            return None

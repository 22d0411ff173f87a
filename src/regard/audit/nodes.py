"""Small trees of arithmetic: what the grammar reads, the evaluator computes and the judge compares."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from regard.audit.verdict import Printed


class Unreadable(Exception):
    """Nothing we understand, or nothing that has a value; the claim is left alone."""


class Number(NamedTuple):
    """A number as it is `printed` (98 for 98 %), its `value` in arithmetic (0.98), and the worth of its last digit."""

    text: str
    place: int  # tells equal numbers apart
    percent: bool = False
    line: int = 0
    unit: str = ""  # the word behind it that says what it counts

    @property
    def printed(self) -> Printed:
        return Printed.read(self.text)

    @property
    def value(self) -> float:
        return self.printed.value / (100 if self.percent else 1)

    @property
    def step(self) -> float:
        return self.printed.unit / (100 if self.percent else 1)

    @property
    def decimals(self) -> int:
        return len(self.text.lower().partition("e")[0].partition(".")[2])


class Name(NamedTuple):
    text: str  # known or not


class Vector(NamedTuple):
    items: "tuple[Node, ...]"
    round: bool = False  # whether the brackets are parentheses, as those of shapes and tuples are


class Unary(NamedTuple):
    operator: str  # a sign, a root or a transpose
    operand: "Node"


class Binary(NamedTuple):
    operator: str
    left: "Node"
    right: "Node"


class Call(NamedTuple):
    function: str  # by its plain name: `np.dot` is `dot`
    arguments: "tuple[Node, ...]"


Node = Number | Name | Vector | Unary | Binary | Call


def below(node: Node) -> "tuple[Node, ...]":
    """The parts a node is made of."""
    if isinstance(node, Vector | Call):
        return node.items if isinstance(node, Vector) else node.arguments
    return node[1:] if isinstance(node, Unary | Binary) else ()


def mapped(node: Node, change: Callable[[Number | Name], Node]) -> Node:
    """The same expression with every number and every name changed."""
    parts = tuple(mapped(part, change) for part in below(node))
    if isinstance(node, Vector | Call):
        return Vector(parts, node.round) if isinstance(node, Vector) else Call(node.function, parts)
    return type(node)(node.operator, *parts) if isinstance(node, Unary | Binary) else change(node)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, from left to right."""
    waiting = [node]
    while waiting:
        waiting += below(part := waiting.pop())[::-1]
        yield part


def filled(node: Node, parts: Mapping[str, Node]) -> Node:
    """An expression with its names replaced by what they stand for."""
    return mapped(node, lambda leaf: parts.get(leaf.text, leaf) if isinstance(leaf, Name) else leaf)


def terms(node: Node) -> list[tuple[int, Node]]:
    """The summands of a sum, each with its sign; anything else is one summand."""
    if isinstance(node, Binary) and node.operator in ("+", "-"):
        sign = 1 if node.operator == "+" else -1
        return terms(node.left) + [(sign * inner, term) for inner, term in terms(node.right)]
    return [(1, node)]


def literals(node: Node | None) -> list[tuple[int, Number]] | None:
    """The numbers of a plain number, vector or matrix with their signs; nothing if it is more than that."""
    match node:
        case Number():
            return [(1, node)]
        case Unary("-", Number() as number):
            return [(-1, number)]
        case Vector(items) | Call("array" | "tensor" | "asarray", items):
            inner = [literals(item) for item in items]
            return None if None in inner else [pair for part in inner for pair in part or []]
    return None


def is_computation(node: Node | None) -> bool:
    """Whether there is something to compute: a number, a vector of numbers or a name is only stated."""
    if node is None or literals(node) is not None:
        return False
    return any(isinstance(p, Binary | Call) or (isinstance(p, Unary) and p.operator != "-") for p in walk(node))


def names_in(node: Node) -> set[str]:
    """The names an expression leans on."""
    return {part.text for part in walk(node) if isinstance(part, Name)}


def is_whole(node: Node) -> bool:
    """Whether only whole numbers are combined, by operators alone."""
    return not any(isinstance(p, Call) or (isinstance(p, Number) and "." in p.text) for p in walk(node))

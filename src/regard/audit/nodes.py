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
        return self.printed.decimals


class Name(NamedTuple):
    text: str  # known or not


class Vector(NamedTuple):
    parts: "tuple[Node, ...]"
    round: bool = False  # whether the brackets are parentheses, as those of shapes and tuples are


class Call(NamedTuple):
    function: str  # by its plain name (`np.dot` is `dot`), or a sign: a minus before a number has one part, else two
    parts: "tuple[Node, ...]"


Node = Number | Name | Vector | Call


def mapped(node: Node, change: Callable[[Number | Name], Node]) -> Node:
    """The same expression with every number and every name changed."""
    if isinstance(node, Number | Name):
        return change(node)
    return node._replace(parts=tuple(mapped(part, change) for part in node.parts))


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, from left to right."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        waiting += () if isinstance(part, Number | Name) else part.parts[::-1]
        yield part


def filled(node: Node, parts: Mapping[str, Node]) -> Node:
    """An expression with its names replaced by what they stand for."""
    return mapped(node, lambda leaf: parts.get(leaf.text, leaf) if isinstance(leaf, Name) else leaf)


def terms(node: Node) -> list[tuple[int, Node]]:
    """The summands of a sum, each with its sign; anything else is one summand."""
    match node:
        case Call("+" | "-" as sign, (left, right)):
            return terms(left) + [(inner if sign == "+" else -inner, term) for inner, term in terms(right)]
    return [(1, node)]


def literals(node: Node | None) -> list[tuple[int, Number]] | None:
    """The numbers of a plain number, vector or matrix with their signs; nothing if it is more than that."""
    match node:
        case Number():
            return [(1, node)]
        case Call("-", (Number() as number,)):
            return [(-1, number)]
        case Vector(parts) | Call("array" | "tensor" | "asarray", parts):
            inner = [literals(part) for part in parts]
            return None if None in inner else [pair for part in inner for pair in part or []]
    return None


def is_computation(node: Node | None) -> bool:
    """Whether there is something to compute: a number, a vector of numbers or a name is only stated."""
    if node is None or literals(node) is not None:
        return False
    return any(isinstance(part, Call) and (part.function != "-" or len(part.parts) > 1) for part in walk(node))


def numbers_in(node: Node | None) -> list[Number]:
    """The numbers of an expression, from left to right; none of none."""
    return [part for part in walk(node) if isinstance(part, Number)] if node else []


def names_in(node: Node) -> set[str]:
    """The names an expression leans on."""
    return {part.text for part in walk(node) if isinstance(part, Name)}


def calls_in(node: Node) -> set[str]:
    """The functions and the signs by which it is computed."""
    return {part.function for part in walk(node) if isinstance(part, Call)}


def is_whole(node: Node) -> bool:
    """Whether only whole numbers are combined, by signs alone."""
    return not any(map(str.isidentifier, calls_in(node))) and not any("." in part.text for part in numbers_in(node))

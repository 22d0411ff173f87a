"""Small trees of arithmetic: what the grammar reads, the evaluator computes and the judge compares."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from regard.audit.verdict import Printed


class Unreadable(Exception):
    """Nothing we understand, or nothing that has a value; the claim is left alone."""


class Number(NamedTuple):
    """A printed number; `place` tells equal numbers apart."""

    text: str
    place: int
    percent: bool = False
    line: int = 0
    unit: str = ""  # the word behind it, where there is one that says what it counts

    @property
    def printed(self) -> Printed:
        """Value and last digit, in the number's own unit (98 for 98 %)."""
        return Printed.read(self.text)

    @property
    def value(self) -> float:
        """What it is worth in arithmetic: 0.98 for 98 %."""
        value = Printed.read(self.text).value
        return value / 100 if self.percent else value

    @property
    def step(self) -> float:
        """What one step of its last digit is worth."""
        return self.printed.unit / (100 if self.percent else 1)

    @property
    def decimals(self) -> int:
        """How many digits stand behind the point."""
        return len(self.text.lower().partition("e")[0].partition(".")[2])


class Name(NamedTuple):
    """A name, known or not."""

    text: str


class Vector(NamedTuple):
    """Items in brackets; `round` remembers that they were parentheses, as shapes and tuples are."""

    items: "tuple[Node, ...]"
    round: bool = False


class Unary(NamedTuple):
    """A sign, a root, a factorial or a transpose."""

    operator: str
    operand: "Node"


class Binary(NamedTuple):
    """Two operands and what joins them."""

    operator: str
    left: "Node"
    right: "Node"


class Call(NamedTuple):
    """A function by its plain name (`np.dot` is `dot`), its arguments, and in code its keywords."""

    function: str
    arguments: "tuple[Node, ...]"
    keywords: "tuple[tuple[str, Node], ...]" = ()


Node = Number | Name | Vector | Unary | Binary | Call


def below(node: Node) -> "tuple[Node, ...]":
    """The parts a node is made of."""
    match node:
        case Binary(_, left, right):
            return (left, right)
        case Vector(parts) | Call(_, parts):
            return parts
        case Unary(_, operand):
            return (operand,)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, from left to right."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, Number):
            waiting += below(part)[::-1]


def rebuilt(node: Node, parts: "tuple[Node, ...]") -> Node:
    """The same node made of other parts."""
    match node:
        case Binary(operator):
            return Binary(operator, *parts)
        case Vector() | Call():
            return node._replace(**{node._fields[isinstance(node, Call)]: parts})
        case Unary(operator):
            return Unary(operator, *parts)
    return node


def filled(node: Node, parts: Mapping[str, Node]) -> Node:
    """An expression with its names replaced by what they stand for."""
    if isinstance(node, Name):
        return parts.get(node.text, node)
    return rebuilt(node, tuple(filled(part, parts) for part in below(node)))


def terms(node: Node) -> list[tuple[int, Node]]:
    """The summands of a sum, each with its sign; anything else is one summand."""
    if isinstance(node, Binary) and node.operator in ("+", "-"):
        sign = 1 if node.operator == "+" else -1
        return [*terms(node.left), *((sign * inner, term) for inner, term in terms(node.right))]
    return [(1, node)]


def factors_of(node: Node) -> list[Node]:
    """The factors of a product; anything else has none."""
    match node:
        case Binary("*" | "×" | "·", left, right):
            return [part for side in (left, right) for part in factors_of(side) or [side]]
    return []


def literals(node: Node | None) -> list[tuple[int, Number]] | None:
    """The numbers of a plain number, vector or matrix with their signs; nothing if it is more than that."""
    match node:
        case Number():
            return [(1, node)]
        case Unary("-", Number() as number):
            return [(-1, number)]
        case Vector(items):
            inner = [literals(item) for item in items]
            return None if None in inner else [pair for part in inner for pair in part or []]
        case Call("array" | "tensor" | "asarray", (argument,)):
            return literals(argument)
    return None


def is_computation(node: Node | None) -> bool:
    """Whether there is something to compute: a number, a vector of numbers or a name is only stated."""
    if isinstance(node, Binary):
        return True
    if node is None or isinstance(node, Number | Name) or literals(node) is not None:
        return False
    return any(isinstance(p, Binary | Call) or (isinstance(p, Unary) and p.operator != "-") for p in walk(node))


def names_in(node: Node) -> set[str]:
    """The names an expression leans on."""
    return {part.text for part in walk(node) if isinstance(part, Name)}


def is_whole(node: Node) -> bool:
    """Whether only whole numbers are combined, by operators alone."""
    return not any(isinstance(p, Call) or (isinstance(p, Number) and "." in p.text) for p in walk(node))


def shape_of(node: Node) -> tuple[int, ...] | None:
    """The shape a tuple of whole numbers states, as in `(10, 64)`; nothing if it is no such tuple."""
    if not isinstance(node, Vector) or not node.round:
        return None
    sizes = [int(item.printed.value) for item in node.items if isinstance(item, Number) and not item.decimals]
    return tuple(sizes) if len(sizes) == len(node.items) and all(sizes) else None


def speaks_of_shapes(node: Node) -> bool:
    """Whether a product is one of shapes, as in `(10, 10) @ (10, 64)`."""
    joined = isinstance(node, Binary) and node.operator in ("@", "×", "*", "·")
    return joined and sum(shape_of(part) is not None for part in walk(node)) > 1

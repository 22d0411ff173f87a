"""The shape of an expression of code, read with what a page says of its names: `np.zeros((3, 4)) @ W` has one, or none.

Shapes are learned from literals, from `np.zeros((3, 4))`, from comments such as `# (10, 10) @ (10, 64)`, from sentences
such as "W_Q shape: (512, 64)". Sizes may be numbers or names.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from regard.audit import data
from regard.audit.nodes import Binary, Call, Name, Node, Number, Unary, Vector, literals, names_in
from regard.audit.python import Changes

Shape = tuple[int | str, ...]
DRAWN = {"normal", "uniform", "randint", "integers"}  # two arguments come before the size
WRAPPERS = {"array", "tensor", "asarray", "Tensor", "FloatTensor"}
TURNED = ("transpose", "swapaxes", "t")


class Trouble(Exception):
    """The line cannot run; the message says why."""

    def __init__(self, message: str, computed: str, clash: str = "") -> None:
        super().__init__(message)
        self.computed, self.clash = computed, clash


@dataclass
class Names:
    """What is known of the names of a page so far: shapes, and values where every number is written out."""

    known: dict[str, Shape] = field(default_factory=dict)
    values: dict[str, np.ndarray] = field(default_factory=dict)
    lists: set[str] = field(default_factory=set)
    parts: dict[str, Shape] = field(default_factory=dict)  # of numbered names: head1, head2, … by "head"
    scalars: set[str] = field(default_factory=set)  # names like score_i, given one dot product
    hidden: set[str] = field(default_factory=set)  # arguments and loop variables of this block

    def give(self, name: str, shape: Shape | None, value: np.ndarray | None = None, *, is_list: bool = False) -> None:
        """A name got something, whose shape or value may be unknown."""
        for kept in (self.known, self.values):
            kept.pop(name, None)
        self.lists.discard(name)
        self.scalars.discard(name)
        if value is not None:
            self.values[name] = value
        if shape == () and value is None and data.INDEXED.search(name):
            self.scalars.add(name)
        elif shape:
            self.known[name] = shape
            self.hidden.discard(name)
            self.lists |= {name} if is_list else set()

    def find(self, name: str, blocks: int = 0) -> Shape | None:
        """The shape of a name: its own, that of every part of its kind, or a block of rows of the whole.

        >>> names = Names(known={"W_O": (512, 512)}, parts={"head": (4, 64)})
        >>> names.find("head3"), names.find("W_O1", blocks=8), names.find("W_O1")
        ((4, 64), (64, 512), None)
        """
        if name in self.hidden or name in self.known or not (found := data.NUMBERED.match(name)):
            return None if name in self.hidden else self.known.get(name)
        if found[1] in self.parts:
            return self.parts[found[1]]
        whole = self.known.get(found[1], ())
        if len(whole) == 2 and isinstance(whole[0], int) and blocks > 1 and whole[0] % blocks == 0:
            return (whole[0] // blocks, whole[1])
        return None

    def forget(self, changes: Changes) -> None:
        """A line changed names in ways nobody follows here."""
        if changes.everything:
            self.__init__()
        for name in changes.stored:
            self.give(name, None)
        self.hidden |= changes.bound
        for name in changes.bound:
            self.values.pop(name, None)


def show_shape(shape: Shape) -> str:
    """A shape as Python prints it, names without quotes.

    >>> show_shape((2,)), show_shape(("seq_len", 64))
    ('(2,)', '(seq_len, 64)')
    """
    return "(" + ", ".join(map(str, shape)) + (",)" if len(shape) == 1 else ")")


def read_shape(text: str) -> Shape:
    """A shape as written.

    >>> read_shape("(seq_len, 512)")
    ('seq_len', 512)
    """
    return tuple(int(size) if size.isdigit() else size for size in re.findall(r"\d+|[A-Za-z]\w*", text))


class Shapes:
    """Reads the shape of an expression; raises `Trouble` where there can be none."""

    def __init__(self, root: Node, names: Names, *, python: bool, dotted: bool) -> None:
        self.names, self.python, self.dotted = names, python, dotted
        numbers = [int(found[2]) for found in map(data.NUMBERED.match, names_in(root)) if found]
        self.blocks = max(numbers, default=0) if "…" in names_in(root) else 0  # W_O1 + ... + W_O8: eight blocks

    def of(self, node: Node) -> Shape | None:
        """The shape, or nothing where the page does not say."""
        match node:
            case Name(name):
                return self.names.find(name, self.blocks)
            case Number():
                return ()
            case Vector(items):
                inner = {self.of(item) for item in items}
                return (len(items), *(inner.pop() or ())) if len(inner) == 1 and None not in inner else None
            case Unary(".T", operand):
                shape = self.of(operand)
                is_list = isinstance(operand, Vector) or getattr(operand, "text", "") in self.names.lists
                if is_list and self.python and shape is not None:
                    raise Trouble("a Python list has no .T; make it an array first", "a list has no .T")
                turned = shape[::-1] if shape is not None else None
                return turned if self.python or len(shape or ()) < 3 else _swapped(shape, -2, -1)  # on paper, per head
            case Unary(".mT", operand):
                return _swapped(self.of(operand), -2, -1)
            case Unary(_, operand):
                return self.of(operand)
            case Binary("@", left, right) if not self.dotted:
                return product(self.of(left), self.of(right))
            case Binary("@", _, right):  # Q · K_i is one number
                return () if isinstance(right, Name) and data.INDEXED.search(right.text) else None
            case Binary(operator, left, right):
                return _together(operator, self.of(left), self.of(right))
            case Call():
                return self.call(node)

    def call(self, node: Call) -> Shape | None:
        """The shape of what a function makes or keeps."""
        name, arguments, method = node.function.lstrip("."), node.arguments, node.function.startswith(".")
        first = arguments[0] if len(arguments) == 1 else None
        if name == "softmax" and isinstance(first, Name) and first.text in self.names.scalars:
            raise Trouble("softmax needs all the scores; of one score it is always 1", "always 1")
        if (made := _made(name, arguments[1:] if method else arguments, dict(node.keywords))) is not None:
            return made
        if method and name in (*TURNED, "reshape", "view"):
            return _rearranged(name, self.of(arguments[0]), arguments[1:])
        inner = [self.of(argument) for argument in arguments]
        if name in ("dot", "matmul", "mm") and len(inner) == 2 and not (method and name == "dot"):
            return product(*inner)
        return inner[0] if inner and (name in WRAPPERS or (name in data.SAME and not method)) else None


def _together(operator: str, left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of two arrays item by item, where sizes of 1 stretch; only products are judged, as pages add lists."""
    if left is None or right is None or operator not in ("+", "-", "*", "/"):
        return left if right is not None else None
    long, short = (left, right) if len(left) >= len(right) else (right, left)
    fits = all(a == b or 1 in (a, b) for a, b in zip(long[::-1], short[::-1], strict=False))
    short = (1,) * (len(long) - len(short)) + short
    return tuple(b if a == 1 else a for a, b in zip(long, short, strict=True)) if fits else None


def _made(name: str, arguments: Sequence[Node], keywords: Mapping[str, Node]) -> Shape | None:
    """The shape of an array made from its sizes: `np.zeros((3, 4))`, `torch.randn(3, 4)`."""
    size = keywords.get("size", keywords.get("shape"))
    sizes: Sequence[Node] = []
    if name in data.MAKERS | DRAWN | {"full"} and size is not None:
        sizes = [size]
    elif name in data.MAKERS:
        sizes = arguments
    elif name in DRAWN and len(arguments) == 3:
        sizes = arguments[2:]
    elif name == "full":
        sizes = arguments[:1]
    elif name == "eye" and len(arguments) == 1:
        sizes = [*arguments, *arguments]
    return _sizes(sizes) or None


def _sizes(nodes: Sequence[Node]) -> tuple[int, ...]:
    """Sizes written as whole numbers, in brackets or not, all of them or none."""
    nodes = nodes[0].items if len(nodes) == 1 and isinstance(nodes[0], Vector) else nodes
    found = [literals(node) or [] for node in nodes]
    if any(len(pairs) != 1 or pairs[0][1].decimals for pairs in found):
        return ()
    return tuple(sign * int(number.value) for ((sign, number),) in found)


def _rearranged(name: str, shape: Shape | None, arguments: Sequence[Node]) -> Shape | None:
    """The shape after a transpose or a reshape, where every number is written out."""
    if not shape or any(not isinstance(size, int) for size in shape):
        return None
    numbers = _sizes(arguments)
    if name in TURNED:
        if not arguments and name != "swapaxes":
            return shape[::-1] if name == "transpose" or len(shape) == 2 else None
        if len(numbers) == len(shape) > 2 and sorted(numbers) == list(range(len(shape))):
            return tuple(shape[at] for at in numbers)
        return _swapped(shape, *numbers) if len(numbers) == 2 else None
    total = math.prod(int(size) for size in shape)
    if numbers.count(-1) == 1 and (rest := -math.prod(numbers)) > 0 and total % rest == 0:
        return tuple(total // rest if size == -1 else size for size in numbers)
    return numbers if numbers and math.prod(numbers) == total else None


def _swapped(shape: Shape | None, first: int, second: int) -> Shape | None:
    """A shape with two of its axes exchanged."""
    if not shape or not all(-len(shape) <= axis < len(shape) for axis in (first, second)):
        return None
    sizes = list(shape)
    sizes[first], sizes[second] = sizes[second], sizes[first]
    return tuple(sizes)


def product(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of `left @ right`; sizes with names clash only where the other order is the one that fits."""
    if not left or not right:
        return None
    inner, outer = left[-1], right[-2:][0]
    if inner == outer:
        if len(right) > 2 and len(right) > len(left):
            return (*right[:-2], *left[-2:-1], right[-1])  # the right one brings the batch
        return (*left[:-1], right[-1]) if len(right) > 1 else left[:-1]
    both = isinstance(inner, int) and isinstance(outer, int)
    other_order_fits = len(left) == len(right) == 2 and right[-1] == left[0] and isinstance(left[0], int)
    if not both and not other_order_fits:
        return None
    shown, clash = f"{show_shape(left)} @ {show_shape(right)}", f"{inner} and {outer} do not fit"
    hint = "; the other order does" if other_order_fits else ""
    hint = "; the right one needs .T" if len(right) == 2 and right[-1] == inner else hint
    raise Trouble(f"{shown}: {clash}{hint}", shown, clash if both else "")

"""Which shape an expression has, and why it cannot have one."""

import ast
import math
import re
from dataclasses import dataclass, field

Shape = tuple[int | str, ...]
NUMBERED = re.compile(r"^(.*?[A-Za-z])_?(\d+)$")
INDEXED = re.compile(r"_(?:i|j|k|t|ij|ik|\d+)$")
MAKERS = {"zeros", "ones", "randn", "rand", "empty", "random", "standard_normal"}  # their arguments are sizes
DRAWN = {"normal", "uniform", "randint", "integers"}  # two arguments come before the size
MODULES = {"np", "numpy", "torch", "F", "jnp", "math", "nn", "tf", "functional"}
WRAPPERS = {"array", "tensor", "asarray", "Tensor", "FloatTensor"}
SAME = {"softmax", "relu", "tanh", "exp", "sigmoid", "log", "sqrt", "abs", "float", "copy", "layer_norm", "LayerNorm"}


class Trouble(Exception):
    """The line cannot run; the message says why."""

    def __init__(self, message: str, computed: str) -> None:
        super().__init__(message)
        self.computed = computed


@dataclass
class Shapes:
    """What is known of the names of a page so far."""

    known: dict[str, Shape] = field(default_factory=dict)
    lists: set[str] = field(default_factory=set)
    parts: dict[str, Shape] = field(default_factory=dict)  # of numbered names: head1, head2, … by "head"
    scalars: set[str] = field(default_factory=set)  # names like score_i, given one dot product
    hidden: set[str] = field(default_factory=set)  # arguments and loop variables of this block

    def give(self, name: str, shape: Shape, *, is_list: bool = False) -> None:
        """A name got a shape."""
        self.known[name] = shape
        (self.lists.add if is_list else self.lists.discard)(name)
        self.hidden.discard(name)

    def assign(self, name: str, shape: Shape | None) -> None:
        """A line of code gave a name something, whose shape may be unknown."""
        if shape is None:
            self.known.pop(name, None)
            self.lists.discard(name)
            self.scalars.discard(name)
        elif shape == () and INDEXED.search(name):
            self.scalars.add(name)
        elif shape:
            self.give(name, shape)
        else:
            self.assign(name, None)  # a number now

    def find(self, name: str, blocks: int = 0) -> Shape | None:
        """The shape of a name: its own, that of every part of its kind, or a block of rows of the whole.

        >>> shapes = Shapes(known={"W_O": (512, 512)}, parts={"head": (4, 64)})
        >>> shapes.find("head3"), shapes.find("W_O1", blocks=8), shapes.find("W_O1")
        ((4, 64), (64, 512), None)
        """
        if name in self.hidden:
            return None
        if name in self.known:
            return self.known[name]
        found = NUMBERED.match(name)
        if not found:
            return None
        stem = found[1]
        if stem in self.parts:
            return self.parts[stem]
        whole = self.known.get(stem)
        if whole and len(whole) == 2 and isinstance(whole[0], int) and blocks > 1 and whole[0] % blocks == 0:
            return (whole[0] // blocks, whole[1])
        return None


def show_shape(shape: Shape) -> str:
    """A shape as Python prints it, names without quotes.

    >>> show_shape((2,)), show_shape(("seq_len", 64))
    ('(2,)', '(seq_len, 64)')
    """
    return "(" + ", ".join(map(str, shape)) + (",)" if len(shape) == 1 else ")")


def infer(node: ast.expr, shapes: Shapes, *, python: bool, dotted: bool) -> Shape | None:
    """The shape of an expression, or nothing where the page does not say; raises `Trouble` where it cannot be."""
    return _Inference(node, shapes, python, dotted).shape(node)


class _Inference:
    """One expression, read with what is known of its names."""

    def __init__(self, root: ast.expr, shapes: Shapes, python: bool, dotted: bool) -> None:
        self.shapes, self.python, self.dotted = shapes, python, dotted
        names = [node.id for node in ast.walk(root) if isinstance(node, ast.Name)]
        numbers = [int(found[2]) for found in map(NUMBERED.match, names) if found]
        goes_on = any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(root))
        self.blocks = max(numbers, default=0) if goes_on else 0  # W_O1 + ... + W_O8: eight blocks

    def shape(self, node: ast.expr) -> Shape | None:
        match node:
            case ast.Name(id=name):
                return self.shapes.find(name, self.blocks)
            case ast.Constant(value=int() | float()):
                return ()
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return self.literal(items)
            case ast.BinOp():
                return self.binary(node)
            case ast.UnaryOp(operand=operand):
                return self.shape(operand)
            case ast.Attribute(value=value, attr="T"):
                return self.transposed(value)
            case ast.Attribute(value=value, attr="mT"):
                return _swapped(self.shape(value), -2, -1)
            case ast.Call():
                return self.call(node)
        return None

    def literal(self, items: list[ast.expr]) -> Shape | None:
        inner = [self.shape(item) for item in items]
        if not items or any(shape is None for shape in inner) or len(set(inner)) != 1:
            return None
        return (len(items), *(inner[0] or ()))

    def transposed(self, value: ast.expr) -> Shape | None:
        is_list = isinstance(value, ast.List) or (isinstance(value, ast.Name) and value.id in self.shapes.lists)
        shape = self.shape(value)
        if is_list and self.python and shape is not None:
            raise Trouble("a Python list has no .T; make it an array first", "a list has no .T")
        return None if shape is None else shape[::-1]

    def binary(self, node: ast.BinOp) -> Shape | None:
        left, right = self.shape(node.left), self.shape(node.right)
        if isinstance(node.op, ast.MatMult):
            if self.dotted and INDEXED.search(ast.unparse(node.right)):
                return ()  # Q · K_i is one number
            return None if self.dotted else product(left, right)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            return self.together(left, right)
        return left

    def together(self, left: Shape, right: Shape) -> Shape | None:
        """The shape of two arrays item by item, where sizes of 1 stretch."""
        long, short = (left, right) if len(left) >= len(right) else (right, left)
        for a, b in zip(long[::-1], short[::-1], strict=False):
            if isinstance(a, int) and isinstance(b, int) and a != b and 1 not in (a, b):
                return None  # adding lists joins them, and a page may stack what it likes: only products are judged
        return long

    def call(self, node: ast.Call) -> Shape | None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        arguments = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
        first = arguments[0] if len(arguments) == 1 else None
        if name == "softmax" and isinstance(first, ast.Name) and first.id in self.shapes.scalars:
            raise Trouble("softmax needs all the scores; of one score it is always 1", "always 1")
        made = self.made(name, arguments, node.keywords)
        if made is not None:
            return made
        if isinstance(node.func, ast.Attribute) and name in ("transpose", "swapaxes", "t", "reshape", "view"):
            return self.rearranged(name, node.func.value, arguments)
        inner = [self.shape(argument) for argument in arguments]
        if name in WRAPPERS and inner:
            return inner[0]
        if name in ("dot", "matmul", "mm") and len(inner) == 2:
            return product(inner[0], inner[1])
        method = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value).split(".")[-1] not in MODULES
        if name in SAME and len(inner) >= 1 and not method:
            return inner[0]
        return None

    def made(self, name: str, arguments: list[ast.expr], keywords: list[ast.keyword]) -> Shape | None:
        """The shape of an array made from its sizes: `np.zeros((3, 4))`, `torch.randn(3, 4)`."""
        size = next((keyword.value for keyword in keywords if keyword.arg in ("size", "shape")), None)
        sizes: list[ast.expr] = []
        if name in MAKERS | DRAWN | {"full"} and size is not None:
            sizes = [size]
        elif name in MAKERS:
            sizes = arguments
        elif name in DRAWN and len(arguments) == 3:
            sizes = arguments[2:]
        elif name == "full" and arguments:
            sizes = arguments[:1]
        elif name == "eye" and len(arguments) == 1:
            sizes = arguments * 2
        if len(sizes) == 1 and isinstance(sizes[0], ast.Tuple | ast.List):
            sizes = sizes[0].elts
        return numbers_in(sizes) or None

    def rearranged(self, name: str, value: ast.expr, arguments: list[ast.expr]) -> Shape | None:
        """The shape after a transpose or a reshape, where every number is written out."""
        shape = self.shape(value)
        owner = isinstance(value, ast.Name) and value.id in MODULES
        if owner or not shape or any(not isinstance(size, int) for size in shape):
            return None
        if name == "t" and len(shape) == 2:
            return shape[::-1]
        flat = arguments[0].elts if len(arguments) == 1 and isinstance(arguments[0], ast.Tuple) else arguments
        numbers = numbers_in(flat)
        if name in ("transpose", "swapaxes"):
            if not arguments and name == "transpose":
                return shape[::-1]
            if len(numbers) == len(shape) > 2 and sorted(numbers) == list(range(len(shape))):
                return tuple(shape[at] for at in numbers)
            return _swapped(shape, *numbers) if len(numbers) == 2 else None
        total = math.prod(int(size) for size in shape)
        if numbers.count(-1) == 1 and (rest := -math.prod(numbers)) > 0 and total % rest == 0:
            return tuple(total // rest if size == -1 else size for size in numbers)
        return numbers if numbers and math.prod(numbers) == total else None


def numbers_in(sizes: list[ast.expr]) -> tuple[int, ...]:
    """Sizes written as whole numbers, all of them or none."""
    try:
        values = [ast.literal_eval(size) for size in sizes]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ()
    return tuple(values) if all(type(value) is int for value in values) else ()


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
    if inner != outer:
        both = isinstance(inner, int) and isinstance(outer, int)
        other_order_fits = len(left) == len(right) == 2 and right[-1] == left[0] and isinstance(left[0], int)
        if not both and not other_order_fits:
            return None
        message = f"{show_shape(left)} @ {show_shape(right)}: {inner} and {outer} do not fit"
        if len(right) == 2 and right[-1] == inner:
            message += "; the right one needs .T"
        elif other_order_fits:
            message += "; the other order does"
        raise Trouble(message, f"{show_shape(left)} @ {show_shape(right)}")
    if len(right) > 2 and len(right) > len(left):
        return (*right[:-2], *left[-2:-1], right[-1])  # the right one brings the batch
    return (*left[:-1], right[-1]) if len(right) > 1 else left[:-1]

"""What a piece of Python comes to, read statement by statement; nothing on a page is ever executed.

A small interpreter of the plain part of the language: numbers, texts, lists, arrays, loops, functions of the page. What
it does not know is `Unknown`, and stays so for every name it touches; what is random is an array of NaN, whose shape is
known and whose numbers are not. Steps, sizes and depth are bounded, so that a page costs no more than it should.
"""

import ast
import datetime
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.layers import LAYERS, Layer
from regard.audit.library import (
    ARRAYS,
    ATTRIBUTES,
    CONSTANTS,
    IGNORED,
    METHODS,
    MOST_CELLS,
    MOST_ITEMS,
    MOST_WORK,
    ORDERING,
    PLAIN,
    RENAMED,
    TENSOR,
    Blank,
    Mismatch,
    Unknown,
    blank,
    columns,
    formatted,
    has_holes,
    matmul,
    shape_of,
    size_of,
)
from regard.audit.shapes import Trouble

MOST_STEPS = 60_000  # of a page
DEEPEST = 25  # calls in calls
MOST_TRACED = 400  # statements of one run whose results are kept


class Fails(Exception):
    """The code raises an error of its own."""


class _Leave(Exception):
    """A `return`, `break` or `continue`."""

    def __init__(self, kind: type[ast.stmt], value: Any = None) -> None:
        self.kind, self.value = kind, value


class Function(NamedTuple):
    """A function that the page defines."""

    arguments: ast.arguments
    body: list[ast.stmt] | ast.expr
    outer: Mapping[str, Any]


class Class(NamedTuple):
    """A class that the page defines: its functions and constants, and its fields in order where it is a dataclass."""

    names: dict[str, Any]
    fields: tuple[str, ...] = ()


class Instance(NamedTuple):
    """An object of such a class."""

    kind: Class
    names: dict[str, Any]

    def parameters(self) -> Iterable[Blank]:
        """Those of its layers."""
        for value in self.names.values():
            if isinstance(value, Layer | Instance):
                yield from value.parameters()


class Traced(NamedTuple):
    """A statement that was followed: its value, and what it printed."""

    statement: ast.stmt
    value: Any
    printed: str


MUTABLE = (list, dict, set, np.ndarray, Blank)
NOTHING = object()  # a name whose value was lost
RANDOM = object()  # something that draws numbers
BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
    ast.Is: lambda a, b: a is b, ast.IsNot: lambda a, b: a is not b,
}  # fmt: skip


class Interpreter:
    """The names of a page, and what its statements make of them."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.printed: list[str] = []
        self.traced: list[Traced] = []
        self.steps = self.work = self.depth = 0
        self.torch = False
        self.on_paper = False  # not in Python: there .T is that of every matrix

    def run(self, statement: ast.stmt) -> Any:
        """One statement: the value of an expression, and in `printed` what it prints; what it may change is lost where
        it cannot be followed."""
        self.printed, self.depth, self.traced = [], 0, []
        try:
            self.do([statement], self.names)
        except (Unknown, Trouble, Mismatch):
            self.lose(statement)
            raise
        except _Leave as found:
            return found.value
        except (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as problem:
            self.lose(statement)
            raise Fails(str(problem)) from problem
        return self.traced[-1].value if self.traced and self.traced[-1].statement is statement else None

    def lose(self, statement: ast.stmt) -> None:
        """Forget what a statement may have changed."""
        whole = not isinstance(statement, ast.Assign | ast.AnnAssign)
        mutables = {name for name, value in self.names.items() if isinstance(value, MUTABLE)}
        called = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        if any(isinstance(self.names.get(name), Function) for name in called):
            self.names |= dict.fromkeys(mutables, NOTHING)  # a function of the page may change what it does not name
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                mutable = node.id in mutables
                if isinstance(node.ctx, ast.Store | ast.Del) or (whole and mutable):
                    self.names[node.id] = NOTHING
            elif isinstance(name := getattr(node, "name", None), str):
                self.names[name] = NOTHING
            elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
                self.names |= {n.id: NOTHING for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            elif isinstance(node, ast.Attribute) and node.attr.endswith("_") and isinstance(node.value, ast.Name):
                self.names[node.value.id] = NOTHING

    def do(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> None:
        """Statements one after the other."""
        for statement in body:
            self.step()
            before, found = len(self.printed), None
            match statement:
                case ast.Expr(value):
                    found = self.value(value, names)
                case ast.Assign(targets, value):
                    found = self.value(value, names)
                    for target in targets:
                        self.store(target, found, names)
                case ast.AnnAssign(target, _, ast.expr() as value):
                    self.store(target, self.value(value, names), names)
                case ast.AugAssign(target, sign, value):
                    if isinstance(target, ast.Name) and target.id not in names:
                        raise Unknown  # a name of a function that has no value yet
                    old = self.value(_loaded(target), names)
                    self.store(target, self.binary(sign, old, self.value(value, names)), names)
                case ast.If(test, then, other):
                    self.do(then if self.truth(test, names) else other, names)
                case ast.For(target, source, inner, []):
                    self.loop(self.items(source, names), target, inner, names)
                case ast.While(test, inner, []):
                    self.loop(iter(lambda: self.truth(test, names), False), None, inner, names)
                case ast.FunctionDef(name, arguments, inner, []) if not _yields(statement):
                    names[name] = Function(arguments, inner, names)
                case ast.ClassDef(name, bases, [], body=inner) if not _yields(statement):
                    names[name] = self.defined(bases, inner, statement.decorator_list, names)
                case ast.Try(inner, _, [], []):
                    self.do(inner, names)
                case ast.Return(value):
                    raise _Leave(ast.Return, self.value(value, names) if value else None)
                case ast.Break() | ast.Continue():
                    raise _Leave(type(statement))
                case ast.Import(aliases) | ast.ImportFrom(_, aliases) if aliases[0].name != "*":
                    module = getattr(statement, "module", None) or ""
                    self.torch |= "torch" in f"{module} {[alias.name for alias in aliases]}"
                    for alias in aliases if module.partition(".")[0] not in ("", *data.MODULES, *STANDARD) else ():
                        names[alias.asname or alias.name] = NOTHING
                case ast.With([ast.withitem(ast.Call(ast.Attribute(_, "no_grad"), []), None)], inner):
                    self.do(inner, names)
                case ast.Assert(test):
                    with suppress(Unknown):
                        found = self.asserted(test, names)
                case ast.Pass():
                    pass
                case _:
                    raise Unknown
            if isinstance(statement, ast.Expr | ast.Assign | ast.Assert) and len(self.traced) < MOST_TRACED:
                self.traced.append(Traced(statement, found, "".join(self.printed[before:])))

    def defined(
        self, bases: Sequence[ast.expr], body: Sequence[ast.stmt], marks: Sequence[ast.expr], names: dict[str, Any]
    ) -> Class:
        """A class: plain, a dataclass, or a module of torch."""
        above = [self.value(base, names) for base in bases if "Module" not in ast.unparse(base)]
        if not all(isinstance(base, Class) for base in above) or any("dataclass" not in ast.unparse(m) for m in marks):
            raise Unknown
        inner: dict[str, Any] = {name: value for base in above for name, value in base.names.items()}
        fields = [name for base in above for name in base.fields]
        for statement in body:
            match statement:
                case ast.FunctionDef(name, arguments, lines) if not statement.decorator_list:
                    inner[name] = Function(arguments, lines, names)
                case ast.AnnAssign(ast.Name(name), _, value):
                    fields += [name] if marks else []
                    inner |= {name: self.value(value, names)} if value else {}
                case ast.Assign([ast.Name(name)], value):
                    inner[name] = self.value(value, names)
                case ast.Expr(ast.Constant()) | ast.Pass():
                    pass
                case _:
                    raise Unknown
        return Class(inner, tuple(fields))

    def instance(self, kind: Class, given: list[Any], named: dict[str, Any]) -> Instance:
        """An object, made by its `__init__` or from its fields."""
        made = Instance(kind, {})
        if "__init__" in kind.names:
            self.apply(kind.names["__init__"], [made, *given], named)
        elif len(given) > len(kind.fields):
            raise TypeError("too many arguments")
        else:
            made.names.update({name: kind.names[name] for name in kind.fields if name in kind.names})
            made.names.update(zip(kind.fields, given, strict=False))
            made.names.update(named)
        return made

    def asserted(self, test: ast.expr, names: dict[str, Any]) -> Any:
        """What is said to be a number: the value, the number in the code, and whether they agree."""
        match test:
            case ast.Compare(left, [ast.Eq()], [ast.Constant(int() | float()) as said]):
                pass
            case ast.Compare(left, [ast.Eq()], [ast.Call(args=[ast.Constant() as said, *_])]):  # pytest.approx
                return None if "approx" not in ast.unparse(test) else (self.value(left, names), said, None)
            case ast.Compare(
                ast.Call(ast.Name("abs"), [ast.BinOp(left, ast.Sub(), ast.Constant() as said)]), [ast.Lt()]
            ) | ast.Call(ast.Name("isclose") | ast.Attribute(_, "isclose"), [left, ast.Constant() as said, *_]):
                pass
            case _:
                return None
        return self.value(left, names), said, self.truth(test, names)

    def loop(self, items: Iterable[Any], target: ast.expr | None, body: list[ast.stmt], names: dict[str, Any]) -> None:
        """A loop over items, or while something holds."""
        for item in items:
            self.step()
            if target is not None:
                self.store(target, item, names)
            try:
                self.do(body, names)
            except _Leave as found:
                if found.kind is ast.Break:
                    return
                if found.kind is not ast.Continue:
                    raise

    def step(self) -> None:
        """Count one step."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unknown

    def store(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        """Give a name, several names or an item a value."""
        match target:
            case ast.Name(name):
                names[name] = value
            case ast.Tuple(parts) | ast.List(parts):
                found = list(value)
                for at, part in enumerate(parts):
                    if isinstance(part, ast.Starred):
                        end = len(found) - (len(parts) - at - 1)
                        found[at:end] = [found[at:end]]
                        parts = [*parts[:at], part.value, *parts[at + 1 :]]
                if len(found) != len(parts):
                    raise ValueError("a wrong number of values to unpack")
                for part, item in zip(parts, found, strict=True):
                    self.store(part, item, names)
            case ast.Subscript(base, at):
                self.value(base, names)[self.place(at, names)] = value
            case ast.Attribute(base, name):
                owner = self.value(base, names)
                if not isinstance(owner, Instance):
                    raise Unknown
                owner.names[name] = value
            case _:
                raise Unknown

    def truth(self, test: ast.expr, names: dict[str, Any]) -> bool:
        """Whether a condition holds."""
        found = self.value(test, names)
        if isinstance(found, float | np.ndarray) and np.any(np.isnan(found)):
            raise Unknown
        return bool(found)

    def items(self, source: ast.expr, names: dict[str, Any]) -> list[Any]:
        """What a loop runs over."""
        found = self.value(source, names)
        if isinstance(found, int | float | Function) or found is None:
            raise TypeError("nothing to run over")
        return self.bounded(list(found))

    def bounded(self, value: Any) -> Any:
        """A value that is not too large to be kept, and has been paid for."""
        parts = (value.numerator, value.denominator) if isinstance(value, int | Fraction) else ()
        if any(part.bit_length() > 4_000 for part in parts):
            raise Unknown
        size = size_of(value)
        self.work += size
        if self.work > MOST_WORK or size > (MOST_CELLS if isinstance(value, np.ndarray) else MOST_ITEMS):
            raise Unknown
        return value

    def value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        """The value of an expression."""
        self.step()
        match node:
            case ast.Constant(value) if not isinstance(value, complex | bytes) and value is not ...:
                return value
            case ast.Name(name):
                return self.named(name, names)
            case ast.BinOp(left, sign, right):
                return self.binary(sign, self.value(left, names), self.value(right, names))
            case ast.UnaryOp(sign, operand):
                found = self.value(operand, names)
                return UNARY[type(sign)](found)
            case ast.BoolOp(sign, parts):
                found = None
                for part in parts:
                    found = self.value(part, names)
                    if bool(found) != isinstance(sign, ast.And):
                        break
                return found
            case ast.Compare(left, signs, others):
                return self.compared(self.value(left, names), signs, [self.value(other, names) for other in others])
            case ast.IfExp(test, then, other):
                return self.value(then if self.truth(test, names) else other, names)
            case ast.List(parts) | ast.Tuple(parts) | ast.Set(parts):
                found = [self.value(part, names) for part in parts]
                return found if isinstance(node, ast.List) else (tuple if isinstance(node, ast.Tuple) else set)(found)
            case ast.Dict(keys, parts) if None not in keys:
                return {self.value(k, names): self.value(v, names) for k, v in zip(keys, parts, strict=True) if k}
            case ast.Subscript(base, at):
                found, where = self.value(base, names), self.place(at, names)
                if isinstance(where, list | np.ndarray | tuple) and size_of(found) * size_of(where) > MOST_CELLS:
                    raise Unknown
                return self.bounded(found[where])
            case ast.ListComp(element, sources) | ast.GeneratorExp(element, sources) | ast.SetComp(element, sources):
                found = self.bounded([self.value(element, inner) for inner in self.inner(sources, names)])
                return set(found) if isinstance(node, ast.SetComp) else found
            case ast.DictComp(key, element, sources):
                return {self.value(key, one): self.value(element, one) for one in self.inner(sources, names)}
            case ast.JoinedStr(parts):
                return "".join(str(self.value(part, names)) for part in parts)
            case ast.FormattedValue(part, conversion, specification) if conversion == -1:
                shown = str(self.value(specification, names)) if specification else ""
                if re.search(r"\d{3}", shown):
                    raise Unknown
                return format(self.value(part, names), shown)
            case ast.Lambda(arguments, body):
                return Function(arguments, body, names)
            case ast.Attribute(base, name):
                return self.attribute(base, name, names)
            case ast.Call(function, arguments, keywords):
                return self.bounded(self.call(function, arguments, keywords, names))
        raise Unknown

    def place(self, at: ast.expr, names: dict[str, Any]) -> Any:
        """An index or a slice."""
        match at:
            case ast.Slice(start, stop, step):
                return slice(*(self.value(part, names) if part else None for part in (start, stop, step)))
            case ast.Tuple(parts):
                return tuple(self.place(part, names) for part in parts)
        return self.value(at, names)

    def inner(self, sources: Sequence[ast.comprehension], names: dict[str, Any]) -> Iterable[dict[str, Any]]:
        """The names inside a comprehension, one set for each turn."""
        first, *rest = sources
        for item in self.items(first.iter, names):
            one = dict(names)
            self.store(first.target, item, one)
            if all(self.truth(test, one) for test in first.ifs):
                yield from self.inner(rest, one) if rest else (one,)

    def named(self, name: str, names: Mapping[str, Any]) -> Any:
        """A name of the page, or of Python."""
        found = names.get(name, self.names.get(name, PLAIN.get(name, NOTHING)))
        if found is NOTHING:
            usual = {} if name in self.names or name not in data.AS_NAMED | {"pi"} else {**CONSTANTS, **ARRAYS}
            found = usual.get(name, NOTHING)
        if found is NOTHING:
            raise Unknown
        return found

    def binary(self, sign: ast.operator, left: Any, right: Any) -> Any:
        """Two operands and what joins them."""
        if type(sign) not in BINARY or isinstance(left, Function) or isinstance(right, Function):
            raise Unknown
        whole = isinstance(sign, ast.Pow) and isinstance(left, int | Fraction) and isinstance(right, int)
        if isinstance(left, Fraction) and isinstance(sign, ast.Pow) and (not whole or abs(right) > 60):
            raise Unknown
        if whole and isinstance(left, int) and abs(right) * max(1, abs(left).bit_length()) > 4_000:
            raise Unknown
        if isinstance(sign, ast.Mult):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, str | list | tuple) and isinstance(other, int) and len(one) * other > MOST_ITEMS:
                    raise Unknown
        if isinstance(sign, ast.Mod) and isinstance(left, str) and re.search(r"\d{3}|\*", left):
            raise Unknown
        shapes = [one.shape for one in (left, right) if isinstance(one, np.ndarray | Blank)]
        if shapes and not isinstance(sign, ast.MatMult):
            shape = np.broadcast_shapes(*shapes)
            if math.prod(shape) > MOST_CELLS or isinstance(left, Blank) or isinstance(right, Blank):
                return blank(shape)
        operation = matmul if isinstance(sign, ast.MatMult) else BINARY[type(sign)]
        self.work += size_of(left) + size_of(right)
        return self.bounded(operation(left, right))

    def compared(self, left: Any, signs: Sequence[ast.cmpop], others: Sequence[Any]) -> Any:
        """A comparison; of arrays, item by item."""
        if any(isinstance(v, float | np.ndarray) and np.any(np.isnan(v)) for v in (left, *others)):
            raise Unknown
        found: Any = True
        for sign, right in zip(signs, others, strict=True):
            found = COMPARE[type(sign)](left, right)
            if len(signs) == 1:
                return found
            if not found:
                return False
            left = right
        return found

    def attribute(self, base: ast.expr, name: str, names: dict[str, Any]) -> Any:
        """`x.shape`, `math.pi`."""
        if self.is_module(base, names):
            if name in CONSTANTS:
                return CONSTANTS[name]
            raise Unknown
        found = self.value(base, names)
        if isinstance(found, Instance):
            value = found.names.get(name, found.kind.names.get(name, NOTHING))
            if value is NOTHING or isinstance(value, Function):
                raise Unknown
            return value
        if isinstance(found, Layer) and name in found.named:
            return found.named[name]
        if isinstance(found, datetime.date | datetime.timedelta) and name in DATED:
            return getattr(found, name)
        if isinstance(found, np.ndarray | Blank) and name in ATTRIBUTES:
            matrices = name == "mT" or (name == "T" and self.on_paper and found.ndim > 2)
            if isinstance(found, Blank) and name in ("T", "mT"):
                return found.moved("swapaxes", -1, -2) if matrices else found.moved("transpose")
            return np.swapaxes(found, -1, -2) if matrices else getattr(found, name)
        if isinstance(found, list) and name == "T":
            raise Trouble("a Python list has no .T; make it an array first", "a list has no .T")
        if isinstance(found, dict) and name == "get":
            return found.get  # sorted(counts, key=counts.get)
        raise Unknown

    def is_module(self, base: ast.expr, names: Mapping[str, Any]) -> bool:
        """Whether a name is that of a module that we know."""
        match base:
            case ast.Attribute(inner, name):
                return name in (*data.MODULES, "random") and self.is_module(inner, names)
            case ast.Name(name):
                return name in (*data.MODULES, *STANDARD) and name not in names
        return False

    def call(
        self, function: ast.expr, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword], names: dict[str, Any]
    ) -> Any:
        """A function of the page, of Python, of numpy, or a method."""
        given: list[Any] = []
        for argument in arguments:
            if isinstance(argument, ast.Starred):
                given += self.items(argument.value, names)
            else:
                given.append(self.value(argument, names))
        named: dict[str, Any] = {}
        for keyword in (k for k in keywords if k.arg not in IGNORED):
            value = self.value(keyword.value, names)
            named |= value if keyword.arg is None else {RENAMED.get(keyword.arg, keyword.arg): value}
        if isinstance(function, ast.Attribute):
            name, base = function.attr, function.value
            if self.is_module(base, names):
                return self.of_module(ast.unparse(base), name, given, named)
            if ast.unparse(base) == "super()":
                return None
            return self.method(self.value(base, names), name, given, named)
        if isinstance(function, ast.Name) and function.id == "print" and "print" not in names:
            if {*named} - {"sep", "end"}:
                raise Unknown
            text = str(named.get("sep", " ")).join(map(str, given)) + str(named.get("end", "\n"))
            self.printed.append(self.bounded(text))
            return None
        return self.apply(self.value(function, names), given, named)

    def of_module(self, module: str, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """A function of a module, by its last name."""
        self.torch |= module.startswith("torch")
        if name == "set_printoptions":
            return None
        if "random" in module or name.startswith("rand") or name in ("normal", "uniform"):
            if name in ("seed", "manual_seed", "default_rng"):
                return RANDOM if name == "default_rng" else None
            if name not in ("rand", "randn", "random", "normal", "standard_normal", "randint", "uniform"):
                raise Unknown
            size = named.get("size", given[-1] if given and isinstance(given[-1], tuple) else given)
            if name in ("normal", "uniform", "randint") and size is given:
                raise Unknown
            return blank(shape_of(*size) if isinstance(size, list | tuple) else shape_of(size))
        if name in ("std", "var") and "torch" in module:
            raise Unknown
        plain = module.partition(".")[0] in ("math", *STANDARD)
        found = PLAIN.get(name) if plain else LAYERS.get(name) if module.endswith("nn") else None
        found = found or (None if plain else ARRAYS.get(name))
        if found is None or (name in ("zeros", "ones") and named.keys() - {"size"}):
            raise Unknown
        return self.apply(found, given, named)

    def method(self, value: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """A method of a value."""
        match value:
            case Instance(kind, own) if isinstance(own.get(name, kind.names.get(name)), Function):
                return self.apply(own.get(name, kind.names.get(name)), [value, *given], named)
            case Layer() | Instance() if name == "parameters":
                return list(value.parameters())
            case Layer() if name == "named_parameters":
                return list(value.named_parameters())
            case Blank() if name in MOVING:
                return value.moved(name, *given)
            case Blank() if name == "numel":
                return value.size
            case datetime.date() | datetime.timedelta() if name in ("total_seconds", "weekday", "isoformat"):
                return getattr(value, name)()
            case Layer() | Instance() if name in ("eval", "train", "to", "cuda", "cpu"):
                return value
        if value is RANDOM:
            return self.of_module("random", name, given, named)
        kind = next((kind for kind in METHODS if isinstance(value, kind)), None)
        if isinstance(value, np.generic):
            value, kind = np.asarray(value), np.ndarray
        if kind is str and name == "format" and not named:
            return formatted(value, *given)
        if name.startswith(ORDERING) and has_holes([value]):
            raise Unknown
        if kind is np.ndarray and (self.torch or name not in METHODS[kind]):
            if name == "size" and not given:
                return value.shape
            if name == "size":
                return value.shape[given[0]]
            if name in ("transpose", "swapaxes") and len(given) == 2 and value.ndim >= 2:
                return np.swapaxes(value, *given)
            if name in ("std", "var", "max", "min") and (self.torch and (given or named or name in ("std", "var"))):
                raise Unknown
            if name in TENSOR:
                return self.apply(TENSOR[name], [value, *given], named)
        if (
            kind is None
            or name not in METHODS[kind]
            or (name == "join" and not all(isinstance(g, str) for g in given[0]))
        ):
            raise Unknown
        return self.apply(getattr(value, name), given, named)

    def apply(self, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """Call a function with values."""
        if isinstance(function, Class):
            return self.instance(function, given, named)
        if isinstance(function, Instance):
            inner = function.kind.names.get("__call__", function.kind.names.get("forward", NOTHING))
            return self.apply(inner, [function, *given], named)
        if not isinstance(function, Function):
            if not callable(function):
                raise TypeError("not a function")
            functions = {k: v for k, v in named.items() if isinstance(v, Function)}
            named = named | {k: self.made(v) for k, v in functions.items()}
            if has_holes(given) and getattr(function, "__name__", "").startswith(ORDERING):
                raise Unknown
            for value in (*given, *named.values()):
                self.bounded(value)
                if isinstance(value, list | tuple) and sum(map(size_of, value)) > MOST_CELLS:
                    raise Unknown
            shapes = [value.shape for value in given if isinstance(value, np.ndarray)]
            if len(shapes) > 1 and math.prod(max(axis) for axis in columns(shapes)) > MOST_CELLS:
                raise Unknown
            found = function(*(self.made(g) if isinstance(g, Function) else g for g in given), **named)
            if isinstance(found, np.generic):
                return found
            return list(found) if isinstance(found, zip | enumerate | map | filter | reversed) else found
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unknown
        arguments = [*function.arguments.posonlyargs, *function.arguments.args]
        inner: dict[str, Any] = dict(function.outer) if function.outer is not self.names else {}
        defaults = function.arguments.defaults
        for argument, default in zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True):
            inner[argument.arg] = self.value(default, self.names)
        for argument, default in zip(function.arguments.kwonlyargs, function.arguments.kw_defaults, strict=True):
            inner |= {argument.arg: self.value(default, self.names)} if default else {}
        inner |= dict(zip((argument.arg for argument in arguments), given, strict=False))
        known = {argument.arg for argument in (*arguments, *function.arguments.kwonlyargs)}
        if rest := function.arguments.vararg:
            inner[rest.arg] = tuple(given[len(arguments) :])
        elif len(given) > len(arguments):
            raise Unknown
        others = {name: value for name, value in named.items() if name not in known}
        if function.arguments.kwarg:
            inner[function.arguments.kwarg.arg] = others
        elif others:
            raise Unknown
        inner |= {name: value for name, value in named.items() if name in known}
        try:
            if isinstance(function.body, ast.expr):
                return self.value(function.body, inner)
            self.do(function.body, inner)
        except _Leave as found:
            if found.kind is not ast.Return:
                raise Unknown from None
            return found.value
        finally:
            self.depth -= 1
        return None

    def made(self, function: Function) -> Callable[..., Any]:
        """A function of the page as one that Python can call, for `sorted(…, key=…)`."""
        return lambda *given: self.apply(function, list(given), {})


MOVING = ("reshape", "view", "transpose", "swapaxes", "permute", "t", "unsqueeze")
DATED = ("days", "seconds", "year", "month", "day", "hour", "minute")
STANDARD = (
    "collections", "dataclasses", "datetime", "fractions", "functools", "itertools", "random", "statistics", "string",
    "time", "typing",
)  # fmt: skip


def _loaded(target: ast.expr) -> ast.expr:
    """A place to store in as one to read from."""
    match target:
        case ast.Name(name):
            return ast.Name(name, ast.Load())
        case ast.Subscript(base, at):
            return ast.Subscript(base, at, ast.Load())
    raise Unknown


def _yields(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal) for node in ast.walk(statement))

"""What a piece of Python comes to, read statement by statement; nothing on a page is ever executed.

A small interpreter of the plain part of the language: numbers, texts, lists, arrays, loops, functions of the page. What
it does not know is `Unknown`, and stays so for every name it touches; what is random is an array of NaN, whose shape is
known and whose numbers are not. Steps, sizes and depth are bounded, so that a page costs no more than it should.
"""

import ast
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from regard.audit import data, library
from regard.audit.layers import LAYERS
from regard.audit.library import Array, Blank, Mismatch, blank
from regard.audit.limits import MOST_CELLS, Budget, Unknown, check_operands, size_of
from regard.audit.objects import Class, Function, Instance
from regard.audit.shapes import Trouble

DEEPEST = 25  # calls in calls
MOST_TRACED = 400  # statements of one run whose results are kept

NOTHING = object()  # a name whose value was lost
MUTABLE = (list, dict, set, np.ndarray, Blank)


class Fails(Exception):
    """The code raises an error of its own."""


class _Leave(Exception):
    """A `return`, `break` or `continue`."""

    def __init__(self, kind: type[ast.stmt], value: Any = None) -> None:
        self.kind, self.value = kind, value


class Traced(NamedTuple):
    """A statement that was followed: its value, and what it printed."""

    statement: ast.stmt
    value: Any
    printed: str


class Interpreter:
    """The names of a page, and what its statements make of them."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.known = library.PLAIN | {"print": self.show}
        self.printed: list[str] = []
        self.traced: list[Traced] = []
        self.budget = Budget()
        self.depth = 0
        self.torch = False
        self.modules = {name: name for name in library.MODULES}  # by what the page calls them: `import numpy as xp`
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
        nodes = list(ast.walk(statement))
        if any(isinstance(self.names.get(node.id), Function) for node in nodes if isinstance(node, ast.Name)):
            self.names |= dict.fromkeys(mutables, NOTHING)  # a function of the page may change what it does not name
        for node in nodes:
            lost: list[Any] = [getattr(node, "name", None)]
            if isinstance(node, ast.Name) and (not isinstance(node.ctx, ast.Load) or (whole and node.id in mutables)):
                lost = [node.id]
            elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
                lost = [inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name)]
            elif isinstance(node, ast.Attribute) and node.attr.endswith("_"):
                lost = [getattr(node.value, "id", None)]
            self.names |= {name: NOTHING for name in lost if isinstance(name, str)}

    def do(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> None:
        """Statements one after the other."""
        for statement in body:
            self.budget.step()
            before, found = len(self.printed), None
            match statement:
                case ast.Expr(value):
                    found = self.value(value, names)
                case ast.Assign(targets, value):
                    found = self.value(value, names)
                    for target in targets:
                        self.store(target, found, names)
                case ast.AnnAssign(target, _, value):
                    if value:
                        self.store(target, self.value(value, names), names)
                case ast.AugAssign(target, sign, value):
                    if isinstance(target, ast.Name) and target.id not in names:
                        raise Unknown  # a name of a function that has no value yet
                    self.store(target, self.binary(sign, self.value(target, names), self.value(value, names)), names)
                case ast.If(test, then, other):
                    self.do(then if self.truth(test, names) else other, names)
                case ast.For(target, source, inner, []):
                    self.loop(self.items(source, names), target, inner, names)
                case ast.While(test, inner, []):
                    self.loop(iter(lambda: self.truth(test, names), False), None, inner, names)
                case ast.FunctionDef(name, arguments, inner, []) if not _yields(statement):
                    names[name] = self.function(arguments, inner, names)
                case ast.ClassDef(name, [], [], inner, marks) if all("dataclass" in ast.unparse(m) for m in marks):
                    own: dict[str, Any] = {}
                    self.do(inner, own)
                    fields = [field.target for field in inner if isinstance(field, ast.AnnAssign)] if marks else []
                    names[name] = Class(own, map(ast.unparse, fields))
                case ast.Try(inner, _, [], []):
                    self.do(inner, names)
                case ast.Return(value):
                    raise _Leave(ast.Return, self.value(value, names) if value else None)
                case ast.Break() | ast.Continue():
                    raise _Leave(type(statement))
                case ast.Import(aliases) | ast.ImportFrom(_, aliases) if aliases[0].name != "*":
                    module = getattr(statement, "module", None) or ""
                    self.torch |= "torch" in f"{module} {[alias.name for alias in aliases]}"
                    known = (alias for alias in aliases if not module and alias.name in library.MODULES)
                    self.modules |= {alias.asname or alias.name: alias.name for alias in known}
                    for alias in aliases if module.partition(".")[0] not in library.MODULES | {""} else ():
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

    def asserted(self, test: ast.expr, names: dict[str, Any]) -> Any:
        """What is said to be a number: the value, the number in the code, and whether they agree."""
        match test:
            case (
                ast.Compare(left, [ast.Eq()], [ast.Constant(int() | float()) as said])
                | ast.Compare(
                    ast.Call(ast.Name("abs"), [ast.BinOp(left, ast.Sub(), ast.Constant() as said)]), [ast.Lt()]
                )
                | ast.Call(ast.Name("isclose") | ast.Attribute(_, "isclose"), [left, ast.Constant() as said, *_])
            ):
                return self.value(left, names), said, self.truth(test, names)
        return None

    def loop(self, items: Iterable[Any], target: ast.expr | None, body: list[ast.stmt], names: dict[str, Any]) -> None:
        """A loop over items, or while something holds."""
        for item in items:
            self.budget.step()
            if target is not None:
                self.store(target, item, names)
            try:
                self.do(body, names)
            except _Leave as found:
                if found.kind is ast.Break:
                    return
                if found.kind is not ast.Continue:
                    raise

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
                for part, item in zip(parts, found, strict=True):
                    self.store(part, item, names)
            case ast.Subscript(base, at):
                self.value(base, names)[self.place(at, names)] = value
            case ast.Attribute(base, name) if isinstance(owner := self.value(base, names), Instance):
                owner.names[name] = value
            case _:
                raise Unknown

    def truth(self, test: ast.expr, names: dict[str, Any]) -> bool:
        """Whether a condition holds."""
        found = self.value(test, names)
        if library.has_holes(found):
            raise Unknown
        return bool(found)

    def items(self, source: ast.expr, names: dict[str, Any]) -> list[Any]:
        """What a loop runs over."""
        return self.budget.paid(list(self.value(source, names)))

    def value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        """The value of an expression."""
        self.budget.step()
        match node:
            case ast.Constant(value) if not isinstance(value, complex | bytes) and value is not ...:
                return value
            case ast.Name(name):
                return self.named(name, names)
            case ast.BinOp(left, sign, right):
                return self.binary(sign, self.value(left, names), self.value(right, names))
            case ast.UnaryOp(sign, operand):
                return library.UNARY[type(sign)](self.value(operand, names))
            case ast.BoolOp(sign, parts):
                found = None
                for part in parts:
                    found = self.value(part, names)
                    if bool(found) != isinstance(sign, ast.And):
                        break
                return found
            case ast.Compare(left, signs, others):
                return self.compared(signs, [self.value(one, names) for one in (left, *others)])
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
                return self.budget.paid(found[where])
            case ast.ListComp(element, sources) | ast.GeneratorExp(element, sources) | ast.SetComp(element, sources):
                found = self.budget.paid([self.value(element, inner) for inner in self.inner(sources, names)])
                return set(found) if isinstance(node, ast.SetComp) else found
            case ast.DictComp(key, element, sources):
                return {self.value(key, one): self.value(element, one) for one in self.inner(sources, names)}
            case ast.JoinedStr(parts):
                return "".join(str(self.value(part, names)) for part in parts)
            case ast.FormattedValue(part, -1, specification):
                shown = str(self.value(specification, names)) if specification else ""
                if re.search(r"\d{3}", shown):
                    raise Unknown
                return format(self.value(part, names), shown)
            case ast.Lambda(arguments, body):
                return self.function(arguments, body, names)
            case ast.Attribute(base, name):
                return self.attribute(base, name, names)
            case ast.Call():
                return self.budget.paid(self.call(node, names))
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
        found = names.get(name, self.names.get(name, self.known.get(name, NOTHING)))
        if found is NOTHING:
            raise Unknown
        return found

    def binary(self, sign: ast.operator, left: Any, right: Any) -> Any:
        """Two operands and what joins them, unless that may be too large."""
        check_operands(sign, left, right)
        shapes = [one.shape for one in (left, right) if isinstance(one, Array)]
        if shapes and not isinstance(sign, ast.MatMult):
            shape = np.broadcast_shapes(*shapes)
            if math.prod(shape) > MOST_CELLS or isinstance(left, Blank) or isinstance(right, Blank):
                return blank(shape)
        self.budget.work += size_of(left) + size_of(right)
        return self.budget.paid(library.BINARY[type(sign)](left, right))

    def compared(self, signs: Sequence[ast.cmpop], values: Sequence[Any]) -> Any:
        """A comparison; of arrays, item by item."""
        if library.has_holes(values):
            raise Unknown
        found: Any = True
        for sign, left, right in zip(signs, values, values[1:], strict=False):
            found = library.COMPARE[type(sign)](left, right)
            if len(signs) > 1 and not found:
                return False
        return found

    def attribute(self, base: ast.expr, name: str, names: dict[str, Any]) -> Any:
        """`x.shape`, `math.pi`."""
        if self.module(base, names):
            return library.CONSTANTS[name]
        found = self.value(base, names)
        return found.find(name) if isinstance(found, Instance) else library.attribute(found, name, self.on_paper)

    def module(self, base: ast.expr, names: Mapping[str, Any]) -> str:
        """The module that a name is one of, if we know it."""
        match base:
            case ast.Attribute(inner, name) if name in data.MODULES | {"random"}:
                owner = self.module(inner, names)
                return f"{owner}.{name}" if owner else ""
            case ast.Name(name) if name not in names:
                return self.modules.get(name, "")
        return ""

    def call(self, node: ast.Call, names: dict[str, Any]) -> Any:
        """A function of the page, of Python, of numpy, or a method."""
        given: list[Any] = []
        for argument in node.args:
            starred = isinstance(argument, ast.Starred)
            given += self.items(argument.value, names) if starred else [self.value(argument, names)]
        named: dict[str, Any] = {}
        for keyword in (k for k in node.keywords if k.arg not in library.IGNORED):
            value = self.value(keyword.value, names)
            named |= value if keyword.arg is None else {keyword.arg: value}
        function = self.called(node.func, names)
        if not isinstance(function, Function | Class):
            values = [*given, *named.values()]
            self.budget.check_arguments(values)
            if getattr(function, "__name__", "").startswith(library.ORDERING) and library.has_holes(values):
                raise Unknown  # nobody knows their order
            named = {library.RENAMED.get(name, name): value for name, value in named.items()}
        found = function(*given, **named)
        return list(found) if isinstance(found, library.LAZY) else found

    def called(self, node: ast.expr, names: dict[str, Any]) -> Callable[..., Any]:
        """What is called: a function of a module by its last name, a method, or the value of anything else."""
        if not isinstance(node, ast.Attribute):
            return self.value(node, names)
        if module := self.module(node.value, names):
            self.torch |= module.startswith("torch")
            return LAYERS.get(node.attr) or library.function(module, node.attr)
        owner = self.value(node.value, names)
        return owner.find(node.attr) if isinstance(owner, Instance) else library.method(owner, node.attr, self.torch)

    def function(self, arguments: ast.arguments, body: list[ast.stmt] | ast.expr, names: dict[str, Any]) -> Function:
        """A function of the page, which sees the names around it."""
        outer = names if names is not self.names else {}
        return Function(
            arguments, lambda default: self.value(default, names), lambda own: self.inside(body, {**outer, **own})
        )

    def inside(self, body: list[ast.stmt] | ast.expr, names: dict[str, Any]) -> Any:
        """What a function of the page returns, from its own names."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unknown
        try:
            if isinstance(body, ast.expr):
                return self.value(body, names)
            self.do(body, names)
        except _Leave as found:
            return found.value
        finally:
            self.depth -= 1
        return None

    def show(self, *given: Any, sep: str = " ", end: str = "\n") -> None:
        """`print`."""
        self.printed.append(self.budget.paid(sep.join(map(str, given)) + end))


def _yields(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal) for node in ast.walk(statement))

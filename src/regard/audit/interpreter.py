"""What Python on a page comes to, statement by statement: nothing is executed, what is not known stays `Unknown`."""

import ast
import math
import operator
import re
from collections import ChainMap
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from regard.audit import data, library
from regard.audit.library import MOST_CELLS, NOTHING, Mismatch, Module, Unknown, cells, check_call, has_holes, hollow

MOST_STEPS, CELLS_OF_A_STEP = 60_000, 100  # of a page; how many cells cost as much as one
MOST_BITS, MOST_TRACED = 4_000, 200  # of a power; how often a statement of a loop is looked at
RENAMED = {"dim": "axis", "keepdim": "keepdims", "shape": "size", "dtype": "", "requires_grad": "", "device": ""}
SIGNS: dict[str, Any] = library.by_name(data.OPERATORS, operator) | {"MatMult": library.matmul}
SIGNS |= {"In": lambda one, many: one in many, "NotIn": lambda one, many: one not in many}
ERRORS = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
Names = ChainMap[str, Any]


class _Leave(Exception):
    """A `return`, and the value it returns."""


class Interpreter:
    """The names of a page, and what its statements make of them."""

    def __init__(self) -> None:
        modules = {name: Module(name) for name in data.MODULES | data.STANDARD}
        self.names: Names = ChainMap({"__name__": "__main__"}, {**modules, **library.PLAIN, "print": self._show})
        self.printed: list[str] = []
        self.traced: dict[ast.stmt, list[tuple[Any, str]]] = {}  # the values of what was followed, and what it printed
        self.steps = 0
        self.torch = self.on_paper = False  # .T on paper, not in Python, is that of every matrix

    def run(self, statement: ast.stmt) -> None:
        """Follow one statement; what it may change is lost where it cannot be followed."""
        self.printed, self.traced = [], {}
        try:
            self._do([statement], self.names)
        except (Unknown, Mismatch, _Leave, *ERRORS) as problem:
            self._lose(statement)
            refused = isinstance(problem, Mismatch) or data.REFUSED.search(str(problem))  # shapes, by us or by NumPy
            raise Mismatch(str(problem)) if refused else Unknown from None

    def _lose(self, statement: ast.stmt) -> None:
        """Forget what a statement stores, and unless it is an assignment what it may change in place: any array."""
        nodes = list(ast.walk(statement))
        stored = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)]
        lost = {part.id for node in stored for part in ast.walk(node) if isinstance(part, ast.Name)}
        lost |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        mutable = () if isinstance(statement, ast.Assign | ast.Delete) else (list, dict, set, np.ndarray)
        lost |= {name for name, value in self.names.items() if isinstance(value, mutable)}
        self.names.update(dict.fromkeys(lost, NOTHING))

    def _do(self, body: Sequence[ast.stmt], names: Names) -> None:
        """Statements one after the other."""
        for statement in body:
            before, found = len(self.printed), None
            match statement:
                case ast.Expr(value):
                    found = self._value(value, names)
                case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                    found = self._value(value, names)
                    for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                        self._store(target, found, names)
                case ast.AugAssign(target, sign, value):
                    self._store(target, self._value(ast.BinOp(target, sign, value), names), names)
                case ast.If(test, then, other):
                    self._do(then if self._truth(test, names) else other, names)
                case ast.For(target, source, inner, []):
                    for item in self._items(self._value(source, names)):
                        self._pay(None)
                        self._store(target, item, names)
                        self._do(inner, names)
                case ast.FunctionDef(name, arguments, inner, []):
                    names[name] = self._function(arguments, inner, names)
                case ast.Return(value):
                    raise _Leave(self._value(value, names) if value else None)
                case ast.Import(aliases) | ast.ImportFrom(_, aliases) if aliases[0].name != "*":
                    for one in aliases:
                        names[one.asname or one.name] = library.imported(getattr(statement, "module", None), one.name)
                case ast.Pass() | ast.Assert():
                    pass
                case ast.Global(changed) | ast.Nonlocal(changed):
                    self.names.update(dict.fromkeys(changed, NOTHING))
                    raise Unknown
                case _:
                    raise Unknown
            if len(results := self.traced.setdefault(statement, [])) < MOST_TRACED:
                results.append((found, "".join(self.printed[before:])))

    def _store(self, target: ast.expr, value: Any, names: Names) -> None:
        match target:
            case ast.Name(name):
                names[name] = value
            case ast.Tuple(parts) | ast.List(parts):
                for part, item in zip(parts, self._items(value), strict=True):
                    self._store(part, item, names)
            case ast.Subscript(base, at):
                self._value(base, names)[self._value(at, names)] = value
            case _:
                raise Unknown

    def _truth(self, test: ast.expr, names: Names) -> bool:
        if has_holes(found := self._value(test, names)):
            raise Unknown
        return bool(found)

    def _items(self, value: Any) -> list[Any]:
        few = isinstance(value, np.ndarray) and len(value) < MOST_TRACED  # rows, of which the shapes may be enough
        return list(self._pay(value)) if cells(value, kept=few) else []

    def _pay(self, value: Any) -> Any:
        """A value that is not too large to be kept; it costs a step, and more if it is large."""
        self.steps += 1 + cells(value, kept=True) // CELLS_OF_A_STEP
        if self.steps > MOST_STEPS:
            raise Unknown
        return value

    def _value(self, node: ast.expr, names: Names) -> Any:
        """The value of an expression, or of an index."""
        self._pay(None)
        match node:
            case ast.Constant(value) if not isinstance(value, complex | bytes) and value is not ...:
                return value
            case ast.Name(name) if (found := names.get(name, NOTHING)) is not NOTHING:
                return found
            case ast.BinOp(left, sign, right):
                return self._binary(sign, self._value(left, names), self._value(right, names))
            case ast.UnaryOp(sign, operand):
                check_call("", [found := self._value(operand, names)])
                return SIGNS[type(sign).__name__](found)
            case ast.Compare(left, signs, others):
                if has_holes(values := [self._value(one, names) for one in (left, *others)]):
                    raise Unknown
                found = [self._binary(sign, *values[at : at + 2]) for at, sign in enumerate(signs)]
                return all(found) if len(found) > 1 else found[0]
            case ast.IfExp(test, then, other):
                return self._value(then if self._truth(test, names) else other, names)
            case ast.BoolOp(sign, parts):
                decides = (one for one in parts if self._truth(one, names) == isinstance(sign, ast.Or))
                return self._value(next(decides, parts[-1]), names)
            case ast.List(parts) | ast.Tuple(parts) | ast.Set(parts):
                found = [self._value(part, names) for part in parts]
                return self._pay({ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)](found))
            case ast.Dict(keys, parts) if None not in keys:
                return {self._value(k, names): self._value(v, names) for k, v in zip(keys, parts, strict=True) if k}
            case ast.Slice(start, stop, step):
                return slice(*(self._value(part, names) if part else None for part in (start, stop, step)))
            case ast.Subscript(base, at):
                found, where = self._value(base, names), self._value(at, names)
                if isinstance(where, list | np.ndarray):
                    check_call("", [found, where])
                return self._pay(found[where])
            case ast.ListComp(element, sources) | ast.GeneratorExp(element, sources) | ast.SetComp(element, sources):
                found = [self._value(element, inner) for inner in self._inner(sources, names)]
                return self._pay(set(found) if isinstance(node, ast.SetComp) else found)
            case ast.DictComp(key, value, sources):
                pairs = ((self._value(key, one), self._value(value, one)) for one in self._inner(sources, names))
                return self._pay(dict(pairs))
            case ast.JoinedStr(parts):
                return self._pay("".join(str(self._value(part, names)) for part in parts))
            case ast.FormattedValue(part, -1, specification):
                shown = str(self._value(specification, names)) if specification else ""
                return library.formatted(f"{{:{shown}}}", self._pay(self._value(part, names)))
            case ast.Lambda(arguments, body):
                return self._function(arguments, [ast.Return(body)], names)
            case ast.Attribute(base, name):
                owner = self._value(base, names)
                self.torch |= isinstance(owner, Module) and owner.startswith("torch")
                return library.attribute(owner, name, torch=self.torch, on_paper=self.on_paper)
            case ast.Call(function, arguments, keywords):
                return self._call(self._value(function, names), arguments, keywords, names)
        raise Unknown

    def _inner(self, sources: Sequence[ast.comprehension], names: Names) -> Iterator[Names]:
        """The names inside a comprehension, one set for each turn."""
        for item in self._items(self._value(sources[0].iter, names)):
            one = names.new_child()
            self._store(sources[0].target, item, one)
            if all(self._truth(test, one) for test in sources[0].ifs):
                yield from self._inner(sources[1:], one) if sources[1:] else (one,)

    def _binary(self, sign: ast.operator | ast.cmpop, left: Any, right: Any) -> Any:
        """Two operands and what joins them, unless that may be too large."""
        match sign, left, right:
            case (ast.MatMult(), _, _):
                pass
            case (_, np.ndarray(), _) | (_, _, np.ndarray()):
                shape = np.broadcast_shapes(np.shape(left), np.shape(right))
                if math.prod(shape) > MOST_CELLS:
                    return hollow(shape)
            case (ast.Mult(), str() | list() | tuple(), _) | (ast.Mult(), _, str() | list() | tuple()):
                check_call("tile", [left, right])
            case (ast.Mod(), str(), _) if library.WIDE.search(left):
                raise Unknown
            case (ast.Pow(), int(), _) if abs(right) * left.bit_length() > MOST_BITS:
                raise Unknown
        return self._pay(SIGNS[type(sign).__name__](left, right))

    def _call(self, function: Any, arguments: list[ast.expr], keywords: list[ast.keyword], names: Names) -> Any:
        """What a function of the page, of Python, of numpy, or a method makes of its arguments."""
        given: list[Any] = []
        for argument in arguments:
            starred = isinstance(argument, ast.Starred)
            given += self._items(self._value(argument.value, names)) if starred else [self._value(argument, names)]
        if any(one.arg == "dtype" and re.search("8|16|bool", ast.unparse(one.value)) for one in keywords):
            raise Unknown  # numbers that run over
        called, own = (function.func, function.args) if isinstance(function, partial) else (function, ())
        renamed = {} if called == self._enter else RENAMED
        named: dict[str, Any] = {}
        for one in (keyword for keyword in keywords if renamed.get(str(keyword.arg)) != ""):
            found = self._value(one.value, names)
            named |= {renamed.get(one.arg, one.arg): found} if one.arg else found
        name, everything = getattr(called, "__name__", ""), [*own, *given, *named.values()]
        arrays = (part for one in everything for part in (one if isinstance(one, list | tuple) else [one]))
        large = sum(part.size for part in arrays if isinstance(part, np.ndarray))
        if called in library.KEEPING and MOST_CELLS < large < library.MOST_MADE:
            self.steps += large // 10_000
        elif called not in (*library.FOR_LARGE, self._enter):
            check_call(name, everything)
        sorts = name in data.ORDERING and called not in library.SPREADING and has_holes(everything)
        if sorts or (name in data.LISTING and any(isinstance(one, set) for one in everything)):
            raise Unknown  # nobody knows their order
        found = function(*given, **named)
        found = hollow(found.shape) if isinstance(found, np.ndarray) and found.size > MOST_CELLS else found
        return self._pay(list(islice(found, MOST_CELLS)) if isinstance(found, Iterator) else found)

    def _function(self, arguments: ast.arguments, body: list[ast.stmt], names: Names) -> partial[Any]:
        """A function of the page, which sees the names around it."""
        ordered = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(ordered[::-1], arguments.defaults[::-1]), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
        own = {one.arg: self._value(value, names) for one, value in pairs if value}
        return partial(self._enter, arguments, body, names.new_child(own))

    def _enter(self, parts: ast.arguments, body: list[ast.stmt], names: Names, *given: Any, **named: Any) -> Any:
        ordered = [one.arg for one in (*parts.posonlyargs, *parts.args)]
        bound = dict(zip(ordered, given)) | named | ({parts.vararg.arg: given[len(ordered) :]} if parts.vararg else {})
        try:
            self._do(body, names.new_child(bound))
        except _Leave as found:
            return found.args[0]

    def _show(self, *given: Any, sep: str = " ", end: str = "\n") -> None:
        check_call("tile", [sep, len(given)])
        self.printed.append(self._pay(sep.join(map(str, given)) + end))

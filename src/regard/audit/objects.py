"""The functions and classes that a page defines, as things that can be called like any other."""

import ast
from collections.abc import Callable, Iterable
from functools import partial
from inspect import Parameter, Signature
from typing import Any, NamedTuple


def _bound(signature: Signature, given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    bound = signature.bind(*given, **named)
    bound.apply_defaults()
    return bound.arguments


class Function:
    """A function: what it takes, and what then follows its body."""

    def __init__(
        self, given: ast.arguments, value: Callable[[ast.expr], Any], follow: Callable[[dict[str, Any]], Any]
    ) -> None:
        self.follow = follow
        ordered = [*given.posonlyargs, *given.args]
        defaults = [*[None] * (len(ordered) - len(given.defaults)), *given.defaults]
        kinds = (
            (Parameter.POSITIONAL_OR_KEYWORD, ordered, defaults),
            (Parameter.VAR_POSITIONAL, [given.vararg], [None]),
            (Parameter.KEYWORD_ONLY, given.kwonlyargs, given.kw_defaults),
            (Parameter.VAR_KEYWORD, [given.kwarg], [None]),
        )
        self.signature = Signature([
            Parameter(one.arg, kind, default=value(default) if default else Parameter.empty)
            for kind, ones, values in kinds
            for one, default in zip(ones, values, strict=True)
            if one
        ])  # fmt: skip

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.follow(_bound(self.signature, given, named))


class Class:
    """A class, called to make an object: by its `__init__`, or as a dataclass from its fields."""

    def __init__(self, names: dict[str, Any], fields: Iterable[str]) -> None:
        kind = Parameter.POSITIONAL_OR_KEYWORD
        self.names = names
        self.signature = Signature([Parameter(name, kind, default=names.get(name, Parameter.empty)) for name in fields])

    def __call__(self, *given: Any, **named: Any) -> "Instance":
        made = Instance(self, {})
        if "__init__" in self.names:
            self.names["__init__"](made, *given, **named)
        else:
            made.names.update(_bound(self.signature, given, named))
        return made


class Instance(NamedTuple):
    """An object of such a class."""

    kind: Class
    names: dict[str, Any]

    def find(self, name: str) -> Any:
        """An attribute, or a method of it."""
        if name in self.names:
            return self.names[name]
        found = self.kind.names[name]
        return partial(found, self) if isinstance(found, Function) else found

"""What a model is made of, as far as it matters to whoever watches: which parts might compute attention, and how."""

import inspect
import re
import sys
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakSet

import torch


class Structure(NamedTuple):
    names: dict[torch.nn.Module, str]  # of all parts
    called_attention: list[torch.nn.Module]  # and might compute it on their own, without the parts of these
    is_told_all: bool  # whether all attention is asked of transformers


def structure_of(model: torch.nn.Module) -> Structure:
    """As torch's own walk finds it, which takes three times as long."""
    names: dict[torch.nn.Module, str] = {}
    ahead: list[tuple[str, Any]] = [("", model)]
    while ahead:
        name, part = ahead.pop()
        if part is not None and part not in names:
            names[part], lead = name, name and f"{name}."
            ahead += [(lead + own, inner) for own, inner in reversed(part._modules.items())]
    kinds = set(map(type, names))
    are_called = {kind for kind in kinds if _is_called_attention(kind)}
    called = [part for part in names if type(part) in are_called and part is not model]
    may_escape = [part for part in called if not _asks_transformers(type(part)) or "forward" in vars(part)]
    inside = {own for part in called for own in part.modules() if own is not part} if may_escape else set()
    is_told_all = not any("forward" in vars(part) for part in names) and not may_escape and all(map(_has_none, kinds))
    return Structure(names, [part for part in may_escape if part not in inside], is_told_all)


_KNOWN: WeakSet[torch.nn.Module] = WeakSet()  # models that asked transformers alone when they were watched last


def asks_transformers_alone(model: torch.nn.Module) -> bool:
    """Whether all attention of a model is asked of transformers. Remembered, since to walk through a model takes longer
    than a layer of a small one; whether it is still so is to be found out when somebody looks: `changed_since`."""
    if model not in _KNOWN and structure_of(model).is_told_all:
        _KNOWN.add(model)
    return model in _KNOWN


def changed_since(model: torch.nn.Module, structure: Structure) -> list[str]:
    """Parts of a known model that may compute attention on their own by now; it is not known any more then."""
    if structure.is_told_all or model not in _KNOWN:
        return []
    _KNOWN.discard(model)
    names = structure.names.items()
    return [name for part, name in names if "forward" in vars(part) or not _has_none(type(part))]


@cache
def _is_called_attention(kind: type[torch.nn.Module]) -> bool:
    return any(part in kind.__name__.lower() for part in ("attention", "attn"))


@cache
def _asks_transformers(kind: type[torch.nn.Module]) -> bool:
    """Whether it asks transformers for the function, as the models there do first of all: nothing escapes then."""
    is_theirs = kind.__module__.startswith("transformers.")
    return is_theirs and "get_interface" in inspect.unwrap(kind.forward).__code__.co_names


@cache
def _has_none(kind: type[torch.nn.Module]) -> bool:
    """Whether a class computes no attention, but for what it asks of transformers: torch's own modules, and those in
    files of transformers that do not so much as name torch's functions for it."""
    if kind.__module__.startswith("torch.nn.modules."):
        return kind is not torch.nn.MultiheadAttention
    above = kind.__mro__[: kind.__mro__.index(torch.nn.Module)]
    files = {one.__module__ for one in above if issubclass(one, torch.nn.Module)} - {"transformers.modeling_utils"}
    return all(file.startswith("transformers.") and _names_none(file) for file in files)


@cache
def _names_none(file: str) -> bool:
    try:
        source = inspect.getsource(sys.modules[file])
    except (OSError, TypeError, KeyError):
        return False
    return not re.search(r"scaled_dot_product_attention|MultiheadAttention|multi_head_attention_forward", source)

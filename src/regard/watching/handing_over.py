"""What may be kept as it is: a copy takes a GPU less time than Python needs to ask for it.

A tensor that nobody else holds, and nobody will write into, stays as it is. Who holds it can be counted; that the code
which still runs will leave it alone is read from its source: transformers' models hand queries, keys and values to the
attention function and never look at them again, and what comes back goes through one linear layer.
"""

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from types import CodeType
from typing import Any, NamedTuple

import torch
from torch.nn.modules import module as modules

Own = tuple[bool, bool, bool]  # whether queries, keys and values may be kept as they are
NONE: Own = (False, False, False)
_users: Any = getattr(torch._C, "_storage_Use_Count", None)
_references = sys.getrefcount


class Ending(NamedTuple):
    """How a method ends that hands over what attention reads, and never looks at it again."""

    method: CodeType
    part: str  # the linear layer that reads what comes back


def handed_over(
    part: Any, method: CodeType, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, held: tuple[int, int, int]
) -> Own:
    """Which of queries, keys and values a method of this part leaves to the function that it calls; `held` is how many
    hold each of them there. None, unless what the method gets back is read and no more, too."""
    ending = ending_of(type(part))
    if ending is None or ending.method is not method or not only_reads(part._modules.get(ending.part)):
        return NONE
    usual = _method(None)
    return held[0] == usual and _is_alone(q), held[1] == usual and _is_alone(k), held[2] == usual and _is_alone(v)


@cache
def ending_of(kind: type[torch.nn.Module]) -> Ending | None:
    """Of a class whose forward ends as most of transformers' do: the attention function, a reshaping, a linear layer.

    >>> ending_of(torch.nn.Linear) is None
    True
    """
    try:
        method = inspect.unwrap(kind.forward)
        (function,) = ast.parse(textwrap.dedent(inspect.getsource(method))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    match getattr(function, "body", []):
        case [
            *_,
            ast.Assign(
                value=ast.Call(
                    ast.Name("attention_interface"),
                    [ast.Name("self"), ast.Name(q), ast.Name(k), ast.Name(v), *more],
                    [*_, ast.keyword(None)],
                )
            ),
            ast.Assign([ast.Name(shaped)], ast.Call(ast.Attribute(reshaped, "contiguous"), [], [])) as reshape,
            ast.Assign([ast.Name(answer)], ast.Call(ast.Attribute(ast.Name("self"), part), [ast.Name(read)], [])),
            ast.Return(returned),
        ]:
            code = method.__code__
            is_one = shaped == answer == read and _is_reshaped(reshaped, read)
            after = {name for tree in (reshape, returned) if tree for name in _names(tree)}
            own = {q, k, v}
            is_last = not own & after and not any(isinstance(one, ast.Starred) for one in more)
            are_local = len(own) == 3 and own <= set(code.co_varnames) - set(code.co_cellvars)
            return Ending(code, part) if is_one and is_last and are_local else None
    return None


def _names(tree: ast.AST) -> Iterator[str]:
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _is_reshaped(tree: ast.AST, name: str) -> bool:
    match tree:
        case ast.Call(ast.Attribute(ast.Name(read), "reshape"), _, []):
            return read == name
    return False


def only_reads(part: Any) -> bool:
    """Whether it is a linear layer, and nobody gets hold of what it reads before it does."""
    hooks = modules._global_forward_pre_hooks  # pyright: ignore[reportPrivateUsage]
    return type(part) is torch.nn.Linear and not (part._forward_pre_hooks or "forward" in part.__dict__ or hooks)


def _method(part: Any, **settings: Any) -> int:
    """Who holds what a method has under one name and hands to a function that counts: different from Python to Python,
    and where somebody traces it."""
    x = object()
    return _counts(part, x, scaling=None, **settings)


def _counts(_part: Any, x: Any, *_rest: Any, **_settings: Any) -> int:
    return _references(x)


def _is_alone(x: Any) -> bool:
    """Whether no other tensor, no other library and no graph of gradients has its numbers."""
    storage, base = x.untyped_storage(), x._base
    of_fresh, of_view = _fresh()
    held = x._use_count(), _users(storage._cdata)
    is_torch_s = storage.resizable() and type(x) is torch.Tensor  # others' memory has its size
    return is_torch_s and (held == of_fresh if base is None else (*held, *_of_base(base)) == of_view)


def _of_base(base: Any) -> tuple[int, int]:
    return _references(base), base._use_count()


@cache
def _fresh() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who holds a tensor that was just made, and its numbers; and a view of one, and what it is a view of."""
    if not hasattr(torch.Tensor, "_use_count") or _users is None:
        return (), ()  # a torch that does not count
    with torch.inference_mode(False):
        x, view = torch.empty(1), torch.empty(1).view(1)
        held, of_view = ((one._use_count(), _users(one.untyped_storage()._cdata)) for one in (x, view))  # pyright: ignore
        base = view._base
        return held, (*of_view, *_of_base(base))

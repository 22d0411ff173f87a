"""torch's `scaled_dot_product_attention`, and the operator behind it for whoever calls it by another name."""

import math
from collections.abc import Callable
from typing import Any

import torch

from regard.attending.kernels.fused import ATTENTION, CALLS, NAMES, can_be_called, fused
from regard.watching.call import Call
from regard.watching.handing_over import NONE
from regard.watching.reading_masks import read_mask
from regard.watching.watchers import Decided, Told, asked_by, regret, state, tell

Given = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor | None, float, bool]  # to torch's function
PLACES = ("CPU", "AutogradCPU", "CUDA", "AutogradCUDA")  # where torch looks for an operator, without and with gradients
OPERATOR: Any = torch.ops.aten.scaled_dot_product_attention.default
standing: dict[str, Callable[..., Any]] = {"attention": ATTENTION}  # what stood there: torch's, or another library's
_transformation: Any = torch._C._functorch.peek_interpreter_stack  # pyright: ignore[reportAttributeAccessIssue]
_is_transformed: Any = torch._C._functorch.is_functorch_wrapped_tensor  # pyright: ignore[reportAttributeAccessIssue]
_choice: Any = torch._fused_sdp_choice  # pyright: ignore[reportPrivateImportUsage]


def attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """In the place of torch's `scaled_dot_product_attention`, or of what another library has put there."""
    given = (query, key, value, attn_mask, dropout_p, is_causal)
    if state.is_under_way:  # it is noted
        return standing["attention"](*given, scale=scale, enable_gqa=enable_gqa)
    return _passed(standing["attention"], given, scale, enable_gqa)


def _by_another_name(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """In the place of the operator that torch's function calls, whoever calls it and by whatever name."""
    given = (query, key, value, attn_mask, dropout_p, is_causal)
    if state.is_under_way:  # it was seen at the door
        return OPERATOR.decompose(*given, scale=scale, enable_gqa=enable_gqa)
    return _passed(ATTENTION, given, scale, enable_gqa)


def operator_replaced() -> Callable[[], None]:
    """For calls of torch's function under any other name: `from … import scaled_dot_product_attention as sdpa`."""
    library = torch.library.Library("aten", "IMPL")
    for place in PLACES:
        library.impl("scaled_dot_product_attention", _by_another_name, place)
    return library._destroy  # pyright: ignore[reportPrivateUsage]


def _passed(own: Callable[..., Any], given: Given, scale: float | None, enable_gqa: bool) -> torch.Tensor:
    """What torch, or whoever stands there, gives; and whoever watches the caller is told."""
    told = state.told
    asked = asked_by() if told is None else told.asked
    state.is_seen = True
    if not asked:
        return _under_way(own, given, scale, enable_gqa)
    decided = _decided(own, given)
    if decided.sight is None:
        regret(asked, str(decided.objection))
        return _under_way(own, given, scale, enable_gqa)
    q, k, v, mask, dropout, is_causal = given
    is_cast = torch.is_autocast_enabled(decided.device)
    way = None if is_cast or not decided.ways else decided.ways.get(_choice(*given, scale=scale, enable_gqa=enable_gqa))
    if way is None:
        context, lse, kernel = _under_way(fused, given, scale, enable_gqa)
    else:
        kernel, called = way
        context, lse = called(torch, q, k, v, mask, is_causal, scale)
    if scale is None:
        scale = 1.0 / math.sqrt(q.shape[-1])
    numbers = NONE if told is None else told.own
    if told is not None and told.k is not k:
        k, v = _keys(told, k, v)
        numbers = numbers if k is told.k else NONE
    if is_cast:  # in the precision that it computed in
        q, k, v = (x.to(torch.get_autocast_dtype(x.device.type)) for x in (q, k, v))
        numbers = NONE
    return tell(asked, Call(q, k, v, decided.sight, scale, context, kernel, lse, None, None, dropout, numbers))


def _under_way(function: Callable[..., Any], given: Given, scale: float | None, enable_gqa: bool) -> Any:
    """What leads to torch's operator, which need not tell anybody: it was seen at the door."""
    before, state.is_under_way = state.is_under_way, True
    try:
        return function(*given, scale=scale, enable_gqa=enable_gqa)
    finally:
        state.is_under_way = before


def _decided(own: Callable[..., Any], given: Given) -> Decided:
    """A call like the last one is decided like the last one: the layers of a model make the same call, with a mask that
    is one object."""
    q, k, v, mask, dropout, is_causal = given
    is_odd = q.is_nested or k.is_nested or v.is_nested or _transformation() is not None
    if is_odd or (mask is not None and mask.is_inference()):  # has no version: it may change in place, unnoticed
        like = ()
    else:
        kinds = (own, type(q), type(k), type(v), q.device, dropout, is_causal)
        like = (q.shape, k.shape, v.shape, kinds, None if mask is None else mask._version)
        last = state.last
        if last is not None and last.mask is mask and last.like == like:
            return last
    objection = _objection(own, q, k, v, mask)
    sight = read_mask(mask, is_causal, q.shape[2], k.shape[2]) if objection is None else None
    decided = Decided(mask, like, objection, sight, q.device.type, _ways(q, k, v, mask, dropout))
    state.last = decided if like else None
    return decided


def _ways(q: Any, k: Any, v: Any, mask: Any, dropout: float) -> dict[int, tuple[str, Any]]:
    """torch's kernels that give their log-sum-exp, by torch's own numbers, where they can be called without more ado.
    `fused` does the same for any call, and takes longer to say so."""
    is_plain = q.ndim == 4 and (mask is None or mask.dtype != torch.bool) and not torch.compiler.is_compiling()
    if not is_plain or not can_be_called(q, k, v, mask, dropout):
        return {}
    named = ((number, name, CALLS.get((q.device.type, name))) for number, name in NAMES.items())
    return {number: (name, called) for number, name, called in named if called is not None}


def _objection(own: Callable[..., Any], q: Any, k: Any, v: Any, mask: Any) -> str | None:
    """Why a call cannot be kept; None where it can."""
    if own is not ATTENTION:
        return "runs another library's attention in the place of torch's"
    for x in (q, k, v) if mask is None else (q, k, v, mask):
        if type(x) is not torch.Tensor and type(x) is not torch.nn.Parameter:
            return f"has tensors of a kind of their own, {type(x).__name__}"
        if x.is_nested or x.is_meta or _is_transformed(x):
            return "runs under a transformation of torch (vmap, grad, …), or on nested or empty tensors"
    if q.ndim != 4:
        return f"has queries of {q.ndim} axes, expected (batch, heads, queries, width)"
    if not (q.numel() and k.numel() and v.numel()):
        return "reads nothing: a size is 0"
    if q.shape[0] != k.shape[0] or k.shape[:3] != v.shape[:3] or q.shape[1] % k.shape[1]:
        return f"broadcasts keys {tuple(k.shape)} and values {tuple(v.shape)} to queries {tuple(q.shape)}"
    return None


def _keys(told: Told, key: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """As transformers had them before it repeated them for every head, if that is all that was done to them."""
    k, v = told.k, told.v
    if k is key or k.shape[1] == key.shape[1] or k.shape[2] != key.shape[2]:
        return key, value
    if told.only_repeats:
        return k, v
    times = key.shape[1] // k.shape[1]
    pairs = ((one, other[:, i::times]) for one, other in ((k, key), (v, value)) for i in range(times))
    return (k, v) if all(torch.equal(one, repeated) for one, repeated in pairs) else (key, value)

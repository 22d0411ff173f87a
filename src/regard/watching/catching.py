"""Where attention passes by, whatever model computes it: three doors of torch and one of transformers.

While somebody watches, these functions are ours; each calls the one it stands for and hands on what it saw. When the
last one stops watching, they are what they were before. Who kept torch's function under a name of their own is seen by
the operator that it leads to, which is ours for as long.
"""

import math
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

import torch
import torch.nn.functional as F  # noqa: N812  (as everybody writes it)

from regard.attending.kernels import fused as by_torch
from regard.attending.kernels.fused import ATTENTION, fused
from regard.watching.call import Call
from regard.watching.handing_over import NONE, Own, handed_over
from regard.watching.reading_masks import Sight, read_mask


class Watcher(Protocol):
    """Somebody who watches one model."""

    def knows(self, module: Any) -> bool:
        """Whether this is a part of the model."""
        ...

    def saw(self, part: torch.nn.Module, call: Call, context: torch.Tensor) -> torch.Tensor:
        """Takes in a call, and says what the model goes on with: `context`, or something in its place."""
        ...

    def missed(self, part: torch.nn.Module, reason: str) -> None: ...


Given = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor | None, float, bool]  # to torch's function
Asked = list[tuple[Watcher, torch.nn.Module]]  # who watches the call that is under way, and which part makes it
WATCHERS: list[Watcher] = []
_LOCK = threading.Lock()
_transformation: Any = torch._C._functorch.peek_interpreter_stack  # pyright: ignore[reportAttributeAccessIssue]
_is_transformed: Any = torch._C._functorch.is_functorch_wrapped_tensor  # pyright: ignore[reportAttributeAccessIssue]


class Told(NamedTuple):
    """What transformers says of a call before it makes it."""

    asked: Asked  # who watches it
    k: torch.Tensor  # before it repeated them
    v: torch.Tensor
    only_repeats: bool  # whether nothing else can have been done to them
    own: Own


class _State(threading.local):
    """Of the call that is under way in this thread."""

    told: Told | None = None
    is_seen = False  # whether it came to a door
    is_under_way = False  # whether it went through one
    products: list[tuple[Any, ...]] | None = None
    last: "Decided | None" = None  # about the call before this one


_state = _State()


Ways = dict[int, tuple[str, Callable[..., Any]]]


class Decided(NamedTuple):
    """What is to be known of a call before it is made."""

    mask: torch.Tensor | None
    like: tuple[Any, ...]  # what else it follows from
    objection: str | None  # why it cannot be kept, so that it is better left alone
    sight: Sight | None
    device: str
    ways: Ways


@contextmanager
def caught_for(watcher: Watcher) -> Iterator[None]:
    """Hands the watcher every call of attention that its model makes."""
    with _LOCK:
        if not WATCHERS:
            _OPEN.extend(_replaced())
        WATCHERS.append(watcher)
    try:
        yield
    finally:
        with _LOCK:
            WATCHERS.remove(watcher)
            if not WATCHERS:
                while _OPEN:
                    _OPEN.pop()()
                _state.last = None


PLACES = ("CPU", "AutogradCPU", "CUDA", "AutogradCUDA")  # where torch looks for an operator, without and with gradients
OPERATOR: Any = torch.ops.aten.scaled_dot_product_attention.default
_OPEN: list[Callable[[], None]] = []  # how each replaced function is put back
_standing: dict[str, Callable[..., Any]] = {
    "attention": ATTENTION
}  # what stood there: torch's own, or another library's


def _replaced() -> Iterator[Callable[[], None]]:
    _standing["attention"] = F.scaled_dot_product_attention
    yield _replace(F, "scaled_dot_product_attention", _attention)
    yield _operator_replaced()
    yield from (_replace(torch, name, _noted(getattr(torch, name))) for name in ("bmm", "baddbmm"))
    yield _replace(F, "multi_head_attention_forward", _with_products(F.multi_head_attention_forward))
    was_fast = torch.backends.mha.get_fastpath_enabled()  # computes attention where nobody can see it
    torch.backends.mha.set_fastpath_enabled(False)
    yield lambda: torch.backends.mha.set_fastpath_enabled(was_fast)
    if "transformers.modeling_utils" in sys.modules:
        interface: Any = sys.modules["transformers.modeling_utils"].AttentionInterface
        if hasattr(interface, "get_interface"):
            yield _replace(interface, "get_interface", _told_by_transformers(interface.get_interface))


def _operator_replaced() -> Callable[[], None]:
    """For calls of torch's function under any other name: `from … import scaled_dot_product_attention as sdpa`."""
    library = torch.library.Library("aten", "IMPL")
    for place in PLACES:
        library.impl("scaled_dot_product_attention", _by_another_name, place)
    return library._destroy  # pyright: ignore[reportPrivateUsage]


def _replace(place: Any, name: str, new: Any) -> Callable[[], None]:
    old = getattr(place, name)
    setattr(place, name, new)
    return lambda: setattr(place, name, old)


def _asked(part: Any = None) -> Asked:
    """Who watches the model that makes this call, if it is this part of it, or one among the callers."""
    # inside a backward pass a part may run once more, for memory's sake: it was seen before
    if not WATCHERS or torch._C._current_graph_task_id() != -1:  # pyright: ignore[reportPrivateUsage]
        return []
    if part is not None:
        return [(watcher, part) for watcher in WATCHERS if watcher.knows(part)]
    waiting, found = list(WATCHERS), []
    frame = sys._getframe(2)
    while frame is not None and waiting:
        code = frame.f_code
        if code.co_argcount:  # a method's first argument is the part itself
            part = frame.f_locals.get(code.co_varnames[0])
            if isinstance(part, torch.nn.Module) and hasattr(type(part), code.co_name):
                found += [(watcher, part) for watcher in waiting if watcher.knows(part)]
                waiting = [watcher for watcher in waiting if not watcher.knows(part)]
        frame = frame.f_back
    return found


def _tell(asked: Asked, call: Call) -> torch.Tensor:
    context = call.context
    for watcher, part in asked:
        context = watcher.saw(part, call, context)
    return context


def _regret(asked: Asked, reason: str) -> None:
    for watcher, part in asked:
        watcher.missed(part, reason)


# the doors


def _attention(
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
    return _passed(_standing["attention"], (query, key, value, attn_mask, dropout_p, is_causal), scale, enable_gqa)


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
    if _state.is_under_way:  # it was seen at the door
        return OPERATOR.decompose(*given, scale=scale, enable_gqa=enable_gqa)
    return _passed(ATTENTION, given, scale, enable_gqa)


def _passed(standing: Callable[..., Any], given: Given, scale: float | None, enable_gqa: bool) -> torch.Tensor:
    """What `standing` gives, and whoever watches the caller is told."""
    state = _state
    told = state.told
    asked = _asked() if told is None else told.asked
    state.is_seen = True
    if not asked:
        return _under_way(standing, given, scale, enable_gqa)
    decided = _decided(standing, given)
    if decided.sight is None:
        _regret(asked, str(decided.objection))
        return _under_way(standing, given, scale, enable_gqa)
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
    own = NONE if told is None else told.own
    if told is not None and told.k is not k:
        k, v = _keys(told, k, v)
        own = own if k is told.k else NONE
    if is_cast:  # in the precision that it computed in
        q, k, v = (x.to(torch.get_autocast_dtype(x.device.type)) for x in (q, k, v))
        own = NONE
    call = Call(q, k, v, decided.sight, scale, context, kernel, lse, None, None, dropout, own)
    for watcher, part in asked:
        context = watcher.saw(part, call, context)
    return context


def _under_way(function: Callable[..., Any], given: Given, scale: float | None, enable_gqa: bool) -> Any:
    """What leads to torch's operator, which need not tell anybody: it was seen at the door."""
    before, _state.is_under_way = _state.is_under_way, True
    try:
        return function(*given, scale=scale, enable_gqa=enable_gqa)
    finally:
        _state.is_under_way = before


def _decided(standing: Callable[..., Any], given: Given) -> Decided:
    """A call like the last one is decided like the last one: the layers of a model make the same call, with a mask that
    is one object."""
    q, k, v, mask, dropout, is_causal = given
    is_odd = q.is_nested or k.is_nested or v.is_nested or _transformation() is not None
    if is_odd or (mask is not None and mask.is_inference()):  # has no version: it may change in place, unnoticed
        like = ()
    else:
        kinds = (standing, type(q), type(k), type(v), q.device, dropout, is_causal)
        like = (q.shape, k.shape, v.shape, kinds, None if mask is None else mask._version)
        last = _state.last
        if last is not None and last.mask is mask and last.like == like:
            return last
    objection = _objection(standing, q, k, v, mask)
    sight = read_mask(mask, is_causal, q.shape[2], k.shape[2]) if objection is None else None
    decided = Decided(mask, like, objection, sight, q.device.type, _ways(q, k, v, mask, dropout))
    _state.last = decided if like else None
    return decided


_choice: Any = torch._fused_sdp_choice  # pyright: ignore[reportPrivateImportUsage]


def _ways(q: Any, k: Any, v: Any, mask: Any, dropout: float) -> Ways:
    """torch's kernels that give their log-sum-exp, by torch's own numbers, where they can be called without more ado.
    `fused` does the same for any call, and takes longer to say so."""
    can_be_called = by_torch._can_be_called  # pyright: ignore[reportPrivateUsage]
    is_plain = q.ndim == 4 and (mask is None or mask.dtype != torch.bool) and not torch.compiler.is_compiling()
    if not is_plain or not can_be_called(q, k, v, mask, dropout):
        return {}
    named = ((number, name, by_torch.CALLS.get((q.device.type, name))) for number, name in by_torch.NAMES.items())
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


def _told_by_transformers(get_interface: Callable[..., Any]) -> Callable[..., Any]:
    """In the place of transformers' choice of an attention function, by the name that a model's settings give."""

    def chosen(self: Any, name: str, default: Any) -> Any:
        function = get_interface(self, name, default)
        only_repeats = getattr(function, "__module__", "") == "transformers.integrations.sdpa_attention"

        def watched(module: Any, q: Any, k: Any, v: Any, mask: Any = None, *rest: Any, **settings: Any) -> Any:
            held = sys.getrefcount(q), sys.getrefcount(k), sys.getrefcount(v)
            asked, is_plain = _asked(module), only_repeats and settings.get("cache") is None
            own = handed_over(module, sys._getframe(1).f_code, q, k, v, held) if asked and is_plain else NONE
            _state.told, _state.is_seen = Told(asked, k, v, is_plain, own), False  # nobody asks, if nobody watches
            try:
                answer = function(module, q, k, v, mask, *rest, **settings)
            finally:
                _state.told = None
            if asked and not _state.is_seen:
                return _eager(asked, name, (q, k, v), mask, settings, answer)
            return answer

        return watched

    return chosen


def _eager(asked: Asked, name: str, qkv: Any, mask: Any, settings: dict[str, Any], answer: Any) -> Any:
    """A model that computes its attention by the formula: what it was given is all there is to know."""
    q, k, v = qkv
    if name not in ("eager", None):
        _regret(asked, f"runs {name}, which does not say what it read; load it with attn_implementation='sdpa'")
        return answer
    scale = settings.get("scaling")
    scale = 1.0 / math.sqrt(q.shape[-1]) if scale is None else float(scale)
    position = settings.get("position_bias")
    mask = position if mask is None else mask if position is None else mask + position
    sight = read_mask(mask, False, q.shape[2], k.shape[2])
    call = Call(
        *(q, k, v, sight, scale, answer[0].transpose(1, 2), "eager"),
        cap=settings.get("softcap"),
        sinks=settings.get("s_aux"),
        dropout=float(settings.get("dropout") or 0.0),
    )
    context = _tell(asked, call)
    return answer if context is call.context else (context.transpose(1, 2), *answer[1:])


def _with_products(forward: Callable[..., Any]) -> Callable[..., Any]:
    """In the place of the function behind nn.MultiheadAttention, which computes by the formula when asked for weights:
    its first product is that of queries and keys, its second that of weights and values."""

    def watched(query: Any, key: Any, value: Any, width: int, num_heads: int, *rest: Any, **more: Any) -> Any:
        asked = _asked()
        if not asked:
            return forward(query, key, value, width, num_heads, *rest, **more)
        _state.products = products = []
        try:
            answer = forward(query, key, value, width, num_heads, *rest, **more)
        finally:
            _state.products = None
        if len(products) == 2 and all(type(x) is torch.Tensor and not _is_transformed(x) for x in products[0]):
            _by_products(asked, products, num_heads)
        elif products:
            _regret(asked, "computes its weights in a way that is not known")
        return answer

    return watched


def _noted(product: Callable[..., Any]) -> Callable[..., Any]:
    """In the place of torch's products of matrices: in nn.MultiheadAttention they are its scores and its context."""

    def called(*given: Any, **named: Any) -> Any:
        found = product(*given, **named)
        products = _state.products
        if products is not None and not named:
            products.append((*given, found))
        return found

    return called


def _by_products(asked: Asked, products: list[tuple[Any, ...]], heads: int) -> None:
    *added, q, k, scores = products[0]
    weights, v, context = products[1]
    mask = added[0] if added else None

    def apart(x: torch.Tensor) -> torch.Tensor:
        return x.reshape(-1, heads, *x.shape[1:])

    dropped = 1.0 - float((weights != 0).sum() / (scores.detach().softmax(-1) != 0).sum().clamp(min=1))
    mask = mask if mask is None or mask.shape[0] == 1 else apart(mask)
    sight = read_mask(mask, False, q.shape[1], k.shape[2])
    # the queries are already scaled
    call = Call(apart(q), apart(k.transpose(1, 2)), apart(v), sight, 1.0, apart(context), "formula", dropout=dropped)
    if _tell(asked, call) is not call.context:
        raise ValueError(
            "an nn.MultiheadAttention that shows its weights computes by the formula, and cannot be changed; "
            "call it with need_weights=False"
        )

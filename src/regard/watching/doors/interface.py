"""Where transformers chooses the function that computes a model's attention: it knows which layer calls."""

import math
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from regard.watching.call import Call
from regard.watching.handing_over import NONE, handed_over
from regard.watching.noting import Noted, can_be_noted
from regard.watching.reading_masks import read_mask
from regard.watching.watchers import Asked, Told, asked_by, regret, state, tell

TO_TORCH = "transformers.integrations.sdpa_attention"  # its function that hands a call on to torch
_references, _frame = sys.getrefcount, sys._getframe


def told_by_transformers(get_interface: Callable[..., Any], open_wide: Callable[[], None]) -> Callable[..., Any]:
    """In the place of transformers' choice of an attention function, by the name that a model's settings give. Of a
    call that is not only noted the doors of torch tell: `open_wide`."""

    def chosen(self: Any, name: str, default: Any) -> Any:
        return _watched(get_interface(self, name, default), name, open_wide)

    return chosen


@cache
def _watched(function: Callable[..., Any], name: str, open_wide: Callable[[], None]) -> Callable[..., Any]:
    """In the place of an attention function of transformers."""
    to_torch = getattr(function, "__module__", "") == TO_TORCH

    def watched(module: Any, q: Any, k: Any, v: Any, mask: Any = None, *rest: Any, **settings: Any) -> Any:
        note = state.note
        if note is not None and to_torch and mask is None and not rest and can_be_noted(module, q, k, settings):
            state.is_under_way = True
            try:
                answer = function(module, q, k, v, None, **settings)
            finally:
                state.is_under_way = False
            note(Noted(function, module, q, k, v, settings, answer[0]))
            return answer
        open_wide()
        held = _references(q), _references(k), _references(v)
        asked, only_repeats = asked_by(module), to_torch and settings.get("cache") is None
        own = handed_over(module, _frame(1).f_code, q, k, v, held) if asked and only_repeats else NONE
        state.told, state.is_seen = Told(asked, k, v, only_repeats, own), False  # nobody asks, if nobody watches
        try:
            answer = function(module, q, k, v, mask, *rest, **settings)
        finally:
            state.told = None
        if asked and not state.is_seen:
            return _eager(asked, name, (q, k, v), mask, settings, answer)
        return answer

    return watched


def _eager(asked: Asked, name: str, qkv: Any, mask: Any, settings: dict[str, Any], answer: Any) -> Any:
    """A model that computes its attention by the formula: what it was given is all there is to know."""
    q, k, v = qkv
    if name not in ("eager", None):
        regret(asked, f"runs {name}, which does not say what it read; load it with attn_implementation='sdpa'")
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
    context = tell(asked, call)
    return answer if context is call.context else (context.transpose(1, 2), *answer[1:])

"""Where attention passes by, whatever model computes it: three doors of torch and one of transformers.

While somebody watches, these functions are ours; each calls the one it stands for and hands on what it saw. When the
last one stops watching, they are what they were before. Who kept torch's function under a name of their own is seen by
the operator that it leads to, which is ours for as long.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812  (as everybody writes it)

from regard.watching.doors.attention import attention, operator_replaced, standing
from regard.watching.doors.interface import told_by_transformers
from regard.watching.doors.products import noted, with_products
from regard.watching.watchers import WATCHERS, Watcher, state

_LOCK = threading.RLock()
_OPEN: list[Callable[[], None]] = []  # how each replaced function is put back
_WIDE: list[Callable[[], None]] = []  # and those of torch


@contextmanager
def caught_for(watcher: Watcher) -> Iterator[None]:
    """Hands the watcher every call of attention that its model makes."""
    with _LOCK:
        if not WATCHERS:
            _OPEN.extend(_of_transformers())
        if not watcher.is_told_all:
            _open_wide()
        WATCHERS.append(watcher)
    try:
        yield
    finally:
        with _LOCK:
            WATCHERS.remove(watcher)
            if not WATCHERS:
                for doors in (_WIDE, _OPEN):
                    while doors:
                        doors.pop()()
                state.last = None


def _open_wide() -> None:
    """Open the doors of torch; a model that asks transformers may pass without them."""
    if not _WIDE:
        with _LOCK:
            _WIDE.extend(() if _WIDE else _of_torch())


def _of_transformers() -> Iterator[Callable[[], None]]:
    if "transformers.modeling_utils" in sys.modules:
        interface: Any = sys.modules["transformers.modeling_utils"].AttentionInterface
        if hasattr(interface, "get_interface"):
            yield _replace(interface, "get_interface", told_by_transformers(interface.get_interface, _open_wide))


def _of_torch() -> Iterator[Callable[[], None]]:
    standing["attention"] = F.scaled_dot_product_attention
    yield _replace(F, "scaled_dot_product_attention", attention)
    yield operator_replaced()
    yield from (_replace(torch, name, noted(getattr(torch, name))) for name in ("bmm", "baddbmm"))
    yield _replace(F, "multi_head_attention_forward", with_products(F.multi_head_attention_forward))
    was_fast = torch.backends.mha.get_fastpath_enabled()  # computes attention where nobody can see it
    torch.backends.mha.set_fastpath_enabled(False)
    yield lambda: torch.backends.mha.set_fastpath_enabled(was_fast)


def _replace(place: Any, name: str, new: Any) -> Callable[[], None]:
    old = getattr(place, name)
    setattr(place, name, new)
    return lambda: setattr(place, name, old)

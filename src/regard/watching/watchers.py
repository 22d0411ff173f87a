"""Who watches which model, and what is known of the call of attention that is under way."""

import sys
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import torch

from regard.watching.call import Call
from regard.watching.handing_over import Own
from regard.watching.reading_masks import Sight


class Watcher(Protocol):
    """Somebody who watches one model."""

    is_told_all: bool  # by transformers, which every attention of this model asks

    def knows(self, module: Any) -> bool:
        """Whether this is a part of the model."""
        ...

    def saw(self, part: torch.nn.Module, call: Call, context: torch.Tensor) -> torch.Tensor:
        """Takes in a call, and says what the model goes on with: `context`, or something in its place."""
        ...

    def missed(self, part: torch.nn.Module, reason: str) -> None: ...


Asked = list[tuple[Watcher, torch.nn.Module]]  # who watches a call, and which part makes it
WATCHERS: list[Watcher] = []


class Told(NamedTuple):
    """What transformers says of a call before it makes it."""

    asked: Asked
    k: torch.Tensor  # before it repeated them
    v: torch.Tensor
    only_repeats: bool  # whether nothing else can have been done to them
    own: Own


class Decided(NamedTuple):
    """What is to be known of a call before it is made."""

    mask: torch.Tensor | None
    like: tuple[Any, ...]  # what else it follows from
    objection: str | None  # why it cannot be kept, so that it is better left alone
    sight: Sight | None
    device: str
    ways: dict[int, tuple[str, Any]]  # torch's kernels that give a log-sum-exp, by torch's own numbers


class State(threading.local):
    """Of the call that is under way in this thread."""

    told: Told | None = None
    is_seen = False  # whether it came to a door
    is_under_way = False  # whether it went through one
    products: list[tuple[Any, ...]] | None = None
    last: Decided | None = None  # about the call before this one
    note: Callable[[Any], None] | None = None  # takes down a call of the model that runs, to be taken in later


state = State()


def asked_by(part: Any = None) -> Asked:
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


def tell(asked: Asked, call: Call) -> torch.Tensor:
    context = call.context
    for watcher, part in asked:
        context = watcher.saw(part, call, context)
    return context


def regret(asked: Asked, reason: str) -> None:
    for watcher, part in asked:
        watcher.missed(part, reason)

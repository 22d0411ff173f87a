"""Watch any model of torch while it runs: what its attention computed is kept, and no output changes."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import torch

from regard.watching.budget import as_bytes
from regard.watching.call import Call
from regard.watching.catching import caught_for
from regard.watching.keeping import keeper
from regard.watching.layer import Layer
from regard.watching.seen import Seen


@contextmanager
def watch(
    model: torch.nn.Module,
    tokenizer: Any = None,
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    keep: str | Path = "here",
    budget: str | int | None = None,
) -> Iterator[Seen]:
    """What attention does inside `model`, while this block runs it.

    `layers` and `heads` choose what is kept (all, by default). `keep` says where: "here" (the device it was computed
    on), "memory", "disk", or a folder. `budget` ("4GB") is the most that may be kept; layers beyond it are named, not
    kept. With a `tokenizer`, rows are asked for by their words: `seen[2, 3].row("it")`.
    """
    seen = Seen(tokenizer, None if heads is None else tuple(heads), keeper=keeper(keep))
    watcher = Watching(model, seen, None if layers is None else set(layers), as_bytes(budget))
    with ExitStack() as stack:
        stack.enter_context(watcher.following())
        stack.enter_context(caught_for(watcher, iter(model.modules())))
        stack.enter_context(_uncompiled())
        yield seen


class Watching:
    """Hands what a part of its model does to the layer of `seen` that it belongs to."""

    def __init__(self, model: torch.nn.Module, seen: Seen, layers: set[int] | None, budget: int | None):
        self.model, self.seen, self.chosen, self.budget = model, seen, layers, budget
        self.names = {module: name for name, module in model.named_modules()}
        self.numbers: dict[tuple[str, int], int] = {}  # of a part that runs for the nth time in one pass
        self.times: dict[str, int] = {}
        self.is_continued = False

    @contextmanager
    def following(self) -> Iterator[None]:
        """The model says when a pass begins, and with which words."""
        handle = self.model.register_forward_pre_hook(self._begin, prepend=True, with_kwargs=True)
        try:
            yield
        finally:
            handle.remove()

    def _begin(self, _model: torch.nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.times, self.is_continued = {}, False
        first = {"input_ids": given[0]} if given and _are_numbers_of_words(given[0]) else {}
        self.seen.words.come({**first, **named})

    def knows(self, module: Any) -> bool:
        return module in self.names

    def saw(self, part: torch.nn.Module, call: Call) -> None:
        layer = self._layer(part)
        if layer is None:
            return
        call = self._of_heads(call)
        if self.budget is not None and self.seen.bytes - layer.bytes + call.bytes > self.budget:
            self.seen.miss(layer, f"would go beyond the budget of {self.budget:,} bytes")
            return
        went_on = layer.add(call, self.seen.keeper, self.is_continued)
        self.is_continued = self.is_continued or went_on
        self.seen.words.took(went_on)
        self.seen.has(layer)

    def missed(self, part: torch.nn.Module, reason: str) -> None:
        layer = self._layer(part)
        if layer is not None:
            self.seen.miss(layer, reason)

    def _layer(self, part: torch.nn.Module) -> Layer | None:
        """The layer that is running, or nothing where it was not asked for."""
        name = self.names[part]
        self.times[name] = time = self.times.get(name, 0) + 1
        number = self.numbers.setdefault((name, time), len(self.numbers))
        if self.chosen is not None and number not in self.chosen:
            return None
        return self.seen.layer(number, name if time == 1 else f"{name} (time {time})")

    def _of_heads(self, call: Call) -> Call:
        """The heads that were asked for; where they share keys, each with its own."""
        chosen = self.seen.chosen_heads
        if chosen is None:
            return call
        every = call.q.shape[1]
        if any(not 0 <= head < every for head in chosen):
            raise IndexError(f"there are {every} heads, counted from 0, got {list(chosen)}")
        own = [head * call.k.shape[1] // every for head in chosen]
        return call.with_heads(list(chosen), own)


def _are_numbers_of_words(given: Any) -> bool:
    return isinstance(given, torch.Tensor) and not given.is_floating_point()


@contextmanager
def _uncompiled() -> Iterator[None]:
    """A compiled model runs as it was written: inside compiled code nobody can see anything."""
    dynamo = sys.modules.get("torch._dynamo.eval_frame")
    backends = getattr(dynamo, "cached_backends", None if dynamo is None else {0: "unknown"})
    if not any(backend is not None for backend in (backends or {}).values()):  # nobody compiled anything
        yield
        return
    with torch.compiler.set_stance("force_eager"):
        yield

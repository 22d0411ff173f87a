"""Watch any model of torch while it runs: what its attention computed is kept, and no output changes."""

import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import Any

import torch

from regard.watching.budget import as_bytes
from regard.watching.call import Call
from regard.watching.catching import caught_for
from regard.watching.changing import Change, Cut, Word, without
from regard.watching.keeping import keeper
from regard.watching.layer import Layer
from regard.watching.noting import Listener, Noted, settled, taken_in
from regard.watching.seen import Seen
from regard.watching.structure import Structure, asks_transformers_alone, changed_since, structure_of
from regard.watching.watchers import WATCHERS, state

WAITING = 2**29  # bytes of contexts that wait, whole, until some rows of all of them are copied at once
CHANGED = "changed since the model was watched before: if it computes attention, watch it again"
UNSEEN = "called none of torch's functions for attention: what it computes by a formula of its own is not seen"


@contextmanager
def watch(
    model: torch.nn.Module,
    tokenizer: Any = None,
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    keep: str | Path = "here",
    budget: str | int | None = None,
    changes: Sequence[Change] = (),
    each: Callable[[Layer], None] | None = None,
) -> Iterator[Seen]:
    """What attention does inside `model`, while this block runs it.

    `layers` and `heads` choose what is kept (all, by default). `keep` says where: "here" (the device it was computed
    on), "memory", "disk", or a folder. `budget` ("4GB") is the most that may be kept; layers beyond it are named, not
    kept. With a `tokenizer`, rows are asked for by their words: `seen[2, 3].row("it")`.

    `changes` (`regard.Silence(2, head=3)`, `Replace`, `Cut`) are made while the model runs: what heads read is cut
    first, then what they say is changed, in the order given; what was done stands in `seen.changed`. Without them no
    output changes.

    With `each`, nothing is kept: every layer is handed to it as soon as it ran, and dropped when it has been looked at
    (`each=lambda layer: found.append(layer.looked())`). So the longest text takes the memory of one layer.
    """
    _check(model, changes)
    seen = Seen(tokenizer, None if heads is None else tuple(heads), keeper=keeper(keep))
    watcher = Watching(model, seen, None if layers is None else set(layers), as_bytes(budget), changes, each)
    with ExitStack() as stack:
        stack.callback(watcher.leave)
        stack.enter_context(watcher.following())
        stack.enter_context(caught_for(watcher))
        stack.enter_context(_uncompiled())
        yield seen
        watcher.check_all_done()


def _check(model: Any, changes: Any) -> None:
    """What would otherwise fail deep inside a model, or of torch."""
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"expected a model of torch, a torch.nn.Module, got {type(model).__name__}")
    if hasattr(changes, "after"):
        raise TypeError("changes expects a list, got one change; put brackets around it")
    for change in changes:
        if not hasattr(change, "after"):
            raise TypeError(f"a change is a regard.Silence, a Replace or a Cut, got {change!r}")


class Watching:
    """Hands what a part of its model does to the layer of `seen` that it belongs to."""

    def __init__(
        self,
        model: torch.nn.Module,
        seen: Seen,
        layers: set[int] | None,
        budget: int | None,
        changes: Sequence[Change] = (),
        each: Callable[[Layer], None] | None = None,
    ):
        self.model, self.seen, self.chosen, self.budget, self.changes = model, seen, layers, budget, changes
        self.each = each
        self.reached: set[Word] = set()  # words at which something is changed, once a text had them
        self.beyond: dict[Word, int] = {}  # and those that a text did not have: it had so many
        self.counting = count()
        self.numbers: dict[str, list[int]] = {}  # of each part: when it runs for the first time in a pass, the second…
        self.running = Running()
        self.noted: list[tuple[Pass, torch.nn.Module, Call | Noted]] = []  # and not yet taken in
        self.waiting = 0  # bytes of their contexts
        self.keeps_all = layers is seen.chosen_heads is budget is each is None and not changes
        self.takes_notes = self.keeps_all and seen.keeper.is_here  # until a layer has its number
        self.is_told_all = self.takes_notes and asks_transformers_alone(model)
        self.lock = threading.RLock()
        seen.catch_up = self.catch_up

    @contextmanager
    def following(self) -> Iterator[None]:
        """The model says when a pass begins, and with which words; what is called attention, when it ran."""
        handles = [
            self.model.register_forward_pre_hook(self._begin, prepend=True, with_kwargs=True),
            self.model.register_forward_hook(self._end, always_call=True),
        ]
        for part in () if self.is_told_all else self.structure.called_attention:
            handles += [part.register_forward_pre_hook(self._enter), part.register_forward_hook(self._leave)]
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def leave(self) -> None:
        """Nobody but whoever has what was seen keeps it from here on: it goes when they let it go."""
        self.seen.words.hold()
        self.seen = weakref.proxy(self.seen)

    def _enter(self, _part: torch.nn.Module, _given: Any) -> None:
        self.running.is_told = False

    def _leave(self, part: torch.nn.Module, _given: Any, _answer: Any) -> None:
        """A part of that name which asked none of the doors computes its weights where nobody can see them."""
        if torch._C._current_graph_task_id() != -1:  # pyright: ignore[reportPrivateUsage]
            return  # once more, for a gradient: nobody is told
        name, is_told, missed = self.structure.names[part], self.running.is_told, self.seen.missed
        with self.lock:
            if not is_told:
                missed[name] = UNSEEN
            elif missed.get(name) == UNSEEN:
                del missed[name]

    def _begin(self, _model: torch.nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.catch_up()
        self.running.now = now = Pass()
        state.note = partial(self._note, now) if self.takes_notes and len(WATCHERS) == 1 and not _is_cast() else None
        first = {"input_ids": given[0]} if given and _are_numbers_of_words(given[0]) else {}
        self.seen.words.come({**first, **named})

    def _end(self, _model: torch.nn.Module, _given: Any, _answer: Any) -> None:
        state.note = None  # a pass backwards lets parts run alone: they were seen before

    def _note(self, now: "Pass", noted: Noted) -> None:
        self.noted.append((now, noted.part, noted))
        self.waiting += noted.context.nbytes
        if self.waiting > WAITING:
            with self.lock:
                self._settle()

    @cached_property
    def structure(self) -> Structure:
        """Found when it is needed: to walk through a model takes longer than a layer of a small one."""
        return structure_of(self.model)

    def knows(self, module: Any) -> bool:
        return module in self.structure.names

    def saw(self, part: torch.nn.Module, call: Call, context: torch.Tensor) -> torch.Tensor:
        now, self.running.is_told = self.running.now, True
        with self.lock:
            if self.keeps_all and not self.numbers:
                self.noted.append((now, part, call.kept(self.seen.keeper)))
                return context
            self.catch_up()
            number, name = self._number(now, part)
            if self._is_chosen(number):
                self._keep(now, number, name, call)
            return self._changed(number, name, call, context)

    def catch_up(self) -> None:
        """In a first pass all is kept, and to which layers it belongs is found out when somebody looks, or at the next
        one: there is nothing before it to replace, and until then a model is not held up."""
        if self.noted:
            with self.lock:
                self._settle()
                noted, self.noted, self.takes_notes = self.noted, [], False
                only_noted = [call for _, _, call in noted if isinstance(call, Noted)]
                with caught_for(Listener()) if only_noted else nullcontext():
                    calls = iter(taken_in(only_noted, self.seen.keeper))
                if self.is_told_all and (names := changed_since(self.model, self.structure)):
                    self.seen.miss(names[0] + f" and {len(names) - 1} others" * (len(names) > 1), CHANGED)
                for now, part, call in noted:
                    self._take_in(now, part, next(calls) if isinstance(call, Noted) else call)

    def _take_in(self, now: "Pass", part: torch.nn.Module, call: Call | str) -> None:
        if part not in self.structure.names:
            return  # another model's, which this one calls without having it
        layer = self.seen.layer(*self._number(now, part))
        if isinstance(call, str):
            self._miss(layer, call)
        else:
            self._add(now, layer, call)

    def _settle(self) -> None:
        """Of each context only some rows are kept."""
        whole = [(i, call) for i, (_, _, call) in enumerate(self.noted) if isinstance(call, Noted)]
        whole = [(i, call) for i, call in whole if not call.is_settled]
        for (i, _), call in zip(whole, settled([call for _, call in whole])):
            self.noted[i] = (*self.noted[i][:2], call)
        self.waiting = 0

    def missed(self, part: torch.nn.Module, reason: str) -> None:
        with self.lock:
            self.running.is_told = True
            self.catch_up()
            number, name = self._number(self.running.now, part)
            if self._of(number, name):
                raise ValueError(f"layer {number} ({name}) cannot be changed: it {reason}")
            if self._is_chosen(number):
                self._miss(self.seen.layer(number, name), reason)

    def _keep(self, now: "Pass", number: int, name: str, call: Call) -> None:
        layer = self.seen.layer(number, name)
        reason = self._objection(layer, call)
        if reason is not None:
            self._miss(layer, reason)
            return
        self._add(now, layer, self._of_heads(call).kept(self.seen.keeper))
        if self.each is not None:
            self.each(layer)
            layer.drop()

    def _add(self, now: "Pass", layer: Layer, call: Call) -> None:
        went_on = layer.add(call, self.seen.keeper, now.is_continued)
        now.is_continued |= went_on
        self.seen.words.took(went_on)
        self.seen.has(layer)

    def _changed(self, number: int, name: str, call: Call, context: torch.Tensor) -> torch.Tensor:
        length = max(call.q.shape[2], call.k.shape[2])

        def position(word: Word) -> int:
            place = word if isinstance(word, int) else self.seen.words.place(word, call.k.shape[2])
            if 0 <= place < length:
                self.reached.add(word)
            else:
                self.beyond[word] = length
            return place

        changes = self._of(number, name)
        context = without([change for change in changes if isinstance(change, Cut)], call, context, position)
        for change in changes:
            context = context if isinstance(change, Cut) else change.after(call, context, position)
            if change.said() not in self.seen.changed:
                self.seen.changed.append(change.said())
        return context

    def _of(self, number: int, name: str) -> list[Change]:
        return [change for change in self.changes if change.layer in (number, name)]

    def check_all_done(self) -> None:
        """A change that nothing came of is a mistake, and so is a layer that is none, if the model ran at all."""
        if not self.numbers:
            return
        names = sorted((number, name) for name, numbers in self.numbers.items() for number in numbers)
        there = f"its layers are 0 ({names[0][1]}) to {names[-1][0]} ({names[-1][1]})"
        undone = [change.said() for change in self.changes if change.said() not in self.seen.changed]
        if undone:
            raise ValueError(f"this model has no such layer: {undone[0]}; {there}")
        for word in self.beyond.keys() - self.reached:
            raise ValueError(f"a change is at word {word}, but {self.beyond[word]} words were read, counted from 0")
        for number in sorted((self.chosen or set()) - {number for number, _ in names}):
            self.seen.miss(f"layer {number}", f"is none of this model's; {there}")

    def _miss(self, layer: Layer, reason: str) -> None:
        layer.forget()
        self.seen.miss(layer.name, reason)

    def _objection(self, layer: Layer, call: Call) -> str | None:
        heads, chosen = call.q.shape[1], self.seen.chosen_heads
        if chosen is not None and any(not 0 <= head < heads for head in chosen):
            return f"has {heads} heads, counted from 0; asked for were {list(chosen)}"
        if self.budget is not None and self.seen.bytes - layer.bytes + call.bytes > self.budget:
            return f"would go beyond the budget of {self.budget:,} bytes"
        return None

    def _number(self, now: "Pass", part: torch.nn.Module) -> tuple[int, str]:
        """The layer that is running: its number, in the order in which they first ran, and its name."""
        name = self.structure.names[part]
        now.times[name] = time = now.times.get(name, 0) + 1
        numbers = self.numbers.setdefault(name, [])
        if time > len(numbers):
            numbers.append(next(self.counting))
        if time > 1:
            return numbers[time - 1], f"{name} (time {time})" if name else f"time {time}"
        self.seen.is_over(numbers[1:])  # what it did in its further times belongs to a text before this one
        return numbers[0], name

    def _is_chosen(self, number: int) -> bool:
        return self.chosen is None or number in self.chosen

    def _of_heads(self, call: Call) -> Call:
        """The heads that were asked for; where they share keys, each with its own."""
        chosen = self.seen.chosen_heads
        if chosen is None:
            return call
        own = [head * call.k.shape[1] // call.q.shape[1] for head in chosen]
        return call.with_heads(list(chosen), own)


_is_cast: Any = torch._C._is_any_autocast_enabled  # pyright: ignore[reportAttributeAccessIssue]


class Pass:
    """One pass of a model."""

    def __init__(self) -> None:
        self.times: dict[str, int] = {}  # how often each part has run
        self.is_continued = False  # whether a part went on with its text


class Running(threading.local):
    """What is under way in a thread."""

    is_told = True  # whether the part that runs came to a door

    def __init__(self) -> None:
        self.now = Pass()


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

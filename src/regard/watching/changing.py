"""What can be done to attention while a model of others runs: heads silenced or replaced, readings cut."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch

from regard.watching.call import Call
from regard.watching.reading_masks import row_of

Word = str | int  # as it is written, `it@7` where it occurs more than once, or its position
Position = Callable[[Word], int]


class Change(Protocol):
    """One change of one layer, counted from 0 in the order in which layers first run, or by its name."""

    @property
    def layer(self) -> int | str: ...

    def said(self) -> str:
        """In words: what was done."""
        ...

    def after(self, call: Call, context: torch.Tensor, position: Position) -> torch.Tensor:
        """What the heads say now, (B, H, Q, E): the rest of the model goes on with it."""
        ...


@dataclass(frozen=True)
class Silence:
    """A head (without one: all of the layer's) says nothing, at one word or at all of them."""

    layer: int | str
    head: int | None = None
    at: Word | None = None

    def said(self) -> str:
        return f"{_whose(self.layer, self.head)} silenced{_where(self.at)}"

    def after(self, call: Call, context: torch.Tensor, position: Position) -> torch.Tensor:
        return context.masked_fill(_chosen(call, self.head, self.at, position), 0.0)


@dataclass(frozen=True, eq=False)
class Replace:
    """A head (without one: all of the layer's) says what it said in another run: `context`, (B, H, Q, E) of all heads,
    where a size of 1 serves all texts."""

    layer: int | str
    context: torch.Tensor
    head: int | None = None
    at: Word | None = None

    def said(self) -> str:
        return f"{_whose(self.layer, self.head)} replaced{_where(self.at)}"

    def after(self, call: Call, context: torch.Tensor, position: Position) -> torch.Tensor:
        given = torch.as_tensor(self.context).to(context)
        if given.ndim != 4 or given.shape[0] not in (1, len(context)) or given.shape[1:] != context.shape[1:]:
            expected = tuple(context.shape)
            raise ValueError(f"{self.said()}: expected what {expected} numbers say, got {tuple(given.shape)}")
        return torch.where(_chosen(call, self.head, self.at, position), given, context)


@dataclass(frozen=True)
class Cut:
    """One word does not see another, in a head (without one: in all of the layer's); the others take its share."""

    layer: int | str
    reader: Word
    read: Word
    head: int | None = None

    def said(self) -> str:
        return f"{_whose(self.layer, self.head)}: {self.reader} does not see {self.read}"

    def after(self, call: Call, context: torch.Tensor, position: Position) -> torch.Tensor:
        return without([self], call, context, position)


def without(cuts: Sequence[Cut], call: Call, context: torch.Tensor, position: Position) -> torch.Tensor:
    """What the heads say when none of these readings happens: all of a row at once, or each would bring back what
    another took away."""
    heads, keys = call.q.shape[1], call.k.shape[2]
    hidden: dict[int, torch.Tensor] = {}  # in each row that is cut, what its heads do not see, (H, K)
    for cut in cuts:
        row, key = _row(call, position(cut.reader)), position(cut.read)
        if row is None or not 0 <= key < keys:
            continue  # not among the words of this pass
        if row not in hidden:
            hidden[row] = torch.zeros(heads, keys, dtype=torch.bool, device=call.q.device)
        hidden[row][:, key] |= _heads(call, cut.head)[0, :, 0, 0]
    now = context.clone() if hidden else context
    for row, unseen in hidden.items():
        said = _said_without(call, row, unseen).to(context.dtype)
        now[:, :, row] = torch.where(unseen.any(-1)[None, :, None], said, context[:, :, row])
    return now


def _said_without(call: Call, row: int, unseen: torch.Tensor) -> torch.Tensor:
    """What every head says at one row when it does not see some keys: its softmax, once more, (B, H, E)."""
    times = call.q.shape[1] // call.k.shape[1]
    k, v = (x.repeat_interleave(times, 1) for x in (call.k, call.v))
    scores = (call.q[:, :, None, row] * call.scale) @ k.transpose(-1, -2)  # (B, H, 1, K)
    if call.cap is not None:
        scores = call.cap * torch.tanh(scores / call.cap)
    visible, bias = row_of(call.sight, row, call.k.shape[2])
    visible = visible.to(scores.device) & ~unseen[None, :, None]
    scores = (scores if bias is None else scores + bias).masked_fill(~visible, -torch.inf)
    if call.sinks is not None:
        sinks = call.sinks.to(scores.dtype).view(1, -1, 1, 1).expand(len(scores), -1, -1, -1)
        weights = torch.cat([scores, sinks], -1).softmax(-1)[..., :-1]
    else:
        weights = scores.softmax(-1).nan_to_num(0.0)  # a word that sees nothing says nothing
    return (weights @ v)[:, :, 0]


def _chosen(call: Call, head: int | None, at: Word | None, position: Position) -> torch.Tensor:
    """Which heads and rows, (1, H or 1, Q or 1, 1)."""
    heads = _heads(call, head)
    if at is None:
        return heads
    rows = torch.zeros(call.q.shape[2], dtype=torch.bool, device=call.q.device)
    row = _row(call, position(at))
    if row is not None:
        rows[row] = True
    return heads & rows[None, None, :, None]


def _heads(call: Call, head: int | None) -> torch.Tensor:
    count = call.q.shape[1]
    if head is not None and not 0 <= head < count:
        raise ValueError(f"this layer has {count} heads, counted from 0, got {head}")
    numbers = torch.arange(count, device=call.q.device)
    return (numbers >= 0 if head is None else numbers == head)[None, :, None, None]


def _row(call: Call, position: int) -> int | None:
    """The row of a word of the text, or none where this pass reads others: queries are the last of the keys."""
    queries, keys = call.q.shape[2], call.k.shape[2]
    row = position - max(0, keys - queries)
    return row if 0 <= row < queries else None


def _whose(layer: int | str, head: int | None) -> str:
    return f"layer {layer}" if head is None else f"layer {layer} head {head}"


def _where(at: Word | None) -> str:
    return "" if at is None else f" at {at}"

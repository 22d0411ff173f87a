"""What each head of a watched model does, as numbers: how spread out and how far it reads, and which habits it has."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import torch

from regard.attending.habits import HABITS, Pairs
from regard.attending.look import Tile, of_text
from regard.attending.spans import Spans
from regard.suggestions import NotFound, suggestion
from regard.watching.layer import Layer


@dataclass(frozen=True)
class Habits:
    """Of one head, averages over its queries."""

    layer: int
    head: int
    entropy: float  # in nats: 0 on one key, ln n evenly over n
    distance: float  # positions away
    sink: float  # weight on the first token
    previous: float  # on the token before
    same: float  # on earlier tokens that are the same word
    induction: float  # on tokens that followed the same word before (Olsson et al. 2022)
    evenly: "Habits | None" = None  # what a head would have that reads all it may see alike

    def __str__(self) -> str:
        return f"layer {self.layer}, head {self.head}: " + ", ".join(f"{n} {getattr(self, n):.3f}" for n in MEASURED)


@dataclass(frozen=True)
class Reads:
    """How much a head lets one word read another, and what it gives to a word on average."""

    layer: int
    head: int
    weight: float
    average: float

    def __str__(self) -> str:
        return f"layer {self.layer}, head {self.head}: {self.weight:.3f} (on average {self.average:.3f})"


MEASURED = tuple(field.name for field in fields(Habits) if field.name not in ("layer", "head", "evenly"))


def sorted_by(rows: list[Habits], habit: str) -> list[Habits]:
    """The strongest first."""
    if habit not in MEASURED:
        raise NotFound(f"no habit {habit!r} to sort by; {suggestion(habit, MEASURED)}")
    return sorted(rows, key=lambda row: -getattr(row, habit))


@torch.autocast("cpu", enabled=False)
@torch.no_grad()
def habits(layer: Layer, text: int, ids: Sequence[int] | None) -> list[Habits]:
    """Of every head of a layer. Without the numbers of the words nobody knows which are the same: both stay 0."""
    numbers = None if ids is None else torch.tensor(ids)
    visible = _visible_keys(layer, text)
    found, even = (torch.zeros(heads, len(MEASURED), dtype=torch.float64) for heads in (layer.heads, 1))
    for tile in layer.tiles(text):
        allowed = tile.allowed.to(tile.p.dtype)
        found += _of_tile(tile, numbers)
        share = (allowed / visible[tile.rows, None])[None]
        even += _of_tile(replace(tile, p=share, logarithm=share.clamp(min=1e-30).log2()), numbers)
    # the first query has nothing but itself to read: it has no habits
    queries = torch.tensor([layer.queries] * 2 + [max(1, layer.queries - 1)] * (len(MEASURED) - 2))
    baseline = Habits(layer.number, -1, **dict(zip(MEASURED, (even[0] / queries).tolist())))
    return [
        Habits(layer.number, head, **dict(zip(MEASURED, row.tolist())), evenly=baseline)
        for head, row in enumerate(found / queries)
    ]


def _of_tile(tile: Tile, ids: torch.Tensor | None) -> torch.Tensor:
    """The sums over a tile of what is measured, (heads, measured)."""
    p = tile.p
    query = torch.arange(tile.rows.start, tile.rows.stop)[:, None]
    key = torch.arange(tile.keys.start, tile.keys.stop)

    def on(pairs: torch.Tensor) -> torch.Tensor:
        return torch.einsum("hrk,rk->h", p, pairs.to(p.dtype)) if pairs.any() else p.new_zeros(len(p))

    nothing = torch.zeros_like(query == key)
    word, other = (nothing, nothing) if ids is None else (ids[query], ids[key])
    before = nothing if ids is None else ids[(key - 1).clamp(min=0)]
    pairs = Pairs(query, key, word, other, before, nothing)
    sums = (
        tile.entropy.sum(-1),
        on((query - key).abs()),
        on(HABITS["first"](pairs)),
        on(HABITS["previous"](pairs)),
        *(on(HABITS[name](pairs)) if ids is not None else on(nothing) for name in ("same", "induction")),
    )
    return torch.stack(sums, 1).double()


def _visible_keys(layer: Layer, text: int) -> torch.Tensor:
    """How many keys each query may see, as its first head has it; at least 1."""
    visible = of_text(layer.visible, text)
    count = torch.from_numpy(visible.end - visible.begin) if isinstance(visible, Spans) else visible.cpu().sum(-1)
    return count.reshape(-1, count.shape[-1])[0].clamp(min=1)

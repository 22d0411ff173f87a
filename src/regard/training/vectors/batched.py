"""Skip-gram through torch, on a GPU: many windows at once, as batched matrix products.

Words that stand together make a group. The words of a group share their negatives, so that near words × (words between
them and negatives) is one small matrix product for each group, and many groups are one update:

    scores = near · drawnᵀ      error = weight · (label − logistic(scores))      near += rate · error · drawn   …

A pair of a near word and the word between them has weight and label 1. A negative stands for all that each near word's
windows would have drawn: weight near pairs · negatives / negatives of the group, label 0. Groups do not see each
other's moves, so the sum of n moves of one row may overshoot. Had they been made one after the other, each would have
come nearer by a share of about `rate` of what is left; together they count as that many: (1 − e^(−rate·n)) / rate.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from regard.training.vectors import tables
from regard.training.vectors.chances import POWER, WHOLE, kept_chances, rate_after
from regard.training.vectors.numbering import END, Numbered
from regard.training.vectors.settings import Settings
from regard.training.vectors.tables import Table

BLOCK = 2**19  # words of the text at a time
GROUP = 32  # words that share their negatives
DRAWN = 32  # negatives of a group
GROUPS = 256  # in one update, at most
FEWEST = 10_000  # updates that a run makes, if its text allows: with fewer, the batches are smaller


@dataclass(frozen=True, eq=False)
class Groups:
    """Near words, drawn words (those between, then negatives), and what each pair of the two weighs."""

    near: torch.Tensor
    drawn: torch.Tensor
    weights: torch.Tensor

    def part(self, start: int, count: int) -> "Groups":
        part = slice(start, start + count)
        return Groups(self.near[part], self.drawn[part], self.weights[part])

    def take(self, other: "Groups") -> None:
        """The numbers of others, in place."""
        self.near.copy_(other.near)
        self.drawn.copy_(other.drawn)
        self.weights.copy_(other.weights)


def update(
    vectors: torch.Tensor, contexts: torch.Tensor, groups: Groups, labels: torch.Tensor, rate: torch.Tensor
) -> None:
    """One update of both tables; a label for each drawn word says whether it was seen or drawn at random."""
    x, c = vectors[groups.near], contexts[groups.drawn]
    errors = groups.weights * (labels - torch.sigmoid(x @ c.mT))
    moves_x, moves_c = errors @ c, errors.mT @ x
    _move(vectors, groups.near, moves_x, groups.weights.sum(-1), rate)
    _move(contexts, groups.drawn, moves_c, groups.weights.sum(-2), rate)


def _move(
    table: torch.Tensor, rows: torch.Tensor, moves: torch.Tensor, weights: torch.Tensor, rate: torch.Tensor
) -> None:
    places = rows.reshape(-1)
    pairs = torch.zeros(len(table), device=table.device).index_add_(0, places, weights.reshape(-1))
    steps = torch.where(pairs > 0, -torch.expm1(-rate * pairs) / pairs, rate)
    table.index_add_(0, places, moves.reshape(len(places), -1) * steps[places, None])


class Batched:
    """A text, and two tables on a device."""

    def __init__(self, text: Numbered, settings: Settings, block: int = BLOCK, groups: int = GROUPS):
        self.text, self.settings, self.block = text, settings, block
        self.groups = max(1, min(groups, settings.epochs * len(text.ids) // (GROUP * FEWEST)))
        self.device = torch.device(settings.device)
        if self.device.type == "cuda" and not torch.cuda.is_available():
            raise ValueError("torch finds no GPU here; train with --device cpu")
        self._vectors = torch.from_numpy(tables.random(len(text.words), settings.width, settings.seed)).to(self.device)
        self._contexts = torch.zeros_like(self._vectors)
        self.kept = self._here(kept_chances(text.counts, settings.sample) / WHOLE)
        shares = np.cumsum(text.counts**POWER)
        self.shares = self._here(shares / shares[-1])
        self.labels = self._here(np.repeat([1.0, 0.0], [GROUP, DRAWN]))
        near, center = np.arange(GROUP + 2 * settings.window)[:, None] - settings.window, np.arange(GROUP)
        self.distance = self._here(np.abs(near - center))
        self._update = self._recorded() if self.device.type == "cuda" else self._updated

    def _here(self, numbers: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(numbers.astype(np.float32)).to(self.device)

    def _updated(self, groups: Groups, rate: float) -> None:
        update(self._vectors, self._contexts, groups, self.labels, torch.tensor(rate))

    def _recorded(self) -> Callable[[Groups, float], None]:
        """The same, recorded once and replayed: of so many small kernels, starting each would take longest."""
        near, width = self.distance.shape[0], GROUP + DRAWN
        kept = Groups(
            torch.zeros(self.groups, near, dtype=torch.long, device=self.device),
            torch.zeros(self.groups, width, dtype=torch.long, device=self.device),
            torch.zeros(self.groups, near, width, device=self.device),  # nothing moves while it is recorded
        )
        rate_kept = torch.zeros((), device=self.device)
        apart = torch.cuda.Stream()
        apart.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(apart):
            for _ in range(3):
                update(self._vectors, self._contexts, kept, self.labels, rate_kept)
        torch.cuda.current_stream().wait_stream(apart)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            update(self._vectors, self._contexts, kept, self.labels, rate_kept)

        def replayed(groups: Groups, rate: float) -> None:
            kept.take(groups)
            rate_kept.fill_(rate)
            graph.replay()

        return replayed

    @property
    def tables(self) -> dict[str, Table]:
        """On the CPU, these are the tables themselves; from a GPU they are copied."""
        return {"vectors": self._vectors.cpu().numpy(), "contexts": self._contexts.cpu().numpy()}

    def restore(self, kept: dict[str, Table]) -> None:
        for name, table in (("vectors", self._vectors), ("contexts", self._contexts)):
            table.copy_(torch.from_numpy(kept[name]))

    @property
    def blocks(self) -> int:
        return -(-len(self.text.ids) // self.block)

    def size(self, block: int) -> int:
        return min(self.block, len(self.text.ids) - block * self.block)

    def vectors(self) -> Table:
        return self.tables["vectors"][:, : self.settings.width]

    def learn(self, epoch: int, block: int) -> None:
        settings, random = self.settings, torch.Generator(self.device)
        seed = np.random.SeedSequence([settings.seed, epoch, block]).generate_state(1, np.uint64)[0]
        random.manual_seed(int(seed >> np.uint64(1)))
        ids = np.array(self.text.ids[block * self.block : (block + 1) * self.block])
        groups = self.groups_of(torch.from_numpy(ids).to(self.device), random)
        passed = epoch * len(self.text.ids) + block * self.block
        count = len(groups.near)
        for start in range(0, count, self.groups):
            done = (passed + len(ids) * start / count) / (settings.epochs * len(self.text.ids))
            self._update(groups.part(start, self.groups), rate_after(done, settings.rate))
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def groups_of(self, ids: torch.Tensor, random: torch.Generator) -> Groups:
        """All groups of a block of text, filled up to whole updates with groups that weigh nothing."""
        window, negatives = self.settings.window, self.settings.negatives
        lines = (ids == END).cumsum(0)
        chances = torch.rand(ids.shape, generator=random, device=self.device)
        kept = (ids != END) & (chances < self.kept[ids.clamp(min=0)])
        words, lines = ids[kept].long(), lines[kept]
        last, step = len(words) - 1, GROUP * self.groups
        reach = torch.randint(1, window + 1, words.shape, generator=random, device=self.device)
        begins = torch.arange(0, step * -(-len(words) // step), GROUP, device=self.device)[:, None]
        centers = begins + torch.arange(GROUP, device=self.device)
        places = begins + torch.arange(-window, GROUP + window, device=self.device)
        inside = ((places >= 0) & (places <= last))[:, :, None] & (centers <= last)[:, None]
        places, centers = places.clamp(0, max(0, last)), centers.clamp(max=max(0, last))
        true = (self.distance >= 1) & (self.distance <= reach[centers][:, None]) & inside
        pairs = (true & (lines[places][:, :, None] == lines[centers][:, None])).float()
        draws = torch.rand(len(begins), DRAWN, generator=random, device=self.device)
        drawn = torch.searchsorted(self.shares, draws).clamp(max=len(self.shares) - 1)
        against = (pairs.sum(-1, keepdim=True) * (negatives / DRAWN)).expand(-1, -1, DRAWN)
        return Groups(words[places], torch.cat([words[centers], drawn], -1), torch.cat([pairs, against], -1))

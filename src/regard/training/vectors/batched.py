"""Skip-gram through torch, on a GPU: many windows at once, as batched matrix products.

Words that stand together make a group. The words of a group share their negatives, so that near words × (words between
them and negatives) is one small matrix product for each group, and a few hundred groups are one update:

    scores = near · drawnᵀ      error = weight · (label − logistic(scores))      near += rate · error · drawn   …

A pair of a near word and the word between them has weight and label 1. A negative stands for all that each near word's
windows would have drawn: weight near pairs · negatives / negatives of the group, label 0. Groups do not see each
other's moves, so the sum of n moves of one row may overshoot. Had they been made one after the other, each would have
come nearer by a share of about `rate` of what is left; together they count as that many: (1 − e^(−rate·n)) / rate.
"""

import numpy as np
import torch

from regard.training.vectors import tables
from regard.training.vectors.chances import POWER, WHOLE, kept_chances, rate_after
from regard.training.vectors.numbering import END, Numbered
from regard.training.vectors.settings import Settings
from regard.training.vectors.tables import Table

BLOCK = 2**20  # words of the text at a time
GROUP = 32  # words that share their negatives
DRAWN = 32  # negatives of a group
GROUPS = 256  # in one update, at most
FEWEST = 10_000  # updates that a run makes, if its text allows: with fewer, the batches are smaller


def update(
    vectors: torch.Tensor,
    contexts: torch.Tensor,
    near: torch.Tensor,
    drawn: torch.Tensor,
    weights: torch.Tensor,
    labels: torch.Tensor,
    rate: float,
) -> None:
    """One update of both tables: groups × near words, groups × drawn words, and for each pair a weight and a label."""
    x, c = vectors[near], contexts[drawn]
    errors = weights * (labels - torch.sigmoid(x @ c.mT))
    moves_x, moves_c = errors @ c, errors.mT @ x
    _move(vectors, near, moves_x, weights.sum(-1), rate)
    _move(contexts, drawn, moves_c, weights.sum(-2), rate)


def _move(table: torch.Tensor, rows: torch.Tensor, moves: torch.Tensor, weights: torch.Tensor, rate: float) -> None:
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
        kept = kept_chances(text.counts, settings.sample) / WHOLE
        self.kept = torch.from_numpy(kept.astype(np.float32)).to(self.device)
        shares = np.cumsum(text.counts**POWER)
        self.shares = torch.from_numpy((shares / shares[-1]).astype(np.float32)).to(self.device)
        window = settings.window
        near, center = torch.arange(GROUP + 2 * window)[:, None] - window, torch.arange(GROUP)
        self.distance = (near - center).abs().to(self.device)

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
        words, lines = self._kept(torch.from_numpy(ids).to(self.device), random)
        reach = torch.randint(1, settings.window + 1, words.shape, generator=random, device=self.device)
        passed = epoch * len(self.text.ids) + block * self.block
        total, step = settings.epochs * len(self.text.ids), GROUP * self.groups
        for start in range(0, len(words), step):
            done = (passed + len(ids) * start / max(1, len(words))) / total
            self._learn(words, lines, reach, start, rate_after(done, settings.rate), random)

    def _kept(self, ids: torch.Tensor, random: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """The words that are not skipped, and the line of each."""
        lines = (ids == END).cumsum(0)
        chances = torch.rand(ids.shape, generator=random, device=self.device)
        kept = (ids != END) & (chances < self.kept[ids.clamp(min=0)])
        return ids[kept].long(), lines[kept]

    def _learn(
        self,
        words: torch.Tensor,
        lines: torch.Tensor,
        reach: torch.Tensor,
        start: int,
        rate: float,
        random: torch.Generator,
    ) -> None:
        """One update from the groups that begin at `start`."""
        window = self.settings.window
        stop = min(start + GROUP * self.groups, len(words))
        begins = torch.arange(start, stop, GROUP, device=self.device)[:, None]
        centers = begins + torch.arange(GROUP, device=self.device)
        places = begins + torch.arange(-window, GROUP + window, device=self.device)
        inside = (places >= 0) & (places < len(words))
        centers_inside = centers < len(words)
        places, centers = places.clamp(0, len(words) - 1), centers.clamp(max=len(words) - 1)
        true = (self.distance >= 1) & (self.distance <= reach[centers][:, None])
        true &= (lines[places][:, :, None] == lines[centers][:, None]) & inside[:, :, None] & centers_inside[:, None]
        draws = torch.rand(len(begins), DRAWN, generator=random, device=self.device)
        negatives = torch.searchsorted(self.shares, draws).clamp(max=len(self.shares) - 1)
        pairs = true.float()
        against = pairs.sum(-1, keepdim=True) * (self.settings.negatives / DRAWN)
        weights = torch.cat([pairs, against.expand(-1, -1, DRAWN)], -1)
        labels = torch.cat([pairs, torch.zeros_like(weights[:, :, GROUP:])], -1)
        drawn = torch.cat([words[centers], negatives], -1)
        update(self._vectors, self._contexts, words[places], drawn, weights, labels, rate)

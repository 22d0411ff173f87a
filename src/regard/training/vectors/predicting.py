"""Skip-gram and CBOW: vectors that predict which words stand near each other, learned from a text of any size."""

import numpy as np

from regard.training.vectors import tables
from regard.training.vectors.chances import kept_chances, rate_after
from regard.training.vectors.numbering import Numbered
from regard.training.vectors.sampling import alias_table, random_state
from regard.training.vectors.settings import Settings
from regard.training.vectors.tables import Table
from regard.training.vectors.update import LOGISTIC, room
from regard.training.vectors.walk import walk

BLOCK = 2**17  # words of the text that are walked over at a time


class Predicting:
    """A text, and two tables that change: the vectors of the words, and their vectors as contexts."""

    def __init__(self, text: Numbered, settings: Settings, block: int = BLOCK):
        self.text, self.settings, self.block = text, settings, block
        self.tables = {
            "vectors": tables.random(len(text.words), settings.width, settings.seed),
            "contexts": tables.zeros(len(text.words), settings.width),
        }
        self.kept = kept_chances(text.counts, settings.sample)
        self.chance, self.alias = alias_table(text.counts)

    @property
    def blocks(self) -> int:
        return -(-len(self.text.ids) // self.block)

    def size(self, block: int) -> int:
        return min(self.block, len(self.text.ids) - block * self.block)

    def rate(self, epoch: int, block: int) -> float:
        """The learning rate at the beginning of a block."""
        passed = (epoch + min(1, block * self.block / len(self.text.ids))) / self.settings.epochs
        return rate_after(passed, self.settings.rate)

    def learn(self, epoch: int, block: int) -> None:
        ids = np.asarray(self.text.ids[block * self.block : (block + 1) * self.block])
        settings, table = self.settings, self.tables["vectors"]
        walk(
            ids, table, self.tables["contexts"], self.kept, self.chance, self.alias, settings.window,
            settings.negatives, settings.kind == "cbow", self.rate(epoch, block), self.rate(epoch, block + 1), LOGISTIC,
            *room(settings.window, settings.negatives, table.shape[1]), random_state(settings.seed, epoch, block),
        )  # fmt: skip

    def restore(self, kept: dict[str, Table]) -> None:
        tables.restore(self.tables, kept)

    def vectors(self) -> Table:
        return self.tables["vectors"][:, : self.settings.width]

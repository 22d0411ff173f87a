"""What the training loop asks of a way to learn: blocks of work that depend on nothing but their number."""

from typing import Protocol

from regard.training.vectors.tables import Table


class Learner(Protocol):
    """Tables that a block of work changes. All that a run must remember besides them is which block comes next."""

    @property
    def tables(self) -> dict[str, Table]:
        """By name, for the checkpoint."""
        ...

    @property
    def blocks(self) -> int:
        """Of one epoch."""
        ...

    def restore(self, kept: dict[str, Table]) -> None:
        """Take the numbers of a checkpoint."""
        ...

    def learn(self, epoch: int, block: int) -> None:
        """Make the updates of a block."""
        ...

    def size(self, block: int) -> int:
        """How many words, or pairs of words, a block has."""
        ...

    def vectors(self) -> Table:
        """What was learned: one row for each word."""
        ...

"""Early stopping: how long a run goes on although the text that was held out is no longer predicted better."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass
class Patience:
    """The best evaluation so far, and how many have come since; after `most` of them it is over (0: it never is).

    >>> patience = Patience(most=2)
    >>> [patience.better(update, loss) for update, loss in ((10, 3.0), (20, 2.5), (30, 2.6), (40, 2.5))]
    [True, True, False, False]
    >>> patience.best, patience.loss, patience.over
    (20, 2.5, True)
    """

    most: int = 0
    best: int | None = None  # the update after which the held-out text was predicted best
    loss: float = math.inf
    since: int = 0  # evaluations

    @property
    def over(self) -> bool:
        return 0 < self.most <= self.since

    def better(self, update: int, loss: float) -> bool:
        """Whether an evaluation is the best so far; then the model of this update is worth keeping."""
        if not self.most:
            return False
        if not loss < self.loss:
            self.since += 1
            return False
        self.best, self.loss, self.since = update, loss, 0
        return True

    def data(self) -> dict[str, Any]:
        return {"best": self.best, "loss": None if self.best is None else self.loss, "since": self.since}

    @classmethod
    def of(cls, most: int, data: Any) -> "Patience":
        """Going on with what `data` wrote down; a run that had none begins to count."""
        if not isinstance(data, Mapping) or type(data.get("best")) is not int:
            return cls(most)
        return cls(most, data["best"], float(data["loss"]), int(data["since"]))

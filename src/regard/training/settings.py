"""How a model is trained: sizes, rates and lengths, checked when made."""

from dataclasses import dataclass, field
from typing import Any

OPTIMISERS = ("adamw", "muon")
PRECISIONS = ("float32", "bfloat16")


def setting(default: Any, about: str) -> Any:
    """A field of settings, with the line that `regard train --settings` prints about it."""
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True)
class TrainingSettings:
    """What `regard train --set name=value` can change, besides the sizes of the model.

    >>> TrainingSettings(updates=100, rate=1e-3).warm_up
    5
    """

    updates: int = setting(1000, "updates to make")
    batch: int = setting(32, "rows of text in a batch")
    window: int = setting(256, "tokens in a row: the longest text the model reads")
    accumulate: int = setting(1, "batches whose gradients are added up before an update")
    rate: float = setting(1e-3, "highest learning rate")
    matrix_rate: float = setting(0.02, "Muon's highest learning rate, for the matrices inside the blocks")
    final_rate: float = setting(0.1, "learning rate at the end, as a share of the highest")
    warm_up_share: float = setting(0.05, "share of the updates during which the rate rises")
    weight_decay: float = setting(0.1, "how strongly matrices are pulled towards 0")
    clip: float = setting(1.0, "longest gradient; a longer one is scaled down to it")
    dropout: float = setting(0.0, "share of the numbers set to 0 at random while training")
    optimiser: str = setting("adamw", f"one of {', '.join(OPTIMISERS)}")
    precision: str = setting("float32", f"one of {', '.join(PRECISIONS)}; parameters are always kept in float32")
    compile: bool = setting(False, "compile the model first: slower to start, then faster on a GPU")
    seed: int = setting(0, "first parameters, order of the text and dropout all follow from it")
    evaluate_every: int = setting(100, "updates between two evaluations on the held-out text")
    evaluate_batches: int = setting(16, "batches of held-out text in an evaluation")
    save_every: int = setting(500, "updates between two checkpoints")
    patience: int = setting(0, "stop after this many evaluations without a new best; 0: never")
    sharded: bool = setting(False, "with several processes, give each a part of the model instead of a copy")

    film_every: int = setting(0, "updates between two looks at all heads, for a film (--film: 50); 0: no film")

    def __post_init__(self) -> None:
        for name in ("updates", "batch", "window", "accumulate", "evaluate_every", "evaluate_batches", "save_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} expects at least 1, got {getattr(self, name)}")
        for name in ("rate", "matrix_rate", "clip"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ValueError(f"{name} expects a number above 0, got {getattr(self, name)}")
        for name in ("final_rate", "warm_up_share", "dropout"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} expects a number from 0 to 1, got {getattr(self, name)}")
        for name in ("weight_decay", "patience", "film_every"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} expects 0 or more, got {getattr(self, name)}")
        if self.optimiser not in OPTIMISERS:
            raise ValueError(f"unknown optimiser {self.optimiser!r}; there are {', '.join(OPTIMISERS)}")
        if self.precision not in PRECISIONS:
            raise ValueError(f"unknown precision {self.precision!r}; there are {', '.join(PRECISIONS)}")

        if self.film_every and self.sharded:
            raise ValueError("a film needs the whole model in one place; leave out --film or sharded")

    @property
    def warm_up(self) -> int:
        return max(1, round(self.warm_up_share * self.updates))

"""How a model is trained: sizes, rates and lengths, checked when made."""

from dataclasses import dataclass

OPTIMISERS = ("adamw", "muon")
PRECISIONS = ("float32", "bfloat16")


@dataclass(frozen=True)
class TrainingSettings:
    """What `regard train --set name=value` can change.

    >>> TrainingSettings(updates=100, rate=1e-3).warm_up
    5
    """

    updates: int = 1000
    batch: int = 32
    window: int = 256  # tokens of text in one row of a batch
    accumulate: int = 1  # batches whose gradients are added up before an update
    rate: float = 1e-3
    matrix_rate: float = 0.02  # Muon's, for the matrices inside the blocks
    final_rate: float = 0.1  # the rate at the end, as a share of the highest
    warm_up_share: float = 0.05
    weight_decay: float = 0.1
    clip: float = 1.0
    dropout: float = 0.0
    optimiser: str = "adamw"
    precision: str = "float32"
    compile: bool = False
    seed: int = 0
    evaluate_every: int = 100
    evaluate_batches: int = 16
    save_every: int = 500
    patience: int = 0  # stop after so many evaluations that were not better than the best; 0: do not
    sharded: bool = False  # with several processes, each holds a part of the model instead of a copy

    def __post_init__(self) -> None:
        for name in ("updates", "batch", "window", "accumulate", "evaluate_every", "evaluate_batches", "save_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1; {getattr(self, name)} came")
        for name in ("rate", "matrix_rate", "clip"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ValueError(f"{name} must be above 0; {getattr(self, name)} came")
        for name in ("final_rate", "warm_up_share", "dropout"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} lies between 0 and 1; {getattr(self, name)} came")
        for name in ("weight_decay", "patience"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} cannot be negative; {getattr(self, name)} came")
        if self.optimiser not in OPTIMISERS:
            raise ValueError(f"unknown optimiser {self.optimiser!r}; there are {', '.join(OPTIMISERS)}")
        if self.precision not in PRECISIONS:
            raise ValueError(f"unknown precision {self.precision!r}; there are {', '.join(PRECISIONS)}")

    @property
    def warm_up(self) -> int:
        return max(1, round(self.warm_up_share * self.updates))

"""How the words of a layer look at others, as a value: one for each layer, where layers differ."""

from dataclasses import dataclass

from regard.attending.positions import NoPositions


@dataclass(frozen=True)
class Looking:
    """How far words look, and how they know each other's places."""

    window: int = 0  # they read words less than this many positions away; 0: all that the mask lets them read
    positions: NoPositions | None = None  # None: those of the model

    def __post_init__(self) -> None:
        if self.window < 0:
            raise ValueError(f"a window must be 0 or more, got {self.window}")
        if self.positions is not None and self.positions.shapes(1, 1):
            raise ValueError("a layer's own positions cannot be learned; choose rotary ones, or none")

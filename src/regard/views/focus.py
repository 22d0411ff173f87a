"""What a figure looks at: a layer, a head, a query, and what was measured of the run."""

from dataclasses import dataclass

from regard.lens.explanation import Explanation


@dataclass(frozen=True)
class Focus:
    layer: int
    head: int
    row: int
    found: Explanation

    def step(self, name: str) -> str:
        return f"layer{self.layer}.{name}"

    @property
    def place(self) -> str:
        return f"layer {self.layer}, head {self.head}"

"""Where a prediction comes from, exactly: through which layers, heads and words the difference of two logits flows.

A flow says what was carried, with attention as it was. It does not say what would happen if attention changed; so every
edge can be cut (`edge.cut`), and `flow.check(50)` puts what really happens beside what the flow says.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from regard.lens.checking import Check
from regard.lens.cutting import cut_name
from regard.lens.flowing import Block, flowing
from regard.lens.margin import compared
from regard.lens.paths import FlowPath, Paths
from regard.lens.strongest import strongest
from regard.trace import Cell, Trace, Values
from regard.trace.holding import FLOW


@dataclass(frozen=True, eq=False)
class Edge:
    """One head of one layer reading one word at another: what it carried, and with which weight."""

    trace: Trace
    layer: str
    head: int
    to: int
    source: int
    flow: Cell

    @property
    def weight(self) -> Cell:
        return Cell(self.trace.steps[f"{self.layer}.weights"], self.flow.at)

    @property
    def name(self) -> str:
        words = self.trace.labels
        return f"{self.layer}.head{self.head}  {words.shown('K', self.source)} → {words.shown('Q', self.to)}"

    @cached_property
    def cut(self) -> Cell:
        """The margin when this weight is 0 and nothing else is rescaled: a number of another run."""
        return Cell(self.trace.step(cut_name(self.layer, self.flow.at)), ())

    @cached_property
    def lost(self) -> Cell:
        """What the margin really loses when the edge is cut."""
        return Cell(self.trace.step(f"{cut_name(self.layer, self.flow.at)}.lost"), ())


class Flow:
    """What each word, each head's reading and each bias carried to logit(first) − logit(second).

    >>> import regard
    >>> flow = regard.explain("The quick brown fox", next="jumps").flow("jumps", "fox")
    >>> round(flow.margin.value, 4), flow.words
    (-0.0675, flow.words  token (4)
                   The    quick   brown      fox
    flow.words  0.0050  -0.0075  0.0100  -0.0750)
    """

    def __init__(self, trace: Trace, first: str | None = None, second: str | None = None):
        usual = compared(trace) if first is None or second is None else (first, second)
        first = usual[0] if first is None else first
        if second is None:
            second = usual[1] if usual[1] != first else usual[0]
        own = (first, second) == compared(trace)
        self.trace = trace if own else replace(trace, compared=(first, second))
        self.first, self.second = compared(self.trace)
        self.parts = flowing(self.trace)

    @property
    def margin(self) -> Cell:
        return self.trace.cell("margin")

    @property
    def held(self) -> str:
        """What counted as constant."""
        return FLOW.says

    @property
    def words(self) -> Values:
        """One number for each word: its embedding, position and segment together."""
        return self.trace["flow.words"]

    @property
    def apart(self) -> dict[str, Values]:
        """The same, separately: embeddings, positions and segments, where the model has them."""
        names = ("embeddings", "positions", "segments")
        made = self.trace.measure("flow")
        return {name: self.trace[f"flow.{name}"] for name in names if f"flow.{name}" in made}

    @property
    def biases(self) -> dict[str, Cell]:
        """What every bias carried, and every number that was set by hand."""
        return {s.name: Cell(s.in_all, ()) for s in self.parts.sources if s.kind in ("bias", "edit")}

    @property
    def nodes(self) -> dict[str, Values]:
        """By the stream's steps from the bottom to the top: what each word carries there."""
        return {name: Values(step, self.trace.labels) for name, step in self.parts.nodes.items()}

    def edges(self, layer: int | str) -> Values:
        """What each head of a layer carried from every word to every word: (head, to, from)."""
        return self.trace[f"{layer if isinstance(layer, str) else f'layer{layer}'}.flow"]

    def top(self, most: int = 20) -> list[Edge]:
        """The edges that carried most, over all layers and heads, the strongest first."""
        found: list[tuple[float, Block, tuple[int, ...]]] = []
        for block in self.parts.blocks:
            if block.edges is not None:
                carried = block.edges.value
                found += [(abs(float(carried[at])), block, at) for at in strongest(carried, most) if carried[at]]
        found.sort(key=lambda item: -item[0])
        return [self.edge(block, at) for _, block, at in found[:most]]

    def edge(self, block: Block, at: tuple[int, ...]) -> Edge:
        assert block.edges is not None
        head, to, source = at
        return Edge(self.trace, block.layer, head, to, source, Cell(block.edges, at))

    def carrying(self, layer: int | str, share: float = 0.9) -> list[Edge]:
        """The fewest edges of a layer that hold a given share of all that is carried there, by size."""
        name = layer if isinstance(layer, str) else f"layer{layer}"
        block = next(b for b in self.parts.blocks if b.name == name and b.edges is not None)
        assert block.edges is not None
        sizes = np.abs(block.edges.value)
        in_order = np.sort(sizes.ravel())[::-1]
        enough = int(np.count_nonzero(np.cumsum(in_order) < share * sizes.sum())) + 1
        return [self.edge(block, at) for at in strongest(sizes, enough)]

    def path(self, word: int | str, *ways: str | tuple[int, int]) -> FlowPath:
        """One path, exactly: from a word, for each block "kept", "mlp", or a head and the position where it reads."""
        position = self.trace.labels.position("T", len(self.words), str(word))
        return Paths(self).along(position, ways)

    def paths(self, most: int = 5) -> list[FlowPath]:
        """The strongest paths that beam search finds; there are too many to try them all."""
        return Paths(self).strongest(most)

    def check(self, most: int = 50) -> Check:
        """Cut the strongest edges one by one, and see what really happens."""
        return Check(self, self.top(most))

    def __repr__(self) -> str:
        return f"<Flow of {self.first} − {self.second} = {self.margin.value:.4f}>"

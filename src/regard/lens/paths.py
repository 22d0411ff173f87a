"""One path of a flow, exactly: from one word through one way in every block. There are exponentially many of them.

Every block of a held run is linear, so what a path carries is the word's vector through the chosen way of each block,
and then its dot product with the direction at the top. All paths together are the flow of the words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regard.lens.flowing import Block
from regard.ops import Contract, Given, Map
from regard.trace import Cell, Step
from regard.trace.carried import carried
from regard.trace.edits import unedited
from regard.trace.holding import FLOW

if TYPE_CHECKING:
    from regard.lens.flow import Flow

KEPT = "kept"
THOUGHT = "mlp"


@dataclass(frozen=True)
class Way:
    """How a path passes one block: kept as it is, through the MLP, or read by a head at another word."""

    block: str
    through: str  # kept, mlp, or a head such as head2
    word: int  # where it is afterwards


@dataclass(frozen=True)
class FlowPath:
    """From a word at the bottom to the top, and the cell that says what came through."""

    source: int
    ways: tuple[Way, ...]
    cell: Cell

    @property
    def carried(self) -> float:
        return self.cell.value


@dataclass(frozen=True)
class _Partial:
    """A path on its way up: what of it has arrived, as a vector for the one word that has it."""

    source: int
    word: int
    ways: tuple[Way, ...]
    arrived: Step
    flow: float


class Paths:
    def __init__(self, flow: "Flow"):
        self.flow, self.trace = flow, flow.trace
        self.blocks = flow.parts.blocks
        self.reaches = FLOW.reaching(flow.trace.forward)
        self.names = {step.name: step for step in flow.trace.forward}

    def along(self, source: int, throughs: Sequence[str | tuple[int, int]]) -> FlowPath:
        """The path from a word: for each block "kept", "mlp", or a head and the word at which it reads."""
        if len(throughs) != len(self.blocks):
            names = ", ".join(block.name for block in self.blocks)
            raise ValueError(f"a path takes one way for each block ({names}), got {len(throughs)}")
        partial = self._begun(source)
        for block, through in zip(self.blocks, throughs):
            partial = self._extended(partial, block, through)
        return self._ended(partial)

    def strongest(self, most: int, beam: int = 24) -> list[FlowPath]:
        """By beam search from the words upwards: likely the strongest, not surely."""
        found = [self._begun(source) for source in range(len(self.trace.labels.words["T"]))]
        for block in self.blocks:
            longer = [
                self._extended(partial, block, through)
                for partial in found
                for through in self._promising(partial, block, beam)
            ]
            found = sorted(longer, key=lambda partial: -abs(partial.flow))[:beam]
        return [self._ended(partial) for partial in found[:most]]

    def _begun(self, source: int) -> _Partial:
        bottom = self.blocks[0].below
        only = Step(f"path{source}", Given(np.arange(bottom.shape[0]) == source, "T", "constant"))
        arrived = Step(f"path{source}.word", Map("keep", "TC,T->TC"), (bottom, only))
        return _Partial(source, source, (), arrived, self._flow(arrived, bottom))

    def _ended(self, partial: _Partial) -> FlowPath:
        top = self.blocks[-1].above
        toward = self.trace.step(f"{top.name}.toward")
        return FlowPath(
            partial.source, partial.ways, Cell(Step("path.flow", Contract("TC,TC->"), (partial.arrived, toward)), ())
        )

    def _flow(self, arrived: Step, at: Step) -> float:
        return float(np.sum(arrived.value * self.trace.array(f"{at.name}.toward")))

    def _extended(self, partial: _Partial, block: Block, through: str | tuple[int, int]) -> _Partial:
        mix, mlp = self._inside(block)
        sources: dict[Step, Step | None] = {block.below: partial.arrived}
        if through == KEPT:
            way = Way(block.name, KEPT, partial.word)
            sources |= {inside: None for inside in (mix, mlp) if inside is not None}
        elif through == THOUGHT:
            if mlp is None:
                raise ValueError(f"{block.name} has no MLP; a path goes through kept or a head and a word there")
            way = Way(block.name, THOUGHT, partial.word)
            sources = {mlp: carried(mlp, sources, self.reaches)[0], block.below: None}
        else:
            if mix is None or isinstance(through, str):
                raise ValueError(f"{block.name}: expected kept, mlp, or a head and a word, got {through!r}")
            head, to = through
            way = Way(block.name, f"head{head}", to)
            sources = {mix: self._read(mix, block, partial, head, to), block.below: None}
        arrived = carried(block.above, sources, self.reaches, f"path{len(partial.ways)}")[0]
        arrived = arrived or Step("path.nothing", Given(np.zeros(block.above.shape), "TC", "constant"))
        return _Partial(partial.source, way.word, (*partial.ways, way), arrived, self._flow(arrived, block.above))

    def _read(self, mix: Step, block: Block, partial: _Partial, head: int, to: int) -> Step | None:
        """What one head mixes at one word, of what arrived alone."""
        values = carried(mix.inputs[1], {block.below: partial.arrived}, self.reaches)[0]
        if values is None:
            return None
        weights = mix.inputs[0]
        only = np.zeros(weights.shape, dtype=bool)
        only[head, to, partial.word] = True
        mask = Step("path.edge", Given(only, weights.axes, "constant"))
        alone = Step("path.weight", Map("keep", f"{weights.axes},{weights.axes}->{weights.axes}"), (weights, mask))
        return Step("path.context", mix.op, (alone, values))

    def _promising(self, partial: _Partial, block: Block, most: int) -> Iterator[str | tuple[int, int]]:
        mix, mlp = self._inside(block)
        if block.kept is not None:
            yield KEPT
        if mlp is not None:
            yield THOUGHT
        values = None if mix is None else carried(mix.inputs[1], {block.below: partial.arrived}, self.reaches)[0]
        if mix is not None and values is not None:
            toward = self.trace.array(f"{mix.name}.toward")
            weights_HQ = mix.inputs[0].value[:, :, partial.word]
            carries = np.abs(weights_HQ * np.einsum("hqd,hd->hq", toward, values.value[:, partial.word]))
            for place in np.argsort(-carries, axis=None, kind="stable")[:most]:
                head, to = divmod(int(place), carries.shape[1])
                if carries[head, to]:
                    yield head, to

    def _inside(self, block: Block) -> tuple[Step | None, Step | None]:
        """What a block does besides handing on: the step that mixes, the MLP, or both beside each other."""
        mlp = None if block.thought is None else unedited(self.names[f"{block.layer}.mlp"])
        if block.name != block.layer:
            return None, unedited(self.names[f"{block.layer}.mlp"])
        context = self.names.get(f"{block.layer}.context")
        mix = None if context is None else unedited(context)
        return (mix if mix is not None and len(mix.inputs) == 2 else None), mlp

"""Flow as steps: what every vector carries to the margin, with attention, norms, gates and parameters held.

A held run is affine in its words. So the margin splits exactly, at every height, into what the words carry there and
the biases that enter above: `layer3.flow[1,it,animal]` is what head 1 of layer 3 carried from "animal" to "it". Ideas
from Elhage et al. 2021 (paths), Ali et al. 2022 (attention and norms held), Ferrando and Voita 2024 (routes).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from regard.lens.attending import letters, mixing
from regard.lens.sources import TOKENS, Source, added_in_place, sources
from regard.lens.streams import streams
from regard.ops import Contract, Given, Map, Operation
from regard.trace import Step, Trace
from regard.trace.carried import carried
from regard.trace.edits import unedited
from regard.trace.holding import FLOW, is_sum
from regard.trace.names import layer_of

WORDS = {"embedding": "embeddings", "position": "positions", "segment": "segments"}


@dataclass(frozen=True)
class Block:
    """From one height of the stream to the next: all that enters the words above. None where nothing does."""

    name: str  # layer3, or layer3.mlp
    below: Step
    above: Step
    kept: Step | None  # what each word hands on as it is
    edges: Step | None  # (head, to, from)
    constant: Step | None  # (head, to): what heads carry that belongs to no word: biases, and numbers set by hand
    thought: Step | None  # what the MLP carries from a word to itself
    entering: tuple[Step, ...]  # biases and numbers set by hand, for each word

    @property
    def layer(self) -> str:
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Flowing:
    """All steps of a flow, in order, and which is which."""

    steps: tuple[Step, ...]
    sources: tuple[Source, ...]
    blocks: tuple[Block, ...]
    nodes: Mapping[str, Step]  # by the name of a step of the stream: what each word carries there


def flow_steps(trace: Trace) -> Sequence[Step]:
    return flowing(trace).steps


def flowing(trace: Trace) -> Flowing:
    return trace.remembered(_flowing)


def _flowing(trace: Trace) -> Flowing:
    return _Builder(trace).built()


class _Builder:
    def __init__(self, trace: Trace):
        self.trace = trace
        self.toward = trace.measure("toward")
        self.reaches = FLOW.reaching(trace.forward)
        self.place = {step: n for n, step in enumerate(trace.forward)}
        self.names = {step.name: step for step in trace.forward}
        self.mixing = mixing(trace)
        self.steps: list[Step] = []
        found, made = sources(trace.forward, self.toward, FLOW, "flow", apart=TOKENS)
        biases = added_in_place(trace.forward, self.toward, FLOW)
        self.sources = found
        self.steps += [*made, *(bias for _, bias in biases)]
        self.entering = [*biases, *((s.step, s.apart) for s in found if s.kind == "edit" and s.apart is not None)]

    def built(self) -> Flowing:
        heights = [step for _, step in streams(self.trace)]
        blocks = [block for pair in pairwise(heights) for block in self._layer(*pair)]
        nodes = {s.name: self._node(s) for s in (*heights[:1], *(b.above for b in blocks)) if self._direction(s)}
        self._totals()
        return Flowing(tuple(self.steps), tuple(self.sources), tuple(blocks), nodes)

    def _made(self, name: str, op: Operation, *inputs: Step) -> Step:
        self.steps.append(Step(name, op, inputs))
        return self.steps[-1]

    def _direction(self, step: Step) -> Step | None:
        return self.toward.get(f"{step.name}.toward")

    def _node(self, step: Step) -> Step:
        direction = self._direction(step)
        assert direction is not None
        return self._made(f"{step.name}.flow", Contract("TC,TC->T"), step, direction)

    def _layer(self, below: Step, above: Step) -> Iterator[Block]:
        """The blocks of a layer: attention, and the MLP where there is one."""
        layer = layer_of(above.name)
        mlp = self.names.get(f"{layer}.mlp")
        if mlp is not None and self._is_beside(layer, mlp):
            yield self._beside(layer, below, above, mlp)
            return
        middle = above if mlp is None else self._after_attention(layer)
        mix = self.mixing.get(layer)
        edges, constant = (None, None) if mix is None else self._edges(layer, mix, below)
        total = self.names.get(f"{layer}.residual" if mlp is None else f"{layer}.middle")
        kept = self._kept(f"{layer}.flow.kept", total, below)
        start = self.place[below if mix is None else mix]
        yield Block(layer, below, middle, kept, edges, constant, None, self._between(start, middle))
        if mlp is not None:
            kept = self._kept(f"{layer}.mlp.flow.kept", self.names.get(f"{layer}.residual"), middle)
            thought = self._thought(mlp, middle)
            entering = self._between(self.place[middle], above)
            yield Block(f"{layer}.mlp", middle, above, kept, None, None, thought, entering)

    def _is_beside(self, layer: str, mlp: Step) -> bool:
        """Whether the MLP reads what attention reads: one sum adds both."""
        total = self.names.get(f"{layer}.residual")
        added = () if total is None else unedited(total).inputs
        return mlp in added and self.names.get(f"{layer}.attended") in added

    def _beside(self, layer: str, below: Step, above: Step, mlp: Step) -> Block:
        mix = self.mixing.get(layer)
        edges, constant = (None, None) if mix is None else self._edges(layer, mix, below)
        kept = self._kept(f"{layer}.flow.kept", self.names[f"{layer}.residual"], below)
        thought, unthought = self._thinking(mlp, below)
        read = self._between(self.place[below if mix is None else mix], self.names[f"{layer}.attended"])
        after = self._between(self.place[unedited(mlp)], above)
        entering = (*read, *after) if unthought is None else (*read, unthought, *after)
        return Block(layer, below, above, kept, edges, constant, thought, entering)

    def _after_attention(self, layer: str) -> Step:
        """The stream between attention and MLP: a sum, or its norm where norms come after, or just what was read."""
        added = self.names.get(f"{layer}.middle", self.names[f"{layer}.attended"])
        first = next(s for n, s in self.names.items() if n.startswith((f"{layer}.hidden", f"{layer}.gate")))
        normed = [
            s for n, s in self.names.items() if n.startswith(f"{layer}.norm1.") and self.place[s] > self.place[added]
        ]
        return normed[-1] if normed and self.place[normed[-1]] < self.place[first] else added

    def _between(self, low: int, above: Step) -> tuple[Step, ...]:
        return tuple(step for of, step in self.entering if low < self.place[of] <= self.place[above])

    def _kept(self, name: str, total: Step | None, below: Step) -> Step | None:
        """What the stream carries past a block: nothing where the block's result takes its place."""
        base = None if total is None else unedited(total)
        direction = None if base is None else self._direction(base)
        if base is None or direction is None or not is_sum(base) or below not in base.inputs:
            return None
        return self._made(name, Contract("TC,TC->T"), below, direction)

    def _edges(self, layer: str, mix: Step, below: Step) -> tuple[Step | None, Step | None]:
        """What each head carries from every word to every word, and what it carries that belongs to no word."""
        direction = self._direction(mix)
        if direction is None:
            return None, None
        weights, values = mix.inputs
        (weights_axes, values_axes), axes = letters(mix), mix.axes
        reading = Contract(f"{axes},{values_axes}->{weights_axes}")
        whole, made = carried(values, {below: below}, self.reaches)
        self.steps += made
        edges = constant = None
        rest: Step | None = values
        if whole is not None:
            read = self._made(f"{layer}.flow.read", reading, direction, whole)
            edges = self._made(
                f"{layer}.flow", Map("product", f"{weights_axes},{weights_axes}->{weights_axes}"), weights, read
            )
            self._made(f"{layer}.flow.pairs", Contract(f"{weights_axes}->{weights_axes[1:]}"), edges)
            rest = None
            if whole is not values:
                spec = f"{values_axes},{values_axes}->{values_axes}"
                rest = self._made(f"{values.name}.constant", Map("subtract", spec), values, whole)
        if rest is not None:
            read = self._made(f"{layer}.flow.constant.read", reading, direction, rest)
            op = Contract(f"{weights_axes},{weights_axes}->{axes[:-1]}")
            constant = self._made(f"{layer}.flow.constant", op, weights, read)
        return edges, constant

    def _thought(self, mlp: Step, below: Step) -> Step | None:
        """What the MLP carries from a word to itself."""
        base = unedited(mlp)
        direction = self._direction(base)
        whole, made = carried(base, {below: below}, self.reaches)
        if direction is None or whole is None:
            return None
        self.steps += made
        return self._made(f"{mlp.name}.flow", Contract("TC,TC->T"), whole, direction)

    def _thinking(self, mlp: Step, below: Step) -> tuple[Step | None, Step | None]:
        """The same, and what it adds that belongs to no word: biases, those of a norm that it shares, numbers set."""
        base = unedited(mlp)
        direction, thought = self._direction(base), self._thought(mlp, below)
        if direction is None:
            return None, None
        whole = None if thought is None else thought.inputs[0]
        if whole is base:
            return thought, None
        rest = base
        if whole is not None:
            rest = self._made(f"{mlp.name}.constant", Map("subtract", "TC,TC->TC"), base, whole)
        return thought, self._made(f"{mlp.name}.flow.constant", Contract("TC,TC->T"), rest, direction)

    def _totals(self) -> None:
        """`flow.words`, `flow.biases`, `flow.edits` and their sum, which is the margin."""
        tokens = len(self.trace.labels.words["T"])
        totals: list[Step] = []
        by_kind = {kind: [s for s in self.sources if s.kind == kind] for kind in (*WORDS, "bias", "edit", "part")}
        apart: list[Step] = []
        for kind, plural in WORDS.items():
            of_kind = [s.apart for s in by_kind[kind] if s.apart is not None]
            if of_kind:
                apart.append(self._sum(f"flow.{plural}", of_kind, "T"))
        words = (
            self._sum("flow.words", apart, "T")
            if apart
            else self._made("flow.words", Given(np.zeros(tokens), "T", "constant"))
        )
        totals.append(self._made("flow.words.sum", Contract("T->"), words))
        for kind, name in (("bias", "flow.biases"), ("edit", "flow.edits")):
            if by_kind[kind]:
                totals.append(self._sum(name, [s.in_all for s in by_kind[kind]], ""))
        self._sum("flow.sum", totals, "")

    def _sum(self, name: str, steps: Sequence[Step], axes: str) -> Step:
        return self._made(name, Map("add", f"{','.join([axes] * len(steps))}->{axes}"), *steps)

"""What each part of a model adds directly to the margin: the last height of the flow.

Heads and MLPs count as sources, so everything that they read is held. What a part contributes is the dot product of
what it adds to the stream with the way from there to the margin, and all parts together give the margin exactly: with
the embedding, positions, biases, and what was set by hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from regard.lens.attending import letters, mixing
from regard.lens.sources import Source, sources
from regard.ops import Contract, Map
from regard.trace import Cell, Step, Trace
from regard.trace.holding import DIRECT
from regard.trace.names import layer_of


@dataclass(frozen=True)
class Component:
    """One part of the model, or one of its heads, and the cell of what it contributes; None if nothing."""

    name: str
    layer: str
    head: int | None
    cell: Cell | None

    @property
    def contribution(self) -> float:
        return 0.0 if self.cell is None else self.cell.value


@dataclass(frozen=True)
class Contributions:
    """The margin of two words' logits, and where it comes from."""

    first: str
    second: str
    margin: Cell
    components: tuple[Component, ...]
    held: tuple[str, ...]  # the steps that count as constants on the way

    @property
    def difference(self) -> float:
        return self.margin.value

    @property
    def rest(self) -> float:
        """What the components leave over: rounding."""
        return self.difference - sum(c.contribution for c in self.components)


def contributions(trace: Trace, first: str | None = None, second: str | None = None) -> Contributions:
    """Components of logit(first) − logit(second) at the position that predicts; of the usual two words by default.

    >>> import regard
    >>> found = contributions(regard.explain("On the mat a cat sat", model="two-heads"), "purring", "fishing")
    >>> [(c.name, round(c.contribution, 3)) for c in found.components]
    [('embedding', 0.0), ('layer0.head0', 0.0), ('layer0.head1', 1.269)]
    """
    from regard.lens.margin import compared

    if first is not None and second is not None and (first, second) != compared(trace):
        trace = replace(trace, compared=(first, second))
    found = trace.remembered(_contributing)
    components = [c for source in found.sources for c in _components(source)]
    margin = Cell(trace.step("margin"), ())
    return Contributions(*compared(trace), margin, tuple(components), found.held)


def contribution_steps(trace: Trace) -> Sequence[Step]:
    """`layer3.context.contribution[head]`, `layer3.mlp.contribution`, and, word by word, `layer3.contribution`."""
    return trace.remembered(_contributing).steps


@dataclass(frozen=True)
class _Contributing:
    sources: tuple[Source, ...]
    steps: tuple[Step, ...]
    held: tuple[str, ...]


def _contributing(trace: Trace) -> _Contributing:
    directions = trace.measure("direct")
    found, steps = sources(trace.forward, directions, DIRECT, "contribution", apart="H")
    for layer, mix in mixing(trace).items():
        direction = directions.get(f"{mix.name}.direct")
        if direction is not None:
            (weights_axes, values_axes), axes = letters(mix), mix.axes
            op = Contract(f"{axes},{values_axes}->{weights_axes}")
            read = Step(f"{layer}.contribution.read", op, (direction, mix.inputs[1]))
            op = Map("product", f"{weights_axes},{weights_axes}->{weights_axes}")
            steps += [read, Step(f"{layer}.contribution", op, (mix.inputs[0], read))]
    return _Contributing(tuple(found), tuple(steps), DIRECT.held(trace.forward, directions))


def _components(source: Source) -> list[Component]:
    layer = layer_of(source.step.name)
    if source.kind == "edit" or source.apart is None:
        return [Component(source.name, layer, None, Cell(source.in_all, ()))]
    heads = range(source.apart.shape[0])
    return [Component(f"{layer}.head{h}", layer, h, Cell(source.apart, (h,))) for h in heads]

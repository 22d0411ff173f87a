"""Gradients by role, and the proof that they are right: finite differences."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from regard.ops import Contract, Given, Map
from regard.trace import Cell, Step, Trace
from regard.trace.names import role_of

NUDGE = 1e-5
SMALL = 100  # up to this many parameters, every one is nudged
QUICK = 10_000  # up to this many parameters, nobody waits for differences to be taken
MOST = 1e-6  # of the largest gradient: how far differences may miss it, besides rounding
BLIND = 0.1  # of the largest gradient: where rounding alone reaches this, differences show nothing
VALUES, ASKING = "blame.W_V", ("blame.W_Q", "blame.W_K")
TIED_DIGITS = 15  # gradients equal to this many digits keep the order of the parameters


def blame_steps(trace: Trace) -> Iterator[Step]:
    """`blame.W_Q`: the size of the gradient in each role, √ of the sum of its squares over all layers."""
    if trace.of is None and "loss" not in trace.steps:
        return
    trace = _blamed(trace)
    squares: dict[str, list[Step]] = {}
    for name in learning_parameters(trace):
        gradient = trace.steps[f"{name}.grad"]
        op = Contract(f"{gradient.axes},{gradient.axes}->")
        squares.setdefault(role_of(name), []).append(Step(f"{name}.blame_square", op, (gradient, gradient)))
    yield from (step for of_role in squares.values() for step in of_role)
    totals = [_sum(f"blame.{role}.square", of_role) for role, of_role in squares.items()]
    nothing = Step("blame.square", Given(0.0, "", "constant"))  # where edits have cut every parameter off
    totals.append(_sum("blame.square", totals) if totals else nothing)
    for total in totals:
        yield from (total, Step(total.name.removesuffix(".square"), Map("square_root", "->"), (total,)))


def ratio_steps(trace: Trace) -> Iterator[Step]:
    """`blame.W_Q.ratio`: how many times more gradient W_V gets."""
    sizes = trace.measure("blame")
    for name in ASKING:
        if VALUES in sizes and name in sizes:
            yield Step(f"{name}.ratio", Map("divide", ",->"), (sizes[VALUES], sizes[name]))


def roles(trace: Trace) -> dict[str, Cell]:
    """The size of the gradient in each role, over all layers, the largest first."""
    trace.measure("blame")
    names = dict.fromkeys(role_of(name) for name in learning_parameters(_blamed(trace)))
    found = {role: Cell(trace.step(f"blame.{role}"), ()) for role in names}
    return dict(sorted(found.items(), key=lambda item: -round(item[1].value ** 2, TIED_DIGITS)))


def _sum(name: str, numbers: Sequence[Step]) -> Step:
    return Step(name, Map("add", f"{',' * (len(numbers) - 1)}->"), tuple(numbers))


def _blamed(trace: Trace) -> Trace:
    """With gradients of the loss, or of whatever it already has gradients of."""
    return trace if trace.of is not None else trace.remembered(Trace.backward)


def learning_parameters(trace: Trace) -> list[str]:
    """The parameters that a gradient reaches; a pin can cut some of them off."""
    return [name for name in trace.parameters if f"{name}.grad" in trace.steps]


@dataclass(frozen=True)
class Differences:
    """How far finite differences are from the gradient, and how far rounding alone can take them.

    Both are shares of the largest gradient. The loss is only known to its last digit, so the smaller the gradients of a
    model that has learned its answer, the less of them can be seen.

    >>> Differences(error=1e-9, rounding=1e-8).agree, Differences(1e-4, 2e-3).agree, Differences(0.3, 2e-3).agree
    (True, True, False)
    >>> Differences(error=0.3, rounding=0.5).agree  # None: nothing can be said
    """

    error: float
    rounding: float

    @property
    def agree(self) -> bool | None:
        """Whether the gradient is right; None where rounding hides it."""
        return None if self.rounding > BLIND else self.error <= MOST + self.rounding


def finite_differences(trace: Trace, most_cells: int = 40, seed: int = 0) -> Differences | None:
    """The gradient beside (loss(w + h) − loss(w − h)) / 2h.

    All parameters of a toy are nudged; of larger models, a random selection. None where there is no slope to measure:
    an edit can make the target impossible and its loss infinite.
    """
    backward = trace.backward()
    if not np.isfinite(backward.array("loss")):
        return None
    forward = replace(trace, of=None, learned=())  # no edit need derive the gradients anew
    cells = _every_cell(backward) if _size(backward) <= SMALL else _sample(backward, most_cells, seed)
    pairs = [(_slope(forward, name, at), float(backward.array(f"{name}.grad")[at])) for name, at in cells]
    largest = max((abs(g) for _, g in pairs), default=0.0) or 1.0
    error = max((abs(slope - g) for slope, g in pairs), default=0.0)
    return Differences(error / largest, _rounding(trace) / NUDGE / largest)


def _rounding(trace: Trace) -> float:
    """By how much rounding can move the loss.

    Every step may round the logits, which reaches the loss in proportion to how far the answer is missed; the loss is a
    difference of numbers as large as the logits. A run without logits has the size of its loss alone.
    """
    missed = -math.expm1(-abs(float(trace.array("loss"))))
    size = 1 + float(np.abs(trace.array("logits" if "logits" in trace.own else "loss")).max())
    return float(np.finfo(float).eps) * size * (1 + 2 * len(trace.forward) * missed)


def is_quick(trace: Trace) -> bool:
    """Whether differences take no time that anybody would notice."""
    return _size(trace) <= QUICK


def _size(trace: Trace) -> int:
    return sum(math.prod(s.shape) for s in trace.parameters.values())


def _every_cell(trace: Trace) -> list[tuple[str, tuple[int, ...]]]:
    return [(name, at) for name in learning_parameters(trace) for at in np.ndindex(trace.steps[name].shape)]


def _sample(trace: Trace, most_cells: int, seed: int) -> list[tuple[str, tuple[int, ...]]]:
    generator = np.random.default_rng(seed)
    names = learning_parameters(trace)
    if not names:
        return []
    chosen = (trace.steps[names[i]] for i in generator.integers(0, len(names), most_cells))
    return [(s.name, tuple(int(generator.integers(0, n)) for n in s.shape)) for s in chosen]


def _slope(trace: Trace, name: str, at: tuple[int, ...]) -> float:
    step = trace.steps[name]
    address = f"{name}[{','.join(map(str, at))}]"
    up, down = (float(trace.edit(address, step.value[at] + h).array("loss")) for h in (NUDGE, -NUDGE))
    return (up - down) / (2 * NUDGE)

"""Gradients by role, and the proof that they are right: finite differences."""

import math

import numpy as np

from regard.trace import Trace
from regard.trace.names import role_of

NUDGE = 1e-5
SMALL = 100  # parameters up to which every one is nudged
TIED_DIGITS = 15  # gradients equal to so many digits keep the order of the parameters


def roles(trace: Trace) -> dict[str, float]:
    """The size of the gradient in each role, over all layers: W_out, W_V, E, position, W_Q, W_K, …"""
    squares: dict[str, float] = {}
    for name in learning_parameters(trace):
        squares[role_of(name)] = squares.get(role_of(name), 0.0) + float(np.sum(trace.array(f"{name}.grad") ** 2))
    ranked = sorted(squares.items(), key=lambda item: -round(item[1], TIED_DIGITS))
    return {role: float(np.sqrt(total)) for role, total in ranked}


def learning_parameters(trace: Trace) -> list[str]:
    """The parameters that a gradient reaches; a pin can cut some of them off."""
    return [name for name in trace.parameters if f"{name}.grad" in trace.steps]


def finite_difference_error(trace: Trace, most_cells: int = 40, seed: int = 0) -> float | None:
    """The largest difference between the gradient and (loss(w + h) − loss(w − h)) / 2h, over the largest gradient.

    All parameters of a toy are nudged, of larger models a random selection. None where there is no slope to measure:
    an edit can make the target impossible and its loss infinite.
    """
    backward = trace.backward()
    if not np.isfinite(backward.array("loss")):
        return None
    cells = _every_cell(backward) if _is_small(backward) else _sample(backward, most_cells, seed)
    pairs = [(_slope(trace, name, at), float(backward.array(f"{name}.grad")[at])) for name, at in cells]
    largest = max((abs(g) for _, g in pairs), default=0.0) or 1.0
    return max((abs(slope - g) for slope, g in pairs), default=0.0) / largest


def _is_small(trace: Trace) -> bool:
    return sum(math.prod(s.shape) for s in trace.parameters.values()) <= SMALL


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

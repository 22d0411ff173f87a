"""Gradients by role, and the proof that they are right: finite differences."""

import numpy as np

from regard.trace import Trace

NUDGE = 1e-5


def roles(trace: Trace) -> dict[str, float]:
    """The size of the gradient in each role, over all layers: W_out, W_V, E, position, W_Q, W_K, …"""
    squares: dict[str, float] = {}
    for name in trace.parameters:
        gradient = trace.steps.get(f"{name}.grad")
        role = name.removesuffix(".original").rpartition(".")[2]
        if gradient is not None:
            squares[role] = squares.get(role, 0.0) + float(np.sum(gradient.value**2))
    return {
        role: float(np.sqrt(total)) for role, total in sorted(squares.items(), key=lambda item: -round(item[1], 15))
    }


def finite_difference_error(trace: Trace, most_cells: int = 40, seed: int = 0) -> float | None:
    """The largest difference between the gradient and (loss(w + h) − loss(w − h)) / 2h, over the largest gradient.

    All parameters of a toy are nudged, of larger models a random selection. None where there is no slope to measure:
    an edit can make the target impossible and its loss infinite.
    """
    backward = trace.backward()
    if not np.isfinite(backward.array("loss")):
        return None
    cells = [(n, at) for n, s in backward.parameters.items() for at in np.ndindex(s.shape)] if _is_small(trace) else []
    cells = cells or _sample(backward, most_cells, seed)
    pairs = [(_slope(trace, name, at), float(backward.array(f"{name}.grad")[at])) for name, at in cells]
    largest = max((abs(g) for _, g in pairs), default=0.0) or 1.0
    return max((abs(slope - g) for slope, g in pairs), default=0.0) / largest


def _is_small(trace: Trace) -> bool:
    return sum(s.value.size for s in trace.parameters.values()) <= 100


def _sample(trace: Trace, most_cells: int, seed: int) -> list[tuple[str, tuple[int, ...]]]:
    generator = np.random.default_rng(seed)
    names = list(trace.parameters)
    chosen = (trace.steps[names[i]] for i in generator.integers(0, len(names), most_cells))
    return [(s.name, tuple(int(generator.integers(0, n)) for n in s.shape)) for s in chosen]


def _slope(trace: Trace, name: str, at: tuple[int, ...]) -> float:
    step = trace.steps[name]
    address = f"{name}[{','.join(map(str, at))}]"
    up, down = (float(trace.edit(address, step.value[at] + h).array("loss")) for h in (NUDGE, -NUDGE))
    return (up - down) / (2 * NUDGE)

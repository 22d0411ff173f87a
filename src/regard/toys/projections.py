"""The projections and positions of a toy, as they were given or as the simplest there are."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from regard.attending.positions import DistanceBias, LearnedPositions, NoPositions, RotaryPositions, SinusoidalPositions
from regard.toys.numbers import numbers
from regard.toys.problem import Path, ToyProblem
from regard.toys.sizes import MOST_HEADS
from regard.toys.texts import chosen


def heads_apart(given: Mapping[str, Any], width: int) -> dict[str, np.ndarray]:
    """Every projection as one matrix for each head, all of the same sizes."""
    arrays = {name: numbers(array, (name,), (2, 3)) for name, array in given.items()}
    roles = {n: a if a.ndim == 3 else a[None] for n, a in arrays.items() if n != "W_O"}
    for name, array in roles.items():
        first = next(iter(roles))
        if array.shape[1] != width:
            raise ToyProblem(
                f"{name} expects {width} rows, one for each number of a word, got {array.shape[1]}", (name,)
            )
        if array.shape != roles[first].shape:
            expected, got = (" × ".join(map(str, a.shape)) for a in (roles[first], array))
            raise ToyProblem(f"{name} expects heads × rows × columns like {first}, {expected}, got {got}", (name,))
        if len(array) > MOST_HEADS:
            raise ToyProblem(f"{name} has {len(array)} heads; a toy has at most {MOST_HEADS}", (name,))
    if "W_O" not in arrays:
        return roles
    heads, D = sizes(roles, width)
    W_O = arrays["W_O"]
    if W_O.ndim == 2 and len(W_O) == heads * D:
        W_O = W_O.reshape(heads, D, -1)
    if W_O.shape != (heads, D, width):
        got = " × ".join(map(str, arrays["W_O"].shape))
        raise ToyProblem(f"W_O expects {heads * D} rows (heads · head width) of {width} numbers, got {got}", ("W_O",))
    return {**roles, "W_O": W_O}


def sizes(arrays: Mapping[str, np.ndarray], width: int) -> tuple[int, int]:
    """Heads and head width: those of the projections given, or one head as wide as the words."""
    found = next((a for n, a in arrays.items() if n != "W_O"), None)
    return (1, width) if found is None else (found.shape[0], found.shape[2])


def identity(name: str, heads: int, width: int, head_width: int, beside: Path) -> np.ndarray:
    """What a projection is that was not given; where it cannot be, the ones given `beside` it say so."""
    if width != head_width:
        raise ToyProblem(
            f"{name} is missing: it cannot be the identity, since words have {width} numbers and heads {head_width}; "
            f"give {name} with {width} rows of {head_width}",
            beside,
            True,
        )
    return np.array(np.broadcast_to(np.eye(width), (heads, width, width)))


def positions_of(given: Any, width: int, heads: int, head_width: int) -> tuple[NoPositions, np.ndarray | None]:
    plain: dict[str, NoPositions] = {
        "none": NoPositions(),
        "waves": SinusoidalPositions(),
        "rotary": RotaryPositions(),
    }
    if isinstance(given, str):
        chosen(given, plain, ("positions",))
        if given == "rotary" and head_width % 2:
            raise ToyProblem(
                f'positions = "rotary" turns pairs of numbers, so heads need an even width, got {head_width}; give '
                'W_Q, W_K and W_V an even number of columns, or write positions = "waves"',
                ("positions",),
            )
        return plain[given], None
    kinds = ("distance", "learned")
    if not isinstance(given, Mapping) or len(given) != 1 or next(iter(given)) not in kinds:
        raise ToyProblem(
            'positions expects "none", "waves", "rotary", or a table with distance = [numbers] or learned = [vectors]',
            ("positions",),
        )
    kind = next(iter(given))
    at = ("positions", kind)
    if kind == "learned":
        table = numbers(given[kind], at, (2,))
        if table.shape[1] != width:
            raise ToyProblem(f"positions.learned expects vectors of {width} numbers, like the words", (*at, 0))
        return LearnedPositions(len(table)), table
    table = numbers(given[kind], at, (1, 2))
    table = table if table.ndim == 2 else np.array(np.broadcast_to(table, (heads, len(table))))
    if len(table) != heads:
        raise ToyProblem(f"positions.distance expects a list for each of the {heads} heads, got {len(table)}", at)
    return DistanceBias(table.shape[1]), table

"""Where the largest numbers of an array stand."""

import numpy as np


def strongest(values: np.ndarray, most: int | None = None) -> list[tuple[int, ...]]:
    """The places of the numbers by their size, the largest first; among equal ones the first.

    >>> strongest(np.array([[1.0, -3.0], [2.0, 3.0]]), 3)
    [(0, 1), (1, 1), (1, 0)]
    """
    order = np.argsort(-np.abs(values), axis=None, kind="stable")[:most]
    return [tuple(at) for at in np.stack(np.unravel_index(order, values.shape), axis=-1).tolist()]

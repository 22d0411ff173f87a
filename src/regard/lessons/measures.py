"""What several lessons and their cards measure on a run that learns."""

import numpy as np

from regard.trace import Step, Trace

MATRICES = ("W_Q", "W_K", "W_V")


def loss(trace: Trace) -> float:
    return float(trace.array("loss"))


def angle(trace: Trace, one: str, other: str) -> float:
    """The angle between two matrices, each taken as one long vector, in degrees."""
    return degrees(trace.array(one).ravel(), trace.array(other).ravel())


def degrees(a: np.ndarray, b: np.ndarray) -> float:
    """The angle between two vectors. By half of it, so that small angles keep their digits.

    >>> round(degrees(np.array([1.0, 0.0]), np.array([3.0, 3.0])), 9)
    45.0
    """
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return float(np.degrees(2 * np.arctan2(np.linalg.norm(a - b), np.linalg.norm(a + b))))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def exchanged(trace: Trace, one: str, other: str) -> Trace:
    """The run with two matrices in each other's place."""
    first, second = trace.array(one), trace.array(other)
    return trace.pin(one, second).pin(other, first)


def gradient_size(trace: Trace, name: str) -> float:
    return float(np.linalg.norm(trace.array(f"{name}.grad")))


def misfiring(trace: Trace, gap: float, distance: int = 2) -> Trace:
    """The run with the word at a distance favoured by the bias, so that attention looks at the wrong one."""
    bias = trace.array("position").copy()
    bias[0, distance] += gap
    return trace.pin("position", bias)


def follows(step: Step, earlier: Step) -> bool:
    """Whether a step is computed from an earlier one, directly or not."""
    seen, left = {step}, [step]
    while left:
        for one in left.pop().inputs:
            if one is earlier:
                return True
            if one not in seen:
                seen.add(one)
                left.append(one)
    return False

"""Is attention computed correctly here? What was found for one kernel, and the check of the way without torch.

A kernel earns its place by its error against double precision: at most twice that of the plain formula in the same
precision, three times for gradients (the measure of FlashAttention's own tests, Dao et al. 2022).
"""

import math
from dataclasses import dataclass

import numpy as np

from regard.attending.blockwise import attend_in_tiles
from regard.attending.masks import causal

MOST, MOST_OF_GRADIENTS = 2.0, 3.0


@dataclass(frozen=True)
class Checked:
    """One kernel on one device: why it cannot be used, or its errors as multiples of the plain formula's."""

    kernel: str
    about: str
    device: str
    precision: str
    objection: str | None = None
    context: float | None = None  # the largest over everything that was tried
    lse: float | None = None
    gradients: float | None = None  # None: it has none, or does not give them

    @property
    def is_right(self) -> bool:
        limits = {MOST: (self.context, self.lse), MOST_OF_GRADIENTS: (self.gradients,)}
        return all(error is None or error <= most for most, errors in limits.items() for error in errors)


def ratio(error: float, plainly: float, size: float) -> float:
    """An error as a multiple of another, or of what rounding may do where the formula happens to be nearly exact.

    >>> ratio(3e-7, 2e-7, 1.0), ratio(1e-9, 0.0, 1.0), ratio(float("nan"), 1.0, 1.0)
    (1.5, 0.1, inf)
    """
    return math.inf if math.isnan(error) else error / max(plainly, 1e-8 * size)


def numpy_checked() -> Checked:
    """Attention in tiles with NumPy, in single precision: how long texts are read without torch.

    >>> numpy_checked().is_right
    True
    """
    generator = np.random.default_rng(1)
    q, k, v = generator.normal(size=(3, 3, 1031, 32)).astype(np.float32)
    context, lse = attend_in_tiles(q, k, v, causal)
    found = {"context": context, "lse": lse}
    plainly, exact = (_by_definition(*(x.astype(dtype) for x in (q, k, v))) for dtype in (np.float32, np.float64))
    errors = {
        name: ratio(
            float(np.linalg.norm(found[name] - exact[name])),
            float(np.linalg.norm(plainly[name] - exact[name])),
            float(np.linalg.norm(exact[name])),
        )
        for name in found
    }
    return Checked("numpy", "tiles with a running softmax, without torch", "cpu", "float32", None, **errors)


def _by_definition(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
    scores = q @ k.transpose(0, 2, 1) / q.dtype.type(math.sqrt(q.shape[-1]))
    exps = np.exp(scores) * causal(q.shape[1])
    total = exps.sum(-1, keepdims=True)
    return {"context": exps / total @ v, "lse": np.log(total)[..., 0]}

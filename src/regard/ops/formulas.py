"""The registered formulas: one line each, computed on arrays and shown on trees, with the way blame passes back.

A formula's `blame` has one entry per input: which formula gives that input's gradient, and from what — "g" the
gradient of the result, "y" the result, a number the input at that position. Files name formulas; nothing else can
be called from a file.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias, cast

from regard.ops.expression import (
    Number,
    Tree,
    at_least_zero,
    at_most,
    erf,
    exp,
    is_below,
    is_negative,
    is_positive,
    is_zero,
    log,
    sqrt,
    tanh,
    where,
)


@dataclass(frozen=True)
class Blame:
    formula: str
    of: tuple[str | int, ...]
    with_constants: bool = False


Compute: TypeAlias = (  # of arrays or of trees, with as many inputs and constants as it takes
    Callable[[Any], Any]
    | Callable[[Any, Any], Any]
    | Callable[[Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any], Any]
)


@dataclass(frozen=True)
class Formula:
    compute: Compute
    blame: tuple[Blame | None, ...] = ()
    constants: int = 0
    folds: bool = False  # takes any number of inputs: two at a time, from the left
    gate: Blame | None = None  # for a curve: what passes when the share it lets through is held

    def __call__(self, *values: Any) -> Any:
        return reduce(cast(Callable[[Any, Any], Any], self.compute), values) if self.folds else self.compute(*values)

    def blame_of(self, position: int) -> Blame | None:
        """The rule for an input; a formula of any number of inputs has one rule for all of them."""
        return self.blame[min(position, len(self.blame) - 1)] if self.blame else None


PASSED = Blame("same", ("g",))
DENSITY = 1 / math.sqrt(2 * math.pi)
STEEPEST = 600.0  # e^600 still fits a double, even summed; only a peak set by hand can ask for more
CUBIC = 0.044715  # of the tanh approximation to GELU (Hendrycks and Gimpel 2016)
STEEP = math.sqrt(2 / math.pi)
LEAST = 1e-300  # a probability below it has lost digits on its way to 0
FAR = 600.0  # below the log-sum-exp: only a logit farther down makes such a probability


def _divide(a: Any, b: Any) -> Any:
    """Division by 0 gives 0: a row in which everything is hidden has no weights, and they add up to nothing."""
    if isinstance(b, Tree):
        return where(is_zero(b), 0.0, a / b)
    return a / where(is_zero(b), math.inf, b)


def _cumulative(x: Any) -> Any:
    """Φ(x), the share of a normal distribution below x."""
    return 0.5 * (1 + erf(x / _root_of_two(x)))


def _root_of_two(x: Any) -> Any:
    """√2, written as a root where it is shown."""
    return sqrt(Number(2.0)) if isinstance(x, Tree) else math.sqrt(2.0)


def _gelu_blame(g: Any, x: Any) -> Any:
    return g * (_cumulative(x) + x * (DENSITY * exp(-(x * x) / 2)))


def _bend(x: Any) -> Any:
    return tanh(STEEP * (x + CUBIC * (x * x * x)))


def _gelu_tanh_blame(g: Any, x: Any) -> Any:
    bent = _bend(x)
    return g * (0.5 * (1 + bent) + 0.5 * x * (1 - bent * bent) * (STEEP * (1 + 3 * CUBIC * (x * x))))


def _logistic(x: Any) -> Any:
    return 0.5 * (1 + tanh(x / 2))


def _silu_blame(g: Any, x: Any) -> Any:
    share = _logistic(x)
    return g * (share * (1 + x * (1 - share)))


def _capped(x: Any, most: Any) -> Any:
    """Nearly x where x is small, and never beyond ±most."""
    return most * tanh(x / most)


def _share(y: Any, x: Any) -> Any:
    """What a curve through 0, as steep as 1 there, lets through of x."""
    return where(is_zero(x), 1.0, _divide(y, x))


def _surprise(p: Any) -> Any:
    """−ln p, and ∞ where nothing is left of p."""
    return where(is_positive(p), -log(p), math.inf)


def _is_lost(p: Any, logit: Any, log_sum: Any) -> Any:
    """Whether a probability is too small for a double, though its logarithm is an ordinary number.

    A probability that was set to 0 by hand is not lost: its logit is near the others.
    """
    return is_below(p, LEAST) & is_below(logit, log_sum - FAR)


FORMULAS: dict[str, Formula] = {
    "same": Formula(lambda x: x, (PASSED,)),
    "negative": Formula(lambda x: -x, (Blame("negative", ("g",)),)),
    "add": Formula(lambda a, b: a + b, (PASSED,), folds=True),
    "subtract": Formula(lambda a, b: a - b, (PASSED, Blame("negative", ("g",)))),
    "product": Formula(lambda a, b: a * b, (Blame("product", ("g", 1)), Blame("product", ("g", 0)))),
    "divide": Formula(_divide, (Blame("divide", ("g", 1)), Blame("divide_blame", ("g", "y", 1)))),
    "divide_blame": Formula(lambda g, y, b: -_divide(g * y, b)),
    # attention: a score over the root of the head width, or over the head width, or as it is
    "over_root": Formula(lambda x, n: x / sqrt(n), (Blame("over_root", ("g",), with_constants=True),), 1),
    "over": Formula(lambda x, n: x / n, (Blame("over", ("g",), with_constants=True),), 1),
    "hide": Formula(lambda x, visible: where(visible, x, -math.inf), (Blame("keep", ("g", 1)), None)),
    "keep": Formula(lambda g, visible: where(visible, g, 0.0)),
    "exp": Formula(lambda x, peak: exp(at_most(_shift(x, peak), STEEPEST)), (Blame("product", ("g", "y")), None)),
    "softmax_blame": Formula(lambda weight, g, average: weight * (g - average)),
    "rotate": Formula(
        lambda x, turned, cosine, sine: x * cosine + turned * sine,
        (Blame("product", ("g", 2)), Blame("product", ("g", 3)), None, None),
    ),
    # norms
    "root": Formula(lambda x, floor: sqrt(at_least_zero(x + floor)), (Blame("root_blame", ("g", "y")),), 1),
    "root_blame": Formula(lambda g, y: _divide(g, 2 * y)),
    # activations
    "gelu": Formula(lambda x: x * _cumulative(x), (Blame("gelu_blame", ("g", 0)),), gate=Blame("gelu_gate", ("g", 0))),
    "gelu_gate": Formula(lambda g, x: g * _cumulative(x)),
    "gelu_blame": Formula(_gelu_blame),
    "gelu_tanh": Formula(
        lambda x: 0.5 * x * (1 + _bend(x)),
        (Blame("gelu_tanh_blame", ("g", 0)),),
        gate=Blame("gelu_tanh_gate", ("g", 0)),
    ),
    "gelu_tanh_gate": Formula(lambda g, x: g * (0.5 * (1 + _bend(x)))),
    "gelu_tanh_blame": Formula(_gelu_tanh_blame),
    "silu": Formula(lambda x: x * _logistic(x), (Blame("silu_blame", ("g", 0)),), gate=Blame("silu_gate", ("g", 0))),
    "silu_gate": Formula(lambda g, x: g * _logistic(x)),
    "silu_blame": Formula(_silu_blame),
    "relu": Formula(lambda x: at_least_zero(x), (Blame("relu_gate", ("g", 0)),), gate=Blame("relu_gate", ("g", 0))),
    "relu_gate": Formula(lambda g, x: where(is_positive(x), g, 0.0)),
    "tanh": Formula(lambda x: tanh(x), (Blame("tanh_blame", ("g", "y")),), gate=Blame("tanh_gate", ("g", 0))),
    "tanh_gate": Formula(lambda g, x: g * _share(tanh(x), x)),
    "tanh_blame": Formula(lambda g, y: g * (1 - y * y)),
    # scores and logits that cannot grow without bound (Gemma 2)
    "cap": Formula(
        _capped,
        (Blame("cap_blame", ("g", "y"), with_constants=True),),
        1,
        gate=Blame("cap_gate", ("g", 0), with_constants=True),
    ),
    "cap_gate": Formula(lambda g, x, most: g * _share(_capped(x, most), x), constants=1),
    "cap_blame": Formula(lambda g, y, most: g * (1 - (y / most) * (y / most)), constants=1),
    # word vectors: the chance that a pair is true, and AdaGrad, which divides by the root of all squares so far
    "logistic": Formula(lambda x: 1 / (1 + exp(at_most(-x, STEEPEST))), (Blame("logistic_blame", ("g", "y")),)),
    "logistic_blame": Formula(lambda g, y: g * (y * (1 - y))),
    "adagrad": Formula(lambda w, g, squares, rate: w - rate * _divide(g, sqrt(at_least_zero(squares))), constants=1),
    "add_square": Formula(lambda squares, g: squares + g * g),
    # loss
    "log_sum": Formula(
        lambda peak, total: _unshift(where(is_positive(total), log(total), -math.inf), peak),
        (None, Blame("divide", ("g", 1))),
    ),
    "cross_entropy": Formula(
        lambda p, logit, log_sum: where(_is_lost(p, logit, log_sum), log_sum - logit, _surprise(p)),
        (
            Blame("share_blame", ("g", 0, 1, 2)),
            Blame("chosen_logit_blame", ("g", 0, 1, 2)),
            Blame("log_sum_blame", ("g", 0, 1, 2)),
        ),
    ),
    "share_blame": Formula(lambda g, p, logit, log_sum: where(_is_lost(p, logit, log_sum), 0.0, -_divide(g, p))),
    "chosen_logit_blame": Formula(lambda g, p, logit, log_sum: where(_is_lost(p, logit, log_sum), -g, 0.0)),
    "log_sum_blame": Formula(lambda g, p, logit, log_sum: where(_is_lost(p, logit, log_sum), g, 0.0)),
    "surprise": Formula(_surprise, (Blame("surprise_blame", ("g", 0)),)),  # for traces of the first edition
    "surprise_blame": Formula(lambda g, p: -_divide(g, p)),
    "logit_blame": Formula(lambda p, g, target: p * g - target),
    # what is measured
    "logarithm": Formula(lambda x: log(x)),
    "square_root": Formula(lambda x: sqrt(at_least_zero(x))),
    "size": Formula(lambda x: where(is_negative(x), -x, x)),
    "spread": Formula(lambda p: where(is_positive(p), -(p * log(p)), 0.0)),
    # what a person does
    "update": Formula(lambda w, g, rate: w - rate * g, constants=1),
    "rescale": Formula(
        lambda kept, left, dragged, room: where(dragged, room * _divide(kept, left), kept),
        (Blame("rescale_blame", ("g", 1, 2), with_constants=True), Blame("rescale_left_blame", ("g", "y", 1, 2)), None),
        1,
    ),
    "rescale_blame": Formula(lambda g, left, dragged, room: where(dragged, room * _divide(g, left), g), constants=1),
    "rescale_left_blame": Formula(lambda g, y, left, dragged: where(dragged, -_divide(g * y, left), 0.0)),
}


def _shift(x: Any, peak: Any) -> Any:
    """Shown only where there is a shift: e^0.7071, not e^(0.7071 − 0)."""
    return where(is_zero(peak), x, x - peak) if isinstance(peak, Tree) else x - peak


def _unshift(x: Any, peak: Any) -> Any:
    return where(is_zero(peak), x, peak + x) if isinstance(peak, Tree) else peak + x


def formula(name: str) -> Formula:
    if name not in FORMULAS:
        raise ValueError(f"unknown formula {name!r}; this version knows {', '.join(sorted(FORMULAS))}")
    return FORMULAS[name]

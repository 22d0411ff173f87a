"""An expression as a person or a program reads it: text, LaTeX, runnable NumPy.

>>> from regard.ops.expression import Number
>>> text(Number(3.0) * Number(-2.0) + Number(0.5))
'3·(-2) + 0.5'
>>> numpy(Number(3.0) * Number(-2.0))
'3.0*(-2.0)'
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from regard.ops.expression import Call, Leaf, More, Number, Sum, Tree, abridged, leaves

LONG_SUM = 100  # more terms than this are written np.sum([...]): Python's own parser nests a + b + c
# NumPy has no erf. A sum does it in one expression, within 4e-16: 2/π·(x/4 + Σ e^(−n²/16)·sin(nx/2)/n)
ERF = "(lambda x, n: 2/np.pi*(x/4 + np.sum(np.exp(-n*n/16)*np.sin(n*x/2)/n)))(np.clip({}, -6.0, 6.0), np.arange(1, 28))"


@dataclass(frozen=True)
class Notation:
    """How numbers, cells and each sign are written; a sign gets its parts already written."""

    number: Callable[[float], str]
    leaf: Callable[[Leaf], str]
    signs: dict[str, Callable[..., str]]

    def write(self, expression: Tree, around: int = 0) -> str:
        """The expression, in parentheses where what surrounds it binds tighter."""
        if isinstance(expression, Leaf):
            return _guard(self.leaf(expression), around)
        if isinstance(expression, Number):
            return _guard(self.number(expression.value), around)
        if isinstance(expression, More):
            return f"… {expression.count:,} more"
        assert isinstance(expression, (Call, Sum))
        sign = expression.sign if isinstance(expression, Call) else "+"
        binding, inside = BINDING[sign]
        parts = expression.parts
        written = self.signs[sign](*(self.write(p, i) for p, i in zip(parts, _spread(inside, parts))))
        return f"({written})" if binding < around else written


FIRST, TERM, FACTOR, BELOW, POWER, LOOSE = 0, 2, 3, 4, 5, 0
# sign: how tightly it binds, and how tightly each of its parts must bind to go without parentheses
BINDING: dict[str, tuple[int, tuple[int, ...]]] = {
    "+": (1, (FIRST, TERM)),
    "-": (1, (1, TERM)),
    "*": (FACTOR, (FACTOR,)),
    "/": (FACTOR, (FACTOR, BELOW)),
    "negative": (1, (FACTOR,)),
    **dict.fromkeys(("log", "sqrt", "tanh", "erf", "round"), (POWER, (LOOSE,))),
    "exp": (POWER, (LOOSE,)),
}


def _spread(inside: tuple[int, ...], parts: tuple[Tree, ...]) -> tuple[int, ...]:
    """The last one serves all further parts."""
    return inside[: len(parts)] + inside[-1:] * (len(parts) - len(inside))


def _guard(written: str, around: int) -> str:
    """Negative numbers are put in parentheses wherever something precedes them."""
    return f"({written})" if written.startswith("-") and around >= 1 else written


def decimals_for(values: list[float], digits: int) -> int:
    """The fewest decimals, from 2 to `digits`, that show all values exactly; `digits` if none do."""
    decimals = min(2, digits)
    for value in values:
        while decimals < digits and abs(round(value, decimals) - value) >= 1e-9:  # not so of what is not finite
            decimals += 1
    return decimals


def decimals_of(expression: Tree, digits: int, result: float | None = None) -> int:
    """One number of decimals for a whole line: what the line needs to be exact, at most `digits`."""
    values = [leaf.value for leaf in leaves(expression)]
    return decimals_for(values if result is None else [*values, result], digits)


def format_number(value: float, decimals: int) -> str:
    """A measured value: fixed decimals, or as many significant digits where those would cut a small number short.

    >>> format_number(0.75, 4), format_number(0.0053357, 4), format_number(0.000012345, 4), format_number(-0.0, 2)
    ('0.7500', '0.005336', '1.234e-05', '0.00')
    """
    if not math.isfinite(value):
        return "-∞" if value == -math.inf else "∞" if value == math.inf else "not a number"
    size = abs(value)
    cut_short = abs(round(value, decimals) - value) > 1e-9 * size  # 0.05 is not, even computed as 0.05000000000000001
    if size >= 1e7:
        return f"{value:.{max(decimals - 1, 1)}e}"
    if size < 0.1 and cut_short:
        return f"{value:#.{decimals}g}"
    return f"{value:.{decimals}f}" if size else f"{0:.{decimals}f}"


def format_in_column(value: float, decimals: int) -> str:
    """A number of a table: fixed decimals, so that columns line up; a power of ten where nothing else would be left.

    >>> format_in_column(0.07239, 4), format_in_column(0.00001234, 4), format_in_column(0.0, 4)
    ('0.0724', '1e-05', '0.0000')
    """
    if value and abs(value) < 0.5 * 10**-decimals:
        return f"{value:.0e}"
    return f"{value:.{decimals}f}" if 0 < abs(value) < 1e7 else format_number(value, decimals)


def format_constant(value: float) -> str:
    """A constant of the recipe, as short as it can be written."""
    if not math.isfinite(value):
        return format_number(value, 2)
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def _joined(by: str) -> Callable[..., str]:
    def write(*parts: str) -> str:
        return by.join(parts)

    return write


def _before(plain: str, compound: str) -> Callable[..., str]:
    """A sign before its part: with parentheses where the part has signs of its own."""

    def write(part: str) -> str:
        return (plain if _is_plain(part) else compound).format(part)

    return write


def _is_plain(written: str) -> bool:
    return not written.startswith("-") and not any(sign in written for sign in " ·/−(")


def _added(*parts: str) -> str:
    return " + ".join(parts) if len(parts) <= LONG_SUM else f"np.sum([{', '.join(parts)}])"


TEXT: dict[str, Callable[..., str]] = {
    "+": _joined(" + "),
    "-": "{} − {}".format,
    "*": _joined("·"),
    "/": "{} / {}".format,
    "negative": "−{}".format,
    "exp": _before("e^{}", "e^({})"),
    "log": _before("ln {}", "ln({})"),
    "sqrt": _before("√{}", "√({})"),
    "tanh": "tanh({})".format,
    "erf": "erf({})".format,
    "round": "round({})".format,
}
LATEX: dict[str, Callable[..., str]] = {
    "+": _joined(" + "),
    "-": "{} - {}".format,
    "*": _joined(r" \cdot "),
    "/": r"\frac{{{}}}{{{}}}".format,
    "negative": "-{}".format,
    "exp": "e^{{{}}}".format,
    "log": r"\ln\left({}\right)".format,
    "sqrt": r"\sqrt{{{}}}".format,
    "tanh": r"\tanh\left({}\right)".format,
    "erf": r"\operatorname{{erf}}\left({}\right)".format,
    "round": r"\operatorname{{round}}\left({}\right)".format,
}
NUMPY: dict[str, Callable[..., str]] = {
    "+": _added,
    "-": "{} - {}".format,
    "*": _joined("*"),
    "/": "{}/{}".format,
    "negative": "-{}".format,
    "exp": "np.exp({})".format,
    "log": "np.log({})".format,
    "sqrt": "np.sqrt({})".format,
    "tanh": "np.tanh({})".format,
    "erf": ERF.format,
    "round": "np.round({})".format,
}


def text(
    expression: Tree,
    digits: int = 4,
    most_terms: int | None = 8,
    result: float | None = None,
    leaf: Callable[[Leaf], str] | None = None,
) -> str:
    """The expression for a terminal; long sums show their largest terms and how many more there are.

    `leaf` says how a cell is written, if not as its number.
    """
    expression = abridged(expression, most_terms)
    if leaf is None:
        decimals = decimals_of(expression, digits, result)
        return Notation(format_constant, lambda cell: format_number(cell.value, decimals), TEXT).write(expression)
    return Notation(format_constant, leaf, TEXT).write(expression)


def latex(expression: Tree, digits: int = 4, most_terms: int | None = 8, result: float | None = None) -> str:
    """The expression for a paper."""
    expression = abridged(expression, most_terms)
    decimals = decimals_of(expression, digits, result)

    def constant(value: float) -> str:
        return latex_number(format_constant(value))

    notation = Notation(constant, lambda leaf: latex_number(format_number(leaf.value, decimals)), LATEX)
    return notation.write(expression).replace("…", r"\dots").replace(" more", r"\text{ more}")


def latex_number(written: str) -> str:
    """
    >>> latex_number("1.234e-05"), latex_number("-∞")
    ('1.234 \\\\cdot 10^{-5}', '-\\\\infty')
    """
    mantissa, _, exponent = written.partition("e")
    if exponent.lstrip("+-").isdecimal():
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
    return written.replace("∞", r"\infty")


def numpy(expression: Tree) -> str:
    """The expression as code: with `import numpy as np` it evaluates to the cell, to the last digits."""

    def number(value: float) -> str:
        return repr(float(value)).replace("inf", "np.inf").replace("nan", "np.nan")

    return Notation(number, lambda leaf: number(leaf.value), NUMPY).write(expression)

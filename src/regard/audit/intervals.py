"""The rule for intervals: what stands behind `0.70 ± 0.03` begins that much below and ends that much above.

The two ends vouch for each other: one is called wrong only where the other is right.
"""

from itertools import pairwise

from regard.audit import data
from regard.audit.context import Page
from regard.audit.finding import occurrences, show_beside
from regard.audit.judge import Judged
from regard.audit.nodes import Binary, Number
from regard.audit.notation import SIGNS, without_decoration, without_latex
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.verdict import verdict


def check_intervals(page: Page) -> None:
    """Judge both ends of every interval that follows its middle and its margin."""
    for line, below in pairwise([*page.lines, Line(0, "")]):
        if ("±" in line.text or "\\pm" in line.text or "+/-" in line.text) and len(line.text) <= LONGEST_LINE:
            _check(page, line, below)


def _check(page: Page, line: Line, below: Line) -> None:
    first = _plain(line.text)
    text = f"{first} {_plain(below.text[:LONGEST_LINE])}" if below.number == line.number + 1 else first
    for found in data.AN_INTERVAL.finditer(text):
        middle, margin, *ends = (
            Number(found[group].replace("−", "-"), found.start(group), False, line.number)
            for group in ("middle", "margin", "low", "high")
        )
        slack = (middle.step + margin.step) / 2
        judged = [_judged(*one, slack) for one in zip("-+", (middle, middle), (margin, margin), ends, strict=True)]
        if sum(one.verdict.fails for one in judged) > 1:
            page.leave(line.number, "an interval that may be another one")
            continue
        for one, end in zip(judged, ends, strict=True):
            above = end.place < len(first)
            before = text[: end.place] if above else text[len(first) : end.place]
            number = line.number if above else below.number
            page.judged(number, "end of the interval", one, len(occurrences(before, end.text)), one.node, {})


def _plain(text: str) -> str:
    text = without_decoration(text)
    text = (without_latex(text) if "\\" in text else text).translate(SIGNS)
    return " ".join(text.replace("+/-", "±").replace("$", " ").split())


def _judged(sign: str, middle: Number, margin: Number, end: Number, slack: float) -> Judged:
    """One end beside the middle and the margin, both of which may be rounded."""
    value = middle.value - margin.value if sign == "-" else middle.value + margin.value
    given = verdict(end.text, value, low=value - slack, high=value + slack)
    return Judged(end.text, show_beside(round(value, 9), end.text), given, end, Binary(sign, middle, margin))

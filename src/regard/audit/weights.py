"""The rule for weights in a table: a weight column beside a score column is its softmax.

The ways in which the weights may come from what stands beside them are tried one after the other; where none fits, a
weight is wrong only if the page says that this is a softmax and nothing else explains the numbers.
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from regard.audit import data
from regard.audit.context import Page
from regard.audit.grammar import parse
from regard.audit.judge import Judged, failures, judge
from regard.audit.nodes import Node, Number, Unreadable, Vector, filled
from regard.audit.tables import Cell, Table
from regard.audit.verdict import slipped

NEARBY = 20  # lines around a table that may say what its columns are
CAPTION = 4  # and those that speak of nothing else
# by its root, or as said
DIVISORS = ((data.DIVISOR_ROOT, True), (data.DIVISOR_WIDTH, True), (data.DIVISOR_PLAIN, False))


def meaning(name: str) -> str:
    """What a header means: weight, exponential, score or nothing of the kind.

    >>> [meaning(name) for name in ("value before softmax", "e^x", "Anteil", "word")]
    ['score', 'exponential', 'weight', '']
    """
    weighs = not data.NO_WEIGHT.search(name)
    if data.IS_WEIGHT.search(name) and weighs:
        return "weight"
    if data.IS_EXPONENTIAL.search(name):
        return "exponential"
    if data.IS_SCORE.search(name) and not data.NO_SCORE.search(name):
        return "score"
    return "weight" if weighs and re.search("attention|%", name, re.I) else ""


class Roles(NamedTuple):
    """Which column is what; nothing where a table has no such column."""

    weight: int
    score: int
    raw: int | None
    exponential: int | None


def roles_of(header: Sequence[str]) -> Roles | None:
    """The weight column, and the score column it comes from.

    >>> roles_of(["Word", "Dot Product Score", "After Scaling", "Attention Weight"])
    Roles(weight=3, score=2, raw=1, exponential=None)
    """
    meanings = [meaning(name) for name in header]
    if "weight" not in meanings or "score" not in meanings:
        return None
    weight = len(meanings) - 1 - meanings[::-1].index("weight")
    scores = [at for at, found in enumerate(meanings) if found == "score"]
    scaled = [at for at in scores if data.IS_SCALED.search(header[at])]
    score = scaled[-1] if scaled else max((at for at in scores if at < weight), default=scores[-1])
    raw = next((at for at in scores if at < score), None) if scaled else None
    return Roles(weight, score, raw, meanings.index("exponential") if "exponential" in meanings else None)


def divisors_in(text: str) -> list[float]:
    """Every number by which a text says it divides."""
    found = [(float(value), root) for pattern, root in DIVISORS for value in pattern.findall(text)]
    return list(dict.fromkeys(math.sqrt(value) if root else value for value, root in found if value > 0))


def check_weights(page: Page, table: Table) -> None:
    """Judge the weights of a table."""
    for view in (table, table.turned()):
        if roles := roles_of(view.header):
            if any("…" in cell.text or "..." in cell.text for row in table.rows for cell in row):
                page.leave(table.lines[0], "a table that does not show all its rows")
                return
            if _is_one(view, roles):
                _Softmax(page, view, roles, view.body).check()
            return


def _is_one(table: Table, roles: Roles) -> bool:
    """Whether the rows of a table are one softmax, and not several."""
    weights = [_weight(row[roles.weight], table.header[roles.weight]) for row in table.body]
    scores = [row[roles.score].node for row in table.body]
    if len(weights) < 2 or None in weights or None in scores:
        return False
    sure = "softmax" in table.header[roles.weight].lower()
    labels = {row[0].text for row in table.body}
    return _total(weights) < 1.5 or (sure and len(labels) == len(table.body))  # or one with a number far off


def _weight(cell: Cell, header: str) -> Number | None:
    node = cell.node
    number = node if isinstance(node, Number) and node.printed.value >= 0 else None
    return number._replace(percent=number.percent or "%" in header) if number else None


def _total(weights: Sequence[Number | None]) -> float:
    return sum(weight.value for weight in weights if weight)


def fits(judged: Sequence[Judged]) -> bool:
    """Whether every weight is explained."""
    return bool(judged) and not failures(judged)


class _Softmax:
    """One softmax of a table: wrong only where nothing else explains the weights."""

    def __init__(self, page: Page, table: Table, roles: Roles, rows: Sequence[tuple[Cell, ...]]) -> None:
        self.page, self.table, self.roles, self.rows = page, table, roles, rows
        self.name, self.title = table.header[roles.score], table.header[roles.weight]
        self.weights = [weight for row in rows if (weight := _weight(row[roles.weight], self.title))]
        self.scores, self.exps = self.column(roles.score), self.column(roles.exponential)
        self.around, self.caption = (self._said(reach) for reach in (NEARBY, CAPTION))
        self.stated = divisors_in(f"{self.name}\n{self.around}")

    def column(self, at: int | None) -> list[Node]:
        """What stands in a column, if every cell of it is a number."""
        nodes = [row[at].node for row in self.rows] if at is not None else []
        return [node for node in nodes if node] if all(nodes) else []

    def _said(self, reach: int) -> str:
        """The lines around the table, without those that speak of accuracies, speeds and the like."""
        numbers = range(self.table.lines[0] - reach, self.table.lines[-1] + reach)
        texts = [self.page.texts.get(number, "") for number in numbers]
        return "\n".join(text for text in texts if not data.OTHER_MATTERS.search(text))

    def tried(self, formula: str, by: float = 1.0, **columns: Sequence[Node]) -> list[Judged]:
        """The verdicts on the weights as a formula of scores s, divisor t and other columns; none without a value."""
        parts = {name: Vector(tuple(column)) for name, column in ({"s": self.scores} | columns).items()}
        claims = parts.pop("claims", Vector(tuple(self.weights)))
        try:
            node = filled(parse(formula), {**parts, "t": Number(f"{by:.12f}", -1)})
            return [one._replace(node=node) for one in judge(node, claims, {})]
        except Unreadable:
            return []

    def check(self) -> None:
        """Judge the weights by what fits them best; where nothing does, only if there is no doubt."""
        ways = [(judged, note) for judged, note in self._ways() if judged]
        judged, note = min(ways, key=lambda way: failures(way[0]), default=([], ""))
        if failures(judged):
            if not self._is_meant:
                return
            if reason := self._doubt(failures(judged)):
                self.page.leave(self.table.lines[0], reason)
                return
            printed = self.tried("x / sum(x)", x=self.exps) or judged
            judged = [other if one.verdict.fails else one for one, other in zip(judged, printed, strict=True)]
        what = f"{self.title} = softmax of {self.name}"
        for one in judged:
            if one.number is not None:
                self.page.judged(one.number.line, what, one, self.table.nth(one.number), one.node, {}, note)

    def _ways(self) -> Iterator[tuple[list[Judged], str]]:
        """The verdicts by scores that were scaled first, by the scores as they stand, by a column beside them."""
        raw = self.column(self.roles.raw)
        for by in self.stated:
            yield self.tried("softmax(s / t)", by=by, s=raw or self.scores), f"softmax of the scores / {by:.4g}"
        yield from ((self.tried("softmax(s)", s=column), "") for column in (self.scores, *self._between))
        if data.IS_COST.search(f"{self.name} {self.title}"):
            yield self.tried("softmax(-s)"), "softmax of the negative scores"

    @cached_property
    def _between(self) -> list[list[Node]]:
        columns = range(self.roles.score + 1, self.roles.weight)
        return [found for at in columns if at != self.roles.exponential and (found := self.column(at))]

    @cached_property
    def _is_meant(self) -> bool:
        """Whether table and text say that this is a softmax, or the numbers do."""
        if self._has_one_slip:
            return True
        off = abs(_total(self.weights) - 1)
        if off > 0.25 and "softmax" not in self.title.lower():
            return False  # no distribution: a score beside some percentage
        exps = self.tried("exp(s)", claims=self.exps)
        explicit = self._says or data.IS_EXPLICIT.search(self.title)
        speaks = data.SPEAKS_OF_SOFTMAX.search(self.around if explicit else self.caption)
        all_but_one = len(self.weights) > 2 and failures(self.tried("softmax(s)")) == 1
        return (
            bool(speaks)
            or (bool(exps) and failures(exps) * 2 <= len(exps))
            or (self._says and (off < 0.15 or all_but_one))
        )

    @cached_property
    def _has_one_slip(self) -> bool:
        """Whether all weights are those of the scores but one, which slipped: nothing else makes such numbers."""
        judged = self.tried("softmax(s)")
        wrong = [one for one in judged if one.verdict.fails]
        right = [one.number.decimals for one in judged if one.number and not one.verdict.fails]
        slip = len(wrong) == 1 and slipped(wrong[0].claimed.rstrip("%"), float(wrong[0].computed.rstrip("%")))
        return slip and len(right) > 1 and min(right) > 2

    @cached_property
    def _says(self) -> bool:
        """Whether the two headers mean a softmax wherever they stand."""
        scored = f"{self.name} {self.table.header[self.roles.raw]}" if self.roles.raw is not None else self.name
        return bool(
            "softmax" in self.title.lower()
            or (data.SAYS_LOGIT.search(scored) and data.SAYS_PROBABILITY.search(self.title))
            or (data.SAYS_PRODUCT.search(scored) and data.SAYS_ATTENTION.search(self.title))
        )

    def _doubt(self, wrong: int) -> str:
        """Why the weights may be right all the same."""
        values = [weight.value for weight in self.weights]
        best = values.index(max(values))
        top = {"w": [self.weights[best]] * len(values), "m": [self.scores[best]] * len(values)}
        if (sum(values) < 0.98 and fits(self.tried("w ⊙ exp(s - m)", **top))) or fits(self.tried("sigmoid(s)")):
            return "the top of a longer row, or chances of their own"
        said = self._says or "softmax" in f"{self.name} {self.title}\n{self.caption}".lower()
        if fits(self.tried("s / sum(s)")) and (not said or data.SPEAKS_OF_SHARES.search(self.caption)):
            return "weights that are shares of the scores"
        scales = data.IS_TEMPERATURE if data.IS_SCALED.search(f"{self.name} {self.title}") else data.SPEAKS_OF_SCALING
        open_scale = wrong > 1 and not self.stated and scales.search(self.around)
        return "weights of scores that may have been scaled first" if open_scale else ""

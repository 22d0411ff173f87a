"""The rule for tables: a weight column beside a score column is its softmax; a header that is a formula holds by row.

Every claim is an expression over the columns, filled with the numbers of the table and handed to the one judge.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import ITEMWISE
from regard.audit.grammar import parse
from regard.audit.judge import Judged, failures, judge
from regard.audit.nodes import Binary, Name, Node, Number, Unreadable, Vector, below, is_computation, names_in, rebuilt
from regard.audit.notation import plain
from regard.audit.tables import Cell, Table
from regard.audit.verdict import Verdict, slipped

DIVISORS = (
    (data.DIVISOR_ROOT, True),
    (data.DIVISOR_WIDTH, True),
    (data.DIVISOR_PLAIN, False),
)  # by its root, or as said
ROOTS = [math.sqrt(n) for n in range(2, 65)]
WIDTHS = [math.sqrt(n) for n in (*range(1, 129), *(2**n for n in range(8, 15)))]
STATISTICS = {"avg": "mean", "average": "mean", "μ": "mean", "standard deviation": "std", "σ": "std",
              "sum of squares": "sum_of_squares"}  # fmt: skip
APPLIED = re.compile(rf"(?<!\w)({'|'.join(ITEMWISE)}) ?(column_\d+)(?!\w)")  # −ln p, cos p
SIGNS = {"minus": "-", "plus": "+", "times": "×"}
MOST_GIVEN = 12  # numbers above a table that may be a factor of its columns
MOST_ROWS = 500
LONGEST_HEADER = 60
NEARBY = 20  # lines around a table that may say what its columns are
CAPTION = 4  # and those that speak of nothing else


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


def fill(node: Node, columns: Mapping[str, Node]) -> Node:
    """An expression with its names replaced by what they stand for."""
    if isinstance(node, Name):
        return columns.get(node.text, node)
    return rebuilt(node, tuple(fill(part, columns) for part in below(node)))


def _try(formula: str, claims: Sequence[Number], **columns: Sequence[Node] | Node | float) -> list[Judged]:
    """The verdicts on a column that should be a formula of others; none where that has no value."""
    filled: dict[str, Node] = {}
    for name, column in columns.items():
        column = Number(f"{column:.12f}", -1) if isinstance(column, float) else column
        filled[name] = Vector(tuple(column)) if isinstance(column, list) else column  # pyright: ignore[reportArgumentType]
    try:
        node = fill(parse(formula), filled)
        return [one._replace(node=node) for one in judge(node, Vector(tuple(claims)), {})]
    except Unreadable:
        return []


def check_columns(page: Page) -> None:
    """Judge the columns of every table that say what they come from."""
    for table in page.tables:
        if len(table.rows) > MOST_ROWS:
            page.leave(table.lines[0], "a table too long to be a worked example")
            continue
        for view in (table, table.turned()):
            if roles := roles_of(view.header):
                _check_weights(page, view, roles)
                break
        if len(table.header) <= (20 if table.separated else 8):
            _check_derived(page, table)


def _write(page: Page, table: Table, what: str, judged: Sequence[Judged], note: str = "") -> None:
    for one in judged:
        if one.number is not None:
            page.judged(one.number.line, what, one, table.nth(one.number), one.node, {}, note)


class _Pair(NamedTuple):
    """A row of a softmax."""

    weight: Number
    score: Node
    cells: tuple[Cell, ...]


def _total(pairs: Sequence[_Pair]) -> float:
    return sum(pair.weight.value for pair in pairs)


def _check_weights(page: Page, table: Table, roles: Roles) -> None:
    """Judge one table: group by group where several softmaxes stand one below the other."""
    if any("…" in cell.text or "..." in cell.text for row in table.rows for cell in row):
        page.leave(table.lines[0], "a table that does not show all its rows")
        return
    percent = "%" in table.header[roles.weight]
    pairs = [
        _Pair(weight._replace(percent=weight.percent or percent), score, row)
        for weight, row in zip(table.column(roles.weight), table.body, strict=True)
        if weight is not None and (score := row[roles.score].node) is not None
    ]
    if len(pairs) != len(table.body) or len(pairs) < 2:
        return
    if _total(pairs) > 50:
        pairs = [pair._replace(weight=pair.weight._replace(percent=True)) for pair in pairs]
    groups = [pairs] if _total(pairs) < 1.5 else _by_label(pairs)
    if _total(pairs) >= 1.5 and any(len(group) < 2 or not 0.8 < _total(group) < 1.2 for group in groups):
        if "softmax" not in table.header[roles.weight].lower() or len(groups) < len(pairs):
            return
        groups = [pairs]  # one softmax, with a number far off
    for group in groups:
        scored = any(isinstance(pair.score, Number) for pair in group)
        if scored and all(0 <= pair.weight.value <= 1.0001 for pair in group):
            _Softmax(page, table, roles, group).check()
    if roles.raw is not None and not _divisor_in(table.header[roles.score]):
        _check_scaling(page, table, roles.raw, roles.score)


def _by_label(pairs: Sequence[_Pair]) -> list[list[_Pair]]:
    """Runs of rows with one label."""
    groups: list[list[_Pair]] = []
    for pair in pairs:
        label = pair.cells[0].text
        if not groups or (label and label != groups[-1][0].cells[0].text):
            groups.append([])
        groups[-1].append(pair)
    return groups


class _Softmax:
    """One softmax of a table: wrong only where nothing else explains the weights."""

    def __init__(self, page: Page, table: Table, roles: Roles, pairs: Sequence[_Pair]) -> None:
        self.page, self.table, self.roles = page, table, roles
        self.weights, self.scores = [pair.weight for pair in pairs], [pair.score for pair in pairs]
        at = roles.exponential
        exps = [pair.cells[at].node for pair in pairs] if at is not None else []
        self.exps = [exp for exp in exps if isinstance(exp, Number)]
        self.name, self.title = table.header[roles.score], table.header[roles.weight]
        self.header = f"{self.name} {self.title}"
        self.around, self.caption = (self._said(reach) for reach in (NEARBY, CAPTION))

    def _said(self, reach: int) -> str:
        """The lines around the table, without those that speak of accuracies, speeds and the like."""
        numbers = range(self.table.lines[0] - reach, self.table.lines[-1] + reach)
        texts = [self.page.texts.get(number, "") for number in numbers]
        return "\n".join(text for text in texts if not data.OTHER_MATTERS.search(text))

    def tried(self, formula: str, **columns: Sequence[Node] | Node | float) -> list[Judged]:
        """The verdicts on the weights as a formula of the scores s, or of other columns."""
        return _try(formula, self.weights, **({"s": self.scores} | columns))

    def fits(self, formula: str, **columns: Sequence[Node] | Node | float) -> bool:
        """Whether it explains every weight."""
        judged = self.tried(formula, **columns)
        return bool(judged) and not failures(judged)

    def leave(self, reason: str) -> None:
        """Count the table as not judged."""
        self.page.leave(self.table.lines[0], reason)

    def check(self) -> None:
        """Judge the weights: by the scores beside them, unless the table or the text says otherwise."""
        judged, note, source = self.tried("softmax(s)"), "", self.name
        if failures(judged) and (beside := self._between()):
            other = self.tried("softmax(s)", s=beside[1])
            if not other or failures(other) >= failures(judged):
                self.leave("weights beside a column that is not understood")
                return
            judged, self.scores = other, beside[1]
            source = self.name if failures(judged) else beside[0]
        if failures(judged):
            if not self._is_meant():
                return
            if self._is_explained():
                self.leave("weights that are a softmax of something else than the scores beside them")
                return
            judged, note = self._scaled(judged)
            if not judged:
                self.leave("weights of scores that may have been scaled first")
                return
            printed = _try("x / sum(x)", self.weights, x=self.exps) if len(self.exps) == len(self.weights) else []
            if printed:  # a weight that follows from the exponentials as printed is right too
                judged = [other if one.verdict.fails else one for one, other in zip(judged, printed, strict=True)]
        _write(self.page, self.table, f"{self.title} = softmax of {source}", judged, note)

    def _between(self) -> tuple[str, list[Node]] | None:
        """The column that stands between scores and weights and may be what the weights come from."""
        columns = range(self.roles.score + 1, self.roles.weight)
        unknown = [at for at in columns if at != self.roles.exponential and any(self.table.column(at))]
        if not unknown or len(self.table.body) != len(self.weights):
            return None
        nodes = [row[unknown[-1]].node for row in self.table.body]
        return self.table.header[unknown[-1]], [node for node in nodes if node] if all(nodes) else []

    def _is_meant(self) -> bool:
        """Whether table and text say that this is a softmax."""
        total, exps = sum(weight.value for weight in self.weights), self.exps
        if abs(total - 1) > 0.25 and "softmax" not in self.title.lower():
            return False  # no distribution: a score beside some percentage
        by_exps = bool(exps) and failures(_try("exp(s)", exps, s=self.scores)) * 2 <= len(exps) == len(self.scores)
        explicit = self._says() or data.IS_EXPLICIT.search(self.title)
        speaks = data.SPEAKS_OF_SOFTMAX.search(self.around if explicit else self.caption)
        all_but_one = len(self.weights) > 2 and failures(self.tried("softmax(s)")) == 1
        return bool(speaks) or by_exps or (self._says() and (abs(total - 1) < 0.15 or all_but_one))

    def _says(self) -> bool:
        """Whether the two headers mean a softmax wherever they stand."""
        raw = self.roles.raw
        scored = self.name if raw is None else f"{self.name} {self.table.header[raw]}"
        return bool(
            "softmax" in self.title.lower()
            or (data.SAYS_LOGIT.search(scored) and data.SAYS_PROBABILITY.search(self.title))
            or (data.SAYS_PRODUCT.search(scored) and data.SAYS_ATTENTION.search(self.title))
        )

    def _is_explained(self) -> bool:
        """Whether the weights are something else: the top of a longer row, chances of their own, plain shares."""
        values = [weight.value for weight in self.weights]
        best = values.index(max(values))
        top = {"w": self.weights[best], "t": Vector((self.scores[best],) * len(self.scores))}
        if (sum(values) < 0.98 and self.fits("w * exp(s - t)", **top)) or self.fits("sigmoid(s)"):
            return True
        if not self.fits("s / sum(s)"):
            return False
        hard = [Number("1.000" if at == best else "0.000", -1 - at) for at in range(len(values))]
        one_takes_all = _try("softmax(s)", hard, s=self.scores)
        said = self._says() or "softmax" in f"{self.header}\n{self.caption}".lower()
        other = not said or data.SPEAKS_OF_SHARES.search(self.caption)
        return bool(other or (one_takes_all and not failures(one_takes_all)))

    def _scaled(self, judged: list[Judged]) -> tuple[list[Judged], str]:
        """The verdicts by scores that were scaled first, if they were; none where that stays open."""
        raw = [number for number in self.table.column(self.roles.raw) if number] if self.roles.raw is not None else []
        for by in _divisors(f"{self.name}\n{self.around}") if len(raw) == len(self.weights) else ():
            if self.fits("softmax(s / t)", s=raw, t=by):  # a slip in the scaled column is one slip
                return self.tried("softmax(s / t)", s=raw, t=by), ""
        if data.IS_COST.search(self.header) and self.fits("softmax(-s)"):
            return self.tried("softmax(-s)"), "softmax of the negative scores"
        scales = data.IS_TEMPERATURE if data.IS_SCALED.search(self.header) else data.SPEAKS_OF_SCALING
        if not scales.search(self.around):
            return judged, ""
        stated = _divisors(self.around)
        tried = {by: found for by in stated or ROOTS if (found := self.tried("softmax(s / t)", t=by))}
        by = min(tried, key=lambda by: failures(tried[by]), default=1.0)
        found = tried.get(by, judged)
        if by in tried and (failures(found) <= failures(judged) if stated else failures(judged) > 1 > failures(found)):
            return found, f"softmax of the scores / {by:.4g}"
        return ([], "") if not stated and failures(judged) > 1 else (judged, "")


def _divisors(text: str) -> list[float]:
    """Every number by which a text says it divides."""
    found = [(float(value), root) for pattern, root in DIVISORS for value in pattern.findall(text)]
    return list(dict.fromkeys(math.sqrt(value) if root else value for value, root in found if value > 0))


def _divisor_in(header: str) -> re.Match[str] | None:
    """By what a header says the column before it was divided or multiplied: `/√64`, `scaled by 8`."""
    return data.SCALED_BY.match(header.strip()) or data.LEADING.match(header.strip())


def _check_scaling(page: Page, table: Table, raw: int, scaled: int) -> None:
    """Judge a scaled column: one divisor must explain all its cells, or all but one."""
    pairs = [(r, s) for r, s in zip(table.column(raw), table.column(scaled), strict=True) if r and s]
    divisors = sorted({r.value / s.value for r, s in pairs if s.value and r.value / s.value > 0})
    tried = {by: [one for r, s in pairs for one in _try("[r / d]", [s], r=r, d=by)] for by in [*divisors, *WIDTHS]}
    by = min((by for by in tried if tried[by]), key=lambda by: failures(tried[by]), default=0.0)
    wrong = failures(tried.get(by, []))
    if not by or wrong > 1 or (wrong == 1 and len(tried[by]) < 3):
        page.leave(table.lines[0], "a scaled column with no one divisor")
        return
    _write(page, table, f"{table.header[scaled]} = {table.header[raw]} / {by:.6g}", tried[by])


def _check_derived(page: Page, table: Table) -> None:
    """Judge every column whose header says how it comes from others, where at least half its rows fit."""
    for target in range(1, len(table.header)):
        for formulas, spare in (*_formulas(table, target), *_from_text(page, table, target)):
            tried = [judged for formula in formulas if (judged := _by_row(table, target, formula))]
            best = min(tried, key=failures, default=[])
            meant = not failures(best) or any(one.verdict in (Verdict.exact, Verdict.rounded) for one in best)
            if best and meant and failures(best) <= (spare if spare >= 0 else len(best) // 2):
                _write(page, table, table.header[target], best)
                break


def _by_row(table: Table, target: int, formula: Node) -> list[Judged]:
    """The verdicts on a column that should be a formula of others, row by row; none where there are too few rows."""
    names = sorted(name for name in names_in(formula) if name.startswith("column_"))
    columns = [table.sources(int(name[7:])) for name in names]
    rows = [
        (claim, numbers)
        for claim, *found in zip(table.column(target), *columns, strict=True)
        if claim and len(numbers := [n for n in found if isinstance(n, Number | Vector | Binary)]) == len(names)
    ]
    if len(rows) < 2:
        return []
    items = [fill(formula, dict(zip(names, numbers, strict=True))) for _, numbers in rows]
    places = [
        {getattr(number, "decimals", 0) for number in column} for column in zip(*(n for _, n in rows), strict=True)
    ]
    rounded = any(len(found) == 1 and min(found) >= 2 for found in places)  # 0.5 above 0.25 is typed
    claims = Vector(tuple(claim for claim, _ in rows))
    try:
        judged = judge(Vector(tuple(items)), claims, {}, typed=2 if rounded else 4)
    except Unreadable:
        return []
    return [one._replace(node=item) for one, item in zip(judged, items, strict=True)]


def _formulas(table: Table, target: int) -> Iterator[tuple[list[Node], int]]:
    """The ways a column may come from the others, by its header, each with how many rows may fail (-1: half)."""
    header = table.header[target].strip()
    if not header or len(header) > LONGEST_HEADER:
        return
    counts = [sum(n is not None and not n.percent for n in table.column(at)) for at in range(len(table.header))]
    numeric = [at for at, count in enumerate(counts) if at != target and count * 2 > len(table.rows)]
    left = [at for at in numeric if at < target]
    if (scaled := _divisor_in(header)) and left:
        sign = "/" if scaled.re is data.SCALED_BY else scaled[1]
        yield _parsed(target, f"column_{left[-1]} {sign} ({scaled[scaled.lastindex or 1]})"), -1
    elif data.IS_EXPONENTIAL.fullmatch(header) or meaning(header) == "exponential":
        scores = [at for at in left if meaning(table.header[at]) == "score"]
        for at in [*reversed(scores), *(at for at in reversed(left) if at not in scores)]:
            peak = max(number.value for number in table.column(at) if number)
            yield _parsed(target, f"exp(column_{at})", f"exp(column_{at} - ({peak!r}))"), -1
    elif statistic := data.STATISTIC.fullmatch(header):
        name = STATISTICS.get(statistic[1].lower(), statistic[1].lower())
        lists = [at for at in range(target) if all(isinstance(node, Vector) for node in table.sources(at))]
        if lists:
            yield _parsed(target, f"{name}(column_{lists[-1]})"), -1
        elif len(values := [at for at in left if at]) >= 2 and len(table.body) >= 3:
            yield _parsed(target, f"{name}([{', '.join(f'column_{at}' for at in values)}])"), 1
    elif data.IS_LINE_TOTAL.match(header):
        prices = [at for at in numeric if data.IS_PRICE.search(table.header[at])]
        amounts = [at for at in numeric if data.IS_QUANTITY.search(table.header[at])]
        if len(prices) == len(amounts) == 1 and prices != amounts:
            yield _parsed(target, f"column_{prices[0]} * column_{amounts[0]}"), int(len(table.body) >= 4)
    else:
        text = plain(header)
        for at in sorted(numeric, key=lambda at: -len(table.header[at])):
            name = plain(table.header[at]).strip()
            if name and not name[0].isdigit():
                text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"column_{at}", text)
        yield _parsed(target, APPLIED.sub(r"\1(\2)", text)), -1


def _from_text(page: Page, table: Table, target: int) -> Iterator[tuple[list[Node], int]]:
    """The ways a column may come from the others by what stands in their cells or above the table; one row may fail."""
    for at in range(target):
        if sum(isinstance(node, Binary) for node in table.sources(at)) > 2:
            yield [Name(f"column_{at}")], 1
    above = plain(page.near(table.lines[0], CAPTION)).lower()
    numeric = [at for at in range(target) if all(table.column(at))]
    names = {at: re.escape(plain(table.header[at]).strip().lower()) for at in numeric}
    if not data.UNSIGNED.search(table.header[target]):
        for one, other in itertools.permutations(numeric, 2):
            said = re.search(rf"(?<!\w){names[one]}\s+(minus|plus|times|[-+×*/])\s+{names[other]}(?!\w)", above)
            if said and names[one] and names[other] and target == max(one, other) + 1:
                yield _parsed(target, f"column_{one} {SIGNS.get(said[1], said[1])} column_{other}"), 1
    given = [float(found.replace(",", "")) for found in data.CONSTANT.findall(above)][:MOST_GIVEN]
    shares = all(number and number.percent for number in table.column(target))
    for at in numeric if len(table.body) > 3 else ():
        both = table.column(at), table.column(target)
        total = [sum(number.value for number in both[0] if number)] if shares else []
        for by, sign in itertools.product((*given, *total), "/" if shares else "/*"):
            pairs = [(n.value * by if sign == "*" else n.value / by, c) for n, c in zip(*both, strict=True) if n and c]
            near = by > 2 and sum(abs(value - c.value) <= c.unit for value, c in pairs) >= max(3, len(pairs) - 1)
            for formula in _parsed(target, f"column_{at} {sign} {by!r}") if near else ():
                wrong = [one for one in _by_row(table, target, formula) if one.verdict.fails]
                if len(wrong) < 2 and all(slipped(one.claimed, float(one.computed.rstrip("%"))) for one in wrong):
                    yield [formula], 1


def _parsed(target: int, *texts: str) -> list[Node]:
    """The formulas that texts mean; none where they are no formula of other columns."""
    found: list[Node] = []
    for text in texts:
        try:
            node = parse(plain(text))
        except Unreadable:
            continue
        sources = {name for name in names_in(node) if re.fullmatch(r"column_\d+", name)}
        if sources and is_computation(node) and f"column_{target}" not in sources:
            found.append(node)
    return found

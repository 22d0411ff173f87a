"""The rule for tables: a column that comes from others, by its header, by the cells or by what stands above.

What a header says holds row by row, and half of the rows may be wrong. What is told elsewhere, or only found to hold,
must hold for every row but one; and where nobody says it, that one must be a slip of a digit.
"""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import ITEMWISE, Array, evaluate
from regard.audit.grammar import parse
from regard.audit.judge import Judged, compare, failures, judge
from regard.audit.nodes import Binary, Node, Number, Unreadable, Vector, filled, is_computation, literals, names_in
from regard.audit.notation import plain
from regard.audit.phrases import name_of
from regard.audit.tables import Table
from regard.audit.verdict import Verdict, slipped
from regard.audit.weights import NEARBY, check_weights

APPLIED = re.compile(rf"(?<!\w)({'|'.join(ITEMWISE)}) ?(column_\d+)(?!\w)")  # −ln p, cos p
MOST_ROWS = 500
LONGEST_HEADER = 60
MOST_TURNED = 12  # rows of a table that may lie on its side
FAR = 20  # steps of the last digit that no rounding explains
SAID, TOLD, FOUND = "by its header", "elsewhere on the page", "by the numbers alone"


class View:
    """One column of a table, and the columns it may come from."""

    def __init__(self, table: Table, target: int, around: str, in_signs: str, vectors: Mapping[str, Array]) -> None:
        self.table, self.target, self.header = table, target, table.header[target].strip()
        self.around, self.in_signs = around, in_signs  # what stands near the table, as it is and in signs
        columns = [table.column(at) for at in range(len(table.header))]
        counts = [sum(n is not None and not n.percent for n in column) for column in columns]
        self.numeric = [at for at, count in enumerate(counts) if at != target and count * 2 > len(table.rows)]
        self.lists = [
            at
            for at in range(len(columns))
            if at != target and all(isinstance(source, Vector) for source in table.sources(at))
        ]
        self.left = [at for at in self.numeric if at < target]
        self.full = [at for at in range(target) if all(columns[at])]  # a number in every row
        fit = {name: items for name, items in vectors.items() if items.shape == (len(table.body),)}
        self.vectors = dict(enumerate(fit.items(), len(columns)))  # of the page, as further columns: −ln p

    def sources(self, at: int) -> list[Node | None]:
        """What a column offers to a formula."""
        if at not in self.vectors:
            return self.table.sources(at)
        return [Number(f"{item:.12g}", -1) for item in self.vectors[at][1]]


Ways = Iterator[tuple[list[str], str]]  # formulas of which the best counts, and how sure it is that one is meant


def _scaled(view: View) -> Ways:
    """`/√64`, `scaled by 8`: the column before it."""
    header = view.header
    found = data.SCALED_BY.match(header) or data.LEADING.match(header)
    if found and view.left:
        sign = "/" if found.re is data.SCALED_BY else found[1]
        yield [f"column_{view.left[-1]} {sign} ({found[found.lastindex or 1]})"], SAID


def _statistic(view: View) -> Ways:
    """`mean`, `σ`: of the list in a cell, or of the numbers on the left."""
    if found := data.STATISTIC.fullmatch(view.header):
        name = name_of(found[1])
        lists = [at for at in view.lists if at < view.target]
        values = [f"column_{at}" for at in view.left if at]
        if lists:
            yield [f"{name}(column_{lists[-1]})"], SAID
        elif len(values) > 1 and len(view.table.body) > 2:
            yield [f"{name}([{', '.join(values)}])"], TOLD


def _line_total(view: View) -> Ways:
    """`total`: price times quantity, or the sum of all numbers on the left."""
    if data.IS_LINE_TOTAL.match(view.header):
        header, summed = view.table.header, [at for at in view.left if at]
        kinds = [
            [at for at in view.numeric if is_kind.search(header[at])] for is_kind in (data.IS_PRICE, data.IS_QUANTITY)
        ]
        if list(map(len, kinds)) == [1, 1] and kinds[0] != kinds[1]:
            sure = FOUND if data.DISCOUNT.search(view.around) else TOLD
            yield [f"column_{kinds[0][0]} * column_{kinds[1][0]}"], sure
        elif len(summed) > 1 and not any(data.NO_SUM.search(header[at]) for at in summed):
            yield [" + ".join(f"column_{at}" for at in summed)], FOUND


def _per_unit(view: View) -> Ways:
    """`litres` behind `litres per bag` and `bags`, or `litres per bag` behind the other two."""
    *header, target = (_noun(text) for text in view.table.header[: view.target + 1])
    for at, other in itertools.permutations(view.left, 2):
        if header[at] == f"{target} per {header[other]}":
            yield [f"column_{at} * column_{other}"], SAID
        elif target == f"{header[at]} per {header[other]}":
            yield [f"column_{at} / column_{other}"], SAID


def _noun(header: str) -> str:
    """A header in lower case, `/` as a word, every noun as one: `Litres/bag` is `litre per bag`."""
    return re.sub(r"(?<=\w\w)s\b", "", header.lower().replace("/", " per ")).strip()


def _formula(view: View) -> Ways:
    """`a·b`, `-ln(p)`: a header that is a formula of other headers."""
    formula = _in_columns(view, view.header)
    yield [formula], TOLD if any(f"column_{at}" in formula for at in view.vectors) else SAID


def _defined(view: View) -> Ways:
    """`ppl = exp(loss)` near the table, or "the wavelength 2π / ω": what its header means, in words of others."""
    said = rf"(?<![\w.]){re.escape(view.header)}(?:\s*(?:=|is|means)\s*|\s+(?=[\dπ√]))(?=([^=\n]{{3,80}}))"
    for found in re.finditer(said, view.around) if view.header else ():
        ends = {end for at in re.finditer(r"[).,;|$]|\s\(|$", found[1]) for end in (at.start(), at.end())}
        yield [_in_columns(view, found[1][:end].strip()) for end in sorted(ends) if end > 2], TOLD


def _in_columns(view: View, text: str) -> str:
    """A text with every header replaced by the name of its column."""
    text = plain(text)
    names = {at: plain(view.table.header[at]).strip() for at in (*view.numeric, *view.lists)}
    names |= {at: name for at, (name, _) in view.vectors.items() if name not in names.values()}
    initials = Counter(name[:1] for name in names.values())  # cos(p) beside a column "pos"
    short = [(at, name[0]) for at, name in names.items() if name.isalpha() and initials[name[0]] == 1]
    for at, name in (*sorted(names.items(), key=lambda pair: -len(pair[1])), *short):
        if name and not name[0].isdigit():
            text = re.sub(rf"(?<!\w){re.escape(name).replace(chr(92) + ' ', '[ _]')}(?!\w)", f"column_{at}", text)
    text = re.sub(r"(column_\d+) squared\b", r"\1^2", text)
    text = re.sub(r"((?<![\w.])\d+(?:\.\d+)?|π|\)) ?(?=\(?column_)", r"\1 * ", text)  # cos(π p), 2 (w - 1)
    return re.sub(rf"(column_\d+) ?(?=(?:{'|'.join(ITEMWISE)})\()", r"\1 * ", APPLIED.sub(r"\1(\2)", text))  # -p ln p


def _told_above(view: View) -> Ways:
    """ "probability minus target" above the table."""
    names = {plain(view.table.header[at]).strip().lower(): at for at in view.full}
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    term = rf"(?:{either}|\d+(?:\.\d+)?)"
    told = rf"(?<![\w.])(?:{term}\s*(?:[-+×·*/]|minus|plus|times)\s*)+{term}(?!\w)"
    for found in re.finditer(told, view.in_signs) if either and not data.UNSIGNED.search(view.header) else ():
        text = re.sub("minus|plus|times", lambda sign: name_of(sign[0]), found[0])
        yield [re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda name: f"column_{names[name[0]]}", text)], TOLD


BY_HEADER: tuple[Callable[[View], Ways], ...] = (_scaled, _statistic, _per_unit, _line_total, _formula)
BY_THE_REST: tuple[Callable[[View], Ways], ...] = (_defined, _told_above)


def check_columns(page: Page, vectors: Mapping[str, Array]) -> None:
    """Judge the columns of every table that come from others."""
    for table in page.tables:
        if len(table.rows) > MOST_ROWS:
            page.leave(table.lines[0], "a table too long to be a worked example")
            continue
        check_weights(page, table)
        around = page.near(table.lines[0], NEARBY, table.lines[-1] - table.lines[0] + NEARBY)
        in_signs = plain(around).lower() if any(table.header) else ""
        labelled = not all(isinstance(row[0].node, Number) for row in table.rows)
        turned = table.turned() if len(table.rows) <= MOST_TURNED and labelled else table
        for one in (
            (table, turned)[: 1 + (turned is not table)] if len(table.header) <= (20 if table.separated else 8) else ()
        ):
            for target in range(1, len(one.header)):
                _check(page, View(one, target, around, in_signs, vectors), BY_THE_REST if one is table else ())


def _check(page: Page, view: View, others: Sequence[Callable[[View], Ways]]) -> None:
    """Judge one column by the first way that holds for it; of those by its header only the first kind is asked."""
    named = 0 < len(view.header) <= LONGEST_HEADER
    by_header = next((ways for kind in BY_HEADER if (ways := list(kind(view)))), []) if named else []
    for texts, sure in itertools.chain(by_header, *(kind(view) for kind in others)):
        tried = [judged for formula in _parsed(view.target, texts) if (judged := _by_row(view, formula))]
        best = min(tried, key=failures, default=[])
        if best and failures(best) <= _most_wrong(best, sure):
            for one in best:
                if one.number is not None:
                    nth = view.table.nth(one.number) if one.number.place >= 0 else -1  # of a list: it has no cell
                    page.judged(one.number.line, view.header, one, nth, one.node, {})
            return


def _most_wrong(judged: Sequence[Judged], sure: str) -> int:
    """How many rows may be wrong before the column is something else."""
    if not any(one.verdict in (Verdict.exact, Verdict.rounded) for one in judged):
        return 0
    right = [one for one in judged if not one.verdict.fails and float(one.claimed.rstrip("%").replace(",", ""))]
    if sure != SAID and len(right) < 2:
        return 0  # zeros prove nothing
    slips = [slipped(one.claimed, float(one.computed.rstrip("%"))) for one in judged if one.verdict.fails]
    return {SAID: len(judged) // 2, TOLD: int(len(judged) > 2), FOUND: int(len(judged) > 2 and all(slips))}[sure]


def _parsed(target: int, texts: Sequence[str]) -> Iterator[Node]:
    """The formulas that texts mean; none where they are no formula of other columns."""
    for text in texts:
        try:
            node = parse(plain(text))
        except Unreadable:
            continue
        sources = {name for name in names_in(node) if re.fullmatch(r"column_\d+", name)}
        if sources and is_computation(node) and f"column_{target}" not in sources:
            yield node


def _by_row(view: View, formula: Node) -> list[Judged]:
    """The verdicts on a column that should be a formula of others, row by row; none where there are too few rows."""
    names = sorted(name for name in names_in(formula) if name.startswith("column_"))
    columns = [view.sources(int(name[7:])) for name in names]
    lists = [claim for claim in view.table.sources(view.target) if isinstance(claim, Vector)]
    if len(lists) == len(view.table.body) > 1 and all(all(column) for column in columns):
        return _of_lists(formula, names, columns, lists)
    rows = [
        (claim, numbers)
        for claim, *found in zip(view.table.column(view.target), *columns, strict=True)
        if claim and len(numbers := [n for n in found if isinstance(n, Number | Vector | Binary)]) == len(names)
    ]
    if len(rows) < 2:
        return []
    items = [filled(formula, dict(zip(names, numbers, strict=True))) for _, numbers in rows]
    places = [{getattr(n, "decimals", 0) for n in column} for column in zip(*(found for _, found in rows), strict=True)]
    rounded = any(len(found) == 1 and min(found) >= 2 for found in places)  # 0.5 above 0.25 is typed
    claims = Vector(tuple(claim for claim, _ in rows))
    try:
        judged = judge(Vector(tuple(items)), claims, {}, typed=2 if rounded else 4)
        as_typed = compare(literals(claims) or [], evaluate(Vector(tuple(items)), {}))
    except Unreadable:
        return []
    far = [
        one
        for one in as_typed
        if one.verdict.fails
        and one.number
        and abs(float(one.computed.rstrip("%")) - one.number.printed.value) > FAR * one.number.printed.unit
    ]
    if len(judged) - failures(as_typed) > 2 and len(far) == failures(as_typed) <= max(1, len(judged) // 5):
        judged = as_typed  # what the others show to be typed as it stands is no rounded 0.45
    return [one._replace(node=item) for one, item in zip(judged, items, strict=True)]


def _of_lists(
    formula: Node, names: Sequence[str], columns: Sequence[Sequence[Node | None]], claims: Sequence[Vector]
) -> list[Judged]:
    """The verdicts on a column of lists: weight × value, number by number."""
    found: list[Judged] = []
    for claim, *sources in zip(claims, *columns, strict=True):
        node = filled(formula, {name: source for name, source in zip(names, sources, strict=True) if source})
        try:
            found += [one._replace(node=node) for one in judge(node, claim, {})]
        except Unreadable:
            return []
    return found

"""The rule for rows that sum up those above them: totals, means, a tax or a discount in percent of what stands above.

A total may take in all rows above it, those below the last total, or that total and what came after it; if none of
these is what is printed, it is wrong where a digit slipped, or where nothing suggests that it counts anything else.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import evaluate
from regard.audit.grammar import parse
from regard.audit.nodes import Binary, Call, Node, Number, Unreadable, Vector, filled, is_computation
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE
from regard.audit.phrases import name_of
from regard.audit.tables import Cell, Table, is_sum
from regard.audit.verdict import NOISE, Verdict, slipped

MOST_ROWS = 200
SURE_DIGITS = 3  # of a row that sums up others without saying so
NEARBY = 12  # lines above a table whose numbers may be what its rows are percentages of
MOST_PARTED = 30  # rows among which those are looked for that sum up others
FAR = 2.0  # a total that is further off is one of something else
CLOSE = 0.03  # and one that is as near is meant
LARGE = 100  # from here on whole numbers may be rounded
OVER = 0.25  # shares that miss 1 by more are shares of several things


def check_totals(page: Page) -> None:
    """Judge every row that sums up others, column by column."""
    judged, wrong = set[tuple[int, str]](), set[int]()
    taken = 0  # findings that are in these two
    for table in page.tables:
        if 2 <= len(table.rows) <= MOST_ROWS:
            judged |= {(f.line, f.claimed.rstrip("%")) for f in page.findings[taken:]}
            wrong |= {f.line for f in page.findings[taken:] if f.verdict.fails}
            taken = len(page.findings)
            excuse = data.NOT_ALL.search("\n".join([page.near(table.lines[0] - 1, 2), *map(_label, table.rows)]))
            ruled = _below_rules(page, table)
            summing = _sums_up(table) or table.lines[-1] in ruled
            for at in range(1, len(table.header)):
                _check_column(page, table, at, judged, wrong, ruled, sums=summing, excused=bool(excuse))
                _check_rest(page, table, at)
            _check_formulas(page, table, judged)


def _sums_up(table: Table) -> bool:
    """Whether the last row is the sum of the others in some column, whatever it is called. Rows that are counted are
    not summed."""
    counts = [node.value for row in table.rows if isinstance(node := row[0].node, Number)]
    if len(counts) == len(table.rows) > 2 and len({round(b - a, 9) for a, b in itertools.pairwise(counts)}) == 1:
        return False
    least = 4 if len(table.rows) > 3 else 6  # signs: of two numbers luck makes a sum more often
    return any(is_sum([row[at].node for row in table.rows], least) for at in range(1, len(table.header)))


def _below_rules(page: Page, table: Table) -> set[int]:
    """The lines of a text right below a rule, which sum up what stands above it whatever they are called."""
    rows = {row[0].line for row in table.rows[2:]} if not table.separated else set[int]()
    return {line for line in rows if data.RULE.fullmatch(page.texts.get(line - 1, "")[:LONGEST_LINE])}


def _adds_up(table: Table, total: Sequence[Cell], but: int) -> bool:
    """Whether a row is the sum of all rows above it in another column."""
    rows = [row for row in table.rows if row[0].line <= total[0].line]
    return any(is_sum([row[at].node for row in rows], 2) for at in range(1, len(table.header)) if at != but)


def _at_fault(
    page: Page, table: Table, parts: Sequence[Number], total: Number
) -> list[tuple[Number, Node, float, Verdict]]:
    """The one row that a total shows to be wrong: with what the row's own numbers come to, a product or a percentage,
    the total is right, and another row is made in the same way."""
    off = total.value - math.fsum(part.value for part in parts)
    around = [Number(text, -1) for text, _ in data.FACTOR.findall(page.near(table.lines[0], NEARBY, len(parts)))]
    right, wrong = set[str](), list[tuple[str, tuple[Number, Node, float, Verdict]]]()
    for row in table.rows if abs(off) > total.step else ():
        part = next((part for part in parts if part.line == row[0].line), total)
        rate = data.A_RATE.search(_label(row))
        others = [(f"column {cell.column}", cell.node) for cell in row if cell.column != part.place % 1000]
        pairs = itertools.combinations([(name, node) for name, node in others if isinstance(node, Number)], 2)
        ways: dict[str, Node] = {one + other: Binary("*", left, right) for (one, left), (other, right) in pairs}
        ways |= {base.text: Binary("*", base, Number(rate[1], -1, True)) for base in around if rate}
        ways |= {f"{name} alone": node for name, node in others if isinstance(node, Number)}
        for name, node in ways.items() if part is not total else ():
            value = math.copysign(float(evaluate(node, {})), part.value)
            right |= {name} if abs(value - part.value) <= part.step * 0.5001 else set()
            if abs(value - part.value - off) <= part.step * 0.5001 and len(part.text.strip("0.")) > 2:
                wrong.append((name, (part, node, value, Verdict.wrong)))
    found = [one for name, one in wrong if name in right]
    return found[:1] if len({part for part, *_ in found}) == 1 else []


def _check_formulas(page: Page, table: Table, judged: set[tuple[int, str]]) -> None:
    """Judge numbers beside arithmetic, or beside formulas of sizes that the page names: `4 × (256 × 256 + 256)`, and
    `12d^2 | 12,582,912` where d = 1024; and counts beside their parts: `low 5, lower 2 | 7`."""
    found: dict[tuple[int, int, int], list[tuple[str, Number, Node, float]]] = {}
    for row in table.rows:
        for at, step in itertools.product(range(len(row)), (1, -1)):
            claim = row[at + step].node if 0 <= at + step < len(row) else None
            text = row[at].text
            counted = int(data.COUNTED.fullmatch(text) is not None)  # of those a list may be cut short
            if counted:
                text = " + ".join(re.findall(r"\d+", text))
            arithmetic = data.ONLY_ARITHMETIC.fullmatch(text) or data.A_FORMULA.fullmatch(text)
            if arithmetic and isinstance(claim, Number) and (claim.line, claim.text) not in judged:
                with suppress(Unreadable):
                    node = filled(parse(_with_signs(plain(text), page.sizes)), page.sizes)
                    if is_computation(node):
                        value = float(evaluate(node, {}))
                        found.setdefault((at, step, 1 + counted), []).append((text.strip(), claim, node, value))
    for (_, _, least), claims in found.items():
        right = [abs(value - claim.value) <= _off_at_most(claim, value) for _, claim, _, value in claims]
        wrong = len(right) - sum(right)
        for (text, claim, node, value), fits in zip(claims, right, strict=True) if sum(right) > least else ():
            if fits or wrong == 1:
                given = Verdict.exact if fits else Verdict.wrong
                page.number(text, claim, value, given, table.nth(claim), node)


def _off_at_most(claim: Number, value: float) -> float:
    """How far a claim may be from its value: half its last digit, but -1/3 is not 0."""
    return claim.step * 0.5001 if claim.decimals or abs(value) >= LARGE else 1e-9


def _check_rest(page: Page, table: Table, at: int) -> None:
    """Judge percentages in a column whose last row is what they leave of another: gross, pension 9.3 %, …, paid out."""
    numbers = [node for row in table.rows[:MOST_PARTED] if isinstance(node := row[at].node, Number)]
    taken = [number._replace(text=f"-{number.text.lstrip('-+')}") for number in numbers]
    rates = sum(data.A_RATE.search(_label(row)) is not None for row in table.rows)
    for start in range(len(numbers) - 4) if rates > 1 else ():
        for fault in _at_fault(page, table, [numbers[start], *taken[start + 1 : -1]], numbers[-1]):
            _write(page, table, table.header[at], *fault)


def _with_signs(text: str, names: Mapping[str, Node]) -> str:
    """A formula with a sign wherever names stand side by side: 24 · 12d^2, Vd."""
    letters = "".join(name for name in names if len(name) == 1)
    return re.sub(rf"(?<=[\d{letters})])\s?(?=[{letters}(])", " * ", text) if letters else text


def _label(row: Sequence[Cell]) -> str:
    """What a row is called: the first cell that says anything."""
    return next((cell.text for cell in row if re.search(r"[^\W\d_]", cell.text)), row[0].text)


def _number(row: Sequence[Cell], at: int, header: str) -> Number | None:
    node = row[at].node or row[at].minutes
    if not isinstance(node, Number):
        return None
    return node._replace(percent=node.percent or ("%" in header and node.printed.value <= 100))


def _check_column(
    page: Page,
    table: Table,
    at: int,
    judged: set[tuple[int, str]],
    wrong: set[int],
    ruled: set[int],
    *,
    sums: bool,
    excused: bool,
) -> None:
    header = table.header[at]
    items: list[Number] = []  # rows that are no totals
    since: list[Number] = []  # those below the last total
    last: Number | None = None
    whole = True  # every row above has a number here
    count = len(page.findings)
    *above, end = table.rows
    whole_column = len(above) > 2 and is_sum([row[at].node for row in table.rows])
    for row in table.rows:
        if any(finding.verdict.fails for finding in page.findings[count:]):
            return  # what follows leans on a wrong number
        label, number = _label(row), _number(row, at, header)
        statistic = data.IS_STATISTIC_ROW.match(label)
        summed = whole_column and row is not end  # whatever it is called: "lights, all together"
        summing = (data.IS_TOTAL.match(label) and not summed) or (sums and row is end)
        if number is None:
            whole = whole and bool(summing or statistic)
            continue
        node: Node | None = None
        if statistic and len(items) > 1:
            node = Call(name_of(statistic[1]), (Vector(tuple(items)),))
            if (number.line, number.text) not in judged:
                _judge(page, table, header, number, [node], sure=whole and not excused)
        elif summing and len(items) > 1:
            nodes = list(_sums(items, since, last, ruled))[: 1 if _adds_up(table, row, at) else None]
            meant = not data.NO_SUM.search(header)  # what is "per" something may add up too, if others do
            clean = whole and wrong.isdisjoint(table.lines) and (meant or sums)
            done = (number.line, number.text) in judged
            said, many = bool(data.SAYS_TOTAL.match(label)), len(items) > 2
            if faults := _at_fault(page, table, items, number) or _at_fault(page, table, since, number):
                _write(page, table, header, *faults[0])
            elif not done and ((clean and (many or said or _adds_up(table, row, at))) or number.value == 1.0):
                sure = meant and not excused and last is None and said and many
                _judge(page, table, header, number, nodes, sure=sure)
                for start, end, value in _parts(items, ruled):
                    part, rest = items[end], items[end + 1 :]  # of which the total has the parts, or nothing at all
                    totals = (math.fsum(one.value for one in (*items[:upto], *rest)) for upto in (start, end))
                    apart = number.step <= part.step * 1.01 and any(
                        abs(t - number.value) <= number.step / 2 for t in totals
                    )
                    if apart and len(re.sub(r"\D", "", part.text)) > SURE_DIGITS - (part.line in ruled):
                        given = Verdict.exact if abs(value - part.value) <= part.step / 2 else Verdict.wrong
                        node = Call("sum", (Vector(tuple(items[start:end])),))
                        _write(page, table, header, part, node, value, given)
            since, last = [], number
        elif (rate := data.RATE_ROW.search(label)) and (items or last):
            base: Node = last or Call("sum", (Vector(tuple(items)),))
            _judge(page, table, header, number, [Binary("*", base, Number(rate[1], -1, True))], sure=False)
            since.append(number)
        else:
            items.append(number)
            since.append(number)


def _sums(items: Sequence[Number], since: Sequence[Number], last: Number | None, ruled: set[int]) -> Iterator[Node]:
    """What a total may be: of all rows, of those since the last total, of that total and what came since."""
    yield Call("sum", (Vector(tuple(items)),))
    if last is not None and since:
        rest = Call("sum", (Vector(tuple(since)),))
        yield from (rest, Binary("+", last, rest), Binary("-", last, rest))
    for some in (items, since):
        for start in range(len(some) - 2, 0, -1):
            yield Call("sum", (Vector(tuple(some[start:])),))
    for start, end, _ in _parts(items, ruled):
        rest = items[end + 1 :]
        some = ((*items[:start], *items[end:]), (*items[:start], *rest), (*items[:end], *rest))
        yield from (Call("sum", (Vector(others),)) for others in some if len(others) > 1)


def _parts(items: Sequence[Number], ruled: set[int]) -> Iterator[tuple[int, int, float]]:
    """Rows that sum up some right above them without saying so, `one block`, or would but for a slip, or below a rule
    but for one that was forgotten: where those begin, which one it is, and what they come to."""
    for start, end in itertools.combinations(range(min(len(items), MOST_PARTED)), 2):
        found, said = math.fsum(item.value for item in items[start:end]), items[end]
        fits = abs(found - said.value) <= said.step / 2 or slipped(said.text, found)
        if end - start > 1 and (fits or (said.line in ruled and leaves_one_out(items[start:end], said))):
            yield start, end, found


def leaves_one_out(parts: Sequence[Number], said: Number) -> bool:
    """Whether a number is the sum of others but for one that was forgotten: not the first, they may be parts of it."""
    off = math.fsum(part.value for part in parts) - said.value
    return len(parts) > 3 and any(abs(off - part.value) <= said.step / 2 for part in parts[1:])


def _judge(page: Page, table: Table, header: str, claim: Number, nodes: Sequence[Node], *, sure: bool) -> None:
    """Judge a total by the sums it may be; where it is none of them, only if it is meant as one of them."""
    percent = claim.percent
    said, values = abs(claim.value), [abs(float(evaluate(node, {}))) for node in nodes]
    for node, value in zip(nodes, values, strict=True):
        if abs(value - said) <= _reach(node, claim):
            given = Verdict.exact if abs(value - said) <= NOISE * max(1, said) else Verdict.rounded
            _write(page, table, header, claim, node, value, given)
            return
    slips = [i for i, value in enumerate(values) if slipped(claim.text.lstrip("-+"), value * (100 if percent else 1))]
    exact = len(re.sub(r"\D", "", claim.text).rstrip("0")) > 1 or len(nodes) == 1
    first = values[0] if values else math.nan
    one = claim.value == 1.0
    if one and abs(first - 1) > OVER:
        page.leave(claim.line, "a total of rows that may overlap")
    elif slips and exact:
        _write(page, table, header, claim, nodes[slips[0]], values[slips[0]], Verdict.wrong)
    elif (
        sure
        and said
        and (close := min(zip(values, nodes, strict=True), key=lambda pair: abs(pair[0] / said - 1)))[0]
        and (abs(close[0] / said - 1) < CLOSE and len(nodes) > 1)
    ):
        _write(page, table, header, claim, close[1], close[0], Verdict.wrong)
    elif (sure and first and 1 / FAR < said / first < FAR and isinstance(nodes[0], Call)) or one:
        _write(page, table, header, claim, nodes[0], first, Verdict.wrong)


def _reach(node: Node, claim: Number) -> float:
    """How far a total may be off because the numbers above it are rounded."""
    match node:
        case Call("sum", (Vector(items),)):
            units = [item.step for item in items if isinstance(item, Number) and (item.decimals or item.percent)]
            return claim.step / 2 + NOISE + min(sum(units) / 2, 3 * math.sqrt(sum(unit**2 for unit in units) / 12))
        case Binary("+" | "-", left, right):
            return _reach(left, claim) + _reach(right, claim)
    return claim.step / 2 + NOISE * max(1.0, abs(claim.value))


def _write(page: Page, table: Table, header: str, claim: Number, node: Node, value: float, given: Verdict) -> None:
    nth, text = table.nth(claim), claim.text
    if text not in page.texts.get(claim.line, "").replace("−", "-"):  # −€44.10
        text = text.lstrip("-+")
    value = -value if text.startswith("-") else value
    page.number(f"total of {header}" if header else "total", claim._replace(text=text), value, given, nth, node)

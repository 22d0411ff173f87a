"""The rule that asks the numbers: a column comes from others if every row says so but one.

Nobody need say how a column was made. The ways in which columns are made are tried one after the other, and each row
that comes out right to the last digit is evidence: as many digits as it prints. One way that explains all rows clears
the column; one that explains all but a few, with more digits than chance would give, shows which number slipped.
"""

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import Array
from regard.audit.nodes import Number
from regard.audit.tables import Table, as_clock, is_clock
from regard.audit.verdict import Verdict, slipped, verdict
from regard.audit.ways import MOST_ROWS, RECKONED, SHARES, Column, Way, given_in, is_of_clock, recurrent, ways, weighted

MOST_SOURCES = 6
MOST_TABLES = 20  # of a page; one with more is data
# digits that must agree before it is no chance; fewer where the one that does not is a slip, or it is said
CHANCE = 5.5
SURE, SIMPLE, TOLD_ENOUGH = 4.5, 3.5, 3.0
TELLING = 8  # times the last digit that rounded sources would allow, before it tells that they are not rounded
TYPED = 2.7  # digits by which all of them together must tell it: those of three such rows
CERTAIN = 9.0  # and as many where the number that does not fit is nowhere near


class Fit(NamedTuple):
    """How well a way explains a column."""

    way: Way
    values: Array
    right: Array  # row by row
    known: Array  # rows in which there is something to compare
    digits: float  # that agree, less those that were chosen to agree

    @property
    def wrong(self) -> int:
        """How many rows it does not explain."""
        return int((self.known & ~self.right).sum())


def fit(target: Column, way: Way, chosen: int = 0) -> Fit | None:
    """How well a way explains a column; nothing where it hardly does."""
    values, claims = way.values(), target.values
    known = np.isfinite(values) & np.isfinite(claims)
    units = np.array([number.step if number else 0.0 for number in target.numbers])
    near = known & (np.abs(values - claims) <= np.maximum(3 * units, 0.05 * np.abs(claims)))
    if known.sum() < 3 or near.sum() < (1 if "t" in way.sources else 2):  # a slip in a row shows in the next one too
        return None
    reach = units * 0.5 + 1e-9 * np.abs(claims)
    off = np.abs(values - claims)
    as_typed, plain = known & (off <= reach), reach
    for name in way.sources:
        reach = reach + np.nan_to_num(np.abs(way.values(name) - values))
    if chosen > 1:  # a line is as sure as the points that it was drawn through
        reach = np.maximum(reach, np.nanmax(units))
    split = any(number and number.decimals for number in target.numbers)
    reach = reach * (2 if chosen and split else 1)  # a factor that was chosen is only as sure as the rows it comes from
    right, telling = known & (off <= reach), reach > TELLING * plain
    shown = np.log10((reach / plain)[as_typed & telling]).sum()  # digits that rounded sources would not have given
    if not chosen and shown > TYPED and as_typed.sum() >= known.sum() - max(1, int(known.sum()) // 5):
        right = as_typed  # what the others show to be typed as it stands is no rounded 0.45
    others = [
        column for name, column in way.sources.items() if name != "t" and is_of_clock(column) == is_of_clock(target)
    ]
    same = [np.isclose(claims, column.values) for column in others]
    told = [_digits(number) if number and ok and not any(s[at] for s in same) else 0
            for at, (number, ok) in enumerate(zip(target.numbers, right, strict=True))]  # fmt: skip
    # that something is about 1 tells nothing
    near_whole = [bool(n) and not n.decimals and gap > 1e-6 for n, gap in zip(target.numbers, off, strict=True)]
    told = [max(0, count - 1) if rough else count for count, rough in zip(told, near_whole, strict=True)]
    # what all rows share tells nothing of a factor: 0.851, 0.866, 0.848; the times of a bus are in an order besides
    if chosen and len(way.sources) == 1 and not is_of_clock(target):
        spread = math.log10(max(1.0, float(np.ptp(claims[known]) / np.nanmax(units))))
        told = [min(count, spread) for count in told]
    pairs: dict[tuple[str, ...], float] = {}
    for at, (number, count) in enumerate(zip(target.numbers, told, strict=True)):
        cells = (number, *(column.numbers[at] for column in way.sources.values()))
        pairs[tuple(cell.text for cell in cells if cell)] = count
    ordered = sorted(pairs.values(), reverse=True)
    return Fit(way, values, right, known, float(sum(ordered[chosen:])))


def _mended(target: Column, found: Fit) -> Fit | None:
    """A column that goes on from row to row: one slip shows twice, but at the end. Any other row that does not follow
    may be the fault of what it is made of."""
    off = np.flatnonzero(found.known & ~found.right)
    if len(off) == 1:
        return found if off[0] == len(target.numbers) - 1 else None
    first, number = int(off[0]), target.numbers[off[0]]
    if len(off) > 2 or off[1] != first + 1 or number is None:
        return None
    right = number._replace(text=f"{found.values[first] * (100 if number.percent else 1):.{number.decimals}f}")
    mended = target._replace(numbers=(*target.numbers[:first], right, *target.numbers[first + 1 :]))
    again = fit(target, found.way._replace(sources={**found.way.sources, "t": mended}))
    return again if again and again.wrong == 1 else None


def _digits(number: Number) -> int:
    """How many digits of a number tell something: those behind leading and before closing zeros, four at most."""
    mantissa, _, exponent = number.text.lower().partition("e")
    digits = re.sub(r"\D", "", mantissa).lstrip("0")
    return min(4, len(digits if exponent else digits.rstrip("0")))


def _is_of_clocks(way: Way) -> bool:
    """Whether times are made so: a bus is as many minutes behind the one before it at every stop, but no time of day is
    the sum of two others less a third, where any of them may be wrong."""
    return way.formula == "k + a" if way.given else way.formula != "a + b - c"


def check_relations(page: Page) -> None:
    """Judge the columns of every table that nothing else has explained."""
    for at, table in enumerate(page.tables[:MOST_TABLES]):
        joined = [column for other in page.tables[:at] for column in _looked_up(table, other)]
        labelled = table.titled and not all(isinstance(row[0].node, Number) for row in table.rows)
        for one in (table, table.turned()) if labelled else (table,):
            if 3 <= len(one.body) <= MOST_ROWS and len(one.header) <= 12:
                _check_table(page, one, joined if one is table else [])


def _looked_up(table: Table, other: Table) -> Iterator[Column]:
    """The columns of another table, each number where a row names the one it stands in: prices, and what is ordered."""
    keys = {row[0].text.strip().lower(): at for at, row in enumerate(other.body)}
    either = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(keys, key=len, reverse=True)))})(?!\w)")
    found = [either.findall(row[0].text.lower()) for row in table.body]
    if len(keys) == len(other.body) > 1 and all(len({*names}) == 1 and names[0] for names in found):
        for at, header in enumerate(other.header[1:], 1):
            column = numbers_of(other, at)
            if all(column):
                yield Column(tuple(column[keys[names[0]]] for names in found), header)


def _check_table(page: Page, table: Table, joined: Sequence[Column]) -> None:
    judged = {(finding.line, finding.claimed) for finding in page.findings}
    around = f"{page.near(table.lines[0] - 1, 12)} {page.near(table.lines[-1] + 3, 2)}".replace("{,}", ",")
    columns = [Column(numbers_of(table, at), header, _is_mixed(table, at)) for at, header in enumerate(table.header)]
    diagonal = _diagonal(table, columns)
    numeric = [at for at, column in enumerate(columns) if sum(n is not None for n in column.numbers) > 2]
    for at in numeric:
        numbers = [number for number in columns[at].numbers if number]
        if all(data.YEAR.fullmatch(number.text) for number in numbers):
            continue
        if sum((n.line, n.text + "%" * n.percent) in judged for n in numbers) * 2 > len(numbers):
            continue
        sources = [*joined, *(columns[other] for other in numeric if other < at)][-MOST_SOURCES:]
        given = given_in(f"{table.header[at]} {around}")
        said = f"{table.header[at]} {page.near(table.lines[0] - 1, 3)}"
        others = [_with_zeros(table, other, columns[other]) for other in numeric if other != at][-MOST_SOURCES:]
        called = data.A_CALL.fullmatch(table.header[at].strip("$ "))  # cos(p/100) says itself how it is made
        first = [*weighted(sources, around), *(() if called else recurrent(columns[at], others, given, around))]
        first += [Way("a / b", {"a": diagonal, "b": column}) for column in sources[-1:] if diagonal]
        found = explained(columns[at], sources, given, said, first)
        if found and not (found.way.given and data.SAYS_TOTAL.match(columns[at].label)):  # a total has no factor
            write(page, table, columns[at], found)


def _diagonal(table: Table, columns: Sequence[Column]) -> Column | None:
    """What is right in a table of confusions, whose rows are called as its columns are."""
    labels = [row[0].text.strip().lower() for row in table.body]
    if len(labels) < 3 or [header.strip().lower() for header in table.header[1 : len(labels) + 1]] != labels:
        return None
    return Column(tuple(columns[at + 1].numbers[at] for at in range(len(labels))), "diagonal")


def numbers_of(table: Table, at: int) -> tuple[Number | None, ...]:
    """The numbers of a column, in percent where its header says so; of a clock the minutes."""
    if clock := table.clock(at):
        return tuple(clock)
    marked = "%" in table.header[at]
    return tuple(number._replace(percent=number.percent or marked) if number else None for number in table.column(at))


def _is_mixed(table: Table, at: int) -> bool:
    """Whether the numbers of a column have several units."""
    found = (data.TABLES_NUMBER.fullmatch(data.DECORATION.sub("", row[at].text).strip()) for row in table.body)
    return len({one[3] for one in found if one}) > 1


def _with_zeros(table: Table, at: int, column: Column) -> Column:
    """A column whose empty cells add nothing to what goes on from row to row: what came in, or went out."""
    cells = (row[at] for row in table.body)
    nothing = [Number("0", -1, False, cell.line) if not re.search(r"\w", cell.text) else None for cell in cells]
    return column._replace(numbers=tuple(one or zero for one, zero in zip(column.numbers, nothing, strict=True)))


def explained(
    target: Column, sources: Sequence[Column], given: Sequence[float], said: str, first: Sequence[Way] = ()
) -> Fit | None:
    """The way that explains a column, wholly or all but a slip; nothing where none is sure."""
    best: Fit | None = None
    whole: Fit | None = None
    for way, chosen in itertools.chain(((way, 0) for way in first), ways(target, sources, given, said)):
        found = fit(target, way, chosen) if not is_of_clock(target) or _is_of_clocks(way) else None
        if found and found.wrong and "t" in way.sources:
            found = _mended(target, found)
        if found is None or found.wrong > max(1, int(found.known.sum()) // 5):
            continue
        if not found.wrong and found.digits >= (CHANCE if not way.told else TOLD_ENOUGH):
            return found if found.digits >= SURE else None
        if not found.wrong and found.digits >= TOLD_ENOUGH and (whole is None or found.digits > whole.digits):
            whole = found
        better = best is None or (way.told, found.digits) > (best.way.told, best.digits)
        if found.wrong and better and _is_sure(target, found):
            best = found
    if best and (whole is None or best.way.told):
        return best
    return whole if whole and whole.digits >= SURE else None


def _is_sure(target: Column, found: Fit) -> bool:
    """Whether the rows that agree are enough to call the others wrong."""
    off = found.known & ~found.right
    if found.way.given and is_of_clock(target) and (_rises(target.values) or not _rises(found.values)):
        return False  # somebody may leave early; no bus does before it comes
    rows = [(number, value) for number, value, is_off in zip(target.numbers, found.values, off, strict=True) if is_off]
    slips = all(number and has_slipped(number, value) for number, value in rows)
    signed = any(value < 0 for value in found.values[found.right]) or bool(found.way.given)
    signed = signed and "sqrt" not in found.way.formula  # a root may be meant either way
    if not signed and any(number and value * number.value < 0 for number, value in rows):
        return False  # how far, not where to
    multiple = any(number and _is_multiple(number.value, value) for number, value in rows)
    reckoned = found.way.told and found.way.formula in RECKONED
    if found.way.given and not slips and (not multiple if reckoned else multiple and not found.way.told):
        return False  # a factor may well be twice as large in some row, but not one that the page gives
    telling = bool(found.way.given) and data.IS_RECKONED.search(target.label) is not None
    if found.way.told and found.way.formula == SHARES and slips and int(found.right.sum()) > 1:
        return True  # of few rows, in whole percent
    enough = TOLD_ENOUGH if found.way.told else SURE if slips or telling else CERTAIN
    if slips and found.way.formula in (*data.FORMULAS["two"][:4], "k * a") and int(found.right.sum()) > 2:
        enough = min(enough, SIMPLE)  # what everybody does with two columns
    if (found.way.formula in data.FORMULAS["paired"] or "t" in found.way.sources) and not slips and not found.way.told:
        return False  # of three columns much can be made with a factor
    least = 2 if found.way.told or (slips and found.digits >= CHANCE) else 3
    return found.digits >= enough and int(found.right.sum()) >= least


def _rises(values: Array) -> bool:
    return bool((np.diff(values[np.isfinite(values)]) > 0).all())


def _is_multiple(one: float, other: float) -> bool:
    """Whether one number is twice the other, or thrice, as far as it is printed."""
    smaller, larger = sorted((abs(one), abs(other)))
    times = larger / smaller if smaller else math.inf
    return times < 100 and round(times) not in (1, 10) and abs(times - round(times)) < 0.005 * times


def has_slipped(number: Number, value: float) -> bool:
    """Whether a number is a slip away from its value, as it is printed: 1:52 from 1:25."""
    if is_clock(number):
        said, found = (as_clock(count, number.unit).replace(":", "") for count in (number.value, value))
        return slipped(said, float(found))
    value *= 100 if number.percent else 1
    return slipped(number.text, value) or (value * number.printed.value < 0 and _has_lost_sign(number, value))


def _has_lost_sign(number: Number, value: float) -> bool:
    return abs(value + number.printed.value) <= number.printed.unit


def write(page: Page, table: Table, target: Column, found: Fit) -> None:
    """Write down what a way makes of a column, row by row."""
    printed = any(line.language in ("output", "printed") for line in page.lines if line.number in table.lines)
    for at, number in enumerate(target.numbers):
        if number is None or not found.known[at]:
            continue
        value = float(found.values[at]) * (100 if number.percent else 1)
        given = verdict(number.text, value)
        used = [column.numbers[at] for column in found.way.sources.values()]
        typed = found.way.told and not any(source.decimals if source else True for source in used)
        if found.right[at]:
            given = Verdict.rounded if given.fails else given
        elif (
            abs(value - number.printed.value) <= _leeway(value, number, typed=typed)
            or (found.way.given and number.decimals > 2 and _is_near(number, float(found.values[at])))
            or _is_excused(table, at, [number, *used])
            or (printed and not has_slipped(number, float(found.values[at])))  # code may have set it
        ):
            page.leave(number.line, "a row that may be made in another way")
            continue
        what, node = target.label or "column", found.way.node(at)
        page.number(what, number, float(found.values[at]), given, table.nth(number), node)


FITTED = 5  # last digits by which a factor that was found from the rows themselves, which are rounded, may be off


def _is_near(number: Number, value: float) -> bool:
    return abs(value - number.value) < FITTED * number.step


def _leeway(value: float, number: Number, *, typed: bool) -> float:
    """How far a row may be off without being called wrong: two steps, but nothing where it comes out even, of what is
    typed as it stands."""
    steps = value / number.printed.unit
    return number.printed.unit * (0.5 if abs(steps - round(steps)) < 1e-6 and (typed or not number.decimals) else 2)


def _is_excused(table: Table, row: int, used: Sequence[Number | None]) -> bool:
    """Whether a row has a mark or a word that makes it another case; a mark behind a number is only about that one."""
    columns = {number.place % 1000 for number in used if number}
    cells = (cell for cell in table.body[row] if cell.column in columns or not data.MARKED.fullmatch(cell.text))
    return any(data.EXCUSED.search(cell.text) for cell in cells)

"""The rule for a list that comes from another one above it: its exponentials, its softmax, its squares.

A page has many lists, so two must prove that they belong together: every number must come out right but one, with more
digits than chance would give, and that one must be near what it should be.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from operator import attrgetter

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import softmax
from regard.audit.finding import occurrences
from regard.audit.judge import Judged, failures, judge
from regard.audit.nodes import Call, Number, Unreadable, Vector
from regard.audit.notation import without_latex
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.relations import explained, has_slipped
from regard.audit.tables import Table
from regard.audit.verdict import Verdict, slipped
from regard.audit.ways import Column

FARTHEST = 25  # lines between a list and what is said of it
MOST_LISTS = 12  # of a section; one with more is data
ENOUGH = 5  # digits that must agree before two lists belong together
FAR = 3.0  # a number that is further off, or of another sign, is meant: a gradient p - 1 among probabilities
MOST_OF_PAGE = 300  # lists of a page whose numbers are tried as columns are
MOST_ROWS = 100
MOST_TOLD = 8  # weights in a sentence
MOST_RELATED = 4  # lists of which one may be made
MAPS = ("softmax", "exp", "normalize", "layer_norm", "square", "sqrt", "cumsum")
MOST_ITEMS = 12  # of a table whose rows and columns are lists too
Lists = list[tuple[int, Vector]]  # with their lines


def check_lists(page: Page) -> None:
    """Judge what is said of every list of a page."""
    lists: Lists = []
    stacked: list[Number] = []  # results one below the other
    results = sorted(_results(page), key=lambda found: found[0])
    tables = {table.lines[0]: table for table in page.tables if len(table.rows) <= MOST_ITEMS}
    rows: Lists = []  # of tables
    pairs: Lists = []  # two numbers, of which much less can be told
    for line in page.lines:
        if table := tables.get(line.number):
            nodes = [[cell.node for cell in row[1:] if isinstance(cell.node, Number)] for row in table.rows]
            rows = [(line.number, Vector(tuple(node for node in row if node))) for row in nodes]
            _check_columns(page, table, lists)
        while results and results[0][0] < line.number:
            lists.append(results.pop(0))
        result = data.ENDS_IN_RESULT.search(line.text[-80:]) if line.number not in page.in_tables else None
        if stacked and (result is None or line.number != stacked[-1].line + 1):
            if 2 < len(stacked) <= MOST_ROWS:
                _judge_list(page, lists, Vector(tuple(stacked)), stacked[0].line, "")
                lists.append((stacked[0].line, Vector(tuple(stacked))))
            stacked = []
        stacked += [Number(result[1].replace("−", "-"), -1 - len(stacked), False, line.number)] if result else []
        if line.heading:
            lists = lists[-4:]
        elif len(line.text) <= LONGEST_LINE and _is_read(page, line):
            listed = line.text.count(",") + line.text.count(";") + line.text.count(" and ") > 1
            text = without_latex(line.text) if listed and "\\" in line.text else line.text
            text = text.replace("$", "") if listed else text
            below = page.texts.get(line.number + 1, "").strip()
            goes_on = text.rstrip().endswith((",", ";")) or below.startswith("and ")
            if listed and goes_on and data.LIST_BREAKS_OFF.search(text):
                text = f"{text.rstrip()} {below}"
            for found in data.A_LIST.finditer(text) if listed else ():
                if re.fullmatch(r"\d{1,3}(?:,\d{3})+", found[1]):
                    continue  # 2,147,483,648
                items = tuple(_numbers(found[1], line.number))
                if not line.is_code or line.language == "math" or line.number in page.prose:
                    _judge_list(page, lists, Vector(items), line.number, text[: found.start()])
                    if len(items) > 3 and len(rows) <= MOST_LISTS:
                        _judge_list(page, rows, Vector(items), line.number, text[: found.start()], ("cumsum",))
                lists.append((line.number, Vector(items)))
            if "  " in text and line.number not in page.in_tables and data.ONLY_NUMBERS.fullmatch(line.text):
                lists.append((line.number, Vector(tuple(_numbers(line.text, line.number)))))
            if data.SAYS_WEIGHTS.search(text):
                _judge_told(page, lists, line)
            for found in data.A_PAIR.finditer(text) if " and " in text or "(" in text else ():
                pair = Vector(tuple(_numbers(" ".join(filter(None, found.groups())), line.number)))
                _judge_pair(page, pairs, pair, f"{page.texts.get(line.number - 1, '')} {text[: found.start()]}")
                pairs.append((line.number, pair))
            for found in data.A_SUM.finditer(line.text) if "+" in line.text else ():
                lists.append((line.number, Vector(tuple(_numbers(found[1], line.number)))))


def _is_read(page: Page, line: Line) -> bool:
    """Whether a line may say something of a list: prose, mathematics, what Python says of itself, or a list in code."""
    return not line.is_code or line.language == "math" or line.number in page.prose or "[" in line.text


def _numbers(text: str, line: int) -> Iterator[Number]:
    for at, digits in enumerate(re.findall(r"[-−]?(?:\d+(?:\.\d+)?|\.\d+)", text)):
        yield Number(digits.replace("−", "-"), -1 - at, False, line)


def _results(page: Page) -> Iterator[tuple[int, Vector]]:
    """The results of a line with several: e^1 = 2.718, e^0 = 1, e^2 = 7.389."""
    right = (one for one in page.findings if one.node is not None and not one.verdict.fails and one.what[:3] != "sum")
    right = sorted((one for one in right if re.fullmatch(r"-?\d*\.?\d+", one.claimed)), key=attrgetter("line"))
    for line, found in itertools.groupby(right, key=attrgetter("line")):
        texts = [one.claimed for one in found]
        if 2 < len(texts) <= MOST_ROWS and line not in page.in_tables:
            yield line, Vector(tuple(Number(text, -1 - at, False, line) for at, text in enumerate(texts)))


def _check_columns(page: Page, table: Table, lists: Lists) -> None:
    """Judge a column that comes from a list above its table but for a slip, where no other rule has read the table."""
    read = {finding.line for finding in page.findings}
    for at in range(1, len(table.header)) if lists and read.isdisjoint(table.lines) else ():
        numbers = [number for number in table.column(at) if number]
        if len(numbers) == len(table.rows) > 2:
            _judge_list(page, lists, Vector(tuple(numbers)), table.lines[0], "", ("softmax", "normalize"))


def _judge_list(page: Page, lists: Lists, claim: Vector, line: int, before: str, maps: Sequence[str] = MAPS) -> None:
    """Judge a list that is another one, exponentiated, normalised or put through a softmax, but for one number; or that
    is made of some above as a column is made of others."""
    best, what = list[Judged](), ""
    for given, row in lists[:MOST_LISTS]:
        if len(row.items) != len(claim.items) or line - given > FARTHEST or row.items == claim.items:
            continue
        if _is_scaled(row, claim):
            return
        for function in maps:
            try:
                judged = judge(Call(function, (row,)), claim, {}, about=True)
            except (Unreadable, ValueError):
                continue
            right = [one for one in judged if not one.verdict.fails]
            shown = [one.claimed if float(one.claimed) % 1 else one.claimed.rstrip("0.") for one in right]
            digits = [len(text.lstrip("-0.").replace(".", "")) for text in shown]
            if len(right) == len(judged):
                return
            telling = sum(count > 1 for count in digits) > 1 and sum(digits) >= ENOUGH
            if len(right) == len(judged) - 1 and telling and len(lists) <= MOST_LISTS:
                what = f"{function} of the list above"
                best = [one._replace(node=Call(function, (row,))) for one in judged]
    for one in best:
        near = 1 / FAR < float(one.computed) / (float(one.claimed) or FAR) < FAR or _has_lost_sign(one)
        if one.verdict.fails and near and (maps is MAPS or slipped(one.claimed, float(one.computed))):
            nth = len(occurrences(before, one.claimed))
            page.judged(one.number.line if one.number else line, what, one, nth, one.node, {})
    if not best and maps is MAPS and len(lists) <= MOST_OF_PAGE:
        _judge_as_column(page, lists, claim, line, before)


def _judge_pair(page: Page, pairs: Lists, claim: Vector, before: str) -> None:
    """Judge two weights: what is said to be a softmax is that of two numbers above, but for a slip in one."""
    items = [item for item in claim.items if isinstance(item, Number)]
    is_share = all(item.decimals > 2 and 0 < item.value < 1 for item in items)
    if not is_share or not data.SAYS_WEIGHTS.search(before[-120:]):
        return
    tried = [judge(Call("softmax", (pair,)), claim, {}, about=True) for _, pair in pairs[-MOST_LISTS:]]
    wrong = [judged for judged in tried if failures(judged) == 1]
    if not any(failures(judged) == 0 for judged in tried) and wrong:
        one = next(one for one in wrong[-1] if one.verdict.fails)
        if one.number and slipped(one.claimed, float(one.computed)):
            page.judged(one.number.line, "softmax of the two above", one, 0, None, {})


def _judge_told(page: Page, lists: Lists, line: Line) -> None:
    """Judge weights that a sentence tells one by one, in any order: "the third takes most, 0.734, the first 0.178"."""
    told = [number for at in (line.number, line.number + 1) for number in _shares_on(page, at)]
    for given, row in lists[-MOST_LISTS:] if 2 < len(told) <= MOST_TOLD else ():
        scores = np.array([item.value for item in row.items if isinstance(item, Number)])
        left = list(softmax(scores)) if 2 < len(scores) == len(row.items) and line.number - given <= FARTHEST else []
        odd: list[Number] = []
        for number in told:
            fits = [value for value in left if abs(value - number.value) <= number.step]
            left = [value for value in left if value not in fits[:1]]
            odd += [] if fits else [number]
        slips = [number for number in odd if len(left) == 1 and slipped(number.text, left[0])]
        if len(slips) == 1 and len(odd) == len(told) - len(scores) + 1:
            nth = len(occurrences(page.texts[slips[0].line], slips[0].text)) - 1
            page.number(
                "softmax of the list above", slips[0], float(left[0]), Verdict.wrong, nth, Call("softmax", (row,))
            )
            return


def _shares_on(page: Page, line: int) -> list[Number]:
    """The numbers of a line that may be weights."""
    text = page.texts.get(line, "")
    found = re.findall(r"(?<![\w.,])0?\.\d{3,}(?!\w|\.\d)", text) if len(text) <= LONGEST_LINE else []
    return [Number(digits, -1 - at, False, line) for at, digits in enumerate(found)]


def _has_lost_sign(one: Judged) -> bool:
    said, found = float(one.claimed), float(one.computed)
    return one.number is not None and said * found < 0 and abs(said + found) <= one.number.step


def _judge_as_column(page: Page, lists: Lists, claim: Vector, line: int, before: str) -> None:
    """Judge a list that is made of some above it as a column is made of others: a multiple, a sum, but for a slip."""
    target = _column(claim)
    near = (_column(row) for given, row in lists[-MOST_LISTS:] if line - given <= FARTHEST)
    alike = {_texts(row): row for row in near if len(row.numbers) == len(target.numbers) > 3}  # of equal ones the last
    columns = [row for texts, row in alike.items() if texts != _texts(target)][-MOST_RELATED:]
    wrong = {(one.line, one.claimed) for one in page.findings if one.verdict.fails}
    if any(number and (number.line, number.text) in wrong for number in target.numbers):
        return
    found = explained(target, columns, (), "") if columns else None
    for at, number in enumerate(target.numbers if found and found.wrong == 1 else ()):
        if found and number and found.known[at] and not found.right[at] and has_slipped(number, found.values[at]):
            value, nth = float(found.values[at]), len(occurrences(before, number.text.lstrip("-")))
            page.number("of the lists above", number, value, Verdict.wrong, nth, found.way.node(at))


def _column(row: Vector) -> Column:
    return Column(tuple(item if isinstance(item, Number) else None for item in row.items), "")


def _texts(row: Column) -> tuple[str, ...]:
    return tuple(number.text if number else "" for number in row.numbers)


def _is_scaled(row: Vector, claim: Vector) -> bool:
    """Whether every number of a list is the same multiple of that of another."""
    both = zip(row.items, claim.items, strict=True)
    pairs = [(one, other) for one, other in both if isinstance(one, Number) and isinstance(other, Number)]
    by = next((other.value / one.value for one, other in pairs if one.value), 0.0)
    return all(abs(one.value * by - other.value) <= other.step for one, other in pairs)

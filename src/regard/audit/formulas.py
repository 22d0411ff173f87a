"""The rule for formulas of the text: one that makes a column of a table row by row shows which row is wrong.

`lr = peak * step / 2000` speaks of columns by their headers, and of numbers by the names that the text gives them. Two
formulas may share a column, one above the other: a warm-up, and what comes after it.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import FUNCTIONS, ITEMWISE
from regard.audit.grammar import parse
from regard.audit.nodes import Unreadable, names_in
from regard.audit.notation import plain
from regard.audit.relations import CHANCE, SURE, TOLD_ENOUGH, Fit, fit, numbers_of, write
from regard.audit.tables import Table
from regard.audit.ways import Column, Way

ABOVE, BELOW = 16, 8  # lines around a table in which its formulas may stand
MOST_TABLES, MOST_ROWS, MOST_COLUMNS = 10, 100, 10
MOST_FORMULAS = 8
LONGEST = 400  # signs of a line with a formula
CONSTANTS = {"π": math.pi, "pi": math.pi, "e": math.e}
BARE = re.compile(rf"\b({'|'.join(ITEMWISE)})\s+([\wπ.]+(?:\s*[·*×]?\s*[\wπ.]+){{0,3}})")  # cos π p
NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
NUMBER = r"(\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)"


class Told(NamedTuple):
    """A formula of the text: what it is called, and where it may end, the shortest first."""

    name: str
    ends: tuple[str, ...]


def check_formulas(page: Page) -> None:
    """Judge the columns of every table that formulas around it make."""
    for table in page.tables[:MOST_TABLES]:
        if table.titled and 3 <= len(table.body) <= MOST_ROWS and len(table.header) <= MOST_COLUMNS:
            around = range(table.lines[0] - ABOVE, table.lines[-1] + BELOW + 1)
            texts = [page.texts.get(line, "") for line in around if line not in table.lines]
            texts = [text for text in texts if len(text) <= LONGEST]
            told = list(dict.fromkeys(one for text in texts if "=" in text for one in _told(text)))[:MOST_FORMULAS]
            if told:
                _check_table(page, table, told, "\n".join(map(plain, texts)))


def _told(text: str) -> Iterator[Told]:
    """The formulas of a line: in backticks or between dollars, or as far as words allow."""
    for piece in (*data.IN_SIGNS.findall(text), text):
        line = plain(piece)
        for found in data.A_DEFINITION.finditer(line):
            whole = _closed(found[2])
            ends = itertools.islice(data.FORMULA_ENDS.finditer(whole), MOST_FORMULAS)
            parts = (whole[: end.start()].strip() for end in ends)
            root = "sqrt({})" if found[1].endswith(("2", "2)")) and "^" in found[1] else "{}"
            yield Told(found[1].partition("^")[0], tuple(root.format(part) for part in parts if part))


def _closed(text: str) -> str:
    """A text up to the bracket that was open before it: (rate = 0.08 · step / 400)."""
    depths = itertools.accumulate({"(": 1, ")": -1}.get(sign, 0) for sign in text)
    return text[: next((at for at, depth in enumerate(depths) if depth < 0), None)]


def _check_table(page: Page, table: Table, told: Sequence[Told], around: str) -> None:
    judged = {(finding.line, finding.claimed.rstrip("%")) for finding in page.findings}
    columns = {at: Column(numbers_of(table, at), table.header[at]) for at in range(len(table.header))}
    columns = {at: column for at, column in columns.items() if sum(n is not None for n in column.numbers) > 2}
    ways = [(one.name, way) for one in told for way in _ways(one, told, columns, around)]
    labels = {at: plain(column.label) for at, column in columns.items()}
    named = {(at, name) for at, label in labels.items() for name, _ in ways if _is_called(label, name)}
    taken = {name for _, name in named}  # a formula of a column that it names speaks of no other
    for at, column in columns.items():
        numbers = [number for number in column.numbers if number]
        if sum((number.line, number.text) in judged for number in numbers) * 2 > len(numbers):
            continue
        own = ((way, (at, name) in named) for name, way in ways if (at, name) in named or name not in taken)
        scaled = (_scaled(way._replace(told=told), labels[at]) for way, told in own if f"c{at}" not in way.sources)
        fits = [found for way in scaled if (found := fit(column, way)) and found.right.sum() > 1]
        for found in min(_explained(fits), key=lambda some: (-_right(some), _wrong(some), -_digits(some)), default=()):
            write(page, table, column, found)


def _is_called(label: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", label) is not None


def _scaled(way: Way, label: str) -> Way:
    """A formula in the unit that a header gives: learning rate × 10^4."""
    power = data.TIMES_TEN.search(label)
    return way._replace(formula=f"({way.formula}) * 1e{power[1]}") if power else way


def _ways(one: Told, told: Sequence[Told], columns: Mapping[int, Column], around: str) -> Iterator[Way]:
    """What a formula makes of columns: those that it names, and any one for a letter that nothing explains."""
    known = {other.name: f"({other.ends[0]})" for other in told if other.name != one.name and other.ends}
    for end in one.ends:
        text = end
        for _ in range(2):  # a name may be that of another formula: u = (step - 2000) / 18000
            text = NAME.sub(lambda name: known.get(name[0], name[0]), _in_columns(text[:LONGEST], columns))
        text = _in_columns(text[:LONGEST], columns)
        names = [name for name in dict.fromkeys(NAME.findall(text)) if name not in FUNCTIONS.keys() | CONSTANTS.keys()]
        names = [name for name in names if not re.fullmatch(r"c\d+", name)]
        given = CONSTANTS | {name: value for name in names if (value := _value(name, around)) is not None}
        unknown = [name for name in names if name not in given]
        found = (_way(text, unknown, at, given, columns) for at in (columns if unknown else [-1]))
        short = all(len(name) < 3 or "_" in name for name in unknown)  # a letter, not a word of the sentence
        if len(unknown) < 2 and short and (ways := [way for way in found if way]):
            yield from ways
            return


def _way(
    text: str, unknown: Sequence[str], at: int, given: Mapping[str, float], columns: Mapping[int, Column]
) -> Way | None:
    """A formula that can be reckoned, with a column for what is unknown in it."""
    for name in unknown:
        text = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", f"c{at}", text)
    try:
        names = names_in(parse(formula := _with_times(text)))
        sources = {f"c{n}": column for n, column in columns.items() if f"c{n}" in names}
        way = Way(formula, sources, {name: value for name, value in given.items() if name in names})
        return way if sources and names <= sources.keys() | given.keys() and len(way.values()) else None
    except (Unreadable, KeyError, TypeError, ValueError):
        return None  # no formula of numbers


def _in_columns(text: str, columns: Mapping[int, Column]) -> str:
    """A formula with every header replaced by the name of its column."""
    names = {at: re.sub(r"\s*[(\[].*", "", plain(column.label).strip()) for at, column in columns.items()}
    for at, name in sorted(names.items(), key=lambda pair: -len(pair[1])):
        if name and not name[0].isdigit() and name not in FUNCTIONS:
            same = re.escape(name).replace("\\ ", "[ _]")
            text = re.sub(rf"(?<![\w.]){same}(?!\w)", f"c{at}", text, flags=re.I if len(name) > 1 else 0)
    return text


def _value(name: str, around: str) -> float | None:
    """The first number that the text gives a name, or something that begins with it: "peak learning rate: 3.0e-4"."""
    said = rf"(?<!\w){re.escape(name)}(?:[ _-][a-z]+){{0,3}}\s*(?:is|of|at|to|[:=,(])?\s*{NUMBER}"
    found = re.search(said, around, re.I if len(name) > 1 else 0)
    return float(found[1].replace(",", "")) if found else None


def _with_times(text: str) -> str:
    """A formula with a sign wherever two things stand side by side: (1/2) (1 + cos(π p))."""
    text = BARE.sub(r"\1(\2)", text)
    tokens = re.findall(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?|[^\W\d]\w*|\S", text)
    for at in range(len(tokens) - 1, 0, -1):
        before, after = tokens[at - 1][-1], tokens[at][0]
        closes = (before.isalnum() or before == ")") and tokens[at - 1] not in FUNCTIONS
        if closes and (after.isalnum() or after == "("):
            tokens.insert(at, "*")
    return " ".join(tokens)


def _explained(fits: Sequence[Fit]) -> Iterator[tuple[Fit, ...]]:
    """Every formula that holds for all rows but one, or between the first and the last for which it does, and two of
    which one holds above and the other below."""
    for one in fits:
        enough = one.digits >= (SURE if one.right.sum() > 2 else CHANCE)
        if one.right.sum() > (1 if one.way.told else 2) and one.wrong <= 1 and enough:
            yield (one,)
        elif one.right.sum() > 2 and one.digits >= (TOLD_ENOUGH if one.way.told else SURE):
            rows, held = np.arange(len(one.right)), np.flatnonzero(one.right)
            phase = one._replace(known=one.known & (rows >= held[0]) & (rows <= held[-1]))
            if phase.wrong <= 1:
                yield (phase,)
    for one, other in itertools.permutations(fits, 2):
        first, last = np.flatnonzero(one.right), np.flatnonzero(other.right)
        rows = np.arange(len(one.right))
        if len(first) < 2 or len(last) < 2 or first[-1] > last[0] or len({*first, *last}) < 4:
            continue
        here = one.known & (rows <= first[-1]) | (one.known & ~other.known)
        there = other.known & (rows >= last[0]) & ~one.right | (other.known & ~one.known)
        both = (one._replace(known=here), other._replace(known=there))
        if _wrong(both) <= 1 and (here | there).sum() >= (one.known | other.known).sum() and _digits(both) >= SURE:
            yield both


def _wrong(some: Sequence[Fit]) -> int:
    return sum(one.wrong for one in some)


def _right(some: Sequence[Fit]) -> int:
    return sum(int((one.known & one.right).sum()) for one in some)


def _digits(some: Sequence[Fit]) -> float:
    return sum(one.digits for one in some)

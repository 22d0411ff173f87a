"""The rule for tables of pairs: dot products, cosines and distances of vectors that the page names.

A row says which two it is about, its header what is made of them. Where that holds for most rows, one in which it does
not is wrong.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from regard.audit import data
from regard.audit.arithmetic import Definition
from regard.audit.context import Page
from regard.audit.evaluate import Array
from regard.audit.nodes import Number, Vector
from regard.audit.tables import Table
from regard.audit.verdict import Verdict, slipped

MOST_VECTORS, MOST_ROWS = 30, 60
LEAST_RIGHT = 2
NEAR = 0.6  # of the last digit, by which a result may be off: what it is made of is rounded, too


def _cosine(a: Array, b: Array) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


MADE: tuple[tuple[re.Pattern[str], Callable[[Array, Array], float]], ...] = (
    (data.IS_COSINE, _cosine),
    (data.IS_ANGLE, lambda a, b: float(np.degrees(np.arccos(np.clip(_cosine(a, b), -1, 1))))),
    (data.IS_DISTANCE, lambda a, b: float(np.sqrt(((a - b) ** 2).sum()))),
    (data.IS_DOT, lambda a, b: float(a @ b)),
)


def check_pairs(page: Page, definitions: Sequence[Definition]) -> None:
    """Judge every column that is made of two named vectors row by row."""
    named = {one.name.lower(): one.value for one in definitions if one.value.ndim == 1}
    for table in page.tables:
        for at, header in enumerate(table.header[1:], 1):
            made = next((compute for says, compute in MADE if says.search(header)), None)
            if made and 1 < len(named) <= MOST_VECTORS and len(table.body) <= MOST_ROWS:
                _check(page, table, at, made, named)
        named |= _vectors(table)


def _vectors(table: Table) -> Iterator[tuple[str, Array]]:
    """The vectors of a table: every row that is a name and numbers, or a name and a list."""
    for row in table.body:
        lists = [cell.source.items for cell in row[1:] if isinstance(cell.source, Vector)]
        nodes = lists[0] if lists else [cell.node for cell in row[1:]]
        numbers = [node.value for node in nodes if isinstance(node, Number)]
        if len(numbers) == len(nodes) > 1:
            yield row[0].text.strip(" *`\"'“”").lower(), np.array(numbers)


def _check(
    page: Page, table: Table, at: int, made: Callable[[Array, Array], float], named: Mapping[str, Array]
) -> None:
    either = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(named, key=len, reverse=True)))})(?!\w)")
    found: list[tuple[Number, float]] = []
    for row in table.body:
        label = " ".join(cell.text for cell in row[:at] if not isinstance(cell.node, Number))
        names = list(dict.fromkeys(either.findall(f"{label} {table.header[at]}".lower())))
        vectors = [named[name] for name in names]
        number = row[at].node
        if len(vectors) == 2 and vectors[0].shape == vectors[1].shape and isinstance(number, Number):
            found.append((number, made(*vectors)))
    off = [abs(value - number.value) > NEAR * number.step for number, value in found]
    if sum(off) == 1 and len(off) - 1 >= LEAST_RIGHT:
        number, value = found[off.index(True)]
        judged = {(finding.line, finding.claimed) for finding in page.findings}
        lost = abs(value + number.value) <= NEAR * number.step
        if (number.line, number.text) not in judged and (lost or len(off) > 3 or slipped(number.text, value)):
            page.number(table.header[at], number, value, Verdict.wrong, table.nth(number), None)

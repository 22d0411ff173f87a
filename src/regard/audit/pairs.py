"""The rule for tables whose rows name two vectors of the page: their dot product, their cosine, their distance.

A row says which two it is about, its header what is made of them. Where that holds for most rows, one in which it does
not is wrong.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from regard.audit import data
from regard.audit.arithmetic import Definition
from regard.audit.context import Page
from regard.audit.evaluate import Array, evaluate
from regard.audit.grammar import parse
from regard.audit.nodes import Node, Number, Unreadable, Vector, filled
from regard.audit.tables import Table
from regard.audit.verdict import Verdict, verdict

FORMULAS = (
    "a @ b", "(a @ b) / (norm(a) * norm(b))", "norm(a - b)", "1 - (a @ b) / (norm(a) * norm(b))",
    "acos((a @ b) / (norm(a) * norm(b)))",
)  # fmt: skip
MOST_TABLES, MOST_ROWS, MOST_NAMES, LONGEST = 20, 100, 50, 50
SURE = 2  # rows that must be right
NEAR = 2  # steps by which a row may be off because its vectors are rounded


def check_pairs(page: Page, definitions: Sequence[Definition]) -> None:
    """Judge what is said of two vectors row by row."""
    named = {one.name.lower(): one.value for one in definitions if one.value.ndim == 1 and len(one.value) <= LONGEST}
    for table in page.tables[:MOST_TABLES]:
        for at, header in enumerate(table.header if len(table.rows) <= MOST_ROWS else ()):
            if data.OF_TWO_VECTORS.search(header) and 1 < len(named) <= MOST_NAMES:
                _check_column(page, table, at, named)
        named |= _vectors(table)


def _vectors(table: Table) -> Iterator[tuple[str, Array]]:
    """The vectors of a table: every row that is a name and numbers, or a name and a list."""
    for row in table.body[:MOST_NAMES]:
        lists = [found.items for cell in row[1:] if isinstance(found := cell.source, Vector)]
        nodes = lists[0] if lists else [cell.node for cell in row[1:]]
        numbers = [node.value for node in nodes if isinstance(node, Number)]
        if len(numbers) == len(nodes) > 1:
            yield row[0].text.strip(" *`\"'“”").lower(), np.array(numbers)


def _check_column(page: Page, table: Table, at: int, named: Mapping[str, Array]) -> None:
    either = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, named), key=len, reverse=True))})(?!\w)")
    judged = {(finding.line, finding.claimed) for finding in page.findings}
    rows: list[tuple[Number, dict[str, Node]]] = []
    for row in table.body:
        said = [cell.text for cell in row if cell.node is None]
        found = list(dict.fromkeys(either.findall(" ".join((*said, table.header[at])).lower())))
        number = row[at].node
        if isinstance(number, Number) and len(found) == 2 and named[found[0]].shape == named[found[1]].shape:
            rows.append((number, {key: _vector(named[name]) for key, name in zip("ab", found, strict=True)}))
    for formula in FORMULAS if len(rows) > SURE else ():
        try:
            nodes = [filled(parse(formula), pair) for _, pair in rows]
            values = [float(evaluate(node, {})) for node in nodes]
        except Unreadable:
            continue
        off = [abs(value - number.value) / number.step for (number, _), value in zip(rows, values, strict=True)]
        right = sum(steps <= 0.5001 for steps in off)
        if right >= SURE and right >= len(rows) - max(1, len(rows) // 5):
            for (number, _), value, node, steps in zip(rows, values, nodes, off, strict=True):
                given = verdict(number.text, value) if steps <= 0.5001 else Verdict.wrong
                if not 0.5001 < steps <= NEAR and (number.line, number.text) not in judged:
                    page.number(table.header[at], number, value, given, table.nth(number), node)
            return


def _vector(items: Array) -> Vector:
    return Vector(tuple(Number(f"{item:.12g}", -1) for item in items))

"""Auditing one page: every rule reads it, and what they find is put in order."""

from collections import Counter
from pathlib import Path

import numpy as np

from regard.audit.arithmetic import check_arithmetic
from regard.audit.columns import check_columns
from regard.audit.commas import with_points
from regard.audit.derived import check_derived
from regard.audit.finding import Audit, Notebook
from regard.audit.lines import LONGEST_LINE, has_text, lines_of, read_page
from regard.audit.shapes import check_shapes
from regard.audit.shares import check_shares
from regard.audit.stores import changes_of
from regard.audit.sums import check_sums
from regard.audit.tables import tables_of


@np.errstate(all="ignore")  # a page may divide by zero as it likes
def audit(text: str, name: str = "page") -> Audit:
    """Judge the worked examples of a text.

    >>> [str(finding) for finding in audit("0.5 * 0.66 = 0.34").failures]
    ['page:1: 0.5 * 0.66: claimed 0.34, computed 0.33: wrong']
    """
    if not has_text(text):
        return Audit(name, reasons=Counter({"no text found": 1}))
    lines = lines_of(with_points(text))
    texts = {line.number: line.text for line in lines}
    notebook = Notebook(name)
    for _ in (line for line in lines if len(line.text) > LONGEST_LINE):
        notebook.leave("a line too long to be a worked example")
    tables = tables_of(lines)
    separated = {number for table in tables if table.separated for number in table.lines}
    changes = changes_of(lines)
    definitions = check_arithmetic(lines, separated, changes, notebook)
    check_columns(tables, texts, notebook)
    check_derived(tables, notebook)
    check_sums(lines, tables, notebook)
    check_shares(lines, tables, notebook)
    check_shapes(lines, definitions, changes, notebook)
    return notebook.close()


def audit_file(path: Path | str) -> Audit:
    """Judge the worked examples of a file, whatever its encoding."""
    path = Path(path)
    return audit(read_page(path), str(path))

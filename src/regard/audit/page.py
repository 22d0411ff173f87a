"""Auditing one page: every rule reads it, and what they find is put in order."""

from pathlib import Path

import numpy as np

from regard.audit.arithmetic import check_arithmetic
from regard.audit.code import check_code
from regard.audit.columns import check_columns
from regard.audit.doubts import Page
from regard.audit.finding import Audit, Notebook
from regard.audit.fix import located
from regard.audit.notation import with_points
from regard.audit.pages import LONGEST_LINE, has_text, lines_of, read_page
from regard.audit.python import changes_of
from regard.audit.shares import check_shares, check_sums
from regard.audit.tables import tables_of


@np.errstate(all="ignore")  # a page may divide by zero as it likes
def audit(text: str, name: str = "page") -> Audit:
    """Judge the worked examples of a text.

    >>> [str(finding) for finding in audit("0.5 * 0.66 = 0.34").failures]
    ['page:1: 0.5 * 0.66: claimed 0.34, computed 0.33: wrong']
    """
    if not has_text(text):
        return Audit(name, skipped=((1, "no text found"),))
    pointed = with_points(text)
    lines = lines_of(pointed, name)
    notebook = Notebook(name)
    for line in lines:
        if len(line.text) > LONGEST_LINE:
            notebook.leave(line.number, "a line too long to be a worked example")
    tables = tables_of(lines)
    separated = {number for table in tables if table.separated for number in table.lines}
    changes, page = changes_of(lines), Page.of(lines)
    definitions = check_arithmetic(lines, separated, changes, page, notebook)
    check_columns(tables, page.texts, notebook)
    check_sums(lines, tables, notebook)
    check_shares(lines, tables, page.texts, notebook)
    check_code(lines, definitions, changes, page, notebook)
    if pointed != text:  # a page with decimal commas is answered in them
        notebook.with_commas()
    return located(notebook.close(lines), text.split("\n"))


def audit_file(path: Path | str) -> Audit:
    """Judge the worked examples of a file (or of standard input, for `-`), whatever its encoding."""
    return audit(read_page(Path(path)), str(path))

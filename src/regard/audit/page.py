"""Auditing one page: every rule reads it, and what they find is put in order."""

from pathlib import Path

from regard.audit.arithmetic import check_arithmetic
from regard.audit.finding import Audit, Notebook
from regard.audit.reading import lines_of, read_page


def audit(text: str, name: str = "page") -> Audit:
    """Judge the worked examples of a text.

    >>> [str(finding) for finding in audit("0.5 * 0.66 = 0.34").failures]
    ['page:1: 0.5 * 0.66: claimed 0.34, computed 0.33: wrong']
    """
    lines = lines_of(text)
    notebook = Notebook(name)
    check_arithmetic(lines, set(), notebook)
    return notebook.close()


def audit_file(path: Path | str) -> Audit:
    """Judge the worked examples of a file, whatever its encoding."""
    path = Path(path)
    return audit(read_page(path), str(path))

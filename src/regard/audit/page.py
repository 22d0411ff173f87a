"""Auditing one page: every rule reads it, and what they find is put in order."""

import warnings
from pathlib import Path

import numpy as np

from regard.audit.arithmetic import check_arithmetic
from regard.audit.code import check_code
from regard.audit.context import Page
from regard.audit.derived import check_columns, check_totals
from regard.audit.finding import Audit
from regard.audit.lists import check_arrays, check_distributions, check_shares
from regard.audit.notation import with_points
from regard.audit.pages import lines_of
from regard.audit.shapes import check_shapes
from regard.text.decoding import is_broken, read_page

RULES = [check_arithmetic, check_columns, check_distributions, check_totals]  # what they find is known to those below
RULES += [check_shares, check_arrays, check_code, check_shapes]


def audit(text: str, name: str = "page") -> Audit:
    """Judge the worked examples of a text.

    >>> [str(finding) for finding in audit("0.5 * 0.66 = 0.34").failures]
    ['page:1: 0.5 * 0.66: claimed 0.34, computed 0.33: wrong']
    """
    pointed = with_points(text)
    lines = [] if is_broken(text) or not any(map(str.isalnum, text[:100_000])) else lines_of(pointed, name)
    if not lines:
        return Audit(name, skipped=((1, "no text found, or a notebook that cannot be read"),))
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):  # a page may be as odd as it likes
        page = Page(name, lines)
        for rule in RULES:
            rule(page)
    return page.close(text, commas=pointed != text)


def audit_file(path: Path | str) -> Audit:
    """Judge the worked examples of a file (or of standard input, for `-`), whatever its encoding."""
    return audit(read_page(Path(path)), str(path))

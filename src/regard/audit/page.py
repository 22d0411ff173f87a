"""Auditing one page: every rule reads it, and what they find is put in order."""

import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from regard.audit.arithmetic import check_arithmetic
from regard.audit.bracketed import check_bracketed
from regard.audit.code import check_code
from regard.audit.columns import check_columns
from regard.audit.context import Page
from regard.audit.crossed import check_crossed
from regard.audit.described import check_described
from regard.audit.distributions import check_distributions
from regard.audit.finding import Audit
from regard.audit.fix import located
from regard.audit.formulas import check_formulas
from regard.audit.items import check_items
from regard.audit.lists import check_lists
from regard.audit.matrices import check_matrices
from regard.audit.notation import with_points
from regard.audit.numbered import with_results
from regard.audit.pages import has_text, lines_of, read_page
from regard.audit.pairs import check_pairs
from regard.audit.relations import check_relations
from regard.audit.shares import check_shares, check_sums
from regard.audit.slips import check_slips
from regard.audit.totals import check_totals


@np.errstate(all="ignore")  # a page may divide by zero as it likes
def audit(text: str, name: str = "page") -> Audit:
    """Judge the worked examples of a text.

    >>> [str(finding) for finding in audit("0.5 * 0.66 = 0.34").failures]
    ['page:1: 0.5 * 0.66: claimed 0.34, computed 0.33: wrong']
    """
    if not has_text(text):
        return Audit(name, skipped=((1, "no text found"),))
    pointed = with_points(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # code of a page may be as odd as it likes, too
        page = Page(name, with_results(lines_of(pointed, name)))
        definitions = check_arithmetic(page)
        check_crossed(page)
        named = Counter(one.name for one in definitions)
        vectors = {one.name: one.value for one in definitions if named[one.name] == 1}
        check_columns(page, vectors)
        check_matrices(page, definitions)
        check_pairs(page, definitions)
        check_formulas(page)
        check_relations(page)
        check_sums(page)
        check_distributions(page)
        check_totals(page)
        check_shares(page)
        check_lists(page)
        check_items(page)
        check_bracketed(page)
        check_described(page)
        check_code(page, definitions)
        check_slips(page)
    return located(page.close(commas=pointed != text), text.split("\n"))


def audit_file(path: Path | str) -> Audit:
    """Judge the worked examples of a file (or of standard input, for `-`), whatever its encoding."""
    return audit(read_page(Path(path)), str(path))

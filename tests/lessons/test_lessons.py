"""What every lesson must have: steps to draw, claims whose cells exist, remarks that fit on a screen."""

import re

import numpy as np
import pytest

from regard.lessons import LESSONS, lesson
from regard.lessons.claim import Row

WIDEST_REMARK = 118


@pytest.fixture(scope="module", params=list(LESSONS))
def taught(request):
    found = lesson(request.param)
    return found, found.make()


def test_it_is_called_what_the_list_calls_it(taught):
    found, trace = taught
    assert found.name in LESSONS and trace.info["lesson"] == found.name
    assert {c.document for c in found.claims} == set(found.documents)


def test_its_idea_is_one_sentence(taught):
    found, _ = taught
    assert found.idea.endswith(".") and found.idea.count(". ") == 0 and len(found.idea) <= WIDEST_REMARK


def test_the_steps_it_shows_are_in_the_trace(taught):
    found, trace = taught
    assert found.shows
    assert all(np.isfinite(trace.array(name)).all() for name in found.shows)


def test_its_remarks_fit_and_say_something(taught):
    found, trace = taught
    remarks = found.remarks(trace)
    assert len(remarks) >= 3
    assert [r for r in remarks if len(r) > WIDEST_REMARK or not r.strip() or re.search(r"\bnan\b|\binf\b", r)] == []


def test_stages_are_among_the_twelve(taught):
    found, _ = taught
    assert all(1 <= c.stage <= 12 for c in found.claims)


def test_the_cells_of_a_claim_hold_the_number_it_is_judged_by(taught):
    found, trace = taught
    for claim in found.claims:
        if isinstance(claim, Row) and claim.cells:
            computed = claim.compute(trace)
            for cell, value in zip(claim.cells, computed, strict=True):
                assert not cell or trace.cell(cell).value == pytest.approx(float(value), abs=1e-12), (claim.line, cell)


def test_its_remarks_are_computed_from_the_trace(taught):
    """Other numbers in, other words out: a remark that is typed would stay."""
    found, trace = taught
    given = {"cat": "scores", "matrix": "weights", "apple": "scores", "cabinet": "q", "root": "q", "masks": "E"}
    other = {"heads": "q", "rule": "x", "gauge": "E", "fox": "E", "three-words": "E", "two-heads": "E", "it": "q"}
    other |= {"pressure": "E", "backward": "E", "new-sentences": "E", "function": "x", "vectors": "E", "glove": "E"}
    other["four-heads"] = "E"
    name = (given | other)[found.name]
    changed = trace.pin(name, 0.5 + 0.9 * trace.array(name)[..., ::-1])
    if found.name == "three-words":  # it may not learn fox from any numbers
        changed = trace.edit("E[brown,0]", 0.31)
    assert list(found.remarks(changed)) != list(found.remarks(trace))


def test_a_row_that_prints_other_than_it_computes_is_refused(taught):
    _, trace = taught
    with pytest.raises(ValueError, match="002:1 prints 2 numbers, but computing gives 1"):
        Row("002", 1, "two", ("1", "2"), lambda t: [1.0], 1).check(trace)


def test_an_unknown_lesson_is_answered_with_those_there_are():
    with pytest.raises(KeyError, match="cabinet"):
        lesson("cabin")

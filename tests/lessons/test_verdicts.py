"""Which claims of the documents fail, by line, exactly as in the list of worked examples; and that no other does."""

import pytest

from regard.audit.verdict import Verdict
from regard.lessons import LESSONS, lesson

WRONG = {
    "fox": ["004:16", "004:29", "004:40", "004:97", "004:158", "004:167", "004:260", "004:265", "004:286"],
    "three-words": ["004:213", "004:213", "004:222"],  # 222 repeats the sentence of 167
    "cat": ["001:89", "001:90", "001:91"],
    "matrix": [],
    "it": [],
    "apple": ["003:36", "003:75", "003:95", "003:95"],  # 95 says 98 % twice
    "heads": ["002:150", "002:173"],
    "two-heads": [],
    "cabinet": [],
    "rule": ["002:321", "002:322", "002:335", "002:340"],
    "gauge": ["000:32"],
    "root": [],
    "masks": [],
}
CANNOT_RUN = {
    "fox": ["004:146", "004:232", "004:268"],
    "three-words": ["004:201"],
    "heads": ["002:184"],
}
CHECKED = {name: lesson(name).check() for name in LESSONS}


def places(name, verdict):
    return [c.place for c in CHECKED[name] if c.verdict is verdict]


@pytest.mark.parametrize("name", LESSONS)
def test_exactly_these_claims_are_wrong(name):
    assert places(name, Verdict.wrong) == WRONG[name]


@pytest.mark.parametrize("name", LESSONS)
def test_exactly_these_lines_cannot_run(name):
    assert places(name, Verdict.cannot_run) == CANNOT_RUN.get(name, [])


def test_the_wrong_numbers_are_shown_beside_the_computed_ones():
    said = {(c.place, c.claimed): c.computed for name in LESSONS for c in CHECKED[name] if c.verdict is Verdict.wrong}
    assert said["004:158", "0.26"] == "0.269278"
    assert said["004:213", "0.23"] == "0.235988"
    assert said["004:213", "0.28"] == "0.26741"
    assert (said["001:89", "0.10"], said["001:90", "0.30"], said["001:91", "0.60"]) == (
        "0.0900306",
        "0.244728",
        "0.665241",
    )
    assert said["003:75", "98%"] == said["003:95", "98%"] == "99.9958%"


def test_only_the_first_and_third_share_of_the_pizza_are_rounded():
    shares = [c.verdict for c in CHECKED["three-words"] if c.about == "softmax of the logits"]
    assert shares == [Verdict.rounded, Verdict.wrong, Verdict.rounded, Verdict.wrong]


def test_the_tie_is_truncated_not_wrong():
    ties = {(c.place, c.claimed): c.verdict for c in CHECKED["fox"] if c.claimed in ("0.604", "0.472")}
    assert set(ties.values()) == {Verdict.truncated}
    assert {place for place, _ in ties} == {"004:153", "004:158", "004:255", "004:260"}


def test_code_that_cannot_run_was_really_tried():
    reasons = {c.place: c.computed for name in LESSONS for c in CHECKED[name] if c.verdict is Verdict.cannot_run}
    assert reasons["004:146"] == reasons["004:201"] == "AttributeError: 'list' object has no attribute 'T'"
    assert reasons["002:184"].startswith("ValueError: matmul")
    assert reasons["004:232"].startswith("ValueError: matmul")


@pytest.mark.parametrize("place", ["002:100", "002:167", "002:357", "000:16", "000:17", "000:59", "000:97"])
def test_code_that_runs(place):
    runs = [c for name in LESSONS for c in CHECKED[name] if c.place == place and c.about == "code"]
    assert [c.computed for c in runs] == ["runs"]

"""The pages of tests/audit/pages, with wrong numbers planted in many layouts: none is missed for want of care, and no
right one is called wrong. `scripts/audit_score.py` prints the figures."""

import runpy
from pathlib import Path

import pytest

SCORE = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "audit_score.py"))
SCORES = list(SCORE["scores"]())
SEEN = list(SCORE["scores"](SCORE["PAGES"].with_name("seen")))


@pytest.mark.parametrize("score", [*SCORES, *SEEN], ids=lambda score: f"{score.page.parent.name}/{score.page.name}")
def test_no_false_alarm(score) -> None:
    assert score.alarms == []


def test_nine_of_ten_wrong_numbers_are_found() -> None:
    found = sum(len(score.found) for score in SCORES)
    assert found >= SCORE["LEAST_FOUND"] * sum(len(score.planted) for score in SCORES)


# what the audit leaves alone so far, rather than guess
NOT_FOUND = {
    "README-sensors.txt": {(18, "25.0")},
    "complexity.tex": {(16, "9.7")},  # a share of what the formula above gives for another length
    "exam-solutions.tex": {(12, "-0.241")},  # a gradient p - y whose y is only said in words
    "email-moving-quote.txt": {(19, "63.18")},  # four numbers of three lines
    "markov_text.ipynb": {(45, "0.33")},  # a number of a matrix that was printed above, said in words
    "ml-exam-february-solutions.md": {(22, "0.83")},  # a mean that rounded numbers may have
    "night-train-itinerary.md": {(10, "22")},  # times of day
    "positional_encoding.ipynb": {(75, "0.99500")},  # an operand, of a sum that is right
    "tiny-transformer-forward.md": {(25, "5")},  # a matrix in the block below its formula
    "two-token-attention.md": {(16, "5")},  # a product of vectors in a table, named in words
    "attention_numpy.ipynb": {(73, "0.8493")},  # a number of a matrix that was printed above
    "bpe-by-hand.txt": {(22, "8")},  # a sum with a word before each number
    "choir-trip.html": {(16, "152.00")},
    "decathlon-day1.txt": {(13, "3,839")},  # rows of two lines
    "kaiming-init.tex": {(11, "0.0652")},  # a column by a formula of the text
    "least-squares.tex": {(12, "67")},  # an array with a column of sums
    "multihead-shapes.md": {(11, "(4, 12, 64, 64)")},  # shapes that are only spoken of
    "pool_heating.ipynb": {(36, "8")},
    "savings-ladder.tex": {(15, "80.46")},
    "timesheet.py": {(10, "465")},  # comments behind the items of a list
    "word-error-rate.txt": {(34, "13.8")},  # it is the mean of the column, too
    "causal_mask.md": {(12, "12")},  # what is left of the cells
    "rechnung_mai.md": {(13, "1.326,37")},
    "selfattn_ex.tex": {(10, "0.345")},
    "softmax-table-slip.md": {(6, "0.321")},
    "two-heads.md": {(3, "0.5")},  # the second of two sums with words between them
    "whole-numbers.md": {(1, "2")},  # 9 / 4 = 2 may be rounded
}


@pytest.mark.parametrize("score", SEEN, ids=lambda score: score.page.name)
def test_what_was_found_once_is_found_again(score) -> None:
    assert score.found == score.planted - NOT_FOUND.get(score.page.name, set())


def test_there_are_pages_of_every_kind() -> None:
    assert len(SCORES) >= SCORE["LEAST_PAGES"]
    assert {score.page.suffix for score in SCORES} >= {".md", ".txt", ".tex", ".html", ".ipynb"}

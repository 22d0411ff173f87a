"""`regard.read`: the claims of a page with their places, their arithmetic and the cells of toys that are the same."""

from pathlib import Path

import pytest

import regard
from regard.cli.main import run
from regard.reading import read_text

TABLE = """| word | score | softmax |
|------|-------|---------|
| the  | 1     | 0.09    |
| cat  | 2     | 0.34    |
| sat  | 3     | 0.67    |
"""
FOX = """The quick brown fox jumps.

"apple" = 0.5*0.66 + 0.2*0.525 = 0.33 + 0.105 = 0.435
"""


def test_a_page_is_read_with_its_claims(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("So 0.5*0.66 + 0.2*0.525 = 0.445.")
    (claim,) = regard.read(page).claims
    assert claim.place is not None and page.read_text()[claim.place[1] : claim.place[2]] == "0.445"
    assert claim.arithmetic == {
        "text": "0.5 * 0.66 + 0.2 * 0.525",
        "value": "0.435",
        "parts": [
            {"text": "0.5 * 0.66", "value": "0.33", "parts": []},
            {"text": "0.2 * 0.525", "value": "0.105", "parts": []},
        ],
    }


def test_a_table_defines_a_toy_whose_cells_are_its_numbers() -> None:
    reading = read_text(TABLE)
    (trace,) = reading.runs
    cells = [claim.cell for claim in reading.claims]
    assert cells == ["weights[sat,the]", "weights[sat,cat]", "weights[sat,sat]"]
    assert [float(claim.finding.computed) for claim in reading.claims] == pytest.approx(
        [float(trace[cell]) for cell in cells if cell], rel=1e-5
    )


def test_a_number_of_the_catalogue_links_to_its_cell() -> None:
    reading = read_text(FOX)
    assert [claim.cell for claim in reading.claims if claim.finding.claimed == "0.435"] == ["logits[apple]"]
    assert float(reading.runs[0]["logits[apple]"]) == pytest.approx(0.435)


def test_an_equal_value_and_a_word_do_not_make_a_cell() -> None:
    for claim in ("The row The sums 0.5 + 0.5 = 1.0", "the: √4 = 2", "for the: 1·1 + 2·0 = 1", "sat: 2 + 1 = 3"):
        assert read_text(f"{claim}\n\nThe cat sat. The quick brown fox jumps.").runs == (), claim


def test_a_number_about_another_word_links_nowhere() -> None:
    claims = read_text(FOX.replace('"apple" =', '"plum" =')).claims
    assert [claim.finding.claimed for claim in claims] == ["0.33", "0.105", "0.435"]
    assert all(claim.cell is None for claim in claims)


LOGITS = """"apple" = 0.5*0.66 + 0.2*0.525 = 0.435
"run" = 0.1*0.66 + 0.6*0.525 = 0.381
"fox" = 0.7*0.66 + 0.4*0.525 = 0.672
"{word}" = 0.2*0.66 + 0.9*0.525 = 0.604

softmax([0.435, 0.381, 0.672, 0.604]) ≈ [0.23, 0.22, 0.29, 0.26]
"""


def test_of_two_toys_the_one_whose_words_were_named_last_is_opened() -> None:
    words = ("jumps", "pizza")
    page = "The quick brown fox jumps.\n\n" + "\n".join(LOGITS.format(word=word) for word in words)
    reading = read_text(page)
    fourth = [claim for claim in reading.claims if claim.finding.claimed in ("0.604", "0.26")]
    assert [(claim.run, claim.cell) for claim in fourth] == [
        (run, f"{step}[{word}]") for run, word in enumerate(words) for step in ("logits", "probabilities")
    ]
    assert [run.info["model"] for run in reading.runs] == ["fox", "fox-with-pizza"]


def test_a_column_links_to_scores_only_where_it_holds_them() -> None:
    page = "| word | score | softmax | score + 0 |\n|---|---|---|---|\n| the | 1 | 0.27 | 1 |\n| cat | 2 | 0.73 | 2 |\n"
    assert {claim.cell for claim in read_text(page).claims} <= {"weights[cat,the]", "weights[cat,cat]", None}


def test_a_page_about_something_else_links_nowhere() -> None:
    reading = read_text("Prices: 0.5*0.66 + 0.2*0.525 = 0.435, 2 * 3 = 6")
    assert reading.runs == () and all(claim.cell is None for claim in reading.claims)


def test_the_page_holds_data_and_no_markup_of_others() -> None:
    html = read_text("<script>hacked()</script> 2 * 3 = 7 <img src=x>").html()
    assert "<script>hacked" not in html and "<img src=x>" not in html and "script-src 'sha256-" in html


def test_one_claim_is_one_claim(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.md").write_text("2 + 2 = 5\n", encoding="utf-8")
    assert run(["read", "page.md"]) == 0
    assert capsys.readouterr().out.startswith("page.md.read.html: 1 claim, 1 failing; ")

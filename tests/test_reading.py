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

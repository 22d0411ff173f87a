"""`regard check --fix`: the right digits as a patch, and nothing is changed unless told."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from regard.audit.page import audit
from regard.cli.main import run
from regard.views.patch import fixed, patch

FIXES = [
    ("0.5 * 0.66 = 0.34 and 0.34 is not touched", "0.5 * 0.66 = 0.33 and 0.34 is not touched"),
    ("so 0.34 + 0 = 0.34, but 0.5 * 0.66 = 0.34", "so 0.34 + 0 = 0.34, but 0.5 * 0.66 = 0.33"),
    ("768*768 = 589,842", "768*768 = 589,824"),
    ("softmax([1, 2, 3]) = [.09, .34, .67]", "softmax([1, 2, 3]) = [.09, .24, .67]"),
    ("50% + 25% = 80%", "50% + 25% = 75%"),
    ("3 * 1,234,567,890,123 = 3,703,730,670,369", "3 * 1,234,567,890,123 = 3,703,703,670,369"),
    ("0,5 + 0,25 = 0,80", "0,5 + 0,25 = 0,75"),
    ("$\\frac{2}{\\sqrt{4}} = 2$", "$\\frac{2}{\\sqrt{4}} = 1$"),
    ("| w | score | softmax |\n|---|---|---|\n| a | 1 | 0.09 |\n| b | 2 | 0.34 |\n| c | 3 | 0.67 |\n",
     "| w | score | softmax |\n|---|---|---|\n| a | 1 | 0.09 |\n| b | 2 | 0.24 |\n| c | 3 | 0.67 |\n"),
    ("```python\nd_k = 64\nprint(1 / d_k ** 0.5)  # 0.152\n```\n",
     "```python\nd_k = 64\nprint(1 / d_k ** 0.5)  # 0.125\n```\n"),
    ("$$\n\\begin{bmatrix} 1 \\\\ 2 \\end{bmatrix}\n+\n\\begin{bmatrix} 3 \\\\ 4 \\end{bmatrix}\n=\n"
     "\\begin{bmatrix} 4 \\\\ 7 \\end{bmatrix}\n$$\n",
     "$$\n\\begin{bmatrix} 1 \\\\ 2 \\end{bmatrix}\n+\n\\begin{bmatrix} 3 \\\\ 4 \\end{bmatrix}\n=\n"
     "\\begin{bmatrix} 4 \\\\ 6 \\end{bmatrix}\n$$\n"),
]  # fmt: skip
LEFT = ["(10, 10) @ (10, 64) → (10, 10)", "0.5 * 0.66 = 0.33", "e^2 = 7.5e0", "12345678.5 * 1 = 12345999.5"]


@pytest.mark.parametrize("before, after", FIXES)
def test_the_right_digits(before: str, after: str) -> None:
    assert fixed(before, audit(before)) == after
    assert not audit(after).failures


@pytest.mark.parametrize("text", LEFT)
def test_what_is_not_sure_is_left(text: str) -> None:
    assert fixed(text, audit(text)) == text and patch(text, audit(text)) == ""


def test_nothing_is_written_unless_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n\n2 * 3 = 7\n\nb\n")
    assert run(["check", "--fix", str(page)]) == 1
    told = capsys.readouterr().out
    assert "-2 * 3 = 7\n+2 * 3 = 6\n" in told and page.read_text() == "a\n\n2 * 3 = 7\n\nb\n"
    assert run(["check", "--write", str(page)]) == 2
    assert run(["check", "--fix", "--write", str(page)]) == 1
    assert page.read_text() == "a\n\n2 * 3 = 6\n\nb\n"
    assert "page.md: wrote 1 of 1 right numbers" in capsys.readouterr().err
    assert run(["check", "--fix", "--write", str(page)]) == 0
    assert "page.md: nothing to write" in capsys.readouterr().err
    assert run(["check", str(page)]) == 0


def test_it_says_what_it_leaves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("The weights 0.5, 0.3 and 0.3 sum to 1.\n\n2 * 3 = 7\n")
    assert run(["check", "--fix", str(page)]) == 1
    told = capsys.readouterr()
    assert "+2 * 3 = 6\n" in told.out and "nothing is proposed for 1 of 2 failing (2 wrong numbers)" in told.err


@pytest.mark.parametrize("text", ["a\n\n2 * 3 = 7\n", "a\n\n2 * 3 = 7", "2 * 3 = 7", "a\x0cb\n2 * 3 = 7\n\nc"])
def test_git_takes_the_patch(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    told = patch(page.read_text(), audit(page.read_text(), "page.md"))
    subprocess.run(["git", "apply"], cwd=tmp_path, input=told, text=True, check=True)
    assert page.read_text() == text.replace("7", "6")


@pytest.mark.parametrize("name", ["page.md", "./page.md", "sub folder/my page.md", "{here}/sub folder/my page.md"])
@pytest.mark.parametrize("tool", [["git", "apply"], ["patch", "-p1"]])
def test_a_patch_is_taken_where_it_was_made_however_the_path_was_written(
    tmp_path: Path, name: str, tool: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed")
    monkeypatch.chdir(tmp_path)
    page = Path(name.format(here=tmp_path))
    page.parent.mkdir(exist_ok=True)
    page.write_text("2 * 3 = 7\n")
    assert run(["check", "--fix", str(page)]) == 1
    subprocess.run(tool, input=capsys.readouterr().out, text=True, check=True, stdout=subprocess.DEVNULL)
    assert page.read_text() == "2 * 3 = 6\n"


def test_a_page_of_another_folder_is_named_from_the_root_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "page.md").write_text("2 * 3 = 7\n")
    monkeypatch.chdir(tmp_path / "here")
    assert run(["check", "--fix", "../page.md"]) == 1
    assert capsys.readouterr().out.startswith(f"--- a{tmp_path}/page.md\n+++ b{tmp_path}/page.md\n")


@pytest.mark.parametrize(
    "page",
    [b"a\r\n2 * 3 = 7\r\n", b"code:\n\t2 * 3 = 7\n\tb\n", "ä\u00a0b\n2 * 3 = 7\n".encode(), b"2 * 3 = 7 \t\n"],
)
def test_line_ends_tabs_and_spaces_of_a_page_stay_as_they_are(
    tmp_path: Path, page: bytes, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("patched.md", "written.md"):
        Path(name).write_bytes(page)
    assert run(["check", "--fix", "patched.md"]) == 1
    subprocess.run(["git", "apply"], input=capfdbinary.readouterr().out, check=True)
    assert run(["check", "--fix", "--write", "written.md"]) == 1
    assert Path("patched.md").read_bytes() == Path("written.md").read_bytes() == page.replace(b"7", b"6")


@pytest.mark.parametrize("page", [b"\xef\xbb\xbf2 * 3 = 7\n", b"\xff: 2 * 3 = 7, and so on\n", b"a\r2 * 3 = 7\r"])
def test_a_page_that_is_not_plain_utf_8_is_not_written(
    tmp_path: Path, page: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.md").write_bytes(page)
    assert run(["check", "--fix", "--write", str(tmp_path / "page.md")]) == 2
    assert "expected a file in plain UTF-8" in capsys.readouterr().err
    assert (tmp_path / "page.md").read_bytes() == page


def test_json_has_what_was_skipped_and_the_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("2 * 3 = 7\n\n2x + 3*4 = 12\n")
    assert run(["check", "--json", str(page)]) == 1
    (told,) = json.loads(capsys.readouterr().out)
    assert told["findings"][0] | {"what": ""} == {
        "line": 1, "what": "", "claimed": "7", "computed": "6", "verdict": "wrong", "note": "",
    }  # fmt: skip
    assert told["skipped"] == [{"line": 3, "reason": "an expression with parts that are not known"}]
    assert told["kinds"] == {"wrong number": 1, "cannot run": 0, "not so in this model": 0, "overstated": 0}


def test_standard_input_is_a_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"2 * 3 = 7\n")))
    assert run(["check", "-", "--plain"]) == 1
    assert "claimed 7, computed 6" in capsys.readouterr().out


@pytest.mark.parametrize("wrong, said", [(1, "(1 wrong number)"), (3, "(3 wrong numbers)")])
def test_failures_are_counted_in_words_that_fit_their_number(tmp_path, monkeypatch, capsys, wrong, said):
    monkeypatch.chdir(tmp_path)
    Path("page.md").write_text("2 * 3 = 7\n\n" * wrong)
    Path("other.md").write_text("2 * 3 = 6\n")
    assert run(["check", "page.md", "other.md"]) == 1
    assert capsys.readouterr().out.endswith(f"{wrong} failing {said}\n")

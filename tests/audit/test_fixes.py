"""`regard check --fix`: the right digits as a patch, and nothing is changed unless told."""

import io
import json
import os
import shutil
import subprocess
import sys
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


HOSTILE = [
    "Soft\u00adhyphen",
    "page\x0cfeed",
    "a\u2028b\u2029c",
    "a\u202eb\u200f",
    "\x1b]52;c;aGk\x07",
    "\ufeffmarked",
    "\x85\x7f",
]


@pytest.mark.parametrize("hostile", [*HOSTILE, "two\u200b\ufeffhidden: 1 + 1 = 3 \u200b, then\n", "\ufeff2 + 2 = 5"])
@pytest.mark.parametrize("between", ["\n\n", " and so "])
def test_a_patch_is_exact_whatever_stands_around_the_number(
    tmp_path: Path, hostile: str, between: str, monkeypatch: pytest.MonkeyPatch, capfdbinary
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"{hostile}{between}2 * 3 = 7\u200b.\n"
    right = text.replace("= 7", "= 6").replace("= 3 ", "= 2 ").replace("= 5", "= 4")
    for name in ("patched.md", "written.md"):
        Path(name).write_bytes(text.encode())
    assert run(["check", "--fix", "patched.md"]) == 1
    subprocess.run(["git", "apply"], input=capfdbinary.readouterr().out, check=True)
    assert run(["check", "--fix", "--write", "written.md"]) == 1
    assert Path("patched.md").read_bytes() == Path("written.md").read_bytes() == right.encode()


def test_a_patch_is_utf_8_where_the_machine_is_not(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_bytes("é → 2 * 3 = 7\n".encode())
    command = [sys.executable, "-m", "regard", "check", "--fix", "page.md"]
    told = subprocess.run(command, cwd=tmp_path, env={**os.environ, "LC_ALL": "C"}, capture_output=True)
    assert "+é → 2 * 3 = 6\n".encode() in told.stdout


def test_a_terminal_is_not_steered_by_a_patch(monkeypatch: pytest.MonkeyPatch, capsys, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("\x1b[31mred\n2 * 3 = 7\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["check", "--fix", str(tmp_path / "page.md")]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out and " \\x1b[31mred\n-2 * 3 = 7\n+2 * 3 = 6\n" in out


@pytest.mark.parametrize("name", ["a\tb.md", "a\nb.md", 'a "b" c.md', "a\\b.md", "é\u202e.md", "\udcff.md", "é ü.md"])
def test_a_file_of_any_name_is_named_so_that_git_finds_it(tmp_path: Path, name: str, monkeypatch, capfdbinary) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("2 * 3 = 7\n")
    assert run(["check", "--fix", name]) == 1
    subprocess.run(["git", "apply"], input=capfdbinary.readouterr().out, check=True)
    assert Path(name).read_text() == "2 * 3 = 6\n"


NO_PATCH = [
    (b"\xff: 2 * 3 = 7, and so on\n", "it is not UTF-8: byte 0xff in line 1"),
    ("caf\u00e9\n\n2 * 3 = 7\n".encode("latin-1"), "it is not UTF-8: byte 0xe9 in line 1"),
    ("2 * 3 = 7\n".encode("utf-16"), "it is UTF-16"),
    ("2 * 3 = 7\n".encode("utf-16-le"), "it has bytes that are zero, as UTF-16 has"),
    (b"a\r2 * 3 = 7\r", "some of its lines end in a carriage return alone"),
]


@pytest.mark.parametrize("page, why", NO_PATCH)
def test_where_no_patch_can_fit_none_is_printed_and_nothing_is_written(tmp_path: Path, page, why, capsys) -> None:
    (tmp_path / "page.md").write_bytes(page)
    assert run(["check", "--fix", str(tmp_path / "page.md")]) == 1
    out, err = capsys.readouterr()
    assert not out and f"nothing is proposed for 1 of 1 failing (1 wrong number): {why}" in err
    assert run(["check", "--fix", "--write", str(tmp_path / "page.md")]) == 2
    out, err = capsys.readouterr()
    assert not out and f"page.md cannot be written: {why}" in err
    assert (tmp_path / "page.md").read_bytes() == page


@pytest.mark.parametrize("page", ["caf\u00e9, 2 * 3 = 6\n".encode("latin-1"), b"2 * 3 = 6\r"])
def test_what_is_right_needs_no_patch(tmp_path: Path, page: bytes, capsys) -> None:
    (tmp_path / "page.md").write_bytes(page)
    assert run(["check", "--fix", "--write", str(tmp_path / "page.md")]) == 0
    assert "nothing to write" in capsys.readouterr().err


def test_a_page_named_twice_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.md").write_text("5 + 5 = 9 and 2 * 3 = 7\n")
    assert run(["check", "--fix", "--write", "page.md", "./page.md", str(tmp_path / "page.md")]) == 1
    assert Path("page.md").read_text() == "5 + 5 = 10 and 2 * 3 = 6\n"


def standard_input(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


def test_standard_input_named_twice_is_read_once(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    standard_input(monkeypatch, b"1 + 1 = 3\n")
    assert run(["check", "-", "-"]) == 1
    out = capsys.readouterr().out
    assert "claimed 3, computed 2" in out and "2 pages" not in out


def test_standard_input_has_a_patch_that_is_exact_and_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capfdbinary
) -> None:
    standard_input(monkeypatch, b"\xef\xbb\xbf1 + 1 = 3\r\n")
    assert run(["check", "--fix", "-"]) == 1
    assert b"-\xef\xbb\xbf1 + 1 = 3\r\n+\xef\xbb\xbf1 + 1 = 2\r\n" in capfdbinary.readouterr().out
    standard_input(monkeypatch, b"1 + 1 = 3\n")
    assert run(["check", "--fix", "--write", "-"]) == 2
    assert b"standard input cannot be written; name a file" in capfdbinary.readouterr().err
    monkeypatch.setattr(sys, "stdin", None)
    assert run(["check", "-"]) == 2
    assert b"there is no standard input" in capfdbinary.readouterr().err


@pytest.mark.parametrize("options", [[], ["--json"], ["--fix"], ["--fix", "--write"]])
def test_a_page_that_cannot_be_read_leaves_the_others_judged(
    tmp_path: Path, options: list[str], monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.md").write_text("2 * 3 = 7\n")
    Path("latin.md").write_bytes(b"\xe9 2 * 3 = 7, as everybody knows\n")
    assert run(["check", *options, "gone.md", "page.md", "latin.md", "away.md"]) == 2
    out, err = capsys.readouterr()
    assert "2 * 3" in out and "page.md" in out
    told = [line for line in err.splitlines() if line.startswith("regard: ")]
    assert told[:2] == ["regard: gone.md: No such file or directory", "regard: away.md: No such file or directory"]
    assert Path("page.md").read_text() == f"2 * 3 = {6 if '--write' in options else 7}\n"


NO_NOTEBOOK = ["{not json", "", "[]", '{"cells": 3}', '{"cells": [{"source": 1}]}', '{"cells": [[]]}', "[" * 100_000]


@pytest.mark.parametrize("text", NO_NOTEBOOK)
def test_a_notebook_that_is_none_cannot_be_read(tmp_path: Path, text: str, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.ipynb").write_text(text)
    for command in ("check", "read"):
        assert run([command, "page.ipynb"]) == 2
        assert "page.ipynb cannot be read: expected a notebook" in capsys.readouterr().err
    assert not Path("page.ipynb.read.html").exists()


def test_a_notebook_without_a_claim_can_be_read(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = [
        {"cell_type": "markdown", "source": "---\ntitle: a\n---"},
        {"cell_type": "code", "source": [], "outputs": []},
    ]
    for some in ([], cells[:1], cells[1:], cells):
        Path("page.ipynb").write_text(json.dumps({"cells": some}))
        assert run(["check", "page.ipynb"]) == 0


def test_json_has_the_patch_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.md").write_text("Soft\u00adhyphen\n2 * 3 = 7\n", encoding="utf-8")
    Path("right.md").write_text("2 * 3 = 6\n")
    assert run(["check", "--json", "--fix", "page.md", "right.md"]) == 1
    told, right = json.loads(capsys.readouterr().out)
    assert told["findings"][0]["computed"] == "6" and right["patch"] == ""
    subprocess.run(["git", "apply"], input=told["patch"].encode(), check=True)
    assert Path("page.md").read_text(encoding="utf-8") == "Soft\u00adhyphen\n2 * 3 = 6\n"
    assert run(["check", "--json", "page.md"]) == 0
    assert "patch" not in json.loads(capsys.readouterr().out)[0]


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
    standard_input(monkeypatch, b"2 * 3 = 7\n")
    assert run(["check", "-", "--plain"]) == 1
    assert "claimed 7, computed 6" in capsys.readouterr().out


@pytest.mark.parametrize("wrong, said", [(1, "(1 wrong number)"), (3, "(3 wrong numbers)")])
def test_failures_are_counted_in_words_that_fit_their_number(tmp_path, monkeypatch, capsys, wrong, said):
    monkeypatch.chdir(tmp_path)
    Path("page.md").write_text("2 * 3 = 7\n\n" * wrong)
    Path("other.md").write_text("2 * 3 = 6\n")
    assert run(["check", "page.md", "other.md"]) == 1
    assert capsys.readouterr().out.endswith(f"{wrong} failing {said}\n")

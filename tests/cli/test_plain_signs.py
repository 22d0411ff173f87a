"""Where our signs cannot be written, plain ones stand for them, and other letters are escaped: no crash, no '?'."""

import json
import os
import re
import subprocess
import sys

import pytest

from regard.views.plainly import HANDLER, PLAIN

COMMANDS = (
    ["--help"],
    ["explain", "--help"],
    ["train", "--help"],
    ["explain", "The quick brown fox", "--next", "jumps"],
    ["explain", "On the mat a cat sat", "--model", "two-heads", "--mask", "both"],
    ["explain", "Once upon a time", "--next", "there", "--generate", "0"],
    ["why", "weights[fox,fox]", "--depth", "9"],
    ["why", "W_Q.grad[0,0]", "--depth", "4"],
    ["lesson"],
    ["lesson", "root", "--claims"],
    ["lesson", "pressure", "--claims"],
    ["lesson", "new-sentences", "--cards"],
    ["glossary"],
    ["glossary", "--reading"],
    ["lesson", "fox", "--cards"],
    ["explain", "The fox", "--query", "dog", "--model", "fox"],
)


def printed(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
    command = [sys.executable, "-m", "regard", *arguments]
    return subprocess.run(command, capture_output=True, env=kept | environment, check=False)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_an_ascii_terminal_gets_plain_signs(arguments):
    asked = printed(arguments, PYTHONIOENCODING="ascii")
    usual = printed(arguments, PYTHONIOENCODING="utf-8")
    shown, wide = (asked.stdout + asked.stderr).decode("ascii"), (usual.stdout + usual.stderr).decode()
    assert asked.returncode == usual.returncode and shown.strip()
    assert not re.findall(r"\\x|\\u|\\U", shown)
    assert shown.count("?") == wide.count("?")
    assert re.findall(r"\d+\.\d+", shown) == re.findall(r"\d+\.\d+", wide)


@pytest.mark.parametrize("width, named", [(120, ["q*k", "/sqrt 2", "+pos", "e^s", "weight"]), (80, ["/sqrt 2"])])
def test_the_columns_of_a_table_end_below_their_names_in_plain_signs_too(width, named):
    asked = ["explain", "The quick brown fox", "--next", "jumps"]
    lines = printed(asked, PYTHONIOENCODING="ascii", COLUMNS=str(width)).stdout.decode("ascii").splitlines()
    at = next(i for i, line in enumerate(lines) if line.split()[:1] == ["word"])
    names, rows = lines[at], lines[at + 1 : at + 5]
    for name in (*named, "dlogit(jumps-fox)"):
        end = names.index(name) + len(name)
        assert all(row[end - 1].isdecimal() and row[end : end + 2].strip() == "" for row in rows)
    assert ("says without it" in names) == (width == 120) and all(len(line) <= width for line in lines[at : at + 6])


def test_the_c_locale_asks_for_ascii():
    assert printed(["explain", "The fox", "--model", "fox"], LC_ALL="C").stdout.isascii()
    assert not printed(["explain", "The fox", "--model", "fox"]).stdout.isascii()


def test_words_in_other_letters_are_escaped():
    out = printed(["explain", "naïve 你好 fox", "--model", "fox"], PYTHONIOENCODING="ascii").stdout.decode("ascii")
    assert r"na\xefve" in out and r"\u4f60\u597d" in out
    told = printed(["explain", "The fox", "--query", "né", "--model", "fox"], PYTHONIOENCODING="ascii").stderr
    assert rb"n\xe9" in told


def test_json_stays_exact_in_ascii():
    out = printed(["explain", "naïve fox", "--model", "fox", "--json"], PYTHONIOENCODING="ascii").stdout
    assert json.loads(out)["tokens"] == ["naïve", "fox"]


def test_letters_that_an_encoding_has_are_kept():
    out = printed(["explain", "naïve fox", "--model", "fox"], PYTHONIOENCODING="latin-1").stdout.decode("latin-1")
    assert "naïve" in out and " · " not in out


def test_what_stands_for_a_sign_is_ascii():
    assert all(plain.isascii() for plain in PLAIN.values())
    assert "a→b".encode("latin-1", HANDLER) == b"a->b"

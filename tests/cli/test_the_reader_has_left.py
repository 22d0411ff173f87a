"""`… | head -1`: every command ends as Unix programs do, without a word; and a full disk is told in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.machine import needs_proc

import regard
from regard.cli import commands
from regard.training import checkpoint

SOURCE = str(Path(regard.__file__).parents[1])
GUARD = 120
COMMANDS = {
    "explain": ["The fox", "--model", "fox"],
    "generate": ["The fox", "--model", "fox", "--count", "1"],
    "why": ["weights[fox,fox]"],
    "flow": ["The fox", "--model", "fox"],
    "lesson": ["fox"],
    "check": ["page.md"],
    "open": ["--no-browser", "--port", "0"],
    "export": ["The fox", "--model", "fox"],
    "figure": ["The fox", "--model", "fox"],
    "train": ["page.md", "--preset", "toy", "--set", "vocabulary=300", "--set", "updates=100000", "--set", "window=16"],
    "convert": ["english", "folder"],
    "models": [],
    "read": ["page.md"],
    "glossary": [],
    "gravity": ["The fox", "--model", "fox"],
    "heads": ["The fox", "--model", "two-heads"],
    "near": ["fox"],
    "similar": ["The fox", "The dog", "--model", "fox"],
    "film": [],
    "patch": ["The fox", "The apple", "--model", "fox"],
    "site": ["--help"],  # it writes a folder, and prints a line
    "watch": ["--help"],  # it needs a model of others; what it prints goes the same way
    "doctor": [],
    "toy": ["list"],
    "vectors": ["near", "english", "fox"],
}


def test_every_command_is_here():
    assert set(COMMANDS) == set(commands.COMMANDS)


def ended(arguments: list[str], folder: Path, stdout: int) -> tuple[int, str]:
    (folder / "page.md").write_text(
        "The page says that 2 + 2 = 5, and other things about foxes. " * 60, encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": SOURCE, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "regard", *arguments],
        cwd=folder, env=environment, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=GUARD,
    )  # fmt: skip
    return done.returncode, done.stderr


@needs_proc
@pytest.mark.parametrize("command", [*COMMANDS, "--help", "--version"])
def test_it_ends_when_nobody_reads(command, tmp_path):
    """Either SIGPIPE has ended it, or it exits with what a shell makes of that; never a traceback."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        code, told = ended([command, *COMMANDS.get(command, [])], tmp_path, writing)
    finally:
        os.close(writing)
    assert code in (-13, 141), told
    assert not told.removeprefix("comparing every kernel with the definition ...\n")  # what doctor is at, on stderr
    assert not list(tmp_path.rglob(".*.partial"))
    if command == "train":  # what was learned is saved first: one of 100,000 updates, since it noticed then
        assert checkpoint.load(tmp_path / "runs/page").step == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("command", ["explain", "models", "lesson"])
def test_a_full_disk_is_told_in_one_line(command, tmp_path):
    with open("/dev/full", "wb") as full:
        code, told = ended([command, *COMMANDS[command]], tmp_path, full.fileno())
    assert code == 2 and told == "regard: No space left on device\n"

"""The README's tree, its commands and every code block of the documents stay true."""

import doctest
import importlib.util
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from regard.cli import vectors
from regard.cli.main import app, run
from regard.views.figure import KINDS

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / name
    for name in (
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/commands.md",
        "docs/built-in-model.md",
        "docs/huggingface.md",
        "docs/vectors.md",
        "docs/models.md",
        "docs/training-speed.md",
        "docs/scaling.md",
        "benchmarks/RESULTS.md",
        "docs/index.md",
        "docs/tutorial.md",
        "docs/how-to/train.md",
        "docs/whys.md",
        "docs/how-to/huggingface.md",
        "docs/how-to/notebook.md",
        "docs/how-to/figures.md",
        "docs/how-to/arrays.md",
        "docs/explanation/architecture.md",
        "docs/explanation/exact.md",
        "docs/api.md",
    )
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)


def blocks(page: Path, language: str) -> list[str]:
    return [code for kind, code in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


def commands() -> list[tuple[str, str]]:
    """Every command line of the documents, with what the document says it prints ('' where it says nothing)."""
    found = []
    for page in PAGES:
        for code in blocks(page, "bash"):
            found += [(line.split("#")[0].strip() if " #" in line else line.strip(), "") for line in code.splitlines()]
        for code in blocks(page, "console"):
            for part in re.split(r"^\$ ", code, flags=re.M)[1:]:
                command, _, output = part.partition("\n")
                found.append((command, output))
    return [(command, output) for command, output in found if command]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run_and_say_what_their_comments_say(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for code in blocks(page, "python"):
        if "english-folder" in code:
            assert run(["convert", "english", "english-folder"]) == 0
            capsys.readouterr()
        exec(compile(code, str(page), "exec"), names)
        printed = capsys.readouterr().out
        for said in re.findall(r"print\(.*?\)  +# (?:(\w+):|([\w\[\],]+ = .*))", code):
            expected = said[0] or said[1]
            assert expected in printed, f"{page.name} says {expected!r}; printed was:\n{printed}"


SESSIONS = [page for page in PAGES if blocks(page, "pycon")]


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_python_sessions_print_what_they_say(page, tmp_path, monkeypatch):
    """The lines after >>> of one page are one session, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "pycon")), {}, page.name, str(page), 0)
    assert session.examples
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(session, out=said.append)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("command, output", commands(), ids=lambda value: str(value)[:60])
def test_commands_of_the_documents_work(command, output, capfd, monkeypatch, tmp_path):
    words = shlex.split(command)
    monkeypatch.chdir(ROOT if words[1] == "check" else tmp_path)  # a check only reads; what is written is not ours
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    if "notes" in command or "reviews" in command:  # a reader's own: ours are small, and stand in a folder of their own
        rows = [f"number {i} is {word},{word}" for i in range(9) for word in ("good", "bad")]
        (tmp_path / "reviews.csv").write_text("\n".join(["text,label", *rows]), encoding="utf-8")
        (tmp_path / "notes.txt").write_text((ROOT / "README.md").read_text(encoding="utf-8"), encoding="utf-8")
        quick = ["--preset", "toy", "--set", "updates=2"] if words[1] != "vectors" else ["--epochs", "1"]
        if "train" not in words or "--resume" in words:
            assert run(["train", "notes.txt", *quick]) == 0
        words += [*quick[:-1], "updates=3"] if "--resume" in words else quick if "train" in words else []
    if "english-folder" in words and words[1] != "convert":
        assert run(["convert", "english", "english-folder"]) == 0
        capfd.readouterr()
    if words[0] == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M)
        assert words[1] in targets
    elif words[:2] == ["regard", "open"]:
        opened_and_closed(words[2:], tmp_path)
    elif words[0] == "regard":
        assert run(words[1:]) == 0
        printed = capfd.readouterr().out
        assert printed.strip()
        if output:
            assert [line.rstrip() for line in printed.splitlines()] == output.rstrip("\n").splitlines()
    elif words[0] == "torchrun":  # its options as it reads them, and our part of the command in one process
        from torch.distributed.run import parse_args

        read = parse_args(words[1:])
        assert read.module and read.training_script == "regard" and run(read.training_script_args) == 0
    else:
        assert words[0] in ("python", "."), f"an unknown command in the documents: {command}"
        assert (ROOT / words[1]).exists()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_a_sentence_have_options_that_there_are(page):
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for command in re.findall(r"`(regard [a-z][^`]*)`", prose):
        found, words = get_command(app), shlex.split(command)[1:]
        while words and hasattr(found, "get_command"):
            context = found.context_class(found)
            found, words = found.get_command(context, words[0]), words[1:]
            assert found is not None, command
        found.make_parser(found.context_class(found)).parse_args(words)  # of another option it says so


def opened_and_closed(options: list[str], folder: Path) -> None:
    """A server prints its address, and ends on Ctrl-C without complaint."""
    command = [sys.executable, "-m", "regard", "open", "--no-browser", "--port", "0", *options]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert "http://127.0.0.1:" in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0


def test_the_tree_names_every_folder_and_nothing_else():
    tree = next(code for code in blocks(ROOT / "README.md", "") if "src/regard/" in code)
    named = {line.split()[0].rstrip("/") for line in tree.splitlines() if line.startswith("  ")}
    inside = [path for path in (ROOT / "src/regard").iterdir() if path.name not in ("__pycache__", "web")]  # built
    assert {name for name in named if "." not in name} == {path.name for path in inside if path.is_dir()}
    assert {name for name in named if "." in name} <= {path.name for path in inside}
    for line in tree.splitlines():
        if not line.startswith(" "):
            assert (ROOT / line.split()[0]).is_dir()


def test_the_nine_files_exist_and_are_short():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    files = re.findall(r"^\d\. `(.+?)`", text, re.M)
    assert len(files) == 9
    for name in files:
        assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) < 320, name


def test_no_measurement_is_missing():
    assert "MEASURED_" not in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_the_picture_shows_what_the_command_prints():
    """The committed picture has the same characters as the screen of today."""
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "scripts/pictures.py")
    assert spec is not None and spec.loader is not None
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    for name, svg in pictures.pictures().items():
        committed = (ROOT / "docs/pictures" / name).read_text(encoding="utf-8")
        assert _characters(committed) == _characters(svg), f"run `make pictures`: {name} is out of date"
        assert "@font-face" not in committed


def _characters(svg: str) -> str:
    return "".join(re.findall(r">([^<]+)</text>", svg)).replace("&#160;", "").replace(" ", "")


def test_every_command_and_option_is_documented(capsys):
    written = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    for command in (command.name for command in app.registered_commands):
        assert f"## `regard {command}" in written
        assert run([command, "--help"]) == 0
        options = set(re.findall(r"(--[a-z]+)", capsys.readouterr().out))
        assert "--help" in options
        assert {option for option in options if option not in written} == set()


def test_every_kind_of_figure_is_in_the_guide():
    guide = (ROOT / "docs/how-to/figures.md").read_text(encoding="utf-8")
    assert {kind for kind in KINDS if f"| `{kind}` |" not in guide} == set()


def test_every_command_and_option_of_regard_vectors_is_documented(capsys):
    written = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    for command in (one.name for one in vectors.app.registered_commands):
        assert f"`regard vectors {command}" in written
        assert run(["vectors", str(command), "--help"]) == 0
        options = set(re.findall(r"(--[a-z-]+)", capsys.readouterr().out))
        assert {option for option in options if option not in written} == set(), command


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_the_films_are_those_that_the_script_makes_and_they_are_small():
    films = script("films")
    committed = {path.name: path for path in (ROOT / "docs/films").iterdir()}
    assert committed.keys() == {f"{name}.{ending}" for name in films.FILMS for ending in ("gif", "webm")}
    assert all(0 < path.stat().st_size <= films.MOST for path in committed.values())
    for document, of in (("README.md", r"docs/films/(\w+\.\w+)"), ("docs/page.md", r"films/(\w+\.\w+)")):
        shown = re.findall(of, (ROOT / document).read_text(encoding="utf-8"))
        assert set(shown) == committed.keys(), document


def test_the_screenshots_are_those_that_the_script_makes():
    screenshots = script("screenshots")
    committed = {path.name: path for path in (ROOT / "docs/pictures").glob("page-*")}
    assert committed.keys() == screenshots.PICTURES.keys(), "run `make pictures`"
    assert all(path.stat().st_size <= screenshots.MOST for path in committed.values())
    shown = set(re.findall(r"docs/pictures/(page-[\w-]+\.\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert shown == committed.keys()

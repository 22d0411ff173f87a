"""What a formatter leaves as long as it is, text and comments above all, fits the width of the project too."""

from pathlib import Path

WEB = Path(__file__).parents[2] / "web"
WIDTH = 120


def test_no_line_of_the_front_end_is_longer_than_the_others():
    files = [path for folder in ("src", "tests") for path in (WEB / folder).rglob("*") if path.suffix != ".json"]
    lines = [(path, line) for path in files if path.is_file() for line in path.read_text("utf-8").splitlines()]
    assert lines
    assert [f"{path.name}: {line}" for path, line in lines if len(line) > WIDTH] == []

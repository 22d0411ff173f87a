"""How many files of regard are touched on the four walks of ARCHITECTURE.md: those in which some function runs.

    python scripts/walks.py            counts
    python scripts/walks.py explain    and the files of one walk, in the order in which they are entered

Importing a file does not count, so every walk is gone once before; calling into it does. `train` needs torch.
"""

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import regard

SOURCE = Path(regard.__file__).parent


def explain() -> None:
    from regard.cli.main import run

    run(["explain", "The quick brown fox", "--next", "jumps"])


def why() -> None:
    from regard.cli.main import run

    run(["why", "W_Q.grad[0,0]", "--depth", "2"])


def move() -> None:
    trace = regard.explain("The quick brown fox", next="jumps")
    _ = trace.array("loss")
    with touched() as files:
        _ = trace.move("weights[fox,fox]", 0.2).array("loss")
    WALKED["move"] = files


def train() -> None:
    from regard.cli.main import run

    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "notes.txt"
        text.write_text("The quick brown fox jumps over the lazy dog.\n" * 400)
        out = str(Path(folder) / "run")
        small = ["updates=2", "layers=1", "width=16", "heads=2", "vocabulary=300", "batch=2", "window=16"]
        settings = [part for value in small for part in ("--set", value)]
        run(["train", str(text), "--out", out, "--plain", *settings])
        run(["explain", "The quick", "--model", out, "--next", "brown"])


WALKS: dict[str, Callable[[], None]] = {"explain": explain, "why": why, "move": move, "train": train}
WALKED: dict[str, list[str]] = {}


@contextlib.contextmanager
def touched():
    """The files in which functions ran meanwhile, in the order in which they were entered."""
    files: dict[str, None] = {}

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(str(SOURCE)):
            files[str(Path(code.co_filename).relative_to(SOURCE))] = None

    found: list[str] = []
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)
        found += files


def main() -> None:
    for name, walk in WALKS.items():
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            walk()
            with touched() as files:
                walk()
        found = WALKED.get(name, files)
        print(f"{name:8} {len(found)}")
        if name in sys.argv[1:]:
            print("\n".join(f"    {file}" for file in found))


if __name__ == "__main__":
    main()

"""The documents' whys, each switched off in a small training run: the table of docs/whys.md.

    python scripts/whys.py

Two tasks whose answers are known by construction. *cabinet*: four labels with their contents and one label that is
asked for ("ak bm cq dt b" → m); contents are found by matching labels. *first*: two words and which came first
("c a x" → c); nothing but the order decides. A tiny model is trained for each switch and seed; printed are the updates
until the held-out loss is below that of being right nine times in ten, and the held-out loss at the end.
"""

import contextlib
import io
import json
import math
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from regard.cli.main import run

SWITCHES = (
    ("as usual", ()),
    ("K = V", ("roles=keys-are-values",)),
    ("Q = K", ("roles=queries-are-keys",)),
    ("heads added", ("joining=added",)),
    ("one head", ("heads=1",)),
    ("scores not scaled", ("scaling=none",)),
    ("no positions", ("positions=none",)),
)
TINY = ("width=32", "heads=4", "layers=2", "window=8", "batch=64", "vocabulary=512", "evaluate_every=20")
SEEDS, UPDATES, EXAMPLES = 3, 600, 6000
KNOWS = -math.log(0.9)


def cabinet(chance: random.Random) -> tuple[str, str]:
    labels = chance.sample("abcdefgh", 4)
    contents = {label: chance.choice("klmnopqrst") for label in labels}
    asked = chance.choice(labels)
    return " ".join(label + content for label, content in contents.items()) + f" {asked}", contents[asked]


def first(chance: random.Random) -> tuple[str, str]:
    one, two = chance.sample("abcdefgh", 2)
    return f"{one} {two} {chance.choice('xyz')}", one


def trained(task: Callable[[random.Random], tuple[str, str]], settings: tuple[str, ...], seed: int) -> list[dict]:
    """The losses of one run, update by update."""
    with tempfile.TemporaryDirectory() as folder:
        texts, out = Path(folder, "texts.csv"), Path(folder, "run")
        chance = random.Random(7)
        rows = [",".join(task(chance)) for _ in range(EXAMPLES)]
        texts.write_text("\n".join(["text,label", *rows]), encoding="utf-8")
        said = [*TINY, *settings, f"seed={seed}", f"updates={UPDATES}"]
        options = [word for setting in said for word in ("--set", setting)]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            code = run(["train", str(texts), "--task", "classify", "--preset", "toy", "--out", str(out), *options])
        if code:
            raise SystemExit(f"training with {said} ended with code {code}")
        return [json.loads(line) for line in (out / "losses.jsonl").read_text(encoding="utf-8").splitlines()]


def measured(task: Callable[[random.Random], tuple[str, str]], settings: tuple[str, ...]) -> str:
    """The median over seeds: updates until it knows, and the loss at the end."""
    ends, knows = [], []
    for seed in range(SEEDS):
        seen = [report for report in trained(task, settings, seed) if "held_out" in report]
        ends.append(seen[-1]["held_out"])
        knows.append(next((report["update"] for report in seen if report["held_out"] < KNOWS), math.inf))
    needed = median(knows)
    return f"{'never' if needed == math.inf else f'{needed:.0f}'} | {median(ends):.3f}"


def main() -> None:
    print("| switch | `--set` | cabinet: updates | loss | first: updates | loss |")
    print("|---|---|---|---|---|---|")
    for name, settings in SWITCHES:
        said = ", ".join(f"`{setting}`" for setting in settings) or "–"
        print(f"| {name} | {said} | {measured(cabinet, settings)} | {measured(first, settings)} |", flush=True)


if __name__ == "__main__":
    main()

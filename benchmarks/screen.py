"""How long somebody waits for the screen of a deep model, with the word that should follow and without it.

python benchmarks/screen.py

Whole commands, interleaved, so that a slow moment of the machine meets all of them.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 5
REGARD = str(Path(sys.executable).with_name("regard"))
STORY = "Once upon a time there was a little girl who lived in a small house near the sea and"
MOST = 2.0  # a next word adds a backward pass, an update and a second run


def command(words: int, *options: str) -> list[str]:
    story = STORY.split()
    text = " ".join((story * (1 + words // len(story)))[:words])
    return [REGARD, "explain", text, "--model", "english", *options]


def seconds_of(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(arguments, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    for words in (8, 60, 240):
        seconds: dict[str, list[float]] = {"without": [], "with": []}
        for _ in range(ROUNDS):
            seconds["without"].append(seconds_of(command(words)))
            seconds["with"].append(seconds_of(command(words, "--next", "big")))
        without, with_next = (statistics.median(seconds[name]) for name in ("without", "with"))
        told = f"{without:6.2f} s, with --next {with_next:6.2f} s"
        print(f"explain, {words:3d} words: {told}   ratio {with_next / without:.2f}   (goal ≤ {MOST:g})", flush=True)


if __name__ == "__main__":
    main()

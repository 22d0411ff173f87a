"""What flow costs beside a run: the English model, 64 words, medians of interleaved runs and their ratios.

    python benchmarks/flow.py

A forward pass to the logits, the whole backward pass of the margin, the directions (the same with attention, norms,
gates and parameters held) and then the edges of all layers and heads; and a check of 50 edges for 8 words.
"""

import statistics
import time
from collections.abc import Callable
from typing import TypeVar

import regard
from regard.trace import Trace

TEXT = "Once upon a time there was a little girl who lived in a small house near the forest with her mother and a cat. "
WORDS, ROUNDS, CHECKED = 64, 5, 50
SHORT = "Once upon a time there was a little"

Result = TypeVar("Result")


def text_of(words: int) -> str:
    """A text of so many pieces, as the model reads it."""
    text = TEXT * 9
    while len(regard.explain(text, model="english").labels.words["T"]) > words:
        text = text.rpartition(" ")[0]
    return text


def new_run(text: str) -> Trace:
    return regard.explain(text, model="english")


def forward(trace: Trace) -> None:
    _ = trace.array("probabilities"), trace["margin"]


def backward(trace: Trace) -> None:
    for step in trace.backward("margin").gradients:
        _ = step.value


def directions(trace: Trace) -> None:
    for step in trace.measure("toward").values():
        _ = step.value


def edges(trace: Trace) -> None:
    for block in trace.flow().parts.blocks:
        if block.edges is not None:
            _ = block.edges.value


def main() -> None:
    text = text_of(WORDS)
    times: dict[str, list[float]] = {}

    def timed(name: str, run: Callable[[Trace], Result], trace: Trace) -> Result:
        start = time.perf_counter()
        result = run(trace)
        times.setdefault(name, []).append(time.perf_counter() - start)
        return result

    for _ in range(ROUNDS):
        trace = new_run(text)
        timed("forward", forward, trace)
        timed("backward of the margin", backward, trace)
        timed("directions", directions, trace)
        timed("edges", edges, trace)
    median = {name: statistics.median(seconds) for name, seconds in times.items()}
    print(f"{len(trace.labels.words['T'])} pieces")
    for name, seconds in median.items():
        print(f"{name:24s} {1e3 * seconds:9.2f} ms")
    print(f"directions / backward   {median['directions'] / median['backward of the margin']:.2f}   (goal ≤ 1.0)")
    print(f"edges / forward         {median['edges'] / median['forward']:.2f}   (goal ≤ 0.3)")
    short = new_run(SHORT)
    start = time.perf_counter()
    forward(short)
    ours = time.perf_counter() - start
    start = time.perf_counter()
    check = short.flow().check(CHECKED)
    _ = check.correlation
    seconds = time.perf_counter() - start
    print(f"a check of {len(check.edges)} edges, 8 words: {seconds:.2f} s, {seconds / ours:.0f} × a forward pass")


if __name__ == "__main__":
    main()

"""What looking costs: attention in tiles against attention that stores every weight, on the CPU.

    python benchmarks/weights.py                 1,024 to 8,192 tokens
    python benchmarks/weights.py 2048 16384      other lengths; what would not fit is left out

For each length, causal, 8 heads of 64, single precision, medians of interleaved runs: torch's fused attention, which
shows nothing; the kernels that also give the log-sum-exp; the formula that keeps all weights, ours (plain) and as most
write it (eager). Memory is the growth of the process while it runs, each in a process of its own, on Linux. Then what
one question to `Weights` costs.
"""

import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

# threads that wait for each other by spinning make a shared core many times slower; must be said before torch
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
HEADS, WIDTH, ROUNDS = 8, 64, 3
LARGEST = 2**31  # bytes that storing all weights may take here; it holds three such matrices at once
KERNELS = {"sdpa": (), "fused": ("lse",), "blockwise": ("lse",), "plain": ("weights",), "eager": ()}
QUESTIONS: dict[str, Callable] = {
    "received()": lambda weights: weights.received(),
    "entropy()": lambda weights: weights.entropy(),
    "pooled(512, 512)": lambda weights: weights.pooled(512, 512),
    "top(8)": lambda weights: weights.top(8),
    "row(i)": lambda weights: weights.row(-1),
}


def fits(name: str, tokens: int, learns: bool) -> bool:
    held = HEADS * tokens * tokens * 4 * (2 if learns else 1)
    return name not in ("plain", "eager") or held <= LARGEST


def question(tokens: int, name: str, learns: bool = False):
    import torch

    from regard.attending.door import ask
    from regard.attending.masks import causal

    torch.manual_seed(1)
    q, k, v = (torch.randn(1, HEADS, tokens, WIDTH, requires_grad=learns) for _ in "qkv")
    return ask(q, k, v, causal, also=KERNELS[name])


def eager(asked):
    """As most write it when they want the weights."""
    import torch

    from regard.attending.kernels import Answer

    scores = asked.q @ asked.k.mT * asked.scale
    looks_back = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    weights = scores.masked_fill(~looks_back, float("-inf")).softmax(-1)
    return Answer(weights @ asked.v, None, weights)


def run_of(name: str):
    from regard.attending.kernels import KERNELS as ALL

    if name == "eager":
        return eager
    return next(kernel.run for kernel in ALL if kernel.name == name)


def times(tokens: int, learns: bool) -> dict[str, float]:
    names = [name for name in KERNELS if fits(name, tokens, learns)]
    asked = {name: question(tokens, name, learns) for name in names}
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(ROUNDS):  # interleaved, so that a slow moment of the machine meets all of them
        for name in names:
            start = time.perf_counter()
            context = run_of(name)(asked[name]).context
            if learns:
                context.sum().backward()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(each) for name, each in seconds.items()}


def _grown(name: str, tokens: int, learns: bool, answer) -> None:
    asked = question(tokens, name, learns)
    run = run_of(name)
    run(question(64, name))  # what is loaded once is not counted
    before = _megabytes("VmRSS")
    context = run(asked).context
    if learns:
        context.sum().backward()
    answer.put(_megabytes("VmHWM") - before)


def _megabytes(what: str) -> float:
    """What the process holds now (VmRSS) or has held at most (VmHWM); Linux says it here."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(what)) / 1024


def memory(name: str, tokens: int, learns: bool) -> float:
    """Megabytes that the process grows by at most."""
    context = multiprocessing.get_context("spawn")
    answer = context.Queue()
    process = context.Process(target=_grown, args=(name, tokens, learns, answer))
    process.start()
    grown = answer.get()
    process.join()
    return grown


def questions(tokens: int) -> None:
    import numpy as np

    from regard.attending.masks import causal
    from regard.attending.weights import Weights

    generator = np.random.default_rng(1)
    q, k = (generator.normal(size=(tokens, WIDTH)).astype(np.float32) for _ in "qk")
    start = time.perf_counter()
    weights = Weights.from_queries(q, k, visible=causal)
    print(f"  {'log-sum-exp':18s} {1e3 * (time.perf_counter() - start):9.1f} ms")
    for name, asked in QUESTIONS.items():
        start = time.perf_counter()
        asked(weights)
        print(f"  {name:18s} {1e3 * (time.perf_counter() - start):9.1f} ms")


def main() -> None:
    import torch

    lengths = [int(each) for each in sys.argv[1:]] or [1024, 2048, 4096, 8192]
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {HEADS} heads of {WIDTH}, float32, causal")
    for learns in (False, True):
        print("\nforward and backward" if learns else "forward")
        for tokens in lengths:
            found = times(tokens, learns)
            for name, seconds in found.items():
                grown = memory(name, tokens, learns)
                beside = "".join(
                    f"   {seconds / found[peer]:6.2f} × {peer}" for peer in ("sdpa", "eager") if peer in found
                )
                print(f"  {tokens:7,} tokens  {name:10s} {1e3 * seconds:9.1f} ms {grown:8.0f} MB{beside}", flush=True)
    print(f"\nasking Weights about one head of {lengths[-1]:,} tokens, without torch")
    questions(lengths[-1])


if __name__ == "__main__":
    main()

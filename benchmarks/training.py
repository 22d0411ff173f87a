"""One training update against the same update elsewhere: transformers' GPT-2, and nanoGPT if a checkout is at hand.

    python benchmarks/training.py                         # on a CPU: the small preset
    python benchmarks/training.py --peer PATH/TO/nanoGPT  # on a GPU: GPT-2 124M, 64 texts of 1,024 tokens
    python benchmarks/training.py --film --updates 50     # against the same training with a film of all heads

Ours is the whole of what `regard train` does in an update: batches drawn from the text, gradients clipped, the size of
the gradient in each role measured and reported. The others do what nanoGPT's bench.py does: the same numbers every
time, forward, backward, AdamW (the fused one, where there is one), the loss fetched. All take turns, so that what slows
the machine down slows all of them down; a ratio is the median over the rounds.
"""

import argparse
import importlib.util
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard.attending.masks import causal
from regard.models.fast import Fast
from regard.models.network import Network
from regard.training.beginning import starting_parameters
from regard.training.data import Mixture, Tokens
from regard.training.filming import camera_of
from regard.training.loop import Trainer
from regard.training.presets import PRESETS, Plan, values_of

Update = Callable[[], object]
CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}  # the second for a CPU that others use too
BENCH = "nanoGPT's bench.py, alone"
OURS, LONG, THEIRS, PEER = "regard", "regard, stream in float32", "transformers GPT-2, sdpa", "nanoGPT"
FILMED, EVERY = "regard, all heads filmed", 50


class LongStream(Fast):
    """What is added up between the layers stays in float32, as in nanoGPT and transformers."""

    def embed(self, name: str, table: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.embedding(ids, table)


def regard(plan: Plan, device: str, film_every: int = 0, verbs: type[Fast] = Fast) -> Update:
    """The training loop itself, on a random text; one report for each update, with the gradients of every role."""
    pieces = plan.sizes.vocabulary
    settings = plan.sizes.settings(pieces, plan.training.window)
    network = Network(settings, starting_parameters(settings, 0), causal, plan.training.dropout)
    network.verbs = verbs
    text = np.random.default_rng(0).integers(0, pieces, 1_000_000).astype(np.uint16)
    reports = Trainer(network, plan.training, device).train(Mixture({"text": Tokens(text)}, {"text": 1.0}))
    words = [f"piece {number}" for number in range(pieces)]
    camera = camera_of(network, words, Path(tempfile.gettempdir()), film_every, 0)

    def update() -> None:
        report = next(reports)
        assert {"E", "W_Q", "W_K", "W_V", "W_O"} <= set(report.roles)
        if camera is not None:
            camera.look(report.update, report.loss)

    return update


def transformers(plan: Plan, device: str) -> Update:
    from transformers import GPT2Config, GPT2LMHeadModel

    sizes, training = plan.sizes, plan.training
    config = GPT2Config(
        vocab_size=sizes.vocabulary, n_positions=training.window, n_embd=sizes.width, n_layer=sizes.layers,
        n_head=sizes.heads, resid_pdrop=training.dropout, embd_pdrop=training.dropout, attn_pdrop=training.dropout,
        use_cache=False, attn_implementation="sdpa", bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    model = GPT2LMHeadModel(config).to(device).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    run = torch.compile(model) if training.compile else model
    ids, _ = _same_every_time(plan, device)
    return _plain_update(lambda: run(ids, labels=ids).loss, optimiser, plan, device)


def nanogpt(plan: Plan, device: str, checkout: Path) -> Update:
    """Its model and its optimiser, updated as in its bench.py: without biases, which ours has."""
    spec = importlib.util.spec_from_file_location("nanogpt_model", checkout / "model.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["nanogpt_model"] = module
    spec.loader.exec_module(module)
    sizes, training = plan.sizes, plan.training
    config = module.GPTConfig(
        block_size=training.window, vocab_size=_rounded(sizes.vocabulary), n_layer=sizes.layers, n_head=sizes.heads,
        n_embd=sizes.width, dropout=training.dropout, bias=False,
    )  # fmt: skip
    model = module.GPT(config).to(device)
    optimiser = model.configure_optimizers(1e-2, 1e-4, (0.9, 0.95), torch.device(device).type)
    run = torch.compile(model) if training.compile else model
    ids, targets = _same_every_time(plan, device)
    return _plain_update(lambda: run(ids, targets)[1], optimiser, plan, device)


def bench_alone(checkout: Path, batch: int) -> float:
    """Seconds of an update as bench.py itself measures them, in a process of its own."""
    command = [sys.executable, "bench.py", f"--batch_size={batch}", "--real_data=False"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    found = re.search(r"time per iteration: ([\d.]+)ms", done.stdout)
    if not found:
        raise SystemExit(f"bench.py in {checkout} printed no time per iteration:\n{done.stderr[-2000:]}")
    return float(found[1]) / 1e3


def _plain_update(loss_of: Callable[[], Any], optimiser: torch.optim.Optimizer, plan: Plan, device: str) -> Update:
    short = torch.autocast(torch.device(device).type, dtype=torch.bfloat16)
    precision = short if plan.training.precision == "bfloat16" else nullcontext()

    def update() -> None:
        with precision:
            loss = loss_of()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        loss.item()

    return update


def _same_every_time(plan: Plan, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    shape = (plan.training.batch, plan.training.window)
    ids, targets = (torch.randint(plan.sizes.vocabulary, shape, device=device) for _ in range(2))
    return ids, targets


def _rounded(vocabulary: int) -> int:
    return -(-vocabulary // 64) * 64  # nanoGPT reads 50,304 pieces where GPT-2 has 50,257


def seconds(update: Update, updates: int, device: str, clock: Callable[[], float] = time.perf_counter) -> float:
    """Of one update, on average over several."""
    started = clock()
    for _ in range(updates):
        update()
    if device == "cuda":
        torch.cuda.synchronize()
    return (clock() - started) / updates


def contenders(plan: Plan, device: str, checkout: Path | None, film: bool) -> Iterator[tuple[str, Update]]:
    yield OURS, regard(plan, device)
    if film:
        yield FILMED, regard(plan, device, EVERY)
        return
    if plan.training.precision == "bfloat16":
        yield LONG, regard(plan, device, verbs=LongStream)
    yield THEIRS, transformers(plan, device)
    if checkout is not None:
        yield PEER, nanogpt(plan, device, checkout)


def main() -> None:
    parser = argparse.ArgumentParser(description="One training update against the same update elsewhere.")
    parser.add_argument("--preset", choices=PRESETS, help="small on a CPU, gpt2 on a GPU")
    parser.add_argument("--set", action="append", default=[], metavar="name=value", help="as in `regard train`")
    parser.add_argument("--peer", type=Path, metavar="PATH", help="a checkout of nanoGPT")
    parser.add_argument("--film", action="store_true", help="against ourselves, with all heads looked at meanwhile")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--updates", type=int, default=10, help="in each round")
    parser.add_argument("--warm", type=int, default=3, help="updates before the first round")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="processor: seconds of all threads together")
    asked = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    plan = PRESETS[asked.preset or ("gpt2" if device == "cuda" else "small")]
    large = {"batch": 64, "accumulate": 1} if plan is PRESETS["gpt2"] else {}
    # all with AdamW, which the others have
    plan = plan.changed({"updates": 10**6, "optimiser": "adamw", **large, **values_of(asked.set)})
    torch.set_float32_matmul_precision("high")  # as bench.py does
    torch.manual_seed(0)

    machine = torch.cuda.get_device_name() if device == "cuda" else f"CPU, {torch.get_num_threads()} threads"
    sizes, training = plan.sizes, plan.training
    print(f"torch {torch.__version__}, {machine}; {training.precision}, compile {'on' if training.compile else 'off'}")
    print(
        f"{sizes.layers} layers, {sizes.heads} heads, width {sizes.width}, {sizes.vocabulary:,} pieces, "
        f"{training.batch} texts of {training.window:,} tokens; "
        f"{asked.rounds} rounds of {asked.updates} updates, {asked.clock} time\n"
    )
    ready = dict(contenders(plan, device, asked.peer, asked.film))
    for update in ready.values():
        seconds(update, asked.warm, device)
    times: dict[str, list[float]] = {name: [] for name in ready}
    for turn in range(asked.rounds):
        for name in list(ready) if turn % 2 else reversed(ready):
            times[name].append(seconds(ready[name], asked.updates, device, CLOCKS[asked.clock]))
    if asked.peer is not None and device == "cuda" and sizes.width == 768:  # bench.py knows this size alone
        ready.clear()
        torch.cuda.empty_cache()
        times[BENCH] = [bench_alone(asked.peer, training.batch)]

    tokens = training.batch * training.accumulate * training.window
    print(f"{'':28s} {'ms/update':>10s} {'from':>8s} {'to':>8s} {'tokens/s':>10s} {'regard is':>10s}")
    for name, taken in times.items():
        middle = statistics.median(taken)
        ratio = "" if name == OURS else f"{_times_as_fast(taken, times[OURS]):9.3f}×"
        print(
            f"{name:28s} {1e3 * middle:10.2f} {1e3 * min(taken):8.2f} {1e3 * max(taken):8.2f} "
            f"{tokens / middle:10,.0f} {ratio}"
        )


def _times_as_fast(theirs: list[float], ours: list[float]) -> float:
    """The median over the rounds; over all of ours where theirs were measured alone."""
    if len(theirs) == len(ours):
        return statistics.median(a / b for a, b in zip(theirs, ours))
    return statistics.median(theirs) / statistics.median(ours)


if __name__ == "__main__":
    main()

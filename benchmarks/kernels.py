"""Looking at attention, beside computing it: the look kernel against every way torch has, on one GPU.

    python benchmarks/kernels.py                       goals, at 8,192 and 32,768 tokens; every backend as a row
    python benchmarks/kernels.py --check 22 --part 3   22 random shapes and masks against float64, of one width and type
    python benchmarks/kernels.py --profile             what each kernel takes, at 32,768 tokens
    python benchmarks/kernels.py --tiles               other ways to cut the work, beside the one that is taken
    python benchmarks/kernels.py --long                a million tokens of one layer; tiles for the page
    python benchmarks/kernels.py --model 131072        SmolLM2-135M's shape, each layer looked at and dropped

Ratios are to the fastest backend's forward on the same inputs, in one process, by turns; medians, and from the smallest
to the largest. All inputs are random, in bfloat16, and causal. Without a GPU there is nothing to measure.
"""

import argparse
import gc
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch.nn.attention import SDPBackend, sdpa_kernel

from regard.attending.bias import ByDistance
from regard.attending.checkup import ratio
from regard.attending.kernels import planning
from regard.attending.kernels.arguments import Tile
from regard.attending.kernels.heads import Heads
from regard.attending.kernels.looking import at, heads_of, look, top
from regard.attending.kernels.looking import weights as tile_of
from regard.attending.pooling import edges
from regard.attending.spans import Spans

SHAPES = ((64, 8), (128, 4))  # head width, heads
ALLOWED = 5e-5  # of a norm, where twice the plain formula's error is less
BURST = 3  # runs in a row, so that the GPU does not wait for Python
EVERYTHING = ("received", "entropy", "mean_distance", "largest")
TILES = (Tile(128, 64, 4, 3), Tile(128, 64, 4, 4), Tile(64, 64, 4, 3), Tile(64, 64, 4, 4))
WIDTHS = (
    *((64, "bfloat16"), (64, "float16"), (64, "float32"), (72, "bfloat16"), (72, "float32"), (80, "float16")),
    *((96, "bfloat16"), (128, "bfloat16"), (128, "float32"), (16, "bfloat16"), (32, "float16"), (192, "bfloat16")),
    *((256, "float16"), (256, "bfloat16"), (40, "float16")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokens", type=int, nargs="*", default=[8192, 32768])
    parser.add_argument("--check", type=int, metavar="CASES")
    parser.add_argument("--part", type=int, default=0, help=f"which width and type, 0 to {len(WIDTHS) - 1}")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--tiles", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--model", type=int, metavar="TOKENS")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--scratch", type=int, metavar="MB", help="what it would cost to use less, or more, than 256")
    given = parser.parse_args()
    if given.scratch:
        planning.SCRATCH = given.scratch * 2**20
    if not torch.cuda.is_available():
        raise SystemExit("there is no GPU to measure on; tests/attending/test_look_kernel.py runs the kernel on a CPU")
    if given.check:
        check(given.check, given.part)
        return
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}, {clocks()}")
    if given.long:
        long()
    elif given.profile:
        for width, heads in SHAPES:
            profile(width, heads, 32768)
    elif given.tiles:
        for width, heads in SHAPES:
            tiles(width, heads, 32768, given.rounds)
    elif given.model:
        model(given.model, given.rounds)
    else:
        for width, heads in SHAPES:
            for tokens in given.tokens:
                goals(width, heads, tokens, given.rounds)


def clocks() -> str:
    return f"SM {torch.cuda.clock_rate()} MHz now"


# how long


def goals(width: int, heads: int, tokens: int, rounds: int) -> None:
    q, k, v = (torch.randn(1, heads, tokens, width, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    seen = heads_of(q, k, with_lse(q, k, v)[1], Spans.from_first(tokens, tokens), 1 / math.sqrt(width))
    runs: dict[str, Callable[[], Any]] = {
        "cuDNN": lambda: sdpa(q, k, v, SDPBackend.CUDNN_ATTENTION),
        "flash": lambda: sdpa(q, k, v, SDPBackend.FLASH_ATTENTION),
        "efficient": lambda: sdpa(q, k, v, SDPBackend.EFFICIENT_ATTENTION),
        "FlexAttention": flex(q, k, v),
        "cuDNN with log-sum-exp": lambda: with_lse(q, k, v),
        "column sums + map": lambda: look(seen, ("received",)),
        "row statistics": lambda: look(seen, EVERYTHING[1:]),
        "everything": lambda: everything(seen),
        "everything + top 8": lambda: everything(seen, 8),
        "top 8 alone": lambda: top(seen, 8),
    }
    if heads * tokens**2 * 2 * 4 < 60e9:
        runs |= {"math": lambda: sdpa(q, k, v, SDPBackend.MATH), "eager": lambda: eager(q, k, v)}
    times = by_turns(runs, rounds)
    fastest = min(
        (statistics.median(times[n]), n) for n in ("cuDNN", "flash", "efficient", "FlexAttention") if times[n]
    )
    print(f"\nwidth {width}, {heads} heads, {tokens:,} tokens, causal; fastest: {fastest[1]}")
    for name, taken in times.items():
        if not taken:
            print(f"  {name:24} not available here")
            continue
        share = [x / fastest[0] for x in (statistics.median(taken), min(taken), max(taken))]
        print(
            f"  {name:24} {statistics.median(taken):9.3f} ms   {share[0]:6.2f}  ({share[1]:.2f}–{share[2]:.2f})",
            flush=True,
        )


def tiles(width: int, heads: int, tokens: int, rounds: int) -> None:
    """Rows, keys, warps, stages and registers."""
    q, k, v = (torch.randn(1, heads, tokens, width, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    seen = heads_of(q, k, with_lse(q, k, v)[1], Spans.from_first(tokens, tokens), 1 / math.sqrt(width))
    asked: dict[str, dict[str, Any]] = {
        "column sums + map": {"what": ("received",)},
        "everything": {"what": EVERYTHING},
        "everything + top 8": {"what": EVERYTHING, "top": 8},
    }
    runs: dict[str, Callable[[], Any]] = {"cuDNN with log-sum-exp": lambda: with_lse(q, k, v)}
    for (name, given), tile in product(asked.items(), TILES):
        if tile.rows == 64 or name == "column sums + map":
            runs[f"{name}, {', '.join(map(str, tile))}"] = partial(look, seen, tile=tile, **given)
    times = by_turns(runs, rounds)
    forward = statistics.median(times["cuDNN with log-sum-exp"])
    print(f"\nwidth {width}, {heads} heads, {tokens:,} tokens, causal")
    for name, taken in times.items():
        share = [x / forward for x in (statistics.median(taken), min(taken), max(taken))] if taken else [math.nan] * 3
        print(f"  {name:60} {share[0]:6.3f}  ({share[1]:.3f}–{share[2]:.3f})", flush=True)


def profile(width: int, heads: int, tokens: int) -> None:
    from torch.profiler import ProfilerActivity
    from torch.profiler import profile as profiled

    q, k, v = (torch.randn(1, heads, tokens, width, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    seen = heads_of(q, k, with_lse(q, k, v)[1], Spans.from_first(tokens, tokens), 1 / math.sqrt(width))
    for name, run in {
        "forward with log-sum-exp": lambda: with_lse(q, k, v),
        "column sums + map": lambda: look(seen, ("received",)),
        "everything": lambda: everything(seen),
        "everything + top 8": lambda: everything(seen, 8),
        "top 8 alone": lambda: top(seen, 8),
    }.items():
        run()
        torch.cuda.synchronize()
        with profiled(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as found:
            start = time.perf_counter()
            for _ in range(BURST):
                run()
            launched = (time.perf_counter() - start) * 1e3 / BURST
            torch.cuda.synchronize()
        own = [(x.self_device_time_total / 1e3 / BURST, x.key[:40], x.count // BURST) for x in found.key_averages()]
        parts = ", ".join(f"{name} {ms:.3f} ({count})" for ms, name, count in sorted(own, reverse=True) if ms > 0.002)
        print(f"width {width}, {name}: {launched:.2f} ms to launch; ms on the GPU (launches): {parts}", flush=True)


def everything(seen: Heads, count: int = 0) -> None:
    look(seen, EVERYTHING, top=count)
    at(seen, (0, 1), back=True)
    at(seen, (0,), back=False)


def by_turns(runs: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds on the GPU; the first two turns warm up."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds + 2):
        for name, run in list(runs.items()):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            try:
                begin.record()
                for _ in range(BURST):
                    run()
                end.record()
                torch.cuda.synchronize()
            except RuntimeError:
                del runs[name]
                continue
            if turn > 1:
                times[name].append(begin.elapsed_time(end) / BURST)
    return times


def sdpa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, backend: SDPBackend) -> torch.Tensor:
    with sdpa_kernel(backend):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def with_lse(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    context, lse = torch.ops.aten._scaled_dot_product_cudnn_attention(q, k, v, None, True, 0.0, True)[:2]
    return context, lse.reshape(q.shape[:3])


def eager(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).triu(1)
    return scores.masked_fill_(hidden, -math.inf).softmax(-1) @ v


def flex(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> Callable[[], Any]:
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    mask = create_block_mask(lambda b, h, i, j: j <= i, None, None, q.shape[2], k.shape[2], device="cuda")
    compiled = torch.compile(flex_attention)
    return lambda: compiled(q, k, v, block_mask=mask)


# how large


def long(tokens: int = 1 << 20) -> None:
    for size in (tokens, 131072):
        q, k, v = (torch.randn(1, 1, size, 64, device="cuda", dtype=torch.bfloat16) for _ in range(3))
        seen = heads_of(q, k, with_lse(q, k, v)[1], Spans.from_first(size, size), 1 / 8)
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        times = by_turns({"forward": lambda: with_lse(q, k, v), "everything": lambda: everything(seen)}, 1)
        medians = {name: statistics.median(taken) for name, taken in times.items()}
        more = (torch.cuda.max_memory_allocated() - before) / 1e6
        print(f"{size:,} tokens of one head of 64: {medians} ms, at most {more:.0f} MB more")
        found = look(seen, EVERYTHING)
        assert found.received is not None
        print(f"  received in all: {float(found.received.double().sum()):.3f} of {size}")
    from regard.attending.on_device import OnDevice, Tensors

    weights, part = OnDevice(Tensors(seen, (1, 1)))[0, 0], (slice(90000, 90256), slice(50000, 50256))
    of_tile = seen.part(slice(0, 1), slice(0, 1), *part)
    for name, ask in {
        "of a tile, cutting it out": lambda: seen.part(slice(0, 1), slice(0, 1), *part),
        "of a tile, its kernel": lambda: tile_of(of_tile),
        "of a tile, its kernel and the copy": lambda: tile_of(of_tile).cpu(),
        "a tile of 256 × 256": lambda: weights.tile((90000, 90256), (50000, 50256)),
        "a row": lambda: weights.row(131000),
        "a zoom, 4,096 × 4,096 pooled to 256 × 256": lambda: weights.pooled(
            256, 256, rows=(90000, 94096), keys=(50000, 54096)
        ),
        "weights on the token before, of all rows": lambda: weights.back([1]),
    }.items():
        ask()
        taken = []
        for _ in range(9):
            torch.cuda.synchronize()
            start = time.perf_counter()
            ask()
            taken.append((time.perf_counter() - start) * 1e3)
        spread = f"{min(taken):.2f}–{max(taken):.2f}"
        print(f"  {name}: {statistics.median(taken):.2f} ms ({spread}), the copy to NumPy included")


@torch.inference_mode()
def model(tokens: int, rounds: int) -> None:
    import regard
    from checkpoint import SHAPE
    from watch_ways import made, plainly

    llama = made("sdpa", SHAPE).to("cuda", torch.bfloat16)
    ids = torch.randint(0, 49152, (1, tokens), device="cuda")
    kept: list[Any] = []

    def looked() -> torch.Tensor:
        kept.clear()
        with regard.watch(llama, each=lambda layer: kept.append(layer.looked())):
            return plainly(llama, ids).logits

    runs = {"unwatched": lambda: plainly(llama, ids).logits, "looked": looked}
    assert torch.equal(plainly(llama, ids).logits, looked())
    times: dict[str, list[float]] = {name: [] for name in runs}
    peaks = dict.fromkeys(runs, 0.0)
    model_bytes = sum(x.numel() * x.element_size() for x in llama.parameters())
    for turn in range(rounds + 1):
        for name, run in runs.items():
            gc.collect()
            torch.cuda.reset_peak_memory_stats()
            torch.cuda.synchronize()
            start = time.perf_counter()
            run()
            torch.cuda.synchronize()
            if turn:
                times[name].append((time.perf_counter() - start) * 1e3)
            peaks[name] = (torch.cuda.max_memory_allocated() - model_bytes) / 1e9
    plain, seen = (statistics.median(times[name]) for name in runs)
    spread = f"{min(times['looked']) / plain:.2f}–{max(times['looked']) / plain:.2f}"
    print(f"SmolLM2-135M's shape, {tokens:,} tokens: {plain:.0f} ms; every layer looked at in every way and dropped: ")
    print(f"  {seen:.0f} ms, {seen / plain:.2f} ({spread}); logits the same; {len(kept)} layers")
    print(f"  above the model at most {peaks['unwatched']:.2f} GB unwatched, {peaks['looked']:.2f} GB looked at")


# how right


def check(cases: int, part: int) -> None:
    """Every answer of the kernel against float64, as a multiple of the plain formula's error in the same precision."""
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = True  # what is not written stays NaN
    width, dtype = WIDTHS[part][0], getattr(torch, WIDTHS[part][1])
    chance, worst, failed = random.Random(part), {}, 0
    torch.manual_seed(part)
    for name, given, scale in problems(cases, 5 * part, width, dtype, chance):
        print(name, flush=True)
        exact, plainly = (by_definition(**given, scale=scale, dtype=x) for x in (torch.float64, dtype))
        heads = heads_of(
            given["q"], given["k"], lse_of(exact, chance, given["sinks"]),
            given["visible"], scale, given["bias"], given["cap"], given["sinks"],
        )  # fmt: skip
        # few heights: for each height of a strip, another kernel is compiled
        height, across = chance.choice((-(-heads.shape[2] // 8), 1)), chance.choice((5, 256))
        found, again = (answers(heads, height, across) for _ in range(2))
        for what in found:
            if not torch.equal(found[what], again[what]):
                failed += 1
                print(f"{name}: {what} differs from run to run")
        for what, reference in pooled(exact, height, across).items():
            plain = pooled(plainly, height, across)[what].double()
            errors = [float((x.double() - reference).norm()) for x in (found[what], plain)]
            if math.isnan(errors[1]):  # float16 has no number for a score of 70,000
                continue
            # where the formula is exact, as for one key: what a log-sum-exp of up to 300 in float32 allows; an entropy
            # of 0 is as near to it as others are
            size = float(reference.norm()) + (math.sqrt(reference.numel()) if what == "entropy" else 0.0)
            times = ratio(errors[0], errors[1], ALLOWED / 2 / 1e-8 * size + 1e-30)
            worst[what] = max(times, worst.get(what, 0.0))
            if not times <= 2.0:
                failed += 1
                print(f"{name}: {what} is off by {errors[0]:.2e}, the plain formula by {errors[1]:.2e}: {times:.2f}")
        most = exact["p"].gather(-1, found["read_most"].clamp(min=0).long()[..., None])[..., 0]
        if float((most - exact["p"].amax(-1)).abs().max()) > max(
            1e-4, 2 * float((plainly["p"].double() - exact["p"]).abs().max())
        ):
            failed += 1
            print(f"{name}: the key that is read most is another")
        if (wrong := misplaced(found["top_keys"], found["top"], exact["p"], plainly["p"])) is not None:
            failed += 1
            print(f"{name}: the keys that are read most {wrong}")
        if not torch.equal(found["read_most"] == -1, ~exact["sees"]):
            failed += 1
            print(f"{name}: rows that see nothing have a key")
    most = {name: round(times, 2) for name, times in worst.items()}
    print(f"width {width}, {WIDTHS[part][1]}: {cases} cases, {failed} failed; at most {most}")


def misplaced(keys: torch.Tensor, best: torch.Tensor, exact: torch.Tensor, plainly: torch.Tensor) -> str | None:
    """What is wrong about the keys that are read most; None if nothing is."""
    allowed = max(1e-4, 2 * float((plainly.double() - exact).abs().max()))
    of_keys = exact.gather(-1, keys.clamp(min=0).long()).masked_fill(keys < 0, 0.0)
    if float((of_keys - exact.sort(-1, descending=True)[0][..., : keys.shape[-1]]).abs().max()) > allowed:
        return "are others"
    ordered = keys.masked_fill(keys < 0, exact.shape[-1]).sort(-1)[0]
    if ((ordered[..., 1:] == ordered[..., :-1]) & (ordered[..., 1:] < exact.shape[-1])).any():
        return "come twice"
    same = best[..., 1:] == best[..., :-1]
    later_first = same & (keys.diff() < 0) & (keys[..., 1:] >= 0)
    return "are not in order" if (best.diff() > 0).any() or later_first.any() else None


def lse_of(exact: dict, chance: random.Random, sinks: Any) -> torch.Tensor | None:
    """Half of the time as a library gives it, unless it is so large that one float32 knows too few of its digits."""
    known = exact["lse"].masked_fill(exact["lse"].isinf(), 0.0).abs().max() < 300 and sinks is None
    return exact["lse"] if known and chance.random() < 0.5 else None


def problems(
    cases: int, first: int, width: int, dtype: torch.dtype, chance: random.Random
) -> Iterator[tuple[str, dict, float]]:
    """Every kind of mask, from another one on for each part."""
    spans = ("full", "causal", "window", "padding", "packed", "sinks", "hidden")
    kinds = (*spans, *spans, *("gaps", "matrix", "distance", "cap") * 2)
    for case in range(cases):
        kind = kinds[(first + case) % len(kinds)]
        groups, shared, batch = chance.choice((1, 2, 3)), chance.choice((1, 2, 4)), chance.choice((1, 2))
        keys = chance.choice((1, 2, 127, 129, 512, chance.randint(3, 700)))
        if case == 8:
            keys, batch, groups = 4097, 1, 1
        queries = keys if chance.random() < 0.6 else chance.randint(1, keys)
        large = 100.0 if chance.random() < 0.2 else 1.0
        heads = groups * shared

        def numbers(count: int, tokens: int, size: float) -> torch.Tensor:
            whole = torch.randn(batch, tokens, count, width, device="cuda") * size
            return whole.to(dtype).transpose(1, 2)  # as models hand them over: not contiguous

        q, k = numbers(heads, queries, large), numbers(groups, keys, 1.0)
        given: dict[str, Any] = {"q": q, "k": k, "visible": None, "bias": None, "cap": None, "sinks": None}
        place, row = np.arange(keys), np.arange(keys - queries, keys)[:, None]
        before = place <= row
        if kind in ("causal", "distance", "sinks"):
            given["visible"] = Spans.of(before)
        if kind == "window":
            given["visible"] = Spans.of(before & (place > row - chance.randint(1, 200)))
        if kind == "padding":
            lengths = np.array([chance.randint(1, keys) for _ in range(batch)])
            given["visible"] = Spans.of(
                np.broadcast_to((place < lengths[:, None, None])[:, None], (batch, 1, queries, keys))
            )
        if kind == "packed":
            text = np.sort(np.array([chance.randint(0, 4) for _ in range(keys)]))
            given["visible"] = Spans.of(before & (text == text[row[:, 0]][:, None]))
        if kind == "gaps":
            given["visible"] = torch.rand(batch, 1, queries, keys, device="cuda") < chance.choice((0.02, 0.5))
        if kind == "hidden":
            seen = before.copy()
            seen[:: chance.randint(1, 3)] = False
            given["visible"] = Spans.of(seen)
        if kind == "matrix":
            given["bias"] = torch.randn(1, heads, queries, keys, device="cuda")
        if kind == "distance":
            given["bias"] = ByDistance(torch.randn(heads, chance.randint(1, 40), device="cuda"))
        if kind == "cap":
            given["cap"] = chance.choice((2.0, 50.0))
        if kind == "sinks":
            given["sinks"] = torch.randn(heads, device="cuda")
        yield f"{kind} {tuple(q.shape)} × {tuple(k.shape)}{' × 100' * (large > 1)}", given, 1 / math.sqrt(width)


def by_definition(
    q: Any, k: Any, visible: Any, bias: Any, cap: Any, sinks: Any, scale: float, dtype: torch.dtype
) -> dict:
    """The weights, one matrix, in one precision; and the log-sum-exp."""
    queries, keys = q.shape[2], k.shape[2]
    place = torch.arange(keys, device=q.device)
    row = torch.arange(keys - queries, keys, device=q.device)
    scores = q.to(dtype) @ k.to(dtype).repeat_interleave(q.shape[1] // k.shape[1], 1).mT * scale
    if cap is not None:
        scores = cap * (scores / cap).tanh()
    if isinstance(bias, ByDistance):
        scores = scores + bias.tile(row, place).to(dtype)
    elif bias is not None:
        scores = scores + bias.to(dtype)
    seen = torch.ones(queries, keys, dtype=torch.bool, device=q.device)
    if isinstance(visible, Spans):
        begin, end = (
            torch.from_numpy(np.ascontiguousarray(x)).to(q.device)[..., None] for x in (visible.begin, visible.end)
        )
        seen = (place >= begin) & (place < end)
    elif visible is not None:
        seen = visible
    seen = seen.expand(scores.shape)
    scores = scores.masked_fill(~seen, -math.inf)
    if sinks is not None:
        scores = torch.cat([scores, sinks.to(dtype)[:, None, None].expand(*scores.shape[:3], 1)], -1)
    peak = scores.amax(-1, keepdim=True).clamp(min=-1e30)
    exps = (scores - peak).exp()
    total = exps.sum(-1, keepdim=True)
    p = (exps / total.masked_fill(total == 0, 1.0))[..., :keys]
    lse = (peak + total.log())[..., 0].masked_fill(total[..., 0] == 0, -math.inf)
    return {"p": p, "lse": lse, "apart": (row[:, None] - place).abs(), "sees": (p > 1e-38).any(-1)}


def pooled(of: dict, height: int, width: int) -> dict[str, torch.Tensor]:
    """What is asked, from the matrix."""
    p = of["p"]
    down, across = (torch.from_numpy(edges(0, n, cells)) for n, cells in ((p.shape[2], height), (p.shape[3], width)))
    rows = torch.stack([p[:, :, a:b].sum(2) for a, b in pairwise(down)], 2)
    picture = torch.stack([rows[..., a:b].sum(-1) for a, b in pairwise(across)], -1)
    logarithm = p.log().masked_fill(p == 0, 0.0)
    first = p.shape[3] - p.shape[2]
    previous = torch.zeros_like(p[..., 0])
    reach = slice(max(0, 1 - first), None)
    previous[..., reach] = (
        torch.diagonal(p, first - 1, -2, -1)[..., : previous[..., reach].shape[-1]]
        if first
        else torch.diagonal(p, -1, -2, -1)
    )
    best = torch.sort(p, -1, descending=True)[0][..., :8]
    return {
        "received": p.sum(2),
        "received alone": p.sum(2),
        "picture": picture,
        "entropy": -(p * logarithm).sum(-1),
        "mean_distance": (p * of["apart"].to(p.dtype)).sum(-1),
        "largest": p.amax(-1),
        "given": p.sum(-1),
        "top": best,
        "back": previous,
    }


def answers(heads: Heads, height: int, width: int) -> dict[str, torch.Tensor]:
    found = look(heads, (*EVERYTHING, "given"), height, width)
    named = ("received", "picture", "entropy", "mean_distance", "largest", "given", "read_most")
    keys, best = top(heads, min(8, heads.shape[3]))
    more = {"top": best, "top_keys": keys, "back": at(heads, (1,), back=True)[:, :, 0]}
    alone = look(heads, ("received",), height, width).received  # another kernel than with row statistics
    assert alone is not None
    return {name: getattr(found, name) for name in named} | more | {"received alone": alone}


if __name__ == "__main__":
    main()

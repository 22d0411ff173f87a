"""What watching costs: a whole model with SmolLM2-135M's shape (random parameters), watched and not, in one run.

    python benchmarks/watch.py                       512, 2,048 and 8,192 tokens on the CPU
    python benchmarks/watch.py --device cuda 2048 8192 32768

sdpa is the model as it is; watched keeps q, k, v and log-sum-exp of every layer; looked also asks every layer for all
there is to ask, in one pass; eager is transformers with output_attentions=True, where its weights fit. Medians of
interleaved runs, as multiples of sdpa; and the largest difference of the logits, which must be 0.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
import transformers

import regard
from checkpoint import SHAPE

MOST_BYTES = {"cpu": 12e9, "cuda": 100e9}  # that eager's weights may take, all layers together


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokens", type=int, nargs="*", default=[512, 2048, 8192])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--layers", type=int, default=SHAPE["num_hidden_layers"])
    given = parser.parse_args()
    dtype = torch.float32 if given.device == "cpu" else torch.bfloat16
    model, eager = (made(name, given.layers).to(given.device, dtype) for name in ("sdpa", "eager"))
    eager.load_state_dict(model.state_dict())
    name = torch.cuda.get_device_name() if given.device == "cuda" else f"CPU, {torch.get_num_threads()} threads"
    print(f"{name}, torch {torch.__version__}, transformers {transformers.__version__}, {dtype}, {given.layers} layers")
    heads = f"{'sdpa':>9} {'watched':>8} {'looked':>8} {'eager':>8}"
    print(f"{'tokens':>8} {heads}   kept      logits differ   verified   kernel")
    for tokens in given.tokens:
        compare(model, eager, tokens, given)


def made(attention: str, layers: int) -> Any:
    torch.manual_seed(1)
    config = transformers.LlamaConfig(**{**SHAPE, "num_hidden_layers": layers, "max_position_embeddings": 1 << 20})
    config._attn_implementation = attention
    return transformers.LlamaForCausalLM._from_config(config).eval()


@torch.inference_mode()
def compare(model: Any, eager: Any, tokens: int, given: Any) -> None:
    ids = torch.randint(0, SHAPE["vocab_size"], (1, tokens), device=given.device)
    runs: dict[str, Callable[[], Any]] = {"sdpa": lambda: plainly(model, ids), "watched": lambda: watched(model, ids)}
    if given.device == "cpu":
        runs["looked"] = lambda: looked(model, ids)
    if (
        given.layers * SHAPE["num_attention_heads"] * tokens**2 * (4 if given.device == "cpu" else 2)
        < MOST_BYTES[given.device]
    ):
        runs["eager"] = lambda: plainly(eager, ids, output_attentions=True)
    times: dict[str, list[float]] = {name: [] for name in runs}
    answer, seen = watched(model, ids)
    differs = float((answer - plainly(model, ids)).abs().max())
    verified = seen.verify().worst if tokens <= 8192 else float("nan")
    kept, kernel = seen.bytes, seen.layers[0].kernel
    del answer, seen
    for turn in range(given.rounds + 1):  # the first warms up
        for name, run in runs.items():
            gc.collect()
            wait(given.device)
            start = time.perf_counter()
            run()
            wait(given.device)
            if turn:
                times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    ratios = [
        f"{medians[n] / medians['sdpa']:7.2f}×" if n in medians else "      –" for n in ("watched", "looked", "eager")
    ]
    print(
        f"{tokens:8,} {medians['sdpa'] * 1e3:7.0f} ms {' '.join(f'{r:>8}' for r in ratios)}   {kept / 1e6:6.0f} MB "
        f"{differs:10.1g} {verified:14.1e}   {kernel}",
        flush=True,
    )


def plainly(model: Any, ids: torch.Tensor, **more: Any) -> torch.Tensor:
    return model(ids, use_cache=False, logits_to_keep=1, **more).logits


def watched(model: Any, ids: torch.Tensor) -> Any:
    with regard.watch(model) as seen:
        return plainly(model, ids), seen


def looked(model: Any, ids: torch.Tensor) -> None:
    _, seen = watched(model, ids)
    for layer in seen.layers:
        seen.look(layer.number)


def wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()

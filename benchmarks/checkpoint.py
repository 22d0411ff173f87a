"""Looking into a real checkpoint against running it in transformers: time to load, describe and run, and memory.

    python benchmarks/checkpoint.py [FOLDER]

FOLDER is a Hugging Face folder of a causal language model; default: a random Llama of the size of SmolLM2-135M in
bfloat16, made in a temporary folder. Each side runs in a process of its own, in turns; the medians of their numbers
and the ratios are printed; for a busy machine, those of processor time too (with OMP_NUM_THREADS=1: threads that wait
for each other count as working). Theirs runs in float32, as eager code, and makes the logits of the last word, as ours
does.
"""

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TURNS, RUNS = 3, 7
TEXT = "The capital of France is Paris, and the capital of"
SHAPE = {
    "vocab_size": 49152,
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": True,
}
GOALS = {"load": 1.0, "loading": 1.0, "forward": 1.5, "processor": 1.5, "peak": 1.5}
ROWS = {
    "load": "load",
    "loading": "load, processor time",
    "forward": "forward",
    "processor": "forward, processor time",
}
DESCRIBE_GOAL = 0.1  # seconds


def ours(folder: str) -> dict[str, float]:
    from regard.models.huggingface.folder import huggingface

    importlib.import_module("tokenizers")
    load, loading, model = timed(lambda: huggingface(folder))
    describe: list[float] = []
    forward: list[tuple[float, float]] = []
    for _ in range(RUNS):  # one run at a time is held, as theirs holds one
        described, _, trace = timed(lambda: model.run(TEXT))
        describe.append(described)
        forward.append(timed(lambda trace=trace: trace.array("logits"))[:2])
    first, *later = describe
    return {
        "load": load,
        "loading": loading,
        "describe first": first,
        "describe": statistics.median(later),
        **medians(forward),
        "peak": peak(),
        "tokens": len(trace.info["tokens"]),
    }


def theirs(folder: str) -> dict[str, float]:
    import torch
    from transformers import AutoTokenizer, LlamaForCausalLM  # noqa: F401  imports are not part of loading
    from transformers.models.auto.modeling_auto import AutoModelForCausalLM

    def loaded() -> tuple[Any, Any]:
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
        return model.eval(), AutoTokenizer.from_pretrained(folder)

    load, loading, (model, tokenizer) = timed(loaded)
    ids = tokenizer(TEXT, return_tensors="pt").input_ids
    with torch.no_grad():
        forward = [timed(lambda: model(ids, logits_to_keep=1).logits)[:2] for _ in range(RUNS)]
    size = sum(parameter.numel() for parameter in model.parameters()) * 4
    return {"load": load, "loading": loading, **medians(forward), "peak": peak(), "float32": size}


def made(folder: str) -> dict[str, float]:
    """A random model and a tokenizer with as many pieces: every byte, and pairs of bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    torch.manual_seed(1)
    LlamaForCausalLM(LlamaConfig(**SHAPE)).to(torch.bfloat16).save_pretrained(folder)
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    pairs = [(a, b) for a in letters for b in letters][: SHAPE["vocab_size"] - len(letters)]
    pieces = [*letters, *(a + b for a, b in pairs)]
    tokenizer = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder)
    return {}


def timed(run: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds by the clock, seconds of a processor, and the result."""
    start, begun = time.perf_counter(), time.process_time()
    result = run()
    return time.perf_counter() - start, time.process_time() - begun, result


def medians(forward: list[tuple[float, float]]) -> dict[str, float]:
    waited, worked = zip(*forward)
    return {"forward": statistics.median(waited), "processor": statistics.median(worked)}


def peak() -> float:
    """The most bytes of this process that were in memory at once. getrusage would count the parent's, too."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


SIDES = {"ours": ours, "theirs": theirs, "made": made}


def alone(side: str, folder: str) -> dict[str, float]:
    """One side in a process of its own."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(
        [sys.executable, __file__, folder, "--side", side], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{side} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def compared(folder: str) -> None:
    turns = [{side: alone(side, folder) for side in ("ours", "theirs")} for _ in range(TURNS)]
    median = {
        side: {name: statistics.median(turn[side][name] for turn in turns) for name in turns[0][side]}
        for side in turns[0]
    }
    ours, theirs = median["ours"], median["theirs"]
    size = theirs["float32"]
    print(f"{folder}: {size / 4e6:.0f} M parameters, {size / 1e6:.0f} MB in float32, {ours['tokens']:.0f} tokens")
    for name, said in ROWS.items():
        ratio = ours[name] / theirs[name]
        print(f"{said:25s} {ours[name]:7.3f} s   transformers {theirs[name]:7.3f} s   ratio {ratio:5.2f}"
              f"   (goal ≤ {GOALS[name]})")  # fmt: skip
    print(f"{'describe':25s} {ours['describe']:7.3f} s   first time {ours['describe first']:.3f} s"
          f"   (goal ≤ {DESCRIBE_GOAL})")  # fmt: skip
    print(f"{'peak':25s} {ours['peak'] / 1e6:7.0f} MB  transformers {theirs['peak'] / 1e6:7.0f} MB"
          f"  of the checkpoint's size {ours['peak'] / size:5.2f}   (goal ≤ {GOALS['peak']})")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        print(json.dumps(SIDES[arguments.side](arguments.folder)))
    elif arguments.folder:
        compared(arguments.folder)
    else:
        with tempfile.TemporaryDirectory() as folder:
            alone("made", folder)
            compared(folder)


if __name__ == "__main__":
    main()

"""What watching costs: a whole model with SmolLM2-135M's shape (random numbers), watched and not, and its peers.

    OMP_NUM_THREADS=1 python benchmarks/watch.py                    512, 2,048 and 8,192 tokens on the CPU
    … --peers PYTHON                                                with TransformerLens and BertViz, of that Python
    python benchmarks/watch.py 2048 8192 32768 --device cuda --rounds 15

sdpa is the model as it is; watched keeps q, k, v and log-sum-exp of every layer; looked also asks every layer for all
there is to ask, in one pass; received, on a GPU, for what each key gets and a map; dropped does so while the model runs
and keeps no layer; eager is transformers with output_attentions=True; TransformerLens is its run_with_cache,
of patterns; BertViz is eager and then head_view, up to the page that it would show. Each way but the first two has a
process of its own (watch_ways.py), in which it and sdpa run by turns: medians of processor time on a CPU, so that other
work on the machine changes little, of the clock on a GPU, as multiples of sdpa. A process that wants more than --memory
is out of memory. Peers need packages that regard does not: python -m venv peers; peers/bin/pip install torch==2.13.0;
peers/bin/pip install torch==2.13.0 transformer-lens bertviz.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from checkpoint import SHAPE
from recorded import record

CHILD = Path(__file__).with_name("watch_ways.py")
GOALS = {"cpu": {"watched": 1.05, "looked": 1.8}, "cuda": {"watched": 1.02, "received": 1.35}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokens", type=int, nargs="*", default=[512, 2048, 8192])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--layers", type=int, default=SHAPE["num_hidden_layers"])
    parser.add_argument("--memory", type=float, default=16.0, help="GB that a process may take on a CPU")
    parser.add_argument("--peers", help="a Python that has transformer_lens and bertviz")
    parser.add_argument("--ways", nargs="+", help="only these, of watched, looked, received, dropped")
    given = parser.parse_args()
    on_gpu = given.device != "cpu"
    own = [*given.ways] if given.ways else ["watched", "looked", *(["received", "dropped"] if on_gpu else [])]
    groups = [(sys.executable, own), *([] if given.ways else [(sys.executable, ["eager"])])]
    groups += [(given.peers, ["TransformerLens"]), (given.peers, ["BertViz"])] if given.peers else []
    what = "seconds of processor time" if given.device == "cpu" else "seconds"
    print(f"{given.device}, {given.layers} layers, {os.environ.get('OMP_NUM_THREADS', 'all')} threads; sdpa in {what},")
    print("others as multiples of it; and the memory that a run takes above the model")
    for tokens in given.tokens:
        for python, ways in groups:
            for way, figure in said(ran(python, ways, tokens, given), given.device).items():
                print(f"{tokens:8,}  {way:15}  {figure}", flush=True)
                named = f"watch, {tokens:,} tokens, {given.layers} layers, {given.device}: {way}"
                record("benchmarks", named, figure=figure)


def ran(python: str, ways: list[str], tokens: int, given: argparse.Namespace) -> dict[str, Any]:
    asked = {
        "ways": ways,
        "tokens": tokens,
        "rounds": given.rounds,
        "shape": {**SHAPE, "num_hidden_layers": given.layers},
        "device": given.device,
        "memory": int(given.memory * 1e9) if given.device == "cpu" else None,
    }
    # -P: beside this file lies one that is called like a package of somebody else
    command = [python, "-P", str(CHILD), json.dumps(asked)]
    child = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "HF_HUB_OFFLINE": "1"})
    try:
        return json.loads(child.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):  # it could not even say so
        if "MemoryError" in child.stderr or "not enough memory" in child.stderr:
            return {way: {"out of memory": True} for way in ways}
        raise RuntimeError(child.stderr[-2000:]) from None


def said(found: dict[str, Any], device: str) -> dict[str, str]:
    """Of every way, in words."""
    lines: dict[str, str] = {}
    goals = GOALS[device]
    for way, one in found.items():
        if "out of memory" in one:
            lines[way] = "out of memory"
        elif way != "sdpa":
            goal = f" (goal ≤ {goals[way]})" if way in goals else ""
            took = f"{one['ratio']:.3f} of sdpa's {found['sdpa']['seconds']:.4g} s{goal}"
            lines[way] = f"{took}, {one['least']:.3f} to {one['most']:.3f}, {_memory(one['peak'])}"
        if "kept" in one:
            same = "the same" if one["same"] else "DIFFERENT"
            lines[way] += (
                f"; kept {_memory(one['kept'])}, logits {same}, verified {one['verified']:.1e}, {one['kernel']}"
            )
    return lines


def _memory(bytes_taken: int) -> str:
    return f"{bytes_taken / 1e6:,.0f} MB"


if __name__ == "__main__":
    main()

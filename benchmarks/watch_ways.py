"""One process of watch.py: a model as it is and ways to see its attention, by turns. Prints a line of JSON.

A peer's environment has no regard, so nothing of it is imported where no way needs it. Where memory ends, the line
says so.
"""

import gc
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import torch
import transformers

Run = Callable[[Any, torch.Tensor], Any]


def main() -> None:
    asked = json.loads(sys.argv[1])
    if memory := asked.pop("memory"):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    print(json.dumps(measured(**asked)), flush=True)


@torch.inference_mode()
def measured(ways: list[str], tokens: int, rounds: int, shape: dict[str, Any], device: str) -> dict[str, Any]:
    dtype = torch.float32 if device == "cpu" else torch.bfloat16
    found: dict[str, Any] = {way: {} for way in ways}
    times: dict[str, list[float]] = {name: [] for name in (*ways, "sdpa")}
    try:
        model = made("sdpa", shape).to(device, dtype)
        runs: dict[str, Run] = {**{way: WAYS[way](model, shape) for way in ways}, "sdpa": plainly}
        ids = torch.randint(0, shape["vocab_size"], (1, tokens), generator=torch.Generator().manual_seed(2)).to(device)
        for run in runs.values():  # what is done once: loading code, choosing kernels
            run(model, ids[:, :64] if device == "cpu" else ids)
        gc.collect()
        gc.freeze()  # what is there stays: to look through it before each run takes longer than the run
        for turn in range(rounds):
            last: dict[str, Any] = {}
            for name, run in runs.items():
                seconds, peak, answer = taken(lambda run=run: run(model, ids), device)
                times[name].append(seconds)
                if turn == 0 and name in ways:
                    found[name]["peak"] = peak
                if turn == 0 and name in ("watched", "sdpa"):
                    last[name] = answer
                del answer
            if "watched" in last:
                found["watched"] |= checked(last["watched"], last["sdpa"])
    except (MemoryError, RuntimeError) as error:  # torch says it in its own way
        if "memory" not in str(error).lower() and not isinstance(error, MemoryError):
            raise
        return {way: {"out of memory": True} for way in ways}
    medians = {name: statistics.median(each) for name, each in times.items()}
    for way in ways:
        turns = [own / other for own, other in zip(times[way], times["sdpa"])]
        found[way] |= {
            "seconds": medians[way],
            "ratio": statistics.median(turns),
            "least": min(turns),
            "most": max(turns),
        }
    return {**found, "sdpa": {"seconds": medians["sdpa"]}}


def made(attention: str, shape: dict[str, Any]) -> Any:
    torch.manual_seed(1)
    config = transformers.LlamaConfig(**{**shape, "max_position_embeddings": 1 << 20})
    config._attn_implementation, config.architectures = attention, ["LlamaForCausalLM"]
    return transformers.LlamaForCausalLM._from_config(config).eval()


def eager_of(model: Any, shape: dict[str, Any]) -> Any:
    other = made("eager", shape).to(model.device, model.dtype)
    other.load_state_dict(model.state_dict())
    return other


# the ways: each makes what it needs, and says how a text is run


def plainly(model: Any, ids: torch.Tensor, **more: Any) -> Any:
    return model(ids, use_cache=False, logits_to_keep=1, **more)


def watched(*_: Any) -> Run:
    import regard

    def run(model: Any, ids: torch.Tensor) -> Any:
        with regard.watch(model) as seen:
            return plainly(model, ids).logits, seen

    return run


def asked(question: Callable[[Any], list[Any]], *answers: str) -> Callable[..., Run]:
    """Watched, and then all layers asked; on a GPU the answers arrive when they are read."""

    def way(*_: Any) -> Run:
        watch = watched()

        def run(model: Any, ids: torch.Tensor) -> list[Any]:
            _, seen = watch(model, ids)
            return [getattr(one, answer) for one in question(seen) for answer in answers]

        return run

    return way


def dropped(*_: Any) -> Run:
    import regard

    def run(model: Any, ids: torch.Tensor) -> list[Any]:
        found: list[Any] = []
        with regard.watch(model, each=lambda layer: found.append(layer.received())):
            plainly(model, ids)
        return [(one.picture, one.received) for one in found]

    return run


def eager(model: Any, shape: dict[str, Any]) -> Run:
    other = eager_of(model, shape)
    return lambda _, ids: plainly(other, ids, output_attentions=True)


def transformer_lens(model: Any, shape: dict[str, Any]) -> Run:
    """`run_with_cache`, of patterns alone: all that it would keep by itself is more."""
    from tokenizers import Tokenizer, models
    from transformer_lens import TransformerBridge

    folder = tempfile.mkdtemp()
    words = Tokenizer(models.WordLevel({str(i): i for i in range(shape["vocab_size"])}, unk_token="0"))
    named = {"bos_token": "0", "eos_token": "0", "pad_token": "0"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=words, **named).save_pretrained(folder)
    other = eager_of(model, shape)
    other.config.save_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    bridge = TransformerBridge.boot_transformers(folder, hf_model=other, tokenizer=tokenizer)

    def run(_: Any, ids: torch.Tensor) -> Any:
        _, cache = bridge.run_with_cache(ids, names_filter=lambda name: name.endswith("hook_pattern"), logits_to_keep=1)
        assert len(cache) == shape["num_hidden_layers"]
        return cache

    return run


def bertviz(model: Any, shape: dict[str, Any]) -> Run:
    """What it needs before it can draw: the weights of every layer, as the text of its page."""
    from bertviz import head_view

    other = eager_of(model, shape)

    def run(_: Any, ids: torch.Tensor) -> Any:
        attentions = plainly(other, ids, output_attentions=True).attentions
        return head_view(attentions, [str(i) for i in ids[0].tolist()], html_action="return")

    return run


WAYS: dict[str, Callable[[Any, dict[str, Any]], Run]] = {
    "watched": watched, "dropped": dropped,
    "looked": asked(lambda seen: seen.looked(), "picture", "received", "entropy"),
    "received": asked(lambda seen: seen.received(), "picture", "received"),
    "eager": eager, "TransformerLens": transformer_lens, "BertViz": bertviz,
}  # fmt: skip


# what is measured


def taken(run: Callable[[], Any], device: str) -> tuple[float, int, Any]:
    """Seconds, of the processor, which a busy machine leaves alone, or of the clock beside a GPU; bytes at the peak,
    above what was there before; and what came of it."""
    clock = time.process_time if device == "cpu" else time.perf_counter
    gc.collect()
    before = memory_now(device)
    start = clock()
    answer = run()
    wait(device)
    return clock() - start, memory_peak(device) - before, answer


def memory_now(device: str) -> int:
    """Bytes in use; the peak is counted from here."""
    if device != "cpu":
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        return torch.cuda.memory_allocated()
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    return status("VmRSS")


def memory_peak(device: str) -> int:
    return status("VmHWM") if device == "cpu" else torch.cuda.max_memory_allocated()


def status(name: str) -> int:
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def checked(from_watched: Any, plain: Any) -> dict[str, Any]:
    answer, seen = from_watched
    same = bool(torch.equal(answer, plain.logits))
    return {"same": same, "verified": seen.verify().worst, "kept": seen.bytes, "kernel": seen.layers[0].kernel}


def wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()

"""How fast the English model writes on: with keys and values remembered, with Glass for every word, by transformers.

All three write the same words, one after the other in every round, on as many threads as are named:
`python benchmarks/generate.py [THREADS]` (1, if nothing is said). Transformers reads the same model, as `regard
convert` saves it, in float32 with its own cache. Needs torch and transformers.
"""

import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

TEXT = "Once upon a time there was a little"
WORDS, GLASS_WORDS, ROUNDS = 100, 10, 5
Write = Callable[[int], str]  # so many words after TEXT; gives all of it


def main() -> None:
    threads = sys.argv[1] if len(sys.argv) > 1 else "1"
    for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[library] = threads  # read when the libraries are loaded, so before our imports
    ways = {
        "regard, remembering": (WORDS, remembering()),
        "regard, Glass for every word": (GLASS_WORDS, by_glass()),
        "transformers, with its cache": (WORDS, by_transformers(int(threads))),
    }
    texts = {write(GLASS_WORDS).strip() for _, write in ways.values()}
    assert len(texts) == 1, texts
    speeds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):  # interleaved, so that a slow moment of the machine meets all of them
        for name, (count, write) in ways.items():
            start = time.perf_counter()
            write(count)
            speeds[name].append(count / (time.perf_counter() - start))
    median = [statistics.median(found) for found in speeds.values()]
    for name, speed in zip(ways, median):
        print(f"{name:36s} {speed:8.1f} words per second, threads: {threads}")
    ours, glass, theirs = median
    print(f"\nremembering / Glass for every word   {ours / glass:8.1f}   (goal ≥ 10)")
    print(f"remembering / transformers           {ours / theirs:8.2f}")


def remembering() -> Write:
    from regard.models.catalogue import find_model
    from regard.models.writing import write_on

    model = find_model("english")
    return lambda count: model.tokenizer.joined(list(write_on(model, TEXT, count))[-1].words)


def by_glass() -> Write:
    """A recorded run for every word, as regard wrote before."""
    from regard.models.catalogue import find_model

    model = find_model("english")

    def write(count: int) -> str:
        words = tuple(model.tokenizer.words(TEXT))
        for _ in range(count):
            words = (*words, model.read(words).predicted)
        return model.tokenizer.joined(words)

    return write


def by_transformers(threads: int) -> Write:
    import torch
    from transformers import AutoTokenizer, LlamaForCausalLM, logging

    from regard.cli.main import run

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.set_num_threads(threads)
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.redirect_stdout(None):
            run(["convert", "english", f"{folder}/english"])
        tokenizer = AutoTokenizer.from_pretrained(f"{folder}/english")
        model = LlamaForCausalLM.from_pretrained(f"{folder}/english").eval()
    given = tokenizer(TEXT, return_tensors="pt", add_special_tokens=False)

    def write(count: int) -> str:
        with torch.no_grad():
            found = model.generate(**given, max_new_tokens=count, do_sample=False, use_cache=True)
        return tokenizer.decode(found[0])

    return write


if __name__ == "__main__":
    main()

"""Measures the shipped models on the documents they have never seen, beside baselines.

    python scripts/built_in_check.py --data FOLDER [--samples 10]
    python scripts/built_in_check.py --data FOLDER --model masked

FOLDER is that of scripts/built_in_model.py. Prints bits per character (for masked: of hidden words) for each text, then
samples (guesses) as they come.
"""

import argparse
import importlib.util
import math
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from regard.attending.masks import both, causal
from regard.models.english import english
from regard.models.generate import Choice, generate
from regard.models.masked import masked
from regard.models.network import Network

HERE = Path(__file__).parent
BEGINNINGS = ("Once upon a time", "The little dog", "In the year 1850", "She opened the door and")


def made_by():
    """The script that trained the model: what it holds out must be held out here too."""
    spec = importlib.util.spec_from_file_location("built_in_model", HERE / "built_in_model.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["built_in_model"] = module
    spec.loader.exec_module(module)
    return module


def baselines(learn: np.ndarray, held: np.ndarray, characters: int, vocabulary: int) -> tuple[float, float]:
    """Bits per character of token frequencies, and of pairs of tokens mixed with them half and half."""
    single = (np.bincount(learn, minlength=vocabulary) + 0.1) / (len(learn) + 0.1 * vocabulary)
    pairs = Counter((learn[:-1].astype(np.int64) * vocabulary + learn[1:]).tolist())
    firsts = np.bincount(learn[:-1], minlength=vocabulary)
    code = held[:-1].astype(np.int64) * vocabulary + held[1:]
    seen = np.array([pairs.get(c, 0) for c in code.tolist()])
    double = np.where(firsts[held[:-1]] > 0, seen / np.maximum(1, firsts[held[:-1]]), 0.0)
    mixed = 0.5 * double + 0.5 * single[held[1:]]
    return float(-np.log2(single[held]).sum() / characters), float(-np.log2(mixed).sum() / characters)


def near_copies(learn: list[str], held: list[str]) -> int:
    """Held-out documents most of whose 50-letter snippets (the first five, 200 letters apart) were learned from."""

    def letters(text: str) -> str:
        return re.sub(r"[^a-z]+", " ", text.lower())

    learned, copies = letters(" ".join(learn)), 0
    for document in map(letters, held):
        snippets = [document[i : i + 50] for i in range(50, len(document) - 60, 200)][:5]
        copies += bool(snippets) and sum(s in learned for s in snippets) >= 0.6 * len(snippets)
    return copies


def check_masked(data: Path, samples: int) -> None:
    """Hidden words of held-out documents: by their frequency, and by the model; then guesses, one per document."""
    script, model = made_by(), masked()
    bpe = model.tokenizer
    network = Network(model.settings, model.parameters, both)
    print("text        unigram  masked   right   commonest   (bits of a hidden word; share guessed right)")
    documents = []
    for name in script.SHARES:
        learn, held = script.parted(script.documents(data / f"{name}.txt.xz"))
        documents += [(name, document) for document in held[:samples]]
        tokens, kept = script.encoded(bpe, learn), script.encoded(bpe, held)
        counts = np.bincount(tokens, minlength=bpe.size) + 0.1
        bits = -np.log2(counts / counts.sum())
        common = float((kept == counts.argmax()).mean())
        found = script.guesses(network, bpe, held, "cpu", 2)
        print(
            f"{name:10s} {bits[kept].mean():8.3f} {found['bits']:7.3f} {found['right']:7.3f} {common:9.3f}"
            f"     {found['words']:,} words",
            flush=True,
        )
    print()
    for number in range(samples):
        name, document = documents[(number % 4) * samples + number]
        words = document.split()[:14]
        truth, words[7] = words[7], "[MASK]"
        shares = model.run(" ".join(words)).array("probabilities")
        best = [f"{model.writes[i]} {shares[i]:.2f}" for i in np.argsort(-shares)[:3]]
        print(f"{number + 1}. {' '.join(words)}   {', '.join(best)}   (it was: {truth})")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=("english", "masked"), default="english")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--characters", type=int, default=400_000, help="of each held-out text, at most")
    arguments = parser.parse_args()
    if arguments.model == "masked":
        check_masked(arguments.data, arguments.samples)
        return
    script, model = made_by(), english()
    bpe = model.tokenizer
    network = Network(model.settings, model.parameters, causal)
    print("text        unigram  bigram   english   (bits per character of held-out documents)")
    for name in script.SHARES:
        learn, held = script.parted(script.documents(arguments.data / f"{name}.txt.xz"))
        kept, size = [], 0
        for document in held:
            if size < arguments.characters:
                kept.append(document)
                size += len(document)
        tokens = script.encoded(bpe, learn), script.encoded(bpe, kept)
        one, two = baselines(*tokens, size, model.settings.reads)
        ours = script.bits_per_character(network, bpe, kept, "cpu", 128)
        print(f"{name:10s} {one:8.3f} {two:8.3f} {ours:8.3f}   {len(kept)} documents, {size:,} characters", flush=True)
        print(f"{'':10s} near-copies among all held out: {near_copies(learn, held)} of {len(held)}", flush=True)
    print(f"guessing a token: {math.log2(model.settings.reads):.0f} bits\n")
    for number in range(arguments.samples):
        beginning = BEGINNINGS[number % len(BEGINNINGS)]
        ids = bpe.encode(beginning)
        written = generate(network, ids, Choice(temperature=0.8, mass=0.95, seed=number), 60, end=bpe.end)
        print(f"{number + 1}. {bpe.decode([*ids, *(t for t in written if t != bpe.end)]).strip()}\n")


if __name__ == "__main__":
    main()

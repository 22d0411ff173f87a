"""Word vectors: how fast they are trained and how good they are, beside gensim, in one run and on the same text.

python benchmarks/vectors.py TEXT ... [--words 3000000] [--epochs 2] [--seeds 5] [--threads 1] [--out FILE]
python benchmarks/vectors.py --glove TEXT ...     counting and training, beside plain SciPy and NumPy
python benchmarks/vectors.py --device cuda        words per second on a GPU, and the loss on text that is held out

Ours and gensim's come by turns, by processor time, so that a busy machine slows both alike. Without a TEXT the words
are synthetic: drawn by Zipf's law, with neighbours that depend on each other.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from regard.training.vectors import numbering, reading
from regard.training.vectors.numbering import END, Numbered
from regard.training.vectors.settings import Settings
from regard.vectors.wordvectors import WordVectors

HELD_OUT = 2**17  # words at the end of the text, on a GPU


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", type=Path)
    parser.add_argument("--words", type=int, help="of the text; 3 million, on a GPU 20 million")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--kind", default="skipgram")
    parser.add_argument("--glove", action="store_true")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = _text(asked.texts, asked.words or (3_000_000 if asked.device == "cpu" else 20_000_000), Path(folder))
        print(f"{text.length:,} words, {len(text.words):,} different ones")
        if asked.device != "cpu":
            found = on_a_gpu(text, asked.device, asked.epochs)
        elif asked.glove:
            found = glove(text, Path(folder))
        else:
            found = beside_gensim(text, asked, Path(folder))
    if asked.out:
        asked.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


# the text


def _text(paths: Sequence[Path], most: int, folder: Path) -> Numbered:
    """The first words of some texts as numbers, rare ones left out; or synthetic ones."""
    pieces = reading.pieces(paths) if paths else iter(())
    first = numbering.number(_bounded(pieces, most) if paths else _synthetic(most), folder)
    return numbering.settle(first, folder, 5, "the text")


def _bounded(pieces: Any, most: int) -> Any:
    left = most
    for piece in pieces:
        yield piece
        left -= piece.count(" ")
        if left <= 0:
            return


def _synthetic(words: int, vocabulary: int = 50_000, topics: int = 500) -> Any:
    """Lines of twenty words: each line has a topic, whose words are a part of the vocabulary, and Zipf's law."""
    random = np.random.default_rng(1)
    names = np.array([f"w{i}" for i in range(vocabulary)])
    shares = 1 / np.arange(1, vocabulary + 1)
    ends = np.cumsum(shares / shares.sum())
    for _ in range(-(-words // 200_000)):
        drawn = np.searchsorted(ends, random.random((10_000, 20))).clip(max=vocabulary - 1)
        topic = random.integers(topics, size=(10_000, 1))
        moved = drawn - drawn % topics + topic  # every second word belongs to the topic
        lines = names[np.where(random.random(drawn.shape) < 0.5, moved.clip(max=vocabulary - 1), drawn)]
        yield "\n".join(" ".join(line) for line in lines) + "\n"


def _lines(text: Numbered, file: Path) -> None:
    """The same words as a file for gensim, one line to a line."""
    names = np.array([*text.words, "\n"], dtype=object)
    with file.open("w", encoding="utf-8") as f:
        for block in numbering.blocks_of(Path(text.ids.filename)):  # pyright: ignore[reportAttributeAccessIssue]
            f.write(" ".join(names[block]).replace(" \n ", "\n").replace("\n ", "\n") + " ")


# on a CPU, beside gensim


def beside_gensim(text: Numbered, asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    _lines(text, folder / "lines.txt")
    settings = Settings.of(
        asked.kind, epochs=asked.epochs, threads=asked.threads, rate=None if asked.kind == "cbow" else 0.025
    )
    _ours(Numbered(text.words, text.counts, text.ids[:1000], ""), settings)  # compiled now
    ways: dict[str, Callable[[int], tuple[WordVectors, float, float]]] = {
        "regard": lambda seed: _ours(text, Settings.of(**{**settings.data(), "seed": seed})),
        "gensim": lambda seed: _gensim(text, settings, folder / "lines.txt", seed),
    }
    found: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    for seed in range(1, asked.seeds + 1):
        for name, way in ways.items():
            vectors, processor, wall = way(seed)
            words = text.length * asked.epochs
            row = {"words/s": words / processor, "words/s wall": words / wall, **scores(vectors)}
            found[name].append(row)
            print(
                f"{name} {seed}  " + "  ".join(f"{n} {v:,.3f}" if v < 10 else f"{n} {v:,.0f}" for n, v in row.items())
            )
    ratios = [a["words/s"] / b["words/s"] for a, b in zip(found["regard"], found["gensim"])]
    print(f"words/s: {statistics.median(ratios):.2f} × gensim's (median of {len(ratios)}; goal ≥ 2)")
    for name in (n for n in found["regard"][0] if not n.startswith("words")):
        ours, theirs = ([row[name] for row in found[way]] for way in ("regard", "gensim"))
        spread = max(theirs) - min(theirs)
        print(
            f"{name}: {statistics.mean(ours):.4f}, gensim {statistics.mean(theirs):.4f} with a spread of {spread:.4f}"
            f" (goal ≥ {statistics.mean(theirs) - spread:.4f})"
        )
    return {"words": text.length, "settings": settings.data(), **found}


def _ours(text: Numbered, settings: Settings) -> tuple[WordVectors, float, float]:
    from regard.training.vectors.loop import train
    from regard.training.vectors.predicting import Predicting

    learner = Predicting(text, settings)
    processor, wall = time.process_time(), time.perf_counter()
    for _ in train(learner, settings.epochs, settings.threads):
        pass
    processor, wall = time.process_time() - processor, time.perf_counter() - wall
    return WordVectors(text.words, learner.vectors()), processor, wall


def _gensim(text: Numbered, settings: Settings, file: Path, seed: int) -> tuple[WordVectors, float, float]:
    """Its fastest way: it reads the file itself, outside of Python."""
    from gensim.models import Word2Vec

    model = Word2Vec(
        vector_size=settings.width, window=settings.window, negative=settings.negatives, min_count=1, seed=seed,
        sg=int(settings.kind == "skipgram"), sample=settings.sample, workers=settings.threads,
    )  # fmt: skip
    model.build_vocab(corpus_file=str(file))
    processor, wall = time.process_time(), time.perf_counter()
    model.train(
        corpus_file=str(file), total_words=model.corpus_total_words, total_examples=model.corpus_count,
        epochs=settings.epochs,
    )  # fmt: skip
    processor, wall = time.process_time() - processor, time.perf_counter() - wall
    assert set(model.wv.index_to_key) == set(text.words)
    return WordVectors(model.wv.index_to_key, model.wv.vectors), processor, wall


def scores(vectors: WordVectors) -> dict[str, float]:
    """Analogies answered, and agreement with people, of what the words cover."""
    from regard.vectors.evaluation import agreement, answered
    from regard.vectors.published import Ratings, published

    questions, *rated = map(published, ("google", "wordsim353", "simlex999"))
    assert not isinstance(questions, Ratings)
    google = answered(vectors, questions)
    found = {"analogies": google.total("answered").value / google.total("covered").value}
    return found | {r.name: agreement(vectors, r).agreement.value for r in rated if isinstance(r, Ratings)}


# GloVe


def glove(text: Numbered, folder: Path) -> dict[str, float]:
    """Counting and training, beside what one writes first with SciPy and with NumPy."""
    from regard.training.vectors.glove import GloVe, write_pairs
    from regard.training.vectors.pairs import PairCounts

    settings = Settings.of("glove", epochs=1)
    PairCounts(len(text.words), folder).add_windows(np.asarray(text.ids[:100]), settings.window)  # compiled now
    found: dict[str, float] = {}
    start = time.process_time()
    counts = PairCounts(len(text.words), folder)
    counts.add_windows(np.asarray(text.ids), settings.window)
    pairs = sum(len(keys) for keys, _ in counts.merged())
    found["counting, ours, s"] = time.process_time() - start
    start = time.process_time()
    theirs = _counted_by_scipy(text, settings.window)
    found["counting, SciPy, s"] = time.process_time() - start
    assert theirs.nnz == pairs
    write_pairs(text, settings, folder)
    learner = GloVe.of(text, settings, folder)
    GloVe(learner.pairs[:10], len(text.words), settings).learn(0, 0)  # compiled now
    start = time.process_time()
    for block in range(learner.blocks):
        learner.learn(0, block)
    found["training, ours, pairs/s"] = len(learner.pairs) / (time.process_time() - start)
    some = np.array(learner.pairs[:200_000])
    start = time.process_time()
    _trained_by_numpy(some, len(text.words), settings)
    found["training, NumPy, pairs/s"] = len(some) / (time.process_time() - start)
    for name, value in found.items():
        print(f"{name}: {value:,.1f}")
    print(f"counting: {found['counting, SciPy, s'] / found['counting, ours, s']:.1f} × SciPy's speed")
    print(f"training: {found['training, ours, pairs/s'] / found['training, NumPy, pairs/s']:.1f} × NumPy's speed")
    return found


def _counted_by_scipy(text: Numbered, window: int) -> Any:
    """One sparse matrix for each distance, added up."""
    from scipy.sparse import coo_matrix

    ids = np.asarray(text.ids)
    lines = np.cumsum(ids == END)
    size = len(text.words)
    total = coo_matrix((size, size)).tocsr()
    kept = np.flatnonzero(ids != END)
    for distance in range(1, window + 1):
        one = kept[kept + distance < len(ids)]
        one = one[(ids[one + distance] != END) & (lines[one] == lines[one + distance])]
        low, high = (f(ids[one], ids[one + distance]) for f in (np.minimum, np.maximum))
        weights = np.full(len(one), 1 / distance)
        total = total + coo_matrix((weights, (low, high)), (size, size)).tocsr()
    return total


def _trained_by_numpy(pairs: Any, size: int, settings: Settings, batch: int = 1000) -> None:
    """AdaGrad on batches; rows that occur twice in a batch are added up."""
    random = np.random.default_rng(1)
    width = settings.width
    v, c = ((random.random((size, width), np.float32) - 0.5) / width for _ in range(2))
    b, d = np.zeros(size, np.float32), np.zeros(size, np.float32)
    squares = [np.ones_like(table) for table in (v, c, b, d)]
    for start in range(0, len(pairs), batch):
        part = pairs[start : start + batch]
        i, j, x = part["word"], part["context"], part["count"]
        error = np.minimum(1, (x / 100) ** 0.75) * ((v[i] * c[j]).sum(1) + b[i] + d[j] - np.log(x))
        gradients = (error[:, None] * c[j], error[:, None] * v[i], error, error)
        for table, kept, rows, gradient in zip((v, c, b, d), squares, (i, j, i, j), gradients):
            np.add.at(table, rows, -settings.rate * gradient / np.sqrt(kept[rows]))
            np.add.at(kept, rows, gradient**2)


# on a GPU


def on_a_gpu(text: Numbered, device: str, epochs: int) -> dict[str, Any]:
    """Words per second for batches of several sizes, and what each has learned: the loss on text that is held out."""
    import torch

    from regard.training.vectors import batched
    from regard.training.vectors.batched import Batched

    known = Numbered(text.words, text.counts, np.array(text.ids[:-HELD_OUT]), "")
    held_out = Numbered(text.words, text.counts, np.array(text.ids[-HELD_OUT:]), "")
    settings = Settings.of("skipgram", epochs=epochs, device=device)
    measured = Batched(held_out, settings, groups=1)
    found: dict[Any, Any] = {}
    batched.FEWEST = 1  # the batches are as large as asked for
    for groups in (8, 32, 64, 128, 256, 1024):
        learner = Batched(known, settings, groups=groups)
        learner.learn(epochs - 1, learner.blocks - 1)  # once, so that nothing is made for the first time
        learner = Batched(known, settings, groups=groups)
        start = time.perf_counter()
        for epoch in range(epochs):
            for block in range(learner.blocks):
                learner.learn(epoch, block)
        seconds = time.perf_counter() - start
        with torch.no_grad():
            loss = _loss(measured, learner)
        speed = epochs * len(known.ids) / seconds
        found[groups] = {"words/s": speed, "held-out loss": loss}
        print(f"{groups * batched.GROUP:,} words at once: {speed:,.0f} words/s, held-out loss {loss:.4f}", flush=True)
    found |= _one_by_one(known, measured, settings)
    return {"words": text.length, "epochs": epochs, "device": device, "groups": found}


def _one_by_one(known: Numbered, held_out: Any, settings: Settings) -> dict[str, Any]:
    """The same by the compiled updates of a CPU, one window after the other, where Numba is installed."""
    try:
        from regard.training.vectors.predicting import Predicting
    except ValueError as error:
        print(error)
        return {}
    learner = Predicting(known, replace(settings, device="cpu"))
    for epoch in range(settings.epochs):
        for block in range(learner.blocks):
            learner.learn(epoch, block)
    held_out.restore(learner.tables)
    loss = _loss(held_out, held_out)
    print(f"one after the other, on a CPU: held-out loss {loss:.4f}")
    return {"one after the other": {"held-out loss": loss}}


def _loss(held_out: Any, learned: Any) -> float:
    """−ln of the chances of true pairs and of negatives, each by its weight, for one pair."""
    import torch

    random = torch.Generator(held_out.device).manual_seed(1)
    groups = held_out.groups_of(torch.from_numpy(held_out.text.ids).to(held_out.device), random)
    total = pairs = 0.0
    for start in range(0, len(groups.near), 64):
        part = groups.part(start, 64)
        scores = learned._vectors[part.near] @ learned._contexts[part.drawn].mT
        signs = 2 * held_out.labels - 1
        total += float((part.weights * torch.nn.functional.softplus(-signs * scores)).sum())
        pairs += float((part.weights * held_out.labels).sum())
    return total / pairs


if __name__ == "__main__":
    main()

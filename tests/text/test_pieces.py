"""The pieces of somebody else's tokenizer: each as a reader sees it, in whichever way it says that a word begins."""

import json

import pytest

from regard.text.bpe import as_word, readable
from regard.text.pieces import Pieces

WRITTEN = ["Ġfox", "fox", "Ġ", "ĠĠ", ",", "Ġ,", "7up", "Ġ7", "Ċ", "Ã", "naïve", "▁fox", "▁", "▁,", "a▁b", "##es", "f x"]


def pieces(added: tuple[str, ...] = (), **parts) -> Pieces:
    """A tokenizer of these pieces; some are repeated as added ones, and there are two numbers without a piece."""
    numbers = {piece: number for number, piece in enumerate(WRITTEN)}
    tokens = [
        {"id": numbers[piece], "content": piece, "special": True, "normalized": False}
        | {"single_word": False, "lstrip": False, "rstrip": False}
        for piece in added
    ]
    data = {"model": {"type": "BPE", "vocab": numbers, "merges": []}, "added_tokens": tokens, **parts}
    return Pieces.load(json.dumps(data).encode(), len(WRITTEN) + 2)


BY_DEFINITION = {
    "bytes": ({"decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}}, readable),
    "spaces": ({}, lambda piece: as_word(piece.replace("▁", " "))),
}


@pytest.mark.parametrize("spelling", BY_DEFINITION)
def test_each_piece_is_shown_by_the_rule(spelling):
    parts, rule = BY_DEFINITION[spelling]
    found = pieces(added=("fox", "Ġ7"), **parts)
    assert found.spelling == spelling
    expected, seen = [], set()
    for number, piece in enumerate([*WRITTEN, None, None]):
        word = f"⟨unused {number}⟩" if piece is None else piece if piece in ("fox", "Ġ7") else rule(piece)
        expected.append(f"{word}⟨{number}⟩" if word in seen else word)
        seen.add(expected[-1])
    assert list(found.vocabulary) == expected
    assert len(seen) == len(expected)


@pytest.mark.parametrize(
    "merges", [[["f", "x", "y"]], [["f"]], [["f", 1]], [1], [None], ["f x", ["f", "x"], {}], {"f": "x"}]
)
def test_merges_that_are_no_pairs_are_refused(merges):
    model = {"type": "BPE", "vocab": {"f": 0, "x": 1, "fx": 2}, "merges": merges}
    with pytest.raises(ValueError, match="merges are not pairs"):
        Pieces.load(json.dumps({"model": model}).encode(), 3)


@pytest.mark.parametrize("number", [-1, 2**31, 1.0, True, "1", None, [1]])
def test_a_piece_without_a_proper_number_is_refused(number):
    model = {"type": "BPE", "vocab": {"f": 0, "x": number}, "merges": []}
    with pytest.raises(ValueError, match="pieces are not numbered"):
        Pieces.load(json.dumps({"model": model}).encode(), 3)

"""The tokenizer inside a GGUF file, as the tokenizer.json that would stand in a Hugging Face folder.

Byte-level BPE is read (`gpt2`), with the ways to cut a text before it that are known here; the rest is refused by name.
"""

import json
from collections.abc import Mapping
from typing import Any

from regard.checkpoints.reading import as_list, few
from regard.text.pieces import Pieces
from regard.text.tokenizer_file import PATTERNS

MODEL = "gpt2"
OTHERS = {
    "llama": "SentencePiece with scores",
    "bert": "WordPiece",
    "t5": "SentencePiece's unigrams",
    "rwkv": "RWKV's tries",
}
CONTROL, OF_A_USER = 3, 4  # kinds of pieces: marks such as the end of a text, and pieces that are never cut
SPECIAL = ("bos", "eos", "unknown", "padding", "mask")

_BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
_DIGITS = {"type": "Digits", "individual_digits": True}
_LLAMA_3 = {"type": "Split", "pattern": {"Regex": PATTERNS[1]}, "behavior": "Isolated", "invert": False}
_GPT_2 = [_BYTES]
_EACH_DIGIT = [_DIGITS, _BYTES]
_AS_LLAMA_3 = [_LLAMA_3, {**_BYTES, "use_regex": False}]
CUT_FIRST = {  # by llama.cpp's names
    "gpt-2": _GPT_2,
    "smollm": _EACH_DIGIT,
    "starcoder": _EACH_DIGIT,
    "llama-bpe": _AS_LLAMA_3,
    "llama-v3": _AS_LLAMA_3,
    "llama3": _AS_LLAMA_3,
}


def pieces_of(values: Mapping[str, Any], size: int) -> Pieces:
    """The tokenizer of a model that has `size` word vectors."""
    kind, way = _text(values, "model"), _text(values, "pre")
    if kind != MODEL:
        what = f", {OTHERS[kind]}" if kind in OTHERS else ""
        raise ValueError(f"its tokenizer is {kind!r:.40}{what}; regard reads {MODEL!r}, byte-level BPE")
    if way not in CUT_FIRST:
        raise ValueError(f"its tokenizer cuts texts as {way!r:.40} does; regard knows {', '.join(CUT_FIRST)}")
    tokens = _texts(values, "tokens")
    if len(tokens) != size:
        raise ValueError(f"its tokenizer has {len(tokens):,} pieces, but the model has {size:,} word vectors")
    numbers = {token: number for number, token in enumerate(tokens)}
    if len(numbers) != size:
        raise ValueError("its tokenizer has the same piece twice")
    special = {f"{name}_token": tokens[number] for name in SPECIAL if (number := _number(values, name, size)) >= 0}
    whole = {
        "model": {
            "type": "BPE",
            "vocab": numbers,
            "merges": _texts(values, "merges"),
            "ignore_merges": CUT_FIRST[way] is _AS_LLAMA_3,
        },
        "added_tokens": _added(values, tokens),
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": CUT_FIRST[way]},
        "post_processor": _around(values, special, numbers, way),
        "decoder": _BYTES,
    }
    return Pieces.load(json.dumps(whole, ensure_ascii=False).encode(), size, special)


def _added(values: Mapping[str, Any], tokens: list[str]) -> list[dict[str, Any]]:
    """The pieces that stand for themselves, wherever they occur in a text."""
    kinds = as_list(values.get("tokenizer.ggml.token_type", []))
    if kinds is None or len(kinds) not in (0, len(tokens)):
        raise ValueError("tokenizer.ggml.token_type does not say of each piece what it is")
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return [
        {"id": number, "content": tokens[number], "special": kind == CONTROL, **plain}
        for number, kind in enumerate(kinds)
        if kind in (CONTROL, OF_A_USER) and tokens[number]
    ]


def _around(
    values: Mapping[str, Any], special: Mapping[str, str], numbers: Mapping[str, int], way: str
) -> dict[str, Any] | None:
    """What is put before and after every text, if anything is."""
    before = _truth(values, "add_bos_token", CUT_FIRST[way] is _AS_LLAMA_3) and special.get("bos_token")
    after = _truth(values, "add_eos_token", False) and special.get("eos_token")
    if not before and not after:
        return None

    def text(name: str) -> list[dict[str, Any]]:
        sides = [[{"SpecialToken": {"id": piece, "type_id": 0}}] if piece else [] for piece in (before, after)]
        return [*sides[0], {"Sequence": {"id": name, "type_id": 0}}, *sides[1]]

    known = {piece: {"id": piece, "ids": [numbers[piece]], "tokens": [piece]} for piece in (before, after) if piece}
    return {
        "type": "TemplateProcessing",
        "single": text("A"),
        "pair": [*text("A"), *text("B")],
        "special_tokens": known,
    }


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(f"tokenizer.ggml.{name}")
    if not isinstance(value, str):
        raise ValueError(f"it lacks tokenizer.ggml.{name}, without which no text can be cut into tokens")
    return value


def _texts(values: Mapping[str, Any], name: str) -> list[str]:
    value = as_list(values.get(f"tokenizer.ggml.{name}"))
    if value is None or not all(type(item) is str for item in value):
        raise ValueError(f"it lacks tokenizer.ggml.{name}, a list of strings")
    return value


def _number(values: Mapping[str, Any], name: str, size: int) -> int:
    """The number of a special piece; −1 where there is none."""
    value = values.get(f"tokenizer.ggml.{name}_token_id")
    if value is None:
        return -1
    if type(value) is not int or not 0 <= value < size:
        raise ValueError(f"{few([name])} must be the number of one of {size:,} pieces, got {value!r:.40}")
    return value


def _truth(values: Mapping[str, Any], name: str, default: bool) -> bool:
    value = values.get(f"tokenizer.ggml.{name}", default)
    if type(value) is not bool:
        raise ValueError(f"tokenizer.ggml.{name} must be true or false, got {value!r:.40}")
    return value

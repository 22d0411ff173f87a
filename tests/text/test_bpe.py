"""Byte-level BPE: every text comes back, every piece can be read, and hostile files are refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.text.bpe import BPE
from regard.text.tokenizer import END

TEXT = ["The quick brown fox jumps over the lazy dog, and the dog sleeps.\n\nNaïve déjà vu: 你好 👍🏽\n"] * 5
TEACHER = BPE.learned(TEXT, 400)


@given(st.text(max_size=60))
def test_every_text_comes_back(text):
    plain = text.encode("utf-8", "replace").decode()
    assert TEACHER.decode(TEACHER.encode(text)) == (plain.removeprefix(" ") if plain else "")


def test_saved_and_loaded_it_is_the_same():
    again = BPE.load(TEACHER.save())
    assert again.vocabulary == TEACHER.vocabulary and again.encode(TEXT[0]) == TEACHER.encode(TEXT[0])
    assert again.end == TEACHER.end and again.save() == TEACHER.save()


def test_every_piece_is_readable_and_unlike_every_other():
    shown = TEACHER.vocabulary
    assert len(set(shown)) == len(shown) == TEACHER.size
    assert all(piece.isprintable() and piece for piece in shown)
    assert TEACHER.words("The dog, the fox") == ["The", "dog", ",", "the", "fox"]
    assert TEACHER.words(f"fox{END}") == ["fox", END]
    assert TEACHER.joined(TEACHER.words("The dog, zzz\n")) == "The dog, zzz\n"


def test_the_next_word_is_one_piece():
    assert TEACHER.one_word("fox") == "fox" and TEACHER.one_word("↵") == "↵"
    assert TEACHER.one_word("foxz") == "fox"
    for nothing in ("", "  "):
        with pytest.raises(ValueError, match="no words"):
            TEACHER.words(nothing)


@pytest.mark.parametrize("vocabulary", [0, 256, 2**20 + 1])
def test_impossible_sizes(vocabulary):
    with pytest.raises(ValueError, match="a vocabulary has 258 to"):
        BPE.learned(TEXT, vocabulary)


def changed(**parts) -> bytes:
    return json.dumps(json.loads(TEACHER.save()) | parts).encode()


REGEX = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
HOSTILE = {
    "nothing": b"",
    "no JSON": b"{",
    "not text": b"\xff\xfe",
    "a list": b"[]",
    "an object": b"{}",
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "another model": changed(model={"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}),
    "no pieces": changed(model={"type": "BPE", "vocab": {}, "merges": []}),
    "a merge of nothing": changed(model={"type": "BPE", "vocab": {"a": 0}, "merges": [["b", "c"]]}),
    "numbers with a hole": changed(model={"type": "BPE", "vocab": {"a": 4_294_967_295}, "merges": []}),
    "negative numbers": changed(model={"type": "BPE", "vocab": {"a": -1}, "merges": []}),
    "a normalizer": changed(normalizer={"type": "Replace", "pattern": {"Regex": "("}, "content": "x"}),
    "a normalizer that repeats": changed(normalizer={"type": "Prepend", "prepend": "x" * 1000}),
    "a slow pattern": changed(pre_tokenizer=REGEX),
    "no cutting": changed(pre_tokenizer=None),
    "no end": changed(added_tokens=[]).replace(END.encode(), b"end"),
    "a post processor": changed(
        post_processor={"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}
    ),
    "cut": TEACHER.save()[:-100],
    "dropout": changed(model=json.loads(TEACHER.save())["model"] | {"dropout": 0.5}),
    "a name twice": TEACHER.save().replace(b'"dropout":null', b'"dropout":0.5,"dropout":null'),
    "a prefix": changed(model=json.loads(TEACHER.save())["model"] | {"continuing_subword_prefix": "##"}),
    "pickle": b"\x80\x04\x95" + bytes(100),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_are_refused(case):
    with pytest.raises(ValueError, match="the tokenizer cannot be used") as caught:
        BPE.load(HOSTILE[case])
    assert len(str(caught.value)) < 200 and "\n" not in str(caught.value)


def test_a_panic_of_the_library_is_a_value_error():
    """Panics in Rust come as a BaseException, which `except Exception` would let through."""

    class PanicException(BaseException):
        pass

    class Panics:
        def encode(self, *_, **__):
            raise PanicException("index out of bounds")

    with pytest.raises(ValueError, match="index out of bounds"):
        BPE(Panics()).encode("a")


def test_a_tokenizer_of_100_megabytes():
    with pytest.raises(ValueError, match="at most 20,971,520 are read"):
        BPE.load(bytes(100_000_000))


PADDING = {"strategy": {"Fixed": 1000}, "direction": "Left", "pad_to_multiple_of": None, "pad_id": 0,
           "pad_type_id": 0, "pad_token": END}  # fmt: skip
TRUNCATION = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}


@pytest.mark.parametrize("parts", [{"padding": PADDING}, {"truncation": TRUNCATION}])
def test_a_text_has_the_tokens_it_has_whatever_the_file_adds(parts):
    """A run's folder may come from anybody; padded to a billion tokens, a short text would end the server."""
    again = BPE.load(changed(**parts))
    assert again.encode("The fox") == TEACHER.encode("The fox")
    assert list(again.encode_many(["The fox", "dog"])) == list(TEACHER.encode_many(["The fox", "dog"]))
    assert again.save() == TEACHER.save()

"""The tokenizer of somebody else's model: tokenizer.json, run by the `tokenizers` library, pieces as readable words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from regard.text.bpe import as_word, distinct, its_errors_as_ours, readable
from regard.text.tokenizer_file import vetted

SPACE = "▁"  # how SentencePiece writes the space before a word
INSIDE = "##"  # how WordPiece writes that there is none
MARKS = {"bytes": "Ġ", "spaces": SPACE}  # before a piece that begins a word


@dataclass(frozen=True, eq=False)
class Pieces:
    """Numbers for the pieces of a text, the special ones around it included, and back.

    >>> data = b'{"model": {"type": "WordPiece", "unk_token": "?", "continuing_subword_prefix": "##",' + (
    ...     b'"max_input_chars_per_word": 9, "vocab": {"?": 0, "fox": 1, "##es": 2}},'
    ...     b'"pre_tokenizer": {"type": "BertPreTokenizer"}}')
    >>> pieces = Pieces.load(data, size=4)
    >>> pieces.words("foxes fox"), pieces.encode("foxes fox"), pieces.vocabulary
    (['fox', '…es', 'fox'], [1, 2, 1], ('?', 'fox', '…es', '⟨unused 3⟩'))
    """

    engine: Any  # a tokenizers.Tokenizer
    size: int  # as many numbers as the model has rows for
    spelling: str  # bytes, spaces or insides: how a piece says whether a word begins with it
    special: Mapping[str, str] = field(default_factory=dict)  # eos_token, mask_token, …

    @classmethod
    def load(cls, data: bytes, size: int, special: Mapping[str, str] | None = None) -> "Pieces":
        """From the bytes of a tokenizer.json; whatever is wrong with them is a ValueError."""
        with its_errors_as_ours():
            engine, kinds = vetted(data)
            spelling = "insides" if "WordPiece" in kinds else "bytes" if "ByteLevel" in kinds else "spaces"
            known = {name: piece for name, piece in (special or {}).items() if engine.token_to_id(piece) is not None}
            return cls(engine, size, spelling, known)

    def save(self) -> bytes:
        return self.engine.to_str(pretty=False).encode()

    def encode(self, text: str) -> list[int]:
        """The numbers of a text, with what the tokenizer puts around it, such as [CLS] and [SEP]."""
        # lone surrogates come from file names and broken JSON; the library does not accept them
        with its_errors_as_ours():
            ids = self.engine.encode(text.encode("utf-8", "replace").decode()).ids
        if odd := [i for i in ids if i >= self.size]:
            piece = self.engine.id_to_token(odd[0])
            raise ValueError(f"the model has only {self.size:,} pieces, but {piece!r} is number {odd[0]:,}")
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text, without what was put around it."""
        before, after = self._around
        numbers = [int(i) for i in ids]
        if before and numbers[: len(before)] == before:
            numbers = numbers[len(before) :]
        if after and numbers[-len(after) :] == after:
            numbers = numbers[: -len(after)]
        with its_errors_as_ours():
            return self.engine.decode(numbers, skip_special_tokens=False)

    @cached_property
    def _around(self) -> tuple[list[int], list[int]]:
        """What is put before and after every text."""
        with its_errors_as_ours():
            bare = self.engine.encode("a", add_special_tokens=False).ids
            whole = self.engine.encode("a").ids
        start = next((i for i in range(len(whole)) if whole[i : i + len(bare)] == bare), 0)
        return whole[:start], whole[start + len(bare) :]

    @property
    def around(self) -> tuple[str, ...]:
        """The words put around every text."""
        return tuple(self.vocabulary[i] for part in self._around for i in part if i < self.size)

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """Every piece as a reader sees it; no two look the same."""
        with its_errors_as_ours():
            added = {number for number in self.engine.get_added_tokens_decoder() if number < self.size}
            written = list(map(self.engine.id_to_token, range(self.size)))
        mark = MARKS.get(self.spelling, "")
        is_plain = re.compile(f"{mark}?[A-Za-z0-9]+" if mark else "(?!)").fullmatch
        shown = [  # most are plain, and take no call each: there may be a quarter of a million
            (piece[1:] if piece[0] == mark else f"…{piece}")
            if is_plain(piece or "")
            else (f"⟨unused {number}⟩" if piece is None else self._shown(piece))
            for number, piece in enumerate(written)
        ]
        for number in added:
            shown[number] = self._shown(written[number], added=True)
        return distinct(shown)

    def _shown(self, piece: str, added: bool = False) -> str:
        if not piece or not piece.strip():
            return f"⟨{piece.encode().hex()}⟩"
        if added:
            return piece if piece.isprintable() else ascii(piece)
        if self.spelling == "bytes":
            return readable(piece)
        if self.spelling == "spaces":
            return as_word(piece.replace(SPACE, " "))
        return as_word(f" {piece}").removeprefix("␣") if not piece.startswith(INSIDE) else f"…{piece[len(INSIDE) :]}"

    # as a model's tokenizer

    def words(self, text: str) -> list[str]:
        if not text.strip():
            raise ValueError('the text has no words; write a sentence such as "The quick brown fox"')
        return [self.vocabulary[i] for i in self.encode(text)]

    def joined(self, words: Sequence[str]) -> str:
        ids = [self._numbers[word] for word in words]
        text = self.decode(ids)
        # some tokenizers put a space before the text; where they do, it is not part of it
        bare = text.removeprefix(" ")
        return bare if bare.strip() and self.encode(bare) == ids else text

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.vocabulary)}

    def one_word(self, text: str) -> str:
        if text in self._numbers:
            return text
        with its_errors_as_ours():
            cut = [  # as after another word, then as at the beginning
                self.engine.encode(written.encode("utf-8", "replace").decode(), add_special_tokens=False).ids
                for written in (f" {text}", text)
            ]
        found = next((ids for ids in cut if len(ids) == 1), cut[0])
        if not found or found[0] >= self.size:
            raise ValueError(f"this model's vocabulary has no piece for {text!r}; choose another word")
        return self.vocabulary[found[0]]

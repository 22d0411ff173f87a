"""Byte-level BPE: a vocabulary of pieces learned from text, by the `tokenizers` library, and pieces as readable words.

Every text can be cut, since the smallest pieces are bytes. A piece knows whether a space precedes it; most words
have one, so a word with its space is shown as the word itself, and a piece inside a word with dots before it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from regard.text.tokenizer import END, MASK
from regard.text.tokenizer_file import vetted

SMALLEST = 258  # every byte, the end and the mask
LARGEST = 2**20
SIGNS = {"\n": "↵", "\t": "⇥", " ": "␣", "\r": "␍"}


@dataclass(frozen=True, eq=False)
class BPE:
    """Numbers for the pieces of a text, and back.

    >>> bpe = BPE.learned(["the fox and the dog, the fox and the cat"] * 9, vocabulary=300)
    >>> bpe.words("the fox sang")
    ['the', 'fox', '␣', '…s', '…an', '…g']
    >>> bpe.decode(bpe.encode("the fox sang"))
    'the fox sang'
    """

    engine: Any  # a tokenizers.Tokenizer

    @classmethod
    def learned(cls, texts: Iterable[str], vocabulary: int, masks: bool = False) -> "BPE":
        """Pieces that occur often in the texts: all bytes, then pairs of pieces, the most frequent first."""
        from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

        if not SMALLEST <= vocabulary <= LARGEST:
            raise ValueError(
                f"a vocabulary has {SMALLEST} to {LARGEST:,} pieces (256 bytes, the end, a mask), got {vocabulary}"
            )
        engine = Tokenizer(models.BPE())
        engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)  # pyright: ignore[reportAttributeAccessIssue]
        engine.decoder = decoders.ByteLevel()  # pyright: ignore[reportAttributeAccessIssue]
        trainer = trainers.BpeTrainer(
            vocab_size=vocabulary,
            # the space before a hidden word is hidden with it
            special_tokens=[END, *([AddedToken(MASK, lstrip=True, special=True)] if masks else [])],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )  # pyright: ignore[reportCallIssue]
        engine.train_from_iterator(texts, trainer)
        return cls(engine)

    @classmethod
    def load(cls, data: bytes) -> "BPE":
        """From the bytes of a tokenizer.json; whatever is wrong with them is a ValueError."""
        with its_errors_as_ours():
            bpe = cls(vetted(data)[0])
            bpe.check()
            return bpe

    def check(self) -> None:
        """Refuse a tokenizer that is not one of ours: it must cut by bytes, and number its pieces without gaps."""
        from tokenizers import decoders, models, pre_tokenizers

        engine = self.engine
        kinds = (engine.model, models.BPE), (engine.pre_tokenizer, pre_tokenizers.ByteLevel)
        if not all(isinstance(part, kind) for part, kind in kinds) or not isinstance(
            engine.decoder, decoders.ByteLevel
        ):
            raise ValueError("it is not a byte-level BPE")
        if engine.normalizer is not None or engine.post_processor is not None:
            raise ValueError("it changes the text, which a byte-level BPE does not")
        numbers = sorted(engine.get_vocab().values())
        if not SMALLEST <= len(numbers) <= LARGEST or numbers != list(range(len(numbers))):
            raise ValueError(f"its {len(numbers):,} pieces are not numbered consecutively from 0")
        if engine.token_to_id(END) is None:
            raise ValueError(f"it has no {END}")

    def save(self) -> bytes:
        return self.engine.to_str(pretty=False).encode()

    @property
    def size(self) -> int:
        return self.engine.get_vocab_size()

    @property
    def end(self) -> int:
        """The number of the piece that ends a document."""
        return self.engine.token_to_id(END)

    @property
    def mask(self) -> int | None:
        """The number of the piece that stands for a hidden word; None where the vocabulary has none."""
        return self.engine.token_to_id(MASK)

    def encode(self, text: str) -> list[int]:
        # lone surrogates come from file names and broken JSON; the library does not accept them
        with its_errors_as_ours():
            return self.engine.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids

    def encode_many(self, texts: list[str]) -> Iterator[list[int]]:
        """The same for many texts at once, on all cores."""
        with its_errors_as_ours():
            for encoding in self.engine.encode_batch_fast(texts, add_special_tokens=False):
                yield encoding.ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text, without the space that was put before its first word."""
        numbers = [int(i) for i in ids]
        if any(not 0 <= i < self.size for i in numbers):
            raise ValueError(f"pieces are numbered from 0 to {self.size - 1}, got {numbers}")
        return self.engine.decode(numbers, skip_special_tokens=False).replace(MASK, f" {MASK}").removeprefix(" ")

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """Every piece as a reader sees it; no two look the same."""
        return distinct(map(readable, map(self.engine.id_to_token, range(self.size))))

    # as a model's tokenizer

    def words(self, text: str) -> list[str]:
        if not text.strip():
            raise ValueError('the text has no words; write a sentence such as "The quick brown fox"')
        return [self.vocabulary[i] for i in self.encode(text)]

    def joined(self, words: Sequence[str]) -> str:
        return self.decode(self._numbers[word] for word in words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.vocabulary)}

    def one_word(self, text: str) -> str:
        if text in self.vocabulary:
            return text
        found = self.words(text)
        return found[0]


def readable(piece: str) -> str:
    """A piece as the `tokenizers` library writes it, bytes as letters, the way a reader sees it.

    >>> readable("Ġfox"), readable("ing"), readable(","), readable("Ċ"), readable("Ã")
    ('fox', '…ing', ',', '↵', '⟨c3⟩')
    """
    begins, rest = piece.startswith("Ġ"), piece.removeprefix("Ġ")
    if rest.isascii() and rest.isalnum():  # as most are
        return rest if begins else f"…{rest}"
    if piece in (END, MASK):
        return piece
    return as_word(_bytes_of(piece).decode("utf-8", "surrogateescape"))


def distinct(pieces: Iterable[str]) -> tuple[str, ...]:
    """The same pieces in the same order; one that looks like an earlier one has its number behind it.

    >>> distinct(["a", "b", "a"])
    ('a', 'b', 'a⟨2⟩')
    """
    seen: set[str] = set()
    shown = list(pieces)
    for number, piece in enumerate(shown):
        if piece in seen:
            piece = shown[number] = f"{piece}⟨{number}⟩"
        seen.add(piece)
    return tuple(shown)


def as_word(text: str) -> str:
    """A piece of text, with the space before it, the way a reader sees it.

    >>> as_word(" fox"), as_word("ing"), as_word(" ,"), as_word(" ")
    ('fox', '…ing', '␣,', '␣')
    """
    spaced, rest = text.startswith(" ") and len(text) > 1, text.removeprefix(" ") or text
    shown = rest if rest.isalnum() else "".join(_sign(c) for c in rest)  # most pieces are letters
    begins_a_word = rest[0].isalnum()
    if spaced:
        return shown if begins_a_word else f"␣{shown}"
    return f"…{shown}" if begins_a_word else shown


def _sign(character: str) -> str:
    if character in SIGNS:
        return SIGNS[character]
    if 0xDC80 <= ord(character) <= 0xDCFF:  # a byte that is not a character by itself
        return f"⟨{ord(character) - 0xDC00:02x}⟩"
    return character if character.isprintable() else f"⟨{ord(character):x}⟩"


def _bytes_of(piece: str) -> bytes:
    """GPT-2's alphabet read backwards: printable bytes stand for themselves, the others follow from 256 on."""
    if (spaced := piece.replace("Ġ", " ")).isascii():  # as most are
        return spaced.encode()
    letters = _alphabet()
    return b"".join(letters[c] if c in letters else c.encode() for c in piece)


@cache
def _alphabet() -> dict[str, bytes]:
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in plain]
    return {chr(b): bytes([b]) for b in plain} | {chr(256 + i): bytes([b]) for i, b in enumerate(others)}


class its_errors_as_ours:  # noqa: N801  (it reads as a sentence after `with`)
    """The library is written in Rust, and its panics are BaseExceptions that no `except Exception` catches."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit | MemoryError):
            return
        said = " ".join(str(error).split())[:120]
        raise ValueError(f"the tokenizer cannot be used: {said}") from error

"""What a tokenizer.json from elsewhere may hold, checked before the `tokenizers` library sees it.

The library trusts its files: a crafted one makes it panic, fill the memory or search for minutes. So only the kinds of
parts are let through that byte-level BPE, WordPiece and SentencePiece-like BPE are made of, each of a size that is
known to be harmless. A run's folder may come from anybody, so its tokenizer is read here too.
"""

import gc
import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import Any

MOST_BYTES = 20 * 2**20
MOST_SIGNS = {b"{": 2**14, b"[": 2**19, b",": 2**20 + 2**19, b'"': 2**22}  # bounds the memory before it is used
MOST_PIECES = 2**20
MOST_PARTS, MOST_LETTERS = 16, 16

INSIDE = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}
# text is cut by these patterns and no others: nobody can say in advance how long another takes
PATTERNS = (
    # GPT-2's, Llama 3's and Qwen2's
    r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+""",
    r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"""
    r"""|\s*[\r\n]+|\s+(?!\S)|\s+""",
    r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"""
    r"""|\s*[\r\n]+|\s+(?!\S)|\s+""",
)

Part = Mapping[str, Any]


def vetted(data: bytes) -> tuple[Any, set[str]]:
    """The library's Tokenizer and the kinds of its parts. It neither pads nor cuts: a text has the tokens it has."""
    with _no_looking_for_cycles():
        kinds = kinds_of_parts(data)
    from tokenizers import Tokenizer

    engine = Tokenizer.from_buffer(data)
    engine.no_truncation()
    engine.no_padding()  # a file may ask for a billion tokens around each text
    return engine, kinds


def kinds_of_parts(data: bytes) -> set[str]:
    """The kinds of parts that a tokenizer.json is made of; a ValueError for anything else.

    >>> sorted(kinds_of_parts(b'{"model": {"type": "WordLevel", "vocab": {"a": 0}}, "normalizer": {"type": "NFC"}}'))
    ['NFC', 'WordLevel']
    """
    whole = _read(data)
    kinds = {_model(whole.get("model"))}
    _added(whole.get("added_tokens"))
    for place, checks in CHECKS.items():
        parts = list(_flat(whole.get(place), place, 0))
        if len(parts) > MOST_PARTS:
            raise ValueError(f"its {place} has {len(parts)} parts; at most {MOST_PARTS} are used")
        for part in parts:
            kind = part.get("type")
            if not isinstance(kind, str) or kind not in checks:
                raise ValueError(f"its {place} is {str(kind)[:40]!r}; expected one of {', '.join(checks)}")
            checks[kind](part)
            kinds.add(kind)
    return kinds


def _read(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise ValueError(f"it has {len(data):,} bytes; at most {MOST_BYTES:,} are read")
    for sign, most in MOST_SIGNS.items():
        if len(data) > most and data.count(sign) > most:
            raise ValueError(f"it has more than {most:,} of the sign {sign.decode()}, which no tokenizer needs")
    try:
        # byte by byte, so that one rare letter does not make all the text four times as large
        whole = json.loads(data.decode("latin-1"), object_pairs_hook=_without_repetition, parse_constant=int)
    except (ValueError, RecursionError) as error:
        raise ValueError(str(error) if isinstance(error, _Repeated) else "it is not valid JSON") from None
    if not isinstance(whole, dict):
        raise ValueError(f"it must be an object, got {type(whole).__name__}")
    return whole


@contextmanager
def _no_looking_for_cycles() -> Generator[None]:
    """JSON holds none; looking for them while a million lists are made takes ten times the parsing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class _Repeated(ValueError):
    """A name that appears twice: two readers may choose differently."""


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Repeated("it has the same name twice in one object")
    return found


def _flat(part: Any, place: str, depth: int) -> Iterator[Part]:
    if part is None:
        return
    if not isinstance(part, dict):
        raise ValueError(f"its {place} must be an object, got {type(part).__name__}")
    if part.get("type") != "Sequence":
        yield part
        return
    inside = part.get(INSIDE[place])
    if not isinstance(inside, list) or depth > 2 or len(inside) > MOST_PARTS:
        raise ValueError(f"its {place} is not a short list of parts")
    for one in inside:
        yield from _flat(one, place, depth + 1)


def _model(model: Any) -> str:
    """BPE, WordPiece or WordLevel; older files do not say which."""
    if not isinstance(model, dict):
        raise ValueError("it has no model")
    guess = "BPE" if "merges" in model else "WordPiece" if "max_input_chars_per_word" in model else None
    kind = model.get("type", guess)
    if kind not in ("BPE", "WordPiece", "WordLevel"):
        raise ValueError(f"its model is {str(kind)[:40]!r}; expected one of BPE, WordPiece, WordLevel")
    vocabulary, merges = model.get("vocab"), model.get("merges", [])
    if not isinstance(vocabulary, dict) or not 1 <= len(vocabulary) <= MOST_PIECES:
        raise ValueError(f"its vocabulary is not an object of 1 to {MOST_PIECES:,} pieces")
    numbers = vocabulary.values()
    if set(map(type, numbers)) != {int} or min(numbers) < 0 or max(numbers) >= 2**31:
        raise ValueError("its pieces are not numbered")
    if not isinstance(merges, list) or not _are_merges(merges):
        raise ValueError("its merges are not pairs of pieces")
    if model.get("dropout"):
        raise ValueError("it cuts text at random (dropout)")
    if kind == "BPE" and model.get("continuing_subword_prefix"):
        raise ValueError("its merges have a prefix, which no model that regard reads has")
    longest = model.get("max_input_chars_per_word", 100)
    if type(longest) is not int or not 0 <= longest <= 1000:
        raise ValueError(f"it reads words of {str(longest)[:40]} letters; at most 1000 are read")
    return kind


def _are_merges(merges: list[Any]) -> bool:
    """Each is written as one string or as a pair of them; of all at once, since there may be half a million."""
    kinds, pairs = set(map(type, merges)), [merge for merge in merges if type(merge) is list]
    return kinds <= {str, list} and set(map(len, pairs)) <= {2} and set(map(type, chain.from_iterable(pairs))) <= {str}


def _added(tokens: Any) -> None:
    sound = tokens is None or (
        isinstance(tokens, list)
        and all(
            isinstance(token, dict) and isinstance(token.get("content"), str) and token["content"] for token in tokens
        )
    )
    if not sound:
        raise ValueError("its added_tokens are not pieces with a content")


# each checks one kind of part


def _any(part: Part) -> None: ...


def _short(part: Part, *names: str) -> None:
    for name in names:
        if not isinstance(part.get(name, ""), str) or len(part.get(name, "")) > MOST_LETTERS:
            raise ValueError(f"its {part['type']} has a {name} of more than {MOST_LETTERS} letters")


def _replace(part: Part) -> None:
    """What is put in may not be longer than what is taken out, or a few such parts would fill the memory."""
    pattern, content = part.get("pattern"), part.get("content")
    taken = pattern.get("String") if isinstance(pattern, dict) else None
    if not isinstance(taken, str) or not isinstance(content, str) or not taken:
        raise ValueError("it replaces by a pattern; only fixed letters are replaced")
    if len(_letters(content)) > len(_letters(taken)):
        raise ValueError("it replaces letters by more letters")


def _split(part: Part) -> None:
    pattern = part.get("pattern")
    regex = pattern.get("Regex") if isinstance(pattern, dict) else None
    if isinstance(pattern, dict) and isinstance(pattern.get("String"), str) and pattern["String"]:
        return
    if regex not in PATTERNS:
        raise ValueError("it cuts the text by a pattern that is not GPT-2's, Llama 3's or Qwen2's")


def _template(part: Part) -> None:
    """[CLS] A [SEP]: the text once, and a few pieces around it that have numbers."""
    special = part.get("special_tokens")
    if not isinstance(special, dict) or not all(_is_numbered(piece) for piece in special.values()):
        raise ValueError("its template has pieces without a number")
    single, pair = (_items(part.get(name), special) for name in ("single", "pair"))
    if single.count("A") != 1 or "B" in single or pair.count("A") > 1 or pair.count("B") > 1:
        raise ValueError("its template does not hold the text once")


def _is_numbered(piece: Any) -> bool:
    match piece:
        case {"ids": list(ids), "tokens": list(tokens)}:
            return 1 <= len(ids) == len(tokens) <= MOST_PARTS
    return False


def _items(template: Any, special: Part) -> list[str]:
    """A and B where the texts go, and an empty name where a known piece does."""
    items = template if isinstance(template, list) and len(template) <= MOST_PARTS else [None]
    found = []
    for item in items:
        match item:
            case {"Sequence": {"id": "A" | "B" as text}}:
                found.append(text)
            case {"SpecialToken": {"id": str(name)}} if name in special:
                found.append("")
            case _:
                raise ValueError("its template is not a short list of pieces and the text")
    return found


def _letters(written: str) -> str:
    try:
        return written.encode("latin-1").decode()
    except UnicodeError:
        return written


CHECKS: dict[str, dict[str, Callable[[Part], None]]] = {
    "normalizer": {
        **dict.fromkeys(("BertNormalizer", "NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Strip"), _any),
        "Prepend": lambda part: _short(part, "prepend"),
        "Replace": _replace,
    },
    "pre_tokenizer": {
        **dict.fromkeys(("ByteLevel", "BertPreTokenizer", "Whitespace", "WhitespaceSplit", "Punctuation"), _any),
        "Digits": _any,
        "Metaspace": lambda part: _short(part, "replacement"),
        "Split": _split,
    },
    "post_processor": {
        **dict.fromkeys(("ByteLevel", "BertProcessing", "RobertaProcessing"), _any),
        "TemplateProcessing": _template,
    },
    "decoder": {
        **dict.fromkeys(("ByteLevel", "ByteFallback", "Fuse"), _any),
        "WordPiece": lambda part: _short(part, "prefix"),
        "Metaspace": lambda part: _short(part, "replacement"),
        "Strip": lambda part: _short(part, "content"),
        "Replace": _replace,
    },
}

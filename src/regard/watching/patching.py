"""Parts of one run of any model put into another: what each head carries from text to text.

Activation patching (Vig et al. 2020; Meng et al. 2022): the model reads one text while a part of its attention says
what it said about the other. Heads of a layer are tried side by side, as one batch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from regard.suggestions import NotFound
from regard.trace.patched import Patched, Tell, check_by
from regard.watching.call import Call
from regard.watching.catching import caught_for
from regard.watching.changing import Position, Word
from regard.watching.watch import watch

Given = str | torch.Tensor | Mapping[str, Any]
SIDE_BY_SIDE = 32  # runs of one batch


def patch(
    model: torch.nn.Module,
    clean: Given,
    corrupted: Given,
    tokenizer: Any = None,
    by: str = "head",
    words: tuple[Word, Word] | None = None,
    tell: Tell | None = None,
) -> Patched:
    """Reads `corrupted` with each part of `clean` by itself: by how much does one next word's logit exceed another's?

    A text is words (with a `tokenizer`), numbers of words, or what the model takes by name. The two next words are
    what the model predicts for either text, unless they are told. `by` says what a part is: a head ("head"), all heads
    of a layer ("layer"), or what all heads of a layer say at one word ("word").
    """
    check_by(by)
    texts = [_inputs(given, tokenizer, model) for given in (clean, corrupted)]
    lengths = [int(text["input_ids"].shape[1]) for text in texts]
    if lengths[0] != lengths[1]:
        raise ValueError(f"both texts must have as many tokens; got {lengths[0]} and {lengths[1]}")
    with torch.inference_mode():
        listening = _Listening(model)
        with caught_for(listening):
            other = _logits(model, texts[0])[0]
        own = _logits(model, texts[1])[0]
        numbers = _words(words, tokenizer, other, own)
        values = _values(model, texts[1], listening.said, by, numbers, tell)
    names = [_written(tokenizer, int(number)) for number in texts[1]["input_ids"][0]]
    names = names if by == "word" else map(str, range(values.shape[1]))
    first, second = (_written(tokenizer, number) for number in numbers)
    mine, theirs = (float(logits[numbers[0]] - logits[numbers[1]]) for logits in (own, other))
    return Patched((first, second), mine, theirs, values, by, tuple(names))


def _values(
    model: torch.nn.Module,
    text: dict[str, Any],
    said: Sequence[torch.Tensor],
    by: str,
    words: tuple[int, int],
    tell: Tell | None,
) -> np.ndarray:
    rows: list[list[float]] = []
    for layer, context in enumerate(said):
        parts = {"head": context.shape[1], "layer": 1, "word": context.shape[2]}[by]
        found: list[float] = []
        for some in torch.arange(parts).split(SIDE_BY_SIDE):
            change = _SideBySide(layer, context, by, some.tolist())
            with watch(model, layers=(), changes=[change]):
                logits = _logits(model, _repeated(text, len(some)))
            found += (logits[:, words[0]] - logits[:, words[1]]).tolist()
        rows.append(found)
        if tell is not None:
            tell(len(rows), len(said))
    return np.array(rows)


class _Listening:
    """Keeps what every layer of a model says, in the order in which they run."""

    is_told_all = False

    def __init__(self, model: torch.nn.Module):
        self.parts = set(model.modules())
        self.said: list[torch.Tensor] = []

    def knows(self, module: Any) -> bool:
        return module in self.parts

    def saw(self, part: torch.nn.Module, call: Call, context: torch.Tensor) -> torch.Tensor:
        self.said.append(context.clone())
        return context

    def missed(self, part: torch.nn.Module, reason: str) -> None:
        raise ValueError(f"layer {len(self.said)} cannot be changed: it {reason}")


@dataclass(frozen=True, eq=False)
class _SideBySide:
    """In each text of a batch, another part of a layer says what it said in the other run."""

    layer: int
    context: torch.Tensor  # (1, H, Q, E), of the other run
    by: str
    parts: list[int]

    def said(self) -> str:
        return f"layer {self.layer}: each {self.by} replaced by itself"

    def after(self, call: Call, context: torch.Tensor, position: Position) -> torch.Tensor:
        now = context.clone()
        for text, part in enumerate(self.parts):
            at = {"head": (part,), "layer": (), "word": (slice(None), part)}[self.by]
            now[(text, *at)] = self.context[(0, *at)].to(now.dtype)
        return now


# what goes into a model, and what comes out


def _inputs(given: Given, tokenizer: Any, model: torch.nn.Module) -> dict[str, Any]:
    if isinstance(given, str):
        if tokenizer is None:
            raise ValueError("a text in words needs its tokenizer: regard.patch(model, clean, corrupted, tokenizer)")
        given = dict(tokenizer(given, return_tensors="pt"))
    found = {"input_ids": given} if isinstance(given, torch.Tensor) else dict(given)
    ids = found.get("input_ids")
    if not isinstance(ids, torch.Tensor) or ids.ndim != 2 or len(ids) != 1:
        raise ValueError(f"a text expects numbers of words of shape (1, tokens), got {getattr(ids, 'shape', ids)}")
    device = next(model.parameters()).device
    return {name: x.to(device) if isinstance(x, torch.Tensor) else x for name, x in found.items()}


def _repeated(text: dict[str, Any], times: int) -> dict[str, Any]:
    return {
        name: x.expand(times, *x.shape[1:]) if isinstance(x, torch.Tensor) and len(x) == 1 else x
        for name, x in text.items()
    }


def _logits(model: torch.nn.Module, text: dict[str, Any]) -> torch.Tensor:
    """Of the next word after each text, (B, V)."""
    if len(text) == 1:
        found = model(text["input_ids"])  # whatever the model calls it
    else:
        found = model(**text)
    logits = getattr(found, "logits", found[0] if isinstance(found, tuple) else found)
    if not isinstance(logits, torch.Tensor) or logits.ndim != 3:
        raise ValueError("the model gives no logits of next words, (texts, tokens, words); patch one that does")
    return logits[:, -1].float()


def _words(
    told: tuple[Word, Word] | None, tokenizer: Any, clean: torch.Tensor, corrupted: torch.Tensor
) -> tuple[int, int]:
    if told is not None:
        first, second = (_number(word, tokenizer) for word in told)
        return first, second
    first, second = int(clean.argmax()), int(corrupted.argmax())
    return (first, second) if first != second else (first, int(clean.topk(2).indices[1]))


def _number(word: Word, tokenizer: Any) -> int:
    if isinstance(word, int):
        return word
    if tokenizer is None:
        raise ValueError(f"a word needs the tokenizer, got {word!r}; name it by its number, or pass the tokenizer")
    for written in (word, f" {word.strip()}", word.strip()):  # most vocabularies write a word with the space before it
        found = tokenizer.encode(written, add_special_tokens=False)
        if len(found) == 1:
            return int(found[0])
    raise NotFound(f"this model has no single piece for {word!r}; choose a word that is one piece")


def _written(tokenizer: Any, number: int) -> str:
    return str(number) if tokenizer is None else str(tokenizer.decode([number])).strip()

"""The words of what a watched model read, where its tokenizer is known."""

from functools import lru_cache
from typing import Any

import torch

from regard.suggestions import NotFound
from regard.trace.labels import Labels
from regard.watching.layer import Layer

# what models call the numbers of the words that are read, and of those that are written
READ, WRITTEN = "input_ids", "decoder_input_ids"


class Words:
    """Texts that were read and, by models that read one text and write another, written."""

    def __init__(self, tokenizer: Any = None):
        self.tokenizer = tokenizer
        self.ids: dict[str, torch.Tensor] = {}  # (texts, tokens), where they are: to fetch them is to wait for a GPU
        self._coming: dict[str, torch.Tensor] = {}

    def come(self, given: dict[str, Any]) -> None:
        """A pass of the model begins with these."""
        self._coming = {
            name: found
            for name in (READ, WRITTEN)
            if isinstance(found := given.get(name), torch.Tensor) and found.ndim == 2
        }

    def hold(self) -> None:
        """Whoever gave them may write into them from here on."""
        self._coming = {name: ids.detach().clone() for name, ids in self._coming.items()}

    def took(self, goes_on: bool) -> None:
        """Whether the pass went on with the text that was there."""
        for name, ids in self._coming.items():
            before = self.ids.get(name)
            is_next = goes_on and before is not None and before.shape[0] == ids.shape[0]
            self.ids[name] = torch.cat([before, ids], 1) if is_next and before is not None else ids.detach().clone()
        self._coming = {}

    def numbers(self, layer: Layer, text: int) -> list[int] | None:
        """Which word each of a layer's tokens is, by number."""
        ids = self._ids(layer.queries, WRITTEN if "decoder" in layer.name else READ)
        return None if ids is None else ids[text].tolist()

    def _ids(self, length: int, prefer: str) -> torch.Tensor | None:
        order = (prefer, *(name for name in (READ, WRITTEN) if name != prefer))
        ids = next((self.ids[name] for name in order if name in self.ids and self.ids[name].shape[1] == length), None)
        return None if ids is None else ids.cpu()

    def of(self, length: int, text: int, prefer: str = READ) -> tuple[str, ...] | None:
        """The words of the text that has so many."""
        ids = None if self.tokenizer is None else self._ids(length, prefer)
        return None if ids is None else tuple(self._word(int(i)) for i in ids[text])

    def queries(self, layer: Layer, text: int) -> tuple[str, ...] | None:
        return self.of(layer.queries, text, WRITTEN if "decoder" in layer.name else READ)

    def keys(self, layer: Layer, text: int) -> tuple[str, ...] | None:
        return self.of(layer.keys, text, WRITTEN if "decoder" in layer.name and not layer.is_cross else READ)

    def position(self, word: str, layer: Layer, text: int) -> int:
        """Where a word stands among a layer's queries; `it@7` where it occurs more than once."""
        return _found(word, self.queries(layer, text), "Q")

    def position_of_key(self, word: str, layer: Layer, text: int) -> int:
        """Where a word stands among a layer's keys."""
        return _found(word, self.keys(layer, text), "K")

    def place(self, word: str, length: int) -> int:
        """Where a word stands in the text that is being read, so many tokens of it until now."""
        read = [ids.detach().cpu() for ids in (self.ids.get(READ), self._coming.get(READ)) if ids is not None]
        if any(len(ids) > 1 for ids in read):
            raise NotFound(f"several texts are read side by side, got {word!r}; name a position by its number")
        texts = [*reversed(read), torch.cat(read, 1)] if read and self.tokenizer is not None else []
        whole = next((ids[0] for ids in texts if ids.shape[1] == length), None)
        return _found(word, None if whole is None else tuple(self._word(int(i)) for i in whole), "T")

    def _word(self, number: int) -> str:
        return _decoded(self.tokenizer, number)


def _found(word: str, words: tuple[str, ...] | None, axis: str) -> int:
    if words is None:
        raise NotFound(f"the words are not known, got {word!r}; pass the tokenizer: regard.watch(model, tokenizer)")
    return Labels({axis: words}).position(axis, len(words), word)


@lru_cache(maxsize=200_000)
def _decoded(tokenizer: Any, number: int) -> str:
    return str(tokenizer.decode([number])).strip() or repr(tokenizer.decode([number]))

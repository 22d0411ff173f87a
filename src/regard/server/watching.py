"""Models that are not in glass, on the page: their own code runs a text, and their attention is watched.

torch and transformers are imported when the first text is read; without them nothing can be watched.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from regard.attending.weights import Weights
from regard.models.catalogue import is_gguf_file
from regard.session.refusal import TooLarge
from regard.session.watched import Wanted
from regard.suggestions import NotFound
from regard.watching.loading import is_folder

BUDGET = "2GB"  # of queries, keys and values; layers beyond it are named
WORK = 2e12  # tokens · parameters of one request: about a minute
TEXTS = 2  # that are kept


def watcher(place: str) -> "Watcher | None":
    """What reads texts with the model of a folder; None where that is none of transformers', or it is not installed."""
    return Watcher(place) if has_all() and is_folder(place) else None


def reader_of_long(place: str) -> "Watcher | None":
    """The same, and of a GGUF file: unpacking it takes a while, which only whoever sits at the terminal may ask for."""
    return Watcher(place) if has_all() and (is_folder(place) or is_gguf_file(place)) else None


def has_all() -> bool:
    return all(find_spec(name) is not None for name in ("torch", "transformers"))


class Watcher:
    """One model, loaded when it is first needed, the last texts that it read, and those that were named."""

    def __init__(self, place: str):
        self.place = place
        self._texts: OrderedDict[str, WatchedText] = OrderedDict()
        self._named: dict[str, WatchedText] = {}
        self._lock = threading.Lock()

    @cached_property
    def loaded(self) -> tuple[Any, Any]:
        from regard.models.gguf.unpacked import as_folder
        from regard.watching.loading import loaded

        with as_folder(self.place) as folder:
            return loaded(folder)

    @property
    def named(self) -> Collection[str]:
        return self._named

    def knows(self, text: str) -> bool:
        return text in self._named or text in self._texts

    def name(self, name: str, text: str, layers: Sequence[int] | None, say: Callable[[str], None]) -> None:
        """Read a text of any length now, for whoever sits at the terminal: it is there as long as the server."""
        from regard.watching.running import ran
        from regard.watching.telling import beyond, telling

        model, tokenizer = self.loaded
        given = tokenizer(text, return_tensors="pt")
        if (note := beyond(model, given["input_ids"].shape[1])) is not None:
            say(f"note: {note}")
        seen, candidates = ran(model, tokenizer, given, BUDGET, layers=layers, tell=telling(say))
        self._named[name] = self._shown(seen, candidates)

    def __call__(self, text: str, wanted: Wanted, /) -> "WatchedText":
        with self._lock:
            if text in self._named:
                return self._named[text]
            if text not in self._texts:
                self._texts[text] = self._read(text, wanted)
            self._texts.move_to_end(text)
            while len(self._texts) > TEXTS:
                self._texts.popitem(last=False)
            return self._texts[text]

    def _read(self, text: str, wanted: Wanted) -> "WatchedText":
        from regard.watching.running import ran

        try:
            model, tokenizer = self.loaded
        except ValueError:  # the reason may name folders of this machine: that is for the terminal
            name = Path(self.place).name
            raise NotFound(f"transformers cannot run {name}; in a terminal, regard watch says why") from None
        if not text.strip():
            raise ValueError('the text has no words; write a sentence such as "The quick brown fox"')
        given = tokenizer(text, return_tensors="pt")
        tokens, parameters = given["input_ids"].shape[1], sum(parameter.numel() for parameter in model.parameters())
        if tokens * parameters > WORK:
            raise TooLarge(
                f"{tokens:,} tokens through {parameters:,} parameters take too long at once; pass a shorter text"
            )
        return self._shown(*ran(model, tokenizer, given, BUDGET, wanted))

    def _shown(self, seen: Any, candidates: Sequence[tuple[str, float]]) -> "WatchedText":
        kind = type(self.loaded[0]).__name__
        return WatchedText(f"{Path(self.place).resolve().name} ({kind}, watched)", seen, candidates)


class WatchedText:
    """What was seen of one text, as session/watched.py asks for it."""

    def __init__(self, title: str, seen: Any, candidates: Sequence[tuple[str, float]]):
        self.title, self.candidates, self._seen = title, candidates, seen
        self._glances: dict[tuple[int, int], list[dict[str, Any]]] = {}  # a whole pass over a layer each
        self._habits: dict[int, list[Any]] = {}  # of every layer, the same
        shown = [layer for layer in seen.layers if not layer.is_cross]
        longest = max((layer.queries for layer in shown), default=0)
        self._layers = {layer.number: layer for layer in shown if layer.queries == longest}
        self.words: tuple[str, ...] = ()
        if self._layers:
            first = next(iter(self._layers.values()))
            self.words = seen.words.keys(first, 0) or tuple(map(str, range(longest)))
        self.weights: Mapping[int, Weights] = {number: seen[number] for number in self._layers}
        verified = seen.verify()
        self.parity = str(verified), float(verified.worst)

    @property
    def missed(self) -> Mapping[str, str]:
        others = [layer for layer in self._seen.layers if layer.number not in self._layers]
        return {**self._seen.missed, **{layer.name: "reads another text, and is not drawn" for layer in others}}

    def at_a_glance(self, layer: int, cells: int) -> list[dict[str, Any]]:
        if (layer, cells) not in self._glances:
            self._glances[layer, cells] = self._glance(layer, cells)
        return self._glances[layer, cells]

    def _glance(self, layer: int, cells: int) -> list[dict[str, Any]]:
        seen = self._seen.look(layer, cells, cells)
        last = len(self.words) - 1
        first = [float(weights.row(last)[0]) for weights in self.weights[layer]]
        return [
            {
                "entropy": float(seen.entropy[head, last]),
                "distance": float(seen.mean_distance[head, last]),
                "first": first[head],
                "pattern": seen.picture[head].ravel().round(4).tolist(),
            }
            for head in range(len(first))
        ]

    def heads(self, wanted: Wanted) -> list[Any]:
        from regard.watching.heads import habits

        for number, layer in self._layers.items():
            if number not in self._habits:
                wanted()
                self._habits[number] = habits(layer, 0, self._seen.words.numbers(layer, 0))
        return [row for rows in self._habits.values() for row in rows]

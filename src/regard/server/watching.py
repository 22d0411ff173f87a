"""Models that are not in glass, on the page: their own code runs a text, and their attention is watched.

torch and transformers are imported when the first text is read; without them nothing can be watched.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from regard.attending.weights import Weights
from regard.session.refusal import TooLarge
from regard.session.watched import Wanted

BUDGET = "2GB"  # of queries, keys and values; layers beyond it are named
WORK = 2e12  # tokens · parameters of one request: about a minute
TEXTS = 2  # that are kept
CANDIDATES = 10


def watcher(place: str) -> "Watcher | None":
    """What reads texts with the model of a folder; None where that is none of transformers', or it is not installed."""
    from regard.watching.loading import is_folder

    has_all = all(find_spec(name) is not None for name in ("torch", "transformers"))
    return Watcher(place) if has_all and is_folder(place) else None


class Watcher:
    """One model, loaded when it is first needed, and the last texts that it read."""

    def __init__(self, place: str):
        self.place = place
        self._texts: OrderedDict[str, WatchedText] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def loaded(self) -> tuple[Any, Any]:
        from regard.watching.loading import loaded

        return loaded(self.place)

    def __call__(self, text: str, wanted: Wanted) -> "WatchedText":
        with self._lock:
            if text not in self._texts:
                self._texts[text] = self._read(text, wanted)
            self._texts.move_to_end(text)
            while len(self._texts) > TEXTS:
                self._texts.popitem(last=False)
            return self._texts[text]

    def _read(self, text: str, wanted: Wanted) -> "WatchedText":
        import torch

        from regard.watching.watch import watch

        model, tokenizer = self.loaded
        if not text.strip():
            raise ValueError('the text has no words; write a sentence such as "The quick brown fox"')
        given = tokenizer(text, return_tensors="pt")
        ids = given["input_ids"]
        parameters = sum(parameter.numel() for parameter in model.parameters())
        if ids.numel() * parameters > WORK:
            raise TooLarge(
                f"{ids.numel():,} tokens through {parameters:,} parameters take too long for one request; "
                "pass a shorter text"
            )
        if getattr(model.config, "is_encoder_decoder", False):
            start = model.config.decoder_start_token_id or 0
            given["decoder_input_ids"] = torch.full((1, 1), start, dtype=ids.dtype)
        with torch.inference_mode(), _stoppable(model, wanted), watch(model, tokenizer, budget=BUDGET) as seen:
            output = model(**given)
        title = f"{Path(self.place).resolve().name} ({type(model).__name__}, watched)"
        return WatchedText(title, seen, _next_words(model, tokenizer, output))


@contextmanager
def _stoppable(model: Any, wanted: Wanted) -> Iterator[None]:
    """Between any two of its parts it is asked whether anybody still waits."""
    handles = [part.register_forward_pre_hook(lambda *_: wanted()) for part in model.modules()]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _next_words(model: Any, tokenizer: Any, output: Any) -> list[tuple[str, float]]:
    """The most probable next words, of a model that writes on."""
    logits = getattr(output, "logits", None)
    if logits is None or "CausalLM" not in type(model).__name__:
        return []
    best = logits[0, -1].float().softmax(-1).topk(min(CANDIDATES, logits.shape[-1]))
    words = [str(tokenizer.decode([number])) for number in best.indices.tolist()]
    return [(word.strip() or repr(word), share) for word, share in zip(words, best.values.tolist())]


class WatchedText:
    """What was seen of one text, as session/watched.py asks for it."""

    def __init__(self, title: str, seen: Any, candidates: Sequence[tuple[str, float]]):
        self.title, self.candidates, self._seen = title, candidates, seen
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

    def heads(self) -> list[Any]:
        return [row for row in self._seen.heads() if row.layer in self._layers]

"""What was seen of a model: every layer's weights, ready to be asked, and whether they are right."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from regard.attending.arriving import Arriving
from regard.attending.look import Looked, Received
from regard.attending.weights import Weights, queries_and_keys
from regard.suggestions import NotFound, suggestion
from regard.watching.heads import Habits, Reads, habits, sorted_by
from regard.watching.keeping import HERE, Keeper
from regard.watching.layer import Layer
from regard.watching.together import looked_at
from regard.watching.words import Words


@dataclass(frozen=True)
class Verified:
    """How far each layer's weights × values is from what the model's own kernel gave: the largest difference in the
    rows that were compared, as a share of the largest number."""

    errors: dict[str, float]
    learning: Sequence[
        str
    ] = ()  # layers that drop weights at random while they learn: their output is no sum to compare

    @property
    def worst(self) -> float:
        return max(self.errors.values(), key=lambda error: math.inf if math.isnan(error) else error, default=0.0)

    def __str__(self) -> str:
        if not self.errors:
            return "nothing to compare: " + ("the model learns, with dropout" if self.learning else "nothing was seen")
        name = max(self.errors, key=lambda one: self.errors[one])
        where = f" ({name})" if name else ""
        said = "1 layer" if len(self.errors) == 1 else f"{len(self.errors)} layers"
        return f"{said} compared with the model's own output: at most {self.worst:.1e} off{where}"


class Seen:
    """`seen[layer]` is who reads whom in a layer, `seen[layer, head]` in one head; a layer by its number or name."""

    def __init__(
        self,
        tokenizer: Any = None,
        heads: tuple[int, ...] | None = None,
        text: int | None = None,
        keeper: Keeper = HERE,
    ):
        self.words = Words(tokenizer)
        self.chosen_heads = heads
        self.keeper = keeper  # lives as long as what it keeps
        self.catch_up: Callable[[], None] = lambda: None  # take in what was only noted while the model ran
        self.changed: list[str] = []  # what was done to the model while it ran, in words
        self._by_number: dict[int, Layer] = {}
        self._missed: dict[str, str] = {}
        self._text = text

    # what is there

    @property
    def missed(self) -> dict[str, str]:
        """Layers that could not be watched, and why."""
        self.catch_up()
        return self._missed

    @property
    def _layers(self) -> dict[int, Layer]:
        self.catch_up()
        return self._by_number

    @property
    def layers(self) -> list[Layer]:
        """Every layer that was seen, in the order in which they first ran."""
        return [layer for _, layer in sorted(self._layers.items()) if layer.runs and not layer.is_stale]

    @property
    def texts(self) -> int:
        """How many texts were read side by side."""
        return self.layers[0].q.shape[0] if self.layers else 0

    @property
    def bytes(self) -> int:
        """What is kept."""
        return sum(layer.bytes for layer in self._layers.values())

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator[Weights]:
        return (self[layer.number] for layer in self.layers)

    def text(self, number: int) -> "Seen":
        """One of several texts that were read side by side."""
        if not 0 <= number < self.texts:
            raise IndexError(f"there are {self.texts} texts, counted from 0, got {number}")
        one = Seen(None, self.chosen_heads, number, self.keeper)
        one.words, one.changed, one.catch_up = self.words, self.changed, self.catch_up
        one._missed, one._by_number = self._missed, self._by_number
        return one

    def __getitem__(self, at: int | str | tuple[int | str, int]) -> Weights:
        if isinstance(at, tuple) and len(at) != 2:
            raise IndexError(f"expected seen[layer] or seen[layer, head], got {len(at)} numbers")
        which, head = at if isinstance(at, tuple) else (at, None)
        layer = self.of(which)
        weights = layer.weights(lambda word: self.words.position(word, layer, self._text or 0))
        if self._text is not None or self.texts == 1:
            weights = weights[self._text or 0]
        elif head is not None:
            raise IndexError(f"{self.texts} texts were read side by side; choose one: seen.text(0)[{which!r}, {head}]")
        return weights if head is None else weights[self._head(head)]

    def _head(self, head: int) -> int:
        if self.chosen_heads is None:
            return head
        if head not in self.chosen_heads:
            raise IndexError(f"only the heads {list(self.chosen_heads)} were watched, got {head}")
        return self.chosen_heads.index(head)

    def of(self, which: int | str) -> Layer:
        """A layer by its number or its name."""
        if not self.layers:
            raise NotFound(self._nothing())
        if isinstance(which, str):
            by_name = {layer.name: layer for layer in self.layers}
            if which in by_name:
                return by_name[which]
            if which in self.missed:
                raise NotFound(f"{which} could not be watched: it {self.missed[which]}")
            raise NotFound(f"no layer {which!r}; {suggestion(which, by_name)}")
        layer = self._layers.get(which)
        if layer is not None and layer in self.layers:
            return layer
        if layer is not None and layer.name in self.missed:
            raise NotFound(f"layer {which} ({layer.name}) could not be watched: it {self.missed[layer.name]}")
        raise NotFound(f"no layer {which} was watched; those that were: {[layer.number for layer in self.layers]}")

    def _nothing(self) -> str:
        if self.missed:
            name, reason = next(iter(self.missed.items()))
            return f"none of {len(self.missed)} layers could be watched: {name} {reason}"
        return (
            "no attention was seen: run the model inside the block, `with regard.watch(model) as seen: model(…)`; "
            "it must call torch's scaled_dot_product_attention, nn.MultiheadAttention or transformers' attention"
        )

    # what the heads do

    def look(self, layer: int | str, height: int = 256, width: int = 256) -> Looked:
        """Everything one wants to know of a layer, in one pass: received, entropy, distance, largest, and a picture."""
        return self._of_text(self.of(layer).looked(height, width))

    def looked(self, height: int = 256, width: int = 256) -> list[Looked]:
        """`look` at every layer, in their order: on a GPU at many of them at once."""
        return [self._of_text(one) for one in looked_at(self.layers, lambda layer: layer.looked(height, width))]

    def received(self, height: int = 256, width: int = 256) -> list[Received]:
        """What every key gets in every layer, and the layer as a picture: on a GPU less work than `looked`."""
        return [self._of_text(one) for one in looked_at(self.layers, lambda layer: layer.received(height, width))]

    def _of_text(self, found: Any) -> Any:
        """Without the axis of texts, where there is one text, or one was chosen."""
        if self._text is None and self.texts > 1:
            return found
        answers, text = found, self._text or 0
        return type(found)(lambda: answers[text]) if isinstance(found, Arriving) else answers[text]

    @overload
    def heads(self, *, sort_by: str | None = None) -> list[Habits]: ...
    @overload
    def heads(self, reader: str | int, read: str | int) -> list[Reads]: ...
    def heads(
        self, reader: str | int | None = None, read: str | int | None = None, sort_by: str | None = None
    ) -> list[Any]:
        """The habits of every head, `seen.heads(sort_by="induction")`; or who lets one word read another,
        `seen.heads("it", "animal")`, with what a word gets on average: the most first."""
        text = self._only_text()
        if not self.layers:
            raise NotFound(self._nothing())
        if (reader is None) != (read is None):
            raise ValueError(
                f"expected two words, who reads and what is read, got {reader if read is None else read!r}"
            )
        own = [layer for layer in self.layers if not layer.is_cross]
        if reader is None or read is None:
            found = [row for layer in own for row in habits(layer, text, self.words.numbers(layer, text))]
            return found if sort_by is None else sorted_by(found, sort_by)
        rows: list[Reads] = []
        for layer in own:
            query = reader if isinstance(reader, int) else self.words.position(reader, layer, text)
            key = read if isinstance(read, int) else self.words.position_of_key(read, layer, text)
            if not -layer.keys <= key < layer.keys:
                raise IndexError(f"no key {key}; there are {layer.keys}, counted from 0")
            given = layer.weights()[text].row(query)
            seen = max(1, int((given > 0).any(0).sum()))
            numbers = self.chosen_heads or range(layer.heads)
            rows += [Reads(layer.number, n, float(p[key]), float(p.sum()) / seen) for n, p in zip(numbers, given)]
        return sorted(rows, key=lambda row: -row.weight)

    def _only_text(self) -> int:
        if self._text is None and self.texts > 1:
            raise IndexError(f"{self.texts} texts were read side by side; choose one: seen.text(0).heads(…)")
        return self._text or 0

    # is it right?

    def verify(self) -> Verified:
        """Weights × values against what the model's own kernel gave, in rows spread over the text."""
        learning = [layer.name for layer in self.layers if layer.dropout]
        return Verified({layer.name: layer.error() for layer in self.layers if not layer.dropout}, learning)

    # what watching tells it

    def layer(self, number: int, name: str) -> Layer:
        if number not in self._by_number:
            self._by_number[number] = Layer(name, number)
        return self._by_number[number]

    def is_over(self, numbers: list[int]) -> None:
        """These layers tell of a text before the last one, until they run again."""
        for number in numbers:
            if number in self._by_number:
                self._by_number[number].is_stale = True

    def has(self, layer: Layer) -> None:
        self._missed.pop(layer.name, None)

    def miss(self, name: str, reason: str) -> None:
        self._missed[name] = reason

    def __repr__(self) -> str:
        if not self.layers:
            return f"Seen: {self._nothing()}"
        first = self.layers[0]
        layers = f"{len(self)} layer{'s' * (len(self) > 1)} of {first.heads} head{'s' * (first.heads > 1)}"
        said = f"Seen: {layers}, {queries_and_keys(first.queries, first.keys)}"
        several = f", {self.texts} texts" if self.texts > 1 else ""
        unseen = f"{len(self.missed)} layer{'s' * (len(self.missed) > 1)}"
        missing = f"; {unseen} could not be watched (seen.missed)" if self.missed else ""
        done = f"; changed: {', '.join(self.changed)}" if self.changed else ""
        return f"{said}{several}, {self.bytes / 1e6:.1f} MB{missing}{done}"

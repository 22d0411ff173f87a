"""How alike every word of a run is to one word of the vocabulary, before the first layer and after each, as steps.

`alike5[apple]` is the cosine of apple's own vector with that of word 5, `layer2.alike5[apple]` the one that it has
after layer 2. What a sentence does to a word is the difference.
"""

from collections.abc import Iterator

import numpy as np

from regard.lens.streams import streams
from regard.ops import Contract, Given, Map, Pick
from regard.suggestions import NotFound
from regard.trace import Cell, Step, Trace
from regard.trace.names import in_layer, layer_of, without_layer


def alike_steps(trace: Trace, number: int) -> Iterator[Step]:
    """After every layer whose stream is as wide as the words themselves."""
    table, words = trace.steps.get("E"), trace.steps.get("x")
    if table is None or words is None:
        return
    if number >= table.shape[0]:
        raise NotFound(f"no word {number}; there are {table.shape[0]:,}, counted from 0")
    name = f"alike{number}"
    which = Step(f"{name}.word", Given(np.int64(number), "", "constant"))
    other = Step(f"{name}.other", Pick("IC,->C"), (table, which))
    square = Step(f"{name}.other.square", Contract("C,C->"), (other, other))
    size = Step(f"{name}.other.size", Map("square_root", "->"), (square,))
    yield from (which, other, square, size)
    for layer, stream in [("", words), *streams(trace)[1:]]:
        if stream.shape == words.shape:
            yield from _cosine(in_layer(layer, name), stream, other, size)


def _cosine(name: str, stream: Step, other: Step, size: Step) -> Iterator[Step]:
    dots = Step(f"{name}.dot", Contract("TC,C->T"), (stream, other))
    squares = Step(f"{name}.square", Contract("TC,TC->T"), (stream, stream))
    sizes = Step(f"{name}.size", Map("square_root", "T->T"), (squares,))
    both = Step(f"{name}.sizes", Map("product", "T,->T"), (sizes, size))
    yield from (dots, squares, sizes, both, Step(name, Map("divide", "T,T->T"), (dots, both)))


def cosines(trace: Trace, position: int, other: str) -> dict[str, Cell]:
    """The cosine of the word at a position with another: `itself`, then by layer.

    >>> import regard
    >>> trace = regard.explain("I bought an apple and an orange", model="fruit-or-company")
    >>> {name: round(cell.value, 3) for name, cell in cosines(trace, 3, "orange").items()}
    {'itself': 0.742, 'layer0': 0.862}
    """
    number = trace.labels.position("I", len(trace.labels.words["I"]), other)
    name = f"alike{number}"
    found = {step: place for step, place in trace.measure(name).items() if without_layer(step) == name}
    return {layer_of(step) or "itself": Cell(place, (position,)) for step, place in found.items()}

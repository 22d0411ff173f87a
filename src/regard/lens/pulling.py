"""What pulled a word away from its own place, as steps: after each layer, one vector for every word that it read.

`layer2.gravity5.pull[there]`: what reading "there" in layers 0 to 2 did to the word at position 5. With the rest (MLP,
positions, biases), all pulls sum to the way that the word has gone.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from regard.lens.attending import letters, mixing
from regard.lens.streams import streams
from regard.ops import Contract, Given, Map, Pick
from regard.suggestions import NotFound
from regard.trace import Step, Trace
from regard.trace.edits import unedited
from regard.trace.holding import is_sum


def gravity_steps(trace: Trace, position: int) -> Iterator[Step]:
    """For one word, after every layer whose stream is as wide as the words themselves."""
    words = trace.steps.get("x")
    if words is None:
        return
    if position >= words.shape[0]:
        raise NotFound(f"no word at position {position}; there are {words.shape[0]} words, from 0")
    place = Step(f"gravity{position}.place", Given(np.int64(position), "", "constant"))
    own = Step(f"gravity{position}.own", Pick("TC,->C"), (words, place))
    yield from (place, own)
    so_far: list[Step] = []
    heights = streams(trace)
    for (_, before), (layer, after) in pairwise(heights):
        if after.shape != words.shape:
            return
        prefix = f"{layer}.gravity{position}"
        sent = list(_sent(trace, layer, before, place, prefix))
        yield from sent
        so_far += sent[-1:]
        yield from _way(so_far, own, after, place, prefix)


def _sent(trace: Trace, layer: str, before: Step, place: Step, prefix: str) -> Iterator[Step]:
    """What each word sent to one position in one layer, through W_O; the last step is (K, C)."""
    mix = mixing(trace).get(layer)
    joined = trace.steps.get(f"{layer}.by_head")
    through = None if joined is None else unedited(joined)
    if mix is None or (through is not None and not through.inputs):
        return  # replaced by hand: no word has a part in it
    weights_axes, values_axes = letters(mix)
    row = Step(f"{prefix}.weights", Pick(f"{weights_axes},->HK"), (mix.inputs[0], place))
    yield row
    if through is None:
        sent = Step(f"{prefix}.sent", Contract(f"HK,{values_axes[:-1]}C->KC"), (row, mix.inputs[1]))
    else:
        by_head = Step(f"{prefix}.mixed", Contract(f"HK,{values_axes}->HKD"), (row, mix.inputs[1]))
        yield by_head
        output = through.inputs[1]
        sent = Step(f"{prefix}.sent", Contract(f"HKD,{'D' if len(output.axes) == 2 else 'HD'}C->KC"), (by_head, output))
    yield sent
    if not _is_added(trace, layer):
        # without a residual the old place is left: each word pulls toward what it sends, with its share of attention
        share = Step(f"{prefix}.share", Contract("HK->K", 1 / row.shape[0]), (row,))
        old = Step(f"{prefix}.before", Pick("TC,->C"), (before, place))
        left = Step(f"{prefix}.left", Contract("K,C->KC"), (share, old))
        yield from (share, old, left, Step(f"{prefix}.pulled", Map("subtract", "KC,KC->KC"), (sent, left)))


def _way(pulls: Sequence[Step], own: Step, after: Step, place: Step, prefix: str) -> Iterator[Step]:
    """Where the word stands now, the way it has gone, and how far each pull reaches along it."""
    there = Step(f"{prefix}.place", Pick("TC,->C"), (after, place))
    way = Step(f"{prefix}.way", Map("subtract", "C,C->C"), (there, own))
    square = Step(f"{prefix}.way.square", Contract("C,C->"), (way, way))
    yield from (there, way, square, Step(f"{prefix}.way.size", Map("square_root", "->"), (square,)))
    rest = way
    if pulls:
        pull = Step(f"{prefix}.pull", Map("add", f"{','.join(['KC'] * len(pulls))}->KC"), tuple(pulls))
        total = Step(f"{prefix}.pull.sum", Contract("KC->C"), (pull,))
        rest = Step(f"{prefix}.rest", Map("subtract", "C,C->C"), (way, total))
        yield from (pull, total, rest, *_measured(pull, "K", way, square))
    yield from _measured(rest, "", way, square, f"{prefix}.rest")


def _measured(vector: Step, rows: str, way: Step, square: Step, name: str | None = None) -> Iterator[Step]:
    """`.size`, and `.along`: the share of the way; all pulls and the rest together make 1."""
    name = name or vector.name
    lengths = Step(f"{name}.square", Contract(f"{rows}C,{rows}C->{rows}"), (vector, vector))
    reach = Step(f"{name}.reach", Contract(f"{rows}C,C->{rows}"), (vector, way))
    yield from (lengths, Step(f"{name}.size", Map("square_root", f"{rows}->{rows}"), (lengths,)))
    yield from (reach, Step(f"{name}.along", Map("divide", f"{rows},->{rows}"), (reach, square)))


def _is_added(trace: Trace, layer: str) -> bool:
    attended = trace.steps[f"{layer}.attended"]
    return any(attended in step.inputs and is_sum(step) for step in trace.forward)

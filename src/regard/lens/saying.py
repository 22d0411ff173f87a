"""What the model would say if it stopped after a layer: the logit lens (nostalgebraist 2020), as steps.

The model's own end (norm, vocabulary, softmax) is repeated on the stream of every layer: `layer2.says.probabilities`.
After the last layer that is the prediction itself, edits included.
"""

from collections.abc import Iterator, Sequence

from regard.lens.streams import streams
from regard.ops import Contract, Map
from regard.trace import Step, Trace
from regard.trace.edits import unedited


def says_steps(trace: Trace) -> Iterator[Step]:
    """The end of the model after each height of the stream except the last, where it is the model's own."""
    heights, end = streams(trace), _end(trace)
    for name, stream in heights[:-1]:
        if stream.shape == heights[-1][1].shape:
            yield from repeated(end, heights[-1][1], stream, f"{name}.says")


def repeated(steps: Sequence[Step], old: Step, new: Step, prefix: str) -> list[Step]:
    """The same steps once more, reading another one, under names of their own."""
    put = {old: new}
    for step in steps:
        put[step] = Step(f"{prefix}.{step.name}", step.op, tuple(put.get(i, i) for i in step.inputs))
    return [put[step] for step in steps]


def says(trace: Trace) -> list[tuple[str, Step]]:
    """The probabilities of the next word after each height of the stream."""
    made = trace.measure("says")
    heights = [name for name, _ in streams(trace)]
    found = [(name, made[said]) for name in heights[:-1] if (said := f"{name}.says.probabilities") in made]
    return [*found, (heights[-1] if heights else "", trace.steps["probabilities"])]


def every_logits(trace: Trace) -> list[tuple[str, Step]]:
    """The logits of every position after each height, with the vocabulary and bias of the one that predicts."""
    *below, (last, stream) = streams(trace)
    read, logits = unedited(trace.steps["read"]), unedited(trace.steps["logits"])
    if not read.inputs or not logits.inputs:
        raise ValueError("the logits, or what they are read from, were replaced; undo that to look at every position")
    made = {name: trace.measure("says") for name, step in below if step.shape == stream.shape}
    found = [
        (n, _at_every(m[f"{n}.says.{read.name}"], m[f"{n}.says.{logits.name}"], f"{n}.says.")) for n, m in made.items()
    ]
    return [*found, (last, _at_every(read, logits, ""))]


def _at_every(read: Step, logits: Step, prefix: str) -> Step:
    if isinstance(logits.op, Map) and logits.op.formula == "cap":
        open_ended = _at_every(read, unedited(logits.inputs[0]), f"{prefix}uncapped.")
        return Step(f"{prefix}every.capped", Map("cap", "TV->TV", logits.op.constants), (open_ended,))
    product, *bias = (logits,) if isinstance(logits.op, Contract) else logits.inputs
    made = Step(f"{prefix}every.product", Contract("TC,VC->TV"), (read.inputs[0], product.inputs[1]))
    return Step(f"{prefix}every.logits", Map("add", "TV,V->TV"), (made, *bias)) if bias else made


def _end(trace: Trace) -> list[Step]:
    """The steps after the last layer."""
    heights = streams(trace)
    after = {stream for _, stream in heights[-1:]}
    end: list[Step] = []
    for step in trace.forward:
        if any(i in after for i in step.inputs):
            after.add(step)
            end.append(step)
    return end

"""What the model would say if it stopped after a layer: the logit lens (nostalgebraist 2020), as steps.

The model's own end (norm, vocabulary, softmax) is repeated on the stream of every layer: `layer2.says.probabilities`.
After the last layer that is the prediction itself, edits included.
"""

from collections.abc import Iterator

from regard.lens.streams import streams
from regard.ops import Given
from regard.trace import Step, Trace
from regard.trace.edits import rebuilt


def says_steps(trace: Trace) -> Iterator[Step]:
    """The end of the model after each height of the stream, but the last: there it is the model's own."""
    for name, stream, end in _ends(trace):
        last = end[0]
        made = rebuilt(end, {last: (stream,)})
        fresh = {old: new for old, new in zip(end, made)}
        renamed: dict[Step, Step] = {}
        for old, new in fresh.items():
            if new is old or old is last:
                continue
            inputs = tuple(renamed.get(i, i) for i in new.inputs)
            renamed[new] = Step(f"{name}.says.{old.name}", new.op, inputs)
            yield renamed[new]


def says(trace: Trace) -> list[tuple[str, Step]]:
    """The probabilities of the next word after each height of the stream."""
    trace.measure("says")
    heights = [name for name, _ in streams(trace)]
    found = [(n, trace.known[f"{n}.says.probabilities"]) for n in heights[:-1] if f"{n}.says.probabilities" in trace.known]
    return [*found, (heights[-1], trace.steps["probabilities"])]


def _ends(trace: Trace) -> Iterator[tuple[str, Step, list[Step]]]:
    heights = streams(trace)
    if not heights:
        return
    last = heights[-1][1]
    after = {last}
    end = [last]
    for step in trace.forward:
        if any(i in after for i in step.inputs) and not isinstance(step.op, Given):
            after.add(step)
            end.append(step)
    for name, stream in heights[:-1]:
        if stream.shape == last.shape:
            yield name, stream, end

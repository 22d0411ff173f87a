"""Where the running sum stands between the layers: one vector per word, before the first layer and after each."""

from regard.ops import Given
from regard.trace import Step, Trace
from regard.trace.names import layer_of


def streams(trace: Trace) -> list[tuple[str, Step]]:
    """The stream's steps by name: `embedding`, then what each layer hands on.

    A layer's result is its step that others read, so this holds for norms before or after, with or without
    residual, and under edits.

    >>> import regard
    >>> [(name, step.name) for name, step in streams(regard.explain("The fox", model="untrained"))]
    [('embedding', 'residual'), ('layer0', 'layer0.residual'), ('layer1', 'layer1.residual')]
    """
    entering: Step | None = None
    leaving: dict[str, Step] = {}
    for step in trace.forward:
        here = layer_of(step.name)
        for read in step.inputs:
            there = layer_of(read.name)
            if there and there != here:
                leaving[there] = read
            elif not there and here and read.axes == "TC" and not isinstance(read.op, Given):
                entering = read
    found = [] if entering is None else [("embedding", entering)]
    return [*found, *leaving.items()]

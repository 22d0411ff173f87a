"""Which head of a run is meant: the one named, or the one that moves the prediction most."""

from regard.lens.contributions import Component, Contributions
from regard.suggestions import NotFound
from regard.trace import Trace
from regard.trace.names import layer_of, without_layer


def leading_head(trace: Trace, pair: Contributions) -> Component:
    """The head whose contribution to the difference is largest; if none reaches the logits, the last layer's first."""
    return chosen_head(trace, pair)


def chosen_head(trace: Trace, pair: Contributions, layer: int | None = None, head: int | None = None) -> Component:
    """The head named; if only its layer or only its number is given, the one of these that moves most.

    >>> import regard
    >>> from regard.lens.contributions import contributions
    >>> trace = regard.explain("On the mat a cat sat", model="two-heads")
    >>> pair = contributions(trace, "purring", "fishing")
    >>> chosen_head(trace, pair).head, chosen_head(trace, pair, head=0).head
    (1, 0)
    """
    layers = [f"layer{layer_number(trace, layer)}"] if layer is not None else layers_of(trace)
    numbers = [[_head_number(trace, name, head)] if head is not None else range(_heads(trace, name)) for name in layers]
    fitting = {(name, number) for name, own in zip(layers, numbers) for number in own}
    found = [c for c in pair.components if (c.layer, c.head) in fitting]
    if found:
        return max(found, key=lambda c: abs(c.contribution))
    # nothing of it reaches the logits: an edit or a pin has cut it off
    return Component(f"{layers[-1]}.head{head or 0}", layers[-1], head or 0, None)


def layer_number(trace: Trace, layer: int) -> int:
    """The number of a layer that exists."""
    layers = layers_of(trace)
    if f"layer{layer}" not in layers:
        raise NotFound(f"no layer {layer}; {_counted(len(layers), 'layer')}")
    return layer


def _head_number(trace: Trace, layer: str, head: int) -> int:
    if not 0 <= head < _heads(trace, layer):
        raise NotFound(f"no head {head}; {_counted(_heads(trace, layer), 'head')} in {layer.replace('r', 'r ')}")
    return head


def _counted(count: int, what: str) -> str:
    """
    >>> _counted(1, "layer"), _counted(6, "layer")
    ('there is one layer, number 0', 'there are 6 layers, 0 to 5')
    """
    if count < 2:
        return f"there is one {what}, number 0" if count else f"there are no {what}s"
    return f"there are {count} {what}s, 0 to {count - 1}"


def layers_of(trace: Trace) -> list[str]:
    """The names of the layers, in order; none where attention was computed over arrays."""
    return [layer_of(s.name) for s in trace.forward if layer_of(s.name) and without_layer(s.name) == "context"]


def _heads(trace: Trace, layer: str) -> int:
    return trace.steps[f"{layer}.context"].shape[0]

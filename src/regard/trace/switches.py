"""Switches: the same run, built another way in one respect. Each has a name, and says where it can be thrown.

They are what documents ask "why" about: why are keys not values, why are scores divided, why are heads not added? A
switch is a change like any other, so it stands in a link, is undone, and can be followed by further changes.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from regard.ops import Contract, Given, Map
from regard.suggestions import NotFound, suggestion
from regard.trace.step import Step
from regard.trace.whatif import SCALED, masked_by, rewired, scaled_by, scaling_of

if TYPE_CHECKING:
    from regard.trace.trace import Trace

BIAS = re.compile(r"layer\d+\.bias")
LEAST, MOST = 1e-3, 1e6  # of a number that a switch takes


@dataclass(frozen=True)
class Switch:
    """What is switched, in words what is different there, the run that it leads to, and where it can be thrown."""

    name: str
    says: str
    run: "Callable[[Trace, float], Trace]"
    fits: "Callable[[Trace], bool]"
    takes: str = ""  # what its number is; empty: it takes none

    def thrown(self, trace: "Trace", value: float | None = None) -> "Trace":
        if not self.fits(trace):
            raise ValueError(f"{self.name} changes nothing in this run; there is nothing to be switched")
        if (value is None) == bool(self.takes):
            raise ValueError(f"{self.name} expects {self.takes or 'no number'}, got {value}")
        if value is not None and not LEAST <= value <= MOST:
            raise ValueError(f"{self.name} expects {self.takes} from {LEAST:g} to {MOST:g}, got {value:g}")
        other = self.run(trace, 1.0 if value is None else float(value))
        said = self.says if value is None else self.says.format(f"{value:g}")
        return replace(other, switched=(said, len(other.edits)))


def switch_named(name: str) -> Switch:
    """
    >>> switch_named("keys-are-values").says
    'if keys are also the values'
    """
    for switch in SWITCHES:
        if switch.name == name:
            return switch
    raise NotFound(f"no switch {name[:40]!r}; {suggestion(name, [switch.name for switch in SWITCHES])}")


def silenced(trace: "Trace", layer: int, head: int) -> "Trace":
    """The run in which one head adds nothing: its rows of W_O are 0.

    >>> import regard
    >>> trace = silenced(regard.explain("On the mat a cat sat", model="two-heads"), 0, 1)
    >>> trace["by_head[1,sat,0]"]
    0.0
    """
    name = f"layer{layer}.W_O"
    if name not in trace.own or len(trace.own[name].shape) != 3:
        raise ValueError(f"layer {layer} has no W_O with rows for each head, so no head of it can be silenced")
    array = trace.array(name).copy()
    if not 0 <= head < len(array):
        raise NotFound(f"no head {head} in layer {layer}; there are {len(array)}, counted from 0")
    array[head] = 0.0
    return trace.pin(name, array)


# queries, keys and values


def _layers(trace: "Trace", *names: str) -> Iterator[str]:
    """The layers that have all of these steps."""
    for step in trace.forward:
        found = re.fullmatch(r"(layer\d+)\." + re.escape(names[0]), step.name)
        if found and all(f"{found[1]}.{name}" in trace.own for name in names):
            yield found[1]


def _keys_are_values(trace: "Trace", _: float) -> "Trace":
    for layer in list(_layers(trace, "v", "k")):
        k, v = trace.step(f"{layer}.k"), trace.step(f"{layer}.v")
        trace = rewired(trace, {v: (Step(v.name, Map("same", f"{v.axes}->{v.axes}"), (k,)),)})
    return trace


def _has_values_apart(trace: "Trace") -> bool:
    layers = list(_layers(trace, "v", "k"))
    steps = [(trace.own[f"{layer}.k"], trace.own[f"{layer}.v"]) for layer in layers]
    return bool(steps) and all(k.shape == v.shape and v.inputs != (k,) for k, v in steps)


def _queries_are_keys(trace: "Trace", _: float) -> "Trace":
    for layer in list(_layers(trace, "W_K", "W_Q")):
        for role in ("W", "b"):
            if f"{layer}.{role}_K" not in trace.own:
                continue
            ours, other = trace.own[f"{layer}.{role}_K"], trace.own[f"{layer}.{role}_Q"]
            for step in [step for step in trace.forward if ours in step.inputs]:
                inputs = tuple(other if read is ours else read for read in step.inputs)
                trace = rewired(trace, {step: (Step(step.name, step.op, inputs),)})
    return trace


def _has_keys_apart(trace: "Trace") -> bool:
    layers = list(_layers(trace, "W_K", "W_Q"))
    return bool(layers) and all(
        trace.own[f"{layer}.W_K"].shape == trace.own[f"{layer}.W_Q"].shape
        and any(trace.own[f"{layer}.W_K"] in step.inputs for step in trace.forward)
        for layer in layers
    )


# heads


def _heads_added(trace: "Trace", _: float) -> "Trace":
    """Added, the heads have one W_O for all: the average of those they had."""
    for layer in list(_layers(trace, "by_head")):
        joined = trace.step(f"{layer}.by_head")
        context, own = joined.inputs
        shared = Step(f"{layer}.W_O.average", Contract("HDC->DC", 1 / own.shape[0]), (own,))
        added = Step(joined.name, Contract("HQD,DC->HQC"), (context, shared))
        trace = rewired(trace, {joined: (shared, added)})
    return trace


def _has_heads_apart(trace: "Trace") -> bool:
    joined = [trace.own[f"{layer}.by_head"] for layer in _layers(trace, "by_head")]
    return bool(joined) and all(
        isinstance(step.op, Contract) and len(step.inputs) == 2 and len(step.inputs[1].shape) == 3 and step.shape[0] > 1
        for step in joined
    )


# positions


def _unplaced(trace: "Trace", _: float) -> "Trace":
    for name in [step.name for step in trace.forward if _is_place(step)]:
        step = trace.step(name)
        nothing = Step(name, Given(np.zeros(step.shape), step.axes, "constant"))
        same = Step(name, Map("same", f"{step.axes}->{step.axes}"), step.inputs[:1])
        trace = rewired(trace, {step: (same if _is_turned(step) else nothing,)})
    return trace


def _is_turned(step: Step) -> bool:
    return isinstance(step.op, Map) and step.op.formula == "rotate"


def _is_place(step: Step) -> bool:
    return step.name in ("placed", "waves") or _is_turned(step)


def _has_places(trace: "Trace") -> bool:
    return any(_is_place(step) and (bool(step.inputs) or bool(np.any(step.value))) for step in trace.forward)


def _bias(trace: "Trace") -> Step | None:
    return next((step for step in trace.forward if BIAS.fullmatch(step.name)), None)


def _has_bias(trace: "Trace") -> bool:
    step = _bias(trace)
    return step is not None and bool(np.any(step.value))


def _unbiased(trace: "Trace", _: float) -> "Trace":
    step = _bias(trace)
    return trace if step is None else trace.pin(step.name, np.zeros(step.shape))


def _lacks_bias(trace: "Trace") -> bool:
    step = _bias(trace)
    return step is not None and f"{step.name}.original" in trace.own and not _has_bias(trace)


def _biased(trace: "Trace", _: float) -> "Trace":
    step = _bias(trace)
    return trace if step is None else trace.pin(step.name, trace.array(f"{step.name}.original"))


# scores and masks


def _is_scaled(trace: "Trace") -> bool:
    return scaling_of(trace) is not None


def _of_width(trace: "Trace", width: float) -> "Trace":
    for name in [step.name for step in trace.forward if SCALED.fullmatch(step.name)]:
        step = trace.step(name)
        op = Map("over_root", f"{step.axes}->{step.axes}", (width,))
        trace = rewired(trace, {step: (Step(name, op, step.inputs),)})
    return trace


def _is_masked(trace: "Trace") -> bool:
    return "visible" in trace.own


def _keys(trace: "Trace") -> int:
    return trace.own["visible"].shape[-1]


def _tempered(trace: "Trace", temperature: float) -> "Trace":
    """Logits over a temperature; what they were is `logits.original`."""
    step = trace.step("logits")
    name = "logits.original"
    while name in trace.own:
        name += "'"
    original = step.renamed(name)
    op = Map("over", f"{step.axes}->{step.axes}", (temperature,))
    return rewired(trace, {step: (original, Step(step.name, op, (original,)))})


def _predicts(trace: "Trace") -> bool:
    return "probabilities" in trace.own and "logits" in trace.own


SWITCHES = (
    Switch("root", "if scores are divided by √d", lambda trace, _: scaled_by(trace, "root"), _is_scaled),
    Switch("width", "if scores are divided by d", lambda trace, _: scaled_by(trace, "width"), _is_scaled),
    Switch("none", "if scores are not divided", lambda trace, _: scaled_by(trace, "none"), _is_scaled),
    Switch("d_k", "if d_k were {}", _of_width, _is_scaled, "a head width"),
    Switch(
        "causal",
        "if words read those before",
        lambda trace, _: masked_by(trace, np.tri(_keys(trace), dtype=bool)),
        _is_masked,
    ),
    Switch(
        "both",
        "if words read all words",
        lambda trace, _: masked_by(trace, np.ones((_keys(trace),) * 2, dtype=bool)),
        _is_masked,
    ),
    Switch("biased", "with the bias by distance", _biased, _lacks_bias),
    Switch("unbiased", "without the bias by distance", _unbiased, _has_bias),
    Switch("unplaced", "if words do not know their places", _unplaced, _has_places),
    Switch("keys-are-values", "if keys are also the values", _keys_are_values, _has_values_apart),
    Switch("queries-are-keys", "if queries are also the keys", _queries_are_keys, _has_keys_apart),
    Switch("heads-added", "if heads are added up", _heads_added, _has_heads_apart),
    Switch("temperature", "at the temperature {}", _tempered, _predicts, "a temperature"),
)

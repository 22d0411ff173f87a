"""Runs the description of a transformer and keeps every number: each verb records named steps."""

from collections.abc import Mapping
from itertools import count

import numpy as np
from numpy.typing import ArrayLike

from regard.attending.bias import ByDistance
from regard.attending.masks import Visible, within
from regard.attending.positions import RotaryPositions, distances, sinusoids
from regard.ops import Contract, Given, Map, Merge, Operation, Peak, Pick
from regard.ops.narrow import Numbers
from regard.ops.scaling import Scaling
from regard.trace.step import Step

STREAM = "TC"


class Glass:
    """The verbs of models/transformer.py as steps of a graph, one text at a time."""

    def __init__(self, steps: list[Step] | None = None, prefix: str = ""):
        self.steps = [] if steps is None else steps
        self.prefix = prefix

    def within(self, name: str) -> "Glass":
        """The same recorder, for steps whose names begin with `name`."""
        return Glass(self.steps, f"{self.prefix}{name}.")

    def record(self, name: str, op: Operation, *inputs: Step) -> Step:
        step = Step(f"{self.prefix}{name}", op, inputs)
        _ = step.shape  # axes that do not fit are found here, where the name still says whose
        self.steps.append(step)
        return step

    def given(self, name: str, array: ArrayLike, axes: str, role: str = "input") -> Step:
        return self.record(name, Given(array, axes, role))

    def constant(self, name: str, array: ArrayLike, axes: str) -> Step:
        """Recorded once, however many layers ask for it, and always with the same numbers."""
        found = next((s for s in self.steps if s.name == name), None)
        if found is None:
            found = Step(name, Given(array, axes, "constant"))
            self.steps.append(found)
        elif found.axes != axes or not np.array_equal(found.value, array):
            raise ValueError(f"{name} was recorded with other numbers; give this one a name of its own")
        return found

    def one_of(self, name: str, array: ArrayLike, axes: str) -> Step:
        """A constant of which a run may have several, by number: layers may turn their words differently."""
        known = {step.name: step for step in self.steps}
        names = (name if number == 1 else f"{name}{number}" for number in count(1))
        free = next(n for n in names if n not in known or np.array_equal(known[n].value, array))
        return self.constant(free, array, axes)

    def parameters(self, arrays: Mapping[str, tuple[str, Numbers]], model: str | None = None) -> dict[str, Step]:
        """What is learned, as steps; `model` is where the same numbers can be had again, if they can."""
        return {
            name: self.record(name, Given(array, axes, "parameter", None if model is None else (model, name)))
            for name, (axes, array) in arrays.items()
        }

    def drop(self, x: Step) -> Step:
        """Dropout is for training; here nothing is left out."""
        return x

    # words and positions

    def embed(self, name: str, table: Step, ids: ArrayLike) -> Step:
        tokens = self.constant("tokens", np.asarray(ids, dtype=np.int64), "T")
        return self.record(name, Pick(f"{table.axes},T->T{table.axes[1:]}"), table, tokens)

    def add_segments(self, x: Step, table: Step, segments: ArrayLike | None) -> Step:
        """Which sentence a word belongs to; by default, all belong to the first."""
        which = np.zeros(x.shape[0]) if segments is None else np.asarray(segments)
        kinds = self.constant("segments", which.astype(np.int64), "T")
        return self.add("segmented", x, self.record("segment.placed", Pick("SC,T->TC"), table, kinds))

    def add_positions(self, x: Step, table: Step, offset: int) -> Step:
        tokens, most = x.shape[0], table.shape[0] - offset
        if tokens > most:
            raise ValueError(f"this model reads at most {most} tokens, got {tokens}; pass a shorter text")
        places = self.constant("places", np.arange(tokens) + offset, "T")
        placed = self.record("placed", Pick("PC,T->TC"), table, places)
        return self.add("residual", x, placed)

    def add_waves(self, x: Step) -> Step:
        return self.add("residual", x, self.constant("waves", sinusoids(*x.shape), "TC"))

    def rotate(self, name: str, x: Step, by: RotaryPositions) -> Step:
        """x·cos + partner·sin: dimension i turns together with i + half; the partner's sign is in the sine.

        What does not turn is its own partner, with an angle of 0.
        """
        head, token, width = x.axes
        tokens, head_width = x.shape[1:]
        turned, place = by.turned(head_width), np.arange(head_width)
        half = turned // 2
        angle = by.angles(tokens, head_width)
        sign = np.where(place < half, -1.0, 1.0)
        partner = self.one_of("partner", np.where(place < turned, (place + half) % turned, place), "D")
        cosine = self.one_of("cosine", np.cos(angle), "TD")
        sine = self.one_of("sine", sign * np.sin(angle), "TD")
        swapped = self.record(f"{name}.partner", Pick(f"{head}{token}E,{width}->{x.axes}"), x, partner)
        places = f"{token}{width}"
        op = Map("rotate", f"{x.axes},{x.axes},{places},{places}->{x.axes}")
        return self.record(f"{name}.rotated", op, x, swapped, cosine, sine)

    # linear maps

    def heads(self, name: str, x: Step, W: Step, bias: Step | None, axes: str) -> Step:
        """One vector per head and word: x·W, with the axes named for what the vectors are for (HQD or GKD)."""
        head, token, width = axes
        product = Contract(f"{token}C,{head}C{width}->{axes}")
        return self._with_bias(name, product, (x, W), bias, f"{axes},{head}{width}->{axes}")

    def share(self, name: str, x: Step, heads: int) -> Step:
        """Key/value heads repeated for the query heads that use them."""
        groups, lead = x.shape[-3], x.axes[:-3]
        if groups == heads:
            return x
        owner = self.constant("groups", np.arange(heads) * groups // heads, "H")
        return self.record(name, Pick(f"{lead}GKD,H->{lead}HKD"), x, owner)

    def linear(self, name: str, x: Step, W: Step, bias: Step | None = None) -> Step:
        if W.axes == "EC":  # from the stream to the stream: the letter E says which of the two sides is summed over
            return self._with_bias(
                name, Contract(f"{x.axes[:-1]}E,EC->{x.axes}"), (x, W), bias, f"{x.axes},C->{x.axes}"
            )
        read = STREAM if x.axes == "QD" else x.axes  # heads without W_O are the stream
        if read[-1] != W.axes[0]:
            raise ValueError(f"{W.name} maps {W.axes[0]} to {W.axes[1]}, but {x.name} ends in {x.axes[-1]}")
        axes = read[:-1] + W.axes[1]
        return self._with_bias(name, Contract(f"{read},{W.axes}->{axes}"), (x, W), bias, f"{axes},{W.axes[1]}->{axes}")

    def unembed(self, name: str, x: Step, W: Step, bias: Step | None = None, cap: float | None = None) -> Step:
        """One score per word of the vocabulary: the dot product with that word's row."""
        if cap is not None:
            return self.cap(name, self.unembed(f"{name}.uncapped", x, W, bias), cap)
        axes = x.axes[:-1] + "V"
        return self._with_bias(name, Contract(f"{x.axes},V{x.axes[-1]}->{axes}"), (x, W), bias, f"{axes},V->{axes}")

    def _with_bias(self, name: str, op: Contract, inputs: tuple[Step, ...], bias: Step | None, spec: str) -> Step:
        if bias is None:
            return self.record(name, op, *inputs)
        return self.record(name, Map("add", spec), self.record(f"{name}.product", op, *inputs), bias)

    # attention

    def attend(
        self,
        q: Step,
        k: Step,
        v: Step,
        visible: Visible | ArrayLike,
        scaling: Scaling,
        bias: ByDistance[Step] | None,
        window: int = 0,
        cap: float | None = None,
    ) -> Step:
        """scores → scaled → (capped) → biased → (near) → masked → exps → total → weights → context."""
        scores = self.score(q, k)
        scaled = self.scale(scores, scaling, q.shape[-1])
        scaled = scaled if cap is None else self.cap("capped", scaled, cap)
        biased = self.add_by_distance(scaled, bias.table) if bias else scaled
        masked = self.hide(self.look_near(biased, window) if window else biased, visible)
        return self.mix(self.softmax(masked, "peak", "exps", "total", "weights"), v)

    def score(self, q: Step, k: Step) -> Step:
        lead = q.axes[:-2]
        return self.record("scores", Contract(f"{lead}QD,{lead}KD->{lead}QK"), q, k)

    def scale(self, scores: Step, scaling: Scaling, head_width: float) -> Step:
        return self.record("scaled", scaling.operation(scores.axes, head_width), scores)

    def add_by_distance(self, scores: Step, table: Step) -> Step:
        queries, keys = scores.shape[1:]
        apart = self.constant("distances", distances(queries, keys, table.shape[-1]), "QK")
        picked = self.record("bias", Pick("HN,QK->HQK"), table, apart)
        return self.record("biased", Map("add", "HQK,HQK->HQK"), scores, picked)

    def look_near(self, scores: Step, window: int) -> Step:
        """What lies farther away is hidden, whatever the mask says: the mask is for a person to change."""
        apart = np.asarray(within(window)(scores.shape[-1])[-scores.shape[-2] :])
        near = self.constant(f"within{window}", apart, scores.axes[-2:])
        return self.record("near", Map("hide", f"{scores.axes},{near.axes}->{scores.axes}"), scores, near)

    def hide(self, scores: Step, visible: Visible | ArrayLike) -> Step:
        axes = scores.axes
        mask = np.asarray(visible(scores.shape[-1]) if callable(visible) else visible, dtype=bool)
        allowed = self.constant("visible", mask, axes[len(axes) - mask.ndim :])
        return self.record("masked", Map("hide", f"{axes},{allowed.axes}->{axes}"), scores, allowed)

    def softmax(self, scores: Step, peak: str, exps: str, total: str, weights: str) -> Step:
        """Shares of a whole: e^score over their sum, along the last axis."""
        axes, row = scores.axes, scores.axes[:-1]
        shift = self.record(peak, Peak(f"{axes}->{row}"), scores)
        powers = self.record(exps, Map("exp", f"{axes},{row}->{axes}"), scores, shift)
        whole = self.record(total, Contract(f"{axes}->{row}"), powers)
        return self.record(weights, Map("divide", f"{axes},{row}->{axes}"), powers, whole)

    def mix(self, weights: Step, v: Step) -> Step:
        lead = weights.axes[:-2]
        return self.record("context", Contract(f"{lead}QK,{lead}KD->{lead}QD"), weights, v)

    def join(self, context: Step, W_O: Step | None, bias: Step | None) -> Step:
        """Heads through W_O: what each of them adds to the stream, and the sum.

        `concat` is the same heads laid side by side, as documents write it: concat · W_O is the same sum. Nothing
        reads it, so it costs nothing until it is looked at.
        Without W_O, one head is passed on as it is and several are laid side by side, by blocks of the identity.
        """
        heads, _, head_width = context.shape
        if W_O is None and heads == 1:
            return self.record("attended", Contract("HQD->QD"), context)
        if W_O is None:
            side_by_side = np.eye(heads * head_width).reshape(heads, head_width, -1)
            W_O = self.constant("side_by_side", side_by_side, "HDC")  # pyright: ignore[reportConstantRedefinition]
        self.record("concat", Merge("HQD->QJ"), context)
        by_head = self.record("by_head", Contract("HQD,HDC->HQC"), context, W_O)
        return self._with_bias("attended", Contract("HQC->QC"), (by_head,), bias, "QC,C->QC")

    def join_by_adding(self, context: Step, W_O: Step | None, bias: Step | None) -> Step:
        """Heads summed: what each adds to the stream is seen as before, through the one W_O that serves all."""
        if W_O is None:
            return self.record("attended", Contract("HQD->QD"), context)
        by_head = self.record("by_head", Contract("HQD,DC->HQC"), context, W_O)
        return self._with_bias("attended", Contract("HQC->QC"), (by_head,), bias, "QC,C->QC")

    # the rest of a block

    def layer_norm(self, name: str, x: Step, gain: Step | None, bias: Step | None, epsilon: float) -> Step:
        inside, width = self.within(name), x.shape[-1]
        axes = _own(x.axes)
        row = axes[:-1]
        mean = inside.record("mean", Contract(f"{axes}->{row}", 1 / width), x)
        centered = inside.record("centered", Map("subtract", f"{axes},{row}->{axes}"), x, mean)
        return self._over_deviation(name, centered, gain, bias, epsilon)

    def rms_norm(self, name: str, x: Step, gain: Step | None, epsilon: float) -> Step:
        return self._over_deviation(name, x, gain, None, epsilon)

    def _over_deviation(self, name: str, x: Step, gain: Step | None, bias: Step | None, epsilon: float) -> Step:
        inside, width = self.within(name), x.shape[-1]
        axes = _own(x.axes)
        row, each = axes[:-1], axes[-1]
        variance = inside.record("variance", Contract(f"{axes},{axes}->{row}", 1 / width), x, x)
        deviation = inside.record("deviation", Map("root", f"{row}->{row}", (epsilon,)), variance)
        result = inside.record("normed", Map("divide", f"{axes},{row}->{axes}"), x, deviation)
        if gain is not None:
            result = inside.record("stretched", Contract(f"{axes},{each}->{axes}"), result, gain)
        if bias is not None:
            result = inside.record("moved", Map("add", f"{axes},{each}->{axes}"), result, bias)
        return result

    def activate(self, name: str, x: Step, curve: str) -> Step:
        return self.record(name, Map(curve, f"{x.axes}->{x.axes}"), x)

    def multiply(self, name: str, a: Step, b: Step) -> Step:
        return self.record(name, Contract(f"{a.axes},{a.axes[-len(b.axes) :]}->{a.axes}"), a, b)

    def times(self, name: str, x: Step, number: float) -> Step:
        return self.record(name, Contract(f"{x.axes}->{x.axes}", number), x)

    def cap(self, name: str, x: Step, most: float) -> Step:
        return self.record(name, Map("cap", f"{x.axes}->{x.axes}", (most,)), x)

    def add(self, name: str, *terms: Step) -> Step:
        axes = _own(terms[0].axes)
        return self.record(name, Map("add", f"{','.join([axes] * len(terms))}->{axes}"), *terms)

    # prediction

    def read(self, name: str, x: Step, position: int) -> Step:
        """The vector at one position: the one that predicts."""
        place = self.constant("query", np.int64(position), "")
        return self.record(name, Pick(f"{x.axes},->{x.axes[1:]}"), x, place)

    def read_several(self, name: str, x: Step, places: ArrayLike) -> Step:
        """The vectors at some positions: those that predict."""
        chosen = self.constant("queries", np.asarray(places, dtype=np.int64), "M")
        return self.record(name, Pick(f"{x.axes},M->M{x.axes[1:]}"), x, chosen)

    def probabilities(self, logits: Step) -> Step:
        return self.softmax(logits, "logit_peak", "logit_exps", "logit_total", "probabilities")

    def surprise(self, logits: Step, targets: ArrayLike) -> Step:
        """−ln of the probability given to the actual next word, at each position that predicts.

        Where that probability is too small for a double, the same by logarithms: log-sum-exp of the logits − logit.
        """
        probabilities = self.probabilities(logits)
        exps, total = probabilities.inputs
        row = probabilities.axes[:-1]
        ids = self.constant("target", np.asarray(targets, dtype=np.int64), row)
        chosen = self.record("chosen", Pick(f"{row}V,{row}->{row}"), probabilities, ids)
        chosen_logit = self.record("chosen_logit", Pick(f"{row}V,{row}->{row}"), logits, ids)
        log_sum = self.record("log_sum", Map("log_sum", f"{row},{row}->{row}"), exps.inputs[1], total)
        surprise = Map("cross_entropy", f"{row},{row},{row}->{row}")
        return self.record("surprise" if row else "loss", surprise, chosen, chosen_logit, log_sum)

    def mean_surprise(
        self, name: str, x: Step, table: Step, bias: Step | None, targets: ArrayLike, cap: float | None = None
    ) -> Step:
        surprises = self.surprise(self.unembed("logits", x, table, bias, cap), targets)
        return self.record(name, Contract(f"{surprises.axes}->", 1 / surprises.shape[0]), surprises)


def _own(axes: str) -> str:
    """The stream's own letters: to attention a word is a query, and a head may be as wide as the stream."""
    return STREAM if len(axes) == len(STREAM) else axes

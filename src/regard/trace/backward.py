"""Gradients as further steps: from the loss back to every number that had a part in it.

Every operation says how its blame passes to its inputs, by steps of the same kinds, so a gradient explains itself
like any other number. Nothing is computed here. Two closed forms replace the last link of a softmax that no edit has
touched, because they are what a person should read: a score's blame = weight · (its blame − the average blame);
a logit's blame = probability − target. The primitive steps beside them can still be asked for.
"""

from collections import defaultdict
from collections.abc import Sequence

from regard.ops import Contract, Given, Map, New, Peak, Pick, Scatter
from regard.trace.holding import NOTHING, Holding
from regard.trace.step import Step, named


def gradient_steps(forward: Sequence[Step], of: Step, holding: Holding = NOTHING) -> tuple[Step, ...]:
    """The steps of the backward pass, in an order in which each reads only earlier ones."""
    on_path = _ancestors(of)
    consumers = _consumers([s for s in forward if s in on_path])
    reaches = holding.reaching(forward)
    shares: dict[Step, list[tuple[Step, New]]] = defaultdict(list)
    gradients: dict[Step, Step] = {}
    emitted: list[Step] = []
    for step in reversed([s for s in forward if s in on_path]):
        if step is of:
            gradient = [Step(f"{of.name}.{holding.suffix}", Given(1.0, "", "constant"))]
        elif shares[step]:
            gradient = _summed(step, shares[step], holding.suffix)
        else:
            continue
        emitted += gradient
        gradients[step] = gradient[-1]
        news = holding.shares(step, gradient[-1])
        closed = _closed_form(step, consumers, gradients)
        if closed is not None:
            news[0], included = closed
            shares[step.inputs[0]] = [share for share in shares[step.inputs[0]] if share[0] not in included]
        for i, new in zip(step.inputs, news):
            if new is not None and reaches(i, step):
                shares[i].append((step, new))
    return tuple(emitted)


def _ancestors(of: Step) -> set[Step]:
    found, waiting = {of}, [of]
    while waiting:
        new = [i for i in waiting.pop().inputs if i not in found]
        found.update(new)
        waiting += new
    return found


def _consumers(steps: Sequence[Step]) -> dict[Step, list[Step]]:
    consumers: dict[Step, list[Step]] = defaultdict(list)
    for step in steps:
        for i in step.inputs:
            consumers[i].append(step)
    return consumers


def _summed(step: Step, shares: list[tuple[Step, New]], suffix: str) -> list[Step]:
    """x.grad; where x served several steps, x.grad.via.q and the others, and their sum."""
    if len(shares) == 1:
        return named(shares[0][1], f"{step.name}.{suffix}")
    steps: list[Step] = []
    parts: list[Step] = []
    taken: set[str] = set()
    for consumer, new in shares:
        name = f"{step.name}.{suffix}.via.{_seen_from(step.name, consumer.name)}"
        while name in taken:  # an input used twice by one step: x·x
            name += "@again"
        taken.add(name)
        steps += named(new, name)
        parts.append(steps[-1])
    spec = ",".join([step.axes] * len(parts)) + f"->{step.axes}"
    return [*steps, Step(f"{step.name}.{suffix}", Map("add", spec), tuple(parts))]


def _seen_from(here: str, other: str) -> str:
    prefix = here.rpartition(".")[0]
    return other.removeprefix(f"{prefix}.") if prefix else other


def _closed_form(
    exps: Step, consumers: dict[Step, list[Step]], gradients: dict[Step, Step]
) -> tuple[New, tuple[Step, ...]] | None:
    """The blame of the scores behind an untouched softmax, by its closed form, and whose shares it includes."""
    weights = _softmax_over(exps, consumers)
    if weights is None or weights not in gradients:
        return None
    cross_entropy = _cross_entropy_over(weights, consumers)
    logarithms = () if cross_entropy is None else cross_entropy.inputs[1:]
    if any(reader is not weights and reader not in logarithms for reader in consumers[weights.inputs[1]]):
        return None  # anything else that reads the total passes its own blame to the scores
    axes = weights.axes
    row = weights.inputs[1].axes
    if cross_entropy is not None and cross_entropy in gradients:
        chosen = cross_entropy.inputs[0]
        surprise_gradient = gradients[cross_entropy]
        ids = chosen.inputs[1]
        rows = weights.shape[axes.index(next(a for a in axes if a not in chosen.axes))]
        target = New(Scatter(f"{chosen.axes},{ids.axes}->{axes}", rows), (surprise_gradient, ids), "target")
        op = Map("logit_blame", f"{axes},{chosen.axes},{axes}->{axes}")
        return New(op, (weights, surprise_gradient, target)), logarithms
    blame = gradients[weights]
    average = New(Contract(f"{axes},{axes}->{row}"), (weights, blame), f"{blame.name}.average")
    return New(Map("softmax_blame", f"{axes},{axes},{row}->{axes}"), (weights, blame, average)), ()


def _softmax_over(exps: Step, consumers: dict[Step, list[Step]]) -> Step | None:
    """The weights of the softmax whose exponentials these are, if it is whole: scores → exps → total → weights."""
    if not (isinstance(exps.op, Map) and exps.op.formula == "exp"):
        return None
    scores, peak = exps.inputs
    users = consumers[exps]
    if not (isinstance(peak.op, Peak) and peak.inputs[0] is scores and len(users) == 2):
        return None
    sums = [u for u in users if isinstance(u.op, Contract) and u.op.factor == 1.0]
    shares = [u for u in users if isinstance(u.op, Map) and u.op.formula == "divide"]
    if len(sums) != 1 or len(shares) != 1 or shares[0].inputs != (exps, sums[0]):
        return None
    return shares[0]


def _cross_entropy_over(probabilities: Step, consumers: dict[Step, list[Step]]) -> Step | None:
    """The surprise −ln p(target), if nothing else reads the probabilities or what it reads beside them."""
    if len(consumers[probabilities]) != 1:
        return None
    chosen = consumers[probabilities][0]
    if not isinstance(chosen.op, Pick) or len(consumers[chosen]) != 1:
        return None
    surprise = consumers[chosen][0]
    if not isinstance(surprise.op, Map):
        return None
    if surprise.op.formula == "surprise":
        return surprise
    if surprise.op.formula != "cross_entropy" or any(consumers[i] != [surprise] for i in surprise.inputs):
        return None
    exps, total = probabilities.inputs
    scores, peak = exps.inputs
    _, logit, log_sum = surprise.inputs
    same_target = logit.op == chosen.op and logit.inputs == (scores, chosen.inputs[1])
    return surprise if same_target and log_sum.inputs == (peak, total) else None

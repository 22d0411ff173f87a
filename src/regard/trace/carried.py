"""What a step carries of some earlier ones, with all that a `Holding` holds: the forward twin of directions.

A held transformer is affine. The linear part of a step, seen from a source, is the same chain of operations on the
source alone: terms that are added on the way are left out, and cells that were set by hand carry nothing.
"""

from collections.abc import Callable, Mapping, Sequence

from regard.ops import Contract, Map, Operation, Pick, Replace
from regard.ops.formulas import formula
from regard.ops.spec import parse
from regard.trace.step import Step


def carried(
    step: Step, sources: Mapping[Step, Step | None], reaches: Callable[[Step, Step], bool], suffix: str = "carried"
) -> tuple[Step | None, list[Step]]:
    """What a step has of its sources (each with what it counts with), and the new steps that say so, in order.

    None if nothing arrives. Where nothing was left out on the way, it is the step itself.
    """
    known: dict[Step, Step | None] = dict(sources)
    made: list[Step] = []

    def arriving(step: Step) -> Step | None:
        if step not in known:
            parts = [arriving(i) if reaches(i, step) else None for i in step.inputs]
            known[step] = _on_parts(step, parts, f"{step.name}.{suffix}", made)
        return known[step]

    return arriving(step), made


def _on_parts(step: Step, parts: Sequence[Step | None], name: str, made: list[Step]) -> Step | None:
    """A step on the parts of its inputs that arrive."""
    arrived = [(n, part) for n, part in enumerate(parts) if part is not None]
    if not arrived:
        return None
    lacks_a_term = _adds(step.op) and len(arrived) < len(parts)
    if all(part is step.inputs[n] for n, part in arrived) and not lacks_a_term and not isinstance(step.op, Replace):
        return step
    if isinstance(step.op, Map) and _adds(step.op):
        letters, output = parse(step.op.spec)
        if all(letters[n] != output for n, _ in arrived):  # biases alone: written out for every word
            n, part = arrived[0]
            sizes = tuple((a, size) for a, size in zip(output, step.shape) if a not in letters[n])
            made.append(Step(f"{name}.each", Contract(f"{letters[n]}->{output}", sizes=sizes), (part,)))
            arrived[0] = n, made[-1]
    op, inputs = _linear(step, arrived)
    if isinstance(op, Map) and op.formula == "same" and op.spec == f"{inputs[0].axes}->{op.axes}":
        return inputs[0]
    made.append(Step(name, op, inputs))
    return made[-1]


def _adds(op: Operation) -> bool:
    return isinstance(op, Map) and op.formula in ("add", "subtract")


def _linear(step: Step, arrived: Sequence[tuple[int, Step]]) -> tuple[Operation, tuple[Step, ...]]:
    op = step.op
    first = arrived[0][1]
    if isinstance(op, Replace):
        return Replace(op.letters, op.at, 0.0), (first,)
    if isinstance(op, Map) and op.formula == "add":
        letters, output = parse(op.spec)
        spec = f"{','.join(part.axes if part.axes == output else letters[n] for n, part in arrived)}->{output}"
        return Map("add" if len(arrived) > 1 else "same", spec), tuple(part for _, part in arrived)
    if isinstance(op, Map) and op.formula == "subtract" and len(arrived) == 1:
        output = op.axes
        return Map("same" if arrived[0][0] == 0 else "negative", f"{output}->{output}"), (first,)
    if isinstance(op, Map) and (gate := formula(op.formula).gate) is not None:
        letters, output = parse(op.spec)
        constants = op.constants if gate.with_constants else ()
        return Map(gate.formula, f"{output},{letters[0]}->{output}", constants), (first, step.inputs[0])
    if isinstance(op, Contract) and len(arrived) > 1:
        raise ValueError(f"{step.name} multiplies two numbers that are not held; it carries neither alone")
    if not isinstance(op, Contract | Map | Pick):
        raise ValueError(f"{step.name} is of a kind that carries nothing: {op.kind}")
    inputs = list(step.inputs)
    for n, part in arrived:
        inputs[n] = part
    return op, tuple(inputs)

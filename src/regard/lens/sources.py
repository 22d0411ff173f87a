"""Where a held run begins: the steps behind which nothing else carries anything, and the numbers set by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regard.ops import Contract, Given, Map, Replace
from regard.trace import Step
from regard.trace.holding import EDITED, Holding, is_sum, parameter_names

PLAIN_NAMES = {"x": "embedding", "placed": "position", "waves": "position", "segment.placed": "segment"}
TOKENS = "TQ"


@dataclass(frozen=True)
class Source:
    """A step that carries something to the goal by itself, and the steps that say how much: in total, and where.

    `kind` is embedding, position, segment, bias, edit, or part (heads, an MLP: where these count as sources).
    """

    step: Step
    kind: str
    apart: Step | None  # one number for each word (or each head), where the step has any
    in_all: Step

    @property
    def name(self) -> str:
        name = EDITED.sub("", self.step.name)
        plain = PLAIN_NAMES.get(name, name.removesuffix(".product"))
        return f"edit of {plain}" if self.kind == "edit" else plain


def sources(
    forward: Sequence[Step], directions: Mapping[str, Step], holding: Holding, measure: str, apart: str
) -> tuple[list[Source], list[Step]]:
    """The sources of a held run in the order of its steps, and the steps `NAME.measure` that were made for them.

    `apart` are the letters of the axes that are kept apart, not summed: words, or heads.
    """
    found: list[Source] = []
    made: list[Step] = []
    parameters = parameter_names(forward)
    reaches = holding.reaching(forward)

    def direction(step: Step) -> Step | None:
        return directions.get(f"{step.name}.{holding.suffix}")

    def along(step: Step, toward: Step, name: str, axes: str) -> Step:
        made.append(Step(name, Contract(f"{step.axes},{step.axes}->{axes}"), (step, toward)))
        return made[-1]

    for step in forward:
        toward = direction(step)
        if toward is None:
            continue
        kept = "".join(a for a in step.axes if a in apart)
        name, kind = f"{step.name}.{measure}", _kind(step, parameters)
        if isinstance(step.op, Replace):
            name, kind = f"{step.name}.edited.{measure}", "edit"
            share = along(step, toward, f"{name}.after", kept)
            before = direction(step.inputs[0])
            if before is not None:
                rest = along(step.inputs[0], before, f"{name}.before", kept)
                made.append(Step(name, Map("subtract", f"{kept},{kept}->{kept}"), (share, rest)))
                share = made[-1]
        elif not any(direction(i) is not None and reaches(i, step) for i in step.inputs):
            share = along(step, toward, name, kept)
        else:
            continue
        found.append(Source(step, kind, share if kept else None, _summed(share, f"{name}.sum", made)))
    return found, made


def added_in_place(
    forward: Sequence[Step], directions: Mapping[str, Step], holding: Holding
) -> list[tuple[Step, Step]]:
    """For every sum that adds a bias to words: the sum, and what the bias carries at each word (`NAME.bias.flow`)."""
    parameters = parameter_names(forward)
    found: list[tuple[Step, Step]] = []
    for step in forward:
        toward = directions.get(f"{step.name}.{holding.suffix}")
        place = next((a for a in step.axes if a in TOKENS), "")
        if toward is None or not place or not is_sum(step):
            continue
        for bias in step.inputs:
            if bias.name in parameters:
                op = Contract(f"{step.axes},{step.axes[-len(bias.axes) :]}->{place}")
                found.append((step, Step(f"{step.name}.bias.flow", op, (toward, bias))))
    return found


def _kind(step: Step, parameters: set[str]) -> str:
    plain = PLAIN_NAMES.get(EDITED.sub("", step.name))
    if plain is not None and not (isinstance(step.op, Given) and step.op.role == "input"):
        return plain
    if step.name in parameters:
        return "bias"
    return "edit" if isinstance(step.op, Given) else "part"


def _summed(step: Step, name: str, made: list[Step]) -> Step:
    if not step.axes:
        return step
    made.append(Step(name, Contract(f"{step.axes}->"), (step,)))
    return made[-1]

"""From what a person writes to a step and its cells: `layer0.weights[1,fox,The]`, `weights[fox]`, `head1.weights`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from regard.suggestions import NotFound, suggestion
from regard.trace.by_name import Steps
from regard.trace.labels import AXIS_WORDS, Labels
from regard.trace.names import without_layer
from regard.trace.step import Cell, Step

HEAD = re.compile(r"(?:^|\.)head(\d+)(?=\.|$)")
OF_A_RUN = re.compile(r'(?:[^\[\]:]|\[(?:"(?:[^"\\]|\\.)*"|[^"\]])*\])+')
PART = re.compile(r'\s*("(?:[^"\\]|\\.)*"(?:@\d+)?|[^,\[\]"]+)\s*')


class NoStep(NotFound):
    """No step has this name; what might be meant are the names of others, also of those that could be measured."""

    def __init__(self, name: str, bare: str, names: Iterable[str]):
        super().__init__(f"no step {name!r}")
        self.name, self.bare, self.names = name, bare, names

    def told(self, also: Sequence[str] = ()) -> NotFound:
        """With what might be meant. Made only for somebody to read: the nearest of hundreds of names takes a while."""
        return NotFound(
            f"no step {self.name!r}; {suggestion(without_layer(self.bare), [*map(without_layer, self.names), *also])}"
        )


@dataclass(frozen=True)
class Place:
    """A step, and the positions given along its axes; None where an axis was left open."""

    step: Step
    at: tuple[int | None, ...]

    @property
    def is_cell(self) -> bool:
        return None not in self.at


def find(address: str, steps: Steps, labels: Labels) -> Place:
    """The place that an address means. Errors are KeyErrors that say what there is instead."""
    name, written = split(address)
    step, head = find_step(name, steps)
    axes = step.axes
    at: dict[str, int] = {}
    if head is not None:
        letter = next((a for a in "HG" if a in axes), None)
        if letter is None:
            raise NotFound(f"{step.name} has no heads; its axes are {described(step)}")
        at[letter] = labels.position(letter, step.shape[axes.index(letter)], str(head))
    open_axes = _fitting([a for a in axes if a not in at], dict(zip(axes, step.shape)), len(written), step)
    for letter, part in zip(open_axes, written):
        if letter in "HG" and len(written) < len(axes) and not re.fullmatch(r"-?\d+", part):
            heads = step.shape[axes.index(letter)]
            raise NotFound(f"{step.name} has {heads} heads; say which one first: {step.name}[0,{','.join(written)}]")
        at[letter] = labels.position(letter, step.shape[axes.index(letter)], part)
    # axes skipped because they have only one cell are not open
    single = {a: 0 for a in axes if step.shape[axes.index(a)] == 1 and written and a not in open_axes}
    return Place(step, tuple({**single, **at}.get(a) for a in axes))


def find_cell(address: str, steps: Steps, labels: Labels) -> Cell:
    place = find(address, steps, labels)
    if not place.is_cell and all(n == 1 for n in place.step.shape):
        return Cell(place.step, (0,) * len(place.step.shape))
    if not place.is_cell:
        raise NotFound(
            f"{address} is not one number: {place.step.name} has the axes {described(place.step)}; "
            f"for example {written_cell(place.step, tuple(0 for _ in place.step.shape), labels)}"
        )
    return Cell(place.step, tuple(p for p in place.at if p is not None))


def split_runs(address: Any) -> list[str]:
    """An address of this run, or one of another: a number that comes from there, and an address of that run.

    >>> split_runs("without[fox]:logits[jumps]"), split_runs('probabilities[":"]')
    (['without[fox]', 'logits[jumps]'], ['probabilities[":"]'])
    """
    found: list[str] = OF_A_RUN.findall(address) if isinstance(address, str) else []
    return found if len(found) > 1 and ":".join(found) == address else [address]


def run_of(address: str) -> str | None:
    """The part of an address that says which other run it is of.

    >>> run_of("without[fox]:logits[jumps]"), run_of("logits[jumps]")
    ('without[fox]', None)
    """
    return ":".join(split_runs(address)[:-1]) or None


def split(address: object) -> tuple[str, list[str]]:
    """
    >>> split('weights[fox,"a,b"@2]')
    ('weights', ['fox', '"a,b"@2'])
    """
    if not isinstance(address, str):
        raise NotFound(f"an address must be text such as 'weights[fox,The]', got {type(address).__name__}")
    name, bracket, rest = address.strip().partition("[")
    if not bracket:
        return name, []
    if not rest.endswith("]"):
        raise NotFound(f"{address!r} has no closing bracket; write it like weights[fox,The]")
    parts: list[str] = []
    inside, position = rest[:-1], 0
    while position < len(inside):
        match = PART.match(inside, position)
        if not match or (match.end() < len(inside) and inside[match.end()] != ","):
            raise NotFound(f"cannot read {address!r} after {inside[:position]!r}; put unusual words in double quotes")
        parts.append(match.group(1).strip())
        position = match.end() + 1
    return name, parts


def find_step(name: str, steps: Steps) -> tuple[Step, int | None]:
    """A step by its name, or by the end of its name where that is unique; `head1` anywhere in it means a head."""
    match = None if name in steps else HEAD.search(name)
    head = int(match.group(1)) if match else None
    bare = HEAD.sub("", name).lstrip(".") if match else name
    if bare in steps:
        return steps[bare], head
    ending = steps.ending(bare) if bare else []
    # a layer's own step wins over one inside a gradient's path or a measurement
    ending = [s for s in ending if without_layer(s.name) == bare] or ending
    if len(ending) == 1:
        return ending[0], head
    if len(ending) > 1:
        raise NotFound(f"{name!r} is in several places; say which: {', '.join(s.name for s in ending[:6])}")
    raise NoStep(name, bare, steps)


def _fitting(axes: list[str], sizes: dict[str, int], count: int, step: Step) -> list[str]:
    """The axes that the written positions stand for: axes of one cell may be left out, from the left."""
    for letter in list(axes):
        if len(axes) > count and sizes[letter] == 1:
            axes.remove(letter)
    if count and not step.axes:
        raise NotFound(f"{step.name} is one number; write it without brackets")
    if count > len(axes):
        raise NotFound(f"{step.name} has the axes {described(step)}, got {count} positions")
    return axes


def described(step: Step) -> str:
    """
    >>> from regard.ops import Given
    >>> described(Step("x", Given([[1.0, 2.0]], "TC")))
    'token (1) × dimension (2)'
    """
    sizes = zip(step.axes, step.shape)
    return " × ".join(f"{AXIS_WORDS.get(a, a)} ({n:,})" for a, n in sizes) or "none: it is one number"


def written_cell(step: Step, at: tuple[int, ...], labels: Labels, name: str | None = None) -> str:
    """The full address of a cell, in x·W order."""
    if not at:
        return name or step.name
    return f"{name or step.name}[{','.join(labels.word(a, p) for a, p in zip(step.axes, at))}]"


def short_cell(step: Step, at: tuple[int, ...], labels: Labels, steps: Steps) -> str:
    """The shortest address that still finds the cell: without a unique prefix and without axes of one cell."""
    name = short_name(step, steps)
    kept = [(a, p) for a, p, n in zip(step.axes, at, step.shape) if n > 1]
    if not kept:
        return name if not at else f"{name}[{labels.word(step.axes[-1], at[-1])}]"
    return f"{name}[{','.join(labels.word(a, p) for a, p in kept)}]"


def short_name(step: Step, steps: Steps) -> str:
    """The name without its layer, where no other layer has a step of that name."""
    name = without_layer(step.name)
    try:
        return name if find_step(name, steps)[0] is step else step.name
    except KeyError:
        return step.name

"""Changing a number: an edit is a step like any other, inserted after the one it changes.

The edited step keeps its name, so that everything after it reads the new number; what was there before is called
`.original`. Steps that do not depend on the change are shared with the trace before it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.ops import Contract, Given, Map, Pick, Replace
from regard.ops.spec import sizes_of
from regard.trace.labels import Labels
from regard.trace.step import Cell, Step

OF_A_WHOLE_STEP = ("pin", "hide")


@dataclass(frozen=True, eq=False)
class Intervention:
    """What was changed: one cell typed (edit) or dragged (move), a whole step replaced (pin), a word hidden (hide).

    A hidden word is its position in `at`, and an array of who may look at whom that replaces `visible`.
    """

    kind: str
    step: str
    at: tuple[int, ...]
    number: float | None = None
    array: np.ndarray | None = None

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "step": self.step, "at": list(self.at), "number": self.number}

    def said(self, labels: Labels) -> str:
        """In words: what was done."""
        if self.kind == "hide":
            return f"without {labels.word('K', self.at[0])}"
        place = f"{self.step}[{','.join(map(str, self.at))}]" if self.at else self.step
        done = {"edit": "set to", "move": "dragged to"}.get(self.kind, "replaced")
        return f"{place} {done}" if self.number is None else f"{place} {done} {self.number:g}"


def rebuilt(steps: Sequence[Step], put: Mapping[Step, Sequence[Step]], by_rows: bool = False) -> tuple[Step, ...]:
    """The steps with some of them replaced, and new ones for all that depend on these; the others are shared.

    `by_rows` lets the new ones keep rows that did not change (trace/rerun.py); a change of parameters changes all.
    """
    new: dict[Step, Step] = {}
    result: list[Step] = []
    for step in steps:
        if step in put:
            result += put[step]
            new[step] = put[step][-1]
        elif any(i in new for i in step.inputs):
            new[step] = Step(step.name, step.op, tuple(new.get(i, i) for i in step.inputs))
            result.append(new[step])
        else:
            result.append(step)
    if by_rows:
        for old, replacement in new.items():
            replacement.follows(old)
    return tuple(result)


def intervened(steps: Sequence[Step], edit: Intervention) -> tuple[Step, ...]:
    names = {s.name: s for s in steps}
    target = names[edit.step]
    original = target.renamed(_free(f"{target.name}.original", names))
    if edit.array is not None:
        # the new values replace the old in every respect: they have a gradient, and do not learn
        return rebuilt(steps, {target: (original, Step(target.name, Given(edit.array, target.axes)))})
    assert edit.number is not None
    inserted = _dragged(original, target.name, edit, names) if edit.kind == "move" else [original]
    last = Step(target.name, Replace(target.axes, edit.at, edit.number), (inserted[-1],))
    return rebuilt(steps, {target: (*inserted, last)}, by_rows=True)


def unedited(step: Step) -> Step:
    """The step behind the numbers that were set by hand."""
    while isinstance(step.op, Replace):
        step = step.inputs[0]
    return step


def before(step: Step) -> Step:
    """The step as it was before the last of its numbers was set by hand: of one that was dragged, before the others of
    its row were rescaled."""
    last = step.inputs[0]
    return last.inputs[0].inputs[0] if isinstance(last.op, Map) and last.op.formula == "rescale" else last


def withdrawn(steps: Sequence[Step], edit: Intervention) -> tuple[Step, ...]:
    """The steps without an edit, the latest of its step: the reverse of `intervened`."""
    names = {s.name: s for s in steps}
    target = names[edit.step]
    original, *others = _inserted(target, edit, names)
    kept = [s for s in steps if s is not original and s not in others]
    return rebuilt(kept, {target: (original.renamed(target.name),)})


def _inserted(target: Step, edit: Intervention, names: Mapping[str, Step]) -> list[Step]:
    """What `intervened` put before the edited step, the original first."""
    if edit.kind == "edit":
        return [target.inputs[0]]
    if edit.kind == "move":
        others, left, dragged = target.inputs[0].inputs
        return [others.inputs[0], others, left, dragged, target.inputs[0]]
    # a pin, or a hidden word
    originals = [f"{edit.step}.original", *(f"{edit.step}.original{n}" for n in range(2, len(names) + 2))]
    return [[names[n] for n in originals if n in names][-1]]


def _dragged(original: Step, name: str, edit: Intervention, names: Mapping[str, Step]) -> list[Step]:
    """The other cells of the row share what is left, in the proportions they had."""
    assert edit.number is not None
    axes, row_axes = original.axes, original.axes[:-1]
    row = np.zeros(original.shape[:-1], dtype=bool)
    row[edit.at[:-1]] = True
    others = Step(_free(f"{name}.others", names), Replace(axes, edit.at, 0.0), (original,))
    left = Step(_free(f"{name}.left", names), Contract(f"{axes}->{row_axes}"), (others,))
    dragged = Step(_free(f"{name}.dragged", names), Given(row, row_axes, "constant"))
    rescale = Map("rescale", f"{axes},{row_axes},{row_axes}->{axes}", (1.0 - edit.number,))
    return [original, others, left, dragged, Step(_free(f"{name}.rescaled", names), rescale, (others, left, dragged))]


def _free(name: str, names: Mapping[str, Step]) -> str:
    """A step edited twice has its first value under .original; later ones are numbered."""
    if name not in names:
        return name
    return next(f"{name}{n}" for n in range(2, len(names) + 3) if f"{name}{n}" not in names)


def without_word(visible: np.ndarray, position: int, query: int | None) -> np.ndarray:
    """What may be looked at (…QK) when nobody may read one word.

    A word still reads itself, so that its own row is not left empty, except at the position that predicts.

    >>> without_word(np.tri(3, dtype=bool), 1, 2).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 0, 1]]
    """
    others = visible.copy()
    others[..., :, position] = False
    if position != query:
        others[..., position, position] = visible[..., position, position]
    return others


LARGEST = 1e30  # that a cell may be set to: products of several such numbers still fit into a double


def checked_number(value: Any, what: str = "a cell") -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} expects a number, got {value!r}") from None
    if not abs(number) <= LARGEST:
        raise ValueError(f"{what} expects a finite number, at most {LARGEST:g} in size, got {number:g}")
    return number


def check_size(array: np.ndarray, what: str) -> None:
    """A number that grows without bound ends as NaN; it is stopped before that."""
    if not np.all(np.abs(array) <= LARGEST):
        raise ValueError(f"{what} would be larger than {LARGEST:g}; choose a smaller rate")


def checked_array(array: Any, step: Step) -> np.ndarray:
    """An array to replace a step: of its shape and its kind of number."""
    if isinstance(array, np.ma.MaskedArray):
        raise ValueError(f"{step.name} expects a plain array, got a masked one; fill it first")
    try:
        values = np.asarray(array)
    except (ValueError, OverflowError):
        values = np.asarray(None)
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{step.name} expects an array of numbers of shape {step.shape}, got {array!r:.60}")
    if values.shape != step.shape and values.shape == tuple(n for n in step.shape if n > 1):
        values = values.reshape(step.shape)
    if values.shape != step.shape:
        raise ValueError(f"{step.name} expects an array of shape {step.shape}, got {values.shape}")
    if step.value.dtype.kind == "f":
        values = values.astype(np.float64)
        may_hide = isinstance(step.op, Map) and step.op.formula == "hide"  # a hidden score is −∞ by design
        if not np.all((np.abs(values) <= LARGEST) | (np.isneginf(values) & may_hide)):
            raise ValueError(f"{step.name} expects finite numbers up to {LARGEST:g}; some cells are not")
        return values
    kind = step.value.dtype
    if np.any(np.abs(values.astype(np.float64)) >= 2**31) or not np.array_equal(values, values.astype(kind)):
        what = "True and False" if kind.kind == "b" else "whole numbers, none beyond 2³¹"
        raise ValueError(f"{step.name} expects {what}, got {np.array2string(values, threshold=4)[:60]}")
    return values.astype(kind)


def check_rows(steps: Sequence[Step], name: str) -> None:
    """Row numbers that were pinned must be rows of the table that they pick from."""
    for step in steps:
        if isinstance(step.op, Pick) and step.inputs[1].name == name:
            table, ids = step.inputs
            rows = sizes_of(step.op.spec, [table.shape, ids.shape])[step.op.picked]
            if np.any(ids.value < 0) or np.any(ids.value >= rows):
                raise ValueError(f"{name} expects rows of {table.name}, from 0 to {rows - 1}; some are outside")


def check_movable(cell: Cell, number: float) -> None:
    """Dragging needs a visible cell of a distribution, and another cell to take the rest."""
    step, at = cell.step, cell.at
    row = step.value[at[:-1]] if step.axes else np.zeros(0)
    if row.size == 0 or np.any(row < 0) or abs(row.sum() - 1) > 1e-6:
        raise ValueError(f"{step.name} is not a row of shares that sums to 1 here; set the cell with edit instead")
    if not 0 <= number <= 1:
        raise ValueError(f"a share must be between 0 and 1, got {number:g}")
    is_share = isinstance(step.op, Map) and step.op.formula == "divide"
    if is_share and step.inputs[0].value[at] == 0 and number > 0:
        raise ValueError(f"this cell of {step.name} is hidden by the mask, so it has no share to drag")
    if row.sum() - row[at[-1]] <= 0 and number < 1:
        raise ValueError(f"no other cell of this row of {step.name} can take the rest; set the cell with edit instead")


def check_read(beside: Step, steps: Iterable[Step]) -> None:
    """A step that nothing else reads, there to be looked at: changing it would change nothing."""
    readers = [s for s in steps if set(s.inputs) & {beside, *beside.inputs} and s is not beside]
    if not any(beside in s.inputs for s in readers):
        instead = " or ".join(s.name for s in (*beside.inputs, *readers))
        raise ValueError(f"nothing reads {beside.name}; edit {instead} instead")

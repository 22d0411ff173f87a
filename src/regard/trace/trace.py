"""A run of a model: every step by name, every number with its reasons, every number changeable."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from regard.ops import Given, Map, Merge
from regard.suggestions import NotFound
from regard.trace.address import find, find_cell, find_step, run_of, short_cell, split_runs, written_cell
from regard.trace.arithmetic import Arithmetic, explain
from regard.trace.backward import gradient_steps
from regard.trace.by_name import Steps
from regard.trace.edits import (
    Intervention,
    check_movable,
    check_read,
    check_rows,
    check_size,
    checked_array,
    checked_number,
    intervened,
    rebuilt,
    withdrawn,
    without_word,
)
from regard.trace.elsewhere import Elsewhere
from regard.trace.goal import GOAL, added_behind, goal_steps
from regard.trace.holding import NOTHING, Holding
from regard.trace.labels import Labels
from regard.trace.measuring import Measuring
from regard.trace.names import chosen_parameters
from regard.trace.step import Cell, Step
from regard.trace.values import Values


@dataclass(frozen=True, eq=False)
class Trace(Measuring):
    """Steps, lazily computed steps. Frozen: edit, move, pin, hide, undo, backward and update each return a new one.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps")
    >>> print(trace.why("weights[fox,fox]"))
    weights[fox,fox] = 0.7500 = 2.0281 / 2.7042
    >>> trace.edit("weights[fox,fox]", 0.05).predicted
    'jumps'
    """

    forward: tuple[Step, ...]
    labels: Labels = field(default_factory=lambda: Labels({}))
    info: Mapping[str, Any] = field(default_factory=dict[str, Any])  # what it is a run of: model, notes, query, target
    edits: tuple[Intervention, ...] = ()
    of: str | None = None
    holding: Holding = NOTHING  # what counts as constant in the backward pass
    compared: tuple[str, str] | None = None  # the two words whose logits measurements compare; None: the usual two
    rate: float | None = None  # of the update that would come next, when it is measured; None: one that suits
    switched: tuple[str, int] | None = None  # in words what was switched (trace/whatif.py), and after how many edits
    learned: tuple[Step, ...] = ()  # the .next steps, in a trace that an update was made from
    parent: "Trace | None" = None

    # reading

    @cached_property
    def own(self) -> Steps:
        """The steps of the run itself, by name. What is one of them is found without a gradient being derived."""
        return Steps({step.name: step for step in self.forward})

    @cached_property
    def steps(self) -> Steps:
        """Every step by name: forward, backward if asked for, and the next parameters."""
        names = Steps()
        for step in (*self.forward, *self.gradients, *self.learned):
            if step.name in names:
                raise ValueError(f"two steps are called {step.name!r}; names must differ")
            names[step.name] = step
        return names

    @cached_property
    def gradients(self) -> tuple[Step, ...]:
        if self.of is None:
            return ()
        names = self.own
        steps = gradient_steps(self.forward, names[self.of], self.holding)
        for edit in self.edits:
            # an edited gradient is gone where a later change has cut its path, or another number is blamed
            if edit.step not in names and any(s.name == edit.step for s in steps):
                steps = intervened(steps, edit)
        return steps

    def __getitem__(self, address: str) -> Any:
        """A step's numbers with their words, or one number: trace["weights"], trace["weights[fox,The]"]."""
        if run_of(address) is not None:
            return self.cell(address).value
        place = self.find(address, find)
        if place.is_cell:
            return float(place.step.stored[place.at])
        return Values(place.step, self.labels, place.at)

    def __contains__(self, name: str) -> bool:
        try:
            self.step(name)
        except KeyError:
            return False
        return True

    def step(self, name: str) -> Step:
        """A step by its name, or by the end of its name where that is unique."""
        return self.find(name, lambda name, steps, _: find_step(name, steps)[0])

    def array(self, name: str) -> np.ndarray:
        return self.step(name).value

    def cell(self, address: str) -> Cell:
        """One number; of another run, by a number that comes from there: without[fox]:logits[jumps]."""
        here, *there = split_runs(address)
        cell = self.find(here, find_cell)
        for rest in there:
            if not isinstance(cell.step.op, Elsewhere):
                raise NotFound(f"{here} is a number of this run, not of another; write what comes after : alone")
            run = cell.step.op.run_at(cell.at)
            cell = replace(run.cell(rest), run=run)
        return cell

    def name_of(self, cell: Cell) -> str:
        """The shortest address of a cell in this trace; for a cell of another run, its address there and which run."""
        if cell.run is not None:
            return f"{cell.run.name_of(replace(cell, run=None))} ({cell.run.last_change})"
        return short_cell(cell.step, cell.at, self.labels, self.known)

    def address_of(self, cell: Cell) -> str:
        return written_cell(cell.step, cell.at, self.labels)

    def why(self, address: "str | Cell") -> Arithmetic:
        """The arithmetic of one number, with the cells it read."""
        cell = address if isinstance(address, Cell) else self.cell(address)
        return explain(cell, self.name_of)

    @property
    def predicted(self) -> str:
        """The most probable next word."""
        step = self.step("probabilities")
        return self.labels.plain(step.axes[-1], int(np.argmax(step.value.reshape(-1, step.shape[-1])[-1])))

    # changing

    def edit(self, address: str, value: float) -> "Trace":
        """Set one number; everything after it runs again, and no gradient goes through the cell."""
        cell = self.cell(address)
        self._check_editable(cell.step)
        return self.intervened(Intervention("edit", cell.step.name, cell.at, checked_number(value)))

    def move(self, address: str, value: float) -> "Trace":
        """Drag one share of a distribution: the others of its row rescale, and the row still sums to 1."""
        cell = self.cell(address)
        self._check_editable(cell.step)
        number = checked_number(value)
        check_movable(cell, number)
        return self.intervened(Intervention("move", cell.step.name, cell.at, number))

    def pin(self, name: str, array: Any) -> "Trace":
        """Replace a whole step by given numbers."""
        step = self.step(name)
        self._check_forward_or_gradient(step)
        changed = self.intervened(Intervention("pin", step.name, (), array=checked_array(array, step)))
        check_rows(changed.forward, step.name)
        return changed

    def hide(self, word: str | int) -> "Trace":
        """Let nobody read one word, named as in an address; the other weights take its share."""
        step = self.step("visible")
        position = self.labels.position("K", step.shape[-1], str(word))
        query = int(self.array("query")) if "query" in self.own else None
        return self.intervened(
            Intervention("hide", step.name, (position,), array=without_word(step.value, position, query))
        )

    def undo(self) -> "Trace":
        """The trace before the last edit or update."""
        if self.parent is not None:
            return self.parent._blaming(self.of if self.of is not None else self.parent.of)
        if self.edits:
            return self._without_last_edit()
        raise ValueError("there is nothing to undo: this trace has no edits")

    def reset(self) -> "Trace":
        """The trace without its edits. What it has learned stays."""
        trace = self
        while trace.edits:
            before = trace.parent
            was_edited = before is not None and len(before.edits) < len(trace.edits)
            trace = before if before is not None and was_edited else trace._without_last_edit()
        return trace._blaming(self.of)

    def _without_last_edit(self) -> "Trace":
        """For a trace that has learned under edits: an update keeps no ancestors to go back to."""
        *edits, last = self.edits
        forward = withdrawn(self.forward, last) if last.step in self.own else self.forward
        return replace(self, forward=forward, edits=tuple(edits), learned=())

    # learning

    def backward(self, of: str = "loss", holding: Holding = NOTHING) -> "Trace":
        """The same trace with the gradient of one number: of the loss, or of any cell, such as context[0,1].

        `holding` says what counts as constant on the way (trace/holding.py); then the steps are directions.
        """
        if of == "loss" and of not in self.own:
            raise ValueError(
                "this run has no loss; say which word should follow (next=…), or name the cell to take the gradient of"
            )
        cell = self.cell(of)
        if cell.step in (*self.gradients, *self.learned):
            raise ValueError(f"{cell.step.name} is part of a backward pass; take the gradient of a forward step")
        if cell.step.stored.dtype.kind != "f":
            raise ValueError(f"{cell.step.name} holds {cell.step.stored.dtype} values, which have no gradient")
        measured = added_behind(cell.step, self.forward)
        if cell.at == () and not measured:
            return self._blaming(cell.step.name, holding)
        kept = tuple(s for s in self.forward if s.name.partition(".")[0] != GOAL)
        goal = goal_steps(cell) if cell.at else []
        of = GOAL if goal else cell.step.name
        return replace(self, forward=(*kept, *measured, *goal), of=of, holding=holding, learned=())

    def _blaming(self, of: str | None, holding: Holding = NOTHING) -> "Trace":
        """The same trace with another gradient, or none where it has no such step; .next steps go with the old one."""
        of = of if of in self.own else None
        return self if (self.of, self.holding) == (of, holding) else replace(self, of=of, holding=holding, learned=())

    @property
    def parameters(self) -> dict[str, Step]:
        """What can learn, by name."""
        return {s.name: s for s in self.forward if isinstance(s.op, Given) and s.op.role == "parameter"}

    def update(self, rate: float = 0.1, learns: Iterable[str] | None = None) -> "Trace":
        """One update by gradient descent: W.next = W − rate · W.grad for all parameters, or for those named.

        The new trace's parent holds the `.next` steps, so that every new number can be explained. It keeps no
        ancestors: ten thousand updates hold the memory of two.
        """
        rate = checked_number(rate, "a rate")
        before = self if self.of is not None and self.holding is NOTHING else self.backward()
        chosen = chosen_parameters(list(before.parameters), learns)
        nexts: dict[Step, Step] = {}
        for name in chosen:
            step, gradient = before.steps[name], before.steps.get(f"{name}.grad")
            if gradient is not None:
                spec = f"{step.axes},{step.axes}->{step.axes}"
                nexts[step] = Step(f"{name}.next", Map("update", spec, (rate,)), (step, gradient))
        for new in nexts.values():
            check_size(new.value, f"{new.name} at the rate {rate:g}")
        put = {old: (Step(old.name, Given(new.value, old.axes, "parameter")),) for old, new in nexts.items()}
        parent = replace(before, learned=tuple(nexts.values()), parent=None)._knowing(before.gradients)
        # new numbers, the same graph: the backward pass is rebuilt like the forward one, not derived again
        steps = rebuilt((*before.forward, *before.gradients), put)
        forward, gradients = steps[: len(before.forward)], steps[len(before.forward) :]
        return replace(before, forward=forward, learned=(), parent=parent)._knowing(gradients)

    def updates(self, times: int, rate: float = 0.1, learns: Iterable[str] | None = None) -> "Iterator[Trace]":
        """The frames of a film: this run, then the run after each of so many updates."""
        if times < 0:
            raise ValueError(f"updates expects 0 or more, got {times}")
        names = None if learns is None else tuple(learns)
        yield from accumulate(range(times), lambda frame, _: frame.update(rate, names), initial=self)

    def _knowing(self, gradients: tuple[Step, ...]) -> "Trace":
        self.__dict__["gradients"] = gradients
        return self

    def intervened(self, edit: Intervention) -> "Trace":
        """The run after one intervention."""
        forward = intervened(self.forward, edit) if edit.step in self.own else self.forward
        return replace(self, forward=forward, edits=(*self.edits, edit), learned=(), parent=self)

    def _check_editable(self, step: Step) -> None:
        self._check_forward_or_gradient(step)
        if step.stored.dtype.kind != "f":
            raise ValueError(f"{step.name} holds {step.stored.dtype} values, not numbers to edit; replace it with pin")

    def _check_forward_or_gradient(self, step: Step) -> None:
        if step in self.learned:
            raise ValueError(f"{step.name} is computed from a gradient; edit {step.name.removesuffix('.next')} instead")
        if isinstance(step.op, Merge):
            check_read(step, self.forward)

    # files and screens

    def save(self, path: Any) -> None:
        """Write the trace to an .npz file: operations by name, numbers exactly, no code."""
        from regard.trace.files import save

        save(self, path)

    def json(self) -> str:
        """The whole trace as strict JSON, every number included."""
        from regard.trace.wire import to_json

        return to_json(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from regard.views.terminal import render_html

        return render_html(self)

    def __repr__(self) -> str:
        return f"<Trace of {len(self.forward)} steps, {len(self.edits)} edits>"

    def __str__(self) -> str:
        from regard.views.terminal import render

        return render(self)

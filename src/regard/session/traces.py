"""From a State to its Trace. A further change costs only that change: traces of its beginnings are kept for a while.

What is kept is bounded twice. Large computed numbers are a keeper's, who forgets some (trace/keeping.py). All else, the
graph, the numbers that were given and those of further runs, is counted here, and traces are dropped until it fits. A
state that does not fit by itself is answered, and not kept.
"""

import hashlib
import math
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from regard.attending.sources import Queries
from regard.attending.weights import Weights
from regard.lens.weights import weights_of
from regard.models.long import read_long
from regard.models.model import Model
from regard.models.settings import Settings
from regard.session import limits
from regard.session.changes import Change, Update, applied, cells_with_backward, check_cells
from regard.session.charging import charge
from regard.session.refusal import TooLarge
from regard.session.shelf import Shelf
from regard.session.state import State, canonical
from regard.session.tables import Tables
from regard.session.watched import Watched
from regard.trace import Step, Trace
from regard.trace.keeping import Keeper, is_forgettable

Wanted = Callable[[], None]
RUNS_OF_A_REQUEST = 8
BUILDING = 1_000  # cells that could be computed in the time in which a step of a run is built anew, with its gradient


@dataclass(frozen=True)
class Moment:
    """What one update led to: a point of the loss curve."""

    update: int
    loss: float
    predicted: str


@dataclass(frozen=True, eq=False)
class Seen:
    """The trace of a state, and how it learned; for a long text also the weights, which are not among its steps."""

    trace: Trace
    moments: tuple[Moment, ...] = ()
    weights: tuple[Weights, ...] = ()

    @property
    def is_long(self) -> bool:
        return bool(self.weights)

    def weights_of(self, layer: int) -> Weights:
        return self.weights[layer] if self.is_long else weights_of(self.trace, layer)


@dataclass
class KeptRun:
    """One run and the states made from it, each keyed by everything done before."""

    own: frozenset[Step]
    bytes: int
    is_small: bool  # each state on the way to another is worth keeping
    states: OrderedDict[str, Seen] = field(default_factory=OrderedDict)
    sizes: dict[str, int] = field(default_factory=dict)
    measured: dict[str, int] = field(default_factory=dict)  # how much had been measured when they were counted

    @property
    def held(self) -> int:
        return self.bytes + sum(self.sizes.values())

    def drop(self, name: str) -> None:
        self.let_go(self.states.pop(name))
        del self.sizes[name], self.measured[name]

    def let_go(self, seen: Seen) -> None:
        """Measurements refer to the trace that they are of; without them, its memory is free at once."""
        if not self.is_small:
            seen.trace.forget_measured()


class Traces:
    """
    >>> traces = Traces(Shelf())
    >>> traces.of(State(text="The quick brown fox", next="jumps")).trace.predicted
    'fox'
    """

    def __init__(self, shelf: Shelf, most_bytes: int = limits.CACHE):
        self.shelf, self.most_bytes = shelf, most_bytes
        self.tables = Tables(shelf)
        self.keeper = Keeper(limits.VALUES)
        self._runs: OrderedDict[str, KeptRun] = OrderedDict()
        self._long: tuple[str, tuple[Weights, ...]] | None = None  # of the last long text, whose run may not fit
        self._lock = threading.Lock()
        self._asked = threading.local()  # what the request of a thread is about

    @property
    def held(self) -> int:
        """How many bytes the kept traces can grow to."""
        with self._lock:
            return sum(run.held for run in self._runs.values())

    def of(self, state: State, wanted: Wanted = lambda: None) -> Seen:
        """The trace that a state means; `wanted` is checked between its parts."""
        key = f"{self.version(state)}|{state.run}"
        changes = _one_by_one(state.changes)
        names = [key, *_beginnings(key, changes)]
        run = self._find(key)
        if run is None:
            run = self._begin(key, state, wanted)
        with self._lock:
            done = next(n for n in range(len(names) - 1, -1, -1) if names[n] in run.states)
            run.states.move_to_end(names[done])
            seen = run.states[names[done]]
        if seen.is_long and changes:
            raise TooLarge("a text of this length can be looked at but not changed; pass a shorter one")
        _check_updates(seen.trace, changes[done:])
        if any(isinstance(change, Update) for change in changes[done:]):
            self._make_room(run, {key, names[done]}, _bytes_of_an_update(seen.trace))
        for number, change in enumerate(changes[done:], done + 1):
            wanted()
            seen = changed(seen, change)
            charge(BUILDING * len(seen.trace.forward))
            following = changes[number : number + 1]
            if not following or (run.is_small and following[0] is not change):  # of equal updates in a row, the last
                self._keep(run, key, names[number], seen)
        self._asked.__dict__.setdefault("about", deque(maxlen=RUNS_OF_A_REQUEST)).append((run, key, names[-1], seen))
        return seen

    def watched(self, state: State, wanted: Wanted) -> Watched | None:
        """What its own code made of the text, where a model is not in glass, or the text too long for that."""
        reads = None if state.toy is not None else self.shelf.watched(state.model)
        if reads is None or (state.text not in reads.named and self._is_for_glass(state)):
            return None
        if state.changes or state.scaling is not None:
            raise TooLarge(f"{state.model} is watched while its own code runs: it can be looked at, not changed")
        return reads(state.text, wanted)

    def is_read(self, state: State) -> bool:
        """Whether a state is a long text that has been read, in glass or watched. Its weights are computed from queries
        and keys that nothing changes: a map of them can be drawn while something else of the same run is measured."""
        reads = None if state.toy is not None else self.shelf.watched(state.model)
        return (reads is not None and reads.knows(state.text)) or self.long_weights(state) is not None

    def long_weights(self, state: State) -> tuple[Weights, ...] | None:
        """The weights of a long text that has been read in glass; None of any other."""
        if state.changes:
            return None
        key = f"{self.version(state)}|{state.run}"
        with self._lock:
            if self._long is not None and self._long[0] == key:
                return self._long[1]
            run = self._runs.get(key)
            return (run.states[key].weights or None) if run is not None else None

    def _is_for_glass(self, state: State) -> bool:
        return self.shelf.is_in_glass(state.model) and not is_beyond_glass(self.model(state), state.text)

    def model(self, state: State) -> Model:
        """The model that a state asks for, what-ifs included."""
        model = self.shelf.model(state.model) if state.toy is None else self.shelf.toy(state.model, state.toy)
        return (
            model if state.scaling is None else replace(model, settings=replace(model.settings, scaling=state.scaling))
        )

    def version(self, state: State) -> str:
        """What changes when the model does, so that what was kept no longer holds."""
        return self.shelf.version(state.model) if state.toy is None else ""

    def first(self, state: State) -> tuple[Trace, Sequence[Weights]]:
        """The run of a state before its changes, and its weights where they are too many to be steps."""
        model = self.model(state)
        if _is_long(model, state.text):
            return read_long(model, state.text, state.mask, state.query)
        if state.as_written:
            if state.next is not None:
                raise ValueError("as_written hides nothing, so there is no word to be guessed; leave next out")
            return model.as_written(state.text, state.mask, state.query), ()
        return model.run(state.text, state.next, state.mask, state.query), ()

    def _find(self, key: str) -> KeptRun | None:
        with self._lock:
            run = self._runs.get(key)
            if run is not None:
                self._runs.move_to_end(key)
            return run

    def _begin(self, key: str, state: State, wanted: Wanted) -> KeptRun:
        trace, weights = self._started(state, wanted)
        for step in trace.forward:
            wanted()
            _ = step.value
        trace = trace.backward() if "loss" in trace.steps and not weights else trace
        check_cells(trace)
        own = frozenset(trace.steps.values())
        size = _lasting(own) - sum(8 * math.prod(step.shape) for step in trace.parameters.values())  # the model's
        cells = sum(math.prod(step.shape) for step in own)
        size += 8 * cells if weights else 0  # which hold on to the numbers that they are computed from
        is_small = cells <= limits.WHOLE_TRACE
        run = KeptRun(own, size, is_small, OrderedDict({key: Seen(trace, (), tuple(weights))}))
        with self._lock:
            self._runs[key] = run
            if weights:
                self._long = (key, tuple(weights)) if _bytes_of_long(weights) <= limits.LONG else None
            self._forget()
        return run

    def _started(self, state: State, wanted: Wanted) -> tuple[Trace, Sequence[Weights]]:
        """A run, or one that is there already with other words to compare."""
        if state.compared is not None:
            same = self.of(state.model_copy(update={"compared": None, "changes": []}), wanted)
            trace = replace(same.trace, compared=(state.compared[0], state.compared[1]))
            trace.measure("margin")  # says which word is not one of the model's
            return trace, same.weights
        trace, weights = self.first(state)
        if state.scaling is not None:
            trace = replace(trace, info={**trace.info, "scaling": state.scaling})
        return trace, weights

    def _keep(self, run: KeptRun, key: str, name: str, seen: Seen) -> None:
        with self._lock:
            run.states[name] = seen
            self._count(run, name)
            self._drop_states(run, key)
            self._forget()

    def settle(self) -> None:
        """After an answer: count what measuring has added to the traces it was about, and drop what does not fit."""
        with self._lock:
            for run, key, name, seen in self._asked.__dict__.pop("about", ()):
                trace = seen.trace
                if run.states.get(name) is not seen:
                    run.let_go(seen)
                else:
                    for forget in (None, trace.forget_others, trace.forget_measured):
                        if forget is not None:
                            forget()
                        self._count(run, name)
                        if run.sizes[name] <= self.most_bytes // 4:
                            break
                    self._drop_states(run, key)
            self._forget()

    def _count(self, run: KeptRun, name: str) -> None:
        trace = run.states[name].trace
        if run.measured.get(name) != trace.measured:
            run.sizes[name], run.measured[name] = _lasting_of(trace, run.own), trace.measured

    def _make_room(self, run: KeptRun, needed: set[str], size: int) -> None:
        """Drops what is not needed for the answer at hand, until as many bytes are free."""
        with self._lock:
            others = [key for key, other in self._runs.items() if other is not run]
            states = [name for name in run.states if name not in needed]
            while (others or states) and sum(r.held for r in self._runs.values()) + size > self.most_bytes:
                if others:
                    self._drop_run(others.pop(0))
                else:
                    run.drop(states.pop(0))

    def _drop_states(self, run: KeptRun, key: str) -> None:
        while len(run.states) > 1 and (len(run.states) > limits.KEPT_STATES or run.held > self.most_bytes):
            run.drop(next(n for n in run.states if n != key))

    def _forget(self) -> None:
        """Drops the runs least recently asked about, until the rest fits."""
        held = sum(run.held for run in self._runs.values())
        while self._runs and (held > self.most_bytes or len(self._runs) > limits.KEPT_RUNS):
            held -= next(iter(self._runs.values())).held
            self._drop_run(next(iter(self._runs)))

    def _drop_run(self, key: str) -> None:
        run = self._runs.pop(key)
        for seen in run.states.values():
            run.let_go(seen)


def changed(seen: Seen, change: Change) -> Seen:
    """What is seen after one change, with one more point of the loss curve if the model learned."""
    trace = applied(seen.trace, change)
    if not isinstance(change, Update):
        # undoing is leaving a change out, so no trace needs to know the one before it
        return Seen(replace(trace, parent=None), seen.moments)
    moments = seen.moments or (_moment(0, seen.trace),)
    trace = replace(trace, info={**trace.info, "updates": moments[-1].update + 1})
    return Seen(trace, (*moments, _moment(moments[-1].update + 1, trace))[-limits.UPDATES :])


def _moment(update: int, trace: Trace) -> Moment:
    return Moment(update, float(trace.array("loss")), trace.predicted)


def _one_by_one(changes: Sequence[Change]) -> list[Change]:
    """Ten updates are ten changes, so that the eleventh costs only one more."""
    times = sum(change.times for change in changes if isinstance(change, Update))
    if times > limits.ALL_UPDATES:
        raise TooLarge(f"a state holds at most {limits.ALL_UPDATES:,} updates, got {times:,}")
    single: list[Change] = []
    for change in changes:
        if isinstance(change, Update):
            single += [change.model_copy(update={"times": 1})] * change.times
        else:
            single.append(change)
    return single


def _beginnings(key: str, changes: Sequence[Change]) -> list[str]:
    """A name for the state after each change, made from all that went before."""
    names, written = [], ""
    for number, change in enumerate(changes):
        if not number or change is not changes[number - 1]:
            written = canonical(change.model_dump())
        key = hashlib.sha256(f"{key}\n{written}".encode()).hexdigest()
        names.append(key)
    return names


def _check_updates(trace: Trace, changes: Sequence[Change]) -> None:
    """Many updates of a large run would be charged for in the end; they are refused before any is made."""
    updates = sum(isinstance(change, Update) for change in changes)
    if updates and updates * cells_with_backward(trace) > limits.WORK:
        raise TooLarge(f"{updates} updates of a model of this size take too long for one request; ask for fewer")


def _bytes_of_an_update(trace: Trace) -> int:
    """Of the parameters after it, and of those after the one that is measured next."""
    return 2 * 8 * sum(math.prod(step.shape) for step in trace.parameters.values())


def _bytes_of_long(weights: Sequence[Weights]) -> int:
    """Of the queries and keys that they are computed from."""
    scores = [one.source.scores for one in weights if isinstance(one.source, Queries)]
    return sum(one.q.nbytes + one.k.nbytes for one in scores)


def _lasting_of(trace: Trace, own: frozenset[Step]) -> int:
    """Bytes of a state that are not the run's: its trace, the one before an update, what was measured of it."""
    steps = set(trace.known.values())
    steps |= {step for other in trace.others for step in other.forward}
    steps |= {step for one in (trace, *trace.others) if one.parent is not None for step in one.parent.forward}
    return _lasting(steps - own)


def _lasting(steps: Iterable[Step]) -> int:
    """Bytes that no keeper forgets."""
    return sum(limits.STEP + (0 if is_forgettable(step) else 8 * math.prod(step.shape)) for step in steps)


def _is_long(model: Model, text: str) -> bool:
    """Whether the weights of all layers, which grow with the square of the text, are too many to be kept."""
    tokens, settings = len(model.tokenizer.words(text)), model.settings
    if tokens > settings.max_tokens or weights_in(settings, tokens) <= limits.RUN_WEIGHTS:
        return False  # the model refuses what is too long for it
    if is_beyond_glass(model, text):
        raise too_many_weights(settings, tokens)
    return True


def is_beyond_glass(model: Model, text: str) -> bool:
    """Whether even reading it tile by tile takes too long for one request."""
    tokens, settings = len(model.tokenizer.words(text)), model.settings
    return weights_in(settings, tokens) * settings.head_width > limits.LONG_WORK


def weights_in(settings: Settings, tokens: int) -> int:
    return settings.layers * settings.heads * tokens**2


def too_many_weights(settings: Settings, tokens: int) -> TooLarge:
    return TooLarge(
        f"{settings.layers} layers × {settings.heads} heads × {tokens:,}² words are "
        f"{weights_in(settings, tokens):,} weights, too many to compute for one request; pass a shorter text"
    )

"""What a trace can be asked besides its own steps: measurements, and runs with one more change."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

from regard.suggestions import NotFound
from regard.trace.address import NoStep
from regard.trace.by_name import Steps
from regard.trace.changes import after
from regard.trace.labels import Labels
from regard.trace.step import Step

if TYPE_CHECKING:
    from regard.lens.flow import Flow
    from regard.lens.looking import Looks
    from regard.lens.near import Neighbours
    from regard.lens.who_reads import Readings
    from regard.trace.patched import Patched, Tell
    from regard.trace.trace import Trace

Found = TypeVar("Found")
MOST_OTHERS = 3  # runs with another change that a trace keeps: each may be as large as the trace itself


class Measuring:
    """The part of a Trace that is measured. Measurements live in a higher room, and are fetched when asked for."""

    @property
    def _trace(self) -> "Trace":
        return cast("Trace", self)

    @cached_property
    def _families(self) -> dict[str, dict[str, Step]]:
        """The steps of the measurements that have been asked for."""
        return {}

    @property
    def known(self) -> Steps:
        """Every step by name, including those of the measurements asked for so far."""
        families = tuple(self._families.values())
        if not families:
            return self._trace.steps
        if len(families) not in self._known:  # measurements only come
            found = Steps()
            for steps in reversed((self._trace.steps, *families)):
                found.update(steps)
            self._known.clear()
            self._known[len(families)] = found
            return found
        return self._known[len(families)]

    @cached_property
    def _known(self) -> dict[int, Steps]:
        """By how many measurements there are."""
        return {}

    def measure(self, name: str) -> Mapping[str, Step]:
        """The steps of one measurement, by name: further steps of this run, made when first asked for."""
        if name not in self._families:
            from regard.lens.measurements import measurement

            self._families[name] = {s.name: s for s in measurement(name).make(self._trace)}
        return self._families[name]

    def flow(self, word: str | None = None, against: str | None = None) -> "Flow":
        """Where logit(word) − logit(against) comes from: through which words and heads, with nothing left over."""
        from regard.lens.flow import Flow

        return Flow(self._trace, word, against)

    def looks(self, address: str) -> "Looks":
        """Why a word looks there: a score as a sum over pairs of a part of the query and a part of the key."""
        from regard.lens.looking import looks

        return looks(self._trace, self._trace.cell(address))

    def heads(self, reader: str | None = None, read: str | None = None) -> "Readings":
        """Which heads let one word read another, by weight, beside what an average word gets."""
        from regard.lens.who_reads import readings

        return readings(self._trace, reader, read)

    def patch(
        self, other: "Trace", by: str = "head", words: "tuple[str, str] | None" = None, tell: "Tell | None" = None
    ) -> "Patched":
        """Puts each head's output (or layer's, or word's vector) of another run into this one, one at a time."""
        from regard.lens.patching import patch

        return patch(self._trace, other, by, words, tell)

    def near(self, word: str, most: int = 10) -> "Neighbours":
        """The words whose vectors are nearest to that of a word, before any sentence has moved them."""
        from regard.lens.near import neighbours

        return neighbours(self._trace, word, most)

    def remembered(self, make: "Callable[[Trace], Found]") -> Found:
        """What a function makes of this trace, made once."""
        if make not in self._made:
            self._made[make] = make(self._trace)
        return self._made[make]

    @cached_property
    def _made(self) -> dict[Callable[..., Any], Any]:
        return {}

    def find(self, address: str, finder: Callable[[str, Steps, Labels], Found]) -> Found:
        """What an address means among the steps, or among those of the measurement that its name belongs to."""
        if str(address).partition("[")[0].strip() in self._trace.own:
            return finder(address, self._trace.own, self._trace.labels)
        try:
            try:
                return finder(address, self.known, self._trace.labels)
            except NotFound:
                from regard.lens.measurements import measurement, measuring

                name = measuring(address)
                if name is None or self._families.get(name):
                    raise
                if not self.measure(name):
                    needs = measurement(name).needs
                    raise NotFound(f"there is no {address} in this run: {name} needs {needs}") from None
                return finder(address, self.known, self._trace.labels)
        except NoStep as error:
            from regard.lens.measurements import suggested

            raise error.told(suggested()) from None

    def changed(self, change: tuple[Any, ...], by: "Callable[[Trace, tuple[Any, ...]], Trace]" = after) -> "Trace":
        """The run with one more change, as data, which is a change or what `by` makes of it. The last few are kept."""
        if change not in self._others:
            if len(self._others) == MOST_OTHERS:
                del self._others[next(iter(self._others))]
            self._others[change] = by(self._trace, change)
        return self._others[change]

    @cached_property
    def _others(self) -> dict[tuple[Any, ...], "Trace"]:
        return {}

    @property
    def others(self) -> "tuple[Trace, ...]":
        """The further runs that are kept."""
        return tuple(self._others.values())

    @property
    def measured(self) -> int:
        """How many measurements and further runs have been asked for and are kept."""
        return len(self._families) + len(self._others)

    def forget_others(self) -> None:
        """Let go of every further run; asked for again, it is made again."""
        self._others.clear()

    def forget_measured(self) -> None:
        """Let go of every measurement too."""
        for kept in (self._families, self._known, self._others, self._made):
            kept.clear()

    @property
    def last_change(self) -> str:
        """In words, what sets this run apart from the one it came from."""
        if self._trace.parent is not None and self._trace.parent.learned:
            return "after one update"
        if self._trace.switched is not None and self._trace.switched[1] == len(self._trace.edits):
            return self._trace.switched[0]
        return self._trace.edits[-1].said(self._trace.labels) if self._trace.edits else "the same"

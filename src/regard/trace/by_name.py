"""Steps by their names, and by the ends of their names, which is how people write them."""

from functools import cached_property

from regard.trace.step import Step


class Steps(dict[str, Step]):
    """
    >>> from regard.ops import Given
    >>> steps = Steps({name: Step(name, Given(1.0, "")) for name in ("layer0.weights", "layer0.weights.grad")})
    >>> [step.name for step in steps.ending("weights")], steps.ending("layer0")
    (['layer0.weights'], [])
    """

    def ending(self, name: str) -> list[Step]:
        """Those whose names end in a point and this name."""
        return self._by_end.get(name, [])

    @cached_property
    def _by_end(self) -> dict[str, list[Step]]:
        """Made once: a page of numbers asks for each of their names."""
        found: dict[str, list[Step]] = {}
        for name, step in self.items():
            while name:
                name = name.partition(".")[2]
                found.setdefault(name, []).append(step)
        return found

"""What is on screen: the model, the text, and what was done to it, in order."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from regard.ops.scaling import ScalingName
from regard.session import limits
from regard.session.bounded import AboutAModel, Name, Text, ToyText
from regard.session.changes import Change

Pair = Annotated[list[Name], Field(min_length=2, max_length=2, fail_fast=True)]


class State(AboutAModel):
    """All that determines a run. Equal states, equal numbers."""

    model: Name = "fox"
    toy: ToyText | None = None  # a model of one's own: its TOML, under the name above
    text: Text
    next: Name | None = None
    mask: Literal["causal", "both"] | None = None
    query: Name | None = None
    scaling: ScalingName | None = None  # a what-if: divide scores by √d, by d, or not at all
    compared: Pair | None = None  # why the first word, and not the second; else the one that follows and its rival
    as_written: bool = False  # hide no word from a model that guesses hidden ones
    changes: Annotated[list[Change], Field(max_length=limits.CHANGES, fail_fast=True)] = Field(default_factory=list)

    @property
    def run(self) -> str:
        """What was run, before anything was done to it."""
        return canonical(self.model_dump(include=RUN))

    @property
    def data(self) -> dict[str, Any]:
        """The state alone, without what a question adds to it."""
        return self.model_dump(include=set(State.model_fields))


RUN = set(State.model_fields) - {"changes"}


def canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))

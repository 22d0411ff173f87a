"""What is on screen, as data: the model, the text, and what was done to it, in order. Every field is bounded."""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from regard.ops.scaling import ScalingName
from regard.server import limits

Name = Annotated[str, Field(min_length=1, max_length=limits.NAME)]
Text = Annotated[str, Field(min_length=1, max_length=limits.TEXT)]
Address = Annotated[str, Field(min_length=1, max_length=limits.ADDRESS)]
Number = Annotated[float, Field(ge=-limits.NUMBER, le=limits.NUMBER)]
Count = Annotated[int, Field(ge=0, le=2**31)]


class Strict(BaseModel):
    """Only what is named, of the type that is named; no NaN, no infinity."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


class Edit(Strict):
    """One number typed."""

    kind: Literal["edit"]
    cell: Address
    value: Number


class Move(Strict):
    """One share dragged; the others of its row rescale."""

    kind: Literal["move"]
    cell: Address
    value: Number


class Pin(Strict):
    """A whole step replaced, its numbers in one row."""

    kind: Literal["pin"]
    step: Name
    value: Annotated[list[Number], Field(min_length=1, max_length=limits.PINNED)]


class Update(Strict):
    """The model learns: W − rate · W.grad, as many times as is said."""

    kind: Literal["update"]
    rate: Annotated[float, Field(ge=-limits.RATE, le=limits.RATE)] = 0.1
    learns: Annotated[list[Name], Field(max_length=200)] | None = None
    times: Annotated[int, Field(ge=1, le=limits.UPDATES)] = 1


Change = Annotated[Edit | Move | Pin | Update, Field(discriminator="kind")]


class State(Strict):
    """All that a run is determined by. Equal states, equal numbers."""

    model: Name = "fox"
    text: Text
    next: Name | None = None
    mask: Literal["causal", "both"] | None = None
    query: Name | None = None
    scaling: ScalingName | None = None  # a what-if: divide scores by √d, by d, or not at all
    changes: Annotated[list[Change], Field(max_length=limits.CHANGES)] = []

    @property
    def run(self) -> str:
        """What was run, before anything was done to it."""
        return canonical(self.model_dump(include=RUN))


RUN = set(State.model_fields) - {"changes"}


def canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


class Explain(State):
    """Which numbers to compute beside the run itself."""

    rate: Annotated[float, Field(ge=-limits.RATE, le=limits.RATE)] | None = None  # one that suits, if nothing is said
    check: bool = True  # of a toy's gradients, by finite differences


class Values(State):
    step: Name
    at: Annotated[list[Annotated[int, Field(ge=0, le=2**31)] | None], Field(max_length=8)] | None = None


class Why(State):
    cell: Address
    depth: Annotated[int, Field(ge=1, le=12)] = 1
    digits: Annotated[int, Field(ge=1, le=15)] = 4
    terms: Annotated[int, Field(ge=1, le=64)] = 8  # of a long sum


Range = Annotated[list[Count], Field(min_length=2, max_length=2)]


class Tile(State):
    layer: Annotated[int, Field(ge=0, le=1000)]
    head: Annotated[int, Field(ge=0, le=1000)]
    rows: Range | None = None  # from, to (not included); all of them, if nothing is said
    keys: Range | None = None
    height: Annotated[int, Field(ge=1, le=limits.SIDE)] = 64
    width: Annotated[int, Field(ge=1, le=limits.SIDE)] = 64


class Lens(State):
    kind: Literal["logit_lens", "gravity", "importance", "contributions", "overview"]
    top: Annotated[int, Field(ge=1, le=limits.CANDIDATES)] = 5  # logit_lens: candidates of each layer
    positions: Literal["query", "all"] = "query"  # logit_lens: the word that predicts, or every word
    word: Name | None = None  # gravity: the word that is pulled
    texts: Annotated[list[Text], Field(max_length=2)] = []  # gravity: further sentences
    layer: Annotated[int, Field(ge=0, le=1000)] | None = None  # gravity: after this layer; the last, if nothing is said


class Generate(State):
    count: Annotated[int, Field(ge=1, le=limits.GENERATED)] = 8
    temperature: Annotated[float, Field(ge=0.0, le=100.0)] = 0.0
    top: Annotated[int, Field(ge=0, le=2**20)] = 0  # choose among so many; 0: among all
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
    candidates: Annotated[int, Field(ge=1, le=limits.CANDIDATES)] = 5

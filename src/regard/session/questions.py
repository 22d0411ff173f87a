"""What may be asked about a State: the State, and what else the answer needs to know."""

from typing import Annotated, Literal

from pydantic import Field

from regard.session import limits
from regard.session.bounded import AboutAModel, Address, Count, Name, Rate, Text, ToyText
from regard.session.state import State

Range = Annotated[list[Count], Field(min_length=2, max_length=2, fail_fast=True)]
LayerOrHead = Annotated[int, Field(ge=0, le=1000)]


class ToyQuestion(AboutAModel):
    """A toy as it was written: which model is it, or what is wrong with it?"""

    toy: ToyText


class ExplainQuestion(State):
    """Which numbers to compute besides the run itself."""

    rate: Rate | None = None  # default: one that suits the run
    check: bool = True  # of a toy's gradients, by finite differences
    whole: bool = False  # a small run as it was before its changes: the asker changes and measures it


class ValuesQuestion(State):
    step: Name
    at: Annotated[list[Count | None], Field(max_length=8, fail_fast=True)] | None = None


class WhyQuestion(State):
    cell: Address
    depth: Annotated[int, Field(ge=1, le=12)] = 1
    digits: Annotated[int, Field(ge=1, le=15)] = 4
    terms: Annotated[int, Field(ge=1, le=64)] = 8  # of a long sum


class TileQuestion(State):
    layer: LayerOrHead
    head: LayerOrHead
    rows: Range | None = None  # from, to (not included); default: all of them
    keys: Range | None = None
    height: Annotated[int, Field(ge=1, le=limits.SIDE)] = 64
    width: Annotated[int, Field(ge=1, le=limits.SIDE)] = 64


class LensQuestion(State):
    kind: Literal["logit_lens", "gravity", "importance", "contributions", "overview", "flow", "heads"]
    top: Annotated[int, Field(ge=1, le=limits.CANDIDATES)] = 5  # logit_lens: candidates of each layer
    positions: Literal["query", "all"] = "query"  # logit_lens: the word that predicts, or every word
    word: Name | None = None  # gravity: the word that is pulled
    texts: Annotated[list[Text], Field(max_length=2, fail_fast=True)] = Field(
        default_factory=list
    )  # gravity: further sentences
    layer: LayerOrHead | None = None  # gravity: after this layer; default: the last; importance: of this layer
    head: LayerOrHead | None = None  # importance: of this head; default: the one that moves the logits most
    leave_out: bool = True  # importance: every word once, which takes as many runs
    toward: Annotated[list[Name], Field(max_length=limits.TOWARD, fail_fast=True)] = Field(
        default_factory=list
    )  # gravity: words of the vocabulary that it may be pulled to


class TableQuestion(AboutAModel):
    """A table of word vectors, and the plane it is seen in: along two sums of words, to the right and up; by default
    along the two directions in which the words differ most."""

    along: Annotated[list[Name], Field(min_length=2, max_length=2, fail_fast=True)] | None = None

    @property
    def sums(self) -> tuple[str, str] | None:
        return None if self.along is None else (self.along[0], self.along[1])


class PointsQuestion(TableQuestion):
    first: Count = 0
    count: Annotated[int, Field(ge=1, le=limits.POINTS_AT_ONCE)] = limits.POINTS_AT_ONCE


class NearQuestion(TableQuestion):
    asked: Name  # a word, or a sum of words
    most: Annotated[int, Field(ge=1, le=limits.NEIGHBOURS)] = 10
    with_inputs: bool = False  # allow the words of the sum as answers


class GenerateQuestion(State):
    count: Annotated[int, Field(ge=1, le=limits.GENERATED)] = 8
    temperature: Annotated[float, Field(ge=0.0, le=100.0)] = 0.0
    top: Annotated[int, Field(ge=0, le=2**20)] = 0  # choose among this many; 0: among all
    seed: Count = 0
    candidates: Annotated[int, Field(ge=1, le=limits.CANDIDATES)] = 5

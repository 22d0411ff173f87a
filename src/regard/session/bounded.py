"""Fields of what may be asked: each of one type, and each bounded."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from regard.session import limits

Name = Annotated[str, Field(min_length=1, max_length=limits.NAME)]
Text = Annotated[str, Field(min_length=1, max_length=limits.TEXT)]
ToyText = Annotated[str, Field(min_length=1, max_length=limits.TOY)]
Address = Annotated[str, Field(min_length=1, max_length=limits.ADDRESS)]
CellValue = Annotated[float, Field(ge=-limits.LARGEST, le=limits.LARGEST)]
Rate = Annotated[float, Field(ge=-limits.RATE, le=limits.RATE)]
Count = Annotated[int, Field(ge=0, le=2**31)]


class Strict(BaseModel):
    """Only the fields named, of the types named; no NaN, no infinity."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


class AboutAModel(Strict):
    """Whatever is asked, it is asked about one model, by the name under which it can be opened here."""

    model: Name

"""Every question about a State, and what answers it: one table for server and notebook."""

from collections.abc import Callable
from functools import wraps

from regard.session import answers, lenses, looking_up, watched
from regard.session.bounded import AboutAModel
from regard.session.questions import (
    ExplainQuestion,
    GenerateQuestion,
    LensQuestion,
    NearQuestion,
    PointsQuestion,
    TableQuestion,
    TileQuestion,
    ToyQuestion,
    ValuesQuestion,
    WhyQuestion,
)
from regard.session.state import State
from regard.session.traces import Traces
from regard.suggestions import NotFound

Wanted = Callable[[], None]

Answer = Callable[..., bytes]


def or_watched(name: str, answer: Answer) -> Answer:
    """The same, and about a model that is not in glass, or a text too long for it, what was watched."""

    @wraps(answer)
    def answered(wanted: Wanted, traces: Traces, asked: AboutAModel) -> bytes:
        seen = traces.watched(asked, wanted) if isinstance(asked, State) else None
        if seen is None:
            return answer(wanted, traces, asked)
        if name not in watched.ANSWERS:
            raise NotFound(f"{asked.model} is watched while its own code runs; {watched.CANNOT[1]}")
        return watched.ANSWERS[name](wanted, seen, asked)

    return answered


# its name → how it is checked, and the function of (wanted, traces, question) that answers it
QUESTIONS: dict[str, tuple[type[AboutAModel], Answer]] = {
    "toy": (ToyQuestion, or_watched("toy", answers.toy)),
    "explain": (ExplainQuestion, or_watched("explain", answers.explain)),
    "values": (ValuesQuestion, or_watched("values", answers.values)),
    "why": (WhyQuestion, or_watched("why", answers.why)),
    "readers": (WhyQuestion, or_watched("readers", answers.readers)),
    "tile": (TileQuestion, or_watched("tile", answers.tile)),
    "lens": (LensQuestion, or_watched("lens", lenses.lens)),
    "generate": (GenerateQuestion, or_watched("generate", lenses.generate)),
    "table": (TableQuestion, looking_up.table),
    "points": (PointsQuestion, looking_up.points),
    "near": (NearQuestion, looking_up.near),
}

"""Every question about a State, and what answers it: one table for server and notebook."""

from collections.abc import Callable

from regard.session import answers, lenses, looking_up
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

# its name → how it is checked, and the function of (wanted, traces, question) that answers it
QUESTIONS: dict[str, tuple[type[AboutAModel], Callable[..., bytes]]] = {
    "toy": (ToyQuestion, answers.toy),
    "explain": (ExplainQuestion, answers.explain),
    "values": (ValuesQuestion, answers.values),
    "why": (WhyQuestion, answers.why),
    "readers": (WhyQuestion, answers.readers),
    "tile": (TileQuestion, answers.tile),
    "lens": (LensQuestion, lenses.lens),
    "table": (TableQuestion, looking_up.table),
    "points": (PointsQuestion, looking_up.points),
    "near": (NearQuestion, looking_up.near),
    "generate": (GenerateQuestion, lenses.generate),
}

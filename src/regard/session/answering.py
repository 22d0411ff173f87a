"""Every question about a State, and what answers it: one table for server and notebook."""

from collections.abc import Callable

from regard.session import answers, lenses
from regard.session.questions import (
    ExplainQuestion,
    GenerateQuestion,
    LensQuestion,
    TileQuestion,
    ValuesQuestion,
    WhyQuestion,
)
from regard.session.state import State

# its name → how it is checked, and the function of (wanted, traces, question) that answers it
QUESTIONS: dict[str, tuple[type[State], Callable[..., bytes]]] = {
    "explain": (ExplainQuestion, answers.explain),
    "values": (ValuesQuestion, answers.values),
    "why": (WhyQuestion, answers.why),
    "readers": (WhyQuestion, answers.readers),
    "tile": (TileQuestion, answers.tile),
    "lens": (LensQuestion, lenses.lens),
    "generate": (GenerateQuestion, lenses.generate),
}

"""The worked examples, for the page: what they show, and every claim with its verdict. They never change."""

import json
from collections import Counter
from dataclasses import asdict
from functools import cache
from typing import Any

from regard.lessons import LESSONS, Lesson, lesson
from regard.lessons.documents import DOCUMENTS
from regard.lessons.glossary import reading_for
from regard.models.catalogue import MODELS
from regard.session.answers import claim_data
from regard.session.encode import encoded
from regard.trace import Trace


@cache
def listing() -> bytes:
    return encoded([described(lesson(name)) for name in LESSONS])


@cache
def whole(name: str) -> bytes:
    found = lesson(name)
    trace = found.make()
    return encoded(
        {
            **described(found),
            "shows": list(found.shows),
            "claims": [claim_data(claim) for claim in found.check(trace)],
            "remarks": list(found.remarks(trace)),
            "cards": [card.data() for card in found.ask(trace)],
            "frames": [frames.data() for frames in found.frames(trace)] if found.frames else [],
            "reading": [asdict(text) for text in reading_for(name)],
            "explore": _state_of(trace),
            "trace": json.loads(trace.json()),
        }
    )


def described(found: Lesson) -> dict[str, Any]:
    """What a lesson is about, and how the claims of its documents fare."""
    checked = found.check()
    return {
        "name": found.name,
        "title": found.title,
        "documents": [DOCUMENTS[number].title for number in found.documents],
        "idea": found.idea,
        "verdicts": dict(Counter(str(claim.verdict) for claim in checked)),
        "wrong": sum(claim.is_failure for claim in checked),
        "all": len(checked),
        "questions": len(found.cards),
    }


def _state_of(trace: Trace) -> dict[str, Any] | None:
    """The same run without the lesson, where a model made it: to continue with a sentence of your own."""
    if trace.info["model"] not in MODELS:
        return None
    run = {name: trace.info[name] for name in ("model", "text", "next") if trace.info[name] is not None}
    return {**run, "changes": []}

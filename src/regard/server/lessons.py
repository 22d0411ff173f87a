"""The worked examples, for the page: what they show, and every claim with its verdict. They never change."""

import json
from collections import Counter
from functools import cache
from typing import Any

from regard.lessons import LESSONS, Lesson, lesson
from regard.server.answers import claim_data
from regard.server.encode import encoded


@cache
def listing() -> bytes:
    return encoded([_described(lesson(name)) for name in LESSONS])


@cache
def whole(name: str) -> bytes:
    found = lesson(name)
    trace = found.make()
    return encoded(
        {
            **_described(found),
            "shows": list(found.shows),
            "claims": [claim_data(claim) for claim in found.check(trace)],
            "remarks": list(found.remarks(trace)),
            "trace": json.loads(trace.json()),
        }
    )


def _described(found: Lesson) -> dict[str, Any]:
    checked = found.check()
    return {
        "name": found.name,
        "title": found.title,
        "documents": list(found.documents),
        "idea": found.idea,
        "verdicts": dict(Counter(str(claim.verdict) for claim in checked)),
        "wrong": sum(claim.is_failure for claim in checked),
        "all": len(checked),
    }

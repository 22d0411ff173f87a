"""What a page without a server reads, as files: models as templates, with their numbers, and the lessons.

The page fills in the words and computes (web/src/engine). `views/site.py` puts the page beside these files.
"""

import json
from collections.abc import Iterable, Iterator

from regard.lessons import LESSONS
from regard.lessons.claims_of_run import claims_of
from regard.models.catalogue import find_model
from regard.models.names import MODELS
from regard.models.template import packed, template
from regard.session import worked
from regard.session.answers import claim_data
from regard.session.encode import encoded
from regard.session.shelf import Shelf

Files = Iterator[tuple[str, bytes]]


def hosted(names: Iterable[str] = tuple(MODELS)) -> Files:
    """Every file by its path: what there is to choose from, then one model after the other, then the lessons."""
    wanted = tuple(names)
    yield "models.json", encoded([listed for listed in Shelf().listing() if listed["name"] in wanted])
    for name in wanted:
        yield from hosted_model(name)
    yield "lessons.json", worked.listing()
    for name in LESSONS:
        yield f"lessons/{name}.json", _without_what_follows(worked.whole(name))


def _without_what_follows(lesson: bytes) -> bytes:
    """A lesson whose trace has only the numbers that were given: the page computes the others."""
    data = json.loads(lesson)
    trace = data["trace"]
    trace["steps"] = trace["steps"][: trace["forward"]]
    for step in trace["steps"]:
        if step["op"]["kind"] != "given":
            del step["value"]
            step.pop("nonfinite", None)
    return encoded(data)


def hosted_model(name: str) -> Files:
    """A model as the page runs it: its template, and what a document claims of its own sentence; its numbers."""
    model = find_model(name)
    own = model.run(model.sentence, model.next)
    made = template(model)
    data = {**made.data, "claims": [claim_data(claim) for claim in claims_of(own)]}
    yield f"models/{name}.json", json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    yield f"models/{name}.safetensors", packed(made.arrays)

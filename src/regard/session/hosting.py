"""What a page without a server reads, as files: models as templates, with their numbers, and the lessons.

The page fills in the words and computes (web/src/engine). `views/site.py` puts the page beside these files.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from regard.lens.habits import BROAD
from regard.lens.naming import ALMOST, BROADLY, DETECTORS, LEAST_WORDS
from regard.lessons import LESSONS
from regard.lessons.claims_of_run import claims_of
from regard.models.model import Model
from regard.models.names import MODELS
from regard.models.names import TOYS as TOYS
from regard.models.template import packed, template
from regard.session import worked
from regard.session.answers import claim_data
from regard.session.encode import encoded
from regard.session.lenses import random_text
from regard.session.refusal import TooLarge
from regard.session.shelf import Shelf

Files = Iterator[tuple[str, bytes]]
MOST_BYTES = 100 * 2**20  # of a model's numbers: more than a telephone holds in one tab


def hosted(shelf: Shelf, names: Iterable[str] = tuple(MODELS)) -> Files:
    """Every file by its path: what there is to choose from, then one model after the other, then the lessons."""
    wanted = tuple(names)
    yield "models.json", encoded([listed for listed in shelf.listing() if listed["name"] in wanted])
    for name in wanted:
        yield from _hosted_model(shelf.model(name))
    yield "lessons.json", worked.listing()
    for name in LESSONS:
        yield f"lessons/{name}.json", _without_what_follows(worked.whole(name))


def _hosted_model(model: Model) -> Files:
    """A model as the page runs it: its template, and what a document claims of its own sentence; its numbers."""
    made = template(model)
    size = sum(array.nbytes for array in made.arrays.values())
    if size > MOST_BYTES:
        raise TooLarge(f"the numbers of {model.name} take {size:,} bytes, at most {MOST_BYTES:,} are put into a page")
    claims = claims_of(model.run(model.sentence, model.next))
    data = {**made.data, "claims": [claim_data(claim) for claim in claims], "naming": _naming(model)}
    yield f"models/{model.name}.json", encoded(data)
    yield f"models/{model.name}.safetensors", packed(made.arrays)


def _naming(model: Model) -> dict[str, Any]:
    """What makes a detector sure of a head's name, and the random words that heads are watched on."""
    detectors = {habit: asdict(detector) for habit, detector in {**DETECTORS, BROAD: BROADLY}.items()}
    return {
        "random": random_text(model),
        "detectors": detectors,
        "broad": BROAD,
        "almost": ALMOST,
        "least_words": LEAST_WORDS,
    }


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

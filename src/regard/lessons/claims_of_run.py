"""The claims of a document that belong to the cells of a run, to be shown beside them."""

from regard.lessons import LESSONS, lesson
from regard.lessons.claim import Checked
from regard.trace import Trace


def claims_of(trace: Trace) -> list[Checked]:
    """Every claim of the document that a run belongs to.

    Only an untouched run of the document's own sentence is what the document is about.
    """
    name = trace.info.get("lesson")
    if name not in LESSONS or trace.edits or trace.parent is not None:
        return []
    found = lesson(name)
    own = found.make()
    if any(own.info.get(key) != trace.info.get(key) for key in ("tokens", "next", "mask", "query")):
        return []
    return found.check(own)


def claims_beside(trace: Trace) -> dict[str, Checked]:
    """For each cell that the document prints, its claim; the failing one where it is printed twice."""
    beside: dict[str, Checked] = {}
    for claim in claims_of(trace):
        if claim.cell and (claim.cell not in beside or claim.is_failure > beside[claim.cell].is_failure):
            beside[claim.cell] = claim
    return beside

"""What is answered about a table of word vectors: what it is, where its words stand, and what is near what."""

from collections.abc import Callable
from typing import Any

import numpy as np

from regard.session.answers import is_live
from regard.session.bounding import bounded
from regard.session.charging import charge
from regard.session.encode import encoded
from regard.session.questions import NearQuestion, PointsQuestion, TableQuestion
from regard.session.refusal import TooLarge
from regard.session.tables import Table
from regard.session.traces import Traces
from regard.trace import Cell, Trace
from regard.vectors.map2d import NAMES
from regard.vectors.plane import WORK, Plane, placed, places

Wanted = Callable[[], None]
DECIMALS = 4  # of a place that is only drawn
EXAMPLES = ("king - man + woman", "paris - france + italy", "walking - walk + swim", "apple")
FIRST = 1_000  # words among which one is looked for that can be asked
MULTIPLIED = 50  # multiplications in the time in which one cell of a step is computed


@bounded
def table(wanted: Wanted, traces: Traces, asked: TableQuestion) -> bytes:
    """What a table of word vectors is, and how it is drawn."""
    found, plane = _seen(wanted, traces, asked)
    vectors = found.vectors
    return encoded(
        {
            "name": asked.model,
            "title": vectors.title,
            "notes": list(vectors.notes),
            "words": len(vectors),
            "width": vectors.width,
            "drawn": found.drawn,
            "axes": plane.axes,
            "examples": _examples(found),
        }
    )


def _examples(found: Table) -> list[str]:
    """What a newcomer may ask of this table; of one that knows none of it, for its first word."""
    vectors = found.vectors
    known = [one for one in EXAMPLES if all(word in vectors for word in one.split() if word not in "+-")]
    first = [vectors.words[row] for row in range(min(len(vectors), FIRST))]
    return known or sorted((word for word in first if word in vectors), key=lambda word: not word.isalpha())[:1]


@bounded
def points(wanted: Wanted, traces: Traces, asked: PointsQuestion) -> bytes:
    """Words that follow one another in a table, and where each stands in the plane, rounded: they are to be drawn.

    The numbers of a word are answered with its neighbours.
    """
    found, plane = _seen(wanted, traces, asked)
    rows = range(found.drawn)[asked.first : asked.first + asked.count]
    charge(len(rows) * found.vectors.width / MULTIPLIED)
    drawn = np.round(places(found.vectors, plane, rows), DECIMALS)
    words = [found.vectors.words[row] for row in rows]
    return encoded({"first": asked.first, "of": found.drawn, "words": words, "places": drawn.ravel().tolist()})


@bounded
def near(wanted: Wanted, traces: Traces, asked: NearQuestion) -> bytes:
    """The words nearest to a word or a sum, and their places; every number is a cell of the trace that comes along."""
    found, plane = _seen(wanted, traces, asked)
    vectors = found.vectors
    charge(vectors.vectors.size / MULTIPLIED)
    terms, _ = vectors.meant(asked.asked)
    nearest = vectors.near(asked.asked, asked.most, not asked.with_inputs, plane.words)
    wanted()
    trace = placed(vectors, nearest, plane)
    if not is_live(trace):
        raise TooLarge(
            f"{len(nearest.rows)} words of {vectors.width:,} numbers are too many for one answer; ask for fewer"
        )
    at = {row: i for i, row in enumerate(nearest.rows)}
    own = [(term.word, vectors.position(term.word)) for term in terms]
    told = {
        "asked": nearest.word,
        "terms": [
            {**_standing(trace, word, row, at[row]), "factor": term.factor} for term, (word, row) in zip(terms, own)
        ],
        "near": [
            {**_standing(trace, word, nearest.rows[cell.at[0]], cell.at[0]), "cosine": _told(trace, cell)}
            for word, cell in zip(nearest.words, nearest.cosines)
        ],
        "axes": plane.axes,
        "told": _told(trace, Cell(trace.step(plane.told), ())),
    }
    return encoded(told)[:-1] + b',"trace":' + trace.json().encode() + b"}"


def _seen(wanted: Wanted, traces: Traces, asked: TableQuestion) -> tuple[Table, Plane]:
    found = traces.tables.table(asked.model)
    wanted()
    if asked.sums not in found.planes:
        width = found.vectors.width
        charge((min(found.drawn * width**2, WORK) + width**3) / MULTIPLIED)
    return found, found.plane(asked.sums)


def _standing(trace: Trace, word: str, row: int, at: int) -> dict[str, Any]:
    """A word, its row in the table, and its place in the plane."""
    across, up = (_told(trace, Cell(trace.step(name), (at,))) for name in NAMES)
    return {"word": word, "row": row, "across": across, "up": up}


def _told(trace: Trace, cell: Cell) -> dict[str, Any]:
    return {"cell": trace.address_of(cell), "value": cell.value}

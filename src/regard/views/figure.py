"""Figures for papers and slides: SVG, PDF or PNG, in the colours of the page, with worded axes and printed limits.

They are drawn with matplotlib, which the extra `figures` brings. The same trace gives the same SVG, byte for byte.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.lens.explanation import explanation
from regard.lens.gravity import Gravity
from regard.replacing import replacing
from regard.suggestions import NotFound, suggestion
from regard.trace import Trace
from regard.trace.expected import one_trace
from regard.vectors.map2d import Map2D
from regard.views.focus import Focus

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

# what can be drawn → which function of views/plots.py draws it
KINDS = {
    "weights": "who reads whom in one head",
    "row": "how much one word reads each other word",
    "heads": "the weights of all heads, small",
    "vectors": "one word's query among the keys, and its weighted values as they add up",
    "planes": "the space where words are matched, and the space of what they pass on",
    "gravity": "where the sentence moves one word, and which words pulled",
    "logits": "the likeliest next words",
    "lens": "the likeliest next words after each layer (logit lens)",
    "flow": "what every word and head carried to the prediction",
    "blame": "how the loss would change with every score of a head",
}
FORMATS = ("svg", "pdf", "png")
MISSING = "figures are drawn with matplotlib, which is not installed here; pip install 'regard[figures]' brings it"
STYLE = {
    "font.family": ["DejaVu Sans", "sans-serif"],  # it comes with matplotlib, so that every machine draws the same
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "axes.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "text.parse_math": False,  # a token such as $x_1$ is a token
    "svg.fonttype": "none",  # words stay words: they can be searched, and any script can be shown
    "svg.hashsalt": "regard",
    "pdf.fonttype": 42,
    "savefig.dpi": 300,
    "savefig.bbox": "tight",
    "savefig.pad_inches": 0.06,
}


def figure(
    trace: Trace,
    what: str = "weights",
    layer: int | None = None,
    head: int | None = None,
    query: str | int | None = None,
) -> "Figure":
    """One figure of a run, as matplotlib's Figure. Without a layer and a head: those that move the prediction most.

    `query` is a word of the text or its position; without it, the word that predicts.

    >>> import regard
    >>> drawn = figure(regard.explain("The quick brown fox"), "row")  # doctest: +SKIP
    """
    one_trace(trace)
    if what not in KINDS:
        raise NotFound(f"no figure {what!r}; {suggestion(what, KINDS)}")
    matplotlib = _matplotlib()
    draw: Callable[[Any, Trace, Focus], None] = getattr(import_module("regard.views.plots"), what)
    focus = _focus(trace, layer, head, query)
    with matplotlib.rc_context(STYLE):
        drawn = import_module("regard.views.plots").NotebookFigure(layout="constrained")
        draw(drawn, trace, focus)
        if trace.edits:
            told = f"{len(trace.edits)} {'edit' if len(trace.edits) == 1 else 'edits'}: not the model's own numbers"
            drawn.text(1, 0, told, ha="right", va="top", fontsize=6.5)
    return drawn


def gravity_figure(found: Gravity) -> "Figure":
    """Where one to three sentences move a word, side by side in one plane."""
    matplotlib = _matplotlib()
    plots = import_module("regard.views.plots")
    with matplotlib.rc_context(STYLE):
        drawn = plots.NotebookFigure(layout="constrained")
        plots.sentences(drawn, found)
    return drawn


def map_figure(found: Map2D, arrows: Sequence[tuple[str, str]] = ()) -> "Figure":
    """Words where they stand in a plane, and arrows between some of them."""
    matplotlib = _matplotlib()
    plots = import_module("regard.views.plots")
    with matplotlib.rc_context(STYLE):
        drawn = plots.NotebookFigure(layout="constrained")
        plots.words(drawn, found, arrows)
    return drawn


def maps_figure(pictures: Mapping[int, "np.ndarray"]) -> "Figure":
    """Every head of some layers, each as a picture (heads, height, width)."""
    matplotlib = _matplotlib()
    plots = import_module("regard.views.plots")
    with matplotlib.rc_context(STYLE):
        drawn = plots.NotebookFigure(layout="constrained")
        plots.maps(drawn, pictures)
    return drawn


def save(drawn: "Figure", path: str | Path) -> list[str]:
    """Write a figure; the ending of its name says as what. Gives what the reader should know about it."""
    path = Path(path)
    kind = path.suffix.lstrip(".").lower()
    if kind not in FORMATS:
        raise ValueError(f"{path.name} should end with one of {', '.join(f'.{name}' for name in FORMATS)}")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with replacing(path) as file:
            write(drawn, file, kind)
    if kind != "svg" and any("missing from font" in str(one.message) for one in said):
        return ["some signs of the text have no shape in the figure's font; an .svg keeps them as text"]
    return []


def write(drawn: "Figure", to: Any, kind: str) -> None:
    """In our style, and without a date: the same figure, the same bytes."""
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    with _matplotlib().rc_context(STYLE):
        drawn.savefig(to, format=kind, metadata=undated)


def _matplotlib() -> Any:
    try:
        return import_module("matplotlib")
    except ImportError:
        raise ValueError(MISSING) from None


def _focus(trace: Trace, layer: int | None, head: int | None, query: str | int | None) -> Focus:
    """The place that is asked for, or the one that the explanation shows."""
    found = explanation(trace, check=False, leave_out=0, layer=layer, head=head)
    number = int(found.layer.removeprefix("layer"))
    queries = trace.step(f"{found.layer}.weights").shape[1]
    row = found.query if query is None else trace.labels.position("Q", queries, str(query))
    return Focus(number, found.component.head or 0, row, found)

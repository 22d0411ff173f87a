"""A flow on screen: what each word carried, the strongest readings on the way, and what was held."""

from typing import Any

from rich.text import Text

from regard.lens.flow import Flow
from regard.lens.looking import Looks
from regard.trace import Cell, Trace
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, Ink
from regard.views.layout import wrapped

BAR = 24
MOST_BIASES = 6


def flow_lines(flow: Flow, ink: Ink, most: int) -> list[Text]:
    """Words with bars, biases, the strongest edges; the words and biases together are the margin."""
    title = (f"   logit({flow.first}) − logit({flow.second}) = ", ink.signed(flow.margin, 4), "   ")
    whence = ("where it came from, exactly", QUIET)
    lines = [*wrapped(Text.assemble(("FLOW", STAGE), *title, whence), 0, ink), Text("")]
    lines += _words(flow, ink)
    strongest = Text.assemble(("strongest readings", STAGE), ("   head, what it read where, what that carried", QUIET))
    lines += [Text(""), *wrapped(strongest, 0, ink)]
    lines += _edges(flow, ink, most)
    said = (
        f"held as they were: {flow.held}. So this is what was carried, not what would happen if a word were not read."
    )
    return [*lines, Text(""), *wrapped(said, 8, ink, QUIET)]


def _words(flow: Flow, ink: Ink) -> list[Text]:
    labels, trace = flow.trace.labels, flow.trace
    names = [labels.shown("T", i) for i in range(len(flow.words))]
    words = _cells(trace, "flow.words")
    largest = max((abs(cell.value) for cell in words), default=0.0) or 1.0
    carried = [_row(word, cell, largest, ink) for word, cell in zip(names, words)]
    biases = sorted(flow.biases.items(), key=lambda item: -abs(item[1].value))
    carried += [_row(name, cell, largest, ink) for name, cell in biases[:MOST_BIASES]]
    hidden = len(biases) - MOST_BIASES
    if hidden > 0:
        carried.append(_row(f"{hidden} more biases", trace.cell(f"flow.biases.rest{MOST_BIASES}"), largest, ink))
    blank = [""] * (len(carried) - len(names))
    columns = [
        Column("word", [row[0] for row in carried], left=True),
        Column("carried", [row[1] for row in carried], ink.signed(trace.cell("flow.sum"), 4)),
        Column("", [row[2] for row in carried], "= the difference of the logits", left=True, least=BAR, drop=1),
    ]
    if len(flow.apart) > 1:
        for name in flow.apart:
            each = (ink.signed(cell, 4) for cell in _cells(trace, f"flow.{name}"))
            columns.append(Column(name, [*each, *blank], drop=2))
    return table(columns, ink, indent=8)


def _cells(trace: Trace, name: str) -> list[Cell]:
    step = trace.step(name)
    return [Cell(step, (place,)) for place in range(step.shape[0])]


def _row(name: str, cell: Cell, largest: float, ink: Ink) -> tuple[str, Text, str]:
    bar = ink.bar(abs(cell.value) / largest, BAR)
    return name, ink.signed(cell, 4), f"{'-' if cell.value < 0 and bar else ' '}{bar}"


def _edges(flow: Flow, ink: Ink, most: int) -> list[Text]:
    edges, labels = flow.top(most), flow.trace.labels
    columns = [
        Column("head", [f"{edge.layer}.head{edge.head}" for edge in edges], left=True),
        Column("read", [labels.shown("K", edge.source) for edge in edges], left=True),
        Column("at", [labels.shown("Q", edge.to) for edge in edges], left=True),
        Column("weight", [ink.number(edge.weight, 3) for edge in edges]),
        Column("carried", [ink.signed(edge.flow, 4) for edge in edges]),
    ]
    return table(columns, ink, indent=8) if edges else [Text("        no head carried anything", style=QUIET)]


def check_lines(flow: Flow, most: int, ink: Ink) -> list[Text]:
    """The strongest edges cut one by one, beside what flow and other ways expected."""
    check = flow.check(most)
    columns = [
        Column("edge", [edge.name for edge in check.edges], "correlation with what is lost", left=True),
        Column("lost when cut", [ink.signed(edge.lost, 4) for edge in check.edges]),
    ]
    for place, (name, expected) in enumerate(check.expected.items()):
        correlation = check.correlation[name]
        total = "–" if correlation is None else f"{correlation:.3f}"
        opens = [ink.signed(cell, 4) for cell in check.cells.get(name, ())]
        shown = opens or [f"{value:+.4f}" for value in expected]
        columns.append(Column(name, shown, total, drop=len(check.expected) - place if place else 0))
    title = Text.assemble(("CHECK", STAGE), ("   each weight set to 0 by itself, and the model run again", QUIET))
    return [*wrapped(title, 0, ink), *table(columns, ink, indent=8)]


def looks_lines(looks: Looks, trace: Trace, ink: Ink, most: int) -> list[Text]:
    """The strongest pairs of a score; all pairs together are the score."""
    pairs = looks.top(most)
    hidden = looks.products.size - len(pairs)
    columns = [
        Column("of the query", [*(pair.query for pair in pairs), f"{hidden} more pairs"], left=True),
        Column("of the key", [*(pair.key for pair in pairs), ""], left=True),
        Column("adds", [*(ink.signed(pair.cell, 4) for pair in pairs), ink.signed(looks.rest(pairs), 4)],
               ink.signed(looks.score, 4)),
    ]  # fmt: skip
    title = (f"   {trace.name_of(looks.score)} = ", ink.signed(looks.score, 4))
    said = wrapped(f"held as they were: {looks.held}", 8, ink, QUIET)
    return [Text.assemble(("LOOKS", STAGE), *title), *table(columns, ink, indent=8), *said]


def flow_data(flow: Flow, most: int) -> dict[str, Any]:
    """For --json: the same numbers, with their addresses."""
    trace = flow.trace
    return {
        "first": flow.first,
        "second": flow.second,
        "margin": flow.margin.value,
        "held": flow.held,
        "tokens": list(trace.labels.words["T"]),
        "words": flow.words.value.tolist(),
        "apart": {name: part.value.tolist() for name, part in flow.apart.items()},
        "biases": {name: cell.value for name, cell in flow.biases.items()},
        "edges": [
            {
                "cell": trace.address_of(edge.flow),
                "layer": edge.layer,
                "head": edge.head,
                "to": edge.to,
                "from": edge.source,
                "weight": edge.weight.value,
                "flow": edge.flow.value,
            }
            for edge in flow.top(most)
        ],
    }

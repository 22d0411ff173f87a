"""A flow on screen: what each word carried, the strongest readings on the way, and what was held."""

from typing import Any

from rich.text import Text

from regard.lens.flow import Flow
from regard.lens.looking import Looks
from regard.trace import Trace
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, Ink
from regard.views.layout import wrapped

BAR = 24
MOST_BIASES = 6


def flow_lines(flow: Flow, ink: Ink, most: int) -> list[Text]:
    """Words with bars, biases, the strongest edges; the words and biases together are the margin."""
    title = f"logit({flow.first}) − logit({flow.second}) = {ink.signed(flow.margin.value, 4)}"
    lines = [Text.assemble(("FLOW", STAGE), f"   {title}   ", ("where it came from, exactly", QUIET)), Text("")]
    lines += _words(flow, ink)
    lines += [
        Text(""),
        Text.assemble(("strongest readings", STAGE), ("   head, what it read where, what that carried", QUIET)),
    ]
    lines += _edges(flow, ink, most)
    said = (
        f"held as they were: {flow.held}. So this is what was carried, not what would happen if a word were not read."
    )
    return [*lines, Text(""), *(Text(line.plain, style=QUIET) for line in wrapped(said, 8, ink))]


def _words(flow: Flow, ink: Ink) -> list[Text]:
    labels, apart = flow.trace.labels, flow.apart
    names = [labels.shown("T", i) for i in range(len(flow.words))]
    values = [float(v) for v in flow.words.value]
    largest = max((abs(v) for v in values), default=0.0) or 1.0
    carried = [_row(word, value, largest, ink) for word, value in zip(names, values)]
    biases = sorted(flow.biases.items(), key=lambda item: -abs(item[1].value))
    shown, rest = biases[:MOST_BIASES], biases[MOST_BIASES:]
    carried += [_row(name, cell.value, largest, ink) for name, cell in shown]
    if rest:
        carried.append(_row(f"{len(rest)} more biases", sum(cell.value for _, cell in rest), largest, ink))
    blank = [""] * (len(carried) - len(names))
    columns = [
        Column("word", [row[0] for row in carried], left=True),
        Column("carried", [row[1] for row in carried], ink.signed(flow.trace["flow.sum"], 4)),
        Column("", [row[2] for row in carried], "= the difference of the logits", left=True, least=BAR, drop=1),
    ]
    if len(apart) > 1:
        for name, part in apart.items():
            columns.append(Column(name, [*(ink.signed(float(v), 4) for v in part.value), *blank], drop=2))
    return table(columns, ink.width, indent=8)


def _row(name: str, value: float, largest: float, ink: Ink) -> tuple[str, str, str]:
    bar = ink.bar(abs(value) / largest, BAR)
    return name, ink.signed(value, 4), f"{'-' if value < 0 and bar else ' '}{bar}"


def _edges(flow: Flow, ink: Ink, most: int) -> list[Text]:
    edges, labels = flow.top(most), flow.trace.labels
    columns = [
        Column("head", [f"{edge.layer}.head{edge.head}" for edge in edges], left=True),
        Column("read", [labels.shown("K", edge.source) for edge in edges], left=True),
        Column("at", [labels.shown("Q", edge.to) for edge in edges], left=True),
        Column("weight", [ink.number(edge.weight.value, 3) for edge in edges]),
        Column("carried", [ink.signed(edge.flow.value, 4) for edge in edges]),
    ]
    return table(columns, ink.width, indent=8) if edges else [Text("        no head carried anything", style=QUIET)]


def check_lines(flow: Flow, most: int, ink: Ink) -> list[Text]:
    """The strongest edges cut one by one, beside what flow and other ways expected."""
    check = flow.check(most)
    columns = [
        Column("edge", [edge.name for edge in check.edges], "correlation with what is lost", left=True),
        Column("lost when cut", [ink.signed(value, 4) for value in check.lost]),
    ]
    for name, expected in check.expected.items():
        correlation = check.correlation[name]
        total = "–" if correlation is None else ink.number(correlation, 3)
        columns.append(Column(name, [ink.signed(float(value), 4) for value in expected], total))
    title = Text.assemble(("CHECK", STAGE), ("   each weight set to 0 by itself, and the model run again", QUIET))
    return [title, *table(columns, ink.width, indent=8)]


def looks_lines(looks: Looks, trace: Trace, ink: Ink, most: int) -> list[Text]:
    """The strongest pairs of a score; all pairs together are the score."""
    pairs = looks.top(most)
    rest = looks.score.value - sum(pair.cell.value for pair in pairs)
    hidden = looks.products.size - len(pairs)
    columns = [
        Column("of the query", [*(pair.query for pair in pairs), f"{hidden} more pairs"], left=True),
        Column("of the key", [*(pair.key for pair in pairs), ""], left=True),
        Column("adds", [*(ink.signed(pair.cell.value, 4) for pair in pairs), ink.signed(rest, 4)],
               ink.signed(looks.score.value, 4)),
    ]  # fmt: skip
    title = f"   {trace.name_of(looks.score)} = {ink.signed(looks.score.value, 4)}"
    said = [Text(line.plain, style=QUIET) for line in wrapped(f"held as they were: {looks.held}", 8, ink)]
    return [Text.assemble(("LOOKS", STAGE), title), *table(columns, ink.width, indent=8), *said]


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

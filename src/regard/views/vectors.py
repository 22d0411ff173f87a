"""Word vectors on screen: what they answer, how they agree with people, where they stand in a plane."""

from collections.abc import Sequence

from rich.text import Text

from regard.vectors.evaluation import Agreement, Answered
from regard.vectors.map2d import Map2D
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, Ink, shown
from regard.views.layout import shortened, wrapped

ANSWERS = {
    "answered": "b − a + c",
    "with_inputs": "a, b, c allowed",
    "nearest_to_c": "nearest to c alone",
}


def answered_lines(found: Answered, ink: Ink) -> list[Text]:
    """One line per category: how many questions, how many the words cover, and the share answered in three ways."""
    rows = range(len(found.categories))
    columns = [
        Column("category", [shortened(category) for category in found.categories], "all", left=True),
        Column("asked", [_count(found, "asked", i) for i in rows], _total(found, "asked"), drop=1),
        Column("covered", [_count(found, "covered", i) for i in rows], _total(found, "covered")),
    ]
    for name, said in ANSWERS.items():
        shares = [shown(cell := found.number(f"{name}.share", i), f"{cell.value:.1%}") for i in rows]
        whole = found.total(f"{name}.share")
        columns.append(Column(said, shares, shown(whole, f"{whole.value:.1%}"), drop=2 if name != "answered" else 0))
    told = (
        "a : b :: c : ?  The answer is the word nearest to b − a + c, without a, b and c; shares are of those covered. "
        "--why answered.share.all opens a number."
    )
    return [Text.assemble((found.name.upper(), STAGE)), *table(columns, ink, 2), *wrapped(told, 2, ink, QUIET)]


def _count(found: Answered, name: str, category: int) -> Text:
    cell = found.number(name, category)
    return shown(cell, f"{cell.value:,.0f}")


def _total(found: Answered, name: str) -> Text:
    cell = found.total(name)
    return shown(cell, f"{cell.value:,.0f}")


def agreement_lines(found: Sequence[Agreement], ink: Ink) -> list[Text]:
    columns = [
        Column("ratings", [one.name for one in found], left=True),
        Column("pairs", [shown(one.asked, f"{one.asked.value:,.0f}") for one in found]),
        Column("covered", [shown(one.covered, f"{one.covered.value:,.0f}") for one in found]),
        Column("Spearman's ρ", [ink.number(one.agreement, 3) for one in found]),
    ]
    told = "ρ is how well the order of the cosines agrees with the order of people's ratings: 1 is the same order. "
    told += "--why agreement opens it."
    return [Text("RATED PAIRS", style=STAGE), *table(columns, ink, 2), *wrapped(told, 2, ink, QUIET)]


def map_lines(found: Map2D, ink: Ink) -> list[Text]:
    """The places as numbers; a figure shows them better."""
    cells = [found.cells(i) for i in range(len(found.words))]
    columns = [
        Column("word", [shortened(word) for word in found.words], left=True),
        Column(found.axes[0], [ink.number(across, 3) for across, _ in cells]),
        Column(found.axes[1], [ink.number(up, 3) for _, up in cells]),
    ]
    title = Text.assemble(("MAP", STAGE), f"   {len(cells):,} words of {found.trace.info['title']}")
    told = f"{found.says}; -o map.svg draws it"
    return [title, *table(columns, ink, 2), *wrapped(told, 2, ink, QUIET)]

"""Who reads whom on screen: a line for each head, the one that reads most first."""

from collections.abc import Sequence

from rich.text import Text

from regard.lens.naming import NamedHead
from regard.lens.who_reads import Readings
from regard.session.command_line import options_of
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, WEIGHT, Ink
from regard.views.layout import command_lines, wrapped


def ranking(found: Readings, ink: Ink, most: int) -> list[Text]:
    """Head, word, weight, what an average word gets, what other words give to the same word."""
    shown = found.heads[:most]
    others = [Text("–") if each.others is None else ink.number(each.others, 3) for each in shown]
    columns = [
        Column("head", [f"layer {each.layer} head {each.head}" for each in shown], left=True),
        *([] if found.read else [Column("reads", [each.word for each in shown], left=True)]),
        Column("weight", [ink.number(each.weight, 3) for each in shown], style=WEIGHT),
        Column("", [ink.bar(each.weight.value, 24) for each in shown], style=WEIGHT, left=True, least=24, drop=1),
        Column("an average word", [ink.number(each.average, 3) for each in shown]),
        Column("from other words", others, drop=2),
    ]
    return table(columns, ink, 2)


def heads_lines(found: Readings, ink: Ink, most: int) -> list[Text]:
    whom = f'"{found.read}"' if found.read else "most"
    title = Text.assemble(("HEADS", STAGE), f'   "{found.reader}" reads {whom}', (_counted(found, most), QUIET))
    best = found.heads[0]
    names = [found.trace.name_of(cell) for cell in (best.weight, best.average)]
    options = options_of(found.trace)
    opens = [] if options is None else command_lines("opens", ["regard", "why", names[0], *options], ink)
    also = f"regard why opens each of these: {names[0]}, {names[1]}"
    hidden = f'every weight is 0: {whom} is hidden from "{found.reader}", as later words are where a model looks back'
    unread = [] if any(each.weight.value for each in found.heads) else wrapped(hidden, 2, ink)
    return [title, *ranking(found, ink, most), *unread, *wrapped(also, 2, ink, QUIET), *opens]


def _counted(found: Readings, most: int) -> str:
    return f"   the first {most} of {len(found.heads)} heads" if len(found.heads) > most else ""


def names_lines(heads: Sequence[NamedHead], ink: Ink, most: int | None) -> list[Text]:
    """Head, what it is called, the share it gives, what an even reader would, and where that was seen."""
    found = [head for head in heads if head.best is not None]
    shown = found[:most]
    best = [head.best for head in shown if head.best is not None]
    columns = [
        Column("head", [f"layer {head.layer} head {head.head}" for head in shown], left=True),
        Column("name", [one.name if one.sure else f"{one.name}? unsure" for one in best], left=True),
        Column("score", [ink.number(one.share, 3) for one in best], style=WEIGHT),
        Column("", [ink.bar(one.share.value, 16) for one in best], style=WEIGHT, left=True, least=16, drop=1),
        Column("baseline", [ink.number(one.evenly, 3) for one in best]),
        Column("seen in", [one.where for one in best], left=True, drop=2),
        Column("it", [one.detector.says for one in best], left=True, drop=3),
    ]
    named = sum(head.name is not None for head in heads)
    title = Text.assemble(("HEADS", STAGE), f"   {named} of {len(heads)} have a name")
    if not shown:
        return [title, *wrapped("no detector is sure of any head here; a longer text says more", 2, ink, QUIET)]
    others = len(heads) - len(found)
    said = "baseline: a head that reads all it may see alike; unsure is no name"
    said += f"; {others} more heads have no habit that is known here" if others else ""
    return [title, *table(columns, ink, 2), *wrapped(said, 2, ink, QUIET)]

"""`regard lesson`: the worked examples, with what the documents claim beside what is computed."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.options import Json, Plain

if TYPE_CHECKING:
    from regard.lessons.claim import Checked


def told(claim: "Checked") -> dict[str, Any]:
    """A claim with its document's title, which is all that a reader knows the document by."""
    from regard.session.answers import claim_data

    data = claim_data(claim)
    return data | {"document": data.pop("title")}


def command(
    name: Annotated[str | None, typer.Argument(help="A lesson such as fox; without it, the list.")] = None,
    claims: Annotated[bool, typer.Option("--claims", help="Show every claim, also the right ones.")] = False,
    cards: Annotated[bool, typer.Option("--cards", help="Its questions, answers, and what mistakes give.")] = False,
    turn: Annotated[int | None, typer.Option(help="Turn its knob, such as d_k in root.")] = None,
    why: Annotated[str | None, typer.Option(help="Open one of its numbers: 'E.grad[king,0]'.", metavar="CELL")] = None,
    depth: Annotated[int, typer.Option(help="Levels to open, with --why.", min=1, max=50)] = 1,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """List the lessons, or show one."""
    from regard.cli.output import ink_for, width_here, write, write_json
    from regard.lessons import LESSONS, lesson
    from regard.views import lessons as view

    asked = {"--claims": claims, "--cards": cards, "--turn": turn is not None, "--why": why is not None}
    option = next((option for option, given in asked.items() if given), None)
    if name is None and option:
        missing = f"{option} is about one lesson; name it: regard lesson NAME {option}"
        raise ValueError(f"{missing}; there are {', '.join(LESSONS)}")
    if name is None and json:
        from regard.session.worked import described

        write_json([described(lesson(each)) for each in LESSONS])
        return
    if name is None:
        write(view.listing([lesson(each) for each in LESSONS], ink_for(None, plain)), plain)
        return
    found = lesson(name)
    if why is not None:
        from regard.views.why import why_lines

        write(why_lines(found.make(), why, depth, "text", 4, width_here()), plain)
        return
    if json:
        write_json([card.data() for card in found.ask()] if cards else [told(claim) for claim in found.check()])
        return
    if cards:
        write(view.cards(found, ink_for(None, plain)), plain)
        return
    if turn is not None:
        if found.knob is None:
            with_knob = ", ".join(each for each in LESSONS if lesson(each).knob)
            raise ValueError(f"the lesson {name} has no knob to turn; these have one: {with_knob}")
        write(view.turned(found, found.knob, turn, ink_for(None, plain)), plain)
        return
    write(view.screen(found, ink_for(None, plain), claims), plain)

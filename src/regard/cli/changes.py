"""--edit, --move and --hide: what is done to a run before it is shown, in the order in which it was written."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from regard.session.changes import Change

EditOption = Annotated[
    list[str] | None, typer.Option("--edit", help="Set a number first: 'weights[fox,fox]=0.2'. May be repeated.")
]
MoveOption = Annotated[
    list[str] | None, typer.Option("--move", help="Drag a share first; the others of its row rescale.")
]
HideOption = Annotated[
    list[str] | None, typer.Option("--hide", help="Hide a word first: nobody may read it. May be repeated.")
]
ORDER = "regard.order"


class InOrder(TyperCommand):
    """A command that remembers in which order its options came; by itself each option only knows its own values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[ORDER] = [option.name for option in order]
        return super().parse_args(ctx, args)


def in_order(
    context: typer.Context, edit: list[str] | None, move: list[str] | None, hide: list[str] | None
) -> "list[Change]":
    """The changes that the options ask for, as they stand on the command line."""
    given = {"edit": iter(edit or ()), "move": iter(move or ()), "hide": iter(hide or ())}
    return list(_changes((name, next(given[name])) for name in context.meta[ORDER] if name in given))


def _changes(written: Iterator[tuple[str, str]]) -> "Iterator[Change]":
    for kind, value in written:
        # here, not above: without a change nothing of this is needed, and it takes as long to import as NumPy
        from regard.session.changes import change_from

        yield change_from(kind, **({"word": value} if kind == "hide" else _cell_and_value(value)))


def _cell_and_value(written: str) -> dict[str, Any]:
    from regard.trace.edits import checked_number

    cell, sign, value = written.rpartition("=")
    if not sign:
        raise ValueError(f"cannot read the change {written!r}; write it like weights[fox,fox]=0.2")
    try:
        number = float(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a number; write the change like weights[fox,fox]=0.2") from None
    return {"cell": cell.strip(), "value": checked_number(number)}

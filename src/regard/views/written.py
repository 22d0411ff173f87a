"""Words that a model wrote, one line for each: what it chose, what it might have said, and where it looked."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from regard.lens.prediction import Prediction
from regard.views.ink import QUIET, STAGE, Ink


def written_lines(text: str, predictions: Sequence[Prediction], ink: Ink) -> list[Text]:
    """The text, and each word that was added to it."""
    lines = [Text.assemble(("writes  ", QUIET), (text, "bold")), Text("")]
    width = max(cell_len(g.word) for g in predictions)
    other = max(cell_len(g.rival) for g in predictions)
    for number, g in enumerate(predictions, 1):
        lines.append(
            Text.assemble(
                (f"{number:>3}  ", QUIET),
                (g.word + " " * (width - cell_len(g.word)), STAGE),
                "  ",
                ink.number(g.probability, 3),
                ("   rather than ", QUIET),
                g.rival + " " * (other - cell_len(g.rival)),
                "  ",
                ink.number(g.rival_probability, 3),
                (f"   {g.head} reads ", QUIET),
                f'"{g.reads}" ',
                ink.number(g.weight, 2),
            )
        )
    return [*lines, Text(""), Text(f"the last of them, number {len(predictions)}, explained:", style=QUIET), Text("")]

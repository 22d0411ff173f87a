"""Makes the pictures of the README and the docs from real runs, so that they stay true.

make pictures
"""

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

import regard
from regard.lessons.claims_of_run import claims_beside
from regard.views.figure import figure, write
from regard.views.ink import Ink
from regard.views.terminal import screen

HERE = Path(__file__).parents[1] / "docs" / "pictures"
# the stock template loads a font from the network; a picture must not
SVG = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.S).replace(
    "Fira Code", "Fira Code, Menlo, DejaVu Sans Mono"
)


def picture(lines: list[Text], title: str) -> str:
    """The lines as a terminal would show them, as SVG."""
    console = Console(record=True, width=120, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(line, soft_wrap=True, markup=False)
    return console.export_svg(title=title, code_format=SVG, unique_id="regard")


def pictures() -> dict[str, str]:
    trace = regard.explain("The quick brown fox", next="jumps")
    lines = screen(regard.explanation(trace), Ink(), claims_beside(trace))
    return {"fox.svg": picture(lines, 'regard explain "The quick brown fox" --next jumps'), "flow.svg": flow()}


def flow() -> str:
    """What carried a prediction of the English model."""
    trace = regard.explain("Once upon a time there was a little", model="english")
    written = io.BytesIO()
    write(figure(trace, "flow"), written, "svg")
    return written.getvalue().decode()


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (HERE / name).write_text(svg, encoding="utf-8")
        print(f"docs/pictures/{name}  {len(svg) / 1000:.0f} kB")


if __name__ == "__main__":
    main()

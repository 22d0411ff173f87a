"""Colours, signs and number formats of the terminal: the same roles look the same everywhere.

Role colours are from the Okabe-Ito palette, which colour-blind readers can tell apart; letters carry the meaning too.
"""

from dataclasses import dataclass

from regard.ops.notation import format_in_column

Q, K, V, WEIGHT = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
STAGE, QUIET, GOOD, BAD = "bold", "dim", "#009E73", "#D55E00"


@dataclass(frozen=True)
class Ink:
    """How wide, how many digits, and whether only plain signs may be used."""

    width: int = 120
    digits: int | None = None
    plain: bool = False

    def number(self, value: float, digits: int) -> str:
        return format_in_column(value, self.digits if self.digits is not None else digits)

    def signed(self, value: float, digits: int) -> str:
        written = self.number(value, digits)
        return written if written.startswith("-") else f"+{written}"

    def vector(self, values: list[float], digits: int, most: int = 4) -> str:
        shown = " ".join(self.number(v, digits) for v in values[:most])
        return shown if len(values) <= most else f"{shown} … {len(values) - most} more"

    def bar(self, share: float, width: int) -> str:
        """A bar for a share of 1; the smallest share above nothing still shows."""
        cells = max(0.0, min(1.0, share)) * width
        if self.plain:
            return "#" * max(round(cells), int(share > 0))
        full = int(cells)
        part = "▏▎▍▌▋▊▉"[int((cells - full) * 8) - 1] if int((cells - full) * 8) else ""
        return "█" * full + part or ("▏" if share > 0 else "")

    def sign(self, name: str) -> str:
        return SIGNS[name][1 if self.plain else 0]


SIGNS = {
    "here": ("◄", "<-"),
    "right": ("✓", "ok"),
    "wrong": ("✗", "WRONG"),
    "more": ("▲", "more by "),
    "less": ("▼", "less by "),
    "bullet": ("•", "*"),
    "to": ("→", "->"),
}

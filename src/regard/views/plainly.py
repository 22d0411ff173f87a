"""What stands for our signs where they cannot be written: on an ASCII terminal, in a pipe with a small encoding.

>>> "√2 · 3 → naïve".encode("ascii", HANDLER).decode()
'sqrt 2 * 3 -> na\\\\xefve'
"""

import codecs

PLAIN = {
    "→": "->", "←": "<-", "⇄": "<->", "↓": "v", "·": "*", "⋅": "*", "⊙": "*", "√": "sqrt ", "−": "-", "–": "-",
    "—": "-", "×": "x", "÷": "/", "‖": "|", "│": "|", "─": "-", "━": "-", "╸": "-", "╺": "-", "α": "a", "Δ": "d",
    "∂": "d", "σ": "sigma", "π": "pi", "Σ": "sum ", "∑": "sum ", "ᵀ": ".T", "…": "...", "∞": "inf", "“": '"',
    "”": '"', "‘": "'", "’": "'", "✓": "ok", "✗": "WRONG", "≈": "~", "≡": "==", "≠": "!=", "≤": "<=", "≥": ">=",
    "±": "+-", "⟨": "<", "⟩": ">", "␣": "_", "↵": "\\n", "⇥": "\\t", "␍": "\\r", "◄": "<-", "▲": "more by ",
    "▼": "less by ", "•": "*", "█": "#", "½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "°": " degrees",
    "⁻": "^-", "ˣ": "^x", "ᶻ": "^z", "\u00a0": " ",
    **dict.fromkeys("▏▎▍▌▋▊▉", "#"),
    **{sign: f"^{digit}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}  # fmt: skip
PLAINLY = str.maketrans(PLAIN)
HANDLER = "regard.plainly"


def _written(error: UnicodeError) -> tuple[str, int]:
    """Our signs plainly, and words that an encoding has no letters for as Python escapes them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    shown = (PLAIN.get(c) or c.encode("unicode_escape").decode("ascii") for c in characters)
    return "".join(shown), error.end


codecs.register_error(HANDLER, _written)


def can_write_signs(encoding: str | None) -> bool:
    """Whether our signs can be written as they are.

    >>> can_write_signs("utf-8"), can_write_signs("ascii"), can_write_signs("latin-1")
    (True, False, False)
    """
    try:
        "√→▲█✓".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True

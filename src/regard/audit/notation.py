"""One spelling for many: LaTeX, typographic signs and Markdown emphasis become plain operators.

`$\\frac{2}{\\sqrt{4}} \\approx 1$` becomes `(2)/(sqrt(4)) ≈ 1`. Every rule here is one replacement or one walk over
the text, so a hostile page costs no more than its length.
"""

import re

from regard.audit.phrases import in_signs

SIGNS = str.maketrans(
    {
        "−": "-", "﹣": "-", "－": "-", "⋅": "·", "∙": "·", "∗": "*", "⁎": "*", "⨉": "×", "✕": "×", "✖": "×",
        "÷": "/", "∕": "/", "⁄": "/", "⟶": "→", "➜": "→", "➔": "→", "⇒": "→", "⟹": "→", "⇨": "→", "≅": "≈", "≃": "≈",
        "∼": "~", "≒": "≈", "⟨": "[", "⟩": "]", "［": "[", "］": "]", "＝": "=", "＋": "+", "∥": "‖", "’": "'",
        "∞": "inf", "ᵀ": "\ue000", "⊤": "\ue000", "％": "%",
    }
)  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
SUPERSCRIPT = re.compile(r"[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
HALVES = {"½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)", "⅓": "(1/3)", "⅔": "(2/3)"}
# Only one side of these touches a word, so they are emphasis and not a power or a product.
OPENING_EMPHASIS = re.compile(r"(?<![\w)\]*])(\*{1,3}|_{2})(?=[^\s*_])")
CLOSING_EMPHASIS = re.compile(r"(?<=[^\s*_])(\*{1,3}|_{2})(?!\s*[\d.\[(√]|[\w*-])")
BULLET = re.compile(r"^\s*(?:>\s*)*(?:[-*+•–]\s+|\(?\d{1,3}[.)]\s+|\(?[a-zA-Z][.)]\s+|#{1,6}\s+)?(?:\[[ xX]\]\s+)?")
ADDRESS = re.compile(r"(?:https?|ftp|file)://[^\s)>\]]+|www\.[^\s)>\]]+|\]\([^)\s]*\)|[?&][\w.-]+=[^\s&]*")
TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,500}>|&(?:nbsp|amp|lt|gt|ensp|emsp|thinsp);|<!--|-->(?=\s*$)")

COMMANDS = {
    "cdot": "·", "times": "×", "ast": "*", "div": "/", "approx": "≈", "simeq": "≈", "cong": "≈", "sim": "~",
    "to": "→", "rightarrow": "→", "Rightarrow": "→", "longrightarrow": "→", "implies": "→", "dots": "…", "ldots": "…",
    "cdots": "…", "left": "", "right": "", "big": "", "Big": "", "bigl": "", "bigr": "", "Bigl": "", "Bigr": "",
    "quad": " ", "qquad": " ", "displaystyle": "", "limits": "", "pi": "π", "alpha": "α", "sigma": "σ", "top": "\ue000",
    "lVert": "‖", "rVert": "‖", "Vert": "‖", "langle": "[", "rangle": "]", "lbrack": "[", "rbrack": "]",
    "lparen": "(", "rparen": ")", "odot": "⊙", "pm": "±", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠",
    "ne": "≠", "equiv": "≡", "sum": "∑", "intercal": "\ue000", "exp": " exp", "ln": " ln", "log": " log",
    "tanh": " tanh",
    "max": " max", "min": " min", "sin": " sin", "cos": " cos", "infty": "inf",
}  # fmt: skip
TEXT_COMMANDS = {
    "text", "mathrm", "mathbf", "mathit", "mathsf", "mathcal", "textbf", "textit", "texttt", "operatorname",
    "boldsymbol", "bm", "vec", "hat", "underline", "mbox", "boxed", "bar",
}  # fmt: skip
MATRIX = re.compile(r"\\begin\{([pbBvV]?matrix|smallmatrix|array)\}(?:\{[lcr|]*\})?(.{0,2000}?)\\end\{\1\}", re.DOTALL)
MOST_BRACES = 150
NORM = re.compile(r"(‖|\|\|)([^‖|]{1,400})\1")


def plain(text: str, *, code: bool = False) -> str:
    """A line with one spelling for every sign, and without what only decorates it.

    >>> plain("- **0.5** × `2` = **1.0**").split()
    ['0.5', '×', '2', '=', '1.0']
    >>> plain(r"$\\frac{2}{\\sqrt{4}} \\approx 1$").strip()
    '(2)/(sqrt(4)) ≈ 1'
    """
    if not code:
        text = without_decoration(text)
    if "\\" in text or ("$" in text and "{" in text):
        if text.count("{") > MOST_BRACES:  # fractions in fractions in fractions: no worked example
            return ""
        text = without_latex(text)
    text = text.translate(SIGNS).replace("$", " ").replace("`", " ")
    if "‖" in text or "||" in text:
        text = NORM.sub(r" norm(\2)", text)
    if not text.isascii():
        text = text.replace("°)", ")")
        text = SUPERSCRIPT.sub(lambda found: f"^({found[0].translate(SUPERSCRIPTS)})", text)
        for sign, fraction in HALVES.items():
            text = text.replace(sign, fraction)
    text = re.sub(r"\^\s*(?:\ue000|\(\s*(?:T|\ue000)\s*\)|T\b)", "\ue000", text).replace("\ue000", ".T")
    return text if code else in_signs(text)


def without_decoration(text: str) -> str:
    """Prose without its bullet, emphasis, addresses and tags."""
    text = BULLET.sub("", text, count=1)
    if "://" in text or "](" in text or "www." in text or "?" in text or "&" in text:
        text = ADDRESS.sub(" ; ", text)
    if "<" in text or "&" in text or "-->" in text:
        text = TAG.sub(" ", text)
    if "*" in text or "__" in text:
        text = CLOSING_EMPHASIS.sub(" ", OPENING_EMPHASIS.sub(" ", text))
    return text


def without_latex(text: str) -> str:
    """LaTeX as plain arithmetic; a command nobody knows stays as a word, so its member is left alone."""
    text = MATRIX.sub(lambda found: f"\ue001{_matrix(found[2])}\ue002", text)
    text = re.sub("\ue002\\s*\ue001", " @ ", text).replace("\ue001", "").replace("\ue002", "")
    out: list[str] = []
    position = 0
    while position < len(text):
        if text[position] != "\\":
            out.append(text[position])
            position += 1
            continue
        command = re.compile(r"\\([A-Za-z]+|.)?").match(text, position)
        word = (command[1] if command else None) or ""
        position = command.end() if command else position + 1
        piece, position = _command(text, word, position)
        out.append(piece)
    return _scripts("".join(out).replace("&", " "))


def _command(text: str, word: str, position: int) -> tuple[str, int]:
    """What one LaTeX command becomes, and where reading goes on."""
    if word in ("frac", "dfrac", "tfrac", "cfrac"):
        above, position = _braces(text, position)
        below, position = _braces(text, position)
        return (f"({without_latex(above)})/({without_latex(below)})" if above and below else " \\frac "), position
    if word == "sqrt":
        inside, position = _braces(text, position)
        return (f"sqrt({without_latex(inside)})" if inside else "√"), position
    if word in TEXT_COMMANDS:
        inside, position = _braces(text, position)
        return without_latex(inside), position
    if word in COMMANDS:
        return COMMANDS[word], position
    if word in ("begin", "end"):
        return " ", _braces(text, position)[1]
    if word == "\\":
        return " ; ", position
    if word.isalpha():
        return word, position
    return {"%": "%", "$": "$", "{": "{", "}": "}", "_": "_", "#": "#", "|": "‖"}.get(word, " "), position


def _braces(text: str, position: int) -> tuple[str, int]:
    """The content of the braces that open here, and the place after them; nothing if none open."""
    while position < len(text) and text[position] == " ":
        position += 1
    if position >= len(text) or text[position] != "{":
        return "", position
    depth = 0
    for end in range(position, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[position + 1 : end], end + 1
    return "", position + 1


def _matrix(inside: str) -> str:
    """A LaTeX matrix as nested lists; one row or one column is a vector."""
    rows = [[cell.strip() for cell in row.split("&")] for row in inside.split("\\\\") if row.strip()]
    if all(len(row) == 1 for row in rows):
        rows = [[row[0] for row in rows]]
    written = ["[" + ", ".join(row) + "]" for row in rows]
    return written[0] if len(written) == 1 else "[" + ", ".join(written) + "]"


def _scripts(text: str) -> str:
    """`x^{2}` as `x^(2)`, `K_{the}` as one name, and braces that only group as parentheses."""
    text = re.sub(r"_\{([^{}]{0,60})\}", lambda found: "_" + re.sub(r"\W", "", found[1]), text)
    return text.replace("{,}", ",").replace("{", "(").replace("}", ")")

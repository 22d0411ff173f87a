"""One spelling for many: LaTeX, typographic signs, Markdown emphasis and phrases become plain operators.

`$\\frac{2}{\\sqrt{4}} \\approx 1$` becomes `(2/(sqrt(4))) ≈ 1`. Every rule is one replacement or one walk
over the text, so a hostile page costs no more than its length.
"""

import html
import re
import unicodedata

from regard.audit import data
from regard.audit.phrases import in_signs

SIGNS = str.maketrans({other: sign for sign, others in data.SIGNS.items() for other in others})
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
HALVES = {"½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)", "⅓": "(1/3)", "⅔": "(2/3)"}
COMMANDS = {command: sign for sign, commands in data.COMMANDS.items() for command in commands.split()} | {"\\": " ; "}
MOST_BRACES = 150

SWAPPED = str.maketrans(".,", ",.")
# Decimal commas: a page that writes `0,5 + 0,25 = 0,75` must make itself plain, by arithmetic between two numbers
# whose commas cannot be thousands, and by having no decimal point anywhere.
COMMA = r"(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))"


def with_points(text: str) -> str:
    """The text with decimal points, if the page clearly uses commas.

    >>> with_points("0,5 + 0,25 = 0,80"), with_points("1,024 + 1,024 = 2,048")
    ('0.5 + 0.25 = 0.80', '1,024 + 1,024 = 2,048')
    """
    pointed = re.search(r"\d\.\d", text) and re.search(r"\d\.\d", data.WITH_POINTS.sub(" ", text))
    if pointed or not (
        any(sign.search(text) for sign in (data.PLAIN, data.EQUATION, data.FRACTION))
        or len(data.CELL.findall(text)) >= 3
    ):
        return text
    text = data.THOUSANDS.sub(lambda found: found[0].translate(SWAPPED), text)
    return "".join(
        part if data.PAIR.fullmatch(part) else data.DECIMAL.sub(r"\1.\2", part) for part in data.PAIR.split(text)
    )


def plain(text: str, *, code: bool = False, bullet: bool = True) -> str:
    """A line with one spelling for every sign, and without what only decorates it.

    >>> plain("- **0.5** × `2` = **1.0**").split()
    ['0.5', '×', '2', '=', '1.0']
    >>> plain(r"$\\frac{2}{\\sqrt{4}} \\approx 1$").strip()
    '(2/(sqrt(4))) ≈ 1'
    """
    if not code:
        text = without_decoration(data.BULLET.sub("", text, count=1) if bullet else text)
    if not text.isascii() or "\\," in text:
        text = data.THIN_SPACE.sub("", text)
    if "$" in text:
        text = data.CLOSING_DOLLAR.sub("", text)
    if "\\" in text or ("$" in text and "{" in text):
        if text.count("{") > MOST_BRACES:  # fractions in fractions in fractions: no worked example
            return ""
        text = without_latex(text)
    text = text.translate(SIGNS)
    if not code and "=" in text:
        text = data.MEAN_SQUARE.sub("", data.MONEY_AHEAD.sub("", text))
    if "|" in text or "∣" in text:
        text = data.ABSOLUTE.sub(r"abs(\1)", text)
    if "‖" in text or "||" in text:
        text = data.NORM.sub(r" norm(\2)", text)
    if not text.isascii():
        text = data.SUPERSCRIPT.sub(lambda found: f"^({found[0].translate(SUPERSCRIPTS)})", text.replace("°)", ")"))
        text = data.SUBSCRIPT.sub(lambda found: f"_{found[0].translate(SUBSCRIPTS)}" + " " * bool(found[1]), text)
        for sign, fraction in HALVES.items():
            text = re.sub(rf"(\d+)\s?{sign}", rf"(\1 + {fraction})", text).replace(sign, fraction)
    if "^" in text or "\ue000" in text:
        text = data.TRANSPOSED.sub("\ue000", text).replace("\ue000", ".T")
    if "/d" in text or "/∂" in text or "/ d" in text:
        text = data.DERIVATIVE.sub(r"d\1_d\2", text)  # a name like any other
    if "10" in text and ("^" in text or "**" in text):
        text = data.SCIENTIFIC.sub(r"\1\2e\3", text)
    return text if code else in_signs(data.FOLD.sub(r"\1", text) if "x" in text else text)


def without_decoration(text: str) -> str:
    """Prose without emphasis, addresses and tags."""
    if "://" in text or "](" in text or "www." in text or "?" in text or "&" in text:
        text = data.ADDRESS.sub(" ; ", text)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if "<" in text or "-->" in text:
        text = data.TAG.sub(" ", data.RAISED.sub(r"^(\1)", text))
    if '"' in text or "“" in text:
        text = data.QUOTED.sub(r" \1 ", text)  # what somebody says is claimed too
    if "/(" in text:
        text = re.sub(r"(?<=[A-Za-z])/\((\w{1,3})[·⋅*]\s?(\w{1,3})\)", r"/\1/\2", text)  # J/(kg·K)
    if "(" in text:
        text = data.NOTE.sub("", text)
    if "*" in text or "__" in text:
        text = data.CLOSING_EMPHASIS.sub(" ", data.OPENING_EMPHASIS.sub(" ", text))
    return text


def without_latex(text: str) -> str:
    """LaTeX as plain arithmetic; a command nobody knows stays as a word, so its member is left alone."""
    text = data.MATRIX.sub(lambda found: f"\ue001{_matrix(found[2])}{'|' * _is_column(found[2])}\ue002", text)
    text = data.BRACKETED.sub(r"\1", text)
    text = re.sub("\ue001([^\ue001\ue002|]*)\\|\ue002\\s*\ue001(\\[[^][|]*\\])\ue002", r"outer(\1, \2)", text)
    text = re.sub("\ue002\\s*\ue001", " @ ", re.sub("\\|\ue002", "\ue002", text))
    text = text.replace("\ue001", "").replace("\ue002", "")
    out: list[str] = []
    position = 0
    while (at := text.find("\\", position)) >= 0:
        command = data.COMMAND.match(text, at)
        assert command is not None  # it begins with the backslash just found
        piece, end = _command(text, command[1] or "", command.end())
        piece = f" {piece}" if at and text[at - 1].isalnum() and piece[:1].isalpha() else piece
        out += (text[position:at], piece)
        position = end
    joined = "".join([*out, text[position:]]).replace("&", " ")
    joined = re.sub(r"_\{([^{}]{0,60})\}", lambda found: "_" + re.sub(r"\W", "", found[1]), joined)
    return joined.replace("{,}", ",").replace("{", "(").replace("}", ")")


def _command(text: str, word: str, position: int) -> tuple[str, int]:
    """What one LaTeX command becomes, and where reading goes on."""
    if word in ("frac", "dfrac", "tfrac", "cfrac"):
        above, position = _argument(text, position)
        below, position = _argument(text, position)
        sides = [side if data.ALONE.fullmatch(side) else f"({without_latex(side)})" for side in (above, below)]
        times = "·" * bool(data.FACTOR_IN_BRACKETS.match(text, position))  # \tfrac12 (0.55 - 1)^2
        return (f"({'/'.join(sides)}){times}" if above and below else " \\frac "), position
    if word == "sqrt":
        inside, position = _braces(text, position)
        return (f"sqrt({without_latex(inside)})" if inside else "∑" if text[position - 1] == "{" else "√"), position
    if word in ("hat", "bar", "tilde"):  # another name than that without it
        inside, position = _argument(text, position)
        return (f"{word}_{inside}" if inside.isalpha() else without_latex(inside)), position
    if word in data.GROUPING:
        inside, position = _braces(text, position)
        return without_latex(inside), position
    if word in ("begin", "end", "label", "tag"):
        return " ", _braces(text, position)[1]
    return COMMANDS[word] if word in COMMANDS else _greek(word) if word.isalpha() else " ", position


def _greek(word: str) -> str:
    """`gamma` as the letter it names, since a letter is a factor where a word is only a word."""
    try:
        return unicodedata.lookup(f"GREEK {'SMALL' if word.islower() else 'CAPITAL'} LETTER {word}")
    except KeyError:
        return word


def _argument(text: str, position: int) -> tuple[str, int]:
    """What stands in braces, or the one digit or letter that needs none: `\\tfrac12`."""
    inside, after = _braces(text, position)
    if not inside and after < len(text) and text[after].isalnum():
        return text[after], after + 1
    return inside, after


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


def _is_column(inside: str) -> bool:
    return "&" not in inside and "\\\\" in inside.strip().removesuffix("\\\\")


def _matrix(inside: str) -> str:
    """A LaTeX matrix as nested lists; one row or one column is a vector."""
    rows = [[cell.strip() for cell in row.split("&")] for row in inside.split("\\\\") if row.strip()]
    if all(len(row) == 1 for row in rows):
        rows = [[row[0] for row in rows]]
    written = ["[" + ", ".join(row) + "]" for row in rows]
    return written[0] if len(written) == 1 else "[" + ", ".join(written) + "]"

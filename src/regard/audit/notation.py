"""One spelling for many: LaTeX, typographic signs, emphasis and phrases become plain operators, a walk for each."""

import html
import re
from collections.abc import Callable, Sequence
from functools import partial, reduce
from html.entities import html5

from regard.audit import data

SIGNS = str.maketrans({other: sign for sign, others in data.SIGNS.items() for other in others})
COMMANDS = {command: sign for sign, commands in data.COMMANDS.items() for command in commands.split()} | {"\\": " ; "}
BRACKETS = str.maketrans("&{}‹›", " ()()", "\ue004")  # what LaTeX leaves
MOST_BRACES = 150
SWAPPED = str.maketrans(".,", ",.")
NUMBER = r"[-−]?(?:\d+(?:\.\d+)?|\.\d+)(?:\s?%)?"
LISTS = {"row": re.compile(NUMBER), "results": re.compile(rf"(?<=[=≈])\s*({NUMBER})")}  # what a template may list


def with_points(text: str) -> str:
    """The text with decimal points, if the page clearly uses commas and has no decimal point anywhere."""
    pointed = re.search(r"\d\.\d", text) and re.search(r"\d\.\d", data.WITH_POINTS.sub(" ", text))
    if pointed or not data.DECIMAL_COMMAS.search(text):
        return text
    text = data.THOUSANDS.sub(lambda found: found[0].translate(SWAPPED), text)
    return data.DECIMAL.sub(r"\1.\2", text)


def plain(text: str, *, code: bool = False, bullet: bool = True) -> str:
    """A line with one spelling for every sign, and without what only decorates it.

    >>> plain("The mean of 2, 4 and 9 is 6, and 3 times 7 is 20.")
    'The mean([2, 4, 9]) is 6, and 3 × 7 is 20.'
    """
    if not code:
        text = html.unescape(data.BULLET.sub("", text, count=1) if bullet else text)
        text = replaced(text, "decoration")
    text = replaced(text, "written")
    if "\\" in text or ("$" in text and "{" in text):
        if text.count("{") > MOST_BRACES:  # fractions in fractions in fractions: no worked example
            return ""
        text = without_latex(text)
    text = replaced(text.translate(SIGNS), "signs")
    return replaced(text, "phrases") if data.NEEDLES.search(text) else text


def name_of(word: str) -> str:
    """What a word is called in signs: an average is a `mean`."""
    return data.NAMES.get(word.lower(), word.lower())


def _written(signs: str, found: re.Match[str]) -> str:
    """A template filled with what was found: groups as they are, as the name of something, or as a list."""
    signs = re.sub(r"<(r\w+) (\d)>", lambda mark: f"[{', '.join(LISTS[mark[1]].findall(found[int(mark[2])]))}]", signs)
    return found.expand(re.sub(r"<name (\d)>", lambda mark: name_of(found[int(mark[1])]), signs))


def _row(pattern: Sequence[str], signs: str) -> tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]:
    whole = reduce(lambda text, piece: text.replace(*piece), data.PIECES.items(), "".join(pattern))
    return re.compile(whole), partial(_written, signs) if "<" in signs else signs


NOTATION = {name: [_row(*row) for row in rows] for name, rows in data.NOTATION.items()}


def replaced(text: str, rows: str) -> str:
    """The text with every pattern of these rows replaced, one after the other."""
    for pattern, signs in NOTATION[rows]:
        text = pattern.sub(signs, text)
    return text


def without_latex(text: str) -> str:
    """LaTeX as plain arithmetic; a command nobody knows stays as a word, so its member is left alone."""
    text, before = replaced(data.MATRIX.sub(_matrix, text), "matrices"), ""
    while text != before:
        before, text = text, replaced(text, "latex")
    text = data.COMMAND.sub(_command, data.ALONE.sub(r"\1", text))
    return text.translate(BRACKETS)


def _command(found: re.Match[str]) -> str:
    """What one LaTeX command becomes, apart from a letter or digit before it; a letter is a factor, a word is none."""
    word, at = found[1] or "", found.start()
    sign = COMMANDS[word] if word in COMMANDS else html5.get(f"{word};", word) if word.isalpha() else " "
    return f" {sign}" if at and found.string[at - 1].isalnum() and sign[:1].isalpha() else sign


def _matrix(found: re.Match[str]) -> str:
    """A LaTeX matrix as nested lists, between marks; one row or one column is a vector."""
    rows = [[cell.strip() for cell in row.split("&")] for row in found[2].split("\\\\") if row.strip()]
    is_column = len(rows) > 1 and all(len(row) == 1 for row in rows)
    lists = [f"[{', '.join(row)}]" for row in ([[row[0] for row in rows]] if is_column else rows)]
    written = lists[0] if len(lists) == 1 else f"[{', '.join(lists)}]"
    return f"\ue001{written}" + ("\ue003" if is_column else "\ue002")

"""Decimal commas: `0,5 + 0,25 = 0,75` on a page that writes all its numbers so.

A comma also separates thousands and the items of a list, so the page must make itself plain: arithmetic between two
numbers with commas that cannot be thousands, and no decimal point anywhere.
"""

import re

NUMBER = r"(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))"
PLAIN = re.compile(rf"(?<![\d.,]){NUMBER}(?![\d.,])\s{{0,3}}[-+−×*·⋅/=≈]\s{{0,3}}{NUMBER}(?!\d|[.,]\d)")
EQUATION = re.compile(rf"(?<![\d.,]){NUMBER}\s{{0,3}}[-+−×*·⋅/]\s{{0,3}}\d+\s{{0,3}}[=≈]\s{{0,3}}{NUMBER}(?!\d|[.,]\d)")
CELL = re.compile(rf"[|\t] {{0,40}}[-−]?{NUMBER} {{0,40}}%? {{0,40}}(?=[|\t\n])")
POINT = re.compile(r"\d\.\d")
PAIR = re.compile(r"[\[(]\s*\d+,\d+\s*[\])]")
DECIMAL = re.compile(r"(?<![\d,.])(\d+),(\d+)(?![\d]|,\d)")


def with_points(text: str) -> str:
    """The text with decimal points, if the page clearly uses commas.

    >>> with_points("0,5 + 0,25 = 0,80"), with_points("1,024 + 1,024 = 2,048")
    ('0.5 + 0.25 = 0.80', '1,024 + 1,024 = 2,048')
    """
    if POINT.search(text) or not (PLAIN.search(text) or EQUATION.search(text) or len(CELL.findall(text)) >= 3):
        return text
    return "".join(
        piece if PAIR.fullmatch(piece) else DECIMAL.sub(r"\1.\2", piece)
        for piece in re.split(rf"({PAIR.pattern})", text)
    )

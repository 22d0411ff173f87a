"""Lines that are numbered, `(1) … = 12`, and expressions that go on with them, `8 × (1)`: they mean the result."""

import re
from collections.abc import Sequence

from regard.audit.pages import Line

NUMBERED = re.compile(r"\s*\((\d{1,2})\)\s+\S")
RESULT = re.compile(r"[=≈]\s*(-?\d[\d.,]*\d|-?\d)\s*[^\d=≈]*$")
MEANT = re.compile(
    r"(?<=[-−+×x*·/=(])(\s*)\((\d{1,2})\)(?=\s*(?:[-−+×x*·/=)]|$))|(?<=\s)()\((\d{1,2})\)(?=\s*[-−+×x*·/]\s)"
)


def with_results(lines: Sequence[Line]) -> list[Line]:
    """The lines with what they mean by numbers in parentheses, on a page that numbers its lines.

    >>> [line.text for line in with_results([Line(1, "(1) one: 3 x 4 = 12"), Line(2, "(2) two: 2 x (1) = 24")])]
    ['(1) one: 3 x 4 = 12', '(2) two: 2 x 12 = 24']
    """
    results: dict[str, str] = {}
    for line in lines:
        if label := NUMBERED.match(line.text):
            results[label[1]] = result[1] if (result := RESULT.search(line.text)) else "?"
    if not {"1", "2"} <= set(results):
        return list(lines)

    def meant(found: re.Match[str]) -> str:
        space, label = (found[1], found[2]) if found[2] else (found[3], found[4])
        result = results.get(label, f"({label})")
        return f"{space}({result})" if result.startswith("-") else f"{space}{result}"

    def told(text: str) -> str:
        label = NUMBERED.match(text)
        start = label.end(1) + 1 if label else 0
        return text[:start] + MEANT.sub(meant, text[start:])

    return [line._replace(text=told(line.text)) for line in lines]

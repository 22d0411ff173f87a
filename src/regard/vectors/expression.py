"""Sums of words such as `king - man + woman`, as a person writes them."""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

SIGNS = {"+": 1.0, "-": -1.0, "−": -1.0}
MOST_TERMS = 100
PART = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+|"')
FACTOR = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*[*·]\s*")
BETWEEN = re.compile(r"([+\-−])")

Knows = Callable[[str], bool]


@dataclass(frozen=True)
class Term:
    """A word, and how many times it is taken: −1 where it is subtracted."""

    factor: float
    word: str


def parse(text: str, knows: Knows) -> tuple[Term, ...]:
    """The terms of a sum. Signs stand between spaces, or between words that are known; odd words stand in quotes.

    >>> known = {"king", "man", "woman", "New York", "-"}.__contains__
    >>> [(term.factor, term.word) for term in parse("king - man + 0.5 * woman", known)]
    [(1.0, 'king'), (-1.0, 'man'), (0.5, 'woman')]
    >>> parse("king-man", known) == parse("king - man", known), parse("New York", known), parse("-", known)
    (True, (Term(factor=1.0, word='New York'),), (Term(factor=1.0, word='-'),))
    """
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"expects a word, or a sum such as 'king - man + woman', got {text!r:.60}")
    if knows(text.strip()):
        return (Term(1.0, text.strip()),)
    terms: list[Term] = []
    for sign, parts in _between_signs(text, knows):
        if not parts:
            where = f"after {terms[-1].word!r}" if terms else "at its beginning"
            raise ValueError(f"{text!r:.200} has a sign without a word {where}; put a word after it, or quote the sign")
        terms.append(_term(SIGNS[sign], parts, knows))
        if len(terms) > MOST_TERMS:
            raise ValueError(f"a sum has at most {MOST_TERMS} words, got more")
    return tuple(terms)


def _between_signs(text: str, knows: Knows) -> Iterator[tuple[str, list[str]]]:
    """Each sign, and the parts that follow it; the first sign may be left out."""
    sign: str | None = None
    parts: list[str] = []
    for part in _parts(text, knows):
        if part not in SIGNS:
            parts.append(part)
            continue
        if sign is not None or parts:
            yield sign or "+", parts
        sign, parts = part, []
    yield sign or "+", parts


def _parts(text: str, knows: Knows) -> Iterator[str]:
    for part in PART.findall(text):
        inside = [piece for piece in BETWEEN.split(part) if piece]
        # king-man, -man: signs, unless it is a word that is written so
        known = all(piece in SIGNS or knows(FACTOR.sub("", piece)) for piece in inside)
        is_one = part.startswith('"') or len(inside) == 1 or knows(part) or not known
        yield from (part,) if is_one else inside


def _term(sign: float, parts: Sequence[str], knows: Knows) -> Term:
    written = " ".join(parts)
    if knows(written):
        return Term(sign, written)
    factor = FACTOR.match(written)
    times, word = (float(factor[1]), written[factor.end() :]) if factor else (1.0, written)
    if not math.isfinite(times):
        raise ValueError(f"a factor expects a number such as 0.5, got {factor[1] if factor else times!r:.40}")
    if word.startswith('"'):
        try:
            word = json.loads(word)
        except ValueError:
            raise ValueError(
                f"{word:.60} is not a quoted word; write it as in JSON, with quotes at both ends"
            ) from None
    elif " " in word and not knows(word):
        first, _, rest = word.partition(" ")
        raise ValueError(f"there is no sign between {first!r:.40} and {rest!r:.40}; write {first:.40} + {rest:.40}")
    return Term(sign * times, word)


def written(terms: Sequence[Term]) -> str:
    """The sum as it is shown.

    >>> written((Term(1.0, "king"), Term(-1.0, "man"), Term(0.5, "woman")))
    'king − man + 0.5 · woman'
    """
    said = ""
    for term in terms:
        sign = "−" if term.factor < 0 else "+"
        times = "" if abs(term.factor) == 1 else f"{abs(term.factor):g} · "
        said += f" {sign} {times}{term.word}" if said else f"{'−' if sign == '−' else ''}{times}{term.word}"
    return said

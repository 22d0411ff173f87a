"""The rule for shapes: products of shapes, and lines that each say what was done and what shape came of it.

A line may tell that a softmax was taken, which keeps a shape, that heads were put side by side, which keeps as many
numbers, or that queries met keys, which gives tokens × tokens. A shape that stands alone against others is wrong.
"""

import math
import re
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from regard.audit import data
from regard.audit.context import Page
from regard.audit.judge import Judged
from regard.audit.library import Mismatch, hollow, matmul
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, PYTHON, Line
from regard.audit.verdict import Verdict

Shape = tuple[int, ...]
FARTHEST = 6  # lines between a shape and what is made of it


class Told(NamedTuple):
    """A shape at the end of a line, and the words before it."""

    line: Line
    words: str
    text: str
    shape: Shape


def check_shapes(page: Page) -> None:
    """Judge every shape that a page tells."""
    told = list[Told]()
    for line in page.lines:
        readable = len(line.text) <= LONGEST_LINE and line.language not in ("output", "printed")
        text = plain(line.text, code=True) if readable and data.SHAPES.search(line.text) else ""
        _check_products(page, line, text)
        found = data.TOLD_SHAPE.search(text)
        if found and all(shape := shape_of(found[1])):
            told.append(Told(line, text[: found.start()], found[1], shape))
    none = Told(Line(-FARTHEST, ""), "", "", ())
    for before, one, after in zip([none, *told], told, [*told[1:], none]):
        lines = after.line.number - one.line.number
        pooled = lines in range(1, FARTHEST + 1) and "pool" in page.near(after.line.number, lines - 1).lower()
        made = _pooled(before.shape, one.shape, after.shape) if pooled else ()
        if one.line.number - before.line.number <= FARTHEST and one.line.language not in PYTHON:
            made = made or _made(before, one, told)
        if made:
            claim_shape(page, one.line, "made of the shape above", one.text, made)


def _made(before: Told, one: Told, told: Sequence[Told]) -> Shape:
    """What a shape must be by the words beside it and by those around it; nothing where they leave it open."""
    shape, shapes, sides = one.shape, [one.shape for one in told], {side for one in told for side in one.shape}
    if data.MAKES_SCORES.search(one.words) and len(shape) == 4:  # tokens × tokens, and not as wide as a head
        tokens = {other[1] for other in shapes if len(other) == 3 and other[0] == shape[0]} or {shape[2]}
        heads = [{*other.shape[2:]} for other in told if other.shape[:2] == shape[:2] and other is not one]
        fits = len(tokens) == 1 and any(tokens < sizes >= {*shape[2:]} for sizes in heads)
        return (*shape[:2], *tokens, *tokens) if fits else ()
    count = math.prod(before.shape)
    trusted = shapes.count(shape) == 1 < sum(math.prod(other) == count for other in shapes)
    if data.KEEPS_SHAPE.search(one.words) and len(shape) == len(before.shape) > 1:
        square, other = len({*before.shape[-2:]}) == 1, len({*shape[-2:]}) == 1
        return before.shape if square > other or (square == other and trusted) else ()
    if data.KEEPS_COUNT.search(one.words) and trusted and 1 < len(shape) != len(before.shape):
        places = range(shape[0] == before.shape[0], len(shape))  # the first one counts a batch
        likely = {(*shape[:at], side, *shape[at + 1 :]) for at in places for side in sides}
        fitting = [other for other in likely if math.prod(other) == count]
        return fitting[0] if len(fitting) == 1 else ()
    return ()


def _pooled(before: Shape, shape: Shape, pooled: Shape) -> Shape:
    """What a square must be that is not twice what is pooled of it, where another way to make it from before is."""
    squares = [sides[-1] for sides in (before, shape, pooled) if len(sides) > 2 and sides[-1] == sides[-2]]
    if len(squares) < 3 or squares[1] // 2 == squares[2]:
        return ()
    sides = {side for side in (squares[0] - by for by in (0, 2, 4, squares[0] // 2)) if side // 2 == squares[2]}
    return (*shape[:-2], *sides, *sides) if len(sides) == 1 else ()


def _check_products(page: Page, line: Line, text: str) -> None:
    """Judge `(10, 10) @ (10, 64) → (10, 64)` wherever it stands, and of [head1 | … | head8] @ W each head1 @ W1."""
    for found in data.PRODUCT.finditer(text):
        factors, result = [shape_of(one) for one in data.ONE.findall(found[0])], data.RESULT.match(text, found.end())
        try:
            made = reduce(matmul, map(hollow, factors)).shape if all(factors) else ()
        except (Mismatch, ValueError) as problem:
            if "@" in found[0] and isinstance(problem, Mismatch):
                refuse(page, line.number, found[0], problem)
        else:
            claim_shape(page, line, found[0], result[1] if result else "", made)
    for found in data.PRODUCT_OF_PARTS.finditer(line.text) if line.block else ():
        whole, part = found[1], found[2]
        if any(re.search(rf"\[\s*{part}1\s*\|", text) for text in page.texts.values()):
            why = f"what stands side by side is multiplied as {part}1 @ {whole}1"
            refuse(page, line.number, line.text.strip(), Mismatch(f"{whole}1 @ {part}1: {why}"))


def claim_shape(page: Page, line: Line, what: str, claimed: str, made: Shape) -> bool:
    """Judge a shape, unless it may be that of one item of a batch."""
    is_one = len(shape_of(claimed)) == len(made) > 0
    if is_one and (line.number, claimed) not in [(found.line, found.claimed) for found in page.findings]:
        given = Verdict.exact if shape_of(claimed) == made else Verdict.wrong
        page.judged(line.number, what, Judged(claimed, str(made), given), 0 if line.text.count(claimed) == 1 else -1)
    return is_one


def refuse(page: Page, line: int, what: str, problem: Mismatch, output: Sequence[Line] = ()) -> None:
    """Write down code whose shapes do not fit, unless the page says so itself."""
    if data.FAILS.search(" ".join([page.near(line, 3, 3), *(line.text for line in output)])):
        page.leave(line, "code that the page says does not run")
    elif not any(found.line == line and found.verdict is Verdict.cannot_run for found in page.findings):
        why = str(problem)
        page.judged(line, what, Judged("runs", why.partition(": ")[0], Verdict.cannot_run, note=why))


def shape_of(text: str) -> Shape:
    """A shape as written; nothing where sizes have names, or are beyond all sizes."""
    sizes = tuple(map(int, re.findall(r"\d+", text[:100]))) if not re.search("[A-Za-wyz]", text) else ()
    return sizes if math.prod(size or 1 for size in sizes) < 2**31 else ()

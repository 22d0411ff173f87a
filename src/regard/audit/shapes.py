"""The rule for shapes: products of shapes, and lines that each say what was done and what shape came of it.

A line may tell that a softmax was taken, which keeps a shape, that heads were put side by side, which keeps as many
numbers, or that queries met keys, which gives tokens × tokens. A shape that stands alone against others is wrong.
"""

import itertools
import math
import re
from collections import Counter
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
        if found and line.language not in PYTHON and all(shape := shape_of(found[1])):
            told.append(Told(line, text[: found.start()], found[1], shape))
    for before, one in itertools.pairwise(told):
        if one.line.number - before.line.number <= FARTHEST and (made := _made(before, one, told)):
            claim_shape(page, one.line, "made of the shape above", one.text, made)
    _check_pools(page)


def _made(before: Told, one: Told, told: Sequence[Told]) -> Shape:
    """What a shape must be by the words beside it and by those around it; nothing where they leave it open."""
    shape, shapes, sides = one.shape, Counter(one.shape for one in told), {side for one in told for side in one.shape}
    trusted = shapes[shape] == 1 < len([other for other in told if math.prod(other.shape) == math.prod(before.shape)])
    if data.MAKES_SCORES.search(one.words) and len(shape) == 4:  # tokens × tokens, and not as wide as a head
        tokens = {other.shape[1] for other in told if len(other.shape) == 3 and other.shape[0] == shape[0]}
        heads = [{*other.shape[2:]} for other in told if other.shape[:2] == shape[:2] and other is not one]
        tokens = tokens or {shape[2]}
        fits = len(tokens) == 1 and any(tokens < sizes >= {*shape[2:]} for sizes in heads)
        return (*shape[:2], *tokens, *tokens) if fits else ()
    if data.KEEPS_SHAPE.search(one.words) and len(shape) == len(before.shape) > 1:
        square, other = len({*before.shape[-2:]}) == 1, len({*shape[-2:]}) == 1
        return before.shape if square > other or (square == other and trusted) else ()
    if data.KEEPS_COUNT.search(one.words) and trusted and 1 < len(shape) != len(before.shape):
        kept = [at for at, side in enumerate(shape) if at or side != before.shape[0]]  # the first one counts a batch
        made = [(at, *divmod(math.prod(before.shape), math.prod((*shape[:at], *shape[at + 1 :])))) for at in kept]
        likely = {(*shape[:at], side, *shape[at + 1 :]) for at, side, rest in made if not rest and side in sides}
        return likely.pop() if len(likely) == 1 else ()
    return ()


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
            problem = Mismatch(f"{whole}1 @ {part}1", f"what stands side by side is multiplied as {part}1 @ {whole}1")
            refuse(page, line.number, line.text.strip(), problem)


def _check_pools(page: Page) -> None:
    """Judge the side of what is pooled: not twice what is left of it, where another way to make it from before is."""
    squares = [(line, found) for line in page.lines for found in data.SQUARE.finditer(line.text[:LONGEST_LINE])]
    for (_, first), (line, second), (pool, third) in zip(squares, squares[1:], squares[2:]):
        before, said, after = (int(found["side"]) for found in (first, second, third))
        below = page.near(pool.number, pool.number - line.number - 1)
        sides = {side for side in (before, before - 2, before - 4, before // 2) if side // 2 == after}
        near = pool.number - line.number <= FARTHEST and "pool" in below.lower()
        if said // 2 != after and len(sides) == 1 and near:
            made = (*shape_of(second[0])[:-2], *sides, *sides)
            claim_shape(page, line, "shape before the pooling", second[0], made)


def claim_shape(page: Page, line: Line, what: str, claimed: str, made: Shape) -> bool:
    """Judge a shape, unless it may be that of one item of a batch."""
    is_one = len(shape_of(claimed)) == len(made) > 0
    if is_one and (line.number, claimed) not in [(found.line, found.claimed) for found in page.findings]:
        given = Verdict.exact if shape_of(claimed) == made else Verdict.wrong
        page.judged(line.number, what, Judged(claimed, str(made), given), 0 if line.text.count(claimed) == 1 else -1)
    return is_one


def refuse(page: Page, line: int, what: str, problem: Mismatch, output: Sequence[Line] = ()) -> None:
    """Write down a product whose shapes do not fit, unless the page says so itself."""
    shown, why = problem.args
    if data.FAILS.search(" ".join([page.near(line, 3, 3), *(line.text for line in output)])):
        page.leave(line, "code that the page says does not run")
    elif not any(found.line == line and found.verdict is Verdict.cannot_run for found in page.findings):
        page.judged(line, what, Judged("runs", shown, Verdict.cannot_run, note=f"{shown}: {why}"))


def shape_of(text: str) -> Shape:
    """A shape as written; nothing where sizes have names, or are beyond all sizes."""
    sizes = tuple(map(int, re.findall(r"\d+", text[:100]))) if not re.search("[A-Za-wyz]", text) else ()
    return sizes if math.prod(size or 1 for size in sizes) < 2**31 else ()

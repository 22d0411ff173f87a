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
            above = page.near(line.number - 1, 0)  # a layer is often told above its shape
            words = f"{above}\n" * (data.LAYER.search(above) is not None and not data.TOLD_SHAPE.search(above))
            told.append(Told(line, words + text[: found.start()], found[1], shape))
    right, last, none = 0, None, Told(Line(0, ""), "", "", ())
    for before, one, after in zip([none, *told], told, [*told[1:], none]):
        near = one.line.number - before.line.number <= FARTHEST
        layer = _layer(before.shape if last is None else last, one, after) if near else None
        right, last = right + (layer == one.shape), layer
        made = layer if right or data.LAYER.search(after.words) else None
        if layer is None and near and one.line.language not in PYTHON:
            made = _made(before, one, told)
        if made:
            claim_shape(page, one.line, "made of the shape above", one.text, made)


def _layer(before: Shape, one: Told, after: Told) -> Shape | None:
    """What a convolution or a pooling makes of a square: it must fit what is made of it below; nothing if it is none,
    and no shape if it is not known."""
    shapes = [before, one.shape] + [after.shape] * bool(data.LAYER.search(after.words))
    squares = [at for at in range(max(map(len, shapes)) - 1) if all(len({*s[at : at + 2]}) == 1 for s in shapes)]
    if not data.LAYER.search(one.words) or len(squares) != 1 or len({*map(len, shapes)}) > 1:
        return None
    at, made = squares[0], _sides(before[squares[0]], one.words)
    fitting = {side for side in made if len(shapes) < 3 or after.shape[at] in _sides(side, after.words)}
    if one.shape[at] in fitting or {one.shape[at]} == made:
        return one.shape
    side = min(fitting) if len(fitting) == 1 and (len(made) == 1 or one.shape[at] not in made) else 0
    return (*one.shape[:at], side, side, *one.shape[at + 2 :]) if side else ()  # or what is below may be wrong


def _sides(side: int, words: str) -> set[int]:
    """What side a layer may leave, by its kernel, stride and padding where its words tell them, or as is usual."""
    kernel, stride, padding, dilation = (
        int(next(filter(None, found.groups()))) if (found := pattern.search(words)) else None
        for pattern in (data.KERNEL, data.STRIDE, data.PADDING, data.DILATION)
    )
    pools = data.POOLS.search(words)
    if kernel and (pools or padding is not None or data.A_CALL.search(words)):
        reach = 2 * (padding or 0) - (dilation or 1) * (kernel - 1) - 1
        return {(side + reach) // (stride or (kernel if pools else 1)) + 1}
    return {side // 2} if pools else {side, side - 2, side - 4, side // 2}


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

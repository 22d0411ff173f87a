"""The rule for shapes: their products, what code claims of them, and those of attention, by the sizes that fit most."""

import itertools
import math
import re
from collections.abc import Sequence
from functools import reduce

from regard.audit import data
from regard.audit.context import Page
from regard.audit.judge import Judged
from regard.audit.library import Mismatch, hollow, matmul
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, PYTHON, Line
from regard.audit.verdict import Verdict

Shape = tuple[int, ...]
FEWEST = 4  # lines that must fit before another is wrong


def check_shapes(page: Page) -> None:
    """Judge `(10, 10) @ (10, 64) → (10, 64)` wherever it stands, and of [head1 | … | head8] @ W each head1 @ W1."""
    told = list[tuple[Line, str, str, Shape]]()  # what ends a line, with the words before it
    for line in page.lines:
        readable = len(line.text) <= LONGEST_LINE and line.language not in ("output", "printed")
        text = plain(line.text, code=True) if readable and data.SHAPES.search(line.text) else ""
        for found in data.PRODUCT.finditer(text):
            factors = [shape_of(one) for one in data.ONE.findall(found[0])]
            result = data.RESULT.match(text, found.end())
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
        at = 0
        for found in data.TOLD_SHAPE.finditer(text if line.language not in PYTHON else ""):
            told += [(line, text[at : found.start()], found[1], shape)] if (shape := shape_of(found[1])) else []
            at = found.end()
    _check_attention(page, told)


def _forms(batch: Shape, heads: int, tokens: int, width: int) -> dict[str, Shape]:
    """The shapes that attention goes through, by their letters."""
    sizes = {"H": heads, "T": tokens, "D": width, "C": heads * width}
    return {form: (*batch, *(sizes[letter] for letter in form)) for form in data.ATTENTION}


def _check_attention(page: Page, told: Sequence[tuple[Line, str, str, Shape]]) -> None:
    """Judge the shapes of one attention by the sizes that fit most of them, unless several lines do not fit."""
    shapes = [shape for *_, shape in told]
    tried = [(shape[:-3], *sizes) for shape in shapes if len(shape) > 2 for sizes in itertools.permutations(shape[-3:])]
    known = [forms for sizes in tried if (forms := _forms(*sizes))["TC"] in shapes]
    forms = max(known, key=lambda forms: sum(shape in forms.values() for shape in shapes), default={})
    if sum(shape in forms.values() for shape in shapes) < FEWEST or forms["HTD"] not in shapes:
        return
    named = [next((form for form, words in data.ATTENTION.items() if re.search(words, one[1])), "") for one in told]
    judged = [(one, forms[form]) for one, form in zip(told, named) if form in forms]
    wrong = [one for one, made in judged if one[3] != made and one[3] != made[-len(one[3]) :]]
    others = {shape for shape in shapes if len(shape) == len(forms["HTD"]) and shape not in forms.values()}
    if len(wrong) + len(others - {one[3] for one in wrong}) < 2:  # or else there are two attentions
        for (line, words, text, _), made in judged:
            claim_shape(page, line, words.strip(" |:-") or "attention", text, made)


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

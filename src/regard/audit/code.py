"""The rule for code: shapes that pages state, in words or beside their lines, and products of them that do not add up.

What the code itself comes to is followed in `outputs`; here it learns what it cannot compute.
"""

import re
from collections.abc import Sequence
from functools import reduce

from regard.audit import data
from regard.audit.arithmetic import Definition
from regard.audit.chains import split_comment
from regard.audit.context import Page
from regard.audit.library import Array
from regard.audit.notation import plain
from regard.audit.outputs import Outputs
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.run import NOTHING
from regard.audit.shapes import Shape, Trouble, product, read_shape, show_shape
from regard.audit.verdict import Verdict

MOST_PARTS = 128  # heads that are joined


def check_code(page: Page, definitions: Sequence[Definition]) -> None:
    """Judge every shape comment and every line of code of a page."""
    given = sorted(definitions, key=lambda definition: -definition.line)
    outputs = Outputs(page)
    names = outputs.interpreter.names
    block = 0
    for line in page.lines:
        if line.heading in (1, 2) and not line.place:
            outputs.forget()  # another chapter may give the same names to other things
        if line.block != block:
            outputs.close(block)
            block = line.block
        if line.number in page.changes and (not line.is_code or data.MAGIC.match(line.text)):
            names |= dict.fromkeys(page.changes[line.number].names, NOTHING)
        if len(line.text) > LONGEST_LINE or line.language in ("output", "printed"):
            continue
        if "(" in line.text:
            _check_comment(page, line)
        if line.is_code and "..." in line.text:
            _learn_blocks(line, outputs)
        outputs.read(line)
        while given and given[-1].line <= line.number:
            _, name, value, _ = given.pop()
            if not line.is_code or outputs.is_lost(line):
                names[name] = value.copy()
        if "(" in line.text or "·" in line.text:
            _learn(line, outputs)
    outputs.close(block)
    outputs.settle()


def _learn(line: Line, outputs: Outputs) -> None:
    """Keep the shapes a line states."""
    text = line.text.replace("`", "").replace("*", "")
    for name, shape in data.STATED.findall(text) if data.SPEAKS.search(text) else ():  # x: (1, 2) alone may be a point
        outputs.give(name, read_shape(shape))
    if not line.is_code:
        return
    code, comment = split_comment(line.text, python=line.is_python)
    target = data.TARGET.match(code) or data.ARROWED.match(code)
    if target and re.search(rf"·\s*\w+{data.INDEXED.pattern}", code.strip()):
        outputs.give(target[1], ())  # Q · K_i is one number
    stated, result = data.ONE.findall(comment), data.RESULT.search(comment)
    if not target or not stated or not data.OPENS.match(comment):
        return
    whole = read_shape(result[1] if result else stated[0])
    if (found := data.PRODUCT.search(comment)) and "@" in found[0]:
        factors = [name.strip() for name in code.partition("=")[2].split("@")]
        for name, shape in zip(factors, data.ONE.findall(found[0]), strict=False):
            if name.isidentifier():
                outputs.give(name, read_shape(shape))
        if not result:
            return
    outputs.give(target[1], whole)
    joined = data.JOINED.search(code)
    count = int(joined[3]) if joined else 0
    if joined and isinstance(whole[-1], int) and 1 < count <= MOST_PARTS and whole[-1] % count == 0:
        for number in range(1, count + 1):
            outputs.give(f"{joined[1]}{number}", (*whole[:-1], whole[-1] // count))


def _learn_blocks(line: Line, outputs: Outputs) -> None:
    """In `W1 @ head1 + W2 @ head2 + ... + W8 @ head8` every W1 is an eighth of the rows of W."""
    numbered = [found for found in map(data.NUMBERED.match, set(data.IDENTIFIER.findall(line.text))) if found]
    blocks = max((int(found[2]) for found in numbered), default=0)
    for found in numbered if 1 < blocks <= MOST_PARTS else ():
        whole = outputs.interpreter.names.get(found[1])
        if isinstance(whole, Array) and whole.ndim == 2 and whole.shape[0] % blocks == 0:
            outputs.give(found[0], (whole.shape[0] // blocks, whole.shape[1]))


def _check_comment(page: Page, line: Line) -> None:
    """Judge `(10, 10) @ (10, 64) → (10, 64)` wherever it stands."""
    text = plain(line.text, code=True)
    for found in data.PRODUCT.finditer(text):
        result = data.RESULT.match(text, found.end())
        factors = [read_shape(shape) for shape in data.ONE.findall(found[0])]
        claimed = read_shape(result[1]) if result else None
        if len(factors) < 2 or ("@" not in found[0] and claimed is None):
            continue
        judged = (_of_concatenation if "cat" in found[0] else _of_product)(found[0], factors, claimed)
        if judged is None:
            continue
        if judged[1].fails and data.FAILS.search(page.near(line.number, 2, 1)):
            page.leave(line.number, "shapes that the page says do not fit")
        else:
            page.claim(line.number, found[0], show_shape(claimed) if claimed else found[0], *judged)


def _of_product(text: str, factors: list[Shape], claimed: Shape | None) -> tuple[str, Verdict] | None:
    if "@" not in text and "×" not in text:
        return None
    try:
        shape = reduce(product, factors)
    except Trouble as trouble:
        return (trouble.clash, Verdict.cannot_run) if trouble.clash and "@" in text else None
    if claimed is None or shape is None or len(claimed) != len(shape):
        return None
    named = any(not isinstance(size, int) for size in (*claimed, *shape))  # sizes with names may turn out equal
    return None if claimed != shape and named else _compared(shape, claimed)


def _compared(shape: Shape, claimed: Shape) -> tuple[str, Verdict]:
    return show_shape(shape), Verdict.exact if claimed == shape else Verdict.wrong


def _of_concatenation(text: str, factors: list[Shape], claimed: Shape | None) -> tuple[str, Verdict] | None:
    """Sizes add up along the last axis."""
    sizes = [shape[-1] for shape in factors if isinstance(shape[-1], int)]
    if claimed is None or len(sizes) < len(factors) or any(shape[:-1] != claimed[:-1] for shape in factors):
        return None
    fits = "..." not in text and "…" not in text and isinstance(claimed[-1], int)  # else some are left out
    return _compared((*claimed[:-1], sum(sizes)), claimed) if fits else None

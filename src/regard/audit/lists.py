"""The rules for rows of numbers: lists and matrices that are made of those above them, weights, shares, a softmax."""

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import Array, evaluate, readings
from regard.audit.finding import occurrences
from regard.audit.grammar import parse
from regard.audit.judge import Judged, compare, failures, judge
from regard.audit.nodes import Call, Node, Number, Unreadable, Vector, literals
from regard.audit.notation import LISTS, without_latex
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.tables import Table, matrices_of
from regard.audit.verdict import Printed, slipped

NEARBY, FARTHEST = 20, 60  # lines around a table that may say what it holds, and from scores to their softmax
MOST, LARGEST, FAR = 60, 1000, 0.5  # rows of scores; a score; how far a sum of shares may be off
ENOUGH, CERTAIN = 5, 9  # digits (or numbers) by which rows belong together, and by which the other one is wrong anyway
MOST_ABOVE, MOST_CELLS, MOST_ARRAYS, LIKELY = 8, 100, 150, 0.5  # that are compared; of their cells must be nearly right
SHARES = ("softmax", "normalize")
MAPS = ("softmax", "causal_softmax", "exp", "normalize", "layer_norm", "rms_norm", "square", "cumsum")


def check_arrays(page: Page) -> None:
    """Judge every list and every matrix that is made of those above it."""
    above = list[tuple[Node, Array]]()
    for line, before, array in sorted(_arrays(page), key=lambda one: one[0].number)[:MOST_ARRAYS]:
        spoken = not line.block or line.language == "math" or line.text.lstrip().startswith("#")
        with suppress(Unreadable):
            value, known = evaluate(array), {(finding.line, finding.claimed) for finding in page.findings}
            others = [one for one in above[-MOST_ABOVE:] if not np.array_equal(one[1], value)]
            likely = _made_of(others) if spoken and 2 < value.size <= MOST_CELLS else ()
            judged = _best([node for node in likely if _is_like(node, value)], array)
            for one in judged if _has_one_slip(judged) else ():
                at = (one.number and one.number.line) or line.number
                if (at, one.claimed) not in known:
                    page.judged(at, "made of what stands above", one, len(occurrences(before, one.claimed)))
            above += [(array, value)] if value.ndim and value.size <= MOST_CELLS else []


def _best(nodes: Sequence[Node], claim: Node) -> list[Judged]:
    """The verdicts on a claim by the expression that fits it best."""
    tried = [[one._replace(node=node) for one in judge(node, claim)] for node in nodes]
    return min(filter(None, tried), key=failures, default=[])


def _has_one_slip(judged: Sequence[Judged]) -> bool:
    """Whether all numbers but one are right, by more digits than chance, and that one slipped or cannot be."""
    wrong = [(one.claimed, float(one.computed.rstrip("%"))) for one in judged if one.verdict.fails]
    telling = [re.sub(r"\D", "", one.claimed).lstrip("0") for one in judged if not one.verdict.fails]
    digits = sum(len(text) for text in telling if text.rstrip("0") != "1")  # 1.0000 is many things
    if len(wrong) != 1 or digits < ENOUGH or wrong[0][1] == 0:
        return False
    said, functions = Printed.read(wrong[0][0]), {one.node.function for one in judged if isinstance(one.node, Call)}
    near = abs(said.value - wrong[0][1]) <= 1.5 * said.unit  # the others were rounded as well
    same_sign = (wrong[0][1] < 0) == wrong[0][0].startswith("-")  # p - y is a softmax but for one
    no_sign = abs(said.value + wrong[0][1]) <= said.unit
    sure = (same_sign or no_sign) and digits >= (ENOUGH + 1 if functions <= {*SHARES} else CERTAIN)
    return not near and (sure or (functions <= {*MAPS} and slipped(*wrong[0])))


def _arrays(page: Page) -> Iterator[tuple[Line, str, Node]]:
    """The lists and matrices of numbers, each with its last line, and with what stands before it there."""
    lines = {line.number: line for line in page.lines}
    for table in matrices_of(page.lines):
        rows = [tuple(cell.node for cell in row if isinstance(cell.node, Number)) for row in table.rows]
        if len({*map(len, rows)}) == 1:
            yield lines[table.lines[-1]], "", Vector(tuple(map(Vector, rows)))
    for row in (row for table in page.tables if table.separated for row in table.body):
        numbers = tuple(cell.node for cell in row if isinstance(cell.node, Number))
        yield lines[row[0].line], "", Vector(numbers)
    for line in page.lines:
        text = re.sub(r"[$`]", "", without_latex(line.text)) if len(line.text) <= LONGEST_LINE else ""
        for found in data.A_MATRIX.finditer(text):
            with suppress(Unreadable):
                yield line, text[: found.start()], parse(found[0])
        for found in data.A_LIST.finditer(data.A_MATRIX.sub(lambda found: " " * len(found[0]), text)):
            numbers = LISTS["results" if re.search("[=≈].*[=≈]", found[0]) else "row"].findall(found[0])
            row = [Number(n.replace("−", "-"), -1 - at, False, line.number) for at, n in enumerate(numbers)]
            yield line, text[: found.start()], Vector(tuple(row))


def _made_of(above: Sequence[tuple[Node, Array]]) -> Iterator[Node]:
    """What is often made of one or two of these."""
    for one, value in above:
        maps = [name for name in MAPS if name != "normalize" or np.abs(value).max() != 1]  # which that leaves as it is
        yield from (Call(name, (one,)) for name in [*maps, *[".T"] * (value.ndim > 1)])
    for (one, _), (other, _), (last, _) in itertools.permutations(above[-5:], 3):
        yield Call("+", (Call("⊙", (one, other)), last))  # γ x̂ + β
    for (left, value), (right, _) in itertools.permutations(above, 2):
        yield from (Call(sign, (left, right)) for sign in ("@", "+", "-", "⊙", "outer"))
        product = Call("@", (left, Call(".T", (right,))))
        yield from (product, Call("/", (product, Call("√", (Number(str(value.shape[-1]), -1),)))))


def _is_like(node: Node, value: Array) -> bool:
    """Whether an expression, however it is understood, gives most cells of a value, nearly."""
    made = list[Array]()
    for reading in readings(node):
        with suppress(Unreadable):
            made.append(evaluate(node, reading))
    near = (np.abs(one - value) <= 0.02 * np.abs(value) + 0.006 for one in made if one.shape == value.shape)
    return any(np.mean(one) >= LIKELY for one in near)


def _scored(header: Sequence[str]) -> list[int]:
    return [at for at, name in enumerate(header) if data.IS_SCORE.match(name) and not data.IS_WEIGHT.match(name)]


def roles_of(header: Sequence[str]) -> tuple[int, int] | None:
    """The last weight column of a table and the score column before it, if it has both."""
    weight = max((at for at, name in enumerate(header) if data.IS_WEIGHT.match(name)), default=0)
    scores = _scored(header[:weight]) or _scored(header)
    return (scores[-1], weight) if weight and scores else None


def check_weights(page: Page, table: Table) -> None:
    """Judge the weight column of a table, or its weight row, by the way from the scores that fits it best."""
    view = table if roles_of(table.header) else table.turned()
    if not (roles := roles_of(view.header)):
        return
    name, title = (view.header[at] for at in roles)
    weights = list(filter(None, view.column(roles[1])))
    around = page.near(table.lines[0], NEARBY, table.lines[-1] - table.lines[0] + NEARBY)
    divisors = {float(by) ** (0.5 if root else 1) for root, by in data.DIVISOR.findall(around)} - {0.0}
    columns = [[row[at].node for row in view.body] for at in (roles[0], *range(1, roles[1]))]
    sources = [Vector(tuple(filter(None, column))) for column in columns]
    scaled = [Call("/", (one, Number(f"{by:.12f}", -1))) for one in sources for by in divisors]
    scores = [*sources, *scaled, Call("-", (sources[0],))]
    fitting = _best([Call(name, (one,)) for name in ("softmax", "sigmoid") for one in scores], Vector(tuple(weights)))
    says = data.SAYS_SOFTMAX.search(f"{name} → {title}\n{around}")
    whole = abs(sum(number.value for number in weights) - 1) < 0.03
    scaled_here = any(data.SPEAKS_OF_SCALING.search(title) for title in view.header)  # "After scaling": no riddle
    sure = failures(fitting) < 2 or (whole and (divisors or scaled_here or not data.SPEAKS_OF_SCALING.search(around)))
    if len(weights) > 1 and (not failures(fitting) or _has_one_slip(fitting) or (says and sure)):
        for one in fitting:
            if one.number is not None and isinstance(one.node, Call):
                what = f"{title} = {one.node.function} of {name}"
                page.judged(one.number.line, what, one, view.nth(one.number))


def check_distributions(page: Page) -> None:
    """Judge every table and matrix of shares: all rows sum to 1 but one that is not far off, or most as said."""
    cells = ((one, [cell.source for row in one.rows for cell in row]) for one in matrices_of(page.lines))
    whole = [one for one, inside in cells if all(isinstance(n, Number) and 0 <= n.value <= 1 for n in inside)]
    for table in (table for table in page.tables + whole if len(table.rows) <= MOST):
        said = data.ROWS_SUM_TO_ONE.search(page.near(table.lines[-1], 0, NEARBY))
        for rows in (rows for view in (table, table.turned()) for rows in _shares(view)):
            judged = [one for row in rows for one in _best([Call("sum", (Vector(tuple(row)),))], Number("1", -1))]
            off = [abs(float(one.computed) - 1) for one in judged if one.verdict.fails]
            fit = [row for row, one in zip(rows, judged, strict=True) if not one.verdict.fails]
            several = [sum(number.value > 0 for number in row) > 1 for row in fit]  # or 1 0 0, at the top
            good = [r for r, told in zip(fit, several) if told or (r is rows[0] and r[0].value == 1 < len(r))]
            proven = len(good) > 1 and len(rows) > 2 and sum(map(len, good)) >= ENOUGH
            if (proven and len(off) < 2 and sum(off) <= FAR) or (said and len(good) >= max(1, len(off))):
                for row, one in zip(rows, judged, strict=True):
                    page.judged(row[0].line, f"row {' '.join(number.text for number in row)} sums to 1", one)
                break


def _shares(table: Table) -> Iterator[list[list[Number]]]:
    """The rows of the columns that hold shares, or lists of some; the first may be what rows are called."""
    cells = [[cell.source if cell.text.strip("–—-−·. ") else Vector(()) for cell in row] for row in table.body]
    columns = [[literals(node) for node in column] for column in zip(*cells, strict=True)]
    columns = columns[:-1] if data.IS_TOTAL.match(table.header[-1]) else columns
    shares = [one for one in columns if all(c is not None and all(0 <= n.value <= 1 for _, n in c) for c in one)]
    for first in range(3):
        rows = ([number for cell in row for _, number in cell or ()] for row in zip(*shares[first:], strict=True))
        yield list(filter(None, rows))


def label_of(text: str) -> str:
    """The word a cell names: `Orange (K) Slate Blue` is Orange."""
    return re.sub(r"[^\w\s-]", "", text.partition("(")[0]).strip()


def check_shares(page: Page) -> None:
    """Judge the percentages of every sentence that names as many labels of the scores above it, one for each."""
    whole = "\n".join(page.texts.values())
    rows = dict[int, dict[str, Number]]()  # scores by their labels: a column, a row, names with a number each in prose
    spoken = data.SHARES_SPEAKS_OF_SHARES.search(whole) is not None
    tables = [table for table in page.tables if len(table.rows) <= MOST and spoken]
    for view in (view for table in tables for view in (table, table.turned())):
        told = len(view.header) == 2 and data.SPEAKS_OF_SCORES.search(page.near(view.lines[0], 4))
        at = (_scored(view.header) or [int(bool(told))])[-1]
        named = [(label_of(row[0].text).lower(), row[at].node) for row in view.rows if at]
        numbers = {label: node for label, node in named if isinstance(node, Number)}
        rows[view.lines[-1]] = numbers or rows.get(view.lines[-1], {})
    for line in page.lines if spoken else ():
        for sentence in filter(data.SPEAKS_OF_SCORES.search, data.SENTENCE.split(line.text[:LONGEST_LINE])):
            if not data.IS_SHARE_LINE.search(sentence):
                pairs = data.INLINE.findall(sentence)
                rows[line.number] = {label.lower(): Number(n.replace("−", "-"), -1) for label, n in pairs}
    rows = {at: row for at, row in rows.items() if len(row) > 1 and all(abs(n.value) < LARGEST for n in row.values())}
    for line in (line for line in page.lines if rows and not line.block and line.number not in page.in_tables):
        scores = next((rows[at] for at in sorted(rows, reverse=True) if 0 <= line.number - at <= FARTHEST), {})
        for sentence in data.SENTENCE.split(line.text[:LONGEST_LINE]) if scores else ():
            named = [word for word in data.NAMED.findall(sentence.lower()) if word in scores.keys() - data.COMMON]
            said = [(1, Number(digits, -1, True, line.number)) for digits in data.PERCENT.findall(sentence)]
            if 0 < len(named) == len(said) and not data.OTHER_MATTERS.search(sentence):
                node = Call("softmax", (Vector(tuple(scores.values())),))
                shares = evaluate(node)[[list(scores).index(label) for label in named]]
                judged = compare(said, shares, about=data.NEARLY.search(sentence) is not None)
                for one in judged if not failures(judged) or not data.SPEAKS_OF_SCALING.search(whole) else ():
                    page.judged(line.number, "share of a softmax", one._replace(node=node))

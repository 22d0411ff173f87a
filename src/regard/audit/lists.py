"""The rules for rows of numbers: one that comes from another, what is told of them, shares that sum to 1, a softmax.

A page has many, so they must prove what they are: all numbers come out right but one that slipped, or the page says it.
"""

import itertools
import math
import re
from collections.abc import Collection, Iterator, Sequence

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import evaluate, number_of, readings
from regard.audit.finding import occurrences, show_beside
from regard.audit.judge import Judged, compare, failures, is_misread, judge
from regard.audit.nodes import Call, Node, Number, Vector, literals, numbers_in
from regard.audit.notation import LISTS, name_of, without_latex
from regard.audit.pages import LONGEST_LINE
from regard.audit.tables import Table, matrices_of
from regard.audit.verdict import Printed, Verdict, slipped

NEARBY = 20  # lines around a table that may say what its columns are
FARTHEST = 60  # lines between scores and a sentence about their softmax
MOST = 60  # rows of a table, or lines of a list, with scores or shares
LARGEST = 1000  # of a score: more is an amount of something
FAR = 0.5  # a sum that is further off is one of something else
ENOUGH, CERTAIN = 5, 9  # digits (or numbers) by which rows belong together, and by which the other one is wrong anyway
MOST_COMPARED = 2_000  # numbers of lists with those above them: more are data
SHARES = ("softmax", "normalize")
MAPS = ("softmax", "exp", "normalize", "layer_norm", "square", "cumsum")


def _best(sources: Sequence[Node], functions: Sequence[str], claim: Node, signs: str = "") -> list[Judged]:
    """The verdicts on a row by what fits it best: a function of a source, or with `signs`, two or three joined."""
    nodes = itertools.chain(
        (Call(function, (source,)) for source in sources for function in functions),
        (Call(sign, pair) for pair in itertools.permutations(sources, 2) for sign in signs),
        (Call("+", (Call("⊙", two), one)) for two in itertools.combinations(sources, 2) for one in sources if signs),
    )
    tried = [[one._replace(node=node) for one in judge(node, claim)] for node in nodes]
    return min(filter(None, tried), key=failures, default=[])


def _has_one_slip(judged: Sequence[Judged]) -> bool:
    """Whether all numbers but one are right, by more digits than chance, and that one slipped or cannot be."""
    wrong = [(one.claimed, float(one.computed.rstrip("%"))) for one in judged if one.verdict.fails]
    digits = sum(len(re.sub(r"\D", "", one.claimed).lstrip("0")) for one in judged if not one.verdict.fails)
    if len(wrong) != 1 or digits < ENOUGH or wrong[0][1] == 0:
        return False
    said, functions = Printed.read(wrong[0][0]), {one.node.function for one in judged if isinstance(one.node, Call)}
    near = abs(said.value - wrong[0][1]) <= 1.5 * said.unit  # the others were rounded as well
    same_sign = (wrong[0][1] < 0) == wrong[0][0].startswith("-")  # p - y is a softmax but for one
    slip = slipped(*wrong[0]) and (functions <= {*MAPS} or (same_sign and digits >= CERTAIN))
    return not near and (slip or (same_sign and digits >= (ENOUGH + 1 if functions <= {*SHARES} else CERTAIN)))


def check_lists(page: Page) -> None:
    """Judge every list that is made of one above it, and what a line tells of lists or columns: a mean, a sum."""
    tables = [table for table in page.tables if max(len(table.rows), len(table.header)) <= MOST]
    left, above = MOST_COMPARED, list[Vector]()
    right = {(finding.line, finding.claimed) for finding in page.findings if not finding.verdict.fails}
    columns = [(table.lines[-1], table.column(at)) for table in tables for at in range(len(table.header))]
    for line in page.lines:
        above = above[-12:]
        text = re.sub(r"[$`]", "", without_latex(line.text)) if len(line.text) <= LONGEST_LINE else ""
        for found in data.A_LIST.finditer(text):
            numbers = LISTS["results" if re.search("[=≈].*[=≈]", found[0]) else "row"].findall(found[0])
            row = tuple(Number(n.replace("−", "-"), -1 - at, False, line.number) for at, n in enumerate(numbers))
            alike = [other for other in above if len(other.parts) == len(row) and other.parts != row][-4:]
            spoken = not line.block or line.language == "math" or line.text.lstrip().startswith("#")
            left -= len(row) * len(alike) * spoken
            judged = _best(alike, MAPS, Vector(row), "⊙+-") if spoken and left > 0 and len(row) > 2 else []
            for one in judged if _has_one_slip(judged) else ():
                nth = len(occurrences(text[: found.start()], one.claimed))
                page.judged(line.number, "made of the list above", one, nth)
            above.append(Vector(row))
        for found in (one for one in data.TOLD.finditer(text) if not data.NOT_THESE.search(text[: one.start()])):
            they = data.THEY.search(text[: found.start()]) is not None  # what stands right above
            rows = [row for row in above if left > 0 and len(row.parts) > 2]
            meant = [they and line.number - numbers_in(row)[-1].line <= 2 for row in rows]
            told = [one for row, sure in zip(rows, meant) for one in _told(row, found, sure, right)]
            left -= len(above)
            for one in sorted(told, key=lambda one: one.verdict.fails)[:1]:
                nth = len(occurrences(text[: found.start("said")], one.claimed.lstrip("-")))
                page.judged(line.number, f"{found['function']} of the numbers above", one, nth)
        above += [Vector(tuple(filter(None, numbers))) for last, numbers in columns if last == line.number]


def _told(row: Vector, found: re.Match[str], meant: bool, right: Collection[tuple[int, str]]) -> Iterator[Judged]:
    """What is told of a row: right; or wrong, if it is right but for a slip, or if this row is meant; or nothing."""
    node, claim = Call(name_of(found["function"]), (row,)), Number(found["said"].replace("−", "-"), -1)
    tried = [one._replace(node=node) for one in judge(node, claim, typed=1)]  # all may be outcomes, rounded
    yield from tried if not failures(tried) else ()
    doubtful = [number for number in numbers_in(node) if (number.line, number.text) not in right]
    for reading in readings(node):
        value = number_of(node, reading)
        slip = slipped(claim.text, value, strictly=True) and data.TELLING.search(claim.text)
        sure = slip or meant or str(len(row.parts)) == name_of(found["count"] or "")
        near = 0.5 < value / (claim.value or math.inf) < 2 and not is_misread(node, doubtful, claim, reading)
        if sure and near:
            yield Judged(claim.text, show_beside(value, claim.text), Verdict.wrong, claim, node)


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
    best = _best([*sources, *scaled, Call("-", (sources[0],))], ("softmax", "sigmoid"), Vector(tuple(weights)))
    says = data.SAYS_SOFTMAX.search(f"{name} → {title}\n{around}")
    whole = abs(sum(number.value for number in weights) - 1) < 0.03
    scaled_here = any(data.SPEAKS_OF_SCALING.search(title) for title in view.header)  # "After scaling": no riddle
    sure = failures(best) < 2 or (whole and (divisors or scaled_here or not data.SPEAKS_OF_SCALING.search(around)))
    if len(weights) > 1 and (not failures(best) or _has_one_slip(best) or (says and sure)):
        for one in best:
            if one.number is not None and isinstance(one.node, Call):
                what = f"{title} = {one.node.function} of {name}"
                page.judged(one.number.line, what, one, view.nth(one.number))


def check_distributions(page: Page) -> None:
    """Judge every table and matrix of shares: all rows sum to 1 but one that is not far off, or most as said."""
    for table in (table for table in [*page.tables, *matrices_of(page.lines)] if len(table.rows) <= MOST):
        said = data.ROWS_SUM_TO_ONE.search(page.near(table.lines[-1], 0, NEARBY))
        for rows in (rows for view in (table, table.turned()) for rows in _shares(view)):
            judged = [one for row in rows for one in _best([Vector(tuple(row))], ["sum"], Number("1", -1))]
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


def _scores(page: Page) -> Iterator[tuple[int, dict[str, Number]]]:
    """Scores by their labels, with a line: of a column, of a row below labels, of names with a number each in prose."""
    for view in (view for table in page.tables if len(table.rows) <= MOST for view in (table, table.turned())):
        told = len(view.header) == 2 and data.SPEAKS_OF_SCORES.search(page.near(view.lines[0], 4))
        at = (_scored(view.header) or [int(bool(told))])[-1]
        nodes = {label_of(row[0].text).lower(): row[at].node for row in view.rows} if at else {}
        yield view.lines[-1], {label: node for label, node in nodes.items() if isinstance(node, Number)}
    for line in page.lines:
        for sentence in data.SENTENCE.split(line.text[:LONGEST_LINE]):
            if data.SPEAKS_OF_SCORES.search(sentence) and not data.IS_SHARE_LINE.search(sentence):
                pairs = data.INLINE.findall(sentence)
                yield line.number, {label.lower(): Number(n.replace("−", "-"), -1) for label, n in pairs}


def check_shares(page: Page) -> None:
    """Judge the percentages of every sentence that names as many labels of the scores above it, one for each."""
    whole = "\n".join(page.texts.values())
    found = _scores(page) if data.SHARES_SPEAKS_OF_SHARES.search(whole) else ()
    rows = [row for row in found if len(row[1]) > 1 and all(abs(n.value) < LARGEST for n in row[1].values())]
    for line in page.lines if rows else ():
        above = [row for row in rows if 0 <= line.number - row[0] <= FARTHEST and line.number not in page.in_tables]
        scores = max(above, key=lambda row: row[0])[1] if above and not line.block else {}
        for sentence in data.SENTENCE.split(line.text[:LONGEST_LINE]) if scores else ():
            named = [word for word in data.NAMED.findall(sentence.lower()) if word in scores.keys() - data.COMMON]
            said = [(1, Number(digits, -1, True, line.number)) for digits in data.PERCENT.findall(sentence)]
            if 0 < len(named) == len(said) and not data.OTHER_MATTERS.search(sentence):
                node = Call("softmax", (Vector(tuple(scores.values())),))
                shares = evaluate(node)[[list(scores).index(label) for label in named]]
                judged = compare(said, shares, about=data.NEARLY.search(sentence) is not None)
                for one in judged if not failures(judged) or not data.SPEAKS_OF_SCALING.search(whole) else ():
                    page.judged(line.number, "share of a softmax", one._replace(node=node))

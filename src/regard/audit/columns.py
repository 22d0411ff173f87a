"""The rule for tables: a weight column beside a score column is its softmax; a header that is a formula holds by row.

Every claim is an expression over the columns, filled with the numbers of the table and handed to the one judge.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from regard.audit import data
from regard.audit.finding import Notebook
from regard.audit.grammar import parse
from regard.audit.nodes import Binary, Call, Name, Node, Number, Unary, Unreadable, Vector, is_computation, names_in
from regard.audit.judge import Judged, failures, judge
from regard.audit.notation import plain
from regard.audit.tables import Table
from regard.audit.verdict import Verdict

# pairs of headers that mean a softmax wherever they stand
SAYS_SOFTMAX = (
    (re.compile(r"logit|before\s+(?:the\s+)?softmax|pre-?softmax", re.I),
     re.compile(r"prob|softmax|wahrscheinlich|\bp\b|share|%", re.I)),
    (re.compile(r"q\s*[·.*⋅]\s*k|\bqk|dot[ -]?prod|attention|alignment", re.I),
     re.compile(r"attention|softmax|α|alpha|prob|weight|share|%", re.I)),
    (re.compile(""), re.compile("softmax", re.I)),
)  # fmt: skip
DIVISORS = (  # how a page says by what it divides, and whether the root is still to be taken
    (re.compile(r"(?:√|sqrt)\s*[({]*\s*(\d+(?:\.\d+)?)", re.I), True),
    (re.compile(r"d_?\{?(?:k|model|head)\}?\$?\s*=\s*\$?(\d+)", re.I), True),
    (re.compile(r"(?:divid\w* (?:\w+ ){0,3}by|÷|scaled by|temperature(?: \w+)?(?: of| is| =)?|\bT\s*=)\s*\$?"
                r"(\d+(?:\.\d+)?)", re.I), False),
)  # fmt: skip
MOST_ROWS = 500
LONGEST_HEADER = 60
NEARBY = 20  # lines around a table that may say what its columns are
CAPTION = 4  # and those that speak of nothing else


def meaning(name: str) -> str:
    """What a header means: weight, exponential, score or nothing of the kind.

    >>> [meaning(name) for name in ("value before softmax", "e^x", "Anteil", "word")]
    ['score', 'exponential', 'weight', '']
    """
    weighs = not data.NO_WEIGHT.search(name)
    if data.IS_WEIGHT.search(name) and weighs:
        return "weight"
    if data.IS_EXPONENTIAL.search(name):
        return "exponential"
    if data.IS_SCORE.search(name) and not data.NO_SCORE.search(name):
        return "score"
    return "weight" if weighs and re.search("attention|%", name, re.I) else ""


class Roles(NamedTuple):
    """Which column is what; nothing where a table has no such column."""

    weight: int
    score: int
    raw: int | None
    exponential: int | None


def roles_of(header: Sequence[str]) -> Roles | None:
    """The weight column, and the score column it comes from.

    >>> roles_of(["Word", "Dot Product Score", "After Scaling", "Attention Weight"])
    Roles(weight=3, score=2, raw=1, exponential=None)
    """
    meanings = [meaning(name) for name in header]
    if "weight" not in meanings or "score" not in meanings:
        return None
    weight = len(meanings) - 1 - meanings[::-1].index("weight")
    scores = [at for at, found in enumerate(meanings) if found == "score"]
    scaled = [at for at in scores if data.IS_SCALED.search(header[at])]
    score = scaled[-1] if scaled else max((at for at in scores if at < weight), default=scores[-1])
    raw = next((at for at in scores if at < score), None) if scaled else None
    return Roles(weight, score, raw, meanings.index("exponential") if "exponential" in meanings else None)


def fill(node: Node, columns: Mapping[str, Node]) -> Node:
    """An expression with its names replaced by what they stand for."""
    match node:
        case Name(text):
            return columns.get(text, node)
        case Unary(operator, operand):
            return Unary(operator, fill(operand, columns))
        case Binary(operator, left, right):
            return Binary(operator, fill(left, columns), fill(right, columns))
        case Call(function, arguments):
            return Call(function, tuple(fill(argument, columns) for argument in arguments))
        case Vector(items):
            return Vector(tuple(fill(item, columns) for item in items))
    return node


def _try(formula: str, claims: Sequence[Number], typed: int = 4, **columns: Sequence[Node] | Node) -> list[Judged]:
    """The verdicts on a column that should be a formula of others; none where that has no value."""
    vectors = {name: column if isinstance(column, NODES) else Vector(tuple(column)) for name, column in columns.items()}
    try:
        node = fill(parse(formula), vectors)
        return [one._replace(node=node) for one in judge(node, Vector(tuple(claims)), {}, typed=typed)]
    except Unreadable:
        return []


ROOTS = [math.sqrt(n) for n in range(2, 65)]
STATISTICS = {"avg": "mean", "average": "mean", "μ": "mean", "standard deviation": "std", "σ": "std"}
NODES = (Number, Name, Vector, Unary, Binary, Call)


def check_columns(tables: Sequence[Table], texts: Mapping[int, str], notebook: Notebook) -> None:
    """Judge the columns of every table that say what they come from."""
    for table in tables:
        if len(table.rows) > MOST_ROWS:
            notebook.leave(table.lines[0], "a table too long to be a worked example")
            continue
        for view in (table, table.turned()):
            if roles := roles_of(view.header):
                around, caption = (
                    "\n".join(_said(texts, table.lines[0] - reach, table.lines[-1] + reach))
                    for reach in (NEARBY, CAPTION)
                )
                _check_weights(view, roles, around, caption, notebook)
                break
        if len(table.header) <= (20 if table.separated else 8):
            _check_derived(table, notebook)


def _said(texts: Mapping[int, str], first: int, last: int) -> Iterator[str]:
    """The lines around a table, without those that speak of accuracies, speeds and the like."""
    for number in range(first, last):
        if not data.OTHER_MATTERS.search(texts.get(number, "")):
            yield texts.get(number, "")


def _write(table: Table, what: str, judged: Sequence[Judged], notebook: Notebook, note: str = "") -> None:
    for claimed, computed, verdict, number, node in judged:
        if number is not None:
            notebook.claim(number.line, what, claimed, computed, verdict, note, nth=table.nth(number), node=node)


def _check_weights(table: Table, roles: Roles, around: str, caption: str, notebook: Notebook) -> None:
    """Judge one table: group by group where several softmaxes stand one below the other."""
    if any("…" in cell.text or "..." in cell.text for row in table.rows for cell in row):
        notebook.leave(table.lines[0], "a table that does not show all its rows")
        return
    percent = "%" in table.header[roles.weight]
    pairs = [
        (weight._replace(percent=weight.percent or percent), row[roles.score].node, row)
        for weight, row in zip(table.column(roles.weight), table.body, strict=True)
        if weight is not None and row[roles.score].node is not None
    ]
    if len(pairs) != len(table.body) or len(pairs) < 2:
        return
    if sum(weight.value for weight, _, _ in pairs) > 50:
        pairs = [(weight._replace(percent=True), score, row) for weight, score, row in pairs]
    groups = [pairs]
    if sum(weight.value for weight, _, _ in pairs) >= 1.5:  # runs of rows with one label that sum to 1 each
        groups = []
        for pair in pairs:
            label = pair[2][0].text
            if not groups or (label and label != groups[-1][0][2][0].text):
                groups.append([])
            groups[-1].append(pair)
        if any(len(group) < 2 or not 0.8 < sum(w.value for w, _, _ in group) < 1.2 for group in groups):
            if "softmax" not in table.header[roles.weight].lower() or len(groups) < len(pairs):
                return
            groups = [pairs]  # one softmax, with a number far off
    for group in groups:
        weights, scores = [weight for weight, _, _ in group], [score for _, score, _ in group if score is not None]
        exps = [row[roles.exponential].node for _, _, row in group] if roles.exponential is not None else []
        if all(0 <= weight.value <= 1.0001 for weight in weights) and any(isinstance(s, Number) for s in scores):
            _check_group(table, roles, weights, scores, exps, around, caption, notebook)
    if roles.raw is not None and not _divisor_in(table.header[roles.score]):
        _check_scaling(table, roles.raw, roles.score, notebook)


def _check_group(
    table: Table,
    roles: Roles,
    weights: list[Number],
    scores: list[Node],
    exps: list[Node | None],
    around: str,
    caption: str,
    notebook: Notebook,
) -> None:
    """Judge one softmax of a table: wrong only where nothing else explains the weights."""
    names = table.header[roles.score], table.header[roles.weight]
    what = f"{names[1]} = softmax of {names[0]}"
    judged = _try("softmax(s)", weights, s=scores)
    if not judged or not failures(judged):
        _write(table, what, judged, notebook)
        return
    between = [
        at for at in range(roles.score + 1, roles.weight) if at != roles.exponential and any(table.column(at))
    ]  # a column that nobody understands may be what the weights come from
    if between and len(table.body) == len(weights):
        others = [row[between[-1]].node for row in table.body]
        other = _try("softmax(s)", weights, s=[node for node in others if node]) if all(others) else []
        if not other or failures(other) >= failures(judged):
            notebook.leave(table.lines[0], "weights beside a column that is not understood")
            return
        scores, judged = [node for node in others if node], other
        if not failures(judged):
            _write(table, f"{names[1]} = softmax of {table.header[between[-1]]}", judged, notebook)
            return
    total = sum(weight.value for weight in weights)
    scored = names[0] if roles.raw is None else f"{names[0]} {table.header[roles.raw]}"
    says = any(score.search(scored) and weight.search(names[1]) for score, weight in SAYS_SOFTMAX)
    kept = [exp for exp in exps if isinstance(exp, Number)]
    printed = _try("x / sum(x)", weights, x=kept) if len(kept) == len(weights) else []
    by_exps = bool(kept) and failures(_try("exp(s)", kept, s=scores)) * 2 <= len(kept) == len(scores)
    explicit = says or re.search(r"softmax|prob|attention|weight|α|alpha|^p$", names[1], re.I)
    speaks = data.SPEAKS_OF_SOFTMAX.search(around if explicit else caption)
    if abs(total - 1) > 0.25 and "softmax" not in names[1].lower():
        return  # no distribution: a score beside some percentage
    if not (speaks or by_exps or (says and abs(total - 1) < 0.15)):
        return
    best = max(range(len(weights)), key=lambda at: weights[at].value)
    header = " ".join(names)
    said = says or "softmax" in f"{header}\n{caption}".lower()
    hard = [
        weight._replace(text="1.000" if at == best else "0.000", percent=False) for at, weight in enumerate(weights)
    ]
    explained = [  # what else the weights may be: the top of a longer row, chances of their own, plain shares
        total < 0.98
        and _fits("w * exp(s - t)", weights, s=scores, w=weights[best], t=Vector((scores[best],) * len(scores))),
        _fits("sigmoid(s)", weights, s=scores),
        _fits("s / sum(s)", weights, s=scores)
        and (not said or data.SPEAKS_OF_SHARES.search(caption) or _fits("softmax(s)", hard, s=scores)),
    ]
    if any(explained):
        notebook.leave(table.lines[0], "weights that are a softmax of something else than the scores beside them")
        return
    if roles.raw is not None:  # a slip in the scaled column is one slip
        raw = [number for number in table.column(roles.raw) if number]
        divisors = _divisors(f"{names[0]}\n{around}") if len(raw) == len(weights) else []
        for by in divisors:
            if _fits("softmax(s / t)", weights, s=raw, t=_number(by)):
                _write(table, what, _try("softmax(s / t)", weights, s=raw, t=_number(by)), notebook)
                return
    note = ""
    if data.IS_COST.search(header) and _fits("softmax(-s)", weights, s=scores):
        judged, note = _try("softmax(-s)", weights, s=scores), "softmax of the negative scores"
    elif (re.compile("temperature", re.I) if data.IS_SCALED.search(header) else data.SPEAKS_OF_SCALING).search(around):
        stated = _divisors(around)
        tried = {by: _try("softmax(s / t)", weights, s=scores, t=_number(by)) for by in stated or ROOTS}
        by = min((by for by in tried if tried[by]), key=lambda by: failures(tried[by]), default=1.0)
        if (stated and by in tried and failures(tried[by]) <= failures(judged)) or (
            not stated and failures(judged) > 1 and not failures(tried[by])
        ):
            judged, note = tried[by], f"softmax of the scores / {by:.4g}"
        elif not stated and failures(judged) > 1:
            notebook.leave(table.lines[0], "weights of scores that may have been scaled first")
            return
    if printed:  # a weight that follows from the exponentials as printed is right too
        judged = [other if one.verdict.fails else one for one, other in zip(judged, printed, strict=True)]
    _write(table, what, judged, notebook, note)


def _fits(formula: str, claims: Sequence[Number], **columns: Sequence[Node] | Node) -> bool:
    judged = _try(formula, claims, 4, **columns)
    return bool(judged) and not failures(judged)


def _number(value: float) -> Number:
    return Number(f"{value:.12f}", -1)


def _divisors(text: str) -> list[float]:
    """Every number by which a text says it divides."""
    found = [(float(value), root) for pattern, root in DIVISORS for value in pattern.findall(text)]
    return list(dict.fromkeys(math.sqrt(value) if root else value for value, root in found if value > 0))


def _divisor_in(header: str) -> re.Match[str] | None:
    """By what a header says the column before it was divided or multiplied: `/√64`, `scaled by 8`."""
    return data.SCALED_BY.match(header.strip()) or data.LEADING.match(header.strip())


def _check_scaling(table: Table, raw: int, scaled: int, notebook: Notebook) -> None:
    """Judge a scaled column: one divisor must explain all its cells, or all but one."""
    pairs = [(r, s) for r, s in zip(table.column(raw), table.column(scaled), strict=True) if r and s]
    divisors = sorted({r.value / s.value for r, s in pairs if s.value and r.value / s.value > 0})
    divisors += [math.sqrt(n) for n in range(1, 129)] + [math.sqrt(2.0**n) for n in range(8, 15)]
    best: list[Judged] = []
    chosen = 1.0
    for divisor in divisors:
        judged = [one for r, s in pairs for one in _try("[r / d]", [s], r=r, d=_number(divisor))]
        if judged and (not best or failures(judged) < failures(best)):
            best, chosen = judged, divisor
    if not best or failures(best) > 1 or (failures(best) == 1 and len(best) < 3):
        notebook.leave(table.lines[0], "a scaled column with no one divisor")
        return
    _write(table, f"{table.header[scaled]} = {table.header[raw]} / {chosen:.6g}", best, notebook)


def _check_derived(table: Table, notebook: Notebook) -> None:
    """Judge every column whose header says how it comes from others, where at least half its rows fit."""
    for target in range(1, len(table.header)):
        for formulas, spare in _formulas(table, target):
            best: list[Judged] = []
            rows = 0
            for formula, sources in formulas:
                kept = [
                    (claim, [number for number in numbers if isinstance(number, Number | Vector)])
                    for claim, *numbers in zip(table.column(target), *map(table.sources, sources), strict=True)
                    if claim and all(isinstance(number, Number | Vector) for number in numbers)
                ]
                if len(kept) < 2:
                    continue
                items = [
                    fill(formula, {f"column_{at}": n for at, n in zip(sources, numbers, strict=True)})
                    for _, numbers in kept
                ]
                places = [
                    {getattr(numbers[index], "decimals", 0) for _, numbers in kept} for index in range(len(sources))
                ]
                rounded = any(len(found) == 1 and min(found) >= 2 for found in places)  # 0.5 above 0.25 is typed
                claims = Vector(tuple(claim for claim, _ in kept))
                try:
                    judged = judge(Vector(tuple(items)), claims, {}, typed=2 if rounded else 4)
                except Unreadable:
                    continue
                if not best or failures(judged) < failures(best):
                    best = [one._replace(node=item) for one, item in zip(judged, items, strict=True)]
                    rows = len(kept)
            allowed = spare if spare >= 0 else rows // 2
            meant = not failures(best) or any(one.verdict in (Verdict.exact, Verdict.rounded) for one in best)
            if best and meant and failures(best) <= allowed:
                _write(table, table.header[target], best, notebook)
                break


Formula = tuple[Node, tuple[int, ...]]


def _formulas(table: Table, target: int) -> Iterator[tuple[list[Formula], int]]:
    """The ways a column may come from the others, by its header, each with how many rows may fail (-1: half)."""
    header = table.header[target].strip()
    if not header or len(header) > LONGEST_HEADER:
        return
    counts = {at: sum(n is not None and not n.percent for n in table.column(at)) for at in range(len(table.header))}
    numeric = [at for at, count in counts.items() if at != target and count * 2 > len(table.rows)]
    left = [at for at in numeric if at < target]
    if (scaled := _divisor_in(header)) and left:
        sign = "/" if scaled.re is data.SCALED_BY else scaled[1]
        yield _parsed(f"column_{left[-1]} {sign} ({scaled[scaled.lastindex or 1]})", target), -1
    elif data.IS_EXPONENTIAL.fullmatch(header) or meaning(header) == "exponential":
        scores = [at for at in left if meaning(table.header[at]) == "score"]
        for at in [*reversed(scores), *(at for at in reversed(left) if at not in scores)]:
            peak = max(number.value for number in table.column(at) if number)
            yield [*_parsed(f"exp(column_{at})", target), *_parsed(f"exp(column_{at} - ({peak!r}))", target)], -1
    elif statistic := data.STATISTIC.fullmatch(header):
        name = STATISTICS.get(statistic[1].lower(), statistic[1].lower())
        lists = [at for at in range(target) if all(isinstance(node, Vector) for node in table.sources(at))]
        if lists:
            yield _parsed(f"{name}(column_{lists[-1]})", target), -1
        elif len(values := [at for at in left if at]) >= 2 and len(table.body) >= 3:
            yield _parsed(f"{name}([{', '.join(f'column_{at}' for at in values)}])", target), 1
    elif data.IS_LINE_TOTAL.match(header):
        prices = [at for at in numeric if data.IS_PRICE.search(table.header[at])]
        amounts = [at for at in numeric if data.IS_QUANTITY.search(table.header[at])]
        if len(prices) == len(amounts) == 1 and prices != amounts:
            yield _parsed(f"column_{prices[0]} * column_{amounts[0]}", target), int(len(table.body) >= 4)
    else:
        text = plain(header)
        for at in sorted(numeric, key=lambda at: -len(table.header[at])):
            name = plain(table.header[at]).strip()
            if name and not name[0].isdigit():
                text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"column_{at}", text)
        yield _parsed(text, target), -1


def _parsed(text: str, target: int) -> list[Formula]:
    """The formula a header means; none where it is no formula."""
    try:
        node = parse(plain(text))
    except Unreadable:
        return []
    sources = tuple(sorted({int(name[7:]) for name in names_in(node) if re.fullmatch(r"column_\d+", name)}))
    return [(node, sources)] if sources and is_computation(node) and target not in sources else []

"""The rule for tables: a weight column beside a score column must be its softmax.

Columns are known by what their headers mean. Where a raw and a scaled score stand side by side, the weights come from
the scaled ones, and the scaled ones from the raw ones by one divisor.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regard.audit.evaluate import softmax
from regard.audit.finding import Notebook, show
from regard.audit.tables import Cell, Table
from regard.audit.verdict import Printed, Verdict, row_verdicts

IS_WEIGHT = re.compile(
    r"softmax|weight|prob|share|percent|α|alpha|normali[sz]ed|attention\s*%|\bp\b|distribution|^\s*%\s*$", re.I
)
NO_WEIGHT = re.compile(r"weighted|log|cumul|value|×|\*|loss|rank|total|before", re.I)
IS_EXPONENTIAL = re.compile(r"\bexp\b|exponent|e\^|e\*\*|eˣ|eᶻ|\bexp\(", re.I)
IS_SCORE = re.compile(
    r"score|logit|dot|similarit|energ|q\s*[·.*⋅]\s*k|\bqk|scaled|scaling|alignment|compatib|/\s*√|relevance|^z$", re.I
)
IS_SCALED = re.compile(r"scal|√|sqrt|÷|divided|/\s*\d|masked|adjusted|temperature|shifted|biased", re.I)
IS_ATTENTION = re.compile(r"attention|%", re.I)
IS_TOTAL = re.compile(r"^\W*(?:total|sum|Σ|∑|all)\b", re.I)
SPEAKS_OF_SOFTMAX = re.compile(r"softmax|soft-max|attention weight|e\^|exp\(", re.I)
SPEAKS_OF_SCALING = re.compile(r"√|sqrt|temperature|scal|d_k|divid", re.I)
MOST_ROWS = 500
NEARBY = 40  # lines around a table that may say what its columns are


@dataclass(frozen=True)
class Roles:
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
    scaled = [at for at in scores if IS_SCALED.search(header[at])]
    score = scaled[-1] if scaled else max((at for at in scores if at < weight), default=scores[-1])
    raw = next((at for at in scores if at < score), None) if scaled else None
    exponential = meanings.index("exponential") if "exponential" in meanings else None
    return Roles(weight, score, raw, exponential)


def meaning(name: str) -> str:
    """What a header means: weight, exponential, score or nothing of the kind."""
    if IS_WEIGHT.search(name) and not NO_WEIGHT.search(name):
        return "weight"
    if IS_EXPONENTIAL.search(name):
        return "exponential"
    if IS_SCORE.search(name):
        return "score"
    return "weight" if IS_ATTENTION.search(name) and not NO_WEIGHT.search(name) else ""


def check_columns(tables: list[Table], texts: dict[int, str], notebook: Notebook) -> None:
    """Judge the weights of every table that has scores beside them."""
    for table in tables:
        if len(table.rows) > MOST_ROWS:
            notebook.leave("a table too long to be a worked example")
            continue
        for view in (table, table.turned()):
            roles = roles_of(view.header)
            if roles is not None:
                around = "\n".join(texts.get(n, "") for n in range(table.lines[0] - NEARBY, table.last_line + NEARBY))
                _check_table(view, roles, around, notebook)
                break


def _check_table(table: Table, roles: Roles, around: str, notebook: Notebook) -> None:
    """Judge one table: group by group where several softmaxes stand one below the other."""
    rows = [at for at, (_, cells) in enumerate(table.rows) if not any(IS_TOTAL.match(cell) for cell in cells[:1])]
    weights, scores = table.column(roles.weight), table.column(roles.score)
    if any("…" in cell or "..." in cell for _, cells in table.rows for cell in cells):
        notebook.leave("a table that does not show all its rows")
        return
    pairs = [(w, s, at) for at, (w, s) in enumerate(zip(weights, scores, strict=True)) if at in rows and w and s]
    if len(pairs) != len(rows) or len(pairs) < 2:
        return
    for group in _groups(table, roles, pairs):
        _check_group(table, roles, group, around, notebook)
    if roles.raw is not None:
        _check_scaling(table, roles, rows, notebook)


Pair = tuple[Cell, Cell, int]


def _share(cell: Cell, *, hundred: bool) -> float:
    return cell.value / 100 if hundred else cell.value


def _groups(table: Table, roles: Roles, pairs: list[Pair]) -> list[list[Pair]]:
    """One group per softmax: the whole table, or runs of rows with one label that sum to 1 each."""
    hundred = _is_hundred(table, roles, pairs)
    if sum(_share(w, hundred=hundred) for w, _, _ in pairs) < 1.5:
        return [pairs]
    groups: list[list[Pair]] = []
    for pair in pairs:
        label = table.rows[pair[2]][1][0]
        if not groups or (label and label != table.rows[groups[-1][0][2]][1][0]):
            groups.append([])
        groups[-1].append(pair)
    sizes = [sum(_share(w, hundred=hundred) for w, _, _ in group) for group in groups]
    return groups if all(len(group) > 1 for group in groups) and all(0.8 < size < 1.2 for size in sizes) else []


def _is_hundred(table: Table, roles: Roles, pairs: list[Pair]) -> bool:
    """Whether the weights are percentages."""
    return (
        "%" in table.header[roles.weight]
        or any(w.percent for w, _, _ in pairs)
        or sum(w.value for w, _, _ in pairs) > 50
    )


def _check_group(table: Table, roles: Roles, group: list[Pair], around: str, notebook: Notebook) -> None:
    """Judge one softmax of a table."""
    factor = 100.0 if _is_hundred(table, roles, group) else 1.0
    printed = [w.text for w, _, _ in group]
    scores = np.array([s.value for _, s, _ in group])
    if any(not 0 <= w.value <= factor * 1.0001 for w, _, _ in group) or not np.isfinite(scores).any():
        return
    claimed = np.array([w.value for w, _, _ in group]) / factor
    temperature, note = 1.0, ""
    verdicts = _judge(printed, scores, group, temperature, factor)
    if any(verdict.fails for verdict in verdicts):
        header = f"{table.header[roles.weight]} {table.header[roles.score]}"
        if not SPEAKS_OF_SOFTMAX.search(around):
            return
        explained = _explained(printed, scores, claimed, group, factor, around, header)
        if explained is None:
            notebook.leave("weights that are a softmax of something else than the scores beside them")
            return
        temperature = explained
        verdicts = _judge(printed, scores, group, temperature, factor)
        note = "" if temperature == 1.0 else f"softmax of the scores / {temperature:.4g}"
    computed = softmax(scores / temperature) * factor
    what = f"{table.header[roles.weight]} = softmax of {table.header[roles.score]}"
    for (w, _, _), value, verdict in zip(group, computed, verdicts, strict=True):
        mark = "%" if w.percent else ""
        notebook.claim(w.line, what, w.text + mark, show(float(value)) + mark, verdict, note)
    _check_exponentials(table, roles, group, notebook)


def _judge(
    printed: list[str], scores: np.ndarray, group: list[Pair], temperature: float, factor: float
) -> list[Verdict]:
    """The verdicts on a softmax of scores that may be printed rounded themselves."""
    value = softmax(scores / temperature)
    steps = np.array(
        [Printed.read(s.text).unit / 2 if len(s.text.partition(".")[2]) >= 2 else 0.0 for _, s, _ in group]
    )
    reach = value * ((1 - value) * steps + (value @ steps) - value * steps) / temperature
    spread = [(float((v - r) * factor), float((v + r) * factor)) for v, r in zip(value, reach, strict=True)]
    return row_verdicts(printed, [float(v * factor) for v in value], spread=spread)


def _explained(
    printed: list[str],
    scores: np.ndarray,
    claimed: np.ndarray,
    group: list[Pair],
    factor: float,
    around: str,
    header: str,
) -> float | None:
    """The temperature at which the weights fit; 1 if they are plainly wrong; nothing if it is not plain."""
    scaled = bool(IS_SCALED.search(header))
    total = float(claimed.sum())
    if total < 0.98 and _is_part_of_a_longer_row(scores, claimed, printed, factor):
        return None
    if "softmax" not in header.lower() and _is_plain_share(scores, claimed, printed, factor):
        return None
    speaks = bool(re.search("temperature", around, re.I)) if scaled else bool(SPEAKS_OF_SCALING.search(around))
    if not speaks:
        return 1.0
    for temperature in _temperatures(scores, claimed):
        if not any(verdict.fails for verdict in _judge(printed, scores, group, temperature, factor)):
            return temperature
    return 1.0 if len(group) > 2 else None


def _temperatures(scores: np.ndarray, claimed: np.ndarray) -> list[float]:
    """Divisors worth trying: roots of whole numbers, and those near what the two extreme weights ask for."""
    roots = [math.sqrt(n) for n in range(2, 65)] + [math.sqrt(2.0**n) for n in range(7, 15)]
    best, least = int(np.argmax(claimed)), int(np.argmin(np.where(claimed > 0, claimed, 2)))
    if claimed[least] > 0 and claimed[best] > claimed[least]:
        needed = (scores[best] - scores[least]) / math.log(claimed[best] / claimed[least])
        if math.isfinite(needed) and needed > 0:
            roots += [needed * (1 + step / 400) for step in range(-40, 41)]
    return roots


def _is_part_of_a_longer_row(scores: np.ndarray, claimed: np.ndarray, printed: list[str], factor: float) -> bool:
    """Whether the ratios are those of a softmax over more rows than are shown, as in a list of the top five."""
    best = int(np.argmax(claimed))
    expected = claimed[best] * np.exp(scores - scores[best]) * factor
    return not any(verdict.fails for verdict in row_verdicts(printed, [float(value) for value in expected]))


def _is_plain_share(scores: np.ndarray, claimed: np.ndarray, printed: list[str], factor: float) -> bool:
    """Whether the weights are the scores divided by their sum: a normalisation, but no softmax."""
    if not np.isfinite(scores).all() or (scores < 0).any() or scores.sum() == 0 or claimed.sum() == 0:
        return False
    expected = scores / scores.sum() * factor
    return not any(verdict.fails for verdict in row_verdicts(printed, [float(value) for value in expected]))


def _check_exponentials(table: Table, roles: Roles, group: list[Pair], notebook: Notebook) -> None:
    """Judge an exp(score) column where a table shows one."""
    if roles.exponential is None:
        return
    cells = [table.column(roles.exponential)[at] for _, _, at in group]
    values = np.exp([s.value for _, s, _ in group])
    for cell, value in zip(cells, values, strict=True):
        if cell is not None:
            (verdict,) = row_verdicts([cell.text], [float(value)])
            notebook.claim(cell.line, f"exp of {table.header[roles.score]}", cell.text, show(float(value)), verdict)


def _check_scaling(table: Table, roles: Roles, rows: list[int], notebook: Notebook) -> None:
    """Judge a scaled column: one divisor must explain all its cells, or all but one."""
    assert roles.raw is not None
    raw, scaled = table.column(roles.raw), table.column(roles.score)
    pairs = [(r, s) for at, (r, s) in enumerate(zip(raw, scaled, strict=True)) if at in rows and r and s]
    divisors = sorted(
        {r.value / s.value for r, s in pairs if s.value and math.isfinite(s.value) and r.value / s.value > 0}
    )
    divisors += [math.sqrt(n) for n in range(1, 129)] + [math.sqrt(2.0**n) for n in range(8, 15)]
    best: list[Verdict] = []
    chosen = 1.0
    for divisor in divisors:
        verdicts = [row_verdicts([s.text], [r.value / divisor])[0] for r, s in pairs if math.isfinite(s.value)]
        if not best or sum(v.fails for v in verdicts) < sum(v.fails for v in best):
            best, chosen = verdicts, divisor
    failures = sum(verdict.fails for verdict in best)
    if not best or failures > 1 or (failures == 1 and len(best) < 3):
        notebook.leave("a scaled column with no one divisor")
        return
    what = f"{table.header[roles.score]} = {table.header[roles.raw]} / {chosen:.6g}"
    for (r, s), verdict in zip([p for p in pairs if math.isfinite(p[1].value)], best, strict=True):
        notebook.claim(s.line, what, s.text, show(r.value / chosen), verdict)

"""The rule for tables: a weight column beside a score column must be its softmax.

Columns are known by what their headers mean. Where a raw and a scaled score stand side by side, the weights come from
the scaled ones, and the scaled ones from the raw ones by one divisor.
"""

import math
import re
from dataclasses import dataclass

import numpy as np

from regard.audit.derived import fits_exponential, is_formula
from regard.audit.evaluate import softmax
from regard.audit.finding import Notebook, show, show_beside
from regard.audit.headers import IS_SCALED, Roles, roles_of, says_softmax
from regard.audit.tables import Cell, Table
from regard.audit.verdict import Printed, Verdict, row_verdicts

IS_TOTAL = re.compile(r"^\W*(?:total|sum|Σ|∑|all)\b", re.I)
SPEAKS_OF_SOFTMAX = re.compile(r"softmax|soft-max|attention weight|e\^|exp\(", re.I)
SPEAKS_OF_SHARES = re.compile(
    r"normali[sz]|proportion|divid\w* (?:\w+ ){0,3}(?:by )?(?:the |their )?(?:sum|total)", re.I
)
IS_COST = re.compile(r"energ|distance|cost|loss", re.I)  # the lower, the likelier: e^(-energy)
SPEAKS_OF_SCALING = re.compile(r"√|sqrt|temperature|scal|d_k|divid", re.I)
NOTES = {1.0: "", -1.0: "softmax of the negative scores"}
MOST_ROWS = 500
NEARBY = 40  # lines around a table that may say what its columns are
CAPTION = 4  # and those that speak of nothing else


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
                caption = "\n".join(
                    texts.get(n, "") for n in range(table.lines[0] - CAPTION, table.last_line + CAPTION)
                )
                _check_table(view, roles, Context(around, caption), notebook)
                break


@dataclass(frozen=True)
class Context:
    """The text a table stands in: the lines around it, and those close to it."""

    around: str
    caption: str


def _check_table(table: Table, roles: Roles, around: Context, notebook: Notebook) -> None:
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
    if roles.raw is not None and not is_formula(table.header[roles.score]):
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


def _check_group(table: Table, roles: Roles, group: list[Pair], around: Context, notebook: Notebook) -> None:
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
        names = table.header[roles.score], table.header[roles.weight]
        if not _means_softmax(table, roles, claimed, around):
            return
        explained = _explained(printed, scores, claimed, group, factor, around, names)
        if explained is None:
            notebook.leave("weights that are a softmax of something else than the scores beside them")
            return
        temperature = explained
        verdicts = _judge(printed, scores, group, temperature, factor)
        verdicts = _by_printed_exponentials(table, roles, group, factor, verdicts)
        note = NOTES.get(temperature, f"softmax of the scores / {temperature:.4g}")
    computed = softmax(scores / temperature) * factor
    what = f"{table.header[roles.weight]} = softmax of {table.header[roles.score]}"
    for (w, _, _), value, verdict in zip(group, computed, verdicts, strict=True):
        mark = "%" if w.percent else ""
        notebook.claim(w.line, what, w.text + mark, show_beside(float(value), w.text) + mark, verdict, note)


def _judge(
    printed: list[str], scores: np.ndarray, group: list[Pair], temperature: float, factor: float
) -> list[Verdict]:
    """The verdicts on a softmax of scores that may be printed rounded themselves."""
    value = softmax(scores / temperature)
    steps = np.array(
        [Printed.read(s.text).unit / 2 if len(s.text.partition(".")[2]) >= 2 else 0.0 for _, s, _ in group]
    )
    reach = value * ((1 - value) * steps + (value @ steps) - value * steps) / abs(temperature)
    spread = [(float((v - r) * factor), float((v + r) * factor)) for v, r in zip(value, reach, strict=True)]
    return row_verdicts(printed, [float(v * factor) for v in value], spread=spread)


def _explained(
    printed: list[str],
    scores: np.ndarray,
    claimed: np.ndarray,
    group: list[Pair],
    factor: float,
    around: Context,
    names: tuple[str, str],
) -> float | None:
    """The temperature at which the weights fit; 1 if they are plainly wrong; nothing if it is not plain."""
    header = " ".join(names)
    scaled = bool(IS_SCALED.search(header))
    total = float(claimed.sum())
    if total < 0.98 and _is_part_of_a_longer_row(scores, claimed, printed, factor):
        return None
    if _is_sigmoid(scores, printed, factor):
        return None
    if IS_COST.search(header) and not any(v.fails for v in _judge(printed, scores, group, -1.0, factor)):
        return -1.0
    said = "softmax" in f"{header}\n{around.caption}".lower() or says_softmax(*names)
    said = said and not SPEAKS_OF_SHARES.search(around.caption)
    if not said and _is_plain_share(scores, claimed, printed, factor):
        return None
    speaks = bool((re.compile("temperature", re.I) if scaled else SPEAKS_OF_SCALING).search(around.around))
    if not speaks:
        return 1.0
    for temperature in _temperatures(scores, claimed):
        if not any(verdict.fails for verdict in _judge(printed, scores, group, temperature, factor)):
            return temperature
    return 1.0 if len(group) > 2 else None


def _means_softmax(table: Table, roles: Roles, claimed: np.ndarray, around: Context) -> bool:
    """Whether the weights are meant as a softmax: the page says so, or the headers do, or a column of exponentials."""
    if SPEAKS_OF_SOFTMAX.search(around.around):
        return True
    if roles.exponential is not None and fits_exponential(table, roles.exponential, roles.score):
        return True
    near_one = abs(float(claimed.sum()) - 1) < 0.15
    return near_one and says_softmax(table.header[roles.score], table.header[roles.weight])


def _is_sigmoid(scores: np.ndarray, printed: list[str], factor: float) -> bool:
    """Whether each weight is the sigmoid of its own score: independent chances, but no softmax."""
    expected = factor / (1 + np.exp(-np.clip(scores, -700, 700)))
    return not any(verdict.fails for verdict in row_verdicts(printed, [float(value) for value in expected]))


def _by_printed_exponentials(
    table: Table, roles: Roles, group: list[Pair], factor: float, verdicts: list[Verdict]
) -> list[Verdict]:
    """The verdicts, where a weight that follows from the exponentials as printed is right too."""
    if roles.exponential is None:
        return verdicts
    cells = [table.column(roles.exponential)[at] for _, _, at in group]
    exps = np.array([cell.value for cell in cells if cell is not None])
    if len(exps) != len(group) or exps.sum() <= 0:
        return verdicts
    printed = row_verdicts([w.text for w, _, _ in group], [float(value) for value in exps / exps.sum() * factor])
    return [other if verdict.fails else verdict for verdict, other in zip(verdicts, printed, strict=True)]


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

"""The rule for percentages in prose: "98% from Orange" below a row of scores must be Orange's share of their softmax.

A percentage may speak of anything, so four things must come together: a score row above, talk of a softmax or of
attention on the page, a label of that row in the same sentence, and no word that makes the number a bound.
"""

import math
import re
from dataclasses import dataclass

import numpy as np

from regard.audit.columns import SPEAKS_OF_SCALING
from regard.audit.evaluate import softmax
from regard.audit.finding import Notebook, show
from regard.audit.headers import meaning as meaning_of
from regard.audit.headers import roles_of
from regard.audit.lines import LONGEST_LINE, Line
from regard.audit.tables import Table, number_in
from regard.audit.verdict import Verdict, verdict

PERCENT = re.compile(r"(?<![\d.,/-])(\d{1,3}(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)")
BOUND = re.compile(
    r"(?:over|more than|above|at least|under|less than|below|up to|at most|within|than|top|only if|>|<|≥|≤|±|nearly|"
    r"almost|close to|another|remaining|other|to|-|–)\s*(?:the\s+)?$",
    re.IGNORECASE,
)
NEARLY = re.compile(r"(?:about|approximately|roughly|around|some|~|≈|approx\.?)\s*$", re.IGNORECASE)
# what may follow a share: "of the attention", "goes to", "on", a comma; "90% of papers", "40% own" speak of others
FOLLOWS = re.compile(
    r"\s*(?:$|[^\w\s]|of\s+(?:(?:the|its|their|all|total|this|that|his|her|an?)\s+){0,2}[\"“'‘*`]*(?:attention|weight|prob|mass|focus|"
    r"softmax|importance|score|share|total|budget|influence|information|context|output|representation|meaning|vector|"
    r"embedding|value|signal|it\b|new)|(?:on|to|from|for|goes?|going|comes?|coming|is|are|in|and|but|while|whereas|"
    r"with|attention|weights?|probability|shares?|at|by|as|then|or|after|since|because|so|came|went|relevant|focus|"
    r"similar|toward|towards|that|which|when|importance|influence|chance|likely|probable)\b)",
    re.IGNORECASE,
)
# or its label, at once or in "of what you need from Orange"
NAMES = r"(?:\s+of\s+(?:[\w'’]+\s+){{1,5}}(?:from|on|to|at|towards?)\b)?\W*(?:of\s+)?(?:the\s+)?\W*{}\b"
OTHER_MATTERS = re.compile(
    r"accura|error|faster|slower|dropout|discount|increas|decreas|improv|reduc|sums? to|add(?:s|ing)? up|confiden|"
    r"of the time|test set|training data|memory|speed|battery|would|could|might|if |instead|should|let's say|suppose",
    re.IGNORECASE,
)
SPEAKS_OF_SHARES = re.compile(r"softmax|attention|attend|probabilit", re.IGNORECASE)
SPEAKS_OF_SCORES = re.compile(r"score|logit|dot[ -]product|q\s*[·⋅]\s*k|\\cdot|similarit|energ", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?])[\"”’')]*\s+(?=[\"“‘'(*]*[A-Z])|[;\n]")
COMMON = frozenset(
    [
        "the",
        "a",
        "an",
        "i",
        "it",
        "on",
        "in",
        "of",
        "to",
        "is",
        "and",
        "that",
        "this",
        "was",
        "are",
        "be",
        "at",
        "by",
        "for",
        "with",
        "as",
        "we",
        "you",
        "he",
        "she",
        "they",
        "or",
        "not",
        "so",
        "my",
        "your",
        "word",
        "token",
        "query",
        "key",
        "value",
    ]
)
LISTED = re.compile(
    r"^\s*(?:[-*+]\s+)?[\"“*`']*([^\W\d]\w*)[\"”*`']*\s*(?:[:=→|]|->)\s*([-−]?\d+(?:\.\d+)?)\s*[,;.]?\s*$"
)
INLINE = re.compile(
    r"[\"“'*`]*([^\W\d][\w-]*)[\"”'*`]*\s*(?:[:=(]|->|→)?\s*([-−]?\d+\.\d+|[-−]?\d+)(?=\s*[),;\]}.]|\s+and\b|\s*$)"
)
MOST_SHARES = 20  # in one sentence; more is a listing
FARTHEST = 60  # lines between a score row and a sentence about it


@dataclass(frozen=True)
class ScoreRow:
    """Labels and their scores, with the line they end on; `weights` where the page prints those too."""

    line: int
    labels: tuple[str, ...]
    scores: tuple[float, ...]
    owner: str = ""
    scaled: bool = False
    weights: tuple[float, ...] = ()


def check_shares(lines: list[Line], tables: list[Table], notebook: Notebook) -> None:
    """Judge every percentage that names a label of the nearest score row above it."""
    mentions = [
        line for line in lines if not line.is_code and len(line.text) <= LONGEST_LINE and PERCENT.search(line.text)
    ]
    if not mentions or not any(SPEAKS_OF_SHARES.search(line.text) for line in lines):
        return
    rows = score_rows(lines, tables)
    scaling = next((line.number for line in lines if SPEAKS_OF_SCALING.search(line.text)), 10**9)
    in_tables = {number for table in tables if table.separated for number in table.lines}
    for line in mentions:
        above = [row for row in rows if 0 <= line.number - row.line <= FARTHEST]
        if not above or line.number in in_tables:
            continue
        nearest = [row for row in above if row.line == above[-1].line or (row.owner and row.owner in line.text)]
        for sentence in SENTENCE.split(line.text):
            _check_sentence(sentence, line.number, nearest, scaling < line.number, notebook)


def score_rows(lines: list[Line], tables: list[Table]) -> list[ScoreRow]:
    """Every row of labelled scores on a page, from top to bottom."""
    texts = {line.number: line.text for line in lines}
    rows: list[ScoreRow] = []
    for table in tables:
        rows += _from_columns(table) or _from_rows(table, texts)
    taken = {number for table in tables if table.separated for number in table.lines}
    rows += _from_lists([line for line in lines if line.number not in taken])
    return sorted(rows, key=lambda row: row.line)


def label_of(text: str) -> str:
    """The word a cell names: `Orange (K) Slate Blue` is Orange.

    >>> label_of('"cat" (K)'), label_of("**the**")
    ('cat', 'the')
    """
    return re.sub(r"[^\w\s-]", "", text.partition("(")[0]).strip()


def _from_columns(table: Table) -> list[ScoreRow]:
    """A column of scores beside a column of labels."""
    meanings = [meaning_of(name) for name in table.header]
    scores = [at for at, meaning in enumerate(meanings) if meaning == "score"]
    if not scores or 0 in scores:
        return []
    roles = roles_of(table.header)
    at = roles.score if roles else scores[-1]
    cells = table.column(at)
    kept = [(label_of(row[0]), cell) for (_, row), cell in zip(table.rows, cells, strict=True) if cell is not None]
    if len(kept) < 2 or len(kept) != len(table.rows):
        return []
    printed = [cell.value for cell in table.column(roles.weight) if cell is not None] if roles else []
    weights = tuple(printed) if len(printed) == len(kept) else ()
    labels, scores_there = tuple(label for label, _ in kept), tuple(cell.value for _, cell in kept)
    return [
        ScoreRow(table.last_line, labels, scores_there, scaled=bool(roles and roles.raw is not None), weights=weights)
    ]


def _from_rows(table: Table, texts: dict[int, str]) -> list[ScoreRow]:
    """Rows of scores below a header of labels, where the page says that they are scores."""
    around = " ".join(texts.get(number, "") for number in range(table.lines[0] - 5, table.last_line + 3))
    if not SPEAKS_OF_SCORES.search(around):
        return []
    labels = tuple(label_of(name) for name in table.header[1:])
    found: list[ScoreRow] = []
    for line, cells in table.rows:
        numbers = [number_in(cell, line) for cell in cells[1:]]
        kept = [cell for cell in numbers if cell is not None and not cell.percent]
        if len(kept) != len(labels) or len(kept) < 2 or not all(labels):
            continue
        scores = tuple(cell.value for cell in kept)
        if all(0 <= score <= 1 for score in scores) and abs(sum(scores) - 1) < 0.03:
            continue  # these are the weights already
        found.append(ScoreRow(line, labels, scores, owner=label_of(cells[0])))
    return found


def _from_lists(lines: list[Line]) -> list[ScoreRow]:
    """`scores: cat 2.0, dog 1.0` on one line, or one label to a line below a line that speaks of scores."""
    found: list[ScoreRow] = []
    listed: list[tuple[str, float]] = []
    spoken = -10
    for line in [*lines, Line(10**9, "")]:
        entry = LISTED.match(line.text) if len(line.text) < 200 else None
        if entry and (listed or line.number - spoken <= 3):
            listed.append((entry[1], float(entry[2].replace("−", "-"))))
            spoken = max(spoken, line.number - 2)
            continue
        if len(listed) >= 2:
            found.append(_row(line.number - 1, listed))
        listed = []
        for sentence in SENTENCE.split(line.text[:LONGEST_LINE]):
            if SPEAKS_OF_SCORES.search(sentence) and not IS_SHARE_LINE.search(sentence):
                spoken = line.number
                pairs = _pairs(sentence)
                found += [_row(line.number, pairs)] if len(pairs) >= 2 else []
    return found


def _pairs(sentence: str) -> list[tuple[str, float]]:
    """Labels with their scores in one sentence; none if it does not name all of them."""
    if "…" in sentence or "..." in sentence:
        return []
    pairs = [(label, float(score.replace("−", "-"))) for label, score in INLINE.findall(sentence)]
    return [(label, score) for label, score in pairs if label.lower() not in COMMON | {"scores", "score", "logits"}]


IS_SHARE_LINE = re.compile(r"weight|probabilit|%", re.IGNORECASE)


def _row(line: int, pairs: list[tuple[str, float]]) -> ScoreRow:
    return ScoreRow(line, tuple(label for label, _ in pairs), tuple(score for _, score in pairs))


def _check_sentence(sentence: str, line: int, rows: list[ScoreRow], scaling: bool, notebook: Notebook) -> None:
    """Judge the percentages of one sentence."""
    if OTHER_MATTERS.search(sentence) or len(PERCENT.findall(sentence)) > MOST_SHARES:
        return
    for found in PERCENT.finditer(sentence):
        before = sentence[: found.start()]
        if BOUND.search(before):
            continue
        labels = _labels_near(sentence, found, rows[-1].labels)
        follows = sentence[found.end() :]
        named = any(re.match(NAMES.format(re.escape(label)), follows, re.IGNORECASE) for label in labels)
        if not labels or not (named or FOLLOWS.match(follows)):
            continue
        candidates = [(row, at) for row in rows for at in range(len(row.labels)) if row.labels[at].lower() in labels]
        about = bool(NEARLY.search(before))
        _judge(found[1], labels, candidates, line, scaling, about, notebook)


def _labels_near(sentence: str, found: re.Match[str], labels: tuple[str, ...]) -> list[str]:
    """The labels a percentage may speak of, the likeliest first: after it in its clause, then before it."""
    places: list[tuple[int, str]] = []
    for label in {label.lower() for label in labels if label}:
        for match in re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)(?!['’]s\b)", sentence, re.IGNORECASE):
            quoted = sentence[max(0, match.start() - 1) : match.start()] in tuple("\"“'‘*`")
            if label not in COMMON or quoted:
                places.append((match.start(), label))
    ends = [match.start() for match in PERCENT.finditer(sentence) if match.start() > found.start()]
    starts = [match.end() for match in PERCENT.finditer(sentence) if match.end() <= found.start()]
    clause = re.compile(r",|\band\b|\bwhile\b|\bbut\b|\bwhereas\b").search(sentence, found.end())
    end = min([*ends, clause.start() if clause else len(sentence), len(sentence)])
    after = sorted(place for place in places if found.end() <= place[0] < end)
    before = sorted(
        (place for place in places if (starts[-1] if starts else 0) <= place[0] < found.start()), reverse=True
    )
    return list(dict.fromkeys(label for _, label in [*after, *before]))


def _judge(
    printed: str,
    labels: list[str],
    candidates: list[tuple[ScoreRow, int]],
    line: int,
    scaling: bool,
    about: bool,
    notebook: Notebook,
) -> None:
    """Right if it is the share of any label it may speak of; wrong only for the likeliest."""
    judged: list[tuple[str, float, Verdict]] = []
    for label in labels:
        for row, at in candidates:
            if row.labels[at].lower() != label:
                continue
            share = float(softmax(np.array(row.scores))[at]) * 100
            if row.weights and _is_printed_weight(printed, row.weights[at]):
                return  # the table says so too, and was judged there
            judged.append((row.labels[at], share, verdict(printed, share, about=about)))
    right = next((one for one in judged if not one[2].fails), None)
    label, share, given = right or judged[0]
    if right is None and ((scaling and not candidates[0][0].scaled) or (about and abs(share - float(printed)) < 3)):
        notebook.leave("a percentage of scores that may have been scaled first")
        return
    digits = show(share) if share < 99 or not math.isclose(share, 100, abs_tol=1e-2) else f"{share:.6g}"
    notebook.claim(line, f"softmax share of {label}", f"{printed}%", f"{digits}%", given)


def _is_printed_weight(printed: str, weight: float) -> bool:
    return any(math.isclose(float(printed), weight * factor, rel_tol=1e-9) for factor in (1, 100))

"""Why a mismatch may be no mistake: a unit, a range, a label, another arithmetic.

A right number called wrong is the worst an audit can do, so each doubt turns a verdict into "left alone". They stand in
`data.toml` in the order in which they are asked: what must hold of the claim, and what is written around it.
"""

import math
import re
from bisect import bisect_right

from regard.audit import data
from regard.audit.chains import Member, Statement, written
from regard.audit.context import Page
from regard.audit.evaluate import Array
from regard.audit.grammar import END, Token
from regard.audit.judge import holds
from regard.audit.nodes import Node, Number, Vector, calls_in, is_whole, literals, mapped, walk
from regard.audit.units import may_convert, units_of

ABOVE = 15  # lines in which a page may have said that it reckons otherwise


def doubt(node: Node, value: Array, member: Member, statement: Statement, page: Page) -> str:
    """Why a mismatch may be no mistake; nothing if it is one."""
    claim, first, end = member.node or node, member.tokens[0], member.at + len(member.tokens)
    before, after = statement.tokens[max(0, member.at - 2)], [*statement.tokens, END][end]
    ratio = claim.value / (float(value) or math.inf) if isinstance(claim, Number) and not value.ndim else 1.0
    asked = {
        "computed": literals(claim) is None,
        "counts": is_whole(node) and not any(isinstance(part, Vector) for part in walk(claim)),
        "whole": is_whole(node) and "." not in member.text,
        "divides": "/" in calls_in(node),
        "code": statement.line.is_code and statement.line.language != "math",
        "far": not 1 / 3 < ratio < 3,
        "reread": any(holds(_reread(node, *signs), _reread(claim, *signs)) for signs in ((",", "."), (".", ""))),
        "unit": _has_unit(node, claim, value, before, after),
        "runs-on": first.kind == "number" and holds(node, Number(first.text, -1)),  # 5 + 3 = 8 * 2
    }
    says = _around(member, statement, page)
    for row in data.DOUBTS:
        patterns = [(getattr(data, row[at], row[at]), says[at]) for at in says.keys() & row.keys()]
        if all(asked[name] for name in row.get("when", "").split()) and all(re.search(*one) for one in patterns):
            return row["reason"]
    return ""


def _around(member: Member, statement: Statement, page: Page) -> dict[str, str]:
    """What is written around a claim, by the places that a doubt may look at."""
    tokens, end = statement.tokens, member.at + len(member.tokens)
    first = next(at for at, token in enumerate(tokens) if token.kind == "relation")
    lines = [page.texts.get(member.line + at, "") for at in range(-2, 3)]
    whole, start = "\n".join(lines), len("\n".join([*lines[:2], ""]))
    place = max(start, whole.find(member.text.split(" ")[0], start))
    ends = [0, *(found.end() for found in data.SENTENCE_END.finditer(whole)), len(whole) + 1]
    at = bisect_right(ends, place)
    return {
        "left": written(tokens[:first]),
        "before": written(tokens[: member.at]),
        "relation": member.relation,
        "claim": member.text,
        "after": written(tokens[end:]),
        "statement": written(tokens),
        "sentence": whole[ends[at - 1] : ends[at]],
        "next": whole[ends[at] :],
        "far": page.near(member.line, ABOVE),
    }


def _has_unit(node: Node, claim: Node, value: Array, before: Token, after: Token) -> bool:
    """Whether a unit may explain it: 1024 * 1024 = 1 MB, but not 7 × 16 = 102 GB."""
    behind = after.text if after.kind == "word" and after.text.lower() not in data.NO_UNIT else ""
    if not behind and not units_of(node) and not units_of(claim):
        return False
    if not isinstance(claim, Number) or value.ndim:
        return True
    strange = not {*units_of(node), before.unit} <= {"", claim.unit}
    return may_convert(claim, float(value), node, strange)


def _reread(node: Node, old: str, new: str) -> Node:
    """The same with decimals for thousands, or the other way round: 2,236 is √5 on many pages."""
    pattern = re.compile(rf"^(\d{{1,3}}){re.escape(old)}(\d{{3}})$")
    return mapped(node, lambda leaf: leaf._replace(text=pattern.sub(rf"\1{new}\2", leaf.text)))  # no name is a number

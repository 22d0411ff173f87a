"""Why a mismatch may be no mistake, and is left alone: a unit, a range, a label, another arithmetic."""

import math
import re
from bisect import bisect_right

import numpy as np

from regard.audit import data, nodes
from regard.audit.chains import Member, Statement, written
from regard.audit.context import Page
from regard.audit.evaluate import Array, evaluate
from regard.audit.grammar import END, Token
from regard.audit.judge import holds
from regard.audit.nodes import Node, Number, Vector, calls_in, is_computation, is_whole, literals, mapped, walk
from regard.audit.verdict import slipped, verdict

SCALES = [1 / math.log(2), 7, 12, 24, 60, 100, 365, 1e3, 1024, 3600, 1e6, 2**20, 1e9, 2**30, 1e12, 1e15]
BINARY = {"KiB": 1.024, "MiB": 1.024**2, "GiB": 1.024**3}
NEAR, ABOVE = 2.1, 15  # what is further off may be in another unit; lines that may say that a page reckons otherwise


def doubt(node: Node, member: Member, chain: Member, statement: Statement, page: Page) -> str:
    """Why a mismatch may be no mistake, in a chain that begins there; nothing if it is one."""
    claim, value, first = member.node or node, evaluate(node), member.tokens[0]
    before, after = statement.tokens[max(0, member.at - 2)], [*statement.tokens, END][member.end]
    ratio = claim.value / (float(value) or math.inf) if isinstance(claim, Number) and not value.ndim else 1.0
    percent = isinstance(claim, Number) and claim.percent
    parts = [part for part in walk(node) if is_computation(part)] if percent else []
    summands = nodes.numbers_in(node)[:9] if calls_in(node) == {"sum"} else []
    no_decimals = not any(token.text.startswith("0.") for token in statement.tokens[chain.at : member.end])
    asked = {
        "computed": literals(claim) is None,
        "counts": is_whole(node) and not any(isinstance(part, Vector) for part in walk(claim)),
        "whole": is_whole(node) and "." not in member.text,
        "divides": "/" in calls_in(node),
        "code": statement.line.block > 0 and statement.line.language != "math",
        "far": not 1 / 3 < ratio < 3,
        "negative": bool(np.all(value < 0)),
        "reread": _holds_reread(node, claim, ",", ".") or (no_decimals and _holds_reread(node, claim, ".", "")),
        "unit": _may_convert(node, claim, value, before, after),
        "points": isinstance(claim, Number) and any(holds(part, claim._replace(percent=False)) for part in parts),
        "twice": any(holds(nodes.Call("+", (node, n)), claim) for n in summands),
        "runs-on": first.kind == "number" and holds(node, Number(first.text, -1)),  # 5 + 3 = 8 * 2
    }
    says = _around(member, chain, statement, page)
    for row in data.DOUBTS:
        patterns = [(getattr(data, row[at], row[at]), says[at]) for at in says.keys() & row.keys()]
        if all(asked[name] for name in row.get("when", "").split()) and all(re.search(*one) for one in patterns):
            return row["reason"]
    return ""


def _around(member: Member, chain: Member, statement: Statement, page: Page) -> dict[str, str]:
    """What is written around a claim, by the places that a doubt may look at."""
    tokens, first = statement.tokens, chain.at - 1 if chain.relation else chain.end
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
        "after": written(tokens[member.end :]),
        "statement": written(tokens),
        "sentence": whole[ends[at - 1] : ends[at]],
        "next": whole[ends[at] :],
        "far": page.near(member.line, ABOVE),
    }


def _holds_reread(node: Node, claim: Node, old: str, new: str) -> bool:
    """Whether it holds with decimals for thousands, or the other way round: 2,236 is √5 on many pages."""
    signs = rf"^(\d{{1,3}}){re.escape(old)}(\d{{3}})$", rf"\1{new}\2"  # no name is a number
    one, other = (mapped(part, lambda leaf: leaf._replace(text=re.sub(*signs, leaf.text))) for part in (node, claim))
    return (one, other) != (node, claim) and holds(one, other)


def _may_convert(reference: Node, claim: Node, computed: Array, before: Token, after: Token) -> bool:
    """Whether a claim that is not the value may be right in a unit that the page does not say, by the tokens around it:
    1024 * 1024 = 1 MB, but not 7 × 16 = 102 GB. So may a quotient made whole (100 / 8 = 13 batches), and a scale."""
    units = {number.unit for number in nodes.numbers_in(reference)} - {""}
    told = (after.kind == "word" and after.text.lower() not in data.NO_UNIT) or units or getattr(claim, "unit", "")
    if not told or not isinstance(claim, Number) or computed.ndim:
        return bool(told)
    value, said, strange = float(computed), claim.printed.value, not units | {before.unit} <= {"", claim.unit}
    rest = not calls_in(reference).isdisjoint({"/", "//"}) and not claim.decimals and abs(value - said) < 1
    near = 1 / NEAR < value / (said or math.inf) < NEAR or slipped(claim.text, value)
    scales = (by for one in SCALES for by in (one, 1 / one, 1 / BINARY.get(claim.unit, 1.0)))
    scaled = (not verdict(claim.text, value * by, about=by < 1e-2).fails for by in scales)  # 800K is rough
    return not said or not value or rest or (strange and not near) or any(scaled)

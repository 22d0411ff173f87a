"""The rule for arithmetic in brackets behind its result: "65 % (22.5 + 42.5) were happy"."""

from contextlib import suppress

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import evaluate
from regard.audit.finding import occurrences
from regard.audit.grammar import parse
from regard.audit.nodes import Number, Unreadable, is_computation
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE
from regard.audit.verdict import Verdict, slipped


def check_bracketed(page: Page) -> None:
    """Judge every number that its own arithmetic follows, where it is right or a digit away."""
    judged = {(finding.line, finding.claimed.rstrip("%")) for finding in page.findings}
    prose = [line for line in page.lines if not line.is_code and len(line.text) <= LONGEST_LINE and "(" in line.text]
    for line in prose:
        for found in data.BEHIND_IN_BRACKETS.finditer(line.text) if line.number not in page.in_tables else ():
            number = Number(found[1].replace("−", "-"), -1, bool(found[2]), line.number)
            with suppress(Unreadable):
                node = parse(plain(found[3]))
                if not is_computation(node) or (line.number, number.text) in judged:
                    continue
                value = float(evaluate(node, {}))
                value *= 0.01 if number.percent and abs(value) > 1 else 1.0
                fits = abs(value - number.value) <= number.step * 0.5001
                if fits or slipped(number.text, value * (100 if number.percent else 1)):
                    given = Verdict.exact if fits else Verdict.wrong
                    nth = len(occurrences(line.text[: found.start()], number.text))
                    page.number(found[3], number, value, given, nth, node)

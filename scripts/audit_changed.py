"""What `regard check` says when a right number is changed: `python scripts/audit_changed.py [PAGES] [SEED]`.

Takes pages of tests/audit/seen that are right, changes one number that the audit has found right, and reads the page
again. Prints the share that is called wrong then, and each number that is not, with the reasons why its line was left
alone. What is confirmed but never doubted is where a rule is too careful.
"""

import random
import re
import runpy
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from regard.audit.finding import Finding
from regard.audit.page import audit
from regard.audit.verdict import Printed
from regard.text.decoding import read_page

SCORE = runpy.run_path(str(Path(__file__).with_name("audit_score.py")))
EACH = 3  # numbers of a page
DEFAULTS = (500, 0)  # how many pages, and which
FACTORS = (0.5, 0.8, 1.1, 1.25, 2)
PLAIN = re.compile(r"[\d.,]*\d")


class Changed(NamedTuple):
    """A number that was right, what was written in its place, and what came of it."""

    place: str
    what: str
    change: str
    found: bool
    reasons: tuple[str, ...]


def another(text: str, choice: random.Random) -> str:
    """A number as long as this one, with another digit, or several times as large."""
    number, comma = Printed.read(text), "," if "," in text else ""
    if choice.random() < 0.5:
        return f"{abs(number.value) * choice.choice(FACTORS):{comma}.{number.decimals}f}"
    at = choice.choice([at for at, sign in enumerate(text) if sign.isdigit()][:3])
    return text[:at] + choice.choice([digit for digit in "123456789" if digit != text[at]]) + text[at + 1 :]


def changed(page: Path) -> Iterator[Changed]:
    """Some numbers of a page, each changed alone."""
    choice, text = random.Random(page.name), read_page(page)
    before = audit(text, str(page))
    right = [one for one in before.findings if one.place and PLAIN.fullmatch(one.claimed) and not one.verdict.fails]
    for finding in choice.sample(right, min(EACH, len(right))):
        line, start, end = finding.place or (0, 0, 0)
        lines = text.split("\n")
        old = lines[line - 1][start:end]
        new = another(old, choice)
        if abs(Printed.read(new).value - Printed.read(old).value) > 2 * Printed.read(old).unit:
            lines[line - 1] = lines[line - 1][:start] + new + lines[line - 1][end:]
            after = audit("\n".join(lines), str(page))
            reasons = tuple(why for at, why in after.skipped if at == line and (at, why) not in before.skipped)
            name = f"{page.parent.name}/{page.name}:{line}"
            yield Changed(name, finding.what, f"{old} → {new}", is_found(after.failures, line, new), reasons)


def is_found(failures: tuple[Finding, ...], line: int, new: str) -> bool:
    return any(one.line == line and one.claimed.strip("-%") == new for one in failures)


def of_page(page: Path) -> list[Changed]:
    return list(changed(page))


def main() -> None:
    """Print what is not found, why, and the share that is."""
    given = sys.argv[1:]
    if len(given) > 2 or not all(map(str.isdigit, given)) or given[:1] == ["0"]:
        sys.exit(f"got {' '.join(given)}; expected how many pages, at least 1, and a seed: 500 0")
    count, seed = map(int, [*given, *DEFAULTS[len(given) :]])
    right = [page for page, wrong in SCORE["planted"](SCORE["PAGES"].with_name("seen")) if not wrong]
    pages = random.Random(seed).sample(right, min(count, len(right)))
    with Pool() as pool:
        rows = [row for some in pool.map(of_page, pages, chunksize=8) for row in some]
    missed = [row for row in rows if not row.found]
    for row in missed:
        print(f"  {row.place}: {row.what}: {row.change} ({', '.join(row.reasons) or 'no reason'})")
    for why, times in Counter((row.reasons or ("no reason",))[0] for row in missed).most_common():
        print(f"{times:5} {why}")
    if not rows:
        sys.exit(f"no number of these {len(pages)} pages could be changed; take more of them")
    found = len(rows) - len(missed)
    print(f"{len(rows)} right numbers of {len(pages)} pages changed, {found} called wrong ({found / len(rows):.1%})")


if __name__ == "__main__":
    main()

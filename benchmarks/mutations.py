"""Do the tests notice? Breaks one place at a time and runs tests against the broken copy: the quick ones of the maths,
or those that a breakage names.

    python benchmarks/mutations.py            all of them, two at a time
    python benchmarks/mutations.py rotary     those whose reason has this word
    python benchmarks/mutations.py server/    those in files whose path has this part

Nothing in the working tree is touched: sources and tests are copied to a temporary folder. Prints for each breakage
the test that caught it, and how many of how many were caught; exits with 1 if any survived.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from breakages import MUTATIONS as OF_THE_MATHS
from breakages import Mutation
from breakages_of_bounds import MUTATIONS as OF_BOUNDS
from breakages_of_the_gate import MUTATIONS as OF_THE_GATE
from breakages_of_trust import MUTATIONS as OF_TRUST

MUTATIONS = (*OF_THE_MATHS, *OF_BOUNDS, *OF_THE_GATE, *OF_TRUST)

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 2
LIMIT_SECONDS = 900
NO_END = 124  # a status for tests that did not end: nothing failed, so nothing was caught
# the quickest and the most telling first; the run stops at the first failure
TESTS = (
    "models/test_loss.py",
    "models/test_transformer_by_definition.py",
    "models/test_plain.py",
    "models/test_gradients_of_variants.py",
    "ops",
    "trace/test_gradients_under_edits.py",
    "trace/test_edits_and_updates.py",
    "attending",
    "models/test_worked_examples.py",
    "models/test_concat.py",
    "lens/test_flow.py",
    "lens/test_measurements.py",
    "lens/test_contributions.py",
    "lens/test_gravity.py",
    "lens/test_logit_lens.py",
    "trace/test_arithmetic.py",
    "trace/test_addresses.py",
    "models/test_glass_and_settings.py",
    "properties",
)
SLOW = "not 10750 and not how_many_updates"


def copied(folder: Path) -> Path:
    for part in ("src", "tests", "scripts", "web/src"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copy(ROOT / "README.md", folder)
    return folder


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def check_that_the_copy_is_what_runs(folder: Path) -> None:
    where = subprocess.run(
        [sys.executable, "-c", "import regard; print(regard.__file__)"],
        cwd=folder, env=environment(folder), capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    if not Path(where).is_relative_to(folder):
        sys.exit(f"the tests would run {where}, not the copy in {folder}")


def tested(folder: Path, tests: Iterable[str], limit: float | None) -> tuple[int, str]:
    """The exit status of some tests, and the first that failed or the end of what was printed."""
    paths = [str(folder / "tests" / test) for test in tests]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--tb=no", "--no-header", "-k", SLOW, *paths]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return NO_END, f"no end after {limit} seconds"
    failed = re.search(r"^(?:FAILED|ERROR) (?:\S*/)?tests/(\S+?\.py(?:::\w+)?)", done.stdout, re.MULTILINE)
    return done.returncode, failed.group(1) if failed else (done.stdout + done.stderr)[-2000:]


def check_that_each_can_be_applied() -> None:
    wrong = [
        f"{m.file}: {m.old!r} occurs {count} times ({m.why})"
        for m in MUTATIONS
        if (count := (ROOT / m.file).read_text(encoding="utf-8").count(m.old)) != 1
    ]
    if wrong:
        sys.exit("each breakage must fit in exactly one place:\n" + "\n".join(wrong))


def main() -> int:
    check_that_each_can_be_applied()
    chosen = [m for m in MUTATIONS if all(word in m.why or word in m.file for word in sys.argv[1:])]
    start = time.perf_counter()
    survived: list[Mutation] = []
    with tempfile.TemporaryDirectory(prefix="regard-mutations-") as temporary:
        free: Queue[Path] = Queue()
        for number in range(AT_ONCE):
            free.put(copied(Path(temporary) / str(number)))
        whole = free.get()
        check_that_the_copy_is_what_runs(whole)
        status, said = tested(whole, dict.fromkeys(test for m in chosen for test in m.tests or TESTS), limit=None)
        free.put(whole)
        if status != 0:
            sys.exit(f"the tests do not pass before anything is broken: {said}")
        print(f"unbroken: all these tests pass in {time.perf_counter() - start:.0f} s", flush=True)

        def judge(broken: Mutation) -> tuple[Mutation, int, str]:
            folder = free.get()
            path = folder / broken.file
            whole = path.read_text(encoding="utf-8")
            try:
                path.write_text(whole.replace(broken.old, broken.new), encoding="utf-8")
                return broken, *tested(folder, broken.tests or TESTS, LIMIT_SECONDS)
            finally:
                path.write_text(whole, encoding="utf-8")
                free.put(folder)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for broken, status, said in pool.map(judge, chosen):
                # 1 is "tests failed"; anything else means that the tests could not be collected, or did not end
                caught = status == 1
                if not caught:
                    survived.append(broken)
                verdict = "caught  " if caught else "SURVIVED" if status == 0 else "UNCLEAR "
                print(f"{verdict}  {broken.why:62s}  {said if caught or status else ''}".rstrip(), flush=True)
    print(f"\n{len(chosen) - len(survived)} of {len(chosen)} caught in {time.perf_counter() - start:.0f} s")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())

"""Installs requirements-dev.lock into this environment: exactly these versions, and of each only known files.

A file with another SHA-256 ends it. Where an index simply does not have one of the versions, it says so and ends
well: what is missing is then installed from the open ranges of pyproject.toml.
"""

import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).resolve().parents[1] / "requirements-dev.lock"
CHANGED = "DO NOT MATCH THE HASHES"  # pip's words for it
ABSENT = "No matching distribution found"


def outcome(code: int, said: str) -> tuple[int, str]:
    """The exit code, and what to say.

    >>> outcome(1, "ERROR: No matching distribution found for ruff==0.17.4")[0], outcome(1, "anything else")[0]
    (0, 1)
    """
    if code == 0:
        return 0, ""
    if ABSENT in said and CHANGED not in said:
        which = said[said.rindex(ABSENT) :].splitlines()[0]
        return 0, f"the lock is not used, since this index does not have all of it ({which}); versions may differ"
    return code, f"the lock could not be installed: {said.strip()[-2000:]}"


def main() -> int:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, "--require-hashes", "-r", str(LOCK)], capture_output=True, text=True)
    code, told = outcome(done.returncode, done.stdout + done.stderr)
    if told:
        print(told, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())

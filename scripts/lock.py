"""What development and CI install, exactly: writes requirements-dev.lock from pyproject.toml (`make lock`; needs uv).

Users get the open ranges of pyproject.toml; whoever works on regard gets these versions, on every system and Python,
and of each only files with a known SHA-256. torch and triton stay outside: their wheels differ from machine to machine
(CPU, CUDA), so constraints.txt names torch's version, and only what torch itself needs is locked.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements-dev.lock"
UNLOCKED = ("torch", "triton")
OF_TORCH = ("filelock", "fsspec", "jinja2", "networkx", "setuptools", "sympy", "typing-extensions")
FOR_EDITABLE = ("editables",)  # what hatchling needs to install a working tree
HEADER = "# Written by scripts/lock.py (make lock); torch and triton are not here, see there.\n"


def name_of(requirement: str) -> str:
    """
    >>> name_of("mkdocstrings[python]>=0.27"), name_of("typing_extensions")
    ('mkdocstrings', 'typing-extensions')
    """
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def wanted() -> list[str]:
    """Everything that pyproject.toml asks for to run, to build and to develop regard, but what is not locked."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    asked = [*settings["build-system"]["requires"], *project["dependencies"], *project["optional-dependencies"]["dev"]]
    return [r for r in asked if name_of(r) not in UNLOCKED] + [*OF_TORCH, *FOR_EDITABLE]


def main() -> int:
    command = [
        *(sys.executable, "-m", "uv", "pip", "compile", "-", "--universal", "--python-version", "3.11"),
        *("--generate-hashes", "--no-annotate", "--no-header", "--quiet", *sys.argv[1:]),
    ]
    done = subprocess.run(command, input="\n".join(wanted()), capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"the lock was not written: {done.stderr.strip()[-1000:]}")
    # where a package is fetched from is everybody's own affair
    lines = [line for line in done.stdout.splitlines() if not line.startswith(("--", "-i ", "#"))]
    LOCK.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    print(f"{LOCK.name}: {sum('==' in line for line in lines)} versions, {done.stdout.count('sha256:')} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())

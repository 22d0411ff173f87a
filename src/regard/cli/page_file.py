"""The HTML file that a command writes: checked before anything is computed."""

import os
from pathlib import Path

ENDINGS = (".html", ".htm")


def check_page_file(out: Path, suggested: str, *read: str | os.PathLike[str] | None) -> None:
    """Refuse a folder, a file that the command reads, and a name that says it is something else than HTML."""
    if out.is_dir():
        raise ValueError(f"{out} is a folder; give the name of a file, such as {out / suggested}")
    if out.exists() and any(given is not None and os.path.exists(given) and out.samefile(given) for given in read):
        raise ValueError(f"{out} is the file that is read, and would be gone; give another name with -o")
    is_file = out.is_file() or not out.exists()  # not a pipe, nor /dev/stdout
    if is_file and out.suffix.lower() not in ENDINGS:
        raise ValueError(f"what is written is HTML, got the name {out}; write -o {out.with_suffix('.html')}")

"""Functions of more than 40 lines, the longest first: `python scripts/long_functions.py [most lines]`."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_LINES = 40


def functions(node: ast.AST, within: str = "") -> Iterator[tuple[str, int, int]]:
    """Every function by its full name, the line it begins at, and how many lines it has with its decorators."""
    for child in ast.iter_child_nodes(node):
        name = within
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{within}.{child.name}".lstrip(".")
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
            yield name, first, (child.end_lineno or child.lineno) - first + 1
        yield from functions(child, name)


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else MOST_LINES
    found: list[tuple[int, str]] = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for name, line, length in functions(ast.parse(path.read_text())):
            if length > most:
                found.append((length, f"{path.relative_to(ROOT)}:{line} {name}"))
    for length, place in sorted(found, reverse=True):
        print(f"{length:4d}  {place}")
    print(f"{len(found)} functions of more than {most} lines")


if __name__ == "__main__":
    main()

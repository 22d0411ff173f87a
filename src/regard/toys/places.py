"""Where a key and its value stand in a TOML text: tomllib reads values but does not say where they were.

The text has been read by tomllib before, so it is sound TOML; this only follows its brackets, quotes and signs.
"""

import re
import tomllib
from dataclasses import dataclass, field

from regard.toys.problem import Path, ToyProblem

BARE = re.compile(r"[A-Za-z0-9_-]+")
SPACE, BLANK = re.compile(r"[ \t]*"), re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'", re.DOTALL)
SCALAR = re.compile(r"[^,\]}#\n]*")


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Counted from 1, in characters.

    >>> line_and_column("a\\nbc", 3)
    (2, 2)
    """
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


@dataclass
class Places:
    """Offsets by path: ("words", "fox", 1) is the second number of fox.

    >>> found = Places('a = 1\\n[words]\\nfox = [0.8, "x"]')
    >>> found.line_and_column(found.values["words", "fox", 1]), found.line_and_column(found.keys["words", "fox"])
    ((3, 13), (3, 1))
    """

    text: str
    keys: dict[Path, int] = field(default_factory=dict)
    values: dict[Path, int] = field(default_factory=dict)
    last: tuple[Path, int] = ((), 0)  # the key that was read last, and where it stands
    at: int = 0

    def __post_init__(self) -> None:
        under: Path = ()
        tables: dict[Path, int] = {}  # how many of [[each]] there have been
        self._skip(BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                double = self.text.startswith("[[", self.at)
                start = self.at
                self.at += 2 if double else 1
                under = self._key()
                if double:
                    tables[under] = tables.get(under, -1) + 1
                    under = (*under, tables[under])
                self.keys.setdefault(under, start)
                self.values.setdefault(under, start)
                self._skip(SPACE)
                self.at += 2 if double else 1
            else:
                self._pair(under)
            self._skip(BLANK)

    def find(self, path: Path, of_key: bool = False) -> tuple[int, int] | None:
        """Line and column of the value at a path, or of the nearest one that holds it; None where there is none."""
        for length in range(len(path), 0, -1):
            found = (self.keys if of_key and length == len(path) else self.values).get(path[:length])
            if found is not None:
                return self.line_and_column(found)
        return None

    def line_and_column(self, offset: int) -> tuple[int, int]:
        return line_and_column(self.text, offset)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        return found[0]

    def _key(self) -> Path:
        """A key with its dots: a."b c".d"""
        parts: list[str] = []
        while True:
            self._skip(SPACE)
            quoted = self.text[self.at] in "\"'"
            raw = self._skip(STRING if quoted else BARE)
            parts.append(tomllib.loads(f"key = {raw}")["key"] if quoted else raw)
            self._skip(SPACE)
            if self.text[self.at] != ".":
                return tuple(parts)
            self.at += 1

    def _pair(self, under: Path) -> None:
        start = self.at
        path = (*under, *self._key())
        self.at += 1  # =
        self._skip(SPACE)
        for length in range(len(under) + 1, len(path) + 1):  # a.b = 1 is a, too
            self.keys.setdefault(path[:length], start)
            self.values.setdefault(path[:length], self.at)
        self._value(path)
        self.last = path, start

    def _value(self, path: Path) -> None:
        self.values[path] = self.at
        sign = self.text[self.at]
        if sign in "\"'":
            self._skip(STRING)
        elif sign in "[{":
            self._inside(path, is_table=sign == "{")
        else:
            self._skip(SCALAR)

    def _inside(self, path: Path, is_table: bool) -> None:
        self.at += 1
        count = 0
        self._skip(BLANK)
        while self.text[self.at] not in "]}":
            if is_table:
                self._pair(path)
            else:
                self._value((*path, count))
            count += 1
            self._skip(BLANK)
            if self.text[self.at] == ",":
                self.at += 1
                self._skip(BLANK)
        self.at += 1


def located(problem: ToyProblem, text: str, name: str) -> ToyProblem:
    """The same problem, with the place in the text of a toy that it is at, if it is at one."""
    try:
        place = Places(text).find(problem.path, problem.of_key)
    except RecursionError:  # tomllib can follow a little deeper
        place = None
    where = name if place is None else f"{name}:{place[0]}:{place[1]}"
    return ToyProblem(f"{where}: {problem}", problem.path, problem.of_key)

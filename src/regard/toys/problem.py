"""What is wrong with a toy: a sentence, and which of its keys says so."""

from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]  # ("words", "fox", 1): the second number of the word fox


class ToyProblem(ValueError):
    """A toy that cannot work. In a file, `path` leads to the line and the column."""

    def __init__(self, message: str, path: Path = (), of_key: bool = False):
        super().__init__(message)
        self.path, self.of_key = path, of_key


def written(path: Path) -> str:
    """
    >>> written(("words", "fox", 1)), written(("W_Q", 0, 1))
    ('words.fox[1]', 'W_Q[0][1]')
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text

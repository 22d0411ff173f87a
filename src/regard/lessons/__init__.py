"""The worked examples of the seed documents: numbers, claims, and where they come from."""

from importlib import import_module

from regard.lessons.lesson import Lesson
from regard.suggestions import NotFound, suggestion

# name → module; each has a function `lesson()`. Imported when asked for, so that listing is quick.
LESSONS = {
    "fox": "fox",
    "three-words": "three_words",
    "cat": "cat",
    "matrix": "matrix",
    "apple": "apple",
    "heads": "heads",
    "two-heads": "two_heads",
    "cabinet": "cabinet",
    "it": "it",
    "rule": "rule",
    "gauge": "gauge",
    "root": "root",
    "masks": "masks",
}


def lesson(name: str) -> Lesson:
    """A lesson by its name.

    >>> lesson("fox").title
    'The quick brown fox jumps'
    """
    if name not in LESSONS:
        raise NotFound(f"no lesson {name!r}; {suggestion(name, LESSONS)}")
    return import_module(f"regard.lessons.{LESSONS[name]}").lesson()


__all__ = ["LESSONS", "Lesson", "lesson"]

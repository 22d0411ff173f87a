"""The worked examples of the documents: numbers, claims, and where they come from."""

from importlib import import_module

from regard.lessons.lesson import Lesson
from regard.models.names import LESSONS
from regard.suggestions import NotFound, suggestion


def lesson(name: str) -> Lesson:
    """A lesson by its name; its module, which has a function `lesson()`, is imported when asked for.

    >>> lesson("fox").title
    'The quick brown fox jumps'
    """
    if name not in LESSONS:
        raise NotFound(f"no lesson {name!r}; {suggestion(name, LESSONS)}")
    return import_module(f"regard.lessons.{LESSONS[name]}").lesson()


__all__ = ["LESSONS", "Lesson", "lesson"]

"""The worked examples of the documents: numbers, claims, and where they come from."""

from importlib import import_module

from regard.lessons.lesson import Lesson
from regard.suggestions import NotFound, suggestion

# name → module, in the order of the documents; each has a function `lesson()`. Imported when asked for, so that
# listing is quick.
LESSONS = {
    "gauge": "gauge",
    "pressure": "pressure",
    "root": "root",
    "cat": "cat",
    "cabinet": "cabinet",
    "it": "it",
    "matrix": "matrix",
    "four-heads": "four_heads",
    "two-heads": "two_heads",
    "heads": "heads",
    "new-sentences": "new_sentences",
    "function": "function",
    "rule": "rule",
    "vectors": "vectors",
    "glove": "glove",
    "apple": "apple",
    "masks": "masks",
    "fox": "fox",
    "three-words": "three_words",
    "backward": "backward",
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

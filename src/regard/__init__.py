"""regard: attention, made visible. Every number opens to the arithmetic that made it, forward and backward.

>>> import regard
>>> trace = regard.explain("The quick brown fox", next="jumps")
>>> print(trace.why("scores[fox,fox]"))
scores[fox,fox] = 1.00 = 0.80·0.80 + 0.60·0.60
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regard.arrays import MultiHead, attention
    from regard.attending.masks import both, causal, padding, window
    from regard.attending.weights import Weights
    from regard.audit.page import audit_file as check
    from regard.lens.explanation import explanation
    from regard.lens.gravity import gravity
    from regard.lens.weights import weights_of
    from regard.lessons import lesson
    from regard.models.catalogue import explain
    from regard.models.saved import load
    from regard.notebook import show
    from regard.reading import read
    from regard.sentences import similar
    from regard.toys.toy import toy
    from regard.trace.trace import Trace
    from regard.vectors.wordvectors import WordVectors
    from regard.views.figure import figure
    from regard.watching.changing import Cut, Replace, Silence
    from regard.watching.patching import patch
    from regard.watching.watch import watch

# what a user needs, and where it lives; fetched when first asked for, so that importing regard does nothing
_WHERE = {
    "Cut": "regard.watching.changing",
    "MultiHead": "regard.arrays",
    "Replace": "regard.watching.changing",
    "Silence": "regard.watching.changing",
    "Trace": "regard.trace.trace",
    "Weights": "regard.attending.weights",
    "WordVectors": "regard.vectors.wordvectors",
    "attention": "regard.arrays",
    "both": "regard.attending.masks",
    "causal": "regard.attending.masks",
    "check": "regard.audit.page:audit_file",
    "explain": "regard.models.catalogue",
    "explanation": "regard.lens.explanation",
    "figure": "regard.views.figure",
    "gravity": "regard.lens.gravity",
    "lesson": "regard.lessons",
    "load": "regard.models.saved",
    "padding": "regard.attending.masks",
    "patch": "regard.watching.patching",
    "read": "regard.reading",
    "show": "regard.notebook",
    "similar": "regard.sentences",
    "toy": "regard.toys.toy",
    "watch": "regard.watching.watch",
    "weights_of": "regard.lens.weights",
    "window": "regard.attending.masks",
}

__version__ = "0.1.0"
__all__ = [
    "Cut",
    "MultiHead",
    "Replace",
    "Silence",
    "Trace",
    "Weights",
    "WordVectors",
    "attention",
    "both",
    "causal",
    "check",
    "explain",
    "explanation",
    "figure",
    "gravity",
    "lesson",
    "load",
    "padding",
    "patch",
    "read",
    "show",
    "similar",
    "toy",
    "watch",
    "weights_of",
    "window",
]


def __getattr__(name: str) -> Any:
    if name == "nn":  # parts for torch models, which not everybody has
        return import_module("regard.nn")
    if name not in _WHERE:
        raise AttributeError(f"module 'regard' has no attribute {name!r}")
    module, _, inside = _WHERE[name].partition(":")
    return getattr(import_module(module), inside or name)


def __dir__() -> list[str]:
    return [*globals(), *_WHERE, "nn"]

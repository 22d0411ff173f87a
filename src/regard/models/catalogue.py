"""The models that come with regard, by name, and the shortest way to a trace."""

import os
from importlib import import_module

from regard.models.model import Model
from regard.suggestions import NotFound, suggestion
from regard.trace import Trace

# name → where it is made; imported when asked for
MODELS = {
    "fox": ("regard.models.toys.fox", "fox"),
    "three-words": ("regard.models.toys.fox", "three_words"),
    "two-heads": ("regard.models.toys.two_heads", "two_heads"),
    "apple": ("regard.models.toys.apple", "apple"),
    "untrained": ("regard.models.toys.untrained", "untrained"),
    "english": ("regard.models.english", "english"),
    "masked": ("regard.models.masked", "masked"),
}


def find_model(name: str) -> Model:
    """A model that comes with regard, by its name; one that was trained here, or a Hugging Face one, by its folder."""
    if name not in MODELS and (os.path.isdir(name) or os.sep in name):
        from regard.models.huggingface.folder import huggingface, is_huggingface
        from regard.models.trained import trained

        return huggingface(name) if is_huggingface(name) else trained(name)
    if name not in MODELS:
        raise NotFound(f"no model {name!r}; {suggestion(name, MODELS)}")
    module, function = MODELS[name]
    return getattr(import_module(module), function)()


def usual_model(text: str, next: str | None) -> str:
    """The model for a text when none is named: english, but the toy for the documents' own sentence and next word.

    >>> usual_model("The cat sat on the", "mat"), usual_model("The quick brown fox", "jumps")
    ('english', 'fox')
    """
    from regard.models.toys.fox import SENTENCE, WRITES

    return "fox" if text.split() == SENTENCE.split() and next in WRITES else "english"


def explain(
    text: str, next: str | None = None, model: str | None = None, mask: str | None = None, query: str | None = None
) -> Trace:
    """Run a text through a model and keep every number: through the English one that comes along, if none is named.

    With `next`, the word that should follow, the trace has a loss and gradients. Printing it shows all twelve stages.

    >>> trace = explain("The quick brown fox", next="jumps")
    >>> trace.predicted, round(float(trace.array("loss")), 4)
    ('fox', 1.312)
    >>> trace.update(rate=0.1).predicted
    'jumps'
    """
    trace = find_model(model or usual_model(text, next)).run(text, next, mask, query)
    return trace.backward() if "loss" in trace.steps else trace

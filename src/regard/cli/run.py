"""From the options of a command to a trace: model, text, mask, and what is done to the run, in order."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from regard.suggestions import NotFound

if TYPE_CHECKING:
    from regard.lens.prediction import Prediction
    from regard.models.model import Model
    from regard.session.changes import Change
    from regard.trace import Trace


def trace_for(
    text: str | None,
    next: str | None,
    model: str | None,
    mask: str | None = None,
    query: str | None = None,
    changes: "Iterable[Change]" = (),
    last: int | None = None,
    as_written: bool = False,
) -> "Trace":
    """The run that the options ask for. Without a text: the model's own sentence and next word."""
    from regard.models.catalogue import find_model, usual_model
    from regard.models.cropping import last_tokens
    from regard.models.tasks import wanted

    found = find_model(model or ("fox" if text is None else usual_model(text, next)))
    if text is None:
        text, next = _own_sentence(found), None if as_written else next or found.next
    text = text if last is None else last_tokens(found, text, last)
    if as_written and next is not None:
        raise ValueError("--as-written hides nothing, so there is no word to be guessed; leave --next out")
    trace = found.as_written(text, mask, query) if as_written else found.run(text, next, mask, query)
    if trace.info["task"] != "classify" and wanted(next, found.tokenizer.one_word)[1]:
        from regard.cli.output import say

        say(f"note: {found.in_pieces(str(next))}", error=True)
    trace = trace.backward() if "loss" in trace.steps else trace
    with naming_the_model(trace, None if model else text):
        for change in changes:
            from regard.session.changes import applied

            trace = applied(trace, change)
    return trace


@contextmanager
def naming_the_model(trace: "Trace", chosen_for: str | None) -> Iterator[None]:
    """A cell that is not found is told with the model, where it was chosen for a text: a toy may have been meant."""
    try:
        yield
    except NotFound as error:
        if chosen_for is None:
            raise
        from regard.models.catalogue import toy_with

        model, toy = trace.info["model"], toy_with(chosen_for)
        other = f"; the toy with these words is --model {toy}" if toy not in (None, model) else ""
        raise NotFound(f"{error} (the text was read by {model}{other})") from None


def _own_sentence(found: "Model") -> str:
    if not found.sentence:
        raise ValueError(f"{found.name} has no sentence of its own; give a text")
    return found.sentence


def table_of(model: str) -> "Trace | None":
    """The vectors of a file of word vectors, where a model is such a file."""
    from regard.vectors.finding import find_vectors, vectors_file

    return None if vectors_file(model) is None else find_vectors(model).trace()


def random_run(trace: "Trace", mask: str | None) -> "Trace | None":
    """Random words, read twice by the model of a run; None where it knows too few, or reads too short a text."""
    from regard.lens.naming import random_words
    from regard.models.catalogue import find_model

    model = find_model(str(trace.info["model"]))
    words = random_words(model.reads)
    return model.read(words, mask=mask) if 0 < len(words) <= model.settings.max_tokens else None


def written_for(
    text: str | None,
    model: str | None,
    mask: str | None,
    count: int,
    temperature: float,
    top: int,
    mass: float,
    seed: int,
    last: int | None = None,
) -> "tuple[str, list[Prediction], Trace]":
    """The text with the words that a model adds to it, each at a glance, and the run that chose the last."""
    from regard.lens.prediction import prediction
    from regard.models.catalogue import find_model, usual_model
    from regard.models.cropping import TooLong, last_tokens
    from regard.models.writing import runs_of, write_on

    found = find_model(model or usual_model(text or "", None))
    text = _own_sentence(found) if text is None else text
    text = text if last is None else last_tokens(found, text, last)
    written = list(write_on(found, text, count, temperature, top, seed, mask, mass))
    if not written:
        raise TooLong(found.name, len(found.asked(text).words), found.settings.max_tokens)
    newest = written[-1]
    trace = found.read(newest.words[:-1], newest.word, mask).backward()
    told = [prediction(run, one.word) for run, one in zip(runs_of(written), written)]
    return found.tokenizer.joined(newest.words), told, trace

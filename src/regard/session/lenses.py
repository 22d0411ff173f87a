"""Lenses of a state: each measures a trace, and its numbers are sent as they are."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from regard.lens.alike import cosines
from regard.lens.contributions import contributions
from regard.lens.explanation import explanation
from regard.lens.gravity import gravity, written
from regard.lens.logit_lens import every_position, logit_lens
from regard.lens.naming import named_heads, random_words
from regard.lens.overview import overview
from regard.lens.picture import flow_picture
from regard.models.model import Model
from regard.models.writing import runs_of, write_on
from regard.session import limits
from regard.session.bounding import bounded
from regard.session.encode import encoded
from regard.session.questions import GenerateQuestion, LensQuestion
from regard.session.refusal import TooLarge
from regard.session.traces import Traces, too_many_weights, weights_in
from regard.trace import Trace

Wanted = Callable[[], None]


@bounded
def lens(wanted: Wanted, traces: Traces, asked: LensQuestion) -> bytes:
    """A measurement of a run: candidates per layer, contextual gravity, importance, contributions, all heads."""
    return encoded({"kind": asked.kind, **LENSES[asked.kind](wanted, traces, asked)})


def _logit_lens(wanted: Wanted, traces: Traces, asked: LensQuestion) -> dict[str, Any]:
    trace = traces.of(asked, wanted).trace
    found: dict[str, Any] = {
        "query": int(trace.array("query")),
        "layers": [layer.data() for layer in logit_lens(trace, asked.top)],
    }
    if asked.positions == "all":
        wanted()
        found["positions"] = [trace.labels.shown("T", i) for i in range(len(trace.labels.words["T"]))]
        found["grid"] = [{"name": name, "places": list(map(asdict, places))} for name, places in every_position(trace)]
    return found


def _gravity(wanted: Wanted, traces: Traces, asked: LensQuestion) -> dict[str, Any]:
    """The state's own sentence with its changes, and further sentences as they are."""
    own = traces.of(asked, wanted).trace
    others = [
        traces.of(asked.model_copy(update={"text": text, "query": None, "changes": []}), wanted) for text in asked.texts
    ]
    word = asked.word or own.labels.plain("T", int(own.array("query")))
    runs = [own, *(seen.trace for seen in others)]
    found = gravity(runs, word, asked.layer)
    told = found.data()
    for run, sentence, data in zip(runs, found.sentences, told["sentences"]):
        data["toward"] = [_nearness(run, sentence.position, other, traces.model(asked)) for other in asked.toward]
    return told


def _nearness(trace: Trace, position: int, other: str, model: Model) -> dict[str, Any]:
    """The cosine of one word of a run with a word of the vocabulary: by itself, then after each layer."""
    found = cosines(trace, position, model.tokenizer.one_word(other))
    return {"word": other, "cosines": [{"cell": written(cell), "value": cell.value} for cell in found.values()]}


def _importance(wanted: Wanted, traces: Traces, asked: LensQuestion) -> dict[str, Any]:
    """The four columns, for one head, by default the one that moves the logits most; every word is left out once."""
    seen = traces.of(asked, wanted)
    if seen.is_long:
        raise TooLarge(
            "the weights of a text of this length are not kept, so which word mattered is not known; pass a shorter one"
        )
    trace = seen.trace
    words = len(trace.labels.words["K"])
    if asked.leave_out and words * sum(np.prod(s.shape) for s in trace.forward) > limits.WORK:
        raise TooLarge(f"leaving out each of {words} words takes too long for a model of this size; use a shorter text")
    left_out = words if asked.leave_out else 0
    found = explanation(trace, None, False, left_out, asked.layer, asked.head, learns=False)
    data = found.data()
    names = ("layer", "head", "readings", "total", "difference", "predicted", "findings", "told")
    return {name: data[name] for name in names}


def _contributions(wanted: Wanted, traces: Traces, asked: LensQuestion) -> dict[str, Any]:
    trace = traces.of(asked, wanted).trace
    found = contributions(trace)
    return {
        "first": found.first,
        "second": found.second,
        "difference": found.difference,
        "components": [
            {"name": c.name, "layer": c.layer, "head": c.head, "contribution": c.contribution} for c in found.components
        ],
        "rest": found.rest,
        "held_fixed": list(found.held),
    }


def _overview(wanted: Wanted, traces: Traces, asked: LensQuestion) -> dict[str, Any]:
    return overview(traces.of(asked, wanted).trace)


def _flow(wanted: Wanted, traces: Traces, asked: LensQuestion) -> dict[str, Any]:
    """Where the margin comes from, as it is drawn."""
    seen = traces.of(asked, wanted)
    if seen.is_long:
        raise TooLarge(
            "the weights of a text of this length are not kept, so its flow is not known; pass a shorter one"
        )
    return flow_picture(seen.trace)


def _heads(wanted: Wanted, traces: Traces, asked: LensQuestion) -> dict[str, Any]:
    """The names of heads, in the text and on random words that are read twice."""
    plain = {"next": None, "query": None, "compared": None, "changes": []}
    own = traces.of(asked.model_copy(update=plain), wanted)
    runs = [] if own.is_long else [(asked.text, own.trace)]
    text = random_text(traces.model(asked))
    if text is not None:
        there = asked.model_copy(update={**plain, "text": text, "as_written": True})
        runs.insert(0, (text, traces.of(there, wanted).trace))
    if not runs:
        return {"heads": []}
    wanted()
    return {"heads": [head.data() for head in named_heads(*runs)], "random": text}


def random_text(model: Model) -> str | None:
    """Random words that the model reads as they were chosen."""
    words = random_words(model.reads)
    text = model.tokenizer.joined(words) if words else ""
    fits = 0 < len(words) <= model.settings.max_tokens
    return text if fits and tuple(model.tokenizer.words(text)) == words else None


LENSES: dict[str, Callable[[Wanted, Traces, LensQuestion], dict[str, Any]]] = {
    "logit_lens": _logit_lens,
    "gravity": _gravity,
    "importance": _importance,
    "contributions": _contributions,
    "overview": _overview,
    "flow": _flow,
    "heads": _heads,
}


@bounded
def generate(wanted: Wanted, traces: Traces, asked: GenerateQuestion) -> bytes:
    """Words that follow the text, each with its candidates; the `text` of each can be explained."""
    if asked.changes:
        raise ValueError("a changed run cannot continue the text; undo the changes, or train the model")
    model = traces.model(asked)
    words = len(model.tokenizer.words(asked.text)) + asked.count
    parameters = sum(array.size for array in model.parameters.values())
    read = min(words, model.settings.max_tokens)
    if weights_in(model.settings, read) > limits.RUN_WEIGHTS:
        raise too_many_weights(model.settings, read)
    if asked.count * words * parameters > limits.GENERATED_WORK:
        raise TooLarge(f"{asked.count} words after {words - asked.count} take too long for one request; ask for fewer")
    chosen = []
    for one in write_on(model, asked.text, asked.count, asked.temperature, asked.top, asked.seed, asked.mask):
        wanted()
        chosen.append(one)
    written = [
        {
            "token": one.word,
            "text": model.tokenizer.joined(one.words),
            **_candidates(run, one.word, asked.candidates),
        }
        for one, run in zip(chosen, runs_of(chosen))
    ]
    ended = "full" if len(written) < asked.count else "count"
    if written and written[-1]["token"] == model.end:
        ended = "end"
    return encoded({"tokens": written, "ended": ended, "text": written[-1]["text"] if written else asked.text})


def _candidates(trace: Trace, word: str, most: int) -> dict[str, Any]:
    shares, words = trace.array("probabilities").ravel(), trace.labels.words["V"]
    best = np.argsort(-shares, kind="stable")[:most]
    return {
        "probability": float(shares[words.index(word)]),
        "candidates": [
            {"word": words[i], "probability": float(shares[i]), "cell": f"probabilities[{i}]"} for i in best
        ],
    }

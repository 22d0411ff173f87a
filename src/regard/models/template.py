"""A run of a model before anybody has said which words: its steps as data, for a page that carries them out itself.

The description of a model is run once, by Glass, on as many words as it reads. Operations are over named axes and do
not know how many words there are; so a run of fewer words is the same steps. Of what is given, parameters are the
same for every text, and other numbers along words are those at the beginning. Only what is listed in `ASKED` depends
on the words themselves.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from regard.models.model import Model
from regard.ops import Given
from regard.ops.narrow import Narrow, Numbers
from regard.text.bpe import BPE
from regard.text.tokenizer import Words
from regard.trace import Labels, Step
from regard.trace.header import header_of

VERSION = 1
MOST_TOKENS = 256  # of a text that a page reads by itself
# what a step holds that depends on the question: token numbers, the position that answers, the answer, who sees whom
ASKED = {
    **dict.fromkeys(("tokens", "query_words", "key_words"), "tokens"),
    "query": "query",
    "target": "target",
    "visible": "mask",
}
TYPES = (np.float16, np.float32)  # shorter ones that numbers may be kept in


@dataclass(frozen=True, eq=False)
class Template:
    """`data` is JSON: the steps, and what is known of the model. `arrays` are numbers that no text changes."""

    data: dict[str, Any]
    arrays: dict[str, np.ndarray]


def template(model: Model) -> Template:
    """
    >>> from regard.models.catalogue import find_model
    >>> fox = template(find_model("fox"))
    >>> next(step for step in fox.data["steps"] if step["name"] == "tokens")
    {'name': 'tokens', 'op': {'kind': 'given', 'letters': 'T', 'role': 'constant'}, 'inputs': [], 'given': 'tokens'}
    >>> sorted(fox.arrays)[:3]
    ['E', 'W_out', 'distances']
    """
    if not isinstance(model.tokenizer, BPE | Words):
        raise ValueError(
            f"{model.name} cuts its text by rules that the page does not know; a model trained here is fine"
        )
    most = min(model.settings.max_tokens, MOST_TOKENS)
    own = model.asked(model.sentence, model.next)
    words = (own.words * most)[:most]
    names = Labels({**dict.fromkeys("TQK", words), "I": model.reads, "V": model.writes, **model.names})
    without, trace = (
        model.recorded(words, own.position, answer, model.mask, names) for answer in (None, model.writes[0])
    )
    arrays: dict[str, np.ndarray] = {}
    steps = header_of(trace)["steps"]
    for data, step in zip(steps, trace.forward, strict=True):
        if isinstance(step.op, Given):
            data["given"] = _given(model, step, arrays)
    return Template(
        {
            "version": VERSION,
            "steps": steps,
            "unanswered": len(without.forward),  # steps of a run in which nobody says what should follow
            "tokens": most,
            "names": {letter: list(words) for letter, words in trace.labels.words.items() if letter not in "TQKIV"},
            **_described(model),
        },
        arrays,
    )


def _given(model: Model, step: Step, arrays: dict[str, np.ndarray]) -> str | dict[str, str]:
    """Where the numbers of a step come from: the question, or an array, whole or looked up by words."""
    if step.name in ASKED:
        return ASKED[step.name]
    if step.name in model.by_word:
        arrays[step.name] = model.by_word[step.name]
        return {"by_word": step.name}
    assert isinstance(step.op, Given)
    arrays[step.name] = shortest(step.op.array)
    return {"array": step.name}


def _merging(bpe: BPE) -> dict[str, Any]:
    """What a byte-level BPE has learned: its pieces, and which two of them become one."""
    whole = json.loads(bpe.save())
    number: dict[str, int] = whole["model"]["vocab"]
    pairs = (merge.split(" ") if isinstance(merge, str) else merge for merge in whole["model"]["merges"])
    return {
        "pieces": sorted(number, key=lambda piece: number[piece]),
        "merges": [[number[a], number[b]] for a, b in pairs],
        "special": [{name: added[name] for name in ("id", "content", "lstrip")} for added in whole["added_tokens"]],
    }


def shortest(numbers: Numbers) -> np.ndarray:
    """The same numbers in the shortest type that holds each of them exactly.

    >>> shortest(np.array([0.5, 2.0])).dtype, shortest(np.array([0.1])).dtype, shortest(np.array([1, 2])).dtype
    (dtype('float16'), dtype('float64'), dtype('int32'))
    """
    array = np.asarray(numbers) if isinstance(numbers, Narrow) else numbers
    if array.dtype.kind in "iu":
        return array.astype(np.int32)
    if array.dtype != np.float64:
        return array
    with np.errstate(over="ignore"):
        return next((short for kind in TYPES if np.array_equal(short := array.astype(kind), array)), array)


def _described(model: Model) -> dict[str, Any]:
    return {
        "model": model.name,
        "title": model.title,
        "notes": list(model.notes),
        "sentence": model.sentence,
        "next": model.next,
        "query": model.query,
        "mask": model.mask,
        "task": {"name": model.task.name, "does_not_write": model.task.does_not_write, **asdict(model.task)},
        "lesson": model.lesson,
        "reads": list(model.reads),
        "writes": None if model.writes == model.reads else list(model.writes),
        "tied": model.settings.tied,
        "end": model.end,
        "closed": bool(model.by_word),  # whether it has no number for a word that it does not know
        **({"bpe": _merging(model.tokenizer)} if isinstance(model.tokenizer, BPE) else {}),
        "layers": model.settings.layers,
        "heads": model.settings.heads,
    }


def packed(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as one safetensors file."""
    import safetensors.numpy

    return safetensors.numpy.save({name: np.array(array, order="C") for name, array in arrays.items()})

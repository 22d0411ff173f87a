"""A toy from its numbers: word vectors, projections, next words. What is not given is the simplest there is."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from regard.attending.masks import MASKS
from regard.attending.positions import DistanceBias
from regard.models.model import Model
from regard.models.names import LESSONS
from regard.models.parameters import checked
from regard.models.settings import Settings
from regard.ops.scaling import SCALINGS
from regard.suggestions import suggestion
from regard.text.tokenizer import KnownWords
from regard.toys.begun import Begun, table_of
from regard.toys.numbers import number
from regard.toys.problem import ToyProblem
from regard.toys.projections import heads_apart, identity, positions_of, sizes
from regard.toys.random_toy import random_toy
from regard.toys.sizes import MAX_TOKENS
from regard.toys.texts import chosen, single_word, text, texts
from regard.toys.words import table_of_vectors, with_vectors, words_and_vectors

Vectors = Mapping[str, Sequence[float]]
SHOWN = 8  # words of a toy that has no sentence of its own


def toy(
    words: Vectors | Sequence[str],
    next: Vectors | Sequence[str] | None = None,
    W_Q: Any = None,
    W_K: Any = None,
    W_V: Any = None,
    W_O: Any = None,
    *,
    vectors: Any = None,
    scores: Any = None,
    weights: Any = None,
    head_width: int | None = None,
    positions: str | Mapping[str, Any] = "none",
    scaling: str | None = None,
    mask: str = "causal",
    residual: bool = False,
    random: Mapping[str, int] | None = None,
    name: str = "toy",
    title: str | None = None,
    sentence: str | None = None,
    target: str | None = None,
    query: str | None = None,
    dimensions: Sequence[str] = (),
    head_names: Sequence[str] = (),
    notes: Sequence[str] = (),
    lesson: str | None = None,
) -> Model:
    """A model small enough to check by hand, which `regard.explain(text, next=…, model=toy)` takes.

    `words` are the words it reads and their vectors, `next` those it can say next, in this order; without `next` it
    says the words it reads. W_Q, W_K, W_V are (width, head width), W_O is (heads · head width, width); several heads
    are a list of such matrices. What is not given is the identity. `positions` is "none", "waves", "rotary",
    {"distance": numbers added to the scores} or {"learned": one vector for each place}. With `residual`, what
    attention mixes is added to the word; without, it takes the word's place.

    With `vectors`, a file of word vectors or a `WordVectors`, `words` and `next` may be lists of words, whose vectors
    are taken from there.

    A toy may begin later: at `scores` or at `weights`, for each word that reads, a number for each word it reads;
    `head_width` is what the scores are then scaled by; without it they are taken as they are.

    >>> import regard
    >>> mine = toy(words={"the": [0.1, 0.2], "cat": [0.9, 0.3]}, next={"sat": [1.0, 0.0], "ran": [0.0, 1.0]})
    >>> trace = regard.explain("the cat", next="sat", model=mine)
    >>> print(trace.why("scores[cat,the]"))
    scores[cat,the] = 0.15 = 0.90·0.10 + 0.30·0.20
    >>> trace.predicted, trace.update(rate=0.1)["loss"] < trace["loss"]
    ('sat', True)
    """
    if scaling is not None:
        chosen(scaling, SCALINGS, ("scaling",))
    chosen(mask, MASKS, ("mask",))
    if lesson is not None and text(lesson, ("lesson",)) not in LESSONS:
        raise ToyProblem(f"lesson {lesson[:40]!r} does not exist; {suggestion(lesson[:40], LESSONS)}", ("lesson",))
    if not isinstance(residual, bool):
        raise ToyProblem(f"residual expects true or false, got {residual!r:.40}", ("residual",))
    about = {
        "name": name,
        "title": name if title is None else text(title, ("title",)) or name,
        "mask": mask,
        "notes": tuple(texts(notes, ("notes",))),
        "lesson": lesson,
        "sentence": "" if sentence is None else text(sentence, ("sentence",)),
        "next": None if target is None else single_word(target, ("target",)),
        "query": None if query is None else single_word(query, ("query",)),
    }
    if vectors is not None:
        table = table_of_vectors(vectors)
        words, next = with_vectors(words, table, ("words",)), with_vectors(next, table, ("next",))
    if random is not None:
        given = {
            "vectors": vectors,
            "next": next,
            "W_Q": W_Q,
            "W_K": W_K,
            "W_V": W_V,
            "W_O": W_O,
            "scores": scores,
            "weights": weights,
        }
        _check_alone("random", given, "a model with random numbers")
        model = random_toy(words, random, scaling or "root", residual, about)
    else:
        model = _by_hand(
            words, next, (W_Q, W_K, W_V, W_O), (scores, weights), head_width, positions, scaling, residual, about
        )
    model = replace(model, tokenizer=KnownWords(model.reads))
    if not _is_empty(dimensions):
        width = model.settings.width
        model = _named(model, "C", dimensions, width, f"dimensions expects {width} different names, one for each "
                       "number of a word")  # fmt: skip
    if not _is_empty(head_names):
        heads = model.settings.heads
        model = _named(model, "HG", head_names, heads, f"head_names expects {heads} different names, one for each head")
    _check_query_and_target(model)
    if sentence is None:
        model = replace(model, sentence=_of_its_words(model))
    if sentence is not None or model.sentence:
        _check_own_sentence(model)
    return model


def _by_hand(
    words: Any,
    next: Any,
    projections: tuple[Any, Any, Any, Any],
    begins: tuple[Any, Any],
    head_width: int | None,
    positions: Any,
    scaling: str | None,
    residual: bool,
    about: dict[str, Any],
) -> Model:
    reads, E = words_and_vectors(words, ("words",))
    width = E.shape[1]
    writes, W_out = (reads, None) if next is None else words_and_vectors(next, ("next",), width)
    given = {f"W_{r}": p for r, p in zip("QKVO", projections) if p is not None}
    arrays = heads_apart(given, width)
    heads, D = sizes(arrays, width)
    if heads > 1 and any(table is not None for table in begins):
        raise ToyProblem("a toy that begins at scores or weights has one head; give W_V as one matrix", ("W_V",))
    begun = _begins(begins, given, head_width, positions, reads)
    if begun and begun.what == "scores" and begun.head_width is None and scaling not in (None, "none"):
        raise ToyProblem(
            f"scaling = {scaling!r} divides by the width of a head, and scores that are given have none; "
            "add head_width = 4, or leave scaling out: then they are taken as they are",
            ("scaling",),
            True,
        )
    roles = ("W_V",) if begun else ("W_Q", "W_K", "W_V")
    beside = tuple(n for n in given if n != "W_O")[:1]
    arrays = {**{n: identity(n, heads, width, D, beside) for n in roles if n not in arrays}, **arrays}
    if "W_O" not in arrays and heads * D != width:
        raise ToyProblem(
            f"W_O is missing: {heads} heads of {D} make {heads * D} numbers, and a word has {width}; "
            f"give W_O with {heads * D} rows of {width}",
            beside,
            True,
        )
    if head_width is not None and not begun:
        raise ToyProblem(
            "head_width is what given scores are scaled by, and here are none; leave it out: a head is as wide as W_Q "
            "has columns",
            ("head_width",),
            True,
        )
    places, table = positions_of(positions, width, heads, D)
    settings = Settings(
        width=width,
        heads=heads,
        reads=len(reads),
        writes=len(writes),
        head_width=D,
        positions=places,
        scaling=scaling or "root",
        residual=residual,
        output_projection="W_O" in arrays,
        tied=W_out is None,
        max_tokens=MAX_TOKENS if table is None or isinstance(places, DistanceBias) else min(MAX_TOKENS, len(table)),
    )
    parameters = {
        "E": E,
        **({} if table is None else {"position": table}),
        **{f"layer0.{n}": arrays[n] for n in ("W_Q", "W_K", "W_V", "W_O") if n in arrays},
        **({} if W_out is None else {"W_out": W_out}),
    }
    if begun:
        return Begun(settings=settings, parameters=parameters, reads=reads, writes=writes, begins=begun, **about)
    checked(settings, parameters)
    return Model(settings=settings, parameters=parameters, reads=reads, writes=writes, **about)


def _begins(begins: tuple[Any, Any], given: Mapping[str, Any], head_width: Any, positions: Any, reads: Any) -> Any:
    """The table that a toy begins at, if it does."""
    found = [(what, table) for what, table in zip(("scores", "weights"), begins) if table is not None]
    if not found:
        return None
    if len(found) == 2:
        raise ToyProblem("a toy begins at scores or at weights, got both; leave one out", ("weights",), True)
    what, table = found[0]
    for other in ("W_Q", "W_K"):
        if other in given:
            raise ToyProblem(f"a toy that begins at {what} has no {other}; leave one of them out", (other,), True)
    if not (isinstance(positions, str) and positions == "none"):
        raise ToyProblem(f"a toy that begins at {what} has no positions; leave them out", ("positions",), True)
    wide = 1.0 if head_width is None else number(head_width, ("head_width",))
    if wide < 1:
        raise ToyProblem(f"head_width expects 1 or more, got {wide:g}", ("head_width",))
    if what == "weights" and head_width is not None:
        raise ToyProblem("weights are not scaled; leave head_width out", ("head_width",), True)
    return table_of(what, table, reads, wide if head_width is not None else None)


def _named(model: Model, axes: str, names: Any, size: int, expects: str) -> Model:
    """The model with words along some axes instead of numbers."""
    given = tuple(texts(names, key := (expects.partition(" ")[0],)))
    if len(given) != size or len(set(given)) != size:
        raise ToyProblem(expects, key)
    return replace(model, names={**model.names, **dict.fromkeys(axes, given)})


def _of_its_words(model: Model) -> str:
    """What a toy is shown with that has no sentence: its first words, in their order, as many as end in one that can
    predict; nothing where they cannot be read in this way."""
    for count in range(min(SHOWN, len(model.reads)), 0, -1):
        sentence = model.tokenizer.joined(model.reads[:count])
        with suppress(ToyProblem):
            _check_own_sentence(replace(model, sentence=sentence))
            return sentence
    return ""


def _is_empty(names: Any) -> bool:
    """Whether no names were given; what is no list is told later."""
    return names is None or (isinstance(names, Sequence) and not names)


def _check_query_and_target(model: Model) -> None:
    """The word that predicts must be one that it reads, and the one that should follow one that it can say."""
    if model.query is not None and model.query.casefold() not in map(str.casefold, model.reads):
        raise ToyProblem(f"query {model.query!r} is not in words; {suggestion(model.query, model.reads)}", ("query",))
    if model.next is not None and model.next not in model.writes:
        raise ToyProblem(f"target {model.next!r} is not in next; {suggestion(model.next, model.writes)}", ("target",))


def _check_own_sentence(model: Model) -> None:
    """A toy's own sentence must be one that it can read."""
    try:
        words = model.tokenizer.words(model.sentence)
    except ValueError:
        told = "sentence has no words; write some of the toy's words, or leave it out: then it is its first words"
        raise ToyProblem(told, ("sentence",)) from None
    for word in words:
        if word not in model.reads:
            raise ToyProblem(
                f"sentence has {word!r}, which is not in words; {suggestion(word, model.reads)}", ("sentence",)
            )
    if model.query is not None and model.query not in words:
        raise ToyProblem(f"query {model.query!r} is not in the sentence; {suggestion(model.query, words)}", ("query",))
    if len(words) > model.settings.max_tokens:
        most = model.settings.max_tokens
        few = f"positions.learned has vectors for {most}; give it one for each word, or a shorter sentence"
        why = f"a toy reads at most {most}" if most == MAX_TOKENS else few
        raise ToyProblem(f"sentence has {len(words)} words; {why}", ("sentence",))
    if isinstance(model, Begun):
        asked = model.asked(model.sentence)
        model.check_row(asked.words, asked.position, model.mask)


def _check_alone(what: str, others: Mapping[str, Any], says: str) -> None:
    for name, value in others.items():
        if value is not None:
            raise ToyProblem(f"{what} makes {says}; leave {name} out", (name,), True)

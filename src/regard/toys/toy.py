"""A toy from its numbers: word vectors, projections, next words. What is not given is the simplest there is."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.attending.masks import MASKS
from regard.attending.positions import DistanceBias, LearnedPositions, NoPositions, RotaryPositions, SinusoidalPositions
from regard.models.model import Model
from regard.models.parameters import checked, random_parameters
from regard.models.parts import MLP, LayerNorm
from regard.models.settings import Settings
from regard.ops.scaling import SCALINGS
from regard.suggestions import suggestion
from regard.text.words import one_word
from regard.toys.begun import Begun, table_of
from regard.toys.numbers import number, numbers
from regard.toys.problem import Path, ToyProblem, written

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors

MAX_TOKENS = 64
MOST_WORDS, MOST_WIDTH, MOST_HEADS, MOST_LAYERS = 1000, 256, 32, 12
Vectors = Mapping[str, Sequence[float]]


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
    scaling: str = "root",
    mask: str = "causal",
    residual: bool = False,
    random: Mapping[str, int] | None = None,
    name: str = "toy",
    title: str | None = None,
    sentence: str = "",
    target: str | None = None,
    query: str | None = None,
    dimensions: Sequence[str] = (),
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
    `head_width` is what the scores are then scaled by.

    >>> import regard
    >>> mine = toy(words={"the": [0.1, 0.2], "cat": [0.9, 0.3]}, next={"sat": [1.0, 0.0], "ran": [0.0, 1.0]})
    >>> trace = regard.explain("the cat", next="sat", model=mine)
    >>> print(trace.why("scores[cat,the]"))
    scores[cat,the] = 0.15 = 0.90·0.10 + 0.30·0.20
    >>> trace.predicted, trace.update(rate=0.1)["loss"] < trace["loss"]
    ('sat', True)
    """
    _chosen(scaling, SCALINGS, ("scaling",))
    _chosen(mask, MASKS, ("mask",))
    if not isinstance(residual, bool):
        raise ToyProblem(f"residual expects true or false, got {residual!r:.40}", ("residual",))
    about = {
        "name": name,
        "title": title or name,
        "mask": mask,
        "notes": tuple(_texts(notes, ("notes",))),
        "lesson": lesson,
        "sentence": _text(sentence, ("sentence",)),
        "next": None if target is None else _single(target, ("target",)),
        "query": None if query is None else _single(query, ("query",)),
    }
    if vectors is not None:
        table = _table(vectors)
        words, next = _taken(words, table, ("words",)), _taken(next, table, ("next",))
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
        model = _random(words, random, scaling, residual, about)
    else:
        model = _by_hand(
            words, next, (W_Q, W_K, W_V, W_O), (scores, weights), head_width, positions, scaling, residual, about
        )
    if dimensions:
        model = _with_dimensions(model, tuple(_texts(dimensions, ("dimensions",))))
    _check_own_sentence(model)
    return model


def _by_hand(
    words: Any,
    next: Any,
    projections: tuple[Any, Any, Any, Any],
    begins: tuple[Any, Any],
    head_width: int | None,
    positions: Any,
    scaling: str,
    residual: bool,
    about: dict[str, Any],
) -> Model:
    reads, E = _vectors(words, ("words",))
    width = E.shape[1]
    writes, W_out = (reads, None) if next is None else _vectors(next, ("next",), width)
    given = {f"W_{r}": p for r, p in zip("QKVO", projections) if p is not None}
    arrays = _heads_apart(given, width)
    heads, D = _sizes(arrays, width)
    if heads > 1 and any(table is not None for table in begins):
        raise ToyProblem("a toy that begins at scores or weights has one head; give W_V as one matrix", ("W_V",))
    begun = _begins(begins, given, head_width, positions, reads)
    roles = ("W_V",) if begun else ("W_Q", "W_K", "W_V")
    arrays = {**{n: _identity(n, heads, width, D) for n in roles if n not in arrays}, **arrays}
    if "W_O" not in arrays and heads * D != width:
        raise ToyProblem(
            f"W_O is missing: {heads} heads of {D} make {heads * D} numbers, and a word has {width}; "
            f"give W_O with {heads * D} rows of {width}"
        )
    if head_width is not None and not begun:
        raise ToyProblem("head_width is what given scores are scaled by; W_Q has its own width", ("head_width",), True)
    places, table = _positions(positions, width, heads)
    settings = Settings(
        width=width,
        heads=heads,
        reads=len(reads),
        writes=len(writes),
        head_width=D,
        positions=places,
        scaling=scaling,
        residual=residual,
        output_projection="W_O" in arrays,
        tied=W_out is None,
        max_tokens=MAX_TOKENS,
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
    if positions != "none":
        raise ToyProblem(f"a toy that begins at {what} has no positions; leave them out", ("positions",), True)
    wide = 1.0 if head_width is None else number(head_width, ("head_width",))
    if wide < 1:
        raise ToyProblem(f"head_width expects 1 or more, got {wide:g}", ("head_width",))
    if what == "weights" and head_width is not None:
        raise ToyProblem("weights are not scaled; leave head_width out", ("head_width",), True)
    return table_of(what, table, reads, wide if head_width is not None else None)


def _vectors(given: Any, path: Path, width: int | None = None) -> tuple[tuple[str, ...], np.ndarray]:
    """Words in order, and one row of numbers for each."""
    if not isinstance(given, Mapping):
        raise ToyProblem(f"{written(path)} expects words and their vectors, such as fox = [0.8, 0.6]", path)
    if not given:
        raise ToyProblem(f"{written(path)} is empty; give at least one word, such as fox = [0.8, 0.6]", path)
    if len(given) > MOST_WORDS:
        raise ToyProblem(f"{written(path)} has {len(given):,} words; a toy has at most {MOST_WORDS:,}", path)
    names: dict[str, str] = {}
    rows: list[np.ndarray] = []
    for key, vector in given.items():
        at = (*path, key)
        word = _single(key, at, of_key=True)
        if word in names:
            raise ToyProblem(f"{written(path)} has {word!r} twice, as {names[word]!r} and {key!r}", at, True)
        names[word] = key
        rows.append(numbers(vector, at, (1,)))
        width = width or len(rows[0])
        if len(rows[-1]) != width:
            first = "the words" if path == ("next",) else next(iter(names))
            raise ToyProblem(f"{written(at)} expects {width} numbers, as many as {first}, got {len(rows[-1])}", at)
        if width > MOST_WIDTH:
            raise ToyProblem(f"{written(at)} has {width} numbers; a toy's vectors have at most {MOST_WIDTH}", at)
    return tuple(names), np.array(rows)


def _table(given: Any) -> "WordVectors":
    """The word vectors that a toy takes its own from."""
    from regard.vectors.finding import find_vectors  # here, not above: few toys have any
    from regard.vectors.wordvectors import WordVectors

    if isinstance(given, WordVectors):
        return given
    if not isinstance(given, str | os.PathLike):
        raise ToyProblem(f"vectors expects the name of a file of word vectors, got {given!r:.40}", ("vectors",))
    try:
        return find_vectors(given)
    except (ValueError, KeyError, OSError) as error:
        told = str(error).replace(os.fspath(given), os.path.basename(given))  # a page need not know where files lie
        raise ToyProblem(f"vectors: {told}", ("vectors",)) from None


def _taken(given: Any, vectors: "WordVectors", path: Path) -> Any:
    """A list of words with their vectors; vectors that are written out stay as they are."""
    if given is None or isinstance(given, Mapping):
        return given
    words = _texts(given, path)
    if len(words) > MOST_WORDS:
        raise ToyProblem(f"{written(path)} has {len(words):,} words; a toy has at most {MOST_WORDS:,}", path)
    for place, word in enumerate(words):
        if word not in vectors:
            raise ToyProblem(f"{written((*path, place))}: {vectors.words.missing(word)}", (*path, place))
    return {word: vectors[word].tolist() for word in words}


def _heads_apart(given: Mapping[str, Any], width: int) -> dict[str, np.ndarray]:
    """Every projection as one matrix for each head, all of the same sizes."""
    arrays = {name: numbers(array, (name,), (2, 3)) for name, array in given.items()}
    roles = {n: a if a.ndim == 3 else a[None] for n, a in arrays.items() if n != "W_O"}
    for name, array in roles.items():
        first = next(iter(roles))
        if array.shape[1] != width:
            raise ToyProblem(
                f"{name} expects {width} rows, one for each number of a word, got {array.shape[1]}", (name,)
            )
        if array.shape != roles[first].shape:
            expected, got = (" × ".join(map(str, a.shape)) for a in (roles[first], array))
            raise ToyProblem(f"{name} expects heads × rows × columns like {first}, {expected}, got {got}", (name,))
        if len(array) > MOST_HEADS:
            raise ToyProblem(f"{name} has {len(array)} heads; a toy has at most {MOST_HEADS}", (name,))
    if "W_O" not in arrays:
        return roles
    heads, D = _sizes(roles, width)
    W_O = arrays["W_O"]
    if W_O.ndim == 2 and len(W_O) == heads * D:
        W_O = W_O.reshape(heads, D, -1)
    if W_O.shape != (heads, D, width):
        got = " × ".join(map(str, arrays["W_O"].shape))
        raise ToyProblem(f"W_O expects {heads * D} rows (heads · head width) of {width} numbers, got {got}", ("W_O",))
    return {**roles, "W_O": W_O}


def _sizes(arrays: Mapping[str, np.ndarray], width: int) -> tuple[int, int]:
    """Heads and head width: those of the projections given, or one head as wide as the words."""
    found = next((a for n, a in arrays.items() if n != "W_O"), None)
    return (1, width) if found is None else (found.shape[0], found.shape[2])


def _identity(name: str, heads: int, width: int, head_width: int) -> np.ndarray:
    if width != head_width:
        raise ToyProblem(
            f"{name} is missing: it cannot be the identity, since words have {width} numbers and heads {head_width}; "
            f"give {name} with {width} rows of {head_width}"
        )
    return np.array(np.broadcast_to(np.eye(width), (heads, width, width)))


def _positions(given: Any, width: int, heads: int) -> tuple[NoPositions, np.ndarray | None]:
    plain: dict[str, NoPositions] = {
        "none": NoPositions(),
        "waves": SinusoidalPositions(),
        "rotary": RotaryPositions(),
    }
    if isinstance(given, str):
        _chosen(given, plain, ("positions",))
        return plain[given], None
    kinds = ("distance", "learned")
    if not isinstance(given, Mapping) or len(given) != 1 or next(iter(given)) not in kinds:
        raise ToyProblem(
            'positions expects "none", "waves", "rotary", or a table with distance = [numbers] or learned = [vectors]',
            ("positions",),
        )
    kind = next(iter(given))
    at = ("positions", kind)
    if kind == "learned":
        table = numbers(given[kind], at, (2,))
        if table.shape[1] != width:
            raise ToyProblem(f"positions.learned expects vectors of {width} numbers, like the words", (*at, 0))
        return LearnedPositions(len(table)), table
    table = numbers(given[kind], at, (1, 2))
    table = table if table.ndim == 2 else np.array(np.broadcast_to(table, (heads, len(table))))
    if len(table) != heads:
        raise ToyProblem(f"positions.distance expects a list for each of the {heads} heads, got {len(table)}", at)
    return DistanceBias(table.shape[1]), table


def _random(words: Any, random: Any, scaling: str, residual: bool, about: dict[str, Any]) -> Model:
    """A whole small transformer before its first lesson: norms, an MLP, positions and biases, from a seed."""
    sizes = {"seed": 0, "width": 8, "heads": 2, "layers": 2, "hidden": 32}
    most = {"seed": 2**32, "width": MOST_WIDTH, "heads": MOST_HEADS, "layers": MOST_LAYERS, "hidden": 4 * MOST_WIDTH}
    if not isinstance(random, Mapping):
        raise ToyProblem("random expects a table such as { seed = 7, width = 8 }", ("random",))
    for key, value in random.items():
        at = ("random", key)
        if key not in sizes:
            raise ToyProblem(f"unknown key random.{key}; {suggestion(str(key), sizes)}", at, True)
        if type(value) is not int or not (key != "seed") <= value <= most[key]:
            raise ToyProblem(f"{written(at)} expects a whole number up to {most[key]:,}, got {value!r:.40}", at)
    sizes |= dict(random)
    reads = tuple(_single(word, ("words", i)) for i, word in enumerate(_texts(words, ("words",))))
    if not reads or len(set(reads)) != len(reads):
        raise ToyProblem("words expects at least one word, and each of them once", ("words",))
    if sizes["width"] % sizes["heads"]:
        raise ToyProblem(f"{sizes['heads']} heads cannot share a width of {sizes['width']} evenly", ("random",))
    settings = Settings(
        width=sizes["width"],
        heads=sizes["heads"],
        layers=sizes["layers"],
        reads=len(reads),
        writes=len(reads),
        positions=LearnedPositions(MAX_TOKENS),
        norm=LayerNorm(),
        norm_order="before",
        mlp=MLP(hidden=sizes["hidden"], curve="gelu"),
        scaling=scaling,
        biases=True,
        residual=residual,
        max_tokens=MAX_TOKENS,
    )
    parameters = random_parameters(settings, seed=sizes["seed"])
    return Model(settings=settings, parameters=parameters, reads=reads, writes=reads, **about)


def _with_dimensions(model: Model, names: tuple[str, ...]) -> Model:
    width = model.settings.width
    if len(names) != width or len(set(names)) != width:
        raise ToyProblem(f"dimensions expects {width} different names, one for each number of a word", ("dimensions",))
    return replace(model, names={"C": names})


def _check_own_sentence(model: Model) -> None:
    """A toy's own sentence must be one that it can read, and its target one that it can say."""
    if not model.sentence:
        return
    words = model.tokenizer.words(model.sentence)
    for word in words:
        if word not in model.reads:
            raise ToyProblem(
                f"sentence has {word!r}, which is not in words; {suggestion(word, model.reads)}", ("sentence",)
            )
    if model.next is not None and model.next not in model.writes:
        raise ToyProblem(f"target {model.next!r} is not in next; {suggestion(model.next, model.writes)}", ("target",))
    if model.query is not None and model.query not in words:
        raise ToyProblem(f"query {model.query!r} is not in the sentence; {suggestion(model.query, words)}", ("query",))
    if len(words) > model.settings.max_tokens:
        most = model.settings.max_tokens
        raise ToyProblem(f"sentence has {len(words)} words; a toy reads at most {most}", ("sentence",))
    if isinstance(model, Begun):
        asked = model.asked(model.sentence)
        model.check_row(asked.words, asked.position, model.mask)


def _check_alone(what: str, others: Mapping[str, Any], says: str) -> None:
    for name, value in others.items():
        if value is not None:
            raise ToyProblem(f"{what} makes {says}; leave {name} out", (name,), True)


def _chosen(given: Any, known: Iterable[str], path: Path) -> None:
    known = list(known)
    if given not in known:
        raise ToyProblem(f"{written(path)} expects one of {', '.join(known)}, got {given!r:.40}", path)


def _text(given: Any, path: Path) -> str:
    if not isinstance(given, str):
        raise ToyProblem(f"{written(path)} expects a text in quotes, got {given!r:.40}", path)
    return given


def _texts(given: Any, path: Path) -> list[str]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ToyProblem(f"{written(path)} expects a list of texts, got {given!r:.40}", path)
    return [_text(each, (*path, i)) for i, each in enumerate(given)]


def _single(given: Any, path: Path, of_key: bool = False) -> str:
    try:
        return one_word(given, written(path))
    except ValueError as error:
        raise ToyProblem(str(error), path, of_key) from None

"""The transformer, described once: embedding → blocks → unembedding, over a dozen verbs.

`do` carries the verbs out. Handed Glass (models/glass.py) it records every number as a named step; handed another
that knows the same verbs, it computes the same maths another way. There is no second description.
"""

from collections.abc import Callable, Sequence

from regard.attending.masks import Visible
from regard.models.settings import Settings
from regard.models.verbs import D, Parameters, Verbs, X


def transformer(
    do: Verbs[X, D],
    ids: D,
    parameters: Parameters[X],
    settings: Settings,
    visible: Visible | D,
    segments: D | None = None,
    blocks: Sequence[Callable[..., X]] | None = None,
) -> X:
    """One vector per token, ready to predict from. `segments` says which kind of text each token belongs to.

    `blocks` may say what runs the block of each layer: a model spread over processes gathers its parameters around it.
    """
    x = do.embed("x", parameters["E"], ids)
    x = do.times("enlarged", x, settings.embedding_scale) if settings.embedding_scale != 1 else x
    x = do.linear("widened", x, parameters["W_in"]) if "W_in" in parameters else x
    if "segment" in parameters:
        x = do.add_segments(x, parameters["segment"], segments)
    x = settings.positions.place(do, x, parameters)
    x = do.drop(settings.embedding_norm(do, "norm0", x, parameters))
    for layer, run in enumerate(blocks or [block] * settings.layers):
        x = run(do.within(f"layer{layer}"), x, under(parameters, f"layer{layer}"), settings.of(layer), visible)
    x = settings.norm(do, "norm", x, parameters) if settings.norm_order != "after" else x
    x = settings.transform(do, x, parameters)
    return do.linear("narrowed", x, parameters["W_back"]) if "W_back" in parameters else x


def block(do: Verbs[X, D], x: X, parameters: Parameters[X], settings: Settings, visible: Visible | D) -> X:
    """Words read other words, and each word thinks by itself: then, or beside it."""

    def attend(x: X) -> X:
        return attention(do, x, parameters, settings, visible)

    def think(x: X) -> X:
        return settings.mlp(do, x, parameters)

    has_mlp = "W_up" in parameters
    if has_mlp and settings.arrangement != "in turn":
        normed = settings.norm(do, "norm1", x, parameters)
        attended = do.drop(attend(normed))
        also = normed if settings.arrangement == "beside, one norm" else settings.norm(do, "norm2", x, parameters)
        return do.add("residual", x, attended, do.drop(think(also)))
    x = _around(do, x, attend, "norm1", "middle" if has_mlp else "residual", parameters, settings)
    return _around(do, x, think, "norm2", "residual", parameters, settings) if has_mlp else x


def attention(do: Verbs[X, D], x: X, parameters: Parameters[X], settings: Settings, visible: Visible | D) -> X:
    """q, k, v → weights → context → what the heads add to the stream."""
    q, k, v = settings.roles(do, x, parameters)
    q, k = settings.head_norm(do, "q_norm", q, parameters), settings.head_norm(do, "k_norm", k, parameters)
    q, k = settings.positions.turn(do, "q", q), settings.positions.turn(do, "k", k)
    k, v = do.share("k.shared", k, settings.heads), do.share("v.shared", v, settings.heads)
    bias = settings.positions.bias(parameters)
    context = do.attend(q, k, v, visible, settings.score_scaling, bias, settings.window, settings.cap)
    return settings.joining(do, context, parameters)


def _around(
    do: Verbs[X, D],
    x: X,
    inner: Callable[[X], X],
    norm: str,
    name: str,
    parameters: Parameters[X],
    settings: Settings,
) -> X:
    """norm → inner → add to the stream, or inner → add → norm, or norm → inner → norm → add."""
    if settings.norm_order != "after":
        y = do.drop(inner(settings.norm(do, norm, x, parameters)))
        y = settings.norm(do, f"{norm}_after", y, parameters) if settings.norm_order == "around" else y
        return do.add(name, x, y) if settings.residual else y
    y = do.drop(inner(x))
    return settings.norm(do, norm, do.add(name, x, y) if settings.residual else y, parameters)


def next_word(
    do: Verbs[X, D], x: X, parameters: Parameters[X], position: int, target: D | None, cap: float | None = None
) -> X:
    """Predict the word after one position; with a target, how surprised the model is."""
    logits = predicted_logits(do, do.read("read", x, position), parameters, cap)
    return do.probabilities(logits) if target is None else do.surprise(logits, target)


def every_next_word(do: Verbs[X, D], x: X, parameters: Parameters[X], targets: D, cap: float | None = None) -> X:
    """Predict the word after every position; the loss is the mean surprise, as in training."""
    return do.mean_surprise("loss", x, *_vocabulary(parameters), targets, cap)


def at_places(do: Verbs[X, D], x: X, parameters: Parameters[X], places: D, targets: D, cap: float | None = None) -> X:
    """Predict at some places of each text: hidden words, or the class at its end. The loss is the mean surprise."""
    return do.mean_surprise("loss", do.read_several("read", x, places), *_vocabulary(parameters), targets, cap)


def predicted_logits(do: Verbs[X, D], x: X, parameters: Parameters[X], cap: float | None = None) -> X:
    """A score for every word of the vocabulary, between ±cap where there is one."""
    return do.unembed("logits", x, *_vocabulary(parameters), cap)


def _vocabulary(parameters: Parameters[X]) -> tuple[X, X | None]:
    """What vectors are compared with: a separate table, or the one that words are read with; a bias per word."""
    return parameters.get("W_out", parameters["E"]), parameters.get("b_out")


def under(parameters: Parameters[X], prefix: str) -> dict[str, X]:
    """The parameters of one layer by their own names, and the position table that all layers share."""
    own = {name.removeprefix(f"{prefix}."): p for name, p in parameters.items() if name.startswith(f"{prefix}.")}
    return own | ({"position": parameters["position"]} if "position" in parameters else {})

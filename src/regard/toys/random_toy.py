"""A toy whose numbers nobody chose: a whole small transformer from a seed."""

from collections.abc import Mapping
from typing import Any

from regard.attending.positions import LearnedPositions
from regard.models.model import Model
from regard.models.parameters import random_parameters
from regard.models.parts import MLP, LayerNorm
from regard.models.settings import Settings
from regard.suggestions import suggestion
from regard.toys.problem import ToyProblem, written
from regard.toys.sizes import MAX_TOKENS, MOST_HEADS, MOST_LAYERS, MOST_WIDTH
from regard.toys.texts import single_word, texts


def random_toy(words: Any, random: Any, scaling: str, residual: bool, about: dict[str, Any]) -> Model:
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
    reads = tuple(single_word(word, ("words", i)) for i, word in enumerate(texts(words, ("words",))))
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

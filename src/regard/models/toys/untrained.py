"""A whole small transformer before its first lesson: every part is there, and nothing has been learned."""

from regard.attending.positions import LearnedPositions
from regard.models.model import Model
from regard.models.parameters import random_parameters
from regard.models.parts import MLP, LayerNorm
from regard.models.settings import Settings

WORDS = (
    *("The", "the", "a", "and", "on", "over", "in", "to", "quick", "brown", "lazy", "big"),
    *("fox", "dog", "cat", "bird", "mat", "street", "it", "sat", "jumps", "runs", "sleeps", "was"),
)
MAX_TOKENS = 64
SEED = 7


def untrained() -> Model:
    """Two layers, two heads, norms, an MLP, positions and biases, with random numbers from a fixed seed."""
    settings = Settings(
        width=8,
        heads=2,
        layers=2,
        reads=len(WORDS),
        writes=len(WORDS),
        positions=LearnedPositions(MAX_TOKENS),
        norm=LayerNorm(),
        norm_order="before",
        mlp=MLP(hidden=32, curve="gelu"),
        biases=True,
        max_tokens=MAX_TOKENS,
    )
    return Model(
        name="untrained",
        title="untrained (random numbers)",
        settings=settings,
        parameters=random_parameters(settings, seed=SEED),
        reads=WORDS,
        writes=WORDS,
        notes=("random numbers, not trained: what a transformer computes before it has learned anything",),
        lesson=None,
        sentence="The quick brown fox",
        next="jumps",
    )

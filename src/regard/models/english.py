"""The small English model that comes with regard: trained with this code, shipped as float16, opened like a toy.

docs/built-in-model.md says on what and how it was trained; scripts/built_in_model.py trains it again.
"""

from regard.attending.positions import RotaryPositions
from regard.models.model import Model
from regard.models.parts import GatedMLP, RMSNorm
from regard.models.settings import Settings
from regard.models.shipped import shipped

TITLE = "english (trained here)"
SENTENCE, NEXT = "Once upon a time there was a little", "girl"
NOTES = ("10 million parameters, trained on stories, children's books, novels and encyclopedia articles",)


def settings() -> Settings:
    """The shape of a small Llama: rotary positions, RMS norm, a gated MLP, one table to read and write with."""
    return Settings(
        width=320,
        heads=5,
        layers=6,
        reads=8192,
        writes=8192,
        positions=RotaryPositions(),
        norm=RMSNorm(),
        mlp=GatedMLP(896),
        tied=True,
        max_tokens=256,
    )


def english() -> Model:
    """Writes simple English: 10 million parameters, 6 layers, 5 heads, 8,192 pieces of words, 256 tokens of text."""
    bpe, parameters = shipped("english")
    return Model(
        name="english",
        title=TITLE,
        settings=settings(),
        parameters=parameters,
        reads=bpe.vocabulary,
        writes=bpe.vocabulary,
        notes=NOTES,
        sentence=SENTENCE,
        next=NEXT,
        tokenizer=bpe,
        is_found_again=True,
    )

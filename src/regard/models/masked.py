"""The small masked-word model that comes with regard: it guesses a hidden word from both sides, as BERT does.

docs/built-in-model.md says on what and how it was trained; scripts/built_in_model.py trains it again.
"""

from regard.attending.positions import LearnedPositions
from regard.models.model import Model
from regard.models.parts import MLP, LayerNorm, Transform
from regard.models.settings import Settings
from regard.models.shipped import shipped
from regard.models.tasks import MaskedWord
from regard.text.tokenizer import MASK

EPSILON = 1e-12  # as in BERT's norms
TITLE = "masked (trained here)"
SENTENCE, NEXT = f"Once upon a {MASK} there was a little girl", "time"
NOTES = ("7 million parameters, trained to guess hidden words of stories, books and encyclopedia articles",)
TASK = MaskedWord(MASK)


def settings() -> Settings:
    """The shape of a small BERT: learned positions, segments, norms after, a transform before the vocabulary."""
    return Settings(
        width=256,
        heads=4,
        layers=6,
        reads=8192,
        writes=8192,
        segments=2,
        positions=LearnedPositions(256),
        embedding_norm=LayerNorm(EPSILON),
        norm=LayerNorm(EPSILON),
        norm_order="after",
        mlp=MLP(1024, "gelu"),
        transform=Transform("gelu", EPSILON),
        biases=True,
        tied=True,
        max_tokens=256,
    )


def masked() -> Model:
    """Guesses hidden words: 7 million parameters, 6 layers, 4 heads, 8,192 pieces of words, 256 tokens of text."""
    bpe, parameters = shipped("masked")
    return Model(
        name="masked",
        title=TITLE,
        settings=settings(),
        parameters=parameters,
        reads=bpe.vocabulary,
        writes=bpe.vocabulary,
        mask="both",
        notes=NOTES,
        sentence=SENTENCE,
        next=NEXT,
        tokenizer=bpe,
        is_found_again=True,
        task=TASK,
    )

"""RoBERTa's layout: BERT's, with positions counted from behind the padding (Liu et al. 2019)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import LearnedPositions
from regard.models.huggingface import bert
from regard.models.huggingface.config import whole
from regard.models.huggingface.layout import Row
from regard.models.parts import LayerNorm, Transform
from regard.models.settings import Settings

TABLE = (
    *(
        Row(row.theirs.replace("bert.", "roberta.", 1), row.axes, *row.names)
        for row in bert.TABLE
        if row.theirs.startswith("bert.")
    ),
    Row("lm_head.dense.weight", "C,E", "W_transform"),
    Row("lm_head.dense.bias", "C", "b_transform"),
    Row("lm_head.layer_norm.weight", "C", "transform_norm.gain"),
    Row("lm_head.layer_norm.bias", "C", "transform_norm.bias"),
    Row("lm_head.bias", "V", "b_out"),
)
PADDING = 1  # the number of the piece that fills up short texts, whose place is the first


def settings(config: Mapping[str, Any]) -> Settings:
    known = bert.settings({"vocab_size": 50265, **config})
    padding = 0 if config.get("pad_token_id") == 0 else whole(config, "pad_token_id", PADDING)
    places = known.max_tokens - padding - 1
    if places < 1:
        raise ValueError(
            f"max_position_embeddings in config.json must be more than pad_token_id + 1, got {known.max_tokens}"
        )
    assert isinstance(known.transform, Transform)
    return replace(
        known,
        positions=LearnedPositions(places, padding + 1),
        transform=replace(known.transform, curve="gelu"),  # whatever the MLPs have
        max_tokens=places,
    )


def config(s: Settings) -> dict[str, Any]:
    assert isinstance(s.positions, LearnedPositions)
    rows = s.positions.max_tokens + s.positions.offset
    return bert.config(s) | {"max_position_embeddings": rows, "pad_token_id": s.positions.offset - 1}


def nearest(s: Settings) -> Settings:
    held = bert.nearest(s)
    assert isinstance(held.norm, LayerNorm)
    positions = s.positions if isinstance(s.positions, LearnedPositions) else LearnedPositions(s.max_tokens)
    positions = positions if positions.offset else replace(positions, offset=PADDING + 1)
    return replace(held, positions=positions, transform=Transform("gelu", held.norm.epsilon))


ROBERTA = replace(
    bert.BERT,
    model_type="roberta",
    said="RoBERTa",
    architecture="RobertaForMaskedLM",
    prefix="roberta.",
    table=TABLE,
    ignored=("embeddings.position_ids", "pooler.", "lm_head.decoder.bias"),
    copies=("lm_head.decoder.weight",),
    settings=settings,
    config=config,
    nearest=nearest,
)

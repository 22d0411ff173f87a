"""BERT's layout: words look both ways, norms after, a transform before the vocabulary (Devlin et al. 2018)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import LearnedPositions
from regard.models.huggingface.config import THEIR_CURVES, curve, must_be, positive, whole
from regard.models.huggingface.layout import ORDINARY, Layout, Row, from_the_first, with_biases
from regard.models.joining import SideBySide
from regard.models.parts import MLP, LayerNorm, Transform
from regard.models.roles import OwnRoles
from regard.models.settings import Settings

# their linear maps in this model are W·x: the axes are the other way round
TABLE = (
    Row("bert.embeddings.word_embeddings.weight", "I,C", "E"),
    Row("bert.embeddings.token_type_embeddings.weight", "S,C", "segment"),
    Row("bert.embeddings.position_embeddings.weight", "P,C", "position"),
    Row("bert.embeddings.LayerNorm.weight", "C", "norm0.gain"),
    Row("bert.embeddings.LayerNorm.bias", "C", "norm0.bias"),
    Row("bert.encoder.layer.{layer}.attention.self.query.weight", "HD,C", "layer{layer}.W_Q"),
    Row("bert.encoder.layer.{layer}.attention.self.query.bias", "HD", "layer{layer}.b_Q"),
    Row("bert.encoder.layer.{layer}.attention.self.key.weight", "GD,C", "layer{layer}.W_K"),
    Row("bert.encoder.layer.{layer}.attention.self.key.bias", "GD", "layer{layer}.b_K"),
    Row("bert.encoder.layer.{layer}.attention.self.value.weight", "GD,C", "layer{layer}.W_V"),
    Row("bert.encoder.layer.{layer}.attention.self.value.bias", "GD", "layer{layer}.b_V"),
    Row("bert.encoder.layer.{layer}.attention.output.dense.weight", "C,HD", "layer{layer}.W_O"),
    Row("bert.encoder.layer.{layer}.attention.output.dense.bias", "C", "layer{layer}.b_O"),
    Row("bert.encoder.layer.{layer}.attention.output.LayerNorm.weight", "C", "layer{layer}.norm1.gain"),
    Row("bert.encoder.layer.{layer}.attention.output.LayerNorm.bias", "C", "layer{layer}.norm1.bias"),
    Row("bert.encoder.layer.{layer}.intermediate.dense.weight", "F,C", "layer{layer}.W_up"),
    Row("bert.encoder.layer.{layer}.intermediate.dense.bias", "F", "layer{layer}.b_up"),
    Row("bert.encoder.layer.{layer}.output.dense.weight", "C,F", "layer{layer}.W_down"),
    Row("bert.encoder.layer.{layer}.output.dense.bias", "C", "layer{layer}.b_down"),
    Row("bert.encoder.layer.{layer}.output.LayerNorm.weight", "C", "layer{layer}.norm2.gain"),
    Row("bert.encoder.layer.{layer}.output.LayerNorm.bias", "C", "layer{layer}.norm2.bias"),
    Row("cls.predictions.transform.dense.weight", "C,E", "W_transform"),
    Row("cls.predictions.transform.dense.bias", "C", "b_transform"),
    Row("cls.predictions.transform.LayerNorm.weight", "C", "transform_norm.gain"),
    Row("cls.predictions.transform.LayerNorm.bias", "C", "transform_norm.bias"),
    Row("cls.predictions.bias", "V", "b_out"),
)


def settings(config: Mapping[str, Any]) -> Settings:
    must_be(config, "is_decoder", False)
    must_be(config, "add_cross_attention", False)
    must_be(config, "tie_word_embeddings", True)
    must_be(config, "position_embedding_type", "absolute", None)
    words, positions = whole(config, "vocab_size", 30522), whole(config, "max_position_embeddings", 512)
    epsilon, bend = positive(config, "layer_norm_eps", 1e-12), curve(config, "hidden_act", "gelu")
    return Settings(
        width=whole(config, "hidden_size", 768),
        heads=whole(config, "num_attention_heads", 12),
        layers=whole(config, "num_hidden_layers", 12),
        reads=words,
        writes=words,
        segments=whole(config, "type_vocab_size", 2),
        positions=LearnedPositions(positions),
        embedding_norm=LayerNorm(epsilon),
        norm=LayerNorm(epsilon),
        norm_order="after",
        mlp=MLP(whole(config, "intermediate_size", 3072), bend),
        transform=Transform(bend, epsilon),
        biases=True,
        tied=True,
        max_tokens=positions,
    )


def config(s: Settings) -> dict[str, Any]:
    assert isinstance(s.mlp, MLP) and isinstance(s.norm, LayerNorm) and isinstance(s.positions, LearnedPositions)
    return {
        "hidden_size": s.width,
        "num_attention_heads": s.heads,
        "num_hidden_layers": s.layers,
        "vocab_size": s.reads,
        "type_vocab_size": s.segments,
        "max_position_embeddings": s.positions.max_tokens,
        "layer_norm_eps": s.norm.epsilon,
        "intermediate_size": s.mlp.hidden,
        "hidden_act": THEIR_CURVES[s.mlp.curve],
        "tie_word_embeddings": True,
    }


def filled(s: Settings) -> Settings:
    """With biases, and a single kind of text where none are distinguished: its vector is 0."""
    return replace(with_biases(s), segments=max(1, s.segments))


def nearest(s: Settings) -> Settings:
    # untied, their vocabulary bias has another name; no BERT in use is untied
    mlp = s.mlp if isinstance(s.mlp, MLP) else MLP(4 * s.width)
    norm = s.norm if isinstance(s.norm, LayerNorm) else LayerNorm(1e-12)
    return replace(
        s,
        **ORDINARY,
        kv_heads=s.heads,
        head_width=s.width // s.heads or 1,
        writes=s.reads,
        positions=from_the_first(s),
        embedding_norm=norm,
        roles=OwnRoles(),
        joining=SideBySide(),
        norm=norm,
        norm_order="after",
        mlp=mlp,
        transform=Transform(mlp.curve, norm.epsilon),
        scaling="root",
        residual=True,
        output_projection=True,
        tied=True,
    )


BERT = Layout(
    model_type="bert",
    said="BERT",
    architecture="BertForMaskedLM",
    prefix="bert.",
    table=TABLE,
    # position ids, the sentence's own vector, the guess whether one sentence follows another
    ignored=("embeddings.position_ids", "pooler.", "cls.seq_relationship.", "cls.predictions.decoder.bias"),
    copies=("cls.predictions.decoder.weight",),
    settings=settings,
    config=config,
    filled=filled,
    nearest=nearest,
    mask="both",
)

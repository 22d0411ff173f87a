"""DistilBERT's layout: BERT's with half of the layers, one kind of text and other names (Sanh et al. 2019)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.models.huggingface import bert
from regard.models.huggingface.config import must_be
from regard.models.huggingface.layout import Row, with_biases
from regard.models.parts import LayerNorm, Transform
from regard.models.settings import Settings

LAYER = "distilbert.transformer.layer.{layer}"
# their linear maps in this model are W·x: the axes are the other way round
TABLE = (
    Row("distilbert.embeddings.word_embeddings.weight", "I,C", "E"),
    Row("distilbert.embeddings.position_embeddings.weight", "P,C", "position"),
    Row("distilbert.embeddings.LayerNorm.weight", "C", "norm0.gain"),
    Row("distilbert.embeddings.LayerNorm.bias", "C", "norm0.bias"),
    Row(f"{LAYER}.attention.q_lin.weight", "HD,C", "layer{layer}.W_Q"),
    Row(f"{LAYER}.attention.q_lin.bias", "HD", "layer{layer}.b_Q"),
    Row(f"{LAYER}.attention.k_lin.weight", "GD,C", "layer{layer}.W_K"),
    Row(f"{LAYER}.attention.k_lin.bias", "GD", "layer{layer}.b_K"),
    Row(f"{LAYER}.attention.v_lin.weight", "GD,C", "layer{layer}.W_V"),
    Row(f"{LAYER}.attention.v_lin.bias", "GD", "layer{layer}.b_V"),
    Row(f"{LAYER}.attention.out_lin.weight", "C,HD", "layer{layer}.W_O"),
    Row(f"{LAYER}.attention.out_lin.bias", "C", "layer{layer}.b_O"),
    Row(f"{LAYER}.sa_layer_norm.weight", "C", "layer{layer}.norm1.gain"),
    Row(f"{LAYER}.sa_layer_norm.bias", "C", "layer{layer}.norm1.bias"),
    Row(f"{LAYER}.ffn.lin1.weight", "F,C", "layer{layer}.W_up"),
    Row(f"{LAYER}.ffn.lin1.bias", "F", "layer{layer}.b_up"),
    Row(f"{LAYER}.ffn.lin2.weight", "C,F", "layer{layer}.W_down"),
    Row(f"{LAYER}.ffn.lin2.bias", "C", "layer{layer}.b_down"),
    Row(f"{LAYER}.output_layer_norm.weight", "C", "layer{layer}.norm2.gain"),
    Row(f"{LAYER}.output_layer_norm.bias", "C", "layer{layer}.norm2.bias"),
    Row("vocab_transform.weight", "C,E", "W_transform"),
    Row("vocab_transform.bias", "C", "b_transform"),
    Row("vocab_layer_norm.weight", "C", "transform_norm.gain"),
    Row("vocab_layer_norm.bias", "C", "transform_norm.bias"),
    Row("vocab_projector.bias", "V", "b_out"),
)
# their names for what BERT has, and what each is where nothing is said
NAMES = {"dim": "hidden_size", "n_heads": "num_attention_heads", "n_layers": "num_hidden_layers",
         "hidden_dim": "intermediate_size", "activation": "hidden_act", "vocab_size": "vocab_size",
         **{name: name for name in ("max_position_embeddings", "tie_word_embeddings")}}  # fmt: skip
SIZES = {"n_layers": 6}
NORM = LayerNorm(1e-12)


def settings(config: Mapping[str, Any]) -> Settings:
    must_be(config, "is_decoder", False)
    known = {**SIZES, **config}
    return replace(bert.settings({name: known[own] for own, name in NAMES.items() if own in known}), segments=0)


def config(s: Settings) -> dict[str, Any]:
    known = bert.config(s)
    return {own: known[name] for own, name in NAMES.items()}


def nearest(s: Settings) -> Settings:
    held = bert.nearest(s)
    assert isinstance(held.transform, Transform)
    transform = replace(held.transform, epsilon=NORM.epsilon)
    return replace(held, segments=0, embedding_norm=NORM, norm=NORM, transform=transform)


DISTILBERT = replace(
    bert.BERT,
    model_type="distilbert",
    said="DistilBERT",
    architecture="DistilBertForMaskedLM",
    prefix="distilbert.",
    table=TABLE,
    ignored=("embeddings.position_ids",),
    copies=("vocab_projector.weight",),
    settings=settings,
    config=config,
    filled=with_biases,
    nearest=nearest,
)

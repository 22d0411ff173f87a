"""OPT's layout: GPT-2's parts under other names, relu, positions from the third row on (Zhang et al. 2022)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import LearnedPositions
from regard.models.huggingface.config import THEIR_CURVES, curve, must_be, truth, whole
from regard.models.huggingface.layout import ORDINARY, Layout, Row, from_the_first, with_biases
from regard.models.joining import SideBySide
from regard.models.parts import MLP, LayerNorm, NoNorm, NoTransform
from regard.models.roles import OwnRoles
from regard.models.settings import Settings

LAYER = "model.decoder.layers.{layer}"
OFFSET = 2
NORM = LayerNorm(1e-5)
# their linear maps in this model are W·x: the axes are the other way round
TABLE = (
    Row("model.decoder.embed_tokens.weight", "I,C", "E"),
    Row("model.decoder.embed_positions.weight", "P,C", "position"),
    Row(f"{LAYER}.self_attn_layer_norm.weight", "C", "layer{layer}.norm1.gain"),
    Row(f"{LAYER}.self_attn_layer_norm.bias", "C", "layer{layer}.norm1.bias"),
    Row(f"{LAYER}.self_attn.q_proj.weight", "HD,C", "layer{layer}.W_Q"),
    Row(f"{LAYER}.self_attn.q_proj.bias", "HD", "layer{layer}.b_Q"),
    Row(f"{LAYER}.self_attn.k_proj.weight", "GD,C", "layer{layer}.W_K"),
    Row(f"{LAYER}.self_attn.k_proj.bias", "GD", "layer{layer}.b_K"),
    Row(f"{LAYER}.self_attn.v_proj.weight", "GD,C", "layer{layer}.W_V"),
    Row(f"{LAYER}.self_attn.v_proj.bias", "GD", "layer{layer}.b_V"),
    Row(f"{LAYER}.self_attn.out_proj.weight", "C,HD", "layer{layer}.W_O"),
    Row(f"{LAYER}.self_attn.out_proj.bias", "C", "layer{layer}.b_O"),
    Row(f"{LAYER}.final_layer_norm.weight", "C", "layer{layer}.norm2.gain"),
    Row(f"{LAYER}.final_layer_norm.bias", "C", "layer{layer}.norm2.bias"),
    Row(f"{LAYER}.fc1.weight", "F,C", "layer{layer}.W_up"),
    Row(f"{LAYER}.fc1.bias", "F", "layer{layer}.b_up"),
    Row(f"{LAYER}.fc2.weight", "C,F", "layer{layer}.W_down"),
    Row(f"{LAYER}.fc2.bias", "C", "layer{layer}.b_down"),
    Row("model.decoder.final_layer_norm.weight", "C", "norm.gain"),
    Row("model.decoder.final_layer_norm.bias", "C", "norm.bias"),
    Row("lm_head.weight", "V,C", "W_out"),
)
# words that are narrower than the stream
NARROW = (
    Row("model.decoder.embed_tokens.weight", "I,U", "E"),
    Row("model.decoder.project_in.weight", "C,U", "W_in"),
    Row("model.decoder.project_out.weight", "U,C", "W_back"),
    Row("lm_head.weight", "V,U", "W_out"),
)


def settings(config: Mapping[str, Any]) -> Settings:
    must_be(config, "enable_bias", True)
    must_be(config, "layer_norm_elementwise_affine", True)
    must_be(config, "_remove_final_layer_norm", False)
    width, words = whole(config, "hidden_size", 768), whole(config, "vocab_size", 50272)
    positions, word_width = whole(config, "max_position_embeddings", 2048), whole(config, "word_embed_proj_dim", width)
    return Settings(
        width=width,
        heads=whole(config, "num_attention_heads", 12),
        layers=whole(config, "num_hidden_layers", 12),
        reads=words,
        writes=words,
        positions=LearnedPositions(positions, OFFSET),
        norm=NORM,
        norm_order="before" if truth(config, "do_layer_norm_before", True) else "after",
        mlp=MLP(whole(config, "ffn_dim", 3072), curve(config, "activation_function", "relu")),
        biases=True,
        tied=truth(config, "tie_word_embeddings", True),
        max_tokens=positions,
        word_width=0 if word_width == width else word_width,
    )


def config(s: Settings) -> dict[str, Any]:
    assert isinstance(s.mlp, MLP) and isinstance(s.positions, LearnedPositions)
    return {
        "hidden_size": s.width,
        "num_attention_heads": s.heads,
        "num_hidden_layers": s.layers,
        "vocab_size": s.reads,
        "max_position_embeddings": s.positions.max_tokens,
        "do_layer_norm_before": s.norm_order == "before",
        "word_embed_proj_dim": s.word_width or s.width,
        "ffn_dim": s.mlp.hidden,
        "activation_function": THEIR_CURVES[s.mlp.curve],
        "tie_word_embeddings": s.tied,
    }


def nearest(s: Settings) -> Settings:
    return replace(
        s,
        **ORDINARY | {"word_width": s.word_width},
        kv_heads=s.heads,
        head_width=s.width // s.heads or 1,
        segments=0,
        writes=s.reads,
        positions=replace(from_the_first(s), offset=OFFSET),
        norm=NORM,
        embedding_norm=NoNorm(),
        roles=OwnRoles(),
        joining=SideBySide(),
        norm_order=s.norm_order,
        mlp=s.mlp if isinstance(s.mlp, MLP) else MLP(4 * s.width, "relu"),
        scaling="root",
        transform=NoTransform(),
        residual=True,
        output_projection=True,
    )


OPT = Layout(
    model_type="opt",
    said="OPT",
    architecture="OPTForCausalLM",
    prefix="model.",
    table=(*TABLE, *NARROW),
    ignored=(),
    settings=settings,
    config=config,
    nearest=nearest,
    filled=with_biases,
)

"""GPT-2's layout: learned positions, layer norm before, biases everywhere (Radford et al. 2019)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import LearnedPositions
from regard.models.huggingface.config import THEIR_CURVES, curve, must_be, positive, truth, whole
from regard.models.huggingface.layout import ORDINARY, Layout, Row, from_the_first, with_biases
from regard.models.joining import SideBySide
from regard.models.parts import MLP, LayerNorm, NoNorm, NoTransform
from regard.models.roles import OwnRoles
from regard.models.settings import Settings


def _each(*names: str) -> list[str]:
    return [f"layer{{layer}}.{name}" for name in names]


# their linear maps in this model are x·W, as ours are
TABLE = (
    Row("transformer.wte.weight", "I,C", "E"),
    Row("transformer.wpe.weight", "P,C", "position"),
    Row("transformer.h.{layer}.ln_1.weight", "C", "layer{layer}.norm1.gain"),
    Row("transformer.h.{layer}.ln_1.bias", "C", "layer{layer}.norm1.bias"),
    Row("transformer.h.{layer}.attn.c_attn.weight", "C,HD C,GD C,GD", *_each("W_Q", "W_K", "W_V")),
    Row("transformer.h.{layer}.attn.c_attn.bias", "HD GD GD", *_each("b_Q", "b_K", "b_V")),
    Row("transformer.h.{layer}.attn.c_proj.weight", "HD,C", "layer{layer}.W_O"),
    Row("transformer.h.{layer}.attn.c_proj.bias", "C", "layer{layer}.b_O"),
    Row("transformer.h.{layer}.ln_2.weight", "C", "layer{layer}.norm2.gain"),
    Row("transformer.h.{layer}.ln_2.bias", "C", "layer{layer}.norm2.bias"),
    Row("transformer.h.{layer}.mlp.c_fc.weight", "C,F", "layer{layer}.W_up"),
    Row("transformer.h.{layer}.mlp.c_fc.bias", "F", "layer{layer}.b_up"),
    Row("transformer.h.{layer}.mlp.c_proj.weight", "F,C", "layer{layer}.W_down"),
    Row("transformer.h.{layer}.mlp.c_proj.bias", "C", "layer{layer}.b_down"),
    Row("transformer.ln_f.weight", "C", "norm.gain"),
    Row("transformer.ln_f.bias", "C", "norm.bias"),
    Row("lm_head.weight", "V,C", "W_out"),
)


def settings(config: Mapping[str, Any]) -> Settings:
    must_be(config, "scale_attn_by_inverse_layer_idx", False)
    must_be(config, "add_cross_attention", False)
    width, words = whole(config, "n_embd", 768), whole(config, "vocab_size", 50257)
    positions = whole(config, "n_positions", 1024)
    return Settings(
        width=width,
        heads=whole(config, "n_head", 12),
        layers=whole(config, "n_layer", 12),
        reads=words,
        writes=words,
        positions=LearnedPositions(positions),
        norm=LayerNorm(positive(config, "layer_norm_epsilon", 1e-5)),
        mlp=MLP(whole(config, "n_inner", 4 * width), curve(config, "activation_function", "gelu_new")),
        scaling="root" if truth(config, "scale_attn_weights", True) else "none",
        biases=True,
        tied=truth(config, "tie_word_embeddings", True),
        max_tokens=positions,
    )


def config(s: Settings) -> dict[str, Any]:
    assert isinstance(s.mlp, MLP) and isinstance(s.norm, LayerNorm) and isinstance(s.positions, LearnedPositions)
    return {
        "n_embd": s.width,
        "n_head": s.heads,
        "n_layer": s.layers,
        "vocab_size": s.reads,
        "n_positions": s.positions.max_tokens,
        "layer_norm_epsilon": s.norm.epsilon,
        "n_inner": s.mlp.hidden,
        "activation_function": THEIR_CURVES[s.mlp.curve],
        "scale_attn_weights": s.scaling == "root",
        "tie_word_embeddings": s.tied,
    }


def nearest(s: Settings) -> Settings:
    return replace(
        s,
        **ORDINARY,
        kv_heads=s.heads,
        head_width=s.width // s.heads or 1,
        segments=0,
        writes=s.reads,
        positions=from_the_first(s),
        norm=s.norm if isinstance(s.norm, LayerNorm) else LayerNorm(),
        embedding_norm=NoNorm(),
        roles=OwnRoles(),
        joining=SideBySide(),
        norm_order="before",
        mlp=s.mlp if isinstance(s.mlp, MLP) else MLP(4 * s.width, "gelu_tanh"),
        scaling=s.scaling if s.scaling == "none" else "root",
        transform=NoTransform(),
        residual=True,
        output_projection=True,
    )


GPT2 = Layout(
    model_type="gpt2",
    said="GPT-2",
    architecture="GPT2LMHeadModel",
    prefix="transformer.",
    table=TABLE,
    ignored=(".attn.bias", ".attn.masked_bias"),  # the mask, which older versions saved
    settings=settings,
    config=config,
    nearest=nearest,
    filled=with_biases,
)

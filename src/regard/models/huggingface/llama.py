"""Llama's layout: rotary positions, RMS norm before, a gated MLP, key/value heads shared (Touvron et al. 2023)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import RotaryPositions
from regard.models.huggingface.config import THEIR_CURVES, curve, layers, must_be, positive, truth, whole
from regard.models.huggingface.layout import ORDINARY, Layout, Row
from regard.models.huggingface.rotary import rotary, rotary_config
from regard.models.joining import SideBySide
from regard.models.parts import GatedMLP, NoNorm, NoTransform, RMSNorm
from regard.models.roles import OwnRoles
from regard.models.settings import Settings

# their linear maps in this model are W·x: the axes are the other way round
TABLE = (
    Row("model.embed_tokens.weight", "I,C", "E"),
    Row("model.layers.{layer}.input_layernorm.weight", "C", "layer{layer}.norm1.gain"),
    Row("model.layers.{layer}.self_attn.q_proj.weight", "HD,C", "layer{layer}.W_Q"),
    Row("model.layers.{layer}.self_attn.q_proj.bias", "HD", "layer{layer}.b_Q"),
    Row("model.layers.{layer}.self_attn.k_proj.weight", "GD,C", "layer{layer}.W_K"),
    Row("model.layers.{layer}.self_attn.k_proj.bias", "GD", "layer{layer}.b_K"),
    Row("model.layers.{layer}.self_attn.v_proj.weight", "GD,C", "layer{layer}.W_V"),
    Row("model.layers.{layer}.self_attn.v_proj.bias", "GD", "layer{layer}.b_V"),
    Row("model.layers.{layer}.self_attn.o_proj.weight", "C,HD", "layer{layer}.W_O"),
    Row("model.layers.{layer}.self_attn.o_proj.bias", "C", "layer{layer}.b_O"),
    Row("model.layers.{layer}.post_attention_layernorm.weight", "C", "layer{layer}.norm2.gain"),
    Row("model.layers.{layer}.mlp.gate_proj.weight", "F,C", "layer{layer}.W_gate"),
    Row("model.layers.{layer}.mlp.gate_proj.bias", "F", "layer{layer}.b_gate"),
    Row("model.layers.{layer}.mlp.up_proj.weight", "F,C", "layer{layer}.W_up"),
    Row("model.layers.{layer}.mlp.up_proj.bias", "F", "layer{layer}.b_up"),
    Row("model.layers.{layer}.mlp.down_proj.weight", "C,F", "layer{layer}.W_down"),
    Row("model.layers.{layer}.mlp.down_proj.bias", "C", "layer{layer}.b_down"),
    Row("model.norm.weight", "C", "norm.gain"),
    Row("lm_head.weight", "V,C", "W_out"),
)


def settings(config: Mapping[str, Any]) -> Settings:
    positions = rotary(config, head_width(config))
    if positions.turns:
        raise ValueError(
            "config.json has partial_rotary_factor below 1, which regard does not compute here; it knows 1.0"
        )
    return turned(config, positions)


def head_width(config: Mapping[str, Any]) -> int:
    width, heads = whole(config, "hidden_size", 4096), whole(config, "num_attention_heads", 32)
    return whole(config, "head_dim", max(1, width // heads))


def turned(config: Mapping[str, Any], positions: RotaryPositions) -> Settings:
    """The same for models that turn their heads in some way of their own."""
    must_be(config, "pretraining_tp", 1, None)
    biases = truth(config, "attention_bias", False)
    must_be(config, "mlp_bias", biases)
    width, heads = whole(config, "hidden_size", 4096), whole(config, "num_attention_heads", 32)
    words = whole(config, "vocab_size", 32000)
    return Settings(
        width=width,
        heads=heads,
        kv_heads=whole(config, "num_key_value_heads", heads),
        head_width=head_width(config),
        layers=layers(config, "num_hidden_layers", 32),
        reads=words,
        writes=words,
        positions=positions,
        norm=RMSNorm(positive(config, "rms_norm_eps", 1e-6)),
        mlp=GatedMLP(whole(config, "intermediate_size", 11008), curve(config, "hidden_act", "silu")),
        biases=biases,
        tied=truth(config, "tie_word_embeddings", False),
        max_tokens=whole(config, "max_position_embeddings", 2048),
    )


def config(s: Settings) -> dict[str, Any]:
    assert isinstance(s.mlp, GatedMLP) and isinstance(s.norm, RMSNorm) and isinstance(s.positions, RotaryPositions)
    return {
        "hidden_size": s.width,
        "num_attention_heads": s.heads,
        "num_key_value_heads": s.kv_heads,
        "head_dim": s.head_width,
        "num_hidden_layers": s.layers,
        "vocab_size": s.reads,
        "max_position_embeddings": s.max_tokens,
        **rotary_config(s.positions, s.head_width),
        "rms_norm_eps": s.norm.epsilon,
        "intermediate_size": s.mlp.hidden,
        "hidden_act": THEIR_CURVES[s.mlp.curve],
        "attention_bias": s.biases,
        "mlp_bias": s.biases,
        "tie_word_embeddings": s.tied,
    }


def without_biases(s: Settings) -> dict[str, Any]:
    """For layouts that have none, and no word for them."""
    return {name: value for name, value in config(s).items() if name not in ("attention_bias", "mlp_bias")}


def nearest(s: Settings) -> Settings:
    # their config insists that the heads divide the width, even where a head's width is given
    heads = s.heads if s.width % s.heads == 0 else 1
    return replace(
        s,
        **ORDINARY,
        heads=heads,
        kv_heads=s.kv_heads if heads == s.heads else 1,
        segments=0,
        writes=s.reads,
        positions=replace(s.positions, turns=0) if isinstance(s.positions, RotaryPositions) else RotaryPositions(),
        norm=s.norm if isinstance(s.norm, RMSNorm) else RMSNorm(),
        embedding_norm=NoNorm(),
        roles=OwnRoles(),
        joining=SideBySide(),
        norm_order="before",
        mlp=s.mlp if isinstance(s.mlp, GatedMLP) else GatedMLP(s.width * 8 // 3 or 1),
        scaling="root",
        transform=NoTransform(),
        residual=True,
        output_projection=True,
    )


LLAMA = Layout(
    model_type="llama",
    said="Llama",
    architecture="LlamaForCausalLM",
    prefix="model.",
    table=TABLE,
    ignored=(".rotary_emb.inv_freq",),  # follows from rope_theta
    settings=settings,
    config=config,
    nearest=nearest,
)

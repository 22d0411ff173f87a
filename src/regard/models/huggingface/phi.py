"""Phi's layouts: one norm for attention and the MLP beside it (Li et al. 2023); Phi-3 is Llama with maps stacked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import RotaryPositions
from regard.models.huggingface import llama
from regard.models.huggingface.config import THEIR_CURVES, curve, positive, truth, whole, window
from regard.models.huggingface.layout import ORDINARY, Layout, Row, Stacked, with_biases
from regard.models.huggingface.rotary import Named, rotary, rotary_config
from regard.models.joining import SideBySide
from regard.models.parts import MLP, LayerNorm, NoNorm, NoTransform
from regard.models.roles import OwnRoles
from regard.models.settings import Settings

LAYER = "model.layers.{layer}"
ROTARY = Named(usual={"base": 10_000.0, "share": 0.5})
# their linear maps in these models are W·x: the axes are the other way round
TABLE = (
    Row("model.embed_tokens.weight", "I,C", "E"),
    Row(f"{LAYER}.input_layernorm.weight", "C", "layer{layer}.norm1.gain"),
    Row(f"{LAYER}.input_layernorm.bias", "C", "layer{layer}.norm1.bias"),
    Row(f"{LAYER}.self_attn.q_proj.weight", "HD,C", "layer{layer}.W_Q"),
    Row(f"{LAYER}.self_attn.q_proj.bias", "HD", "layer{layer}.b_Q"),
    Row(f"{LAYER}.self_attn.k_proj.weight", "GD,C", "layer{layer}.W_K"),
    Row(f"{LAYER}.self_attn.k_proj.bias", "GD", "layer{layer}.b_K"),
    Row(f"{LAYER}.self_attn.v_proj.weight", "GD,C", "layer{layer}.W_V"),
    Row(f"{LAYER}.self_attn.v_proj.bias", "GD", "layer{layer}.b_V"),
    Row(f"{LAYER}.self_attn.q_layernorm.weight", "D", "layer{layer}.q_norm.gain"),
    Row(f"{LAYER}.self_attn.q_layernorm.bias", "D", "layer{layer}.q_norm.bias"),
    Row(f"{LAYER}.self_attn.k_layernorm.weight", "D", "layer{layer}.k_norm.gain"),
    Row(f"{LAYER}.self_attn.k_layernorm.bias", "D", "layer{layer}.k_norm.bias"),
    Row(f"{LAYER}.self_attn.dense.weight", "C,HD", "layer{layer}.W_O"),
    Row(f"{LAYER}.self_attn.dense.bias", "C", "layer{layer}.b_O"),
    Row(f"{LAYER}.mlp.fc1.weight", "F,C", "layer{layer}.W_up"),
    Row(f"{LAYER}.mlp.fc1.bias", "F", "layer{layer}.b_up"),
    Row(f"{LAYER}.mlp.fc2.weight", "C,F", "layer{layer}.W_down"),
    Row(f"{LAYER}.mlp.fc2.bias", "C", "layer{layer}.b_down"),
    Row("model.final_layernorm.weight", "C", "norm.gain"),
    Row("model.final_layernorm.bias", "C", "norm.bias"),
    Row("lm_head.weight", "V,C", "W_out"),
    Row("lm_head.bias", "V", "b_out"),
)


def settings(config: Mapping[str, Any]) -> Settings:
    width, heads = whole(config, "hidden_size", 2048), whole(config, "num_attention_heads", 32)
    words, norm = whole(config, "vocab_size", 51200), LayerNorm(positive(config, "layer_norm_eps", 1e-5))
    return Settings(
        width=width,
        heads=heads,
        kv_heads=whole(config, "num_key_value_heads", heads),
        layers=whole(config, "num_hidden_layers", 24),
        reads=words,
        writes=words,
        positions=rotary(config, max(1, width // heads), ROTARY),
        norm=norm,
        head_norm=norm if truth(config, "qk_layernorm", False) else NoNorm(),
        mlp=MLP(whole(config, "intermediate_size", 8192), curve(config, "hidden_act", "gelu_new")),
        arrangement="beside, one norm",
        biases=True,
        output_bias=True,
        tied=truth(config, "tie_word_embeddings", False),
        max_tokens=whole(config, "max_position_embeddings", 2048),
    )


def config(s: Settings) -> dict[str, Any]:
    assert isinstance(s.mlp, MLP) and isinstance(s.norm, LayerNorm) and isinstance(s.positions, RotaryPositions)
    turning = rotary_config(s.positions, s.head_width)
    share = turning["rope_parameters"].setdefault("partial_rotary_factor", 1.0)  # else theirs would be a half
    return {
        "hidden_size": s.width,
        "num_attention_heads": s.heads,
        "num_key_value_heads": s.kv_heads,
        "num_hidden_layers": s.layers,
        "vocab_size": s.reads,
        "max_position_embeddings": s.max_tokens,
        "partial_rotary_factor": share,
        **turning,
        "layer_norm_eps": s.norm.epsilon,
        "qk_layernorm": isinstance(s.head_norm, LayerNorm),
        "intermediate_size": s.mlp.hidden,
        "hidden_act": THEIR_CURVES[s.mlp.curve],
        "tie_word_embeddings": s.tied,
    }


def filled(s: Settings) -> Settings:
    return replace(with_biases(s), output_bias=True)


def nearest(s: Settings) -> Settings:
    norm = s.norm if isinstance(s.norm, LayerNorm) else LayerNorm()
    return replace(
        s,
        **ORDINARY | {"arrangement": "beside, one norm", "norm_order": "before", "residual": True, "output_bias": True,
                      "head_norm": norm if isinstance(s.head_norm, LayerNorm) else NoNorm()},
        head_width=s.width // s.heads or 1,
        segments=0,
        writes=s.reads,
        positions=s.positions if isinstance(s.positions, RotaryPositions) else RotaryPositions(),
        norm=norm,
        embedding_norm=NoNorm(),
        roles=OwnRoles(),
        joining=SideBySide(),
        mlp=s.mlp if isinstance(s.mlp, MLP) else MLP(4 * s.width, "gelu_tanh"),
        scaling="root",
        transform=NoTransform(),
        output_projection=True,
    )  # fmt: skip


PHI = Layout(
    model_type="phi",
    said="Phi",
    architecture="PhiForCausalLM",
    prefix="model.",
    table=TABLE,
    ignored=(".rotary_emb.inv_freq",),
    settings=settings,
    config=config,
    nearest=nearest,
    filled=filled,
)


def _each(*names: str) -> list[str]:
    return [f"layer{{layer}}.{name}" for name in names]


PHI3_TABLE = (
    *(row for row in llama.TABLE if not any(part in row.theirs for part in ("q_proj", "k_proj", "v_proj", "mlp."))),
    Stacked(f"{LAYER}.self_attn.qkv_proj.weight", "HD,C GD,C GD,C", *_each("W_Q", "W_K", "W_V")),
    Stacked(f"{LAYER}.mlp.gate_up_proj.weight", "F,C F,C", *_each("W_gate", "W_up")),
    Row(f"{LAYER}.mlp.down_proj.weight", "C,F", "layer{layer}.W_down"),
)
PHI3_SIZES = {"hidden_size": 3072, "intermediate_size": 8192, "vocab_size": 32064, "max_position_embeddings": 4096,
              "rms_norm_eps": 1e-5}  # fmt: skip


def phi3_settings(config: Mapping[str, Any]) -> Settings:
    known = {**PHI3_SIZES, **config}
    return replace(llama.turned(known, rotary(known, llama.head_width(known))), window=window(config, "sliding_window"))


def phi3_config(s: Settings) -> dict[str, Any]:
    positions = s.positions
    share = positions.turns / s.head_width if isinstance(positions, RotaryPositions) and positions.turns else 1.0
    known = {name: value for name, value in llama.without_biases(s).items() if name != "head_dim"}
    return known | {"sliding_window": s.window or None, "partial_rotary_factor": share, "pad_token_id": None}


def phi3_nearest(s: Settings) -> Settings:
    positions = s.positions if isinstance(s.positions, RotaryPositions) else RotaryPositions()
    held = llama.nearest(s)
    return replace(held, head_width=s.width // s.heads or 1, positions=positions, biases=False, window=s.window)


PHI3 = replace(
    llama.LLAMA,
    model_type="phi3",
    said="Phi-3",
    architecture="Phi3ForCausalLM",
    table=PHI3_TABLE,
    settings=phi3_settings,
    config=phi3_config,
    nearest=phi3_nearest,
)

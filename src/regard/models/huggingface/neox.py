"""GPT-NeoX's layout, and Pythia's: part of a head turns, attention and MLP beside each other (Black et al. 2022)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import RotaryPositions
from regard.models.huggingface.config import THEIR_CURVES, curve, must_be, positive, truth, whole
from regard.models.huggingface.layout import ORDINARY, Layout, Row, Woven, with_biases
from regard.models.huggingface.rotary import Named, rotary, rotary_config
from regard.models.joining import SideBySide
from regard.models.parts import MLP, LayerNorm, NoNorm, NoTransform
from regard.models.roles import OwnRoles
from regard.models.settings import Settings

LAYER = "gpt_neox.layers.{layer}"
ROTARY = Named("rotary_emb_base", "rotary_pct", {"base": 10_000.0, "share": 0.25})


def _each(*names: str) -> list[str]:
    return [f"layer{{layer}}.{name}" for name in names]


# their linear maps in this model are W·x: the axes are the other way round
TABLE = (
    Row("gpt_neox.embed_in.weight", "I,C", "E"),
    Row(f"{LAYER}.input_layernorm.weight", "C", "layer{layer}.norm1.gain"),
    Row(f"{LAYER}.input_layernorm.bias", "C", "layer{layer}.norm1.bias"),
    Woven(f"{LAYER}.attention.query_key_value.weight", "HD,C GD,C GD,C", *_each("W_Q", "W_K", "W_V")),
    Woven(f"{LAYER}.attention.query_key_value.bias", "HD GD GD", *_each("b_Q", "b_K", "b_V")),
    Row(f"{LAYER}.attention.dense.weight", "C,HD", "layer{layer}.W_O"),
    Row(f"{LAYER}.attention.dense.bias", "C", "layer{layer}.b_O"),
    Row(f"{LAYER}.post_attention_layernorm.weight", "C", "layer{layer}.norm2.gain"),
    Row(f"{LAYER}.post_attention_layernorm.bias", "C", "layer{layer}.norm2.bias"),
    Row(f"{LAYER}.mlp.dense_h_to_4h.weight", "F,C", "layer{layer}.W_up"),
    Row(f"{LAYER}.mlp.dense_h_to_4h.bias", "F", "layer{layer}.b_up"),
    Row(f"{LAYER}.mlp.dense_4h_to_h.weight", "C,F", "layer{layer}.W_down"),
    Row(f"{LAYER}.mlp.dense_4h_to_h.bias", "C", "layer{layer}.b_down"),
    Row("gpt_neox.final_layer_norm.weight", "C", "norm.gain"),
    Row("gpt_neox.final_layer_norm.bias", "C", "norm.bias"),
    Row("embed_out.weight", "V,C", "W_out"),
)


def settings(config: Mapping[str, Any]) -> Settings:
    must_be(config, "attention_bias", True)
    width, heads = whole(config, "hidden_size", 6144), whole(config, "num_attention_heads", 64)
    words = whole(config, "vocab_size", 50432)
    return Settings(
        width=width,
        heads=heads,
        layers=whole(config, "num_hidden_layers", 44),
        reads=words,
        writes=words,
        positions=rotary(config, max(1, width // heads), ROTARY),
        norm=LayerNorm(positive(config, "layer_norm_eps", 1e-5)),
        mlp=MLP(whole(config, "intermediate_size", 24576), curve(config, "hidden_act", "gelu")),
        arrangement="beside" if truth(config, "use_parallel_residual", True) else "in turn",
        biases=True,
        tied=truth(config, "tie_word_embeddings", False),
        max_tokens=whole(config, "max_position_embeddings", 2048),
    )


def config(s: Settings) -> dict[str, Any]:
    assert isinstance(s.mlp, MLP) and isinstance(s.norm, LayerNorm) and isinstance(s.positions, RotaryPositions)
    turning = rotary_config(s.positions, s.head_width)
    share = turning["rope_parameters"].setdefault("partial_rotary_factor", 1.0)  # else theirs would be a quarter
    return {
        "hidden_size": s.width,
        "num_attention_heads": s.heads,
        "num_hidden_layers": s.layers,
        "vocab_size": s.reads,
        "max_position_embeddings": s.max_tokens,
        "rotary_emb_base": s.positions.base,
        "rotary_pct": share,
        **turning,
        "layer_norm_eps": s.norm.epsilon,
        "intermediate_size": s.mlp.hidden,
        "hidden_act": THEIR_CURVES[s.mlp.curve],
        "use_parallel_residual": s.arrangement == "beside",
        "tie_word_embeddings": s.tied,
    }


def nearest(s: Settings) -> Settings:
    beside, head_width = s.arrangement == "beside", s.width // s.heads or 1
    turned = s.positions if isinstance(s.positions, RotaryPositions) else RotaryPositions()
    if head_width % 2 and not turned.turns:
        turned = replace(turned, turns=head_width - 1)
    return replace(
        s,
        **ORDINARY | {"arrangement": "beside" if beside else "in turn"},
        kv_heads=s.heads,
        head_width=head_width,
        segments=0,
        writes=s.reads,
        positions=turned,
        norm=s.norm if isinstance(s.norm, LayerNorm) else LayerNorm(),
        embedding_norm=NoNorm(),
        roles=OwnRoles(),
        joining=SideBySide(),
        norm_order="before",
        mlp=s.mlp if isinstance(s.mlp, MLP) else MLP(4 * s.width),
        scaling="root",
        transform=NoTransform(),
        residual=True,
        output_projection=True,
    )


NEOX = Layout(
    model_type="gpt_neox",
    said="GPT-NeoX",
    architecture="GPTNeoXForCausalLM",
    prefix="gpt_neox.",
    table=TABLE,
    # the mask and the angles, which older versions saved
    ignored=(".attention.bias", ".attention.masked_bias", ".rotary_emb.inv_freq"),
    settings=settings,
    config=config,
    nearest=nearest,
    filled=with_biases,
    copies=("embed_out.weight",),
)

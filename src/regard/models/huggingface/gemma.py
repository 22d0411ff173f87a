"""Gemma's layouts: norms before and after, gains around 1, large words, windows in some layers.

Gemma 2 caps scores and logits (2024); Gemma 3 has norms of queries and keys, and positions for near and far (2025).
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import RotaryPositions
from regard.checkpoints.reading import as_object
from regard.models.huggingface import llama
from regard.models.huggingface.config import kinds, must_be, positive, whole, window
from regard.models.huggingface.layout import Row
from regard.models.huggingface.rotary import rotary, rotary_config
from regard.models.looking import Looking
from regard.models.parts import GatedMLP, NoNorm, RMSNorm, RMSNormAroundOne
from regard.models.settings import Settings

LAYER = "model.layers.{layer}"
FULL, SLIDING = "full_attention", "sliding_attention"
TABLE = (
    *(row for row in llama.TABLE if "norm" not in row.theirs),
    Row(f"{LAYER}.input_layernorm.weight", "C", "layer{layer}.norm1.extra"),
    Row(f"{LAYER}.post_attention_layernorm.weight", "C", "layer{layer}.norm1_after.extra"),
    Row(f"{LAYER}.pre_feedforward_layernorm.weight", "C", "layer{layer}.norm2.extra"),
    Row(f"{LAYER}.post_feedforward_layernorm.weight", "C", "layer{layer}.norm2_after.extra"),
    Row(f"{LAYER}.self_attn.q_norm.weight", "D", "layer{layer}.q_norm.extra"),
    Row(f"{LAYER}.self_attn.k_norm.weight", "D", "layer{layer}.k_norm.extra"),
    Row("model.norm.weight", "C", "norm.extra"),
)
SIZES = {"hidden_size": 2304, "intermediate_size": 9216, "num_hidden_layers": 26, "num_attention_heads": 8,
         "num_key_value_heads": 4, "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "sliding_window": 4096,
         "query_pre_attn_scalar": 256, "tie_word_embeddings": True}  # fmt: skip
GEMMA2_SIZES = SIZES | {"vocab_size": 256000, "max_position_embeddings": 8192}
GEMMA3_SIZES = SIZES | {"vocab_size": 262_208, "max_position_embeddings": 131_072}
CAPS = {"attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0}


def gemma2_settings(config: Mapping[str, Any]) -> Settings:
    known = {**GEMMA2_SIZES, **CAPS, **config}
    base = llama.settings(_as_llama(known))
    named = kinds(known, base.layers, FULL, SLIDING)
    named = named or tuple(FULL if layer % 2 else SLIDING for layer in range(base.layers))
    size = window(known, "sliding_window")
    return replace(_gemma(base, known), looking=tuple(Looking(size if kind == SLIDING else 0) for kind in named))


def gemma3_settings(config: Mapping[str, Any]) -> Settings:
    known = {**GEMMA3_SIZES, **config}
    must_be(known, "attn_logit_softcapping", None)  # it is in their configs, and not in their code
    far, near = (rotary(group, llama.head_width(known)) for group in _groups(known))
    if far.turns or near.turns:
        raise ValueError("config.json has partial_rotary_factor below 1, which regard does not compute; it knows 1.0")
    base = llama.turned(_as_llama(known), far)
    named = kinds(known, base.layers, FULL, SLIDING)
    if named is None:
        every = whole(known, "sliding_window_pattern", 6)
        named = tuple(SLIDING if (layer + 1) % every else FULL for layer in range(base.layers))
    local = Looking(window(known, "sliding_window"), near)
    made = _gemma(base, known)
    return replace(made, head_norm=made.norm, looking=tuple(local if kind == SLIDING else Looking() for kind in named))


def _as_llama(config: Mapping[str, Any]) -> dict[str, Any]:
    must_be(config, "attention_bias", False)
    must_be(config, "use_bidirectional_attention", False, None)
    return {**config, "hidden_act": config["hidden_activation"]}


def _gemma(base: Settings, config: Mapping[str, Any]) -> Settings:
    assert isinstance(base.norm, RMSNorm)
    return replace(
        base,
        norm=RMSNormAroundOne(base.norm.epsilon),
        norm_order="around",
        scaling_width=whole(config, "query_pre_attn_scalar"),
        cap=_cap(config, "attn_logit_softcapping"),
        logit_cap=_cap(config, "final_logit_softcapping"),
        embedding_scale=math.sqrt(base.width),
    )


def _cap(config: Mapping[str, Any], name: str) -> float | None:
    return None if config.get(name) is None else positive(config, name)


def _groups(config: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What says how positions turn in layers that look far and near: two groups, or in older files names apart."""
    given = config.get("rope_parameters")
    groups = {} if given is None else as_object(given)
    if groups is None:
        raise ValueError(f"rope_parameters in config.json must be an object, got {type(given).__name__}")
    far, near = groups.get(FULL), groups.get(SLIDING)
    far_base, near_base = positive(config, "rope_theta", 1e6), positive(config, "rope_local_base_freq", 1e4)
    old = {"rope_scaling": config.get("rope_scaling")} if far is None else {}
    return {"rope_parameters": far, "rope_theta": far_base, **old}, {"rope_parameters": near, "rope_theta": near_base}


def gemma2_config(s: Settings) -> dict[str, Any]:
    sizes = [one.window for one in s.looking if one.window]
    assert isinstance(s.norm, RMSNormAroundOne) and isinstance(s.mlp, GatedMLP)
    as_llama = replace(s, norm=RMSNorm(s.norm.epsilon))
    known = {name: value for name, value in llama.without_biases(as_llama).items() if name != "hidden_act"}
    return known | {
        "hidden_activation": "gelu_pytorch_tanh" if s.mlp.curve == "gelu_tanh" else s.mlp.curve,
        "query_pre_attn_scalar": s.scaling_width,
        "attn_logit_softcapping": s.cap,
        "final_logit_softcapping": s.logit_cap,
        "sliding_window": sizes[0] if sizes else 4096,
        "layer_types": [SLIDING if s.of(layer).window else FULL for layer in range(s.layers)],
    }


def gemma3_config(s: Settings) -> dict[str, Any]:
    near = next((one.positions for one in s.looking if one.window), RotaryPositions())
    assert isinstance(near, RotaryPositions) and isinstance(s.positions, RotaryPositions)
    far_group = rotary_config(s.positions, s.head_width)["rope_parameters"]
    near_group = rotary_config(near, s.head_width)["rope_parameters"]
    known = {name: value for name, value in gemma2_config(s).items() if name != "rope_scaling"}
    return known | {
        "rope_theta": s.positions.base,
        "rope_local_base_freq": near.base,
        "rope_parameters": {FULL: far_group, SLIDING: near_group},
    }


def gemma2_nearest(s: Settings) -> Settings:
    return replace(_nearest(s), cap=s.cap, looking=_held(s, own_positions=False))


def gemma3_nearest(s: Settings) -> Settings:
    held = _nearest(s)
    return replace(held, head_norm=held.norm, looking=_held(s, own_positions=True))


def _nearest(s: Settings) -> Settings:
    norm = s.norm if isinstance(s.norm, RMSNormAroundOne) else RMSNormAroundOne()
    return replace(
        llama.nearest(s),
        norm=norm,
        norm_order="around",
        head_norm=NoNorm(),
        scaling_width=s.scaling_width or s.head_width,
        logit_cap=s.logit_cap,
        embedding_scale=math.sqrt(s.width),
        biases=False,
    )


def _held(s: Settings, own_positions: bool) -> tuple[Looking, ...]:
    """One window in some layers, where positions are or are not their own."""
    local, far = {one for one in s.looking if one.window}, {one for one in s.looking if not one.window}
    alike = len(local) == 1 and far <= {Looking()} and (next(iter(local)).positions is not None) == own_positions
    return s.looking if alike and len(s.looking) == s.layers else (Looking(),) * s.layers


GEMMA2 = replace(
    llama.LLAMA,
    model_type="gemma2",
    said="Gemma 2",
    architecture="Gemma2ForCausalLM",
    table=TABLE,
    settings=gemma2_settings,
    config=gemma2_config,
    nearest=gemma2_nearest,
)
GEMMA3 = replace(
    GEMMA2,
    model_type="gemma3_text",
    said="Gemma 3",
    architecture="Gemma3ForCausalLM",
    settings=gemma3_settings,
    config=gemma3_config,
    nearest=gemma3_nearest,
)

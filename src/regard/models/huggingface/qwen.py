"""Qwen's layouts: Llama's, with biases for queries, keys and values, or with norms in their place.

Qwen2: Yang et al. 2024; Qwen3: Yang et al. 2025.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.models.huggingface import llama
from regard.models.huggingface.config import kinds, must_be, truth, whole, window
from regard.models.huggingface.layout import Row
from regard.models.looking import Looking
from regard.models.roles import BiasedRoles
from regard.models.settings import Settings

KINDS = ("full_attention", "sliding_attention")
QWEN2_SIZES = {"hidden_size": 4096, "intermediate_size": 22016, "num_key_value_heads": 32, "vocab_size": 151936,
               "max_position_embeddings": 32768}  # fmt: skip


def qwen2_settings(config: Mapping[str, Any]) -> Settings:
    known = llama.settings({**QWEN2_SIZES, **config})
    return replace(known, roles=BiasedRoles(), looking=_looking(config, known.layers))


def _looking(config: Mapping[str, Any], layers: int) -> tuple[Looking, ...]:
    """Where windows are used, the layers from one on have them, or those that are named."""
    if not truth(config, "use_sliding_window", False):
        return ()
    named = kinds(config, layers, *KINDS)
    if named is None:
        first = whole(config, "max_window_layers", 28)
        named = tuple(KINDS[layer >= first] for layer in range(layers))
    size = window(config, "sliding_window")
    return tuple(Looking(size if kind == KINDS[1] else 0) for kind in named)


def qwen2_config(s: Settings) -> dict[str, Any]:
    sizes = {one.window for one in s.looking if one.window}
    return llama.without_biases(s) | {
        "use_sliding_window": bool(sizes),
        "sliding_window": max(sizes, default=None),
        "layer_types": [KINDS[s.of(layer).window > 0] for layer in range(s.layers)],
    }


def qwen2_nearest(s: Settings) -> Settings:
    return replace(llama.nearest(s), roles=BiasedRoles(), biases=False, looking=_held(s))


def _held(s: Settings) -> tuple[Looking, ...]:
    """One window, in some of the layers."""
    sizes = {one.window for one in s.looking if one.window}
    alike = len(sizes) == 1 and all(one.positions is None for one in s.looking)
    return s.looking if alike and len(s.looking) == s.layers else ()


QWEN2 = replace(
    llama.LLAMA,
    model_type="qwen2",
    said="Qwen2",
    architecture="Qwen2ForCausalLM",
    settings=qwen2_settings,
    config=qwen2_config,
    nearest=qwen2_nearest,
)

QWEN3_TABLE = (
    *llama.TABLE,
    Row("model.layers.{layer}.self_attn.q_norm.weight", "D", "layer{layer}.q_norm.gain"),
    Row("model.layers.{layer}.self_attn.k_norm.weight", "D", "layer{layer}.k_norm.gain"),
)
QWEN3_SIZES = QWEN2_SIZES | {"head_dim": 128}


def qwen3_settings(config: Mapping[str, Any]) -> Settings:
    must_be(config, "attention_bias", False)
    known = llama.settings({**QWEN3_SIZES, **config})
    return replace(known, head_norm=known.norm, looking=_looking(config, known.layers))


def qwen3_config(s: Settings) -> dict[str, Any]:
    return qwen2_config(s) | {"attention_bias": False}


def qwen3_nearest(s: Settings) -> Settings:
    held = llama.nearest(s)
    return replace(held, biases=False, head_norm=held.norm, looking=_held(s))


QWEN3 = replace(
    QWEN2,
    model_type="qwen3",
    said="Qwen3",
    architecture="Qwen3ForCausalLM",
    table=QWEN3_TABLE,
    settings=qwen3_settings,
    config=qwen3_config,
    nearest=qwen3_nearest,
)

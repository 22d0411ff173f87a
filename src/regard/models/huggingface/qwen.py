"""Qwen's layouts: Llama's, with biases for queries, keys and values (Qwen2: Yang et al. 2024)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.models.huggingface import llama
from regard.models.huggingface.config import kinds, truth, whole, window
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

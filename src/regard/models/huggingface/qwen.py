"""Qwen's layouts: Llama's, with biases for queries, keys and values (Qwen2: Yang et al. 2024)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.models.huggingface import llama
from regard.models.huggingface.config import must_be
from regard.models.roles import BiasedRoles
from regard.models.settings import Settings

QWEN2_SIZES = {"hidden_size": 4096, "intermediate_size": 22016, "num_key_value_heads": 32, "vocab_size": 151936,
               "max_position_embeddings": 32768}  # fmt: skip


def qwen2_settings(config: Mapping[str, Any]) -> Settings:
    must_be(config, "use_sliding_window", False)
    return replace(llama.settings({**QWEN2_SIZES, **config}), roles=BiasedRoles())


def qwen2_config(s: Settings) -> dict[str, Any]:
    return {name: value for name, value in llama.config(s).items() if name not in ("attention_bias", "mlp_bias")}


def qwen2_nearest(s: Settings) -> Settings:
    return replace(llama.nearest(s), roles=BiasedRoles(), biases=False)


QWEN2 = replace(
    llama.LLAMA,
    model_type="qwen2",
    said="Qwen2",
    architecture="Qwen2ForCausalLM",
    settings=qwen2_settings,
    config=qwen2_config,
    nearest=qwen2_nearest,
)

"""Mistral's layout: Llama's, in which words look no farther than a window (Jiang et al. 2023)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.models.huggingface import llama
from regard.models.huggingface.config import must_be, window
from regard.models.settings import Settings

SIZES = {"intermediate_size": 14336, "num_key_value_heads": 8, "max_position_embeddings": 4096 * 32,
         "sliding_window": 4096}  # fmt: skip


def settings(config: Mapping[str, Any]) -> Settings:
    known = {**SIZES, **config}
    must_be(known, "layer_types", None)
    return replace(llama.settings(known), window=window(known, "sliding_window"))


def config(s: Settings) -> dict[str, Any]:
    return llama.without_biases(s) | {"sliding_window": s.window or None}


def nearest(s: Settings) -> Settings:
    return replace(llama.nearest(s), biases=False, window=s.window)


MISTRAL = replace(
    llama.LLAMA,
    model_type="mistral",
    said="Mistral",
    architecture="MistralForCausalLM",
    settings=settings,
    config=config,
    nearest=nearest,
)

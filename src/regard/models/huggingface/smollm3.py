"""SmolLM3's layout: Llama's, with layers whose words do not know their places (Bakouch et al. 2025)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regard.attending.positions import NoPositions
from regard.checkpoints.reading import as_list
from regard.models.huggingface import llama
from regard.models.huggingface.config import kinds, truth, whole, window
from regard.models.looking import Looking
from regard.models.settings import Settings

FULL, SLIDING = "full_attention", "sliding_attention"
SIZES = {"hidden_size": 2048, "intermediate_size": 11008, "num_hidden_layers": 36, "num_attention_heads": 16,
         "num_key_value_heads": 4, "vocab_size": 128256, "max_position_embeddings": 32768,
         "tie_word_embeddings": True, "rope_theta": 2_000_000.0}  # fmt: skip


def settings(config: Mapping[str, Any]) -> Settings:
    known = {**SIZES, **config}
    base = llama.settings(known)
    places = _turning(known, base.layers)
    size = window(known, "sliding_window") if truth(known, "use_sliding_window", False) else 0
    named = kinds(known, base.layers, FULL, SLIDING)
    named = named or tuple(SLIDING if size and not turning else FULL for turning in places)
    looking = tuple(
        Looking(size if kind == SLIDING else 0, None if turning else NoPositions())
        for kind, turning in zip(named, places)
    )
    return replace(base, looking=looking)


def _turning(config: Mapping[str, Any], layers: int) -> list[bool]:
    """Whether the words of each layer know their places."""
    given: Any = config.get("no_rope_layers")
    if given is None:
        every = whole(config, "no_rope_layer_interval", 4)
        return [(layer + 1) % every != 0 for layer in range(layers)]
    named = as_list(given)
    if named is None or len(named) != layers or not all(type(one) is int and one in (0, 1) for one in named):
        raise ValueError(f"no_rope_layers in config.json must be a list of 0 or 1 for each of {layers} layers")
    return [one == 1 for one in named]


def config(s: Settings) -> dict[str, Any]:
    layers = [s.of(layer) for layer in range(s.layers)]
    size = max((layer.window for layer in layers), default=0)
    return llama.config(s) | {
        "no_rope_layers": [int(layer.positions == s.positions) for layer in layers],
        "use_sliding_window": size > 0,
        "sliding_window": size or None,
        "layer_types": [SLIDING if layer.window else FULL for layer in layers],
    }


def nearest(s: Settings) -> Settings:
    return replace(llama.nearest(s), looking=_held(s))


def _held(s: Settings) -> tuple[Looking, ...]:
    """One window at most, and layers that turn as all do or not at all."""
    sizes = {one.window for one in s.looking if one.window}
    alike = len(sizes) <= 1 and all(one.positions in (None, NoPositions()) for one in s.looking)
    return s.looking if alike and len(s.looking) == s.layers else (Looking(),) * s.layers


SMOLLM3 = replace(
    llama.LLAMA,
    model_type="smollm3",
    said="SmolLM3",
    architecture="SmolLM3ForCausalLM",
    settings=settings,
    config=config,
    nearest=nearest,
)

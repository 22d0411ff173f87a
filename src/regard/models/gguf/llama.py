"""llama.cpp's names for Llama's parts, beside Hugging Face's: what a GGUF file means as a folder of theirs would."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from regard.attending.positions import RotaryPositions
from regard.attending.stretching import ByFactors, Linear, Unstretched
from regard.models.gguf.file import Tensor
from regard.models.huggingface.rotary import rotary_config

ARCHITECTURE = "llama"
# their parts by Hugging Face's names; a layer's come after blk.N
WHOLE = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
OF_A_LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
FACTORS = "rope_freqs.weight"  # by which pairs of a head turn slower: Llama 3's rule, written down
TURNED = ("attn_q", "attn_k")  # what rotary positions turn: its rows lie in another order
MOST = 2**24


def name_of(theirs: str) -> str:
    """
    >>> name_of("model.layers.3.self_attn.q_proj.weight"), name_of("model.norm.weight")
    ('blk.3.attn_q.weight', 'output_norm.weight')
    """
    part, _, what = theirs.rpartition(".")
    layer = re.fullmatch(r"model\.layers\.(\d+)\.(.+)", part)
    return f"blk.{layer[1]}.{OF_A_LAYER[layer[2]]}.{what}" if layer else f"{WHOLE[part]}.{what}"


def is_turned(name: str) -> bool:
    """Whether rotary positions turn what a tensor makes.

    llama.cpp turns neighbours (0 with 1, 2 with 3), Hugging Face halves (0 with D/2): the rows are exchanged.
    """
    return any(f".{part}." in name for part in TURNED)


def config_of(
    values: Mapping[str, Any], tensors: Mapping[str, Tensor], factors: Sequence[float] | None = None
) -> dict[str, Any]:
    """The config.json that would describe the same model; `factors` are the numbers of `rope_freqs`, if it has them."""
    _refuse_others(values)
    width, heads = _whole(values, "embedding_length"), _whole(values, "attention.head_count")
    head_width = _whole(values, "attention.key_length", max(1, width // heads))
    for name in ("attention.value_length", "rope.dimension_count"):
        if _whole(values, name, head_width) != head_width:
            raise ValueError(f"it has {ARCHITECTURE}.{name} = {_whole(values, name)}, but heads of {head_width}")
    words = tensors.get("token_embd.weight")
    if words is None:
        raise ValueError("it lacks token_embd.weight, the vectors of its words")
    biases = "blk.0.attn_q.bias" in tensors
    return {
        "hidden_size": width,
        "num_attention_heads": heads,
        "num_key_value_heads": _whole(values, "attention.head_count_kv", heads),
        "head_dim": head_width,
        "num_hidden_layers": _layers(values, tensors),
        "vocab_size": words.shape[0],
        "max_position_embeddings": _whole(values, "context_length"),
        **rotary_config(_turning(values, head_width, factors), head_width),
        "rms_norm_eps": _positive(values, "attention.layer_norm_rms_epsilon"),
        "intermediate_size": _whole(values, "feed_forward_length"),
        "hidden_act": "silu",
        "attention_bias": biases,
        "mlp_bias": biases,
        "tie_word_embeddings": "output.weight" not in tensors,
    }


def _refuse_others(values: Mapping[str, Any]) -> None:
    """What regard would compute otherwise than llama.cpp does."""
    if (found := values.get("general.architecture")) != ARCHITECTURE:
        came = f"the architecture {found!r:.40}" if isinstance(found, str) else "no general.architecture"
        raise ValueError(f"it has {came}; of GGUF files, regard reads {ARCHITECTURE!r}")
    if values.get(f"{ARCHITECTURE}.expert_count", 0) != 0:
        raise ValueError("it is a mixture of experts, which regard does not compute")


def _turning(values: Mapping[str, Any], head_width: int, factors: Sequence[float] | None) -> RotaryPositions:
    """How fast pairs turn: slower by one factor for all of them, by one of their own, or both."""
    kind = values.get(f"{ARCHITECTURE}.rope.scaling.type", "linear")  # as llama.cpp takes it
    if kind not in ("none", "linear"):
        raise ValueError(f"it stretches its rotary positions by {kind!r:.40}, which regard does not compute")
    if _positive(values, "rope.scaling.attn_factor", 1.0) != 1.0:
        raise ValueError("it scales attention with its rotary positions, which regard does not compute")
    older = values.get(f"{ARCHITECTURE}.rope.scale_linear", 1.0)
    slower = _positive(values, "rope.scaling.factor", older) if kind == "linear" else 1.0
    stretch: Unstretched = Unstretched() if slower == 1.0 else Linear(slower)
    if factors is not None:
        if len(factors) != head_width // 2 or not all(0 < factor < MOST for factor in factors):
            raise ValueError(f"{FACTORS} must hold a number above 0 for each of {head_width // 2} pairs of a head")
        stretch = ByFactors(tuple(slower * factor for factor in factors))
    return RotaryPositions(_positive(values, "rope.freq_base", 10_000.0), stretch=stretch)


def _layers(values: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> int:
    layers = _whole(values, "block_count")
    if layers * len(OF_A_LAYER) > len(tensors):
        raise ValueError(f"{ARCHITECTURE}.block_count is {layers:,}, but there are only {len(tensors):,} tensors")
    return layers


def _whole(values: Mapping[str, Any], name: str, default: int | None = None) -> int:
    value = values.get(f"{ARCHITECTURE}.{name}", default)
    if type(value) is not int or not 1 <= value <= MOST:
        raise ValueError(f"{ARCHITECTURE}.{name} must be a whole number from 1 to {MOST:,}, got {_came(value)}")
    return value


def _positive(values: Mapping[str, Any], name: str, default: float | None = None) -> float:
    value = values.get(f"{ARCHITECTURE}.{name}", default)
    if type(value) not in (int, float) or not 0 < value < 1e30:
        raise ValueError(f"{ARCHITECTURE}.{name} must be a number above 0, got {_came(value)}")
    return float(value)


def _came(value: Any) -> str:
    return "nothing" if value is None else "a list" if isinstance(value, list) else f"{value!r:.40}"

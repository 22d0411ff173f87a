"""A config.json that a layout does not know is refused: with the field, what it says, and what is known."""

import pytest

from regard.models.huggingface.layouts import LAYOUTS

REFUSED = [
    ("llama", {"mlp_bias": True}, r"mlp_bias = True, which regard does not compute; it knows False"),
    ("llama", {"partial_rotary_factor": 0.5}, r"partial_rotary_factor below 1, .*; it knows 1.0"),
    ("llama", {"rope_scaling": {"rope_type": "longrope"}}, r"'longrope' with .*; it knows short_factor"),
    ("mistral", {"layer_types": ["full_attention"]}, r"layer_types = a list, .*; it knows nothing"),
    ("mistral", {"sliding_window": 0}, r"sliding_window .* must be a whole number from 1"),
    ("qwen2", {"use_sliding_window": "yes"}, r"use_sliding_window .* must be true or false, got 'yes'"),
    ("qwen2", {"use_sliding_window": True, "num_hidden_layers": 1, "layer_types": ["chunked_attention"]},
     r"layer_types = 'chunked_attention', .*; it knows 'full_attention' or 'sliding_attention'"),
    ("qwen2", {"use_sliding_window": True, "layer_types": ["full_attention"]}, r"one kind for each of 32 layers"),
    ("qwen3", {"attention_bias": True}, r"attention_bias = True, .*; it knows False"),
    ("roberta", {"max_position_embeddings": 2}, r"more than pad_token_id \+ 1, got 2"),
    ("distilbert", {"activation": "selu"}, r"must be one of gelu, .*, got 'selu'"),
    ("opt", {"enable_bias": False}, r"enable_bias = False, .*; it knows True"),
    ("opt", {"_remove_final_layer_norm": True}, r"_remove_final_layer_norm = True, .*; it knows False"),
    ("gpt_neox", {"attention_bias": False}, r"attention_bias = False, .*; it knows True"),
    ("gpt_neox", {"rotary_pct": 0.01}, r"has 0 turn of heads of 96"),
    ("phi", {"qk_layernorm": 1}, r"qk_layernorm .* must be true or false, got 1"),
    ("phi3", {"rope_scaling": {"type": "longrope"}}, r"type = 'longrope' with .*; it knows"),
    ("gemma2", {"attn_logit_softcapping": -1.0}, r"attn_logit_softcapping .* must be a number above 0, got -1.0"),
    ("gemma2", {"use_bidirectional_attention": True}, r"use_bidirectional_attention = True, .*; it knows False"),
    ("gemma3_text", {"attn_logit_softcapping": 50.0}, r"attn_logit_softcapping = 50.0, .*; it knows nothing"),
    ("gemma3_text", {"rope_parameters": [1]}, r"rope_parameters .* must be an object, got list"),
    ("gemma2", {"num_hidden_layers": 2**24}, r"16,777,216 layers; at most 1,024 are read"),
    ("smollm3", {"no_rope_layers": [2] * 36}, r"a list of 0 or 1 for each of 36 layers"),
]  # fmt: skip


@pytest.mark.parametrize("kind, changed, said", REFUSED)
def test_what_a_layout_does_not_know_is_refused(kind, changed, said):
    with pytest.raises(ValueError, match=said):
        LAYOUTS[kind].settings(changed)


@pytest.mark.parametrize("kind", LAYOUTS)
def test_an_empty_config_means_what_it_means_there(kind):
    """A file may leave out what is usual: those are the sizes of the family's first model."""
    settings = LAYOUTS[kind].settings({})
    assert settings.layers > 1 and settings.width >= 768

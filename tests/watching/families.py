"""Tiny models of many families with random parameters, and what each reads: nothing is downloaded."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import transformers

WORDS, TOKENS, WRITTEN, WIDTH, HEADS, KEY_HEADS = 97, 13, 7, 48, 6, 2
SIZES = {
    "vocab_size": WORDS,
    "hidden_size": WIDTH,
    "num_hidden_layers": 3,
    "num_attention_heads": HEADS,
    "intermediate_size": 64,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
SHARED = {**SIZES, "num_key_value_heads": KEY_HEADS}


@dataclass(frozen=True)
class Family:
    name: str
    model: str  # the class in transformers
    settings: dict[str, Any]
    inputs: Callable[[], dict[str, torch.Tensor]]
    layers: int = 3

    def made(self, attention: str | None = None) -> Any:
        """The same model every time; with the kernel that it takes by itself, or the one that is named."""
        torch.manual_seed(11)
        kind = getattr(transformers, self.model)
        config = kind.config_class(**self.settings)
        if attention is not None:
            config._attn_implementation = attention
        return kind._from_config(config).eval()


def text(tokens: int = TOKENS, texts: int = 1) -> torch.Tensor:
    return torch.randint(3, WORDS, (texts, tokens), generator=torch.Generator().manual_seed(5))


def reads() -> dict[str, torch.Tensor]:
    return {"input_ids": text()}


def reads_and_writes() -> dict[str, torch.Tensor]:
    return {"input_ids": text(), "decoder_input_ids": text(WRITTEN)}


def hears() -> dict[str, torch.Tensor]:
    sound = torch.randn(1, 8, 2 * TOKENS, generator=torch.Generator().manual_seed(5))
    return {"input_features": sound, "decoder_input_ids": text(WRITTEN)}


def sees() -> dict[str, torch.Tensor]:
    return {"pixel_values": torch.randn(1, 3, 24, 24, generator=torch.Generator().manual_seed(5))}


GPT = {"vocab_size": WORDS, "n_embd": WIDTH, "n_layer": 3, "n_head": HEADS, "bos_token_id": 1, "eos_token_id": 2}
SPEAKS = {
    "vocab_size": WORDS,
    "d_model": WIDTH,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": HEADS,
    "decoder_attention_heads": HEADS,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 1,
}
FAMILIES = (
    Family("GPT-2", "GPT2LMHeadModel", GPT, reads),
    Family("GPT-NeoX", "GPTNeoXForCausalLM", SIZES, reads),
    Family(
        "OPT",
        "OPTForCausalLM",
        {**SIZES, "ffn_dim": 64, "word_embed_proj_dim": WIDTH},
        reads,
    ),
    Family("BERT", "BertModel", SIZES, reads),
    Family("RoBERTa", "RobertaModel", SIZES, reads),
    Family(
        "DistilBERT",
        "DistilBertModel",
        {"vocab_size": WORDS, "dim": WIDTH, "n_layers": 3, "n_heads": HEADS, "hidden_dim": 64, "pad_token_id": 0},
        reads,
    ),
    Family("ALBERT", "AlbertModel", {**SIZES, "embedding_size": 16}, reads),
    Family(
        "T5",
        "T5ForConditionalGeneration",
        {
            "vocab_size": WORDS,
            "d_model": WIDTH,
            "d_kv": 8,
            "d_ff": 64,
            "num_layers": 2,
            "num_heads": HEADS,
            "pad_token_id": 0,
            "eos_token_id": 2,
            "decoder_start_token_id": 1,
        },
        reads_and_writes,
        6,
    ),
    Family("BART", "BartForConditionalGeneration", SPEAKS, reads_and_writes, 6),
    Family(
        "Whisper",
        "WhisperForConditionalGeneration",
        {**SPEAKS, "num_mel_bins": 8, "max_source_positions": TOKENS},
        hears,
        6,
    ),
    Family("Llama", "LlamaForCausalLM", SHARED, reads),
    Family("Mistral", "MistralForCausalLM", {**SHARED, "sliding_window": 5}, reads),
    Family("Qwen2", "Qwen2ForCausalLM", SHARED, reads),
    Family("Qwen3", "Qwen3ForCausalLM", {**SHARED, "head_dim": 8}, reads),
    Family("Gemma 2", "Gemma2ForCausalLM", {**SHARED, "head_dim": 8, "sliding_window": 5}, reads),
    Family("Gemma 3", "Gemma3ForCausalLM", {**SHARED, "head_dim": 8, "sliding_window": 5}, reads),
    Family("Phi", "PhiForCausalLM", SIZES, reads),
    Family(
        "GPT-OSS",
        "GptOssForCausalLM",
        {**SHARED, "head_dim": 8, "sliding_window": 5, "num_local_experts": 2, "num_experts_per_tok": 1},
        reads,
    ),
    Family(
        "ViT",
        "ViTModel",
        {
            "hidden_size": WIDTH,
            "num_hidden_layers": 3,
            "num_attention_heads": HEADS,
            "intermediate_size": 64,
            "image_size": 24,
            "patch_size": 8,
        },
        sees,
    ),
)

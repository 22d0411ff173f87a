"""Tiny random models of transformers' own classes, their tokenizers, and what Glass computes at every position."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from regard.attending.masks import MASKS
from regard.models.glass import Glass
from regard.models.model import Model
from regard.models.parameters import checked
from regard.models.transformer import predicted_logits, transformer

os.environ["HF_HUB_OFFLINE"] = "1"

TEXTS = (
    "The quick brown fox jumps over the lazy dog, and the dog didn't sleep.",
    "Naïve déjà vu: 你好, Привет! 👍🏽 e\u0301",
    "  two  spaces,\ttabs\nlines \r\n and a nbsp\u00a0here ",
    "x = 3.14159; print(f'{x:>10}')  # 2026-11-15",
    "zzz \u200d\ufe0f \U0001f468\u200d\U0001f469\u200d\U0001f467 ﬁ Å K \x7f",
    "a",
)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def byte_level(size: int = 300) -> Tokenizer:
    """As GPT-2's and SmolLM2's: every text can be cut, no space is put before it."""
    engine = Tokenizer(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    engine.decoder = decoders.ByteLevel()
    engine.post_processor = processors.ByteLevel(trim_offsets=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    engine.train_from_iterator(
        TEXTS, trainers.BpeTrainer(vocab_size=size, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet,
                                   show_progress=False)
    )  # fmt: skip
    return engine


def spaces(size: int = 400) -> Tokenizer:
    """As Llama 2's: SentencePiece-like, ▁ for a space, bytes for what it does not know, <s> before the text."""
    teacher = Tokenizer(models.BPE())
    teacher.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    teacher.train_from_iterator(
        TEXTS, trainers.BpeTrainer(vocab_size=size, special_tokens=special, show_progress=False)
    )
    from json import loads

    learned = loads(teacher.to_str())["model"]
    merges = [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in learned["merges"]]
    engine = Tokenizer(models.BPE(learned["vocab"], merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    engine.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    engine.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    engine.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1)]
    )
    engine.add_special_tokens(["<unk>", "<s>", "</s>"])
    return engine


def word_pieces(size: int = 200) -> Tokenizer:
    """As BERT's: lower case, ## inside words, [CLS] before and [SEP] after; padding that must not be used."""
    engine = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    engine.normalizer = normalizers.BertNormalizer(lowercase=True)
    engine.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    engine.decoder = decoders.WordPiece(prefix="##")
    engine.train_from_iterator(
        TEXTS, trainers.WordPieceTrainer(vocab_size=size, special_tokens=SPECIAL, show_progress=False)
    )
    ends = [(piece, engine.token_to_id(piece)) for piece in ("[CLS]", "[SEP]")]
    engine.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends
    )
    engine.enable_truncation(7)
    engine.enable_padding(length=7, pad_token="[PAD]")
    return engine


TOKENIZERS = {"bytes": byte_level, "spaces": spaces, "insides": word_pieces}
NAMED = {
    "bytes": {"eos_token": "<|endoftext|>"},
    "spaces": {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"},
    "insides": {"mask_token": "[MASK]", "pad_token": "[PAD]", "unk_token": "[UNK]"},
}


@pytest.fixture(scope="session")
def texts() -> tuple[str, ...]:
    return TEXTS


@pytest.fixture(scope="session")
def engines() -> dict[str, Tokenizer]:
    return {name: make() for name, make in TOKENIZERS.items()}


@pytest.fixture(scope="session")
def hugging():
    """The transformers library, quiet but for warnings, which reach the tests."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.enable_propagation()
    return transformers


@pytest.fixture(scope="session")
def save_tokenizer(hugging, engines):
    def save(kind: str, folder: Path) -> Any:
        engine = Tokenizer.from_str(engines[kind].to_str())
        tokenizer = hugging.PreTrainedTokenizerFast(tokenizer_object=engine, **NAMED[kind])
        tokenizer.save_pretrained(folder)
        return tokenizer

    return save


def every_position(model: Model, ids: list[int]) -> tuple[np.ndarray, list[np.ndarray]]:
    """The logits after every position, and the weights of every layer."""
    do = Glass()
    parameters = do.parameters(checked(model.settings, model.parameters))
    x = transformer(do, ids, parameters, model.settings, MASKS[model.mask](len(ids)))
    logits = predicted_logits(do, x, parameters, model.settings.logit_cap)
    steps = {step.name: step for step in do.steps}
    return logits.value, [steps[f"layer{layer}.weights"].value for layer in range(model.settings.layers)]


@pytest.fixture(scope="session")
def at_every_position():
    return every_position

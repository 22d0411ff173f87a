"""Tiny random Llamas in both formats: a Hugging Face folder, and the GGUF file that llama.cpp would make of it."""

import json
from pathlib import Path

import gguf
import numpy as np
import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from regard.attending.positions import RotaryPositions
from regard.attending.stretching import ByWavelength, Linear, Unstretched
from regard.models.gguf.llama import name_of
from regard.models.huggingface.llama import LLAMA
from regard.models.huggingface.writing import save_as_huggingface
from regard.models.model import Model
from regard.models.parameters import random_parameters
from regard.models.parts import GatedMLP, RMSNorm
from regard.models.settings import Settings
from regard.text.pieces import Pieces

TEXTS = (
    "The quick brown fox jumps over the lazy dog, and the dog didn't sleep.",
    "Naïve déjà vu: 你好, Привет! 👍🏽 e\u0301",
    "  two  spaces,\ttabs\nlines \r\n and a nbsp\u00a0here ",
    "x = 3.14159; print(f'{x:>10}')  # 2026-11-15",
    "The end<|endoftext|>The start",
)
WORDS = 331


def settings(width: int = 64, tied: bool = False, biases: bool = False, stretch: Unstretched | None = None) -> Settings:
    """Sizes that blocks of 32 or 256 divide; otherwise all different."""
    return Settings(
        width=width, heads=4, kv_heads=2, head_width=width // 4, layers=2, reads=WORDS, writes=WORDS, max_tokens=97,
        positions=RotaryPositions(777.0, stretch=stretch or Unstretched()), norm=RMSNorm(0.01),
        mlp=GatedMLP(width * 2), tied=tied, biases=biases,
    )  # fmt: skip


def tokenizer() -> Tokenizer:
    engine = Tokenizer(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    engine.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    teacher = trainers.BpeTrainer(
        vocab_size=WORDS, special_tokens=["<|endoftext|>", "<|user|>"], initial_alphabet=alphabet, show_progress=False
    )
    engine.train_from_iterator(TEXTS, teacher)
    assert engine.get_vocab_size() == WORDS
    return engine


@pytest.fixture(scope="session")
def engine() -> Tokenizer:
    return tokenizer()


@pytest.fixture(scope="session")
def texts() -> tuple[str, ...]:
    return TEXTS


def model_of(engine: Tokenizer, sizes: Settings) -> Model:
    pieces = Pieces.load(engine.to_str().encode(), WORDS, {"eos_token": "<|endoftext|>"})
    # in single precision, as both files keep them
    numbers = {n: a.astype(np.float32) for n, a in random_parameters(sizes, seed=3, spread=0.3).items()}
    return Model("tiny", "tiny", sizes, numbers, pieces.vocabulary, pieces.vocabulary, tokenizer=pieces)


def turned(tensor: np.ndarray, heads: int) -> np.ndarray:
    """llama.cpp's order of rows for rotary positions, as its converter makes it."""
    return (
        tensor.reshape(heads, 2, tensor.shape[0] // heads // 2, *tensor.shape[1:]).swapaxes(1, 2).reshape(tensor.shape)
    )


def write_gguf(
    path: Path,
    model: Model,
    kind: gguf.GGMLQuantizationType | None = None,
    values: dict | None = None,
    tensors: dict | None = None,
) -> Path:
    """The model as llama.cpp's converter writes it, by the package that it writes with; matrices in one kind."""
    s, writer = model.settings, gguf.GGUFWriter(path, "llama")
    writer.add_name("a tiny llama")
    writer.add_block_count(s.layers)
    writer.add_context_length(s.max_tokens)
    writer.add_embedding_length(s.width)
    writer.add_feed_forward_length(s.mlp.hidden)
    writer.add_head_count(s.heads)
    writer.add_head_count_kv(s.kv_heads)
    writer.add_rope_freq_base(s.positions.base)
    writer.add_rope_dimension_count(s.head_width)
    writer.add_layer_norm_rms_eps(s.norm.epsilon)
    if isinstance(s.positions.stretch, Linear):
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(s.positions.stretch.factor)
    whole = json.loads(model.tokenizer.save())
    tokens = sorted(whole["model"]["vocab"], key=whole["model"]["vocab"].get)
    added = {token["content"] for token in whole["added_tokens"]}
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token in added else 1 for token in tokens])
    writer.add_token_merges([" ".join(merge) for merge in whole["model"]["merges"]])
    writer.add_eos_token_id(tokens.index("<|endoftext|>"))
    writer.add_add_bos_token(False)
    for name, value in (values or {}).items():
        writer.add_key_value(name, *value)
    for theirs, tensor in LLAMA.to_theirs(s, model.parameters).items():
        name = name_of(theirs)
        heads = {"attn_q": s.heads, "attn_k": s.kv_heads}.get(name.split(".")[-2] if name.startswith("blk") else "")
        tensor = turned(tensor, heads) if heads else tensor
        packed = kind is not None and tensor.ndim > 1
        writer.add_tensor(name, pack(tensor, kind) if packed else tensor, raw_dtype=kind if packed else None)
    for name, tensor in {**factors_of(s), **(tensors or {})}.items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def factors_of(s: Settings) -> dict[str, np.ndarray]:
    """By which each pair turns slower in Llama 3, by its definition: one number after the other, from wavelengths."""
    rule = s.positions.stretch
    if not isinstance(rule, ByWavelength):
        return {}
    factors = []
    for pair in range(s.head_width // 2):
        wavelength = 2 * np.pi * s.positions.base ** (2 * pair / s.head_width)
        if wavelength < rule.trained / rule.high:
            factors.append(1.0)
        elif wavelength > rule.trained / rule.low:
            factors.append(rule.factor)
        else:
            smooth = (rule.trained / wavelength - rule.low) / (rule.high - rule.low)
            factors.append(1 / ((1 - smooth) / rule.factor + smooth))
    assert len({*factors}) > 2  # all three kinds
    return {"rope_freqs.weight": np.array(factors, np.float32)}


def pack(tensor: np.ndarray, kind: gguf.GGMLQuantizationType) -> np.ndarray:
    """Packed by the package where it can, else random blocks with small scales."""
    if kind == gguf.GGMLQuantizationType.F16:
        return tensor.astype(np.float16)
    try:
        return gguf.quants.quantize(tensor, kind)
    except NotImplementedError:
        return random_blocks(tensor.shape, kind)


def random_blocks(shape: tuple[int, ...], kind: gguf.GGMLQuantizationType) -> np.ndarray:
    """Any bytes are numbers, as long as the scales are finite."""
    length, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = np.random.default_rng(5).integers(0, 256, (*shape[:-1], shape[-1] // length, size), np.uint8)
    for start in {gguf.GGMLQuantizationType.Q4_K: (0, 2), gguf.GGMLQuantizationType.Q6_K: (208,)}[kind]:
        scales = np.random.default_rng(start).normal(0, 2e-3, blocks.shape[:-1]).astype(np.float16)
        blocks[..., start : start + 2] = scales[..., None].view(np.uint8)
    return blocks.reshape(*shape[:-1], -1)


@pytest.fixture(scope="session")
def write():
    return write_gguf


@pytest.fixture(scope="session")
def tiny(engine):
    return lambda **sizes: model_of(engine, settings(**sizes))


@pytest.fixture(scope="session")
def folder_of():
    def folder(model: Model, path: Path) -> Path:
        save_as_huggingface(model, path)
        return path

    return folder

"""The learned numbers of a transformer: their names, axes and sizes, and random ones to begin with."""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from regard.models.parts import NoNorm, Shapes
from regard.models.settings import Settings
from regard.ops.narrow import Narrow, Numbers

Arrays = dict[str, np.ndarray]
Parameters = Mapping[str, Numbers]  # what a model knows; a large model's are kept narrow


def shapes(settings: Settings) -> Shapes:
    """Every parameter's axes and shape, in the order in which data meets them."""
    s = settings
    word = ("U", s.word_width) if s.word_width else ("C", s.width)
    result: Shapes = {"E": (f"I{word[0]}", (s.reads, word[1]))}
    if s.word_width:
        result["W_in"] = ("UC", (s.word_width, s.width))
    if s.segments:
        result["segment"] = ("SC", (s.segments, s.width))
    result |= {**s.positions.shapes(s.width, s.heads), **s.embedding_norm.shapes("norm0", s.width)}
    for layer in range(s.layers):
        result |= {f"layer{layer}.{name}": shape for name, shape in _layer(s).items()}
    if s.norm_order != "after":
        result |= s.norm.shapes("norm", s.width)
    result |= s.transform.shapes(s.width, s.writes)
    if s.output_bias:
        result["b_out"] = ("V", (s.writes,))
    if s.word_width:
        result["W_back"] = ("CU", (s.width, s.word_width))
    if not s.tied:
        result["W_out"] = (f"V{word[0]}", (s.writes, word[1]))
    return result


def count(settings: Settings) -> int:
    """How many parameters a model with these settings has; of identical layers, only one is counted out."""
    one, two = (
        sum(math.prod(shape) for _, shape in shapes(replace(settings, layers=layers)).values()) for layers in (1, 2)
    )
    return one + (settings.layers - 1) * (two - one)


def _layer(s: Settings) -> Shapes:
    H, G, C, D = s.heads, s.kv_heads or s.heads, s.width, s.head_width
    result: Shapes = {**s.norm.shapes("norm1", C)}
    after = s.norm.shapes if s.norm_order == "around" else NoNorm().shapes
    result |= s.roles.shapes(H, G, C, D, s.biases)
    result |= {**s.head_norm.shapes("q_norm", D, "D"), **s.head_norm.shapes("k_norm", D, "D")}
    if s.output_projection:
        result |= s.joining.shapes(H, D, C)
        if s.biases:
            result["b_O"] = ("C", (C,))
    result |= after("norm1_after", C)
    if s.mlp.shapes(C, s.biases):
        result |= {} if s.arrangement == "beside, one norm" else s.norm.shapes("norm2", C)
        result |= {**s.mlp.shapes(C, s.biases), **after("norm2_after", C)}
    return result


def random_parameters(settings: Settings, seed: int = 0, spread: float | None = None) -> Arrays:
    """Parameters before any training. `spread` is the deviation; by default 1/√(numbers summed in each result).

    >>> sorted(random_parameters(Settings(width=4, heads=2, reads=3, writes=3), seed=1))
    ['E', 'W_out', 'layer0.W_K', 'layer0.W_O', 'layer0.W_Q', 'layer0.W_V']
    """
    generator = np.random.default_rng(seed)
    arrays: Arrays = {}
    for name, (axes, shape) in shapes(settings).items():
        role = name.rpartition(".")[2]
        if role == "gain":
            arrays[name] = np.ones(shape)
        elif role in ("bias", "extra") or role.startswith("b_"):
            arrays[name] = np.zeros(shape)
        else:
            arrays[name] = generator.normal(0.0, spread or 1 / math.sqrt(_summed(role, axes, shape)), shape)
    return arrays


def blank_parameters(settings: Settings) -> Arrays:
    """Parameters to be filled in from elsewhere: the right shapes, and no memory."""
    return {name: np.broadcast_to(np.float64(0), shape) for name, (_, shape) in shapes(settings).items()}


def _summed(role: str, axes: str, shape: tuple[int, ...]) -> int:
    sizes = dict(zip(axes, shape))
    if role == "W_O":
        return sizes.get("H", 1) * sizes["D"]
    return sizes["F"] if role == "W_down" else sizes["U"] if role == "W_in" else sizes.get("C", sizes.get("U", 1))


def checked(settings: Settings, arrays: Parameters) -> dict[str, tuple[str, Numbers]]:
    """The arrays with their axes; an error names what is missing, left over or of the wrong shape."""
    wanted = shapes(settings)
    missing, extra = [n for n in wanted if n not in arrays], [n for n in arrays if n not in wanted]
    if missing or extra:
        raise ValueError(
            f"parameters do not fit the settings; missing: {missing or 'none'}, left over: {extra or 'none'}"
        )
    for name, (_, shape) in wanted.items():
        if np.shape(arrays[name]) != shape:
            raise ValueError(f"{name} expects the shape {shape} with these settings, got {np.shape(arrays[name])}")
    return {name: (axes, wide_enough(arrays[name])) for name, (axes, _) in wanted.items()}


def wide_enough(array: Numbers) -> Numbers:
    return array if isinstance(array, Narrow) else np.asarray(array, dtype=np.float64)

"""Layers of torch as their shapes: how many parameters each has, and the shape of what it makes."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from regard.audit.library import Blank, Unknown, blank

MOST_LAYERS = 2_000


class Layer:
    """A layer: its parameters by name, the layers inside it, and the size of the last axis of what it makes."""

    OPEN = ("parameters", "named_parameters")

    def __init__(
        self, named: dict[str, Blank] | None = None, inside: Sequence["Layer"] = (), last: int = 0, added: int = 0
    ) -> None:
        self.inside, self.last, self.added, self.named = inside, last, added, named or {}
        self.count = 1 + sum(layer.count for layer in inside)
        if self.count > MOST_LAYERS:
            raise Unknown  # layers of layers of layers

    def parameters(self) -> Iterator[Blank]:
        """All parameters, its own first."""
        yield from self.named.values()
        for layer in self.inside:
            yield from layer.parameters()

    def named_parameters(self, prefix: str = "") -> Iterator[tuple[str, Blank]]:
        """All parameters with their names, of layers in layers with points between."""
        yield from ((prefix + name, parameter) for name, parameter in self.named.items())
        for place, layer in enumerate(self.inside):
            yield from layer.named_parameters(f"{prefix}{place}.")

    def __call__(self, value: Any) -> np.ndarray:
        for layer in self.inside:
            value = layer(value)
        shape = np.shape(value)
        if self.inside:
            return value
        if self.last and not self.added and shape[-1] != self.named["weight"].shape[-1]:
            raise ValueError(f"a layer for {self.named['weight'].shape[-1]} got {shape[-1]}")
        kept = shape if self.added or not self.last else shape[:-1]
        return blank((*kept, self.last) if self.last else shape)


def _linear(inputs: int, outputs: int, bias: bool = True) -> Layer:
    biases = {"bias": Blank(outputs)} if bias else {}
    return Layer({"weight": Blank(outputs, inputs), **biases}, last=outputs)


def _attention(embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, **_: Any) -> Layer:
    del num_heads, dropout
    biases = {"in_proj_bias": Blank(3 * embed_dim)} if bias else {}
    named = {"in_proj_weight": Blank(3 * embed_dim, embed_dim), **biases}
    named |= {"out_proj.weight": Blank(embed_dim, embed_dim)}
    return Layer(named | ({"out_proj.bias": Blank(embed_dim)} if bias else {}))


def _encoder_layer(d_model: int, nhead: int, dim_feedforward: int = 2048, **_: Any) -> Layer:
    named = {f"self_attn.{name}": one for name, one in _attention(d_model, nhead).named.items()}
    named |= {"linear1.weight": Blank(dim_feedforward, d_model), "linear1.bias": Blank(dim_feedforward)}
    named |= {"linear2.weight": Blank(d_model, dim_feedforward), "linear2.bias": Blank(d_model)}
    norms = [f"norm{number}.{part}" for number in (1, 2) for part in ("weight", "bias")]
    return Layer(named | {name: Blank(d_model) for name in norms})


class Window(Layer):
    """A convolution or a pool over the last axes: sizes shrink by its window and its steps."""

    def __init__(self, named: dict[str, Blank], axes: int, window: Any, stride: Any, padding: Any) -> None:
        super().__init__(named)
        self.steps = [_each(given, axes) for given in (window, stride, padding)]

    def __call__(self, value: Any) -> np.ndarray:
        shape = np.shape(value)
        axes = len(self.steps[0])
        weight = self.named.get("weight")
        if weight and shape[-axes - 1] != weight.shape[1]:
            raise ValueError(f"a convolution of {weight.shape[1]} channels got {shape[-axes - 1]}")
        made = [(size + 2 * pad - window) // step + 1
                for size, window, step, pad in zip(shape[-axes:], *self.steps, strict=True)]  # fmt: skip
        channels = weight.shape[0] if weight else shape[-axes - 1]
        return blank((*shape[: -axes - 1], channels, *made))


def _each(given: Any, axes: int) -> tuple[int, ...]:
    found = given if isinstance(given, tuple) else (given,) * axes
    if not all(isinstance(size, int) and 0 <= size < 10_000 for size in found):
        raise Unknown
    return found


def _convolution(axes: int) -> Any:
    def made(
        inputs: int, outputs: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, bias: bool = True
    ) -> Layer:
        biases = {"bias": Blank(outputs)} if bias else {}
        weight = Blank(outputs, inputs, *_each(kernel_size, axes))
        return Window({"weight": weight, **biases}, axes, kernel_size, stride, padding)

    return made


def _pool(axes: int) -> Any:
    return lambda kernel_size, stride=None, padding=0: Window({}, axes, kernel_size, stride or kernel_size, padding)


LAYERS: dict[str, Any] = {
    "Linear": _linear, "Conv1d": _convolution(1), "Conv2d": _convolution(2),
    "MaxPool2d": _pool(2), "AvgPool2d": _pool(2), "MaxPool1d": _pool(1),
    "Embedding": lambda count, width, **_: Layer({"weight": Blank(count, width)}, last=width, added=1),
    "LayerNorm": lambda width, **_: Layer({"weight": Blank(width), "bias": Blank(width)}),
    "TransformerEncoderLayer": _encoder_layer,
    "RMSNorm": lambda width, **_: Layer({"weight": Blank(width)}),
    **dict.fromkeys(
        ("ReLU", "GELU", "SiLU", "Tanh", "Sigmoid", "Dropout", "Softmax", "Identity"), lambda *_, **__: Layer()
    ),
    "Sequential": lambda *layers: Layer(inside=layers), "ModuleList": lambda layers: Layer(inside=tuple(layers)),
}  # fmt: skip

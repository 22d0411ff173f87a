"""Layers of torch as their shapes: how many parameters each has, and the shape of what it makes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from regard.audit.library import Array, Blank, blank
from regard.audit.limits import Unknown

MOST_LAYERS = 2_000
Sizes = tuple[int, ...]


class Layer:
    """A layer: its parameters by name, the layers inside it, and the shape it makes of another."""

    OPEN = ("parameters",)  # what code may call

    def __init__(
        self,
        named: dict[str, Blank] | None = None,
        inside: Sequence["Layer"] = (),
        made: Callable[[Sizes], Sizes] = lambda shape: shape,
    ) -> None:
        self.inside, self.made, self.named = inside, made, named or {}
        self.count = 1 + sum(layer.count for layer in inside)
        if self.count > MOST_LAYERS:
            raise Unknown  # layers of layers of layers

    def parameters(self) -> Iterator[Blank]:
        """All parameters, its own first."""
        yield from self.named.values()
        for layer in self.inside:
            yield from layer.parameters()

    def __call__(self, value: Any) -> Array:
        for layer in self.inside:
            value = layer(value)
        return value if self.inside else blank(self.made(np.shape(value)))


def _with_bias(outputs: int, *inputs: int, bias: bool) -> dict[str, Blank]:
    return {"weight": Blank(outputs, *inputs)} | ({"bias": Blank(outputs)} if bias else {})


def _linear(inputs: int, outputs: int, bias: bool = True) -> Layer:
    def made(shape: Sizes) -> Sizes:
        if shape[-1] != inputs:
            raise ValueError(f"a layer for {inputs} got {shape[-1]}")
        return (*shape[:-1], outputs)

    return Layer(_with_bias(outputs, inputs, bias=bias), made=made)


def _windowed(axes: int, channels: int | None, window: Any, stride: Any, padding: Any) -> Callable[[Sizes], Sizes]:
    """What a window that is moved over the last axes makes: sizes shrink by it and by its steps."""
    steps = [_each(given, axes) for given in (window, stride, padding)]

    def made(shape: Sizes) -> Sizes:
        moved = zip(shape[-axes:], *steps, strict=True)
        sizes = [(size + 2 * pad - window) // step + 1 for size, window, step, pad in moved]
        return (*shape[: -axes - 1], channels or shape[-axes - 1], *sizes)

    return made


def _each(given: Any, axes: int) -> Sizes:
    found = given if isinstance(given, tuple) else (given,) * axes
    if not all(isinstance(size, int) and 0 <= size < 10_000 for size in found):
        raise Unknown
    return found


def _convolution(axes: int) -> Callable[..., Layer]:
    def layer(
        inputs: int, outputs: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, bias: bool = True
    ) -> Layer:
        named = _with_bias(outputs, inputs, *_each(kernel_size, axes), bias=bias)
        return Layer(named, made=_windowed(axes, outputs, kernel_size, stride, padding))

    return layer


def _pool(axes: int) -> Callable[..., Layer]:
    return lambda kernel_size, stride=None, padding=0: Layer(
        made=_windowed(axes, None, kernel_size, stride or kernel_size, padding)
    )


LAYERS: dict[str, Callable[..., Layer]] = {
    "Linear": _linear, "Conv1d": _convolution(1), "Conv2d": _convolution(2),
    "MaxPool2d": _pool(2), "AvgPool2d": _pool(2), "MaxPool1d": _pool(1),
    "Embedding": lambda count, width, **_: Layer({"weight": Blank(count, width)}, made=lambda shape: (*shape, width)),
    "LayerNorm": lambda width, **_: Layer({"weight": Blank(width), "bias": Blank(width)}),
    "RMSNorm": lambda width, **_: Layer({"weight": Blank(width)}),
    **dict.fromkeys(
        ("ReLU", "GELU", "SiLU", "Tanh", "Sigmoid", "Dropout", "Softmax", "Identity"), lambda *_, **__: Layer()
    ),
    "Sequential": lambda *layers: Layer(inside=layers), "ModuleList": lambda layers: Layer(inside=tuple(layers)),
}  # fmt: skip

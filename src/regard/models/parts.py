"""The parts around attention that differ between models, as values: which norm, which MLP, which transform."""

from dataclasses import dataclass

from regard.models.verbs import D, Parameters, Verbs, X

Shapes = dict[str, tuple[str, tuple[int, ...]]]
CURVES = ("gelu", "gelu_tanh", "silu", "relu", "tanh")


@dataclass(frozen=True)
class NoNorm:
    def shapes(self, name: str, width: int, axis: str = "C") -> Shapes:
        return {}

    def __call__(self, do: Verbs[X, D], name: str, x: X, parameters: Parameters[X]) -> X:
        return x


@dataclass(frozen=True)
class LayerNorm:
    """Centre and divide by the deviation (Ba et al. 2016)."""

    epsilon: float = 1e-5
    bias: bool = True

    def shapes(self, name: str, width: int, axis: str = "C") -> Shapes:
        gain: Shapes = {f"{name}.gain": (axis, (width,))}
        return gain | ({f"{name}.bias": (axis, (width,))} if self.bias else {})

    def __call__(self, do: Verbs[X, D], name: str, x: X, parameters: Parameters[X]) -> X:
        return do.layer_norm(name, x, parameters.get(f"{name}.gain"), parameters.get(f"{name}.bias"), self.epsilon)


@dataclass(frozen=True)
class RMSNorm:
    """Divide by the root of the mean square, without centring (Zhang and Sennrich 2019)."""

    epsilon: float = 1e-5

    def shapes(self, name: str, width: int, axis: str = "C") -> Shapes:
        return {f"{name}.gain": (axis, (width,))}

    def __call__(self, do: Verbs[X, D], name: str, x: X, parameters: Parameters[X]) -> X:
        return do.rms_norm(name, x, parameters.get(f"{name}.gain"), self.epsilon)


@dataclass(frozen=True)
class RMSNormAroundOne:
    """The same with a gain of 1 + a learned number, which is 0 at first (Gemma): normed + normed · number."""

    epsilon: float = 1e-6

    def shapes(self, name: str, width: int, axis: str = "C") -> Shapes:
        return {f"{name}.extra": (axis, (width,))}

    def __call__(self, do: Verbs[X, D], name: str, x: X, parameters: Parameters[X]) -> X:
        normed = do.rms_norm(name, x, None, self.epsilon)
        return do.add(f"{name}.moved", normed, do.multiply(f"{name}.stretched", normed, parameters[f"{name}.extra"]))


@dataclass(frozen=True)
class NoMLP:
    def shapes(self, width: int, biases: bool) -> Shapes:
        return {}

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> X:
        return x


@dataclass(frozen=True)
class MLP:
    """Up, bend, down."""

    hidden: int
    curve: str = "gelu"

    def __post_init__(self) -> None:
        _check_curve(self.curve)

    def shapes(self, width: int, biases: bool) -> Shapes:
        shapes: Shapes = {"W_up": ("CF", (width, self.hidden)), "W_down": ("FC", (self.hidden, width))}
        return shapes | ({"b_up": ("F", (self.hidden,)), "b_down": ("C", (width,))} if biases else {})

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> X:
        hidden = do.linear("hidden", x, parameters["W_up"], parameters.get("b_up"))
        activated = do.activate("activated", hidden, self.curve)
        return do.linear("mlp", activated, parameters["W_down"], parameters.get("b_down"))


@dataclass(frozen=True)
class GatedMLP:
    """Up, times a bent gate, down (SwiGLU: Shazeer 2020)."""

    hidden: int
    curve: str = "silu"

    def __post_init__(self) -> None:
        _check_curve(self.curve)

    def shapes(self, width: int, biases: bool) -> Shapes:
        gate: Shapes = {"W_gate": ("CF", (width, self.hidden))}
        return gate | ({"b_gate": ("F", (self.hidden,))} if biases else {}) | MLP(self.hidden).shapes(width, biases)

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> X:
        gate = do.linear("gate", x, parameters["W_gate"], parameters.get("b_gate"))
        hidden = do.linear("hidden", x, parameters["W_up"], parameters.get("b_up"))
        activated = do.multiply("activated", do.activate("opened", gate, self.curve), hidden)
        return do.linear("mlp", activated, parameters["W_down"], parameters.get("b_down"))


@dataclass(frozen=True)
class NoTransform:
    """The last layer's vectors are compared with the vocabulary as they are."""

    def shapes(self, width: int, writes: int) -> Shapes:
        return {}

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> X:
        return x


@dataclass(frozen=True)
class Transform(NoTransform):
    """One more map, bend and norm before the vocabulary, and a bias for each of its words, as in BERT."""

    curve: str = "gelu"
    epsilon: float = 1e-12

    def __post_init__(self) -> None:
        _check_curve(self.curve)

    def shapes(self, width: int, writes: int) -> Shapes:
        dense: Shapes = {"W_transform": ("EC", (width, width)), "b_transform": ("C", (width,))}
        return {**dense, **LayerNorm(self.epsilon).shapes("transform_norm", width), "b_out": ("V", (writes,))}

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> X:
        turned = do.linear("transform", x, parameters["W_transform"], parameters["b_transform"])
        bent = do.activate("transform.activated", turned, self.curve)
        return LayerNorm(self.epsilon)(do, "transform_norm", bent, parameters)


@dataclass(frozen=True)
class Pooling(NoTransform):
    """One more map and bend before the classes, and a bias for each of them, as in BERT's classifiers."""

    curve: str = "tanh"

    def __post_init__(self) -> None:
        _check_curve(self.curve)

    def shapes(self, width: int, writes: int) -> Shapes:
        return {"W_transform": ("EC", (width, width)), "b_transform": ("C", (width,)), "b_out": ("V", (writes,))}

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> X:
        turned = do.linear("transform", x, parameters["W_transform"], parameters["b_transform"])
        return do.activate("transform.activated", turned, self.curve)


def _check_curve(curve: str) -> None:
    if curve not in CURVES:
        raise ValueError(f"unknown activation {curve!r}; choose one of {', '.join(CURVES)}")

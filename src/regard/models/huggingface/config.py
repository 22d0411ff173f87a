"""Values of a config.json, each checked before anything is made of it."""

from collections.abc import Mapping
from typing import Any

from regard.checkpoints.reading import as_list

MOST = 2**24  # of any size: more is a mistake, or meant to fill the memory
MOST_LAYERS = 1024
# their names for a curve; several are the same curve
CURVES = {"gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "gelu_fast": "gelu_tanh",
          "silu": "silu", "swish": "silu", "relu": "relu", "tanh": "tanh"}  # fmt: skip
THEIR_CURVES = {"gelu": "gelu", "gelu_tanh": "gelu_new", "silu": "silu", "relu": "relu", "tanh": "tanh"}


def whole(config: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """
    >>> whole({"n_embd": 12}, "n_embd")
    12
    """
    value = config.get(name)
    value = default if value is None else value
    if type(value) is not int or not 1 <= value <= MOST:
        raise ValueError(f"{name} in config.json must be a whole number from 1 to {MOST:,}, got {_short(value)}")
    return value


def layers(config: Mapping[str, Any], name: str, default: int) -> int:
    """How many layers: bounded before anything is made for each of them."""
    count = whole(config, name, default)
    if count > MOST_LAYERS:
        raise ValueError(f"config.json has {count:,} layers; at most {MOST_LAYERS:,} are read")
    return count


def positive(config: Mapping[str, Any], name: str, default: float | None = None) -> float:
    value = config.get(name)
    value = default if value is None else value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e30:
        raise ValueError(f"{name} in config.json must be a number above 0, got {_short(value)}")
    return float(value)


def truth(config: Mapping[str, Any], name: str, default: bool) -> bool:
    value = config.get(name)
    value = default if value is None else value
    if type(value) is not bool:
        raise ValueError(f"{name} in config.json must be true or false, got {_short(value)}")
    return value


def window(config: Mapping[str, Any], name: str) -> int:
    """How far words look; 0 where they look at all."""
    return 0 if config.get(name) is None else whole(config, name)


def kinds(config: Mapping[str, Any], layers: int, *known: str) -> tuple[str, ...] | None:
    """`layer_types`: what each layer is, by their names; None where all are alike."""
    given: Any = config.get("layer_types")
    if given is None:
        return None
    if not isinstance(given, list) or len(as_list(given) or ()) != layers:
        raise ValueError(f"layer_types in config.json must name one kind for each of {layers} layers")
    for one in as_list(given) or ():
        must_be({"layer_types": one}, "layer_types", *known)
    return tuple(as_list(given) or ())


def curve(config: Mapping[str, Any], name: str, default: str) -> str:
    """The activation by our name."""
    value = config.get(name)
    value = default if value is None else value
    if not isinstance(value, str) or value not in CURVES:
        raise ValueError(f"{name} in config.json must be one of {', '.join(CURVES)}, got {_short(value)}")
    return CURVES[value]


def must_be(config: Mapping[str, Any], name: str, *expected: Any) -> None:
    """Refuse a variant of theirs that we do not compute; an absent value means the first of the expected ones."""
    value = config.get(name, expected[0])
    if not any(type(value) is type(one) and value == one for one in expected):
        known = " or ".join(dict.fromkeys(_short(one) for one in expected))
        raise ValueError(f"config.json has {name} = {_short(value)}, which regard does not compute; it knows {known}")


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    return repr(value)[:40] if isinstance(value, str | int | float) else f"a {type(value).__name__}"

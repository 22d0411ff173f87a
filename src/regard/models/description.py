"""Settings as plain data for files, and back: parts by registered names, so that reading a file runs nothing."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from regard.attending.positions import (
    DistanceBias,
    LearnedPositions,
    NoPositions,
    RotaryPositions,
    SinusoidalPositions,
)
from regard.attending.stretching import ByFactors, ByWavelength, Linear, Unstretched
from regard.checkpoints.reading import as_list, as_object
from regard.models.joining import Added, SideBySide
from regard.models.looking import Looking
from regard.models.parts import (
    MLP,
    GatedMLP,
    LayerNorm,
    NoMLP,
    NoNorm,
    NoTransform,
    Pooling,
    RMSNorm,
    RMSNormAroundOne,
    Transform,
)
from regard.models.roles import BiasedRoles, KeysAreValues, OwnRoles, QueriesAreKeys
from regard.models.settings import Settings

KINDS: dict[str, dict[str, type]] = {
    "positions": {
        "none": NoPositions, "learned": LearnedPositions, "waves": SinusoidalPositions, "rotary": RotaryPositions,
        "distance": DistanceBias,
    },
    "norm": {"none": NoNorm, "layer": LayerNorm, "rms": RMSNorm, "rms around one": RMSNormAroundOne},
    "embedding_norm": {"none": NoNorm, "layer": LayerNorm, "rms": RMSNorm, "rms around one": RMSNormAroundOne},
    "head_norm": {"none": NoNorm, "layer": LayerNorm, "rms": RMSNorm, "rms around one": RMSNormAroundOne},
    "roles": {
        "own": OwnRoles, "biased": BiasedRoles, "keys are values": KeysAreValues, "queries are keys": QueriesAreKeys,
    },
    "joining": {"side by side": SideBySide, "added": Added},
    "stretch": {"none": Unstretched, "linear": Linear, "by wavelength": ByWavelength,
                "by factors": ByFactors},
    "transform": {"none": NoTransform, "map": Transform, "pooling": Pooling},
    "mlp": {"none": NoMLP, "plain": MLP, "gated": GatedMLP},
}  # fmt: skip
MOST = 2**24  # of any size: more is a mistake, or meant to fill the memory
MOST_LAYERS = 1024
# fields that files of older editions lack
NEWER = {"window", "looking", "turns", "stretch", "offset", "head_norm", "word_width", "arrangement", "output_bias",
         "scaling_width", "cap", "logit_cap", "embedding_scale"}  # fmt: skip


def described(settings: Settings) -> dict[str, Any]:
    """
    >>> described(Settings(width=4, heads=2, reads=3, writes=3))["norm"]
    {'kind': 'none'}
    """
    return _written(settings)


def _written(part: Any) -> dict[str, Any]:
    return {field.name: _value(field.name, getattr(part, field.name)) for field in fields(part)}


def _value(name: str, value: Any) -> Any:
    if name == "looking":
        return [_written(one) for one in value]
    if name not in KINDS or value is None:
        return value
    kind = next(kind for kind, made in KINDS[name].items() if made is type(value))
    return {"kind": kind} | _written(value)


def settings_of(data: Any) -> Settings:
    """The settings that `described` wrote down; anything else is a ValueError."""
    return _made(Settings, data, "the model's settings")


def _made(made: type, data: Any, what: str) -> Any:
    return made(**{name: _part(name, value) for name, value in _taken(made, data, what).items()})


def _part(name: str, value: Any) -> Any:
    if name == "looking":
        return tuple(_made(Looking, one, "a layer's settings") for one in value)
    if name == "factors":
        return tuple(float(factor) for factor in value)
    if name not in KINDS or value is None:
        return value
    part = dict(value)
    kind = part.pop("kind", None)
    if not isinstance(kind, str) or kind not in KINDS[name]:
        raise ValueError(f"unknown {name} {kind!r} in the model's settings; expected one of {', '.join(KINDS[name])}")
    return _made(KINDS[name][kind], part, name)


def _taken(made: type, data: Any, what: str) -> dict[str, Any]:
    """The fields of a dataclass, each of the type that it has there. A file older than a field means its default."""
    given = as_object(data)
    known = {field.name: field for field in fields(made)}
    lacking = [] if given is None else [name for name in known if name not in given and name not in NEWER]
    if given is None or lacking or not set(given) <= set(known):
        raise ValueError(f"{what} are not those of {made.__name__}; the file was not written by regard")
    for name, value in given.items():
        wanted = known[name].type
        if name in KINDS:
            sound = isinstance(value, Mapping) or (value is None and known[name].default is None)
        elif name == "looking":
            sound = (layers := as_list(value)) is not None and len(layers) <= MOST_LAYERS
        elif wanted in (int, int | None):
            sound = type(value) is int and 0 <= value <= MOST
        elif wanted in (float, float | None):
            sound = _is_above_0(value) or (value is None and wanted is not float)
        elif name == "factors":
            sound = isinstance(value, list | tuple) and all(map(_is_above_0, cast("list[Any]", value)))
        else:
            sound = type(value) is wanted
        if not sound:
            raise ValueError(f"{what} have {name} = {str(given[name])[:40]!r}, which is not possible")
    return dict(given)


def _is_above_0(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value < float("inf")

"""Settings as plain data for files, and back: parts by registered names, so that reading a file runs nothing."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from regard.attending.positions import (
    DistanceBias,
    LearnedPositions,
    NoPositions,
    RotaryPositions,
    SinusoidalPositions,
)
from regard.checkpoints.reading import as_object
from regard.models.joining import Added, SideBySide
from regard.models.parts import MLP, GatedMLP, LayerNorm, NoMLP, NoNorm, NoTransform, RMSNorm, Transform
from regard.models.roles import BiasedRoles, KeysAreValues, OwnRoles, QueriesAreKeys
from regard.models.settings import Settings

KINDS: dict[str, dict[str, type]] = {
    "positions": {
        "none": NoPositions, "learned": LearnedPositions, "waves": SinusoidalPositions, "rotary": RotaryPositions,
        "distance": DistanceBias,
    },
    "norm": {"none": NoNorm, "layer": LayerNorm, "rms": RMSNorm},
    "embedding_norm": {"none": NoNorm, "layer": LayerNorm, "rms": RMSNorm},
    "roles": {
        "own": OwnRoles, "biased": BiasedRoles, "keys are values": KeysAreValues, "queries are keys": QueriesAreKeys,
    },
    "joining": {"side by side": SideBySide, "added": Added},
    "transform": {"none": NoTransform, "map": Transform},
    "mlp": {"none": NoMLP, "plain": MLP, "gated": GatedMLP},
}  # fmt: skip
MOST = 2**24  # of any size: more is a mistake, or meant to fill the memory


def described(settings: Settings) -> dict[str, Any]:
    """
    >>> described(Settings(width=4, heads=2, reads=3, writes=3))["norm"]
    {'kind': 'none'}
    """
    data = {field.name: getattr(settings, field.name) for field in fields(settings)}
    for name, kinds in KINDS.items():
        part = data[name]
        kind = next(kind for kind, made in kinds.items() if made is type(part))
        data[name] = {"kind": kind} | {field.name: getattr(part, field.name) for field in fields(part)}
    return data


def settings_of(data: Any) -> Settings:
    """The settings that `described` wrote down; anything else is a ValueError."""
    values = _taken(Settings, data, "the model's settings")
    for name, kinds in KINDS.items():
        if isinstance(values.get(name), Mapping):
            part = dict(values[name])
            kind = part.pop("kind", None)
            if not isinstance(kind, str) or kind not in kinds:
                raise ValueError(f"unknown {name} {kind!r} in the model's settings; expected one of {', '.join(kinds)}")
            values[name] = kinds[kind](**_taken(kinds[kind], part, name))
    return Settings(**values)


def _taken(made: type, data: Any, what: str) -> dict[str, Any]:
    """The fields of a dataclass, each of the type that it has there."""
    given = as_object(data)
    if given is None or set(given) != {field.name for field in fields(made)}:
        raise ValueError(f"{what} are not those of {made.__name__}; the file was not written by regard")
    for field in fields(made):
        value = given[field.name]
        if field.name in KINDS and made is Settings:
            sound = isinstance(value, Mapping)
        elif field.type in (int, int | None):
            sound = type(value) is int and 0 <= value <= MOST
        elif field.type is float:
            sound = type(value) in (int, float) and 0 < value < float("inf")
        else:
            sound = type(value) is field.type
        if not sound:
            raise ValueError(f"{what} have {field.name} = {str(value)[:40]!r}, which is not possible")
    return dict(given)

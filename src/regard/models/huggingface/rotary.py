"""How a config.json says that positions turn: how fast, how much of a head, and how far stretched."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from regard.attending.positions import RotaryPositions
from regard.attending.stretching import ByFactors, ByWavelength, Linear, Unstretched
from regard.checkpoints.reading import as_list, as_object
from regard.models.huggingface.config import must_be, positive, whole


@dataclass(frozen=True)
class Named:
    """What a family calls the speed and the share of a head that turns, beside the sizes, and what they are if absent.

    Newer files have both in a group of their own, where they have the same names in every family.
    """

    base: str = "rope_theta"
    share: str = "partial_rotary_factor"
    usual: Mapping[str, float] = field(default_factory=lambda: {"base": 10_000.0, "share": 1.0})


def rotary(config: Mapping[str, Any], head_width: int, named: Named | None = None) -> RotaryPositions:
    """
    >>> rotary({"rope_theta": 50.0, "rope_scaling": {"type": "linear", "factor": 4.0}}, 6)
    RotaryPositions(base=50.0, turns=0, stretch=Linear(factor=4.0))
    """
    named = named or Named()
    group = rotary_group(config)
    base = positive(*_place(config, group, "rope_theta", named.base), named.usual["base"])
    share = positive(*_place(config, group, "partial_rotary_factor", named.share), named.usual["share"])
    turns = int(head_width * share)
    if turns % 2 or not 0 < turns <= head_width:
        raise ValueError(
            f"rotary positions turn pairs of numbers, but config.json has {turns} turn of heads of {head_width}"
        )
    positions = RotaryPositions(base, 0 if turns == head_width else turns, _stretch(group))
    positions.turned(head_width)  # checks them
    return positions


def rotary_group(config: Mapping[str, Any]) -> Mapping[str, Any]:
    given = config.get("rope_parameters")
    given = config.get("rope_scaling") if given is None else given
    group = {} if given is None else as_object(given)
    if group is None:
        raise ValueError(f"rope_parameters in config.json must be an object, got {type(given).__name__}")
    return group


def _place(config: Mapping[str, Any], group: Mapping[str, Any], new: str, old: str) -> tuple[Mapping[str, Any], str]:
    return (group, new) if new in group else (config, old)


def _stretch(group: Mapping[str, Any]) -> Unstretched:
    kind = "rope_type" if "rope_type" in group else "type"  # as older files say
    must_be(group, kind, "default", "linear", "llama3", "longrope")
    match group.get(kind, "default"):
        case "linear":
            return Linear(positive(group, "factor"))
        case "llama3":
            return ByWavelength(
                positive(group, "factor"),
                positive(group, "low_freq_factor"),
                positive(group, "high_freq_factor"),
                whole(group, "original_max_position_embeddings"),
            )
        case "longrope":
            return _by_factors(group)
        case _:
            return Unstretched()


def _by_factors(group: Mapping[str, Any]) -> ByFactors:
    """One list of factors; with two, a short text and a long one would be read by different models."""
    short, long = (as_list(group.get(name)) for name in ("short_factor", "long_factor"))
    if short is None or short != long:
        raise ValueError(
            "config.json has rope_type = 'longrope' with factors that change with the length of a text, "
            "which regard does not compute; it knows short_factor equal to long_factor"
        )
    if group.get("attention_factor") != 1.0:
        raise ValueError(
            "config.json has rope_type = 'longrope' that scales attention too, which regard does not compute; "
            "it knows attention_factor = 1.0"
        )
    return ByFactors(tuple(positive({"short_factor": factor}, "short_factor") for factor in short))


def rotary_config(positions: RotaryPositions, head_width: int) -> dict[str, Any]:
    """The group that says so, for newer versions, and what older ones look for beside the sizes."""
    group: dict[str, Any] = {"rope_theta": positions.base, "rope_type": "default"}
    match positions.stretch:
        case Linear(factor):
            group |= {"rope_type": "linear", "factor": factor}
        case ByWavelength(factor, low, high, trained):
            group |= {
                "rope_type": "llama3",
                "factor": factor,
                "low_freq_factor": low,
                "high_freq_factor": high,
                "original_max_position_embeddings": trained,
            }
        case ByFactors(factors):
            group |= {
                "rope_type": "longrope",
                "factor": max(1.0, *factors),
                "short_factor": list(factors),
                "long_factor": list(factors),
                "attention_factor": 1.0,
                "original_max_position_embeddings": 1,  # from where on they are the long ones: the same
            }
        case _:
            pass
    if positions.turns:
        group["partial_rotary_factor"] = positions.turns / head_width
    old = {} if group["rope_type"] == "default" else {"rope_scaling": group}
    return {"rope_theta": positions.base, "rope_parameters": group, **old}

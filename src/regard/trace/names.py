"""What a step's name says: its layer, and the role of a parameter over all layers.

>>> layer_of("layer3.weights"), role_of("layer0.W_Q.original"), role_of("E")
('layer3', 'W_Q', 'E')
"""

import re
from collections.abc import Iterable, Sequence

from regard.suggestions import NotFound, suggestion

LAYER = re.compile(r"^layer\d+(?=\.)")


def layer_of(name: str) -> str:
    """The layer a step belongs to; empty for what comes before and after the layers."""
    found = LAYER.match(name)
    return found.group() if found else ""


def without_layer(name: str) -> str:
    return name.removeprefix(f"{layer_of(name)}.") if layer_of(name) else name


def in_layer(layer: str, name: str) -> str:
    """The name of a layer's own step; attention on one's own arrays has no layers."""
    return f"{layer}.{name}" if layer else name


def role_of(name: str) -> str:
    """W_Q for the W_Q of every layer, edited or not."""
    return name.removesuffix(".original").rpartition(".")[2]


def chosen_parameters(known: Sequence[str], learns: Iterable[str] | None) -> list[str]:
    """Names of parameters; a role such as W_Q stands for that of every layer."""
    if learns is None:
        return list(known)
    roles = {name: role_of(name) for name in known}
    chosen: list[str] = []
    for wanted in [learns] if isinstance(learns, str) else learns:
        found = [name for name in known if wanted in (name, roles[name])]
        if not found:
            raise NotFound(f"no parameter {wanted!r}; {suggestion(wanted, [*roles.values(), *known])}")
        chosen += found
    return chosen

"""What a step's name says: its layer, and the role of a parameter over all layers.

>>> layer_of("layer3.weights"), role_of("layer0.W_Q.original"), role_of("E")
('layer3', 'W_Q', 'E')
"""

import re

LAYER = re.compile(r"^layer\d+(?=\.)")


def layer_of(name: str) -> str:
    """The layer a step belongs to; empty for what comes before and after the layers."""
    found = LAYER.match(name)
    return found.group() if found else ""


def without_layer(name: str) -> str:
    return name.removeprefix(f"{layer_of(name)}.") if layer_of(name) else name


def role_of(name: str) -> str:
    """W_Q for the W_Q of every layer, edited or not."""
    return name.removesuffix(".original").rpartition(".")[2]

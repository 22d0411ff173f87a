"""A transformer as a torch module: the same parameters, the same description, run by Fast."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

from regard.models.fast import Fast
from regard.models.parameters import Parameters, checked, shapes
from regard.models.settings import Settings
from regard.models.transformer import at_places, every_next_word, predicted_logits, transformer

DOT = "/"  # torch allows no dots in the names of parameters


class Network(nn.Module):
    """Parameters by our names, and the description that uses them."""

    verbs: type[Fast] = Fast  # what carries the description out

    def __init__(self, settings: Settings, arrays: Parameters, visible: Any, dropout: float = 0.0):
        super().__init__()
        self.settings, self.visible, self.dropout = settings, visible, dropout
        self.blocks: list[Callable[..., torch.Tensor]] | None = None  # what runs each layer's block, if given
        for name, (_axes, array) in checked(settings, arrays).items():
            self.register_parameter(
                name.replace(".", DOT), nn.Parameter(torch.tensor(np.asarray(array), dtype=torch.float32))
            )

    @property
    def by_name(self) -> dict[str, nn.Parameter]:
        return {name.replace(DOT, "."): p for name, p in self.named_parameters()}

    def arrays(self) -> dict[str, np.ndarray]:
        """The parameters as Glass takes them."""
        return {name: p.detach().float().cpu().numpy() for name, p in self.by_name.items()}

    def forward(
        self,
        ids: torch.Tensor,
        targets: torch.Tensor | None = None,
        places: torch.Tensor | None = None,
        lengths: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """The logits at some places of each text, or at all; with targets, the mean surprise.

        Texts of different lengths are padded; nobody reads what comes after a text's length.
        """
        do = self.verbs(self.dropout if self.training else 0.0)
        parameters, cap = self.by_name, self.settings.logit_cap
        visible = self.visible if lengths is None else _within(self.visible, ids, lengths)
        x = transformer(do, ids, parameters, self.settings, visible, blocks=self.blocks)
        if targets is None:
            return predicted_logits(do, x if places is None else do.read_several("read", x, places), parameters, cap)
        if places is None:
            return every_next_word(do, x, parameters, targets, cap)
        return at_places(do, x, parameters, places, targets, cap)

    def last_logits(self, do: Fast, ids: torch.Tensor) -> torch.Tensor:
        """The logits after the last position of each row."""
        parameters = self.by_name
        x = transformer(do, ids, parameters, self.settings, self.visible, blocks=self.blocks)
        return predicted_logits(do, x[:, -1:], parameters, self.settings.logit_cap)[:, -1]

    @property
    def size(self) -> int:
        return sum(int(np.prod(shape)) for _, shape in shapes(self.settings).values())


def _within(visible: Any, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Who may look at whom in each text of a batch: as in the model, and only at what belongs to the text."""
    tokens = ids.shape[1]
    allowed = torch.as_tensor(visible(tokens), device=ids.device)
    real = torch.arange(tokens, device=ids.device) < lengths[:, None]
    return allowed & real[:, None, None, :]

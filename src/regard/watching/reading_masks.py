"""What a mask says, in whatever form a model hands it to its kernel: who may see whom, and what is added to scores."""

from typing import NamedTuple

import numpy as np
import torch

from regard.attending.spans import Spans

# a score this low is hidden: models write −inf, or the lowest number of their precision
HIDDEN = -1e4


class Sight(NamedTuple):
    """Who sees whom: Spans where every row is one stretch of keys, else True and False; and what is added."""

    visible: Spans | torch.Tensor
    bias: torch.Tensor | None = None


def read_mask(mask: torch.Tensor | None, is_causal: bool, queries: int, keys: int) -> Sight:
    """
    >>> read_mask(torch.tensor([[0.0, -torch.inf], [0.0, 0.0]]), False, 2, 2).visible.end.tolist()
    [1, 2]
    >>> read_mask(torch.tensor([[0.5, -torch.inf], [0.0, 0.0]]), False, 2, 2).bias.tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    if mask is None:
        return Sight(Spans.from_first(queries, keys) if is_causal else Spans.all(queries, keys))
    mask = mask.detach()
    if mask.dtype == torch.bool:
        seen, bias = mask, None
    else:
        seen = mask > HIDDEN
        bias = mask.masked_fill(~seen, 0.0)
        bias = bias if bool(bias.any()) else None
    seen = seen.expand(*seen.shape[:-2], queries, keys) if seen.ndim >= 2 else seen.expand(queries, keys)
    if is_causal:  # both: torch counts queries from the first key
        seen = seen & torch.ones(queries, keys, dtype=torch.bool, device=seen.device).tril()
    spans = Spans.of(seen)
    return Sight(seen.clone() if spans is None else spans, bias)


def without_sight(visible: Spans | torch.Tensor) -> np.ndarray:
    """The rows that see nothing: (…, Q)."""
    if isinstance(visible, Spans):
        return visible.end <= visible.begin
    return (~visible.any(-1)).cpu().numpy()


def row_of(sight: Sight, row: int, keys: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Who one query sees, and what is added to its scores: (…, 1, K) each.

    >>> row_of(Sight(Spans.from_first(3, 3)), 1, 3)[0].tolist()
    [[True, True, False]]
    """
    visible, bias = sight
    if isinstance(visible, Spans):
        place = np.arange(keys)
        begin, end = visible.begin[..., row, None, None], visible.end[..., row, None, None]
        seen = torch.from_numpy((place >= begin) & (place < end))
    else:
        seen = visible[..., row : row + 1, :]
    if bias is not None:
        bias = bias if bias.shape[-2] == 1 else bias[..., row : row + 1, :]
    return seen, bias

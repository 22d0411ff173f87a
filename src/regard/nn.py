"""Parts for your own torch models that keep what others throw away.

>>> layer = MultiHeadAttention(embed_dim=6, num_heads=2, batch_first=True).eval()
>>> x = torch.ones(1, 4, 6)
>>> output, weights = layer(x, x, x, average_attn_weights=False, is_causal=True)
>>> output.shape, weights[0, 1, 3].tolist()
(torch.Size([1, 4, 6]), [0.25, 0.25, 0.25, 0.25])
>>> layer.look(x, x, is_causal=True)[0, 1].entropy().round(4).tolist()
[0.0, 0.6931, 1.0986, 1.3863]
"""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812  (as everybody writes it)
from torch import Tensor, nn

from regard.attending.door import ask, attend, chosen
from regard.attending.masks import Rule, causal
from regard.attending.weights import Weights


class MultiHeadAttention(nn.MultiheadAttention):
    """torch.nn.MultiheadAttention computed by regard: same arguments, same parameters, same results.

    Three differences. A query that may see nothing reads zeros, where torch gives NaN. `is_causal` also works without
    a mask. And `look` gives the weights of every head as `Weights`, for texts of any length.
    """

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Masks as in torch: True hides, numbers are added to the scores."""
        batched = query.ndim == 3
        q, k, v = self._project(query, key, value)
        visible, bias = self._masks(q, k, key_padding_mask, attn_mask, is_causal)
        dropout = self.dropout if self.training else 0.0
        answer = attend(q, k, v, visible, None, bias, dropout, ("weights",) if need_weights else ())
        output = self.out_proj(answer.context.transpose(1, 2).flatten(2))
        weights = answer.weights
        if weights is not None and average_attn_weights:
            weights = weights.mean(1)
        if not batched:
            return output[0], None if weights is None else weights[0]
        return output if self.batch_first else output.transpose(0, 1), weights

    @torch.no_grad()
    def look(
        self,
        query: Tensor,
        key: Tensor,
        key_padding_mask: Tensor | None = None,
        attn_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Weights:
        """The weights of every head, `[text, head]` (`[head]` for a single text), never stored as a whole matrix."""
        q, k, _ = self._project(query, key, None)
        visible, bias = self._masks(q, k, key_padding_mask, attn_mask, is_causal)
        asked = ask(q, k, k, visible, None, bias, also=("lse",))
        lse = chosen(asked).run(asked).lse
        assert lse is not None
        weights = Weights.from_queries(q, k, lse, asked.visible, asked.scale, asked.bias)
        return weights if query.ndim == 3 else weights[0]

    def _project(self, query: Tensor, key: Tensor, value: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """q, k and v of every head, (B, H, tokens, head width), with the keys and values that the layer itself adds."""
        given = {"query": (query, self.embed_dim), "key": (key, self.kdim)}
        if value is not None:
            given["value"] = (value, self.vdim)
        for name, (x, width) in given.items():
            if x.ndim not in (2, 3) or x.ndim != query.ndim or x.shape[-1] != width:
                raise ValueError(
                    f"{name} expects (tokens, {width}) or a batch of that, got {tuple(x.shape)}; "
                    "query, key and value must be alike"
                )
        q_map, k_map, v_map = self._maps()
        q = F.linear(self._batch(query), *q_map)
        k = F.linear(self._batch(key), *k_map)
        v = k if value is None else F.linear(self._batch(value), *v_map)
        if self.bias_k is not None and self.bias_v is not None:
            k = torch.cat([k, self.bias_k.expand(len(k), 1, -1)], dim=1)
            v = torch.cat([v, self.bias_v.expand(len(v), 1, -1)], dim=1)
        if self.add_zero_attn:
            k, v = F.pad(k, (0, 0, 0, 1)), F.pad(v, (0, 0, 0, 1))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2) for x in (q, k, v))
        return q, k, v

    def _maps(self) -> list[tuple[Tensor, Tensor | None]]:
        """The parameters of q, k and v, which torch keeps in one matrix when their widths are equal."""
        if self._qkv_same_embed_dim:
            matrices: Any = self.in_proj_weight.chunk(3)
        else:
            matrices = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        biases = (None, None, None) if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        return list(zip(matrices, biases))

    def _batch(self, x: Tensor) -> Tensor:
        """(B, tokens, width)"""
        if x.ndim == 2:
            return x[None]
        return x if self.batch_first else x.transpose(0, 1)

    def _masks(
        self, q: Tensor, k: Tensor, key_padding_mask: Tensor | None, attn_mask: Tensor | None, is_causal: bool
    ) -> tuple[Any, Tensor | None]:
        """Who may look at whom and what is added to the scores: torch's two masks, translated."""
        batch, heads, queries, _ = q.shape
        own = (self.bias_k is not None) + self.add_zero_attn  # keys that the layer adds to every text
        keys = k.shape[2] - own
        masks: list[Tensor] = []
        if key_padding_mask is not None:
            _check("key_padding_mask", key_padding_mask, [(batch, keys)] if batch > 1 else [(1, keys), (keys,)])
            masks.append(key_padding_mask.reshape(batch, 1, 1, keys))
        if attn_mask is not None:
            _check("attn_mask", attn_mask, [(queries, keys), (batch * heads, queries, keys)])
            by_head = (batch, heads) if attn_mask.ndim == 3 else (1, 1)
            masks.append(attn_mask.reshape(*by_head, queries, keys))
        elif is_causal and masks:
            masks.append(torch.ones(queries, keys, dtype=torch.bool, device=q.device).triu(1))
        elif is_causal:
            return _looking_back(queries, keys, own), None
        hidden = [F.pad(mask, (0, own)) for mask in masks if mask.dtype == torch.bool]
        added = [F.pad(mask.to(q.dtype), (0, own)) for mask in masks if mask.dtype != torch.bool]
        return ~_together(torch.logical_or, hidden) if hidden else None, _together(torch.add, added) if added else None


def _together(combine: Callable[[Tensor, Tensor], Tensor], masks: list[Tensor]) -> Tensor:
    return masks[0] if len(masks) == 1 else combine(*masks)


def _looking_back(queries: int, keys: int, added: int) -> Rule:
    """Query i reads the keys up to i, as torch counts them, and the keys that the layer adds to every text."""
    if queries == keys and not added:
        return causal
    first = keys + added - queries  # positions of queries are counted from here, as if they were the last tokens
    return Rule("causal from the first key", lambda query, key: (key <= query - first) | (key >= keys))


def _check(name: str, mask: Tensor, shapes: list[tuple[int, ...]]) -> None:
    if tuple(mask.shape) not in shapes:
        raise ValueError(f"{name} expects the shape {' or '.join(map(str, shapes))}, got {tuple(mask.shape)}")
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise ValueError(f"{name} expects True (hidden) and False, or numbers to add, got {mask.dtype}")

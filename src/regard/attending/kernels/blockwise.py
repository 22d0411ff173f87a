"""Attention in tiles, forward and backward, with the log-sum-exp; memory grows with the tokens, never their square.

The running softmax of Milakov and Gimelshein (2018) and Rabe and Staats (2021); backward, each tile is computed again
from the log-sum-exp (Dao et al. 2022). Half precision is computed in single precision.
"""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch.autograd.function import once_differentiable

from regard.attending.bias import ByDistance
from regard.attending.kernels.kernel import Answer, Asked, lacks
from regard.attending.masks import Rule
from regard.attending.scores import tiles

KEYS = 512  # of a tile
MOST_ROWS, LEAST_ROWS = 512, 32
CELLS = 2**21  # of a tile, over all heads: 8 MB in single precision


class Blockwise:
    name = "blockwise"
    about = "tiles with a running softmax, and log-sum-exp"

    def objection(self, asked: Asked) -> str | None:
        if asked.dropout:
            return "does not apply dropout to weights"
        if torch.compiler.is_compiling():
            return "chooses its tiles while it runs, so it cannot be compiled"
        return lacks(asked, ("lse",))

    def run(self, asked: Asked) -> Answer:
        numbers = asked.bias.table if isinstance(asked.bias, ByDistance) else asked.bias
        context, lse = InTiles.apply(asked.q, asked.k, asked.v, numbers, asked)
        return Answer(context, lse if "lse" in asked.also else None)


class InTiles(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, q: Any, k: Any, v: Any, numbers: Any, asked: Asked) -> Any:
        part = Tiles(asked)
        context = q.new_zeros((*q.shape[:-1], v.shape[-1]))
        lse = torch.full(q.shape[:-1], -math.inf, dtype=part.dtype, device=q.device)
        for rows in part.rows():
            queries = part.q(q, rows)
            largest = lse.new_full((*q.shape[:2], _size(rows)), -math.inf)
            total = torch.zeros_like(largest)
            mixed = lse.new_zeros((*largest.shape, v.shape[-1]))
            for keys, scores in part.scores(queries, k, rows):
                higher = torch.maximum(largest, scores.amax(-1))
                base = higher.masked_fill(higher == -math.inf, 0.0)  # a row that has seen nothing yet
                shrink = (largest - base).exp_()
                exps = scores.sub_(base[..., None]).exp_()
                total = total.mul_(shrink).add_(exps.sum(-1))
                mixed = mixed.mul_(shrink[..., None]).add_(part.apart(part.shared(exps) @ part.keys(v, keys)))
                largest = higher
            seen = total != 0  # NaN, too: a row that reads one has seen something
            whole = total.masked_fill(~seen, 1.0)
            context[:, :, rows] = mixed.div_(whole[..., None]).to(q.dtype)
            lse[:, :, rows] = torch.where(seen, largest + whole.log(), -math.inf)
        ctx.save_for_backward(q, k, v, numbers, context, lse)
        ctx.asked = asked
        ctx.mark_non_differentiable(lse)
        return context, lse

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """With p the weights and g the blame of a context: a score's blame is p · (g·v − the row's average of g·v)."""
        q, k, v, numbers, context, lse = ctx.saved_tensors
        part, needs = Tiles(ctx.asked), ctx.needs_input_grad
        blame = gradients[0]
        q_grad, k_grad, v_grad = (torch.zeros_like(x, dtype=part.dtype) for x in (q, k, v))
        bias_grad = torch.zeros_like(numbers, dtype=part.dtype) if needs[3] else None
        for rows in part.rows():
            queries = part.q(q, rows)
            given = blame[:, :, rows].to(part.dtype)
            average = (given * context[:, :, rows]).sum(-1, keepdim=True)
            shift = lse[:, :, rows, None]
            shift = shift.masked_fill(shift == -math.inf, 0.0)
            shared = part.shared(given)
            for keys, scores in part.scores(queries, k, rows):
                weights = scores.sub_(shift).exp_()
                v_grad[:, :, keys] += part.shared(weights).mT @ shared
                scores_grad = part.apart(shared @ part.keys(v, keys).mT).sub_(average).mul_(weights)
                if bias_grad is not None:
                    part.add_to_bias(bias_grad, scores_grad, rows, keys)
                together = part.shared(scores_grad)
                q_grad[:, :, rows] += part.apart(together @ part.keys(k, keys))
                k_grad[:, :, keys] += together.mT @ queries  # the queries already include the scale
        q_grad *= ctx.asked.scale
        found = (q_grad.to(q.dtype), k_grad.to(k.dtype), v_grad.to(v.dtype))
        return *found, None if bias_grad is None else bias_grad.to(numbers.dtype), None


class Tiles:
    """How the whole is cut, and how query heads that share keys are stacked for one product."""

    def __init__(self, asked: Asked):
        self.asked = asked
        self.dtype = torch.float64 if asked.q.dtype == torch.float64 else torch.float32
        self.groups = asked.k.shape[1]
        self.query_places, self.key_places = asked.places()

    def rows(self) -> Iterator[slice]:
        across = max(1, self.asked.q.shape[0] * self.asked.q.shape[1] * min(KEYS, self.asked.keys))
        return tiles(self.asked.queries, min(MOST_ROWS, max(LEAST_ROWS, CELLS // across)))

    def q(self, q: torch.Tensor, rows: slice) -> torch.Tensor:
        return self.shared(q[:, :, rows].to(self.dtype) * self.asked.scale)

    def keys(self, x: torch.Tensor, keys: slice) -> torch.Tensor:
        return x[:, :, keys].to(self.dtype)

    def shared(self, x: torch.Tensor) -> torch.Tensor:
        """(B, H, rows, …) → (B, G, heads of a group · rows, …)"""
        batch, heads, rows, last = x.shape
        return x.reshape(batch, self.groups, heads // self.groups * rows, last)

    def apart(self, x: torch.Tensor) -> torch.Tensor:
        """(B, G, heads of a group · rows, …) → (B, H, rows, …)"""
        batch, groups, rows, last = x.shape
        heads = self.asked.q.shape[1]
        return x.reshape(batch, heads, rows * groups // heads, last)

    def scores(self, queries: torch.Tensor, k: torch.Tensor, rows: slice) -> Iterator[tuple[slice, torch.Tensor]]:
        """The masked scores of these rows, tile by tile; tiles in which nothing may be seen are left out."""
        for keys in tiles(self.asked.keys, KEYS):
            allowed = self._allowed(rows, keys)
            if allowed is not None and not allowed.any():
                continue
            scores = self.apart(queries @ self.keys(k, keys).mT)
            if self.asked.bias is not None:
                scores += self._added(rows, keys)
            if allowed is not None and not allowed.all():
                scores.masked_fill_(~allowed, -math.inf)
            yield keys, scores

    def _allowed(self, rows: slice, keys: slice) -> torch.Tensor | None:
        visible = self.asked.visible
        if isinstance(visible, Rule):
            return visible.tile(self.query_places[rows], self.key_places[keys])
        return visible if visible is None else _part(visible, rows, keys)

    def _added(self, rows: slice, keys: slice) -> torch.Tensor:
        bias = self.asked.bias
        if isinstance(bias, ByDistance):
            return bias.tile(self.query_places[rows], self.key_places[keys]).to(self.dtype)
        assert bias is not None
        return _part(bias, rows, keys).to(self.dtype)

    def add_to_bias(self, total: torch.Tensor, scores_grad: torch.Tensor, rows: slice, keys: slice) -> None:
        """A bias that serves many scores gets the sum of their blame."""
        if isinstance(self.asked.bias, ByDistance):
            apart = self.asked.bias.distances(self.query_places[rows], self.key_places[keys])
            total.index_add_(1, apart.flatten(), scores_grad.sum(0).flatten(1))
            return
        where = _part(total, rows, keys)
        where += scores_grad.sum_to_size(where.shape)


def _part(numbers: torch.Tensor, rows: slice, keys: slice) -> torch.Tensor:
    """The rows and keys of what broadcasts to (B, H, Q, K): an axis of size 1 stays."""
    if numbers.ndim >= 2 and numbers.shape[-2] != 1:
        numbers = numbers[..., rows, :]
    return numbers[..., keys] if numbers.ndim and numbers.shape[-1] != 1 else numbers


def _size(rows: slice) -> int:
    return rows.stop - rows.start


KERNEL = Blockwise()

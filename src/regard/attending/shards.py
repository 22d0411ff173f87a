"""One text on several devices: each holds some of its keys, looks at those, and what they saw is put together.

All that is seen of attention can be put together from parts: the log-sum-exp of a row is that of its parts', sums of
weights are sums of sums, the largest is the largest of the largest. So no device ever holds all keys, and what travels
is as large as the answer. Queries are gathered, which is what ring attention and torch's context_parallel do with keys.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import torch
import torch.distributed as distributed

from regard.attending.look import Looked, Rows, Tile, of_text, tiles_of
from regard.attending.spans import Spans

Group = Any  # of processes, as torch.distributed has them; None: all of them


def log_sum_exp_of_all(lse: torch.Tensor, group: Group = None) -> torch.Tensor:
    """Of every key, from each process's own (…, Q): −inf where it sees none. Each process ends up with the same."""
    most = lse.double().clone()
    distributed.all_reduce(most, distributed.ReduceOp.MAX, group)
    base = most.masked_fill(most == -torch.inf, 0.0)
    total = (lse.double() - base).exp()
    distributed.all_reduce(total, distributed.ReduceOp.SUM, group)
    return (base + total.log()).masked_fill(total == 0, -torch.inf)


@torch.no_grad()
def look_at_shard(
    q: torch.Tensor,
    k: torch.Tensor,
    lse: torch.Tensor,
    visible: Spans,
    scale: float,
    own: slice,
    keys: int,
    height: int = 256,
    width: int = 256,
) -> Looked:
    """What all queries (B, H, Q, D) give to some of the `keys` keys, those from own.start on (B, G, own, D).

    `lse` is that of all keys, `visible` is in the places of the whole text, and so is the answer: 0 for keys of others.
    """
    here = Spans(*(np.clip(x - own.start, 0, own.stop - own.start) for x in (visible.begin, visible.end)))
    texts = []
    for i in range(q.shape[0]):
        rows = Rows(q.shape[1], q.shape[2], keys, height, width)
        for tile in tiles_of(q[i], k[i], lse[i], of_text(here, i), scale):
            rows.add(_moved(tile, own.start))
        texts.append(rows.looked())
    return _each(lambda *parts: np.stack(parts), *texts)


def merged(part: Looked, group: Group = None) -> Looked:
    """What all processes saw together, from what each saw of its own keys. Each ends up with the same."""
    sums = {
        name: _reduced(getattr(part, name), distributed.ReduceOp.SUM, group)
        for name in ("received", "entropy", "mean_distance", "picture")
    }
    largest = _reduced(part.largest, distributed.ReduceOp.MAX, group)
    # of equal weights, the earlier key comes first; whoever has another largest weight has nothing to say
    nobody = np.iinfo(np.int64).max
    says = np.where((part.largest == largest) & (part.read_most >= 0), part.read_most, nobody)
    most = _reduced(says, distributed.ReduceOp.MIN, group)
    return Looked(**sums, largest=largest, read_most=np.where(most == nobody, -1, most))


def _moved(tile: Tile, by: int) -> Tile:
    return replace(tile, keys=slice(tile.keys.start + by, tile.keys.stop + by))


def _reduced(numbers: np.ndarray, how: Any, group: Group) -> np.ndarray:
    whole = torch.from_numpy(np.ascontiguousarray(numbers)).clone()
    distributed.all_reduce(whole, how, group)
    return whole.numpy()


def _each(put: Any, *parts: Looked) -> Looked:
    names = ("received", "entropy", "mean_distance", "largest", "read_most", "picture")
    return Looked(**{name: put(*(getattr(part, name) for part in parts)) for name in names})

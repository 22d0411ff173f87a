"""A call that is only noted while the model runs, and taken in when somebody looks.

A short text takes a GPU less time than Python needs to take in what attention did. So what transformers' function was
given is put on a list, and nothing else is done. Whoever looks lets like calls of many layers be made once more, as
one, through the doors that tell everything. What comes out must be what the model got: a layer for which it is not,
because somebody has written into what it read since, is named instead of shown.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import torch

from regard.watching.call import Call, some_rows
from regard.watching.handing_over import NONE, ending_of, only_reads
from regard.watching.keeping import Keeper
from regard.watching.watchers import Told, state

MOST_PRODUCTS = 2**37  # in the scores of a call: with more of them a GPU takes longer to make it again than Python
AT_ONCE = 2**28  # bytes that are copied together
CLOSE = {torch.float16: 2.0**-8, torch.bfloat16: 2.0**-5}  # as a share of the largest number of a text's rows
CLOSE_ENOUGH = 1e-4
WRITTEN = (
    "gave something else when it was called again: somebody has written into what it read; "
    "watch the model with keep='memory', which copies at once"
)
OF_PARTS = (
    "is_causal",
    "num_key_value_groups",
    "scaling",
    "training",
)  # what a function may ask of the part that calls
is_noted_on: Callable[[torch.Tensor], bool] = attrgetter("is_cuda")


class Noted(NamedTuple):
    """What transformers' function was given by a part of the model, without a mask, and what it gave."""

    function: Callable[..., Any]
    part: torch.nn.Module
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    settings: dict[str, Any]
    context: torch.Tensor  # (B, Q, H, E), as it is handed on; once it is settled (B, H, some of Q, E)
    is_settled: bool = False

    @property
    def kind(self) -> Any:
        """What like calls have in common."""
        numbers = [(name, x) for name, x in self.settings.items() if isinstance(x, int | float | str | None)]
        own = [getattr(self.part, name, None) for name in OF_PARTS]
        forms = [(x.shape, x.dtype, x.device) for x in (self.q, self.k, self.v, self.context)]
        return self.function, type(self.part), numbers, own, forms


def can_be_noted(part: Any, q: torch.Tensor, k: torch.Tensor, settings: dict[str, Any]) -> bool:
    """Whether a call without a mask can be made once more with the same outcome, and whether that pays. Asked while
    the model runs: whatever can be found out later is."""
    ending = ending_of(type(part))
    return (
        ending is not None
        and only_reads(part._modules.get(ending.part))
        and is_noted_on(q)
        and q.numel() * k.shape[-2] <= MOST_PRODUCTS
        and not settings.get("dropout")
        and settings.get("cache") is settings.get("position_bias") is None
    )


def settled(noted: Sequence[Noted]) -> list[Noted]:
    """With some rows of each context alone; those of many are copied at once."""
    found: list[Noted] = []
    for alike in _alike(noted):
        rows = torch.cat([some_rows(one.context.transpose(1, 2)) for one in alike]).split(len(alike[0].q))
        found += [one._replace(context=own, is_settled=True) for one, own in zip(alike, rows)]
    return found


@torch.no_grad()
def taken_in(noted: Sequence[Noted], keeper: Keeper) -> list[Call | str]:
    """Calls that have their tensors for themselves, or why there is none; of calls that are settled. All doors are to
    be open."""
    return [call for alike in _alike(noted) for call in _together(alike, keeper)]


def _alike(noted: Sequence[Noted]) -> Iterator[list[Noted]]:
    for _, alike in groupby(noted, attrgetter("kind")):
        alike = list(alike)
        step = max(1, AT_ONCE // (alike[0].q.nbytes + alike[0].k.nbytes + alike[0].v.nbytes))
        yield from (alike[at : at + step] for at in range(0, len(alike), step))


def _together(alike: Sequence[Noted], keeper: Keeper) -> list[Call | str]:
    q, k, v, rows = (torch.cat([getattr(one, name).detach() for one in alike]) for name in ("q", "k", "v", "context"))
    call = _made_again(alike[0]._replace(q=q, k=k, v=v))
    if isinstance(call, str):
        return [call] * len(alike)
    each = len(alike[0].q)
    are_right = _are_close(rows, some_rows(call.context)).unflatten(0, (-1, each)).all(1).tolist()
    call = call._replace(own=(True, True, True)).kept(keeper)
    lse = [None] * len(alike) if call.lse is None else call.lse.split(each)
    parts = zip(*(x.split(each) for x in (call.q, call.k, call.v, rows)), lse)
    return [
        call._replace(q=q, k=k, v=v, context=own, lse=lse) if is_right else WRITTEN
        for (q, k, v, own, lse), is_right in zip(parts, are_right)
    ]


def _are_close(rows: torch.Tensor, again: torch.Tensor) -> torch.Tensor:
    """Of each text, whether what came out twice is the same but for the last digits: many calls at once may be another
    kernel's."""
    far = (again - rows).abs().flatten(1).amax(1)
    return ~(far > CLOSE.get(rows.dtype, CLOSE_ENOUGH) * rows.abs().flatten(1).amax(1))


class Listener:
    """Is told of a call that is made again, and of nothing else."""

    is_told_all = False
    heard: Call | str = "called none of torch's functions for attention"

    def knows(self, module: Any) -> bool:
        return False

    def saw(self, part: torch.nn.Module, call: Call, context: torch.Tensor) -> torch.Tensor:
        self.heard = call
        return context

    def missed(self, part: torch.nn.Module, reason: str) -> None:
        self.heard = reason


def _made_again(one: Noted) -> Call | str:
    listener, before = Listener(), state.told
    state.told = Told([(listener, one.part)], one.k, one.v, True, NONE)
    try:
        one.function(one.part, one.q, one.k, one.v, None, **one.settings)
    except RuntimeError as error:  # it ran under a transformation that is over
        return f"cannot be called again: {error}"
    finally:
        state.told = before
    return listener.heard

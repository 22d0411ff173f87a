"""Numbers on their way from a GPU: copied into main memory while it goes on; whoever asks for one waits for it."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from regard.attending.look import Looked, Received

DTYPES = {torch.float32: np.float32, torch.int32: np.int32}


class Arriving:
    """What was seen, as it will be: each number is there when it is asked for."""

    __dataclass_fields__: dict[str, Any]

    def __init__(self, fetch: Callable[[], Any]):
        self.__dict__["_fetch"] = fetch

    def __getattr__(self, name: str) -> Any:
        if name not in self.__dataclass_fields__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.arrive()
        return self.__dict__[name]

    def arrive(self) -> None:
        """Wait for it."""
        if "_fetch" in self.__dict__:
            found = self.__dict__["_fetch"]()
            self.__dict__.update({name: getattr(found, name) for name in self.__dataclass_fields__})
            del self.__dict__["_fetch"]


class ArrivingLooked(Arriving, Looked): ...


class ArrivingReceived(Arriving, Received): ...


def sent(given: Sequence[torch.Tensor]) -> Callable[[], list[np.ndarray]]:
    """Copies numbers of 32 bits, in one piece; what it gives waits until they are here.

    >>> sent([torch.tensor([1.5]), torch.tensor([[2, 3]], dtype=torch.int32)])()
    [array([1.5], dtype=float32), array([[2, 3]], dtype=int32)]
    """
    together = torch.cat([x.reshape(-1).view(torch.int32) for x in given])
    forms = [(tuple(x.shape), DTYPES[x.dtype]) for x in given]  # the tensors themselves may go
    here, done = together, None
    if together.is_cuda:  # into memory that a GPU can write into on its own
        here = torch.empty(together.shape, dtype=together.dtype, pin_memory=True).copy_(together, non_blocking=True)
        done = torch.cuda.Event()
        done.record()

    def arrived() -> list[np.ndarray]:
        if done is not None:
            done.synchronize()
        parts = here.split([math.prod(shape) for shape, _ in forms])
        return [part.numpy().view(kind).reshape(shape) for part, (shape, kind) in zip(parts, forms)]

    return arrived

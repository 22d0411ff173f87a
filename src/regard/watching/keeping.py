"""Where what was seen is kept: on the device it was computed on, in main memory, or in files."""

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import torch


class Keeper(Protocol):
    is_here: bool  # whether what may be kept as it is stays as it is

    def keep(self, given: Sequence[torch.Tensor], own: Sequence[bool]) -> list[torch.Tensor]:
        """Copies, but of what is its own: a parameter, a cache or whatever is changed in place would change what was
        seen."""
        ...

    def take(self, x: torch.Tensor) -> torch.Tensor:
        """What nobody else has."""
        ...


class Here:
    """On its own device."""

    is_here = True

    def keep(self, given: Sequence[torch.Tensor], own: Sequence[bool]) -> list[torch.Tensor]:
        return [x.detach() if is_own else x.detach().clone() for x, is_own in zip(given, own)]

    def take(self, x: torch.Tensor) -> torch.Tensor:
        return x.detach()


class InMemory:
    """In main memory."""

    is_here = False

    def keep(self, given: Sequence[torch.Tensor], own: Sequence[bool]) -> list[torch.Tensor]:
        return [x.detach().to("cpu", copy=not is_own) for x, is_own in zip(given, own)]

    def take(self, x: torch.Tensor) -> torch.Tensor:
        return x.detach().to("cpu")


class OnDisk:
    """In files of a folder, read where they are needed; without a folder, in one that goes when nobody looks."""

    is_here = False

    def __init__(self, folder: str | Path | None = None):
        self.folder = Path(tempfile.mkdtemp(prefix="regard-watch-") if folder is None else folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        if folder is None:
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.count = 0

    def keep(self, given: Sequence[torch.Tensor], own: Sequence[bool]) -> list[torch.Tensor]:
        return [self.take(x) for x in given]

    def take(self, x: torch.Tensor) -> torch.Tensor:
        x = x.detach().to("cpu").contiguous()
        if not x.numel():
            return x
        path = self.folder / f"{self.count:06d}.numbers"
        self.count += 1
        x.view(torch.uint8).numpy().reshape(-1).tofile(path)
        stored = np.memmap(path, np.uint8, mode="r+")
        return torch.from_numpy(stored).view(x.dtype).reshape(x.shape)


HERE = Here()
KEEPERS = {"here": Here, "memory": InMemory, "disk": OnDisk}


def keeper(where: str | Path) -> Keeper:
    """`here`, `memory`, `disk`, or a folder."""
    if isinstance(where, Path):
        return OnDisk(where)
    if where not in KEEPERS:
        raise ValueError(f"keep expects {', '.join(KEEPERS)} or a folder as a Path, got {where!r}")
    return KEEPERS[where]()

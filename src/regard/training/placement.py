"""Where the parameters of a model are: in one process, or a copy in each of several (`sharding.py`: a part in each).

Wherever they are, an update is the one that a single process would make of the whole batch.
"""

import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import torch
from torch.nn.parallel import DistributedDataParallel

from regard.models.network import Network
from regard.training.checkpoint import Checkpoint
from regard.training.processes import ALONE, Processes
from regard.training.tensors import Tensors

Runs = Callable[..., torch.Tensor]


class Alone:
    """One process has the model."""

    processes: Processes = ALONE
    in_parts = False  # whether each process holds a part of every parameter

    def placed(self, network: Network, device: torch.device, compiled: bool) -> Runs:
        """Put the network on its device, and return what computes its loss there."""
        network.to(device)
        return torch.compile(network, fullgraph=True) if compiled else network  # pyright: ignore[reportReturnType]

    def adding(self, last: bool) -> AbstractContextManager[object]:
        """Around each batch whose gradients are added up; those of the last one are shared with the others."""
        return nullcontext()

    def give_back(self) -> None:
        """After the network was run without a gradient: what a process gathered of the others' parts goes."""

    def kept(self, model: Mapping[str, torch.Tensor], training: Tensors, beside: Path) -> tuple[Tensors, Tensors, list]:
        """What a checkpoint keeps: whole parameters, what the optimisers remember, and files with parts of that."""
        return {name: p.detach() for name, p in model.items()}, training, []

    def opened(self, saved: Checkpoint, model: Mapping[str, torch.Tensor]) -> tuple[Tensors, Tensors]:
        """What this process needs of a checkpoint."""
        return saved.model, saved.training


class Copies(Alone):
    """Every process has all of the model and computes some rows of each batch; their gradients are averaged."""

    def __init__(self, processes: Processes):
        self.processes = processes

    def placed(self, network: Network, device: torch.device, compiled: bool) -> Runs:
        run = super().placed(network, device, compiled)
        # heads of one are laid out in two ways that are the same; torch warns of it
        warnings.filterwarnings("ignore", message="Grad strides do not match bucket view strides")
        devices = [device] if device.type == "cuda" else None
        self.copies = DistributedDataParallel(run, device_ids=devices, gradient_as_bucket_view=True)  # pyright: ignore[reportArgumentType]
        self.settled = False
        return self._run

    def _run(self, *arrays: torch.Tensor) -> torch.Tensor:
        if not self.settled and torch.is_grad_enabled():
            self._settle(arrays)
        return self.copies(*arrays)

    def _settle(self, arrays: tuple[torch.Tensor, ...]) -> None:
        """Send gradients once, and forget them: only then does torch choose the order in which it sends and adds them.

        Else the first update of a run that goes on would be added up in another order than the same one of a run that
        was not stopped, and of three processes or more the last bits would differ.
        """
        self.settled, syncs = True, self.copies.require_backward_grad_sync
        self.copies.require_backward_grad_sync = True
        with torch.random.fork_rng():
            self.copies(*arrays).backward()
        self.copies.zero_grad(set_to_none=True)
        self.copies.require_backward_grad_sync = syncs

    def adding(self, last: bool) -> AbstractContextManager[object]:
        return nullcontext() if last else self.copies.no_sync()


def placement_of(processes: Processes, sharded: bool) -> Alone:
    """The way that was asked for; one process has nothing to share."""
    if processes.count == 1:
        return Alone()
    if not sharded:
        return Copies(processes)
    from regard.training.sharding import Shards

    return Shards(processes)


def part_here(tensor: torch.Tensor) -> torch.Tensor:
    """The part of a tensor that this process holds."""
    return tensor.to_local() if _is_split(tensor) else tensor  # pyright: ignore[reportAttributeAccessIssue]


def whole(tensor: torch.Tensor) -> torch.Tensor:
    """All of a tensor, gathered if each process has a part of it; then all of them must ask."""
    return tensor.full_tensor() if _is_split(tensor) else tensor  # pyright: ignore[reportAttributeAccessIssue]


def split_like(parameter: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
    """This process's part of a tensor that all of them have, as it is split among them for the parameter."""
    if not _is_split(parameter):
        return tensor
    from torch.distributed.tensor import DTensor, distribute_tensor

    assert isinstance(parameter, DTensor)
    return distribute_tensor(tensor, parameter.device_mesh, parameter.placements, src_data_rank=None)


def _is_split(tensor: torch.Tensor) -> bool:
    return hasattr(tensor, "full_tensor")  # a DTensor, whose import takes its time

"""A part of the model in each process (FSDP2), for models that do not fit into one.

Each layer's parameters are gathered just before its block runs and given back after it, forward and backward; what the
optimiser remembers is never gathered at all. The description stays the only forward: its blocks are run by modules that
hold the parameters of one layer.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard, register_fsdp_forward_method
from torch.distributed.tensor import DTensor, Shard

from regard.models.fast import Fast
from regard.models.network import DOT, Network
from regard.models.transformer import block
from regard.training.checkpoint import Checkpoint
from regard.training.placement import Alone, Runs, whole
from regard.training.processes import Processes
from regard.training.shard_files import read_parts, write_shards
from regard.training.tensors import Tensors

Block = Callable[..., torch.Tensor]


class Shards(Alone):
    """Every process has a part of each parameter, and computes some rows of each batch with all of them in turn."""

    in_parts = True

    def __init__(self, processes: Processes):
        self.processes = processes

    def placed(self, network: Network, device: torch.device, compiled: bool) -> Runs:
        # compiled block by block: what is gathered around them cannot be part of a graph
        run: Block = torch.compile(block, fullgraph=True) if compiled else block
        mesh = init_device_mesh(device.type, (self.processes.count,))
        network.blocks = [_in_a_module(network, f"layer{i}", run) for i in range(network.settings.layers)]
        for part in (*network.children(), network):
            fully_shard(part, mesh=mesh, shard_placement_fn=self._axis)
        register_fsdp_forward_method(network, "last_logits")
        network.to_empty(device=device) if _is_empty(network) else network.to(device)
        self.network: Any = network
        return network

    def _axis(self, parameter: nn.Parameter) -> Shard:
        """Along the longest axis that divides evenly; rows of unlike number would be filled up with nothing."""
        even = [axis for axis, size in enumerate(parameter.shape) if size % self.processes.count == 0]
        return Shard(max(even, key=lambda axis: parameter.shape[axis]) if even else 0)

    def adding(self, last: bool) -> AbstractContextManager[object]:
        self.network.set_requires_gradient_sync(last)
        return nullcontext()

    def give_back(self) -> None:
        self.network.reshard()  # its own parameters wait for a backward pass

    def kept(self, model: Mapping[str, torch.Tensor], training: Tensors, beside: Path) -> tuple[Tensors, Tensors, list]:
        """The parameters whole, for whoever looks inside; the larger rest in parts, each written by its process."""
        gathered: Tensors = {}
        for name, p in model.items():  # one at a time; only the first process keeps it, and not on its device
            full = whole(p.detach())
            if self.processes.first:
                gathered[name] = full.cpu()
        parts = {name: t for name, t in training.items() if isinstance(t, DTensor)}
        rest = {name: t for name, t in training.items() if name not in parts}
        return gathered, rest, write_shards(beside, parts, self.processes)

    def opened(self, saved: Checkpoint, model: Mapping[str, torch.Tensor]) -> tuple[Tensors, Tensors]:
        parameters, training = read_parts(saved.path, model)
        return parameters, {**saved.training, **training}


class Layer(nn.Module):
    """The parameters of one layer, and the block that uses them."""

    def __init__(self, run: Block, parameters: Mapping[str, nn.Parameter]):
        super().__init__()
        self.run = run
        for name, p in parameters.items():
            self.register_parameter(name.replace(".", DOT), p)

    def forward(self, do: Any, x: torch.Tensor, shared: Mapping[str, Any], *rest: Any) -> torch.Tensor:
        own: dict[str, Any] = {name.replace(DOT, "."): p for name, p in self._parameters.items()}
        run = self.run if type(do) is Fast else block  # texts that grow word by word are not worth a graph
        return run(do, x, {**shared, **own}, *rest)


def _in_a_module(network: Network, name: str, run: Block) -> Block:
    """Move the parameters of a layer into a module of their own. Their names stay what they are."""
    prefix = f"{name}."
    own = {n.removeprefix(prefix): p for n, p in network.by_name.items() if n.startswith(prefix)}
    for n in own:
        delattr(network, (prefix + n).replace(".", DOT))
    layer = Layer(run, own)
    network.add_module(name, layer)

    def in_layer(do: Any, x: torch.Tensor, parameters: Mapping[str, Any], *rest: Any) -> torch.Tensor:
        # its own are taken inside, where they are gathered
        return layer(do, x, {n: p for n, p in parameters.items() if n not in own}, *rest)

    return in_layer


def _is_empty(network: Network) -> bool:
    return any(p.is_meta for p in network.parameters())

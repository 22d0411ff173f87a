"""The training loop. It yields a report after every update; whoever asked for it prints, saves and stops."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import torch

from regard.models.network import Network
from regard.training.data import Batches
from regard.training.optimiser import optimisers
from regard.training.placement import Alone, whole
from regard.training.schedule import rate_share
from regard.training.settings import TrainingSettings

ROLES = (
    "E", "position", "segment", "W_Q", "W_K", "W_V", "W_O", "W_up", "W_gate", "W_down", "W_transform", "W_out",
)  # fmt: skip


@dataclass(frozen=True)
class Report:
    """One update: its loss, the size of the gradient in each role, and how quickly it went."""

    update: int
    loss: float
    rate: float
    gradient: float  # the size of the whole gradient, before clipping
    roles: dict[str, float] = field(default_factory=dict)
    tokens_per_second: float = 0.0
    validation: dict[str, float] = field(default_factory=dict)


class NotANumber(ArithmeticError):
    """The loss is no number any more; what was saved before is good."""


class Trainer:
    """A network, its optimisers, and the number of updates made: all that a checkpoint must hold."""

    def __init__(
        self,
        network: Network,
        settings: TrainingSettings,
        device: torch.device | str = "cpu",
        placement: Alone | None = None,
    ):
        self.settings, self.device = settings, torch.device(device)
        self.placement = placement or Alone()
        self.processes = self.placement.processes
        self.network = network
        self._run = self.placement.placed(network, self.device, settings.compile)
        self.optimisers = optimisers(network.by_name, settings)
        self.updates = 0
        self._tokens = 0  # read for the gradients that were found last
        # A GPU goes on with the next gradients while an update's numbers are fetched and reported. With dropout it
        # waits: what is drawn for the next update must not be drawn when this one is saved.
        self.ahead = self.device.type == "cuda" and not network.dropout and self.processes.count == 1

    def train(self, texts: Batches, held_out: Batches | None = None) -> Iterator[Report]:
        """Updates from where the trainer stands to the last one, each reported."""
        settings = self.settings
        self.network.train()
        self.network.zero_grad(set_to_none=True)
        loss: torch.Tensor | None = None
        while self.updates < settings.updates:
            started = time.perf_counter()
            loss = self._gradients(texts) if loss is None else loss
            self.updates += 1
            share = rate_share(self.updates, settings)
            sizes = self._role_sizes()
            size = whole(torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.clip))
            for optimiser in self.optimisers:
                for group in optimiser.param_groups:
                    group["lr"] = group["highest_rate"] * share
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)
            fetch = fetched([loss, size, *sizes.values()])
            loss = self._gradients(texts) if self.ahead and self.updates < settings.updates else None
            number, gradient, *of_roles = fetch()
            if not math.isfinite(number) or not math.isfinite(gradient):
                raise NotANumber(f"the loss of update {self.updates} is {number}; try a lower rate")
            seconds = time.perf_counter() - started
            due = held_out is not None and (
                self.updates % settings.evaluate_every == 0 or self.updates == settings.updates
            )
            yield Report(
                self.updates,
                number,
                settings.rate * share,
                gradient,
                dict(zip(sizes, of_roles)),
                self._tokens / seconds,
                self.evaluate(held_out) if due and held_out is not None else {},
            )

    def state(self) -> dict[str, torch.Tensor]:
        """What the optimisers remember of each parameter, by name."""
        names: dict[torch.Tensor, str] = {p: name for name, p in self.network.by_name.items()}
        return {
            f"optimiser.{names[p]}.{key}": value
            for optimiser in self.optimisers
            for p, remembered in optimiser.state.items()
            for key, value in remembered.items()
        }

    @torch.no_grad()
    def restore(self, updates: int, model: Mapping[str, torch.Tensor], training: Mapping[str, torch.Tensor]) -> None:
        """Go on where `state` was taken, with the parameters of then."""
        parameters = self.network.by_name
        if set(model) != set(parameters):
            raise ValueError("the saved parameters are not those of this model; train a new one in another folder")
        for name, p in parameters.items():
            if model[name].shape != p.shape:
                raise ValueError(f"{name} was saved as {tuple(model[name].shape)}; this model has {tuple(p.shape)}")
            p.copy_(model[name])
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                for p in group["params"]:
                    optimiser.state.pop(p, None)
        owner = {p: o for o in self.optimisers for group in o.param_groups for p in group["params"]}
        for written, tensor in training.items():
            if not written.startswith("optimiser."):
                continue
            name, _, key = written.removeprefix("optimiser.").rpartition(".")
            p = parameters[name]
            owner[p].state[p][key] = tensor.to(p.device, copy=True)
        self.updates = updates

    def _gradients(self, texts: Batches) -> torch.Tensor:
        settings = self.settings
        if settings.dropout:
            self.processes.draw_anew(settings.seed, self.updates)
        total = torch.zeros((), device=self.device)
        self._tokens = 0
        for part in range(settings.accumulate):
            draw = self.updates * settings.accumulate + part
            arrays, share = self._rows(texts, settings.seed, draw)
            with self.placement.adding(last=part == settings.accumulate - 1):
                with self._precision():
                    loss = self._run(*arrays) / settings.accumulate * share
                loss.backward()
            total += loss.detach()
        return self.processes.mean(total)

    @torch.no_grad()
    def evaluate(self, texts: Batches) -> dict[str, float]:
        """The mean surprise on each text, on the same windows every time."""
        self.network.eval()
        result: dict[str, float] = {}
        for name, alone in texts.each().items():
            losses = []
            for draw in range(self.settings.evaluate_batches):
                arrays, share = self._rows(alone, 2**31, draw)
                with self._precision():
                    losses.append(self.processes.mean(self._run(*arrays) * share))
            result[name] = sum(map(float, losses)) / len(losses)
        self.network.train()
        self.placement.give_back()
        return result

    def _role_sizes(self) -> dict[str, torch.Tensor]:
        """Gradient sizes by role, over all layers; computed together, fetched once."""
        grouped: dict[str, list[torch.Tensor]] = {}
        for name, p in self.network.by_name.items():
            role = name.rpartition(".")[2]
            if p.grad is not None and role in ROLES:
                grouped.setdefault(role, []).append(p.grad)
        return {role: whole(torch.nn.utils.get_total_norm(grads)) for role, grads in grouped.items()}

    def _rows(self, texts: Batches, seed: int, draw: int) -> tuple[list[torch.Tensor], float]:
        """This process's rows of a batch, and how much their loss counts: each process as much as its rows."""
        arrays = texts.batch(self.settings.batch, self.settings.window, seed, draw)
        own = [self.processes.rows(array) for array in arrays]
        self._tokens += arrays[0].size
        return [self._tensor(array) for array in own], len(own[0]) / len(arrays[0]) * self.processes.count

    def _tensor(self, array: object) -> torch.Tensor:
        tensor = torch.as_tensor(array)
        if self.device.type == "cuda":  # from pinned memory, since any other copy waits for the GPU
            tensor = tensor.contiguous().pin_memory()
        return tensor.to(self.device, non_blocking=True)

    def _precision(self) -> AbstractContextManager[object]:
        if self.settings.precision == "bfloat16":
            return torch.autocast(self.device.type, dtype=torch.bfloat16)
        return nullcontext()


def fetched(numbers: list[torch.Tensor]) -> Callable[[], list[float]]:
    """Single numbers, sent for together; the call waits for them, and not for what the device was asked since.

    >>> fetched([torch.tensor(1.5), torch.tensor(-2.0)])()
    [1.5, -2.0]
    """
    together = torch.stack(numbers).to("cpu", non_blocking=True)
    arrived = torch.cuda.current_stream().record_event() if numbers[0].is_cuda else None

    def fetch() -> list[float]:
        if arrived is not None:
            arrived.synchronize()
        return together.tolist()

    return fetch

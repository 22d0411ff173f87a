"""How much memory a run needs at least, and whether there is so much: said before anything is read or made."""

import os
from dataclasses import asdict, dataclass, replace
from math import prod

import torch

from regard.models.parameters import shapes
from regard.models.parts import GatedMLP
from regard.models.settings import Settings
from regard.training.presets import Plan
from regard.training.processes import Processes
from regard.training.settings import TrainingSettings
from regard.training.tasks import Task

SINGLE = 4  # bytes of a float32: parameters, their gradients, and what optimisers remember of them
REMEMBERED = {"adamw": 2, "muon": 1}  # numbers that an optimiser remembers of each parameter, at the least


@dataclass(frozen=True)
class Need:
    """Bytes that the processes of one machine need together, by what they are for."""

    parameters: int  # and their gradients
    optimiser: int  # what it remembers of them
    activations: int  # what the forward pass keeps for the backward pass
    scores: int  # of every word of the vocabulary at every place that is asked for, and their gradient

    @property
    def total(self) -> int:
        return self.parameters + self.optimiser + self.activations + self.scores

    def over(self, devices: int) -> "Need":
        """What each of several devices needs of it."""
        return Need(*(size // devices for size in asdict(self).values()))


def need(settings: Settings, training: TrainingSettings, asked: int, processes: int = 1) -> Need:
    """The least that an update takes; `asked` counts the places in a row where a word is asked for.

    Processes share the rows of a batch. Each has all parameters, or its part of them.
    """
    states = SINGLE * _parameters(settings) * (1 if training.sharded else processes)
    number = 2 if training.precision == "bfloat16" else SINGLE
    return Need(
        parameters=2 * states,
        optimiser=REMEMBERED[training.optimiser] * states,
        activations=number * training.batch * training.window * settings.layers * _kept(settings),
        scores=2 * number * training.batch * asked * settings.writes,
    )


def check_that_it_fits(plan: Plan, task: Task, processes: Processes) -> None:
    """A refusal with an estimate, where the machine or its GPU has too little memory for the sizes of a plan."""
    settings = plan.sizes.settings(plan.sizes.vocabulary, plan.training.window)
    asked = task.asked(plan.training.window)
    if processes.device.type == "cpu":
        check_memory(need(settings, plan.training, asked, processes.here), machine_memory(), "this machine")
    else:
        each = need(settings, plan.training, asked, processes.count).over(processes.count)
        check_memory(each, device_memory(processes.device), "its GPU")


def check_memory(needed: Need, there: int | None, where: str) -> None:
    """Refuse what cannot fit, with the estimate; where nobody knows how much there is, nothing is refused."""
    if there is None or needed.total <= there:
        return
    parts = ", ".join(f"{_size(size)} {name}" for name, size in asdict(needed).items())
    raise ValueError(
        f"this run needs at least {_size(needed.total)} of memory ({parts}) and {where} has {_size(there)}; "
        f"lower {_largest(needed)} with --set"
    )


def machine_memory() -> int | None:
    """All of this machine's memory in bytes; None on a system that does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def device_memory(device: torch.device) -> int:
    """All of a GPU's memory in bytes."""
    return torch.cuda.get_device_properties(device).total_memory


def _parameters(settings: Settings) -> int:
    """How many numbers a model has; every layer has as many, so two are enough to know a million of them."""
    one, two = (sum(prod(shape) for _, shape in shapes(replace(settings, layers=n)).values()) for n in (1, 2))
    return one + (settings.layers - 1) * (two - one)


def _kept(settings: Settings) -> int:
    """Numbers that a block keeps of each token: around two norms, in attention, and in the MLP."""
    heads = 2 * (settings.heads + (settings.kv_heads or settings.heads)) * settings.head_width  # q, k, v, their mix
    hidden = getattr(settings.mlp, "hidden", 0) * (4 if isinstance(settings.mlp, GatedMLP) else 2)
    return 4 * settings.width + heads + hidden


def _largest(needed: Need) -> str:
    sizes = asdict(needed)
    return {
        "parameters": "width, layers or vocabulary",
        "optimiser": "width, layers or vocabulary",
        "activations": "batch, window, layers or width",
        "scores": "batch, window or vocabulary",
    }[max(sizes, key=lambda name: sizes[name])]


def _size(size: float) -> str:
    """
    >>> _size(1_500_000), _size(25e9), _size(3e21)
    ('1.5 MB', '25 GB', '3,000 EB')
    """
    units = ("MB", "GB", "TB", "PB", "EB")
    step = min(len(units) - 1, next((i for i in range(len(units)) if size < 10 ** (9 + 3 * i)), len(units) - 1))
    scaled = size / 10 ** (6 + 3 * step)
    return f"{scaled:.1f} {units[step]}" if scaled < 10 else f"{scaled:,.0f} {units[step]}"

"""What a run was computed with: the same bits come only from the same torch, threads and machine."""

import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import torch

from regard.training.processes import Processes

MOST = 100  # how often a run may move, and all of it is remembered
LONGEST = 200  # signs of a name


@dataclass(frozen=True)
class Computed:
    """What the updates from one on were made with. It names no person and no machine."""

    update: int
    torch: str
    threads: int
    processes: int
    machine: str

    @property
    def parts(self) -> dict[str, str]:
        return {
            "torch": f"torch {self.torch}",
            "threads": f"{self.threads} thread{'s' * (self.threads != 1)}",
            "processes": f"{self.processes} process{'es' * (self.processes != 1)}",
            "machine": self.machine,
        }


def computed_here(update: int, processes: Processes) -> Computed:
    return Computed(
        update, str(torch.__version__), torch.get_num_threads(), processes.count, f"{_processor()}{_gpu(processes)}"
    )


def _processor() -> str:
    table = Path("/proc/cpuinfo")
    rows = table.read_text(errors="replace").splitlines() if table.is_file() else []
    named = next((row.partition(":")[2].strip() for row in rows if row.startswith("model name")), platform.machine())
    return f"{platform.system()}, {named}, {torch.backends.cpu.get_cpu_capability()}"[:LONGEST]


def _gpu(processes: Processes) -> str:
    return f", {torch.cuda.get_device_name(processes.device)}" if processes.device.type == "cuda" else ""


def remembered(data: Any) -> tuple[Computed, ...]:
    """What a checkpoint tells; nothing in runs of the first edition, or where it is not what we wrote."""
    kinds = {field.name: field.type for field in fields(Computed)}
    rows = data[-MOST:] if isinstance(data, list) else []
    sound = all(
        isinstance(row, dict)
        and set(row) == set(kinds)
        and all(type(row[name]) is kind and len(str(row[name])) <= 2 * LONGEST for name, kind in kinds.items())
        for row in rows
    )
    return tuple(Computed(**row) for row in rows) if sound else ()


def continued(before: Sequence[Computed], now: Computed) -> tuple[tuple[Computed, ...], list[str]]:
    """All that a resumed run was computed with, and one line if it is not what it was.

    >>> one = Computed(0, "2.11.0", 2, 1, "Linux, a processor")
    >>> two = Computed(7, "2.13.0", 1, 1, "Linux, a processor")
    >>> continued([one], two)[1]
    ['until update 7 it was computed with torch 2.11.0, 2 threads, from here on with torch 2.13.0, 1 thread: ...']
    >>> continued([one], Computed(7, "2.11.0", 2, 1, "Linux, a processor")) == ((one,), [])
    True
    """
    before = [each for each in before if each.update < now.update]  # with the others nothing was computed
    if not before:
        return (now,), []
    last = before[-1]
    changed = [name for name in last.parts if last.parts[name] != now.parts[name]]
    if not changed:
        return tuple(before), []
    was, becomes = (", ".join(each.parts[name] for name in changed) for each in (last, now))
    told = f"until update {now.update:,} it was computed with {was}, from here on with {becomes}: "
    told += "the last bits of its numbers may differ from those of a run that was not moved"
    return (*before, now)[-MOST:], [told]


def data(computed: Sequence[Computed]) -> list[dict[str, Any]]:
    return [asdict(each) for each in computed]

"""Several processes that make one run: which of them this is, and the few things that they tell each other.

`torchrun` or `regard train --processes` starts them. On one machine they talk over the loopback interface only.
"""

import os
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import numpy as np
import torch
import torch.distributed as distributed
from torch.distributed.rendezvous import rendezvous

PATIENCE = timedelta(hours=1)  # the first may have much text to read while the others wait
INTERFACES = ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME")
LOOPBACKS = ("lo", "lo0")  # on Linux; on macOS and BSD
LOST = re.compile(
    r"connection (reset|closed|refused|was)( by peer)?|broken pipe|timed out|gloo|NCCL|socket", re.IGNORECASE
)
RUN = "regard"  # the name under which the processes of one machine meet

Told = TypeVar("Told")


class Lost(ValueError):
    """Another process of the run is gone, so this one cannot go on."""


@dataclass(frozen=True)
class Processes:
    """Which of several processes this is. One that was started by itself is the first of one.

    >>> ids = np.arange(10).reshape(5, 2)
    >>> Processes(rank=1, count=2).rows(ids).tolist()
    [[2, 3], [6, 7]]
    """

    rank: int = 0
    count: int = 1
    local: int = 0  # its number on this machine, and that of its GPU
    here: int = 1  # how many of them are on this machine

    @property
    def first(self) -> bool:
        return self.rank == 0

    @property
    def device(self) -> torch.device:
        if not torch.cuda.is_available():
            return torch.device("cpu")
        return torch.device("cuda", self.local) if self.count > 1 else torch.device("cuda")

    def rows(self, whole: np.ndarray) -> np.ndarray:
        """This process's rows of a batch; together the processes have every row once."""
        return whole if self.count == 1 else whole[self.rank :: self.count]

    def draw_anew(self, seed: int, update: int) -> None:
        """What is dropped at random: something else in each process, and the same when a run goes on."""
        if self.count > 1:
            torch.manual_seed(int(np.random.SeedSequence([seed, update, self.rank]).generate_state(1, np.uint64)[0]))

    def mean(self, number: torch.Tensor) -> torch.Tensor:
        """The mean over the processes, the same bits in each."""
        if self.count == 1:
            return number
        number = number.clone()
        distributed.all_reduce(number)
        return number / self.count

    def most(self, number: int) -> int:
        """The largest number that one of them says: all of them then do the same."""
        if self.count == 1:
            return number
        numbers = torch.tensor(number)
        distributed.all_reduce(numbers, distributed.ReduceOp.MAX)
        return int(numbers)

    def told(self, value: Told) -> Told:
        """What the first one says; each waits until it has said it."""
        if self.count == 1:
            return value
        said = [value]
        distributed.broadcast_object_list(said, src=0)
        return said[0]

    def first_does(self, work: Callable[[], Told]) -> Told | None:
        """The first one works while the others wait; if it fails it says why, and the others leave quietly."""
        result, failed = None, None
        if self.first:
            try:
                result = work()
            except Exception as error:
                failed = error
        if self.told(failed is not None) and failed is None:
            raise SystemExit(2)
        if failed is not None:
            raise failed
        return result

    def each_does(self, work: Callable[[], Told]) -> Told:
        """All of them work; if some fail, the first of those says why, and the others leave quietly."""
        result, failed = None, None
        try:
            result = work()
        except Exception as error:
            failed = error
        worst = self.most(0 if failed is None else self.count - self.rank)
        if failed is not None and worst == self.count - self.rank:
            raise failed
        if worst:
            raise SystemExit(2)
        return result  # pyright: ignore[reportReturnType]

    def agreed(self, work: Callable[[], Told]) -> Told:
        """What the first one finds, in all of them."""
        return self.told(self.first_does(work))  # pyright: ignore[reportReturnType]


ALONE = Processes()


def found() -> Processes:
    """Which process this is, as torchrun says it in the environment."""
    if "RANK" not in os.environ or int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return ALONE
    rank, count = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    local, here = int(os.environ.get("LOCAL_RANK", "0")), int(os.environ.get("LOCAL_WORLD_SIZE", count))
    return Processes(rank, count, local, here)


@contextmanager
def joined() -> Iterator[Processes]:
    """The processes of this run, connected for as long as it goes. One process alone connects to nobody."""
    here = found()
    if here.count == 1:
        yield here
        return
    if os.environ.get("LOCAL_WORLD_SIZE") == os.environ["WORLD_SIZE"]:  # one machine: nobody else can connect
        for variable in INTERFACES:
            os.environ.setdefault(variable, loopback([name for _, name in socket.if_nameindex()]))
    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if gpus and here.local >= gpus:
        raise ValueError(f"process {here.local} has no GPU of its own, this machine has {gpus}; start at most {gpus}")
    if gpus:
        torch.cuda.set_device(here.local)
    try:
        # torchrun keeps its store when it starts processes anew, and in it the addresses of those that are gone
        store, rank, count = next(rendezvous("env://", timeout=PATIENCE))
        own = distributed.PrefixStore(f"start {restarts()}", store)  # pyright: ignore[reportPrivateImportUsage]
        backend = "cpu:gloo,cuda:nccl" if gpus else "gloo"
        distributed.init_process_group(backend, store=own, rank=rank, world_size=count, timeout=PATIENCE)
        yield here
        here.told(None)  # whoever leaves first would look lost to the others
        distributed.destroy_process_group()
    except RuntimeError as error:
        if not (cause := LOST.search(str(error))):
            raise
        raise Lost(f"process {here.rank} of {here.count} has lost the others ({cause[0].lower()})") from error


def restarts() -> int:
    """How often torchrun has started the processes anew, after one of them was lost."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"))


def launched_here() -> bool:
    """Whether `regard train --processes` started this process, and will say how it ended."""
    return os.environ.get("TORCHELASTIC_RUN_ID") == RUN


def loopback(interfaces: Sequence[str]) -> str:
    """Which interface of a machine reaches itself alone: the system is asked, since /sys may not be mounted.

    >>> loopback(["lo", "eth0"]), loopback(["en0", "lo0"])
    ('lo', 'lo0')
    """
    found = [name for name in LOOPBACKS if name in interfaces]
    if not found:
        raise ValueError(
            f"several processes talk over the loopback interface, {' or '.join(LOOPBACKS)}, and there is only "
            f"{', '.join(interfaces) or 'nothing'}; bring it up, or name another one in {INTERFACES[0]}"
        )
    return found[0]

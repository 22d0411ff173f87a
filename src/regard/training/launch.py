"""Start a run's processes on this machine with PyTorch's own launcher, listening on the loopback interface only.

`torchrun` by itself opens its store on every address of the machine; handed a socket that is bound to 127.0.0.1 the
store stays there. Everything else (watching the processes, passing signals on, starting them anew) is the launcher's.
"""

import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence

from torch.distributed import PrefixStore, TCPStore  # pyright: ignore[reportPrivateImportUsage]
from torch.distributed.elastic.multiprocessing.api import DefaultLogsSpecs, SignalException
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.elastic.rendezvous import RendezvousInfo, RendezvousParameters, RendezvousStoreInfo
from torch.distributed.elastic.rendezvous import rendezvous_handler_registry as ways_to_meet
from torch.distributed.elastic.rendezvous.static_tcp_rendezvous import StaticTCPRendezvous
from torch.distributed.launcher.api import LaunchConfig, launch_agent

from regard.training.processes import RUN

HERE = "127.0.0.1"


class Loopback(StaticTCPRendezvous):
    """Where the processes of one machine meet."""

    def __init__(self, parameters: RendezvousParameters):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.bind((HERE, 0))
        listening.listen()
        port = listening.getsockname()[1]
        super().__init__(HERE, port, rank=0, world_size=1, run_id=parameters.run_id, timeout=600)
        self.store = TCPStore(HERE, port, is_master=True, master_listen_fd=listening.detach())

    def get_backend(self) -> str:
        return "loopback"

    def next_rendezvous(self) -> RendezvousInfo:
        meeting = RendezvousStoreInfo(HERE, self.master_port)
        return RendezvousInfo(PrefixStore(self.run_id, self.store), self.rank, self.world_size, meeting)


def launch(arguments: Sequence[str], processes: int, restarts: int = 0) -> int:
    """Run `regard` with these arguments in several processes, and give the exit code of the run."""
    if "loopback" not in ways_to_meet._registry:
        ways_to_meet.register("loopback", Loopback)
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // processes)))
    config = LaunchConfig(
        min_nodes=1, max_nodes=1, nproc_per_node=processes, run_id=RUN, rdzv_backend="loopback",
        max_restarts=restarts, monitor_interval=0.1, logs_specs=DefaultLogsSpecs(),
    )  # fmt: skip
    logging.disable()  # of what goes wrong we tell, in one line
    try:
        launch_agent(config, sys.executable, ["-m", "regard", *arguments])
    except SignalException as stopped:  # it was passed on to the processes, and they have saved
        return 128 + stopped.sigval
    except ChildFailedError as failed:
        code = next(iter(failed.failures.values())).exitcode
        if code < 0:
            raise ValueError(f"a process was ended by {signal.Signals(-code).name}; {ADVICE}") from None
        return code
    finally:
        logging.disable(logging.NOTSET)
    return 0


ADVICE = "what was saved before is good, and --resume continues from there"

"""Whether other machines could connect to a run: on which addresses its meeting point listens (Linux)."""

import os
from pathlib import Path

from regard.training.processes import Processes

LOOPBACK = ("0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F")  # as /proc writes them
LISTENS = "0A"


def addresses(port: int, tables: tuple[Path, ...] = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))) -> list[str]:
    """The addresses on which somebody here listens at a port, in the system's own way of writing them."""
    found = []
    for table in tables:
        rows = table.read_text().splitlines()[1:] if table.exists() else []
        for _, here, _, state, *_ in map(str.split, rows):
            address, _, where = here.rpartition(":")
            if state == LISTENS and int(where, 16) == port:
                found.append(address)
    return found


def warning(processes: Processes) -> list[str]:
    """One line, if this machine's processes were started in a way that lets other machines connect to them."""
    port = os.environ.get("MASTER_PORT", "")
    one_machine = os.environ.get("LOCAL_WORLD_SIZE") == os.environ.get("WORLD_SIZE")
    if processes.count == 1 or not one_machine or not port.isdigit():
        return []
    if all(address in LOOPBACK for address in addresses(int(port))):
        return []
    return [
        f"torchrun listens on every address of this machine, at port {port}; "
        f"regard train --processes {processes.count} listens on 127.0.0.1 only"
    ]

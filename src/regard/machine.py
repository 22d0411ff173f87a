"""What there is to compute with: versions and devices. Works without torch."""

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("numpy", "tokenizers", "safetensors", "torch", "triton", "transformers")
HALF_PRECISION = "import torch; x = torch.ones(300, 300, dtype=torch.bfloat16); print(float((x @ x)[0, 0]))"


@dataclass(frozen=True)
class Device:
    """Something to compute on: `name` is torch's, `about` is for people."""

    name: str
    about: str


@dataclass(frozen=True)
class Machine:
    """Versions by package (None: not installed), devices, and what does not work."""

    versions: dict[str, str | None]
    devices: list[Device]
    trouble: str | None  # why there is no torch
    half_precision: str | None  # why it cannot be used on the CPU; None if it can


def machine() -> Machine:
    """Look around. Takes seconds where torch is installed."""
    versions = {"regard": _version("regard"), "python": platform.python_version()} | {p: _version(p) for p in PACKAGES}
    cores = os.cpu_count() or 1
    cpu = f"{platform.machine()}, {cores} core{'s' * (cores > 1)}"
    try:
        devices = _devices(cpu)
    except ImportError as error:
        trouble = f"torch cannot be imported: {error}"
        if versions["torch"] is None:
            trouble = "the others need torch: pip install 'regard[train]'"
        return Machine(versions, [Device("cpu", cpu)], trouble, None)
    return Machine(versions, devices, None, _half_precision())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _devices(cpu: str) -> list[Device]:
    """The CPU, and the accelerators that torch sees."""
    import torch

    threads = torch.get_num_threads()
    found = [Device("cpu", f"{cpu}, {torch.backends.cpu.get_cpu_capability()}, {threads} thread{'s' * (threads > 1)}")]
    for i in range(torch.cuda.device_count()):
        about = torch.cuda.get_device_properties(i)
        found.append(Device(f"cuda:{i}", f"{about.name}, {about.total_memory / 2**30:.0f} GiB"))
    if torch.backends.mps.is_available():
        found.append(Device("mps", "Apple's GPU"))
    return found


def _half_precision() -> str | None:
    """Why half precision cannot be used on the CPU; None if it can. Tried in a separate process, since it may crash."""
    ran = subprocess.run([sys.executable, "-c", HALF_PRECISION], capture_output=True, text=True, timeout=120)
    if ran.returncode < 0:
        return "kills the process; ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16 in the environment may help"
    return None if ran.stdout.strip() == "300.0" else "gives a wrong product"

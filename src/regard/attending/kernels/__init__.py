"""Ways to compute attention, fastest first. A new one is a module with a `KERNEL`, named here.

A module imports even without what its kernel needs (a device, a compiler); the kernel then objects, in words.
"""

from importlib import import_module

from regard.attending.kernels.kernel import Answer, Asked, Kernel

NAMES = ("sdpa", "fused", "blockwise", "plain")
KERNELS: tuple[Kernel, ...] = tuple(import_module(f"{__name__}.{name}").KERNEL for name in NAMES)

__all__ = ["KERNELS", "Answer", "Asked", "Kernel"]

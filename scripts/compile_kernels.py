"""Compiles the look kernels for an H200 where there is none: a kernel that the interpreter runs may still not compile.

    python scripts/compile_kernels.py                        width 64 in bfloat16, every kind of mask
    python scripts/compile_kernels.py 72 float32 gaps cap    another width and precision, these kinds

With another version of Triton: `pip install --no-deps --target FOLDER triton==3.6.0`, then PYTHONPATH=FOLDER.
"""

import argparse
from typing import Any

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import driver

from regard.attending.bias import ByDistance
from regard.attending.kernels import look_kernel, single_weights_kernel, top_kernel
from regard.attending.kernels.looking import at, heads_of, look, weights

KERNELS = (
    *(getattr(look_kernel, name) for name in ("_look", "_gather")),
    *(getattr(single_weights_kernel, name) for name in ("_tile", "_refine", "_at")),
    *(getattr(top_kernel, name) for name in ("_candidates", "_weigh", "_select", "_walk")),
)
QUERIES, KEYS, HEADS = 45, 61, 4
KINDS: dict[str, Any] = {
    "full": {},
    "gaps": {"visible": torch.ones(1, 1, QUERIES, KEYS, dtype=torch.bool).triu().tril(20)},
    "matrix": {"bias": torch.zeros(1, HEADS, QUERIES, KEYS)},
    "distance": {"bias": ByDistance(torch.zeros(HEADS, 7))},
    "cap": {"cap": 2.0},
}


class Elsewhere:
    """A GPU that is not here, as far as compiling asks about it."""

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, *_: object) -> int:
        return 0

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", 90, 32)

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("width", type=int, nargs="?", default=64)
    parser.add_argument("dtype", choices=("bfloat16", "float16", "float32"), nargs="?", default="bfloat16")
    parser.add_argument("kinds", metavar="kind", nargs="*", default=list(KINDS), help=", ".join(KINDS))
    given = parser.parse_args()
    driver.set_active(Elsewhere())
    compiled: list[str] = []
    for kernel in KERNELS:
        kernel.run = only_compiled(kernel, compiled)
    for kind in given.kinds:
        compiled.clear()
        for lse in (None, torch.zeros(1, HEADS, QUERIES)):
            look_in_every_way(kind, given.width, getattr(torch, given.dtype), lse)
        print(f"{kind}: {len(compiled)} kernels of Triton {triton.__version__} compiled", flush=True)


def only_compiled(kernel: Any, compiled: list[str]) -> Any:
    run = kernel.run

    def compile_only(*arguments: Any, **named: Any) -> None:
        run(*arguments, **(named | {"warmup": True}))
        compiled.append(kernel.__name__)

    return compile_only


def look_in_every_way(kind: str, width: int, dtype: torch.dtype, lse: torch.Tensor | None) -> None:
    q, k = (torch.zeros(1, n, heads, width, dtype=dtype).transpose(1, 2) for n, heads in ((QUERIES, HEADS), (KEYS, 2)))
    heads = heads_of(q, k, lse, scale=0.1, **KINDS[kind])
    look(heads, ("received", "entropy", "mean_distance", "largest", "given"), 7, 5)
    look(heads, (), top=8)
    weights(heads)
    at(heads, (1,), back=True)


if __name__ == "__main__":
    main()

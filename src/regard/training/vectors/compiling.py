"""Functions over arrays, compiled by Numba when first called and kept on disk; threads run them side by side."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

Function = TypeVar("Function", bound=Callable[..., object])

if TYPE_CHECKING:

    def compiled(function: Function) -> Function: ...

else:
    try:
        import numba
    except ImportError:
        raise ValueError("training word vectors needs numba; install it with: pip install 'regard[vectors]'") from None

    compiled = numba.njit(nogil=True, fastmath=True, cache=True, error_model="numpy")

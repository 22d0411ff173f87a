"""Where the random generators stand, so that a run that goes on draws what it would have drawn."""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from regard.training.tensors import Tensors


def random_state() -> tuple[Tensors, dict[str, Any]]:
    """Where the random generators of torch (CPU and CUDA), NumPy and Python stand: tensors, and plain data for JSON.

    >>> tensors, plain = random_state()
    >>> first = random.random(), torch.rand(()).item(), np.random.random()
    >>> restore_random_state(tensors, plain)
    ()
    >>> first == (random.random(), torch.rand(()).item(), np.random.random())
    True
    """
    version, words, python_gauss = random.getstate()
    numpy: dict[str, Any] = dict(np.random.get_state(legacy=False))
    if numpy["bit_generator"] != "MT19937":
        raise ValueError(f"NumPy's global generator is {numpy['bit_generator']}; only MT19937, its usual one, is kept")
    tensors = {
        "random.torch": torch.get_rng_state(),
        "random.numpy": torch.tensor(numpy["state"]["key"].astype(np.int64)),
        "random.python": torch.tensor(words, dtype=torch.int64),
    }
    # a GPU that was never used has drawn nothing, and asking would start it
    for i in range(torch.cuda.device_count() if torch.cuda.is_initialized() else 0):
        tensors[f"random.cuda.{i}"] = torch.cuda.get_rng_state(i)
    plain = {
        "numpy": {key: numpy[key] for key in ("has_gauss", "gauss")} | {"position": int(numpy["state"]["pos"])},
        "python": {"version": version, "gauss": python_gauss},
    }
    return tensors, plain


def restore_random_state(tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> tuple[str, ...]:
    """Put the generators back where `random_state` found them. Other tensors may be among these.

    Returns one line for each GPU whose state finds no GPU here; then the run goes on, but not bit for bit. A state that
    does not fit is refused with a ValueError, and nothing has changed.
    """
    before = random_state()
    try:
        return _set_random_state(tensors, plain)
    except (KeyError, TypeError, ValueError, RuntimeError, OverflowError, AttributeError) as error:
        _set_random_state(*before)
        raise ValueError(
            f"not a state of random generators ({type(error).__name__}: {error}); give what random_state returned"
        ) from error


def _set_random_state(tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> tuple[str, ...]:
    key, words = tensors["random.numpy"].numpy(), tensors["random.python"].tolist()
    numpy, python = plain["numpy"], plain["python"]
    # NumPy believes the position, and would read outside its key
    if (
        key.shape != (624,)
        or key.dtype != np.int64
        or not ((key >= 0) & (key < 2**32)).all()
        or not 0 <= numpy["position"] <= 624
    ):
        raise ValueError("NumPy's key or position is out of bounds")
    random.setstate((python["version"], tuple(words), python["gauss"]))
    inner = {"key": key.astype(np.uint32), "pos": numpy["position"]}
    np.random.set_state(
        {"bit_generator": "MT19937", "state": inner, "has_gauss": numpy["has_gauss"], "gauss": numpy["gauss"]}
    )
    torch.set_rng_state(tensors["random.torch"])
    kept = {name: tensor for name, tensor in tensors.items() if name.startswith("random.cuda.")}
    gpus = torch.cuda.device_count()
    for i in range(gpus):
        if (name := f"random.cuda.{i}") in kept:
            torch.cuda.set_rng_state(kept.pop(name), i)
    return tuple(f"{name}: this machine has {gpus} CUDA devices" for name in sorted(kept))

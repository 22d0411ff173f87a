"""Do the kernels compute attention here? Each that does not object is run and compared with the definition."""

import math
from collections.abc import Sequence
from typing import Any

import torch

from regard.attending.bias import ByDistance
from regard.attending.checkup import Checked, ratio
from regard.attending.door import ask
from regard.attending.kernels import KERNELS, Asked, Kernel
from regard.attending.masks import causal, first, within

BATCH, HEADS, TOKENS, WIDTH, REACH = 2, 3, 131, 32, 7
HALF = torch.bfloat16


def checkup(devices: Sequence[str], kernels: Sequence[Kernel] = KERNELS) -> list[Checked]:
    """Every kernel on every device: in single precision, and on accelerators in half precision too.

    >>> [found.kernel for found in checkup(["cpu"]) if found.objection is None and found.is_right]
    ['sdpa', 'fused', 'blockwise', 'plain']
    """
    found = []
    for device in devices:
        for dtype in (torch.float32,) if device == "cpu" else (HALF, torch.float32):
            found += [_check(kernel, device, dtype) for kernel in kernels]
    return found


def _check(kernel: Kernel, device: str, dtype: torch.dtype) -> Checked:
    named = (kernel.name, kernel.about, device, str(dtype).removeprefix("torch."))
    worst: dict[str, float] = {}
    for asked in _cases(device, dtype):
        objection = kernel.objection(asked)
        if objection is not None:
            return Checked(*named, objection)
        for name, error in _errors(kernel, asked).items():
            worst[name] = max(error, worst.get(name, 0.0))
    return Checked(*named, None, **worst)


def _cases(device: str, dtype: torch.dtype) -> list[Asked]:
    """Causal; grouped heads; a window, padding that leaves rows with nothing to see, and a bias by distance."""
    chance = torch.Generator().manual_seed(1)

    def numbers(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=chance).to(device, dtype)

    cases = []
    for heads, visible, bias in (
        (HEADS, causal, None),
        (1, None, None),
        (HEADS, within(50) & first(97), ByDistance(numbers(HEADS, REACH))),
    ):
        k, v = numbers(2, BATCH, heads, TOKENS, WIDTH)
        cases.append(ask(numbers(BATCH, HEADS, TOKENS, WIDTH), k, v, visible, bias=bias))
    return cases


def _errors(kernel: Kernel, asked: Asked) -> dict[str, float]:
    exact, plainly = _by_definition(asked, torch.float64), _by_definition(asked, asked.q.dtype)
    inputs = [x.clone().requires_grad_() for x in (asked.q, asked.k, asked.v)]
    context = kernel.run(_again(asked, *inputs)).context
    context.backward(_blame(context))
    found = {"context": context, **dict(zip("qkv", (x.grad for x in inputs)))}
    with_lse = _again(asked, asked.q, asked.k, asked.v, also=("lse",))
    if kernel.objection(with_lse) is None:
        found["lse"] = kernel.run(with_lse).lse
    errors = {name: _error(x, plainly[name], exact[name]) for name, x in found.items()}
    gradients = max(errors.pop(name) for name in "qkv")
    return errors | {"gradients": gradients}


def _again(asked: Asked, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, **more: Any) -> Asked:
    return ask(q, k, v, asked.visible, asked.scale, asked.bias, **more)


def _error(found: torch.Tensor | None, plainly: torch.Tensor, exact: torch.Tensor) -> float:
    hidden = exact == -math.inf  # the log-sum-exp of a row that sees nothing
    if found is None or not torch.equal(found == -math.inf, hidden):
        return math.inf
    errors = [(x.detach().double() - exact).masked_fill(hidden, 0.0).norm() for x in (found, plainly)]
    return ratio(float(errors[0]), float(errors[1]), float(exact.masked_fill(hidden, 0.0).norm()))


def _by_definition(asked: Asked, dtype: torch.dtype) -> dict[str, Any]:
    """Context, log-sum-exp and the gradients of q, k and v, by the formula, in one precision."""
    q, k, v = (x.detach().to(dtype).requires_grad_() for x in (asked.q, asked.k, asked.v))
    shared = q.shape[1] // k.shape[1]
    scores = q @ k.repeat_interleave(shared, 1).mT * asked.scale
    added, allowed = asked.added(), asked.allowed()
    scores = scores if added is None else scores + added.detach().to(dtype)
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    peak = scores.detach().amax(-1, keepdim=True)
    exps = (scores - peak.masked_fill(peak == -math.inf, 0.0)).exp()
    total = exps.sum(-1, keepdim=True)
    context = exps / total.clamp(min=1e-30) @ v.repeat_interleave(shared, 1)
    context.backward(_blame(context))
    lse = torch.where(total > 0, peak + total.log(), -math.inf)[..., 0]
    return {"context": context.detach(), "lse": lse.detach(), "q": q.grad, "k": k.grad, "v": v.grad}


def _blame(context: torch.Tensor) -> torch.Tensor:
    """A gradient to begin with: uneven, and the same for all."""
    return torch.arange(context.numel(), device=context.device).sin().reshape(context.shape).to(context.dtype)

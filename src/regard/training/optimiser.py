"""How parameters follow their gradients: AdamW for all, or Muon for the matrices inside the blocks.

Muon (Jordan et al. 2024) takes the momentum of a matrix and replaces it by the nearest orthogonal matrix, found by a
few Newton-Schulz iterations, so that all directions learn at one speed. Embeddings, gains and biases stay with AdamW.
"""

from collections.abc import Iterable, Mapping

import torch

from regard.training.placement import split_like, whole
from regard.training.settings import TrainingSettings

MATRICES = ("W_Q", "W_K", "W_V", "W_O", "W_up", "W_gate", "W_down")
COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # of the iteration: steep at zero, flat around one


def optimisers(parameters: Mapping[str, torch.nn.Parameter], settings: TrainingSettings) -> list[torch.optim.Optimizer]:
    """One or two optimisers that together hold every parameter once. Only matrices decay."""
    inside = {n: p for n, p in parameters.items() if n.rpartition(".")[2] in MATRICES}
    outside = {n: p for n, p in parameters.items() if n not in inside}
    decays = [p for n, p in outside.items() if p.dim() >= 2]
    stays = [p for n, p in outside.items() if p.dim() < 2]
    found: list[torch.optim.Optimizer] = []
    if settings.optimiser == "muon":
        found.append(Muon(inside.values(), settings.matrix_rate, settings.weight_decay))
    else:
        decays += inside.values()
    groups = [{"params": decays, "weight_decay": settings.weight_decay}, {"params": stays, "weight_decay": 0.0}]
    adam = torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.95), eps=1e-8, fused=True)
    found.append(adam)
    for optimiser in found:
        for group in optimiser.param_groups:
            group["highest_rate"] = group["lr"]
    return found


class Muon(torch.optim.Optimizer):
    """Momentum, made orthogonal. Parameters of three axes are matrices side by side: (heads, width, head width)."""

    def __init__(
        self, parameters: Iterable[torch.nn.Parameter], rate: float, weight_decay: float = 0.0, momentum: float = 0.95
    ):
        super().__init__(list(parameters), {"lr": rate, "weight_decay": weight_decay, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        for group in self.param_groups:
            alike: dict[torch.Size, list[tuple[torch.nn.Parameter, torch.Tensor]]] = {}
            for p in group["params"]:
                if p.grad is None:
                    continue
                momentum = self.state[p].setdefault("momentum", torch.zeros_like(p))
                momentum.lerp_(p.grad, 1 - group["momentum"])
                flat = as_matrix(whole(p.grad.lerp(momentum, group["momentum"])))
                alike.setdefault(flat.shape, []).append((p, flat))
            for shape, pairs in alike.items():  # matrices of one shape are made orthogonal together
                turned = orthogonal(torch.stack([flat for _, flat in pairs]))
                size = max(1.0, shape[0] / shape[1]) ** 0.5
                for (p, _), matrix in zip(pairs, turned):
                    p.mul_(1 - group["lr"] * group["weight_decay"])
                    p.add_(split_like(p, like_parameter(matrix, p)), alpha=-group["lr"] * size)


def as_matrix(x: torch.Tensor) -> torch.Tensor:
    """(in, out), whichever way the heads lie: (heads, width, head width) or (heads, head width, width)."""
    if x.dim() == 2:
        return x
    heads, rows, columns = x.shape
    return x.transpose(0, 1).reshape(rows, heads * columns) if rows >= columns else x.reshape(heads * rows, columns)


def like_parameter(matrix: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    """The reverse of `as_matrix`."""
    if p.dim() == 2:
        return matrix.to(p.dtype)
    heads, rows, columns = p.shape
    if rows >= columns:
        return matrix.view(rows, heads, columns).transpose(0, 1).to(p.dtype)
    return matrix.view(heads, rows, columns).to(p.dtype)


def orthogonal(matrix: torch.Tensor, iterations: int = 5) -> torch.Tensor:
    """Nearly the orthogonal matrix nearest to this one (or to each of several): its singular values pushed towards 1.

    >>> values = torch.linalg.svdvals(orthogonal(torch.randn(8, 5, generator=torch.Generator().manual_seed(0))).float())
    >>> bool((values > 0.5).all() and (values < 1.5).all())
    True
    """
    a, b, c = COEFFICIENTS
    x = matrix.bfloat16() if matrix.is_cuda else matrix.float()
    tall = x.shape[-2] > x.shape[-1]
    x = x.mT if tall else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(iterations):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x.mT if tall else x

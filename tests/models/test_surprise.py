"""The mean surprise and its gradients in one go: as the definition says, as torch says, and as the kernel says."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from regard.models.surprise import mean_surprise

TEXTS, TOKENS, WIDTH, WORDS = 2, 5, 3, 7


def some(kind=torch.float64):
    generator = torch.Generator().manual_seed(1)
    x, table, bias = (
        torch.randn(shape, generator=generator, dtype=kind, requires_grad=True)
        for shape in ((TEXTS, TOKENS, WIDTH), (WORDS, WIDTH), (WORDS,))
    )
    targets = torch.randint(0, WORDS, (TEXTS, TOKENS), generator=generator)
    targets[1, 2] = -1
    return x, table, bias, targets


def by_definition(x, table, bias, targets):
    total = 0.0
    for text, token in np.ndindex(TEXTS, TOKENS):
        scores = [float(x[text, token] @ table[word] + bias[word]) for word in range(WORDS)]
        if (target := int(targets[text, token])) >= 0:
            total -= np.log(np.exp(scores[target]) / sum(np.exp(scores)))
    return total / (TEXTS * TOKENS)


def test_it_is_the_mean_of_minus_the_logarithm():
    inputs = some()
    assert abs(float(mean_surprise(*inputs).detach()) - by_definition(*(t.detach() for t in inputs))) < 1e-12


@pytest.mark.parametrize("kind, most", [(torch.float64, 1e-12), (torch.float32, 1e-5)], ids=str)
@pytest.mark.parametrize("biased", [True, False])
def test_its_gradients_are_those_of_torch(kind, most, biased):
    x, table, bias, targets = some(kind)
    inputs = [x, table, bias] if biased else [x, table]
    plain = F.cross_entropy(
        F.linear(x, table, bias if biased else None).flatten(0, 1), targets.flatten(), ignore_index=-1, reduction="none"
    ).mean()
    ours = mean_surprise(x, table, bias if biased else None, targets)
    expected, found = (torch.autograd.grad(3 * loss, inputs) for loss in (plain, ours))
    for a, b in zip(expected, found):
        assert a.dtype == b.dtype
        assert (a - b).abs().max() <= most * a.abs().max()


def test_in_short_precision_it_is_as_exact_as_torch():
    x, table, bias, targets = some(torch.float32)
    exact = torch.autograd.grad(mean_surprise(x, table, bias, targets), [x, table, bias])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        ours = mean_surprise(x, table, bias, targets)
        scores = F.linear(x, table, bias).flatten(0, 1)
        plain = F.cross_entropy(scores.float(), targets.flatten(), ignore_index=-1, reduction="none").mean()
    for e, a, b in zip(exact, *(torch.autograd.grad(loss, [x, table, bias]) for loss in (plain, ours))):
        assert b.dtype == torch.float32
        assert (b - e).norm() <= max(2 * (a - e).norm(), 1e-2 * e.norm())


KERNEL = """
import torch
from regard.models import surprise_kernel
from regard.models.surprise import of_rows

surprise_kernel.BLOCK = 32  # several to a row
generator = torch.Generator().manual_seed(2)
for kind, most in ((torch.float32, 1e-6), (torch.bfloat16, 1e-2)):
    for rows, length, words in ((5, 11, 7), (3, 64, 64), (7, 103, 97)):
        scores = (5 * torch.randn(rows, length, generator=generator)).to(kind)
        targets = torch.randint(0, words, (rows,), generator=generator)
        targets[1] = -1
        expected, found = (f(scores, targets, words, 0.25) for f in (of_rows, surprise_kernel.of_rows_fused))
        for a, b in zip(expected, found):
            assert a.dtype == b.dtype and a.shape == b.shape
            assert (a.float() - b.float()).abs().max() <= most * a.float().abs().max(), (kind, rows)
        assert not found[1][1].any() and not found[1][:, words:].any() and found[0][1] == 0
print("the same")
"""


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")
def test_the_kernel_says_the_same():
    """On a CPU, by Triton's interpreter, which must be asked for before Triton is loaded."""
    environment = {**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", KERNEL]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert result.stdout.strip() == "the same", result.stderr

"""regard.nn.MultiHeadAttention gives what torch's gives: outputs, weights and gradients, over all its arguments."""

import itertools
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from regard.nn import MultiHeadAttention

B, H, Q, K, C = 2, 3, 5, 7, 12
LIMITS = {torch.float64: 1e-12, torch.float32: 2e-6, torch.bfloat16: 0.03}
MASKS = ("none", "bool2", "bool3", "float2", "float3")
PADDINGS = ("none", "bool", "float")


def numbers(*shape: int, seed: int, dtype: torch.dtype) -> torch.Tensor:
    return torch.tensor(np.random.default_rng([seed, *shape]).normal(size=shape), dtype=dtype)


def mask_of(kind: str, batch: int, dtype: torch.dtype):
    if kind == "none":
        return None
    shape = (batch * H, Q, K) if kind[-1] == "3" else (Q, K)
    values = numbers(*shape, seed=5, dtype=dtype)
    if kind.startswith("float"):
        return values.masked_fill(values > 1.0, -math.inf)
    return (values > 0.3) & (torch.arange(K) > 0)  # the first key stays: torch knows no rows that see nothing


def padding_of(kind: str, batched: bool, dtype: torch.dtype):
    hidden = torch.arange(K) >= torch.tensor([6, 4])[:, None]
    mask = {"none": None, "bool": hidden, "float": torch.zeros(B, K, dtype=dtype).masked_fill(hidden, -math.inf)}[kind]
    return mask if mask is None or batched else mask[1]


def same(found, expected, limit: float) -> None:
    assert (found is None) == (expected is None)
    if found is not None:
        assert found.shape == expected.shape and found.dtype == expected.dtype
        found, expected = found.detach(), expected.detach()
        assert float((found - expected).abs().max()) <= limit * max(1.0, float(expected.abs().max()))


def compare(dtype, batched, batch_first, bias, kv, zero, widths, mask, padding, weights) -> None:
    """One combination of arguments: both layers from the same seed, then the same inputs."""
    made = {"bias": bias, "add_bias_kv": kv, "add_zero_attn": zero, "kdim": widths[0], "vdim": widths[1]}
    made |= {"batch_first": batch_first, "dtype": dtype}
    torch.manual_seed(7)
    theirs = nn.MultiheadAttention(C, H, **made)
    torch.manual_seed(7)
    ours = MultiHeadAttention(C, H, **made)
    for (name, one), (other_name, other) in zip(ours.state_dict().items(), theirs.state_dict().items()):
        assert name == other_name and torch.equal(one, other)
    with torch.no_grad():  # biases too: a zero would hide a lost term
        for n, p in enumerate(theirs.parameters()):
            p.copy_(numbers(*p.shape, seed=n, dtype=dtype) / 3)
    assert ours.load_state_dict(theirs.state_dict(), strict=True)
    shapes = [(Q, C), (K, widths[0] or C), (K, widths[1] or C)]
    if batched:
        shapes = [(B, n, c) if batch_first else (n, B, c) for n, c in shapes]
    options = {"attn_mask": mask_of(mask, B if batched else 1, dtype)} | weights
    options["key_padding_mask"] = padding_of(padding, batched, dtype)
    results = []
    for layer in (theirs, ours):
        inputs = [numbers(*shape, seed=20 + n, dtype=dtype).requires_grad_() for n, shape in enumerate(shapes)]
        output, shares = layer(*inputs, **options)
        loss = (output * numbers(*output.shape, seed=31, dtype=dtype)).sum()
        if shares is not None:
            loss = loss + (shares * numbers(*shares.shape, seed=32, dtype=dtype)).sum()
        loss.backward()
        results.append((output, shares, *(x.grad for x in inputs), *(p.grad for p in layer.parameters())))
    for expected, found in zip(*results):
        same(found, expected, LIMITS[dtype])


WEIGHTS = ({"need_weights": False}, {"need_weights": True}, {"need_weights": True, "average_attn_weights": False})
LAYERS = list(itertools.product([True, False], [False, True], [False, True], [(None, None), (11, 13)]))


@pytest.mark.filterwarnings("ignore:Support for mismatched:UserWarning")
@pytest.mark.parametrize("weights", WEIGHTS, ids=["output", "averaged", "every head"])
@pytest.mark.parametrize("batched, batch_first", [(True, True), (True, False), (False, False)])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_every_combination_equals_torch(dtype, batched, batch_first, weights):
    for (bias, kv, zero, widths), mask, padding in itertools.product(LAYERS, MASKS, PADDINGS):
        compare(dtype, batched, batch_first, bias, kv, zero, widths, mask, padding, weights)


def half_precision() -> None:
    for weights, (bias, kv, zero, widths), mask in itertools.product(WEIGHTS, LAYERS, ("none", "bool2", "float3")):
        compare(torch.bfloat16, True, True, bias, kv, zero, widths, mask, "none", weights)


def test_half_precision_equals_torch():
    """In a process of its own: some CPUs die of half-precision products unless told which instructions to use."""
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import test_nn; test_nn.half_precision()"
    environment = os.environ | {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16"}
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}; print('all')"], capture_output=True, text=True, env=environment, timeout=300
    )
    assert ran.stdout.strip() == "all", ran.stderr


@pytest.mark.parametrize("need_weights", [True, False])
def test_the_causal_hint_equals_torch_and_needs_no_mask(need_weights):
    torch.manual_seed(1)
    ours, x = MultiHeadAttention(C, H, batch_first=True), numbers(B, K, C, seed=1, dtype=torch.float32)
    theirs = nn.MultiheadAttention(C, H, batch_first=True)
    theirs.load_state_dict(ours.state_dict())
    mask = torch.ones(K, K, dtype=torch.bool).triu(1)
    options = {"need_weights": need_weights, "is_causal": True}
    expected = theirs(x, x, x, attn_mask=mask, **options)
    for found in (ours(x, x, x, attn_mask=mask, **options), ours(x, x, x, **options)):
        same(found[0], expected[0], 2e-6)
        same(found[1], expected[1], 2e-6)
    # with keys of the layer's own, with padding, and with other numbers of queries: as with the mask
    own = MultiHeadAttention(C, H, batch_first=True, add_bias_kv=True, add_zero_attn=True)
    padded = torch.arange(K) >= torch.tensor([[6], [5]])
    for tokens, padding in itertools.product((K, Q), (None, padded)):
        mask = torch.ones(tokens, K, dtype=torch.bool).triu(1)
        with_mask = own(x[:, :tokens], x, x, padding, need_weights, mask)
        without = own(x[:, :tokens], x, x, padding, need_weights, is_causal=True)
        same(without[0], with_mask[0], 2e-6)
        same(without[1], with_mask[1], 2e-6)


def test_dropout_is_torchs_with_the_same_seed():
    ours, x = MultiHeadAttention(C, H, dropout=0.5, batch_first=True), numbers(B, K, C, seed=1, dtype=torch.float32)
    theirs = nn.MultiheadAttention(C, H, dropout=0.5, batch_first=True)
    theirs.load_state_dict(ours.state_dict())
    for need_weights in (True, False):
        results = []
        for layer in (theirs, ours):
            torch.manual_seed(3)
            results.append(layer(x, x, x, need_weights=need_weights))
        same(results[1][0], results[0][0], 2e-6)
        same(results[1][1], results[0][1], 2e-6)
    ours.eval()
    assert torch.equal(ours(x, x, x)[0], ours(x, x, x)[0])


@pytest.mark.parametrize("need_weights", [True, False])
def test_queries_that_see_nothing_read_zeros_where_torch_gives_nan(need_weights):
    ours = MultiHeadAttention(C, H, batch_first=True)
    x = numbers(B, K, C, seed=1, dtype=torch.float32).requires_grad_()
    hidden = torch.zeros(K, K, dtype=torch.bool)
    hidden[2] = True
    for mask in (hidden, torch.zeros(K, K).masked_fill(hidden, -math.inf)):
        output, weights = ours(x, x, x, attn_mask=mask, need_weights=need_weights)
        assert torch.equal(output[:, 2], ours.out_proj.bias.expand(B, C))  # what W_O makes of nothing
        assert output.isfinite().all()
        if weights is not None:
            assert not weights[:, 2].any()
        output.sum().backward()
        assert x.grad is not None and x.grad.isfinite().all()
    assert ours.look(x, x, attn_mask=hidden).entropy()[:, :, 2].tolist() == [[0.0] * H] * B


@pytest.mark.parametrize("kv", [False, True])
@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize("mask", MASKS)
def test_looking_gives_the_weights_of_every_head(mask, padding, kv, zero):
    layer = MultiHeadAttention(C, H, batch_first=True, add_bias_kv=kv, add_zero_attn=zero, dtype=torch.float64)
    query, key = numbers(B, Q, C, seed=1, dtype=torch.float64), numbers(B, K, C, seed=2, dtype=torch.float64)
    masks = (padding_of(padding, True, torch.float64), mask_of(mask, B, torch.float64))
    expected = layer(query, key, key, masks[0], True, masks[1], average_attn_weights=False)[1].detach().numpy()
    found = layer.look(query, key, *masks)
    np.testing.assert_allclose(found.dense(), expected, atol=1e-12)
    np.testing.assert_allclose(found[1, 2].received(), expected[1, 2].sum(0), atol=1e-12)


def test_looking_at_one_text():
    layer = MultiHeadAttention(C, H, dtype=torch.float64)
    x = numbers(K, C, seed=1, dtype=torch.float64)
    expected = layer(x, x, x, average_attn_weights=False, is_causal=True)[1].detach()
    np.testing.assert_allclose(layer.look(x, x, is_causal=True).dense(), expected, atol=1e-12)
    assert layer.look(x, x).shape == (H, K, K)


@pytest.mark.parametrize(
    "change, says",
    [
        ({"query": torch.ones(Q, B, C + 1)}, "query expects"),
        ({"value": torch.ones(K, C)}, "value expects"),
        ({"key_padding_mask": torch.ones(B, Q, dtype=torch.bool)}, "key_padding_mask expects the shape"),
        ({"attn_mask": torch.ones(K, Q, dtype=torch.bool)}, r"expects the shape \(5, 7\) or \(6, 5, 7\), got \(7, 5\)"),
        ({"attn_mask": torch.ones(Q, K, dtype=torch.int64)}, "True .hidden. and False"),
    ],
)
def test_what_does_not_fit_is_told(change, says):
    given = {"query": torch.ones(Q, B, C), "key": torch.ones(K, B, C), "value": torch.ones(K, B, C)} | change
    with pytest.raises(ValueError, match=says):
        MultiHeadAttention(C, H)(**given)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_the_layer_compiles_as_one_graph():
    layer, x = MultiHeadAttention(C, H, batch_first=True), numbers(B, K, C, seed=1, dtype=torch.float32)
    for options in ({"need_weights": False}, {"average_attn_weights": False}):
        torch.compiler.reset()
        compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
        for found, expected in zip(
            compiled(x, x, x, is_causal=True, **options), layer(x, x, x, is_causal=True, **options)
        ):
            same(found, expected, 2e-6)

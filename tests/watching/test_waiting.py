"""A watched model does not wait: nothing is asked of a GPU while it computes, and no layer is held up by another."""

from contextlib import nullcontext

import pytest
import torch
from tests.watching.families import FAMILIES, TOKENS, WORDS, text
from torch.utils._python_dispatch import TorchDispatchMode

import regard

CLOSE = 1e-5
BY_NAME = {family.name: family for family in FAMILIES}
ATEN = torch.ops.aten
# each gives a number to Python, or has a size that depends on numbers: a GPU has to finish first
WAITS = (ATEN._local_scalar_dense.default, ATEN.equal.default, ATEN.nonzero.default, ATEN.masked_select.default)


class Waits(TorchDispatchMode):
    """Every operator that waits, in its order, and each kernel of attention."""

    def __init__(self):
        super().__init__()
        self.found: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func in WAITS or "scaled_dot_product" in str(func):
            self.found.append("attention" if "scaled_dot_product" in str(func) else str(func))
        return func(*args, **(kwargs or {}))


def waits(model, watches: bool, **given):
    with regard.watch(model) if watches else nullcontext() as seen, Waits() as mode:
        model(text(), **given)
    return mode.found, seen


@pytest.fixture(scope="module")
def llama():
    return BY_NAME["Llama"].made()


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_a_causal_model_waits_no_more_often_than_it_does_alone(llama, mode):
    with mode():
        alone, _ = waits(llama, False)
        watched, seen = waits(llama, True)
    assert watched == alone and watched.count("attention") == 3
    assert seen.verify().worst <= CLOSE


@torch.no_grad()
def test_a_mask_is_read_in_the_first_layer_and_repeated_keys_are_not_compared(llama):
    mask = torch.tensor([[0] * 2 + [1] * (TOKENS - 2)])
    alone, _ = waits(llama, False, attention_mask=mask)
    watched, seen = waits(llama, True, attention_mask=mask)
    after = slice([*watched, "attention"].index("attention", watched.index("attention") + 1), None)
    assert watched[after] == ["attention"] * 2 == alone[alone.index("attention") + 1 :]
    assert not any("equal" in name for name in watched)
    assert {layer.k.shape[1] for layer in seen.layers} == {llama.config.num_key_value_heads}  # as they were
    assert seen.verify().worst <= CLOSE


@torch.no_grad()
def test_what_is_looked_at_while_the_model_still_runs_is_there(llama):
    """A first pass is sorted when it is over; who looks before sees what there is."""
    found = []
    handle = llama.model.layers[1].register_forward_hook(lambda *_: found.append((len(seen), dict(seen.missed))))
    try:
        with regard.watch(llama) as seen:
            llama(text())
            llama((text() + 1) % WORDS)
    finally:
        handle.remove()
    assert found == [(2, {}), (3, {})]
    assert [layer.runs for layer in seen.layers] == [2, 2, 2] and seen.verify().worst <= CLOSE


@torch.no_grad()
def test_a_call_unlike_the_last_one_is_decided_anew():
    class Calls(torch.nn.Module):
        def forward(self, *given, **named):
            return torch.nn.functional.scaled_dot_product_attention(*given, **named)

    model, q = Calls(), torch.randn(1, 2, 6, 4)
    with regard.watch(model) as seen:
        for causal in (True, False, True):
            model(q, q, q, is_causal=causal)
            assert (seen[0].dense()[..., 0, 1:] == 0.0).all() == causal
        model(q[0], q[0], q[0])
        assert "3 axes" in seen.missed[""]
        model(q, q, q)
        assert not seen.missed and seen.verify().worst <= CLOSE

"""Calls of attention as nobody should make them: never a wrong number, never another output; what is left is named."""

import math
import threading

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from tests.machine import needs_proc
from tests.watching.families import FAMILIES, TOKENS, text
from torch import nn

import regard
from regard.suggestions import NotFound

BY_NAME = {family.name: family for family in FAMILIES}
CLOSE = 1e-5
H, Q, D = 3, 7, 4


class Calls(nn.Module):
    """Does with attention what it is told."""

    def forward(self, *given, **named):
        return F.scaled_dot_product_attention(*given, **named)


def numbers(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(2))


def by_definition(q, k, mask=None, causal=False, scale=None) -> np.ndarray:
    scores = q.double() @ k.double().mT * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else scores + mask.double()
    if causal:
        scores = scores.masked_fill(~torch.ones(scores.shape[-2:], dtype=torch.bool).tril(), -math.inf)
    return scores.softmax(-1).nan_to_num(0.0).numpy()


def watched(q, *given, heads=None, **named):
    model = Calls()
    before = model(q, *given, **named)
    with regard.watch(model, heads=heads) as seen:
        during = model(q, *given, **named)
    assert torch.equal(before, during)
    return seen


GAPS = numbers(1, H, Q, Q) > 0
MASKS = {
    "causal and gaps": (GAPS, True),
    "causal and numbers": (torch.zeros(Q, Q), True),
    "by head": (GAPS[0], False),
    "numbers by head": (numbers(H, Q, Q), False),
    "by key": (torch.tensor([1, 1, 0, 1, 1, 1, 0]).bool()[None, None, None], False),
}


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("heads", [None, [2, 0]])
def test_masks_of_every_shape(name, heads):
    mask, causal = MASKS[name]
    q, k = numbers(2, 1, H, Q, D)
    seen = watched(q, k, k, attn_mask=mask, is_causal=causal, heads=heads)
    expected = by_definition(q, k, mask, causal)[0]
    found = np.stack([seen[0, head].dense() for head in heads or range(H)])
    assert np.abs(found - (expected if heads is None else expected[heads])).max() <= CLOSE
    assert seen.verify().worst <= CLOSE


@torch.inference_mode()
def test_what_is_changed_afterwards_changes_nothing_that_was_seen():
    model, mask = Calls(), GAPS.clone()
    q, k = numbers(1, H, Q, D), numbers(1, H, Q, D)
    expected = by_definition(q, k, mask)[0]
    with regard.watch(model) as seen:
        model(q, k, k, attn_mask=mask)
    for changed in (q, k, mask):
        changed.zero_()
    assert np.abs(seen[0].dense() - expected).max() <= CLOSE


@torch.inference_mode()
def test_a_mask_that_changes_between_two_calls_is_read_again():
    model, q, mask = Calls(), numbers(1, H, Q, D), torch.ones(Q, Q, dtype=torch.bool)
    with regard.watch(model) as seen:
        model(q, q, q, attn_mask=mask)
        mask[:, 0] = False
        model(q, q, q, attn_mask=mask)
    assert np.abs(seen[0].dense() - by_definition(q, q, mask)[0]).max() <= CLOSE
    one = torch.ones(1, 1, 1, Q, dtype=torch.bool)
    with regard.watch(model) as seen:
        model(q[:, :, :3], q, q, attn_mask=one)
        model(q, q, q, attn_mask=one)
    assert seen[0].shape == (H, Q, Q) and seen.verify().worst <= CLOSE


@torch.no_grad()
def test_a_scale_that_depends_on_the_length_is_another_text():
    model, k = Calls(), numbers(1, H, Q, D)
    with regard.watch(model) as seen:
        model(k[:, :, :-1], k[:, :, :-1], k[:, :, :-1], scale=0.3)
        model(k[:, :, -1:], k, k, scale=0.9)
    assert seen[0].shape == (H, 1, Q)
    assert np.abs(seen[0].dense() - by_definition(k[:, :, -1:], k, scale=0.9)[0]).max() <= CLOSE


@pytest.mark.parametrize("size", [1e2, 1e4, 1e6])
def test_large_scores(size):
    q, k = numbers(1, H, Q, D) * size, numbers(1, H, Q, D)
    seen = watched(q, k, k)
    assert np.abs(seen[0].given() - 1.0).max() <= CLOSE


@needs_proc
@torch.no_grad()
def test_in_lower_precision_by_autocast_the_rounded_numbers_count():
    model, q = Calls(), numbers(1, H, Q, D)
    with torch.autocast("cpu", torch.float16, enabled=True), regard.watch(model) as seen:
        model(q, q, q)
        looked = seen.look(0)
    half = q.half().float()
    assert np.abs(seen[0].dense() - by_definition(half, half)[0]).max() <= 1e-3
    assert np.abs(looked.entropy - seen[0].entropy()).max() <= CLOSE


def test_not_a_number_is_never_called_right():
    q = numbers(1, H, Q, D)
    values = q.clone()
    values[0, 0, 0] = math.nan
    model = Calls()
    with regard.watch(model) as seen:
        model(q, q, values)
    assert math.isnan(seen.verify().worst)


@pytest.mark.parametrize(
    "q, k, reason",
    [
        (numbers(Q, D), numbers(Q, D), "queries of 2 axes"),
        (numbers(1, H, 0, D), numbers(1, H, Q, D), "reads nothing"),
        (numbers(1, H, Q, D), numbers(1, H, 0, D), "reads nothing"),
        (numbers(0, H, Q, D), numbers(0, H, Q, D), "reads nothing"),
        (numbers(2, H, Q, D), numbers(1, H, Q, D), "broadcasts keys"),
    ],
)
def test_what_cannot_be_kept_is_named_and_runs_as_it_would(q, k, reason):
    seen = watched(q, k, k)
    assert reason in seen.missed[""]
    with pytest.raises(NotFound, match="none of 1 layers could be watched"):
        seen[0]


@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_transformations_of_torch_run_as_they_would():
    model, q = Calls(), numbers(5, 1, H, Q, D)
    before = torch.vmap(lambda x: model(x, x, x))(q)
    slope = torch.func.grad(lambda x: model(x, x, x).sum())(q[0])
    with regard.watch(model) as seen:
        assert torch.equal(torch.vmap(lambda x: model(x, x, x))(q), before)
        assert torch.equal(torch.func.grad(lambda x: model(x, x, x).sum())(q[0]), slope)
    assert "transformation" in seen.missed[""]


def test_another_library_s_attention_is_left_to_it(monkeypatch):
    torch_s = F.scaled_dot_product_attention
    monkeypatch.setattr(F, "scaled_dot_product_attention", lambda *given, **named: torch_s(*given, **named) * 2)
    seen = watched(numbers(1, H, Q, D), numbers(1, H, Q, D), numbers(1, H, Q, D))
    assert "another library" in seen.missed[""]


@torch.no_grad()
def test_a_text_that_could_not_be_kept_leaves_none_before_it():
    model, q = Calls(), numbers(1, H, Q, D)
    with regard.watch(model) as seen:
        model(q, q, q)
        model(q[0, 0], q[0, 0], q[0, 0])
    assert not len(seen)
    with regard.watch(model, heads=[7]) as seen:
        model(q, q, q)
    assert "has 3 heads" in seen.missed[""]


class Loops(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Calls()

    def forward(self, x, times):
        for _ in range(times):
            x = self.part(x, x, x)
        return x


@torch.no_grad()
def test_a_part_that_runs_less_often_leaves_nothing_of_the_text_before():
    model, q = Loops(), numbers(1, H, Q, D)
    with regard.watch(model) as seen:
        model(q, 4)
        assert len(seen) == 4
        model(q, 2)
    assert [layer.name for layer in seen.layers] == ["part", "part (time 2)"]


@torch.no_grad()
def test_the_same_model_in_two_threads():
    model, errors = BY_NAME["Llama"].made(), []

    def run() -> None:
        try:
            for _ in range(5):
                model(text())
        except Exception as error:
            errors.append(error)

    with regard.watch(model) as seen:
        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not errors and len(seen) == 3 and seen.verify().worst <= CLOSE


def test_two_threads_leave_torch_s_products_as_they_were():
    before = torch.bmm, torch.baddbmm
    layer, x = nn.MultiheadAttention(16, 4, batch_first=True).eval(), torch.randn(1, Q, 16)
    with regard.watch(layer):
        threads = [threading.Thread(target=lambda: layer(x, x, x)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (torch.bmm, torch.baddbmm) == before


@torch.no_grad()
def test_an_assistant_s_attention_is_not_the_model_s():
    model, assistant = BY_NAME["Llama"].made(), BY_NAME["Llama"].made()
    with regard.watch(model) as seen:
        model.generate(text(), assistant_model=assistant, max_new_tokens=3, do_sample=False)
    assert all(layer.name.startswith("model.layers") for layer in seen.layers) and len(seen) == 3


@torch.no_grad()
def test_a_function_that_changes_the_keys_is_seen_with_the_keys_it_used():
    from transformers.integrations.sdpa_attention import sdpa_attention_forward
    from transformers.modeling_utils import AttentionInterface

    def doubled(module, q, k, v, mask, **settings):
        return sdpa_attention_forward(module, q, k * 2, v, mask, **settings)

    AttentionInterface.register("doubled", doubled)
    try:
        model = BY_NAME["Llama"].made()
        model.config._attn_implementation = "doubled"
        with regard.watch(model) as seen:
            model(text(), attention_mask=torch.tensor([[0] * 2 + [1] * (TOKENS - 2)]))
        assert seen.verify().worst <= CLOSE
    finally:
        del AttentionInterface._global_mapping["doubled"]


@pytest.mark.parametrize("budget", [-5, True, 1.5j, "4 cows"])
def test_a_budget_is_a_size(budget):
    with pytest.raises(ValueError, match="budget expects a size"), regard.watch(Calls(), budget=budget):
        pass

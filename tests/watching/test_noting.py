"""What is only noted while the model runs is what would have been kept, and nothing is held up for it."""

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from tests.watching.families import FAMILIES, text

import regard
from regard.watching import catching, noting, together
from regard.watching.watchers import WATCHERS

BY_NAME = {family.name: family for family in FAMILIES}
CLOSE = 1e-5


@pytest.fixture(autouse=True)
def noted(monkeypatch):
    """As on a GPU."""
    monkeypatch.setattr(noting, "is_noted_on", lambda _: True)


@pytest.fixture
def llama():
    return BY_NAME["Llama"].made()


def kinds() -> list[str]:
    return [type(call).__name__ for _, _, call in WATCHERS[0].noted]  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("mode", [torch.inference_mode, torch.no_grad, torch.enable_grad])
@pytest.mark.parametrize("texts", [1, 3])
def test_it_is_what_would_have_been_kept(llama, mode, texts):
    ids = text().repeat(texts, 1) + torch.arange(texts)[:, None]
    with mode(), regard.watch(llama, keep="memory") as kept:
        before = llama(ids).logits
    with mode(), regard.watch(llama) as seen:
        after = llama(ids).logits
        assert kinds() == ["Noted"] * 3
    assert torch.equal(before, after) and seen.verify().worst <= CLOSE and not seen.missed
    for own, other in zip(seen.layers, kept.layers, strict=True):
        assert own.name == other.name and own.kernel == other.kernel and own.lse is not None
        for name in ("q", "k", "v", "lse"):
            assert torch.allclose(getattr(own, name), getattr(other, name), atol=CLOSE), name


def test_a_model_that_asks_transformers_passes_no_other_door(llama):
    own = F.scaled_dot_product_attention
    with torch.no_grad(), regard.watch(llama) as seen:
        llama(text())
        assert F.scaled_dot_product_attention is own and not catching._WIDE
        assert len(seen) == 3  # taken in, through the doors
        assert F.scaled_dot_product_attention is not own
    assert F.scaled_dot_product_attention is own


@torch.no_grad()
@pytest.mark.parametrize(
    "settings",
    [{"attention_mask": torch.tensor([[0] + [1] * (text().shape[1] - 1)])}, {"use_cache": True}],
    ids=["masked", "cached"],
)
def test_with_a_mask_or_a_cache_it_is_as_right(llama, settings):
    with regard.watch(llama, keep="memory") as kept:
        llama(text(), **settings)
    with regard.watch(llama) as seen:
        llama(text(), **settings)
        assert kinds() == ["Call" if "attention_mask" in settings else "Noted"] * 3
    for layer in range(3):
        assert abs(seen[layer].dense() - kept[layer].dense()).max() <= CLOSE


def test_what_draws_numbers_is_not_called_again():
    llama = BY_NAME["Llama"].made().train()
    for layer in llama.model.layers:
        layer.self_attn.attention_dropout = 0.5
    torch.manual_seed(1)
    llama(text())
    expected = torch.rand(1)
    torch.manual_seed(1)
    with regard.watch(llama) as seen:
        llama(text())
    assert len(seen) == 3 and torch.equal(torch.rand(1), expected)


@torch.no_grad()
def test_a_model_of_another_precision_is_noted_in_its_own(llama):
    llama.double()
    with regard.watch(llama) as seen:
        llama(text())
    assert seen.of(0).q.dtype == torch.float64 and seen.verify().worst <= CLOSE


class Own(torch.nn.Module):
    """Calls torch's function under a name of its own, inside a model that asks transformers for everything else."""

    def __init__(self, inner: torch.nn.Module, attend):
        super().__init__()
        self.inner, self.attend = inner, attend

    def forward(self, x):
        return self.inner(x) + self.attend(*[x[:, None]] * 3)[:, 0]


class OwnAttention(Own):
    pass


@torch.no_grad()
@pytest.mark.parametrize("kind", [Own, OwnAttention, None])
def test_a_part_that_changed_is_named_and_then_seen(llama, kind):
    attend, layer = F.scaled_dot_product_attention, llama.model.layers[0]
    with regard.watch(llama) as seen:
        llama(text())
    plain = layer.mlp.forward
    if kind is None:
        layer.mlp.forward = lambda x: plain(x) + attend(*[x[:, None]] * 3)[:, 0]
    else:
        layer.mlp = kind(layer.mlp, attend)
    with regard.watch(llama) as seen:
        llama(text())
    assert "watch it again" in seen.missed["model.layers.0.mlp"] and len(seen) == 3
    with regard.watch(llama) as seen:
        llama(text())
    assert not seen.missed and len(seen) == 4 and seen.verify().worst <= CLOSE


@torch.no_grad()
@pytest.mark.parametrize("texts", [1, 2])
@pytest.mark.parametrize("most", [1, together.AT_ONCE])
def test_all_layers_at_once_are_each_on_its_own(llama, texts, most, monkeypatch):
    monkeypatch.setattr(together, "objection", lambda *_: None)  # as if a GPU had them
    monkeypatch.setattr(together, "AT_ONCE", most)
    with regard.watch(llama) as seen:
        llama(text().repeat(texts, 1) + torch.arange(texts)[:, None])
    for layer, looked, received in zip(seen.layers, seen.looked(8, 8), seen.received(8, 8), strict=True):
        alone = seen.look(layer.number, 8, 8)
        assert looked.picture.shape == ((texts,) * (texts > 1)) + (layer.heads, 8, 8)
        for name in ("received", "entropy", "mean_distance", "largest", "read_most", "picture"):
            assert abs(getattr(looked, name) - getattr(alone, name)).max() <= CLOSE, name
        assert abs(received.received - alone.received).max() <= CLOSE
        assert abs(received.picture - alone.picture).max() <= CLOSE

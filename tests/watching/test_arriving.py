"""What a GPU computes arrives when it is asked for, and a log-sum-exp of too few digits is found out by then.

There is no GPU here: the kernel's place is taken by the definition, all else is as it would be there.
"""

import gc

import numpy as np
import pytest
import torch
from torch import nn

import regard
from regard.attending import on_device
from regard.attending.kernels import looking
from regard.attending.kernels.looking import Found
from regard.watching import layer as layers

H, Q, D = 3, 7, 4
waited = []


def exact(heads):
    """log₂ of what each row's scores sum up to, and the weights, in double precision."""
    times = heads.q.shape[1] // heads.k.shape[1]
    scores = heads.q.double() @ heads.k.double().repeat_interleave(times, 1).mT * heads.scale / np.log(2)
    place = torch.arange(heads.shape[3])
    hidden = (place < heads.sight.begin[..., None]) | (place >= heads.sight.end[..., None])
    return scores.masked_fill(hidden, -torch.inf)


def by_definition(heads, what, *_):
    rest = 0.0 if heads.rest is None else heads.rest.double()
    p = torch.exp2(exact(heads) - (heads.shift.double() + rest)[..., None]).float()
    distance = (torch.arange(Q)[:, None] - torch.arange(Q)).abs()
    largest, most = p.max(-1)
    entropy = -(p * p.clamp(min=1e-30).log()).sum(-1)
    rows = (p.sum(-1), entropy, (p * distance).sum(-1), largest, most.int())
    return Found(p.sum(-2), p, *(rows if "entropy" in what else ()))


def log_sum_exp(heads):
    whole = torch.logsumexp(exact(heads) * np.log(2), -1) / np.log(2)
    return whole.float(), (whole - whole.float()).float()


@pytest.fixture(autouse=True)
def device(monkeypatch):
    monkeypatch.setattr(layers, "objection", lambda *_: None)
    monkeypatch.setattr(on_device, "look", by_definition)
    monkeypatch.setattr(looking, "log_sum_exp", log_sum_exp)
    waited.clear()
    small = layers._is_small
    monkeypatch.setattr(layers, "_is_small", lambda lse: waited.append(lse) or small(lse))


class Calls(nn.Module):
    def forward(self, q, k):
        return nn.functional.scaled_dot_product_attention(q, k, k, is_causal=True)


def given(size=1.0):
    return torch.randn(2, 1, H, Q, D, generator=torch.Generator().manual_seed(3)) * torch.tensor(size).sqrt()


def weights(q, k):
    scores = (q.double() @ k.double().mT / D**0.5).masked_fill(~torch.ones(Q, Q).tril().bool(), -torch.inf)
    return scores.softmax(-1)[0].numpy()


@torch.no_grad()
@pytest.mark.parametrize("size", [1.0, 1e4])
def test_numbers_are_right_however_large_the_scores(size):
    model, (q, k) = Calls(), given(size)
    with regard.watch(model) as seen:
        model(q, k)
    looked, received = seen.of(0).looked(Q, Q), seen.of(0).received(Q, Q)
    assert not waited  # nobody waited yet
    p = weights(q, k)
    for found in (looked, received):
        assert np.abs(found.picture[0] - p).max() <= 1e-5
        assert np.abs(found.received[0] - p.sum(1)).max() <= 1e-5
    assert np.abs(looked[0, 1].largest - p[1].max(-1)).max() <= 1e-5
    assert len(waited) == (0 if size == 1.0 else 2)  # of each, the log-sum-exp was looked at closely
    assert "Looked" in type(looked).__name__ and isinstance(looked, regard.attending.look.Looked)
    with pytest.raises(AttributeError, match="no attribute 'entropies'"):
        _ = looked.entropies


@torch.no_grad()
def test_what_a_dropped_layer_gave_arrives_before_it_goes():
    model, (q, k), found = Calls(), given(1e4), []
    with regard.watch(model, each=lambda layer: found.append(layer.looked(Q, Q))):
        model(q, k)
        assert "_fetch" not in vars(found[0])
    assert np.abs(found[0].picture[0] - weights(q, k)).max() <= 1e-5


@torch.no_grad()
def test_what_was_seen_of_a_text_stays_what_it_was_when_another_is_read():
    model, (q, k) = Calls(), given(1e4)
    with regard.watch(model) as seen:
        model(q, k)
        first = seen.of(0).looked(Q, Q)
        model(k, q)
    assert np.abs(first.picture[0] - weights(q, k)).max() <= 1e-5
    assert np.abs(seen.look(0, Q, Q).picture - weights(k, q)).max() <= 1e-5
    del first
    gc.collect()
    assert not seen.of(0)._arriving  # nobody has it, and so does nobody here

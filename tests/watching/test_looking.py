"""Looking at a whole layer in one pass, and the habits of heads, against their definitions on the matrix."""

import math

import numpy as np
import pytest
import torch
from tests.watching.families import FAMILIES, text

import regard
from regard.attending.kernels.fused import fused
from regard.attending.look import look
from regard.attending.scores import Scores
from regard.attending.sources import Queries
from regard.attending.spans import Spans
from regard.attending.weights import Weights
from regard.suggestions import NotFound

BY_NAME = {family.name: family for family in FAMILIES}
CLOSE = 2e-5
HEADS, GROUPS, WIDTH = 6, 2, 16


def numbers(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(7))


@pytest.mark.parametrize(
    "queries,keys,mask",
    [
        (301, 301, "causal"),
        (131, 131, "both"),
        (131, 131, "window"),
        (131, 131, "gaps"),
        (131, 131, "bias"),
        (17, 131, "last"),
        (5, 5, "causal"),
        (70, 2111, "both"),  # more keys than a tile holds
    ],
)
def test_one_pass_says_what_the_matrix_says(queries, keys, mask):
    q, k = numbers(2, HEADS, queries, WIDTH), numbers(2, GROUPS, keys, WIDTH)
    bias, visible = None, Spans.all(queries, keys)
    place = torch.arange(keys)
    if mask == "causal":
        visible = Spans.from_first(queries, keys)
    if mask == "window":
        visible = Spans.of(((place <= place[:, None]) & (place > place[:, None] - 9))[None, None])
    if mask == "last":
        visible = Spans.of(place <= place[keys - queries :, None])
    if mask == "gaps":
        visible = numbers(2, 1, queries, keys) > 0
        visible[0, 0, 3] = False  # a row that sees nothing
    if mask == "bias":
        bias = numbers(1, HEADS, queries, keys)
    assert visible is not None
    source = Queries(Scores(q, k, visible, 0.3, bias))
    weights = Weights(source)
    found = look(q, k, torch.from_numpy(source.lse), visible, 0.3, bias, height=13, width=11)
    top = weights.top(1)
    assert np.abs(found.received - weights.received()).max() <= CLOSE * queries
    assert np.abs(found.entropy - weights.entropy()).max() <= CLOSE
    assert np.abs(found.mean_distance - weights.mean_distance()).max() <= CLOSE * keys
    assert np.abs(found.largest - top.weights[..., 0]).max() <= CLOSE
    is_clear = weights.top(2).weights[..., 0] - weights.top(2).weights[..., 1] > CLOSE
    assert is_clear.any() and (found.read_most == top.keys[..., 0])[is_clear].all()
    assert np.abs(found.picture - weights.pooled(13, 11, by="mass")).max() <= CLOSE
    if mask == "gaps":
        assert (found.read_most[0, :, 3] == -1).all() and (found.entropy[0, :, 3] == 0.0).all()


def test_the_kernel_s_own_log_sum_exp_serves():
    q, k = numbers(1, HEADS, 131, WIDTH), numbers(1, GROUPS, 131, WIDTH)
    answer = fused(q, k, k, is_causal=True, enable_gqa=True)
    assert answer.lse is not None
    found = look(q, k, answer.lse, Spans.from_first(131, 131), 1 / math.sqrt(WIDTH))
    assert found.received.sum() == pytest.approx(HEADS * 131, rel=1e-5)


@torch.no_grad()
def test_habits_are_what_the_matrix_says():
    model, ids = BY_NAME["Llama"].made(), text(11)
    ids = torch.cat([ids, ids[:, 2:9]], 1)
    with regard.watch(model) as seen:
        model(ids)
    words, found = ids[0].numpy(), {(row.layer, row.head): row for row in seen.heads()}
    tokens = len(words)
    query, key = np.arange(tokens)[:, None], np.arange(tokens)[None, :]
    even = np.tril(np.ones((tokens, tokens))) / np.arange(1, tokens + 1)[:, None]
    pairs = {
        "sink": (key == 0) & (query > 0),
        "previous": key == query - 1,
        "same": (words[:, None] == words) & (key < query),
        "induction": (np.roll(words, 1)[None] == words[:, None]) & (key > 0) & (key <= query),
    }
    assert pairs["same"].any() and pairs["induction"].any()
    for layer in range(3):
        for head, p in enumerate(seen[layer].dense()):
            row = found[layer, head]
            for name, which in pairs.items():
                assert getattr(row, name) == pytest.approx(p[which].sum() / (tokens - 1), abs=CLOSE)
                assert getattr(row.evenly, name) == pytest.approx(even[which].sum() / (tokens - 1), abs=CLOSE)
            assert row.entropy == pytest.approx(seen[layer, head].entropy().mean(), abs=CLOSE)
            assert row.distance == pytest.approx(seen[layer, head].mean_distance().mean(), abs=CLOSE * tokens)
    ranked = [row.induction for row in seen.heads(sort_by="induction")]
    assert ranked == sorted(ranked, reverse=True) and len(ranked) == 18
    with pytest.raises(LookupError, match="no habit 'inductive'"):
        seen.heads(sort_by="inductive")


@torch.no_grad()
def test_who_lets_one_word_read_another():
    model = BY_NAME["Llama"].made()
    with regard.watch(model) as seen:
        model(text(11))
    rows = seen.heads(7, 3)
    assert [row.weight for row in rows] == sorted((row.weight for row in rows), reverse=True)
    first = rows[0]
    assert first.weight == pytest.approx(seen[first.layer, first.head].row(7)[3])
    assert first.average == pytest.approx(1 / 8, abs=1e-6)


@torch.no_grad()
def test_a_word_that_is_not_there_is_named_for_what_it_was_asked_as():
    class Pieces:
        def decode(self, numbers):
            return f"w{int(numbers[0])}"

    model = BY_NAME["Llama"].made()
    with regard.watch(model, Pieces()) as seen:
        model(torch.tensor([[3, 5, 7]]))
    assert seen.heads("w7", "w3")[0] == seen.heads(2, 0)[0] == seen.heads(-1, -3)[0]
    for wanted, said in (
        (("zebra", "w3"), "no query 'zebra' here; there are w3, w5, w7"),
        (("w7", "zebra"), "no key 'zebra' here; there are w3, w5, w7"),
        ((9, 0), "no query 9; there are 3, counted from 0"),
        ((0, 9), "no key 9; there are 3, counted from 0"),
    ):
        with pytest.raises(LookupError, match=said):
            seen.heads(*wanted)
    with pytest.raises(ValueError, match="expected two words, who reads and what is read, got 'w7'"):
        seen.heads("w7")
    with regard.watch(model) as nothing:
        pass
    with pytest.raises(NotFound, match="run the model inside the block"):
        nothing.heads("w7", "w3")


@torch.no_grad()
def test_each_layer_can_be_looked_at_and_dropped():
    model, ids, found = BY_NAME["Llama"].made(), text(11), []
    with regard.watch(model) as kept:
        logits = model(ids).logits
    with regard.watch(model, each=lambda layer: found.append((layer.number, layer.looked(4, 5)))) as seen:
        assert torch.equal(model(ids).logits, logits)
    assert [number for number, _ in found] == [layer.number for layer in kept.layers] and len(found) > 1
    for number, looked in found:
        np.testing.assert_array_equal(looked[0].received, kept.look(number, 4, 5).received)
    assert seen.bytes == 0 and not seen.layers

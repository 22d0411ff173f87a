"""Generation: the same with memory as without, the same for a seed, and only from what may be chosen."""

import math

import pytest
import torch

from regard.attending.masks import both, causal
from regard.models.generate import Choice, _last_logits, generate
from regard.models.network import Network

GREEDY = Choice(temperature=0.0)
PARTS = {
    "learned": {"positions": "learned", "norm": "layer", "mlp": "gelu", "tied": "tied"},
    "rotary": {"positions": "rotary", "norm": "rms", "mlp": "gated", "heads": "6of3", "tied": "tied"},
    "waves": {"positions": "waves", "layers": "2layers", "tied": "tied"},
    "distance": {"positions": "distance", "layers": "2layers", "tied": "tied"},
}  # fmt: skip


def network(plain_variant, arrays_of, parts, visible=causal) -> Network:
    variant = plain_variant.but(**parts)
    return Network(variant.settings(), arrays_of(variant, 3), visible)


@pytest.mark.parametrize("parts", PARTS.values(), ids=list(PARTS))
def test_with_memory_it_writes_what_it_would_write_reading_all_anew(plain_variant, arrays_of, parts):
    writer = network(plain_variant, arrays_of, parts)
    text, memory, read = [3, 0, 5, 12, 1, 7, 3, 9, 2, 2, 4], {}, 0
    with torch.no_grad():
        for length in range(4, len(text) + 1):  # four at first, then one by one
            remembered = _last_logits(writer, torch.tensor([text[read:length]]), memory, read)
            anew = writer(torch.tensor([text[:length]]))[0, -1]
            assert torch.allclose(remembered, anew, atol=1e-5), length
            read = length
    written = list(generate(writer, text[:3], GREEDY, 9))
    for length, token in enumerate(written):
        logits = writer(torch.tensor([text[:3] + written[:length]]))[0, -1]
        assert logits[token] >= logits.max() - 1e-5  # equal, or as good as equal


def test_a_seed_writes_the_same_and_another_something_else(plain_variant, arrays_of):
    writer = network(plain_variant, arrays_of, PARTS["learned"])
    texts = [tuple(generate(writer, [3], Choice(1.0, seed=seed), 14)) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_longer_than_it_reads_it_goes_on_and_stops_at_the_end(plain_variant, arrays_of):
    writer = network(plain_variant, arrays_of, PARTS["learned"])
    assert len(list(generate(writer, [1] * 30, Choice(1.0), 40))) == 40  # it reads at most 17
    long = list(generate(writer, [3], Choice(1.0, seed=4), 200, end=5))
    assert long.count(5) <= 1 and (5 not in long or long[-1] == 5)


def test_what_is_drawn_from():
    logits = torch.tensor([0.1, 0.4, 0.2, 0.3]).log()
    assert Choice(0.0).probabilities(logits).tolist() == [0, 1, 0, 0]
    assert Choice(1.0).probabilities(logits).tolist() == pytest.approx([0.1, 0.4, 0.2, 0.3])
    assert Choice(1.0, top=2).probabilities(logits).tolist() == pytest.approx([0, 4 / 7, 0, 3 / 7])
    assert Choice(1.0, mass=0.75).probabilities(logits).tolist() == pytest.approx([0, 4 / 9, 2 / 9, 3 / 9])
    assert Choice(1.0, mass=1e-9).probabilities(logits).tolist() == [0, 1, 0, 0]
    assert Choice(0.5).probabilities(logits).tolist() == pytest.approx([1 / 30, 16 / 30, 4 / 30, 9 / 30])
    assert Choice(1e-300).probabilities(logits).tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize(
    "wrong", [{"temperature": -1}, {"temperature": math.nan}, {"top": -1}, {"mass": 0}, {"mass": 2}]
)
def test_impossible_choices(wrong):
    with pytest.raises(ValueError, match="got"):
        Choice(**wrong)


def test_nothing_to_go_on_from_and_models_that_read_both_ways(plain_variant, arrays_of):
    with pytest.raises(ValueError, match="nothing to continue"):
        list(generate(network(plain_variant, arrays_of, PARTS["learned"]), [], GREEDY, 1))
    with pytest.raises(ValueError, match="reads both ways"):
        list(generate(network(plain_variant, arrays_of, PARTS["learned"], both), [1], GREEDY, 1))

"""Heads silenced and replaced, readings cut, parts patched: each against the same done another way."""

import numpy as np
import pytest
import torch
from tests.watching.families import FAMILIES, HEADS, TOKENS, WIDTH, WORDS, text

import regard
from regard.suggestions import NotFound
from regard.watching.changing import Change

BY_NAME = {family.name: family for family in FAMILIES}
CLOSE = 1e-5
LAYER, HEAD, ROW, KEY = 1, 4, 9, 8  # the key lies in every window
SIZE = WIDTH // HEADS
OF_HEAD = slice(HEAD * SIZE, (HEAD + 1) * SIZE)
CHANGES: list[Change] = [
    regard.Silence(LAYER, HEAD),
    regard.Silence(LAYER, HEAD, at=ROW),
    regard.Cut(LAYER, ROW, KEY, HEAD),
    regard.Cut(LAYER, ROW, KEY),
]


class Pieces:
    """A tokenizer of numbers: 17 is written w17."""

    def decode(self, numbers):
        return f"w{int(numbers[0])}"

    def encode(self, word, add_special_tokens=False):
        return [int(word[1:])] if word[1:].isdigit() else [1, 2]


@pytest.fixture(scope="module")
def llama():
    return BY_NAME["Llama"].made()


@torch.no_grad()
def joined(model, change):
    """The logits when `change` may alter what a layer's heads say, side by side, before they are joined."""
    handle = model.model.layers[LAYER].self_attn.o_proj.register_forward_pre_hook(lambda _, given: (change(*given),))
    try:
        return model(text()).logits
    finally:
        handle.remove()


def silenced(x, rows=slice(None)):
    x = x.clone()
    x[:, rows, OF_HEAD] = 0
    return x


@torch.no_grad()
@pytest.mark.parametrize("kernel", ["sdpa", "eager"])
@pytest.mark.parametrize(("at", "rows"), [(None, slice(None)), (ROW, ROW)])
def test_a_head_that_is_silenced_says_nothing(kernel, at, rows):
    model = BY_NAME["Llama"].made(kernel)
    with regard.watch(model, changes=[regard.Silence(LAYER, HEAD, at)]) as seen:
        found = model(text()).logits
    assert torch.equal(found, joined(model, lambda x: silenced(x, rows)))
    assert not torch.equal(found, model(text()).logits)
    assert seen.changed == [f"layer 1 head 4 silenced{'' if at is None else ' at 9'}"]
    assert seen.verify().worst <= CLOSE  # what was kept is what the kernel gave


@torch.no_grad()
@pytest.mark.parametrize("name", ["Llama", "Gemma 2", "GPT-OSS", "Mistral"])
@pytest.mark.parametrize("head", [HEAD, None])
def test_a_word_that_is_cut_off_is_hidden_from_one_row(name, head):
    """Beside the formula: the same row of weights without that key, shared out again."""
    model, formula = BY_NAME[name].made(), BY_NAME[name].made("eager")
    with regard.watch(model, changes=[regard.Cut(0, ROW, KEY, head)], layers=[0]) as seen:
        now = model(text(), output_hidden_states=True).hidden_states[1]
    before = model(text(), output_hidden_states=True).hidden_states[1]
    changed = (now - before).abs().amax(-1)[0] > 0
    assert changed.nonzero().flatten().tolist() == [ROW]  # the layer's other rows are as they were
    weights, values = formula(text(), output_attentions=True).attentions[0][0, :, ROW], seen.layers[0].v[0]
    said = _joined_of(model, lambda: model(text()), 0)[0, ROW]
    with regard.watch(model, changes=[regard.Cut(0, ROW, KEY, head)]):
        found = _joined_of(model, lambda: model(text()), 0)[0, ROW]
    for one in range(HEADS):
        size = len(said) // HEADS
        here = slice(one * size, (one + 1) * size)
        expected = said[here]
        if head in (None, one):
            value = values[one * values.shape[0] // HEADS]
            expected = (expected - weights[one, KEY] * value[KEY]) / (1 - weights[one, KEY])
        assert torch.allclose(found[here], expected, atol=CLOSE)


def _joined_of(model, run, layer):
    """What the heads of a layer say, side by side."""
    kept = []
    part = model.model.layers[layer].self_attn.o_proj
    handle = part.register_forward_pre_hook(lambda _, given: kept.append(given[0].clone()))
    try:
        run()
    finally:
        handle.remove()
    return kept[0]


@torch.no_grad()
def test_what_another_run_said_can_be_put_in(llama):
    other = (text() + 1) % WORDS
    theirs = _joined_of(llama, lambda: llama(other), LAYER)
    context = theirs.view(1, TOKENS, HEADS, SIZE).transpose(1, 2)
    with regard.watch(llama, changes=[regard.Replace(LAYER, context, HEAD)]):
        found = llama(text()).logits

    def put(x):
        x = x.clone()
        x[..., OF_HEAD] = theirs[..., OF_HEAD]
        return x

    assert torch.equal(found, joined(llama, put))


@torch.no_grad()
def test_several_cuts_in_one_row_are_one_mask_and_what_is_silenced_stays_silent():
    torch.manual_seed(0)
    layer, x = torch.nn.MultiheadAttention(12, 3, batch_first=True), torch.randn(1, 7, 12)

    def said(mask=None, changes=()):
        with regard.watch(layer, changes=changes):
            return layer(x, x, x, attn_mask=mask, need_weights=False)[0]

    mask = torch.zeros(3, 7, 7, dtype=torch.bool)
    mask[:, 4, 1] = mask[:, 4, 5] = mask[2, 4, 0] = mask[:, 6, 3] = True
    cuts = [regard.Cut(0, 4, 1), regard.Cut(0, 4, 5), regard.Cut(0, 4, 0, head=2), regard.Cut(0, 6, 3)]
    for order in (cuts, cuts[::-1]):
        assert torch.allclose(said(changes=order), said(mask), atol=1e-6)
    silent = said(mask, [regard.Silence(0, head=1)])
    for changes in ([regard.Silence(0, head=1), *cuts], [*cuts, regard.Silence(0, head=1)]):
        assert torch.allclose(said(changes=changes), silent, atol=1e-6)
    assert not torch.allclose(said(mask), silent, atol=1e-3)


@torch.no_grad()
def test_changes_follow_words_also_while_a_text_is_written_on(llama):
    pieces = Pieces()
    ids = torch.arange(10, 10 + TOKENS)[None]
    settings = {"max_new_tokens": 4, "min_new_tokens": 4, "do_sample": False}
    with regard.watch(llama, pieces, changes=[regard.Cut(LAYER, "w19", "w13")]) as seen:
        cut = llama.generate(ids, **settings)
    again = []
    for length in range(TOKENS, TOKENS + 4):  # without remembered keys, and by position
        with regard.watch(llama, changes=[regard.Cut(LAYER, 9, 3)]):
            again.append(int(llama(cut[:, :length]).logits[0, -1].argmax()))
    assert cut[0, TOKENS:].tolist() == again and seen.changed == ["layer 1: w19 does not see w13"]


@torch.no_grad()
def test_a_word_that_comes_later_may_be_changed(llama):
    settings = {"max_new_tokens": 4, "min_new_tokens": 4, "do_sample": False}
    with regard.watch(llama, changes=[regard.Silence(LAYER, at=TOKENS + 1)]) as seen:
        llama.generate(text(), **settings)
    assert seen.changed == [f"layer 1 silenced at {TOKENS + 1}"]


@torch.no_grad()
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.said())
def test_without_changes_nothing_is_different_afterwards(llama, change):
    before = llama(text()).logits
    with regard.watch(llama, changes=[change]):
        llama(text())
    assert torch.equal(llama(text()).logits, before)


@torch.no_grad()
def test_what_cannot_be_changed_is_said(llama):
    for change, said in (
        (regard.Silence(7), "no such layer: layer 7 silenced; its layers are 0 .* to 2"),
        (regard.Silence(1, 6), "6 heads, counted from 0, got 6"),
        (regard.Replace(1, torch.zeros(1, 2, 3, 4)), r"layer 1 replaced: expected .* got \(1, 2, 3, 4\)"),
        (regard.Silence(1, at=TOKENS), "at word 13, but 13 words were read, counted from 0"),
        (regard.Cut(1, -1, 0), "at word -1, but 13 words were read"),
        (regard.Cut(1, 3, 99), "at word 99, but 13 words were read"),
    ):
        with pytest.raises(ValueError, match=said), regard.watch(llama, changes=[change]):
            llama(text())
    with pytest.raises(NotFound, match="words are not known"), regard.watch(llama, changes=[regard.Cut(1, "it", "a")]):
        llama(text())
    for given, said in (
        ((llama, regard.Silence(1)), "changes expects a list, got one change"),
        ((llama, ["silence"]), "a change is a regard.Silence, a Replace or a Cut, got 'silence'"),
        ((llama.forward, []), "expected a model of torch, a torch.nn.Module, got method"),
    ):
        with pytest.raises(TypeError, match=said), regard.watch(given[0], changes=given[1]):
            pass
    shows = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    with pytest.raises(ValueError, match="need_weights=False"), regard.watch(shows, changes=[regard.Silence(0)]):
        shows(*[torch.randn(1, 3, 8)] * 3)


@torch.no_grad()
@pytest.mark.parametrize("by", ["head", "layer", "word"])
def test_patching_is_one_replacement_after_the_other(llama, by):
    clean, corrupted, words = text(), (text() + 1) % WORDS, (5, 6)
    told = []
    found = regard.patch(llama, clean, corrupted, by=by, words=words, tell=lambda *at: told.append(at))
    assert told == [(1, 3), (2, 3), (3, 3)]
    parts = {"head": HEADS, "layer": 1, "word": TOKENS}[by]
    assert found.values.shape == (3, parts)

    def margin(logits):
        return float(logits[0, -1, words[0]] - logits[0, -1, words[1]])

    assert found.own == pytest.approx(margin(llama(corrupted).logits), abs=CLOSE)
    assert found.other == pytest.approx(margin(llama(clean).logits), abs=CLOSE)
    for layer in range(3):
        context = _joined_of(llama, lambda: llama(clean), layer).view(1, TOKENS, HEADS, SIZE).transpose(1, 2)
        for part in range(parts):
            change = regard.Replace(
                layer, context, head=part if by == "head" else None, at=part if by == "word" else None
            )
            with regard.watch(llama, changes=[change]):
                expected = margin(llama(corrupted).logits)
            assert found.values[layer, part] == pytest.approx(expected, abs=CLOSE)
    best = found.top(1)[0]
    assert abs(best.effect) == pytest.approx(np.abs(found.effects).max())


def test_patching_says_what_it_needs(llama):
    with pytest.raises(ValueError, match="as many tokens; got 13 and 12"):
        regard.patch(llama, text(), text(12))
    with pytest.raises(ValueError, match="by expects head, layer or word, got 'neuron'"):
        regard.patch(llama, text(), text(), by="neuron")
    with pytest.raises(ValueError, match="needs its tokenizer"):
        regard.patch(llama, "a", "b")
    with pytest.raises(NotFound, match="no single piece for 'cat'"):
        regard.patch(llama, text(), text(), Pieces(), words=("cat", "w7"))
    with pytest.raises(ValueError, match="no difference"):
        str(regard.patch(llama, text(), text()))

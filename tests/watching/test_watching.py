"""Watching changes nothing, sees what it should in every way a model can be run, and names what it cannot see."""

import threading
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from tests.watching.families import FAMILIES, HEADS, TOKENS, WORDS, text
from torch import nn
from torch.nn.functional import scaled_dot_product_attention as by_its_own_name

import regard
from regard.suggestions import NotFound

BY_NAME = {family.name: family for family in FAMILIES}
CLOSE = 1e-5


@pytest.fixture(scope="module")
def llama():
    return BY_NAME["Llama"].made()


@pytest.fixture(scope="module")
def formula():
    """The same model, which shows its weights."""
    return BY_NAME["Llama"].made("eager")


def differs(seen, shown, texts=None) -> float:
    return max(float(np.abs(seen[i].dense() - (x if texts else x[0]).numpy()).max()) for i, x in enumerate(shown))


@torch.no_grad()
def test_a_text_that_is_written_on_is_one_growing_map(llama, formula):
    with regard.watch(llama) as seen:
        written = llama.generate(text(), max_new_tokens=5, min_new_tokens=5, do_sample=False)
    assert [(layer.runs, layer.queries, layer.keys) for layer in seen.layers] == [(1, TOKENS + 4, TOKENS + 4)] * 3
    assert differs(seen, formula(written[:, :-1], output_attentions=True).attentions) <= CLOSE
    assert seen.verify().worst <= CLOSE


@torch.no_grad()
def test_another_text_begins_anew_and_the_last_one_is_kept(llama, formula):
    other = (text(TOKENS + 2) + 1) % WORDS
    with regard.watch(llama) as seen:
        llama(text())
        llama(other)
    assert [layer.runs for layer in seen.layers] == [2, 2, 2]
    assert differs(seen, formula(other, output_attentions=True).attentions) <= CLOSE


@torch.no_grad()
@pytest.mark.parametrize("name", ["T5", "BART"])
def test_what_is_written_reads_the_other_text_all_along(name):
    model = BY_NAME[name].made()
    with regard.watch(model) as seen:
        written = model.generate(text(), max_new_tokens=5, min_new_tokens=5, do_sample=False)
    decoder = written[:, :-1]
    shown = BY_NAME[name].made("eager")(input_ids=text(), decoder_input_ids=decoder, output_attentions=True)
    expected = [*shown.encoder_attentions]
    for pair in zip(shown.decoder_attentions, shown.cross_attentions):
        expected += pair
    assert differs(seen, expected) <= CLOSE
    assert [layer.is_cross for layer in seen.layers] == [False, False, False, True, False, True]


@torch.no_grad()
@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_on_either_side_is_seen_by_nobody(llama, formula, side):
    ids, mask = text(texts=2), torch.ones(2, TOKENS, dtype=torch.long)
    hidden = slice(0, 4) if side == "left" else slice(TOKENS - 4, TOKENS)
    mask[1, hidden] = 0
    before = llama(input_ids=ids, attention_mask=mask).logits
    with regard.watch(llama) as seen:
        assert torch.equal(llama(input_ids=ids, attention_mask=mask).logits, before)
    shown = formula(input_ids=ids, attention_mask=mask, output_attentions=True).attentions
    rows = mask[1].bool().numpy()  # what the padding itself reads is nobody's business
    for layer, expected in enumerate(shown):
        assert np.abs(seen.text(0)[layer].dense() - expected[0].numpy()).max() <= CLOSE
        assert np.abs(seen.text(1)[layer].dense()[:, rows] - expected[1].numpy()[:, rows]).max() <= CLOSE
        assert (seen.text(1)[layer].dense()[:, rows][..., hidden] == 0.0).all()
    assert seen.verify().worst <= CLOSE
    with pytest.raises(IndexError, match=r"2 texts .* seen.text\(0\)\[0, 1\]"):
        seen[0, 1]


def test_gradients_are_the_same_with_and_without(llama):
    def gradients() -> list[torch.Tensor]:
        llama.zero_grad()
        llama(input_ids=text(), labels=text()).loss.backward()
        return [p.grad.clone() for p in llama.parameters()]

    before = gradients()
    with regard.watch(llama) as seen:
        during = gradients()
    assert all(torch.equal(a, b) for a, b in zip(before, during, strict=True))
    assert seen.verify().worst <= CLOSE
    assert not any(layer.q.requires_grad for layer in seen.layers)


def test_a_part_that_runs_again_for_its_gradient_is_seen_once(llama):
    llama.train()
    llama.gradient_checkpointing_enable()
    try:
        with regard.watch(llama) as seen:
            llama(input_ids=text(), labels=text()).loss.backward()
    finally:
        llama.gradient_checkpointing_disable()
        llama.eval()
    assert [layer.runs for layer in seen.layers] == [1, 1, 1]


def test_while_learning_the_weights_are_those_before_dropout():
    torch.manual_seed(3)
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.5, batch_first=True).train()
    with regard.watch(layer) as seen:
        layer(torch.randn(1, 7, 16))
    assert seen[0].given() == pytest.approx(np.ones((2, 7)), abs=CLOSE)
    assert "learns, with dropout" in str(seen.verify())


class Own(nn.Module):
    """Code of one's own, which imported the function by its name."""

    def __init__(self):
        super().__init__()
        self.project = nn.Linear(8, 24)

    def forward(self, x):
        q, k, v = self.project(x).reshape(*x.shape[:2], 3, 2, 4).permute(2, 0, 3, 1, 4)
        return by_its_own_name(q, k, v, is_causal=True)


def test_a_function_imported_by_its_name_is_caught_and_given_back():
    before = by_its_own_name
    with regard.watch(Own()) as seen:
        pass
    assert by_its_own_name is before
    model = Own()
    with regard.watch(model) as seen:
        model(torch.randn(1, 5, 8))
    assert seen[0].shape == (2, 5, 5) and seen.verify().worst <= CLOSE


@pytest.mark.parametrize("learns", [False, True], ids=["read", "learned"])
def test_whoever_keeps_torch_s_function_under_a_name_of_their_own_is_seen(learns):
    """Kept by a part, closed over, by default, through the operator itself: in the end it is one operator of torch."""
    kept = {
        "part": by_its_own_name,
        "closed over": (lambda function: lambda *qkv, **more: function(*qkv, **more))(by_its_own_name),
        "default": lambda *qkv, function=by_its_own_name, **more: function(*qkv, **more),
        "operator": torch.ops.aten.scaled_dot_product_attention,
    }

    class Keeps(nn.Module):
        def __init__(self, function):
            super().__init__()
            self.function, self.project = function, nn.Linear(8, 24)

        def forward(self, x):
            q, k, v = self.project(x).reshape(*x.shape[:2], 3, 2, 4).permute(2, 0, 3, 1, 4)
            return self.function(q, k, v, is_causal=True)

    for name, function in kept.items():
        model, x = Keeps(function), torch.randn(1, 5, 8)
        with torch.set_grad_enabled(learns):
            before = model(x)
            with regard.watch(model) as seen:
                during = model(x)
        assert torch.equal(before, during) and during.requires_grad == learns, name
        assert seen[0].shape == (2, 5, 5) and seen.verify().worst <= CLOSE and seen.of(0).runs == 1, name
        if learns:
            gradients = [torch.autograd.grad(y.square().sum(), list(model.parameters())) for y in (before, during)]
            assert all(torch.equal(a, b) for a, b in zip(*gradients)), name


class OwnAttention(nn.Module):
    """As nanoGPT has it: torch's function, or the formula written out."""

    def __init__(self, by_formula):
        super().__init__()
        self.project, self.by_formula = nn.Linear(8, 24), by_formula

    def forward(self, x):
        q, k, v = self.project(x).reshape(*x.shape[:2], 3, 2, 4).permute(2, 0, 3, 1, 4)
        if self.by_formula:
            context = (q @ k.mT / 2.0).softmax(-1) @ v
        else:
            context = by_its_own_name(q, k, v)
        return x + context.transpose(1, 2).flatten(2)


def test_a_layer_that_computes_by_a_formula_of_its_own_is_named_beside_those_that_are_seen():
    model = nn.Sequential(OwnAttention(False), OwnAttention(True), OwnAttention(False))
    x = torch.randn(1, 5, 8)
    expected = model(x)
    with regard.watch(model) as seen:
        assert torch.equal(model(x), expected)
    assert [layer.name for layer in seen.layers] == ["0", "2"] and list(seen.missed) == ["1"]
    with pytest.raises(LookupError, match="1 could not be watched: it called none of torch's functions for attention"):
        seen["1"]
    assert "; 1 layer could not be watched" in repr(seen)
    model[1].by_formula = False
    with regard.watch(model) as seen:
        model[1].by_formula = True
        model(x)
        model[1].by_formula = False
        model(x)
    assert not seen.missed and len(seen) == 3
    assert not any(part._forward_hooks or part._forward_pre_hooks for part in model.modules())


@torch.no_grad()
def test_torch_s_own_encoder_is_seen_with_its_fast_path_off():
    torch.manual_seed(3)
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2).eval()
    x, hidden = torch.randn(2, 7, 16), torch.zeros(2, 7, dtype=torch.bool)
    hidden[1, 5:] = True
    was = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        before = encoder(x, src_key_padding_mask=hidden)
    finally:
        torch.backends.mha.set_fastpath_enabled(was)
    with regard.watch(encoder) as seen:
        during = encoder(x, src_key_padding_mask=hidden)
    assert torch.equal(before, during)
    assert torch.backends.mha.get_fastpath_enabled() == was
    assert len(seen) == 2 and seen.verify().worst <= CLOSE
    assert (seen.text(1)[0].dense()[..., 5:] == 0.0).all()


@torch.no_grad()
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("averaged", [True, False])
def test_multi_head_attention_that_gives_its_weights_is_seen_head_by_head(causal, averaged):
    torch.manual_seed(3)
    layer, x = nn.MultiheadAttention(16, 4, batch_first=True).eval(), torch.randn(2, 7, 16)
    mask = nn.Transformer.generate_square_subsequent_mask(7) if causal else None
    before, shown = layer(x, x, x, attn_mask=mask, average_attn_weights=averaged)
    with regard.watch(layer) as seen:
        during, _ = layer(x, x, x, attn_mask=mask, average_attn_weights=averaged)
    assert torch.equal(before, during)
    found = seen[0].dense()
    assert np.abs((found.mean(1) if averaged else found) - shown.numpy()).max() <= CLOSE
    assert torch.bmm.__name__ == "bmm" and seen.verify().worst <= CLOSE


@torch.no_grad()
def test_two_models_are_watched_at_once_and_each_sees_its_own(llama):
    other = BY_NAME["T5"].made()
    with regard.watch(llama) as first, regard.watch(other) as second:
        llama(text())
        other(**BY_NAME["T5"].inputs())
    assert (len(first), len(second)) == (3, 6)
    assert first.verify().worst <= CLOSE and second.verify().worst <= CLOSE


@torch.no_grad()
def test_a_model_in_another_thread_is_not_taken_for_this_one(llama):
    other = BY_NAME["GPT-2"].made()
    with regard.watch(llama) as seen:
        thread = threading.Thread(target=lambda: other(text()))
        thread.start()
        llama(text())
        thread.join()
    assert len(seen) == 3 and all(name.startswith("model.layers") for name in (layer.name for layer in seen.layers))


@torch.no_grad()
def test_an_error_inside_the_block_leaves_everything_as_it_was(llama):
    def replaced() -> list:
        hooks = [len(module._forward_hooks) + len(module._forward_pre_hooks) for module in llama.modules()]
        return [F.scaled_dot_product_attention, F.multi_head_attention_forward, *hooks]

    def fails() -> None:
        with regard.watch(llama):
            llama(text())
            raise KeyError

    before = replaced()
    with pytest.raises(KeyError):
        fails()
    assert replaced() == before

    with regard.watch(llama) as seen:
        with pytest.raises(IndexError):
            llama(torch.tensor([[WORDS + 1]]))
        llama(text())
    assert len(seen) == 3 and seen.verify().worst <= CLOSE


@torch.no_grad()
def test_a_compiled_model_is_run_as_it_was_written(llama):
    compiled = torch.compile(llama, backend="eager")
    with regard.watch(llama) as seen:
        compiled(text())
    assert len(seen) == 3 and seen.verify().worst <= CLOSE


@torch.no_grad()
def test_layers_and_heads_are_chosen(llama, formula):
    with regard.watch(llama, layers=[1], heads=[4, 2]) as seen:
        llama(text())
    shown = formula(text(), output_attentions=True).attentions[1][0].numpy()
    assert [layer.number for layer in seen.layers] == [1]
    for head in (2, 4):
        assert np.abs(seen[1, head].dense() - shown[head]).max() <= CLOSE
    with pytest.raises(NotFound, match=r"no layer 0 was watched; those that were: \[1\]"):
        seen[0]
    with pytest.raises(IndexError, match=r"only the heads \[4, 2\] were watched, got 3"):
        seen[1, 3]
    with pytest.raises(IndexError, match=r"expected seen\[layer\] or seen\[layer, head\], got 3 numbers"):
        seen[1, 2, 3]


@torch.no_grad()
def test_a_layer_that_does_not_exist_is_named(llama):
    with regard.watch(llama, layers=[1, 9]) as seen:
        llama(text())
    assert [layer.number for layer in seen.layers] == [1]
    assert seen.missed["layer 9"].startswith(
        "is none of this model's; its layers are 0 (model.layers.0.self_attn) to 2"
    )
    with regard.watch(llama, layers=[9]) as seen:
        llama(text())
    with pytest.raises(NotFound, match=r"layer 9 is none of this model's; its layers are 0 .* to 2"):
        seen[0]


@torch.no_grad()
@pytest.mark.parametrize("keep", ["here", "memory", "disk", "folder"])
def test_it_is_kept_where_one_wants_it(llama, formula, keep, tmp_path):
    where = tmp_path / "kept" if keep == "folder" else keep
    with regard.watch(llama, keep=where) as seen:
        llama(text())
    assert differs(seen, formula(text(), output_attentions=True).attentions) <= CLOSE
    assert not isinstance(where, Path) or list(where.iterdir())


@torch.no_grad()
def test_layers_beyond_the_budget_are_named_and_not_kept(llama):
    with regard.watch(llama) as seen:
        llama(text())
    one = seen.layers[0].bytes
    with regard.watch(llama, budget=one * 2) as seen:
        llama(text())
    assert len(seen) == 2 and list(seen.missed) == ["model.layers.2.self_attn"]
    with pytest.raises(
        NotFound, match=r"layer 2 \(model.layers.2.self_attn\) could not be watched: it would go beyond"
    ):
        seen[2]
    with (
        pytest.raises(ValueError, match="budget expects a size such as '4GB' or '500MB', got 'much'"),
        regard.watch(llama, budget="much"),
    ):
        pass


def test_nothing_seen_says_what_to_do():
    with regard.watch(nn.Linear(2, 2)) as seen:
        pass
    with pytest.raises(NotFound, match="no attention was seen: run the model inside the block"):
        seen[0]
    assert str(seen.verify()) == "nothing to compare: nothing was seen"


class Splitting:
    """A tokenizer for the test: a word per number."""

    def decode(self, ids):
        return f" word{ids[0]}"


@torch.no_grad()
def test_rows_are_asked_for_by_their_words(llama):
    with regard.watch(llama, Splitting()) as seen:
        llama(torch.tensor([[5, 7, 5, 9]]))
    assert seen[0, 1].row("word7").tolist() == seen[0, 1].row(1).tolist()
    assert seen[0, 1].row("word5@2").tolist() == seen[0, 1].row(2).tolist()
    with pytest.raises(NotFound, match="word8"):
        seen[0, 1].row("word8")
    with regard.watch(llama) as seen:
        llama(text())
    with pytest.raises(NotFound, match="pass the tokenizer"):
        seen[0, HEADS - 1].row("it")


@torch.no_grad()
def test_a_cache_that_is_written_into_later_is_kept_as_it_was(llama, formula):
    from transformers import StaticCache

    cache = StaticCache(config=llama.config, max_cache_len=2 * TOKENS)
    with regard.watch(llama) as seen:
        llama(text(), past_key_values=cache)
    expected = formula(text(), output_attentions=True).attentions
    llama((text() + 1) % WORDS, past_key_values=cache)
    for layer, shown in enumerate(expected):
        found = seen[layer].dense()
        assert np.abs(found[..., :TOKENS] - shown[0].numpy()).max() <= CLOSE
        assert (found[..., TOKENS:] == 0.0).all()

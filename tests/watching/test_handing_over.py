"""What nobody else has is kept as it is, without a copy; whoever else could write into it changes nothing."""

import gc
import weakref
from unittest import mock

import pytest
import torch
from tests.watching.families import FAMILIES, text
from torch.utils._python_dispatch import TorchDispatchMode
from transformers.models.llama import modeling_llama

import regard
from regard.watching import noting, watch
from regard.watching.handing_over import ending_of

BY_NAME = {family.name: family for family in FAMILIES}
CLOSE = 1e-5
MODES = [torch.inference_mode, torch.no_grad, torch.enable_grad]


@pytest.fixture(scope="module")
def llama():
    return BY_NAME["Llama"].made()


@pytest.fixture(scope="module")
def expected(llama):
    """By a copy of every tensor, in a folder of files."""
    with torch.no_grad(), regard.watch(llama, keep="disk") as seen:
        llama(text(), use_cache=False)
    return [seen[layer].dense() for layer in range(len(seen))]


@pytest.fixture(autouse=True, params=["now", "noted", "noted, in parts"])
def way(request, monkeypatch):
    """What a layer read is kept while the model runs, as on a CPU, or noted and taken in later, as on a GPU."""
    if request.param != "now":
        monkeypatch.setattr(noting, "is_noted_on", lambda _: True)
        monkeypatch.setattr(noting, "AT_ONCE", noting.AT_ONCE if request.param == "noted" else 1)
        monkeypatch.setattr(watch, "WAITING", watch.WAITING if request.param == "noted" else 1)
    return request.param


class Copies(TorchDispatchMode):
    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += func is torch.ops.aten.clone.default
        return func(*args, **(kwargs or {}))


def same(seen, expected) -> bool:
    return all((seen[layer].dense() == one).all() for layer, one in enumerate(expected)) and len(seen) == len(expected)


@pytest.mark.parametrize("mode", MODES)
def test_a_model_that_hands_over_what_it_made_is_watched_without_a_copy(llama, expected, mode, way):
    def copies(watches: bool) -> int:
        with mode(), Copies() as counted:
            if not watches:
                llama(text(), use_cache=False)
                return counted.count
            with regard.watch(llama) as seen:
                llama(text(), use_cache=False)
                found = counted.count  # before somebody looks
        assert same(seen, expected) and seen.verify().worst <= CLOSE
        assert not any(x.requires_grad for layer in seen.layers for x in (layer.q, layer.k, layer.v, layer.lse))
        return found

    rows = len(llama.model.layers) if way == "now" else 0  # of contexts
    assert copies(True) == copies(False) + rows


@pytest.mark.parametrize("name", ["Llama", "Mistral", "Qwen2", "Qwen3", "Gemma 3", "Phi", "GPT-NeoX", "OPT", "ViT"])
def test_most_of_transformers_models_end_in_the_same_way(name):
    """A new version of transformers may end in another: then watching is slower, and no less right."""
    model = BY_NAME[name].made()
    kinds = {type(part) for part in model.modules() if "Attention" in type(part).__name__}
    assert any(ending_of(kind) for kind in kinds)


@torch.inference_mode()
@pytest.mark.parametrize("which", ["queries", "what values are a view of"])
def test_whoever_else_holds_a_tensor_may_write_into_it(llama, expected, which, way):
    """Nothing has a version in inference mode: only a copy made in time is right. What was only noted is named."""
    held, rotate = [], modeling_llama.apply_rotary_pos_emb

    def writes(*_) -> None:
        held[-1].zero_()

    def rotated(q, k, *more):
        found = rotate(q, k, *more)
        held.append(found[0])
        return found

    layer = llama.model.layers[1].self_attn
    handles = [layer.o_proj.register_forward_hook(writes)]
    if which != "queries":
        handles.append(layer.v_proj.register_forward_hook(lambda _part, _given, answer: held.append(answer)))
    try:
        with (
            mock.patch.object(modeling_llama, "apply_rotary_pos_emb", rotated if which == "queries" else rotate),
            regard.watch(llama) as seen,
        ):
            llama(text(), use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    if way == "now":
        assert same(seen, expected)
    else:
        assert "somebody has written into what it read" in seen.missed["model.layers.1.self_attn"] or which == "queries"
        assert all((seen[layer.number].dense() == expected[layer.number]).all() for layer in seen.layers)
    assert seen.verify().worst <= CLOSE


@torch.inference_mode()
def test_a_layer_that_writes_into_what_it_reads_is_still_compared_with_what_came_before(llama, expected):
    handle = llama.model.layers[1].self_attn.o_proj.register_forward_pre_hook(lambda _part, given: given[0].zero_() * 0)
    try:
        with regard.watch(llama) as seen:
            llama(text(), use_cache=False)
    finally:
        handle.remove()
    assert (seen[1].dense() == expected[1]).all() and seen.verify().worst <= CLOSE


@torch.inference_mode()
def test_another_caller_than_the_part_itself_may_write_into_it_afterwards(llama):
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    part = llama.model.layers[0].self_attn
    q, k = torch.randn(1, 6, 5, 4), torch.randn(1, 2, 5, 4)

    def call(**settings):
        own = q.clone()
        function = ALL_ATTENTION_FUNCTIONS.get_interface("sdpa", None)
        function(part, own, k, k, None, dropout=0.0, **settings)
        own.zero_()

    part_groups, part.num_key_value_groups = part.num_key_value_groups, 3
    try:
        with regard.watch(llama) as seen:
            call()
    finally:
        part.num_key_value_groups = part_groups
    assert torch.equal(seen.of(0).q, q) and seen.verify().worst <= CLOSE


def test_what_was_seen_goes_when_nobody_has_it_any_more(llama):
    gc.collect()
    gc.disable()  # a cycle would keep a GPU's memory until somebody collects it
    try:
        with torch.no_grad(), regard.watch(llama) as seen:
            llama(text())
        seen.look(0)
        assert seen.verify().worst <= CLOSE
        gone = weakref.ref(seen)
        del seen
        assert gone() is None
    finally:
        gc.enable()


@torch.no_grad()
def test_words_that_are_written_into_afterwards_are_those_that_were_read(llama):
    ids = text().clone()
    with regard.watch(llama) as seen:
        llama(ids)
    read = ids[0].tolist()
    ids.zero_()
    assert seen.words.numbers(seen.of(0), 0) == read

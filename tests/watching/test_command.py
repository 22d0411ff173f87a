"""`regard watch`: the English model as transformers runs it, against the same model in glass."""

import json
import os
import re
import sys

import pytest

import regard
from regard.cli.main import run

SENTENCE = "The animal didn't cross the street because it was too tired"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    there = tmp_path_factory.mktemp("watched") / "english"
    assert run(["convert", "english", str(there)]) == 0
    return str(there)


def test_who_lets_it_read_animal_is_what_glass_says(folder, capsys):
    assert run(["watch", folder, SENTENCE, "--from", "it", "--to", "animal", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == f"opening {folder} with transformers ...\n"
    found = json.loads(out)
    trace = regard.explain(SENTENCE, model="english")
    for row in found:
        weight = trace[f"layer{row['layer']}.weights[{row['head']},it,animal]"]
        assert row["weight"] == pytest.approx(weight, abs=1e-5)
    assert (found[0]["layer"], found[0]["head"]) == (2, 2)
    assert [row["weight"] for row in found] == sorted((row["weight"] for row in found), reverse=True)


def test_the_screen_says_how_right_it_is(folder, capsys):
    assert run(["watch", folder, SENTENCE, "--from", "it", "--to", "animal", "--top", "2"]) == 0
    said = capsys.readouterr().out
    assert '"it" reads "animal"' in said and "layer 2 head 2" in said and "the first 2 of 30 heads" in said
    off = re.search(r"6 layers compared with the model's own output: at most (\S+) off", said)
    assert off is not None and float(off[1]) < 1e-4


def test_heads_by_a_habit_and_one_head(folder, capsys):
    assert run(["watch", folder, SENTENCE, "--sort", "previous", "--top", "1"]) == 0
    assert "by previous" in capsys.readouterr().out
    assert run(["watch", folder, SENTENCE, "--layer", "2", "--head", "2", "--top", "1"]) == 0
    assert re.search(r"it +animal 0\.581", capsys.readouterr().out)


@pytest.mark.parametrize(
    "options, message",
    [
        (["--layer", "2"], "--layer and --head go together"),
        (["--sort", "inductive"], "no habit 'inductive' to sort by"),
        (["--from", "it", "--to", "cat"], "cat"),
        (["--layer", "9", "--head", "0"], "no layer 9 was watched"),
    ],
)
def test_what_cannot_be_shown_says_why(folder, options, message, capsys):
    assert run(["watch", folder, SENTENCE, *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_without_what_it_needs_it_says_what_to_install(folder, missing, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, missing, None)
    assert run(["watch", folder, SENTENCE]) == 2
    assert "needs torch and transformers; install them with: pip install 'regard[models]'" in capsys.readouterr().err


def test_a_folder_that_is_none_says_what_to_do(tmp_path, capsys):
    assert run(["watch", str(tmp_path), SENTENCE]) == 2
    assert "is no Hugging Face folder" in capsys.readouterr().err


def test_pickles_and_code_of_a_folder_are_never_run(folder, tmp_path, capsys):
    import shutil

    there = tmp_path / "hostile"
    shutil.copytree(folder, there)
    config = json.loads((there / "config.json").read_text())
    (there / "canary.py").write_text("open('fired', 'w')\nclass Model: ...\n")
    config |= {"auto_map": {"AutoConfig": "canary.Model", "AutoModel": "canary.Model"}, "model_type": "unheard-of"}
    (there / "config.json").write_text(json.dumps(config))
    assert run(["watch", str(there), SENTENCE]) == 2
    assert "cannot load" in capsys.readouterr().err

    (there / "config.json").write_text((there.parent / "hostile" / "config.json").read_text())
    shutil.copy(f"{folder}/config.json", there / "config.json")
    (there / "model.safetensors").rename(there / "pytorch_model.bin")
    assert run(["watch", str(there), SENTENCE]) == 2
    assert "cannot load" in capsys.readouterr().err


def trap(there, name, made):
    (there / name).unlink(missing_ok=True)
    made(there / name)


TRAPS = {
    "a pipe as weights": (lambda there: trap(there, "model.safetensors", os.mkfifo), "is not a plain file"),
    "a pipe beside": (lambda there: trap(there, "generation_config.json", os.mkfifo), "is not a plain file"),
    "a device": (
        lambda there: trap(there, "tokenizer.json", lambda path: path.symlink_to("/dev/zero")),
        "is not a plain file",
    ),
    "a link": (
        lambda there: trap(there, "tokenizer.json", lambda path: path.symlink_to(__file__)),
        "a link that leads out",
    ),
    "layers without end": (
        lambda there: (there / "config.json").write_text('{"text_config": {"num_hidden_layers": 1000000}}'),
        "asks for 1,000,000 layers; at most 1,000",
    ),
    "depth without end": (lambda there: (there / "config.json").write_text("[" * 100_000), "nested too deeply"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_refused_before_anybody_opens_it(name, folder, tmp_path, monkeypatch, capsys):
    import shutil

    monkeypatch.setitem(sys.modules, "transformers", None)  # whatever it would do, it is not asked
    set_up, said = TRAPS[name]
    shutil.copytree(folder, there := tmp_path / "trap")
    set_up(there)
    assert run(["watch", str(there), SENTENCE]) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 2


def test_a_panic_of_what_reads_tokenizers_is_one_line(folder, monkeypatch, capsys):
    import transformers

    class Panic(BaseException):
        """As Rust's are."""

    def panics(*_, **__):
        raise Panic("index out of bounds")

    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", panics)
    assert run(["watch", folder, SENTENCE]) == 2
    assert "cannot load" in (told := capsys.readouterr().err) and told.count("\n") == 2


@pytest.mark.parametrize(
    "change",
    [
        {"num_hidden_layers": 8},
        {"architectures": ["BertModel"]},
        {"architectures": ["pipeline"], "hidden_size": "x"},
        {"architectures": 5, "num_attention_heads": 0},
        {"dtype": "float3"},
    ],
)
def test_a_folder_whose_numbers_are_not_all_there_is_refused(folder, change, tmp_path, capsys):
    import shutil

    there = tmp_path / "changed"
    shutil.copytree(folder, there)
    config = json.loads((there / "config.json").read_text())
    (there / "config.json").write_text(json.dumps({**config, **change}))
    assert run(["watch", str(there), SENTENCE]) == 2
    said = capsys.readouterr().err
    assert ("cannot load" in said or "lacks" in said) and "Traceback" not in said


def test_a_damaged_file_an_empty_text_and_no_such_head(folder, tmp_path, capsys):
    import shutil

    there = tmp_path / "damaged"
    shutil.copytree(folder, there)
    (there / "model.safetensors").write_bytes(b"\x00" * 20)
    assert run(["watch", str(there), SENTENCE]) == 2
    assert run(["watch", folder, " "]) == 2
    assert run(["watch", folder, SENTENCE, "--layer", "0", "--head", "9"]) == 2
    assert "has 5 heads, counted from 0, got 9" in capsys.readouterr().err

"""Bad input gets one clear line and exit code 2, or a correct answer: never a traceback, never NaN."""

import json

import pytest

from regard.cli.main import run

MISUSE = {
    "empty text": (["explain", ""], "no words"),
    "only spaces": (["explain", "   \n\t "], "no words"),
    "only control characters": (["explain", "\x01\x02\x1b"], "no words"),
    "ten thousand words": (["explain", "word " * 10_000], "reads at most 64"),
    "unknown model": (["explain", "a", "--model", "foxx"], "did you mean fox?"),
    "unknown mask": (["explain", "a", "--mask", "causl"], "did you mean causal?"),
    "unknown query": (["explain", "The fox", "--query", "dog"], "no query 'dog'"),
    "query out of range": (["explain", "The fox", "--query", "7"], "does not exist; there are 2"),
    "repeated query word": (["explain", "the fox the", "--query", "the"], "the@0, the@2"),
    "next of two words": (["explain", "The fox", "--next", "jumps over"], "must be one word"),
    "empty next": (["explain", "The fox", "--next", ""], "the next word is empty"),
    "next of spaces": (["explain", "Once upon", "--model", "english", "--next", " "], "the next word is empty"),
    "a NaN edit": (["explain", "The fox", "--edit", "weights[fox,fox]=nan"], "finite"),
    "an infinite edit": (["explain", "The fox", "--edit", "weights[fox,fox]=inf"], "finite"),
    "an edit too large to compute with": (["explain", "The fox", "--edit", "E[fox,0]=1e200"], "at most 1e+30"),
    "a rate that is no number": (["explain", "The fox", "--next", "jumps", "--rate", "nan"], "a rate expects a finite"),
    "a hidden weight dragged": (["explain", "The fox", "--move", "weights[The,fox]=0.5"], "hidden by the mask"),
    "a loss that is not there": (["why", "loss", "--text", "The fox"], "--next WORD"),
    "a text without quotes": (["explain", "The", "quick", "fox"], "in quotes"),
    "a model that is no option": (
        ["patch", "english", "A cat", "A $dog", "--top", "3"],
        "(A $dog): the model is an option here: regard patch 'A cat' 'A $dog' --top 3 --model english",
    ),
    "a toy's file that is no option": (["flow", "mine.toml", "A cat"], "regard flow 'A cat' --model mine.toml"),
    "a folder that is no option, and needs to be none": (["watch", ".", "A", "cat"], "(cat): put a text"),
    "a head not named": (["why", "weights[mat,cat]", "--model", "two-heads"], "say which one first"),
    "a head that is a word": (["why", "weights[fox,fox,fox]"], "the axis head has no words; give a number from 0 to 0"),
    "an edit without a value": (["explain", "The fox", "--edit", "weights[fox,fox]"], "write it like"),
    "an edit of no number": (["explain", "The fox", "--edit", "weights[fox,fox]=much"], "is not a number"),
    "a cell that does not exist": (["why", "weights[fox,dog]"], "no key 'dog' here"),
    "a step that does not exist": (["why", "wieghts[fox,fox]"], "did you mean"),
    "a measurement that does not exist": (["why", "entorpy[fox]"], "did you mean entropy?"),
    "a measured step that does not exist": (["why", "flow.wrods[fox]"], "did you mean flow.words"),
    "an open bracket": (["why", "weights[fox"], "closing bracket"),
    "too many positions": (["why", "weights[0,0,0,0]"], "got 4 positions"),
    "a whole step": (["why", "weights"], "is not one number"),
    "a gradient without a next word": (["why", "weights.grad[fox,fox]", "--text", "The fox"], "--next WORD"),
    "a mask cell edited": (["explain", "The fox", "--edit", "visible[0,0]=0"], "replace it with pin"),
    "moved beyond one": (["explain", "The fox", "--move", "weights[fox,fox]=1.5"], "between 0 and 1"),
    "moved scores": (["explain", "The fox", "--move", "scores[fox,fox]=0.5"], "set the cell with edit"),
    "moved a lonely weight": (["explain", "The fox", "--move", "weights[The,The]=0.5"], "no other cell"),
    "unknown option": (
        ["explain", "a", "--colour"],
        "No such option: --colour; regard explain --help lists what there is",
    ),
    "unknown command": (["explane", "a"], "No such command"),
    "missing argument": (["generate"], "Missing argument"),
    "missing cell": (["why"], "Missing argument 'cell'; regard why --help lists what there is"),
    "a hidden word without a letter": (
        ["heads", "The fox", "--hide", ""],
        "hide expects a word, such as fox, got nothing",
    ),
    "a hidden word without an end": (["heads", "The fox", "--hide", "x" * 500], "of at most 300 characters, got 500"),
    "an edit without a cell": (["explain", "The fox", "--edit", "=1"], "edit expects a cell, such as weights[fox,fox]"),
    "an empty model": (["explain", "The fox", "--model", ""], "--model expects a name such as english"),
    "a model of spaces": (["near", "fox", "--model", " "], "--model expects a name such as english"),
    "an empty model of a file": (["export", "The fox", "--model", ""], "--model expects a name such as english"),
    "cards of no lesson": (["lesson", "--cards"], "--cards is about one lesson; name it: regard lesson NAME --cards"),
    "cards of no lesson as JSON": (["lesson", "--cards", "--json"], "--cards is about one lesson"),
    "claims of no lesson": (["lesson", "--claims"], "--claims is about one lesson"),
    "a knob of no lesson": (["lesson", "--turn", "3"], "--turn is about one lesson"),
    "a number of no lesson": (["lesson", "--why", "loss"], "--why is about one lesson"),
    "unknown lesson": (["lesson", "foxes"], "did you mean fox?"),
    "a toy's file without a name": (["toy", "new", ""], "call it 'mine.toml'"),
    "a missing page": (["check", "no-such-page.md"], "no-such-page.md"),
    "digits out of range": (["explain", "a", "--digits", "99"], "digits"),
}


def in_the_toy(arguments):
    """The same command about the fox, unless it names another model."""
    own = arguments[0] == "explain" and "--model" not in arguments
    return [*arguments, "--model", "fox"] if own else arguments


@pytest.mark.parametrize("case", MISUSE, ids=str)
def test_misuse_gets_one_line_and_exit_code_2(case, capsys):
    arguments, said = MISUSE[case]
    assert run(in_the_toy(arguments)) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert err.startswith("regard: ")
    assert not out


GOOD = {
    "one word": ["explain", "fox", "--next", "jumps"],
    "unknown words": ["explain", "A zebra sings", "--next", "opera"],
    "emoji": ["explain", "I 👍🏽 the 👨‍👩‍👧 fox", "--next", "jumps"],
    "markup": ["explain", "<script>alert(1)</script> [bold]fox[/bold]", "--next", "jumps"],
    "control characters": ["explain", "The\x00 quick\x1b[31m fox\x7f", "--next", "jumps"],
    "other scripts": ["explain", "नमस्ते दुनिया 你好 שלום", "--next", "jumps"],
    "repeated words": ["explain", "the fox the fox the", "--next", "jumps"],
    "sixty-four words": ["explain", "word " * 64, "--next", "jumps"],
    "a huge edit": ["explain", "The fox", "--next", "jumps", "--edit", "logits[apple]=1e9"],
    "a huge score": ["explain", "The fox", "--next", "jumps", "--edit", "scores[fox,fox]=1e30"],
    "a score beyond softmax": ["explain", "The fox", "--next", "jumps", "--edit", "scores[fox,fox]=-1e30"],
    "query hides all others": ["explain", "The quick fox", "--query", "The", "--next", "jumps"],
    "a probability below nothing": ["explain", "The fox", "--next", "jumps", "--edit", "probabilities[jumps]=-1"],
    "a negative exponential": ["explain", "The fox", "--next", "jumps", "--edit", "exps[fox,fox]=-0.5"],
    "a total of nothing": ["explain", "The fox", "--next", "jumps", "--edit", "total[fox]=0"],
    "a far peak": ["explain", "The fox", "--next", "jumps", "--edit", "peak[fox]=-1000"],
    "a negative variance": [
        "explain",
        "fox",
        "--next",
        "cat",
        "--model",
        "untrained",
        "--edit",
        "norm.variance[fox]=-1",
    ],
    "a deviation of nothing": [
        "explain",
        "fox",
        "--next",
        "cat",
        "--model",
        "untrained",
        "--edit",
        "norm.deviation[fox]=0",
    ],
    "certain of another word": ["explain", "The fox", "--next", "jumps", "--move", "probabilities[apple]=1"],
    "a next word that looks like a number": ["explain", "The fox", "--next", "2"],
    "a next word that is a quote": ["explain", "The fox", "--next", '"'],
    "a next word in parts": ["explain", "The fox", "--next", "cafe\u0301"],
    "both ways": ["explain", "The quick fox", "--mask", "both", "--next", "jumps"],
}


@pytest.mark.parametrize("case", GOOD, ids=str)
def test_odd_input_gets_a_correct_answer_without_nan(case, capsys):
    arguments = in_the_toy(GOOD[case])
    assert run(arguments) == 0
    screen = capsys.readouterr().out
    assert "nan" not in screen.lower().split() and "not a number" not in screen
    assert "\x00" not in screen and "\x1b" not in screen
    assert run([*arguments, "--json"]) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=lambda token: pytest.fail(f"not strict JSON: {token}"))
    probabilities = [c["probability"] for c in data["candidates"]]
    assert all(p is not None for p in probabilities)
    if "probabilities" not in "".join(arguments):
        assert abs(sum(probabilities) - 1) < 1e-9
    if "--edit" not in arguments:
        assert abs(sum(r["weight"] for r in data["readings"]) - 1) < 1e-9


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe\x00bad", b"", "softmax([1,2]) = [0.27, 0.73]".encode("utf-16"), b"2 + 2 = 4 in the caf\xe9"],
)
def test_pages_in_broken_encodings_are_read(content, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_bytes(content)
    assert run(["check", str(page)]) in (0, 1)
    assert capsys.readouterr().out


def test_what_does_not_fit_into_memory_is_told_in_one_line(capsys, monkeypatch):
    def too_large(*_):
        raise MemoryError("Unable to allocate 726. GiB")

    monkeypatch.setattr("regard.models.catalogue.find_model", too_large)
    assert run(["generate", "The fox"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "more memory than there is" in said and "726. GiB" in said


def test_words_of_megabytes_are_not_printed(tmp_path, capsys):
    (tmp_path / "long.txt").write_text("k" * 2_000_000 + " 1 2\n")
    assert run(["vectors", "near", str(tmp_path / "long.txt"), "king"]) == 2
    assert len(capsys.readouterr().err) < 500


def test_a_wrong_page_exits_1_and_names_file_and_line(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("fine: 1 + 1 = 2\n\nnot fine: 0.5*0.66 + 0.2*0.525 = 0.33 + 0.105 = 0.445\n")
    assert run(["check", str(page)]) == 1
    out = capsys.readouterr().out
    assert f"{page}:3" in out.replace("\n", "") and "0.435" in out and "wrong" in out


@pytest.mark.parametrize("group", ["toy", "vectors"])
def test_a_group_alone_shows_its_help(group, capsys):
    assert run([group]) == 0
    alone = capsys.readouterr().out
    assert run([group, "--help"]) == 0 and capsys.readouterr().out == alone and "Commands:" in alone

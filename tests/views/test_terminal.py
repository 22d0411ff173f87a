"""The screen: drawn for 120 columns, one page for short texts, the same numbers everywhere."""

import json
import re
import shlex

import pytest
from rich.cells import cell_len

import regard
from regard.cli.main import run
from regard.lens.explanation import explanation
from regard.lessons.claims_of_run import claims_beside
from regard.models.catalogue import find_model
from regard.ops import Merge
from regard.views.ink import Ink, cells_of
from regard.views.terminal import render, render_html, screen

STAGES = {
    "1": "EMBED", "2": "PROJECT", "3-5": "SCORE", "6": "MIX", "7": "HEADS", "8": "LOGITS", "9": "PREDICT", "10": "LOSS",
    "11": "BLAME", "12": "UPDATE",
}  # fmt: skip
EIGHT_WORDS = ("The", "quick", "brown", "fox", "jumps", "over", "lazy", "dogs")


def drawn(text="The quick brown fox", next="jumps", model="fox", **ink) -> list[str]:
    trace = find_model(model).run(text, next)
    return [line.plain.rstrip() for line in screen(explanation(trace), Ink(**ink), claims_beside(trace))]


def test_all_twelve_stages_are_there():
    text = "\n".join(drawn())
    assert all(f"{number} {name}" in text for number, name in STAGES.items())


def test_the_documents_claims_stand_beside_the_probabilities():
    lines = drawn()
    assert any("fox" in line and "text says 0.29 ✓" in line for line in lines)
    assert any("text says 0.26 ✗ (line 158; 0.2693 rounds to 0.27)" in line for line in lines)


def test_the_claims_are_for_those_who_ask():
    assert not any(
        sign in line
        for line in str(regard.explain("The quick brown fox", next="jumps")).splitlines()
        for sign in ("text says", "✗")
    )


def test_claims_are_only_shown_for_the_documents_own_run():
    assert not any("text says" in line for line in drawn("The quick brown fox sat"))
    trace = regard.explain("The quick brown fox", next="jumps")
    assert claims_beside(trace)
    assert not claims_beside(trace.edit("weights[fox,fox]", 0.2))
    assert not claims_beside(trace.update(0.1))


@pytest.mark.parametrize("model", ["fox", "two-heads", "untrained"])
@pytest.mark.parametrize("words", [1, 4, 8])
def test_up_to_eight_words_fit_one_screen_of_120_columns(model, words):
    text = " ".join(EIGHT_WORDS[:words])
    lines = drawn(text, "sleeping", model)
    assert len(lines) <= 48
    assert max(map(cell_len, lines)) <= 120


@pytest.mark.parametrize("width", [60, 80, 100])
def test_narrow_screens_drop_columns_by_name_or_wrap(width):
    lines = drawn(width=width)
    assert max(map(cell_len, lines)) <= width
    assert any(line.strip().startswith("not shown at this width: ") for line in lines)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("model", ["fox", "untrained"])
def test_no_screen_is_too_narrow_for_the_bars_of_the_weights(model, width):
    lines = drawn(model=model, width=width)
    began = next(i for i, line in enumerate(lines) if line.startswith("3-5 "))
    assert all(set("▏▎▍▌▋▊▉█") & set(line) for line in lines[began + 2 : began + 6])


def test_a_word_s_mark_leaves_no_empty_line_below_it_on_a_narrow_screen():
    trace = find_model("fox").run("The quick brown fox", "jumps")
    lines = [line.plain for line in screen(explanation(trace), Ink(width=60))]
    marked = next(i for i, line in enumerate(lines) if line.endswith("predicted"))
    assert lines[marked + 1].endswith("target")


def test_what_the_first_line_has_no_room_for_stands_below_it():
    assert drawn(width=60)[:3] == [
        "model   fox (Attention Mechanism – Toy Example)   width 2",
        "        heads 1  vocabulary 4  causal",
        '        query = last word "fox"',
    ]


def stage_7(model, width=120):
    own = find_model(model)
    lines = drawn(own.sentence, own.next, model, width=width)
    began = next(i for i, line in enumerate(lines) if line.startswith(" 7 HEADS"))
    return " ".join(" ".join(lines[began : next(i for i, line in enumerate(lines) if line.startswith(" 8 "))]).split())


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_heads_of_a_text_of_ten_words_are_joined_on_screen(width):
    said = stage_7("four-heads", width)
    strip = "side by side [0.60 0.09 | 0.55 0.05 | 0.45 0.12 | 0.30 0.25] · W_O"
    joined = "0.60 0.55 0.45 0.12 … 4 more" if width == 120 else "0.60 0.55 0.45 0.12 0.30 0.30 0.09 0.00"
    assert f"{strip} = [{joined}]" in said, "all of it, unless its beginning saves a line"
    assert "add to the word: sat + what the heads read = [0.60 0.55 0.45 1.12 1.30 0.30 0.09 0.00]" in said


def test_what_is_added_to_the_word_is_named_wherever_it_is_added():
    assert "add to the word: apple + what the head read = [" in stage_7("apple")
    said = stage_7("fruit-or-company")
    assert "add to the word: apple + what the head read = [1.0704 0.7035]" in said, "one head, and no W_O"
    assert "· W_O + b_O = [" in stage_7("untrained")
    assert "add to the word" not in stage_7("fox"), "what was read takes the word's place"


@pytest.mark.parametrize("plain, heading", [(False, "e^(s−64)"), (True, "e^(s-64)")])
def test_scores_that_are_shifted_before_they_are_exponents_say_so(plain, heading):
    found = explanation(find_model("apple").run("Apple unveiled a new phone", query="phone"))
    lines = screen(found, Ink(plain=plain))
    line = next(line for line in lines if heading in line.plain)
    assert [cell for start, end, cell in cells_of(line) if line.plain[start:end] == "64"] == ["layer0.peak[0,4]"]
    assert any(re.search(r"\be\^s\b", line) for line in drawn()), "nothing is shifted there"


WAY_BACK = ("logits", "context", "v", "weights", "scores", "q", "k")


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("model", ["fox", "untrained", "english"])
def test_blame_goes_back_as_the_computation_came(model, width):
    own = find_model(model)
    lines = screen(explanation(own.run(own.sentence, own.next)), Ink(width=width))
    began = next(i for i, line in enumerate(lines) if line.plain.startswith("11 "))
    ended = next(i for i, line in enumerate(lines) if line.plain.startswith("12 "))
    said = " ".join(line.plain for line in lines[began:ended])
    labels = re.findall(r"∂(\w+)|\|(grad)\|", said)
    assert [name or matrices for name, matrices in labels] == [*WAY_BACK, "grad"]
    arrows = re.findall(r"→ +[∂|](\w+)", said)
    assert arrows == ["context", "v", "scores", "q", "grad"], "weights come of what v comes of, k of what q does"
    names = [cell.partition("[")[0] for line in lines[began:ended] for _, _, cell in cells_of(line)]
    written = dict.fromkeys(name.removesuffix(".grad").rpartition(".")[2] for name in names if name.endswith(".grad"))
    few = model == "fox"  # in the others, vectors are too long to be written for each word
    assert list(written) == [name for name in WAY_BACK if few or name not in "kv"]


def test_what_a_score_is_blamed_for_is_told_before_it_was_scaled():
    """As the lesson on the way back has it: `regard lesson backward`."""
    trace = regard.explain("The quick brown fox", next="jumps")
    line = next(line for line in screen(explanation(trace), Ink()) if "∂scores" in line.plain)
    assert "∂scores The ▼0.0009  quick ▼0.0038  brown ▲0.0042  fox ▲0.0005" in line.plain
    assert [cell for _, _, cell in cells_of(line)][:4] == [f"layer0.scores.grad[0,3,{i}]" for i in range(4)]


def test_the_strongest_blame_is_found_beside_many_that_have_none():
    own = find_model("four-heads")
    trace = own.run(own.sentence, own.next).backward()
    blame = trace.array("weights.grad")[1, trace.info["query"]]
    assert [i for i, value in enumerate(blame) if abs(value) > 1e-6] == [9]
    assert f"mat {blame[9]:+.4f}" in str(trace)


def test_rounding_is_no_advice_for_a_weight_that_was_dragged():
    trace = find_model("cat").run("the cat sat", "cat").backward().move("weights[sat,cat]", 0.2)
    assert 0 < abs(trace["scores.grad[sat,cat]"]) < 1e-16
    assert "∂scores the ▲0.0089  cat 0.0000  sat ▼0.0089" in str(trace)


def test_long_texts_show_the_top_words_and_say_what_is_hidden():
    lines = drawn("one two three four five six seven eight nine ten eleven twelve")
    said = next(line for line in lines if "more words," in line and "together" in line)
    hidden = int(re.search(r"… (\d+) more", said).group(1))
    shown = [line for line in lines if re.match(r" {8}\w+ +-?\d", line)]
    assert hidden + len(shown) == 12
    assert float(re.search(r"([\d.]+) together", said).group(1)) < 0.6


def test_plain_has_no_signs_beyond_letters_and_formulas():
    text = "\n".join(drawn(plain=True))
    assert not set("█▏◄✓✗▲▼•") & set(text)


def test_digits_are_obeyed():
    assert any("0.26927817" in line for line in drawn(digits=8))


def test_a_trace_prints_itself_and_shows_itself_in_a_notebook():
    trace = regard.explain("<b>The</b> fox & <script>", next="jumps", model="fox")
    assert str(trace) == render(trace)
    html = render_html(trace)
    assert "<script>" not in html and "&lt;script&gt;" not in html.replace("&lt;</span>", "")
    assert trace._repr_html_() == html
    assert "<b>" not in html


def test_a_trace_without_a_prediction_lists_its_steps():
    text = str(regard.attention([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0], [2.0]]))
    assert "weights" in text and "context" in text


def changed(trace):
    """The same run with one cell of each step edited, and with each step pinned as a whole."""
    for step in trace.forward:
        if isinstance(step.op, Merge):
            continue  # nothing reads it, so a change there is refused
        if step.value.dtype.kind == "f":
            cell = f"{step.name}[{','.join('0' * len(step.shape))}]" if step.shape else step.name
            yield f"edit {cell}", trace.edit(cell, 0.25)
        yield f"pin {step.name}", trace.pin(step.name, step.value)


@pytest.mark.parametrize("model", ["fox", "two-heads", "untrained"])
def test_the_screen_can_show_any_run_with_any_number_changed(model):
    own = find_model(model)
    for change, trace in changed(own.run(own.sentence, own.next).backward()):
        e = explanation(trace, check=False)
        text = "\n".join(line.plain for line in screen(e, Ink()))
        assert "not a number" not in text, change
        pair = e.contributions
        assert sum(c.contribution for c in pair.components) + pair.rest == pytest.approx(pair.difference), change


def test_an_edit_is_named_and_its_weight_is_marked():
    text = str(regard.explain("The quick brown fox", next="jumps").move("weights[fox,fox]", 0.2))
    assert "1 edit (weights[fox,fox] dragged to 0.2)" in text
    assert "*0.200" in text


def test_the_weight_after_the_update_is_that_of_the_same_word():
    trace = find_model("untrained").run("The dog sat", "cat")
    e = explanation(trace)
    top = max(e.readings, key=lambda r: r.weight.value)
    assert e.learning is not None
    after = (
        trace.backward()
        .update(e.learning.rate.value)
        .array(f"{e.layer}.weights")[e.component.head, e.query, top.position]
    )
    assert f"α({top.word}) {after:.4f}" in str(trace)


@pytest.mark.parametrize(
    "arguments",
    [
        ["The quick brown fox", "--next", "jumps"],
        ["The quick brown fox", "--next", "jumps", "--mask", "both", "--query", "quick"],
        ["The quick brown fox", "--next", "jumps", "--move", "weights[fox,fox]=0.2"],
        ["The quick brown fox", "--next", "jumps", "--edit", "weights[fox,fox]=0.05"],
        ["The quick brown fox", "--next", "jumps", "--move", "weights[fox,fox]=0.2", "--edit", "weights[fox,The]=0.5"],
        ["The quick brown fox", "--next", "jumps", "--edit", "scores[fox,fox]=0.1", "--move", "weights[fox,fox]=0.6"],
        ["The quick brown fox", "--next", "jumps", "--edit", "weights[fox,fox]=0.5", "--edit", "weights[fox,The]=0.35",
         "--move", "weights[fox,brown]=0.7"],
        ["The quick brown fox", "--next", "jumps", "--hide", "fox"],
        ["The quick brown fox", "--hide", "quick", "--move", "weights[fox,fox]=0.1", "--model", "fox"],
        ["The quick brown fox", "--next", "jumps", "--move", "weights[fox,fox]=0.1", "--hide", "brown", "--query", "1"],
        ["Once there was a girl who couldn't see", "--edit", "layer5.scores[0,see,girl]=9", "--next", "the"],
        ["Once there was a girl who couldn't see", "--query", "girl", "--mask", "both", "--hide", "was"],
        ["The cat sat on the mat", "--model", "masked", "--query", "mat", "--hide", "sat"],
        ["the [MASK] saw the [MASK]", "--model", "masked", "--query", "4"],
        ["price: $5 `now`; \"a 'b\" \\ * !x", "--model", "untrained"],
        ["I didn't see the dog", "--model", "untrained"],
        ["the cat the cat", "--model", "two-heads", "--next", "purring"],
    ],
    ids=str,
)  # fmt: skip
def test_the_command_suggested_opens_the_number_on_the_screen(arguments, capsys):
    assert run(["explain", *arguments, "--json"]) == 0
    readings = json.loads(capsys.readouterr().out)["readings"]
    shown = shown_by_the_hint(arguments, capsys)
    assert shown == pytest.approx(max(r["weight"] for r in readings), abs=1e-8)


def test_it_can_be_copied_from_a_narrow_screen(capsys, monkeypatch):
    arguments = ["a \"b 'c  * $d", "--model", "untrained", "--move", "layer1.weights[0,4,0]=0.9", "--hide", "1"]
    wide = shown_by_the_hint(arguments, capsys)
    monkeypatch.setenv("COLUMNS", "50")
    assert shown_by_the_hint(arguments, capsys) == wide


def shown_by_the_hint(arguments, capsys):
    """The number that is printed when the command at the end of the screen is copied into a shell."""
    assert run(["explain", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(" next"))
    hint = "\n".join(line[12:] for line in lines[start:])
    words = shlex.split(hint.replace("\\\n", " "))  # a shell goes on after a backslash at the end of a line
    assert run([*words[1:], "--digits", "9"]) == 0
    return float(re.search(r"= (-?[\d.]+(?:e-\d+)?)", capsys.readouterr().out).group(1))

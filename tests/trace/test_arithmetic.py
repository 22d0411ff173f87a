"""What is printed is what was computed: the arithmetic of cells, forward and backward, evaluates to the cells."""

import math
import re

import numpy as np
import pytest

from regard.ops.expression import Call, Leaf, Number, Sum
from regard.toys.shipped import shipped
from regard.trace import Cell

LIMIT = 1e-12


def magnitude(tree) -> float:
    """The sum of the sizes of what was added up: what rounding is relative to."""
    if isinstance(tree, Leaf | Number):
        return abs(tree.value)
    if isinstance(tree, Sum):
        return float(np.abs(tree.values).sum())
    assert isinstance(tree, Call)
    parts = [magnitude(p) for p in tree.parts]
    if tree.sign in ("+", "-", "negative"):
        return sum(parts)
    if tree.sign == "*":
        return math.prod(parts)
    if tree.sign == "/":
        return parts[0] / abs(tree.parts[1].value) if tree.parts[1].value else 0.0
    return max(abs(tree.value), 1e-3)


def assert_prints_itself(trace, step, at) -> None:
    why = trace.why(Cell(step, at))
    printed = why.numpy()
    with np.errstate(all="ignore"):
        computed = float(eval(printed, {"np": np}))
    value = float(step.value[at])
    if not math.isfinite(value):
        assert computed == value, (step.name, at, printed)
    else:
        assert abs(computed - value) <= LIMIT * max(magnitude(why.expression), 1e-12), (step.name, at, printed)


def every_cell(trace) -> int:
    count = 0
    for step in trace.steps.values():
        for at in np.ndindex(step.shape):
            assert_prints_itself(trace, step, at)
            count += 1
    return count


@pytest.mark.parametrize("model", [shipped("fox"), shipped("three-words")], ids=["fox", "three-words"])
def test_every_cell_of_the_toys_prints_arithmetic_that_evaluates_to_it(model):
    trace = model.run(model.sentence, model.next).backward()
    assert every_cell(trace) > 300
    edited = trace.move(f"weights[{model.reads[2]},The]", 0.4).edit("logits[run]", 2.0)
    assert every_cell(edited) > 300
    assert every_cell(trace.update(0.3).parent) > 300  # the .next steps too


def test_every_cell_of_small_random_runs_prints_arithmetic_that_evaluates_to_it(variants, trace_of):
    count = 0
    for number, variant in enumerate(variants[::4]):
        small = variant.but(heads="3of1", layers="1layer")
        count += every_cell(trace_of(small, tokens=2 + number % 2, seed=number).backward())
    assert count > 20_000


def test_cells_of_every_step_of_every_pair_of_variants_print_themselves(variant, trace_of):
    trace = trace_of(variant, tokens=5).backward()
    generator = np.random.default_rng(len(str(variant)))
    for step in trace.steps.values():
        places = list(np.ndindex(step.shape))
        for i in generator.choice(len(places), size=min(4, len(places)), replace=False):
            assert_prints_itself(trace, step, places[i])


def test_edited_moved_and_pinned_runs_print_themselves(variants, trace_of):
    generator = np.random.default_rng(3)
    for variant in variants[::3]:
        trace = trace_of(variant, tokens=3).backward()
        weights = trace.step("layer0.weights")
        trace = trace.move("layer0.weights[1,0,0]", 0.3) if weights.value[1, 0, 0] not in (0, 1) else trace
        first = ",".join("0" for _ in trace.step("logits.grad").shape)
        trace = trace.edit("layer0.exps[2,1,0]", 0.7).edit(f"logits.grad[{first}]", 0.2)
        trace = trace.pin("layer0.q", generator.normal(size=trace.step("layer0.q").shape))
        for step in trace.steps.values():
            places = list(np.ndindex(step.shape))
            for i in generator.choice(len(places), size=min(2, len(places)), replace=False):
                assert_prints_itself(trace, step, places[i])


# text


def from_text(written: str) -> float:
    """What a line of arithmetic says, read back: the right side of `0.75 = 2.0281 / 2.7042`."""
    code = written.replace("·", "*").replace("−", "-").replace("∞", "np.inf")
    number = r"(-?[\d.]+(?:e[-+]\d+)?)"
    code = re.sub(rf"e\^{number}", r"np.exp(\1)", code).replace("e^(", "np.exp(").replace("e^-np.inf", "0.0")
    code = re.sub(rf"ln {number}", r"np.log(\1)", code).replace("ln(", "np.log(")
    code = re.sub(rf"√{number}", r"np.sqrt(\1)", code).replace("√(", "np.sqrt(")
    code = code.replace("erf(", "math.erf(").replace("tanh(", "np.tanh(").replace("round(", "np.round(")
    return float(eval(code, {"np": np, "math": math}))


def test_the_text_of_cells_reads_back_as_the_cells(variants, trace_of):
    count = 0
    for variant in variants[::3]:
        trace = trace_of(variant, tokens=3).backward()
        generator = np.random.default_rng(5)
        for step in trace.steps.values():
            places = list(np.ndindex(step.shape))
            for i in generator.choice(len(places), size=min(2, len(places)), replace=False):
                why = trace.why(Cell(step, places[i]))
                if why.is_given:
                    assert why.text().endswith(" (given)")
                    continue
                result, _, arithmetic = why.text(digits=9, most_terms=None).partition(" = ")
                if not math.isfinite(why.value):
                    assert result == "-∞ (hidden)" and not arithmetic
                    continue
                scale = max(magnitude(why.expression), 1e-3)
                assert abs(float(result) - why.value) <= 1e-6 * scale
                if not arithmetic:  # a number passed on as it is
                    assert len(why.cells) <= 1
                    continue
                # constants are shown to six digits
                assert abs(from_text(arithmetic) - why.value) <= 2e-5 * scale, (step.name, arithmetic)
                assert not re.search(r"[·/−+] -", arithmetic), arithmetic
                count += 1
    assert count > 1500


def test_latex_has_balanced_braces_and_the_same_number_in_front(variants, trace_of):
    for variant in variants[::5]:
        trace = trace_of(variant, tokens=3).backward()
        for step in trace.steps.values():
            why = trace.why(Cell(step, (0,) * len(step.shape)))
            written = why.latex()
            depth = 0
            for letter in written:
                depth += (letter == "{") - (letter == "}")
                assert depth >= 0
            assert depth == 0
            assert written.count(r"\left(") == written.count(r"\right)")
            assert "·" not in written and "−" not in written and "∞" not in written and "…" not in written
            assert not re.search(r"\de[-+]\d", written), written


def test_a_step_says_which_cells_it_read():
    trace = shipped("fox").run("The quick brown fox", "jumps").backward()
    why = trace.why("weights[fox,brown]")
    assert [trace.address_of(c) for c in why.cells] == ["layer0.exps[0,fox,brown]", "layer0.total[0,fox]"]
    assert why.symbols() == "exps[fox,brown] / total[fox]"
    assert str(trace.why("weights[fox,fox]")) == "weights[fox,fox] = 0.7500 = 2.0281 / 2.7042"
    assert trace.why("context[fox,0]").text() == "0.66 = 0.10·0.10 + 0.05·0.40 + 0.10·0.30 + 0.75·0.80"
    assert trace.why("scaled[fox,quick]").text() == "0.2687 = 0.3800 / √2"
    assert trace.why("exps[fox,fox]").text() == "2.0281 = e^0.7071"
    assert trace.why("loss").text() == "1.3120 = −ln 0.2693"
    assert trace.why("E[fox,0]").text() == "0.80 (given)"
    assert trace.why("logits.grad[jumps]").text() == "-0.7307 = 0.2693·1.0000 − 1.0000"
    assert trace.why("masked.grad[fox,quick]").text() == "0.005336 = 0.0500·(0.03950 − (-0.06721))"
    assert trace.why("masked[The,fox]").text() == "-∞ (hidden)"


def test_a_walk_goes_down_to_what_was_given_and_tells_each_cell_once():
    trace = shipped("fox").run("The quick brown fox", "jumps").backward()
    walk = list(trace.why("loss").walk(20))
    assert [level for level, _ in walk[:3]] == [0, 1, 2]
    cells = [why.cell for _, why in walk]
    assert len(set(cells)) == len(cells)
    assert {"E", "W_out", "position"} <= {c.step.name for c in cells}
    assert [why.name for _, why in trace.why("loss").walk(2)] == ["loss", "chosen"]
    assert len(list(trace.why("loss").walk(1))) == 1


def test_a_long_sum_of_a_real_step_shows_its_largest_terms(plain_variant, trace_of):
    trace = trace_of(plain_variant.but(output_projection="no-W_O", heads="6of3", positions="rotary"), tokens=3)
    why = trace.why("layer0.q[0,2,1]")
    terms = trace.array("x")[2] * trace.array("layer0.W_Q")[0, :, 1]
    assert len(terms) == 24
    assert why.text().endswith("+ … 16 more")
    shown = [part.value for part in why.expression.parts if f"{abs(part.parts[0].value):.4f}" in why.text()]
    assert max(abs(terms)) in [abs(v) for v in shown]
    assert "more" not in why.text(most_terms=23)

"""Numbers kept in a shorter type are the numbers they stand for, however they are read, and are not held in full."""

import numpy as np
import pytest

from regard.ops import Contract, Given, Pick, narrow
from regard.ops.narrow import Narrow
from regard.trace import Step, Trace

T, C, F, V = 3, 7, 11, 13
generator = np.random.default_rng(5)


def bfloat16(*shape: int) -> np.ndarray:
    """The upper halves of random float32."""
    return (generator.normal(size=shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def by_definition(kept: np.ndarray) -> np.ndarray:
    """1 bit of sign, 8 of exponent, 7 of fraction."""
    sign, exponent, fraction = kept >> 15, (kept >> 7) & 0xFF, kept & 0x7F
    return np.where(sign, -1.0, 1.0) * (1 + fraction / 128) * 2.0 ** (exponent.astype(int) - 127)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(narrow, "BLOCK", 17)


def test_bfloat16_is_what_its_bits_say():
    kept = bfloat16(F, C)
    assert np.array_equal(np.asarray(Narrow(kept)), by_definition(kept))
    assert np.array_equal(Narrow(kept)[3:5, ::2], by_definition(kept)[3:5, ::2])
    assert float(Narrow(kept)[2, 4]) == by_definition(kept)[2, 4]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_other_kinds_are_widened_exactly(kind):
    kept = generator.normal(size=(C, F)).astype(kind)
    assert np.array_equal(np.asarray(Narrow(kept)), kept.astype(np.float64))


@pytest.mark.parametrize("odd", [0x7F80, 0xFF80, 0x7FC0, 0xFFFF])
def test_what_is_no_number_is_found_wherever_it_stands(odd):
    kept = bfloat16(F, C)
    assert Narrow(kept).is_finite
    kept[F - 1, 2] = odd
    assert not Narrow(kept).is_finite


@pytest.mark.parametrize("spec", ["TC,CF->TF", "TC,FC->TF", "TC,C->TC", "TC,TC->T", "TC,CTF->TF", "TC,C->T"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_product_by_blocks_is_the_product(spec, turned):
    left, right = spec.partition("->")[0].split(",")
    sizes = {"T": T, "C": C, "F": F}
    kept = bfloat16(*(sizes[a] for a in (reversed(right) if turned else right)))
    kept = kept.transpose() if turned else kept  # as a file has it whose maps stand the other way round
    x = Step("x", Given(generator.normal(size=[sizes[a] for a in left]), left))
    W = Step("W", Given(Narrow(kept), right, "parameter"))
    product = Step("y", Contract(spec, 0.5), (x, W))
    np.testing.assert_allclose(product.value, 0.5 * np.einsum(spec, x.value, by_definition(kept)), rtol=1e-13)


def test_no_more_than_a_block_is_widened_at_once(monkeypatch):
    most, widened = [0], narrow._widened
    monkeypatch.setattr(narrow, "_widened", lambda kept: (most.append(kept.size), widened(kept))[1])
    table = Step("E", Given(Narrow(bfloat16(V, C)), "VC", "parameter"))
    x = Step("x", Given(generator.normal(size=C), "C"))
    ids = Step("ids", Given(np.array([V - 1, 0, 5]), "T", "constant"))
    _ = Step("logits", Contract("C,VC->V"), (x, table)).value
    _ = Step("embedded", Pick("VC,T->TC"), (table, ids)).value
    assert 0 < max(most) <= max(17, T * C) < V * C


def test_blocks_cover_an_axis_in_multiples():
    numbers = Narrow(bfloat16(2, 23))  # 17 numbers at a time: 8 columns
    assert [(b.start, b.stop) for b in numbers.blocks(1)] == [(0, 8), (8, 16), (16, 23)]
    assert [(b.start, b.stop) for b in numbers.blocks(1, 5)] == [(0, 5), (5, 10), (10, 15), (15, 20), (20, 23)]
    assert [(b.start, b.stop) for b in numbers.blocks(1, 9)] == [(0, 8), (8, 16), (16, 23)]


def run() -> Trace:
    """Rows of a narrow table, and a number made of them and of the table itself."""
    table = Step("E", Given(Narrow(bfloat16(V, C)), "VC", "parameter"))
    ids = Step("ids", Given(np.array([V - 1, 0, 5]), "T", "constant"))
    x = Step("x", Pick("VC,T->TC"), (table, ids))
    logits = Step("logits", Contract("TC,VC->TV"), (x, table))
    loss = Step("loss", Contract("TV,TV->", 0.5), (logits, logits))
    return Trace((table, ids, x, logits, loss))


def test_narrow_parameters_are_edited_blamed_and_learn_as_others_do():
    trace = run().backward()
    wide = Trace(_with_wide_table(trace.forward)).backward()
    np.testing.assert_allclose(trace.array("E.grad"), wide.array("E.grad"), rtol=1e-12)
    for cell in ("E[0,3]", "E[12,6]", "E[2,1]"):
        assert trace[cell] == wide[cell]
        value, nudge = trace[cell], 1e-6
        up, down = (float(trace.edit(cell, value + n).array("loss")) for n in (nudge, -nudge))
        assert (up - down) / (2 * nudge) == pytest.approx(trace[f"E.grad{cell[1:]}"], rel=1e-5)
    learned = trace.update(0.01)
    assert np.array_equal(learned.array("E"), trace.array("E") - 0.01 * trace.array("E.grad"))
    assert trace.why("logits[1,3]").text() == wide.why("logits[1,3]").text()


def _with_wide_table(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    new: dict[Step, Step] = {}
    for step in steps:
        op = Given(np.asarray(step.value), step.axes, "parameter") if step.name == "E" else step.op
        new[step] = Step(step.name, op, tuple(new[i] for i in step.inputs))
    return tuple(new.values())

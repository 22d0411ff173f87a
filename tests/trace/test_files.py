"""Traces in files: every number comes back exactly, and a hostile file is refused in one line, soon and cheaply."""

import io
import json
import os
import re
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.ops import Contract, Given, Map, Pick, Scatter
from regard.ops.formulas import FORMULAS
from regard.toys.shipped import shipped
from regard.trace import Labels, Step, Trace, files
from regard.trace.drafts import MOST_STEPS
from regard.trace.files import MOST_BYTES, load, save
from regard.trace.wire import from_json, to_json


def the_fox() -> Trace:
    return shipped("fox").run("The quick brown fox", next="jumps")


def assert_same(again: Trace, trace: Trace) -> None:
    assert list(again.steps) == list(trace.steps)
    for name, step in trace.steps.items():
        other = again.steps[name]
        assert other.axes == step.axes and other.op.data() == step.op.data(), name
        assert [i.name for i in other.inputs] == [i.name for i in step.inputs], name
        assert other.value.dtype == step.value.dtype and other.shape == step.shape, name
        assert other.value.tobytes() == step.value.tobytes() and other.value.strides == step.value.strides, name
    assert again.labels.words == trace.labels.words
    assert again.info == trace.info and again.of == trace.of
    assert [e.data() for e in again.edits] == [e.data() for e in trace.edits]
    for mine, theirs in zip(again.edits, trace.edits):
        assert (mine.array is None) == (theirs.array is None)
        assert mine.array is None or np.array_equal(mine.array, theirs.array, equal_nan=True)  # pyright: ignore


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[Trace], Trace]:
    def keep(trace: Trace) -> Trace:
        save(trace, tmp_path / "trace.npz")
        return load(tmp_path / "trace.npz")

    return keep


# round trips


def changed(trace: Trace, seed: int) -> Trace:
    """A few changes of every kind, forward and backward."""
    generator = np.random.default_rng(seed)
    weights = [s for s in trace.forward if s.name.endswith(".weights")][-1]
    rows = np.argwhere((weights.value.sum(-1) > 0.5) & (weights.value.max(-1) < 1))
    for _ in range(4):
        steps = [s for s in trace.forward if s.value.dtype.kind == "f" and np.isfinite(s.value).all()]
        step = steps[int(generator.integers(len(steps)))]
        at = ",".join(str(int(generator.integers(n))) for n in step.shape)
        choice = generator.integers(4)
        if choice == 0:
            trace = trace.edit(f"{step.name}[{at}]" if at else step.name, float(generator.normal()))
        elif choice == 1:
            trace = trace.pin(step.name, step.value + generator.normal(size=step.shape))
        elif choice == 2 and len(rows):
            h, q = rows[int(generator.integers(len(rows)))]
            try:
                trace = trace.move(f"{weights.name}[{h},{q},0]", 0.25)
            except ValueError:  # an earlier change left no distribution here
                trace = trace.pin(weights.name, np.full(weights.shape, 0.5))
        else:
            trace = trace.backward("loss")
            gradient = trace.gradients[-1]
            at = ",".join("0" * len(gradient.shape))
            trace = trace.edit(f"{gradient.name}[{at}]" if at else gradient.name, 0.125)
    return trace


def test_every_variant_with_edits_and_gradients(variant: Any, trace_of: Any, kept: Callable[[Trace], Trace]) -> None:
    trace = replace(trace_of(variant), info={"about": str(variant)})
    assert_same(kept(trace), trace)
    trace = changed(trace, seed=len(str(variant))).backward()
    assert_same(kept(trace), trace)
    assert_same(from_json(to_json(trace)), trace)


def test_the_fox_forward_and_backward(kept: Callable[[Trace], Trace]) -> None:
    trace = the_fox()
    assert_same(kept(trace), trace)
    assert_same(kept(trace.backward()), trace.backward())
    assert kept(trace).predicted == trace.predicted


def test_what_was_learned_is_kept(kept: Callable[[Trace], Trace]) -> None:
    learned = the_fox().update(rate=0.3, learns=["W_out", "E"])
    assert_same(kept(learned), learned)
    before = learned.undo()
    assert "W_out.next" in before.steps
    assert_same(kept(before), before)
    twice = learned.edit("weights[fox,The]", 0.5).update()
    assert_same(kept(twice), twice)


def test_edits_can_be_undone_after_loading(kept: Callable[[Trace], Trace]) -> None:
    trace = the_fox()
    edited = trace.move("weights[fox,fox]", 0.1).edit("weights[fox,fox]", 0.5).pin("v", np.ones((1, 4, 2)))
    again = kept(edited)
    assert_same(again, edited)
    for expected in (edited.undo(), edited.undo().undo(), trace):
        again = again.undo()
        assert_same(again, expected)
    with pytest.raises(ValueError, match="nothing to undo"):
        again.undo()


def test_a_loaded_trace_can_be_worked_with(kept: Callable[[Trace], Trace]) -> None:
    again = kept(the_fox())
    assert str(again.why("weights[fox,fox]")) == str(the_fox().why("weights[fox,fox]"))
    assert_same(again.update(), the_fox().update())


def test_types_and_order_in_memory_do_not_change_a_digit(kept: Callable[[Trace], Trace]) -> None:
    generator = np.random.default_rng(0)
    x, W = generator.normal(size=(31, 47)).T, np.asfortranarray(generator.normal(size=(31, 37)))
    a, b = Step("a", Given(x, "TC")), Step("b", Given(W, "CF"))
    y = Step("y", Contract("TC,CF->TF"), (a, b))
    kinds = ("bool", "int8", "uint16", "int64", "uint64")
    plain = [Step(kind, Given(np.ones((2, 3), kind), "PN", "constant")) for kind in kinds]
    odd = Step("odd", Given(np.array([np.nan, -np.inf, np.inf, -0.0, 5e-324]), "N"))
    trace = Trace((a, b, y, Step("z", Map("gelu", "TF->TF"), (y,)), *plain, odd, Step("one", Given(2.5, ""))))
    assert_same(kept(trace), trace)
    assert_same(from_json(to_json(trace)), trace)
    big_end_first = Trace((Step("x", Given(np.arange(300, dtype=">i4"), "N")),))
    assert np.array_equal(kept(big_end_first).array("x"), np.arange(300))


def test_odd_labels_and_notes(kept: Callable[[Trace], Trace]) -> None:
    words = ("the", "the", '"', "\n\x00", "\ud800", "naïve 🦊")
    trace = Trace((Step("x", Given(np.zeros(6), "T")),), Labels({"T": words}), {"tokens": list(words), "n": [1, None]})
    assert_same(kept(trace), trace)


def test_the_same_trace_makes_the_same_bytes(tmp_path: Path) -> None:
    save(the_fox(), tmp_path / "a.npz")
    save(load(tmp_path / "a.npz"), tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_numpy_reads_it_too(tmp_path: Path) -> None:
    trace = the_fox()
    save(trace, tmp_path / "fox.npz")
    with np.load(tmp_path / "fox.npz", allow_pickle=False) as arrays:
        assert json.loads(bytes(arrays["header"]))["version"] == 1
        assert np.array_equal(arrays["step0"], trace.array("E"))


# writing


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "trace.npz"
    save(the_fox(), path)
    old = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    for place in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(files.os, place, full)
            with pytest.raises(OSError, match="No space left"):
                save(the_fox().edit("weights[fox,The]", 0.5), path)
    with monkeypatch.context() as patch:
        patch.setattr(np.lib.format, "write_array", full)
        with pytest.raises(OSError, match="No space left"):
            save(the_fox(), path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["trace.npz"]


def test_what_cannot_be_read_back_is_not_written(tmp_path: Path) -> None:
    x = Step("x", Given([1.0, 2.0], "T"))
    with pytest.raises(ValueError, match="info holds what JSON cannot"):
        save(Trace((x,), info={"array": np.zeros(3)}), tmp_path / "t.npz")
    with pytest.raises(ValueError, match="JSON"):
        save(Trace((x,), info={"number": float("nan")}), tmp_path / "t.npz")
    with pytest.raises(ValueError, match="2 cells and 3 words"):
        save(Trace((x,), Labels({"T": ("a", "b", "c")})), tmp_path / "t.npz")
    with pytest.raises(ValueError, match="y reads x"):
        save(Trace((Step("y", Map("same", "T->T"), (x,)),)), tmp_path / "t.npz")
    with pytest.raises(ValueError, match="is a folder"):
        save(Trace((x,)), tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        save(Trace((x,)), tmp_path / "none" / "t.npz")
    assert os.listdir(tmp_path) == []


# hostile files: a good one with one thing changed


def members_of(trace: Trace) -> dict[str, bytes]:
    """The members of a good file, the header as JSON."""
    file = io.BytesIO()
    header = json.loads(files.compact(files.file_header(trace)))
    files._write(file, files._arrays(trace))
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return {"header": json.dumps(header).encode(), **members}


def npy(array: np.ndarray, **options: Any) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, **options)
    return file.getvalue()


def written(path: Path, members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> Path:
    members = dict(members)
    if "header" in members:
        members = {"header.npy": npy(np.frombuffer(members.pop("header"), np.uint8)), **members}
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, compression)
    return path


def refused(path: Path, match: str = ".") -> None:
    """In one line, and soon."""
    begun = time.process_time()
    with pytest.raises(ValueError, match="cannot be read as a trace") as caught:
        load(path)
    assert time.process_time() - begun < 2
    place, _, reason = str(caught.value).partition(" cannot be read as a trace: ")
    assert place == str(path)
    assert re.search(match, reason), reason
    assert "\n" not in reason and len(reason) < 400, reason


def refused_cheaply(path: Path, match: str) -> None:
    refused(path, match)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="cannot be read as a trace"):
            load(path)
        assert tracemalloc.get_traced_memory()[1] < 150_000_000
    finally:
        tracemalloc.stop()


def test_the_forge_makes_good_files(tmp_path: Path) -> None:
    assert_same(load(written(tmp_path / "t.npz", members_of(sample()))), sample())


def sample() -> Trace:
    return the_fox().edit("weights[fox,The]", 0.3).pin("v", np.ones((1, 4, 2))).backward()


def step_of(header: Any, name: str) -> Any:
    return next(s for s in header["steps"] if s["name"] == name)


def put(*path: Any) -> Callable[[Any], None]:
    """Put the last of the path at the place that the others lead to; a step may be named."""
    *way, last, value = path

    def change(header: Any) -> None:
        place = header
        for part in way:
            place = step_of(header, part) if place is header["steps"] and isinstance(part, str) else place[part]
        place[last] = value

    return change


def drop(*path: Any) -> Callable[[Any], None]:
    def change(header: Any) -> None:
        place = header
        for part in path[:-1]:
            place = step_of(header, part) if place is header["steps"] and isinstance(part, str) else place[part]
        del place[path[-1]]

    return change


S = "layer0.scores"
SCALED = "layer0.scaled"
WEIGHTS = "layer0.weights"
BAD_HEADERS: dict[str, tuple[Callable[[Any], None], str]] = {
    "no version": (drop("version"), "version"),
    "a later version": (put("version", 3), "version 3.*newer regard"),
    "the second version without what it adds": (put("version", 2), "missing .*named.*apart"),
    "version as text": (put("version", "1"), "version"),
    "version true": (put("version", True), "version"),
    "an unknown field": (put("code", "import os"), "unknown .'code'"),
    "a field missing": (drop("labels"), "missing"),
    "info is a list": (put("info", []), "info"),
    "steps is an object": (put("steps", {}), "list"),
    "no steps": (put("steps", []), "0 steps"),
    "a step is text": (put("steps", 3, "x"), "not an object"),
    "a step with more": (put("steps", 3, "eval", "1"), "unknown"),
    "a step without a name": (drop("steps", 0, "name"), "missing"),
    "a name of a number": (put("steps", 0, "name", 5), "not the name"),
    "an empty name": (put("steps", 0, "name", ""), "not the name"),
    "a name with an escape": (put("steps", 0, "name", "\x1b[2J"), "not the name"),
    "a name of 301 letters": (put("steps", 0, "name", "x" * 301), "not the name"),
    "two of one name": (put("steps", 1, "name", "E"), "two steps are called 'E'"),
    "reads a later step": (put("steps", S, "inputs", 1, 33), "not a step before it"),
    "reads itself": (put("steps", 20, "inputs", 0, 20), "not a step before it"),
    "reads a step before the first": (put("steps", S, "inputs", 0, -1), "not a step before it"),
    "reads by a fraction": (put("steps", S, "inputs", 0, 1.0), "name or the number"),
    "reads by true": (put("steps", S, "inputs", 0, True), "name or the number"),
    "inputs is text": (put("steps", S, "inputs", "ab"), "list"),
    "too many inputs": (put("steps", S, "inputs", [0, 1, 2]), "expects 2 inputs"),
    "too few inputs": (put("steps", S, "inputs", []), "expects 2 inputs"),
    "shapes that do not meet": (put("steps", S, "inputs", [0, 0]), "scores"),
    "an unknown kind": (put("steps", S, "op", "kind", "system"), "unknown operation 'system'"),
    "a kind that is a list": (put("steps", S, "op", "kind", ["contract"]), "kind cannot be"),
    "no kind": (drop("steps", S, "op", "kind"), "no kind"),
    "an operation of text": (put("steps", S, "op", "contract"), "no kind"),
    "an unknown formula": (put("steps", SCALED, "op", "formula", "__import__"), "unknown formula"),
    "a formula that is a list": (put("steps", SCALED, "op", "formula", []), "formula cannot be"),
    "a formula of three for two": (put("steps", SCALED, "op", "formula", "softmax_blame"), "scaled"),
    "an unknown field of an operation": (put("steps", S, "op", "callback", "x"), "no field 'callback'"),
    "an array in the header": (put("steps", 0, "op", "array", [1.0]), "no field 'array'"),
    "a field of another operation": (put("steps", S, "op", "rows", 3), "does not take"),
    "a field of an operation missing": (drop("steps", S, "op", "spec"), "scores"),
    "constants missing": (put("steps", SCALED, "op", "constants", []), "expects 1 constants"),
    "constants of text": (put("steps", SCALED, "op", "constants", ["2"]), "constants cannot be"),
    "a factor beyond floats": (put("steps", S, "op", "factor", 10**400), "factor cannot be"),
    "a spec that is no spec": (put("steps", S, "op", "spec", "HQD"), "spec cannot be"),
    "a spec with an odd sign": (put("steps", S, "op", "spec", "HQ.,HK.->HQK"), "spec cannot be"),
    "a spec with nine axes": (put("steps", S, "op", "spec", "HQD,HKD->HQKABCDEF"), "spec cannot be"),
    "a spec of a letter twice": (put("steps", S, "op", "spec", "HQQ,HKD->HQK"), "each letter once"),
    "an axis from nowhere": (put("steps", S, "op", "spec", "HQD,HKD->HQZ"), "scores"),
    "sizes for a summed axis": (put("steps", S, "op", "sizes", [["D", 2]]), "only the result"),
    "sizes of text": (put("steps", S, "op", "sizes", [["D", "2"]]), "sizes cannot be"),
    "sizes of letters twice": (put("steps", S, "op", "sizes", [["Z", 2], ["Z", 3]]), "sizes cannot be"),
    "a negative size": (put("steps", S, "op", "sizes", [["Z", -2]]), "sizes cannot be"),
    "a giant size": (put("steps", S, "op", {"kind": "contract", "spec": "HQD,HKD->HQKZ", "factor": 1.0,
                                            "sizes": [["Z", 10**11]]}), "more than"),
    "a size beyond all": (put("steps", S, "op", {"kind": "contract", "spec": "HQD,HKD->HQKZ", "factor": 1.0,
                                                 "sizes": [["Z", 10**30]]}), "sizes cannot be"),
    "giant rows": (put("steps", "x", "op", {"kind": "scatter", "spec": "IC,T->TC", "rows": 10**11}), "x"),
    "axes that are not those of the array": (put("steps", 0, "op", "letters", "I"), "one letter per axis"),
    "axes twice": (put("steps", 0, "op", "letters", "II"), "letters cannot be"),
    "an unknown role": (put("steps", 0, "op", "role", "admin"), "unknown role"),
    "a given that reads": (put("steps", 1, "inputs", [0]), "reads no other"),
    "a given that is no longer given": (put("steps", 0, "op", {"kind": "map", "formula": "same", "spec": "IC->IC",
                                                               "constants": []}), "E"),
    "picks by numbers that are not whole": (put("steps", "x", "inputs", [0, 0]), "must be given, and whole"),
    "an edit outside the step": (put("steps", WEIGHTS, "op", "at", [0, 3, 4]), "not inside"),
    "an edit of too few axes": (put("steps", WEIGHTS, "op", "at", [0]), "not inside"),
    "an edit before the step": (put("steps", WEIGHTS, "op", "at", [0, -1, 0]), "at cannot be"),
    "labels of numbers": (put("labels", {"T": [1, 2, 3, 4]}), "labels"),
    "labels that are text": (put("labels", {"T": "abcd"}), "lists of words"),
    "labels for no axis": (put("labels", {"TT": []}), "along one axis"),
    "labels too short": (put("labels", "K", ["The"]), "4 cells and 1 words"),
    "a gradient of nothing": (put("of", "nothing"), "not of a step"),
    "a gradient of a table": (put("of", "E"), "not of a step"),
    "a gradient of a list": (put("of", ["loss"]), "not of a step"),
    "edits is a number": (put("edits", 3), "list"),
    "an edit of an unknown kind": (put("edits", 0, "kind", "exec"), "unknown edit"),
    "an edit without a number": (put("edits", 0, "number", None), "number cannot be"),
    "an edit that is not in the steps": (put("edits", 0, "number", 0.7), "last edit"),
    "an edit of another kind": (put("edits", 0, "step", "layer0.exps"), "last edit"),
    "a pin with a number": (put("edits", 1, "number", 1.0), "whole step"),
    "a pin without its array": (put("edits", 0, {"kind": "pin", "step": "E", "at": [], "number": None}), "missing"),
    "something learned from nothing": (put("learned", [{"name": "Q.next", "op": {"kind": "map", "formula": "update",
        "spec": "IC,IC->IC", "constants": [0.1]}, "inputs": ["Q", "Q.grad"]}]), "Q.next"),
    "something learned by another formula": (put("learned", [{"name": "E.next", "op": {"kind": "map",
        "formula": "add", "spec": "IC,IC->IC", "constants": []}, "inputs": ["E", "E.grad"]}]), "an update of"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_HEADERS)
def test_a_bad_header_is_refused(case: str, tmp_path: Path) -> None:
    change, match = BAD_HEADERS[case]
    members = members_of(sample())
    header = json.loads(members["header"])
    change(header)
    members["header"] = json.dumps(header).encode()
    refused(written(tmp_path / "t.npz", members), match)


def test_headers_that_are_not_json(tmp_path: Path) -> None:
    members = members_of(sample())
    good = members["header"]
    for bad, match in [
        (b"", "Expecting value"),
        (b"\xff\xfe", "utf-8"),
        (b"[]", "version"),
        (b"null", "version"),
        (b"[" * 100_000, "recursion"),
        (b"[" * 1_000_000, "lists and objects"),
        (b'{"a":' * 100_000, "recursion"),
        (b"9" * 1_000_000, "digits"),
        (good.replace(b'"version": 1', b'"version": NaN'), "NaN"),
        (good.replace(b'"factor": 1.0', b'"factor": 1e999'), "factor"),
        (good.replace(b'"version": 1', b'"version": 1, "version": 1'), "twice"),
        (b'"' + b"x" * 4_000_000 + b'"', "4,000,000"),
        (b"[" + b'"ab",' * 790_000 + b"0]", "version"),
    ]:
        refused_cheaply(written(tmp_path / "t.npz", {**members, "header": bad}), match)


def test_many_steps_and_edits_end_soon(tmp_path: Path) -> None:
    one = {"name": "x", "op": {"kind": "given", "letters": "", "role": "input"}, "inputs": []}
    base = {"version": 1, "info": {}, "labels": {}, "of": None, "edits": [], "learned": []}
    arrays = {"step0.npy": npy(np.array(1.0))}
    add = {"kind": "map", "formula": "add", "spec": ",->", "constants": []}

    def chain(count: int) -> list[Any]:
        return [one, *({"name": f"y{i}", "op": add, "inputs": [i, i]} for i in range(count - 1))]

    def file(**changes: Any) -> Path:
        return written(tmp_path / "t.npz", {"header": json.dumps({**base, **changes}).encode(), **arrays})

    refused(file(steps=chain(MOST_STEPS + 1)), "10,000 steps, got 10,001")
    edit = {"kind": "edit", "step": "x.grad", "at": [], "number": 1.0}
    refused(file(steps=chain(1000), of="y998", edits=[edit] * 5000), "5,000 edits of gradients")
    long = load(file(steps=chain(1000), of="y998"))
    assert float(long.array("y998")) == 2.0**999 == float(long.array("x.grad"))
    wide = {"kind": "map", "formula": "add", "spec": "," * 99_999 + "->", "constants": []}
    refused(file(steps=[one, *({"name": f"y{i}", "op": add, "inputs": [0, 0]} for i in range(9)),
                        {"name": "z", "op": wide, "inputs": [10] * 100_000}]), "not a step before")  # fmt: skip


def test_cells_and_work_are_bounded(tmp_path: Path) -> None:
    def given(name: str, letters: str) -> Any:
        return {"name": name, "op": {"kind": "given", "letters": letters, "role": "input"}, "inputs": []}

    def step(name: str, op: Any, *inputs: str) -> Any:
        return {"name": name, "op": op, "inputs": list(inputs)}

    def contract(spec: str, *sizes: Any) -> Any:
        return {"kind": "contract", "spec": spec, "factor": 1.0, "sizes": list(sizes)}

    base = {"version": 1, "info": {}, "labels": {}, "of": None, "edits": [], "learned": []}
    arrays = {"step0.npy": npy(np.ones(1000)), "step1.npy": npy(np.zeros(3, dtype=np.int64))}
    start = [given("a", "A"), given("ids", "T")]
    for steps in {
        "an outer product": [step("b", contract("A,B->AB"), "a", "a"), step("c", contract("AB,C->ABC"), "b", "a")],
        "a repetition": [step("b", contract("A->AZ", ["Z", 100_000]), "a")],
        "many small ones": [step(f"b{i}", contract("A->AZ", ["Z", 1000]), "a") for i in range(100)],
        "a scatter": [step("b", {"kind": "scatter", "spec": "T,T->I", "rows": 2**31}, "ids", "ids")],
        "work": [step("b", contract("A,B->AB"), "a", "a"), step("c", contract("AB,CD->"), "b", "b")],
    }.values():  # fmt: skip
        header = json.dumps({**base, "steps": [*start, *steps]}).encode()
        path = written(tmp_path / "t.npz", {"header": header, **arrays})
        refused_cheaply(path, "any_size=True")
    assert load(path, any_size=True).step("c").shape == ()
    # and those of a backward pass
    sums = [
        step(
            f"s{i}",
            contract(
                "A,Z->A",
            ),
            "a",
            "wide",
        )
        for i in range(400)
    ]
    steps = [given("a", "A"), given("wide", "Z"), *sums, step("t", {"kind": "map", "formula": "add",
             "spec": ",".join("A" * 400) + "->A", "constants": []}, *(f"s{i}" for i in range(400))),
             step("u", contract("A->"), "t")]  # fmt: skip
    arrays = {"step0.npy": npy(np.ones(1)), "step1.npy": npy(np.zeros(200_000))}
    forward = written(tmp_path / "f.npz", {"header": json.dumps({**base, "steps": steps}).encode(), **arrays})
    assert load(forward).step("u").shape == ()
    backward = {**base, "steps": steps, "of": "u"}
    refused(written(tmp_path / "b.npz", {"header": json.dumps(backward).encode(), **arrays}), "any_size=True")


class Bomb:
    """Would run, if anything were unpickled."""

    def __reduce__(self) -> Any:
        return (exec, ("raise SystemExit('ran')",))


def test_bad_arrays_are_refused(tmp_path: Path) -> None:
    members = members_of(sample())
    number = next(n for n in members if n.startswith("step"))
    tokens = f"step{[s.name for s in sample().forward].index('tokens')}.npy"
    mask = f"step{[s.name for s in sample().forward].index('visible')}.npy"
    good = members[number]
    giant = good.replace(b"(4, 2), }            ", b"(400000000000, 2), } ")
    assert giant != good and len(giant) == len(good)
    pickled = npy(np.array([[Bomb()]], dtype=object), allow_pickle=True)
    two = npy(np.ones((4, 4), dtype=bool))[:-1] + b"\x02"
    cases: dict[str, tuple[dict[str, bytes], str]] = {
        "an array missing": ({k: v for k, v in members.items() if k != number}, "numbers are missing"),
        "an array left over": ({**members, "step999.npy": good}, "left over"),
        "another file beside": ({**members, "readme.txt": b"hello"}, "not arrays"),
        "a path out": ({**members, "../../x.npy": good}, "left over"),
        "no header": ({k: v for k, v in members.items() if k != "header"}, "no header"),
        "pickled": ({**members, number: pickled}, "not an array"),
        "pickled header": ({"header.npy": pickled}, "not an array"),
        "float32": ({**members, number: npy(np.ones((4, 2), np.float32))}, "type"),
        "complex": ({**members, number: npy(np.ones((4, 2), complex))}, "not an array|type"),
        "text": ({**members, number: npy(np.full((4, 2), "x"))}, "type"),
        "a record": ({**members, number: npy(np.zeros((4, 2), [("a", "<f8")]))}, "not an array"),
        "times": ({**members, number: npy(np.zeros((4, 2), "<M8[s]"))}, "not an array"),
        "fortran": ({**members, number: npy(np.asfortranarray(np.ones((4, 2))))}, "not an array"),
        "a shape that the data lacks": ({**members, number: giant}, "size that its shape"),
        "nine axes": ({**members, number: npy(np.ones((1,) * 9))}, "size that its shape"),
        "other axes": ({**members, number: npy(np.ones(8))}, "one letter per axis"),
        "another shape": ({**members, number: npy(np.ones((4, 3)))}, "axis C"),
        "no cells": ({**members, number: npy(np.ones((0, 2)))}, "no cells"),
        "code for a header": ({**members, number: good.replace(b"(4, 2)", b"exit()")}, "not an array"),
        "no npy at all": ({**members, number: b"hello"}, "not an array"),
        "an empty member": ({**members, number: b""}, "not an array"),
        "more data than told": ({**members, number: good + b"\0" * 8}, "size that its shape"),
        "less data than told": ({**members, number: good[:-8]}, "size that its shape"),
        "npy version 3": ({**members, number: npy(np.ones((4, 2)), version=(3, 0))}, "not an array"),
        "rows that do not exist": ({**members, tokens: npy(np.array([0, 1, 2, 4]))}, "rows 0 to 4 of 4"),
        "rows before the first": ({**members, tokens: npy(np.array([0, 1, 2, -1]))}, "rows -1 to 2 of 4"),
        "rows by fractions": ({**members, tokens: npy(np.array([0.0, 1.0, 2.0, 3.0]))}, "whole"),
        "rows by truth": ({**members, tokens: npy(np.ones(4, dtype=bool))}, "whole"),
        "true, false and more": ({**members, mask: two}, "neither True nor"),
        "a pin that differs": ({**members, "edit1.npy": npy(np.zeros((1, 4, 2)))}, "last edit"),
    }  # fmt: skip
    for bad, match in cases.values():
        refused(written(tmp_path / "t.npz", bad), match)


def test_bad_zips_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    members = members_of(sample())
    good = written(path, members).read_bytes()
    generator = np.random.default_rng(0)
    cases = [
        b"",
        b"hello",
        b"PK\x05\x06" + b"\0" * 18,
        b"\0" * 1000,
        generator.bytes(10_000),
        generator.bytes(10_000) + b"PK\x05\x06" + b"\xff" * 16 + b"\0\0",
        good[: len(good) // 2],
        good[:-1],
        good[1:],
        good + b"more",
        good[:-2] + b"\x05\x00hello",
        good[:-22] + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, 2**31, 0, 0),
        npy(np.ones(3)),
    ]
    for bad in cases:
        path.write_bytes(bad)
        refused(path)
    # a second table of contents, which would be used instead of the one that was measured
    path.write_bytes(good[:-22] + b"PK\x06\x07" + b"\0" * 16 + good[-22:])
    refused(path, "does not end like")


def test_every_cut_and_many_flips_are_refused_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    trace = Trace((Step("x", Given([1.0, 2.0], "T")), Step("y", Given([3], "N"))))
    good = written(path, members_of(trace)).read_bytes()
    for cut in range(0, len(good), 7):
        path.write_bytes(good[:cut])
        with pytest.raises(ValueError, match="cannot be read"):
            load(path)
    harmless = 0
    for bit in np.random.default_rng(1).choice(len(good) * 8, 400, replace=False).tolist():
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        path.write_bytes(bad)
        try:
            again = load(path)
        except ValueError:
            continue
        harmless += 1  # a date, or a field of the zip that nothing reads
        assert_same(again, trace)
    assert harmless < 200


def test_compressed_bombs_are_refused(tmp_path: Path) -> None:
    members = members_of(sample())
    number = next(n for n in members if n.startswith("step"))
    bomb = npy(np.zeros((200_000_000 // 8 // 2, 2)))
    for compression in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        path = written(tmp_path / "t.npz", {**members, number: bomb[: 10**6]}, compression)
        refused_cheaply(path, "compressed")
    path = written(tmp_path / "t.npz", {**members, number: bomb}, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 500_000
    refused_cheaply(path, "compressed")
    refused_cheaply(path_with_size_field(tmp_path, members, number), "larger than the file")


def path_with_size_field(tmp_path: Path, members: dict[str, bytes], number: str) -> Path:
    """A member that claims two gigabytes in the table of contents."""
    data = bytearray(written(tmp_path / "big.npz", members).read_bytes())
    place = data.rindex(b"PK\x01\x02", 0, data.rindex(number.encode()))
    data[place + 20 : place + 28] = struct.pack("<2L", 2**31, 2**31)
    (tmp_path / "big.npz").write_bytes(data)
    return tmp_path / "big.npz"


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    """One stored member, ten thousand times in the table of contents."""
    path = tmp_path / "t.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("step0.npy", npy(np.zeros(10_000)))
        info = archive.infolist()[0]
        for i in range(1, 10_000):
            again = zipfile.ZipInfo(f"step{i}.npy")
            for name in ("header_offset", "file_size", "compress_size", "CRC"):
                setattr(again, name, getattr(info, name))
            archive.filelist.append(again)
    refused_cheaply(path, "larger than the file")


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as archive:
        archive.writestr("header.npy", npy(np.zeros(3, np.uint8)))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("header.npy", npy(np.zeros(3, np.uint8)))
    refused(tmp_path / "t.npz", "distinct names")


def test_a_long_table_of_contents_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as archive:
        for i in range(2 * MOST_STEPS + 1):
            archive.writestr(zipfile.ZipInfo(f"{i}"), b"")
    refused_cheaply(tmp_path / "t.npz", "table of contents")


def test_a_large_file_is_refused_unless_it_is_wanted(tmp_path: Path) -> None:
    with open(tmp_path / "t.npz", "wb") as file:
        file.truncate(MOST_BYTES + 1)
    refused_cheaply(tmp_path / "t.npz", "any_size=True")
    with pytest.raises(ValueError, match="cannot be read"):
        load(tmp_path / "t.npz", any_size=True)


def test_places_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no file") as caught:
        load(tmp_path / "none.npz")
    assert "Errno" not in str(caught.value)
    with pytest.raises(ValueError, match="is a folder"):
        load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="not a plain file"):
        load(tmp_path / "pipe")


# whatever is accepted can be computed

SIZES = {"A": 2, "B": 3, "C": 5}
LETTERS = st.permutations("ABC").flatmap(lambda letters: st.integers(0, 3).map(lambda n: "".join(letters[:n])))


@st.composite
def headers(draw: Callable[..., Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Given values and operations on them whose inputs fit, and whose sense is left to chance."""
    axes = [draw(LETTERS) for _ in range(3)]
    kinds = [draw(st.sampled_from(["float64", "float64", "bool", "int64"])) for _ in axes]
    arrays = {f"step{i}": np.ones([SIZES[a] for a in axes[i]], kinds[i]) for i in range(3)}
    steps = [
        {"name": f"x{i}", "op": {"kind": "given", "letters": axes[i], "role": "input"}, "inputs": []} for i in range(3)
    ]
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["contract", "map", "peak", "pick", "scatter", "replace"]))
        name = draw(st.sampled_from(sorted(FORMULAS)))
        most = 1 if kind in ("peak", "replace") else 2 if kind != "map" else 4
        inputs = draw(st.lists(st.integers(0, len(axes) - 1), min_size=1, max_size=most))
        read = dict.fromkeys("".join(axes[i] for i in inputs))
        output = draw(LETTERS)
        if kind == "map":
            output += "".join(a for a in read if a not in output)
        spec = f"{','.join(axes[i] for i in inputs)}->{output}"
        op = {
            "contract": {"spec": spec, "factor": 0.5, "sizes": [[a, SIZES[a]] for a in output if a not in read]},
            "map": {"formula": name, "spec": spec, "constants": [1.0] * FORMULAS[name].constants},
            "peak": {"spec": spec},
            "pick": {"spec": spec},
            "scatter": {"spec": spec, "rows": 2},
            "replace": {"letters": axes[inputs[0]], "at": [0] * len(axes[inputs[0]]), "number": 1.0},
        }[kind]
        steps.append({"name": f"x{len(axes)}", "op": {"kind": kind, **op}, "inputs": inputs})
        axes.append(axes[inputs[0]] if kind == "replace" else output)
    top = {"version": 1, "info": {}, "labels": {}, "of": None, "edits": [], "steps": steps, "learned": []}
    return top, arrays


@given(headers())
@settings(max_examples=600)
def test_what_is_accepted_can_be_computed(made: tuple[dict[str, Any], dict[str, np.ndarray]]) -> None:
    """Most of it is nonsense: it is refused with a ValueError, or every number of it can be computed."""
    top, arrays = made
    try:
        with files.reading("it"):
            trace = files.trace_from(top, arrays, arrays.__getitem__)
    except ValueError:
        return
    with np.errstate(all="ignore"):
        for step in trace.forward:
            assert step.value.shape == step.shape
        for last in (s for s in trace.forward if s.shape == () and s.value.dtype.kind == "f"):
            for step in trace.backward(last.name).gradients:
                assert step.value.shape == step.shape


def test_picks_and_scatters_are_checked_in_what_they_read() -> None:
    table, ids = Step("t", Given(np.ones((3, 2)), "IC")), Step("ids", Given(np.array([0, 2]), "T", "constant"))
    picked = Step("p", Pick("IC,T->TC"), (table, ids))
    trace = Trace((table, ids, picked, Step("s", Scatter("TC,T->IC", 3), (picked, ids))))
    assert_same(from_json(to_json(trace)), trace)

"""Checkpoints: exact, whole or passed over, and never lost to a full disk, a kill or a second trainer."""

import errno
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch
from tests.machine import needs_proc

from regard.training import checkpoint, lock
from regard.training.checkpoint import load, random_state, restore_random_state, save
from regard.training.lock import folder_lock

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(checkpoint.__file__).parents[2])}
CONFIG = {"width": 7, "heads": [1, 2], "name": "süß \ud800", "rate": 0.1 + 0.2, "none": None}
STATE = {"losses": [2.5, -0.0, 1e-300], "position": 2**70, "deep": {"a": [True, {}]}}


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch):
    """Forcing to the disk is most of a save's time, and only matters to the test of its order and to kills."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def some_tensors(seed: int = 0) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    bits = torch.randint(0, 256, (5 * 7 * 8,), generator=generator, dtype=torch.uint8)
    kinds = [t for t in checkpoint.TYPES if t != torch.bool]
    result = {f"every.{str(kind)[6:]}": bits.view(kind).reshape(5, 7, -1)[1:, ::2].mT for kind in kinds}
    return result | {
        "yes": torch.tensor([True, False, True]),
        "one": torch.tensor(3.5, dtype=torch.bfloat16),
        "empty": torch.zeros(0, 3, dtype=torch.float16),
        "": torch.full((), -1),
        "ödd/\U0001f98a\n": torch.nn.Parameter(torch.arange(11.0)),
        "tied.a": bits,
        "tied.b": bits,
        "wide": torch.tensor([1.5]).expand(13),
    }


def assert_same(one: dict[str, torch.Tensor], two: dict[str, torch.Tensor]) -> None:
    assert set(one) == set(two)
    for name, a in one.items():
        b = two[name]
        assert a.dtype == b.dtype and a.shape == b.shape, name
        # bit for bit: NaNs among random bits are not equal to themselves
        bits = [x.detach().contiguous().reshape(-1).view(torch.uint8) for x in (a, b)]
        assert torch.equal(*bits), name


def small(folder: Path, step: int, **more) -> Path:
    numbers = torch.arange(17.0) + step
    return save(folder, step, {"width": 3}, {"E": numbers}, {"m": numbers / 2}, {"at": step}, b'{"a": 1}', **more)


def forge(place: Path) -> None:
    """Write a manifest that fits whatever lies there, as somebody who means harm would."""
    files = [p for p in sorted(place.iterdir()) if p.name != "manifest.json"]
    listed = {p.name: {"sha256": hashlib.sha256(p.read_bytes()).hexdigest(), "size": p.stat().st_size} for p in files}
    (place / "manifest.json").write_bytes(checkpoint._manifest(int(place.name), listed))


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in (folder / "checkpoints").iterdir() if p.name != ".lock")


# what is saved comes back


def test_everything_comes_back_bit_for_bit(tmp_path):
    model, training, tokenizer = some_tensors(1), some_tensors(2), bytes(range(256))
    path = save(tmp_path / "new/run", 1200, CONFIG, model, training, STATE, tokenizer)
    assert path == tmp_path / "new/run/checkpoints/00001200"
    again = load(tmp_path / "new/run")
    assert (again.step, again.config, again.state, again.tokenizer) == (1200, CONFIG, STATE, tokenizer)
    assert again.path == path and again.passed_over == ()
    assert str(again.state["losses"][1]) == "-0.0"
    assert_same(again.model, model)
    assert_same(again.training, training)


def test_no_tensors_and_no_tokenizer(tmp_path):
    path = save(tmp_path, 0, {}, {}, {}, {})
    again = load(tmp_path)
    assert (again.model, again.training, again.tokenizer, again.state) == ({}, {}, None, {})
    assert sorted(p.name for p in path.iterdir()) == sorted([*checkpoint.NEEDED, "manifest.json"])


def test_the_library_reads_our_files_and_we_read_its(tmp_path):
    tensors = {name: t for name, t in some_tensors().items() if name != "tied.b"}
    path = save(tmp_path, 5, {}, tensors, {}, {})
    assert_same(safetensors.torch.load_file(path / "model.safetensors"), tensors)
    whole = {name: t.detach().clone().contiguous() for name, t in tensors.items()}
    (path / "model.safetensors").write_bytes(safetensors.torch.save(whole))
    forge(path)
    assert_same(load(tmp_path).model, tensors)


def test_loaded_tensors_are_ones_own(tmp_path):
    path = small(tmp_path, 1)
    again = load(tmp_path)
    (path / "model.safetensors").write_bytes(b"")
    again.model["E"] += 1
    assert again.model["E"].tolist() == [2.0 + i for i in range(17)]


def test_tuples_come_back_as_lists(tmp_path):
    save(tmp_path, 1, {"betas": (0.9, 0.95)}, {}, {}, {})
    assert load(tmp_path).config == {"betas": [0.9, 0.95]}


@pytest.mark.parametrize(
    "change, said",
    [
        ({"step": -1}, "whole number"),
        ({"step": True}, "whole number"),
        ({"step": 1.0}, "whole number"),
        ({"keep": 1}, "at least 2"),
        ({"state": {"loss": float("nan")}}, r"training\['state'\]\['loss'\] is nan"),
        ({"state": {"losses": [1.0, float("inf")]}}, r"\['losses'\]\[1\] is inf"),
        ({"config": {"a": {3: 4}}}, r"config\['a'\] has the key 3"),
        ({"config": {"a": np.int64(3)}}, "got int64"),
        ({"config": {"a": torch.ones(2)}}, "got Tensor"),
        ({"config": {"a": "x" * 2**22}}, "at most 4194304"),
        ({"config": [1]}, "config must be a dict, got list"),
        ({"state": None}, "state must be a dict, got NoneType"),
        ({"model": {"x": np.ones(3)}}, r"model\['x'\] is a ndarray"),
        ({"model": {"x": torch.ones(2, dtype=torch.complex64)}}, "complex64, which is not saved"),
        ({"model": {"x": torch.eye(3).to_sparse()}}, "sparse"),
        ({"model": {"x": torch.empty(3, device="meta")}}, "no numbers"),
        ({"training": {"__metadata__": torch.ones(3)}}, "__metadata__"),
        ({"training": {3: torch.ones(3)}}, "names of tensors are text"),
        ({"tokenizer": bytes(2**26 + 1)}, "at most 67108864"),
    ],
)
def test_what_cannot_be_read_back_is_refused_before_anything_is_written(tmp_path, change, said):
    arguments = {"step": 1, "config": {}, "model": {}, "training": {}, "state": {}} | change
    with pytest.raises(ValueError, match=said):
        save(tmp_path, **arguments)
    assert not list(tmp_path.iterdir())


def test_data_that_holds_itself_is_refused(tmp_path):
    state: dict = {}
    state["state"] = state
    with pytest.raises(ValueError, match="contains itself"):
        save(tmp_path, 1, {}, {}, {}, state)


# which ones stay


def test_two_are_kept_and_older_ones_removed(tmp_path):
    for step in range(1, 6):
        small(tmp_path, step)
        assert names(tmp_path) == [f"{s:08d}" for s in range(max(1, step - 1), step + 1)]
    small(tmp_path, 10**9, keep=3)
    assert names(tmp_path) == ["00000004", "00000005", "1000000000"]
    assert load(tmp_path).step == 10**9


def test_a_damaged_one_does_not_count_as_kept(tmp_path):
    small(tmp_path, 1)
    (small(tmp_path, 2) / "config.json").write_text("{}")
    small(tmp_path, 3)
    assert names(tmp_path) == ["00000001", "00000002", "00000003"]
    small(tmp_path, 4)
    assert names(tmp_path) == ["00000003", "00000004"]


def test_a_step_saved_twice_is_replaced(tmp_path):
    small(tmp_path, 1)
    for loss in (1.0, 2.0):
        save(tmp_path, 2, {}, {}, {}, {"loss": loss})
    assert load(tmp_path).state == {"loss": 2.0} and names(tmp_path) == ["00000001", "00000002"]


def test_a_damaged_step_is_replaced_when_the_run_comes_by_again(tmp_path):
    small(tmp_path, 1)
    (small(tmp_path, 2) / "model.safetensors").unlink()
    assert load(tmp_path).step == 1
    small(tmp_path, 2)
    assert load(tmp_path).step == 2 and load(tmp_path).passed_over == ()


def test_what_stepped_aside_is_still_loaded(tmp_path):
    place = small(tmp_path, 2)
    place.rename(place.with_name("00000002.old"))  # as a kill between the two renames leaves it
    assert load(tmp_path).step == 2
    small(tmp_path, 3)
    assert names(tmp_path) == ["00000002.old", "00000003"]
    small(tmp_path, 4)
    assert names(tmp_path) == ["00000003", "00000004"]


@pytest.mark.parametrize("rotten", ["00000002", "00000002.old"])
def test_of_two_of_one_step_the_whole_one_is_used_and_kept_until_a_third_is_in_place(tmp_path, monkeypatch, rotten):
    place = small(tmp_path, 2)
    place.rename(place.with_name("00000002.old"))
    small(tmp_path / "other", 2).rename(place)
    (place.with_name(rotten) / "config.json").write_text("{}")
    assert load(tmp_path).path.name != rotten
    rename = os.rename

    def failing(source, target):
        if Path(target) == place:
            raise OSError(errno.EIO, "no")
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", failing)
        with pytest.raises(OSError, match="could not be saved"):
            small(tmp_path, 2)
    assert load(tmp_path).step == 2
    small(tmp_path, 2)
    assert names(tmp_path) == ["00000002"] and load(tmp_path).passed_over == ()


def test_a_new_run_in_a_used_folder_is_refused(tmp_path):
    place = small(tmp_path, 900)
    with pytest.raises(ValueError, match=r"holds step 900, so step 100 would never be loaded again; resume from there"):
        small(tmp_path, 100)
    assert names(tmp_path) == ["00000900"]
    (place / "manifest.json").unlink()  # nothing that could be loaded
    small(tmp_path, 100)
    assert load(tmp_path).step == 100


def test_leftovers_of_dead_writers_go(tmp_path):
    place = small(tmp_path, 1)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    home = place.parent
    for left in (".partial-00000002", ".partial-00000007/inner"):
        (home / left).mkdir(parents=True)
        (home / left / "model.safetensors").write_bytes(b"half")
    (home / ".partial-link").symlink_to(outside)
    (home / "notes.txt").write_text("mine")
    small(tmp_path, 2)
    assert names(tmp_path) == ["00000001", "00000002", "notes.txt"]
    assert (outside / "precious").exists()


# damage


def test_no_checkpoint_at_all(tmp_path):
    for folder in (tmp_path, tmp_path / "absent"):
        with pytest.raises(ValueError, match="there is no checkpoint in"):
            load(folder)


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pair")
    small(folder, 1)
    place = small(folder, 2)
    return folder, place, {p.name: p.read_bytes() for p in place.iterdir()}


def assert_passed_over(folder: Path, why: str = "") -> None:
    again = load(folder)
    assert again.step == 1 and again.state == {"at": 1}
    assert len(again.passed_over) == 1
    assert re.fullmatch(rf"00000002: .*{why}.*", again.passed_over[0]), again.passed_over
    assert len(again.passed_over[0]) < 300


@pytest.mark.parametrize("kind", ["flip", "truncate"])
def test_400_random_flips_and_400_truncations_are_detected(pair, kind, figure):
    folder, place, contents = pair
    assert load(folder).step == 2
    chance = random.Random(11)
    for _ in range(400):
        name = chance.choice(sorted(contents))
        changed = bytearray(contents[name])
        if kind == "flip":
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        else:
            del changed[chance.randrange(len(changed)) :]
        (place / name).write_bytes(changed)
        assert_passed_over(folder)
        (place / name).write_bytes(contents[name])
        figure(damages=1)
    assert load(folder).step == 2


def test_every_byte_of_the_manifest_matters(pair):
    """Nothing stands above the manifest, so all its bytes are tried, at two or three bits each."""
    _folder, place, contents = pair
    data = contents["manifest.json"]
    for bit in range(0, 8 * len(data), 3):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        (place / "manifest.json").write_bytes(changed)
        assert not checkpoint._is_whole(place, 2), bit
    (place / "manifest.json").write_bytes(data)
    assert checkpoint._is_whole(place, 2)


def test_longer_missing_and_extra_files(pair):
    folder, place, contents = pair
    for name, data in contents.items():
        (place / name).write_bytes(data + b" ")
        assert_passed_over(folder, name)
        (place / name).unlink()
        assert_passed_over(folder, name)
        (place / name).mkdir()
        assert_passed_over(folder, name)
        (place / name).rmdir()
        (place / name).symlink_to(folder / "checkpoints/00000001" / name)
        assert_passed_over(folder, name)
        (place / name).unlink()
        os.mkfifo(place / name)
        assert_passed_over(folder, f"{name} is not a plain file")
        (place / name).unlink()
        (place / name).write_bytes(data)
    for extra in ("x.py", "model.safetensors.bak", "\x1b[31m\n" + "x" * 200):
        (place / extra).write_text("")
        assert_passed_over(folder, "not in manifest.json")
        (place / extra).unlink()
    assert load(folder).step == 2


def test_a_renamed_checkpoint_is_not_another_step(pair):
    folder, place, _ = pair
    moved = place.rename(place.with_name("00000003"))
    assert load(folder).passed_over == ("00000003: manifest.json was not written for step 3",)
    moved.rename(place)


def test_none_whole_says_what_was_tried(tmp_path):
    for step, name in ((1, "config.json"), (2, "model.safetensors")):
        (small(tmp_path, step) / name).unlink()
    with pytest.raises(ValueError, match=r"^no checkpoint in .* is intact; tried 00000002: missing: model") as caught:
        load(tmp_path)
    assert "00000001: missing: config.json" in str(caught.value) and "\n" not in str(caught.value)


# hostile files, with a manifest that fits


def header(text: bytes, data: bytes = b"", length: int | None = None) -> bytes:
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


def one(**more) -> bytes:
    return json.dumps({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **more}}).encode()


HOSTILE_TENSORS = {
    "nothing": b"",
    "seven bytes": b"1234567",
    "length past the end": header(b"{}", length=2**63),
    "largest length": header(b"{}", length=2**64 - 1),
    "no JSON": header(b"{" * 99),
    "not text": header(b"\xff\xfe{}"),
    "a list": header(b"[]"),
    "deep": header(b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    "entry is a number": header(b'{"x": 3}'),
    "no shape": header(b'{"x": {"dtype": "F32", "data_offsets": [0, 8]}}', bytes(8)),
    "unknown type": header(one(dtype="F31"), bytes(8)),
    "type is a list": header(one(dtype=[]), bytes(8)),
    "pickle type": header(one(dtype="OBJECT"), bytes(8)),
    "too few bytes": header(one(), bytes(7)),
    "too many bytes": header(one(), bytes(9)),
    "shape too large": header(one(shape=[2**62, 2**62]), bytes(8)),
    "shape overflows": header(one(shape=[2**64 + 2]), bytes(8)),
    "shape negative": header(one(shape=[-2]), bytes(8)),
    "shape of text": header(one(shape=["2"]), bytes(8)),
    "shape is text": header(one(shape="22"), bytes(8)),
    "nothing, very large": header(one(shape=[0, 2**62, 2**62], data_offsets=[0, 0])),
    "ten thousand axes": header(one(shape=[2] + [1] * 10_000), bytes(8)),
    "offsets backwards": header(one(data_offsets=[8, 0]), bytes(8)),
    "offsets outside": header(one(data_offsets=[2**40, 2**40 + 8]), bytes(8)),
    "offsets negative": header(one(data_offsets=[-8, 0]), bytes(8)),
    "overlap": header(
        b'{"x": {"dtype": "U8", "shape": [8], "data_offsets": [0, 8]},'
        b'"y": {"dtype": "U8", "shape": [8], "data_offsets": [0, 8]}}', bytes(8)
    ),
    "hole": header(one(data_offsets=[8, 16]), bytes(16)),
    "header of 100 MB": header(b'{"x": "' + b" " * 100_000_000 + b'"}'),
    "a million lists": header(b'{"x": [' + b"[]," * 1_300_000 + b"[]]}"),
    "a million keys": header(b"{" + b",".join(b'"%x":0' % i for i in range(350_000)) + b"}"),
    "pickle": b"\x80\x04\x95" + bytes(100),
    "zip": b"PK\x03\x04" + bytes(100),
}  # fmt: skip
HOSTILE_JSON = {
    "nothing": b"",
    "a list": b"[]",
    "NaN": b'{"a": NaN}',
    "cut": b'{"a": ',
    "not text": b"\xff\xfe\x00",
    "deep": b'{"a":' + b"[" * 500_000 + b"]" * 500_000 + b"}",
    "digits": b'{"a": ' + b"9" * 1_000_000 + b"}",
    "large": b'{"a": "' + b"x" * 50_000_000 + b'"}',
    "a million lists": b"[" + b"[]," * 1_390_000 + b"[]]",
}


@pytest.fixture
def refused(tmp_path):
    """Puts a file into the newest checkpoint, forges the manifest, and sees it passed over soon and cheaply."""
    resource = pytest.importorskip("resource")
    small(tmp_path, 1)
    place = small(tmp_path, 2)

    def check(name: str, data: bytes) -> None:
        (place / name).write_bytes(data)
        forge(place)
        before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
        again = load(tmp_path)
        assert again.step == 1 and len(again.passed_over) == 1 and len(again.passed_over[0]) < 300
        assert name in again.passed_over[0] and "\n" not in again.passed_over[0]
        assert time.perf_counter() - begin < 30  # a hang, not a speed
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes

    return check


@pytest.mark.parametrize("case", HOSTILE_TENSORS)
def test_hostile_tensors(refused, case):
    refused("model.safetensors", HOSTILE_TENSORS[case])


@pytest.mark.parametrize("case", HOSTILE_JSON)
@pytest.mark.parametrize("name", ["config.json", "training.json"])
def test_hostile_json(refused, case, name):
    refused(name, HOSTILE_JSON[case])


def test_another_steps_training(refused):
    refused("training.json", b'{"step": 1, "state": {}}')
    refused("training.json", b'{"step": 2, "state": []}')


def test_a_tokenizer_of_100_MB(refused):
    refused("tokenizer.json", bytes(100_000_000))


@pytest.mark.parametrize("case", HOSTILE_JSON)
def test_hostile_manifests(pair, case):
    folder, place, contents = pair
    (place / "manifest.json").write_bytes(HOSTILE_JSON[case])
    assert_passed_over(folder, "manifest.json")
    (place / "manifest.json").write_bytes(contents["manifest.json"])


@pytest.mark.parametrize("files", [None, [], {}, {"a": 1}, {"../../x": {"sha256": "", "size": 0}}, {"a": {"size": []}}])
def test_manifests_that_list_something_else(pair, files):
    folder, place, contents = pair
    (place / "manifest.json").write_bytes(checkpoint._manifest(2, files))
    assert_passed_over(folder, "manifest.json")
    (place / "manifest.json").write_bytes(contents["manifest.json"])


@needs_proc
def test_2000_mutated_headers_give_tensors_or_one_kind_of_error():
    good = b"".join(checkpoint._safetensors({"a": torch.ones(3, 5), "b": torch.ones(2).half()}, "model"))
    chance, refusals = random.Random(3), 0
    words = [b"[", b"]", b"{", b'"', b"-1", b"1e9", b"99999999999999999999", b"null", b",", b":", b"F64", b"\xff", b"0"]
    for _ in range(2000):
        text = bytearray(good[8:])
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(int.from_bytes(good[:8], "little"))
            text[at : at + chance.randint(0, 3)] = chance.choice(words)
        length = int.from_bytes(good[:8], "little") + len(text) - len(good) + 8
        try:
            checkpoint._tensors(length.to_bytes(8, "little") + bytes(text), "model.safetensors")
        except checkpoint._Damage:
            refusals += 1
    assert refusals > 1500


# write errors


def fail_at(monkeypatch, function: str, call: int, number: int, onwards: bool) -> list[int]:
    """Let call number `call` of os.function fail, or all from there on."""
    original, count = getattr(os, function), [0]

    def failing(*arguments, **named):
        count[0] += 1
        if count[0] == call or (onwards and count[0] > call):
            if function == "close":  # a close that fails has closed nevertheless
                original(*arguments, **named)
            raise OSError(number, os.strerror(number))
        return original(*arguments, **named)

    monkeypatch.setattr(os, function, failing)
    return count


@pytest.mark.parametrize("onwards", [False, True])
@pytest.mark.parametrize("again", [False, True])  # the same step once more: the old one has to step aside
@pytest.mark.parametrize("function", ["write", "open", "fsync", "rename", "mkdir", "close", "ftruncate"])
def test_a_write_error_at_any_call_loses_nothing(tmp_path, monkeypatch, function, again, onwards):
    number = {"write": errno.ENOSPC, "fsync": errno.EIO, "mkdir": errno.ENOSPC}.get(function, errno.EDQUOT)
    small(tmp_path, 1)
    for call in range(1, 100):
        small(tmp_path, call + 1)
        step = call + 1 if again else call + 2
        before = load(tmp_path)
        with monkeypatch.context() as patch:
            count = fail_at(patch, function, call, number, onwards)
            failed = None
            try:
                small(tmp_path, step)
            except OSError as error:
                failed = error
        if count[0] < call:
            assert failed is None and call > 1
            return
        if failed is None:  # an older one could not be read to see whether it is whole, so all of them stay
            assert function in ("open", "close") and load(tmp_path).step == step
            continue
        assert failed.errno == number
        assert str(tmp_path) in str(failed) and os.strerror(number) in str(failed) and "\n" not in str(failed)
        after = load(tmp_path)
        assert after.step in (before.step, step) and after.passed_over == ()
        older = {before.path.name, f"{before.path.name}.old"}
        assert again or older & set(names(tmp_path))
        assert all(
            checkpoint._is_whole(*reversed(place)) for place in checkpoint._newest_first(tmp_path / "checkpoints")
        )
        if "is saved" in str(failed):
            assert after.step == step
        else:
            assert not [name for name in names(tmp_path) if name.startswith(".partial")], (call, names(tmp_path))
        if not again and after.step == step:  # the name was in place, its folder's fsync failed
            monkeypatch.undo()
            checkpoint._remove(after.path)
    pytest.fail("the sweep did not end")


@pytest.mark.parametrize("function", ["write", "open", "fsync", "rename", "mkdir"])
def test_a_write_error_at_the_first_save_leaves_a_folder_that_can_be_used(tmp_path, monkeypatch, function):
    for call in range(1, 100):
        folder = tmp_path / str(call)
        with monkeypatch.context() as patch:
            count = fail_at(patch, function, call, errno.ENOSPC, onwards=False)
            said = f"could not be saved in {folder}: No space left"
            with suppress(OSError) if call > 1 else pytest.raises(OSError, match=said):
                small(folder, 1)
        if count[0] < call:
            return
        small(folder, 1)
        assert load(folder).passed_over == () and names(folder) == ["00000001"]
    pytest.fail("the sweep did not end")


def test_all_is_forced_to_the_disk_before_the_name_and_the_name_before_older_ones_go(tmp_path, monkeypatch):
    small(tmp_path, 1)
    small(tmp_path, 2)
    home, events, rename = tmp_path / "checkpoints", [], os.rename
    monkeypatch.setattr(os, "fsync", lambda handle: events.append(os.fstat(handle).st_ino))
    monkeypatch.setattr(os, "rename", lambda a, b: (events.append(Path(b).name), rename(a, b)))
    place = small(tmp_path, 3)
    files = {p.stat().st_ino for p in place.iterdir()}
    assert len(files) == 6 and set(events[:6]) == files
    assert events[6:] == [place.stat().st_ino, "00000003", home.stat().st_ino, ".partial-00000001"]


def test_a_limit_on_file_size_as_the_system_itself_enforces_it(tmp_path):
    small(tmp_path, 1)
    code = f"""
import resource, signal, torch
from regard.training.checkpoint import save
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    save({str(tmp_path)!r}, 2, {{}}, {{"E": torch.ones(50_000)}}, {{}}, {{}})
except OSError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert told.stdout == (
        f"[Errno 27] step 2 could not be saved in {tmp_path}: File too large; what was saved before is untouched\n"
    )
    assert load(tmp_path).step == 1 and names(tmp_path) == ["00000001"]


def test_an_interrupt_leaves_nothing_half_done(tmp_path, monkeypatch):
    small(tmp_path, 1)

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            small(tmp_path, 2)
    assert names(tmp_path) == ["00000001"]
    small(tmp_path, 2)  # the lock was let go


# kill -9


def test_killed_25_times_while_saving_the_folder_loads_every_time(tmp_path):
    """Writers are forked from one process that has torch already: starting Python 25 times would take a minute."""
    save(tmp_path, 0, {}, {"E": torch.zeros(20_000)}, {"m": torch.zeros(20_000)}, {"at": 0})
    chance, at, kills, halves = random.Random(5), 0, 25, 0
    code = f"""
import os, sys, itertools, torch
torch.set_num_threads(1)
from regard.training.checkpoint import save
for line in sys.stdin:
    start = int(line)
    child = os.fork()
    if not child:
        for at in itertools.count(start):
            numbers = torch.full((20_000,), float(at))
            save({str(tmp_path)!r}, at // 2, {{}}, {{"E": numbers}}, {{"m": numbers}}, {{"at": at}})  # each step twice
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert parent.stdin and parent.stdout
    with parent:
        for _ in range(kills):
            parent.stdin.write(f"{at + 1}\n")
            parent.stdin.flush()
            child = int(parent.stdout.readline())
            time.sleep(chance.uniform(0.005, 0.12))
            os.kill(child, signal.SIGKILL)
            assert parent.stdout.readline() == "gone\n"
            halves += any(name.startswith(".partial") for name in names(tmp_path))
            again = load(tmp_path)
            assert again.passed_over == () and again.state["at"] >= at
            at = again.state["at"]
            assert again.model["E"].eq(at).all() and again.training["m"].eq(at).all() and again.step == at // 2
        parent.stdin.close()
    assert parent.returncode == 0 and at > 0
    assert halves > kills // 3  # else the kills did not hit saves
    small(tmp_path, at)
    assert not [name for name in names(tmp_path) if name.startswith(".partial")]


# the lock


def holder(folder: Path, then: str) -> subprocess.Popen:
    code = f"""
import os, sys, time
from regard.training.lock import folder_lock
with folder_lock({str(folder)!r}):
    {then}
    print("held", flush=True)
    time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    assert process.stdout and process.stdout.readline() == "held\n"
    return process


def test_a_second_trainer_is_refused_until_the_first_is_killed(tmp_path):
    run = tmp_path / "run"
    with holder(run, "pass") as first:
        with pytest.raises(ValueError, match=rf"run is in use by process {first.pid}; wait"), folder_lock(run):
            pass
        first.kill()
        first.wait()
        with folder_lock(run):
            assert (run / ".lock").read_text() == f"{os.getpid()}\n"


def test_forked_workers_do_not_hold_the_lock_of_a_killed_trainer(tmp_path):
    fork = "worker = os.fork()\n    if not worker: time.sleep(60)\n    print(worker, flush=True) if worker else None"
    code = f"""
import os, sys, time
from regard.training.lock import folder_lock
with folder_lock({str(tmp_path)!r}):
    {fork}
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as first:
        assert first.stdout
        worker = int(first.stdout.readline())
        time.sleep(0.2)
        with pytest.raises(ValueError, match=f"process {first.pid}"), folder_lock(tmp_path):
            pass
        first.kill()
        first.wait()
        try:
            with folder_lock(tmp_path):
                pass
        finally:
            os.kill(worker, signal.SIGKILL)


def test_the_lock_is_let_go_after_an_error_and_not_by_a_child(tmp_path):
    with pytest.raises(KeyError), folder_lock(tmp_path):
        raise KeyError
    with folder_lock(tmp_path):
        if not (child := os.fork()):
            lock._held.clear()
            os._exit(0)
        os.waitpid(child, 0)
        with pytest.raises(ValueError, match=f"process {os.getpid()}"), folder_lock(tmp_path):
            pass
    with folder_lock(tmp_path):
        pass


def test_two_saves_at_once_are_refused_but_a_trainer_saves_into_its_own_folder(tmp_path):
    with folder_lock(tmp_path):
        small(tmp_path, 1)
    with folder_lock(tmp_path / "checkpoints"), pytest.raises(ValueError, match="in use by process"):
        small(tmp_path, 2)
    assert load(tmp_path).step == 1


def test_a_planted_link_is_not_written_through(tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / ".lock").symlink_to(precious)
    with pytest.raises(OSError, match="symbolic link"), folder_lock(tmp_path):
        pass
    assert precious.read_text() == "mine"


def test_without_fcntl_the_file_is_the_lock(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "fcntl", None)
    said = rf"process {os.getpid()}; .* delete .*\.lock .*no fcntl"
    with folder_lock(tmp_path), pytest.raises(ValueError, match=said), folder_lock(tmp_path):
        pass
    assert not (tmp_path / ".lock").exists()
    small(tmp_path, 1)
    assert load(tmp_path).step == 1


# random generators


def draws() -> list:
    return [
        random.random(), random.gauss(0, 1), np.random.random(), np.random.standard_normal(),
        torch.rand(5).tolist(), torch.randn(3).tolist(), torch.randperm(7).tolist(),
    ]  # fmt: skip


def test_random_generators_go_on_where_they_were_through_a_file(tmp_path):
    draws()  # leaves half of a pair of Gauss numbers in each
    tensors, plain = random_state()
    save(tmp_path, 1, {}, {}, {"optimiser": torch.ones(2), **tensors}, {"random": plain})
    first, second = draws(), draws()
    assert first != second
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    again = load(tmp_path)
    assert restore_random_state(again.training, again.state["random"]) == ()
    assert [draws(), draws()] == [first, second]


@pytest.mark.parametrize(
    "name, value",
    [
        ("random.torch", torch.zeros(3, dtype=torch.uint8)),
        ("random.torch", torch.full((5056,), 255, dtype=torch.uint8)),
        ("random.torch", torch.zeros(5056)),
        ("random.numpy", torch.zeros(3, dtype=torch.int64)),
        ("random.numpy", torch.full((624,), -1)),
        ("random.numpy", torch.full((624,), float("nan"))),
        ("random.python", torch.zeros(3, dtype=torch.int64)),
        ("random.python", torch.full((625,), 2**40)),
        ("numpy", {"position": 10**6, "has_gauss": 0, "gauss": 0.0}),
        ("numpy", {}),
        ("python", {"version": 9, "gauss": None}),
        ("python", None),
    ],
)
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(name, value):
    tensors, plain = random_state()
    draws()  # elsewhere than the bad state, so that setting half of it would show
    here = random_state()
    before = draws()
    restore_random_state(*here)
    bad_tensors = tensors | ({name: value} if "." in name else {})
    bad_plain = plain | ({} if "." in name else {name: value})
    with pytest.raises(ValueError, match="not a state of random generators"):
        restore_random_state(bad_tensors, bad_plain)
    assert draws() == before


def test_the_state_of_a_gpu_that_is_not_here_is_said():
    tensors, plain = random_state()
    extra = {"random.cuda.97": torch.zeros(16, dtype=torch.uint8)}
    said = f"random.cuda.97: this machine has {torch.cuda.device_count()} CUDA devices"
    assert restore_random_state(tensors | extra, plain) == (said,)

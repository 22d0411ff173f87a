"""Several processes: the losses of one, nobody else can connect, and one that is killed costs nothing."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.machine import needs_proc

import regard
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.training import checkpoint
from regard.training.lock import folder_lock
from regard.training.logs import Logs
from regard.training.loop import Report
from regard.training.processes import loopback
from regard.training.stopping import stopping
from regard.training.underway import Underway

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(regard.__file__).parents[1]), "OMP_NUM_THREADS": "1",
               "COLUMNS": "120"}  # fmt: skip
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
PATIENCE = 120  # seconds; a guard against hanging, nothing is timed
UPDATES = ["updates=30", "save_every=7", "evaluate_every=10", "layers=2", "accumulate=2"]


def lines(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "losses.jsonl").read_text().splitlines()]


def ended(process: subprocess.Popen) -> tuple[int, str, str]:
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, out, err


def started(command: list[str]) -> subprocess.Popen:
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def wait_for(folder: Path, update: int, process: subprocess.Popen) -> None:
    until = time.monotonic() + PATIENCE
    file = folder / "losses.jsonl"
    while not file.exists() or file.read_bytes().count(b"\n") < update:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until, "the run did not come that far"
        time.sleep(0.02)


def family(folder: Path) -> Iterator[tuple[int, str]]:
    """Every process that works on a run: its number, and its rank ('' for the one that started the others)."""
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.fsencode(folder) in (entry / "cmdline").read_bytes():
                variables = (entry / "environ").read_bytes().split(b"\0")
                yield int(entry.name), next((v[5:].decode() for v in variables if v.startswith(b"RANK=")), "")
        except OSError:  # gone meanwhile
            continue


def kill_rank(folder: Path, rank: str) -> None:
    os.kill(next(number for number, found in family(folder) if found == rank), signal.SIGKILL)


# the same numbers


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> list[dict]:
    """What each of two processes found (together.py)."""
    result = tmp_path_factory.mktemp("together") / "result.json"
    command = [*TORCHRUN, str(Path(__file__).with_name("together.py")), str(result)]
    code, out, err = ended(started(command))
    if "terminate called without an active exception" in err:  # a thread of torch's own, once in many runs
        code, out, err = ended(started(command))
    assert code == 0, out + err
    return [json.loads(Path(f"{result}.{rank}").read_text()) for rank in (0, 1)]


@pytest.mark.parametrize("way", ["copies", "parts"])
@pytest.mark.parametrize("case", ["rows that do not divide, added up", "muon", "compiled"])
def test_two_processes_make_the_updates_of_one(found, case, way):
    one, several = found[0]["found"][case]["alone"], found[0]["found"][case][way]
    for a, b in zip(one["reports"], several["reports"], strict=True):
        assert abs(a["loss"] - b["loss"]) <= 1e-5 and a["rate"] == b["rate"]
        assert b["validation"] == pytest.approx(a["validation"], abs=1e-5)
        assert b["gradient"] == pytest.approx(a["gradient"], rel=1e-5)
        assert b["roles"] == pytest.approx(a["roles"], rel=1e-5) and a["roles"]
    assert one["reports"][0]["loss"] != one["reports"][-1]["loss"]
    assert several["written"] == one["written"]
    for name, numbers in one["parameters"].items():
        if not name.endswith("b_K"):  # it has no gradient but rounding, which AdamW makes as large as any other
            assert several["parameters"][name] == pytest.approx(numbers, abs=1e-5), name
    half = 0.51 if way == "parts" else 1
    assert several["held here"] <= half * one["held here"]


def test_all_processes_report_the_same(found):
    for variant in found[0]["found"]:
        for way in ("copies", "parts"):
            both = [process["found"][variant][way] for process in found]
            for a, b in zip(*(each["reports"] for each in both), strict=True):
                assert a | {"tokens_per_second": 0} == b | {"tokens_per_second": 0}
            assert both[0]["parameters"] == both[1]["parameters"] and both[0]["written"] == both[1]["written"]
    assert [process["flags"] for process in found] == [[1, 0, 7, 3]] * 2
    assert all(process["interface"] in ("lo", "lo0") for process in found)


def test_the_loopback_interface_is_one_that_the_system_has():
    """Not one that a file in /sys stands for: where /sys is not mounted, Linux was taken for macOS."""
    assert loopback(["lo", "eth0"]) == loopback(["eth0", "lo"]) == "lo"
    assert loopback(["en0", "lo0", "utun1"]) == "lo0"
    with pytest.raises(ValueError, match=r"lo or lo0, and there is only eth0; .*GLOO_SOCKET_IFNAME"):
        loopback(["eth0"])


def test_each_process_drops_something_else_and_the_same_when_a_run_goes_on(found):
    for rank, process in enumerate(found):
        expected = np.random.SeedSequence([0, 3, rank]).generate_state(1, np.uint64)[0]  # seed, updates before the last
        for way in ("copies", "parts"):
            assert process["found"]["muon"][way]["drew from"] == expected
        assert process["found"]["muon"]["alone"]["drew from"] == 11
        assert process["found"]["compiled"]["copies"]["drew from"] == 11


def test_gradients_that_are_added_up_are_sent_once(found):
    """Of copies: once to begin with, gradients and loss of four updates, and the losses of four evaluated batches."""
    added_up = found[0]["found"]["rows that do not divide, added up"]
    assert added_up["alone"]["sent"] == {}
    assert added_up["copies"]["sent"]["gloo:all_reduce"] == 1 + 4 * 2 + 4
    not_added_up = found[0]["found"]["muon"]
    assert added_up["parts"]["sent"]["gloo:all_reduce"] == not_added_up["parts"]["sent"]["gloo:all_reduce"]


# a signal, and what the processes tell each other of it


class Pretended:
    """A run of seven updates. `most` is what its processes say after each of them, `saving` happens as it is saved."""

    def __init__(self, most: Callable[[int], int], saving: Callable[[], None] = lambda: None):
        self.trainer = SimpleNamespace(processes=SimpleNamespace(most=most))
        self.updates, self.saving, self.saved = 0, saving, []

    @property
    def ended(self) -> bool:
        return self.updates == 7

    def reports(self) -> Iterator[Report]:
        while not self.ended:
            self.updates += 1
            yield Report(self.updates, loss=2.0, rate=0.1, gradient=1.0)

    def save(self) -> None:
        self.saving()
        self.saved.append(self.updates)


def sigterm() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_signal_that_comes_while_the_processes_speak_is_said_the_next_time():
    """Not forgotten with the answer to what was said before it came, nor obeyed by this process alone."""
    said = []

    def most(number: int) -> int:
        said.append(number)
        if len(said) == 3:
            sigterm()
        return number

    with stopping() as stop:
        training = Underway(run := Pretended(most), stop, Logs())
        assert [report.update for report in training.reports()] == [1, 2, 3, 4]
    assert said == [0, 0, 0, 15] and run.saved == [4] and training.exit_code == 143


def test_a_signal_of_which_another_process_has_told_is_the_first_all_the_same():
    """Whoever sends it to all reaches them one after the other: the run is saved before a second one ends it."""
    with stopping() as stop:
        training = Underway(run := Pretended(lambda number: 15, saving=sigterm), stop, Logs())
        assert [report.update for report in training.reports()] == [1]
        assert run.saved == [1] and training.exit_code == 143
        with pytest.raises(SystemExit, match="143"):
            sigterm()


# the command


@pytest.fixture(scope="module")
def arguments(text_file, tiny, set_options) -> list[str]:
    return [str(text_file), *tiny, *set_options(UPDATES)]


def listening(numbers: set[int]) -> list[str]:
    """The addresses on which these processes take connections."""
    sockets = set()
    for number in numbers:
        for handle in Path(f"/proc/{number}/fd").iterdir():
            try:
                sockets.add(os.readlink(handle))
            except OSError:
                continue
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                found.append(fields[1].partition(":")[0])
    return found


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs Linux's /proc")
def test_nobody_else_can_connect_sigterm_saves_and_one_process_goes_on(arguments, tmp_path, set_options):
    """`regard train --processes 2` from its start to its end by one process; the losses are those of one process."""
    whole, folder = tmp_path / "whole", tmp_path / "run"
    # each update is long enough that the signal comes before the last, also on a busy machine
    no_dropout = set_options(["dropout=0", "sharded=yes", "accumulate=16"])
    assert run(["train", *arguments, *no_dropout, "--out", str(whole)]) == 0
    command = [sys.executable, "-m", "regard", "train", *arguments, *no_dropout, "--out", str(folder)]
    process = started([*command, "--processes", "2"])
    wait_for(folder, 2, process)
    members = dict(family(folder))
    assert sorted(members.values()) == ["", "0", "1"]
    addresses = listening(set(members))
    os.kill(next(number for number, rank in members.items() if rank == "1"), signal.SIGTERM)  # one stops all
    code, out, err = ended(process)
    assert code == 143 and not err, err
    first = checkpoint.load(folder).step
    assert f"stopped after update {first} and saved" in out
    process = started([*command, "--processes", "2", "--resume"])
    wait_for(folder, first + 1, process)
    process.send_signal(signal.SIGTERM)
    code, out, err = ended(process)
    assert set(addresses) == {"0100007F"} and len(addresses) >= 3, addresses  # 127.0.0.1: the store, and each of two
    assert code == 143 and not err, err
    saved = checkpoint.load(folder)
    assert first < saved.step == len(lines(folder)) < 30 and f"stopped after update {saved.step} and saved" in out
    assert sorted(p.name for p in saved.path.glob("training-*")) == [
        "training-00001-of-00002.safetensors", "training-00002-of-00002.safetensors"]  # fmt: skip
    assert not [p for p in folder.rglob("*") if p.suffix in (".distcp", ".pt", ".pkl") or p.name == ".metadata"]
    assert run(["train", *arguments, *no_dropout, "--out", str(folder), "--resume"]) == 0
    for a, b in zip(lines(whole), lines(folder), strict=True):
        assert b == pytest.approx(a, abs=1e-5)
    assert [name.name for name in (folder / "checkpoints/00000030").glob("training-*")] == []


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory, arguments) -> Path:
    folder = tmp_path_factory.mktemp("unbroken") / "notes"
    code, out, err = ended(started([sys.executable, "-m", "regard", "train", *arguments, "--out", str(folder),
                                    "--processes=2", "--set", "sharded=yes"]))  # fmt: skip
    assert code == 0 and not err, err
    assert out.count("update 30/30") == 1 and "saved in" in out  # only the first speaks
    assert "listens" not in out
    return folder


@needs_proc
def test_a_killed_rank_is_started_anew_to_a_bit_identical_end(unbroken, arguments, tmp_path):
    """With dropout and parts: everything that a resumed run must have."""
    folder = tmp_path / "run"
    command = [*TORCHRUN, "--max-restarts", "1", "-m", "regard", "train", *arguments, "--set", "sharded=yes"]
    process = started([*command, "--out", str(folder)])
    wait_for(folder, 16, process)
    kill_rank(folder, "1")
    code, out, err = ended(process)
    assert code == 0, err
    assert "torchrun listens on every address" in out and "regard train --processes 2" in out
    assert "resumed after 14" in out or "going on after 21" in out, out
    assert (folder / "losses.jsonl").read_bytes() == (unbroken / "losses.jsonl").read_bytes()
    one, two = checkpoint.load(folder), checkpoint.load(unbroken)
    assert one.step == two.step == 30
    for kept, expected in ((one.model, two.model), (one.training, two.training)):
        assert {name for name in kept if "random" not in name} == {name for name in expected if "random" not in name}
        assert all(kept[name].equal(expected[name]) for name in expected if "random" not in name)


@needs_proc
def test_a_damaged_part_is_passed_over_and_the_model_is_whole(unbroken, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(unbroken, folder)
    parts = sorted((folder / "checkpoints/00000030").glob("training-*"))
    assert len(parts) == 2 and sum(p.stat().st_size for p in parts) > 0 and not (folder / ".shards").exists()
    for part in parts:
        whole = part.read_bytes()
        for at in (9, len(whole) // 2, len(whole) - 1):
            part.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            for found in (checkpoint.load(folder), checkpoint.load_small(folder)):
                assert found.step == 28 and part.name in found.passed_over[0]
        part.unlink()
        assert f"missing: {part.name}" in checkpoint.load(folder).passed_over[0]
        part.write_bytes(whole)
    found = checkpoint.load(folder)
    assert found.step == 30 and found.passed_over == ()
    assert {n for n in found.training if n.endswith("exp_avg")} == {f"optimiser.{n}.exp_avg" for n in found.model}
    assert all(found.training[f"optimiser.{n}.exp_avg"].shape == t.shape for n, t in found.model.items())
    assert "30 updates" in find_model(str(folder)).title


@needs_proc
def test_parts_that_cannot_be_written_leave_the_checkpoint_before(arguments, tmp_path):
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "regard", "train", *arguments, "--set", "sharded=yes", "--out", str(folder)]
    # the model fits into such a file, what its optimiser remembers does not
    limited = f"trap '' XFSZ; ulimit -f 56; exec {shlex.join([*command, '--processes', '2'])}"
    code, _, err = ended(started(["bash", "-c", limited]))
    assert code == 2
    told = "regard: process 0 could not write its part: File too large; what was saved before is untouched\n"
    assert err == told
    saved = checkpoint.load(folder)
    assert saved.step == 0 and saved.passed_over == () and not (folder / ".shards").exists()


@needs_proc
def test_a_killed_rank_ends_the_run_with_one_clear_line_and_a_good_checkpoint(arguments, tmp_path):
    folder = tmp_path / "run"
    process = started([sys.executable, "-m", "regard", "train", *arguments, "--out", str(folder), "--processes", "2"])
    wait_for(folder, 9, process)
    kill_rank(folder, "0")
    code, _, err = ended(process)
    assert code == 2
    assert re.fullmatch(r"regard: a process was ended by SIGKILL; what was saved before is good, .*\n", err), err
    assert checkpoint.load(folder).step >= 7
    assert not list(family(folder))
    with folder_lock(folder):
        pass


def test_three_copies_go_on_bit_for_bit(arguments, tmp_path, set_options):
    """With three numbers the order of addition matters, and torch would begin with a different one."""
    command = [sys.executable, "-m", "regard", "train", arguments[0], "--processes", "3"]
    settings = [*arguments[1:], *set_options(["updates=12", "save_every=6", "batch=6", "width=32"])]
    code, _, err = ended(started([*command, *settings, "--out", str(tmp_path / "whole")]))
    assert code == 0, err
    shutil.copytree(tmp_path / "whole", tmp_path / "run")
    shutil.rmtree(tmp_path / "run/checkpoints/00000012")
    code, out, err = ended(started([*command, "--out", str(tmp_path / "run"), "--resume"]))
    assert code == 0 and "resumed after 6" in out, err
    assert (tmp_path / "run/losses.jsonl").read_bytes() == (tmp_path / "whole/losses.jsonl").read_bytes()
    one, two = (checkpoint.load(tmp_path / name).model for name in ("run", "whole"))
    assert all(one[name].equal(two[name]) for name in two)


@needs_proc
def test_misuse_is_said_once(tmp_path, text_file):
    for more, said in ((["--set", "widht=3"], "did you mean width"), (["--resume"], "there is no checkpoint in")):
        command = [sys.executable, "-m", "regard", "train", str(text_file), "--out", str(tmp_path), "--processes=2"]
        code, out, err = ended(started([*command, *more]))
        assert code == 2 and not out and said in err and len(err.splitlines()) == 1

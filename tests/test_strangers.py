"""A folder from elsewhere is read as files or not at all: no pipe is waited for, no device or link is followed."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from regard.models.huggingface import files
from regard.server.tail import CURVE, LOSSES, Tail, history
from regard.server.trainers import LOG, Trainers
from regard.strangers import Refused, opened, refuse_all_but_files_and_folders
from regard.training.lock import NAME, folder_lock, holder

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
GUARD = 20  # seconds after which something hangs
SECRET = b'{"update": 1, "loss": 0.5}\n'


@contextmanager
def that_does_not_hang() -> Iterator[None]:
    def rang(*_):
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, rang)
    signal.alarm(GUARD)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outside(path: Path) -> Path:
    """A file that is none of the folder's business."""
    place = path.parent.parent / "outside"
    place.mkdir(exist_ok=True)
    (place / path.name).write_bytes(SECRET)
    return place / path.name


TRAPS: dict[str, Callable[[Path], None]] = {
    "a pipe": os.mkfifo,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link": lambda path: path.symlink_to(outside(path)),
    "a link within": lambda path: (
        path.with_name("other").write_bytes(SECRET),
        path.symlink_to(path.with_name("other")),
    ),
    "a folder": lambda path: path.mkdir(),
}


@pytest.fixture(params=TRAPS)
def trap(request, tmp_path) -> Callable[[str], Path]:
    def planted(name: str) -> Path:
        folder = tmp_path / "run"
        folder.mkdir(exist_ok=True)
        TRAPS[request.param](folder / name)
        return folder

    return planted


def test_only_a_plain_file_is_opened(trap):
    with that_does_not_hang(), pytest.raises(Refused), opened(trap("file"), "file"):
        pass


def test_nor_a_file_behind_a_folder_that_is_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/file").write_bytes(SECRET)
    (tmp_path / "run").mkdir()
    (tmp_path / "run/inner").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="leads out"), opened(tmp_path / "run", "inner/file"):
        pass
    with pytest.raises(Refused, match="leads out"), opened(tmp_path / "run", "../elsewhere/file"):
        pass
    (tmp_path / "mine").symlink_to(tmp_path / "elsewhere")  # the folder itself may be a link: its owner named it
    with opened(tmp_path / "mine", "file") as (file, size):
        assert (file.read(), size) == (SECRET, len(SECRET))


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    (tmp_path / "file").write_bytes(bytes(101))
    with opened(tmp_path, "file", most=101) as (_, size):
        assert size == 101
    with pytest.raises(Refused, match="101 bytes; at most 100 are read"), opened(tmp_path, "file", most=100):
        pass


def test_a_link_may_lead_into_the_folders_that_are_named(tmp_path):
    """Hugging Face's download cache: a version is a folder of links to the files that all versions share."""
    version, shared = tmp_path / "snapshots/0a1b", tmp_path / "blobs"
    version.mkdir(parents=True)
    shared.mkdir()
    (shared / "ff00").write_text('{"a": 1}')
    (version / "config.json").symlink_to("../../blobs/ff00")
    assert files.json_file(version, "config.json") == {"a": 1}
    (tmp_path / "secret").write_text('{"password": 1}')
    (version / "tokenizer_config.json").symlink_to("../../secret")
    with pytest.raises(ValueError, match=r"tokenizer_config\.json is a link that leads out"):
        files.json_file(version, "tokenizer_config.json")
    assert files.json_file(version, "config.json") == {"a": 1}


# what the server reads of a run


def test_losses_are_watched_in_a_plain_file_only(trap):
    folder = trap(LOSSES)
    with that_does_not_hang():
        tail = Tail(folder)
        assert (tail.read(), tail.update) == (False, 0)
        assert history(folder, 0, 10) == {"kind": "history", "reports": [], "of": 0, "held_out": []}


def test_the_last_line_of_a_trainer_is_read_from_a_plain_file_only(trap):
    folder = trap(LOG)
    with that_does_not_hang():
        assert Trainers(folder.parent).said_last(folder.name) == ""


def test_nobody_holds_a_folder_by_something_that_is_no_file(trap):
    folder = trap(NAME)
    with that_does_not_hang():
        assert holder(folder) is None
        assert not Trainers(folder.parent).is_running(folder.name)
        with pytest.raises((ValueError, OSError)), folder_lock(folder):
            pass
    if (written := folder.parent / "outside" / NAME).exists():
        assert written.read_bytes() == SECRET


def test_a_pipe_is_no_lock(tmp_path):
    os.mkfifo(tmp_path / NAME)
    with that_does_not_hang(), pytest.raises(ValueError, match="is not a plain file"), folder_lock(tmp_path):
        pass


def test_a_log_of_a_gigabyte_is_read_from_its_end(tmp_path):
    (tmp_path / "run").mkdir()
    with (tmp_path / "run" / LOG).open("wb") as log:
        log.seek(2**40)  # a hole that takes no room on disk: read as a whole it would fill the memory
        log.write(b"\nregard: it ended\n")
    assert Trainers(tmp_path).said_last("run") == "regard: it ended"


def test_a_long_history_keeps_few_points(tmp_path):
    """Evenly spaced, the first and the newest among them, and no more of them in memory than are sent."""
    count = 7 * CURVE + 3
    (tmp_path / LOSSES).write_text("".join(f'{{"update": {n}, "loss": 1.0}}\n' for n in range(1, count + 1)))
    found = history(tmp_path, 0, count)
    updates = [report["update"] for report in found["reports"]]
    assert found["of"] == count and updates[0] == 1 and updates[-1] == count
    steps = {b - a for a, b in pairwise(updates[:-1])}
    assert steps == {8} and CURVE / 2 < len(updates) <= CURVE + 1


# before something is written


def test_nothing_is_written_where_something_leads_out(trap):
    folder = trap("tokens")
    refused = not (folder / "tokens").is_dir() or (folder / "tokens").is_symlink()
    if refused:
        with pytest.raises(Refused, match="link, a pipe or a device"):
            refuse_all_but_files_and_folders(folder, ["tokens"])
    else:
        refuse_all_but_files_and_folders(folder, ["tokens", "missing"])
        os.mkfifo(folder / "tokens/learned.npy")
        with pytest.raises(Refused, match=r"learned\.npy"):
            refuse_all_but_files_and_folders(folder, ["tokens"])

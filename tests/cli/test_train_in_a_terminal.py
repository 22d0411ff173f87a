"""`regard train` in a real terminal: the bar as it is seen, Ctrl-C once and twice, and a window that is closed."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

import pyte
import pytest
from tests.machine import needs_terminals

import regard
from regard.training import checkpoint
from regard.training.lock import folder_lock
from regard.training.stopping import stopping

BAR = re.compile(r"^[━╸╺]+ +(\d+)/\d+ loss \d+\.\d+ +[\d,]+ tokens/s (?:\d+:)?\d\d:\d\d left$", re.M)
PATIENCE = 60  # seconds; a guard against hanging, nothing is timed


class Terminal:
    """A command in a terminal of its own, and what can be seen on its screen."""

    def __init__(self, arguments: list[str], columns: int = 100):
        self.screen = pyte.Screen(columns, 40)
        self.stream = pyte.ByteStream(self.screen)
        source = str(Path(regard.__file__).parents[1])
        environment = {**os.environ, "PYTHONPATH": source, "TERM": "xterm-256color", "OMP_NUM_THREADS": "1"}
        environment.pop("COLUMNS", None)
        self.process, self.handle = pty.fork()
        if not self.process:
            os.execve(sys.executable, [sys.executable, "-m", "regard", *arguments], environment)
        fcntl.ioctl(self.handle, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def until(self, pattern: str | re.Pattern) -> re.Match:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._read():
            if found := re.search(pattern, self.text, re.M if isinstance(pattern, str) else 0):
                return found
        os.kill(self.process, signal.SIGKILL)
        pytest.fail(f"{pattern} did not come; the screen shows:\n{self.text}")

    def press(self, key: bytes) -> None:
        os.write(self.handle, key)

    def exit_code(self) -> int:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._read():
            pass
        if time.monotonic() >= end:
            os.kill(self.process, signal.SIGKILL)
            pytest.fail(f"it does not end; the screen shows:\n{self.text}")
        return self.status()

    def status(self) -> int:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found, status = os.waitpid(self.process, os.WNOHANG)
            if found:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        os.kill(self.process, signal.SIGKILL)
        pytest.fail("it does not end")

    def _read(self) -> bool:
        """Whether there may be more to come."""
        if select.select([self.handle], [], [], 0.1)[0]:
            try:
                data = os.read(self.handle, 2**16)
            except OSError:  # how a terminal says that nobody is left on its other side
                return False
            self.stream.feed(data)
            return bool(data)
        return True


@pytest.fixture
def text(tmp_path) -> Path:
    file = tmp_path / "notes.txt"
    file.write_text("The quick brown fox jumps over the lazy dog. " * 300, encoding="utf-8")
    return file


def settings(**values) -> list[str]:
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


@needs_terminals
@pytest.mark.parametrize("columns", [60, 100])
def test_the_bar_moves_and_one_ctrl_c_saves(text, tmp_path, columns):
    folder = tmp_path / "run"
    many = settings(updates=100_000, evaluate_every=100_000, save_every=100_000, vocabulary=300)
    terminal = Terminal(["train", str(text), "--preset", "toy", *many, "--out", str(folder)], columns)
    first = int(terminal.until(BAR)[1])
    terminal.until(rf"^[━╸╺]+ +(?!{first}/)\d+/")
    terminal.press(b"\x03")
    assert terminal.exit_code() == 130
    last = terminal.text.replace("\n", " ")
    assert not BAR.search(terminal.text)
    step = checkpoint.load(folder).step
    assert f"stopped after update {step:,} and saved" in last and step > first
    with folder_lock(folder):  # it was let go
        pass


@needs_terminals
def test_ctrl_c_twice_leaves_at_once_and_what_was_saved_is_good(text, tmp_path):
    folder = tmp_path / "run"
    slow = settings(width=256, layers=6, window=256, batch=64, save_every=1, vocabulary=300)
    terminal = Terminal(["train", str(text), *slow, "--out", str(folder)])
    terminal.until("6 layers × 4 heads")
    terminal.press(b"\x03")
    time.sleep(0.3)  # else the system makes one signal of two
    terminal.press(b"\x03")
    assert terminal.exit_code() == 130
    assert "regard: stopped at once; what" in terminal.text and "and saved" not in terminal.text
    assert checkpoint.load(folder).step == 0 and not list(folder.rglob(".partial*"))
    with folder_lock(folder):
        pass


@pytest.fixture
def hang_up():
    """Tests that are run with nohup have a window to close, too."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@needs_terminals
@pytest.mark.usefixtures("hang_up")
def test_a_closed_window_saves(text, tmp_path):
    """The bar can no longer be drawn, and the system says so with SIGHUP: what was learned is kept."""
    folder = tmp_path / "run"
    many = settings(updates=100_000, evaluate_every=100_000, save_every=100_000, vocabulary=300)
    terminal = Terminal(["train", str(text), "--preset", "toy", *many, "--out", str(folder)])
    first = int(terminal.until(r"^[━╸╺]+ +([1-9]\d*)/")[1])
    os.close(terminal.handle)
    assert terminal.status() == 128 + signal.SIGHUP
    assert checkpoint.load(folder).step >= first
    with folder_lock(folder):
        pass


@pytest.mark.usefixtures("hang_up")
def test_the_shell_and_the_system_may_both_tell_of_a_closed_window():
    with stopping() as stop:
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGHUP)
        assert stop.exit_code == 129
        with pytest.raises(SystemExit):
            os.kill(os.getpid(), signal.SIGTERM)


def test_nohup_is_heeded():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopping() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)

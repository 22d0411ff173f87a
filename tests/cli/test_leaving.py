"""A command ends at once, with its own code, after whatever else was to happen at the end."""

import subprocess
import sys

import pytest

SCRIPT = """
import atexit, threading
from regard.cli import main as command

class Large:
    def __del__(self):
        print("taken down")

large = Large()

def run(arguments):
    threading.Thread(target=lambda: (threading.main_thread().join(), print("thread"))).start()
    atexit.register(print, "asked for")
    print("done", end=" ")
    ENDS

command.run = run
command.main()
"""


@pytest.mark.parametrize(
    ("ends", "code"), [("return 0", 0), ("return 2", 2), ("raise SystemExit(3)", 3), ("raise RuntimeError('odd')", 1)]
)
def test_a_command_ends_with_its_code_and_is_not_taken_down(ends, code):
    script = [sys.executable, "-c", SCRIPT.replace("ENDS", ends)]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout.split("\n")) == (code, ["done thread", "asked for", ""])
    assert ("RuntimeError: odd" in ended.stderr) == (code == 1)

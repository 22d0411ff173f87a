"""Memory of threads: they share one heap, so that what one has freed serves the others."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

HEAPS = """
import ctypes, sys, threading
from regard.server.memory import waste_little

libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
if sys.argv[2] == "little":
    waste_little()
meet = threading.Barrier(4)
threads = [threading.Thread(target=lambda: (meet.wait(), libc.malloc(100_000), meet.wait())) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another libc has other heaps")
def test_threads_share_one_heap(tmp_path: Path):
    def heaps(how: str) -> int:
        there = tmp_path / how
        subprocess.run([sys.executable, "-c", HEAPS, str(there), how], check=True, timeout=120)
        return there.read_text().count("<heap nr=")

    assert heaps("little") == 1 < heaps("as it comes")

"""What a test needs of the machine it runs on: where that is missing, it is skipped and says why (SKIPPED.md)."""

import os
import sys
from pathlib import Path

import pytest


def _has_terminals() -> bool:
    try:
        ends = os.openpty()
    except (OSError, AttributeError):
        return False
    for end in ends:
        os.close(end)
    return True


needs_proc = pytest.mark.skipif(
    sys.platform == "linux" and not Path("/proc/cpuinfo").exists(),
    reason="/proc is not mounted: torch complains on standard error and has no half precision, children are not found",
)
needs_terminals = pytest.mark.skipif(not _has_terminals(), reason="the machine has no pseudo-terminals")

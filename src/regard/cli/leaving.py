"""How a command ends: as soon as it is done.

Python would take itself down module by module, number by number, which takes as long as starting NumPy; the system
takes the memory back at once. What others asked for at the end still happens, and their threads are waited for.
"""

import atexit
import contextlib
import os
import sys


class Leaving:
    """Called last of all that happens at the end, because it was the first to ask."""

    def __init__(self) -> None:
        self.code = 1  # unless the command says otherwise, it did not come to its end
        atexit.register(self._leave)

    def _leave(self) -> None:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with contextlib.suppress(OSError, ValueError):  # nobody reads any more, or it is closed
                stream.flush()
        os._exit(self.code)

"""How quickly the command line answers from a cold start, as a multiple of `python -c "import numpy"`.

python benchmarks/startup.py
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 9
REGARD = str(Path(sys.executable).with_name("regard"))
COMMANDS = {
    "import numpy": ([sys.executable, "-c", "import numpy"], None),
    "regard --help": ([REGARD, "--help"], 5),
    "regard explain (fox)": ([REGARD, "explain", "The quick brown fox", "--next", "jumps"], 8),
    "regard why": ([REGARD, "why", "weights[fox,fox]"], None),
}


def main() -> None:
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):  # interleaved, so that a slow moment of the machine meets all of them
        for name, (command, _goal) in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            seconds[name].append(time.perf_counter() - start)
    unit = statistics.median(seconds["import numpy"])
    for name, (_command, goal) in COMMANDS.items():
        median = statistics.median(seconds[name])
        wanted = f"   (goal ≤ {goal})" if goal else ""
        print(f"{name:24s} {1e3 * median:7.1f} ms   {median / unit:5.2f} × import numpy{wanted}")


if __name__ == "__main__":
    main()

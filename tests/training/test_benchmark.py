"""benchmarks/training.py prints a row for each contender, and ratios, at any size."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SMALL = ("width=16", "heads=2", "layers=1", "vocabulary=300", "window=16", "batch=2")


def test_the_benchmark_of_training_prints_rows_and_ratios():
    options = [word for setting in SMALL for word in ("--set", setting)] + ["--rounds", "2", "--updates", "1"]
    result = subprocess.run(
        [sys.executable, "benchmarks/training.py", *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    assert re.search(r"^regard +[\d.]+ +[\d.]+ +[\d.]+ +[\d,]+ *$", result.stdout, re.M), result.stdout
    assert re.search(r"^transformers GPT-2, sdpa +[\d.]+ +[\d.]+ +[\d.]+ +[\d,]+ +[\d.]+×$", result.stdout, re.M)

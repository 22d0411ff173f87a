"""Held-out bits per character are those of the definition, and a benchmark counts the words of samples."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from regard.training.presets import PRESETS, values_of
from regard.training.run import begin
from regard.training.tasks import task_of

ROOT = Path(__file__).parents[2]
SIZES = ("width=14", "heads=2", "layers=1", "vocabulary=311", "window=17", "batch=3")


@pytest.mark.parametrize("task", ["next", "masked"])
def test_bits_per_character_are_the_bits_of_all_tokens_over_the_characters_they_stand_for(task, tmp_path, text_of):
    path = tmp_path / "notes.txt"
    path.write_text("<|endoftext|>".join(text_of(50, seed) + " naïve" for seed in range(60)), encoding="utf-8")
    learns = task_of(task)
    plan = PRESETS["small"].changed(learns.sizes).changed(values_of(SIZES))
    run = begin(learns, learns.read([path]), [path], tmp_path / "run", plan)
    if task == "masked":
        assert run.bits_per_character(1.0) is None
        return
    documents = [text_of(50, seed) + " naïve" for seed in range(60)]
    held_out = run.bpe.decode(run.tokens.held_out.ids).split("<|endoftext|>")
    assert held_out[-1] == "" and all(text.strip() in documents for text in held_out[:-1])
    characters = sum(len(text) for text in held_out)
    bits = sum(math.log2(math.e) * 2.5 for _ in run.tokens.held_out.ids)  # each token 2.5 nats
    assert run.bits_per_character(2.5) == pytest.approx(bits / characters)


def test_the_benchmark_says_bits_and_the_share_of_words(text_file):
    options = [word for setting in (*SIZES, "updates=2") for word in ("--set", setting)]
    result = subprocess.run(
        [sys.executable, "benchmarks/samples.py", str(text_file), "--preset", "toy", *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    assert re.search(
        r"^update +2: \d\.\d{3} held-out bits per character, \d+ s of processor time$", result.stdout, re.M
    )
    assert re.search(r"^[\d.]+% of [\d,]+ words in 40 samples occur in the text", result.stdout, re.M), result.stdout

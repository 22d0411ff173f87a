"""Two processes learn one table: what they agree on, and a whole run over the loopback interface."""

import os
import subprocess
import sys

import numpy as np

from regard.vectors.wordvectors import WordVectors

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
AGREEING = """
import sys
import numpy as np
from types import SimpleNamespace
from regard.training.processes import joined
from regard.training.vectors.together import agreeing

with joined() as processes:
    before = np.arange(8, dtype=np.float32).reshape(4, 2)
    tables = {"vectors": before.copy()}
    agree = agreeing(SimpleNamespace(tables=tables))
    tables["vectors"][0] += 4 + 2 * processes.rank  # both move it: by 4 and by 6
    tables["vectors"][1 + processes.rank] += 3  # one moves it
    agree(tables)
    assert (tables["vectors"] - before).tolist() == [[5, 5], [3, 3], [3, 3], [0, 0]], tables
    tables["vectors"][3] -= processes.rank  # and once more, from there
    agree(tables)
    assert (tables["vectors"] - before).tolist() == [[5, 5], [3, 3], [3, 3], [-1, -1]], tables
"""


def by_two(arguments, folder):
    return subprocess.run(
        [sys.executable, "-m", "regard", "vectors", "train", *arguments, "--processes", "2", "--out", str(folder)],
        capture_output=True, text=True, env=ENVIRONMENT, timeout=300,
    )  # fmt: skip


def test_rows_move_by_the_mean_of_those_that_moved_them(tmp_path):
    script = tmp_path / "agreeing.py"
    script.write_text(AGREEING)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]


def test_two_processes_learn_what_one_does(tmp_path):
    random = np.random.default_rng(3)
    worlds = [["king", "queen", "prince", "palace", "crown"], ["bread", "butter", "cheese", "apple", "kitchen"]]
    file = tmp_path / "worlds.txt"
    file.write_text("\n".join(" ".join(random.choice(worlds[i % 2], size=9)) for i in range(400)))
    arguments = [str(file), "--width", "11", "--least", "1", "--sample", "0", "--epochs", "60", "--rate", "0.1"]
    done = by_two(arguments, tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("3,600 words, 10 different ones") == 1  # one process speaks
    vectors = WordVectors.open(tmp_path / "run/vectors.vectors")
    assert set(vectors.near("king", 4).words) == {"queen", "prince", "palace", "crown"}
    again = by_two(arguments, tmp_path / "run")
    assert again.returncode == 2 and again.stderr.count("already holds a run") == 1

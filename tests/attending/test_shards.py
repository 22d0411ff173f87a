"""Two processes with half of the keys each see, put together, what one process sees; by Gloo, on a CPU."""

import os
import subprocess
import sys

SCRIPT = """
import sys

import numpy as np
import torch
import torch.distributed as distributed

from regard.attending.look import look
from regard.attending.shards import log_sum_exp_of_all, look_at_shard, merged
from regard.attending.spans import Spans

rank, file = int(sys.argv[1]), sys.argv[2]
distributed.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
B, H, G, Q, K, D = 2, 4, 2, 37, 53, 8
chance = torch.Generator().manual_seed(3)
q, k = torch.randn(B, H, Q, D, generator=chance), torch.randn(B, G, K, D, generator=chance)
q[0, 0, 5] = 0.0  # all weights equal: the earliest key is read most
place = np.arange(K)
seen = (place <= np.arange(K - Q, K)[:, None]) & (place > np.arange(K - Q, K)[:, None] - 30)
seen[3] = False  # a row that sees nothing
visible = Spans.of(seen)
own = slice(0, 21) if rank == 0 else slice(21, K)

scores = q @ k.repeat_interleave(H // G, 1).mT * 0.5
scores = scores.double().masked_fill(~torch.from_numpy(seen), -torch.inf)
lse = log_sum_exp_of_all(torch.logsumexp(scores[..., own], -1))
assert torch.allclose(lse, torch.logsumexp(scores, -1)), "log-sum-exp"
found = merged(look_at_shard(q, k[:, :, own], lse, visible, 0.5, own, K, 7, 5))
expected = look(q, k, lse, visible, 0.5, height=7, width=5)
for name in ("received", "entropy", "mean_distance", "largest", "picture"):
    one, other = getattr(found, name), getattr(expected, name)
    assert one.shape == other.shape and np.abs(one - other).max() < 1e-4, name
    assert np.abs(other).max() > 0.01
assert np.array_equal(found.read_most, expected.read_most)
assert (found.read_most[:, :, 3] == -1).all()
distributed.destroy_process_group()
print("agrees")
"""


def test_what_two_processes_see_of_half_the_keys_each_is_what_one_sees(tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(rank), str(tmp_path / "meeting")],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    for process in running:
        said, problem = process.communicate(timeout=300)
        assert process.returncode == 0, problem[-2000:]
        assert said.strip() == "agrees"

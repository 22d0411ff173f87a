"""The look kernel, run by Triton's interpreter on a CPU: small shapes, every mask, against the definition in NumPy.

On a GPU: `python benchmarks/kernels.py --check 22 --part 0`.
"""

import importlib.util
import os
import subprocess
import sys

import pytest
import torch
from tests.machine import needs_proc

from regard.attending.kernels.heads import LOG2_E, Heads

pytestmark = pytest.mark.skipif(not importlib.util.find_spec("triton"), reason="Triton is not installed")

# in a process of its own: whether Triton interprets is decided when it is imported
SCRIPT = """
import sys

import numpy as np
import torch

from regard.attending.bias import ByDistance
from regard.attending.kernels import heads as heads_module
from regard.attending.kernels import looking, planning
from regard.attending.kernels.looking import Tile, at, look, top
from regard.attending.masks import Rule, causal, first, within
from regard.attending.on_device import made
from regard.attending.scores import Scores
from regard.attending.sources import Queries
from regard.attending.weights import Weights

H, G, Q, K, D = 2, 1, 19, 23, 24
chance = torch.Generator().manual_seed(5)


def numbers(*shape):
    return torch.randn(shape, generator=chance)


def near(found, expected, allowed=2e-5):
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert np.isfinite(found).all() and np.abs(found - expected).max() <= allowed * max(1, np.abs(expected).max())


def poisoned(make):
    def made(*given, **named):
        numbers = make(*given, **named)
        if numbers.dtype == torch.bool:
            return numbers
        return numbers.fill_(np.nan if numbers.is_floating_point() else torch.iinfo(numbers.dtype).max)

    return made


# what is not written stays NaN; keys in parts, several slabs of rows, tiles that divide nothing
torch.empty, torch.empty_like = poisoned(torch.empty), poisoned(torch.empty_like)
torch.Tensor.new_empty = poisoned(torch.Tensor.new_empty)
planning.INDICES, heads_module.LARGE = 2, 1
tiles = {"half": Tile(16, 64, 4, 1), "broad": Tile(16, 128, 4, 1), "single": Tile(8, 16, 4, 1)}
CASES = {
    "full": {},
    "causal": {"visible": causal},
    "window": {"visible": causal & within(5)},
    "packed": {"visible": causal & Rule("texts", lambda q, k: (q < 9) == (k < 9))},
    "hidden rows": {"visible": first(14)},
    "gaps": {"visible": (numbers(H, Q, K) > 0.7).numpy()},
    "matrix": {"bias": numbers(1, Q, K).numpy()},
    "distance": {"visible": causal, "bias": ByDistance(numbers(H, 4).numpy())},
    "cap": {"cap": 2.0},
    "sinks": {"visible": causal, "sinks": numbers(H)},
}
for name in sys.argv[1:]:
    case = dict(CASES[name])
    precision = "single" if name in ("full", "causal", "gaps") else "broad" if name in ("packed", "cap") else "half"
    queries, keys = (40, 40) if name == "full" else (Q, K)  # whole tiles before, among and after a program's rows
    tile = tiles[precision]
    mixed = name in ("causal", "packed", "sinks")  # slabs of rows from everywhere, or keys in parts
    planning.SCRATCH, planning.PROGRAMS = (34 * tile.keys, 1) if mixed else (400, 8)
    planning.FOR_MARKS = 0
    planning.best_tile = lambda *_: tile
    for prepared in (looking._whole, looking._of_part, looking._log_sum_exp):
        prepared.cache_clear()  # for other sizes
    planning.MARKS = 32 if name in ("full", "window") else 2  # a mark for each tile, or for several
    dtype = torch.float32 if precision == "single" else torch.float16
    q, k = (numbers(H, D, queries).to(dtype).mT, numbers(keys, G, D).to(dtype).transpose(0, 1))  # neither is contiguous
    cap, sinks, scale = case.pop("cap", None), case.pop("sinks", None), 0.4
    if name == "full":
        q, scale = q * 10, 1.0
    scores = Scores(q.double(), k.double(), scale=scale, cap=cap, **case)
    exact = Weights(Queries(scores, None, sinks))
    weights = made(q, k, None, case.get("visible"), scale, case.get("bias"), cap, sinks)
    heads, p = weights.source.heads, exact.dense()
    plan = planning.plan_of(heads.form, True, 5, tile)
    assert plan.slabs > 1 and plan.mixed == mixed
    looked = weights.source.looked(5, 4)
    loose = 2e-4 if name == "full" else 2e-5  # scores of hundreds
    near(looked.received[0], exact.received(), loose)
    near(looked.entropy[0], exact.entropy(), loose)
    near(looked.mean_distance[0], exact.mean_distance(), loose)
    near(looked.largest[0], p.max(-1), loose)
    near(looked.picture[0], exact.pooled(5, 4, "mass"), loose)
    best = exact.top(3)
    assert np.array_equal(looked.read_most[0], best.keys[..., 0]), name
    found = weights.top(3)
    near(found.weights, best.weights, loose)
    clear = (best.weights[..., :2] - best.weights[..., 1:] > 1e-3).all(-1)
    assert np.array_equal(found.keys[clear], best.keys[clear]) and clear.any()
    near(weights[1].back([0, 2, -1]), exact[1].back([0, 2, -1]), loose)
    near(weights.on([0, 7]), exact.on([0, 7]), loose)
    near(weights[0].tile((3, 9), (1, 20)), p[0, 3:9, 1:20], loose)
    near(weights.pooled(3, 2, "max", rows=(2, 17), keys=(3, 21)), exact.pooled(3, 2, "max", (2, 17), (3, 21)), loose)
    near(weights[1].given(), exact[1].given(), loose)
    most = (looked.largest, found.weights, weights.back([0, 1]), weights.on([0]), weights[0].tile((0, Q), (0, K)))
    assert max(np.max(own) for own in most) <= 1.0  # whatever the rounding of scores of hundreds
    again = weights.source.looked(5, 4)
    for one in ("received", "entropy", "mean_distance", "largest", "read_most", "picture"):
        assert np.array_equal(getattr(looked, one), getattr(again, one)), one
    if name == "hidden rows":
        assert (looked.read_most[0, :, 10:] == -1).all() and not looked.entropy[0, :, 10:].any()
        assert not looked.largest[0, :, 10:].any()
    if name == "causal":  # with the log-sum-exp of a library, in single precision
        near(made(q, k, torch.from_numpy(exact.source.lse).float(), causal, scale).received(), exact.received())
    if name == "gaps":  # all weights equal: too many to keep, so the rows are sorted; the earlier key comes first
        same = made(torch.zeros(1, 40, 16), torch.zeros(1, 40, 16))
        assert same.top(2).keys.tolist() == [[[0, 1]] * 40] and np.allclose(same.top(2).weights, 1 / 40)
        assert (same.source.looked(4, 4).read_most == 0).all()
    if name == "cap":  # strips of 64 rows are added up by fourths, and an eighth of the powers by a polynomial
        q, k = (numbers(1, 1, size, 16) for size in (128, 150))
        heads, exact = looking.heads_of(q, k), Weights.from_queries(q[0, 0].double(), k[0, 0].double(), scale=1.0)
        for what in (("received",), ("received", "entropy")):
            alone = look(heads, what, 2, 3, tile=Tile(64, 16, 4, 1, None, True))
            near(alone.received[0, 0], exact.received(), 4e-6)
            near(alone.picture[0, 0], exact.pooled(2, 3, "mass") * 64)
        q[0, 0, 56] = np.nan  # a row whose powers the polynomial computes
        with_nan = looking.heads_of(q, k, torch.zeros(1, 1, 128))
        assert look(with_nan, ("received",), 2, 3, tile=Tile(64, 16, 4, 1, None, True)).received.isnan().all()
    if name == "full":  # all that is read stands in the same place of each tile, and in one group; 17 are sorted
        alike = torch.full((1, 3, 16), 0.5), torch.zeros(1, 55, 16)
        alike[1][0, 3::16] = torch.tensor([3.0, 1.0, 2.0, 3.0])[:, None]
        for count in (1, 4, 7, 17):
            its, same = (of(*alike, scale=1.0).top(count) for of in (made, Weights.from_queries))
            assert np.array_equal(its.keys, same.keys), (its.keys, same.keys)
            near(its.weights, same.weights)
    print(name, "agrees")
"""


def run(*names: str) -> str:
    environment = {**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT, *names], env=environment, capture_output=True, text=True, timeout=300
    )
    assert found.returncode == 0, found.stderr[-3000:]
    return found.stdout


@needs_proc
@pytest.mark.parametrize(
    "names",
    [("full", "window", "packed"), ("causal", "gaps", "hidden rows"), ("matrix", "distance", "cap", "sinks")],
    ids=lambda names: ", ".join(names),
)
def test_every_answer_is_the_definition_s(names):
    assert run(*names).splitlines() == [f"{name} agrees" for name in names]


def test_a_sink_costs_no_digits_of_a_large_log_sum_exp():
    high, low = torch.tensor([[[3000.0, 2999.0, -torch.inf]]]), torch.tensor([[[0.1234, 0.4567, 0.0]]])
    sinks = torch.tensor([2079.4])
    heads = Heads.of(torch.zeros(1, 1, 3, 8), torch.zeros(1, 1, 3, 8)).divided(high, low, sinks)
    assert heads.shift is not None and heads.rest is not None
    found = heads.shift.double() + heads.rest.double()
    expected = torch.logaddexp2(high.double() + low.double(), (sinks * LOG2_E).double())
    assert torch.allclose(found[..., :2], expected[..., :2], rtol=0, atol=1e-6)
    assert found[0, 0, 2] > 9e29  # a row that sees nothing

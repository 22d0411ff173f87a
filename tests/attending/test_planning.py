"""How the work of looking is cut: every row once, scratch for what is seen and no more, and one version of a kernel for
all heads of a form."""

import numpy as np
import pytest
import torch

from regard.attending.kernels import heads as heads_module
from regard.attending.kernels import planning
from regard.attending.kernels.arguments import Launch, Tile
from regard.attending.kernels.heads import Heads
from regard.attending.kernels.planning import plan_of
from regard.attending.spans import Spans

QUERIES, HEADS = 331, 2
TILE = Tile(16, 32, 4, 1)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(heads_module, "LARGE", 1)
    monkeypatch.setattr(planning, "PROGRAMS", 4)
    monkeypatch.setattr(planning, "MARKS", 64)
    monkeypatch.setattr(planning, "FOR_MARKS", 0)


def of(visible=None, queries=QUERIES, **named):
    q = torch.zeros(1, HEADS, queries, 8)
    return Heads.of(q, q, visible, **named)


def window(size):
    place = np.arange(QUERIES)
    return Spans(np.maximum(place - size + 1, 0), place + 1)


def used(plan, slab):
    """The numbers of scratch that each block of a slab writes: of its column sums, and of its marks."""
    low, high = plan.reaches
    for block in range(plan.blocks):
        first, room, marks, _ = plan.places[slab, block]
        tiles = np.arange(low[slab, block], high[slab, block])
        keys = (tiles[:, None] * TILE.keys + np.arange(TILE.keys)).ravel()
        columns = first + np.arange(plan.together)[:, None] * room + keys
        size = TILE.rows * plan.marks.groups
        stretches = np.unique(tiles // plan.marks.stretch)
        yield columns.ravel(), (marks + stretches[:, None] * size + np.arange(size)).ravel()


@pytest.mark.parametrize(
    "visible", [None, Spans.from_first(QUERIES, QUERIES), window(40)], ids=["all", "causal", "window"]
)
@pytest.mark.parametrize("scratch", [20_000, 60_000, 2**30])
def test_rows_come_once_and_blocks_do_not_share_scratch(monkeypatch, visible, scratch):
    monkeypatch.setattr(planning, "SCRATCH", scratch)
    plan = plan_of(of(visible).form, True, 20, TILE, bytes_of_lane=8)
    assert sorted(plan.rows[plan.rows >= 0]) == list(range(QUERIES))
    for slab in range(plan.slabs):
        for written, size in zip(zip(*used(plan, slab)), plan.scratch):
            numbers = np.concatenate(written)
            assert len(np.unique(numbers)) == len(numbers)
            assert numbers.min() >= 0 and numbers.max() < size
    bytes_taken = HEADS * (4 * sum(plan.scratch) + plan.blocks * TILE.rows * 8)
    assert bytes_taken <= scratch or plan.blocks == 1


def test_marks_may_take_more(monkeypatch):
    monkeypatch.setattr(planning, "SCRATCH", 20_000)
    form = of().form
    before = [plan_of(form, True, 20, TILE, bytes_of_lane).slabs for bytes_of_lane in (0, 8)]
    monkeypatch.setattr(planning, "FOR_MARKS", 2**30)
    after = [plan_of(form, True, 20, TILE, bytes_of_lane).slabs for bytes_of_lane in (0, 8)]
    assert after == [before[0], 1] and before[0] > 1


def test_scratch_is_for_what_is_seen(monkeypatch):
    monkeypatch.setattr(planning, "SCRATCH", 2**30)
    whole, causal, narrow = (
        sum(plan_of(of(visible).form, True, 20, TILE, 8).scratch)
        for visible in (None, Spans.from_first(QUERIES, QUERIES), window(40))
    )
    assert causal < 0.6 * whole and narrow < 0.5 * whole


class Kernel:
    """Counts how often it is asked which version is meant."""

    arg_names = ("x", "y", "SIZE", "KIND")

    def __init__(self):
        self.asked, self.launched = 0, []

    def __getitem__(self, grid):
        def ask(*arguments, **constants):
            self.asked += 1
            self.launched.append((grid, *arguments, *constants.values()))
            return {(3, 1, 1): lambda *arguments: self.launched.append((grid, *arguments))}

        return ask


def test_triton_is_asked_once():
    kernel = Kernel()
    launch = Launch(kernel, (3,), KIND="causal", SIZE=8, num_warps=4)
    for x in (1, 2, 3):
        launch(x, 5)
    assert kernel.asked == 1
    assert kernel.launched[1:] == [((3,), 2, 5, 8, "causal"), ((3,), 3, 5, 8, "causal")]


def test_heads_that_want_another_version_have_another_form():
    same, other = of(), of()
    assert same.form == other.form and hash(same.form) == hash(other.form)
    numbers = torch.zeros(1 * HEADS * QUERIES * 8 + 1)
    moved = numbers[1:].reshape(1, HEADS, QUERIES, 8)  # not aligned
    half = torch.zeros(1, HEADS, QUERIES, 8, dtype=torch.float16)
    strided = torch.zeros(1, QUERIES, HEADS, 8).transpose(1, 2)
    forms = [same.form, of(cap=2.0).form, of(queries=330).form]
    forms += [Heads.of(x, x).form for x in (moved, half, strided)]
    forms += [of(bias=torch.zeros(1, 1, QUERIES, QUERIES, dtype=kind)).form for kind in (torch.float32, torch.float16)]
    forms += [
        of(torch.ones(QUERIES, QUERIES, dtype=torch.bool).tril()).form,
        same.divided(same.q[..., 0], None, None).form,
    ]
    assert len(set(forms)) == len(forms)

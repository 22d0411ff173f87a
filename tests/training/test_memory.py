"""What cannot fit is refused before anything is made, with an estimate that is a true lower bound."""

import pytest

from regard.models.network import Network
from regard.models.parameters import blank_parameters
from regard.training.memory import Need, check_memory, check_that_it_fits, machine_memory, need
from regard.training.presets import PRESETS, Plan
from regard.training.processes import Processes
from regard.training.tasks import TASKS, task_of

B, T, L, H, D, V, F = 3, 5, 2, 7, 11, 263, 4 * 7 * 11
C = H * D
SIZES = {"width": C, "heads": H, "layers": L, "vocabulary": V, "batch": B, "window": T,
         "optimiser": "adamw"}  # fmt: skip


def plan(**changes) -> Plan:
    return PRESETS["small"].changed({**SIZES, **changes})


def needed(changed: Plan, asked: int = T, processes: int = 1):
    return need(changed.sizes.settings(V, T), changed.training, asked, processes)


def test_the_estimate_is_that_of_the_definition():
    settings = plan().sizes.settings(V, T)
    network = Network(settings, blank_parameters(settings), task_of("next").visible)
    numbers = sum(p.numel() for p in network.parameters())
    found = needed(plan())
    assert found.parameters == 4 * (numbers + numbers)  # and a gradient of each
    assert found.optimiser == 4 * 2 * numbers  # AdamW: the mean and the mean square
    kept = 0
    for _layer in range(L):
        kept += B * T * (C + C)  # the stream before each norm
        kept += B * T * (C + C)  # and after it
        kept += B * T * 4 * H * D  # queries, keys, values, and what the heads read
        kept += B * T * (F + F)  # the MLP before and after its curve
    assert found.activations == 4 * kept
    assert found.scores == 4 * 2 * B * T * V


def test_what_changes_the_estimate():
    one = needed(plan())
    assert needed(plan(precision="bfloat16")).activations == one.activations // 2
    assert needed(plan(optimiser="muon")).optimiser == one.optimiser // 2
    assert needed(plan(), asked=1).scores == one.scores // T
    copies, parts = needed(plan(), processes=3), needed(plan(sharded=True), processes=3)
    assert copies.parameters == 3 * one.parameters and copies.activations == one.activations
    assert parts.total == one.total and copies.over(3).parameters == one.parameters
    assert [TASKS[name].asked(100) for name in ("next", "masked", "classify")] == [100, 15, 1]
    assert needed(plan(layers=10**12)).total > 10**16  # counted, not made


def test_too_little_memory_is_refused_with_the_estimate_and_what_to_lower():
    found = needed(plan())
    check_memory(found, found.total, "this machine")
    check_memory(found, None, "this machine")  # nobody knows
    with pytest.raises(ValueError, match=r"at least .* MB parameters, .* and this machine has .*; lower width, layers"):
        check_memory(found, found.total - 1, "this machine")
    with pytest.raises(ValueError, match="lower batch, window or vocabulary with --set"):
        check_memory(Need(1, 2, 3, 10**10), 10**9, "this machine")


def test_several_processes_need_more_of_one_machine(monkeypatch):
    from regard.training import memory

    found = needed(plan())
    monkeypatch.setattr(memory, "machine_memory", lambda: found.total)
    check_that_it_fits(plan(), task_of("next"), Processes())
    check_that_it_fits(plan(), task_of("next"), Processes(count=8, here=1))  # each on a machine of its own
    with pytest.raises(ValueError, match="needs at least"):
        check_that_it_fits(plan(), task_of("next"), Processes(count=2, here=2))


def test_this_machine_says_how_much_it_has_and_every_preset_fits_somewhere():
    there = machine_memory()
    assert there is None or 10**8 < there < 10**15
    for preset in PRESETS.values():
        check_memory(need(preset.sizes.settings(V, T), preset.training, T), 80 * 10**9, "a GPU")

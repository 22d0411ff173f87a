"""The page's interpreter against this one, cell by cell: the toys, every variant of the transformer, edits, updates."""

import json
import math
import os
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import regard
from regard.lens.measurements import MEASUREMENTS
from regard.session.encode import numbers
from regard.trace import Cell, Labels, Step, Trace
from regard.trace.switches import silenced, switch_named
from regard.views.json import strict

WEB = Path(__file__).parents[2] / "web"
CELLS = 120  # of one trace, whose arithmetic is compared; toys are compared whole
NUMBERED = ("alike1", "gravity0", "probabilities.rest2", "weights.rest2", "contribution.rest1", "flow.biases.rest1",
            "flow.rest2", "flow.words.rest1", "layer0.cut1_0", "layer0.cut0_1_0", "near0", "near1-0+2")  # fmt: skip
MEASURED_CELLS = 40  # of what is measured of one trace, likewise


def edited(trace: Trace, cell: str, value: float) -> tuple[dict, Trace]:
    return {"kind": "edit", "cell": cell, "value": value}, trace.edit(cell, value)


def moved(trace: Trace, cell: str, value: float) -> tuple[dict, Trace]:
    return {"kind": "move", "cell": cell, "value": value}, trace.move(cell, value)


def pinned(trace: Trace, step: str, seed: int) -> tuple[dict, Trace]:
    values = np.random.default_rng(seed).normal(size=trace.step(step).shape)
    return {"kind": "pin", "step": step, "value": values.ravel().tolist()}, trace.pin(step, values)


def hidden(trace: Trace, position: int) -> tuple[dict, Trace]:
    return {"kind": "hide", "word": str(position)}, trace.hide(position)


def switched(trace: Trace, name: str, value: float | None = None) -> tuple[dict, Trace]:
    """A switch thrown, where it can be."""
    switch = switch_named(name)
    if not switch.fits(trace):
        return edited(trace, "x[0,0]", 0.25)
    return {"kind": "switch", "name": name} | ({} if value is None else {"value": value}), switch.thrown(trace, value)


def mute(trace: Trace) -> tuple[dict, Trace]:
    """The first head silenced, where heads can be."""
    try:
        return {"kind": "silence", "layer": 0, "head": 0}, silenced(trace, 0, 0)
    except ValueError:
        return edited(trace, "x[0,0]", -0.25)


def painted(trace: Trace, seed: int) -> tuple[dict, Trace]:
    """A mask painted by hand; every word still reads itself."""
    visible = np.random.default_rng(seed).random(trace.step("visible").shape) < 0.6
    visible |= np.eye(*visible.shape[-2:], dtype=bool)
    return {"kind": "pin", "step": "visible", "value": visible.astype(float).ravel().tolist()}, trace.pin(
        "visible", visible
    )


def updated(trace: Trace, rate: float, times: int, learns: list[str] | None = None) -> tuple[dict, Trace]:
    change = {"kind": "update", "rate": rate, "times": times} | ({"learns": learns} if learns else {})
    for _ in range(times):
        trace = trace.update(rate, learns)
    return change, trace


def changes_of(trace: Trace, number: int) -> tuple[list[dict], Trace]:
    """Another story for every trace: a number typed, a share dragged, a step pinned, a word hidden, updates, switches."""
    generator = np.random.default_rng(number)
    weights = [s for s in trace.forward if s.name.endswith("weights")][number % 2 - 1]
    rows = [at for at in np.ndindex(weights.shape[:-1]) if np.count_nonzero(weights.value[at]) > 1]
    row = rows[int(generator.integers(len(rows)))]
    key = int(np.flatnonzero(weights.value[row])[0])
    share = f"{weights.name}[{','.join(map(str, (*row, key)))}]"
    x = f"x[{int(generator.integers(trace.step('x').shape[0]))},0]"
    role = next(role for role in ("W_V", "W_K", "W_Q") if any(name.endswith(role) for name in trace.parameters))
    story = [
        [lambda t: edited(t, share, 0.05), lambda t: updated(t, 0.1, 2)],
        [lambda t: moved(t, share, 0.2), lambda t: edited(t, x, -0.4), lambda t: hidden(t, key)],
        [lambda t: updated(t, 0.05, 3, [role, "E"]), lambda t: moved(t, share, 0.9), lambda t: moved(t, share, 0.3)],
        [lambda t: pinned(t, weights.name.replace("weights", "context"), number), lambda t: updated(t, 0.2, 1)],
        [lambda t: edited(t, share.replace("weights", "weights.grad"), 0.7), lambda t: edited(t, x, 1.5)],
        [lambda t: switched(t, "queries-are-keys"), lambda t: updated(t, 0.1, 1), lambda t: switched(t, "d_k", 9.0)],
        [lambda t: switched(t, "unplaced"), mute, lambda t: switched(t, "temperature", 2.5)],
        [lambda t: painted(t, number), lambda t: switched(t, "keys-are-values"), lambda t: updated(t, 0.1, 1)],
        [lambda t: switched(t, "heads-added"), lambda t: edited(t, x, 0.7), lambda t: switched(t, "temperature", 0.5)],
    ][number % 9]  # fmt: skip
    done: list[dict] = []
    for change in story:
        said, trace = change(trace)
        done.append(said)
    return done, trace


def texts_of(trace: Trace, steps: Iterable[Step], most: int) -> list[dict]:
    steps = list(steps)
    ends = np.cumsum([math.prod(step.shape) for step in steps])
    chosen = np.sort(np.random.default_rng(0).permutation(ends[-1])[:most])
    found = []
    for which, number in zip(np.searchsorted(ends, chosen, side="right"), chosen):
        step, size = steps[which], math.prod(steps[which].shape)
        at = np.unravel_index(number - (ends[which] - size), step.shape)
        cell = Cell(step, tuple(map(int, at)))
        why = trace.why(cell)
        found.append(
            {
                "address": trace.address_of(cell),
                "short": trace.name_of(cell),
                "text": why.text(),
                "latex": why.latex(),
                "numpy": why.numpy(),
                "symbols": why.symbols(),
            }
        )
    return found


def measured(trace: Trace, changes: list[dict]) -> dict:
    """Every measurement of a run, step by step, and the arithmetic of some of its cells."""
    trace = trace if trace.of is not None else trace.backward()
    names = [*(found.name for found in MEASUREMENTS), *NUMBERED]
    families = {name: trace.measure(name).values() for name in names}
    steps = {step.name: step for family in families.values() for step in family}
    return {
        "changes": changes,
        "trace": json.loads(trace.json()),
        "families": {name: [step.name for step in family] for name, family in families.items()},
        "steps": [
            {
                "name": s.name,
                "kind": s.op.kind,
                "inputs": [i.name for i in s.inputs],
                "axes": s.axes,
                **numbers(s.value),
            }
            for s in steps.values()
        ],
        "texts": texts_of(trace, steps.values(), MEASURED_CELLS),
    }


def write(folder: Path, name: str, base: Trace, number: int, most: int = CELLS) -> None:
    changes, after = changes_of(base, number)
    after = after if after.of is not None else after.backward()
    unseen, without = hidden(base, number % len(base.labels.words["K"]))
    case = {
        "base": json.loads(base.json()),
        "changes": changes,
        "after": json.loads(after.json()),
        "texts": texts_of(after, after.steps.values(), most),
        "measured": [measured(base, []), measured(after, changes), measured(without, [unseen])],
        "explanation": json.loads(strict(regard.explanation(after, check=False).data()))
        if "query" in after.info
        else None,
    }
    (folder / f"{name}.json").write_text(json.dumps(case), encoding="utf-8")


def with_words(trace: Trace) -> Trace:
    """A vocabulary for a variant: measurements compare words."""
    words = tuple(f"w{i}" for i in range(trace.step("logits").shape[-1]))
    return replace(trace, labels=Labels({**trace.labels.words, "V": words}), info={})


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory, variants, trace_of) -> Path:
    folder = tmp_path_factory.mktemp("traces")
    for number in range(5):
        write(folder, f"fox-{number}", regard.explain("The quick brown fox", next="jumps"), number, 10_000)
        own = regard.explain('the naïve "fox" the fox', next="runs", model="fox", mask="both")
        write(folder, f"own-{number}", own, number)
        write(folder, f"two-heads-{number}", regard.explain("On the mat a cat sat", "purring", "two-heads"), number)
        write(folder, f"untrained-{number}", regard.explain("The quick brown fox", "jumps", "untrained"), number)
    far = regard.explain("The quick brown fox", next="jumps").pin("logits", np.array([0.4, 0.4, 792.0, 0.6]))
    write(folder, "far", far, 1, 10_000)  # where the target's probability is lost
    for number, variant in enumerate(variants):
        write(folder, f"variant-{number}", with_words(trace_of(variant)).backward(), number)
    return folder


def test_the_page_computes_and_says_what_python_computes_and_says(fixtures, node):
    environment = {**os.environ, "REGARD_FIXTURES": str(fixtures), "CI": "1"}
    command = [node, "node_modules/vitest/vitest.mjs", "run", "--reporter=dot"]
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}"


def test_the_types_of_the_page_hold(node):
    command = [
        node,
        "node_modules/svelte-check/bin/svelte-check",
        "--tsconfig",
        "./tsconfig.json",
        "--fail-on-warnings",
    ]
    done = subprocess.run(command, cwd=WEB, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-6000:]

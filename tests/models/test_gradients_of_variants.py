"""Every gradient of every pair of variants against central differences (hardening 8)."""

import itertools

import numpy as np

LIMIT = 1e-6


def test_the_variants_hold_every_pair_of_choices(variants, factors):
    seen = {pair for v in variants for pair in itertools.combinations(v.choices, 2)}
    for a, b in itertools.combinations(factors, 2):
        for x, y in itertools.product(factors[a], factors[b]):
            assert ((a, x), (b, y)) in seen
    assert len(variants) < 60


def where_smooth(trace, step):
    """Everywhere but in the exponentials of a fully hidden row: 0/0 is 0 there, and anything more than 0 is a jump."""
    layer, _, role = step.name.rpartition(".")
    if role not in ("exps", "total"):
        return np.ones(step.shape, dtype=bool)
    some = trace.array(f"{layer}.total") > 0
    return np.broadcast_to(some[..., None] if role == "exps" else some, step.shape)


def test_every_gradient_agrees_with_central_differences(variant, trace_of, quotients, error_of, figure):
    trace = trace_of(variant).backward()
    checked = 0
    for step in trace.forward:
        if step.value.dtype.kind != "f" or (step.op.kind == "given" and step.op.role == "constant"):
            assert f"{step.name}.grad" not in trace.steps
            continue
        expected = quotients(trace, step)
        if f"{step.name}.grad" not in trace.steps:
            assert np.abs(expected).max() < 1e-9, f"{step.name} has an influence and no gradient"
            continue
        gradient = trace.array(f"{step.name}.grad")
        smooth = where_smooth(trace, step)
        error = error_of(gradient[smooth], expected[smooth])
        assert error <= LIMIT, step.name
        figure(relative_error=float(error))
        checked += 1
    assert checked > 15
    assert all(f"{name}.grad" in trace.steps for name in trace.parameters)

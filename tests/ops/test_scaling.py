"""What a scaling is, is decided once: the factor is what the operation multiplies by, and names stay those of files."""

import math

import numpy as np
import pytest
from pydantic import TypeAdapter

from regard.models.settings import Settings
from regard.ops.scaling import NONE, ROOT, SCALINGS, WIDTH, ScalingName, Times, scaling_named


@pytest.mark.parametrize(
    "scaling, factor",
    [(ROOT, 1 / math.sqrt(7)), (WIDTH, 1 / 7), (NONE, 1.0), (Times(0.3), 0.3)],
    ids=["root", "width", "none", "times"],
)
def test_the_operation_multiplies_by_the_factor(scaling, factor):
    scores = np.random.default_rng(1).normal(size=(2, 3, 5))
    assert scaling.factor(7) == pytest.approx(factor, rel=1e-15)
    assert np.allclose(scaling.operation("HQK", 7).forward(scores), factor * scores, rtol=1e-15)


def test_names_are_those_of_files_and_links():
    assert list(SCALINGS) == ["root", "width", "none"]
    for name in SCALINGS:
        assert scaling_named(name) is SCALINGS[name]
        assert Settings(width=6, heads=2, reads=5, writes=7, scaling=name).scaling == name
        assert TypeAdapter(ScalingName).validate_python(name) == name

"""What a step carries of an earlier one, with gates held: half of what comes in is half of what goes out."""

from dataclasses import replace

import numpy as np
import pytest

from regard.models.catalogue import find_model
from regard.ops import Map
from regard.trace import Step
from regard.trace.carried import carried


@pytest.mark.parametrize("cap", [None, 0.4, 2.1])
def test_half_of_the_last_vector_carries_half_of_every_logit(cap):
    model = find_model("untrained")
    trace = replace(model, settings=replace(model.settings, logit_cap=cap)).run("The quick fox")
    read, logits = trace.step("read"), trace.step("logits")
    half = Step("half", Map("over", "C->C", (2.0,)), (read,))
    found, steps = carried(logits, {read: half}, lambda below, above: True)
    assert found is steps[-1] and len(steps) == (1 if cap is None else 2)
    np.testing.assert_allclose(found.value, logits.value / 2, rtol=1e-13)

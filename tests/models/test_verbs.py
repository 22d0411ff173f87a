"""Whoever runs the description of a transformer knows its verbs: checked by basedpyright, and by name at run time."""

import inspect

import pytest
import torch
from numpy.typing import ArrayLike

from regard.models.fast import Fast
from regard.models.generate import FastWithMemory
from regard.models.glass import Glass
from regard.models.long import Long
from regard.models.plain import Array, Plain
from regard.models.verbs import Verbs
from regard.trace import Step

glass: Verbs[Step, ArrayLike] = Glass()
long: Verbs[Step, ArrayLike] = Long()
plain: Verbs[Array, ArrayLike] = Plain()
fast: Verbs[torch.Tensor, torch.Tensor] = Fast()
remembering: Verbs[torch.Tensor, torch.Tensor] = FastWithMemory({}, 0)

VERBS = {name: verb for name, verb in inspect.getmembers(Verbs, inspect.isfunction) if not name.startswith("_")}


@pytest.mark.parametrize("interpreter", [glass, long, plain, fast, remembering], ids=lambda i: type(i).__name__)
def test_every_verb_is_known_by_its_arguments(interpreter):
    assert len(VERBS) > 20
    for name, verb in VERBS.items():
        known = list(inspect.signature(getattr(interpreter, name)).parameters)
        assert known == list(inspect.signature(verb).parameters)[1:], name

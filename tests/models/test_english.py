"""The English model that comes with regard: complete, small enough, and opened like a toy."""

import subprocess
import sys

import numpy as np
import pytest

from regard.lens.explanation import explanation
from regard.models.catalogue import find_model
from regard.models.parameters import checked
from regard.models.shipped import WEIGHTS


@pytest.fixture(scope="module")
def english():
    return find_model("english")


def test_it_is_shipped_small(english):
    assert (WEIGHTS / "english.safetensors").stat().st_size <= 30e6
    sizes = {name: array.size for name, (_, array) in checked(english.settings, english.parameters).items()}
    assert 5e6 <= sum(sizes.values()) <= 15e6
    assert all(np.isfinite(array).all() for array in english.parameters.values())
    assert english.settings.max_tokens >= 256


def test_it_knows_how_a_story_begins(english):
    trace = english.run("Once upon a time there was a little")
    assert trace.predicted in ("girl", "boy")
    assert trace["probabilities[girl]"] > 0.3


def test_most_words_are_one_token(english):
    text = "The cat that I saw yesterday sat on the mat because it was tired"
    assert len(english.tokenizer.words(text)) <= len(text.split()) + 2


def test_its_numbers_explain_themselves(english):
    trace = english.run(english.sentence, english.next).backward()
    e = explanation(trace, check=True)
    pair = e.contributions
    assert sum(c.contribution for c in pair.components) + pair.rest == pytest.approx(pair.difference)
    assert e.learning is not None and e.learning.differences.error < 1e-6
    why = trace.why(f"{e.layer}.weights[{e.component.head},{e.query},0]")
    assert eval(why.numpy(), {"np": np}) == pytest.approx(why.value, rel=1e-12)


def test_looking_into_it_needs_no_torch():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from regard.models.catalogue import find_model\n"
        "print(find_model('english').run('Once upon a').predicted)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "time"

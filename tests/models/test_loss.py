"""The surprise is exact however far the logits lie apart, in glass, at full speed and on screen; it still opens."""

import math

import numpy as np
import pytest
import torch

import regard
from regard.models.catalogue import find_model
from regard.models.fast import Fast
from regard.models.glass import Glass
from regard.models.surprise import mean_surprise
from regard.ops import Contract, Map, Pick
from regard.trace import Step, Trace
from regard.trace.files import load
from regard.trace.wire import from_json
from regard.views.json import strict

FAR = (0.4, 0.4, 792.0, 0.6)
ROWS = np.array([FAR, (0.4, 0.4, 1.2, 0.6), (-900.0, 3.0, 4.0, 5.0), (0.0, 5000.0, -5000.0, 17.0)])
TARGETS = np.array([0, 0, 0, 2])


def loss_of(logits, target) -> Trace:
    do = Glass()
    do.surprise(do.given("logits", logits, "TV"[-np.ndim(logits) :]), target)
    return Trace(tuple(do.steps))


def by_definition(logits, target) -> float:
    """The log-sum-exp of the logits − the target's logit."""
    return max(logits) - logits[target] + math.log(math.fsum(math.exp(x - max(logits)) for x in logits))


@pytest.mark.parametrize("row, target", [*enumerate(TARGETS), (0, 2), (3, 1)])
def test_glass_torch_and_the_definition_agree(row, target):
    expected = by_definition(ROWS[row], target)
    loss = float(loss_of(ROWS[row], target).array("loss"))
    assert loss == pytest.approx(expected, rel=1e-14, abs=1e-15)
    logits = torch.tensor(ROWS[row])
    fast = float(Fast().surprise(logits[None, None], torch.tensor([[int(target)]])))
    taught = float(mean_surprise(torch.ones(1, 1, 1).double(), logits[:, None], None, torch.tensor([[int(target)]])))
    assert fast == pytest.approx(loss, rel=1e-14, abs=1e-15) and taught == pytest.approx(loss, rel=1e-14, abs=1e-15)


def test_the_arithmetic_is_the_branch_that_was_taken():
    far, near = loss_of(FAR, 0), loss_of((0.4, 0.4, 1.2, 0.6), 0)
    assert far.why("loss").text() == "791.60 = 792.00 − 0.40"
    assert far.why("loss").symbols() == "log_sum − chosen_logit"
    assert far.why("log_sum").text() == "792.0000 = 800.0000 + ln 0.0003355"
    assert near.why("loss").text() == "1.6951 = −ln 0.1836"
    assert near.why("log_sum").text() == "2.0951 = ln 8.1259"
    trace = regard.explain("The quick brown fox", next="jumps")
    assert trace.why("loss").text() == "1.3120 = −ln 0.2693" and trace.why("loss").symbols() == "−ln chosen"


EDITS = {
    "nothing": lambda t: t,
    "a share of another word": lambda t: t.edit("probabilities[1,1]", 0.3).edit("probabilities[0,1]", 0.3),
    "an exponential of another word": lambda t: t.edit("logit_exps[1,1]", 0.7).edit("logit_exps[0,1]", 0.7),
    "the target's exponential, which is found again": lambda t: t.edit("logit_exps[0,0]", 0.7),
    "a total": lambda t: t.edit("logit_total[1]", 3.0).edit("logit_total[0]", 2.0),
    "the target's own logit": lambda t: t.edit("chosen_logit[0]", 3.0),
    "a log-sum-exp": lambda t: t.edit("log_sum[0]", 700.0),
    "logits": lambda t: t.edit("logits[0,3]", 780.0).edit("logits[1,0]", -1.0),
}


@pytest.mark.parametrize("change", EDITS)
def test_gradients_are_right_in_both_branches_and_under_edits(change, quotients, error_of):
    do = Glass()
    surprises = do.surprise(do.given("logits", ROWS, "TV"), TARGETS)
    weighing = do.constant("weighing", np.array([0.3, 0.9, -1.7, 0.7]), "T")
    do.record("loss", Map("product", "T,T->T"), surprises, weighing)
    trace = EDITS[change](Trace(tuple(do.steps)))
    whole = Step("whole", Contract("T->"), (trace.step("loss"),))
    total = Trace((*trace.forward, whole), edits=trace.edits).backward("whole")
    for name in ("logits", "logit_total", "chosen_logit", "log_sum"):
        expected = quotients(total, total.step(name), "whole")  # of a loss of thousands, so it has fewer digits
        assert error_of(total.array(f"{name}.grad"), expected) <= 1e-5, name


def test_a_share_set_to_nothing_by_hand_is_infinitely_surprising():
    trace = loss_of((0.4, 0.4, 1.2, 0.6), 0)
    for change in ("probabilities[0]", "logit_exps[0]", "chosen"):
        assert trace.edit(change, 0.0).array("loss") == math.inf, change
    assert trace.edit("chosen", 1e-305).array("loss") == pytest.approx(-math.log(1e-305))
    assert trace.edit("logit_peak", 2000.0).array("loss") == math.inf  # all exponentials are 0
    assert loss_of(FAR, 0).edit("probabilities[0]", 0.25).array("loss") == pytest.approx(math.log(4))


def test_the_screen_and_the_json_say_the_same_as_the_trace():
    own = find_model("fox")
    trace = own.run("The quick brown fox", "jumps")
    trace = trace.pin("logits", np.array(FAR)).backward()  # jumps is the last of the four words
    assert float(trace.array("loss")) == pytest.approx(by_definition(FAR, int(trace.array("target"))), rel=1e-14)
    e = regard.explanation(trace, check=True)
    assert e.learning is not None and e.learning.loss.value == float(trace.array("loss"))
    assert "791.4" in str(trace) and "∞" not in str(trace) and '"loss": 791.4' in strict(e.data())


class FirstEdition(Glass):
    """As it was: −ln of the probability, whatever is left of it."""

    def surprise(self, logits, targets):
        probabilities = self.probabilities(logits)
        row = probabilities.axes[:-1]
        ids = self.constant("target", np.asarray(targets, dtype=np.int64), row)
        chosen = self.record("chosen", Pick(f"{row}V,{row}->{row}"), probabilities, ids)
        return self.record("surprise" if row else "loss", Map("surprise", f"{row}->{row}"), chosen)


def test_a_trace_of_the_first_edition_still_opens_and_shows_its_numbers(tmp_path):
    do = FirstEdition()
    do.surprise(do.given("logits", (0.4, 0.4, 1.2, 0.6), "V"), 0)
    old = Trace(tuple(do.steps)).backward()
    new = loss_of((0.4, 0.4, 1.2, 0.6), 0).backward()
    old.save(tmp_path / "old.npz")
    for again in (load(tmp_path / "old.npz"), from_json(old.json())):
        assert again.array("loss") == old.array("loss") == new.array("loss")
        assert again.why("loss").text() == "1.6951 = −ln 0.1836"
        assert again.step("logits.grad").op == new.step("logits.grad").op  # probability − target
        assert np.array_equal(again.array("logits.grad"), new.array("logits.grad"))

"""A formula is one line of Python: the page computes, blames and shows it by its data, with no line of TypeScript."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

from regard.ops import Contract, Given, Map, formulas, recipe
from regard.ops.expression import exp, is_below, log, where
from regard.ops.formulas import Blame, Formula
from regard.trace import Step, Trace

WEB = Path(__file__).parents[2] / "web"
NEW = {
    "softplus": Formula(
        lambda x, steepness: where(is_below(20.0, x), x, log(1 + exp(steepness * x)) / steepness),
        (Blame("softplus_blame", ("g", 0), with_constants=True),),
        1,
    ),
    "softplus_blame": Formula(lambda g, x, steepness: g * where(is_below(20.0, x), 1.0, 1 / (1 + exp(-steepness * x))),
                              constants=1),
    "largest": Formula(lambda a, b: where(is_below(a, b), b, a), folds=True),
}  # fmt: skip


def test_a_formula_added_in_python_works_on_the_page(monkeypatch, tmp_path, node):
    for name, formula in NEW.items():
        assert name not in formulas.FORMULAS
        monkeypatch.setitem(formulas.FORMULAS, name, formula)
    x = Step("x", Given(np.array([-3.5, -0.25, 0.0, 1.75, 21.0]), "T"))
    soft = Step("soft", Map("softplus", "T->T", (2.0,)), (x,))
    peak = Step("peak", Map("largest", "T,T,->T"), (soft, x, Step("floor", Given(0.4, "", "constant"))))
    loss = Step("loss", Contract("T,T->"), (soft, soft))
    trace = Trace((x, soft, peak.inputs[2], peak, loss)).backward()
    assert trace.array("peak").tolist() == np.maximum(np.maximum(soft.value, x.value), 0.4).tolist()
    shown = [f"{step}[{place}]" for step in ("soft", "peak", "x.grad") for place in range(5)]
    texts = {address: trace.why(address).text() for address in shown}
    assert texts["soft[3]"] == "1.7649 = ln(1 + e^(2·1.7500)) / 2" and texts["soft[4]"] == "21.00"
    case = {"formulas": json.loads(recipe.written()), "trace": json.loads(trace.json()), "texts": texts}
    (tmp_path / "case.json").write_text(json.dumps(case), encoding="utf-8")
    command = [node, "node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "tests/recipe.test.ts"]
    environment = {**os.environ, "REGARD_FORMULA": str(tmp_path), "CI": "1", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "1 passed" in done.stdout, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}"

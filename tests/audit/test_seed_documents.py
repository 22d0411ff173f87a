"""The five documents regard grew from: every wrong number is found, and no right one is called wrong."""

from pathlib import Path

import pytest

from regard.audit.finding import Audit
from regard.audit.page import audit, audit_file
from regard.audit.verdict import Verdict

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"

FAILURES = {
    "000": [],
    "001": [(89, "0.10", "wrong"), (90, "0.30", "wrong"), (91, "0.60", "wrong")],
    "002": [(184, "runs", "cannot run")],
    "003": [(75, "98%", "wrong"), (95, "98%", "wrong"), (95, "98%", "wrong")],
    "004": [
        (146, "runs", "cannot run"),
        (158, "0.26", "wrong"),
        (201, "runs", "cannot run"),
        (213, "0.23", "wrong"),
        (213, "0.28", "wrong"),
        (232, "runs", "cannot run"),
        (260, "0.26", "wrong"),
        (268, "runs", "cannot run"),
        (286, "runs", "cannot run"),
    ],
}


def failures(found: Audit) -> list[tuple[int, str, str]]:
    return [(finding.line, finding.claimed, finding.verdict.value) for finding in found.failures]


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seed documents are not part of the repository")
@pytest.mark.parametrize("number", FAILURES)
def test_a_seed_document(number: str) -> None:
    (path,) = SEEDS.glob(f"{number}_*.txt")
    assert failures(audit_file(path)) == FAILURES[number]


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seed documents are not part of the repository")
def test_the_ties_of_the_fox_are_truncated() -> None:
    (path,) = SEEDS.glob("004_*.txt")
    cut = [(f.line, f.claimed) for f in audit_file(path).findings if f.verdict is Verdict.truncated]
    assert cut == [(153, "0.472"), (153, "0.604"), (255, "0.472"), (255, "0.604")]


FOX = """
# A fox, in our own words

| Token | Vector     | α    |
|-------|------------|------|
| The   | [0.1, 0.2] | 0.10 |
| quick | [0.4, 0.1] | 0.05 |
| brown | [0.3, 0.5] | 0.10 |
| fox   | [0.8, 0.6] | 0.75 |

```python
blend = 0.10 * [0.1, 0.2] +
        0.05 * [0.4, 0.1] +
        0.10 * [0.3, 0.5] +
        0.75 * [0.8, 0.6]
```
Step by step:
```python
= [0.01, 0.02]    # The
+ [0.02, 0.005]   # quick
+ [0.03, 0.05]    # brown
+ [0.6, 0.45]     # fox
```
and in all
```python
= [0.66, 0.525]
```
The output rows:
```python
Wout = [
  [0.5, 0.2],  # "apple"
  [0.1, 0.6],  # "run"
  [0.7, 0.4],  # "fox"
  [0.2, 0.9],  # "jumps"
]
logits = [0.66, 0.525] @ Wout.T
"jumps" = 0.2*0.66 + 0.9*0.525 = 0.132 + 0.472 = 0.604
softmax([0.435, 0.381, 0.672, 0.604]) ≈ [0.23, 0.22, 0.29, 0.26]
logits = blend @ Wout
```
"""


def test_the_fox_reworded() -> None:
    found = audit(FOX, "fox.md")
    assert [(f.claimed, f.verdict.value) for f in found.failures] == [("runs", "cannot run"), ("0.26", "wrong")]
    assert [f.claimed for f in found.findings if f.verdict is Verdict.truncated] == ["0.472", "0.604"]
    assert [f.line for f in found.findings if f.claimed == "0.005"] == [20]


def test_a_wrong_step_of_the_fox_is_found() -> None:
    found = audit(FOX.replace("[0.02, 0.005]", "[0.02, 0.05]"), "fox.md")
    assert (20, "0.05", "wrong") in failures(found)


FRUIT = """
Dot products of the query with every key (the scores):

\tPear (K) green\tOrange (K) orange\tRadio (K) grey\tThe (K) grey
Pear (Q) red\t1.5\t12.0\t0.0\t0.3

Softmax makes a distribution of them.
The model hears: "Take {share} of what you need from Orange."
"""


@pytest.mark.parametrize(
    "share, fails", [("98%", True), ("100%", False), ("99.996%", False), ("99.9%", False), ("99.8%", True)]
)
def test_a_share_of_the_orange(share: str, fails: bool) -> None:
    assert bool(audit(FRUIT.format(share=share)).failures) is fails


def test_a_share_goes_from_one_label_to_another() -> None:
    page = FRUIT.format(share="99.9%") + "\nWe add 98% of the “Orange-Value” to the Pear representation.\n"
    assert [(f.claimed, f.computed) for f in audit(page, "fruit.md").failures] == [("98%", "99.9958%")]

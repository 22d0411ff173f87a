"""Lines with numbers in parentheses that others go on with; and what a page's own code prints."""

from regard.audit.page import audit

EXPERTS = """
  (1) One expert:    3 x 4096 x 14336  =  176,160,768
  (2) Eight experts: 8 x (1)           =  1,409,286,144
  (3) 32 layers:     32 x (2)          =  {}
  (4) Per token:     (3) / 4           =  11,274,289,152
"""
PRINTED = """
```python
for x, y in ((1, 0), (2, 0), (3, 1), (4, 1)):
    p = 1 / (1 + math.exp(1 - 0.5 * x))
    print(f"x={{x}}  y={{y}}  p={{p:.4f}}  loss={{-math.log(p if y else 1 - p):.4f}}")
```
```
x=1  y=0  p=0.3775  loss={}
x=2  y=0  p=0.5000  loss=0.6931
x=3  y=1  p=0.6225  loss=0.4741
x=4  y=1  p=0.7311  loss=0.3133
```
"""


def said(text: str) -> list[tuple[int, str, str]]:
    return [(finding.line, finding.claimed, finding.computed) for finding in audit(text).failures]


def test_a_number_in_parentheses_may_be_the_result_of_its_line():
    assert said(EXPERTS.format("45,097,156,608")) == []


def test_without_numbered_lines_parentheses_are_parentheses():
    assert said("2 x (3) = 7") == [(1, "7", "6")]


def test_what_the_code_of_a_page_prints_is_as_it_says():
    assert said(PRINTED.format("0.4741")) == []
    assert said(PRINTED.format("0.4470")) == [(8, "0.4470", "0.4741")]

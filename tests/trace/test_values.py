"""A step as a table: what does not fit on a line is broken between columns, and each number keeps its place."""

import numpy as np

from regard.ops import Given
from regard.ops.notation import format_number
from regard.trace import Labels, Step, Values
from regard.trace.values import Most

STEP = Step("weights", Given(np.arange(30.0).reshape(2, 3, 5) / 7, "HQK"))


def numbers(lines):
    return {at: line.text[begin:end] for line in lines for begin, end, at in line.numbers}


def test_a_table_wider_than_a_line_is_broken_between_columns():
    whole, broken = (Values(STEP, Labels({})).lines(most) for most in (None, Most(width=20)))
    assert max(len(line.text) for line in whole) > 20 >= max(len(line.text) for line in broken[1:])
    assert numbers(broken) == numbers(whole) == {
        at: format_number(float(STEP.value[at]), 4) for at in np.ndindex(STEP.shape)
    }  # fmt: skip
    names = {"".join(line.text.split()) for line in broken if not line.numbers}
    assert {"01", "23", "4"} <= names, "each part names its own columns"


def test_what_is_left_out_is_counted():
    shown = [line.text for line in Values(STEP, Labels({})).lines(Most(rows=2, columns=3, tables=1))]
    assert shown[-2:] == ["… 1 more row, 2 more columns", "… 1 more table"]
    assert len(numbers(Values(STEP, Labels({})).lines(Most(rows=2, columns=3, tables=1)))) == 6

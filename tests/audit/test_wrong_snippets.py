"""Short texts as people write them, each with one wrong number: it is found, and nothing else is called wrong.

`wrong_snippets.txt` holds them; a line `%% 8,912` ends each, and names the number.
"""

import re
from pathlib import Path

import pytest

from regard.audit.page import audit

PARTS = re.split(r"\n%% (.*)\n", Path(__file__).with_name("wrong_snippets.txt").read_text("utf-8"))


@pytest.mark.parametrize(("text", "wrong"), list(zip(PARTS[::2], PARTS[1::2], strict=False)))
def test_the_wrong_number_is_found(text: str, wrong: str) -> None:
    assert [finding.claimed.rstrip("%") for finding in audit(text).failures] == [wrong]

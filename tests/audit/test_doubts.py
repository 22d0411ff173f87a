"""Cases in which a mismatch is no mistake, and their neighbours in which it is."""

import pytest

from regard.audit.page import audit

FINE = [
    "0.2704 + 0.1352 + 0.2704 + 2.0281 = 2.7042",  # each was rounded before it was printed
    "0.33333 + 0.33333 = 0.66667",
    "`e^0.7071` → click → `0.7071 + 0.0000` → click → `1.0000 / √2`",  # a story of expressions, not an equality
    "(4,64)×8 → (4,512)",
    "      2.704     1.000 ✓ sums to 1",
]
WRONG = [
    "0.462 + 0.210 = 0.673",  # three decimals are typed, not measured
    "0.33333 + 0.33333 = 0.66669",
    "e^0.7071 → 2.1281",
    "0.2 0.3 0.4 sums to 1",
]


@pytest.mark.parametrize("page", FINE)
def test_a_right_number_is_not_called_wrong(page):
    assert not audit(page).failures


@pytest.mark.parametrize("page", WRONG)
def test_a_wrong_number_is_still_found(page):
    assert audit(page).failures

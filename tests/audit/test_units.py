"""Units: what they count is judged, and left alone where another unit may explain the number."""

import pytest

from regard.audit.page import audit


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("72 km/h = 20 m/s", []),
        ("72 km/h = 22 m/s", []),  # left alone: units are not converted
        ("8,192 · 96 KiB = 768 MiB", []),
        ("8,192 · 96 KiB = 864 MiB", []),
        ("8.03 · 2 = 14.96 GiB", []),
        ("7 × 16 = 112 GB", []),
        ("7 × 16 = 102 GB", ["102"]),
        ("1024 * 1024 = 1 MB", []),
        ("1024 * 1024 * 1024 bytes = 1 GB", []),
        ("3 nights × 38.50 € = 115.50 €", []),
        ("3 nights × 38.50 € = 114.50 €", ["114.50"]),
        ("4 cm = 2 km on this map", []),
        ("100 / 8 = 13 batches", []),
        ("1 h 30 min = 90 min", []),
        ("5 ft 3 in = 160 cm", []),
        ("2 kg × 9.81 m/s² = 19.62 N", []),
        ("2 kg × 9.81 m/s² = 16.92 N", ["16.92"]),
        ("1 token = 0.75 words", []),
        ("3s + 1 = 7", []),
        ("50 cents × 3 = $1.50", []),
    ],
)
def test_a_number_with_a_unit(text: str, claimed: list[str]) -> None:
    assert [finding.claimed for finding in audit(text).failures] == claimed

"""How much memory watching takes, and how much it may take."""

import re

UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def as_bytes(budget: str | int | None) -> int | None:
    """
    >>> as_bytes("4GB"), as_bytes("1.5 MB"), as_bytes(7), as_bytes(None)
    (4000000000, 1500000, 7, None)
    """
    if budget is None or (isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0):
        return budget
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?B?)\s*", str(budget), re.IGNORECASE)
    unit = found and UNITS.get(found.group(2).upper())
    if not found or not unit:
        raise ValueError(f"budget expects a size such as '4GB' or '500MB', got {budget!r}")
    return int(float(found.group(1)) * unit)

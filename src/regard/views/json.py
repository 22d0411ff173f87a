"""Strict JSON: what is not a finite number becomes null, never a token that other languages cannot read."""

import json
import math
from typing import Any


def strict(data: Any) -> str:
    """
    >>> strict({"a": [1.0, float("-inf")]})
    '{"a": [1.0, null]}'
    """
    return json.dumps(_finite(data), allow_nan=False, ensure_ascii=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(k): _finite(v) for k, v in value.items()}
    return [_finite(v) for v in value] if isinstance(value, list | tuple) else value

"""Strict JSON: what is not a finite number becomes null, and nothing in it can steer a terminal."""

import json
import math
from typing import Any

from regard.views.harmless import harmless_json


def strict(data: Any, ascii: bool = False) -> str:
    """
    >>> strict({"a": [1.0, float("-inf")], "b": "é"})
    '{"a": [1.0, null], "b": "é"}'
    """
    return harmless_json(json.dumps(_finite(data), allow_nan=False, ensure_ascii=ascii))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(k): _finite(v) for k, v in value.items()}
    return [_finite(v) for v in value] if isinstance(value, list | tuple) else value

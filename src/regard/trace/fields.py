"""What each field of data from outside may hold: anything else is refused before it is used."""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

MOST_AXES = 8


def is_object(data: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(data, dict)


def is_list(data: Any) -> TypeGuard[list[Any]]:
    return isinstance(data, list)


def fields(data: Any, what: str, needed: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    if not is_object(data):
        raise ValueError(f"{what} is not an object")
    missing = [name for name in needed if name not in data]
    extra = [name for name in data if name not in (*needed, *optional)]
    if missing or extra:
        raise ValueError(f"{what}: missing {missing or 'nothing'}, unknown {extra or 'nothing'}")
    return data


def list_of(data: Any, what: str) -> list[Any]:
    if not is_list(data):
        raise ValueError(f"{what} must be a list")
    return data


def step_name(data: Any) -> str:
    if not isinstance(data, str) or not 1 <= len(data) <= 300 or not data.isprintable():
        raise ValueError(f"{data!r:.60} is not the name of a step")
    return data


def reference(data: Any) -> str | int:
    if type(data) not in (str, int):
        raise ValueError(f"an input must be the name or the number of a step, got {data!r:.60}")
    return data


def whole(data: Any, what: str) -> int:
    if type(data) is not int or not 0 <= data <= 2**40:
        raise ValueError(f"{what} is not a whole number of sensible size")
    return data


def is_inside(at: Sequence[int], shape: Sequence[int]) -> bool:
    return len(at) == len(shape) and all(0 <= i < n for i, n in zip(at, shape))


def is_number(data: Any) -> bool:
    return (type(data) is float and math.isfinite(data)) or (type(data) is int and abs(data) <= 2**53)


def is_size(data: Any) -> bool:
    return type(data) is int and 1 <= data <= 2**40


AXES = f"[A-Za-z]{{0,{MOST_AXES}}}"
SPEC = re.compile(f"{AXES}(?:,{AXES})*->{AXES}")

# what each field of an operation or an edit may hold; the operations themselves say which of them they take
FIELDS: dict[str, Callable[[Any], bool]] = {
    "kind": lambda x: isinstance(x, str),
    "formula": lambda x: isinstance(x, str),
    "role": lambda x: isinstance(x, str),
    "spec": lambda x: isinstance(x, str) and SPEC.fullmatch(x) is not None,
    "letters": lambda x: isinstance(x, str) and re.fullmatch(AXES, x) is not None and len(set(x)) == len(x),
    "factor": is_number,
    "number": is_number,
    "constants": lambda x: is_list(x) and all(map(is_number, x)),
    "rows": is_size,
    "sizes": lambda x: is_list(x) and len({p[0] for p in x if _is_pair(p)}) == len(x),
    "at": lambda x: is_list(x) and len(x) <= MOST_AXES and all(type(i) is int and 0 <= i <= 2**40 for i in x),
}


def _is_pair(data: Any) -> bool:
    return is_list(data) and len(data) == 2 and isinstance(data[0], str) and is_size(data[1])


def check_operation(data: Any) -> None:
    if not is_object(data) or "kind" not in data:
        raise ValueError("its operation has no kind")
    for name, value in data.items():
        check_field(name, value)


def check_field(name: str, value: Any) -> None:
    if name not in FIELDS:
        raise ValueError(f"operations have no field {name!r}")
    if not FIELDS[name](value):
        raise ValueError(f"{name} cannot be {value!r:.100}")

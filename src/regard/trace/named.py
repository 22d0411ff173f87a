"""Parameters that a file names instead of holding them: the model, the parameter, and the fingerprint of its numbers.

A run of a model that everybody has, or of a checkpoint of gigabytes, keeps only what is its own. The numbers are found
again when the file is opened, and compared with the fingerprint, so they are exactly those that were saved.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from regard.ops import Given
from regard.ops.narrow import Narrow, Numbers
from regard.trace.fields import is_object, list_of
from regard.trace.step import Step

Source: TypeAlias = tuple[str, str]  # a model, and one of its parameters
Models: TypeAlias = Callable[[str], Mapping[str, Numbers]]  # the parameters of a model by its name


def sources_of(steps: tuple[Step, ...]) -> dict[int, Source]:
    """The steps that a file may name, by their places."""
    return {i: s.op.source for i, s in enumerate(steps) if isinstance(s.op, Given) and s.op.source is not None}


def fingerprint(numbers: Numbers) -> str:
    """
    >>> fingerprint(np.arange(3.0)) == fingerprint(np.arange(3.0)) != fingerprint(np.arange(3.0, dtype=np.float32))
    True
    """
    kept = numbers.kept if isinstance(numbers, Narrow) else numbers
    digest = hashlib.sha256(f"{kept.dtype.newbyteorder('<').str} {kept.shape}".encode())
    for part in Narrow(kept).blocks(0) if kept.ndim else (...,):
        piece = kept[part]
        digest.update(np.ascontiguousarray(piece, piece.dtype.newbyteorder("<")).data)
    return digest.hexdigest()


def named_data(steps: tuple[Step, ...]) -> dict[str, list[str]]:
    """For a header: which step is which parameter of which model, and its fingerprint."""
    return {
        str(place): [model, parameter, fingerprint(steps[place].stored)]
        for place, (model, parameter) in sources_of(steps).items()
    }


def found(named: Any, models: Models | None) -> dict[str, tuple[Source, Numbers]]:
    """The numbers that a header names, by the arrays that they stand for."""
    if not is_object(named):
        raise ValueError("its named parameters are not an object")
    result: dict[str, tuple[Source, Numbers]] = {}
    known: dict[str, Mapping[str, Numbers]] = {}
    for place, entry in named.items():
        model, parameter, digest = _three(list_of(entry, "a named parameter"))
        if model not in known:
            known[model] = _parameters(model, models)
        if parameter not in known[model] or fingerprint(known[model][parameter]) != digest:
            raise ValueError(
                f"it is a run of {model!r:.80}, but {parameter!r:.40} of the model found here is different; "
                "open it with the model that it was saved with: load(path, model=its name or folder)"
            )
        result[f"step{place}"] = (model, parameter), known[model][parameter]
    return result


def _parameters(model: str, models: Models | None) -> Mapping[str, Numbers]:
    advice = "say where it is: load(path, model=its name or folder)"
    if models is None:
        raise ValueError(
            f"it is a run of {model!r:.80}, whose parameters are not in the file; open it with regard.load"
        )
    try:
        return models(model)
    except Exception as error:
        raise ValueError(f"it is a run of {model!r:.80}, which is not here ({error}); {advice}") from None


def _three(entry: list[Any]) -> tuple[str, str, str]:
    if len(entry) != 3 or not all(isinstance(part, str) for part in entry):
        raise ValueError("a named parameter must be a model, a parameter and a fingerprint")
    return entry[0], entry[1], entry[2]

"""Opening a saved trace: parameters that it only names are those of a model found here."""

import os

from regard.trace import Trace, files


def load(path: str | os.PathLike[str], any_size: bool = False, model: str | None = None) -> Trace:
    """A trace from a file, ready to be asked, edited and differentiated: every number is the one that was saved.

    Nothing in the file is run, and a file that does not fit together is refused with a ValueError. `any_size` lifts
    the bounds on size, for large files that you made yourself. A run of a built-in model or of a Hugging Face folder
    names its parameters; `model` says where that model is now, if it has moved.
    The traces it was made from are not in the file: `undo` undoes its edits, but not what it has learned.
    """
    from regard.models.catalogue import find_model

    return files.load(path, any_size, lambda name: find_model(model or name).parameters)

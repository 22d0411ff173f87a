"""A GGUF file as the Hugging Face folder of the same model, for whoever reads only those."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from regard.models.catalogue import find_model, is_gguf_file
from regard.models.huggingface.writing import save_as_huggingface


@contextmanager
def as_folder(place: str | os.PathLike[str]) -> Generator[Path, None, None]:
    """The folder itself, or one that is gone afterwards; who has mapped its files can read them still."""
    if not is_gguf_file(str(place)):
        yield Path(place)
        return
    with tempfile.TemporaryDirectory(prefix="regard-") as there:
        save_as_huggingface(find_model(place), Path(there) / "model")
        yield Path(there) / "model"

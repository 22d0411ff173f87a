"""Word vectors by whatever a person names: a file of vectors, a model that comes with regard, a folder, a toy."""

import os

from regard.models.catalogue import find_model, is_toy_file
from regard.vectors.files import open_vectors
from regard.vectors.of_model import vectors_of
from regard.vectors.wordvectors import WordVectors


def find_vectors(name: str | os.PathLike[str]) -> WordVectors:
    return open_vectors(name) if is_vectors_file(name) else vectors_of(find_model(name))


def is_vectors_file(name: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a file which is no toy's; whether it holds vectors is seen when it is opened."""
    return os.path.exists(name) and not os.path.isdir(name) and not is_toy_file(os.fspath(name))

"""Word vectors by whatever a person names: a file of vectors, a model that comes with regard, a folder, a toy."""

import os

from regard.models.catalogue import find_model, is_gguf_file, is_toy_file
from regard.vectors.files import FORMS, open_vectors
from regard.vectors.of_model import vectors_of
from regard.vectors.wordvectors import WordVectors

RESULT = "vectors.vectors"  # of a run of `regard vectors train`, in its folder


def find_vectors(name: str | os.PathLike[str]) -> WordVectors:
    file = vectors_file(name)
    return vectors_of(find_model(name)) if file is None else open_vectors(file)


def vectors_file(name: str | os.PathLike[str]) -> str | None:
    """The file that a name means, unless a model or a toy; whether it holds vectors is seen when it is opened."""
    written = os.fspath(name)
    if os.path.isdir(written):
        inside = os.path.join(written, RESULT)
        return inside if os.path.isfile(inside) else None
    is_model = is_toy_file(written) or is_gguf_file(written)
    # by its ending also one that is missing: it is told so, not that there is no such model
    is_meant = os.path.exists(written) or os.path.splitext(written)[1] in {form.ending for form in FORMS.values()}
    return written if is_meant and not is_model else None

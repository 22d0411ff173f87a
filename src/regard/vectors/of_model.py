"""The table that a model reads with is word vectors too; its words are the pieces that its tokenizer cuts."""

from collections.abc import Iterator

from regard.models.model import Model
from regard.suggestions import NotFound
from regard.vectors.wordvectors import WordVectors


class Pieces:
    """What a model reads, looked up as the model itself would cut it."""

    def __init__(self, model: Model):
        self._model = model

    def __len__(self) -> int:
        return len(self._model.reads)

    def __getitem__(self, position: int, /) -> str:
        return self._model.reads[position]

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.reads)

    def position(self, word: str) -> int | None:
        try:
            return self._model.row(word)
        except ValueError:  # a toy's word is one word
            return None

    def missing(self, word: str) -> NotFound:
        try:
            return self._model.no_row(word)
        except ValueError as error:
            return NotFound(str(error))


def vectors_of(model: Model) -> WordVectors:
    """
    >>> from regard.models.catalogue import find_model
    >>> print(vectors_of(find_model("fox")).near("fox", 2))
    brown 0.926
    quick 0.922
    """
    return WordVectors(Pieces(model), model.parameters["E"], name=model.name, title=model.title)

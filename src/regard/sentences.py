"""How alike texts are to a model: `regard.similar`."""

import os
from collections.abc import Iterable

from regard.lens.similar import Similar, compared
from regard.models.catalogue import find_model
from regard.models.cropping import last_tokens
from regard.models.huggingface.pooling import pools_by_mean
from regard.models.model import Model

NOT_TRAINED_FOR_IT = (
    "nothing says that this model was trained to compare texts: its cosines are numbers, not judgements; "
    "the folder of a sentence model, such as all-MiniLM-L6-v2, gives better ones"
)


def similar(
    texts: Iterable[str], model: str | os.PathLike[str] | Model = "english", last: int | None = None
) -> Similar:
    """A vector for every text (the mean of what its tokens end as, at length 1), and the cosine of every two.

    Best with a model that was trained for it, such as the folder of all-MiniLM-L6-v2. `last` reads only that many
    tokens at the end of each text.

    >>> found = similar(["The cat sat on the mat.", "A dog sat on the bed.", "He was the king of France."])
    >>> found.pairs()[0], found.cosines.shape
    ((0, 1), (3, 3))
    >>> float(found.why("similar[0,1]").value) == float(found.cosines[0, 1])
    True
    """
    found = find_model(model)
    notes = () if pools_by_mean(found.name) else (NOT_TRAINED_FOR_IT,)
    given = [text if last is None else last_tokens(found, text, last) for text in texts]
    return compared(given, found.as_written, notes)

"""A text that is too long for a model: the error that says so, and its end, which the model can read."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regard.models.model import Model

TRIES = 64  # more tokens that may be left out, until the remaining text is cut as before


class TooLong(ValueError):
    """A text of more tokens than a model reads; `most` is how many it does."""

    def __init__(self, model: str, tokens: int, most: int):
        at_most = f"{most} token{'s' * (most != 1)}"
        super().__init__(f"the model {model} reads at most {at_most}, got {tokens:,}; pass a shorter text")
        self.most = most


def last_tokens(model: "Model", text: str, count: int) -> str:
    """The end of a text, of at most `count` tokens as the model reads it, from the beginning of a word if there is one.

    >>> from regard.models.catalogue import find_model
    >>> last_tokens(find_model("fox"), "The quick brown fox", 2)
    'brown fox'
    """
    _check(count)
    read = len(model.asked(text).words)
    if read <= count:
        return text
    words = _own_words(model, text)
    room = count - (read - len(words))
    if room < 1:
        raise ValueError(f"last={count} leaves no room for a word: {read - len(words)} tokens surround every text")
    # a token from inside a word becomes another at the start of a text: begin where nothing changes, if possible
    begun_inside = None
    for start in range(len(words) - room, len(words))[:TRIES]:
        end = model.tokenizer.joined(words[start:])
        again = _own_words(model, end) if end.strip() else []
        if again == words[start:]:
            return end
        if begun_inside is None and 0 < len(again) <= room:
            begun_inside = end
    if begun_inside is None:
        raise ValueError(f"the last {count} tokens of the text hold no words; pass a larger number")
    return begun_inside


def _check(count: Any) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError(f"last expects a number of tokens, at least 1, got {count!r}")


def _own_words(model: "Model", text: str) -> list[str]:
    """The tokens of a text, without what a tokenizer puts before and after every one."""
    around = getattr(model.tokenizer, "around", ())
    return [word for word in model.tokenizer.words(text) if word not in around]

"""Words in formats that end a word at a space or a line: what such a word is written as."""

import re

from regard.vectors.problem import Unwritable

SPACE = re.compile(r"[ \t\r\n\x0b\x0c]")


def line_of(word: str, spaces: str | None) -> bytes:
    """A word for a line of text, with its spaces written as some other sign; without one, a word has none.

    >>> line_of("ice cream", "_"), line_of("king", None)
    (b'ice_cream', b'king')
    """
    if SPACE.search(word):
        if spaces is None:
            raise Unwritable(
                f"the word {word!r:.60} has a space in it, which ends a word in this format; choose a sign for it "
                "(spaces='_', --spaces _), or write .vectors or .safetensors"
            )
        word = SPACE.sub(spaces, word)
    return word.encode(errors="surrogatepass")

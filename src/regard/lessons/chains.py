"""Dot products as the fox sentence's document writes them: `0.2*0.66 + 0.9*0.525 = 0.132 + 0.472 = 0.604`."""

from collections.abc import Sequence

from regard.lessons.claim import Row
from regard.lessons.reachable import WORD_ROWS
from regard.trace import Trace


def dot_product(document: str, line: int, word: int, name: str, read: tuple[str, str], results: tuple[str, ...]) -> Row:
    """Four factors, two products, their sum: the logit of one word."""
    first, second = (f"{v:g}" for v in WORD_ROWS[word])

    def chain(trace: Trace) -> Sequence[float]:
        row, context = trace.array("W_out")[word], trace.array("read")
        products = row * context
        return [row[0], context[0], row[1], context[1], *products, products.sum()]

    places = (f"W_out[{name},0]", "read[0]", f"W_out[{name},1]", "read[1]", "", "", f"logits[{name}]")
    printed = (first, read[0], second, read[1], *results)
    return Row(document, line, f"dot product for {name}", printed, chain, 8, places)

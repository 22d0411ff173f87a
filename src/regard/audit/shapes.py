"""Shapes as pages write them, `(seq_len, 64)`, and what a matrix product makes of two of them.

Sizes may be numbers or names.
"""

import re

LONGEST_SIZE = 16  # digits; what is longer is no size
Shape = tuple[int | str, ...]


class Trouble(Exception):
    """The line cannot run; the message says why."""

    def __init__(self, message: str, computed: str, clash: str = "") -> None:
        super().__init__(message)
        self.computed, self.clash = computed, clash


def show_shape(shape: Shape) -> str:
    """A shape as Python prints it, names without quotes.

    >>> show_shape((2,)), show_shape(("seq_len", 64))
    ('(2,)', '(seq_len, 64)')
    """
    return "(" + ", ".join(map(str, shape)) + (",)" if len(shape) == 1 else ")")


def read_shape(text: str) -> Shape:
    """A shape as written.

    >>> read_shape("(seq_len, 512)")
    ('seq_len', 512)
    """
    found = re.findall(r"\d+|[A-Za-z]\w*", text)
    return tuple(int(size) if size.isdigit() and len(size) < LONGEST_SIZE else size for size in found)


def product(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of `left @ right`; sizes with names clash only where the other order is the one that fits."""
    if not left or not right:
        return None
    inner, outer = left[-1], right[-2:][0]
    if inner == outer:
        if len(right) > 2 and len(right) > len(left):
            return (*right[:-2], *left[-2:-1], right[-1])  # the right one brings the batch
        return (*left[:-1], right[-1]) if len(right) > 1 else left[:-1]
    both = isinstance(inner, int) and isinstance(outer, int)
    other_order_fits = len(left) == len(right) == 2 and right[-1] == left[0] and isinstance(left[0], int)
    if not both and not other_order_fits:
        return None
    shown, clash = f"{show_shape(left)} @ {show_shape(right)}", f"{inner} and {outer} do not fit"
    hint = "; the other order does" if other_order_fits else ""
    hint = "; the right one needs .T" if len(right) == 2 and right[-1] == inner else hint
    raise Trouble(f"{shown}: {clash}{hint}", shown, clash if both else "")

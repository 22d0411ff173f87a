"""What a person may want to write: the names nearest to one that does not exist, and commands for a shell."""

import shlex
from collections.abc import Iterable
from difflib import get_close_matches


class NotFound(KeyError):
    """A name or a cell that does not exist. Unlike a bare KeyError it prints as a sentence."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else "not found"


def suggestion(word: str, names: Iterable[str], most: int = 8) -> str:
    """
    >>> suggestion("wieghts", ["weights", "scores"])
    'did you mean weights?'
    >>> suggestion("zebra", ["The", "fox"])
    'there are The, fox'
    """
    known = list(dict.fromkeys(names))
    lower = {name.lower(): name for name in reversed(known)}
    close = [lower[m] for m in get_close_matches(word.lower(), lower, n=4, cutoff=0.6)]
    # part of a longer name is near too: "grad" for "loss.grad"
    close += [n for n in known if word and word.lower() in n.lower() and n not in close][: max(0, 4 - len(close))]
    if close:
        return f"did you mean {' or '.join(close)}?"
    rest = f" and {len(known) - most} more" if len(known) > most else ""
    return f"there are {', '.join(known[:most])}{rest}" if known else "there are none"


def command(*words: str) -> str:
    """A command to be copied into a shell: whatever its words hold, they are words there, and nothing in them is run.

    >>> print(command("regard", "explain", "It costs $(reboot)", "--model", "runs/notes"))
    regard explain 'It costs $(reboot)' --model runs/notes
    """
    return shlex.join(words)

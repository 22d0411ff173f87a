"""A text that is shown while it grows: only whole characters, each once, and none that a terminal would obey."""

import os
import unicodedata

HALF = "\ufffd"  # what stands for the bytes of a character that is not complete yet


class Growing:
    """What is new each time, held back while a character's last bytes are still to come.

    >>> text = Growing()
    >>> [text.more(so_far) for so_far in ("Na", "Na\ufffd", "Naï", "Naïve\x1b")], text.rest()
    (['Na', '', 'ï', 've\ufffd'], '')
    """

    def __init__(self) -> None:
        self.shown = self.whole = ""

    def more(self, whole: str) -> str:
        """What can be shown now that this is the whole text."""
        self.whole = whole
        return self._until(whole.rstrip(HALF))

    def rest(self) -> str:
        """What was held back, when nothing more comes."""
        return self._until(self.whole)

    def _until(self, text: str) -> str:
        alike = os.path.commonprefix([self.shown, text])  # noqa: RUF071  (of characters, not of folders)
        new = text[len(alike) :]
        self.shown = text if new else self.shown
        return "".join(HALF if unicodedata.category(c) == "Cc" and c not in "\n\t" else c for c in new)

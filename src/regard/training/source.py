"""Which text a run learns from: where it lies, and a fingerprint by which it is known again when the run is resumed."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regard.suggestions import command
from regard.training.corpus import Corpus


@dataclass(frozen=True)
class Source:
    """The paths of a text, as seen from the run's folder, so that both can be moved together."""

    name: str
    paths: tuple[str, ...]
    fingerprint: str | None  # None in runs of the first edition

    @classmethod
    def of(cls, text: Corpus, paths: Sequence[Path], folder: Path) -> "Source":
        return cls(text.name, tuple(_seen_from(folder, path) for path in paths), text.fingerprint)

    @classmethod
    def remembered(cls, config: Mapping[str, Any]) -> "Source":
        """What `data` wrote into a checkpoint; a run of the first edition has the name of its text only."""
        paths, fingerprint = config.get("paths"), config.get("fingerprint")
        kept = tuple(map(str, paths)) if isinstance(paths, list) else ()
        return cls(str(config.get("text")), kept, fingerprint if isinstance(fingerprint, str) else None)

    def data(self) -> dict[str, Any]:
        known = {"paths": list(self.paths), "fingerprint": self.fingerprint} if self.fingerprint else {}
        return {"text": self.name, **known}

    def files(self, folder: Path) -> list[Path]:
        """Where the text was when the run began, if it is still there."""
        files = [Path(os.path.normpath(folder.resolve() / path)) for path in self.paths] or [Path(self.name)]
        for file in files:
            if not (file.is_file() or file.is_dir()):  # a folder from elsewhere may name a device that never ends
                raise ValueError(
                    f"{folder} has lost its tokens, and its text is no longer at {file}; give the text: "
                    f"{command('regard', 'train', 'PATH', '--resume', '--out', str(folder))}"
                )
        return files

    def check(self, text: Corpus, folder: Path) -> None:
        """Refuse another text: the run would no longer be the one that was begun."""
        if self.fingerprint not in (None, text.fingerprint):
            raise ValueError(
                f"{text.name} is not the text that the run in {folder} began with ({self.name}); leave the path out "
                f"to resume with that one, or choose another folder with --out"
            )

    def notes(self, given: Sequence[Path], folder: Path) -> list[str]:
        """One line, if a text was given that cannot be compared."""
        if not given or self.fingerprint:
            return []
        return [
            f"{folder} was begun by an earlier version, which kept no fingerprint of its text: whether "
            f"{', '.join(map(str, given))} is the same cannot be checked"
        ]


def _seen_from(folder: Path, path: Path) -> str:
    try:
        return os.path.relpath(path.resolve(), folder.resolve())
    except ValueError:  # on another drive of Windows
        return str(path.resolve())

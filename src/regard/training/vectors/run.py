"""One run in its folder: text → numbers → tables → WordVectors, with checkpoints to resume from.

FOLDER/words.txt, text.int32   the text as numbers (numbering.py); pairs.bin for GloVe (glove.py)
FOLDER/checkpoints/            the tables as they stood, and the settings
FOLDER/vectors.vectors         what was learned, once all is done
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regard.checkpoints.places import fallback_notes
from regard.training.folder import CHECKPOINTS, refuse_what_is_not_ours
from regard.training.vectors import checkpoint, numbering, reading
from regard.training.vectors.glove import PAIRS, GloVe
from regard.training.vectors.learner import Learner
from regard.training.vectors.loop import ALL, Report, Share, train
from regard.training.vectors.numbering import Numbered
from regard.training.vectors.predicting import Predicting
from regard.training.vectors.settings import Settings
from regard.vectors.finding import RESULT
from regard.vectors.wordvectors import WordVectors

SAVE_EVERY = 300.0  # seconds
OWN = {CHECKPOINTS, ".lock", numbering.WORDS, numbering.TEXT, numbering.FIRST, RESULT}
LEFTOVERS = (PAIRS, ".pairs-*", ".bucket-*")  # of a start that was killed, where they are not simply written anew


@dataclass(eq=False)
class Run:
    """A text, what learns from it, and how far it has come."""

    folder: Path
    settings: Settings
    text: Numbered
    learner: Learner
    blocks: int = 0
    notes: tuple[str, ...] = ()
    share: Share = ALL

    @property
    def ended(self) -> bool:
        return self.blocks >= self.settings.epochs * self.learner.blocks

    @property
    def result_file(self) -> Path:
        return self.folder / RESULT

    @property
    def unit(self) -> str:
        return "pairs" if self.settings.kind == "glove" else "words"

    def reports(self, save_every: float = SAVE_EVERY) -> Iterator[Report]:
        """Train to the end. What is due to be saved is saved before the report is given."""
        saved = time.monotonic()
        for report in train(self.learner, self.settings.epochs, self.settings.threads, self.blocks, self.share):
            self.blocks = report.blocks
            if self.ended and not self.share.rank:
                self.result().save(self.result_file)
            if self.ended or time.monotonic() - saved >= save_every:
                self.save()
                saved = time.monotonic()
            yield report

    def save(self) -> None:
        """Keep the run as it stands; numbers that have gone wrong are not kept. The first process does it."""
        if self.share.rank:
            return
        if not all(np.isfinite(table).all() for table in self.learner.tables.values()):
            raise ValueError("some vectors are no longer numbers; train again with a lower --rate")
        config = {"settings": self.settings.data(), "text": self.text.digest}
        checkpoint.save(self.folder, self.blocks, config, self.learner.tables)

    def result(self) -> WordVectors:
        """The vectors as they stand."""
        return WordVectors(self.text.words, self.learner.vectors(), self.text.counts, title=self.folder.name)


def begin(paths: Sequence[Path | str], folder: Path, settings: Settings) -> Run:
    """A new run: the text is read, and its first checkpoint written, so there is always one to resume from."""
    from regard.training.vectors.phrases import joined

    refuse_what_is_not_ours(folder, [Path(path) for path in paths], _own(folder))
    folder.mkdir(parents=True, exist_ok=True)
    for left in (file for name in LEFTOVERS for file in folder.glob(name)):  # by a start that was killed
        left.unlink()
    first = numbering.number(reading.pieces(paths), folder)
    if settings.phrases:
        first = joined(first, settings.phrases, settings.least, folder)
    text = numbering.settle(first, folder, settings.least, ", ".join(map(str, paths)))
    run = Run(folder, settings, text, _learner(text, settings, folder))
    run.save()
    return run


def resumed(folder: Path) -> Run:
    """A run that was stopped or killed, from its newest whole checkpoint."""
    saved = checkpoint.load(folder)
    settings = Settings.remembered(saved.config.get("settings"))
    try:
        text = numbering.opened(folder)
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder} has lost its text ({error}); train again in another folder") from error
    if text.digest != saved.config.get("text"):
        raise ValueError(f"{folder / numbering.TEXT} is not the text that this run began with; train again")
    learner = _learner(text, settings, folder)
    for name, table in learner.tables.items():
        if name not in saved.tables or saved.tables[name].shape != table.shape:
            raise ValueError(f"{folder / CHECKPOINTS} has no table {name} of the shape {table.shape}; train again")
    learner.restore(saved.tables)
    run = Run(folder, settings, text, learner, saved.blocks, fallback_notes(saved.passed_over, saved.blocks))
    if run.ended:
        raise ValueError(f"{folder} has learned all of its {settings.epochs} epochs: {run.result_file}")
    return run


def _learner(text: Numbered, settings: Settings, folder: Path) -> Learner:
    if settings.kind == "glove":
        return GloVe.of(text, settings, folder)
    if settings.device == "cpu":
        return Predicting(text, settings)
    from regard.training.vectors.batched import Batched

    return Batched(text, settings)


def _own(folder: Path) -> set[str]:
    """What a run writes into its folder, and what a killed start may have left there."""
    return OWN | {file.name for name in LEFTOVERS for file in folder.glob(name)}

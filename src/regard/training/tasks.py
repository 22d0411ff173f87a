"""What a run learns, as values: the next word, hidden words, or the class of a text.

Each says how texts are read and become batches, what its model looks like, and what it can show of what it learned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from regard.attending.masks import MASKS
from regard.models.generate import Choice, generate
from regard.models.network import Network
from regard.models.settings import Settings
from regard.suggestions import NotFound, suggestion
from regard.text.bpe import BPE
from regard.text.tokenizer import END, MASK
from regard.training import corpus, examples, masking
from regard.training.corpus import Corpus, Split
from regard.training.data import Batches, Mixture, Tokens
from regard.training.examples import Examples, LabelledSplit
from regard.training.labelled import Labelled, read_labelled
from regard.training.masking import Masked

if TYPE_CHECKING:
    from regard.training.presets import Sizes

SAMPLE = 60  # tokens that are written to show what was learned
DRAWN = Choice(temperature=0.7, mass=0.9)  # how: the improbable pieces of a small model make no words
GUESSES = 3
COUNTED = 1_000_000  # tokens of the held-out text whose characters are counted
SHOWN = 512  # held-out texts whose classes are compared


@dataclass(frozen=True)
class NextWords:
    """Every word predicts the one after it, as GPT does."""

    name = "next"
    mask = "causal"
    sizes = {}  # noqa: RUF012  (what its model has that others have not)

    @property
    def visible(self) -> Any:
        return MASKS[self.mask]

    def read(self, paths: Sequence[Path]) -> Corpus:
        return corpus.read(paths)

    def bpe(self, text: Corpus, vocabulary: int) -> BPE:
        return BPE.learned(text.beginning(), vocabulary)

    def classes(self, text: Corpus) -> tuple[str, ...]:
        return ()

    def tokens(self, text: Corpus, bpe: BPE, folder: Path, window: int) -> Any:
        return corpus.tokens_of(text, bpe, folder, window)

    def opened(self, folder: Path) -> Any:
        return corpus.opened(folder)

    def counted(self, side: Any) -> str:
        return f"{len(side):,} tokens"

    def asked(self, window: int) -> int:
        """In how many places of a row a word is asked for."""
        return window

    def tokens_per_character(self, tokens: Any, bpe: BPE) -> float | None:
        """How many tokens the held-out text has for each of its characters; None where not all of it is predicted."""
        ids = tokens.held_out.ids[:COUNTED]
        return len(ids) / max(1, len(bpe.decode(ids).replace(END, "")))

    def batches(self, side: Any, bpe: BPE) -> Batches:
        return _alone(side)

    def settings(self, sizes: "Sizes", bpe: BPE, window: int, classes: Sequence[str]) -> Settings:
        return sizes.settings(bpe.size, window)

    def sentence(self, tokens: Any, bpe: BPE) -> str:
        """The first words that are held out: what samples begin with, and what a look inside is shown with."""
        return _beginning(tokens, bpe, 6)

    def shown(self, network: Network, bpe: BPE, sentence: str, tokens: Any, classes: Sequence[str]) -> str:
        """How the model writes on from the sentence, as it stands."""
        ids = bpe.encode(sentence)[-network.settings.max_tokens :]
        new = [i for i in generate(network, ids, DRAWN, SAMPLE, bpe.end) if i != bpe.end]
        return bpe.decode([*ids, *new])


@dataclass(frozen=True)
class HiddenWords(NextWords):
    """Some words are hidden and guessed from both sides, in a model of BERT's shape."""

    name = "masked"
    mask = "both"
    sizes = {  # noqa: RUF012
        "norm_order": "after", "segments": 2, "embedding_norm": True, "transform": True, "mlp": "gelu",
    }  # fmt: skip

    def bpe(self, text: Corpus, vocabulary: int) -> BPE:
        return BPE.learned(text.beginning(), vocabulary, masks=True)

    def asked(self, window: int) -> int:
        return masking.asked(window)

    def tokens_per_character(self, tokens: Any, bpe: BPE) -> float | None:
        return None

    def batches(self, side: Any, bpe: BPE) -> Batches:
        assert bpe.mask is not None
        return Masked(_alone(side), bpe.mask, bpe.size)

    def sentence(self, tokens: Any, bpe: BPE) -> str:
        words = _beginning(tokens, bpe, 8).split(" ")
        words[len(words) // 2] = MASK
        return " ".join(words)

    @torch.no_grad()
    def shown(self, network: Network, bpe: BPE, sentence: str, tokens: Any, classes: Sequence[str]) -> str:
        """What the model takes the hidden word of the sentence for."""
        ids = bpe.encode(sentence)[: network.settings.max_tokens]
        at = ids.index(bpe.mask) if bpe.mask in ids else len(ids) - 1
        shares = _shares(network, [np.array([ids]), np.array([[at]])])[0]
        best = shares.argsort(descending=True)[:GUESSES].tolist()
        return f"{sentence}: {', '.join(f'{bpe.vocabulary[i]} {float(shares[i]):.2f}' for i in best)}"


@dataclass(frozen=True)
class Classes(NextWords):
    """Which class a text belongs to, asked at its end."""

    name = "classify"
    mask = "both"
    sizes = {"tied": False}  # noqa: RUF012

    def read(self, paths: Sequence[Path]) -> Labelled:
        return read_labelled(paths)

    def classes(self, text: Corpus) -> tuple[str, ...]:
        assert isinstance(text, Labelled)
        return text.classes

    def tokens(self, text: Corpus, bpe: BPE, folder: Path, window: int) -> LabelledSplit:
        assert isinstance(text, Labelled)
        return examples.examples_of(text, bpe, folder)

    def opened(self, folder: Path) -> LabelledSplit:
        return examples.opened(folder)

    def counted(self, side: Any) -> str:
        return f"{len(side):,} texts"

    def asked(self, window: int) -> int:
        return 1

    def tokens_per_character(self, tokens: LabelledSplit, bpe: BPE) -> float | None:
        return None

    def batches(self, side: Examples, bpe: BPE) -> Batches:
        return side

    def settings(self, sizes: "Sizes", bpe: BPE, window: int, classes: Sequence[str]) -> Settings:
        return sizes.settings(bpe.size, window, writes=len(classes))

    def sentence(self, tokens: LabelledSplit, bpe: BPE) -> str:
        held = tokens.held_out
        return _printable(bpe.decode(held.ids[: min(40, held.starts[1] - 1)]), 12)

    @torch.no_grad()
    def shown(self, network: Network, bpe: BPE, sentence: str, tokens: LabelledSplit, classes: Sequence[str]) -> str:
        """How many of the texts held out are put into their class, beside always saying the commonest."""
        held = tokens.held_out
        every = np.arange(len(held))[:: max(1, len(held) // SHOWN)]
        right = 0
        for start in range(0, len(every), 32):
            ids, targets, places, lengths = held.rows(every[start : start + 32], network.settings.max_tokens)
            found = _shares(network, [ids, places, lengths]).argmax(-1).cpu().numpy()
            right += int((found == targets[:, 0]).sum())
        commonest = int(np.bincount(np.asarray(held.labels)[every]).max())
        return (
            f"{right} of {len(every)} texts held out are put into their class; "
            f"always saying the commonest class is right {commonest} times"
        )


Task = NextWords | HiddenWords | Classes
TASKS: dict[str, Task] = {task.name: task for task in (NextWords(), HiddenWords(), Classes())}


def task_of(name: str) -> Task:
    """
    >>> task_of("masked")
    HiddenWords()
    """
    if name not in TASKS:
        raise NotFound(f"no task {name!r}; {suggestion(name, TASKS)}")
    return TASKS[name]


def _alone(tokens: Tokens) -> Mixture:
    return Mixture({"text": tokens}, {"text": 1.0})


def _beginning(tokens: Split, bpe: BPE, words: int) -> str:
    return _printable(bpe.decode(tokens.held_out.ids[:60]).split(END)[0], words)


def _printable(text: str, words: int) -> str:
    kept = " ".join(text.split()[:words])
    return kept if kept.isprintable() and kept else "The"


def _shares(network: Network, arrays: Sequence[np.ndarray]) -> torch.Tensor:
    """Probabilities at the one place asked for in each text."""
    device = next(network.parameters()).device
    training = network.training
    network.eval()
    ids, places, *lengths = (torch.as_tensor(a, device=device) for a in arrays)
    logits = network(ids, places=places, lengths=lengths[0] if lengths else None)
    network.train(training)
    return logits[:, 0].float().softmax(-1)

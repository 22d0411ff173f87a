"""Filming a run: every so many updates all heads are looked at, on a probe that stays the same."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch

from regard.attending.film import Film, Frame, Measures, begun, probe, small_map
from regard.models.network import Network
from regard.training.film_file import load_film, save_film
from regard.training.folder import FILM
from regard.watching.watch import watch


@dataclass
class Camera:
    """Looks at a network through `regard.watch`, as anybody would, and keeps what it saw in the folder of the run."""

    network: Network
    vocabulary: Sequence[str]
    folder: Path
    every: int
    film: Film | None = None
    _taken: tuple[int, float, np.ndarray] | None = None  # a look that is not developed yet

    def __post_init__(self) -> None:
        self._numbers = probe(self.vocabulary, self.network.settings.max_tokens)
        count = len(self._numbers)
        visible = np.broadcast_to(np.asarray(self.network.visible(count)), (count, count))
        self._measures = Measures.of(self._numbers, visible)

    def look(self, update: int, loss: float = math.nan) -> None:
        """One look, unless this update is in the film already. It becomes a frame only with the next one: by then a
        GPU has been given other work, and nothing waits for the measuring."""
        self.develop()
        if self.film is None or self.film.wants(update):
            self._taken = update, loss, self._weights()

    def develop(self) -> None:
        if self._taken is None:
            return
        update, loss, weights = self._taken
        self._taken = None
        frame = Frame(update, loss, self._measures.shares(weights).astype(np.float32), small_map(weights))
        if self.film is None:
            words = [self.vocabulary[number] for number in self._numbers]
            self.film = begun("", words, self.every, self._measures.shares(self._measures.even), frame)
        else:
            self.film = self.film.joined(frame)

    def save(self) -> None:
        self.develop()
        if self.film is not None:
            save_film(self.film, self.folder / FILM)

    @cached_property
    def _probe(self) -> torch.Tensor:
        """Copied once: a copy waits for all that a GPU still has to do."""
        return torch.tensor([self._numbers], device=next(self.network.parameters()).device)

    @torch.no_grad()
    def _weights(self) -> np.ndarray:
        """(layers, heads, T, T), of the model as it stands."""
        learns = self.network.training
        self.network.eval()
        with watch(self.network) as seen:
            self.network(self._probe)
        self.network.train(learns)
        return np.stack([weights.dense() for weights in seen])


def camera_of(network: Network, vocabulary: Sequence[str], folder: Path, every: int, update: int) -> Camera | None:
    """The camera of a run that stands at an update, with what it has filmed until then; none if nothing is filmed."""
    if not every:
        return None
    camera = Camera(network, vocabulary, folder, every)
    try:
        film = load_film(folder).until(update)
    except (FileNotFoundError, ValueError):  # nothing was filmed, or it is damaged: a film begins here
        film = None
    if film is not None and len(film) and film.shares.shape[1:3] == (network.settings.layers, network.settings.heads):
        camera.film = film
    else:
        camera.look(update)
    return camera

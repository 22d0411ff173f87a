"""Films of training, by the name of their model: a run's own, or the one that comes with regard."""

from pathlib import Path
from typing import Any

from regard.models.shipped import FILM, WEIGHTS
from regard.session.shelf import Shelf
from regard.suggestions import NotFound
from regard.training.film_file import load_film
from regard.views.film import page_data

FILMED = "english"  # whose sister was filmed


def film_of(shelf: Shelf, name: str) -> dict[str, Any]:
    if name == FILMED:
        return page_data(load_film(WEIGHTS, FILM))
    try:
        return page_data(load_film(Path(shelf.place(name))))
    except FileNotFoundError:
        raise NotFound(f"{name} was not filmed; train with --film") from None

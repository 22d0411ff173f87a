"""The numbers of the models that come with regard: float16 on disk, float64 to compute with."""

from pathlib import Path

import numpy as np

from regard.text.bpe import BPE

WEIGHTS = Path(__file__).parent / "weights"
FILM = "english.film.safetensors"  # of a sister: another seed, less text, and watched while it learned


def shipped(name: str) -> tuple[BPE, dict[str, np.ndarray]]:
    """The tokenizer and the parameters of one of them."""
    import safetensors.numpy

    bpe = BPE.load((WEIGHTS / f"{name}.tokenizer.json").read_bytes())
    arrays = safetensors.numpy.load_file(str(WEIGHTS / f"{name}.safetensors"))  # pyright: ignore[reportUnknownMemberType]
    return bpe, {name: array.astype(np.float64) for name, array in arrays.items()}

"""How the folder of a sentence model says that one vector is made of a text; only the mean is computed here."""

import os
from pathlib import Path

from regard.models.huggingface.files import json_file

FOLDER, CONFIG = "1_Pooling", "config.json"
MODES = "pooling_mode_"
MEAN = f"{MODES}mean_tokens"


def pools_by_mean(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder says so, as one does that was trained to compare texts; another way to pool is refused."""
    there = Path(folder, FOLDER)
    if not (there / CONFIG).is_file():
        return False
    config = json_file(there, CONFIG)
    asked = [name for name in config if name.startswith(MODES) and config[name] is True]
    if asked != [MEAN]:
        said = ", ".join(name.removeprefix(MODES)[:40] for name in asked[:4]) or "nothing"
        raise ValueError(f"{folder} makes a text's vector from {said}; regard makes it from the mean of all tokens")
    return True

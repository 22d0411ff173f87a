"""A Hugging Face folder as transformers runs it: safetensors only, none of its own code, nothing fetched."""

import os
from pathlib import Path
from typing import Any

CONFIG = "config.json"


def loaded(folder: str | os.PathLike[str]) -> tuple[Any, Any]:
    """The model, in the class that it was saved as, and its tokenizer."""
    there = Path(folder)
    if not (there / CONFIG).is_file():
        raise ValueError(
            f"{folder} is no Hugging Face folder: it has no {CONFIG}; "
            "regard convert english FOLDER writes one, save_pretrained another"
        )
    os.environ["HF_HUB_OFFLINE"] = "1"  # before transformers is imported
    try:
        import transformers
    except ImportError:
        raise ValueError("watching a folder needs transformers: pip install 'regard[models]'") from None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        config = transformers.AutoConfig.from_pretrained(there, **local)
        kind = getattr(transformers, str((config.architectures or ["AutoModel"])[0]), transformers.AutoModel)
        model = kind.from_pretrained(there, use_safetensors=True, local_files_only=True)
        return model.eval(), transformers.AutoTokenizer.from_pretrained(there, **local)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise ValueError(f"transformers cannot load {folder}: {' '.join(str(error).split())[:300]}") from None

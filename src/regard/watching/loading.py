"""A Hugging Face folder as transformers runs it: safetensors only, none of its own code, nothing fetched."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from regard import strangers

CONFIG = "config.json"
MOST_CONFIG = 2**22  # bytes
MOST_LAYERS = 1_000  # transformers makes every layer that a configuration names before it looks for their numbers
MISSING = "watching a folder needs torch and transformers; install them with: pip install 'regard[models]'"


def is_folder(given: str | os.PathLike[str]) -> bool:
    return (Path(given) / CONFIG).is_file()


def loaded(folder: str | os.PathLike[str]) -> tuple[Any, Any]:
    """The model, in the class that it was saved as, and its tokenizer."""
    there = Path(folder)
    if not is_folder(there):
        raise ValueError(
            f"{folder} is no Hugging Face folder: it has no {CONFIG}; "
            "regard convert english FOLDER writes one, save_pretrained another"
        )
    _check(there)
    os.environ["HF_HUB_OFFLINE"] = "1"  # before transformers is imported
    try:
        import transformers
    except ImportError:
        raise ValueError(MISSING) from None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        config = transformers.AutoConfig.from_pretrained(there, **local)
        kind = _kind(transformers, config.architectures)
        model, told = kind.from_pretrained(there, use_safetensors=True, local_files_only=True, output_loading_info=True)
        tokenizer = transformers.AutoTokenizer.from_pretrained(there, **local)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a stranger's folder may break it anywhere; its parts in Rust panic with these
        raise ValueError(f"transformers cannot load {folder}: {' '.join(str(error).split())[:300]}") from None
    missing = sorted(told["missing_keys"]) or sorted(str(key) for key in told.get("mismatched_keys", ()))
    if missing:  # transformers would draw them at random
        raise ValueError(f"{folder} lacks {len(missing)} parameters of a {kind.__name__}, such as {missing[0]}")
    return model.eval(), tokenizer


def _check(folder: Path) -> None:
    """Before transformers opens anything: nothing in the folder is waited for, without end, or somebody else's."""
    try:
        for name in sorted(os.listdir(folder)):
            if not (folder / name).is_dir():
                with strangers.opened(folder, name, links_into=strangers.reachable(folder)):
                    pass
        with strangers.opened(folder, CONFIG, MOST_CONFIG, strangers.reachable(folder)) as (file, size):
            layers = max(_layers(json.loads(file.read(size))), default=0)
    except RecursionError:
        raise ValueError(f"{folder} cannot be used: {CONFIG} is nested too deeply") from None
    except (ValueError, OSError) as error:
        raise ValueError(f"{folder} cannot be used: {error}") from None
    if layers > MOST_LAYERS:
        raise ValueError(
            f"{folder} cannot be used: {CONFIG} asks for {layers:,} layers; at most {MOST_LAYERS:,} are made"
        )


def _layers(config: Any) -> Iterator[int]:
    """Every number of layers that a configuration names, whatever a kind of model calls it.

    >>> sorted(_layers({"n_layer": 12, "text_config": {"num_hidden_layers": 24}, "layers_to_keep": [3]}))
    [12, 24]
    """
    for name, value in config.items() if isinstance(config, dict) else ():
        if isinstance(value, int) and name.endswith(("layer", "layers")):
            yield value
        yield from _layers(value)


def _kind(transformers: Any, named: Any) -> Any:
    """The class that a model was saved as, if it is one of transformers' models."""
    name = named[0] if isinstance(named, list | tuple) and named and isinstance(named[0], str) else None
    found = getattr(transformers, name, None) if name else None
    is_model = isinstance(found, type) and issubclass(found, transformers.PreTrainedModel)
    return found if is_model else transformers.AutoModel

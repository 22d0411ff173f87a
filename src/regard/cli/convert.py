"""`regard convert MODEL FOLDER`: a model as a folder that `transformers` loads."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    model: Annotated[str, typer.Argument(help="english, masked, a run's folder, or a Hugging Face folder.")],
    folder: Annotated[Path, typer.Argument(help="The folder to write; it must not exist yet.")],
) -> None:
    """Save a model in the Hugging Face layout that fits it: GPT-2, Llama or BERT."""
    from regard.cli.output import say
    from regard.models.catalogue import find_model
    from regard.models.huggingface.writing import save_as_huggingface

    found = find_model(model)
    layout = save_as_huggingface(found, folder)
    say(f"{found.name} is in {folder}, as {layout.said}; load it in Python with:")
    say("from transformers import AutoTokenizer, " + layout.architecture)
    say(f"model = {layout.architecture}.from_pretrained({str(folder)!r})")
    say(f"tokenizer = AutoTokenizer.from_pretrained({str(folder)!r})")

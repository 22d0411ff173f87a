"""`regard watch FOLDER TEXT`: a Hugging Face model as transformers runs it, and what its attention does."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import File, Json, Layers, Plain, Text, layer_numbers


def command(
    folder: Annotated[Path, typer.Argument(help="A Hugging Face folder, or a GGUF file.", metavar="FOLDER")],
    text: Text = None,
    file: File = None,
    reader: Annotated[str | None, typer.Option("--from", help="The word that reads.", metavar="WORD")] = None,
    read: Annotated[str | None, typer.Option("--to", help="The word that is read.", metavar="WORD")] = None,
    sort: Annotated[
        str, typer.Option(help="entropy, distance, sink, previous, same or induction.", metavar="HABIT")
    ] = "induction",
    layer: Annotated[int | None, typer.Option(help="Show one head: its layer, from 0.", min=0)] = None,
    head: Annotated[int | None, typer.Option(help="Show one head: its number, from 0.", min=0)] = None,
    layers: Layers = None,
    map_to: Annotated[
        Path | None,
        typer.Option(
            "--map", help="Draw every head of the watched layers instead: .svg, .pdf or .png.", metavar="FILE"
        ),
    ] = None,
    top: Annotated[int, typer.Option(help="How many heads, or words of a head, to show.", min=1, max=1000)] = 8,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Watch a model of others run: its heads by habit, who lets one word read another, or one head."""
    from dataclasses import asdict

    from regard.cli.output import ink_for, say, write, write_json
    from regard.cli.text import needed_text
    from regard.watching.loading import MISSING

    if (layer is None) != (head is None) or (reader is None) != (read is None):
        raise ValueError("--layer and --head go together, and so do --from and --to")
    said = needed_text(text, file)
    if not said.strip():
        raise ValueError("the text is empty; write some words in quotes")
    chosen = layer_numbers(layers)
    if folder.exists():
        say(f"opening {folder} with transformers ...", error=True)  # importing them takes seconds
    try:
        import torch
    except ImportError:
        raise ValueError(MISSING) from None

    from regard.models.gguf.unpacked import as_folder
    from regard.views.watched import habits_lines, head_lines, readings_lines
    from regard.watching.loading import loaded
    from regard.watching.running import read_on
    from regard.watching.telling import beyond, telling
    from regard.watching.watch import watch

    with as_folder(folder) as there:
        model, tokenizer = loaded(there)
    given = tokenizer(said, return_tensors="pt")
    if (note := beyond(model, given["input_ids"].shape[1])) is not None:
        say(f"note: {note}", error=True)
    with torch.inference_mode(), watch(model, tokenizer, chosen) as seen:
        read_on(model, given, telling(lambda line: say(line, error=True)))
    ink = ink_for(None, plain)
    if map_to is not None:
        from regard.views.figure import maps_figure, save

        pictures = {one.number: seen.look(one.number).picture for one in seen.layers}
        for told in save(maps_figure(pictures), map_to):
            say(told)
        say(f"{map_to}: {len(pictures)} layers, {map_to.stat().st_size:,} bytes")
        say(f"  {seen.verify()}")
        return
    if layer is not None and head is not None:
        if head >= (heads := seen.of(layer).heads):
            raise ValueError(f"layer {layer} has {heads} heads, counted from 0, got {head}")
        weights, words = seen[layer, head], seen.words.keys(seen.of(layer), 0) or ()
        if json:
            write_json({"layer": layer, "head": head, "words": list(words), "weights": weights.dense().tolist()})
            return
        write(head_lines(weights, words, layer, head, ink, top), plain)
    elif reader is not None and read is not None:
        found = seen.heads(reader, read)
        if json:
            write_json([asdict(row) for row in found])
            return
        write(readings_lines(found, ink, top, reader, read), plain)
    else:
        habits = seen.heads(sort_by=sort)
        if json:
            write_json([asdict(row) for row in habits])
            return
        write(habits_lines(habits, ink, top, sort), plain)
    say(f"  {seen.verify()}")

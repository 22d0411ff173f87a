"""`regard gravity TEXT…`: where sentences move a word, and which words pulled how much."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import Json, Layer, Mask, Model, Plain


def command(
    texts: Annotated[
        list[str], typer.Argument(help="One to three sentences with the word in them.", metavar="TEXT...")
    ],
    word: Annotated[
        str | None, typer.Option(help="The word to follow.  [default: the one that predicts, in the first]")
    ] = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--with", help="Show its cosine with this word, before and after. Repeatable.", metavar="WORD"),
    ] = None,
    model: Model = None,
    mask: Mask = None,
    layer: Layer = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Draw it instead: .svg, .pdf or .png.")] = None,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Show where a word stands by itself, where each sentence moves it, and what pulled it there."""
    from regard.cli.output import ink_for, say, write, write_json
    from regard.lens.alike import cosines
    from regard.lens.gravity import MOST_SENTENCES, gravity
    from regard.models.catalogue import find_model
    from regard.views.gravity import gravity_lines

    if len(texts) > MOST_SENTENCES:
        raise ValueError(f"gravity compares at most {MOST_SENTENCES} sentences, got {len(texts)}; quote each of them")
    found = find_model(model or "english")
    traces = [found.as_written(text, mask) for text in texts]
    first = traces[0]
    seen = gravity(traces, word or first.labels.plain("T", int(first.array("query"))), layer)
    for other in others or ():
        if found.row(other) is None:
            raise found.no_row(other)  # the cosine with a piece of it would say nothing of the word
    compared = [found.tokenizer.one_word(other) for other in others or ()]
    if out is not None:
        from regard.views.figure import gravity_figure, save

        for note in save(gravity_figure(seen), out):
            say(note)
        say(f"{out}: gravity, {out.stat().st_size:,} bytes")
    elif json:
        told = [
            {
                other: {name: cell.value for name, cell in cosines(trace, one.position, other).items()}
                for other in compared
            }
            for trace, one in zip(traces, seen.sentences)
        ]
        write_json({**seen.data(), **({"cosines": told} if compared else {})})
    else:
        write(gravity_lines(seen, traces, compared, ink_for(None, plain)), plain)

"""`regard export TEXT`: a run as one HTML file that opens anywhere, without a network."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order
from regard.cli.options import File, Last, Mask, Model, Next, Query, Text


def command(
    context: typer.Context,
    text: Text = None,
    file: File = None,
    last: Last = None,
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write: .html or .htm.")] = Path("regard.html"),
    next: Next = None,
    model: Model = None,
    mask: Mask = None,
    query: Query = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    with_model: Annotated[
        bool, typer.Option("--with-model", help="Put the model inside: any text, live and exact, offline.")
    ] = False,
) -> None:
    """Write a run into one file. A toy's is exact and live: click, edit and train in it, offline."""
    from pydantic import ValidationError

    from regard.cli.output import say
    from regard.cli.page_file import check_page_file
    from regard.cli.text import needed_text
    from regard.models.catalogue import MODELS, find_model, usual_model
    from regard.models.cropping import last_tokens
    from regard.replacing import replacing
    from regard.session.shelf import Shelf, public_name
    from regard.session.state import State
    from regard.session.traces import Traces
    from regard.views.offline import file_with_model, offline_file

    check_page_file(out, "regard.html", file, model)
    text = needed_text(text, file)
    model = model or usual_model(text, next)
    if last is not None:
        text = last_tokens(find_model(model), text, last)
    opened = () if model in MODELS else (model,)
    if opened:
        find_model(model)  # what is wrong with it is said here
    changes = in_order(context, edit, move, hide)
    asked = {"model": public_name(model), "text": text, "next": next, "mask": mask, "query": query, "changes": changes}
    try:
        traces, state = Traces(Shelf(opened=opened)), State(**asked)
        page = file_with_model(traces, state) if with_model else offline_file(lambda: None, traces, state)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    with replacing(out) as written:
        written.write(page)
    say(f"{out}: {len(page):,} bytes; open it in any browser, no network needed")

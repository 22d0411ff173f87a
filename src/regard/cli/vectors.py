"""`regard vectors`: words as vectors, trained, looked at and compared."""

import typer

from regard.cli import vectors_train

app = typer.Typer(help="Words as vectors: train them, look at them, compare them.")
app.command("train")(vectors_train.command)

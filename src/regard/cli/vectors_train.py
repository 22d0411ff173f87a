"""`regard vectors train PATH`: words get their vectors from the words around them."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.output import CLOSED_PIPE, outlive_the_reader


def command(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Texts (.txt, .md, .xz), folders of them, or - for standard input."),
    ] = None,
    kind: Annotated[str, typer.Option(help="How to learn: skipgram, cbow or glove.")] = "skipgram",
    width: Annotated[int, typer.Option(min=1, help="Numbers per word.")] = 100,
    window: Annotated[int | None, typer.Option(min=1, help="Words on each side.  [default: 5; glove: 10]")] = None,
    negatives: Annotated[int, typer.Option(min=1, help="Words drawn at random against each window.")] = 5,
    epochs: Annotated[int | None, typer.Option(min=1, help="Times to read the text.  [default: 5; glove: 25]")] = None,
    rate: Annotated[
        float | None, typer.Option(help="Learning rate.  [default: 0.025; cbow: 0.25; glove: 0.05]")
    ] = None,
    least: Annotated[int, typer.Option(min=1, help="Leave out words that occur less often.")] = 5,
    sample: Annotated[float, typer.Option(help="Skip words more frequent than this share ever more often.")] = 1e-3,
    phrases: Annotated[
        float, typer.Option(help="Join two words this much more frequent together than by chance (try 10).")
    ] = 0.0,
    threads: Annotated[int, typer.Option(min=1, help="Threads; with one, the same vectors every time.")] = 1,
    device: Annotated[str, typer.Option(help="Where to compute: cpu, or cuda (skipgram).")] = "cpu",
    processes: Annotated[int, typer.Option(min=1, help="Processes on this machine; torchrun starts more.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Where random numbers begin.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder of the run.  [default: runs/NAME-vectors]")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in this folder.")] = False,
    save_every: Annotated[float, typer.Option(min=0, help="Seconds between two checkpoints.")] = 300.0,
    plain: Annotated[bool, typer.Option("--plain", help="Print plain lines, without colour or a bar.")] = False,
) -> None:
    """Train word vectors on your own text: skip-gram, CBOW or GloVe."""
    from regard.cli.vectors_progress import VectorsProgress
    from regard.training.stopping import stopping
    from regard.training.vectors.settings import Settings
    from regard.training.vectors.underway import Request, underway

    outlive_the_reader()
    texts, folder = _chosen(paths or [], out, resume)
    settings = Settings.of(
        kind, width=width, window=window, negatives=negatives, epochs=epochs, rate=rate, least=least, sample=sample,
        phrases=phrases, threads=threads, seed=seed, device=device,
    )  # fmt: skip
    if processes > 1:
        from regard.cli.train import in_each_process
        from regard.training.launch import launch

        raise typer.Exit(launch(in_each_process(context.obj), processes))
    with underway(Request(texts, folder, settings, resume)) as run, stopping() as stop:
        with VectorsProgress(run, plain) as progress:
            for report in run.reports(save_every):
                progress.show(report)
                if progress.readers_left:
                    stop.ask(CLOSED_PIPE)
                if stop.agreed(run.share.most):
                    break
        if not run.ended:
            run.save()
        progress.end()
    if not run.ended:
        raise typer.Exit(stop.exit_code)


def _chosen(paths: list[Path], out: Path | None, resume: bool) -> tuple[list[Path], Path]:
    """The texts, and the folder of the run; to resume, the folder alone is enough, as a path or `out`.

    >>> _chosen([Path("books/notes.txt")], None, resume=False)[1].as_posix()
    'runs/notes-vectors'
    """
    if resume:
        if not (folder := out or next(iter(paths), None)):
            raise ValueError("give the run to resume: regard vectors train --resume runs/NAME-vectors")
        return [], folder
    if not paths:
        raise ValueError("give the text to learn from: regard vectors train PATH; - is standard input")
    name = paths[0].resolve().name.split(".")[0] if str(paths[0]) != "-" else "input"
    return paths, out or Path("runs") / f"{name or 'text'}-vectors"

"""`regard`: the commands, and how a mistake is told: one line, exit code 2, never a traceback."""

import contextlib
import gc
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from regard import __version__
from regard.cli.commands import Commands
from regard.cli.leaving import Leaving
from regard.cli.output import CLOSED_PIPE, Guarded, NobodyReads, complain, end_with_the_reader, prepare, silence
from regard.models.cropping import TooLong
from regard.suggestions import NotFound, command

NOBODY_READS = 128 + CLOSED_PIPE  # as shells count a program that SIGPIPE has ended

app = typer.Typer(
    name="regard",
    cls=Commands,
    help="Attention, made visible: every number opens to the arithmetic that made it, forward and backward.",
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def about(
    version: Annotated[bool, typer.Option("--version", help="Show the version.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(f"regard {__version__}")
        raise typer.Exit


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code."""
    if sys.stdout is None or sys.stderr is None:  # closed by whoever called: there is nobody to write to
        sys.stdout, sys.stderr = (s or open(os.devnull, "w") for s in (sys.stdout, sys.stderr))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        prepare(stream)
    code = 0
    try:
        code = _ran(arguments)
        sys.stdout.flush()
    except (NobodyReads, BrokenPipeError):
        silence()
        return code or NOBODY_READS
    except OSError as error:  # it could not be written: the disk is full, or the terminal is gone
        silence()
        return code or _told(f"standard output: {error.strerror or error}", 2)
    return code


def _ran(arguments: Sequence[str]) -> int:
    try:
        with _warnings_in_one_line():
            code = app(list(arguments) or ["--help"], prog_name="regard", standalone_mode=False, obj=list(arguments))
        return code if isinstance(code, int) else 0
    except typer.Abort:
        return _told("stopped", 130)
    except typer.Exit as leaving:
        return leaving.exit_code
    except KeyboardInterrupt:
        return _told("stopped", 130)
    except OSError as error:
        return _told(error, 2)
    except RecursionError:
        return _told("this is nested too deeply to be read", 2)
    except MemoryError as error:
        return _told(f"this needs more memory than there is; ask for less, or pass a shorter text ({error})", 2)
    except TooLong as error:
        return _told(f"{error}, or only its end: --last {error.most}", 2)
    except (ValueError, NotFound) as error:
        return _told(str(error), 2)
    except Exception as error:
        said = getattr(error, "format_message", None)  # typer's own words about options and arguments
        if said is None:
            raise
        told, where = said(), getattr(error, "ctx", None)
        if where and told.startswith("Missing command"):  # a group alone is a question, as regard alone is
            return _ran([*arguments, "--help"])
        if where and "unexpected extra argument" in told:
            options = [option for each in where.command.params for option in each.opts]
            told += f": {_remedy_for_more(arguments, '--model' in options)}"
        elif where and told.startswith(("Missing", "No such")) and "?" not in told:
            told = f"{told.rstrip('.')}; {where.command_path} --help lists what there is"
        return _told(told, 2)


def _remedy_for_more(arguments: Sequence[str], model_is_an_option: bool) -> str:
    """What to do about an argument too many: a model that stands where a text does, or a text without quotes.

    >>> _remedy_for_more(["patch", "english", "A cat", "A dog"], True)
    "the model is an option here: regard patch 'A cat' 'A dog' --model english"
    """
    from regard.models.names import MODELS

    name, *rest = [*arguments[1:], ""]
    if model_is_an_option and (name in MODELS or os.path.isdir(name) or name.endswith((".toml", ".gguf"))):
        return f"the model is an option here: {command('regard', arguments[0], *rest[:-1], '--model', name)}"
    return 'put a text of several words in quotes, "like this"; regard why takes it as --text'


@contextlib.contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Every command that meets a damaged checkpoint says so, as it would say an error."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def shown(message: Warning | str, category: type[Warning], *where: Any, **rest: Any) -> None:
            if category.__name__ == "DamagedCheckpoint":  # by its name: most commands never import the file it is in
                _told(str(message), 0)
            else:
                show(message, category, *where, **rest)

        warnings.showwarning = shown
        warnings.simplefilter("always", UserWarning)
        yield


def _told(message: str | OSError, code: int) -> int:
    complain(message)
    return code


def main() -> None:
    gc.set_threshold(100_000, 50)  # a command keeps most of what it makes: looking for cycles took a tenth of its time
    leaving = Leaving()
    end_with_the_reader()
    if sys.stderr is not None:
        sys.stderr = Guarded(sys.stderr)  # for as long as this process prints, also how it fails
    try:
        code = run(sys.argv[1:])
    except SystemExit as early:
        code = early.code
    if isinstance(code, int):
        leaving.code = code
    if os.environ.get("WORLD_SIZE", "1") != "1" and isinstance(code, int):
        # one of several processes: threads of torch that still wait for Python would abort while it is taken down
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()

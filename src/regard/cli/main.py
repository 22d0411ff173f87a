"""`regard`: the commands, and how a mistake is told: one line, exit code 2, never a traceback."""

import contextlib
import sys
from collections.abc import Sequence

import typer

from regard.cli import check, explain, lesson, train, why

app = typer.Typer(
    name="regard",
    help="Attention, made visible: every number opens to the arithmetic that made it, forward and backward.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("explain")(explain.command)
app.command("why")(why.command)
app.command("lesson")(lesson.command)
app.command("check")(check.command)
app.command("train")(train.command)


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            # a terminal that cannot show · or √ gets a question mark, not a crash
            stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue]
    try:
        code = app(list(arguments), standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except typer.Abort:
        return _told("stopped", 130)
    except typer.Exit as leaving:
        return leaving.exit_code
    except KeyboardInterrupt:
        return _told("stopped", 130)
    except BrokenPipeError:
        # the reader has seen enough (| head); Python would complain once more when it closes the stream
        with contextlib.suppress(OSError):
            sys.stdout = open("/dev/null", "w")  # noqa: SIM115
        return 0
    except (ValueError, KeyError, OSError) as error:
        return _told(str(error), 2)
    except Exception as error:
        said = getattr(error, "format_message", None)  # typer's own words about options and arguments
        if said is None:
            raise
        return _told(said(), 2)


def _told(message: str, code: int) -> int:
    print(f"regard: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201
    return code


def main() -> None:
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()

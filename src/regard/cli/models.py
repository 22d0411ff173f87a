"""`regard models`: which models there are, and how to open any other."""

from regard.cli.options import RUNS, Json, Plain


def command(plain: Plain = False, json: Json = False) -> None:
    """List the built-in models, the runs in ./runs, and how to open any other folder."""
    from dataclasses import asdict

    from regard.cli.output import ink_for, write, write_json
    from regard.models.listing import built_in, runs_in

    own, runs = ([asdict(model) for model in models] for models in (built_in(), runs_in(RUNS)))
    if json:
        write_json({"built_in": own, "runs": runs})
        return
    from regard.views.models import lines_of

    write(lines_of(own, runs, ink_for(None, plain)), plain)

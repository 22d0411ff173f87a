"""`regard doctor`: versions, devices, and which kernels work here, each compared with the definition."""

import typer

from regard.cli.options import Json, Plain


def command(
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Say what works here, and why the rest does not; exit code 1 if a kernel computes wrongly."""
    from regard.attending.checkup import numpy_checked
    from regard.cli.output import ink_for, say, write, write_json
    from regard.machine import machine

    say("comparing every kernel with the definition ...", error=True)  # importing torch alone takes seconds
    here, found = machine(), [numpy_checked()]
    if here.trouble is None:
        from regard.attending.kernels.checkup import checkup

        found = checkup([device.name for device in here.devices]) + found
    if json:
        from dataclasses import asdict

        kernels = [asdict(each) | {"right": each.objection is None and each.is_right} for each in found]
        write_json(asdict(here) | {"kernels": kernels})
    else:
        from regard.views.doctor import lines_of

        write(lines_of(here, found, ink_for(None, plain)), plain)
    if not all(each.is_right for each in found):
        raise typer.Exit(1)

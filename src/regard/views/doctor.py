"""What works here: versions, devices, and kernels in the order in which they are tried."""

from collections.abc import Sequence

from rich.text import Text

from regard.attending.checkup import MOST, MOST_OF_GRADIENTS, Checked
from regard.machine import Machine
from regard.views.ink import BAD, GOOD, QUIET, STAGE, Ink


def lines_of(here: Machine, found: Sequence[Checked], ink: Ink) -> list[Text]:
    lines = [Text("versions", style=STAGE)]
    for name, version in here.versions.items():
        lines.append(_pair(name, version or "not installed", QUIET if version is None else ""))
    lines += [Text("devices", style=STAGE), *(_pair(device.name, device.about) for device in here.devices)]
    lines.append(Text("kernels", style=STAGE).append("  the first that can is taken", style=f"not bold {QUIET}"))
    if here.trouble is not None:
        lines.append(Text(f"  {here.trouble}"))
    lines += [_kernel(each, ink) for each in found]
    limits = f"at most {MOST:g}, gradients {MOST_OF_GRADIENTS:g}"
    lines.append(Text(f"  errors against float64, as multiples of the plain formula's: {limits}", style=QUIET))
    if here.half_precision is not None:
        lines.append(Text(f"half precision on the CPU {here.half_precision}", style=BAD))
    return lines


def _pair(name: str, said: str, style: str = "") -> Text:
    return Text(f"  {name:14s}").append(said, style=style)


def _kernel(each: Checked, ink: Ink) -> Text:
    line = Text(f"  {each.kernel:14s}{each.device} {each.precision:10s}")
    if each.objection is not None:
        return line.append(each.objection, style=QUIET)
    line.append(ink.sign("right" if each.is_right else "wrong"), style=GOOD if each.is_right else BAD)
    errors = {"error": each.context, "log-sum-exp": each.lse, "gradients": each.gradients}
    line.append(" " + ", ".join(f"{name} × {error:.2f}" for name, error in errors.items() if error is not None))
    return line.append(f"   {each.about}", style=QUIET)

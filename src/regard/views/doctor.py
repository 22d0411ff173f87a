"""What works here: versions, devices, and kernels in the order in which they are tried."""

from collections.abc import Sequence

from rich.text import Text

from regard.attending.checkup import MOST, MOST_OF_GRADIENTS, Checked
from regard.machine import Machine
from regard.views.ink import BAD, GOOD, QUIET, STAGE, Ink
from regard.views.layout import joined, unbroken, wrapped

NAME = 16  # columns that a name takes up


def lines_of(here: Machine, found: Sequence[Checked], ink: Ink) -> list[Text]:
    lines = [Text("versions", style=STAGE)]
    for name, version in here.versions.items():
        lines += _named(name, Text(version or "not installed", style=QUIET if version is None else ""), ink)
    lines.append(Text("devices", style=STAGE))
    lines += [line for device in here.devices for line in _named(device.name, device.about, ink)]
    lines.append(Text("kernels", style=STAGE).append("  the first that can is taken", style=f"not bold {QUIET}"))
    if here.trouble is not None:
        lines += wrapped(here.trouble, 2, ink)
    lines += [line for each in found for line in _named(each.kernel, _kernel(each, ink), ink)]
    limits = f"at most {MOST:g}, gradients {MOST_OF_GRADIENTS:g}"
    lines += wrapped(f"errors against float64, as multiples of the plain formula's: {limits}", 2, ink, QUIET)
    if here.half_precision is not None:
        lines += wrapped(f"half precision on the CPU {here.half_precision}", 0, ink, BAD)
    return lines


def _named(name: str, said: str | Text, ink: Ink) -> list[Text]:
    """A name, and what is said of it beside it, as wide as the screen is."""
    first, *rest = wrapped(said, NAME, ink)
    return [Text.assemble(f"  {name:<{NAME - 2}}", first[NAME:]), *rest]


def _kernel(each: Checked, ink: Ink) -> Text:
    said = Text(f"{each.device} {each.precision:10s}")
    if each.objection is not None:
        return said.append(each.objection, style=QUIET)
    said.append(ink.sign("right" if each.is_right else "wrong"), style=GOOD if each.is_right else BAD)
    errors = {"error": each.context, "log-sum-exp": each.lse, "gradients": each.gradients}
    told = (unbroken(f"{name} × {error:.2f}") for name, error in errors.items() if error is not None)
    return said.append(" ").append_text(joined(told, ", ")).append(f"   {each.about}", style=QUIET)

"""`regard doctor` tells right from wrong, with torch and without."""

import json
import subprocess
import sys

import pytest
import torch

import regard.attending.kernels.checkup as checkup
from regard.attending.checkup import Checked
from regard.attending.kernels import KERNELS, Answer
from regard.attending.kernels.plain import Plain
from regard.cli.main import run
from regard.machine import Machine
from regard.views.doctor import lines_of
from regard.views.ink import Ink

NAMES = ["sdpa", "fused", "blockwise", "plain", "numpy"]


def test_every_kernel_of_this_machine_is_run_and_right(capsys):
    assert run(["doctor", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == "comparing every kernel with the definition ...\n"
    data = json.loads(out)
    assert [each["kernel"] for each in data["kernels"] if each["device"] == "cpu"] == NAMES
    for each in data["kernels"]:
        if each["device"] == "cpu":
            assert each["right"] and 0 < each["context"] <= 2
            assert (each["gradients"] is None) == (each["kernel"] == "numpy")
            assert (each["lse"] is None) == (each["kernel"] == "sdpa")
    assert data["versions"]["torch"] == torch.__version__ and data["devices"][0]["name"] == "cpu"
    assert run(["doctor", "--plain"]) == 0
    printed = capsys.readouterr().out
    assert printed.isascii() and "blockwise     cpu float32   ok error" in printed


class Slip(Plain):
    """The formula with a slip in one of its results."""

    name, about = "slip", "wrong on purpose"

    def __init__(self, context=1.0, lse=0.0, gradient=1.0, only_cuda=False):
        self.context, self.lse, self.gradient, self.only_cuda = context, lse, gradient, only_cuda

    def objection(self, asked):
        return "needs a CUDA device" if self.only_cuda and not asked.q.is_cuda else super().objection(asked)

    def run(self, asked):
        context, lse, _ = super().run(asked)
        part = context * self.gradient
        context = (part + (context - part).detach()) * self.context  # the same number, another gradient
        return Answer(context, None if lse is None else lse + self.lse)


@pytest.mark.parametrize(
    "slip", [{"context": 1 + 1e-5}, {"context": float("nan")}, {"lse": 1e-4}, {"gradient": 1.0001}]
)
def test_a_kernel_that_is_slightly_wrong_is_found(slip):
    assert checkup.checkup(["cpu"], [Slip()])[0].is_right
    assert not checkup.checkup(["cpu"], [Slip(**slip)])[0].is_right


def test_an_objection_is_passed_on_and_a_wrong_kernel_is_an_exit_code(monkeypatch, capsys):
    monkeypatch.setattr(checkup.checkup, "__defaults__", ((*KERNELS, Slip(only_cuda=True)),))
    assert run(["doctor", "--plain"]) == 0
    assert "slip          cpu float32   needs a CUDA device" in capsys.readouterr().out
    monkeypatch.setattr(checkup.checkup, "__defaults__", ((*KERNELS, Slip(context=1.1)),))
    assert run(["doctor", "--plain"]) == 1
    assert "slip          cpu float32   WRONG error x" in capsys.readouterr().out


def test_it_works_without_torch():
    code = (
        "import sys, importlib.metadata as m; sys.modules['torch'] = None\n"
        "find = m.version\n"
        "def version(name):\n"
        "    if name == 'torch': raise m.PackageNotFoundError(name)\n"
        "    return find(name)\n"
        "m.version = version\n"
        "from regard.cli.main import run; sys.exit(run(['doctor', '--plain']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "torch         not installed" in ran.stdout
    assert "the others need torch: pip install 'regard[train]'" in ran.stdout
    assert "numpy         cpu float32   ok error" in ran.stdout


def test_what_is_wrong_with_the_machine_is_drawn():
    here = Machine({"torch": None}, [], "torch cannot be imported: no libc", "kills the process")
    lines = [line.plain for line in lines_of(here, [Checked("k", "a", "cpu", "float32", None, 9.0)], Ink())]
    assert "  torch cannot be imported: no libc" in lines and "half precision on the CPU kills the process" in lines
    assert any("✗ error × 9.00" in line for line in lines)

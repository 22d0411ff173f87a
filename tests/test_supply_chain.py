"""What regard is built from and with: bounded, locked, listed."""

import importlib.util
import json
import re
import tomllib
import uuid
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from regard.views.offline import BUNDLE

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)(?: ; ([^\\]+))? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}( \\)?$")


def loaded(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pinned() -> dict[str, list[tuple[Version, str | None, int]]]:
    """Of each package the versions, where each holds, and how many files are known."""
    found: dict[str, list[tuple[Version, str | None, int]]] = {}
    last = None
    for line in (ROOT / "requirements-dev.lock").read_text(encoding="utf-8").splitlines():
        if match := PINNED.match(line):
            last = canonicalize_name(match[1])
            found.setdefault(last, []).append((Version(match[2]), match[3], 0))
        elif HASH.match(line):
            assert last is not None
            version, where, files = found[last].pop()
            found[last].append((version, where, files + 1))
        else:
            assert line.startswith("#"), f"neither a version nor a hash: {line}"  # no index, no path, no other option
    return found


def test_the_lock_is_in_step_with_pyproject(project, pinned):
    lock = loaded("scripts/lock.py")
    parts = project["project"]
    asked = [*project["build-system"]["requires"], *parts["dependencies"], *parts["optional-dependencies"]["dev"]]
    for requirement in map(Requirement, [*asked, *lock.OF_TORCH, *lock.FOR_EDITABLE]):
        name = canonicalize_name(requirement.name)
        if name in lock.UNLOCKED:
            assert name not in pinned
            continue
        assert name in pinned, f"{requirement} is not in requirements-dev.lock; make lock writes it anew"
        assert all(version in requirement.specifier for version, *_ in pinned[name]), f"{requirement}: make lock"


def test_every_version_has_its_files_and_one_version_holds_in_one_place(pinned):
    assert len(pinned) > 100
    for name, versions in pinned.items():
        assert all(files for *_, files in versions), name
        assert not any("+" in str(version) for version, *_ in versions), f"{name}: a wheel of one machine"
        places = [Marker(where).evaluate() if where else True for _, where, _ in versions]
        assert sum(places) <= 1, f"{name} has two versions here"


def test_torch_is_named_where_it_is_not_locked():
    assert "torch==2.13.0" in (ROOT / "constraints.txt").read_text().split()
    makefile = (ROOT / "Makefile").read_text()
    assert makefile.index("scripts/install_locked.py") < makefile.index("torch==2.13.0")


@pytest.mark.parametrize(
    "said, code",
    [
        ("ERROR: No matching distribution found for ruff==0.17.4", 0),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", 1),
        ("No matching distribution found for a==1\nTHESE PACKAGES DO NOT MATCH THE HASHES", 1),
        ("ERROR: In --require-hashes mode, all requirements must have their versions pinned", 1),
        ("ERROR: Could not install packages due to an OSError", 1),
    ],
)
def test_another_file_under_the_same_name_is_never_installed(said, code):
    install = loaded("scripts/install_locked.py")
    assert install.outcome(1, said)[0] == code and install.outcome(1, said)[1]
    assert install.outcome(0, "") == (0, "")


def test_what_builds_regard_is_bounded_above(project, monkeypatch):
    hook = loaded("hatch_build.py")
    monkeypatch.setattr(hook, "is_built", lambda: False)
    asked = list(project["build-system"]["requires"])
    for node in (None, hook.Node("node", ["npm"])):
        monkeypatch.setattr(hook, "machine_node", lambda node=node: node)
        asked += hook.PageHook.dependencies(None)
    assert len(asked) == 4
    for requirement in map(Requirement, asked):
        assert any(part.operator in ("<", "~=", "==") for part in requirement.specifier), requirement


def test_the_security_policy_is_there():
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "## Telling us" in policy and "## What is promised" in policy and "## What is not promised" in policy


# the list of parts


@pytest.fixture(scope="module")
def parts() -> dict:
    if not (BUNDLE / "bundled.json").is_file():
        pytest.skip("the page has not been built")
    return json.loads(json.dumps(loaded("scripts/sbom.py").document()))


def test_the_list_is_a_cyclonedx_document(parts):
    """What the schema of CycloneDX 1.6 asks of the fields that we use."""
    assert (parts["bomFormat"], parts["specVersion"], parts["version"]) == ("CycloneDX", "1.6", 1)
    assert str(uuid.UUID(parts["serialNumber"].removeprefix("urn:uuid:"))) in parts["serialNumber"]
    everything = [parts["metadata"]["component"], *parts["components"]]
    addresses = [part["bom-ref"] for part in everything]
    assert len(set(addresses)) == len(addresses)
    for part in everything:
        assert part["type"] in ("application", "library") and part["name"] and part["version"]
        assert re.fullmatch(r"pkg:(pypi|npm)/[\w.%/-]+@[\w.+-]+", part["purl"])
        assert all(set(licence) in ({"expression"}, {"license"}) for licence in part["licenses"])
        assert all(re.fullmatch("[0-9a-f]{128}", each["content"]) for each in part.get("hashes", ()))
    links = {link["ref"]: link["dependsOn"] for link in parts["dependencies"]}
    assert set(links) == set(addresses) and {to for each in links.values() for to in each} <= set(addresses)


def test_the_list_names_what_is_needed_and_what_is_bundled_and_no_more(parts):
    links = {link["ref"]: link["dependsOn"] for link in parts["dependencies"]}
    own = links[parts["metadata"]["component"]["bom-ref"]]
    declared = map(Requirement, distribution("regard").requires or ())  # as it was installed here
    asked = {canonicalize_name(each.name) for each in declared if "extra" not in str(each.marker)}
    bundled = {each["name"] for each in json.loads((BUNDLE / "bundled.json").read_text())}
    names = {part["bom-ref"]: part["name"] for part in parts["components"]}
    assert {names[each] for each in own} == asked | bundled
    reached, left = set(), list(own)
    while left:
        if (next_one := left.pop()) not in reached:
            reached.add(next_one)
            left += links[next_one]
    assert reached == set(names) and not {"torch", "pytest", "matplotlib", "vite"} & set(names.values())
    assert all("hashes" in part for part in parts["components"] if part["purl"].startswith("pkg:npm"))


def test_the_same_parts_give_the_same_list(parts):
    assert loaded("scripts/sbom.py").document() == parts

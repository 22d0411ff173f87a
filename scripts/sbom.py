"""What regard consists of, for whoever has to know: its parts as a CycloneDX document (`make sbom`).

The Python packages that an installed regard needs, at the versions found here, and the packages that its page is made
of, as the build listed them. What is only needed to train, to draw or to develop is not part of it.
"""

import base64
import hashlib
import json
import re
import sys
import uuid
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
BUNDLED = ROOT / "src/regard/web/bundled.json"
LOCKED = ROOT / "web/package-lock.json"
Part = dict[str, Any]


def needed(name: str, found: dict[str, Distribution] | None = None) -> dict[str, Distribution]:
    """A package and all that it needs, and what these need, by their names on the index; no extras."""
    found = {} if found is None else found
    if (known := normal(name)) not in found:
        found[known] = distribution(name)
        for dependency in needs(found[known]):
            needed(dependency, found)
    return found


def needs(package: Distribution) -> list[str]:
    asked = map(Requirement, package.requires or ())
    return sorted({r.name for r in asked if r.marker is None or r.marker.evaluate({"extra": ""})}, key=normal)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def python_part(package: Distribution) -> Part:
    about = package.metadata
    licence = about.get("License-Expression") or about.get("License") or _classified(about.get_all("Classifier") or ())
    return _part(normal(about["Name"]), package.version, f"pkg:pypi/{normal(about['Name'])}@{package.version}", licence)


def _classified(classifiers: Iterable[str]) -> str | None:
    return next((c.rpartition(" :: ")[2] for c in classifiers if c.startswith("License :: ")), None)


def page_part(package: dict[str, str], locked: dict[str, Any]) -> Part:
    name, version = package["name"], package["version"]
    part = _part(name, version, f"pkg:npm/{name.replace('@', '%40')}@{version}", package["license"])
    entry = locked.get(f"node_modules/{name}", {})
    if entry.get("version") == version and entry.get("integrity", "").startswith("sha512-"):
        digest = _hex(entry["integrity"].removeprefix("sha512-"))
        part["hashes"] = [{"alg": "SHA-512", "content": digest}]
    return part


def _hex(written: str) -> str:
    return base64.b64decode(written).hex()


def _part(name: str, version: str, address: str, licence: str | None) -> Part:
    part: Part = {"type": "library", "bom-ref": address, "name": name, "version": version, "purl": address}
    if licence:
        first = " ".join(licence.split())[:80]
        is_expression = re.fullmatch(r"[\w.+-]+( (AND|OR|WITH) [\w.+-]+)*", first) is not None
        part["licenses"] = [{"expression": first} if is_expression else {"license": {"name": first}}]
    return part


def document() -> dict[str, Any]:
    packages = needed("regard")
    bundled = json.loads(BUNDLED.read_text(encoding="utf-8"))
    locked = json.loads(LOCKED.read_text(encoding="utf-8"))["packages"]
    whole = {**python_part(packages.pop("regard")), "type": "application"}
    parts = {name: python_part(package) for name, package in sorted(packages.items())}
    page = [page_part(each, locked) for each in bundled]
    known = {"regard": whole, **parts}
    links = [
        {"ref": part["bom-ref"], "dependsOn": sorted(known[normal(n)]["bom-ref"] for n in needs(distribution(name)))}
        for name, part in known.items()
    ]
    links[0]["dependsOn"] += [each["bom-ref"] for each in page]
    links += [{"ref": each["bom-ref"], "dependsOn": []} for each in page]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": _serial([*known.values(), *page]),
        "version": 1,
        "metadata": {"component": whole},
        "components": [*parts.values(), *page],
        "dependencies": links,
    }


def _serial(parts: list[Part]) -> str:
    """The same for the same parts, so that two documents can be compared."""
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, digest)}"


def main() -> int:
    if not BUNDLED.is_file():
        sys.exit("the page has not been built, so its parts are not known: python hatch_build.py builds it")
    print(json.dumps(document(), indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())

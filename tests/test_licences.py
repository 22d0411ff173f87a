"""What others wrote and we pass on is named with its licence: in the wheel, in exported files and in notebooks."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from regard.session.shelf import Shelf
from regard.session.state import State
from regard.session.traces import Traces
from regard.views.offline import BUNDLE, bundle_text, offline_file

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(not (BUNDLE / "regard.js").is_file(), reason="the page has not been built")


@pytest.fixture(scope="module")
def licences() -> str:
    return bundle_text("licences.txt")


def test_every_bundled_package_is_there_with_the_text_that_it_came_with(licences):
    bundled = json.loads(bundle_text("bundled.json"))
    assert {"svelte", "katex", "@fontsource-variable/inter"} <= {each["name"] for each in bundled}
    for each in bundled:
        assert f"\n{each['name']} {each['version']} ({each['license']})\n" in licences
        folder = ROOT / "web/node_modules" / each["name"]
        for text in folder.glob("LICEN*") if folder.is_dir() else ():
            assert text.read_text(encoding="utf-8").strip() in licences
    assert "SIL OPEN FONT LICENSE" in licences and "Permission is hereby granted, free of charge" in licences


def test_every_font_of_the_page_is_there(licences):
    """As the style has them: KaTeX's fonts are not under the licence of its program."""
    faces = re.findall(r"@font-face\s*\{[^}]*?font-family:\s*[\"']?([\w ]+)", bundle_text("regard.css"))
    assert len(set(faces)) >= 5
    for face in set(faces):
        name = face.split()[0]
        assert name == "Inter" or f"with Reserved Font Name {name}." in licences, face
    assert "The Inter Project Authors" in licences


def test_the_bundle_holds_them_so_every_exported_file_and_notebook_does(licences):
    assert bundle_text("regard.js").startswith(f"/*!\n{licences}*/\n")
    page = offline_file(lambda: None, Traces(Shelf()), State(model="fox", text="The quick brown fox", next="jumps"))
    assert licences in page.decode()


def test_the_wheel_takes_the_whole_folder():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert "src/regard/web" in settings["artifacts"] and settings["targets"]["wheel"]["packages"] == ["src/regard"]
    assert (BUNDLE / "licences.txt").is_relative_to(ROOT / "src/regard/web") or not (ROOT / "src").is_dir()

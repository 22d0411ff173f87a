"""The documents hang together: links and anchors lead somewhere, the site has every page and fetches nothing."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

import regard

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PLACES = ("*.md", "docs/**/*.md", "benchmarks/*.md", "tests/*.md")
PAGES = sorted(path for place in PLACES for path in ROOT.glob(place))
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """What headings are called in an address, on the site as on a forge: small letters, hyphens, no signs."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.M)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_anchors_lead_somewhere(page):
    for link in LINK.findall(prose(page)):
        if re.match(r"\w+:", link):  # another machine
            continue
        target, _, anchor = link.partition("#")
        found = (page.parent / target).resolve() if target else page
        assert found.exists(), f"{page.name} links to {link}"
        assert not anchor or anchor in anchors(found), f"{page.name} links to {link}; there is {sorted(anchors(found))}"


def test_pages_of_the_site_link_to_pages_of_the_site():
    for page in DOCS.rglob("*.md"):
        for link in LINK.findall(prose(page)):
            inside = not re.match(r"\w+:", link) and (page.parent / link.partition("#")[0]).resolve()
            assert not inside or inside.is_relative_to(DOCS), f"{page.name} leaves the site by {link}"


def named_in(nav: list | dict | str) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    return [name for part in (nav.values() if isinstance(nav, dict) else nav) for name in named_in(part)]


def test_the_navigation_names_every_page_once():
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    assert sorted(named_in(nav)) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_the_reference_has_everything_that_is_public():
    written = (DOCS / "api.md").read_text(encoding="utf-8")
    assert [name for name in regard.__all__ if f"regard.{name}" not in written] == []


class Fetched(HTMLParser):
    """What a browser fetches to draw a page; an ordinary link is not fetched."""

    def __init__(self, html: str):
        super().__init__()
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.addresses += [given[name] or "" for name in ("src", "srcset", "data") if name in given]
        if tag == "link":
            self.addresses.append(given.get("href") or "")


def test_the_site_builds_without_a_warning_and_fetches_nothing_from_elsewhere(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))  # and one for addresses that do not exist
    for page in pages:
        html = page.read_text(encoding="utf-8")
        assert [address for address in Fetched(html).addresses if re.match(r"(\w+:)?//", address)] == [], page.name
        assert "mermaid" not in html  # the theme would fetch its drawing code
    for style in tmp_path.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", style.read_text(encoding="utf-8")), style.name
    reference = (tmp_path / "api.html").read_text(encoding="utf-8")
    assert all(f'id="regard.{name}"' in reference for name in ("explain", "Trace", "Trace.why", "Weights.row"))
    assert "<blockquote>" not in reference  # what >>> becomes where it is not code

"""The page as a folder of files for any web host: no server of ours, and nothing is fetched from anywhere else."""

from collections.abc import Iterator
from pathlib import Path

from regard.session.hosting import hosted
from regard.session.shelf import Shelf
from regard.views.offline import BUNDLE, bundle_text

# the script, its style, the worker, and the licences of what they are made of
PAGE = ("regard.js", "regard.css", "engine.js", "site.js", "licences.txt")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
INDEX = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="description" content="Attention, made visible: every number opens to the arithmetic that made it.">
<title>regard</title>
<link rel="stylesheet" href="regard.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="regard"></div>
<script type="module" src="site.js"></script>
</body>
</html>
"""


def site_files(bundle: Path = BUNDLE) -> Iterator[tuple[str, bytes]]:
    """Every file of the folder by its path, the page first."""
    yield "index.html", INDEX.encode()
    yield ".nojekyll", b""  # GitHub Pages would look for a blog in it
    for name in PAGE:
        yield name, bundle_text(name, bundle).encode()
    yield from hosted(Shelf())

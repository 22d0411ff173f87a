"""The offline file: its data come back exactly, no text of a run can become markup, and only its own script may run."""

import base64
import hashlib
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.lessons.claims_of_run import claims_of
from regard.session.recording import held_by
from regard.session.rounded import restored
from regard.trace.wire import from_json
from regard.views import offline
from regard.views.offline import NotBuilt, offline_page

# a bundle as the build makes it, but small: a module that ends with its exports, with odd things inside
SCRIPT = (
    'const a="</script><!--";function R$(x){return x}var d={render:R$};export{d as default,p as page,R$ as render};\n'
)
STYLE = "body{margin:0}/* </style> */"
HOSTILE = 'The </script><script>alert(1)</script> <!-- fox & "quotes" \u2028 ]]>'


@pytest.fixture
def bundle(tmp_path) -> Path:
    (tmp_path / "regard.js").write_text(SCRIPT)
    (tmp_path / "regard.css").write_text(STYLE)
    return tmp_path


class Elements(HTMLParser):
    """What a browser would find: every element, and the text inside scripts."""

    def __init__(self, page: str):
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.texts: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.inside.append(f"{tag}:{dict(attrs).get('type', '')}")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[self.inside[-1]] = self.texts.get(self.inside[-1], "") + data


def test_the_run_comes_back_exactly(bundle):
    trace = regard.explain("The quick brown fox", next="jumps")
    state = {"model": "fox", "text": "The quick brown fox", "next": "jumps", "changes": []}
    seen = Elements(offline_page(held_by(trace, claims_of(trace), state), "fox", bundle))
    held = json.loads(seen.texts["script:application/json"])
    assert from_json(json.dumps(held["trace"])).json() == trace.json()
    assert held["state"] == state and len(held["claims"]) == len(claims_of(trace)) > 100


def test_no_text_becomes_markup_and_only_the_own_script_runs(bundle):
    trace = regard.explain(HOSTILE, next="<img>"[1:4], model="fox")
    page = offline_page(held_by(trace, (), {"text": HOSTILE, "changes": []}), HOSTILE, bundle)
    plain = offline_page(held_by(regard.explain("The quick brown fox", model="fox"), ()), "fox", bundle)
    seen = Elements(page)
    assert [tag for tag, _ in seen.found] == [tag for tag, _ in Elements(plain).found]
    data = seen.texts["script:application/json"]
    # `<!-- <script` would make a browser read past the end of the block, which is why no sign of a tag may stand there
    assert json.loads(data)["state"]["text"] == HOSTILE and not {"<", ">", "&"} & set(data)
    program = re.search(r'<script type="module">(.*?)</script>', page, re.S)
    assert program is not None and page.count("</script>") == 2 and page.count("</style>") == 1
    policy = next(a["content"] for t, a in seen.found if t == "meta" and a.get("http-equiv"))
    digest = base64.b64encode(hashlib.sha256(program[1].encode()).digest()).decode()
    assert policy is not None and f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert "export{" not in program[1] and "R$({" in program[1]
    assert not [v for _, a in seen.found for v in a.values() if v and re.match(r"https?:|//", v)]


def test_without_a_built_page_it_is_said_what_to_do(tmp_path):
    with pytest.raises(NotBuilt, match="pip install"):
        offline_page({}, "fox", tmp_path)
    (tmp_path / "regard.js").write_text("var a = 1;")
    (tmp_path / "regard.css").write_text("")
    with pytest.raises(ValueError, match="build it again"):
        offline_page({}, "fox", tmp_path)


@pytest.fixture
def built(bundle, monkeypatch) -> Path:
    monkeypatch.setattr(offline.offline_page, "__defaults__", (bundle, {}))
    monkeypatch.chdir(bundle)
    return bundle


def held(file: Path) -> dict:
    return json.loads(Elements(file.read_text(encoding="utf-8")).texts["script:application/json"])


def test_the_command_writes_the_file(built, capsys):
    assert run(["export", "The quick brown fox", "--next", "jumps", "-o", "fox.html"]) == 0
    assert "fox.html" in capsys.readouterr().out
    assert held(built / "fox.html")["trace"]["info"]["next"] == "jumps"
    for arguments, said in (
        (["export", "The fox", "--model", "fox", "-o", "."], "is a folder"),
        (["export", "The fox", "--model", "foxx"], "did you mean fox?"),
        (["export", "The fox", "--model", "fox", "--query", "dog"], "no query 'dog'"),
        (["export", "The fox", "--model", "fox", "--mask", "causl"], "mask: Input should be 'causal' or 'both'"),
        (["export", ""], "text: String should have at least 1 character"),
    ):
        assert run(arguments) == 2
        err = capsys.readouterr().err
        assert said in err and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "asked, said",
    [
        (["export", "the cat", "--model", "mine.toml", "-o", "mine.toml"], "mine.toml is the file that is read"),
        (["export", "the cat", "--model", "mine.toml", "-o", "./linked.html"], "linked.html is the file that is read"),
        (["export", "--file", "text.html", "--model", "mine.toml", "-o", "text.html"], "text.html is the file that is"),
        (
            ["export", "the cat", "--model", "mine.toml", "-o", "new.pdf"],
            "what is written is HTML, got the name new.pdf",
        ),
        (["export", "the cat", "--model", "mine.toml", "-o", "new"], "write -o new.html"),
        (["read", "text.html", "-o", "text.html"], "text.html is the file that is read"),
        (["read", "text.html", "-o", "new.pdf"], "what is written is HTML"),
        (["read", "text.html", "-o", "."], "is a folder"),
    ],
)
def test_what_is_read_is_not_overwritten_and_html_is_called_html(built, capsys, asked, said):
    (built / "mine.toml").write_text("[words]\nthe = [0.1, 0.2]\ncat = [0.9, 0.3]\n", encoding="utf-8")
    (built / "linked.html").symlink_to(built / "mine.toml")
    (built / "text.html").write_text("the cat", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in built.iterdir()}
    assert run(asked) == 2
    assert said in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in built.iterdir()} == before


def test_other_places_for_html(built):
    assert run(["export", "The quick brown fox", "--next", "jumps", "-o", "fox.HTM"]) == 0
    assert (built / "fox.HTM").exists()
    assert run(["export", "The quick brown fox", "--next", "jumps", "-o", os.devnull]) == 0


def test_a_large_run_is_written_rounded_and_says_so(built):
    text = "Once upon a time there was a little"
    assert run(["export", text, "--next", "girl", "--model", "english", "-o", "english.html"]) == 0
    found = held(built / "english.html")["recorded"]
    trace = regard.explain(text, next="girl", model="english")
    assert found["explained"]["explanation"]["predicted"] == "girl" and found["logit_lens"]["kind"] == "logit_lens"
    assert found["explained"]["rounded"] is True
    assert {"layer0.weights", "layer5.q.rotated", "layer3.residual"} <= set(found["rounded"])
    assert not set(found["rounded"]) & set(trace.parameters)
    for name, step in found["rounded"].items():
        exact = trace.array(name)
        near = restored(step)
        finite = np.isfinite(exact)
        assert np.array_equal(finite, np.isfinite(near))
        half = np.abs(exact[finite]).max(initial=0.0) / 254 * (1 + 1e-6)
        assert np.abs(near[finite] - exact[finite]).max(initial=0.0) <= half

"""The offline file: its data come back exactly, no text of a run can become markup, and only its own script may run."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import regard
from regard.cli.main import run
from regard.lessons.beside import claims_of
from regard.trace.wire import from_json
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
    seen = Elements(offline_page(trace, claims_of(trace), state, bundle))
    held = json.loads(seen.texts["script:application/json"])
    assert from_json(json.dumps(held["trace"])).json() == trace.json()
    assert held["state"] == state and len(held["claims"]) == len(claims_of(trace)) > 100


def test_no_text_becomes_markup_and_only_the_own_script_runs(bundle):
    trace = regard.explain(HOSTILE, next="<img>"[1:4])
    page = offline_page(trace, (), {"text": HOSTILE, "changes": []}, bundle)
    plain = offline_page(regard.explain("The quick brown fox"), (), None, bundle)
    seen = Elements(page)
    assert [tag for tag, _ in seen.found] == [tag for tag, _ in Elements(plain).found]
    assert json.loads(seen.texts["script:application/json"])["state"]["text"] == HOSTILE
    program = re.search(r'<script type="module">(.*?)</script>', page, re.S)
    assert program is not None and page.count("</script>") == 2 and page.count("</style>") == 1
    policy = next(a["content"] for t, a in seen.found if t == "meta" and a.get("http-equiv"))
    digest = base64.b64encode(hashlib.sha256(program[1].encode()).digest()).decode()
    assert policy is not None and f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert "export{" not in program[1] and "R$({" in program[1]
    assert not [v for _, a in seen.found for v in a.values() if v and re.match(r"https?:|//", v)]


def test_without_a_built_page_it_is_said_what_to_do(tmp_path):
    with pytest.raises(NotBuilt, match="pip install"):
        offline_page(regard.explain("The fox"), (), None, tmp_path)
    (tmp_path / "regard.js").write_text("var a = 1;")
    (tmp_path / "regard.css").write_text("")
    with pytest.raises(ValueError, match="build it again"):
        offline_page(regard.explain("The fox"), (), None, tmp_path)


def test_the_command_writes_the_file(bundle, capsys, monkeypatch):
    import regard.views.offline as module

    monkeypatch.setattr(module.offline_page, "__defaults__", ((), None, bundle))
    monkeypatch.chdir(bundle)
    assert run(["export", "The quick brown fox", "--next", "jumps", "-o", "fox.html"]) == 0
    assert "fox.html" in capsys.readouterr().out
    held = json.loads(Elements((bundle / "fox.html").read_text(encoding="utf-8")).texts["script:application/json"])
    assert held["trace"]["info"]["next"] == "jumps"
    assert run(["export", "Once upon a time", "--model", "english"]) == 2
    assert "at most" in capsys.readouterr().err
    assert run(["export", "The fox", "-o", "."]) == 2
    assert "is a folder" in capsys.readouterr().err

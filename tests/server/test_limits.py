"""Bombs: every number is bounded both ways, and what is too large is refused before anything is computed."""

import json

import pytest

FOX = '"text":"The quick brown fox","next":"jumps"'
DEEP = "[" * 200_000 + "]" * 200_000
ENGLISH = '{"model":"english","text":"Once","next":"girl"'


def changed(*changes: str) -> tuple[str, str]:
    return "explain", "{" + FOX + ',"changes":[' + ",".join(changes) + "]}"


BOMBS = {
    "a text without end": ("explain", '{"text":"' + "fox " * 400_000 + '"}'),
    "more words than are read": ("explain", '{"text":"' + "fox " * 100 + '"}'),
    "one long word": ("explain", '{"text":"' + "x" * 20_001 + '"}'),
    "no text": ("explain", '{"text":""}'),
    "only spaces": ("explain", '{"text":"   "}'),
    "half a surrogate": ("explain", '{"text":"\\ud800"}'),
    "a model's name without end": ("explain", '{"text":"a","model":"' + "m" * 100_000 + '"}'),
    "not a number": ("explain", '{"text":"a","next":"b","rate":NaN}'),
    "infinity": ("explain", '{"text":"a","next":"b","rate":Infinity}'),
    "beyond float64": ("explain", '{"text":"a","next":"b","rate":1e999}'),
    "an integer of a million digits": ("explain", '{"text":"a","next":"b","rate":' + "9" * 1_000_000 + "}"),
    "a large rate": ("explain", '{"text":"a","next":"b","rate":1e7}'),
    "a large negative rate": ("explain", '{"text":"a","next":"b","rate":-1e7}'),
    "nested lists": ("explain", DEEP),
    "nested objects": ("explain", '{"text":' * 100_000),
    "a list for a text": ("explain", '{"text":["a"]}'),
    "a number for a text": ("explain", '{"text":1}'),
    "true for a number": ("explain", '{"text":"a","rate":true}'),
    "text for a number": ("explain", '{"text":"a","rate":"0.1"}'),
    "an unknown field": ("explain", '{"text":"a","__class__":"x"}'),
    "too many changes": changed(*['{"kind":"update"}'] * 501),
    "too many updates": changed('{"kind":"update","times":1001}'),
    "too many updates in all": changed(*['{"kind":"update","times":1000}'] * 11),
    "no updates": changed('{"kind":"update","times":0}'),
    "half an update": changed('{"kind":"update","times":1.5}'),
    "learning without a target": ("explain", '{"text":"The fox","changes":[{"kind":"update"}]}'),
    "an edit beyond bounds": changed('{"kind":"edit","cell":"weights[fox,fox]","value":1.1e30}'),
    "an edit of NaN": changed('{"kind":"edit","cell":"weights[fox,fox]","value":NaN}'),
    "a share beyond one": changed('{"kind":"move","cell":"weights[fox,fox]","value":1.5}'),
    "a pin without end": changed('{"kind":"pin","step":"x","value":[' + "0," * 70_000 + "0]}"),
    "a pin of another shape": changed('{"kind":"pin","step":"layer0.v","value":[1,2,3]}'),
    "a pin of tokens out of range": changed('{"kind":"pin","step":"tokens","value":[0,1,2,99]}'),
    "a pin of half a token": changed('{"kind":"pin","step":"tokens","value":[0,1,2,0.5]}'),
    "an unknown change": changed('{"kind":"exec","code":"1"}'),
    "growing without bound": changed('{"kind":"update","rate":-1e6,"times":50}'),
    "a position before the first": ("values", "{" + FOX + ',"step":"weights","at":[-1,0,0]}'),
    "a position beyond": ("values", "{" + FOX + ',"step":"weights","at":[0,0,9999999999]}'),
    "too many axes": ("values", "{" + FOX + ',"step":"weights","at":[' + ",".join(["0"] * 9) + "]}"),
    "a depth without end": ("why", "{" + FOX + ',"cell":"loss","depth":1000}'),
    "no depth": ("why", "{" + FOX + ',"cell":"loss","depth":0}'),
    "digits without end": ("why", "{" + FOX + ',"cell":"loss","digits":400}'),
    "an address without end": ("why", "{" + FOX + ',"cell":"' + "weights[" * 1000 + '"}'),
    "a tile of a billion cells": ("tile", "{" + FOX + ',"layer":0,"head":0,"height":100000,"width":100000}'),
    "a tile of nothing": ("tile", "{" + FOX + ',"layer":0,"head":0,"height":0}'),
    "rows beyond the text": ("tile", "{" + FOX + ',"layer":0,"head":0,"rows":[0,1000000]}'),
    "rows backwards": ("tile", "{" + FOX + ',"layer":0,"head":0,"rows":[3,1]}'),
    "words without end": ("generate", "{" + FOX + ',"count":1000000}'),
    "a negative temperature": ("generate", "{" + FOX + ',"temperature":-1}'),
    "too many sentences": ("lens", "{" + FOX + ',"kind":"gravity","texts":["a","b","c"]}'),
    "an unknown lens": ("lens", "{" + FOX + ',"kind":"__import__"}'),
    "too many words to come near": ("lens", "{" + FOX + ',"kind":"gravity","toward":[' + ",".join(['"a"'] * 17) + "]}"),
    "a toy without end": ("toy", '{"model":"a.toml","toy":"' + "#" * 30_000 + '"}'),
    "a toy with very many numbers": (
        "toy",
        '{"model":"a.toml","toy":"words = [\'a\']\\nrandom = { width = 256, layers = 12 }"}',
    ),
    "a toy of a key without end": ("toy", '{"model":"a.toml","toy":"' + "a." * 9_000 + 'b = 1"}'),
    "a toy nested without end": ("toy", '{"model":"a.toml","toy":"a = ' + "[" * 9_000 + '"}'),
    "a toy that is none, explained": ("explain", '{"model":"a.toml","text":"a","toy":"[words]"}'),
    "a page without end": ("read", '{"name":"a.md","text":"' + "1 + 1 = 3. " * 5_000 + '"}'),
    "not JSON": ("explain", "{'text': 'a'}"),
    "nothing": ("explain", ""),
    "a bomb of bytes": ("explain", '{"text":"a"' + " " * 2_000_000 + "}"),
    "english: a whole vocabulary of gradients": ("values", ENGLISH + ',"step":"E.grad"}'),
    "english: many updates": ("explain", ENGLISH + ',"changes":[{"kind":"update","times":1000}]}'),
    "english: many words": ("generate", '{"model":"english","text":"' + "Once upon " * 100 + '","count":64}'),
}  # fmt: skip


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_refused(server, bomb):
    endpoint, body = BOMBS[bomb]
    before = server.memory
    answer = server.ask(
        "POST",
        f"/api/{endpoint}",
        headers={"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"},
        body=body.encode("utf-8", "surrogatepass"),
    )
    assert answer.status in (400, 413, 422), answer.body[:300]
    error = answer.data["error"]
    assert error["kind"] in ("broken", "too_large", "invalid")
    assert 5 < len(error["message"]) <= 2000
    assert str(server.folder) not in error["message"] and "/site-packages/" not in error["message"]
    assert server.memory - before < 400 * 2**20  # english itself takes 80 MB when it is first asked for


def test_answers_have_a_budget_of_numbers(server):
    words = " ".join(f"w{n}" for n in range(64))
    whole = server.post("/api/values", model="untrained", text=words, step="layer0.weights")
    assert whole.status == 200 and len(whole.data["value"]) == 2 * 64 * 64
    large = server.post("/api/values", model="english", text="Once upon a time", step="E")
    assert large.status == 413 and "give positions" in large.data["error"]["message"]
    row = server.post("/api/values", model="english", text="Once upon a time", step="E", at=[5, None])
    assert row.status == 200 and len(row.data["value"]) == 320


def test_why_never_answers_with_more_cells_than_a_page_shows(server):
    answer = server.post(
        "/api/why", model="untrained", text="The quick brown fox", next="jumps", cell="loss", depth=12, terms=64
    )

    def cells(part) -> int:
        return 1 + sum(map(cells, part["parts"]))

    assert answer.status == 200
    assert 300 < cells(answer.data) <= 401
    assert json.dumps(answer.data).count("parts_hidden") == cells(answer.data)

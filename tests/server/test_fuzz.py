"""Requests made at random from the OpenAPI document: whatever comes, nothing fails inside (benchmarks/fuzz.py)."""

import importlib.util
from collections import Counter
from pathlib import Path

MANY = 1_000


def test_random_requests_never_fail_inside(server):
    path = Path(__file__).parents[2] / "benchmarks/fuzz.py"
    spec = importlib.util.spec_from_file_location("fuzz", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    fuzz = module.Fuzz(server.ask("GET", "/api/openapi.json").data, seed=11)
    counts: Counter[int] = Counter()
    well: Counter[str] = Counter()
    for _ in range(MANY):
        method, path, headers, body = fuzz.request()
        answer = server.ask(method, path, headers={"Authorization": f"Bearer {server.token}", **headers}, body=body)
        assert answer.status < 500, (method, path, body[:1000], answer.body[:300])
        counts[answer.status] += 1
        if answer.status == 200:
            well[path.partition("?")[0]] += 1
            if method != "HEAD" and answer.headers["content-type"] == "application/json":
                assert answer.data is not None  # strict JSON
        elif answer.body:
            assert set(answer.data["error"]) == {"kind", "message"}
    # it goes past the doorstep: every endpoint also answered
    assert counts[200] > MANY / 5 and counts[422] > MANY / 10
    endpoints = {p for p in fuzz.document["paths"] if "{" not in p}
    assert {p for p in endpoints if well[p] == 0} <= {"/api/export"}  # which needs the built page

"""Requests made from the server's own OpenAPI document: valid, nearly valid and broken ones, the same for each seed.

python benchmarks/fuzz.py [HOW MANY]   starts a server, asks, and counts what came back; none may be 5xx
"""

import json
import random
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

WORDS = [
    *("fox", "The quick brown fox", "jumps", "weights", "loss", "layer0.weights", "causal", "both", "W_Q", "E.grad"),
    *("weights[fox,fox]", "weights[0,0]", "logits[jumps]", "probabilities", "x[fox,0]", "two-heads", "untrained"),
    *("On the mat a cat sat", "english", "\u0000", "", " ", "é" * 40, "𝕏", "\ud800", "<script>", "../..", "a" * 700),
    *("[" * 100, '"', "\\", "weights[", "layer0.head0.weights[fox,The]", "the@4", "-1", "🦊", "weights.grad[fox,The]"),
]
NUMBERS = [
    *(0, 1, -1, 2, 3, 0.5, 0.1, -0.25, 7, 64, 1e-30, 1e30, 1.1e30, -1e31, 2**31, 2**63, 2**64, -(2**63), 1e308),
    10**400,
]
ODD = [
    *(None, True, False, [], {}, [[]], [None], {"": 0}, "NaN", float("nan"), float("inf"), [1e999] * 3),
    {"kind": "edit"},
]
CONTENT_TYPES = ["application/json"] * 8 + ["text/plain", "application/x-www-form-urlencoded", "", "application/xml"]
OFTEN = {  # what makes a request go deep, so that more than the doorstep is tried
    "model": ["fox", "fox", "fox", "two-heads", "untrained", "three-words"],
    "text": ["The quick brown fox", "The fox", "fox fox the fox", "On the mat a cat sat", "A zebra sings"],
    "next": ["jumps", "fox", "opera", None],
    "cell": ["weights[fox,fox]", "logits[jumps]", "loss", "W_Q.grad[0,0]", "E[fox,0]", "scores[0,0]", "total[fox]"],
    "step": ["weights", "x", "loss", "layer0.W_Q", "visible", "tokens", "probabilities", "masked", "E.grad", "target"],
    "value": [0.2, 0.0, 1.0, -3.0, 1e9, 1e30, -1e30, 0.75],
    "word": ["fox", "quick", None],
    "layer": [0, 0, 1],
    "head": [0, 0, 1],
    "asked": ["fox", "quick", "fox - quick + brown"],
    "texts": [[], ["brown fox"], ["The fox runs", "a fox"]],
    "toy": [None, None, None, "words.The = [0.1, 0.2]\nwords.fox = [0.9, 0.6]\nnext.jumps = [0.8, 0.3]", "words = 3"],
}


class Fuzz:
    """Random requests for the paths of an OpenAPI document."""

    def __init__(self, document: dict[str, Any], seed: int):
        self.document, self.random = document, random.Random(seed)
        self.routes = [(m.upper(), p, route) for p, ms in document["paths"].items() for m, route in ms.items()]

    def request(self) -> tuple[str, str, dict[str, str], bytes]:
        """Method, path, headers (without the token) and body."""
        method, path, route = self.random.choice(self.routes)
        if self.random.random() < 0.03:
            method = self.random.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
        query = []
        for parameter in route.get("parameters", []):
            value = quote(self._text(self.random.choice([*WORDS, "fox"])), safe="")
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", value or "fox")
            elif self.random.random() < 0.9:
                query.append(f"{parameter['name']}={value}")
        body = b""
        content = route.get("requestBody", {}).get("content", {})
        if content:
            data = self._made(content["application/json"]["schema"], 0)
            body = self._broken(json.dumps(data).encode())
        headers = {"Content-Type": self.random.choice(CONTENT_TYPES)} if body or method == "POST" else {}
        return method, path + ("?" + "&".join(query) if query else ""), headers, body

    def _text(self, word: str) -> str:
        return word.encode("utf-8", "replace").decode()

    def _broken(self, body: bytes) -> bytes:
        """Now and then, not JSON at all, or cut, or with a byte changed."""
        chance = self.random.random()
        if chance < 0.02:
            return body[: self.random.randrange(len(body) + 1)]
        if chance < 0.04 and body:
            place = self.random.randrange(len(body))
            return body[:place] + bytes([self.random.randrange(256)]) + body[place + 1 :]
        if chance < 0.05:
            return b"[" * self.random.choice([10, 1000, 100_000])
        return body

    def _made(self, schema: dict[str, Any], depth: int, name: str = "") -> Any:
        if "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        if self.random.random() < 0.01:
            return self.random.choice([*ODD, *WORDS, *NUMBERS])
        if name in OFTEN and self.random.random() < 0.8:
            return self.random.choice(OFTEN[name])
        for several in ("anyOf", "oneOf"):
            if several in schema:
                return self._made(self.random.choice(schema[several]), depth, name)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        made = {"object": self._object, "array": self._array, "string": self._string, "number": self._number,
                "integer": self._integer, "boolean": lambda *_: self.random.random() < 0.5}  # fmt: skip
        kind = schema.get("type")
        return made[kind](schema, depth) if kind in made else None

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        required = schema.get("required", [])
        data = {
            name: self._made(part, depth + 1, name)
            for name, part in schema.get("properties", {}).items()
            if (name in required and self.random.random() < 0.99)
            or (name not in required and self.random.random() < 0.4)
        }
        if self.random.random() < 0.01:
            data[self.random.choice(WORDS)] = self.random.choice(ODD)
        return data

    def _array(self, schema: dict[str, Any], depth: int) -> list[Any]:
        least, most = schema.get("minItems", 0), min(schema.get("maxItems", 4), 4)
        count = self.random.randint(least, max(least, most)) if self.random.random() < 0.97 else 30
        return [self._made(schema.get("items", {}), depth + 1) for _ in range(count)]

    def _string(self, schema: dict[str, Any], depth: int) -> str:
        return self.random.choice(WORDS)

    def _number(self, schema: dict[str, Any], depth: int) -> Any:
        bounds = [schema[b] for b in ("minimum", "maximum") if b in schema]
        beyond = [b * 1.5 + 1 for b in bounds] + [-b * 1.5 - 1 for b in bounds]
        inside = [self.random.uniform(-2, 2), self.random.uniform(0, 1), *bounds]
        return self.random.choice(inside * 4 + beyond + NUMBERS[:8])

    def _integer(self, schema: dict[str, Any], depth: int) -> Any:
        least, most = int(schema.get("minimum", 0)), int(schema.get("maximum", 10))
        inside = [self.random.randint(least, min(most, least + 5)), least]
        return self.random.choice(inside * 6 + [least - 1, most + 1, 0.5, *NUMBERS[:4]])


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "server"))
    import tempfile

    from attacks import MEMORY, english, high_water, moves
    from conftest import ended, started  # pyright: ignore[reportMissingImports]
    from recorded import record

    many = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder))
        try:
            fuzz = Fuzz(server.ask("GET", "/api/openapi.json").data, seed=many)
            server.post("/api/explain", model="english", text="Once", next="girl")
            loaded = server.memory
            counts: Counter[int] = Counter()
            took: dict[str, list[float]] = defaultdict(list)
            began = time.perf_counter()
            for number in range(many):
                if number % 500 == 0:  # among small requests, now and then one that costs as much as one may
                    assert server.post("/api/explain", **english(120, moves(40, 120))).status == 200
                method, path, headers, body = fuzz.request()
                start = time.perf_counter()
                given = {"Authorization": f"Bearer {server.token}", **headers}
                answer = server.ask(method, path, headers=given, body=body)
                took[path.partition("?")[0]].append(1e3 * (time.perf_counter() - start))
                counts[answer.status] += 1
                if answer.status >= 500:
                    print("5xx:", answer.status, method, path, body[:500], answer.body[:300])
            seconds = time.perf_counter() - began
            above = high_water(server) - loaded
        finally:
            ended(server)
    print(f"{many} requests in {seconds:.0f} s")
    for path, times in sorted(took.items()):
        if path in fuzz.document["paths"]:
            mean = sum(times) / len(times)
            print(f"{path:20} {len(times):6} requests, mean {mean:6.1f} ms, slowest {max(times):5.0f} ms")
    print("  ".join(f"{status}: {count}" for status, count in sorted(counts.items())))
    failed = sum(count for status, count in counts.items() if status >= 500)
    print(f"5xx: {failed} of {many}")
    print(f"memory: at most {above / 2**20:.0f} MB above english   (goal ≤ {MEMORY / 2**20:.0f})")
    record(
        "benchmarks", "fuzz", figure=f"{failed} of {many:,} answers 5xx, at most {above / 2**20:.0f} MB above the model"
    )


if __name__ == "__main__":
    main()

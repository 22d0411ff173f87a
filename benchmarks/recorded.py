"""What was measured last, and when, by benchmarks and by the tests of docs/security.md: kept in figures.json."""

import json
from datetime import date
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("figures.json")


def recorded() -> dict[str, dict[str, Any]]:
    """Figures of benchmarks by their names, and of tests by theirs."""
    empty = {"benchmarks": {}, "tests": {}}
    return empty | json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else empty


def record(part: str, name: str, **figures: Any) -> None:
    found = recorded()
    found[part][name] = {**figures, "date": date.today().isoformat()}
    FILE.write_text(json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")

"""What goes wrong is told in one shape, and never says where on this machine something lies."""

import asyncio
import json
import shutil
from typing import Any

import pytest
from fastapi import FastAPI

from regard.server.telling import tell_problems
from regard.server.trainers import LOG, Trainers
from regard.session.shelf import Shelf
from regard.suggestions import NotFound


def test_a_run_that_cannot_be_opened_is_named_without_its_folder(server):
    broken = server.folder / "runs" / "broken"
    (broken / "checkpoints" / "00000001").mkdir(parents=True)
    try:
        refused = server.post("/api/explain", text="The fox", model="runs/broken")
        listed = server.ask("GET", "/api/models")
    finally:
        shutil.rmtree(broken)
    assert refused.status == 404 and "runs/broken cannot be opened" in refused.data["error"]["message"]
    assert any(model["name"] == "runs/broken" and "problem" in model for model in listed.data)
    for said in (refused.body, listed.body):
        assert str(server.folder).encode() not in said


def test_a_folder_named_at_the_start_is_known_by_its_last_part(tmp_path):
    (tmp_path / "broken").mkdir()
    shelf = Shelf(opened=(str(tmp_path / "broken"),))
    with pytest.raises(NotFound, match=r"^broken cannot be opened; in a terminal"):
        shelf.model("broken")
    assert str(tmp_path) not in str(shelf.listing())


def test_what_nobody_expected_is_told_without_its_words():
    """An exception's words may hold a path or a secret: they are for the terminal."""
    app = FastAPI()
    tell_problems(app)

    @app.get("/")
    async def fails() -> None:
        raise RuntimeError("/home/me/secret.txt")

    sent: list[dict[str, Any]] = []

    async def asked() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": "/", "raw_path": b"/", "query_string": b"", "headers": []}
        with pytest.raises(RuntimeError):  # passed on, for the terminal
            await app({**scope, "http_version": "1.1", "scheme": "http"}, receive, send)  # pyright: ignore

    asyncio.run(asked())
    assert sent[0]["status"] == 500
    error = json.loads(sent[1]["body"])["error"]
    assert error == {"kind": "failed", "message": "something went wrong inside regard; the terminal says what"}


def test_what_a_trainer_said_last_is_told_without_the_folder_of_runs(tmp_path):
    trainers = Trainers(tmp_path / "runs")
    log = trainers.folder("notes") / LOG
    log.parent.mkdir(parents=True)
    log.write_text(f"Traceback of something\nregard: {tmp_path / 'runs' / 'notes'} is in use\n")
    assert trainers.said_last("notes") == "regard: runs/notes is in use"
    log.write_text(f"{tmp_path}: something else\n")
    assert trainers.said_last("notes") == ""

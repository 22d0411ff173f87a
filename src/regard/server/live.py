"""Live training over a WebSocket: reports as they arrive, gaps where a client was too slow, samples, and the end."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from regard.models.writing import write_on
from regard.server import limits
from regard.server.problem import Problem
from regard.server.tail import ANEW, Tail, history
from regard.server.trainers import Start, Stop, Trainers, Watch
from regard.server.work import Wanted, Work
from regard.session.encode import encoded
from regard.session.shelf import DEEP, Shelf
from regard.suggestions import NotFound

ASKED: TypeAdapter[Start | Watch | Stop] = TypeAdapter(Start | Watch | Stop)
TOGETHER = 200  # reports in one message
SAMPLE = 24  # words


class Live:
    """Everybody who watches a run shares one reader of its file."""

    def __init__(self, trainers: Trainers, shelf: Shelf, work: Work):
        self.trainers, self.shelf, self.work = trainers, shelf, work
        self._tails: dict[str, tuple[Tail, int, asyncio.Task[None]]] = {}
        self._watchers = 0

    async def serve(self, socket: WebSocket) -> None:
        """One client, until it leaves. Its first message says what to train or to watch."""
        await socket.accept()
        if self._watchers >= limits.WATCHERS:
            await _tell(socket, Problem(503, "too many clients are watching already"))
            await socket.close(1013)
            return
        self._watchers += 1
        try:
            await self._conversation(socket)
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # it left
        finally:
            self._watchers -= 1

    async def _conversation(self, socket: WebSocket) -> None:
        watching: asyncio.Task[None] | None = None
        name: str | None = None
        try:
            while True:
                try:
                    asked = _asked(await _received(socket))
                    if isinstance(asked, Stop):
                        if name is not None:
                            self.trainers.stop(name)
                        continue
                    if isinstance(asked, Start):
                        name, first = await asyncio.to_thread(self.trainers.start, asked), 0
                        await _send(socket, {"kind": "begun", "name": name})
                    elif not self.trainers.folder(asked.name).is_dir():
                        raise Problem(404, f"there is no run {asked.name}")
                    else:
                        name, first = asked.name, asked.first
                except Problem as problem:
                    await _tell(socket, problem)
                    continue
                if watching is not None:
                    watching.cancel()
                watching = asyncio.create_task(self._watch(socket, name, first))
        finally:
            if watching is not None:
                watching.cancel()
                with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                    await watching

    async def _watch(self, socket: WebSocket, name: str, first: int) -> None:
        async with self._tail(name) as tail:
            place, update = tail.end, tail.update
            await _send(socket, await asyncio.to_thread(history, tail.folder, first, update))
            was_running: bool | None = None
            while True:
                news = tail.since(place, update, TOGETHER)
                if news.missed:
                    await _send(socket, {"kind": "gap", "from": news.missed[0], "to": news.missed[1]})
                if news.messages:
                    place, update = news.end, news.messages[-1].update
                    await socket.send_text(f"[{','.join(m.text for m in news.messages)}]")
                    if any(m.text == ANEW for m in news.messages):
                        await _send(socket, await asyncio.to_thread(history, tail.folder, 0, update))
                    continue
                if await tail.news():
                    continue
                running = await asyncio.to_thread(self.trainers.is_running, name)
                if running != was_running:
                    was_running = running
                    said = "" if running else self.trainers.said_last(name)
                    await _send(socket, {"kind": "running" if running else "ended", "update": update, "message": said})

    @asynccontextmanager
    async def _tail(self, name: str) -> AsyncIterator[Tail]:
        if name in self._tails:
            tail, watchers, task = self._tails[name]
        else:
            tail, watchers = Tail(self.trainers.folder(name)), 0
            task = asyncio.create_task(self._follow(name, tail))
        self._tails[name] = tail, watchers + 1, task
        try:
            yield tail
        finally:
            tail, watchers, task = self._tails[name]
            if watchers > 1:
                self._tails[name] = tail, watchers - 1, task
            else:
                del self._tails[name]
                task.cancel()

    async def _follow(self, name: str, tail: Tail) -> None:
        """Keep reading, and look for checkpoints: each is worth a sample of what the model writes by now."""
        reading = asyncio.create_task(tail.follow())
        try:
            version = await asyncio.to_thread(self._version, name)
            while True:
                await asyncio.sleep(1)
                now = await asyncio.to_thread(self._version, name)
                if now != version:
                    version = now
                    with contextlib.suppress(Problem, ValueError, NotFound):
                        text = await self.work.run("the server", DEEP, self._sample, name)
                        tail.put(tail.update, encoded({"kind": "sample", "update": int(now), "text": text}).decode())
                        tail.tell()
        finally:
            reading.cancel()

    def _version(self, name: str) -> str:
        with contextlib.suppress(NotFound, OSError):
            return self.shelf.version(f"runs/{name}")
        return ""

    def _sample(self, wanted: Wanted, name: str) -> str:
        model = self.shelf.model(f"runs/{name}")
        text = model.sentence
        for written in write_on(model, model.sentence, SAMPLE, temperature=0.8, top=50):
            wanted()
            text = model.tokenizer.joined(written.words)
        return text


async def _received(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    if message.get("text") is None:
        raise Problem(422, "a message must be JSON text with a kind: start, watch or stop")
    return message["text"]


def _asked(text: str) -> Start | Watch | Stop:
    try:
        return ASKED.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise Problem(422, f"{'.'.join(map(str, first['loc']))[:200]}: {first['msg']}") from None


async def _send(socket: WebSocket, message: dict[str, Any]) -> None:
    """Waits while the client is slow; the sweeper disconnects one that takes nothing at all."""
    await socket.send_text(encoded([message]).decode())


async def _tell(socket: WebSocket, problem: Problem) -> None:
    await _send(socket, {"kind": "problem", "error": json.loads(problem.body())["error"]})

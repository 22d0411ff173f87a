"""What one connection may do: how large a frame is, how long a body takes, how many watch."""

import asyncio
import json
import zlib

import pytest
from websockets.exceptions import ConnectionClosed

from regard.server import gate, limits
from regard.server.problem import Problem
from regard.server.serving import Server


async def nothing(scope, receive, send) -> None:
    """An application that is never asked."""


def test_frames_are_as_large_as_bodies_and_not_compressed():
    config = Server(nothing, None, lambda: None, lambda: None).config  # pyright: ignore[reportArgumentType]
    assert config.ws_max_size == 2_000_000
    assert config.ws_per_message_deflate is False


def test_a_frame_beyond_the_bound_ends_the_connection(server):
    """Its header says how large it is: it is refused before the rest is sent, which would meet a closed connection."""
    text, announced, mask = 0x81, 0x80 | 127, bytes(4)
    with server.watch(compression=None) as line:
        line.socket.sendall(bytes([text, announced]) + (2_000_100).to_bytes(8) + mask)
        with pytest.raises(ConnectionClosed) as ended:
            line.recv(60)
        assert ended.value.rcvd is not None and ended.value.rcvd.code == 1009  # too big


def test_an_offer_to_compress_is_not_taken_up(server):
    """A frame of a few kilobytes could unfold to gigabytes."""
    assert len(zlib.compress(b"0" * 10_000_000)) < 10_000
    with server.watch(compression="deflate") as line:
        assert line.protocol.extensions == []


def test_a_body_that_does_not_arrive_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS_FOR_BODY", 0.05)

    async def dawdle() -> None:
        async def receive():
            await asyncio.sleep(0.01)
            return {"type": "http.request", "body": b" ", "more_body": True}

        async with asyncio.timeout(60):
            with pytest.raises(Problem) as late:
                await gate._whole_body({b"content-length": [b"1000"]}, receive)
        assert late.value.status == 408

    asyncio.run(dawdle())


def test_so_many_may_watch_and_no_more(monkeypatch):
    from regard.server.live import Live

    monkeypatch.setattr(limits, "WATCHERS", 2)

    class Socket:
        """As much of a WebSocket as is looked at before the first message."""

        def __init__(self, left: asyncio.Event):
            self.left, self.told, self.closed = left, [], None

        async def accept(self) -> None:
            pass

        async def send_text(self, text: str) -> None:
            self.told += json.loads(text)

        async def receive(self) -> dict:
            await self.left.wait()
            return {"type": "websocket.disconnect"}

        async def close(self, code: int) -> None:
            self.closed = code

    async def crowd() -> list[Socket]:
        live, left = Live(None, None, None), asyncio.Event()  # pyright: ignore[reportArgumentType]
        sockets = [Socket(left) for _ in range(3)]
        serving = [asyncio.create_task(live.serve(socket)) for socket in sockets]  # pyright: ignore[reportArgumentType]
        async with asyncio.timeout(60):
            await asyncio.wait(serving, return_when=asyncio.FIRST_COMPLETED, timeout=1)
            left.set()
            await asyncio.gather(*serving)
            again = Socket(left)
            await live.serve(again)  # pyright: ignore[reportArgumentType]
        assert again.closed is None, "whoever left makes room"
        return sockets

    first, second, third = asyncio.run(crowd())
    assert first.closed is second.closed is None
    assert third.closed == 1013 and "too many" in third.told[0]["error"]["message"]

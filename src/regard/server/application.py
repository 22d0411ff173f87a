"""The routes, as a table: what may be asked, and which answer it gets.

The gate stands in front; the work happens in threads.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.responses import Response
from fastapi.routing import APIRoute

from regard import __version__
from regard.models.names import MODELS
from regard.server import page, reading
from regard.server.checking import checked
from regard.server.entry import Entry
from regard.server.films import film_of
from regard.server.gate import Application, Gate
from regard.server.live import Live
from regard.server.memory import map_large_arrays
from regard.server.telling import PROBLEMS, tell_problems
from regard.server.trainers import Trainers
from regard.server.watching import watcher
from regard.server.work import Work
from regard.session import limits, worked
from regard.session.answering import QUESTIONS, or_watched
from regard.session.bounded import AboutAModel, Strict
from regard.session.encode import encoded
from regard.session.questions import TileQuestion
from regard.session.shelf import DEEP, Shelf
from regard.session.state import State
from regard.session.traces import Traces
from regard.session.watched import Watch
from regard.views.offline import offline_file

MAPS = "maps of long texts"  # a kind of work of its own: whoever moves a map does not wait for what else is measured

Endpoint = Callable[..., Any]
ModelName = Annotated[str, Query(min_length=1, max_length=limits.NAME)]


def application(
    entry: Entry,
    port: int,
    runs: Path | None = None,
    opened: tuple[str, ...] = (),
    site: str | None = None,
    watch: Watch = watcher,
) -> Application:
    """The whole server as one ASGI application, gate included. `site` is where `regard site` was put online, `watch`
    reads texts with models that are not in glass."""
    files = page.files()
    return Gate(routes(Shelf(runs, opened, watch), files, site), entry, port, without_session=frozenset(files))


def routes(shelf: Shelf, files: dict[str, page.File], site: str | None = None) -> FastAPI:
    work, traces = Work(frees=(DEEP,)), Traces(shelf)
    map_large_arrays()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        work.close()

    app = FastAPI(
        title="regard",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        responses=PROBLEMS,
    )
    app.state.work, app.state.traces, app.state.shelf = work, traces, shelf
    tell_problems(app)
    for path, endpoint in looked_up(work, traces, site).items():
        app.add_api_route(path, endpoint, methods=["GET"])
    app.router.routes += asked_about_a_state(work, traces)
    if shelf.runs is not None:
        app.add_api_websocket_route("/api/train", Live(Trainers(shelf.runs), shelf, work).serve)
    page.serve(app, files)
    return app


def looked_up(work: Work, traces: Traces, site: str | None) -> dict[str, Endpoint]:
    """What is the same for everybody, whatever is on screen."""
    shelf = traces.shelf

    async def health() -> Response:
        """Whether the server answers, and how busy it is."""
        return _json(encoded({"status": "well", "version": __version__, "pending": work.pending}))

    async def links() -> Response:
        """Where others can open what is on screen, and with which models: null where no site was named."""
        return _json(encoded({"site": site, "models": list(MODELS)}))

    async def models(request: Request) -> Response:
        """The models that can be opened here."""
        return _json(await work.run(client_of(request), "models", lambda wanted: encoded(shelf.listing())))

    async def tables(request: Request) -> Response:
        """The tables of word vectors that can be looked at here: files, and those that models read with."""
        names = traces.tables.names
        return _json(await work.run(client_of(request), "models", lambda wanted: encoded({"tables": names()})))

    async def vocabulary(request: Request, model: ModelName) -> Response:
        """The words that a model writes, in numerical order."""
        client, kind = client_of(request), await asyncio.to_thread(shelf.kind_of_work, model)
        return _json(await work.run(client, kind, lambda wanted: encoded({"words": shelf.model(model).writes})))

    async def film(request: Request, model: ModelName) -> Response:
        """How the heads of a model formed while it learned: small maps of all of them, and their names."""
        return _json(await work.run(client_of(request), "film", lambda wanted: encoded(film_of(shelf, model))))

    async def all_lessons(request: Request) -> Response:
        """The worked examples, each with how many of its claims hold."""
        return _json(await work.run(client_of(request), "lessons", lambda wanted: worked.listing()))

    async def one_lesson(request: Request, name: str) -> Response:
        """One worked example: its trace, and every claim beside what is computed."""
        return _json(await work.run(client_of(request), "lessons", lambda wanted: worked.whole(name[:80])))

    return {
        "/api/health": health,
        "/api/links": links,
        "/api/models": models,
        "/api/tables": tables,
        "/api/vocabulary": vocabulary,
        "/api/film": film,
        "/api/lessons": all_lessons,
        "/api/lessons/{name}": one_lesson,
    }


def asked_about_a_state(work: Work, traces: Traces) -> Iterator[APIRoute]:
    """A request carries everything on screen; the answer is made from its trace."""
    questions = {name: (kind, answer, _json) for name, (kind, answer) in QUESTIONS.items()}
    others = {
        "export": (State, or_watched("export", offline_file), _file),
        "read": (reading.ReadQuestion, reading.read, _json),
    }
    for name, (kind, answer, as_response) in {**questions, **others}.items():
        yield AboutAState(f"/api/{name}", work, traces, kind, answer, as_response)


class AboutAState(APIRoute):
    """One question: how it is checked, who answers it, and what the OpenAPI document says about it."""

    def __init__(
        self,
        path: str,
        work: Work,
        traces: Traces,
        kind: type[Strict],
        answer: Callable[..., bytes],
        as_response: Callable[[bytes], Response],
    ):
        async def answered(request: Request) -> Response:
            asked = await checked(kind, await request.body(), request.headers.get("content-type", ""))
            task = traces.shelf.kind_of_work(asked.model) if isinstance(asked, AboutAModel) else path
            if isinstance(asked, TileQuestion) and await asyncio.to_thread(traces.is_read, asked):
                task = MAPS
            return as_response(await work.run(client_of(request), task, answer, traces, asked))

        def documented(asked: Any) -> None: ...

        documented.__name__, documented.__doc__ = path.rpartition("/")[2], answer.__doc__
        documented.__annotations__["asked"] = kind
        self.answered = answered
        super().__init__(path, documented, methods=["POST"], responses=PROBLEMS)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        return self.answered


def client_of(request: Request) -> str:
    """Whoever takes turns with others: the same program with the same session."""
    headers = request.headers
    return f"{headers.get('authorization', '')} {headers.get('user-agent', '')}"


def _file(body: bytes) -> Response:
    headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="regard.html"'}
    return Response(body, media_type="text/html; charset=utf-8", headers=headers)


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})

"""The routes, as a table: what may be asked, and which answer it gets.

The gate stands in front; the work happens in threads.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query
from fastapi.responses import Response

from regard import __version__
from regard.server import lessons, page
from regard.server.entry import Entry
from regard.server.gate import Application, Gate
from regard.server.live import Live
from regard.server.telling import PROBLEMS, tell_problems
from regard.server.trainers import Trainers
from regard.server.work import Work
from regard.session import limits
from regard.session.answering import QUESTIONS
from regard.session.encode import encoded
from regard.session.shelf import Shelf
from regard.session.state import State
from regard.session.traces import Traces
from regard.views.offline import offline_file

Endpoint = Callable[..., Any]
ModelName = Annotated[str, Query(min_length=1, max_length=limits.NAME)]


def application(entry: Entry, port: int, runs: Path | None = None, opened: tuple[str, ...] = ()) -> Application:
    """The whole server as one ASGI application, gate included."""
    files = page.files()
    return Gate(routes(Shelf(runs, opened), files), entry, port, without_session=frozenset(files))


def routes(shelf: Shelf, files: dict[str, page.File]) -> FastAPI:
    work, traces = Work(), Traces(shelf)

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
    for path, endpoint in looked_up(work, shelf).items():
        app.add_api_route(path, endpoint, methods=["GET"])
    for path, endpoint in asked_about_a_state(work, traces).items():
        app.add_api_route(path, endpoint, methods=["POST"])
    if shelf.runs is not None:
        app.add_api_websocket_route("/api/train", Live(Trainers(shelf.runs), shelf, work).serve)
    page.serve(app, files)
    return app


def looked_up(work: Work, shelf: Shelf) -> dict[str, Endpoint]:
    """What is the same for everybody, whatever is on screen."""

    async def health() -> Response:
        """Whether the server answers, and how busy it is."""
        return _json(encoded({"status": "well", "version": __version__, "pending": work.pending}))

    async def models() -> Response:
        """The models that can be opened here."""
        return _json(await work.run("models", lambda wanted: encoded(shelf.listing())))

    async def vocabulary(model: ModelName) -> Response:
        """The words that a model writes, in numerical order."""
        return _json(await work.run(model, lambda wanted: encoded({"words": shelf.model(model).writes})))

    async def all_lessons() -> Response:
        """The worked examples, each with how many of its claims hold."""
        return _json(await work.run("lessons", lambda wanted: lessons.listing()))

    async def one_lesson(name: str) -> Response:
        """One worked example: its trace, and every claim beside what is computed."""
        return _json(await work.run("lessons", lambda wanted: lessons.whole(name[:80])))

    return {
        "/api/health": health,
        "/api/models": models,
        "/api/vocabulary": vocabulary,
        "/api/lessons": all_lessons,
        "/api/lessons/{name}": one_lesson,
    }


def asked_about_a_state(work: Work, traces: Traces) -> dict[str, Endpoint]:
    """A request carries everything on screen; the answer is made from its trace."""

    def answering(name: str, kind: type[State], function: Callable[..., bytes]) -> Endpoint:
        async def answer(asked: State) -> Response:
            return _json(await work.run(asked.model, function, traces, asked))

        answer.__name__, answer.__doc__ = name, function.__doc__
        answer.__annotations__["asked"] = kind  # requests are checked against this, and the OpenAPI document shows it
        return answer

    async def export(asked: State) -> Response:
        """The run as one HTML file that works offline."""
        written = await work.run(asked.model, offline_file, traces, asked)
        headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="regard.html"'}
        return Response(written, media_type="text/html; charset=utf-8", headers=headers)

    questions = {f"/api/{name}": answering(name, *question) for name, question in QUESTIONS.items()}
    return {**questions, "/api/export": export}


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})

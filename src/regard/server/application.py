"""The routes: what may be asked, and which answer it gets. The gate stands in front; the work happens in threads."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from regard import __version__
from regard.lessons import LESSONS
from regard.server import lessons, page
from regard.server.gate import Application, Gate
from regard.server.live import Live
from regard.server.problem import STATUS, Problem, problem_of
from regard.server.trainers import Trainers
from regard.server.work import Work
from regard.session import limits
from regard.session.answering import QUESTIONS
from regard.session.encode import encoded
from regard.session.shelf import Shelf
from regard.session.state import State
from regard.session.traces import Traces
from regard.views.offline import offline_file

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": told, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for status, told in {
        400: "not JSON",
        401: "no token",
        403: "another site, another name, or a wrong token",
        404: "no such model, step, cell or lesson",
        413: "the request or its answer is too large",
        422: "a field is missing, unknown, or out of its bounds",
        503: "too much is being computed already",
    }.items()
}


def application(token: str, port: int, runs: Path | None = None, opened: tuple[str, ...] = ()) -> Application:
    """The whole server as one ASGI application, gate included."""
    return Gate(routes(Shelf(runs, opened)), token, port)


def routes(shelf: Shelf) -> FastAPI:
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
    _tell_problems(app)

    @app.get("/api/health")
    async def health() -> Response:
        """That the server answers, and how much it has to do."""
        return _json(encoded({"status": "well", "version": __version__, "pending": work.pending}))

    @app.get("/api/models")
    async def models() -> Response:
        """The models that can be opened here."""
        return _json(await work.run("models", lambda wanted: encoded(shelf.listing())))

    @app.get("/api/vocabulary")
    async def vocabulary(model: Annotated[str, Query(min_length=1, max_length=limits.NAME)]) -> Response:
        """The words that a model writes, in the order of its numbers."""
        return _json(await work.run(model, lambda wanted: encoded({"words": shelf.model(model).writes})))

    @app.get("/api/lessons")
    async def all_lessons() -> Response:
        """The worked examples, each with how many of its claims hold."""
        return _json(await work.run("lessons", lambda wanted: lessons.listing()))

    @app.get("/api/lessons/{name}")
    async def one_lesson(name: str) -> Response:
        """One worked example: its trace, and every claim beside what is computed."""
        if name not in LESSONS:
            raise Problem(404, f"no lesson {name[:80]!r}; there are {', '.join(LESSONS)}")
        return _json(await work.run("lessons", lambda wanted: lessons.whole(name)))

    for name, (kind, function) in QUESTIONS.items():
        app.add_api_route(
            f"/api/{name}", _answering(work, traces, kind, function), methods=["POST"], description=function.__doc__
        )

    @app.post("/api/export")
    async def export(asked: State) -> Response:
        """The run as one HTML file that works offline."""
        page = await work.run(asked.model, offline_file, traces, asked)
        headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="regard.html"'}
        return Response(page, media_type="text/html; charset=utf-8", headers=headers)

    if shelf.runs is not None:
        live = Live(Trainers(shelf.runs), shelf, work)

        @app.websocket("/api/train")
        async def train(socket: WebSocket) -> None:
            """Training as it happens; see live.py for what is said."""
            await live.serve(socket)

    _serve_page(app)
    return app


def _answering(work: Work, traces: Traces, kind: type[State], function: Callable[..., bytes]) -> Callable[..., Any]:
    """What answers one kind of question about a run."""

    async def answer(asked: State) -> Response:
        return _json(await work.run(asked.model, function, traces, asked))

    answer.__annotations__["asked"] = kind  # what comes is checked against this, and the OpenAPI document says it
    return answer


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


def _serve_page(app: FastAPI) -> None:
    found = page.files()

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def file(request: Request) -> Response:
        wanted = found.get(request.url.path)
        if wanted is None:
            raise Problem(404, "there is nothing here")
        headers = {"etag": wanted.tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == wanted.tag:
            return Response(status_code=304, headers=headers)
        return Response(wanted.content, headers={**headers, "content-type": wanted.kind})


def _tell_problems(app: FastAPI) -> None:
    """Everything that goes wrong becomes the one shape."""

    def told(problem: Problem) -> Response:
        return Response(problem.body(), problem.status, problem.headers, "application/json")

    @app.exception_handler(Problem)
    async def refused(_: Request, problem: Problem) -> Response:
        return told(problem)

    for kind in STATUS:

        @app.exception_handler(kind)
        async def domain(_: Request, error: Exception) -> Response:
            return told(problem_of(error))

    @app.exception_handler(RequestValidationError)
    async def out_of_bounds(_: Request, error: RequestValidationError) -> Response:
        if any(e["type"] == "json_invalid" for e in error.errors()):
            return told(Problem(400, "the request is not JSON"))
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body")[:200]
        more = f" (and {len(error.errors()) - 1} more)" if len(error.errors()) > 1 else ""
        large = "too_long" in first["type"]
        return told(Problem(413 if large else 422, f"{place or 'the request'}: {first['msg']}{more}"))

    @app.exception_handler(HTTPException)
    async def no_route(_: Request, error: HTTPException) -> Response:
        said = {400: "the request is not JSON", 404: "there is nothing here", 405: "this cannot be asked this way"}
        return told(Problem(error.status_code, said.get(error.status_code, "the request cannot be answered")))

    @app.exception_handler(Exception)
    async def failed(_: Request, __: Exception) -> Response:
        # it goes on to the gate, which writes it into the terminal
        return told(Problem(500, "something went wrong in regard itself; the terminal says what"))

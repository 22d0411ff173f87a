"""Everything that goes wrong takes the one shape of server/problem.py, whoever noticed it."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from regard.server.problem import STATUS, Problem, problem_of

# for the OpenAPI document
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": told, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for status, told in {
        400: "not JSON",
        401: "no token",
        403: "another site, another host name, or a wrong token",
        404: "no such model, step, cell or lesson",
        413: "the request or its answer is too large",
        422: "a field is missing, unknown, or out of its bounds",
        503: "too much is being computed already",
    }.items()
}


def tell_problems(app: FastAPI) -> None:
    """Everything that goes wrong takes the one shape."""

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
        said = {400: "the request is not JSON", 404: "there is nothing here", 405: "this method is not allowed here"}
        return told(Problem(error.status_code, said.get(error.status_code, "the request cannot be answered")))

    @app.exception_handler(Exception)
    async def failed(_: Request, __: Exception) -> Response:
        # it is passed to the gate, which writes it to the terminal
        return told(Problem(500, "something went wrong inside regard; the terminal says what"))

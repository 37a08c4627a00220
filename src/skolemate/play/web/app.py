"""The application: routes from the table of endpoints, the page's files, and the guard."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files
from os import cpu_count
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from skolemate.errors import Disagreement, UserError
from skolemate.play.web.guard import Guard, names_of
from skolemate.play.web.handlers import ENDPOINTS, Endpoint, Pending, Site
from skolemate.play.web.openapi import openapi
from skolemate.play.web.runs import PATIENCE, Busy, NotHere, Pool, Run, Shelf, defect
from skolemate.play.web.schema import checked, read_query
from skolemate.render.svg import STYLE

MOST_WAITING = 64  # runs that may wait for their turn
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def application(
    folder: Path,
    *,
    port: int,
    names: Iterable[str] = (),
    at_a_time: int | None = None,
    waiting: int = MOST_WAITING,
    patience: float = PATIENCE,
) -> Guard:
    """The server's application, with its files in `folder`."""
    pool = Pool(at_a_time or cpu_count() or 1, waiting, patience)
    site = Site(Shelf(folder), pool)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        pool.close()

    routes = [_route(site, endpoint) for endpoint in ENDPOINTS]
    described = openapi(ENDPOINTS)
    routes.append(Route("/api/openapi.json", _constant(JSONResponse(described))))
    routes += [Route(path, _constant(answer)) for path, answer in _static()]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, Exception: _unforeseen},
    )
    return Guard(app, names_of(port, names))


Handle = Callable[[Request], Awaitable[Response]]


def _constant(answer: Response) -> Handle:
    async def handle(request: Request) -> Response:
        return answer

    return handle


def _static() -> Iterable[tuple[str, Response]]:
    """The page's files, read once: no request ever names a path on the disk."""
    for file in files("skolemate.play.web").joinpath("static").iterdir():
        media = MEDIA[Path(file.name).suffix]
        path = "/" if file.name == "index.html" else f"/static/{file.name}"
        yield path, Response(file.read_bytes(), media_type=media)
    yield "/static/board.css", Response(STYLE, media_type=MEDIA[".css"])


def _route(site: Site, endpoint: Endpoint) -> Route:
    async def handle(request: Request) -> Response:
        try:
            asked = await _asked(endpoint, request)
            answer = await run_in_threadpool(endpoint.handler, site, asked)
            if isinstance(answer, Pending):
                await _ended(request, answer.run, answer.seconds)
                answer = answer.finish(answer.run)
        except ClientDisconnect:  # nobody reads the answer
            asked_for = f"{endpoint.method} {endpoint.path}"
            print(f"skolemate: a client left in the middle of {asked_for}", file=sys.stderr)
            return Response(status_code=400)
        except NotHere as error:
            return _error(404, str(error))
        except UserError as error:
            return _error(400, str(error))
        except Busy as error:
            return _error(429, str(error), {"Retry-After": "1"})
        except (MemoryError, RecursionError):
            return _error(400, "this is too large for this machine")
        except Disagreement as error:
            return _error(500, f"TWO ANSWERS DISAGREE: {error}")
        if isinstance(answer, Response):
            return answer
        return JSONResponse(answer, endpoint.status)

    return Route(endpoint.path, handle, methods=[endpoint.method], name=endpoint.name)


async def _ended(request: Request, run: Run, seconds: float) -> None:
    """Wait some seconds for the end of a run, without blocking a thread."""
    end = time.monotonic() + seconds
    while not run.ended.is_set() and time.monotonic() < end:
        await asyncio.sleep(0.01)
        if await request.is_disconnected():
            run.cancel.set()  # nobody has been told of this run
            return
        run.asked_about = time.monotonic()


async def _asked(endpoint: Endpoint, request: Request) -> dict[str, Any]:
    """All parameters, checked: from the path, the query and the body."""
    query: dict[str, list[str]] = {}
    for key, value in request.query_params.multi_items():
        query.setdefault(key, []).append(value)
    asked = read_query(query, endpoint.query)
    for name, schema in endpoint.path_parameters.items():
        asked[name] = checked(request.path_params[name], schema, name)
    if endpoint.body is not None:
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media != "application/json":
            raise HTTPException(415, "the body must be JSON, with Content-Type: application/json")
        try:
            body = json.loads(await request.body())
        except (ValueError, RecursionError):
            raise UserError("the body is not JSON") from None
        asked |= checked(body, endpoint.body)
    return asked


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": message}, status, headers)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, error.detail, dict(error.headers or {}))


async def _unforeseen(request: Request, error: Exception) -> Response:
    return _error(500, defect(error))

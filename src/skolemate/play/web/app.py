"""The application: routes from the table of endpoints, the page's files, and who may connect."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files
from os import cpu_count
from pathlib import Path
from threading import Thread
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from skolemate.errors import Disagreement, UserError
from skolemate.play.web import views
from skolemate.play.web.handlers import ENDPOINTS, LARGEST_UPLOAD, Endpoint, Pending, Site
from skolemate.play.web.runs import PATIENCE, Busy, NotHere, PageRun, Pool, Storage, defect
from skolemate.play.web.schema import checked, openapi, read_query
from skolemate.render.svg import STYLE

# --- the guard ------------------------------------------------------------------------------------
# It refuses requests of other sites and requests too large.
#
# Another site must not reach a server on this machine through the browser. So the host's name must
# be one of ours (DNS may point a foreign name here), and so must the origin. Every answer has a
# content policy by which the browser runs only our own files.


LARGEST_BODY = 1 << 20  # bytes
LARGEST_BODIES = {"/api/strategies": LARGEST_UPLOAD + (1 << 20)}  # where that is not enough
LONGEST_ADDRESS = 16_000  # bytes of path and query

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A picture opened by itself has its style inside, and needs nothing else.
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def names_of(port: int, names: Iterable[str]) -> frozenset[str]:
    """The accepted values of the header `Host` for a server on a port."""
    hosts = {"localhost", "127.0.0.1", "[::1]"}
    hosts |= {f"[{name}]" if ":" in name else name.lower() for name in names}
    return frozenset(f"{host}{end}" for host in hosts for end in ("", f":{port}"))


class Guard:
    """An ASGI application that passes accepted requests on to another one."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        read, most = 0, LARGEST_BODIES.get(scope["path"], LARGEST_BODY)

        async def receive_limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise HTTPException(413, _too_large(most))  # the application answers with it
            return message

        await self._app(scope, receive_limited, send_guarded)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return _refused(403, "this server is not called by that name; see serve --name")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            return _refused(403, "requests from other sites are refused")
        # Other sites may link to the page, but may not use the rest.
        foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if foreign and scope["path"] != "/":
            return _refused(403, "requests from other sites are refused")
        if len(scope["raw_path"] or b"") + len(scope["query_string"]) > LONGEST_ADDRESS:
            return _refused(400, "this address is too long")
        length = headers.get("content-length", "0")
        most = LARGEST_BODIES.get(scope["path"], LARGEST_BODY)
        if not length.isdecimal() or int(length[:12]) > most:
            return _refused(413, _too_large(most))
        return None


def _too_large(most: int) -> str:
    return f"more than {most >> 20} MiB is refused"


def _refused(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status)


# --- the application ------------------------------------------------------------------------------


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
    # At least two, so that a move need not wait for a proof.
    pool = Pool(at_a_time or max(2, cpu_count() or 1), waiting, patience)
    site = Site(Storage(folder), pool)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        Thread(target=views.collection, daemon=True).start()  # the first visitor need not wait
        yield
        pool.close()

    routes = [_route(site, endpoint) for endpoint in ENDPOINTS]
    described = openapi(ENDPOINTS)
    media = JSONResponse.media_type
    routes.append(Route("/api/openapi.json", _constant(JSONResponse(described).body, media)))
    routes += [Route(path, _constant(content, media)) for path, content, media in _static()]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, Exception: _unforeseen},
        middleware=[Middleware(GZipMiddleware, minimum_size=1000)],
    )
    return Guard(app, names_of(port, names))


Handle = Callable[[Request], Awaitable[Response]]


def _constant(content: bytes | memoryview, media: str) -> Handle:
    async def handle(request: Request) -> Response:
        return Response(content, media_type=media)  # its headers are changed when it is compressed

    return handle


def _static() -> Iterable[tuple[str, bytes, str]]:
    """The page's files, read once: no request ever names a path on the disk."""
    for file in files("skolemate.play.web").joinpath("static").iterdir():
        media = MEDIA[Path(file.name).suffix]
        path = "/" if file.name == "index.html" else f"/static/{file.name}"
        yield path, file.read_bytes(), media
    yield "/static/board.css", STYLE.encode(), MEDIA[".css"]


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
            return _error(400, "not enough memory on this machine")
        except Disagreement as error:
            return _error(500, f"TWO ANSWERS DISAGREE: {error}")
        if isinstance(answer, Response):
            return answer
        return JSONResponse(answer, endpoint.status)

    return Route(endpoint.path, handle, methods=[endpoint.method], name=endpoint.name)


async def _ended(request: Request, run: PageRun, seconds: float) -> None:
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

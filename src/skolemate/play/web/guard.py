"""The guard before the application: it refuses requests of other sites and requests too large.

Another site must not reach a server on this machine through the browser. So the host's name must
be one of ours (DNS may point a foreign name here), and so must the origin. Every answer has a
content policy by which the browser runs only our own files.
"""

from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 1 << 20  # bytes
TOO_LARGE = f"more than {LARGEST_BODY >> 20} MiB is refused"
LONGEST_ADDRESS = 16_000  # bytes of path and query

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A picture opened by itself has its style inside, and needs nothing else.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
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
        read = 0

        async def receive_limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > LARGEST_BODY:
                raise HTTPException(413, TOO_LARGE)  # the application answers with it
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
        if not length.isdecimal() or int(length[:12]) > LARGEST_BODY:
            return _refused(413, TOO_LARGE)
        return None


def _refused(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status)

"""`skolemate serve`: the page on which games are shown, solved and played."""

import argparse
import os
import socket
import sys
from pathlib import Path

from skolemate.cli.options import add_programs, count, use_programs
from skolemate.errors import UserError, reason

PORT = 8351

SERVE_EXAMPLES = (
    "skolemate serve",
    "skolemate serve --port 0 --no-browser",
)


def configure_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=_port, default=PORT, help=f"0 takes any that is free (default: {PORT})"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="listen there; default: this machine only",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name by which the page may be called",
    )
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="where files and strategies are kept (default: ~/.local/share/skolemate)",
    )
    parser.add_argument(
        "--jobs", type=count, metavar="N", help="runs at a time (default: as many as processors)"
    )
    add_programs(parser)
    parser.add_argument(
        "--no-browser", action="store_true", help="do not open the page in a browser"
    )


def run_serve(arguments: argparse.Namespace) -> int:
    use_programs(arguments)
    try:
        import uvicorn

        from skolemate.play.web.app import application
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise UserError(f"{missing.name} is not installed: pip install 'skolemate[web]'") from None

    with _listening(arguments.host, arguments.port) as listener:
        port = listener.getsockname()[1]
        names = [arguments.host, *arguments.name]
        app = application(_folder(arguments.data), port=port, names=names, at_a_time=arguments.jobs)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=3,
        )
        shown = "127.0.0.1" if arguments.host in ("0.0.0.0", "::") else arguments.host
        address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
        print(f"Skolemate is at {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        if not arguments.no_browser:
            _open(address)
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(256)
    except OSError as error:
        listener.close()
        raise UserError(
            f"cannot listen at {host}, port {port}: {reason(error)}; "
            "choose another port, or --port 0"
        ) from None
    return listener


def _folder(chosen: str | None) -> Path:
    if chosen is not None:
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(home) / "skolemate"


def _open(address: str) -> None:
    """Open the page in a browser, if there is a desktop."""
    if sys.stderr.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        import webbrowser

        webbrowser.open(address)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a port")
    return int(text)

"""`skolemate play`, `gtp` and `serve`: games against the computer."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import skolemate
from skolemate.cli import EXIT_FAILURE, EXIT_INTERRUPTED, options
from skolemate.cli.options import add_programs, count, use_programs
from skolemate.errors import UserError, reason

if TYPE_CHECKING:
    from skolemate import Game, Player
    from skolemate.play.match import Match, Opponent, Thinker


# --- options for the computer's moves -------------------------------------------------------------


SECONDS_A_MOVE = 10.0


def add_thinking(parser: argparse.ArgumentParser) -> None:
    """Depth and limits for each move of the computer, and how it solves."""
    parser.add_argument(
        "-d",
        "--depth",
        type=options.plies,
        metavar="DEPTH",
        help="look at most this many plies ahead",
    )
    parser.add_argument(
        "--timeout",
        type=options.seconds,
        default=SECONDS_A_MOVE,
        metavar="S",
        help=f"seconds for each move (default: {SECONDS_A_MOVE:g})",
    )
    parser.add_argument(
        "--memory", type=options.size, metavar="SIZE", help="memory limit, such as 4G"
    )
    options.add_methods(parser, ("auto", "search", "qbf", "both", "reference"))


def thinker_of(arguments: argparse.Namespace, depth: int | None = None) -> Thinker:
    """The computer's opponent by the options; `depth` is the default depth."""
    from skolemate.play.match import Thinker

    chosen = depth if arguments.depth is None else arguments.depth
    limit = skolemate.Limit(arguments.timeout, arguments.memory)
    return Thinker(analyst_of(how_of(arguments)), limit, chosen)


def how_of(arguments: argparse.Namespace) -> skolemate.How:
    """Wrong names and missing programs are told now, and not in the middle of a game."""
    how = skolemate.How.parse(arguments.engine, arguments.encoding, arguments.pipeline)
    return how.require()


def analyst_of(how: skolemate.How) -> skolemate.Analyst:
    return skolemate.Analyst(how.method(or_slowly=True))


# --- play -----------------------------------------------------------------------------------------


PLAY_EXAMPLES = (
    "skolemate play 'hein(9)'",
    "skolemate play 'hex(size=5)' --side white --timeout 2",
    "skolemate play 'hein(9)' --side white --strategy hein9.jsonl",
)


def configure_play(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    parser.add_argument(
        "--side", choices=("black", "white"), default="black", help="your side (default: black)"
    )
    parser.add_argument("--strategy", metavar="FILE", help="let the computer follow this strategy")
    add_thinking(parser)
    options.add_json(parser)


def run_play(arguments: argparse.Namespace) -> int:
    from skolemate.play.match import Match
    from skolemate.play.session import Session, Terminal

    options.use_programs(arguments)
    game = options.game_of(arguments)
    human = skolemate.Player(arguments.side)
    thinker = thinker_of(arguments, game.remaining_depth)
    if arguments.encoding is not None:
        _check_encodings(game, human.opponent, arguments.encoding)
    opponent: Opponent = thinker
    if arguments.strategy is not None:
        opponent = _follower(arguments.strategy, game, human, thinker)
    session = Session(Match.of(game), human, opponent, thinker, Terminal(), options.interrupting)
    code = 0
    try:
        session.run()
    except KeyboardInterrupt:
        print("\nskolemate: interrupted", file=sys.stderr)
        code = EXIT_INTERRUPTED
    _print_record(session.match, human, arguments.json)
    return EXIT_FAILURE if session.defect else code


def _follower(file: str, game: Game, human: Player, otherwise: Opponent) -> Opponent:
    """The computer as a follower of its strategy in a file."""
    from skolemate.play.match import Follower

    strategy = skolemate.Strategy.load(file, game)
    if strategy.owner is human:
        other = human.opponent.value
        raise skolemate.UserError(
            f"the strategy in {file} is for {human}: play against it with --side {other}"
        )
    return Follower.of(strategy, otherwise)


def _check_encodings(game: Game, computer: Player, encodings: str) -> None:
    """Refuse encodings of which none can state the computer's questions."""
    from skolemate.encodings import Unsupported

    maker = computer.opponent if game.breaker is computer else computer
    refusals: list[Unsupported] = []
    for encoding in encodings.split(","):
        try:
            skolemate.encode(game, 1, maker, encoding=encoding)
        except Unsupported as refusal:
            refusals.append(refusal)
        else:
            return
    raise refusals[0]


def _print_record(match: Match, human: Player, as_json: bool) -> None:
    from skolemate.formats import to_record
    from skolemate.play.session import entries

    if as_json:
        print(to_record(match.game, **entries(match, human)), end="")
    else:
        print(f"{match.base}: {match.result}.")
        print(f"Moves: {' '.join(match.names) or 'none'}")


# --- gtp ------------------------------------------------------------------------------------------


GTP_EXAMPLES = (
    "skolemate gtp",
    "skolemate gtp --timeout 5",
)


def configure_gtp(parser: argparse.ArgumentParser) -> None:
    add_thinking(parser)


def run_gtp(arguments: argparse.Namespace) -> int:
    from skolemate.play.gtp import GtpEngine, serve
    from skolemate.play.session import accept_anything, typed_line

    options.use_programs(arguments)
    all_moves = analyst_of(replace(how_of(arguments), all_moves=True))
    engine = GtpEngine(thinker_of(arguments), all_moves, options.interrupting)
    accept_anything()
    serve(engine, iter(typed_line, ""), lambda answer: print(answer, end="", flush=True))
    return 0


# --- serve ----------------------------------------------------------------------------------------


PORT = 8351

SERVE_EXAMPLES = (
    "skolemate serve",
    "skolemate serve --port 0 --no-browser",
)


def configure_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=_port,
        default=PORT,
        metavar="N",
        help=f"listen on this port; 0 for any free port (default: {PORT})",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="listen on this address (default: 127.0.0.1, this machine only)",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="accept requests that call the server by this name; may be repeated",
    )
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="keep files and strategies in this folder (default: ~/.local/share/skolemate)",
    )
    parser.add_argument(
        "--jobs",
        type=count,
        metavar="N",
        help="how many questions are answered at a time (default: all cores, at least 2)",
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
            "try another port, or --port 0 for any free one"
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

"""Who answers what is asked by HTTP; `endpoints` lists the questions.

Handlers are plain functions of a site and checked parameters; what they return is sent as JSON.
None of them waits: that is left to the application.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from skolemate.ask.portfolio import formulas
from skolemate.encodings import ENCODINGS
from skolemate.errors import UserError
from skolemate.formats import to_bddl, to_pg, to_record, to_sgf
from skolemate.games.bits import cells_of
from skolemate.games.game import Player
from skolemate.play.web import views, work
from skolemate.play.web.guard import PICTURE_POLICY
from skolemate.play.web.runs import Pool, Run, Work
from skolemate.play.web.shelf import NotHere, Shelf
from skolemate.render import svg
from skolemate.solvers import PROGRAMS
from skolemate.strategies import Strategy
from skolemate.strategies.page import page
from skolemate.strategies.tree import grow

QUICK_SECONDS = 0.3  # a run that ends within these is answered at once, without asking again
CANCELLING_SECONDS = 2
DOWNLOAD_SECONDS = 120  # until a formula or a certificate to be downloaded is given up


@dataclass(frozen=True)
class Site:
    """What the handlers work with."""

    shelf: Shelf
    pool: Pool


@dataclass(frozen=True)
class Pending:
    """An answer that is made when a run has ended, or after some seconds if that takes longer."""

    run: Run
    seconds: float
    finish: Callable[[Run], Any] = Run.as_json


Asked = Mapping[str, Any]
Handler = Callable[[Site, Asked], Any]


def _game(site: Site, asked: Asked) -> Any:
    return site.shelf.game(asked["game"], asked.get("moves", ""))


def _start(site: Site, kind: str, carry_out: Work) -> Pending:
    return Pending(site.pool.start(kind, carry_out), QUICK_SECONDS)


def _attachment(content: str | bytes, name: str, media: str) -> Response:
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(content, 200, headers, media)


# --- games ---------------------------------------------------------------------------------------


def list_games(site: Site, asked: Asked) -> Any:
    return views.collection()


def describe(site: Site, asked: Asked) -> Any:
    return views.position(site.shelf, _game(site, asked))


def picture(site: Site, asked: Asked) -> Any:
    game = _game(site, asked)
    won = cells_of(game.winning_cells(game.start))
    drawn = svg(game.start, last=game.last_move, highlights=won)
    headers = {"Content-Security-Policy": PICTURE_POLICY}
    return Response(drawn, 200, headers, "image/svg+xml")


def keep_file(site: Site, asked: Asked) -> Any:
    files = [(file["name"], file["text"]) for file in asked["files"]]
    return views.position(site.shelf, site.shelf.keep(files))


def edit(site: Site, asked: Asked) -> Any:
    black, white, first = asked["black"], asked["white"], asked["first"]
    return views.position(site.shelf, views.edited(site.shelf, asked["game"], black, white, first))


FORMATS: Mapping[str, Callable[[Any], str]] = {
    "pg": to_pg,
    "sgf": to_sgf,
    "bddl": to_bddl,
    "json": to_record,
}


def convert(site: Site, asked: Asked) -> Any:
    game = _game(site, asked)
    if asked["format"] not in views.formats(game):
        raise UserError(f"the page writes {game.name} as {' or '.join(views.formats(game))}")
    written = FORMATS[asked["format"]](game)
    return _attachment(written, f"game.{asked['format']}", "text/plain")


# --- questions -----------------------------------------------------------------------------------


def list_encodings(site: Site, asked: Asked) -> Any:
    return [entry.as_json() for entry in ENCODINGS]


def list_solvers(site: Site, asked: Asked) -> Any:
    return [
        {
            "name": program.name,
            "title": program.title,
            "preprocesses": program.preprocesses,
            "installed": program.find() is not None,
            "install": program.install,
        }
        for program in PROGRAMS
    ]


def solve(site: Site, asked: Asked) -> Any:
    game, player = _game(site, asked), Player(asked["player"])
    encoding, pipeline = asked.get("encoding"), asked.get("pipeline")
    _known(encoding, pipeline)
    how = {"engine": asked.get("engine", "auto"), "encoding": encoding, "pipeline": pipeline}

    def carry_out(run: Run) -> dict[str, Any]:
        return work.solve(
            run,
            site.shelf,
            game,
            player,
            asked["depth"],
            how,
            timeout=asked.get("timeout", 60),
            all_moves=asked.get("all_moves", True),
            verify=asked.get("verify", False),
            strategy=asked.get("strategy", False),
        )

    return _start(site, "solve", carry_out)


def _known(encoding: str | None, pipeline: str | None) -> None:
    """Refuse wrong names before a run begins, and more at a time than a run may do."""
    asked = formulas(encoding, pipeline)
    if len(asked) > work.MOST_SIDE_BY_SIDE:
        most = work.MOST_SIDE_BY_SIDE
        raise UserError(f"the page asks at most {most} formulas side by side, not {len(asked)}")
    for formula in asked:
        formula.require()


def compare(site: Site, asked: Asked) -> Any:
    game, player = _game(site, asked), Player(asked["player"])
    pipeline = asked.get("pipeline")
    _known(None, pipeline)
    timeout, depth = asked.get("timeout", 10), asked["depth"]
    return _start(
        site, "compare", lambda run: work.compare(run, game, player, depth, pipeline, timeout)
    )


def reply(site: Site, asked: Asked) -> Any:
    game, strategy = _game(site, asked), _strategy(site, asked)
    return _start(site, "reply", lambda run: work.reply(run, game, strategy))


def hint(site: Site, asked: Asked) -> Any:
    game, strategy = _game(site, asked), _strategy(site, asked)
    return _start(site, "hint", lambda run: work.hint(run, game, strategy))


def _strategy(site: Site, asked: Asked) -> Strategy | None:
    name = asked.get("strategy")
    return None if name is None else site.shelf.strategy(name)


def encode(site: Site, asked: Asked) -> Any:
    game, player = _game(site, asked), Player(asked.get("player", "black"))
    depth, encoding, suffix = asked["depth"], asked["encoding"], asked["format"]
    ENCODINGS[encoding]

    def carry_out(run: Run) -> bytes:
        return work.encode(game, player, depth, encoding, suffix).encode("ascii")

    return _download(site, "encode", carry_out, f"formula.{suffix}", "text/plain")


def _download(
    site: Site, kind: str, make: Callable[[Run], bytes], name: str, media: str
) -> Pending:
    """A file that is made in a run, and sent when that has ended."""

    def carry_out(run: Run) -> dict[str, Any]:
        made = make(run)
        return {} if run.cancel.is_set() else {"file": made}

    def finish(run: Run) -> Response:
        run.cancel.set()  # nobody will come back for it
        found, run.result = run.result, None  # it may be large
        if not found:
            raise UserError(run.error or "this takes too long; the command line has the time")
        return _attachment(found["file"], name, media)

    return Pending(site.pool.start(kind, carry_out), DOWNLOAD_SECONDS, finish)


def show_run(site: Site, asked: Asked) -> Any:
    return _run(site, asked, asked.get("patience")).as_json()


def cancel_run(site: Site, asked: Asked) -> Any:
    run = _run(site, asked)
    run.cancel.set()
    return Pending(run, CANCELLING_SECONDS)


def _run(site: Site, asked: Asked, patience: int | None = None) -> Run:
    run = site.pool.find(asked["run"], patience)
    if run is None:
        raise NotHere("this run is no longer known here; ask again")
    return run


# --- strategies ----------------------------------------------------------------------------------


def list_strategies(site: Site, asked: Asked) -> Any:
    return site.shelf.strategies()


def show_strategy(site: Site, asked: Asked) -> Any:
    return work.statistics(site.shelf.strategy(asked["strategy"])) | {"id": asked["strategy"]}


def show_tree(site: Site, asked: Asked) -> Any:
    strategy = site.shelf.strategy(asked["strategy"])
    moves = strategy.game.parse_moves(asked.get("moves", ""))
    return views.tree(grow(strategy, moves, asked.get("plies", 3), asked.get("width", 12)))


def check_strategy(site: Site, asked: Asked) -> Any:
    return site.shelf.strategy(asked["strategy"]).check().as_json()


def strategy_file(site: Site, asked: Asked) -> Any:
    written = site.shelf.strategy_path(asked["strategy"]).read_text(encoding="utf-8")
    return _attachment(written, "strategy.jsonl", "application/jsonl")


def strategy_page(site: Site, asked: Asked) -> Any:
    written = page(site.shelf.strategy(asked["strategy"]))
    return _attachment(written, "strategy.html", "text/html")


def certificate(site: Site, asked: Asked) -> Any:
    strategy, encoding, suffix = asked["strategy"], asked["encoding"], asked["format"]
    site.shelf.strategy_path(strategy)  # or there is none
    ENCODINGS[encoding]

    def carry_out(run: Run) -> bytes:
        seconds = float(DOWNLOAD_SECONDS)
        return work.certificate(run, site.shelf, strategy, encoding, suffix, seconds)

    name = f"certificate.{suffix}"
    return _download(site, "certify", carry_out, name, "application/octet-stream")

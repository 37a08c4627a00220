"""The HTTP interface: handlers, and one table of endpoints with their parameters.

Routes, checks of input and the OpenAPI description are made from that table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from skolemate import How
from skolemate.encodings import ENCODINGS
from skolemate.errors import UserError
from skolemate.formats import to_bddl, to_pg, to_record, to_sgf
from skolemate.games import Player, cells_of
from skolemate.play.web import runs, tasks, views
from skolemate.play.web.pasting import pasted
from skolemate.play.web.schema import Schema, array, integer, nullable, obj, text
from skolemate.render import svg
from skolemate.solvers import PROGRAMS
from skolemate.strategies import Strategy
from skolemate.strategies.tree import grow, page

PICTURE_SECONDS = 86_400  # for which a browser may keep a picture of a named game
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

# --- handlers -------------------------------------------------------------------------------------
# Handlers are plain functions of a site and checked parameters; their result is sent as JSON. None
# of them waits: the application does that.


QUICK_SECONDS = 0.3  # the result of a run that ends so soon is sent at once
CANCELLING_SECONDS = 2
DOWNLOAD_SECONDS = 120  # after which the making of a file for download is given up


@dataclass(frozen=True)
class Site:
    """What all handlers share: the kept files, and the pool of runs."""

    storage: runs.Storage
    pool: runs.Pool


@dataclass(frozen=True)
class Pending:
    """An answer to be made when a run has ended, or after some seconds."""

    run: runs.PageRun
    seconds: float
    finish: Callable[[runs.PageRun], Any] = runs.PageRun.as_json


Asked = Mapping[str, Any]
Handler = Callable[[Site, Asked], Any]


def _game(site: Site, asked: Asked) -> Any:
    return site.storage.game(asked["game"], asked.get("moves", ""))


def _start(site: Site, kind: str, carry_out: runs.Work) -> Pending:
    return Pending(site.pool.start(kind, carry_out), QUICK_SECONDS)


def _attachment(content: str | bytes, name: str, media: str) -> Response:
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(content, 200, headers, media)


# --- games ---------------------------------------------------------------------------------------


def list_games(site: Site, asked: Asked) -> Any:
    """`GET /api/games`: the collection."""
    return views.collection()


def describe(site: Site, asked: Asked) -> Any:
    """`GET /api/describe`: a position: stones, moves, threats, picture."""
    return views.position(site.storage, _game(site, asked))


def picture(site: Site, asked: Asked) -> Any:
    """`GET /api/svg`: a position as a picture."""
    game = _game(site, asked)
    won = cells_of(game.winning_cells(game.start))
    drawn = svg(game.start, last=game.last_move, highlights=won)
    headers = {"Content-Security-Policy": PICTURE_POLICY}
    if not runs.is_kept(game):  # a name means the same game for ever
        headers["Cache-Control"] = f"private, max-age={PICTURE_SECONDS}"
    return Response(drawn, 200, headers, "image/svg+xml")


def keep_file(site: Site, asked: Asked) -> Any:
    """`POST /api/files`: read a game from a file, or a problem and its domain."""
    files = [(file["name"], file["text"]) for file in asked["files"]]
    return views.position(site.storage, site.storage.keep(files))


def paste(site: Site, asked: Asked) -> Any:
    """`POST /api/paste`: a game from a text: any format, winning sets, or a drawn board."""
    return views.position(site.storage, pasted(site.storage, asked["text"], asked.get("game")))


def list_sets(site: Site, asked: Asked) -> Any:
    """`GET /api/sets`: the winning sets of each player, if they are listed and not too many."""
    return views.winning_sets(_game(site, asked))


def edit(site: Site, asked: Asked) -> Any:
    """`POST /api/edit`: the game with these stones, and this player to begin."""
    black, white, first = asked["black"], asked["white"], asked["first"]
    return views.position(
        site.storage, views.edited(site.storage, asked["game"], black, white, first)
    )


FORMATS: Mapping[str, Callable[[Any], str]] = {
    "pg": to_pg,
    "sgf": to_sgf,
    "bddl": to_bddl,
    "json": to_record,
}


def convert(site: Site, asked: Asked) -> Any:
    """`GET /api/convert`: a game as a file."""
    game = _game(site, asked)
    if asked["format"] not in views.formats(game):
        raise UserError(f"the page writes {game.name} as {' or '.join(views.formats(game))}")
    written = FORMATS[asked["format"]](game)
    return _attachment(written, f"game.{asked['format']}", "text/plain")


# --- questions -----------------------------------------------------------------------------------


def list_encodings(site: Site, asked: Asked) -> Any:
    """`GET /api/encodings`: the encodings."""
    return [entry.as_json() for entry in ENCODINGS]


def list_solvers(site: Site, asked: Asked) -> Any:
    """`GET /api/solvers`: solvers and preprocessors."""
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
    """`POST /api/solve`: start a run: can the player force a win?"""
    game, player = _game(site, asked), Player(asked["player"])
    how = _how(
        asked.get("engine", "auto"),
        asked.get("encoding"),
        asked.get("pipeline"),
        verify=asked.get("verify", False),
    )

    def carry_out(run: runs.PageRun) -> dict[str, Any]:
        return tasks.solve(
            run,
            site.storage,
            game,
            player,
            asked["depth"],
            how,
            timeout=asked.get("timeout", 60),
            all_moves=asked.get("all_moves", True),
            strategy=asked.get("strategy", False),
        )

    return _start(site, "solve", carry_out)


def value(site: Site, asked: Asked) -> Any:
    """`POST /api/value`: start a run: who wins, and what does every move lead to?"""
    game, strategy = _game(site, asked), asked.get("strategy", False)
    seconds = asked.get("timeout", 60)

    def carry_out(run: runs.PageRun) -> dict[str, Any]:
        return tasks.value(run, site.storage, game, timeout=seconds, strategy=strategy)

    return _start(site, "value", carry_out)


def _how(engine: str, encoding: str | None, pipeline: str | None, verify: bool = False) -> How:
    """Refuse unknown encodings and pipelines, and too many of them, before a run begins."""
    how = How.parse(engine, encoding, pipeline, verify=verify).require()
    if how.in_turn:
        raise UserError("the page runs encodings in parallel, as in cor+,gr, not in turn")
    if len(how.formulas) > tasks.MOST_SIDE_BY_SIDE:
        most, asked = tasks.MOST_SIDE_BY_SIDE, len(how.formulas)
        raise UserError(f"the page runs at most {most} formulas in parallel, not {asked}")
    return how


def compare(site: Site, asked: Asked) -> Any:
    """`POST /api/compare`: start a run: all encodings side by side."""
    game, player = _game(site, asked), Player(asked["player"])
    pipeline = asked.get("pipeline")
    _how("qbf", None, pipeline)
    timeout, depth = asked.get("timeout", 10), asked["depth"]
    return _start(
        site, "compare", lambda run: tasks.compare(run, game, player, depth, pipeline, timeout)
    )


def reply(site: Site, asked: Asked) -> Any:
    """`POST /api/reply`: start a run: the computer's move."""
    game, strategy = _game(site, asked), _strategy(site, asked)
    return _start(site, "reply", lambda run: tasks.reply(run, game, strategy))


def hint(site: Site, asked: Asked) -> Any:
    """`POST /api/hint`: start a run: a winning move, if there is one."""
    game, strategy = _game(site, asked), _strategy(site, asked)
    return _start(site, "hint", lambda run: tasks.hint(run, game, strategy))


def _strategy(site: Site, asked: Asked) -> Strategy | None:
    name = asked.get("strategy")
    return None if name is None else site.storage.strategy(name)


def encode(site: Site, asked: Asked) -> Any:
    """`GET /api/encode`: a question as a formula."""
    game, player = _game(site, asked), Player(asked.get("player", "black"))
    depth, encoding, suffix = asked["depth"], asked["encoding"], asked["format"]
    ENCODINGS[encoding]

    def carry_out(run: runs.PageRun) -> bytes:
        return tasks.encode(game, player, depth, encoding, suffix).encode("ascii")

    return _download(site, "encode", carry_out, f"formula.{suffix}", "text/plain")


def _download(
    site: Site, kind: str, make: Callable[[runs.PageRun], bytes], name: str, media: str
) -> Pending:
    """A file for download, made in a run."""

    def carry_out(run: runs.PageRun) -> dict[str, Any]:
        made = make(run)
        return {} if run.cancel.is_set() else {"file": made}

    def finish(run: runs.PageRun) -> Response:
        run.cancel.set()  # the result is not fetched again
        result, run.result = run.result, None  # it may be large
        if not result:
            raise UserError(run.error or "this takes too long for the page; use the command line")
        return _attachment(result["file"], name, media)

    return Pending(site.pool.start(kind, carry_out), DOWNLOAD_SECONDS, finish)


def show_run(site: Site, asked: Asked) -> Any:
    """`GET /api/runs/{run}`: a run: state, progress, result."""
    return _run(site, asked, asked.get("patience")).as_json()


def cancel_run(site: Site, asked: Asked) -> Any:
    """`DELETE /api/runs/{run}`: cancel a run."""
    run = _run(site, asked)
    run.cancel.set()
    return Pending(run, CANCELLING_SECONDS)


def _run(site: Site, asked: Asked, patience: int | None = None) -> runs.PageRun:
    run = site.pool.find(asked["run"], patience)
    if run is None:
        raise runs.NotHere("this run is no longer known here; ask again")
    return run


# --- strategies ----------------------------------------------------------------------------------


def list_strategies(site: Site, asked: Asked) -> Any:
    """`GET /api/strategies`: what is kept."""
    return site.storage.strategies()


def upload_strategy(site: Site, asked: Asked) -> Any:
    """`POST /api/strategies`: start a run: check a strategy's file, and keep it if it holds."""
    name, text, game = asked["name"], asked["text"], asked.get("game")

    def carry_out(run: runs.PageRun) -> dict[str, Any]:
        kept = site.storage.accept_strategy(name, text, game)
        return tasks.statistics(site.storage.strategy(kept)) | {"id": kept}

    return _start(site, "upload", carry_out)


def show_strategy(site: Site, asked: Asked) -> Any:
    """`GET /api/strategies/{strategy}`: about a strategy."""
    return tasks.statistics(site.storage.strategy(asked["strategy"])) | {"id": asked["strategy"]}


def show_tree(site: Site, asked: Asked) -> Any:
    """`GET /api/strategies/{strategy}/tree`: its replies as a tree."""
    strategy = site.storage.strategy(asked["strategy"])
    moves = strategy.game.parse_moves(asked.get("moves", ""))
    return views.tree(grow(strategy, moves, asked.get("plies", 3), asked.get("width", 12)))


def check_strategy(site: Site, asked: Asked) -> Any:
    """`GET /api/strategies/{strategy}/check`: check it by the rules."""
    return site.storage.strategy(asked["strategy"]).check().as_json()


def strategy_file(site: Site, asked: Asked) -> Any:
    """`GET /api/strategies/{strategy}/file`: its file."""
    written = site.storage.strategy_path(asked["strategy"]).read_text(encoding="utf-8")
    return _attachment(written, "strategy.jsonl", "application/jsonl")


def strategy_page(site: Site, asked: Asked) -> Any:
    """`GET /api/strategies/{strategy}/page`: a page to step through it."""
    strategy = site.storage.strategy(asked["strategy"])
    written = page(strategy, strategy.game.parse_moves(asked.get("moves", "")))
    return _attachment(written, "strategy.html", "text/html")


def certificate(site: Site, asked: Asked) -> Any:
    """`GET /api/strategies/{strategy}/certificate`: its certificate, AIGER."""
    strategy, encoding, suffix = asked["strategy"], asked["encoding"], asked["format"]
    site.storage.strategy_path(strategy)  # or there is none
    ENCODINGS[encoding]

    def carry_out(run: runs.PageRun) -> bytes:
        seconds = float(DOWNLOAD_SECONDS)
        return tasks.certificate(run, site.storage, strategy, encoding, suffix, seconds)

    name = f"certificate.{suffix}"
    return _download(site, "certify", carry_out, name, "application/octet-stream")


# --- endpoints ------------------------------------------------------------------------------------


DEEPEST = 400
LARGEST_UPLOAD = 8 << 20  # characters of a strategy's file
LONGEST_RUN = 3600


@dataclass(frozen=True)
class Endpoint:
    """An endpoint of the interface. `media` is the type of its answer, `answer` the JSON schema."""

    method: str
    path: str
    summary: str
    handler: Handler
    query: Schema = field(default_factory=lambda: obj({}))
    body: Schema | None = None
    media: str = "application/json"
    answer: Schema | None = None
    status: int = 200

    @property
    def name(self) -> str:
        return self.handler.__name__

    @property
    def has_parameters(self) -> bool:
        return bool(self.path_parameters or self.query["properties"] or self.body)

    @property
    def path_parameters(self) -> dict[str, Schema]:
        known = {"run": RUN_ID, "strategy": STRATEGY}
        return {name: known[name] for name in known if f"{{{name}}}" in self.path}


# --- parameters ----------------------------------------------------------------------------------

GAME = text(longest=8000, example="hein(9)", description="A game string, as on the command line.")
MOVES = text(
    longest=8000, example="b2", description="Moves played from there, separated by blanks."
)
PLAYER = text(enum=["black", "white"])
PATIENCE_MEANS = "seconds until the run is stopped, unless it is asked about again"
DEPTH = integer(0, DEEPEST, example=7)
ENCODING = text(longest=20, example="et")
PIPELINE = text(longest=100, example="caqe")
SIDE_BY_SIDE = "Several, separated by commas, run in parallel."
ENCODINGS_ASKED = text(longest=100, example="et,en", description=SIDE_BY_SIDE)
PIPELINES_ASKED = text(longest=200, example="caqe,depqbf", description=SIDE_BY_SIDE)
SECONDS = integer(1, LONGEST_RUN, example=10)
CELLS = array(text(longest=100), 400)
RUN_ID = text(longest=32, pattern="[0-9a-f]{32}", example="0123456789abcdef0123456789abcdef")
STRATEGY = text(longest=16, pattern=runs.STRATEGY_ID, example="0123456789abcdef")
BOOLEAN: Schema = {"type": "boolean"}

POSITION = {"game": GAME}
MOVED = {"moves": MOVES}
ANYTHING: Schema = {"type": "object"}
LIST: Schema = {"type": "array", "items": ANYTHING}
RUN: Schema = {
    "type": "object",
    "required": ["id", "kind", "state", "seconds", "events", "result", "error"],
    "properties": {
        "id": {"type": "string"},
        "kind": {"type": "string"},
        "state": {"type": "string", "enum": list(runs.STATES)},
        "seconds": nullable({"type": "number"}),
        "events": LIST,
        "result": nullable(ANYTHING),
        "error": nullable({"type": "string"}),
    },
}
DESCRIBED: Schema = {
    "type": "object",
    "required": ["game", "base", "title", "played", "to_move", "over", "winner", "choices", "svg"],
}


# --- the table -----------------------------------------------------------------------------------

FILE_NAME = text(longest=200, example="puzzle.pg")
FILE = obj({"name": FILE_NAME, "text": text(longest=1 << 20)})
TREE_QUERY = obj({}, MOVED | {"plies": integer(0, 6), "width": integer(1, 60)})

ENDPOINTS = (
    Endpoint("GET", "/api/games", "The collection.", list_games, answer=ANYTHING),
    Endpoint(
        *("GET", "/api/describe", "A position: stones, moves, threats, picture.", describe),
        query=obj(POSITION, MOVED),
        answer=DESCRIBED,
    ),
    Endpoint(
        *("GET", "/api/svg", "A position as a picture.", picture),
        query=obj(POSITION, MOVED),
        media="image/svg+xml",
    ),
    Endpoint(
        *("GET", "/api/convert", "A game as a file.", convert),
        query=obj(POSITION | {"format": text(enum=list(FORMATS))}, MOVED),
        media="text/plain",
    ),
    Endpoint(
        *("POST", "/api/files", "Read a game from a file, or a problem and its domain.", keep_file),
        body=obj({"files": array(FILE, 2)}),
        answer=DESCRIBED,
    ),
    Endpoint(
        *("POST", "/api/paste", "A game from a text, or a drawn position of a game.", paste),
        body=obj({"text": text(longest=1 << 20, example="tictactoe")}, {"game": GAME}),
        answer=DESCRIBED,
    ),
    Endpoint(
        *("GET", "/api/sets", "The winning sets of each player.", list_sets),
        query=obj(POSITION),
        answer=ANYTHING,
    ),
    Endpoint(
        *("POST", "/api/edit", "The game with these stones, and this player to begin.", edit),
        body=obj({"game": GAME, "black": CELLS, "white": CELLS, "first": PLAYER}),
        answer=DESCRIBED,
    ),
    Endpoint("GET", "/api/encodings", "The encodings.", list_encodings, answer=LIST),
    Endpoint("GET", "/api/solvers", "Solvers and preprocessors.", list_solvers, answer=LIST),
    Endpoint(
        *("POST", "/api/solve", "Start a run: can the player force a win?", solve),
        body=obj(
            POSITION
            | {"player": PLAYER, "depth": {"anyOf": [DEPTH, text(longest=4, enum=["auto"])]}},
            MOVED
            | {
                "engine": text(longest=6, enum=["auto", "search", "qbf", "both"]),
                "encoding": nullable(ENCODINGS_ASKED),
                "pipeline": nullable(PIPELINES_ASKED),
                "timeout": SECONDS,
                "all_moves": BOOLEAN,
                "verify": BOOLEAN,
                "strategy": BOOLEAN,
            },
        ),
        answer=RUN,
        status=202,
    ),
    Endpoint(
        *("POST", "/api/value", "Start a run: who wins, and what does every move lead to?", value),
        body=obj(POSITION, MOVED | {"timeout": SECONDS, "strategy": BOOLEAN}),
        answer=RUN,
        status=202,
    ),
    Endpoint(
        *("POST", "/api/compare", "Start a run: compare all encodings.", compare),
        body=obj(
            POSITION | {"player": PLAYER, "depth": DEPTH},
            MOVED | {"pipeline": nullable(PIPELINE), "timeout": SECONDS},
        ),
        answer=RUN,
        status=202,
    ),
    Endpoint(
        *("POST", "/api/reply", "Start a run: the computer's move.", reply),
        body=obj(POSITION, MOVED | {"strategy": nullable(STRATEGY)}),
        answer=RUN,
        status=202,
    ),
    Endpoint(
        *("POST", "/api/hint", "Start a run: a winning move, if there is one.", hint),
        body=obj(POSITION, MOVED | {"strategy": nullable(STRATEGY)}),
        answer=RUN,
        status=202,
    ),
    Endpoint(
        *("GET", "/api/encode", "A question as a formula.", encode),
        query=obj(
            POSITION
            | {"depth": DEPTH, "encoding": ENCODING, "format": text(enum=["qdimacs", "qcir"])},
            MOVED | {"player": PLAYER},
        ),
        media="text/plain",
    ),
    Endpoint(
        *("GET", "/api/runs/{run}", "A run: state, progress, result.", show_run),
        query=obj({}, {"patience": integer(1, int(runs.PATIENCE), description=PATIENCE_MEANS)}),
        answer=RUN,
    ),
    Endpoint("DELETE", "/api/runs/{run}", "Cancel a run.", cancel_run, answer=RUN),
    Endpoint("GET", "/api/strategies", "What is kept.", list_strategies, answer=LIST),
    Endpoint(
        *("POST", "/api/strategies", "Start a run: check a file, keep it.", upload_strategy),
        body=obj({"name": FILE_NAME, "text": text(longest=LARGEST_UPLOAD)}, {"game": GAME}),
        answer=RUN,
        status=202,
    ),
    Endpoint(
        *("GET", "/api/strategies/{strategy}", "About a strategy.", show_strategy), answer=ANYTHING
    ),
    Endpoint(
        *("GET", "/api/strategies/{strategy}/tree", "Its replies as a tree.", show_tree),
        query=TREE_QUERY,
        answer=ANYTHING,
    ),
    Endpoint(
        *("GET", "/api/strategies/{strategy}/check", "Check it by the rules.", check_strategy),
        answer=ANYTHING,
    ),
    Endpoint(
        *("GET", "/api/strategies/{strategy}/file", "Its file.", strategy_file),
        media="application/jsonl",
    ),
    Endpoint(
        *("GET", "/api/strategies/{strategy}/page", "A page to step through it.", strategy_page),
        query=obj({}, MOVED),
        media="text/html",
    ),
    Endpoint(
        *("GET", "/api/strategies/{strategy}/certificate", "Its certificate, AIGER.", certificate),
        query=obj({"encoding": ENCODING, "format": text(enum=["aag", "aig"])}),
        media="application/octet-stream",
    ),
)

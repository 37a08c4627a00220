"""The HTTP interface: what can be asked, with which parameters, and who answers.

One table, from which the routes, the checks of all input, and the OpenAPI description are made.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from skolemate.play.web.handlers import (
    FORMATS,
    Handler,
    cancel_run,
    certificate,
    check_strategy,
    compare,
    convert,
    describe,
    edit,
    encode,
    hint,
    keep_file,
    list_encodings,
    list_games,
    list_solvers,
    list_strategies,
    picture,
    reply,
    show_run,
    show_strategy,
    show_tree,
    solve,
    strategy_file,
    strategy_page,
)
from skolemate.play.web.runs import PATIENCE, STATES
from skolemate.play.web.schema import Schema, array, integer, nullable, obj, text
from skolemate.play.web.shelf import STRATEGY_ID

__all__ = ["ENDPOINTS", "Endpoint"]

DEEPEST = 400
LONGEST_RUN = 3600


@dataclass(frozen=True)
class Endpoint:
    """One thing that can be asked. `media` is what comes back, and `answer` its schema if JSON."""

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
MOVES = text(longest=8000, example="b2", description="Moves played from there, by blanks.")
PLAYER = text(enum=["black", "white"])
PATIENCE_MEANS = "seconds until the run is stopped, unless it is asked about again"
DEPTH = integer(0, DEEPEST, example=7)
ENCODING = text(longest=20, example="et")
PIPELINE = text(longest=100, example="caqe")
SIDE_BY_SIDE = "Several, with commas, are asked side by side."
ENCODINGS_ASKED = text(longest=100, example="et,en", description=SIDE_BY_SIDE)
PIPELINES_ASKED = text(longest=200, example="caqe,depqbf", description=SIDE_BY_SIDE)
SECONDS = integer(1, LONGEST_RUN, example=10)
CELLS = array(text(longest=100), 400)
RUN_ID = text(longest=32, pattern="[0-9a-f]{32}", example="0123456789abcdef0123456789abcdef")
STRATEGY = text(longest=16, pattern=STRATEGY_ID, example="0123456789abcdef")
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
        "state": {"type": "string", "enum": list(STATES)},
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

FILE = obj({"name": text(longest=200, example="puzzle.pg"), "text": text(longest=1 << 20)})
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
        *("POST", "/api/compare", "Start a run: all encodings side by side.", compare),
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
        query=obj({}, {"patience": integer(1, int(PATIENCE), description=PATIENCE_MEANS)}),
        answer=RUN,
    ),
    Endpoint("DELETE", "/api/runs/{run}", "Cancel a run.", cancel_run, answer=RUN),
    Endpoint("GET", "/api/strategies", "What is kept.", list_strategies, answer=LIST),
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
        media="text/html",
    ),
    Endpoint(
        *("GET", "/api/strategies/{strategy}/certificate", "Its certificate, AIGER.", certificate),
        query=obj({"encoding": ENCODING, "format": text(enum=["aag", "aig"])}),
        media="application/octet-stream",
    ),
)

"""What is done in runs: solving, playing, comparing, certifying. All of it is the Python API.

Each function takes a run, which it tells of its progress and which may be cancelled, and gives the
result as plain data.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from skolemate import api
from skolemate.ask import Answer, Question, Verdict
from skolemate.ask.method import Method, Progress
from skolemate.ask.portfolio import formulas
from skolemate.ask.qbf import Qbf, default_encoding, default_pipeline
from skolemate.ask.search import Search
from skolemate.encodings import ENCODINGS, Meaning, Unsupported
from skolemate.errors import UserError
from skolemate.games.game import Game, Player
from skolemate.games.positional import PositionalGame
from skolemate.limits import Budget, Limit, OutOfBudget, Reason
from skolemate.output import amount, plies, temporary_folder
from skolemate.play.match import Match
from skolemate.play.method import Automatic
from skolemate.play.opponent import Follower, Opponent
from skolemate.play.thinker import Thinker, no_hint
from skolemate.play.web.runs import Run
from skolemate.play.web.shelf import Shelf
from skolemate.play.web.views import named
from skolemate.search.engine import refusal
from skolemate.solvers.process import run as run_process
from skolemate.strategies import Strategy, Unfinished

__all__ = [
    "MOST_SIDE_BY_SIDE",
    "certificate",
    "compare",
    "deepest",
    "encode",
    "hint",
    "reply",
    "solve",
    "statistics",
]

MOST_WORK = 20_000  # cells times plies of a formula: some hundred megabytes
MOST_COMPARED = 2_000  # the same where every encoding is built, also the quadratic ones
MOST_LISTED = 36  # cells of a placement game that is still stated through BDDL
MOST_NODES = 100_000  # of a strategy
MOST_SIDE_BY_SIDE = 4  # formulas in one run
LARGEST_CERTIFICATE = 64 << 20  # bytes
MEMORY = 2 << 30  # bytes for each program
ALL_MOVES_SECONDS = 10.0  # to find the other winning moves, once there is one
THINKING_SECONDS = 5.0  # for a move or a hint
SIZES_SECONDS = 0.5  # to tell the size of a formula that nobody has asked for


ELSEWHERE = "the command line goes further"


class TooLarge(UserError):
    """More than the page takes; not more than others can."""


def deepest(game: Game, work: int = MOST_WORK) -> int:
    """The greatest depth that the page asks about in a game."""
    return work // game.board.size


def _refuse_depth(game: Game, depth: int, work: int = MOST_WORK) -> None:
    if depth > deepest(game, work):
        raise TooLarge(
            f"on a board of {game.board.size} cells the page goes up to depth "
            f"{deepest(game, work)}, not {depth}; {ELSEWHERE}"
        )


def solve(
    run: Run,
    shelf: Shelf,
    game: Game,
    player: Player,
    depth: int | Literal["auto"],
    how: Mapping[str, Any],
    *,
    timeout: float,
    all_moves: bool,
    verify: bool,
    strategy: bool,
) -> dict[str, Any]:
    """The answer, the size of its formula, and a strategy to play against if that is wanted.

    `how` has the arguments engine, encoding and pipeline of `api.solve`.
    """
    deepening: dict[str, Any] = {}
    if isinstance(depth, int):
        _refuse_depth(game, depth)
    elif game.horizon is None or game.horizon > deepest(game):
        deepening["max_depth"] = deepest(game)
    options = _options(run, Question(game, player, 1), how, timeout, verify)
    options["progress"](Progress(depth if isinstance(depth, int) else 0, None, 0.0))
    answer = api.solve(game, depth, player, verify=verify, **deepening, **options)
    found = run.result = _told(answer)  # already to be seen while more is worked out
    if all_moves and answer.first_moves and not answer.first_moves_complete:
        answer = _with_all_moves(answer, options)
        found = run.result = _told(answer)
    if strategy and answer.verdict is not Verdict.UNKNOWN and not run.cancel.is_set():
        name = shelf.strategy_name(game, player, depth)
        note = _keep_strategy(shelf, answer, name, options)
        kept = None
        if not note:
            kept = {"id": name, "certifies": _certifies(answer)}
            kept |= statistics(shelf.strategy(name))
        found = found | {"strategy": kept, "note": note or answer.note}
    return found


def _told(answer: Answer) -> dict[str, Any]:
    moves = [named(answer.game, move, answer.player) for move in answer.first_moves or ()]
    return {
        **_place(answer.game),
        "answer": answer.as_json(),
        "sentence": f"{answer}.",
        "moves": moves,
        "moves_title": answer.first_moves_title,
        "sizes": _sizes(answer),
        "strategy": None,
        "note": answer.note,
    }


def _with_all_moves(answer: Answer, options: Mapping[str, Any]) -> Answer:
    """The answer with every winning first move, if these are found soon enough."""
    limited = {**options, "timeout": min(options["timeout"], ALL_MOVES_SECONDS), "progress": None}
    more = api.solve(answer.game, answer.depth, answer.player, all_moves=True, **limited)
    if not more.first_moves_complete:
        return answer
    return replace(answer, first_moves=more.first_moves, first_moves_complete=True)


def _options(
    run: Run, question: Question, how: Mapping[str, Any], timeout: float, verify: bool
) -> dict[str, Any]:
    """What solving and proving share."""
    asked = formulas(how["encoding"], how["pipeline"])
    named = how["encoding"] or how["pipeline"] or how["engine"] in ("qbf", "both")
    searches = not named and refusal(question.game) is None
    workers = ["search"] if searches or how["engine"] == "both" else []
    workers += [] if searches else [_worker(formula, question) for formula in asked]
    worker = ", ".join(workers)

    def tell(progress: Progress) -> None:
        if progress.nodes is not None and progress.nodes > MOST_NODES:
            most = amount(MOST_NODES, "node")
            raise TooLarge(f"its strategy has more than {most}; {ELSEWHERE}")
        run.tell(
            depth=progress.depth,
            verdict=progress.verdict.value if progress.verdict else None,
            seconds=progress.wall_seconds,
            worker=worker,
            nodes=progress.nodes,
        )

    return {
        **how,
        # The pool is what runs side by side, but for what was asked for side by side.
        "jobs": 1 if len(workers) == 1 else None,
        "timeout": timeout,
        # The limit is for programs; the search is in this process, which all runs share.
        "memory": None if searches and not verify else MEMORY,
        "progress": tell,
        "cancel": run.cancel,
    }


def _worker(formula: Qbf, question: Question) -> str:
    encoding = formula.encoding or default_encoding(question)
    return f"{formula.pipeline or default_pipeline(encoding)} on {encoding}"


def _keep_strategy(
    shelf: Shelf, answer: Answer, name: str, options: Mapping[str, Any]
) -> str | None:
    """Work the strategy out unless it is there; why that was not possible, if so."""
    if shelf.holds(name, api.claim(answer)):
        return None
    with temporary_folder() as folder:
        file = str(Path(folder, "strategy.jsonl"))
        try:
            api.prove(answer, file, **options)
        except (Unfinished, Unsupported, TooLarge) as error:
            return str(error)
        if not api.check(file, answer.game).holds:
            return "the strategy does not hold"
        shelf.keep_strategy(name, file)
    return None


def statistics(strategy: Strategy) -> dict[str, Any]:
    """About a strategy, and where it starts."""
    turn = strategy.game.start.to_move
    return {
        **strategy.statistics(),
        **_place(strategy.game),
        "first": turn.value if turn else None,
    }


def _place(game: Game) -> dict[str, Any]:
    """Where a position is: the game without its moves, and these."""
    return {
        "base": str(game.rewound()),
        "played": [game.move_name(move) for move in game.played],
    }


def _certifies(answer: Answer) -> str | None:
    """The encoding whose formula the strategy is to certify: that of the answer, if it is exact."""
    if answer.game.breaker is answer.player:
        return None  # no formula is about the Breaker's win
    encoding = answer.encoding
    if encoding is None or ENCODINGS[encoding].meaning is not Meaning.EXACT:
        encoding = default_encoding(Question(answer.game, answer.player, answer.depth))
    return encoding


def _sizes(answer: Answer) -> dict[str, Any] | None:
    """The size of the formula that gave the answer, or of the one that would."""
    if answer.depth > deepest(answer.game) or answer.reason is Reason.TIME:
        return None
    question = Question(answer.game, answer.player, answer.depth)
    try:
        with Budget(Limit(SIZES_SECONDS)).heeded():
            encoding = answer.encoding or default_encoding(question)
            [sizes] = api.stats(question, encoding=[encoding])
    except (UserError, OutOfBudget):  # there is none, as for the Breaker, or it takes too long
        return None
    return sizes


# --- playing -------------------------------------------------------------------------------------


def _thinker(game: Game) -> Thinker:
    method: Method = Search(jobs=1) if refusal(game) is None else Automatic()
    return Thinker(method, Limit(THINKING_SECONDS), deepest(game))


def reply(run: Run, game: Game, strategy: Strategy | None) -> dict[str, Any]:
    """The computer's move: by the strategy as far as it goes, else by solving on the fly."""
    match = Match.of(game)
    if match.over:
        raise UserError(f"the game is over: {match.result}")
    opponent: Opponent = _thinker(game)
    if strategy is not None and _is_about(strategy, game):
        opponent = Follower.of(strategy, opponent)
    found = opponent.reply(match, run.cancel)
    after = match.play(found.move, found.claim)
    assert match.position.to_move is not None, "somebody is to move"
    return named(game, found.move, match.position.to_move) | {
        "sentence": found.remark,
        "promised": after.promised(match.position.to_move),
    }


def hint(run: Run, game: Game, strategy: Strategy | None) -> dict[str, Any]:
    """A winning move of the player to move, or why there is none to tell."""
    match, player = Match.of(game), game.start.to_move
    if match.over or player is None:
        raise UserError(f"the game is over: {match.result}")
    if strategy is not None and strategy.claim.wins and _is_about(strategy, game):
        move = strategy.move(game.start)
        if move is not None:
            found = named(game, move, player)
            return found | {"sentence": f"{found['short']} is the move of the strategy."}
    budget = Budget(Limit(THINKING_SECONDS), run.cancel)
    answer, move = _thinker(game).winning_move(game, player, budget)
    if move is None:
        return {"move": None, "short": None, "cells": [], "sentence": no_hint(answer)}
    found = named(game, move, player)
    return found | {"sentence": f"{found['short']} wins within {plies(answer.depth)}."}


def _is_about(strategy: Strategy, game: Game) -> bool:
    return strategy.game.rewound() == game.rewound()


# --- formulas ------------------------------------------------------------------------------------


def compare(
    run: Run, game: Game, player: Player, depth: int, pipeline: str | None, timeout: float
) -> dict[str, Any]:
    """Every encoding that can state the question: how large it is, and how long it takes."""
    _refuse_depth(game, depth, MOST_COMPARED)
    question = Question(game, player, depth)
    rows: list[dict[str, Any]] = []
    for entry in ENCODINGS:
        if run.cancel.is_set():
            break
        if "bddl" in entry.views and isinstance(game, PositionalGame):
            if game.board.size > MOST_LISTED:
                continue  # to write all winning sets down as BDDL takes far too long
        try:
            [sizes] = api.stats(question, encoding=[entry.name])
        except Unsupported:
            continue
        answer = api.solve(
            game,
            depth,
            player,
            encoding=entry.name,
            pipeline=pipeline,
            timeout=timeout,
            memory=MEMORY,
            cancel=run.cancel,
        )
        rows.append(
            sizes
            | {
                "verdict": answer.verdict.value,
                "reason": answer.reason.value if answer.reason else None,
                "pipeline": answer.pipeline,
                "seconds": answer.wall_seconds,
            }
        )
        run.result = {"rows": list(rows)}
        run.tell(worker=entry.name, verdict=answer.verdict.value, seconds=answer.wall_seconds)
    if not rows and not run.cancel.is_set():
        raise UserError("no encoding can state this question")
    return {"rows": rows}


def encode(game: Game, player: Player, depth: int, encoding: str, suffix: str) -> str:
    """The formula as the text of a file."""
    _refuse_depth(game, depth)
    with temporary_folder() as folder:
        file = Path(folder, f"formula.{suffix}")
        api.write_formula(api.encode(game, depth, player, encoding=encoding), str(file))
        return file.read_text(encoding="ascii")


def certificate(
    run: Run, shelf: Shelf, strategy: str, encoding: str, suffix: str, seconds: float
) -> bytes:
    """The certificate that a kept strategy is of a formula, checked, as the content of a file.

    It is made in a process of its own: a SAT solver can be stopped, and limited, in no other way.
    """
    kept = shelf.strategy(strategy)
    _refuse_depth(kept.game, kept.depth)
    with temporary_folder() as folder:
        file = Path(folder, f"certificate.{suffix}")
        command = [sys.executable, "-m", "skolemate.play.web.certifying", str(shelf.folder)]
        outcome = run_process(
            [*command, strategy, encoding, str(file)], Limit(seconds, MEMORY), run.cancel
        )
        if outcome.stopped is not None:
            raise TooLarge(f"its certificate takes too much {outcome.stopped.value}; {ELSEWHERE}")
        if outcome.code != 0:
            raise UserError(outcome.stderr.strip() or outcome.complaint())
        if file.stat().st_size > LARGEST_CERTIFICATE:
            raise TooLarge(f"its certificate is too large for the page; {ELSEWHERE}")
        return file.read_bytes()

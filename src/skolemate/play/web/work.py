"""What is done in runs: solving, answering a move, hinting, comparing. All of it is the Python API.

Each function takes a run, which it tells of its progress and which may be cancelled, and gives the
result as plain data.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Literal

from skolemate import api
from skolemate.ask import Answer, Question, Verdict
from skolemate.ask.method import Progress, Report
from skolemate.ask.qbf import default_encoding, default_pipeline
from skolemate.encodings import ENCODINGS, Unsupported
from skolemate.errors import UserError
from skolemate.games.game import Game, Move, Player
from skolemate.limits import Budget, Limit
from skolemate.play.match import Match
from skolemate.play.method import Automatic
from skolemate.play.opponent import Follower, Opponent
from skolemate.play.thinker import Thinker, no_hint, plies
from skolemate.play.web.runs import Run
from skolemate.play.web.shelf import Shelf
from skolemate.strategies import Strategy, Unfinished

__all__ = ["MOST_WORK", "compare", "deepest", "encode", "hint", "reply", "solve", "statistics"]

MOST_WORK = 20_000  # cells times plies of a formula: some hundred megabytes
MOST_COMPARED = 2_000  # the same where every encoding is built, also the quadratic ones
MEMORY = 2 << 30  # bytes for each program
THINKING_SECONDS = 5.0  # for a move or a hint


def deepest(game: Game, work: int = MOST_WORK) -> int:
    """The greatest depth that the page asks about in a game."""
    return work // game.board.size


def _refuse_depth(game: Game, depth: int, work: int = MOST_WORK) -> None:
    if depth > deepest(game, work):
        raise UserError(
            f"on a board of {game.board.size} cells the page goes up to depth "
            f"{deepest(game, work)}, not {depth}; the command line goes further"
        )


def solve(
    run: Run,
    shelf: Shelf,
    game: Game,
    player: Player,
    depth: int | Literal["auto"],
    *,
    encoding: str | None,
    pipeline: str | None,
    timeout: float,
    all_moves: bool,
    strategy: bool,
) -> dict[str, Any]:
    """The answer, the size of its formula, and a strategy to play against if that is wanted."""
    options: dict[str, Any] = {
        "encoding": encoding,
        "pipeline": pipeline,
        "timeout": timeout,
        "memory": MEMORY,
        "progress": _teller(run, Question(game, player, 1), encoding, pipeline),
        "cancel": run.cancel,
    }
    if isinstance(depth, int):
        _refuse_depth(game, depth)
    elif game.horizon is None or game.horizon > deepest(game):
        options["max_depth"] = deepest(game)
    answer = api.solve(game, depth, player, all_moves=all_moves, **options)
    found: dict[str, Any] = {
        "answer": answer.as_json(),
        "sentence": f"{answer}.",
        "sizes": _sizes(answer),
        "strategy": None,
        "note": answer.detail,
    }
    run.result = found  # already to be seen while the strategy is worked out
    if strategy and answer.verdict is not Verdict.UNKNOWN and not run.cancel.is_set():
        name = shelf.strategy_name(game, player, depth)
        note = _keep_strategy(run, shelf, answer, name, encoding, pipeline, timeout)
        kept = None if note else {"id": name} | statistics(shelf.strategy(name))
        found = found | {"strategy": kept, "note": note or answer.detail}
    return found


def _keep_strategy(
    run: Run,
    shelf: Shelf,
    answer: Answer,
    name: str,
    encoding: str | None,
    pipeline: str | None,
    timeout: float,
) -> str | None:
    """Work the strategy out unless it is there; why that was not possible, if so."""
    claimed = api.claim(answer)
    if shelf.holds(name, claimed.player, claimed.depth, claimed.wins):
        return None
    with tempfile.TemporaryDirectory(prefix="skolemate-") as folder:
        file = str(Path(folder, "strategy.jsonl"))
        try:
            api.prove(
                answer,
                file,
                encoding=encoding,
                pipeline=pipeline,
                timeout=timeout,
                memory=MEMORY,
                jobs=1,
                progress=_teller(run, None, encoding, pipeline),
                cancel=run.cancel,
            )
        except (Unfinished, Unsupported) as error:
            return f"{error}"
        if not api.check(file, answer.game).holds:
            return "the strategy does not hold"
        shelf.keep_strategy(name, file)
    return None


def statistics(strategy: Strategy) -> dict[str, Any]:
    """About a strategy, and where it starts."""
    played = [strategy.game.move_name(move) for move in strategy.game.played]
    turn = strategy.game.start.to_move
    return {
        **strategy.statistics(),
        "base": str(strategy.game.rewound()),
        "played": played,
        "first": turn.value if turn else None,
    }


def _teller(
    run: Run, question: Question | None, encoding: str | None, pipeline: str | None
) -> Report:
    """Passes progress on, with the names of those at work."""
    worker = None
    if question is not None:
        stated = encoding or default_encoding(question)
        worker = f"{pipeline or default_pipeline(stated)} on {stated}"

    def tell(progress: Progress) -> None:
        run.tell(
            depth=progress.depth,
            verdict=progress.verdict.value if progress.verdict else None,
            seconds=progress.wall_seconds,
            worker=worker,
            nodes=progress.nodes,
        )

    return tell


def _sizes(answer: Answer) -> dict[str, Any] | None:
    """The size of the formula that gave the answer."""
    if answer.encoding is None or answer.depth > deepest(answer.game):
        return None
    try:
        [sizes] = api.stats(answer.game, answer.depth, answer.player, encoding=[answer.encoding])
    except UserError:  # the answer came another way, as the Breaker's does
        return None
    return sizes


# --- playing -------------------------------------------------------------------------------------


def _thinker(game: Game) -> Thinker:
    return Thinker(Automatic(), Limit(THINKING_SECONDS, MEMORY), deepest(game))


def reply(run: Run, game: Game, strategy: Strategy | None) -> dict[str, Any]:
    """The computer's move: by the strategy as far as it goes, else by solving on the fly."""
    match = Match.of(game)
    if match.over:
        raise UserError(f"the game is over: {match.result}")
    opponent: Opponent = _thinker(game)
    if strategy is not None and _is_about(strategy, game):
        wins_by = len(strategy.game.played) + strategy.depth if strategy.claim.wins else None
        opponent = Follower(strategy, opponent, wins_by)
    found = opponent.reply(match, run.cancel)
    after = match.play(found.move, found.claim)
    assert match.position.to_move is not None, "somebody is to move"
    return _named(game, found.move, match.position.to_move) | {
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
            named = _named(game, move, player)
            return named | {"sentence": f"{named['short']} is the move of the strategy."}
    answer, move = _thinker(game).winning_move(
        game, player, Budget(Limit(THINKING_SECONDS, MEMORY), run.cancel)
    )
    if move is None:
        return {"move": None, "short": None, "cells": [], "sentence": no_hint(answer)}
    named = _named(game, move, player)
    return named | {"sentence": f"{named['short']} wins within {plies(answer.depth)}."}


def _is_about(strategy: Strategy, game: Game) -> bool:
    return strategy.game.rewound() == game.rewound()


def _named(game: Game, move: Move, player: Player) -> dict[str, Any]:
    return {
        "move": game.move_name(move),
        "short": game.short_name(move, player),
        "cells": [game.board.names[cell] for cell in game.move_cells(move, player)],
    }


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
    with tempfile.TemporaryDirectory(prefix="skolemate-") as folder:
        file = Path(folder, f"formula.{suffix}")
        api.write_formula(api.encode(game, depth, player, encoding=encoding), str(file))
        return file.read_text(encoding="ascii")

"""The work of the page's runs: solving, values, playing, comparing, certifying.

Functions that take time get the run, to which they report progress and by which they may be
cancelled. All results are plain data.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from skolemate import (
    Analyst,
    Answer,
    How,
    Outcome,
    Progress,
    Value,
    Verdict,
    api,
    default_encoding,
)
from skolemate.encodings import ENCODINGS, Meaning, Unsupported, write_formula
from skolemate.errors import UserError
from skolemate.games import Game, Move, Player, PositionalGame, Question
from skolemate.limits import Budget, Limit, OutOfBudget, Reason
from skolemate.output import amount, temporary_folder
from skolemate.play.match import Follower, Match, Opponent, Thinker
from skolemate.play.web.runs import PageRun, Storage
from skolemate.play.web.views import line, named
from skolemate.solvers import PROGRAMS
from skolemate.solvers.process import run as run_process
from skolemate.strategies import Strategy, Unfinished

# --- work -----------------------------------------------------------------------------------------


MOST_WORK = 20_000  # cells times plies of a formula: some hundred megabytes
MOST_COMPARED = 2_000  # the same if all encodings are built, also the quadratic ones
MOST_LISTED = 36  # cells of a placement game for which encodings by BDDL are tried
MOST_NODES = 100_000  # of a strategy
MOST_SIDE_BY_SIDE = 4  # formulas at a time in one run
LARGEST_CERTIFICATE = 64 << 20  # bytes
MEMORY = 2 << 30  # bytes for each program
VALUE_SHARE = 0.6  # of the time for a value and those of all moves, for the value itself
ALL_MOVES_SECONDS = 10.0  # for finding all other winning moves
THINKING_SECONDS = 5.0  # for a move or a hint
SIZES_SECONDS = 0.5  # for building a formula only to show its size


ELSEWHERE = "use the command line"


class TooLarge(UserError):
    """A question that is too large for the page; the command line may answer it."""


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
    run: PageRun,
    storage: Storage,
    game: Game,
    player: Player,
    depth: int | Literal["auto"],
    how: How,
    *,
    timeout: float,
    all_moves: bool,
    strategy: bool,
) -> dict[str, Any]:
    """The answer, the size of its formula, and a strategy to play against if that is wanted."""
    deepening: dict[str, Any] = {}
    budget = Budget(Limit(timeout), run.cancel)
    try:
        with budget.heeded():  # the rules of a large board take their time, too
            if isinstance(depth, int):
                _refuse_depth(game, depth)
            elif game.horizon is None or game.horizon > deepest(game):
                deepening["max_depth"] = deepest(game)
            options = _options(run, Question(game, player, 1), how, timeout)
    except OutOfBudget as out:
        return _answer_data(Answer.unasked(game, player, out))
    options["progress"](Progress(depth if isinstance(depth, int) else 0, None, 0.0))
    first = options | {"timeout": budget.remaining().seconds}
    answer = api.solve(game, depth, player, verify=how.verify, **deepening, **first)
    found = run.result = _answer_data(answer)  # shown while the rest is computed
    if all_moves and answer.first_moves and not answer.first_moves_complete:
        answer = _with_all_moves(answer, options | {"timeout": budget.remaining().seconds})
        found = run.result = found | _told(answer)
    if strategy and answer.verdict is not Verdict.UNKNOWN:
        found = _proved(run, storage, found, [answer], options)
    return found


def value(
    run: PageRun, storage: Storage, game: Game, *, timeout: float, strategy: bool
) -> dict[str, Any]:
    """Who wins, the value of every legal move, and strategies of both players if wanted."""
    deepest_asked = deepest(game)
    analyst = Analyst(How(jobs=1).method(or_slowly=True))
    limit = Limit(timeout * VALUE_SHARE)
    budget = Budget(limit, run.cancel, lambda step: _tell(run, step, ["the engine"]))
    found = analyst.value(game, max_depth=deepest_asked, budget=budget)
    told = run.result = _value_data(found)
    rest = Budget(Limit(timeout - budget.wall_seconds), run.cancel)
    if found.outcome is not Outcome.UNKNOWN:
        found = analyst.value(game, all_moves=True, max_depth=deepest_asked, budget=rest)
    else:  # what is known of the moves is worth more than a longer search for the value
        found = replace(found, moves=tuple(_shared(analyst, game, rest)))
    told = run.result = _value_data(found)
    if not strategy:
        return told
    options = _options(run, Question(game, Player.BLACK, 1), How(), timeout)
    return _proved(run, storage, told, found.halves, options)


def _shared(analyst: Analyst, game: Game, budget: Budget) -> Iterable[tuple[Move, Value]]:
    """The moves of a game with their values; each move gets its share of the time that is left."""
    moves = game.start.moves()
    for place, move in enumerate(moves):
        seconds = budget.remaining().seconds
        assert seconds is not None, "the page limits the time"
        share = Budget(Limit(seconds / (len(moves) - place)), budget.cancel)
        yield move, analyst.value(game.after([move]), max_depth=deepest(game), budget=share)


def _proved(
    run: PageRun,
    storage: Storage,
    found: dict[str, Any],
    answers: Iterable[Answer],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """A result with strategies that prove these answers, as far as they are finished in time."""
    kept, notes = [], [found["note"]]
    for answer in answers:
        if run.cancel.is_set():
            break
        run.result = found | {"proof": {"nodes": MOST_NODES, "seconds": options["timeout"]}}
        name = storage.strategy_name(answer.game, answer.player, answer.depth)
        note = _keep_strategy(storage, answer, name, options)
        notes.append(note)
        if not note:
            kept.append({"id": name, "certifies": _certifies(answer)})
            kept[-1] |= statistics(storage.strategy(name))
            found = found | {"strategy": kept[0], "strategies": list(kept)}
    return found | {"note": "; ".join(dict.fromkeys(filter(None, notes))) or None}


def _answer_data(answer: Answer) -> dict[str, Any]:
    return _told(answer) | {"sizes": _sizes(answer)}


def _told(answer: Answer) -> dict[str, Any]:
    moves = [named(answer.game, move, answer.player) for move in answer.first_move_numbers or ()]
    played = " ".join(step["short"] for step in line(answer.game))
    return {
        **_place(answer.game),
        "where": f"the position after {played}" if played else "the start",
        "answer": answer.as_json(),
        "sentence": f"{answer}.",
        "moves": moves,
        "moves_title": answer.first_moves_title,
        "strategy": None,
        "strategies": [],
        "proof": None,  # the limits of the strategy that is being built
        "note": answer.note,
    }


def _value_data(value: Value) -> dict[str, Any]:
    """The data of the answer that decides the value, and the values of the moves."""
    answer = next(value.halves, value.black)
    mover, best = value.game.start.to_move, value.best_moves
    told = value.as_json() | {"moves": None}
    if value.moves is not None and mover is not None:
        told["moves"] = [
            named(value.game, move, mover)
            | {
                "does": after.for_player(mover, 1),
                "outcome": _outcome(after, mover),
                "plies": None if after.plies is None else after.plies + 1,
                "best": move in best,
            }
            for move, after in value.ranked_moves()
        ]
    return _answer_data(answer) | {
        "value": told,
        "sentence": f"{value}.",
        "moves": [named(value.game, move, mover) for move in best] if mover else [],
        "moves_title": "Best moves" if value.moves is not None else "A best move",
        "note": value.note,
    }


def _outcome(after: Value, player: Player) -> str:
    """What a move leads to for the player who makes it."""
    words = {Outcome.DRAW: "draws", Outcome.UNKNOWN: "unknown", Outcome.of(player): "wins"}
    return words.get(after.outcome, "loses")


def _with_all_moves(answer: Answer, options: Mapping[str, Any]) -> Answer:
    """The answer with every winning first move, if these are found soon enough."""
    limited = {**options, "timeout": min(options["timeout"], ALL_MOVES_SECONDS), "progress": None}
    more = api.solve(answer.game, answer.depth, answer.player, all_moves=True, **limited)
    if not more.first_moves_complete:
        return answer
    return replace(answer, first_move_numbers=more.first_move_numbers, first_moves_complete=True)


def _options(run: PageRun, question: Question, how: How, timeout: float) -> dict[str, Any]:
    """What solving and proving share."""
    how = how.decided(question.game)
    workers = how.names(question)

    return {
        "engine": how.engine,
        "encoding": how.encodings or None,
        "pipeline": how.pipelines or None,
        # The pool runs questions in parallel; only a portfolio gets more workers.
        "jobs": None if how.runs_side_by_side else 1,
        "timeout": timeout,
        # A limit on memory is for programs; the search is in this process, which all runs share.
        "memory": None if how.engine == "search" and not how.verify else MEMORY,
        "progress": lambda progress: _tell(run, progress, workers),
        "cancel": run.cancel,
    }


def _tell(run: PageRun, progress: Progress, workers: Iterable[str]) -> None:
    _refuse_nodes(progress.nodes or 0)
    run.tell(
        depth=progress.depth,
        player=progress.player.value if progress.player else None,
        verdict=progress.verdict.value if progress.verdict else None,
        seconds=progress.wall_seconds,
        worker=", ".join(workers),
        nodes=progress.nodes,
    )


def _refuse_nodes(nodes: int) -> None:
    if nodes > MOST_NODES:
        most = amount(MOST_NODES, "node")
        raise TooLarge(f"its strategy has more than {most}; {ELSEWHERE}")


def _keep_strategy(
    storage: Storage, answer: Answer, name: str, options: Mapping[str, Any]
) -> str | None:
    """Extract and keep the strategy unless it is kept already; the reason if that fails."""
    if storage.holds(name, answer.claim):
        return None
    with temporary_folder() as folder:
        file = str(Path(folder, "strategy.jsonl"))
        try:
            api.prove(answer, file, **options)
            checked = api.check(file, answer.game)
            _refuse_nodes(checked.nodes)  # progress is told only now and then
        except (Unfinished, Unsupported, TooLarge) as error:
            return str(error)
        if not checked.holds:
            return "the strategy does not hold"
        storage.keep_strategy(name, file)
    return None


def statistics(strategy: Strategy) -> dict[str, Any]:
    """Figures about a strategy, and its start."""
    turn = strategy.game.start.to_move
    return {
        **strategy.statistics(),
        **_place(strategy.game),
        "first": turn.value if turn else None,
    }


def _place(game: Game) -> dict[str, Any]:
    """A position as the game without its moves, and the moves."""
    return {
        "base": str(game.rewound()),
        "played": [game.move_name(move) for move in game.played],
    }


def _certifies(answer: Answer) -> str | None:
    """The encoding whose formula the strategy can certify: the answer's, if that is exact."""
    if answer.game.breaker is answer.player:
        return None  # no formula states the Breaker's win
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
    analyst = Analyst(How(jobs=1).method(or_slowly=True))
    return Thinker(analyst, Limit(THINKING_SECONDS), deepest(game))


def reply(run: PageRun, game: Game, strategy: Strategy | None) -> dict[str, Any]:
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


def hint(run: PageRun, game: Game, strategy: Strategy | None) -> dict[str, Any]:
    """A best move of the player to move, or why there is none to show."""
    match, player = Match.of(game), game.start.to_move
    if match.over or player is None:
        raise UserError(f"the game is over: {match.result}")
    if strategy is not None and strategy.claim.wins and _is_about(strategy, game):
        move = strategy.move(game.start)
        if move is not None:
            found = named(game, move, player)
            return found | {"sentence": f"{found['short']} is the move of the strategy."}
    advice = _thinker(game).hint(game, player, run.cancel)
    if advice.move is None:
        return {"move": None, "short": None, "cells": [], "sentence": advice.does}
    found = named(game, advice.move, player)
    return found | {"sentence": advice.sentence(found["short"])}


def _is_about(strategy: Strategy, game: Game) -> bool:
    return strategy.game.rewound() == game.rewound()


# --- formulas ------------------------------------------------------------------------------------


def compare(
    run: PageRun, game: Game, player: Player, depth: int, pipeline: str | None, timeout: float
) -> dict[str, Any]:
    """For every encoding that can state the question: its size, and the time to solve it."""
    _refuse_depth(game, depth, MOST_COMPARED)
    question = Question(game, player, depth)
    rows: list[dict[str, Any]] = []
    encodings = list(ENCODINGS)
    for place, entry in enumerate(encodings):
        if run.cancel.is_set():
            break
        run.tell(worker=entry.name, done=place, all=len(encodings))
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
        row = {
            "summary": entry.summary,
            "one_sided": entry.meaning is not Meaning.EXACT,
            "verdict": answer.verdict.value,
            "reason": answer.reason.value if answer.reason else None,
            "pipeline": answer.pipeline,
            "versions": _versions(answer.pipeline),
            "seconds": answer.wall_seconds,
        }
        rows.append(sizes | row)
        run.result = {"rows": list(rows)}
    if not rows and not run.cancel.is_set():
        raise UserError("no encoding can state this question")
    return {"rows": rows}


@cache
def _versions(pipeline: str | None) -> str:
    """The programs of a pipeline with their versions, in words."""
    programs = [PROGRAMS[name] for name in (pipeline or "").split("+") if name]
    paths = [(program, program.find()) for program in programs]
    versions = [(p, None if path is None else p.version(path)) for p, path in paths]
    return ", ".join(f"{p.title} {version or ''}".rstrip() for p, version in versions)


def encode(game: Game, player: Player, depth: int, encoding: str, suffix: str) -> str:
    """The formula as the text of a file."""
    _refuse_depth(game, depth)
    with temporary_folder() as folder:
        file = Path(folder, f"formula.{suffix}")
        write_formula(api.encode(game, depth, player, encoding=encoding), str(file))
        return file.read_text(encoding="ascii")


def certificate(
    run: PageRun, storage: Storage, strategy: str, encoding: str, suffix: str, seconds: float
) -> bytes:
    """A checked certificate made from a kept strategy, as the content of a file.

    It is made in a separate process: a SAT solver cannot be stopped or limited in another way.
    """
    kept = storage.strategy(strategy)
    _refuse_depth(kept.game, kept.depth)
    with temporary_folder() as folder:
        file = Path(folder, f"certificate.{suffix}")
        command = [sys.executable, "-m", "skolemate.play.web.certifying", str(storage.folder)]
        budget = Budget(Limit(seconds, MEMORY), run.cancel)
        outcome = run_process([*command, strategy, encoding, str(file)], budget)
        if outcome.stopped is not None:
            raise TooLarge(f"its certificate takes too much {outcome.stopped.value}; {ELSEWHERE}")
        if outcome.code != 0:
            raise UserError(outcome.stderr.strip() or outcome.complaint())
        if file.stat().st_size > LARGEST_CERTIFICATE:
            raise TooLarge(f"its certificate is too large for the page; {ELSEWHERE}")
        return file.read_bytes()

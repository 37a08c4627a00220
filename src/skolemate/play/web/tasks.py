"""The work of the page's runs: views of games, solving, playing, comparing, certifying.

Functions that take time get the run, to which they report progress and by which they may be
cancelled. All results are plain data.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Literal

from skolemate import Analyst, Answer, How, Progress, Verdict, api, default_encoding, describe
from skolemate.encodings import ENCODINGS, Meaning, Unsupported, write_formula
from skolemate.errors import UserError
from skolemate.formats import is_hex, natural_suffix
from skolemate.games import (
    Game,
    HexGrid,
    Move,
    Player,
    PositionalGame,
    Question,
    cells_of,
    with_argument,
)
from skolemate.games.families.placing import HEIN
from skolemate.games.family import FAMILIES, build, split_name
from skolemate.limits import Budget, Limit, OutOfBudget, Reason
from skolemate.output import amount, finite, temporary_folder
from skolemate.play.match import Follower, Match, Opponent, Thinker, threats
from skolemate.play.web import words
from skolemate.play.web.runs import PageRun, Storage
from skolemate.render import svg
from skolemate.solvers.process import run as run_process
from skolemate.strategies import Strategy, Unfinished
from skolemate.strategies.tree import Branch

# --- views ----------------------------------------------------------------------------------------
# Data for the page: the collection of games, a position, a tree of a strategy.


PUZZLES = [f"hein({number})" for number in HEIN] + ["browne"]


def collection() -> dict[str, Any]:
    """Puzzles, example games and families, from which the page offers a choice."""
    examples = [example for family in FAMILIES for example in family.examples]
    return {
        "puzzles": PUZZLES,
        "games": [example for example in examples if example not in PUZZLES],
        "titles": _titles(),
        "families": [family.as_json() for family in FAMILIES],
    }


@cache
def _titles() -> dict[str, str]:
    """What people call the games of the collection."""
    examples = chain.from_iterable(family.examples for family in FAMILIES)
    return {name: words.title(build(name)) for name in [*PUZZLES, *examples]}


def position(storage: Storage, game: Game) -> dict[str, Any]:
    """The data of `describe`, and what is needed to draw the position and to play on."""
    match, start = Match.of(game), game.start
    mover = start.to_move or Player.BLACK
    names = game.board.names

    won = game.winning_cells(start)
    return describe(game, views=False) | {
        "title": storage.title(game),
        "goal": words.goal(game),
        "shape": words.shape(game),
        "base": str(game.rewound()),
        "line": _line(game),
        "over": match.over,
        "winner": match.winner.value if match.winner else None,
        "choices": [named(game, move, mover) for move in start.moves()],
        "columns": _columns(game),
        "won": [names[cell] for cell in cells_of(won)],
        "threats": {
            player.value: sorted(
                {names[game.move_cells(move, player)[-1]] for move in threats(start, player)}
            )
            for player in Player
        },
        "formats": formats(game),
        "svg": svg(start, last=game.last_move, highlights=cells_of(won), style=False),
    }


def _columns(game: Game) -> list[list[str]]:
    """The columns in which stones fall, each from the bottom to the top."""
    if not game.offers("columns"):
        return []
    board = game.columns().board
    names, height = board.names, board.height  # numbered column by column, from the top
    return [[*names[top : top + height]][::-1] for top in range(0, board.size, height)]


def named(game: Game, move: Move, player: Player) -> dict[str, Any]:
    """A move: its name, its short name, and its cells."""
    return {
        "move": game.move_name(move),
        "short": game.short_name(move, player),
        "cells": [game.board.names[cell] for cell in game.move_cells(move, player)],
    }


def formats(game: Game) -> list[str]:
    """The suffixes of the files in which a game can be saved."""
    natural = natural_suffix(game).removeprefix(".")
    return [natural, *(["sgf"] if is_hex(game) else []), "json"]


def _line(game: Game) -> list[dict[str, Any]]:
    """The moves played so far in short form, with their players."""
    line, position = [], game.origin
    for move in game.played:
        mover = position.to_move
        assert mover is not None, "moves were checked when they were played"
        line.append({"move": game.move_name(move), "short": game.short_name(move, mover)})
        line[-1]["player"] = mover.value
        position = position.play(move)
    return line


def edited(storage: Storage, text: str, black: list[str], white: list[str], first: str) -> Game:
    """The game with these stones instead of its own, and this player to begin.

    A Hex puzzle becomes Hex. The stones of other placement games can only be added to.
    """
    bare = _bare(storage, text)
    origin, board = bare.origin, bare.board
    stones = {Player.BLACK: board.cells(black), Player.WHITE: board.cells(white)}
    if isinstance(bare, PositionalGame):
        for player, mask in stones.items():
            if origin.stones(player) & ~mask:
                raise UserError(f"the stones of {bare} itself stay where they are")
            stones[player] = mask & ~origin.stones(player)
    name = bare.name
    for player, mask in stones.items():
        if mask:
            name = with_argument(name, f"{player.value}={board.named(mask)}")
    if origin.to_move is not None and origin.to_move.value != first:
        name = with_argument(name, f"first={first}")
    game = storage.game(name)
    taken = {*black, *white}
    for lower, upper in chain.from_iterable(map(pairwise, _columns(game))):
        if upper in taken and lower not in taken:
            raise UserError(f"stones fall: nothing lies under {upper}")
    return game


def _bare(storage: Storage, text: str) -> Game:
    """The game without stones that were set up and without moves."""
    game = storage.game(text).rewound()
    if is_hex(game) and isinstance(game.board, HexGrid):
        return storage.game(f"hex({game.board.sides})")
    name, arguments = split_name(game.name)
    given = FAMILIES[name].own(arguments) if name in FAMILIES else []
    own = [f"{key}={value}" if key else value for key, value in given]
    return storage.game(f"{name}({', '.join(own)})" if own else name)


def tree(branch: Branch) -> dict[str, Any]:
    """A tree of replies as plain data."""
    return {
        "move": None if branch.move is None else branch.position.game.move_name(branch.move),
        "short": branch.name,
        "mover": branch.mover.value if branch.mover else None,
        "left": finite(branch.left),
        "note": branch.note,
        "hidden": branch.hidden,
        "branches": [tree(above) for above in branch.branches],
    }


# --- work -----------------------------------------------------------------------------------------


MOST_WORK = 20_000  # cells times plies of a formula: some hundred megabytes
MOST_COMPARED = 2_000  # the same if all encodings are built, also the quadratic ones
MOST_LISTED = 36  # cells of a placement game for which encodings by BDDL are tried
MOST_NODES = 100_000  # of a strategy
MOST_SIDE_BY_SIDE = 4  # formulas at a time in one run
LARGEST_CERTIFICATE = 64 << 20  # bytes
MEMORY = 2 << 30  # bytes for each program
ALL_MOVES_SECONDS = 10.0  # for finding all other winning moves
THINKING_SECONDS = 5.0  # for a move or a hint
SIZES_SECONDS = 0.5  # for building a formula only to show its size


ELSEWHERE = "the command line goes further"


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
        found = run.result = _answer_data(answer)
    if strategy and answer.verdict is not Verdict.UNKNOWN and not run.cancel.is_set():
        run.result = found | {"proof": {"nodes": MOST_NODES, "seconds": timeout}}
        name = storage.strategy_name(game, player, depth)
        note = _keep_strategy(storage, answer, name, options)
        kept = None
        if not note:
            kept = {"id": name, "certifies": _certifies(answer)}
            kept |= statistics(storage.strategy(name))
        found = found | {"strategy": kept, "note": note or answer.note}
    return found


def _answer_data(answer: Answer) -> dict[str, Any]:
    moves = [named(answer.game, move, answer.player) for move in answer.first_move_numbers or ()]
    line = " ".join(step["short"] for step in _line(answer.game))
    return {
        **_place(answer.game),
        "where": f"the position after {line}" if line else "the start",
        "answer": answer.as_json(),
        "sentence": f"{answer}.",
        "moves": moves,
        "moves_title": answer.first_moves_title,
        "sizes": _sizes(answer),
        "strategy": None,
        "proof": None,  # the limits of the strategy that is being built
        "note": answer.note,
    }


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

    def tell(progress: Progress) -> None:
        if progress.nodes is not None and progress.nodes > MOST_NODES:
            most = amount(MOST_NODES, "node")
            raise TooLarge(f"its strategy has more than {most}; {ELSEWHERE}")
        run.tell(
            depth=progress.depth,
            verdict=progress.verdict.value if progress.verdict else None,
            seconds=progress.wall_seconds,
            worker=", ".join(workers),
            nodes=progress.nodes,
        )

    return {
        "engine": how.engine,
        "encoding": how.encodings or None,
        "pipeline": how.pipelines or None,
        # The pool runs questions in parallel; only a portfolio gets more workers.
        "jobs": None if how.runs_side_by_side else 1,
        "timeout": timeout,
        # A limit on memory is for programs; the search is in this process, which all runs share.
        "memory": None if how.engine == "search" and not how.verify else MEMORY,
        "progress": tell,
        "cancel": run.cancel,
    }


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
        except (Unfinished, Unsupported, TooLarge) as error:
            return str(error)
        if not api.check(file, answer.game).holds:
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

"""The Python functions behind the commands, with the same names and parameters."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from os import fspath
from os.path import splitext
from threading import Event
from typing import Any, Literal

from skolemate import certificates, encodings, strategies
from skolemate.ask import Answer, Method, Tell, Verdict, deepen, verified
from skolemate.ask.how import How, Names, listed
from skolemate.ask.kept import KeptTables
from skolemate.ask.proving import Unproved as Unproved
from skolemate.ask.proving import prove_by_method, prove_by_search, save_strategy
from skolemate.ask.qbf import Qbf
from skolemate.ask.search import Remembering, Search, needs_no_engine
from skolemate.ask.splitting import on_cluster
from skolemate.ask.value import Value, settle, with_moves
from skolemate.certificates.aiger import load_certificate, refuse_suffix, save_certificate
from skolemate.certificates.certify import Certified, encoded_for
from skolemate.encodings import Encoded
from skolemate.errors import UserError
from skolemate.formula.files import parse_formula, read_file
from skolemate.games import Game, Player, Question, cells_of
from skolemate.limits import Budget, Limit, OutOfBudget, size_of
from skolemate.loading import load
from skolemate.output import File
from skolemate.render import status
from skolemate.search.engine import refusal
from skolemate.solvers import Pipeline, Solved
from skolemate.solvers.pipeline import preprocess_by
from skolemate.strategies import Claim, extract
from skolemate.strategies.deciding import Evaluation, Situation

PIPELINE = "simplify+depqbf"  # for formulas about which nothing is known
TWO_ENCODINGS = "a strategy can be extracted with one encoding only: leave the other out"
VIEWS = (
    "grounded",
    "propnet",
    "hypergraph",
    "connection",
    "transversal",
    "shape",
    "bddl",
    "columns",
)

Depth = int | Literal["auto"] | None


@dataclass(frozen=True)
class Analyst:
    """Answers question after question by one method, which keeps what it finds for the next.

    >>> analyst = Analyst(How.parse("search").method())
    >>> [analyst.solve("hein(9)", depth).verdict.name for depth in (5, 7)]
    ['NO_WIN', 'WIN']
    """

    method: Method

    def solve(
        self,
        game: File | Game,
        depth: Depth = None,
        player: str | Player = Player.BLACK,
        *,
        max_depth: int | None = None,
        budget: Budget | None = None,
    ) -> Answer:
        """Can the player force a win?

        `game`, `depth`, `player` and `max_depth` are as for `oracle`; `budget` has the limits.
        """
        budget = budget or Budget()
        game, player = _loaded(game, budget).asked_by(player)
        patient = depth is not None
        depth = _depth(game, depth, max_depth)
        if depth == "auto":
            return deepen(self.method, game, player, max_depth, budget, patient=patient)
        if max_depth is not None:
            raise UserError("a maximal depth can be given only with depth auto")
        return self.method(Question(game, player, depth), budget)

    def value(
        self,
        game: File | Game,
        *,
        all_moves: bool = False,
        max_depth: int | None = None,
        budget: Budget | None = None,
    ) -> Value:
        """Who wins under best play, or is it a draw? The parameters are as for `value`."""
        budget = budget or Budget()
        game = _loaded(game, budget)
        value = settle(self.method, game, max_depth, budget)
        return with_moves(self.method, value, max_depth, budget) if all_moves else value


def oracle(
    game: File | Game,
    depth: Depth = None,
    player: str | Player = Player.BLACK,
    *,
    timeout: float | None = None,
    memory: int | str | None = None,
    max_depth: int | None = None,
    strategy: File | None = None,
    fold: bool = False,
    progress: Tell | None = None,
    cancel: Event | None = None,
) -> Answer:
    """The reference answer: can the player force a win?

    - `game`: a name with parameters, a file, or a game.
    - `depth`: the plies within which to win; `"auto"` looks for the least such number. By default
      a file's own depth, else `"auto"`.
    - `player`: who asks.
    - `timeout`: seconds after which to give up.
    - `memory`: bytes to use at most, or a text such as `"4G"`.
    - `max_depth`: with `"auto"`, go no deeper.
    - `strategy`: a file for the strategy that proves the answer.
    - `fold`: let symmetric positions share a node of the strategy.
    - `progress`: is called with a `Progress` now and then.
    - `cancel`: an event that ends the work when it is set.

    >>> bool(oracle("hex(size=2)", 3)), oracle("hex(size=2)").critical_depth
    (True, 3)
    """
    _refuse_stdout(strategy)
    budget = _budget(timeout, memory, cancel, progress)
    game, player = _loaded(game, budget).asked_by(player)
    method = Remembering(player, budget)
    answer = Analyst(method).solve(game, depth, player, max_depth=max_depth, budget=budget)
    if strategy is not None:

        def evaluate(here: Situation) -> Evaluation:
            return Evaluation(method.oracle.wins(here.position, here.left))

        # The oracle keeps its results, so a look-ahead would save nothing.
        save_strategy(answer, evaluate, strategy, budget, fold=fold, reach=0)
    return answer


def solve(
    game: File | Game,
    depth: Depth = None,
    player: str | Player = Player.BLACK,
    *,
    engine: Literal["auto", "search", "qbf", "both"] = "auto",
    encoding: Names = None,
    pipeline: Names = None,
    symmetry: bool = False,
    split: int | None = None,
    cluster: str | None = None,
    all_moves: bool = False,
    verify: bool = False,
    timeout: float | None = None,
    memory: int | str | None = None,
    max_depth: int | None = None,
    strategy: File | None = None,
    fold: bool = False,
    jobs: int | None = None,
    table: File | None = None,
    progress: Tell | None = None,
    cancel: Event | None = None,
) -> Answer:
    """The answer by the native engine, or by formula and QBF solver.

    `game`, `depth`, `player`, `timeout`, `memory`, `max_depth`, `strategy`, `fold`, `progress` and
    `cancel` are as for `oracle`.

    - `engine`: `"search"`, `"qbf"` for formulas, `"both"` side by side; `"auto"` searches unless a
      formula is asked for by one of the next four, or the engine cannot.
    - `encoding`: one or several (`"cor+,gr"` or a list), side by side; or one of a win and one of
      a block in turn, as in `"cover/pairing"`. By default the measured best.
    - `pipeline`: one or several, as in `"bloqqer+caqe,depqbf"`. By default the measured best.
    - `symmetry`: a formula with one first move of each class of symmetric ones.
    - `split`: divide a question for formulas by so many of its first plies.
    - `cluster`: answer the parts of a split question on the workers of this Dask scheduler.
    - `all_moves`: find every first move that wins within the depth, not only one.
    - `verify`: ask by formula, too, and compare; of several formulas, two must agree.
    - `jobs`: the number of workers, by default one for each processor.
    - `table`: a file for what the engine has proved. It is read first if it is there, and written
      in the end, also after a limit or when cancelled: so a search can be continued.

    >>> solve("harary(shape=fatty, width=3, height=3)", encoding="cor+/pairing").every_depth
    True
    """
    _refuse_stdout(strategy)
    if cluster is not None and split is None:
        raise UserError("a cluster solves the parts of a split question: give split, too")
    budget = _budget(timeout, memory, cancel, progress)
    how = How.parse(
        engine,
        encoding,
        pipeline,
        symmetry=symmetry,
        split=split,
        verify=verify,
        all_moves=all_moves,
        jobs=jobs,
    )
    game, player = _loaded(game, budget).asked_by(player)
    try:
        with budget.heeded():
            how = how.decided(game)
            if table is not None and (how.engine != "search" or needs_no_engine(game)):
                raise UserError("only the engine has a table: leave out the table, or the formulas")
            kept = None if table is None else KeptTables(table, game)
    except OutOfBudget as out:
        return Answer.unasked(game, player, out)
    if how.in_turn:
        if strategy is not None:
            raise UserError(TWO_ENCODINGS)
        if _depth(game, depth, max_depth) != "auto":
            raise UserError("two encodings in turn, as in cover/pairing, need depth auto")
        return how.alternation()(game, player, max_depth, budget, side_by_side=(jobs or 1) > 1)
    if jobs not in (None, 1) and strategy is None and not how.has_work_for_several:
        raise UserError(
            "jobs above 1 need several encodings or pipelines, as in depqbf,caqe, a split, "
            "or a strategy"
        )
    if how.engine == "search":
        search = Search(all_moves, jobs, kept=kept)
        answer = Analyst(search).solve(game, depth, player, max_depth=max_depth, budget=budget)
        if verify:
            answer = verified(answer, Qbf(), budget)
        try:
            if strategy is not None:
                prove_by_search(search, answer, strategy, budget, fold)
        except Unproved as unproved:
            unproved.answer = search.keep(answer)
            raise
        return search.keep(answer)
    splitting = None if split is None else how.splitting()
    if cluster is not None and splitting is not None:
        with on_cluster(splitting, cluster) as there:
            analyst = Analyst(there)
            answer = analyst.solve(game, depth, player, max_depth=max_depth, budget=budget)
    else:
        analyst = Analyst(splitting or how.method())
        answer = analyst.solve(game, depth, player, max_depth=max_depth, budget=budget)
    if strategy is not None:
        method = replace(how, split=None, all_moves=False, jobs=None).method()
        if splitting is not None:
            method = splitting.divided(answer.settled_depth - splitting.plies, method)
        prove_by_method(answer, strategy, method, budget, fold, how)
    return answer


def value(
    game: File | Game,
    *,
    all_moves: bool = False,
    engine: Literal["auto", "search", "qbf", "both", "reference"] = "auto",
    encoding: Names = None,
    pipeline: Names = None,
    timeout: float | None = None,
    memory: int | str | None = None,
    max_depth: int | None = None,
    strategy: File | None = None,
    fold: bool = False,
    jobs: int | None = None,
    progress: Tell | None = None,
    cancel: Event | None = None,
) -> Value:
    """The value: who wins under best play and in how many plies, or is it a draw?

    - `all_moves`: find the value of every legal move, too.
    - `engine`: as for `solve`; `"reference"` is the oracle.
    - `max_depth`: ask no deeper.
    - `strategy`: a file for strategies that prove the value, one for each player: `"ttt.jsonl"`
      stands for `ttt-black.jsonl` and `ttt-white.jsonl`.

    The rest is as for `solve`. A file's own depth is ignored: the value is that of the whole game.

    >>> value("tictactoe").outcome.name, value("hex(size=3)").plies
    ('DRAW', 5)
    """
    _refuse_stdout(strategy)
    budget = _budget(timeout, memory, cancel, progress)
    how, game = How.parse(engine, encoding, pipeline, jobs=jobs), _loaded(game, budget)
    try:
        with budget.heeded():
            how = how.decided(game)
    except OutOfBudget as out:
        return Value.unasked(game, out)
    search = Search(jobs=jobs, both=True) if how.engine == "search" else None
    method = search or how.method()
    value = Analyst(method).value(game, all_moves=all_moves, max_depth=max_depth, budget=budget)
    stem, suffix = splitext(strategy or "")
    for half in value.halves if strategy is not None else ():
        file = f"{stem}-{half.claim.owner.value}{suffix}"
        try:
            if search is not None:
                prove_by_search(search, half, file, budget, fold)
            else:
                prove_by_method(half, file, method, budget, fold, how)
        except Unproved as unproved:
            raise Unproved(value, unproved) from None
    return value


def prove(
    answer: Answer,
    strategy: File,
    *,
    engine: Literal["auto", "search", "qbf", "both"] = "auto",
    encoding: Names = None,
    pipeline: Names = None,
    symmetry: bool = False,
    timeout: float | None = None,
    memory: int | str | None = None,
    fold: bool = False,
    jobs: int | None = None,
    progress: Tell | None = None,
    cancel: Event | None = None,
) -> None:
    """Save the strategy that proves an answer which is known already.

    `answer` is what `solve` or `oracle` gave, `strategy` the file; the rest is as for `solve`.
    """
    _refuse_stdout(strategy)
    budget = _budget(timeout, memory, cancel, progress)
    how = How.parse(engine, encoding, pipeline, symmetry=symmetry, jobs=jobs)
    if how.in_turn:
        raise UserError(TWO_ENCODINGS)
    how = how.decided(answer.game)
    if how.engine == "search":
        prove_by_search(Search(jobs=jobs), answer, strategy, budget, fold)
    else:
        prove_by_method(answer, strategy, replace(how, jobs=None).method(), budget, fold, how)


def _budget(
    timeout: float | None, memory: int | str | None, cancel: Event | None, progress: Tell | None
) -> Budget:
    if timeout is not None and (not isinstance(timeout, int | float) or not 0 <= timeout < inf):
        raise UserError(f"timeout is a number of seconds, not {timeout!r}")
    if isinstance(memory, str):
        memory = size_of(memory)
    if memory is not None and (not isinstance(memory, int) or memory <= 0):
        raise UserError(f"memory is a number of bytes, or a text such as '4G', not {memory!r}")
    return Budget(Limit(timeout, memory), cancel, progress)


def _loaded(game: File | Game, budget: Budget) -> Game:
    with budget.heeded():
        return load(game)


def _refuse_stdout(strategy: File | None) -> None:
    """Refuse `-` for a strategy: an interrupted extraction goes on from its file."""
    if strategy is not None and fspath(strategy) == "-":
        raise UserError("a strategy cannot be written to standard output; give a file name")


def check(
    file: File, game: File | Game | None = None, *, claim: Claim | str | None = None
) -> strategies.Report:
    """Check a strategy's file; the report says what it claims, and whether that is proved.

    - `file`: the strategy.
    - `game`: the game that it must be for; by default the one that the file names.
    - `claim`: what it must claim, as in `"WIN 7 black"` (verdict, depth, player); by default
      whatever the file says.
    """
    return strategies.check_file(file, None if game is None else load(game), claim)


def certify(
    strategy: File,
    encoding: str,
    *,
    output: File | None = None,
    check: File | None = None,
    game: File | Game | None = None,
    symmetry: bool = False,
) -> Certified:
    """A strategy's file as a certificate of a formula, checked by a SAT solver.

    If the formula asks about fewer plies than the strategy needs, the engine finds a shorter one.

    - `strategy`: the strategy's file.
    - `encoding`, `symmetry`: of the formula, as for `encode`.
    - `output`: a file for the certificate (`.aag` or `.aig`), written only if it holds.
    - `check`: check the certificate in this file instead of making one: it must prove what the
      strategy's file claims, and nothing else in that file is believed.
    - `game`: the game that the strategy must be for, as for `check`.
    """
    output = None if output is None else fspath(output)
    if output is not None:
        refuse_suffix(output)
    loaded = strategies.Strategy.load(strategy, None if game is None else load(game))
    encoded = encoded_for(loaded, encoding, symmetry)
    if check is None:
        certificate = certificates.certify(loaded, encoded)
    else:
        certificate = load_certificate(fspath(check), encoded.formula)
    verification = certificates.verify(encoded.formula, certificate)
    plies = len(encoded.script.plies) if encoded.script else 0
    shortened = None
    if not verification.holds and check is None and loaded.claim.wins and plies < loaded.depth:
        # If few cells matter, the formula has fewer plies than the strategy, which wastes some.
        shorter = _shorter(loaded.claim, plies)
        if shorter is not None:
            certificate, shortened = certificates.certify(shorter, encoded), plies
            verification = certificates.verify(encoded.formula, certificate)
    certified = Certified(loaded.claim, encoded, certificate, verification, shortened)
    if output is not None and certified.holds:
        save_certificate(certificate, encoded, output)
    return certified


def _shorter(claimed: Claim, plies: int) -> strategies.Strategy | None:
    """A winning strategy for fewer plies, by the engine; None if there is none."""
    if refusal(claimed.game) is not None:
        return None
    search = Search()
    answer = search(Question(claimed.game, claimed.player, plies))
    if answer.verdict is not Verdict.WIN:
        return None
    budget = Budget()
    linker = search.linker(answer, budget)
    return extract(answer.claim, search.evaluator(answer, budget), reach=0, linker=linker)


def _depth(game: Game, depth: Depth, max_depth: int | None) -> int | Literal["auto"]:
    """The depth to ask for; by default the file's own, or `auto` if `max_depth` is given."""
    if depth is not None:
        return depth
    own = game.remaining_depth
    return own if own is not None and max_depth is None else "auto"


def encode(
    game: File | Game | Question,
    depth: int | None = None,
    player: str | Player = Player.BLACK,
    *,
    encoding: str,
    symmetry: bool = False,
    preprocessors: str | None = None,
) -> Encoded:
    """State a question as a formula.

    - `game`: a name with parameters, a file, a game, or a whole `Question`.
    - `depth`: the plies within which to win, by default a file's own.
    - `player`: who asks.
    - `encoding`: the name of the encoding, as in `"et"`.
    - `symmetry`: restrict the first move to one of each class of symmetric ones, which changes no
      answer; without it the formula is the paper's.
    - `preprocessors`: run these over the formula, as in `"bloqqer"` or `"qratpre+bloqqer"`.

    >>> encode("hein(9)", 7, encoding="et").formula.sizes.blocks
    7
    """
    encoded = encodings.encode(_question(game, depth, player), encoding, symmetry=symmetry)
    if preprocessors is None:
        return encoded
    step = preprocess_by(preprocessors, encoded.formula)
    if step.failure is not None:
        raise UserError(f"the formula could not be preprocessed: {step.failure}")
    return replace(encoded, stated=step.reduced.formula, preprocessed=preprocessors)


def qbf(
    file: File,
    *,
    pipeline: str = PIPELINE,
    timeout: float | None = None,
    memory: str | int | None = None,
    cancel: Event | None = None,
) -> Solved:
    """Decide a formula in a file, whoever wrote it.

    - `file`: QDIMACS or QCIR, plain or packed (gzip, xz, bzip2); `-` is the standard input.
    - `pipeline`: any number of preprocessors and a solver, as in `"bloqqer+caqe"`.
    - `timeout`, `memory`, `cancel`: as for `solve`.
    """
    name = fspath(file)
    stated = parse_formula(read_file(name), name)
    return Pipeline.parse(pipeline).solve(stated, _budget(timeout, memory, cancel, None))


def stats(
    game: File | Game | Question,
    depth: int | None = None,
    player: str | Player = Player.BLACK,
    *,
    encoding: Names = None,
    symmetry: bool = False,
) -> list[dict[str, Any]]:
    """The sizes of a question in some encodings.

    `game`, `depth`, `player` and `symmetry` are as for `encode`; `encoding` has one or several
    names, as for `solve`, and by default all that can state the question.
    """
    question = _question(game, depth, player)
    chosen = listed("encoding", encoding, lambda name: encodings.ENCODINGS[name].name)
    names = chosen or tuple(entry.name for entry in encodings.ENCODINGS)
    rows, refusals = [], []
    for name in names:
        try:
            encoded = encodings.encode(question, name, symmetry=symmetry)
        except encodings.Unsupported as unsupported:
            if chosen:
                raise
            refusals.append(unsupported)
        else:
            rows.append(encoded.as_json())
    if refusals and not rows:
        raise refusals[0]
    return rows


def _question(game: File | Game | Question, depth: int | None, player: str | Player) -> Question:
    if isinstance(game, Question):
        return game
    game, player = load(game).asked_by(player)
    depth = game.remaining_depth if depth is None else depth
    if depth is None:
        raise UserError(f"{game} states no depth: give one")
    return Question(game, player, depth)


def describe(game: File | Game, *, views: bool = True) -> dict[str, Any]:
    """Everything `show --json` prints: the position, whose move, and what the game offers.

    Without `views` the latter is left out: to find it out may take many seconds.
    """
    game = load(game)
    start = game.start

    def named(cells: Iterable[int]) -> list[str]:
        return [game.board.names[cell] for cell in cells]

    told = {
        "game": str(game),
        "board": type(game.board).__name__.lower(),
        "cells": game.board.size,
        "black": named(cells_of(start.black)),
        "white": named(cells_of(start.white)),
        "to_move": start.to_move.value if start.to_move else None,
        "winner": start.winner.value if start.winner else None,
        "status": status(start),
        "horizon": game.horizon,
        "depth": game.remaining_depth,
        "moves": start.move_names(),
        "played": [game.move_name(move) for move in game.played],
    }
    return told | {"views": [view for view in VIEWS if game.offers(view)]} if views else told

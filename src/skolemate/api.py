"""The Python functions behind the commands: same names, same parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from os import cpu_count
from threading import Event
from typing import Any, Literal

from skolemate import certificates, encodings, strategies
from skolemate.ask import Answer, Limit, Question, Verdict, deepen
from skolemate.ask.alternation import Alternation
from skolemate.ask.judging import asking
from skolemate.ask.method import Method, Progress, Tell
from skolemate.ask.portfolio import Portfolio, formulas, side_by_side
from skolemate.ask.qbf import Qbf, has_solver
from skolemate.ask.reference import Remembering
from skolemate.ask.search import Search
from skolemate.ask.splitting import Splitting
from skolemate.ask.verify import verified
from skolemate.certificates.certified import Certified
from skolemate.certificates.certify import encoded_for
from skolemate.certificates.files import load_certificate, refuse_suffix, save_certificate
from skolemate.encodings import Encoded
from skolemate.encodings.encoding import write_formula
from skolemate.errors import UserError
from skolemate.games.bits import cells_of
from skolemate.games.game import Game, Player
from skolemate.limits import Budget, OutOfBudget
from skolemate.loading import load
from skolemate.render import status
from skolemate.search.engine import refusal
from skolemate.strategies import Claim, Unfinished, extract
from skolemate.strategies.deciding import Judge, Opinion, Situation

__all__ = [
    "Unproved",
    "certify",
    "check",
    "claim",
    "describe",
    "encode",
    "oracle",
    "prove",
    "solve",
    "stats",
    "write_formula",
]

VIEWS = ("grounded", "hypergraph", "connection", "transversal", "shape", "bddl", "columns")

Depth = int | Literal["auto"] | None


class Unproved(Unfinished):
    """The answer is known, but the strategy that proves it is not finished."""

    def __init__(self, answer: Answer, unfinished: Unfinished) -> None:
        super().__init__(unfinished.reason, unfinished.detail, unfinished.nodes)
        self.answer = answer


def oracle(
    game: str | Game,
    depth: Depth = None,
    player: str | Player = Player.BLACK,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    max_depth: int | None = None,
    strategy: str | None = None,
    fold: bool = False,
    progress: Tell | None = None,
    cancel: Event | None = None,
) -> Answer:
    """The reference answer: whether the player can force a win within `depth` plies.

    `"auto"` looks for the least such depth, up to `max_depth`. Without a depth, a file's own is
    taken, and else `"auto"`. `timeout` is in seconds, `memory` in bytes. `strategy` names a file
    for the strategy that proves the answer; with `fold` it uses the symmetries of the game.

    >>> bool(oracle("hex(size=2)", 3)), oracle("hex(size=2)").critical_depth
    (True, 3)
    """
    _refuse_stdout(strategy)
    player, budget = Player(player), Budget(Limit(timeout, memory), cancel)
    with budget.heeded():
        game = load(game)
    method = Remembering(player, budget)
    answer = _ask(method, game, depth, player, max_depth, budget, progress)
    if strategy is not None:

        def judge(here: Situation) -> Opinion:
            return Opinion(method.oracle.wins(here.position, here.left))

        # A judge that remembers need not be spared questions by looking ahead.
        _save_strategy(answer, judge, strategy, budget, progress, fold=fold, reach=0)
    return answer


def solve(
    game: str | Game,
    depth: Depth = None,
    player: str | Player = Player.BLACK,
    *,
    engine: Literal["auto", "search", "qbf", "both"] = "auto",
    encoding: str | None = None,
    pipeline: str | None = None,
    symmetry: bool = False,
    split: int | None = None,
    all_moves: bool = False,
    verify: bool = False,
    timeout: float | None = None,
    memory: int | None = None,
    max_depth: int | None = None,
    strategy: str | None = None,
    fold: bool = False,
    jobs: int | None = None,
    progress: Tell | None = None,
    cancel: Event | None = None,
) -> Answer:
    """The answer by the native engine, or by formula and QBF solver; parameters as for `oracle`.

    An encoding, a pipeline or `symmetry` (as for `encode`) means formulas, `engine="qbf"` the
    measured best; else the engine searches, if it was compiled. `verify` asks by formula, too, and
    compares. With `all_moves` every first move that wins within the depth is found, otherwise one.
    Two encodings, as in `"cover/pairing"`, take turns to look for a win and for a block. `jobs` is
    how much is done at a time, by default as many things as there are processors; two encodings
    take turns.

    Several encodings or pipelines, as in `"depqbf,caqe"`, run side by side until one has the answer
    (`verify`: until two have it); with `engine="both"` the engine does, too. `split` divides a
    question for formulas by its first plies, so many of them.

    >>> solve("harary(shape=fatty, width=3, height=3)", encoding="cor+/pairing").every_depth
    True
    """
    _refuse_stdout(strategy)
    player, budget = Player(player), Budget(Limit(timeout, memory), cancel)
    with budget.heeded():
        game = load(game)
    if split is not None and engine in ("search", "both"):
        raise UserError("the engine divides its work itself: leave out --split, or ask by formula")
    by_formula = symmetry or (encoding, pipeline, split) != (None, None, None)
    try:
        with budget.heeded():
            searches = _searches(engine, by_formula, game)
    except OutOfBudget as out:
        return Answer.unasked(game, player, out)
    if encoding is not None and "/" in encoding:
        if "," in encoding + (pipeline or "") or split is not None or engine == "both":
            raise UserError("two encodings that take turns are neither split nor run with others")
        if verify:
            raise UserError("two encodings that take turns are not verified: leave out --verify")
        if strategy is not None:
            raise UserError("a strategy is extracted with one encoding: leave the other out")
        if _depth(game, depth, max_depth) != "auto":
            raise UserError("two encodings look for the depth themselves: ask with -d auto")
        both = Alternation.parse(encoding, pipeline, all_moves, symmetry)
        limit, together = budget.remaining(), (jobs or 1) > 1
        return both(game, player, max_depth, limit, progress, cancel, side_by_side=together)
    if searches:
        if verify and not has_solver():
            raise UserError("nothing can verify the answer: pip install 'skolemate[solvers]'")
        search = Search(all_moves, jobs)
        answer = _ask(search, game, depth, player, max_depth, budget, progress)
        if verify:
            answer = verified(answer, Qbf(), budget, progress)
        if strategy is not None:
            _prove_by_search(search, answer, strategy, budget, progress, fold)
        return answer
    members = formulas(encoding, pipeline, symmetry=symmetry)
    several = len(members) > 1 or engine == "both"
    if verify and not several:
        raise UserError(
            "one formula is not verified by itself: name two, as in -p depqbf,caqe, "
            "or leave out --verify"
        )
    if jobs not in (None, 1) and strategy is None and not several and split is None:
        raise UserError(
            "more jobs need two encodings, as in -e cover/pairing, several pipelines, "
            "as in -p depqbf,caqe, a split, or a strategy"
        )
    chosen = partial(_chosen, game, searching=engine == "both", agreeing=2 if verify else 1)
    parts = tuple(replace(member, moves=False) for member in members)
    splitting = None if split is None else Splitting(chosen(parts), split, jobs, all_moves)
    method = splitting or chosen(members, all_moves=all_moves, jobs=jobs)
    answer = _ask(method, game, depth, player, max_depth, budget, progress)
    if strategy is not None:
        method = chosen(members)
        if splitting is not None:
            method = splitting.divided(answer.settled_depth - splitting.plies, method)
        _prove(answer, strategy, method, budget, progress, fold, jobs)
    return answer


def _searches(engine: str, by_formula: bool, game: Game) -> bool:
    """Whether the engine is to answer, and not a formula."""
    if engine == "search":
        if by_formula:
            switches = "encoding, pipeline and symmetry"
            raise UserError(f"the engine searches without formulas: leave out {switches}")
        return True
    if engine != "auto" or by_formula:
        return False
    refused = refusal(game)
    if refused is not None and not has_solver():
        slowly = "skolemate oracle answers slowly without either"
        raise UserError(f"{refused}; or for formulas: pip install 'skolemate[solvers]'; {slowly}")
    return refused is None


def _chosen(
    game: Game,
    members: tuple[Qbf, ...],
    *,
    searching: bool,
    agreeing: int = 1,
    all_moves: bool = False,
    jobs: int | None = None,
) -> Method:
    """One formula, or several side by side, with the engine if it is wanted."""
    asked: list[Method] = [replace(member, all_moves=all_moves) for member in members]
    if searching:
        refused = refusal(game)
        if refused is not None:
            raise refused
        asked.insert(0, Search(all_moves, jobs=1))
    return side_by_side(asked, jobs, agreeing)


def prove(
    answer: Answer,
    strategy: str,
    *,
    engine: Literal["auto", "search", "qbf", "both"] = "auto",
    encoding: str | None = None,
    pipeline: str | None = None,
    symmetry: bool = False,
    timeout: float | None = None,
    memory: int | None = None,
    fold: bool = False,
    jobs: int | None = None,
    progress: Tell | None = None,
    cancel: Event | None = None,
) -> None:
    """Save the strategy that proves an answer which is known already; parameters as for `solve`."""
    _refuse_stdout(strategy)
    budget = Budget(Limit(timeout, memory), cancel)
    if _searches(engine, symmetry or (encoding, pipeline) != (None, None), answer.game):
        _prove_by_search(Search(jobs=jobs), answer, strategy, budget, progress, fold)
    else:
        members = formulas(encoding, pipeline, symmetry=symmetry)
        method = _chosen(answer.game, members, searching=engine == "both")
        _prove(answer, strategy, method, budget, progress, fold, jobs)


def _prove(
    answer: Answer,
    file: str,
    method: Method,
    budget: Budget,
    progress: Tell | None,
    fold: bool,
    jobs: int | None,
) -> None:
    judge = asking(method, claim(answer), budget)
    if isinstance(method, Portfolio):
        jobs = 1  # it does several things at a time by itself
    jobs = jobs or cpu_count() or 1
    _save_strategy(answer, judge, file, budget, progress, fold=fold, jobs=jobs)


def _prove_by_search(
    search: Search,
    answer: Answer,
    file: str,
    budget: Budget,
    progress: Tell | None,
    fold: bool,
) -> None:
    try:
        judge, linker = search.judge(answer, budget), search.linker(answer, budget)
    except OutOfBudget as out:  # no engine to be had
        raise Unproved(answer, Unfinished(out.reason, out.detail, 0)) from None
    # A judge that remembers need not be spared questions by looking ahead.
    _save_strategy(answer, judge, file, budget, progress, fold=fold, reach=0, linker=linker)


def _refuse_stdout(strategy: str | None) -> None:
    """An extraction goes on from its file, and its output is a file: better said at once."""
    if strategy == "-":
        raise UserError("a strategy needs a file of its own; give its name")


def claim(answer: Answer) -> Claim:
    """What a strategy has to prove."""
    wins = answer.verdict is Verdict.WIN
    return Claim(answer.game, answer.player, answer.settled_depth, wins)


def _save_strategy(
    answer: Answer,
    judge: Judge,
    file: str,
    budget: Budget,
    progress: Tell | None,
    **options: Any,
) -> None:
    """Extract the strategy that proves an answer, if it is one."""
    if answer.verdict is Verdict.UNKNOWN:
        return

    def tell(nodes: int) -> None:
        if progress is not None and nodes % 100 == 0:
            progress(Progress(answer.depth, answer.verdict, budget.wall_seconds, nodes=nodes))

    for_ever = answer.every_depth and answer.game.horizon is None
    options |= {"file": file, "budget": budget, "tell": tell, "for_ever": for_ever}
    try:
        extract(claim(answer), judge, **options)
    except Unfinished as unfinished:
        raise Unproved(answer, unfinished) from None


def check(
    file: str, game: str | Game | None = None, *, claim: Claim | str | None = None
) -> strategies.Report:
    """Check a strategy's file; the report says what it claims, and whether that is proved.

    By default that is whatever the file says. If a `game` is given, the strategy must be for it;
    if a `claim` is, as in "WIN 7 black" (the verdict, the depth, the player), it must claim that.
    """
    return strategies.check_file(file, None if game is None else load(game), claim)


def certify(
    strategy: str,
    encoding: str,
    *,
    output: str | None = None,
    check: str | None = None,
    game: str | Game | None = None,
    symmetry: bool = False,
) -> Certified:
    """A strategy's file as a certificate of a formula, checked by a SAT solver.

    `output` names a file for it (`.aag` or `.aig`), written only if it holds. With `check`, the
    certificate in that file is checked instead: it must prove what the strategy's file claims, and
    nothing else in that file is believed. `symmetry` is the formula's, as for `encode`. If the
    formula asks about fewer plies than the strategy needs, the engine finds a shorter one.
    """
    if output is not None:
        refuse_suffix(output)
    loaded = strategies.Strategy.load(strategy, None if game is None else load(game))
    encoded = encoded_for(loaded, encoding, symmetry)
    if check is None:
        certificate = certificates.certify(loaded, encoded)
    else:
        certificate = load_certificate(check, encoded.formula)
    verification = certificates.verify(encoded.formula, certificate)
    plies = len(encoded.script.plies) if encoded.script else 0
    shortened = None
    if not verification.holds and check is None and loaded.claim.wins and plies < loaded.depth:
        # Where few cells matter the formula asks about fewer plies, and the strategy wastes some.
        shorter = _shorter(loaded.claim, plies)
        if shorter is not None:
            certificate, shortened = certificates.certify(shorter, encoded), plies
            verification = certificates.verify(encoded.formula, certificate)
    certified = Certified(loaded.claim, encoded, certificate, verification, shortened)
    if output is not None and certified.holds:
        save_certificate(certificate, encoded, output)
    return certified


def _shorter(claimed: Claim, plies: int) -> strategies.Strategy | None:
    """A winning strategy for fewer plies, by the engine; None if there is none to be had."""
    if refusal(claimed.game) is not None:
        return None
    search = Search()
    answer = search(Question(claimed.game, claimed.player, plies))
    if answer.verdict is not Verdict.WIN:
        return None
    budget = Budget()
    linker = search.linker(answer, budget)
    return extract(claim(answer), search.judge(answer, budget), reach=0, linker=linker)


def _ask(
    method: Method,
    game: Game,
    depth: Depth,
    player: Player,
    max_depth: int | None,
    budget: Budget,
    progress: Tell | None,
) -> Answer:
    limit, cancel = budget.remaining(), budget.cancel
    depth = _depth(game, depth, max_depth)
    if depth == "auto":
        return deepen(method, game, player, max_depth, limit, progress, cancel)
    if max_depth is not None:
        raise UserError("a maximal depth goes with depth auto only")
    return method(Question(game, player, depth), limit, progress, cancel)


def _depth(game: Game, depth: Depth, max_depth: int | None) -> int | Literal["auto"]:
    """What is asked for if no depth is given: the file's own, unless there is a greatest one."""
    if depth is not None:
        return depth
    own = game.remaining_depth
    return own if own is not None and max_depth is None else "auto"


def encode(
    game: str | Game | Question,
    depth: int | None = None,
    player: str | Player = Player.BLACK,
    *,
    encoding: str,
    symmetry: bool = False,
) -> Encoded:
    """State a question as a formula; without a depth, a file's own is taken.

    With `symmetry` the first move is restricted to one of each class of symmetric ones, which
    changes no answer; without it the formula is the paper's.

    >>> encode("hein(9)", 7, encoding="et").formula.sizes.blocks
    7
    """
    return encodings.encode(_question(game, depth, player), encoding, symmetry=symmetry)


def stats(
    game: str | Game | Question,
    depth: int | None = None,
    player: str | Player = Player.BLACK,
    *,
    encoding: Iterable[str] | None = None,
    symmetry: bool = False,
) -> list[dict[str, Any]]:
    """The sizes of a question in these encodings; by default in all that can state it."""
    question = _question(game, depth, player)
    names = [entry.name for entry in encodings.ENCODINGS] if encoding is None else list(encoding)
    listed, refusals = [], []
    for name in names:
        try:
            encoded = encodings.encode(question, name, symmetry=symmetry)
        except encodings.Unsupported as unsupported:
            if encoding is not None:
                raise
            refusals.append(unsupported)
        else:
            listed.append(encoded.as_json())
    if refusals and not listed:
        raise refusals[0]
    return listed


def _question(game: str | Game | Question, depth: int | None, player: str | Player) -> Question:
    if isinstance(game, Question):
        return game
    game = load(game)
    depth = game.remaining_depth if depth is None else depth
    if depth is None:
        raise UserError(f"{game} has no depth of its own: give one, as in -d 7")
    return Question(game, Player(player), depth)


def describe(game: str | Game, *, views: bool = True) -> dict[str, Any]:
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
        "moves": [game.move_name(move) for move in start.moves()],
        "played": [game.move_name(move) for move in game.played],
    }
    return told | {"views": [view for view in VIEWS if game.offers(view)]} if views else told

"""Strategies played out against every reply, by a loop that knows only the rules."""

from __future__ import annotations

from skolemate.ask.search import Search
from skolemate.games import Game, Player, Position, Stuck
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget
from skolemate.search.reference import Reference
from skolemate.strategies import Claim, Report, Strategy, extract
from skolemate.strategies.deciding import Evaluation, Evaluator


def by_oracle(player: Player, oracle: Reference | None = None) -> Evaluator:
    """An evaluator that remembers all its answers."""
    wins = (oracle or Reference(player)).wins
    return lambda here: Evaluation(wins(here.position, here.left))


def found(holds: bool, nodes: int, every_depth: bool = False) -> Report:
    """A report to compare one with: equal whatever the claim is."""
    nothing = Claim(build("tictactoe"), Player.BLACK, 0, False)
    return Report(holds, nodes, every_depth, claim=nothing)


def claim_about(game: Game, player: Player, depth: int) -> Claim:
    return Claim(game, player, depth, Reference(player).wins(game.start, depth))


def extracted(
    game: Game, player: Player, depth: int, fold: bool = False, oracle: Reference | None = None
) -> Strategy:
    """The oracle's strategy for the oracle's answer."""
    oracle = oracle or Reference(player)
    claim = Claim(game, player, depth, oracle.wins(game.start, depth))
    return extract(claim, by_oracle(player, oracle), reach=0, fold=fold)


def searched(
    game: Game, player: Player, depth: int, links: bool = True, whole: bool = True
) -> Strategy:
    """The engine's strategy for the engine's answer, with its links and whole proofs or without."""
    search, budget = Search(jobs=1), Budget()
    answer = search(Question(game, player, depth))
    linker = search.linker(answer, budget) if links else None
    extractor = search.extractor(answer, budget) if whole else None
    evaluate = search.evaluator(answer, budget)
    return extract(answer.claim, evaluate, reach=0, linker=linker, extractor=extractor)


def holds_against_everything(strategy: Strategy) -> int:
    """Follow the strategy against every reply; the number of positions that were met."""
    asker, wins = strategy.claim.player, strategy.claim.wins
    waiting = [(strategy.game.start, strategy.depth)]
    met = set(waiting)
    while waiting:
        position, left = waiting.pop()
        won = has_won(position, left, asker)
        if won is not None:
            assert won is wins, f"{strategy.claim} ends here:\n{position}"
            continue
        if position.to_move is strategy.owner:
            reply = strategy.move(position)
            assert reply is not None, f"no reply, {left} plies left:\n{position}"
            moves = [reply]
        else:
            assert strategy.move(position) is None
            moves = list(position.moves())
        for move in moves:
            following = position.play(move), left - 1
            if following not in met:
                met.add(following)
                waiting.append(following)
    return len(met)


def has_won(position: Position, left: int, asker: Player) -> bool | None:
    """Whether the one who asks has won in time; None while the game goes on."""
    if position.winner is not None:
        return position.winner is asker
    if left == 0:
        return False
    if position.moves():
        return None
    loses = position.game.stuck(position) is Stuck.LOSES
    return loses and position.to_move is asker.opponent

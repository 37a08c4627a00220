"""`skolemate play`: a game against the computer, which solves on the fly.

What is shown and typed goes through the terminal; stdout gets the record at the end.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from skolemate.cli import EXIT_FAILURE, EXIT_INTERRUPTED
from skolemate.cli.common import add_game, add_json, game_of
from skolemate.cli.interrupts import interrupting
from skolemate.cli.methods import use_programs
from skolemate.cli.opponents import add_thinking, thinker_of

if TYPE_CHECKING:
    from skolemate.games import Game, Player
    from skolemate.play.match import Match
    from skolemate.play.opponent import Opponent

EXAMPLES = (
    "skolemate play 'hein(9)'",
    "skolemate play 'hex(size=5)' --side white --timeout 2",
    "skolemate play 'hein(9)' --side white --strategy hein9.jsonl",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--side", choices=("black", "white"), default="black", help="yours (default: black)"
    )
    parser.add_argument("--strategy", metavar="FILE", help="the computer plays by this one")
    add_thinking(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.games import Player
    from skolemate.play.match import Match
    from skolemate.play.session import Session
    from skolemate.play.terminal import Terminal

    use_programs(arguments)
    game = game_of(arguments)
    human = Player(arguments.side)
    thinker = thinker_of(arguments, game.remaining_depth)
    if arguments.encoding is not None:
        _check_encodings(game, human.opponent, arguments.encoding)
    opponent: Opponent = thinker
    if arguments.strategy is not None:
        opponent = _follower(arguments.strategy, game, human, thinker)
    session = Session(Match.of(game), human, opponent, thinker, Terminal(), interrupting)
    code = 0
    try:
        session.run()
    except KeyboardInterrupt:
        print("\nskolemate: interrupted", file=sys.stderr)
        code = EXIT_INTERRUPTED
    _print_record(session.match, human, arguments.json)
    return EXIT_FAILURE if session.defect else code


def _follower(file: str, game: Game, human: Player, otherwise: Opponent) -> Opponent:
    """The computer, playing by a strategy of its own."""
    from skolemate.errors import UserError
    from skolemate.play.opponent import Follower
    from skolemate.strategies import Strategy

    strategy = Strategy.load(file, game)
    if strategy.owner is human:
        other = human.opponent.value
        raise UserError(f"the strategy in {file} is {human}'s: play against it with --side {other}")
    return Follower.of(strategy, otherwise)


def _check_encodings(game: Game, computer: Player, encodings: str) -> None:
    """Refuse encodings of which none can state the computer's questions."""
    from skolemate.api import encode
    from skolemate.encodings import Unsupported

    maker = computer.opponent if game.breaker is computer else computer
    refusals: list[Unsupported] = []
    for encoding in encodings.split(","):
        try:
            encode(game, 1, maker, encoding=encoding)
        except Unsupported as refusal:
            refusals.append(refusal)
        else:
            return
    raise refusals[0]


def _print_record(match: Match, human: Player, as_json: bool) -> None:
    from skolemate.formats import to_record
    from skolemate.play.record import entries

    if as_json:
        print(to_record(match.game, **entries(match, human)), end="")
    else:
        print(f"{match.base}: {match.result}.")
        print(f"Moves: {' '.join(match.names) or 'none'}")

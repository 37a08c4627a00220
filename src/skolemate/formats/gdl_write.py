"""Writing games in GDL: any game whose rules and goals can be listed, move by move.

The roles are `black` and `white`; moves have their own names. A cell is black or white, or open if
nothing is said of it. The description is ground but for what stays as it is. Where a player without
a move has lost, the only move then is `give_up`, so that it takes a ply, as in our own games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from skolemate.errors import MissingView, UserError
from skolemate.games.game import Game, Player, Stuck
from skolemate.games.goals import Sets
from skolemate.games.symmetry import cells_of
from skolemate.games.views import Grounded, GroundedAction, Pattern

_NAME = re.compile(r"(\w+)\(([\w,]*)\)")

END = """
(<= over (won ?p))
(<= terminal over)
(<= (goal ?p 100) (won ?p))
(<= (goal ?p 0) (role ?p) (won ?q) (distinct ?p ?q))
(<= (goal ?p 50) (role ?p) (not over))
"""


def to_gdl(game: Game) -> str:
    """The text of a `.gdl` file: the game from its start on."""
    rules = _rules(game)
    names = [re.sub(r"\W", "_", name) for name in game.board.names]
    lines = [f"; {game}", "(role black) (role white)", *_start(rules, names)]
    for player in Player:
        for action in rules.actions[player]:
            lines += _move(player, action, _term(game.move_name(action.move)), names)
    lines += [
        "(<= (next (cell ?c ?p)) (true (cell ?c ?p)) (not (touched ?c)))",
        "(touched none)",
        *_turns(rules),
        *_goals(game, rules, names),
        END.strip(),
    ]
    return "\n".join(lines) + "\n"


def _rules(game: Game) -> Grounded:
    try:
        rules = game.grounded()
    except MissingView as missing:
        raise UserError(f"{game} cannot be written in GDL: {missing.reason}") from None
    if game.misere:
        raise UserError(f"{game} cannot be written in GDL: who completes a goal loses")
    if rules.first_moves is not None:
        raise UserError(f"{game} cannot be written in GDL: its first move is restricted")
    if not all(goal is None or isinstance(goal, Sets | tuple) for goal in rules.goals.values()):
        raise UserError(f"{game} cannot be written in GDL: its goal is a path")
    return rules


def _term(name: str) -> str:
    """A move's name as a term: `forward(2,3)` is `(forward 2 3)`."""
    call = _NAME.fullmatch(name)
    return re.sub(r"\W", "_", name) if call is None else f"({call[1]} {call[2].replace(',', ' ')})"


def _start(rules: Grounded, names: list[str]) -> Iterator[str]:
    for colour, stones in (("black", rules.black), ("white", rules.white)):
        yield from (f"(init (cell {names[cell]} {colour}))" for cell in cells_of(stones))


def _move(player: Player, action: GroundedAction, move: str, names: list[str]) -> Iterator[str]:
    """When a move can be made, and what it does."""
    yield f"(<= (can {player.value} {move}) {_holding(action.needs, names)})"
    made = f"(does {player.value} {move})"
    for colour, cells in (("black", action.becomes_black), ("white", action.becomes_white)):
        yield from (f"(<= (next (cell {names[c]} {colour})) {made})" for c in cells_of(cells))
    changed = action.becomes_open | action.becomes_black | action.becomes_white
    yield from (f"(<= (touched {names[cell]}) {made})" for cell in cells_of(changed))


def _holding(pattern: Pattern, names: list[str]) -> str:
    """Conditions of which all must hold."""
    parts = []
    for colour, needed, banned in (
        ("black", pattern.black, pattern.no_black),
        ("white", pattern.white, pattern.no_white),
    ):
        parts += [f"(true (cell {names[cell]} {colour}))" for cell in cells_of(needed)]
        parts += [f"(not (true (cell {names[cell]} {colour})))" for cell in cells_of(banned)]
    for cell in cells_of(pattern.occupied):
        black, white = (f"(true (cell {names[cell]} {colour}))" for colour in ("black", "white"))
        parts.append(f"(or {black} {white})")
    return " ".join(parts)


def _alternate(rules: Grounded) -> bool:
    schedule = rules.schedule
    return schedule is None or all(one is not other for one, other in pairwise(schedule))


def _ends_when_full(rules: Grounded) -> bool:
    """Whether the turns are over when no cell is open: every move fills one, and no more."""
    open_cells = rules.cells - (rules.black | rules.white).bit_count()
    return (
        rules.schedule is not None
        and len(rules.schedule) == open_cells
        and _alternate(rules)
        and all(
            action.needs == Pattern.open(stone := action.becomes_black | action.becomes_white)
            and stone.bit_count() == 1
            for actions in rules.actions.values()
            for action in actions
        )
    )


def _turns(rules: Grounded) -> Iterator[str]:
    """Whose turn it is: they alternate, or a clock tells it; it also tells when turns are over."""
    schedule, full = rules.schedule, _ends_when_full(rules)
    turn, wait = "(true (ply ?n)) (mover ?n ?p)", "(true (ply ?n)) (mover ?n ?q) (distinct ?p ?q)"
    if _alternate(rules):
        turn, wait = "(true (control ?p))", "(not (true (control ?p)))"
        first = (schedule or [rules.to_move or Player.BLACK])[0]
        yield f"(init (control {first.value}))"
        yield "(<= (next (control white)) (true (control black)))"
        yield "(<= (next (control black)) (true (control white)))"
    elif schedule is not None:
        yield from (f"(mover {ply} {player.value})" for ply, player in enumerate(schedule, 1))
    yield f"(<= (legal ?p ?m) {turn} (can ?p ?m))"
    yield f"(<= (legal ?p noop) (role ?p) {wait})"
    yield "(<= (able ?p) (can ?p ?m))"
    if schedule is not None and not full:
        yield "(init (ply 1))"
        yield from (f"(after {ply} {ply + 1})" for ply in range(1, len(schedule) + 1))
        yield "(<= (next (ply ?n)) (true (ply ?m)) (after ?m ?n))"
        yield f"(<= no_turn_left (true (ply {len(schedule) + 1})))"
        yield "(<= terminal no_turn_left)"
    if rules.stuck is Stuck.LOSES:
        yield f"(<= (legal ?p give_up) (role ?p) {turn} (not (able ?p)))"
        yield "(<= (next (lost ?p)) (does ?p give_up))"
        yield "(<= (won ?p) (role ?p) (true (lost ?q)) (distinct ?p ?q))"
    elif schedule is None or full:
        yield f"(<= no_turn_left (role ?p) {turn} (not (able ?p)))"
        yield "(<= terminal no_turn_left)"


def _goals(game: Game, rules: Grounded, names: list[str]) -> Iterator[str]:
    """Who has won: by a goal, because the other has no move, or because the turns are over."""
    for player in Player:
        goal = rules.goals[player]
        patterns: Iterable[Pattern] = ()
        if isinstance(goal, Sets):
            patterns = [Pattern(**{player.value: cells}) for cells in goal.sets]
        elif isinstance(goal, tuple):
            patterns = goal
        for pattern in patterns:
            yield f"(<= (met {player.value}) {_holding(pattern, names)})"
    yield "(met nobody)"
    yield "(<= (won ?p) (role ?p) (met ?p))"
    if game.breaker is not None:
        maker = game.breaker.opponent.value
        yield f"(<= (won {game.breaker.value}) no_turn_left (not (met {maker})))"

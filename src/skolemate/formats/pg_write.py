"""Writing `.pg` files, in every dialect that `formats/pg` reads except GTTT.

A file holds the position from which questions are asked, not the moves that led there, and
the turns up to the game's depth. A dialect that cannot express the game raises an error. For Hex,
Black's path is enough: on a full board exactly one player is connected. (The hypergraph does not
show when White is connected; a comment in the file says so.)
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from skolemate.errors import MissingView, UserError, brief, suggestion
from skolemate.games.game import Game, Player, continued
from skolemate.games.goals import Connection
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import cells_of

SectionRows = tuple[str, Iterable[str]]  # a name, and the rows below it


def natural_suffix(game: Game) -> str:
    """The default format for a game: `.pg`, or BDDL if `.pg` cannot express its rules."""
    return ".pg" if isinstance(game, PositionalGame) else ".bddl"


def to_pg(game: Game, dialect: str | None = None) -> str:
    """The text of a `.pg` file; games of paths are written as boards, others as hypergraphs.

    >>> from skolemate.games.family import build
    >>> text = to_pg(build("hex(2)"), "egf")
    >>> print(text[text.index("#positions"):], end="")
    #positions
    a1 a2 b1 b2
    #edges
    a1 a2
    a1 b1
    a2 b1
    a2 b2
    b1 b2
    S a1
    S b1
    T a2
    T b2
    #source
    S
    #target
    T
    """
    if dialect is None:
        dialect = "board" if _has_only_a_path(game) else "hypergraph"
    if dialect not in _SECTIONS:
        raise UserError(f"unknown dialect {brief(dialect)}: {suggestion(dialect, DIALECTS)}")
    _check_names(game)
    sections = _SECTIONS[dialect](game)
    remarks = [*str(game).splitlines(), *_picture(game)]
    if dialect == "hypergraph" and game.offers("transversal"):
        remarks += ["Black's goal alone: White wins by filling the board, not by a path.", ""]
    lines = [f"% {line}".rstrip() for line in remarks]
    for name, rows in sections:
        lines.append(name)
        lines.extend(rows)
    return "\n".join(lines) + "\n"


def _hypergraph(game: Game) -> list[SectionRows]:
    """All winning sets listed, those of stones already placed included.

    Of a game of paths every minimal path is listed that White's stones leave open; of Hex only
    Black's, which makes it the Maker-Breaker game that is decided the same way.
    """
    listed = list(zip(("#blackwins", "#whitewins"), Player, _listed(game), strict=True))
    for _, player, sets in listed:
        if sets is not None and not all(sets):
            raise UserError(f"{game} cannot be written: {player} has won with no stone at all")
        if sets == ():
            raise UserError(f"{game} cannot be written as hypergraph: {player} has no set to list")
    goals: list[SectionRows] = []
    if game.misere:
        goals.append(("#misere", []))
    for name, _, sets in listed:
        if sets is not None:
            goals.append((name, [game.board.named(winning) for winning in sets]))
    return [*_setting(game), *_stones(game), *goals, *_first_moves(game)]


def _board(game: Game) -> list[SectionRows]:
    """The whole board with its stones, and Black's two borders."""
    _check_path(game, "board")
    goal = game.connection()
    return [*_setting(game), *_stones(game), *_graph(game, goal), *_first_moves(game)]


def _gex(game: Game) -> list[SectionRows]:
    """Only the open cells: Black's stones contracted, White's cut out."""
    goal, cells = _contracted(game, "gex")
    return [*_setting(game, cells), *_graph(game, goal, cells), *_first_moves(game)]


def _egf(game: Game) -> list[SectionRows]:
    """The same graph by its edges; two nodes that are no cells stand for the borders."""
    goal, cells = _contracted(game, "egf")
    names = game.board.names
    source, target = (_unused(letter, names) for letter in "ST")
    edges = [
        f"{names[cell]} {names[near]}"
        for cell in cells_of(cells)
        for near in cells_of(goal.neighbours[cell])
        if cell < near
    ]
    edges += [f"{source} {names[cell]}" for cell in cells_of(goal.start)]
    edges += [f"{target} {names[cell]}" for cell in cells_of(goal.end)]
    border: list[SectionRows] = [("#edges", edges), ("#source", [source]), ("#target", [target])]
    return [*_setting(game, cells), *border, *_first_moves(game)]


_SECTIONS: dict[str, Callable[[Game], list[SectionRows]]] = {
    "hypergraph": _hypergraph,
    "board": _board,
    "gex": _gex,
    "egf": _egf,
}
DIALECTS = tuple(_SECTIONS)


# --- the parts of a file -------------------------------------------------------------------


def _setting(game: Game, cells: int | None = None) -> list[SectionRows]:
    """Times, turns and cells."""
    schedule = game.turns_ahead or ()
    count = len(schedule) if game.remaining_depth is None else game.remaining_depth
    if not count:
        raise UserError(f"{game} cannot be written: no turn is left, and a .pg file needs one")
    open_cells = game.board.size - game.start.occupied.bit_count()
    if len(schedule) < open_cells:
        count = min(count, len(schedule))  # the turns end before the board is full
    turns = continued(schedule, count)[:count]  # a file may ask beyond the last open cell
    if continued(turns, open_cells)[:open_cells] != schedule:
        raise UserError(
            f"{game} cannot be written: the order of its turns does not show in the first {count}"
        )
    black = [f"t{ply}" for ply, player in enumerate(turns, 1) if player is Player.BLACK]
    every = (1 << game.board.size) - 1
    return [
        ("#times", [" ".join(f"t{ply}" for ply in range(1, count + 1))]),
        ("#blackturns", [" ".join(black)]),
        ("#positions", [game.board.named(every if cells is None else cells)]),
    ]


def _stones(game: Game) -> list[SectionRows]:
    start = game.start
    sides = (("#blackinitials", start.black), ("#whiteinitials", start.white))
    return [(name, [game.board.named(stones)]) for name, stones in sides if stones]


def _graph(game: Game, goal: Connection, cells: int | None = None) -> list[SectionRows]:
    names = game.board.names
    listed = range(game.board.size) if cells is None else cells_of(cells)
    rows = [f"{names[cell]} {game.board.named(goal.neighbours[cell])}".rstrip() for cell in listed]
    return [
        ("#neighbours", rows),
        ("#startboarder", [game.board.named(goal.start)]),
        ("#endboarder", [game.board.named(goal.end)]),
    ]


def _first_moves(game: Game) -> list[SectionRows]:
    allowed = game.first_cells
    return [] if allowed is None else [("#firstmoves", [game.board.named(allowed)])]


def _picture(game: Game) -> list[str]:
    return ["", *str(game.start).splitlines(), ""]


def _unused(letter: str, names: Iterable[str]) -> str:
    """A name for a node that is not a cell's.

    >>> _unused("S", ["R", "S", "S_"])
    'S__'
    """
    taken = set(names)
    while letter in taken:
        letter += "_"
    return letter


# --- what a dialect can express -------------------------------------------------------------


def _listed(game: Game) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """The sets of both players."""
    if isinstance(game, PositionalGame) and game.misere and game.lacks_sets() is None:
        return game.listed(Player.BLACK), game.listed(Player.WHITE)
    if isinstance(game, PositionalGame) and _has_only_a_path(game):
        # Paths through White's stones need no search.
        open_paths = game.connection().contracted(0, game.start.white)
        game = replace(game, black_goal=open_paths, white_goal=None)
    view = game.hypergraph()
    return view.black_sets, view.white_sets


def _contracted(game: Game, dialect: str) -> tuple[Connection, int]:
    """Black's goal on the open cells, and these."""
    _check_path(game, dialect)
    goal, start = game.connection(), game.start
    if goal.met(start.black):
        raise UserError(f"{game} cannot be written as {dialect}: Black is joined already")
    open_cells = ~start.occupied & ((1 << game.board.size) - 1)
    return goal.contracted(start.black, start.white), open_cells


def _has_only_a_path(game: Game) -> bool:
    """Whether Black's path is all that decides the game."""
    return game.offers("connection") and game.is_maker_breaker


def _check_path(game: Game, dialect: str) -> None:
    """Refuse a game that is not decided by Black's path alone."""
    if _has_only_a_path(game):
        return
    try:
        game.connection()
        reason = "it has no place for White's goal"
    except MissingView as error:
        reason = error.reason
    raise UserError(f"{game} cannot be written as {dialect}: {reason}; write it as hypergraph")


def _check_names(game: Game) -> None:
    for name in game.board.names:
        if not name or name.startswith("#") or "%" in name or name.split() != [name]:
            raise UserError(f"{game} cannot be written: {brief(name)} is no name for a cell there")

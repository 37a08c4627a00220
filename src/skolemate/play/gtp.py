"""GTP version 2 for Hex, as HexGui and other programs speak it.

Stones may be played in any order and by either colour, since programs set up positions that
way. Black joins top and bottom, and a1 is the upper left corner, as everywhere here.

HexGui needs a blank after `=` and `?` even if nothing follows, takes an empty line as the end of
an answer, sends `boardsize` with two numbers and no `clear_board`, and asks for
`hexgui-analyze_commands` when it connects.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from importlib.metadata import version
from inspect import signature
from threading import Event
from typing import NamedTuple

from skolemate import Analyst, Value, Verdict, read_game
from skolemate.errors import UserError, brief
from skolemate.games import HexGrid, Player, PositionalGame, hex_goals, move_mask, turns
from skolemate.limits import Budget
from skolemate.play.match import ClaimedWin, Match, OpponentMove, Thinker
from skolemate.render import text

DEFAULT_SIZE = 11
COLOURS = {"b": Player.BLACK, "black": Player.BLACK, "w": Player.WHITE, "white": Player.WHITE}
WINNING_MOVES = "skolemate-winning_moves"
VALUES = "skolemate-values"
ANALYSES = f"plist/Winning moves/{WINNING_MOVES} %m\npspairs/Values of moves/{VALUES} %m"
RESIGN, SWAPS = "resign", ("swap-pieces", "swap")


class Refused(UserError):
    """A command that fails; the message follows the question mark."""


class Stones(NamedTuple):
    """A position on the board, and the cell of the last move."""

    black: int = 0
    white: int = 0
    last: int | None = None


class Kept(NamedTuple):
    """A claimed win: the player, the position after the player's move, and the plies left."""

    player: Player
    stones: Stones
    left: int


class GtpEngine:
    """Answers commands. `thinking` surrounds work that can be stopped."""

    def __init__(
        self,
        thinker: Thinker,
        all_moves: Analyst,
        thinking: Callable[[], AbstractContextManager[Event]] = lambda: nullcontext(Event()),
    ) -> None:
        self._thinker = thinker
        self._all_moves = all_moves
        self._thinking = thinking
        self._board = HexGrid(DEFAULT_SIZE, DEFAULT_SIZE)
        self._history = [Stones()]
        self._kept: Kept | None = None
        self.running = True
        self._commands: dict[str, Callable[..., str]] = {
            "protocol_version": lambda: "2",
            "name": lambda: "Skolemate",
            "version": lambda: version("skolemate"),
            "known_command": lambda name: "true" if name in self._commands else "false",
            "list_commands": lambda: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "loadsgf": self._loadsgf,
            "undo": self._undo,
            "showboard": self._showboard,
            WINNING_MOVES: self._winning_moves,
            VALUES: self._values,
            "hexgui-analyze_commands": lambda: ANALYSES,
        }

    def answer(self, line: str) -> str | None:
        """The answer to a line, with the empty line that ends it; None if it needs none.

        >>> from skolemate import How
        >>> analyst = Analyst(How.parse("reference").method())
        >>> engine = GtpEngine(Thinker(analyst), analyst)
        >>> engine.answer("7 boardsize 3 3 # as HexGui does"), engine.answer("jump")
        ('=7 \\n\\n', '? unknown command\\n\\n')
        """
        printable = "".join(c for c in line.replace("\t", " ") if c.isprintable())
        words = printable.partition("#")[0].split()
        if not words:
            return None
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        try:
            answer = self._run(words)
        except UserError as error:  # a wrong command, a wrong option, no solver
            return f"?{number} {error}\n\n"
        # A drawing begins on a line of its own, and no line of an answer may be empty.
        return f"={number} {answer}\n\n"

    def _run(self, words: list[str]) -> str:
        command = self._commands.get(words[0]) if words else None
        if command is None:
            raise Refused("unknown command")
        try:
            signature(command).bind(*words[1:])
        except TypeError:
            raise Refused(f"syntax error: wrong arguments for {words[0]}") from None
        return command(*words[1:])

    # --- the board -----------------------------------------------------------------------------

    @property
    def _stones(self) -> Stones:
        return self._history[-1]

    def _quit(self) -> str:
        self.running = False
        return ""

    def _boardsize(self, columns: str, rows: str | None = None) -> str:
        sides = [columns, columns if rows is None else rows]
        if not all(re.fullmatch(r"[0-9]{1,4}", side) for side in sides):
            raise Refused("syntax error: write boardsize 11, or boardsize 11 11")
        try:
            width, height = map(int, sides)
            self._board = HexGrid(width, height)
        except UserError as error:
            raise Refused(f"unacceptable size: {error}") from None
        return self._clear_board()

    def _clear_board(self) -> str:
        self._history = [Stones()]
        self._kept = None
        return ""

    def _play(self, colour: str, vertex: str) -> str:
        player, vertex = _colour(colour), vertex.lower()
        if vertex == RESIGN:
            self._history.append(self._stones)
        elif vertex in SWAPS:
            self._swap(player)
        else:
            try:
                cell = self._board.cell(vertex)
            except UserError as error:
                raise Refused(f"invalid color or coordinate: {error}") from None
            if (self._stones.black | self._stones.white) >> cell & 1:
                raise Refused(f"illegal move: {vertex} is taken")
            self._place(player, cell)
        return ""

    def _place(self, player: Player, cell: int) -> None:
        black, white, _ = self._stones
        stone = 1 << cell
        if player is Player.BLACK:
            black |= stone
        else:
            white |= stone
        self._history.append(Stones(black, white, cell))

    def _swap(self, player: Player) -> None:
        """The only stone changes its colour, and is mirrored at the long diagonal."""
        black, white, _ = self._stones
        theirs, mine = (white, black) if player is Player.BLACK else (black, white)
        if mine or theirs.bit_count() != 1 or self._board.width != self._board.height:
            raise Refused("illegal move: only the second move on a square board may be a swap")
        places = self._board.places
        mirror = tuple(self._board.at(y, x) or 0 for x, y in places)
        stone = move_mask(mirror, theirs)
        last = stone.bit_length() - 1
        self._history.append(
            Stones(stone, 0, last) if player is Player.BLACK else Stones(0, stone, last)
        )

    def _loadsgf(self, file: str, number: str | None = None) -> str:
        """The position in a file; with a number, the one before that move is made."""
        if number is not None and not re.fullmatch(r"[1-9][0-9]{0,4}", number):
            raise Refused(f"syntax error: {brief(number)} is not the number of a move")
        try:
            game = read_game(file)
        except (UserError, OSError) as error:
            raise Refused(f"cannot load file: {error}") from None
        if not isinstance(game.board, HexGrid) or not game.offers("transversal"):
            raise Refused(f"cannot load file: {brief(file)} is not a game of Hex")
        played = game.played if number is None else game.played[: int(number) - 1]
        self._board, position = game.board, game.origin
        self._history, self._kept = [Stones(position.black, position.white)], None
        for move in played:
            position = position.play(move)
            self._history.append(Stones(position.black, position.white, move))
        return ""

    def _undo(self) -> str:
        if len(self._history) == 1:
            raise Refused("cannot undo")
        self._history.pop()
        self._kept = None
        return ""

    def _showboard(self) -> str:
        return "\n" + text(self._game(Player.BLACK).start, last=self._stones.last)

    # --- thinking ------------------------------------------------------------------------------

    def _game(self, first: Player) -> PositionalGame:
        """The position on the board, with a player to move."""
        board, (black, white, _) = self._board, self._stones
        open_cells = board.size - (black | white).bit_count()
        name = f"hex({board.sides})"
        schedule = turns(open_cells, first=first)
        return PositionalGame(name, board, *hex_goals(board), schedule, black, white)

    def _genmove(self, colour: str) -> str:
        player = _colour(colour)
        reply = self._reply(player)
        if reply is None:
            self._history.append(self._stones)
            return RESIGN
        self._place(player, reply.move)
        self._kept = None
        if reply.claim is not None:
            self._kept = Kept(player, self._stones, reply.claim.by_ply - 1)
        return self._board.names[reply.move]

    def _reg_genmove(self, colour: str) -> str:
        """The move that `genmove` would make, without making it."""
        reply = self._reply(_colour(colour))
        return RESIGN if reply is None else self._board.names[reply.move]

    def _reply(self, player: Player) -> OpponentMove | None:
        """The computer's move; None if the other player has won."""
        game = self._game(player)
        winner = game.start.winner
        if winner is player:
            raise Refused(f"the game is over, {winner} has won")
        if winner is not None:
            return None
        left = self._left(player)
        claim = None if left is None else ClaimedWin(player, left, "an earlier move")
        with self._thinking() as cancel:
            return self._thinker.reply(replace(Match.of(game), claim=claim), cancel)

    def _left(self, player: Player) -> int | None:
        """The plies left of a claimed win, if only one reply was played since then."""
        kept = self._kept
        if kept is None or kept.player is not player or len(self._history) < 2:
            return None
        before, now = ((s.black, s.white) for s in self._history[-2:])
        mine, theirs = (0, 1) if player is Player.BLACK else (1, 0)
        replied = (now[theirs] & ~before[theirs]).bit_count() == 1
        if self._history[-2] is not kept.stones or now[mine] != before[mine] or not replied:
            return None
        return kept.left - 1

    def _winning_moves(self, colour: str | None = None, depth: str | None = None) -> str:
        """The moves that win within a depth; without one, those that win soonest."""
        player = self._to_move() if colour is None else _colour(colour)
        game = self._game(player)
        if depth is not None and not re.fullmatch(r"[0-9]{1,4}", depth):
            raise Refused(f"syntax error: {brief(depth)} is not a number of plies")
        if game.start.winner is not None:
            return ""
        with self._thinking() as cancel:
            answer = self._all_moves.solve(
                game,
                "auto" if depth is None else int(depth),
                player,
                max_depth=self._thinker.depth if depth is None else None,
                budget=Budget(self._thinker.limit, cancel),
            )
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is not None, "the unknown has a reason"
            raise Refused(f"not known ({answer.reason.value})")
        if answer.verdict is Verdict.WIN and not answer.first_moves_complete:
            raise Refused("not known (time): there is a win, but not all moves were looked at")
        return " ".join(answer.first_moves or ())

    def _values(self, colour: str | None = None) -> str:
        """Every move with its value: W7 wins in 7 plies, L12 loses in 12, ? is not known."""
        player = self._to_move() if colour is None else _colour(colour)
        game = self._game(player)
        with self._thinking() as cancel:
            value = self._thinker.value(game, Budget(self._thinker.limit, cancel))

        def label(after: Value) -> str:
            if after.winner is None:
                return "?"
            plies = "" if after.plies is None else after.plies + 1
            return f"{'W' if after.winner is player else 'L'}{plies}"

        return " ".join(f"{game.move_name(move)} {label(v)}" for move, v in value.moves or ())

    def _to_move(self) -> Player:
        """Whose turn it is, if the players alternate and Black began."""
        black, white, _ = self._stones
        return Player.BLACK if black.bit_count() <= white.bit_count() else Player.WHITE


def _colour(word: str) -> Player:
    player = COLOURS.get(word.lower())
    if player is None:
        raise Refused(f"invalid color or coordinate: {brief(word)} is neither black nor white")
    return player


def serve(engine: GtpEngine, lines: Iterable[str], write: Callable[[str], object]) -> None:
    """Answer line after line, until `quit` or the end of the input."""
    for line in lines:
        answer = engine.answer(line)
        if answer is not None:
            write(answer)
        if not engine.running:
            return

"""A person against an opponent in the terminal: the loop, its commands, and saving.

The session itself uses only a `Screen`; `Terminal` is the one for people and scripts.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePath
from shlex import quote
from textwrap import fill
from threading import Event
from typing import Any, Protocol

from skolemate.errors import Disagreement, UserError, brief, suggestion
from skolemate.formats import is_hex, to_record, to_sgf
from skolemate.games import Move, Player, cells_of
from skolemate.limits import Budget
from skolemate.output import plies, sentence, write_text
from skolemate.play.match import BrokenClaim, Match, Opponent, Thinker
from skolemate.render import move_names, status, text

# --- the terminal ---------------------------------------------------------------------------------
# Also for a script that writes into a pipe. Everything shown goes to stderr: stdout is for the
# record of the game. Plain characters only.


PLAIN_WIDTH = 80  # where there is no terminal
LEAST_WIDTH = 20
LONGEST_LINE = 10_000  # characters of a typed line; no move or command is longer


def accept_anything() -> None:
    """Accept any bytes as input, whatever their encoding."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")


def typed_line() -> str:
    """The next line of the input; empty at its end."""
    return sys.stdin.readline(LONGEST_LINE)


class Terminal:
    """The terminal as a screen. Its width is asked each time, since windows change their size."""

    def __init__(self) -> None:
        accept_anything()
        # Line editing for a person. It prompts on stdout, which must be the terminal, too.
        self._edits = sys.stdin.isatty() and sys.stdout.isatty()
        if self._edits:
            try:
                import readline  # noqa: F401  by being imported it changes `input`
            except ImportError:
                self._edits = False

    @property
    def width(self) -> int:
        try:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
        except (OSError, ValueError):  # no terminal, or no stream at all
            return PLAIN_WIDTH
        return max(LEAST_WIDTH, columns) if columns else PLAIN_WIDTH

    def show(self, picture: str) -> None:
        print(picture, file=sys.stderr, flush=True)

    def say(self, sentence: str) -> None:
        indent = " " * (len(sentence) - len(sentence.lstrip()))
        wrapped = fill(
            sentence,
            self.width,
            subsequent_indent=indent + "  " if indent else "",
            break_long_words=False,
            break_on_hyphens=False,
        )
        self.show(wrapped)

    def ask(self, prompt: str) -> str | None:
        try:
            typed = self._edited(prompt) if self._edits else self._read(prompt)
        except EOFError:
            self.show("")
            return None
        return typed

    @staticmethod
    def _edited(prompt: str) -> str:
        sys.stderr.flush()
        return input(f"{prompt} ")

    @staticmethod
    def _read(prompt: str) -> str:
        print(prompt, end=" ", file=sys.stderr, flush=True)
        typed = typed_line()
        if not typed:
            raise EOFError
        if not sys.stdin.isatty():  # nobody has seen it being typed
            print(ascii(typed.rstrip("\n"))[1:-1], file=sys.stderr)
        return typed


# --- saving ---------------------------------------------------------------------------------------
# A match is saved to go on later, or as evidence that a claim was wrong.


SUFFIXES = (".sgf", ".json")


def entries(match: Match, human: Player) -> dict[str, Any]:
    """The entries of a record besides game and moves; keys are never missing."""
    claim = match.claim
    return {
        "human": human.value,
        "over": match.over,
        "winner": match.winner.value if match.winner else None,
        "result": match.result,
        "claim": None
        if claim is None
        else {"player": claim.player.value, "by_ply": claim.by_ply, "source": claim.source},
    }


def save(match: Match, human: Player, path: str) -> str:
    """Write a match, in the format of the suffix; by default Hex as SGF, other games as JSON.

    Returns the path of the file.
    """
    suffix = PurePath(path).suffix.lower()
    if not suffix:
        suffix = ".sgf" if is_hex(match.game) else ".json"
        path += suffix
    if suffix not in SUFFIXES:
        raise UserError(f"a game is saved as {' or '.join(SUFFIXES)}, not as {brief(suffix)}")
    game = match.game
    write_text(path, to_sgf(game) if suffix == ".sgf" else to_record(game, **entries(match, human)))
    return path


def report_defect(match: Match, human: Player, what: str) -> str:
    """Write the record of a game that contradicts a proof to a new file; returns its path."""
    handle, path = tempfile.mkstemp(prefix="skolemate-defect-", suffix=".json")
    os.close(handle)
    write_text(path, to_record(match.game, defect=what, **entries(match, human)))
    return path


# --- the session ----------------------------------------------------------------------------------


STONE = {Player.BLACK: "X", Player.WHITE: "O"}

COMMANDS = {
    "help": "list the commands",
    "undo": "take your last move back",
    "hint": "show a best move for you",
    "why": "show the computer's answer to each of your moves",
    "save FILE": "save the game; continue with: skolemate play FILE",
    "quit": "leave",
}
_WORDS = {usage.split()[0] for usage in COMMANDS}


class Screen(Protocol):
    """What a person sees and types."""

    @property
    def width(self) -> int:
        """How many characters fit into a line now."""

    def show(self, picture: str) -> None:
        """Lines as they are."""

    def say(self, sentence: str) -> None:
        """A sentence, wrapped."""

    def ask(self, prompt: str) -> str | None:
        """A line that was typed; None at the end of the input."""


class Session:
    """A session. `match` is the present state; `defect` the report of a wrong claim, if any.

    The adviser finds hints for the human. `thinking` surrounds all work that takes time, and gives
    the event by which that work can be stopped.
    """

    def __init__(
        self,
        match: Match,
        human: Player,
        opponent: Opponent,
        adviser: Thinker,
        screen: Screen,
        thinking: Callable[[], AbstractContextManager[Event]] = lambda: nullcontext(Event()),
    ) -> None:
        self.match = match
        self.defect: str | None = None
        self._human = human
        self._opponent = opponent
        self._adviser = adviser
        self._screen = screen
        self._thinking = thinking
        self._saved: set[str] = set()  # files of this session, which may be overwritten

    def run(self) -> None:
        """Play until the human leaves, the input ends, or a claim turns out to be wrong."""
        self._greet()
        self._show_board()
        try:
            while self._turn():
                self._show_board()
                if self.match.broken:
                    claim = self.match.claim
                    assert claim is not None, "a broken match has a claim"
                    claimed = f"{claim.source} has proved that {claim.player} wins by ply"
                    raise BrokenClaim(f"{claimed} {claim.by_ply}, and that did not happen")
        except Disagreement as disagreement:
            self._report(str(disagreement))

    def _turn(self) -> bool:
        """One move, or something else that changes the match; False to leave."""
        if self.match.over:
            return self._listen(
                f"{sentence(self.match.result)} Undo, save FILE, or Enter to leave:"
            )
        mover = self.match.position.to_move
        if mover is self._human:
            return self._listen(f"{self.match.game.called(mover)}, your move:")
        self._answer()
        return True

    def _answer(self) -> None:
        """The opponent's move."""
        match = self.match
        with self._thinking() as cancel:
            reply = self._opponent.reply(match, cancel)
        name = self._named(reply.move, self._human.opponent)
        self._screen.say(f"The computer plays {name}. {reply.remark}".rstrip())
        self.match = match.play(reply.move, reply.claim)

    # --- listening -----------------------------------------------------------------------------

    def _listen(self, prompt: str) -> bool:
        """Ask until the match changes; False if the human leaves."""
        before = self.match
        while self.match is before:
            typed = self._screen.ask(prompt)
            if typed is None:
                return False
            try:
                if not self._obey(typed.strip()):
                    return False
            except UserError as error:
                self._screen.say(sentence(str(error)))
        return True

    def _obey(self, typed: str) -> bool:
        word, _, rest = typed.partition(" ")
        if word not in _WORDS:
            if not typed:
                if self.match.over:
                    return False
                self._list_moves()
                return True
            if self._played(typed, word):
                return True
            word = word.lower()
        if word == "quit":
            return False
        if word == "save":
            self._save(rest.strip())
        else:
            {"help": self._help, "undo": self._undo, "hint": self._hint, "why": self._why}[word]()
        return True

    def _played(self, typed: str, word: str) -> bool:
        """Play what was typed; False if it is a command after all. Raises UserError."""
        if self.match.over:
            if word.lower() in _WORDS:
                return False
            raise UserError(f"the game is over: {brief(typed)} is not possible")
        try:
            self.match = self.match.play(self.match.base.parse_move(typed, self._human))
        except UserError as error:
            if word.lower() in _WORDS:
                return False
            near = suggestion(word[:40], _WORDS)
            if near.startswith("did you mean"):
                raise UserError(f"{error}; {near}") from None
            raise UserError(f"{error}; Enter lists the legal moves, help the rest") from None
        return True

    # --- commands ------------------------------------------------------------------------------

    def _help(self) -> None:
        self._screen.say("Type a move by its name, in full or in short; Enter lists them. Or:")
        longest = max(map(len, COMMANDS))
        self._screen.show("\n".join(f"  {u:{longest}}  {what}" for u, what in COMMANDS.items()))

    def _undo(self) -> None:
        before = self.match.undone(self._human)
        if before is None:
            raise UserError("there is no move of yours to take back")
        self.match = before

    def _hint(self) -> None:
        match = self._running("a hint")
        with self._thinking() as cancel:
            hint = self._adviser.hint(match.game, self._human, cancel)
        name = "" if hint.move is None else self._named(hint.move, self._human)
        self._screen.say(hint.sentence(name))

    def _why(self) -> None:
        match = self._running("asking why")
        claimed = match.promised(self._human.opponent)
        if claimed is None:
            self._screen.say("The computer has claimed no win. Its answers to your moves:")
        else:
            self._screen.say(f"The computer wins within {plies(claimed)}. Its answers:")
        budget = Budget(self._adviser.limit)
        for move in match.position.moves():
            if claimed is None and budget.exceeded is not None:
                self._screen.say("The rest would take too long.")
                return
            name = self._named(move, self._human)
            self._screen.say(f"  {name}: {self._answer_to(match.play(move))}")

    def _answer_to(self, match: Match) -> str:
        if match.over:
            return status(match.position)
        if match.position.to_move is self._human:
            return "it is still your turn"
        with self._thinking() as cancel:
            reply = self._opponent.reply(match, cancel)
        after = match.play(reply.move, reply.claim)
        name = self._named(reply.move, self._human.opponent)
        if after.over:
            return f"{name}, {status(after.position)}"
        left = after.promised(self._human.opponent)
        return f"{name}, a win within {plies(left)}" if left is not None else name

    def _save(self, name: str) -> None:
        if not name:
            raise UserError("give a name, as in save game")
        path = os.path.abspath(os.path.expanduser(name))
        for taken in (path + suffix for suffix in ("", ".sgf", ".json")):
            if os.path.exists(taken) and taken not in self._saved:
                raise UserError(f"{brief(taken, 200)} exists; choose another name")
        written = save(self.match, self._human, path)
        self._saved.add(written)
        side = "" if self._human is Player.BLACK else f" --side {self._human.value}"
        self._screen.say(f"Saved. To continue: skolemate play {quote(written)}{side}")

    def _list_moves(self) -> None:
        moves = self.match.position.moves()
        listed = "  ".join(self._named(move, self._human, "=") for move in moves)
        self._screen.say(f"Legal moves: {listed}")

    # --- words and pictures --------------------------------------------------------------------

    def _greet(self) -> None:
        mine, theirs = self._human, self._human.opponent
        self._screen.say(
            f"{self.match.base}: you are {mine} ({STONE[mine]}), "
            f"the computer is {theirs} ({STONE[theirs]}). Type a move, or help."
        )

    def _show_board(self) -> None:
        match = self.match
        picture = text(
            match.position,
            last=match.moves[-1] if match.moves else None,
            highlights=cells_of(match.base.winning_cells(match.position)),
            width=self._screen.width,
        )
        self._screen.show(f"\n{picture}\n")
        if max(map(len, picture.splitlines())) > self._screen.width:
            self._screen.say("The board is wider than this window.")

    def _named(self, move: Move, player: Player, joined: str = " = ") -> str:
        return move_names(self.match.base, move, player, joined)

    def _running(self, what: str) -> Match:
        if self.match.over:
            raise UserError(f"the game is over: {what} is not possible")
        return self.match

    def _report(self, what: str) -> None:
        self.defect = report_defect(self.match, self._human, what)
        self._screen.say(
            f"THIS IS AN ERROR IN SKOLEMATE: {what}. The game is saved in {self.defect}; "
            "please report it with that file."
        )

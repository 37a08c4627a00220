"""The errors that a user's input can cause, as one small hierarchy of exceptions.

An error says what happened, where, and what to do next. The command line prints it and
exits with 2; nothing here ever reaches a user as a traceback.
"""

from collections.abc import Iterable
from difflib import get_close_matches

COMPILER = "install a C++ compiler, then Skolemate again"  # where native code is missing


class UserError(Exception):
    """A wrong call or a wrong input: the message is meant for the user as it stands."""


class Disagreement(Exception):
    """Two answers that cannot both be right: a solver, an encoding or we are wrong."""


class IllegalMove(UserError):
    """A move that the rules do not allow in this position."""


class FileError(UserError):
    """A defect in an input file, with its place.

    >>> print(FileError("cell e9 is not declared", "a.pg", 12, 4))
    a.pg:12:4: cell e9 is not declared
    """

    def __init__(self, message: str, file: str, line: int, column: int) -> None:
        super().__init__(f"{printable(file)}:{line}:{column}: {message}")
        self.message, self.file, self.line, self.column = message, file, line, column


class MissingView(UserError):
    """A game does not offer the view that an encoding or a method needs."""

    def __init__(self, game: object, view: str, reason: str) -> None:
        super().__init__(f"{game} has no {view} view: {reason}")
        self.view, self.reason = view, reason


def suggestion(word: str, choices: Iterable[str]) -> str:
    """The tail of an error about an unknown name: the nearest one, or all of them.

    >>> suggestion("hxe", ["hex", "qubic"])
    'did you mean hex?'
    >>> suggestion("chess", ["qubic", "hex"])
    'choose one of hex, qubic'
    """
    choices = sorted(choices)
    near = get_close_matches(word.lower(), choices, n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else "choose one of " + ", ".join(choices)


def brief(text: str, limit: int = 40) -> str:
    """Quote a piece of input in a message, however long or unprintable it is.

    >>> brief("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'"
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")


def printable(name: str) -> str:
    """A file's name as it stands, or quoted if it would do something to a terminal.

    >>> printable("my game.pg"), printable("a\\n")
    ('my game.pg', "'a\\\\n'")
    """
    return name if name.isprintable() else repr(name)


def reason(error: OSError | ValueError) -> str:
    """Why a file could not be read or written, in the system's words.

    >>> reason(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]

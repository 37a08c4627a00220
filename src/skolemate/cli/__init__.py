"""The command line: a module is imported only when one of its commands runs.

`main` can be called in-process: it takes the arguments, prints to stdout and stderr, and returns
the exit code. stdout carries data only.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

from skolemate.errors import Disagreement, UserError

__all__ = ["EXIT_FAILURE", "EXIT_INTERRUPTED", "EXIT_USAGE", "main"]

EXIT_FAILURE, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130
EXIT_UNREAD = 141  # as of a program that SIGPIPE ends; 0 would pass for a proof that holds

# Commands in the order of `--help`.
COMMANDS = {
    "games": "list the games, or show one game's parameters",
    "show": "print a position or a strategy, or save it as a picture or a page",
    "oracle": "answer by the reference search, which is slow and follows the rules directly",
    "solve": "find out whether a player can force a win, by search or by QBF solvers",
    "value": "tell who wins under best play and how fast, or that it is a draw",
    "check": "check a strategy against the rules of its game",
    "certify": "turn a strategy into a certificate of a formula, and check it with a SAT solver",
    "publish": "write a web page on which readers play against a strategy and check it",
    "play": "play against the computer in the terminal",
    "serve": "open a page in the browser: see games, ask who wins, and play",
    "gtp": "connect to HexGui and other Hex programs by GTP",
    "solvers": "list the QBF solvers: which work, and how to install the others",
    "encodings": "list the encodings, or describe one",
    "encode": "write a question as a quantified Boolean formula",
    "qbf": "solve a QDIMACS or QCIR file, or a folder of such files",
    "stats": "compare the sizes of a question's formulas in all encodings",
    "convert": "write a game to a file in another format",
    "bench": "run suites of questions under limits, and report, compare or export the results",
    "atlas": "solve small games (polyominoes, lines, Hex, Domineering) and keep the proofs",
    "completion": "print the script that lets your shell complete commands and names",
}

# Where each one is: its module has `configure_NAME`, `run_NAME` and `NAME_EXAMPLES`.
MODULES = {
    "answers": "oracle solve value",
    "atlas": "atlas",
    "bench": "bench",
    "boards": "show convert publish",
    "formulas": "encode stats qbf check certify",
    "lists": "games encodings solvers completion",
    "play": "play gtp serve",
}

EXAMPLES = (
    "skolemate show 'hein(9)'",
    "skolemate solve 'hein(9)'",
    "skolemate value tictactoe",
    "skolemate solve 'hein(9)' -d 7 --strategy hein9.jsonl",
    "skolemate check hein9.jsonl",
    "skolemate certify hein9.jsonl -e et -o hein9.aag",
    "skolemate play 'hein(9)' --side white",
    "skolemate serve",
    "skolemate encode 'hein(9)' -d 7 -e et -o hein9.qdimacs",
    "skolemate solve --help",
)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    _mend_streams()
    try:
        if "_ARGCOMPLETE" in os.environ:  # a shell asks how this line goes on
            from skolemate.cli.lists import complete

            complete(_parser(os.environ["COMP_LINE"].split()[1:]))
        parsed = _parser(arguments).parse_args(arguments)
        code: int = _of(parsed.command, "run_{}")(parsed)
        sys.stdout.flush()
        return code
    except UserError as error:
        return _fail(str(error), EXIT_USAGE)
    except Disagreement as error:
        return _fail(f"TWO ANSWERS DISAGREE: {error}", EXIT_FAILURE)
    except KeyboardInterrupt:
        return _fail("interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        # The reader has gone; a second error while Python flushes at exit must stay silent too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNREAD
    except OSError as error:
        return _fail(f"{error.filename or 'file'}: {error.strerror}", EXIT_FAILURE)
    except (MemoryError, RecursionError):
        return _fail("not enough memory on this machine; try a smaller board", EXIT_FAILURE)
    except Exception as error:
        if "SKOLEMATE_DEBUG" in os.environ:
            raise
        kind = type(error).__name__
        return _fail(
            f"an error in Skolemate itself ({kind}: {error}); "
            "please report it, with the traceback that SKOLEMATE_DEBUG=1 prints",
            EXIT_FAILURE,
        )


def _mend_streams() -> None:
    """No stream may be missing, and none may fail on a character that it cannot show."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _fail(message: str, code: int) -> int:
    shown = (c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in message)
    print(f"skolemate: {''.join(shown)}", file=sys.stderr)
    return code


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skolemate",
        description="Find out whether a player can force a win in a board game within d moves, "
        "see how, and get a proof.",
        epilog=_listed(EXAMPLES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    # Only the command that is called has its arguments declared, and its module imported.
    called = next((word for word in arguments if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == called:
            command.epilog = _listed(_of(name.upper(), "{}_EXAMPLES"))
            _of(name, "configure_{}")(command)
    return parser


def _of(command: str, name: str) -> Any:
    """Something of a command's module."""
    home = next(home for home, names in MODULES.items() if command.lower() in names.split())
    return getattr(importlib.import_module(f"skolemate.cli.{home}"), name.format(command))


def _listed(examples: Sequence[str]) -> str:
    return "\n".join(("examples:", *(f"  {example}" for example in examples)))


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"skolemate {version('skolemate')}")
        parser.exit()

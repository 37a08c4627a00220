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
    "games": "list the games, or one game's parameters",
    "show": "print a position or a strategy, or save it as a picture",
    "oracle": "the reference answer: who can force a win, and how fast",
    "solve": "answer by search, or by formula and QBF solver, with a winning move",
    "value": "who wins under best play and how fast, or is it a draw",
    "check": "check a strategy by the rules of its game alone",
    "certify": "turn a strategy into a certificate of a formula, checked by a SAT solver",
    "publish": "write a page about a strategy: play against it, and check it in the browser",
    "play": "play against the computer, which solves as it goes",
    "serve": "the page: see games, ask, and play in a browser",
    "gtp": "speak GTP for Hex, to HexGui and other programs",
    "solvers": "list the QBF solvers: installed, working, or how to get them",
    "encodings": "list the encodings, or describe one",
    "encode": "state a question as a quantified Boolean formula",
    "qbf": "solve formulas of others: a QDIMACS or QCIR file, or a folder of them",
    "stats": "compare the sizes of the encodings of a question",
    "convert": "write a game to a file in another format",
    "bench": "measure: run suites of questions, report, compare, export",
    "atlas": "settle small games with proofs: polyominoes, lines, Hex, Domineering",
    "completion": "what a shell needs to complete commands, games, encodings, solvers",
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
        return _fail("this is too large for this machine; try a smaller board", EXIT_FAILURE)
    except Exception as error:
        if "SKOLEMATE_DEBUG" in os.environ:
            raise
        kind = type(error).__name__
        return _fail(
            f"a defect of Skolemate itself ({kind}: {error}); "
            "set SKOLEMATE_DEBUG=1 for the traceback, and please report it",
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
        description="Can this player force a win within d moves, and how?",
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
            description=summary + ".",
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

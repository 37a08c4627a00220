"""`skolemate completion`: what a shell needs to complete commands, games, encodings, solvers."""

from __future__ import annotations

import argparse
from typing import Any

from skolemate.errors import UserError

__all__ = ["complete"]

EXAMPLES = (
    'eval "$(skolemate completion bash)"  # in ~/.bashrc; the same with zsh in ~/.zshrc',
    "skolemate completion fish > ~/.config/fish/completions/skolemate.fish",
)

MAY_BE_FILES = ("game", "suite", "suites")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell that you use")


def run(arguments: argparse.Namespace) -> int:
    print(_argcomplete().shellcode(["skolemate"], shell=arguments.shell))
    return 0


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks how the line goes on, and leave."""
    argcomplete = _argcomplete()
    files = argcomplete.completers.FilesCompleter()

    def candidates(
        *, prefix: str, action: argparse.Action, parsed_args: argparse.Namespace, **_: object
    ) -> list[str]:
        of_what = parsed_args.command if action.dest == "name" else action.dest
        names = _names(of_what)
        if action.dest == "suites" and parsed_args.action == "run":
            names = [*names, "all"]
        return names if names and of_what not in MAY_BE_FILES else [*names, *files(prefix)]

    argcomplete.autocomplete(parser, default_completer=candidates)


def _names(of_what: str) -> list[str]:
    """What is known by name, and may stand for an argument or as one of a command."""
    if of_what in ("game", "games"):
        from skolemate.games.family import FAMILIES

        return [family.name for family in FAMILIES]
    if of_what in ("encoding", "encodings"):
        from skolemate.encodings import ENCODINGS

        return [encoding.name for encoding in ENCODINGS]
    if of_what in ("pipeline", "solvers"):
        from skolemate.solvers import PROGRAMS

        return [program.name for program in PROGRAMS]
    if of_what in ("suite", "suites"):
        from skolemate.campaigns.suite import shipped_suites

        return shipped_suites()
    return []


def _argcomplete() -> Any:
    try:
        import argcomplete
    except ImportError:
        install = "pip install 'skolemate[completion]'"
        raise UserError(f"completion needs argcomplete: {install}") from None
    return argcomplete

"""`skolemate games`, `encodings`, `solvers` and `completion`: the registered names."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from skolemate.cli import EXIT_FAILURE
from skolemate.cli.options import add_json, add_programs, print_json, print_table, use_programs
from skolemate.errors import UserError

if TYPE_CHECKING:
    from skolemate.games.family import Family, Parameter
    from skolemate.solvers.program import Program


# --- games ----------------------------------------------------------------------------------------


GAMES_EXAMPLES = (
    "skolemate games",
    "skolemate games harary",
)


def configure_games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="show this game's parameters")
    add_json(parser)


def run_games(arguments: argparse.Namespace) -> int:
    from skolemate.games.family import FAMILIES

    if arguments.name is None:
        if arguments.json:
            print_json([family.as_json() for family in FAMILIES])
        else:
            rows = [(family.name, family.summary, family.examples[0]) for family in FAMILIES]
            print_table(("game", "what it is", "example"), rows)
    elif arguments.json:
        print_json(FAMILIES[arguments.name].as_json())
    else:
        _describe(FAMILIES[arguments.name])
    return 0


def _describe(family: Family) -> None:
    from skolemate.games.family import SETUP
    from skolemate.games.goals import SHAPES, Shapes

    print(f"{family.name}: {family.summary}\n")
    if family.parameters:
        rows = [(p.name, p.kind_name, _default(p)) for p in family.parameters]
        print_table(("parameter", "value", "default"), rows)
        print()
    if any(p.kind is Shapes for p in family.parameters):
        print(f"Polyominoes: {', '.join(SHAPES)}; others by their cells as pairs xy: 00101102.\n")
    print(f"Parameters of every game: {', '.join(SETUP)}.")
    print("Examples: " + "; ".join(family.examples))


def _default(parameter: Parameter) -> str:
    if parameter.required:
        return "must be given"
    return "none" if parameter.default is None else parameter.format(parameter.default)


# --- encodings ------------------------------------------------------------------------------------


ENCODINGS_EXAMPLES = (
    "skolemate encodings",
    "skolemate encodings cor+",
)


def configure_encodings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="describe this encoding")
    add_json(parser)


def run_encodings(arguments: argparse.Namespace) -> int:
    from skolemate.encodings import ENCODINGS

    chosen = None if arguments.name is None else ENCODINGS[arguments.name]
    if arguments.json:
        print_json(chosen.as_json() if chosen else [entry.as_json() for entry in ENCODINGS])
    elif chosen:
        print(f"{chosen.name}: {chosen.summary}\n")
        print(f"Needs these views of the game: {', '.join(chosen.views)}.")
        for word, truth in (("true", True), ("false", False)):
            print(f"If the formula is {word}, it proves {chosen.meaning.proof(truth).value}.")
        print(f"Paper: {chosen.paper}.")
    else:
        rows = [(entry.name, entry.summary, ", ".join(entry.views)) for entry in ENCODINGS]
        print_table(("encoding", "what it is", "needs"), rows)
    return 0


# --- solvers --------------------------------------------------------------------------------------


SOLVERS_EXAMPLES = (
    "skolemate solvers",
    "skolemate solvers caqe",
    "skolemate solvers mine --try --program 'mine=/opt/mine {file}'",
)


def configure_solvers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="only this solver or preprocessor")
    parser.add_argument(
        "--try",
        action="store_true",
        dest="trying",
        help="test installed solvers on formulas with known answers",
    )
    add_programs(parser)
    add_json(parser)


def run_solvers(arguments: argparse.Namespace) -> int:
    from skolemate.solvers import PROGRAMS
    from skolemate.solvers.pipeline import examine

    use_programs(arguments)
    chosen = None if arguments.name is None else PROGRAMS[arguments.name]
    if arguments.trying:
        return _try([chosen] if chosen else list(PROGRAMS), arguments.json)
    found = [examine(program) for program in ([chosen] if chosen else PROGRAMS)]
    if arguments.json:
        listed = [entry.as_json() for entry in found]
        print_json(listed[0] if chosen else listed)
    elif chosen:
        for key, value in found[0].as_json().items():
            shown = ", ".join(value) if isinstance(value, list) else value
            print(f"{key + ':':10} {'-' if shown is None else shown}")
    else:
        rows = [
            (e.program.name, e.status, e.version or "", ", ".join(e.program.formats), e.remark)
            for e in found
        ]
        print_table(("program", "status", "version", "reads", "remark"), rows)
    return 0


def _try(programs: list[Program], as_json: bool) -> int:
    from skolemate.solvers.trial import tried

    if len(programs) == 1:
        programs[0].require()
    trials = [tried(program) for program in programs if program.find() is not None]
    if as_json:
        print_json([trial.as_json() for trial in trials])
    else:
        rows = [(t.program.name, t.status, f"{t.right}/{t.asked}", t.trouble or "") for t in trials]
        print_table(("program", "answers", "right", "remark"), rows)
        for trial in trials:
            if trial.text is not None:
                print(f"\n{trial.program.name} is wrong about this formula:\n")
                print(trial.text, end="")
    return EXIT_FAILURE if any(trial.trouble for trial in trials) else 0


# --- completion -----------------------------------------------------------------------------------
# Shells complete commands, games, encodings and solvers.


COMPLETION_EXAMPLES = (
    'eval "$(skolemate completion bash)"  # in ~/.bashrc; the same with zsh in ~/.zshrc',
    "skolemate completion fish > ~/.config/fish/completions/skolemate.fish",
)

MAY_BE_FILES = ("game", "suite", "suites")


def configure_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="your shell")


def run_completion(arguments: argparse.Namespace) -> int:
    print(_argcomplete().shellcode(["skolemate"], shell=arguments.shell))
    return 0


def complete(parser: argparse.ArgumentParser) -> None:
    """Print the completions for a shell, and exit."""
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
    """The registered names that can complete an argument."""
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

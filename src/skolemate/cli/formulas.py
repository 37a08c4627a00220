"""`skolemate encode`, `stats`, `qbf`, `check`, `certify`: formulas, strategies, certificates."""

import argparse
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import skolemate
from skolemate.cli import EXIT_FAILURE, options

# --- encode ---------------------------------------------------------------------------------------


ENCODE_EXAMPLES = (
    "skolemate encode 'hein(9)' -d 7 -e et -o hein9.qdimacs",
    "skolemate encode tictactoe -d 5 -e cor+ --legend",
    "skolemate encode 'hein(9)' -d 7 -e ln -o hein9.qcir --json",
    "skolemate encode 'hein(9)' -d 7 -e et -p bloqqer -o small.qdimacs.gz",
)


def configure_encode(parser: argparse.ArgumentParser) -> None:
    options.add_question(parser)
    parser.add_argument(
        "-e", "--encoding", required=True, metavar="ENCODING", help="an encoding, such as cor+"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to this file: .qdimacs or .qcir, also with .gz (default: standard output)",
    )
    parser.add_argument(
        "--format",
        choices=("qdimacs", "qcir", "qcir-g14"),
        help="the format (default: by the file's name; qdimacs on standard output)",
    )
    parser.add_argument(
        "-p",
        "--preprocess",
        metavar="PROGRAMS",
        help="preprocess the formula with these programs, such as bloqqer",
    )
    options.add_programs(parser)
    options.add_symmetry(parser)
    parser.add_argument("--legend", action="store_true", help="name every variable in a comment")
    options.add_json(parser)


def run_encode(arguments: argparse.Namespace) -> int:
    options.use_programs(arguments)
    encoded = skolemate.encode(
        **options.question_of(arguments),
        encoding=arguments.encoding,
        symmetry=arguments.symmetry,
        preprocessors=arguments.preprocess,
    )
    to_stdout = arguments.output in (None, "-")
    if not to_stdout or not arguments.json:
        skolemate.write_formula(
            encoded,
            "-" if to_stdout else arguments.output,
            legend=arguments.legend,
            format=arguments.format,
        )
    if arguments.json:
        options.print_json(encoded.as_json())
    return 0


# --- stats ----------------------------------------------------------------------------------------


HEADINGS = ("blocks", "universals", "existentials", "clauses", "literals", "gates")

STATS_EXAMPLES = (
    "skolemate stats 'hein(9)' -d 7",
    "skolemate stats 'hein(9)' -d 7 -e et,ea --json",
)


def configure_stats(parser: argparse.ArgumentParser) -> None:
    options.add_question(parser)
    parser.add_argument(
        "-e",
        "--encodings",
        metavar="A,B",
        help="compare these encodings (default: all that can state the question)",
    )
    options.add_symmetry(parser)
    options.add_json(parser)


def run_stats(arguments: argparse.Namespace) -> int:
    chosen = arguments.encodings.split(",") if arguments.encodings else None
    listed = skolemate.stats(
        **options.question_of(arguments), encoding=chosen, symmetry=arguments.symmetry
    )
    if arguments.json:
        options.print_json(listed)
    else:
        rows = [(s["encoding"], *(_cell(s[heading]) for heading in HEADINGS)) for s in listed]
        options.print_table(("encoding", *HEADINGS), rows)
    return 0


def _cell(number: int | None) -> str:
    """A number in the table; clausal encodings have no gates."""
    return "" if number is None else str(number)


# --- qbf ------------------------------------------------------------------------------------------


QBF_EXAMPLES = (
    "skolemate qbf formula.qdimacs.gz",
    "skolemate qbf circuit.qcir -p qute --timeout 60",
    "skolemate qbf formulas/ -p depqbf,bloqqer+caqe --store formulas.sqlite",
    "skolemate qbf formula.qdimacs.xz -p simplify+depqbf",
)
TRUTHS = {True: "true", False: "false", None: "unknown"}
CODES = {True: 10, False: 20, None: 30}


def configure_qbf(parser: argparse.ArgumentParser) -> None:
    from skolemate.api import PIPELINE

    parser.add_argument(
        "formula",
        metavar="FILE|FOLDER",
        help="QDIMACS or QCIR, also compressed (.gz, .xz, .bz2); - for standard input; or a folder "
        "with such files",
    )
    parser.add_argument(
        "-p",
        "--pipeline",
        default=PIPELINE,
        metavar="PIPELINES",
        help=f"solver with preprocessors (default: {PIPELINE}); to compare several: depqbf,caqe",
    )
    options.add_programs(parser)
    options.add_limits(parser)
    options.add_jobs(parser)
    parser.add_argument(
        "--store", metavar="FILE", help="keep the results of a folder in this database"
    )
    options.add_json(parser)


def run_qbf(arguments: argparse.Namespace) -> int:
    """Exit code 10 true, 20 false, 30 unknown; of a folder 0, or 1 if two answers disagree."""
    options.use_programs(arguments)
    pipelines = arguments.pipeline.split(",")
    if Path(arguments.formula).is_dir():
        return _decide_folder(arguments, pipelines)
    if len(pipelines) > 1 and arguments.formula == "-":
        raise skolemate.UserError("standard input can be read only once: give one pipeline")
    with options.interrupting() as cancel:
        limits = {"timeout": arguments.timeout, "memory": arguments.memory, "cancel": cancel}
        solved = {p: skolemate.qbf(arguments.formula, pipeline=p, **limits) for p in pipelines}
    if arguments.json:
        options.print_json([{"pipeline": p} | s.as_json() for p, s in solved.items()])
    else:
        for pipeline, answer in solved.items():
            why = answer.message or (answer.reason.value if answer.reason else "")
            words = ", ".join(filter(None, (pipeline, f"{answer.wall_seconds:.2f} s", why)))
            print(f"{TRUTHS[answer.truth]} ({words})")
            literals = [v if value else -v for v, value in sorted(answer.outer.items())]
            if literals:
                print("V", *literals, 0)
    truths = {answer.truth for answer in solved.values()} - {None}
    if len(truths) > 1:
        print("skolemate: TWO ANSWERS DISAGREE", file=sys.stderr)
        return EXIT_FAILURE
    return CODES[truths.pop() if truths else None]


def _decide_folder(arguments: argparse.Namespace, pipelines: list[str]) -> int:
    from skolemate.campaigns.row import Row, contradictions
    from skolemate.campaigns.runner import Local, open_store, plan
    from skolemate.campaigns.suite import find_suite
    from skolemate.output import amount, temporary_folder

    def tell(row: Row) -> None:
        if not arguments.json:
            words = {"TRUE": "true", "FALSE": "false", "error": "refused"}
            seconds = "" if row.run.wall_seconds is None else f"{row.run.wall_seconds:.2f} s"
            told = f"{words.get(row.run.status, row.run.status):8} {seconds:>9} "
            told += f"{row.job.game} [{row.job.pipeline}]"
            refused = not row.run.solved and row.run.detail
            print(f"{told}: {row.run.detail}" if refused else told, flush=True)

    suite = find_suite(arguments.formula, pipelines=pipelines)
    with ExitStack() as stack:
        file = arguments.store
        if file is None:
            file = str(Path(stack.enter_context(temporary_folder()), "formulas.sqlite"))
        store = stack.enter_context(open_store(file, write=True))
        store.note(suite)
        campaign = plan([suite], store, seconds=arguments.timeout, memory=arguments.memory)
        for row in store.rows(suite.name):
            tell(row)
        cancel = stack.enter_context(options.interrupting())
        campaign.run(Local(arguments.jobs) if arguments.jobs else Local(), cancel, tell)
        rows = store.rows(suite.name)
    if arguments.json:
        options.print_json([vars(row.run) | {"file": row.job.game} for row in rows])
    counts = Counter(row.run.status for row in rows)
    told = ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))
    print(f"{amount(len(rows), 'answer')}: {told}.", file=sys.stderr)
    wrong = contradictions(rows)
    for words in wrong:
        print(f"TWO ANSWERS DISAGREE: {words}", file=sys.stderr)
    return EXIT_FAILURE if wrong else 0


# --- check ----------------------------------------------------------------------------------------


CHECK_EXAMPLES = (
    "skolemate check hein9.jsonl",
    "skolemate check hein9.jsonl --game 'hein(9)' --expect 'WIN 7 black'",
    "skolemate check strategy.jsonl --game problem.bddl --domain domain.bddl",
)


def configure_check(parser: argparse.ArgumentParser) -> None:
    options.add_strategy(parser)
    parser.add_argument(
        "--expect",
        metavar="CLAIM",
        help="fail if the strategy's claim is not this one, such as 'WIN 7 black'",
    )
    parser.add_argument(
        "--verified",
        action="store_true",
        help="also run the checker that is proved in Coq; both must accept the strategy",
    )
    parser.add_argument(
        "--rules",
        metavar="FILE",
        help="save the game's rules, whose SHA-256 is in the strategy file",
    )
    parser.add_argument("--coq", metavar="FILE", help="save the claim as a theorem for Coq (.v)")
    options.add_json(parser)


def run_check(arguments: argparse.Namespace) -> int:
    from skolemate.output import write_text
    from skolemate.strategies import Strategy, check_file
    from skolemate.strategies.claim import canonical
    from skolemate.strategies.coq import coq_theorem
    from skolemate.strategies.verified import Verdict, check_verified

    game = options.strategys_game(arguments.game, arguments.domain)
    report = check_file(arguments.strategy, game, arguments.expect)
    if arguments.rules is not None:
        write_text(arguments.rules, canonical(report.claim.game))
    if arguments.coq is not None and report.holds:
        write_text(arguments.coq, coq_theorem(Strategy.load(arguments.strategy, report.claim.game)))
    verified = check_verified(arguments.strategy, report.claim.game) if arguments.verified else None
    if arguments.json:
        said = {} if verified is None else {"verified": verified.verdict.name.lower()}
        options.print_json(report.as_json() | said)
    else:
        print(report)
        if verified is not None:
            print(verified)
        if report.position is not None:
            print(f"\n{skolemate.text(report.position)}")
    accepted = verified is None or verified.verdict is Verdict.ACCEPTED
    return 0 if report.holds and accepted else EXIT_FAILURE


# --- certify --------------------------------------------------------------------------------------


CERTIFY_EXAMPLES = (
    "skolemate certify hein9.jsonl -e et -o hein9.aag",
    "skolemate certify hein9.jsonl -e et --check hein9.aag",
)


def configure_certify(parser: argparse.ArgumentParser) -> None:
    options.add_strategy(parser)
    parser.add_argument(
        "-e", "--encoding", required=True, metavar="ENCODING", help="an encoding, such as et"
    )
    options.add_symmetry(parser)
    files = parser.add_mutually_exclusive_group()
    files.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the certificate: .aag or .aig (AIGER), or - for standard output",
    )
    files.add_argument(
        "--check", metavar="FILE", help="check this certificate instead of making one"
    )
    options.add_json(parser)


def run_certify(arguments: argparse.Namespace) -> int:
    game = options.strategys_game(arguments.game, arguments.domain)
    certified = skolemate.certify(
        arguments.strategy,
        arguments.encoding,
        output=arguments.output,
        check=arguments.check,
        game=game,
        symmetry=arguments.symmetry,
    )
    if arguments.json and arguments.output != "-":
        options.print_json(certified.as_json())
    elif arguments.output != "-" or not certified.holds:
        print(certified)
    return 0 if certified.holds else EXIT_FAILURE

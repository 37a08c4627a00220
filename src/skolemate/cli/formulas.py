"""`skolemate encode`, `stats`, `check`, `certify`: formulas, strategies, certificates."""

import argparse

import skolemate
from skolemate.cli import EXIT_FAILURE, options

# --- encode ---------------------------------------------------------------------------------------


ENCODE_EXAMPLES = (
    "skolemate encode 'hein(9)' -d 7 -e et -o hein9.qdimacs",
    "skolemate encode tictactoe -d 5 -e cor+ --legend",
    "skolemate encode 'hein(9)' -d 7 -e ln -o hein9.qcir --json",
)


def configure_encode(parser: argparse.ArgumentParser) -> None:
    options.add_question(parser)
    parser.add_argument("-e", "--encoding", required=True, metavar="ENCODING", help="as in cor+")
    parser.add_argument("-o", "--output", metavar="FILE", help=".qdimacs or .qcir; default: stdout")
    options.add_symmetry(parser)
    parser.add_argument("--legend", action="store_true", help="name every variable in a comment")
    options.add_json(parser)


def run_encode(arguments: argparse.Namespace) -> int:
    encoded = skolemate.encode(
        **options.question_of(arguments), encoding=arguments.encoding, symmetry=arguments.symmetry
    )
    to_stdout = arguments.output in (None, "-")
    if not to_stdout or not arguments.json:
        skolemate.write_formula(
            encoded, "-" if to_stdout else arguments.output, legend=arguments.legend
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
    parser.add_argument("-e", "--encodings", metavar="A,B", help="default: all that support it")
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
        help="fail unless it claims this: 'WIN 7 black', 'NO_WIN 5 white'",
    )
    parser.add_argument(
        "--verified", action="store_true", help="ask the proved checker, too: both must accept it"
    )
    parser.add_argument(
        "--rules", metavar="FILE", help="save the text of which the file names the SHA-256"
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
    parser.add_argument("-e", "--encoding", required=True, metavar="ENCODING", help="as in et")
    options.add_symmetry(parser)
    files = parser.add_mutually_exclusive_group()
    files.add_argument("-o", "--output", metavar="FILE", help="AIGER: .aag, .aig, or -")
    files.add_argument("--check", metavar="FILE", help="check this certificate, make none")
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

"""`skolemate atlas`: small games settled with proofs, kept in a folder."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import asdict

from skolemate.campaigns.atlas import FAILED, SECTIONS, Atlas, Entry, Finding, entries
from skolemate.campaigns.atlas_site import publish_atlas
from skolemate.campaigns.atlas_tables import least_boards
from skolemate.cli import EXIT_FAILURE, options
from skolemate.limits import Limit
from skolemate.output import amount

FOLDER, SECONDS, MEMORY = "atlas", 60.0, 3 << 30

BOARDS = ("shape", "on", "game", "least board with a win", "largest without")

ATLAS_EXAMPLES = (
    "skolemate atlas -o atlas",
    "skolemate atlas -o atlas --only 3x3 --only 'shape=u' --timeout 10 --jobs 2",
    "skolemate atlas -o atlas --list --json",
    "skolemate atlas -o atlas --check",
    "skolemate atlas -o atlas --publish site",
)


def configure_atlas(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        default=FOLDER,
        metavar="FOLDER",
        help=f"the folder of the atlas (default: {FOLDER})",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="SECTION",
        help=f"only the games of this section ({', '.join(SECTIONS)}), or with this text in their "
        "names; may be repeated (default: all games)",
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--list", action="store_true", help="solve nothing; list what is known")
    action.add_argument(
        "--check", action="store_true", help="solve nothing; check every proof again"
    )
    action.add_argument(
        "--publish",
        metavar="SITE",
        help="solve nothing; write a site: an index, and a page for every proof",
    )
    parser.add_argument(
        "--timeout",
        type=options.seconds,
        default=SECONDS,
        metavar="S",
        help=f"seconds for each game, proof included (default: {SECONDS:.0f})",
    )
    parser.add_argument(
        "--memory",
        type=options.size,
        default=MEMORY,
        metavar="SIZE",
        help="memory limit for each game (default: 3G)",
    )
    options.add_jobs(parser, "1")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="run on this Dask cluster, such as tcp://host:8786"
    )
    options.add_json(parser)


def run_atlas(arguments: argparse.Namespace) -> int:
    """Ask what is open, then show what is known; exit code 1 if something failed."""
    asked = entries(arguments.only)
    atlas = Atlas(arguments.output)
    if arguments.check:
        return _check(atlas, asked)
    if arguments.publish is not None:
        return _publish(atlas, asked, arguments.publish)
    failed = 0
    if not arguments.list:
        known = atlas.findings()
        left = [e for e in asked if e not in known or known[e].is_open]
        print(f"{amount(len(left), 'entry', 'entries')} to solve.", file=sys.stderr)

        def tell(finding: Finding) -> None:
            nonlocal failed
            failed += (finding.why or "").startswith(FAILED)
            print(f"{finding}, {finding.cpu_seconds:.1f} s", file=sys.stderr, flush=True)

        with options.interrupting() as cancel:
            limit = Limit(arguments.timeout, arguments.memory)
            atlas.fill(
                asked,
                limit=limit,
                jobs=arguments.jobs or 1,
                cluster=arguments.cluster,
                cancel=cancel,
                tell=tell,
            )
    known = atlas.findings()
    _show(asked, known, arguments.json)
    return EXIT_FAILURE if failed else 0


def _show(asked: list[Entry], known: dict[Entry, Finding], as_json: bool) -> None:
    there = [known[entry] for entry in asked if entry in known]
    if as_json:
        options.print_json([asdict(finding) for finding in there])
    else:
        for finding in there:
            print(finding)
        table = list(least_boards(known))
        if table:
            print()
            options.print_table(BOARDS, table)
    counts = Counter("open" if f.proof is None else "proved" for f in there)
    told = ", ".join(f"{number} {word}" for word, number in sorted(counts.items()))
    cpu = sum(finding.cpu_seconds for finding in there)
    kept = sum(len(finding.proofs) for finding in there)
    print(
        f"{amount(len(there), 'entry', 'entries')} of {len(asked)}: {told or 'nothing yet'}; "
        f"{amount(kept, 'proof')}, {cpu:.0f} s of CPU time.",
        file=sys.stderr,
    )


def _check(atlas: Atlas, asked: list[Entry]) -> int:
    wrong = proofs = 0
    for finding, complaint in atlas.check(asked):
        proofs += len(finding.proofs)
        if complaint is not None:
            wrong += 1
            print(complaint)
    told = f"{amount(wrong, 'entry', 'entries')} wrong" if wrong else "all hold"
    print(f"{amount(proofs, 'proof')} checked: {told}.", file=sys.stderr)
    return EXIT_FAILURE if wrong else 0


def _publish(atlas: Atlas, asked: list[Entry], site: str) -> int:
    index, proofs = publish_atlas(atlas, asked, site)
    print(index)
    print(f"{amount(proofs, 'proof')} checked and published.", file=sys.stderr)
    return 0

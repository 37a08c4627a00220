"""`skolemate bench`: campaigns of measurements: suites, runs, reports."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from skolemate.cli.answers import interrupting, size
from skolemate.cli.common import add_json, print_json, print_table
from skolemate.cli.question import count, seconds

if TYPE_CHECKING:
    from skolemate.campaigns.suite import Suite

STORE = "skolemate-bench.sqlite"
EXIT_WRONG = 1


def configure(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = commands.add_parser("list", help="the suites, or one suite's questions")
    listing.add_argument("suite", nargs="?", metavar="SUITE")
    add_json(listing)
    running = commands.add_parser("run", help="ask what has not been answered yet, and keep it")
    _add_suites(running, "+", "suites, files of your own (.toml), or all")
    _add_store(running)
    running.add_argument("--jobs", type=count, metavar="N", help="at a time (default: processors)")
    running.add_argument("--timeout", type=seconds, metavar="S", help="instead of the suite's")
    running.add_argument("--memory", type=size, metavar="SIZE", help="instead of the suite's")
    running.add_argument("--retry", action="store_true", help="ask again where something failed")
    running.add_argument("--repair", action="store_true", help="set damaged rows aside first")
    for command in (listing, running):
        command.add_argument("--quick", action="store_true", help="the suite scaled down")


def run(arguments: argparse.Namespace) -> int:
    action = {"list": _list, "run": _run}[arguments.action]
    return action(arguments)


def _add_suites(parser: argparse.ArgumentParser, number: str, help: str) -> None:
    parser.add_argument("suites", nargs=number, metavar="SUITE", help=help)


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", default=STORE, metavar="FILE", help=f"default: {STORE}")


def _suites(names: list[str], quick: bool) -> list[Suite]:
    from skolemate.campaigns.suite import find_suite, shipped_suites

    listed = [n for name in names for n in (shipped_suites() if name == "all" else [name])]
    return [find_suite(name, quick) for name in dict.fromkeys(listed)]


def _list(arguments: argparse.Namespace) -> int:
    if arguments.suite is not None:
        (suite,) = _suites([arguments.suite], arguments.quick)
        if arguments.json:
            print_json([vars(job) | {"known": dict(job.known)} for job in suite.jobs])
            return 0
        print(f"{suite.title}\n{suite.source}\n")
        for job in suite.jobs:
            print(f"{job.task:7} {job}")
        return 0
    full, scaled = _suites(["all"], False), _suites(["all"], True)
    listed = [
        {
            "suite": suite.name,
            "title": suite.title,
            "source": suite.source,
            "rows": len(suite.jobs),
            "quick_rows": len(quick.jobs),
        }
        for suite, quick in zip(full, scaled, strict=True)
    ]
    if arguments.json:
        print_json(listed)
    else:
        rows = [[str(value) for value in entry.values()] for entry in listed]
        print_table(("suite", "title", "source", "rows", "quick"), rows)
    return 0


def _run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from skolemate.campaigns.executors import local
    from skolemate.campaigns.runner import plan
    from skolemate.campaigns.store import open_store
    from skolemate.cli.bench_progress import Display

    suites = _suites(arguments.suites, arguments.quick)
    folders = {Path(name).stem: Path(name).parent for name in arguments.suites}
    with open_store(arguments.store, write=True) as store:
        if arguments.repair and (repaired := store.repair()):
            print(f"{repaired} damaged rows were set aside.", file=sys.stderr)
        for suite in suites:
            store.note(suite, folders.get(suite.name, Path()))
        campaign = plan(
            suites,
            store,
            seconds=arguments.timeout,
            memory=arguments.memory,
            retry=arguments.retry,
        )
        executor, workers = local(arguments.jobs), arguments.jobs
        with interrupting() as cancel, Display(campaign, workers) as display:
            campaign.run(executor, cancel, display.tell)
        for quarrel in campaign.quarrels():
            campaign.wrong.append(quarrel)
        display.summary(arguments.store)
    return EXIT_WRONG if campaign.wrong else 0

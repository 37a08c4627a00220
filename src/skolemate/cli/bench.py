"""`skolemate bench`: campaigns of measurements: suites, runs, reports."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from skolemate.cli import EXIT_FAILURE
from skolemate.cli.common import add_json, print_json, print_table
from skolemate.cli.interrupts import interrupting
from skolemate.cli.question import count, seconds, size
from skolemate.output import amount

if TYPE_CHECKING:
    from skolemate.campaigns.suite import Suite

STORE = "skolemate-bench.sqlite"

EXAMPLES = (
    "skolemate bench list",
    "skolemate bench run hex-puzzles --quick",
    "skolemate bench report -o report.html",
    "skolemate bench compare before.sqlite after.sqlite",
    "skolemate bench export l-game --quick -o formulas",
)


def configure(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = commands.add_parser("list", help="the suites, or one suite's questions")
    listing.add_argument("suite", nargs="?", metavar="SUITE")
    add_json(listing)
    running = commands.add_parser("run", help="ask what has not been answered yet, and keep it")
    _add_suites(running, "+", "suites, files of your own (.toml), or all")
    _add_store(running)
    where = running.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=count, metavar="N", help="at a time (default: processors)")
    where.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler's: tcp://host:8786")
    running.add_argument("--timeout", type=seconds, metavar="S", help="instead of the suite's")
    running.add_argument("--memory", type=size, metavar="SIZE", help="instead of the suite's")
    running.add_argument("--retry", action="store_true", help="ask again where something failed")
    running.add_argument("--repair", action="store_true", help="set damaged rows aside first")
    reporting = commands.add_parser("report", help="tables and plots, the papers' beside ours")
    _add_suites(reporting, "*", "default: all that are in the store")
    _add_store(reporting)
    reporting.add_argument(
        "-o", "--output", action="append", metavar="FILE", help=".html, .md, .tex or .csv; again"
    )
    reporting.add_argument("--benchexec", metavar="FOLDER", help="result files for table-generator")
    comparing = commands.add_parser("compare", help="what got faster, slower, solved, lost")
    comparing.add_argument("before", metavar="A", help="a store")
    comparing.add_argument("after", metavar="B", help="another one")
    add_json(comparing)
    exporting = commands.add_parser("export", help="a benchmark set: formulas and a manifest")
    exporting.add_argument("suite", metavar="SUITE")
    exporting.add_argument("-o", "--output", required=True, metavar="FOLDER")
    exporting.add_argument("--store", metavar="FILE", help="also tell the answers in a store")
    for command in (listing, running, exporting):
        command.add_argument("--quick", action="store_true", help="the suite scaled down")


def run(arguments: argparse.Namespace) -> int:
    return ACTIONS[arguments.action](arguments)


def _add_suites(parser: argparse.ArgumentParser, number: str, help: str) -> None:
    parser.add_argument("suites", nargs=number, metavar="SUITE", help=help)


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", default=STORE, metavar="FILE", help=f"default: {STORE}")


def _suites(names: list[str], quick: bool) -> list[Suite]:
    from collections import Counter

    from skolemate.campaigns.suite import find_suite, shipped_suites
    from skolemate.errors import UserError, brief

    listed = [n for name in names for n in (shipped_suites() if name == "all" else [name])]
    suites = [find_suite(name, quick) for name in dict.fromkeys(listed)]
    for name, times in Counter(suite.name for suite in suites).items():
        if times > 1:
            raise UserError(f"two suites are called {brief(name)}, and would share their rows")
    return suites


def _list(arguments: argparse.Namespace) -> int:
    from skolemate.campaigns.suite import find_suite

    if arguments.suite is not None:
        suite = find_suite(arguments.suite, arguments.quick)
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
    from skolemate.campaigns.executors import Cluster, Executor, Local
    from skolemate.campaigns.runner import plan
    from skolemate.campaigns.store import open_store
    from skolemate.cli.bench_progress import Display

    suites = _suites(arguments.suites, arguments.quick)
    with open_store(arguments.store, write=True) as store:
        if arguments.repair and (repaired := store.repair()):
            print(f"Set aside: {amount(repaired, 'damaged row')}.", file=sys.stderr)
        for suite in suites:
            store.note(suite)
        campaign = plan(
            suites,
            store,
            seconds=arguments.timeout,
            memory=arguments.memory,
            retry=arguments.retry,
        )
        executor: Executor = Local(arguments.jobs) if arguments.jobs else Local()
        if arguments.cluster:
            executor = Cluster(arguments.cluster)
        with interrupting() as cancel, Display(campaign, executor.slots) as display:
            campaign.run(executor, cancel, display.tell)
        campaign.wrong += campaign.quarrels(suites)
        display.summary(arguments.store)
    return EXIT_FAILURE if campaign.wrong else 0


def _report(arguments: argparse.Namespace) -> int:
    from skolemate.campaigns.report import gather
    from skolemate.campaigns.report.benchexec import write_benchexec
    from skolemate.campaigns.report.html import to_html
    from skolemate.campaigns.report.plots import available
    from skolemate.campaigns.report.text import to_csv, to_latex, to_markdown
    from skolemate.campaigns.store import open_store
    from skolemate.errors import UserError, brief, suggestion
    from skolemate.output import write_text

    writers = {".html": to_html, ".md": to_markdown, ".tex": to_latex, ".csv": to_csv}
    outputs = arguments.output or ([] if arguments.benchexec else ["report.html"])
    for output in outputs:
        if not output.endswith(tuple(writers)):
            known = ", ".join(writers)
            raise UserError(f"cannot tell the format of {brief(output, 200)}: known are {known}")
    with open_store(arguments.store) as store:
        there = store.suites()
        for name in arguments.suites:
            if name not in there:
                near = suggestion(name, there)
                raise UserError(f"{brief(name)} was not run into {arguments.store}: {near}")
        chosen = [there[name] for name in arguments.suites or there]
        unreadable = [str(suite) for suite in chosen if isinstance(suite, UserError)]
        suites = [suite for suite in chosen if not isinstance(suite, UserError)]
        report = gather(suites, store.rows(), unreadable)
    for output in outputs:
        suffix = output[output.rindex(".") :]
        if suffix == ".html" and not available():
            told = "plots need matplotlib: pip install 'skolemate[bench]'"
            print(f"The report has no plots: {told}", file=sys.stderr)
        write_text(output, writers[suffix](report))
    if arguments.benchexec:
        write_benchexec(report, arguments.benchexec)
    print(f"{report.counted}.", file=sys.stderr)
    for words in report.problems:
        print(words, file=sys.stderr)
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    from collections import Counter

    from skolemate.campaigns.compare import common, compare
    from skolemate.campaigns.store import open_store

    with open_store(arguments.before) as before, open_store(arguments.after) as after:
        pairs = common(before.rows(), after.rows())
    changes = compare(pairs)
    if arguments.json:
        print_json([change.as_json() for change in changes])
    else:
        for change in changes:
            print(change)
    counts = Counter(change.kind for change in changes)
    told = ", ".join(f"{n} {kind}" for kind, n in counts.items()) or "nothing has changed"
    if not pairs:
        told = "nothing can be compared"
    print(f"{amount(len(pairs), 'row')} in both stores: {told}.", file=sys.stderr)
    return 0 if pairs else EXIT_FAILURE


def _export(arguments: argparse.Namespace) -> int:
    from skolemate.campaigns.export import export
    from skolemate.campaigns.store import open_store
    from skolemate.campaigns.suite import find_suite

    suite = find_suite(arguments.suite, arguments.quick)
    rows = []
    if arguments.store:
        with open_store(arguments.store) as store:
            rows = store.rows()

    def tell(words: str) -> None:
        print(words, file=sys.stderr)

    files = export(suite, arguments.output, rows, tell)
    print(f"{amount(files, 'file')} and manifest.json in {arguments.output}", file=sys.stderr)
    return 0


ACTIONS = {
    "list": _list,
    "run": _run,
    "report": _report,
    "compare": _compare,
    "export": _export,
}

"""`skolemate bench`: campaigns of measurements: suites, runs, reports."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

import skolemate
from skolemate.campaigns.checking import evidence
from skolemate.campaigns.export import export, verify
from skolemate.campaigns.report import gather
from skolemate.campaigns.report.contents import common, compare
from skolemate.campaigns.report.formats import (
    summary_csv,
    summary_latex,
    summary_markdown,
    to_csv,
    to_html,
    to_latex,
    to_markdown,
    write_benchexec,
)
from skolemate.campaigns.report.plots import available, write_plots
from skolemate.campaigns.row import Row
from skolemate.campaigns.runner import Campaign, Cluster, Executor, Local, open_store, plan
from skolemate.campaigns.suite import Suite, find_suite, shipped_suites
from skolemate.cli import EXIT_FAILURE, options
from skolemate.errors import brief, suggestion
from skolemate.output import amount, sentence, shorten, write_text
from skolemate.solvers import Pipeline

# --- progress -------------------------------------------------------------------------------------
# What `bench run` shows: the rows done, the time left, wrong answers.


RECENT = 50  # rows by which the time left is estimated
INTERVAL = 10.0  # seconds between two lines where there is no terminal


class Display:
    """A bar on a terminal, else a line every ten seconds; wrong answers at once and in full."""

    def __init__(self, campaign: Campaign, slots: int) -> None:
        self.campaign, self.slots = campaign, slots
        self.counts: Counter[str] = Counter()
        self._told = 0  # of what is wrong
        self._begun = self._last = time.monotonic()
        self._recent: deque[float] = deque([self._begun], RECENT)
        self._stack = ExitStack()
        self._bar: Progress | None = None

    def __enter__(self) -> Display:
        campaign = self.campaign
        begin = f"{amount(len(campaign.pending), 'run')} to do"
        if campaign.kept:
            begin += f", {amount(campaign.kept, 'row')} done before"
        print(f"{begin}.", file=sys.stderr)
        if campaign.failed:
            failed = amount(campaign.failed, "row")
            print(f"{failed} failed before: --retry runs failed rows again.", file=sys.stderr)
        for program, rows in sorted(campaign.missing.items()):
            print(f"Skipped {amount(rows, 'row')}: {program} is not installed.", file=sys.stderr)
        if campaign.missing:
            print("To install missing solvers, see: skolemate solvers", file=sys.stderr)
        if sys.stderr.isatty():
            columns = (BarColumn(), TextColumn("{task.completed}/{task.total}  {task.description}"))
            bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False)
            self._bar = self._stack.enter_context(bar)
            self._bar.add_task("", total=len(campaign.pending))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def tell(self, row: Row) -> None:
        now = time.monotonic()
        self.counts[row.category] += 1
        self._recent.append(now)
        for words in self.campaign.wrong[self._told :]:
            self._shout(words)
        self._told = len(self.campaign.wrong)
        done = self.counts.total()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=self._left(done))
            self._bar.refresh()
        elif now - self._last > INTERVAL or done == len(self.campaign.pending):
            self._last = now
            total = len(self.campaign.pending)
            told = shorten(str(row.job), 120)
            print(f"{done}/{total}, {self._left(done)}: {told}", file=sys.stderr, flush=True)

    def _left(self, done: int) -> str:
        """The time left: rows get harder, so only recent ones count; the limits are a bound."""
        left = self.campaign.pending[done:]
        if not left:
            return f"done in {_clock(self._recent[-1] - self._begun)}"
        each = (self._recent[-1] - self._recent[0]) / max(1, len(self._recent) - 1)
        most = sum(job.seconds for job in left) / self.slots
        return f"about {_clock(min(each * len(left), most))} left, at most {_clock(most)}"

    def _shout(self, words: str) -> None:
        print(f"WRONG ANSWER: {words}", file=sys.stderr, flush=True)

    def summary(self, store: str) -> None:
        """A line about all new rows, and the wrong answers once more."""
        told = ", ".join(f"{n} {category}" for category, n in sorted(self.counts.items()))
        print(f"{told or 'Nothing new'}; the rows are in {store}.", file=sys.stderr)
        for words in self.campaign.wrong:
            self._shout(words)


def _clock(seconds: float) -> str:
    """
    >>> _clock(59), _clock(90), _clock(7000)
    ('59 s', '2 min', '1 h 57 min')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


# --- the command ----------------------------------------------------------------------------------


STORE = "skolemate-bench.sqlite"

BENCH_EXAMPLES = (
    "skolemate bench list",
    "skolemate bench run hex-puzzles --quick",
    "skolemate bench report -o report.html",
    "skolemate bench compare before.sqlite after.sqlite",
    "skolemate bench export l-game --quick -o formulas",
    "skolemate bench verify formulas -p depqbf,caqe",
)

ACTION_EXAMPLES = {
    "list": "skolemate bench list hex-puzzles --quick",
    "run": "skolemate bench run hex-puzzles --quick -p caqe,mine --program 'mine=/opt/mine {file}'",
    "report": "skolemate bench report --summary -o table.tex --plots figures",
    "compare": "skolemate bench compare before.sqlite after.sqlite",
    "export": "skolemate bench export hex-puzzles --quick -o pack",
    "verify": "skolemate bench verify pack -p depqbf,caqe",
}


def configure_bench(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = commands.add_parser("list", help="list the suites, or the runs of one suite")
    listing.add_argument("suite", nargs="?", metavar="SUITE", help="a suite, or a .toml file")
    options.add_json(listing)
    running = commands.add_parser(
        "run", help="run what has no result in the store yet, and save the results there"
    )
    _add_suites(running, "+", "a suite, your own .toml file, a folder of formulas, or all")
    _add_store(running)
    where = running.add_mutually_exclusive_group()
    options.add_jobs(where)
    where.add_argument(
        "--cluster", metavar="ADDRESS", help="run on this Dask cluster, such as tcp://host:8786"
    )
    running.add_argument(
        "--timeout",
        type=options.seconds,
        metavar="S",
        help="seconds for each run (default: the suite's)",
    )
    running.add_argument(
        "--memory",
        type=options.size,
        metavar="SIZE",
        help="memory limit for each run (default: the suite's)",
    )
    running.add_argument(
        "-p",
        "--pipeline",
        metavar="PIPELINES",
        help="solvers with preprocessors, such as depqbf,bloqqer+mine (default: the suite's)",
    )
    options.add_programs(running)
    running.add_argument(
        "--files",
        metavar="FOLDER",
        help="the folder with the suite's game files (default: the suite's own)",
    )
    running.add_argument("--retry", action="store_true", help="also run what failed before")
    running.add_argument(
        "--repair",
        action="store_true",
        help="first move damaged rows of the store aside, so that they are run again",
    )
    reporting = commands.add_parser(
        "report", help="show tables and plots, with the figures of the papers for comparison"
    )
    _add_suites(reporting, "*", "which suites (default: all in the store)")
    _add_store(reporting)
    reporting.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help="write .html, .md, .tex or .csv; may be repeated (default: print a table)",
    )
    reporting.add_argument(
        "--summary",
        action="store_true",
        help="show only how many questions each method has solved",
    )
    reporting.add_argument(
        "--plots", metavar="FOLDER", help="write the plots as .svg, .pdf and .tex (pgfplots)"
    )
    reporting.add_argument(
        "--benchexec", metavar="FOLDER", help="write result files for BenchExec's table-generator"
    )
    comparing = commands.add_parser(
        "compare", help="compare two stores: what is faster, slower, newly or no longer solved"
    )
    comparing.add_argument("before", metavar="A", help="the older store")
    comparing.add_argument("after", metavar="B", help="the newer store")
    options.add_json(comparing)
    exporting = commands.add_parser(
        "export", help="write a suite as a benchmark set: formulas, README, checksums"
    )
    exporting.add_argument("suite", metavar="SUITE", help="a suite, or a .toml file")
    exporting.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="the folder to write"
    )
    exporting.add_argument("--store", metavar="FILE", help="add the answers that are in this store")
    verifying = commands.add_parser(
        "verify", help="check a benchmark set: generate its formulas again and compare them"
    )
    verifying.add_argument("pack", metavar="PACK", help="a folder written by bench export")
    verifying.add_argument(
        "-p",
        "--pipeline",
        metavar="PIPELINES",
        help="also solve every formula with these solvers, such as depqbf,caqe",
    )
    options.add_programs(verifying)
    options.add_limits(verifying)
    for command in (listing, running, exporting):
        command.add_argument(
            "--quick", action="store_true", help="use a smaller version of the suite"
        )
    for entry in commands._choices_actions:  # each with its summary and an example in --help
        command = commands.choices[entry.dest]
        command.description = sentence(entry.help or "")
        command.epilog = f"example:\n  {ACTION_EXAMPLES[entry.dest]}"
        command.formatter_class = argparse.RawDescriptionHelpFormatter


def run_bench(arguments: argparse.Namespace) -> int:
    return ACTIONS[arguments.action](arguments)


def _add_suites(parser: argparse.ArgumentParser, number: str, help: str) -> None:
    parser.add_argument("suites", nargs=number, metavar="SUITE", help=help)


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", default=STORE, metavar="FILE", help=f"the database of results (default: {STORE})"
    )


def _suites(
    names: list[str], quick: bool, files: str | None = None, pipelines: Sequence[str] = ()
) -> list[Suite]:
    listed = [n for name in names for n in (shipped_suites() if name == "all" else [name])]
    suites = [find_suite(name, quick, files, pipelines) for name in dict.fromkeys(listed)]
    for name, times in Counter(suite.name for suite in suites).items():
        if times > 1:
            raise skolemate.UserError(
                f"two suites are called {brief(name)}; run them one at a time, into two stores"
            )
    return suites


def _pipelines(arguments: argparse.Namespace) -> list[str]:
    return arguments.pipeline.split(",") if arguments.pipeline else []


def _list(arguments: argparse.Namespace) -> int:
    if arguments.suite is not None:
        suite = find_suite(arguments.suite, arguments.quick)
        if arguments.json:
            options.print_json([vars(job) | {"known": dict(job.known)} for job in suite.jobs])
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
        options.print_json(listed)
    else:
        rows = [[str(value) for value in entry.values()] for entry in listed]
        options.print_table(("suite", "title", "source", "rows", "quick"), rows)
    return 0


def _run(arguments: argparse.Namespace) -> int:
    options.use_programs(arguments)
    suites = _suites(arguments.suites, arguments.quick, arguments.files, _pipelines(arguments))
    for suite in suites:
        for words in suite.left_out:
            print(f"Left out of {suite.name}: {words}.", file=sys.stderr)
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
        with options.interrupting() as cancel, Display(campaign, executor.slots) as display:
            campaign.run(executor, cancel, display.tell)
        campaign.wrong += campaign.contradictions_in_store(suites)
        if campaign.wrong:
            rows = [row for suite in suites for row in store.rows(suite.name)]
            campaign.wrong += evidence(rows, f"{arguments.store}.wrong")
        display.summary(arguments.store)
    return EXIT_FAILURE if campaign.wrong else 0


def _report(arguments: argparse.Namespace) -> int:
    writers = {".html": to_html, ".md": to_markdown, ".tex": to_latex, ".csv": to_csv}
    if arguments.summary:
        writers = {".md": summary_markdown, ".tex": summary_latex, ".csv": summary_csv}
    outputs = arguments.output or []
    for output in outputs:
        if not output.endswith(tuple(writers)):
            known = ", ".join(writers)
            raise skolemate.UserError(
                f"unknown format: {brief(output, 200)}; the name must end in one of {known}"
            )
    with open_store(arguments.store) as store:
        there = store.suites()
        for name in arguments.suites:
            if name not in there:
                near = suggestion(name, there)
                raise skolemate.UserError(f"{arguments.store} has no rows of {brief(name)}: {near}")
        chosen = [there[name] for name in arguments.suites or there]
        unreadable = [str(suite) for suite in chosen if isinstance(suite, skolemate.UserError)]
        suites = [suite for suite in chosen if not isinstance(suite, skolemate.UserError)]
        report = gather(suites, store.rows(), unreadable)
    if not available() and (arguments.plots or any(o.endswith(".html") for o in outputs)):
        told = "pip install 'skolemate[bench]'"
        print(f"Plots as SVG or PDF need matplotlib: {told}", file=sys.stderr)
    for output in outputs:
        write_text(output, writers[output[output.rindex(".") :]](report))
    if not outputs and not arguments.plots and not arguments.benchexec:
        summary = report.summary
        options.print_table(summary.head, [[c.ours for c in line] for line in summary.body])
    if arguments.plots:
        for section in report.sections:
            write_plots(section, arguments.plots)
    if arguments.benchexec:
        write_benchexec(report, arguments.benchexec)
    print(f"{report.counted}.", file=sys.stderr)
    for words in report.problems:
        print(words, file=sys.stderr)
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    with open_store(arguments.before) as before, open_store(arguments.after) as after:
        pairs = common(before.rows(), after.rows())
    changes = compare(pairs)
    if arguments.json:
        options.print_json([change.as_json() for change in changes])
    else:
        for change in changes:
            print(change)
    counts = Counter(change.kind for change in changes)
    told = ", ".join(f"{n} {kind}" for kind, n in counts.items()) or "nothing has changed"
    if not pairs:
        told = "nothing to compare"
    print(f"{amount(len(pairs), 'row')} in both stores: {told}.", file=sys.stderr)
    return 0 if pairs else EXIT_FAILURE


def _export(arguments: argparse.Namespace) -> int:
    suite = find_suite(arguments.suite, arguments.quick)
    rows = []
    if arguments.store:
        with open_store(arguments.store) as store:
            rows = store.rows()

    def tell(words: str) -> None:
        print(words, file=sys.stderr)

    files = export(suite, arguments.output, rows, tell)
    told = f"{amount(files, 'formula')} and manifest.json in {arguments.output}"
    print(f"{told}; check them with: skolemate bench verify", file=sys.stderr)
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    options.use_programs(arguments)
    budget = skolemate.Budget(skolemate.Limit(arguments.timeout, arguments.memory))
    pipelines = [Pipeline.parse(name) for name in _pipelines(arguments)]
    problems = 0
    for words in verify(arguments.pack, pipelines, budget):
        print(words)
        problems += 1
    told = (
        amount(problems, "problem")
        if problems
        else "the files match their checksums and can be generated again"
    )
    print(f"{arguments.pack}: {told}.", file=sys.stderr)
    return EXIT_FAILURE if problems else 0


ACTIONS = {
    "list": _list,
    "run": _run,
    "report": _report,
    "compare": _compare,
    "export": _export,
    "verify": _verify,
}

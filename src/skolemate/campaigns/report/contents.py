"""The contents of reports, whatever their format; comparisons of two stores and of encodings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Self

from skolemate.campaigns.row import SIZES, VERDICTS, Job, Row, contradictions, shown
from skolemate.campaigns.suite import Suite
from skolemate.campaigns.totals import counted, wrong_totals
from skolemate.output import amount, shorten

# --- comparing two stores -------------------------------------------------------------------------


KINDS = ("disagree", "lost", "solved", "slower", "faster", "larger", "smaller")
FACTOR = 1.25  # times that differ by a smaller factor count as equal
LEAST = 0.1  # seconds; smaller differences are noise


@dataclass(frozen=True)
class Change:
    kind: str
    before: Row
    after: Row

    def as_json(self) -> dict[str, Any]:
        sides = {"before": self.before, "after": self.after}
        return {"kind": self.kind, "row": str(self.before.job)} | {
            name: {
                "status": row.run.status,
                "wall_seconds": row.run.wall_seconds,
                "clauses": row.run.clauses,
            }
            for name, row in sides.items()
        }

    def __str__(self) -> str:
        return f"{self.kind:8} {self.before.job}: {_brief(self.before)} -> {_brief(self.after)}"


def common(before: Iterable[Row], after: Iterable[Row]) -> list[tuple[Row, Row]]:
    """The rows that are in both stores, as pairs."""
    old = {(row.job.suite, row.job.key): row for row in before}
    keys = ((row, (row.job.suite, row.job.key)) for row in after)
    return [(old[key], row) for row, key in keys if key in old]


def compare(pairs: Iterable[tuple[Row, Row]]) -> list[Change]:
    """The changes from one store's rows to the other's, the most serious first."""
    changes = [Change(kind, old, new) for old, new in pairs for kind in _kinds(old, new)]
    return sorted(changes, key=lambda change: (KINDS.index(change.kind), -_weight(change)))


def _kinds(a: Row, b: Row) -> Iterator[str]:
    if a.run.solved and b.run.solved:
        if (a.run.status, a.run.truth, a.run.critical_depth) != (
            b.run.status,
            b.run.truth,
            b.run.critical_depth,
        ):
            yield "disagree"
        yield from _pace(a.run.wall_seconds, b.run.wall_seconds)
    elif a.run.solved:
        yield "lost"
    elif b.run.solved:
        yield "solved"
    if a.run.clauses is not None and b.run.clauses is not None and a.run.clauses != b.run.clauses:
        yield "larger" if b.run.clauses > a.run.clauses else "smaller"


def _pace(a: float | None, b: float | None) -> Iterator[str]:
    if a is None or b is None or abs(a - b) < LEAST:
        return
    if b > FACTOR * a:
        yield "slower"
    elif a > FACTOR * b:
        yield "faster"


def _weight(change: Change) -> float:
    return abs((change.after.run.wall_seconds or 0) - (change.before.run.wall_seconds or 0))


def _brief(row: Row) -> str:
    seconds = "" if row.run.wall_seconds is None else f" in {row.run.wall_seconds:.2f} s"
    clauses = "" if row.run.clauses is None else f", {row.run.clauses} clauses"
    return f"{row.run.status}{seconds}{clauses}"


# --- comparing two encodings ----------------------------------------------------------------------
# On the same questions with the same pipelines.


THRESHOLDS = ("0.01", "0.1", "1", "10")  # seconds
Pair = tuple[Row, Row]


def duels(suite: Suite, rows: Sequence[Row]) -> dict[tuple[str, str], list[Pair]]:
    """The pairs of encodings that a suite names, or its first two, with their pairs of rows."""
    named = suite.scatter
    if not named:
        names = list(dict.fromkeys(row.job.encoding for row in rows if row.job.encoding))
        named = ((names[0], names[1]),) if len(names) > 1 else ()
    pairs_of = {(x, y): _pairs(rows, x, y) for x, y in named}
    return {names: pairs for names, pairs in pairs_of.items() if pairs}


def _pairs(rows: Sequence[Row], x: str, y: str) -> list[Pair]:
    """The pairs of rows of which at least one is solved."""
    by_question: dict[tuple[Any, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        ended = row.run.solved or row.run.status in ("time", "memory")  # an error is no time
        if row.job.encoding in (x, y) and ended:
            job = row.job
            asked = (job.question, job.task, job.depth, job.pipeline, job.symmetry)
            by_question[asked][row.job.encoding] = row
    pairs = [(both[x], both[y]) for both in by_question.values() if len(both) == 2]
    return [(a, b) for a, b in pairs if a.run.solved or b.run.solved]


def faster(pairs: Sequence[Pair], threshold: float) -> tuple[int, int]:
    """How often the second is faster, among pairs of which one takes longer than the threshold."""
    seconds = [(a.spent, b.spent) for a, b in pairs]
    long = [(a, b) for a, b in seconds if max(a, b) > threshold]
    return sum(b < a for a, b in long), len(long)


# --- contents -------------------------------------------------------------------------------------


Asked = tuple[tuple[str | None, str | None, str], int | None]  # a question and its depth
LONGEST = 90  # letters of a game's name that are shown
WORDS = {
    "one_sided": "false",
    "unsupported": "–",
    "solver_error": "error",
    "error": "error",
}


@dataclass(frozen=True)
class TableCell:
    """A cell of a table: our figure, the paper's, and the category that colours it."""

    ours: str
    paper: str = ""
    category: str = ""


EMPTY = TableCell("")


@dataclass(frozen=True)
class Table:
    title: str
    head: tuple[str, ...]
    body: list[list[TableCell]]
    labels: int = 1  # the first columns, which name the row


@dataclass(frozen=True)
class SuiteSection:
    """One suite: its rows, their tables, and the jobs without a row."""

    suite: Suite
    rows: list[Row]
    tables: list[Table]
    missing: Counter[str]

    @property
    def summary(self) -> Table:
        """What each means has solved."""
        body = [score.cells for score in scores(self.suite, self.rows)]
        return Table("Solved", SCORE_HEAD, body, labels=2)


@dataclass(frozen=True)
class CampaignReport:
    """A report: problems first, then one section for each suite."""

    problems: list[str]
    sections: list[SuiteSection]
    machines: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)
    finished: str = ""

    @property
    def means(self) -> list[str]:
        """The versions, programs and machines of the measurements."""
        return [f"Skolemate {', '.join(self.versions)}", *self.machines, *self.programs]

    @property
    def summary(self) -> Table:
        """What each means has solved, suite by suite."""
        body = [
            [TableCell(section.suite.name), *line]
            for section in self.sections
            for line in section.summary.body
        ]
        return Table("Solved", ("suite", *SCORE_HEAD), body, labels=3)

    @property
    def counts(self) -> Counter[str]:
        return Counter(row.category for section in self.sections for row in section.rows)

    @property
    def counted(self) -> str:
        counts = ", ".join(f"{n:,} {category}" for category, n in sorted(self.counts.items()))
        return ": ".join(filter(None, (amount(self.counts.total(), "row"), counts)))


def gather(
    suites: Sequence[Suite], rows: Iterable[Row], unreadable: Sequence[str] = ()
) -> CampaignReport:
    """A report about the rows of these suites; `unreadable` says why others could not be read."""
    of_suite: dict[str, list[Row]] = defaultdict(list)
    wanted = {suite.name for suite in suites}
    everything = [row for row in rows if row.job.suite in wanted]
    for row in everything:
        of_suite[row.job.suite].append(row)
    sections = [_section(suite, of_suite[suite.name]) for suite in suites]
    programs = [program for row in everything for program in row.programs.split(", ") if program]
    return CampaignReport(
        problems=[
            *_problems(everything, sections),
            *(f"LEFT OUT: {reason}" for reason in unreadable),
        ],
        sections=sections,
        machines=sorted({row.machine for row in everything}),
        programs=sorted(set(programs)),
        versions=sorted({row.version for row in everything}),
        finished=max((row.finished for row in everything), default=""),
    )


def _problems(rows: Sequence[Row], sections: Sequence[SuiteSection]) -> Iterable[str]:
    for row in rows:
        if row.category == "wrong":
            yield f"WRONG: {row.job} in {row.job.suite}: {row.complaint}"
    yield from (f"CONTRADICTION: {words}" for words in contradictions(rows))
    for section in sections:
        for words in wrong_totals(section.suite, section.rows):
            yield f"WRONG TOTAL: {words}"
    for row in rows:
        if row.category == "error":
            yield f"ERROR: {row.job} in {row.job.suite}: {row.run.detail}"


def _section(suite: Suite, rows: list[Row]) -> SuiteSection:
    there = {row.job.key for row in rows}
    absent = [job for job in suite.jobs if job.key not in there]
    missing = Counter(job.pipeline or job.means for job in absent)
    section = SuiteSection(suite, rows, [], missing)
    tables = [section.summary, _totals(suite, rows), *_groups(suite, rows), _duels(suite, rows)]
    section.tables.extend(t for t in (*tables, _sizes(rows), _answers(suite, rows)) if t.body)
    return section


def _totals(suite: Suite, rows: list[Row]) -> Table:
    """The published totals, with ours beside them if there are rows."""
    totals = counted(suite, rows)
    names = list(dict.fromkeys(n for c in totals for n in c.total.figures))
    body = []
    for count in totals:
        of = f"{count.rows}" if count.complete else f"{count.rows} of {count.total.of}"
        line = [TableCell(count.total.label), TableCell(of)]
        for name in names:
            paper = count.total.figures.get(name, "")
            category = "wrong" if name in count.wrong else ""
            line.append(TableCell(_number(count.ours.get(name)), shown(paper), category))
        body.append(line)
    head = ("", "rows", *(name.replace("_", " ") for name in names))
    return Table("In all, as published", head, body)


# --- scores ---------------------------------------------------------------------------------------


SCORE_HEAD = ("encoding", "pipeline", "asked", "solved", "unique", "PAR-2")
VIRTUAL_BEST = "virtual best"


@dataclass(frozen=True)
class Score:
    """How an encoding with a pipeline does on some questions."""

    encoding: str
    pipeline: str
    answered: int
    asked: int
    par2: float  # the mean of the CPU seconds; a row without an answer counts twice its limit
    unique: int | None = None  # the questions that nothing else has solved

    @classmethod
    def of(
        cls, encoding: str, pipeline: str, rows: Sequence[Row], unique: int | None = None
    ) -> Self:
        answered = sum(row.run.solved for row in rows)
        return cls(encoding, pipeline, answered, len(rows), fmean(map(_par2, rows)), unique)

    @property
    def cells(self) -> list[TableCell]:
        numbers = (self.asked, self.answered, "" if self.unique is None else self.unique)
        words = (self.encoding, self.pipeline, *map(str, numbers), f"{self.par2:.2f}")
        return [TableCell(word) for word in words]

    def __str__(self) -> str:
        return f"{self.answered}/{self.asked}, {_number(self.par2)}"


def _par2(row: Row) -> float:
    return (row.run.cpu_seconds or 0.0) if row.run.solved else 2 * row.job.seconds


def scores(suite: Suite, rows: Sequence[Row]) -> list[Score]:
    """The score of each means, and that of the best means for each question (virtual best)."""
    decided = [row for row in rows if row.job.decides]
    by_means: dict[str, list[Row]] = defaultdict(list)
    by_question: dict[Any, list[Row]] = defaultdict(list)
    for row in decided:
        by_means[row.job.means].append(row)
        by_question[row.job.task, row.job.question, row.job.depth].append(row)
    solvers = ([r.job.means for r in asked if r.run.solved] for asked in by_question.values())
    unique = Counter(means[0] for means in solvers if len(set(means)) == 1)
    listed = []
    for means in means_of(suite, decided):
        job = by_means[means][0].job
        encoding = f"{job.encoding}, symmetry" if job.symmetry else job.encoding or ""
        pipeline = job.pipeline or job.method
        listed.append(Score.of(encoding, pipeline, by_means[means], unique[means]))
    if len(listed) > 1:
        best = [min(asked, key=_par2) for asked in by_question.values()]
        listed.append(Score.of(VIRTUAL_BEST, "", best))
    return listed


def means_of(suite: Suite, rows: Sequence[Row]) -> list[str]:
    """The means of some rows, in the suite's order."""
    used = {row.job.means for row in rows}
    # A report may lack the files that a suite asked about, and so its jobs.
    jobs = (*suite.jobs, *(row.job for row in rows))
    return list(dict.fromkeys(job.means for job in jobs if job.means in used))


# --- further tables -------------------------------------------------------------------------------


def _groups(suite: Suite, rows: list[Row]) -> Iterator[Table]:
    """The best means for each group of a suite, and for each group the scores of all means."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.job.key in suite.groups and row.job.pipeline:
            groups[suite.groups[row.job.key]].append(row)
    best, tables = [], []
    for group, chosen in groups.items():
        by_means: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in chosen:
            by_means[row.job.encoding or "files", row.job.pipeline or ""].append(row)
        scores = {means: Score.of(*means, asked) for means, asked in by_means.items()}
        first = max(scores.values(), key=lambda score: (score.answered, -score.par2))
        asked = amount(len({(row.job.question, row.job.depth) for row in chosen}), "question")
        words = (group, asked, first.encoding, first.pipeline, str(first))
        best.append([TableCell(word) for word in words])
        encodings = list(dict.fromkeys(encoding for encoding, _ in scores))
        body = [
            [TableCell(pipeline)]
            + [TableCell(str(scores.get((encoding, pipeline), ""))) for encoding in encodings]
            for pipeline in dict.fromkeys(pipeline for _, pipeline in scores)
        ]
        title = f"{group}: {asked}; answered/asked, and PAR2 in CPU seconds"
        tables.append(Table(title, ("pipeline", *encodings), body))
    head = ("group", "", "encoding", "pipeline", "answered/asked, PAR2")
    yield Table("The best of each group", head, best)
    yield from tables


def _duels(suite: Suite, rows: list[Row]) -> Table:
    """How often one encoding is faster; published shares are about the suite's first pair."""
    asked = [row for row in rows if row.job.decides]
    body = []
    for place, ((x, y), pairs) in enumerate(duels(suite, asked).items()):
        line = [TableCell(f"{y} faster than {x}")]
        for threshold in THRESHOLDS:
            wins, of = faster(pairs, float(threshold))
            share = f"{100 * wins / of:.0f} % ({wins}/{of})" if of else ""
            line.append(TableCell(share, suite.faster.get(threshold, "") if place == 0 else ""))
        body.append(line)
    head = ("", *(f"over {threshold} s" for threshold in THRESHOLDS))
    return Table("Which encoding is faster", head, body)


def _sizes(rows: list[Row]) -> Table:
    chosen = [row for row in rows if not row.job.decides]
    body = []
    for row in chosen:
        known, run = row.job.known, row.run
        line = [
            TableCell(_question(row.job)),
            TableCell(row.job.encoding or ""),
            TableCell("yes" if row.job.symmetry else "no"),
            TableCell(row.job.pipeline or ""),
        ]
        for name in SIZES:
            category = row.category if name in known else ""
            line.append(
                TableCell(_number(getattr(run, name)), shown(known.get(name, "")), category)
            )
        seconds = TableCell(_seconds(row), shown(known.get("wall_seconds", "")))
        if row.job.task == "size":
            seconds = TableCell(_number(run.encode_seconds))
        body.append([*line, seconds])
    head = ("question", "encoding", "symmetry", "preprocessors", *SIZES, "seconds")
    return Table("Sizes", head, body, labels=4)


def _answers(suite: Suite, rows: list[Row]) -> Table:
    """A row for each question, a column for each means: seconds, or why there is no answer."""
    chosen = [row for row in rows if row.job.decides]
    means = means_of(suite, chosen)
    cells: dict[tuple[Asked, str], TableCell] = {}
    answers: dict[Asked, set[str]] = defaultdict(set)
    depths: dict[Asked, set[str]] = defaultdict(set)
    known: dict[Asked, str] = {}
    labels: dict[Asked, str] = {}
    for row in chosen:
        label = row.job.question, row.job.depth
        labels[label] = _question(row.job)
        cells[label, row.job.means] = TableCell(
            _seconds(row), shown(row.job.known.get("wall_seconds", "")), row.category
        )
        known.setdefault(label, "")
        if "verdict" in row.job.known:
            depth, verdict = row.job.known.get("critical_depth", ""), row.job.known["verdict"]
            known[label] = " ".join(filter(None, (VERDICTS[verdict], shown(depth))))
        if row.run.status in VERDICTS:
            answers[label].add(row.run.status)
            if row.run.critical_depth is not None:
                depths[label].add(str(row.run.critical_depth))
    body = [
        [
            TableCell(labels[label]),
            TableCell(_answers_of(answers[label], depths[label])),
            TableCell(expected),
        ]
        + [cells.get((label, m), EMPTY) for m in means]
        for label, expected in known.items()
    ]
    return Table("Answers and seconds", ("question", "answer", "known", *means), body, labels=3)


def _question(job: Job) -> str:
    player = f", {job.player}" if job.player == "white" else ""
    depth = "" if job.depth is None else f", d = {job.depth}"
    return f"{shorten(job.game, LONGEST)}{player}{depth}"


def _answers_of(answers: set[str], depths: set[str]) -> str:
    """The answers of a question (one if all agree), with the critical depths."""
    words = " / ".join(VERDICTS[answer] for answer in sorted(answers))
    return " ".join([words, *sorted(depths)]).strip()


def _seconds(row: Row) -> str:
    if not row.run.solved:
        return WORDS.get(row.run.status, row.run.status)
    seconds = _number(row.run.wall_seconds)
    return f"{seconds} {WORDS['one_sided']}" if row.run.status == "one_sided" else seconds


def _number(value: float | None) -> str:
    """
    >>> _number(12), _number(0.0002), _number(0.01234), _number(1234.5), _number(None)
    ('12', '<0.001', '0.012', '1234', '')
    """
    if value is None:
        return ""
    if isinstance(value, int) or value == int(value):
        return str(int(value))
    if 0 < value < 0.001:
        return "<0.001"
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"

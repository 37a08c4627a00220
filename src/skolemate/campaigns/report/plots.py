"""Plots of a suite's rows: cactus, scatter, seconds by depth; as SVG, PDF and pgfplots.

SVG and PDF are drawn with matplotlib (extra [bench]); pgfplots and the tables do not need it.
A means has one colour in all plots of its suite.
"""

import io
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skolemate.campaigns.report.contents import SuiteSection, duels, means_of
from skolemate.campaigns.row import Row
from skolemate.output import shorten, write_bytes, write_text

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a5a00")
MARKERS = "os^Dv*PX"
MARKS = ("*", "square*", "triangle*", "diamond*", "o", "star", "+", "x")  # the same in pgfplots
NEUTRAL = "#6b6b70"
MOST_LINES = 16  # in one plot; the best ones are drawn
FEWEST = 3  # points that are worth a plot
MANY = 2000  # more points are not visible, or are drawn as a bitmap
LEAST = 0.001  # seconds; faster ones are drawn there
LARGE = 100.0  # MB: a plot of less memory says nothing


@dataclass(frozen=True)
class Series:
    """The points of one line, or of one kind; the place of its means gives its colour."""

    label: str
    points: tuple[tuple[float, float], ...]
    place: int | None  # None: it belongs to no single means
    marker: int = 0

    @property
    def colour(self) -> str:
        return NEUTRAL if self.place is None else COLOURS[self.place % len(COLOURS)]

    @property
    def dashed(self) -> bool:
        return self.place is not None and self.place >= len(COLOURS)


@dataclass(frozen=True)
class Plot:
    """A plot as data, with the labels of its axes; a scatter plot has a limit."""

    name: str
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    limit: float | None = None

    @property
    def svg(self) -> str:
        stream = io.StringIO()
        _drawn(self).savefig(stream, format="svg", metadata={"Date": None})
        text = stream.getvalue()
        return text[text.index("<svg") :]

    @property
    def pdf(self) -> bytes:
        stream = io.BytesIO()
        _drawn(self).savefig(stream, format="pdf", metadata={"CreationDate": None})
        return stream.getvalue()

    @property
    def pgfplots(self) -> str:
        return "\n".join(_pgfplots(self)) + "\n"


def available() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def plots(section: SuiteSection) -> list[Plot]:
    """The plots that the rows of a suite give, without those that show nothing new."""
    distinct: dict[tuple[Series, ...], Plot] = {}
    for plot in _plots(section):
        distinct.setdefault(plot.series, plot)
    return [p for p in distinct.values() if sum(len(s.points) for s in p.series) >= FEWEST]


def write_plots(section: SuiteSection, folder: str) -> list[str]:
    """Write every plot of a suite in all formats that can be had; returns the names of files."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = []
    for plot in plots(section):
        base = str(Path(folder, f"{section.suite.name}-{plot.name}"))
        write_text(f"{base}.tex", plot.pgfplots)
        written.append(f"{base}.tex")
        if available():
            write_text(f"{base}.svg", plot.svg)
            write_bytes(f"{base}.pdf", plot.pdf)
            written += [f"{base}.svg", f"{base}.pdf"]
    return written


# --- what is drawn --------------------------------------------------------------------------------


def _plots(section: SuiteSection) -> Iterator[Plot]:
    rows = [row for row in section.rows if row.job.decides]
    places = {means: place for place, means in enumerate(means_of(section.suite, rows))}
    solved = [row for row in rows if row.run.solved]
    within = "rows solved"
    yield Plot("time", "Rows solved within a time", within, "seconds", _cactus(solved, places))
    if max((_megabytes(row) or 0.0 for row in solved), default=0.0) >= LARGE:
        series = _cactus(solved, places, _megabytes)
        yield Plot("memory", "Rows solved within a memory", within, "MB", series)
    for truth, name in ((True, "true"), (False, "false")):
        chosen = [row for row in solved if row.run.truth is truth]
        title = f"The same, {name} formulas only"
        yield Plot(f"time-{name}", title, within, "seconds", _cactus(chosen, places))
    for (x, y), pairs in duels(section.suite, rows).items():
        limit = max(row.job.seconds for pair in pairs for row in pair)
        title = f"{y} against {x}, seconds; dashed: the limit"
        names = f"{x}, seconds", f"{y}, seconds"
        yield Plot(f"{y}-against-{x}", title, *names, _scatter(pairs, limit), limit)
    yield Plot("depth", "Seconds by depth", "depth in plies", "seconds", _ladders(rows, places))


def _seconds(row: Row) -> float | None:
    return None if row.run.wall_seconds is None else max(row.run.wall_seconds, LEAST)


def _megabytes(row: Row) -> float | None:
    return row.run.peak_bytes / 1e6 if row.run.peak_bytes else None


def _cactus(
    rows: Sequence[Row],
    places: dict[str, int],
    cost: Callable[[Row], float | None] = _seconds,
) -> tuple[Series, ...]:
    """The costs of each means in ascending order, the best means first."""
    costs: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        value = cost(row)
        if value is not None:
            costs[row.job.means].append(value)
    best = sorted(costs, key=lambda name: (-len(costs[name]), sum(costs[name])))
    return tuple(
        Series(
            f"{name} ({len(costs[name])})",
            tuple(enumerate(sorted(costs[name]), 1)),
            places[name],
            places[name],
        )
        for name in best[:MOST_LINES]
    )


def _scatter(pairs: list[tuple[Row, Row]], limit: float) -> tuple[Series, ...]:
    """The seconds of two encodings on the same questions; a pipeline has its own marker."""
    by_pipeline: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for pair in pairs:
        x, y = (min(_seconds(r) or LEAST, limit) if r.run.solved else limit for r in pair)
        by_pipeline[pair[0].job.pipeline or ""].append((x, y))
    return tuple(
        Series(pipeline, tuple(points), None, marker)
        for marker, (pipeline, points) in enumerate(by_pipeline.items())
    )


def _ladders(rows: Sequence[Row], places: dict[str, int]) -> tuple[Series, ...]:
    """Seconds by depth, for games with rows at three depths or more; a game has its marker."""
    ladders: dict[tuple[str, str], dict[float, float]] = defaultdict(dict)
    for row in rows:
        value = _seconds(row)
        if row.run.solved and row.job.depth is not None and value is not None:
            ladders[row.job.game, row.job.means][row.job.depth] = value
    long = {name: steps for name, steps in ladders.items() if len(steps) >= FEWEST}
    hardest = sorted(long, key=lambda name: -max(long[name].values()))[:MOST_LINES]
    games = list(dict.fromkeys(game for game, _ in hardest))
    return tuple(
        Series(
            shorten(f"{game} {means}", 60),
            tuple(sorted(long[game, means].items())),
            places[means],
            games.index(game),
        )
        for game, means in hardest
    )


# --- matplotlib -----------------------------------------------------------------------------------


def _drawn(plot: Plot) -> Any:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update(
        {
            "svg.fonttype": "none",  # text stays text
            "svg.hashsalt": "skolemate",  # the same rows give the same bytes
            "font.family": "sans-serif",
            "font.sans-serif": ["DejaVu Sans"],
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#e6e6ea",
            "legend.frameon": False,
            "legend.fontsize": 7.5,
        }
    )
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    count = sum(len(series.points) for series in plot.series)
    for series in plot.series:
        xs, ys = zip(*series.points, strict=True)
        style: dict[str, Any] = {
            "color": series.colour,
            "marker": MARKERS[series.marker % len(MARKERS)],
        }
        if plot.limit is not None:
            axes.scatter(
                xs, ys, s=14, alpha=0.7, label=series.label, rasterized=count > MANY, **style
            )
            continue
        axes.plot(
            xs,
            ys,
            label=series.label,
            linestyle="--" if series.dashed else "-",
            markersize=3.5,
            linewidth=1.1,
            markevery=max(1, len(xs) // 20),
            **style,
        )
    if plot.limit is not None:
        _square(axes, plot.limit)
    else:
        _by_decades(axes, [y for series in plot.series for _, y in series.points])
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def _square(axes: Any, limit: float) -> None:
    """Both axes from the least time to the limit, with the diagonal."""
    ends = (LEAST / 1.5, limit * 1.5)
    axes.set_xscale("log")
    axes.set_yscale("log")
    _logarithmic(axes.xaxis, *ends)
    _logarithmic(axes.yaxis, *ends)
    axes.plot(ends, ends, color=NEUTRAL, linewidth=0.8)
    axes.axhline(limit, color="#b3261e", linestyle="--", linewidth=0.8)
    axes.axvline(limit, color="#b3261e", linestyle="--", linewidth=0.8)
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_aspect("equal")


def _by_decades(axes: Any, values: Sequence[float]) -> None:
    """Costs upwards, with some room around them, over whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axes.set_yscale("log")
    axes.set_ylim(min(values) / 1.5, max(values) * 1.5)
    _logarithmic(axes.yaxis, min(values), max(values))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _logarithmic(axis: Any, least: float, most: float) -> None:
    """Plain numbers at the decades, and in between where there are few decades."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    if most < 20 * least:
        axis.set_minor_locator(LogLocator(subs=(2, 5)))
        axis.set_minor_formatter(StrMethodFormatter("{x:g}"))
    else:
        axis.set_minor_formatter(NullFormatter())


# --- pgfplots -------------------------------------------------------------------------------------


def _pgfplots(plot: Plot) -> Iterator[str]:
    """A picture to \\input; it needs the packages pgfplots and xcolor."""
    from skolemate.campaigns.report.formats import tex

    yield f"% {plot.title}. Needs \\usepackage{{pgfplots}}"
    modes = "xmode=log, ymode=log" if plot.limit is not None else "ymode=log"
    labels = f"xlabel={{{tex(plot.x)}}}, ylabel={{{tex(plot.y)}}}"
    yield r"\begin{tikzpicture}"
    yield rf"\begin{{axis}}[{modes}, {labels}, legend pos=outer north east,"
    yield r"  legend cell align=left, legend style={font=\scriptsize, draw=none}]"
    for series in plot.series:
        red, green, blue = (int(series.colour[i : i + 2], 16) for i in (1, 3, 5))
        colour = f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"
        style = "only marks" if plot.limit is not None else "dashed" if series.dashed else "solid"
        mark = MARKS[series.marker % len(MARKS)]
        points = " ".join(f"({x:g},{y:.6g})" for x, y in series.points)
        yield rf"\addplot[color={colour}, mark={mark}, mark size=1.2pt, {style}]"
        yield f"  coordinates {{{points}}};"
        yield rf"\addlegendentry{{{tex(series.label)}}}"
    if plot.limit is not None:
        yield rf"\addplot[color=gray, forget plot] coordinates {{({LEAST:g},{LEAST:g})"
        yield f"  ({plot.limit:g},{plot.limit:g})}};"
    yield r"\end{axis}"
    yield r"\end{tikzpicture}"

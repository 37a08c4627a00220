"""Plots as SVG, drawn with matplotlib: cactus, scatter, heat map, ladders.

Without matplotlib (extra [bench]) there are none; the tables do not need it.
"""

import io
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skolemate.campaigns.report.contents import SuiteSection, duels
from skolemate.campaigns.row import Row
from skolemate.output import shorten

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a5a00")
MARKERS = "os^Dv*PX"
MOST_LINES = 16  # in one plot; the best ones are drawn
MANY = 2000  # a scatter plot with more points is drawn as a bitmap
LEAST = 0.001  # seconds; faster ones are drawn there


@dataclass(frozen=True)
class Plot:
    title: str
    svg: str


def available() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def plots(section: SuiteSection) -> list[Plot]:
    """The plots that the rows of a suite give."""
    rows = [row for row in section.rows if row.job.decides]
    if not rows or not available():
        return []
    return list(_drawn(section, rows))


def _drawn(section: SuiteSection, rows: list[Row]) -> Iterator[Plot]:
    solved = [row for row in rows if row.run.solved]
    by_time, by_memory = _sorted(solved, _seconds), _sorted(solved, _megabytes)
    if sum(map(len, by_time.values())) > 1:
        yield Plot("Rows solved within a time", _cactus(by_time, "seconds"))
        if any(map(len, by_memory.values())):
            yield Plot("Rows solved within a memory", _cactus(by_memory, "MB"))
        for truth, name in ((True, "true"), (False, "false")):
            chosen = _sorted([row for row in solved if row.run.truth is truth], _seconds)
            if max(map(len, chosen.values()), default=0) > 1:
                yield Plot(f"The same, {name} formulas only", _cactus(chosen, "seconds"))
    for (x, y), pairs in duels(section.suite, rows).items():
        yield Plot(f"{y} against {x}, seconds; dashed: the limit", _scatter(pairs, x, y))
    encodings = list(dict.fromkeys(row.job.encoding for row in rows if row.job.encoding))
    pipelines = list(dict.fromkeys(row.job.pipeline for row in rows if row.job.pipeline))
    if len(encodings) > 1 and len(pipelines) > 1:
        yield Plot("Share of rows solved", _heat(rows, encodings, pipelines))
    ladders = _ladders(rows)
    if ladders:
        yield Plot("Seconds by depth", _ladder(ladders))


# --- what is drawn --------------------------------------------------------------------------------


def _seconds(row: Row) -> float | None:
    return None if row.run.wall_seconds is None else max(row.run.wall_seconds, LEAST)


def _megabytes(row: Row) -> float | None:
    return row.run.peak_bytes / 1e6 if row.run.peak_bytes else None


def _sorted(rows: Sequence[Row], cost: Callable[[Row], float | None]) -> dict[str, list[float]]:
    series: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        value = cost(row)
        if value is not None:
            series[row.job.means].append(value)
    best = sorted(series, key=lambda name: (-len(series[name]), sum(series[name])))
    return {name: sorted(series[name]) for name in best[:MOST_LINES]}


def _ladders(rows: Sequence[Row]) -> dict[str, list[tuple[int, float]]]:
    """Seconds by depth, for games with rows at three depths or more."""
    by_game: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows:
        value = _seconds(row)
        if row.run.solved and row.job.depth is not None and value is not None:
            by_game[f"{row.job.game} {row.job.means}"].append((row.job.depth, value))
    long = {name: sorted(steps) for name, steps in by_game.items() if len(dict(steps)) > 2}
    hardest = sorted(long, key=lambda name: -max(seconds for _, seconds in long[name]))
    return {name: long[name] for name in hardest[:MOST_LINES]}


# --- drawing --------------------------------------------------------------------------------------


def _figure() -> tuple[Any, Any]:
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
    return figure, figure.subplots()


def _svg(figure: Any) -> str:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]


def _style(place: int) -> dict[str, Any]:
    return {
        "color": COLOURS[place % len(COLOURS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": "-" if place < len(COLOURS) else "--",
        "markersize": 3.5,
        "linewidth": 1.1,
    }


def _logarithmic(axis: Any, least: float, most: float) -> None:
    """Plain numbers at the decades, and in between where there are few decades."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    if most < 20 * least:
        axis.set_minor_locator(LogLocator(subs=(2, 5)))
        axis.set_minor_formatter(StrMethodFormatter("{x:g}"))
    else:
        axis.set_minor_formatter(NullFormatter())


def _by_decades(axes: Any, values: Sequence[float]) -> None:
    """Costs upwards, with some room around them."""
    axes.set_yscale("log")
    axes.set_ylim(min(values) / 1.5, max(values) * 1.5)
    _logarithmic(axes.yaxis, min(values), max(values))


def _counting(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def _cactus(series: dict[str, list[float]], unit: str) -> str:
    figure, axes = _figure()
    for place, (name, costs) in enumerate(series.items()):
        steps = range(0, len(costs), max(1, len(costs) // MANY))  # more points are not visible
        counts = [step + 1 for step in steps]
        axes.plot(
            counts,
            [costs[step] for step in steps],
            label=f"{name} ({len(costs)})",
            markevery=max(1, len(counts) // 20),
            **_style(place),
        )
    _by_decades(axes, [cost for costs in series.values() for cost in (costs[0], costs[-1])])
    _counting(axes.xaxis)
    axes.set_xlabel("rows solved")
    axes.set_ylabel(unit)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return _svg(figure)


def _scatter(pairs: list[tuple[Row, Row]], x: str, y: str) -> str:
    figure, axes = _figure()
    limit = max(row.job.seconds for pair in pairs for row in pair)
    by_pipeline: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for pair in pairs:
        point = tuple(min(_seconds(r) or LEAST, limit) if r.run.solved else limit for r in pair)
        by_pipeline[pair[0].job.pipeline or ""].append((point[0], point[1]))
    for place, (pipeline, points) in enumerate(by_pipeline.items()):
        style = _style(place)
        axes.scatter(
            [a for a, _ in points],
            [b for _, b in points],
            s=14,
            alpha=0.7,
            color=style["color"],
            marker=style["marker"],
            label=pipeline,
            rasterized=len(pairs) > MANY,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    ends = (LEAST / 1.5, limit * 1.5)
    _logarithmic(axes.xaxis, *ends)
    _logarithmic(axes.yaxis, *ends)
    axes.plot(ends, ends, color="#6b6b70", linewidth=0.8)
    axes.axhline(limit, color="#b3261e", linestyle="--", linewidth=0.8)
    axes.axvline(limit, color="#b3261e", linestyle="--", linewidth=0.8)
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_aspect("equal")
    axes.set_xlabel(f"{x}, seconds")
    axes.set_ylabel(f"{y}, seconds")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return _svg(figure)


def _heat(rows: Sequence[Row], encodings: Sequence[str], pipelines: Sequence[str]) -> str:
    figure, axes = _figure()
    asked: dict[tuple[str | None, str | None], list[bool]] = defaultdict(list)
    for row in rows:
        asked[row.job.encoding, row.job.pipeline].append(row.run.solved)
    shares = [[_share(asked[e, p]) for p in pipelines] for e in encodings]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=2, aspect="auto")
    for down, encoding in enumerate(encodings):
        for across, pipeline in enumerate(pipelines):
            cells = asked[encoding, pipeline]
            label = f"{sum(cells)}/{len(cells)}" if cells else "–"
            axes.text(across, down, label, ha="center", va="center", fontsize=8)
    axes.set_xticks(range(len(pipelines)), pipelines, rotation=20, ha="right")
    axes.set_yticks(range(len(encodings)), encodings)
    axes.grid(visible=False)
    return _svg(figure)


def _share(cells: list[bool]) -> float:
    return sum(cells) / len(cells) if cells else 0.0


def _ladder(ladders: dict[str, list[tuple[int, float]]]) -> str:
    figure, axes = _figure()
    for place, (name, steps) in enumerate(ladders.items()):
        depths, seconds = zip(*steps, strict=True)
        axes.plot(depths, seconds, label=shorten(name, 60), **_style(place))
    _by_decades(axes, [seconds for steps in ladders.values() for _, seconds in steps])
    _counting(axes.xaxis)
    axes.set_xlabel("depth in plies")
    axes.set_ylabel("seconds")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15))
    return _svg(figure)

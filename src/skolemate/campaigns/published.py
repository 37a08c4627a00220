"""Published figures in a suite's file, and the jobs that they are about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from skolemate.campaigns.row import Job, refuse_unreadable
from skolemate.errors import UserError, brief, suggestion

# --- entries of TOML tables -----------------------------------------------------------------------
# Each function checks the type of an entry; the error says what would be right.


KINDS = {object: "values", str: "texts", int: "whole numbers", list: "lists", dict: "tables"}


def refuse_unknown(table: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    for key in table:
        if key not in known:
            raise UserError(f"{what} has no {brief(key)}: {suggestion(key, known)}")


def choice(word: str, choices: Any, kind: str) -> str:
    if word not in choices:
        raise UserError(f"unknown {kind} {brief(str(word))}: {suggestion(str(word), choices)}")
    return word


def text(table: Mapping[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise UserError(f"{key} is a text, not {value!r}")
    return value


def flag(table: Mapping[str, Any], key: str, default: bool = False) -> bool:
    value = table.get(key, default)
    if not isinstance(value, bool):
        raise UserError(f"{key} is true or false, not {value!r}")
    return value


def listed(table: Mapping[str, Any], key: str, kind: type = object) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise UserError(f"{key} is a list of {KINDS[kind]}")
    return value


def table(inside: Mapping[str, Any], key: str, kind: type = object) -> dict[str, Any]:
    value = inside.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(item, kind) for item in value.values()):
        raise UserError(f"{key} is a table of {KINDS[kind]}")
    return value


# --- published figures ----------------------------------------------------------------------------


SELECTORS = ("task", "game", "player", "depth", "method", "encoding", "pipeline", "symmetry")
TOTALS = ("wins", "no_wins", "solved", "unknown", "seconds", "mean_variables", "mean_clauses")


@dataclass(frozen=True)
class Total:
    """Published figures about many rows together, one line of a paper's table.

    They are compared only if there are as many rows as the paper had (`of`).
    """

    label: str
    where: Mapping[str, Any]
    of: int | None
    figures: Mapping[str, str]


def entries(tables: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Published figures, each with a selection of rows.

    An entry is one line of a table or, with `head` and `body`, a whole table: columns named after
    a field of the rows select rows, the others are figures.
    """
    for entry in tables:
        where = table(entry, "where")
        rest = {k: v for k, v in entry.items() if k not in ("where", "head", "body")}
        refuse_unknown(where, SELECTORS, "where")
        head = listed(entry, "head", str)
        for line in listed(entry, "body", list) or [[]]:
            if len(line) != len(head):
                raise UserError(f"{line} has {len(line)} entries, but its head has {len(head)}")
            named = {k: v for k, v in zip(head, line, strict=True) if v != ""}
            chosen = {key: value for key, value in named.items() if key in SELECTORS}
            figures = {key: value for key, value in named.items() if key not in SELECTORS}
            for key, figure in (rest | figures).items():
                if key != "label":
                    refuse_unreadable(str(figure))
            yield where | chosen, rest | figures


def selects(where: Mapping[str, Any], job: Job) -> bool:
    """Whether a selection contains a job; `*` in a game stands for any text."""
    return all(
        any(_matches(getattr(job, key), value) for value in _alternatives(wanted))
        for key, wanted in where.items()
    )


def _matches(ours: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) and isinstance(ours, str):
        return fnmatchcase(ours, wanted)
    return bool(ours == wanted)


def with_published(job: Job, published: list[tuple[dict[str, Any], dict[str, Any]]]) -> Job:
    known = dict(job.known)
    for where, figures in published:
        if selects(where, job):
            known |= {key: str(value) for key, value in figures.items()}
    return replace(job, known=known)


def total_of(where: dict[str, Any], entry: dict[str, Any]) -> Total:
    figures = {key: str(value) for key, value in entry.items() if key not in ("label", "of")}
    refuse_unknown(figures, TOTALS, "a total")
    parts = ("game", "player", "encoding", "pipeline")
    selected = [" or ".join(map(str, _alternatives(where[key]))) for key in parts if key in where]
    return Total(text(entry, "label", ", ".join(selected)), where, entry.get("of"), figures)


def _alternatives(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]

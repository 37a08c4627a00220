"""An answer proved by the engine: for the benchmarks that certify what they find."""

from __future__ import annotations

import tempfile
from typing import Any

import skolemate
from skolemate import Answer
from skolemate.strategies import Report

__all__ = ["nodes_of"]


def nodes_of(answer: Answer, **options: Any) -> int:
    """The number of nodes of a strategy that the checker accepts; raises Unfinished."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/strategy.jsonl"
        skolemate.prove(answer, file, engine="search", **options)
        report: Report = skolemate.check(file)
    assert report.holds, (answer.game, report)
    return report.nodes

"""Keeping a match: saved to go on later, or as evidence when a claim was wrong."""

from __future__ import annotations

import os
import tempfile
from pathlib import PurePath
from typing import Any

from skolemate.errors import UserError, brief
from skolemate.formats import is_hex, to_record, to_sgf
from skolemate.games.game import Player
from skolemate.output import write_text
from skolemate.play.match import Match

__all__ = ["entries", "report_defect", "save"]

SUFFIXES = (".sgf", ".json")


def entries(match: Match, human: Player) -> dict[str, Any]:
    """What a record says besides game and moves; keys are never missing."""
    claim = match.claim
    return {
        "human": human.value,
        "over": match.over,
        "winner": match.winner.value if match.winner else None,
        "result": match.result,
        "claim": None
        if claim is None
        else {"player": claim.player.value, "by_ply": claim.by_ply, "source": claim.source},
    }


def save(match: Match, human: Player, path: str) -> str:
    """Write a match, Hex as SGF and other games as JSON unless the suffix says so; where it is."""
    suffix = PurePath(path).suffix.lower()
    if not suffix:
        suffix = ".sgf" if is_hex(match.game) else ".json"
        path += suffix
    if suffix not in SUFFIXES:
        raise UserError(f"a game is saved as {' or '.join(SUFFIXES)}, not as {brief(suffix)}")
    game = match.game
    write_text(path, to_sgf(game) if suffix == ".sgf" else to_record(game, **entries(match, human)))
    return path


def report_defect(match: Match, human: Player, what: str) -> str:
    """Write the record of a game that contradicts a proof to a new file; where it is."""
    handle, path = tempfile.mkstemp(prefix="skolemate-defect-", suffix=".json")
    os.close(handle)
    write_text(path, to_record(match.game, defect=what, **entries(match, human)))
    return path

"""Reading TOML tables with care: every mistake is named, with what would be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skolemate.errors import UserError, brief, suggestion

__all__ = ["choice", "flag", "listed", "refuse_unknown", "table", "text"]

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

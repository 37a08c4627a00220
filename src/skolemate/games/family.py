"""Families: games by name and parameters, `harary(shape=tippy, width=5, height=5)`.

A family is a plain function from parameters to a game, registered by a decorator; its signature
is the list of parameters, its docstring the description. Besides its own, every family takes
`black`, `white` (more stones), `first` (who begins) and `moves` (played from there).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

from skolemate.errors import UserError, brief, suggestion
from skolemate.games.game import Game, Player, with_argument
from skolemate.games.polyomino import Shape
from skolemate.registry import Registry

__all__ = ["FAMILIES", "Family", "apply_setup", "build", "family", "split_name"]

SETUP = ("black", "white", "first", "moves")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a family, and how its value is read and written."""

    name: str
    kind: type
    default: Any  # inspect.Parameter.empty when the parameter must be given

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    def parse(self, text: str) -> Any:
        if self.kind is int:
            if not re.fullmatch(r"-?[0-9]{1,9}", text):
                raise UserError(f"{self.name} must be a whole number, not {brief(text)}")
            return int(text)
        if self.kind is bool:
            if text.lower() not in ("true", "false"):
                raise UserError(f"{self.name} must be true or false, not {brief(text)}")
            return text.lower() == "true"
        if self.kind is Shape:
            return Shape.parse(text)
        return text.lower()

    def format(self, value: Any) -> str:
        return str(value).lower() if self.kind is bool else str(value)

    def is_switch(self) -> bool:
        """Switches are left out of a game's name while they have their default."""
        return self.kind in (bool, str)


@dataclass(frozen=True)
class Family:
    """A registered family of games."""

    name: str
    make: Callable[..., Game]
    parameters: tuple[Parameter, ...]
    summary: str
    examples: tuple[str, ...]

    def __call__(self, **values: Any) -> Game:
        """The game with these parameters, named by them."""
        full = {p.name: values.get(p.name, p.default) for p in self.parameters}
        return self.make(**full).renamed(self.name_of(full))

    def name_of(self, values: Mapping[str, Any]) -> str:
        shown = [p for p in self.parameters if not (p.is_switch() and values[p.name] == p.default)]
        if len(shown) == 1 and shown[0].required:
            return f"{self.name}({shown[0].format(values[shown[0].name])})"
        listed = ", ".join(f"{p.name}={p.format(values[p.name])}" for p in shown)
        return f"{self.name}({listed})" if listed else self.name

    def parse(self, arguments: list[tuple[str | None, str]]) -> dict[str, Any]:
        """The values in an argument list; unnamed ones fill the parameters in order."""
        known = {p.name: p for p in self.parameters}
        values: dict[str, Any] = {}
        for place, (key, text) in enumerate(arguments):
            if key is None:
                if place >= len(self.parameters):
                    raise UserError(f"{self.name} takes at most {len(self.parameters)} parameters")
                key = self.parameters[place].name
            if key not in known:
                choices = suggestion(key, [*known, *SETUP])
                raise UserError(f"{self.name} has no parameter {brief(key)}: {choices}")
            if key in values:
                raise UserError(f"parameter {key} is given twice")
            values[key] = known[key].parse(text)
        missing = [p.name for p in self.parameters if p.required and p.name not in values]
        if missing:
            raise UserError(f"{self.name} needs {missing[0]}, as in {self.examples[0]}")
        return values


FAMILIES: Registry[Family] = Registry("game", "skolemate.games.families")


Make = TypeVar("Make", bound=Callable[..., Game])


def family(name: str, *examples: str) -> Callable[[Make], Make]:
    """Register a function as a family of games."""

    def register(make: Make) -> Make:
        hints = get_type_hints(make)
        parameters = tuple(
            Parameter(p.name, hints[p.name], p.default)
            for p in inspect.signature(make).parameters.values()
        )
        summary = (make.__doc__ or "").strip().split("\n")[0]
        FAMILIES.add(name, Family(name, make, parameters, summary, examples or (name,)))
        return make

    return register


def split_name(text: str) -> tuple[str, list[tuple[str | None, str]]]:
    """A game string taken apart: name and arguments.

    >>> split_name("hein(9, moves=c3 b2)")
    ('hein', [(None, '9'), ('moves', 'c3 b2')])
    """
    match = re.fullmatch(r"\s*([^()\s][^()]*?)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if not match:
        raise UserError(
            f"{brief(text)} is not a game; write a name, as in hex(size=4), or name a file"
        )
    name, listed = match.groups()
    arguments: list[tuple[str | None, str]] = []
    # A comma ends an argument unless it is inside parentheses: moves may be written a(1,2).
    for part in re.findall(r"(?:[^,()]|\([^()]*\))+", listed or ""):
        key, equals, value = part.partition("=")
        key, value = (key.strip().lower(), value.strip()) if equals else (None, part.strip())
        if not value and key not in SETUP:
            raise UserError(f"an argument of {name} is empty in {brief(text)}")
        arguments.append((key, value))
    return name, arguments


def build(text: str) -> Game:
    """The game that a string names.

    >>> str(build("hex(4)"))
    'hex(size=4)'
    """
    name, arguments = split_name(text)
    found = FAMILIES[name.lower()]
    own = [(key, value) for key, value in arguments if key not in SETUP]
    try:
        game = found(**found.parse(own))
    except UserError as error:
        raise UserError(f"{name}: {error}" if name not in str(error) else str(error)) from None
    return apply_setup(game, arguments)


def apply_setup(game: Game, arguments: list[tuple[str | None, str]]) -> Game:
    """Add stones, choose who begins, and play moves, as an argument list says."""
    setup: dict[str, str] = {}
    for key, value in arguments:
        if key in SETUP:
            if key in setup:
                raise UserError(f"parameter {key} is given twice")
            setup[key] = value
    moves = setup.pop("moves", "")
    if setup:
        word = setup.get("first", "").lower()
        if word not in ("", "black", "white"):
            raise UserError(f"first must be black or white, not {brief(word)}")
        first = Player(word) if word else None
        game = game.set_up(setup.get("black", ""), setup.get("white", ""), first)
        for key in SETUP:
            if key in setup:
                words = " ".join(setup[key].lower().split())
                game = game.renamed(with_argument(game.name, f"{key}={words}"))
    return game.after(game.parse_moves(moves)) if moves else game

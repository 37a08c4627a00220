"""Families: games by name and parameters, `harary(shape=tippy, width=5, height=5)`.

A family is a plain function from parameters to a game, registered by a decorator; its signature
is the list of parameters, its docstring the description. Besides its own, every family takes
`black`, `white` (more stones), `first` (who begins), `moves` (played from there) and
`random_moves` (so many more, chosen by `seed`).
"""

import inspect
import re
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from skolemate.errors import UserError, brief, suggestion
from skolemate.games.drawing import BLACK, WHITE, Drawing
from skolemate.games.game import Game, Player, with_argument
from skolemate.games.goals import SHAPES, Shapes
from skolemate.output import amount
from skolemate.registry import Registry

SETUP = ("black", "white", "first", "moves", "random_moves", "seed")

_PLAIN = re.compile(r"[\w+-]+(\.[\w+-]+)+", re.ASCII)  # no family has a dot in its name
_QUOTED = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?=\(|\Z)""")


KINDS = {int: "whole number", bool: "true or false", Shapes: "polyominoes", Drawing: "drawn board"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a family, and how its value is read and written."""

    name: str
    kind: Any  # one of KINDS, or a Literal of words
    default: Any  # inspect.Parameter.empty when the parameter must be given

    @classmethod
    def of(cls, name: str, kind: Any, default: Any) -> "Parameter":
        """A parameter as a signature has it; one that may be left out has the default None."""
        if NoneType in get_args(kind):
            (kind,) = (each for each in get_args(kind) if each is not NoneType)
        return cls(name, kind, default)

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def choices(self) -> tuple[str, ...]:
        """The words it can be, if it is a word."""
        return get_args(self.kind)

    @property
    def kind_name(self) -> str:
        """What it can be, in words."""
        if self.choices:
            return " or ".join(self.choices)
        return KINDS[self.kind]

    def as_json(self) -> dict[str, Any]:
        """Plain data. `choices` are the values that have names; polyominoes may also be spelt."""
        plain = isinstance(self.default, int | bool | None)
        default = None if self.required else self.default if plain else self.format(self.default)
        choices = SHAPES if self.kind is Shapes else self.choices
        return {
            "name": self.name,
            "kind": self.kind_name,
            "default": default,
            "required": self.required,
            "choices": list(choices),
        }

    def parse(self, value: Any) -> Any:
        """Read a value from text; values of the right type pass through."""
        if self.kind is int and not isinstance(value, bool) and isinstance(value, int):
            return value
        if self.kind in (bool, Shapes, Drawing) and isinstance(value, self.kind):
            return value
        text = str(value)
        if self.kind is int:
            if not re.fullmatch(r"-?[0-9]{1,9}", text):
                raise UserError(f"{self.name} must be a whole number, not {brief(text)}")
            return int(text)
        if self.kind is bool:
            if text.lower() not in ("true", "false"):
                raise UserError(f"{self.name} must be true or false, not {brief(text)}")
            return text.lower() == "true"
        if self.kind in (Shapes, Drawing):
            return self.kind.parse(text)
        if text.lower() not in self.choices:
            near = suggestion(text[:40], self.choices)
            raise UserError(f"unknown {self.name} {brief(text)}: {near}")
        return text.lower()

    def format(self, value: Any) -> str:
        return str(value).lower() if self.kind is bool else str(value)

    def is_switch(self) -> bool:
        """Switches are left out of a game's name while they have their default."""
        return self.kind is bool or bool(self.choices) or self.default is None


@dataclass(frozen=True)
class Family:
    """A registered family of games. `instead`: which parameters each one replaces, if given."""

    name: str
    make: Callable[..., Game]
    parameters: tuple[Parameter, ...]
    summary: str
    examples: tuple[str, ...]
    instead: Mapping[str, Sequence[str]]

    def __call__(self, **given: Any) -> Game:
        """The game with these parameters, named by them."""
        known = {p.name: p for p in self.parameters}
        for key in given:
            if key not in known:
                choices = suggestion(key, [*known, *SETUP])
                raise UserError(f"{self.name} has no parameter {brief(key)}: {choices}")
        for name, parameter in known.items():
            if parameter.required and name not in given:
                raise UserError(f"{self.name} needs {name}, as in {self.examples[0]}")
        for name, others in self.instead.items():
            for other in others if name in given else ():
                if other in given:
                    raise UserError(f"{name} and {other} cannot be combined: leave one out")
        values = {
            name: parameter.parse(given[name]) if name in given else parameter.default
            for name, parameter in known.items()
        }
        game = self.make(**values)
        for drawn in values.values():
            if isinstance(drawn, Drawing):
                game = game.set_up(drawn.named(BLACK), drawn.named(WHITE), None)
        return game.renamed(self.name_of(values))

    def as_json(self) -> dict[str, Any]:
        """Plain data about the family."""
        return {
            "name": self.name,
            "summary": self.summary,
            "parameters": [parameter.as_json() for parameter in self.parameters],
            "examples": list(self.examples),
            "instead": {name: list(others) for name, others in self.instead.items()},
        }

    def name_of(self, values: Mapping[str, Any]) -> str:
        replaced = {o for name, others in self.instead.items() if values[name] for o in others}
        shown = [
            p
            for p in self.parameters
            if not (p.is_switch() and values[p.name] == p.default) and p.name not in replaced
        ]
        if len(shown) == 1 and shown[0].required:
            return f"{self.name}({shown[0].format(values[shown[0].name])})"
        listed = ", ".join(f"{p.name}={p.format(values[p.name])}" for p in shown)
        return f"{self.name}({listed})" if listed else self.name

    def own(self, arguments: Sequence[tuple[str | None, str]]) -> list[tuple[str | None, str]]:
        """The arguments for the family itself, which may have a seed, too."""
        names = {parameter.name for parameter in self.parameters}
        return [(key, text) for key, text in arguments if key not in SETUP or key in names]

    def named(self, arguments: list[tuple[str | None, str]]) -> dict[str, str]:
        """An argument list by name; unnamed ones come first and fill the parameters in order."""
        values: dict[str, str] = {}
        for place, (key, text) in enumerate(arguments):
            if key is None:
                if place >= len(self.parameters):
                    most = amount(len(self.parameters), "parameter")
                    taken = f"at most {most}" if self.parameters else "no parameters"
                    raise UserError(f"{self.name} takes {taken}")
                key = self.parameters[place].name
            if key in values:
                raise UserError(f"parameter {key} is given twice")
            values[key] = text
        return values


FAMILIES: Registry[Family] = Registry("game", "skolemate.games.families", Family)


Make = TypeVar("Make", bound=Callable[..., Game])


def family(
    name: str, *examples: str, instead: Mapping[str, Sequence[str]] | None = None
) -> Callable[[Make], Make]:
    """Register a function as a family of games.

    - `instead`: for a parameter, the names of those that it replaces, such as `width` by `board`.
    """

    def register(make: Make) -> Make:
        hints = get_type_hints(make)
        parameters = tuple(
            Parameter.of(p.name, hints[p.name], p.default)
            for p in inspect.signature(make).parameters.values()
        )
        summary = (make.__doc__ or "").strip().split("\n")[0]
        made = Family(name, make, parameters, summary, examples or (name,), instead or {})
        FAMILIES.add(name, made)
        return make

    return register


def split_name(text: str) -> tuple[str, list[tuple[str | None, str]]]:
    """A game string taken apart: name and arguments.

    >>> split_name("hein(9, moves=c3 b2)")
    ('hein', [(None, '9'), ('moves', 'c3 b2')])
    """
    name, parenthesis, rest = text.strip().partition("(")
    name = name.rstrip()
    if not name or ")" in name or (parenthesis and not rest.endswith(")")):
        raise UserError(f"{brief(text)} is not a game; {_what_to_write(text)}")
    inside = rest[:-1].strip()
    arguments: list[tuple[str | None, str]] = []
    for part in _parts(inside, text) if inside else ():
        key, equals, value = part.partition("=")
        pair = (key.strip().lower(), value.strip()) if equals else (None, part.strip())
        if not pair[1] or pair[0] == "":
            raise UserError(f"an argument of {brief(name)} is empty in {brief(text)}")
        if pair[0] is None and arguments and arguments[-1][0] is not None:
            raise UserError(
                f"{brief(pair[1])} in {brief(text)} has no name; moves and stones are separated "
                "by blanks, not commas"
            )
        arguments.append(pair)
    return name, arguments


def _what_to_write(text: str) -> str:
    """How to mend a game string whose parentheses do not match."""
    whole, opened, closed = text.strip(), text.count("("), text.count(")")
    if opened == closed + 1 and not whole.endswith("("):
        return f"the closing parenthesis is missing: {brief(whole + ')', 200)}"
    if whole.startswith("("):
        return "write a name before the parenthesis, as in hex(size=4)"
    if opened < closed:
        return "a parenthesis is closed that was not opened; write a name, as in hex(size=4)"
    if opened and opened == closed:
        behind = whole.rpartition(")")[2].strip()
        return (
            f"{brief(behind)} comes after the closing parenthesis; put it inside, or leave it out"
        )
    return "write a name, as in hex(size=4), or name a file"


def _parts(inside: str, text: str) -> list[str]:
    """Cut at commas outside parentheses: moves may be written a(1,2)."""
    parts, depth = [""], 0
    for character in inside:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    if depth:
        raise UserError(f"{brief(text)} is not a game; {_what_to_write(text)}")
    return parts


def build(text: str) -> Game:
    """The game that a string names.

    >>> str(build("hex(4)"))
    'hex(size=4)'
    """
    name, arguments = split_name(text)
    chosen = FAMILIES[name]
    own = chosen.own(arguments)
    try:
        game = chosen(**chosen.named(own))
    except UserError as error:
        raise UserError(f"{name}: {error}" if name not in str(error) else str(error)) from None
    return apply_setup(game, arguments, seeded=any(key == "seed" for key, _ in own))


def built(text: str) -> Game | None:
    """The game that a string names, or None if it names none."""
    try:
        return build(text)
    except UserError:
        return None


def name_of_file(file: str) -> str:
    """The name of a game read from a file: the file's, quoted unless it is a word with a suffix.

    So it is never mistaken for a game of a family. `file_in` reads it.

    >>> name_of_file("left.pg"), name_of_file("my game.pg"), name_of_file("hex(size=11)")
    ('left.pg', "'my game.pg'", "'./hex(size=11)'")
    """
    if _PLAIN.fullmatch(file):
        return file
    return repr(f"./{file}" if file.partition("(")[0] in FAMILIES else file)


def file_in(name: str) -> tuple[str, str] | None:
    """The file in a quoted name, and the text after it; None if the name is not quoted.

    >>> file_in("'my game.pg'(moves=b2)")
    ('my game.pg', '(moves=b2)')
    """
    quoted = _QUOTED.match(name)
    try:
        return (literal_eval(quoted[0]), name[quoted.end() :]) if quoted else None
    except (SyntaxError, ValueError):  # an escape that means nothing
        return None


def apply_setup(game: Game, arguments: list[tuple[str | None, str]], seeded: bool = False) -> Game:
    """Add stones, choose who begins, and play moves, as an argument list says.

    `seeded`: the game has used the seed already.
    """
    setup: dict[str, str] = {}
    for key, value in arguments:
        if key in SETUP:
            if key in setup:
                raise UserError(f"parameter {key} is given twice")
            setup[key] = value
    moves, seed = setup.pop("moves", ""), setup.pop("seed", None)
    number = setup.pop("random_moves", None)
    if seed is not None and number is None and not seeded:
        raise UserError("seed goes with random_moves, as in random_moves=6, seed=1")
    if setup:
        first = Player(setup["first"]) if "first" in setup else None
        game = game.set_up(setup.get("black", ""), setup.get("white", ""), first)
        for key in SETUP:
            if key in setup:
                words = " ".join(setup[key].lower().split())
                game = game.renamed(with_argument(game.name, f"{key}={words}"))
    game = game.after(moves) if moves else game
    if number is None:
        return game
    from skolemate.games.chance import random_moves

    return game.after(
        random_moves(game, _count("random_moves", number), _count("seed", seed or "1"))
    )


def _count(name: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise UserError(f"{name} must be a whole number from 0 up, not {brief(text)}")
    return int(text)

"""Encodings: registered functions from a question to a formula, and from assignments to moves.

`Encoded` is a formula with its decoders; its `Script` leads from a game to assignments, for
certificates. `write_formula` saves a formula with a description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from importlib.metadata import version
from os import fspath
from pathlib import PurePath
from typing import Any

from skolemate.errors import MissingView, UserError, brief
from skolemate.formula import FALSE, TRUE, Circuit, Formula, Sizes
from skolemate.formula.files import packed
from skolemate.formula.passes import as_circuit, compacted, tseitin
from skolemate.formula.qcir import to_qcir
from skolemate.formula.qdimacs import to_qdimacs
from skolemate.games.game import Move, Player, Position, Question
from skolemate.output import File, write_bytes, write_text
from skolemate.registry import Registry
from skolemate.strategies.nodes import Pairs

# --- scripts --------------------------------------------------------------------------------------
# A script gives, for every ply, the variables that show a move and those that make one: the way
# from games to assignments (decoding is the way back). Certificates use it: they recognise the
# opponent's moves by their variables, and set the variables of the owner's moves. All other
# variables (boards, counters, flags, gates) follow by the clauses.


Cube = tuple[int, ...]  # a conjunction of literals, without constants


@dataclass(frozen=True)
class Premise:
    """A cell has a stone of `owner`, or is open (None); or, if `negated`, not so."""

    cell: int
    owner: Player | None
    negated: bool = False


@dataclass(frozen=True)
class GoalCase:
    """A goal at a place: the cube that names it, and its premises, some perhaps constant."""

    name: Cube
    premises: tuple[Premise | bool, ...]


class Duty(Enum):
    """Whether a player must place a stone on an open cell even after the end of the game."""

    NONE = "no"
    IN_TURN = "to the end of the turn in which it ended"
    ALWAYS = "as long as there are plies"


@dataclass(frozen=True)
class ScriptedPly:
    """The variables of one ply. Moves that they cannot express are missing.

    `seen`: the literals by which a move is recognised; `chosen`: those that make it. If no move is
    seen, or an illegal one, the formula treats that as a pass, as cheating, or as another move. The
    strategy may then assume any legal move: that is never better for its owner. If the ply
    is `strict`, White has lost then; if it is also `replaced`, only if he has no legal move with
    literals: else ∃ makes one for him. If Black's win is `foreseen`, he has won if he can win in
    this turn. Nobody moves any more after that.
    """

    player: Player
    seen: Mapping[Move, Cube]
    chosen: Mapping[Move, Cube]
    running: int | None = None  # true while the game is not over before the ply
    stop: int | None = None  # true if the player has won by this ply
    shown: Mapping[Move, Cube] = field(default_factory=dict)  # other literals of ∃ about the move
    kept: Mapping[Move, Cube] = field(default_factory=dict)  # true from the player's move on
    idle: Cube = ()  # other variables that the player sets to false
    # How moves are seen on a board of these black and white stones, if that depends on it.
    seen_on: Callable[[int, int], Mapping[Move, Cube]] | None = None
    chosen_on: Callable[[int, int], Mapping[Move, Cube]] | None = None  # and how they are made
    shown_on: Callable[[int, int], Mapping[Move, Cube]] | None = None  # and how they are shown
    strict: bool = False
    replaced: bool = False
    foreseen: bool = False
    duty: Duty = Duty.NONE
    turn: int = 0  # the first ply of the turn; 0 if it does not matter
    # The other player's variables, where the position decides whose ply it is.
    other: ScriptedPly | None = None
    # Literals of ∃ about White's move, each with the moves and premises that make it true.
    flags: Mapping[int, Sequence[tuple[Cube, Premise | bool]]] = field(default_factory=dict)
    # Literals of ∃ about the cell that ∀ chooses, after the ply, with what makes them true.
    after: Mapping[int, Sequence[tuple[Cube, Premise | bool]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Script:
    """The plies, and the cubes by which ∃ and ∀ name goals at the end, if they do.

    `failing[i]` is the cube by which ∃ says that premise i of White's claimed goal fails. `claims`
    are variables by which ∃ may end the game early; with all of them false, he plays on.
    """

    plies: Sequence[ScriptedPly] = ()
    goals: Mapping[Player, Sequence[GoalCase]] = field(default_factory=dict)
    failing: Sequence[Cube] = ()
    claims: Sequence[int] = ()


def cube(literals: Iterable[int]) -> Cube | None:
    """Literals without constants; None if they are never all true.

    >>> cube([3, TRUE, -4]), cube([3, FALSE])
    ((3, -4), None)
    """
    listed = [int(literal) for literal in literals]
    if int(FALSE) in listed:
        return None
    return tuple(literal for literal in listed if literal != int(TRUE))


# --- encodings ------------------------------------------------------------------------------------


Assignment = Mapping[int, bool]  # values of variables; one that is missing is free

Refusal = Callable[[Question], str | None]


class Proof(Enum):
    """What the truth value of a formula proves about the question's player."""

    WIN = "a win within the depth"
    NO_WIN = "no win within the depth"
    NEVER = "no win at any depth"
    NOTHING = "nothing"


class Meaning(Enum):
    """What true and false prove, in this order. The last two are one-sided."""

    EXACT = (Proof.WIN, Proof.NO_WIN)
    WIN_IF_TRUE = (Proof.WIN, Proof.NOTHING)
    BLOCK_IF_TRUE = (Proof.NEVER, Proof.NOTHING)

    def proof(self, truth: bool) -> Proof:
        """
        >>> Meaning.WIN_IF_TRUE.proof(False)
        <Proof.NOTHING: 'nothing'>
        """
        when_true, when_false = self.value
        return when_true if truth else when_false


@dataclass(frozen=True)
class Encoded:
    """A formula that states a question, and the decoders of its assignments.

    `question` is normalised, for Black; `asked` is the original one. `decode` reads a first move
    from the outermost block: Black's winning move or, if truth proves a block, White's blocking
    move; None if it is the other player's turn. The move is always legal, and right if the
    assignment is. `decode_play` reads a whole game from a full assignment, `decode_pairs` the pairs
    within which White answers afterwards, if the formula has pairs. All use the numbers of
    variables that `stated` and `formula` share.
    """

    question: Question
    encoding: Encoding
    stated: Formula | Circuit
    decode: Callable[[Assignment], Move | None]
    decode_play: Callable[[Assignment], list[Position]]
    asked: Question | None = None
    symmetry: bool = False  # whether first moves were to be restricted by symmetry
    restricted: bool = False  # whether that left out any first move
    preprocessed: str = ""  # the programs that have changed the formula since
    decode_pairs: Callable[[Assignment], Pairs] | None = None
    write_script: Callable[[], Script] | None = None

    @property
    def as_asked(self) -> Question:
        """The original question."""
        return self.asked or self.question

    @property
    def circuit(self) -> Circuit | None:
        """The circuit, if the encoding has built one."""
        return self.stated if isinstance(self.stated, Circuit) else None

    @cached_property
    def formula(self) -> Formula:
        """The question as clauses."""
        return tseitin(self.stated) if isinstance(self.stated, Circuit) else self.stated

    @cached_property
    def script(self) -> Script | None:
        """The way from a game to its variables, computed on first use."""
        return None if self.write_script is None else self.write_script()

    def as_json(self) -> dict[str, Any]:
        """Plain data: how the question is stated, and the sizes."""
        stated = {"encoding": self.encoding.name, "symmetry": self.symmetry}
        return stated | self.sizes.as_json()

    @property
    def symmetry_remark(self) -> str:
        """Whether symmetry was used and what it did, for the heads of files."""
        if not self.symmetry:
            return "symmetry: no"
        if not self.restricted:
            return "symmetry: yes, but it restricts no first move here"
        return "symmetry: yes, the first move is one of each class of symmetric ones"

    @property
    def sizes(self) -> Sizes:
        """The size of the formula in clauses, and how many gates it was made of."""
        gates = None if self.circuit is None else self.circuit.gate_count
        return replace(self.formula.sizes, gates=gates)


@dataclass(frozen=True)
class Encoding:
    """A published encoding: what it needs, where it comes from, and the function that builds it.

    `views` names the views of the game that it needs ("this or that" if one of two is enough);
    `refuses` gives any other reason why it cannot state a question; `meaning` is what the truth
    value of its formulas proves.
    """

    name: str
    summary: str
    paper: str
    views: tuple[str, ...]
    refuses: Refusal
    build: Build
    meaning: Meaning = Meaning.EXACT

    def as_json(self) -> dict[str, Any]:
        """Plain data about the encoding."""
        return {
            "name": self.name,
            "summary": self.summary,
            "views": list(self.views),
            "true": self.meaning.proof(True).name,
            "false": self.meaning.proof(False).name,
            "paper": self.paper,
        }

    def refusal(self, question: Question) -> str | None:
        """Why this encoding cannot state a normalised question; None if it can."""
        game = question.game
        for view in self.views:
            alternatives = view.split(" or ")
            if "hypergraph" in alternatives and game.offers("connection"):
                continue  # whether there are too many paths depends on the depth: see `encode`
            reasons = [game.lacks(alternative) for alternative in alternatives]
            if all(reasons):
                return f"it needs the {view} view: {'; '.join(filter(None, reasons))}"
        return self.refuses(question)


Build = Callable[[Encoding, Question, bool], Encoded]  # the flag: restrict the first move

ENCODINGS: Registry[Encoding] = Registry("encoding", "skolemate.encodings", Encoding)


def encoding(
    name: str,
    *,
    paper: str,
    views: tuple[str, ...],
    refuses: Refusal = lambda question: None,
    meaning: Meaning = Meaning.EXACT,
) -> Callable[[Build], Build]:
    """Register a function as an encoding; its docstring's first line is the summary."""

    def register(build: Build) -> Build:
        summary = (build.__doc__ or "").strip().split("\n")[0]
        ENCODINGS.add(name, Encoding(name, summary, paper, views, refuses, build, meaning))
        return build

    return register


class Unsupported(UserError):
    """A question that an encoding cannot state, with the encodings that can."""


def encode(question: Question, name: str, *, symmetry: bool = False) -> Encoded:
    """State a question as a formula.

    With `symmetry` the first move is restricted to one cell of each class of equivalent ones,
    which changes no answer; without it the formula is the paper's.
    """
    chosen = ENCODINGS[name]
    asked = question.normalised()
    if asked.game.breaker is Player.BLACK:
        raise Unsupported(
            f"{question.player} is the Breaker of {question.game}, and wins exactly if "
            f"{question.player.opponent} cannot win: ask for {question.player.opponent}"
        )
    reason, lacking = chosen.refusal(asked), ""
    if reason is None:
        try:
            encoded = chosen.build(chosen, asked, symmetry)
        except MissingView as missing:
            reason, lacking = f"it needs the {missing.view} view: {missing.reason}", missing.view
        else:
            return replace(encoded, asked=question, symmetry=symmetry)
    proves = chosen.meaning.proof(True)
    others = [e for e in ENCODINGS if e is not chosen and e.meaning.proof(True) is proves]
    possible = (e for e in others if lacking not in " or ".join(e.views).split(" or "))
    able = [e.name for e in possible if e.refusal(asked) is None]
    instead = f"use {' or '.join(able)}" if able else "no encoding can state this question yet"
    raise Unsupported(f"{chosen.name} cannot encode {question.game}: {reason}; {instead}")


# --- files ----------------------------------------------------------------------------------------


WORDS = ("true", "false")
QCIR_HEADERS = {"qcir": "#QCIR-14", "qcir-g14": "#QCIR-G14"}


def write_formula(
    encoded: Encoded, path: File, *, legend: bool = False, format: str | None = None
) -> None:
    """Write a formula to a file with a description of its question and variables.

    encoded: the formula, from `encode`; the same one gives the same bytes.
    path: the file; `-` is the standard output. With `.gz` at its end it is packed.
    legend: whether to list the name of every variable in comments.
    format: `qdimacs`, `qcir`, or `qcir-g14`, which differs from `qcir` in its first line; by
        default the suffix `.qdimacs` or `.qcir` decides; on the standard output it is QDIMACS.
    """
    path = fspath(path)
    bare = path.removesuffix(".gz")
    chosen = format or ("qdimacs" if path == "-" else PurePath(bare).suffix[1:].lower())
    if legend and encoded.preprocessed:
        raise UserError(
            "the variables of a preprocessed formula have no names: leave out the legend"
        )
    if chosen == "qdimacs":
        text = to_qdimacs(encoded.formula, _description(encoded, encoded.formula, legend))
    elif chosen in QCIR_HEADERS:
        clauses = compacted(encoded.formula).formula if encoded.preprocessed else encoded.formula
        circuit = encoded.circuit or as_circuit(clauses)
        text = to_qcir(circuit, _description(encoded, circuit, legend), QCIR_HEADERS[chosen])
    else:
        formats = "the suffix is .qdimacs or .qcir, also with .gz"
        raise UserError(f"cannot tell the format of {brief(path, 200)}; {formats}")
    if path.endswith(".gz"):
        write_bytes(path, packed(text.encode()))
    else:
        write_text(path, text)


def _description(encoded: Encoded, written: Formula | Circuit, legend: bool) -> Iterator[str]:
    """The comments of a file: version, question, encoding, and the groups of each block."""
    question = encoded.as_asked
    yield f"Skolemate {version('skolemate')}"
    yield f"question: {question}"
    for line in str(question.game.start).splitlines():
        yield f"| {line}"  # Bloqqer takes comments that begin with -- for options
    if question.player is Player.WHITE:
        yield "In the formula the colours are exchanged: black is the player who asks."
    yield f"encoding: {encoded.encoding.name} ({encoded.encoding.paper})"
    yield encoded.symmetry_remark
    meaning = encoded.encoding.meaning
    if meaning is not Meaning.EXACT:
        proofs = [f"{word} proves {meaning.proof(word == 'true').value}" for word in WORDS]
        yield f"This encoding is one-sided: {', '.join(proofs)}."
    if written.constant is not None:
        value = "true" if written.constant else "false"
        yield f"This question is decided: {value}. It has no variables and needs no solver."
    if encoded.preprocessed:
        yield f"preprocessed by {encoded.preprocessed}: not the encoding's own formula any more,"
        yield "but one with the same truth value; its variables have no names"
    for number, block in enumerate(written.prefix, 1):
        names = [] if encoded.preprocessed else written.legend.group_names(block.variables)
        kind = block.quantifier.name.lower()
        yield f"block {number}: {kind} {len(block.variables)} {', '.join(names)}"
    if legend:
        for variable, name in written.legend.names():
            yield f"{variable} {name}"

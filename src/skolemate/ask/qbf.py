"""Answering by formula and solver: encode, run a pipeline, read the move, and check it.

A winning first move is shown only after a second question, whether the position after it is won.
So a wrong or missing assignment costs time, but never gives a wrong move.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from skolemate.ask.method import Answer, Verdict, breakers_answer
from skolemate.encodings import ENCODINGS, Encoded, Meaning, Proof, encode
from skolemate.encodings.encoding import write_formula
from skolemate.errors import Disagreement, UserError
from skolemate.games.game import Move, Position, Question
from skolemate.limits import Budget, OutOfBudget, Reason
from skolemate.solvers import Pipeline, Solved
from skolemate.strategies import Claim, Node, Strategy
from skolemate.strategies.checker import Checker
from skolemate.strategies.claim import NotProved

# --- strategies from PAIRING ----------------------------------------------------------------------
# If Black is to move, the outermost block of the formula is his, and a solver prints no assignment.
# So the question is asked again after each of his moves, until pairs suffice.


MOST_FORMULAS = 3000  # solved for one strategy at most, in about half a minute

Solve = Callable[[Question], tuple[Encoded, Solved]]


class NoPlan(Exception):
    """A blocking strategy that the solvers do not tell, and why."""


def unfold(question: Question, solve: Solve) -> Strategy | None:
    """The strategy behind a true formula; None if solvers contradict themselves on the way."""
    game = question.game
    assert game.horizon is not None, "placing stones ends"
    unfolding = _Unfolding(question, solve, Claim(game, question.player, game.horizon, False))
    blocked = unfolding.blocked(game.start, (), question.depth)
    return Strategy(unfolding.claim, list(unfolding.nodes.values())) if blocked else None


@dataclass
class _Unfolding:
    """A strategy in the making. Only positions that are known to be blocked are in it."""

    question: Question
    solve: Solve
    claim: Claim
    nodes: dict[Position, Node] = field(default_factory=dict)  # children first
    asked: int = 0

    def blocked(self, position: Position, moves: tuple[Move, ...], plies: int) -> bool:
        """Extend the strategy by what is needed from a position on, so many plies before pairs."""
        player = self.question.player
        if position.winner is not None or not position.moves():
            return position.winner is not player
        if position in self.nodes:
            return True
        if position.to_move is not player and plies > 0:
            return self._answered(position, moves, plies)
        true = self._true(moves, 0)
        if true is not None:
            if not self._paired(position, moves, *true):
                raise NoPlan("the solver prints no valid pairs")
            return True
        if plies == 0 or not all(
            self.blocked(position.play(move), (*moves, move), plies - 1)
            for move in position.moves()
        ):
            return False
        self._keep(Node(position, self.claim.depth - len(moves)))
        return True

    def _answered(self, position: Position, moves: tuple[Move, ...], plies: int) -> bool:
        true = self._true(moves, plies)
        if true is None:
            return False
        encoded, outer = true
        for move in candidates(position, encoded.decode(outer)):
            after, path = position.play(move), (*moves, move)
            if self._paired(after, path, encoded, outer) or self.blocked(after, path, plies - 1):
                self._keep(Node(position, self.claim.depth - len(moves), move))
                return True
        return False

    def _paired(
        self,
        position: Position,
        moves: tuple[Move, ...],
        encoded: Encoded,
        outer: Mapping[int, bool],
    ) -> bool:
        """Whether the pairs that an assignment tells hold in a position: then they are kept."""
        if position.winner is not None or not position.moves():
            return False
        pairs = encoded.decode_pairs(outer) if encoded.decode_pairs is not None else ()
        free = tuple((a, b) for a, b in pairs if not position.occupied & (1 << a | 1 << b))
        node = Node(position, self.claim.depth - len(moves), pairs=free)
        try:
            Checker(self.claim).node(node)
        except NotProved:
            return False
        self._keep(node)
        return True

    def _keep(self, node: Node) -> None:
        self.nodes[node.position] = node

    def _true(
        self, moves: tuple[Move, ...], plies: int
    ) -> tuple[Encoded, Mapping[int, bool]] | None:
        """The formula after some moves with a solution of its outermost block, if it is true."""
        self.asked += 1
        if self.asked > MOST_FORMULAS:
            raise NoPlan("it has too many positions")
        game = self.question.game.after(moves) if moves else self.question.game
        encoded, solved = self.solve(Question(game, self.question.player, plies))
        if solved.reason is not None:
            raise NoPlan(solved.message or solved.reason.value)
        return (encoded, solved.outer) if solved.truth else None


def candidates(position: Position, told: Move | None) -> Iterator[Move]:
    """The legal moves, the solver's own first."""
    if told is not None:
        yield told
    yield from (move for move in position.moves() if move != told)


# --- the method -----------------------------------------------------------------------------------


# A question is stated by the first of these encodings that can, and solved by the first pipeline
# that is installed. Measured by `skolemate bench run defaults`: the figures are in docs/solvers.md,
# "Which one".
OTHERS = ("depqbf5", "qute", "rareqs")
CAQE = ("simplify+caqe", "caqe", "simplify+depqbf", "depqbf", *OTHERS)
DEPQBF = ("simplify+depqbf", "depqbf", "simplify+caqe", "caqe", *OTHERS)
BLOQQER = ("bloqqer+depqbf", "bloqqer+caqe", "depqbf", "caqe", *OTHERS)
DEFAULTS = {
    "mustplay": CAQE,  # Hex
    "en": CAQE,  # other games of paths
    "ea": DEPQBF,  # other Maker-Breaker games
    "threat": DEPQBF,  # other positional games, also in GDL
    "ground": CAQE,  # games in which stones fall or pieces move, GDL games with a list of rules
    "net": CAQE,  # other games in GDL
    "lifted": BLOQQER,  # such games on boards too large to be grounded
}
# The pipelines of encodings that are asked for by name.
NAMED = {"et": CAQE, "pairing": CAQE, "pairing-strong": CAQE, "reserves": CAQE}

PLAN = "reserves"  # is asked before `ground` in games that only fill; there DEPQBF is better
DEEP = 20  # plies, from which on a win is looked for in a quarter and in half of them first
PLANNED = 10  # plies, from which on PLAN is asked first where it can be

VERDICTS = {
    Proof.WIN: Verdict.WIN,
    Proof.NO_WIN: Verdict.NO_WIN,
    Proof.NEVER: Verdict.NO_WIN,
    Proof.NOTHING: Verdict.UNKNOWN,
}


@dataclass(frozen=True)
class Qbf:
    """The method: an encoding and a pipeline, both by default the best for the question.

    Without `moves` the answer has no winning first move, which saves the questions about them. With
    `symmetry`, or if no encoding is named, the formula has one first move of each class of
    symmetric ones. If no encoding is named, easier questions come before deep ones about grounded
    rules: `reserves`, which is one-sided, and fewer plies.
    """

    encoding: str | None = None
    pipeline: str | None = None
    all_moves: bool = False
    moves: bool = True
    symmetry: bool = False

    def __call__(self, question: Question, budget: Budget | None = None) -> Answer:
        """Answer by formula; with `all_moves` ask about every first move."""
        if question.game.breaker is question.player:
            ask = replace(self, all_moves=False)
            return breakers_answer(ask, "qbf", question, budget)
        budget = Budget.within(budget)
        encoding, pipeline = self.encoding, self.pipeline
        symmetry = self.symmetry or encoding is None  # whose formula it is need not be a paper's
        try:
            with budget.heeded():
                encoding = default_encoding(question) if encoding is None else encoding
                fills = _only_fills(encoding, question)
                pipeline = default_pipeline(encoding, fills) if pipeline is None else pipeline
                plan = Pipeline.parse(self.pipeline or default_pipeline(PLAN)) if fills else None
                run = _Run(question, encoding, Pipeline.parse(pipeline), symmetry, budget, plan)
                shallow = self.encoding is None and encoding == "ground" and not self.all_moves
                return run.answer(self.moves, self.all_moves, shallow)
        except OutOfBudget as out:  # while the formula was being built
            return Answer(
                *(question.game, question.player, question.depth, Verdict.UNKNOWN, "qbf"),
                reason=out.reason,
                encoding=encoding,
                pipeline=pipeline,
                symmetry=symmetry,
                wall_seconds=budget.wall_seconds,
            )

    def name(self, question: Question) -> str:
        """Pipeline and encoding in words, the default ones of the question included."""
        encoding = self.encoding or default_encoding(question)
        pipeline = self.pipeline or default_pipeline(encoding, _only_fills(encoding, question))
        return f"{pipeline} on {encoding}"

    def require(self) -> None:
        """Raise an error if a program of the pipeline is not installed."""
        if self.pipeline is not None:
            Pipeline.parse(self.pipeline).require()


@dataclass
class _Run:
    """One question being answered; adds up what its formulas cost."""

    question: Question
    encoding: str
    pipeline: Pipeline
    symmetry: bool
    budget: Budget
    plan: Pipeline | None  # where PLAN can state the question
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    notes: list[str] = field(default_factory=list)

    def answer(self, wants_moves: bool, all_moves: bool, shallow: bool) -> Answer:
        encoded, solved = self._solve_shallow() if shallow else self._solve(self.question)
        meaning = encoded.encoding.meaning
        proof = Proof.NOTHING if solved.truth is None else meaning.proof(solved.truth)
        verdict = VERDICTS[proof]
        moves, complete, blocking = None, False, None
        if proof is Proof.WIN and wants_moves:
            moves, complete = self._first_moves(encoded, solved, all_moves)
        if proof is Proof.NEVER:
            blocking = self._blocking(encoded)
        reason = solved.reason
        if verdict is Verdict.UNKNOWN and reason is None:
            reason = Reason.ONE_SIDED
        no_win = verdict is Verdict.NO_WIN
        every_depth = no_win and (proof is Proof.NEVER or self.question.reaches_horizon)
        return Answer(
            game=self.question.game,
            player=self.question.player,
            depth=self.question.depth,
            verdict=verdict,
            reason=reason,
            detail=solved.message or "; ".join([*solved.notes, *self.notes]) or None,
            refuted_depth=self.question.depth if no_win else None,
            every_depth=every_depth,
            first_move_numbers=moves,
            first_moves_complete=complete,
            blocking=blocking,
            method="qbf",
            encoding=encoded.encoding.name,
            pipeline=str(self.pipeline) if solved.truth is None else solved.by or None,
            symmetry=self.symmetry,
            wall_seconds=self.budget.wall_seconds,
            cpu_seconds=self.cpu_seconds,
            peak_bytes=self.peak_bytes or None,  # a short run may end before it is measured
        )

    def _solve_shallow(self) -> tuple[Encoded, Solved]:
        """Ask first for a win by a plan or within fewer plies: such formulas are far smaller."""
        depth = self.question.depth
        if depth >= PLANNED and self.plan is not None:
            by_default = self.encoding, self.pipeline
            self.encoding, self.pipeline = PLAN, self.plan
            encoded, solved = self._solve(self.question)
            if solved.truth is not False:
                return encoded, solved
            self.encoding, self.pipeline = by_default
        for fewer in (depth // 4, depth // 2) if depth >= DEEP else ():
            encoded, solved = self._solve(replace(self.question, depth=fewer))
            if solved.truth is not False:
                return encoded, solved
        return self._solve(self.question)

    def _solve(self, question: Question) -> tuple[Encoded, Solved]:
        whole = question.game is self.question.game  # not a question after a first move
        encoded = encode(question, self.encoding, symmetry=self.symmetry and whole)
        solved = self.pipeline.solve(encoded.stated, self.budget)
        self.cpu_seconds += solved.cpu_seconds
        self.peak_bytes = max(self.peak_bytes, solved.peak_bytes)
        return encoded, solved

    def _first_moves(
        self, encoded: Encoded, solved: Solved, all_moves: bool
    ) -> tuple[tuple[Move, ...] | None, bool]:
        """Winning first moves, each asked about; and whether these are all of them."""
        start = self.question.game.start
        if not self.question.has_first_moves:
            return None, False
        winning: list[Move] = []
        told = encoded.decode(solved.outer) if solved.outer else None
        for move in candidates(start, told):
            game, plies = self.question.game.after([move]), encoded.question.depth - 1
            after = Question(game, self.question.player, plies)
            try:
                rest = self._solve(after)[1]
            except OutOfBudget as out:
                rest = Solved(None, reason=out.reason)
            if rest.reason is not None:  # usually out of time: the moves so far are verified
                why = rest.message or rest.reason.value
                self.notes.append(f"not all first moves could be asked about: {why}")
                return tuple(winning) or None, False
            if rest.truth:
                winning.append(move)
                if not all_moves:
                    return (move,), len(start.moves()) == 1
        exact = ENCODINGS[self.encoding].meaning is Meaning.EXACT  # else other moves may win, too
        if not winning and exact:
            raise Disagreement(self._evidence(encoded, "none of the first moves wins"))
        if not winning:  # a one-sided encoding may not see after the move what it saw before
            self.encoding = default_encoding(self.question)
            return self._first_moves(encoded, solved, all_moves)
        return tuple(move for move in start.moves() if move in winning), exact

    def _blocking(self, encoded: Encoded) -> Strategy | None:
        """The strategy by which the opponent blocks; None, with a note, if it is untold."""
        try:
            blocking = unfold(self.question, self._solve)
        except (NoPlan, OutOfBudget) as untold:
            self.notes.append(f"the plan of {self.question.player.opponent} is not shown: {untold}")
            return None
        if blocking is None or not blocking.check().holds:
            raise Disagreement(self._evidence(encoded, "the opponent's answers do not block"))
        return blocking

    def _evidence(self, encoded: Encoded, but: str) -> str:
        folder = Path(tempfile.mkdtemp(prefix="skolemate-disagreement-"))
        write_formula(encoded, str(folder / "question.qdimacs"), legend=True)
        return (
            f"{self.pipeline} finds {encoded.encoding.name} true for {self.question}, but {but}; "
            f"the formula is in {folder}"
        )


def default_encoding(question: Question) -> str:
    """The best encoding that can state the question."""
    asked = question.normalised()
    able = (name for name in DEFAULTS if ENCODINGS[name].refusal(asked) is None)
    return next(able, list(DEFAULTS)[-1])  # the last one says why it cannot


def _only_fills(encoding: str, question: Question) -> bool:
    """Whether the encoding is `ground`, and moves of the game only fill the board."""
    if ENCODINGS[encoding].name != "ground":
        return False
    return ENCODINGS[PLAN].refusal(question.normalised()) is None


def default_pipeline(encoding: str, fills: bool = False) -> str:
    """The best pipeline for an encoding of which all programs are installed."""
    order = {**NAMED, **DEFAULTS}.get(ENCODINGS[encoding].name, DEPQBF)
    if fills:
        order = DEPQBF
    for name in order:
        pipeline = Pipeline.parse(name)
        if all(p.find() for p in (*pipeline.preprocessors, pipeline.solver)):
            return name
    install = Pipeline.parse("caqe").solver.install
    raise UserError(f"none of {', '.join(order)} is installed: {install}; or name another pipeline")


def has_solver() -> bool:
    """Whether formulas can be answered at all."""
    try:
        return bool(default_pipeline("mustplay"))
    except UserError:
        return False

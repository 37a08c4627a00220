"""Splitting: a question is divided by its first plies into parts, which are answered in parallel.

Every position after these plies is a question of its own, a part. The player needs one move that
wins against all replies, so most parts need not be asked. Symmetric positions and transpositions
are one part. A part without an answer matters only if the others do not decide the question.

The parts run in any executor of `concurrent.futures`: threads, processes, or a cluster.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from math import inf
from os import cpu_count
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from skolemate.ask.method import Answer, Method, Verdict
from skolemate.errors import UserError, brief
from skolemate.games import Game, Move, Permutation, Player, Position, Question
from skolemate.games.sensible import ranked
from skolemate.limits import Budget, Limit, OutOfBudget, Reason
from skolemate.output import temporary_folder
from skolemate.solvers import PROGRAMS
from skolemate.solvers.program import add_foreign
from skolemate.strategies.claim import Claim, packed, turned

# --- the tree of parts ----------------------------------------------------------------------------


LARGEST_GROUP = 400  # symmetries that positions are folded by; each costs time at every position


class Value(NamedTuple):
    """The final verdict of a node, and whether there is no win at any depth."""

    verdict: Verdict
    for_ever: bool = False


@dataclass(eq=False)
class PartNode:
    """A position in the tree; its leaves are the parts. Symmetric positions share a node."""

    position: Position
    left: int
    path: tuple[Move, ...]
    value: Value | None = None  # None: open
    children: dict[PartNode, list[Move]] = field(default_factory=dict)
    parents: list[PartNode] = field(default_factory=list)
    answer: Answer | None = None  # of a part


class Tree:
    """The first plies of a question, unfolded only where they matter."""

    def __init__(self, question: Question, plies: int, all_moves: bool) -> None:
        self._question, self._plies = question, plies
        self._claim = Claim(question.game, question.player, question.depth, True)
        found = question.game.symmetries
        self._turns: tuple[Permutation, ...] = found if len(found) <= LARGEST_GROUP else ()
        self._nodes: dict[tuple[int, int], PartNode] = {}
        self._refuting: Counter[Move] = Counter()  # replies that have refuted a move
        self.taken: set[PartNode] = set()  # parts that were started
        self.spent: list[Answer] = []  # all answers, for the sum of their costs
        self.root = self._node(question.game.start, question.depth, ())
        self._all_moves = all_moves and self._mine(self.root)

    def question(self, node: PartNode) -> Question:
        """The question of a part."""
        game = self._question.game
        after = game.after(node.path) if node.path else game
        return Question(after, self._question.player, node.left)

    def next_part(self) -> PartNode | None:
        """The next part to start; None if there is none.

        Until a move has survived one reply, only one reply to it is tried at a time: if that
        refutes the move, work on other replies would be wasted, while other moves have to be tried
        in any case. Several are tried at once only if nothing else is left to do.
        """
        part = self._open_part(self.root, patient=True) or self._open_part(self.root)
        if part is not None:
            self.taken.add(part)
        return part

    def _open_part(self, node: PartNode, patient: bool = False) -> PartNode | None:
        if node.value is not None:
            return None
        if len(node.path) == self._plies:
            return None if node in self.taken else node
        if not node.children:
            self._unfold(node)
        if patient and not self._mine(node) and self._is_being_tried(node):
            return None
        for child in node.children:
            part = self._open_part(child, patient)
            if part is not None or node.value is not None:  # the rules may decide on the way
                return part if node.value is None else None
        return None

    def _is_being_tried(self, node: PartNode) -> bool:
        """Whether a part below a move is running while the move has survived no reply yet."""
        survived = any(child.value is not None for child in node.children)
        return not survived and any(self._is_under_way(child) for child in node.children)

    def _is_under_way(self, node: PartNode) -> bool:
        if node.value is not None:
            return False
        return node in self.taken or any(self._is_under_way(child) for child in node.children)

    def note(self, node: PartNode, answer: Answer, withdrawn: bool = False) -> None:
        """Enter the answer of a part; a withdrawn part may be started again later."""
        self.spent.append(answer)
        if withdrawn and answer.reason is Reason.CANCELLED:
            self.taken.discard(node)
        elif node.value is None:
            node.answer = answer
            self._decide(node, Value(answer.verdict, answer.every_depth))

    def matters(self, node: PartNode) -> bool:
        """Whether the value of an open node can change that of the root."""
        if node.value is not None:
            return False
        return node is self.root or any(self.matters(parent) for parent in node.parents)

    def _mine(self, node: PartNode) -> bool:
        return node.position.to_move is self._question.player

    def _node(self, position: Position, left: int, path: tuple[Move, ...]) -> PartNode:
        """The node for a position or for a symmetric one."""
        images = (packed(turned(position, turn)) for turn in self._turns)
        key = min(images, default=packed(position)), left
        if key not in self._nodes:
            self._nodes[key] = PartNode(position, left, path, self._by_rules(position, left))
        return self._nodes[key]

    def _by_rules(self, position: Position, left: int) -> Value | None:
        plies = self._claim.plies_by_rules(position)
        if plies is None:
            return None if left > 0 else Value(Verdict.NO_WIN)
        return Value(Verdict.WIN) if plies <= left else Value(Verdict.NO_WIN, plies == inf)

    def _unfold(self, node: PartNode) -> None:
        """Add the children: moves that have refuted many others first, then sensible ones."""
        position = node.position
        moves = list(ranked(position))
        if not self._mine(node):
            moves.sort(key=lambda move: -self._refuting[move])
        for move in moves:
            child = self._node(
                position.game.result(position, move), node.left - 1, (*node.path, move)
            )
            if child not in node.children:
                child.parents.append(node)
            node.children.setdefault(child, []).append(move)
        self._settle(node)

    def _decide(self, node: PartNode, value: Value) -> None:
        node.value = value
        for parent in node.parents:
            if parent.value is None:
                if value.verdict is Verdict.NO_WIN and not self._mine(parent):
                    self._refuting[parent.children[node][0]] += 1
                self._settle(parent)

    def _settle(self, node: PartNode) -> None:
        """Decide a node if its children do."""
        values = [child.value for child in node.children]
        if node is self.root and self._all_moves and None in values:
            return
        value = self._combined(values, self._mine(node))
        if value is not None:
            self._decide(node, value)

    def _combined(self, values: list[Value | None], mine: bool) -> Value | None:
        """One win is enough on the player's turn, one refutation on the opponent's."""
        enough, other = Verdict.WIN, Verdict.NO_WIN
        if not mine:
            enough, other = other, enough
        known = [value for value in values if value is not None]
        deciding = [value for value in known if value.verdict is enough]
        if deciding:
            return Value(enough, any(value.for_ever for value in deciding))
        if len(known) < len(values):
            return None
        if any(value.verdict is Verdict.UNKNOWN for value in known):
            return Value(Verdict.UNKNOWN)
        return Value(other, all(value.for_ever for value in known))

    def answer(self, stopped: Reason | None, budget: Budget) -> Answer:
        """The answer to the whole question from those of the parts."""
        value, reason, details = self.root.value, None, []
        if value is None:  # stopped; with `all_moves` a win may be known
            known = [child.value for child in self.root.children]
            value = self._combined(known, self._mine(self.root)) or Value(Verdict.UNKNOWN)
        if value.verdict is Verdict.UNKNOWN:
            missing = list(self._missing(self.root))
            reasons = [part.reason for part in missing if part.reason is not None]
            # That a one-sided method proves nothing is the least interesting reason.
            reason = stopped or min(reasons, key=lambda why: why is Reason.ONE_SIDED)
            details = list(dict.fromkeys(part.detail for part in missing if part.detail))
        no_win = value.verdict is Verdict.NO_WIN
        moves, complete = self._first_moves(value)
        if self._all_moves and moves and not complete:
            details = [f"not all first moves could be asked about: {self._why(stopped)}"]
        parts = [part.answer for part in self._nodes.values() if part.answer is not None]
        return Answer(
            self._question.game,
            self._question.player,
            self._question.depth,
            value.verdict,
            method="split",
            reason=reason,
            detail="; ".join(details) or None,
            refuted_depth=self._question.depth if no_win else None,
            every_depth=no_win and (value.for_ever or self._question.reaches_horizon),
            first_move_numbers=moves,
            first_moves_complete=complete,
            encoding=_names(part.encoding for part in parts),
            pipeline=_names(part.pipeline for part in parts),
            symmetry=next((part.symmetry for part in parts if part.symmetry is not None), None),
        ).costing(budget.wall_seconds, self.spent)

    def _missing(self, node: PartNode) -> Iterator[Answer]:
        """The unanswered parts because of which a node is unknown."""
        if node.answer is not None:
            yield node.answer
        for child in node.children:
            if child.value is not None and child.value.verdict is Verdict.UNKNOWN:
                yield from self._missing(child)

    def _why(self, stopped: Reason | None) -> str:
        reasons = [part.reason for part in self._missing(self.root)]
        return next(reason.value for reason in (stopped, *reasons) if reason is not None)

    def _first_moves(self, value: Value) -> tuple[tuple[Move, ...] | None, bool]:
        """Winning first moves, with symmetric ones if all are wanted; and whether these are all."""
        children = self.root.children
        if value.verdict is not Verdict.WIN or not self._mine(self.root) or not children:
            return None, False
        winning = [
            moves
            for child, moves in children.items()
            if child.value is not None and child.value.verdict is Verdict.WIN
        ]
        if not self._all_moves:
            return (winning[0][0],), sum(map(len, children.values())) == 1
        unknown = any(c.value is None or c.value.verdict is Verdict.UNKNOWN for c in children)
        found = {move for moves in winning for move in moves}
        return tuple(m for m in self.root.position.moves() if m in found), not unknown


def _names(names: Iterable[str | None]) -> str | None:
    """The names without None, each once."""
    return ",".join(sorted({name for name in names if name is not None})) or None


# --- splitting ------------------------------------------------------------------------------------


Parts = dict[tuple[int, int], Answer]  # by position and depth

PAUSE = 0.05  # seconds between two checks of the time limit and of the user's wish to stop


@dataclass(frozen=True)
class Splitting:
    """The method: another method is asked about the positions after `plies` plies.

    At most `jobs` parts run at a time, so that new parts that matter more can start early. A given
    executor stays open; the default is threads, for methods that start processes. With `all_moves`
    every winning first move is found.
    """

    method: Method
    plies: int = 2
    jobs: int | None = None
    all_moves: bool = False
    executor: Executor | None = None
    # Answers by game and player: the next question may have the same parts.
    _known: dict[tuple[Game, Player], Parts] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.plies < 1:
            raise UserError(f"a question is split by one ply or more, not by {self.plies}")

    def __call__(self, question: Question, budget: Budget | None = None) -> Answer:
        """The answer from the answers of the parts, with the costs of all parts."""
        budget = Budget.within(budget)
        tree = Tree(question, self.plies, self.all_moves)
        stopped: Reason | None = None
        try:
            known = self._known.setdefault((question.game.rewound(), question.player), {})
            self._ask_parts(tree, known, budget)
        except OutOfBudget as out:
            stopped = out.reason
        return tree.answer(stopped, budget)

    def divided(self, depth: int, otherwise: Method) -> Method:
        """A method for later positions of the same game, to extract a strategy.

        A question is divided into parts of the given depth, whose answers may be known already; a
        question that is not deeper goes to `otherwise`.
        """

        def ask(question: Question, budget: Budget | None = None) -> Answer:
            plies = question.depth - depth
            method = replace(self, plies=plies, all_moves=False) if plies > 0 else otherwise
            return method(question, budget)

        return ask

    def _ask_parts(self, tree: Tree, known: Parts, budget: Budget) -> None:
        """Ask parts until the question is decided; no part is running afterwards."""
        jobs = self.jobs or cpu_count() or 1
        clock = Budget(Limit(budget.remaining().seconds), budget.cancel)  # each part has the memory
        numbers = count()
        running: dict[Future[Answer], tuple[PartNode, _FileEvent]] = {}
        with temporary_folder() as folder, self._pool(jobs) as pool:
            try:
                while tree.root.value is None:
                    clock.check()
                    while len(running) < jobs and (node := tree.next_part()) is not None:
                        if _key(node) in known:
                            tree.note(node, known[_key(node)])
                            continue
                        stop = _FileEvent(os.path.join(folder, str(next(numbers))))
                        part = pool.submit(self.method, tree.question(node), budget.part(stop))
                        running[part] = node, stop
                    assert running or tree.root.value, "what is open has a part that is open"
                    for future in wait(running, PAUSE, FIRST_COMPLETED).done:
                        node, stop = running.pop(future)
                        answer = future.result()
                        tree.note(node, answer, withdrawn=stop.is_set())
                        if answer.verdict is not Verdict.UNKNOWN:
                            known[_key(node)] = replace(answer, cpu_seconds=0.0)
                    for node, stop in running.values():
                        if not tree.matters(node):
                            stop.set()
            finally:
                for _, stop in running.values():
                    stop.set()
                begun = [future for future in running if not future.cancel()]
                wait(begun)
                tree.spent += [f.result() for f in begun if f.exception() is None]

    @contextmanager
    def _pool(self, jobs: int) -> Iterator[Executor]:
        if self.executor is not None:
            yield self.executor
        else:
            with ThreadPoolExecutor(jobs) as pool:
                yield pool


def connect(address: str) -> Any:
    """The client of a Dask scheduler; an error if there is none."""
    try:
        import distributed
    except ImportError:
        raise UserError("a cluster needs Dask: pip install 'skolemate[cluster]'") from None
    try:
        return distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else "no answer"
        raise UserError(f"no Dask scheduler at {brief(address)}: {reason}") from None


@contextmanager
def on_cluster(splitting: Splitting, address: str) -> Iterator[Splitting]:
    """The same splitting, with its parts on the workers of a Dask scheduler.

    Dask gives a part whose worker has died to another one. The parts' programs must be installed
    there; those that the user has named here are made known.
    """
    with connect(address) as client:
        for text in filter(None, (program.given for program in PROGRAMS)):
            client.run(add_foreign, text)
        workers = sum(client.nthreads().values())
        if not workers:
            raise UserError(f"the Dask scheduler at {brief(address)} has no workers")
        jobs = splitting.jobs or workers
        try:
            yield replace(splitting, executor=client.get_executor(), jobs=jobs)
        except CancelledError:
            raise UserError(f"the Dask scheduler at {brief(address)} is gone; ask again") from None


def _key(node: PartNode) -> tuple[int, int]:
    return packed(node.position), node.left


class _FileEvent(Event):
    """An event that also stops parts in other processes: it is set by creating a file.

    On a machine that does not see the file, a part runs to its limit; no answer changes.
    """

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file

    def is_set(self) -> bool:
        return super().is_set() or os.path.exists(self._file)

    def set(self) -> None:
        super().set()
        Path(self._file).touch()

    def __reduce__(self) -> tuple[type[_FileEvent], tuple[str]]:
        return _FileEvent, (self._file,)

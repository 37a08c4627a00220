"""Splitting: a question divided by its first plies into parts, which are answered side by side.

After every first move and every reply there is a question of its own. The asker needs one move
that wins against all replies; so most parts need never be asked. Parts that are symmetric, or
reached by the same moves in another order, are one. A part without an answer matters only if the
others do not decide without it.

The parts go through any executor of `concurrent.futures`: threads, processes, a cluster's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from os import cpu_count
from pathlib import Path
from threading import Event

from skolemate.ask.answer import Answer, Verdict
from skolemate.ask.method import Method, Tell
from skolemate.ask.parts import Node, Tree
from skolemate.ask.question import Question
from skolemate.errors import UserError
from skolemate.games.game import Game, Player
from skolemate.limits import Budget, Limit, OutOfBudget, Reason
from skolemate.output import temporary_folder
from skolemate.strategies.claim import packed

__all__ = ["Splitting"]

Parts = dict[tuple[int, int], Answer]  # by position and depth

PAUSE = 0.05  # seconds between two looks at whether time is over or the user wants to stop


@dataclass(frozen=True)
class Splitting:
    """The method: another one, asked about what is left after so many plies.

    At most `jobs` parts are under way at a time, so that those which come to matter go first. An
    executor of yours stays open; by default there are threads, which suit methods that start
    processes. With `all_moves` every winning first move is found.
    """

    method: Method
    plies: int = 2
    jobs: int | None = None
    all_moves: bool = False
    executor: Executor | None = None
    # Of a player in a game: they may be parts of his next question about it, too.
    _known: dict[tuple[Game, Player], Parts] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.plies < 1:
            raise UserError(f"a question is split by one ply or more, not by {self.plies}")

    def __call__(
        self,
        question: Question,
        limit: Limit = Limit(),  # noqa: B008  a frozen value
        progress: Tell | None = None,
        cancel: Event | None = None,
    ) -> Answer:
        """The answer that the parts' answers make; the costs are those of all parts."""
        budget = Budget(limit, cancel)
        tree = Tree(question, self.plies, self.all_moves)
        stopped: Reason | None = None
        try:
            known = self._known.setdefault((question.game.rewound(), question.player), {})
            self._ask_parts(tree, known, budget)
        except OutOfBudget as out:
            stopped = out.reason
        return tree.answer(stopped, budget)

    def divided(self, depth: int, otherwise: Method) -> Method:
        """Questions from further on in the same game, divided into parts of this depth, whose
        answers may be known; questions that are not deeper go to another method.
        """

        def ask(
            question: Question,
            limit: Limit = Limit(),  # noqa: B008  a frozen value
            progress: Tell | None = None,
            cancel: Event | None = None,
        ) -> Answer:
            plies = question.depth - depth
            method = replace(self, plies=plies, all_moves=False) if plies > 0 else otherwise
            return method(question, limit, progress, cancel)

        return ask

    def _ask_parts(self, tree: Tree, known: Parts, budget: Budget) -> None:
        """Ask about unknown parts until the whole is decided; leaves nothing running."""
        jobs = self.jobs or cpu_count() or 1
        clock = Budget(Limit(budget.remaining().seconds), budget.cancel)  # memory is for each part
        numbers = count()
        running: dict[Future[Answer], tuple[Node, _Stop]] = {}
        with temporary_folder() as folder, self._pool(jobs) as pool:
            try:
                while tree.root.value is None:
                    clock.check()
                    while len(running) < jobs and (node := tree.next_part()) is not None:
                        if _key(node) in known:
                            tree.note(node, known[_key(node)])
                            continue
                        stop = _Stop(os.path.join(folder, str(next(numbers))))
                        asked = self.method, tree.question(node), budget.remaining(), stop
                        running[pool.submit(_answered, *asked)] = node, stop
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


def _key(node: Node) -> tuple[int, int]:
    return packed(node.position), node.left


def _answered(method: Method, question: Question, limit: Limit, stop: Event) -> Answer:
    """One part; at home or in another process."""
    return method(question, limit, None, stop)


class _Stop(Event):
    """Tells a part that it is not needed any more, also in another process: a file says so.

    On a machine that does not see the file, a part goes on to its limit; no answer changes.
    """

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file

    def is_set(self) -> bool:
        return super().is_set() or os.path.exists(self._file)

    def set(self) -> None:
        super().set()
        Path(self._file).touch()

    def __reduce__(self) -> tuple[type[_Stop], tuple[str]]:
        return _Stop, (self._file,)

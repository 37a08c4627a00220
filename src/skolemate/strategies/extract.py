"""Extraction: a strategy from anything that answers questions, by asking along the game."""

from __future__ import annotations

from contextlib import ExitStack
from math import inf

from skolemate.errors import Disagreement
from skolemate.limits import Budget, OutOfBudget, Reason
from skolemate.output import amount
from skolemate.strategies.claim import Claim
from skolemate.strategies.deciding import Decider, Judge, Undecided
from skolemate.strategies.journal import Journal
from skolemate.strategies.nodes import Node
from skolemate.strategies.proving import Linker, Prover
from skolemate.strategies.strategy import Strategy
from skolemate.strategies.walking import Tell, Walk, hold_out

__all__ = ["Unfinished", "extract"]

REACH = 3  # plies by trying; more costs as much as a solver does


class Unfinished(Exception):
    """A limit was reached; with a file, the same call goes on from what was decided so far."""

    def __init__(self, reason: Reason, detail: str | None, nodes: int) -> None:
        found = amount(nodes, "node")
        super().__init__(f"the strategy is not finished ({reason.value}), {found} so far")
        self.reason, self.detail, self.nodes = reason, detail, nodes


def extract(
    claim: Claim,
    judge: Judge,
    *,
    file: str | None = None,
    jobs: int = 1,
    fold: bool = False,
    reach: int = REACH,
    budget: Budget | None = None,
    tell: Tell | None = None,
    linker: Linker | None = None,
    for_ever: bool = False,
) -> Strategy:
    """A strategy that proves a claim which is said to hold: checked, and saved if a file is named.

    Where pieces move, `jobs` questions are asked at a time, and with `fold` symmetric positions
    share a node; where stones only help, one answer saves many questions, and one proof stands for
    many positions anyway; there `linker` may know of links that end a proof. With `for_ever` the
    claim is to be proved for every depth, in a game that may go on for ever. Raises Unfinished when
    the budget is used up or the judge cannot say; with a file, the next call goes on from there.
    """
    budget = budget or Budget()
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(claim, file)) if file is not None else None
        decider = Decider(claim, judge, reach)
        work: Prover | Walk
        if claim.monotone:
            work = Prover(claim, decider, journal, budget, tell, linker)
        else:
            work = Walk(claim, decider, journal, budget, tell, fold=fold, jobs=jobs)
        try:
            with budget.heeded():
                replies = hold_out(claim, judge, budget) if for_ever else None
                if replies is None:
                    work.run()
                    strategy = work.strategy()
                else:
                    nodes = [Node(at, inf, move) for at, move in replies.items()]
                    strategy = Strategy(claim, nodes)
                report = strategy.check()
        except OutOfBudget as out:
            raise Unfinished(out.reason, None, len(work.nodes)) from None
        except Undecided as undecided:
            raise Unfinished(undecided.reason, undecided.detail, len(work.nodes)) from None
        if not report.holds:
            raise Disagreement(f"{claim}, it was said; but the strategy fails: {report}")
        if journal is not None and file is not None:
            strategy.save(file)
            journal.done()
    return strategy

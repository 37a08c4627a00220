"""The strategy that proves an answer: extracted by the same method, checked and saved."""

from os import cpu_count, fspath
from typing import Any

from skolemate.ask.how import How
from skolemate.ask.method import Answer, Method, Progress, Verdict, asking
from skolemate.ask.search import Search, needs_no_engine
from skolemate.ask.value import Value
from skolemate.errors import Disagreement
from skolemate.limits import Budget, OutOfBudget
from skolemate.output import File
from skolemate.strategies import Unfinished, extract
from skolemate.strategies.deciding import Evaluation, Evaluator, Situation


class Unproved(Unfinished):
    """The answer is known, but the strategy that proves it is not finished."""

    def __init__(self, answer: Answer | Value, unfinished: Unfinished) -> None:
        super().__init__(unfinished.reason, unfinished.detail, unfinished.nodes)
        self.answer = answer


def prove_by_method(
    answer: Answer, file: File, method: Method, budget: Budget, fold: bool, how: How
) -> None:
    """Save a strategy that proves an answer, by asking the method about its positions."""
    evaluate = asking(method, answer.claim, budget, answer)
    # A portfolio does several things at a time by itself.
    portfolio = how.split is None and how.runs_side_by_side
    jobs = 1 if portfolio else how.jobs or cpu_count() or 1
    save_strategy(answer, evaluate, file, budget, fold=fold, jobs=jobs)


def prove_by_search(search: Search, answer: Answer, file: File, budget: Budget, fold: bool) -> None:
    """Save a strategy that proves an answer, with the engine's help."""
    if answer.verdict is Verdict.NO_WIN and needs_no_engine(answer.game):
        save_strategy(answer, _settled, file, budget, fold=fold)
        return
    try:
        evaluate, linker = search.evaluator(answer, budget), search.linker(answer, budget)
        extractor = search.extractor(answer, budget)
    except OutOfBudget as out:  # the engine could not be built within the limits
        raise Unproved(answer, Unfinished(out.reason, out.detail, 0)) from None
    # The engine keeps its results, so a look-ahead would save nothing.
    options = {"fold": fold, "reach": 0, "linker": linker, "extractor": extractor}
    save_strategy(answer, evaluate, file, budget, **options)


def _settled(here: Situation) -> Evaluation:
    """For games that `settled_by_pairs` has decided: extraction finds the pairs by itself."""
    raise Disagreement(f"pairs settled the game, but were not found again at {here.position}")


def save_strategy(
    answer: Answer,
    evaluate: Evaluator,
    file: File,
    budget: Budget,
    **options: Any,
) -> None:
    """Extract and save a strategy that proves an answer, unless that is UNKNOWN."""
    if answer.verdict is Verdict.UNKNOWN:
        return

    def tell(nodes: int) -> None:
        if nodes % 100 == 0:
            budget.tell(Progress(answer.depth, answer.verdict, budget.wall_seconds, nodes=nodes))

    for_ever = answer.every_depth and answer.game.horizon is None
    options |= {"file": fspath(file), "budget": budget, "tell": tell, "for_ever": for_ever}
    try:
        extract(answer.claim, evaluate, **options)
    except Unfinished as unfinished:
        raise Unproved(answer, unfinished) from None

"""Is preprocessing worth it? Sizes and seconds with nothing, simplify and bloqqer before a solver.

Each question is stated by one encoding and solved by each solver, after each preprocessor, one run
at a time. Seconds are CPU seconds of preprocessor and solver together, which say more than a wall
clock where others work; a miss is shown by its limit. At the end, the questions answered and PAR2:
the mean of the seconds, a miss counting twice the limit.

usage: simplify.py [SECONDS] [PART_OF_A_NAME] [RULE ...]    the rules of simplify, by default all
"""

from __future__ import annotations

import sys
from collections import defaultdict

from skolemate.encodings import encode
from skolemate.formula.simplify import RULES, simplified
from skolemate.games import Player
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.loading import load
from skolemate.solvers import PROGRAMS, Pipeline, Reduced, preprocess
from skolemate.solvers.pipeline import Step

SOLVERS = ("caqe", "depqbf")
PREPROCESSORS = ("nothing", "simplify", "bloqqer")
MEMORY = 4 << 30
WIDTH = 70

# Game, player, depth, encoding: half a second to half a minute for one of the solvers.
QUESTIONS = [
    ("hein(10)", "black", 13, "et"),
    ("hein(14)", "black", 9, "et"),
    ("hein(19)", "black", 11, "en"),
    ("hein(8)", "black", 11, "en"),
    ("hein(8)", "black", 11, "cor+"),
    ("browne", "black", 9, "cor+"),
    ("mnk(m=4, n=4, k=4)", "black", 11, "cor+"),
    ("mnk(m=5, n=4, k=4)", "black", 11, "cor+"),
    ("harary(shape=tippy, width=4, height=4)", "black", 9, "cor+"),
    ("gttt(p=2, q=1, shape=tippy, width=4, height=4)", "black", 13, "cor+"),
    ("gttt(p=2, q=2, shape=elly, width=4, height=4)", "black", 11, "cor+"),
    ("hein(13)", "black", 9, "cor"),
    ("gttt(p=2, q=1, shape=tippy, width=4, height=4)", "black", 9, "dys"),
    ("harary(shape=elly, width=4, height=4)", "black", 7, "dys"),
    ("harary(shape=tippy, width=4, height=4)", "black", 7, "dys"),
    ("connect(k=3, width=4, height=4)", "black", 9, "gr"),
    ("connect(k=4, width=5, height=4)", "black", 11, "gr"),
    ("connect(k=3, width=4, height=4)", "black", 7, "lifted"),
    ("breakthrough(width=2, height=4)", "white", 8, "lifted"),
    ("breakthrough(width=2, height=5)", "black", 7, "lifted"),
    ("domineering(width=4, height=4)", "black", 7, "lifted"),
    ("hein(14)", "black", 9, "sn"),
    ("hein(9)", "black", 7, "ln"),
    ("mnk(m=4, n=4, k=4)", "black", 4, "pairing"),
]


def preprocessed(name: str, reduced: Reduced, limit: Limit, rules: tuple[str, ...]) -> Step:
    if name == "nothing":
        return Step(reduced)
    if name == "simplify":
        simple = simplified(reduced.formula, rules)
        return Step(Reduced(simple.formula), cpu_seconds=simple.cpu_seconds)
    return preprocess(PROGRAMS[name], reduced, Budget(limit))


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    limit, rules = Limit(seconds, MEMORY), tuple(sys.argv[3:]) or RULES
    columns = "".join(f"{name:>9}" for name in PREPROCESSORS)
    headings = "".join(f" {solver + ', CPU s':>27}" for solver in SOLVERS)
    print(f"{'':{WIDTH}} {'answer':6} {'clauses':>27} {'own CPU s':>18}{headings}")
    own = "".join(f"{name:>9}" for name in PREPROCESSORS[1:])
    print(f"{'question':{WIDTH}} {'':6} {columns} {own}" + f" {columns}" * len(SOLVERS), flush=True)
    taken: dict[tuple[str, str], list[float]] = defaultdict(list)
    for name, player, depth, encoding in QUESTIONS:
        told = f"{name}, {player} in {depth}, {encoding}"
        if wanted not in told:
            continue
        question = Question(load(name), Player(player), depth)
        reduced = Reduced.of(encode(question, encoding, symmetry=True).formula)
        steps = [preprocessed(kind, reduced, limit, rules) for kind in PREPROCESSORS]
        truths: set[bool] = set()
        cells = ""
        for solver in SOLVERS:
            cells += " "
            for kind, step in zip(PREPROCESSORS, steps, strict=True):
                solved = Pipeline.parse(solver).solve(step.reduced.formula, Budget(limit))
                spent = step.cpu_seconds + solved.cpu_seconds
                if solved.truth is not None:
                    truths.add(solved.truth)
                taken[solver, kind].append(2 * seconds if solved.truth is None else spent)
                cells += f"{f'>{seconds:g}' if solved.truth is None else f'{spent:.2f}':>9}"
        assert len(truths) <= 1, f"{told}: answers disagree"
        answer = str(truths.pop()).lower() if truths else ""
        sizes = "".join(f"{step.reduced.formula.clause_count:9,}" for step in steps)
        costs = "".join(f"{step.cpu_seconds:9.3f}" for step in steps[1:])
        print(f"{told:{WIDTH}} {answer:6} {sizes} {costs}{cells}", flush=True)
    for (solver, kind), listed in taken.items():
        answered = sum(spent < 2 * seconds for spent in listed)
        par2 = sum(listed) / len(listed)
        print(f"{solver} after {kind}: {answered} of {len(listed)} answered, PAR2 {par2:.2f} s")


if __name__ == "__main__":
    main()

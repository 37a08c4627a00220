"""What each rule of THREAT is worth: CPU seconds with the chosen rules, and with one changed.

The games are hard ones of GTTT(1,1) on 4x4 at their full depth, and of Harary's on 5x5, solved by
DepQBF after simplify. A miss is shown by its limit.

usage: threats.py [SECONDS]
"""

from __future__ import annotations

import sys
from dataclasses import fields, replace

from skolemate.encodings import ENCODINGS, encode
from skolemate.encodings.parts.problems import set_problem
from skolemate.encodings.threat import Switches, best_switches, stated
from skolemate.formula import Formula
from skolemate.games import Player
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.loading import load
from skolemate.solvers import Pipeline

GTTT = "gttt(p=1, q=1, shape={}, width=4, height=4, torus={})"
HARARY = "harary(shape={}, width=5, height=5, torus={})"
QUESTIONS = [
    (GTTT.format("elly", "false"), Player.BLACK, 16),
    (GTTT.format("elly", "false"), Player.WHITE, 16),
    (GTTT.format("fatty", "true"), Player.BLACK, 16),
    (GTTT.format("knobby", "false"), Player.BLACK, 16),
    (GTTT.format("knobby", "false"), Player.WHITE, 16),
    (GTTT.format("knobby", "true"), Player.BLACK, 16),
    (GTTT.format("tippy", "true"), Player.BLACK, 16),
    (GTTT.format("tippy", "true"), Player.WHITE, 16),
    (HARARY.format("elly", "true"), Player.BLACK, 7),
    (HARARY.format("skinny", "false"), Player.BLACK, 9),
    (HARARY.format("l", "false"), Player.BLACK, 9),
    (HARARY.format("p", "false"), Player.BLACK, 9),
    (HARARY.format("n", "true"), Player.BLACK, 9),
]
RULES = [field.name for field in fields(Switches)]


def formulas(question: Question) -> dict[str, Formula]:
    problem = set_problem(question.normalised(), symmetry=True)
    assert not isinstance(problem, bool), "these games are open"
    best = best_switches(problem)
    found = {"cor+": encode(question, "cor+", symmetry=True).formula}
    found["chosen"] = stated(ENCODINGS["threat"], problem, best).formula
    for rule in RULES:
        changed = replace(best, **{rule: not getattr(best, rule)})
        found[rule] = stated(ENCODINGS["threat"], problem, changed).formula
    return found


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    columns = ["cor+", "chosen", *RULES]
    print(f"{'':68}" + "".join(f"{name:>10}" for name in columns))
    totals = dict.fromkeys(columns, 0.0)
    for name, player, depth in QUESTIONS:
        asked = Question(load(name), player, depth)
        print(f"{asked!s:68}", end="", flush=True)
        truths = set()
        for variant, formula in formulas(asked).items():
            solved = Pipeline.parse("simplify+depqbf").solve(
                formula, Budget(Limit(seconds, 4 << 30))
            )
            truths |= {solved.truth} - {None}
            spent = seconds if solved.truth is None else solved.cpu_seconds
            totals[variant] += spent
            shown = f">{seconds:g}" if solved.truth is None else f"{spent:.2f}"
            print(f"{shown:>10}", end="", flush=True)
        print(f"  {', '.join(map(str, truths))}")
        assert len(truths) <= 1, f"{asked}: answers disagree"
    print(f"{'together':68}" + "".join(f"{totals[name]:10.1f}" for name in columns))


if __name__ == "__main__":
    main()

"""What each rule of THREAT is worth: CPU seconds with all of them, and without one at a time.

The games are hard ones of GTTT(1,1) on 4x4 at their full depth, solved by DepQBF after simplify. A
miss is shown by its limit.

usage: threats.py [SECONDS]
"""

from __future__ import annotations

import sys
from dataclasses import fields, replace

from skolemate.encodings import ENCODINGS, encode
from skolemate.encodings.parts.problems import set_problem
from skolemate.encodings.threat import Switches, stated
from skolemate.formula import Formula
from skolemate.games import Player
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.loading import load
from skolemate.solvers import Pipeline

GAMES = [
    ("elly", False, Player.BLACK),
    ("elly", True, Player.BLACK),
    ("fatty", True, Player.BLACK),
    ("knobby", False, Player.BLACK),
    ("knobby", True, Player.BLACK),
    ("skinny", False, Player.BLACK),
    ("tippy", False, Player.WHITE),
    ("fatty", True, Player.WHITE),
]
VARIANTS = {
    "all": Switches(),
    **{
        f"without {field.name}": replace(Switches(), **{field.name: False})
        for field in fields(Switches)
    },
}


def formulas(question: Question) -> dict[str, Formula]:
    problem = set_problem(question.normalised(), symmetry=True)
    assert not isinstance(problem, bool), "these games are open"
    found = {"cor+": encode(question, "cor+", symmetry=True).formula}
    for name, switches in VARIANTS.items():
        found[name] = stated(ENCODINGS["threat"], problem, switches).formula
    return found


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    columns = ["cor+", *VARIANTS]
    print(f"{'':28}" + "".join(f"{name:>18}" for name in columns))
    totals = dict.fromkeys(columns, 0.0)
    for shape, torus, player in GAMES:
        name = f"gttt(p=1, q=1, shape={shape}, width=4, height=4, torus={str(torus).lower()})"
        told = f"{shape}{', torus' if torus else ''}, {player}"
        print(f"{told:28}", end="", flush=True)
        truths = set()
        for variant, formula in formulas(Question(load(name), player, 16)).items():
            solved = Pipeline.parse("simplify+depqbf").solve(
                formula, Budget(Limit(seconds, 4 << 30))
            )
            truths |= {solved.truth} - {None}
            spent = seconds if solved.truth is None else solved.cpu_seconds
            totals[variant] += spent
            shown = f">{seconds:g}" if solved.truth is None else f"{spent:.2f}"
            print(f"{shown:>18}", end="", flush=True)
        print(f"  {', '.join(map(str, truths))}")
        assert len(truths) <= 1, f"{told}: answers disagree"
    print(f"{'together':28}" + "".join(f"{totals[name]:18.1f}" for name in columns))


if __name__ == "__main__":
    main()

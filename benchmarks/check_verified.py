"""The proved checker beside Python's: `make check-verified`.

Strategies of Hein's puzzles and of small boards of every kind, as `make check-hein` and `make
check-known` make them, are checked by both, with the seconds of CPU that each takes; then thousands
of mutants. What one accepts the other must accept, or the proved checker says that its theorem does
not cover this kind of line. Words choose some games; `mutants` chooses these. `shapes` is the long
form, with the games of `make check-shapes`; `million` times a strategy of a million nodes.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

from check_hein import PUZZLES
from check_known import rows
from strategy import write_a_million

import skolemate
from following import extracted
from samples import random_graph_game, random_misere_game, random_schedule
from skolemate import Claim, Player, Strategy, UserError, load
from skolemate.games.goals import fitting
from skolemate.strategies import Node, Report, check_file
from skolemate.strategies.coq import coq_theorem
from skolemate.strategies.verified import Verdict, check_verified
from test_strategy_mutations import MUTATIONS, SOUND, sound

SECONDS = 20.0  # for an answer, and as many for its strategy
LONG = 120.0  # the same in the long form
EACH = 24  # mutants of every kind of every strategy
TEXTS = 60  # mutants of its text
THEOREMS = (
    ("hein(9)", Player.BLACK, 7),
    ("tictactoe(moves=b2)", Player.WHITE, 8),
    ("mnk(m=4, n=3, k=3)", Player.BLACK, 7),  # with zones
    ("harary(shape=elly, width=4, height=4)", Player.BLACK, 7),  # with zones and maps
    ("tictactoe(misere=true, moves=b2 a1)", Player.BLACK, 7),
    ("domineering(width=3, height=3)", Player.BLACK, 4),
    ("connect(k=3, width=4, height=3)", Player.BLACK, 9),
)
MISERE, PAIRINGS = 30, 1500  # random misère games, and random pairs against paths
BEYOND = ("connect(k=4", "domineering(width=7", "domineering(width=8", "height=6")  # too long


def shapes() -> Iterator[tuple[str, str]]:
    """The games of `make check-shapes`."""
    for torus, shape in product(("", ", torus=true"), fitting(4, range(2, 7))):
        yield f"harary(shape={shape}, width=5, height=5{torus})", "black"


def questions() -> Iterator[tuple[str, str]]:
    for puzzle in PUZZLES:
        yield puzzle, "black"
    for row in rows():
        if not any(words in row.game for words in BEYOND):
            yield row.game, row.player


def both(file: str) -> tuple[Report, Verdict, float, float]:
    """What both say of a file, and the seconds of CPU that each takes."""
    begun = os.times()
    report = check_file(file)
    middle = os.times()
    verified = check_verified(file, report.claim.game)
    ended = os.times()
    spent = ended.children_user + ended.children_system
    return (
        report,
        verified.verdict,
        middle.user - begun.user,
        spent - middle.children_user - middle.children_system,
    )


def agree(holds: bool | None, verdict: Verdict) -> bool:
    """Whether the verdicts agree, as far as the theorem goes; None: Python cannot read the file."""
    if verdict is Verdict.NOT_COVERED:
        return True
    return bool(holds) is (verdict is Verdict.ACCEPTED)


def check_strategies(words: list[str], folder: str) -> Counter[str]:
    long = "shapes" in words
    words, seconds = [word for word in words if word != "shapes"], LONG if long else SECONDS
    counts: Counter[str] = Counter()
    print("| game | claim | nodes | Python, s | proved, s | proved checker |")
    print("|---|---|---|---|---|---|")
    for game, player in shapes() if long else questions():
        if words and not any(word in game for word in words):
            continue
        file = os.path.join(folder, "strategy.jsonl")
        Path(file).unlink(missing_ok=True)
        try:
            answer = skolemate.solve(game, player=player, engine="search", timeout=seconds)
            skolemate.prove(answer, file, engine="search", timeout=seconds, fold=True)
        except (UserError, skolemate.strategies.Unfinished):
            pass  # no answer, or no strategy, in time: there is no file
        if not Path(file).exists():
            counts["without a strategy"] += 1
            continue
        strategy = Strategy.load(file)
        counts["with zones"] += any(node.blank for node in strategy.nodes)
        counts["with maps"] += any(None in where for where in strategy.symmetries)
        counts += compare(game, file)
    return counts


def compare(game: str, file: str) -> Counter[str]:
    """A row about a strategy that both must accept."""
    report, verdict, python, proved = both(file)
    claim, said = report.claim, verdict.name.lower().replace("_", " ")
    print(
        f"| {game} | {claim.verdict} {claim.depth} {claim.player.value} | {report.nodes:,} "
        f"| {python:.2f} | {max(proved, 0.0):.2f} | {said} |",
        flush=True,
    )
    return Counter({said: 1, "different": not (report.holds and verdict is Verdict.ACCEPTED)})


# --- mutants --------------------------------------------------------------------------------------


def strategies() -> Iterator[tuple[str, Strategy]]:
    """Strategies whose mutants are tried: of named games, and of random misère games."""
    for name, player, depth, fold in SOUND:
        yield f"{name} {player} {depth} {fold}", sound(name, player, depth, fold)
    rng = random.Random(1)
    for number in range(MISERE):
        game, player = random_misere_game(rng, rng.choice([4, 5])), rng.choice(list(Player))
        depth = rng.randrange(1, game.horizon + 2)
        yield f"misère {number}", extracted(game, player, depth, fold=rng.random() < 0.5)


def mutants() -> Iterator[tuple[str, Strategy]]:
    for name, strategy in strategies():
        rng = random.Random(name)
        yield f"{name}: nothing", strategy
        for mutation in MUTATIONS:
            for _ in range(EACH if name in NAMED else 1):
                mutant = mutation(strategy, rng)
                if mutant is not None:
                    yield f"{name}: {mutation.__name__}", mutant


NAMED = {f"{name} {player} {depth} {fold}" for name, player, depth, fold in SOUND}


def pairings() -> Iterator[tuple[str, Strategy]]:
    """Random pairs of cells that are said to keep Black from a path, with any order of turns."""
    rng = random.Random(2)
    for number in range(PAIRINGS):
        game = random_graph_game(rng, rng.choice([4, 5, 6, 7]))
        if rng.random() < 0.4:
            game = replace(game, schedule=random_schedule(rng, game.board.size))
        start, cells = game.start, list(game.start.moves())
        rng.shuffle(cells)
        pairs = tuple(zip(cells[::2], cells[1::2], strict=False))[: rng.randrange(4)]
        depth = rng.randrange(1, game.board.size + 2)
        claim = Claim(game, Player.BLACK, depth, wins=False)
        if start.to_move is not None and start.winner is None:
            yield f"pairs {number}", Strategy(claim, [Node(start, depth, pairs=pairs)], [])


def garbled(text: str, rng: random.Random) -> str:
    """The text of a file with one thing changed, where a reader may stumble."""
    lines = text.splitlines(keepends=True)
    which = rng.randrange(len(lines))
    line = lines[which]
    place = rng.randrange(len(line))
    match rng.randrange(5):
        case 0:
            lines[which] = line[:place] + rng.choice('XO.ab123-0,:"[]{}\\ \n') + line[place + 1 :]
        case 1:
            lines[which] = line[:place] + line[place + 1 :]
        case 2:
            lines[which] = line[:place] + rng.choice('XO.ab123-0,:"[]{}\\ \n') + line[place:]
        case 3:
            lines.insert(rng.randrange(len(lines) + 1), line)
        case _:
            lines[which] = line.upper() if rng.random() < 0.5 else line.replace("a", "A", 1)
    return "".join(lines)


def read(file: str, game: skolemate.Game) -> bool | None:
    try:
        return check_file(file, game).holds
    except UserError:
        return None


def check_mutants(folder: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    file = os.path.join(folder, "mutant.jsonl")

    def ask(what: str, kind: str, game: skolemate.Game) -> None:
        holds, answer = read(file, game), check_verified(file, game)
        said = {True: "accepted", False: "rejected", None: "not read"}[holds]
        word = answer.verdict.name.lower().replace("_", " ")
        counts[kind] += 1
        counts[f"{kind} {said} by Python's, {word} by the proved checker"] += 1
        if not agree(holds, answer.verdict):
            counts["different"] += 1
            kept = Path(f"build/different-{counts['different']}.jsonl")
            kept.write_bytes(Path(file).read_bytes())
            print(f"{what}: {said} by Python's checker; the proved one: {answer.said}; {kept}")

    for what, mutant in mutants():
        mutant.save(file)
        ask(what, "mutants", mutant.game)
    for what, strategy in pairings():
        strategy.save(file)
        ask(what, "pairings", strategy.game)
    for name, strategy in strategies():
        rng = random.Random(name)
        strategy.save(file)
        text = Path(file).read_text(encoding="utf-8")
        for number in range(TEXTS if name in NAMED else 5):
            Path(file).write_text(garbled(text, rng), encoding="utf-8")
            ask(f"{name}: text {number}", "garbled texts", strategy.game)
    return counts


def check_theorems(folder: str) -> Counter[str]:
    """Claims as theorems, which `coqc` must accept together with those of the checker."""
    counts: Counter[str] = Counter()
    for number, (name, player, depth) in enumerate(THEOREMS):
        file = Path(folder, f"Claim{number}.v")
        file.write_text(coq_theorem(extracted(load(name), player, depth)), encoding="utf-8")
        command = ["coqc", "-Q", "build/proof", "Skolemate", str(file)]
        accepted = subprocess.run(command, check=False).returncode == 0
        counts["theorems accepted by Coq"] += accepted
        counts["different"] += not accepted
    return counts


def check_million(folder: str) -> Counter[str]:
    """The strategy of `make bench-strategy` with more than a million nodes, by both in one run."""
    file = os.path.join(folder, "million.jsonl")
    write_a_million(file)
    return compare("a million nodes", file)


def main() -> int:
    words = sys.argv[1:]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        if words == ["million"]:
            counts += check_million(folder)
        elif words != ["mutants"]:
            counts += check_strategies(words, folder)
        if not words or words == ["mutants"]:
            counts += check_mutants(folder)
        if not words:
            counts += check_theorems(folder)
    print(*(f"{count:6,} {word}" for word, count in counts.items() if count), sep="\n")
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""The proved checker beside Python's: `make check-verified`.

Strategies of Hein's puzzles and of small boards of every kind, as `make check-hein` and `make
check-known` make them, are checked by both, with the seconds of CPU that each takes; then thousands
of mutants. What one accepts the other must accept, or the proved checker says that its theorem does
not cover this kind of line. Words choose some games; `mutants` chooses these.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from check_hein import PUZZLES
from check_known import rows

import skolemate
from skolemate import Strategy, UserError
from skolemate.strategies import Report, check_file
from skolemate.strategies.verified import Verdict, check_verified
from test_strategy_mutations import MUTATIONS, SOUND, sound

SECONDS = 20.0  # for an answer, and as many for its strategy
EACH = 24  # mutants of every kind of every strategy
BEYOND = ("connect(k=4", "domineering(width=7", "domineering(width=8", "height=6")  # too long


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
    counts: Counter[str] = Counter()
    print("| game | claim | nodes | Python, s | proved, s | proved checker |")
    print("|---|---|---|---|---|---|")
    for game, player in questions():
        if words and not any(word in game for word in words):
            continue
        file = os.path.join(folder, "strategy.jsonl")
        Path(file).unlink(missing_ok=True)
        try:
            answer = skolemate.solve(game, player=player, engine="search", timeout=SECONDS)
            skolemate.prove(answer, file, engine="search", timeout=SECONDS, fold=True)
        except (UserError, skolemate.strategies.Unfinished):
            pass  # no answer, or no strategy, in time: there is no file
        if not Path(file).exists():
            counts["without a strategy"] += 1
            continue
        report, verdict, python, proved = both(file)
        counts[verdict.name.lower().replace("_", " ")] += 1
        counts["different"] += not agree(report.holds, verdict)
        claim = report.claim
        print(
            f"| {game} | {claim.verdict} {claim.depth} {claim.player.value} | {report.nodes:,} "
            f"| {python:.2f} | {max(proved, 0):.2f} | {verdict.name.lower().replace('_', ' ')} |",
            flush=True,
        )
    return counts


def mutants() -> Iterator[tuple[str, Strategy]]:
    for name, player, depth, fold in SOUND:
        strategy = sound(name, player, depth, fold)
        rng = random.Random(f"{name} {player} {depth} {fold}")
        for mutation in MUTATIONS:
            for _ in range(EACH):
                mutant = mutation(strategy, rng)
                if mutant is not None:
                    yield f"{name}: {mutation.__name__}", mutant


def read(file: str) -> bool | None:
    try:
        return check_file(file).holds
    except UserError:
        return None


def check_mutants(folder: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    file = os.path.join(folder, "mutant.jsonl")
    for what, mutant in mutants():
        mutant.save(file)
        holds = read(file)
        verdict = check_verified(file, mutant.game).verdict
        said = {True: "accepts", False: "rejects", None: "cannot read"}[holds]
        counts["mutants"] += 1
        counts[f"{said}/{verdict.name.lower()}"] += 1
        # Python also reads other names of a move, such as drop(1,2) for drop(1,1).
        named = holds and verdict is Verdict.NO_STRATEGY and "illegal_reply" in what
        if not agree(holds, verdict) and not named:
            counts["different"] += 1
            kept = f"build/different-{counts['different']}.jsonl"
            print(f"{what}: Python's checker {said} it, the proved one says {verdict.name}: {kept}")
            mutant.save(kept)
    return counts


def main() -> int:
    words = sys.argv[1:]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        if words != ["mutants"]:
            counts += check_strategies(words, folder)
        if not words or words == ["mutants"]:
            counts += check_mutants(folder)
    print(", ".join(f"{count} {word}" for word, count in counts.items() if count))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Small descriptions in GDL to test with, one of every kind, and random ones."""

from __future__ import annotations

import random
from itertools import product

from skolemate.formats import parse_game
from skolemate.games.gdl.game import GdlGame

TICTACTOE = """
; rows and columns by recursion, to try what the language has
(role x) (role o)
(init (control x))
(<= (init (cell ?i ?j b)) (index ?i) (index ?j))
(index 1) (index 2) (index 3)
(<= (next (cell ?i ?j ?r)) (does ?r (mark ?i ?j)))
(<= (next (cell ?i ?j ?c))
    (true (cell ?i ?j ?c)) (does ?r (mark ?k ?l)) (or (distinct ?i ?k) (distinct ?j ?l)))
(<= (next (control ?r)) (role ?r) (not (true (control ?r))))
(<= (legal ?r (mark ?i ?j)) (true (cell ?i ?j b)) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(succ 1 2) (succ 2 3) (same 1 1) (same 2 2) (same 3 3) (back 2 1) (back 3 2)
(<= (run ?r 1 ?i ?j ?way) (way ?way) (true (cell ?i ?j ?r)) (role ?r))
(<= (run ?r 2 ?i ?j right) (run ?r 1 ?k ?j right) (succ ?k ?i) (true (cell ?i ?j ?r)))
(<= (run ?r 3 ?i ?j right) (run ?r 2 ?k ?j right) (succ ?k ?i) (true (cell ?i ?j ?r)))
(<= (run ?r 2 ?i ?j down) (run ?r 1 ?i ?k down) (succ ?k ?j) (true (cell ?i ?j ?r)))
(<= (run ?r 3 ?i ?j down) (run ?r 2 ?i ?k down) (succ ?k ?j) (true (cell ?i ?j ?r)))
(<= (slanting ?r) (true (cell 2 2 ?r)) (role ?r)
    (or (and (true (cell 1 1 ?r)) (true (cell 3 3 ?r)))
        (and (true (cell 1 3 ?r)) (true (cell 3 1 ?r)))))
(way right) (way down)
(<= (line ?r) (run ?r 3 ?i ?j ?way))
(<= (line ?r) (slanting ?r))
(<= terminal (line ?r))
(<= terminal (not open))
(<= open (true (cell ?i ?j b)))
(<= (goal ?r 100) (line ?r))
(<= (goal ?r 0) (line ?other) (role ?r) (distinct ?r ?other))
(<= (goal ?r 50) (role ?r) (not (line x)) (not (line o)))
"""

# Whoever takes one stone moves again; whoever takes the last one wins.
AGAIN = """
(role first) (role second)
(init (heap 7)) (init (turn first))
(less 7 6) (less 6 5) (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (after ?n 1 ?m) (less ?n ?m))
(<= (after ?n 2 ?m) (less ?n ?k) (after ?k 1 ?m))
(<= (after ?n 3 ?m) (less ?n ?k) (after ?k 2 ?m))
(<= (legal ?r (take ?k)) (true (turn ?r)) (true (heap ?n)) (after ?n ?k ?m))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (heap ?m)) (true (heap ?n)) (does ?r (take ?k)) (after ?n ?k ?m))
(<= (next (turn ?r)) (does ?r (take 1)))
(<= (next (turn ?r)) (role ?r) (does ?other (take ?k)) (distinct ?r ?other) (distinct ?k 1))
(<= (next (took ?r)) (does ?r (take ?k)))
(<= terminal (true (heap 0)))
(<= (goal ?r 100) (true (took ?r)))
(<= (goal ?r 0) (role ?r) (not (true (took ?r))))
"""

# Both show a coin at the same time; `even` wants two rounds of equal ones.
PENNIES = """
(role even) (role odd)
(init (round 1))
(side heads) (side tails)
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= (next (round 2)) (true (round 1)))
(<= (next (round 3)) (true (round 2)))
(<= equal (does even (show ?s)) (does odd (show ?s)))
(<= (next missed) (not equal))
(<= (next missed) (true missed))
(<= terminal (true (round 3)))
(<= (goal even 100) (not (true missed)))
(<= (goal even 0) (true missed))
(<= (goal odd 100) (true missed))
(<= (goal odd 0) (not (true missed)))
"""

# Both move at the same time, but `left` wins whatever `right` does.
CHASE = """
(role left) (role right)
(init (at left 0)) (init (at right 2))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?r stay) (role ?r))
(<= (legal ?r go) (true (at ?r ?n)) (succ ?n ?m))
(<= (legal left jump) (true (at left ?n)) (succ ?n ?m) (succ ?m ?k))
(<= (next (at ?r ?n)) (true (at ?r ?n)) (does ?r stay))
(<= (next (at ?r ?m)) (true (at ?r ?n)) (does ?r go) (succ ?n ?m))
(<= (next (at left ?k)) (true (at left ?n)) (does left jump) (succ ?n ?m) (succ ?m ?k))
(<= caught (true (at left ?n)) (true (at right ?n)))
(<= terminal caught)
(<= (goal left 100) caught)
(<= (goal left 0) (not caught))
(<= (goal right 100) (not caught))
(<= (goal right 0) caught)
"""

# Three roles in turn claim the edges of a graph; `a` wants a path from s to t, found by recursion.
PATH = """
(role a) (role b) (role c)
(edge 1 s u) (edge 2 s v) (edge 3 u v) (edge 4 u t) (edge 5 v t) (edge 6 s t)
(init (turn a))
(follows a b) (follows b c) (follows c a)
(<= (free ?e) (edge ?e ?x ?y) (not (taken ?e)))
(<= (taken ?e) (true (owns ?r ?e)))
(<= (legal ?r (claim ?e)) (true (turn ?r)) (free ?e))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (owns ?r ?e)) (does ?r (claim ?e)))
(<= (next (owns ?r ?e)) (true (owns ?r ?e)))
(<= (next (turn ?r)) (true (turn ?q)) (follows ?q ?r))
(<= (linked ?x ?y) (true (owns a ?e)) (or (edge ?e ?x ?y) (edge ?e ?y ?x)))
(<= (reached s))
(<= (reached ?y) (reached ?x) (linked ?x ?y))
(<= any_free (free ?e))
(<= terminal (not any_free))
(<= terminal (reached t))
(<= (goal a 100) (reached t))
(<= (goal a 0) (not (reached t)))
(<= (goal b 100) (not (reached t)))
(<= (goal b 0) (reached t))
(<= (goal c 50))
"""

# One role: two lamps to be switched on, and buttons that switch others, too.
LAMPS = """
(role player)
(lamp p) (lamp q)
(<= (legal player (press ?l)) (lamp ?l))
(<= (legal player both))
(<= (switched ?l) (does player (press ?l)))
(<= (switched ?l) (lamp ?l) (does player both))
(<= (next (lit ?l)) (switched ?l) (not (true (lit ?l))))
(<= (next (lit ?l)) (true (lit ?l)) (not (switched ?l)))
(init (lit p))
(<= terminal (true (lit p)) (true (lit q)))
(<= (goal player 100) (true (lit p)) (true (lit q)))
(<= (goal player 0) (not (true (lit q))))
"""

# Nothing depends on `pass`, but to pass may be better than to move.
PASS = """
(role p) (role q)
(init (turn p)) (init (gap 2)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (turn q)) (true (turn p)))
(<= (next (turn p)) (true (turn q)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (legal ?r pass) (true (turn ?r)))
(<= (legal ?r close) (true (turn ?r)) (true (gap ?n)) (succ ?m ?n))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= closed (does ?r close))
(<= (next (gap ?m)) (true (gap ?n)) closed (succ ?m ?n))
(<= (next (gap ?n)) (true (gap ?n)) (not closed))
(<= terminal (true (gap 0)))
(<= terminal (true (step 3)))
(<= (goal p 100) (true (gap 0)) (true (turn q)))
(<= (goal p 0) (not (true (gap 0))))
(<= (goal p 0) (true (turn p)))
(<= (goal q 100) (true (gap 0)) (true (turn p)))
(<= (goal q 60) (not (true (gap 0))))
"""

DESCRIPTIONS = {
    "tictactoe": TICTACTOE,
    "again": AGAIN,
    "pennies": PENNIES,
    "chase": CHASE,
    "path": PATH,
    "lamps": LAMPS,
    "pass": PASS,
}


def random_description(rng: random.Random) -> str:
    """A few facts that random rules change; roles in turn, as the facts say, or all at once."""
    facts = [f"f{i}" for i in range(rng.randrange(2, 6))]
    roles = ["p", "q", "r"][: rng.choice([1, 2, 2, 2, 2, 3])]
    moves = ["a", "b", "c"][: rng.randrange(2, 4)]
    kind = rng.choice(["turns", "turns", "state", "together"])

    def conditions(count: int, done: bool = False) -> str:
        atoms = [f"(true {fact})" for fact in facts] + ["k", "(mixed f0)"]
        atoms += [f"(does {r} {m})" for r in roles for m in moves] * done
        chosen = rng.sample(atoms, min(count, len(atoms)))
        return " ".join(atom if rng.random() < 0.6 else f"(not {atom})" for atom in chosen)

    lines = [f"(role {role})" for role in roles]
    lines += [f"(init {fact})" for fact in facts[1:] if rng.random() < 0.5]
    lines += [
        "(mixed f1)",
        f"(<= (mixed f0) {positive(rng, facts)})",
        f"(<= k {aside(rng, facts)})",
    ]
    lines += [f"(<= k k {aside(rng, facts)})"]
    for role in roles:
        for move in moves:
            turn = f"(true (turn {role}))" if kind != "together" else ""
            lines += [f"(<= (legal {role} {move}) {turn} {conditions(rng.choice([0, 0, 1]))})"]
        if kind != "together":
            lines += [f"(<= (legal {role} wait) (not (true (turn {role}))))"]
            following = roles[(roles.index(role) + 1) % len(roles)]
            stays = f"(does {role} a)" if kind == "state" else "(not (mixed f1))"
            lines += [f"(<= (next (turn {role})) (true (turn {role})) {stays})"]
            lines += [f"(<= (next (turn {following})) (true (turn {role})) (not {stays}))"]
            if stays.startswith("(not"):
                lines[-1] = f"(<= (next (turn {following})) (true (turn {role})))"
    lines += [f"(init (turn {rng.choice(roles)}))"]
    for fact in facts:
        for _ in range(rng.randrange(1, 4)):
            lines += [f"(<= (next {fact}) {conditions(rng.randrange(1, 4), done=True)})"]
    lines += ["(<= terminal (true f0) (true f1))", f"(<= terminal {conditions(4)})"]
    for role in roles:
        ways = [conditions(rng.choice([0, 1, 1])) for _ in range(2)]
        lines += [f"(<= (goal {role} 100) {way})" for way in ways] + [f"(<= (goal {role} 50))"]
    return "\n".join(lines)


def random_gdl_game(rng: random.Random) -> GdlGame:
    """The game of a random description, asked about for any of its roles."""
    game = parse_game("random.gdl", random_description(rng))
    assert isinstance(game, GdlGame)
    return game.asking(rng.choice(game.roles))


def random_boxes(rng: random.Random) -> GdlGame:
    """Whoever takes the last item of a group owns it and moves again; some items are alike."""
    items, groups = range(rng.randrange(4, 7)), range(rng.randrange(2, 4))
    parts = [rng.sample(items, rng.randrange(2, 4)) for _ in groups]
    taken = rng.sample(items, rng.randrange(2))
    enough = rng.choice(
        ["(true (owns x ?a))", "(true (owns x ?a)) (true (owns x ?b)) (distinct ?a ?b)"]
    )
    text = f"""
(role x) (role o) (init (control {rng.choice("xo")}))
{" ".join(f"(item {item})" for item in items)}
{" ".join(f"(init (taken {item}))" for item in taken)}
(<= (legal ?r (take ?i)) (true (control ?r)) (item ?i) (not (true (taken ?i))))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (now ?i) (does ?r (take ?i)))
(<= (now ?i) (true (taken ?i)))
(<= (next (taken ?i)) (now ?i))
(<= (next (full ?g)) (complete ?g))
(<= (fresh ?g) (complete ?g) (not (true (full ?g))))
(<= again (fresh ?g))
(<= (next (owns ?r ?g)) (fresh ?g) (true (control ?r)))
(<= (next (owns ?r ?g)) (true (owns ?r ?g)))
(<= (next (control ?r)) (true (control ?r)) again)
(<= (next (control ?r)) (role ?r) (not (true (control ?r))) (not again))
(<= open (item ?i) (not (true (taken ?i))))
(<= terminal (not open))
(<= enough {enough})
(<= (goal x 100) enough)
(<= (goal x 0) (not enough))
(<= (goal o 100) (not enough))
(<= (goal o 0) enough)
"""
    text += "\n".join(
        f"(<= (complete {group}) {' '.join(f'(now {item})' for item in part)})"
        for group, part in zip(groups, parts, strict=True)
    )
    game = parse_game("boxes.gdl", text)
    assert isinstance(game, GdlGame)
    return game.asking(rng.choice(game.roles))


def random_points(rng: random.Random) -> GdlGame:
    """Whoever takes the last item of a group gets a point and moves again; points decide."""
    items, count = range(rng.randrange(4, 7)), rng.randrange(2, 5)
    parts = [rng.sample(items, rng.choice([1, 2, 2, 3])) for _ in range(count)]
    taken = [i for i in rng.sample(items, rng.randrange(2)) if [i] not in parts]
    some = rng.randrange(1, count + 1)
    x_wins = rng.choice(
        [
            "(true (points x ?a)) (true (points o ?b)) (less ?b ?a)",
            "(true (points x ?a)) (true (points o ?b)) (not (less ?a ?b))",
            "(true (points x ?a)) (true (points o ?b)) (less ?b ?a)",
            f"(true (points o ?b)) (less ?b {some})",
            f"(true (points x {some}))",
        ]
    )
    some_taken = "(true (taken 0)) (true (taken 1))"
    over = rng.choice([*["(not open)"] * 5, some_taken, some_taken, f"(true (points x {some}))"])
    text = f"""
(role x) (role o) (init (control {rng.choice("xo")}))
{" ".join(f"(item {item})" for item in items)}
{" ".join(f"(init (taken {item}))" for item in taken)}
{" ".join(f"(succ {n} {n + 1})" for n in range(count + 1))}
(init (points x 0)) (init (points o {int(rng.random() < 0.2)}))
(<= (less ?a ?b) (succ ?a ?b))
(<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))
(<= (legal ?r (take ?i)) (true (control ?r)) (item ?i) (not (true (taken ?i))))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (taken ?i)) (does ?r (take ?i)))
(<= (next (taken ?i)) (true (taken ?i)))
(<= one (full ?g))
(<= two (full ?g) (full ?h) (distinct ?g ?h))
(<= (next (points ?r ?n)) (true (points ?r ?n)) (not (true (control ?r))))
(<= (next (points ?r ?n)) (true (points ?r ?n)) (not one))
(<= (next (points ?r ?m)) (true (points ?r ?n)) (true (control ?r)) one (not two) (succ ?n ?m))
(<= (next (points ?r ?k))
    (true (points ?r ?n)) (true (control ?r)) two (succ ?n ?m) (succ ?m ?k))
(<= (next (control ?r)) (true (control ?r)) one)
(<= (next (control ?r)) (role ?r) (not (true (control ?r))) (not one))
(<= open (item ?i) (not (true (taken ?i))))
(<= terminal {over})
(<= x_wins {x_wins})
(<= (goal x 100) x_wins)
(<= (goal x 0) (not x_wins))
(<= (goal o 100) (not x_wins))
(<= (goal o 0) x_wins)
"""
    for group, part in enumerate(parts):
        for last in part:
            others = " ".join(f"(true (taken {item}))" for item in part if item != last)
            text += f"(<= (full g{group}) (does ?r (take {last})) {others})\n"
    game = parse_game("points.gdl", text)
    assert isinstance(game, GdlGame)
    return game.asking(rng.choice(game.roles))


def random_token(rng: random.Random) -> GdlGame:
    """A token goes along arrows; x wins if it is in one of some places in the end.

    Some moves have been made. No way leads back from the capital places, and a win may be
    impossible since it needs two steps at once.
    """
    places, end = rng.choice(["aBC", "abC", "abcD", "abCD", "abCDE"]), rng.randrange(3, 7)
    arrows = [(places[0], places[-1])]
    for p, q in product(places, repeat=2):
        likely = 0.6 if p.isupper() is q.isupper() else 0.2 * p.islower()
        arrows += [(p, q)] * (rng.random() < likely)
    steps = "".join(f"(succ {step} {step + 1})" for step in range(end))
    waits = "".join(f"(time {k})" for k in range(rng.randrange(1, 6)))
    wins = [place for place in places if place.islower() or rng.random() < 0.1]
    never = places if rng.random() < 0.9 else rng.sample(places, 1)
    condition = "(not (true (step 1))) " * (rng.random() < 0.2)
    condition += rng.choice(["", "", "", f"(not (true (step {end})))"])
    description = f"""
    (role x) (role o) (init (control x)) (init (step 0)) (init (at {places[0]})) {steps} {waits}
    {"".join(f"(arrow {p} {q})" for p, q in arrows)}
    (<= (legal ?r (go ?q)) (true (control ?r)) (true (at ?p)) (arrow ?p ?q))
    (<= (legal ?r (wait ?k)) (true (control ?r)) (time ?k))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (at ?q)) (does ?r (go ?q)))
    (<= (next (at ?p)) (true (at ?p)) (does ?r (wait ?k)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next (control ?r)) (role ?r) (not (true (control ?r))))
    (<= terminal (true (step {end})))
    {"".join(f"(<= arrived (true (at {place})))" for place in wins)}
    {"".join(f"(<= arrived (true (at {place})) (true (step 1)))" for place in never)}
    (<= (goal x 100) arrived {condition})
    (<= (goal x 0) (not arrived))
    """
    game = parse_game("token.gdl", description)
    assert isinstance(game, GdlGame)
    for _ in range(rng.choice([0, 1, 2, 3])):
        if moves := game.start.moves():
            game = game.after([rng.choice(moves)])
    return game


def positive(rng: random.Random, facts: list[str]) -> str:
    return " ".join(f"(true {fact})" for fact in rng.sample(facts, 1))


def aside(rng: random.Random, facts: list[str]) -> str:
    return f"(or {positive(rng, facts)} (not {positive(rng, facts)}))"

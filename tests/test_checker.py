"""The checker on strategies small enough to be judged by hand, line by line."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sample_files import named
from skolemate.formats import parse_pg
from skolemate.games import Player, Position, PositionalGame
from skolemate.games.family import build
from skolemate.games.symmetry import Permutation
from skolemate.strategies import Claim, Node, Report, check

BLACK, WHITE = Player.BLACK, Player.WHITE
A, B, C, D = range(4)


def game(*sets: str, cells: str = "a b c d", stones: str = "", white: str = "") -> PositionalGame:
    """Black begins, and wins with one of the sets; White may have a set, too."""
    plies = [f"t{ply}" for ply in range(1, len(cells.split()) - len(stones.split()) + 1)]
    lines = ["#times", " ".join(plies), "#blackturns", " ".join(plies[::2])]
    lines += ["#blackinitials", stones] if stones else []
    lines += ["#positions", cells, "#blackwins", *sets]
    return parse_pg("\n".join([*lines, *(["#whitewins", white] if white else []), ""]))


def after(where: PositionalGame, *moves: int) -> Position:
    return where.after(moves).start._replace(game=where)


def judged(
    where: PositionalGame,
    depth: int,
    nodes: Iterable[Node | Permutation],
    *,
    player: Player = BLACK,
    wins: bool = True,
) -> Report:
    return check(Claim(where, player, depth, wins), nodes)


# Black takes a1, then b1 or a2: a win in three plies, for which b2 counts nothing.
SQUARE = "a1 b1 a2 b2"
FORK = game("a1 b1", "a1 a2", cells=SQUARE)
SWAP = (A, C, B, D)  # b1 and a2 are alike
OTHER = game("a1 b1", "a1 b2", cells=SQUARE)
START = Node(FORK.start, 3, A)
ON_B = Node(after(FORK, A, B), 1, C)
ON_C = Node(after(FORK, A, C), 1, B)
ON_D = Node(after(FORK, A, D), 1, B)
ANSWERS = Node(after(FORK, A), 2)
WIN = [ON_B, ON_C, ON_D, ANSWERS, START]


def test_a_win_is_proved_line_by_line() -> None:
    assert judged(FORK, 3, WIN) == Report(True, 5, every_depth=False)
    assert judged(FORK, 4, WIN).holds


def test_a_win_is_not_proved_for_fewer_plies() -> None:
    report = judged(FORK, 2, WIN)
    assert (report.holds, report.nodes, report.position) == (False, 5, FORK.start)
    assert (report.every_depth, report.move) == (False, None)
    assert report.reason == "no line above, and no rule, proves a win here (plies left: 2)"


@pytest.mark.parametrize("place", range(5))
def test_no_line_can_be_spared(place: int) -> None:
    left_out = WIN[place]
    report = judged(FORK, 3, [node for node in WIN if node is not left_out])
    assert not report.holds
    assert report.nodes == (3 if place < 3 else 4)
    assert report.position == (FORK.start if place > 2 else ANSWERS.position)
    assert report.move == {0: B, 1: C, 2: D, 3: A, 4: None}[place]


def test_children_come_first() -> None:
    report = judged(FORK, 3, [ANSWERS, *WIN])
    assert (report.holds, report.nodes, report.position) == (False, 1, ANSWERS.position)


def test_of_two_lines_the_better_counts_whatever_comes_first() -> None:
    slow = ON_B._replace(left=3)
    assert judged(FORK, 3, [slow, *WIN]).holds
    assert judged(FORK, 3, [ON_B, slow, *WIN[1:]]).holds
    assert not judged(FORK, 3, [slow, *WIN[1:]]).holds


@pytest.mark.parametrize(
    ("place", "wrong", "reason"),
    [
        (0, ON_B._replace(left=0), "this needs no proof"),
        (0, Node(after(FORK, A, B, C), 1), "this needs no proof"),
        (0, ON_B._replace(move=None), "a reply belongs where Black is to move, and only there"),
        (0, ON_B._replace(move=D), "no line above, and no rule, proves a win here"),
        (0, ON_B._replace(move=A), "a1 is taken"),
        (3, ANSWERS._replace(move=B), "a reply belongs where Black is to move"),
        (3, ANSWERS._replace(left=1), "no line above, and no rule, proves a win"),
        (
            0,
            Node(after(OTHER, A, B), 1, D),
            "a position of another game",
        ),
        (0, ON_B._replace(move=None, pairs=((C, D),)), "pairs prove nothing here"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(place: int, wrong: Node, reason: str) -> None:
    report = judged(FORK, 3, [*WIN[:place], wrong, *WIN[place + 1 :]])
    assert not report.holds
    assert report.reason is not None
    assert reason in report.reason
    assert (report.nodes, report.position) == (place + 1, wrong.position)


def test_the_same_game_from_elsewhere_is_the_same() -> None:
    twin = game("a1 b1", "a1 a2", cells=SQUARE)
    assert twin is not FORK
    assert judged(twin, 3, WIN).holds


def test_symmetric_positions_share_a_proof() -> None:
    folded: list[Node | Permutation] = [SWAP, ON_B, ON_D, ANSWERS._replace(via={C: 0}), START]
    assert judged(FORK, 3, folded) == Report(True, 4)
    report = judged(FORK, 3, [(B, A, C, D), *folded])
    assert (report.holds, report.reason) == (False, "symmetry 0 does not keep the rules")
    assert (report.nodes, report.position) == (0, FORK.start)
    report = judged(FORK, 3, [SWAP, (A, B, D, C)])
    assert report.reason == "symmetry 1 does not keep the rules"
    report = judged(FORK, 3, [SWAP, ON_B, ON_D, ANSWERS._replace(via={C: 1}), START])
    assert (report.reason, report.move) == ("via names no symmetry above", C)
    report = judged(FORK, 3, [SWAP, ON_C, ON_D, ANSWERS._replace(via={C: 0}), START])
    assert (report.holds, report.move) == (False, B)


def test_a_stone_where_the_win_needs_none_is_like_another() -> None:
    assert judged(FORK, 3, [ON_B, ON_C, ANSWERS._replace(like={D: B}), START]).holds
    assert judged(FORK, 3, [ON_B, ON_C, ANSWERS._replace(like={D: C}), START]).holds


@pytest.mark.parametrize(
    "like",
    [
        {C: B},  # after b1, Black needs a2
        {B: C},  # and the other way round
        {D: C, C: B},  # a chain proves nothing
    ],
)
def test_a_stone_where_the_win_needs_one_is_like_no_other(like: dict[int, int]) -> None:
    report = judged(FORK, 3, [ON_B, ON_C, ON_D, ANSWERS._replace(like=like), START])
    assert not report.holds
    assert report.reason == "this move is not as good as a pass: it needs a proof of its own"
    assert (report.position, report.move) == (ANSWERS.position, next(iter(sorted(like))))


def test_what_a_turned_win_needs_is_not_known() -> None:
    report = judged(FORK, 3, [SWAP, ON_B, ANSWERS._replace(via={C: 0}, like={D: C}), START])
    assert (report.holds, report.move) == (False, D)


def test_the_first_cell_may_be_the_idle_one() -> None:
    fork = game("b2 b1", "b2 a2", cells=SQUARE)
    lines = [Node(after(fork, D, B), 1, C), Node(after(fork, D, C), 1, B)]
    replies = Node(after(fork, D), 2, like={A: B})
    assert judged(fork, 3, [*lines, replies, Node(fork.start, 3, D)]).holds
    replies = replies._replace(via={C: 0}, like={A: C})
    report = judged(fork, 3, [SWAP, lines[0], replies, Node(fork.start, 3, D)])
    assert (report.holds, report.move) == (False, A)


def test_a_turned_proof_must_be_quick_enough() -> None:
    slow = ON_C._replace(left=3)
    report = judged(FORK, 3, [SWAP, slow, ON_D, ANSWERS._replace(via={B: 0}), START])
    assert (report.holds, report.move) == (False, B)


def test_a_stone_that_may_serve_white_is_not_idle() -> None:
    """With b2 White goes for b2 c2: too late within two plies more, but not within three."""
    race = game("a1 b1", "a1 a2", cells=f"{SQUARE} c1 c2", white="b2 c2")
    a1, a2, b1, b2, c1, c2 = range(6)
    assert race.board.names == ("a1", "a2", "b1", "b2", "c1", "c2")
    lines = [
        Node(after(race, a1, a2), 1, b1),
        *(Node(after(race, a1, move), 1, a2) for move in (b1, c1, c2)),
    ]
    for left, holds in ((2, True), (3, False)):
        replies = Node(after(race, a1), left, like={b2: a2})
        report = judged(race, 4, [*lines, replies, Node(race.start, left + 1, a1)])
        assert report.holds is holds
        assert report.move == (None if holds else b2)


@pytest.mark.parametrize("idle", [0, 3, 4, 5])
def test_needs_are_handed_up_from_line_to_line(idle: int) -> None:
    """Against c Black plays d, then e or f: plies before, only a is known to count nothing."""
    deep = game("b c", "b d e", "b d f", cells="a b c d e f")
    a, b, c, d, e, f = range(6)
    lines = [
        *(Node(after(deep, b, c, d, move), 1, f if move == e else e) for move in (a, e, f)),
        Node(after(deep, b, c, d), 2),
        Node(after(deep, b, c), 3, d),
        *(Node(after(deep, b, move), 1, c) for move in (a, d, e, f) if move != idle),
        Node(after(deep, b), 4, like={idle: c}),
        Node(deep.start, 5, b),
    ]
    report = judged(deep, 5, lines)
    assert report.holds is (idle == a)
    assert report.move == (None if idle == a else idle)


# --- no win --------------------------------------------------------------------------------------

TWO_PAIRS = game("a b", "c d")


def test_pairs_in_all_sets_keep_black_from_winning_for_ever() -> None:
    pairs = Node(TWO_PAIRS.start, 2, pairs=((A, B), (C, D)))
    assert judged(TWO_PAIRS, 2, [pairs], wins=False) == Report(True, 1, every_depth=True)
    assert judged(TWO_PAIRS, 9, [pairs], wins=False).every_depth


def test_where_stones_are_too_few_the_proof_is_for_that_many_plies() -> None:
    half = Node(TWO_PAIRS.start, 2, pairs=((A, B),))  # one stone in two plies, and c d needs two
    assert judged(TWO_PAIRS, 2, [half], wins=False) == Report(True, 1, every_depth=False)
    assert not judged(TWO_PAIRS, 3, [half], wins=False).holds
    report = judged(TWO_PAIRS, 3, [half._replace(left=3)], wins=False)
    assert report.reason == "Black's set c d is open and contains no pair"


def test_stones_ahead_are_counted_from_the_position() -> None:
    row = game("a b c")
    short = Node(after(row, A), 3, pairs=())  # White, Black, White: one stone more, two needed
    replies = [Node(after(row, first), 3, pairs=()) for first in (B, C)]
    spoilt = Node(after(row, D), 3, pairs=((A, B),))
    start = Node(row.start, 4)
    assert judged(row, 4, [short, *replies, spoilt, start], wins=False).holds
    ahead = game("a b c", stones="a")
    report = judged(ahead, 3, [Node(ahead.start, 3, pairs=())], wins=False)
    assert report.reason == "Black's set a b c is open and contains no pair"
    assert judged(ahead, 2, [Node(ahead.start, 2, pairs=())], wins=False).holds
    assert judged(ahead, 3, [Node(ahead.start, 3, pairs=((B, C),))], wins=False).every_depth


def test_a_set_with_an_enemys_stone_needs_no_pair() -> None:
    nodes = [
        Node(after(TWO_PAIRS, A, B), 2, pairs=((C, D),)),
        Node(after(TWO_PAIRS, A), 3, B),
    ]
    moves = {B: A, C: D, D: C}
    for first, reply in moves.items():
        rest = (C, D) if reply in (A, B) else (A, B)
        nodes.append(Node(after(TWO_PAIRS, first, reply), 2, pairs=(rest,)))
        nodes.append(Node(after(TWO_PAIRS, first), 3, reply))
    report = judged(TWO_PAIRS, 4, [*nodes, Node(TWO_PAIRS.start, 4)], wins=False)
    assert report == Report(True, 9, every_depth=True)


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (((A, B),), "Black's set c d is open and contains no pair"),
        (((A, B), (C, C)), "c c is no pair of its own of open cells"),
        (((A, B), (B, C)), "b c is no pair of its own of open cells"),
        (((A, C), (B, D)), "Black's set a b is open and contains no pair"),
    ],
)
def test_pairs_that_spoil_too_little(pairs: tuple[tuple[int, int], ...], reason: str) -> None:
    report = judged(TWO_PAIRS, 4, [Node(TWO_PAIRS.start, 4, pairs=pairs)], wins=False)
    assert (report.holds, report.reason, report.nodes) == (False, reason, 1)


def test_pairs_are_of_open_cells() -> None:
    for moves, pair in (((A, C), (A, B)), ((C, A), (A, B))):
        node = Node(after(TWO_PAIRS, *moves), 2, pairs=(pair,))
        report = judged(TWO_PAIRS, 4, [node], wins=False)
        assert report.reason == "a b is no pair of its own of open cells"


@pytest.mark.parametrize(
    ("name", "player", "reason"),
    [
        ("gttt(p=2, q=1, shape=tic, width=3, height=3)", BLACK, "Black needs a goal, and one"),
        ("tictactoe(maker_breaker=true)", WHITE, "White needs a goal, and one stone a turn"),
        ("breakthrough(width=2, height=4)", BLACK, "has no hypergraph view"),
    ],
)
def test_where_pairs_prove_nothing(name: str, player: Player, reason: str) -> None:
    where = build(name)
    report = check(Claim(where, player, 3, False), [Node(where.start, 3, pairs=())])
    assert report.reason is not None
    assert reason in report.reason


def test_whites_sets_are_spoilt_for_white() -> None:
    board = named("tictactoe(moves=a1)")
    pairs = Node(board.start, 4, pairs=())  # White has two stones in four plies, and needs three
    assert judged(board, 4, [pairs], player=WHITE, wins=False) == Report(True, 1)
    report = judged(board, 5, [pairs._replace(left=5)], player=WHITE, wins=False)
    assert report.reason is not None
    assert report.reason.startswith("White's set")


def test_replies_keep_black_from_winning_within_the_plies() -> None:
    replies = [Node(after(FORK, first), 1, B if first == A else A) for first in range(4)]
    start = Node(FORK.start, 2)
    assert judged(FORK, 2, [*replies, start], wins=False) == Report(True, 5, every_depth=False)
    report = judged(FORK, 3, [*replies, start], wins=False)
    assert report.reason == (
        "no line above, and no rule, proves that there is no win here (plies left: 3)"
    )
    assert not judged(FORK, 2, [*replies[1:], start], wins=False).holds
    longer = replies[0]._replace(left=2)
    assert not judged(FORK, 2, [longer, *replies[1:], start], wins=False).holds


def test_of_two_refutations_the_longer_counts() -> None:
    long, short = (Node(TWO_PAIRS.start, n, pairs=p) for n, p in ((2, ((A, B),)), (1, ((C, D),))))
    for order in ([long, short], [short, long]):
        assert judged(TWO_PAIRS, 2, order, wins=False).holds


def test_a_full_board_is_a_draw_for_ever() -> None:
    small = game("a b", cells="a b")
    nodes = [Node(after(small, A), 1, B), Node(after(small, B), 1, A), Node(small.start, 2)]
    assert judged(small, 2, nodes, wins=False) == Report(True, 3, every_depth=True)


def test_idle_stones_prove_nothing_about_a_refutation() -> None:
    replies = [Node(after(FORK, first), 1, B if first == A else A) for first in range(3)]
    report = judged(FORK, 2, [*replies, Node(FORK.start, 2, like={D: B})], wins=False)
    assert (report.holds, report.move) == (False, D)


def test_rules_alone_prove_what_is_over() -> None:
    won = game("a", cells="a b", stones="a")
    assert judged(won, 0, []).holds
    assert not judged(won, 9, [], wins=False).holds
    stuck = build("domineering(width=1, height=2, moves=a1-a2)")
    assert check(Claim(stuck, BLACK, 1, True), []).holds
    assert not check(Claim(stuck, BLACK, 0, True), []).holds
    assert check(Claim(stuck, BLACK, 0, False), []).holds
    assert not check(Claim(stuck, BLACK, 1, False), []).holds
    assert check(Claim(stuck, WHITE, 5, False), []).every_depth

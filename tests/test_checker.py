"""The checker on strategies small enough to be judged by hand, line by line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from following import found, holds_against_everything
from sample_files import named
from skolemate.formats import parse_pg
from skolemate.games import Player, Position, PositionalGame
from skolemate.games.family import build
from skolemate.games.symmetry import Permutation
from skolemate.strategies import Claim, Node, Report, Strategy, check
from skolemate.strategies.nodes import Reply

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
    assert judged(FORK, 3, WIN) == found(True, 5, every_depth=False)
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
    assert judged(FORK, 3, folded) == found(True, 4)
    report = judged(FORK, 3, [(B, A, C, D), *folded])
    assert (report.holds, report.reason) == (False, "symmetry 0 does not keep the rules")
    assert (report.nodes, report.position) == (0, FORK.start)
    report = judged(FORK, 3, [SWAP, (A, B, D, C)])
    assert report.reason == "symmetry 1 does not keep the rules"
    report = judged(FORK, 3, [SWAP, ON_B, ON_D, ANSWERS._replace(via={C: 1}), START])
    assert (report.reason, report.move) == ("via names no symmetry above", C)
    report = judged(FORK, 3, [SWAP, ON_C, ON_D, ANSWERS._replace(via={C: 0}), START])
    assert (report.holds, report.move) == (False, B)


def test_a_turned_proof_must_be_quick_enough() -> None:
    slow = ON_C._replace(left=3)
    report = judged(FORK, 3, [SWAP, slow, ON_D, ANSWERS._replace(via={B: 0}), START])
    assert (report.holds, report.move) == (False, B)


# --- replies that answer several moves ------------------------------------------------------------

# b1 wins at once against everything but b1, and a2 against that.
REPLIES = Node(after(FORK, A), 2, replies=(Reply(B), Reply(C)))


def test_one_reply_answers_many_moves() -> None:
    assert judged(FORK, 3, [REPLIES, START]) == found(True, 2)
    # The same with White's stone on b2 as on any other cell that the win does not need.
    given = REPLIES._replace(position=Position(FORK, 1 << A, 1 << D, WHITE))
    assert judged(FORK, 3, [given, START]).move == A, "a node proves its own position alone"


@pytest.mark.parametrize(
    ("replies", "reason", "move"),
    [
        ([Reply(B)], "no reply answers this move", B),
        ([Reply(C)], "no reply answers this move", C),
        ([Reply(B), Reply(D)], "nothing above proves", D),
        ([Reply(B), Reply(C), Reply(A)], "nothing above proves", A),
        ([Reply(B), Reply(C, 0)], "no node 0 above", C),  # that is about one position
        ([Reply(B), Reply(C, 1)], "no node 1 above", C),  # that is itself
        ([Reply(B), Reply(C, 7)], "no node 7 above", C),
    ],
)
def test_replies_that_prove_too_little(replies: list[Reply], reason: str, move: int) -> None:
    report = judged(FORK, 3, [ON_B, REPLIES._replace(replies=tuple(replies)), START])
    assert not report.holds
    assert report.reason is not None
    assert reason in report.reason
    assert (report.position, report.move, report.nodes) == (REPLIES.position, move, 2)


def test_replies_take_two_plies() -> None:
    report = judged(FORK, 3, [REPLIES._replace(left=1), START])
    assert (report.holds, report.position) == (False, REPLIES.position)
    assert judged(FORK, 4, [REPLIES._replace(left=3), START._replace(left=4)]).holds
    assert not judged(FORK, 3, [REPLIES._replace(left=3), START]).holds


def test_replies_belong_on_the_opponents_turn() -> None:
    wrong = REPLIES._replace(position=REPLIES.position._replace(to_move=BLACK))
    report = judged(FORK, 3, [wrong, START])
    assert report.reason == "a reply belongs where Black is to move, and only there"


# Black has b and wins with c; against c with d, and then e or f.
DEEP = game("b c", "b d e", "b d f", cells="a b c d e f")
a, b, c, d, e, f = range(6)


def stones(black: int, white: int) -> Position:
    return Position(DEEP, black, white, WHITE)


AFTER_D = Node(stones(1 << b | 1 << d, 1 << a | 1 << c), 2, replies=(Reply(e), Reply(f)))
AFTER_B = Node(after(DEEP, b), 4, replies=(Reply(c), Reply(d, 0)))
BEGINS = Node(DEEP.start, 5, b)


def test_a_node_stands_for_all_that_is_no_better_for_the_opponent() -> None:
    assert judged(DEEP, 5, [AFTER_D, AFTER_B, BEGINS]) == found(True, 3)
    fewer = AFTER_D._replace(position=stones(1 << b | 1 << d, 1 << c))
    assert judged(DEEP, 5, [fewer, AFTER_B, BEGINS]).holds


@pytest.mark.parametrize(
    ("wrong", "move"),
    [
        (AFTER_D._replace(position=stones(1 << b | 1 << d, 1 << a)), c),  # c is not White's there
        (AFTER_D._replace(position=stones(1 << b | 1 << d | 1 << e, 1 << a | 1 << c)), None),
        (AFTER_D._replace(position=stones(1 << a | 1 << b | 1 << d, 1 << c)), d),  # needs a
        (AFTER_D._replace(left=3), d),  # too slow
        (Node(AFTER_D.position, 2, pairs=()), None),
    ],
)
def test_what_a_node_does_not_stand_for(wrong: Node, move: int | None) -> None:
    report = judged(DEEP, 5, [wrong, AFTER_B, BEGINS])
    assert not report.holds
    assert report.move == move


def test_only_what_holds_whoever_has_what_stands_for_others() -> None:
    """A node without replies is about one position, with its own turns ahead."""
    plain = [
        *(
            Node(
                stones(1 << b | 1 << d, 1 << c | 1 << m)._replace(to_move=BLACK),
                1,
                e if m != e else f,
            )
            for m in (a, e, f)
        ),
        Node(stones(1 << b | 1 << d, 1 << c), 2),
    ]
    moved = AFTER_B._replace(replies=(Reply(c), Reply(d, 3)))
    report = judged(DEEP, 5, [*plain, moved, BEGINS])
    assert (report.holds, report.move) == (False, d)


@pytest.mark.parametrize("taken", [a, b])
def test_a_reply_needs_an_open_cell(taken: int) -> None:
    given = Node(stones(1 << b, 1 << a), 4, replies=AFTER_B.replies)
    assert judged(DEEP, 5, [AFTER_D, given, AFTER_B, BEGINS]).holds
    again = given._replace(left=6, replies=(Reply(taken, 1),))
    report = judged(DEEP, 5, [AFTER_D, given, again])
    assert (report.holds, report.nodes, report.move) == (False, 3, taken)


def test_no_move_of_the_opponents_may_win() -> None:
    race = game("a1 b1", "a1 a2", cells=f"{SQUARE} c1 c2", white="b2 c2")
    a1, a2, b1, b2, _, c2 = range(6)
    replies = Node(after(race, a1), 2, replies=(Reply(b1), Reply(a2)))
    assert judged(race, 3, [replies, Node(race.start, 3, a1)]).holds
    given = replies._replace(position=Position(race, 1 << a1, 1 << b2, WHITE))
    report = judged(race, 3, [given])
    assert (report.reason, report.move) == ("White wins by this move", c2)


def test_a_node_may_be_turned_before_it_stands() -> None:
    """Black goes on along row or column, whichever is not disturbed: one node for both."""
    twins = game(
        *("a1 b1 c1", "a1 b1 c2", "a1 a2 a3", "a1 a2 b3"), cells="a1 b1 c1 a2 b2 c2 a3 b3 c3"
    )
    a1, b1, c1, a2, b2, c2, a3, b3, c3 = map(twins.board.cell, twins.board.names)
    turn = (a1, a2, a3, b1, b2, b3, c1, c2, c3)
    given = sum(1 << cell for cell in (a2, a3, b2, b3, c3))
    along = Node(
        Position(twins, 1 << a1 | 1 << b1, given, WHITE), 2, replies=(Reply(c1), Reply(c2))
    )
    root = Node(after(twins, a1), 4, replies=(Reply(b1, 0), Reply(a2, 0, 0)))
    start = Node(twins.start, 5, a1)
    assert judged(twins, 5, [turn, along, root, start]) == found(True, 3)
    for wrong in (Reply(a2, 0, 1), Reply(a2, 0)):
        odd = root._replace(replies=(Reply(b1, 0), wrong))
        report = judged(twins, 5, [turn, along, odd, start])
        assert (report.position, report.move) == (root.position, a2)


def test_where_replies_for_several_moves_prove_nothing() -> None:
    two_a_turn = build("gttt(p=2, q=1, shape=tic, width=3, height=3)")
    node = Node(two_a_turn.start, 3, replies=(Reply(0),))
    report = check(Claim(two_a_turn, BLACK, 3, False), [node])
    assert report.reason == "replies that answer several moves prove nothing in this game"
    # Turns that end before the board is full may end before a win that is only thought of.
    short = replace(FORK, schedule=FORK.schedule[:3])
    assert not Claim(short, BLACK, 3, True).monotone
    assert Claim(short, BLACK, 3, False).monotone
    assert Claim(FORK, BLACK, 3, True).monotone
    first = replace(FORK, first_moves=1)
    assert not Claim(first, BLACK, 3, True).monotone
    assert not Claim(build("tictactoe(maker_breaker=true)"), WHITE, 9, True).monotone


# --- no win --------------------------------------------------------------------------------------

TWO_PAIRS = game("a b", "c d")


def test_pairs_in_all_sets_keep_black_from_winning_for_ever() -> None:
    pairs = Node(TWO_PAIRS.start, 2, pairs=((A, B), (C, D)))
    assert judged(TWO_PAIRS, 2, [pairs], wins=False) == found(True, 1, every_depth=True)
    assert judged(TWO_PAIRS, 9, [pairs], wins=False).every_depth


def test_where_stones_are_too_few_the_proof_is_for_that_many_plies() -> None:
    half = Node(TWO_PAIRS.start, 2, pairs=((A, B),))  # one stone in two plies, and c d needs two
    assert judged(TWO_PAIRS, 2, [half], wins=False) == found(True, 1, every_depth=False)
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
    assert report == found(True, 9, every_depth=True)


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (((A, B),), "Black's set c d is open and contains no pair"),
        (((A, B), (C, C)), "c c is no pair of its own of open cells"),
        (((A, B), (B, C)), "b c is no pair of its own of open cells"),
        (((A, B), (A, C)), "a c is no pair of its own of open cells"),
        (((A, B), (C, B)), "c b is no pair of its own of open cells"),
        (((C, D), (C, A)), "c a is no pair of its own of open cells"),
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
        report = judged(TWO_PAIRS, 4, [node._replace(pairs=(pair[::-1],))], wins=False)
        assert report.reason == "b a is no pair of its own of open cells"


@pytest.mark.parametrize(
    ("name", "player", "reason"),
    [
        ("gttt(p=2, q=1, shape=tic, width=3, height=3)", BLACK, "Black needs a goal, and one"),
        ("tictactoe(maker_breaker=true)", WHITE, "White needs a goal, and one stone a turn"),
        ("breakthrough(width=2, height=4)", BLACK, "Black needs a goal, and one stone a turn"),
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
    assert judged(board, 4, [pairs], player=WHITE, wins=False) == found(True, 1)
    report = judged(board, 5, [pairs._replace(left=5)], player=WHITE, wins=False)
    assert report.reason is not None
    assert report.reason.startswith("White's set")


def test_replies_keep_black_from_winning_within_the_plies() -> None:
    replies = [Node(after(FORK, first), 1, B if first == A else A) for first in range(4)]
    start = Node(FORK.start, 2)
    assert judged(FORK, 2, [*replies, start], wins=False) == found(True, 5, every_depth=False)
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
    assert judged(small, 2, nodes, wins=False) == found(True, 3, every_depth=True)


def test_replies_keep_black_from_winning_for_ever() -> None:
    """Each stone of Black's is answered in its set; what is left is a pair."""

    def held(black: int, white: int, pair: tuple[int, int], left: int = 2) -> Node:
        return Node(Position(TWO_PAIRS, 1 << black, 1 << white, BLACK), left, pairs=(pair,))

    nodes = [held(A, B, (C, D)), held(B, A, (C, D)), held(C, D, (A, B)), held(D, C, (A, B))]
    replies = (Reply(B, 0), Reply(A, 1), Reply(D, 2), Reply(C, 3))
    start = Node(TWO_PAIRS.start, 4, replies=replies)
    assert judged(TWO_PAIRS, 4, [*nodes, start], wins=False) == found(True, 5, every_depth=True)
    report = judged(TWO_PAIRS, 4, [*nodes, start._replace(replies=replies[1:])], wins=False)
    assert (report.reason, report.move) == ("no reply answers this move", A)
    # Out of reach within the plies left is not out of reach.
    short, three = nodes[0]._replace(left=1, pairs=()), start._replace(left=3)
    assert judged(TWO_PAIRS, 3, [short, *nodes[1:], three], wins=False) == found(True, 5)
    # What holds for ever is not bound by the plies that its node was written for.
    assert judged(TWO_PAIRS, 4, [*nodes, three], wins=False).every_depth
    # But after four plies the board is full.
    short = short._replace(left=2)
    assert judged(TWO_PAIRS, 4, [short, *nodes[1:], start], wins=False).every_depth
    assert not judged(TWO_PAIRS, 5, [short, *nodes[1:], start], wins=False).holds
    report = judged(TWO_PAIRS, 5, [short, *nodes[1:], start._replace(left=5)], wins=False)
    assert report.move == B


# --- paths ---------------------------------------------------------------------------------------


def test_pairs_are_links_of_a_path() -> None:
    hexagon = build("hex(size=3)")
    assert isinstance(hexagon, PositionalGame)
    cell = hexagon.board.cell
    centre, links = cell("b2"), [(cell("b1"), cell("c1")), (cell("a3"), cell("b3"))]
    node = Node(after(hexagon, centre), 4, pairs=tuple(links))
    start = Node(hexagon.start, 5, centre)
    assert judged(hexagon, 5, [node, start]) == found(True, 2)
    assert not judged(hexagon, 5, [node._replace(left=3), start]).holds
    for pairs in ((), links[:1], links[1:], (links[0], (links[1][0], cell("c3")))):
        report = judged(hexagon, 5, [node._replace(pairs=tuple(pairs)), start])
        assert (report.holds, report.nodes) == (False, 1)
    # The one who asks is White: Black's path keeps White from hers, for ever.
    counter = judged(hexagon, 4, [node, start._replace(left=4)], player=WHITE, wins=False)
    assert counter == found(True, 2, every_depth=True)


def test_a_path_that_needs_too_many_stones_is_none() -> None:
    hexagon = build("hex(size=3)")
    assert isinstance(hexagon, PositionalGame)
    assert judged(hexagon, 4, [Node(hexagon.start, 4, pairs=())], wins=False) == found(True, 1)
    report = judged(hexagon, 5, [Node(hexagon.start, 5, pairs=())], wins=False)
    assert report.reason is not None
    assert report.reason.endswith("is open and contains no pair")


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


# --- a rule for the first move ------------------------------------------------------------------

# Black has o, p and q, and began on f, as the rule demands. Two pairs of cells are left, and White
# answers in each.
RULED = parse_pg(
    "#times\nt1 t2 t3 t4 t5\n#blackturns\nt1 t3 t5\n#positions\no p q f a b c d\n"
    "#blackinitials\no p q\n#firstmoves\nf\n#blackwins\no a b\no c d\n"
)


def test_a_rule_for_the_first_move_says_nothing_about_boards_that_cannot_arise() -> None:
    """A board with as many stones as the first one had: it is not the first move there."""
    began = RULED.after([RULED.board.cell("f")])
    cells = {name: began.board.cell(name) for name in "opqfabcd"}

    def board(black: str, white: str) -> Position:
        owned, taken = (sum(1 << cells[name] for name in names) for names in (black, white))
        return Position(began, owned, taken, WHITE)

    nodes = [
        Node(board("c", "ab"), 2, replies=(Reply(cells["d"]),)),
        Node(board("a", "cd"), 2, replies=(Reply(cells["b"]),)),
        Node(began.start, 4, replies=(Reply(cells["c"], 0), Reply(cells["a"], 1))),
    ]
    report = check(Claim(began, BLACK, 4, True), nodes)
    assert (report.holds, report.nodes) == (False, 1)
    assert report.reason == "nothing above proves what this reply is said to lead to"
    three = Node(board("oc", "ab"), 2, replies=(Reply(cells["d"]),))
    report = check(Claim(began, BLACK, 4, True), [three])
    assert (report.reason, report.move) == ("no reply answers this move", cells["d"])
    pairs = ((cells["a"], cells["b"]), (cells["c"], cells["d"]))
    assert check(Claim(began, BLACK, 4, False), [Node(began.start, 4, pairs=pairs)]).holds


@pytest.mark.parametrize(
    ("black", "white", "pairs", "plays"),
    [("p", "p q", "pq", "s"), ("p r", "p q\nr s", "pq rs", "t")],
)
def test_a_strategy_keeps_to_the_rule_for_the_first_move(
    black: str, white: str, pairs: str, plays: str
) -> None:
    """Though it would rather play within a pair, or win at once."""
    cells = "p q r s" if plays == "s" else "p q r s t"
    times = [f"t{ply}" for ply in range(1, len(cells.split()) + 1)]
    ruled = parse_pg(
        f"#times\n{' '.join(times)}\n#blackturns\n{' '.join(times[::2])}\n#positions\n{cells}\n"
        f"#firstmoves\n{plays}\n#blackwins\n{black}\n#whitewins\n{white}\n"
    )
    paired = tuple((ruled.board.cell(p[0]), ruled.board.cell(p[1])) for p in pairs.split())
    claim = Claim(ruled, WHITE, len(times), False)
    strategy = Strategy(claim, [Node(ruled.start, len(times), pairs=paired)])
    assert strategy.check().holds
    assert strategy.move(ruled.start) == ruled.board.cell(plays)
    assert holds_against_everything(strategy)


# --- what a report says ---------------------------------------------------------------------------

NOT_YET = "no line above, and no rule, proves a win here (plies left: 0)"


def test_a_report_says_what_is_proved() -> None:
    where = build("tictactoe(moves=a1 b1 a2 b2)")
    claim = Claim(where, BLACK, 1, True)
    report = check(claim, [Node(where.start, 1, where.board.cell("a3"))])
    nothing = dict.fromkeys(["reason", "black", "white", "to_move", "move"])
    said = {"holds": True, "nodes": 1, "every_depth": False} | nothing
    assert report.as_json() == claim.as_json() | said
    assert repr(report) == f"<Report: {where}: Black wins within 1 ply; proved by 1 node>"
    assert str(report) == (
        f"{where}: Black wins within 1 ply.\nThe strategy holds; it has 1 node.\n{claim.provenance}"
    )


def test_a_report_says_where_a_strategy_fails() -> None:
    where = build("tictactoe(moves=a1 b1 a2 b2)")
    claim = Claim(where, BLACK, 1, True)
    report = check(claim, [Node(where.start, 1, where.board.cell("c3"))])
    stones = {"black": ["a1", "a2"], "white": ["b1", "b2"], "to_move": "black", "move": "c3"}
    said = {"holds": False, "nodes": 1, "every_depth": False, "reason": NOT_YET}
    assert report.as_json() == claim.as_json() | said | stones
    place = f"Black a1 a2, White b1 b2, Black to move, after c3: {NOT_YET}"
    assert report.failure == place
    assert str(report) == f"The strategy does not hold: {place}.\n{claim.provenance}"
    assert repr(report) == f"<Report: {where}: Black wins within 1 ply; not proved>"
    empty = build("tictactoe")
    nowhere = check(Claim(empty, BLACK, 1, True), [])
    assert nowhere.as_json()["move"] is None
    assert nowhere.failure.startswith("Black -, White -, Black to move: no line above")
    other = Report(False, 0, reason="it is for another claim", claim=claim)
    assert not other.every_depth
    assert other.failure == "it is for another claim"
    assert other.as_json()["to_move"] is None

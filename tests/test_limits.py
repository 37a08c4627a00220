"""Limits are kept, by whatever is asked; and what happens to the engine does not happen to us."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from threading import Event, Thread, Timer, stack_size

import pytest

import sweep
from skolemate import solve
from skolemate.ask import Verdict
from skolemate.ask.how import How
from skolemate.ask.search import Search, settled_by_pairs
from skolemate.ask.value import Outcome, Value, with_moves
from skolemate.cli import main
from skolemate.errors import UserError
from skolemate.formats.bddl import parse_bddl
from skolemate.games import Game, Player, PositionalGame
from skolemate.games.family import FAMILIES, build
from skolemate.games.game import Question
from skolemate.games.sensible import ranked
from skolemate.limits import Budget, Limit, OutOfBudget, Reason, breathe, size_of
from skolemate.search import engine
from skolemate.search.engine import Engine

# The worst of `make sweep`, which looks at the clock.
WORST = [
    "hex(size=11)",
    sweep.stones_on_19x19(30),
    "hex(size=100)",
    "mnk(m=19, n=19, k=6)",
    "connect(k=4, width=19, height=20)",
    "domineering(width=19, height=20)",
    "breakthrough(width=100, height=100)",
    "gomoku(size=100)",
    "notakto(k=5, width=19, height=18)",
    "domination(width=100, height=100, torus=true)",
]


@pytest.mark.parametrize("name", WORST)
def test_a_question_beyond_reach_ends_with_its_time(name: str) -> None:
    answer = solve(build(name), timeout=0.3)
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, Reason.TIME)


@pytest.mark.parametrize("name", WORST)
def test_a_question_beyond_reach_ends_when_it_is_cancelled(name: str) -> None:
    game, stop = build(name), Event()
    Timer(0.3, stop.set).start()
    answer = solve(game, cancel=stop)
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, Reason.CANCELLED)


def test_every_family_is_swept() -> None:
    assert [family.name for family in FAMILIES] == sorted(sweep.LARGEST)
    for name, listed in sweep.LARGEST.items():
        for parameters in listed:
            assert parameters == "" or parameters[0] + parameters[-1] == "()", name


# --- work that knows of no limit ------------------------------------------------------------------


def test_long_work_heeds_whoever_waits() -> None:
    stop = Event()
    breathe()
    with Budget(cancel=stop).heeded():
        breathe()
        with Budget(Limit(0.0)).heeded(), pytest.raises(OutOfBudget):
            breathe()
        breathe()
        stop.set()
        with pytest.raises(OutOfBudget):
            build("hex(size=3)").offers("shape")
    breathe()


def test_a_game_that_is_not_built_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skolemate.loading.BUILDING", 0.0)
    with pytest.raises(UserError, match=r"not be built within the limit \(time\)"):
        solve("mnk(m=10000, n=1, k=5000)", timeout=0.01)


@pytest.mark.parametrize("name", ["breakthrough(width=40, height=40)", "hex(size=40)"])
def test_what_was_stopped_before_it_was_asked_is_unknown(name: str) -> None:
    stop = Event()
    stop.set()
    answer = solve(build(name), cancel=stop)
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, Reason.CANCELLED)


def test_on_a_huge_board_few_moves_are_looked_at_and_all_are_told() -> None:
    start = build("breakthrough(width=60, height=60)").start
    assert sorted(ranked(start)) == sorted(start.moves())


@pytest.mark.parametrize(("name", "from_the_start"), [("gomoku(size=19)", True), ("qubic", False)])
def test_on_large_boards_every_search_is_watched(
    name: str, from_the_start: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching: list[object] = []

    def watched(work: Callable[[], object], stop: object, budget: Budget) -> object:
        watching.append(work)
        return work()

    monkeypatch.setattr(engine, "watched", watched)
    game = build(name)
    Engine(game, Player.BLACK).ask(game.start, 1, Budget())
    assert bool(watching) is from_the_start


def test_the_choice_of_a_method_heeds_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def needs_no_engine(game: Game) -> bool:
        breathe()
        raise AssertionError("no limit was heeded")

    monkeypatch.setattr("skolemate.ask.how.needs_no_engine", needs_no_engine)
    question = Question(build("domination(width=20, height=20)"), Player.BLACK, 3)
    answer = How().method()(question, Budget(Limit(0.0)))
    assert (answer.verdict, answer.reason, answer.depth) == (Verdict.UNKNOWN, Reason.TIME, 3)


def test_pairs_are_looked_for_within_the_limit() -> None:
    game = build("cube(n=8, d=3)")
    with Budget(Limit(0.0)).heeded(), pytest.raises(OutOfBudget):
        settled_by_pairs(game)


def test_after_the_limit_no_move_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    game, out = build("gomoku(size=19)"), OutOfBudget(Reason.TIME)
    monkeypatch.setattr(PositionalGame, "after", None)
    value = with_moves(Search(), Value.unasked(game, out), None, Budget(Limit(0.0)))
    assert value.moves is not None
    assert [move for move, _ in value.moves] == list(game.start.moves())
    assert {after.outcome for _, after in value.moves} == {Outcome.UNKNOWN}


def test_of_thousands_of_unknown_moves_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["value", "gomoku(size=19)", "--all-moves", "--timeout", "0.1"]) == 30
    assert "\nNot known: every move.\n" in capsys.readouterr().out


# --- memory ---------------------------------------------------------------------------------------


def test_memory_is_looked_at_by_the_clock() -> None:
    budget = Budget(Limit(memory=1))
    with pytest.raises(OutOfBudget) as out:
        budget.check()
    assert out.value.reason is Reason.MEMORY


def test_too_little_memory_to_run_at_all_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError, match="too little to run at all: give 64M or more"):
        size_of("1K")
    with pytest.raises(SystemExit):
        main(["solve", "tictactoe", "--memory", "1K"])
    assert "too little to run at all" in capsys.readouterr().err


def test_a_table_that_cannot_be_had_is_a_reason() -> None:
    code = (
        "import resource, skolemate.api; from skolemate import solve\n"
        "resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))\n"
        "print(solve('hex(size=3)').reason.value)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "memory\n"


# --- accidents ------------------------------------------------------------------------------------


class Broken:
    """An engine that fails, at once or once it has several threads."""

    visited = 0

    def __init__(self, error: Exception, quick: bool) -> None:
        self.error, self.quick = error, quick

    def ask(self, *question: object) -> object:
        if self.quick or question[-1] == 0:
            raise self.error
        return type("Result", (), {"won": None})

    def ready(self) -> None: ...

    def stop(self) -> None: ...


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(
    ("error", "reason", "detail"),
    [
        (MemoryError(), Reason.MEMORY, None),
        (RuntimeError("vector"), Reason.SOLVER_ERROR, "the engine failed: vector"),
    ],
)
def test_an_accident_of_the_engine_is_a_reason(
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    reason: Reason,
    detail: str | None,
    quick: bool,
) -> None:
    monkeypatch.setattr(engine, "_placement", lambda *_: Broken(error, quick))
    answer = Search()(Question(build("tictactoe"), Player.BLACK, 5))
    assert (answer.verdict, answer.reason, answer.detail) == (Verdict.UNKNOWN, reason, detail)


def shuttling(actions: int = 1) -> str:
    """Rules by which stones go to and fro in their rows, for ever; each action so many times."""
    stated = [
        f":action {name}{number}\n:parameters (?x,?y)\n"
        f":precondition ({{0}}(?x,?y) open(?x{by},?y))\n:effect (open(?x,?y) {{0}}(?x{by},?y))\n"
        for name, by in (("left", "-1"), ("right", "+1"))
        for number in range(actions)
    ]
    return "".join(f"#{c}actions\n{''.join(stated).format(c)}" for c in ("black", "white"))


def shuttle(width: int, height: int, actions: int = 1) -> Game:
    problem = (
        f"#boardsize\n{width} {height}\n#init\n(black(1,1) white(1,2))\n"
        "#blackgoals\n(black(xmin,ymax))\n#whitegoals\n(white(xmin,ymin))\n"
    )
    return parse_bddl(problem, shuttling(actions))


def test_a_deep_search_does_not_overflow_the_stack() -> None:
    game, said = shuttle(3, 2), list[object]()

    def ask() -> None:
        try:
            said.append(Engine(game, Player.BLACK).ask(game.start, 9_999, Budget()).won)
        except OutOfBudget as out:
            said.append(out.reason)

    before = stack_size(256 << 10)
    try:
        thread = Thread(target=ask)
        thread.start()
        thread.join()
    finally:
        stack_size(before)
    assert said in ([Reason.MEMORY], [False])


@pytest.mark.slow
def test_more_moves_than_sixteen_bits_number_are_refused() -> None:
    game = shuttle(19, 20, actions=100)
    refused = engine.refusal(game)
    assert refused is not None
    assert "more than the 65,534 moves" in str(refused)
    with pytest.raises(UserError):
        Engine(game, Player.BLACK)


def test_more_moves_than_the_engine_numbers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST_ACTIONS", 10)
    game = shuttle(3, 2, actions=10)
    assert "more than the 10 moves" in str(engine.refusal(game))
    with pytest.raises(UserError):
        Engine(game, Player.BLACK)


def test_more_plies_than_the_table_counts_are_no_answer() -> None:
    game = shuttle(3, 2)
    with pytest.raises(OutOfBudget) as out:
        Engine(game, Player.BLACK).ask(game.start, 70_000, Budget())
    assert out.value.reason is Reason.SOLVER_ERROR


def test_a_budget_that_is_sent_elsewhere_is_what_is_left_of_it() -> None:
    budget = Budget(Limit(60, 1 << 30), progress=print)
    while not budget.wall_seconds:
        pass
    arrived: Budget = pickle.loads(pickle.dumps(budget))
    assert arrived.limit.seconds is not None
    assert arrived.limit.seconds < 60
    assert (arrived.limit.memory, arrived.progress) == (1 << 30, None)

"""The engine's table in a file: a search goes on where it was, and no other file is believed."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from threading import Event, Timer

import pytest

from differential import KINDS, expected, random_questions
from samples import sample
from skolemate import Verdict, solve
from skolemate.ask import kept
from skolemate.cli import main
from skolemate.errors import UserError
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.limits import Budget, Reason
from skolemate.search.engine import METHODS, Engine

# All three tables: depth-first search, proof numbers, standings of Hex; and every kind of rules.
NAMES = (
    "harary(shape=y, width=5, height=5, torus=true)",
    "hex(size=6)",
    "connect(k=4, width=5, height=5)",
    "domineering(width=6, height=6)",
    "breakthrough(width=4, height=4)",
    "qubic(maker_breaker=true)",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kept.table"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_known_is_not_searched_again(name: str, file: Path) -> None:
    depth = build(name).horizon
    first = solve(name, depth, engine="search", jobs=1, table=file)
    again = solve(name, depth, engine="search", jobs=1, table=file)
    assert (again.verdict, again.every_depth) == (first.verdict, first.every_depth)
    assert first.positions is not None
    assert again.positions is not None
    assert 4 * again.positions < first.positions


def test_a_search_that_was_stopped_goes_on(file: Path) -> None:
    name = "harary(shape=t, width=5, height=5, torus=true)"
    positions = []
    for turn in range(1, 100):
        answer = solve(name, 25, engine="search", jobs=1, timeout=turn * 0.3, table=file)
        positions.append(answer.positions or 0)
        if answer.verdict is not Verdict.UNKNOWN:
            break
        assert answer.reason is Reason.TIME
    assert answer.verdict is Verdict.NO_WIN
    assert len(positions) > 1
    whole = solve(name, 25, engine="search", jobs=1).positions or 0
    assert sum(positions) < 2 * whole


def test_a_search_that_was_cancelled_goes_on(file: Path) -> None:
    for seconds in (0.3, 3, 30):  # on a busy machine nothing may be searched at first
        stop = Event()
        Timer(seconds, stop.set).start()
        answer = solve("mnk(m=19, n=19, k=6)", table=file, cancel=stop)
        assert answer.reason is Reason.CANCELLED
        if file.exists():
            break
    assert file.stat().st_size > 1000
    assert not list(file.parent.glob("*.new"))


def test_positions_of_a_game_share_its_table(file: Path) -> None:
    solve("hex(size=6)", 36, table=file)
    after = solve("hex(size=6, moves=c3)", 35, "white", table=file)
    assert after.verdict is not Verdict.UNKNOWN
    again = solve("hex(size=6)", 36, jobs=1, table=file)  # Black's part is still there
    assert again.positions is not None
    assert again.positions < 5


@pytest.mark.parametrize("kind", KINDS)
def test_tables_that_are_filled_in_steps_are_right(kind: str) -> None:
    """Saved at any time and restored into an engine with other limits and methods."""
    rng, right = random.Random(f"kept {kind}"), {True: 0, False: 0}
    for question in islice(random_questions(rng, [kind]), 1000):
        game, player = question.game, question.player
        if game.breaker is player:
            continue
        pieces: list[tuple[int, int, bytes]] = []
        for most in (3, 30, 300, 0):
            engine = Engine(
                game,
                player,
                table_bytes=rng.choice([1_000, 1 << 16, 1 << 22]),
                without=rng.sample(METHODS, rng.choice([0, 0, 1, 3])),
            )
            for piece in pieces:
                assert engine.restore(*piece)
            depth = min(question.depth, question.depth if game.horizon is None else game.horizon)
            found = engine.try_to(game.start, depth, Budget(), most)
            assert found is None or found.won is expected(question), question
            pieces = list(engine.saved())
        assert found is not None
        right[found.won] += 1
        if sum(right.values()) >= sample(40) and min(right.values()) > 0:
            break
    assert min(right.values()) > 0


# --- files that are refused -----------------------------------------------------------------------


@pytest.fixture
def whole(file: Path) -> bytes:
    """The table of a game of Hex, in the file."""
    solve("hex(size=4)", table=file)
    return file.read_bytes()


def refused(file: Path, capsys: pytest.CaptureFixture[str], game: str = "hex(size=4)") -> str:
    """What is said of a file, which stays as it is."""
    before = file.read_bytes()
    assert main(["solve", game, "--table", str(file)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert file.read_bytes() == before
    return said.err


def test_another_game_is_refused(
    whole: bytes, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "another game, 'hex(size=4)'" in refused(file, capsys, "hex(size=5)")
    assert "another game, 'hex(size=4)'" in refused(file, capsys, "hex(size=4, black=a1)")
    assert "another game, 'hex(size=4)'" in refused(file, capsys, "tictactoe")


def test_games_with_the_same_board_are_different(file: Path) -> None:
    names = ("tictactoe", "tictactoe(misere=true)", "mnk(m=3, n=3, k=3, maker_breaker=true)")
    for name in names:
        file.unlink(missing_ok=True)
        solve(name, table=file)
        for other in set(names) - {name}:
            with pytest.raises(UserError, match="another game"):
                solve(other, table=file)


def test_another_engine_is_refused(
    whole: bytes, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "fingerprint", lambda game: "another")
    assert "another version of the engine" in refused(file, capsys)


@pytest.mark.parametrize("garbage", [b"", b"\n", b"{}", b'{"skolemate table": 1}\n', b"\0" * 5000])
def test_garbage_is_refused(garbage: bytes, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(garbage)
    assert "cannot be used" in refused(file, capsys)


def test_truncated_files_are_refused(
    whole: bytes, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random("truncated")
    for length in [*rng.sample(range(len(whole)), 20), len(whole) - 1]:
        file.write_bytes(whole[:length])
        assert "cannot be used" in refused(file, capsys)
    file.write_bytes(whole + b"\0")
    assert "damaged" in refused(file, capsys)


def test_flipped_bits_are_noticed(
    whole: bytes, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random("flipped")
    for _ in range(40):
        place, bit = rng.randrange(len(whole)), rng.randrange(8)
        flipped = bytearray(whole)
        flipped[place] ^= 1 << bit
        file.write_bytes(flipped)
        assert "cannot be used" in refused(file, capsys)


@pytest.mark.parametrize("name", NAMES)
def test_forged_files_do_no_harm(name: str, file: Path) -> None:
    """With a right digest: refused, or used, but nothing is read or written elsewhere."""
    solve(name, engine="search", jobs=1, timeout=1, table=file)
    whole = file.read_bytes()[: -kept.DIGEST]
    line, rng, used = whole.index(b"\n") + 1, random.Random(name), 0
    for changes in [1] * 10 + [2, 5, 1000]:
        forged = bytearray(whole)
        for _ in range(changes):
            forged[rng.randrange(line, len(forged))] = rng.randrange(256)
        file.write_bytes(forged + blake2b(forged, digest_size=kept.DIGEST).digest())
        with suppress(UserError):
            answer = solve(name, engine="search", timeout=0.2, table=file)
            used += answer.reason is not Reason.SOLVER_ERROR
    assert used > 0


def test_a_move_that_only_the_other_player_has_is_refused() -> None:
    game = build("domineering(width=6, height=7)")
    fewer, more = sorted(len(game.grounded().actions[player]) for player in Player)
    assert fewer < more
    engine = Engine(game, Player.BLACK, table_bytes=1 << 20)
    engine.try_to(game.start, 42, Budget(), 20_000)
    wide = len(game.grounded().actions[Player.BLACK]) == more  # whether Black has more moves
    taken = Counter[bool]()
    for table, part, entries in engine.saved():
        for place in range(0, len(entries), 24) if table == 0 else ():
            entry = bytearray(entries[place : place + 24])  # in byte 16 whose turn it is, then
            entry[18:20] = (more - 1).to_bytes(2, "little")  # in two bytes the move
            restored = Engine(game, Player.BLACK, table_bytes=1 << 20)
            white = bool(entry[16] & 1)
            assert restored.restore(table, part, bytes(entry)) is (white is not wide)
            taken[white] += 1
            if taken[white] > 20:
                break
    assert min(taken[False], taken[True]) > 5


def test_where_no_table_can_be_kept(tmp_path: Path) -> None:
    for name in ("-", str(tmp_path), str(tmp_path / "none" / "a.table"), "/dev/null"):
        with pytest.raises(UserError, match="cannot be used"):
            solve("hex(size=3)", table=name)
    with pytest.raises(UserError, match="only the engine has a table"):
        solve("hex(size=3)", 5, encoding="et", table=tmp_path / "a.table")


def test_an_answer_is_not_lost_with_its_table(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: str, chunks: object) -> None:
        raise UserError(f"cannot write {path!r}: no space left on device")

    monkeypatch.setattr(kept, "write_chunks", full)
    answer = solve("hex(size=3)", 5, table=file)
    assert answer
    assert answer.detail is not None
    assert "the table was not saved: cannot write" in answer.detail
    assert not file.exists()


def test_a_table_that_cannot_be_read_in_time_stays(file: Path) -> None:
    solve("hex(size=6)", 36, table=file)
    before = file.read_bytes()
    assert solve("hex(size=6)", 36, timeout=0.0, table=file).reason is Reason.TIME
    assert file.read_bytes() == before
    small = solve("hex(size=6)", 36, jobs=1, memory="64M", table=file)
    assert small.verdict is not Verdict.NO_WIN


def test_a_link_stays_a_link(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file)
    solve("hex(size=3)", table=link)
    assert link.is_symlink()
    assert file.is_file()


def test_a_strategy_is_proved_with_a_kept_table(file: Path, tmp_path: Path) -> None:
    strategy = tmp_path / "proof.jsonl"
    for _ in range(2):
        assert solve("hein(9)", 7, table=file, strategy=strategy)
        assert main(["check", str(strategy)]) == 0

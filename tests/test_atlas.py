"""The atlas: each entry has a proof, killing it loses nothing, and forgeries are found."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import atlas_page
import skolemate
from commands import command_line
from skolemate.ask.proving import prove_by_search
from skolemate.campaigns.atlas import (
    SECTIONS,
    Atlas,
    Entry,
    Finding,
    entries,
    settle_here,
    shape_game,
)
from skolemate.campaigns.atlas_tables import boards
from skolemate.cli import main
from skolemate.errors import UserError
from skolemate.games.goals import fitting
from skolemate.limits import Budget, Limit
from skolemate.strategies.claim import content

# Critical depths on 3x3 and its torus; all other shapes do not win.
WINS = {False: {"elam": 1, "domino": 3, "el": 5, "tippy": 9}}
WINS[True] = WINS[False] | {"tippy": 7}
LIMIT = Limit(60.0, 1 << 30)


def few() -> list[Entry]:
    """Three games with a win, and one without."""
    shapes = ("domino", "el", "tippy", "fatty")
    return [Entry("3x3", shape_game(shape, 3, False, False)) for shape in shapes]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    atlas = Atlas(str(tmp_path_factory.mktemp("atlas")))
    atlas.fill(few(), limit=LIMIT, jobs=2)
    return atlas


def folder_of(atlas: Atlas, where: Path) -> Atlas:
    """A copy, to be spoilt."""
    copy = Atlas(str(where))
    copy.proofs.mkdir()
    copy.index.write_bytes(atlas.index.read_bytes())
    for file in atlas.proofs.iterdir():
        (copy.proofs / file.name).write_bytes(file.read_bytes())
    return copy


# --- what is asked and found ----------------------------------------------------------------------


@pytest.mark.parametrize("section", SECTIONS)
def test_every_game_of_a_section_can_be_built(section: str) -> None:
    listed = entries([section])
    assert len(set(listed)) == len(listed)
    for entry in listed[:: max(1, len(listed) // 12)]:
        assert str(skolemate.load(entry.game)).startswith(entry.game.partition("(")[0])


def test_an_unknown_section_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["atlas", "--only", "9x9"]) == 2
    assert "'9x9' is neither a section" in capsys.readouterr().err


def test_all_shapes_on_3x3_are_as_exhaustive_search_says(tmp_path: Path) -> None:
    for folder in ("proofs", "unfinished"):
        (tmp_path / folder).mkdir()
    for entry in entries(["3x3"]):
        found = settle_here(Finding(*entry), tmp_path, Budget(LIMIT))
        shape = entry.game.partition("shape=")[2].partition(",")[0]
        depth = WINS["torus" in entry.game].get(shape)
        oracle = skolemate.oracle(entry.game)
        if "torus" not in entry.game or "maker_breaker" not in entry.game:
            assert oracle.critical_depth == depth, entry
        assert found.verdict == oracle.verdict.value
        assert not found.is_open
        assert (found.depth if found.verdict == "WIN" else None) == oracle.critical_depth


def test_an_entry_has_a_proof_for_its_win_and_one_that_there_is_no_quicker_one(
    small: Atlas,
) -> None:
    found = small.findings()
    assert [found[entry].depth for entry in few()] == [3, 5, 9, 9]
    claims = [sorted(found[entry].proofs.values()) for entry in few()]
    assert claims[2:] == [["NO_WIN 8 black", "WIN 9 black"], ["NO_WIN 9 black"]]
    for finding in found.values():
        for proof, claim in finding.proofs.items():
            assert skolemate.check(small.file(proof), finding.game, claim=claim).holds


def test_the_least_board_is_derived(small: Atlas) -> None:
    found = small.findings()
    tippy, fatty = (boards(found, shape, False, False) for shape in ("tippy", "fatty"))
    assert tippy is not None
    assert (tippy.least, tippy.largest_without) == ("3x3 in 9", "")
    assert fatty is not None
    assert (fatty.least, fatty.largest_without) == ("", "3x3")
    assert boards(found, "el", True, False) is None


def test_what_is_open_is_said_with_the_depth_refuted(tmp_path: Path) -> None:
    atlas = Atlas(str(tmp_path))
    entry = Entry("5x5", shape_game("u", 5, True, False))
    atlas.fill([entry], limit=Limit(0.001, 1 << 30))
    finding = atlas.findings()[entry]
    assert finding.is_open
    assert finding.verdict == "UNKNOWN"
    assert "(time)" in str(finding)


def test_an_answer_without_a_strategy_is_not_looked_for_again(tmp_path: Path) -> None:
    for folder in ("proofs", "unfinished"):
        (tmp_path / folder).mkdir()
    win = Finding(*few()[1], verdict="WIN", depth=5, refuted=4, why="no strategy")
    found = settle_here(win, tmp_path, Budget(LIMIT))
    assert not found.is_open
    assert (found.depth, found.why) == (5, None)


def test_a_slower_win_that_is_proved_is_kept(small: Atlas, tmp_path: Path) -> None:
    for folder in ("proofs", "unfinished"):
        (tmp_path / folder).mkdir()
    slow = replace(small.findings()[few()[1]], depth=9, refuted=2, sooner=None)
    found = settle_here(slow, tmp_path, Budget(Limit(0.0)))
    assert (found.verdict, found.depth, found.proof) == ("WIN", 9, slow.proof)
    found = settle_here(slow, tmp_path, Budget(LIMIT))
    assert (found.depth, found.is_open) == (5, False)


# --- killed and resumed ---------------------------------------------------------------------------


def test_a_killed_atlas_loses_nothing(tmp_path: Path) -> None:
    atlas = Atlas(str(tmp_path))
    words = ("atlas", "-o", str(tmp_path), "--only", "sim", "--timeout", "5")
    running = subprocess.Popen(
        command_line(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while not atlas.findings() and time.monotonic() < end:
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    kept = atlas.findings()
    assert kept
    with open(atlas.index, "a", encoding="utf-8") as stream:
        stream.write('{"section": "sim", "ga')  # killed within a line
    assert atlas.findings() == kept
    asked: list[Finding] = []
    sim5 = [entry for entry in entries(["sim"]) if entry.game == "sim(n=5)"]
    atlas.fill(sim5, limit=LIMIT, tell=asked.append)
    done = [entry for entry in sim5 if entry in kept and not kept[entry].is_open]
    assert {finding.entry for finding in asked} == set(sim5) - set(done)
    assert all(not atlas.findings()[entry].is_open for entry in sim5)
    assert all(complaint is None for _, complaint in atlas.check())


def test_entries_with_the_same_content_can_be_proved_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("proofs", "unfinished"):
        (tmp_path / folder).mkdir()
    alike = [Entry("3x3", shape_game(shape, 3, True, False)) for shape in ("p", "u")]
    one, other = (skolemate.load(entry.game) for entry in alike)
    assert content(one) == content(other)
    both_written = Barrier(2, timeout=60)

    def together(*asked: Any, **options: Any) -> None:
        prove_by_search(*asked, **options)
        both_written.wait()

    monkeypatch.setattr("skolemate.campaigns.atlas.prove_by_search", together)
    with ThreadPoolExecutor(2) as pool:
        settled = [
            pool.submit(settle_here, Finding(*entry), tmp_path, Budget(LIMIT)) for entry in alike
        ]
    for entry, future in zip(alike, settled, strict=True):
        found = future.result()
        assert found.entry == entry
        assert not found.is_open
        assert found.proof is not None
        assert skolemate.check(Atlas(str(tmp_path)).file(found.proof), entry.game).holds
    assert not list((tmp_path / "unfinished").iterdir())


def test_a_second_run_asks_nothing(small: Atlas) -> None:
    before = small.index.read_bytes()
    small.fill(few(), limit=LIMIT)
    assert small.index.read_bytes() == before


def test_only_one_process_at_a_time_adds_to_a_folder(small: Atlas) -> None:
    with open(small.index, "ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(UserError, match="another process is filling"):
            small.fill(few(), limit=LIMIT)


# --- checking -------------------------------------------------------------------------------------


def test_every_proof_is_checked_again(small: Atlas, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["atlas", "-o", str(small.folder), "--check"]) == 0
    assert capsys.readouterr().err == "7 proofs checked: all hold.\n"


def test_a_proof_that_was_tampered_with_is_found(
    small: Atlas, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    atlas = folder_of(small, tmp_path)
    tippy = atlas.findings()[few()[2]]
    assert tippy.proof is not None
    file = atlas.file(tippy.proof)
    file.write_bytes(file.read_bytes()[:-2] + b" ]\n")
    assert main(["atlas", "-o", str(tmp_path), "--check"]) == 1
    told = capsys.readouterr()
    assert "does not have the content that its name states" in told.out
    assert "1 entry wrong" in told.err
    file.unlink()
    assert main(["atlas", "-o", str(tmp_path), "--check"]) == 1
    assert "is missing" in capsys.readouterr().out


def test_a_proof_of_something_else_is_found(
    small: Atlas, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    atlas = folder_of(small, tmp_path)
    lines = []
    for line in atlas.index.read_text().splitlines():
        finding = json.loads(line)
        if finding["verdict"] == "WIN" and finding["depth"] == 9:
            finding["depth"] = 7  # a quicker win than the proof's
        lines.append(json.dumps(finding))
    atlas.index.write_text("\n".join(lines) + "\n")
    assert main(["atlas", "-o", str(tmp_path), "--check"]) == 1
    assert "WIN 7 black was expected" in capsys.readouterr().out


def test_the_list_is_plain_data(small: Atlas, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["atlas", "-o", str(small.folder), "--list", "--json"]) == 0
    told = capsys.readouterr()
    listed = json.loads(told.out)
    assert [row["depth"] for row in listed] == [3, 5, 9, 9]
    assert f"4 entries of {len(entries())}: 4 proved; 7 proofs" in told.err


# --- the published index --------------------------------------------------------------------------

# Critical depths by side and torus, strong; without torus weak ones are the same. Shapes that are
# not named do not win.
HARARY = {
    (3, False): WINS[False],
    (3, True): WINS[True],
    (4, False): {"elam": 1, "domino": 3, "el": 5, "tic": 5, "elly": 7, "tippy": 9},
    (5, False): {
        "elam": 1,
        "domino": 3,
        "el": 5,
        "tic": 5,
        "elly": 7,
        "knobby": 7,
        "tippy": 7,
        "n": 11,
    },
}
# Columns, rows, in a row: weak and strong.
MNK = {
    (3, 3, 3): (7, None), (4, 3, 3): (7, 7), (4, 4, 3): (5, 5), (5, 5, 3): (5, 5),
    (4, 4, 4): (None, None), (5, 4, 4): (None, None), (5, 5, 4): (9, None),
    (6, 4, 4): (None, None), (6, 5, 4): (9, 11),
}  # fmt: skip
DOMINEERING = (  # rows 2 to 6, columns 2 to 6
    (2, 2, None, 6, 6),
    (4, 4, None, None, None),
    (4, 6, 8, 10, 12),
    (None, 8, None, None, None),
    (6, 6, 12, 14, 18),
)


def literature() -> Iterator[tuple[Entry, int | None]]:
    for (side, torus), wins in HARARY.items():
        for shape in fitting(side, range(1, 7)):
            for weak in (False,) if torus else (False, True):
                game = shape_game(shape, side, torus, weak)
                yield Entry(f"{side}x{side}", game), wins.get(str(shape))
    for (m, n, k), (weakly, strongly) in MNK.items():
        yield Entry("mnk", f"mnk(m={m}, n={n}, k={k}, maker_breaker=true)"), weakly
        yield Entry("mnk", f"mnk(m={m}, n={n}, k={k})"), strongly
    for height, row in enumerate(DOMINEERING, 2):
        for width, depth in enumerate(row, 2):
            yield Entry("domineering", f"domineering(width={width}, height={height})"), depth
    for size, depth in {2: 3, 3: 5, 4: 9, 5: 13}.items():
        yield Entry("hex", f"hex(size={size})"), depth


def test_the_published_index_agrees_with_the_literature() -> None:
    found = atlas_page.known()
    assert sum(finding.proof is not None for finding in found.values()) > 200
    for entry, depth in literature():
        finding = found[entry]
        if depth is not None:
            assert (finding.verdict, finding.depth) == ("WIN", depth), entry
        else:
            assert finding.verdict == "NO_WIN", entry


def test_the_page_is_made_from_the_index() -> None:
    made = atlas_page.page(atlas_page.known())
    assert made == atlas_page.PAGE.read_text(encoding="utf-8"), "make it again: make atlas-page"

"""Files that want to mislead: `check` and `certify` say nothing false about them.

A verdict is printed only about the game whose rules were read, under a name that cannot be taken
for another's, and as far as it was proved.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import skolemate
from skolemate import Claim, Player, UserError, load
from skolemate.campaigns.suite import parse_suite
from skolemate.cli import main
from skolemate.formats import parse_pg, read_game, to_record
from skolemate.games.family import build
from skolemate.strategies.claim import content
from skolemate.strategies.lines import header_line

Output = pytest.CaptureFixture[str]
BLACK, WHITE = Player.BLACK, Player.WHITE

# Black takes a1, and has won.
TRIVIAL = "#times\nt1\n#blackturns\nt1\n#positions\na1 b1\n#blackwins\na1\n"
HEX_11 = "hex(size=11)"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files are named as a user names those in his folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_win(game: str) -> str:
    """A sound strategy for the trivial game, said to be for another."""
    header = json.loads(header_line(Claim(parse_pg(TRIVIAL), BLACK, 1, True)))
    node = {"at": "..", "turn": "black", "left": 1, "move": "a1"}
    Path("s.jsonl").write_text(f"{json.dumps(header | {'game': game})}\n{json.dumps(node)}\n")
    return "s.jsonl"


def write_claim(file: str, game: str, depth: int, wins: bool) -> str:
    """A strategy's file with nothing in it but the claim."""
    Path(file).write_text(header_line(Claim(build(game), BLACK, depth, wins)))
    return file


def told(arguments: list[str], capsys: Output) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


# --- certificates --------------------------------------------------------------------------------


def test_a_certificate_of_the_opposite_is_no_proof(capsys: Output) -> None:
    skolemate.oracle("hein(9)", 5, strategy="true.jsonl")
    assert main(["certify", "true.jsonl", "-e", "et", "-o", "h5.aag"]) == 0
    forged = write_claim("forged.jsonl", "hein(9)", 5, wins=True)
    capsys.readouterr()
    assert main(["certify", forged, "-e", "et", "--check", "h5.aag"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == (
        "The claim is false: the certificate proves that the formula of et is false "
        "(hein(9): Black cannot force a win within 5 plies)."
    )
    code, data = told(["certify", forged, "-e", "et", "--check", "h5.aag"], capsys)
    assert (code, data["verdict"], data["holds"], data["truth_value"]) == (1, "WIN", False, False)
    assert data["reason"].startswith("the claim is false")


def test_a_certificate_proves_a_claim_without_its_strategy(capsys: Output) -> None:
    skolemate.oracle("hein(9)", 5, strategy="true.jsonl")
    main(["certify", "true.jsonl", "-e", "et", "-o", "h5.aag"])
    bare = write_claim("bare.jsonl", "hein(9)", 5, wins=False)
    code, data = told(["certify", bare, "-e", "et", "--check", "h5.aag"], capsys)
    assert (code, data["holds"], data["truth_value"]) == (0, True, False)
    assert data["content"] == content(build("hein(9)"))


@pytest.mark.parametrize("encoding", ["cor+", "cor", "lifted"])
def test_a_constant_formula_needs_no_functions_but_the_right_claim(
    encoding: str, capsys: Output
) -> None:
    Path("empty.aag").write_text("aag 0 0 0 0 0\n")
    for wins in (True, False):
        claim = write_claim("claim.jsonl", "tictactoe", 1, wins)
        code, data = told(["certify", claim, "-e", encoding, "--check", "empty.aag"], capsys)
        assert (code, data["holds"], data["truth_value"]) == (int(wins), not wins, False)
    deep = write_claim("claim.jsonl", "tictactoe", 9, wins=True)
    code, data = told(["certify", deep, "-e", encoding, "--check", "empty.aag"], capsys)
    assert (code, data["holds"], data["truth_value"]) == (1, False, None)


@pytest.mark.parametrize("game", ["hex(size=2)", "tictactoe(moves=a1 b1 a2 b2)", "hex(size=1)"])
@pytest.mark.parametrize("encoding", ["cor+", "lifted"])
def test_no_certificate_proves_a_false_claim(game: str, encoding: str) -> None:
    """Neither that of the true one, nor none at all; also where nothing is left to prove."""
    Path("empty.aag").write_text("aag 0 0 0 0 0\n")
    for depth in range(4):
        truth = bool(skolemate.oracle(game, depth, strategy="true.jsonl"))
        assert skolemate.certify("true.jsonl", encoding, output="true.aag").holds
        forged = write_claim("forged.jsonl", game, depth, not truth)
        for file in ("true.aag", "empty.aag"):
            assert not skolemate.certify(forged, encoding, check=file).holds


# --- names ---------------------------------------------------------------------------------------


def test_a_family_comes_before_a_file_of_its_name(capsys: Output) -> None:
    Path(HEX_11).write_text(TRIVIAL)
    assert load(HEX_11) == build(HEX_11)
    assert main(["check", write_win(HEX_11)]) == 1
    assert "belongs to another game than hex(size=11)." in capsys.readouterr().out
    code, data = told(["check", "s.jsonl", "--game", f"./{HEX_11}"], capsys)
    assert (code, data["game"], data["file"]) == (0, f"'./{HEX_11}'", f"./{HEX_11}")


def test_a_family_comes_before_a_strategy_of_its_name(capsys: Output) -> None:
    Path(HEX_11).write_bytes(Path(write_win("left.pg")).read_bytes())
    assert main(["show", HEX_11]) == 0
    assert capsys.readouterr().out.startswith("hex(size=11): Black to move\n")
    Path("left.pg").write_text(TRIVIAL)
    assert main(["show", f"./{HEX_11}"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Claimed, not checked here: left.pg: Black wins within 1 ply.\n")


def test_files_that_no_family_can_build_are_found() -> None:
    for name in ("hex(size=3).pg", "hex(final)", "hein(99)"):
        Path(name).write_text(TRIVIAL)
        assert load(name) == load(f"{name}(first=black)") == parse_pg(TRIVIAL)
    Path("hein").write_text(TRIVIAL)
    with pytest.raises(UserError, match="hein needs number"):
        load("hein")
    assert load("./hein") == parse_pg(TRIVIAL)


def test_a_suite_means_the_family_as_well() -> None:
    Path("hex(size=2)").write_text(TRIVIAL)
    text = "[[runs]]\ngames = ['hex(size=2)']\ndepths = [3]\nmethods = ['reference']"
    (job,) = parse_suite("mine", text, folder=Path.cwd()).jobs
    assert (job.game, job.content) == ("hex(size=2)", None)


def record_of(name: str, description: str | None = TRIVIAL) -> str:
    entries: dict[str, object] = {
        "skolemate": "game",
        "game": name,
        "description": description,
        "moves": [],
    }
    Path("x.json").write_text(json.dumps(entries))
    return "x.json"


@pytest.mark.parametrize("name", [HEX_11, f" {HEX_11.upper()} ", "hex (11)", "tictactoe"])
def test_a_record_cannot_have_the_name_of_another_game(name: str, capsys: Output) -> None:
    strategy = write_win(record_of(name))
    for more in ([], ["--game", "x.json"]):
        assert main(["check", strategy, *more]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "the description does not match the game of this name" in printed.err


def test_a_record_may_describe_the_game_that_its_name_builds() -> None:
    lines = "a1 a2 a3\nb1 b2 b3\nc1 c2 c3\na1 b1 c1\na2 b2 c2\na3 b3 c3\na1 b2 c3\na3 b2 c1\n"
    plies = [f"t{ply}" for ply in range(1, 10)]
    described = (
        f"#times\n{' '.join(plies)}\n#blackturns\n{' '.join(plies[::2])}\n"
        f"#positions\na1 a2 a3 b1 b2 b3 c1 c2 c3\n#blackwins\n{lines}#whitewins\n{lines}"
    )
    game = read_game(record_of("tictactoe", described))
    assert (str(game), content(game)) == ("tictactoe", content(build("tictactoe")))


def test_what_python_calls_like_another_game_is_written_under_another_name() -> None:
    Path("x.json").write_text(to_record(parse_pg(TRIVIAL).renamed(HEX_11)))
    assert str(read_game("x.json")) == f"'./{HEX_11}'"


NAMES = {
    "a sentence": "tictactoe: Black wins within 5 plies. The strategy holds",
    "two lines": "hein(9): Black wins within 5 plies.\nThe strategy holds",
    "escapes for a terminal": "\x1b[2J\x1b[Hhein(9)",
    "right to left": "hein\u202e)9(",
    "nothing to be seen": "\u200bhex(size=11)",
    "a letter of another alphabet": "h\u0435x(size=11)",
    "our own words": "a; its content is 501a6d88e35ff592…",
    "quoted already": "'hex(size=11)'",
    "quoted otherwise": "\"hex(size=11)'",
    "blanks": "my game.pg",
    "a family with no more": "hex(size=11).",
    "long": "x" * 250,
}


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("made", ["file", "record"])
def test_no_name_is_taken_for_anything_else(kind: str, made: str, capsys: Output) -> None:
    if made == "file":
        Path(NAMES[kind]).write_text(TRIVIAL)
        file = f"./{NAMES[kind]}"
    else:
        file = record_of(NAMES[kind])
    assert main(["check", write_win(file)]) == 0
    first, second, third, end = capsys.readouterr().out.split("\n")
    name, _, claim = first.rpartition(": ")
    assert name[0] == name[-1]
    assert name[0] in "'\""
    assert claim == "Black wins within 1 ply."
    assert second == "The strategy holds; it has 1 node."
    assert third.startswith("The game is read from ")
    assert third.endswith(f"; its content is {content(parse_pg(TRIVIAL))[:16]}…")
    assert (first + second + third).isprintable()
    assert len(first) < 300
    assert not end


@pytest.mark.parametrize("kind", NAMES)
def test_the_name_of_a_file_leads_back_to_it(kind: str) -> None:
    Path(NAMES[kind]).write_text(TRIVIAL)
    game = load(f"./{NAMES[kind]}")
    moved = game.after(game.parse_moves("b1"))
    assert load(str(game)) == game
    assert load(str(moved)) == moved
    Path("x.json").write_text(to_record(moved))
    again = read_game("x.json")
    assert again == moved
    assert len(NAMES[kind]) > 200 or str(again) == str(moved)


def test_a_game_says_where_it_was_read(capsys: Output) -> None:
    Path("left.pg").write_text(TRIVIAL)
    code, data = told(["check", write_win("left.pg")], capsys)
    assert (code, data["game"], data["file"]) == (0, "left.pg", "left.pg")
    assert data["content"] == content(parse_pg(TRIVIAL))
    main(["check", "s.jsonl"])
    assert "The game is read from left.pg; its content is " in capsys.readouterr().out
    built = Claim(load("hein(9, moves=b2)"), BLACK, 6, True)
    assert built.provenance.startswith("The game is built from its name; its content is ")
    renamed = Claim(parse_pg(TRIVIAL).renamed(HEX_11), BLACK, 1, True)
    assert "neither built from its name nor read from a file" in renamed.provenance


def test_a_file_whose_name_is_no_text_is_found_again(capsys: Output) -> None:
    name = os.fsdecode(b"\xff.pg")
    Path(name).write_text(TRIVIAL)
    skolemate.oracle(name, strategy="s.jsonl")
    code, data = told(["check", "s.jsonl"], capsys)
    assert (code, data["game"], data["file"]) == (0, r"'\udcff.pg'", r"'\udcff.pg'")


def test_messages_about_files_are_one_printable_line(capsys: Output) -> None:
    for name in ("a\nb.jsonl", "\x1b[31mred.jsonl", "\u202e.jsonl"):
        Path(name).write_text("nothing")
        for arguments in (["check", name], ["show", name], ["certify", name, "-e", "et"]):
            assert main(arguments) == 2
            line, end = capsys.readouterr().err.split("\n")
            assert line.isprintable()
            assert not end


def test_cells_have_names_that_can_be_printed() -> None:
    for name in ("\x1b[2J", "\u202e", "b\x00"):
        with pytest.raises(UserError, match="characters that cannot be printed"):
            parse_pg(TRIVIAL.replace("b1", name))


# --- claims --------------------------------------------------------------------------------------


@pytest.fixture
def hein5() -> str:
    skolemate.oracle("hein(9)", 5, strategy="hein5.jsonl")
    return "hein5.jsonl"


def test_an_expected_claim_is_checked(hein5: str, capsys: Output) -> None:
    for words in ("NO_WIN 5 black", " no_win  05 Black"):
        assert main(["check", hein5, "--game", "hein(9)", "--expect", words]) == 0
    for words in ("WIN 5 black", "NO_WIN 7 black", "NO_WIN 5 white"):
        capsys.readouterr()
        assert main(["check", hein5, "--expect", words]) == 1
        assert capsys.readouterr().out.startswith(
            "The strategy does not hold: it is for another claim; "
            f"{words} was expected, and the file claims NO_WIN 5 black.\n"
        )
    assert main(["check", hein5, "--game", "hein(12)", "--expect", "NO_WIN 5 black"]) == 1


@pytest.mark.parametrize(
    "words",
    ["", "WIN", "WIN black 5", "UNKNOWN 5 black", "WIN -5 black", f"WIN {'9' * 5000} black"],
)
def test_an_expectation_that_is_no_claim_is_a_mistake(words: str, hein5: str) -> None:
    assert main(["check", hein5, f"--expect={words}"]) == 2


def test_an_expected_claim_in_python(hein5: str) -> None:
    claim = Claim(build("hein(9)"), BLACK, 5, False)
    assert skolemate.check(hein5, claim=claim).holds
    assert skolemate.check(hein5, "hein(9)", claim="NO_WIN 5 black").holds
    others = [
        Claim(build("hein(9)"), BLACK, 5, True),
        Claim(build("hein(9)"), WHITE, 5, False),
        Claim(build("hein(9)"), BLACK, 3, False),
        Claim(build("hein(12)"), BLACK, 5, False),
    ]
    for other in others:
        assert not skolemate.check(hein5, claim=other).holds
        assert not skolemate.check(hein5, "hein(9)", claim=other).holds


def test_a_report_says_what_was_claimed() -> None:
    """Nothing is needed to prove that there is no win within no plies."""
    report = skolemate.check(write_claim("nothing.jsonl", "hein(9)", 0, wins=False))
    assert report.holds
    assert report.claim == Claim(build("hein(9)"), BLACK, 0, False)
    assert str(report).startswith("hein(9): Black cannot force a win within 0 plies.\n")
    data = report.as_json()
    claimed = [data[key] for key in ("game", "player", "depth", "verdict", "every_depth")]
    assert claimed == ["hein(9)", "black", 0, "NO_WIN", False]
    assert not skolemate.check("nothing.jsonl", claim="NO_WIN 5 black").holds


# --- JSON ----------------------------------------------------------------------------------------

TWICE = [
    ('"depth":5', '"depth":7,"depth":5', "the key 'depth' is given twice"),
    ('"depth":5', '"dep\\u0074h":7,"depth":5', "the key 'depth' is given twice"),
    ('"version":1', '"version":true', "version 'True' is not 1"),
    ('"version":1', '"version":1.0', "version '1.0' is not 1"),
    ('"depth":5', '"depth":NaN', "NaN is no number in JSON"),
    ('"depth":5', '"depth":5,"more":-Infinity', "-Infinity is no number in JSON"),
    ('"hein(9)"', '"\\ud800"', "half of a character is no text"),
    ('"turn":"black"', '"turn":"white","turn":"black"', "the key 'turn' is given twice"),
    ('"left":', '"via":{"a1":0,"a1":1},"left":', "the key 'a1' is given twice"),
    ('"left":', '"replies":[["a1",0,null,[]]],"left":', "replies are moves with earlier nodes"),
    ('"left":', '"replies":[["a1",0,1,"b1"]],"left":', "replies are moves with earlier nodes"),
]


def test_no_more_is_blank_than_the_rules_of_zones_allow() -> None:
    """Every letter of a small strategy made blank in turn: what is accepted must be true."""
    file, truth = Path("zones.jsonl"), {"WIN": 0, "refused": 0}
    answer = skolemate.solve("mnk(m=4, n=3, k=3)", engine="search")
    skolemate.prove(answer, str(file), engine="search")
    header, *lines = file.read_text().splitlines()
    assert any("?" in line for line in lines)
    for number, line in enumerate(lines):
        entry = json.loads(line)
        for place in range(len(entry.get("at", ""))):
            letters = entry["at"][:place] + "?" + entry["at"][place + 1 :]
            other = json.dumps(entry | {"at": letters})
            file.write_text("\n".join([header, *lines[:number], other, *lines[number + 1 :]]))
            truth["WIN" if skolemate.check(str(file)).holds else "refused"] += 1
    assert min(truth.values()) > 5
    # A claim that is false stays so: the same lines, one ply less.
    bolder = json.dumps(json.loads(header) | {"depth": answer.depth - 1})
    file.write_text("\n".join([bolder, *lines]))
    assert not skolemate.check(str(file)).holds


@pytest.mark.parametrize(("old", "new", "message"), TWICE)
def test_a_line_of_a_strategy_has_one_meaning(old: str, new: str, message: str, hein5: str) -> None:
    text = Path(hein5).read_text()
    assert old in text
    Path(hein5).write_text(text.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        skolemate.check(hein5)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('"game": "tictactoe"', "the key 'game' is given twice"),
        ('"more": {"a": 1, "a": 2}', "the key 'a' is given twice"),
        ('"more": NaN', "NaN is no number in JSON"),
    ],
)
def test_a_record_has_one_meaning(entry: str, message: str) -> None:
    Path("x.json").write_text(f'{{"skolemate": "game", "game": "hein(9)", "moves": [], {entry}}}')
    with pytest.raises(UserError) as caught:
        read_game("x.json")
    assert message in str(caught.value)

"""The commands, called as a user calls them."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from commands import command_line
from evaluator import depqbf
from skolemate.api import encode
from skolemate.cli import COMMANDS, main
from skolemate.encodings import ENCODINGS
from skolemate.formula.qcir import read_qcir
from skolemate.formula.qdimacs import read_qdimacs
from skolemate.games import Player
from skolemate.games.family import FAMILIES, build
from skolemate.games.game import Question

ANSWER_KEYS = """
    game player depth verdict reason detail critical_depth refuted_depth every_depth first_moves
    first_moves_complete blocking method encoding pipeline symmetry positions wall_seconds
    cpu_seconds peak_bytes
""".split()  # noqa: SIM905  easier to read than quoted words

Output = pytest.CaptureFixture[str]


def skolemate(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command_line(*arguments),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_games_lists_every_family(capsys: Output) -> None:
    assert main(["games"]) == 0
    listed = capsys.readouterr().out
    for family in FAMILIES:
        assert f"\n{family.name} " in listed
        assert family.summary in listed


def test_games_describes_one(capsys: Output) -> None:
    assert main(["games", "harary"]) == 0
    described = capsys.readouterr().out
    assert "torus" in described
    assert "true or false" in described
    assert "elam, domino, el," in described
    assert main(["games", "connect6"]) == 0
    assert "none or mickey_mouse" in capsys.readouterr().out
    assert main(["games", "hein", "--json"]) == 0
    parameters = json.loads(capsys.readouterr().out)["parameters"]
    [number] = parameters
    assert number == {
        "name": "number",
        "kind": "whole number",
        "choices": [],
        "default": None,
        "required": True,
    }
    assert main(["games", "gttt", "--json"]) == 0
    defaults = {p["name"]: p["default"] for p in json.loads(capsys.readouterr().out)["parameters"]}
    assert (defaults["p"], defaults["torus"], defaults["shape"]) == (1, False, "tippy")


def test_games_as_json_is_a_list(capsys: Output) -> None:
    assert main(["games", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in listed] == [family.name for family in FAMILIES]
    for entry in listed:
        for example in entry["examples"]:
            build(example)


def test_show_prints_the_board(capsys: Output) -> None:
    assert main(["show", "tictactoe", "--moves", "b2 a1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("tictactoe(moves=b2 a1): Black to move\n\n")
    assert shown.count("X") == 1
    assert shown.count("O") == 1


def test_show_says_who_has_won(capsys: Output) -> None:
    main(["show", "tictactoe(moves=a1 b1 a2 b2 a3)"])
    assert "Black has won" in capsys.readouterr().out
    main(["show", "tictactoe(moves=a1 b2 c3 a2 c2 c1 a3 b3 b1)"])
    assert ": a draw\n" in capsys.readouterr().out


def test_show_saves_a_picture(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "board.svg"
    assert main(["show", "hein(9)", "--moves", "b2", "--svg", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert ET.parse(file).getroot().tag.endswith("svg")
    assert main(["show", "hein(9)", "--svg", "-"]) == 0
    assert ET.fromstring(capsys.readouterr().out).tag.endswith("svg")


def test_show_as_json(capsys: Output) -> None:
    assert main(["show", "hein(4)", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["black"] == ["a1"]
    assert shown["white"] == ["b1", "c2"]
    assert shown["to_move"] == "black"
    assert shown["winner"] is None
    assert shown["horizon"] == 6
    assert shown["views"] == ["grounded", "hypergraph", "connection", "transversal", "bddl"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["hein(9)", "-d", "7"], 10, "hein(9): Black wins within 7 plies."),
        (["hein(9)", "-d", "6"], 20, "hein(9): Black cannot force a win within 6 plies."),
        (["hein(9)"], 10, "hein(9): Black wins within 7 plies, and not sooner."),
        (["tictactoe"], 20, "tictactoe: Black cannot force a win at any depth."),
        (["tictactoe", "--player", "white"], 20, "White cannot force a win at any depth."),
        (
            ["hex(size=5)", "--timeout", "0.1"],
            30,
            "not known whether Black wins (time); proved: no win",
        ),
        (["hex(size=4)", "--max-depth", "3"], 30, "proved: no win within 3 plies"),
        (["hein(9)", "--moves", "b2 b3", "-d", "5"], 10, "Black wins within 5 plies"),
    ],
)
def test_oracle_answers(arguments: list[str], code: int, sentence: str, capsys: Output) -> None:
    assert main(["oracle", *arguments]) == code
    assert sentence in capsys.readouterr().out


def test_oracle_shows_the_winning_moves(capsys: Output) -> None:
    main(["oracle", "tictactoe(maker_breaker=true)", "-d", "7"])
    shown = capsys.readouterr().out
    assert "Winning first moves within 7 plies: a1, a3, b2, c1, c3." in shown
    assert shown.count("*") == 5


@pytest.mark.parametrize("game", ["hein(4)", "tictactoe", "hex(size=4)"])
def test_oracle_json_has_all_keys(game: str, capsys: Output) -> None:
    code = main(["oracle", game, "--max-depth", "5", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ANSWER_KEYS
    assert {10: "WIN", 20: "NO_WIN", 30: "UNKNOWN"}[code] == answer["verdict"]
    assert answer["method"] == "reference"


def test_a_files_own_depth_is_the_default(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "two.pg"
    file.write_text(
        "#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\na b c d\n#blackwins\na b\nc d\na c\n"
    )
    assert main(["oracle", str(file)]) == 10
    assert capsys.readouterr().out.startswith("two.pg: Black wins within 3 plies.")
    assert main(["oracle", str(file), "-d", "2"]) == 20
    assert main(["oracle", str(file), "-d", "auto", "--json"]) == 10
    capsys.readouterr()
    assert main(["show", f"{file}(moves=a)"]) == 0
    assert "two.pg(moves=a): White to move" in capsys.readouterr().out


def test_encodings_are_listed(capsys: Output) -> None:
    assert main(["encodings"]) == 0
    listed = capsys.readouterr().out
    for encoding in ENCODINGS:
        assert f"\n{encoding.name} " in listed
    assert main(["encodings", "ET", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["views"] == ["connection", "transversal"]
    assert main(["encodings", "cor+"]) == 0
    assert "A Polished Encoding, 2021" in capsys.readouterr().out


@pytest.mark.parametrize(("symmetry", "clauses"), [(False, 209), (True, 189)])
def test_every_command_states_the_same_formula_and_says_which(
    symmetry: bool, clauses: int, tmp_path: Path, capsys: Output
) -> None:
    question, switch = ["hex(size=3)", "-d", "5"], ["--symmetry"] if symmetry else []
    formula, strategy = tmp_path / "formula.qdimacs", str(tmp_path / "strategy.jsonl")
    certificate, store = tmp_path / "certificate.aag", str(tmp_path / "store.sqlite")
    suite = tmp_path / "suite.toml"
    flag = "symmetry = true\n" if symmetry else ""
    suite.write_text(
        f"{flag}[[runs]]\ntask = 'size'\ngames = ['hex(size=3)']\ndepths = [5]\nencodings = ['et']"
    )

    def told(*command: str) -> Any:
        main([*command, *switch, "--json"])
        return json.loads(capsys.readouterr().out)

    [sizes] = told("stats", *question, "-e", "et")
    assert (sizes["clauses"], sizes["symmetry"]) == (clauses, symmetry)
    assert told("encode", *question, "-e", "et", "-o", str(formula)) == sizes
    solved = told("solve", *question, "-e", "et", "--strategy", strategy)
    assert (solved["verdict"], solved["symmetry"]) == ("WIN", symmetry)
    certified = told("certify", strategy, "-e", "et", "-o", str(certificate))
    assert (certified["holds"], certified["symmetry"]) == (True, symmetry)
    for file in (formula, certificate):
        head = "symmetry: yes, the first move is" if symmetry else "symmetry: no\n"
        assert head in file.read_text()
    assert encode("hex(size=3)", 5, encoding="et", symmetry=symmetry).sizes.clauses == clauses
    main(["bench", "run", str(suite), "--store", store])
    main(["bench", "report", "--store", store, "-o", str(tmp_path / "report.md")])
    word = "yes" if symmetry else "no"
    row = f"| hex(size=3), d = 5 | et | {word} |  | 5 | 8 | {sizes['existentials']} |"
    assert row in (tmp_path / "report.md").read_text()
    main(["bench", "export", str(suite), "-o", str(tmp_path / "exported")])
    [entry] = json.loads((tmp_path / "exported" / "manifest.json").read_text())["files"]
    assert (entry["clauses"], entry["symmetry"]) == (clauses, symmetry)


def test_encode_writes_a_file_that_describes_itself(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "hein9.qdimacs"
    command = ["encode", "hein(9)", "-d", "7", "-e", "et", "-o", str(file)]
    assert main(command) == 0
    written = file.read_text()
    assert capsys.readouterr().out == ""
    assert "c question: can Black force a win in hein(9) within 7 plies?" in written
    assert "c block 1: exists" in written
    assert str(tmp_path) not in written
    assert depqbf(read_qdimacs(written.encode()))
    main(command)
    assert file.read_text() == written, "the same input gives the same bytes"
    assert main(["encode", "hein(9)", "-d", "7", "-e", "et", "--legend"]) == 0
    assert "\nc 1 move(t1, bit0)\n" in capsys.readouterr().out


def test_encode_for_white_says_that_colours_are_exchanged(capsys: Output) -> None:
    game = "hex(size=3, first=white)"
    assert main(["encode", game, "-d", "5", "-e", "cor+", "--player", "white", "--symmetry"]) == 0
    printed = capsys.readouterr().out
    assert "can White force a win in hex(size=3, first=white) within 5 plies?" in printed
    assert "colours are exchanged" in printed
    assert "symmetry: yes, the first move is one of each class" in printed
    assert main(["encode", "hein(9)", "-d", "7", "-e", "et", "--symmetry"]) == 0
    assert "one cell of each class" not in capsys.readouterr().out
    assert depqbf(read_qdimacs(printed.encode()))


@pytest.mark.parametrize("encoding", ["ln", "et"])
def test_encode_writes_circuits(encoding: str, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "a.qcir"
    command = ["encode", "hein(9)", "-d", "7", "-e", encoding, "-o", str(file), "--legend"]
    assert main(command) == 0
    written = file.read_text(encoding="ascii")
    assert written.startswith("#QCIR-14 ")
    assert "# question: can Black force a win in hein(9) within 7 plies?" in written
    assert "# 1 move(t1, bit0)" in written
    encoded = encode("hein(9)", 7, encoding=encoding)
    circuit = read_qcir(written)
    assert circuit.variable_count == sum(len(b.variables) for b in encoded.stated.prefix)
    assert main(command) == 0
    assert file.read_text(encoding="ascii") == written
    assert main(["encode", "hein(9)", "-d", "7", "-e", "ln", "-o", str(tmp_path / "a.aig")]) == 2
    assert "the suffix is .qdimacs or .qcir" in capsys.readouterr().err


def test_stats_compares_the_encodings(capsys: Output) -> None:
    assert main(["stats", "hein(9)", "-d", "7", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    question = Question(build("hein(9)"), Player.BLACK, 7)
    able = [encoding.name for encoding in ENCODINGS if encoding.refusal(question) is None]
    assert [entry["encoding"] for entry in listed] == able
    assert {"cor+", "et", "lifted", "pairing"} <= set(able)
    keys = ["encoding", "symmetry", "blocks", "universals", "existentials", "variables", "clauses"]
    assert all(list(entry)[:7] == keys for entry in listed)
    assert main(["stats", "hein(9)", "-d", "7", "-e", "et,ea"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["encoding", "et", "ea"]
    assert main(["encode", "hein(9)", "-d", "7", "-e", "ET", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == listed[able.index("et")]


def test_symmetry_reaches_the_encoder(capsys: Output) -> None:
    sizes = {}
    for command in ("stats", "encode"):
        for flags in ((), ("--symmetry",)):
            assert main([command, "tictactoe", "-d", "5", "-e", "cor+", "--json", *flags]) == 0
            told = json.loads(capsys.readouterr().out)
            sizes[command, flags] = (told if command == "encode" else told[0])["existentials"]
    assert sizes["stats", ("--symmetry",)] == sizes["encode", ("--symmetry",)]
    assert sizes["stats", ("--symmetry",)] < sizes["stats", ()] == sizes["encode", ()]


def test_a_decided_question_says_so(capsys: Output) -> None:
    assert main(["encode", "hein(9)", "-d", "0", "-e", "et"]) == 0
    assert "c This question is decided: false." in capsys.readouterr().out


def test_convert_and_read_again(tmp_path: Path, capsys: Output) -> None:
    for name in ("puzzle.pg", "puzzle.sgf"):
        file = str(tmp_path / name)
        assert main(["convert", "hein(9)", "-o", file]) == 0
        assert main(["oracle", file, "-d", "7", "--json"]) == 10
        assert json.loads(capsys.readouterr().out)["first_moves"] == ["b2"]
    assert main(["convert", "tictactoe", "-o", "-"]) == 0
    assert "#blackwins" in capsys.readouterr().out


def test_hex_with_more_paths_than_can_be_listed_is_converted(
    tmp_path: Path, capsys: Output
) -> None:
    assert main(["convert", "hex(11)", "-o", "-"]) == 0
    assert "#startboarder" in capsys.readouterr().out
    (tmp_path / "game.sgf").write_text("(;GM[11]SZ[11];B[a1])")
    record = str(tmp_path / "game.json")
    assert main(["convert", str(tmp_path / "game.sgf"), "-o", record]) == 0
    assert main(["show", record]) == 0
    assert "game.sgf(moves=a1): White to move" in capsys.readouterr().out


def test_standard_input_is_a_dash() -> None:
    written = skolemate("convert", "hein(9)", "-o", "-")
    assert written.returncode == 0
    answered = skolemate("oracle", "-", "-d", "7", stdin=written.stdout)
    assert answered.returncode == 10
    assert "Winning first move within 7 plies: b2." in answered.stdout


def test_data_on_stdout_and_nothing_on_stderr() -> None:
    done = skolemate("oracle", "hein(4)")
    assert done.returncode == 10
    assert done.stderr == ""


def test_a_broken_pipe_is_silent() -> None:
    # Far more than a pipe holds.
    large = ("encode", "hex(size=11)", "-d", "61", "-e", "et", "-o", "-")
    done = subprocess.run(
        ["bash", "-c", f"{shlex.join(command_line(*large))} | head -c 1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""


def test_a_reader_that_leaves_is_no_success() -> None:
    """Else a strategy that does not hold would pass for one that does: `check … | head -1`."""
    with subprocess.Popen(command_line("games"), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(60) == 141


def test_ctrl_c_exits_with_130() -> None:
    terminal, stderr = os.openpty()  # progress is shown on a terminal only
    process = subprocess.Popen(
        command_line("oracle", "hex(size=5)"),
        stdout=subprocess.PIPE,
        stderr=stderr,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        seen = b""
        while b"depth 3" not in seen:
            seen += os.read(terminal, 1000)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        os.close(terminal)
        os.close(stderr)
    assert process.returncode == 130
    assert b"not known whether Black wins (cancelled); proved: no win within 4 plies" in out


def test_closed_streams_do_no_harm() -> None:
    for redirection in (">&-", "2>&-", "<&-", ">&- 2>&- <&-"):
        done = subprocess.run(
            ["bash", "-c", f"{sys.executable} -m skolemate show tictactoe {redirection}"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_names_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    file = tmp_path / "é.pg"
    file.write_text("#times\nt1\n#blackturns\nt1\n#positions\né\n#blackwins\né\n")
    env = os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for arguments in (["show"], ["oracle"], ["convert", "-o", "-"], ["show", "--svg", "-"]):
        done = subprocess.run(
            command_line(arguments[0], str(file), *arguments[1:]),
            capture_output=True,
            timeout=60,
            env=env,
            check=False,
        )
        assert done.returncode == (10 if arguments[0] == "oracle" else 0), done.stderr
        assert done.stderr == b""


def test_files_with_parentheses_in_their_names(tmp_path: Path, capsys: Output) -> None:
    file = str(tmp_path / "hex(size=3).pg")
    assert main(["convert", "hex(size=3)", "-o", file]) == 0
    assert main(["show", file]) == 0
    assert main(["show", f"{file}(moves=b2)"]) == 0
    assert "'./hex(size=3).pg'(moves=b2): White to move" in capsys.readouterr().out


def test_moves_count_against_a_files_depth(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "deep.pg"
    main(["convert", "hein(9)", "-o", str(file)])
    text = file.read_text().replace("t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11", "t1 t2 t3 t4 t5 t6 t7")
    file.write_text(text.replace("t7 t9 t11", "t7"))
    assert main(["oracle", str(file), "--json"]) == 10
    assert json.loads(capsys.readouterr().out)["depth"] == 7
    assert main(["oracle", str(file), "--moves", "b2 b3", "--json"]) == 10
    assert json.loads(capsys.readouterr().out)["depth"] == 5


def test_version_and_help() -> None:
    assert skolemate("--version").stdout.startswith("skolemate ")
    shown = skolemate("--help").stdout
    for command in COMMANDS:
        assert command in shown
        assert skolemate(command, "--help").returncode == 0


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from skolemate.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "own = sorted(m for m in sys.modules if m.startswith('skolemate.'))\n"
        "heavy = [m for m in ('rich', 'numpy', 'dataclasses', 'inspect') "
        "if m in sys.modules]\n"
        "print(own, heavy, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr.strip() == "['skolemate.cli', 'skolemate.errors'] []"


def test_tables_fit_a_narrow_terminal() -> None:
    script = "from skolemate.cli import main; main(['games'])"
    env = os.environ | {"COLUMNS": "50", "TERM": "xterm"}
    done = subprocess.run(
        ["script", "-qec", f'{sys.executable} -c "{script}"', "/dev/null"],
        capture_output=True,
        text=True,
        timeout=60,
        env=env,
        check=True,
    )
    assert max(len(line.rstrip()) for line in done.stdout.splitlines()) <= 50


def test_a_defect_of_ours_is_reported_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("skolemate.cli.lists.run_games", broken)
    assert main(["games"]) == 1
    assert "an error in Skolemate itself (ZeroDivisionError: oops)" in capsys.readouterr().err


def test_registries_can_be_asked_by_many_threads_at_once() -> None:
    script = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from skolemate.games.family import FAMILIES\n"
        "with ThreadPoolExecutor(8) as pool:\n"
        "    found = set(pool.map(lambda _: len(list(FAMILIES)), range(64)))\n"
        "print(len(found))\n"
    )
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
        )
        assert done.stdout == "1\n"


BROKEN_PLUG_INS = {
    "raises": ("raise RuntimeError('not today')", "RuntimeError: not today"),
    "leaves": ("import sys\nsys.exit(3)", "SystemExit: 3"),
    "absent": (None, "ModuleNotFoundError: No module named 'absent'"),
    "garbage": ("ENCODINGS.add('junk', 42)", "42 is no Encoding"),
    "wordless": ("ENCODINGS.add('junk', replace(ENCODINGS['et'], paper=None))", "paper is None"),
    "loud": ("ENCODINGS.add('JUNK', ENCODINGS['et'])", "small letters"),
    "taken": (
        "ENCODINGS.add('junk', ENCODINGS['et'])\nENCODINGS.add('et', ENCODINGS['en'])",
        "two encodings are called et",
    ),
}


def test_a_broken_plug_in_is_named_and_disturbs_nothing(tmp_path: Path) -> None:
    imports = "from dataclasses import replace\nfrom skolemate.encodings import ENCODINGS\n"
    for module, (text, _) in BROKEN_PLUG_INS.items():
        if text is not None:
            (tmp_path / f"{module}.py").write_text(imports + text, encoding="utf-8")
    (tmp_path / "good.py").write_text(f"{imports}ENCODINGS.add('theirs', ENCODINGS['et'])")
    metadata = tmp_path / "plug_ins-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: plug-ins\nVersion: 1.0\n")
    points = "\n".join(f"{module} = {module}" for module in (*BROKEN_PLUG_INS, "good"))
    (metadata / "entry_points.txt").write_text(f"[skolemate.encodings]\n{points}\n")
    listed = subprocess.run(
        command_line("encodings", "--json"),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    names = [entry["name"] for entry in json.loads(listed.stdout)]
    once_more = [*(entry.name for entry in ENCODINGS), "et"]  # as theirs
    assert sorted(names) == sorted(once_more)
    warnings = listed.stderr.splitlines()
    assert len(warnings) == len(BROKEN_PLUG_INS)
    for module, (_, why) in BROKEN_PLUG_INS.items():
        (said,) = (line for line in warnings if f"plug-in {module} = {module} is left out" in line)
        assert why in said

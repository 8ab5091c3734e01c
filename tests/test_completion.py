"""Completion: what Tab proposes, that it never complains, and that no name can run in a shell."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from terminal import PROGRAM, Desk

from cli.shells import ASKED, SCRIPTS, answer

HOSTILE = "$(touch pwned)"
"""A player whose name a careless shell would run."""
TABLE = "`touch pwned`"


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


@pytest.fixture
def table4(desk: Desk) -> Desk:
    """Alba and Bruno at table 4: five moves played, the last one struck."""
    desk.open("--table", "4")
    desk.did("move", "e3-f3", "e2-h2", "e4-e2", "h2-h3", "e5-e4")
    desk.did("correct", "7", "--reason", "mistyped")
    return desk


def tab(desk: Desk, line: str) -> list[str]:
    """What is answered when Tab is pressed at the end of ``line``, words about it too."""
    desk.capture.readouterr()
    assert answer(f"tabellion {line}") == 0
    out, err = desk.capture.readouterr()
    assert err == ""
    return [str(proposal) for proposal in out.splitlines()]


def asked(desk: Desk, line: str) -> list[str]:
    """The same by the program itself, as a shell's script runs it."""
    ran = desk.process(environment={ASKED: f"tabellion {line}"})
    assert (ran.status, ran.err) == (0, "")
    return ran.out.splitlines()


def proposed(desk: Desk, line: str) -> list[str]:
    """What is proposed, without the words about it."""
    return [answer.split("\t")[0] for answer in tab(desk, line)]


def test_the_program_answers_the_shell(table4: Desk) -> None:
    for line in ("", "key ", "show ", "move e5-", "open tablut --seat swedes=", "audit "):
        assert asked(table4, line) == tab(table4, line) != []


def test_commands_their_groups_and_options(desk: Desk) -> None:
    assert {"show", "open", "key", "move"} <= set(proposed(desk, ""))
    assert proposed(desk, "sh") == ["show"]
    assert proposed(desk, "--v") == ["--version"]
    assert {"new", "show"} <= set(proposed(desk, "key "))
    assert proposed(desk, "resign --se") == ["--seat", "--server"]
    assert "--json\tPrint JSON for programs." in tab(desk, "show --")
    assert proposed(desk, "nonsense ") == proposed(desk, "key nonsense ") == []


def test_matches_by_the_names_that_people_type(table4: Desk) -> None:
    other = table4.open()[:8]
    assert set(tab(table4, "show ")) == {f"{other}\tAlba – Bruno", "t4\tAlba – Bruno"}
    assert proposed(table4, "show t") == ["t4"]
    assert proposed(table4, f"move -m {other[:3]}") == [other]
    assert proposed(table4, "move --match=t") == ["--match=t4"]
    assert proposed(table4, "show t4 ") == []


def test_open_matches_come_before_closed_ones(desk: Desk) -> None:
    closed = desk.finish()[:8]
    assert proposed(desk, "show ") == [closed]
    playing = desk.open("--table", "4")[:8]
    assert proposed(desk, "show ") == ["t4", closed]
    assert proposed(desk, f"show {closed[:7]}") == [closed]
    assert proposed(desk, f"show {playing[:7]}") == []


def test_legal_moves_of_the_match_that_is_meant(table4: Desk) -> None:
    table4.open("--table", "5")
    assert proposed(table4, "move -m t5 e4-") == [f"e4-{to}4" for to in "bcdfgh"]
    assert proposed(table4, "move -m t4 e4-") == []
    assert "Ke5-e4" in proposed(table4, "move -m t4 ")
    assert proposed(table4, "move -m t4 e5-e") == ["e5-e3", "e5-e4"]
    assert proposed(table4, "move e5-") == []  # which match?


def test_moves_that_stand_on_the_line_are_played_first(desk: Desk) -> None:
    desk.open("--table", "4")
    assert proposed(desk, "move e2-") == []
    assert "e2-h2" in proposed(desk, "move e3-f3 e2-")
    assert proposed(desk, "move e3-f3 e2-h2 e4-e2 h2-h3 Ke5-e") == ["Ke5-e3", "Ke5-e4"]
    assert proposed(desk, "move e3-e9 e2-") == []  # no such move


def test_the_steps_of_a_play_one_after_the_other(desk: Desk) -> None:
    desk.make_keys()
    seats = ("--seat", "white=Alba", "--seat", "black=Bruno")
    desk.did("open", "tabula", "--key", "zoe", *seats)
    desk.did("roll", "6-1")
    desk.did("roll", "2-5-6")
    assert {"hand/2", "hand/5", "hand/6"} <= set(proposed(desk, "move hand/"))
    after = proposed(desk, "move hand/6 ")
    assert "hand/5" in after
    assert "hand/6" not in after
    assert proposed(desk, "move hand/5 hand/2 ") == ["2/8", "5/11", "hand/6"]
    assert proposed(desk, "move hand/5 hand/2 2/") == ["2/8"]
    zeno = "W h0 b0 o0 6:7,9:1,10:2,19:2,20:2,23:1 | "
    zeno += "B h0 b0 o0 8:2,11:2,12:2,13:1,14:2,15:2,18:2,21:2 | W"
    assert proposed(desk, f"check tabula --dice 2-5-6 '{zeno}' ") == ["10/16 19/24 20/22"]
    assert proposed(desk, "open tabula --dice players+") == ["players+arbiter"]


@pytest.fixture
def tablero(desk: Desk) -> Desk:
    """El Tablero de Jesús at table 6: South is to move 3-3."""
    desk.make_keys("zoe")
    seats = ("--seat", "south=Alba", "--seat", "north=Bruno", "--table", "6")
    desk.did("open", "tablero", "--key", "zoe", *seats)
    for dice in ("5-3", "3-3"):
        desk.did("roll", dice)
    return desk


def test_the_coins_of_a_throw_one_after_the_other(tablero: Desk) -> None:
    assert {"a7-a4", "c1-c4", "c1-c7"} <= set(proposed(tablero, "move "))
    assert proposed(tablero, "move a7-a4 ") == [f"{each}-{each[0]}4" for each in COINS[1:]]
    assert proposed(tablero, "move a7-a4 b7-") == ["b7-b4"]
    assert proposed(tablero, "move c1-c7 ") == []
    assert proposed(tablero, "move a7-a2 ") == []  # no such step


COINS = ("a7", "b7", "c1", "d1", "e1", "f1", "g1")


def test_the_formations_that_may_be_pulled(tablero: Desk) -> None:
    assert proposed(tablero, "pull ") == []  # a throw is to be moved
    tablero.did("move", "a7-a4", "b7-b4")
    assert proposed(tablero, "pull ") == ["1c-g", "4a-b"]
    assert proposed(tablero, "pull 4") == ["4a-b"]
    assert proposed(tablero, "pull -m t6 1") == ["1c-g"]
    assert proposed(tablero, "move ") == []
    assert asked(tablero, "pull ") == tab(tablero, "pull ")
    tablero.did("pull", "4a-b")
    assert proposed(tablero, "pull ") == []  # North is to throw


def test_parts_of_a_formation_where_they_may_be_pulled(desk: Desk) -> None:
    desk.make_keys("zoe")
    seats = ("--seat", "south=Alba", "--seat", "north=Bruno", "--option", "pull=part")
    desk.did("open", "tablero", "--key", "zoe", *seats)
    for line in ("roll 5-3", "roll 3-3", "move a7-a4 b7-b4"):
        desk.did(*line.split())
    assert proposed(desk, "pull 1c") == ["1c-d", "1c-e", "1c-f", "1c-g"]


def test_acts_that_are_a_word_alone_and_what_a_match_may_be_opened_with(tablero: Desk) -> None:
    for word in ("wager", "run", "stop", "diablo", "done"):
        assert word in proposed(tablero, word[:2])
        assert proposed(tablero, f"{word} -m ") == ["t6"]
    assert "settle" in proposed(tablero, "offer ")
    assert proposed(tablero, "open tablero --turn") == ["--turn-cap"]
    assert proposed(tablero, "open tablero --option diablo=") == [
        "diablo=automatic",
        "diablo=called",
    ]
    assert proposed(tablero, "open tablero --seat ") == ["south=", "north="]
    assert {"tablero", "tablero-event"} <= set(proposed(tablero, "open tab"))


def test_nobody_moves_before_the_match_is_accepted(desk: Desk) -> None:
    desk.make_keys()
    seats = ("--seat", "swedes=Alba", "--seat", "muscovites=Bruno", "--seat-key", "swedes=alba")
    desk.did("open", "tablut", "--key", "zoe", *seats)
    assert proposed(desk, "move ") == []


def test_events_that_can_be_taken_back(table4: Desk) -> None:
    assert tab(table4, "correct ")[0] == "6\tBruno moves h2-h3"
    assert proposed(table4, "correct ") == ["6", "5", "4", "3"]
    assert "7" in proposed(table4, "show --at ")


def test_what_an_arbiter_types(table4: Desk) -> None:
    assert tab(table4, "dispute ")[1] == "7\tAlba moves Ke5-e4"
    assert proposed(table4, "ruling --rewind ") == [str(seq) for seq in range(8, -1, -1)]
    assert proposed(table4, "ruling --penalty muscovites=po") == [
        "muscovites=points_off",
        "muscovites=points_to_opponent",
    ]
    assert "double_forfeit" in proposed(table4, "ruling --result d")
    assert {"swedes", "muscovites"} <= set(proposed(table4, "replace-key "))
    assert proposed(table4, "replace-key swedes ") == ["alba", "bruno", "zoe"]
    assert proposed(table4, "replace-arbiter Dora ") == ["alba", "bruno", "zoe"]
    assert proposed(table4, "countersign --absent ") == ["swedes", "muscovites"]
    assert "e5-e4" in proposed(table4, "adjourn --seal e5-")
    assert proposed(table4, "adjourn t") == proposed(table4, "resume t") == ["t4"]


def test_keys_seats_and_players(table4: Desk) -> None:
    assert proposed(table4, "move --key ") == ["alba", "bruno", "zoe"]
    assert proposed(table4, "key show a") == ["alba"]
    assert proposed(table4, "key new a") == []
    assert tab(table4, "resign --seat ") == ["swedes\tAlba", "muscovites\tBruno"]
    assert proposed(table4, "open tablut --seat ") == ["swedes=", "muscovites="]
    assert proposed(table4, "open tablut --seat swedes=Alba --seat ") == ["muscovites="]
    assert proposed(table4, "open tablut --seat muscovites=") == [
        "muscovites=Alba",
        "muscovites=Bruno",
    ]
    assert proposed(table4, "open tablut --seat-key swedes=al") == ["swedes=alba"]
    assert proposed(table4, "open tablut --witness Wanda=z") == ["Wanda=zoe"]


def test_rules_and_their_options_need_no_ledger(desk: Desk) -> None:
    assert "tablut-edge" in proposed(desk, "rules ")
    assert proposed(desk, "open hn") == ["hnefatafl"]
    assert "repetition=" in proposed(desk, "open tablut --option ")
    assert "repetition=draw" in proposed(desk, "check tablut --option repetition=")
    assert "repetition=" not in proposed(desk, "open tablut --option repetition=draw --option ")
    assert proposed(desk, "check tablut ") == ["start"]
    assert proposed(desk, "check tablut start e4-") == [f"e4-{to}4" for to in "bcdfgh"]
    forms = ["record", "html", "bundle", "otn", "text"]
    rows = [f"{kind}.{end}" for end in ("csv", "jsonl") for kind in ("moves", "rolls", "results")]
    assert proposed(desk, "export --format ") == [*forms, *rows, "page"]
    assert {"opentafl", "tabula-text"} <= set(proposed(desk, "import --format "))
    assert not desk.ledger.exists()


def test_files_are_left_to_the_shell(desk: Desk) -> None:
    for line in ("export --output ", "import ga", "audit ", "list --ledger "):
        assert proposed(desk, line) == ["FILE"]


@pytest.mark.parametrize("line", ["show ", "move ", "correct ", "open tablut --seat swedes="])
def test_nothing_is_said_where_there_is_nothing_to_propose(desk: Desk, line: str) -> None:
    assert asked(desk, line) == []
    assert not (desk.folder / "data").exists()
    desk.ledger.parent.mkdir(parents=True)
    for data in (b"", b"a photo", b"SQLite format 3\0" + b"x" * 4096):
        desk.ledger.write_bytes(data)
        assert asked(desk, line) == []
        assert desk.ledger.read_bytes() == data


def test_a_damaged_match_is_passed_over_in_silence(table4: Desk) -> None:
    with sqlite3.connect(table4.ledger) as ledger:
        ledger.execute("DROP TRIGGER events_never_change")
        ledger.execute("UPDATE events SET payload = x'00' WHERE seq = 3")
    assert asked(table4, "move ") == []


def test_tab_writes_nothing(table4: Desk) -> None:
    before = files(table4.folder)
    for line in ("show ", "move ", "correct ", "resign --seat ", "accept ", "key show "):
        assert asked(table4, line)
    assert files(table4.folder) == before


def files(folder: Path) -> dict[Path, bytes]:
    """Every file with its content, but for what SQLite keeps beside a ledger while it reads."""
    return {
        file: file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and not file.name.endswith(("-shm", "-wal"))
    }


def test_names_that_a_shell_could_take_for_more_are_not_proposed(desk: Desk) -> None:
    desk.make_keys()
    desk.did(
        *("open", "tablut", "--key", "zoe", "--table", TABLE),
        *("--seat", f"swedes={HOSTILE}", "--seat", "muscovites=Siobhán O'Brien"),
    )
    assert proposed(desk, "open tablut --seat swedes=") == ["swedes=Siobhán O'Brien"]
    assert proposed(desk, "open tablut --seat 'swedes=") == []
    (match,) = tab(desk, "show ")
    assert match.endswith(f"\t{HOSTILE} – Siobhán O'Brien")  # words about it: shown, never run


def test_words_about_a_proposal_stay_on_its_line(table4: Desk) -> None:
    with sqlite3.connect(table4.ledger) as ledger:
        ledger.execute("UPDATE seats SET name = 'Al' || char(10, 9, 27) || 'ba' WHERE number = 0")
    assert tab(table4, "show ") == ["t4\tAl<U+000A> <U+001B>ba – Bruno"]
    assert proposed(table4, "open tablut --seat swedes=") == ["swedes=Bruno"]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_printed_and_asks_with_the_variable(desk: Desk, shell: str) -> None:
    script = desk("completion", shell).out
    assert ASKED in script
    assert "eval" not in script.replace("zsh_eval_context", "")


def test_an_unknown_shell_is_refused(desk: Desk) -> None:
    assert desk("completion", "tcsh").code == "bad-option"


# -- a real bash ---------------------------------------------------------------------------


class Bash:
    """A bash at whose prompt somebody types, with completion switched on as the help says."""

    def __init__(self, folder: Path) -> None:
        environment = {
            **os.environ,
            "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}",
            "PS1": "$ ",
            "TERM": "dumb",
            "LC_ALL": "C.UTF-8",
            "INPUTRC": os.devnull,
        }
        arguments = ["--norc", "--noprofile", "-i"]
        self.terminal = pexpect.spawn(
            "bash", arguments, cwd=folder, env=environment, encoding="utf-8", timeout=20
        )
        for setting in ("enable-bracketed-paste off", "bell-style none"):
            self.terminal.sendline(f"bind 'set {setting}'")
        self.terminal.sendline('eval "$(tabellion completion bash)"; echo rea""dy')
        self.terminal.expect_exact("ready\r\n$ ")

    def tab(self, line: str, then: str) -> None:
        """Type ``line`` and Tab; the line must then read ``then``, "|" at the cursor."""
        assert then.startswith(line)
        self.terminal.send(f"tabellion {line}")
        self.terminal.expect_exact(f"tabellion {line}")
        self.terminal.send("\t|")
        self.terminal.expect_exact(f"{then.removeprefix(line)}|")
        self._give_up()

    def _give_up(self) -> None:
        """Leave the line and wait for a new prompt. A busy bash may swallow the key."""
        for _ in range(5):
            self.terminal.sendcontrol("c")
            if self.terminal.expect_exact(["\r\n$ ", pexpect.TIMEOUT], timeout=4) == 0:
                return
        pytest.fail("bash gives no new prompt")

    def list(self, line: str) -> list[str]:
        """Type ``line`` and Tab twice: what bash lists below."""
        self.terminal.send(f"tabellion {line}\t\t")
        self.terminal.expect_exact(f"tabellion {line}\r\n")
        self.terminal.expect_exact("$ tabellion ")
        listed = self.terminal.before.split()
        self._give_up()
        return listed


@pytest.fixture
def bash(desk: Desk) -> Iterator[Bash]:
    shell = Bash(desk.folder)
    yield shell
    shell.terminal.close(force=True)


def test_tab_in_bash(desk: Desk, bash: Bash) -> None:
    desk.make_keys()
    desk.did(
        *("open", "tablut", "--key", "zoe", "--table", "4"),
        *("--seat", "swedes=Alba Núñez", "--seat", "muscovites=Siobhán O'Brien"),
    )
    (desk.folder / "game of the day.json").write_text("{}")
    bash.tab("countersi", "countersign ")
    bash.tab("show t", "show t4 ")
    played = "move -m t4 e3-f3 e2-h2 e4-e2 h2-h3"
    bash.tab(f"{played} e5-e4 h3-i", f"{played} e5-e4 h3-i3 ")
    bash.tab("open tablut --seat sw", "open tablut --seat swedes=")
    bash.tab("open tablut --seat swedes=Al", "open tablut --seat swedes=Alba\\ Núñez ")
    bash.tab("open tablut --seat=swedes=S", "open tablut --seat=swedes=Siobhán\\ O\\'Brien ")
    bash.tab('open tablut --seat "swedes=Al', 'open tablut --seat "swedes=Alba Núñez" ')
    bash.tab("audit ga", "audit game\\ of\\ the\\ day.json ")
    bash.tab("export --output=ga", "export --output=game\\ of\\ the\\ day.json ")
    assert bash.list("resign --seat ") == ["swedes", "muscovites"]


def test_no_name_runs_in_bash(desk: Desk, bash: Bash) -> None:
    desk.make_keys()
    desk.did(
        *("open", "tablut", "--key", "zoe", "--table", TABLE),
        *("--seat", f"swedes={HOSTILE}", "--seat", "muscovites=* ; touch pwned"),
    )
    desk.open("--table", "4")
    assert len(bash.list("show ")) == 2
    for typed in ("swedes=$", "swedes=`", '"swedes=$(', "swedes='$"):
        bash.tab(f"open tablut --seat {typed}", f"open tablut --seat {typed}")
    bash.tab(
        "open tablut --seat swedes=\\*",
        "open tablut --seat swedes=\\*\\ \\;\\ touch\\ pwned ",
    )
    assert not (desk.folder / "pwned").exists()

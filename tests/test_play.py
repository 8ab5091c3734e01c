"""The session at the table: real terminals, two devices over a folder, and lines from a pipe."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from table import SHORT_GAME
from terminal import PROGRAM, Desk

from ledger import record

TIMEOUT = 20
"""Seconds that a step may take on a slow machine; two looks at the folder are one second."""
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Seat:
    """Somebody at a terminal of their own, with a data folder of their own."""

    def __init__(self, home: Path, *arguments: str, columns: int = 80) -> None:
        home.mkdir(exist_ok=True)
        self.home = home
        kept = ("TABELLION_", "XDG_", "SSH_", "COLUMNS", "NO_COLOR")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(kept)}
        environment |= {
            "XDG_DATA_HOME": str(home),
            "HOME": str(home),
            "TERM": "xterm",
            "PROMPT_TOOLKIT_NO_CPR": "1",
        }
        self.terminal = pexpect.spawn(
            str(PROGRAM),
            list(arguments),
            cwd=str(home),
            env=environment,
            encoding="utf-8",
            dimensions=(50, columns),
            timeout=TIMEOUT,
        )
        self.log: list[str] = []
        self.terminal.logfile_read = self

    def write(self, text: str) -> None:
        self.log.append(text)

    def flush(self) -> None:
        pass

    @property
    def seen(self) -> str:
        return _COLOURS.sub("", "".join(self.log)).replace("\r", "")

    def sees(self, text: str) -> None:
        """Wait for a text. Spaces at the end of a prompt are drawn as a step."""
        self.terminal.expect_exact(text.rstrip())

    def presses(self, keys: str, drawn: str) -> None:
        """Press keys and wait until ``drawn`` has been drawn since, whatever the cursor did."""
        start = len(self.seen)
        self.terminal.send(keys)
        for _ in range(TIMEOUT * 4):
            if drawn in re.sub(r"\s", "", self.seen[start:]):
                return
            self.terminal.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=0.25)
        raise AssertionError(self.seen[start:])

    def types(self, prompt: str, line: str) -> None:
        """Wait for the prompt, then type a line."""
        self.sees(prompt)
        self.terminal.send(f"{line}\r")

    def leaves(self) -> int:
        self.types("> ", "quit")
        self.terminal.expect(pexpect.EOF)
        self.terminal.close()
        return int(self.terminal.exitstatus)


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[dict[str, Seat]]:
    """Terminals by name; closed whatever happens."""
    found: dict[str, Seat] = {}
    yield found
    for seat in found.values():
        seat.terminal.close(force=True)


def test_two_people_play_on_two_terminals_with_two_keys_over_files(
    seats: dict[str, Seat], tmp_path: Path
) -> None:
    """Alba's laptop keeps the record; Bruno has his own. They type moves and answers: one slip is
    corrected, a draw is offered and declined, and the match ends countersigned."""
    folder = tmp_path / "stick"
    folder.mkdir()
    bruno = seats["bruno"] = Seat(tmp_path / "bruno", "play", "--share", str(folder))
    bruno.types("1 or 2: ", "2")
    bruno.types("Your name: ", "Bruno")
    bruno.types("Protect it with a passphrase [y]: ", "n")
    bruno.sees("Waiting for a match with your key.")

    alba = seats["alba"] = Seat(tmp_path / "alba", "play", "--share", str(folder))
    alba.types("1 or 2: ", "1")
    alba.types("Which rules [tablut]: ", "")
    alba.types("Who plays the Swedes: ", "?")
    alba.types("Who plays the Swedes: ", "Alba")
    alba.types("1, 2 or 3 [1]: ", "1")
    alba.types("Protect it with a passphrase [y]: ", "y")
    alba.types("Choose a passphrase: ", "hnefatafl")
    alba.types("Once more: ", "hnefatfl")  # a slip
    alba.types("Protect it with a passphrase [y]: ", "")
    alba.types("Choose a passphrase: ", "hnefatafl")
    alba.types("Once more: ", "hnefatafl")
    alba.types("Who plays the Muscovites: ", "Bruno")
    alba.types("1, 2 or 3 [1]: ", "2")
    alba.sees("in the shared folder: bruno, SHA256:")
    alba.types("its file or line: ", "bruno")
    alba.types("Who is the arbiter [This device]: ", "")
    alba.types("Protect it with a passphrase [y]: ", "n")
    alba.types("take a move back [y]: ", "")
    alba.types("Which table [none]: ", "")
    bruno.types("asked to play [y/n]: ", "y")
    alba.sees("rules: tablut")
    alba.types("Does Alba accept this match? [y/n] ", "y")
    alba.types("Passphrase of the key alba: ", "hnefatafl")
    bruno.sees("Alba accepts")
    bruno.types("Does Bruno accept this match? [y/n] ", "y")

    mover, other = (alba, "Alba (swedes)> "), (bruno, "Bruno (muscovites)> ")
    news = "Bruno accepts"
    for number, move in enumerate(SHORT_GAME[:-1]):
        seat, prompt = (mover, other)[number % 2]
        if number or seat is alba:
            seat.sees(news)
        seat.types(prompt, move)
        news = f"moves {move}"
        if move.startswith("K"):
            seat.types("Does Alba call raichi? [y/n] ", "y")
            news = "calls raichi"
    bruno.types("waiting for Alba (swedes)> ", "offer draw")
    alba.sees("moves h4-g4")
    alba.types("Bruno offers a draw. Does Alba agree? [y/n] ", "n")
    bruno.sees("Alba declines: a draw, offered in event")
    alba.types("Alba (swedes)> ", "a3-a2")
    alba.sees("event 15")
    alba.sees("last move: Ka3-a2")
    alba.types("Does Alba call raichi? [y/n] ", 'correct 15 --reason "mistyped: it was a1"')
    bruno.sees("mistyped: it was a1")
    alba.sees("ruling: back to event 14")
    alba.types("Alba (swedes)> ", "a3-a1")
    alba.types("Close the match with this result? [y/n] ", "y")
    alba.types("Does Alba countersign the result? [y/n] ", "y")
    bruno.sees("Alba countersigns")  # he is asked anew then
    bruno.types("Does Bruno countersign the result? [y/n] ", "y")
    alba.sees("Bruno countersigns")
    alba.types("> ", "export -o match.json")
    alba.sees("21 events, head")
    assert alba.leaves() == 0
    assert bruno.leaves() == 0
    assert alba.seen.count("Passphrase of the key alba: ") == 1
    assert "Traceback" not in alba.seen + bruno.seen

    audited = pexpect.run(
        f"{PROGRAM} audit match.json", cwd=str(tmp_path / "alba"), encoding="utf-8"
    )
    assert "SOUND" in audited
    assert "countersigned by Alba and Bruno" in " ".join(audited.split())
    assert "took back: 15" in audited
    written = record.read((tmp_path / "alba" / "match.json").read_bytes()).pieces
    assert written in [record.read(file.read_bytes()).pieces for file in folder.glob("*.json")]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    """A desk with a match between Alba and Bruno, at which terminals can sit down."""
    (tmp_path / "home").mkdir()
    desk = Desk(tmp_path / "home", monkeypatch, capsys)
    desk.open()
    return desk


def sit(seats: dict[str, Seat], home: Desk, name: str = "seat") -> Seat:
    """A terminal at that desk, in the session."""
    seats[name] = Seat(home.folder / "data", "play")
    return seats[name]


def test_two_terminals_on_one_ledger_see_each_others_events(
    seats: dict[str, Seat], home: Desk
) -> None:
    one = sit(seats, home, "one")
    two = sit(seats, home, "two")
    two.sees("Alba (swedes)> ")
    two.terminal.send("e4-")  # half a move stays on the line
    one.types("Alba (swedes)> ", "e3-f3")
    two.sees("event 3, last move: e3-f3")
    two.sees("Bruno (muscovites)> e4-")
    assert one.leaves() == 0


def test_tab_completes_moves_and_commands(seats: dict[str, Seat], home: Desk) -> None:
    seat = sit(seats, home)
    seat.sees("Alba (swedes)> ")
    seat.presses("e3-d", "e3-d")
    seat.presses("\t", "3")
    seat.terminal.send("\r")
    seat.sees("Alba moves e3-d3")
    seat.sees("Bruno (muscovites)> ")
    seat.presses("counter", "counter")
    seat.presses("\t", "sign")
    seat.terminal.send("\x03")  # Ctrl-C gives the line up, not the session
    seat.sees("Bruno (muscovites)> countersign")  # as it is left behind
    seat.sees("Bruno (muscovites)> ")
    seat.terminal.send("\x04")  # Ctrl-D leaves
    seat.sees("To go on another time: tabellion play")
    seat.terminal.expect(pexpect.EOF)


def test_an_answer_typed_before_a_question_was_seen_answers_nothing(
    seats: dict[str, Seat], home: Desk
) -> None:
    """Alba has typed y to her call; before she presses Enter, Bruno's offer takes its place."""
    home.did("move", *SHORT_GAME[:5])
    alba = sit(seats, home, "alba")
    alba.sees("Does Alba call raichi? [y/n]")
    alba.presses("y", "y")
    home.did("offer", "draw", "--seat", "muscovites")
    alba.sees("Does Alba agree? [y/n]")
    alba.terminal.send("\r")
    alba.sees("Does Alba agree? [y/n]")
    assert home.types()[-1] == "offer.made"
    alba.terminal.send("n\r")
    alba.types("Does Alba call raichi? [y/n]", "y")
    alba.sees("Alba calls raichi")
    assert home.types()[-2:] == ["offer.declined", "call"]


def test_at_one_table_it_is_asked_who_offers(seats: dict[str, Seat], home: Desk) -> None:
    seat = sit(seats, home)
    seat.types("Alba (swedes)> ", "e3 f3")  # one move, written with a space
    seat.sees("Alba moves e3-f3")
    seat.types("Bruno (muscovites)> ", "undo")
    seat.sees("hint: offer takeback")
    seat.types("Bruno (muscovites)> ", "offer takeback")
    seat.types("Who offers? 1 Alba, 2 Bruno: ", "1")
    seat.sees("Alba offers to take back event 3 and what followed (e3-f3)")
    seat.sees("Does Bruno agree?")
    seat.types("[y/n] ", "y")
    seat.sees("Alba (the Swedes) to move.")
    assert seat.leaves() == 0
    typed = (home.folder / "data" / "tabellion" / "typed").read_text()
    assert "+e3 f3" in typed
    assert "undo" not in typed


def test_answers_typed_ahead_answer_no_question_that_nobody_has_read(
    seats: dict[str, Seat], home: Desk
) -> None:
    seat = sit(seats, home)
    seat.sees("Alba (swedes)> ")
    seat.terminal.send("resign --seat swedes\ry\ry\r")
    seat.sees("Close the match with this result? [y/n]")
    seat.terminal.send("quit\r")
    seat.terminal.expect(pexpect.EOF)
    assert home.types()[-1] == "resigned"


def test_a_move_typed_for_a_board_that_is_gone_waits_for_another_look(
    seats: dict[str, Seat], home: Desk
) -> None:
    seat = sit(seats, home)
    seat.sees("Alba (swedes)> ")
    seat.presses("e4-f4", "e4-f4")
    home.did("move", "e3-f3")
    seat.sees("event 3, last move: e3-f3")
    seat.sees("Bruno (muscovites)> e4-f4")
    assert home.types()[-1] == "move"


def test_a_dispute_at_the_table_and_what_is_asked_meanwhile(
    seats: dict[str, Seat], home: Desk
) -> None:
    """Bruno complains, both think better of it; later Zoë rules, and the game rests overnight."""
    seat = sit(seats, home)
    seat.types("Alba (swedes)> ", "e3-f3")
    seat.sees("Alba moves e3-f3")
    seat.types("Bruno (muscovites)> ", 'dispute --reason "he touched e4" --seat muscovites')
    seat.sees("Bruno disputes event 3: he touched e4")
    seat.sees("Event 3 is disputed (event 4): Zoë (the arbiter) rules.")
    seat.types("tabellion> ", "e2-h2")
    seat.sees("[disputed]")
    seat.types("tabellion> ", "settle --seat muscovites")
    seat.sees("Bruno would settle the dispute. Does Alba agree?")
    seat.types("[y/n] ", "y")
    seat.sees("Alba agrees: the dispute about event 3 is settled")
    seat.types("Bruno (muscovites)> ", 'ruling --rewind 2 --reason "e4 was touched" --rule "touch"')
    seat.sees("taken back: event 3")
    seat.types("Alba (swedes)> ", "adjourn --seal e4-f4")
    seat.sees("Alba seals a move")
    seat.types("tabellion> ", "e4-f4")
    seat.sees("[adjourned]")
    seat.types("tabellion> ", "resume --open e4-f4")
    seat.sees("Alba moves e4-f4")
    seat.types("Bruno (muscovites)> ", "adjourn")
    seat.sees("Is the game resumed?")
    seat.types("[y/n] ", "y")
    seat.sees("resumed")
    assert seat.leaves() == 0
    assert "Traceback" not in seat.seen


# -- from a pipe ---------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def test_lines_from_a_pipe_are_played_until_the_first_mistake(desk: Desk) -> None:
    desk.open()
    lines = "e3-f3\n# a remark\n\ntabellion move e2-h2\ne5-e7\ne4-e2\n"
    ran = desk("play", stdin=lines.encode())
    assert (ran.status, ran.code) == (1, "blocked")
    assert desk.types()[3:] == ["move", "move"]
    assert ran.out.index("> e3-f3") < ran.out.index("Alba moves e3-f3") < ran.out.index("> e5-e7")
    assert "> e4-e2" not in ran.out


def test_a_whole_evening_from_a_pipe(desk: Desk) -> None:
    desk.open()
    game = [
        "e3-f3",
        "e2-h2",
        "e4-e2",
        "h2-h3",
        "Ke5-e3",
        "raichi",
        "h3-h4",
        "Ke3-a3",
        "raichi",
        "h4-g4",
    ]
    lines = [*game, "offer draw --seat muscovites", "show --json", "a3-a1", "close", "countersign"]
    ran = desk("play", stdin="\n".join([*lines, "quit", "e3-f3"]).encode())
    assert (ran.status, ran.err) == (0, "")
    assert desk.types()[-3:] == ["match.closed", "countersigned", "countersigned"]
    assert ran.out.count("\n   a  b  c  d  e  f  g  h  i\n") > 2 * len(game)


def test_the_end_of_the_pipe_is_the_end_of_the_session(desk: Desk) -> None:
    desk.open()
    ran = desk("play")
    assert (ran.status, ran.err) == (0, "")
    assert "Alba (the Swedes) to move." in ran.out


def test_without_a_match_nobody_in_a_pipe_can_be_asked(desk: Desk) -> None:
    for arguments in (["play"], ["play", "--new"]):
        ran = desk(*arguments)
        assert (ran.status, ran.code) == (3, "no-match")
    assert desk("play", "abcd").code == "no-ledger"
    assert desk("play", "--share", "nowhere").code == "no-folder"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("shw", "no-command"),
        ("play", "in-session"),
        ('note "a', "bad-line"),
        ('note "a\x00b"', "bad-line"),
        ("\x1b[2J", "bad-line"),
        ("1" * 100_000, "bad-line"),
        ("e9-e99", "off-board"),
        ("move", "usage"),
        ("agree abcd", "no-offer"),
        ("import nothing.json", "no-file"),
        ("import .", "no-file"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    desk: Desk, line: str, code: str
) -> None:
    desk.open()
    before = desk.types()
    ran = desk("play", stdin=line.encode())
    assert ran.code == code, ran.err
    assert ran.status in (1, 2, 3)
    assert desk.types() == before
    assert "\x1b" not in ran.err


def test_a_note_is_the_arbiters_or_the_only_persons_here(desk: Desk) -> None:
    match = desk.open()
    desk.did("note", "By the arbiter.")
    for name in ("zoe", "alba"):
        (desk.keys / name).unlink()
    desk("play", match, stdin=b'note "By Bruno."')
    events = json.loads(desk("log", "--json").out)["events"]
    assert [(each["by"], each["text"]) for each in events[-2:]] == [
        ("arbiter", "note by Zoë: By the arbiter."),
        ("muscovites", "note by Bruno: By Bruno."),
    ]


def test_the_session_leaves_the_program_as_it_was(desk: Desk) -> None:
    from cli import desk as commands_desk
    from cli.output import say_next

    desk.open()
    before = dict(os.environ)
    desk("play", "--ledger", str(desk.ledger), stdin=b"e3-f3\nflip\nboard\nlock\nhelp\n--help\n")
    assert dict(os.environ) == before
    assert commands_desk._kept is None
    desk.capture.readouterr()
    say_next("x")
    assert desk.capture.readouterr().err == "next: x\n"


def test_keys_are_unlocked_once_and_from_a_file_if_that_is_wanted(desk: Desk) -> None:
    (desk.folder / "words").write_text("hnefatafl\n")
    for name in ("zoe", "alba", "bruno"):
        desk.did("key", "new", name, "--passphrase-file", "words")
    desk.open("--passphrase-file", "words", unlock=("--passphrase-file", "words"))
    lines = b"e3-f3\ne2-h2\nlock\ne4-e2\n"
    ran = desk("play", "--passphrase-file", "words", stdin=lines)
    assert (ran.status, ran.code) == (4, "passphrase-needed")
    assert desk.types()[-2:] == ["move", "move"]
    assert desk("play", "--passphrase-file", "-", stdin=lines).code == "usage"

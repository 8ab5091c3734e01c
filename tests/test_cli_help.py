"""The help: every command has an example that works, and says in one line what it does."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from bologna_log import WHITE_WINS, log
from invited import invited
from parting import part
from table import SHORT_GAME
from terminal import Desk
from typer.main import get_command

from cli.app import MODULES, SECTIONS, build

SHORTEST_TERMINAL = 45
"""Characters for what a command does, in the list of commands on a terminal of 80 columns."""


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group with the words that call it."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), get_command(build([])))]
    while waiting:
        words, command = waiting.pop()
        yield words, command
        for name, inner in getattr(command, "commands", {}).items():
            waiting.append(((*words, name), inner))


EVERY = sorted(commands(), key=lambda each: each[0])


def example(command: Any) -> list[str]:
    """The arguments of the command's example."""
    text = command.epilog.replace("\b\n", "")
    start, _, line = text.partition(": ")
    assert start in ("Example", "Start here"), text
    program, *arguments = shlex.split(line.replace("\\\n", " "))
    assert program == "tabellion"
    return arguments


DOES = {
    "accept": "Alba accepts",
    "adjourn": "adjourned until Sunday, ten o'clock",
    "agree": "The players agreed to a draw.",
    "appeal": "Alba appeals against event 3: the rule says else",
    "audit": "None of these events has the head hash given",
    "backup": "ledger-copy.db: 1 match, 3 events, SHA-256 ",
    "call": "Alba calls raichi",
    "check": "e4-f4 is legal.",
    "claim": "Bruno claims a draw",
    "close": "closed: a win for muscovites",
    "completion": "complete -F _tabellion tabellion",
    "confirm": "Bruno confirms the dice 4-2",
    "correct": "taken back: event 7",
    "countersign": "Alba countersigns",
    "decline": "Alba declines: a draw",
    "demo": "FAULT",
    "diablo": "Bruno calls Diablo: a Pass Number",
    "diff": "Both are the same.",
    "dispute": "Alba disputes event 7: the king passed over g5",
    "doctor": "0 faults",
    "done": "Alba leaves the other die",
    "explain": "rests on: Ruling document tablut-1, section Moving.",
    "export": "match.json: 3 events",
    "help": "\n  $ tabellion call raichi\n",
    "import": f"{len(WHITE_WINS)} moves judged and equal.",
    "init": "is made.",
    "join": "You take the seat swedes (tablut) as Alba.",
    "key export": "alba.pub: key alba",
    "key import": "key alba imported",
    "key list": "alba  SHA256:",
    "key show": "\nssh-ed25519 ",
    "list": "Alba – Bruno",
    "log": "Zoë opens tablut",
    "move": "Alba moves e4-f4",
    "moves": "\ne4-f4\n",
    "note": "note by Zoë: Sheet signed by both (file SHA-256 ",
    "offer draw": "Alba offers a draw",
    "offer settle": "Alba offers a settlement: Alba (South) 20, Bruno (North) 16",
    "offer takeback": "Alba offers to take back event 7",
    "open": "Alba (the Swedes) must accept",
    "pass": "Bruno passes",
    "pending": "event 4  ",
    "play": "Alba (the Swedes) to move.",
    "pull": "Alba pulls 4a-c: South takes 3, North fills 3",
    "replace-arbiter": "Dora is the arbiter from here on, in place of Zoë: Zoë has to leave",
    "replace-key": "Alba (the Swedes) goes on with another key: Alba's phone is lost",
    "resign": "Bruno resigns",
    "resume": "resumed",
    "roll": "Alba throws roll 1",
    "rules": "goal = clear_edge",
    "ruling": "back to event 5, a warning for Alba: the king passed over a piece",
    "run": "Alba declares a Run",
    "scoresheet": "sheet.html: 3 events, head ",
    "settle": "Alba would settle the dispute about event 3",
    "serve": '{"matches":[{"match":"',
    "show": "Alba (the Swedes) to move.",
    "statement": "Alba states: I saw it pass over g5.",
    "stats": "thrown      0     1     0     1     0     0",
    "stop": "Alba stops the Run: South takes 9, North fills 7",
    "tables": "No table is set out: tabellion open --join SEAT",
    "void": "Zoë voids roll 1: a die was cocked",
    "wager": "Alba wagers: South stakes 7 of 13",
}
"""Words that the example of a command prints when it has done what it is there for."""


def a_key_of_ssh(folder: Path) -> None:
    folder.mkdir()
    made = ["ssh-keygen", "-q", "-t", "ed25519", "-a", "1", "-N", "swordfish", "-f", "id_ed25519"]
    subprocess.run(made, cwd=folder, check=True)


WITH_DICE = ("confirm", "pass", "roll", "stats", "void")


def ready_with_dice(desk: Desk, command: str) -> None:
    """Tabula at table 4, where ``command`` has something to do."""
    terms = ["--key", "zoe", "--arbiter", "Zoë", "--table", "4"]
    for seat, player in (("white", "Alba"), ("black", "Bruno")):
        terms += ["--seat", f"{seat}={player}"]
        if command == "roll":
            terms += ["--seat-key", f"{seat}={player.lower()}"]
    if command == "confirm":
        terms += ["--dice", "table+confirm"]
    desk.did("open", "tabula", *terms)
    if command == "roll":
        desk.did("accept")
        return
    desk.did("roll", "4-2")
    if command == "pass":
        desk.did("roll", "6-6-6")
        desk.did("move", "hand/6", "hand/6", "hand/6")
        desk.did("roll", "6-6-6")


SIX = ("roll 5-3", "roll 2-4", "move b7-b1")
SEVEN = (*SIX, "roll 1-5", "move a7-a1")
AT_THE_TABLERO = {
    "diablo": ("roll 5-3", "roll 3-4"),
    "done": (*SIX, "roll 6-2", "move a7-a1"),
    "offer settle": ("roll 5-3",),
    "pull": ("roll 5-3", "roll 3-3", "move a7-a4 b7-b4", "roll 1-2", "move c1-c4"),
    "run": SEVEN,
    "stop": (*SEVEN, "run", "roll 2-1"),
    "wager": ("roll 5-3", "roll 3-4"),
}
"""What is played before a command has something to do in El Tablero de Jesús."""


def ready_at_the_tablero(desk: Desk, command: str) -> None:
    terms = ["--key", "zoe", "--seat", "south=Alba", "--seat", "north=Bruno"]
    if command in ("diablo", "done"):
        terms += ["--option", "diablo=called"]
    desk.did("open", "tablero", *terms)
    for line in AT_THE_TABLERO[command]:
        desk.did(*line.split())


RULED = ("--reason", "Bruno came late", "--rule", "Laws of Chess 6.7.1")
OFFICIAL = {
    "adjourn": ("move e3-f3",),
    "appeal": ("penalty muscovites=warning",),
    "dispute": ("move e3-f3 e2-h2 e4-e2 h2-h3 e5-e3",),
    "replace-arbiter": (),
    "replace-key": (),
    "resume": ("adjourn",),
    "ruling": ("move e3-f3 e2-h2 e4-e2 h2-h3 e5-e3", "dispute 7 --reason x --seat swedes"),
    "settle": ("move e3-f3", "dispute --reason x --seat muscovites"),
    "statement": ("move e3-f3", "dispute --reason x --seat muscovites"),
}
"""What comes before a command has something to do for officials. A match with an appeal key."""


def ready_for_officials(desk: Desk, command: str) -> None:
    new = command.startswith("replace")
    desk.make_keys("zoe", "alba", "bruno", "dora")
    desk.open(*(() if new else ("--appeal", "Dora=dora")))
    for line in OFFICIAL[command]:
        words = line.split()
        if words[0] == "penalty":
            words = ["ruling", "--penalty", words[1], *RULED]
        desk.did(*words)


def ready(desk: Desk, command: str) -> None:
    """A desk where ``command`` has something to do."""
    (desk.folder / "sheet.jpg").write_bytes(b"a photo")
    (desk.folder / "game.otg").write_text(log(WHITE_WINS))
    if command in OFFICIAL:
        ready_for_officials(desk, command)
        return
    desk.make_keys(*(("zoe", "bruno") if command in ("key new", "key import") else ()))
    if command == "key import":
        a_key_of_ssh(desk.folder / ".ssh")
    if command in (
        "",
        "demo",
        "init",
        "join",
        "open",
        "import",
        "check",
        "rules",
        "key new",
        "key import",
    ):
        return
    if command == "accept":
        desk.did(
            *("open", "tablut", "--seat", "swedes=Alba", "--seat-key", "swedes=alba"),
            *("--seat", "muscovites=Bruno", "--key", "zoe"),
        )
        return
    if command in WITH_DICE:
        ready_with_dice(desk, command)
        return
    if command in AT_THE_TABLERO:
        ready_at_the_tablero(desk, command)
        return
    if command == "pending":
        part(desk)
        desk.did("import", "zoe.json")
        return
    desk.open()
    if command == "diff":
        desk.did("export", "-o", "zoe.json")
    if command in ("correct", "explain"):
        desk.did("move", "e3-f3", "e2-h2", "e4-e2", "h2-h3", "e5-e3")
    if command == "offer takeback":
        desk.did("move", *SHORT_GAME[:6])
    if command in ("agree", "decline"):
        desk.did("offer", "draw", "--seat", "muscovites")
    if command == "call":
        desk.did("move", *SHORT_GAME[:5])
    if command == "claim":
        desk.did("move", *(("e3-f3", "e2-h2", "f3-e3", "h2-e2") * 2))
    if command in ("close", "countersign", "audit"):
        desk.did("resign", "--seat", "swedes")
    if command in ("countersign", "audit"):
        desk.did("close")
    if command == "audit":
        desk.did("export", "-o", "match.json")


@pytest.mark.parametrize("words", [words for words, _ in EVERY], ids=" ".join)
def test_the_example_in_the_help_works_as_it_stands(desk: Desk, words: tuple[str, ...]) -> None:
    arguments = example(dict(EVERY)[words])
    assert words == () or words == tuple(arguments[: len(words)])
    with ExitStack() as stack:
        ready(desk, " ".join(words))
        if words == ("join",):
            stack.enter_context(invited(desk, [arguments]))
        _ran_as_shown(desk, words, arguments)


def _ran_as_shown(desk: Desk, words: tuple[str, ...], arguments: list[str]) -> None:
    if words in (("agree",), ("decline",)):
        arguments[1] = json.loads(desk("show", "--json").out)["offers"][0]["hash"][:6]
    ran = desk(*arguments)
    if words == ("audit",):  # the hash is somebody else's
        assert (ran.status, "[wrong-head]" in ran.out) == (1, True)
    elif words == ("key", "new"):  # nobody is here to choose a passphrase
        assert ran.code == "passphrase-needed"
    elif words != ("key",):
        assert ran.status == 0, ran.err
    assert DOES.get(" ".join(words), "") in ran.out + ran.err


def test_every_command_is_known_by_what_its_example_does() -> None:
    quiet = {"key", "offer", "key new"}  # groups, and nobody is here to choose a passphrase
    assert {" ".join(words) for words, _ in EVERY if words} - quiet == set(DOES)


@pytest.mark.parametrize("words", [words for words, _ in EVERY], ids=" ".join)
def test_help_shows_the_example_unbroken_however_narrow(desk: Desk, words: tuple[str, ...]) -> None:
    shown = dict(EVERY)[words].epilog.replace("\b\n", "").splitlines()
    for columns in ("30", "80", "300"):
        desk.patch.setenv("COLUMNS", columns)
        ran = desk(*words, "--help")
        assert (ran.status, ran.err) == (0, "")
        lines = [line.strip() for line in ran.out.splitlines()]
        for line in shown:
            assert line.strip() in lines
    assert desk(*words, "-h").out == desk(*words, "--help").out


def test_the_first_sentence_fits_its_line(desk: Desk) -> None:
    desk.patch.setenv("COLUMNS", "80")
    for words, command in EVERY:
        if words:
            first = command.help.split("\n")[0]
            assert len(first) <= SHORTEST_TERMINAL + 6, first
            assert command.get_short_help_str(SHORTEST_TERMINAL + 6) == first.split(". ")[0]
            assert f"{words[-1]} " in desk(*words[:-1], "--help").out
    assert "..." not in desk("--help").out.partition("Start:")[2]


def test_the_list_of_commands_is_divided_as_an_evening_goes(desk: Desk) -> None:
    for columns in ("30", "80", "200"):
        desk.patch.setenv("COLUMNS", columns)
        shown = desk("--help").out
        headings = [line for line in shown.splitlines() if re.fullmatch(r"\w+:", line)]
        assert headings == ["Options:", *(f"{heading}:" for heading in SECTIONS)]
        assert max(map(len, shown.splitlines())) <= max(int(columns), 50)  # Typer goes no narrower
    starts = re.findall(r"^  ([a-z][a-z-]*) +[A-Z]", shown, re.M)
    assert starts == [name for names in SECTIONS.values() for name in names]
    assert sorted(starts) == sorted(name for names in MODULES.values() for name in names)


def test_every_option_and_argument_is_explained() -> None:
    for words, command in EVERY:
        for parameter in command.params:
            assert parameter.help, (words, parameter.name)


def test_the_table_of_modules_lists_exactly_the_commands() -> None:
    listed = {name: module for module, names in MODULES.items() for name in names}
    assert set(listed) == {words[0] for words, _ in EVERY if words}
    for name, module in listed.items():
        found = get_command(build([name])).commands  # type: ignore[attr-defined]
        assert set(found) == set(MODULES[module]), name


def test_every_command_module_is_in_the_table() -> None:
    folder = Path(os.path.dirname(__file__)).parent / "cli"
    commands_in = {
        f"cli.{file.stem}"
        for file in folder.glob("*.py")
        if "def register(" in file.read_text("utf-8")
    }
    assert commands_in == set(MODULES)


def test_nothing_typed_is_the_help_and_a_usage_error(desk: Desk) -> None:
    for words in ((), ("key",)):
        ran = desk(*words)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("Usage: tabellion")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["shw"], "No such command 'shw'. Did you mean 'show'?\n\nhint: tabellion --help\n"),
        (["key", "x"], "No such command 'x'.\n\nhint: tabellion key --help\n"),
        (["--nope"], "No such option: --nope.\n\nhint: tabellion --help\n"),
        (["show", "--nope"], "No such option: --nope.\n\nhint: tabellion show --help\n"),
        (["move"], "Missing argument 'MOVE...'.\n\nhint: tabellion move --help\n"),
        (["correct", "3"], "Missing option '--reason'.\n\nhint: tabellion correct --help\n"),
        (["open", "tablut"], "Missing option '--seat'.\n\nhint: tabellion open --help\n"),
        (
            ["show", "a", "b"],
            "Too much was typed: b. Words that belong together stand in quotes.\n\n"
            "hint: tabellion show --help\n",
        ),
        (
            ["note", "Sheet", "signed", "by", "both"],
            "Too much was typed: signed by both. Words that belong together stand in quotes.\n\n"
            "hint: tabellion note --help\n",
        ),
        (
            ["show", "--at"],
            "Option '--at' requires an argument.\n\nhint: tabellion --help\n",
        ),
        (["show", "\x1b[2J", "\x1b[2J"], None),
        (["\x1b[2J"], None),
    ],
)
def test_usage_errors_speak_as_all_errors_do(
    desk: Desk, typed: list[str], said: str | None
) -> None:
    ran = desk(*typed)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("error[usage]: ")
    assert "\x1b" not in ran.err
    if said is not None:
        assert ran.err == f"error[usage]: {said}"


def test_the_version(desk: Desk) -> None:
    from ledger import __version__

    assert desk("--version").out == f"tabellion {__version__}\n"

"""The program as a process: pipes, terminals, signals, encodings, a full disk, its start-up."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from terminal import PROGRAM, Desk, Ran

from cli.app import build
from ledger.store import Store


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def terminal(desk: Desk, *arguments: str, **environment: str) -> str:
    """What a command prints on a terminal of 24 × 100."""
    screen = pexpect.spawn(
        str(PROGRAM),
        list(arguments),
        env={**os.environ, "TERM": "xterm-256color", **environment},
        dimensions=(24, int(environment.get("COLUMNS", "100"))),
        encoding="utf-8",
        timeout=30,
    )
    screen.expect(pexpect.EOF)
    screen.close()
    assert screen.exitstatus == 0, screen.before
    return str(screen.before).replace("\r\n", "\n")


# -- exit statuses ---------------------------------------------------------------------------


def test_the_shell_sees_how_it_ended(desk: Desk) -> None:
    desk.open()
    assert desk.process("move", "e3-f3").status == 0
    assert desk.process("move", "e3-f3").status == 1
    assert desk.process("move").status == 2
    assert desk.process("show", "zz").status == 3
    assert desk.process("move", "e2-h2", "--key", "zoe").status == 1
    desk.make_keys("ada")
    assert desk.process("move", "e2-h2", "--key", "ada").status == 4
    assert desk.process("--version").out.startswith("tabellion ")
    assert desk.process().status == 2
    assert desk.process("key").status == 2


def test_somebody_else_wrote_first(desk: Desk) -> None:
    """Alba's passphrase comes late; meanwhile the arbiter has taken the move before back."""
    secret = desk.folder / "secret"
    secret.write_text("swordfish\n")
    desk.make_keys("zoe", "bruno")
    desk.did("key", "new", "alba", "--passphrase-file", str(secret))
    desk.open(unlock=("--passphrase-file", str(secret)))
    late = desk.folder / "late"
    os.mkfifo(late)
    slow = subprocess.Popen(
        [str(PROGRAM), "move", "e3-f3", "--passphrase-file", str(late)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with late.open("w") as pen:  # opens when the command waits for its passphrase
        desk.did("move", "e3-g3", "--passphrase-file", str(secret))
        pen.write("swordfish\n")
    out, err = slow.communicate(timeout=30)
    assert (slow.returncode, out) == (6, "")
    assert err == (
        "error[stale]: Someone else wrote first: the match is at event 3 now. Nothing of yours "
        "was stored.\n\nhint: tabellion show\n"
    )
    assert desk.types().count("move") == 1


def broken(*_: object, **__: object) -> None:
    raise ZeroDivisionError("by zero\x1b[2J")


def test_a_bug_is_a_sentence_and_no_traceback(desk: Desk) -> None:
    desk.patch.setattr("ledger.views.show", broken)
    desk.open()
    ran = desk("show")
    assert (ran.status, ran.out) == (70, "")
    assert ran.err == (
        "error[bug]: Tabellion met something that it does not expect (ZeroDivisionError: by "
        "zero<U+001B>[2J). This is a bug: report it with the command that you typed.\n\n"
        "hint: TABELLION_DEBUG=1 before the command shows where it happened\n"
    )
    desk.patch.setenv("TABELLION_DEBUG", "1")
    assert "Traceback (most recent call last)" in desk("show").err


# -- pipes -----------------------------------------------------------------------------------


def test_in_a_pipe_hashes_are_whole_and_nothing_is_coloured(desk: Desk) -> None:
    match = desk.open()
    for command in ("show", "log", "list"):
        ran = desk.process(command, environment={"COLUMNS": "40", "TERM": "xterm-256color"})
        assert match in ran.out, command
        assert "\x1b" not in ran.out + ran.err


def piped(command: str) -> tuple[list[int], str]:
    """The exit statuses in a pipeline of bash, and what it printed on standard error."""
    run = subprocess.run(
        ["bash", "-c", f"{command}; echo ${{PIPESTATUS[@]}} >&2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    *printed, statuses = run.stderr.splitlines()
    return [int(status) for status in statuses.split()], "\n".join(printed)


@pytest.mark.parametrize(
    "command",
    ["show", "log", "moves", "rules tablut", "export", "--help", "open --help", "show --json"],
)
def test_a_reader_that_goes_away_is_no_error(desk: Desk, command: str) -> None:
    desk.open()
    statuses, printed = piped(f"{PROGRAM} {command} 2>/dev/null | true")
    assert statuses[0] in (0, 141)
    assert printed == ""
    reader = "import os, sys; os.close(0)"
    shell = f"{PROGRAM} {command} | {shlex.quote(sys.executable)} -c '{reader}'"
    statuses, printed = piped(shell)
    assert statuses[0] in (0, 141)
    assert "Traceback" not in printed
    assert "rror" not in printed


def test_a_pipe_without_a_reader(desk: Desk) -> None:
    desk.open()
    read, write = os.pipe()
    os.close(read)
    ran = desk.process("rules", "tablut", stdout=write)
    os.close(write)
    assert (ran.status, ran.err) == (141, "")


def test_head_of_the_demo_leaves_nothing_behind(desk: Desk) -> None:
    desk.patch.setenv("TMPDIR", str(desk.folder))
    statuses, printed = piped(f"{PROGRAM} demo 2>/dev/null | head -n 3")
    assert statuses == [141, 0]
    assert printed == ""
    assert os.listdir(desk.folder) == []


def test_errors_go_to_standard_error_even_when_that_is_closed(desk: Desk) -> None:
    desk.open()
    before = desk.ledger.read_bytes()
    for closed in ("2>&-", ">&-", "<&-", "<&- >&- 2>&-"):
        for command, expected in (("show", 0), ("move e3-e9", 1), ("move -", 2)):
            shell = f"{PROGRAM} {command} {closed} 3</dev/null"
            if command == "move -" and "<&-" not in closed:
                shell += " </dev/null"
            run = subprocess.run(
                ["bash", "-c", shell], capture_output=True, text=True, check=False, timeout=60
            )
            assert run.returncode == expected, shell
            assert "Traceback" not in run.stdout + run.stderr
            assert "error[" not in run.stdout
    assert desk.ledger.read_bytes() == before


def test_a_full_disk_is_said(desk: Desk) -> None:
    desk.open()
    for command in ("export", "log", "show --json", "--help"):
        with open("/dev/full", "wb") as full:
            ran = desk.process(*command.split(), stdout=full)
        assert (ran.status, ran.err) == (
            4,
            "error[os-error]: The system refuses: No space left on device.\n",
        ), command


# -- encodings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C"},
        {"LANG": "C"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=lambda each: " ".join(f"{name}={value}" for name, value in each.items()),
)
def test_a_terminal_without_our_letters(desk: Desk, environment: dict[str, str]) -> None:
    desk.open("--event", "Spielefest „Würfel“ 👩")
    every = [
        *(["show"], ["log"], ["list"], ["rules", "tablut"], ["rules", "tablut", "--document"]),
        *(["--help"], ["open", "--help"], ["audit"], ["moves"]),
    ]
    for command in every:
        ran = desk.process(*command, environment=environment)
        assert ran.status == (2 if command == ["--help"] and not ran.out else 0), ran.err
        assert "rror" not in ran.err
    shown = json.loads(desk.process("show", "--json", environment=environment).out)
    assert shown["about"]["event"] == "Spielefest „Würfel“ 👩"
    ran = desk.process("show", "Zoë", environment=environment)
    assert (ran.status, ran.code) == (3, "no-match")


def test_an_argument_that_is_not_utf_8(desk: Desk) -> None:
    desk.open()
    odd = os.fsdecode(b"\xff\xfe")
    for command in (["note", odd], ["show", odd], ["move", odd], ["--key", odd], ["audit", odd]):
        ran = desk.process(*command)
        assert ran.status in (2, 3), command
        assert ran.err.startswith("error["), command
        assert "Traceback" not in ran.err


# -- terminals -------------------------------------------------------------------------------


def test_on_a_terminal_the_board_is_coloured_and_hashes_are_short(desk: Desk) -> None:
    match = desk.open()
    desk.did("move", "e3-f3")
    shown = terminal(desk, "show")
    assert "<U+" not in shown
    assert "\x1b[1;97;44m K \x1b[0m" in shown
    assert "\x1b[1;97;41m t \x1b[0m" in shown
    assert "\x1b[1;97;44m[T]\x1b[0m" in shown
    assert "\x1b[1mBruno (the Muscovites) to move.\x1b[0m\n" in shown
    assert match[:12] in shown
    assert match[:13] not in shown


def test_on_a_terminal_what_was_taken_back_is_struck(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    desk.did("correct", "3", "--reason", "x")
    assert "\x1b[9mAlba moves e3-f3\x1b[0m (taken back)\n" in terminal(desk, "log")


def test_on_a_terminal_an_audit_shows_its_verdict(desk: Desk) -> None:
    desk.finish()
    assert "verdict: \x1b[32mSOUND\x1b[0m, 15 events" in terminal(desk, "audit")


@pytest.mark.parametrize(
    "environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "TERM=dumb"]
)
def test_terminals_without_colour(desk: Desk, environment: dict[str, str]) -> None:
    desk.open()
    for command in ("show", "log", "audit"):
        assert "\x1b" not in terminal(desk, command, **environment)


@pytest.mark.parametrize("columns", ["20", "40", "300"])
def test_narrow_and_wide_terminals_show_the_same(desk: Desk, columns: str) -> None:
    desk.open()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", terminal(desk, "show", COLUMNS=columns))
    assert plain.split() == terminal(desk, "show", NO_COLOR="1").split()


def lines(text: str) -> list[str]:
    return re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()


@pytest.mark.parametrize("columns", ["40", "60", "80"])
@pytest.mark.parametrize("command", ["show", "log", "list", "moves", "rules tablut"])
def test_nothing_is_cut_in_the_middle_of_a_word(desk: Desk, command: str, columns: str) -> None:
    desk.open("--table", "4", keyed=())
    desk.did("move", "e3-f3")
    desk.did("correct", "1", "--reason", "mistyped: it was the other Swede that went there")
    for line in lines(terminal(desk, *command.split(), COLUMNS=columns)):
        assert len(line) <= int(columns) or " " not in line.strip(), line


def test_the_list_on_a_terminal_is_in_columns(desk: Desk) -> None:
    first = desk.open("--table", "4", keyed=("swedes", "muscovites"))
    second = desk.open("--option", "captures=single", keyed=())
    wide = lines(terminal(desk, "list", COLUMNS="130"))
    assert wide == [
        f"{second[:12]}           tablut  Alba – Bruno  "
        "Alba (the Swedes) to move; the arbiter writes it down.",
        f"{first[:12]}  table 4  tablut  Alba – Bruno  Alba (the Swedes) to move.",
    ]
    assert lines(terminal(desk, "list", COLUMNS="80")) == [
        f"{second[:12]}           tablut  Alba – Bruno",
        "              Alba (the Swedes) to move; the arbiter writes it down.",
        f"{first[:12]}  table 4  tablut  Alba – Bruno",
        "              Alba (the Swedes) to move.",
    ]


def test_on_a_terminal_the_moves_of_a_piece_stand_together(desk: Desk) -> None:
    desk.did("init")
    shown = lines(terminal(desk, "check", "hnefatafl"))
    assert shown[0] == "60 legal moves for swedes"
    assert "f8-  b8 c8 d8 e8 f9 g8 h8 i8 j8" in shown
    assert shown[1:] == sorted(shown[1:])
    desk.open()
    assert "e4-  b4 c4 d4 f4 g4 h4" in lines(terminal(desk, "moves"))


def test_the_log_on_a_terminal_says_the_day_once(desk: Desk) -> None:
    desk.open()
    first, *events = lines(terminal(desk, "log", COLUMNS="80"))
    assert re.fullmatch(r"     \d{4}-\d\d-\d\d, times in UTC", first)
    for event in events:
        assert re.match(r"  \d  [0-9a-f]{12}  \d\d:\d\d:\d\d  [a-z]", event)


def test_keys_are_listed_in_columns_on_a_terminal(desk: Desk) -> None:
    desk.make_keys("zoe", "alba")
    assert [line.index("SHA256:") for line in lines(terminal(desk, "key", "list"))] == [6, 6]


def test_what_is_to_be_copied_is_never_broken(desk: Desk) -> None:
    desk.make_keys()
    shown = lines(terminal(desk, "key", "show", "zoe", COLUMNS="40"))
    assert (desk.keys / "zoe.pub").read_text().split()[:2] == shown[-1].split()
    desk.open("--table", "4")
    assert "next: tabellion move MOVE -m table-4" in lines(
        terminal(desk, "show", "-m", "table-4", COLUMNS="20")
    )


def test_the_board_is_the_same_with_and_without_colour(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3", "a4-b4")
    for flip in ([], ["--flip"]):
        coloured = terminal(desk, "show", *flip)
        plain = terminal(desk, "show", *flip, NO_COLOR="1")
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
        for background, letter in re.findall(r"\x1b\[[0-9;]*?(4[14])?m.([a-zA-Z#+.]).", coloured):
            expected = {"T": "44", "K": "44", "t": "41"}.get(letter, "")
            assert background == expected or letter in "abcdefghi", (flip, letter)


# -- Ctrl-C ----------------------------------------------------------------------------------


def test_ctrl_c_at_a_prompt_is_quiet_and_leaves_the_terminal_as_it_was(desk: Desk) -> None:
    screen = pexpect.spawn("/bin/sh", env={**os.environ, "PS1": "$ "}, encoding="utf-8", timeout=30)
    screen.sendline(f"{PROGRAM} key new alba; echo ended $?")
    screen.expect("Choose a passphrase: ")
    screen.sendintr()
    screen.expect("ended 130")
    assert "Traceback" not in screen.before
    screen.sendline("stty -a")
    screen.expect(r"[ ;](-?)echo[ ;]")
    assert screen.match[1] == ""
    screen.close()
    assert not desk.keys.exists()


def test_ctrl_c_at_the_passphrase_of_a_move_writes_nothing(desk: Desk) -> None:
    desk.make_keys("zoe", "bruno")
    (desk.folder / "secret").write_text("swordfish\n")
    desk.did("key", "new", "alba", "--passphrase-file", "secret")
    desk.open(unlock=("--passphrase-file", "secret"))
    screen = pexpect.spawn(str(PROGRAM), ["move", "e3-f3"], encoding="utf-8", timeout=30)
    screen.expect("Passphrase of the key alba: ")
    screen.sendintr()
    screen.expect(pexpect.EOF)
    screen.close()
    assert (screen.exitstatus, screen.before.strip()) in ((130, ""), (130, "^C"))
    assert "move" not in desk.types()


def until(true: Callable[[], bool]) -> None:
    """Wait until ``true``, for at most ten seconds."""
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def has_open(process: subprocess.Popen[str], file: Path) -> bool:
    try:
        return any(
            os.readlink(f"/proc/{process.pid}/fd/{each}") == str(file)
            for each in os.listdir(f"/proc/{process.pid}/fd")
        )
    except OSError:
        return False


def delays() -> Iterator[float]:
    return (each / 500 for each in range(20))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_ctrl_c_in_the_middle_of_an_append_stores_all_or_nothing(desk: Desk) -> None:
    there_and_back = ["e3-f3", "e2-h2", "f3-e3", "h2-e2"]
    desk.open()
    ended = set()
    for delay in delays():
        before = len(desk.types())
        process = subprocess.Popen(
            [str(PROGRAM), "move", *there_and_back],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        until(lambda process=process: process.poll() is not None or has_open(process, desk.ledger))
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        ended.add(process.returncode)
        written = len(desk.types()) - before
        assert process.returncode in (0, 1, 130), err
        assert "Traceback" not in err
        assert written in (0, 4)
        if process.returncode == 0:
            assert written == 4
        if desk("show", "--json").out.count('"result": null') == 0:
            break  # a position stood for the third time
    assert 130 in ended
    assert desk("audit").status == 0


def test_ctrl_c_is_heard_while_another_program_holds_the_ledger(desk: Desk) -> None:
    desk.open()
    with Store.open(desk.ledger) as held, held.writing():
        process = subprocess.Popen(
            [str(PROGRAM), "move", "e3-f3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        until(lambda: has_open(process, desk.ledger))
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=5)
    assert process.returncode == 130
    assert "move" not in desk.types()


# -- folders that cannot be written ----------------------------------------------------------


_POWERS = "-dac_override,-dac_read_search"


def bound(desk: Desk, *arguments: str) -> Ran:
    """Run a command to which permissions apply, even where the tests run as root."""
    if os.geteuid() != 0:
        return desk.process(*arguments)
    drop = ["setpriv", f"--bounding-set={_POWERS}", f"--inh-caps={_POWERS}"]
    return desk.process(*arguments, under=drop)


@pytest.fixture
def read_only(desk: Desk) -> Iterator[Desk]:
    """A desk with a match, the folder of whose ledger cannot be written to any more."""
    desk.open()
    desk.ledger.chmod(0o444)
    desk.ledger.parent.chmod(0o555)
    yield desk
    desk.ledger.parent.chmod(0o755)


def test_a_ledger_in_a_read_only_folder_can_be_read(read_only: Desk) -> None:
    for command in ("show", "log", "list", "moves", "export", "audit"):
        ran = bound(read_only, command)
        assert (ran.status, "error" in ran.err) == (0, False), ran.err


def test_a_ledger_in_a_read_only_folder_is_not_written(read_only: Desk) -> None:
    ran = bound(read_only, "note", "x")
    assert ran.status == 4
    assert ran.err.startswith("error[")
    ran = bound(read_only, "export", "-o", str(read_only.ledger.parent / "match.json"))
    assert (ran.status, ran.code) == (4, "cannot-write")
    assert ran.err.endswith("was not written: Permission denied.\n")
    ran = bound(read_only, "init", "--ledger", str(read_only.ledger.parent / "new.db"))
    assert ran.status == 4
    assert ran.err.startswith("error[cannot-")
    assert read_only.types() == ["match.opened", "seat.accepted", "seat.accepted"]


# -- start-up --------------------------------------------------------------------------------


def loaded(desk: Desk, *arguments: str) -> set[str]:
    """The modules that a command loads when its output goes into a pipe."""
    program = (
        "import sys, cli\n"
        f"sys.argv = ['tabellion', *{arguments!r}]\n"
        "assert cli.run() == 0\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(run.stderr.split())


def test_show_in_a_pipe_loads_nothing_that_it_does_not_use(desk: Desk) -> None:
    desk.open()
    heavy = {"rich", "sqlite_utils", "cryptography", "bcrypt", "asyncio", "click"}
    heavy |= {"prompt_toolkit", "socket"}
    for command in ("show", "log", "list"):
        modules = loaded(desk, command)
        assert "typer" in modules
        assert modules & heavy == set()
        assert not modules & {"cli.demo", "cli.records", "cli.table", "cli.match", "cli.opening"}


def test_only_a_session_on_a_terminal_loads_what_edits_lines(desk: Desk) -> None:
    desk.open()
    modules = loaded(desk, "play")
    assert "cli.session" in modules
    assert "prompt_toolkit" not in modules


def test_every_command_starts_without_the_modules_of_the_others() -> None:
    assert {info.name for info in build(["show"]).registered_commands} == {
        *("show", "log", "list", "moves"),
    }

"""The manual: its pages are there, true of this program, and every command in them runs."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pexpect
import pytest
from invited import invited
from parting import part
from terminal import PROGRAM, Desk

from cli import boundary, manual
from cli.app import MODULES
from ledger import games
from ledger.errors import TabellionError

ROOT = Path(__file__).parent.parent
_VARIABLE = re.compile(r"\b_?[A-Z]{2,}(?:_[A-Z]+)*\b")


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def examples(page: str) -> list[tuple[list[str], str]]:
    """The commands of a page, each with the error that stands below it, if one does."""
    text = manual.text(page).replace("\\\n", " ")
    found = []
    for line, below in zip(text.splitlines(), [*text.splitlines()[1:], ""], strict=True):
        if line.startswith("  $ "):
            program, *arguments = shlex.split(line[4:])
            assert program == "tabellion", line
            found.append((arguments, below.strip() if below.startswith("  error[") else ""))
    return found


def ready(desk: Desk, page: str) -> None:
    """A desk where the commands of a page have something to do."""
    match page:
        case "table" | "dice":
            desk.make_keys()
        case "server":
            desk.make_keys("alba")
        case "officials":
            desk.make_keys()
            for name in ("ana", "dora"):
                desk.did("key", "new", name, "--no-passphrase")
        case "keys":
            (desk.folder / ".ssh").mkdir()
            made = ["ssh-keygen", "-q", "-t", "ed25519", "-a", "1", "-N", "pike", "-f"]
            subprocess.run([*made, str(desk.folder / ".ssh" / "id_ed25519")], check=True)
        case "record":
            desk.finish()
        case "two-devices":
            (desk.folder / "stick").mkdir()
            part(desk)


def at_a_terminal(arguments: list[str]) -> pexpect.spawn[str]:
    return pexpect.spawn(
        str(PROGRAM), arguments, env=dict(os.environ), encoding="utf-8", timeout=30
    )


@pytest.mark.parametrize("page", manual.PAGES)
def test_every_command_in_a_page_runs(desk: Desk, page: str) -> None:
    ready(desk, page)
    typed = examples(page)
    assert typed, "a page without an example"
    with ExitStack() as stack:
        if page == "server":
            stack.enter_context(invited(desk, [arguments for arguments, _ in typed]))
        _run(desk, typed)


def _run(desk: Desk, typed: list[tuple[list[str], str]]) -> None:
    for arguments, error in typed:
        if arguments == ["play"]:
            terminal = at_a_terminal(arguments)
            terminal.expect_exact("A new match.")
            terminal.close(force=True)
        elif arguments[:2] == ["key", "new"]:
            terminal = at_a_terminal(arguments)
            for prompt in ("Choose a passphrase: ", "Once more: "):
                terminal.expect_exact(prompt)
                terminal.sendline("hnefatafl")
            terminal.expect_exact("key alba made")
            terminal.expect(pexpect.EOF)
            terminal.close()
            assert terminal.exitstatus == 0
        else:
            ran = desk(*arguments)
            assert (ran.status != 0) == bool(error), (arguments, ran.err)
            if error:
                assert ran.err.splitlines()[0] == error


def test_what_the_two_devices_page_says_is_set_aside_and_signed_anew(desk: Desk) -> None:
    ready(desk, "two-devices")
    said = {" ".join(arguments): desk.did(*arguments) for arguments, _ in examples("two-devices")}
    assert "The two copies part after event 2." in said["import zoe.json"]
    assert "event 3: Alba moves e3-f3" in said["pending"]
    assert "event 4  SHORT  Alba moves e3-f3" in said["pending --sign"].replace("HASH", "SHORT")
    assert [file.suffixes for file in (desk.folder / "stick").iterdir()] == [
        [".tabellion", ".json"]
    ]


def test_without_a_page_they_are_listed_a_line_each(desk: Desk) -> None:
    ran = desk("help")
    assert (ran.status, ran.err.startswith("next: tabellion help PAGE")) == (0, True)
    assert [line.split()[0] for line in ran.out.splitlines()] == list(manual.PAGES)
    for line in ran.out.splitlines():
        assert len(line) < 80
        assert line.endswith(".")


def test_the_pages_are_the_files(desk: Desk) -> None:
    there = {file.stem for file in (ROOT / "cli" / "pages").iterdir()}
    assert there == set(manual.PAGES)
    assert there.isdisjoint(name for names in MODULES.values() for name in names)


@pytest.mark.parametrize("page", manual.PAGES)
def test_a_page_is_plain_in_a_pipe_and_fits_eighty_columns(desk: Desk, page: str) -> None:
    ran = desk("help", page)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == manual.text(page)
    assert "{" not in ran.out
    for line in ran.out.splitlines():
        assert len(line) < 80 or str(desk.folder) in line, line


@pytest.mark.parametrize("page", manual.PAGES)
@pytest.mark.parametrize("columns", [24, 45])
def test_a_page_flows_to_the_width_of_a_terminal(desk: Desk, page: str, columns: int) -> None:
    written = manual.text(page)
    shown = list(manual.flowed(iter(written.splitlines()), columns))
    assert " ".join(shown).split() == written.split()
    for line in shown:
        copied = line.lstrip().startswith(("$ ", "--", "error["))
        *_, last = line.split() or [""]
        assert copied or len(line) <= columns or len(last) > columns // 2, (line, last)
    commands = [line for line in written.splitlines() if line.startswith("  $ ")]
    assert [line for line in shown if line.startswith("  $ ")] == commands
    assert shown.count("") == written.splitlines().count("")


def test_a_terminal_shows_a_page_in_its_own_width(desk: Desk) -> None:
    ran = pexpect.run(
        f"{PROGRAM} help record",
        env={**os.environ, "TERM": "xterm"},
        dimensions=(60, 40),
        encoding="utf-8",
    ).replace("\r", "")
    assert ran.startswith("\x1b[1mWhat a record proves, and what not.\x1b[0m\n\n")
    commands = [line for line in manual.text("record").splitlines() if line.startswith("  $ ")]
    assert [line for line in ran.splitlines() if line.startswith("  $ ")] == commands
    said = [line for line in ran.splitlines()[1:] if line not in commands]
    assert max(map(len, said)) <= 40
    assert "\n  $ tabellion audit match.json\n" in ran


def test_help_of_a_command_is_its_own_help(desk: Desk) -> None:
    for words in (["move"], ["key", "import"], ["offer"], ["help"]):
        assert desk("help", *words).out == desk(*words, "--help").out != ""
    assert desk("help", "key", "nonsense").code == "usage"


def test_a_page_that_is_not_there(desk: Desk) -> None:
    ran = desk("help", "openings\x1b[2J")
    assert (ran.status, ran.out, ran.code) == (3, "", "unknown-page")
    assert "The pages: table, keys, dice, notation, officials, record, two-devices, " in ran.err
    assert "\x1b" not in ran.err
    assert desk("help", "keys", "table").code == "unknown-page"


def test_at_the_table_a_page_is_read_as_well(desk: Desk) -> None:
    desk.open()
    ran = desk("play", stdin=b"help notation\nmoves\n")
    assert ran.status == 0
    assert "A square is a letter and a number" in ran.out


# -- what the pages say is so --------------------------------------------------------------


def test_every_exit_code_is_on_its_page_and_no_other() -> None:
    waiting, used = [TabellionError], {0, boundary.BUG, boundary.STOPPED, boundary.READER_GONE}
    while waiting:
        error = waiting.pop()
        waiting += error.__subclasses__()
        used.add(error.exit_status)
    listed = re.findall(r"^  (\d+)  ", manual.text("exit-codes"), re.M)
    assert sorted(map(int, listed)) == sorted(used)


def used_variables() -> set[str]:
    """The environment variables that the code names: whole constants, or in a shell's script."""
    found = set()
    for folder in ("cli", "ledger"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found |= set(re.findall(r"\b_?TABELLION_[A-Z]+\b", node.value))
                elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("environ.get"):
                    (name, *_) = node.args
                    found |= {name.value} if isinstance(name, ast.Constant) else set()
                elif isinstance(node, ast.keyword) and node.arg == "envvar":
                    assert isinstance(node.value, ast.Constant)
                    found.add(node.value.value)
    return found


def test_every_variable_is_on_its_page_and_no_other() -> None:
    text = manual.text("environment")
    assert len(used_variables()) > 6
    assert set(_VARIABLE.findall(text)) - {"XDG_DATA_HOME"} == used_variables()


def test_the_page_says_where_files_lie_here(desk: Desk) -> None:
    data = desk.folder / "data" / "tabellion"
    shown = desk("help", "environment").out
    for place in (data / "ledger.db", data / "keys", data / "typed"):
        assert f"  {place}\n" in shown
    desk.patch.setenv("TABELLION_LEDGER", "club.db")
    desk.patch.setenv("TABELLION_KEYS", "/mnt/stick")
    shown = desk("help", "environment").out
    assert "ledger            club.db\n" in shown
    assert "keys              /mnt/stick\n" in shown


def test_a_new_game_brings_its_own_notation(desk: Desk) -> None:
    nim = ModuleType("nim")
    vars(nim)["GAME"] = SimpleNamespace(name="nim", notation="A move takes 1, 2 or 3 sticks: 3.")
    desk.patch.setitem(sys.modules, "nim", nim)
    desk.patch.setitem(games.MODULES, "nim", "nim")
    shown = desk("help", "notation").out
    assert "\nnim:\n\nA move takes 1, 2 or 3 sticks: 3.\n" in shown
    assert "Ke5-e6" in shown


def test_what_the_notation_page_writes_is_read_so(desk: Desk) -> None:
    game, rules = games.ruleset("tablut")
    start = game.start(games.options_of(game, rules))
    page = desk("help", "notation").out
    (position,) = re.findall(r"^  (/\S+ [sm])$", page, re.M)
    assert game.position(start) == position
    assert game.read(start, "move", "E3 D3").text == "e3-d3"
    with pytest.raises(TabellionError, match="a Swede stands on e6"):
        game.read(start, "move", "Ke5-e6")

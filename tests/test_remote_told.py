"""Every command that is named while a match is kept by a server can be typed as it stands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from laptops import Hall, accepted
from server import Client
from terminal import Desk, Ran, program

from cli.commands import at_server, typeable


class Deaf:
    """In the place of what captures output, where nobody looks at it."""

    def readouterr(self) -> tuple[str, str]:
        return "", ""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Client]]:
    """A match of Tabula at Zoë's server that both have accepted, and Alba has seen."""
    folder = tmp_path_factory.mktemp("told")
    with pytest.MonkeyPatch.context() as patch:
        hall = Hall(Desk(folder, patch, Deaf()))
        hall.open("tabula")
        with hall.serving() as client:
            accepted(hall)
            hall.did("alba", "show")
            yield folder, client


Typed = Callable[..., Ran]


@pytest.fixture(params=["option", "variable", "nobody"])
def way(request: Any) -> str:
    return str(request.param)


@pytest.fixture
def alba(served: tuple[Path, Client], way: str, monkeypatch: Any, capsys: Any) -> Typed:
    """Alba types a command: with the server as an option, as a variable, or with none although a
    variable names one."""
    folder, client = served
    desk = Desk(folder, monkeypatch, capsys)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "alba"))
    if way != "option":
        monkeypatch.setenv("TABELLION_SERVER", client.url)
    server = {"option": ["--server", client.url], "variable": [], "nobody": ["--server", ""]}[way]

    def typed(*arguments: str) -> Ran:
        return desk(*arguments, *server)

    return typed


SAID = {
    "show": ["show"],
    "a match that is nowhere": ["show", "t9"],
    "an id that is nowhere": ["show", "ffffffff"],
    "a throw": ["roll", "--no-wait"],
    "a roll that Bruno has to open": ["roll", "--no-wait", "--key", "alba"],
    "no such move": ["move", "24/zz"],
    "a move before the dice": ["move", "hand/3"],
    "nothing to pass": ["pass"],
    "no end yet": ["close"],
    "nothing to sign": ["countersign"],
    "nothing to confirm": ["confirm"],
    "nothing to void": ["void", "cocked"],
    "no offer": ["agree", "abcdef"],
    "no such event": ["dispute", "99", "--reason", "He moved twice."],
    "a reason left out": ["dispute", "1"],
    "no dispute": ["settle", "t9"],
    "not hers to correct": ["correct", "1", "--reason", "mistyped"],
    "no ruling": ["ruling", "--reason", "x", "--rule", "y"],
    "not adjourned": ["resume"],
    "nothing to appeal": ["appeal", "99", "--reason", "Wrong."],
    "accepted before": ["accept"],
    "nothing pends": ["pending", "ffff"],
    "a note": ["note", "Tea."],
    "a note of nobody": ["note", "Tea.", "--key", "nobody"],
}
SILENT = ("nothing to confirm", "no offer", "no ruling", "not adjourned", "accepted before")
"""Where no command helps."""


def commands(ran: Ran) -> list[str]:
    """The commands behind ``next:`` and ``hint:``, each up to the next one."""
    lines = [line for line in ran.err.splitlines() if line.startswith(("next: ", "hint: "))]
    return [found for line in lines for found in re.findall(r"tabellion .*?(?= or: |$)", line)]


@pytest.mark.parametrize("said", SAID)
def test_what_is_named_can_be_typed(
    said: str, alba: Typed, way: str, served: tuple[Path, Client]
) -> None:
    ran = alba(*SAID[said])
    assert bool(commands(ran)) is (said not in SILENT), ran.err
    wanted = {"option": f"--server {served[1].url}", "variable": "", "nobody": "--server ''"}[way]
    for command in commands(ran):
        words = shlex.split(command)
        takes = any(each.name == "server" for each in program(words[1]).commands[words[1]].params)
        if takes and words[1] != "import" and "--help" not in words:
            assert wanted in command, ran.err
        else:
            assert "--server" not in command, ran.err
    assert "--server URL" not in ran.err


SERVER = "--server 'https://192.0.2.2:8765#SHA256=AB'"


@pytest.mark.parametrize(
    ("plain", "typed"),
    [
        ("tabellion show", "tabellion show @"),
        ("tabellion show t4, or --again", "tabellion show t4 @, or --again"),
        ("tabellion log; what was set aside: tabellion pending",
         "tabellion log @; what was set aside: tabellion pending @"),
        ("tabellion move MOVE or: tabellion pass", "tabellion move MOVE @ or: tabellion pass @"),
        ('tabellion note "One, two; three" -m t4', 'tabellion note "One, two; three" -m t4 @'),
        ("tabellion ruling --help; or: tabellion settle --help", None),
        ("for the device of Bruno: tabellion export --output match.json", None),
        ("tabellion import FILE --take-over", None),
        ("tabellion import 0123abcd --take-over", "tabellion import 0123abcd --take-over @"),
        ("--key NAME", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_command_amid_words(plain: str, typed: str | None) -> None:
    with at_server(SERVER):
        assert typeable(plain) == (plain if typed is None else typed.replace("@", SERVER))
        assert typeable(typeable(plain)) == typeable(plain)
    assert typeable(plain) == plain

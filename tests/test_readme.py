"""The README is run: its five minutes at the table, command by command, and its two commands."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pexpect
from terminal import PROGRAM, unchanging

from ledger import page
from ledger.web import assembled

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def normalised(text: str) -> list[str]:
    return [line.rstrip() for line in unchanging(text).splitlines() if line.strip()]


def guide() -> list[tuple[str, str]]:
    """Every command of the README's console blocks with what a terminal of 80 columns shows."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def test_the_guide_is_true_word_for_word(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    for name in (
        "TABELLION_LEDGER",
        "TABELLION_KEY",
        "TABELLION_KEYS",
        "TABELLION_MATCH",
        "SSH_AUTH_SOCK",
        "COLUMNS",
    ):
        environment.pop(name, None)
    commands = guide()
    assert len(commands) > 10
    for command, printed in commands:
        program, *arguments = shlex.split(command)
        assert program == "tabellion", command
        shown = pexpect.run(
            shlex.join([str(PROGRAM), *arguments]),
            cwd=str(tmp_path),
            env=environment,
            encoding="utf-8",
            dimensions=(24, 80),
        )
        assert normalised(shown) == normalised(printed), command


def test_continuous_integration_runs_the_two_commands_as_written() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    for ending in ("tabellion demo", "bin/pytest"):
        lines = [line for line in README.splitlines() if line.endswith(ending)]
        assert len(lines) == 1, ending
        assert f"'{ending}$' README.md" in script


def test_the_hashes_of_the_verifying_page_and_the_players_are_told() -> None:
    assert f"SHA-256 of the page: {page.digest()}\n" in README
    player = assembled.digest(assembled.player())
    assert f"SHA-256 of the players' page: {player}\n" in README


def test_the_map_names_every_module() -> None:
    for module in (ROOT / "ledger").iterdir():
        if module.name.startswith("_") or module.suffix not in ("", ".py"):
            continue
        name = f"{module.name}/" if module.is_dir() else module.name
        assert name in README, f"{name} is missing in the README's map"

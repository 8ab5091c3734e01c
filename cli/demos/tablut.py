"""A whole Tablut match by the commands that anybody types, from keys to a forgery."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from cli.demos.stage import at, run, step

ABOUT: Final = "a whole match, from keys to a forgery"
MOVES: Final = (
    ("e3-f3", "e2-h2"),
    ("e4-e2", "h2-h3"),
    ("e5-e3", "raichi", "h3-h4"),
    ("e3-a3", "raichi", "h4-g4"),
)
LAST_MOVE: Final = "a3-a1"
MISTYPED: Final = str(3 + sum(map(len, MOVES)))
"""Number of the event after the opening, two acceptances and these moves."""


def play(folder: Path) -> None:
    table, elsewhere = folder / "table", folder / "elsewhere"
    table.mkdir()
    elsewhere.mkdir()
    with at(table, TABELLION_LEDGER=str(table / "ledger.db"), TABELLION_KEYS=str(table)):
        _keys()
        _game()
        step("The record: everything that was signed, in one file.")
        run("export", "--output", "match.json")
    shutil.copy(table / "match.json", elsewhere)
    nothing = str(elsewhere / "no-ledger.db")
    with at(elsewhere, TABELLION_LEDGER=nothing, TABELLION_KEYS=str(elsewhere)):
        _audit(elsewhere / "match.json")


def _keys() -> None:
    step("Keys. Real ones have a passphrase; three people share this laptop.")
    for name in ("arbiter", "alba", "bruno"):
        run("key", "new", name, "--no-passphrase")


def _game() -> None:
    step("The arbiter opens the match; both players accept it.")
    run(
        *("open", "tablut", "--key", "arbiter", "--arbiter", "Zoë"),
        *("--seat", "swedes=Alba", "--seat-key", "swedes=alba"),
        *("--seat", "muscovites=Bruno", "--seat-key", "muscovites=bruno"),
        *("--event", "Demo", "--table", "1"),
    )
    run("accept")
    step("They play. Each move is signed by the key of its player.")
    run("move", *MOVES[0])
    step("A move against the rules is refused, with the reason.")
    run("move", "e4-e6", expect=1)
    for moves in MOVES[1:]:
        run("move", *moves)
    step("A slip of the finger. The arbiter takes it back; the log keeps it.")
    run("move", "a3-a2")
    run("correct", MISTYPED, "--key", "arbiter", "--reason", "mistyped: a3-a1 was played")
    run("move", LAST_MOVE)
    run("show")
    step("The arbiter closes the match; the players countersign the result.")
    run("close")
    run("countersign")


def _audit(record: Path) -> None:
    step("Somebody else, in another folder, without ledger and keys, audits the record.")
    run("audit", record.name)
    step("Now one byte of the record is changed.")
    data = bytearray(record.read_bytes())
    place = len(data) * 2 // 3
    data[place] ^= 1
    record.write_bytes(bytes(data))
    run("audit", record.name, expect=1)

"""Two devices whose copies of a match have parted, for tests of what they say to each other."""

from __future__ import annotations

from terminal import Desk


def part(desk: Desk) -> None:
    """Leave ``desk`` as Alba's device, where she has moved (event 3). Meanwhile the arbiter has
    written a note on theirs, and it has come as zoe.json."""
    desk.open()
    desk.did("export", "-o", "start.json")
    desk.did("note", "The round begins")
    desk.did("export", "-o", "zoe.json")
    desk.patch.setenv("TABELLION_LEDGER", str(desk.folder / "alba.db"))
    desk.did("import", "start.json")
    desk.did("move", "e3-f3")

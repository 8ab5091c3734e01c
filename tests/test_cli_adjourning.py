"""Games that rest, with a sealed move or without, as it is typed at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pexpect
import pytest
from terminal import PROGRAM, Desk
from test_cli_copies import Laptops
from test_cli_officials import WHY, begin, carried_elsewhere, refused, shown

from ledger.store import Store

RESTING = {"tablut": "move e4-f4", "tabula": "roll 1-2-3", "tablero": "roll 1-3"}
"""What would come next."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def stored(desk: Desk) -> list[str]:
    """What the events on this device say, as it is signed."""
    with Store.open(desk.ledger, write=False) as store:
        (match,) = store.matches()
        return [row.payload.decode() for row in store.rows(match)]


@pytest.mark.parametrize("keyed", [True, False], ids=["keys", "scribe"])
@pytest.mark.parametrize("game", RESTING)
def test_adjourned_until_sunday(desk: Desk, game: str, keyed: bool) -> None:
    begin(desk, game, keyed=keyed)
    said = desk.did("adjourn", "--until", "Sunday, ten o'clock")
    assert "adjourned until Sunday, ten o'clock\n" in said
    assert "Adjourned until Sunday, ten o'clock: Zoë (the arbiter) resumes." in said
    assert "next: tabellion resume\n" in said
    assert shown(desk)["phase"] == "adjourned"
    ran = refused(desk, *RESTING[game].split())
    assert (ran.code, "hint: tabellion resume\n" in ran.err) == ("adjourned", True)
    assert refused(desk, "adjourn").code == "adjourned"
    desk.did("dispute", "--reason", "Too early.", "--key", "zoe")
    assert refused(desk, "resume").code == "disputed"
    desk.did("ruling", "--dismiss", *WHY)
    assert shown(desk)["phase"] == "adjourned"
    assert "resumed\n" in desk.did("resume")
    assert refused(desk, "resume").code == "not-adjourned"
    desk.did(*RESTING[game].split())
    carried_elsewhere(desk)


@pytest.mark.parametrize("game", ["tabula", "tablero"])
def test_dice_on_the_board_are_played_first_and_no_move_of_theirs_is_sealed(
    desk: Desk, game: str
) -> None:
    begin(desk, game)
    ran = refused(desk, "adjourn", "--seal", "a7-a4")
    assert ran.err == "error[dice-on-board]: In a game with dice no move is sealed.\n"
    desk.did(*RESTING[game].split())
    assert refused(desk, "adjourn").code == "dice-on-board"


def test_players_do_not_adjourn(desk: Desk) -> None:
    begin(desk)
    assert refused(desk, "adjourn", "--key", "alba").code == "wrong-role"
    desk.did("adjourn")
    assert refused(desk, "resume", "--key", "alba").code == "wrong-role"
    desk.did("resign", "--seat", "swedes")
    assert "The arbiter closes the match." in desk.did("show")
    assert refused(desk, "adjourn").code in ("game-over", "adjourned")


@pytest.mark.parametrize("until", ["\u202e", "a\x1b[2J", " ", "x" * 5000], ids=ascii)
def test_until_when_is_said_in_words_that_stand_on_a_record(desk: Desk, until: str) -> None:
    begin(desk)
    ran = refused(desk, "adjourn", "--until", until)
    assert ran.code in ("forbidden-character", "no-words", "too-long")


# -- sealed moves --------------------------------------------------------------------------


@pytest.mark.parametrize("keyed", [True, False], ids=["keys", "scribe"])
def test_a_sealed_move_from_the_envelope_to_the_board(desk: Desk, keyed: bool) -> None:
    begin(desk, keyed=keyed)
    for move, code in (("e4-e5", "blocked"), ("zz", "bad-move"), ("d1-d2", "not-yours")):
        assert refused(desk, "adjourn", "--seal", move).code == code
    said = desk.did("adjourn", "--until", "Sunday", "--seal", "E4-F4")
    assert "adjourned until Sunday\n" in said
    assert "Alba seals a move\n" in said
    assert "Adjourned until Sunday: Alba (the Swedes) opens the sealed move to resume." in said
    seen = said + desk("log").out + desk("show", "--json").out + "".join(stored(desk))
    assert "e4-f4" not in seen.lower()
    assert refused(desk, "adjourn", "--seal", "e4-f4").code == "sealed-already"
    ran = refused(desk, "resume")
    assert (ran.code, "hint: --open MOVE, or --unopened if it stays so" in ran.err) == (
        "sealed",
        True,
    )
    for move in ("e4-g4", "e4", "zz", "\u202e", "x" * 5000):
        ran = refused(desk, "resume", "--open", move)
        assert ran.code == "wrong-seal"
        assert "\u202e" not in ran.err
        assert len(ran.err) < 300
    said = desk.did("resume", "--open", "E4F4")
    assert "Alba resumes with the sealed move e4-f4\n" in said
    assert "Alba moves e4-f4\n" in said
    assert shown(desk)["turn"] == "muscovites"
    carried_elsewhere(desk)


def test_the_side_to_move_seals_on_its_own_device(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    laptops = Laptops(Desk(tmp_path, monkeypatch, capsys))
    for who, name in (("zoe", "zoe"), ("zoe", "bruno"), ("phone", "alba")):
        laptops.did(who, "key", "new", name, "--no-passphrase")
    laptops.did("phone", "key", "export", "alba", "-o", "alba.pub")
    seats = ("--seat", "swedes=Alba", "--seat-key", "swedes=./alba.pub")
    seats += ("--seat", "muscovites=Bruno", "--seat-key", "muscovites=bruno")
    laptops.did("zoe", "open", "tablut", "--key", "zoe", *seats)
    laptops.send("zoe", "phone")
    laptops.did("phone", "accept")
    laptops.send("phone", "zoe")
    laptops.did("zoe", "accept")
    assert laptops("zoe", "adjourn", "--seal", "e3-f3").code == "key-missing"
    laptops.did("zoe", "adjourn", "--until", "ten")
    laptops.send("zoe", "phone")
    assert "Alba seals a move" in laptops.did("phone", "adjourn", "--seal", "e3-f3")
    laptops.send("phone", "zoe")
    assert laptops("zoe", "resume", "--open", "e3-f3").code == "key-missing"
    laptops.send("zoe", "phone")
    assert laptops("phone", "resume", "--open", "e3-g3").code == "wrong-seal"
    assert "Alba moves e3-f3" in laptops.did("phone", "resume", "--open", "e3-f3")
    laptops.send("phone", "zoe")
    laptops.did("zoe", "move", "e2-h2")
    assert "verdict: SOUND" in laptops.did("zoe", "audit")


def test_a_sealed_move_that_stays_unopened_loses(desk: Desk) -> None:
    begin(desk)
    desk.did("adjourn", "--seal", "e4-f4")
    ran = refused(desk, "resume", "--open", "e4-f4", "--unopened")
    assert (ran.code, "exclude each other" in ran.err) == ("usage", True)
    assert refused(desk, "resume", "--unopened", "--key", "bruno").code == "wrong-role"
    said = desk.did("resume", "--unopened")
    assert "resumed; the sealed move stays unopened" in said
    assert "The sealed move of Alba (the Swedes) was not opened when the arbiter resumed" in said
    assert "the game goes to Bruno (the Muscovites) by forfeit" in said
    assert shown(desk)["result"] == {
        "kind": "forfeit",
        "how": "sealed_move",
        "winner": "muscovites",
    }
    desk.did("close")
    carried_elsewhere(desk)


def test_or_the_arbiter_rules_where_it_was_opened_so(desk: Desk) -> None:
    begin(desk, "tablut", "--sealed-move-unopened", "ruling")
    desk.did("adjourn", "--seal", "e4-f4")
    said = desk.did("resume", "--unopened")
    assert "is disputed" in said
    assert "Alba – Bruno" in desk.did("list", "--disputed")
    assert refused(desk, "move", "e4-f4").code == "disputed"
    desk.did("ruling", "--dismiss", *WHY)
    desk.did("move", "e4-g4")
    carried_elsewhere(desk)


def test_a_move_that_is_resumed_without_a_seal(desk: Desk) -> None:
    begin(desk)
    assert refused(desk, "resume", "--open", "e4-f4").code == "no-seal"
    desk.did("adjourn")
    ran = refused(desk, "resume", "--open", "e4-f4")
    assert (ran.code, "hint: tabellion resume\n" in ran.err) == ("no-seal", True)


def at_a_terminal(desk: Desk, *arguments: str) -> pexpect.spawn:
    return pexpect.spawn(
        str(PROGRAM), list(arguments), encoding="utf-8", dimensions=(24, 80), timeout=30
    )


def test_what_is_sealed_at_the_keyboard_stands_on_no_screen(desk: Desk) -> None:
    begin(desk)
    screens = []
    for arguments in (("adjourn", "--seal", "-"), ("resume", "--open", "-")):
        screen = at_a_terminal(desk, *arguments)
        screen.expect("The sealed move: ")
        screen.sendline("e4-f4")
        screen.expect(pexpect.EOF)
        screen.close()
        assert screen.exitstatus == 0, screen.before
        screens.append(screen.before)
    assert "Alba seals a move" in screens[0]
    assert "e4-f4" not in screens[0]
    assert "Alba moves e4-f4" in screens[1]


def test_ctrl_c_where_a_sealed_move_is_asked_for_seals_nothing(desk: Desk) -> None:
    begin(desk)
    before = desk.types()
    screen = at_a_terminal(desk, "adjourn", "--seal", "-")
    screen.expect("The sealed move: ")
    screen.sendintr()
    screen.expect(pexpect.EOF)
    screen.close()
    assert screen.exitstatus == 130
    assert "Traceback" not in screen.before
    assert desk.types() == before


@pytest.mark.parametrize("typed", [b"", b"\n", b"e4-e5\n", b"\xff\n", b"x" * 5000])
def test_what_comes_through_a_pipe_is_read_as_one_line(desk: Desk, typed: bytes) -> None:
    begin(desk)
    before = desk.types()
    ran = desk("adjourn", "--seal", "-", stdin=typed)
    assert (ran.status in (1, 2, 4), bool(ran.code)) == (True, True), ran.err
    assert desk.types() == before
    assert "Alba seals a move" in desk("adjourn", "--seal", "-", stdin=b"e4-f4\nno more\n").out

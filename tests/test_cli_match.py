"""Matches at the table, from the opening to the countersigned close, as an arbiter types them."""

from __future__ import annotations

from typing import Any

import pytest
from table import SHORT_GAME
from terminal import Desk

WELCOME = """\
match HASH
swedes: Alba, signs with FINGERPRINT
muscovites: Bruno, signs with FINGERPRINT
event 0  HASH  Zoë opens tablut: Alba – Bruno
Alba (the Swedes) and Bruno (the Muscovites) must accept before play begins.
next: tabellion accept MATCH
"""

BOARD = """\
match HASH  event 5  HASH
rules tablut with captures=single
event Spring meet, table 4, date DATE
swedes: Alba, signs with FINGERPRINT
muscovites: Bruno, signs with FINGERPRINT
arbiter: Zoë

   a  b  c  d  e  f  g  h  i
9  +  .  .  t  t  t  .  .  +  9
8  .  .  .  .  t  .  .  .  .  8
7  .  .  .  .  T  .  .  .  .  7
6  t  .  .  .  T  .  .  .  t  6
5  t  t  T  T  K  T  T  t  t  5
4  t  .  .  . [.] .  .  .  t  4
3  .  .  .  .  .  T  .  .  .  3
2  .  .  .  . [T] .  .  t  .  2
1  +  .  .  t  t  t  .  .  +  1
   a  b  c  d  e  f  g  h  i
T Swede, K king, t Muscovite, # konakis (throne), + corner
Swedes beside the king 8, Muscovites 16
last move: e4-e2
Bruno (the Muscovites) to move.
next: tabellion move MOVE
"""

FLIPPED = """\
   i  h  g  f  e  d  c  b  a
1  +  .  .  t  t  t  .  .  +  1
2  .  t  .  . [T] .  .  .  .  2
3  .  .  .  T  .  .  .  .  .  3
4  t  .  .  . [.] .  .  .  t  4
5  t  t  T  T  K  T  T  t  t  5
6  t  .  .  .  T  .  .  .  t  6
7  .  .  .  .  T  .  .  .  .  7
8  .  .  .  .  t  .  .  .  .  8
9  +  .  .  t  t  t  .  .  +  9
   i  h  g  f  e  d  c  b  a
"""


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def opening(desk: Desk, *more: str) -> str:
    return desk.did(
        *("open", "tablut", "--key", "zoe", "--arbiter", "Zoë"),
        *("--seat", "swedes=Alba", "--seat-key", "swedes=alba"),
        *("--seat", "muscovites=Bruno", "--seat-key", "muscovites=bruno"),
        *more,
    )


def test_a_match_is_opened_and_accepted_by_both(desk: Desk) -> None:
    desk.make_keys()
    assert opening(desk) == WELCOME
    assert desk.did("accept") == (
        "event 1  HASH  Alba accepts\n"
        "event 2  HASH  Bruno accepts\n"
        "Alba (the Swedes) to move.\n"
        "next: tabellion move MOVE\n"
    )


def test_one_player_accepts_with_the_key_that_is_named(desk: Desk) -> None:
    desk.make_keys()
    opening(desk)
    assert desk.did("accept", "--key", "bruno") == (
        "event 1  HASH  Bruno accepts\n"
        "Alba (the Swedes) must accept before play begins.\n"
        "next: tabellion accept\n"
    )


def test_the_arbiters_key_is_the_one_that_no_player_brings(desk: Desk) -> None:
    desk.make_keys()
    ran = desk(
        *("open", "tablut", "--seat", "swedes=Alba", "--seat-key", "swedes=alba"),
        *("--seat", "muscovites=Bruno", "--seat-key", "muscovites=bruno"),
    )
    assert (ran.status, "zoe opens tablut" in ran.out) == (0, True)


def test_the_board_after_three_moves(desk: Desk) -> None:
    desk.open("--event", "Spring meet", "--table", "4", "--option", "captures=single")
    assert desk.did("move", "e3-f3") == (
        "event 3  HASH  Alba moves e3-f3\n"
        "Bruno (the Muscovites) to move.\n"
        "next: tabellion move MOVE\n"
    )
    desk.did("move", "e2-h2", "e4-e2")
    assert desk.did("show") == BOARD


def test_the_board_from_the_other_side(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3", "e2-h2", "e4-e2")
    assert FLIPPED in desk.did("show", "--flip")


def test_what_people_leave_out_is_written_out(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3", "e2-h2", "e4-e2", "h2-h3")
    assert "Alba moves Ke5-e3\n" in desk.did("move", "E5E3")


def test_the_arbiter_writes_for_a_player_without_a_key(desk: Desk) -> None:
    desk.make_keys()
    assert desk.did(
        *("open", "tablut", "--key", "zoe", "--seat", "swedes=Alba", "--seat-key", "swedes=alba"),
        *("--seat", "muscovites=Bruno"),
    ) == (
        "match HASH\n"
        "swedes: Alba, signs with FINGERPRINT\n"
        "muscovites: Bruno, no key: the arbiter writes\n"
        "event 0  HASH  zoe opens tablut: Alba – Bruno\n"
        "A seat without a key signs the printed score sheet; its moves are your word.\n"
        "Alba (the Swedes) must accept before play begins.\n"
        "next: tabellion accept MATCH\n"
    )
    desk.did("accept")
    assert desk.did("move", "e3-f3") == (
        "event 2  HASH  Alba moves e3-f3\n"
        "Bruno (the Muscovites) to move; the arbiter writes it down.\n"
        "next: tabellion move MOVE\n"
    )
    desk.did("move", "e2-h2")
    assert desk.did("log").splitlines()[-2:] == [
        "  2  HASH  TIME  swedes                  Alba moves e3-f3",
        "  3  HASH  TIME  arbiter for muscovites  Bruno moves e2-h2",
    ]


def test_a_whole_game_to_its_countersigned_close(desk: Desk) -> None:
    desk.open()
    assert desk.did("move", *SHORT_GAME) == (
        "event 3  HASH  Alba moves e3-f3\n"
        "event 4  HASH  Bruno moves e2-h2\n"
        "event 5  HASH  Alba moves e4-e2\n"
        "event 6  HASH  Bruno moves h2-h3\n"
        "event 7  HASH  Alba moves Ke5-e3\n"
        "event 8  HASH  Bruno moves h3-h4\n"
        "event 9  HASH  Alba moves Ke3-a3\n"
        "event 10  HASH  Bruno moves h4-g4\n"
        "event 11  HASH  Alba moves Ka3-a1\n"
        "The king stands on the corner a1: the Swedes win. The arbiter closes the match.\n"
        "next: tabellion close\n"
    )
    assert desk.did("close") == (
        "event 12  HASH  closed: a win for swedes (goal)\n"
        "The king stands on the corner a1: the Swedes win. "
        "Closed; Alba (the Swedes) and Bruno (the Muscovites) may countersign.\n"
        "next: tabellion countersign\n"
    )
    assert desk.did("countersign") == (
        "event 13  HASH  Alba countersigns\n"
        "event 14  HASH  Bruno countersigns\n"
        "The king stands on the corner a1: the Swedes win. Closed.\n"
        "next: tabellion export --output match.json\n"
    )


def test_a_correction_takes_back_and_the_log_keeps_it(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3", "e2-h2")
    assert desk.did("correct", "3", "--reason", "mistyped: e3-g3") == (
        "taken back: events 3, 4\n"
        "event 5  HASH  ruling: back to event 2: mistyped: e3-g3 "
        "[record: what was done on the board is what counts]\n"
        "Alba (the Swedes) to move.\n"
        "next: tabellion move MOVE\n"
    )
    desk.did("move", "e3-g3")
    assert desk.did("log") == (
        "  0  HASH  TIME  arbiter     Zoë opens tablut: Alba – Bruno\n"
        "  1  HASH  TIME  swedes      Alba accepts\n"
        "  2  HASH  TIME  muscovites  Bruno accepts\n"
        "  3  HASH  TIME  swedes      Alba moves e3-f3 (taken back)\n"
        "  4  HASH  TIME  muscovites  Bruno moves e2-h2 (taken back)\n"
        "  5  HASH  TIME  arbiter     ruling: back to event 2: mistyped: e3-g3 "
        "[record: what was done on the board is what counts]\n"
        "  6  HASH  TIME  swedes      Alba moves e3-g3\n"
    )


def test_a_stretch_that_was_taken_back_can_still_be_seen(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3", "e2-h2")
    desk.did("correct", "3", "--reason", "mistyped")
    shown = desk.did("show", "--at", "4")
    assert "match HASH  event 4  HASH\n" in shown
    assert "2  .  .  .  . [.] .  . [t] .  2\n" in shown
    assert "last move: e2-h2\nAlba (the Swedes) to move.\n" in shown
    assert "last move" not in desk.did("show")


def test_one_act_taken_back_is_one_event(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    said = desk.did("correct", "3", "--reason", "x", "--rule", "house rule 4")
    assert said.startswith("taken back: event 3\n")
    assert "ruling: back to event 2: x [house rule 4]" in said


def test_a_player_resigns_with_their_own_key(desk: Desk) -> None:
    desk.open()
    assert desk.did("resign", "--key", "bruno") == (
        "event 3  HASH  Bruno resigns\n"
        "Bruno (the Muscovites) resigned: the game goes to Alba (the Swedes). The arbiter "
        "closes the match.\n"
        "next: tabellion close\n"
    )


def test_the_arbiter_writes_a_resignation(desk: Desk) -> None:
    desk.open(keyed=("swedes",))
    assert "Bruno resigns\n" in desk.did("resign", "--seat", "muscovites")
    assert "  arbiter for muscovites  Bruno resigns\n" in desk.did("log")


def test_a_note_and_the_hash_of_a_photo(desk: Desk) -> None:
    desk.open()
    (desk.folder / "sheet.jpg").write_bytes(b"a photo")
    assert desk.did("note", " Clocks  stopped ", "--file", "sheet.jpg") == (
        "event 3  HASH  note by Zoë: Clocks  stopped (file SHA-256 HASH)\n"
        "Alba (the Swedes) to move.\n"
        "next: tabellion move MOVE\n"
    )
    assert "note by Bruno: I agree\n" in desk.did("note", "I agree", "--key", "bruno")


def test_the_list_says_what_each_match_waits_for(desk: Desk) -> None:
    assert desk("list").code == "no-ledger"
    assert desk.did("init") == (
        "The ledger FOLDER/data/tabellion/ledger.db is made.\nnext: tabellion key new NAME\n"
    )
    assert desk.did("list") == "There is no match. Open one: tabellion open --help\n"
    desk.finish()
    desk.open("--table", "4", keyed=())
    assert desk.did("list") == (
        "HASH  table 4  tablut  Alba – Bruno  "
        "Alba (the Swedes) to move; the arbiter writes it down.\n"
        "HASH  tablut  Alba – Bruno  The king stands on the corner a1: the Swedes win. Closed.\n"
    )
    assert len(desk.did("list", "--open").splitlines()) == 1


def test_the_lists_are_made_anew_from_the_events(desk: Desk) -> None:
    desk.open()
    before = desk.did("list")
    ledger = "FOLDER/data/tabellion/ledger.db"
    assert desk.did("init") == f"The ledger {ledger} is there already.\nnext: tabellion list\n"
    assert desk.did("init", "--rebuild") == (
        f"Lists rebuilt from the events of 1 match in {ledger}.\nnext: tabellion list\n"
    )
    assert desk.did("list") == before


def test_the_legal_moves(desk: Desk) -> None:
    desk.open()
    ran = desk("moves")
    moves = ran.out.split()
    assert (len(moves), moves[0], moves == sorted(moves)) == (56, "c5-c1", True)
    assert ran.err == "Alba (the Swedes) to move.\n"


def test_a_match_by_the_first_letters_of_its_id(desk: Desk) -> None:
    first, second = desk.open(), desk.open()
    assert desk.did("move", "e3-f3", "--match", first[:20]).endswith(
        f"next: tabellion move MOVE -m {first[:20]}\n"
    )
    assert "last move: e3-f3" in desk.did("show", first.upper())
    assert "last move" not in desk.did("show", second)
    desk.patch.setenv("TABELLION_MATCH", second)
    assert "event 3" in desk.did("move", "e3-g3")


def test_a_match_by_its_table(desk: Desk) -> None:
    desk.make_keys()
    assert opening(desk, "--table", "4").endswith(
        "table 4: Alba (the Swedes) and Bruno (the Muscovites) must accept before play begins.\n"
        "next: tabellion accept t4\n"
    )
    other = desk.open("--table", "Hall B")
    assert desk.did("accept", "t4").endswith("next: tabellion move MOVE -m t4\n")
    assert desk.did("move", "e3-f3", "-m", "T4").endswith(
        "table 4: Bruno (the Muscovites) to move.\nnext: tabellion move MOVE -m T4\n"
    )
    assert other in desk("show", "table hall b").out
    assert desk.did("show", "-m", "thall b").endswith(
        "table Hall B: Alba (the Swedes) to move.\nnext: tabellion move MOVE -m 'thall b'\n"
    )
    assert "verdict: SOUND, 4 events" in desk.did("audit", "t4")


def test_at_a_table_the_open_match_is_meant_or_else_the_last(desk: Desk) -> None:
    matches = [desk.open("--table", "4")]
    for _ in range(2):
        desk.did("resign", "t4", "--seat", "swedes")
        desk.did("close", "t4")
        assert matches[-1] in desk("show", "t4").out
        matches.append(desk.open("--table", "4"))
    assert matches[-1] in desk("show", "t4").out


def test_a_second_open_match_at_a_table_goes_by_its_id(desk: Desk) -> None:
    desk.make_keys()
    assert "next: tabellion accept t4\n" in opening(desk, "--table", "4")
    assert "next: tabellion accept MATCH\n" in opening(desk, "--table", "4")


@pytest.mark.parametrize(
    "command",
    ["show", "log", "moves", "accept", "close", "countersign", "export", "resign --seat swedes"],
)
def test_every_command_on_a_match_takes_it_as_an_option_too(desk: Desk, command: str) -> None:
    desk.open(keyed=())
    match = desk.open(keyed=())
    asked = desk(*command.split(), match[:12])
    if command.startswith("resign"):
        assert (asked.status, desk(*command.split(), "-m", match[:12]).code) == (0, "game-over")
        return
    assert asked.code != "which-match"
    named = desk(*command.split(), "-m", match[:12])
    assert (named.status, named.out) == (asked.status, asked.out)
    desk.patch.setenv("TABELLION_MATCH", match)
    assert desk(*command.split()).out == asked.out


def test_the_only_open_match_is_meant_beside_closed_ones(desk: Desk) -> None:
    closed = desk.finish()
    assert closed in desk("show").out
    match = desk.open()
    assert match in desk("show").out


def test_witnesses_countersign_and_an_appeal_is_named(desk: Desk) -> None:
    desk.make_keys("zoe", "alba", "bruno", "wanda", "ada")
    public = (desk.keys / "wanda.pub").read_text()
    (desk.folder / "wanda.pub").write_text(public)
    opening(desk, "--witness", "Wanda=./wanda.pub", "--appeal", "Ada=ada")
    desk.did("accept")
    desk.did("move", *SHORT_GAME)
    desk.did("close")
    assert "Wanda countersigns\n" in desk.did("countersign", "--key", "wanda")

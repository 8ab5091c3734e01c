"""A fourth game is one file and one line of the registry: ``toygame`` goes through everything.

Its ruling document lies beside those that are shipped; no other source is touched. Alba is the
Heron, Bruno the Otter.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from importlib.resources.readers import MultiplexedPath
from itertools import combinations
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import test_play
from match import ALL_KEYS, Match, refused
from msgspec.structs import replace
from table import ALBA, BRUNO, KEYS
from terminal import Desk
from test_audit import changed, said, trust
from test_cli_json import document
from test_cli_rolling import at, two_devices
from test_completion import proposed, tab
from test_play import Seat
from test_rolls import sealed
from toygame import DOCUMENT, GAME, PLACES, SEATS, State

from ledger import games, record, rulings
from ledger.audit import audit
from ledger.errors import TabellionError
from ledger.events import Call, Closing, CommitReveal, Lying, Nothing, Physical, Play, Result
from ledger.fold import open_match
from ledger.games import options_of
from ledger.games.protocol import Action
from ledger.inspection import inspect_record

BOTH = CommitReveal(contributors=SEATS)
TABLE = Physical(confirm=False)
EVENING = ("6-2", "6", "a1 b1 c1", "5", "a3 b3 c3", "a2", "b2", "c2")
"""A whole game as it is typed, dice on the table: the Heron takes the last pebble."""
HERE = Path(__file__).parent


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The game is registered. Gives the folder with its ruling document."""
    monkeypatch.setitem(games.MODULES, "toy", "toygame")
    folder = tmp_path / "rulings"
    folder.mkdir()
    (folder / "toy-1.md").write_bytes(DOCUMENT)
    shelf = MultiplexedPath(files(rulings), folder)
    monkeypatch.setattr(rulings, "files", lambda _: shelf)
    for seat, key in zip(SEATS, (ALBA, BRUNO), strict=True):
        monkeypatch.setitem(KEYS, seat, key)
        monkeypatch.setitem(ALL_KEYS, seat, key)
    look_again()
    yield folder
    look_again()


def look_again() -> None:
    """What was read of the ruling documents is forgotten."""
    rulings.names.cache_clear()
    rulings.text.cache_clear()


@pytest.fixture
def desk(toy: Path, tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def open_toy(desk: Desk, *more: str, keyed: Sequence[str] = SEATS) -> None:
    """Open and accept a match; those ``keyed`` bring their keys."""
    if not desk.keys.exists():
        desk.make_keys()
    terms = []
    for seat, player in zip(SEATS, ("Alba", "Bruno"), strict=True):
        terms += ["--seat", f"{seat}={player}"]
        terms += ["--seat-key", f"{seat}={player.lower()}"] if seat in keyed else []
    desk.did("open", "toy", "--key", "zoe", "--arbiter", "Zoë", *terms, *more)
    if keyed:
        desk.did("accept")


def shown(desk: Desk, *arguments: str) -> Any:
    return json.loads(desk("show", "--json", *arguments).out)


def play_on(desk: Desk) -> None:
    """Throw, and take as much as is allowed, until nobody is to act."""
    while (step := shown(desk)["due"]["step"]) in ("throw", "act"):
        moves = desk("moves").out.splitlines()
        desk.did("roll") if step == "throw" else desk.did("move", max(moves, key=len))


# -- the game by itself ------------------------------------------------------------------------


def begun(side: int = 0, ruleset: str = "toy") -> State:
    """The toss is decided."""
    rules = GAME.rulesets[ruleset]
    start = GAME.start(options_of(GAME, rules))
    return GAME.throw(start, (2, 6) if side else (6, 2))


@pytest.mark.parametrize("seed", range(40))
def test_every_position_can_be_written_and_read(seed: int) -> None:
    """A game of any throws and any acts, position by position, to its end."""
    lot = random.Random(seed)
    options = {"last": lot.choice(["wins", "loses"])}
    state = GAME.start(options)
    while GAME.turn(state):
        wanted, legal = GAME.wanted(state), GAME.legal(state)
        assert bool(legal) != bool(wanted)
        if wanted:
            state = GAME.throw(state, tuple(lot.choices(range(1, 7), k=wanted.count)))
        else:
            state = GAME.apply(state, lot.choice(legal))
        again = GAME.place(options, GAME.position(state))
        assert again == replace(state, touched=())
        assert GAME.position(again) == GAME.position(state)
    assert GAME.outcome(state)
    assert not GAME.legal(state)
    assert not GAME.wanted(state)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ooo/ooo/ooo heron toss",
        "ooo/ooo/oo. - toss",
        "ooo/ooo/ooo - throw",
        "o../.../... heron throw",
        "o../.../... heron take:5",
        "ooo/ooo/ooo heron take:7",
        ".../.../... heron take",
        "ooo/ooo/ooo white throw",
        "ooo/ooo/ooo  heron throw",
    ],
)
def test_no_other_text_is_a_position(text: str) -> None:
    with pytest.raises(TabellionError) as caught:
        GAME.place({"last": "wins"}, text)
    assert caught.value.code == "bad-position"


@pytest.mark.parametrize("die", range(1, 7))
def test_what_is_listed_is_all_that_is_allowed(die: int) -> None:
    """A pass and any one to four holes, tried one after the other."""
    state = GAME.throw(begun(), (die,))
    tried = [("pass", "pass")]
    for many in range(1, 5):
        tried += [("move", " ".join(places)) for places in combinations(PLACES, many)]
    allowed = []
    for kind, text in tried:
        with suppress(TabellionError):
            allowed.append(GAME.read(state, kind, text))
    assert sorted(allowed, key=attrgetter("kind", "text")) == GAME.legal(state)
    moves = [each for each in allowed if each.kind == "move"]
    assert len(moves) == {1: 9, 2: 9, 3: 16, 4: 16, 5: 18, 6: 18}[die]
    assert len(allowed) - len(moves) == (die == 1)


@pytest.mark.parametrize(("ruleset", "winner"), [("toy", "heron"), ("toy-losing", "otter")])
def test_the_last_pebble_wins_or_loses(ruleset: str, winner: str) -> None:
    state = replace(begun(ruleset=ruleset), pebbles=("b2",))
    outcome = GAME.outcome(GAME.apply(state, Action("move", "b2")))
    assert outcome
    assert (outcome.reason, outcome.winner) == ("last_pebble", winner)


# -- the fold ----------------------------------------------------------------------------------


def test_a_match_with_dice_of_both_players_is_folded_to_its_close(toy: Path) -> None:
    match = Match(ruleset="toy", dice=BOTH)
    while match.state.turn:
        if match.state.game.wanted(match.state.position):
            match.roll()
        else:
            match.play_any()
    assert match.state.result
    assert (match.state.result.kind, match.state.result.how) == ("win", "last_pebble")
    match.close()
    for seat in SEATS:
        match.countersign(seat)
    assert open_match(match.state.entries) == match.state
    assert all(roll.owners for roll in match.state.rolling.rolls)


def test_dice_on_the_table_wait_for_the_other_seats_word(toy: Path) -> None:
    match = Match(ruleset="toy", dice=Physical(confirm=True))
    match.record(6, 2, by="heron")
    with refused("unconfirmed", "Bruno confirms the dice 6-2 first"):
        match.move("a1", "heron")
    match.confirm("otter")
    match.record(3, by="heron")
    match.confirm("otter")
    assert match.position == "ooo/ooo/ooo heron take:3"


def test_acts_out_of_turn_and_out_of_place_are_refused(toy: Path) -> None:
    match = Match(ruleset="toy", dice=TABLE)
    with refused("not-now", "each throws one die first"):
        match.move("a1", "heron")
    with refused("bad-dice"):
        match.record(1, 2, 3)
    match.record(2, 6)
    with refused("wrong-turn", "for the Otter to act, not for the Heron"):
        match.move("a1", "heron")
    match.record(3)
    with refused("no-throw", "the dice 3 are played first"):
        match.record(1)
    with refused("not-canonical", "written a1 c1"):
        match.move("c1 a1", "otter")
    with refused("pass-on-one"):
        match.write("pass", Nothing(), "otter")
    with refused("unknown-action"):
        match.write("call", Call(call="heron"), "otter")
    match.move("a1 c1", "otter")
    match.record(1)
    match.write("pass", Nothing(), "heron")
    assert match.position == ".o./ooo/ooo otter throw"


# -- the referee, without a ledger -------------------------------------------------------------


def test_its_rulesets_are_shown_with_reasons_and_document(desk: Desk) -> None:
    assert "toy-losing       Pebbles: the last pebble loses\n" in desk.did("rules")
    assert desk.did("rules", "toy-losing") == (
        "toy-losing, version 1: Pebbles: the last pebble loses\n"
        "ruling document toy-1, SHA-256 HASH\n"
        "seats: heron and otter\n"
        "\n"
        "last = loses  (or wins; by default wins)\n"
        "    Who takes the last pebble wins; or loses, as in Nim.\n"
    )
    assert desk("rules", "toy", "--document").out.encode() == DOCUMENT
    assert f"\ntoy:\n\n{GAME.notation.strip()}\n" in desk("help", "notation").out


@pytest.mark.parametrize(
    ("position", "dice", "move", "code"),
    [
        ("start", "", "a1", "no-dice-given"),
        ("start", "3", "a1", "bad-dice"),
        ("ooo/ooo/ooo heron throw", "4", "d1", "bad-move"),
        ("ooo/ooo/ooo heron throw", "4", "a1 a1", "bad-move"),
        ("ooo/ooo/ooo heron throw", "4", "a1 c3", "one-row"),
        ("ooo/ooo/ooo heron throw", "4", "a2 b2", "middle-alone"),
        ("ooo/ooo/ooo heron throw", "4", "a1 b1 c1", "too-many"),
        ("ooo/ooo/ooo heron throw", "4", "pass", "pass-on-one"),
        (".oo/ooo/ooo otter take:5", "", "a1", "empty-hole"),
        (".oo/ooo/ooo otter take:5", "2", "b1", "no-throw"),
        (".../oo./... otter take", "", "a2 b2", "middle-alone"),
        (".../o.o/... otter take", "", "a2 c2", "too-many"),
        (".../.../... otter over", "", "a1", "not-now"),
        ("ooo/ooo/... otter take", "", "a1", "bad-position"),
    ],
)
def test_what_the_referee_refuses(
    desk: Desk, position: str, dice: str, move: str, code: str
) -> None:
    ran = desk("check", "toy", position, move, *(["--dice", dice] if dice else []))
    assert ran.code == code, ran.err
    assert ran.status != 0


def test_what_the_referee_allows(desk: Desk) -> None:
    asked = desk("check", "toy", "ooo/ooo/ooo heron throw", "C1, a1", "--dice", "4")
    assert asked.out == "a1 c1 is legal.\nleads to .o./ooo/ooo otter throw\n"
    asked = desk("check", "toy-losing", ".../.o./... otter take", "b2")
    assert asked.out.endswith("the game is over: last_pebble, heron\n")
    asked = desk("check", "toy", ".../.o./... otter take", "b2", "--option", "last=loses")
    assert asked.out.endswith("the game is over: last_pebble, heron\n")
    assert document(desk, "check", "toy", "ooo/ooo/ooo otter throw")["turn"] == "otter"


# -- at a table, dice as they lie ----------------------------------------------------------------

BOARD = """\
match HASH  event 5  HASH
rules toy with last=loses
table 4, date DATE
heron: Alba, the arbiter writes
otter: Bruno, the arbiter writes
arbiter: Zoë
dice: on the table

    Otter
   a  b  c
3  @  @  @  3
2  @  *  @  2
1  @ [.] @  1
   a  b  c
    Heron
@ pebble, * the middle, taken alone
pebbles 7
last move: b1
Alba (the Heron) to throw one die; the arbiter writes it down.
next: tabellion roll 3
"""
FLIPPED = """\
    Heron
   c  b  a
1  @ [.] @  1
2  @  *  @  2
3  @  @  @  3
   c  b  a
    Otter
"""


def test_the_board_is_shown_from_both_sides(desk: Desk) -> None:
    open_toy(desk, "--table", "4", "--option", "last=loses", keyed=())
    for typed in ("6-2", "1"):
        desk.did("roll", typed)
    assert (
        "Alba (the Heron) to move or pass with 1; the arbiter writes it down." in desk("show").out
    )
    desk.did("move", "b2")
    desk.did("roll", "2")
    desk.did("move", "b1")
    assert desk.did("show") == BOARD
    assert FLIPPED in desk.did("show", "--flip")
    at_the_toss = desk.did("show", "--at", "0")
    assert "Alba (the Heron) to throw one die each, the Heron's first" in at_the_toss


def test_a_whole_evening_from_a_pipe(desk: Desk) -> None:
    open_toy(desk, keyed=())
    lines = [*EVENING, "show --json", "close", "help", "quit", "a1"]
    ran = desk("play", stdin="\n".join(lines).encode())
    assert (ran.status, ran.err) == (0, "")
    assert desk.types()[1:4] == ["roll.recorded", "roll.recorded", "move"]
    assert desk.types()[-1] == "match.closed"
    assert "The Heron took the last pebble: the Heron wins. Closed." in ran.out
    assert "a1 b1  pebbles of one row are taken\n" in ran.out
    assert desk("list").out.endswith("the Heron wins. Closed.\n")
    assert "closed: a win for heron (last pebble)" in desk("log").out
    audited = desk.did("audit")
    assert "verdict: SOUND, 10 events" in audited
    assert "result: a win for heron (last pebble), closed" in audited


def test_moves_from_a_pipe_go_through_all_or_none(desk: Desk) -> None:
    open_toy(desk, keyed=())
    desk("play", stdin="\n".join(EVENING[:5]).encode())
    before = desk.types()
    refused = desk("move", "-", stdin=b"# nobody throws any more\n1. a2\n2. b1\n")
    assert (refused.code, refused.status) == ("empty-hole", 1)
    assert "line 3: b1 is refused: b1 is empty. Nothing was written." in refused.err
    assert desk.types() == before
    desk.did("move", "-", stdin=b"1. a2\n2. b2\n3. C2\n")
    assert shown(desk)["result"] == {"kind": "win", "how": "last_pebble", "winner": "heron"}


def test_what_only_other_games_know_is_refused_by_name(desk: Desk) -> None:
    terms = ("--seat", "heron=Alba", "--seat", "otter=Bruno", "--key", "zoe")
    desk.make_keys()
    assert desk("open", "toy", *terms, "--turn-cap", "9").code == "no-turn-cap"
    assert desk("open", "toy", *terms, "--option", "goal=edge").code == "unknown-option"
    seats = ("--seat", "white=Alba", "--seat", "black=Bruno", "--key", "zoe")
    assert desk("open", "toy", *seats).code == "wrong-seats"
    open_toy(desk, keyed=())
    assert desk("claim", "--seat", "heron").code == "no-draw"
    assert desk("offer", "settle", "3-6", "--seat", "heron").code == "no-settlement"
    for acting in (("wager",), ("pull", "4a-c"), ("call", "raichi"), ("diablo",)):
        assert desk(*acting).code == "unknown-action"
    assert desk("export", "--format", "text").code == "bad-option"
    assert desk.types() == ["match.opened"]


def test_void_correct_draw_and_takeback(desk: Desk) -> None:
    open_toy(desk, "--dice", "table")
    desk.did("roll", "2-6")
    desk.did("roll", "4")
    assert "Zoë voids roll 2: cocked" in desk.did("void", "cocked")
    desk.did("roll", "6")
    desk.did("move", "a1", "b1")
    desk.did("correct", "7", "--reason", "mistyped")
    assert shown(desk)["position"] == "ooo/ooo/ooo otter take:6"
    desk.did("move", "a1")
    told = desk.did("offer", "takeback", "--seat", "otter")
    assert "Bruno offers to take back event 9 and what followed (a1)" in told
    desk.did("agree", shown(desk)["offers"][0]["hash"][:8])
    desk.did("correct", "6", "--reason", "it was a 5", "--dice", "rethrow")
    assert shown(desk)["position"] == "ooo/ooo/ooo otter throw"
    desk.did("offer", "draw", "--seat", "heron")
    desk.did("decline", shown(desk)["offers"][0]["hash"][:8])
    desk.did("offer", "draw", "--seat", "otter")
    desk.did("agree", shown(desk)["offers"][0]["hash"][:8])
    assert "The players agreed to a draw." in desk.did("close")
    assert desk("audit").status == 0


def test_a_player_gives_up(desk: Desk) -> None:
    open_toy(desk)
    desk.did("roll")
    told = desk.did("resign", "--seat", "otter")
    assert "Bruno (the Otter) resigned: the game goes to Alba (the Heron)." in told


def test_all_is_there_for_programs_too(desk: Desk) -> None:
    open_toy(desk, keyed=())
    assert document(desk, "roll", "6-2")["turn"] == "heron"
    document(desk, "roll", "1")
    assert {each["kind"] for each in document(desk, "moves")["moves"]} == {"move", "pass"}
    assert document(desk, "pass")["turn"] == "otter"
    assert document(desk, "show")["board"]["marks"] == {"b2": "middle"}
    assert document(desk, "log")["events"][3]["text"] == "Alba passes"
    assert document(desk, "list")["matches"][0]["ruleset"] == "toy"
    assert document(desk, "stats")["all"]["throws"] == 2
    assert document(desk, "audit")["reports"][0]["dice"]
    assert "toy" in [each["name"] for each in document(desk, "rules")["rulesets"]]
    assert document(desk, "init", "--rebuild")["rebuilt"] == 1


# -- with keys, and dice that the players make ---------------------------------------------------


def test_a_match_is_played_signed_and_verified_by_strangers(desk: Desk) -> None:
    open_toy(desk)
    assert "dice: made by Alba (the Heron) and Bruno (the Otter)\n" in desk("show").out
    assert desk("move", "a1").code == "dice-first"
    assert desk("roll", "6-2").code == "computed-dice"
    play_on(desk)
    desk.did("close")
    desk.did("countersign")
    assert desk.types()[-3:] == ["match.closed", "countersigned", "countersigned"]
    desk.did("export", "-o", "match.json")
    told = desk("log").out

    desk.did("import", "match.json", "--ledger", "club.db")
    assert desk("log", "--ledger", "club.db").out == told
    assert desk("audit", "--ledger", "club.db").status == 0

    elsewhere = desk.folder / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(desk.folder / "match.json", elsewhere)
    desk.patch.chdir(elsewhere)
    desk.patch.setenv("XDG_DATA_HOME", str(elsewhere / "nothing"))
    head = told.splitlines()[-1].split()[1]
    audited = desk("audit", "match.json", "--head", head)
    assert audited.status == 0, audited.out
    for words in ("SOUND", "fair if Alba or Bruno kept", "countersigned by Alba and Bruno"):
        assert words in audited.out


def test_two_devices_throw_open_and_play_in_turn(
    toy: Path, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    zoe, bruno = two_devices(tmp_path, monkeypatch, capsys)
    copy = str(tmp_path / "match.json")
    open_toy(zoe)
    zoe.did("export", "-o", copy)

    def on(device: Desk, *commands: tuple[str, ...]) -> str:
        """Run these on a device that takes the record in before and gives it out after."""
        there = at(device.folder, monkeypatch, capsys)
        told = [there.did(*words) for words in (("import", copy), *commands)]
        there.did("export", "-o", copy, "--force")
        return told[-1]

    on(bruno, ("accept",))
    assert "Roll 1 is thrown: Bruno (the Otter) must open it." in on(zoe, ("roll",))
    assert re.search(
        r"Bruno opens roll 1: [1-6]-[1-6], (a tie|Alba begins|Bruno begins)", on(bruno, ("roll",))
    )
    on(zoe, ("resign", "--seat", "heron"), ("close",))
    assert "Closed; Alba (the Heron) may countersign." in on(bruno, ("countersign",))


# -- what an audit finds -------------------------------------------------------------------------


def evening(dice: Any = TABLE) -> Match:
    """The evening up to its last three pebbles: event 9 is to come, by Alba."""
    match = Match(ruleset="toy", dice=dice)
    match.record(6, 2)
    match.record(6)
    match.move("a1 b1 c1", "heron")
    match.record(5)
    match.move("a3 b3 c3", "otter")
    return match


def chain(match: Match) -> list[Any]:
    return [sealed(entry) for entry in match.state.entries]


def test_no_changed_byte_goes_unseen(toy: Path) -> None:
    match = evening()
    for text, seat in (("a2", "heron"), ("b2", "otter"), ("c2", "heron")):
        match.move(text, seat)
    match.close()
    whole = record.write(chain(match))
    assert inspect_record(whole, trust()).verdict == "sound"
    chance = random.Random("pebbles")
    for place in [0, *chance.sample(range(len(whole)), 80), len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        try:
            verdict = inspect_record(bytes(damaged), trust()).verdict
        except TabellionError:
            continue
        assert verdict == "faults", place


@pytest.mark.parametrize(
    ("move", "signer", "code"),
    [
        ("a2 c2", "heron", "too-many"),
        ("a1", "heron", "empty-hole"),
        ("A2", "heron", "not-canonical"),
        ("d4", "heron", "bad-move"),
        ("a2", "otter", "wrong-turn"),
    ],
)
def test_an_unlawful_move_that_its_player_signed(
    toy: Path, move: str, signer: str, code: str
) -> None:
    match = evening()
    entry = match.next("move", Play(move=move), signer)
    report = audit([*chain(match), sealed(entry)], (), trust())
    assert said(report) == [(match.state.seq + 1, code)]


def test_a_result_that_the_board_does_not_show(toy: Path) -> None:
    match = evening()
    for text, seat in (("a2", "heron"), ("b2", "otter"), ("c2", "heron")):
        match.move(text, seat)
    result = Result(kind="win", how="last_pebble", winner="otter")
    entry = match.next("match.closed", Closing(result=result), "arbiter")
    report = audit([*chain(match), sealed(entry)], (), trust())
    assert said(report) == [(match.state.seq + 1, "wrong-result")]


def test_dice_that_were_changed_afterwards(toy: Path) -> None:
    match = evening()
    second = match.state.rolling.rolls[1].seq
    events = changed(chain(match), second, data=Lying(roll=2, dice=(4,)))
    assert said(audit(events, (), trust()))[:2] == [
        (second, "bad-signature"),
        (second + 1, "bad-chain"),
    ]


def test_other_rulings_than_those_at_hand(toy: Path) -> None:
    events = chain(evening())
    (toy / "toy-1.md").write_bytes(DOCUMENT.replace(b"Nine", b"Ten"))
    look_again()
    report = audit(events, (), trust())
    assert (report.verdict, report.faults) == ("could-not-check", ())
    assert "which this Tabellion does not hold" in report.unchecked[0]


def test_a_ledger_that_somebody_wrote_into(desk: Desk) -> None:
    open_toy(desk, keyed=())
    desk("play", stdin="\n".join(EVENING).encode())
    with sqlite3.connect(desk.ledger) as ledger:
        ledger.execute("DROP TRIGGER events_never_change")
        ledger.execute(
            "UPDATE events SET payload = CAST(replace(payload, 'a1 b1', 'b1 a1') AS BLOB)"
        )
    ran = desk("audit")
    assert (ran.status, "FAULT event 3 " in ran.out) == (1, True)
    assert desk("show").code == "match-damaged"


def test_without_its_line_in_the_registry_nothing_knows_it(desk: Desk) -> None:
    open_toy(desk, keyed=())
    desk("play", stdin="\n".join([*EVENING, "close"]).encode())
    desk.did("export", "-o", "match.json")
    desk.patch.delitem(games.MODULES, "toy")
    ran = desk("audit", "match.json")
    assert (ran.status, "FAULT" in ran.out) == (2, False)
    assert "The rules of the game were not judged" in ran.out
    assert desk("rules", "toy").code == "unknown-ruleset"
    assert desk("import", "match.json", "--ledger", "other.db").code == "unknown-game"


# -- Tab, and at a terminal ----------------------------------------------------------------------


def test_tab_knows_seats_options_and_pebbles(desk: Desk) -> None:
    assert proposed(desk, "open toy") == ["toy", "toy-losing"]
    assert proposed(desk, "rules toy-") == ["toy-losing"]
    assert tab(desk, "open toy --seat ") == ["heron=\tthe Heron", "otter=\tthe Otter"]
    assert proposed(desk, "open toy --option last=") == ["last=wins", "last=loses"]
    open_toy(desk, "--table", "4", keyed=())
    assert proposed(desk, "move ") == []  # dice first
    desk.did("roll", "6-2")
    desk.did("roll", "3")
    assert proposed(desk, "move a") == ["a1", "a2", "a3"]
    assert proposed(desk, "move a2 ") == ["c2"]
    assert tab(desk, "resign --seat ") == ["heron\tAlba", "otter\tBruno"]
    assert proposed(desk, "check toy 'ooo/ooo/ooo heron throw' --dice 1 c") == ["c1", "c2", "c3"]


LAUNCHER = """\
#!{python}
import sys
from importlib.resources import files
from importlib.resources.readers import MultiplexedPath
from pathlib import Path

sys.path.insert(0, {tests!r})
from cli import main
from ledger import games, rulings

games.MODULES["toy"] = "toygame"
shelf = MultiplexedPath(files(rulings), Path({rulings!r}))
rulings.files = lambda _: shelf
main()
"""


def test_a_match_is_opened_by_questions_and_played_at_a_terminal(
    toy: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    program = tmp_path / "tabellion"
    program.write_text(LAUNCHER.format(python=sys.executable, tests=str(HERE), rulings=str(toy)))
    program.chmod(0o700)
    monkeypatch.setattr(test_play, "PROGRAM", program)
    zoe = Seat(tmp_path / "zoe", "play")
    try:
        zoe.types("Which rules [tablut]: ", "toy-losing")
        zoe.types("Who plays the Heron: ", "Alba")
        zoe.types("1, 2 or 3 [1]: ", "3")
        zoe.types("Who plays the Otter: ", "Bruno")
        zoe.types("1, 2 or 3 [1]: ", "3")
        zoe.types("Who is the arbiter [This device]: ", "")
        zoe.types("Protect it with a passphrase [y]: ", "n")
        zoe.types("Which [2]: ", "")
        zoe.types("take a move back [y]: ", "")
        zoe.types("Which table [none]: ", "")
        zoe.types("Alba (heron)> ", "6-2")
        zoe.types("Alba (heron)> ", "6")
        zoe.sees("Alba (the Heron) to move with 6")
        zoe.sees("Alba (heron)> ")
        zoe.presses("c1 b1 a", "c1b1a")
        zoe.presses("\t", "1")
        zoe.terminal.send("\r")
        zoe.sees("Alba moves")
        for line in EVENING[3:]:
            zoe.types("> ", line)
        zoe.types("Close the match with this result? [y/n] ", "y")
        zoe.sees("the Otter wins. Closed.")
        assert zoe.leaves() == 0
    finally:
        zoe.terminal.close(force=True)

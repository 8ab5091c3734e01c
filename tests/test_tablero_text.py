"""El Tablero de Jesús as text: a throw a line with all that came of it, out and in; what comes in
is played again by our rules."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match import Match
from table import BOTH_SIDES
from terminal import Desk
from test_tabula_text import refusal, turns, with_lines, written

from ledger.errors import TabellionError, Unreadable
from ledger.events import (
    Answer,
    DrawOffer,
    Nothing,
    Penalty,
    Physical,
    Result,
    Rewind,
    SettlementOffer,
    type_of,
)
from ledger.fold import MatchState, Phase
from ledger.fold.acts import Turn, action_of
from ledger.formats import MAX_BYTES, read
from ledger.formats.numbered_writer import write
from ledger.formats.tablero.text import parse
from ledger.formats.transcript import Comment
from ledger.games import game
from ledger.importing import adjudged
from ledger.texts import notation

GAME = game("tablero")
TEXT = """\
; [Ruleset "tablero"]
; [Event "Fair of Bruges"]
; [Table "4"]
; [South "Alba"]
; [North "Bruno"]
; [Result "unfinished"]

0. S 4 N 4 / S 5 N 3
1. S 2-5: wager
2. S 4-6: e1-e7 f1-f5
3. S 4-3:
4. N 2-6: d1-d7 g1-g3
5. N 2-2: e7-e5 g3-g1; pull 5e-f
6. S 5-1: a7-a2 b7-b6; pull 1e-g
7. N 6-5: pass
8. S 1-1:
"""
"""A tie; a Wager that is lost with the dice by a 7; two Pulls; a throw that waits for its move."""


def table(**options: Any) -> Match:
    """South and North have no keys: the arbiter writes, dice lie on the table."""
    return Match(ruleset="tablero", dice=Physical(confirm=False), keyed=(), **options)


def what_stands(state: MatchState) -> list[tuple[str, str, str]]:
    """Throws and acts that stand, in their order."""
    rolls = {roll.seq: roll for roll in state.rolling.rolls if roll.counted}
    found = []
    for seq in sorted(state.line()):
        event = state.entries[seq].event
        if seq in rolls:
            found.append(("throw", rolls[seq].seat, "-".join(map(str, rolls[seq].dice))))
        elif isinstance(event, Turn):
            action = action_of(event)
            found.append((action.kind, event.for_ or event.by, action.text))
    return found


def there_and_back(state: MatchState) -> MatchState:
    """The match that is written from the text of this one."""
    text = notation(state, "text")
    back = written(text.encode())
    assert what_stands(back) == what_stands(state)
    assert back.opening.ruleset == state.opening.ruleset
    assert back.opening.turn_cap == state.opening.turn_cap
    assert GAME.position(back.position) == GAME.position(state.position)
    assert turns(notation(back, "text")) == rows_of(text)
    return back


def rows_of(text: str) -> list[str]:
    """The lines of play; what a comment had parted is in one line again."""
    rows: list[str] = []
    for line in turns(text):
        number, dots, acts = line.partition("... ")
        if dots:
            assert rows[-1].startswith(f"{number}. ")
            joint = " " if rows[-1].endswith(":") else "; "
            rows[-1] += joint + acts.partition(": ")[2]
        else:
            rows.append(line)
    return rows


# -- in --------------------------------------------------------------------------------------


def test_a_text_becomes_a_match_with_every_throw_on_record() -> None:
    state = written(TEXT.encode())
    assert [type_of(entry.event) for entry in state.entries[1:]] == [
        *["roll.recorded", "roll.recorded"],
        *["roll.recorded", "wager"],
        *["roll.recorded", "move"],
        "roll.recorded",
        *["roll.recorded", "move"],
        *["roll.recorded", "move", "pull"],
        *["roll.recorded", "move", "pull"],
        *["roll.recorded", "pass"],
        "roll.recorded",
    ]
    assert [roll.dice for roll in state.rolling.rolls][:4] == [(4, 4), (5, 3), (2, 5), (4, 6)]
    assert [party.key is None for party in state.roster.values()] == [False, True, True]
    assert state.opening.dice == Physical(confirm=False)
    assert (state.opening.settlements, state.opening.turn_cap) == (False, None)
    assert state.opening.source is not None
    assert state.opening.source.format == "tablero-text"
    assert GAME.position(state.position) == "2617777 7,22 0 0 south move:1-1"
    assert (state.phase, state.turn) == (Phase.IN_PLAY, "south")


def test_what_was_read_is_said_in_a_sentence() -> None:
    assert adjudged(TEXT.encode()).summary == (
        "tablero-text, tablero: 8 acts and 10 throws judged and equal. "
        "The file stops without a result."
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("e1-e7 f1-f5", "e7 f5"),
        ("e1-e7 f1-f5", "F1-F5, E1-E7"),
        ("e7-e5 g3-g1; pull 5e-f", "e5 g1 ;PULL 5E-F"),
        ("b7-b6; pull 1e-g", "b7-b6; pull"),
        ("pull 5e-f", "pull e5-f5"),
        ("e7-e5 g3-g1; pull 5e-f", "e7-e5 g3-g1\n; A good Pull!\n5... N: pull 5e-f"),
        ("4. N 2-6: d1-d7 g1-g3", "4. N 2-6:\n4... N: d1-d7 g1-g3"),
        ("2-5: wager", "2-5 :  Wager"),
    ],
)
def test_throws_are_read_as_people_write_them(old: str, new: str) -> None:
    state = written(with_lines(old, new, TEXT).encode())
    assert turns(notation(state, "text")) == turns(TEXT)


@pytest.mark.parametrize(
    ("old", "new", "where", "why"),
    [
        (
            "4. N 2-6",
            "4. S 2-6",
            "line 12: the throw 2-6",
            "a throw of 2 dice by South; by the rules it is a throw of 2 dice by North",
        ),
        ("S 2-5: wager", "S 2-5: wager; run", "move 2, line 9: run", "Wager of 7 stands"),
        ("e1-e7 f1-f5", "e1-e6 f1-f5", "move 2, line 10: e1-e6 f1-f5", "the dice are 4-6"),
        ("pull 5e-f", "pull 5e-g", "move 5, line 13: pull 5e-g", ""),
        ("1. S 2-5: wager", "1. S 2-5: diablo", "move 1, line 9: diablo", ""),
        ("7. N 6-5: pass", "7. N 6-5:", "line 16: the throw 1-1", "no throw is due"),
        (
            "4 / S 5 N 3",
            "4",
            "line 9: the throw 2-5",
            "the file has a throw of 2 dice by South; by the rules it is a throw for who begins",
        ),
    ],
)
def test_the_first_mistake_is_named_with_its_line(old: str, new: str, where: str, why: str) -> None:
    error = refusal(with_lines(old, new, TEXT))
    assert error.code == "import-diverges"
    assert error.message.startswith(f"{where}: ")
    assert why in error.message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("4 / S 5", "4 / N 5", "line 8: S 4 N 4 / N 5 N 3 is no opening; one is written 0. S 4 N"),
        ("3. S 4-3:", "3. S 4-3", "line 11: S 4-3 is no turn; one is written S 3-5: c1-c4"),
        ("4-3:", "4-3-1:", "line 11: S 4-3-1: is no turn"),
        ("3. S 4-3:", "3. W 4-3:", "line 11: W 4-3: is no turn"),
        ("3. S 4-3:", "3. S:", "line 11: S: is no turn"),
        ("3. S", "4. S", "line 11: number 3 is expected here, not 4"),
        ("3. S 4-3:", "3... S 4-3: pass", "line 11: S 4-3: pass goes on with no throw"),
        ("3. S 4-3:", "2... N: pass", "line 11: 2... N: pass is no part of the throw before it"),
        ("3. S 4-3:", "1... S: pass", "line 11: 1... S: pass is no part of the throw before it"),
        ("0. S", "0... S: pass\n0. S", "line 8: 0... S: pass is no part of the throw before it"),
        (
            '"tablero"',
            '"tablero-x"',
            'line 1: no ruleset of Tablero is called "tablero-x"',
        ),
        ('"unfinished"', '"White wins (resigned)"', "line 6: White wins (resigned) is no result"),
        ('"unfinished"', '"South wins (resigned 20-16)"', "line 6: South wins (resigned 20-16) is"),
        ('"unfinished"', '"wins (resigned)"', "line 6: wins (resigned) is no result; one is writ"),
        ('"4"]', '"4"]\n; [Turn cap "0"]', "line 4: 0 is no number of turns; 1 to 100000 are"),
        ('"4"]', '"4"]\n; [turn cap "100001"]', "line 4: 100001 is no number of turns"),
    ],
)
def test_what_is_no_such_text_is_named_with_its_line(old: str, new: str, message: str) -> None:
    error = refusal(with_lines(old, new, TEXT))
    assert isinstance(error, Unreadable)
    assert error.code == "bad-text"
    assert error.message.startswith(message)


# -- results ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("South wins (resigned)", Result(kind="win", how="resigned", winner="south")),
        ("draw (agreed)", Result(kind="draw", how="agreed")),
        ("South wins (settled 20-16)", Result(kind="win", how="settled", winner="south")),
        ("North wins (settled 0-36)", Result(kind="win", how="settled", winner="north")),
        ("draw (settled 18-18)", Result(kind="draw", how="settled")),
    ],
)
def test_how_the_players_ended_it(words: str, result: Result) -> None:
    state = written(with_lines("unfinished", words, TEXT).encode())
    assert (state.phase, state.closed) == (Phase.CLOSED, result)
    assert state.opening.settlements is ("settled" in words)
    assert f'; [Result "{words}"]' in notation(state, "text")
    there_and_back(state)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ("South wins (settled 20-17)", "import-diverges", "20-17 is no division"),
        ("North wins (settled 20-16)", "import-diverges", "the file says North won (settled); by"),
        ("draw (settled 20-16)", "import-diverges", "it is a draw (settled); by the rules: The pl"),
        ("South wins (settled)", "import-unexplained", "the board does not show it"),
        ("South wins (cleaned_out)", "import-unexplained", "the board does not show it"),
        ("South wins (ruling)", "import-unexplained", "the board does not show it"),
        ("annulled (ruling)", "import-unexplained", "it was annulled"),
        ("North wins by forfeit (ruling)", "import-unexplained", "it was forfeited"),
    ],
)
def test_a_result_that_does_not_follow_is_refused(words: str, code: str, why: str) -> None:
    error = refusal(with_lines("unfinished", words, TEXT))
    assert error.code == code
    assert why in error.message


def test_the_turn_cap_ends_a_game_that_has_one_and_no_other() -> None:
    text = with_lines('"4"]', '"4"]\n; [Turn cap "3"]', TEXT)
    assert "by the rules the game is over: " in refusal(text).message
    short = text.partition("7. N")[0]
    assert "the file says the game goes on; by the rules: " in refusal(short).message
    state = written(short.replace('; [Result "unfinished"]\n', "").encode())
    assert state.closed is not None
    assert (state.closed.how, state.opening.turn_cap) == ("turn_cap", 3)
    assert '; [Turn cap "3"]' in notation(state, "text")
    there_and_back(state)
    tabula = '; [Ruleset "tabula"]\n; [Turn cap "3"]\n0. W 4 B 2\n'
    assert refusal(tabula).code == "no-turn-cap"


# -- out -------------------------------------------------------------------------------------


def test_a_whole_match_as_it_is_written() -> None:
    match = table()
    match.record(4, 4)
    match.record(5, 3)
    match.record(2, 5)
    match.act("wager")
    match.record(1, 1)
    match.void()
    match.record(4, 6)
    match.act("move", "e1-e7 f1-f5")
    match.rule(Penalty(seat="south", penalty="warning"))
    match.record(4, 3)
    match.record(2, 6)
    thrown = match.state.seq
    match.play_any()
    match.rule(Rewind(to=thrown, dice="keep"))
    match.act("move", "d1-d7 g1-g3")
    match.adjourn("after lunch")
    match.resume()
    match.record(2, 2)
    match.act("move", "e7-e5 g3-g1")
    match.rule(Penalty(seat="north", penalty="fine"))
    match.act("pull", "5e-f")
    offer = settle(match, "north", 16, 20)
    match.write("offer.accepted", offer, "arbiter", "south")
    match.close()
    assert (
        notation(match.state, "text")
        == f"""\
; [Ruleset "tablero"]
; [South "Alba"]
; [North "Bruno"]
; [Arbiter "Zoë"]
; [Result "North wins (settled 16-20)"]
; [Match "{match.state.match}"]
; [Head "{match.state.head}"]
; Left out, as taken back, void or not confirmed: 1 turn and 1 throw.

0. S 4 N 4 / S 5 N 3
1. S 2-5: wager
2. S 4-6: e1-e7 f1-f5
; Event 9: ruling: a warning for Alba: A piece was moved by mistake. [record]
3. S 4-3:
; Event 13: ruling: back to event 11, dice kept: A piece was moved by mistake. [record]
4. N 2-6: d1-d7 g1-g3
; Event 15: adjourned until after lunch
; Event 16: resumed
5. N 2-2: e7-e5 g3-g1
; Event 19: ruling: a fine for Bruno: A piece was moved by mistake. [record]
5... N: pull 5e-f
"""
    )
    back = there_and_back(match.state)
    assert back.closed == Result(kind="win", how="settled", winner="north")


def settle(match: Match, seat: str, south: int, north: int) -> Any:
    """Offered by a seat for which the arbiter writes; gives the answer to it."""
    match.write("offer.made", SettlementOffer(split=(south, north)), "arbiter", seat)
    return Answer(offer=match.state.head)


def test_diablo_is_called_by_the_opponent_in_the_line_of_the_throw() -> None:
    match = table(diablo="called")
    match.record(5, 3)
    match.record(2, 5)
    match.act("diablo")
    match.act("wager")
    match.record(3, 4)
    first = match.state.game.legal(match.state.position)[0].text
    match.act("move", first)
    match.act("diablo")
    lines = turns(notation(match.state, "text"))
    assert lines == ["0. S 5 N 3", "1. S 2-5: diablo; wager", f"2. S 3-4: {first}; diablo"]
    back = there_and_back(match.state)
    assert [kind for kind, _, _ in what_stands(back)].count("diablo") == 2
    assert {seat for kind, seat, _ in what_stands(back) if kind == "diablo"} == {"north"}


def test_dice_that_the_players_made_come_back_as_dice_on_the_table() -> None:
    match = Match(ruleset="tablero", dice=BOTH_SIDES)
    for _ in range(8):
        if match.state.game.wanted(match.state.position):
            match.roll()
        else:
            match.play_any()
    assert there_and_back(match.state).opening.dice == Physical(confirm=False)


def test_dice_that_never_counted_stay_away_where_a_ruling_goes_back_to_them() -> None:
    """Written down, void before North had confirmed them, and named by a ruling later on."""
    match = Match(ruleset="tablero", dice=Physical(confirm=True))
    match.record(6, 1)
    named = match.state.seq
    match.void()
    match.record(5, 3)
    match.confirm("north")
    match.rewind(named, dice="rethrow")
    assert named in match.state.line()
    text = notation(match.state, "text")
    assert turns(text) == []
    assert "; Left out, as taken back, void or not confirmed: 2 throws." in text


def test_comments_have_one_line_or_begin_the_next_so_that_it_is_no_header() -> None:
    long = f"[Event {'x' * 90} [Result {'y' * 300} ; 9. S 1-1:\n[White] \u2028 9. S 1-1:"
    transcript = parse(TEXT)
    comments = (Comment(0, 0, long), Comment(4, 0, long), Comment(5, 0, ""))
    text = write(replace(transcript, comments=comments), GAME)
    assert rows_of(text) == turns(TEXT)
    assert max(len(line) for line in text.splitlines()) < 120
    again = parse(text)
    assert write(again, GAME) == text
    assert "5... N: pull 5e-f" in text


# -- there and back --------------------------------------------------------------------------


def random_match(luck: int, options: dict[str, Any], cap: int | None, most: int) -> Match:
    """A match of so many acts and throws at most, with rulings, voids and corrections in it."""
    lot = Random(luck)
    match = table(turn_cap=cap, **options)
    for _ in range(most):
        state = match.state
        if state.result:
            break
        position = state.position
        legal, wanted = GAME.legal(position), GAME.wanted(position)
        chance = lot.random()
        if chance < 0.04:
            match.rule(Penalty(seat=lot.choice(GAME.seats), penalty="warning"))
        elif chance < 0.08:
            with suppress(TabellionError):
                match.rewind(lot.randrange(state.seq + 1), dice=lot.choice(["keep", "rethrow"]))
        elif chance < 0.12:
            with suppress(TabellionError):
                match.void()
        elif chance < 0.3:
            with suppress(TabellionError):
                match.act("diablo")
        elif legal and not (wanted and lot.random() < 0.5):
            action = lot.choice(legal)
            match.act(action.kind, action.text)
        elif wanted:
            match.record(*lot.choices(range(1, 7), k=wanted.count))
    return match


ENDS = ("", "resigned", "agreed", "settled")


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.fixed_dictionaries({n: st.sampled_from(o.values) for n, o in GAME.options.items()}),
    st.none() | st.integers(1, 30),
    st.integers(3, 120),
    st.sampled_from(ENDS),
)
def test_what_goes_out_comes_in_the_same(
    luck: int, options: dict[str, Any], cap: int | None, most: int, end: str
) -> None:
    match = random_match(luck, options, cap, most)
    state = match.state
    if not state.result and end == "resigned":
        match.write("resigned", Nothing(), "arbiter", Random(luck).choice(GAME.seats))
    elif not state.result and end:
        if end == "agreed":
            match.write("offer.made", DrawOffer(), "arbiter", "south")
            answer = Answer(offer=match.state.head)
        else:
            answer = settle(match, "south", luck % 37, 36 - luck % 37)
        match.write("offer.accepted", answer, "arbiter", "north")
    if match.state.result:
        match.close()
    if not what_stands(match.state):
        assert refusal(notation(match.state, "text")).code == "import-empty"
        return
    back = there_and_back(match.state)
    assert back.closed == match.state.closed


def test_a_whole_game_to_the_last_coin() -> None:
    """Played by lot until somebody is cleaned out; a coin more or less is refused."""
    match = next(
        found
        for found in (random_match(luck, {}, None, 3000) for luck in range(40))
        if found.state.result
    )
    match.close()
    text = notation(match.state, "text")
    assert 'wins (cleaned_out)"]' in text
    assert there_and_back(match.state).closed == match.state.closed
    number = int(turns(text)[-1].partition(".")[0]) + 1
    for more in (f"{number}. S 1-2:\n", f"{number}. N 1-2:\n"):
        assert "by the rules the game is over" in refusal(text + more).message


TRACES = Path(__file__).parent / "conformance" / "tablero_traces.jsonl"


def as_text(trace: dict[str, Any]) -> str:
    """A whole game of the conformance traces as somebody would write it down by hand."""
    openings, rows, active = [], [], "-"
    for step in trace["steps"]:
        kind, _, rest = step["action"].partition(" ")
        if kind == "opening":
            openings.append(f"S {rest[0]} N {rest[2]}")
        elif kind == "throw":
            rows.append(f"{len(rows) + 1}. {active[0].upper()} {rest}:")
        else:
            act = rest if kind == "move" else step["action"]
            rows[-1] += f" {act}" if rows[-1].endswith(":") else f"; {act}"
        active = step["position"].split(" ")[4]
    winner = trace["winner"].capitalize()
    head = f'; [Ruleset "{trace["ruleset"]}"]\n; [Result "{winner} wins (cleaned_out)"]\n'
    return "\n".join([head, f"0. {' / '.join(openings)}", *rows]) + "\n"


@pytest.mark.parametrize("line", TRACES.read_text().splitlines())
def test_whole_games_with_runs_and_stops_come_in_and_go_out(line: str) -> None:
    trace = json.loads(line)
    text = as_text(trace)
    state = written(text.encode())
    assert GAME.position(state.position) == trace["steps"][-1]["position"]
    assert state.closed == Result(kind="win", how="cleaned_out", winner=trace["winner"])
    assert turns(notation(state, "text")) == turns(text)
    assert write(parse(text), GAME) == text


def test_a_die_that_is_left_unplayed_is_done() -> None:
    """diablo=called: six in a row stand, one die brings the seventh, the other may be left."""
    match = table(diablo="called")
    match.record(5, 3)
    lot = Random(7)
    while "done" not in [action.kind for action in GAME.legal(match.state.position)]:
        steered(match, lot)
    match.act("done")
    match.act("run")
    text = notation(match.state, "text")
    assert turns(text)[-1].endswith("; done; run")
    there_and_back(match.state)


def steered(match: Match, lot: Random) -> None:
    """The throw or the act, of all that there are, which makes the longest Formation."""

    def longest(state: Any) -> float:
        return max(map(len, GAME.surface(state).joined), default=0) + lot.random() / 2

    position = match.state.position
    legal = [act for act in GAME.legal(position) if act.kind not in ("pull", "run", "done")]
    if legal:
        action = max(legal, key=lambda act: longest(GAME.apply(position, act)))
        match.act(action.kind, action.text)
        return

    def best(dice: tuple[int, ...]) -> float:
        after = GAME.throw(position, dice)
        acts = [act for act in GAME.legal(after) if act.kind == "move"]
        return max((longest(GAME.apply(after, act)) for act in acts), default=0)

    throws = list(product(range(1, 7), repeat=2))
    match.record(*max(throws, key=best))


# -- hostile ---------------------------------------------------------------------------------


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_is_read_or_refused_as_our_own_error(text: str) -> None:
    for whole in (f"{TEXT}{text}", f"{TEXT}9. N 1-2: {text}", f"{TEXT}8... S: {text}"):
        with suppress(TabellionError):
            adjudged(whole.encode())
    with suppress(TabellionError):
        read(text.encode(), "tablero-text")


@given(st.integers(0, len(TEXT)), st.binary(max_size=3))
def test_altered_bytes_are_read_or_refused_as_our_own_error(place: int, new: bytes) -> None:
    data = TEXT.encode()
    with suppress(TabellionError):
        adjudged(data[:place] + new + data[place + 1 :])


@pytest.mark.parametrize("piece", [b"; [", b"0. S 1 N 1 / ", b"1. S ", b"8... S: ", b"; ", b";;"])
def test_four_mebibytes_of_nonsense_are_refused_at_once(piece: bytes) -> None:
    for data in (piece, TEXT.encode() + piece, TEXT.encode().rstrip(b"\n") + piece):
        filled = data + piece * ((MAX_BYTES - len(data)) // len(piece))
        with pytest.raises(Unreadable) as caught:
            read(filled, "tablero-text")
        assert caught.value.code == "bad-text"


# -- as typed --------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    found = Desk(tmp_path, monkeypatch, capsys)
    found.make_keys("zoe")
    return found


def test_import_show_and_export(desk: Desk) -> None:
    (desk.folder / "game.txt").write_text(TEXT)
    said = desk.did("import", "game.txt", "--key", "zoe")
    assert "tablero-text, tablero: 8 acts and 10 throws judged and equal." in said
    assert desk.did("audit").count("SOUND") == 1
    assert turns(desk("export", "--format", "text").out) == turns(TEXT)

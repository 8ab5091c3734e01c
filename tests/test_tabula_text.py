"""Tabula as text: a turn a line, out and in; what comes in is played again by our rules."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match import Match, opened, signed
from msgspec.structs import replace as changed
from table import ARBITER, BOTH
from terminal import Desk

from ledger.errors import Refused, TabellionError, Unreadable
from ledger.events import (
    EVENT_TYPES,
    GivenResult,
    Physical,
    Result,
    type_of,
)
from ledger.fold import MatchState, Phase, advance, begin
from ledger.formats import MAX_BYTES, read
from ledger.formats.numbered_writer import write
from ledger.formats.tabula.text import parse
from ledger.formats.transcript import Claim, Claimed, adjudicate
from ledger.games import game, options_of
from ledger.importing import adjudged
from ledger.texts import notation

GAME = game("tabula")
TEXT = """\
; [Ruleset "tabula"]
; [Event "Saturnalia"]
; [Table "4"]
; [White "Alba"]
; [Black "Bruno"]
; [Result "unfinished"]

0. W 4 B 4 / W 5 B 2
1. W 6-5-2: hand/2 hand/6 6/11
2. B 6-2-1: hand/1 hand/2* hand/6
3. W 5-4-1: bar/4 hand/1* 4/9
4. B 3-3-3: bar/3 hand/3 hand/3
5. W 6-6-6: hand/6* hand/6 hand/6
"""
"""A tie, who begins, and five turns with four hits."""


def written(data: bytes) -> MatchState:
    """The match that the arbiter writes when this file is imported."""
    found = adjudged(data)
    state = begin(opened(found.opening("Zoë", ARBITER.public, "11" * 16)))
    for plan in found.plans:
        draft = plan(state)
        event = EVENT_TYPES[draft.type](
            v=1,
            seq=state.seq + 1,
            by=draft.by,
            for_=draft.for_,
            at="2026-11-29T18:00:00Z",
            match=state.match,
            prev=state.head,
            data=draft.data,  # type: ignore[arg-type]  # the plan pairs type and data
        )
        state = advance(state, signed(event, ARBITER))
    return state


def with_lines(old: str, new: str, text: str = TEXT) -> str:
    assert text.count(old) == 1, f"{old!r} stands in the text {text.count(old)} times"
    return text.replace(old, new)


def refusal(text: str) -> TabellionError:
    with pytest.raises(TabellionError) as caught:
        adjudged(text.encode())
    return caught.value


def turns(text: str) -> list[str]:
    """The lines of play."""
    return [line for line in text.splitlines() if line and not line.startswith(";")]


def told_again(text: str) -> list[str]:
    """The lines that the match written from a text has as well: all but its id and its head."""
    return [line for line in text.splitlines() if not line.startswith(("; [Match", "; [Head"))]


# -- in --------------------------------------------------------------------------------------


def test_a_text_becomes_a_match_with_every_throw_on_record() -> None:
    state = written(TEXT.encode())
    assert [type_of(entry.event) for entry in state.entries] == [
        "match.opened",
        "roll.recorded",
        *["roll.recorded", "roll.recorded", "move"],
        *["roll.recorded", "move"] * 4,
    ]
    assert [roll.dice for roll in state.rolling.rolls] == [
        *[(4, 4), (5, 2)],
        *[(6, 5, 2), (6, 2, 1), (5, 4, 1), (3, 3, 3), (6, 6, 6)],
    ]
    assert {entry.event.by for entry in state.entries} == {"arbiter"}
    assert [entry.event.for_ for entry in state.entries[4:8]] == [
        "white",
        "black",
        "black",
        "white",
    ]
    assert [party.key is None for party in state.roster.values()] == [False, True, True]
    assert state.opening.dice == Physical(confirm=False)
    assert (state.opening.event, state.opening.table) == ("Saturnalia", "4")
    assert state.opening.source is not None
    assert state.opening.source.format == "tabula-text"
    assert GAME.position(state.position) == (
        "W h9 b0 o0 1:1,6:3,9:1,11:1 | B h10 b1 o0 2:1,3:3 | B"
    )
    assert (state.phase, state.turn) == (Phase.IN_PLAY, "black")


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("HAND/6/11, hand/2", "hand/6 6/11 hand/2"),
        ("hand/11 hand/2", None),
        ("6/11  hand/6 hand/2", "hand/2 hand/6 6/11"),
    ],
)
def test_turns_are_read_as_people_write_them(typed: str, canonical: str | None) -> None:
    text = with_lines("hand/2 hand/6 6/11", typed)
    text = with_lines("hand/1 hand/2* hand/6", "hand/6 hand/1 hand/2", text)
    found = [action.text for action in adjudged(text.encode()).adjudication.actions]
    assert canonical in (None, found[0])
    assert found[1] == "hand/6 hand/1 hand/2*"
    assert turns(notation(written(text.encode()), "text"))[3:] == turns(TEXT)[3:]


def test_what_the_match_will_not_have_is_said() -> None:
    text = with_lines("; [Table", '; [Site "Rome"]\n; [Arbiter "Otto"]\n; [Table')
    text = with_lines("2. B", "; Bruno was late.\n;;\n2. B", text)
    assert adjudged(text.encode()).transcript.notes == (
        "headers that are passed over: Site (line 3), Arbiter (line 4)",
        "comments that are passed over, by their lines: 12, 13",
    )
    many = adjudged((";\n" * 12 + TEXT).encode()).transcript.notes
    assert many[0].endswith(": 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more")


def test_comments_keep_their_place_where_the_text_is_written_again() -> None:
    text = with_lines("; [Result", "; Fair weather.\n; [Result").replace("3. W", "; A hit!\n3. W")
    again = write(parse(f"{text}; Bruno went home.\n"), GAME)
    assert again.count("\n; Fair weather.\n\n0. W 4") == 1
    assert again.count("hand/6\n; A hit!\n3. W") == 1
    assert again.endswith("hand/6\n; Bruno went home.\n")
    assert write(parse(again), GAME) == again


def test_no_game_is_as_long_as_that() -> None:
    many = replace(parse(TEXT), casts=parse(TEXT).casts * 4000)
    with pytest.raises(Refused) as refused:
        adjudicate(many, GAME)
    assert refused.value.code == "import-too-long"


def test_spaces_line_ends_and_the_case_of_keys_do_not_matter() -> None:
    plain = adjudged(TEXT.encode())
    loose = TEXT.replace("; [", " ;[").replace('[White "', '[white "').replace(". ", ".  ")
    loose = loose.replace(": ", " :\t").replace(" / ", "/")
    loose = loose.replace("\n", "\r\n")
    found = adjudged(b"\xef\xbb\xbf" + loose.encode())
    assert found.adjudication.actions == plain.adjudication.actions
    assert replace(found.transcript, plies=()) == replace(plain.transcript, plies=())


WHOSE_THROW = "the file has a throw of 3 dice by {}; by the rules it is a throw {}"


@pytest.mark.parametrize(
    ("old", "new", "where", "why"),
    [
        (
            "1. W 6-5-2: hand/2 hand/6 6/11",
            "1. B 6-5-2: hand/2 hand/6 6/11",
            "line 9: the throw 6-5-2",
            [WHOSE_THROW.format("Black", "of 3 dice by White")],
        ),
        (
            " / W 5 B 2",
            "",
            "line 9: the throw 6-5-2",
            [WHOSE_THROW.format("White", "for who begins")],
        ),
        (
            "W 5 B 2",
            "W 5 B 2 / W 3 B 1",
            "line 8: the throw 3-1",
            ["the file has a throw for who begins; by the rules it is a throw of 3 dice by White"],
        ),
        (
            "hand/6 6/11",
            "hand/6* 6/11",
            "move 1, line 9: hand/2 hand/6* 6/11",
            ["refused by the rules: nothing is hit on 6"],
        ),
        (
            "hand/2* hand/6",
            "hand/2*",
            "move 2, line 10: hand/1 hand/2*",
            ["refused by the rules: ", "R-ALL", ": hand/1 hand/2* hand/6"],
        ),
        (
            "hand/1 hand/2* hand/6",
            "pass",
            "move 2, line 10: pass",
            ["R-ALL", ": hand/1 hand/2* hand/6"],
        ),
        (
            "bar/4 hand/1* 4/9",
            "hand/4 hand/1 4/9",
            "move 3, line 11: hand/4 hand/1 4/9",
            [": hand/4 hand/1 4/9: hand/1 is refused (R-BAR): White has 1 on the bar"],
        ),
        (
            "hand/2* hand/6",
            "hand/2* hand/6x11",
            "move 2, line 10: hand/1 hand/2* hand/6x11",
            ["refused by the rules: "],
        ),
        (
            "bar/4 hand/1* 4/9",
            "bar/4 hand/1* 4/8",
            "move 3, line 11: bar/4 hand/1* 4/8",
            ["4/8 is refused (R-MOVE): "],
        ),
    ],
)
def test_the_first_mistake_is_named_with_line_reason_and_rule(
    old: str, new: str, where: str, why: list[str]
) -> None:
    error = refusal(with_lines(old, new))
    assert error.code == "import-diverges"
    assert error.message.startswith(f"{where}: ")
    assert [part for part in why if part not in error.message] == []


def test_a_win_that_the_board_does_not_show_is_refused() -> None:
    error = refusal(with_lines("unfinished", "White wins (borne_off)"))
    assert error.code == "import-unexplained"
    assert error.message == (
        "after move 5, line 6: the file says White won (borne_off); the board does not show it, "
        "nor is it explained"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0. W 4", "1. W 4", "line 8: number 0, the opening, is expected here, not 1"),
        ("3. W", "4. W", "line 11: number 3 is expected here, not 4"),
        ("3. W", "2. W", "line 11: number 3 is expected here, not 2"),
        ("3. W", "03. W", "line 11: 03. W 5-4-1: bar/4 hand/1* 4/9 is no turn; one is written"),
        ("3. W", "9" * 30 + ". W", "line 11: 999999"),
        ("3. W", "٣. W", "line 11: \\u0663. W 5-4-1"),
        ("3. W", "3. w", "line 11: w 5-4-1"),
        ("5-4-1", "5-4", "line 11: W 5-4: bar/4 hand/1* 4/9 is no turn; one is written"),
        ("5-4-1", "5-4-7", "line 11: W 5-4-7: bar"),
        ("W 5 B 2", "B 5 W 2", "line 8: W 4 B 4 / B 5 W 2 is no opening; one is written"),
        ("W 5 B 2", "", "line 8: W 4 B 4 / is no opening"),
        ("bar/4 hand/1* 4/9", "", "line 11: dice without a turn; only the last line may end"),
        ("3. W", "well played\n3. W", "line 11: well played is no turn; one is written"),
        ("3. W", '; [Event "late"]\n3. W', "line 11: headers stand before the game, not in it"),
        ('"Alba"]', '"Alba"', 'line 4: [White "Alba" is no header; one is written'),
        ('"Alba"', '"Al"ba"', 'line 4: [White "Al"ba"] is no header'),
        ('"Alba"]', '"Alba"]\n; [white "Anna"]', "line 5: the header White stands twice"),
        ('"Alba"', f'"{"A" * 81}"', "line 4: White has 81 characters; 80 at most are taken"),
        ('"Saturnalia"', f'"{"A" * 201}"', "line 2: Event has 201 characters; 200 at most"),
        ('"Alba"', '"Al\ufeffba"', "line 4: White has the invisible character U+FEFF"),
        ('"Alba"', '"\U0001fae8"', "line 4: The text '\\U0001fae8' has the character U+1FAE8"),
        ('"Alba"', f'"{"A" * 1000}"', "line 4: it has 1012 characters; 1000 at most are read"),
        (
            '"tabula"',
            '"tablut"',
            'line 1: no ruleset of Tabula is called "tablut"; there are tabula',
        ),
        ('"unfinished"', '"1-0"', "line 6: 1-0 is no result; one is written unfinished, White"),
        ('"unfinished"', '"Red wins (luck)"', "line 6: Red wins (luck) is no result"),
        (
            '"tabula"]',
            '"tabula"]\n; [Options "second_half=ajar"]',
            "line 2: second_half=ajar is no option of Tabula with one of its values",
        ),
        (
            '"tabula"]',
            '"tabula"]\n; [Options "second_half=open second_half=open"]',
            "line 2: the option second_half stands twice",
        ),
    ],
)
def test_what_is_no_such_text_is_named_with_its_line(old: str, new: str, message: str) -> None:
    error = refusal(with_lines(old, new))
    assert isinstance(error, Unreadable)
    assert error.code == "bad-text"
    assert error.message.startswith(message)


def test_which_rules_were_played_is_not_guessed() -> None:
    error = refusal(with_lines('; [Ruleset "tabula"]\n', ""))
    assert (error.code, '; [Ruleset "tabula"]' in error.hint) == ("no-ruleset", True)


def test_without_a_throw_there_is_no_game() -> None:
    assert refusal(TEXT.partition("\n\n")[0]).code == "import-empty"


# -- results ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("unfinished", None),
        ("White wins (resigned)", Result(kind="win", how="resigned", winner="white")),
        ("Black wins (resigned)", Result(kind="win", how="resigned", winner="black")),
        ("draw (agreed)", Result(kind="draw", how="agreed")),
    ],
)
def test_how_the_players_ended_it(words: str, result: Result | None) -> None:
    state = written(with_lines("unfinished", words).encode())
    assert state.closed == result
    assert f'; [Result "{words}"]' in notation(state, "text")


def test_a_resignation_is_told() -> None:
    found = adjudged(with_lines("unfinished", "White wins (resigned)").encode())
    assert found.summary == (
        "tabula-text, tabula: 5 moves and 7 throws judged and equal. Black resigns: White wins."
    )


def test_a_player_resigns_with_the_dice_on_the_table() -> None:
    text = with_lines("unfinished", "White wins (resigned)")
    text = with_lines("hand/6* hand/6 hand/6", "", text).replace("5. W 6-6-6: ", "5. W 6-6-6:")
    state = written(text.encode())
    assert [type_of(entry.event) for entry in state.entries][-3:] == [
        *["roll.recorded", "resigned", "match.closed"]
    ]
    assert turns(notation(state, "text"))[-1] == "5. W 6-6-6:"


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        ("White wins (borne_off)", Claim(Claimed.WIN, "white", how="borne_off")),
        ("Black wins by forfeit (no_show)", Claim(Claimed.FORFEIT, "black", how="no_show")),
        ("both forfeit (absent)", Claim(Claimed.DOUBLE_FORFEIT, how="absent")),
        ("annulled (power_cut)", Claim(Claimed.ANNULLED, how="power_cut")),
        ("draw (ruling)", Claim(Claimed.DRAW, how="ruling")),
        ("Black wins (settled)", Claim(Claimed.WIN, "black", how="settled")),
    ],
)
def test_what_was_decided_off_the_board_is_written_and_read_but_not_believed(
    words: str, claim: Claim
) -> None:
    text = write(replace(parse(TEXT), claim=claim), GAME)
    assert f'; [Result "{words}"]' in text
    found = parse(text).claim
    assert replace(found, line=0, hint="") == claim
    error = refusal(text)
    assert error.code == "import-unexplained"
    assert '; [Result "unfinished"]' in error.hint


def test_a_ruled_result_of_a_match_stands_in_its_text() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=False))
    match.record(5, 3)
    match.rule(GivenResult(kind="annulled"))
    assert '; [Result "annulled (ruling)"]' in notation(match.state, "text")


# -- out -------------------------------------------------------------------------------------


def played(match: Match, many: int) -> Match:
    """With so many turns more: who begins, then throws and turns."""
    state = match.state.moments[-1].game
    while GAME.position(state).endswith("-"):
        match.roll()
        state = match.state.position
    for _ in range(many):
        match.roll()
        match.play_any()
    return match


def test_dice_that_the_players_made_come_back_as_dice_on_the_table() -> None:
    match = played(Match(ruleset="tabula", dice=BOTH), 6)
    match.roll()
    text = notation(match.state, "text")
    assert f'; [Head "{match.state.head}"]' in text
    assert turns(text)[-1].endswith(":"), "the last throw waits to be played"
    back = written(text.encode())
    assert back.opening.dice == Physical(confirm=False)
    assert [roll.dice for roll in back.rolling.rolls] == [
        roll.dice for roll in match.state.rolling.rolls
    ]
    assert back.position == match.state.position
    assert told_again(notation(back, "text")) == told_again(text)


def test_a_throw_that_not_all_have_opened_is_no_throw_yet() -> None:
    match = played(Match(ruleset="tabula", dice=BOTH), 2)
    before = turns(notation(match.state, "text"))
    match.throw(match.state.turn or "")
    assert turns(notation(match.state, "text")) == before


def test_what_was_taken_back_or_void_is_left_out_and_said() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=True))
    match.record(5, 2)
    match.confirm("black")
    match.record(6, 5, 1)
    match.confirm("black")
    match.void()
    match.record(6, 5, 2)
    thrown = match.confirm("black")
    match.play_any()
    match.rewind(thrown, dice="keep")
    assert turns(notation(match.state, "text")) == ["0. W 5 B 2", "1. W 6-5-2:"]
    match.play_any()
    match.record(3, 3, 3)
    text = notation(match.state, "text")
    assert "; Left out, as taken back, void or not confirmed: 1 turn and 2 throws.\n\n0. W" in text
    assert len(turns(text)) == 2
    found = adjudged(text.encode())
    assert found.transcript.notes[-1].startswith("comments that are passed over")
    assert "Left out" not in notation(written(text.encode()), "text")


def test_names_with_quotation_marks_and_options_come_back() -> None:
    match = Match(ruleset="tabula-open", dice=BOTH, single_die="highest", win_ends_turn=False)
    seats = dict(match.state.opening.seats)
    seats["white"] = changed(seats["white"], name='Alba "the \\ Fox"')
    opening = changed(match.state.opening, seats=seats, round="2 of 3", date="480-11-29")
    roster = dict(match.state.roster)
    roster["white"] = changed(roster["white"], name=seats["white"].name)
    match.state = changed(match.state, opening=opening, roster=roster)
    text = notation(played(match, 3).state, "text")
    assert '; [Options "single_die=highest win_ends_turn=false"]' in text
    assert '; [White "Alba \\"the \\\\ Fox\\""]' in text
    back = written(text.encode())
    assert back.roster["white"].name == 'Alba "the \\ Fox"'
    assert back.opening.ruleset == match.state.opening.ruleset
    assert told_again(notation(back, "text")) == told_again(text)


def test_a_header_has_one_line() -> None:
    with pytest.raises(Refused) as refused:
        write(replace(parse(TEXT), players={"white": "Alba\n9. W"}), GAME)
    assert refused.value.code == "not-writable"


def test_a_format_that_the_game_does_not_have() -> None:
    with pytest.raises(Unreadable) as refused:
        notation(written(TEXT.encode()), "otn")
    assert refused.value.message == "The text format of tabula is text, not otn."


# -- there and back --------------------------------------------------------------------------


def random_text(lot: Random, ruleset: str, most: int, last: str) -> str:
    """A game of so many turns at most, as an arbiter would write it down; ``last`` is what comes
    after them: nothing, a throw, or how the players end it."""
    state = GAME.start(options_of(GAME, GAME.rulesets[ruleset]))
    opening = []
    while GAME.position(state).endswith("-"):
        dice = lot.randint(1, 6), lot.randint(1, 6)
        opening.append(f"W {dice[0]} B {dice[1]}")
        state = GAME.throw(state, dice)
    lines = [f"0. {' / '.join(opening)}"]
    result = last if "(" in last else "unfinished"
    for number in range(1, most + 2):
        if GAME.outcome(state) or (number > most and last != "throw"):
            break
        three = tuple(lot.choices(range(1, 7), k=3))
        letter = str(GAME.turn(state))[0].upper()
        state = GAME.throw(state, three)
        line = f"{number}. {letter} {'-'.join(map(str, three))}:"
        if number > most:
            lines.append(line)
            break
        action = lot.choice(GAME.legal(state))
        state = GAME.apply(state, action)
        lines.append(f"{line} {action.text}")
    outcome = GAME.outcome(state)
    if outcome:
        result = f"{GAME.titles[outcome.winner or '']} wins ({outcome.reason})"
    head = f'; [Ruleset "{ruleset}"]\n; [White "Alba"]\n; [Black "Bruno"]\n; [Arbiter "Zoë"]\n'
    return f'{head}; [Result "{result}"]\n\n' + "\n".join(lines) + "\n"


ENDS = ("", "throw", "White wins (resigned)", "Black wins (resigned)", "draw (agreed)")


@settings(max_examples=25)
@given(
    st.integers(0, 2**32),
    st.sampled_from([*GAME.rulesets]),
    st.integers(0, 300),
    st.sampled_from(ENDS),
)
def test_what_comes_in_goes_out_the_same(luck: int, ruleset: str, most: int, last: str) -> None:
    text = random_text(Random(luck), ruleset, most, last)
    assert write(parse(text), GAME) == text
    state = written(text.encode())
    assert told_again(notation(state, "text")) == text.splitlines()
    assert (state.phase is Phase.CLOSED) == ('"unfinished"' not in text)


def test_a_whole_game_to_the_last_checker() -> None:
    text = random_text(Random(480), "tabula", 1000, "")
    assert ": pass\n" in text
    assert 'wins (borne_off)"]' in text
    assert written(text.encode()).closed is not None
    more = f"{text}{len(turns(text))}. W 1-2-3:\n"
    assert "by the rules the game is over" in refusal(more).message
    cut = "\n".join(text.splitlines()[:-1])
    assert refusal(cut).code == "import-unexplained"
    wrong = text.replace("(borne_off)", "(resigned)")
    assert "(resigned); by the rules: " in refusal(wrong).message
    open_ = text.replace(text.splitlines()[4], '; [Result "unfinished"]')
    assert "the file says the game goes on; by the rules: " in refusal(open_).message


# -- hostile ---------------------------------------------------------------------------------


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_is_read_or_refused_as_our_own_error(text: str) -> None:
    with suppress(TabellionError):
        adjudged(f"{TEXT}{text}".encode())
    with suppress(TabellionError):
        read(text.encode(), "tabula-text")


@given(st.integers(0, len(TEXT)), st.binary(max_size=3))
def test_altered_bytes_are_read_or_refused_as_our_own_error(place: int, new: bytes) -> None:
    data = TEXT.encode()
    with suppress(TabellionError):
        adjudged(data[:place] + new + data[place + 1 :])


@pytest.mark.parametrize(
    "piece",
    [
        *[b"; [", b'; [White "', b"\\", b'; [A "\\\\', b"0. W 1 B 1 / ", b"1. W "],
        *[b";\n", b"\n", b" ", b"9", b"hand/", "e\u0301\u0327".encode()],
    ],
)
def test_four_mebibytes_of_nonsense_are_refused_at_once(piece: bytes) -> None:
    for data in (piece, TEXT.encode() + piece, TEXT.encode().rstrip(b"\n") + piece):
        filled = data + piece * ((MAX_BYTES - len(data)) // len(piece))
        with pytest.raises(Unreadable) as caught:
            read(filled, "tabula-text")
        assert caught.value.code == "bad-text"


def test_other_encodings_and_control_characters_are_named_with_their_line() -> None:
    latin = with_lines("Alba", "Zoë").encode("latin-1")
    with pytest.raises(Unreadable, match="line 4: byte") as caught:
        adjudged(latin)
    assert caught.value.code == "not-utf8"
    assert refusal(with_lines("Alba", "Al\x1b[2Jba")).message.startswith("line 4: the control")


# -- as typed --------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    found = Desk(tmp_path, monkeypatch, capsys)
    found.make_keys("zoe")
    return found


def test_import_show_and_export(desk: Desk) -> None:
    (desk.folder / "game.txt").write_text(TEXT)
    said = desk.did("import", "game.txt", "--key", "zoe")
    assert "tabula-text, tabula: 5 moves and 7 throws judged and equal. The file stops" in said
    assert desk.did("audit").count("SOUND") == 1
    out = desk("export", "--format", "text")
    assert turns(out.out) == turns(TEXT)
    assert desk("import", "game.txt", "--key", "zoe").code == "imported-already"
    again = desk("import", "-", "--key", "zoe", stdin=out.out.encode())
    assert "note: headers that are passed over: Arbiter (line 6), Match (line 8)" in again.err
    for name, which in (("otn", ["-m", again.out.split()[1]]), ("pgn", [])):
        ran = desk("export", "--format", name, *which)
        assert (ran.status, ran.code) == (2, "bad-option")


def test_nothing_is_written_of_a_game_with_a_mistake(desk: Desk) -> None:
    wrong = with_lines("hand/6* hand/6 hand/6", "hand/6* hand/6")
    ran = desk("import", "-", "--key", "zoe", stdin=wrong.encode())
    assert (ran.status, ran.code) == (1, "import-diverges")
    assert "move 5, line 13: hand/6* hand/6: refused by the rules: " in ran.err
    assert not desk.ledger.exists()

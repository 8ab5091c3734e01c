"""Turn caps and rewinds: how long a match of El Tablero de Jesús may be, and how it goes back.

Alba plays South, Bruno North. A turn is over when the dice pass. The arbiter writes down the dice
that lie on the table unless it is said otherwise.
"""

from __future__ import annotations

from typing import Any

import pytest
from match import ARBITER, Match, opened, refused
from table import BOTH, BOTH_SIDES, opening
from terminal import Desk

from ledger import views
from ledger.events import CommitReveal, Physical, Result
from ledger.fold import Phase, as_of, begin

SOUTH_WINS = Result(kind="win", how="turn_cap", winner="south")
NORTH_WINS = Result(kind="win", how="turn_cap", winner="north")


def tablero(
    turn_cap: int | None = None, dice: CommitReveal | Physical | None = None, **options: Any
) -> Match:
    """South begins."""
    dice = dice or Physical(confirm=False)
    match = Match(ruleset="tablero", dice=dice, turn_cap=turn_cap, **options)
    if isinstance(dice, Physical):
        match.record(5, 3)
    return match


def gather(match: Match, coins: int = 6) -> None:
    """South brings so many coins into a row."""
    for faces, move in (((2, 4), "b7-b1"), ((1, 5), "a7-a1"))[: coins - 5]:
        match.record(*faces)
        match.act("move", move)


def ended(match: Match, result: Result) -> None:
    """The result stands, and the record says the same."""
    assert (match.state.phase, match.state.result) == (Phase.ENDED, result)
    match.close()
    report = match.audited()
    assert (report.verdict, report.faults, report.unchecked) == ("sound", (), ())
    assert report.result == result


# -- turn caps -----------------------------------------------------------------------------


def test_after_the_last_turn_the_larger_stake_wins() -> None:
    match = tablero(turn_cap=2)
    gather(match)
    match.act("pull", "1b-g")
    assert match.position == "7777777 19,10 0 0 north throw"
    assert match.state.turn == "north"
    match.record(3, 4)
    match.act("pass")
    assert match.position == "7777777 19,10 0 0 south over"
    assert views.next_step(match.state).startswith(
        "After 2 turns South's stake is 19, North's 10: South wins."
    )
    ended(match, SOUTH_WINS)


def test_the_cap_is_shown_and_the_turns_are_counted() -> None:
    match = tablero(turn_cap=3)
    assert "Turn 1 of 3." in views.show(match.state).remarks
    match.record(3, 4)
    match.act("pass")
    shown = views.show(match.state)
    assert shown.turn_cap == 3
    assert "Turn 2 of 3." in shown.remarks
    assert views.show(tablero().state).turn_cap is None


PASSING = {
    "a Pull": (6, (), "pull", SOUTH_WINS),
    "the answer to a Pass Number": (5, ((3, 4),), "pass", NORTH_WINS),
    "a Run that is stopped": (7, ("run", (1, 2)), "stop", SOUTH_WINS),
    "a Run that fails": (7, ("run", (1, 2), (3, 4)), "", NORTH_WINS),
    "a Wager that is lost": (5, ((5, 6), "wager", (3, 4)), "", NORTH_WINS),
}


@pytest.mark.parametrize("how", PASSING)
def test_however_the_dice_pass_a_turn_is_over(how: str) -> None:
    coins, before, last, result = PASSING[how]
    match = tablero(turn_cap=1)
    gather(match, coins)
    for step in before:
        assert match.state.result is None
        if isinstance(step, str):
            match.act(step)
        else:
            match.record(*step)
    if last:
        assert match.state.result is None
        match.act(last, "1b-g" if last == "pull" else "")
    assert match.position.endswith(f"{result.winner} over")
    ended(match, result)


def test_dice_that_cannot_be_played_pass_too_where_the_option_says_so() -> None:
    match = tablero(turn_cap=1, unplayable="pass")
    for move in ("a7-a4", "b7-b4", "c1-c4", "d1-d4", "e1-e4", "f1-f4"):
        match.record(1, 2)
        match.act("move", move)
    match.record(6, 4)
    assert match.position == "4444441 13,16 0 0 north over"
    ended(match, NORTH_WINS)


def test_without_a_cap_the_game_goes_on() -> None:
    match = tablero()
    for _ in range(12):
        match.record(3, 4)
        match.act("pass")
    assert match.state.result is None
    assert match.state.turn == "south"


def test_throwing_again_is_no_turn() -> None:
    match = tablero(turn_cap=1)
    gather(match, 7)
    match.act("run")
    for _ in range(3):
        match.record(1, 2)
    assert match.state.result is None


def test_equal_dice_for_who_begins_are_no_turn() -> None:
    match = Match(ruleset="tablero", dice=Physical(confirm=False), turn_cap=1)
    match.record(4, 4)
    match.record(2, 2)
    match.record(2, 5)
    assert "Turn 1 of 1." in views.show(match.state).remarks
    assert match.state.turn == "north"


def test_no_draw_can_come_of_a_cap() -> None:
    """When the dice pass seven points lie on the board: of 29 nobody can have half."""
    match = tablero(turn_cap=6)
    for faces in ((3, 4), (5, 6), (6, 6), (2, 5), (1, 6)):
        match.record(*faces)
        match.act("pass")
        assert sum(match.state.position.stakes) == 29
    match.record(6, 5)
    match.act("pass")
    ended(match, NORTH_WINS)


@pytest.mark.parametrize("name", ["tablut", "tabula"])
def test_other_games_know_no_such_end(name: str) -> None:
    terms = opening(name, dice=BOTH if name == "tabula" else None, turn_cap=9)
    with refused("no-turn-cap", "no end after a number of turns"):
        begin(opened(terms, ARBITER))


def test_a_cap_with_dice_that_the_players_make() -> None:
    match = tablero(turn_cap=4, dice=BOTH_SIDES)
    while match.state.phase is Phase.IN_PLAY:
        legal = match.state.game.legal(match.state.position)
        if legal and legal[-1].kind != "move":
            match.act(legal[0].kind, legal[0].text)
        elif legal:
            match.play_any()
        else:
            match.roll()
    result = match.state.result
    assert result is not None
    ended(match, result)
    assert result.how == "turn_cap"


# -- a cap and a rewind --------------------------------------------------------------------


def test_a_turn_that_is_taken_back_is_counted_back() -> None:
    match = tablero(turn_cap=2)
    gather(match)
    decided = match.state.seq
    match.act("pull", "1b-g")
    assert match.state.position.turns == 1
    match.rewind(to=decided, dice="keep")
    assert match.state.position.turns == 0
    match.act("pull", "1b-g")
    assert match.state.result is None
    match.record(3, 4)
    match.act("pass")
    ended(match, SOUTH_WINS)


def test_the_end_itself_can_be_taken_back() -> None:
    match = tablero(turn_cap=1)
    gather(match)
    decided = match.state.seq
    pulled = match.act("pull", "1b-g")
    assert match.state.result == SOUTH_WINS
    match.rewind(to=decided, dice="keep")
    assert (match.state.phase, match.state.result, match.state.turn) == (
        *(Phase.IN_PLAY, None),
        "south",
    )
    assert match.state.superseded() == {pulled}
    match.record(3, 4)
    match.act("pass")
    ended(match, NORTH_WINS)


def test_from_the_very_beginning_the_cap_still_stands() -> None:
    match = tablero(turn_cap=1)
    match.record(3, 4)
    match.rewind(to=0, dice="rethrow")
    assert match.position == "0000000 18,18 0 0 - opening"
    match.record(2, 6)
    match.record(5, 6)
    match.act("pass")
    ended(match, SOUTH_WINS)


def test_an_agreed_takeback_counts_back_as_well() -> None:
    match = tablero(turn_cap=2)
    match.record(3, 4)
    thrown = match.state.seq
    match.act("pass")
    match.agree("north", match.offer_takeback("south", to=thrown))
    assert match.position == "7711111 13,16 0 0 south answer"
    assert match.state.position.turns == 0
    match.act("pass")
    assert match.state.result is None
    assert as_of(match.state, match.state.seq) == match.state
    assert match.audited().verdict == "sound"


# -- a Pass Number and a rewind ------------------------------------------------------------


def answered() -> tuple[Match, int]:
    """South has staked a Wager on a Pass Number, the event that is given."""
    match = tablero()
    match.record(3, 4)
    thrown = match.state.seq
    match.act("wager")
    assert match.position == "7711111 6,16 7 0 south throw"
    return match, thrown


def test_back_to_a_pass_number_that_is_kept_it_waits_for_another_answer() -> None:
    match, thrown = answered()
    match.rewind(to=thrown, dice="keep")
    assert match.position == "7711111 13,16 0 0 south answer"
    assert match.state.game.thrown(match.state.position) == (3, 4)
    match.act("pass")
    assert match.position == "7711111 13,16 0 0 north throw"
    assert match.audited().verdict == "sound"


def test_back_to_a_pass_number_that_is_thrown_anew_nothing_is_left_of_it() -> None:
    match, thrown = answered()
    ruled = match.rewind(to=thrown, dice="rethrow")
    assert match.position == "7711111 13,16 0 0 south throw"
    assert match.state.superseded() == {thrown, thrown + 1}
    with refused("throw-first"):
        match.act("pass")
    match.record(1, 2)
    assert match.position == "7711111 13,16 0 0 south move:1-2"
    assert [roll.number for roll in match.state.rolling.rolls] == [1, 2, 3]
    report = match.audited()
    assert report.verdict == "sound"
    assert [(each.event, each.takes_back) for each in report.rulings] == [
        (ruled, (thrown, thrown + 1))
    ]


def test_a_pass_number_that_nobody_has_answered_yet_is_thrown_anew() -> None:
    match = tablero()
    thrown = match.record(5, 6)
    with refused("nothing-to-rewind"):
        match.rewind(to=thrown, dice="keep")
    match.rewind(to=thrown, dice="rethrow")
    assert match.position == "7711111 13,16 0 0 south throw"


def test_a_pass_number_of_computed_dice_is_thrown_anew_with_the_next_number() -> None:
    match = tablero(dice=BOTH_SIDES)
    while not match.position.endswith("answer"):
        legal = match.state.game.legal(match.state.position)
        if any(each.kind == "move" for each in legal):
            match.play_any()
        else:
            match.roll()
    thrown, number = match.state.seq, match.state.rolling.number
    match.act("pass")
    kept = match.rewind(to=thrown, dice="keep")
    assert match.after(kept) == match.after(thrown)
    match.rewind(to=thrown, dice="rethrow")
    assert not match.position.endswith("answer")
    assert match.state.game.wanted(match.state.position)
    match.roll()
    assert match.state.rolling.number == number + 1
    assert match.audited().verdict == "sound"


def test_a_throw_between_forbids_to_keep_the_pass_number() -> None:
    match, thrown = answered()
    match.record(1, 2)
    with refused("across-a-throw"):
        match.rewind(to=thrown, dice="keep")
    match.rewind(to=thrown, dice="rethrow")
    assert match.position == "7711111 13,16 0 0 south throw"


def test_back_between_two_coins_the_dice_are_kept_or_all_of_the_throw_goes() -> None:
    match = tablero(diablo="called")
    thrown = match.record(3, 4)
    first = match.act("move", "c1-c4")
    match.act("diablo")
    assert match.position == "7741111 13,16 0 0 south answer"
    match.rewind(to=first, dice="keep")
    assert match.position == "7741111 13,16 0 0 south move:4"
    match.act("diablo")
    match.rewind(to=first, dice="rethrow")
    assert match.position == "7711111 13,16 0 0 south throw"
    assert match.state.superseded() >= {thrown, first}
    assert match.audited().verdict == "sound"


def test_a_called_diablo_can_be_taken_back_by_agreement() -> None:
    match = tablero(diablo="called")
    thrown = match.record(3, 4)
    match.act("diablo")
    match.agree("south", match.offer_takeback("north", to=thrown))
    assert match.position == "7711111 13,16 0 0 south move:3-4"
    match.act("move", "c1-c4")
    match.act("diablo")
    assert match.position == "7741111 13,16 0 0 south answer"


# -- at the desk ---------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def test_a_match_is_opened_with_a_cap(desk: Desk) -> None:
    desk.make_keys("zoe")
    seats = ("--seat", "south=Alba", "--seat", "north=Bruno")
    terms = ("--key", "zoe", *seats, "--dice", "table", "--turn-cap", "2")
    desk.did("open", "tablero", *terms)
    assert "rules tablero, over after 2 turns\n" in desk.did("show")
    desk.did("roll", "5-3")
    assert "Turn 1 of 2." in desk.did("show")
    for _ in range(2):
        desk.did("roll", "3-4")
        last = desk.did("pass")
    assert "After 2 turns South's stake is 13, North's 16: North wins." in last


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("tablut", "9", (1, "no-turn-cap")),
        ("tablero", "0", (2, "usage")),
        ("tablero", "many", (2, "usage")),
    ],
)
def test_a_cap_that_cannot_be(desk: Desk, game: str, typed: str, said: tuple[int, str]) -> None:
    desk.make_keys("zoe")
    first, second = ("south", "north") if game == "tablero" else ("swedes", "muscovites")
    seats = ("--seat", f"{first}=Alba", "--seat", f"{second}=Bruno", "--key", "zoe")
    ran = desk("open", game, *seats, "--turn-cap", typed)
    assert (ran.status, ran.code) == said
    assert "Alba" not in desk("list").out

"""The fold, rule by rule: what a match accepts, what it refuses, and what a ruling takes back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from match import ANA, SWEDES_WIN, Match, finished, opened, refused, verdict
from msgspec.structs import replace
from table import ALBA, ARBITER, BRUNO, SHORT_GAME, WITNESS, clock, opening

from ledger import envelope as envelopes
from ledger.envelope import Envelope
from ledger.events import (
    Closing,
    CommitReveal,
    Countersignature,
    MatchOpened,
    Nothing,
    Officer,
    Physical,
    Play,
    Remark,
    Result,
    Rewind,
    Seat,
    decode,
    encode,
)
from ledger.fold import (
    Entry,
    MatchState,
    Phase,
    advance,
    as_of,
    authenticate,
    begin,
    describe,
    open_match,
    roster,
    signer,
)
from ledger.keys import SigningKey

# -- opening -------------------------------------------------------------------------------


def test_the_arbiter_opens_a_match() -> None:
    entry = opened(opening(witness=True))
    state = begin(entry)
    assert (state.match, state.head, state.seq) == (entry.hash, entry.hash, 0)
    assert state.phase is Phase.BEFORE_ACCEPTANCE
    assert state.turn is None
    assert state.result is None
    assert state.unaccepted == ("swedes", "muscovites")
    assert {role: party.name for role, party in state.roster.items()} == {
        "arbiter": "Zoë",
        "swedes": "Alba",
        "muscovites": "Bruno",
        "witness1": "Wanda",
    }
    assert state.roster["swedes"].key == ALBA.public
    assert state.game.position(state.position) == state.game.position(
        state.game.start(state.opening.ruleset.options)
    )


@pytest.mark.parametrize(
    "changes", [{"seq": 1}, {"match": "a" * 64}, {"prev": "a" * 64}, {"seq": 7, "prev": "b" * 64}]
)
def test_an_opening_follows_nothing(changes: dict[str, Any]) -> None:
    with refused("bad-chain"):
        begin(opened(opening(), **changes))


def test_an_unknown_game_is_not_opened() -> None:
    rules = replace(opening().ruleset, game="go")
    with refused("unknown-game", "Known: tablut"):
        begin(opened(replace(opening(), ruleset=rules)))


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("unknown-option", {"komi": "six"}),
        ("impossible-option", {"goal": "centre"}),
        ("impossible-option", {"goal": True}),
        ("impossible-option", {"king_armed": "true"}),
        ("missing-option", {"goal": None}),
    ],
)
def test_impossible_options_are_not_opened(code: str, changes: dict[str, Any]) -> None:
    rules = opening().ruleset
    options = {k: v for k, v in (rules.options | changes).items() if v is not None}
    with refused(code):
        begin(opened(replace(opening(), ruleset=replace(rules, options=options))))


@pytest.mark.parametrize("seats", [[], ["swedes"], ["swedes", "danes"], ["white", "black"]])
def test_the_seats_are_those_of_the_game(seats: list[str]) -> None:
    with refused("wrong-seats", "swedes and muscovites, no others"):
        begin(opened(replace(opening(), seats={seat: Seat(name="Alba") for seat in seats})))


def test_a_third_seat_is_one_too_many() -> None:
    seats = opening().seats | {"danes": Seat(name="Dora")}
    with refused("wrong-seats"):
        begin(opened(replace(opening(), seats=seats)))


@pytest.mark.parametrize(
    "dice", [Physical(confirm=True), CommitReveal(contributors=("swedes", "muscovites"))]
)
def test_no_dice_where_the_game_has_none(dice: Physical | CommitReveal) -> None:
    with refused("no-dice"):
        begin(opened(replace(opening(), dice=dice)))


def officer(key: SigningKey) -> Officer:
    return Officer(name="Otto", key=key.public.line)


@pytest.mark.parametrize(
    ("first", "second", "changes"),
    [
        ("arbiter", "swedes", {"arbiter": officer(ALBA)}),
        (
            "swedes",
            "muscovites",
            {"seats": dict.fromkeys(("swedes", "muscovites"), Seat(name="X", key=ANA.public.line))},
        ),
        ("muscovites", "witness1", {"witnesses": (officer(BRUNO),)}),
        ("witness1", "witness2", {"witnesses": (officer(WITNESS), officer(WITNESS))}),
        ("witness1", "appeal", {"witnesses": (officer(ANA),), "appeal": officer(ANA)}),
        ("arbiter", "appeal", {"appeal": officer(ARBITER)}),
    ],
)
def test_one_key_has_one_role(first: str, second: str, changes: dict[str, Any]) -> None:
    key = ALBA if "arbiter" in changes else ARBITER
    with refused("key-twice", f"{first} and {second} have the same key"):
        begin(opened(replace(opening(), **changes), key))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"{ALBA.public.line} alba@phone", "key-spelling"),
        (f"{ALBA.public.line} ", "key-spelling"),
        (ALBA.public.line.replace(" ", "  "), "key-spelling"),
        (ALBA.public.line[:-4], "key-unreadable"),
        ("ssh-ed25519 " + "A" * 68, "key-type"),
    ],
)
def test_a_key_has_one_spelling(line: str, code: str) -> None:
    seats = opening().seats | {"swedes": Seat(name="Alba", key=line)}
    event = MatchOpened(
        v=1, seq=0, by="arbiter", at=clock(), data=replace(opening(), seats=seats)
    )  # the event's own form would not let most of these pass
    entry = Entry(event, "a" * 64, ARBITER.public.fingerprint)
    with refused(code):
        begin(entry)


def test_only_the_arbiters_own_key_opens() -> None:
    with refused("wrong-signer"):
        begin(opened(opening(), ALBA))


def test_nobody_else_opens() -> None:
    with refused("wrong-role"):
        begin(opened(opening(), by="swedes"))
    with refused("wrong-role"):
        begin(opened(opening(), for_="swedes"))


def test_a_match_begins_with_its_opening() -> None:
    match = Match()
    with refused("not-opened"):
        open_match([])
    with refused("not-opened"):
        begin(match.state.entries[1])
    with refused("not-opened"):
        open_match(match.state.entries[1:])
    assert open_match(match.state.entries) == match.state


# -- the chain -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("wrong-match", {"match": "0" * 64}),
        ("wrong-match", {"match": None}),
        ("bad-seq", {"seq": 4}),
        ("bad-seq", {"seq": 2}),
        ("bad-seq", {"seq": 0}),
        ("bad-chain", {"prev": "0" * 64}),
        ("bad-chain", {"prev": None}),
    ],
)
def test_an_event_continues_its_own_match(code: str, changes: dict[str, Any]) -> None:
    match = Match()
    assert match.state.seq == 2
    with refused(code):
        match.write("move", Play(move="e3-f3"), "swedes", **changes)
    assert match.play("e3-f3") == 3


def test_an_event_follows_the_one_before_and_no_earlier_one() -> None:
    match = Match()
    with refused("bad-chain"):
        match.write("move", Play(move="e3-f3"), "swedes", prev=match.state.entries[1].hash)


def test_the_same_event_twice() -> None:
    match = Match()
    entry = match.next("move", Play(move="e3-f3"), "swedes")
    match.state = advance(match.state, entry)
    with refused("bad-seq"):
        advance(match.state, entry)


def test_a_match_opens_once() -> None:
    match = Match()
    with refused("opened-twice"):
        match.write("match.opened", opening(), "arbiter")
    with refused("wrong-match"):
        advance(match.state, opened(opening()))


# -- acceptance ----------------------------------------------------------------------------


def test_every_seat_with_a_key_accepts() -> None:
    match = Match(play=False)
    with refused("not-accepted", "when Alba and Bruno have accepted"):
        match.move("e3-f3", "swedes")
    match.accept("muscovites")
    assert match.state.unaccepted == ("swedes",)
    with refused("accepted-twice"):
        match.accept("muscovites")
    with refused("not-accepted", "when Alba has accepted"):
        match.move("e3-f3", "swedes")
    with refused("not-accepted"):
        match.resign("muscovites")
    match.accept("swedes")
    assert (match.state.phase, match.state.turn) == (Phase.IN_PLAY, "swedes")
    with refused("accepted-twice"):
        match.accept("swedes")
    match.play("e3-f3")


def test_nobody_accepts_for_a_seat_with_a_key() -> None:
    match = Match(play=False)
    for other in ("arbiter", "witness1", "appeal"):
        with refused("wrong-role"):
            match.accept(other)
    with refused("wrong-role"):
        match.write("seat.accepted", Nothing(), "arbiter", "swedes")
    with refused("wrong-signer"):
        match.write("seat.accepted", Nothing(), "swedes", key=ARBITER)
    assert match.state.accepted == frozenset()


def test_a_seat_without_a_key_has_nothing_to_accept() -> None:
    match = Match(["swedes"], play=False)
    with refused("no-key", "Bruno (muscovites) plays without a key"):
        match.write("seat.accepted", Nothing(), "muscovites", key=BRUNO)
    with refused("wrong-role"):
        match.write("seat.accepted", Nothing(), "arbiter", "muscovites")
    match.accept("swedes")
    assert match.state.phase is Phase.IN_PLAY


def test_without_keys_play_begins_at_once() -> None:
    match = Match([])
    assert (match.state.seq, match.state.phase, match.state.turn) == (0, Phase.IN_PLAY, "swedes")
    match.move("e3-f3", "arbiter", "swedes")


# -- moves ---------------------------------------------------------------------------------


def test_the_seats_move_in_turn() -> None:
    match = Match()
    with refused("wrong-turn", "for the Swedes to act, not for the Muscovites"):
        match.move("e2-h2", "muscovites")
    match.move("e3-f3", "swedes")
    assert match.state.turn == "muscovites"
    with refused("wrong-turn", "for the Muscovites to act, not for the Swedes"):
        match.move("e4-e2", "swedes")
    match.move("e2-h2", "muscovites")
    assert match.state.line() == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("blocked", "e3-e1"),
        ("not-straight", "e3-f4"),
        ("no-piece", "a1-a2"),
        ("not-yours", "e2-f2"),
        ("off-board", "e3-k3"),
        ("same-square", "e3-e3"),
        ("wrong-piece", "Ke3-f3"),
        ("wrong-capture", "e3-f3xg3"),
        ("bad-move", "castles"),
    ],
)
def test_the_rules_refuse_a_move_by_name(code: str, text: str) -> None:
    match = Match()
    with refused(code):
        match.move(text, "swedes")
    assert match.state.seq == 2


def test_no_swede_stops_on_a_corner() -> None:
    match = Match()
    match.play("e3-a3", "e2-h2")
    with refused("corner-stop", "only the king may stop there"):
        match.move("a3-a1", "swedes")


@pytest.mark.parametrize("text", ["e3f3", "E3-F3", "e3 - f3", " e3-f3", "Te3-f3"])
def test_a_move_has_one_spelling(text: str) -> None:
    match = Match()
    with refused("not-canonical", "e3-f3"):
        match.move(text, "swedes")
    match.move("e3-f3", "swedes")


def test_nobody_moves_when_the_game_is_over() -> None:
    match = finished()
    assert (match.state.phase, match.state.result) == (Phase.ENDED, SWEDES_WIN)
    assert match.state.turn is None
    for seat in ("swedes", "muscovites"):
        with refused("game-over"):
            match.move("h4-g4", seat)
        with refused("game-over"):
            match.resign(seat)


def test_nobody_moves_when_the_match_is_closed() -> None:
    match = finished()
    match.close()
    for seat in ("swedes", "muscovites"):
        with refused("match-closed"):
            match.move("h4-g4", seat)
        with refused("match-closed"):
            match.resign(seat)


# -- the scribe ----------------------------------------------------------------------------


def test_the_arbiter_writes_for_a_seat_without_a_key() -> None:
    match = Match(["swedes"])
    match.move("e3-f3", "swedes")
    match.move("e2-h2", "arbiter", "muscovites")
    with refused("wrong-turn"):
        match.move("h2-h3", "arbiter", "muscovites")
    assert match.state.turn == "swedes"


def test_nobody_writes_for_a_seat_with_a_key() -> None:
    match = Match(["swedes"])
    with refused("seat-has-key", "Alba (swedes) has a key"):
        match.move("e3-f3", "arbiter", "swedes")
    with refused("seat-has-key"):
        match.write("resigned", Nothing(), "arbiter", "swedes")
    with refused("wrong-signer"):
        match.write("move", Play(move="e3-f3"), "swedes", key=ARBITER)


def test_nobody_but_the_arbiter_is_scribe() -> None:
    match = Match(["swedes"])
    match.play("e3-f3")
    for other in ("swedes", "witness1", "appeal"):
        with refused("wrong-role", "only the arbiter writes for somebody else"):
            match.move("e2-h2", other, "muscovites")


def test_the_scribe_writes_acts_and_nothing_else() -> None:
    match = Match(["swedes"])
    match.play("e3-f3")
    for kind, data in (
        ("seat.accepted", Nothing()),
        ("note", Remark(text="Bruno is content.")),
        ("ruling", verdict(Rewind(to=2))),
        ("match.closed", Closing(result=SWEDES_WIN)),
        ("countersigned", Countersignature(result_event="0" * 64)),
        ("match.opened", opening()),
    ):
        with refused("wrong-role", "only what they do in the game"):
            match.write(kind, data, "arbiter", "muscovites")


@pytest.mark.parametrize("seat", ["danes", "arbiter", "witness1", "appeal"])
def test_the_scribe_writes_for_seats_only(seat: str) -> None:
    match = Match(["swedes"])
    with refused("unknown-role"):
        match.move("e3-f3", "arbiter", seat)


def test_an_act_has_a_seat() -> None:
    match = Match([])
    with refused("wrong-role", "Only a seat moves"):
        match.move("e3-f3", "arbiter")
    with refused("no-key"):
        match.write("move", Play(move="e3-f3"), "swedes", key=ALBA)


# -- resigning -----------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "winner"), [("swedes", "muscovites"), ("muscovites", "swedes")])
@pytest.mark.parametrize("moves", [0, 1])
def test_either_seat_resigns_on_any_turn(seat: str, winner: str, moves: int) -> None:
    match = Match()
    match.play(*SHORT_GAME[:moves])
    before = match.position
    match.resign(seat)
    assert match.state.result == Result(kind="win", how="resigned", winner=winner)
    assert (match.state.phase, match.state.turn) == (Phase.ENDED, None)
    assert match.position == before
    with refused("game-over"):
        match.resign(winner)


@pytest.mark.parametrize(("seat", "winner"), [("swedes", "muscovites"), ("muscovites", "swedes")])
def test_the_arbiter_writes_down_a_resignation(seat: str, winner: str) -> None:
    match = Match([winner])
    match.write("resigned", Nothing(), "arbiter", seat)
    assert match.state.result == Result(kind="win", how="resigned", winner=winner)


def test_officials_do_not_resign() -> None:
    match = Match()
    for other in ("arbiter", "witness1", "appeal"):
        with refused("wrong-role"):
            match.resign(other)


# -- rulings -------------------------------------------------------------------------------


def test_a_ruling_takes_moves_back() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2", "e4-e2", "h2-h3")  # events 3 to 6
    assert match.rewind(to=4) == 7
    assert match.position == match.after(4)
    assert match.state.moments[7].game == match.state.moments[4].game
    assert match.state.turn == "swedes"
    assert match.state.superseded() == {5, 6}
    assert match.state.line() == {1, 2, 3, 4, 7}
    match.play("e4-f4")  # event 8
    assert match.state.line() == {1, 2, 3, 4, 7, 8}
    assert match.state.superseded() == {5, 6}


@pytest.mark.parametrize("to", [0, 1, 2])
def test_back_to_the_start_nothing_but_the_game_goes_back(to: int) -> None:
    match = Match()
    match.play(*SHORT_GAME[:4])
    match.rewind(to)
    assert match.position == match.after(0)
    assert match.state.accepted == {"swedes", "muscovites"}
    assert (match.state.phase, match.state.turn) == (Phase.IN_PLAY, "swedes")
    assert match.state.superseded() == {3, 4, 5, 6}
    assert match.play(*SHORT_GAME) == 16
    assert match.state.result == SWEDES_WIN


def test_a_resignation_is_taken_back() -> None:
    match = Match()
    match.play("e3-f3")
    match.resign("swedes")
    match.rewind(to=3)
    assert match.state.result is None
    assert (match.state.phase, match.state.turn) == (Phase.IN_PLAY, "muscovites")
    assert match.state.superseded() == {4}
    match.play("e2-h2")


def test_the_winning_move_is_taken_back() -> None:
    match = finished()
    match.rewind(to=10)
    assert match.state.result is None
    assert match.state.turn == "swedes"
    assert match.state.superseded() == {11}
    with refused("not-over"):
        match.close(SWEDES_WIN)
    match.play("Ka3-a1")
    assert match.state.result == SWEDES_WIN


def test_a_rewind_is_taken_back() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")  # 3, 4
    match.rewind(to=3)  # 5
    assert match.state.superseded() == {4}
    match.rewind(to=4)  # 6: the move stands again
    assert match.state.superseded() == frozenset()
    assert match.position == match.after(4)
    assert match.state.turn == "swedes"
    match.rewind(to=5)  # 7: and is off again
    assert match.state.superseded() == {4}
    assert match.position == match.after(3)


def test_a_result_that_was_taken_back_stands_again() -> None:
    match = finished()
    match.rewind(to=10)  # 12
    match.rewind(to=11)  # 13
    assert (match.state.phase, match.state.result) == (Phase.ENDED, SWEDES_WIN)
    assert match.state.superseded() == frozenset()
    match.close()


def test_rewinds_within_rewinds() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2", "e4-e2")  # 3, 4, 5
    match.rewind(to=3)  # 6
    match.play("e2-g2")  # 7: another answer
    match.play("e4-e2")  # 8
    assert match.state.line() == {1, 2, 3, 6, 7, 8}
    assert match.state.superseded() == {4, 5}
    match.rewind(to=5)  # 9: the first line stands again, the second is off
    assert match.state.line() == {1, 2, 3, 4, 5, 9}
    assert match.state.superseded() == {7, 8}
    match.play("h2-h3")  # 10
    match.rewind(to=8)  # 11: and the other way round
    assert match.state.line() == {1, 2, 3, 6, 7, 8, 11}
    assert match.state.superseded() == {4, 5, 10}
    match.rewind(to=2)  # 12
    assert match.state.superseded() == {3, 4, 5, 7, 8, 10}
    match.rewind(to=10)  # 13: into the middle of what was off twice
    assert match.state.superseded() == {7, 8}
    assert match.state.turn == "swedes"


def test_a_rewind_that_changes_nothing_is_none() -> None:
    match = Match()
    with refused("nothing-to-rewind"):
        match.rewind(to=0)
    match.play("e3-f3")
    with refused("nothing-to-rewind", "after event 3"):
        match.rewind(to=3)
    match.note()
    with refused("nothing-to-rewind"):
        match.rewind(to=3)
    match.rewind(to=2)
    with refused("nothing-to-rewind"):
        match.rewind(to=1)


def test_the_same_position_later_in_the_game_is_another_one() -> None:
    """Both walk out and back: the board is the first one, but the game is not (repetition)."""
    match = Match()
    match.play("e3-f3", "d1-c1", "f3-e3", "c1-d1")  # 3 to 6
    assert match.position == match.after(2)
    match.rewind(to=2)
    assert match.state.superseded() == {3, 4, 5, 6}
    assert match.state.position == match.state.moments[2].game


@pytest.mark.parametrize("ahead", [1, 2, 2**53 - 1 - 3])
def test_no_ruling_goes_to_the_future(ahead: int) -> None:
    match = Match()
    match.play("e3-f3")
    with refused("no-such-event"):
        match.rewind(to=match.state.seq + ahead)


def test_after_closing_nothing_is_taken_back() -> None:
    match = finished()
    match.close()
    with refused("match-closed", "only its result"):
        match.rewind(to=5)


def test_only_the_arbiter_rules() -> None:
    match = Match()
    match.play("e3-f3")
    for other in ("swedes", "muscovites", "witness1", "appeal"):
        with refused("wrong-role", "Only the arbiter makes a ruling"):
            match.rewind(2, by=other)


def test_a_ruling_has_one_effect() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")
    with refused("effects-clash"):
        match.write("ruling", verdict(Rewind(to=3), Rewind(to=2)), "arbiter")
    with refused("bad-event"):
        match.write("ruling", verdict(), "arbiter")


def test_without_dice_none_are_kept_or_thrown_anew() -> None:
    match = Match()
    match.play("e3-f3")
    for dice in ("keep", "rethrow"):
        with refused("no-dice"):
            match.write("ruling", verdict(Rewind(to=2, dice=dice)), "arbiter")


@pytest.mark.parametrize("effect", ["position", "result", "dismiss", "Rewind", ""])
def test_an_unknown_effect_is_no_ruling(effect: str) -> None:
    match = Match()
    match.play("e3-f3")
    payload = encode(match.next("ruling", verdict(Rewind(to=2)), "arbiter").event)
    with refused("bad-event", "not of its form"):
        decode(payload.replace(b'"rewind"', f'"{effect}"'.encode()))


# -- at an earlier event -------------------------------------------------------------------


def test_the_match_as_it_stood_at_every_event() -> None:
    match = Match(["swedes", "muscovites"], play=False)
    states = [match.state]
    steps: list[Callable[[], int]] = [
        match.note,
        partial(match.accept, "muscovites"),
        partial(match.accept, "swedes"),
        *(partial(match.play, text) for text in SHORT_GAME[:3]),
        partial(match.rewind, to=5),
        partial(match.resign, "swedes"),
        partial(match.rewind, to=5),
        *(partial(match.play, text) for text in SHORT_GAME[2:]),
        match.close,
        partial(match.countersign, "muscovites"),
        partial(match.countersign, "witness1"),
        partial(match.note, "appeal"),
    ]
    for step in steps:
        step()
        states.append(match.state)
    for seq, stood in enumerate(states):
        assert as_of(match.state, seq) == stood, f"after event {seq}"
        assert as_of(match.state, seq).phase is stood.phase
    assert [state.phase.value for state in states[:4]] == ["before-acceptance"] * 3 + ["in-play"]
    assert states[-1].countersigned == {"muscovites", "witness1"}
    assert as_of(states[-1], 5).turn == "swedes"


# -- closing -------------------------------------------------------------------------------


def test_the_arbiter_closes_with_the_result() -> None:
    match = finished()
    assert match.close() == 12
    assert (match.state.phase, match.state.closed) == (Phase.CLOSED, SWEDES_WIN)
    assert match.state.result_event == match.state.head
    assert match.state.unsigned == ("swedes", "muscovites")
    with refused("match-closed"):
        match.close()


def test_no_closing_before_the_end() -> None:
    match = Match(play=False)
    with refused("not-over"):
        match.close(SWEDES_WIN)
    for seat in ("swedes", "muscovites"):
        match.accept(seat)
    match.play("e3-f3")
    with refused("not-over"):
        match.close(SWEDES_WIN)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Result(kind="win", how="goal", winner="muscovites"), "not a win for muscovites (goal)"),
        (Result(kind="win", how="goal"), "not a win (goal)"),
        (Result(kind="win", how="resigned", winner="swedes"), "not a win for swedes (resigned)"),
        (Result(kind="draw", how="goal"), "not a draw (goal)"),
        (
            Result(kind="forfeit", how="goal", winner="swedes"),
            "not a win by forfeit for swedes (goal)",
        ),
        (Result(kind="double_forfeit", how="noise"), "not a double forfeit (noise)"),
        (Result(kind="annulled", how="fire"), "not annulled (fire)"),
    ],
)
def test_no_closing_with_another_result(result: Result, words: str) -> None:
    match = finished()
    with refused("wrong-result", f"The result is a win for swedes (goal), {words}."):
        match.close(result)


def test_a_result_in_words() -> None:
    assert describe(SWEDES_WIN) == "a win for swedes (goal)"
    assert describe(Result(kind="draw", how="no_moves")) == "a draw (no moves)"


def test_only_the_arbiter_closes() -> None:
    match = finished()
    for other in ("swedes", "muscovites", "witness1", "appeal"):
        with refused("wrong-role", "Only the arbiter closes a match"):
            match.close(by=other)


# -- countersigning ------------------------------------------------------------------------


def test_seats_and_witnesses_countersign_the_closed_result() -> None:
    match = finished()
    with refused("not-closed"):
        match.countersign("swedes", match.state.head)
    match.close()
    match.countersign("muscovites")
    assert match.state.unsigned == ("swedes",)
    with refused("countersigned-twice"):
        match.countersign("muscovites")
    match.countersign("witness1")
    with refused("countersigned-twice"):
        match.countersign("witness1")
    match.countersign("swedes")
    assert not match.state.unsigned
    assert match.state.countersigned == {"swedes", "muscovites", "witness1"}


def test_they_countersign_the_event_that_gave_the_result() -> None:
    match = finished()
    match.close()
    for event in (0, 10, 11):
        with refused("wrong-result-event"):
            match.countersign("swedes", match.state.entries[event].hash)
    match.countersign("swedes")
    with refused("wrong-result-event"):
        match.countersign("muscovites", match.state.head)


def test_arbiter_and_appeal_do_not_countersign() -> None:
    match = finished()
    match.close()
    for other in ("arbiter", "appeal"):
        with refused("wrong-role", "Only a seat or a witness countersigns"):
            match.countersign(other)


def test_a_seat_without_a_key_cannot_countersign() -> None:
    match = Match(["swedes"])
    match.write("resigned", Nothing(), "arbiter", "muscovites")
    match.close()
    result = Countersignature(result_event=match.state.head)
    with refused("no-key"):
        match.write("countersigned", result, "muscovites", key=BRUNO)
    with refused("wrong-role"):
        match.write("countersigned", result, "arbiter", "muscovites")
    assert match.state.unsigned == ("swedes",)


# -- notes ---------------------------------------------------------------------------------


def test_everybody_with_a_key_writes_notes_at_any_time() -> None:
    match = Match(play=False)

    def everybody_notes() -> None:
        before = match.state
        for role in ("arbiter", "swedes", "muscovites", "witness1", "appeal"):
            match.note(role)
        after = match.state
        assert (after.phase, after.turn, after.result) == (before.phase, before.turn, before.result)
        assert after.position == before.position
        assert after.superseded() == before.superseded()

    everybody_notes()
    match.accept("swedes")
    match.accept("muscovites")
    everybody_notes()
    match.play(*SHORT_GAME)
    everybody_notes()
    match.close()
    everybody_notes()
    match.countersign("swedes")
    everybody_notes()
    assert match.state.superseded() == frozenset()


def test_a_note_is_never_taken_back() -> None:
    match = Match()
    match.play("e3-f3")
    match.note()  # 4
    match.play("e2-h2")  # 5
    match.rewind(to=2)
    assert match.state.superseded() == {3, 5}


# -- signatures ----------------------------------------------------------------------------


def test_whose_key_an_event_needs() -> None:
    match = Match(["swedes"])
    event = match.next("note", Remark(text="x"), "swedes").event
    assert signer(match.state.roster, event) == ALBA.public
    assert signer(None, match.state.entries[0].event) == ARBITER.public
    with refused("not-opened"):
        signer(None, event)


def test_a_signature_is_the_one_of_its_role() -> None:
    match = Match()
    event = match.next("note", Remark(text="x"), "swedes").event
    payload = encode(event)
    good = envelopes.seal(payload, ALBA.public, ALBA.sign)
    authenticate(match.state.roster, good, event)
    with refused("wrong-signer"):
        authenticate(
            match.state.roster, envelopes.seal(payload, ARBITER.public, ARBITER.sign), event
        )
    with refused("bad-signature"):
        authenticate(
            match.state.roster, Envelope(payload, ARBITER.sign(payload), good.keyid), event
        )


def test_a_seat_is_never_called_like_an_official() -> None:
    """Only a game that is not known here could; the audit asks for the roster all the same."""
    found = opening(witness=True)
    for seat in ("arbiter", "witness1"):
        seats = {seat: Seat(name="Mallory"), "other": Seat(name="Olga")}
        with refused("wrong-seats", "like the role of somebody else"):
            roster(replace(found, seats=seats), (seat, "other"))


def test_states_are_not_changed_by_what_follows() -> None:
    match = Match()
    before: MatchState = match.state
    kept = open_match(before.entries)
    match.play(*SHORT_GAME)
    match.rewind(to=4)
    assert before == kept
    assert before.seq == 2

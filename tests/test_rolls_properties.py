"""What holds of every match with dice: random play in all schemes, with notes, rulings, voids and
resignations; and what strangers send in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from hostile import datas, roles, send
from hypothesis import given, settings
from hypothesis import strategies as st
from match import ALL_KEYS, Match

from ledger import dice, record, rulings
from ledger import envelope as envelopes
from ledger.audit import Trust, audit
from ledger.envelope import Envelope
from ledger.errors import Refused
from ledger.events import (
    Commitment,
    CommitReveal,
    Confirmation,
    Event,
    Lying,
    Moved,
    Opened,
    Passed,
    Physical,
    Rolled,
    RollOpened,
    RollRecorded,
    Throw,
    Voiding,
    encode,
)
from ledger.fold import MatchState, Phase, as_of, open_match
from ledger.fold.acts import action_of, data_of
from ledger.fold.due import Step, due, signing
from ledger.fold.rolls import contributors, seat_number

SEATS = ("white", "black")
SCHEMES = {
    "players": CommitReveal(contributors=SEATS),
    "players and arbiter": CommitReveal(contributors=(*SEATS, "arbiter")),
    "white and arbiter": CommitReveal(contributors=("white", "arbiter")),
    "arbiter": CommitReveal(contributors=("arbiter",)),
    "table": Physical(confirm=False),
    "table, confirmed": Physical(confirm=True),
}
schemes = st.sampled_from(sorted(SCHEMES))
steps = st.sampled_from(["go on"] * 14 + ["note", "rewind", "rewind", "void", "resign"])
rethrown: st.SearchStrategy[Literal["keep", "rethrow"]] = st.sampled_from(["keep", "rethrow"])


def opened(scheme: str) -> Match:
    """Black has a key where the dice need it; elsewhere the arbiter writes for Black."""
    keyed = SEATS if scheme.startswith("players") else SEATS[:1]
    return Match(keyed, ruleset="tabula", dice=SCHEMES[scheme])


# -- play ----------------------------------------------------------------------------------


def play(data: st.DataObject, scheme: str, length: int) -> tuple[Match, list[MatchState]]:
    """A match, and the fold after each of its events."""
    match = opened(scheme)
    states = [as_of(match.state, seq) for seq in range(match.state.seq + 1)]
    for _ in range(length):
        before = match.state
        match data.draw(steps):
            case "note":
                match.note()
            case "resign" if before.phase is Phase.IN_PLAY and before.seq > 15:
                match.resign("white")
            case "rewind":
                rewind(data, match, states)
            case "void" if before.rolling.number > 1:
                void(data, match)
            case _ if before.phase is Phase.IN_PLAY:
                go_on(data, match)
        if match.state is not before:
            states.append(match.state)
    return match, states


def go_on(data: st.DataObject, match: Match) -> None:
    """The one step that the match waits for."""
    state, waits = match.state, due(match.state)
    whose = data.draw(st.sampled_from(waits.whose))
    by = signing(state, whose)
    for_ = None if by == whose else whose
    match waits.step:
        case Step.COMMIT:
            match.commit(whose)
        case Step.THROW if contributors(state):
            match.throw(by, for_)
        case Step.THROW:
            wanted = state.game.wanted(state.position)
            assert wanted is not None
            lie = data.draw(st.tuples(*[st.integers(1, 6)] * wanted.count))
            by, for_ = data.draw(st.sampled_from([(by, for_), ("white", None), ("arbiter", None)]))
            match.record(*lie, by=by, for_=for_)
        case Step.OPEN:
            match.open(whose)
        case Step.CONFIRM:
            assert state.rolling.recorded is not None
            match.confirm(by, for_, state.rolling.recorded.hash)
        case Step.ACT:
            legal = state.game.legal(state.position)
            action = data.draw(st.sampled_from([*legal[:3], *legal[-3:]]))
            match.write(action.kind, data_of(action), by, for_)
        case other:
            pytest.fail(f"in play a match waits for {other}")


def rewind(data: st.DataObject, match: Match, states: list[MatchState]) -> None:
    """The arbiter goes back anywhere: the game alone, never a number or a commitment."""
    to, how, before = data.draw(st.integers(0, match.state.seq)), data.draw(rethrown), match.state
    code = refusal(lambda: match.rewind(to, dice=how))
    if code:
        voided = any(roll.voided is not None for roll in before.rolling.rolls)
        assert (
            code == "nothing-to-rewind"
            or (code, how) == ("across-a-throw", "keep")
            or (code == "voided" and voided)
        )
        return
    after = match.state
    lost = after.rolling.rolls[len(before.rolling.rolls) :]
    kept = after.rolling.rolls[: len(before.rolling.rolls)]
    assert (after.accepted, kept) == (before.accepted, before.rolling.rolls)
    assert len(lost) == (before.rolling.recorded is not None)
    assert not any(roll.counted for roll in lost)
    assert after.rolling.published == before.rolling.published
    assert after.rolling.flight is after.rolling.recorded is after.rolling.voiding is None
    given_up = 1 if before.rolling.flight else 0
    assert after.rolling.number == before.rolling.number + given_up
    assert len(after.rolling.unopened) == len(before.rolling.unopened) + given_up
    if how == "keep":
        assert after.position == states[to].position
    else:
        assert not after.game.thrown(after.position)


def void(data: st.DataObject, match: Match) -> None:
    """Somebody voids the last dice, or confirms that they are void: taken only where they lie on
    the table and nothing was done with them."""
    before = match.state
    waiting = before.rolling.voiding
    if waiting is not None and data.draw(st.booleans()):
        seat, by = waiting.confirmer, signing(before, waiting.confirmer)
        code = refusal(lambda: match.confirm(by, None if by == seat else seat, waiting.hash))
    else:
        asked = data.draw(st.sampled_from(["arbiter", "white"]))
        code = refusal(lambda: match.void(asked))
    if code:
        assert code in _NOT_VOIDED
    else:
        after = match.state
        assert isinstance(before.opening.dice, Physical)
        assert after.rolling.number == before.rolling.number
        gone = [roll for roll in after.rolling.rolls if roll.voided == after.seq]
        assert after.line().isdisjoint(seq for roll in gone for seq in (roll.thrown, roll.seq))


_NOT_VOIDED = ("computed-dice", "roll-in-flight", "no-such-roll", "voided-already", "game-over")


def refusal(act: Callable[[], int]) -> str:
    """The code with which an act is refused, "" if it is taken."""
    try:
        act()
    except Refused as refused:
        return refused.code
    return ""


# -- properties ----------------------------------------------------------------------------


@settings(max_examples=80)
@given(schemes, st.integers(4, 40), st.data())
def test_the_game_is_what_its_dice_and_plays_make_it(
    scheme: str, length: int, data: st.DataObject
) -> None:
    match, states = play(data, scheme, length)
    for seq, state in enumerate(states):
        assert open_match(match.state.entries[: seq + 1]) == state, "the fold of a prefix"
        assert state.position == replayed(state)
        assert state.rolling.published <= match.state.rolling.published
        assert state.rolling.number <= match.state.rolling.number


def replayed(state: MatchState) -> Any:
    """The dice and plays that stand, once more from the start."""
    game = state.game
    position = game.start(state.opening.ruleset.options)
    dice_of = {roll.seq: roll.dice for roll in state.rolling.rolls}
    for seq in sorted(state.line()):
        event = state.entries[seq].event
        if seq in dice_of and state.moments[seq].acted:
            position = game.throw(position, dice_of[seq])
        elif isinstance(event, Moved | Passed):
            position = game.apply(position, action_of(event))
    return position


@settings(max_examples=60)
@given(schemes, st.integers(4, 40), st.data())
def test_every_roll_has_a_number_of_its_own_and_the_dice_that_its_numbers_make(
    scheme: str, length: int, data: st.DataObject
) -> None:
    match, _ = play(data, scheme, length)
    state = match.state
    said = [entry.event for entry in state.entries]
    thrown = [each.data.roll for each in said if isinstance(each, Rolled | RollRecorded)]
    assert thrown == list(range(1, len(thrown) + 1)), "numbers only grow and never skip"
    known = [roll.number for roll in state.rolling.rolls]
    given_up = [each.number for each in state.rolling.unopened]
    assert sorted({*known, *given_up}) == sorted([*known, *given_up]), "one roll a number"
    if isinstance(state.opening.dice, Physical):
        lay = {each.data.roll: each.data.dice for each in said if isinstance(each, RollRecorded)}
        assert all(roll.dice == lay[roll.number] for roll in state.rolling.rolls)
        return
    nonces: dict[int, dict[int, bytes]] = {}
    for event in said:
        if isinstance(event, Rolled | RollOpened) and event.data.nonce:
            opened_by = nonces.setdefault(event.data.roll, {})
            opened_by[seat_number(state, event.by)] = bytes.fromhex(event.data.nonce)
    for roll in state.rolling.rolls:
        assert len(nonces[roll.number]) == len(contributors(state))
        seed = dice.seed(state.match, roll.number, nonces[roll.number])
        assert roll.dice == dice.faces(seed, len(roll.owners))


@settings(max_examples=30)
@given(schemes, st.integers(4, 24), st.data())
def test_every_prefix_is_a_sound_record(scheme: str, length: int, data: st.DataObject) -> None:
    match, states = play(data, scheme, length)
    chain = [envelope_of(entry.event) for entry in match.state.entries]
    for end, state in enumerate(states, start=1):
        found = record.read(record.write(chain[:end]))
        report = audit(found.pieces, found.frame, Trust(documents=rulings.digests()))
        assert (report.verdict, report.faults, report.unchecked) == ("sound", (), ())
        assert (report.head, report.result) == (state.head, state.result)
        assert report.dice is not None
        assert [each.dice for each in report.dice.rolls] == [
            roll.dice for roll in state.rolling.rolls
        ]
        assert len(report.dice.unopened) == (
            len(state.rolling.unopened) + (state.rolling.flight is not None)
        )
        back = {seq for each in (*report.rulings, *report.takebacks) for seq in each.takes_back}
        void = [roll for roll in state.rolling.rolls if roll.voided is not None]
        assert state.superseded() <= back.union(*((roll.thrown, roll.seq) for roll in void))


def envelope_of(event: Event) -> Envelope:
    key = ALL_KEYS[event.by]
    return envelopes.seal(encode(event), key.public, key.sign)


# -- what strangers send -------------------------------------------------------------------

writers: st.SearchStrategy[tuple[str, str | None]] = st.sampled_from(
    [("white", None), ("black", None), ("arbiter", None), ("arbiter", "black")]
)


def fitting(match: Match, state: MatchState) -> st.SearchStrategy[Any]:
    """Data about the roll that the match is at, often right."""
    roll, role = state.rolling.number, st.sampled_from([*SEATS, "arbiter"])
    numbers = role.map(lambda each: match.nonce(each, roll))
    bound = role.map(lambda each: match.commitment(each, roll))
    following = role.map(lambda each: match.commitment(each, roll + 1))
    faces = st.lists(st.integers(1, 6), min_size=2, max_size=3).map(tuple)
    waiting = [each.hash for each in (state.rolling.recorded, state.rolling.voiding) if each]
    return st.one_of(
        st.builds(Commitment, roll=st.just(roll), commitment=bound),
        st.builds(Throw, roll=st.just(roll)),
        st.builds(Throw, roll=st.just(roll), nonce=numbers, next=following),
        st.builds(Opened, roll=st.just(roll), nonce=numbers, next=following),
        st.builds(Lying, roll=st.just(roll), dice=faces),
        st.builds(Confirmation, confirms=st.sampled_from([*waiting, "0" * 64])),
        st.builds(Voiding, roll=st.just(max(roll - 1, 1)), reason=st.just("x")),
    )


@settings(max_examples=150)
@given(schemes, st.integers(0, 12), st.integers(1, 12), st.data())
def test_hostile_events_are_refused_or_folded(
    scheme: str, length: int, count: int, data: st.DataObject
) -> None:
    """Events of any type and by anybody, some about the very roll that the match waits for."""
    match, _ = play(data, scheme, length)
    state = match.state
    for _ in range(count):
        said = data.draw(datas | fitting(match, state))
        by, for_ = data.draw(writers | st.tuples(roles, st.none() | roles))
        after = send(data, state, said, by, for_)
        assert after.rolling.number >= state.rolling.number
        assert after.rolling.published >= state.rolling.published
        state = after
    assert open_match(state.entries) == state

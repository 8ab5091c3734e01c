"""What holds of every match with dice: random play of each game in all schemes, with notes,
rulings, voids and resignations; and what strangers send in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

import pytest
from hostile import datas, roles, send
from hypothesis import given, settings
from hypothesis import strategies as st
from match import Match, sealed

from ledger import dice, record, rulings
from ledger.audit import Trust, audit
from ledger.errors import Refused, TabellionError
from ledger.events import (
    Commitment,
    CommitReveal,
    Confirmation,
    Lying,
    Nothing,
    Opened,
    Physical,
    Rolled,
    RollOpened,
    RollRecorded,
    Throw,
    Voiding,
    type_of,
)
from ledger.fold import MatchState, Phase, as_of, open_match
from ledger.fold.acts import Act, action_of, data_of
from ledger.fold.due import Step, due, signing
from ledger.fold.rolls import contributors, seat_number, uncommitted
from ledger.games import ruleset
from ledger.games.protocol import Action
from ledger.games.tablero import STAKE


class Played(NamedTuple):
    """Which game, with which options, and after how many turns it is over."""

    ruleset: str
    options: Mapping[str, str] = MappingProxyType({})
    turn_cap: int | None = None

    @property
    def seats(self) -> tuple[str, str]:
        return ruleset(self.ruleset)[0].seats

    def __str__(self) -> str:
        return "-".join((self.ruleset, *self.options.values()))


GAMES = (
    Played("tabula"),
    Played("tablero"),
    Played("tablero", {"diablo": "called"}),
    Played("tablero", {"run": "banked", "unplayable": "pass"}, turn_cap=9),
    Played("tablero-event"),
)
every_game = pytest.mark.parametrize("game", GAMES, ids=str)
SCHEMES = (
    *("players", "players and arbiter", "one player and arbiter", "arbiter"),
    *("table", "table, confirmed"),
)
schemes = st.sampled_from(SCHEMES)
Choose: TypeAlias = Callable[[Sequence[Any]], Any]
"""One of several, by lot or by hypothesis."""
steps = st.sampled_from(["go on"] * 14 + ["note", "rewind", "rewind", "void", "resign"])
rethrown: st.SearchStrategy[Literal["keep", "rethrow"]] = st.sampled_from(["keep", "rethrow"])


def opened(game: Played, scheme: str) -> Match:
    """The second seat has a key where the dice need it; elsewhere the arbiter writes for it."""
    first, second = game.seats
    dice = {
        "players": CommitReveal(contributors=(first, second)),
        "players and arbiter": CommitReveal(contributors=(first, second, "arbiter")),
        "one player and arbiter": CommitReveal(contributors=(first, "arbiter")),
        "arbiter": CommitReveal(contributors=("arbiter",)),
        "table": Physical(confirm=False),
        "table, confirmed": Physical(confirm=True),
    }[scheme]
    keyed = (first, second) if scheme.startswith("players") else (first,)
    return Match(keyed, ruleset=game.ruleset, dice=dice, turn_cap=game.turn_cap, **game.options)


# -- play ----------------------------------------------------------------------------------


def gather(match: Match, coins: int) -> None:
    """El Tablero de Jesús after South has brought so many coins into a row."""
    for faces, move in (((5, 3), ""), ((2, 4), "b7-b1"), ((1, 5), "a7-a1"))[: max(coins - 4, 0)]:
        match.record(*faces)
        if match.state.rolling.recorded:
            match.confirm("arbiter", "north")
        if move:
            match.act("move", move)


def play(
    data: st.DataObject, game: Played, scheme: str, length: int
) -> tuple[Match, list[MatchState]]:
    """A match, and the fold after each of its events."""
    match, patient = opened(game, scheme), data.draw(st.booleans())
    if game.seats == ("south", "north") and scheme.startswith("table"):
        gather(match, data.draw(st.sampled_from([7, 6, 0])))
    states = [as_of(match.state, seq) for seq in range(match.state.seq + 1)]
    for _ in range(length):
        before = match.state
        match data.draw(steps):
            case "note":
                match.note()
            case "resign" if before.phase is Phase.IN_PLAY and before.seq > 15:
                match.resign(game.seats[0])
            case "rewind":
                rewind(data, match, states)
            case "void" if before.rolling.number > 1:
                void(data, match)
            case _ if before.phase is Phase.IN_PLAY:
                go_on(lambda some: data.draw(st.sampled_from(list(some))), match, patient)
        if match.state is not before:
            states.append(match.state)
    return match, states


def go_on(choose: Choose, match: Match, patient: bool) -> None:
    """The step that the match waits for. Where one may act or throw, either; ``patient`` players
    throw until they can run, and gather their coins in a row for it."""
    state, waits = match.state, due(match.state)
    step, whose = waits.step, choose(waits.whose)
    wanted = state.game.wanted(state.position)
    if step is Step.ACT and wanted:
        kinds = {each.kind for each in state.game.legal(state.position)}
        if choose([True] if patient and not kinds & {"run", "stop"} else [True, False]):
            step = Step.COMMIT if uncommitted(state) else Step.THROW
            whose = (*uncommitted(state), whose)[0]
    by = signing(state, whose) if step is not Step.COMMIT else whose
    for_ = None if by == whose else whose
    match step:
        case Step.COMMIT:
            match.commit(whose)
        case Step.THROW if contributors(state):
            match.throw(by, for_)
        case Step.THROW:
            assert wanted is not None
            faces = [choose(range(1, 7)) for _ in range(wanted.count)]
            by, for_ = choose([(by, for_), (state.game.seats[0], None), ("arbiter", None)])
            match.record(*faces, by=by, for_=for_)
        case Step.OPEN:
            match.open(whose)
        case Step.CONFIRM:
            assert state.rolling.recorded is not None
            match.confirm(by, for_, state.rolling.recorded.hash)
        case Step.ACT:
            action = (gathering(state) if patient else None) or choose(acts(state))
            seat = state.game.actor(state.position, action.kind) or whose
            by = signing(state, seat)
            match.write(action.kind, data_of(action), by, None if by == seat else seat)
        case other:
            pytest.fail(f"in play a match waits for {other}")


def acts(state: MatchState) -> Sequence[Action]:
    """Some of what may be done: legal acts, and what the other side may do beside the turn."""
    game, position = state.game, state.position
    legal = game.legal(position)
    some = [*legal[:3], *legal[-3:]]
    for kind in sorted(game.actions):
        if game.actor(position, kind) != state.turn:
            with suppress(TabellionError):
                game.apply(position, Action(kind, kind))
                some.append(Action(kind, kind))
    return some


def gathering(state: MatchState) -> Action | None:
    """The move of El Tablero de Jesús that brings most coins into one row."""
    game, position = state.game, state.position
    moves = [each for each in game.legal(position) if each.kind == "move"]
    if game.name != "tablero" or not moves:
        return None
    counts = range(1, 8) if position.rules.baselines else range(2, 7)
    after = {each: game.apply(position, each).rows for each in moves}
    return max(moves, key=lambda each: max(after[each].count(row) for row in counts))


def rewind(data: st.DataObject, match: Match, states: list[MatchState]) -> None:
    """The arbiter goes back anywhere: the game alone, never a number or a commitment."""
    to, how, before = data.draw(st.integers(0, match.state.seq)), data.draw(rethrown), match.state
    code = refusal(lambda: match.rewind(to, dice=how))
    if code:
        counted = {roll.seq for roll in before.rolling.rolls if roll.counted}
        latest = states[max(counted)].line() if counted else frozenset()
        instead = counted & states[to].line() - before.line() - latest
        voided = any(roll.voided is not None for roll in before.rolling.rolls)
        assert (
            code == "nothing-to-rewind"
            or (code == "across-a-throw" and (how == "keep" or instead))
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
        asked = data.draw(st.sampled_from(["arbiter", before.game.seats[0]]))
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


@every_game
@settings(max_examples=25)
@given(schemes, st.integers(4, 60), st.data())
def test_the_game_is_what_its_dice_and_plays_make_it(
    game: Played, scheme: str, length: int, data: st.DataObject
) -> None:
    match, states = play(data, game, scheme, length)
    for seq, state in enumerate(states):
        assert open_match(match.state.entries[: seq + 1]) == state, "the fold of a prefix"
        assert state.position == replayed(state)
        assert points(state) in (None, 2 * STAKE)
        assert state.rolling.published <= match.state.rolling.published
        assert state.rolling.number <= match.state.rolling.number


def points(state: MatchState) -> int | None:
    """All the points of a game of El Tablero de Jesús, wherever they are."""
    if state.game.name != "tablero":
        return None
    written = state.position.written
    coins = sum(row > 0 for row in written.rows)
    return sum(written.stakes) + coins + written.wager + written.pot


def replayed(state: MatchState) -> Any:
    """The dice and plays that stand, once more from the start."""
    game = state.game
    position = game.start(state.opening.ruleset.options)
    if state.opening.turn_cap:
        position = game.limited(position, state.opening.turn_cap)
    dice_of = {roll.seq: roll.dice for roll in state.rolling.rolls if roll.counted}
    for seq in sorted(state.line()):
        event = state.entries[seq].event
        if seq in dice_of and state.moments[seq].acted:
            position = game.throw(position, dice_of[seq])
        elif isinstance(event, Act):
            position = game.apply(position, action_of(event))
    return position


@every_game
def test_in_long_matches_every_act_is_played_and_no_point_is_lost(game: Played) -> None:
    """By lot: what drawn matches seldom reach, a Run that fails or Diablo between two coins."""
    played, news = set(), ""
    for number in range(50):
        lot = Random(number)
        match = opened(game, lot.choice(SCHEMES))
        while match.state.phase is Phase.IN_PLAY and match.state.seq < 120:
            go_on(lot.choice, match, lot.random() < 0.7)
            assert points(match.state) in (None, 2 * STAKE)
            news += f"{match.state.game.news(match.state.position)}\n"
        assert open_match(match.state.entries) == match.state
        assert match.state.position == replayed(match.state)
        played |= {type_of(entry.event) for entry in match.state.entries}
    never = set() if game.options.get("diablo") == "called" else {"diablo", "done"}
    assert played >= match.state.game.actions - never
    if match.state.game.name == "tablero":
        for brought in (
            "goes back to",
            "the Wager of . goes to",
            "a Pass Number; .* takes .*fills",
        ):
            assert re.search(brought, news), brought


@every_game
@settings(max_examples=20)
@given(schemes, st.integers(4, 60), st.data())
def test_every_roll_has_a_number_of_its_own_and_the_dice_that_its_numbers_make(
    game: Played, scheme: str, length: int, data: st.DataObject
) -> None:
    match, _ = play(data, game, scheme, length)
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


@every_game
@settings(max_examples=10)
@given(schemes, st.integers(4, 24), st.data())
def test_every_prefix_is_a_sound_record(
    game: Played, scheme: str, length: int, data: st.DataObject
) -> None:
    match, states = play(data, game, scheme, length)
    chain = [*map(sealed, match.state.entries)]
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


# -- what strangers send -------------------------------------------------------------------


def writers(state: MatchState) -> st.SearchStrategy[tuple[str, str | None]]:
    first, second = state.game.seats
    return st.sampled_from([(first, None), (second, None), ("arbiter", None), ("arbiter", second)])


def fitting(match: Match, state: MatchState) -> st.SearchStrategy[Any]:
    """Data about the roll that the match is at, or about what may be done in it; often right."""
    roll, role = state.rolling.number, st.sampled_from([*state.game.seats, "arbiter"])
    numbers = role.map(lambda each: match.nonce(each, roll))
    bound = role.map(lambda each: match.commitment(each, roll))
    following = role.map(lambda each: match.commitment(each, roll + 1))
    faces = st.lists(st.integers(1, 6), min_size=2, max_size=3).map(tuple)
    waiting = [each.hash for each in (state.rolling.recorded, state.rolling.voiding) if each]
    return st.one_of(
        bound.map(lambda each: Commitment(roll=roll, commitment=each)),
        st.just(Throw(roll=roll)),
        st.tuples(numbers, following).map(lambda two: Throw(roll=roll, nonce=two[0], next=two[1])),
        st.tuples(numbers, following).map(lambda two: Opened(roll=roll, nonce=two[0], next=two[1])),
        faces.map(lambda each: Lying(roll=roll, dice=each)),
        st.sampled_from([*waiting, "0" * 64]).map(lambda each: Confirmation(confirms=each)),
        st.just(Voiding(roll=max(roll - 1, 1), reason="x")),
        st.sampled_from([Nothing(), *(data_of(each) for each in acts(state))]),
    )


@every_game
@settings(max_examples=30)
@given(schemes, st.integers(0, 12), st.integers(1, 12), st.data())
def test_hostile_events_are_refused_or_folded(
    game: Played, scheme: str, length: int, count: int, data: st.DataObject
) -> None:
    """Events of any type and by anybody, some about the very roll that the match waits for."""
    match, _ = play(data, game, scheme, length)
    state = match.state
    for _ in range(count):
        said = data.draw(datas | fitting(match, state))
        by, for_ = data.draw(writers(state) | st.tuples(roles, st.none() | roles))
        after = send(data, state, said, by, for_)
        assert after.rolling.number >= state.rolling.number
        assert after.rolling.published >= state.rolling.published
        state = after
    assert open_match(state.entries) == state

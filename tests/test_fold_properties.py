"""What holds of every match: random play with notes, rulings and resignations in all rulesets."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest
from hostile import KINDS, datas, roles, send
from hypothesis import given, settings
from hypothesis import strategies as st
from table import ARBITER, KEYS, STRANGER, clock, opening

from ledger import envelope as envelopes
from ledger import record, rulings
from ledger.audit import Trust, audit
from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError
from ledger.events import (
    EVENT_TYPES,
    Closing,
    Countersignature,
    MatchOpened,
    Nothing,
    Play,
    Remark,
    Result,
    Rewind,
    Verdict,
    decode,
    encode,
    type_of,
)
from ledger.fold import Entry, MatchState, Phase, advance, as_of, begin, open_match
from ledger.fold.state import superseded
from ledger.games import ruleset
from ledger.games.protocol import Action
from ledger.games.tablut import GAME

SEATS = ("swedes", "muscovites")
TRUST = Trust(documents=rulings.digests())


# -- a model that knows nothing of the fold ------------------------------------------------


@dataclass(frozen=True)
class Page:
    """The score sheet after an event, as somebody keeps it who strikes out what a ruling takes
    back: the acts that stand, each with its event's number."""

    moves: tuple[tuple[int, str], ...] = ()
    resigned: tuple[int, str] | None = None


@dataclass
class Sheet:
    """One page an event; page 0 is the opening."""

    name: str
    pages: list[Page]
    acts: list[int]

    def turn(self) -> str | None:
        """Whose turn it is, from the moves that stand alone."""
        return None if self.result() else SEATS[(self.first() + len(self.pages[-1].moves)) % 2]

    def first(self) -> int:
        return SEATS.index(str(self.options()["first"]))

    def options(self) -> dict[str, Any]:
        return dict(opening(self.name).ruleset.options)

    def game(self) -> Any:
        """The moves that stand, played once more from the start."""
        state = GAME.start(self.options())
        for _, text in self.pages[-1].moves:
            state = GAME.apply(state, Action("move", text))
        return state

    def result(self) -> Result | None:
        page = self.pages[-1]
        if page.resigned:
            loser = SEATS.index(page.resigned[1])
            return Result(kind="win", how="resigned", winner=SEATS[1 - loser])
        outcome = GAME.outcome(self.game())
        if outcome is None:
            return None
        return Result(
            kind="win" if outcome.winner else "draw", how=outcome.reason, winner=outcome.winner
        )

    def struck(self) -> set[int]:
        page = self.pages[-1]
        standing = {seq for seq, _ in page.moves} | ({page.resigned[0]} if page.resigned else set())
        return set(self.acts) - standing

    def note(self) -> None:
        self.pages.append(self.pages[-1])

    def move(self, text: str) -> None:
        page = self.pages[-1]
        self.acts.append(len(self.pages))
        self.pages.append(replace(page, moves=(*page.moves, (len(self.pages), text))))

    def resign(self, seat: str) -> None:
        self.acts.append(len(self.pages))
        self.pages.append(replace(self.pages[-1], resigned=(len(self.pages), seat)))

    def rewind(self, to: int) -> None:
        self.pages.append(self.pages[to])


# -- the match, event by event -------------------------------------------------------------


class Played:
    """A match and everything seen of it: envelopes, and the fold after each."""

    def __init__(self, name: str, keyed: list[str]) -> None:
        self.envelopes: list[Envelope] = []
        self.states: list[MatchState] = []
        event = MatchOpened(
            v=1, seq=0, by="arbiter", at=clock(), data=opening(name, keyed=keyed, witness=True)
        )
        self._add(event, "arbiter")
        for seat in keyed:
            self.write("seat.accepted", Nothing(), seat)

    @property
    def state(self) -> MatchState:
        return self.states[-1]

    def _add(self, event: Any, by: str) -> None:
        key = KEYS[by]
        envelope = envelopes.seal(encode(event), key.public, key.sign)
        entry = Entry(decode(envelope.payload), envelope.hash, envelope.keyid)
        after = advance(self.state, entry) if self.states else begin(entry)
        self.envelopes.append(envelope)
        self.states.append(after)

    def write(self, kind: str, data: Any, by: str) -> None:
        """An event of a role; the arbiter writes for a seat without a key."""
        scribe = by in SEATS and self.state.roster[by].key is None
        event = EVENT_TYPES[kind](
            v=1,
            seq=self.state.seq + 1,
            by="arbiter" if scribe else by,
            for_=by if scribe else None,
            at=clock(),
            match=self.state.match,
            prev=self.state.head,
            data=data,
        )
        self._add(event, event.by)


names = st.sampled_from(sorted(GAME.rulesets))
keyed_seats = st.sampled_from([[], ["swedes"], ["muscovites"], ["swedes", "muscovites"]])
steps = st.sampled_from(["move"] * 12 + ["note", "rewind", "rewind", "resign"])


def play(data: st.DataObject, name: str, keyed: list[str], length: int) -> tuple[Played, Sheet]:
    """Random play, in step with a score sheet kept by hand."""
    match = Played(name, keyed)
    sheet = Sheet(name, [Page() for _ in match.states], [])
    for _ in range(length):
        step(data, match, sheet)
        compare(match, sheet)
    return match, sheet


def step(data: st.DataObject, match: Played, sheet: Sheet) -> None:
    what = data.draw(steps)
    turn = sheet.turn()
    if what == "move" and turn:
        legal = [action.text for action in GAME.legal(match.state.position)]
        lively = [text for text in legal if "x" in text or text.startswith("K")]
        text = data.draw(st.sampled_from(legal) | st.sampled_from(lively or legal))
        match.write("move", Play(move=text), turn)
        sheet.move(text)
    elif what == "resign" and turn:
        seat = data.draw(st.sampled_from(SEATS))
        match.write("resigned", Nothing(), seat)
        sheet.resign(seat)
    elif what == "note":
        match.write("note", Remark(text="Somebody sneezes."), "witness1")
        sheet.note()
    else:
        rewind(data.draw(st.integers(0, match.state.seq)), match, sheet)


def rewind(to: int, match: Played, sheet: Sheet) -> None:
    before, target = match.state, match.states[to]
    effect = Verdict(reason="Mistyped.", rule="record", effects=(Rewind(to=to),))
    if (target.position, target.result) == (before.position, before.result):
        with pytest.raises(Refused, match="stands as it stood"):
            match.write("ruling", effect, "arbiter")
        return
    match.write("ruling", effect, "arbiter")
    sheet.rewind(to)
    after = match.state
    assert (after.position, after.result) == (target.position, target.result)
    assert (after.accepted, after.roster) == (before.accepted, before.roster)


def compare(match: Played, sheet: Sheet) -> None:
    """The fold and the score sheet say the same."""
    state = match.state
    assert state.seq == len(sheet.pages) - 1
    assert state.position == sheet.game()
    assert state.result == sheet.result()
    assert state.turn == sheet.turn()
    assert state.superseded() == sheet.struck()
    standing = sheet.pages[-1]
    line = sorted(seq for seq in state.line() if state.moments[seq].acted)
    acts = [*standing.moves, *([standing.resigned] if standing.resigned else [])]
    assert line == [seq for seq, _ in acts]
    assert state.phase is (Phase.ENDED if sheet.result() else Phase.IN_PLAY)


def finish(data: st.DataObject, match: Played) -> None:
    """Resign if need be, close, countersign."""
    if match.state.result is None:
        match.write("resigned", Nothing(), data.draw(st.sampled_from(SEATS)))
    result = match.state.result
    assert result
    match.write("match.closed", Closing(result=result), "arbiter")
    assert match.state.result_event == match.state.head
    for role in (*match.state.unsigned, "witness1"):
        score_sheet = Countersignature(result_event=match.state.result_event)
        match.write("countersigned", score_sheet, role)
    assert match.state.unsigned == ()


# -- properties ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(GAME.rulesets))
@settings(deadline=None, max_examples=40)
@given(keyed_seats, st.integers(1, 30), st.data())
def test_the_fold_agrees_with_a_score_sheet(
    name: str, keyed: list[str], length: int, data: st.DataObject
) -> None:
    match, _ = play(data, name, keyed, length)
    finish(data, match)
    entries = match.state.entries
    for seq, state in enumerate(match.states):
        assert open_match(entries[: seq + 1]) == state, "the fold of a prefix"
        assert as_of(match.state, seq) == state, "the match as it stood"


@settings(deadline=None, max_examples=40)
@given(names, keyed_seats, st.integers(1, 16), st.data())
def test_every_prefix_is_a_sound_record(
    name: str, keyed: list[str], length: int, data: st.DataObject
) -> None:
    match, _ = play(data, name, keyed, length)
    if data.draw(st.booleans()):
        finish(data, match)
    for end in range(1, len(match.envelopes) + 1):
        written = record.write(match.envelopes[:end])
        found = record.read(written)
        assert record.write(each for each in found.pieces if isinstance(each, Envelope)) == written
        report = audit(found.pieces, found.frame, TRUST)
        state = match.states[end - 1]
        assert report.faults == ()
        assert report.unchecked == ()
        assert report.verdict == "sound"
        assert (report.match, report.head) == (state.match, state.head)
        assert (report.phase, report.result) == (state.phase.value, state.result)
        for ruling in report.rulings:
            now, then = (superseded(state.moments[: ruling.event + more]) for more in (1, 0))
            assert ruling.takes_back == tuple(sorted(now - then))
        taken = {seq for each in (*report.rulings, *report.takebacks) for seq in each.takes_back}
        assert state.superseded() <= taken
        assert sum(party.signed for party in report.parties) == end


# -- hostile events ------------------------------------------------------------------------


def test_the_hostile_events_are_of_every_type() -> None:
    assert {name for names in KINDS.values() for name in names} == set(EVENT_TYPES)


@settings(deadline=None, max_examples=200)
@given(keyed_seats, st.lists(st.tuples(datas, roles, st.none() | roles), max_size=12), st.data())
def test_hostile_events_are_refused_or_folded(
    keyed: list[str], events: list[tuple[Any, str, str | None]], data: st.DataObject
) -> None:
    """Events of any type, by anybody and for anybody, with the right chain or a broken one."""
    match, _ = play(data, "tablut", keyed, data.draw(st.integers(0, 4)))
    state = match.state
    for said, by, for_ in events:
        state = send(data, state, said, by, for_)
    assert open_match(state.entries) == state


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The place of every value in a tree, branches as well."""
    if isinstance(value, dict):
        inner = [leaves(each, (*path, key)) for key, each in value.items()]
    elif isinstance(value, list):
        inner = [leaves(each, (*path, index)) for index, each in enumerate(value)]
    else:
        inner = []
    return [path, *(each for some in inner for each in some)]


anything: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.sampled_from(["swedes", "arbiter", "0" * 64, "ssh-ed25519 " + "A" * 68, "move", "", "x"])
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abz_", max_size=4), inner),
    max_leaves=5,
)


def mutated(data: st.DataObject, value: Any) -> Any:
    """The tree with one place changed, dropped or added to."""
    places = [place for place in leaves(value) if place]
    *way, last = data.draw(st.sampled_from(places))
    inner = value
    for key in way:
        inner = inner[key]
    how = data.draw(st.sampled_from(["change", "drop", "add"]))
    if how == "drop":
        del inner[last]
    elif how == "change" or isinstance(inner, list):
        inner[last] = data.draw(anything)
    else:
        inner[data.draw(st.text("abfor_", min_size=1, max_size=4))] = data.draw(anything)
    return value


@settings(deadline=None, max_examples=300)
@given(names, keyed_seats, st.data())
def test_a_mutated_event_raises_nothing_of_its_own(
    name: str, keyed: list[str], data: st.DataObject
) -> None:
    """One event is changed somewhere and signed again, by its own signer or by somebody else:
    reading, folding and auditing refuse it in their own words or take it as what it says."""
    match, _ = play(data, name, keyed, data.draw(st.integers(0, 6)))
    finish(data, match)
    number = data.draw(st.integers(0, match.state.seq))
    original = match.states[number].entries[number].event
    tree = mutated(data, msgspec.json.decode(encode(original)))
    key = KEYS[original.by] if data.draw(st.booleans()) else STRANGER
    payload = msgspec.json.encode(tree, order="sorted")
    changed = envelopes.seal(payload, key.public, key.sign)
    pieces = [*match.envelopes[:number], changed, *match.envelopes[number + 1 :]]
    with suppress(TabellionError):
        entry = Entry(decode(payload), changed.hash, changed.keyid)
        with suppress(TabellionError):
            begin(entry)
        if number:
            advance(match.states[number - 1], entry)
    report = audit(pieces, (), TRUST)
    assert report.verdict in ("sound", "faults", "could-not-check")
    if payload != match.envelopes[number].payload and number < match.state.seq:
        assert report.verdict == "faults", "what follows does not continue the changed event"


@settings(deadline=None, max_examples=100)
@given(st.lists(st.binary(max_size=80) | st.just(b"{}"), max_size=4), st.binary(max_size=40))
def test_bytes_that_were_never_events(payloads: list[bytes], around: bytes) -> None:
    signed = [envelopes.seal(each, ARBITER.public, ARBITER.sign) for each in payloads]
    assert audit(signed, (), TRUST).verdict != "sound"
    with suppress(TabellionError):
        found = record.read(around + record.write(signed)[len(around) :])
        assert audit(found.pieces, found.frame, TRUST).verdict != "sound"


def test_the_rulesets_are_six() -> None:
    assert sorted(GAME.rulesets) == [
        "hnefatafl",
        "tablut",
        "tablut-ashton",
        "tablut-edge",
        "tablut-linnaeus",
        "tawlbwrdd",
    ]
    assert all(ruleset(name)[0] is GAME for name in GAME.rulesets)
    assert {type_of(entry.event) for entry in Played("tablut", []).state.entries} == {
        "match.opened"
    }

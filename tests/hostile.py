"""Hostile events for tests: of every type, by anybody and for anybody, with whatever data."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st
from table import KEYS, STRANGER, clock, opening

from ledger import canonical
from ledger.errors import TabellionError
from ledger.events import (
    EVENT_TYPES,
    Adjournment,
    Answer,
    Award,
    Call,
    Closing,
    Commitment,
    Complaint,
    Confirmation,
    Countersignature,
    Decision,
    Dismissed,
    DrawOffer,
    Evidence,
    GivenResult,
    Lying,
    NewContributors,
    Nothing,
    Objection,
    Opened,
    Opening,
    Penalty,
    Play,
    Remark,
    Replacement,
    Result,
    Resumption,
    Rewind,
    SetPosition,
    SettlementOffer,
    Settling,
    Succession,
    TakebackOffer,
    Taking,
    Throw,
    Unsealed,
    Unwilling,
    Verdict,
    Voiding,
)
from ledger.fold import Entry, MatchState, advance, begin

SAME = "a" * 64
"""The hash of every event that is sent here."""

hashes = st.sampled_from(["0" * 64, "f" * 64])
_seats = st.sampled_from(["swedes", "muscovites", "white", "black", "south", "north"])
roles = _seats | st.sampled_from(["arbiter", "witness1", "appeal", "nobody", "witness", "witness9"])
_numbers = st.integers(0, 9) | st.integers(0, canonical.MAX_INTEGER)
_rolls = st.integers(1, 3) | st.integers(1, 2**32 - 1)
_lying = st.lists(st.integers(1, 6), min_size=1, max_size=8).map(tuple)
_moves = st.text(min_size=1, max_size=12) | st.sampled_from(["e3-f3", "Ke5-e5", "hand/6", "c1-c4"])
_pulls = st.text(min_size=1, max_size=12) | st.sampled_from(["4a-c", "1c-g", "pull", "8a-c"])
_points = st.sampled_from([0, 16, 18, 20, 36]) | st.integers(0, 1_000_000)
_rewinds = st.builds(Rewind, to=_numbers, dice=st.sampled_from([None, None, "keep", "rethrow"]))
_result_kinds = st.sampled_from(["win", "draw", "forfeit", "double_forfeit", "annulled"])
_results = st.builds(
    Result,
    kind=_result_kinds,
    how=st.sampled_from(["goal", "resigned", "fire", "ruling"]),
    winner=st.none() | roles,
)
_answered = hashes | st.just(SAME)
_lines = st.sampled_from([key.public.line for key in (*KEYS.values(), STRANGER)]) | st.sampled_from(
    ["ssh-ed25519 " + "A" * 68, "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43]
)
_positions = st.text(min_size=1, max_size=12) | st.sampled_from(
    [
        "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/ m",
        "/9/9/9/9/4K4/9/9/9/t8/ s",
        "W h15 b0 o0 - | B h13 b0 o0 6:1,9:1 | W",
        "W h0 b0 o15 - | B h15 b0 o0 - | W",
        "7711111 13,16 0 0 south answer",
    ]
)
_effects = st.one_of(
    _rewinds,
    st.just(Dismissed()),
    st.builds(SetPosition, position=_positions),
    st.builds(Penalty, seat=roles, penalty=st.sampled_from(["warning", "game_lost", "expulsion"])),
    st.builds(GivenResult, kind=_result_kinds, winner=st.none() | roles),
    st.builds(Award, roll=_rolls, dice=_lying),
    st.builds(NewContributors, roll=_rolls, contributors=st.lists(roles, max_size=4).map(tuple)),
)
_ruled = st.lists(_effects, min_size=1, max_size=2).map(tuple)
datas = st.one_of(
    st.builds(Play, move=_moves, dice=st.none() | _lying),
    st.just(Nothing()),
    st.builds(Remark, text=st.just("x")),
    st.builds(
        Verdict,
        reason=st.just("x"),
        rule=st.just("x"),
        effects=_ruled,
    ),
    st.builds(Closing, result=_results, ruling=st.none() | _answered),
    st.builds(Countersignature, result_event=_answered, absent=st.none() | roles),
    st.builds(Unwilling, result_event=_answered, seat=roles, reason=st.just("x")),
    st.builds(Complaint, event=_numbers, text=st.just("x")),
    st.builds(Evidence, about=_answered, text=st.just("x")),
    st.builds(Settling, dispute=_answered),
    st.builds(Objection, against=_answered, text=st.just("x")),
    st.builds(Decision, appeal=_answered, reason=st.just("x"), rule=st.just("x"), effects=_ruled),
    st.builds(
        Replacement,
        role=roles,
        name=st.sampled_from(["Alba", "Bruno", "Yara"]),
        reason=st.just("x"),
        key=st.none() | _lines,
        consent=st.none() | st.just("5e" * 64),
    ),
    st.builds(Succession, name=st.just("Yara"), key=_lines, reason=st.just("x")),
    st.builds(Adjournment, until=st.none() | st.just("x"), sealed=st.none() | hashes),
    st.builds(Resumption, opened=st.none() | st.builds(Unsealed, move=_moves, nonce=hashes)),
    st.builds(Call, call=st.sampled_from(["raichi", "tuichi", "Raichi", "x"])),
    st.just(DrawOffer()),
    st.builds(TakebackOffer, to=_numbers),
    st.builds(SettlementOffer, split=st.tuples(_points, _points)),
    st.builds(Taking, pull=_pulls),
    st.builds(Answer, offer=_answered),
    st.just(opening()),
    st.builds(Commitment, roll=_rolls, commitment=hashes),
    st.builds(Throw, roll=_rolls, nonce=st.none() | hashes, next=st.none() | hashes),
    st.builds(Opened, roll=_rolls, nonce=hashes, next=hashes),
    st.builds(Lying, roll=_rolls, dice=_lying),
    st.builds(Confirmation, confirms=_answered),
    st.builds(Voiding, roll=_rolls, reason=st.just("x")),
)

_SAID = {name: get_type_hints(kind)["data"] for name, kind in EVENT_TYPES.items()}

KINDS = {
    each: [name for name, data in _SAID.items() if each in (data, *get_args(data))]
    for each in (
        *(Opening, Nothing, Play, Taking, Call, Answer),
        *(DrawOffer, TakebackOffer, SettlementOffer),
        *(Verdict, Closing, Countersignature, Remark),
        *(Commitment, Throw, Opened, Lying, Confirmation, Voiding),
        *(Complaint, Evidence, Settling, Objection, Decision),
        *(Replacement, Succession, Adjournment, Resumption, Unwilling),
    )
}
"""The types of event that have data of this kind."""


def send(
    data: st.DataObject, state: MatchState, said: Any, by: str, for_: str | None
) -> MatchState:
    """The match after an event that says this, in its place in the chain or not; as it was where
    the event is refused."""
    kind = data.draw(st.sampled_from(KINDS[type(said)]))
    place: dict[str, Any] = {"seq": state.seq + 1, "match": state.match, "prev": state.head}
    if data.draw(st.integers(0, 3)) == 0:
        place["seq"] = data.draw(st.just(state.seq + 1) | st.integers(0, canonical.MAX_INTEGER))
        place["match"] = data.draw(st.just(state.match) | hashes | st.none())
        place["prev"] = data.draw(st.just(state.head) | hashes | st.none())
    event = EVENT_TYPES[kind](v=1, by=by, for_=for_, at=clock(), data=said, **place)
    entry = Entry(event, SAME, KEYS.get(by, STRANGER).public.fingerprint)
    with suppress(TabellionError):
        begin(entry)
    with suppress(TabellionError):
        return advance(state, entry)
    return state

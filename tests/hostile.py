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
    Answer,
    Call,
    Closing,
    Commitment,
    Confirmation,
    Countersignature,
    DrawOffer,
    Lying,
    Nothing,
    Opened,
    Opening,
    Play,
    Remark,
    Result,
    Rewind,
    SettlementOffer,
    TakebackOffer,
    Taking,
    Throw,
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
_results = st.builds(
    Result,
    kind=st.sampled_from(["win", "draw", "forfeit", "double_forfeit", "annulled"]),
    how=st.sampled_from(["goal", "resigned", "fire"]),
    winner=st.none() | roles,
)
datas = st.one_of(
    st.builds(Play, move=_moves, dice=st.none() | _lying),
    st.just(Nothing()),
    st.builds(Remark, text=st.just("x")),
    st.builds(
        Verdict,
        reason=st.just("x"),
        rule=st.just("x"),
        effects=st.lists(_rewinds, min_size=1, max_size=2).map(tuple),
    ),
    st.builds(Closing, result=_results),
    st.builds(Countersignature, result_event=hashes),
    st.builds(Call, call=st.sampled_from(["raichi", "tuichi", "Raichi", "x"])),
    st.just(DrawOffer()),
    st.builds(TakebackOffer, to=_numbers),
    st.builds(SettlementOffer, split=st.tuples(_points, _points)),
    st.builds(Taking, pull=_pulls),
    st.builds(Answer, offer=hashes | st.just(SAME)),
    st.just(opening()),
    st.builds(Commitment, roll=_rolls, commitment=hashes),
    st.builds(Throw, roll=_rolls, nonce=st.none() | hashes, next=st.none() | hashes),
    st.builds(Opened, roll=_rolls, nonce=hashes, next=hashes),
    st.builds(Lying, roll=_rolls, dice=_lying),
    st.builds(Confirmation, confirms=hashes | st.just(SAME)),
    st.builds(Voiding, roll=_rolls, reason=st.just("x")),
)

KINDS = {
    each: [
        name
        for name, kind in EVENT_TYPES.items()
        if each in (data := get_type_hints(kind)["data"], *get_args(data))
    ]
    for each in (
        *(Opening, Nothing, Play, Taking, Call, Answer),
        *(DrawOffer, TakebackOffer, SettlementOffer),
        *(Verdict, Closing, Countersignature, Remark),
        *(Commitment, Throw, Opened, Lying, Confirmation, Voiding),
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

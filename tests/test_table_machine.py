"""Whole matches of every game with all that can happen to one, in step with a book kept by hand.

Play, dice made in every way, offers, disputes, rulings with every effect, other keys, other people,
adjournments, closings, appeals; and in between what nobody may do. The book (``ledgerbyhand``) says
what stands, the referee (``bookreferee``) beforehand what is refused. Neither asks the fold.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from random import Random
from typing import Any, get_args

from bookpages import KEYRING, LINES
from bookreferee import MAY
from booktable import KINDS, SEEN, TRUST, Table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace
from table import clock
from wild import Wild, formed

from ledger import envelope as envelopes
from ledger import record
from ledger.audit import audit
from ledger.envelope import Envelope
from ledger.errors import TabellionError
from ledger.events import (
    EVENT_TYPES,
    Effect,
    decode,
    encode,
)
from ledger.fold import Entry, MatchState, advance, authenticate, begin, open_match
from ledger.views.explaining import explain
from ledger.views.telling import log, moves, show, written

luck = st.integers(0, 2**32)
OF_OFFICIALS = (
    *("disputed", "no-such-dispute", "nothing-at-issue", "keyless-settlement", "no-settlements"),
    *("no-appeal", "not-appealable", "appealed-already", "no-such-appeal", "nothing-to-dismiss"),
    *("effects-clash", "dice-set", "nothing-to-set", "bad-result", "no-flight", "bad-contributors"),
    *("accepted-twice", "key-needed", "bad-consent", "nobody-new", "key-twice", "no-commitment"),
    *("adjourned", "not-adjourned", "dice-on-board", "sealed-move", "no-seal", "wrong-citation"),
    *("not-closed", "countersigned-twice", "wrong-role", "not-accepted", "across-a-ruling"),
    *("no-such-penalty", "decided-on-appeal"),
)
"""Refusals that a run must have met."""
EFFECTS = [each.__name__ for each in get_args(Effect)]


class Matches(RuleBasedStateMachine):
    """One match after the other. Each rule draws one number, and lots from it: drawn one by one,
    Hypothesis would repeat itself too much for long matches to come about."""

    @initialize(number=luck)
    def open(self, number: int) -> None:
        self.table = Table(number)
        if self.table.lot.random() < 0.9:
            self.table.accept()

    @rule(number=luck)
    def go(self, number: int) -> None:
        self.table.lot = Random(f"{number} {self.table.state.head}")
        for _ in range(3):
            self.table.go()

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.audited()


def test_whole_matches_are_as_the_book_says() -> None:
    run_state_machine_as_test(
        Matches,
        settings=settings(
            max_examples=14,
            stateful_step_count=10,
            derandomize=True,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_many_matches_have_all_that_can_happen_in_them() -> None:
    """Long matches by plain lot; together they have every kind of event, and the refusals that
    belong to officials."""
    SEEN.clear()
    for number in range(90):
        table = Table(number)
        if number % 10:
            table.accept()
        for _ in range(22):
            table.go()
        table.audited()
    print(*sorted(SEEN.items()), sep="\n", file=sys.stderr)
    assert not [kind for kind in KINDS if not SEEN[kind]], "each kind of event is accepted"
    assert not [each for each in EFFECTS if not SEEN[f"{each} by ruling"]], "and each effect"
    assert not [code for code in OF_OFFICIALS if not SEEN[f"refused {code}"]], "and refused"


@settings(max_examples=25, deadline=None, derandomize=True)
@given(luck)
def test_whatever_is_signed_is_folded_or_refused(number: int) -> None:
    """Well-formed events of every type, rightly signed, that say anything at all: nothing but our
    own errors comes out of the fold, the views and the audit."""
    table = Table(number)
    table.accept()
    for _ in range(table.lot.choice([0, 2, 5, 8])):
        table.go()
    state, lot, pieces = table.state, table.lot, [*table.envelopes]
    for kind in lot.choices([*KINDS, *["ruling"] * 9, "match.opened"], k=40):
        hashes = [each.hash for each in state.entries] + [*state.rolling.published]
        wild = Wild(lot, hashes, [*KEYRING][:20], [state.seq, state.rolling.number])
        said = formed(lambda kind=kind, wild=wild: wild.data(kind))
        if said is None:
            continue
        after = thrown_at(state, kind, said, lot, pieces)
        if after is not state:
            SEEN[f"wild {kind}"] += 1
            pieces = [*pieces[: state.seq + 1], pieces[-1]]
        state = after
    assert open_match(state.entries) == state
    record_of = record.read(record.write(pieces))
    assert audit(record_of.pieces, record_of.frame, TRUST).verdict in ("sound", "faults")


def thrown_at(
    state: MatchState, kind: str, said: Any, lot: Random, pieces: list[Envelope]
) -> MatchState:
    """The match after this event, or as it was; the envelope is added to ``pieces``."""
    roles = [role for role, party in state.roster.items() if party.key]
    parts = MAY.get(kind, ("arbiter",))
    usual = [role for role in roles if role.rstrip("1") in parts]
    usual += [role for role in state.game.seats if "seat" in parts and role in roles]
    by = lot.choice([*usual * 4, "arbiter", *roles])
    party = state.roster.get(by)
    keyless = [role for role in state.game.seats if not state.roster[role].key]
    for_ = lot.choice([None, *keyless]) if by == "arbiter" else None
    key = KEYRING[party.key.line] if party and party.key else KEYRING[LINES[-1]]
    place = {"v": 1, "seq": state.seq + 1, "match": state.match, "prev": state.head}
    with suppress(TabellionError):
        event = EVENT_TYPES[kind](by=by, for_=for_, at=clock(), data=said, **place)
        envelope = envelopes.seal(encode(event), key.public, key.sign)
        pieces.append(envelope)
        entry = Entry(decode(envelope.payload), envelope.hash, envelope.keyid)
        with suppress(TabellionError):
            begin(Entry(replace(event, seq=0, match=None, prev=None), *(entry.hash, entry.keyid)))
        authenticate(state.roster, envelope, event)
        after = advance(state, entry)
        show(after)
        log(after)
        moves(after)
        written(after, state.seq)
        explain(after, after.seq, envelope)
        return after
    return state

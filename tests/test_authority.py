"""Who may sign what, and when, in a game without dice: a table by hand.

Moments: nobody has accepted yet (``accepting``); in play; an event is disputed; adjourned
(``paused``), and with a move sealed besides (``sealed``); Alba, who plays the Swedes, has a new key
and has not accepted with it (``replacing``); ended; closed; closed with an appeal that waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from authority import OTHER, again, rows, said
from match import SPARE_KEYS, SWEDES_WIN, Match, verdict
from table import ALBA, ARBITER, BRUNO, STRANGER, opening

from ledger.events import (
    EVENT_TYPES,
    Adjournment,
    Answer,
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
    Lying,
    Nothing,
    Objection,
    Opened,
    Penalty,
    Play,
    Remark,
    Replacement,
    Resumption,
    Rewind,
    Settling,
    Succession,
    Taking,
    Throw,
    Unsealed,
    Unwilling,
    Voiding,
)
from ledger.fold import Phase
from ledger.keys import SigningKey

AUTHORITY = """
event             moment        arbiter           swedes           muscovites       scribe

match.opened      disputed      disputed          wrong-role       wrong-role       wrong-role
match.opened      replacing     opened-twice      not-accepted     wrong-role       wrong-role
match.opened      else          opened-twice      wrong-role       wrong-role       wrong-role

seat.accepted     accepting     wrong-role        yes              yes              wrong-role
seat.accepted     replacing     wrong-role        yes              accepted-twice   wrong-role
seat.accepted     else          wrong-role        accepted-twice   accepted-twice   wrong-role

dice.committed    disputed      disputed          disputed         disputed         wrong-role
dice.committed    replacing     no-dice           not-accepted     no-dice          wrong-role
dice.committed    else          no-dice           no-dice          no-dice          wrong-role

roll              accepting     wrong-role        not-accepted     not-accepted     not-accepted
roll              playing       wrong-role        no-dice          no-dice          no-dice
roll              disputed      wrong-role        disputed         disputed         disputed
roll              paused,sealed wrong-role        adjourned        adjourned        adjourned
roll              replacing     wrong-role        not-accepted     not-accepted     not-accepted
roll              ended         wrong-role        game-over        game-over        game-over
roll              closed,appeal wrong-role        match-closed     match-closed     match-closed

roll.opened       replacing     no-dice           not-accepted     no-dice          wrong-role
roll.opened       else          no-dice           no-dice          no-dice          wrong-role

roll.recorded     disputed      disputed          disputed         disputed         disputed
roll.recorded     replacing     no-dice           not-accepted     no-dice          no-dice
roll.recorded     else          no-dice           no-dice          no-dice          no-dice

roll.confirmed    disputed      wrong-role        disputed         disputed         disputed
roll.confirmed    replacing     wrong-role        not-accepted     no-dice          no-dice
roll.confirmed    else          wrong-role        no-dice          no-dice          no-dice

roll.voided       disputed      disputed          disputed         disputed         wrong-role
roll.voided       replacing     no-dice           not-accepted     no-dice          wrong-role
roll.voided       else          no-dice           no-dice          no-dice          wrong-role

move              accepting     wrong-role        not-accepted     not-accepted     not-accepted
move              playing       wrong-role        yes              wrong-turn       yes
move              disputed      wrong-role        disputed         disputed         disputed
move              paused,sealed wrong-role        adjourned        adjourned        adjourned
move              replacing     wrong-role        not-accepted     not-accepted     not-accepted
move              ended         wrong-role        game-over        game-over        game-over
move              closed,appeal wrong-role        match-closed     match-closed     match-closed

pass              accepting     wrong-role        not-accepted     not-accepted     not-accepted
pass              playing       wrong-role        unknown-action   wrong-turn       unknown-action
pass              disputed      wrong-role        disputed         disputed         disputed
pass              paused,sealed wrong-role        adjourned        adjourned        adjourned
pass              replacing     wrong-role        not-accepted     not-accepted     not-accepted
pass              ended         wrong-role        game-over        game-over        game-over
pass              closed,appeal wrong-role        match-closed     match-closed     match-closed

pull              accepting     wrong-role        not-accepted     not-accepted     not-accepted
pull              playing       wrong-role        unknown-action   wrong-turn       unknown-action
pull              disputed      wrong-role        disputed         disputed         disputed
pull              paused,sealed wrong-role        adjourned        adjourned        adjourned
pull              replacing     wrong-role        not-accepted     not-accepted     not-accepted
pull              ended         wrong-role        game-over        game-over        game-over
pull              closed,appeal wrong-role        match-closed     match-closed     match-closed

wager             accepting     wrong-role        not-accepted     not-accepted     not-accepted
wager             playing       wrong-role        unknown-action   wrong-turn       unknown-action
wager             disputed      wrong-role        disputed         disputed         disputed
wager             paused,sealed wrong-role        adjourned        adjourned        adjourned
wager             replacing     wrong-role        not-accepted     not-accepted     not-accepted
wager             ended         wrong-role        game-over        game-over        game-over
wager             closed,appeal wrong-role        match-closed     match-closed     match-closed

run               accepting     wrong-role        not-accepted     not-accepted     not-accepted
run               playing       wrong-role        unknown-action   wrong-turn       unknown-action
run               disputed      wrong-role        disputed         disputed         disputed
run               paused,sealed wrong-role        adjourned        adjourned        adjourned
run               replacing     wrong-role        not-accepted     not-accepted     not-accepted
run               ended         wrong-role        game-over        game-over        game-over
run               closed,appeal wrong-role        match-closed     match-closed     match-closed

stop              accepting     wrong-role        not-accepted     not-accepted     not-accepted
stop              playing       wrong-role        unknown-action   wrong-turn       unknown-action
stop              disputed      wrong-role        disputed         disputed         disputed
stop              paused,sealed wrong-role        adjourned        adjourned        adjourned
stop              replacing     wrong-role        not-accepted     not-accepted     not-accepted
stop              ended         wrong-role        game-over        game-over        game-over
stop              closed,appeal wrong-role        match-closed     match-closed     match-closed

diablo            accepting     wrong-role        not-accepted     not-accepted     not-accepted
diablo            playing       wrong-role        unknown-action   wrong-turn       unknown-action
diablo            disputed      wrong-role        disputed         disputed         disputed
diablo            paused,sealed wrong-role        adjourned        adjourned        adjourned
diablo            replacing     wrong-role        not-accepted     not-accepted     not-accepted
diablo            ended         wrong-role        game-over        game-over        game-over
diablo            closed,appeal wrong-role        match-closed     match-closed     match-closed

done              accepting     wrong-role        not-accepted     not-accepted     not-accepted
done              playing       wrong-role        unknown-action   wrong-turn       unknown-action
done              disputed      wrong-role        disputed         disputed         disputed
done              paused,sealed wrong-role        adjourned        adjourned        adjourned
done              replacing     wrong-role        not-accepted     not-accepted     not-accepted
done              ended         wrong-role        game-over        game-over        game-over
done              closed,appeal wrong-role        match-closed     match-closed     match-closed

call              accepting     wrong-role        not-accepted     not-accepted     not-accepted
call              playing       wrong-role        calls            wrong-turn       wrong-turn
call              disputed      wrong-role        disputed         disputed         disputed
call              paused,sealed wrong-role        adjourned        adjourned        adjourned
call              replacing     wrong-role        not-accepted     not-accepted     not-accepted
call              ended         wrong-role        game-over        game-over        game-over
call              closed,appeal wrong-role        match-closed     match-closed     match-closed

offer.made        accepting     wrong-role        not-accepted     not-accepted     not-accepted
offer.made        playing       wrong-role        yes              yes              yes
offer.made        disputed      wrong-role        disputed         disputed         disputed
offer.made        paused,sealed wrong-role        adjourned        adjourned        adjourned
offer.made        replacing     wrong-role        not-accepted     not-accepted     not-accepted
offer.made        ended         wrong-role        game-over        game-over        game-over
offer.made        closed,appeal wrong-role        match-closed     match-closed     match-closed

offer.accepted    accepting     wrong-role        not-accepted     not-accepted     not-accepted
offer.accepted    playing       wrong-role        no-such-offer    no-such-offer    no-such-offer
offer.accepted    disputed      wrong-role        disputed         disputed         disputed
offer.accepted    paused,sealed wrong-role        adjourned        adjourned        adjourned
offer.accepted    replacing     wrong-role        not-accepted     not-accepted     not-accepted
offer.accepted    ended         wrong-role        game-over        game-over        game-over
offer.accepted    closed,appeal wrong-role        match-closed     match-closed     match-closed

offer.declined    accepting     wrong-role        not-accepted     not-accepted     not-accepted
offer.declined    playing       wrong-role        no-such-offer    no-such-offer    no-such-offer
offer.declined    disputed      wrong-role        disputed         disputed         disputed
offer.declined    paused,sealed wrong-role        adjourned        adjourned        adjourned
offer.declined    replacing     wrong-role        not-accepted     not-accepted     not-accepted
offer.declined    ended         wrong-role        game-over        game-over        game-over
offer.declined    closed,appeal wrong-role        match-closed     match-closed     match-closed

draw.claimed      accepting     wrong-role        not-accepted     not-accepted     not-accepted
draw.claimed      playing       wrong-role        repetition       repetition       repetition
draw.claimed      disputed      wrong-role        disputed         disputed         disputed
draw.claimed      paused,sealed wrong-role        adjourned        adjourned        adjourned
draw.claimed      replacing     wrong-role        not-accepted     not-accepted     not-accepted
draw.claimed      ended         wrong-role        game-over        game-over        game-over
draw.claimed      closed,appeal wrong-role        match-closed     match-closed     match-closed

resigned          accepting     wrong-role        not-accepted     not-accepted     not-accepted
resigned          disputed      wrong-role        disputed         disputed         disputed
resigned          replacing     wrong-role        not-accepted     yes              yes
resigned          ended         wrong-role        game-over        game-over        game-over
resigned          closed,appeal wrong-role        match-closed     match-closed     match-closed
resigned          else          wrong-role        yes              yes              yes

dispute.raised    accepting     not-accepted      not-accepted     not-accepted     wrong-role
dispute.raised    disputed      disputed          disputed         disputed         wrong-role
dispute.raised    replacing     yes               not-accepted     yes              wrong-role
dispute.raised    closed,appeal match-closed      match-closed     match-closed     wrong-role
dispute.raised    else          yes               yes              yes              wrong-role

dispute.settled   disputed      wrong-role        yes              yes              wrong-role
dispute.settled   replacing     wrong-role        not-accepted     no-such-dispute  wrong-role
dispute.settled   else          wrong-role        no-such-dispute  no-such-dispute  wrong-role

statement         disputed      yes               yes              yes              yes
statement         appeal        yes               yes              yes              yes
statement         replacing     nothing-at-issue  not-accepted     nothing-at-issue nothing-at-issue
statement         else          nothing-at-issue  nothing-at-issue nothing-at-issue nothing-at-issue

ruling            accepting     nothing-to-rewind wrong-role       wrong-role       wrong-role
ruling            replacing     yes               not-accepted     wrong-role       wrong-role
ruling            closed,appeal match-closed      wrong-role       wrong-role       wrong-role
ruling            else          yes               wrong-role       wrong-role       wrong-role

appeal            accepting     wrong-role        not-appealable   not-appealable   wrong-role
appeal            disputed      wrong-role        disputed         disputed         wrong-role
appeal            replacing     wrong-role        not-accepted     yes              wrong-role
appeal            else          wrong-role        yes              yes              wrong-role

appeal.decided    disputed      wrong-role        wrong-role       wrong-role       wrong-role
appeal.decided    replacing     wrong-role        not-accepted     wrong-role       wrong-role
appeal.decided    appeal        wrong-role        wrong-role       wrong-role       wrong-role
appeal.decided    else          wrong-role        wrong-role       wrong-role       wrong-role

key.replaced      replacing     yes               not-accepted     wrong-role       wrong-role
key.replaced      else          yes               wrong-role       wrong-role       wrong-role

arbiter.replaced  replacing     yes               not-accepted     wrong-role       wrong-role
arbiter.replaced  else          yes               wrong-role       wrong-role       wrong-role

adjourned         accepting     not-accepted      not-accepted     not-accepted     not-accepted
adjourned         playing       yes               not-adjourned    not-adjourned    not-adjourned
adjourned         disputed      disputed          disputed         disputed         disputed
adjourned         paused        adjourned         yes              wrong-turn       yes
adjourned         sealed        adjourned         sealed-already   sealed-already   sealed-already
adjourned         replacing     not-accepted      not-accepted     not-accepted     not-accepted
adjourned         ended         game-over         game-over        game-over        game-over
adjourned         closed,appeal match-closed      match-closed     match-closed     match-closed

resumed           disputed      disputed          disputed         disputed         disputed
resumed           paused        yes               no-seal          no-seal          no-seal
resumed           sealed        yes               yes              no-seal          yes
resumed           replacing     not-adjourned     not-accepted     not-adjourned    not-adjourned
resumed           closed,appeal match-closed      match-closed     match-closed     match-closed
resumed           else          not-adjourned     not-adjourned    not-adjourned    not-adjourned

match.closed      disputed      disputed          wrong-role       wrong-role       wrong-role
match.closed      replacing     not-over          not-accepted     wrong-role       wrong-role
match.closed      ended         yes               wrong-role       wrong-role       wrong-role
match.closed      closed,appeal match-closed      wrong-role       wrong-role       wrong-role
match.closed      else          not-over          wrong-role       wrong-role       wrong-role

countersigned     disputed      wrong-role        disputed         disputed         wrong-role
countersigned     replacing     wrong-role        not-accepted     not-closed       wrong-role
countersigned     closed,appeal wrong-role        yes              yes              wrong-role
countersigned     else          wrong-role        not-closed       not-closed       wrong-role

signature.refused disputed      disputed          wrong-role       wrong-role       wrong-role
signature.refused replacing     not-closed        not-accepted     wrong-role       wrong-role
signature.refused closed,appeal yes               wrong-role       wrong-role       wrong-role
signature.refused else          not-closed        wrong-role       wrong-role       wrong-role

note              replacing     yes               not-accepted     yes              wrong-role
note              else          yes               yes              yes              wrong-role
"""
"""The Swedes are on turn and have a key, as the Muscovites have. ``scribe``: at another table the
Muscovites are on turn and have none, and the arbiter writes for them."""

OFFICIALS = """
event             moment        witness1          appeal

dispute.raised    accepting     not-accepted      wrong-role
dispute.raised    disputed      disputed          wrong-role
dispute.raised    closed,appeal match-closed      wrong-role
dispute.raised    else          yes               wrong-role

statement         disputed      yes               wrong-role
statement         appeal        yes               wrong-role
statement         else          nothing-at-issue  wrong-role

appeal.decided    disputed      wrong-role        disputed
appeal.decided    appeal        wrong-role        yes
appeal.decided    else          wrong-role        no-such-appeal

arbiter.replaced  else          wrong-role        yes

countersigned     disputed      disputed          wrong-role
countersigned     closed,appeal yes               wrong-role
countersigned     else          not-closed        wrong-role

note              else          yes               yes

else              else          wrong-role        wrong-role
"""
"""The same match, its witness and whoever decides appeals: nothing else is theirs, ever."""

EVERYWHERE = """
who                   signs as    instead of all   but

a-stranger            stranger    unknown-role
a-second-witness      witness2    unknown-role
Bruno-without-a-key   muscovites  no-key
a-stranger-as-arbiter arbiter     wrong-signer
a-stranger-as-Alba    swedes      wrong-signer
a-stranger-as-witness witness1    wrong-signer
a-stranger-as-appeal  appeal      wrong-signer
Bruno-as-Alba         swedes      wrong-signer
Zoë-as-Alba           swedes      wrong-signer
Alba-as-Zoë           arbiter     wrong-signer
Alba's-old-key        swedes      wrong-signer
Zoë's-old-key         arbiter     wrong-signer
Wanda's-old-key       witness1    wrong-signer
Ana's-old-key         appeal      wrong-signer
Alba's-new-key        swedes      not-accepted     seat.accepted
Zoë's-new-key         arbiter     not-accepted     seat.accepted
Wanda's-new-key       witness1    not-accepted     seat.accepted
Ana's-new-key         appeal      not-accepted     seat.accepted
"""
"""Who is refused with one code whatever they sign, at any moment. An old key is one that was
replaced and whose successor has accepted; a new one has not accepted yet."""

MOMENTS = {
    "accepting": Phase.BEFORE_ACCEPTANCE,
    "playing": Phase.IN_PLAY,
    "disputed": Phase.DISPUTED,
    "paused": Phase.ADJOURNED,
    "sealed": Phase.ADJOURNED,
    "replacing": Phase.BEFORE_ACCEPTANCE,
    "ended": Phase.ENDED,
    "closed": Phase.CLOSED,
    "appeal": Phase.APPEALED,
}
SCRIBE = ("arbiter", "muscovites")
WARNING = Penalty(seat="swedes", penalty="warning")
ANYTHING = Unsealed(move="f3-e3", nonce=OTHER)
WRITTEN_FOR_OTHERS = """
roll roll.recorded roll.confirmed move pull wager pass run stop diablo done call
offer.made offer.accepted offer.declined draw.claimed resigned statement adjourned resumed
"""
"""What the arbiter writes for a seat without a key."""


@cache
def table_at(moment: str, scribe: bool) -> tuple[Match, Unsealed | None]:
    """A match that has come so far, and what opens its sealed move."""
    first = "muscovites" if scribe else "swedes"
    match = Match(["swedes"] if scribe else ["swedes", "muscovites"], play=False, first=first)
    opens = None
    if moment == "accepting":
        return match, opens
    for seat in match.state.unaccepted:
        match.accept(seat)
    match.rule(WARNING)
    for text in ("d1-c1", "e3-f3") if scribe else ("e3-f3", "d1-c1"):
        turn = match.state.turn
        assert turn
        match.move(text, *(SCRIBE if match.state.roster[turn].key is None else (turn,)))
    if moment == "disputed":
        match.dispute(by="swedes")
    if moment in ("paused", "sealed"):
        match.adjourn()
    if moment == "sealed":
        opens = match.seal(*(("arbiter", "c1-d1", "muscovites") if scribe else ("swedes", "f3-e3")))
    if moment == "replacing":
        match.replace_key("swedes", SPARE_KEYS[0])
    if moment in ("ended", "closed", "appeal"):
        match.resign("swedes")
    if moment in ("closed", "appeal"):
        match.close()
    if moment == "appeal":
        match.appeal("swedes")
    return match, opens


def what_is_said(match: Match, opens: Unsealed | None, role: str) -> dict[str, Any]:
    """Data for each type that are good in themselves at this moment, whoever may sign them."""
    state = match.state
    warned = [each.hash for each in state.entries if each.event.data == verdict(WARNING)]
    disputed, appealed = state.dispute, state.appealed
    at_issue = disputed.hash if disputed else appealed[0].hash if appealed else OTHER
    sheet = state.result_event or OTHER
    arbiter = role == "arbiter"
    return {
        "match.opened": opening(),
        "seat.accepted": Nothing(),
        "dice.committed": Commitment(roll=1, commitment=OTHER),
        "roll": Throw(roll=1, nonce=OTHER, next=OTHER),
        "roll.opened": Opened(roll=1, nonce=OTHER, next=OTHER),
        "roll.recorded": Lying(roll=1, dice=(3, 5, 2)),
        "roll.confirmed": Confirmation(confirms=OTHER),
        "roll.voided": Voiding(roll=1, reason="one die was cocked"),
        "move": Play(move="c1-d1" if role in ("scribe", "muscovites") else "f3-e3"),
        "pass": Nothing(),
        "pull": Taking(pull="4a-c"),
        "wager": Nothing(),
        "run": Nothing(),
        "stop": Nothing(),
        "diablo": Nothing(),
        "done": Nothing(),
        "call": Call(call="raichi"),
        "offer.made": DrawOffer(),
        "offer.accepted": Answer(offer=OTHER),
        "offer.declined": Answer(offer=OTHER),
        "draw.claimed": Nothing(),
        "resigned": Nothing(),
        "dispute.raised": Complaint(event=0, text="These are not the rules we play."),
        "dispute.settled": Settling(dispute=at_issue),
        "statement": Evidence(about=at_issue, text="I saw it."),
        "ruling": verdict(Rewind(to=0)),
        "appeal": Objection(against=warned[0] if warned else OTHER, text="It was not I."),
        "appeal.decided": Decision(
            appeal=at_issue, reason="Read anew.", rule="record", effects=(Dismissed(),)
        ),
        "key.replaced": Replacement(
            role="swedes", name="Alba", key=SPARE_KEYS[8].public.line, reason="The phone is lost."
        ),
        "arbiter.replaced": Succession(
            name="Yara", key=SPARE_KEYS[9].public.line, reason="Zoë has to leave."
        ),
        "adjourned": Adjournment(until="tomorrow") if arbiter else Adjournment(sealed=OTHER),
        "resumed": Resumption(opened=None if arbiter else opens or ANYTHING),
        "match.closed": Closing(result=state.result or SWEDES_WIN),
        "countersigned": Countersignature(result_event=sheet),
        "signature.refused": Unwilling(
            result_event=sheet, seat="swedes", reason="She left the hall."
        ),
        "note": Remark(text="The clock has stopped."),
    }


TABLES = [
    row for table in (AUTHORITY, OFFICIALS) for row in rows(table, [*MOMENTS], [*EVENT_TYPES])
]


@pytest.mark.parametrize(("kind", "moment", "answers"), TABLES)
def test_who_may_do_what_when(kind: str, moment: str, answers: Mapping[str, str]) -> None:
    found = {}
    for role in answers:
        match, opens = table_at(moment, role == "scribe")
        assert match.state.phase is MOMENTS[moment]
        data = what_is_said(match, opens, role)[kind]
        found[role] = said(match, kind, data, *(SCRIBE if role == "scribe" else (role,)))
    assert found == answers


def test_the_tables_of_authority_are_whole() -> None:
    roles = {"arbiter", "swedes", "muscovites", "scribe", "witness1", "appeal"}
    found = [(kind, moment, role) for kind, moment, answers in TABLES for role in answers]
    assert {*MOMENTS.values()} == {*Phase}
    assert {*found} == {(k, m, role) for k in EVENT_TYPES for m in MOMENTS for role in roles}
    assert len(found) == len(EVENT_TYPES) * len(MOMENTS) * len(roles)


# -- refused whatever they sign --------------------------------------------------------------


def signing(who: str, role: str, moment: str) -> tuple[Match, SigningKey]:
    """The match at this moment, and the key that signs."""
    match = again(table_at(moment, who == "Bruno-without-a-key")[0])
    if who.startswith(("a-stranger", "a-second")):
        return match, STRANGER
    if not who.endswith("new-key") and not who.endswith("old-key"):
        return match, {"Bruno": BRUNO, "Alba": ALBA, "Zoë": ARBITER}[who.partition("-")[0]]
    old = match.keys[role]
    if role == "arbiter":
        match.replace_arbiter(SPARE_KEYS[1])
    else:
        match.replace_key(role, SPARE_KEYS[1])
    if who.endswith("new-key"):
        return match, SPARE_KEYS[1]
    match.accept(role)
    return match, old


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("row", EVERYWHERE.splitlines()[3:], ids=lambda row: row.split()[0])
def test_some_are_refused_whatever_they_sign(row: str, moment: str) -> None:
    who, role, answer, *others = row.split()
    match, key = signing(who, role, moment)
    match.keys[role] = key
    opens = table_at(moment, scribe=False)[1]
    found = {
        kind: said(match, kind, data, role)
        for kind, data in what_is_said(match, opens, role).items()
    }
    assert found == dict.fromkeys(EVENT_TYPES, answer) | dict.fromkeys(others, "yes")


def to_all(
    moment: str, by: str, for_: str, *, scribe: bool, match: Match | None = None
) -> dict[str, str]:
    """What is said to each type of event, written by one role for another."""
    made, opens = table_at(moment, scribe)
    match = match or made
    return {
        kind: said(match, kind, data, by, for_)
        for kind, data in what_is_said(match, opens, "scribe").items()
    }


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("seat", ["swedes", "muscovites"])
def test_the_arbiter_writes_nothing_for_a_seat_with_a_key(seat: str, moment: str) -> None:
    assert to_all(moment, "arbiter", seat, scribe=False) == {
        kind: "seat-has-key" if kind in WRITTEN_FOR_OTHERS.split() else "wrong-role"
        for kind in EVENT_TYPES
    }


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("nobody", ["arbiter", "witness1", "appeal", "nobody", "white"])
def test_the_arbiter_writes_for_seats_alone(nobody: str, moment: str) -> None:
    assert to_all(moment, "arbiter", nobody, scribe=True) == {
        kind: "unknown-role" if kind in WRITTEN_FOR_OTHERS.split() else "wrong-role"
        for kind in EVENT_TYPES
    }


@pytest.mark.parametrize("moment", [each for each in MOMENTS if each != "replacing"])
@pytest.mark.parametrize("role", ["swedes", "witness1", "appeal"])
def test_nobody_else_writes_for_a_seat(role: str, moment: str) -> None:
    found = to_all(moment, role, "muscovites", scribe=True)
    assert found == dict.fromkeys(EVENT_TYPES, "wrong-role")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_new_arbiter_writes_for_nobody_before_accepting(moment: str) -> None:
    match = again(table_at(moment, scribe=True)[0])
    match.replace_arbiter(SPARE_KEYS[1], by="appeal")
    found = to_all(moment, *SCRIBE, scribe=True, match=match)
    assert found == dict.fromkeys(EVENT_TYPES, "not-accepted") | {"seat.accepted": "wrong-role"}

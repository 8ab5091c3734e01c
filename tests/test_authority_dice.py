"""Who may sign what, and when, in a game with dice: computed ones, and ones on the table.

All play Tabula. White is Alba, Black is Bruno.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import count
from typing import Any

import pytest
from authority import OTHER, again, rows, said
from match import SPARE_KEYS, Match, verdict
from table import opening

from ledger.events import (
    EVENT_TYPES,
    Adjournment,
    Answer,
    Award,
    Call,
    Closing,
    Commitment,
    CommitReveal,
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
    Penalty,
    Physical,
    Play,
    Remark,
    Replacement,
    Result,
    Resumption,
    Rewind,
    SetPosition,
    Settling,
    Succession,
    Taking,
    Throw,
    Unsealed,
    Unwilling,
    Voiding,
    Withdrawn,
)
from ledger.fold import Phase, open_match
from ledger.fold.acts import data_of
from ledger.fold.rolls import contributors

# -- computed dice -------------------------------------------------------------------------

COMPUTED = """
event             moment        arbiter           white            black            scribe

match.opened      disputed,held disputed          wrong-role       wrong-role       wrong-role
match.opened      lost          opened-twice      wrong-role       not-accepted     wrong-role
match.opened      else          opened-twice      wrong-role       wrong-role       wrong-role

seat.accepted     accepting     wrong-role        yes              yes              wrong-role
seat.accepted     first,last    wrong-role        roll-in-flight   roll-in-flight   wrong-role
seat.accepted     held,lost     wrong-role        roll-in-flight   roll-in-flight   wrong-role
seat.accepted     else          wrong-role        accepted-twice   accepted-twice   wrong-role

dice.committed    accepting     yes               not-accepted     not-accepted     wrong-role
dice.committed    committing    yes               yes              yes              wrong-role
dice.committed    first,last    roll-in-flight    roll-in-flight   roll-in-flight   wrong-role
dice.committed    held          roll-in-flight    roll-in-flight   roll-in-flight   wrong-role
dice.committed    lost          roll-in-flight    roll-in-flight   not-accepted     wrong-role
dice.committed    disputed      disputed          disputed         disputed         wrong-role
dice.committed    ended         game-over         game-over        game-over        wrong-role
dice.committed    closed,appeal match-closed      match-closed     match-closed     wrong-role
dice.committed    else          committed-already committed-already committed-already wrong-role

roll              accepting     wrong-role        not-accepted     not-accepted     not-accepted
roll              committing    wrong-role        not-committed    wrong-turn       wrong-turn
roll              throwing      wrong-role        yes              wrong-turn       yes
roll              first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
roll              held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
roll              lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
roll              moving        wrong-role        no-throw         no-throw         no-throw
roll              disputed      wrong-role        disputed         disputed         disputed
roll              paused        wrong-role        adjourned        adjourned        adjourned
roll              ended         wrong-role        game-over        game-over        game-over
roll              closed,appeal wrong-role        match-closed     match-closed     match-closed

roll.opened       first,held    out-of-order      opened-twice     yes              wrong-role
roll.opened       last          yes               opened-twice     opened-twice     wrong-role
roll.opened       lost          out-of-order      opened-twice     not-accepted     wrong-role
roll.opened       else          no-flight         no-flight        no-flight        wrong-role

roll.recorded     first,last    computed-dice     roll-in-flight   roll-in-flight   roll-in-flight
roll.recorded     held          disputed          roll-in-flight   roll-in-flight   roll-in-flight
roll.recorded     lost          computed-dice     roll-in-flight   not-accepted     roll-in-flight
roll.recorded     disputed      disputed          disputed         disputed         disputed
roll.recorded     else          computed-dice     computed-dice    computed-dice    computed-dice

roll.confirmed    accepting     wrong-role        not-accepted     not-accepted     not-accepted
roll.confirmed    first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
roll.confirmed    held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
roll.confirmed    lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
roll.confirmed    disputed      wrong-role        disputed         disputed         disputed
roll.confirmed    paused        wrong-role        adjourned        adjourned        adjourned
roll.confirmed    ended         wrong-role        game-over        game-over        game-over
roll.confirmed    closed,appeal wrong-role        match-closed     match-closed     match-closed
roll.confirmed    else wrong-role nothing-to-confirm nothing-to-confirm nothing-to-confirm

roll.voided       first,last    computed-dice     roll-in-flight   roll-in-flight   wrong-role
roll.voided       held          disputed          roll-in-flight   roll-in-flight   wrong-role
roll.voided       lost          computed-dice     roll-in-flight   not-accepted     wrong-role
roll.voided       disputed      disputed          disputed         disputed         wrong-role
roll.voided       else          computed-dice     computed-dice    computed-dice    wrong-role

move              accepting     wrong-role        not-accepted     not-accepted     not-accepted
move              committing    wrong-role        throw-first      wrong-turn       wrong-turn
move              throwing      wrong-role        throw-first      wrong-turn       throw-first
move              first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
move              held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
move              lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
move              moving        wrong-role        yes              wrong-turn       yes
move              disputed      wrong-role        disputed         disputed         disputed
move              paused        wrong-role        adjourned        adjourned        adjourned
move              ended         wrong-role        game-over        game-over        game-over
move              closed,appeal wrong-role        match-closed     match-closed     match-closed

pass              accepting     wrong-role        not-accepted     not-accepted     not-accepted
pass              committing    wrong-role        throw-first      wrong-turn       wrong-turn
pass              throwing      wrong-role        throw-first      wrong-turn       throw-first
pass              first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
pass              held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
pass              lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
pass              moving        wrong-role        r-all            wrong-turn       r-all
pass              disputed      wrong-role        disputed         disputed         disputed
pass              paused        wrong-role        adjourned        adjourned        adjourned
pass              ended         wrong-role        game-over        game-over        game-over
pass              closed,appeal wrong-role        match-closed     match-closed     match-closed

pull              accepting     wrong-role        not-accepted     not-accepted     not-accepted
pull              committing    wrong-role        unknown-action   wrong-turn       wrong-turn
pull              throwing      wrong-role        unknown-action   wrong-turn       unknown-action
pull              first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
pull              held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
pull              lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
pull              moving        wrong-role        unknown-action   wrong-turn       unknown-action
pull              disputed      wrong-role        disputed         disputed         disputed
pull              paused        wrong-role        adjourned        adjourned        adjourned
pull              ended         wrong-role        game-over        game-over        game-over
pull              closed,appeal wrong-role        match-closed     match-closed     match-closed

wager             accepting     wrong-role        not-accepted     not-accepted     not-accepted
wager             committing    wrong-role        unknown-action   wrong-turn       wrong-turn
wager             throwing      wrong-role        unknown-action   wrong-turn       unknown-action
wager             first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
wager             held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
wager             lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
wager             moving        wrong-role        unknown-action   wrong-turn       unknown-action
wager             disputed      wrong-role        disputed         disputed         disputed
wager             paused        wrong-role        adjourned        adjourned        adjourned
wager             ended         wrong-role        game-over        game-over        game-over
wager             closed,appeal wrong-role        match-closed     match-closed     match-closed

run               accepting     wrong-role        not-accepted     not-accepted     not-accepted
run               committing    wrong-role        unknown-action   wrong-turn       wrong-turn
run               throwing      wrong-role        unknown-action   wrong-turn       unknown-action
run               first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
run               held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
run               lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
run               moving        wrong-role        unknown-action   wrong-turn       unknown-action
run               disputed      wrong-role        disputed         disputed         disputed
run               paused        wrong-role        adjourned        adjourned        adjourned
run               ended         wrong-role        game-over        game-over        game-over
run               closed,appeal wrong-role        match-closed     match-closed     match-closed

stop              accepting     wrong-role        not-accepted     not-accepted     not-accepted
stop              committing    wrong-role        unknown-action   wrong-turn       wrong-turn
stop              throwing      wrong-role        unknown-action   wrong-turn       unknown-action
stop              first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
stop              held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
stop              lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
stop              moving        wrong-role        unknown-action   wrong-turn       unknown-action
stop              disputed      wrong-role        disputed         disputed         disputed
stop              paused        wrong-role        adjourned        adjourned        adjourned
stop              ended         wrong-role        game-over        game-over        game-over
stop              closed,appeal wrong-role        match-closed     match-closed     match-closed

diablo            accepting     wrong-role        not-accepted     not-accepted     not-accepted
diablo            committing    wrong-role        unknown-action   wrong-turn       wrong-turn
diablo            throwing      wrong-role        unknown-action   wrong-turn       unknown-action
diablo            first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
diablo            held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
diablo            lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
diablo            moving        wrong-role        unknown-action   wrong-turn       unknown-action
diablo            disputed      wrong-role        disputed         disputed         disputed
diablo            paused        wrong-role        adjourned        adjourned        adjourned
diablo            ended         wrong-role        game-over        game-over        game-over
diablo            closed,appeal wrong-role        match-closed     match-closed     match-closed

done              accepting     wrong-role        not-accepted     not-accepted     not-accepted
done              committing    wrong-role        unknown-action   wrong-turn       wrong-turn
done              throwing      wrong-role        unknown-action   wrong-turn       unknown-action
done              first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
done              held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
done              lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
done              moving        wrong-role        unknown-action   wrong-turn       unknown-action
done              disputed      wrong-role        disputed         disputed         disputed
done              paused        wrong-role        adjourned        adjourned        adjourned
done              ended         wrong-role        game-over        game-over        game-over
done              closed,appeal wrong-role        match-closed     match-closed     match-closed

call              accepting     wrong-role        not-accepted     not-accepted     not-accepted
call              committing    wrong-role        unknown-action   wrong-turn       wrong-turn
call              throwing      wrong-role        unknown-action   wrong-turn       unknown-action
call              first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
call              held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
call              lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
call              moving        wrong-role        unknown-action   wrong-turn       unknown-action
call              disputed      wrong-role        disputed         disputed         disputed
call              paused        wrong-role        adjourned        adjourned        adjourned
call              ended         wrong-role        game-over        game-over        game-over
call              closed,appeal wrong-role        match-closed     match-closed     match-closed

offer.made        accepting     wrong-role        not-accepted     not-accepted     not-accepted
offer.made        first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
offer.made        held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
offer.made        lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
offer.made        disputed      wrong-role        disputed         disputed         disputed
offer.made        paused        wrong-role        adjourned        adjourned        adjourned
offer.made        ended         wrong-role        game-over        game-over        game-over
offer.made        closed,appeal wrong-role        match-closed     match-closed     match-closed
offer.made        else          wrong-role        yes              yes              yes

offer.accepted    accepting     wrong-role        not-accepted     not-accepted     not-accepted
offer.accepted    first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
offer.accepted    held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
offer.accepted    lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
offer.accepted    disputed      wrong-role        disputed         disputed         disputed
offer.accepted    paused        wrong-role        adjourned        adjourned        adjourned
offer.accepted    ended         wrong-role        game-over        game-over        game-over
offer.accepted    closed,appeal wrong-role        match-closed     match-closed     match-closed
offer.accepted    else          wrong-role        no-such-offer    no-such-offer    no-such-offer

offer.declined    accepting     wrong-role        not-accepted     not-accepted     not-accepted
offer.declined    first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
offer.declined    held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
offer.declined    lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
offer.declined    disputed      wrong-role        disputed         disputed         disputed
offer.declined    paused        wrong-role        adjourned        adjourned        adjourned
offer.declined    ended         wrong-role        game-over        game-over        game-over
offer.declined    closed,appeal wrong-role        match-closed     match-closed     match-closed
offer.declined    else          wrong-role        no-such-offer    no-such-offer    no-such-offer

draw.claimed      accepting     wrong-role        not-accepted     not-accepted     not-accepted
draw.claimed      first,last    wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
draw.claimed      held          wrong-role        roll-in-flight   roll-in-flight   roll-in-flight
draw.claimed      lost          wrong-role        roll-in-flight   not-accepted     roll-in-flight
draw.claimed      disputed      wrong-role        disputed         disputed         disputed
draw.claimed      paused        wrong-role        adjourned        adjourned        adjourned
draw.claimed      ended         wrong-role        game-over        game-over        game-over
draw.claimed      closed,appeal wrong-role        match-closed     match-closed     match-closed
draw.claimed      else          wrong-role        no-draw          no-draw          no-draw

resigned          accepting     wrong-role        not-accepted     not-accepted     not-accepted
resigned          disputed,held wrong-role        disputed         disputed         disputed
resigned          lost          wrong-role        yes              not-accepted     yes
resigned          ended         wrong-role        game-over        game-over        game-over
resigned          closed,appeal wrong-role        match-closed     match-closed     match-closed
resigned          else          wrong-role        yes              yes              yes

dispute.raised    accepting     not-accepted      not-accepted     not-accepted     wrong-role
dispute.raised    disputed,held disputed          disputed         disputed         wrong-role
dispute.raised    lost          yes               yes              not-accepted     wrong-role
dispute.raised    closed,appeal match-closed      match-closed     match-closed     wrong-role
dispute.raised    else          yes               yes              yes              wrong-role

dispute.settled   disputed,held wrong-role        yes              yes              wrong-role
dispute.settled   first,last    wrong-role        roll-in-flight   roll-in-flight   wrong-role
dispute.settled   lost          wrong-role        roll-in-flight   not-accepted     wrong-role
dispute.settled   else          wrong-role        no-such-dispute  no-such-dispute  wrong-role

statement         disputed,held yes               yes              yes              yes
statement         appeal        yes               yes              yes              yes
statement         first,last    nothing-at-issue  roll-in-flight   roll-in-flight   roll-in-flight
statement         lost          nothing-at-issue  roll-in-flight   not-accepted     roll-in-flight
statement         else          nothing-at-issue  nothing-at-issue nothing-at-issue nothing-at-issue

ruling            accepting     nothing-to-rewind wrong-role       wrong-role       wrong-role
ruling            committing    nothing-to-rewind wrong-role       wrong-role       wrong-role
ruling            lost          yes               wrong-role       not-accepted     wrong-role
ruling            closed,appeal match-closed      wrong-role       wrong-role       wrong-role
ruling            else          yes               wrong-role       wrong-role       wrong-role

appeal            accepting     wrong-role        not-appealable   not-appealable   wrong-role
appeal            first,last    wrong-role        roll-in-flight   roll-in-flight   wrong-role
appeal            held          wrong-role        roll-in-flight   roll-in-flight   wrong-role
appeal            lost          wrong-role        roll-in-flight   not-accepted     wrong-role
appeal            disputed      wrong-role        disputed         disputed         wrong-role
appeal            else          wrong-role        yes              yes              wrong-role

appeal.decided    lost          wrong-role        wrong-role       not-accepted     wrong-role
appeal.decided    else          wrong-role        wrong-role       wrong-role       wrong-role

key.replaced      lost          yes               wrong-role       not-accepted     wrong-role
key.replaced      else          yes               wrong-role       wrong-role       wrong-role

arbiter.replaced  lost          yes               wrong-role       not-accepted     wrong-role
arbiter.replaced  else          yes               wrong-role       wrong-role       wrong-role

adjourned         accepting     not-accepted      not-accepted     not-accepted     not-accepted
adjourned         first,last    dice-on-board     roll-in-flight   roll-in-flight   roll-in-flight
adjourned         held          disputed          roll-in-flight   roll-in-flight   roll-in-flight
adjourned         lost          not-accepted      roll-in-flight   not-accepted     roll-in-flight
adjourned         moving        dice-on-board     not-adjourned    not-adjourned    not-adjourned
adjourned         disputed      disputed          disputed         disputed         disputed
adjourned         paused        adjourned         dice-on-board    dice-on-board    dice-on-board
adjourned         ended         game-over         game-over        game-over        game-over
adjourned         closed,appeal match-closed      match-closed     match-closed     match-closed
adjourned         else          yes               not-adjourned    not-adjourned    not-adjourned

resumed           first,last    not-adjourned     roll-in-flight   roll-in-flight   roll-in-flight
resumed           held          disputed          roll-in-flight   roll-in-flight   roll-in-flight
resumed           lost          not-adjourned     roll-in-flight   not-accepted     roll-in-flight
resumed           disputed      disputed          disputed         disputed         disputed
resumed           paused        yes               no-seal          no-seal          no-seal
resumed           closed,appeal match-closed      match-closed     match-closed     match-closed
resumed           else          not-adjourned     not-adjourned    not-adjourned    not-adjourned

match.closed      disputed,held disputed          wrong-role       wrong-role       wrong-role
match.closed      lost          not-over          wrong-role       not-accepted     wrong-role
match.closed      ended         yes               wrong-role       wrong-role       wrong-role
match.closed      closed,appeal match-closed      wrong-role       wrong-role       wrong-role
match.closed      else          not-over          wrong-role       wrong-role       wrong-role

countersigned     first,last    wrong-role        roll-in-flight   roll-in-flight   wrong-role
countersigned     held          wrong-role        roll-in-flight   roll-in-flight   wrong-role
countersigned     lost          wrong-role        roll-in-flight   not-accepted     wrong-role
countersigned     disputed      wrong-role        disputed         disputed         wrong-role
countersigned     closed,appeal wrong-role        yes              yes              wrong-role
countersigned     else          wrong-role        not-closed       not-closed       wrong-role

signature.refused disputed,held disputed          wrong-role       wrong-role       wrong-role
signature.refused lost          not-closed        wrong-role       not-accepted     wrong-role
signature.refused closed,appeal yes               wrong-role       wrong-role       wrong-role
signature.refused else          not-closed        wrong-role       wrong-role       wrong-role

note              first,last    yes               roll-in-flight   roll-in-flight   wrong-role
note              held          yes               roll-in-flight   roll-in-flight   wrong-role
note              lost          yes               roll-in-flight   not-accepted     wrong-role
note              else          yes               yes              yes              wrong-role
"""
"""Dice made by both players and the arbiter, or at the scribe's table by White and the arbiter.
White is on turn, at the scribe's table Black, who has no key there: ``throwing`` is their throw,
``first`` waits for a player's number, ``last`` for the arbiter's. ``disputed`` is before a throw,
``held`` waits for a player's number under a dispute; ``lost`` too, and it went with his key."""

OFFICIALS = """
event             moment        witness1          appeal

dispute.raised    accepting     not-accepted      wrong-role
dispute.raised    disputed,held disputed          wrong-role
dispute.raised    closed,appeal match-closed      wrong-role
dispute.raised    else          yes               wrong-role

statement         disputed,held yes               wrong-role
statement         appeal        yes               wrong-role
statement         first,last    roll-in-flight    wrong-role
statement         lost          roll-in-flight    wrong-role
statement         else          nothing-at-issue  wrong-role

appeal.decided    first,last    wrong-role        roll-in-flight
appeal.decided    held,lost     wrong-role        roll-in-flight
appeal.decided    disputed      wrong-role        disputed
appeal.decided    appeal        wrong-role        yes
appeal.decided    else          wrong-role        no-such-appeal

arbiter.replaced  else          wrong-role        yes

countersigned     first,last    roll-in-flight    wrong-role
countersigned     held,lost     roll-in-flight    wrong-role
countersigned     disputed      disputed          wrong-role
countersigned     closed,appeal yes               wrong-role
countersigned     else          not-closed        wrong-role

note              first,last    roll-in-flight    roll-in-flight
note              held,lost     roll-in-flight    roll-in-flight
note              else          yes               yes

else              else          wrong-role        wrong-role
"""

EFFECTS = """
effect        moment        arbiter

dismiss       disputed,held yes
dismiss       else          nothing-to-dismiss

rewind        accepting     nothing-to-rewind
rewind        committing    nothing-to-rewind
rewind        closed,appeal match-closed
rewind        else          yes

position      closed,appeal match-closed
position      else          yes

penalty       else          yes

withdraw      accepting     no-such-penalty
withdraw      else          yes

result        else          yes

award         first,last    yes
award         held,lost     yes
award         closed,appeal match-closed
award         else          no-flight

contributors  closed,appeal match-closed
contributors  else          yes
"""
"""What a ruling may do when, in the same match."""

MOMENTS = {
    "accepting": Phase.BEFORE_ACCEPTANCE,
    "committing": Phase.IN_PLAY,
    "throwing": Phase.IN_PLAY,
    "first": Phase.IN_PLAY,
    "last": Phase.IN_PLAY,
    "held": Phase.DISPUTED,
    "lost": Phase.BEFORE_ACCEPTANCE,
    "moving": Phase.IN_PLAY,
    "disputed": Phase.DISPUTED,
    "paused": Phase.ADJOURNED,
    "ended": Phase.ENDED,
    "closed": Phase.CLOSED,
    "appeal": Phase.APPEALED,
}
BLACK = ("arbiter", "black")
"""Who signs for whom, when the scribe writes."""
WARNING = Penalty(seat="white", penalty="warning")
FAR = "W h0 b0 o0 1:2,13:13 | B h0 b0 o0 20:15 | W"


def before_play(scribe: bool, dice: CommitReveal | Physical, number: int) -> Match:
    keyed = ["white"] if scribe else ["white", "black"]
    return Match(keyed, ruleset="tabula", dice=dice, nonce=f"{number:032x}", play=False)


def finish(match: Match, moment: str) -> None:
    if moment in ("ended", "closed", "appeal"):
        match.resign("white")
    if moment in ("closed", "appeal"):
        match.close()
    if moment == "appeal":
        match.appeal("white")


@cache
def opening_thrown(scribe: bool) -> Match:
    """The right player, as the dice happened to fall, is to throw three dice."""
    who = ("white", "arbiter") if scribe else ("white", "black", "arbiter")
    turn = "black" if scribe else "white"
    for number in count():
        match = before_play(scribe, CommitReveal(contributors=who), number)
        for seat in match.state.unaccepted:
            match.accept(seat)
        match.rule(WARNING)
        match.roll()
        wanted = match.state.game.wanted(match.state.position)
        if wanted and wanted.owners == (turn, turn, turn):
            return match
    raise AssertionError


@cache
def with_computed_dice(moment: str, scribe: bool) -> Match:
    match = again(opening_thrown(scribe))
    if moment in ("accepting", "committing"):
        match.state = open_match(match.state.entries[:1])
        if moment == "committing":
            for seat in match.state.unaccepted:
                match.accept(seat)
            match.rule(WARNING)
        return match
    if moment in ("first", "last", "moving", "held", "lost"):
        match.throw(*(BLACK if scribe else ("white",)))
    if moment in ("last", "moving"):
        match.open("white" if scribe else "black")
    if moment == "moving":
        match.open("arbiter")
    if moment in ("held", "disputed"):
        match.dispute(by="white")
    if moment == "lost":
        match.replace_key("white" if scribe else "black", SPARE_KEYS[0])
    if moment == "paused":
        match.adjourn()
    finish(match, moment)
    return match


def what_is_said(match: Match, by: str, for_: str | None) -> dict[str, Any]:
    """Data for each type that are good in themselves at this moment, whoever may sign them."""
    state = match.state
    roll, waiting = state.rolling.number, state.rolling.voiding or state.rolling.recorded
    opens = for_ is None and by in contributors(state)
    plays = [each for each in state.game.legal(state.position) if each.kind == "move"]
    warned = [each.hash for each in state.entries if each.event.data == verdict(WARNING)]
    disputed, appealed = state.dispute, state.appealed
    at_issue = disputed.hash if disputed else appealed[0].hash if appealed else OTHER
    sheet = state.result_event or OTHER
    arbiter = by == "arbiter" and for_ is None
    number, following = OTHER, OTHER
    if by in (*state.game.seats, "arbiter"):
        number, following = match.nonce(by), match.commitment(by, roll + 1)
    return {
        "match.opened": opening(),
        "seat.accepted": Nothing(),
        "dice.committed": Commitment(roll=roll, commitment=OTHER),
        "roll": Throw(roll=roll, nonce=number, next=following) if opens else Throw(roll=roll),
        "roll.opened": Opened(roll=roll, nonce=number, next=following),
        "roll.recorded": Lying(roll=roll, dice=(6, 5, 6)),
        "roll.confirmed": Confirmation(confirms=waiting.hash if waiting else OTHER),
        "roll.voided": Voiding(roll=max(roll - 1, 1), reason="one die was cocked"),
        "move": data_of(plays[0]) if plays else Play(move="hand/6", dice=(6,)),
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
        "ruling": verdict(Rewind(to=0, dice="rethrow")),
        "appeal": Objection(against=warned[0] if warned else OTHER, text="It was not I."),
        "appeal.decided": Decision(
            appeal=at_issue, reason="Read anew.", rule="record", effects=(Dismissed(),)
        ),
        "key.replaced": Replacement(
            role="black", name="Bruno", key=SPARE_KEYS[8].public.line, reason="The phone is lost."
        ),
        "arbiter.replaced": Succession(
            name="Yara", key=SPARE_KEYS[9].public.line, reason="Zoë has to leave."
        ),
        "adjourned": Adjournment(until="tomorrow") if arbiter else Adjournment(sealed=OTHER),
        "resumed": Resumption(opened=None if arbiter else Unsealed(move="pass", nonce=OTHER)),
        "match.closed": Closing(
            result=state.result or Result(kind="win", how="resigned", winner="black")
        ),
        "countersigned": Countersignature(result_event=sheet),
        "signature.refused": Unwilling(result_event=sheet, seat="white", reason="She left."),
        "note": Remark(text="A die has rolled away."),
    }


TABLES = [row for table in (COMPUTED, OFFICIALS) for row in rows(table, [*MOMENTS], [*EVENT_TYPES])]


@pytest.mark.parametrize(("kind", "moment", "answers"), TABLES)
def test_who_may_do_what_with_computed_dice(
    kind: str, moment: str, answers: Mapping[str, str]
) -> None:
    found = {}
    for role in answers:
        match = with_computed_dice(moment, role == "scribe")
        assert match.state.phase is MOMENTS[moment]
        by, for_ = BLACK if role == "scribe" else (role, None)
        found[role] = said(match, kind, what_is_said(match, by, for_)[kind], by, for_)
    assert found == answers


def test_the_tables_of_computed_dice_are_whole() -> None:
    roles = {"arbiter", "white", "black", "scribe", "witness1", "appeal"}
    found = [(kind, moment, role) for kind, moment, answers in TABLES for role in answers]
    assert {*MOMENTS.values()} == {*Phase}
    assert {*found} == {(k, m, role) for k in EVENT_TYPES for m in MOMENTS for role in roles}
    assert len(found) == len(EVENT_TYPES) * len(MOMENTS) * len(roles)


@pytest.mark.parametrize(("effect", "moment", "answers"), [*rows(EFFECTS, [*MOMENTS])])
def test_what_a_ruling_may_do_when(effect: str, moment: str, answers: Mapping[str, str]) -> None:
    match = with_computed_dice(moment, scribe=False)
    roll = match.state.rolling.number
    given = {
        "dismiss": Dismissed(),
        "rewind": Rewind(to=0, dice="rethrow"),
        "position": SetPosition(position=FAR),
        "penalty": Penalty(seat="black", penalty="fine"),
        "withdraw": Withdrawn(ruling=next((e.seq for e in match.state.penalties), 0)),
        "result": GivenResult(kind="annulled"),
        "award": Award(roll=roll, dice=(6, 5, 4)),
        "contributors": NewContributors(roll=roll, contributors=("white", "arbiter")),
    }
    assert said(match, "ruling", verdict(given[effect]), "arbiter") == answers["arbiter"]


# -- dice on the table ---------------------------------------------------------------------

ON_THE_TABLE = """
event          moment     arbiter           white              black              scribe

dice.committed else       not-contributor   not-contributor    not-contributor    wrong-role

roll           accepting  wrong-role        not-accepted       not-accepted       not-accepted
roll           ended      wrong-role        game-over          game-over          game-over
roll           closed     wrong-role        match-closed       match-closed       match-closed
roll           else       wrong-role        dice-on-table      dice-on-table      dice-on-table

roll.opened    else       no-flight         no-flight          no-flight          wrong-role

roll.recorded  accepting  not-accepted      not-accepted       not-accepted       not-accepted
roll.recorded  throwing   yes               yes                yes                yes
roll.recorded  confirming unconfirmed       unconfirmed        unconfirmed        unconfirmed
roll.recorded  ended      game-over         game-over          game-over          game-over
roll.recorded  closed     match-closed      match-closed       match-closed       match-closed
roll.recorded  else       no-throw          no-throw           no-throw           no-throw

roll.confirmed accepting  wrong-role        not-accepted       not-accepted       not-accepted
roll.confirmed confirming wrong-role        wrong-turn         yes                yes
roll.confirmed voiding    wrong-role        wrong-turn         yes                yes
roll.confirmed ended      wrong-role        game-over          game-over          game-over
roll.confirmed closed     wrong-role        match-closed       match-closed       match-closed
roll.confirmed else       wrong-role        nothing-to-confirm nothing-to-confirm nothing-to-confirm

roll.voided    accepting  not-accepted      not-accepted       not-accepted       wrong-role
roll.voided    voiding    yes               voided-already     yes                wrong-role
roll.voided    ended      game-over         game-over          game-over          wrong-role
roll.voided    closed     match-closed      match-closed       match-closed       wrong-role
roll.voided    else       yes               yes                yes                wrong-role

move           accepting  wrong-role        not-accepted       not-accepted       not-accepted
move           throwing   wrong-role        throw-first        wrong-turn         throw-first
move           confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
move           passing    wrong-role        wrong-turn         r-open             r-open
move           ended      wrong-role        game-over          game-over          game-over
move           closed     wrong-role        match-closed       match-closed       match-closed
move           else       wrong-role        yes                wrong-turn         yes

pass           accepting  wrong-role        not-accepted       not-accepted       not-accepted
pass           throwing   wrong-role        throw-first        wrong-turn         throw-first
pass           confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
pass           passing    wrong-role        wrong-turn         yes                yes
pass           ended      wrong-role        game-over          game-over          game-over
pass           closed     wrong-role        match-closed       match-closed       match-closed
pass           else       wrong-role        r-all              wrong-turn         r-all

offer.made     accepting  wrong-role        not-accepted       not-accepted       not-accepted
offer.made     confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
offer.made     ended      wrong-role        game-over          game-over          game-over
offer.made     closed     wrong-role        match-closed       match-closed       match-closed
offer.made     else       wrong-role        yes                yes                yes

resigned       accepting  wrong-role        not-accepted       not-accepted       not-accepted
resigned       ended      wrong-role        game-over          game-over          game-over
resigned       closed     wrong-role        match-closed       match-closed       match-closed
resigned       else       wrong-role        yes                yes                yes

ruling         accepting  nothing-to-rewind wrong-role         wrong-role         wrong-role
ruling         closed     match-closed      wrong-role         wrong-role         wrong-role
ruling         else       yes               wrong-role         wrong-role         wrong-role

note           else       yes               yes                yes                wrong-role
"""
"""Tabula with dice on the table. White writes down what lies there (``confirming`` waits for
Black's word) and asks to void it (``voiding``). Where one must pass, that is Black."""

AT_THE_TABLE = (
    *("accepting", "throwing", "confirming", "moving", "voiding", "passing", "ended", "closed"),
)


@cache
def with_dice_on_the_table(moment: str, scribe: bool) -> Match:
    match = before_play(scribe, Physical(confirm=True), 0)
    if moment == "accepting":
        return match
    for seat in match.state.unaccepted:
        match.accept(seat)
    begins = (2, 4) if scribe and moment != "passing" else (4, 2)
    black = BLACK if scribe else ("black",)
    match.record(*begins, by="white")
    match.confirm(*black)
    if moment in ("confirming", "moving", "voiding", "passing"):
        match.record(6, 6, 6, by="white")
    if moment in ("moving", "voiding", "passing"):
        match.confirm(*black)
    if moment == "voiding":
        match.void("white")
    if moment == "passing":
        match.write("move", Play(move="hand/6 hand/6 hand/6", dice=(6, 6, 6)), "white")
        match.record(6, 6, 6, by="white")
        match.confirm(*black)
    finish(match, moment)
    return match


@pytest.mark.parametrize(("kind", "moment", "answers"), [*rows(ON_THE_TABLE, AT_THE_TABLE)])
def test_who_may_do_what_with_dice_on_the_table(
    kind: str, moment: str, answers: Mapping[str, str]
) -> None:
    found = {}
    for role in answers:
        match = with_dice_on_the_table(moment, role == "scribe")
        by, for_ = BLACK if role == "scribe" else (role, None)
        found[role] = said(match, kind, what_is_said(match, by, for_)[kind], by, for_)
    assert found == answers


def test_the_table_of_dice_on_the_table_is_whole() -> None:
    found = [(kind, moment) for kind, moment, _ in rows(ON_THE_TABLE, AT_THE_TABLE)]
    kinds = {kind for kind, _ in found}
    assert kinds >= {*filter(re.compile("dice|roll|pass|move").match, EVENT_TYPES)}
    assert sorted(found) == sorted((kind, moment) for kind in kinds for moment in AT_THE_TABLE)

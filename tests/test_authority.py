"""Who may sign what, and when: tables by hand, for a game without dice and for one with dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from match import SWEDES_WIN, Match, refused, verdict
from table import STRANGER, opening

from ledger.events import (
    EVENT_TYPES,
    Answer,
    Call,
    Closing,
    Commitment,
    CommitReveal,
    Confirmation,
    Countersignature,
    DrawOffer,
    Lying,
    Nothing,
    Opened,
    Physical,
    Play,
    Remark,
    Rewind,
    SettlementOffer,
    Taking,
    Throw,
    Voiding,
)
from ledger.fold import Phase
from ledger.fold.acts import data_of
from ledger.fold.rolls import contributors
from ledger.games import game

OTHER = "0" * 64
"""A hash or a number that is nobody's."""

# -- without dice --------------------------------------------------------------------------

AUTHORITY = """
event          role        before-acceptance  in-play         ended           closed

match.opened   arbiter     opened-twice       opened-twice    opened-twice    opened-twice
match.opened   swedes      wrong-role         wrong-role      wrong-role      wrong-role
match.opened   scribe      wrong-role         wrong-role      wrong-role      wrong-role
match.opened   muscovites  wrong-role         wrong-role      wrong-role      wrong-role
match.opened   witness1    wrong-role         wrong-role      wrong-role      wrong-role
match.opened   appeal      wrong-role         wrong-role      wrong-role      wrong-role
match.opened   stranger    unknown-role       unknown-role    unknown-role    unknown-role

seat.accepted  arbiter     wrong-role         wrong-role      wrong-role      wrong-role
seat.accepted  swedes      yes                accepted-twice  accepted-twice  accepted-twice
seat.accepted  scribe      wrong-role         wrong-role      wrong-role      wrong-role
seat.accepted  muscovites  yes                accepted-twice  accepted-twice  accepted-twice
seat.accepted  witness1    wrong-role         wrong-role      wrong-role      wrong-role
seat.accepted  appeal      wrong-role         wrong-role      wrong-role      wrong-role
seat.accepted  stranger    unknown-role       unknown-role    unknown-role    unknown-role

dice.committed arbiter     no-dice            no-dice         no-dice         no-dice
dice.committed swedes      no-dice            no-dice         no-dice         no-dice
dice.committed scribe      wrong-role         wrong-role      wrong-role      wrong-role
dice.committed muscovites  no-dice            no-dice         no-dice         no-dice
dice.committed witness1    wrong-role         wrong-role      wrong-role      wrong-role
dice.committed appeal      wrong-role         wrong-role      wrong-role      wrong-role
dice.committed stranger    unknown-role       unknown-role    unknown-role    unknown-role

roll           arbiter     wrong-role         wrong-role      wrong-role      wrong-role
roll           swedes      not-accepted       no-dice         game-over       match-closed
roll           scribe      not-accepted       no-dice         game-over       match-closed
roll           muscovites  not-accepted       no-dice         game-over       match-closed
roll           witness1    wrong-role         wrong-role      wrong-role      wrong-role
roll           appeal      wrong-role         wrong-role      wrong-role      wrong-role
roll           stranger    unknown-role       unknown-role    unknown-role    unknown-role

roll.opened    arbiter     no-dice            no-dice         no-dice         no-dice
roll.opened    swedes      no-dice            no-dice         no-dice         no-dice
roll.opened    scribe      wrong-role         wrong-role      wrong-role      wrong-role
roll.opened    muscovites  no-dice            no-dice         no-dice         no-dice
roll.opened    witness1    wrong-role         wrong-role      wrong-role      wrong-role
roll.opened    appeal      wrong-role         wrong-role      wrong-role      wrong-role
roll.opened    stranger    unknown-role       unknown-role    unknown-role    unknown-role

roll.recorded  arbiter     no-dice            no-dice         no-dice         no-dice
roll.recorded  swedes      no-dice            no-dice         no-dice         no-dice
roll.recorded  scribe      no-dice            no-dice         no-dice         no-dice
roll.recorded  muscovites  no-dice            no-dice         no-dice         no-dice
roll.recorded  witness1    wrong-role         wrong-role      wrong-role      wrong-role
roll.recorded  appeal      wrong-role         wrong-role      wrong-role      wrong-role
roll.recorded  stranger    unknown-role       unknown-role    unknown-role    unknown-role

roll.confirmed arbiter     wrong-role         wrong-role      wrong-role      wrong-role
roll.confirmed swedes      no-dice            no-dice         no-dice         no-dice
roll.confirmed scribe      no-dice            no-dice         no-dice         no-dice
roll.confirmed muscovites  no-dice            no-dice         no-dice         no-dice
roll.confirmed witness1    wrong-role         wrong-role      wrong-role      wrong-role
roll.confirmed appeal      wrong-role         wrong-role      wrong-role      wrong-role
roll.confirmed stranger    unknown-role       unknown-role    unknown-role    unknown-role

roll.voided    arbiter     no-dice            no-dice         no-dice         no-dice
roll.voided    swedes      no-dice            no-dice         no-dice         no-dice
roll.voided    scribe      wrong-role         wrong-role      wrong-role      wrong-role
roll.voided    muscovites  no-dice            no-dice         no-dice         no-dice
roll.voided    witness1    wrong-role         wrong-role      wrong-role      wrong-role
roll.voided    appeal      wrong-role         wrong-role      wrong-role      wrong-role
roll.voided    stranger    unknown-role       unknown-role    unknown-role    unknown-role

move           arbiter     wrong-role         wrong-role      wrong-role      wrong-role
move           swedes      not-accepted       yes             game-over       match-closed
move           scribe      not-accepted       yes             game-over       match-closed
move           muscovites  not-accepted       wrong-turn      game-over       match-closed
move           witness1    wrong-role         wrong-role      wrong-role      wrong-role
move           appeal      wrong-role         wrong-role      wrong-role      wrong-role
move           stranger    unknown-role       unknown-role    unknown-role    unknown-role

pass           arbiter     wrong-role         wrong-role      wrong-role      wrong-role
pass           swedes      not-accepted       unknown-action  game-over       match-closed
pass           scribe      not-accepted       unknown-action  game-over       match-closed
pass           muscovites  not-accepted       wrong-turn      game-over       match-closed
pass           witness1    wrong-role         wrong-role      wrong-role      wrong-role
pass           appeal      wrong-role         wrong-role      wrong-role      wrong-role
pass           stranger    unknown-role       unknown-role    unknown-role    unknown-role

pull           arbiter     wrong-role         wrong-role      wrong-role      wrong-role
pull           swedes      not-accepted       unknown-action  game-over       match-closed
pull           scribe      not-accepted       unknown-action  game-over       match-closed
pull           muscovites  not-accepted       wrong-turn      game-over       match-closed
pull           witness1    wrong-role         wrong-role      wrong-role      wrong-role
pull           appeal      wrong-role         wrong-role      wrong-role      wrong-role
pull           stranger    unknown-role       unknown-role    unknown-role    unknown-role

wager          arbiter     wrong-role         wrong-role      wrong-role      wrong-role
wager          swedes      not-accepted       unknown-action  game-over       match-closed
wager          scribe      not-accepted       unknown-action  game-over       match-closed
wager          muscovites  not-accepted       wrong-turn      game-over       match-closed
wager          witness1    wrong-role         wrong-role      wrong-role      wrong-role
wager          appeal      wrong-role         wrong-role      wrong-role      wrong-role
wager          stranger    unknown-role       unknown-role    unknown-role    unknown-role

run            arbiter     wrong-role         wrong-role      wrong-role      wrong-role
run            swedes      not-accepted       unknown-action  game-over       match-closed
run            scribe      not-accepted       unknown-action  game-over       match-closed
run            muscovites  not-accepted       wrong-turn      game-over       match-closed
run            witness1    wrong-role         wrong-role      wrong-role      wrong-role
run            appeal      wrong-role         wrong-role      wrong-role      wrong-role
run            stranger    unknown-role       unknown-role    unknown-role    unknown-role

stop           arbiter     wrong-role         wrong-role      wrong-role      wrong-role
stop           swedes      not-accepted       unknown-action  game-over       match-closed
stop           scribe      not-accepted       unknown-action  game-over       match-closed
stop           muscovites  not-accepted       wrong-turn      game-over       match-closed
stop           witness1    wrong-role         wrong-role      wrong-role      wrong-role
stop           appeal      wrong-role         wrong-role      wrong-role      wrong-role
stop           stranger    unknown-role       unknown-role    unknown-role    unknown-role

diablo         arbiter     wrong-role         wrong-role      wrong-role      wrong-role
diablo         swedes      not-accepted       unknown-action  game-over       match-closed
diablo         scribe      not-accepted       unknown-action  game-over       match-closed
diablo         muscovites  not-accepted       wrong-turn      game-over       match-closed
diablo         witness1    wrong-role         wrong-role      wrong-role      wrong-role
diablo         appeal      wrong-role         wrong-role      wrong-role      wrong-role
diablo         stranger    unknown-role       unknown-role    unknown-role    unknown-role

done           arbiter     wrong-role         wrong-role      wrong-role      wrong-role
done           swedes      not-accepted       unknown-action  game-over       match-closed
done           scribe      not-accepted       unknown-action  game-over       match-closed
done           muscovites  not-accepted       wrong-turn      game-over       match-closed
done           witness1    wrong-role         wrong-role      wrong-role      wrong-role
done           appeal      wrong-role         wrong-role      wrong-role      wrong-role
done           stranger    unknown-role       unknown-role    unknown-role    unknown-role

call           arbiter     wrong-role         wrong-role      wrong-role      wrong-role
call           swedes      not-accepted       calls           game-over       match-closed
call           scribe      not-accepted       wrong-turn      game-over       match-closed
call           muscovites  not-accepted       wrong-turn      game-over       match-closed
call           witness1    wrong-role         wrong-role      wrong-role      wrong-role
call           appeal      wrong-role         wrong-role      wrong-role      wrong-role
call           stranger    unknown-role       unknown-role    unknown-role    unknown-role

offer.made     arbiter     wrong-role         wrong-role      wrong-role      wrong-role
offer.made     swedes      not-accepted       yes             game-over       match-closed
offer.made     scribe      not-accepted       yes             game-over       match-closed
offer.made     muscovites  not-accepted       yes             game-over       match-closed
offer.made     witness1    wrong-role         wrong-role      wrong-role      wrong-role
offer.made     appeal      wrong-role         wrong-role      wrong-role      wrong-role
offer.made     stranger    unknown-role       unknown-role    unknown-role    unknown-role

offer.accepted arbiter     wrong-role         wrong-role      wrong-role      wrong-role
offer.accepted swedes      not-accepted       no-such-offer   game-over       match-closed
offer.accepted scribe      not-accepted       no-such-offer   game-over       match-closed
offer.accepted muscovites  not-accepted       no-such-offer   game-over       match-closed
offer.accepted witness1    wrong-role         wrong-role      wrong-role      wrong-role
offer.accepted appeal      wrong-role         wrong-role      wrong-role      wrong-role
offer.accepted stranger    unknown-role       unknown-role    unknown-role    unknown-role

offer.declined arbiter     wrong-role         wrong-role      wrong-role      wrong-role
offer.declined swedes      not-accepted       no-such-offer   game-over       match-closed
offer.declined scribe      not-accepted       no-such-offer   game-over       match-closed
offer.declined muscovites  not-accepted       no-such-offer   game-over       match-closed
offer.declined witness1    wrong-role         wrong-role      wrong-role      wrong-role
offer.declined appeal      wrong-role         wrong-role      wrong-role      wrong-role
offer.declined stranger    unknown-role       unknown-role    unknown-role    unknown-role

draw.claimed   arbiter     wrong-role         wrong-role      wrong-role      wrong-role
draw.claimed   swedes      not-accepted       repetition      game-over       match-closed
draw.claimed   scribe      not-accepted       repetition      game-over       match-closed
draw.claimed   muscovites  not-accepted       repetition      game-over       match-closed
draw.claimed   witness1    wrong-role         wrong-role      wrong-role      wrong-role
draw.claimed   appeal      wrong-role         wrong-role      wrong-role      wrong-role
draw.claimed   stranger    unknown-role       unknown-role    unknown-role    unknown-role

resigned       arbiter     wrong-role         wrong-role      wrong-role      wrong-role
resigned       swedes      not-accepted       yes             game-over       match-closed
resigned       scribe      not-accepted       yes             game-over       match-closed
resigned       muscovites  not-accepted       yes             game-over       match-closed
resigned       witness1    wrong-role         wrong-role      wrong-role      wrong-role
resigned       appeal      wrong-role         wrong-role      wrong-role      wrong-role
resigned       stranger    unknown-role       unknown-role    unknown-role    unknown-role

ruling         arbiter     nothing-to-rewind  yes             yes             match-closed
ruling         swedes      wrong-role         wrong-role      wrong-role      wrong-role
ruling         scribe      wrong-role         wrong-role      wrong-role      wrong-role
ruling         muscovites  wrong-role         wrong-role      wrong-role      wrong-role
ruling         witness1    wrong-role         wrong-role      wrong-role      wrong-role
ruling         appeal      wrong-role         wrong-role      wrong-role      wrong-role
ruling         stranger    unknown-role       unknown-role    unknown-role    unknown-role

match.closed   arbiter     not-over           not-over        yes             match-closed
match.closed   swedes      wrong-role         wrong-role      wrong-role      wrong-role
match.closed   scribe      wrong-role         wrong-role      wrong-role      wrong-role
match.closed   muscovites  wrong-role         wrong-role      wrong-role      wrong-role
match.closed   witness1    wrong-role         wrong-role      wrong-role      wrong-role
match.closed   appeal      wrong-role         wrong-role      wrong-role      wrong-role
match.closed   stranger    unknown-role       unknown-role    unknown-role    unknown-role

countersigned  arbiter     wrong-role         wrong-role      wrong-role      wrong-role
countersigned  swedes      not-closed         not-closed      not-closed      yes
countersigned  scribe      wrong-role         wrong-role      wrong-role      wrong-role
countersigned  muscovites  not-closed         not-closed      not-closed      yes
countersigned  witness1    not-closed         not-closed      not-closed      yes
countersigned  appeal      wrong-role         wrong-role      wrong-role      wrong-role
countersigned  stranger    unknown-role       unknown-role    unknown-role    unknown-role

note           arbiter     yes                yes             yes             yes
note           swedes      yes                yes             yes             yes
note           scribe      wrong-role         wrong-role      wrong-role      wrong-role
note           muscovites  yes                yes             yes             yes
note           witness1    yes                yes             yes             yes
note           appeal      yes                yes             yes             yes
note           stranger    unknown-role       unknown-role    unknown-role    unknown-role
"""
"""The Swedes are on turn and have a key, as the Muscovites have. ``scribe``: at another table the
Muscovites are on turn and have none, and the arbiter writes for them."""

ROWS = [line.split() for line in AUTHORITY.splitlines() if line]
PHASES = ROWS[0][2:]
CELLS = [
    (kind, role, phase, said)
    for kind, role, *answers in ROWS[1:]
    for phase, said in zip(PHASES, answers, strict=True)
]
SCRIBE = ("arbiter", "muscovites")


def judge(match: Match, said: str, kind: str, data: Any, by: str, for_: str | None) -> None:
    """The act is taken, or refused with the code that the table says."""
    before = match.state
    if said == "yes":
        assert match.write(kind, data, by, for_) == before.seq + 1
    else:
        with refused(said):
            match.write(kind, data, by, for_)
        assert match.state is before


def table_in(phase: str, scribe: bool) -> Match:
    first = "muscovites" if scribe else "swedes"
    match = Match(["swedes"] if scribe else ["swedes", "muscovites"], play=False, first=first)
    if phase == "before-acceptance":
        return match
    for seat in match.state.unaccepted:
        match.accept(seat)
    for text in ("d1-c1", "e3-f3") if scribe else ("e3-f3", "d1-c1"):
        turn = match.state.turn
        assert turn
        match.move(text, *(SCRIBE if match.state.roster[turn].key is None else (turn,)))
    if phase in ("ended", "closed"):
        match.resign("swedes")
    if phase == "closed":
        match.close()
    return match


@pytest.mark.parametrize(("kind", "role", "phase", "said"), CELLS)
def test_who_may_do_what_when(kind: str, role: str, phase: str, said: str) -> None:
    match = table_in(phase, role == "scribe")
    assert match.state.phase.value == phase
    data: dict[str, Any] = {
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
        "ruling": verdict(Rewind(to=0)),
        "match.closed": Closing(result=match.state.result or SWEDES_WIN),
        "countersigned": Countersignature(result_event=match.state.result_event or OTHER),
        "note": Remark(text="The clock has stopped."),
    }
    judge(match, said, kind, data[kind], *(SCRIBE if role == "scribe" else (role, None)))


def test_the_table_of_authority_is_whole() -> None:
    roles = {"arbiter", "swedes", "scribe", "muscovites", "witness1", "appeal", "stranger"}
    assert [phase.value for phase in Phase] == PHASES
    assert {(kind, role) for kind, role, *_ in CELLS} == {
        (kind, role) for kind in EVENT_TYPES for role in roles
    }
    assert len(CELLS) == len(EVENT_TYPES) * len(roles) * len(Phase)


@pytest.mark.parametrize("role", ["arbiter", "swedes", "muscovites", "witness1", "appeal"])
@pytest.mark.parametrize("phase", PHASES)
def test_a_stranger_signs_for_nobody(role: str, phase: str) -> None:
    match = table_in(phase, scribe=False)
    with refused("wrong-signer"):
        match.write("note", Remark(text="I was here."), role, key=STRANGER)


# -- with dice -----------------------------------------------------------------------------

COMPUTED = """
event          moment     arbiter           white              black              scribe

dice.committed accepting  yes               not-accepted       not-accepted       wrong-role
dice.committed committing yes               yes                yes                wrong-role
dice.committed opening    roll-in-flight    roll-in-flight     roll-in-flight     wrong-role
dice.committed last       roll-in-flight    roll-in-flight     roll-in-flight     wrong-role
dice.committed ended      game-over         game-over          game-over          wrong-role
dice.committed closed     match-closed      match-closed       match-closed       wrong-role
dice.committed else       committed-already committed-already  committed-already  wrong-role

roll           accepting  wrong-role        not-accepted       not-accepted       not-accepted
roll           committing wrong-role        not-committed      wrong-turn         wrong-turn
roll           throwing   wrong-role        yes                wrong-turn         yes
roll           opening    wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
roll           last       wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
roll           moving     wrong-role        no-throw           no-throw           no-throw
roll           ended      wrong-role        game-over          game-over          game-over
roll           closed     wrong-role        match-closed       match-closed       match-closed

roll.opened    opening    out-of-order      opened-twice       yes                wrong-role
roll.opened    last       yes               opened-twice       opened-twice       wrong-role
roll.opened    else       no-flight         no-flight          no-flight          wrong-role

roll.recorded  opening    computed-dice     roll-in-flight     roll-in-flight     roll-in-flight
roll.recorded  last       computed-dice     roll-in-flight     roll-in-flight     roll-in-flight
roll.recorded  else       computed-dice     computed-dice      computed-dice      computed-dice

roll.confirmed accepting  wrong-role        not-accepted       not-accepted       not-accepted
roll.confirmed opening    wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
roll.confirmed last       wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
roll.confirmed ended      wrong-role        game-over          game-over          game-over
roll.confirmed closed     wrong-role        match-closed       match-closed       match-closed
roll.confirmed else       wrong-role        nothing-to-confirm nothing-to-confirm nothing-to-confirm

roll.voided    opening    computed-dice     roll-in-flight     roll-in-flight     wrong-role
roll.voided    last       computed-dice     roll-in-flight     roll-in-flight     wrong-role
roll.voided    else       computed-dice     computed-dice      computed-dice      wrong-role

move           accepting  wrong-role        not-accepted       not-accepted       not-accepted
move           committing wrong-role        throw-first        wrong-turn         wrong-turn
move           throwing   wrong-role        throw-first        wrong-turn         throw-first
move           opening    wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
move           last       wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
move           moving     wrong-role        yes                wrong-turn         yes
move           ended      wrong-role        game-over          game-over          game-over
move           closed     wrong-role        match-closed       match-closed       match-closed

pass           accepting  wrong-role        not-accepted       not-accepted       not-accepted
pass           committing wrong-role        throw-first        wrong-turn         wrong-turn
pass           throwing   wrong-role        throw-first        wrong-turn         throw-first
pass           opening    wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
pass           last       wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
pass           moving     wrong-role        r-all              wrong-turn         r-all
pass           ended      wrong-role        game-over          game-over          game-over
pass           closed     wrong-role        match-closed       match-closed       match-closed

offer.made     accepting  wrong-role        not-accepted       not-accepted       not-accepted
offer.made     opening    wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
offer.made     last       wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
offer.made     ended      wrong-role        game-over          game-over          game-over
offer.made     closed     wrong-role        match-closed       match-closed       match-closed
offer.made     else       wrong-role        yes                yes                yes

resigned       accepting  wrong-role        not-accepted       not-accepted       not-accepted
resigned       ended      wrong-role        game-over          game-over          game-over
resigned       closed     wrong-role        match-closed       match-closed       match-closed
resigned       else       wrong-role        yes                yes                yes

ruling         accepting  nothing-to-rewind wrong-role         wrong-role         wrong-role
ruling         committing nothing-to-rewind wrong-role         wrong-role         wrong-role
ruling         closed     match-closed      wrong-role         wrong-role         wrong-role
ruling         else       yes               wrong-role         wrong-role         wrong-role

note           opening    yes               roll-in-flight     roll-in-flight     wrong-role
note           last       yes               roll-in-flight     roll-in-flight     wrong-role
note           else       yes               yes                yes                wrong-role
"""
"""Tabula, with dice made by both players and the arbiter, or at the scribe's table by White and the
arbiter. White is on turn, at the scribe's table Black, who has no key there: ``throwing`` is their
throw, ``opening`` waits for a player's number, ``last`` for the arbiter's."""

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
"""The same with dice on the table. White writes down what lies there (``confirming`` waits for
Black's word) and asks to void it (``voiding``). Where one must pass, that is Black."""

MOMENTS = {
    COMPUTED: (
        *("accepting", "committing", "throwing", "opening", "last", "moving", "ended", "closed"),
    ),
    ON_THE_TABLE: (
        *("accepting", "throwing", "confirming", "moving", "voiding", "passing", "ended", "closed"),
    ),
}
PLAYERS = ("arbiter", "white", "black", "scribe")
BLACK = ("arbiter", "black")
"""Who signs for whom, when the scribe writes."""


def cells(table: str) -> Iterator[tuple[str, str, str, str]]:
    """Event, moment, role and what is said to it; ``else`` is every moment not listed before."""
    head, *rows = [line.split() for line in table.splitlines() if line]
    listed = {(kind, moment) for kind, moment, *_ in rows}
    for kind, moment, *answers in rows:
        rest = [each for each in MOMENTS[table] if (kind, each) not in listed]
        for each in rest if moment == "else" else [moment]:
            for role, said in zip(head[2:], answers, strict=True):
                yield kind, each, role, said


def before_play(scribe: bool, dice: CommitReveal | Physical, number: int) -> Match:
    keyed = ["white"] if scribe else ["white", "black"]
    return Match(keyed, ruleset="tabula", dice=dice, nonce=f"{number:032x}", play=False)


def finish(match: Match, moment: str, seat: str = "white") -> None:
    if moment in ("ended", "closed"):
        match.resign(seat)
    if moment == "closed":
        match.close()


def with_computed_dice(moment: str, scribe: bool) -> Match:
    who = ("white", "arbiter") if scribe else ("white", "black", "arbiter")
    turn = "black" if scribe else "white"
    for number in count():  # until the dice let the right one begin
        match = before_play(scribe, CommitReveal(contributors=who), number)
        if moment == "accepting":
            return match
        for seat in match.state.unaccepted:
            match.accept(seat)
        if moment == "committing":
            return match
        match.roll()
        wanted = match.state.game.wanted(match.state.position)
        if wanted and wanted.owners == (turn, turn, turn):
            break
    if moment in ("opening", "last", "moving"):
        match.throw(*(BLACK if scribe else ("white",)))
    if moment in ("last", "moving"):
        match.open("white" if scribe else "black")
    if moment == "moving":
        match.open("arbiter")
    finish(match, moment)
    return match


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


def what_is_done(match: Match, kind: str, by: str, for_: str | None) -> Any:
    """Data for an event that is good in itself, whoever may sign it."""
    state = match.state
    roll, waiting = state.rolling.number, state.rolling.voiding or state.rolling.recorded
    opens = for_ is None and by in contributors(state)
    number, following = match.nonce(by), match.commitment(by, roll + 1)
    plays = [each for each in state.game.legal(state.position) if each.kind == "move"]
    match kind:
        case "dice.committed":
            return Commitment(roll=roll, commitment=OTHER)
        case "roll":
            return Throw(roll=roll, nonce=number, next=following) if opens else Throw(roll=roll)
        case "roll.opened":
            return Opened(roll=roll, nonce=number, next=following)
        case "roll.recorded":
            return Lying(roll=roll, dice=(6, 5, 6))
        case "roll.confirmed":
            return Confirmation(confirms=waiting.hash if waiting else OTHER)
        case "roll.voided":
            return Voiding(roll=max(roll - 1, 1), reason="one die was cocked")
        case "move":
            return data_of(plays[0]) if plays else Play(move="hand/6", dice=(6,))
        case "offer.made":
            return DrawOffer()
        case "ruling":
            return verdict(Rewind(to=0, dice="rethrow"))
        case "note":
            return Remark(text="A die has rolled away.")
    return Nothing()


def judge_at(match: Match, kind: str, role: str, said: str) -> None:
    by, for_ = BLACK if role == "scribe" else (role, None)
    judge(match, said, kind, what_is_done(match, kind, by, for_), by, for_)


@pytest.mark.parametrize(("kind", "moment", "role", "said"), [*cells(COMPUTED)])
def test_who_may_do_what_with_computed_dice(kind: str, moment: str, role: str, said: str) -> None:
    judge_at(with_computed_dice(moment, role == "scribe"), kind, role, said)


@pytest.mark.parametrize(("kind", "moment", "role", "said"), [*cells(ON_THE_TABLE)])
def test_who_may_do_what_with_dice_on_the_table(
    kind: str, moment: str, role: str, said: str
) -> None:
    judge_at(with_dice_on_the_table(moment, role == "scribe"), kind, role, said)


@pytest.mark.parametrize("table", [COMPUTED, ON_THE_TABLE], ids=["computed", "on-the-table"])
def test_the_tables_of_dice_are_whole(table: str) -> None:
    found = [(kind, moment, role) for kind, moment, role, _ in cells(table)]
    kinds = {kind for kind, *_ in found}
    assert kinds >= {*filter(re.compile("dice|roll|pass|move").match, EVENT_TYPES)}
    assert {role for *_, role in found} == {*PLAYERS}
    assert len(found) == len(set(found)) == len(kinds) * len(MOMENTS[table]) * len(PLAYERS)


@pytest.mark.parametrize("role", ["white", "black", "witness1", "appeal"])
def test_while_a_roll_is_in_flight_everybody_but_the_arbiter_waits(role: str) -> None:
    match = with_computed_dice("opening", scribe=False)
    judge(match, "roll-in-flight", "note", Remark(text="I was here."), role, None)
    if role in ("white", "black"):
        for kind, data in (
            ("offer.accepted", Answer(offer=OTHER)),
            ("offer.declined", Answer(offer=OTHER)),
            ("draw.claimed", Nothing()),
            ("seat.accepted", Nothing()),
            ("countersigned", Countersignature(result_event=OTHER)),
        ):
            judge(match, "roll-in-flight", kind, data, role, None)


# -- acts that other games have ------------------------------------------------------------

TABLERO = """
event          moment     arbiter           south              north              scribe

move           accepting  wrong-role        not-accepted       not-accepted       not-accepted
move           beginning  wrong-role        throw-first        wrong-turn         wrong-turn
move           flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
move           confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
move           throwing   wrong-role        throw-first        wrong-turn         throw-first
move           moving     wrong-role        yes                wrong-turn         yes
move           called     wrong-role        yes                wrong-turn         yes
move           halfway    wrong-role        yes                wrong-turn         yes
move           deciding   wrong-role        moved              wrong-turn         moved
move           seven      wrong-role        moved              wrong-turn         moved
move           answering  wrong-role        answer-first       wrong-turn         answer-first
move           wagered    wrong-role        wager-stands       wrong-turn         wager-stands
move           running    wrong-role        running            wrong-turn         running
move           stopping   wrong-role        running            wrong-turn         running
move           ended      wrong-role        game-over          game-over          game-over
move           closed     wrong-role        match-closed       match-closed       match-closed

pull           accepting  wrong-role        not-accepted       not-accepted       not-accepted
pull           beginning  wrong-role        throw-first        wrong-turn         wrong-turn
pull           flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
pull           confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
pull           throwing   wrong-role        throw-first        wrong-turn         throw-first
pull           moving     wrong-role        move-first         wrong-turn         move-first
pull           called     wrong-role        move-first         wrong-turn         move-first
pull           halfway    wrong-role        move-first         wrong-turn         move-first
pull           deciding   wrong-role        yes                wrong-turn         yes
pull           seven      wrong-role        yes                wrong-turn         yes
pull           answering  wrong-role        answer-first       wrong-turn         answer-first
pull           wagered    wrong-role        wager-stands       wrong-turn         wager-stands
pull           running    wrong-role        running            wrong-turn         running
pull           stopping   wrong-role        running            wrong-turn         running
pull           ended      wrong-role        game-over          game-over          game-over
pull           closed     wrong-role        match-closed       match-closed       match-closed

wager          accepting  wrong-role        not-accepted       not-accepted       not-accepted
wager          beginning  wrong-role        throw-first        wrong-turn         wrong-turn
wager          flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
wager          confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
wager          throwing   wrong-role        throw-first        wrong-turn         throw-first
wager          moving     wrong-role        move-first         wrong-turn         move-first
wager          called     wrong-role        move-first         wrong-turn         move-first
wager          halfway    wrong-role        move-first         wrong-turn         move-first
wager          deciding   wrong-role        moved              wrong-turn         moved
wager          seven      wrong-role        moved              wrong-turn         moved
wager          answering  wrong-role        yes                wrong-turn         yes
wager          wagered    wrong-role        wager-stands       wrong-turn         wager-stands
wager          running    wrong-role        running            wrong-turn         running
wager          stopping   wrong-role        running            wrong-turn         running
wager          ended      wrong-role        game-over          game-over          game-over
wager          closed     wrong-role        match-closed       match-closed       match-closed

pass           accepting  wrong-role        not-accepted       not-accepted       not-accepted
pass           beginning  wrong-role        throw-first        wrong-turn         wrong-turn
pass           flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
pass           confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
pass           throwing   wrong-role        throw-first        wrong-turn         throw-first
pass           moving     wrong-role        move-first         wrong-turn         move-first
pass           called     wrong-role        move-first         wrong-turn         move-first
pass           halfway    wrong-role        move-first         wrong-turn         move-first
pass           deciding   wrong-role        moved              wrong-turn         moved
pass           seven      wrong-role        moved              wrong-turn         moved
pass           answering  wrong-role        yes                wrong-turn         yes
pass           wagered    wrong-role        wager-stands       wrong-turn         wager-stands
pass           running    wrong-role        running            wrong-turn         running
pass           stopping   wrong-role        running            wrong-turn         running
pass           ended      wrong-role        game-over          game-over          game-over
pass           closed     wrong-role        match-closed       match-closed       match-closed

run            accepting  wrong-role        not-accepted       not-accepted       not-accepted
run            beginning  wrong-role        throw-first        wrong-turn         wrong-turn
run            flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
run            confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
run            throwing   wrong-role        throw-first        wrong-turn         throw-first
run            moving     wrong-role        move-first         wrong-turn         move-first
run            called     wrong-role        move-first         wrong-turn         move-first
run            halfway    wrong-role        move-first         wrong-turn         move-first
run            deciding   wrong-role        no-run             wrong-turn         no-run
run            seven      wrong-role        yes                wrong-turn         yes
run            answering  wrong-role        answer-first       wrong-turn         answer-first
run            wagered    wrong-role        wager-stands       wrong-turn         wager-stands
run            running    wrong-role        running            wrong-turn         running
run            stopping   wrong-role        running            wrong-turn         running
run            ended      wrong-role        game-over          game-over          game-over
run            closed     wrong-role        match-closed       match-closed       match-closed

stop           accepting  wrong-role        not-accepted       not-accepted       not-accepted
stop           beginning  wrong-role        throw-first        wrong-turn         wrong-turn
stop           flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
stop           confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
stop           throwing   wrong-role        throw-first        wrong-turn         throw-first
stop           moving     wrong-role        move-first         wrong-turn         move-first
stop           called     wrong-role        move-first         wrong-turn         move-first
stop           halfway    wrong-role        move-first         wrong-turn         move-first
stop           deciding   wrong-role        moved              wrong-turn         moved
stop           seven      wrong-role        moved              wrong-turn         moved
stop           answering  wrong-role        answer-first       wrong-turn         answer-first
stop           wagered    wrong-role        wager-stands       wrong-turn         wager-stands
stop           running    wrong-role        running            wrong-turn         running
stop           stopping   wrong-role        yes                wrong-turn         yes
stop           ended      wrong-role        game-over          game-over          game-over
stop           closed     wrong-role        match-closed       match-closed       match-closed

diablo         accepting  wrong-role        not-accepted       not-accepted       not-accepted
diablo         flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
diablo         confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
diablo         beginning  wrong-role        wrong-turn         diablo             diablo
diablo         called     wrong-role        wrong-turn         yes                wrong-turn
diablo         halfway    wrong-role        wrong-turn         yes                wrong-turn
diablo         ended      wrong-role        game-over          game-over          game-over
diablo         closed     wrong-role        match-closed       match-closed       match-closed
diablo         else       wrong-role        wrong-turn         diablo             wrong-turn

done           accepting  wrong-role        not-accepted       not-accepted       not-accepted
done           beginning  wrong-role        both-dice          wrong-turn         wrong-turn
done           flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
done           confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
done           halfway    wrong-role        yes                wrong-turn         yes
done           ended      wrong-role        game-over          game-over          game-over
done           closed     wrong-role        match-closed       match-closed       match-closed
done           else       wrong-role        both-dice          wrong-turn         both-dice

offer.made     accepting  wrong-role        not-accepted       not-accepted       not-accepted
offer.made     flying     wrong-role        roll-in-flight     roll-in-flight     roll-in-flight
offer.made     confirming wrong-role        unconfirmed        unconfirmed        unconfirmed
offer.made     ended      wrong-role        game-over          game-over          game-over
offer.made     closed     wrong-role        match-closed       match-closed       match-closed
offer.made     else       wrong-role        yes                yes                yes
"""
"""El Tablero de Jesús; a settlement is offered. South is active, at the scribe's table North, who
has no key there. The opening roll is still to be thrown (``beginning``), waits for a number
(``flying``) or for North's word (``confirming``). ``called``: a Pass Number of which no coin has
moved and Diablo may be called; ``halfway``: one coin has moved and made seven of six."""

MOMENTS[TABLERO] = (
    *("accepting", "beginning", "flying", "confirming", "throwing", "moving", "called", "halfway"),
    *("deciding", "seven", "answering", "wagered", "running", "stopping", "ended", "closed"),
)
NORTH = ("arbiter", "north")


def at_the_tablero(moment: str, scribe: bool) -> Match:
    computed = CommitReveal(contributors=("south", "arbiter" if scribe else "north"))
    match = Match(
        ["south"] if scribe else None,
        ruleset="tablero",
        dice=computed if moment == "flying" else Physical(confirm=moment == "confirming"),
        play=False,
        diablo="called" if moment in ("called", "halfway") else "automatic",
    )
    if moment == "accepting":
        return match
    for seat in match.state.unaccepted:
        match.accept(seat)
    match moment:
        case "beginning":
            return match
        case "flying":
            match.commit("south")
            match.commit(computed.contributors[1])
            match.throw("south")
            return match
        case "confirming":
            match.record(5, 3, by="south")
            return match
    begun(match, moment, scribe)
    finish(match, moment, "south")
    return match


def begun(match: Match, moment: str, scribe: bool) -> None:
    """South's five coins, or North's, become six and seven."""
    sixth, seventh = ("f1-f7", "g1-g7") if scribe else ("b7-b1", "a7-a1")
    match.record(*((3, 5) if scribe else (5, 3)))
    if moment == "throwing":
        return
    match.record(2, 4)
    if moment == "moving":
        return
    match.act("move", sixth)
    if moment in ("called", "halfway"):
        match.record(6, 1)
        if moment == "halfway":
            match.act("move", seventh)
    if moment in ("answering", "wagered"):
        match.record(3, 4)
        if moment == "wagered":
            match.act("wager")
    if moment in ("seven", "running", "stopping"):
        match.record(1, 5)
        match.act("move", seventh)
    if moment in ("running", "stopping"):
        match.act("run")
    if moment == "stopping":
        match.record(2, 1)


def what_is_played(match: Match, kind: str) -> Any:
    """Data that are good in themselves, whoever may sign them."""
    legal = [each for each in match.state.game.legal(match.state.position) if each.kind == kind]
    match kind:
        case "move":
            return data_of(legal[0]) if legal else Play(move="b7-b1")
        case "pull":
            return data_of(legal[0]) if legal else Taking(pull="4a-c")
        case "offer.made":
            return SettlementOffer(split=(20, 16))
    return Nothing()


@pytest.mark.parametrize(("kind", "moment", "role", "said"), [*cells(TABLERO)])
def test_who_may_do_what_at_the_tablero(kind: str, moment: str, role: str, said: str) -> None:
    match = at_the_tablero(moment, role == "scribe")
    by, for_ = NORTH if role == "scribe" else (role, None)
    judge(match, said, kind, what_is_played(match, kind), by, for_)


def test_the_table_of_the_tablero_is_whole() -> None:
    found = [(kind, moment, role) for kind, moment, role, _ in cells(TABLERO)]
    kinds = {kind for kind, *_ in found}
    assert kinds - {"offer.made"} == game("tablero").actions
    assert {role for *_, role in found} == {"arbiter", "south", "north", "scribe"}
    assert len(found) == len(set(found)) == len(kinds) * len(MOMENTS[TABLERO]) * 4


def test_the_arbiter_calls_diablo_for_an_opponent_without_a_key() -> None:
    match = Match(["south"], ruleset="tablero", dice=Physical(confirm=False), diablo="called")
    match.record(5, 3)
    match.record(3, 4)
    judge(match, "wrong-turn", "diablo", Nothing(), "south", None)
    judge(match, "seat-has-key", "diablo", Nothing(), "arbiter", "south")
    judge(match, "wrong-role", "diablo", Nothing(), "arbiter", None)
    judge(match, "yes", "diablo", Nothing(), *NORTH)
    assert match.position == "7711111 13,16 0 0 south answer"

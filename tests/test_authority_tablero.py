"""Who may do what in El Tablero de Jesús, moment by moment: its own acts, by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from authority import again, rows, said
from match import Match

from ledger.events import CommitReveal, Dismissed, Nothing, Physical, Play, SettlementOffer, Taking
from ledger.fold.acts import data_of
from ledger.games import game

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

MOMENTS = (
    *("accepting", "beginning", "flying", "confirming", "throwing", "moving", "called", "halfway"),
    *("deciding", "seven", "answering", "wagered", "running", "stopping", "ended", "closed"),
)
NORTH = ("arbiter", "north")


@cache
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
    if moment in ("ended", "closed"):
        match.resign("south")
    if moment == "closed":
        match.close()
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


@pytest.mark.parametrize(("kind", "moment", "answers"), [*rows(TABLERO, MOMENTS)])
def test_who_may_do_what_at_the_tablero(kind: str, moment: str, answers: Mapping[str, str]) -> None:
    found = {}
    for role in answers:
        match = at_the_tablero(moment, role == "scribe")
        by = NORTH if role == "scribe" else (role,)
        found[role] = said(match, kind, what_is_played(match, kind), *by)
    assert found == answers


def test_the_table_of_the_tablero_is_whole() -> None:
    found = [(kind, moment, {*answers}) for kind, moment, answers in rows(TABLERO, MOMENTS)]
    kinds = {kind for kind, *_ in found}
    assert kinds - {"offer.made"} == game("tablero").actions
    assert all(roles == {"arbiter", "south", "north", "scribe"} for *_, roles in found)
    assert sorted((kind, moment) for kind, moment, _ in found) == sorted(
        (kind, moment) for kind in kinds for moment in MOMENTS
    )


@pytest.mark.parametrize(
    "kind", ["move", "pull", "wager", "pass", "run", "stop", "diablo", "done", "offer.made"]
)
def test_nothing_is_played_at_a_tablero_under_dispute_or_adjourned(kind: str) -> None:
    for scribe, seats in (False, ("south", "north")), (True, NORTH):
        match = again(at_the_tablero("answering", scribe))
        match.dispute(by="south")
        match.rule(Dismissed())
        rested = again(at_the_tablero("throwing", scribe))
        rested.adjourn()
        disputed = again(at_the_tablero("answering", scribe))
        disputed.dispute(by="south")
        for by in [seats] if scribe else [(seat,) for seat in seats]:
            data = what_is_played(match, kind)
            assert said(match, kind, data, *by) not in ("disputed", "adjourned")
            assert said(disputed, kind, data, *by) == "disputed"
            assert said(rested, kind, data, *by) == "adjourned"


def test_the_arbiter_calls_diablo_for_an_opponent_without_a_key() -> None:
    match = Match(["south"], ruleset="tablero", dice=Physical(confirm=False), diablo="called")
    match.record(5, 3)
    match.record(3, 4)
    assert said(match, "diablo", Nothing(), "south") == "wrong-turn"
    assert said(match, "diablo", Nothing(), "arbiter", "south") == "seat-has-key"
    assert said(match, "diablo", Nothing(), "arbiter") == "wrong-role"
    match.write("diablo", Nothing(), *NORTH)
    assert match.position == "7711111 13,16 0 0 south answer"

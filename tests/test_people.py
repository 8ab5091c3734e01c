"""People and keys: a phone that dies, a substitute, another arbiter, and consent that is real."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from authority import OTHER, said
from match import SPARE_KEYS, Match, finished, refused, sealed
from table import ALBA, ARBITER, BOTH, BRUNO, WITNESS

from ledger import consent, views
from ledger import envelope as envelopes
from ledger.events import (
    CommitReveal,
    Dismissed,
    GivenResult,
    NewContributors,
    Nothing,
    Play,
    Remark,
    Replacement,
    Result,
    Succession,
    encode,
)
from ledger.fold import Phase, advance, authenticate, cited
from ledger.fold.due import Step, due
from ledger.fold.rolls import awaited, contributors, uncommitted
from ledger.keys import SigningKey

NEW, NEWER = SPARE_KEYS[0], SPARE_KEYS[1]
ALL_THREE = CommitReveal(contributors=("white", "black", "arbiter"))


def begun() -> Match:
    match = Match()
    match.play("e3-f3", "e2-h2")
    return match


def thrown(dice: CommitReveal = BOTH) -> Match:
    """Tabula: White has thrown three dice, and Black owes a number."""
    for number in count():
        match = Match(ruleset="tabula", dice=dice, nonce=f"{number:032x}")
        match.roll()
        wanted = match.state.game.wanted(match.state.position)
        if wanted and wanted.owners == ("white",) * 3:
            match.throw("white")
            return match
    raise AssertionError


# -- another key -----------------------------------------------------------------------------


def test_a_player_goes_on_with_another_key() -> None:
    match = begun()
    match.replace_key("swedes", NEW)
    assert match.state.phase is Phase.BEFORE_ACCEPTANCE
    assert (due(match.state).step, due(match.state).whose) == (Step.ACCEPT, ("swedes",))
    with refused("not-accepted", "Alba accepts the match with the new key first"):
        match.move("e4-e2", "swedes")
    with refused("not-accepted", "Play goes on when Alba has accepted"):
        match.offer_draw("muscovites")
    match.accept("swedes")
    with refused("accepted-twice"):
        match.accept("swedes")
    match.play("e4-e2")
    (change,) = match.state.changes
    assert (change.before.key, change.after.key) == (ALBA.public, NEW.public)
    assert (change.seq, change.by, change.consent) == (5, "arbiter", False)


def test_who_waits_for_a_new_key_can_resign() -> None:
    match = begun()
    match.replace_key("swedes", NEW)
    with refused("not-accepted"):
        match.resign("swedes")
    match.resign("muscovites")
    assert match.state.result == Result(kind="win", how="resigned", winner="swedes")


def test_the_old_key_is_dead_at_once() -> None:
    match = begun()
    match.replace_key("swedes", NEW)
    for _ in range(2):
        with refused("wrong-signer"):
            match.write("note", Remark(text="I am still here."), "swedes", key=ALBA)
        with refused("wrong-signer"):
            match.write("move", Play(move="e4-e2"), "swedes", key=ALBA)
        if "swedes" in match.state.put_in:
            match.accept("swedes")


def test_a_substitute_takes_the_place_of_a_player() -> None:
    match = begun()
    match.replace_key("muscovites", NEW, name="Boris")
    match.accept("muscovites")
    assert match.state.roster["muscovites"].name == "Boris"
    assert match.state.holder("muscovites", 4).name == "Bruno"
    assert match.state.holder("muscovites", 5).name == "Bruno"
    assert match.state.holder("muscovites", 6).name == "Boris"
    texts = [line.text for line in views.log(match.state).events]
    assert texts[4] == "Bruno moves e2-h2"
    assert texts[6] == "Boris accepts"


def test_a_holder_between_two_changes() -> None:
    match = begun()
    match.replace_key("swedes", NEW, name="Astrid")
    match.accept("swedes")
    match.replace_key("swedes", NEWER, name="Agnes")
    match.accept("swedes")
    assert [match.state.holder("swedes", seq).name for seq in (0, 5, 6, 7, 8)] == [
        *("Alba", "Alba", "Astrid", "Astrid", "Agnes")
    ]
    assert match.state.holder("muscovites", 3).name == "Bruno"


def test_a_key_has_one_role_once() -> None:
    match = begun()
    match.replace_key("swedes", NEW)
    match.accept("swedes")
    for key, whose in (
        (ALBA, "swedes"),
        (NEW, "swedes"),
        (BRUNO, "muscovites"),
        (ARBITER, "arbiter"),
    ):
        with refused("key-twice", f"that of {whose}"):
            match.replace_key("swedes", key)
    with refused("key-twice", "witness1"):
        match.replace_arbiter(WITNESS)
    with refused("key-twice", "swedes"):
        match.replace_arbiter(ALBA)


def test_only_a_seat_goes_on_without_a_key() -> None:
    match = begun()
    for role in ("witness1", "appeal"):
        with refused("key-needed", f"Nobody is {role} without a key"):
            match.replace_key(role, None)
    match.replace_key("swedes", None)
    assert match.state.phase is Phase.IN_PLAY
    with refused("nobody-new"):
        match.replace_key("swedes", None)
    match.replace_key("swedes", None, name="Astrid")
    with refused("no-key"):
        match.move("e4-e2", "swedes")
    match.move("e4-e2", "arbiter", "swedes")
    match.replace_key("swedes", NEW)
    match.accept("swedes")
    with refused("seat-has-key"):
        match.move("e2-f2", "arbiter", "swedes")


def test_a_key_that_never_accepted_is_taken_back() -> None:
    match = begun()
    match.replace_key("swedes", NEW)
    match.replace_key("swedes", None)
    assert (match.state.put_in, match.state.unaccepted) == (frozenset(), ())
    match.move("e4-e2", "arbiter", "swedes")
    with refused("key-twice"):
        match.replace_key("swedes", NEW)


def test_whom_the_arbiter_replaces() -> None:
    match = begun()
    with refused("wrong-role", "replaced with the arbiter"):
        match.replace_key("arbiter", NEW)
    with refused("unknown-role"):
        match.replace_key("witness2", NEW, name="Wim")
    given = Replacement(role="swedes", name="Alba", key=NEW.public.line, reason="Lost.")
    for role in ("swedes", "muscovites", "witness1", "appeal"):
        with refused("wrong-role"):
            match.write("key.replaced", given, role)


@pytest.mark.parametrize("role", ["witness1", "appeal"])
def test_play_does_not_wait_for_a_witness_or_the_appeal_key(role: str) -> None:
    match = begun()
    match.replace_key(role, NEW, name="Wim")
    assert match.state.phase is Phase.IN_PLAY
    with refused("not-accepted", "Wim accepts the match"):
        match.note(role)
    match.play("e4-e2")
    match.accept(role)
    match.note(role)
    with refused("wrong-role"):
        match.accept(role)


def test_a_key_that_is_not_written_as_it_should_be_brings_nobody() -> None:
    match = begun()
    given = Replacement(role="swedes", name="Alba", reason="Lost.", key="ssh-ed25519 " + "A" * 68)
    assert said(match, "key.replaced", given, "arbiter") == "key-type"


def test_a_weak_key_is_refused_with_the_signature() -> None:
    match = begun()
    weak = (
        "ssh-ed25519 "
        + base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + (1).to_bytes(32, "little")).decode()
    )
    events = [
        ("key.replaced", Replacement(role="swedes", name="Alba", reason="Lost.", key=weak)),
        ("arbiter.replaced", Succession(name="Yara", key=weak, reason="Ill.")),
    ]
    for kind, data in events:
        entry = match.next(kind, data, "arbiter")
        with refused("weak-key"):
            authenticate(match.state.roster, sealed(entry), entry.event)


# -- consent ---------------------------------------------------------------------------------


def consent_by_hand(match: Match, role: str, name: str, key: str | None) -> bytes:
    """PAE("application/vnd.tabellion.consent.v1+json", JSON with sorted keys and no spaces)."""
    held = {"match": match.state.match, "name": name, "role": role}
    if key:
        held["key"] = key
    body = json.dumps(held, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    kind = b"application/vnd.tabellion.consent.v1+json"
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(body), body)


@pytest.mark.parametrize("key", [NEW.public.line, None])
@pytest.mark.parametrize("name", ["Alba", "王 Ling", 'Jesús "el Monjo"'])
def test_the_bytes_of_a_consent(name: str, key: str | None) -> None:
    match = begun()
    by_hand = consent_by_hand(match, "swedes", name, key)
    assert consent.message(match.state.match, "swedes", name, key) == by_hand


def judged(match: Match, key: SigningKey | None, words: bytes, signer: SigningKey) -> None:
    """Another key for the Swedes, with a consent over these words: authenticated and folded."""
    data = Replacement(
        role="swedes",
        name="Alba",
        reason="A new phone.",
        key=key.public.line if key else None,
        consent=signer.sign(words).hex(),
    )
    entry = match.next("key.replaced", data, "arbiter")
    sealed = envelopes.seal(encode(entry.event), ARBITER.public, ARBITER.sign)
    authenticate(match.state.roster, sealed, entry.event)
    match.state = advance(match.state, entry)


@pytest.mark.parametrize("key", [NEW, None], ids=["key", "none"])
def test_the_old_key_consents_to_the_new_one(key: SigningKey | None) -> None:
    match = begun()
    judged(match, key, consent_by_hand(match, "swedes", "Alba", key and key.public.line), ALBA)
    assert match.state.changes[0].consent


def test_a_forged_consent_is_refused() -> None:
    match = begun()
    line = NEW.public.line
    good = consent_by_hand(match, "swedes", "Alba", line)
    for words, signer in (
        (good, BRUNO),
        (good, ARBITER),
        (good, NEW),
        (good + b" ", ALBA),
        (consent_by_hand(match, "swedes", "Alva", line), ALBA),
        (consent_by_hand(match, "muscovites", "Alba", line), ALBA),
        (consent_by_hand(match, "swedes", "Alba", NEWER.public.line), ALBA),
        (consent_by_hand(match, "swedes", "Alba", None), ALBA),
        (good.replace(match.state.match.encode(), OTHER.encode()), ALBA),
    ):
        with refused("bad-consent"):
            judged(match, NEW, words, signer)
    judged(match, NEW, good, ALBA)


def test_consent_of_a_dead_key_is_none() -> None:
    match = begun()
    match.replace_key("swedes", NEW)
    match.accept("swedes")
    words = consent_by_hand(match, "swedes", "Alba", NEWER.public.line)
    with refused("bad-consent"):
        judged(match, NEWER, words, ALBA)
    judged(match, NEWER, words, NEW)


def test_nobody_consents_who_had_no_key() -> None:
    match = Match(["swedes"])
    with refused("bad-consent"):
        match.replace_key("muscovites", NEW, consent="5e" * 64)
    match.replace_key("muscovites", NEW)
    assert not match.state.changes[0].consent


# -- another arbiter -------------------------------------------------------------------------


def test_the_arbiter_hands_over() -> None:
    match = begun()
    match.replace_arbiter(NEW)
    assert match.state.roster["arbiter"].name == "Yara"
    assert match.state.phase is Phase.BEFORE_ACCEPTANCE
    assert due(match.state).whose == ("arbiter",)
    with refused("not-accepted", "Play goes on when Yara has accepted"):
        match.move("e4-e2", "swedes")
    with refused("not-accepted", "Yara accepts the match with the new key first"):
        match.rule(GivenResult(kind="draw"))
    with refused("wrong-signer"):
        match.write("note", Remark(text="Still here."), "arbiter", key=ARBITER)
    match.accept("arbiter")
    match.play("e4-e2")
    match.rule(GivenResult(kind="draw"))
    assert views.log(match.state).events[0].text.startswith("Zoë opens")
    assert match.state.changes[0].consent


def test_the_appeal_key_puts_in_another_arbiter_in_a_dispute_and_in_flight() -> None:
    match = thrown()
    match.dispute(by="white")
    match.replace_arbiter(NEW, by="appeal")
    assert not match.state.changes[0].consent
    assert match.state.phase is Phase.DISPUTED
    with refused("not-accepted"):
        match.rule(Dismissed())
    match.accept("arbiter")
    match.open("black")
    match.rule(Dismissed())
    assert match.state.phase is Phase.IN_PLAY


@pytest.mark.parametrize("by", ["swedes", "muscovites", "witness1"])
def test_nobody_else_puts_in_an_arbiter(by: str) -> None:
    match = begun()
    with refused("wrong-role", "Only the arbiter or the appeal key replaces the arbiter"):
        match.replace_arbiter(NEW, by=by)


def test_with_a_new_arbiter_who_makes_dice_all_commit_afresh() -> None:
    match = Match(ruleset="tabula", dice=ALL_THREE)
    match.roll()
    assert uncommitted(match.state) == ()
    match.replace_arbiter(NEW)
    match.accept("arbiter")
    assert uncommitted(match.state) == ("white", "black", "arbiter")
    assert due(match.state).step is Step.COMMIT
    match.roll()


# -- keys and dice ---------------------------------------------------------------------------


def test_what_the_old_key_had_committed_to_is_void() -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    match.commit("white")
    match.commit("black")
    old = match.state.rolling.commitments["white"]
    match.replace_key("white", NEW)
    assert uncommitted(match.state) == ("white", "black")
    with refused("not-accepted"):
        match.commit("white")
    match.accept("white")
    match.commit("black")
    with refused("not-committed", "until Alba has committed"):
        match.throw("white")
    with refused("used-before"):
        match.commit("white", commitment=old)
    match.commit("white")
    match.throw("white")
    match.open("black")
    assert len(match.state.rolling.rolls) == 1


def test_a_key_that_is_lost_in_flight_is_for_the_arbiter() -> None:
    match = thrown()
    number = match.state.rolling.number
    match.replace_key("black", NEW)
    assert (due(match.state).step, due(match.state).whose) == (Step.RULE, ("arbiter",))
    assert awaited(match.state) == ("black",)
    with refused("wrong-signer"):
        match.write("note", Remark(text="But I know it!"), "black", key=BRUNO)
    for kind, data in (("seat.accepted", Nothing()), ("resigned", Nothing())):
        assert said(match, kind, data, "black") in ("roll-in-flight", "not-accepted")
    with refused("not-accepted"):
        match.open("black")
    match.rule(NewContributors(roll=number, contributors=("white", "black")))
    assert match.state.rolling.unopened[-1].owed == ("black",)
    match.accept("black")
    assert uncommitted(match.state) == ("white", "black")
    match.roll()
    assert match.state.rolling.rolls[-1].number == number + 2, "White had shown the one between"


def test_the_number_of_an_arbiter_who_left_in_flight_is_gone() -> None:
    match = thrown(ALL_THREE)
    match.open("black")
    match.replace_arbiter(NEW)
    match.accept("arbiter")
    assert (due(match.state).step, due(match.state).whose) == (Step.RULE, ("arbiter",))
    with refused("no-commitment", "went with the old key"):
        match.open("arbiter")


def test_the_thrower_whose_key_is_lost_has_opened_already() -> None:
    match = thrown()
    match.replace_key("white", NEW)
    assert due(match.state).step is Step.OPEN
    match.open("black")
    assert match.state.game.thrown(match.state.position)
    assert match.state.rolling.commitments == {}
    assert match.state.rolling.number == match.state.rolling.rolls[-1].number + 2
    match.accept("white")
    match.play_any()
    assert uncommitted(match.state) == ("white", "black")
    match.roll()


def test_a_phone_dies_and_the_arbiter_writes_and_makes_dice_from_there() -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    match.roll()
    match.replace_key("black", None)
    assert match.state.phase is Phase.IN_PLAY
    assert (due(match.state).step, due(match.state).whose) == (Step.RULE, ("arbiter",))
    with refused("no-key"):
        match.commit("black")
    number = match.state.rolling.number
    match.rule(NewContributors(roll=number, contributors=("white", "arbiter")))
    match.roll()
    assert contributors(match.state) == ("white", "arbiter")
    match.play_any()
    match.roll()
    match.play_any()
    assert {entry.event.for_ for entry in match.state.entries} == {None, "black"}


def test_a_phone_dies_in_flight() -> None:
    match = thrown()
    match.replace_key("black", None)
    assert match.state.phase is Phase.IN_PLAY
    assert due(match.state).step is Step.RULE
    match.rule(NewContributors(roll=match.state.rolling.number, contributors=("white", "arbiter")))
    match.roll()
    assert match.state.rolling.unopened[-1].owed == ("black",)


def test_a_number_that_others_are_bound_to_dies_with_the_key() -> None:
    """Else whoever binds anew could know the numbers of the others, from a copy that did not
    stand."""
    match = Match(ruleset="tabula", dice=BOTH)
    match.commit("black")
    assert match.state.rolling.number == 1
    match.replace_key("white", NEW)
    assert (match.state.rolling.number, match.state.rolling.commitments) == (2, {})
    match.accept("white")
    with refused("wrong-roll", "Roll 2 is the next; this one says 1."):
        match.commit("white", roll=1, commitment=match.commitment("white", 1))
    match.roll()
    assert [roll.number for roll in match.state.rolling.rolls] == [2]


def test_a_number_that_nobody_is_bound_to_stays() -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    match.replace_key("white", NEW)
    match.replace_key("white", NEWER)
    assert match.state.rolling.number == 1


@pytest.mark.parametrize("role", ["witness1", "appeal", "arbiter"])
def test_who_makes_no_dice_leaves_their_numbers_alone(role: str) -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    match.commit("white")
    bound = match.state.rolling.commitments
    match.replace_arbiter(NEW) if role == "arbiter" else match.replace_key(role, NEW)
    assert (match.state.rolling.number, match.state.rolling.commitments) == (1, bound)


# -- at any time -----------------------------------------------------------------------------


def disputed() -> Match:
    match = begun()
    match.dispute()
    match.replace_arbiter(NEW)
    return match


def sealing() -> Match:
    match = begun()
    match.adjourn()
    match.seal("swedes", "e4-e2")
    match.replace_key("swedes", NEW)
    return match


def over() -> Match:
    match = finished()
    match.replace_arbiter(NEW)
    return match


def unsigned() -> Match:
    match = finished()
    match.close()
    match.replace_key("muscovites", NEW)
    return match


def appealed() -> Match:
    match = finished()
    match.close()
    match.appeal("muscovites")
    match.replace_key("appeal", NEW)
    return match


def written_for() -> Match:
    match = Match(["swedes"])
    match.play("e3-f3")
    match.replace_arbiter(NEW)
    return match


def to_open() -> Match:
    match = thrown()
    match.replace_key("black", NEW)
    match.replace_arbiter(NEWER)
    return match


@pytest.mark.parametrize(
    ("made", "phase", "whose", "then"),
    [
        (disputed, Phase.DISPUTED, "arbiter", Step.RULE),
        (sealing, Phase.ADJOURNED, "swedes", Step.RESUME),
        (over, Phase.ENDED, "arbiter", Step.CLOSE),
        (unsigned, Phase.CLOSED, "muscovites", Step.COUNTERSIGN),
        (appealed, Phase.APPEALED, "appeal", Step.DECIDE),
        (written_for, Phase.BEFORE_ACCEPTANCE, "arbiter", Step.ACT),
        (to_open, Phase.BEFORE_ACCEPTANCE, "arbiter", Step.RULE),
    ],
)
def test_whose_step_it_is_accepts_with_a_new_key_first_whatever_the_step(
    made: Callable[[], Match], phase: Phase, whose: str, then: Step
) -> None:
    match = made()
    assert match.state.phase is phase
    assert (due(match.state).step, due(match.state).whose) == (Step.ACCEPT, (whose,))
    if made is to_open:  # an arbiter who does not make the dice accepts in flight too
        match.accept("arbiter")
    else:
        match.accept(whose)
    assert due(match.state).step is then


def test_keys_are_replaced_before_all_have_accepted() -> None:
    match = Match(play=False)
    match.accept("swedes")
    match.replace_key("swedes", NEW)
    assert match.state.unaccepted == ("swedes", "muscovites")
    match.accept("muscovites")
    assert match.state.phase is Phase.BEFORE_ACCEPTANCE
    match.accept("swedes")
    assert match.state.phase is Phase.IN_PLAY


def test_keys_are_replaced_after_the_close_and_the_new_key_signs_the_sheet() -> None:
    match = finished()
    match.close()
    match.replace_key("muscovites", NEW)
    assert match.state.phase is Phase.CLOSED
    assert views.show(match.state).next.endswith("(the Muscovites) must accept with the new key.")
    with refused("not-accepted"):
        match.countersign("muscovites")
    match.accept("muscovites")
    match.countersign("muscovites")
    assert match.state.countersigned == {"muscovites"}


def test_after_the_close_nobody_else_has_played_it() -> None:
    match = finished()
    match.close()
    with refused("match-closed", "who played it does not change"):
        match.replace_key("muscovites", NEW, name="Boris")
    match.replace_key("muscovites", NEW)
    match.replace_key("witness1", NEWER, name="Wim")
    match.replace_arbiter(SPARE_KEYS[2], name="Yara")
    assert [match.state.roster[each].name for each in ("muscovites", "witness1", "arbiter")] == [
        *("Bruno", "Wim", "Yara"),
    ]


def test_keys_are_replaced_while_adjourned_and_the_game_waits_for_both() -> None:
    match = begun()
    match.adjourn()
    match.replace_key("swedes", NEW)
    assert match.state.phase is Phase.ADJOURNED
    match.resume()
    assert match.state.phase is Phase.BEFORE_ACCEPTANCE
    match.accept("swedes")
    match.play("e4-e2")


def test_a_replacement_changes_nothing_in_the_game() -> None:
    match = begun()
    offer = match.offer_draw("swedes")
    before, line = match.position, match.state.line()
    match.replace_key("muscovites", NEW)
    match.accept("muscovites")
    assert match.position == before
    assert match.state.superseded() == frozenset()
    assert line < match.state.line()
    assert cited(match.state) is None
    match.agree("muscovites", offer)


def test_the_same_in_every_game() -> None:
    options: dict[str, Any] = {"dice": CommitReveal(contributors=("arbiter",))}
    for ruleset in ("tabula", "tablero"):
        match = Match(ruleset=ruleset, **options)
        match.roll()
        first = match.state.game.seats[0]
        match.replace_key(first, NEW)
        match.accept(first)
        match.replace_arbiter(NEWER)
        match.accept("arbiter")
        match.roll()
        assert len(match.state.rolling.rolls) == 2

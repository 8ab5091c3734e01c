"""Rolls by commit–reveal: how they go, and that no attack on them passes the fold or the audit.

Alba plays White, Bruno Black; both contribute to the dice unless it is said otherwise.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

import pytest
from match import ALL_KEYS, Match, opened, refused, signed
from msgspec.structs import replace
from table import ARBITER, BOTH, new_service, opening

from ledger import dice, rulings
from ledger import envelope as envelopes
from ledger.audit import Trust, audit
from ledger.events import (
    Adjournment,
    Commitment,
    CommitReveal,
    DiceCommitted,
    DrawOffer,
    Evidence,
    Lying,
    MatchOpened,
    Nothing,
    Objection,
    Physical,
    Play,
    Remark,
    Resumption,
    Settling,
    encode,
)
from ledger.fold import begin, due
from ledger.fold.due import Step
from ledger.fold.parts import Phase
from ledger.fold.rolls import awaited
from ledger.inspection import inspect

WITH_ARBITER = CommitReveal(contributors=("white", "black", "arbiter"))
ALONE = CommitReveal(contributors=("arbiter",))
TABLE = Physical(confirm=False)


def tabula(*, dice: Any = BOTH, keyed: Any = None, play: bool = True) -> Match:
    return Match(keyed, play=play, ruleset="tabula", dice=dice)


def begun(**options: Any) -> Match:
    """Past the opening roll: White or Black is to throw three dice."""
    match = tabula(**options)
    while match.state.game.wanted(match.state.position).count == 2:
        match.roll()
    return match


def sealed(entry: Any) -> envelopes.Envelope:
    key = next(key for key in ALL_KEYS.values() if key.public.fingerprint == entry.keyid)
    return envelopes.seal(encode(entry.event), key.public, key.sign)


@contextmanager
def refused_by_both(match: Match, code: str, words: str = ""):
    """The fold refuses the event written inside, and the audit of a record that holds it says so
    with the same code."""
    made = []
    original = match.next

    def remember(*args, **kwargs):
        made.append(original(*args, **kwargs))
        return made[-1]

    match.next = remember  # type: ignore[method-assign]
    with refused(code, words):
        yield
    match.next = original  # type: ignore[method-assign]
    record = [sealed(entry) for entry in (*match.state.entries, made[-1])]
    report = audit(record, trust=Trust(documents=rulings.digests()))
    assert report.verdict == "faults"
    assert [(fault.event, fault.code) for fault in report.faults] == [(match.state.seq + 1, code)]


def audited(match: Match) -> Any:
    record = [sealed(entry) for entry in match.state.entries]
    return audit(record, trust=Trust(documents=rulings.digests()))


# -- how a roll goes -------------------------------------------------------------------------


def test_a_roll_of_both_seats():
    match = tabula()
    match.commit("black")
    match.commit("white")
    match.throw("white")
    assert match.state.rolling.rolls == ()
    assert awaited(match.state) == ("black",)
    match.open("black")
    (roll,) = match.state.rolling.rolls
    assert (roll.number, roll.seat, roll.owners) == (1, "white", ("white", "black"))
    assert match.state.rolling.number == 2
    assert set(match.state.rolling.commitments) == {"white", "black"}


def test_the_commitments_for_the_next_roll_come_with_the_openings():
    match = tabula()
    match.roll()
    committed = [e for e in match.state.entries if isinstance(e.event, DiceCommitted)]
    assert len(committed) == 2
    match.roll()
    assert len(match.state.rolling.rolls) == 2
    assert committed == [e for e in match.state.entries if isinstance(e.event, DiceCommitted)]


def test_the_arbiter_opens_last():
    match = begun(dice=WITH_ARBITER)
    thrower = match.state.turn
    match.throw(thrower)
    other = match.state.other(thrower)
    assert awaited(match.state) == (other, "arbiter")
    match.open(other)
    match.open("arbiter")
    assert len(match.state.game.thrown(match.state.position)) == 3


def test_the_arbiter_alone_makes_the_dice_but_the_seat_throws():
    match = tabula(dice=ALONE)
    match.commit("arbiter")
    match.throw("white")
    assert match.state.rolling.rolls == ()
    match.open("arbiter")
    assert len(match.state.rolling.rolls) == 1


def test_the_arbiter_throws_for_a_seat_without_a_key():
    match = tabula(dice=ALONE, keyed=())
    match.commit("arbiter")
    match.throw("arbiter", "white")
    match.open("arbiter")
    assert match.state.rolling.rolls[0].seat == "white"


@pytest.mark.parametrize("keyed", [("white",), ("black",)])
def test_one_key_and_the_arbiter(keyed):
    match = begun(dice=CommitReveal(contributors=(*keyed, "arbiter")), keyed=keyed)
    for _ in range(6):
        match.roll()
        match.play_any()
    assert audited(match).verdict == "sound"


def test_dice_are_computed_never_stored():
    match = begun()
    dice = match.roll()
    words = [encode(entry.event) for entry in match.state.entries]
    assert not any(b'"dice":[' in text for text in words[1:])
    assert match.state.game.thrown(match.state.position) == dice


def test_a_commitment_is_never_changed_not_even_before_anything_is_open():
    match = tabula()
    match.commit("white")
    with refused_by_both(match, "committed-already"):
        match.commit("white", commitment="ab" * 32)


def test_a_whole_match_is_sound():
    match = begun()
    for _ in range(40):
        match.roll()
        match.play_any()
    report = audited(match)
    assert report.verdict == "sound"
    assert len(report.dice.rolls) == len(match.state.rolling.rolls)


# -- who contributes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roles", "keyed", "code"),
    [
        (("white",), None, "bad-contributors"),
        (("black", "white"), None, "bad-contributors"),
        (("white", "white"), None, "bad-contributors"),
        (("arbiter", "white", "black"), None, "bad-contributors"),
        (("white", "arbiter"), None, "bad-contributors"),
        (("white", "witness1"), None, "bad-contributors"),
        ((), None, "bad-contributors"),
        (("white", "black"), ("white",), "keyless-contributor"),
        (("white", "black", "arbiter"), (), "keyless-contributor"),
        (("black", "arbiter"), ("white",), "keyless-contributor"),
    ],
)
def test_who_cannot_make_dice(roles, keyed, code):
    found = opening("tabula", keyed=keyed, witness=True, dice=CommitReveal(contributors=roles))
    with refused(code):
        begin(opened(found))


def test_a_match_with_dice_says_how_they_are_made():
    with refused("dice-unsaid"):
        begin(opened(opening("tabula")))


@pytest.mark.parametrize("dice", [BOTH, ALONE, TABLE])
def test_a_game_without_dice_takes_none(dice):
    with refused("no-dice"):
        begin(opened(opening("tablut", dice=dice)))


@pytest.mark.parametrize("role", ["arbiter", "black"])
def test_no_commitment_of_who_does_not_contribute(role):
    match = tabula(dice=BOTH if role == "arbiter" else ALONE)
    with refused_by_both(match, "not-contributor"):
        match.commit(role)


def test_a_seat_accepts_before_it_commits():
    match = tabula(play=False)
    with refused_by_both(match, "not-accepted"):
        match.commit("white")


# -- attacks ---------------------------------------------------------------------------------


def test_an_opening_that_does_not_match_its_commitment():
    match = tabula()
    match.commit("white")
    match.commit("black")
    with refused_by_both(match, "wrong-nonce"):
        match.throw("white", nonce="77" * 32)
    match.throw("white")
    with refused_by_both(match, "wrong-nonce"):
        match.open("black", nonce="77" * 32)


def test_a_commitment_copied_from_the_other_seat():
    match = tabula()
    match.commit("white")
    with refused_by_both(match, "used-before"):
        match.commit("black", commitment=match.commitment("white"))


def test_a_copied_next_commitment():
    match = tabula()
    match.commit("white")
    match.commit("black")
    match.throw("white")
    with refused_by_both(match, "used-before"):
        match.open("black", next=match.state.rolling.coming["white"])


def test_a_commitment_copied_from_another_match_cannot_be_opened():
    other = tabula(dice=WITH_ARBITER)
    match = tabula()
    match.commit("white", commitment=other.commitment("white"))
    match.commit("black")
    with refused_by_both(match, "wrong-nonce"):
        match.throw("white", nonce=other.nonce("white"))


def test_a_commitment_used_for_two_rolls():
    match = tabula()
    match.commit("white")
    match.commit("black")
    with refused_by_both(match, "used-before"):
        match.throw("white", next=match.commitment("white"))


@pytest.mark.parametrize("role", ["white", "black"])
def test_a_nonce_used_for_two_rolls(role):
    match = tabula()
    match.commit("white")
    match.commit("black")
    again = {role: {"next": bound(match, role, match.nonce(role), 2)}}
    match.throw("white", **again.get("white", {}))
    used = match.state.rolling.flight.nonces.get(role) or match.nonce(role)
    match.open("black", **again.get("black", {}))
    thrower = match.state.game.wanted(match.state.position).seat
    if thrower != role:
        match.throw(thrower)
    act = match.throw if thrower == role else match.open
    with refused_by_both(match, "used-before"):
        act(role, nonce=used)


def bound(match: Match, role: str, nonce: str, roll: int) -> str:
    seat = match.state.game.seats.index(role)
    return dice.commitment(match.state.match, roll, seat, bytes.fromhex(nonce))


def test_a_throw_before_every_contributor_has_committed():
    match = tabula()
    match.commit("white")
    with refused_by_both(match, "not-committed", "Bruno"):
        match.throw("white")


def test_an_opening_before_the_throw():
    match = tabula()
    match.commit("white")
    match.commit("black")
    with refused_by_both(match, "no-flight"):
        match.open("black")


def test_openings_out_of_order():
    match = tabula(dice=WITH_ARBITER)
    for role in ("white", "black", "arbiter"):
        match.commit(role)
    match.throw("white")
    with refused_by_both(match, "out-of-order"):
        match.open("arbiter")


def test_opening_twice():
    match = tabula()
    match.commit("white")
    match.commit("black")
    match.throw("white")
    with refused_by_both(match, "opened-twice"):
        match.open("white")


def test_throwing_twice():
    match = tabula()
    match.commit("white")
    match.commit("black")
    match.throw("white")
    with refused_by_both(match, "roll-in-flight"):
        match.throw("white")


def test_throwing_while_dice_wait_to_be_played():
    match = begun()
    match.roll()
    with refused_by_both(match, "no-throw"):
        match.throw(match.state.turn)


def test_throwing_for_the_other_side():
    match = begun()
    with refused_by_both(match, "wrong-turn"):
        match.throw(match.state.other(match.state.turn))


IN_FLIGHT = {
    "move": Play(move="hand/1"),
    "pass": Nothing(),
    "offer.made": DrawOffer(),
    "draw.claimed": Nothing(),
    "note": Remark(text="Wait."),
    "statement": Evidence(about="0" * 64, text="Wait."),
    "dispute.settled": Settling(dispute="0" * 64),
    "appeal": Objection(against="0" * 64, text="Wait."),
    "adjourned": Adjournment(sealed="0" * 64),
    "resumed": Resumption(),
    "dice.committed": Commitment(roll=2, commitment="cd" * 32),
}


@pytest.mark.parametrize("kind", sorted(IN_FLIGHT))
@pytest.mark.parametrize("seat", ["white", "black"])
def test_nothing_else_between_throw_and_dice(kind, seat):
    match = tabula()
    match.commit("white")
    match.commit("black")
    match.throw("white")
    with refused_by_both(match, "roll-in-flight", "Bruno must open it"):
        match.write(kind, IN_FLIGHT[kind], seat)


def test_an_offer_lapses_with_the_throw():
    match = begun()
    other = match.state.other(match.state.turn)
    offer = match.offer_draw(other)
    match.roll()
    with refused_by_both(match, "offer-lapsed"):
        match.agree(match.state.other(other), offer)


def test_the_arbiter_notes_and_rules_while_a_roll_is_in_flight():
    match = begun()
    before = match.state.seq
    match.throw(match.state.turn)
    match.note()
    match.rewind(before, dice="rethrow")
    (dead,) = match.state.rolling.unopened
    assert dead.owed == (match.state.other(dead.seat),)
    assert match.state.rolling.number == dead.number + 1


@pytest.mark.parametrize("role", ["white", "black", "arbiter"])
def test_no_commitment_changes_once_a_nonce_is_open(role):
    match = tabula(dice=WITH_ARBITER)
    for each in ("white", "black", "arbiter"):
        match.commit(each)
    match.throw("white")
    with refused_by_both(match, "roll-in-flight"):
        match.commit(role, commitment="ef" * 32)


@pytest.mark.parametrize("role", ["arbiter", "witness1", "appeal"])
def test_an_opening_by_the_wrong_role(role):
    match = tabula()
    match.commit("white")
    match.commit("black")
    match.throw("white")
    data = {"roll": 1, "nonce": "12" * 32, "next": "34" * 32}
    from ledger.events import Opened

    with refused_by_both(match, "not-contributor" if role == "arbiter" else "wrong-role"):
        match.write("roll.opened", Opened(**data), role)


def test_an_opening_signed_by_the_wrong_key():
    match = tabula()
    match.commit("white")
    match.commit("black")
    match.throw("white")
    from ledger.events import Opened

    data = Opened(roll=1, nonce=match.nonce("black"), next=match.commitment("black", 2))
    with refused_by_both(match, "wrong-signer"):
        match.write("roll.opened", data, "black", key=ARBITER)


@pytest.mark.parametrize("number", [1, 3, 2**32 - 1])
def test_a_roll_number_that_goes_back_or_skips(number):
    match = tabula()
    match.roll()
    with refused_by_both(match, "wrong-roll"):
        match.throw(match.state.game.wanted(match.state.position).seat, roll=number)


@pytest.mark.parametrize("number", [1, 3])
def test_a_commitment_for_another_roll(number):
    match = tabula()
    match.roll()
    with refused_by_both(match, "wrong-roll"):
        match.commit("white", roll=number, commitment="ab" * 32)


@pytest.mark.parametrize("number", [1, 3])
def test_an_opening_for_another_roll(number):
    match = begun()
    match.throw(match.state.turn)
    with refused_by_both(match, "wrong-roll"):
        match.open(awaited(match.state)[0], roll=match.state.rolling.number + number)


@pytest.mark.parametrize("by", ["white", "arbiter"])
def test_dice_stated_instead_of_computed(by):
    match = tabula()
    with refused_by_both(match, "computed-dice"):
        match.record(6, 1, by=by)


def test_dice_of_another_throw_in_a_move():
    match = begun()
    thrown = match.roll()
    action = match.state.game.legal(match.state.position)[0]
    wrong = tuple(face % 6 + 1 for face in thrown)
    with refused_by_both(match, "not-canonical"):
        match.write("move", Play(move=action.text, dice=wrong), match.state.turn)


def test_computed_dice_are_never_voided():
    match = begun()
    match.roll()
    with refused_by_both(match, "computed-dice"):
        match.void()


def test_a_throw_without_its_opening():
    match = tabula()
    match.commit("white")
    match.commit("black")
    with refused_by_both(match, "bad-throw"):
        match.throw("white", nonce=None, next=None)


def test_an_opening_in_the_throw_of_who_does_not_contribute():
    match = tabula(dice=ALONE)
    match.commit("arbiter")
    with refused_by_both(match, "bad-throw"):
        match.throw("white", nonce="12" * 32, next="34" * 32)


def test_the_scribe_does_not_open_with_the_throw_he_writes():
    match = tabula(dice=ALONE, keyed=())
    match.commit("arbiter")
    data = {"nonce": match.nonce("arbiter"), "next": match.commitment("arbiter", 2)}
    with refused_by_both(match, "bad-throw"):
        match.throw("arbiter", "white", **data)


def test_a_commitment_that_two_matches_share_is_found_in_the_ledger(tmp_path):
    """No fold of one match can see it; the audit of the ledger does."""
    first, second = tabula(), tabula(dice=WITH_ARBITER)
    first.commit("white")
    second.commit("white", commitment=first.commitment("white"))
    assert "a commitment or number of its dice was used in match" in faults(tmp_path, first, second)


def test_a_number_that_two_matches_share_is_found_in_the_ledger(tmp_path):
    first, second = tabula(), tabula(dice=WITH_ARBITER)
    first.roll()
    used = first.state.rolling
    nonce = next(iter(used.published & {first.nonce("white", 1)}))
    second.commit("white", commitment=bound(second, "white", nonce, 1))
    second.commit("black")
    second.commit("arbiter")
    second.throw("white", nonce=nonce)
    assert "a commitment or number of its dice was used in match" in faults(tmp_path, first, second)


def test_matches_that_share_nothing_are_sound_together(tmp_path):
    first, second = begun(), begun(dice=WITH_ARBITER)
    assert faults(tmp_path, first, second) == ""


def faults(folder, *matches: Match) -> str:
    """What the audit of a ledger with these matches finds wrong with the file."""
    path = folder / "ledger.db"
    with new_service(path) as service:
        for match in matches:
            for entry in match.state.entries:
                service.post(sealed(entry).text())
    view = inspect(str(path), path, Trust(documents=rulings.digests()))
    assert all(report.verdict == "sound" for report in view.reports)
    assert (view.verdict == "faults") == bool(view.file_faults)
    return " ".join(view.file_faults)


# -- who owes what ---------------------------------------------------------------------------


def test_an_opening_that_is_not_made_blocks_the_match_and_is_owed():
    match = begun()
    thrower = match.state.turn
    match.throw(thrower)
    owing = match.state.other(thrower)
    assert due.due(match.state) == due.Due(Step.OPEN, (owing,))
    report = audited(match)
    assert report.verdict == "sound"
    name = match.state.roster[owing].name
    assert f"{name} ({owing}) owes its opening" in report.waits
    assert report.waits in " ".join(report.statements)
    (waiting,) = report.dice.unopened
    assert (waiting.owed, waiting.ended) == ((owing,), None)


def test_a_missing_commitment_is_owed():
    match = tabula()
    match.commit("white")
    assert due.due(match.state) == due.Due(Step.COMMIT, ("black",))
    assert "Bruno (black) has not committed to roll 1" in audited(match).waits


def test_who_resigns_before_opening_is_named_in_the_audit():
    match = begun()
    thrower = match.state.turn
    match.throw(thrower)
    owing = match.state.other(thrower)
    number = match.state.rolling.number
    resigned = match.resign(owing)
    assert match.state.phase is Phase.ENDED
    report = audited(match)
    assert report.dice.unopened[0].owed == (owing,)
    name = match.state.roster[owing].name
    assert (
        f"Roll {number} was never opened: {name} ({owing}) owed it when the resignation of event "
        f"{resigned} ended it."
    ) in report.dice.statement


def test_a_record_that_is_damaged_later_accuses_nobody():
    match = begun()
    match.roll()
    match.play_any()
    match.throw(match.state.turn)
    record = [sealed(entry) for entry in match.state.entries]
    broken = len(record) - 3
    del record[broken]
    report = audit(record, trust=Trust(documents=rulings.digests()))
    assert report.verdict == "faults"
    assert (report.dice.unopened, report.waits) == ((), "")
    assert f"judged up to event {broken - 1} only" in report.dice.statement
    assert "owed" not in report.dice.statement


# -- whom to trust ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        (BOTH, "fair if Alba or Bruno kept their numbers secret"),
        (WITH_ARBITER, "fair if Alba, Bruno or Zoë kept their numbers secret"),
        (WITH_ARBITER, "no player saw dice that they could still refuse"),
        (ALONE, "fair only if you trust Zoë"),
    ],
)
def test_the_audit_says_whom_to_trust(dice, words):
    match = begun(dice=dice)
    match.roll()
    report = audited(match)
    assert words in report.dice.statement
    assert report.dice.statement in report.statements


# -- going back ------------------------------------------------------------------------------


def test_a_move_taken_back_keeps_its_dice():
    match = begun()
    dice = match.roll()
    thrown = match.state.seq
    match.play_any()
    match.rewind(thrown, dice="keep")
    assert match.state.game.thrown(match.state.position) == dice
    assert match.state.rolling.number == match.state.rolling.rolls[-1].number + 1


def test_dice_thrown_anew_take_the_next_number():
    match = begun()
    before = match.position
    match.roll()
    number = match.state.rolling.rolls[-1].number
    thrown = match.state.seq
    match.play_any()
    match.rewind(thrown, dice="rethrow")
    assert match.position == before
    assert match.state.game.thrown(match.state.position) == ()
    match.roll()
    assert match.state.rolling.rolls[-1].number == number + 1


def test_no_dice_are_kept_across_a_throw():
    match = begun()
    match.roll()
    thrown = match.state.seq
    match.play_any()
    match.roll()
    with refused_by_both(match, "across-a-throw"):
        match.rewind(thrown, dice="keep")
    match.rewind(thrown, dice="rethrow")
    assert match.state.game.thrown(match.state.position) == ()


def test_a_rewind_says_what_becomes_of_the_dice():
    match = begun()
    match.roll()
    thrown = match.state.seq
    match.play_any()
    with refused_by_both(match, "dice-unsaid"):
        match.rewind(thrown)


def test_a_rewind_is_itself_rewound():
    match = begun()
    match.roll()
    thrown = match.state.seq
    match.play_any()
    played, position = match.state.seq, match.position
    match.rewind(thrown, dice="keep")
    match.rewind(played, dice="keep")
    assert match.position == position


def test_a_rewind_that_went_back_too_far_is_rewound_and_the_dice_are_there_again():
    match = begun()
    opened = match.state.rolling.rolls[0].thrown - 1
    dice = match.roll()
    thrown = match.state.seq
    match.rewind(opened, dice="rethrow")
    match.rewind(thrown, dice="keep")  # nothing was thrown since
    assert match.state.game.thrown(match.state.position) == dice


def test_nobody_chooses_between_throws():
    match = begun()
    before = match.state.seq
    match.roll()
    first = match.state.seq
    match.rewind(before, dice="rethrow")
    match.roll()
    second = match.state.seq
    match.rewind(before, dice="rethrow")
    with refused_by_both(match, "across-a-throw"):
        match.rewind(first, dice="keep")
    match.rewind(second, dice="keep")  # the last throw there was


def test_no_takeback_goes_back_across_a_throw():
    match = begun()
    match.roll()
    thrown = match.state.seq
    match.play_any()
    offer = match.offer_takeback(match.state.other(match.state.turn), thrown)
    match.agree(match.state.turn, offer)
    assert match.state.game.thrown(match.state.position)
    match.play_any()
    match.roll()
    with refused_by_both(match, "across-a-throw"):
        match.offer_takeback("white", thrown)


def test_a_takeback_of_an_event_that_is_not_there():
    match = begun()
    with refused_by_both(match, "no-such-event"):
        match.offer_takeback("white", 4000)


def test_commitments_survive_a_rewind():
    match = begun()
    match.roll()
    thrown, live = match.state.seq, match.state.rolling.commitments
    match.play_any()
    match.rewind(thrown, dice="rethrow")
    assert match.state.rolling.commitments == live


def test_after_a_roll_is_given_up_only_who_had_not_opened_commits_anew():
    match = begun()
    before = match.state.seq
    thrower = match.state.turn
    match.throw(thrower)
    match.rewind(before, dice="rethrow")
    assert due.due(match.state) == due.Due(Step.COMMIT, (match.state.other(thrower),))
    match.roll()
    assert audited(match).verdict == "sound"


def test_a_used_key_cannot_open_what_was_replaced_in_the_opening():
    """The opening of a match is one place where a stranger could put his own contributors."""
    match = tabula()
    stated = match.state.entries[0].event
    assert isinstance(stated, MatchOpened)
    swapped = replace(stated, data=replace(stated.data, dice=ALONE))
    forged = [sealed(signed(swapped, ARBITER)), *(sealed(e) for e in match.state.entries[1:])]
    assert audit(forged).verdict == "faults"


def test_physical_dice_take_no_commitment():
    match = tabula(dice=TABLE)
    with refused_by_both(match, "not-contributor"):
        match.commit("white", commitment="ab" * 32)
    with refused_by_both(match, "dice-on-table"):
        match.throw("white")


def test_a_game_without_dice_is_told_so():
    match = Match()
    with refused_by_both(match, "no-dice"):
        match.write("dice.committed", Commitment(roll=1, commitment="ab" * 32), "swedes")
    with refused_by_both(match, "no-dice"):
        match.write("roll.recorded", Lying(roll=1, dice=(1, 2)), "swedes")


def test_a_throw_taken_back_does_not_come_back_by_a_rethrow_either():
    """A Run of tablero: a safe throw is taken back, the next one fails, and the safe one would
    count again."""
    match = Match(ruleset="tablero", dice=Physical(confirm=False))
    match.record(5, 3, by="south")
    safe, seat = running(match)
    match.rewind(safe - 1, dice="rethrow")
    match.record(6, 1, by=seat)
    assert match.state.turn != seat
    with refused_by_both(match, "across-a-throw"):
        match.rewind(safe, dice="rethrow")
    with refused_by_both(match, "across-a-throw"):
        match.rewind(safe, dice="keep")


def running(match: Match) -> tuple[int, str]:
    """A Run is declared and its first throw is safe; the event of that throw, and the runner."""
    for lie, moves in (((2, 2), "c1-c3 d1-d3"), ((2, 2), "e1-e3 f1-f3"), ((2, 4), "a7-a3 g1-g3")):
        match.record(*lie, by="south")
        match.act("move", moves)
    match.record(3, 1, by="south")
    match.act("move", "b7-b3")
    match.act("run")
    return match.record(3, 3, by="south"), "south"

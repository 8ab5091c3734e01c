"""Audits of contested matches: what a committee reads, every sentence with its events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from match import ALL_KEYS, SPARE_KEYS, Match, refused, sealed
from msgspec.structs import replace
from table import ALBA, ARBITER, BRUNO, SHORT_GAME, WITNESS, new_service
from terminal import unchanging

from cli import output
from cli.auditing import tell
from ledger import consent, copies, rulings
from ledger import envelope as envelopes
from ledger.audit import AuditView, PartyReport, Report, Trust, audit
from ledger.envelope import Envelope
from ledger.events import (
    Award,
    Closing,
    CommitReveal,
    Complaint,
    Countersignature,
    Dismissed,
    Event,
    Evidence,
    GivenResult,
    NewContributors,
    Penalty,
    Physical,
    Remark,
    Rewind,
    SetPosition,
    decode,
    encode,
)
from ledger.exchange import pending, take_in
from ledger.fold.rolls import awaited
from ledger.inspection import inspect
from ledger.keys import SigningKey
from ledger.record import Damage
from ledger.signers import parse_signers

CARLA, DORA, YARA = SPARE_KEYS[:3]
PLAYERS_DICE = CommitReveal(contributors=("white", "black"))
LIMITS = """\
what no record can prove:
- Keys were checked against nobody: whoever opened the match could have invented the players. Give \
--signers with a file of keys that you trust.
- Compared with no score sheet: a record cut off at its end is still a valid beginning. Give \
--head with the hash noted down at the table.
- Times are the signers' own clocks: they prove nothing.
"""


def told(report: Report, capsys: Any) -> str:
    """The report as it stands in a pipe, without hashes."""
    capsys.readouterr()
    tell(AuditView(verdict=report.verdict, file_faults=(), reports=(report,)))
    return unchanging(capsys.readouterr().out)


def section(report: Report, title: str, capsys: Any) -> str:
    """The lines below one heading; "" if the report does not have it."""
    after = told(report, capsys).partition(f"\n{title}:\n")[2]
    lines = after.splitlines()
    end = next((n for n, line in enumerate(lines) if line.endswith(":") and line[0] != "-"), None)
    return "\n".join(lines[:end])


def consented(match: Match, role: str, name: str, key: SigningKey) -> str:
    message = consent.message(match.state.match, role, name, key.public.line)
    return match.keys[role].sign(message).hex()


def envelopes_of(match: Match) -> list[Envelope]:
    return [sealed(entry) for entry in match.state.entries]


def judged(events: Sequence[Any], **trust: Any) -> Report:
    return audit(events, (), Trust(documents=rulings.digests(), **trust))


def held(report: Report, role: str) -> list[PartyReport]:
    return [party for party in report.parties if party.role == role]


def said(report: Report) -> list[tuple[int | None, str]]:
    return [(fault.event, fault.code) for fault in report.faults]


# -- whole matches -------------------------------------------------------------------------


def contested() -> Match:
    """Tablut: two disputes, every kind of change of keys, a sealed move, an appeal."""
    match = Match()
    match.play(*SHORT_GAME[:3])  # 3, 4, 5
    match.agree("swedes", match.offer_takeback("muscovites", 4))
    match.play("e4-e2")  # 8
    dispute = match.dispute(by="muscovites")
    photo = Evidence(about=dispute, text='She said "two".', sha256="f" * 64)
    match.write("statement", photo, "witness1")
    match.rule(Rewind(to=4), Penalty(seat="swedes", penalty="warning"))  # 11
    handed_over = consented(match, "muscovites", "Bruno", CARLA)
    match.replace_key("muscovites", CARLA, consent=handed_over)
    match.accept("muscovites")
    match.replace_key("swedes", DORA, name="Dora")
    match.accept("swedes")
    match.replace_arbiter(YARA)  # 16
    match.accept("arbiter")
    match.play("e4-e2")
    match.adjourn("Sunday, ten o'clock")
    match.resume("muscovites", match.seal("muscovites", "h2-h3"))
    match.play("h2-h3")  # 22
    dispute = match.dispute(by="swedes")
    match.settle("swedes", dispute)
    match.settle("muscovites", dispute)
    match.replace_key("muscovites", None)  # 26
    match.play("Ke5-e3")
    match.move("h3-h4", "arbiter", "muscovites")
    match.resign("swedes")  # 29
    match.close()
    match.countersign("swedes")
    match.countersign("witness1", absent="muscovites")
    appeal = match.appeal("swedes", match.state.result_event)
    match.state_words("arbiter", appeal, "muscovites")
    match.decide(appeal, GivenResult(kind="draw"))  # 35
    match.refuse_to_sign("swedes")
    match.rule(Penalty(seat="swedes", penalty="fine"))
    return match


CONTESTED = """\
verdict: SOUND, 38 events, head HASH
match HASH
result: a draw (appeal), closed
rules: tablut, version 1
parties:
- arbiter: FINGERPRINT, until event 16: Zoë
- arbiter: FINGERPRINT, since event 16, put in by the arbiter before, accepted in event 17: Yara
  - why: "Zoë has to leave."
- swedes: FINGERPRINT, until event 14: Alba
- swedes: FINGERPRINT, from event 14 on, a key the arbiter put in without the old key's consent, \
accepted in event 15: Dora
  - why: "The phone is lost."
- muscovites: FINGERPRINT, until event 12: Bruno
- muscovites: FINGERPRINT, since event 12, put in by the arbiter with the old key's consent, \
accepted in event 13, until event 26: Bruno
  - why: "The phone is lost."
- muscovites: no key, since event 26 the arbiter writes for this seat, without the old key's \
consent: Bruno
  - why: "The phone is lost."
- witness1: FINGERPRINT: Wanda
- appeal: FINGERPRINT: Ana
proven, and by whom:
- The key of Zoë (arbiter) signed 5 events, up to event 16.
- The key of Yara (arbiter) signed 8 events, after event 16.
- The key of Alba (swedes) signed 5 events, up to event 14.
- The key of Dora (swedes) signed 8 events, after event 14.
- The key of Bruno (muscovites) signed 4 events, up to event 12.
- The key of Bruno (muscovites) signed 5 events, after event 12 and up to event 26.
- The key of Wanda (witness1) signed 2 events.
- The key of Ana (appeal) signed 1 event.
only an official's word:
- What Bruno (muscovites) did or said, without a key: events 28 and 34.
- That the key since event 14 is that of Dora (swedes): it signed events 15, 18, 23, 24, 27, 29, \
31 and 33.
- The result that Ana (appeal) gave: event 35.
disputes:
- Event 9: Bruno (muscovites) disputes event 8 (e4-e2 by Alba): "That is not what was \
played."
  - Event 10, Wanda (witness1): "She said 'two'." (file SHA-256 HASH)
  - Ended by ruling 1, event 11.
- Event 23: Dora (swedes) disputes event 22 (h2-h3 by Bruno): "That is not what was \
played."
  - Settled by agreement: Dora (swedes), event 24; Bruno (muscovites), event 25. The game stands \
as it was.
rulings:
- 1. Event 11, Zoë (arbiter): the game stands as after event 4; a warning for Alba (swedes). \
"A piece was moved by mistake." [record]; took back: 8 (e4-e2 by Alba); \
ended the dispute of event 9
- 2. Event 35, Ana (appeal): the result is a draw. "Read anew." [record]; decided the appeal of \
event 33
- 3. Event 37, Yara (arbiter): a fine for Dora (swedes). "A piece was moved by mistake." [record]
penalties:
- Alba (swedes): a warning (event 11)
- Dora (swedes): a fine (event 37)
appeals:
- Event 33: Dora (swedes) appeals against the closing, event 30: "The rule says otherwise."
  - Event 34, Bruno (muscovites), written down by the arbiter: "I saw it."
  - Decided by ruling 2, event 35.
calls and duties:
- event 27: raichi was due and not called; for the arbiter to judge
taken back by agreement:
- takeback agreed (events 6 and 7); took back: 5
adjournments:
- Event 19: adjourned until "Sunday, ten o'clock". Resumed by event 21.
  - Event 20: Bruno (muscovites) sealed a move. Opened by event 21: h2-h3.
result, and its standing:
- Ends at event 37, closed with a draw (appeal); countersigned by nobody.
- Event 29, the resignation of Dora (swedes): a win for Bruno (muscovites). Closed by event 30. \
It does not stand since event 35.
  - Signed by Dora (swedes), event 31; Wanda (witness1) instead of Bruno (muscovites), event 32. \
Appealed against in event 33, decided.
- Event 35, the decision of an appeal by Ana (appeal): a draw. It stands.
  - Signed by nobody. Dora (swedes) would not sign, as the arbiter recorded in event 36: \
"He left in anger." Bruno (muscovites) has no key to sign with.
"""


def test_a_contested_game_of_tablut(capsys: Any) -> None:
    assert told(contested().audited(), capsys) == CONTESTED + LIMITS


def test_on_a_terminal_no_line_is_longer_than_it_is_wide(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = told(contested().audited(), capsys)
    monkeypatch.setattr(output, "width", lambda _stream=None: 80)
    lines = told(contested().audited(), capsys).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert " ".join(" ".join(lines).split()) == " ".join(whole.split())
    (place,) = (n for n, line in enumerate(lines) if line.startswith("- 2. Event 35"))
    assert lines[place + 1].startswith("  ")


def with_dice() -> Match:
    """Tabula: a key lost in flight, an award, other contributors, a resignation in flight."""
    match = Match(ruleset="tabula", dice=PLAYERS_DICE)
    while match.state.game.wanted(match.state.position).count == 2:
        match.roll()
    match.roll()  # 2
    match.play_any()
    match.throw(match.state.game.wanted(match.state.position).seat)
    return match


def test_a_key_lost_in_flight_is_a_refusal_until_it_is_ruled_on(capsys: Any) -> None:
    match = with_dice()
    thrown, (owing, *_) = match.state.seq, awaited(match.state)
    lost = match.replace_key(owing, CARLA)
    who = f"{match.state.roster[owing].name} ({owing})"
    assert (
        f"- Not opened by {who}, 1 roll: roll 3, the key replaced meanwhile by event {lost}: a "
        "refusal until the arbiter has ruled."
    ) in section(match.audited(), "dice", capsys)
    assert (
        f"Roll 3 was thrown, and the number of {who} went with the old key: Zoë (arbiter) has not "
        "ruled."
    ) in match.audited().end
    (left,) = match.audited().dice.unopened
    assert (left.thrown, left.key_lost, left.ended) == (thrown, lost, None)


def test_whom_to_trust_for_which_rolls(capsys: Any) -> None:
    match = with_dice()
    (owing, *_) = awaited(match.state)
    lost = match.replace_key(owing, CARLA)
    award = match.rule(Award(roll=3, dice=(3, 4, 6)))
    match.accept(owing)
    match.play_any()
    match.roll()  # 5, with the key of event `lost`: number 4 was dead with the old one
    match.play_any()
    named = match.rule(NewContributors(roll=6, contributors=("white", "arbiter")))
    match.roll()  # 7
    match.play_any()
    thrower = match.state.game.wanted(match.state.position).seat
    match.throw(thrower)  # 8
    name = match.state.roster[owing].name
    other = match.state.roster[match.state.other(owing)].name
    holders = {owing: f"{name} ({owing}, key of event {lost})"}
    holders |= {match.state.other(owing): f"{other} ({match.state.other(owing)})"}
    report = match.audited()
    assert [(each.first, each.last, each.awarded) for each in report.dice.trust] == [
        (1, 2, None),
        (3, 3, award),
        (5, 5, None),
        (7, None, None),
    ]
    lines = section(report, "dice", capsys).splitlines()
    assert lines[1].startswith(
        "- Rolls 1 and 2 are fair if Alba (white) or Bruno (black) kept their numbers secret"
    )
    assert lines[2] == (
        f"- Roll 3 was awarded by the ruling of event {award}: for its dice there is only the word "
        "of Zoë (arbiter)."
    )
    assert lines[3].startswith(
        f"- Roll 5 is fair if {holders['white']} or {holders['black']} kept their numbers secret"
    )
    assert lines[4].startswith(
        f"- The rolls from 7 on are fair if {holders['white']} or Zoë (arbiter) kept"
    )
    assert "The arbiter opened last" in lines[4]
    assert lines[5] == (
        f"- Not opened by {name} ({owing}), 1 roll: roll 3, the key replaced meanwhile by event "
        f"{lost}: a refusal until the ruling of event {award}."
    )
    assert lines[6].startswith("- Not opened by ")
    assert lines[6].endswith(", 1 roll: roll 8, which waits for it.")
    assert lines[7:] == ["- Dead numbers, without dice: 4 and 6."]
    events = [entry.event for entry in match.state.entries[lost:]]
    *signed, last = (str(each.seq) for each in events if each.by == owing)
    assert section(report, "only the arbiter's word", capsys) == (
        f"- That the key since event {lost} is that of {name} ({owing}): it signed events "
        f"{', '.join(signed)} and {last}.\n"
        f"- The dice 3-4-6 of roll 3, awarded by Zoë (arbiter): event {award}."
    )
    assert "roll 6 is dead; from roll 7 on the dice are made by Alba (white) and Zoë (arbiter)" in (
        report.rulings[1].effects[0].text
    )
    assert report.rulings[1].event == named


ON_THE_TABLE = """\
verdict: SOUND, 15 events, head HASH
match HASH
result: a double forfeit (ruling), closed
rules: tabula, version 1
parties:
- arbiter: FINGERPRINT: Zoë
- white: no key: Alba
- black: no key: Bruno
- witness1: FINGERPRINT: Wanda
- appeal: FINGERPRINT: Ana
proven, and by whom:
- The key of Zoë (arbiter) signed 14 events.
- The key of Wanda (witness1) signed 1 event.
only the arbiter's word:
- What Alba (white) did or said, without a key: event 10.
- That Alba (white) confirmed the dice, without a key: events 4 and 7.
- What Bruno (black) did or said, without a key: event 8.
- That Bruno (black) confirmed the dice, without a key: event 2.
- Dice that the arbiter wrote down and no player's key confirmed: events 1, 3 and 6.
- The position that Zoë (arbiter) set: event 12.
- The result that Zoë (arbiter) gave: event 13.
disputes:
- Event 9: Zoë (arbiter) disputes event 8 (hand/1 hand/3 hand/5 by Bruno): "That is \
not what was played."
  - Event 10, Alba (white), written down by the arbiter: "I saw it."
  - Event 11, Wanda (witness1): "I saw it."
  - Ended by ruling 1, event 12.
rulings:
- 1. Event 12, Zoë (arbiter): the position is set to W h15 b0 o0 - | B h15 b0 o0 - | B; points \
off for Bruno (black). "A piece was moved by mistake." [record]; ended the dispute of event 9
- 2. Event 13, Zoë (arbiter): the result is a double forfeit. "A piece was moved by mistake." \
[record]
penalties:
- Bruno (black): points off (event 12)
dice:
- Physical dice, as they lay on the table, written down by: Zoë (arbiter) 3. Nothing moved before \
a confirmation: Zoë (arbiter) 3. What the arbiter confirmed for a seat without a key is the \
arbiter's word only. 1 voided; its reason stands in the log. How they fell, and with which dice, \
no record can prove.
- Roll 2 (3-5-2, event 4) does not count since event 5 (arbiter): "a die was cocked"
result, and its standing:
- Ends at event 14, closed with a double forfeit (ruling); countersigned by nobody.
- Event 13, a ruling of Zoë (arbiter): a double forfeit. Closed by event 14, which cites event \
13. It stands.
  - Signed by nobody. Alba (white) has no key to sign with. Bruno (black) has no key to sign with.
"""


def test_a_contested_game_of_tabula_that_only_the_arbiter_wrote(capsys: Any) -> None:
    match = Match((), ruleset="tabula", dice=Physical(confirm=True))
    match.record(3, 5)
    match.confirm("arbiter", "black")
    match.record(3, 5, 2)
    match.confirm("arbiter", "white")
    match.void()
    match.record(3, 5, 1)
    match.confirm("arbiter", "white")
    match.play_any()
    dispute = match.dispute(by="arbiter")  # 9
    match.state_words("arbiter", dispute, "white")
    match.state_words("witness1", dispute)
    position = SetPosition(position="W h15 b0 o0 - | B h15 b0 o0 - | B")
    match.rule(position, Penalty(seat="black", penalty="points_off"))  # 12
    match.rule(GivenResult(kind="double_forfeit"))
    match.close()
    assert told(match.audited(), capsys) == ON_THE_TABLE + LIMITS


def test_dice_that_a_player_confirmed_are_more_than_the_arbiters_word(capsys: Any) -> None:
    match = Match(("black",), ruleset="tabula", dice=Physical(confirm=True))
    match.record(3, 5)
    match.confirm("black")
    assert section(match.audited(), "only the arbiter's word", capsys) == (
        "- Alba (white) has no key, and has done nothing that was written down."
    )


# -- what is still open --------------------------------------------------------------------


def test_an_open_dispute_with_one_consent(capsys: Any) -> None:
    match = Match()
    match.play("e3-f3")
    match.settle("swedes", match.dispute(by="muscovites"))
    report = match.audited()
    assert section(report, "disputes", capsys).splitlines()[-1] == (
        "  - Open: no ruling has ended it. Would settle it: Alba (swedes), event 5."
    )
    assert report.end == (
        "Ends at event 5, not closed: the game is not over. The dispute of event 4 is open: Zoë "
        "(arbiter) has not ruled."
    )
    assert (report.disputes[0].ended, report.disputes[0].how) == (None, None)


def test_a_dismissed_complaint(capsys: Any) -> None:
    match = Match()
    match.play("e3-f3")
    match.dispute(by="muscovites")
    match.rule(Dismissed())
    assert ": the complaint is dismissed. " in section(match.audited(), "rulings", capsys)


def test_a_closed_match_under_appeal_is_not_called_open(capsys: Any) -> None:
    match = Match()
    match.resign("swedes")
    match.close()
    match.countersign("muscovites")
    match.appeal("swedes", match.state.result_event)
    report = match.audited()
    assert report.end == (
        "Ends at event 6, closed under appeal with a win for muscovites (resigned); countersigned "
        "by Bruno, not by Alba. The appeal of event 6 waits: Ana (appeal) has not decided."
    )
    assert "  - Pending: not decided." in section(report, "appeals", capsys)
    assert section(report, "result, and its standing", capsys).endswith(
        "Not signed by Alba (swedes). Appealed against in event 6, pending."
    )


@pytest.mark.parametrize(
    ("played", "words"),
    [
        (lambda match: match.rewind(2), "It lapsed with event 6."),
        (lambda match: match.resume(), "It was never opened: event 6 resumed without it."),
        (lambda match: match.resign("swedes"), "It lapsed with event 6."),
        (lambda match: match.note(), "It is not opened yet."),
    ],
)
def test_what_became_of_a_sealed_move(
    played: Callable[[Match], int], words: str, capsys: Any
) -> None:
    match = Match()
    match.play("e3-f3")
    match.adjourn()
    match.seal("muscovites", "e2-h2")
    played(match)
    assert section(match.audited(), "adjournments", capsys).splitlines()[1] == (
        f"  - Event 5: Bruno (muscovites) sealed a move. {words}"
    )


def test_a_sealed_move_that_cannot_be_played(capsys: Any) -> None:
    match = Match()
    match.play("e3-f3")
    match.adjourn()
    match.resume("muscovites", match.seal("muscovites", "e2-e9"))
    report = match.audited()
    assert "Opened by event 6: e2-e9, which cannot be played." in section(
        report, "adjournments", capsys
    )
    assert report.results[0].how == "a sealed move that could not be played"


def test_a_result_that_was_taken_back_and_another_in_its_place(capsys: Any) -> None:
    match = Match()
    match.play("e3-f3")
    match.resign("muscovites")
    match.rewind(3)
    match.rule(GivenResult(kind="draw"))
    match.close()
    lines = section(match.audited(), "result, and its standing", capsys).splitlines()
    assert lines[1:3] == [
        "- Event 4, the resignation of Bruno (muscovites): a win for Alba (swedes). It does not "
        "stand since event 5.",
        "- Event 6, a ruling of Zoë (arbiter): a draw. Closed by event 7, which cites event 6. It "
        "stands.",
    ]


def test_a_rewind_of_a_rewind_says_what_stands_again() -> None:
    match = Match()
    match.play(*SHORT_GAME[:3])
    match.rewind(3)
    match.rewind(5)
    first, second = match.audited().rulings
    assert (first.takes_back, first.brings_back) == ((4, 5), ())
    assert (second.takes_back, second.brings_back) == ((), (4, 5))


def test_who_signs_after_all(capsys: Any) -> None:
    match = Match()
    match.resign("swedes")
    match.close()
    match.refuse_to_sign("swedes")
    match.countersign("swedes")
    assert (
        'would not sign, as the arbiter recorded in event 5: "He left in anger."; signed after '
        "all, event 6."
    ) in section(match.audited(), "result, and its standing", capsys)


def test_words_of_a_player_end_where_they_end(capsys: Any) -> None:
    match = Match()
    match.play("e3-f3")
    text = 'So what?" Event 9, Zoë (arbiter): "The result is a draw.'
    match.write("dispute.raised", Complaint(event=3, text=text), "swedes")
    assert section(match.audited(), "disputes", capsys).splitlines()[0] == (
        "- Event 4: Alba (swedes) disputes event 3 (e3-f3 by Alba): \"So what?' Event 9, Zoë "
        "(arbiter): 'The result is a draw.\""
    )


@pytest.mark.parametrize("damage", ["lost", "twice", "unsigned", "unreadable"])
def test_a_contested_match_with_any_event_damaged_is_told_all_the_same(
    damage: str, capsys: Any
) -> None:
    events = envelopes_of(contested())
    for number, event in enumerate(events):
        found: list[Any] = {
            "lost": [],
            "twice": [event, event],
            "unsigned": [Envelope(event.payload, bytes(64), event.keyid)],
            "unreadable": [Damage("not-an-envelope", "It is damaged and cannot be read.")],
        }[damage]
        report = judged([*events[:number], *found, *events[number + 1 :]])
        if number < len(events) - 1 or damage != "lost":
            assert report.verdict == "faults", number
            assert "\nFAULT " in told(report, capsys)


def test_a_sealed_move_that_was_not_opened_is_the_arbiters_word(capsys: Any) -> None:
    match = Match()
    match.adjourn()
    match.seal("swedes", "e3-f3")
    match.resume()
    assert section(match.audited(), "only the arbiter's word", capsys) == (
        "- That the sealed move was not opened in time: event 5."
    )


def test_who_signed_instead_of_an_absent_player_is_said_at_the_end() -> None:
    match = Match()
    match.resign("swedes")
    match.close()
    match.countersign("muscovites")
    match.countersign("witness1", absent="swedes")
    assert match.audited().end.endswith("countersigned by Bruno; Wanda instead of Alba.")


def test_dice_that_lay_there_when_a_position_was_set_do_not_count() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=False))
    match.record(3, 5)
    match.record(3, 5, 2)
    match.rule(SetPosition(position="W h0 b0 o0 1:2,13:13 | B h0 b0 o0 20:15 | W"))
    (effect,) = match.audited().rulings[0].effects
    assert effect.text.endswith("| W, the dice 3-5-2 that lay there do not count")


# -- keys ----------------------------------------------------------------------------------


PLAYERS = {
    "Zoë": ARBITER,
    "Alba": ALBA,
    "Bruno": BRUNO,
    "Wanda": WITNESS,
    "Ana": ALL_KEYS["appeal"],
}


def trusted(**keys: SigningKey) -> Any:
    lines = (f"{name} {key.public.line}\n" for name, key in {**PLAYERS, **keys}.items())
    return parse_signers("".join(lines))


def test_keys_that_were_put_in_later_are_looked_up_and_replaced_ones_as_well() -> None:
    match = Match()
    changed = match.replace_key("swedes", CARLA)
    match.accept("swedes")
    events = envelopes_of(match)
    assert said(judged(events, signers=trusted())) == [(changed, "key-not-listed")]
    both = parse_signers(
        "".join(f"{name} {key.public.line}\n" for name, key in PLAYERS.items())
        + f"Alba {CARLA.public.line}\n"
    )
    report = judged(events, signers=both)
    assert report.verdict == "sound"
    assert [party.listed_as for party in held(report, "swedes")] == [("Alba",), ("Alba",)]
    without = {name: key for name, key in PLAYERS.items() if name != "Alba"} | {"Alba": CARLA}
    only_new = parse_signers("".join(f"{n} {key.public.line}\n" for n, key in without.items()))
    assert said(judged(events, signers=only_new)) == [(0, "key-not-listed")]


def test_a_countersignature_counts_for_the_key_that_gave_it() -> None:
    match = Match()
    match.resign("swedes")
    match.close()
    match.countersign("swedes")
    match.replace_key("swedes", CARLA)
    before, after = held(match.audited(), "swedes")
    assert (before.countersigned, after.countersigned) == (True, False)
    assert (before.until, after.since, after.consent) == (6, 6, False)


def test_a_countersignature_of_the_result_before_does_not_count() -> None:
    match = Match()
    match.resign("swedes")
    match.close()
    match.countersign("swedes")
    match.rule(GivenResult(kind="draw"))
    report = match.audited()
    assert report.end.endswith("closed with a draw (ruling); countersigned by nobody.")
    assert not held(report, "swedes")[0].countersigned
    old, new = report.results
    assert ([each.event for each in old.signed], new.signed) == ([5], ())
    assert (old.ended, new.stands) == (6, True)


def forged(match: Match, number: int, key: SigningKey, **changes: Any) -> list[Envelope]:
    """The match up to event ``number``, which is changed and signed by ``key``."""
    event = replace(decode(envelopes_of(match)[number].payload), **changes)
    return [*envelopes_of(match)[:number], envelopes.seal(encode(event), key.public, key.sign)]


def test_a_countersignature_that_names_the_superseded_result_is_a_fault() -> None:
    match = Match()
    match.resign("swedes")
    closing = match.close()
    first = match.state.head
    match.rule(GivenResult(kind="draw"))
    match.countersign("swedes")
    events = forged(match, closing + 2, ALBA, data=Countersignature(result_event=first))
    report = judged(events)
    assert said(report) == [(closing + 2, "wrong-result-event")]
    assert report.results[-1].signed == ()


def test_a_closing_that_cites_nothing_is_a_fault(capsys: Any) -> None:
    match = Match()
    match.rule(GivenResult(kind="draw"))
    closing = match.close()
    data = Closing(result=match.state.result)
    report = judged(forged(match, closing, ARBITER, data=data))
    assert said(report) == [(closing, "wrong-citation")]
    assert "It stands" not in told(report, capsys)


def test_a_forged_consent_is_a_fault_and_the_new_key_is_not_accused(capsys: Any) -> None:
    match = Match()
    number = match.replace_key("swedes", CARLA)
    data = replace(match.state.entries[number].event.data, consent="00" * 64)
    events = forged(match, number, ARBITER, data=data)
    follower = replace(match.next("seat.accepted", {}, "swedes").event, prev=events[-1].hash)
    events.append(envelopes.seal(encode(follower), CARLA.public, CARLA.sign))
    report = judged(events)
    assert said(report) == [(number, "bad-consent")]
    assert held(report, "swedes")[1].consent is False
    assert (
        f"from event {number} (see faults) on, a key the arbiter put in without the old key's "
        "consent"
    ) in section(report, "parties", capsys)


def test_a_key_put_in_after_the_damage_is_followed() -> None:
    match = Match()
    match.play("e3-f3")
    changed = match.replace_key("swedes", CARLA)
    match.accept("swedes")
    match.note("swedes")
    pieces: list[Any] = [*envelopes_of(match)]
    pieces[3] = Damage("not-an-envelope", "This event is damaged and cannot be read.")
    report = judged(pieces)
    assert said(report) == [(3, "not-an-envelope")]
    old, new = held(report, "swedes")
    assert (old.until, new.since, new.signed) == (changed, changed, 2)


# -- what was set aside --------------------------------------------------------------------


def beside(match: Match, seq: int, by: str, key: SigningKey, text: str, prev: str = "") -> Envelope:
    """A note that would continue event ``seq - 1``, or the event with the hash ``prev``."""
    entry = match.next("note", Remark(text=text), by, seq=seq, key=key)
    before = prev or match.state.entries[seq - 1].hash
    event = replace(entry.event, prev=before)
    return envelopes.seal(encode(event), key.public, key.sign)


def genuine(match: Match, *kept: Envelope) -> list[bool]:
    found: list[Event | None] = copies.genuine(match.state, kept)
    return [event is not None for event in found]


def test_an_event_set_aside_is_genuine_if_its_key_had_the_role_there() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")
    changed = match.replace_key("swedes", CARLA)
    match.accept("swedes")
    match.note()
    before = beside(match, changed, "swedes", ALBA, "Mine.")
    dead = beside(match, changed + 1, "swedes", ALBA, "Still mine.")
    early = beside(match, changed, "swedes", CARLA, "Not yet mine.")
    now = beside(match, changed + 2, "swedes", CARLA, "Mine now.")
    assert genuine(match, before, dead, early, now) == [True, False, False, True]


def test_an_event_set_aside_follows_its_own_copy() -> None:
    """What continues an event that was set aside is judged by the keys of that copy, in whatever
    order the two are kept."""
    match = Match()
    match.play("e3-f3", "e2-h2")
    other = Match()
    other.play("e3-f3")
    other.replace_key("swedes", CARLA)
    other.accept("swedes")
    branch = envelopes_of(other)[4:]
    wrong = beside(match, 6, "swedes", ALBA, "Mine.", branch[-1].hash)
    assert genuine(match, *reversed(branch), wrong) == [True, True, False]
    unknown = beside(match, 6, "swedes", ALBA, "Mine.", "0" * 64)
    assert genuine(match, unknown) == [True]


def test_what_the_old_key_signed_in_a_copy_that_was_set_aside(tmp_path: Path) -> None:
    """Alba moves on a phone without a network, while the arbiter puts in another key for her."""
    match, phone = Match(), Match()
    for copy in (match, phone):
        copy.play("e3-f3")
    match.replace_key("swedes", CARLA)
    match.accept("swedes")
    phone.play("e2-h2", "e4-e2")
    with new_service(tmp_path / "ledger.db") as service:
        take_in(service, envelopes_of(match), here=lambda _: ())
        brought = take_in(service, envelopes_of(phone), here=lambda _: ())
        assert len(brought.aside) == 2
        assert [waiting.event.seq for waiting in pending(service)] == [4, 5]
        bruno, alba = pending(service)
        assert bruno.plan(match.state).by == "muscovites"
        with refused("old-key", "whoever has the new one acts anew"):
            alba.plan(match.state)
    path = tmp_path / "ledger.db"
    view = inspect(str(path), path, Trust(documents=rulings.digests()))
    assert (view.verdict, view.file_faults) == ("sound", ())
    assert [(each.event, each.by, each.keyid) for each in view.set_aside] == [
        (4, "muscovites", BRUNO.public.fingerprint),
        (5, "swedes", ALBA.public.fingerprint),
    ]


@pytest.mark.parametrize("first", ["the-appeal-key", "the-arbiter-before"])
def test_against_a_copy_with_another_arbiter_the_key_before_has_no_say(
    first: str, tmp_path: Path
) -> None:
    """Zoë's key was stolen: Ana puts in Yara, and meanwhile somebody rules with Zoë's key."""
    put_in, stolen = Match(), Match()
    for copy in (put_in, stolen):
        copy.play("e3-f3")
    put_in.replace_arbiter(YARA, by="appeal")
    stolen.rule(GivenResult(kind="forfeit", winner="muscovites"))
    copies_ = [envelopes_of(put_in), envelopes_of(stolen)]
    with new_service(tmp_path / "ledger.db") as service:
        for events in copies_ if first == "the-appeal-key" else reversed(copies_):
            take_in(service, events, here=lambda _: ())
        assert service.state(put_in.state.match).head == put_in.state.head


def test_a_second_signature_of_a_key_that_was_replaced_is_judged_by_that_key(
    tmp_path: Path,
) -> None:
    match = Match()
    match.play("e3-f3")
    match.replace_key("swedes", CARLA)
    events = envelopes_of(match)
    other = Envelope(events[3].payload, CARLA.sign(events[3].payload), events[3].keyid)
    with new_service(tmp_path / "ledger.db") as service:
        take_in(service, events, here=lambda _: ())
        take_in(service, events, here=lambda _: ())
        with refused("bad-signature"):
            take_in(service, [*events[:3], other, *events[4:]], here=lambda _: ())

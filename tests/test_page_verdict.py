"""The first box and the last lines of the report: result, match, signatures, what was ruled, and
what may not be said of a broken record."""

from __future__ import annotations

import pytest
from match import Match, opened, sealed
from msgspec.structs import replace
from pagereader import Reader, golden, sign_anew, tampered
from table import BOTH, BOTH_SIDES, SHORT_GAME, STRANGER

from ledger import positions, record
from ledger.events import GivenResult, Penalty, Seat, Withdrawn
from ledger.fold import begin

pytest_plugins = ["browser"]

TABLUT, RULED = "v1-tablut", "v1-tablut-ruled"


def written(match: Match) -> bytes:
    return record.write(map(sealed, match.state.entries), positions.write(match.state))


def flipped(data: bytes) -> bytes:
    return bytes([*data[:9], data[9] ^ 1, *data[10:]])


def renamed(payload: bytes) -> bytes:
    return payload.replace(b'"at":"2026', b'"at":"2025', 1)


def finished() -> Match:
    match = Match()
    match.play(*SHORT_GAME)
    match.close()
    return match


# -- the head ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [{"payload": renamed}, {"signature": flipped}, {"keyid": STRANGER.public.fingerprint}],
    ids=["payload", "signature", "keyid"],
)
def test_the_head_does_not_vouch_for_a_record_that_was_altered_before_it(
    reader: Reader, changes: dict[str, object]
) -> None:
    data, state = golden(TABLUT)
    reader.open(tampered(data, 5, **changes))
    assert reader.judged() == "faults"
    head = reader.page.locator("section", has=reader.page.locator("#head-heading"))
    assert "nothing was changed" not in head.inner_text()
    assert "nothing was cut off" not in reader.text(".verdict")
    assert "says nothing about what stands before it" in head.inner_text()
    for typed, answer in ((state.head, "broken"), (state.head[:32], "broken"), ("0" * 64, None)):
        reader.page.fill("#head-field", typed)
        assert reader.page.get_attribute("#head-answer", "data-head") == (answer or "different")
        assert not reader.text("#head-answer").startswith("The same")
    reader.page.fill("#head-field", state.entries[3].hash)
    assert "added after the sheet was signed" not in reader.text("#head-answer")


def test_a_fault_of_the_dice_leaves_the_head_its_meaning(reader: Reader) -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    match.roll()
    data = sign_anew(match, match.state.rolling.rolls[0].seq, nonce="5a" * 32)
    reader.open(data)
    assert reader.checks()["dice"] == "fault"
    reader.page.fill("#head-field", reader.text("#head"))
    assert reader.text("#head-answer").startswith("The same: ")


# -- the result ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (TABLUT, "Result: Alba (swedes) wins (goal), as closed in event 12."),
        (RULED, "Result: both forfeit the game, by the decision on appeal in event 41."),
        ("v1-tablut-offers", "Result: the game is a draw (agreed), as closed in event 25."),
        ("v1-tablero", "Result: Bruno (north) wins (cleaned out), as closed in event 81."),
    ],
)
def test_who_won_stands_first(reader: Reader, name: str, line: str) -> None:
    reader.open(golden(name)[0])
    assert reader.text(".verdict h2 + p") == line


def test_without_a_closing_no_result_is_known(reader: Reader) -> None:
    match = Match()
    match.play(*SHORT_GAME)
    reader.open(written(match))
    assert reader.text(".result") == "No result is known: the match is not closed."
    assert "not closed: what came after it" in reader.text(".end")


def test_a_closing_behind_a_fault_is_said_to_be_there_and_not_judged(reader: Reader) -> None:
    match = finished()
    reader.open(sign_anew(match, 2, **{}))  # signed anew as it was: nothing is wrong
    assert reader.judged() == "sound"
    data = record.write(map(sealed, match.state.entries))
    reader.open(tampered(data, 2, payload=renamed))
    assert reader.judged() == "faults"
    for place in (".verdict", ".end"):
        assert "event 12 that could not be judged" in reader.text(place)
    assert "not closed" not in reader.text("main")
    assert "nobody can see" not in reader.text("main")
    assert "With the faults found this is not proven." in reader.text("main")


def test_the_match_is_named_with_all_that_its_opening_says(reader: Reader) -> None:
    match = Match(ruleset="tablero", dice=BOTH_SIDES, turn_cap=60, play=False)
    said = {
        "event": "Spring meet",
        "round": "3",
        "table": "7",
        "place": "Jerez",
        "date": "2026-03-01",
        "opening_deadline": "within 5 minutes",
    }
    seats = {"south": Seat(name="Elsa"), "north": Seat(name="Franz")}
    seats = {
        role: replace(seat, key=match.state.opening.seats[role].key) for role, seat in seats.items()
    }
    match.state = begin(opened(replace(match.state.opening, seats=seats, **said)))
    reader.open(written(match))
    facts = reader.text(".facts")
    for words in (
        "Players\nElsa (south) – Franz (north)",
        "Event\nSpring meet",
        "Round\n3",
        "Table\n7",
        "Place\nJerez",
        "Date\n2026-03-01",
        "Rules\ntablero, version 1",
        "Turn cap\n60 turns",
        "Dice\nmade by Elsa (south) and Franz (north)",
        "Dice are opened\nwithin 5 minutes",
        "Arbiter\nZoë",
        "Events\n1, numbered 0",
        "Match id\n" + match.state.match[:4],
    ):
        assert words in facts
    reader.page.click(".options summary")
    assert "diablo = automatic" in reader.text(".options")
    assert "Elsa (south) – Franz (north)" in reader.text("#e0")


def test_the_window_names_verdict_and_match(reader: Reader) -> None:
    data, _ = golden(TABLUT)
    reader.open()
    before = reader.page.title()
    reader.drop(data)
    reader.judged()
    good = "Nothing wrong found in what this page checks"
    assert reader.page.title() == f"{good} · Alba – Bruno, tablut · Tabellion"
    reader.drop(b"no record")
    reader.status()
    assert reader.page.title() == before


def test_the_file_that_was_judged_is_named(reader: Reader) -> None:
    reader.open()
    reader.drop(golden(TABLUT)[0], name="round <3>.json")
    reader.judged()
    good = "Nothing wrong found in what this page checks"
    assert reader.text("#status") == f"Checked: round <3>.json. {good}."
    reader.open(golden(TABLUT)[0])
    assert reader.text("#status") == f"Checked: the record inside this page. {good}."


def test_the_first_fault_is_in_the_box_with_the_way_to_all(reader: Reader) -> None:
    reader.open(tampered(golden(TABLUT)[0], 5, payload=renamed))
    first = reader.text(".verdict .first-fault")
    assert first.startswith("The first fault is in event 5: The signature is not the one of swedes")
    reader.page.click(".first-fault a[href='#checks-heading']")
    assert reader.page.evaluate("document.activeElement.id") == "checks-heading"
    reader.open(golden(TABLUT)[0])
    assert not reader.page.locator(".first-fault").count()


# -- the end -------------------------------------------------------------------------------------


def test_who_signed_for_whom_and_who_would_not(reader: Reader) -> None:
    match = finished()
    match.countersign("swedes")
    refused = match.refuse_to_sign("muscovites")
    match.countersign("witness1", absent="muscovites")
    reader.open(written(match))
    assert reader.text(".end").endswith(
        "closed; countersigned by Alba (swedes) and Wanda (witness1) instead of Bruno (muscovites)."
    )
    assert reader.text(".refused") == (
        f"Bruno (muscovites) does not sign the result: He left in anger. (event {refused})"
    )
    match.countersign("muscovites")
    reader.open(written(match))
    assert not reader.page.locator(".refused").count()


def test_signatures_under_a_result_that_was_changed_do_not_count(reader: Reader) -> None:
    match = finished()
    match.countersign("swedes")
    match.rule(GivenResult(kind="draw"))
    reader.open(written(match))
    assert reader.text(".end").endswith("closed; countersigned by nobody.")
    assert reader.text(".result").startswith("Result: the game is a draw, by the ruling of event")


def test_disputes_rulings_and_penalties_are_listed_with_what_came_of_them(reader: Reader) -> None:
    match = Match()
    match.play(*SHORT_GAME[:2])
    match.dispute(4)
    warned = match.rule(Penalty(penalty="warning", seat="swedes"))
    kept = match.rule(Penalty(penalty="warning", seat="muscovites"))
    match.rule(Withdrawn(ruling=warned))
    appeal = match.appeal("muscovites", match.state.entries[kept].hash)
    reader.open(written(match))
    assert "not decided in this record" in reader.text("[data-official=appeal]")
    decided = match.decide(appeal, Penalty(penalty="warning", seat="muscovites"))
    reader.open(written(match))
    listed = reader.page.locator(".officials li").all_inner_texts()
    assert listed[0].startswith("Event 5: Alba (swedes) disputes event 4: ")
    assert listed[1].endswith("(the penalty is withdrawn in event 8)")
    assert listed[4].endswith(f"(decided in event {decided})")
    stand = f"Penalties that stand were given in events {kept} and {decided}."
    assert reader.text(".penalties") == stand
    reader.page.click(".officials li >> nth=0 >> a")
    assert reader.at() == 5


# -- words ---------------------------------------------------------------------------------------


def test_shares_are_named_by_whose_they_are(reader: Reader) -> None:
    reader.open(golden("v1-tablero-called")[0])
    assert "offers a settlement: Alba (south) 20, Bruno (north) 16" in reader.text("#e48")


def test_a_voided_roll_does_not_count_and_nobody_took_it_back(reader: Reader) -> None:
    reader.open(golden("v1-tabula-on-the-table")[0], "#e6")
    for seq, by in ((6, 7), (8, 11), (9, 11)):
        words = f"does not count (voided by event {by}: a die was cocked)"
        assert words in reader.text(f"#e{seq}")
        assert "taken back" not in reader.text(f"#e{seq}")
    assert "does not count (voided by event 7: a die was cocked)" in reader.text(".headline")
    assert "does not count (voided by event 7: a die was cocked)" in reader.text(".roll")


def test_nobody_shouts_and_no_sentence_ends_twice(reader: Reader) -> None:
    for name in (RULED, "v1-tabula-ruled", "v1-tabula-on-the-table"):
        reader.open(golden(name)[0])
        text = reader.text("main")
        assert ".." not in text.replace("…", "")
        assert not {"WITHOUT", "VOID", "NOT", "WRONG"} & {*text.replace(":", "").split()}


def test_holders_of_one_role_stand_together_the_old_before_the_new(reader: Reader) -> None:
    reader.open(golden(RULED)[0])
    roles = reader.page.locator(".parties [data-role]").evaluate_all(
        "lines => lines.map((line) => line.dataset.role)"
    )
    assert roles == sorted(roles, key=list(dict.fromkeys(roles)).index)
    assert roles[:2] == ["arbiter", "arbiter"]
    names = reader.page.locator(".parties h3").all_inner_texts()
    assert names.index("Bruno (muscovites)") < names.index("Dora (muscovites)")
    assert names.index("Zoë (arbiter)") < names.index("Yara (arbiter)")

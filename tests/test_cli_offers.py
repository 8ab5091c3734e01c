"""Offers, answers, claims and calls as they are typed, and where they are seen afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from table import SHORT_GAME
from terminal import Desk

WALK = ("e3-f3", "e2-h2", "f3-e3", "h2-e2")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def standing(desk: Desk) -> list[dict[str, Any]]:
    return list(json.loads(desk("show", "--json").out)["offers"])


def test_an_offer_is_shown_with_the_words_that_answer_it(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    said = desk("offer", "draw", "--seat", "swedes").out
    (offer,) = standing(desk)
    digits = offer["hash"][:4]
    assert (offer["seat"], offer["text"]) == ("swedes", "a draw")
    told = f"Alba (the Swedes) offers a draw. Bruno: agree {digits} or decline {digits}."
    assert told in said
    assert told in desk("show").out
    said = desk.did("decline", digits)
    assert "Bruno declines: a draw, offered in event 4" in said
    assert standing(desk) == []


def test_an_agreed_draw_from_offer_to_record(desk: Desk) -> None:
    desk.open()
    desk.did("offer", "draw", "--key", "bruno")
    said = desk.did("agree", standing(desk)[0]["hash"][:8].upper())
    assert "Alba agrees: a draw, offered in event 3" in said
    assert "The players agreed to a draw. The arbiter closes the match." in said
    desk.did("close")
    desk.did("countersign")
    said = desk.did("audit")
    assert "closed with a draw (agreed)" in said.replace("\n", " ")
    assert "[result:0]" in desk("export", "--format", "otn").out


def test_a_takeback_names_what_is_taken_back(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3", "e2-h2", "e4-e2")
    desk.did("note", "A cough.")
    said = desk.did("offer", "takeback", "4", "--seat", "muscovites")
    assert "Bruno offers to take back event 4 and what followed (e2-h2, e4-e2)" in said
    desk.did("agree", standing(desk)[0]["hash"])
    shown = json.loads(desk("log", "--json").out)["events"]
    assert [event["seq"] for event in shown if event["superseded"]] == [4, 5]
    assert "takeback agreed (events 7 and 8); took back: 4, 5" in desk.did("audit")
    said = desk.did("offer", "takeback", "--seat", "muscovites")  # the last act
    assert "Bruno offers to take back event 3 and what followed (e3-f3)" in said
    for number in ("0", "4", "6"):
        assert desk("offer", "takeback", number, "--seat", "swedes").status == 1
    assert desk("offer", "takeback", "99", "--seat", "swedes").code == "no-event"


def test_a_match_without_takebacks(desk: Desk) -> None:
    desk.open("--no-takebacks")
    desk.did("move", "e3-f3")
    ran = desk("offer", "takeback", "3", "--seat", "swedes")
    assert (ran.status, ran.code) == (1, "no-takebacks")


def test_who_offers_is_never_guessed(desk: Desk) -> None:
    desk.open()
    for command in (["offer", "draw"], ["resign"], ["claim"]):
        ran = desk(*command)
        assert (ran.status, ran.code) == (2, "which-seat")
        assert "hint: --seat swedes or --seat muscovites" in ran.err
    assert desk("offer", "draw", "--seat", "white").code == "which-seat"
    (desk.keys / "bruno").unlink()
    (desk.keys / "zoe").unlink()
    assert "Alba offers a draw" in desk.did("offer", "draw")


@pytest.mark.parametrize("typed", ["", "abc", "zzzz", "0" * 64, "\x1b[2J", "1" * 10_000])
def test_an_answer_to_no_offer(desk: Desk, typed: str) -> None:
    desk.open()
    desk.did("offer", "draw", "--seat", "swedes")
    for command in ("agree", "decline"):
        ran = desk(command, *([typed] if typed else []))
        assert ran.status == 3
        assert ran.code in ("no-offer", "which-offer")
        assert "Alba (the Swedes) offers a draw." in ran.err
        assert "\x1b" not in ran.err
    assert len(standing(desk)) == 1


def test_an_offer_that_lapsed_cannot_be_answered(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    desk.did("offer", "draw", "--seat", "swedes")
    (offer,) = standing(desk)
    desk.did("move", "e2-h2")
    ran = desk("agree", offer["hash"][:6])
    assert (ran.status, ran.code) == (1, "offer-lapsed")


def test_nobody_answers_with_the_key_of_the_one_who_offered(desk: Desk) -> None:
    desk.open()
    desk.did("offer", "draw", "--seat", "swedes")
    digits = standing(desk)[0]["hash"][:6]
    assert desk("agree", digits, "--key", "alba").status == 1
    assert desk("agree", digits, "--key", "zoe").status == 1
    desk.did("agree", digits, "--key", "bruno")


def test_the_arbiter_writes_for_who_has_no_key(desk: Desk) -> None:
    desk.open(keyed=("swedes",))
    desk.did("offer", "draw", "--seat", "muscovites")
    desk.did("decline", standing(desk)[0]["hash"][:4])
    desk.did("offer", "draw", "--seat", "swedes")
    desk.did("agree", standing(desk)[0]["hash"][:4])
    signed = [(e["by"], e["for"]) for e in json.loads(desk("log", "--json").out)["events"][-4:]]
    assert signed == [
        ("arbiter", "muscovites"),
        ("swedes", None),
        ("swedes", None),
        ("arbiter", "muscovites"),
    ]


def test_occurrences_are_counted_aloud_until_a_draw_is_claimed(desk: Desk) -> None:
    desk.open()
    desk.did("move", *WALK)
    assert "This position stands for the second time." in desk.did("show")
    early = desk("claim", "--seat", "swedes")
    assert (early.status, early.code) == (1, "repetition")
    desk.did("move", *WALK)
    shown = desk.did("show")
    assert "stands for the third time: either player may claim a draw." in shown
    said = desk.did("claim", "--seat", "muscovites")
    assert "Bruno claimed a draw. This position stands for the third time" in said
    assert json.loads(desk("show", "--json").out)["result"]["how"] == "repetition"


def test_a_call_that_is_missing_or_false_is_seen_in_show_log_and_audit(desk: Desk) -> None:
    desk.open()
    said = desk.did("move", *SHORT_GAME[:5])
    assert "raichi is due from the Swedes" in said
    desk.did("move", SHORT_GAME[5], SHORT_GAME[6])
    desk.did("call", "TWÍ-hi")
    assert "A false call: tuichi was called, but raichi was due." in desk.did("show")
    desk.did("move", SHORT_GAME[7])
    for command in ("show", "log", "audit"):
        said = desk.did(command)
        assert "raichi was due and not called" in said, command
        assert "tuichi was called, but raichi was due" in said, command
    breaches = json.loads(desk("show", "--json").out)["breaches"]
    assert [breach["seq"] for breach in breaches] == [7, 10]


def test_calls_among_moves_and_where_they_do_not_belong(desk: Desk) -> None:
    desk.open()
    desk.did("move", *SHORT_GAME[:4], "Ke5-e3", "raichi", "h3-h4")
    assert desk.types()[-3:] == ["move", "call", "move"]
    ran = desk("move", "Ke3-a3", "h4-g4", "raichi", "a3-a1")
    assert (ran.status, ran.code) == (1, "calls")
    assert ran.err.startswith("error[calls]: move 3")
    assert "Nothing was written." in ran.err
    assert desk.types()[-1] == "move"
    assert desk("call", "hurrah").code == "bad-call"
    assert desk("call", "raichi", "--key", "bruno").status == 1

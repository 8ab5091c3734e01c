"""Rulings that are undone, as it is typed: --withdraw, a rewind of a rewind, and correct."""

from __future__ import annotations

import pytest
from terminal import Desk
from test_cli_officials import WHY, begin, carried_elsewhere, refused, rule, shown, struck
from test_cli_officials import desk as desk


def test_a_penalty_is_withdrawn_and_counted_no_more(desk: Desk) -> None:
    begin(desk)
    rule(desk, "--penalty", "swedes=warning")
    rule(desk, "--penalty", "swedes=warning")
    said = rule(desk, "--withdraw", "5")
    assert "ruling: the penalty of event 5 is withdrawn: Both saw it." in said
    looked = desk.did("show")
    assert "event 5: a warning for Alba, withdrawn by event 7\n" in looked
    assert "event 6: a warning for Alba\n" in looked
    assert [(each["count"], each["withdrawn"]) for each in shown(desk)["penalties"]] == [
        (0, 7),
        (1, None),
    ]
    ran = refused(desk, "ruling", "--withdraw", "5", *WHY)
    assert "Event 5 gave no penalty that still counts." in ran.err
    rule(desk, "--withdraw", "6", "--rewind", "2", "--penalty", "muscovites=fine")
    given = (
        "- Alba (swedes): a warning (event 5, withdrawn by event 7) and a warning (event 6, "
        "withdrawn by event 8)\n- Bruno (muscovites): a fine (event 8)\n"
    )
    assert given in carried_elsewhere(desk)


@pytest.mark.parametrize(
    "effects",
    [("--rewind", "2"), ("--result", "draw"), ("--penalty", "swedes=warning")],
    ids=lambda effects: effects[0],
)
def test_a_ruling_is_taken_back_by_another_and_not_corrected(
    desk: Desk, effects: tuple[str, ...]
) -> None:
    begin(desk)
    rule(desk, *effects)
    ran = refused(desk, "correct", "5", "--reason", "I was wrong.")
    assert ran.err == (
        "error[a-ruling]: Event 5 is a ruling: another ruling takes it back, or withdraws its "
        "penalty.\n\nhint: tabellion ruling --help\n"
    )


def test_what_became_of_a_ruling_that_was_taken_back_itself(desk: Desk) -> None:
    begin(desk)
    rule(desk, "--rewind", "2", "--penalty", "swedes=warning")
    rule(desk, "--rewind", "4")
    assert struck(desk) == [5]
    first = "ruling: back to event 2, a warning for Alba: Both saw it. [tablut-1: Moving]"
    assert f"{first} (taken back)\n" in desk("log").out
    assert "it is taken back by event 6\n" in desk("explain", "5").out
    assert "it stands\n" in desk("explain", "6").out
    said = " ".join(carried_elsewhere(desk).split())
    assert "took back: 3 (e3-f3 by Alba), 4 (e2-h2 by Bruno); taken back itself by event 6" in said
    assert "brought back: 3, 4" in said
    assert shown(desk)["penalties"][0]["withdrawn"] is None
    rule(desk, "--rewind", "5")
    assert struck(desk) == [3, 4, 6]
    assert "it stands\n" in desk("explain", "5").out
    assert "it is taken back by event 7\n" in desk("explain", "6").out

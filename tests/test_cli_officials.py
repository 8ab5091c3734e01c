"""Disputes, rulings, signatures and appeals as they are typed, in all games."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from terminal import Desk, Ran
from test_cli_copies import Laptops
from test_cli_process import terminal

from ledger.keys import Keyring

BEGUN = {
    "tablut": ("move e3-f3", "move e2-h2"),
    "tabula": ("roll 4-2", "roll 6-5-1", "move hand/6 hand/5 hand/1"),
    "tablero": ("roll 5-3", "roll 3-3", "move a7-a4 b7-b4"),
}
"""What is played before somebody complains: the last is the first seat's, but in tablut."""
SEATS = {
    "tablut": ("swedes", "muscovites"),
    "tabula": ("white", "black"),
    "tablero": ("south", "north"),
}
GAMES = tuple(BEGUN)
WHY = ("--reason", "Both saw it.", "--rule", "tablut-1: Moving")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def begin(
    desk: Desk, game: str = "tablut", *more: str, keyed: bool = True, plays: bool = True
) -> None:
    """Alba and Bruno play with Zoë as arbiter, Wanda as witness and Dora to decide appeals, all at
    one laptop. Dice lie on the table, if ``more`` does not say else."""
    for name in ("zoe", "alba", "bruno", "wanda", "dora"):
        Keyring(desk.keys).create(name, None)
    terms = ["--key", "zoe", "--arbiter", "Zoë", "--witness", "Wanda=wanda", "--appeal"]
    terms += ["Dora=dora"]
    for seat, player in zip(SEATS[game], ("Alba", "Bruno"), strict=True):
        terms += ["--seat", f"{seat}={player}"]
        terms += ["--seat-key", f"{seat}={player.lower()}"] if keyed else []
    if game != "tablut" and "--dice" not in more:
        terms += ["--dice", "table"]
    desk.did("open", game, *terms, *more)
    if keyed:
        desk.did("accept")
    for line in BEGUN[game] if plays else ():
        desk.did(*line.split())


def shown(desk: Desk, *arguments: str) -> Any:
    return json.loads(desk("show", "--json", *arguments).out)


def logged(desk: Desk) -> list[Any]:
    return list(json.loads(desk("log", "--json").out)["events"])


def rule(desk: Desk, *effects: str) -> str:
    return desk.did("ruling", *effects, *WHY)


def refused(desk: Desk, *arguments: str) -> Ran:
    """A command that is refused in words, and leaves the record as it was."""
    before = desk.types()
    ran = desk(*arguments)
    assert 1 <= ran.status <= 4, ran.out + ran.err
    assert ran.code, ran.err
    assert (ran.out, desk.types()) == ("", before)
    return ran


def carried_elsewhere(desk: Desk) -> str:
    """The record on another device: taken in there, and audited."""
    seen = shown(desk)
    desk.did("export", "-o", "record.json", "--force")
    with desk.patch.context() as elsewhere:
        elsewhere.setenv("XDG_DATA_HOME", str(desk.folder / "elsewhere"))
        desk.did("import", "record.json")
        there = shown(desk)
        said = desk.did("audit", "record.json")
    assert (there["head"], there["position"]) == (seen["head"], seen["position"])
    assert "verdict: SOUND" in said
    return said


# -- disputes ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_dispute_from_the_complaint_to_the_ruling(desk: Desk, game: str) -> None:
    begin(desk, game)
    (first, second), about = SEATS[game], shown(desk)["seq"]
    desk.did("note", "Spectators came in.")  # what is disputed is the last act
    said = desk.did("dispute", "--reason", "He touched another one.", "--seat", second)
    assert f"Bruno disputes event {about}: He touched another one." in said
    assert f"Event {about} is disputed (event {about + 2}): Zoë (the arbiter) rules." in said
    for command in ("resign --seat " + first, "offer draw --seat " + first, "adjourn", "close"):
        assert desk(*command.split()).status == 1
    assert refused(desk, "resign", "--seat", first).code == "disputed"
    desk.did("statement", "I did not.", "--seat", first)
    desk.did("statement", "He did, with the left hand.", "--key", "wanda")
    desk.did("statement", "I looked away.")
    assert [(each["seat"], each["text"]) for each in shown(desk)["dispute"]["statements"]] == [
        (first, "I did not."),
        ("witness1", "He did, with the left hand."),
        ("arbiter", "I looked away."),
    ]
    looked = desk.did("show")
    assert "Wanda states: He did, with the left hand." in looked
    assert "Zoë states: I looked away." in looked
    assert "Alba – Bruno" in desk.did("list", "--disputed")
    before = shown(desk)
    assert "ruling: dismissed: Both saw it. [tablut-1: Moving]" in rule(desk, "--dismiss")
    after = shown(desk)
    assert (after["dispute"], after["phase"]) == (None, "in-play")
    assert (after["position"], after["dice"]) == (before["position"], before["dice"])
    assert "No match is disputed." in desk.did("list", "--disputed")
    carried_elsewhere(desk)


@pytest.mark.parametrize("game", GAMES)
def test_where_the_arbiter_writes_for_both(desk: Desk, game: str) -> None:
    begin(desk, game, keyed=False)
    first, second = SEATS[game]
    ran = refused(desk, "dispute", "--reason", "x", "--seat", first)
    assert ran.code == "keyless"
    assert "the arbiter does it in their own name" in ran.err
    assert "hint: --key zoe\n" in ran.err
    desk.did("dispute", "--reason", "Alba complains: it was not her move.", "--key", "zoe")
    desk.did("statement", "It was.", "--seat", second)
    assert [(each["by"], each["for"]) for each in logged(desk)[-2:]] == [
        ("arbiter", None),
        ("arbiter", second),
    ]
    for arguments in (["settle", "--seat", first], ["settle", "--key", "zoe"]):
        assert refused(desk, *arguments).code in ("keyless", "wrong-role")
    rule(desk, "--dismiss")
    ran = refused(desk, "appeal", "--reason", "x", "--seat", first)
    assert (ran.code, "Alba has no key, and nobody appeals for them." in ran.err) == (
        "keyless",
        True,
    )
    carried_elsewhere(desk)


@pytest.mark.parametrize("game", GAMES)
def test_both_players_settle_it(desk: Desk, game: str) -> None:
    begin(desk, game)
    first, second = SEATS[game]
    desk.did("dispute", "--reason", "x", "--seat", first)
    assert "Alba would settle it." in desk.did("settle", "--seat", first)
    assert refused(desk, "settle", "--seat", first).code == "settled-already"
    assert shown(desk)["dispute"]["settled"] == [first]
    desk.did("settle", "--key", "bruno")
    assert shown(desk)["phase"] == "in-play"
    assert refused(desk, "settle", "--seat", second).code == "no-such-dispute"
    carried_elsewhere(desk)


def test_a_match_without_settlements(desk: Desk) -> None:
    begin(desk, "tablut", "--no-settlements")
    desk.did("dispute", "--reason", "x", "--seat", "swedes")
    assert refused(desk, "settle", "--seat", "swedes").code == "no-settlements"


@pytest.mark.parametrize(
    ("terms", "keyed", "hint"),
    [
        ((), True, "tabellion ruling --help; where both agree: tabellion settle --help"),
        ((), False, "tabellion ruling --help"),
        (("--no-settlements",), True, "tabellion ruling --help"),
    ],
    ids=["keys", "scribe", "no-settlements"],
)
def test_who_meets_a_dispute_is_told_to_settle_it_only_where_both_can(
    desk: Desk, terms: tuple[str, ...], keyed: bool, hint: str
) -> None:
    begin(desk, "tablut", *terms, keyed=keyed)
    desk.did("dispute", "--reason", "x", "--key", "zoe")
    ran = refused(desk, "move", "e4-e2")
    assert ran.err.endswith(f"\n\nhint: {hint}\n")


def test_who_complains_is_never_guessed_and_the_hint_names_everybody_here(desk: Desk) -> None:
    begin(desk)
    ran = refused(desk, "dispute", "--reason", "x")
    assert ran.err == (
        "error[which-seat]: Say who disputes.\n\n"
        "hint: --seat swedes, or --seat muscovites, or --key zoe (Zoë), or --key wanda (Wanda)\n"
    )
    ran = refused(desk, "dispute", "--reason", "x", "--seat", "swedes", "--key", "bruno")
    assert "The key bruno is that of muscovites, not of swedes." in ran.err
    for name in ("alba", "bruno", "zoe"):
        (desk.keys / name).unlink()
    assert "Wanda disputes event 4: x" in desk.did("dispute", "--reason", "x")


@pytest.mark.parametrize("command", ["settle", "appeal --reason x"])
def test_what_only_players_do_names_only_players(desk: Desk, command: str) -> None:
    begin(desk)
    desk.did("dispute", "--reason", "x", "--key", "zoe")
    if command != "settle":
        rule(desk, "--dismiss")
    ran = refused(desk, *command.split())
    assert "hint: --seat swedes, or --seat muscovites\n" in ran.err
    (desk.keys / "bruno").unlink()
    assert "Alba" in desk.did(*command.split())


# -- what cannot be done -------------------------------------------------------------------

HOSTILE = ("\u202eclosed", "a\x1b[2Jb", "a\x00b", "\ud800", "one\ntwo", " ", "x" * 5000)
NOT_WORDS = ("forbidden-character", "no-words", "too-long")
IMPOSSIBLE = [
    (["dispute", "--seat", "swedes"], "usage"),
    (["dispute", "99", "--reason", "x", "--seat", "swedes"], "no-event"),
    (["dispute", "1" * 15, "--reason", "x", "--seat", "swedes"], "no-event"),
    (["dispute", "1" * 10_000, "--reason", "x", "--seat", "swedes"], "usage"),
    (["dispute", "3", "--reason", "x", "--seat", "white"], "which-seat"),
    (["dispute", "3", "--reason", "x", "--key", "dora"], "wrong-role"),
    (["dispute", "3", "--reason", "x", "--key", "carla"], "no-role"),
    (["dispute", "3", "--reason", "x", "--key", "nobody"], "key-not-found"),
    (["statement", "x"], "nothing-at-issue"),
    (["settle", "--seat", "swedes"], "no-such-dispute"),
    (["appeal", "--reason", "x", "--seat", "swedes"], "not-appealable"),
    (["appeal", "3", "--reason", "x", "--seat", "swedes"], "not-appealable"),
    (["appeal", "99", "--reason", "x", "--seat", "swedes"], "no-event"),
    (["ruling", "--dismiss", "--reason", "x"], "usage"),
    (["ruling", "--dismiss", "--rule", "x"], "usage"),
    (["ruling", *WHY], "no-effect"),
    (["ruling", *WHY, "--dismiss"], "nothing-to-dismiss"),
    (["ruling", *WHY, "--dismiss", "--key", "alba"], "wrong-role"),
    (["ruling", *WHY, "--dismiss", "--key", "carla"], "no-role"),
    (["ruling", *WHY, "--appeal", "--dismiss"], "no-such-appeal"),
    (["ruling", *WHY, "--rewind", "2", "--result", "draw"], "effects-clash"),
    (["ruling", *WHY, "--rewind", "99"], "no-event"),
    (["ruling", *WHY, "--rewind", "-1"], "usage"),
    (["ruling", *WHY, "--rewind", "4"], "nothing-to-rewind"),
    (["ruling", *WHY, "--rewind", "2", "--dice", "keep"], "no-dice"),
    (["ruling", *WHY, "--rewind", "2", "--dice", "burn"], "bad-option"),
    (["ruling", *WHY, "--dice", "keep"], "usage"),
    (["ruling", *WHY, "--position", "start"], "bad-position"),
    (["ruling", *WHY, "--position", "\u202e"], "bad-position"),
    (["ruling", *WHY, "--position", "9" * 5000], "bad-position"),
    (["ruling", *WHY, "--result", "win"], "bad-result"),
    (["ruling", *WHY, "--result", "draw=swedes"], "bad-result"),
    (["ruling", *WHY, "--result", "win=white"], "which-seat"),
    (["ruling", *WHY, "--result", "won=swedes"], "bad-option"),
    (["ruling", *WHY, "--penalty", "swedes"], "bad-option"),
    (["ruling", *WHY, "--penalty", "swedes=death"], "bad-option"),
    (["ruling", *WHY, "--penalty", "white=warning"], "which-seat"),
    (["ruling", *WHY, "--withdraw", "3"], "no-such-penalty"),
    (["ruling", *WHY, "--withdraw", "99"], "no-such-penalty"),
    (["ruling", *WHY, "--withdraw", "-1"], "usage"),
    (["ruling", *WHY, "--withdraw", "the warning"], "usage"),
    (["ruling", *WHY, "--penalty", "swedes=game_lost"], "effects-clash"),
    (
        ["ruling", *WHY, "--penalty", "swedes=game_lost", "--result", "win=swedes"],
        "effects-clash",
    ),
    (["ruling", *WHY, *(["--penalty", "swedes=fine"] * 9)], "too-many"),
    (["ruling", *WHY, "--award", "3-5"], "no-dice"),
    (["ruling", *WHY, "--award", "3-9"], "bad-dice"),
    (["ruling", *WHY, "--contributors", "swedes+arbiter"], "no-dice"),
    (["countersign"], "not-closed"),
    (["countersign", "--refused", "swedes"], "usage"),
    (["countersign", "--reason", "x"], "usage"),
    (["countersign", "--refused", "swedes", "--reason", "x", "--absent", "swedes"], "usage"),
    (["countersign", "--refused", "swedes", "--reason", "x"], "not-closed"),
    (["countersign", "--absent", "swedes"], "not-closed"),
]


def test_what_cannot_be_done_is_said_and_nothing_is_written(desk: Desk) -> None:
    begin(desk)
    desk.make_keys("carla")
    for arguments, code in IMPOSSIBLE:
        ran = refused(desk, *arguments)
        assert ran.code == code, (arguments, ran.err)
        assert "Traceback" not in ran.err
        assert len(ran.err) < 700, ran.err


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_words_that_do_not_belong_on_a_record(desk: Desk, text: str) -> None:
    begin(desk)
    for arguments in (
        ["dispute", "--reason", text, "--seat", "swedes"],
        ["ruling", "--penalty", "swedes=fine", "--reason", text, "--rule", "x"],
        ["ruling", "--penalty", "swedes=fine", "--reason", "x", "--rule", text],
        ["countersign", "--refused", "swedes", "--reason", text],
    ):
        ran = refused(desk, *arguments)
        assert ran.code in NOT_WORDS, ran.err
        assert not set("\x1b\x00\u202e") & set(ran.err)
    desk.did("dispute", "--reason", "x", "--seat", "swedes")
    assert refused(desk, "statement", text, "--seat", "swedes").code in NOT_WORDS


def test_words_of_other_scripts_stand_as_they_were_written(desk: Desk) -> None:
    begin(desk)
    text = "השחקן נגע בכלי — 👩‍👩‍👧 \U0001f3b2 ﷽"
    desk.did("dispute", "--reason", text, "--seat", "swedes")
    assert shown(desk)["dispute"]["text"] == text
    assert text in desk("log").out


# -- what a ruling does --------------------------------------------------------------------


def struck(desk: Desk) -> list[int]:
    return [each["seq"] for each in logged(desk) if each["superseded"]]


def test_a_rewind_of_a_rewind(desk: Desk) -> None:
    begin(desk)
    desk.did("dispute", "3", "--reason", "x", "--seat", "muscovites")
    assert "taken back: events 3, 4" in rule(desk, "--rewind", "2")
    assert struck(desk) == [3, 4]
    assert "Alba moves e3-f3 (taken back)" in desk("log").out
    desk.did("move", "e3-g3")
    said = rule(desk, "--rewind", "4")
    assert "taken back: events 6, 7" in said
    assert struck(desk) == [6, 7], "the first ruling counts no more, nor what was played after it"
    assert "[tablut-1: Moving] (taken back)" in desk("log").out
    assert shown(desk)["last_action"] == "e2-h2"
    rule(desk, "--rewind", "7")
    assert struck(desk) == [3, 4, 8], "the second counts no more, the first does again"
    assert shown(desk)["last_action"] == "e3-g3"
    carried_elsewhere(desk)


def test_a_rewind_over_dice(desk: Desk) -> None:
    begin(desk, "tabula")
    desk.did("roll", "2-3-4")
    thrown = shown(desk)["seq"] - 1
    ran = refused(desk, "ruling", *WHY, "--rewind", str(thrown - 1))
    assert (ran.code, "hint: --dice rethrow" in ran.err) == ("across-a-throw", True)
    rule(desk, "--rewind", str(thrown), "--dice", "rethrow")
    assert (shown(desk)["dice"], shown(desk)["turn"]) == ([], "black")
    desk.did("roll", "1-1-2")
    assert shown(desk)["dice"] == [1, 1, 2]
    carried_elsewhere(desk)


SET = {
    "tablut": ("/9/9/9/9/3K5/9/9/9/3ttt3/ s", "move d5-d6"),
    "tabula": ("W h0 b0 o14 1:1 | B h0 b0 o14 9:1 | B", "roll 6-6-6"),
    "tablero": ("4444444 10,19 0 0 north throw", "roll 1-3"),
}
"""Positions that no moves lead to, and what is done from there."""


@pytest.mark.parametrize("keyed", [True, False], ids=["keys", "scribe"])
@pytest.mark.parametrize("game", GAMES)
def test_a_position_that_no_move_reaches_is_played_on(desk: Desk, game: str, keyed: bool) -> None:
    begin(desk, game, keyed=keyed)
    text, act = SET[game]
    assert f"ruling: the position is {text}: Both saw it." in rule(desk, "--position", text)
    assert shown(desk)["position"] == text
    assert refused(desk, "ruling", *WHY, "--position", text).code == "nothing-to-set"
    desk.did(*act.split())
    carried_elsewhere(desk)


@pytest.mark.parametrize("game", GAMES)
def test_the_position_of_show_can_be_set(desk: Desk, game: str) -> None:
    begin(desk, game, plays=False)
    start = shown(desk)["position"]
    for line in BEGUN[game]:
        desk.did(*line.split())
    rule(desk, "--position", f"  {start} ")
    assert shown(desk)["position"] == start


RESULTS = {
    "win=muscovites": ("the game goes to Bruno (the Muscovites)", "a win for muscovites (ruling)"),
    "forfeit=swedes": (
        "the game goes to Alba (the Swedes) by forfeit",
        "a win by forfeit for swedes (ruling)",
    ),
    "draw": ("the game is a draw", "a draw (ruling)"),
    "double-forfeit": ("both forfeit the game", "a double forfeit (ruling)"),
    "ANNULLED": ("the game is annulled", "annulled (ruling)"),
}


@pytest.mark.parametrize("typed", RESULTS)
def test_each_kind_of_result_is_told_apart(desk: Desk, typed: str) -> None:
    begin(desk)
    words, closed = RESULTS[typed]
    assert f"ruling: {words}: Both saw it." in rule(desk, "--result", typed)
    ruled = shown(desk)["seq"]
    assert f"By the ruling {words}. The arbiter closes the match." in desk.did("show")
    assert f"closed: {closed}, by the ruling of event {ruled}" in desk.did("close")
    desk.did("countersign")
    assert f"By the ruling {words}. Closed." in desk.did("list")
    assert f"closed: {closed}, by the ruling of event {ruled}" in desk.did("log")
    kind, _, winner = typed.lower().replace("-", "_").partition("=")
    expected = {"kind": kind, "how": "ruling"} | ({"winner": winner} if winner else {})
    (line,) = json.loads(desk("list", "--json").out)["matches"]
    assert shown(desk)["result"] == line["result"] == expected
    assert closed in carried_elsewhere(desk).replace("\n", " ")


def test_penalties_are_counted(desk: Desk) -> None:
    begin(desk)
    rule(desk, "--penalty", "swedes=warning", "--penalty", "muscovites=points-off")
    said = rule(desk, "--penalty", "swedes=warning", "--rewind", "3")
    assert "ruling: back to event 3, a warning for Alba" in said
    looked = desk.did("show")
    assert "event 5: a warning for Alba\n" in looked
    assert "event 5: points off for Bruno\n" in looked
    assert "event 6: a warning for Alba (number 2)\n" in looked
    rule(desk, "--penalty", "swedes=game-lost", "--result", "forfeit=muscovites")
    assert [(each["penalty"], each["count"]) for each in shown(desk)["penalties"]] == [
        ("warning", 1),
        ("points_off", 1),
        ("warning", 2),
        ("game_lost", 1),
    ]
    carried_elsewhere(desk)


def test_a_player_may_be_named_where_a_seat_is_asked_for(desk: Desk) -> None:
    begin(desk)
    said = rule(desk, "--penalty", "bruno=fine", "--result", "forfeit=Alba")
    assert "the game goes to Alba (the Swedes) by forfeit, a fine for Bruno" in said


@pytest.mark.parametrize("game", ["tabula", "tablero"])
def test_a_number_that_is_not_opened_and_others_who_make_the_dice(desk: Desk, game: str) -> None:
    begin(desk, game, "--dice", "players", plays=False)
    first, second = SEATS[game]
    desk.did("roll", "--key", "alba")
    ran = refused(desk, "ruling", *WHY, "--award", "4-2-6-1")
    assert ran.code == "bad-dice"
    desk.did("dispute", "--reason", "Bruno has gone home.", "--seat", first)
    said = rule(desk, "--award", "4-2")
    assert "ruling: roll 1 counts as 4-2: Both saw it." in said
    desk.did("roll", "--key", "bruno")  # commits anew
    desk.did("roll")
    desk.did("dispute", "--reason", "I trust nobody.", "--seat", second)
    for names in (first, "", f"{first}+nobody", f"{first}+{first}"):
        ran = refused(desk, "ruling", *WHY, "--contributors", names)
        assert f"hint: --contributors {first}+{second}, or {first}+arbiter\n" in ran.err
    number = shown(desk)["rolling"]["roll"]
    said = rule(desk, "--contributors", f"arbiter+{second}")
    assert f"ruling: roll {number} is dead, the next are made by Bruno, Zoë" in said
    assert shown(desk)["rolling"]["contributors"] == [second, "arbiter"]
    carried_elsewhere(desk)


def test_a_dead_roll_in_flight_is_thrown_anew_by_the_new_makers(desk: Desk) -> None:
    begin(desk, "tabula", "--dice", "players", plays=False)
    desk.did("roll", "--key", "alba")
    rule(desk, "--contributors", "white+arbiter")
    assert refused(desk, "roll", "--key", "bruno").code == "not-yours"
    said = desk.did("roll")
    assert "Zoë commits to roll 2" in said
    assert "Alba throws roll 2" in said
    assert "Zoë opens roll 2: " in said
    assert refused(desk, "ruling", *WHY, "--award", "4-2").code == "no-flight"
    assert "verdict: SOUND" in carried_elsewhere(desk)


# -- who signs the result ------------------------------------------------------------------


def test_a_player_who_will_not_sign_an_absent_one_and_an_appeal(desk: Desk) -> None:
    begin(desk)
    rule(desk, "--result", "forfeit=swedes")
    assert refused(desk, "countersign", "--absent", "swedes", "--key", "wanda").code == "not-closed"
    desk.did("close")
    desk.did("countersign", "--refused", "muscovites", "--reason", "It is unfair.")
    again = refused(desk, "countersign", "--refused", "muscovites", "--reason", "x")
    assert again.code == "refused-already"
    assert refused(desk, "countersign", "--absent", "nobody").code == "unknown-role"
    assert refused(desk, "countersign", "--absent", "swedes", "--key", "bruno").code == "wrong-role"
    said = desk.did("countersign", "--absent", "swedes")
    assert "Wanda countersigns instead of Alba" in said
    sheet = "signed by Wanda instead of Alba; Bruno does not sign (event 7)"
    assert f"event 6: a win by forfeit for swedes (ruling), {sheet}\n" in desk.did("show")
    said = desk.did("appeal", "--reason", "Six minutes, not seven.", "--seat", "muscovites")
    assert "Bruno appeals against event 6: Six minutes, not seven." in said
    assert refused(desk, "appeal", "--reason", "x", "--seat", "swedes").code == "appealed-already"
    assert shown(desk)["phase"] == "appealed"
    assert refused(desk, "ruling", "--appeal", "--dismiss", *WHY, "--key", "zoe").code == (
        "wrong-role"
    )
    desk.did("statement", "I was late.", "--seat", "swedes")
    looked = desk.did("show")
    assert "event 9: Bruno appeals against event 6: Six minutes, not seven." in looked
    assert "event 10: Alba states: I was late." in looked
    said = desk.did("ruling", "--appeal", "--result", "draw", *WHY)
    assert "Dora decides the appeal of event 9: the game is a draw: Both saw it." in said
    assert "By the decision on appeal the game is a draw. Closed;" in said
    desk.did("countersign")
    looked = desk.did("show")
    assert f"event 6: a win by forfeit for swedes (ruling), {sheet}; it does not stand" in looked
    assert "event 11: a draw (appeal), signed by Alba and Bruno\n" in looked
    first, second = shown(desk)["results"]
    assert (first["signed"], first["for_absent"], first["refused"]) == (
        ["witness1"],
        {"swedes": "witness1"},
        {"muscovites": 7},
    )
    assert (second["signed"], second["result"]["how"]) == (["swedes", "muscovites"], "appeal")
    carried_elsewhere(desk)


def test_an_appeal_that_is_dismissed_leaves_the_ruling(desk: Desk) -> None:
    begin(desk)
    rule(desk, "--rewind", "2")
    desk.did("appeal", "--reason", "x", "--seat", "swedes")
    desk.did("move", "e3-g3")  # an appeal stops nothing
    said = desk("ruling", "--appeal", "--rewind", "4", *WHY)
    assert "Dora decides the appeal of event 6: back to event 4" in said.out
    assert shown(desk)["last_action"] == "e2-h2"
    assert shown(desk)["appeals"] == []
    carried_elsewhere(desk)


def test_of_two_appeals_it_is_said_which_is_decided(desk: Desk) -> None:
    begin(desk)
    for seat in SEATS["tablut"]:
        rule(desk, "--penalty", f"{seat}=warning")
    desk.did("appeal", "5", "--reason", "Nobody was disturbed.", "--seat", "swedes")
    desk.did("appeal", "6", "--reason", "Nor here.", "--seat", "muscovites")
    ran = refused(desk, "ruling", "--appeal", "--penalty", "swedes=fine", *WHY)
    assert ran.err == (
        "error[which-appeal]: 2 appeals wait: say which is decided.\n\n"
        "hint: --event 7, or --event 8\n"
    )
    for typed in ("5", "99", "0"):
        ran = refused(
            desk, "ruling", "--appeal", "--event", typed, "--penalty", "swedes=fine", *WHY
        )
        assert ran.code == "no-such-appeal"
    assert refused(desk, "ruling", "--event", "8", "--penalty", "swedes=fine", *WHY).code == "usage"
    desk.did("ruling", "--appeal", "--event", "8", "--penalty", "muscovites=fine", *WHY)
    assert [each["seq"] for each in shown(desk)["appeals"]] == [7]
    desk.did("ruling", "--appeal", "--penalty", "swedes=fine", *WHY)
    assert shown(desk)["appeals"] == []
    carried_elsewhere(desk)


def test_a_penalty_and_another_result_after_the_closing(desk: Desk) -> None:
    begin(desk)
    desk.did("resign", "--seat", "swedes")
    desk.did("close")
    desk.did("countersign")
    assert refused(desk, "dispute", "--reason", "x", "--seat", "swedes").code == "match-closed"
    assert refused(desk, "ruling", "--rewind", "3", *WHY).code == "match-closed"
    rule(desk, "--penalty", "swedes=fine")
    said = rule(desk, "--result", "annulled")
    assert "Alba (the Swedes) and Bruno (the Muscovites) may countersign." in said
    assert shown(desk)["seats"][0]["countersigned"] is False
    desk.did("countersign", "--key", "alba")
    assert "annulled (ruling), signed by Alba\n" in desk.did("show")
    carried_elsewhere(desk)


def test_two_witnesses_sign_instead_of_two_players(desk: Desk) -> None:
    desk.make_keys("walter")
    begin(desk, "tablut", "--witness", "Walter=walter")
    rule(desk, "--result", "double_forfeit")
    desk.did("close")
    assert "Wanda countersigns instead of Alba" in desk.did("countersign", "--absent", "swedes")
    said = desk.did("countersign", "--absent", "muscovites")
    assert "Walter countersigns instead of Bruno" in said
    instead = "signed by Wanda instead of Alba and Walter instead of Bruno\n"
    assert f"a double forfeit (ruling), {instead}" in desk.did("show")
    assert refused(desk, "countersign", "--absent", "swedes").code == "countersigned-twice"
    carried_elsewhere(desk)


def test_without_a_witness_here_nobody_signs_instead(desk: Desk) -> None:
    begin(desk)
    desk.did("resign", "--seat", "swedes")
    desk.did("close")
    (desk.keys / "wanda").unlink()
    ran = refused(desk, "countersign", "--absent", "swedes")
    assert "No witness has a key on this device." in ran.err


# -- narrow terminals ----------------------------------------------------------------------


def test_on_a_terminal_of_40_columns_nothing_is_lost(desk: Desk) -> None:
    begin(desk)
    reason = "The king passed over a piece which stood between e5 and g5 all the time."
    desk.did("dispute", "3", "--reason", reason, "--seat", "muscovites")
    for command in ("show", "log", "list"):
        narrow = terminal(desk, command, COLUMNS="40", NO_COLOR="1")
        said = " ".join(narrow.split())
        assert ("Bruno disputes event 3: " + reason in said) == (command != "list")
        for line in narrow.splitlines():
            copied = line.startswith("next: ") or " " not in line.strip()
            assert copied or len(line) <= 40, narrow
    assert "\nnext: tabellion ruling --help\n" in terminal(desk, "show", COLUMNS="40")


# -- files, pipes, devices -----------------------------------------------------------------


def test_a_statement_names_a_photo_by_its_digest(desk: Desk) -> None:
    begin(desk)
    (desk.folder / "board.jpg").write_bytes(b"a photo")
    desk.did("dispute", "--reason", "See the photo.", "--seat", "swedes")
    assert refused(desk, "statement", "x", "--seat", "swedes", "--file", "no.jpg").code == "no-file"
    desk.did("statement", "This is it.", "--seat", "swedes", "--file", "board.jpg")
    digest = sha256(b"a photo").hexdigest()
    assert f"Alba states: This is it. (file SHA-256 {digest})" in desk("log").out
    carried_elsewhere(desk)


def test_a_roll_that_is_owed_may_be_opened_while_the_match_is_disputed(desk: Desk) -> None:
    begin(desk, "tabula", "--dice", "players", plays=False)
    desk.did("roll", "--key", "alba")
    said = desk.did("dispute", "--reason", "He looks at his phone.", "--key", "alba")
    assert "Bruno (Black) still owes the opening of roll 1." in said
    assert refused(desk, "roll", "--key", "alba").code in ("disputed", "not-yours")
    desk.did("statement", "It was my clock.", "--key", "bruno")
    desk.did("ruling", "--dismiss", *WHY)
    assert "Bruno opens roll 1: " in desk.did("roll", "--key", "bruno")
    carried_elsewhere(desk)


def test_two_devices_with_a_dispute_between_them(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    laptops = Laptops(Desk(tmp_path, monkeypatch, capsys))
    for who, name in (("zoe", "zoe"), ("zoe", "alba"), ("bruno", "bruno")):
        laptops.did(who, "key", "new", name, "--no-passphrase")
    laptops.did("bruno", "key", "export", "bruno", "-o", "bruno.pub")
    seats = ("--seat", "swedes=Alba", "--seat-key", "swedes=alba")
    seats += ("--seat", "muscovites=Bruno", "--seat-key", "muscovites=./bruno.pub")
    laptops.did("zoe", "open", "tablut", "--key", "zoe", "--arbiter", "Zoë", *seats)
    laptops.send("zoe", "bruno")
    laptops.did("bruno", "accept")
    laptops.send("bruno", "zoe")
    laptops.did("zoe", "accept")
    laptops.did("zoe", "move", "e3-f3")
    laptops.send("zoe", "bruno")
    said = laptops.did("bruno", "dispute", "--reason", "He had let go.")  # the only key there
    assert "Bruno disputes event 3: He had let go." in said
    assert "next: for the device of Zoë: tabellion export" in said
    laptops.send("bruno", "zoe")
    assert laptops("zoe", "move", "e2-h2").code == "disputed"
    laptops.did("zoe", "statement", "I had not.", "--seat", "swedes")
    laptops.send("zoe", "bruno")
    assert laptops("bruno", "ruling", "--dismiss", *WHY).code == "key-missing"
    laptops.did("bruno", "settle")
    laptops.send("bruno", "zoe")
    assert "Alba (the Swedes)" not in laptops.did("zoe", "settle", "--seat", "swedes")
    laptops.send("zoe", "bruno")
    laptops.did("bruno", "move", "e2-h2")
    assert "verdict: SOUND" in laptops.did("bruno", "audit")


def test_a_dispute_that_parted_is_said_anew(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    """Alba complains on her device while Zoë writes a note: hers is set aside, and nobody is told
    that it could be signed anew."""
    desk = Desk(tmp_path, monkeypatch, capsys)
    desk.open()
    desk.did("move", "e3-f3")
    desk.did("export", "-o", "start.json")
    desk.did("note", "The round begins.")
    desk.did("export", "-o", "zoe.json")
    desk.patch.setenv("TABELLION_LEDGER", str(desk.folder / "alba.db"))
    desk.did("import", "start.json")
    desk.did("dispute", "--reason", "x", "--seat", "swedes")
    desk.did("import", "zoe.json")
    looked = desk("show")
    assert "note: 1 event was set aside: tabellion pending\n" in looked.err
    assert "say it anew" in desk.did("pending")
    desk.did("dispute", "--reason", "x", "--seat", "swedes")
    assert "set aside" not in desk("show").err


def test_the_program_as_a_process_says_the_same(desk: Desk) -> None:
    begin(desk)
    ran = desk.process("dispute", "--reason", "x")
    assert (ran.status, ran.code) == (2, "which-seat")
    assert "Traceback" not in ran.err
    ran = desk.process("ruling", "--penalty", "swedes=fine", *WHY)
    assert (ran.status, "ruling: a fine for Alba" in ran.out) == (0, True)

"""Whole matches of tablero through the command line, in every lawful mixture of who signs and how
the dice are made; exported, imported elsewhere, audited."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from terminal import Desk

PLAYERS = {"south": ("Alba", "alba"), "north": ("Bruno", "bruno")}
BOTH = ("south", "north")

LAWFUL = [
    (keyed, dice)
    for keyed in (BOTH, ("south",), ("north",), ())
    for dice in ("players", "players+arbiter", "arbiter", "table", "table+confirm")
    if dice != "players" or keyed == BOTH
    if dice != "players+arbiter" or keyed
]
"""Whose keys, and how the dice are made: a lone seat never makes them, nor one without a key."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def open_tablero(
    desk: Desk, *more: str, ruleset: str = "tablero", keyed: tuple[str, ...] = BOTH
) -> None:
    if not desk.keys.exists():
        desk.make_keys()
    seats = []
    for seat, (player, key) in PLAYERS.items():
        seats += ["--seat", f"{seat}={player}"]
        seats += ["--seat-key", f"{seat}={key}"] if seat in keyed else []
    desk.did("open", ruleset, "--key", "zoe", "--arbiter", "Zoë", *seats, *more)
    if keyed:
        desk.did("accept")


def shown(desk: Desk, *arguments: str) -> Any:
    return json.loads(desk("show", "--json", *arguments).out)


def possible(desk: Desk) -> list[tuple[str, str]]:
    """What may be done besides throwing: kind and text."""
    told = json.loads(desk("moves", "--json").out)
    return [(each["kind"], each["text"]) for each in told["moves"]]


def step(desk: Desk, view: Any, chance: Random) -> bool:
    """Whatever the match waits for; of acts that are possible any, a Pull if there is one."""
    match view["due"]["step"]:
        case "act":
            acts = possible(desk)
            acts = [act for act in acts if act[0] in ("pull", "stop")] or acts
            kind, text = chance.choice(acts)
            desk.did(kind, *([text] if kind != text else []))
        case "confirm":
            desk.did("confirm")
        case "close":
            return False
        case _ if view["rolling"]["scheme"] == "physical/1":
            desk.did("roll", f"{chance.randint(1, 6)}-{chance.randint(1, 6)}")
        case _:
            desk.did("roll")
    return True


def points(view: Any) -> int:
    """Stakes, coins on the board, Wager and pot."""
    return sum(view["board"]["counts"].values()) + len(view["board"]["pieces"])


def name(each: Any) -> str:
    return each if isinstance(each, str) else "+".join(each) or "nobody"


@pytest.mark.parametrize(("keyed", "dice"), LAWFUL, ids=name)
def test_a_whole_match(desk: Desk, keyed: tuple[str, ...], dice: str) -> None:
    chance = Random(f"{keyed} {dice}")
    open_tablero(desk, "--dice", dice, "--turn-cap", "6", keyed=keyed)
    view = shown(desk)
    while step(desk, view, chance):
        view = shown(desk)
        assert points(view) == 36
    desk.did("close")
    if keyed:
        desk.did("countersign")
    before = shown(desk)
    assert before["result"]["how"] in ("cleaned_out", "turn_cap")
    assert {line["by"] for line in events(desk)} == {"arbiter", *keyed}
    desk.did("export", "--output", "match.json")
    desk.did("import", "match.json", "--ledger", "elsewhere.db")
    assert shown(desk, "--ledger", "elsewhere.db") == before
    told = desk("audit", "match.json").out
    assert "verdict: SOUND" in told
    assert f"result: {described(before['result'])}, closed" in told
    for seat in BOTH:
        assert (f"{seat}: no key" in told) == (seat not in keyed)


def test_a_match_that_ends_with_a_side_cleaned_out(desk: Desk) -> None:
    open_tablero(desk, "--dice", "table", keyed=())
    chance = Random(3)
    view = shown(desk)
    while step(desk, view, chance):
        view = shown(desk)
    assert view["result"]["how"] == "cleaned_out"
    loser = "north" if view["result"]["winner"] == "south" else "south"
    assert view["board"]["counts"][f"{loser.capitalize()}'s stake"] == 0
    assert points(view) == 36
    assert view["position"].endswith(f" {view['result']['winner']} over")


def events(desk: Desk) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(desk("log", "--json").out)["events"]
    return found


def described(result: Any) -> str:
    how = result["how"].replace("_", " ")
    winner = f" for {result['winner']}" if result["winner"] else ""
    return f"a {result['kind']}{winner} ({how})"


# -- at the table ------------------------------------------------------------------------------


def test_the_board_and_what_the_active_player_may_do(desk: Desk) -> None:
    open_tablero(desk, "--dice", "table", "--table", "6", keyed=())
    desk.did("roll", "5-3")
    desk.did("roll", "4-4")
    desk.did("move", "d5", "c1-c5")
    lines = desk("show").out.splitlines()
    top = lines.index("          North")
    assert lines[top : top + 13] == [
        "          North",
        "   a  b  c  d  e  f  g",
        "7  @--@  .  .  .  .  .  7",
        "6  .  .  .  .  .  .  .  6",
        "5  .  . [@--@] .  .  .  5",
        "4  .  .  .  .  .  .  .  4",
        "3  .  .  .  .  .  .  .  3",
        "2  .  .  .  .  .  .  .  2",
        "1  .  . [.][.] @--@--@  1",
        "   a  b  c  d  e  f  g",
        "          South",
        "@ coin, -- Formation",
        "South's stake 13, North's stake 16, Wager 0, pot 0",
    ]
    assert lines[top + 13 :][:3] == [
        "last move: c1-c5 d1-d5",
        "South may throw again, or pull 1e-g: +3; North must fill 3 of 16, or pull 5c-d: +2; "
        "North must fill 2 of 16, or pull 7a-b: +2; North must fill 2 of 16.",
        "Alba (South) to pull or throw; the arbiter writes it down.",
    ]
    flipped = desk("show", "--flip").out.splitlines()
    assert "1  @--@--@ [.][.] .  .  1" in flipped
    assert flipped.index("          South") < flipped.index("          North")


def test_acts_are_refused_with_the_rule_and_nothing_is_written(desk: Desk) -> None:
    open_tablero(desk, "--dice", "table", keyed=())
    desk.did("roll", "5-3")
    for act, code in (
        (("pull",), "throw-first"),
        (("wager",), "throw-first"),
        (("run",), "throw-first"),
        (("stop",), "throw-first"),
        (("diablo",), "diablo"),
        (("done",), "both-dice"),
        (("move", "c1-c4"), "dice-first"),
        (("pass",), "dice-first"),
    ):
        assert (desk(*act).status, desk(*act).code) == (1, code), act
    desk.did("roll", "4-4")
    for typed, code in (
        ("c1-c5", "both-dice"),
        ("c1-c5 d1-d6", "no-die"),
        ("c1-d5", "column"),
        ("c5-c1", "not-there"),
        ("c1-c5 c5-c1", "turn-back"),
    ):
        assert desk("move", typed).code == code, typed
    ran = desk("move", "castle")
    assert (ran.status, ran.code) == (2, "bad-move")
    assert desk.types() == ["match.opened", "roll.recorded", "roll.recorded"]


def test_a_wager_stands_until_it_is_redeemed(desk: Desk) -> None:
    open_tablero(desk, "--dice", "table", ruleset="tablero-event", keyed=("south",))
    for act in ("roll 5-3", "roll 2-2", "move d3 e3", "roll 6-1", "wager"):
        desk.did(*act.split())
    assert desk("pull", "3d-e").err.startswith(
        "error[wager-stands]: pull 3d-e is refused: South's Wager of 4 stands until a Formation "
        "of 4 is made."
    )
    desk.did("roll", "2-2")
    told = desk.did("move", "c3", "f3")
    assert "Alba moves c1-c3 f1-f3: the Wager of 4 goes back to South" in told
    assert "Alba pulls 3c-f: South takes 4, North fills 4" in desk.did("pull")


def test_a_pass_number_takes_a_wager(desk: Desk) -> None:
    open_tablero(desk, "--dice", "table", ruleset="tablero-event", keyed=())
    for act in ("roll 5-3", "roll 6-5", "wager"):
        desk.did(*act.split())
    told = desk.did("roll", "6-6")
    assert "roll 3: 6-6, a Pass Number; the Wager of 2 goes to North" in told
    assert shown(desk)["board"]["counts"] == {
        "South's stake": 11,
        "North's stake": 18,
        "Wager": 0,
        "pot": 0,
    }
    assert shown(desk)["turn"] == "north"


def test_diablo_is_called_by_the_opponent_in_time(desk: Desk) -> None:
    open_tablero(desk, "--dice", "table", "--option", "diablo=called", keyed=BOTH)
    desk.did("roll", "5-3")
    desk.did("roll", "3-4")
    assert desk("move", "c4 d5").code == "one-coin"
    desk.did("move", "c4")
    assert "3-4 is a Pass Number: North may call diablo" in desk("show").out
    assert desk("diablo", "--key", "alba").code == "wrong-turn"
    assert "Bruno calls Diablo: a Pass Number" in desk.did("diablo")
    assert shown(desk)["position"] == "7741111 13,16 0 0 south answer"
    desk.did("wager")
    desk.did("roll", "3-4")
    desk.did("move", "d4")
    desk.did("move", "e5")
    assert desk("diablo").code == "diablo"
    by_north = [line["type"] for line in events(desk) if line["by"] == "north"]
    assert by_north == ["seat.accepted", "diablo"]


def test_players_share_the_coins(desk: Desk) -> None:
    open_tablero(desk, keyed=BOTH)
    assert desk("offer", "settle", "20-17", "--seat", "south").code == "bad-split"
    assert desk("offer", "settle", "all", "--seat", "south").code == "bad-split"
    desk.did("offer", "settle", "16-20", "--seat", "south")
    view = shown(desk)
    assert view["offers"][0]["text"] == "a settlement: Alba (South) 16, Bruno (North) 20"
    desk.did("agree", view["offers"][0]["hash"][:6])
    view = shown(desk)
    assert view["position"] == "0000000 16,20 0 0 north over"
    assert view["result"] == {"kind": "win", "how": "settled", "winner": "north"}
    assert "The players divide the coins: South 16, North 20: North wins." in desk("show").out
    desk.did("close")


def test_a_match_without_settlements_has_none(desk: Desk) -> None:
    open_tablero(desk, "--no-settlements", keyed=BOTH)
    assert desk("offer", "settle", "18-18", "--seat", "south").code == "no-settlements"


def test_acts_that_are_a_word_take_no_other_match_by_accident(desk: Desk) -> None:
    open_tablero(desk, "--dice", "table", "--table", "6", keyed=())
    for act in ("roll 5-3", "roll 3-4"):
        desk.did(*act.split())
    assert desk("wager", "5").status == 2
    assert desk("wager", "-m", "t6").status == 0


def test_a_turn_cap_is_for_games_that_know_one(desk: Desk) -> None:
    desk.make_keys()
    seats = ("--seat", "white=Alba", "--seat", "black=Bruno")
    ran = desk("open", "tabula", "--key", "zoe", *seats, "--turn-cap", "9")
    assert (ran.status, ran.code) == (1, "no-turn-cap")
    for wrong in ("0", "-1", "many", "100001"):
        assert desk("open", "tablero", "--key", "zoe", "--turn-cap", wrong).status == 2


def test_an_evening_of_tablero_from_a_pipe(desk: Desk) -> None:
    open_tablero(desk, "--dice", "table", ruleset="tablero-event", keyed=())
    lines = "5-3\n2-2\nd3 e3\n6-1\nwager\n2-2\nc3 f3\npull 3c-f\n4-4\nmoves\n"
    ran = desk.process("play", stdin=lines.encode())
    assert ran.status == 0, ran.err
    assert shown(desk)["position"] == "7777771 17,12 0 0 north move:4-4"
    assert "South may throw again, or pull 3c-f: +4; North must fill 4 of 16." in ran.out
    assert desk.types()[-2:] == ["pull", "roll.recorded"]


def test_the_referee_judges_every_act(desk: Desk) -> None:
    position = "4444444 20,9 0 0 south decide"
    assert desk.did("check", "tablero", position) == (
        "pull 4a-g\nrun\nSouth may throw two dice.\n2 legal moves for south\n"
    )
    assert desk.did("check", "tablero", position, "run") == (
        "run is legal.\nleads to 4444444 20,9 0 0 south run\n"
    )
    won = desk.did("check", "tablero", "4444444 23,6 0 0 south decide", "pull 4a-g")
    assert won.endswith(
        "leads to 0000000 36,0 0 0 south over\nthe game is over: cleaned_out, south\n"
    )
    assert desk("check", "tablero", position, "pull 4a-c").code == "whole"
    assert desk("check", "tablero", "7777711 16,13 0 0 north throw", "a4").code == "no-dice-given"

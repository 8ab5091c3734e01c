"""``--json`` of every command: one document, of the type and the schema that are promised."""

from __future__ import annotations

import hashlib
import inspect
import json
from typing import Any

import jsonschema_rs
import msgspec
import pytest
import typer
from bologna_log import WHITE_WINS, log
from table import SHORT_GAME
from terminal import Desk

from cli.app import build
from ledger import schemas
from ledger.schemas import VIEWS


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def document(desk: Desk, command: str, *arguments: str, status: int = 0, stdin: bytes = b"") -> Any:
    """What ``command --json`` prints, held against its struct and its schema."""
    typed = command.split("-") if command.startswith(("key-", "offer-")) else [command]
    ran = desk(*typed, *arguments, "--json", stdin=stdin)
    assert ran.status == status, ran.err
    assert ran.err == ""
    value = json.loads(ran.out)
    view = msgspec.json.decode(ran.out, type=VIEWS[command], strict=True)
    assert json.loads(msgspec.json.encode(view)) == value
    checker = jsonschema_rs.validator_for(schemas.load(f"commands/{command}"))
    assert [str(error) for error in checker.iter_errors(value)] == []
    return value


def test_every_command_that_prints_json_has_a_promised_form() -> None:
    found = set()
    app = build([])
    for info in app.registered_commands:
        if "json" in inspect.signature(info.callback or print).parameters:
            found.add(info.name)
    for group in app.registered_groups:
        assert isinstance(group.typer_instance, typer.Typer)
        for info in group.typer_instance.registered_commands:
            if "json" in inspect.signature(info.callback or print).parameters:
                found.add(f"{group.name}-{info.name}")
    assert found == set(VIEWS)


def test_keys(desk: Desk) -> None:
    made = document(desk, "key-new", "zoe", "--no-passphrase")
    assert (made["name"], made["encrypted"], made["problem"]) == ("zoe", False, None)
    assert document(desk, "key-show", "zoe") == made
    assert made["held"] == "file"
    imported = document(desk, "key-import", made["public"], "zoe-too")
    assert (imported["held"], imported["encrypted"], imported["problem"]) == ("nowhere", None, None)
    (desk.keys / "zoe-too.pub").unlink()
    (desk.keys / "alba").write_text("no key")
    listed = document(desk, "key-list")["keys"]
    assert [(key["name"], key["encrypted"]) for key in listed] == [("alba", None), ("zoe", False)]
    assert listed[0]["problem"]


def test_a_match_from_beginning_to_end(desk: Desk) -> None:
    desk.make_keys()
    opened = document(
        desk,
        "open",
        *("tablut", "--key", "zoe", "--seat", "swedes=Alba", "--seat-key", "swedes=alba"),
        *("--seat", "muscovites=Bruno", "--event", "Demo", "--option", "captures=single"),
    )
    assert opened["events"][0]["hash"] == opened["match"]
    assert (opened["phase"], opened["turn"]) == ("before-acceptance", None)
    accepted = document(desk, "accept")
    assert (accepted["phase"], accepted["turn"]) == ("in-play", "swedes")
    moved = document(desk, "move", "e3-f3", "e2-h2")
    assert [(event["seq"], event["type"]) for event in moved["events"]] == [
        (2, "move"),
        (3, "move"),
    ]
    shown = document(desk, "show")
    assert (shown["seq"], shown["last_action"]) == (3, "e2-h2")
    assert shown["changed_options"] == {"captures": "single"}
    assert shown["about"]["event"] == "Demo"
    assert [seat["keyid"] is None for seat in shown["seats"]] == [False, True]
    assert shown["board"]["pieces"]["e5"] == "K"
    assert shown["board"]["kind"] == "grid"
    assert (shown["dice"], shown["rolling"]) == ([], None)
    assert shown["due"] == {"step": "act", "whose": ["swedes"]}
    assert document(desk, "show", "--at", "2")["last_action"] == "e3-f3"
    assert document(desk, "correct", "3", "--reason", "x")["events"][0]["type"] == "ruling"
    assert [line["superseded"] for line in document(desk, "log")["events"]] == [
        *(False, False, False),
        *(True, False),
    ]
    legal = document(desk, "moves")
    assert legal["turn"] == "muscovites"
    (sideways,) = [action for action in legal["moves"] if action["text"] == "e2-h2"]
    assert sideways == {
        "seat": "muscovites",
        "kind": "move",
        "text": "e2-h2",
        "typed": "e2-h2",
        "dice": [],
        "paths": [["e2", "h2"]],
    }
    assert document(desk, "note", "x")["events"][0]["type"] == "note"
    assert document(desk, "list")["matches"][0]["phase"] == "in-play"
    resigned = document(desk, "resign", "--seat", "muscovites")
    assert (resigned["phase"], resigned["turn"]) == ("ended", None)
    assert document(desk, "close")["phase"] == "closed"
    assert document(desk, "countersign")["events"][0]["text"] == "Alba countersigns"
    assert document(desk, "show")["result"]["how"] == "resigned"
    assert document(desk, "moves")["moves"] == []
    assert document(desk, "list")["matches"][0]["result"]["winner"] == "swedes"
    assert document(desk, "audit", opened["match"])["verdict"] == "sound"


def unmoved(desk: Desk, seat: str) -> list[tuple[str, str, str]]:
    """What this seat may do now, each act of a kind that moves nothing on the board, and what is
    typed for it."""
    legal = document(desk, "moves")["moves"]
    for action in legal:
        assert (action["seat"], action["dice"], action["paths"]) == (seat, [], [])
        assert action.keys() == {"seat", "kind", "text", "typed", "dice", "paths"}
    return [(action["kind"], action["text"], action["typed"]) for action in legal]


def tabula(desk: Desk, *more: str) -> Any:
    """A match between Alba (White) and Bruno (Black) is opened."""
    seats = ("--seat", "white=Alba", "--seat", "black=Bruno")
    return document(desk, "open", "tabula", "--key", "zoe", *seats, *more)


def test_dice_that_the_players_make(desk: Desk) -> None:
    desk.make_keys()
    keys = ("--seat-key", "white=alba", "--seat-key", "black=bruno")
    tabula(desk, *keys)
    accepted = document(desk, "accept", "--key", "alba")
    assert [event["type"] for event in accepted["events"]] == ["seat.accepted", "dice.committed"]
    shown = document(desk, "show")
    assert (shown["rolling"]["scheme"], shown["rolling"]["roll"]) == ("commit-reveal/1", 1)
    assert shown["due"] == {"step": "accept", "whose": ["black"]}
    document(desk, "accept", "--key", "bruno")
    assert document(desk, "show")["due"] == {"step": "throw", "whose": ["white"]}
    thrown = document(desk, "roll", "--key", "alba")
    assert [event["type"] for event in thrown["events"]] == ["roll"]
    shown = document(desk, "show")
    assert shown["due"] == {"step": "open", "whose": ["black"]}
    rolling = shown["rolling"]
    assert (rolling["thrown_by"], rolling["opened"], rolling["awaited"]) == (
        *("white", ["white"], ["black"]),
    )
    document(desk, "roll", "--key", "bruno")
    assert document(desk, "show")["rolling"]["roll"] == 2
    assert document(desk, "stats")["all"]["dice"] == 2
    document(desk, "log")
    report = document(desk, "audit", accepted["match"])["reports"][0]
    assert (report["verdict"], report["dice"]["scheme"]) == ("sound", "commit-reveal/1")
    assert [roll["roll"] for roll in report["dice"]["rolls"]] == [1]


def test_dice_on_the_table(desk: Desk) -> None:
    desk.make_keys("zoe")
    tabula(desk, "--dice", "table+confirm")
    assert document(desk, "roll", "4-2")["events"][0]["type"] == "roll.recorded"
    shown = document(desk, "show")
    assert (shown["due"]["step"], shown["rolling"]["unconfirmed"]) == ("confirm", [4, 2])
    assert document(desk, "confirm")["events"][0]["type"] == "roll.confirmed"
    document(desk, "roll", "6-6-5")
    assert document(desk, "void", "a die was cocked")["events"][0]["type"] == "roll.voided"
    document(desk, "roll", "6-6-6")
    document(desk, "confirm")
    shown = document(desk, "show")
    assert (shown["dice"], shown["board"]["kind"]) == ([6, 6, 6], "track")
    assert document(desk, "move", "hand/6", "hand/6", "hand/6")["turn"] == "black"
    assert document(desk, "show")["board"]["points"][5] == {"piece": "W", "count": 3}
    document(desk, "roll", "6-6-6")
    document(desk, "confirm")
    assert unmoved(desk, "black") == [("pass", "pass", "pass")]
    assert document(desk, "pass")["events"][0]["type"] == "pass"
    rolls = document(desk, "audit", shown["match"])["reports"][0]["dice"]["rolls"]
    assert [roll["voided"] for roll in rolls] == [None, 4, None, None]


def tablero(desk: Desk, *more: str) -> Any:
    """A match between Alba (South) and Bruno (North) is opened, with dice on the table."""
    desk.make_keys("zoe")
    seats = ("--seat", "south=Alba", "--seat", "north=Bruno")
    return document(desk, "open", "tablero", "--key", "zoe", *seats, *more)


def test_acts_that_are_commands_of_their_own(desk: Desk) -> None:
    tablero(desk)
    document(desk, "roll", "5-3")
    document(desk, "roll", "3-4")
    assert unmoved(desk, "south") == [("pass", "pass", "pass"), ("wager", "wager", "wager")]
    assert document(desk, "wager")["events"][0]["type"] == "wager"
    moves = document(desk, "moves")
    assert (moves["turn"], moves["moves"]) == ("south", [])
    assert moves["throw"] == "South to throw two dice."
    document(desk, "roll", "5-6")
    assert document(desk, "show")["turn"] == "north"
    document(desk, "roll", "3-3")
    document(desk, "move", "a7-a4", "b7-b4")
    shown = document(desk, "show")
    assert shown["due"] == {"step": "act", "whose": ["north"]}
    board = shown["board"]
    assert board["joined"] == [["a4", "b4"], ["c1", "d1", "e1", "f1", "g1"]]
    assert board["sides"] == ["South", "North"]
    assert board["counts"] == {"South's stake": 6, "North's stake": 23, "Wager": 0, "pot": 0}
    assert unmoved(desk, "north") == [
        ("pull", "1c-g", "pull 1c-g"),
        ("pull", "4a-b", "pull 4a-b"),
    ]
    moves = document(desk, "moves")
    assert moves["throw"] == "North may throw two dice."
    pulled = document(desk, "pull", "1c-g")["events"][0]
    assert pulled["type"] == "pull"
    assert pulled["text"].startswith("Bruno pulls 1c-g")
    assert document(desk, "show")["last_action"] == "pull 1c-g"


def test_a_run(desk: Desk) -> None:
    tablero(desk)
    for dice, move in (("5-3", ""), ("2-4", "b7-b1"), ("1-5", "a7-a1")):
        document(desk, "roll", dice)
        if move:
            document(desk, "move", move)
    assert document(desk, "run")["events"][0]["type"] == "run"
    document(desk, "roll", "2-1")
    assert document(desk, "show")["board"]["counts"]["pot"] == 2
    stopped = document(desk, "stop")
    assert (stopped["events"][0]["type"], stopped["turn"]) == ("stop", "north")


def test_a_called_diablo_and_a_die_that_is_left(desk: Desk) -> None:
    tablero(desk, "--option", "diablo=called")
    for dice, move in (("5-3", ""), ("2-4", "b7-b1"), ("6-1", "a7-a1")):
        document(desk, "roll", dice)
        if move:
            document(desk, "move", move)
    assert document(desk, "show")["dice"] == [1]
    assert document(desk, "diablo")["events"][0]["type"] == "diablo"
    document(desk, "correct", "6", "--reason", "He did not call.", "--dice", "keep")
    assert document(desk, "done")["events"][0]["type"] == "done"


def test_a_settlement_and_a_turn_cap(desk: Desk) -> None:
    tablero(desk, "--turn-cap", "9")
    document(desk, "roll", "5-3")
    shown = document(desk, "show")
    assert shown["turn_cap"] == 9
    made = document(desk, "offer-settle", "20-16", "--seat", "north")
    assert made["events"][0]["type"] == "offer.made"
    offer = document(desk, "show")["offers"][0]
    agreed = document(desk, "agree", offer["hash"][:6])
    assert agreed["phase"] == "ended"
    shown = document(desk, "show")
    assert shown["result"] == {"kind": "win", "how": "settled", "winner": "south"}
    assert (shown["board"]["pieces"], shown["board"]["joined"]) == ({}, [])
    assert document(desk, "audit", shown["match"])["verdict"] == "sound"


RULED = ("--reason", "Both saw it.", "--rule", "tablut-1: Moving")


def test_a_dispute_a_ruling_and_an_appeal(desk: Desk) -> None:
    desk.make_keys("zoe", "alba", "bruno", "dora", "wanda")
    desk.open("--appeal", "Dora=dora", "--witness", "Wanda=wanda")
    document(desk, "move", "e3-f3")
    raised = document(desk, "dispute", "--reason", "x", "--seat", "muscovites")
    assert (raised["events"][0]["type"], raised["phase"]) == ("dispute.raised", "disputed")
    assert document(desk, "statement", "y", "--key", "wanda")["events"][0]["type"] == "statement"
    document(desk, "settle", "--seat", "swedes")
    shown = document(desk, "show")
    assert (shown["due"], shown["dispute"]["settled"]) == (
        {"step": "rule", "whose": ["arbiter"]},
        ["swedes"],
    )
    assert document(desk, "list", "--disputed")["matches"][0]["phase"] == "disputed"
    ruled = document(desk, "ruling", "--rewind", "2", "--penalty", "swedes=warning", *RULED)
    assert (ruled["events"][0]["type"], ruled["phase"]) == ("ruling", "in-play")
    warning = {"seq": 7, "seat": "swedes", "name": "Alba", "penalty": "warning"}
    warning["text"] = "a warning"
    assert document(desk, "show")["penalties"] == [{**warning, "count": 1, "withdrawn": None}]
    document(desk, "ruling", "--result", "draw", "--withdraw", "7", *RULED)
    assert document(desk, "show")["penalties"] == [{**warning, "count": 0, "withdrawn": 8}]
    assert document(desk, "close")["phase"] == "closed"
    document(desk, "countersign", "--absent", "swedes")
    document(desk, "countersign", "--refused", "muscovites", "--reason", "x")
    appealed = document(desk, "appeal", "--reason", "x", "--seat", "muscovites")
    assert (appealed["events"][0]["type"], appealed["phase"]) == ("appeal", "appealed")
    decided = document(desk, "ruling", "--appeal", "--result", "annulled", *RULED)
    assert (decided["events"][0]["type"], decided["phase"]) == ("appeal.decided", "closed")
    assert [each["result"]["kind"] for each in document(desk, "show")["results"]] == [
        "draw",
        "annulled",
    ]
    document(desk, "log")


def test_a_game_that_rests_and_keys_that_are_lost(desk: Desk) -> None:
    desk.make_keys("zoe", "alba", "bruno", "carla", "emil")
    desk.open()
    rests = document(desk, "adjourn", "--seal", "e3-f3")
    assert [each["type"] for each in rests["events"]] == ["adjourned", "adjourned"]
    assert document(desk, "show")["due"] == {"step": "resume", "whose": ["swedes"]}
    resumed = document(desk, "resume", "--open", "e3-f3")
    assert [each["type"] for each in resumed["events"]] == ["resumed", "move"]
    replaced = document(desk, "replace-key", "swedes", "carla", "--reason", "x")
    assert (replaced["events"][0]["type"], replaced["phase"]) == (
        "key.replaced",
        "before-acceptance",
    )
    put_in = document(desk, "replace-arbiter", "Emil", "emil", "--reason", "x")
    assert put_in["events"][0]["type"] == "arbiter.replaced"
    document(desk, "accept")
    shown = document(desk, "show")
    assert (shown["arbiter"], shown["phase"]) == ("Emil", "in-play")
    assert document(desk, "audit", shown["match"])["verdict"] == "sound"


def test_an_audit_says_its_verdict_in_its_status_too(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "-o", "match.json")
    assert document(desk, "audit", "match.json")["verdict"] == "sound"
    damaged = bytearray((desk.folder / "match.json").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    report = document(desk, "audit", "-", stdin=bytes(damaged), status=1)
    assert report["verdict"] == "faults"
    assert report["reports"][0]["faults"]


def test_the_referee(desk: Desk) -> None:
    legal = document(desk, "check", "tablut", "start", "E4F4")
    assert (legal["move"], legal["legal"], legal["turn"]) == ("e4-f4", True, "muscovites")
    refused = document(desk, "check", "tablut", "start", "e4-e3", status=1)
    assert (refused["legal"], refused["code"], refused["leads_to"]) == (False, "blocked", None)
    assert len(document(desk, "check", "tablut")["moves"]) == 56


def test_the_referee_of_a_throw(desk: Desk) -> None:
    start = "W h15 b0 o0 - | B h15 b0 o0 - | W"
    legal = document(desk, "check", "tabula", start, "--dice", "2-5-6", "hand/2 hand/5 hand/6")
    assert (legal["dice"], legal["legal"], legal["turn"]) == ([2, 5, 6], True, "black")
    refused = document(desk, "check", "tabula", start, "--dice", "2-5-6", "hand/3", status=1)
    assert (refused["legal"], refused["leads_to"]) == (False, None)


def test_the_rules(desk: Desk) -> None:
    one = document(desk, "rules", "tablut-edge")["rulesets"]
    assert [ruleset["name"] for ruleset in one] == ["tablut-edge"]
    every = document(desk, "rules")["rulesets"]
    assert len(every) > 3
    for option in one[0]["options"]:
        assert option["reason"], option["name"]
        assert option["value"] in option["values"]


def test_an_imported_game(desk: Desk) -> None:
    desk.make_keys("zoe")
    written = document(desk, "import", "-", stdin=log(WHITE_WINS).encode())
    assert [event["type"] for event in written["events"]] == [
        "match.opened",
        *(["move"] * len(WHITE_WINS)),
        "match.closed",
    ]


def test_a_backup(desk: Desk) -> None:
    desk.finish()
    made = document(desk, "backup", "copy.db")
    assert (made["file"], made["matches"], made["events"], made["set_aside"]) == (
        *("copy.db", 1, 15, 0),
    )
    assert made["sha256"] == hashlib.sha256((desk.folder / "copy.db").read_bytes()).hexdigest()


def test_the_doctor(desk: Desk) -> None:
    states = {each["what"]: each["state"] for each in document(desk, "doctor")["findings"]}
    assert set(states.values()) == {"ok"}
    desk.ledger.parent.mkdir(parents=True)
    desk.ledger.write_bytes(b"no ledger at all, whatever its name says")
    found = document(desk, "doctor", status=1)["findings"]
    assert [each["what"] for each in found if each["state"] == "fault"] == ["ledger"]


def test_names_stay_names_in_json(desk: Desk) -> None:
    desk.make_keys("zoe")
    name = '<b>&"\\ ע👩‍👩‍👧'
    desk.did("open", "tablut", "--seat", f"swedes={name}", "--seat", "muscovites=B")
    assert document(desk, "list")["matches"][0]["seats"]["swedes"] == name


def test_a_refusal_prints_no_json(desk: Desk) -> None:
    desk.open()
    ran = desk("move", *SHORT_GAME[::-1], "--json")
    assert (ran.status, ran.out) == (1, "")

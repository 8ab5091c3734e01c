"""Lost phones, players who leave, other arbiters: by the commands as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from terminal import Desk, Ran
from test_cli_copies import Laptops

from ledger.keys import Keyring
from ledger.store import Store

WHY = ("--reason", "The phone fell into the sea.")
RULED = ("--reason", "Bruno has left.", "--rule", "dice: who makes them")


@pytest.fixture
def laptops(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Laptops:
    return Laptops(Desk(tmp_path, monkeypatch, capsys))


def play_tabula(laptops: Laptops, *more: str) -> None:
    """Zoë's laptop, where Bruno signs too, and Alba's phone. The players make the dice; all have
    accepted."""
    for who, name in (("zoe", "zoe"), ("zoe", "bruno"), ("phone", "alba")):
        laptops.did(who, "key", "new", name, "--no-passphrase")
    laptops.did("phone", "key", "export", "alba", "-o", "alba.pub")
    laptops.did(
        "zoe",
        *("open", "tabula", "--key", "zoe", "--arbiter", "Zoë", "--seat", "white=Alba"),
        *("--seat-key", "white=./alba.pub", "--seat", "black=Bruno"),
        *("--seat-key", "black=bruno", *more),
    )
    laptops.send("zoe", "phone")
    laptops.did("phone", "accept")
    laptops.send("phone", "zoe")
    laptops.did("zoe", "accept")
    laptops.send("zoe", "phone")


def another_phone(laptops: Laptops, name: str = "alba2") -> None:
    laptops.did("phone2", "key", "new", name, "--no-passphrase")
    laptops.did("phone2", "key", "export", name, "-o", f"{name}.pub")


def refused(laptops: Laptops, who: str, *arguments: str) -> Ran:
    """A command that is refused in words, and leaves that device's record as it was."""
    before = laptops.head(who)
    ran = laptops(who, *arguments)
    assert 1 <= ran.status <= 4, ran.out + ran.err
    assert ran.code, ran.err
    assert laptops.head(who) == before
    return ran


def payload(laptops: Laptops, who: str) -> Any:
    """What the last event on a device says."""
    ledger = laptops.desk.folder / who / "tabellion" / "ledger.db"
    with Store.open(ledger, write=False) as store:
        (match,) = store.matches()
        return json.loads(list(store.rows(match))[-1].envelope.payload)


def throw(laptops: Laptops, thrower: str, opener: str) -> str:
    """A roll thrown on one device and opened on the other."""
    laptops.did(thrower, "roll")
    laptops.send(thrower, opener)
    said = laptops.did(opener, "roll")
    laptops.send(opener, thrower)
    return said


def test_a_lost_phone_and_the_dice_go_on(laptops: Laptops) -> None:
    play_tabula(laptops)
    assert "opens roll 1: " in throw(laptops, "phone", "zoe")
    another_phone(laptops)
    said = laptops.did("zoe", "replace-key", "white", "./alba2.pub", *WHY)
    assert "Alba (White) goes on with another key: The phone fell into the sea." in said
    assert "Alba (White) must accept before play goes on." in said
    assert "consent" not in payload(laptops, "zoe")["data"]
    assert refused(laptops, "zoe", "roll").code == "not-accepted"
    laptops.send("zoe", "phone2")
    said = laptops.did("phone2", "accept")
    assert "Alba accepts" in said
    assert "Alba commits to roll 3" in said, "roll 2 went with the key"
    laptops.send("phone2", "zoe")
    for _ in range(20):  # a throw that decides who begins may be a tie
        if laptops.told("zoe", "show")["due"]["step"] == "act":
            break
        for who, other in (("zoe", "phone2"), ("phone2", "zoe")):
            laptops(who, "roll")
            laptops.send(who, other)
    assert laptops.told("zoe", "show")["due"]["step"] == "act"
    laptops.send("zoe", "phone")
    for command in ("roll", "accept", "resign --seat white", "move hand/1 --key alba"):
        refused(laptops, "phone", *command.split())
    said = laptops.did("zoe", "audit")
    assert "verdict: SOUND" in said


def test_a_phone_that_knows_nothing_of_it_changes_nothing(laptops: Laptops) -> None:
    play_tabula(laptops)
    another_phone(laptops)
    laptops.did("zoe", "replace-key", "white", "./alba2.pub", *WHY)
    laptops.did("phone", "roll")
    before = laptops.head("zoe")
    laptops.did("phone", "export", "-o", "late.json")
    laptops("zoe", "import", "late.json")
    assert laptops.head("zoe") == before
    assert "verdict: SOUND" in laptops.did("zoe", "audit")


def test_a_key_that_is_lost_while_its_roll_is_in_flight(laptops: Laptops) -> None:
    play_tabula(laptops)
    laptops.did("phone", "roll")
    laptops.send("phone", "zoe")
    another_phone(laptops, "bruno2")
    laptops.did("zoe", "replace-key", "black", "./bruno2.pub", *WHY)
    lost = "The number of Bruno (Black) for roll 1 went with the old key: Zoë (the arbiter) rules."
    assert lost in laptops.did("zoe", "show")
    laptops.send("zoe", "phone2")
    ran = refused(laptops, "phone2", "accept")
    assert (ran.code, lost in ran.err) == ("rule-first", True)
    assert "hint: tabellion ruling --help\n" in ran.err
    assert refused(laptops, "zoe", "ruling", "--dismiss", *RULED).code == "nothing-to-dismiss"
    laptops.did("zoe", "ruling", "--contributors", "white+black", *RULED)
    laptops.send("zoe", "phone2")
    assert "Bruno commits to roll 3" in laptops.did("phone2", "accept")
    laptops.send("phone2", "phone")
    assert "Alba commits to roll 3" in laptops.did("phone", "roll")
    laptops.send("phone", "phone2")
    assert "Bruno opens roll 3: " in laptops.did("phone2", "roll")
    laptops.send("phone2", "zoe")
    assert "verdict: SOUND" in laptops.did("zoe", "audit")


def test_somebody_without_a_key_makes_no_dice(laptops: Laptops) -> None:
    play_tabula(laptops)
    said = laptops.did("zoe", "replace-key", "black", "--no-key", *WHY)
    assert "Bruno (Black) goes on without a key, the arbiter writes" in said
    why = "Somebody who makes the dice has no key any more: Zoë (the arbiter) says who makes them."
    assert why in said
    assert laptops.told("zoe", "show")["due"]["step"] == "rule"
    laptops.did("zoe", "ruling", "--contributors", "white+arbiter", *RULED)
    laptops.send("zoe", "phone")
    laptops.did("phone", "roll")
    laptops.send("phone", "zoe")
    laptops.did("zoe", "roll")
    laptops.send("zoe", "phone")
    throw(laptops, "phone", "zoe")
    assert laptops.told("zoe", "show")["rolling"]["roll"] == 4
    refused(laptops, "zoe", "dispute", "--reason", "x", "--key", "bruno")
    assert "verdict: SOUND" in laptops.did("zoe", "audit")


# -- on one laptop -------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    found = Desk(tmp_path, monkeypatch, capsys)
    for name in ("zoe", "alba", "bruno", "carla", "dora", "emil", "wanda"):
        Keyring(found.keys).create(name, None)
    found.open("--appeal", "Dora=dora", "--witness", "Wanda=wanda")
    found.did("move", "e3-f3")
    return found


def told(desk: Desk) -> list[tuple[str, str]]:
    events = json.loads(desk("log", "--json").out)["events"]
    return [(each["by"], each["text"]) for each in events]


def no(desk: Desk, *arguments: str) -> Ran:
    before = desk.types()
    ran = desk(*arguments)
    assert 1 <= ran.status <= 4, ran.out + ran.err
    assert (bool(ran.code), ran.out, desk.types()) == (True, "", before)
    return ran


def consent(desk: Desk) -> bool:
    with Store.open(desk.ledger, write=False) as store:
        (match,) = store.matches()
        return "consent" in json.loads(list(store.rows(match))[-1].envelope.payload)["data"]


def test_the_old_key_consents_where_it_is_still_here(desk: Desk) -> None:
    desk.did("replace-key", "swedes", "carla", *WHY)
    assert consent(desk)
    desk.did("replace-key", "muscovites", "emil", *WHY, "--lost")
    assert not consent(desk)
    assert "verdict: SOUND" in desk.did("audit")


def test_a_substitute_plays_under_their_own_name(desk: Desk) -> None:
    said = desk.did("replace-key", "swedes", "carla", "--name", "Carla", "--reason", "Alba is ill")
    assert "Carla takes the place of Alba (the Swedes): Alba is ill" in said
    assert "Carla (the Swedes) must accept before play goes on." in said
    assert no(desk, "move", "e2-h2").code == "not-accepted"
    desk.did("accept")
    desk.did("move", "e2-h2", "e4-e2")
    assert ("swedes", "Alba moves e3-f3") in told(desk)
    assert told(desk)[-1] == ("swedes", "Carla moves e4-e2")
    assert "Carla – Bruno" in desk.did("list")
    assert no(desk, "move", "h2-h3", "--key", "alba").code != ""
    assert "verdict: SOUND" in desk.did("audit")


def test_a_player_whose_phone_is_gone_goes_on_without_a_key(desk: Desk) -> None:
    desk.did("replace-key", "muscovites", "--no-key", *WHY)
    desk.did("move", "e2-h2")
    assert told(desk)[-1] == ("arbiter", "Bruno moves e2-h2")
    assert no(desk, "replace-key", "muscovites", "--no-key", *WHY).code == "nobody-new"
    assert no(desk, "replace-key", "muscovites", "bruno", *WHY).code == "key-twice"
    desk.did("replace-key", "muscovites", "emil", *WHY)  # and later with another
    assert no(desk, "move", "e4-e2").code == "not-accepted"
    desk.did("accept")
    desk.did("move", "e4-e2", "h2-h3")
    assert told(desk)[-1] == ("muscovites", "Bruno moves h2-h3")


@pytest.mark.parametrize("who", ["zoe", "dora"], ids=["the-arbiter", "the-appeal-key"])
def test_another_arbiter(desk: Desk, who: str) -> None:
    by = ["--key", "dora"] if who == "dora" else []
    said = desk.did("replace-arbiter", "Emil", "emil", "--reason", "Zoë is ill", *by)
    put_in = ", put in by Dora" if who == "dora" else ""
    assert f"Emil is the arbiter from here on, in place of Zoë{put_in}: Zoë is ill" in said
    assert "Emil (the arbiter) must accept before play goes on." in said
    assert no(desk, "ruling", "--rewind", "2", *RULED).code == "not-accepted"
    assert no(desk, "move", "e2-h2").code == "not-accepted"
    desk.did("accept")
    desk.did("move", "e2-h2")
    no(desk, "ruling", "--rewind", "2", *RULED, "--key", "zoe")
    no(desk, "note", "I am still here.", "--key", "zoe")
    desk.did("ruling", "--rewind", "2", *RULED)
    desk.did("resign", "--seat", "swedes")
    desk.did("close")
    assert told(desk)[0][1].startswith("Zoë opens")
    assert "verdict: SOUND" in desk.did("audit")


def test_where_the_arbiters_key_is_not_here_the_one_for_appeals_is_not_guessed(desk: Desk) -> None:
    (desk.keys / "zoe").unlink()
    ran = no(desk, "replace-arbiter", "Emil", "emil", "--reason", "Zoë is ill")
    assert ran.err == (
        "error[key-missing]: The key of Zoë (the arbiter) is not on this device. Whoever decides "
        "appeals can put another arbiter in.\n\nhint: --key dora\n"
    )
    (desk.keys / "dora").rename(desk.folder / "dora")
    assert no(desk, "replace-arbiter", "Emil", "emil", *WHY).err.endswith("hint: --key NAME\n")
    (desk.folder / "dora").rename(desk.keys / "dora")
    desk.did("replace-arbiter", "Emil", "emil", "--reason", "Zoë is ill", "--key", "dora")
    desk.did("accept")
    assert told(desk)[-1] == ("arbiter", "Emil accepts")


def test_a_witness_and_the_appeal_get_other_keys(desk: Desk) -> None:
    desk.did("replace-key", "witness1", "carla", "--name", "Carla", *WHY)
    assert no(desk, "dispute", "--reason", "x", "--key", "carla").code == "not-accepted"
    desk.did("move", "e2-h2")  # play waits for seats and arbiter alone
    desk.did("accept", "--key", "carla")
    desk.did("dispute", "--reason", "x", "--key", "carla")
    desk.did("replace-key", "appeal", "emil", *WHY)
    desk.did("accept", "--key", "emil")
    desk.did("ruling", "--dismiss", *RULED)
    desk.did("appeal", "--reason", "x", "--seat", "swedes")
    no(desk, "ruling", "--appeal", "--dismiss", *RULED, "--key", "dora")
    assert "decides the appeal" in desk("ruling", "--appeal", "--rewind", "3", *RULED).out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["swedes", "carla"], "usage"),
        (["swedes", *WHY], "usage"),
        (["swedes", "carla", "--no-key", *WHY], "usage"),
        (["white", "carla", *WHY], "unknown-role"),
        (["witness2", "carla", *WHY], "unknown-role"),
        (["\u202e" * 5000, "carla", *WHY], "unknown-role"),
        (["arbiter", "carla", *WHY], "wrong-role"),
        (["appeal", "--no-key", *WHY], "key-needed"),
        (["swedes", "alba", *WHY], "key-twice"),
        (["swedes", "zoe", *WHY], "key-twice"),
        (["swedes", "nobody", *WHY], "key-not-found"),
        (["swedes", "./nothing.pub", *WHY], "no-file"),
        (["swedes", "ssh-ed25519 AAAA", *WHY], "key-type"),
        (["swedes", "carla", *WHY, "--key", "alba"], "wrong-role"),
        (["swedes", "carla", *WHY, "--key", "carla"], "no-role"),
        (["swedes", "carla", *WHY, "--name", "\x1b[2J"], "forbidden-character"),
        (["swedes", "carla", *WHY, "--name", "x" * 5000], "too-long"),
        (["swedes", "carla", "--reason", "\u202e"], "forbidden-character"),
    ],
)
def test_keys_that_are_not_replaced(desk: Desk, arguments: list[str], code: str) -> None:
    ran = no(desk, "replace-key", *arguments)
    assert ran.code == code, ran.err
    assert not set("\x1b\u202e") & set(ran.err)


def test_an_arbiter_is_replaced_by_nobody_else_and_by_no_used_key(desk: Desk) -> None:
    for more, code in (
        (["Emil", "emil", *WHY, "--key", "alba"], "wrong-role"),
        (["Emil", "alba", *WHY], "key-twice"),
        (["Emil", "zoe", *WHY], "key-twice"),
        (["Emil", "emil"], "usage"),
        (["", "emil", *WHY], "no-words"),
    ):
        assert no(desk, "replace-arbiter", *more).code == code


def test_an_old_key_with_a_passphrase_that_nobody_types(desk: Desk) -> None:
    """Bruno's old key is here, and its passphrase is not: the arbiter says that it is lost."""
    (desk.folder / "words").write_text("hnefatafl\n")
    desk.did("key", "new", "hans", "--passphrase-file", "words")
    desk.did("replace-key", "muscovites", "hans", *WHY)
    desk.did("accept", "--key", "hans", "--passphrase-file", "words")
    assert no(desk, "replace-key", "muscovites", "carla", *WHY).code == "passphrase-needed"
    desk.did("replace-key", "muscovites", "carla", *WHY, "--lost")
    assert not consent(desk)

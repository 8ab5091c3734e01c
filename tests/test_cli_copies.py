"""Two laptops and files between them, by the commands as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from table import SHORT_GAME
from terminal import Desk, Ran


class Laptops:
    """Two data folders at one desk: whoever is named types the command."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def __call__(self, who: str, *arguments: str) -> Ran:
        self.desk.patch.setenv("XDG_DATA_HOME", str(self.desk.folder / who))
        return self.desk(*arguments)

    def did(self, who: str, *arguments: str) -> str:
        ran = self(who, *arguments)
        assert ran.status == 0, ran.err
        return self.desk.plain(ran.out + ran.err)

    def told(self, who: str, *arguments: str) -> Any:
        return json.loads(self(who, *arguments, "--json").out)

    def send(self, who: str, other: str) -> str:
        """A copy goes from one laptop to the other, and is taken in there."""
        self.did(who, "export", "-o", f"{who}.json", "--force")
        return self.did(other, "import", f"{who}.json")

    def head(self, who: str) -> str:
        return str(self.told(who, "show")["head"])


@pytest.fixture
def laptops(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Laptops:
    """Zoë, who has Alba's key too, has opened a match; Bruno has taken it in."""
    found = Laptops(Desk(tmp_path, monkeypatch, capsys))
    for who, name in (("zoe", "zoe"), ("zoe", "alba"), ("bruno", "bruno")):
        found.did(who, "key", "new", name, "--no-passphrase")
    found.did("bruno", "key", "export", "bruno", "-o", "bruno.pub")
    found.did(
        "zoe",
        *("open", "tablut", "--key", "zoe", "--seat", "swedes=Alba", "--seat-key", "swedes=alba"),
        *("--seat", "muscovites=Bruno", "--seat-key", "muscovites=./bruno.pub", "--table", "4"),
    )
    found.send("zoe", "bruno")
    return found


def test_what_comes_in_is_told_event_by_event_with_the_next_step(laptops: Laptops) -> None:
    laptops.did("zoe", "accept")
    said = laptops.send("zoe", "bruno")
    assert said == (
        "match HASH\nevent 1  HASH  Alba accepts\n"
        "Bruno (the Muscovites) must accept before play begins.\nnext: tabellion accept MATCH\n"
    )
    said = laptops.did("bruno", "accept")
    assert said.endswith(
        "next: for the device of Alba: tabellion export --output match.json --force\n"
    )
    assert "event 2  HASH  Bruno accepts" in laptops.send("bruno", "zoe")
    again = laptops.send("bruno", "zoe")
    assert "Nothing new in this record. Both are the same." in again
    laptops.did("zoe", "move", "e3-f3")
    assert "Your copy goes on after it." in laptops.send("bruno", "zoe")


def test_an_unfinished_record_goes_to_another_device_a_finished_one_to_anybody(
    laptops: Laptops,
) -> None:
    assert laptops.did("zoe", "export", "-o", "x.json").endswith(
        "next, on another device: tabellion import x.json\n"
    )


def test_both_accept_at_once_and_one_signs_anew(laptops: Laptops) -> None:
    """Which of the two is decided by their hashes, and on both laptops alike."""
    laptops.did("zoe", "accept")
    laptops.did("bruno", "accept")
    laptops.did("zoe", "export", "-o", "one.json")
    laptops.did("bruno", "export", "-o", "two.json")
    said = {"bruno": laptops.did("bruno", "import", "one.json")}
    said["zoe"] = laptops.did("zoe", "import", "two.json")
    gave_way = [who for who, text in said.items() if "the file's copy stands" in text]
    assert len(gave_way) == 1
    who, other = ("bruno", "zoe") if gave_way == ["bruno"] else ("zoe", "bruno")
    mine, theirs = ("Bruno", "Alba") if who == "bruno" else ("Alba", "Bruno")
    key = mine.lower()
    assert "The two copies part after event 0." in said[who]
    assert f"yours: event 1  HASH  {mine} accepts, signed by {mine}" in said[who]
    assert f"file:  event 1  HASH  {theirs} accepts, signed by {theirs}" in said[who]
    assert f"set aside: event 1  HASH  {mine} accepts" in said[who]
    assert said[who].endswith("next: tabellion pending --sign -m MATCH\n")
    (line,) = laptops.told(who, "pending")["events"]
    assert (line["event"]["seq"], line["key"], line["refusal"]) == (1, key, None)
    assert f"can be signed anew with the key {key}" in laptops.did(who, "pending")
    told = "note: 1 event was set aside, and can be signed anew: tabellion pending"
    assert told in laptops.did(who, "show")
    assert f"event 2  HASH  {mine} accepts" in laptops.did(who, "pending", "--sign")
    assert laptops.did(who, "pending") == "Nothing waits to be signed anew.\n"
    laptops.send(who, other)
    assert laptops.head("zoe") == laptops.head("bruno")


def test_at_the_arbiters_laptop_theirs_stands_and_others_are_told(laptops: Laptops) -> None:
    """Alba has moved, Bruno has resigned: her move could not be signed after that."""
    laptops.did("zoe", "accept")
    laptops.send("zoe", "bruno")
    laptops.did("bruno", "accept")
    laptops.send("bruno", "zoe")
    laptops.did("zoe", "move", "e3-f3")
    laptops.did("bruno", "resign")
    said = laptops.send("bruno", "zoe")
    assert "From there on your copy stands" in said
    assert 'tabellion note "This copy stands." -m MATCH' in said
    waiting = laptops.did("zoe", "pending")
    assert "Bruno signs it anew on their device, once your copy is there." in waiting
    assert 'tabellion note "This copy stands." -m MATCH' in waiting
    said = laptops.did("zoe", "pending", "--sign")
    assert said == "Nothing waits that can be signed anew here.\n"
    laptops.did("zoe", "note", "This copy stands.", "--key", "zoe")
    assert "to tell the others" not in laptops.did("zoe", "pending")
    assert "the arbiter signed in the copy that came in" in laptops.send("zoe", "bruno")


def test_only_what_was_named_is_signed_anew(laptops: Laptops) -> None:
    laptops.did("bruno", "accept")
    laptops.did("bruno", "note", "First.", "--key", "bruno")
    laptops.did("bruno", "note", "Second.", "--key", "bruno")
    laptops.did("zoe", "accept")
    laptops.did("zoe", "note", "Tea.", "--key", "zoe")
    laptops.send("zoe", "bruno")
    waiting = laptops.told("bruno", "pending")["events"]
    assert [line["event"]["text"] for line in waiting] == [
        "Bruno accepts",
        "note by Bruno: First.",
        "note by Bruno: Second.",
    ]
    second = waiting[2]["event"]["hash"]
    assert laptops("bruno", "pending", "--sign", "0000").code == "not-pending"
    told = laptops.told("bruno", "pending", "--sign", second[:8])
    assert [event["text"] for event in told["signed"]] == ["note by Bruno: Second."]
    assert told["events"] == []


def test_an_offer_that_names_an_event_is_made_anew_not_signed_anew(laptops: Laptops) -> None:
    laptops.did("zoe", "accept")
    laptops.send("zoe", "bruno")
    laptops.did("bruno", "accept")
    laptops.send("bruno", "zoe")
    laptops.did("zoe", "move", "e3-f3")
    laptops.send("zoe", "bruno")
    laptops.did("bruno", "move", "e2-h2")
    laptops.did("bruno", "offer", "takeback", "4")
    laptops.did("zoe", "note", "Tea.", "--key", "zoe")
    laptops.send("zoe", "bruno")
    (move, offer) = laptops.told("bruno", "pending")["events"]
    assert move["refusal"] is None
    assert "offer it anew" in offer["refusal"]
    said = laptops.did("bruno", "pending", "--sign")
    assert "Bruno moves e2-h2" in said
    assert "no longer waits: Bruno offers to take back event 4" in said


def test_a_damaged_record_brings_nothing(laptops: Laptops) -> None:
    laptops.did("zoe", "accept")
    laptops.did("zoe", "export", "-o", "copy.json")
    file = laptops.desk.folder / "copy.json"
    whole = file.read_bytes()
    for place in range(20, len(whole), len(whole) // 40):
        data = bytearray(whole)
        data[place] ^= 1
        file.write_bytes(data)
        ran = laptops("bruno", "import", "copy.json")
        assert ran.status in (1, 2), place
        assert ran.err.startswith("error["), place
    file.write_bytes(whole[:-200])
    assert laptops("bruno", "import", "copy.json").code == "record-damaged"
    assert laptops.told("bruno", "show")["seq"] == 0


def test_the_user_decides_at_the_arbiters_word(laptops: Laptops) -> None:
    laptops.did("zoe", "accept")
    laptops.did("bruno", "accept")
    laptops.did("bruno", "export", "-o", "bruno.json")
    laptops.did("zoe", "import", "bruno.json", "--take-over")
    assert laptops.head("zoe") == laptops.head("bruno")
    (aside,) = laptops.told("zoe", "audit")["set_aside"]
    assert (aside["event"], aside["by"], aside["signed_both"]) == (1, "swedes", None)
    assert "set aside: match HASH, event 1 by swedes" in laptops.did("zoe", "audit")
    (laptops.desk.folder / "game.otg").write_text("[event:x]")
    ran = laptops("zoe", "import", "game.otg", "--take-over")
    assert (ran.code, ran.err) == ("usage", "error[usage]: --take-over is for records.\n")


def test_a_whole_game_on_two_laptops(laptops: Laptops) -> None:
    laptops.did("zoe", "accept")
    laptops.send("zoe", "bruno")
    laptops.did("bruno", "accept")
    laptops.send("bruno", "zoe")
    for number, move in enumerate(SHORT_GAME):
        who, other = ("zoe", "bruno") if number % 2 == 0 else ("bruno", "zoe")
        laptops.did(who, "move", move)
        laptops.send(who, other)
    laptops.did("zoe", "close")
    laptops.did("zoe", "countersign")
    laptops.send("zoe", "bruno")
    laptops.did("bruno", "countersign")
    said = laptops.did("bruno", "export", "-o", "match.json")
    assert "anybody can run: tabellion audit match.json" in said
    assert "countersigned by Alba and Bruno" in laptops.did("zoe", "audit", "match.json")


def test_a_countersignature_is_for_the_result_that_was_shown(
    laptops: Laptops, monkeypatch: Any
) -> None:
    """While Alba types her passphrase, another copy with another result is taken over."""
    from cli import desk as commands_desk

    laptops.did("zoe", "accept")
    laptops.send("zoe", "bruno")
    laptops.did("bruno", "accept")
    laptops.send("bruno", "zoe")
    laptops.did("zoe", "resign", "--seat", "swedes")
    laptops.did("zoe", "close")
    unlock = commands_desk.unlock

    def slowly(name: str, file: str | None) -> Any:
        key = unlock(name, file)
        monkeypatch.setattr(commands_desk, "unlock", unlock)
        laptops.did("zoe", "note", "Meanwhile.", "--key", "zoe")
        return key

    monkeypatch.setattr(commands_desk, "unlock", slowly)
    ran = laptops("zoe", "countersign")
    assert (ran.status, ran.code) == (6, "stale"), ran
    assert laptops.told("zoe", "log")["events"][-1]["type"] == "note"

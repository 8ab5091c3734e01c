"""The shared folder: nothing in it is believed, waited for, followed or written over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from table import ALBA, ARBITER, BRUNO, accept, new_service, opening

from cli.folder import SharedFolder
from ledger import record
from ledger.errors import NotAllowed, NotFound, TabellionError
from ledger.service import Service


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with new_service(tmp_path / "ledger.db") as opened:
        yield opened


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def copies(folder: SharedFolder) -> tuple[list[int], list[str]]:
    """How many events each new copy has, and what was complained of."""
    faults: list[TabellionError] = []
    found = [len(events) for events in folder.copies(faults.append)]
    return found, [fault.message for fault in faults]


def test_what_one_device_lays_there_the_other_reads_once(service: Service, stick: Path) -> None:
    state = service.open_match(opening(), ARBITER)
    mine, other = SharedFolder(stick), SharedFolder(stick)
    mine.publish(service, state, ["arbiter", "swedes"])
    (file,) = stick.iterdir()
    assert file.match(f"{state.match[:12]}-arbiter-swedes-??????.tabellion.json")
    assert (mine.changed(), other.changed()) == (False, True)
    assert copies(other) == ([1], [])
    assert not other.changed()
    state = service.append(state.match, [accept("swedes")], {"swedes": ALBA})
    mine.publish(service, state, ["arbiter", "swedes"])
    assert copies(other) == ([2], [])
    assert copies(mine) == ([], [])


def test_what_somebody_took_away_is_laid_there_again(service: Service, stick: Path) -> None:
    state = service.open_match(opening(), ARBITER)
    folder = SharedFolder(stick)
    folder.publish(service, state, ["swedes"])
    (file,) = stick.iterdir()
    data = file.read_bytes()
    for spoil in (file.unlink, lambda: file.write_bytes(b"x")):
        spoil()
        folder.publish(service, state, ["swedes"])
        assert file.read_bytes() == data


def test_two_devices_with_the_same_keys_do_not_write_over_each_other(
    service: Service, stick: Path, tmp_path: Path
) -> None:
    state = service.open_match(opening(), ARBITER)
    with new_service(tmp_path / "phone.db") as phone:
        phone.open_match(opening(), ARBITER)
        for device in (service, phone):
            SharedFolder(stick).publish(device, state, ["arbiter"])
    assert len(list(stick.iterdir())) == 2


def test_what_was_taken_in_whole_is_not_written_back(service: Service, stick: Path) -> None:
    state = service.open_match(opening(), ARBITER)
    folder = SharedFolder(stick)
    folder.holds(state, service.envelopes(state.match))
    folder.publish(service, state, ["swedes"])
    assert list(stick.iterdir()) == []


def test_a_bad_file_hides_no_good_one_and_is_read_again_when_it_is_whole(
    service: Service, stick: Path
) -> None:
    state = service.open_match(opening(), ARBITER)
    data = record.write(service.envelopes(state.match))
    (stick / "a.tabellion.json").write_bytes(data[:-40])
    (stick / "b.tabellion.json").write_bytes(b"")
    (stick / "c.tabellion.json").write_bytes(data)
    folder = SharedFolder(stick)
    found, faults = copies(folder)
    assert found == [1]
    assert [text.split()[0] for text in faults] == ["a.tabellion.json", "b.tabellion.json"]
    assert copies(folder) == ([], [])
    (stick / "a.tabellion.json").write_bytes(data)
    assert copies(folder) == ([1], [])


def test_pipes_links_devices_and_folders_are_none_of_ours(service: Service, stick: Path) -> None:
    state = service.open_match(opening(), ARBITER)
    outside = stick.parent / "outside"
    outside.write_bytes(record.write(service.envelopes(state.match)))
    os.mkfifo(stick / "pipe.tabellion.json")
    os.mkfifo(stick / "pipe.pub")
    (stick / "link.tabellion.json").symlink_to(outside)
    (stick / "zero.tabellion.json").symlink_to("/dev/zero")
    (stick / "folder.tabellion.json").mkdir()
    (stick / "steering\x1b[2J.tabellion.json").write_bytes(b"x")
    folder = SharedFolder(stick)
    assert not folder.changed()
    assert copies(folder) == ([], [])
    assert folder.public_keys() == {}


def test_our_own_name_is_replaced_never_followed(service: Service, stick: Path) -> None:
    """Somebody who knows the name lays a link or a pipe there."""
    state = service.open_match(opening(), ARBITER)
    SharedFolder(stick).publish(service, state, ["swedes"])
    (file,) = stick.iterdir()
    outside = stick.parent / "outside"
    outside.write_text("mine")
    for lay in (lambda: file.symlink_to(outside), lambda: os.mkfifo(file)):
        file.unlink(missing_ok=True)
        lay()
        SharedFolder(stick).publish(service, state, ["swedes"])
        assert file.is_file()
        assert not file.is_symlink()
        assert outside.read_text() == "mine"
    assert sorted(each.name for each in stick.iterdir()) == [file.name]


def test_a_key_never_takes_the_place_of_another(stick: Path) -> None:
    """Two players whose names give the same file name, 李 and 王 for instance."""
    folder = SharedFolder(stick)
    first = folder.publish_key("key", ALBA.public)
    assert folder.publish_key("key", ALBA.public) == first
    second = folder.publish_key("key", BRUNO.public)
    assert second != first
    assert folder.public_keys() == {first.stem: ALBA.public, second.stem: BRUNO.public}
    third = folder.publish_key("key", BRUNO.public)
    assert third == second
    second.write_text("something else")
    with pytest.raises(NotAllowed):
        folder.publish_key("key", BRUNO.public)
    assert second.read_text() == "something else"


def test_nonsense_that_calls_itself_a_key_is_passed_over(stick: Path) -> None:
    (stick / "long.pub").write_text("ssh-ed25519 " + "A" * 100_000)
    (stick / "rsa.pub").write_text("ssh-rsa AAAA x")
    (stick / "bytes.pub").write_bytes(bytes(range(256)))
    (stick / "good.pub").write_text(f"{ALBA.public.line} alba\n")
    assert SharedFolder(stick).public_keys() == {"good": ALBA.public}


def test_a_stick_that_is_taken_out_comes_back(service: Service, stick: Path) -> None:
    state = service.open_match(opening(), ARBITER)
    folder = SharedFolder(stick)
    away = stick.rename(stick.parent / "away")
    assert not folder.changed()
    assert copies(folder) == ([], [])
    with pytest.raises(NotAllowed):
        folder.publish(service, state, ["swedes"])
    away.rename(stick)
    folder.publish(service, state, ["swedes"])
    assert len(list(stick.iterdir())) == 1


def test_there_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "nothing", tmp_path / "file"):
        with pytest.raises(NotFound, match="There is no folder"):
            SharedFolder(path)

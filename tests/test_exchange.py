"""Two devices without a server: copies come in, go on, part, and nothing of them is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from table import (
    ALBA,
    ARBITER,
    BRUNO,
    KEYS,
    SHORT_GAME,
    accept,
    close,
    countersign,
    does,
    lay,
    new_service,
    note,
    opening,
    play,
    resign,
    rewind,
)

from ledger.copies import Standing
from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError, Unreadable
from ledger.events import Call, Nothing, Physical, encode
from ledger.exchange import TakenIn, awaits_word, pending, take_in
from ledger.fold import MatchState
from ledger.inspection import inspect, trust
from ledger.service import Draft, Plan
from ledger.store import Row


class Device:
    """A ledger of its own, with the keys of some roles."""

    def __init__(self, path: Path, *roles: str) -> None:
        self.path = path
        self.service = new_service(path)
        self.roles = roles
        self.match = ""

    def open(self, keyed: Sequence[str] = ("swedes", "muscovites")) -> str:
        self.match = self.service.open_match(opening(keyed=keyed), ARBITER).match
        return self.match

    def write(self, *plans: Plan) -> MatchState:
        keys = {role: KEYS[role] for role in self.roles}
        return self.service.append(self.match, plans, keys)

    def copy(self) -> list[Envelope]:
        return self.service.envelopes(self.match)

    def take(self, events: Sequence[Envelope], *, take_over: bool = False) -> TakenIn:
        self.match = events[0].hash
        return take_in(self.service, events, here=lambda _: self.roles, take_over=take_over)

    def types(self) -> list[str]:
        return [row.type for row in self.service.store.rows(self.match)]

    def hashes(self) -> list[str]:
        return [each.hash for each in self.copy()]

    def waiting(self) -> list[tuple[str, int]]:
        return [(each.event.by, each.event.seq) for each in pending(self.service, self.match)]

    def sign_anew(self) -> MatchState:
        plans = [each.plan for each in pending(self.service) if each.event.by in self.roles]
        return self.write(*plans)


@pytest.fixture
def zoe(tmp_path: Path) -> Iterator[Device]:
    """The arbiter, who has Alba's key on her laptop too."""
    device = Device(tmp_path / "zoe.db", "arbiter", "swedes")
    yield device
    device.service.close()


@pytest.fixture
def bruno(tmp_path: Path) -> Iterator[Device]:
    device = Device(tmp_path / "bruno.db", "muscovites")
    yield device
    device.service.close()


def meet(zoe: Device, bruno: Device) -> None:
    """Both have the match, accepted by both."""
    zoe.open()
    zoe.write(accept("swedes"))
    bruno.take(zoe.copy())
    bruno.write(accept("muscovites"))
    zoe.take(bruno.copy())
    assert zoe.hashes() == bruno.hashes()


def sound(device: Device) -> bool:
    view = inspect(str(device.path), device.path, trust(None, None))
    return (view.verdict, view.file_faults) == ("sound", ())


def test_a_whole_game_over_copies(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    for number, text in enumerate(SHORT_GAME):
        mover, other = (zoe, bruno) if number % 2 == 0 else (bruno, zoe)
        mover.write(play(text))
        brought = other.take(mover.copy())
        assert (brought.standing, len(brought.taken), brought.aside) == (Standing.LONGER, 1, ())
    zoe.write(close(), countersign("swedes"))
    bruno.take(zoe.copy())
    bruno.write(countersign("muscovites"))
    zoe.take(bruno.copy())
    assert zoe.hashes() == bruno.hashes()
    assert zoe.service.state(zoe.match).unsigned == ()
    assert sound(zoe)
    assert sound(bruno)


def test_the_same_copy_and_a_shorter_one_bring_nothing(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    old = zoe.copy()
    zoe.write(play("e3-f3"))
    assert zoe.take(old).standing is Standing.SHORTER
    assert zoe.take(zoe.copy()).standing is Standing.SAME
    assert zoe.types()[-1] == "move"


def test_what_did_not_meet_the_arbiters_copy_first_is_set_aside_and_signed_anew(
    zoe: Device, bruno: Device
) -> None:
    """Both accept at the same time, each on their own device: both are event 1."""
    zoe.open()
    bruno.take(zoe.copy())
    zoe.write(accept("swedes"))
    bruno.write(accept("muscovites"))
    mine = bruno.hashes()[1]
    brought = bruno.take(zoe.copy())
    assert brought.standing is Standing.OWN
    assert [each.hash for each in brought.aside] == [mine]
    assert bruno.waiting() == [("muscovites", 1)]
    assert bruno.hashes() == zoe.hashes()
    bruno.sign_anew()
    assert bruno.waiting() == []
    assert [row.hash for row in bruno.service.store.aside()] == [mine]
    zoe.take(bruno.copy())
    assert zoe.types() == ["match.opened", "seat.accepted", "seat.accepted"]
    assert sound(zoe)
    assert sound(bruno)


def test_on_the_arbiters_device_the_arbiters_copy_stands(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    zoe.write(note("A spectator fainted."))
    kept = zoe.hashes()
    bruno.write(resign("muscovites"))
    brought = zoe.take(bruno.copy())
    assert brought.standing is Standing.ARBITER_SIGNED_OURS
    assert zoe.hashes() == kept
    assert zoe.waiting() == [("muscovites", 3)]
    bruno.take(zoe.copy())
    assert bruno.waiting() == [("muscovites", 3)]
    bruno.sign_anew()
    zoe.take(bruno.copy())
    assert zoe.waiting() == []
    assert zoe.types()[-2:] == ["note", "resigned"]
    assert sound(zoe)


def lower(device: Device, than: str, by: str) -> Plan:
    """A note whose event will have a lower hash than another event."""
    state = device.service.state(device.match)
    for number in range(1000):
        plan = note(f"note {number}", by)
        event = device.service._event(state, plan(state))
        if Envelope(encode(event), b"", "").hash < than:
            return plan
    raise AssertionError


@pytest.mark.parametrize("first", ["zoe", "bruno"])
def test_when_both_acted_alone_both_devices_decide_alike(
    zoe: Device, bruno: Device, first: str
) -> None:
    """Neither waits for the arbiter's word, and nobody loses more than a signature given anew."""
    meet(zoe, bruno)
    one, other, role = (zoe, bruno, "swedes") if first == "zoe" else (bruno, zoe, "muscovites")
    other.write(note("Mine.", other.roles[-1]))
    one.write(lower(one, other.hashes()[-1], role))
    theirs, mine = other.copy(), one.copy()
    assert one.take(theirs).standing is Standing.FIRST
    assert other.take(mine).standing is Standing.OWN
    other.sign_anew()
    one.take(other.copy())
    assert one.hashes() == other.hashes()
    assert zoe.types()[-2:] == ["note", "note"]


def test_what_could_not_be_signed_anew_is_not_given_up(zoe: Device, bruno: Device) -> None:
    """Alba has moved; Bruno resigns at the same number, or says that he did. After that she could
    not move any more: only the arbiter can decide."""
    meet(zoe, bruno)
    alba = Device(zoe.path.with_name("alba.db"), "swedes")
    alba.take(zoe.copy())
    alba.write(play("e3-f3"))
    kept = alba.hashes()
    bruno.write(resign("muscovites"))
    assert alba.take(bruno.copy()).standing is Standing.UNDECIDED
    assert alba.hashes() == kept
    zoe.take(alba.copy())
    assert zoe.take(bruno.copy()).standing is Standing.ARBITER_HERE
    zoe.write(note("This copy stands."))
    assert bruno.take(zoe.copy()).standing is Standing.ARBITER_SIGNED_THEIRS
    assert alba.take(zoe.copy()).standing is Standing.LONGER
    alba.service.close()


@pytest.mark.parametrize("lower_hash", [True, False])
def test_a_move_gives_way_to_the_call_that_it_came_before(
    zoe: Device, bruno: Device, lower_hash: bool
) -> None:
    """Bruno moves while Alba is still asked for her call. After his move she could not call any
    more, after her call he can move: whatever the hashes say, the call stays."""
    meet(zoe, bruno)
    moves = ("e3-f3", "d1-c1", "e4-d4", "c1-d1", "Ke5-e3")
    zoe.roles = bruno.roles = ("arbiter", "swedes", "muscovites")
    zoe.write(*map(play, moves))
    zoe.roles, bruno.roles = ("arbiter", "swedes"), ("muscovites",)
    bruno.take(zoe.copy())
    zoe.write(lambda _: Draft("call", Call(call="raichi"), "swedes"))
    call = zoe.hashes()[-1]
    state = bruno.service.state(bruno.match)
    for action in state.game.legal(state.position):
        event = bruno.service._event(state, play(action.text)(state))
        if (Envelope(encode(event), b"", "").hash < call) is lower_hash:
            bruno.write(play(action.text))
            break
    theirs, mine = bruno.copy(), zoe.copy()
    assert bruno.take(mine).standing is Standing.OWN
    assert zoe.take(theirs).standing is Standing.ARBITER_HERE
    bruno.sign_anew()
    zoe.take(bruno.copy())
    assert zoe.types()[-2:] == ["call", "move"]
    assert zoe.hashes() == bruno.hashes()


def thrown_pass_number(zoe: Device, bruno: Device, *moves: str) -> None:
    """Both have a match with called Diablo: South moves 3-4 on Zoë's device, North is Bruno."""
    zoe.roles, bruno.roles = ("arbiter", "south"), ("north",)
    terms = opening("tablero", dice=Physical(confirm=False), diablo="called")
    zoe.match = zoe.service.open_match(terms, ARBITER).match
    zoe.write(accept("south"))
    bruno.take(zoe.copy())
    bruno.write(accept("north"))
    zoe.take(bruno.copy())
    zoe.write(lay(5, 3), lay(3, 4), *(does("move", move) for move in moves))
    bruno.take(zoe.copy())


def test_diablo_that_meets_the_first_coin_gives_way_to_nothing_but_the_arbiters_word(
    zoe: Device, bruno: Device
) -> None:
    """South moves a coin while North calls. A coin that was signed after the call was seen must not
    push the call behind it: the device of the caller gives nothing up. Once the arbiter has spoken
    North can call anew, but never is a call signed anew for another throw."""
    thrown_pass_number(zoe, bruno)
    zoe.write(does("move", "c1-c4"))
    bruno.write(does("diablo"))
    theirs, mine = bruno.copy(), zoe.copy()
    assert bruno.take(mine).standing is Standing.UNDECIDED
    assert zoe.take(theirs).standing is Standing.ARBITER_HERE
    zoe.write(note("The coin came first."))
    assert bruno.take(zoe.copy()).standing is Standing.ARBITER_SIGNED_THEIRS
    with pytest.raises(TabellionError, match="does not say to which throw it belonged"):
        bruno.sign_anew()
    bruno.write(does("diablo"))
    zoe.take(bruno.copy())
    assert zoe.types()[-3:] == ["move", "note", "diablo"]
    assert zoe.hashes() == bruno.hashes()
    state = zoe.service.state(zoe.match)
    assert state.game.position(state.position) == "7741111 13,16 0 0 south answer"
    assert sound(zoe)


def test_diablo_that_meets_the_last_coin_is_for_the_arbiter_to_decide(
    zoe: Device, bruno: Device
) -> None:
    """Neither the coin nor the call could come after the other. What the arbiter lets stand in the
    ledger came first."""
    thrown_pass_number(zoe, bruno, "c1-c4")
    zoe.write(does("move", "d1-d5"))
    bruno.write(does("diablo"))
    theirs, mine = bruno.copy(), zoe.copy()
    assert bruno.take(mine).standing is Standing.UNDECIDED
    assert zoe.take(theirs).standing is Standing.ARBITER_HERE
    assert len(awaits_word(zoe.service, zoe.match)) == 1
    zoe.write(note("The coin had moved."))
    assert awaits_word(zoe.service, zoe.match) == []
    assert bruno.take(zoe.copy()).standing is Standing.ARBITER_SIGNED_THEIRS
    assert bruno.hashes() == zoe.hashes()
    with pytest.raises(TabellionError, match="does not say to which throw it belonged"):
        bruno.sign_anew()
    assert sound(bruno)


def test_the_arbiter_may_let_the_call_stand(zoe: Device, bruno: Device) -> None:
    thrown_pass_number(zoe, bruno, "c1-c4")
    zoe.write(does("move", "d1-d5"))
    bruno.write(does("diablo"))
    assert zoe.take(bruno.copy(), take_over=True).standing is Standing.ASKED
    assert zoe.types()[-1] == "diablo"
    zoe.write(note("The call came first."))
    assert bruno.take(zoe.copy()).standing is Standing.LONGER
    assert zoe.waiting() == [("south", 6)]
    assert sound(zoe)


def test_one_word_of_the_arbiter_is_enough_for_a_long_fork(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    bruno.write(
        *(note(f"note {number}", "muscovites") for number in range(5)), resign("muscovites")
    )
    zoe.write(play("e3-f3"))
    zoe.take(bruno.copy())
    assert len(awaits_word(zoe.service, zoe.match)) == 1
    zoe.write(note("This copy stands."))
    assert awaits_word(zoe.service, zoe.match) == []
    bruno.take(zoe.copy())
    assert bruno.hashes() == zoe.hashes()


def test_the_arbiter_is_asked_as_long_as_somebody_may_still_stand_elsewhere(
    zoe: Device, bruno: Device
) -> None:
    """Bruno has given way and gone on; Alba's own device still stands on what he gave up."""
    meet(zoe, bruno)
    alba = Device(zoe.path.with_name("alba.db"), "swedes")
    bruno.write(note("First.", "muscovites"))
    alba.take(bruno.copy())
    zoe.write(lower(zoe, bruno.hashes()[-1], "swedes"))
    zoe.take(bruno.copy())
    bruno.take(zoe.copy())
    bruno.write(note("Second.", "muscovites"))
    zoe.take(bruno.copy())
    assert alba.take(zoe.copy()).standing is Standing.UNDECIDED
    assert awaits_word(zoe.service, zoe.match)
    zoe.write(note("This copy stands."))
    assert alba.take(zoe.copy()).standing is Standing.ARBITER_SIGNED_THEIRS
    alba.service.close()


def test_a_copy_that_was_set_aside_already_does_not_come_back(zoe: Device, bruno: Device) -> None:
    zoe.open()
    bruno.take(zoe.copy())
    zoe.write(accept("swedes"))
    bruno.write(accept("muscovites"))
    stale = bruno.copy()
    bruno.take(zoe.copy())
    brought = bruno.take(stale)
    assert (brought.standing, brought.aside, brought.taken) == (Standing.SEEN, (), ())
    assert bruno.hashes() == zoe.hashes()
    twice = zoe.take(stale), zoe.take(stale)
    assert [len(each.aside) for each in twice] == [1, 0]


def test_what_was_set_aside_waits_until_its_owner_does_something_else(
    zoe: Device, bruno: Device
) -> None:
    meet(zoe, bruno)
    zoe.write(note("Tea."))
    bruno.write(resign("muscovites"))
    bruno.take(zoe.copy())
    assert bruno.waiting() == [("muscovites", 3)]
    bruno.write(note("I play on.", "muscovites"))
    assert bruno.waiting() == []


def test_an_owner_who_has_acted_in_the_copy_that_stands_is_not_waited_for(
    zoe: Device, bruno: Device
) -> None:
    meet(zoe, bruno)
    bruno.write(note("First.", "muscovites"))
    phone = Device(bruno.path.with_name("phone.db"), "muscovites")
    phone.take(zoe.copy())
    phone.write(lower(phone, bruno.hashes()[-1], "muscovites"))
    zoe.take(phone.copy())
    bruno.take(zoe.copy())
    assert bruno.waiting() == []
    assert [(each.anew, each.by) for each in bruno.take(zoe.copy()).signed_both] == []
    phone.service.close()


def test_the_arbiters_own_fork_is_told_with_both_events(zoe: Device, bruno: Device) -> None:
    """A restored backup: the arbiter signs two events with the same number."""
    meet(zoe, bruno)
    zoe.write(play("e3-f3"), note("One."))
    bruno.take(zoe.copy())
    backup = Device(zoe.path.with_name("backup.db"), "arbiter", "swedes")
    backup.take(zoe.copy()[:3])
    backup.write(play("e3-d3"), note("Another."))
    brought = bruno.take(backup.copy())
    assert brought.standing is Standing.ARBITER_SIGNED_BOTH
    assert [(each.by, each.seq, each.anew) for each in brought.signed_both] == [
        ("swedes", 3, False),
        ("arbiter", 4, True),
    ]
    assert bruno.hashes() == zoe.hashes()
    assert {row.hash for row in bruno.service.store.aside()} == set(backup.hashes()[3:])
    backup.service.close()


def test_nobody_takes_a_move_back_by_signing_another(zoe: Device, bruno: Device) -> None:
    """Bruno sees Alba's answer, and lays another move of his before her."""
    zoe.open()
    alba = Device(zoe.path.with_name("alba.db"), "swedes")
    alba.take(zoe.copy())
    alba.write(accept("swedes"))
    bruno.take(alba.copy())
    bruno.write(accept("muscovites"))
    alba.take(bruno.copy())
    alba.write(play("e3-f3"))
    bruno.take(alba.copy())
    fork = Device(bruno.path.with_name("fork.db"), "muscovites")
    fork.take(bruno.copy())
    bruno.write(play("e2-h2"))
    alba.take(bruno.copy())
    alba.write(play("e4-e2"))
    kept = alba.hashes()
    fork.write(play("e2-d2"))
    brought = alba.take(fork.copy())
    assert brought.standing is Standing.UNDECIDED
    assert [(each.by, each.anew) for each in brought.signed_both] == [("muscovites", False)]
    assert alba.hashes() == kept
    zoe.take(alba.copy())
    assert zoe.take(fork.copy()).standing is Standing.ARBITER_HERE
    assert awaits_word(zoe.service, zoe.match)
    zoe.write(note("This copy stands."))
    assert not awaits_word(zoe.service, zoe.match)
    assert fork.take(zoe.copy()).standing is Standing.ARBITER_SIGNED_THEIRS
    assert alba.take(zoe.copy()).standing is Standing.LONGER
    assert fork.hashes() == alba.hashes() == zoe.hashes()
    alba.service.close()
    fork.service.close()


def test_whoever_gave_way_comes_back_at_the_arbiters_word(zoe: Device, bruno: Device) -> None:
    """Alba's own device gives way to what Bruno did at once, and the arbiter saw too late."""
    meet(zoe, bruno)
    zoe.roles = ("arbiter",)
    alba = Device(zoe.path.with_name("alba.db"), "swedes")
    alba.take(zoe.copy())
    alba.write(play("e3-f3"))
    zoe.take(alba.copy())
    bruno.write(lower(bruno, alba.hashes()[-1], "muscovites"))
    assert alba.take(bruno.copy()).standing is Standing.OWN
    assert zoe.take(bruno.copy()).standing is Standing.ARBITER_HERE
    assert alba.take(zoe.copy()).standing is Standing.SEEN
    zoe.write(note("This copy stands."))
    for device in (alba, bruno):
        assert device.take(zoe.copy()).standing is Standing.ARBITER_SIGNED_THEIRS
    assert alba.hashes() == bruno.hashes() == zoe.hashes()
    assert alba.waiting() == [("muscovites", 3)]  # at Bruno's device it can be signed anew
    alba.service.close()


def test_the_user_can_say_that_the_other_copy_stands(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    zoe.write(play("e3-f3"), note("One."))
    mine = zoe.hashes()[3:]
    other = Device(zoe.path.with_name("other.db"), "arbiter", "swedes")
    other.take(bruno.copy())
    other.write(play("e3-d3"), note("Another."), rewind(2))
    brought = zoe.take(other.copy(), take_over=True)
    assert brought.standing is Standing.ASKED
    assert zoe.hashes() == other.hashes()
    assert [row.hash for row in zoe.service.store.aside()] == mine
    zoe.take(bruno.copy())
    assert sound(zoe)
    zoe.write(play("e4-f4"))
    other.service.close()


def test_a_chain_can_come_back_after_it_was_set_aside(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    zoe.write(play("e3-f3"))
    first = zoe.copy()
    other = Device(zoe.path.with_name("other.db"), "arbiter", "swedes")
    other.take(bruno.copy())
    other.write(note("Mine stands."))
    zoe.take(other.copy(), take_over=True)
    zoe.take(first, take_over=True)
    zoe.take(other.copy(), take_over=True)
    assert zoe.hashes() == other.hashes()
    assert zoe.waiting() == [("swedes", 3)]
    assert sound(zoe)
    other.service.close()


def claim(seat: str) -> Plan:
    return lambda _: Draft("draw.claimed", Nothing(), seat)


def test_the_list_tells_who_claimed_the_draw_in_the_copy_that_stands(
    zoe: Device, bruno: Device
) -> None:
    """Both claim it, each in a copy: position and result are the same, the words for it are not."""
    meet(zoe, bruno)
    zoe.roles = (*zoe.roles, "muscovites")
    zoe.write(*map(play, ("e3-f3", "e2-h2", "f3-e3", "h2-e2") * 2))
    bruno.take(zoe.copy())
    zoe.write(claim("swedes"), note("Alba claimed it first."))
    bruno.write(claim("muscovites"))
    assert bruno.take(zoe.copy()).standing is Standing.ARBITER_SIGNED_THEIRS
    assert sound(bruno)


def test_a_copy_with_a_fault_is_refused_whole(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    zoe.write(play("e3-f3"))
    bruno.write(note("Mine.", "muscovites"))
    kept = bruno.hashes()
    events = zoe.copy()
    forged = Envelope(events[-1].payload, ALBA.sign(b"else"), events[-1].keyid)
    stranger = Envelope(events[-1].payload, BRUNO.sign(b"x"), BRUNO.public.fingerprint)
    for last, code in ((forged, "bad-signature"), (stranger, "wrong-signer")):
        with pytest.raises(Refused, match="Event 3 of the file does not hold") as refused:
            bruno.take([*events[:-1], last])
        assert refused.value.code == code
    with pytest.raises(Refused):
        bruno.take([*events[:-2], events[-1]])
    with pytest.raises(Refused, match="no event"):
        take_in(bruno.service, [], here=lambda _: ())
    assert bruno.hashes() == kept
    assert bruno.service.store.aside() == []


def test_a_known_event_with_a_forged_signature_is_refused_too(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    events = zoe.copy()
    forged = Envelope(events[1].payload, ALBA.sign(b"else"), events[1].keyid)
    with pytest.raises(Refused) as refused:
        bruno.take([events[0], forged, *events[2:]])
    assert refused.value.code == "bad-signature"


def test_a_program_that_is_open_notices_that_another_copy_was_taken_over(
    zoe: Device, bruno: Device
) -> None:
    meet(zoe, bruno)
    bruno.write(note("Mine.", "muscovites"))
    elsewhere = Device(bruno.path, "muscovites")
    zoe.write(play("e3-f3"), note("Tea."))
    elsewhere.take(zoe.copy())
    state = bruno.write(play("e2-h2"))
    assert [entry.hash for entry in state.entries[:-1]] == zoe.hashes()
    elsewhere.service.close()


# -- strangers with a pen ------------------------------------------------------------------


def lay_aside(device: Device, envelope: Envelope, seq: int, prev: str, kind: str) -> None:
    """What somebody can do who may write to the file, without breaking any trigger."""
    store = device.service.store
    with store.writing():
        store.keep_aside(
            Row(
                match=device.match,
                seq=seq,
                prev=prev,
                type=kind,
                hash=envelope.hash,
                payload=envelope.payload,
                signature=envelope.signature,
                keyid=envelope.keyid,
            ),
            "2026-11-29T18:00:00Z",
        )


def test_what_nobody_signed_is_never_offered_for_signing(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    bruno.write(resign("muscovites"))
    genuine = bruno.copy()[-1]
    forged = Envelope(genuine.payload, bytes(64), genuine.keyid)
    lay_aside(zoe, forged, 3, zoe.hashes()[2], "resigned")
    assert zoe.waiting() == []
    view = inspect(str(zoe.path), zoe.path, trust(None, None))
    assert view.verdict == "faults"
    assert "set aside at 4: no event of this match that its role has signed" in view.file_faults[0]


@pytest.mark.parametrize("payload", [b"\x00", b"{}", b"[" * 1000])
def test_nonsense_that_is_set_aside_stops_nothing(
    zoe: Device, bruno: Device, payload: bytes
) -> None:
    meet(zoe, bruno)
    lay_aside(zoe, Envelope(payload, bytes(64), "x"), 3, zoe.hashes()[2], "note")
    assert zoe.waiting() == []
    zoe.write(play("e3-f3"))
    assert not sound(zoe)


def test_an_act_that_was_set_aside_twice_waits_once(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    for words in ("One.", "Two."):
        if words == "One.":
            bruno.write(note("Mine.", "muscovites"))
        else:
            bruno.sign_anew()
        zoe.write(note(words))
        bruno.take(zoe.copy())
    assert len(bruno.service.store.aside()) == 2
    assert len(bruno.waiting()) == 1


def test_both_events_of_one_key_stay_as_evidence(zoe: Device, bruno: Device) -> None:
    meet(zoe, bruno)
    other = Device(zoe.path.with_name("other.db"), "arbiter", "swedes")
    other.take(zoe.copy())
    zoe.write(play("e3-f3"))
    other.write(play("e3-d3"))
    zoe.take(other.copy())
    view = inspect(str(zoe.path), zoe.path, trust(None, None))
    (aside,) = view.set_aside
    assert (aside.event, aside.by, aside.hash) == (3, "swedes", other.hashes()[3])
    assert aside.signed_both == zoe.hashes()[3]
    assert aside.envelope.encode() == other.copy()[3].text()
    assert view.verdict == "sound"
    other.service.close()


def test_a_trigger_of_a_strangers_cannot_take_back_what_is_said_to_be_stored(
    zoe: Device, bruno: Device
) -> None:
    meet(zoe, bruno)
    zoe.service.store.connection.execute("DROP TRIGGER events_gapless")
    zoe.service.store.connection.execute(
        "CREATE TRIGGER thief AFTER INSERT ON events WHEN NEW.type = 'resigned' BEGIN "
        "INSERT INTO set_aside SELECT position, match, seq, prev, type, hash, payload, signature, "
        "keyid, recorded_at, position FROM events WHERE hash = NEW.hash; END"
    )
    before = zoe.hashes()
    with pytest.raises(Unreadable, match="does not keep what is written"):
        zoe.write(resign("swedes"))
    assert zoe.hashes() == before


# -- all together --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_three_devices_come_together_again_whatever_they_did(tmp_path: Path, seed: int) -> None:
    """The arbiter plays no part in the game and signs only what the hints ask for. Everybody acts
    and takes copies in at random; then all copies go to the arbiter and back, twice."""
    random = Random(seed)
    table = {
        name: Device(tmp_path / f"{name}.db", role)
        for name, role in (("zoe", "arbiter"), ("alba", "swedes"), ("bruno", "muscovites"))
    }
    zoe, *players = table.values()
    zoe.open()
    acknowledged: dict[str, set[str]] = {name: set() for name in table}
    for player in players:
        player.take(zoe.copy())
    for _ in range(120):
        name, device = random.choice(list(table.items()))
        if random.random() < 0.5:
            other = random.choice([each for each in table.values() if each is not device])
            device.take(other.copy())
        elif device is not zoe:
            with suppress(TabellionError):
                device.write(act(device, random))
                acknowledged[name].add(device.hashes()[-1])
    for _ in range(2):
        for player in players:
            zoe.take(player.copy())
        if awaits_word(zoe.service, zoe.match):
            zoe.write(note("This copy stands."))
        for player in players:
            player.take(zoe.copy())
            for each in pending(player.service, player.match, player.roles):
                with suppress(TabellionError):
                    player.write(each.plan)
            zoe.take(player.copy())
    for player in players:
        player.take(zoe.copy())
    assert len({tuple(device.hashes()) for device in table.values()}) == 1
    for name, device in table.items():
        store = device.service.store
        kept = {row.hash for row in [*store.rows(device.match), *store.aside()]}
        assert acknowledged[name] <= kept
        assert sound(device)
        device.service.close()


def act(device: Device, random: Random) -> Plan:
    """Something that the player of this device could do now."""
    (role,) = device.roles
    state = device.service.state(device.match)
    if role in state.unaccepted:
        return accept(role)
    if state.turn == role and random.random() < 0.7:
        return play(random.choice(state.game.legal(state.position)).text)
    return note(f"note {random.random()}", role)

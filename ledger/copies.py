"""Two copies of one match: how far they agree, and which of them stands after that.

One ledger orders a match, the arbiter's: where the arbiter has signed after the common part, that
copy stands. Before the arbiter's word a device gives up only what its own keys have signed and can
sign anew after the other copy. What leaves is set aside, never lost. Pure: envelopes in, a verdict
out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from enum import Enum

from msgspec import Struct

from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError
from ledger.events import ArbiterReplaced, Event, KeyReplaced, Rolled, RollOpened, decode
from ledger.fold import Entry, MatchState, Party, advance, authenticate, begin
from ledger.fold.authority import key_of
from ledger.fold.parts import ARBITER
from ledger.fold.people import rosters


class Standing(Enum):
    """Whose copy stands after the common part, and why."""

    SAME = "same"
    LONGER = "longer"
    """The other copy goes on where ours ends."""
    SHORTER = "shorter"
    """The other copy ends before ours."""
    ARBITER_SIGNED_THEIRS = "arbiter-signed-theirs"
    """They part; only in the other copy has the arbiter signed what follows."""
    ARBITER_SIGNED_OURS = "arbiter-signed-ours"
    ARBITER_SIGNED_BOTH = "arbiter-signed-both"
    """The arbiter's own fork: a restored backup, or worse. Ours stays."""
    ARBITER_HERE = "arbiter-here"
    """They part, the arbiter has signed neither, and this device has the arbiter's key."""
    OWN = "own"
    """They part, the arbiter has signed neither, and all that leaves was signed with keys of this
    device and can be signed anew after theirs. Nobody loses anything."""
    FIRST = "first"
    """As ``OWN``, but each side has signed alone and either could give way: lest both do, the one
    whose first event has the lower hash stays, here as there."""
    SEEN = "seen"
    """They part, and all of the other copy was set aside here before. Ours stays."""
    UNDECIDED = "undecided"
    """They part, the arbiter has signed neither, and ours holds what others have signed. It stays
    until the arbiter's word comes: nobody takes back what they have signed by signing again."""
    ASKED = "asked"
    """They part, and the user said that the other copy stands."""

    @property
    def theirs(self) -> bool:
        """Whether events of the other copy are taken over."""
        return self in (
            Standing.LONGER,
            Standing.ARBITER_SIGNED_THEIRS,
            Standing.OWN,
            Standing.ASKED,
        )

    @property
    def parted(self) -> bool:
        """Whether each copy has events that the other has not."""
        return self not in (Standing.SAME, Standing.LONGER, Standing.SHORTER)


class SignedBoth(Struct, frozen=True):
    """Two events by one key with the same match and number: an explanation is due."""

    by: str
    keyid: str
    seq: int
    ours: Envelope
    theirs: Envelope
    anew: bool
    """They continue different events: the second was signed after the copies had parted."""


def common(ours: Sequence[Envelope], theirs: Sequence[Envelope]) -> int:
    """How many events both copies begin with."""
    length = 0
    for mine, other in zip(ours, theirs, strict=False):
        if mine.hash != other.hash:
            break
        length += 1
    return length


def standing(
    ours: Sequence[Envelope],
    theirs: Sequence[Envelope],
    *,
    here: Collection[str],
    again: Callable[[], bool],
    back: Callable[[], bool],
    seen: bool = False,
    take_over: bool = False,
) -> Standing:
    """Whose copy stands, given what each has after the common part.

    ``here``: the roles whose keys are on this device; ``again``: whether all of ``ours`` can be
    signed anew after ``theirs``, and ``back`` the other way round; ``seen``: all of ``theirs`` was
    set aside here before.
    """
    if not theirs:
        return Standing.SHORTER if ours else Standing.SAME
    if not ours:
        return Standing.LONGER
    if take_over:
        return Standing.ASKED
    match _arbiters_word(ours, theirs), _arbiters_word(theirs, ours):
        case (False, True):
            return Standing.ARBITER_SIGNED_THEIRS
        case (True, False):
            return Standing.ARBITER_SIGNED_OURS
        case (True, True):
            return Standing.ARBITER_SIGNED_BOTH
    if _signers(ours) <= set(here) and again():
        alone = len(_signers(ours)) == len(_signers(theirs)) == 1
        if alone and ours[0].hash < theirs[0].hash and back():
            return Standing.FIRST
        if alone or ARBITER not in here:
            return Standing.OWN
    if ARBITER in here:
        return Standing.ARBITER_HERE
    return Standing.SEEN if seen else Standing.UNDECIDED


def _arbiters_word(tail: Sequence[Envelope], other: Sequence[Envelope]) -> bool:
    """Whether the arbiter has signed what follows. Where one copy alone puts another arbiter in,
    the key before has nothing to say in the other: it may be lost, or stolen."""
    if _replaces_the_arbiter(other) and not _replaces_the_arbiter(tail):
        return False
    return ARBITER in _signers(tail) or _replaces_the_arbiter(tail)


def _replaces_the_arbiter(tail: Sequence[Envelope]) -> bool:
    return any(isinstance(decode(each.payload), ArbiterReplaced) for each in tail)


def _signers(tail: Sequence[Envelope]) -> set[str]:
    return {decode(each.payload).by for each in tail}


def signed_both(ours: Sequence[Envelope], theirs: Sequence[Envelope]) -> list[SignedBoth]:
    """The numbers for which one key has signed an event in each copy."""
    found = []
    mine = {_place(each): each for each in ours}
    for other in theirs:
        same = mine.get(_place(other))
        if same is None or same.hash == other.hash:
            continue
        one, two = decode(same.payload), decode(other.payload)
        found.append(SignedBoth(one.by, same.keyid, one.seq, same, other, one.prev != two.prev))
    return found


def _place(envelope: Envelope) -> tuple[str, int]:
    return envelope.keyid, decode(envelope.payload).seq


def continued(state: MatchState | None, envelopes: Sequence[Envelope]) -> MatchState:
    """``state`` after these events of somebody else: every signature, every rule.

    Raises ``Refused`` naming the first event that does not hold.
    """
    for envelope in envelopes:
        number = state.seq + 1 if state else 0
        try:
            event = decode(envelope.payload)
            authenticate(state.roster if state else None, envelope, event)
            entry = Entry(event, envelope.hash, envelope.keyid)
            state = begin(entry) if state is None else advance(state, entry)
        except TabellionError as error:
            raise Refused(
                error.code,
                f"Event {number} of the file does not hold: {error.message} Nothing was written.",
                hint="see every fault: tabellion audit FILE",
            ) from error
    if state is None:
        raise Refused("empty", "There is no event.")
    return state


def parties_at(state: MatchState, seq: int) -> Mapping[str, Party]:
    """Who held which role when event ``seq`` of the match was signed, or would have been."""
    return rosters(state)[sum(change.seq < seq for change in state.changes)]


def genuine(state: MatchState, envelopes: Sequence[Envelope]) -> list[Event | None]:
    """The events in ``envelopes``, which were set aside, each where it is one of this match that
    its role signed: with the key that the role had at the event's own place. Where that place is
    not known (its own copy is not here whole) it may be any key that the role ever had."""
    every = rosters(state)
    branches: dict[str, Mapping[str, Party]] = {}
    found: list[Event | None] = [None] * len(envelopes)
    read = [(place, *_read(state, each)) for place, each in enumerate(envelopes)]
    for place, event, envelope in sorted(read, key=lambda each: each[1].seq if each[1] else -1):
        if event is None:
            continue
        before = event.seq - 1
        if 0 <= before <= state.seq and state.entries[before].hash == event.prev:
            possible = [parties_at(state, event.seq)]
        elif event.prev in branches:
            possible = [branches[event.prev]]
        else:
            possible = list(every)
        for parties in possible:
            with suppress(TabellionError):
                authenticate(parties, envelope, event)
                found[place] = event
                if len(possible) == 1:
                    branches[envelope.hash] = _with(parties, event)
                break
    return found


def _read(state: MatchState, envelope: Envelope) -> tuple[Event | None, Envelope]:
    try:
        event = decode(envelope.payload)
    except TabellionError:
        return None, envelope
    return (event if event.match == state.match else None), envelope


def _with(parties: Mapping[str, Party], event: Event) -> Mapping[str, Party]:
    """The roster after an event that was set aside."""
    match event:
        case KeyReplaced(data=given) if given.role in parties:
            key = key_of(given.key) if given.key else None
            return {**parties, given.role: Party(given.role, given.name, key)}
        case ArbiterReplaced(data=given):
            return {**parties, ARBITER: Party(ARBITER, given.name, key_of(given.key))}
        case _:
            return parties


def roll_shown(event: Event) -> int | None:
    """The roll whose number an event opens: whoever has that copy can know what its dice are made
    of, whether the event stands or not."""
    match event:
        case Rolled(data=thrown) if thrown.nonce is not None:
            return thrown.roll
        case RollOpened(data=opened):
            return opened.roll
        case _:
            return None

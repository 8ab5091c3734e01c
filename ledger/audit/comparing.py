"""The match as a whole against what the reader brings (rulings, head hash, names of keys), and
against the boards that its file shows."""

from __future__ import annotations

import re
from typing import Final

from ledger import positions
from ledger.audit.judging import Reading
from ledger.audit.people import holders
from ledger.errors import Unreadable

HEAD_FORM: Final = re.compile("[0-9a-f]{32,64}")
"""Half of a hash at least: fewer digits could be met by two prepared matches."""


def check_document(reading: Reading) -> None:
    if reading.state is None:
        return
    document = reading.state.opening.ruleset.document
    if document not in reading.trust.documents:
        reading.unchecked.append(
            f"The match was opened under the ruling document {document}, which this Tabellion "
            "does not hold: its moves were judged by other rulings."
        )
    elif reading.trust.documents[document].rpartition("-")[0] != reading.state.game.name:
        reading.fault(
            0,
            "wrong-document",
            f"The ruling document {reading.trust.documents[document]} is not one of the game's.",
        )


def is_head(text: str) -> bool:
    """Whether ``text`` can be a head hash, or at least its first half."""
    return HEAD_FORM.fullmatch(digits(text)) is not None


def check_head(reading: Reading) -> None:
    head = reading.trust.head
    if head is None:
        return
    wanted = digits(head)
    if not is_head(head):
        reading.fault(
            None, "bad-head", f"A head hash has 32 to 64 hex digits, unlike {head[:80]!a}."
        )
        return
    found = [n for n, each in enumerate(reading.hashes) if each and each.startswith(wanted)]
    if not found:
        reading.fault(
            None,
            "wrong-head",
            "None of these events has the head hash given: this is another match, an altered one, "
            "or one that was cut off.",
        )
    elif found[-1] != len(reading.hashes) - 1:
        reading.unchecked.append(
            f"The head hash given is that of event {found[-1]}: what follows was added after it "
            "was noted down."
        )


def digits(head: str) -> str:
    return re.sub(r"[\s:-]", "", head).lower()


def check_positions(reading: Reading, text: bytes) -> None:
    """Boards are nobody's word; but whoever looks at them should see what the rules give."""
    if reading.state is None:
        return
    try:
        found = positions.wrong(reading.state, len(reading.hashes), text)
    except Unreadable as error:
        reading.unchecked.append(error.message)
        return
    if found is not None:
        event, said = found
        reading.fault(event, "wrong-board", said)


def check_signers(reading: Reading) -> dict[str, tuple[str, ...]]:
    """Principals by fingerprint, for every key that the match ever had. One that the reader's file
    does not hold is a fault of the event that brought it."""
    signers = reading.trust.signers
    listed: dict[str, tuple[str, ...]] = {}
    if signers is None:
        return listed
    for party, since, _ in holders(reading):
        if party.key is None:
            continue
        keyid = party.key.fingerprint
        found = signers.of(party.key)
        listed[keyid] = tuple(name for each in found for name in each.principals)
        if not found:
            reading.fault(
                since.seq if since else 0,
                "key-not-listed",
                f"The key of {party.name} ({party.role}), {keyid}, is not in your signers file.",
            )
        elif not any(each.named(party.name) for each in found):
            reading.unchecked.append(
                f"The record calls the holder of {keyid} {party.name}; your signers file calls "
                f"them {', '.join(listed[keyid])}. Compare the names."
            )
        elif all(each.valid_after or each.valid_before for each in found):
            reading.unchecked.append(
                f"Your signers file limits the key of {party.name} ({party.role}) in time. "
                "Whether it was used in that time, no record can prove."
            )
    return listed

"""The fold: what a match is, computed from its events and from nothing else.

Pure: no clock, no files, no entropy. The same fold serves appending, showing and auditing.
"""

from ledger.fold.authority import authenticate, check_authority, roster, signer
from ledger.fold.match import advance, as_of, begin, describe, open_match
from ledger.fold.state import (
    Entry,
    MatchState,
    Moment,
    Party,
    Phase,
    StandingOffer,
    breaches,
    taken_back,
)

__all__ = [
    "Entry",
    "MatchState",
    "Moment",
    "Party",
    "Phase",
    "StandingOffer",
    "advance",
    "as_of",
    "authenticate",
    "begin",
    "breaches",
    "check_authority",
    "describe",
    "open_match",
    "roster",
    "signer",
    "taken_back",
]

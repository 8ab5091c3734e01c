"""The fold: what a match is, computed from its events and from nothing else.

Pure: no clock, no files, no entropy. The same fold serves appending, showing and auditing.
"""

from ledger.fold.authority import authenticate, check_authority, roster, signer
from ledger.fold.closing import cited, describe
from ledger.fold.match import advance, as_of, begin, open_match
from ledger.fold.parts import Entry, Moment, Party, Phase, StandingOffer
from ledger.fold.state import MatchState, breaches, moved, overruled, taken_back

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
    "cited",
    "describe",
    "moved",
    "open_match",
    "overruled",
    "roster",
    "signer",
    "taken_back",
]

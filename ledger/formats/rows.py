"""What stands in the rows of a spreadsheet, three kinds of them: an act, a throw, a match.

Names of fields are the headers of CSV and the keys of JSON Lines. They are for an organiser's
table and an analyst's script alike: every row says of which match and event it is.
"""

from __future__ import annotations

from msgspec import Struct


class OfMatch(Struct, frozen=True, kw_only=True):
    """What every row says of its match. Texts of the opening are null where it has none."""

    match: str
    event: str | None
    """The tournament."""
    round: str | None
    table: str | None
    place: str | None
    date: str | None
    game: str
    ruleset: str


class MoveRow(OfMatch, frozen=True, kw_only=True):
    """An act of the game: a move, a Pull, a call …"""

    seq: int
    """The number of its event."""
    number: int | None
    """Which act on the board it is; null for a call, and for what does not stand."""
    seat: str
    player: str
    kind: str
    """The type of its event."""
    notation: str
    dice: tuple[int, ...]
    """That lay on the table, as thrown, and that something was still to be done with."""
    position: str
    """The game after it, in the notation of the game."""
    signed_by: str
    """The role that signed: the seat, or the arbiter who wrote it down."""
    at: str
    hash: str
    superseded_by: int | None
    """The event that took it back."""


class RollRow(OfMatch, frozen=True, kw_only=True):
    """A throw whose dice count or counted. Dice that wait for a confirmation are none yet."""

    roll: int
    """Its number; numbers are never used twice."""
    seq: int
    """The event since which the dice count."""
    seat: str
    player: str
    """Who threw."""
    dice: tuple[int, ...]
    toss: bool
    """Whether it was one die each, for who begins; the first seat's stands first."""
    scheme: str
    """How dice are made in this match."""
    awarded: bool
    """Whether a ruling said how it fell."""
    signed_by: str
    """The role that signed the throw, or wrote down the dice."""
    completed_by: str
    """The role that signed the event ``seq``: the last opening, a confirmation, the award."""
    at: str
    hash: str
    voided_by: int | None
    superseded_by: int | None
    """The event that took it back; null if it was voided."""


class ResultRow(OfMatch, frozen=True, kw_only=True):
    """A match, as it stands."""

    changed_options: str
    """Those that the ruleset has otherwise, ``name=value``, a space between them."""
    first_seat: str
    first_player: str
    second_seat: str
    second_player: str
    arbiter: str
    phase: str
    kind: str | None
    """win, draw, forfeit, double_forfeit, annulled; null while there is no result."""
    how: str | None
    winner: str | None
    winning_player: str | None
    first_held_at_end: int | None
    """What the seat held when the game was over, in games that are played for it (a stake). No
    points for the table of a tournament: those are its own to give. Null while the
    match has no result."""
    second_held_at_end: int | None
    moves: int
    """Acts on the board that stand."""
    rolls: int
    """Throws that stand."""
    rulings: int
    disputes: int
    appeals: int
    first_penalties: int
    """Not those that were withdrawn."""
    second_penalties: int
    closed: bool
    first_countersigned: bool | None
    """Whether the seat put its own name to the result that stands; null before the closing, like
    all that follows of signatures."""
    second_countersigned: bool | None
    first_refused_to_sign: bool | None
    """As the arbiter recorded it, and not if the seat signed after all."""
    second_refused_to_sign: bool | None
    first_signed_instead: str | None
    """The name of the witness who signed instead of a seat that was not there."""
    second_signed_instead: str | None
    source: str | None
    """The format of the file that the match was read from."""
    opened_at: str
    last_at: str
    events: int
    head: str

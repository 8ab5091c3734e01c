"""The shapes of what the commands tell: one struct, one JSON Schema (``ledger.schemas``)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ledger.events import Result
from ledger.games.protocol import Stack


class SeatView(Struct, frozen=True):
    seat: str
    name: str
    keyid: str | None
    """``None``: the arbiter writes down what this seat does."""
    accepted: bool
    countersigned: bool


class OfferView(Struct, frozen=True):
    """An offer that stands: it is answered by its hash, or the hash's first digits."""

    hash: str
    seq: int
    seat: str
    text: str
    """What is offered, after "offers": a draw."""


class BreachView(Struct, frozen=True):
    """A duty left undone or done wrongly: a call, say. The arbiter may punish it."""

    seq: int
    text: str


class BoardView(Struct, frozen=True, tag_field="kind", tag="grid"):
    """A board as places: see ``Surface``."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    pieces: dict[str, str]
    marks: dict[str, str]
    legend: dict[str, str]
    signs: dict[str, str]
    """A character for each marking."""
    counts: dict[str, int]
    last: tuple[str, ...]
    joined: tuple[tuple[str, ...], ...]
    """Neighbouring places that belong together."""
    sides: tuple[str, str]
    """Who sits below the first row and above the last; "" where the board itself shows it."""


class TrackView(Struct, frozen=True, tag_field="kind", tag="track"):
    """A board as numbered points, the first of them point 1, and pools: see ``Track``."""

    points: tuple[Stack, ...]
    pools: dict[str, tuple[Stack, Stack]]
    legend: dict[str, str]
    last: tuple[int, ...]


class DueView(Struct, frozen=True):
    """The step that the match waits for, and whose it is: seats, or the arbiter."""

    step: Literal[
        "accept",
        "commit",
        "throw",
        "open",
        "confirm",
        "act",
        "rule",
        "resume",
        "close",
        "decide",
        "countersign",
        "nothing",
    ]
    whose: tuple[str, ...]


class DiceView(Struct, frozen=True):
    """How the dice are made, and how far the present roll has come."""

    scheme: str
    words: str
    """How they are made, for people."""
    contributors: tuple[str, ...]
    """Whose secrets make the dice; nobody's, for dice on the table."""
    roll: int
    """The number of the roll in flight, or of the next."""
    thrown_by: str | None
    """The seat whose roll is in flight."""
    opened: tuple[str, ...]
    awaited: tuple[str, ...]
    """Who has still to open it, the next one first."""
    unconfirmed: tuple[int, ...]
    """Dice that wait for the other seat's word."""


class StatementView(Struct, frozen=True):
    """Words on a dispute or an appeal."""

    seq: int
    seat: str
    """Whose words they are, whoever wrote them down."""
    text: str


class DisputeView(Struct, frozen=True):
    """The dispute that is open."""

    seq: int
    by: str
    event: int
    """The event complained of."""
    text: str
    statements: tuple[StatementView, ...]
    settled: tuple[str, ...]
    """The seats that would end it by agreement."""


class AppealView(Struct, frozen=True):
    """An appeal that waits to be decided."""

    seq: int
    seat: str
    against: int
    """The ruling or the closing."""
    text: str
    statements: tuple[StatementView, ...]


class PenaltyView(Struct, frozen=True):
    """A penalty, by the ruling of event ``seq``, and how many of its kind the player has now."""

    seq: int
    seat: str
    name: str
    penalty: str
    text: str
    """The same in words."""
    count: int
    withdrawn: int | None
    """The ruling that withdrew it; then it is not counted."""


class SignedResultView(Struct, frozen=True):
    """A result since the match was closed. The last one stands."""

    seq: int
    result: Result
    signed: tuple[str, ...]
    for_absent: dict[str, str]
    """The witness who signed instead of a seat."""
    refused: dict[str, int]
    """Seats that would not sign, with the event that says so."""


class ShowView(Struct, frozen=True):
    """A match as it stands after event ``seq``."""

    match: str
    seq: int
    head: str
    phase: str
    ruleset: str
    changed_options: dict[str, bool | str]
    """Options that differ from the ruleset's own."""
    turn_cap: int | None
    """After how many turns the game is over, if it was opened so."""
    about: dict[str, str]
    """Event, round, table, place, date, where they were given."""
    arbiter: str
    seats: tuple[SeatView, ...]
    position: str
    board: BoardView | TrackView
    dice: tuple[int, ...]
    """Dice on the table that are still to be played."""
    last_action: str | None
    news: str
    """What the last throw or act brought about beyond what it says; "" for nothing."""
    turn: str | None
    result: Result | None
    offers: tuple[OfferView, ...]
    remarks: tuple[str, ...]
    breaches: tuple[BreachView, ...]
    dispute: DisputeView | None
    appeals: tuple[AppealView, ...]
    penalties: tuple[PenaltyView, ...]
    results: tuple[SignedResultView, ...]
    rolling: DiceView | None
    due: DueView
    next: str
    """Who has to do what, in a sentence."""


class LogLine(Struct, frozen=True):
    seq: int
    type: str
    by: str
    for_: str | None = field(name="for")
    at: str
    hash: str
    keyid: str
    text: str
    breaches: tuple[str, ...]
    superseded: bool
    void: bool
    """Whether it threw or wrote down dice that were voided."""


class LogView(Struct, frozen=True):
    match: str
    events: tuple[LogLine, ...]


class MatchLine(Struct, frozen=True):
    match: str
    ruleset: str
    seats: dict[str, str]
    about: dict[str, str]
    events: int
    phase: str
    turn: str | None
    result: Result | None
    next: str


class ListView(Struct, frozen=True):
    matches: tuple[MatchLine, ...]


class OptionView(Struct, frozen=True):
    name: str
    value: bool | str
    default: bool | str
    values: tuple[bool | str, ...]
    reason: str


class RulesetView(Struct, frozen=True):
    name: str
    version: int
    title: str
    game: str
    document: str
    options: tuple[OptionView, ...]


class RulesView(Struct, frozen=True):
    rulesets: tuple[RulesetView, ...]


class CheckView(Struct, frozen=True):
    """The referee's answer to one move in one position, or all legal moves when none is given."""

    ruleset: str
    position: str
    dice: tuple[int, ...]
    """The dice to be played."""
    wanted: str
    """The throw that comes next, in words; "" where something is to be played."""
    move: str | None
    legal: bool | None
    refusal: str | None
    code: str | None
    leads_to: str | None
    news: str
    """What the dice or the move brought about by itself; "" for nothing."""
    turn: str | None
    outcome: str | None
    winner: str | None
    moves: tuple[str, ...]


class KeyView(Struct, frozen=True):
    name: str
    public: str | None
    fingerprint: str | None
    encrypted: bool | None
    """Of the file with the private half; ``None`` if it is not here or cannot be read."""
    held: Literal["agent", "file", "nowhere"]
    """Where the private half is on this device: what ssh-agent holds, it signs with."""
    problem: str | None


class KeysView(Struct, frozen=True):
    keys: tuple[KeyView, ...]


class WrittenEvent(Struct, frozen=True):
    seq: int
    type: str
    hash: str
    text: str


class WrittenView(Struct, frozen=True):
    """What a command has written, and what comes next."""

    match: str
    events: tuple[WrittenEvent, ...]
    phase: str
    turn: str | None
    offers: tuple[OfferView, ...]
    remarks: tuple[str, ...]
    """What the table should know now: a call that is due, a position that stands again."""
    next: str


class InitView(Struct, frozen=True):
    """The ledger file. ``rebuilt``: matches whose lists were made anew, if that was asked for."""

    ledger: str
    made: bool
    rebuilt: int | None


class BackupView(Struct, frozen=True):
    """A copy of the ledger that was checked. ``sha256`` is that of the file."""

    file: str
    format: int
    matches: int
    events: int
    set_aside: int
    sha256: str


class Finding(Struct, frozen=True):
    """What the doctor looked at. ``remedy``: the next command, where all is not well."""

    what: str
    state: Literal["ok", "warn", "fault"]
    text: str
    remedy: str = ""


class DoctorView(Struct, frozen=True):
    findings: tuple[Finding, ...]

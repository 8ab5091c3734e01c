"""What is refused in a match with dice, and with which code, told from the score sheet alone."""

from __future__ import annotations

from dicesheet import Sheet
from scoresheet import OF_OTHERS as OTHERS
from scoresheet import SCRIBED, Act
from tabulabyhand import SEATS, bound

from ledger.events import (
    Answer,
    Closing,
    Commitment,
    Confirmation,
    Countersignature,
    Lying,
    Opened,
    Play,
    Rewind,
    SettlementOffer,
    TakebackOffer,
    Throw,
    Verdict,
    Voiding,
)

IDLE = {"closed": "match-closed", "ended": "game-over", "before-acceptance": "not-accepted"}
DICE_OF = ("dice.committed", "roll.opened", "roll.recorded", "roll.voided")
MAY = {
    **dict.fromkeys((*SCRIBED, "seat.accepted"), SEATS),
    **dict.fromkeys(DICE_OF, (*SEATS, "arbiter")),
    **dict.fromkeys(("ruling", "match.closed"), ("arbiter",)),
    "countersigned": (*SEATS, "witness1"),
    "note": (*SEATS, "arbiter", "witness1"),
}
"""Who does what in their own name."""
OF_OTHERS = tuple(kind for kind in OTHERS if kind != "pass")
WAITS = (
    *("move", *OTHERS, "call", "offer.made", "offer.accepted", "offer.declined", "draw.claimed"),
)
"""What is not done before dice on the table are confirmed."""


def refusal(sheet: Sheet, act: Act) -> str | None:
    """The code of the refusal that ``act`` must meet; ``*`` is any."""
    return _authority(sheet, act) or _under_way(sheet, act) or _rule(sheet, act)


def _authority(sheet: Sheet, act: Act) -> str | None:
    signs = {"arbiter": True, "witness1": True, **{seat: seat in sheet.keyed for seat in SEATS}}
    if act.by not in signs:
        return "unknown-role"
    if not signs[act.by]:
        return "no-key"
    if act.key not in (None, act.by):
        return "wrong-signer"
    if act.for_ is None:
        return None if act.by in MAY[act.kind] else "wrong-role"
    if act.by != "arbiter" or act.kind not in SCRIBED:
        return "wrong-role"
    if act.for_ not in SEATS:
        return "unknown-role"
    return "seat-has-key" if signs[act.for_] else None


def _under_way(sheet: Sheet, act: Act) -> str | None:
    """Between a throw and its dice, between dice and their confirmation, little is done."""
    if sheet.flight and act.kind not in ("roll.opened", "resigned"):
        in_person = act.by == "arbiter" and act.for_ is None
        if not in_person or act.kind == "dice.committed":
            return "roll-in-flight"
    return "unconfirmed" if sheet.recorded and act.kind in WAITS else None


def _rule(sheet: Sheet, act: Act) -> str | None:  # a line for each rule, in the order of the rules
    match act.kind, act.data:
        case "seat.accepted", _:
            return "accepted-twice" if act.by in sheet.accepted else None
        case "note", _:
            return None
        case "ruling", Verdict(effects=(Rewind(to=to, dice=dice),)):
            return "match-closed" if sheet.closed else _back(sheet, to, dice)
        case "match.closed", Closing(result=result):
            if sheet.closed or sheet.result is None:
                return "match-closed" if sheet.closed else "not-over"
            return None if result == sheet.result else "wrong-result"
        case "countersigned", Countersignature(result_event=digest):
            if not sheet.closed:
                return "not-closed"
            if digest != sheet.closed:
                return "wrong-result-event"
            return "countersigned-twice" if act.by in sheet.signed else None
        case "dice.committed", Commitment():
            return _commits(sheet, act.by, act.data)
        case "roll.opened", Opened():
            return _opens(sheet, act.by, act.data)
        case "roll.recorded" | "roll.voided", _ if sheet.contributors:
            return "computed-dice"
    return IDLE.get(sheet.phase) or _in_play(sheet, act)


def _in_play(sheet: Sheet, act: Act) -> str | None:
    match act.kind, act.data:
        case "roll", Throw():
            return _throws(sheet, act, act.data)
        case "roll.recorded", Lying(roll=roll, dice=dice):
            if sheet.recorded:
                return "unconfirmed"
            if not sheet.owners or roll != sheet.number:
                return "wrong-roll" if sheet.owners else "no-throw"
            return None if len(dice) == len(sheet.owners) else "bad-dice"
        case "roll.confirmed", Confirmation(confirms=digest):
            for waiting in (sheet.recorded, sheet.voiding):
                if waiting and waiting.hash == digest:
                    return None if act.seat == waiting.confirmer else "wrong-turn"
            return "nothing-to-confirm"
        case "roll.voided", Voiding(roll=roll):
            if sheet.lying is None or sheet.lying.number != roll:
                return "no-such-roll"
            asked = sheet.voiding is not None and act.by != "arbiter"
            return "voided-already" if asked and act.by != sheet.voiding.confirmer else None
        case kind, _ if kind in ("move", "call", *OTHERS):
            return "wrong-turn" if act.seat != sheet.turn else _plays(sheet, act)
        case "offer.made", terms:
            if isinstance(terms, TakebackOffer) and (refused := _takes_back(sheet, terms.to)):
                return refused
            if isinstance(terms, SettlementOffer):
                return "no-settlement"
            twice = any((o.seat, type(o.terms)) == (act.seat, type(terms)) for o in sheet.offers)
            return "offered-already" if twice else None
        case "offer.accepted" | "offer.declined", Answer(offer=digest):
            return _answers(sheet, act, digest)
        case "draw.claimed", _:
            return "no-draw"
    return None


def _commits(sheet: Sheet, role: str, given: Commitment) -> str | None:
    if role not in sheet.contributors:
        return "not-contributor"
    if sheet.result:
        return IDLE[sheet.phase]
    if role in SEATS and role not in sheet.accepted:
        return "not-accepted"
    if given.roll != sheet.number:
        return "wrong-roll"
    if role in sheet.commitments:
        return "committed-already"
    return "used-before" if given.commitment in sheet.used else None


def _throws(sheet: Sheet, act: Act, thrown: Throw) -> str | None:
    if not sheet.contributors:
        return "dice-on-table"
    if not sheet.owners or act.seat != sheet.turn:
        return "wrong-turn" if sheet.owners else "no-throw"
    if thrown.roll != sheet.number:
        return "wrong-roll"
    if not {*sheet.contributors} <= {*sheet.commitments}:
        return "not-committed"
    opens = act.by == act.seat and act.seat in sheet.contributors
    if {thrown.nonce is not None, thrown.next is not None} != {opens}:
        return "bad-throw"
    return _shows(sheet, act.by, thrown.nonce, thrown.next) if opens else None


def _opens(sheet: Sheet, role: str, opened: Opened) -> str | None:
    if sheet.flight is None:
        return "no-flight"
    if role not in sheet.contributors:
        return "not-contributor"
    if opened.roll != sheet.number:
        return "wrong-roll"
    if role in sheet.flight.nonces:
        return "opened-twice"
    if role != sheet.awaited[0]:
        return "out-of-order"
    return _shows(sheet, role, opened.nonce, opened.next)


def _shows(sheet: Sheet, role: str, number: str | None, following: str | None) -> str | None:
    """A number that was committed to, and a commitment that nobody has published before."""
    assert number
    assert following
    if bound(sheet.match, sheet.number, role, number) != sheet.commitments[role]:
        return "wrong-nonce"
    return "used-before" if following == number or {number, following} & sheet.used else None


def _plays(sheet: Sheet, act: Act) -> str | None:
    if act.kind in ("call", *OF_OTHERS):
        return "unknown-action"
    if not sheet.page.dice:
        return "throw-first"
    if act.kind == "pass":
        return "r-all" if sheet.turns else None
    assert isinstance(act.data, Play)
    turn = sheet.turns.get(act.data.move)
    if turn is None:
        return "*"
    return None if act.data.dice == turn.dice else "not-canonical"


def _takes_back(sheet: Sheet, to: int) -> str | None:
    if not sheet.opening.takebacks:
        return "no-takebacks"
    lost = None if to in (0, *sheet.page.trail) else "taken-back"
    return _back(sheet, to, "keep") or lost


def _answers(sheet: Sheet, act: Act, digest: str) -> str | None:
    for offer in sheet.offers:
        if offer.hash == digest:
            if offer.seat == act.seat:
                return "own-offer"
            takes_back = act.kind == "offer.accepted" and isinstance(offer.terms, TakebackOffer)
            return _back(sheet, offer.terms.to, "keep") if takes_back else None
    return "offer-lapsed" if digest in sheet.made else "no-such-offer"


def _back(sheet: Sheet, to: int, dice: str | None) -> str | None:
    if to > sheet.seq:
        return "no-such-event"
    if dice is None:
        return "dice-unsaid"
    under_way = sheet.flight or sheet.recorded
    if dice == "keep":
        latest = sheet.latest.number if sheet.latest else 0
        if under_way or sheet.pages[to].number not in (sheet.page.number, latest):
            return "across-a-throw"
    voided = {roll.seq for roll in sheet.rolls if roll.voided and roll.counted}
    if not voided.isdisjoint(sheet.pages[sheet.target(to, dice)].trail):
        return "voided"
    latest = max((roll.seq for roll in sheet.rolls if roll.counted), default=0)
    returning = {roll.seq for roll in sheet.rolls if roll.counted}
    returning -= {*sheet.page.trail, *sheet.pages[latest].trail, latest}
    if not returning.isdisjoint(sheet.pages[sheet.target(to, dice)].trail):
        return "across-a-throw"
    same = sheet.pages[sheet.target(to, dice)].game == sheet.page.game
    return "nothing-to-rewind" if same and not under_way else None

"""What is refused in a match, and with which code, told from the book alone (``ledgerbyhand``).

In the order in which a referee looks: who signs, a roll in flight, an open dispute, dice that wait
for their confirmation, and then the rule of the event itself.
"""

from __future__ import annotations

from bookpages import BY_RULING, KEYRING, ON_THE_BOARD
from ledgerbyhand import Book, action, result_of
from scoresheet import Act

from ledger import consent
from ledger.errors import TabellionError
from ledger.events import (
    Award,
    Commitment,
    Dismissed,
    Effects,
    GivenResult,
    NewContributors,
    Opened,
    Penalty,
    Replacement,
    Rewind,
    SetPosition,
    SettlementOffer,
    TakebackOffer,
    Throw,
    Withdrawn,
)

OFFERS = ("offer.made", "offer.accepted", "offer.declined", "draw.claimed")
IN_THE_GAME = (*ON_THE_BOARD, *OFFERS, "resigned", "roll", "roll.recorded", "roll.confirmed")
SCRIBED = (*IN_THE_GAME, "statement", "adjourned", "resumed")
"""What the arbiter writes down for a seat without a key."""
MAY = {
    **dict.fromkeys((*IN_THE_GAME, "dispute.settled", "appeal"), ("seat",)),
    **dict.fromkeys(
        ("dice.committed", "roll.opened", "roll.recorded", "roll.voided", "adjourned", "resumed"),
        ("seat", "arbiter"),
    ),
    **dict.fromkeys(("dispute.raised", "statement"), ("seat", "arbiter", "witness")),
    **dict.fromkeys(("ruling", "match.closed", "key.replaced", "signature.refused"), ("arbiter",)),
    "appeal.decided": ("appeal",),
    "arbiter.replaced": ("arbiter", "appeal"),
    "countersigned": ("seat", "witness"),
    "seat.accepted": ("seat",),
    "note": ("seat", "arbiter", "witness", "appeal"),
}
"""Who does what in their own name."""
IN_A_DISPUTE = (
    *("roll.opened", "statement", "dispute.settled", "ruling"),
    *("key.replaced", "arbiter.replaced", "seat.accepted", "note"),
)
IDLE = {
    "before-acceptance": "not-accepted",
    "adjourned": "adjourned",
    "ended": "game-over",
    "closed": "match-closed",
    "appealed": "match-closed",
}


def refusal(book: Book, act: Act) -> str | None:
    """The code of the refusal that ``act`` must meet; ``*`` is any."""
    return _authority(book, act) or _under_way(book, act) or _rule(book, act)


def _authority(book: Book, act: Act) -> str | None:
    if act.by not in book.holders:
        return "unknown-role"
    key = book.holders[act.by].key
    if key is None:
        return "no-key"
    if act.key not in (None, key):
        return "wrong-signer"
    if act.kind == "key.replaced" and act.data.consent is not None:
        held = book.holders.get(act.data.role)
        if not held or not held.key or not _consents(book, held.key, act.data):
            return "bad-consent"
    if act.by in book.put_in and act.kind != "seat.accepted":
        return "not-accepted"
    if act.for_ is None:
        part = "seat" if act.by in book.seats else act.by.rstrip("0123456789")
        anew = act.kind == "seat.accepted" and act.by in book.put_in
        return None if anew or part in MAY[act.kind] else "wrong-role"
    if act.by != "arbiter" or act.kind not in SCRIBED:
        return "wrong-role"
    if act.for_ not in book.seats:
        return "unknown-role"
    return "seat-has-key" if book.holders[act.for_].key else None


def _consents(book: Book, old: str, given: Replacement) -> bool:
    said = consent.message(book.match, given.role, given.name, given.key)
    return KEYRING[old].public.verify(bytes.fromhex(str(given.consent)), said)


def _under_way(book: Book, act: Act) -> str | None:
    if book.flight and not _goes_on_in_flight(book, act):
        return "roll-in-flight"
    if book.dispute and act.kind not in IN_A_DISPUTE:
        return "disputed"
    return "unconfirmed" if book.recorded and act.kind in (*ON_THE_BOARD, *OFFERS) else None


def _goes_on_in_flight(book: Book, act: Act) -> bool:
    """Openings, a resignation, a dispute and what is said in it, another arbiter, the arbiter."""
    if act.kind in ("roll.opened", "resigned", "dispute.raised", "arbiter.replaced"):
        return True
    if book.dispute and act.kind in ("statement", "dispute.settled"):
        return True
    return act.by == "arbiter" and act.for_ is None and act.kind != "dice.committed"


def _rule(book: Book, act: Act) -> str | None:
    """What the rule of the event says."""
    match act.kind:
        case "note":
            return None
        case "seat.accepted":
            new = act.by in book.put_in
            return "accepted-twice" if act.by in book.accepted and not new else None
        case kind if kind in BY_RULING:
            return _rules(book, act)
        case "dispute.raised" | "dispute.settled" | "statement":
            return _disputes(book, act)
        case "appeal":
            return _appeals(book, act.data.against)
        case "key.replaced" | "arbiter.replaced":
            return _replaces(book, act)
        case "adjourned":
            return _adjourns(book, act)
        case "resumed":
            return _resumes(book, act)
        case "match.closed":
            return _closes(book, act)
        case "countersigned" | "signature.refused":
            return _signs(book, act)
        case kind if kind.startswith(("roll.", "dice.")) and not book.rules.dice:
            return "no-dice"
        case "dice.committed":
            return _commits(book, act.by, act.data)
        case "roll.opened":
            return _opens(book, act.by, act.data)
        case "roll.recorded" | "roll.voided" if book.contributors:
            return "computed-dice"
        case "resigned" if book.phase == "adjourned":
            return None
        case "resigned" if book.phase == "before-acceptance" and book.acted:
            return None
    return IDLE.get(book.phase) or _in_play(book, act)


def _in_play(book: Book, act: Act) -> str | None:
    match act.kind:
        case kind if kind in ON_THE_BOARD:
            return _plays(book, act)
        case "roll":
            return _throws(book, act, act.data) if book.rules.dice else "no-dice"
        case "roll.recorded":
            if book.recorded:
                return "unconfirmed"
            if not book.wanted:
                return "no-throw"
            if act.data.roll != book.number:
                return "wrong-roll"
            return None if len(act.data.dice) == book.wanted.count else "bad-dice"
        case "roll.confirmed":
            for waiting in (book.recorded, book.voiding):
                if waiting and waiting.hash == act.data.confirms:
                    return None if act.seat == waiting.confirmer else "wrong-turn"
            return "nothing-to-confirm"
        case "roll.voided":
            if book.lying is None or book.lying.number != act.data.roll:
                return "no-such-roll"
            asked = book.voiding is not None and act.by != "arbiter"
            return "voided-already" if asked and act.by != book.voiding.confirmer else None
        case "offer.made":
            return _offers(book, act)
        case "offer.accepted" | "offer.declined":
            return _answers(book, act, act.data.offer)
        case "draw.claimed":
            try:
                book.rules.claim(book.game)
            except TabellionError as error:
                return error.code
    return None


def _plays(book: Book, act: Act) -> str | None:
    if act.seat != book.rules.actor(book.game, act.kind):
        return "wrong-turn"
    done = action(act)
    sealed = book.sealed.text if book.sealed else None
    if sealed and act.kind != "call" and (done.kind, done.text) != ("move", sealed):
        return "sealed-move"
    return book.unplayable(done)


# -- dice ------------------------------------------------------------------------------------


def _commits(book: Book, role: str, given: Commitment) -> str | None:
    if role not in book.contributors:
        return "not-contributor"
    if book.result:
        return "match-closed" if book.sheets else "game-over"
    if role in book.seats and role not in book.accepted:
        return "not-accepted"
    if given.roll != book.number:
        return "wrong-roll"
    if role in book.commitments:
        return "committed-already"
    return "used-before" if given.commitment in book.used else None


def _throws(book: Book, act: Act, thrown: Throw) -> str | None:
    if not book.contributors:
        return "dice-on-table"
    if not book.wanted:
        return "no-throw"
    if act.seat != book.wanted.seat:
        return "wrong-turn"
    if thrown.roll != book.number:
        return "wrong-roll"
    if book.missing:
        return "not-committed"
    opens = act.by == act.seat and act.seat in book.contributors
    if {thrown.nonce is not None, thrown.next is not None} != {opens}:
        return "bad-throw"
    return _shows(book, act.by, thrown.nonce, thrown.next) if opens else None


def _opens(book: Book, role: str, opened: Opened) -> str | None:
    if book.flight is None:
        return "no-flight"
    if role not in book.contributors:
        return "not-contributor"
    if opened.roll != book.number:
        return "wrong-roll"
    if role in book.flight.nonces:
        return "opened-twice"
    if role != book.awaited[0]:
        return "out-of-order"
    return _shows(book, role, opened.nonce, opened.next)


def _shows(book: Book, role: str, nonce: str | None, following: str | None) -> str | None:
    """A number that was committed to, and a commitment that nobody has published before."""
    assert nonce
    if role not in book.commitments:
        return "no-commitment"
    if book.bound(book.number, role, nonce) != book.commitments[role]:
        return "wrong-nonce"
    return "used-before" if following == nonce or {nonce, following} & book.used else None


# -- offers ----------------------------------------------------------------------------------


def _offers(book: Book, act: Act) -> str | None:
    terms = act.data
    match terms:
        case TakebackOffer(to=to):
            if not book.opening.takebacks:
                return "no-takebacks"
            if refused := _takes_back(book, to):
                return refused
        case SettlementOffer(split=split):
            if not book.opening.settlements:
                return "no-settlements"
            try:
                book.rules.settle(book.game, split)
            except TabellionError as error:
                return error.code
    twice = any((each.seat, type(each.terms)) == (act.seat, type(terms)) for each in book.offers)
    return "offered-already" if twice else None


def _takes_back(book: Book, to: int) -> str | None:
    if refused := back(book, to, "keep" if book.rules.dice else None):
        return refused
    standing = [seq for seq in book.acted if seq > to and seq in book.page.trail]
    if any(book.events[seq].kind in BY_RULING for seq in standing):
        return "across-a-ruling"
    return None if to in (0, *book.page.trail) else "taken-back"


def _answers(book: Book, act: Act, digest: str) -> str | None:
    for offer in book.offers:
        if offer.hash == digest:
            if offer.seat == act.seat:
                return "own-offer"
            if act.kind == "offer.accepted" and isinstance(offer.terms, TakebackOffer):
                return back(book, offer.terms.to, "keep" if book.rules.dice else None)
            return None
    made = any(done == ("offer.made", digest) for done in book.events)
    return "offer-lapsed" if made else "no-such-offer"


def back(book: Book, to: int, dice: str | None) -> str | None:
    """What forbids the game to stand as it stood after an event."""
    if to > book.seq:
        return "no-such-event"
    if not book.rules.dice and dice is not None:
        return "no-dice"
    if book.rules.dice and dice is None:
        return "dice-unsaid"
    under_way = book.flight or book.recorded
    latest = book.latest
    if dice == "keep":
        known = (book.page.number, latest.number if latest else 0)
        if under_way or book.pages[to].number not in known:
            return "across-a-throw"
    target = book.pages[book.target(to, dice)]
    voided = {roll.seq for roll in book.rolls if roll.voided and roll.counted}
    if not voided.isdisjoint(target.trail):
        return "voided"
    if latest:
        other = {roll.seq for roll in book.rolls if roll.counted} - {latest.seq}
        other -= {*book.page.trail, *book.pages[latest.seq].trail}
        if not other.isdisjoint(target.trail):
            return "across-a-throw"
    thrown = latest.seq if latest else 0
    if any(seq < thrown for seq in {*book.set_up} & {*book.page.trail} - {*target.trail}):
        return "across-a-throw"
    same = (target.game, target.result) == (book.game, book.page.result)
    return "nothing-to-rewind" if same and not under_way else None


# -- disputes and rulings --------------------------------------------------------------------


def _disputes(book: Book, act: Act) -> str | None:
    open_ = book.dispute
    match act.kind:
        case "statement":
            issues = {each.hash for each in book.undecided} | ({open_.hash} if open_ else set())
            return None if act.data.about in issues else "nothing-at-issue"
        case "dispute.settled":
            if open_ is None or open_.hash != act.data.dispute:
                return "no-such-dispute"
            if not book.opening.settlements:
                return "no-settlements"
            if {*book.keyed} != {*book.seats}:
                return "keyless-settlement"
            return "settled-already" if act.by in open_.settled else None
    if book.sheets:
        return "match-closed"
    if book.phase == "before-acceptance" and not book.acted:
        return "not-accepted"
    return None if act.data.event <= book.seq else "no-such-event"


def _appeals(book: Book, against: str) -> str | None:
    if book.opening.appeal is None:
        return "no-appeal"
    found = [n for n, done in enumerate(book.events) if done.hash == against]
    if not found or book.events[found[0]].kind not in ("ruling", "match.closed"):
        return "not-appealable"
    again = any(each.against == found[0] for each in book.appeals)
    return "appealed-already" if again else None


def _rules(book: Book, act: Act) -> str | None:
    effects: Effects = act.data.effects
    if act.kind == "ruling" and Dismissed() in effects and not book.dispute:
        return "nothing-to-dismiss"
    on_game = [each for each in effects if not isinstance(each, Penalty | Withdrawn)]
    penalties = [each for each in effects if isinstance(each, Penalty)]
    if len(on_game) > 1:
        return "effects-clash"
    given = on_game[0] if on_game and isinstance(on_game[0], GivenResult) else None
    for each in penalties:
        if each.penalty == "game_lost" and (given is None or given.winner == each.seat):
            return "effects-clash"
    if any(each.seat not in book.seats for each in penalties):
        return "unknown-role"
    if book.sheets and not all(isinstance(each, GivenResult | Dismissed) for each in on_game):
        return "match-closed"
    if act.kind == "ruling" and on_game and _decided_on_appeal(book, on_game[0]):
        return "decided-on-appeal"
    if on_game and (refused := _does(book, on_game[0])):
        return refused
    standing = {each.seq for each in book.penalties if each.withdrawn is None}
    withdrawn = {each.ruling for each in effects if isinstance(each, Withdrawn)} & standing
    if act.kind == "ruling" and any(book.events[s].kind == "appeal.decided" for s in withdrawn):
        return "decided-on-appeal"
    if not standing.issuperset(each.ruling for each in effects if isinstance(each, Withdrawn)):
        return "no-such-penalty"
    waiting = {each.hash for each in book.undecided}
    return (
        "no-such-appeal"
        if act.kind == "appeal.decided" and act.data.appeal not in waiting
        else None
    )


def _decided_on_appeal(book: Book, effect: object) -> bool:
    """Whether the arbiter would undo what the appeal decided."""
    match effect:
        case GivenResult() | SetPosition():
            if not book.sheets:
                return book.result is not None and book.result.how == "appeal"
            grounds = {*book.ruled, *(sheet.seq for sheet in book.sheets)}
            return any(each.decided and each.against in grounds for each in book.appeals)
        case Rewind(to=to):
            standing = {*book.ruled} & {*book.page.trail}
            return any(s > to and book.events[s].kind == "appeal.decided" for s in standing)
    return False


def _does(book: Book, effect: object) -> str | None:
    match effect:
        case Rewind(to=to, dice=dice):
            return back(book, to, dice)
        case SetPosition(position=text):
            return _sets(book, text)
        case GivenResult(kind=kind, winner=winner):
            if (kind in ("win", "forfeit")) != (winner is not None):
                return "bad-result"
            return None if winner in (None, *book.seats) else "unknown-role"
        case Award(roll=roll, dice=dice):
            if book.flight is None:
                return "no-flight" if book.rules.dice else "*"
            if roll != book.number:
                return "wrong-roll"
            return None if len(dice) == book.rules.wanted(book.game).count else "bad-dice"
        case NewContributors(roll=roll, contributors=roles):
            return _names(book, roll, roles)
    return None


def _sets(book: Book, text: str) -> str | None:
    try:
        placed = book.placed(text)
    except TabellionError as error:
        return error.code
    if book.rules.position(placed) != text:
        return "not-canonical"
    if book.rules.thrown(placed) and tuple(book.rules.thrown(placed)) != book.dice:
        return "dice-set"
    outcome = book.rules.outcome(placed)
    over = result_of(outcome) if outcome else None
    same = text == book.rules.position(book.game) and over == book.result
    return "nothing-to-set" if same and not (book.flight or book.recorded) else None


def _names(book: Book, roll: int, roles: tuple[str, ...]) -> str | None:
    if not book.contributors:
        return "dice-on-table" if book.rules.dice else "*"
    if roll != book.number:
        return "wrong-roll"
    if any(role in book.seats and not book.holders[role].key for role in roles):
        return "keyless-contributor"
    order = [role for role in (*book.seats, "arbiter") if role in roles]
    alone = len(roles) == 1 and roles[0] in book.seats
    return "bad-contributors" if not roles or order != [*roles] or alone else None


# -- people, adjournment, closing --------------------------------------------------------------


def _replaces(book: Book, act: Act) -> str | None:
    given = act.data
    if act.kind == "key.replaced":
        if given.role == "arbiter":
            return "wrong-role"
        if given.role not in book.holders:
            return "unknown-role"
        if given.key is None and given.role not in book.seats:
            return "key-needed"
        held = book.holders[given.role]
        if held.key is given.key is None and held.name == given.name:
            return "nobody-new"
    if given.key in book.keys_seen:
        return "key-twice"
    role = given.role if act.kind == "key.replaced" else "arbiter"
    renamed = given.name != book.holders[role].name
    return "match-closed" if book.sheets and role in book.seats and renamed else None


def _adjourns(book: Book, act: Act) -> str | None:
    sealing = act.seat in book.seats
    if sealing != (act.data.sealed is not None):
        return "wrong-role"
    if not sealing:
        still = book.rules.dice and (not book.wanted or book.dice)
        sealed = "sealed-move" if book.sealed else None
        return IDLE.get(book.phase) or ("dice-on-board" if still else sealed)
    if book.phase != "adjourned":
        return IDLE.get(book.phase, "not-adjourned")
    if book.rules.dice:
        return "dice-on-board"
    if book.sealed:
        return "sealed-already"
    return None if act.seat == book.rules.turn(book.game) else "wrong-turn"


def _resumes(book: Book, act: Act) -> str | None:
    if book.phase != "adjourned":
        return "match-closed" if book.sheets else "not-adjourned"
    opened = act.data.opened
    if opened is None:
        return None if act.seat == "arbiter" else "wrong-role"
    sealed = book.sealed
    if sealed is None or sealed.seat != act.seat:
        return "no-seal"
    bound = book.sealing(sealed.seq, act.seat, opened.nonce, opened.move)
    return None if bound == sealed.hash else "wrong-seal"


def _closes(book: Book, act: Act) -> str | None:
    if book.sheets:
        return "match-closed"
    if book.result is None:
        return "not-over"
    if act.data.result != book.result:
        return "wrong-result"
    return None if act.data.ruling == book.cited else "wrong-citation"


def _signs(book: Book, act: Act) -> str | None:
    sheet, given = book.sheet, act.data
    if sheet is None:
        return "not-closed"
    if given.result_event != sheet.event:
        return "wrong-result-event"
    if act.kind == "signature.refused":
        if given.seat not in book.seats:
            return "unknown-role"
        if given.seat in sheet.signed:
            return "countersigned-twice"
        return "refused-already" if given.seat in sheet.refused else None
    if act.by in sheet.signed and given.absent is None:
        return "countersigned-twice"
    if given.absent is None:
        return None
    if act.by in book.seats:
        return "wrong-role"
    if given.absent not in book.seats:
        return "unknown-role"
    signed = given.absent in sheet.signed or given.absent in sheet.for_absent
    return "countersigned-twice" if signed else None

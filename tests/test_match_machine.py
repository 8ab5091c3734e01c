"""Whole matches of Tablut by random play, in every ruleset, on real ledgers, beside a score sheet.

Two devices, and two programs on each: a player's ledger takes copies of the arbiter's in, goes on
by itself and parts from it. People do what they may and what they may not; the score
sheet (``scoresheet``) says beforehand what is refused, and with which code.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, currently_in_test_context, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace as changed
from scoresheet import OF_DICE, OF_OTHERS, SEATS, Act, Sheet, called_for, compare, other
from scoresheet import ON_THE_SHEET as KINDS
from table import KEYS, SHORT_GAME, STRANGER, clock, opening

from ledger import envelope as envelopes
from ledger import readmodels, record, rulings
from ledger.audit import Trust, audit
from ledger.copies import Standing
from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError
from ledger.events import (
    EVENT_TYPES,
    Answer,
    Call,
    Closing,
    Commitment,
    Confirmation,
    Countersignature,
    DrawOffer,
    Lying,
    Nothing,
    Opened,
    Play,
    Remark,
    Result,
    Rewind,
    SettlementOffer,
    TakebackOffer,
    Taking,
    Throw,
    Verdict,
    Voiding,
    decode,
    encode,
    type_of,
)
from ledger.exchange import Pending, pending, take_in
from ledger.fold import MatchState, as_of, breaches
from ledger.games.protocol import Action
from ledger.games.tablut import GAME
from ledger.importing import adjudged
from ledger.inspection import inspect, trust
from ledger.service import LineRefused, Plan, Service
from ledger.texts import notation

RULESETS = sorted(GAME.rulesets)
TRUST = Trust(documents=rulings.digests())
TABLES = ("events", "set_aside", "matches", "seats", "results")
RAICHI = ("e3-f3", "d1-c1", "e4-d4", "c1-d1", "Ke5-e3")
TUICHI = ("e3-f3", "e2-d2", "f3-f2", "d1-c1", "e4-d4", "c1-d1", "Ke5-e3")
"""Ways of beginning Tablut after which the king has one free way to the edge, or more."""
FOREIGN = "0" * 64
MEMORY = Path("/dev/shm")
"""Files that no disk has to confirm, where the system has them: a third of the time."""
SEEN: Counter[str] = Counter()
"""How often the run has met each kind of act, refusal and meeting of copies."""


class Device:
    """A ledger file, open in one program or in two; ``roles``: whose keys are on the device."""

    def __init__(self, path: Path, programs: int, roles: Sequence[str]) -> None:
        self.path = path
        self.roles = roles
        self.programs = [Service.open(path, clock, create=True) for _ in range(programs)]
        self.acknowledged: set[bytes] = set()
        self.looked = -1

    @property
    def service(self) -> Service:
        return self.programs[0]

    def dump(self) -> list[list[tuple[Any, ...]]]:
        """All that the file says."""
        connection = self.service.store.connection
        return [connection.execute(f"SELECT * FROM {each}").fetchall() for each in TABLES]

    def changes(self) -> int:
        return sum(program.store.connection.total_changes for program in self.programs)

    def aside(self) -> list[Envelope]:
        return [row.envelope for row in self.service.store.aside()]

    def start_again(self) -> None:
        self.close()
        self.programs = [Service.open(self.path, clock) for _ in self.programs]
        self.looked = -1

    def close(self) -> None:
        for program in self.programs:
            program.close()


def in_order(error: TabellionError) -> None:
    """A refusal is a sentence for people: nothing of a traceback, nothing that steers."""
    said = f"{error.message} {error.hint}"
    assert error.message
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", error.code)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", said)
    assert not re.search(r"Traceback|Exception|[a-z]Error\b|object at 0x|<class|None\b", said), said
    assert error.exit_status in (1, 2, 3, 4, 6)


class Matches(RuleBasedStateMachine):
    """One match. ``sheets`` and ``states`` are kept by the hash of the head that they belong to.

    Each rule draws one number, and lots from it: drawn one by one, Hypothesis would repeat itself
    too much for long matches to come about.
    """

    rulesets: Sequence[str] = RULESETS
    devices: dict[str, Device]
    match: str

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
        self.devices = {}
        self.sheets: dict[str, Sheet] = {}
        self.states: dict[str, MatchState] = {}
        self.envelopes: dict[str, Envelope] = {}
        self.judged: set[str] = set()
        self.ledgers = 0
        self.lot = Random(0)

    def draw(self, luck: int) -> None:
        """Lots that depend on the match so far as well, lest the same number do the same again."""
        self.lot = Random(f"{luck} {len(self.envelopes)} {max(self.envelopes, default='')}")

    # -- who does it, and what comes of it ---------------------------------------------------

    def chain(self, device: Device) -> list[Envelope]:
        return device.service.envelopes(self.match)

    def here(self, *weights: int) -> Device:
        """A device that has the match: the arbiter's, or less often the other."""
        zoe, bruno = self.devices.values()
        (drawn,) = self.lot.choices([zoe, bruno], weights or [3, 1])
        return drawn if self.chain(drawn) else zoe

    def sheet(self, device: Device) -> Sheet:
        return self.sheets[self.chain(device)[-1].hash]

    def act(self, device: Device, kind: str, data: Any, seat: str) -> Act:
        """An act of a seat, signed or written down by whom it should be."""
        scribe = seat in SEATS and self.sheet(device).opening.seats[seat].key is None
        return Act(kind, data, "arbiter", seat) if scribe else Act(kind, data, seat)

    @contextmanager
    def refused(self, device: Device, code: str, index: int = 0) -> Iterator[None]:
        """What is done is refused with this code (``*``: any) and changes nothing at all.
        ``index``: which of several acts is at fault."""
        before = device.dump()
        with pytest.raises(TabellionError) as caught:
            yield
        error = caught.value
        in_order(error)
        assert code in (error.code, "*"), error
        assert not isinstance(error, LineRefused) or error.index == index
        assert device.dump() == before, "a refused act changes nothing"
        SEEN[f"refused {error.code}"] += 1

    def tell(self, what: str) -> None:
        if currently_in_test_context():
            note(what)

    def attempt(self, device: Device, *acts: Act) -> bool:
        """Do all of this, or be refused as the score sheet says; gives whether it was done."""
        sheet, code, index = self.sheet(device), None, 0
        for index, act in enumerate(acts):
            if code := sheet.refusal(act):
                break
            sheet = sheet.after(act, str(index))
        self.tell(f"{device.path.name}: {acts} {code or ''}")
        service = self.lot.choice(device.programs)
        write = self.append if code and len(acts) > 1 else self.lot.choice((self.append, self.post))
        if code is None:
            write(service, acts)
            for act in acts:
                SEEN[act.kind] += 1
            self.follow(device, acts)
            return True
        with self.refused(device, code, index):
            write(service, acts)
        return False

    def append(self, service: Service, acts: Sequence[Act]) -> None:
        plans: list[Plan] = [act.plan for act in acts]
        service.append(self.match, plans, {act.by: key_of(act) for act in acts})

    def post(self, service: Service, acts: Sequence[Act]) -> None:
        state = service.state(self.match)
        for act in acts:
            envelope = self.sealed(act, state.seq + 1, state.head)
            state = service.post(envelope.text(), expect=state.head)

    def sealed(self, act: Act, seq: int, prev: str) -> Envelope:
        kind, key = EVENT_TYPES[act.kind], key_of(act)
        place: dict[str, Any] = {"v": 1, "seq": seq, "match": self.match, "prev": prev}
        event = kind(by=act.by, for_=act.for_, at=clock(), data=act.data, **place)
        return envelopes.seal(encode(event), key.public, key.sign)

    def follow(self, device: Device, acts: Sequence[Act]) -> None:
        """Write on paper what was done, and look whether the device shows the same."""
        chain, state = self.chain(device), device.service.state(self.match)
        for place, act in enumerate(acts, len(chain) - len(acts)):
            digest, before = chain[place].hash, chain[place - 1].hash
            self.sheets[digest] = self.sheets[before].after(act, digest)
            compare(self.sheets[digest], as_of(state, place))
        self.welcome(device, state)

    def welcome(self, device: Device, state: MatchState) -> None:
        """``state`` is what the device shows: the same as ever at this head, and as on paper."""
        compare(self.sheets[state.head], state)
        assert self.states.setdefault(state.head, state) == state
        chain = self.chain(device)
        assert chain[-1].hash == state.head
        self.envelopes |= {each.hash: each for each in chain}
        device.acknowledged |= {each.text() for each in (*chain, *device.aside())}

    # -- at the table -------------------------------------------------------------------------

    @initialize(luck=st.integers(0, 2**32))
    def open(self, luck: int) -> None:
        self.draw(luck)
        name = self.lot.choice(self.rulesets)
        keyed = self.lot.choice([(), SEATS[:1], SEATS[1:], SEATS, SEATS])
        self.begin(name, keyed, takebacks=self.lot.random() < 0.8)
        if self.lot.random() < 0.8:
            self.attempt(self.devices["zoe"], *(Act("seat.accepted", Nothing(), s) for s in keyed))
            self.bring(self.chain(self.devices["zoe"]), self.devices["bruno"])

    def begin(self, name: str, keyed: Sequence[str] = SEATS, *, takebacks: bool = True) -> Device:
        self.devices["zoe"] = Device(self.folder / "zoe.db", 2, ("arbiter", "swedes"))
        self.devices["bruno"] = Device(self.folder / "bruno.db", 2, ("muscovites", "witness1"))
        terms = changed(opening(name, keyed=keyed, witness=True), takebacks=takebacks)
        zoe = self.devices["zoe"]
        state = zoe.service.open_match(terms, KEYS["arbiter"])
        self.match = state.match
        self.sheets[state.head] = Sheet(terms)
        self.welcome(zoe, state)
        SEEN[name] += 1
        return zoe

    @rule(luck=st.integers(0, 2**32))
    def play(self, luck: int) -> None:
        """Some plies by those whose turn it is; now and then the last of them cannot be."""
        self.draw(luck)
        self.plies(self.here(), self.lot.choice(["any", "lively", "lively", "walk", "begin"]))

    @rule(luck=st.integers(0, 2**32))
    def walk_to_and_fro(self, luck: int) -> None:
        """Until the same position stands again, and again; then a claim, or none."""
        self.draw(luck)
        device = self.here()
        self.plies(device, "walk", 9)
        if self.sheet(device).times() > 1:
            seat = self.lot.choice(SEATS)
            self.attempt(device, self.act(device, "draw.claimed", Nothing(), seat))

    def plies(self, device: Device, style: str, count: int = 0) -> None:
        sheet = self.sheet(device)
        if sheet.turn is None:
            self.go_on(device)
            return
        texts: Sequence[str] = [""] * (count or self.lot.randint(1, 8))
        if style == "begin" and not sheet.moves:
            texts = self.lot.choice((SHORT_GAME, RAICHI, TUICHI))
        acts: list[Act] = []
        for text in texts:
            if sheet.turn is None:
                break
            legal = [each.text for each in GAME.legal(sheet.game)]
            played = text if text in legal else self.choice(style, sheet, legal)
            acts.append(self.act(device, "move", Play(move=played), sheet.turn))
            sheet = sheet.after(acts[-1], "")
        if self.lot.random() < 0.1:
            acts.append(self.act(device, "move", Play(move="e5-e5"), sheet.turn or "swedes"))
        self.attempt(device, *acts)

    def choice(self, style: str, sheet: Sheet, legal: list[str]) -> str:
        """A move: any; one that ends the game, captures or moves the king; the last one back."""
        if style == "walk":
            for text in [act.text for act in sheet.moves if act.seat == sheet.turn][-1:]:
                start, target = text.removeprefix("K").partition("x")[0].split("-")
                back = f"{target}-{start}"
                return next((t for t in legal if t.removeprefix("K") == back), legal[0])
            return next(text for text in legal if "x" not in text)
        if style == "lively":
            lively = [text for text in legal if "x" in text or text.startswith("K")]
            moves = [Action("move", text) for text in lively]
            ends = [each.text for each in moves if GAME.outcome(GAME.apply(sheet.game, each))]
            return self.lot.choice(ends or lively or legal)
        return self.lot.choice(legal)

    @rule(luck=st.integers(0, 2**32))
    def call(self, luck: int) -> None:
        """The Swedes call what is due, or something else; too late if they did not move last."""
        self.draw(luck)
        device = self.here()
        due = called_for(self.sheet(device).game) or "raichi"
        word = self.lot.choice([due, due, "raichi", "tuichi"])
        called = self.attempt(device, self.act(device, "call", Call(call=word), "swedes"))
        if called or self.lot.random() < 0.5:
            self.plies(device, "any", 1)

    @rule(luck=st.integers(0, 2**32))
    def offer(self, luck: int) -> None:
        """A draw, or the last moves back; and perhaps a move and an answer."""
        self.draw(luck)
        device = self.here()
        acts = self.sheet(device).page.acts
        terms: Any = DrawOffer()
        if acts and self.lot.random() < 0.6:
            terms = TakebackOffer(to=max(0, self.lot.choice(acts[-3:]).seq - 1))
        seat = self.lot.choice(SEATS)
        self.attempt(device, self.act(device, "offer.made", terms, seat))
        if self.lot.random() < 0.3:
            self.plies(device, "any", self.lot.randint(1, 2))
        if self.lot.random() < 0.5:
            self.reply(device)

    @rule(luck=st.integers(0, 2**32))
    def answer(self, luck: int) -> None:
        """An answer; where nothing is offered, mostly an offer first."""
        self.draw(luck)
        device = self.here()
        sheet = self.sheet(device)
        if sheet.turn and not sheet.offers and self.lot.random() < 0.8:
            seat = self.lot.choice(SEATS)
            self.attempt(device, self.act(device, "offer.made", DrawOffer(), seat))
        self.reply(device)

    def reply(self, device: Device) -> None:
        """An answer to an offer that stands, if there is one; else to one that has lapsed."""
        sheet = self.sheet(device)
        digest = self.lot.choice([o.hash for o in sheet.offers] or [*sheet.made, FOREIGN])
        made = [offer.seat for offer in sheet.offers if offer.hash == digest]
        seat = self.lot.choice([*map(other, made * 4), *SEATS])
        kind = self.lot.choice(["offer.accepted", "offer.accepted", "offer.declined"])
        self.attempt(device, self.act(device, kind, Answer(offer=digest), seat))

    @rule(luck=st.integers(0, 2**32))
    def end(self, luck: int) -> None:
        """Somebody resigns when the match is long enough, or it goes on as it must."""
        self.draw(luck)
        device = self.here()
        sheet = self.sheet(device)
        if sheet.turn and sheet.seq > self.lot.randint(0, 60):
            self.attempt(device, self.act(device, "resigned", Nothing(), self.lot.choice(SEATS)))
        for _ in range(self.lot.randint(1, 3)):
            self.go_on(device)

    def go_on(self, device: Device) -> None:
        """What the match waits for: acceptance, the close (or the arbiter corrects first), a
        countersignature; else a move."""
        sheet = self.sheet(device)
        keyed = [seat for seat in SEATS if sheet.opening.seats[seat].key]
        if sheet.phase == "before-acceptance":
            seats = [seat for seat in keyed if seat not in sheet.accepted]
            self.attempt(device, *(Act("seat.accepted", Nothing(), seat) for seat in seats))
        elif sheet.turn:
            self.plies(device, "any", 1)
        elif sheet.closed is None:
            assert sheet.result
            if self.lot.randint(0, 50) > sheet.seq:
                self.attempt(device, Act("ruling", verdict(sheet.seq - 1), "arbiter"))
            else:
                self.attempt(device, Act("match.closed", Closing(result=sheet.result), "arbiter"))
        else:
            said = Countersignature(result_event=sheet.closed)
            roles = [role for role in (*keyed, "witness1") if role not in sheet.signed]
            self.attempt(device, Act("countersigned", said, (roles or ["witness1"])[0]))

    @rule(luck=st.integers(0, 2**32))
    def correct(self, luck: int) -> None:
        """The arbiter sets the game back to any event, also to one that was taken back."""
        self.draw(luck)
        device = self.here()
        to = self.lot.randint(0, self.sheet(device).seq)
        self.attempt(device, Act("ruling", verdict(to), "arbiter"))

    # -- what nobody may do -------------------------------------------------------------------

    @rule(luck=st.integers(0, 2**32))
    def do_something(self, luck: int) -> None:
        """Anything by anybody: by the right one or another, with their key or somebody else's."""
        self.draw(luck)
        device = self.here()
        kind = self.lot.choice(KINDS)
        said = self.said(device, kind)
        if self.lot.random() < 0.6:
            usual = {"ruling": "arbiter", "match.closed": "arbiter", "note": "witness1"}
            turn = self.sheet(device).turn or "swedes"
            seat = usual.get(kind, self.lot.choice([turn, turn, *SEATS]))
            act = self.act(device, kind, said, seat)
        else:
            by = self.lot.choice(["arbiter", "arbiter", *SEATS, "witness1", "appeal", "nobody"])
            for_ = self.lot.choice([None, *SEATS, "witness1", "nobody"])
            act = Act(kind, said, by, for_)
        if self.lot.random() < 0.15 or act.by not in KEYS:
            keys = ["arbiter", *SEATS, "witness1", "stranger"]
            act = act._replace(key=self.lot.choice(keys))
        self.attempt(device, act)

    def said(self, device: Device, kind: str) -> Any:
        """Data for an event of this kind, sensible or not."""
        sheet, pick = self.sheet(device), self.lot.choice
        number = self.lot.randint(0, sheet.seq + 1)
        match kind:
            case "move":
                legal = [each.text for each in GAME.legal(sheet.game)] or ["e3-f3"]
                odd = ["e5-e5", "Ke5-d5", "z9-a1", legal[0].upper(), f"{legal[0]}xa1", "castles"]
                return Play(move=pick([pick(legal), pick(odd)]))
            case "call":
                return Call(call=pick(["raichi", "tuichi", "Raichi"]))
            case "offer.made":
                share = SettlementOffer(split=(number, 36 - number))
                return pick([DrawOffer(), DrawOffer(), TakebackOffer(to=number), share])
            case "offer.accepted" | "offer.declined":
                standing = [offer.hash for offer in sheet.offers]
                return Answer(offer=pick([FOREIGN, self.match, *sheet.made, *standing]))
            case "ruling":
                return verdict(number)
            case "match.closed":
                fire = Result(kind="annulled", how="fire")
                return Closing(result=pick([sheet.result or fire, fire]))
            case "countersigned":
                return Countersignature(result_event=pick([sheet.closed or FOREIGN, self.match]))
            case "note":
                return Remark(text="Tea is served.")
            case "dice.committed":
                return Commitment(roll=1, commitment=FOREIGN)
            case "roll":
                return pick([Throw(roll=1), Throw(roll=1, nonce=FOREIGN, next=FOREIGN)])
            case "roll.opened":
                return Opened(roll=1, nonce=FOREIGN, next=FOREIGN)
            case "roll.recorded":
                return Lying(roll=1, dice=(3, 5, 2))
            case "roll.confirmed":
                return Confirmation(confirms=pick([FOREIGN, self.match]))
            case "pull":
                return Taking(pull="4a-c")
            case "roll.voided":
                return Voiding(roll=1, reason="one die was cocked")
        return Nothing()

    @rule(luck=st.integers(0, 2**32))
    def send_amiss(self, luck: int) -> None:
        """Events that come twice, late, too early, forged, or after a head that has gone by."""
        self.draw(luck)
        self.lot.choice((self.send_again, self.send_late, self.send_early))()

    def send_again(self) -> None:
        """Any event that any device ever had is sent to this one: once more, or out of order."""
        device = self.lot.choice([*self.devices.values()])
        service = self.lot.choice(device.programs)
        envelope = self.envelopes[self.lot.choice(sorted(self.envelopes))]
        event, chain = decode(envelope.payload), self.chain(device)
        before = device.dump()
        if envelope in chain:
            assert service.post(envelope.text()).head == chain[-1].hash
            assert device.dump() == before, "the same event twice is stored once"
            SEEN["sent twice"] += 1
        elif event.prev == (chain[-1].hash if chain else None):
            self.welcome(device, service.post(envelope.text()))
            SEEN["sent in order"] += 1
        else:
            late = "stale" if event.seq < len(chain) else "bad-seq"
            late = "bad-chain" if event.seq == len(chain) else late
            with self.refused(device, late if chain else "no-match"):
                service.post(envelope.text())

    def send_late(self) -> None:
        device = self.here()
        chain = self.chain(device)
        seen = self.lot.choice([*(each.hash for each in chain[:-1]), FOREIGN])
        act = Act("note", Remark(text="Too late."), "arbiter")
        service = self.lot.choice(device.programs)
        with self.refused(device, "stale"):
            if self.lot.random() < 0.5:
                service.append(self.match, [act.plan], KEYS, expect=seen)
            else:
                service.post(self.sealed(act, len(chain), chain[-1].hash).text(), expect=seen)

    def send_early(self) -> None:
        device = self.here()
        chain = self.chain(device)
        act = Act("note", Remark(text="I was first."), "arbiter")
        prev = self.lot.choice([FOREIGN, *(each.hash for each in chain[:-1])])
        good = self.sealed(act, len(chain), chain[-1].hash)
        for code, envelope in (
            ("bad-seq", self.sealed(act, len(chain) + self.lot.randint(1, 9), chain[-1].hash)),
            ("bad-chain", self.sealed(act, len(chain), prev)),
            ("bad-signature", replace(good, signature=STRANGER.sign(b"else"))),
        ):
            with self.refused(device, code):
                device.service.post(envelope.text())

    # -- copies -------------------------------------------------------------------------------

    @rule(luck=st.integers(0, 2**32))
    def part(self, luck: int) -> None:
        """Each device goes on by itself before the next copy."""
        self.draw(luck)
        for device in self.devices.values():
            if self.chain(device) and self.lot.random() < 0.7:
                if self.lot.random() < 0.3:
                    said = Remark(text=f"{device.path.stem} notes this.")
                    self.attempt(
                        device, Act("note", said, self.lot.choice(["arbiter", "witness1"]))
                    )
                else:
                    self.plies(device, "any", self.lot.randint(1, 2))
        if self.lot.random() < 0.5:
            self.copy()

    @rule(luck=st.integers(0, 2**32))
    def take_a_copy(self, luck: int) -> None:
        self.draw(luck)
        self.copy()

    def copy(self) -> None:
        zoe, bruno = self.devices.values()
        source, device = self.lot.choice([(zoe, bruno), (zoe, bruno), (bruno, zoe)])
        length = len(self.chain(source))
        if length > 1 and self.lot.random() < 0.2:
            self.bring_damaged(self.chain(source), device)
        elif length:
            end = length if self.lot.random() < 0.8 else self.lot.randint(1, length)
            self.bring(self.chain(source)[:end], device, take_over=self.lot.random() < 0.15)

    def bring(
        self, theirs: Sequence[Envelope], device: Device, *, take_over: bool = False
    ) -> Standing:
        """A copy comes in; which of the two stands is told from who signed what."""
        ours = self.chain(device)
        common = sum(theirs[:n] == ours[:n] for n in range(1, min(len(ours), len(theirs)) + 1))
        own, new = ours[common:], theirs[common:]
        kept = {each.hash for each in device.aside()}
        mine, its = ({decode(each.payload).by for each in tail} for tail in (own, new))
        if not own or not new or take_over:
            stands = bool(new)
        elif "arbiter" in mine | its:
            stands = "arbiter" not in mine
        else:
            alone = len(mine) == len(its) == 1
            stands = mine <= {*device.roles} and self.goes_on(theirs, own)
            stands = stands and (alone or "arbiter" not in device.roles)
            if stands and alone and own[0].hash < new[0].hash:
                stands = not self.goes_on(ours, new)
        self.tell(f"{device.path.name} takes in {len(theirs)} events, {common} common, {stands=}")
        roles = device.roles
        service = self.lot.choice(device.programs)
        brought = take_in(service, theirs, here=lambda _: roles, take_over=take_over)
        SEEN[f"copy {brought.standing.value}"] += 1
        assert self.chain(device) == (theirs if stands else ours)
        beside = {each.hash for each in device.aside()}
        assert kept <= beside
        if own and new:
            assert {each.hash for each in (own if stands else new)} <= beside
        assert (brought.common, [*brought.taken]) == (common, new if stands else [])
        self.welcome(device, brought.state)
        if own and new and stands:
            acted = set()
            for role in ("muscovites", "witness1") * 2:  # by any program, whatever it remembers
                act = self.act(device, "note", Remark(text="As it stands."), role)
                acted |= {act.by} if self.attempt(device, act) else set()
            left = {each.event.by for each in pending(device.service, self.match)}
            assert not acted & left, "who has acted since is not waited for"
        return brought.standing

    def goes_on(self, chain: Sequence[Envelope], acts: Sequence[Envelope]) -> bool:
        """Whether somebody could sign these acts anew after this chain."""
        with self.empty() as service:
            state = take_in(service, chain, here=lambda _: ()).state
            plans = [Pending(self.match, decode(each.payload), each).plan for each in acts]
            try:
                service.rehearse(state, plans)
            except TabellionError:
                return False
        return True

    def bring_damaged(self, theirs: list[Envelope], device: Device) -> None:
        """A forged signature, or an event left out: the copy is refused whole."""
        place = self.lot.randrange(len(theirs) - 1)
        forged = replace(theirs[place], signature=STRANGER.sign(b"else"))
        middle = self.lot.choice([[forged], []])
        events = [*theirs[:place], *middle, *theirs[place + 1 :]]
        with self.refused(device, "*"):
            take_in(device.service, events, here=lambda _: device.roles)
        assert audit(events, (), TRUST).verdict == "faults"

    @rule(luck=st.integers(0, 2**32))
    def sign_anew(self, luck: int) -> None:
        """What was set aside is signed once more where the match stands now, if it still can."""
        self.draw(luck)
        device = self.here(1, 2)
        waiting = pending(device.service, self.match)
        chain = {each.hash for each in self.chain(device)}
        beside = {each.hash for each in device.aside()}
        assert all(each.envelope.hash in beside - chain for each in waiting)
        if not waiting:
            self.copy()
            return
        one = self.lot.choice(waiting)
        event = one.event
        if self.attempt(device, Act(type_of(event), event.data, event.by, event.for_)):
            SEEN["signed anew"] += 1
            left = {each.envelope.hash for each in pending(device.service, self.match)}
            assert one.envelope.hash not in left

    # -- programs end, records go round ----------------------------------------------------------

    @rule(luck=st.integers(0, 2**32))
    def start_again(self, luck: int) -> None:
        """The programs end and start anew; the lists are made anew; a beginning goes round."""
        self.draw(luck)
        device = self.here()
        before = device.dump()
        device.start_again()
        if self.lot.random() < 0.5:
            device.service.rebuild()
        assert device.dump() == before
        self.welcome(device, device.service.state(self.match))
        chain = self.chain(device)
        end = self.lot.randint(1, len(chain))
        self.judge(chain[:end])
        with self.empty() as service:
            state = take_in(service, chain[:end], here=lambda _: ()).state
            assert state.head == chain[end - 1].hash
            self.as_notation(service, state)

    def empty(self) -> Service:
        self.ledgers += 1
        return Service.open(self.folder / f"empty{self.ledgers}.db", clock, create=True)

    def judge(self, chain: Sequence[Envelope]) -> None:
        """A record of this beginning reads back to the same bytes, and its audit is sound."""
        head = chain[-1].hash
        if head in self.judged:
            return
        self.judged.add(head)
        written = record.write(chain)
        found = record.read(written)
        assert (found.frame, [*found.pieces]) == ((), [*chain])
        assert record.write(each for each in found.pieces if isinstance(each, Envelope)) == written
        report, sheet = audit(found.pieces, found.frame, TRUST), self.sheets[head]
        assert (report.verdict, report.faults, report.unchecked) == ("sound", (), ())
        assert (report.match, report.head) == (self.match, head)
        assert (report.phase, report.result) == (sheet.phase, sheet.result)
        told = {each.event: (each.text,) for each in report.breaches}
        assert told == sheet.breaches()
        back = {seq for each in (*report.rulings, *report.takebacks) for seq in each.takes_back}
        assert sheet.struck <= back

    def as_notation(self, service: Service, state: MatchState) -> None:
        """OpenTafl notation, read again, has the moves that stand and the result."""
        sheet, text = self.sheets[state.head], notation(state, "otn")
        if not sheet.moves:
            with pytest.raises(Refused) as refused:
                adjudged(text.encode())
            assert refused.value.code == "import-empty"
            return
        found, zoe = adjudged(text.encode()), KEYS["arbiter"]
        played = [each.text for each in found.adjudication.actions]
        assert played == [act.text for act in sheet.moves]
        terms = found.opening("Zoë", zoe.public, f"{self.ledgers:032x}")
        written = service.open_match(terms, zoe, found.plans)
        assert written.result == sheet.result
        assert breaches(written) == {}, "of a game from a file nobody knows what was called"
        SEEN[f"notation {sheet.result.how if sheet.result else 'open'}"] += 1

    # -- always, and at the end --------------------------------------------------------------------

    @invariant()
    def nothing_is_lost(self) -> None:
        """What a device has acknowledged is in its chain or beside it, byte for byte; every
        program shows the same; the lists say what the events say."""
        for device in self.devices.values():
            if device.changes() == device.looked:
                continue
            device.looked = device.changes()
            chain, beside, store = self.chain(device), device.aside(), device.service.store
            assert device.acknowledged <= {each.text() for each in (*chain, *beside)}
            assert store.last_position() == len(chain) + len(beside)
            if chain:
                state = self.states[chain[-1].hash]
                assert all(program.state(self.match) == state for program in device.programs)
                assert readmodels.differences(store, state) == []

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None and self.devices:
                self.finish()
        finally:
            for device in self.devices.values():
                device.close()
            shutil.rmtree(self.folder)

    def finish(self) -> None:
        """Every beginning of either chain: as it stood, as a record, in an empty ledger."""
        done: list[Envelope] = []
        for device in self.devices.values():
            chain = self.chain(device)
            if not chain or chain == done:
                continue
            last = self.states[chain[-1].hash]
            with self.empty() as service:
                for end, envelope in enumerate(chain, start=1):
                    if chain[:end] == done[:end] and end < len(chain):
                        continue
                    then = as_of(last, end - 1)
                    assert then == self.states.get(envelope.hash, then)
                    self.judge(chain[:end])
                    assert take_in(service, chain[:end], here=lambda _: ()).state == then
                self.as_notation(service, last)
            assert device.service.store.faults() == []
            view = inspect(str(device.path), device.path, trust(None, None))
            assert (view.verdict, view.file_faults) == ("sound", ())
            with Service.open(device.path, clock, write=False) as again:
                assert again.state(self.match) == last
            done = chain
            SEEN[f"result {last.result.how if last.result else 'open'}"] += 1


def key_of(act: Act) -> Any:
    return (KEYS | {"stranger": STRANGER}).get(act.key or act.by, STRANGER)


def verdict(to: int) -> Verdict:
    return Verdict(reason="Mistyped.", rule="record", effects=(Rewind(to=to),))


@pytest.mark.parametrize("name", RULESETS)
def test_whole_matches_by_random_play(name: str) -> None:
    SEEN.clear()
    health = [HealthCheck.too_slow, HealthCheck.data_too_large]
    how = settings(max_examples=6, stateful_step_count=28, suppress_health_check=health)
    run_state_machine_as_test(type("Matches", (Matches,), {"rulesets": [name]}), settings=how)
    assert SEEN[name] >= 6, "so many matches were opened"
    assert SEEN["move"] > 20
    assert sum(count for what, count in SEEN.items() if what.startswith("refused")) > 20
    assert sum(count for what, count in SEEN.items() if what.startswith("copy")) > 3
    assert sum(count for what, count in SEEN.items() if what.startswith("result")) >= 6


# -- and once each by design -------------------------------------------------------------------


class Directed(Matches):
    """The same match, but what happens is said."""

    def __enter__(self) -> Directed:
        SEEN.clear()
        self.zoe = self.begin("tablut")
        self.bruno = self.devices["bruno"]
        return self

    def __exit__(self, *_: object) -> None:
        self.teardown()

    def did(self, device: Device, kind: str, data: Any, seat: str) -> str:
        """Do it; gives the hash of the event."""
        assert self.attempt(device, self.act(device, kind, data, seat)), kind
        self.nothing_is_lost()
        return self.chain(device)[-1].hash

    def moves(self, device: Device, *texts: str) -> None:
        for text in texts:
            self.did(device, "move", Play(move=text), self.sheet(device).turn or "nobody")

    def accepted(self) -> None:
        for seat in SEATS:
            self.did(self.zoe, "seat.accepted", Nothing(), seat)


def test_every_kind_of_event_is_done_once_and_refused_once() -> None:
    with Directed() as match:
        zoe = match.zoe
        match.accepted()
        for kind in (*OF_DICE, *OF_OTHERS):  # Tablut has neither dice nor passes
            assert not match.attempt(zoe, Act(kind, match.said(zoe, kind), "swedes"))
        assert SEEN["refused no-dice"] == len(OF_DICE)
        match.moves(zoe, *RAICHI)
        match.did(zoe, "call", Call(call="raichi"), "swedes")
        offer = match.did(zoe, "offer.made", DrawOffer(), "muscovites")
        match.did(zoe, "offer.declined", Answer(offer=offer), "swedes")
        for _ in range(2):
            match.moves(zoe, "d1-c1", "Ke3-e4", "c1-d1", "Ke4-e3")
        assert match.sheet(zoe).breaches() == {14: ("raichi was due and not called",)}
        match.did(zoe, "draw.claimed", Nothing(), "swedes")
        match.did(zoe, "ruling", verdict(9), "arbiter")
        offer = match.did(zoe, "offer.made", TakebackOffer(to=6), "swedes")
        match.did(zoe, "offer.accepted", Answer(offer=offer), "muscovites")
        match.did(zoe, "resigned", Nothing(), "muscovites")
        won = match.sheet(zoe).result
        assert won == Result(kind="win", how="resigned", winner="swedes")
        match.did(zoe, "match.closed", Closing(result=won), "arbiter")
        closed = match.chain(zoe)[-1].hash
        match.did(zoe, "countersigned", Countersignature(result_event=closed), "witness1")
        match.did(zoe, "note", Remark(text="Tea is served."), "muscovites")
        assert {kind for kind in KINDS if not SEEN[kind]} == {*OF_DICE, *OF_OTHERS}
        for kind in KINDS:
            act = Act(kind, match.said(zoe, kind), "nobody", key="stranger")
            assert not match.attempt(zoe, act)
        assert SEEN["refused unknown-role"] == len(KINDS)


def test_copies_meet_in_every_way() -> None:
    tea = Remark(text="Tea is served.")
    with Directed() as match:
        zoe, bruno = match.zoe, match.bruno
        match.accepted()

        def meet(source: Device, device: Device, end: int | None = None, **how: bool) -> str:
            return match.bring(match.chain(source)[:end], device, **how).value

        assert [meet(zoe, bruno), meet(zoe, bruno), meet(zoe, bruno, 2)] == [
            *("longer", "same", "shorter")
        ]
        match.moves(zoe, "e3-f3")
        match.did(bruno, "note", tea, "muscovites")
        lower, higher = sorted((zoe, bruno), key=lambda each: match.chain(each)[-1].hash)
        old = match.chain(higher)
        assert [meet(higher, lower), meet(lower, higher)] == ["first", "own"]
        if higher is bruno:
            assert match.bring(old, bruno) is Standing.SEEN
        else:
            match.moves(zoe, "e3-f3")
            meet(zoe, bruno)
        match.moves(zoe, "e2-h2")
        match.did(bruno, "note", tea, "swedes")
        assert [meet(zoe, bruno), meet(bruno, zoe)] == ["undecided", "arbiter-here"]
        match.did(zoe, "note", tea, "arbiter")
        assert [meet(bruno, zoe), meet(zoe, bruno)] == [
            *("arbiter-signed-ours", "arbiter-signed-theirs")
        ]
        match.did(zoe, "note", tea, "arbiter")
        match.did(bruno, "ruling", verdict(3), "arbiter")
        assert [meet(bruno, zoe), match.bring(match.chain(bruno), zoe, take_over=True).value] == [
            *("arbiter-signed-both", "asked")
        ]
        assert {each for each in Standing if not SEEN[f"copy {each.value}"]} == set()
        assert match.sheet(zoe).struck == {4}


@pytest.mark.parametrize(("moves", "how"), [(SHORT_GAME, "goal"), (RAICHI, None), (TUICHI, None)])
def test_the_ways_of_beginning_lead_where_they_should(
    moves: Sequence[str], how: str | None
) -> None:
    with Directed() as match:
        match.accepted()
        match.moves(match.zoe, *moves)
        sheet = match.sheet(match.zoe)
        assert (sheet.result.how if sheet.result else None) == how
        due = {RAICHI: "raichi", TUICHI: "tuichi"}.get(tuple(moves))
        assert called_for(sheet.game) == due

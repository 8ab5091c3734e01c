"""Whole matches of Tabula by random play, with dice made in every lawful way, beside a score sheet.

People do what they may and what they may not; the score sheet (``dicesheet``) says what stands,
the referee (``dicereferee``) beforehand what is refused. Nobody of them asks the fold. Two devices
pass the match to and fro, each with two programs on its ledger.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from dicehand import FOREIGN, FOULS, Hand, back
from dicereferee import refusal
from dicesheet import Sheet, Unopened
from hypothesis import HealthCheck, currently_in_test_context, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import astuple, replace
from scoresheet import ON_THE_SHEET as KINDS
from scoresheet import Act
from table import KEYS, clock, opening
from tabulabyhand import NUMBERS, SEATS, across, whole
from test_match_machine import MEMORY, Device, in_order, key_of

from cli.rolling import drafts, rolling_steps
from ledger import envelope as envelopes
from ledger import readmodels, record, rulings
from ledger.audit import Trust, audit
from ledger.errors import TabellionError, Unreadable
from ledger.events import (
    EVENT_TYPES,
    Answer,
    Closing,
    CommitReveal,
    Countersignature,
    DrawOffer,
    Nothing,
    Physical,
    TakebackOffer,
    Voiding,
    encode,
)
from ledger.exchange import take_in
from ledger.fold import MatchState, as_of
from ledger.fold.due import due
from ledger.fold.rolls import awaited
from ledger.games.tabula import GAME
from ledger.inspection import inspect, inspect_record, trust
from ledger.service import Service

RULESETS = sorted(GAME.rulesets)
TRUST = Trust(documents=rulings.digests())

WHITE, BLACK, NOBODY = SEATS[:1], SEATS[1:], ()
Mixture = tuple[tuple[str, ...], CommitReveal | Physical]


def made_by(*roles: str) -> CommitReveal:
    return CommitReveal(contributors=roles)


MIXTURES: dict[str, list[Mixture]] = {
    "both": [(SEATS, made_by(*SEATS))],
    "both and the arbiter": [(SEATS, made_by(*SEATS, "arbiter"))],
    "one and the arbiter": [(each, made_by(*each, "arbiter")) for each in (WHITE, BLACK)],
    "the arbiter alone": [(each, made_by("arbiter")) for each in (SEATS, WHITE, BLACK, NOBODY)],
    "on the table": [(each, Physical(confirm=False)) for each in (SEATS, WHITE, BLACK, NOBODY)],
    "confirmed": [(each, Physical(confirm=True)) for each in (SEATS, WHITE, BLACK, NOBODY)],
}
"""How dice are made, and which seats then bring a key."""
SEEN: Counter[str] = Counter()
"""How often the run has met each kind of act, refusal and foul."""

luck = st.integers(0, 2**32)


class Matches(RuleBasedStateMachine):
    """One match. ``sheets`` and ``states``: what was on paper and what was shown, one an event.

    Each rule draws one number, and lots from it: drawn one by one, Hypothesis would repeat itself
    too much for long matches to come about.
    """

    mixtures: Sequence[Mixture] = ()

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
        self.devices = [
            Device(self.folder / name, 2, roles)
            for name, roles in (("zoe.db", ("arbiter", "white")), ("bruno.db", ("black",)))
        ]
        self.stranger = Service.open(self.folder / "stranger.db", clock, create=True)
        self.sheets: list[Sheet] = []
        self.states: list[MatchState] = []
        self.waited: list[str] = []
        self.lot = Random(0)

    # -- who does it, and what comes of it -----------------------------------------------------

    @property
    def device(self) -> Device:
        """Where the match is played at present."""
        return self.devices[0]

    @property
    def sheet(self) -> Sheet:
        return self.sheets[-1]

    @property
    def match(self) -> str:
        return self.sheet.match

    @property
    def hand(self) -> Hand:
        return Hand(self.sheet, self.lot)

    def draw(self, number: int) -> None:
        """Lots that depend on the match so far as well, lest the same number do the same again."""
        self.lot = Random(f"{number} {self.states[-1].head if self.states else ''}")

    @contextmanager
    def refused(self, code: str) -> Iterator[None]:
        """What is done is refused with this code (``*``: any) and changes nothing at all."""
        before = self.device.dump()
        with pytest.raises(TabellionError) as caught:
            yield
        in_order(caught.value)
        assert code in (caught.value.code, "*"), caught.value
        assert self.device.dump() == before, "a refused act changes nothing"
        SEEN[f"refused {caught.value.code}"] += 1

    def attempt(self, act: Act) -> bool:
        """Do this, or be refused as the referee says; gives whether it was done."""
        code = refusal(self.sheet, act)
        if currently_in_test_context():
            note(f"{len(self.sheets)}: {act} {code or ''}")
        service = self.lot.choice(self.device.programs)
        write = self.lot.choice((self.append, self.post))
        if code is not None:
            with self.refused(code):
                write(service, act)
            return False
        self.follow(act, write(service, act))
        SEEN[act.kind] += 1
        return True

    def append(self, service: Service, act: Act) -> MatchState:
        return service.append(self.match, [act.plan], {act.by: key_of(act)})

    def post(self, service: Service, act: Act) -> MatchState:
        kind, key, before = EVENT_TYPES[act.kind], key_of(act), self.states[-1]
        place: dict[str, Any] = {"v": 1, "seq": before.seq + 1, "prev": before.head}
        place |= {"match": self.match, "at": clock()}
        event = kind(by=act.by, for_=act.for_, data=act.data, **place)
        return service.post(envelopes.seal(encode(event), key.public, key.sign).text())

    def follow(self, act: Act, state: MatchState) -> None:
        """Write on paper what was done, and look whether the service shows the same."""
        assert state.rolling.number >= self.states[-1].rolling.number
        self.sheets.append(self.sheet.after(act, state.head))
        self.states.append(state)
        compare(self.sheet, state)
        if act.kind in ("roll.recorded", "roll.voided"):
            self.waited.append(state.head)

    def go_on(self, events: int, style: str = "any") -> None:
        """What is owed, one after the other, to the end of the game."""
        for _ in range(events):
            act = self.hand.owed(style)
            if act is None or act.kind == "match.closed":
                break
            if act.kind == "move":
                reached = {turn.position for turn in self.sheet.turns.values()}
                assert len(GAME.legal(self.states[-1].position)) == len(reached)
            assert self.attempt(act), "what is owed is accepted"

    # -- the match goes on ---------------------------------------------------------------------

    @initialize(number=luck)
    def open(self, number: int) -> None:
        self.draw(number)
        keyed, dice = self.lot.choice(self.mixtures)
        self.begin(self.lot.choice(RULESETS), keyed, dice, takebacks=self.lot.random() < 0.8)
        self.go_on(self.lot.choice([1, len(keyed), self.lot.randint(2, 12), 40]))

    def begin(self, ruleset: str, keyed: Sequence[str], dice: Any, *, takebacks: bool) -> None:
        plain = opening(ruleset, keyed=keyed, witness=True, dice=dice)
        terms = replace(plain, takebacks=takebacks, nonce=f"{self.lot.getrandbits(128):032x}")
        state = self.device.service.open_match(terms, KEYS["arbiter"])
        self.sheets.append(Sheet(terms, state.match))
        self.states.append(state)
        compare(self.sheet, state)
        SEEN[ruleset] += 1

    @precondition(lambda self: self.sheet.phase == "before-acceptance")
    @rule(number=luck)
    def accept(self, number: int) -> None:
        self.draw(number)
        self.attempt(Act("seat.accepted", Nothing(), self.lot.choice(SEATS)))

    @rule(number=luck)
    def play_on(self, number: int) -> None:
        """Some events, or many: it may stop in the middle of a roll."""
        self.draw(number)
        events = self.lot.choice([1, 2, 3, self.lot.randint(4, 12), self.lot.randint(4, 12), 50])
        self.go_on(events, self.lot.choice(["any", "careful"]))
        if self.lot.random() < 0.2:
            self.set_back()

    @precondition(lambda self: self.sheet.page.dice)
    @rule(number=luck)
    def move(self, number: int) -> None:
        """Any turn; or a pass, lawful only where no die can be played."""
        self.draw(number)
        passes = self.hand.act("pass", Nothing(), self.sheet.turn or "white")
        self.attempt(passes if self.lot.random() < 0.2 else self.hand.plays())
        self.go_on(self.lot.choice([0, 0, 1]))

    # -- dice made by the players --------------------------------------------------------------

    @precondition(lambda self: self.sheet.contributors)
    @rule(number=luck)
    def commit(self, number: int) -> None:
        """By whom it is owed, or by another, or too early."""
        self.draw(number)
        self.attempt(self.hand.commits(self.lot.choice([*NUMBERS])))

    @precondition(lambda self: self.sheet.contributors)
    @rule(number=luck)
    def throw_and_open(self, number: int) -> None:
        """A throw, and openings by anybody: in order and out of it."""
        self.draw(number)
        self.attempt(self.hand.throws(self.sheet.turn or "white"))
        while self.sheet.flight and self.lot.random() < 0.7:
            self.attempt(self.hand.opens(self.lot.choice([*self.sheet.awaited * 2, *NUMBERS])))

    @precondition(lambda self: self.sheet.contributors)
    @rule(number=luck)
    def roll_on_a_device(self, number: int) -> None:
        """A device does all that it can for the roll with the keys that are on it, and no more."""
        self.draw(number)
        roles = [*self.sheet.keyed, "arbiter"]
        here = {*self.lot.sample(roles, self.lot.randint(1, len(roles)))}
        rolls = len(self.sheet.rolls)
        if not self.can_roll(here):
            with self.refused("*"):
                rolling_steps(self.states[-1], here)
            return
        state = self.states[-1]
        for draft in drafts(state, rolling_steps(state, here), KEYS, None):
            assert draft.by in here
            assert self.attempt(Act(draft.type, draft.data, draft.by, draft.for_))
        assert len(self.sheet.rolls) > rolls or not self.can_roll(here)

    def can_roll(self, here: set[str]) -> bool:
        what, whose = self.sheet.due
        signing = {self.hand.act("roll", None, role).by for role in whose}
        return what in ("commit", "throw", "open") and bool(signing & here)

    # -- dice on the table ---------------------------------------------------------------------

    @precondition(lambda self: not self.sheet.contributors)
    @rule(number=luck)
    def record(self, number: int) -> None:
        self.draw(number)
        self.attempt(self.hand.records(self.lot.choice(SEATS)))

    @precondition(lambda self: self.waited)
    @rule(number=luck)
    def confirm(self, number: int) -> None:
        """What waits for it, or once did, or never."""
        self.draw(number)
        waiting = [each for each in (self.sheet.recorded, self.sheet.voiding) if each]
        if waiting and self.lot.random() < 0.7:
            one = self.lot.choice(waiting)
            self.attempt(self.hand.confirms(one.hash, one.confirmer))
        else:
            what = self.lot.choice(self.waited[-3:])
            self.attempt(self.hand.confirms(what, self.lot.choice(SEATS)))

    @precondition(lambda self: not self.sheet.contributors and self.sheet.turn)
    @rule(number=luck)
    def void(self, number: int) -> None:
        """Dice that do not count: at once, or once the other seat agrees."""
        self.draw(number)
        if self.sheet.lying is None and self.sheet.owners and self.lot.random() < 0.8:
            self.go_on(self.lot.choice([1, 2]))
        lying = self.sheet.lying
        roll = lying.number if lying else max(1, self.sheet.number - 1)
        data = Voiding(roll=roll, reason="a die was cocked")
        self.attempt(Act("roll.voided", data, self.lot.choice([*NUMBERS])))
        if self.sheet.voiding and self.lot.random() < 0.5:
            self.attempt(self.hand.confirms(self.sheet.voiding.hash, self.sheet.voiding.confirmer))
        elif self.sheet.voiding and self.lot.random() < 0.3:
            self.go_back(self.sheet.seq, "rethrow")
        elif self.lot.random() < 0.5:
            self.go_on(1)

    # -- offers, ends, going back --------------------------------------------------------------

    def of_this_roll(self) -> list[int]:
        """The events after which the game stood otherwise, by the same roll as now."""
        now = self.sheet.page
        pages = enumerate(self.sheet.pages)
        return [seq for seq, page in pages if page.roll == now.roll and page.game != now.game]

    @rule(number=luck)
    def offer(self, number: int) -> None:
        """A draw, or a turn back; and perhaps an answer, at once or too late."""
        self.draw(number)
        terms: Any = DrawOffer()
        if self.lot.random() < 0.7:
            to = self.lot.choice([*self.of_this_roll()[-4:], self.sheet.seq - 1])
            terms = TakebackOffer(to=max(0, to))
        self.attempt(self.hand.act("offer.made", terms, self.lot.choice(SEATS)))
        self.go_on(self.lot.choice([0, 0, 1, 2]))
        if self.sheet.made and self.lot.random() < 0.6:
            self.reply()

    @precondition(lambda self: self.sheet.made)
    @rule(number=luck)
    def answer(self, number: int) -> None:
        self.draw(number)
        self.reply()

    def reply(self) -> None:
        """An answer to an offer that stands, if there is one; else to one that has lapsed."""
        sheet = self.sheet
        digest = self.lot.choice([offer.hash for offer in sheet.offers] or [*sheet.made])
        answering = [across(offer.seat) for offer in sheet.offers if offer.hash == digest]
        kind = self.lot.choice(["offer.accepted", "offer.accepted", "offer.declined"])
        seat = self.lot.choice([*answering * 4, *SEATS])
        self.attempt(self.hand.act(kind, Answer(offer=digest), seat))

    @rule(number=luck)
    def resign(self, number: int) -> None:
        """When the match is long enough; mostly it was a mistake."""
        self.draw(number)
        if self.sheet.seq > self.lot.randint(0, 120):
            self.attempt(self.hand.act("resigned", Nothing(), self.lot.choice(SEATS)))
        if self.sheet.phase == "ended" and self.lot.random() < 0.7:
            self.go_back(self.sheet.seq - 1, self.lot.choice(["keep", "rethrow"]))

    @precondition(lambda self: self.sheet.result)
    @rule(number=luck)
    def close_and_countersign(self, number: int) -> None:
        """A short match is not closed: the arbiter finds that it goes on."""
        self.draw(number)
        if not self.sheet.closed and self.sheet.seq < self.lot.randint(0, 120):
            self.go_back(self.sheet.seq - 1, "rethrow")
            return
        self.attempt(Act("match.closed", Closing(result=self.sheet.result), "arbiter"))
        said = Countersignature(result_event=self.sheet.closed or FOREIGN)
        self.attempt(Act("countersigned", said, self.lot.choice([*SEATS, "witness1"])))

    @rule(number=luck)
    def correct(self, number: int) -> None:
        """The arbiter sets the game back to any event, also to one that was taken back."""
        self.draw(number)
        self.set_back()

    def set_back(self) -> None:
        last, same = self.sheet.seq, self.of_this_roll()
        if same and self.lot.random() < 0.5:
            self.go_back(self.lot.choice(same), "keep")
        else:
            near = max(0, last - self.lot.randint(0, 6))
            to = self.lot.choice([near, near, self.lot.randint(0, last), min(last, 8)])
            self.go_back(to, self.lot.choice(["keep", "rethrow", "rethrow"]))

    def go_back(self, to: int, how: str) -> None:
        """N gives exactly the game after N, or the one before the dice that lay there."""
        there = self.sheets[to].page
        if self.attempt(back(to, how)):
            page = self.sheet.page
            if how == "keep" or not there.dice:
                assert page.game == there.game
            else:
                assert (page.position, page.dice) == (there.position, ())
            SEEN[how] += 1

    # -- anything else -------------------------------------------------------------------------

    @rule(number=luck)
    def do_something(self, number: int) -> None:
        """Anything by anybody: by the right one or another, with their key or somebody else's."""
        self.draw(number)
        for kind in ("note", *self.lot.sample(KINDS, 3)):
            said = self.hand.anything(kind)
            act = self.hand.act(kind, said, self.lot.choice([self.sheet.turn or "white", *SEATS]))
            if self.lot.random() < 0.5:
                by = self.lot.choice(["arbiter", "arbiter", *SEATS, "witness1", "appeal"])
                for_ = self.lot.choice([None, None, *SEATS, "witness1", "nobody"])
                act = Act(kind, said, by, for_, key=None if by in KEYS else "stranger")
            if kind == "dice.committed" and refusal(self.sheet, act) is None:
                act = self.hand.commits(act.by)
            if kind != "resigned":
                self.attempt(act)

    @rule(number=luck)
    def go_elsewhere(self, number: int) -> None:
        """The record so far goes to the other device, and the match is played on there; or the
        programs end and start anew, and the lists are made anew."""
        self.draw(number)
        chain, before = self.device.service.envelopes(self.match), self.device.dump()
        if self.lot.random() < 0.5:
            self.devices.reverse()
            take_in(self.device.service, chain, here=lambda _: self.device.roles)
        else:
            self.device.start_again()
            self.device.service.rebuild()
            assert self.device.dump() == before
        assert self.device.service.state(self.match) == self.states[-1]

    # -- looking back --------------------------------------------------------------------------

    @rule(number=luck)
    def look_back(self, number: int) -> None:
        """A beginning of the match goes to somebody who has nothing of it."""
        self.draw(number)
        end = self.lot.randint(1, len(self.sheets))
        with Service.open(self.folder / f"{len(self.states)}.db", clock, create=True) as empty:
            self.judge(end, empty)
        (self.folder / f"{len(self.states)}.db").unlink()

    def judge(self, end: int, service: Service) -> None:
        """The first ``end`` events fold to what was shown then; as a record they can be brought
        into another ledger; their audit is sound and finds the same rolls; damage is found."""
        sheet, then = self.sheets[end - 1], self.states[end - 1]
        folded = as_of(self.states[-1], end - 1)
        compare(sheet, folded)
        assert folded == then
        chain = self.device.service.envelopes(self.match)[:end]
        found = record.read(record.write(chain))
        assert (found.frame, [*found.pieces]) == ((), chain)
        assert take_in(service, chain, here=lambda _: ()).state == then
        assert readmodels.differences(service.store, then) == []
        report = audit(found.pieces, found.frame, TRUST)
        assert (report.verdict, report.faults, report.unchecked) == ("sound", (), ())
        assert (report.head, report.phase, report.result) == (then.head, sheet.phase, sheet.result)
        assert report.dice is not None
        rolls = [(each.number, each.seq, each.seat, each.dice, each.voided) for each in sheet.rolls]
        assert [astuple(each)[:5] for each in report.dice.rolls] == rolls
        unopened = [*sheet.unopened]
        if sheet.flight:
            unopened.append(Unopened(sheet.number, sheet.flight.seat, sheet.awaited, None))
        assert [astuple(each)[:4] for each in report.dice.unopened] == unopened
        assert bool(report.waits) == (sheet.due[0] in ("accept", "commit", "open", "confirm"))
        self.damage(self.lot.randint(1, end))

    def damage(self, end: int) -> None:
        """One byte of a record is another: that is found."""
        data = bytearray(record.write(self.device.service.envelopes(self.match)[:end]))
        place = self.lot.randrange(len(data))
        data[place] ^= self.lot.randint(1, 255)
        try:
            view = inspect_record(bytes(data), TRUST)
        except Unreadable as error:
            in_order(error)
        else:
            assert view.verdict == "faults", place
        SEEN["one byte"] += 1

    # -- always, and at the end ----------------------------------------------------------------

    @invariant()
    def fouls_are_refused(self) -> None:
        """Whatever the match waits for: nobody gets away with a foul."""
        for name in self.lot.sample([*FOULS], 3) if self.sheets else ():
            act = FOULS[name](self.hand)
            if act is not None:
                assert not self.attempt(act), name
                SEEN[f"foul: {name}"] += 1

    @invariant()
    def everybody_sees_the_same(self) -> None:
        if not self.sheets or self.device.changes() == self.device.looked:
            return
        self.device.looked = self.device.changes()
        program = self.lot.choice(self.device.programs)
        state = program.state(self.match)
        assert state == self.states[-1]
        assert readmodels.differences(program.store, state) == []
        dice = state.rolling
        numbers = [each.number for each in (*dice.rolls, *dice.unopened)]
        assert len({*numbers}) == len(numbers), "the number of a roll never comes back"
        assert all(number < dice.number for number in numbers)

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None and self.sheets:
                self.finish()
        finally:
            for device in self.devices:
                device.close()
            self.stranger.close()
            shutil.rmtree(self.folder)

    def finish(self) -> None:
        self.judge(len(self.sheets), self.stranger)
        assert self.device.service.store.faults() == []
        path = self.device.path
        view = inspect(str(path), path, trust(None, None))
        assert (view.verdict, view.file_faults) == ("sound", ())


def compare(sheet: Sheet, state: MatchState) -> None:
    """The fold and the score sheet say the same."""
    page, dice, owed = sheet.page, state.rolling, due(state)
    assert state.seq == sheet.seq
    assert GAME.position(state.position) == page.position
    assert whole(page.position)
    assert GAME.thrown(state.position) == page.dice
    assert GAME.surface(state.position).last == page.touched
    assert (state.phase.value, state.turn, state.result) == (sheet.phase, sheet.turn, sheet.result)
    assert (owed.step.value, owed.whose) == sheet.due
    assert dice.number == sheet.number
    assert (dice.commitments, dice.coming) == (sheet.commitments, sheet.coming)
    assert dice.published == sheet.used
    assert (dice.flight and astuple(dice.flight)) == sheet.flight
    assert awaited(state) == sheet.awaited
    assert [astuple(roll) for roll in dice.rolls] == [*sheet.rolls]
    assert [astuple(each) for each in dice.unopened] == [*sheet.unopened]
    for waiting, noted in ((dice.recorded, sheet.recorded), (dice.voiding, sheet.voiding)):
        told = waiting and (waiting.event, waiting.hash, astuple(waiting.roll), waiting.confirmer)
        assert told == noted
    assert state.line() == {*page.trail}
    assert state.superseded() == sheet.struck
    assert [astuple(offer) for offer in state.offers] == [*sheet.offers]
    assert (state.accepted, state.countersigned) == (sheet.accepted, sheet.signed)
    assert state.result_event == sheet.closed


# -- the runs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", MIXTURES)
def test_whole_matches_by_random_play(dice: str) -> None:
    SEEN.clear()
    health = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    how = settings(max_examples=12, stateful_step_count=32, suppress_health_check=health)
    machine = type("Matches", (Matches,), {"mixtures": MIXTURES[dice]})
    run_state_machine_as_test(machine, settings=how)
    assert sum(SEEN[name] for name in RULESETS) >= 7, "so many matches were opened"
    assert SEEN["move"] > 20
    assert SEEN["roll.opened"] + SEEN["roll.recorded"] > 20
    assert SEEN["keep"] + SEEN["rethrow"] > 3
    assert sum(count for what, count in SEEN.items() if what.startswith("refused")) > 100
    assert sum(what.startswith("foul") for what in SEEN) >= 8
    assert SEEN["one byte"] >= 7


@pytest.mark.parametrize(
    ("ruleset", "keyed", "dice", "seed"),
    [
        ("tabula", SEATS, made_by(*SEATS), 13),
        ("tabula-open", BLACK, Physical(confirm=True), 17),
        ("tabula-bgammon", WHITE, made_by("white", "arbiter"), 24),
    ],
)
def test_a_whole_match_to_its_end(
    ruleset: str, keyed: Sequence[str], dice: CommitReveal | Physical, seed: int
) -> None:
    """Careful players, and everything looked at after every tenth event."""
    match = Matches()
    try:
        match.draw(seed)
        match.begin(ruleset, keyed, dice, takebacks=False)
        while match.sheet.phase != "ended":
            match.draw(seed)
            match.go_on(10, "careful")
            match.fouls_are_refused()
            match.judge(len(match.sheets), match.stranger)
        assert match.sheet.result is not None
        assert match.sheet.result.how == "borne_off"
        while (last := match.hand.owed()) is not None:
            assert match.attempt(last)
    finally:
        match.teardown()

"""One match, kept by a server while a command works on its copy here.

Nothing is signed on a board that the user cannot have seen; what is signed is stored here before
it is sent, and the same bytes are sent again until the server has them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ledger.errors import Ambiguous, NotAllowed, NotFound, Refused, Stale, TabellionError
from ledger.remote import course
from ledger.remote.line import Unreachable

if TYPE_CHECKING:
    from ledger.envelope import Envelope
    from ledger.exchange import TakenIn
    from ledger.remote.server import Server
    from ledger.service import Service
    from ledger.views import ImportView


class Live:
    """One server, and the match of one command."""

    def __init__(self, server: Server, ledger: str | None) -> None:
        self.server = server
        self.ledger = ledger
        self.match = ""
        self.here = ""
        """The match that is meant on this device, "" where none is."""
        self.known = -1
        """The last event that the server is known to have, as it stands here."""
        self.before: int | None = None
        """The last event here before the command itself began; ``None``: it has not."""
        self.late = ""
        """Why what was signed has not arrived."""

    # -- before ----------------------------------------------------------------------------

    def begin(self, named: str | None, command: str, *, reading: bool) -> str | None:
        """Bring the match that ``named`` means up to date, and send what waits. Returns its id
        where ``named`` means another one here, or none."""
        from cli.desk import service
        from cli.output import aside

        with service(self.ledger, create=True) as opened:
            try:
                brought = self._find(opened, named)
            except (Unreachable, NotFound) as error:
                if not (reading and self.here):
                    raise self._nothing_done(error, reading=reading) from None
                aside(f"note: not live. {error.message} This is the copy here.", hang=2)
                self.match = self.here
                return None
            self.before = opened.state(self.match).seq
            try:
                self._send_earlier(opened)
            except (Unreachable, Refused, NotAllowed, NotFound) as error:
                if not reading:
                    raise
                aside(f"note: {error.message}", hang=2)
            if not reading and brought is not None:
                self.check_seen(brought, command)
            elif brought is not None and brought.aside:
                _tell(brought, aside)
            return self._renamed(opened, named)

    def _find(self, opened: Service, named: str | None) -> TakenIn | None:
        """The match that is meant, brought up to date: one that is here, or else, where this
        server does not keep that one, one of the server's."""
        from cli.finding import find_match

        with suppress(NotFound, Ambiguous):
            self.match = self.here = find_match(opened, named).match
        if self.here:
            try:
                return self.fetch(opened)
            except NotFound:
                if _is_id(named):
                    raise self._not_there(named) from None
        self.match = self._among(opened, named)
        return self.fetch(opened)

    def _among(self, opened: Service, named: str | None) -> str:
        """The match that ``named`` means among those of the server; of several one that is here."""
        from cli.finding import chosen

        self.match = ""
        lines = self.server.matches().matches
        if not _is_id(named):
            known = set(opened.store.matches())
            with suppress(NotFound, Ambiguous):
                return chosen([line for line in lines if line.match in known], named).match
            try:
                return chosen(lines, named).match
            except NotFound:
                raise self._not_there(named) from None
        found = [line.match for line in lines if line.match.startswith(str(named).lower())]
        if not found:
            raise self._not_there(named)
        if len(found) > 1:
            raise Ambiguous("ambiguous-match", f"{len(found)} matches there begin with {named}.")
        return found[0]

    def _not_there(self, named: str | None) -> NotFound:
        what = f"does not keep the match {named[:70]!a}" if named else "keeps no match yet"
        return NotFound(
            "not-there",
            f"{self.server.address.base} {what}.",
            hint="tabellion list",
        )

    def fetch(self, opened: Service, *, take_over: bool = False) -> TakenIn | None:
        """Take in what is new at the server; ``None``: nothing is."""
        from cli.desk import roles_here

        fetched = course.fetch(self.server, opened, self.match, roles_here, take_over=take_over)
        self.known = fetched.known
        return fetched.brought

    def bring(self, named: str | None, *, take_over: bool = False) -> TakenIn | None:
        """Bring a match in for itself: what import does."""
        from cli.desk import service

        with service(self.ledger, create=True) as opened:
            self.match = self._among(opened, named)
            return self.fetch(opened, take_over=take_over)

    def _send_earlier(self, opened: Service) -> None:
        """Send what an earlier command could not."""
        from cli.output import aside, short
        from ledger import views

        waiting = course.unsent(opened, self.match, self.known)
        if not waiting:
            return
        state = opened.current(self.match)
        told = [views.signed(state, each) for each in waiting]
        try:
            self.known = course.send(self.server, opened, self.match, self.known)
        except Stale:
            raise self._overtaken(opened) from None
        for event in told:
            aside(f"sent now: event {event.seq}  {short(event.hash)}  {event.text}", hang=4)

    def check_seen(self, brought: TakenIn, command: str) -> None:
        """Refuse to sign on a board that the user cannot have seen."""
        from cli.output import aside

        if brought.aside:
            raise self._first_was_another(brought)
        new_here = not brought.common
        if new_here and command == "accept":
            return
        if not new_here:
            _tell(brought, aside)
            if all(map(is_quiet, brought.taken)):
                return
            aside("")
        why = "This match is new here" if new_here else "The match has gone on since you looked"
        raise Stale(
            "gone-on",
            f"{why}: nothing was signed. Look, and type it again if you still mean it.",
            hint=f"tabellion show {self.match[:8]}",
        )

    def _nothing_done(self, error: Unreachable | NotFound, *, reading: bool) -> TabellionError:
        """Why a command goes no further: signing on a copy that may be old is asked for by name."""
        if isinstance(error, NotFound):
            if self.here and not reading:
                error.hint = "to act in the match here, without that server: --server ''"
            return error
        if reading:
            return Unreachable(error.code, f"{error.message} There is no copy here either.")
        return Unreachable(
            error.code,
            f"{error.message} Nothing was signed: the copy here may be old.",
            hint="again later; or with --server '' sign it here now: the next command that "
            "reaches the server sends it",
        )

    def _renamed(self, opened: Service, named: str | None) -> str | None:
        from cli.finding import find_match

        with suppress(Ambiguous, NotFound):
            if find_match(opened, named).match == self.match:
                return None
        return self.match[:12]

    # -- after -----------------------------------------------------------------------------

    def send(self, opened: Service) -> None:
        """Send what the command has signed. It is stored already: a server that cannot be reached
        gets it later, and that is said when the command has told what it did."""
        try:
            self.known = course.send(self.server, opened, self.match, self.known)
            self.late = ""
        except Unreachable as error:
            self.late = error.message
        except Stale:
            raise self._overtaken(opened) from None

    def end(self) -> None:
        """Say what has not arrived. Raises ``Unreachable`` (``not-sent``)."""
        if self.late:
            raise Unreachable(
                "not-sent",
                f"{self.late} What you signed is stored here, and nobody else has it yet: the next "
                "command that reaches the server sends the same bytes. Do not sign it again.",
                hint="tabellion show",
            )

    def _overtaken(self, opened: Service) -> Stale:
        """Somebody else was first: their event is taken in, and what stood in its place here is
        set aside. The error that says so."""
        brought = self.fetch(opened)
        if brought is None or not brought.aside:
            return Stale(
                "stale",
                "The server says that somebody else was first, and shows nothing of it. What you "
                "signed is kept here.",
                hint="tabellion show",
            )
        return self._first_was_another(brought)

    def _first_was_another(self, brought: TakenIn) -> Stale:
        from cli.copies import can_sign_anew
        from cli.output import aside

        _tell(brought, aside)
        aside("")
        anew = any(can_sign_anew(brought.state, each) for each in brought.aside)
        way = "tabellion pending --sign -m" if anew else "tabellion show"
        return Stale(
            "stale",
            "Somebody else was first at the server. What you had signed does not count: it is set "
            "aside here. Look at the match; then sign it anew, or do something else.",
            hint=f"{way} {brought.state.match[:8]}",
        )


def _tell(brought: TakenIn, line: Callable[..., None]) -> None:
    """What came in and what was set aside, a line each."""
    from cli.copies import told
    from cli.output import short

    view: ImportView = told(brought)
    for event in view.events:
        line(f"event {event.seq}  {short(event.hash)}  {event.text}", hang=4)
    for each in view.set_aside:
        line(f"set aside: event {each.seq}  {short(each.hash)}  {each.text}", hang=4)


def _is_id(named: str | None) -> bool:
    from cli.finding import names_a_table

    return bool(named) and not names_a_table(str(named))


def is_quiet(envelope: Envelope) -> bool:
    """Whether an event changes nothing of what a player decides on."""
    from ledger import events

    quiet = (
        *(events.SeatAccepted, events.DiceCommitted, events.Rolled, events.RollOpened),
        *(events.Note, events.Countersigned),
    )
    return isinstance(events.decode(envelope.payload), quiet)

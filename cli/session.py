"""An evening at the table: one match, its board after every event, and questions when due.

The session holds no truth of its own: every line is a command of the tree, run as if it had been
typed alone, and what is shown is read from the ledger anew. It may ask, but only a typed answer
signs anything.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from cli.boundary import complain
from cli.folder import SharedFolder, complain_of_all
from cli.lines import LEAVE, say_help, understood
from cli.questions import Question, questions
from ledger.errors import Refused, TabellionError, Unreadable

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.service import Service

LONGEST: Final = 4096
"""Characters of a line that is looked at."""
LONGEST_NAME: Final = 20
"""Characters of a name in the prompt; a longer one leaves no room to type beside it."""
_YES: Final = ("y", "yes")
_NO: Final = ("n", "no")


class Arrived(Exception):
    """Something was written elsewhere while the user was typing ``text``."""

    def __init__(self, text: str, cursor: int) -> None:
        super().__init__(text)
        self.typed = Typed(text, cursor)


class Typed(NamedTuple):
    """A line that is not finished, and where the cursor stands in it."""

    text: str = ""
    cursor: int = 0


class Reader(Protocol):
    """Where lines come from: a terminal or a pipe."""

    patient: bool
    """Whether a mistake leaves time for another line: a person, not a pipe."""

    def remember(self, line: str) -> None:
        """Keep a line that was understood for the arrow keys."""
        ...

    def read(self, prompt: str, typed: Typed, changed: Callable[[], bool], *, fresh: bool) -> str:
        """The next line, begun with ``typed``; ``fresh``: what was typed before this prompt was
        seen does not count.

        Raises ``EOFError`` at the end, ``KeyboardInterrupt`` when the line is given up, and
        ``Arrived`` when ``changed`` says so meanwhile.
        """
        ...


class Session:
    """One match at one table."""

    def __init__(
        self, match: str, ledger: str | None, folder: SharedFolder | None, *, flip: bool
    ) -> None:
        self.match = match
        self.ledger = ledger
        self.folder = folder
        self.flip = flip
        self.known: MatchState | None = None
        """The match as it was last shown."""
        self.explained = False
        """Whether the signs on the board were explained."""
        self.refused: set[tuple[str, tuple[str, ...]]] = set()
        """Questions that were answered with no."""

    def run(self, reader: Reader) -> int:
        """Read lines until the user leaves; returns the exit status."""
        typed, asked = Typed(), None
        while True:
            try:
                self._look_again()
                before, asked = asked, self.question()
                fresh = asked is not None and asked != before
                if fresh or _is_answer(typed.text):
                    typed = Typed()  # an answer belongs to the question that was read before it
                if asked is not None:
                    _say_about(asked, fresh)
                line = reader.read(self.prompt(asked), typed, self.changed, fresh=fresh)
            except Arrived as arrived:
                typed = arrived.typed
                continue
            except KeyboardInterrupt:
                typed = Typed()
                continue
            except EOFError:
                return 0
            typed = Typed()
            if line.strip() in LEAVE:
                return 0
            if reader.patient and line.strip() and self.moved_on():
                _say_gone_on()
                typed = Typed(line, len(line))  # written for a board that is gone: look first
                continue
            if self.folder is not None:
                self.folder.another_try()
            status = self.answer(asked, line, reader)
            if status and not reader.patient:
                return status
            if not status:
                reader.remember(line)

    def _look_again(self) -> None:
        """Look; what cannot be read just now (another program holds the ledger) is said."""
        try:
            self.look()
        except TabellionError as error:
            complain(error)
            if self.known is None:
                raise EOFError from error

    # -- looking ---------------------------------------------------------------------------

    def look(self) -> None:
        """Take in what others have written, lay down what was written here, show what is new."""
        from cli.desk import service, shown

        self.collect()
        with service(self.ledger, write=False) as opened:
            state = opened.state(self.match)
            if self.folder is not None:
                self._publish(self.folder, opened, state)
        if self.known is None or state.head != self.known.head:
            same = self.known is not None and _same_board(self.known, state)
            self.known = state
            shown(state)
            self.show(board=not same)

    def _publish(self, folder: SharedFolder, opened: Service, state: MatchState) -> None:
        try:
            folder.publish(opened, state, sorted(self.here(state)))
        except TabellionError as error:
            error.message += " What was done is kept here, and goes there once that is possible."
            complain(error)

    def collect(self) -> None:
        """Take in the copies that others have laid into the shared folder."""
        if self.folder is None or not self.folder.changed():
            return
        from cli.copies import bring_in, remedy, say_imported, told
        from cli.desk import service
        from cli.output import say

        faults: list[TabellionError] = []
        for copy in self.folder.copies(faults.append):
            if copy[0].hash != self.match:
                continue
            try:
                with service(self.ledger) as opened:
                    brought = bring_in(opened, copy)
            except TabellionError as error:
                faults.append(error)
                self.folder.again(error)
                continue
            self.folder.holds(brought.state, copy)
            if brought.taken or brought.aside:
                say_imported(told(brought))
                if way := remedy(brought):
                    say(f"To come together again: {way}.", hang=2)
        complain_of_all(faults)

    def changed(self) -> bool:
        """Whether anything was written elsewhere since the match was last shown. Never fails."""
        if self.folder is not None and self.folder.changed():
            return True
        try:
            return self.known is not None and self._head() not in (None, self.known.head)
        except (TabellionError, OSError):
            return False

    def _head(self) -> str | None:
        """The hash of the last event that is stored."""
        from cli.desk import service

        with service(self.ledger, write=False) as opened:
            found = opened.store.head(self.match)
        return found[1] if found else None

    def moved_on(self) -> bool:
        """Whether the match is further than what was last shown."""
        try:
            self.collect()
            return self.known is None or self._head() != self.known.head
        except TabellionError:
            return False  # the command will say what is wrong

    def show(self, *, board: bool = True) -> None:
        """The board (unless it is as it was shown), what the table should know, and what the match
        waits for."""
        from cli.board import show_board
        from cli.output import Styled, capitalised, say, sentence
        from ledger import views

        if self.known is None:
            return
        view = views.show(self.known)
        if board:
            say()
            show_board(view.board, dice=view.dice, flip=self.flip, explain=not self.explained)
            self.explained = True
        if view.last_action:
            say(f"event {view.seq}, last move: {view.last_action}")
        if view.news:
            say(capitalised(sentence(view.news)), hang=2)
        for remark in view.remarks:
            say(remark, hang=2)
        say(Styled(view.next, "bold"), hang=2)
        if view.phase == "closed" and not self.known.unsigned:
            say("The record, for anybody to verify: export --output match.json", hang=2)

    @property
    def unfinished(self) -> bool:
        from ledger.fold import Phase

        state = self.known
        return state is None or state.phase is not Phase.CLOSED or bool(state.unsigned)

    # -- asking ----------------------------------------------------------------------------

    def here(self, state: MatchState) -> dict[str, str]:
        """The roles whose keys can sign on this device."""
        from cli.desk import roles_here

        return roles_here(state)

    def question(self) -> Question | None:
        """What could be done here now, unless the user has said no to it."""
        if self.known is None:
            return None
        state, here = self.known, self.here(self.known)
        try:
            asked = list(questions(state, here, self.ledger))
        except TabellionError as error:
            complain(error)
            return None
        return next((each for each in asked if self._subject(each) not in self.refused), None)

    def _subject(self, asked: Question) -> tuple[str, tuple[str, ...]]:
        """What a no to this question is about: it is asked again when that has changed."""
        head = self.known.head if self.known else ""
        return asked.once or head, asked.yes

    def prompt(self, asked: Question | None) -> str:
        """Whose turn it is, or the question that waits for an answer."""
        if asked is not None:
            return f"{asked.text} [y/n] " if _fits(asked.text) else "[y/n] "
        state = self.known
        if state is None or state.turn is None:
            return "tabellion> "
        from ledger.fold.due import due, signing

        seat = (due(state).whose or (state.turn,))[0]
        name = state.roster[seat].name
        who = f"{name} ({seat})" if len(name) <= LONGEST_NAME else seat
        return f"{who}> " if signing(state, seat) in self.here(state) else f"waiting for {who}> "

    def answer(self, asked: Question | None, line: str, reader: Reader) -> int:
        """Do what was typed. An answer to a question runs its command."""
        word = line.strip().lower()
        if asked is not None and self.known is not None and _is_answer(word):
            command = asked.yes if word in _YES else asked.no
            if word in _NO:
                self.refused.add(self._subject(asked))
            return self.command(list(command), reader) if command else 0
        line = line.strip()
        if len(line) > LONGEST or not line.isprintable():
            return complain(
                Unreadable("bad-line", f"A line has {LONGEST} printable characters at most.")
            )
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            return complain(Unreadable("bad-line", "A quotation mark is missing its other half."))
        return self.command(words, reader)

    # -- doing -----------------------------------------------------------------------------

    def command(self, words: list[str], reader: Reader) -> int:
        """Run one command, with or without the program's name before it."""
        if words[:1] == ["tabellion"]:
            del words[0]
        match words:
            case []:
                return 0
            case ["flip"]:
                self.flip = not self.flip
                self.show()
                return 0
            case ["board"]:
                self.explained = False
                self.show()
                return 0
            case ["lock"]:
                from cli.desk import lock
                from cli.output import say

                lock()
                say("Keys are locked again; the next signature asks for the passphrase.")
                return 0
            case ["help" | "?"]:
                say_help(self.known)
                return 0
            case ["play", *_]:
                return complain(Refused("in-session", "You are at the table already."))
        return self._run(words, reader)

    def _run(self, words: list[str], reader: Reader) -> int:
        from cli.app import build

        try:
            words = understood(words, self.known, may_ask=reader.patient)
        except TabellionError as error:
            return complain(error)
        return build(words)(args=words, standalone_mode=False) or 0


def _same_board(before: MatchState, after: MatchState) -> bool:
    """Whether only dice have been committed to, thrown or opened since, and lie as before."""
    from ledger.events import DiceCommitted, Rolled, RollOpened, SeatAccepted

    new = (entry.event for entry in after.entries[before.seq + 1 :])
    of_a_roll = DiceCommitted | Rolled | RollOpened | SeatAccepted
    return before.position == after.position and all(isinstance(each, of_a_roll) for each in new)


def _say_gone_on() -> None:
    from cli.output import say

    say("The match has gone on; nothing was signed. Look, and type Enter if you still mean it.")


def _say_about(asked: Question, fresh: bool) -> None:
    """What is to be read before a question; the question itself where it leaves no room."""
    from cli.output import say

    for line in asked.about if fresh else ():
        say(line, hang=4)
    if not _fits(asked.text):
        say(asked.text, hang=2)


def _fits(question: str) -> bool:
    """Whether an answer can be typed beside a question."""
    from cli.output import cells, width

    return cells(question) + len(" [y/n] yes") <= (width() or 80)


def _is_answer(text: str) -> bool:
    return text.strip().lower() in (*_YES, *_NO)

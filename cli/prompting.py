"""The line that is typed at the table: history, editing, completion. prompt_toolkit lives here,
and is loaded only for a session on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cli.session import Arrived, Typed

if TYPE_CHECKING:
    from prompt_toolkit.history import History
    from prompt_toolkit.input import Input

EVERY: Final = 0.5
"""Seconds between two looks at what others have written."""


class Terminal:
    """Lines from somebody who can see what went wrong and try again."""

    patient = True

    def __init__(self, history: Path) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import ThreadedCompleter

        self._session: PromptSession[str] = PromptSession(
            history=_history(history),
            completer=ThreadedCompleter(_completer()),
            complete_while_typing=False,
        )

    def remember(self, line: str) -> None:
        keep = getattr(self._session.history, "keep", None)
        with suppress(OSError):
            if keep is not None and line.strip():
                keep(line)

    def read(self, prompt: str, typed: Typed, changed: Callable[[], bool], *, fresh: bool) -> str:
        from asyncio import sleep

        from prompt_toolkit.application import get_app

        async def watch() -> None:
            while True:
                await sleep(EVERY)
                if changed():
                    app.erase_when_done = True
                    buffer = self._session.default_buffer
                    app.exit(exception=Arrived(buffer.text, buffer.cursor_position))
                    return

        def begin() -> None:
            self._session.default_buffer.cursor_position = typed.cursor
            get_app().create_background_task(watch())

        app = self._session.app
        app.erase_when_done = False
        if fresh:
            _forget_typed(app.input)
        return self._session.prompt(prompt, default=typed.text, pre_run=begin)


class Pipe:
    """Lines from a file or another program: the first mistake ends them."""

    patient = False

    def remember(self, line: str) -> None:
        """Nobody presses an arrow key."""

    def read(
        self,
        prompt: str,  # noqa: ARG002  (nobody sees it)
        typed: Typed,  # noqa: ARG002
        changed: Callable[[], bool],  # noqa: ARG002
        *,
        fresh: bool,  # noqa: ARG002
    ) -> str:
        from cli.output import say

        line = sys.stdin.readline()
        if not line:
            raise EOFError
        say(f"> {line.rstrip()}")
        return line


def _forget_typed(source: Input) -> None:
    """Drop what was typed ahead: it cannot answer a question that nobody had read."""
    from prompt_toolkit.input.typeahead import clear_typeahead

    clear_typeahead(source)
    with suppress(ImportError, OSError, ValueError):
        import termios

        termios.tcflush(source.fileno(), termios.TCIFLUSH)


def ask(question: str) -> str:
    """One answer at the terminal. Raises ``EOFError`` when there is none."""
    from prompt_toolkit import prompt

    return prompt(question).strip()


def _history(file: Path) -> History:
    """Lines of earlier evenings; those of this one alone where they cannot be kept. A line is kept
    in the file only once it was understood: a passphrase typed at the wrong prompt is not."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    class Understood(FileHistory):
        def store_string(self, string: str) -> None:
            pass

        def keep(self, string: str) -> None:
            super().store_string(string)

    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError:
        return InMemoryHistory()
    return Understood(str(file))


def _completer() -> Any:
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class AtTheTable(Completer):
        """Moves and commands first; then whatever fits in the place of a command."""

        def get_completions(self, document: Document, _event: object) -> Iterator[Completion]:
            text = document.text_before_cursor
            unfinished = text.rpartition(" ")[2]
            with suppress(Exception):  # Tab never complains
                for word, about in _proposals(text):
                    yield Completion(word, start_position=-len(unfinished), display_meta=about)

    return AtTheTable()


def _proposals(text: str) -> list[tuple[str, str]]:
    import shlex

    from cli.app import names
    from cli.shells import proposals

    *words, unfinished = [*shlex.split(text.rpartition(" ")[0]), text.rpartition(" ")[2]]
    found: list[tuple[str, str]] = []
    if not words or words[0] not in names():
        found += proposals(["move", *words], unfinished)
    if not words or words[0] in names():
        found += proposals(words, unfinished)
    return [(word, about) for word, about in found if word != "FILE"]

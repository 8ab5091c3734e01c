"""The arbiter's key where a signature may take its time: ssh-agent can ask a person first.

The clerk's thread never waits for it: the hall would stand still meanwhile. An act that is to be
signed is given up at that moment, before anything is stored (``Unsigned``). Its bytes are signed in
a thread of their own, and the whole act is done again, at the same time by the clock: then its
bytes are the same, and the signature is there. Where the match went on meanwhile, the act is
refused as every act that comes too late, or asked for anew.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ledger.errors import NotAllowed, TabellionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.publickey import PublicKey
    from ledger.service import Signer

PATIENCE: Final = 60.0
"""Seconds that a person has to confirm a signature. Whoever waits for it waits no longer."""
SOON: Final = 1.0
"""Seconds after which it is said that somebody is waited for."""

Signed = bytes | TabellionError
"""What became of a question: a signature, or why there is none."""


class Unsigned(Exception):
    """A signature that has to be asked for. Nobody's error, so nothing on the way refuses it."""

    def __init__(self, pen: Pen, message: bytes) -> None:
        super().__init__(pen.public.fingerprint)
        self.pen = pen
        self.message = message


class Pen:
    """A key whose signatures are asked for before they are needed."""

    def __init__(
        self,
        signer: Signer,
        say: Callable[[str], None] = lambda _: None,
        patience: float = PATIENCE,
    ) -> None:
        self.signer = signer
        self.say = say
        self.patience = patience
        self.known: dict[bytes, Signed] = {}
        """What was asked for the act that is done now; only in the clerk's thread."""

    @property
    def public(self) -> PublicKey:
        return self.signer.public

    def sign(self, message: bytes) -> bytes:
        """The signature that was asked for. Raises ``Unsigned``, or what stood in its way."""
        found = self.known.get(message)
        if found is None:
            raise Unsigned(self, message)
        if isinstance(found, TabellionError):
            raise found
        return found

    async def ask(self, message: bytes) -> Signed:
        """Have it signed, elsewhere than in this thread; never raises."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Signed] = loop.create_future()

        def settle(found: Signed) -> None:
            if not answer.done():
                answer.set_result(found)

        def wait() -> None:
            found: Signed
            try:
                found = self.signer.sign(message)
            except TabellionError as error:
                found = error
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(settle, found)

        threading.Thread(target=wait, name="pen", daemon=True).start()
        said = loop.call_later(SOON, self.say, "ssh-agent waits until the arbiter confirms.")
        try:
            async with asyncio.timeout(self.patience):
                return await answer
        except TimeoutError:
            return NotAllowed(
                "not-confirmed",
                f"ssh-agent did not sign within {self.patience:g} s: nobody confirmed it. Nothing "
                "was stored.",
                hint="confirm what ssh-agent asks, then do it again",
            )
        finally:
            said.cancel()

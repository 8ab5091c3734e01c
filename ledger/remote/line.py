"""One question to a server and its answer, by HTTP/1.1.

The other side may be anybody. Redirects are not followed, proxies not asked. An answer has a
largest size and a last moment: then the connection is cut, whatever it is doing. Where the address
names a certificate, it is compared before the first byte of the question leaves.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from threading import Timer
from typing import Final

from ledger.errors import NotAllowed, Refused, Unreadable
from ledger.remote.address import Address, pairs

CONNECT: Final = 5.0
"""Seconds until a server that does not answer the door is given up."""
PATIENCE: Final = 20.0
"""Seconds for a whole question and answer."""
_PIECE: Final = 64 * 1024


class Unreachable(Unreadable):
    """The server could not be asked, or did not answer: what is here is all that is known."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said."""

    status: int
    kind: str
    """Its content type, without parameters."""
    body: bytes
    retry_after: str


class _Pinned(http.client.HTTPSConnection):
    """A connection to the one certificate that the address names, whoever signed it."""

    def __init__(self, address: Address, context: ssl.SSLContext) -> None:
        super().__init__(address.host, address.port, timeout=CONNECT, context=context)
        self.address = address

    def connect(self) -> None:
        super().connect()
        shown = sha256(self.sock.getpeercert(binary_form=True) or b"").digest()
        if not compare_digest(shown, self.address.certificate or b""):
            self.close()
            raise Refused(
                "other-certificate",
                f"{self.address.base} shows another certificate than the address names: "
                f"{pairs(shown)}. It is another server, or it has a new certificate. Nothing was "
                "sent.",
                hint="compare with the join sheet, or ask the arbiter",
            )


def ask(
    address: Address,
    method: str,
    path: str,
    body: bytes | None = None,
    *,
    largest: int,
    patience: float = PATIENCE,
) -> Answer:
    """One question. Raises ``Unreachable``, ``Refused`` for a certificate or an answer that is
    not what was asked for."""
    headers = {"Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    with connected(address, patience) as connection:
        connection.request(method, path, body, headers)
        with connection.getresponse() as response:
            return Answer(
                response.status,
                kind_of(response),
                _bounded(response, address, largest),
                response.headers.get("Retry-After", ""),
            )


@contextmanager
def connected(
    address: Address, patience: float | None = PATIENCE, *, quiet: float = PATIENCE
) -> Iterator[http.client.HTTPConnection]:
    """A connection, cut after ``patience`` seconds if that is said, and after ``quiet`` ones
    without a byte. What the net does wrong becomes our error."""
    connection = _connection(address)
    cut = Cut(connection, patience)
    try:
        connection.connect()
        connection.sock.settimeout(quiet)
        yield connection
        if cut.done:
            raise TimeoutError
    except ssl.SSLCertVerificationError as error:
        raise _not_known(address, error) from None
    except (OSError, http.client.HTTPException) as error:
        why = _why(TimeoutError() if cut.done else error)
        raise Unreachable(
            "server-unreachable", f"{address.base} cannot be reached: {why}."
        ) from None
    finally:
        cut.cancel()
        connection.close()


class Cut:
    """The last moment of a connection: it is ended under whoever reads from it."""

    def __init__(self, connection: http.client.HTTPConnection, patience: float | None) -> None:
        self.connection = connection
        self.done = False
        self._timer = None if patience is None else Timer(patience, self._end)
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _end(self) -> None:
        self.done = True
        with suppress(OSError, AttributeError):  # no socket yet: connecting has its own limit
            self.connection.sock.shutdown(socket.SHUT_RDWR)


def kind_of(response: http.client.HTTPResponse) -> str:
    """The content type, without parameters."""
    return response.headers.get_content_type()


def _connection(address: Address) -> http.client.HTTPConnection:
    if not address.secure:
        return http.client.HTTPConnection(address.host, address.port, timeout=CONNECT)
    context = ssl.create_default_context()
    if address.certificate is None:
        return http.client.HTTPSConnection(
            address.host, address.port, timeout=CONNECT, context=context
        )
    return _Pinned(address, _any_certificate(context))


def _any_certificate(context: ssl.SSLContext) -> ssl.SSLContext:
    """A context that takes every certificate: it is compared by its fingerprint, or shown."""
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _bounded(response: http.client.HTTPResponse, address: Address, largest: int) -> bytes:
    pieces, size = [], 0
    while piece := response.read1(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > largest:
            raise Refused(
                "answer-too-large",
                f"{address.base} answers with more than {largest} bytes: that is no answer.",
            )
    if response.length:
        raise http.client.IncompleteRead(b"")
    return b"".join(pieces)


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it does not answer in time"
    if isinstance(error, http.client.HTTPException):
        return "it does not answer as a web server does"
    if isinstance(error, ssl.SSLError):
        return "it does not speak https"
    text = error.strerror if isinstance(error, OSError) else ""
    return (text or "the connection broke off").rstrip(".")


def _not_known(address: Address, error: ssl.SSLCertVerificationError) -> NotAllowed:
    """The error for a certificate that nobody vouches for, with what is to be compared."""
    try:
        shown = pairs(_certificate(address))
    except (OSError, ValueError):
        shown = ""
    known = f" Its fingerprint is {shown} ." if shown else ""
    return NotAllowed(
        "unknown-certificate",
        f"{address.base} shows a certificate that nobody vouches for ({error.verify_message})."
        f"{known} A server at a table makes its own: compare the fingerprint with the join sheet. "
        "Nothing was sent.",
        hint=f"if it is the same: --server '{address.base}#SHA256={shown}'" if shown else "",
    )


def _certificate(address: Address) -> bytes:
    """The fingerprint of the certificate that a server shows."""
    context = _any_certificate(ssl.create_default_context())
    with (
        socket.create_connection((address.host, address.port), CONNECT) as plain,
        context.wrap_socket(plain, server_hostname=address.host) as wrapped,
    ):
        return sha256(wrapped.getpeercert(binary_form=True) or b"").digest()

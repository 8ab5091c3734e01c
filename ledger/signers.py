"""Whom a reader trusts: OpenSSH's `allowed_signers` text, the file of `audit --signers`.

One line a key: ``principals [options] ssh-ed25519 BASE64 [comment]`` (ssh-keygen(1), "ALLOWED
SIGNERS"). A line that cannot vouch for a key here (another key type, a certificate authority, a
namespace for something else) is set aside with the reason; a line that cannot be read is an error
that names it. The text is given, never fetched here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ledger.errors import Unreadable
from ledger.publickey import PublicKey

NAMESPACE = "tabellion"
"""What a line restricted by ``namespaces="…"`` must name to count here."""

_PRINCIPALS = re.compile(r'"(?P<quoted>[^"]*)"[ \t]+|(?P<plain>[^ \t"]\S*)[ \t]+')
_OPTION = re.compile(
    r'(?P<name>cert-authority)|(?P<key>namespaces|valid-after|valid-before)="(?P<value>(?:\\"|[^"])*+)"',
    re.IGNORECASE,
)
_KEY_TYPES = ("ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-")
_TIME = re.compile(r"[0-9]{8}(?:[0-9]{4}(?:[0-9]{2})?)?Z?")


@dataclass(frozen=True, slots=True)
class Signer:
    """One trusted key, and the names it may go by.

    ``valid_after`` and ``valid_before`` are as written (``YYYYMMDD[HHMM[SS]][Z]``) or empty. They
    are not judged here: an event's time is only its signer's word.
    """

    principals: tuple[str, ...]
    key: PublicKey
    valid_after: str = ""
    valid_before: str = ""

    def named(self, name: str) -> bool:
        """Whether the principals allow this name: ``*`` and ``?`` match, ``!`` excludes."""
        return _in_list(name, self.principals)


@dataclass(frozen=True, slots=True)
class AllowedSigners:
    """The keys of a file in its order, and one sentence for each line set aside."""

    signers: tuple[Signer, ...]
    skipped: tuple[str, ...]

    def of(self, key: PublicKey) -> tuple[Signer, ...]:
        """Every line that gives this key."""
        return tuple(signer for signer in self.signers if signer.key == key)


def parse_signers(text: str) -> AllowedSigners:
    """Read the whole text; `Unreadable` names the first line that makes no sense."""
    signers: list[Signer] = []
    skipped: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = line.strip(" \t\r")
        if not line or line.startswith("#"):
            continue
        try:
            found = _signer(line)
        except Unreadable as error:
            message = f"Line {number}: {error.message}"
            if error.code != "key-type":
                raise Unreadable(error.code, message, hint=error.hint) from None
            skipped.append(message)
            continue
        if isinstance(found, Signer):
            signers.append(found)
        else:
            skipped.append(f"Line {number}: {found}")
    return AllowedSigners(tuple(signers), tuple(skipped))


def _signer(line: str) -> Signer | str:
    """The signer of one line, or why the line does not count."""
    if "PRIVATE KEY" in line:
        PublicKey.parse(line)  # says so, in the words used everywhere
    if not line.replace("\t", " ").isprintable():
        raise Unreadable("signers-unreadable", "There are control characters in it.")
    names = _PRINCIPALS.match(line)
    if names is None:
        raise Unreadable("signers-unreadable", "Write a name, then the key.")
    if (names["plain"] or "").startswith(_KEY_TYPES):
        raise Unreadable("signers-unreadable", "There is no name in front of the key.")
    principals = tuple((names["quoted"] or names["plain"] or "").split(","))
    if not all(principals):
        raise Unreadable("signers-unreadable", "A name is empty.")
    options, rest = _options(line[names.end() :].lstrip(" \t"))
    for when in ("valid-after", "valid-before"):
        if when in options and not _TIME.fullmatch(options[when]):
            raise Unreadable("signers-unreadable", f"{when} is not a date like 20261129.")
    if "cert-authority" in options:
        return "a certificate authority; only keys themselves are trusted here."
    if "namespaces" in options and not _in_list(NAMESPACE, options["namespaces"].split(",")):
        return f"its namespaces do not include {NAMESPACE}."
    key = PublicKey.parse(rest)
    return Signer(principals, key, options.get("valid-after", ""), options.get("valid-before", ""))


def _options(text: str) -> tuple[dict[str, str], str]:
    """The options at the front of the text, names in lower case, and what follows them."""
    options: dict[str, str] = {}
    rest = text
    while option := _OPTION.match(rest):
        name = (option["name"] or option["key"]).lower()
        if name in options:
            raise Unreadable("signers-unreadable", f"{name} is given twice.")
        options[name] = (option["value"] or "").replace('\\"', '"')
        rest = rest[option.end() :]
        if rest.startswith((" ", "\t")):
            return options, rest.lstrip(" \t")
        if not rest.startswith(","):
            break
        rest = rest[1:]
    if options or re.match(r"[A-Za-z-]+=", rest):
        raise Unreadable(
            "signers-unreadable",
            "The options cannot be read.",
            hint='known are cert-authority, namespaces="…", valid-after="…", valid-before="…"',
        )
    return options, rest


def _in_list(name: str, patterns: tuple[str, ...] | list[str]) -> bool:
    """OpenSSH's pattern list: some pattern matches and none with ``!`` does (ssh_config(5))."""
    if any(_matches(name, p[1:]) for p in patterns if p.startswith("!")):
        return False
    return any(_matches(name, p) for p in patterns if not p.startswith("!"))


def _matches(name: str, pattern: str) -> bool:
    """``*`` stands for anything, ``?`` for one character; never slower than length × length."""
    at = then = 0
    star, retry = -1, 0
    while at < len(name):
        if then < len(pattern) and pattern[then] == "*":
            star, retry = then, at
            then += 1
        elif then < len(pattern) and pattern[then] in ("?", name[at]):
            at, then = at + 1, then + 1
        elif star >= 0:
            retry += 1
            at, then = retry, star + 1
        else:
            return False
    return not pattern[then:].strip("*")

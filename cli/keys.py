"""Keys: ``key new``, ``key import``, ``key list``, ``key show``, ``key export``.

A private half is never printed, sent or written anywhere but into the folder of keys.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Optional

import typer

from cli.boundary import Group
from cli.options import JsonOption, KeyArgument, PassphraseOption, example
from cli.typed import words

if TYPE_CHECKING:
    from ledger.keys import KeyEntry, PrivateFile
    from ledger.publickey import PublicKey
    from ledger.views import KeyView

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The key's name on this device.")]
_EXCLUSIVE = "A key has a passphrase or none: --passphrase-file FILE, or --no-passphrase."

UnencryptedOption = Annotated[
    bool, typer.Option("--no-passphrase", help="Keep the key unencrypted.")
]


def register(root: typer.Typer) -> None:
    group = typer.Typer(
        help="Keys: new, import, list, show, export.",
        epilog=example("tabellion key new alba"),
        cls=Group,
        rich_markup_mode=None,
    )
    group.command("new", epilog=example("tabellion key new alba"))(new)
    group.command("import", epilog=example("tabellion key import .ssh/id_ed25519 alba"))(import_key)
    group.command("list", epilog=example("tabellion key list"))(list_keys)
    group.command("show", epilog=example("tabellion key show alba"))(show)
    group.command("export", epilog=example("tabellion key export alba --output alba.pub"))(export)
    root.add_typer(group, name="key")


def new(
    name: NameArgument,
    no_passphrase: UnencryptedOption = False,
    passphrase_file: PassphraseOption = None,
    json: JsonOption = False,
) -> None:
    """Make a key, encrypted with your passphrase.

    It stays on this device. Give the line that begins with ssh-ed25519 to the arbiter.
    """
    from cli.desk import keyring
    from ledger.errors import Unreadable
    from ledger.keys import fresh_seed

    if no_passphrase and passphrase_file:
        raise Unreadable("usage", _EXCLUSIVE)
    ring = keyring()
    ring.check_new(name)
    passphrase = None if no_passphrase else _new_passphrase(passphrase_file)
    ring.create(name, passphrase, fresh_seed())
    _tell(ring.find(name), json, "made")


def _new_passphrase(file: str | None, ask: str = "Choose a passphrase: ") -> bytes:
    from cli.desk import ask_passphrase, passphrase_from
    from ledger.errors import NotAllowed

    if file:
        return passphrase_from(file)
    nobody = NotAllowed(
        "passphrase-needed",
        "Nobody is there to choose a passphrase. No key was stored.",
        hint="--passphrase-file FILE, or --no-passphrase for none",
    )
    first = ask_passphrase(ask, nobody)
    if not first:
        raise NotAllowed(
            "empty-passphrase",
            "An empty passphrase protects nothing. No key was stored.",
            hint="--no-passphrase leaves the key unencrypted",
        )
    if ask_passphrase("Once more: ", nobody) != first:
        raise NotAllowed("passphrases-differ", "The two passphrases differ. No key was stored.")
    return first


def import_key(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A private or public OpenSSH key, a public line, - for a pipe."
        ),
    ],
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[NAME]", help="Its name here; else the file's, or the comment."),
    ] = None,
    no_passphrase: UnencryptedOption = False,
    passphrase_file: PassphraseOption = None,
    json: JsonOption = False,
) -> None:
    """Take in a key that you have, such as ~/.ssh's.

    A private file is copied and the original stays where it is; one without a passphrase is given
    one. A public key alone is enough for a key that ssh-agent holds, and for naming somebody else.
    """
    from cli.desk import keyring
    from ledger.errors import Unreadable
    from ledger.keys import PrivateFile

    if no_passphrase and passphrase_file:
        raise Unreadable("usage", _EXCLUSIVE)
    key, called = _foreign(file)
    name = name or called
    if not name:
        raise Unreadable(
            "key-name", "The key needs a name here.", hint="tabellion key import FILE NAME"
        )
    ring = keyring()
    ring.check_new(name)
    if isinstance(key, PrivateFile) and not key.encrypted:
        ring.add(name, key.public, _kept(key, no_passphrase, passphrase_file))
    elif no_passphrase or passphrase_file:
        what = "is encrypted, and stays so" if isinstance(key, PrivateFile) else "is a public key"
        raise Unreadable(
            "usage",
            f"This {what}: --no-passphrase and --passphrase-file are for a private key without a "
            "passphrase.",
        )
    elif isinstance(key, PrivateFile):
        ring.add(name, key.public, key.data)
    else:
        ring.add(name, key)
    _tell(ring.find(name), json, "imported")


def _foreign(file: str) -> tuple[PrivateFile | PublicKey, str]:
    """The key that is to be imported, and a name for it, if one can be made."""
    import os

    from cli.desk import KEY_FILE, read_input
    from ledger.keys import name_from, read_key
    from ledger.publickey import PublicKey

    if file != "-" and not file.startswith("ssh-ed25519 "):
        path = Path(os.path.expanduser(file))
        return read_key(path), name_from(path.name)
    line = read_input("-", KEY_FILE).decode("utf-8", "replace") if file == "-" else file
    key = PublicKey.parse(line)
    comment = line.split(maxsplit=2)[2:]
    return key, name_from(comment[0].split()[0]) if comment else ""


def _kept(key: PrivateFile, no_passphrase: bool, passphrase_file: str | None) -> bytes:
    """The file of a private key without a passphrase as it will be kept: with one, or as it is."""
    signing = key.unlock(None)  # a damaged one is found now
    if no_passphrase:
        return key.data
    ask = f"{key.name} has no passphrase. Choose one: "
    return signing.openssh(_new_passphrase(passphrase_file, ask))


def list_keys(json: JsonOption = False) -> None:
    """List the keys here with their fingerprints."""
    from cli.desk import keyring
    from cli.output import as_json, aside, on_terminal, padded, say
    from ledger.views import KeysView

    entries = keyring().list()
    if json:
        as_json(KeysView(tuple(_view(entry) for entry in entries)))
        return
    if not entries:
        aside("There is no key yet. Make one: tabellion key new NAME")
    longest = max((len(entry.name) for entry in entries), default=0) if on_terminal() else 0
    for entry in entries:
        view = _view(entry)
        name = padded(view.name, longest)
        say(f"{name}  {view.fingerprint or '-'}  {view.problem or _kept_where(view)}", hang=2)


def show(name: KeyArgument, json: JsonOption = False) -> None:
    """Show a key's public line, for the arbiter."""
    from cli.desk import keyring

    _tell(keyring().find(name), json, "")


def export(
    name: KeyArgument,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - for a pipe.")
    ] = "-",
    signers: Annotated[
        bool, typer.Option("--signers", help="As a line of an allowed_signers file.")
    ] = False,
    person: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--as",
            metavar="NAME",
            parser=words("--as", "Name"),
            help="With --signers: the owner's name, as it stands in matches.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write a key's public line, never the private half.

    With --signers it is a line for the file of keys that you trust: tabellion audit --signers FILE.
    The audit compares the name in it with the one in the match: give it with --as.
    """
    from cli.desk import keyring
    from cli.files import write_whole
    from cli.output import as_bytes, aside
    from ledger.errors import NotAllowed, Unreadable

    if person and not signers:
        raise Unreadable("usage", "--as goes with --signers.")
    entry = keyring().find(name)
    if entry.problem or entry.public is None:
        raise NotAllowed("key-problem", entry.problem, hint="tabellion key list")
    line = f"{entry.public.line} {name}\n"
    data = (f"{_principal(person or name)} {line}" if signers else line).encode()
    if output == "-":
        as_bytes(data)
        return
    write_whole(Path(output), [data], force, usual=f"{name}.pub")
    aside(f"{output}: key {name}, {entry.public.fingerprint}", hang=2)


def _principal(name: str) -> str:
    """A name at the beginning of a line of allowed_signers (ssh-keygen(1)); in quotes if needed."""
    from ledger.errors import Unreadable

    if set(name) & set('",*?!'):
        raise Unreadable("bad-option", f"A signers file has no place for {name[:80]!a}.")
    return f'"{name}"' if " " in name else name


def _tell(entry: KeyEntry, json: bool, verb: str) -> None:
    from cli.output import as_json, say, say_next

    view = _view(entry)
    if json:
        as_json(view)
        return
    told = " ".join(filter(None, ("key", view.name, verb)))
    say(f"{told}  {view.fingerprint or '-'}  {view.problem or _kept_where(view)}")
    if view.public:
        say(view.public)
    if verb and view.held == "nowhere":
        say_next(f"when a match is opened: tabellion open … --seat-key SEAT={view.name}")
    elif verb:
        say_next("give that line to the arbiter, who types: tabellion open --help")


def _view(entry: KeyEntry) -> KeyView:
    from cli.desk import agent_keys
    from ledger.views import KeyView

    held: Literal["agent", "file", "nowhere"] = "nowhere" if entry.encrypted is None else "file"
    if entry.public in agent_keys():
        held = "agent"
    return KeyView(
        name=entry.name,
        public=entry.public.line if entry.public else None,
        fingerprint=entry.public.fingerprint if entry.public else None,
        encrypted=entry.encrypted,
        held=held,
        problem=entry.problem or None,
    )


def _kept_where(view: KeyView) -> str:
    """How the private half is kept, for people."""
    words = {True: "encrypted", False: "not encrypted", None: ""}[view.encrypted]
    agent = "in ssh-agent" if view.held == "agent" else ""
    return ", ".join(filter(None, (words, agent))) or "public half only"

"""Keys: ``key new``, ``key list``, ``key show``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import JsonOption, PassphraseOption

if TYPE_CHECKING:
    from ledger.keys import KeyEntry
    from ledger.views import KeyView

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The key's name on this device.")]


def register(root: typer.Typer) -> None:
    group = typer.Typer(
        help="Keys on this device: make one, list them, show one.",
        epilog="Example: tabellion key new alba",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("new", epilog="Example: tabellion key new alba")(new)
    group.command("list", epilog="Example: tabellion key list")(list_keys)
    group.command("show", epilog="Example: tabellion key show alba")(show)
    root.add_typer(group, name="key")


def new(
    name: NameArgument,
    no_passphrase: Annotated[
        bool, typer.Option("--no-passphrase", help="Keep the key unencrypted.")
    ] = False,
    passphrase_file: PassphraseOption = None,
    json: JsonOption = False,
) -> None:
    """Make a key. It stays on this device, encrypted with a passphrase that you choose."""
    from cli.desk import keyring
    from ledger.errors import Unreadable
    from ledger.keys import fresh_seed

    if no_passphrase and passphrase_file:
        raise Unreadable(
            "which-passphrase", "--no-passphrase and --passphrase-file exclude each other."
        )
    ring = keyring()
    ring.check_new(name)
    passphrase = None if no_passphrase else _new_passphrase(passphrase_file)
    ring.create(name, passphrase, fresh_seed())
    _tell(ring.find(name), json, "made")


def _new_passphrase(file: str | None) -> bytes:
    from cli.desk import passphrase_from
    from ledger.errors import NotAllowed

    if file:
        return passphrase_from(file)
    if not sys.stdin.isatty():
        raise NotAllowed(
            "passphrase-needed",
            "Nobody is there to choose a passphrase.",
            hint="--passphrase-file FILE, or --no-passphrase for none",
        )
    import getpass

    first = getpass.getpass("Choose a passphrase: ")
    if not first:
        raise NotAllowed(
            "empty-passphrase", "An empty passphrase protects nothing.", hint="--no-passphrase"
        )
    if getpass.getpass("Once more: ") != first:
        raise NotAllowed("passphrases-differ", "The two passphrases differ. No key was made.")
    return first.encode()


def list_keys(json: JsonOption = False) -> None:
    """List the keys on this device with their fingerprints."""
    from cli.desk import keyring
    from cli.output import as_json, aside, say
    from ledger.views import KeysView

    entries = keyring().list()
    if json:
        as_json(KeysView(tuple(_view(entry) for entry in entries)))
        return
    if not entries:
        aside("There is no key yet. Make one: tabellion key new NAME")
    for entry in entries:
        view = _view(entry)
        say(f"{view.name}  {view.fingerprint or '-'}  {view.problem or _locked(view)}")


def show(name: NameArgument, json: JsonOption = False) -> None:
    """Show a key's public part: give it to the arbiter before a match is opened."""
    from cli.desk import keyring

    _tell(keyring().find(name), json, "")


def _tell(entry: KeyEntry, json: bool, verb: str) -> None:
    from cli.output import as_json, say

    view = _view(entry)
    if json:
        as_json(view)
        return
    say(f"key {view.name}{f' {verb}' if verb else ''}  {view.fingerprint}  {_locked(view)}")
    say(view.public or "")


def _view(entry: KeyEntry) -> KeyView:
    from ledger.views import KeyView

    return KeyView(
        name=entry.name,
        public=entry.public.line if entry.public else None,
        fingerprint=entry.public.fingerprint if entry.public else None,
        encrypted=entry.encrypted,
        problem=entry.problem or None,
    )


def _locked(view: KeyView) -> str:
    return {True: "encrypted", False: "not encrypted", None: "unknown"}[view.encrypted]

"""Keys: ``key new``, ``key list``, ``key show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.boundary import Group
from cli.options import JsonOption, PassphraseOption, example

if TYPE_CHECKING:
    from ledger.keys import KeyEntry
    from ledger.views import KeyView

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The key's name on this device.")]


def register(root: typer.Typer) -> None:
    group = typer.Typer(
        help="Keys on this device: new, list, show.",
        epilog=example("tabellion key new alba"),
        cls=Group,
        rich_markup_mode=None,
    )
    group.command("new", epilog=example("tabellion key new alba"))(new)
    group.command("list", epilog=example("tabellion key list"))(list_keys)
    group.command("show", epilog=example("tabellion key show alba"))(show)
    root.add_typer(group, name="key")


def new(
    name: NameArgument,
    no_passphrase: Annotated[
        bool, typer.Option("--no-passphrase", help="Keep the key unencrypted.")
    ] = False,
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
        raise Unreadable("usage", "--no-passphrase and --passphrase-file exclude each other.")
    ring = keyring()
    ring.check_new(name)
    passphrase = None if no_passphrase else _new_passphrase(passphrase_file)
    ring.create(name, passphrase, fresh_seed())
    _tell(ring.find(name), json, "made")


def _new_passphrase(file: str | None) -> bytes:
    from cli.desk import ask_passphrase, passphrase_from
    from ledger.errors import NotAllowed

    if file:
        return passphrase_from(file)
    nobody = NotAllowed(
        "passphrase-needed",
        "Nobody is there to choose a passphrase.",
        hint="--passphrase-file FILE, or --no-passphrase for none",
    )
    first = ask_passphrase("Choose a passphrase: ", nobody)
    if not first:
        raise NotAllowed(
            "empty-passphrase", "An empty passphrase protects nothing.", hint="--no-passphrase"
        )
    if ask_passphrase("Once more: ", nobody) != first:
        raise NotAllowed("passphrases-differ", "The two passphrases differ. No key was made.")
    return first


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
        say(f"{name}  {view.fingerprint or '-'}  {view.problem or _locked(view)}", hang=2)


def show(name: NameArgument, json: JsonOption = False) -> None:
    """Show a key's public line, for the arbiter."""
    from cli.desk import keyring

    _tell(keyring().find(name), json, "")


def _tell(entry: KeyEntry, json: bool, verb: str) -> None:
    from cli.output import as_json, aside, say

    view = _view(entry)
    if json:
        as_json(view)
        return
    told = " ".join(filter(None, ("key", view.name, verb)))
    say(f"{told}  {view.fingerprint or '-'}  {view.problem or _locked(view)}")
    if view.public:
        say(view.public)
    if verb:
        aside("next: give that line to the arbiter, who types: tabellion open --help")


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

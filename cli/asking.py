"""Questions before the first move: who plays, by which rules, and how everybody signs.

For people who have never seen the program. Every answer becomes part of an ordinary command; what
is asked here could have been typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from ledger.errors import Refused, TabellionError, Unreadable

if TYPE_CHECKING:
    from cli.folder import SharedFolder
    from ledger.fold import MatchState
    from ledger.views import MatchLine

HERE, ELSEWHERE, SCRIBE = "1", "2", "3"
_NOBODY: Final = "This device"
"""The arbiter of two friends who have none."""


def begin(folder: SharedFolder | None, ledger: str | None) -> str:
    """A match for this table: opened here, or waited for. Gives its id."""
    from cli.output import say

    if folder is not None:
        say("No match is open here. 1: open one. 2: wait for one from the shared folder.")
        if _ask("1 or 2", one_of("1", "2")) == "2":
            return wait(folder, ledger)
    return open_by_questions(folder, ledger)


def choose(lines: Sequence[MatchLine]) -> str:
    """Which of several open matches is to be played. Gives its id."""
    from cli.finding import handles
    from cli.output import say

    names = handles(lines)
    for number, line in enumerate(lines, start=1):
        players = " – ".join(line.seats.values())
        say(f"{number}  {names.get(line.match, line.match[:8])}: {players}", hang=5)
    numbers = [str(number) for number in range(1, len(lines) + 1)]
    return lines[int(_ask("Which match", one_of(*numbers), "1")) - 1].match


# -- a new match ---------------------------------------------------------------------------


def open_by_questions(folder: SharedFolder | None, ledger: str | None) -> str:
    """Ask what a match needs, and open it."""
    from cli.desk import service
    from cli.output import say
    from cli.typed import fit
    from ledger.games import every_game, ruleset

    say("A new match. Enter takes what stands in brackets; Ctrl-D leaves.", hang=2)
    known = {name: rules for game in every_game() for name, rules in game.rulesets.items()}
    for name, rules in known.items():
        say(f"{name:<16} {rules.title}", hang=17)
    say("An option may follow, as tabellion rules NAME has them: NAME OPTION=VALUE.", hang=2)
    name, *options = _ask("Which rules", _rules, next(iter(known))).split()
    game, _ = ruleset(name)
    arguments, taken = [name], list[str]()
    for option in options:
        arguments += ["--option", option]
    for seat in game.seats:
        player = _ask(f"Who plays {game.titles[seat]}", lambda text: fit(text, "The name", "Name"))
        arguments += ["--seat", f"{seat}={player}"]
        key = _seat_key(player, folder, taken)
        if key is not None:
            taken.append(key)
            arguments += ["--seat-key", f"{seat}={key}"]
    say(
        "Somebody keeps the record: opens the match, corrects slips, closes it at the end. That is "
        "the arbiter; two friends without one let this device do it, and both know its passphrase.",
        hang=2,
    )
    arbiter = _ask(
        "Who is the arbiter",
        lambda text: fit(text, "The name", "Name"),
        _NOBODY,
    )
    key = _key_here(arbiter, taken)
    arguments += ["--arbiter", arbiter, "--key", key]
    if game.dice:
        arguments += ["--dice", _dice(len(taken), len(game.seats))]
    arguments += _turn_cap(name)
    if _ask("May players agree to take a move back", one_of("y", "n"), "y") == "n":
        arguments.append("--no-takebacks")
    table = _ask("Which table", lambda text: fit(text, "The table", "Line"), "none")
    if table != "none":
        arguments += ["--table", table]
    with service(ledger, create=True) as opened:
        before = set(opened.store.matches())
    _run("open", *arguments)
    with service(ledger, write=False) as opened:
        new = [match for match in opened.store.matches() if match not in before]
        (found, *_) = [each for each in new if opened.state(each).opening.arbiter.name == arbiter]
    return found


def _turn_cap(name: str) -> list[str]:
    """After how many turns the game is over, in games that know such an end."""
    from cli.typed import turns
    from ledger.games import options_of, ruleset

    game, rules = ruleset(name)
    try:
        game.limited(game.start(options_of(game, rules)), 1)
    except Refused:
        return []
    many = _ask("After how many turns is the game over", lambda text: str(turns(text)), "never")
    return [] if many == "never" else ["--turn-cap", many]


def _rules(text: str) -> str:
    """A ruleset, and options of it that are changed, as they were typed."""
    from cli.opening import read_options
    from ledger.games import ruleset

    name, *options = text.split() or [text]
    game, rules = ruleset(name.lower())
    read_options(game, rules, options)
    return " ".join((rules.name, *options))


def _dice(keyed: int, seats: int) -> str:
    """How the dice are made, of what is possible where so many of the seats have keys."""
    from cli.dice import SCHEMES
    from cli.output import say

    impossible = {"players"} if keyed < seats else set()
    impossible |= {"players+arbiter"} if not keyed else set()
    possible = [name for name in SCHEMES if name not in impossible]
    say("How are the dice made?")
    for number, name in enumerate(possible, start=1):
        say(f"  {number}  {SCHEMES[name]}", hang=5)
    usual = possible.index("players" if "players" in possible else "table") + 1
    numbers = [str(number) for number in range(1, len(possible) + 1)]
    return possible[int(_ask("Which", one_of(*numbers), str(usual))) - 1]


def _seat_key(player: str, folder: SharedFolder | None, taken: list[str]) -> str | None:
    """The key that a player signs with; ``None`` when the arbiter writes."""
    from cli.output import say

    say(f"How does {player} sign?")
    say("  1  with a key on this device", hang=5)
    say("  2  with a key on their own device", hang=5)
    say("  3  not at all: the arbiter writes their moves down", hang=5)
    how = _ask("1, 2 or 3", one_of(HERE, ELSEWHERE, SCRIBE), HERE)
    if how == HERE:
        return _key_here(player, taken)
    return _key_elsewhere(player, folder) if how == ELSEWHERE else None


def _key_here(person: str, taken: list[str]) -> str:
    """The name of a key that can sign here: one that is there, if it is theirs, or a new one."""
    from cli.desk import can_sign, keyring
    from cli.output import say

    others = list(taken)
    while True:
        name = _key_name(person, others)
        entry = next((each for each in keyring().list() if each.name == name), None)
        if entry is None:
            break
        if entry.public is not None and can_sign(entry):
            say(f"A key {name} is here: {entry.public.fingerprint}", hang=2)
            if _ask(f"Is it the key of {person} [y/n]", one_of("y", "n")) == "y":
                return name
        others.append(name)
    say(f"A key is made for {person}; it is called {name}.")
    while True:
        plain = _ask("Protect it with a passphrase", one_of("y", "n"), "y") == "n"
        if _succeeds("key", "new", name, *(["--no-passphrase"] if plain else [])):
            return name


def _key_name(person: str, taken: list[str]) -> str:
    """A key's name made of a person's."""
    from unicodedata import normalize

    letters = normalize("NFKD", person).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:30] or "key"
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}{number}"
    return found


def _key_elsewhere(player: str, folder: SharedFolder | None) -> str:
    """A public key that somebody brings: a line, a file, or one from the shared folder."""
    from cli.desk import public_key
    from cli.output import say

    there = folder.public_keys() if folder else {}
    for name, public in there.items():
        say(f"in the shared folder: {name}, {public.fingerprint}", hang=2)
    if there:
        say(f"Compare what stands behind the name with what {player}'s screen shows.", hang=2)
    else:
        say("On their device: tabellion key new NAME, or tabellion key export NAME.", hang=2)

    def read(text: str) -> str:
        public = there.get(text.removesuffix(".pub"))
        return (public or public_key(text)).line

    return _ask(f"The public key of {player}: its name in the folder, its file or line", read)


# -- a match from elsewhere ----------------------------------------------------------------


def wait(folder: SharedFolder, ledger: str | None) -> str:
    """Lay a public key into the folder and wait for the match that somebody opens with it."""
    import time

    from cli.desk import keyring
    from cli.output import say
    from cli.typed import fit

    name = _key_here(_ask("Your name", lambda text: fit(text, "The name", "Name")), [])
    public = keyring().find(name).public
    if public is not None:
        file = folder.publish_key(name, public)
        say(f"Your public key lies in the folder: {file.name}, {public.fingerprint}", hang=2)
    say("Waiting for a match with your key. Ctrl-C stops.")
    while True:
        found = arrived(folder, ledger)
        if found:
            return found[0]
        time.sleep(0.5)


def arrived(folder: SharedFolder, ledger: str | None, *, ask: bool = True) -> list[str]:
    """Take in the copies in the folder of matches that are known here; of others only where a key
    of this device has a role and, since anybody can lay a file there, somebody says yes."""
    from cli.copies import bring_in, say_imported, told
    from cli.desk import roles_here, service
    from cli.folder import complain_of_all
    from ledger.copies import continued

    found = []
    faults: list[TabellionError] = []
    for events in folder.copies(faults.append):
        try:
            with service(ledger, create=True) as opened:
                known = opened.store.head(events[0].hash) is not None
            if not known:
                state = continued(None, events)
                if not roles_here(state) or not ask or not _wanted(state):
                    continue
            with service(ledger) as opened:
                brought = bring_in(opened, events)
        except TabellionError as error:
            faults.append(error)
            folder.again(error)
            continue
        if brought.taken or brought.aside:
            say_imported(told(brought))
        found.append(brought.state.match)
    complain_of_all(faults)
    return found


def _wanted(state: MatchState) -> bool:
    """Whether a match that nobody here knew before is to be taken in."""
    from cli.output import say

    opening = state.opening
    say(f"A match lies in the shared folder: {opening.ruleset.name}, {state.match[:12]}")
    for role, party in state.roster.items():
        say(f"{role}: {party.key.fingerprint if party.key else 'no key'}: {party.name}", hang=4)
    return _ask("Is it the one that you were asked to play [y/n]", one_of("y", "n")) == "y"


# -- asking --------------------------------------------------------------------------------


def one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in choices:
            raise Unreadable("bad-answer", f"It is one of {', '.join(choices)}.")
        return text.lower()

    return read


def _ask(question: str, read: Callable[[str], str], usual: str | None = None) -> str:
    """Ask until the answer fits. Raises ``Refused`` when nobody answers any more."""
    from cli.boundary import complain
    from cli.output import say
    from cli.prompting import ask

    while True:
        try:
            text = ask(f"{question}{f' [{usual}]' if usual else ''}: ")
        except EOFError:
            raise Refused("left", "Nothing was opened.") from None
        if usual is not None and text.lower() in ("", usual.lower()):
            return usual
        if text.lower() in ("?", "help"):
            say("Type an answer, or Enter for what stands in brackets. Nothing is signed yet, and")
            say("Ctrl-D leaves without a match. More to read: tabellion help table")
            continue
        try:
            return read(text)
        except TabellionError as error:
            complain(error)


def _run(*arguments: str) -> None:
    """Run a command. Raises ``Refused`` if it does not succeed; it has said why."""
    if not _succeeds(*arguments):
        raise Refused("left", "Nothing was opened.", hint="tabellion play, to begin anew")


def _succeeds(*arguments: str) -> bool:
    from cli.app import build

    return not build(list(arguments))(args=list(arguments), standalone_mode=False)

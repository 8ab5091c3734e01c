"""Rulings: what the arbiter decides, or on appeal whoever was named for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal, Optional, get_args

import typer

from cli import completing
from cli.options import JsonOption, KeyOption, LedgerOption, MatchOption, PassphraseOption, example
from cli.typed import event_number, words

if TYPE_CHECKING:
    from ledger.events import (
        Award,
        Effect,
        GivenResult,
        NewContributors,
        Penalty,
        Rewind,
        SetPosition,
    )
    from ledger.fold import MatchState
    from ledger.service import Draft

Text = Optional[str]  # noqa: UP045
MOST: Final = 8
"""Effects of one ruling."""


def register(app: typer.Typer) -> None:
    app.command(
        "ruling",
        epilog=example(
            "tabellion ruling --rewind 5 --penalty swedes=warning \\",
            '    --reason "the king passed over a piece" --rule "event rules 2"',
        ),
    )(ruling)


def ruling(
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            metavar="WORDS",
            parser=words("--reason", "Text"),
            help="Why; it stays on the record.",
        ),
    ],
    rule: Annotated[
        str,
        typer.Option(
            "--rule", metavar="RULE", parser=words("--rule"), help="The rule that this rests on."
        ),
    ],
    dismiss: Annotated[
        bool, typer.Option("--dismiss", help="The complaint changes nothing.")
    ] = False,
    rewind: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--rewind",
            metavar="N",
            parser=event_number,
            help="Back to the game as it stood after event N.",
            autocompletion=completing.events,
        ),
    ] = None,
    dice: Annotated[
        Text,
        typer.Option(
            metavar="keep|rethrow",
            help="With --rewind, in games with dice: those that lay there stay, or are thrown "
            "anew. keep if left out.",
        ),
    ] = None,
    position: Annotated[
        Text,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="The game stands so, in the notation of show --json; no legal move need lead "
            "there.",
        ),
    ] = None,
    result: Annotated[
        Text,
        typer.Option(
            "--result",
            metavar="KIND[=SEAT]",
            help="win=SEAT, forfeit=SEAT (for the winner), draw, double_forfeit, annulled.",
            autocompletion=completing.results,
        ),
    ] = None,
    penalty: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--penalty",
            metavar="SEAT=KIND",
            help="Beside the rest, once or more: warning, points_off, points_to_opponent, "
            "game_lost, fine, rounds_off, expulsion.",
            autocompletion=completing.penalties,
        ),
    ] = None,
    withdraw: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--withdraw",
            metavar="N",
            parser=event_number,
            help="Beside the rest: the penalty that event N gave does not count any more.",
            autocompletion=completing.events,
        ),
    ] = None,
    award: Annotated[
        Text,
        typer.Option(
            "--award", metavar="DICE", help="A roll that somebody will not open counts as 3-5-2."
        ),
    ] = None,
    contributors: Annotated[
        Text,
        typer.Option(
            "--contributors",
            metavar="ROLES",
            help="The roll is dead; these make the next ones: white+arbiter.",
        ),
    ] = None,
    appeal: Annotated[
        bool, typer.Option("--appeal", help="Decide the appeal, with the key named for that.")
    ] = False,
    event: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--event",
            metavar="N",
            parser=event_number,
            help="With --appeal: the event of the appeal, where several wait.",
            autocompletion=completing.events,
        ),
    ] = None,
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Rule on a dispute, or on what went wrong.

    The arbiter signs, with reason and rule. It ends the dispute that is open. One thing is done to
    the game at most, penalties apart. Nothing is deleted: log shows what was taken back, struck.
    """
    from cli.desk import role_of, service, write
    from cli.finding import find_match
    from cli.output import say, written
    from ledger.errors import TabellionError, Unreadable
    from ledger.events import Decision, Dismissed, Verdict, Withdrawn
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        effects: list[Effect] = [Dismissed()] if dismiss else []
        if rewind is not None or dice is not None:
            effects.append(_rewind(state, rewind, dice))
        if position is not None:
            effects.append(_position(state, position))
        if result is not None:
            effects.append(_result(state, result))
        if award is not None:
            effects.append(_award(state, award))
        if contributors is not None:
            effects.append(_contributors(state, contributors))
        effects += [_penalty(state, text) for text in penalty or ()]
        effects += [Withdrawn(ruling=withdraw)] if withdraw is not None else []
        if not effects:
            raise Unreadable(
                "no-effect",
                "Say what the ruling does.",
                hint="--dismiss, --rewind N, --position TEXT, --result KIND, --penalty SEAT=KIND …",
            )
        if len(effects) > MOST:
            raise Unreadable("too-many", f"A ruling does {MOST} things at most, penalties too.")
        if event is not None and not appeal:
            raise Unreadable("usage", "--event goes with --appeal.")
        if appeal:
            decision = Decision(
                appeal=_appealed(state, event), reason=reason, rule=rule, effects=tuple(effects)
            )
            return Draft("appeal.decided", decision, role_of(state, key) if key else "appeal")
        verdict = Verdict(reason=reason, rule=rule, effects=tuple(effects))
        return Draft("ruling", verdict, role_of(state, key) if key else "arbiter")

    with service(ledger) as opened:
        state = find_match(opened, match)
        draft = decide(state)
        try:
            after = write(opened, state, [lambda _: draft], [draft.by], passphrase_file)
        except TabellionError as error:
            error.hint = error.hint or _way_out(state, error.code)
            raise
    if not json:
        struck = sorted(_struck(after) - _struck(state))
        if struck:
            say(f"taken back: event{'s' * (len(struck) > 1)} {', '.join(map(str, struck))}")
    written(after, state.seq, json, match)


def _way_out(state: MatchState, code: str) -> str:
    """What to type instead, where the rules of the record only say what is wrong."""
    first, second = state.game.seats
    return {
        "across-a-throw": "--dice rethrow",
        "bad-contributors": f"--contributors {first}+{second}, or {first}+arbiter",
        "bad-result": f"--result win={first}, --result forfeit={second}, or --result draw",
        "unknown-role": f"the seats are {first} and {second}",
    }.get(code, "")


def _struck(state: MatchState) -> frozenset[int]:
    """What the log strikes: acts that were taken back, and rulings that were."""
    from ledger.fold import overruled

    return state.superseded() | overruled(state).keys()


def _rewind(state: MatchState, to: int | None, dice: str | None) -> Rewind:
    from cli.disputes import no_event
    from ledger.errors import Unreadable
    from ledger.events import Rewind

    if to is None:
        raise Unreadable("usage", "--dice goes with --rewind N.")
    if to > state.seq:
        raise no_event(state, to)
    return Rewind(to=to, dice=kept(dice or "keep") if dice or state.game.dice else None)


def kept(text: str) -> Literal["keep", "rethrow"]:
    """What becomes of dice, as it is typed."""
    from ledger.errors import Unreadable

    match text:
        case "keep" | "rethrow":
            return text
        case _:
            raise Unreadable("bad-option", "--dice is keep or rethrow.")


def _position(state: MatchState, text: str) -> SetPosition:
    """The position that was typed, in the one spelling that is signed."""
    from ledger.events import SetPosition

    game = state.game
    placed = game.reset(state.opening.ruleset.options, state.position, text.strip())
    return SetPosition(position=game.position(placed))


def _result(state: MatchState, text: str) -> GivenResult:
    from ledger.errors import Unreadable
    from ledger.events import GivenResult, ResultKind

    kind, _, winner = text.partition("=")
    for known in get_args(ResultKind):
        if kind.strip().lower().replace("-", "_") == known:
            return GivenResult(kind=known, winner=_seat(state, winner) if winner else None)
    raise Unreadable(
        "bad-option",
        f"A result is one of {', '.join(get_args(ResultKind))}, not {kind[:40]!a}.",
        hint="--result forfeit=SEAT, the winner's",
    )


def _seat(state: MatchState, text: str) -> str:
    """A seat that was typed, by its name or its player's."""
    from ledger.errors import Unreadable

    typed = text.strip().casefold()
    names = {state.roster[seat].name.casefold(): seat for seat in state.game.seats}
    found = names | {seat: seat for seat in state.game.seats}
    if typed not in found:
        who = ", ".join(f"{state.roster[each].name} plays {each}" for each in state.game.seats)
        raise Unreadable("which-seat", f"{text[:40]!a} is no seat of this match: {who}.")
    return found[typed]


def _penalty(state: MatchState, text: str) -> Penalty:
    from ledger.errors import Unreadable
    from ledger.events import Penalty, PenaltyKind

    seat, _, kind = text.partition("=")
    for known in get_args(PenaltyKind):
        if kind.strip().lower().replace("-", "_") == known:
            return Penalty(seat=_seat(state, seat), penalty=known)
    raise Unreadable(
        "bad-option",
        f"A penalty is one of {', '.join(get_args(PenaltyKind))}, not {(kind or text)[:40]!a}.",
        hint="--penalty SEAT=warning",
    )


def _award(state: MatchState, text: str) -> Award:
    from cli.output import example_dice
    from cli.rolling import read_dice
    from ledger.errors import Unreadable
    from ledger.events import Award

    wanted = state.game.wanted(state.position)
    lie = example_dice(wanted.count if wanted else 3)
    try:
        return Award(roll=state.rolling.number, dice=read_dice([text], lie))
    except Unreadable as error:
        error.hint = f"--award {lie}"
        raise


def _contributors(state: MatchState, text: str) -> NewContributors:
    from ledger.events import NewContributors

    named = [role.strip() for role in text.split("+") if role.strip()]
    order = {role: place for place, role in enumerate((*state.game.seats, "arbiter"))}
    named.sort(key=lambda role: order.get(role, len(order)))
    return NewContributors(roll=state.rolling.number, contributors=tuple(named))


def _appealed(state: MatchState, event: int | None) -> str:
    """The hash of the appeal that waits; of several the one of ``event``."""
    from ledger.errors import Ambiguous, Refused

    waiting = {each.seq: each.hash for each in state.appealed if event in (None, each.seq)}
    if not waiting:
        which = f"Event {event} is no appeal that waits" if event is not None else "No appeal waits"
        raise Refused("no-such-appeal", f"{which} to be decided.", hint="tabellion show")
    if len(waiting) > 1:
        raise Ambiguous(
            "which-appeal",
            f"{len(waiting)} appeals wait: say which is decided.",
            hint=", or ".join(f"--event {seq}" for seq in waiting),
        )
    return next(iter(waiting.values()))

"""Whole matches as they are played in a hall: two phones, the arbiter at her desk, a server that is
the program itself, somebody who looks on; and what happens to people in between."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from eveninghall import Chair, Hall, Laptop, Onlooker, Score
from playwright.sync_api import Browser, BrowserType, Error, Page
from pocketphone import SHAPE, Player, expect, play_by_lot
from server import wait_for
from table import SHORT_GAME

pytest_plugins = ["browser"]

TWO = {"swedes": "Alba", "muscovites": "Bruno"}
ANEW = ("--reason", "Supper is ready", "--rule", "agreed")
LATE = "W h0 b0 o13 22:2 | B h0 b0 o13 21:2 | W"
"""Both have two checkers left, in the last quarter."""
LONGEST = 1200
"""Acts; a game that is longer than this by lot goes on for ever."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    found = Hall(tmp_path_factory.mktemp("evening"))
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module")
def chair(chromium: Browser, hall: Hall) -> Iterator[Chair]:
    found = Chair(chromium, hall)
    with found.context:
        yield found
    assert not found.complaints


class Sitting:
    """Two phones that have joined a match and accepted it."""

    def __init__(self, hall: Hall, chair: Chair, alba: Player, bruno: Player) -> None:
        self.hall, self.chair, self.alba, self.bruno = hall, chair, alba, bruno
        self.match = alba.match

    def score(self) -> Score:
        """The record as anybody downloads it."""
        return Score(self.hall, self.chair.downloads(self.match))

    def ends(self, *also: str) -> Score:
        """The arbiter closes, both sign the result, and the record is judged. ``also``: what the
        arbiter has signed beside dice, opening and close."""
        self.chair.closes(self.match)
        for player in (self.alba, self.bruno):
            player.countersigns()
        score = self.score()
        assert "verdict: SOUND" in score.audit
        assert "countersigned by Alba and Bruno" in score.audit
        assert score.types[0] == "match.opened"
        assert "match.closed" in score.types
        own = {
            score.seats["Alba"]: self.alba.keyid,
            score.seats["Bruno"]: self.bruno.keyid,
        }
        for each in score.events:
            assert "for" not in each.event, "nobody wrote for another"
            if each.event["by"] in own:
                assert each.keyid == own[each.event["by"]]
            else:
                assert each.event["type"] in {"match.opened", "match.closed", *ZOES_DICE, *also}
        return score


ZOES_DICE = ("dice.committed", "roll.opened")


@contextmanager
def sitting(
    chromium: Browser, hall: Hall, chair: Chair, ruleset: str, *more: str, **names: str
) -> Iterator[Sitting]:
    """Alba and Bruno scan their codes and accept. Nothing of a code is in any address or log."""
    players = [Player.comes(chromium, seed) for seed in (1, 2)]
    with ExitStack() as stack:
        for player in players:
            stack.enter_context(player.context)
        links = hall.opens(ruleset, *more, **names)
        for player, link in zip(players, links.values(), strict=True):
            player.scans(link)
        for player in players:
            player.accepts()
        yield Sitting(hall, chair, *players)
        for player, link in zip(players, links.values(), strict=True):
            assert not player.complaints
            code = link.partition("#")[2]
            assert not any(code in url for url in player.asked)
            assert code not in hall.log


# -- whole matches -------------------------------------------------------------------------------


def test_tablut_to_the_corner_and_one_phone_is_without_a_line_meanwhile(
    chromium: Browser, hall: Hall, chair: Chair
) -> None:
    with (
        sitting(chromium, hall, chair, "tablut", **TWO) as match,
        Onlooker(chromium, hall, match.match) as onlooker,
    ):
        alba, bruno = match.alba, match.bruno
        for number, move in enumerate(SHORT_GAME):
            if number % 2:
                bruno.turn()
                bruno.types(move)
            elif number == 4:
                alba.turn()
                with alba.offline():
                    alba.plays(move)
                    alba.sees("Signed and kept: event 7")
                    alba.sees("not with the server yet", ".unsent")
                    assert hall.seq(match.match) == 6
                    assert not bruno.awaited
                alba.sees("Connected: live", "#line")
            else:
                alba.plays(move)
        alba.sees("The arbiter closes the match")
        score = match.ends()
        assert score.moves == [*SHORT_GAME]
        onlooker.sees("The king stands on the corner a1")
        wait_for(lambda: onlooker.board() == alba.board())


def test_tabula_to_the_last_piece_and_a_phone_is_loaded_again_before_it_opens_its_number(
    chromium: Browser, hall: Hall, chair: Chair
) -> None:
    """The opening that Bruno's phone has signed is sent again, the same bytes. For the end the
    arbiter sets the board anew, so that it is near."""
    with sitting(chromium, hall, chair, "tabula", white="Alba", black="Bruno") as match:
        alba, bruno = match.alba, match.bruno
        alba.turn("Your throw")
        before = len(bruno.sent)
        broken = [True]
        bruno.context.route(
            "**/api/events", lambda route: route.abort() if broken else route.continue_()
        )
        alba.throws()
        bruno.sees("not with the server yet", ".unsent")
        for player in (alba, bruno):
            player.page.reload()
        alba.sees("is opened by Bruno (Black)", ".awaited")
        bruno.sees("not with the server yet", ".unsent")
        broken.clear()
        expect(alba.page.locator(".awaited")).to_have_count(0)
        opening = match.score().envelope("roll.opened")
        assert bruno.sent[before : before + 2] == [opening] * 2
        play_by_lot(alba, bruno, most=8)
        hall.types("ruling", *ANEW, "--position", LATE, "--key", "zoe", "-m", alba.match)
        for player in (alba, bruno):
            player.sees("Supper is ready")
        play_by_lot(alba, bruno, most=LONGEST)
        assert alba.over
        score = match.ends("ruling")
        throws = 1 + (alba.did + bruno.did)["throw"]
        assert score.types.count("roll") == score.types.count("roll.opened") == throws
        assert "a win for" in score.audit
        assert "(borne off)" in score.audit


def test_tablero_with_dice_of_all_three_until_the_turns_are_over(
    chromium: Browser, hall: Hall, chair: Chair
) -> None:
    said = ("--turn-cap", "3", "--dice", "players+arbiter")
    with (
        sitting(chromium, hall, chair, "tablero", *said, south="Alba", north="Bruno") as match,
        Onlooker(chromium, hall, match.match) as onlooker,
    ):
        alba, bruno = match.alba, match.bruno
        play_by_lot(alba, bruno, LONGEST)
        assert alba.over
        score = match.ends()
        done = alba.did + bruno.did
        for kind in ("pull", "wager", "pass", "move"):
            assert score.types.count(kind) == done[kind]
        assert score.types.count("roll") == done["throw"]
        assert score.types.count("roll.opened") == 2 * done["throw"]
        wait_for(lambda: onlooker.board() == alba.board())


@pytest.mark.long
def test_tabula_by_lot_until_the_last_piece_is_borne_off(
    chromium: Browser, hall: Hall, chair: Chair
) -> None:
    with sitting(chromium, hall, chair, "tabula", white="Alba", black="Bruno") as match:
        play_by_lot(match.alba, match.bruno, LONGEST)
        assert match.alba.over
        score = match.ends()
        assert score.types.count("roll") == (match.alba.did + match.bruno.did)["throw"]


# -- what happens to people ----------------------------------------------------------------------


def test_the_server_loses_its_power_and_the_phones_go_on_by_themselves(
    chromium: Browser, hall: Hall, chair: Chair
) -> None:
    with (
        sitting(chromium, hall, chair, "tablut", **TWO) as match,
        Onlooker(chromium, hall, match.match) as onlooker,
    ):
        alba, bruno = match.alba, match.bruno
        alba.plays("e3-f3")
        bruno.plays("e2-h2")
        seen = match.score().texts
        alba.turn()
        alba.chooses("e4-e2")
        hall.loses_power()
        alba.lets_go()
        alba.sees("Signed and kept: event 5")
        hall.starts_again()
        bruno.turn()
        bruno.plays("h2-h3")
        alba.turn()
        score = match.score()
        assert score.texts[: len(seen)] == seen
        assert score.moves == ["e3-f3", "e2-h2", "e4-e2", "h2-h3"]
        onlooker.sees("h2-h3")
        alba.resigns()
        chair.comes_in()
        match.ends()


@pytest.mark.long
def test_a_laptop_plays_against_a_phone(
    chromium: Browser, hall: Hall, chair: Chair, tmp_path: Path
) -> None:
    alba, bruno = Player.comes(chromium, 1), Laptop(hall, tmp_path, "bruno")
    with alba.context:
        links = hall.opens("tablut", **TWO)
        alba.scans(links["swedes"])
        bruno("join", links["muscovites"].partition("#")[2])
        bruno("accept")
        alba.accepts()
        alba.plays("e3-f3")
        bruno("show")
        assert "Bruno moves e2-h2" in bruno("move", "e2-h2")
        alba.turn()
        alba.plays("e4-e2")
        assert "Alba moves e4-e2" in bruno("move", "h2-h3", status=6)
        bruno("move", "h2-h3")
        alba.turn()
        alba.resigns()
        chair.closes(alba.match)
        alba.countersigns()
        bruno("show")
        bruno("countersign")
        score = Score(hall, chair.downloads(alba.match))
        assert "countersigned by Alba and Bruno" in score.audit
        assert score.moves == ["e3-f3", "e2-h2", "e4-e2", "h2-h3"]


@pytest.mark.long
def test_a_battery_is_empty_after_the_signature_and_before_it_was_sent(
    chromium: Browser, hall: Hall, tmp_path: Path
) -> None:
    """The phone is the same one when it is charged again, and what was signed is sent."""
    bruno = Player.comes(chromium, 2)
    with bruno.context:
        links = hall.opens("tablut", **TWO)
        bruno.scans(links["muscovites"])
        with pocket(chromium.browser_type, tmp_path) as alba:
            alba.scans(links["swedes"])
            alba.accepts()
            bruno.accepts()
            alba.turn()
            match, keyid = alba.match, alba.keyid
            alba.context.set_offline(True)
            alba.plays("e3-f3")
            alba.sees("Signed and kept: event 3")
            dies(tmp_path)
        with pocket(chromium.browser_type, tmp_path) as alba:
            alba.scans(f"{hall.url}/play")
            bruno.turn()
            assert (alba.match, alba.keyid) == (match, keyid)
            assert not alba.complaints
    assert hall.seq(match) == 3


@pytest.mark.long
def test_one_code_is_for_one_phone_and_two_tabs_of_it_sign_once(
    chromium: Browser, hall: Hall
) -> None:
    alba, bruno, carla = (Player.comes(chromium, seed) for seed in (1, 2, 3))
    with alba.context, bruno.context, carla.context:
        links = hall.opens("tablut", **TWO)
        alba.scans(links["swedes"])
        alba.sees("You sit as Alba")
        carla.scans(links["swedes"])
        carla.sees("Another phone has used this code already")
        alba.scans(links["muscovites"])
        alba.sees("one key, one role")
        bruno.scans(links["muscovites"])
        alba.scans(links["swedes"])
        alba.accepts()
        bruno.accepts()
        tabs = [alba.page, alba.new_tab()]
        tabs[1].goto(tabs[0].url)
        for tab, move in zip(tabs, ("e3-f3", "e7-f7"), strict=True):
            alba.page = tab
            alba.turn()
            alba.chooses(move)
        at_once(*tabs, button=".inhand .main")
        for tab in tabs:
            expect(tab.locator(".standing")).to_contain_text("Bruno (Muscovites) to move")
        assert hall.seq(alba.match) == 3
        assert len(set(alba.sent)) == 2, "an acceptance, and one move"
        bruno.turn()
        bruno.plays("e2-h2")
        alba.turn()


@pytest.mark.long
def test_both_accept_in_the_same_moment(chromium: Browser, hall: Hall) -> None:
    alba, bruno = (Player.comes(chromium, seed) for seed in (1, 2))
    with alba.context, bruno.context:
        for player, link in zip((alba, bruno), hall.opens("tablut", **TWO).values(), strict=True):
            player.scans(link)
        for player in (alba, bruno):
            expect(player.named("accept")).to_be_visible()
        at_once(alba.page, bruno.page, button=".agreeing .main")
        alba.turn()
        assert hall.seq(alba.match) == 2
        for player in (alba, bruno):
            expect(player.page.locator(".refused, .warning")).to_have_count(0)


@pytest.mark.long
def test_a_phone_is_turned_on_its_side(chromium: Browser, hall: Hall, chair: Chair) -> None:
    with sitting(chromium, hall, chair, "tablut", **TWO) as match:
        alba = match.alba
        alba.turn()
        for width, height in ((740, 360), (844, 390), (1280, 800), (320, 568)):
            alba.page.set_viewport_size({"width": width, "height": height})
            alba.tap("e3")
            expect(alba.place("e3")).to_have_attribute("aria-selected", "true")
            alba.place("e3").tap()
            expect(alba.place("e3")).not_to_have_attribute("aria-selected", "true")
        assert hall.seq(match.match) == 2


def at_once(*tabs: Page, button: str) -> None:
    """The same button is pressed in all tabs at the same time of day."""
    press = f"""(time) => setTimeout(
        () => document.querySelector('{button}').click(), time - Date.now()
    )"""
    time = tabs[0].evaluate("Date.now()") + 300
    for tab in tabs:
        tab.evaluate(press, time)


@contextmanager
def pocket(browsers: BrowserType, folder: Path) -> Iterator[Player]:
    """A phone that keeps its storage in a folder, as phones do."""
    found = shutil.which("chromium")
    context = browsers.launch_persistent_context(
        folder / "phone", executable_path=found, args=["--no-sandbox"], **SHAPE
    )
    try:
        yield Player(context, 1)
    finally:
        with suppress(Error):  # it is dead already
            context.close()


def dies(folder: Path) -> None:
    """Nothing of this phone's browser runs any more, from one moment to the next."""
    mark = f"--user-data-dir={folder / 'phone'}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (process / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)

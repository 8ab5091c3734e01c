"""The verifying page for those who read it at a small window, by the keyboard or by ear."""

from __future__ import annotations

import pytest
from pagereader import Reader, golden

pytest_plugins = ["browser"]

TABLUT, TABULA, TABLERO = "v1-tablut", "v1-tabula", "v1-tablero"

_FOCUSED = "document.activeElement.closest('li')?.id ?? document.activeElement.className"


# -- the window ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (1366, 768), (1920, 1080)])
@pytest.mark.parametrize(("name", "event"), [("v1-tablut-ruled", 32), (TABULA, 33), (TABLERO, 48)])
def test_board_buttons_words_and_dice_fit_into_a_window(
    reader: Reader, size: tuple[int, int], name: str, event: int
) -> None:
    width, height = size
    reader.page.set_viewport_size({"width": width, "height": height})
    reader.page.emulate_media(reduced_motion="reduce")  # so that nothing is still moving
    reader.open(golden(name)[0], f"#e{event}")
    shown = ["svg.board", ".controls", ".headline", *([".lying .dice"] if event != 32 else [])]
    boxes = {each: reader.page.locator(each).bounding_box() for each in shown}
    for each, box in boxes.items():
        assert box, each
        assert box["y"] >= 0, each
        assert box["y"] + box["height"] <= height, each
    board, words = boxes["svg.board"], boxes[".headline"]
    assert board
    assert words
    assert words["x"] >= board["x"] + board["width"], "the words stand beside the board"
    assert board["height"] > height * 0.6


def test_on_a_phone_the_words_stand_above_the_board(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.open(golden(TABULA)[0], "#e33")
    words, board = (reader.page.locator(each).bounding_box() for each in (".headline", ".board"))
    assert words
    assert board
    assert 0 <= words["y"] < board["y"] < 844


def test_the_file_button_can_be_hit_with_a_thumb_and_nothing_gapes_below(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 320, "height": 640})
    reader.open()
    height = "file => getComputedStyle(file, '::file-selector-button').minHeight"
    assert reader.page.locator("#file").evaluate(height) == "44px"
    status = reader.page.locator("#status").bounding_box()
    assert status is None or status["height"] == 0


# -- dice ----------------------------------------------------------------------------------------


def test_an_event_of_a_roll_shows_its_own_roll_and_no_other(reader: Reader) -> None:
    data, state = golden(TABLERO)
    reader.open(data)
    for roll in state.rolling.rolls[:4]:
        for seq in (roll.thrown, roll.seq):
            reader.page.evaluate(f"location.hash = '#e{seq}'")
            reader.page.wait_for_selector(f"#replay[data-event='{seq}']")
            shown = reader.page.locator(".details .roll").evaluate_all(
                "rolls => rolls.map((roll) => roll.dataset.roll)"
            )
            assert shown == [str(roll.number)]
    reader.page.click("#e3 a")
    assert reader.page.locator(".details .roll").get_attribute("data-roll") == "1"


def test_dice_are_drawn_at_the_board_and_said_in_words(reader: Reader) -> None:
    reader.open(golden(TABULA)[0], "#e11")
    assert reader.page.locator(".table .lying .dice").get_attribute("data-dice") == "3-5-5"
    assert "Dice on the table: 3-5-5" in reader.text(".headline")
    before = reader.page.locator("svg.board").bounding_box()
    reader.page.keyboard.press("ArrowRight")
    assert reader.at() == 12
    assert not reader.page.locator(".lying .dice").count()
    assert reader.page.locator("svg.board").bounding_box() == before, "the board stands still"


def test_the_choice_without_dice_is_there_where_dice_are(reader: Reader) -> None:
    choice = reader.page.get_by_label("Without the making of dice")
    reader.open(golden(TABULA)[0])
    assert choice.count() == 1
    reader.open(golden(TABLUT)[0])
    assert choice.count() == 0


# -- the keyboard --------------------------------------------------------------------------------


def test_the_list_is_one_stop_and_arrows_go_through_it(reader: Reader) -> None:
    reader.open(golden(TABULA)[0], "#e11")
    assert reader.page.locator(".events a[tabindex='0']").count() == 1
    reader.page.focus("input[name=shown]:checked")
    reader.page.keyboard.press("Tab")
    assert reader.page.evaluate(_FOCUSED) == "e11"
    for key, event in (
        ("ArrowDown", 12),
        ("ArrowRight", 13),
        ("ArrowUp", 12),
        ("Home", 0),
        ("ArrowUp", 0),
        ("End", 42),
        ("ArrowDown", 42),
    ):
        reader.page.keyboard.press(key)
        assert reader.at() == event, key
        assert reader.page.evaluate(_FOCUSED) == f"e{event}"
    reader.page.keyboard.press("Tab")
    assert not reader.page.evaluate("document.activeElement.closest('.events')")


def test_up_and_down_pass_over_what_is_not_shown(reader: Reader) -> None:
    reader.open(golden(TABULA)[0], "#e12")
    reader.page.get_by_label("Without the making of dice").check()
    reader.page.focus("#e12 a")
    reader.page.keyboard.press("ArrowDown")
    assert reader.at() == 14, "the note; event 13 throws dice"
    reader.page.keyboard.press("ArrowUp")
    assert reader.at() == 12


def test_home_and_end_work_wherever_arrows_do(reader: Reader) -> None:
    reader.open(golden(TABLUT)[0], "#e5")
    for place in (None, ".table", ".controls button"):
        if place:
            reader.page.focus(place)
        for key, event in (("Home", 0), ("ArrowRight", 1), ("End", 14), ("ArrowLeft", 13)):
            reader.page.keyboard.press(key)
            assert reader.at() == event, (place, key)


def test_keys_are_told_where_they_are_needed(reader: Reader) -> None:
    reader.open(golden(TABLUT)[0])
    told = reader.text("#replay .keys")
    assert all(key in told for key in ("left", "right", "Home", "End", "up", "down"))


def test_who_signed_what_is_reached_without_the_list(reader: Reader) -> None:
    reader.open(golden(TABLUT)[0])
    reader.page.get_by_role("link", name="To who signed what").click()
    assert reader.page.evaluate("document.activeElement.id") == "parties-heading"


# -- by ear --------------------------------------------------------------------------------------


def test_the_sentence_of_an_event_stands_once_beside_its_line(reader: Reader) -> None:
    reader.open(golden(TABLUT)[0], "#e3")
    assert reader.page.locator("#replay").inner_text().count("Alba (swedes) moves e3-f3") == 2
    assert reader.page.locator("[aria-live]").count() == 1
    headline = reader.page.locator(".headline")
    reader.page.focus("#e3 a")
    reader.page.keyboard.press("ArrowDown")
    assert headline.get_attribute("aria-live") == "off", "the line that has the focus is read"
    reader.page.focus(".table")
    reader.page.keyboard.press("ArrowRight")
    assert headline.get_attribute("aria-live") == "polite"


def test_the_file_button_has_a_short_name(reader: Reader) -> None:
    reader.open()
    assert reader.page.get_by_label("File of a match", exact=True).count() == 1


def test_events_are_counted_once_and_in_one_way(reader: Reader) -> None:
    reader.open(golden(TABLUT)[0], "#e14")
    text = reader.text("main")
    assert "15, numbered 0 to 14" in text
    assert "Event 14 of" not in text
    assert "Events: 15" not in text
    assert reader.text(".headline h3") == "Event 14"


def test_numbers_before_the_lines_have_a_heading(reader: Reader) -> None:
    reader.open(golden(TABLUT)[0])
    assert reader.text(".columns").split("\n")[0].startswith("Event")
    assert "Row of the score sheet" in reader.text(".columns")
    assert reader.text("#e3").split("\n")[-1] == "1. Alba (swedes) moves e3-f3"
    assert "1… Bruno (muscovites) moves e2-h2" in reader.text("#e4")
    reader.open(golden(TABULA)[0])
    assert "score sheet" not in reader.text(".columns")

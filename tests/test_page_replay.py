"""The replay of the verifying page, in a real browser: boards, steps, words for each event."""

from __future__ import annotations

import json
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pagereader import GOLDEN_NAMES, Reader, golden, tampered
from toygame import GAME as PEBBLES

from ledger import page, positions, record
from ledger.events import EVENT_TYPES, DisputeRaised, type_of
from ledger.fold import MatchState, overruled
from ledger.games.protocol import Stack, Surface, Track

pytest_plugins = ["browser"]

TABLUT, TABULA, TABLERO = "v1-tablut-ruled", "v1-tabula", "v1-tablero-called"

_READ = """board => {
    const all = (selector) => [...board.querySelectorAll(selector)].map((each) => each.dataset);
    return {
        kind: board.dataset.kind,
        pieces: all("[data-place][data-piece]").map((each) => [each.place, each.piece]),
        marks: all("[data-mark]").map((each) => [each.place, each.mark]),
        joined: all("[data-joined]").map((each) => each.joined),
        last: all("[data-last]").map((each) => each.last),
        points: all("[data-point]").map((each) => [each.point, each.piece, each.count]),
        pools: all("[data-pool]").map((each) => [each.pool, each.side, each.piece, each.count]),
        words: board.querySelector("desc").textContent,
        at: document.querySelector("#replay").dataset.event,
        position: document.querySelector(".position code").textContent,
        dice: document.querySelector(".lying .dice")?.dataset.dice ?? "",
    };
}"""


PIECE = {"piece": "W", "count": 1}


def drawing(reader: Reader) -> dict[str, Any]:
    """The board as it is drawn, read out of the picture."""
    found: dict[str, Any] = reader.page.locator("svg.board").evaluate(_READ)
    return found


def agrees(found: dict[str, Any], surface: Surface | Track) -> bool:
    """Whether a drawing shows this board, no more and no less."""
    if isinstance(surface, Track):
        return bool(
            found["kind"] == "track"
            and found["points"]
            == [[str(n), each.piece, str(each.count)] for n, each in enumerate(surface.points, 1)]
            and found["pools"]
            == [
                [name, str(side), each.piece, str(each.count)]
                for name, pair in surface.pools.items()
                for side, each in enumerate(pair)
            ]
            and found["last"] == [str(each) for each in sorted(surface.last)]
        )
    pairs = [f"{a} {b}" for each in surface.joined for a, b in pairwise(each)]
    return bool(
        found["kind"] == "grid"
        and sorted(found["pieces"]) == sorted(map(list, surface.pieces.items()))
        and len(found["pieces"]) == len(surface.pieces)
        and sorted(found["marks"]) == sorted(map(list, surface.marks.items()))
        and sorted(found["joined"]) == sorted(pairs)
        and sorted(found["last"]) == sorted(surface.last)
    )


def board_after(state: MatchState, seq: int) -> Surface | Track:
    return state.game.surface(state.moments[seq].game)


def with_boards(name: str, boards: list[Any]) -> bytes:
    """A golden record that carries other boards than the game's."""
    data, _ = golden(name)
    text = json.dumps({"boards": boards, "version": 1}).replace("<", "\\u003c")
    return record.write(record.read(data).pieces, text.encode())  # type: ignore[arg-type]


def drawn(surface: Surface | Track) -> dict[str, Any]:
    return positions._drawn(surface)


# -- boards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["v1-tablut", TABLUT, TABULA, "v1-tabula-ruled", TABLERO])
def test_every_board_is_the_one_that_the_rules_give(reader: Reader, name: str) -> None:
    data, state = golden(name)
    reader.open(data)
    last = len(state.entries) - 1
    assert reader.at() == last
    reader.page.focus(".table")
    reader.page.keyboard.press("Home")
    for seq in range(last + 1):
        seen, moment = drawing(reader), state.moments[seq].game
        assert seen["at"] == str(seq)
        assert agrees(seen, board_after(state, seq)), f"event {seq}"
        assert seen["position"] == state.game.position(moment)
        assert seen["dice"] == "-".join(map(str, state.game.thrown(moment)))
        reader.page.keyboard.press("ArrowRight")
    assert reader.at() == last
    reader.page.keyboard.press("ArrowLeft")
    assert reader.at() == last - 1
    reader.page.keyboard.press("End")
    assert reader.at() == last


def test_a_game_that_nobody_told_the_page_of_is_drawn(reader: Reader) -> None:
    options = {name: option.default for name, option in PEBBLES.options.items()}
    pebbles = PEBBLES.surface(PEBBLES.start(options))
    race = Track(
        points=tuple(Stack("G" if n % 3 else "", n if n % 3 else 0) for n in range(7)),
        pools={"nest": (Stack("G", 12), Stack("", 0)), "home": (Stack("", 0), Stack("fox", 1))},
        legend={"G": "Goose", "fox": "Fox"},
        last=(2, 7),
    )
    others = [{"board": drawn(pebbles), "position": "p", "turn": "heron", "dice": []}]
    others += [{"board": drawn(race)}, *({} for _ in range(13))]
    reader.open(with_boards("v1-tablut", others), "#e0")
    assert agrees(drawing(reader), pebbles)
    reader.page.keyboard.press("ArrowRight")
    assert agrees(drawing(reader), race)
    assert "Goose (G): 1 on 2, 2 on 3, 4 on 5, 5 on 6, 12 nest." in drawing(reader)["words"]
    assert "Fox (fox): 1 home." in drawing(reader)["words"]


def test_the_board_is_said_in_words(reader: Reader) -> None:
    reader.open(golden("v1-tablut")[0], "#e0")
    words = drawing(reader)["words"]
    assert "king (K): e5." in words
    assert "Swede (T): c5, d5, e3, e4, e6, e7, f5, g5." in words
    assert "corner: a1, a9, i1, i9." in words
    reader.open(golden(TABULA)[0], "#e0")
    assert drawing(reader)["words"] == "White (W): 15 in hand. Black (b): 15 in hand."
    reader.open(golden(TABLERO)[0], "#e27")
    assert "Together: e1, f1, g1." in drawing(reader)["words"]


def test_the_board_can_be_turned_round(reader: Reader) -> None:
    reader.open(golden("v1-tablut")[0], "#e0")
    king = reader.page.locator("[data-place=f3][data-piece] .body")
    where = "body => body.getBoundingClientRect().x + body.getBoundingClientRect().y"
    reader.open(golden("v1-tablut")[0], "#e5")
    before = king.evaluate(where)
    reader.page.get_by_role("button", name="Turn the board").click()
    assert king.evaluate(where) != before


LINE = {"kind": "grid", "columns": ["a", "b"], "rows": ["1"], "pieces": {"a1": "T"}, "marks": {}}
LINE |= {"legend": {}, "signs": {}, "counts": [], "last": [], "joined": [], "sides": ["", ""]}
ROAD = {"kind": "track", "points": [PIECE], "pools": {}, "legend": {}, "last": []}
SHAPELESS: list[Any] = [
    LINE | {"pieces": {"c1": "T"}},
    LINE | {"marks": {"": "corner"}},
    LINE | {"last": ["a1", "z9"]},
    LINE | {"joined": [["a1", "nowhere"]]},
    LINE | {"columns": []},
    LINE | {"columns": [f"c{number}" for number in range(300)], "pieces": {}},
    LINE | {"legend": {"T": "x" * 900}},
    ROAD | {"points": []},
    ROAD | {"points": [PIECE] * 200},
    ROAD | {"points": [{"piece": "", "count": 3}]},
    ROAD | {"points": [{"piece": "W", "count": 2**50}]},
    ROAD | {"last": [2]},
]


def test_a_board_of_no_shape_is_not_drawn(reader: Reader) -> None:
    _, state = golden("v1-tablut")
    right = [LINE] * (len(state.entries) - len(SHAPELESS))
    boards = [{"board": each} for each in (*SHAPELESS, *right)]
    boards[0] |= {"position": "<b>x</b>", "turn": "<b>", "dice": [7, 10**9]}
    reader.open(with_boards("v1-tablut", boards), "#e0")
    for seq, board in enumerate(SHAPELESS):
        assert reader.at() == seq
        assert not reader.page.locator("svg.board").count(), board
        assert "no form that could be drawn" in reader.text(".table")
        reader.page.keyboard.press("ArrowRight")
    assert drawing(reader)["pieces"] == [["a1", "T"]]


@pytest.mark.parametrize("board", [None, "grid", {"kind": "hexagon"}, [], {"__proto__": {}}])
def test_boards_that_cannot_be_read_are_a_fault_and_not_shown(reader: Reader, board: Any) -> None:
    standing = {"board": board, "position": "x", "turn": None, "dice": []}
    reader.open(with_boards("v1-tablut", [standing, *({} for _ in range(14))]))
    assert ("file", "wrong-board") in reader.faults()
    assert reader.checks()["file"] == "fault"
    assert "no boards to show" in reader.text("#replay")
    assert not reader.page.locator("svg.board").count()


def test_words_of_a_board_are_text(reader: Reader) -> None:
    _, state = golden("v1-tablut")
    evil = "<img src=x onerror='window.hit=1'>"
    surface = drawn(board_after(state, 0))
    surface["legend"] = {"T": evil, "K": "king\u202e"}
    surface["counts"] = [[evil, 3]]
    surface["signs"] = {"corner": evil}
    standing = {"board": surface, "position": evil, "turn": evil, "dice": []}
    reader.open(with_boards("v1-tablut", [standing, *({} for _ in range(14))]), "#e0")
    assert reader.page.evaluate("window.hit") is None
    assert not reader.page.locator("img").count()
    assert evil in reader.text(".table")
    assert "king‹U+202E›" in reader.text(".legend")


def test_a_record_without_boards_is_replayed_without_them(reader: Reader) -> None:
    data, state = golden(TABLUT)
    reader.open(record.write(record.read(data).pieces))  # type: ignore[arg-type]
    assert reader.judged() == "sound"
    assert "no boards to show" in reader.text("#replay")
    assert not reader.page.locator("svg.board").count()
    reader.page.focus("text=Next")
    reader.page.keyboard.press("Home")
    reader.page.keyboard.press("ArrowRight")
    assert reader.at() == 1
    assert reader.page.locator(".events li").count() == len(state.entries)


# -- steps ---------------------------------------------------------------------------------------


def test_an_address_leads_to_its_event_and_follows(reader: Reader) -> None:
    reader.open(golden(TABLUT)[0], "#e3")
    assert reader.at() == 3
    reader.page.click("#e12 a")
    assert reader.at() == 12
    assert reader.page.url.endswith("#e12")
    assert reader.page.get_attribute("#e12 a", "aria-current") == "step"
    assert reader.page.locator("[aria-current]").count() == 1
    reader.page.evaluate("location.hash = '#e4'")
    reader.page.wait_for_selector("#replay[data-event='4']")
    reader.open(golden(TABLUT)[0], "#e99999999")
    assert reader.at() == len(golden(TABLUT)[1].entries) - 1


def test_buttons_step_and_play_stops_at_the_end(reader: Reader) -> None:
    data, state = golden("v1-tablut")
    last = len(state.entries) - 1
    reader.page.clock.install()
    reader.open(data, "#e0")
    button = {name: reader.page.get_by_role("button", name=name, exact=True) for name in _BUTTONS}
    button["Next"].click()
    button["Next"].click()
    button["Previous"].click()
    assert reader.at() == 1
    button["Last"].click()
    assert reader.at() == last
    button["First"].click()
    assert reader.at() == 0
    button["Play"].click()
    reader.page.clock.run_for(3700)
    assert reader.at() == 3
    reader.page.get_by_role("button", name="Pause").click()
    reader.page.clock.run_for(10_000)
    assert reader.at() == 3
    button["Play"].click()
    reader.page.clock.run_for(60_000)
    assert reader.at() == last
    assert button["Play"].is_visible()
    button["Play"].click()
    assert reader.at() == 0


_BUTTONS = ("First", "Previous", "Play", "Next", "Last")


def test_who_asked_for_calm_has_more_time(reader: Reader) -> None:
    reader.page.clock.install()
    reader.page.emulate_media(reduced_motion="reduce")
    reader.open(golden("v1-tablut")[0], "#e0")
    reader.page.get_by_role("button", name="Play").click()
    reader.page.clock.run_for(2900)
    assert reader.at() == 0
    reader.page.clock.run_for(200)
    assert reader.at() == 1


def test_keys_are_left_to_those_who_need_them(reader: Reader) -> None:
    reader.open(golden("v1-tablut")[0], "#e5")
    reader.page.keyboard.press("ArrowRight")
    assert reader.at() == 6
    reader.page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    for key in ("Home", "End", "ArrowRight"):
        reader.page.keyboard.press(key)
        assert reader.at() == 6, "with the board out of sight the keys are the page's own"
    reader.page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    reader.page.keyboard.press("Control+ArrowLeft")
    assert reader.at() == 6
    reader.page.fill("#head-field", "abc")
    reader.page.keyboard.press("ArrowLeft")
    assert reader.at() == 6


def test_each_step_is_announced(reader: Reader) -> None:
    reader.open(golden("v1-tablut")[0], "#e2")
    spoken = reader.page.locator("[aria-live=polite]")
    assert spoken.inner_text().startswith("Event 2\n")
    reader.page.keyboard.press("ArrowRight")
    assert spoken.inner_text().startswith("Event 3\n\nAlba (swedes) moves e3-f3\n")
    assert "To act: Bruno (muscovites)" in spoken.inner_text()


# -- words ---------------------------------------------------------------------------------------


def test_the_golden_records_have_events_of_every_type() -> None:
    """So that the sentence of each is read below."""
    states = [golden(name)[1] for name in GOLDEN_NAMES]
    assert {type_of(each.event) for state in states for each in state.entries} == {*EVENT_TYPES}


_TELL = """
import {{ tell }} from "{folder}/face/telling.mjs";
import {{ plainWords }} from "{folder}/face/elements.mjs";
const [types, everything] = JSON.parse(process.argv[1]);
const members = ["move", "effects", "seats", "ruleset", "dice", "offer", "split", "role", "sha256",
    "opened", "result", "absent", "sealed", "until", "key", "name", "ruling", "about"];
const alike = (said) => Object.fromEntries(members.map((name) => [name, said]));
const party = {{ role: "arbiter", name: "Zoë", since: 0, until: null, keyid: null }};
for (const type of [...types, ...everything]) for (const said of everything)
    for (const data of [said, alike(said)]) for (const by of ["arbiter", said]) {{
        const item = {{ number: 0, hash: "a", event: {{ type, data, by, for: by }}, faults: [] }};
        const rolls = [{{ event: 0, dice: said, how: "computed" }}];
        console.log(plainWords(tell({{ events: [item], rolls, parties: [party] }}, 0)).length > 0);
    }}
"""


def test_a_sentence_is_found_whatever_an_event_says() -> None:
    everything = [None, 7, True, "x", [], [None], [["x"]], {"effect": "rewind", "dice": {"x": 1}}]
    everything += [{"__proto__": 1, "constructor": 2}, [{"effect": "award"}, {"effect": ["x"]}]]
    script = _TELL.format(folder=Path(page.__file__).parent)
    said = json.dumps([[*EVENT_TYPES], everything])
    node = ["node", "--input-type=module", "-e", script, said]
    told = subprocess.run(node, check=True, capture_output=True, text=True).stdout.split()
    assert told == ["true"] * 4 * len(everything) * (len(EVENT_TYPES) + len(everything))


def test_what_was_taken_back_is_marked_in_words_and_can_be_seen(reader: Reader) -> None:
    data, state = golden(TABULA)
    reader.open(data)
    back = {int(line.get_attribute("id")[1:]) for line in _lines(reader, "superseded")}
    acted = {seq for seq in state.superseded() if state.moments[seq].acted}
    assert back == acted | overruled(state).keys()
    assert acted
    for seq in acted:
        assert "taken back by event" in reader.text(f"#e{seq}")
    reader.page.click(f"#e{min(acted)} a")
    assert reader.at() == min(acted)
    assert agrees(drawing(reader), board_after(state, min(acted)))


def _lines(reader: Reader, state: str) -> list[Any]:
    return reader.page.locator(f".events li[data-state={state}]").all()


def test_rolls_say_who_opened_what_in_which_event(reader: Reader) -> None:
    data, state = golden(TABULA)
    roll = state.rolling.rolls[2]
    reader.open(data, f"#e{roll.seq}")
    found = reader.page.locator(f".roll[data-roll='{roll.number}']")
    assert found.get_attribute("data-dice") == "-".join(map(str, roll.dice))
    assert found.get_attribute("data-how") == "computed"
    text = found.inner_text()
    assert f"thrown in event {roll.thrown}" in text
    assert f"opened in event {roll.seq}, as committed to before in event" in text


def test_what_the_arbiter_wrote_for_a_player_says_so(reader: Reader) -> None:
    data, state = golden("v1-tablut-scribe")
    reader.open(data)
    scribed = [entry.event.seq for entry in state.entries if entry.event.for_]
    assert scribed
    for seq in scribed:
        assert "written by the arbiter for muscovites" in reader.text(f"#e{seq}")
    assert "only the arbiter's word" in reader.text("[data-role=muscovites]")


def test_disputes_and_rulings_stand_in_their_place_and_can_be_picked_out(reader: Reader) -> None:
    data, state = golden(TABLUT)
    reader.open(data)
    kinds = [kind for kind in EVENT_TYPES if kind.split(".")[0] in ("dispute", "ruling", "appeal")]
    reader.page.get_by_label("Rulings, disputes, notes").check()
    shown = reader.page.locator(".events li:visible").evaluate_all(
        "lines => lines.map((line) => line.dataset.type)"
    )
    assert set(kinds) <= set(shown)
    assert "move" not in shown
    disputed = next(e.event for e in state.entries if isinstance(e.event, DisputeRaised))
    reader.page.click(f"#e{disputed.seq} a")
    reader.page.get_by_label("All events").check()
    reader.page.click(f"#e{disputed.data.event} a")
    assert f"event {disputed.seq}" in reader.page.locator(".particulars").inner_text()


def test_a_record_with_faults_is_replayed_as_far_as_it_goes(reader: Reader) -> None:
    data, state = golden(TABLUT)
    reader.open(tampered(data, 6, payload=lambda payload: payload[:-9]), "#e0")
    assert reader.judged() == "faults"
    assert "This event cannot be read." in reader.text("#e6")
    reader.page.focus(".controls button")
    reader.page.keyboard.press("End")
    assert reader.at() == len(state.entries) - 1
    reader.page.keyboard.press("Home")
    for _ in range(6):
        reader.page.keyboard.press("ArrowRight")
    assert reader.at() == 6
    assert "FAULT: " in reader.text(".headline")

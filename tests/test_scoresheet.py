"""The score sheet as players sign it: what stands on it, as text and as a page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st
from match import Match
from msgspec.structs import replace
from terminal import unchanging
from test_toy_game import toy as toy
from toygame import GAME as PEBBLES
from toygame import Pebbles

from ledger import record
from ledger.events import (
    Award,
    CommitReveal,
    GivenResult,
    Physical,
    Remark,
    SetPosition,
    Source,
    decode,
    type_of,
)
from ledger.fold import Entry, MatchState, open_match
from ledger.games import every_game, ruleset
from ledger.render import code, paper
from ledger.render.page import page
from ledger.render.wrapping import cells, wrapped
from ledger.views.emptysheet import empty
from ledger.views.sheet import SheetView, letters, sheet
from ledger.views.sheetrows import SheetNote, SheetRow

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("*.tabellion.json"))
RULESETS = [name for game in every_game() for name in game.rulesets]
CONFIRMED = Physical(confirm=True)
PLAYERS = CommitReveal(contributors=("white", "black"))


def golden(path: Path) -> MatchState:
    """A match that an earlier release has written."""
    read = record.read(path.read_bytes())
    return open_match(
        [Entry(decode(one.payload), one.hash, one.keyid) for one in read.pieces if one is not None]
    )


def lines(view: SheetView, columns: int = 80) -> list[str]:
    return paper.text(view, columns, paper.code(view, columns))


def rows(match: Match) -> list[str]:
    """The rows of a match as text."""
    written = lines(sheet(match.state))
    begin = next(count for count, line in enumerate(written) if line.startswith(" No."))
    return written[begin + 1 : written.index("", begin)]


# -- a match on paper --------------------------------------------------------------------------

SHEET = """\
SCORE SHEET
rules: tablut (Tablut after Oriol Comas: corners)
match:
    QUADS
    QUADS

The Swedes: Alba
    signs with FINGERPRINT
The Muscovites: Bruno
    no key: the arbiter writes
Arbiter: Zoë
    signs with FINGERPRINT
Witness: Wanda
    signs with FINGERPRINT
Appeal: Ana
    signs with FINGERPRINT

 No.   the Swedes                          the Muscovites
       # event 1: Alba accepts
  1.   e3-f3                               e2-h2
  2.   e4-e2                               h2-h3
  3.   [Ke5-e4 taken back]
       # event 7: ruling: back to event 5: A piece was moved by mistake.
       #   [record]
  3.   Ke5-e3 raichi
       # event 10: Alba offers a draw
  3...                                     h3-h4
  4.   Ke3-a3                              h4-g4
       # event 12: raichi was due and not called
  5.   Ka3-a1
       # event 15: closed: a win for swedes (goal)

result: The king stands on the corner a1: the Swedes win.
that is: a win for swedes (goal), closed
countersigned by: nobody
open: The king stands on the corner a1: the Swedes win. Closed; Alba (the
    Swedes) may countersign.

position: /K2ttt3/4T4/5T3/t5t1t/ttTT1TTtt/t3T3t/4T4/4t4/3ttt3/ m
   a  b  c  d  e  f  g  h  i
9  +  .  .  t  t  t  .  .  +  9
8  .  .  .  .  t  .  .  .  .  8
7  .  .  .  .  T  .  .  .  .  7
6  t  .  .  .  T  .  .  .  t  6
5  t  t  T  T  #  T  T  t  t  5
4  t  .  .  .  .  .  t  .  t  4
3 [.] .  .  .  .  T  .  .  .  3
2  .  .  .  .  T  .  .  .  .  2
1 [K] .  .  t  t  t  .  .  +  1
   a  b  c  d  e  f  g  h  i
T Swede, K king, t Muscovite, # konakis (throne), + corner
Swedes beside the king 8, Muscovites 16

head: event 15
    QUADS
    QUADS
CODE

Signed for everything up to event 15, and for its hash:

The Swedes: Alba
    _____________________________________________________  date ________________

The Muscovites: Bruno
    _____________________________________________________  date ________________

Arbiter: Zoë
    _____________________________________________________  date ________________

Witness: Wanda
    _____________________________________________________  date ________________"""


def closed_match() -> Match:
    match = Match(keyed=["swedes"])

    def moves(*texts: str) -> None:
        for text in texts:
            match.act("move", text)

    moves("e3-f3", "e2-h2", "e4-e2", "h2-h3", "Ke5-e4")
    match.rewind(5)
    moves("Ke5-e3")
    match.call("raichi")
    match.offer_draw("swedes")
    moves("h3-h4", "Ke3-a3", "h4-g4", "Ka3-a1")
    match.close()
    return match


def test_a_match_as_it_is_signed() -> None:
    view = sheet(closed_match().state)
    written = unchanging("\n".join(lines(view)))
    written = re.sub(r"    ([0-9a-f]{4} ){7}[0-9a-f]{4}\n", "    QUADS\n", written)
    written = re.sub(f"(?:[{code.BLOCKS}]{{57}}\n)+", "CODE\n", written)
    assert written == SHEET


def test_the_hashes_are_whole() -> None:
    match = closed_match()
    written = [line.strip() for line in lines(sheet(match.state))]
    for digest, heading in ((match.state.match, "match:"), (match.state.head, "head: event 15")):
        place = written.index(heading)
        assert "".join(written[place + 1 : place + 3]).replace(" ", "") == digest


def test_who_countersigned_is_said() -> None:
    match = closed_match()
    match.countersign("swedes")
    match.countersign("witness1")
    view = sheet(match.state)
    assert [each.role for each in view.parties if each.countersigned] == ["swedes", "witness1"]
    assert "countersigned by: Alba (the Swedes), Wanda (witness)" in lines(view)
    assert view.due == ()


def test_the_terms_of_the_match() -> None:
    match = Match(ruleset="tablero", dice=CONFIRMED, turn_cap=9, diablo="called")
    opening = replace(
        match.state.opening,
        event="Spring meet",
        round="2",
        table="4",
        place="Palma",
        date="2026-11-30",
        source=Source(format="some-text", sha256="ab" * 32),
    )
    written = lines(sheet(replace(match.state, opening=opening)))
    assert written[1:12] == [
        "event: Spring meet",
        "round: 2",
        "table: 4",
        "place: Palma",
        "date: 2026-11-30",
        "rules: tablero (El Tablero de Jesús after the box of 1971: Baselines make",
        "    Formations) with diablo=called",
        "over after: 9 turns",
        "dice: on the table, confirmed by the other seat",
        "read from a file: some-text, SHA-256",
        f"    {'ab' * 32}",
    ]


# -- rows with dice ----------------------------------------------------------------------------


def test_a_row_for_each_throw_with_what_came_of_it() -> None:
    match = Match(ruleset="tablero", dice=CONFIRMED, keyed=())
    for faces, acts in (
        ((4, 4), ()),
        ((5, 3), ()),
        ((3, 4), ("wager",)),
        ((5, 6), ()),
        ((3, 3), ("move a7-a4 b7-b4", "pull 4a-b")),
    ):
        match.record(*faces)
        waiting = match.state.rolling.recorded
        assert waiting
        match.confirm("arbiter", waiting.confirmer)
        for act in acts:
            match.act(*act.split(" ", 1))
    match.record(1, 5)
    assert rows(match) == [
        "  0.   S 4 N 4  # equal: once more",
        "  0.   S 5 N 3",
        "  1.   S 3-4: wager  # a Pass Number; South stakes 7 of 13",
        "  2.   S 5-6  # a Pass Number; the Wager of 7 goes to North",
        "  3.   N 3-3: a7-a4 b7-b4; pull 4a-b  # North takes 2, South fills 2",
        "  4.   S 1-5  # not confirmed",
    ]


def test_an_act_of_the_other_side_is_a_row_of_its_own() -> None:
    match = Match(ruleset="tablero", dice=Physical(confirm=False), keyed=(), diablo="called")
    for faces in ((5, 3), (2, 4)):
        match.record(*faces)
    match.act("move", "b7-b1")
    match.record(6, 1)
    match.act("move", "a7-a1")
    match.act("diablo")
    assert [row.split("  #")[0] for row in rows(match)] == [
        "  0.   S 5 N 3",
        "  1.   S 2-4: b7-b1",
        "  2.   S 6-1: a7-a1",
        "  3.   N: diablo",
    ]


def test_dice_that_the_players_make_have_one_row_and_no_word_of_their_numbers() -> None:
    match = Match(ruleset="tabula", dice=PLAYERS)
    while match.state.game.wanted(match.state.position):
        match.roll()
    match.play_any()
    written = rows(match)
    assert len(written) == len(match.state.rolling.rolls) + 2
    assert written[:2] == ["       # event 1: Alba accepts", "       # event 2: Bruno accepts"]
    assert all(
        re.match(r"  0\.   W \d B \d|  1\.   [WB] \d-\d-\d: hand/", row) for row in written[2:]
    )


def test_a_throw_that_nobody_opened_to_its_end_is_told() -> None:
    match = Match(ruleset="tabula", dice=PLAYERS)
    for seat in ("white", "black"):
        match.commit(seat)
    thrown = match.throw("white")
    match.resign("black")
    assert rows(match)[-2:] == [
        f"       # event {thrown}: Alba throws roll 1",
        f"       # event {thrown + 1}: Bruno resigns",
    ]


def test_dice_that_were_voided_before_they_were_confirmed_stay() -> None:
    match = Match(ruleset="tabula", dice=CONFIRMED, keyed=())
    match.record(4, 2)
    match.void()
    match.record(4, 3)
    assert rows(match) == [
        "  0.   [W 4 B 2 void]",
        "       # event 2: Zoë voids roll 1: a die was cocked",
        "  0.   W 4 B 3  # not confirmed",
    ]


def test_a_resignation_that_was_taken_back_stays() -> None:
    match = Match()
    match.play("e3-f3")
    match.resign("muscovites")
    match.rewind(3)
    assert rows(match)[3:] == [
        "       # [event 4: Bruno resigns taken back]",
        "       # event 5: ruling: back to event 3: A piece was moved by mistake.",
        "       #   [record]",
    ]


def test_a_ruling_stands_in_its_place_and_the_rows_go_on() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")
    match.rule(SetPosition(position=match.after(3)))
    match.play("e2-h2", "e4-e2")
    dispute = match.dispute(by="muscovites")
    match.settle("muscovites", dispute)
    match.settle("swedes", dispute)
    match.rule(GivenResult(kind="draw"))
    assert rows(match)[2:] == [
        "  1.   e3-f3                               e2-h2",
        "       # event 5: ruling: the position is",
        f"       #   {match.after(3)}: A piece was",
        "       #   moved by mistake. [record]",
        "  2...                                     e2-h2",
        "  3.   e4-e2",
        "       # event 8: Bruno disputes event 7: That is not what was played.",
        "       # event 9: Bruno would settle the dispute about event 7",
        "       # event 10: Alba agrees: the dispute about event 7 is settled",
        "       # event 11: ruling: the game is a draw: A piece was moved by mistake.",
        "       #   [record]",
    ]
    assert "result: By the ruling the game is a draw." in lines(sheet(match.state))


def test_dice_that_a_ruling_gave_have_their_row_below_it() -> None:
    match = Match(ruleset="tabula", dice=PLAYERS)
    for seat in ("white", "black"):
        match.commit(seat)
    match.throw("white")
    match.rule(Award(roll=1, dice=(5, 2)))
    assert rows(match)[2:] == [
        "       # event 6: ruling: roll 1 counts as 5-2: A piece was moved by mistake.",
        "       #   [record]",
        "  0.   W 5 B 2",
    ]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name.split(".")[0])
def test_nothing_of_a_match_is_left_out(path: Path) -> None:
    """Every event stands on the sheet: in a row, as a note, or as a part of a throw."""
    state = golden(path)
    view = sheet(state)
    acts = [act.seq for line in view.lines if isinstance(line, SheetRow) for act in line.acts]
    notes = [line.seq for line in view.lines if isinstance(line, SheetNote)]
    throws = [line.dice for line in view.lines if isinstance(line, SheetRow) and line.dice]
    assert sorted(throws) == sorted(roll.dice for roll in state.rolling.rolls)
    assert not set(acts) & set(notes)
    of_dice = {"dice.committed", "roll", "roll.opened", "roll.recorded", "roll.confirmed"}
    for entry in state.entries[1:]:
        seq = entry.event.seq
        assert seq in acts or seq in notes or type_of(entry.event) in of_dice, seq
    struck = [
        act.seq
        for line in view.lines
        if isinstance(line, SheetRow)
        for act in line.acts
        if act.struck
    ]
    assert set(struck) == set(acts) & state.superseded()
    for columns in (80, 40, 20):
        assert_fits(view, columns)
    well_formed(page(view))


def assert_fits(view: SheetView, columns: int) -> None:
    """No line is wider, but those of the board."""
    for line in lines(view, columns):
        assert cells(line) <= columns or line in paper.drawn(view), line


# -- empty sheets ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULESETS)
def test_an_empty_sheet_has_the_columns_of_its_game(name: str) -> None:
    game, rules = ruleset(name)
    view = empty(game, rules)
    written = lines(view)
    assert f"rules: {name} ({rules.title})" in " ".join(map(str.strip, written))
    for title in game.titles.values():
        heading = title[0].upper() + title[1:]
        assert f"{heading}: {'_' * (78 - len(heading))}" in written
        assert f"{heading}:" in written
    play = [line for line in view.lines if isinstance(line, SheetRow) and line.number]
    assert [row.number for row in play] == list(range(1, 37))
    if game.dice:
        assert "dice: " + "_" * 74 in written
        toss = [line for line in view.lines if isinstance(line, SheetRow) and line.toss]
        assert [(row.number, row.dice) for row in toss] == [(0, (0, 0))] * 2
    assert {row.dice for row in play} == {(0,) * {"tabula": 3, "tablero": 2}.get(game.name, 0)}
    assert {len(line) for line in written} >= {80}
    assert_fits(view, 80)
    assert (view.code, view.board, paper.code(view)) == (None, None, [])
    well_formed(page(view))


@pytest.mark.parametrize("view", ["empty", "filled"])
def test_the_columns_begin_with_the_side_that_moves_first(view: str) -> None:
    game, rules = ruleset("tablut-linnaeus")
    found = empty(game, rules) if view == "empty" else sheet(Match(ruleset=rules.name).state)
    assert [each.role for each in found.parties[:2]] == ["muscovites", "swedes"]
    assert [*found.letters] == ["muscovites", "swedes"]
    columns = '<th scope="col">The Muscovites</th><th scope="col">The Swedes</th>'
    assert columns in page(found)


def test_the_rows_of_an_empty_sheet() -> None:
    assert [
        line
        for name in ("tablut", "tabula", "tablero")
        for line in lines(empty(*ruleset(name)))
        if re.match(r"  [01]\.|Written", line)
    ] == [
        "Written so: e3-f3 (a move); raichi (a call).",
        "  1.   __________________________________  __________________________________",
        "Written so: hand/3 3/9 (a turn, a word for each die); pass (no die can be",
        "  0.   W _ B _",
        "  0.   W _ B _",
        "  1.   W/B _-_-_: " + "_" * 62,
        "Written so: c1-c4 d7-d2 (a move: a word for each coin; c4 d2 will do); pull 4a-c",
        "  0.   S _ N _",
        "  0.   S _ N _",
        "  1.   S/N _-_: " + "_" * 64,
    ]


# -- a fourth game -----------------------------------------------------------------------------


def test_an_invented_game_has_its_own_columns(toy: Path) -> None:
    written = lines(empty(PEBBLES, PEBBLES.rulesets["toy"]))
    assert "  0.   H _ O _" in written
    assert "  1.   H/O _: " + "_" * 66 in written
    assert "Written so: a1 b1 (pebbles of one row are taken); pass (after a 1)." in written


def test_acts_without_dice_of_a_game_with_dice_change_rows_with_the_side(toy: Path) -> None:
    match = Match(ruleset="toy", dice=Physical(confirm=False), keyed=())
    for faces, text in (((6, 2), ""), ((6,), "a1 b1 c1"), ((5,), "a3 b3 c3"), ((), "a2")):
        if faces:
            match.record(*faces)
        if text:
            match.act("move", text)
    match.act("move", "b2")
    assert rows(match) == [
        "  0.   H 6 O 2",
        "  1.   H 6: a1 b1 c1",
        "  2.   O 5: a3 b3 c3",
        "  3.   H: a2",
        "  4.   O: b2",
    ]


class WithoutDice(Pebbles):
    """A game whose moves have several words, and no dice; both sides begin alike."""

    dice = False
    seats = ("heron", "hermit")
    titles = {"heron": "the Heron", "hermit": "the Hermit"}  # noqa: RUF012


def test_sides_that_begin_alike_have_longer_letters() -> None:
    game = WithoutDice()
    assert letters(game) == {"heron": "HERO", "hermit": "HERM"}
    view = empty(game, game.rulesets["toy"])
    assert view.dice is None
    assert not view.pairs


# -- the code ----------------------------------------------------------------------------------


def modules(drawn: list[str], *, lit: bool) -> list[list[bool]]:
    """What is dark in half blocks, as a camera sees it, without the rim."""
    found = []
    for line in drawn:
        upper = [(sign in "▀█") != lit for sign in line]
        lower = [(sign in "▄█") != lit for sign in line]
        found += [upper, lower]
    return [row[4:-4] for row in found[4:-5]]


@pytest.mark.parametrize("lit", [False, True])
def test_the_code_holds_match_number_and_head(lit: bool) -> None:
    match = closed_match()
    state = match.state
    text = f"tabellion:{state.match}:15:{state.head}"
    view = sheet(state)
    assert view.code == text
    expected = [[bool(dark) for dark in row] for row in segno.make(text, error="m").matrix]
    assert modules(paper.code(view, lit=lit), lit=lit) == expected


def test_on_a_terminal_the_code_is_drawn_as_its_library_draws_it() -> None:
    drawn = StringIO()
    segno.make("tabellion", micro=False, error="m").terminal(drawn, compact=True)
    assert code.blocks("tabellion", lit=True) == drawn.getvalue().splitlines()


def test_the_page_has_the_same_code_with_its_words() -> None:
    view = sheet(closed_match().state)
    (drawing,) = well_formed(page(view)).iter("svg")
    assert drawing.get("role") == "img"
    text = drawing.findtext("title") or ""
    assert text.endswith(view.code or "-")
    (dark,) = [each.get("d") for each in drawing.iter("path") if each.get("stroke")]
    other = segno.make(view.code, error="m").svg_inline(border=4)
    assert f'd="{dark}"' in other


# -- the page ----------------------------------------------------------------------------------

HOSTILE = (
    "<script>alert(1)</script>",
    "</td></tr></table><h1>SOUND</h1>",
    "\"'><img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp; ]]>",
    "<!-- ",
)


def well_formed(written: str) -> Any:
    return ET.fromstring(written)


def named(name: str) -> MatchState:
    match = closed_match()
    roster = {role: replace(party, name=name) for role, party in match.state.roster.items()}
    opening = replace(match.state.opening, event=name, place=name)
    return replace(match.state, roster=roster, opening=opening)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_names_on_the_page(name: str) -> None:
    usual, hostile = (well_formed(page(sheet(named(each)))) for each in ("Alba", name))
    assert [each.tag for each in hostile.iter()] == [each.tag for each in usual.iter()]
    said = ["".join(each.itertext()) for each in hostile.iter("bdi")]
    assert said.count(name) == 9  # event, place, twice in the heading, five with a role
    assert hostile.findtext("head/title") == f"Score sheet: {name} – {name}"


def test_the_page_needs_nothing_from_outside_and_can_be_printed() -> None:
    written = page(sheet(closed_match().state))
    tree = well_formed(written)
    assert written.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert not {"script", "link", "img", "iframe", "object"} & {each.tag for each in tree.iter()}
    attributes = {key for each in tree.iter() for key in each.attrib}
    assert not attributes & {"src", "href", "style", "onload", "onerror", "xlink:href"}
    style = tree.findtext("head/style") or ""
    assert not re.search(r"url\(|@import|http|[<&]", style)
    for rule in ("@page { size: A4", "display: table-header-group", "tr { break-inside: avoid }"):
        assert rule in style
    colours = set(re.findall(r"#[0-9a-f]{3,6}", written))
    assert colours == {"#000", "#fff"}
    assert all(table.find("thead/tr/th") is not None for table in tree.iter("table"))


def test_the_page_strikes_what_was_taken_back() -> None:
    tree = well_formed(page(sheet(closed_match().state)))
    assert ["".join(each.itertext()) for each in tree.iter("s")] == ["Ke5-e4"]
    table = next(tree.iter("tbody"))
    said = [" | ".join("".join(cell.itertext()) for cell in row) for row in table]
    assert said[3:8] == [
        "3. | Ke5-e4 taken back | ",
        " | event 7: ruling: back to event 5: A piece was moved by mistake. [record]",
        "3. | Ke5-e3 raichi | ",
        " | event 10: Alba offers a draw",
        "3… |  | h3-h4",
    ]
    assert said[8] == "4. | Ke3-a3raichi was due and not called | h4-g4"


def test_every_row_of_the_page_has_every_column() -> None:
    views = [sheet(golden(path)) for path in RECORDS]
    views += [empty(*ruleset(name)) for name in RULESETS]
    for view in views:
        tree = well_formed(page(view))
        for table in tree.iter("table"):
            columns = len(table.findall("thead/tr/th"))
            for row in table.findall("tbody/tr"):
                assert sum(int(cell.get("colspan", 1)) for cell in row) == columns


# -- lines -------------------------------------------------------------------------------------

words = st.text(st.sampled_from("ab-é王\u0301👩"), min_size=1, max_size=60)


@given(st.lists(words, max_size=8), st.integers(2, 80), st.integers(0, 3))
def test_nothing_is_cut_and_nothing_too_wide(said: list[str], room: int, margin: int) -> None:
    text, columns = " ".join(said), room + margin
    broken = list(wrapped(text, columns, "#" * margin, "=" * margin))
    assert all(cells(line) <= columns for line in broken)
    assert broken[0].startswith("#" * margin)
    assert all(line.startswith("=" * margin) for line in broken[1:])
    assert "".join(line[margin:] for line in broken).replace(" ", "") == "".join(said)


def test_wide_signs_take_two_columns_and_accents_none() -> None:
    assert [cells(text) for text in ("abc", "王", "e\u0301", "👩", "")] == [3, 2, 1, 2, 0]
    assert list(wrapped("王王王", 5)) == ["王王", "王"]


@pytest.mark.parametrize("name", ["A" * 80, "王" * 80, "👩‍👩‍👧" * 16, "a b" * 26])
def test_long_names_fit_every_width(name: str) -> None:
    view = sheet(named(name))
    for columns in (80, 57, 30):
        assert_fits(view, columns)
        written = "".join(lines(view, columns)).replace(" ", "")
        assert written.count(name.replace(" ", "")) >= 6


def test_a_long_note_fits() -> None:
    match = Match()
    match.write("note", Remark(text="n" * 4000), "arbiter")
    view = sheet(match.state)
    assert_fits(view, 80)
    assert "".join(line.lstrip(" #") for line in lines(view)).count("n" * 4000) == 1

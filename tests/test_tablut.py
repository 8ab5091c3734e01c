"""Tablut told as match reports: a board, a move, and the board after it or the refusal.

Reports show two boards side by side, before and after, from the Swedes' side; ranks that are left
out are empty. T is a Swede, t a Muscovite, K the king.
"""

from __future__ import annotations

import re

import pytest

from ledger.errors import Ambiguous, Unreadable
from ledger.games.protocol import Action, Illegal, OptionValue
from ledger.games.tablut import GAME, State, calls_due, repetitions

Options = dict[str, OptionValue]


def rules(ruleset: str = "tablut", /, **changes: OptionValue) -> Options:
    defaults = {name: option.default for name, option in GAME.options.items()}
    return defaults | dict(GAME.rulesets[ruleset].changes) | changes


def boards(report: str, size: int = 9) -> list[str]:
    """The boards of a report, in the notation of positions without the side to move."""
    rows = {int(line.split()[0]): line.split()[1:] for line in report.strip().splitlines()}
    count = len(next(iter(rows.values())))
    found = []
    for column in range(count):
        ranks = [rows.get(rank, ["." * size] * count)[column] for rank in range(1, size + 1)]
        packed = [re.sub(r"\.+", lambda gap: str(len(gap[0])), rank) for rank in ranks]
        found.append(f"/{'/'.join(packed)}/")
    return found


def set_up(options: Options, side: str, report: str, size: int = 9) -> State:
    return GAME.place(options, f"{boards(report, size)[0]} {side}")


def plays(options: Options, side: str, move: str, report: str, size: int = 9) -> State:
    """The move, as written here, is legal, canonical, listed, and leads to the second board."""
    before, after = boards(report, size)
    state = GAME.place(options, f"{before} {side}")
    assert Action("move", move) in GAME.legal(state)
    assert GAME.read(state, "move", move).text == move
    state = GAME.apply(state, Action("move", move))
    assert GAME.position(state) == f"{after} {'m' if side == 's' else 's'}"
    return state


def refuses(options: Options, side: str, move: str, report: str, size: int = 9) -> str:
    """The rules refuse the move, typed or recorded; the code and the words of the refusal."""
    state = set_up(options, side, report, size)
    with pytest.raises(Illegal) as typed:
        GAME.read(state, "move", move)
    with pytest.raises(Illegal) as recorded:
        GAME.apply(state, Action("move", move))
    assert str(typed.value) == str(recorded.value)
    return f"{typed.value.code}: {typed.value}"


def walk(state: State, *moves: str) -> State:
    for move in moves:
        state = GAME.apply(state, GAME.read(state, "move", move))
    return state


def ending(state: State) -> tuple[str, str | None]:
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert GAME.turn(state) is None
    assert list(GAME.legal(state)) == []
    return outcome.reason, outcome.winner


# ---- the start


def test_start() -> None:
    state = GAME.start(rules())
    assert GAME.position(state) == "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/ s"
    assert GAME.turn(state) == "swedes"
    assert GAME.outcome(state) is None
    assert len(GAME.legal(state)) == 56
    assert list(GAME.remarks(state)) == []


def test_first_muscovites() -> None:
    assert GAME.turn(GAME.start(rules(first="muscovites"))) == "muscovites"


@pytest.mark.parametrize(("ruleset", "moves"), [("hnefatafl", 60), ("tawlbwrdd", 56)])
def test_larger_boards(ruleset: str, moves: int) -> None:
    state = GAME.start(rules(ruleset))
    assert len(GAME.legal(state)) == moves
    assert GAME.surface(state).rows[-1] == "11"
    assert GAME.position(GAME.place(rules(ruleset), GAME.position(state))) == GAME.position(state)


def test_every_option_has_a_reason_and_every_ruleset_known_values() -> None:
    assert list(GAME.rulesets) == [
        "tablut",
        "tablut-edge",
        "tablut-linnaeus",
        "tablut-ashton",
        "hnefatafl",
        "tawlbwrdd",
    ]
    for option in GAME.options.values():
        assert option.reason.endswith(".")
    for ruleset in GAME.rulesets.values():
        for name, value in ruleset.changes.items():
            assert value in GAME.options[name].values[1:]


@pytest.mark.parametrize("name", list(GAME.options))
def test_every_value_of_every_option_starts_a_game(name: str) -> None:
    for value in GAME.options[name].values:
        assert GAME.legal(GAME.start(rules(**{name: value})))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"goal": "centre"}, "impossible-option"),
        ({"goal": ["corners"]}, "impossible-option"),
        ({"goal": True}, "impossible-option"),
        ({"camps": 1}, "impossible-option"),
        ({"camps": "true"}, "impossible-option"),
        ({"captures": None}, "impossible-option"),
        ({"board": {}}, "impossible-option"),
        ({"weather": "fine"}, "unknown-option"),
        ({"x" * 9999: "fine"}, "unknown-option"),
    ],
)
def test_start_refuses_options(change: Options, code: str) -> None:
    for begin in (GAME.start, lambda o: GAME.place(o, "/9/9/9/9/4K4/9/9/9/8t/ s")):
        with pytest.raises(Unreadable) as refusal:
            begin(rules() | change)
        assert refusal.value.code == code
        assert len(str(refusal.value)) < 200


def test_start_refuses_a_missing_option() -> None:
    options = rules()
    del options["calls"]
    with pytest.raises(Unreadable, match="The option calls is missing"):
        GAME.start(options)


# ---- captures


def test_a_piece_between_two_enemies_is_captured() -> None:
    plays(
        rules(),
        "s",
        "f4-e4xd4",
        """
        9  t........  t........
        5  ....K....  ....K....
        4  ..Tt.T...  ..T.T....
        """,
    )


def test_a_piece_may_move_between_two_enemies() -> None:
    plays(
        rules(),
        "s",
        "d3-d4",
        """
        5  ....K....  ....K....
        4  ..t.t....  ..tTt....
        3  ...T.....  .........
        """,
    )


def test_no_capture_past_the_edge_or_on_the_diagonal() -> None:
    plays(
        rules(),
        "s",
        "b1-b4",
        """
        5  t...K....  t...K....
        4  t........  tT.......
        1  .T.......  .........
        """,
    )


THREE_AT_ONCE = """
    9  t........  t........
    6  ...T.....  ...T.....
    5  ...tK....  ....K....
    4  .Tt.tT...  .T.T.T...
    1  ...T.....  .........
    """


def test_each_direction() -> None:
    plays(rules(), "s", "d1-d4xc4/d5/e4", THREE_AT_ONCE)


def test_single_must_name_the_one() -> None:
    single = rules(captures="single")
    state = set_up(single, "s", THREE_AT_ONCE)
    for attempt in (GAME.read, lambda s, k, t: GAME.apply(s, Action(k, t))):
        with pytest.raises(Ambiguous) as question:
            attempt(state, "move", "d1-d4")
        assert question.value.code == "choose-capture"
        assert "d1-d4xc4 or d1-d4xd5 or d1-d4xe4" in str(question.value)
    named = [action.text for action in GAME.legal(state) if action.text.startswith("d1-d4")]
    assert named == ["d1-d4xc4", "d1-d4xd5", "d1-d4xe4"]
    plays(
        single,
        "s",
        "d1-d4xd5",
        """
        9  t........  t........
        6  ...T.....  ...T.....
        5  ...tK....  ....K....
        4  .Tt.tT...  .TtTtT...
        1  ...T.....  .........
        """,
    )
    assert refuses(single, "s", "d1-d4xc4/d5", THREE_AT_ONCE) == (
        "wrong-capture: d1-d4 is refused: one move takes one piece only (captures): c4 or d5 or e4"
    )


def test_single_without_choice_need_not_be_named() -> None:
    state = set_up(rules(captures="single"), "s", "9 t........\n5 ....K....\n4 ..Tt.T...")
    assert GAME.read(state, "move", "f4-e4").text == "f4-e4xd4"


KING_OR_SWEDE = """
    5  ...t.....
    4  ...T.....
    3  .tK......
    1  ...t.....
    """


def test_single_the_king_may_be_the_choice() -> None:
    options = rules(captures="single", king_capture="two_away")
    state = set_up(options, "m", KING_OR_SWEDE)
    with pytest.raises(Ambiguous, match="d1-d3xc3 or d1-d3xd4"):
        GAME.read(state, "move", "d1-d3")
    assert GAME.outcome(walk(state, "d1-d3xd4")) is None
    assert ending(walk(state, "d1-d3xc3")) == ("king_taken", "muscovites")


def test_king_and_swede_fall_together() -> None:
    state = set_up(rules(king_capture="two_away"), "m", KING_OR_SWEDE)
    assert GAME.read(state, "move", "d1-d3").text == "d1-d3xc3/d4"
    assert ending(walk(state, "d1-d3")) == ("king_taken", "muscovites")


# ---- konakis


CROSSING = """
    9  t........  t........
    6  ...K.....  ...K.....
    5  ..T......  ......T..
    """


def test_konakis_pass_all() -> None:
    plays(rules(), "s", "c5-g5", CROSSING)


@pytest.mark.parametrize(
    ("who", "words"), [("king", "only the king may"), ("none", "no piece may")]
)
def test_konakis_pass_closed(who: str, words: str) -> None:
    assert refuses(rules(konakis_pass=who), "s", "c5-g5", CROSSING) == (
        f"konakis-pass: c5-g5 is refused: e5 is the konakis: {words} pass over it (konakis_pass)"
    )


KING_CROSSING = """
    9  t........  t........
    5  ..K......  ......K..
    """


def test_the_king_crosses_the_konakis() -> None:
    plays(rules(konakis_pass="king"), "s", "Kc5-g5", KING_CROSSING)
    assert refuses(rules(konakis_pass="none"), "s", "Kc5-g5", KING_CROSSING).endswith(
        "e5 is the konakis: no piece may pass over it (konakis_pass)"
    )


def test_konakis_stop() -> None:
    board = """
        9  t........  t........
        5  ..K......  ....K....
        3  ....T....  ....T....
        """
    plays(rules(), "s", "Kc5-e5", board)
    plays(rules(konakis_pass="none"), "s", "Kc5-e5", board)
    assert refuses(rules(), "s", "e3-e5", board) == (
        "konakis-stop: e3-e5 is refused: e5 is the konakis: only the king may stop there"
        " (konakis_stop)"
    )
    assert refuses(rules(konakis_stop="never"), "s", "Kc5-e5", board) == (
        "konakis-stop: Kc5-e5 is refused: e5 is the konakis: no piece may stop there (konakis_stop)"
    )


SWEDE_BEFORE_EMPTY_KONAKIS = """
    8  ..K......  ..K......
    4  ....T....  .........
    3  t........  ....t....
    """
MUSCOVITE_BEFORE_EMPTY_KONAKIS = """
    8  ..K.....t  ..K.....t
    4  ....t....  .........
    3  T........  ....T....
    """
MUSCOVITE_BEFORE_KING = """
    8  ........t  ........t
    5  ....K....  ....K....
    4  ....t....  .........
    3  T........  ....T....
    """


@pytest.mark.parametrize("hostile", ["empty", "linnaean", "always"])
def test_the_empty_konakis_is_an_anvil_to_both(hostile: str) -> None:
    plays(rules(konakis_hostile=hostile), "m", "a3-e3xe4", SWEDE_BEFORE_EMPTY_KONAKIS)
    plays(rules(konakis_hostile=hostile), "s", "a3-e3xe4", MUSCOVITE_BEFORE_EMPTY_KONAKIS)


def test_konakis_hostile_never() -> None:
    never = rules(konakis_hostile="never")
    for side, board in (("m", SWEDE_BEFORE_EMPTY_KONAKIS), ("s", MUSCOVITE_BEFORE_EMPTY_KONAKIS)):
        assert GAME.read(set_up(never, side, board), "move", "a3-e3").text == "a3-e3"
    plays(never, "s", "a3-e3xe4", MUSCOVITE_BEFORE_KING)


@pytest.mark.parametrize("hostile", ["empty", "linnaean", "always", "never"])
def test_a_king_on_the_konakis_is_a_swedish_anvil_only_when_armed(hostile: str) -> None:
    armed = rules(konakis_hostile=hostile)
    plays(armed, "s", "a3-e3xe4", MUSCOVITE_BEFORE_KING)
    state = set_up(armed | {"king_armed": False}, "s", MUSCOVITE_BEFORE_KING)
    assert GAME.read(state, "move", "a3-e3").text == "a3-e3"


@pytest.mark.parametrize(
    ("hostile", "guards", "taken"),
    [
        ("empty", "ttt", False),
        ("linnaean", "ttt", True),
        ("linnaean", "tt.", False),
        ("linnaean", "ttT", False),
        ("always", "ttt", True),
        ("always", "...", True),
        ("never", "ttt", False),
    ],
)
def test_a_swede_before_his_king_on_the_konakis(hostile: str, guards: str, taken: bool) -> None:
    west, north, east = list(guards)
    state = set_up(
        rules(konakis_hostile=hostile),
        "m",
        f"""
        6  ....{north}....
        5  ...{west}K{east}...
        4  ....T....
        3  t........
        """,
    )
    assert GAME.read(state, "move", "a3-e3").text == ("a3-e3xe4" if taken else "a3-e3")


def test_the_king_enters_the_konakis_as_a_hammer_and_leaves_it_as_no_anvil() -> None:
    plays(
        rules(),
        "s",
        "Kc5-e5xe4",
        """
        9  t........  t........
        5  ..K......  ....K....
        4  ....t....  .........
        3  ....T....  ....T....
        """,
    )
    plays(
        rules(),
        "s",
        "Ke5-e7",
        """
        9  t........  t........
        7  .........  ....K....
        5  ....K....  .........
        4  ....t....  ....t....
        3  ....T....  ....T....
        """,
    )


# ---- corners


def test_corner_stop() -> None:
    board = """
        9  ........t  ........t
        5  ....K....  ....K....
        1  ..T......  T........
        """
    assert refuses(rules(), "s", "c1-a1", board) == (
        "corner-stop: c1-a1 is refused: a1 is a corner: only the king may stop there (corner_stop)"
    )
    plays(rules(corner_stop="all"), "s", "c1-a1", board)


def test_corner_hostile() -> None:
    for side, victim, hammer in (("m", "T", "t"), ("s", "t", "T")):
        board = f"""
            9  ........t  ........t
            5  ....K....  ....K....
            4  ..{hammer}......  .........
            1  .{victim}.......  ..{hammer}......
            """
        plays(rules(), side, "c4-c1xb1", board)
        state = set_up(rules(corner_hostile=False), side, board)
        assert GAME.read(state, "move", "c4-c1").text == "c4-c1"


def test_an_occupied_corner_is_what_stands_there() -> None:
    taken = {"t": "c4-c1xb1", "T": "c4-c1"}
    for piece, text in taken.items():
        board = f"5 ....K....\n4 ..t......\n1 {piece}T......."
        assert GAME.read(set_up(rules(corner_stop="all"), "m", board), "move", "c4-c1").text == text


# ---- the king


def test_king_armed() -> None:
    hammer = "9 t........\n5 ....K....\n4 ..Tt....."
    anvil = "9 t........\n4 ..Kt.T..."
    for board, move in ((hammer, "Ke5-e4"), (anvil, "f4-e4")):
        armed = GAME.read(set_up(rules(), "s", board), "move", move)
        assert armed.text == f"{move}xd4"
        unarmed = rules(king_armed=False)
        assert GAME.read(set_up(unarmed, "s", board), "move", move).text == move
        assert refuses(unarmed, "s", f"{move}xd4", board) == (
            f"wrong-capture: {move} is refused: it does not capture on d4"
        )


def test_king_taken_on_four_sides() -> None:
    board = """
        8  ..t......  ..t......
        7  .tK......  .t.t.....
        6  ..tt.....  ..t......
        """
    state = plays(rules(), "m", "d6-d7xc7", board)
    assert ending(state) == ("king_taken", "muscovites")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.text == "The king is taken on c7: the Muscovites win."


def test_king_not_taken_on_three_sides() -> None:
    plays(
        rules(),
        "m",
        "d6-d7",
        """
        7  .tK......  .tKt.....
        6  ..tt.....  ..t......
        """,
    )


@pytest.mark.parametrize("hostile", ["empty", "never"])
@pytest.mark.parametrize("capture", ["four", "edge_three", "two_away"])
def test_king_beside_the_konakis(hostile: str, capture: str) -> None:
    options = rules(king_capture=capture, konakis_hostile=hostile)
    three = """
        4  ...tK....  ...t.t...
        3  ....tt...  ....t....
        """
    assert ending(plays(options, "m", "f3-f4xe4", three)) == ("king_taken", "muscovites")
    two = """
        4  ...tK....  ...tKt...
        3  .....t...  .........
        """
    plays(options, "m", "f3-f4", two)


@pytest.mark.parametrize("capture", ["four", "edge_three", "two_away"])
def test_king_on_the_konakis(capture: str) -> None:
    plays(
        rules(king_capture=capture),
        "m",
        "f4-f5",
        """
        6  ....t....  ....t....
        5  ...tK....  ...tKt...
        4  .....t...  .........
        """,
    )
    plays(
        rules(king_capture=capture),
        "m",
        "f4-f5xe5",
        """
        6  ....t....  ....t....
        5  ...tK....  ...t.t...
        4  ....tt...  ....t....
        """,
    )


def test_a_king_who_walks_into_an_enclosure_is_not_taken() -> None:
    state = plays(
        rules(),
        "s",
        "Kc5-c4",
        """
        9  ........t  ........t
        5  ..K......  .........
        4  .t.t.....  .tKt.....
        3  ..t......  ..t......
        """,
    )
    assert GAME.outcome(walk(state, "i9-i8")) is None
    board = "9 ........t\n8 ..t......\n7 .tKt.....\n6 ..t......"
    state = walk(set_up(rules(), "m", board), "i9-i8")
    assert (
        GAME.outcome(state) is not None
    )  # not taken: he has no move, and no Swede to move for him
    assert ending(state) == ("no_moves", "muscovites")


def test_king_on_the_edge() -> None:
    board = """
        5  t........  t........
        4  K........  .t.......
        3  tt.......  t........
        """
    four = set_up(rules(), "m", board)
    assert GAME.read(four, "move", "b3-b4").text == "b3-b4"
    assert ending(walk(four, "b3-b4")) == ("no_moves", "muscovites")
    taken = plays(rules(king_capture="edge_three"), "m", "b3-b4xa4", board)
    assert ending(taken) == ("king_taken", "muscovites")


@pytest.mark.parametrize("hostile", [True, False])
def test_edge_three_a_corner_counts(hostile: bool) -> None:
    options = rules(king_capture="edge_three", corner_hostile=hostile, corner_stop="all")
    state = plays(
        options,
        "m",
        "b3-b2xa2",
        """
        3  tt.......  t........
        2  K........  .t.......
        """,
    )
    assert ending(state) == ("king_taken", "muscovites")
    occupied = "3 tt.......\n2 K........\n1 T........"
    assert GAME.read(set_up(options, "m", occupied), "move", "b3-b2").text == "b3-b2"


def test_edge_three_off_the_edge_needs_four() -> None:
    three = "7 .tK......\n6 ..tt....."
    state = set_up(rules(king_capture="edge_three"), "m", three)
    assert GAME.read(state, "move", "d6-d7").text == "d6-d7"


def test_two_away() -> None:
    state = plays(
        rules(king_capture="two_away"),
        "m",
        "d6-d7xc7",
        """
        7  .tK......  .t.t.....
        6  ...t.....  .........
        """,
    )
    assert ending(state) == ("king_taken", "muscovites")


@pytest.mark.parametrize(
    ("options", "board", "move", "taken"),
    [
        # the corner, hostile or not
        (rules(king_capture="two_away"), "3 ..t......\n1 .K.......", "c3-c1", True),
        (
            rules(king_capture="two_away", corner_hostile=False),
            "3 ..t......\n1 .K.......",
            "c3-c1",
            False,
        ),
        # on the edge with the board's end behind him
        (rules(king_capture="two_away"), "3 K.t......", "c3-b3", False),
        # a camp behind him, empty and occupied; camps do not count for `four`
        (rules("tablut-ashton"), "6 .K.t.....", "d6-c6", True),
        (rules("tablut-ashton"), "6 tK.t.....", "d6-c6", True),
        (rules("tablut-ashton", king_capture="four"), "6 .K.t.....", "d6-c6", False),
        (rules(king_capture="two_away", goal="edge"), "6 .K.t.....", "d6-c6", False),
    ],
)
def test_two_away_anvils(options: Options, board: str, move: str, taken: bool) -> None:
    state = set_up(options, "m", board)
    assert ("x" in GAME.read(state, "move", move).text) == taken


@pytest.mark.parametrize(
    ("capture", "board", "move"),
    [
        ("four", "4 .K......t\n3 .t.......", "i4-c4"),
        ("edge_three", "3 Kt.......\n1 ..t......", "c1-c2"),
        ("edge_three", "3 K.......t\n2 t........", "i3-b3"),
    ],
)
def test_camps_do_not_help_to_enclose_a_king(capture: str, board: str, move: str) -> None:
    options = rules(king_capture=capture, camps=True)
    assert GAME.read(set_up(options, "m", board), "move", move).text == move


# ---- camps


ASHTON = rules("tablut-ashton")


STANDS_ON_ONE = "is a camp: only a Muscovite who stands on one may"


@pytest.mark.parametrize(
    ("side", "board", "move", "why"),
    [
        ("s", "5 ....K....\n3 T.......t", "a3-a4", f"a4 {STANDS_ON_ONE} enter it"),
        ("s", "5 ....K....\n3 T.......t", "a3-a7", f"a4 {STANDS_ON_ONE} pass over it"),
        ("s", "7 ....K....\n5 T.......t", "a5-b5", f"b5 {STANDS_ON_ONE} enter it"),
        ("s", "4 ..K......\n3 ........t", "Kc4-a4", f"a4 {STANDS_ON_ONE} enter it"),
        ("m", "5 ....K....\n3 t........", "a3-a4", f"a4 {STANDS_ON_ONE} enter it"),
        ("m", "5 ....K....\n3 t........", "a3-a7", f"a4 {STANDS_ON_ONE} pass over it"),
        (
            "m",
            "7 ..K......\n1 ...t.....",
            "d1-d9",
            "d9 is a camp 8 squares away: a Muscovite may enter camps no more than 5 squares away",
        ),
        (
            "m",
            "7 ..K......\n2 ....t....",
            "e2-e9",
            "e8 is a camp 6 squares away: a Muscovite may pass over camps no more than 5 squares"
            " away",
        ),
    ],
)
def test_camps_are_closed(side: str, board: str, move: str, why: str) -> None:
    options = ASHTON | {"konakis_pass": "all"}
    assert refuses(options, side, move, board) == f"camps: {move} is refused: {why} (camps)"


@pytest.mark.parametrize("move", ["a4-a5", "a4-a6", "a4-a7", "a4-a9", "a4-i4", "a4-h4", "a4-a1"])
def test_a_muscovite_moves_within_and_out_of_his_camp(move: str) -> None:
    state = set_up(ASHTON, "m", "7 ..K......\n4 t........")
    if move == "a4-i4":
        with pytest.raises(Illegal, match=r"i4 is a camp 8 squares away"):
            GAME.read(state, "move", move)
    else:
        walk(state, move)


def test_a_muscovite_who_left_his_camp_stays_out() -> None:
    state = set_up(ASHTON, "m", "7 ..K......\n4 .t.......")
    with pytest.raises(Illegal, match=r"a4 is a camp"):
        GAME.read(state, "move", "b4-a4")


@pytest.mark.parametrize(
    ("side", "board", "move", "text"),
    [
        ("m", "8 .K.......\n6 .T.t.....", "d6-c6", "d6-c6xb6"),  # empty camp a6
        ("s", "8 .K......t\n6 .t.T.....", "d6-c6", "d6-c6xb6"),
        ("s", "8 .K......t\n6 tt.T.....", "d6-c6", "d6-c6xb6"),  # occupied by his own side
        ("s", "8 .K......t\n5 .t.T.....", "d5-c5", "d5-c5"),  # a5: the middle of the edge
        ("m", "8 .K......t\n5 .T.t.....", "d5-c5", "d5-c5xb5"),
    ],
)
def test_camps_are_anvils(side: str, board: str, move: str, text: str) -> None:
    assert GAME.read(set_up(ASHTON, side, board), "move", move).text == text
    without = ASHTON | {"camps": False, "goal": "corners"}
    if "tt." not in board:
        assert GAME.read(set_up(without, side, board), "move", move).text == move


# ---- goals


@pytest.mark.parametrize(
    ("goal", "wins"),
    [
        ("corners", {"a1": True, "a2": False, "a4": False, "a5": False}),
        ("clear_edge", {"a1": True, "a2": True, "a4": False, "a5": False}),
        ("edge", {"a2": True, "a4": True, "a5": True}),
    ],
)
def test_goal(goal: str, wins: dict[str, bool]) -> None:
    for square, won in wins.items():
        rank = square[1]
        before = set_up(rules(goal=goal), "s", f"9 ........t\n{rank} ...K.....")
        state = walk(before, f"Kd{rank}-{square}")
        if won:
            assert ending(state) == ("goal", "swedes")
            outcome = GAME.outcome(state)
            assert outcome is not None
            place = "corner" if square == "a1" else "edge square"
            assert outcome.text == f"The king stands on the {place} {square}: the Swedes win."
        else:
            assert GAME.outcome(state) is None


def test_clear_edge_has_twenty_squares() -> None:
    squares = [f"{file}{rank}" for file in "abcdefghi" for rank in range(1, 10)]
    won = []
    for square in squares:
        row = "".join("K" if file == square[0] else "." for file in "abcdefghi")
        spare = "5 ...t.....\n" if square[1] != "5" else "6 ...t.....\n"
        state = set_up(rules(goal="clear_edge"), "m", f"{spare}{square[1]} {row}")
        if GAME.outcome(state) is not None:
            won.append(square)
    assert len(won) == 20
    assert {"a1", "a2", "a3", "a7", "a8", "a9", "b1", "c9", "i3"} <= set(won)


# ---- ends, in order


def test_goal_comes_before_the_last_muscovite() -> None:
    state = plays(
        rules(),
        "s",
        "Ka3-a1xb1",
        """
        3  K........  .........
        1  .tT......  K.T......
        """,
    )
    assert ending(state) == ("goal", "swedes")


@pytest.mark.parametrize("no_moves", ["loses", "draws"])
def test_the_last_muscovite_comes_before_no_moves(no_moves: str) -> None:
    state = plays(
        rules(no_moves=no_moves),
        "s",
        "f4-e4xd4",
        """
        5  ....K....  ....K....
        4  ..Tt.T...  ..T.T....
        """,
    )
    assert ending(state) == ("no_muscovites", "swedes")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.text == "The last Muscovite is taken on d4: the Swedes win."


def test_a_bare_king_plays_on() -> None:
    state = set_up(rules(), "s", "9 t........\n5 ....K....")
    assert GAME.outcome(state) is None


@pytest.mark.parametrize(
    ("options", "end"),
    [
        (rules(corner_hostile=False), ("no_moves", "swedes")),
        (rules(corner_hostile=False, no_moves="draws"), ("no_moves", None)),
        (rules(corner_hostile=False, no_moves="draws", tuichi_wins=True), ("tuichi", "swedes")),
    ],
)
def test_no_moves(options: Options, end: tuple[str, str | None]) -> None:
    before = "9 .tT......\n8 .T.......\n5 ....K....\n3 .....T..."
    state = walk(set_up(options, "s", before), "f3-g3")
    assert ending(state) == end


def test_no_moves_text() -> None:
    board = "9 .tT......\n8 .T.......\n5 ....K....\n3 .....T..."
    texts = []
    for law in ("loses", "draws"):
        state = walk(set_up(rules(corner_hostile=False, no_moves=law), "s", board), "f3-g3")
        outcome = GAME.outcome(state)
        assert outcome is not None
        texts.append(outcome.text)
    assert texts == [
        "The Muscovites have no move: the Swedes win.",
        "The Muscovites have no move: the game is drawn.",
    ]


def test_the_game_is_over() -> None:
    board = "9 ........t\n1 K........"
    assert refuses(rules(), "m", "i9-i8", board) == (
        "game-over: i9-i8 is refused: the game is over. The king stands on the corner a1:"
        " the Swedes win."
    )


# ---- calls


@pytest.mark.parametrize(
    ("calls", "board", "move", "due"),
    [
        # free to the west only
        ("edge", "7 ..t......\n3 ..KT.....\n2 ..t......\n1 t.......T", "i1-h1", "raichi"),
        # west and east
        ("edge", "7 ..t......\n3 ..K......\n2 ..t......\n1 t.......T", "i1-h1", "tuichi"),
        # a konakis that he may not cross closes the file
        ("edge", "7 ..t......\n3 tTK.t....\n2 ..t......\n1 ........T", "i1-h1", None),
        # edge square, no corner: nothing in reach
        ("goal", "7 ..t......\n3 ..K......\n2 ..t......\n1 t.......T", "i1-h1", None),
        ("goal", "7 ..t......\n3 K........\n1 ..T......", "c1-d1", "tuichi"),
        ("off", "7 ..t......\n3 ..K......\n2 ..t......\n1 t.......T", "i1-h1", None),
    ],
)
def test_calls(calls: str, board: str, move: str, due: str | None) -> None:
    state = set_up(rules(calls=calls), "s", board)
    assert calls_due(state) is None
    state = walk(state, move)
    assert calls_due(state) == due
    assert any(f"{due} is due from the Swedes" in text for text in GAME.remarks(state)) == bool(due)


def test_a_call_is_due_only_right_after_the_swedish_move() -> None:
    board = "7 ..t......\n3 ..K......\n2 ..t......\n1 t.......T"
    state = walk(set_up(rules(), "s", board), "i1-h1")
    assert calls_due(state) == "tuichi"
    assert calls_due(walk(state, "c7-d7")) is None


def test_no_call_is_due_in_a_position_that_was_set_nor_after_the_end() -> None:
    tuichi = "7 ..t......\n3 ..K......\n2 ..t......\n1 t.......T"
    assert calls_due(set_up(rules(), "m", tuichi)) is None
    assert ending(set_up(rules(tuichi_wins=True), "m", tuichi)) == ("tuichi", "swedes")
    won = walk(set_up(rules(), "s", "5 t........\n1 ...K....."), "Kd1-a1")
    assert calls_due(won) is None
    assert list(GAME.remarks(won)) == []


def test_the_line_to_the_edge_crosses_the_konakis_only_if_he_may() -> None:
    board = "9 t........\n8 ....t....\n5 ..K......\n4 ..t......\n6 ..t......\n1 .......T."
    for who, due in (("all", "tuichi"), ("king", "tuichi"), ("none", "raichi")):
        state = walk(set_up(rules(konakis_pass=who), "s", board), "h1-g1")
        assert calls_due(state) == due


def test_tuichi_wins() -> None:
    board = "7 ..t......\n3 ..K......\n2 ..t......\n1 t.......T"
    for calls in ("edge", "off"):
        state = set_up(rules(tuichi_wins=True, calls=calls), "s", board)
        assert GAME.outcome(state) is None
        assert ending(walk(state, "i1-h1")) == ("tuichi", "swedes")
    state = set_up(rules(tuichi_wins=True, calls="goal"), "s", board)
    assert GAME.outcome(walk(state, "i1-h1")) is None
    raichi = "7 ..t......\n3 ..KT.....\n2 ..t......\n1 t.......T"
    assert GAME.outcome(walk(set_up(rules(tuichi_wins=True), "s", raichi), "i1-h1")) is None


# ---- repetition


ROUND = ("e3-d3", "a4-b4", "d3-e3", "b4-a4")
"""Four moves after which the board is as before."""


def test_repetition_claim() -> None:
    state = GAME.start(rules())
    assert repetitions(state) == 1
    state = walk(state, *ROUND)
    assert repetitions(state) == 2
    assert list(GAME.remarks(state)) == ["This position stands for the second time."]
    state = walk(state, *ROUND)
    assert repetitions(state) == 3
    assert GAME.outcome(state) is None
    assert list(GAME.remarks(state)) == [
        "This position stands for the third time: either player may claim a draw."
    ]
    state = walk(state, *ROUND * 10)
    assert repetitions(state) == 13
    assert list(GAME.remarks(state)) == [
        "This position stands 13 times: either player may claim a draw."
    ]


@pytest.mark.parametrize(
    ("law", "moves", "end"),
    [
        ("draw", 8, ("repetition", None)),
        ("swedes_lose", 8, ("repetition", "muscovites")),
        ("second_since_capture", 4, ("repetition", None)),
    ],
)
def test_repetition_ends(law: str, moves: int, end: tuple[str, str | None]) -> None:
    state = GAME.start(rules(repetition=law))
    for move in (ROUND * 2)[:moves]:
        assert GAME.outcome(state) is None
        state = walk(state, move)
    assert ending(state) == end


def test_repetition_off() -> None:
    state = walk(GAME.start(rules(repetition="off")), *ROUND * 3)
    assert GAME.outcome(state) is None
    assert list(GAME.remarks(state)) == ["This position stands for the fourth time."]


def test_a_long_game_is_remembered_whole_and_in_little_room() -> None:
    """Each state once held all positions before it: a record of 36 MB took 15 GB to audit."""
    states = [GAME.start(rules(repetition="off"))]
    for number in range(1200):
        states.append(walk(states[-1], ROUND[number % 4]))
        assert repetitions(states[-1]) == 1 + (number + 1) // 4
    leaves = {id(leaf): len(leaf) for state in states for leaf in state.earlier}
    assert sum(leaves.values()) + sum(len(state.earlier) for state in states) < 1200 * 150
    again = states[0]
    for number in range(1200):
        again = walk(again, ROUND[number % 4])
    assert again == states[-1]
    assert again != states[-5]


def test_a_capture_begins_anew_and_its_position_counts() -> None:
    board = "8 ........t\n5 ....K....\n4 ..Tt.T..."
    state = set_up(rules(repetition="second_since_capture"), "s", board)
    state = walk(state, "f4-e4xd4")
    assert repetitions(state) == 1
    assert state.earlier == ()
    state = walk(state, "i8-i7", "e4-f4", "i7-i8")
    assert GAME.outcome(state) is None  # the first board, but for the captured piece
    assert ending(walk(state, "f4-e4")) == ("repetition", None)


def test_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    board = "9 t........\n5 ....K...."
    state = set_up(rules(repetition="second_since_capture"), "s", board)
    state = walk(state, "Ke5-e6", "a9-a8", "Ke6-e7", "a8-a7", "Ke7-e5", "a7-a8")
    assert GAME.outcome(state) is None


def test_mirrored_boards_are_different() -> None:
    state = GAME.start(rules(repetition="second_since_capture"))
    state = walk(state, "e3-d3", "a4-b4", "d3-f3", "b4-a4")
    assert GAME.outcome(state) is None


# ---- refusals


OPENING = """
    9  ...ttt...
    8  ....t....
    7  ....T....
    6  t...T...t
    5  ttTTKTTtt
    4  t...T...t
    3  ....T....
    2  ....t....
    1  ...ttt...
    """


@pytest.mark.parametrize(
    ("move", "refusal"),
    [
        ("e3-e7", "blocked: e3-e7 is refused: a Swede stands on e4"),
        ("e3-e2", "blocked: e3-e2 is refused: a Muscovite stands on e2"),
        ("d5-f5", "blocked: d5-f5 is refused: the king stands on e5"),
        ("b2-b3", "no-piece: b2-b3 is refused: b2 is empty"),
        (
            "e2-d2",
            "not-yours: e2-d2 is refused: a Muscovite stands on e2, and the Swedes are to move",
        ),
        ("e3-d4", "not-straight: e3-d4 is refused: a piece moves along its rank or its file"),
        ("e3-e3", "same-square: e3-e3 is refused: a piece that moves leaves its square"),
        ("e3-e10", "off-board: e3-e10 is refused: the board has no square e10"),
        ("e3-j3", "off-board: e3-j3 is refused: the board has no square j3"),
        ("e3-d3xj9", "off-board: e3-d3 is refused: the board has no square j9"),
        ("Ke3-d3", "wrong-piece: Ke3-d3 is refused: a Swede stands on e3"),
        ("Te5-e9", "wrong-piece: Te5-e9 is refused: the king stands on e5"),
        ("e3-d3xd4", "wrong-capture: e3-d3 is refused: it does not capture on d4"),
    ],
)
def test_refusals(move: str, refusal: str) -> None:
    assert refuses(rules(), "s", move, OPENING) == refusal


def test_refusals_of_the_other_side() -> None:
    assert refuses(rules(), "m", "Ke5-e6", OPENING).endswith(
        "the king stands on e5, and the Muscovites are to move"
    )


# ---- reading


TWO_AT_ONCE = "9 t........\n6 ...T.....\n5 ...tK....\n4 .Tt......\n1 ...T....."


@pytest.mark.parametrize(
    "text",
    [
        "d1-d4",
        " d1-d4 ",
        "D1-D4",
        "d1d4",
        "d1 d4",
        "d1–d4",
        "Td1-d4",
        "d1-d4xc4",
        "d1-d4xd5",
        "d1-d4 xd5/c4",
        "d1-d4xd5xc4",
        "d1-d4 x d5, c4",
        "d1-d4Xc4/C4/d5",
    ],
)
def test_what_a_person_may_type(text: str) -> None:
    state = set_up(rules(), "s", TWO_AT_ONCE)
    assert GAME.read(state, "move", text) == Action("move", "d1-d4xc4/d5")
    with pytest.raises(Unreadable) as refusal:
        GAME.apply(state, Action("move", text))
    assert refusal.value.code == "not-canonical"
    assert "d1-d4xc4/d5" in str(refusal.value)


def test_the_king_may_be_typed_without_his_letter() -> None:
    board = "9 t........\n5 ....K...."
    for text in ("e5-e6", "Ke5-e6", "ke5e6", "KE5-E6"):
        assert GAME.read(set_up(rules(), "s", board), "move", text).text == "Ke5-e6"


def test_eleven_files_and_the_letter_k() -> None:
    board = "11 ..........t\n6 .....K.....\n5 ..........T\n1 ..T........"
    state = set_up(rules("hnefatafl"), "s", board, 11)
    assert GAME.read(state, "move", "k5-k6").text == "k5-k6"
    assert GAME.read(state, "move", "kf6-k6").text == "Kf6-k6"
    assert GAME.read(state, "move", "k5k10").text == "k5-k10"
    with pytest.raises(Illegal, match=r"a Muscovite stands on k11"):
        GAME.read(state, "move", "k5-k11")


def test_captures_are_sorted_as_text() -> None:
    board = (
        "11 ...T......t\n10 ...t.......\n9 ....T......\n8 ...t.......\n7 ...T.......\n6 .....K....."
    )
    state = set_up(rules("hnefatafl"), "s", board, 11)
    assert GAME.read(state, "move", "e9-d9").text == "e9-d9xd10/d8"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "e3",
        "e3-",
        "e3-d3x",
        "e3-d3-c3",
        "e3-d3xd4-",
        "Qe3-d3",
        "e3-d3+",
        "e３-d3",
        "e٣-d3",
        "\u212ae5-e6",  # the Kelvin sign
        "e3-d" + "3" * 10_000,
        "e3" + " " * 10_000 + "d3",
        "x" * 200_000,
        "\ud800",
    ],
)
def test_what_is_no_move(text: str) -> None:
    state = GAME.start(rules())
    for attempt in (GAME.read, lambda s, k, t: GAME.apply(s, Action(k, t))):
        with pytest.raises(Unreadable) as refusal:
            attempt(state, "move", text)
        assert refusal.value.code == "bad-move"
        assert len(str(refusal.value)) < 500


@pytest.mark.parametrize("kind", ["roll", "", "Move", "x" * 10_000])
def test_tablut_knows_moves_only(kind: str) -> None:
    state = GAME.start(rules())
    for attempt in (GAME.read, lambda s, k, t: GAME.apply(s, Action(k, t))):
        with pytest.raises(Unreadable) as refusal:
            attempt(state, kind, "e3-d3")
        assert refusal.value.code == "unknown-action"


# ---- positions


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("", "a position is"),
        ("/9/9/9/9/4K4/9/9/9/8t/", "a position is"),
        ("/9/9/9/9/4K4/9/9/9/8t/ w", "a position is"),
        ("/9/9/9/9/4K4/9/9/9/8t/  s", "a position is"),
        ("/9/9/9/9/4K4/9/9/9/8t/ s\n", "a position is"),
        ("/9/9/9/9/4k4/9/9/9/8t/ s", "a position is"),
        ("/9/9/9/9/4K4/9/9/９/8t/ s", "a position is"),
        ("/9/9/9/9/4K4/9/9/8t/ s", "9 ranks, this has 8"),
        ("/9/9/9/9/4K4/9/9/9/9/8t/ s", "9 ranks, this has 10"),
        ("/9/9/9/9/4K3/9/9/9/8t/ s", "fills 8 squares"),
        ("/9/9/9/9/4K5/9/9/9/8t/ s", "fills 10 squares"),
        ("/9/9/9/9/4K4/9//9/8t/ s", "fills 0 squares"),
        ("/99/9/9/9/4K4/9/9/9/8t/ s", "fills 99 squares"),
        ("/09/9/9/9/4K4/9/9/9/8t/ s", "one number"),
        ("/90/9/9/9/4K4/9/9/9/8t/ s", "fills 90 squares"),
        ("/9/9/9/9/4K04/9/9/9/8t/ s", "one number"),
        ("/9/9/9/9/4T4/9/9/9/8t/ s", "one king, not 0"),
        ("/9/9/9/9/3KK4/9/9/9/8t/ s", "one king, not 2"),
        ("/TTTTTTTTT/9/9/9/4K4/9/9/9/8t/ s", "9 Swedes beside the king are too many"),
        ("/ttttttttt/tttttttt1/9/9/4K4/9/9/9/9/ s", "17 Muscovites are too many"),
        ("/" + "9" * 140 + "/ s", "9 ranks, this has 1"),
        ("/" + "9" * 200_000 + "/ s", "at most 160 characters"),
    ],
)
def test_place_refuses(position: str, why: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        GAME.place(rules(), position)
    assert refusal.value.code == "bad-position"
    assert why in str(refusal.value)


def test_a_gap_of_an_11_board_is_one_number() -> None:
    rows = ["11"] * 11
    rows[5] = "5K5"
    rows[0] = "101"
    with pytest.raises(Unreadable, match="one number"):
        GAME.place(rules("hnefatafl"), f"/{'/'.join(rows)}/ s")


def test_a_position_no_legal_move_leads_to() -> None:
    """Players may have let an illegal move stand; what stands on a square is what counts."""
    konakis = set_up(rules(), "m", "9 ..K......\n5 ....T....\n4 ....T....\n3 t........")
    assert GAME.read(konakis, "move", "a3-e3").text == "a3-e3"
    corner = set_up(rules(), "m", "5 ....K....\n4 ..t......\n1 TT.......")
    assert GAME.read(corner, "move", "c4-c1").text == "c4-c1"
    camp = set_up(ASHTON, "s", "7 ..K.....t\n4 T........")
    assert GAME.outcome(walk(camp, "a4-a3")) is None
    with pytest.raises(Illegal, match=r"a5 is a camp"):
        GAME.read(camp, "move", "a4-a5")


@pytest.mark.parametrize(
    ("board", "side", "end"),
    [
        ("9 t........\n1 K........", "m", ("goal", "swedes")),
        ("9 t........\n1 K........", "s", ("goal", "swedes")),
        ("5 ....K....", "m", ("no_muscovites", "swedes")),
        ("9 t.......t\n3 t........\n2 Kt.......\n1 .........", "m", None),
    ],
)
def test_a_position_that_is_set_is_judged(
    board: str, side: str, end: tuple[str, str | None] | None
) -> None:
    state = set_up(rules(), side, board)
    if end is None:
        assert GAME.outcome(state) is None
    else:
        assert ending(state) == end


# ---- what is shown


def test_surface() -> None:
    state = walk(set_up(rules(), "s", "9 t........\n5 ....K....\n4 ..Tt.T..."), "f4-e4")
    surface = GAME.surface(state)
    assert "".join(surface.columns) == "abcdefghi"
    assert surface.rows == tuple("123456789")
    assert surface.pieces == {"a9": "t", "e5": "K", "c4": "T", "e4": "T"}
    assert surface.marks == {
        "a1": "corner",
        "a9": "corner",
        "i1": "corner",
        "i9": "corner",
        "e5": "konakis",
    }
    assert set(surface.legend) == {"T", "t", "K", "corner", "konakis"}
    assert surface.counts == (("Swedes beside the king", 2), ("Muscovites", 1))
    assert surface.last == ("f4", "e4", "d4")


def test_surface_marks_what_matters() -> None:
    linnaeus = GAME.surface(GAME.start(rules("tablut-linnaeus")))
    assert set(linnaeus.marks.values()) == {"konakis"}
    assert linnaeus.last == ()
    ashton = GAME.surface(GAME.start(ASHTON))
    camps = sorted(place for place, mark in ashton.marks.items() if mark == "camp")
    assert " ".join(camps) == "a4 a5 a6 b5 d1 d9 e1 e2 e8 e9 f1 f9 h5 i4 i5 i6"


def test_states_are_values() -> None:
    one, other = (walk(GAME.start(rules()), "e3-d3", "a4-b4") for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != walk(GAME.start(rules(calls="off")), "e3-d3", "a4-b4")

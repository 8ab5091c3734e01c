"""OpenTafl notation: invented games in every form that it has, rules lines, and writing.

The games are legal by our engine; then one thing is altered, and adjudication must stop there.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import Refused, TabellionError, Unreadable
from ledger.formats.tablut.opentafl import parse
from ledger.formats.tablut.otn_rules import read_rules
from ledger.formats.tablut.otn_writer import write
from ledger.formats.transcript import (
    Adjudication,
    Claim,
    Claimed,
    Comment,
    End,
    Ply,
    Transcript,
    adjudicate,
)
from ledger.games import options_of
from ledger.games.protocol import OptionValue
from ledger.games.tablut import GAME

START = "start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
COMAS = (
    "dim:9 name:Tablut_Comas esc:c surf:n atkf:n tfr:d ka:y ks:s cens:K cenp:tcnkmTCNKM cenh:"
    f" cenhe:tcnkmTCNKM corh:tcnkmTCNKM corp:K cors:K {START}"
)
LINNAEUS = f"dim:9 name:Tablut esc:e atkf:y ka:y ks:c nj:n cj:n cor: cens: cenh: {START}"

GAME_1 = f"""[event:Invented Cup]
[site:Nowhere]
[date:2024.05.25]
[result:-1]
[attackers:Bruno]
[defenders:Alba]
[rules:{LINNAEUS}]

1. e2-c2 c5-c9
2. b5-b9xc9 e4-b4
3. i4-c4xb4 Ke5-e4
4. a5-c5xd5 Ke4-i4
"""
PLIES = ["e2-c2", "c5-c9", "b5-b9xc9", "e4-b4", "i4-c4xb4", "Ke5-e4", "a5-c5xd5", "Ke4-i4"]
TAKEN = "1. d9-d7 e6-d6 2. f9-f7xe7 Ke5-e7 3. i6-e6xKe7++"
SHUFFLE = "1. d1-c1 e3-d3 2. c1-d1 d3-e3 3. d1-c1 e3-d3 4. c1-d1 d3-e3"
HEAD = f"[rules:{LINNAEUS}]\n"


def judged(text: str) -> Adjudication:
    return adjudicate(parse(text), GAME)


def refusal(text: str) -> str:
    with pytest.raises(TabellionError) as caught:
        judged(text)
    return str(caught.value)


def options(ruleset: str) -> dict[str, OptionValue]:
    return options_of(GAME, GAME.rulesets[ruleset])


# ---- games


def test_a_whole_game() -> None:
    transcript = parse(GAME_1)
    assert transcript.ruleset == "tablut-linnaeus"
    assert transcript.options == options("tablut-linnaeus")
    assert transcript.players == {"muscovites": "Bruno", "swedes": "Alba"}
    assert transcript.details == {
        "event": "Invented Cup",
        "place": "Nowhere",
        "date": "2024.05.25",
    }
    assert transcript.start is None
    assert transcript.plies[2] == Ply(10, "muscovites", "b5-b9xc9", ("c9",))
    assert (transcript.claim.result, transcript.claim.winner) == (Claimed.WIN, "swedes")
    result = adjudicate(transcript, GAME)
    assert [action.text for action in result.actions] == PLIES
    assert result.ended is End.BOARD
    assert result.text == "The king stands on the edge square i4: the Swedes win."


@pytest.mark.parametrize(
    "text",
    [
        GAME_1.replace("\n", "\r\n"),
        GAME_1.replace("\n2.", " 2.").replace("\n3.", "  3.").replace("\n4.", "\t4."),
        GAME_1.replace("1. ", "1.").replace("2. ", "2."),
        GAME_1.replace(" c5-c9\n", "\n[a comment] 1... c5-c9\n"),
        GAME_1.replace(" c5-c9\n", " [a comment: 7. a1-a2]\n1. ... c5-c9\n"),
        GAME_1.replace("e2-c2", "e2-c2+").replace("e4-b4\n", "e4-b4-\n"),
        GAME_1.replace("Ke4-i4", "Ke4-i4--"),
        GAME_1.replace("Ke4-i4", "e4-i4++").replace("Ke5-e4", "e5-e4"),
        GAME_1.replace("b5-b9xc9", "tb5-b9xTc9"),
        GAME_1.replace("[result:-1]\n", ""),
        GAME_1.replace("[result:-1]", "[result:?]"),
        GAME_1.replace(" ks:c", "\n  ks:c"),
    ],
)
def test_other_forms_of_the_same_game(text: str) -> None:
    result = judged(text)
    assert [action.text for action in result.actions] == PLIES
    assert result.ended is End.BOARD


def test_the_captured_king_may_be_written() -> None:
    result = judged(f"[result:1]\n{HEAD}\n{TAKEN}")
    assert result.text == "The king is taken on e7: the Muscovites win."


def test_comments_belong_to_the_plies_they_follow() -> None:
    text = GAME_1.replace("c5-c9\n", "c5-c9\n[one|two\nlines]\n").replace(
        "[rules", "[start-comment:Hello]\n[rules"
    )
    text = text.replace("e4-b4\n", "e4-b4\n[|fourth]\n").replace("Ke5-e4", "[fifth] Ke5-e4")
    assert [(each.after, each.text) for each in parse(text).comments] == [
        (0, "Hello"),
        (1, "one"),
        (2, "two lines"),
        (4, "fourth"),
        (5, "fifth"),
    ]


def test_a_game_from_a_position() -> None:
    board = "/9/9/2K6/9/9/9/9/9/4t4/"
    text = f"[position:{board}]\n[rules:{LINNAEUS}]\n"
    assert parse(f"{text}1. e9-e8 Kc3-c1").start == f"{board} m"
    assert parse(f"{text}1... Kc3-c1").start == f"{board} s"
    assert judged(f"{text}1. ... Kc3-c1").text.startswith("The king stands on the edge square c1")
    assert "line 1: This position cannot be read" in refusal(f"[position:/9/]\n{HEAD}1. e9-e8")


def test_the_wrong_side_cannot_begin() -> None:
    assert refusal(f"{HEAD}\n1... e4-d4") == (
        "move 1, line 3: e4-d4: the file lets the Swedes move; by the rules it is for the "
        "Muscovites"
    )


# ---- results


@pytest.mark.parametrize(
    ("tags", "resigned"),
    [
        ("[result:1]\n[termination:White resigns]", "swedes"),
        ("[result:-1]\n[termination:Black resigned.]", "muscovites"),
        ("[result:1]\n[termination:the defenders have resigned]", "swedes"),
        ("[attackers:Bruno]\n[result:-1]\n[termination:Bruno resigns]", "muscovites"),
        ("[termination:White resigns]", "swedes"),
    ],
)
def test_a_resignation_is_a_result(tags: str, resigned: str) -> None:
    result = judged(f"{tags}\n{HEAD}\n1. e2-c2 c5-c9")
    assert (result.ended, result.resigned, result.outcome) == (End.RESIGNED, resigned, None)


def test_the_resignation_symbol() -> None:
    result = judged(f"[result:-1]\n{HEAD}\n1. e2-c2 c5-c9 2. ---")
    assert (result.resigned, result.text) == (
        "muscovites",
        "The Muscovites resign: the Swedes win.",
    )
    assert "follows a resignation" in refusal(f"{HEAD}\n1. e2-c2 --- 2. e1-d2")


def test_who_resigns_cannot_win() -> None:
    assert refusal(f"[result:1]\n[termination:Black resigns]\n{HEAD}\n1. e2-c2") == (
        "after move 1, line 1: the file says the Muscovites resigned and won"
    )


def test_a_game_that_stops_is_open() -> None:
    assert judged(f"{HEAD}\n1. e2-c2").ended is End.OPEN


def test_draws_are_agreed_or_repeated_or_refused() -> None:
    agreed = judged(f"[result:0]\n[termination:Draw agreed]\n{HEAD}\n1. e2-c2")
    assert agreed.ended is End.AGREED
    for shuffle, often in (
        (SHUFFLE, "third"),
        (f"{SHUFFLE} 5. d1-c1 e3-d3 6. c1-d1 d3-e3", "fourth"),
    ):
        claimed = judged(f"[result:0]\n{HEAD}\n{shuffle}")
        assert (claimed.ended, claimed.text) == (
            End.CLAIMED,
            f"This position stands for the {often} time: the game is drawn.",
        )
    with pytest.raises(Refused) as caught:
        judged(f"[result:0]\n{HEAD}\n1. e2-c2")
    assert caught.value.code == "import-unexplained"


@pytest.mark.parametrize("words", ["White loses on time", "a better player resigns"])
def test_a_result_without_board_or_explanation_is_refused(words: str) -> None:
    with pytest.raises(Refused) as caught:
        judged(f"[result:1]\n[termination:{words}]\n{HEAD}\n1. e2-c2")
    assert caught.value.code == "import-unexplained"
    assert "[termination:White resigns]" in caught.value.hint
    assert str(caught.value) == (
        f"after move 1, line 1: the file says the Muscovites won ({words}); the board does not show"
        " it, nor is it explained"
    )


# ---- one thing altered


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "e4-b4\n",
            "e4-b5\n",
            "move 4, line 10: e4-b5: refused by the rules: a piece moves along its rank or its "
            "file",
        ),
        (
            "b5-b9xc9",
            "b5-b9",
            "move 3, line 10: b5-b9: the file says nothing is taken; by the rules c9 is",
        ),
        (
            "Ke5-e4",
            "Ke5-e4xd4",
            "move 6, line 11: Ke5-e4xd4: the file says d4 is taken; by the rules nothing is",
        ),
        (
            "a5-c5xd5",
            "a5-c5xd5/e5",
            "move 7, line 12: a5-c5xd5/e5: the file says d5 and e5 are taken; by the rules d5 is",
        ),
        (
            "c5-c9",
            "Kc5-c9",
            "move 2, line 9: Kc5-c9: refused by the rules: a Swede stands on c5",
        ),
        (
            "e4-b4\n",
            "e4-b4++\n",
            "move 4, line 10: e4-b4: the file says the game ends here; by the rules it goes on",
        ),
        (
            "[result:-1]",
            "[result:1]",
            "after move 8, line 4: the file says the Muscovites won; by the rules: The king stands"
            " on the edge square i4: the Swedes win.",
        ),
        (
            "Ke4-i4",
            "Ke4-i4\n5. a4-a5",
            "move 9, line 13: a4-a5: by the rules the game is over: The king stands on the edge"
            " square i4: the Swedes win.",
        ),
    ],
)
def test_one_alteration_stops_at_its_ply(old: str, new: str, message: str) -> None:
    assert old in GAME_1
    with pytest.raises(Refused) as caught:
        judged(GAME_1.replace(old, new))
    assert caught.value.code == "import-diverges"
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2. b5", "3. b5", "line 10: turn 2 is expected, not turn 3"),
        ("2. b5", "b5", "line 10: 'b5-b9xc9' stands in no turn: turn 2 has no number"),
        ("c5-c9\n", "\n", "line 10: turn 1 is expected, not turn 2"),
        ("e4-b4", "e4^b4", "line 10: 'e4^b4' is no move of these games"),
        ("e4-b4", "Ne4-b4", "line 10: 'Ne4-b4' is no move of these games"),
        ("e4-b4", "[e4-b4", "line 10: a bracket is never closed"),
        ("[result:-1]", "[result:2]", "line 4: the result is 1, 0, -1 or ?, not '2'"),
        ("[site:Nowhere]", "[event:Again]", "line 2: the tag event stands twice"),
        ("[site:Nowhere]", "[site Nowhere]", "line 2: 'site Nowhere' is no tag"),
        ("2. b5", "2... b5", "line 10: turn 2 leaves out its first move"),
    ],
)
def test_what_is_no_notation_is_named(old: str, new: str, message: str) -> None:
    assert old in GAME_1
    with pytest.raises(Unreadable) as caught:
        parse(GAME_1.replace(old, new, 1))
    assert caught.value.code == "bad-otn"
    assert str(caught.value) == message


def test_without_a_rules_line_nothing_is_guessed() -> None:
    assert "which rules were played is not guessed" in refusal("[event:x]\n1. e2-c2")


# ---- rules lines


@pytest.mark.parametrize(
    ("line", "ruleset"),
    [
        (COMAS, "tablut"),
        (LINNAEUS, "tablut-linnaeus"),
        (
            "dim:11 atkf:n start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5"
            "/3ttttt3/",
            "hnefatafl",
        ),
        (
            "dim:11 atkf:n cen:f6, cor:a1,k11,k1,a11, start:/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt"
            "/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/",
            "tawlbwrdd",
        ),
    ],
)
def test_rules_lines_denote_rulesets(line: str, ruleset: str) -> None:
    rules = read_rules(line, 1, {})
    assert (rules.ruleset, rules.start) == (ruleset, None)
    assert rules.options == options(ruleset)


@pytest.mark.parametrize(
    ("field", "changed"),
    [
        ("atkf:y", {"first": "muscovites"}),
        ("tfr:i", {"repetition": "off"}),
        ("ka:n", {"king_armed": False}),
        ("cens:", {"konakis_stop": "never"}),
        ("cenp:K", {"konakis_pass": "king"}),
        ("cenp:", {"konakis_pass": "none"}),
        ("cenhe:kK", {"konakis_hostile": "never"}),
        ("cenh:TCNK", {"konakis_hostile": "always"}),
        ("cors:tTK", {"corner_stop": "all"}),
        ("corh:", {"corner_hostile": False}),
        ("esc:e", {"goal": "edge"}),
        ("ks:c", {"king_capture": "two_away", "konakis_hostile": "linnaean"}),
    ],
)
def test_one_field_changes_its_option(field: str, changed: dict[str, OptionValue]) -> None:
    name = field.partition(":")[0]
    words = [field if word.startswith(f"{name}:") else word for word in COMAS.split()]
    rules = read_rules(" ".join(words), 1, {})
    assert rules.options == options("tablut") | changed
    assert rules.ruleset == "tablut"
    assert all(f"{name}=" in rules.notes[-1] for name in changed)


def test_no_corners_at_all() -> None:
    rules = read_rules(f"dim:9 esc:e atkf:n surf:n cor: {START}", 1, {})
    assert rules.options == options("tablut") | {
        "goal": "edge",
        "corner_stop": "all",
        "corner_hostile": False,
    }


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ("surf:y", "surf:y (a surrounded side loses)"),
        ("tfr:w", "tfr:w (who repeats wins or loses)"),
        ("tfr:l", "tfr:l"),
        ("ka:h", "ka:h (the king as hammer or anvil only)"),
        ("ka:a", "ka:a"),
        ("ks:w", "ks:w"),
        ("ks:m", "ks:m"),
        ("kj:r", "kj:r (a jumping king)"),
        ("sw:s", "sw:s (shieldwalls)"),
        ("sw:w", "sw:w"),
        ("efe:y", "efe:y (edge forts)"),
        ("ber:c", "ber:c (berserk moves)"),
        ("afor:a4,a5,", "afor:a4,a5,"),
        ("dfor:e5,", "dfor:e5,"),
        ("spd:1", "spd:1"),
        ("cen:", "cen:"),
        ("cor:a1,b1,", "cor:a1,b1,"),
        ("cor:", "esc:c (corners as the goal, without corners)"),
        ("cens:tTK", "cens:tTK"),
        ("cenp:t", "cenp:t"),
        ("cenhe:t", "cenhe:t"),
        ("ka:n cenh:t", "cenh:t"),
        ("cenre:", "cenre:"),
        ("corre:", "corre:"),
        ("corh:T", "corh:T"),
        ("cors:t", "cors:t"),
        ("sw:s efe:y ber:m", "sw:s (shieldwalls), efe:y (edge forts), ber:m (berserk moves)"),
    ],
)
def test_what_no_option_says_is_named(fields: str, named: str) -> None:
    with pytest.raises(Refused) as caught:
        read_rules(f"dim:9 {fields} {START}", 7, {})
    assert caught.value.code == "rules-not-ours"
    assert str(caught.value).startswith("line 7: no option of ours says: ")
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (COMAS.replace("dim:9", "dim:7"), "dim:7 (9 and 11 are played)"),
        (COMAS.replace("4t4", "4c4"), "the start position has commanders"),
        (COMAS.replace("4T4", "4N4"), "the start position has knights"),
        (COMAS.replace("dim:9 ", ""), "the rules line has no dim"),
        (COMAS.replace(f" {START}", ""), "the rules line has no start"),
        (COMAS.replace("dim:9", "dim:11"), "the start position has not the 11 ranks of dim"),
        (COMAS + " zzz:1", "'zzz:1' is no field of OpenTafl that we know"),
        (COMAS + " esc:e", "the field esc stands twice"),
        (COMAS.replace("corp:K", "corp:Z"), "'corp:Z' names no pieces"),
    ],
)
def test_a_line_that_cannot_be_used(line: str, why: str) -> None:
    with pytest.raises(TabellionError) as caught:
        read_rules(line, 3, {})
    assert str(caught.value).startswith("line 3: ")
    assert why in str(caught.value)


def test_what_the_line_leaves_out_is_noted() -> None:
    assert read_rules(LINNAEUS, 7, {}).notes == (
        "line 7: surf is not written; OpenTafl then lets a surrounded side lose, these rules do"
        " not",
    )
    assert read_rules(COMAS, 1, {}).notes == ()


def test_x_tags_choose_what_the_line_leaves_open() -> None:
    edge = COMAS.replace("esc:c", "esc:e")
    assert read_rules(edge, 1, {"x-ruleset": "tablut-edge"}).options == options("tablut-edge")
    chosen = read_rules(edge, 1, {"x-options": "goal=clear_edge"})
    assert (chosen.ruleset, chosen.options) == ("tablut-edge", options("tablut-edge"))
    single = read_rules(COMAS, 1, {"x-options": "captures=single tuichi_wins=true"})
    assert single.options == options("tablut") | {"captures": "single", "tuichi_wins": True}
    for tags, why in (
        ({"x-options": "goal=clear_edge"}, "x-options says goal=clear_edge"),
        ({"x-options": "goal"}, "'goal' is no option"),
        ({"x-options": "goal=moon"}, "'goal=moon' is no option"),
        ({"x-ruleset": "chess"}, "no ruleset is called 'chess'"),
    ):
        with pytest.raises(TabellionError) as caught:
            read_rules(COMAS, 1, tags)
        assert why in str(caught.value)


# ---- writing


def bare(transcript: Transcript) -> Transcript:
    """Without lines of the file and the notes about them."""
    return replace(
        transcript,
        notes=(),
        plies=tuple(replace(ply, line=0) for ply in transcript.plies),
        comments=tuple(replace(each, line=0) for each in transcript.comments),
        claim=replace(transcript.claim, line=0),
    )


@pytest.mark.parametrize(
    "text",
    [
        GAME_1,
        GAME_1.replace("c5-c9\n", "c5-c9\n[one|two]\n").replace("Ke4-i4", "Ke4-i4++ [end]"),
        GAME_1.replace("[result:-1]", "[result:-1]\n[start-comment:Hello]\n[compiler:Me]"),
        f"[result:1]\n[termination:White resigns]\n{HEAD}\n1. e2-c2",
        f"[position:/9/9/2K6/9/9/9/9/9/4t4/]\n{HEAD}1... Kc3-c2 [mine] 2. e9-e8",
    ],
)
def test_what_is_written_reads_the_same(text: str) -> None:
    transcript = parse(text)
    assert bare(parse(write(transcript))) == bare(transcript)


@given(st.fixed_dictionaries({n: st.sampled_from(o.values) for n, o in GAME.options.items()}))
def test_every_set_of_options_can_be_written(chosen: dict[str, OptionValue]) -> None:
    ply = Ply(1, str(chosen["first"]), "e2-c2", ())
    transcript = Transcript("opentafl", "tablut", chosen, (ply,), Claim(Claimed.NOTHING))
    again = parse(write(transcript))
    assert (again.options, again.start) == (chosen, None)


@pytest.mark.parametrize("ruleset", sorted(GAME.rulesets))
def test_every_ruleset_can_be_written(ruleset: str) -> None:
    chosen = options(ruleset)
    ply = Ply(1, str(chosen["first"]), "e2-c2", ())
    transcript = Transcript("opentafl", ruleset, chosen, (ply,), Claim(Claimed.NOTHING))
    assert (parse(write(transcript)).ruleset, parse(write(transcript)).options) == (ruleset, chosen)


def test_a_player_who_is_called_as_a_side_is_not_taken_for_it() -> None:
    """The Swedes, White in this notation, are played by somebody called Black, and resign."""
    text = f"[attackers:White]\n[defenders:Black]\n[result:1]\n{HEAD}\n1. e2-c2"
    assert judged(f"[termination:White resigns]\n{text}").resigned == "swedes"


def test_what_has_no_place_in_the_notation_is_refused() -> None:
    transcript = parse(GAME_1)
    for words in ("a | b", "a ] b"):
        with pytest.raises(Refused) as caught:
            write(replace(transcript, comments=(Comment(1, 0, words),)))
        assert caught.value.code == "not-writable"


# ---- hostile files


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_damaged_file_fails_as_our_own_error_only(data: st.DataObject) -> None:
    spot = data.draw(st.integers(0, len(GAME_1) - 1))
    length = data.draw(st.integers(0, 3))
    new = data.draw(st.text(alphabet="abcdefghi123456789-x/[]:.?|+K \n²١", max_size=3))
    with suppress(TabellionError):
        judged(GAME_1[:spot] + new + GAME_1[spot + length :])


@given(st.text())
def test_any_moves_fail_as_our_own_error_only(text: str) -> None:
    with suppress(TabellionError):
        judged(f"{HEAD}{text}")


@given(st.text(alphabet="acdehijkmnoprstuw:/0123456789tTKyn, ", max_size=80))
def test_any_rules_line_fails_as_our_own_error_only(text: str) -> None:
    with suppress(TabellionError):
        read_rules(f"{text} dim:9 {START}", 1, {"x-options": text})


def test_a_game_longer_than_any_is_refused() -> None:
    turns = "".join(f"{n}. e2-c2 e3-d3\n" for n in range(1, 2002))
    with pytest.raises(Refused) as caught:
        judged(f"{HEAD}{turns}")
    assert caught.value.code == "import-too-long"

"""Logs of the Tablut Challenge server: invented games, logged in every manner the server has.

The games are played through our engine and written down as the server would; then one thing is
altered, and adjudication must stop exactly there.
"""

from __future__ import annotations

import pytest
from bologna_log import BLACK_WINS, DRAWN, OPEN, WHITE_WINS, entry, log, turn
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import Refused, TabellionError, Unreadable
from ledger.formats.tablut.bologna import parse
from ledger.formats.transcript import Adjudication, Claimed, End, adjudicate
from ledger.games.tablut import GAME


def judged(text: str) -> Adjudication:
    return adjudicate(parse(text), GAME)


def refusal(text: str) -> str:
    with pytest.raises(TabellionError) as caught:
        judged(text)
    return str(caught.value)


def line_of(text: str, wanted: str, nth: int = 1) -> int:
    """The number of the nth line that holds ``wanted``."""
    found = [number for number, line in enumerate(text.split("\n"), 1) if wanted in line]
    return found[nth - 1]


def replaced(text: str, line: int, new: str) -> str:
    lines = text.split("\n")
    lines[line - 1] = new
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("moves", "claimed", "winner", "reason"),
    [
        (WHITE_WINS, Claimed.WIN, "swedes", "goal"),
        (BLACK_WINS, Claimed.WIN, "muscovites", "king_taken"),
        (DRAWN, Claimed.DRAW, None, "repetition"),
    ],
)
def test_a_finished_log_is_reproduced(
    moves: list[str], claimed: Claimed, winner: str | None, reason: str
) -> None:
    transcript = parse(log(moves))
    assert transcript.ruleset == "tablut-ashton"
    assert transcript.players == {"swedes": "Alba", "muscovites": "Bruno"}
    assert transcript.details == {"date": "mag 25, 2024 8:31:07 PM"}
    assert (transcript.claim.result, transcript.claim.winner) == (claimed, winner)
    assert transcript.start is None
    assert all(ply.board for ply in transcript.plies)
    result = adjudicate(transcript, GAME)
    assert [action.text for action in result.actions] == moves
    assert result.ended is End.BOARD
    assert result.outcome
    assert (result.outcome.winner, result.outcome.reason) == (winner, reason)


def test_a_log_that_stops_has_no_result() -> None:
    result = judged(log(OPEN))
    assert result.ended is End.OPEN
    assert result.outcome is None
    assert result.text == "The file stops without a result."


@pytest.mark.parametrize("level", ["FEIN", "BUONO", "PRÉCIS", "ТОЧНО"])
def test_the_words_of_the_servers_language_do_not_matter(level: str) -> None:
    text = log(WHITE_WINS).replace("FINE:", f"{level}:").replace("mag 25, 2024 8:31", "25.05.24 20")
    assert judged(text).ended is End.BOARD


def test_other_manners_of_the_server() -> None:
    text = log(WHITE_WINS, letters="null", head="Players:\tWhite:\tAlba\tvs\tBruno")
    state = text[text.rindex("Stato:\n") + len("Stato:\n") :].rstrip("\n")
    text += entry(f"Stato: {state}") + entry(f"Stato:\n{state}") + "\n"
    assert [ply.seat for ply in parse(text).plies[:2]] == ["swedes", "muscovites"]
    assert parse(text).players == {"swedes": "Alba", "muscovites": "Bruno"}
    assert judged(text.replace("\n", "\r\n")).ended is End.BOARD


def test_names_may_be_missing() -> None:
    assert parse(log(OPEN, head="Players:\t\tvs\tBruno")).players == {"muscovites": "Bruno"}


def test_an_attempt_that_the_server_rejected_is_no_ply() -> None:
    text = log(OPEN)
    attempt = turn("e4-e9", "W") + entry("Mossa che scavalca una pedina", "WARNING")
    place = text.index(entry("Movimento pedina")) - len(turn(OPEN[0], "W"))
    with_attempt = text[:place] + attempt + text[place:]
    transcript = parse(with_attempt)
    line = line_of(with_attempt, "from e4 to e9")
    assert len(transcript.plies) == 3
    assert transcript.notes == (
        f"line {line}: the server did not play e4-e9: Mossa che scavalca una pedina",
    )
    assert adjudicate(transcript, GAME).ended is End.OPEN


def test_an_attempt_at_the_end_is_no_ply() -> None:
    text = log(OPEN) + turn("e4-e9", "B") + entry("Giocatore B cerca di muovere una pedina", "AVV")
    assert len(judged(text).actions) == 3


def test_a_turn_that_is_logged_twice_is_noted() -> None:
    text = log(OPEN)
    line = line_of(text, "from g5 to g4")
    doubled = text.replace(turn("g5-g4", "W"), turn("g5-g4", "W") * 2)
    assert parse(doubled).notes == (f"line {line}: g5-g4 is logged twice",)
    assert len(judged(doubled).actions) == 3


def test_a_legal_move_that_was_not_played_is_named() -> None:
    text = log(OPEN) + turn("b5-b7", "B") + entry("Mossa in diagonale", "WARNING")
    assert refusal(text) == (
        f"after move 3, line {line_of(text, 'from b5 to b7')}: b5-b7: the file says this was not"
        " played (Mossa in diagonale); by the rules it is legal"
    )


def test_an_altered_move_stops_at_its_ply() -> None:
    text = log(WHITE_WINS)
    line = line_of(text, "from b5 to b7")
    assert refusal(text.replace("from b5 to b7", "from b5 to b6")) == (
        f"move 4, line {line_of(text, 'Stato:', 5) + 1}: b5-b6: on b6 the file shows nothing, the"
        " rules Muscovite; on b7 the file shows Muscovite, the rules nothing"
    )
    assert refusal(text.replace("from b5 to b7", "from b5 to c7")) == (
        f"move 4, line {line}: b5-c7: refused by the rules: a piece moves along its rank or its "
        "file"
    )


def test_an_altered_capture_stops_at_its_ply() -> None:
    text = log(WHITE_WINS)
    line = line_of(text, "from h5 to g5")
    assert refusal(text.replace("bianca rimossa in: f5", "bianca rimossa in: f6")) == (
        f"move 2, line {line}: h5-g5: the file says f6 is taken; by the rules f5 is"
    )
    assert refusal(text.replace(entry("Pedina bianca rimossa in: f5"), "")) == (
        f"move 2, line {line}: h5-g5: the file says nothing is taken; by the rules f5 is"
    )


def test_an_altered_square_stops_at_its_ply() -> None:
    text = log(WHITE_WINS)
    line = line_of(text, "OOOOWOOOO", 3)
    assert line_of(text, "from g5 to g4") < line < line_of(text, "from h5 to g5")
    altered = replaced(text, line, "OOOOWOOOB")
    message = refusal(altered)
    assert message.startswith(f"move 1, line {line_of(text, 'Stato:', 2) + 1}: ")
    assert message.endswith("g5-g4: on i3 the file shows Muscovite, the rules nothing")


def test_the_first_board_must_be_the_start() -> None:
    text = log(WHITE_WINS)
    line = line_of(text, "OOOBBBOOO")
    assert refusal(replaced(text, line, "OOOBBOOOO")) == (
        f"before the first move, line {line}: on f1 the file shows nothing, the rules Muscovite"
    )


def test_an_altered_side_stops_at_its_ply() -> None:
    text = log(OPEN)
    line = text.rstrip("\n").count("\n") + 1
    message = refusal(replaced(text, line, "W"))
    assert message.startswith("move 3, line ")
    assert message.endswith("e5-f5: the file has the other side to move")


@pytest.mark.parametrize("side", ["WW", "D"])
def test_a_result_that_the_board_does_not_show_is_refused(side: str) -> None:
    text = log(OPEN)
    line = text.rstrip("\n").count("\n") + 1
    says = "the Swedes won (WW)" if side == "WW" else "it is a draw (D)"
    with pytest.raises(Refused) as caught:
        judged(replaced(text, line, side))
    assert caught.value.code == "import-unexplained"
    assert caught.value.hint
    assert str(caught.value) == (
        f"after move 3, line {line}: the file says {says}; the board does not show it, nor is it"
        " explained"
    )


def test_a_king_that_is_called_taken_must_be_taken() -> None:
    text = log(OPEN)
    line = text.rstrip("\n").count("\n") + 1
    assert "the file says f5 and g5 are taken; by the rules g5 is" in refusal(
        replaced(text, line, "BW")
    )


def test_an_altered_result_is_refused() -> None:
    text = log(WHITE_WINS)
    line = text.rstrip("\n").count("\n") + 1
    quiet = text.replace(entry("Bianco vince con re in i2"), "")
    after = line - 2
    assert refusal(replaced(text, line, "D")) == (
        f"line {line}: D contradicts the result that the log has just named"
    )
    assert refusal(replaced(quiet, after, "D")) == (
        f"after move 7, line {after}: the file says it is a draw; by the rules: The king stands on"
        " the edge square i2: the Swedes win."
    )
    assert "by the rules: The king stands on the edge" in refusal(replaced(quiet, after, "B"))


def test_a_move_after_the_end_is_refused() -> None:
    text = log(WHITE_WINS) + turn("e8-f8", "B")
    line = line_of(text, "from e8 to f8")
    assert refusal(text) == f"line {line}: a move where no side is to move"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Movimento pedina", "Qualcosa", "'Qualcosa' is not explained by the move of line {turn}"),
        ("Pedina bianca", "Pedina nera", "'Pedina nera rimossa in: f5' is not explained"),
        ("re in i2", "re in i3", "'Bianco vince con re in i3' is not explained by the move"),
        ("Inizio partita", "Movimento pedina", "'Movimento pedina' belongs to no move"),
        ("\n-\nB", "\n+\nB", "'+' stands where a - separates board and side"),
        ("\n-\nB", "\n-\nX", "'X' is no side"),
        ("\n-\nB", "\n-", "a board has 11 lines with its side, this has 10"),
        ("\n-\nW", "\n-\nB", "the first board has White to move"),
        ("OOOBBBOOO", "OOOBBBOO", "'OOOBBBOO' is no row of a board"),
        ("OOOBBBOOO", "TOOBBBOOO", "the throne T stands on e5, and there alone, or the king K"),
        ("FINE: Inizio", "Inizio", "'Inizio partita' is no part of a game log"),
        ("FINE: Inizio partita\n", "", "a message is expected here"),
    ],
)
def test_what_the_game_does_not_explain_is_named(old: str, new: str, why: str) -> None:
    text = log(WHITE_WINS)
    assert old in text
    altered = text.replace(old, new, 1)
    with pytest.raises(Unreadable) as caught:
        judged(altered)
    assert caught.value.code == "bad-log"
    assert str(caught.value).startswith("line ")
    assert why.format(turn=line_of(altered, "Turn:")) in str(caught.value)


def test_a_cut_log_is_named() -> None:
    text = log(OPEN)
    cut = text[: text.rindex(entry("Current draw cache size: 3"))]
    line = line_of(cut, "from e5 to f5")
    assert refusal(cut) == f"line {line}: no board follows the move e5-f5; is the log cut off?"
    assert "cut off within a message" in refusal(text + entry("x").split("\n")[0])


def test_a_board_that_no_move_explains_is_named() -> None:
    text = log(OPEN)
    board_again = text[text.index("Stato:") : text.index("\n-\nW") + len("\n-\nW")]
    assert refusal(text + entry(board_again)).endswith("no move explains this board")


def test_two_games_in_one_file_are_refused() -> None:
    assert "another game begins here" in refusal(log(OPEN) + log(OPEN))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("allowed:\t0", "allowed:\t2", "2 repeated moves allowed, cache -1"),
        ("Cache:\t-1", "Cache:\t5", "0 repeated moves allowed, cache 5"),
        ("GameAshtonTablut", "GameModernTablut", "no rules of ours: GameModernTablut"),
    ],
)
def test_other_rules_are_named(old: str, new: str, why: str) -> None:
    with pytest.raises(Refused) as caught:
        parse(log(OPEN).replace(old, new))
    assert caught.value.code == "rules-not-ours"
    assert why in str(caught.value)


def test_a_log_without_settings_is_noted() -> None:
    text = log(OPEN).replace(entry("Repeated moves allowed:\t0\tCache:\t-1"), "")
    assert parse(text).notes == (
        "The log does not say how often positions may repeat; taken: never.",
    )
    assert judged(text).ended is End.OPEN


def test_no_move_is_no_game() -> None:
    with pytest.raises(Refused) as caught:
        judged(log([]))
    assert caught.value.code == "import-empty"


def test_a_long_line_of_spaces_is_read_in_no_time() -> None:
    """The search for the server's name once tried every way to part the spaces: for hours."""
    with pytest.raises(Unreadable, match="is no row of a board"):
        parse(f"{entry('Stato:')}\n{' ' * 2_000_000}x\n")


LINES = log(BLACK_WINS).split("\n")


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_damaged_log_is_refused_or_says_the_same(data: st.DataObject) -> None:
    """One line dropped, doubled or altered: never another game, never another kind of error."""
    lines = list(LINES)
    place = data.draw(st.integers(0, len(lines) - 1))
    change = data.draw(st.sampled_from(["drop", "double", "alter"]))
    if change == "alter":
        spot = data.draw(st.integers(0, len(lines[place])))
        sign = data.draw(st.sampled_from([*"OBWKT-:a5 \t", ""]))
        lines[place] = lines[place][:spot] + sign + lines[place][spot + 1 :]
    else:
        lines[place : place + 1] = [lines[place]] * (2 if change == "double" else 0)
    try:
        result = judged("\n".join(lines))
    except TabellionError:
        return
    assert [action.text for action in result.actions] == BLACK_WINS[: len(result.actions)]


@given(st.text())
def test_any_text_is_refused_as_our_own_error(text: str) -> None:
    with pytest.raises(TabellionError):
        judged(text)

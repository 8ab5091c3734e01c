"""What people type and pipe in: paper sheets, strange names, huge numbers, rubbish."""

from __future__ import annotations

from typing import Any

import pytest
from table import SHORT_GAME
from terminal import Desk

from cli.app import build
from cli.output import Styled, say, sentence, visible

SHEET = """\
# Table 4, written down by Zoë
1. e3-f3 e2-h2
2. e4-e2 h2-h3

3.e5-e3 h3-h4
4... Ke3-a3   h4-g4
5. a3-a1
"""


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


# -- moves from a pipe -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "sheet",
    [
        SHEET,
        SHEET.replace("\n", "\r\n"),
        SHEET.replace("\n", "\r"),
        "\ufeff" + SHEET,
        "\ufeff#\n" + "\n".join(SHORT_GAME),
        " ".join(SHORT_GAME),
        "\n\n" + "\t".join(SHORT_GAME) + "\n \n",
    ],
    ids=["numbers", "CRLF", "CR", "BOM", "BOM and comment", "one line", "tabs"],
)
def test_a_paper_sheet_is_typed_in(desk: Desk, sheet: str) -> None:
    desk.open()
    said = desk.did("move", "-", stdin=sheet.encode())
    assert said.count("moves") == 9
    assert "the Swedes win" in said


def test_a_fault_on_line_3_writes_nothing(desk: Desk) -> None:
    desk.open()
    ran = desk("move", "-", stdin=b"# sheet\r\n1. e3-f3 e2-h2\r\n2. e4-e5 h2-h3\r\n")
    assert (ran.status, ran.out, ran.err) == (
        1,
        "",
        "error[blocked]: line 3: e4-e5 is refused: the king stands on e5. Nothing was written.\n",
    )
    assert desk.types() == ["match.opened", "seat.accepted", "seat.accepted"]


def test_a_move_spelled_otherwise_is_shown_as_it_was_typed(desk: Desk) -> None:
    desk.open()
    ran = desk("move", "-", stdin=b"e3-f3\ne2-h2\ne4E5\n")
    assert ran.err == (
        "error[blocked]: line 3 (e4E5): e4-e5 is refused: the king stands on e5. "
        "Nothing was written.\n"
    )


def test_moves_after_the_end_write_nothing_either(desk: Desk) -> None:
    desk.open()
    ran = desk("move", "-", stdin="\n".join([*SHORT_GAME, "h3-h2"]).encode())
    assert ran.status == 1
    assert ran.err.startswith("error[game-over]: line 10 (h3-h2): The game is over. Nothing was")
    assert "move" not in desk.types()


@pytest.mark.parametrize(
    ("rubbish", "status", "said"),
    [
        (b"", 2, "error[no-moves]: There is no move in the input.\n"),
        (b"# nothing\n\n 1. 2.\n", 2, "error[no-moves]: There is no move in the input.\n"),
        (b"\xef\xbb\xbf", 2, "error[no-moves]: There is no move in the input.\n"),
        (b"e3-f3 \xff", 2, "error[not-utf8]: Byte 6 of the input is not UTF-8. Nothing was"),
        (
            "e3-f3".encode("utf-16"),
            2,
            "error[not-utf8]: Byte 0 of the input is not UTF-8. Nothing was",
        ),
        (b"\0" * 10, 2, "error[bad-move]: '\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00' is"),
        (b"e3-f3\0", 2, "error[bad-move]: 'e3-f3\\x00' is no move.\n"),
        (b"e3-f3 \x1b[2J", 2, "error[bad-move]: move 2"),
        (b"a" * 1024 * 1024, 2, "error[bad-move]: a text of 1048576 characters is no move.\n"),
        (
            b"a" * (1024 * 1024 + 1),
            2,
            "error[too-large]: The input is larger than 1048576 bytes.\n",
        ),
        (b"x " * (512 * 1024), 2, "error[bad-move]: line 1: 'x' is no move. Nothing was written."),
    ],
    ids=[
        *("empty", "comments", "only a BOM", "not UTF-8", "UTF-16", "NUL", "NUL in a move"),
        *("ANSI", "1 MB in a word", "more than 1 MB", "half a million words"),
    ],
)
def test_rubbish_is_refused_in_words(desk: Desk, rubbish: bytes, status: int, said: str) -> None:
    desk.open()
    ran = desk("move", "-", stdin=rubbish)
    assert ran.status == status
    assert ran.err.startswith(said.replace("move 2", "line 1"))
    assert "\x1b" not in ran.err
    assert "move" not in desk.types()


# -- names and words -------------------------------------------------------------------------


def named(desk: Desk, name: str) -> Any:
    desk.make_keys("zoe")
    return desk("open", "tablut", "--seat", f"swedes={name}", "--seat", "muscovites=Bruno")


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "O'Brien; rm -rf ~ && $(true) `x`",
        "Анна Ζωή 王 עדה",
        "👩‍👩‍👧",
        "a=b",
        "[bold red]x[/]",
        "%s {0} \\n",
        "A" * 80,
    ],
)
def test_a_name_is_written_as_it_is(desk: Desk, name: str) -> None:
    ran = named(desk, name)
    assert ran.status == 0, ran.err
    assert f"swedes: {name}, no key" in ran.out
    assert f"swedes: {name}, the arbiter writes\n" in desk("show").out


def test_letters_and_accents_apart_are_composed(desk: Desk) -> None:
    ran = named(desk, "  Zoe\u0308 ")
    assert (ran.status, "swedes: Zo\u00eb, no key" in ran.out) == (0, True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("A\nB", "forbidden-character]: The name at swedes: The text 'A\\nB' has the character"),
        ("A\x1b[31mB", "forbidden-character]: The name at swedes: The text 'A\\x1b[31mB' has"),
        ("A\u202eB", "forbidden-character]: The name at swedes: The text 'A\\u202eB' has the"),
        ("A\0B", "forbidden-character]: The name at swedes: The text 'A\\x00B' has the"),
        ("A\udcffB", "forbidden-character]: The name at swedes: The text 'A\\udcffB' has the"),
        ("A" * 81, "too-long]: The name at swedes has 81 characters; 80 are the most."),
        ("👩" * 10_000, "too-long]: The name at swedes has 10000 characters; 80 are the most."),
        ("\ufeff", "no-words]: The name at swedes is empty."),
    ],
)
def test_a_name_that_no_record_holds(desk: Desk, name: str, said: str) -> None:
    ran = named(desk, name)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"error[{said}")
    assert ran.err.isascii()
    assert not desk.ledger.exists()


def test_words_have_a_longest_length(desk: Desk) -> None:
    desk.open("--event", "E" * 200, "--place", str(2**70))
    desk.did("note", "n" * 4000)
    assert desk("note", "n" * 4001).err.startswith("error[too-long]: The note has 4001 characters")
    assert desk("note", "\n").code == "no-words"
    assert desk("note", "a\nb").code == "forbidden-character"
    desk.did("move", "e3-f3")
    ran = desk("correct", "4", "--reason", "")
    assert (ran.status, ran.err) == (2, "error[no-words]: --reason is empty.\n")
    assert desk("correct", "4", "--reason", "x", "--rule", "r" * 201).code == "too-long"
    opened = desk("open", "tablut", "--seat", "swedes=A", "--seat", "muscovites=B", "--event", "")
    assert opened.err == "error[no-words]: --event is empty.\n"


@pytest.mark.parametrize("number", ["-1", "x", "", "1.0", "1e3", "٣", str(2**70), "9" * 5000])
def test_a_number_that_no_event_has(desk: Desk, number: str) -> None:
    desk.open()
    for command in (["show", f"--at={number}"], ["correct", "--reason", "x", "--", number]):
        ran = desk(*command)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("error[usage]: An event has a number like 7, unlike '")
        assert len(ran.err) < 120


def test_a_passphrase_is_never_an_argument() -> None:
    app = build(["key"])
    from typer.main import get_command

    found = get_command(app)
    options = [
        option
        for command in found.commands["key"].commands.values()  # type: ignore[attr-defined]
        for parameter in command.params
        for option in parameter.opts
        if "pass" in option
    ]
    assert sorted(set(options)) == ["--no-passphrase", "--passphrase-file"]


# -- how texts are shown ---------------------------------------------------------------------


def test_what_steers_a_terminal_is_made_visible(capsys: Any) -> None:
    say("a\x1b[2Jb\u202ec\x9b", Styled("\x1b]0;x\x07", "bold"))
    assert capsys.readouterr().out == "a<U+001B>[2Jb<U+202E>c<U+009B><U+001B>]0;x<U+0007>\n"
    assert visible("a\nb", lines=True) == "a<U+000A>b"


@pytest.mark.parametrize("letter", "\u200b\ufeff\u00ad\u2060\u3164\u2800\u180e\U000e0041")
def test_a_letter_that_nobody_sees_is_made_visible(letter: str) -> None:
    assert visible(f"Al{letter}ba") == f"Al<U+{ord(letter):04X}>ba"


def test_letters_that_scripts_need_are_left() -> None:
    needed = "نمی\u200cخواهم क्\u200dष e\u0301 ️🤝"
    assert visible(needed) == needed


def test_a_sentence_has_one_mark_at_its_end() -> None:
    assert [sentence(text) for text in ("No", "No.", "No!", "No?", "No…")] == [
        *("No.", "No.", "No!", "No?", "No…"),
    ]

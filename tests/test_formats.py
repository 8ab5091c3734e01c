"""Foreign files: told apart by content, bounded, UTF-8 only."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger import texts as written_texts
from ledger.errors import TabellionError, Unreadable
from ledger.formats import FORMATS, MAX_BYTES, RECORD, SQLITE, Texts, read, recognise, texts
from ledger.games import MODULES

START = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
OTN = (
    "[attackers:Åke]\n[defenders:Bea]\n"
    f"[rules:dim:9 esc:e atkf:y ks:c cor: cens: cenh: start:{START}]\n\n1. e2-c2 c5-c9\n"
).encode()
WHERE = "May 25, 2024 8:31:07 PM it.unibo.ai.didattica.competition.tablut.domain.GameAshtonTablut"
ROWS = "OOOBBBOOO OOOOBOOOO OOOOWOOOO BOOOWOOOB BBWWKWWBB BOOOWOOOB OOOOWOOOO OOOOBOOOO OOOBBBOOO"
LOG = (
    f"{WHERE} <init>\nFINE: Players:\tAlba\tvs\tBruno\n{WHERE} <init>\nFINE: Stato:\n"
    + ROWS.replace(" ", "\n")
    + "\n-\nW\n"
).encode()
TABULA = (
    '; [Ruleset "tabula"]\n; [White "Åke"]\n; [Black "Bea"]\n\n0. W 2 B 5\n1. B 6-2-1: hand/6\n'
).encode()

TABLERO = (
    '; [Ruleset "tablero-event"]\n; [South "Åke"]\n; [North "Bea"]\n\n0. S 5 N 2\n1. S 6-1: pass\n'
).encode()

FILES = {
    OTN: "opentafl",
    LOG: "bologna-log",
    TABULA: "tabula-text",
    TABLERO: "tablero-text",
}


def code(data: bytes, format: str | None = None) -> str:
    with pytest.raises(TabellionError) as caught:
        read(data, format)
    return caught.value.code


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (OTN, "opentafl"),
        (b"\xef\xbb\xbf\r\n" + OTN, "opentafl"),
        (LOG, "bologna-log"),
        (TABULA, "tabula-text"),
        (b'\xef\xbb\xbf; From the archive\r ; [ruleset "tabula"]\r', "tabula-text"),
        (b"; Found without a head\n\n0. W 4 B 4 / W 5 B 2\n", "tabula-text"),
        (TABLERO, "tablero-text"),
        (b"\xef\xbb\xbf; Bruges\r0. s 4 n 4 / s 5 n 2\r", "tablero-text"),
        (b'{"events":[{"payload":"', RECORD),
        (b'{"events":[],"format":"tabellion-record/1"}\n', RECORD),
        (b"SQLite format 3\x00\x10\x00", SQLITE),
    ],
)
def test_content_tells_the_format(data: bytes, name: str) -> None:
    assert recognise(data) == name


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "empty-file"),
        (b"\xef\xbb\xbf \n", "empty-file"),
        (b"1. e4 e5", "unknown-format"),
        (b'; [Site "Backgammon"]\n; [Player 1 "Bea"]\n\n 7 point match\n', "unknown-format"),
        (b'; [Ruleset "latrunculi"]\n; [White "Bea"]\n\n1. W a2-a4\n', "unknown-format"),
        (b"0. S 4 B 2\n", "unknown-format"),
        (b'{"moves": []}', "unknown-format"),
        (b'{"moves":\n; [Ruleset "tabula"]\n0. W 4 B 2\n}', "unknown-format"),
        (b"\x00\xff\x00", "unknown-format"),
    ],
)
def test_what_is_no_known_format_is_named(data: bytes, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        recognise(data)
    assert caught.value.code == expected


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (OTN, "opentafl"),
        (OTN.replace(b"Bea", WHERE.encode()), "opentafl"),
        (LOG, "bologna-log"),
        (TABULA, "tabula-text"),
        (TABLERO, "tablero-text"),
    ],
)
def test_no_other_format_takes_a_file_for_its_own_before(data: bytes, name: str) -> None:
    assert recognise(data) == name
    assert next(each for each, reader in FORMATS.items() if reader.recognises(data)) == name


def test_formats_stand_in_the_order_of_the_games_each_under_a_name_of_its_own() -> None:
    names = [reader.name for game in MODULES for reader in texts(game).readers]
    assert names == list(FORMATS) == list(dict.fromkeys(names))
    assert not {"record", RECORD, SQLITE} & set(names)
    assert len(FORMATS) == len(names) > 2


def test_what_is_shared_is_no_game() -> None:
    assert texts("transcript") == texts("no_such_game") == Texts()


def test_recognising_a_file_loads_no_parser() -> None:
    program = (
        "import sys\n"
        "from ledger.formats import recognise, writers\n"
        "assert 'otn' in [each.name for each in writers()]\n"
        "assert recognise(b'[event:x]') == 'opentafl'\n"
        "print(*(name for name in sys.modules if name.startswith('ledger.formats.')))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    loaded = {name.removeprefix("ledger.formats.") for name in ran.stdout.decode().split()}
    assert loaded - {*MODULES} == {"offered"}
    assert {"tablut", "tabula", "tablero"} <= loaded


def test_reading_by_content_and_by_name() -> None:
    for data, name in FILES.items():
        assert name in FORMATS
        assert read(data).format == read(data, name).format == name
    assert read(OTN).players == {"muscovites": "Åke", "swedes": "Bea"}
    assert read(TABLERO).players == {"south": "Åke", "north": "Bea"}
    assert read(TABULA).players == {"white": "Åke", "black": "Bea"}
    assert read(b"\xef\xbb\xbf" + OTN.replace(b"\n", b"\r\n")) == read(OTN)
    assert read(OTN.replace(b"\n", b"\r")) == read(OTN)


def test_our_own_files_need_no_import() -> None:
    assert code(b'{"events":[') == "own-record"
    assert code(b"SQLite format 3\x00") == "own-ledger"


def test_refusals_around_the_content() -> None:
    assert code(OTN, "pgn") == "unknown-format"
    assert code(OTN, "bologna-log") == "bad-log"
    assert code(LOG, "opentafl") == "no-rules-line"
    assert code(OTN, "tabula-text") == "bad-text"
    assert code(b"0. W 4 B 2\n") == "no-ruleset"
    assert code(b"0. S 4 N 2\n") == "no-ruleset"
    assert code(TABULA, "tablero-text") == "bad-text"
    assert code(b"[" * (MAX_BYTES + 1)) == "too-large"
    assert code(b"[" * MAX_BYTES) == "bad-otn"


def test_other_encodings_are_not_guessed() -> None:
    latin = OTN.decode().encode("latin-1")
    with pytest.raises(Unreadable) as caught:
        read(b"[event:x]\n" + latin)
    assert caught.value.code == "not-utf8"
    assert str(caught.value) == "line 2: byte 21 of the file (0xc5) is not UTF-8."
    with pytest.raises(Unreadable) as caught:
        read(b"\xef\xbb\xbf[\xff")
    assert "byte 4 of the file (0xff)" in str(caught.value)


@pytest.mark.parametrize("sign", ["\x1b", "\x00", "\x7f", "\x85", "\u202e", "\u2066"])
def test_signs_that_could_forge_the_screen_are_refused(sign: str) -> None:
    data = OTN.decode().replace("Bea", f"Be{sign}a").encode()
    with pytest.raises(Unreadable) as caught:
        read(data)
    assert caught.value.code == "control-character"
    assert str(caught.value) == f"line 2: the control character U+{ord(sign):04X}."


@given(st.binary(), st.sampled_from([None, *FORMATS]))
def test_any_bytes_are_refused_as_our_own_error(data: bytes, format: str | None) -> None:
    with pytest.raises(TabellionError):
        read(data, format)


@given(st.integers(0, 600), st.binary(max_size=3), st.sampled_from([*FILES]))
def test_altered_files_fail_as_our_own_error_only(place: int, new: bytes, data: bytes) -> None:
    with suppress(TabellionError):
        read(data[:place] + new + data[place + 1 :])


# -- a new game ------------------------------------------------------------------------------

NIM = """
from ledger.formats.offered import Reader, Texts, Writer
from ledger.formats.transcript import Claim, Claimed, Ply, Transcript


def read(text):
    _, *moves = text.split()
    plies = [Ply(1, ("first", "second")[n % 2], move) for n, move in enumerate(moves)]
    return Transcript("nim-sheet", "nim", {}, tuple(plies), Claim(Claimed.NOTHING))


def write(transcript, origin):
    return " ".join(["Nim:", *(ply.move for ply in transcript.plies)])


TEXTS = Texts(
    (Reader("nim-sheet", lambda body: body[:4] == b"Nim:", read, "sheets of Nim begin with Nim:"),),
    Writer("sheet", write),
)
"""


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A game that is new in the registry, with its package of texts."""
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim" / "__init__.py").write_text(NIM)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    monkeypatch.setitem(MODULES, "nim", "nim")
    yield
    del sys.modules["ledger.formats.nim"]


@pytest.mark.usefixtures("nim")
def test_a_new_game_brings_its_texts_along() -> None:
    found = read(b"\xef\xbb\xbf\nNim: 3 1 2\n")
    assert (found.format, [ply.move for ply in found.plies]) == ("nim-sheet", ["3", "1", "2"])
    assert read(b"Nim: 3", "nim-sheet").plies == found.plies[:1]
    assert written_texts.names()[-1] == "sheet"
    with pytest.raises(Unreadable) as caught:
        read(b"Rummy: 3")
    assert caught.value.message.endswith(", nim-sheet).")
    assert caught.value.hint.endswith("; sheets of Nim begin with Nim:")
    for data, name in FILES.items():
        assert recognise(data) == name

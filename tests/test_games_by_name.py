"""No source outside a game's own files knows the game: neither its name nor that of a ruleset."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from test_cli_help import EVERY, example
from test_manual import examples

from cli import manual
from ledger.games import MODULES, every_game, game

ROOT: Final = Path(__file__).parent.parent
REGISTRY: Final = "ledger/games/__init__.py"
SECOND_OPINION: Final = "ledger/page/verifier/games.mjs"
"""All that the verifying page knows of the games: it shares nothing with the Python."""
"""The one file that has to list them."""

ALLOWED: Final = {
    ("cli/opening.py", "open tablut"): "the help shows how a whole match is opened, to be copied",
    ("cli/referee.py", "check tablut start"): "the help asks about a move, to be copied",
    ("cli/referee.py", "rules tablut-edge"): "the help shows one ruleset of those there are",
    ("cli/pages/table.txt", "open tablut"): "an evening has to be played by some rules",
    ("cli/pages/exit-codes.txt", "check tablut start"): "a refusal, and JSON, of some move",
    ("cli/pages/officials.txt", "open tablut"): "a dispute is about something that was played",
    ("cli/pages/dice.txt", "open tabula"): "dice are explained with a game that has some",
}
"""Commands in help and manual that name a game or a ruleset: file, how the command begins, and
why it is there."""
OF_ITS_OWN_TITLE: Final = {
    "cli/demos/zeno.py": ("tabula", "one throw of a famous game; tabula.py is a whole match"),
}
"""Files that belong to a game and are not called like it."""


class Naming(NamedTuple):
    """A line in which a game is named."""

    file: str
    number: int
    name: str
    line: str

    def __str__(self) -> str:
        return f"{self.file}:{self.number} names {self.name}: {self.line}"


def words_for(played: str) -> list[str]:
    return [played, *(name for name in game(played).rulesets if played not in name)]


def is_own(file: str, played: str) -> bool:
    """Whether a file is the game's: its rules, formats, demo, ruling documents."""
    folders = (f"ledger/games/{played}/", f"ledger/formats/{played}/", f"ledger/rulings/{played}-")
    modules = (f"ledger/games/{played}.py", f"cli/demos/{played}.py")
    return file.startswith(folders) or file in modules


def namings(root: Path) -> Iterator[Naming]:
    """Every line of the sources in which a game is named by another's file or by nobody's."""
    for path in sorted(each for part in ("ledger", "cli") for each in (root / part).rglob("*")):
        file = path.relative_to(root).as_posix()
        if not path.is_file() or path.suffix == ".pyc" or file in (REGISTRY, SECOND_OPINION):
            continue
        text = path.read_text("utf-8")
        for played in MODULES:
            titled, _ = OF_ITS_OWN_TITLE.get(file, ("", ""))
            if is_own(file, played) or titled == played:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                for word in words_for(played):
                    if word in line.lower().replace("tabular-nums", ""):  # a word of CSS
                        yield Naming(file, number, word, line.strip())


def allowed(naming: Naming) -> bool:
    """Whether this is the line of a command that is listed."""
    starts = [begins for file, begins in ALLOWED if file == naming.file]
    return any(f"tabellion {begins}" in naming.line for begins in starts)


def shown_in(file: str) -> list[str]:
    """The commands that help or manual show from this file, and that are run by their tests."""
    path = Path(file)
    if path.parent.name == "pages":
        return [shlex.join(arguments) for arguments, _ in examples(path.stem)]
    module = f"{path.parent.name}.{path.stem}"
    return [
        shlex.join(example(command))
        for words, command in EVERY
        if words and command.callback and command.callback.__module__ == module
    ]


def test_no_game_is_named_where_games_are_not_known() -> None:
    found = [str(naming) for naming in namings(ROOT) if not allowed(naming)]
    assert found == []


def test_every_game_has_names_to_be_looked_for() -> None:
    assert sorted(words_for("tablut")) == ["hnefatafl", "tablut", "tawlbwrdd"]
    for each in every_game():
        words = words_for(each.name)
        for name in each.rulesets:
            assert any(word in name for word in words), name


@pytest.mark.parametrize(("file", "begins"), ALLOWED, ids=lambda each: each)
def test_what_is_allowed_is_a_command_that_is_shown_and_run(file: str, begins: str) -> None:
    assert any(command.startswith(begins) for command in shown_in(file)), shown_in(file)


@pytest.mark.parametrize("file", OF_ITS_OWN_TITLE)
def test_what_has_a_title_of_its_own_names_its_game(file: str) -> None:
    played, _ = OF_ITS_OWN_TITLE[file]
    assert not is_own(file, played)
    assert played in (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("ledger/fold/match.py", 'if game.name == "tablut":'),
        ("ledger/views/words.py", "# as Tabula has it"),
        ("ledger/formats/tabula/text.py", "from ledger.formats.tablut import TEXTS"),
        ("ledger/games/tablut/play.py", 'usual = "tablero-event"'),
        ("ledger/formats/tablut_text.py", '"""A text of Tablut."""'),
        ("cli/pages/table.txt", "This is how Hnefatafl is played."),
        ("cli/opening.py", 'name = ask("Which rules", "tablut")'),
    ],
)
def test_a_name_is_found_wherever_it_stands(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(f"first\n{text}\n")
    found = [naming for naming in namings(tmp_path) if not allowed(naming)]
    assert [(naming.file, naming.number) for naming in found] == [(file, 2)]


def test_what_is_a_games_own_may_name_it(tmp_path: Path) -> None:
    for file in (
        "ledger/games/tablut/options.py",
        "ledger/formats/tablut/opentafl.py",
        "ledger/rulings/tablut-2.md",
        "cli/demos/tablut.py",
        REGISTRY,
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("Tablut and hnefatafl\n")
    assert list(namings(tmp_path)) == []


def test_the_manual_is_looked_at_too() -> None:
    pages = {f"cli/pages/{page}.txt" for page in manual.PAGES}
    assert pages <= {path.relative_to(ROOT).as_posix() for path in (ROOT / "cli").rglob("*.txt")}

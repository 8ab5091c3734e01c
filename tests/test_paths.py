"""Paths: what a legal action moves on the board, for whoever lets people tap their moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from match import Match
from toygame import GAME as PEBBLES

from ledger import views
from ledger.games import every_game
from ledger.games.protocol import Action, Game, Stack, Surface, Track

GAMES = {each.name: each for each in every_game()}
PLIES = 60


def options_of(game: Game, ruleset: str) -> dict[str, Any]:
    defaults = {name: option.default for name, option in game.options.items()}
    return defaults | dict(game.rulesets[ruleset].changes)


@cache
def states(name: str, ruleset: str) -> Sequence[Any]:
    """A game by chance, state by state, the same on every run."""
    game, chance = GAMES[name], Random(4)
    state = game.start(options_of(game, ruleset))
    found = []
    while len(found) < PLIES and game.outcome(state) is None:
        found.append(state)
        legal, wanted = game.legal(state), game.wanted(state)
        if wanted is not None and (not legal or chance.random() < 0.5):
            state = game.throw(state, tuple(chance.randint(1, 6) for _ in range(wanted.count)))
        else:
            state = game.apply(state, chance.choice(list(legal)))
    return found


RULESETS = [(game.name, ruleset) for game in GAMES.values() for ruleset in game.rulesets]


def everything(name: str, ruleset: str) -> Iterator[tuple[Any, Action]]:
    game = GAMES[name]
    for state in states(name, ruleset):
        for action in game.legal(state):
            yield state, action


def places_of(board: Surface | Track) -> set[str]:
    if isinstance(board, Track):
        return {*board.pools, *(str(number) for number in range(1, len(board.points) + 1))}
    return {column + row for column in board.columns for row in board.rows}


def standing(board: Surface | Track, place: str, seat: int) -> bool:
    """Whether anything of this seat, or of nobody, stands in a place."""
    if isinstance(board, Surface):
        return place in board.pieces
    stacks = board.pools.get(place)
    stack: Stack = stacks[seat] if stacks else board.points[int(place) - 1]
    return stack.count > 0 and (stack.piece.isupper() == (seat == 0))


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_paths_are_places_of_the_board_and_begin_where_a_piece_is(name: str, ruleset: str) -> None:
    game = GAMES[name]
    for state, action in everything(name, ruleset):
        board = game.surface(state)
        seat = game.seats.index(str(game.turn(state)))
        reached: set[str] = set()
        for source, target in game.paths(state, action):
            assert {source, target} <= places_of(board), action.text
            assert source in reached or standing(board, source, seat), action.text
            reached.add(target)


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_a_move_says_its_paths_in_the_order_of_its_text(name: str, ruleset: str) -> None:
    game = GAMES[name]
    for state, action in everything(name, ruleset):
        words = action.text.split() if action.kind == "move" else []
        paths = game.paths(state, action)
        assert len(paths) == len(words)
        for (source, target), word in zip(paths, words, strict=True):
            assert source in word
            assert word.index(target, word.index(source) + len(source))
        if action.dice:
            assert len(action.dice) == len(paths)


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_after_a_move_the_pieces_stand_where_its_paths_lead(name: str, ruleset: str) -> None:
    game = GAMES[name]
    for state, action in everything(name, ruleset):
        paths = game.paths(state, action)
        if not paths:
            continue
        after = game.surface(game.apply(state, action))
        seat = game.seats.index(str(game.turn(state)))
        sources = [source for source, _ in paths]
        for _, target in paths:
            if target not in sources:
                assert standing(after, target, seat), action.text


def test_tablut_a_capture_is_no_part_of_the_way() -> None:
    game = GAMES["tablut"]
    state = game.place(options_of(game, "tablut"), "/9/9/9/4K1t2/9/9/9/9/4T1T2/ s")
    assert game.paths(state, Action("move", "Ke4-e6xd6/f6")) == (("e4", "e6"),)
    assert game.paths(state, Action("call", "raichi")) == ()


def test_tabula_a_way_leads_from_the_hand_and_off_the_board() -> None:
    game = GAMES["tabula"]
    text = "W h1 b1 o0 3:13 | B h15 b0 o0 - | W"
    state = game.place(options_of(game, "tabula"), text)
    paths = game.paths(state, Action("move", "bar/4* hand/2 22/off", (4, 2, 3)))
    assert paths == [("bar", "4"), ("hand", "2"), ("22", "off")]
    assert game.paths(state, Action("pass", "pass")) == ()


def test_tablero_each_coin_has_its_way_and_other_acts_have_none() -> None:
    game = GAMES["tablero"]
    state = game.start(options_of(game, "tablero"))
    assert game.paths(state, Action("move", "c1-c4 d7-d2")) == [("c1", "c4"), ("d7", "d2")]
    for kind, text in (("pull", "4a-c"), ("wager", "wager"), ("done", "done"), ("run", "run")):
        assert game.paths(state, Action(kind, text)) == ()


def test_a_game_that_says_nothing_of_paths_has_none() -> None:
    state = PEBBLES.place(options_of(PEBBLES, "toy"), ".../o.o/ooo otter take:5")
    assert {tuple(PEBBLES.paths(state, action)) for action in PEBBLES.legal(state)} == {()}


def test_what_is_done_beside_the_turn_is_told_when_it_may_be_done() -> None:
    match = Match(("swedes", "muscovites"), calls="goal")
    assert views.moves(match.state).beside == ()
    match.play("e3-f3")
    called = views.moves(match.state).beside
    assert [(each.seat, each.typed) for each in called] == [
        ("swedes", "raichi"),
        ("swedes", "tuichi"),
    ]
    match.call("raichi")
    assert views.moves(match.state).beside == ()


def test_diablo_is_the_other_sides_while_a_pass_number_is_moved() -> None:
    game = GAMES["tablero"]
    options = options_of(game, "tablero") | {"diablo": "called"}
    state = game.place(options, "4442354 26,3 0 0 south move:3-4")
    assert game.beside(state) == (Action("diablo", "diablo"),)
    assert game.actor(state, "diablo") == "north"
    assert game.beside(game.place(options, "4442354 26,3 0 0 south move:3-5")) == ()
    assert game.beside(game.start(options)) == ()


def test_a_draw_is_told_of_where_it_may_be_claimed() -> None:
    match = Match(("swedes", "muscovites"), repetition="claim")
    assert views.moves(match.state).claim == ""
    for _ in range(2):
        match.play("e3-f3", "d1-c1", "f3-e3", "c1-d1")
    assert "for the third time" in views.moves(match.state).claim
    assert views.moves(match.state).points is None


def test_moves_of_a_match_say_dice_and_paths() -> None:
    match = Match(("swedes", "muscovites"))
    first = views.moves(match.state).moves[0]
    assert first.paths == (tuple(first.text.split("-")),)
    assert (first.dice, first.typed) == ((), first.text)

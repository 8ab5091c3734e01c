"""El Tablero de Jesús by hand, for tests: a second engine, from the rulings alone, plain and slow.

Nothing of the product's own rules is asked. A state is a plain dict, and every function answers
with another one; acts are written with their kind ("move c1-c4 d7-d2", "pull 4a-c", "wager").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import combinations
from typing import Any

State = dict[str, Any]
Step = tuple[int, int, int]
"""A coin's column, its row before and its row after."""

COLUMNS = "abcdefg"
PASS_NUMBERS = (7, 11, 12)
BASELINES = {"south": 1, "north": 7}
ACROSS = {"south": "north", "north": "south"}


class NotAllowed(Exception):
    """An act or a throw that the rulings do not know in this state."""


def start(options: Mapping[str, Any], cap: int | None = None) -> State:
    """Before the opening roll; over when the dice have passed ``cap`` times."""
    return {
        "options": dict(options),
        "rows": [0] * 7,
        "stakes": {"south": 18, "north": 18},
        "wager": 0,
        "pot": 0,
        "active": "-",
        "phase": "opening",
        "dice": [],
        "pass number": False,
        "moved": None,
        "seventh joined": False,
        "passed": 0,
        "cap": cap,
    }


def position(state: State) -> str:
    rows = "".join(map(str, state["rows"]))
    stakes = f"{state['stakes']['south']},{state['stakes']['north']}"
    phase = state["phase"]
    if phase == "move":
        phase = "move:" + "-".join(map(str, state["dice"]))
    return f"{rows} {stakes} {state['wager']} {state['pot']} {state['active']} {phase}"


def place(options: Mapping[str, Any], text: str) -> State:
    """The state of a position text; of a half-moved throw only what the text says of it."""
    rows, stakes, wager, pot, active, phase = text.split(" ")
    south, north = map(int, stakes.split(","))
    phase, _, dice = phase.partition(":")
    state = start(options) | {"rows": [int(row) for row in rows], "wager": int(wager)}
    state |= {"pot": int(pot), "stakes": {"south": south, "north": north}}
    state |= {
        "active": active,
        "phase": phase,
        "dice": [int(die) for die in dice.split("-") if die],
    }
    state["pass number"] = sum(state["dice"]) in PASS_NUMBERS
    return state


# ---- what is allowed


def formations(state: State) -> list[tuple[int, int]]:
    """First and last column of each maximal run of two or more neighbours in a row that counts."""
    rows = state["rows"]
    found = []
    for first, last in combinations(range(7), 2):
        row = rows[first]
        if row == 0 or any(rows[column] != row for column in range(first, last + 1)):
            continue
        if row in (1, 7) and not state["options"]["baseline_formations"]:
            continue
        left = first > 0 and rows[first - 1] == row
        right = last < 6 and rows[last + 1] == row
        if not left and not right:
            found.append((first, last))
    return found


def longest(state: State) -> int:
    return max((last - first + 1 for first, last in formations(state)), default=0)


def wager_due(state: State) -> int | None:
    """The Wager that the active player may stake, if there is one and their stake covers it."""
    length = longest(state)
    if length == 0 and state["options"]["empty_board_wager"] == "3":
        length = 1
    wager = length + 2
    if wager > 7 and not state["options"]["wager_over_seven"]:
        return None
    return wager if state["stakes"][state["active"]] >= wager else None


def steps(state: State, rows_far: int) -> list[Step]:
    """Every coin that can go so many rows up or down."""
    ways = [
        (column, row, row + way * rows_far)
        for column, row in enumerate(state["rows"])
        for way in (1, -1)
        if row
    ]
    return [step for step in ways if 1 <= step[2] <= 7]


def seventh_place(state: State) -> tuple[int, int] | None:
    """Column and row that would make a Formation of six one of seven."""
    for first, last in formations(state):
        if last - first == 5:
            return (6 if first == 0 else 0, state["rows"][first])
    return None


def plays(state: State) -> list[list[Step]]:
    """Every play of two dice, as the steps of different coins."""
    one, two = state["dice"]
    whole = [[step] for step in steps(state, one + two)]
    for first in steps(state, one):
        for second in steps(state, two):
            if first[0] != second[0]:
                whole.append(sorted([first, second]))
    single = [[step] for die in (one, two) for step in steps(state, die)]
    if whole:
        joining = seventh_place(state)
        return whole + [[step] for [step] in single if (step[0], step[2]) == joining]
    return [] if state["options"]["unplayable"] == "pass" else single


def second_steps(state: State) -> list[Step]:
    """Where one die of a called throw is played: the others' moves with the one left."""
    (die,) = state["dice"]
    return [step for step in steps(state, die) if step[0] != state["moved"]]


def written(play: list[Step]) -> str:
    words = [f"{COLUMNS[column]}{row}-{COLUMNS[column]}{target}" for column, row, target in play]
    return "move " + " ".join(words)


def moves(state: State) -> Iterator[str]:
    if state["options"]["diablo"] == "automatic":
        yield from (written(play) for play in plays(state))
    elif len(state["dice"]) == 2:
        yield from (written([step]) for play in plays(state) for step in play)
    else:
        yield from (written([step]) for step in second_steps(state))
        if state["seventh joined"]:
            yield "done"


def pulls(state: State) -> Iterator[str]:
    for first, last in formations(state):
        row = state["rows"][first]
        for one, other in combinations(range(first, last + 1), 2):
            if (one, other) == (first, last) or state["options"]["pull"] == "part":
                yield f"pull {row}{COLUMNS[one]}-{COLUMNS[other]}"


def legal(state: State) -> set[str]:
    """What the active player may do, apart from throwing."""
    match state["phase"]:
        case "move":
            return set(moves(state))
        case "answer":
            return {"pass", "wager"} if wager_due(state) else {"pass"}
        case "decide":
            return {*pulls(state), *(["run"] if longest(state) == 7 else [])}
        case "run-or-stop":
            return {"stop"}
    return set()


def calls(state: State) -> set[str]:
    """What the opponent may do meanwhile."""
    called = state["options"]["diablo"] == "called"
    due = called and state["phase"] == "move" and state["pass number"]
    return {"diablo"} if due else set()


def may_throw(state: State) -> bool:
    return state["phase"] in ("opening", "throw", "decide", "run", "run-or-stop")


# ---- throwing


def throw(state: State, dice: tuple[int, int]) -> State:
    if not may_throw(state):
        raise NotAllowed
    state = deepcopy(state)
    unlucky = sum(dice) in PASS_NUMBERS
    if state["phase"] == "opening":
        open_game(state, dice)
    elif state["phase"] in ("run", "run-or-stop"):
        throw_in_run(state, unlucky)
    elif unlucky and state["options"]["diablo"] == "automatic":
        act_pass_number(state)
    else:
        state |= {"phase": "move", "dice": list(dice), "pass number": unlucky}
        state |= {"moved": None, "seventh joined": False}
        if not plays(state):
            leave_unplayed(state)
    return state


def open_game(state: State, dice: tuple[int, int]) -> None:
    """South's right is g, North's is a."""
    south, north = dice
    if south == north:
        return
    south_starts = (south > north) == (state["options"]["first"] == "high")
    souths = 5 if south_starts else 2
    state["rows"] = [7] * (7 - souths) + [1] * souths
    state["stakes"] = {"south": 18 - souths, "north": 18 - (7 - souths)}
    state |= {"active": "south" if south_starts else "north", "phase": "throw"}


def act_pass_number(state: State) -> None:
    if not state["wager"]:
        state |= {"phase": "answer", "dice": []}
        return
    lose_wager(state)
    pass_dice(state)


def lose_wager(state: State) -> None:
    state["stakes"][ACROSS[state["active"]]] += state["wager"]
    state["wager"] = 0


def leave_unplayed(state: State) -> None:
    if state["options"]["unplayable"] == "pass":
        lose_wager(state)
        pass_dice(state)
    else:
        end_throw(state)


def end_throw(state: State) -> None:
    """After the moves: a Wager that is reached goes back, and one that is not forces a throw."""
    state |= {"dice": [], "phase": "decide"}
    if longest(state) >= state["wager"]:
        state["stakes"][state["active"]] += state["wager"]
        state["wager"] = 0
    else:
        state["phase"] = "throw"


def throw_in_run(state: State, unlucky: bool) -> None:
    runner = state["active"]
    opponent = ACROSS[runner]
    stakes = state["stakes"]
    banked = state["options"]["run"] == "banked"
    if stakes[opponent] < 2 and (banked or not unlucky):
        take(state, range(7), runner)
        clean_out(state, opponent)
    elif unlucky:
        take(state, range(7), opponent)
        if fill(state, range(7), runner):
            pass_dice(state)
    else:
        stakes[opponent] -= 2
        if banked:
            stakes[runner] += 2
        else:
            state["pot"] += 2
        state["phase"] = "run-or-stop"


# ---- coins and dice that change hands


def take(state: State, columns: range, seat: str) -> None:
    """The coins of the columns, with the pot, go to a seat's stake."""
    state["stakes"][seat] += len(columns) + state["pot"]
    state["pot"] = 0
    for column in columns:
        state["rows"][column] = 0


def fill(state: State, columns: range, seat: str) -> bool:
    """A seat fills columns on its Baseline; if it cannot, it has lost."""
    if state["stakes"][seat] < len(columns):
        clean_out(state, seat)
        return False
    state["stakes"][seat] -= len(columns)
    for column in columns:
        state["rows"][column] = BASELINES[seat]
    return True


def clean_out(state: State, loser: str) -> None:
    winner = ACROSS[loser]
    state["stakes"][winner] += state["stakes"][loser]
    state["stakes"][loser] = 0
    state |= {"active": winner, "phase": "over", "dice": []}


def pass_dice(state: State) -> None:
    state["passed"] += 1
    state |= {"active": ACROSS[state["active"]], "phase": "throw", "dice": []}
    if state["passed"] == state["cap"]:
        count_stakes(state)


def count_stakes(state: State) -> None:
    south, north = state["stakes"]["south"], state["stakes"]["north"]
    winner = "-" if south == north else "south" if south > north else "north"
    state |= {"active": winner, "phase": "over", "dice": []}


# ---- acts


def apply(state: State, text: str) -> State:
    if text not in legal(state) | calls(state):
        raise NotAllowed
    state = deepcopy(state)
    kind, _, rest = text.partition(" ")
    opponent = ACROSS[state["active"]]
    match kind:
        case "move":
            move(state, rest)
        case "done":
            end_throw(state)
        case "diablo":
            act_pass_number(state)
        case "wager":
            state["wager"] = wager_due(state)
            state["stakes"][state["active"]] -= state["wager"]
            state["phase"] = "throw"
        case "pass":
            pass_dice(state)
        case "run":
            state["phase"] = "run"
        case "pull" | "stop":
            first, last = (rest[1], rest[3]) if rest else "ag"
            columns = range(COLUMNS.index(first), COLUMNS.index(last) + 1)
            take(state, columns, state["active"])
            if fill(state, columns, opponent):
                pass_dice(state)
    return state


def move(state: State, words: str) -> None:
    """Each word moves a coin; in a called throw, one die may be left for another coin."""
    played = [(COLUMNS.index(word[0]), int(word[1]), int(word[4])) for word in words.split()]
    joining = seventh_place(state)
    for column, _, target in played:
        state["rows"][column] = target
    ((column, row, target), *_) = played
    far = abs(target - row)
    if state["options"]["diablo"] == "called" and far in state["dice"] and len(state["dice"]) == 2:
        state["dice"].remove(far)
        state |= {"moved": column, "seventh joined": (column, target) == joining}
        if second_steps(state):
            return
    end_throw(state)


def settle(state: State, south: int, north: int) -> State:
    """Both divide all 36 points."""
    if state["phase"] == "over" or south + north != 36 or min(south, north) < 0:
        raise NotAllowed
    state = deepcopy(state)
    state |= {"rows": [0] * 7, "stakes": {"south": south, "north": north}, "wager": 0, "pot": 0}
    count_stakes(state)
    return state

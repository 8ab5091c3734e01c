"""Moves and captures of tablut: from one position to the next.

``successors`` is the only generator of moves: legal moves are read off the positions it makes,
and counts and the benchmark walk it. ``reaches`` asks the same tables about a single move. Both
take their captures from ``threats``.

What a move captures depends on its destination and on the board before the move, never on its
origin. For a victim lies next to the destination, the anvil behind it in the same line, and the
origin can be neither: ahead and to the sides these squares are off the mover's path, and behind
him the square next to the destination was just crossed, or is the origin, and holds no enemy. So
it makes no difference that a konakis, corner or camp is left by the move, nor that the king
enters the konakis: he is then the hammer on it. Nor can a Muscovite who completes the ring round
the king come from that ring, whose squares have no line in common but through the king; and one
who takes a Swede against a king on the konakis (``linnaean``) ends two squares from it in line
with the victim, where no other square of that ring leads.

So threats are worked out once for each position and not for each move.
"""

from __future__ import annotations

import msgspec

from ledger.games.tablut.board import KING, MUSCOVITE, MUSCOVITES, SWEDE, SWEDES, Position
from ledger.games.tablut.rules import LineMoves, Rules


class Threats(msgspec.Struct, frozen=True):
    """What the side to move can capture, by moving where."""

    squares: int
    """Every destination that captures something."""
    ways: list[tuple[int, int]]
    """Destinations that take an ordinary piece, with the shift that leads back to the victim."""
    siege: int
    """Destinations that take the king."""


# ---- captures


def threats(rules: Rules, position: Position) -> Threats:
    """Finds them in all four directions at once (ruling: hammer, victim and anvil in a line)."""
    swedes, muscovites, king = position.swedes, position.muscovites, position.king
    empty = rules.board.squares & ~(swedes | muscovites | king)
    if position.turn == SWEDES:
        prey = muscovites
        anvils = swedes | rules.hostile_to_muscovites | (king if rules.armed else 0)
        siege = 0
    else:
        prey = swedes
        anvils = muscovites | rules.hostile_to_swedes
        if king == rules.board.konakis and _guards(rules, muscovites) >= rules.court_guard:
            anvils |= king
        siege = _siege(rules, position, empty)
    anvils |= rules.hostile_empty & empty
    margin = rules.margin
    squares, ways = siege, []
    wide_prey, wide_anvils = prey << margin, anvils << margin
    for near, far, back in rules.directions:
        if hits := wide_prey >> near & wide_anvils >> far & empty:
            squares |= hits
            ways.append((hits, back))
    return Threats(squares, ways, siege)


def _guards(rules: Rules, muscovites: int) -> int:
    return (muscovites & rules.court).bit_count()


def _siege(rules: Rules, position: Position, empty: int) -> int:
    """Where a Muscovite must arrive to take the king (``king_capture``)."""
    hostile = position.muscovites | rules.king_hostile | rules.king_hostile_empty & empty
    squares = 0
    for square, others in rules.siege[position.king]:
        if not others & ~hostile:
            squares |= square
    return squares & empty


def captures(rules: Rules, position: Position, found: Threats, target: int) -> list[int]:
    """What a move to ``target`` clears: one possibility, or with ``captures=single`` each choice.

    The mover is armed: with ``king_armed=false`` the king is never asked about.
    """
    wide = target << rules.margin
    taken = [wide >> back for hits, back in found.ways if hits & target]
    if target & found.siege:
        taken.append(position.king)
    return taken if rules.single and taken else [sum(taken)]


def captures_of(rules: Rules, position: Position, walker: str, target: int) -> list[int]:
    """The same for one move by itself, whoever moves."""
    if walker == KING and not rules.armed:
        return [0]
    return captures(rules, position, threats(rules, position), target)


# ---- moves


def successors(rules: Rules, position: Position) -> list[Position]:
    """Every position that a legal move leads to; none from a decided one.

    Ends by repetition are not known here: they belong to a game, not to a position.
    """
    if decided(rules, position):
        return []
    swedes, muscovites, king = position.swedes, position.muscovites, position.king
    occupied = swedes | muscovites | king
    found = threats(rules, position)
    if position.turn == MUSCOVITES:
        moves, taking = _moves(rules.lines[MUSCOVITE], muscovites, occupied, found.squares)
        made = [Position(swedes, muscovites ^ move, king, SWEDES) for move in moves]
        for move in taking:
            for taken in captures(rules, position, found, move & ~muscovites):
                after = muscovites ^ move
                made.append(Position(swedes & ~taken, after, king & ~taken, SWEDES))
        return made
    moves, taking = _moves(rules.lines[SWEDE], swedes, occupied, found.squares)
    made = [Position(swedes ^ move, muscovites, king, MUSCOVITES) for move in moves]
    for move in taking:
        for taken in captures(rules, position, found, move & ~swedes):
            made.append(Position(swedes ^ move, muscovites & ~taken, king, MUSCOVITES))
    strikes = found.squares if rules.armed else 0
    moves, taking = _moves(rules.lines[KING], king, occupied, strikes)
    made += [Position(swedes, muscovites, king ^ move, MUSCOVITES) for move in moves]
    for move in taking:
        for taken in captures(rules, position, found, move & ~king):
            made.append(Position(swedes, muscovites & ~taken, king ^ move, MUSCOVITES))
    return made


def _moves(
    lines: list[tuple[int, LineMoves]], pieces: int, occupied: int, strikes: int
) -> tuple[list[int], list[int]]:
    """The moves of these pieces along all lines: those that capture nothing, and the others."""
    quiet: list[int] = []
    taking: list[int] = []
    for mask, table in lines:
        if movers := pieces & mask:
            moves, reach = table[movers, occupied & mask]
            if reach & strikes:
                for move in moves:
                    (taking if move & strikes else quiet).append(move)
            else:
                quiet += moves
    return quiet, taking


def can_move(rules: Rules, position: Position) -> bool:
    """Whether the side to move has any move."""
    occupied = position.swedes | position.muscovites | position.king
    for walker, pieces in _pieces_to_move(position):
        for mask, table in rules.lines[walker]:
            if (movers := pieces & mask) and table[movers, occupied & mask][1]:
                return True
    return False


def _pieces_to_move(position: Position) -> tuple[tuple[str, int], ...]:
    if position.turn == MUSCOVITES:
        return ((MUSCOVITE, position.muscovites),)
    return ((KING, position.king), (SWEDE, position.swedes))


def reaches(rules: Rules, walker: str, position: Position, move: int) -> bool:
    """Whether a piece goes from one to the other of the two squares of ``move``."""
    pieces = dict(_pieces_to_move(position))[walker]
    occupied = position.swedes | position.muscovites | position.king
    for mask, table in rules.lines[walker]:
        if not move & ~mask:
            return move in table[pieces & mask, occupied & mask][0]
    return False


def decided(rules: Rules, position: Position) -> str | None:
    """The reason why nobody moves any more, by the board alone, in the order of the rulings."""
    if not position.king:
        return "king_taken"
    if position.king & rules.goal:
        return "goal"
    if not position.muscovites:
        return "no_muscovites"
    if rules.tuichi_wins and position.turn == MUSCOVITES and free_ways(rules, position) > 1:
        return "tuichi"
    return None


def free_ways(rules: Rules, position: Position) -> int:
    """What is counted for a call: the directions in which the king has a free line to an edge
    square he may stop on, or with ``calls=goal`` the goal squares in reach of his next move."""
    king = position.king
    occupied = position.swedes | position.muscovites | king
    ways = 0
    for mask, table in rules.lines[KING]:
        if king & mask:
            reach = table[king, occupied & mask][1]
            ends = rules.goal if rules.calls_goal else table.line[0] | table.line[-1]
            ways += (reach & ends).bit_count()
    return ways

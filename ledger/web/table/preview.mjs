/* The board as it would be after steps that are made but not signed: a piece is in another place.
   What a step brings about besides is not known here; the board that comes back shows it. */

import { sideOf } from "../../page/face/boards.mjs";

const SIDES = ["first", "second"];
const EMPTY = { piece: "", count: 0 };

function poolOf(board, place) {
  return board.pools.findIndex(([name]) => name === place);
}

/** What a seat has in a place of a track. */
function stackIn(board, place, seat) {
  const pool = poolOf(board, place);
  if (pool >= 0) return board.pools[pool][1][seat] ?? EMPTY;
  return board.points[Number(place) - 1] ?? EMPTY;
}

/** The letter of what stands in a place, "" for nothing. `seat` is 0 or 1. */
export function standingIn(board, place, seat) {
  if (board.kind === "grid") return board.pieces.get(place) ?? "";
  const stack = stackIn(board, place, seat);
  return stack.count ? stack.piece : "";
}

/** Whether a piece of this seat, or of nobody, stands in a place. */
export function holdsPiece(board, place, seat) {
  const letter = standingIn(board, place, seat);
  if (!letter) return false;
  return [SIDES[seat], "nobody"].includes(sideOf(letter));
}

/** The board once a seat has made these steps. */
export function afterSteps(board, steps, seat) {
  return steps.reduce((now, step) => moved(now, step, seat), board);
}

function moved(board, [from, to], seat) {
  const letter = standingIn(board, from, seat);
  if (!letter) return board;
  if (board.kind === "grid") {
    const pieces = new Map(board.pieces);
    pieces.delete(from);
    pieces.set(to, letter);
    return { ...board, pieces, joined: [], last: [from, to] };
  }
  const without = changedTrack(board, from, seat, ({ piece, count }) =>
    count > 1 ? { piece, count: count - 1 } : EMPTY,
  );
  return changedTrack(without, to, seat, ({ piece, count }) =>
    piece === letter ? { piece, count: count + 1 } : { piece: letter, count: 1 },
  );
}

function changedTrack(board, place, seat, change) {
  const pool = poolOf(board, place);
  if (pool >= 0) {
    const pools = board.pools.map(([name, pair], index) => [
      name,
      index === pool ? pair.map((stack, side) => (side === seat ? change(stack) : stack)) : pair,
    ]);
    return { ...board, pools };
  }
  const points = board.points.map((stack, index) =>
    String(index + 1) === place ? change(stack) : stack,
  );
  return { ...board, points };
}

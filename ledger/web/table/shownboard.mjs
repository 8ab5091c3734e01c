/* The board that the server shows. It is read like the boards of a record, which write what is
   counted as pairs, in their order. */

import { readBoard } from "../../page/face/boards.mjs";
import { inside } from "../../page/face/elements.mjs";

/** The board of a `ShowView` as it is to be drawn; `null` for none. */
export function boardOfShow(show) {
  const board = inside(show, "board");
  if (board === null || typeof board !== "object") return null;
  return readBoard({ ...board, counts: Object.entries(board.counts ?? {}) });
}

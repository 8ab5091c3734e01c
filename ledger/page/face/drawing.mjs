/* Boards as drawings, from their data alone. Whose a piece is shows by its shape: round for the
   first seat, square for the second, a ring for what is nobody's; which piece it is by its
   letter. Colours only repeat that. */

import { boardInWords, sideOf } from "./boards.mjs";
import { drawn } from "./elements.mjs";

const CELL = 10;
const EDGE = 6;
const STACKED = 5;
const PIECE = 6.6;

const PIPS = new Map([
  [1, [[5, 5]]],
  [
    2,
    [
      [2.5, 2.5],
      [7.5, 7.5],
    ],
  ],
  [
    3,
    [
      [2.5, 2.5],
      [5, 5],
      [7.5, 7.5],
    ],
  ],
  [
    4,
    [
      [2.5, 2.5],
      [7.5, 2.5],
      [2.5, 7.5],
      [7.5, 7.5],
    ],
  ],
  [
    5,
    [
      [2.5, 2.5],
      [7.5, 2.5],
      [5, 5],
      [2.5, 7.5],
      [7.5, 7.5],
    ],
  ],
  [
    6,
    [
      [2.5, 2.2],
      [7.5, 2.2],
      [2.5, 5],
      [7.5, 5],
      [2.5, 7.8],
      [7.5, 7.8],
    ],
  ],
]);

function lettering(x, y, words, size, kind) {
  return drawn("text", { x, y, "font-size": size, class: kind }, words);
}

function pieceShape(side, x, y, size) {
  const half = size / 2;
  if (side === "first") return [drawn("circle", { cx: x, cy: y, r: half, class: "body" })];
  if (side === "second") {
    const corner = { x: x - half, y: y - half, width: size, height: size, rx: size / 8 };
    return [drawn("rect", { ...corner, class: "body" })];
  }
  return [
    drawn("circle", { cx: x, cy: y, r: half, class: "body" }),
    drawn("circle", { cx: x, cy: y, r: half * 0.72, class: "ring" }),
  ];
}

function piece(letter, x, y, size, words = letter) {
  const side = sideOf(letter);
  const width = [...words].length;
  const letters = lettering(x, y, words, width > 2 ? size / width : size * 0.62, "letter");
  return drawn("g", { class: `piece ${side}` }, pieceShape(side, x, y, size), letters);
}

/** The whole drawing, which says in words what it shows. */
function picture(board, width, height, ...parts) {
  const names = { id: "board-title" };
  const words = { id: "board-words" };
  return drawn(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-labelledby": "board-title",
      "aria-describedby": "board-words",
      class: `board ${board.kind}`,
      "data-kind": board.kind,
      direction: "ltr",
    },
    drawn("title", names, "The board"),
    drawn("desc", words, boardInWords(board)),
    parts,
  );
}

function drawGrid(board, turned) {
  const across = board.columns.length;
  const up = board.rows.length;
  const [below, above] = turned ? [...board.sides].reverse() : board.sides;
  const top = EDGE + (above ? EDGE : 0);
  const width = across * CELL + 2 * EDGE;
  const height = top + up * CELL + EDGE + (below ? EDGE : 0);
  const left = (x) => EDGE + (turned ? across - 1 - x : x) * CELL;
  const upper = (y) => top + (turned ? y : up - 1 - y) * CELL;
  const middle = (place) => {
    const { x, y } = board.places.get(place);
    return [left(x) + CELL / 2, upper(y) + CELL / 2];
  };
  const cells = [...board.places].map(([place, { x, y }]) => {
    const kind = board.marks.has(place) ? "cell marked" : "cell";
    return drawn("rect", { x: left(x), y: upper(y), width: CELL, height: CELL, class: kind });
  });
  const touched = board.last.map((place) => {
    const { x, y } = board.places.get(place);
    const corner = { x: left(x) + 0.6, y: upper(y) + 0.6, width: CELL - 1.2, height: CELL - 1.2 };
    return drawn("rect", { ...corner, class: "touched", "data-last": place });
  });
  const marks = [...board.marks].map(([place, mark]) => {
    const [x, y] = middle(place);
    const taken = board.pieces.has(place);
    const sign = board.signs.get(mark) ?? "*";
    const [x1, y1, size] = taken ? [x - 3.7, y - 3.5, 3] : [x, y, 6];
    const shown = lettering(x1, y1, sign, size, "mark");
    return drawn("g", { "data-place": place, "data-mark": mark }, shown);
  });
  const links = board.joined.flatMap((chain) =>
    chain.slice(1).map((place, before) => {
      const [[x1, y1], [x2, y2]] = [middle(chain[before]), middle(place)];
      return drawn("line", {
        x1,
        y1,
        x2,
        y2,
        class: "joined",
        "data-joined": `${chain[before]} ${place}`,
      });
    }),
  );
  const pieces = [...board.pieces].map(([place, letter]) => {
    const group = drawn("g", { "data-place": place, "data-piece": letter });
    group.append(piece(letter, ...middle(place), CELL * 0.76));
    return group;
  });
  const heads = board.columns.flatMap((column, x) =>
    [top - EDGE / 2, top + up * CELL + EDGE / 2].map((y) =>
      lettering(left(x) + CELL / 2, y, column, 3.6, "edge"),
    ),
  );
  const numbers = board.rows.flatMap((row, y) =>
    [EDGE / 2, width - EDGE / 2].map((x) => lettering(x, upper(y) + CELL / 2, row, 3.6, "edge")),
  );
  const names = [
    above ? lettering(width / 2, EDGE / 2, above, 4, "edge") : null,
    below ? lettering(width / 2, height - EDGE / 2, below, 4, "edge") : null,
  ];
  return picture(board, width, height, cells, links, touched, marks, pieces, heads, numbers, names);
}

/** A stack from an edge of the board inwards; a high one ends in its number. */
function stackOf(stack, x, y, step) {
  const shown = Math.min(stack.count, STACKED);
  return Array.from({ length: shown }, (_, depth) => {
    const full = depth === STACKED - 1 && stack.count > STACKED;
    const words = full ? String(stack.count) : stack.piece;
    return piece(stack.piece, x, y + depth * step, PIECE, words);
  });
}

function drawTrack(board, turned) {
  const half = Math.ceil(board.points.length / 2);
  const wall = 3;
  const width = half * CELL + wall + 4;
  const height = 2 * (STACKED * (PIECE + 0.4) + 4) + 2 * EDGE;
  const column = (place) => {
    const along = place < half ? place : board.points.length - 1 - place;
    const x = turned ? half - 1 - along : along;
    return 2 + x * CELL + (x >= Math.ceil(half / 2) ? wall : 0);
  };
  const depth = STACKED * (PIECE + 0.4) + 1;
  const points = board.points.map((stack, place) => {
    const low = place < half;
    const x = column(place);
    const [edge, first, step] = low
      ? [height - EDGE, height - EDGE - PIECE / 2 - 0.6, -(PIECE + 0.4)]
      : [EDGE, EDGE + PIECE / 2 + 0.6, PIECE + 0.4];
    const box = { x: x + 0.3, y: low ? edge - depth : edge, width: CELL - 0.6, height: depth };
    const touched = board.last.includes(place + 1);
    const group = drawn("g", {
      "data-point": place + 1,
      "data-piece": stack.piece,
      "data-count": stack.count,
    });
    group.append(
      drawn("rect", { ...box, class: `point ${place % 2 ? "even" : "odd"}` }),
      ...(touched ? [drawn("rect", { ...box, class: "touched", "data-last": place + 1 })] : []),
      lettering(x + CELL / 2, low ? height - EDGE / 2 : EDGE / 2, String(place + 1), 3.6, "edge"),
      ...stackOf(stack, x + CELL / 2, first, step),
    );
    return group;
  });
  const pools = drawPools(board, width, height);
  return picture(board, width, height + pools.height, points, pools.parts);
}

/** Beside the track: a column for each pool, a line for each seat. */
function drawPools(board, width, top) {
  const wide = (width - 4) / Math.max(board.pools.length, 1);
  const lines = Math.max(0, ...board.pools.map(([, pair]) => pair.length));
  const parts = board.pools.flatMap(([name, pair], place) => {
    const x = 2 + place * wide;
    const stacks = pair.map((stack, seat) => {
      const y = top + EDGE + 5 + seat * 8;
      const group = drawn("g", {
        "data-pool": name,
        "data-side": seat,
        "data-piece": stack.piece,
        "data-count": stack.count,
      });
      if (stack.count) group.append(piece(stack.piece, x + wide / 2 - 5, y, PIECE));
      group.append(lettering(x + wide / 2 + (stack.count ? 4 : 0), y, `${stack.count}`, 5, "edge"));
      return group;
    });
    return [lettering(x + wide / 2, top + EDGE / 2, name, 4, "edge"), ...stacks];
  });
  return { parts, height: board.pools.length ? EDGE + 2 + lines * 8 : 0 };
}

/** The drawing of a board that `readBoard` has read; `turned` from the second seat. */
export function drawBoard(board, turned = false) {
  return board.kind === "grid" ? drawGrid(board, turned) : drawTrack(board, turned);
}

/** Dice side by side. The words for them stand beside: this is for the eye alone. */
export function drawDice(dice) {
  const faces = dice.map((die, place) =>
    drawn(
      "g",
      { transform: `translate(${1 + place * 13} 1)` },
      drawn("rect", { width: 10, height: 10, rx: 2, class: "die" }),
      (PIPS.get(die) ?? []).map(([cx, cy]) => drawn("circle", { cx, cy, r: 1, class: "pip" })),
    ),
  );
  const width = Math.max(1, dice.length) * 13 - 1;
  return drawn(
    "svg",
    {
      viewBox: `0 0 ${width} 12`,
      class: "dice",
      "aria-hidden": "true",
      "data-dice": dice.join("-"),
    },
    faces,
  );
}

/* Boards as they stand in a record: read, and said in words. They are the sender's; what has
   another shape than it should is not drawn, however large or odd it is. A grid and a track are
   all that is known here, no game is. */

import { inside, listOf, visible } from "./elements.mjs";

const MOST_LINES = 40;
const MOST_POINTS = 120;
const MOST_COUNTED = 1000000;
const LONGEST_WORD = 80;

/** Thrown, and caught, where a board is not of the shape that it should be. */
class Shapeless extends Error {}

function word(value, least = 0) {
  if (typeof value !== "string" || value.length < least || value.length > LONGEST_WORD) {
    throw new Shapeless();
  }
  return visible(value);
}

function wordList(value, most, least = 0) {
  if (!Array.isArray(value) || value.length > most) throw new Shapeless();
  return value.map((each) => word(each, least));
}

function wordPairs(value, most) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Shapeless();
  const pairs = Object.entries(value);
  if (pairs.length > most) throw new Shapeless();
  return pairs.map(([name, words]) => [word(name), word(words)]);
}

function count(value, most = MOST_COUNTED) {
  if (!Number.isInteger(value) || value < -MOST_COUNTED || value > most) throw new Shapeless();
  return value;
}

/** Whose a piece is, by its letter: upper case for the first seat, lower case for the second. */
export function sideOf(letter) {
  if (letter.toLowerCase() === letter.toUpperCase()) return "nobody";
  return letter === letter.toUpperCase() ? "first" : "second";
}

function readGrid(board) {
  const columns = wordList(board.columns, MOST_LINES, 1);
  const rows = wordList(board.rows, MOST_LINES, 1);
  if (!columns.length || !rows.length) throw new Shapeless();
  const places = new Map();
  rows.forEach((row, y) => columns.forEach((column, x) => places.set(column + row, { x, y })));
  const on = (value) => {
    const found = wordPairs(value, places.size);
    if (!found.every(([place]) => places.has(place))) throw new Shapeless();
    return new Map(found);
  };
  const known = (list) => {
    if (!list.every((place) => places.has(place))) throw new Shapeless();
    return list;
  };
  if (!Array.isArray(board.counts) || board.counts.length > MOST_LINES) throw new Shapeless();
  if (!Array.isArray(board.joined) || board.joined.length > places.size) throw new Shapeless();
  return {
    kind: "grid",
    columns,
    rows,
    places,
    pieces: on(board.pieces),
    marks: on(board.marks),
    legend: new Map(wordPairs(board.legend, MOST_LINES)),
    signs: new Map(wordPairs(board.signs, MOST_LINES)),
    counts: board.counts.map((pair) => [word(inside(pair, 0)), count(inside(pair, 1))]),
    last: known(wordList(board.last, places.size)),
    joined: board.joined.map((chain) => known(wordList(chain, MOST_LINES))),
    sides: wordList(board.sides, 2),
  };
}

function readStack(value) {
  const stack = { piece: word(inside(value, "piece")), count: count(inside(value, "count")) };
  if (stack.count < 0 || (stack.count > 0 && !stack.piece)) throw new Shapeless();
  return stack;
}

function readTrack(board) {
  if (!Array.isArray(board.points) || !board.points.length) throw new Shapeless();
  if (board.points.length > MOST_POINTS) throw new Shapeless();
  if (board.pools === null || typeof board.pools !== "object") throw new Shapeless();
  const pools = Object.entries(board.pools);
  if (pools.length > MOST_LINES) throw new Shapeless();
  return {
    kind: "track",
    points: board.points.map(readStack),
    pools: pools.map(([name, pair]) => [word(name), listOf(pair).slice(0, 2).map(readStack)]),
    legend: new Map(wordPairs(board.legend, MOST_LINES)),
    last: listOf(board.last).map((point) => count(point, board.points.length)),
  };
}

/** The board as it is to be drawn; `null` for what is none. */
export function readBoard(board) {
  try {
    const kind = inside(board, "kind");
    if (kind === "grid") return readGrid(board);
    if (kind === "track") return readTrack(board);
    return null;
  } catch (error) {
    if (error instanceof Shapeless || error instanceof TypeError) return null;
    throw error;
  }
}

/** Where pieces are that are not on the track: "4 in hand". Other names stand as they are. */
const POOL_WORDS = new Map([
  ["hand", "in hand"],
  ["bar", "on the bar"],
]);

/** What a letter or a marking means: "king (K)". */
function named(board, letter) {
  const meaning = board.legend.get(letter);
  return meaning ? `${meaning} (${letter})` : letter;
}

function gridInWords(board) {
  const found = new Map();
  for (const [place, letter] of board.pieces) {
    found.set(letter, [...(found.get(letter) ?? []), place]);
  }
  const order = [...new Set([...board.legend.keys(), ...found.keys()])].filter((each) =>
    found.has(each),
  );
  const marked = new Map();
  for (const [place, mark] of board.marks) marked.set(mark, [...(marked.get(mark) ?? []), place]);
  return [
    ...order.map((letter) => `${named(board, letter)}: ${found.get(letter).join(", ")}.`),
    board.pieces.size ? "" : "No pieces on the board.",
    ...board.joined.map((chain) => `Together: ${chain.join(", ")}.`),
    ...[...marked].map(
      ([mark, places]) => `${board.legend.get(mark) ?? mark}: ${places.join(", ")}.`,
    ),
  ];
}

function trackInWords(board) {
  const found = new Map();
  board.points.forEach((stack, place) => {
    if (!stack.count) return;
    const words = `${stack.count} on ${place + 1}`;
    found.set(stack.piece, [...(found.get(stack.piece) ?? []), words]);
  });
  for (const [name, pair] of board.pools) {
    for (const stack of pair.filter((each) => each.count)) {
      found.set(stack.piece, [
        ...(found.get(stack.piece) ?? []),
        `${stack.count} ${POOL_WORDS.get(name) ?? name}`,
      ]);
    }
  }
  const order = [...new Set([...board.legend.keys(), ...found.keys()])].filter((each) =>
    found.has(each),
  );
  return order.map((letter) => `${named(board, letter)}: ${found.get(letter).join(", ")}.`);
}

/** The whole board in sentences, for those who do not see it. */
export function boardInWords(board) {
  const touched = board.last.length ? [`Last touched: ${board.last.join(", ")}.`] : [];
  const sentences = board.kind === "grid" ? gridInWords(board) : trackInWords(board);
  return [...sentences, ...countsInWords(board), ...touched].filter(Boolean).join(" ");
}

export function countsInWords(board) {
  return (board.counts ?? []).map(([what, number]) => `${what}: ${number}.`);
}

/** The letters and signs on the board with their words, in the order to print them. */
export function legendOf(board) {
  const marks = new Set(board.marks?.values());
  return [...board.legend].map(([key, meaning]) => ({
    sign: marks.has(key) ? (board.signs.get(key) ?? "*") : key,
    meaning,
  }));
}

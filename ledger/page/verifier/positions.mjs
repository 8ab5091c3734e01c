/* The boards that a record may carry beside its events. Nobody signed them and this page does not
judge them: they are taken as they are, if they have the form of boards, and shown as such.
*/

import { refuse } from "./refusal.mjs";

const MEMBERS = ["position", "turn", "dice", "board"];
const BOARDS_VERSION = 1;
const MOST_PLACES = 1000;
const GRID_TEXTS = ["pieces", "marks", "legend", "signs"];

/** The whole board after each event, from the text of the member `positions`. Refuses others. */
export function readPositions(text, events) {
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    unreadable();
  }
  if (Number.isInteger(given?.version) && given.version > BOARDS_VERSION) {
    refuse("file", "future-version", `The boards in the file are of version ${given.version}.`);
  }
  const boards = given?.boards;
  if (given?.version !== BOARDS_VERSION || !Array.isArray(boards)) unreadable();
  if (boards.length !== events) unreadable();
  if (!sameMembers(given, ["boards", "version"])) unreadable();
  let whole = {};
  return boards.map((changes, number) => {
    if (!isPlain(changes) || !Object.keys(changes).every((key) => MEMBERS.includes(key))) {
      unreadable();
    }
    whole = { ...whole, ...changes };
    if (!number && !sameMembers(whole, MEMBERS)) unreadable();
    if (!Object.keys(changes).every((key) => IS_MEMBER[key](whole[key]))) unreadable();
    return whole;
  });
}

function unreadable() {
  refuse("file", "wrong-board", "The boards in this file cannot be read.");
}

const IS_MEMBER = {
  position: isText,
  turn: (value) => value === null || isText(value),
  dice: (value) => isList(value, isCount),
  board: (value) => isPlain(value) && (value.kind === "track" ? isTrack(value) : isGrid(value)),
};

function isGrid(board) {
  return (
    board.kind === "grid" &&
    ["columns", "rows", "last"].every((key) => isList(board[key], isText)) &&
    GRID_TEXTS.every((key) => isMap(board[key], isText)) &&
    isList(board.counts, (pair) => isList(pair) && isText(pair[0]) && isCount(pair[1])) &&
    isList(board.joined, (places) => isList(places, isText)) &&
    isList(board.sides, isText) &&
    board.sides.length === 2
  );
}

function isTrack(board) {
  return (
    isList(board.points, isStack) &&
    isMap(board.pools, (pair) => isList(pair, isStack) && pair.length === 2) &&
    isMap(board.legend, isText) &&
    isList(board.last, isCount)
  );
}

function isStack(value) {
  return isPlain(value) && isText(value.piece) && isCount(value.count);
}

function isText(value) {
  return typeof value === "string" && value.length <= MOST_PLACES;
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

function isPlain(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isList(value, check = () => true) {
  return Array.isArray(value) && value.length <= MOST_PLACES && value.every(check);
}

/** An object whose members are all of one form, none of them a word that objects know already. */
function isMap(value, check) {
  if (!isPlain(value)) return false;
  const members = Object.entries(value);
  const lawful = ([key, each]) => !(key in Object.prototype) && check(each);
  return members.length <= MOST_PLACES && members.every(lawful);
}

function sameMembers(value, names) {
  return Object.keys(value).sort().join() === [...names].sort().join();
}

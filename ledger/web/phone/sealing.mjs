/* A move that is sealed while a game rests, and opened when it goes on; design, section 3.

The move and its number stay on this phone until it is opened: the server, which lists the legal
moves, is never told which one was chosen. The page knows no rules, so the list is kept for the time
when the game rests and the server lists nothing.
*/

import { phaseOf } from "../../page/verifier/course.mjs";
import { sealOf } from "../../page/verifier/dice.mjs";
import { numberOfSeat } from "../../page/verifier/rolls.mjs";
import { act } from "./acting.mjs";
import { Answer } from "./answer.mjs";

/** Whether the game rests and a move can be sealed now, by whoever is to move. */
export function maySeal(course) {
  return phaseOf(course) === "adjourned" && !course.sealed && !course.game.dice;
}

/** Keeps whose turn it is and what this seat may do, as the server listed it for the last event. */
export async function keepLegal({ match, storage, course, mine, head }, listed) {
  if (course.game.dice || listed.turn === null) return;
  const own = listed.turn === mine ? listed : { ...listed, moves: [] };
  await storage.put(["legal", { match, head, listed: own }]);
}

/** The list that was kept, if the game stands as it did then: nobody has acted since, and no ruling
has changed the board. Null where it is not known here whose turn it is, and what is legal. */
export async function keptLegal({ match, storage, course, seq }) {
  const row = await storage.get("legal", match);
  const then = row ? course.hashes.indexOf(row.head) : -1;
  if (then < 0) return null;
  const { board } = course.moments[then];
  const since = course.moments.slice(then + 1, seq + 1);
  return since.every((each) => !each.acted && each.board === board) ? row.listed : null;
}

/** Seals a move. It is on the disk before what binds this seat to it is sent. */
export async function putUnderSeal(following, move, head) {
  const { match, keys, course, mine, seq } = following;
  const [number, place] = [numberOfSeat(course, mine), seq + 1];
  const seal = await sealOf(match, place, number, await keys.sealing(match, place, number), move);
  const kept = [["sealed", { match, seal, seq: place, move }]];
  return act(following, { type: "adjourned", data: { sealed: seal } }, head, { kept });
}

/** The move that this phone has sealed in the match, `{seal, seq, move}`; null if it has none that
is still to be opened, or another device has sealed it. */
export async function sealedHere({ match, storage, course, mine }) {
  const { sealed } = course;
  if (!sealed || sealed.seat !== mine) return null;
  return (await storage.get("sealed", [match, sealed.hash])) ?? null;
}

/** Opens the sealed move, so that the game goes on, and plays it. */
export async function openSealed(following, head) {
  const row = await sealedHere(following);
  if (!row) throw new Answer("no-seal", "This phone has sealed no move that could be opened.");
  const { match, keys, course, mine } = following;
  const nonce = await keys.sealing(match, row.seq, numberOfSeat(course, mine));
  const opened = { move: row.move, nonce };
  const resumed = await act(following, { type: "resumed", data: { opened } }, head);
  const next = following.course;
  if (!resumed.sent || following.head !== resumed.hash || next.sealed?.text !== row.move) {
    return resumed;
  }
  return act(following, { type: "move", data: { move: row.move } }, resumed.hash);
}

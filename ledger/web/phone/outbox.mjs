/* Signed events on their way: kept until they are seen in the match, sent again as the same bytes.

Nothing that this phone has signed is ever thrown away. Where the match stands again as it did when
an event was signed (the ledger may have been restored from an older copy), these bytes are the only
ones that the phone can give there. What a server has refused may be kept by it all the same: with
both envelopes here the player can show which was signed first.
*/

import { Answer, saidBy } from "./answer.mjs";
import { Unanswered, send } from "./asking.mjs";

const WAITING = "waiting";
const SENT = "sent";
const LAPSED = "lapsed";

/** Only one tab of the browser signs or sends for a match at a time. */
export function inOneTab(match, task) {
  return navigator.locks.request(`tabellion ${match}`, task);
}

/** The row of an event that was signed just now. `byItself`: nobody has asked for it by hand. */
export function rowOfSigned(match, { hash, envelope, event }, byItself) {
  const { seq, prev } = event;
  return { ...{ hash, match, seq, prev, envelope, event, byItself }, state: WAITING, why: null };
}

/** The row that says that something was signed there, and what. */
export function rowOfPlace({ match, prev, hash, seq, envelope, event, byItself }) {
  const what = { hash, seq, envelope, event, byItself };
  return { match, prev, ...what, refused: false, overtaken: false };
}

/** What of this phone's events in a match is on its way, and what did not go through: `refused` by
the server, or overtaken; `lapsed` are those that nobody has dismissed. */
export async function outboxOf(storage, match) {
  const rows = (await storage.all("outbox")).filter((row) => row.match === match);
  rows.sort((one, other) => one.seq - other.seq);
  const gone = rows.filter((row) => row.state === LAPSED);
  return {
    onTheirWay: rows.filter((row) => row.state !== LAPSED),
    unsent: rows.filter((row) => row.state === WAITING),
    lapsed: gone.filter((row) => !row.dismissed),
    refused: gone.filter((row) => row.refused),
  };
}

/** What this phone has signed where the match stands now and what is not in the match, or null. */
export async function heldAt({ storage, match, head, has }) {
  const row = head === null ? null : await storage.get("signed", [match, head]);
  return row?.envelope && !row.refused && !has(row.hash) ? row : null;
}

/** Looks after all that is on its way; what does not go through is listed. To be called in one tab.
Throws `Unanswered`. */
export async function sendAgain(following) {
  await takeUpHeld(following);
  const { onTheirWay } = await outboxOf(following.storage, following.match);
  for (const row of onTheirWay) {
    if (following.has(row.hash)) await following.storage.remove("outbox", row.hash);
    else if (row.seq <= following.seq) await lapse(following, row, overtaken(row), false);
    else if (row.prev === following.head) await sendOrList(following, row);
    else await sendOrLetGo(following, row);
  }
}

/** The match stands again where this phone has acted: what was signed there goes on its way again,
unless whoever signed it was told that it did not go through. */
async function takeUpHeld(following) {
  const held = await heldAt(following);
  if (held && (held.byItself || !held.overtaken)) await sendHeld(following, held);
}

/** Puts an event that is held back on its way. */
export async function sendHeld({ storage, match }, held) {
  const { hash, envelope, event, byItself } = held;
  const there = await storage.get("outbox", hash);
  if (there && there.state !== LAPSED) return;
  const row = rowOfSigned(match, { hash, envelope, event }, byItself);
  await storage.put(["outbox", row], ["signed", rowOfPlace(row)]);
}

async function sendOrList(following, row) {
  try {
    await sendOnce(following, row);
  } catch (error) {
    if (!(error instanceof Answer)) throw error;
  }
}

/** Where the event before it is not in the match any more, it cannot come in, and must not keep
this phone from acting. */
async function sendOrLetGo(following, row) {
  if (!following.has(row.prev)) await following.catchUp();
  if (following.has(row.prev)) return;
  if (!following.has(row.hash)) await lapse(following, row, gone(row), false);
}

/** Sends an event and looks what became of it: a refusal, and that somebody else was first, are
believed once the match was looked at. Throws `Answer` where it did not go through, and
`Unanswered` where that is not known. */
export async function sendOnce(following, row) {
  try {
    await send("/api/events", row.envelope);
  } catch (error) {
    if (!(error instanceof Answer)) throw error;
    await following.catchUp(); // an earlier try may have been stored, its answer lost
    if (following.has(row.hash)) return following.storage.remove("outbox", row.hash);
    if (error.status !== 409) await lapse(following, row, error, true);
    else if (row.seq <= following.seq) await lapse(following, row, error, false);
    throw error;
  }
  await following.storage.put(["outbox", { ...row, state: SENT }]);
  if (following.doubt) await following.catchUp(); // is it there, or does it only say so?
  else await following.takeOwn(row.envelope);
  if (following.has(row.hash)) await following.storage.remove("outbox", row.hash);
}

/** It did not go through. Where it was `refused`, and not overtaken, another may be signed in its
place: the server has said that this one is not stored. What the phone does by itself is done
anew by itself, so there is nothing to tell. */
async function lapse({ storage }, row, error, refused) {
  const place = { ...rowOfPlace(row), refused, overtaken: !refused };
  const told = { dismissed: row.byItself, refused, why: saidBy(error) };
  await storage.put(["signed", place], ["outbox", { ...row, ...told, state: LAPSED }]);
  if (row.byItself && !refused) await storage.remove("outbox", row.hash);
}

/** Whoever signed it has read that it did not go through. It stays on this phone. */
export async function dismissLapsed(storage, hash) {
  const row = await storage.get("outbox", hash);
  if (row?.state === LAPSED) await storage.put(["outbox", { ...row, dismissed: true }]);
}

function overtaken({ event }) {
  const what = `Another event became event ${event.seq} of the match before this one came in.`;
  return new Answer("stale", what, { hint: "Look at the match; do it again if it still fits." });
}

function gone({ event }) {
  const what = `Event ${event.seq - 1}, which this one follows, is not in the match any more.`;
  return new Answer("stale", what, { hint: "Look at the match; do it again if it still fits." });
}

/** Whether nothing is known of what became of an event. */
export function isUnanswered(error) {
  return error instanceof Unanswered;
}

/* Signed events on their way: kept until they are seen in the match, sent again as the same bytes.

An event that did not go through is never sent again: it is listed for whoever signed it.
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

/** What of this phone's events in a match is on its way, and what did not go through. */
export async function outboxOf(storage, match) {
  const rows = (await storage.all("outbox")).filter((row) => row.match === match);
  rows.sort((one, other) => one.seq - other.seq);
  return {
    onTheirWay: rows.filter((row) => row.state !== LAPSED),
    unsent: rows.filter((row) => row.state === WAITING),
    lapsed: rows.filter((row) => row.state === LAPSED),
  };
}

/** Looks after all that is on its way; what does not go through is listed. To be called in one tab.
Throws `Unanswered`. */
export async function sendAgain(following) {
  const { onTheirWay } = await outboxOf(following.storage, following.match);
  for (const row of onTheirWay) {
    if (following.has(row.hash)) await following.storage.remove("outbox", row.hash);
    else if (row.seq <= following.seq) await lapse(following, row, overtaken(row), false);
    else if (row.prev === following.head) await sendOrList(following, row);
  }
}

async function sendOrList(following, row) {
  try {
    await sendOnce(following, row);
  } catch (error) {
    if (!(error instanceof Answer)) throw error;
  }
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
  await following.takeOwn(row.envelope);
  if (following.has(row.hash)) await following.storage.remove("outbox", row.hash);
}

/** It did not go through. Where it was `refused`, and not overtaken, another may be signed in its
place: the server has said that this one is not stored. What the phone does by itself is done
anew by itself, so there is nothing to list. */
async function lapse({ storage }, row, error, refused) {
  if (refused) {
    const { match, prev, hash } = row;
    await storage.put(["signed", { match, prev, hash, refused: true }]);
  }
  if (row.byItself) await storage.remove("outbox", row.hash);
  else await storage.put(["outbox", { ...row, state: LAPSED, why: saidBy(error) }]);
}

function overtaken({ event }) {
  const what = `Another event became event ${event.seq} of the match before this one came in.`;
  return new Answer("stale", what, { hint: "Look at the match; do it again if it still fits." });
}

/** Whether nothing is known of what became of an event. */
export function isUnanswered(error) {
  return error instanceof Unanswered;
}

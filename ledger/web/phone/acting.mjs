/* One act of a person: signed, stored, then sent. A click twice acts once, in two tabs too.

Nothing is signed unless all events before it were verified on this phone, and never two events
with the same one before them.
*/

import { Answer } from "./answer.mjs";
import { inOneTab, isUnanswered, outboxOf, rowOfPlace, rowOfSigned, sendOnce } from "./outbox.mjs";
import { rowOfShown } from "./shown.mjs";
import { checkInPlace, signEvent } from "./signing.mjs";

const VERSION_OF_EVENTS = 1;
const OVERTAKEN = ["stale", "acted-already", "not-sent-yet"];
const MOST_TRIES = 8;

/** Acts as the role that this phone's key has, if the match still ends with the event whose hash is
`expectedHead`. Gives `{hash, seq, sent}`; what is not `sent` waits for the connection, and is
stored, and so are the rows of `kept` with it. What the phone does `byItself` is not listed where it
lapses. Throws `Answer` where nothing came of it. */
export async function act(following, draft, expectedHead, how = {}) {
  const acted = await inOneTab(following.match, async () => {
    const row = await signAndStore(following, draft, expectedHead, how);
    return { hash: row.hash, seq: row.seq, sent: await sendNow(following, row) };
  });
  await following.outboxChanged();
  return acted;
}

/** Accepts the match: what is agreed to is its opening. */
export function acceptSeat(following) {
  return actWhenever(following, { type: "seat.accepted", data: {} });
}

/** Signs the result like a score sheet: `resultEvent` is the hash of the event that gave it. */
export function signResult(following, resultEvent) {
  return actWhenever(following, { type: "countersigned", data: { result_event: resultEvent } });
}

/** Acts where it does not matter what the match ends with: an event of somebody else that came
first changes nothing of what is agreed to, so the act is signed anew behind it. */
async function actWhenever(following, draft) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act(following, draft, following.head, { byItself: true });
    } catch (error) {
      if (tries === MOST_TRIES || !wasOvertaken(error)) throw error;
    }
    await following.catchUp();
  }
}

/** Whether somebody else was first, or this phone itself: whoever looks again may act. */
export function wasOvertaken(error) {
  return error instanceof Answer && (error.status === 409 || OVERTAKEN.includes(error.code));
}

async function signAndStore(following, { type, data }, expectedHead, how) {
  const { byItself = false, kept = [] } = how;
  const { match, storage, keys } = following;
  checkReady(following, expectedHead);
  await checkFree(following, expectedHead);
  const at = following.clock().toISOString().replace(/\.[0-9]+Z$/, "Z");
  const place = { v: VERSION_OF_EVENTS, match, seq: following.seq + 1, prev: expectedHead };
  const signed = await signEvent(keys, { ...place, type, data, by: following.mine, at });
  checkReady(following, expectedHead);
  checkInPlace(following.course, signed.event);
  const shown = await rowOfShown(following, signed.event);
  checkReady(following, expectedHead);
  const row = rowOfSigned(match, signed, byItself);
  await storage.put(
    ["outbox", row],
    ["signed", rowOfPlace(row)],
    ...(shown ? [["shown", shown]] : []),
    ...kept,
    ...(byItself ? [] : [["known", { match, seq: following.seq, head: expectedHead }]]),
  );
  return row;
}

function checkReady(following, expectedHead) {
  const { fault, head, mine, course } = following;
  if (fault) {
    const what = "This phone signs nothing here: what the server has sent does not hold.";
    throw new Answer("not-verified", what, { hint: fault.text });
  }
  if (head === null || head !== expectedHead) {
    const what = "The match has gone on since you looked.";
    throw new Answer("stale", what, { hint: "Look at it, and do it again if it still fits." });
  }
  if (mine === null || !course) {
    throw new Answer("no-role", "The key of this phone has no seat in this match.");
  }
}

/** Refuses where this phone has signed already. */
async function checkFree({ match, storage, has }, expectedHead) {
  const signed = await storage.get("signed", [match, expectedHead]);
  if (signed && !signed.refused) {
    const hint = "If nothing comes of it, ask the arbiter to write a note; then it goes on.";
    throw new Answer("acted-already", "This phone has acted here already.", { hint });
  }
  const { onTheirWay } = await outboxOf(storage, match);
  if (onTheirWay.some((row) => !has(row.hash))) {
    const what = "An earlier act of yours is not with the server yet.";
    throw new Answer("not-sent-yet", what, { hint: "It is sent as soon as the server answers." });
  }
}

async function sendNow(following, row) {
  await following.outboxChanged();
  try {
    await sendOnce(following, row);
    return true;
  } catch (error) {
    await following.outboxChanged();
    if (!isUnanswered(error)) throw error;
    following.tryAgain(error.after);
    return false;
  }
}

/* Taking a seat with the one-time code that the arbiter gave out. The code goes in the body of a
request, never into an address. */

import { bytesOf, hexOf } from "../../page/verifier/bytes.mjs";
import { writeCanonical } from "../../page/verifier/canonical.mjs";
import { preAuthentication } from "../../page/verifier/envelope.mjs";
import { Answer } from "./answer.mjs";
import { Unanswered, send } from "./asking.mjs";

const JOIN_PAYLOAD = "application/vnd.tabellion.join.v1+json";
const JOIN_CODE = /^[0-9A-Z]{10}$/;

/** The ten letters of a code as somebody typed it, or null. */
export function lettersOf(code) {
  const letters = code.toUpperCase().replace(/[\s\u2010-\u2015-]/g, "");
  return JOIN_CODE.test(letters) ? letters : null;
}

/** Says whose key this phone has, for the seat of a code. The same key may ask again: that is how
it waits for the others. Throws `Answer`, or `Unanswered` where nothing came back. */
export async function joinTable(keys, code) {
  const letters = lettersOf(code);
  if (letters === null) {
    const what = "A join code has ten letters or digits, like ABCD-EFGH-JK.";
    throw new Answer("bad-code", what);
  }
  const said = bytesOf(writeCanonical({ code: letters, key: keys.line }));
  const sig = hexOf(await keys.sign(preAuthentication(said, JOIN_PAYLOAD)));
  return send("/api/join", JSON.stringify({ code: letters, key: keys.line, sig }));
}

/** The same, and remembered: the seat is there again after the page was closed. While others are
awaited the code is kept, and it is asked with it again. The arbiter's key that was told first is
kept too, so that the match can be held against it. Gives the `JoinView`. */
export async function takeSeat(storage, keys, code) {
  const place = lettersOf(code);
  if (place !== null) {
    const kept = { place, code: place, match: null, seat: null, name: null };
    await storage.keepFirst("seats", place, kept);
  }
  let view;
  try {
    view = await joinTable(keys, code);
  } catch (error) {
    const refused = error instanceof Answer && error.status >= 400;
    if (refused && place !== null) await storage.remove("seats", place);
    throw error;
  }
  const { match, seat, name } = view;
  const row = { place: match ?? place, code: match ? null : place, match, seat, name };
  const keyid = (await arbiterTold(storage, [row.place, place])) ?? view.keyid;
  await storage.put(["seats", { ...row, arbiter: keyid }]);
  if (match) await storage.remove("seats", place);
  return { ...view, keyid };
}

/** The fingerprint of the arbiter's key, as it was told at first in one of these places; or null. */
export async function arbiterTold(storage, places) {
  for (const place of places) {
    const row = await storage.get("seats", place);
    if (row?.arbiter) return row.arbiter;
  }
  return null;
}

/** Whether asking again may help. */
export function mayAskAgain(error) {
  return error instanceof Unanswered;
}

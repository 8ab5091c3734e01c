/* An event of this phone: written in its one spelling, held against the form of events, signed. */

import { base64Of, bytesOf, hexOf, sha256 } from "../../page/verifier/bytes.mjs";
import { readCanonical, writeCanonical } from "../../page/verifier/canonical.mjs";
import { preAuthentication } from "../../page/verifier/envelope.mjs";
import { checkAllowed } from "../../page/verifier/proceeding.mjs";
import { checkShape } from "../../page/verifier/shapes.mjs";
import { answering } from "./answer.mjs";

const SIGNED_PAYLOAD = "application/vnd.tabellion.event.v1+json";

/** `{hash, envelope, event}`. Throws `Answer` for what has not the form of an event. Letters and
accents are put together first (NFC): nobody sees the difference, and nobody could mend it. */
export async function signEvent(keys, fields) {
  const payload = bytesOf(writeCanonical(composed(fields)));
  const event = checkedForm(payload);
  const message = preAuthentication(payload);
  const signature = await keys.sign(message);
  const envelope =
    `{"payload":"${base64Of(payload)}","payloadType":"${SIGNED_PAYLOAD}",` +
    `"signatures":[{"keyid":"${keys.keyid}","sig":"${base64Of(signature)}"}]}`;
  return { hash: hexOf(await sha256(message)), envelope, event };
}

function checkedForm(payload) {
  try {
    const event = readCanonical(payload);
    checkShape(event);
    return event;
  } catch (error) {
    throw answering(error);
  }
}

/** Refuses what may not be done now, as far as that needs no rules of the game. Changes nothing. */
export function checkInPlace(course, event) {
  try {
    checkAllowed(course, event);
  } catch (error) {
    throw answering(error);
  }
}

/** A value without absent members, every text in it in form NFC. */
function composed(value) {
  if (typeof value === "string") return value.normalize("NFC");
  if (Array.isArray(value)) return value.map(composed);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(members.map(([key, each]) => [key, composed(each)]));
}

/* The signed envelope: DSSE 1.0.2 with one Ed25519 signature, in its one spelling.

Whoever changes one byte of it makes another text: nothing in it may be written in two ways.
*/

import { asciiOf, base64Of, bytesOf, fromBase64, joined } from "./bytes.mjs";
import { readJson } from "./canonical.mjs";
import { Refusal, quotedShort, refuse } from "./refusal.mjs";

const EVENT_PAYLOAD = "application/vnd.tabellion.event.v1+json";
const MAX_ENVELOPE = 96 * 1024;
const ONE_SPELLING =
  /^\{"payload":"([A-Za-z0-9+/]*={0,2})","payloadType":"([^"\\]*)","signatures":\[\{"keyid":"([^"\\]*)","sig":"([A-Za-z0-9+/]*={0,2})"\}\]\}$/;
const KEYID = /^SHA256:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/;
const OTHERWISE_SPELT = "The signed event is not in its one spelling.";
const SPOILT = "This event is damaged and cannot be read.";

/** What is signed: DSSE's pre-authentication encoding of a payload. */
export function preAuthentication(payload, payloadType = EVENT_PAYLOAD) {
  return joined(bytesOf(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload);
}

/** `{payload, signature, keyid}` of the bytes of one envelope. Refuses what is not one. */
export function readEnvelope(bytes) {
  if (bytes.length > MAX_ENVELOPE) {
    refuse("form", "too-large", `${bytes.length} bytes are too many for one event.`);
  }
  const found = ONE_SPELLING.exec(asciiOf(bytes));
  if (!found) {
    checkParts(bytes);
    refuse("form", "not-canonical", OTHERWISE_SPELT);
  }
  const [, payload64, payloadType, keyid, signature64] = found;
  checkNames(payloadType, keyid);
  const payload = fromBase64(payload64);
  const signature = fromBase64(signature64);
  if (payload === null || signature?.length !== 64) refuse("form", "not-an-envelope", SPOILT);
  if (base64Of(payload) !== payload64 || base64Of(signature) !== signature64) {
    refuse("form", "not-canonical", OTHERWISE_SPELT);
  }
  return { payload, signature, keyid };
}

/** Says what is wrong with an envelope that is not even written like one. */
function checkParts(bytes) {
  let outer;
  try {
    outer = readJson(asciiOf(bytes));
  } catch (error) {
    // Camel case is outside the profile of payloads, so the reader says "bad-key" of good ones.
    if (!(error instanceof Refusal) || error.code !== "bad-key") {
      refuse("form", "not-an-envelope", SPOILT);
    }
    outer = JSON.parse(asciiOf(bytes));
  }
  const signatures = outer?.signatures;
  const texts = [outer?.payload, outer?.payloadType];
  const lawful = texts.every((each) => typeof each === "string") && Array.isArray(signatures);
  if (!lawful || Object.keys(outer).length !== 3) refuse("form", "not-an-envelope", SPOILT);
  if (outer.payloadType === EVENT_PAYLOAD && signatures.length !== 1) {
    const count = `An event has one signature, not ${signatures.length}.`;
    refuse("form", "not-one-signature", count);
  }
  checkNames(outer.payloadType, String(signatures[0]?.keyid));
  const halves = [outer.payload, String(signatures[0]?.sig)].map(fromBase64);
  if (halves.includes(null) || halves[1].length !== 64) refuse("form", "not-an-envelope", SPOILT);
}

function checkNames(payloadType, keyid) {
  if (payloadType !== EVENT_PAYLOAD) {
    refuse("form", "foreign-payload", `The payload type ${quotedShort(payloadType)} is not ours.`);
  }
  if (!KEYID.test(keyid)) refuse("form", "not-an-envelope", "The key id is no fingerprint.");
}

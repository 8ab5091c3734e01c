/* The keys of this phone: one to sign with, one that the numbers of its dice come from (design, 4).

Made once in a browser, the same for all matches. Neither can be taken out of it: whoever has the
phone can use them, nobody can copy them. With the browser's data they are gone for good.
*/

import { base64Of, bytesOf, fromHex, hexOf, inFourBytes, joined } from "../../page/verifier/bytes.mjs";
import { KeyRing, missingEd25519 } from "../../page/verifier/keys.mjs";
import { Answer } from "./answer.mjs";

const OWN_KEYS = "own";
const LINE_START = "ssh-ed25519 ";
const LINE_HEAD = "\u0000\u0000\u0000\u000bssh-ed25519\u0000\u0000\u0000\u0020";
const NONCE_OF_DICE = "dice-nonce/v1\u0000";
const NONCE_OF_SEAL = "sealed-nonce/v1\u0000";
const NOT_SECURE =
  "This page did not come by https, so the browser lets it sign nothing. Ask the arbiter for the " +
  "address that begins with https.";

/** `{line, keyid, sign, nonce, sealing}` of this browser, made now if there are none. Throws
`Answer`. */
export async function ownKeys(storage) {
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle) {
    throw new Answer("not-secure", NOT_SECURE);
  }
  const missing = await missingEd25519();
  if (missing) throw new Answer("no-ed25519", missing);
  const kept = (await storage.get("keys", OWN_KEYS)) ?? (await makeKeys(storage));
  const { keyid } = await new KeyRing().add(kept.line);
  return {
    line: kept.line,
    keyid,
    sign: (bytes) => signWith(kept.signing, bytes),
    nonce: (match, roll, seat) => nonceFrom(kept.secret, NONCE_OF_DICE, match, roll, seat),
    sealing: (match, seq, seat) => nonceFrom(kept.secret, NONCE_OF_SEAL, match, seq, seat),
  };
}

/** Two tabs may make keys at once: those that are stored first count. */
async function makeKeys(storage) {
  navigator.storage?.persist?.().catch(() => false);
  const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  const form = { name: "HMAC", hash: "SHA-256", length: 256 };
  const secret = await crypto.subtle.generateKey(form, false, ["sign"]);
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const line = LINE_START + base64Of(joined(bytesOf(LINE_HEAD), raw));
  const made = { name: OWN_KEYS, line, signing: pair.privateKey, secret };
  return storage.keepFirst("keys", OWN_KEYS, made);
}

async function signWith(key, bytes) {
  return new Uint8Array(await crypto.subtle.sign("Ed25519", key, bytes));
}

/** The number that this phone uses there, in hex: the same after every restart. `number` is that of
the roll, or of the event that seals a move. */
async function nonceFrom(secret, label, match, number, seat) {
  const place = [fromHex(match), inFourBytes(number), Uint8Array.of(seat)];
  const message = joined(bytesOf(label), ...place);
  return hexOf(new Uint8Array(await crypto.subtle.sign("HMAC", secret, message)));
}

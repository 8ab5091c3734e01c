/* Public keys as they stand in events, and the signatures that the browser checks with them. */

import { asciiOf, base64Of, bytesOf, fromBase64, fromHex, sha256 } from "./bytes.mjs";
import { writeCanonical } from "./canonical.mjs";
import { isPlainSignature, weaknessOf } from "./curve.mjs";
import { preAuthentication } from "./envelope.mjs";
import { refuse } from "./refusal.mjs";

const KEY_HEAD = "\u0000\u0000\u0000\u000bssh-ed25519\u0000\u0000\u0000\u0020";
const CONSENT_PAYLOAD = "application/vnd.tabellion.consent.v1+json";
const WITHOUT_ED25519 =
  "This browser cannot check Ed25519 signatures. Firefox can from version 129 on, Safari from 17, " +
  "Chrome and Edge from 137; the page must come from a file, from localhost or by https.";

/** Why this browser cannot check signatures, or null. */
export async function missingEd25519() {
  if (!globalThis.crypto?.subtle) return WITHOUT_ED25519;
  try {
    const basePoint = new Uint8Array(32).fill(0x66);
    basePoint[0] = 0x58;
    await crypto.subtle.importKey("raw", basePoint, "Ed25519", false, ["verify"]);
    return null;
  } catch {
    return WITHOUT_ED25519;
  }
}

/** The 32 bytes of a key line (RFC 8709, section 4). Refuses any other spelling. */
export function rawKey(line) {
  const blob = line.startsWith("ssh-ed25519 ") ? fromBase64(line.slice(12)) : null;
  const head = blob && asciiOf(blob.subarray(0, KEY_HEAD.length));
  if (blob?.length === 51 && head === KEY_HEAD) return blob.subarray(KEY_HEAD.length);
  if (blob && !head.startsWith(KEY_HEAD.slice(0, 15))) {
    refuse("authority", "key-type", "A key is not of the kind Ed25519.");
  }
  refuse("authority", "key-unreadable", "A key is damaged.");
}

/** The keys that a record has, each prepared once, by their lines and by their fingerprints. */
export class KeyRing {
  constructor() {
    this.byLine = new Map();
    this.byKeyid = new Map();
  }

  /** `{line, raw, keyid}` of a key line. Refuses what is no key. */
  async add(line) {
    const known = this.byLine.get(line);
    if (known) return known;
    const raw = rawKey(line);
    const digest = await sha256(bytesOf(KEY_HEAD), raw);
    const key = { line, raw, keyid: `SHA256:${base64Of(digest).replace(/=+$/, "")}` };
    this.byLine.set(line, key);
    this.byKeyid.set(key.keyid, key);
    return key;
  }

  /** Whether the key made this signature. Of keys that are not safe no signature counts. */
  async holds(key, signature, message) {
    if (!isPlainSignature(signature) || weaknessOf(key.raw) !== null) return false;
    key.handle ??= crypto.subtle.importKey("raw", key.raw, "Ed25519", false, ["verify"]);
    return crypto.subtle.verify("Ed25519", await key.handle, signature, message);
  }

  /** Whether the old key of a role signed its replacement: its own type of payload, so that no
  event can be taken for a consent. */
  async consents(old, { match = "", data: { role, name, key, consent } }) {
    const held = { match, name, role, ...(key === undefined ? {} : { key }) };
    const message = preAuthentication(bytesOf(writeCanonical(held)), CONSENT_PAYLOAD);
    return this.holds(old, fromHex(consent), message);
  }
}

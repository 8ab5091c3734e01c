/* What the parts of the page's verifier make of vectors, as JSON from standard input. */

import { webcrypto } from "node:crypto";
import { text } from "node:stream/consumers";
import { bytesOf, fromHex, hexOf, sha256 } from "../../ledger/page/verifier/bytes.mjs";
import { readCanonical, writeCanonical } from "../../ledger/page/verifier/canonical.mjs";
import { isPlainSignature, weaknessOf } from "../../ledger/page/verifier/curve.mjs";
import { commitmentOf, facesOf, seedOf } from "../../ledger/page/verifier/dice.mjs";
import { preAuthentication, readEnvelope } from "../../ledger/page/verifier/envelope.mjs";
import { KeyRing } from "../../ledger/page/verifier/keys.mjs";
import { Refusal } from "../../ledger/page/verifier/refusal.mjs";

globalThis.crypto ??= webcrypto; /* as browsers have it; Node only since 19 */

const { envelopes, lines, payloads, dice, keys, signatures } = JSON.parse(await text(process.stdin));

function said(check) {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code;
  }
}

const ring = new KeyRing();
for (const line of lines) await ring.add(line);

async function enveloped(envelope) {
  const { payload, signature, keyid } = readEnvelope(bytesOf(envelope));
  const message = preAuthentication(payload);
  return {
    hash: hexOf(await sha256(message)),
    payload: writeCanonical(readCanonical(payload)),
    holds: await ring.holds(ring.byKeyid.get(keyid), signature, message),
  };
}

async function rolled(match, { roll, nonces }) {
  const opened = Object.entries(nonces).map(([seat, nonce]) => [Number(seat), nonce]);
  const seed = await seedOf(match, roll, opened);
  return { seed: hexOf(seed), two: await facesOf(seed, 2), three: await facesOf(seed, 3) };
}

const found = {
  envelopes: await Promise.all(envelopes.map(enveloped)),
  payloads: payloads.map((hex) => said(() => readCanonical(fromHex(hex)) && "read")),
  commitments: await Promise.all(
    dice.commitments.map(({ roll, seat, nonce }) => commitmentOf(dice.match, roll, seat, nonce)),
  ),
  rolls: await Promise.all(dice.rolls.map((roll) => rolled(dice.match, roll))),
  keys: keys.map((hex) => weaknessOf(fromHex(hex))),
  signatures: signatures.map((hex) => isPlainSignature(fromHex(hex))),
};
process.stdout.write(JSON.stringify(found));

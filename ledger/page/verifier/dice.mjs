/* Dice by commit-reveal: numbers in, faces out; design, section 4. Nothing else enters. */

import { bytesOf, fromHex, hexOf, hmacSha256, inFourBytes, joined, sha256 } from "./bytes.mjs";

const UNFAIR_FROM = 252;

/** What binds a seat (0, 1, the arbiter 2) to a nonce for one roll of one match, in hex. */
export async function commitmentOf(match, roll, seat, nonce) {
  const place = [fromHex(match), inFourBytes(roll), Uint8Array.of(seat)];
  return hexHash("dice-commit/v1\u0000", ...place, fromHex(nonce));
}

/** The seed of a roll from its nonces: `[[seat, nonce]]`. */
export function seedOf(match, roll, nonces) {
  const ascending = [...nonces].sort(([one], [other]) => one - other);
  const opened = ascending.map(([seat, nonce]) => joined(Uint8Array.of(seat), fromHex(nonce)));
  const place = [fromHex(match), inFourBytes(roll), Uint8Array.of(ascending.length)];
  return sha256(bytesOf("dice-seed/v1\u0000"), ...place, ...opened);
}

/** So many dice from a seed, each face equally likely. */
export async function facesOf(seed, count) {
  const faces = [];
  for (let block = 0; faces.length < count; block += 1) {
    const message = joined(bytesOf("dice-block/v1\u0000"), inFourBytes(block));
    const bytes = await hmacSha256(seed, message);
    faces.push(...bytes.filter((byte) => byte < UNFAIR_FROM).map((byte) => (byte % 6) + 1));
  }
  return faces.slice(0, count);
}

/** What binds a seat to a move that it sealed as event `seq`, in hex; design, section 3. */
export async function sealOf(match, seq, seat, nonce, move) {
  const place = [fromHex(match), inFourBytes(seq), Uint8Array.of(seat), fromHex(nonce)];
  return hexHash("sealed-move/v1\u0000", ...place, bytesOf(move));
}

async function hexHash(label, ...parts) {
  return hexOf(await sha256(bytesOf(label), ...parts));
}

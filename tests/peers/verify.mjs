/* A verifier of records that has nothing of Tabellion: node:crypto, and the description of the
   format. Events of the record in the order of the file: each of the form of an envelope, each the
   next of its chain, each signed by the key that its role has then.

   node verify.mjs FILE: prints the number of events and the head, or why not (exit 1). */

import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const TYPE = "application/vnd.tabellion.event.v1+json";

class Unsound extends Error {}

const must = (good, why) => {
  if (!good) throw new Unsound(why);
};

const strict = (text, what) => {
  const bytes = Buffer.from(text, "base64");
  must(bytes.toString("base64") === text, `${what} is not strict base64`);
  return bytes;
};

/* RFC 8709: two strings, each after its length. */
const keyOf = (line, where) => {
  const [type, text, ...more] = line.split(" ");
  const blob = strict(text, where);
  const start = Buffer.from("\0\0\0\x0bssh-ed25519\0\0\0\x20");
  const whole = blob.length === 51 && blob.subarray(0, 19).equals(start);
  must(type === "ssh-ed25519" && more.length === 0 && whole, `${where} has a damaged key`);
  const digest = createHash("sha256").update(blob).digest("base64").replaceAll("=", "");
  const jwk = { kty: "OKP", crv: "Ed25519", x: blob.subarray(19).toString("base64url") };
  return { id: `SHA256:${digest}`, key: createPublicKey({ key: jwk, format: "jwk" }) };
};

const opened = ({ arbiter, seats, witnesses, appeal }) => {
  const held = [["arbiter", arbiter], ...Object.entries(seats)];
  witnesses.forEach((witness, n) => held.push([`witness${n + 1}`, witness]));
  if (appeal) held.push(["appeal", appeal]);
  const keyed = held.filter(([, holder]) => holder.key);
  return new Map(keyed.map(([role, holder]) => [role, keyOf(holder.key, "event 0")]));
};

const check = (text) => {
  const found = JSON.parse(text);
  must(found.format === "tabellion-record/1", "another format");
  let roles, match, prev;
  for (const [n, envelope] of found.events.entries()) {
    must(envelope.payloadType === TYPE, `event ${n} is of another type`);
    must(envelope.signatures.length === 1, `event ${n} has not one signature`);
    const [{ keyid, sig }] = envelope.signatures;
    const payload = strict(envelope.payload, `event ${n}`);
    const head = Buffer.from(`DSSEv1 ${TYPE.length} ${TYPE} ${payload.length} `);
    const signed = Buffer.concat([head, payload]);
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    must(event.seq === n, `event ${n} says that it is event ${event.seq}`);
    must(event.prev === prev, `event ${n} does not continue the chain`);
    must(event.match === match, `event ${n} is of another match`);
    if (n === 0) roles = opened(event.data);
    const holder = roles.get(event.by);
    must(holder !== undefined, `event ${n}: ${event.by} has no key`);
    must(holder.id === keyid, `event ${n} names a key that ${event.by} does not have`);
    const holds = verify(null, signed, holder.key, strict(sig, `event ${n}`));
    must(holds, `event ${n}: the signature does not hold`);
    prev = createHash("sha256").update(signed).digest("hex");
    match ??= prev;
    if (event.type === "arbiter.replaced" || event.type === "key.replaced") {
      const { role = "arbiter", key } = event.data;
      if (key) roles.set(role, keyOf(key, `event ${n}`));
      else roles.delete(role);
    }
  }
  return `${found.events.length} ${prev}`;
};

for (const file of process.argv.slice(2)) {
  try {
    console.log(check(readFileSync(file, "utf-8")));
  } catch (error) {
    console.log(error instanceof Unsound ? error.message : "not a record");
    process.exitCode = 1;
  }
}

/* Follows matches, each a line: takes one event after the other, as a phone does, and says after
each whether what a server tells of the match contradicts it. */

import { webcrypto } from "node:crypto";
import { createInterface } from "node:readline";
import { Chain } from "../../ledger/web/phone/chain.mjs";
import { contradiction } from "../../ledger/web/phone/doubts.mjs";

globalThis.crypto ??= webcrypto; /* as browsers have it; Node only since 19 */

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { match, steps } = JSON.parse(line);
  const chain = new Chain(match);
  const doubts = [];
  for (const { text, show } of steps) {
    await chain.take([text]);
    const { seq, head, course } = chain;
    const doubt = contradiction(show, { match, seq, head, course });
    if (doubt) doubts.push([seq, doubt.message]);
  }
  const checks = chain.items.map((item) => item.checks);
  process.stdout.write(`${JSON.stringify({ doubts, checks, fault: chain.fault })}\n`);
}

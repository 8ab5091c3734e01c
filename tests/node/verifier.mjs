/* Reads records, each a line of base64, and writes what the page's verifier says, each a line. */

import { webcrypto } from "node:crypto";
import { createInterface } from "node:readline";
import { verify } from "../../ledger/page/verifier/verify.mjs";

globalThis.crypto ??= webcrypto; /* as browsers have it; Node only since 19 */

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const bytes = new Uint8Array(Buffer.from(line, "base64"));
  const start = performance.now();
  const report = await verify(bytes);
  const milliseconds = performance.now() - start;
  const written = { ...report, superseded: [...report.superseded], milliseconds };
  process.stdout.write(`${JSON.stringify(written)}\n`);
}

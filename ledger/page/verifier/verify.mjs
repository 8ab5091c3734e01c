/* The audit of one record, as far as it needs no rules of a game. `verify` never throws, whatever
it is given. */

import { missingEd25519 } from "./keys.mjs";
import { Reading, emptyReport } from "./reading.mjs";
import { readRecordFile } from "./recordfile.mjs";
import { Refusal, faultAt } from "./refusal.mjs";

const JUDGED_AT_ONCE = 64;

/** The report on a record, or on an exported page with a record in it. */
export async function verify(bytes) {
  try {
    const missing = await missingEd25519();
    return missing ? emptyReport("could-not-check", missing) : await auditBytes(bytes);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      return emptyReport("could-not-check", `This page could not read the file (${error?.name}).`);
    }
    if (error.code === "too-large") return emptyReport("could-not-check", error.message);
    return { ...emptyReport("faults"), faults: [faultAt(null, error)] };
  }
}

async function auditBytes(bytes) {
  const file = readRecordFile(bytes);
  const reading = new Reading();
  for (const text of file.around) reading.fault(null, new Refusal("file", "file-damaged", text));
  if (!file.pieces.length) {
    reading.fault(null, new Refusal("file", "empty", "There is no event."));
  }
  await reading.take(file.pieces);
  for (const item of reading.items) {
    await reading.judge(item);
    if ((item.number + 1) % JUDGED_AT_ONCE === 0) await new Promise((resume) => setTimeout(resume));
  }
  return reading.report(file.positions);
}

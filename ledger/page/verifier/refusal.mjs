/* What is said against an event: a code for programs, a sentence for the arbiter.

The codes are those of the audit, so that two opinions on one record can be compared.
*/

/** Thrown by a check and caught where the events are gone through; never leaves the verifier. */
export class Refusal extends Error {
  constructor(check, code, text) {
    super(text);
    this.check = check;
    this.code = code;
  }
}

export function refuse(check, code, text) {
  throw new Refusal(check, code, text);
}

/** The fault that a refusal is at an event (null: at the file). */
export function faultAt(event, refusal) {
  return { event, check: refusal.check, code: refusal.code, text: refusal.message };
}

/** A text as it may be quoted in a sentence: short, without anything that turns the line around. */
export function quotedShort(text) {
  const shown = String(text).replace(/[^\x20-\x7e]/gu, "?");
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}

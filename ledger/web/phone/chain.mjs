/* The events of one match as this phone has them, each verified by the verifier's own reading.

Nothing that does not continue them is taken in: where the server's events are others, they are
read from the beginning, beside what is here, and take its place when they are whole.
*/

import { bytesOf } from "../../page/verifier/bytes.mjs";
import { readCanonical } from "../../page/verifier/canonical.mjs";
import { readEnvelope } from "../../page/verifier/envelope.mjs";
import { Reading } from "../../page/verifier/reading.mjs";
import { Refusal, faultAt } from "../../page/verifier/refusal.mjs";

export class Chain {
  #reading = new Reading();
  #texts = [];
  #places = new Map();
  #fault = null;

  constructor(match) {
    this.match = match;
  }

  get items() {
    return this.#reading.items;
  }

  get course() {
    return this.#reading.course;
  }

  /** Number of the last event; -1 for none. */
  get seq() {
    return this.items.length - 1;
  }

  get head() {
    return this.items.at(-1)?.hash ?? null;
  }

  /** What does not hold, `{event, check, code, text}`, or null. */
  get fault() {
    return this.#fault;
  }

  has(hash) {
    return this.#places.has(hash);
  }

  /** With which text an event stands here, if it does. */
  textAt(seq) {
    return this.#texts[seq] ?? null;
  }

  /** The role that a key has now, or null. */
  roleOf(line) {
    for (const { role, key } of this.#reading.roster?.holders.values() ?? []) {
      if (key?.line === line) return role;
    }
    return null;
  }

  /** "next" for an envelope that continues these events, "here" for one of them, else "apart". */
  placeOf(text) {
    const event = eventIn(text);
    if (event === null) return "next"; /* let the verifier say what is wrong with it */
    if (this.textAt(event.seq) === text) return "here";
    const first = this.head === null && event.seq === 0;
    return first || (event.seq === this.seq + 1 && event.prev === this.head) ? "next" : "apart";
  }

  /** Takes in the next events, and judges each. */
  async take(texts) {
    try {
      this.#texts.push(...texts);
      for (const item of await this.#reading.take(texts.map(pieceOf))) {
        if (item.hash !== null) this.#places.set(item.hash, item.number);
        await this.#reading.judge(item);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#fault ??= faultAt(null, error);
    }
    this.#fault ??= this.#found();
  }

  #found() {
    const { faults, unchecked, match } = this.#reading;
    if (faults.length) return faults[0];
    if (this.items.length && match !== this.match) {
      const what = "These events are of another match than the one that was asked for.";
      return faultAt(0, new Refusal("chain", "wrong-match", what));
    }
    if (!unchecked.length) return null;
    return faultAt(null, new Refusal("file", "could-not-check", unchecked[0]));
  }
}

/** The one spelling of an envelope that came as JSON: with its members in another order
it is another text. */
export function textOfEnvelope(envelope) {
  return JSON.stringify(envelope);
}

function pieceOf(text) {
  try {
    return readEnvelope(bytesOf(text));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function eventIn(text) {
  try {
    return readCanonical(readEnvelope(bytesOf(text)).payload);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

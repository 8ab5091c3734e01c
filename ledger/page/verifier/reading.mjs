/* Reads events one after the other: form, chain, signatures, authority and dice of every one.

A fault never ends the reading: what stands behind it is judged as far as it still can be. More
events can be taken in later: a record is read once, a match is followed while it is played.
*/

import { hexOf, sha256, textOf } from "./bytes.mjs";
import { readCanonical } from "./canonical.mjs";
import { checkAuthority } from "./authority.mjs";
import { beginCourse, supersededActs } from "./course.mjs";
import { weaknessOf } from "./curve.mjs";
import { gameOf } from "./games.mjs";
import { preAuthentication } from "./envelope.mjs";
import { KeyRing, rawKey } from "./keys.mjs";
import { readPositions } from "./positions.mjs";
import { proceed } from "./proceeding.mjs";
import { Refusal, faultAt } from "./refusal.mjs";
import { checkContributors } from "./rolls.mjs";
import { ARBITER, Roster, linesOf } from "./roster.mjs";
import { checkShape } from "./shapes.mjs";

const KEY_LINES = /ssh-ed25519 [A-Za-z0-9+/]{68}/g;
const MOST_KEYS = 256;
const AT_ONCE = 64;
const NO_CHECKS = { form: null, signature: null, chain: null, authority: null, dice: null };

/** A report in which nothing was found. */
export function emptyReport(verdict, ...unchecked) {
  return {
    ...{ verdict, match: null, head: null, opening: null, events: [], faults: [], unchecked },
    ...{ parties: [], rolls: [], superseded: new Map(), positions: null },
    ...{ closed: false, signed: [] },
  };
}

/** How far the audit has come. */
export class Reading {
  constructor() {
    this.items = [];
    this.faults = [];
    this.unchecked = [];
    this.keys = new KeyRing();
    this.course = null;
    this.roster = null;
    this.stopped = false;
    this.match = null;
    this.shift = 0;
  }

  fault(event, refusal) {
    const found = faultAt(event, refusal);
    const last = this.faults.at(-1);
    if (last?.event === event && last.code === found.code && last.text === found.text) return;
    this.faults.push(found);
    if (event === null) return;
    this.items[event].faults.push(found);
    if (found.check in NO_CHECKS) this.items[event].checks[found.check] = false;
  }

  /** Takes in the next events: reads what they say, and asks the browser for all signatures, many
  at once. Gives their items, to be judged one after the other. */
  async take(pieces) {
    const taken = pieces.map((piece, index) => ({
      ...{ number: this.items.length + index, hash: null, keyid: null, event: null, faults: [] },
      ...{ checks: { ...NO_CHECKS }, piece, message: null, unreadable: null, signed: null },
    }));
    this.items.push(...taken);
    const whole = taken.filter(({ piece }) => !(piece instanceof Refusal));
    await this.#together(whole, (item) => this.#readPiece(item));
    await this.#together(whole, (item) => this.#checkSignature(item));
    return taken;
  }

  async #together(items, task) {
    for (let start = 0; start < items.length; start += AT_ONCE) {
      await Promise.all(items.slice(start, start + AT_ONCE).map(task));
    }
  }

  async #readPiece(item) {
    item.message = preAuthentication(item.piece.payload);
    item.hash = hexOf(await sha256(item.message));
    item.keyid = item.piece.keyid;
    let lines = [];
    try {
      const event = readCanonical(item.piece.payload);
      checkShape(event);
      item.event = event;
      lines = linesOf(event);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      item.unreadable = error;
      if (item.number === 0) lines = this.#keysIn(item);
    }
    for (const line of lines) await this.#learnKey(line);
  }

  /** The keys of an opening that cannot be read, wherever they stand in it. */
  #keysIn(item) {
    return textOf(item.piece.payload)?.match(KEY_LINES) ?? [];
  }

  /** A key that stands in an event can sign; whether it may is judged in its place. */
  async #learnKey(line) {
    if (this.keys.byLine.size >= MOST_KEYS) {
      throw new Refusal("file", "too-large", "This page reads no records with so many keys.");
    }
    try {
      await this.keys.add(line);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async #checkSignature(item) {
    const key = this.keys.byKeyid.get(item.keyid);
    if (!key) return;
    item.signed = await this.keys.holds(key, item.piece.signature, item.message);
  }

  /** One event after the other. */
  async judge(item) {
    const { number, event, piece } = item;
    if (number === 0) this.match = event?.match ?? item.hash;
    if (piece instanceof Refusal) return this.#lose(number, piece);
    if (event === null) return this.#setAside(item);
    item.checks.form = true;
    if (number === 0) this.shift = event.seq;
    const chains = () => this.#tries(number, "chain", () => this.#checkChain(item));
    const chained = number === 0 || chains();
    const authentic = await this.#authenticate(item);
    if (number === 0 && event.type === "match.opened") this.#open(item, chains());
    else await this.#proceed(item, chained && authentic);
  }

  #lose(number, refusal) {
    this.fault(number, refusal);
    this.stopped = true;
  }

  /** An event that cannot be read: a fault, unless a later version may know it and a key of this
  match signed it. */
  #setAside(item) {
    const { number, unreadable } = item;
    const newer = ["future-version", "unknown-type"].includes(unreadable.code);
    const key = this.keys.byKeyid.get(item.keyid);
    const known = number ? [...(this.roster?.everHeld.keys() ?? [])] : this.#keysIn(item);
    const ours = known.includes(key?.line);
    if (!newer || !ours || !item.signed) return this.#lose(number, unreadable);
    item.checks.signature = true;
    this.unchecked.push(`Event ${number}: ${unreadable.message}`);
    this.stopped = true;
  }

  /** Whether a check holds; a fault where it does not. */
  #tries(number, name, check) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.fault(number, error);
      return false;
    }
    this.items[number].checks[name] = true;
    return true;
  }

  #checkChain({ number, event }) {
    if (number === 0) {
      if (event.seq === 0 && event.match === undefined && event.prev === undefined) return;
      throw new Refusal("chain", "bad-chain", "The opening has number 0 and nothing before it.");
    }
    if (this.match !== null && event.match !== this.match) {
      throw new Refusal("chain", "wrong-match", "The event belongs to another match.");
    }
    const expected = number + this.shift;
    this.shift = event.seq - number;
    if (event.seq !== expected) {
      const what = `Event ${expected} should stand here; this one says it is ${event.seq}.`;
      throw new Refusal("chain", "bad-seq", what);
    }
    const { hash } = this.items[number - 1];
    if (hash !== null && event.prev !== hash) {
      const what = `It does not continue event ${number - 1} as that stands here.`;
      throw new Refusal("chain", "bad-chain", what);
    }
  }

  /** Whether what an event says may count: it names its signer rightly. Where only the signature is
  wrong, what it says is still judged. */
  async #authenticate(item) {
    const { number, event } = item;
    if (number > 0 && !this.roster) return false;
    try {
      const key = this.#signerOf(event);
      if (key.keyid !== item.keyid) {
        const what = `It is signed with the key ${item.keyid}, not with that of ${event.by}.`;
        throw new Refusal("authority", "wrong-signer", what);
      }
      for (const line of linesOf(event)) this.#checkKey(line);
      if (!item.signed) {
        const what = `The signature is not the one of ${event.by} over this event.`;
        throw new Refusal("signature", "bad-signature", what);
      }
      item.checks.signature = true;
      await this.#checkConsent(event);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.fault(number, error);
      if (error.code === "bad-consent") this.roster.follow(event, number, false);
      return error.code === "bad-signature";
    }
    if (!this.stopped) return true;
    const fits = this.#tries(number, "authority", () => {
      checkAuthority(this.roster, event, new Set());
    });
    const { type, by, data } = event;
    const consents = type === "key.replaced" ? data.consent !== undefined : by === ARBITER;
    if (fits) this.roster.follow(event, number, consents);
    return fits;
  }

  #signerOf(event) {
    if (this.roster) return this.roster.signer(event);
    if (event.type !== "match.opened") {
      throw new Refusal("authority", "not-opened", "The first event of a match opens it.");
    }
    return this.#checkKey(event.data.arbiter.key);
  }

  #checkKey(line) {
    const weakness = weaknessOf(rawKey(line));
    const key = this.keys.byLine.get(line);
    if (weakness === null) return key;
    throw new Refusal("authority", "weak-key", `The key ${key.keyid} is not safe: ${weakness}.`);
  }

  async #checkConsent(event) {
    if (event.type !== "key.replaced" || event.data.consent === undefined) return;
    const old = this.roster.holder(event.data.role)?.key;
    if (old && (await this.keys.consents(old, event))) return;
    const what = `The consent is not by the key that ${event.data.role} had until now.`;
    throw new Refusal("authority", "bad-consent", what);
  }

  async #proceed(item, fit) {
    const { number, event } = item;
    if (this.stopped || !this.course) return;
    if (!fit) {
      this.stopped = true;
      return;
    }
    try {
      await proceed(this.course, event, item.hash);
      item.checks.authority = true;
      if (event.type.startsWith("roll") || event.type === "dice.committed") item.checks.dice = true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.check === "dice") item.checks.authority = true;
      this.#lose(number, error);
    }
  }

  #open(item, chained) {
    const { event, hash } = item;
    const game = gameOf(event.data);
    const named = Object.keys(event.data.seats);
    try {
      checkAuthority(null, event, new Set());
      if (game) this.#checkScheme(event.data, game);
      this.roster = new Roster(event.data, game?.seats ?? named, this.keys);
      checkContributors(event.data, this.roster);
      item.checks.authority = true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#lose(0, error);
      this.#tries(0, "authority", () => {
        this.roster ??= new Roster(event.data, named, this.keys);
      });
      item.checks.authority = error.check === "authority" ? false : item.checks.authority;
      return;
    }
    if (!game) {
      this.unchecked.push(`This page does not know the game ${event.data.ruleset.game}.`);
      this.stopped = true;
    } else if (chained) this.course = this.#begin(event, hash, game);
    else this.stopped = true;
  }

  #begin(event, hash, game) {
    const course = beginCourse(hash, event.data, game, this.roster);
    course.events[0] = event;
    return course;
  }

  #checkScheme(opening, game) {
    if (Boolean(opening.dice) === game.dice > 0) return;
    const [code, what] = game.dice
      ? ["dice-unsaid", "The game is played with dice: the opening says how they are made."]
      : ["no-dice", "The game is played without dice."];
    throw new Refusal("dice", code, what);
  }

  report(positions) {
    const first = this.items[0]?.event;
    const { course, roster } = this;
    const boards = this.#boards(positions);
    const whole = this.unchecked.length ? "could-not-check" : "sound";
    const verdict = this.faults.length ? "faults" : whole;
    return {
      ...emptyReport(verdict, ...this.unchecked),
      match: this.match,
      head: this.items.at(-1)?.hash ?? null,
      opening: first?.type === "match.opened" ? first.data : null,
      events: this.items.map(({ number, hash, keyid, event, faults, checks }) => {
        return { number, hash, keyid, event, faults, checks };
      }),
      faults: [...this.faults].sort((one, other) => (one.event ?? -1) - (other.event ?? -1)),
      parties: roster?.tenures ?? [],
      rolls: course?.rolling.rolls ?? [],
      superseded: course ? supersededActs(course) : new Map(),
      positions: boards,
      closed: Boolean(course?.sheet),
      signed: [...(course?.sheet?.signed ?? [])],
    };
  }

  #boards(text) {
    if (text === null) return null;
    try {
      return readPositions(text, this.items.length);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "future-version") this.unchecked.push(error.message);
      else this.fault(null, error);
      return null;
    }
  }
}
